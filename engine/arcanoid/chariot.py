"""The Chariot: an open reserve of cards, added to, discarded, or committed."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import CHARIOT
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.state import who_name


def stand(draft: Draft, move: Move) -> None:
    """Lay the Chariot with a reserve."""
    seat = draft.seat(move.who)
    chariot = bytes((draft.take(move.who, CHARIOT),))
    reserve = bytes(draft.take(move.who, card) for card in move.cards.replace(chariot, b"", 1))
    seat.reserve = reserve


def add(draft: Draft, move: Move) -> None:
    """Add one or two cards to the reserve."""
    reserve = _reserve(draft, move.who)
    if not 1 <= len(move.cards) <= 2:
        draft.refuse(clauses.CHARIOT, f"{len(move.cards)} cards are added to the reserve, expected one or two")
    draft.seat(move.who).reserve = reserve + bytes(draft.take(move.who, card) for card in move.cards)


def drop(draft: Draft, move: Move) -> None:
    """Discard the Chariot and its reserve."""
    draft.pile += _reserve(draft, move.who) + bytes((CHARIOT,))
    draft.seat(move.who).reserve = None


def spend(draft: Draft, who: int) -> bytes:
    """Discard the Chariot and return its reserve, which is to be committed."""
    reserve = _reserve(draft, who)
    if not reserve:
        draft.refuse(clauses.CHARIOT, "the reserve is empty")
    draft.seat(who).reserve = None
    draft.pile += bytes((CHARIOT,))
    return reserve


def _reserve(draft: Draft, who: int) -> bytes:
    reserve = draft.peek(who).reserve
    if reserve is None:
        draft.block(clauses.CHARIOT, f"no Chariot of {who_name(who)} lies on the table")
    return reserve
