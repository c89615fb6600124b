"""The Wheel: five cards are drawn, and what exceeds the hand is discarded."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.state import Due, who_name
from cartulary.engine.numbers import how_many


def turn_wheel(draft: Draft, move: Move) -> None:
    """Let five cards be drawn, and what is too much be discarded."""
    draft.dues[:0] = [Due("take", move.who, 5), Due("away", move.who, int(move.extra))]


def check_discarded(draft: Draft) -> None:
    """Note that the Wheel's discard comes before what is said, where it is due."""
    due = draft.dues[0] if draft.dues else None
    if due is not None and due.what == "away":
        draft.owe(clauses.WHEEL, f"{who_name(due.who)} is to discard first")


def may_discard_late(draft: Draft, move: Move) -> bool:
    """Say whether a word is the Wheel's discard, in whose place another came before."""
    if not draft.skipped or draft.skipped[0].what != "away" or (move.what, move.drawn) != ("discard", None):
        return False
    due = draft.skipped[0]
    return not draft.dues and due.who == move.who and 0 < draft.need(due) == len(move.cards)


def discard_too_many(draft: Draft, who: int, cards: bytes) -> None:
    """Discard what the Wheel brought too much; nothing may be written where nothing is."""
    if not draft.dues or draft.dues[0].what != "away":
        if cards:
            draft.block(clauses.WHEEL, "there is nothing to discard: the hand is not too large")
        return
    count = draft.need(draft.dues[0])
    if len(cards) != count:
        draft.refuse(clauses.WHEEL, f"{who_name(who)} discards {how_many(len(cards))}, but has {count} too many")
    for card in cards:
        draft.pile += bytes((draft.take_unseen(who, card, True),))
    del draft.dues[0]
