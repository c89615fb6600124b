"""The Empress and the Emperor: copies of any card of their seat's deck."""

from msgspec.structs import replace

from cartulary.engine.contract import Need, Open
from cartulary.engine.tarot_duel.cards import COPIES, NAMES
from cartulary.engine.tarot_duel.clauses import EFFECT
from cartulary.engine.tarot_duel.decks import is_copy
from cartulary.engine.tarot_duel.draft import Draft


def ask_copy(draft: Draft, seat: int, card: int, name: int) -> str:
    """Say why a card is no copy of another; empty where it is, or is none of the two that stand for others.

    Asked, and remembered, is whether it is one if only unknown cards of the deck can be it.
    """
    if card not in COPIES:
        return ""
    if name in COPIES:
        return f"{NAMES[card]} is no copy of {NAMES[name]}"
    found = is_copy(draft.house, draft.unseen, seat, name)
    if found is None and not draft.refusals:
        draft.ask(EFFECT, Open((Need(f"p{seat}'s deck", (name,), draft.ply),)))
        named = (*draft.unseen.named, (draft.ply, seat, name))
        draft.unseen = replace(draft.unseen, named=named)
    return f"Deck{seat} has no {NAMES[name]}, so {NAMES[card]} is no copy of it" if found is False else ""
