"""The Empress and the Emperor: copies of any card of their seat's deck, and renamed in the area."""

from collections.abc import Iterator

from msgspec.structs import replace

from cartulary.engine.contract import Need, Open
from cartulary.engine.slots import SLOT, holds, recoded
from cartulary.engine.tarot_duel.cards import COPIES, COUNTS_AS, EMPEROR, ITSELF, NAMES, blank, standing
from cartulary.engine.tarot_duel.clauses import EFFECT, IN_AREA
from cartulary.engine.tarot_duel.decks import known_deck
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.ends import aim
from cartulary.engine.tarot_duel.moves import Rename
from cartulary.engine.tarot_duel.state import House, Unseen


def ask_copy(draft: Draft, seat: int, card: int, name: int) -> str:
    """Say why a card is no copy of another; empty where it is, or is none of the two that stand for others.

    Asked, and remembered, is whether it is one if only unknown cards of the deck can be it.
    """
    if card not in COPIES:
        return ""
    if name in COPIES:
        return f"{NAMES[card]} cannot stand for {NAMES[name]}"
    answer = is_copy(draft.house, draft.unseen, seat, name)
    if answer is None and not draft.refusals:
        draft.ask(EFFECT, Open((Need(f"p{seat}'s deck", (name,), draft.ply),)))
        copies = (*draft.unseen.named, (draft.ply, seat, name))
        draft.unseen = replace(draft.unseen, named=copies)
    return f"Deck{seat} has no {NAMES[name]}, so {NAMES[card]} cannot stand for it" if answer is False else ""


def is_copy(house: House, unseen: Unseen, seat: int, name: int) -> bool | None:
    """Say whether a seat's deck has the card that a copy stands for; None while only its unknown cards can be it."""
    doubted = unseen.doubt >> seat & 1
    deck = house.decks[seat - 1] if doubted else known_deck(house, unseen.found[seat - 1], seat)
    return True if name in deck else None if blank(seat) in deck else False


def say_rename(draft: Draft, move: Rename) -> None:
    """Carry out the word that names another card the Empress in the area stands for."""
    old = _renamed(draft, move.seat, move.card, move.name)
    if move.card == EMPEROR:
        wrong = f"{NAMES[EMPEROR]} never changes the card it stands for in an area"
    elif old == move.name:
        wrong = f"{NAMES[move.card]} stands for {NAMES[move.name]} already"
    else:
        wrong = ask_copy(draft, move.seat, move.card, move.name)
    if wrong:
        draft.refuse(EFFECT, wrong)
    aim(draft)


def _renamed(draft: Draft, seat: int, card: int, name: int) -> int:
    """Let a copy in an area stand for ``name`` and return what it stood for; block where none can lie there.

    Of several one that stood for something else is renamed, a face-up one first.
    """
    side, code = draft.side(seat), standing(card, name)
    copies = [(zone, at) for zone in ("area", "row") for at in _copies(getattr(side, zone), card)]
    slots = [(slot, old) for slot in sorted(set(side.row)) for old in holds(draft.slots, slot) if ITSELF[old] == card]
    olds = [getattr(side, zone)[at] for zone, at in copies] + [old for _, old in slots]
    if not olds:
        draft.block(IN_AREA, f"{NAMES[card]} does not lie in p{seat}'s area")
    choice = next((at for at, old in enumerate(olds) if COUNTS_AS[old] != name), 0)
    if choice < len(copies):
        zone, at = copies[choice]
        entries = getattr(side, zone)
        setattr(side, zone, entries[:at] + bytes((code,)) + entries[at + 1 :])
    else:
        slot, old = slots[choice - len(copies)]
        draft.slots = recoded(draft.slots, draft.slots.kinds[slot - SLOT].pool, old, code)
    draft.count(side)
    return int(COUNTS_AS[olds[choice]])


def _copies(zone: bytes, card: int) -> Iterator[int]:
    return (at for at, code in enumerate(zone) if ITSELF[code] == card)
