"""Moves worth judging: a sample, because cards are committed in very many ways."""

from collections.abc import Iterator

from cartulary.engine.arcanoid import rounds
from cartulary.engine.arcanoid.cards import listed
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import DAEMON, Move
from cartulary.engine.arcanoid.settling import settle
from cartulary.engine.arcanoid.state import State, side_of


def candidates(state: State) -> Iterator[Move]:
    """Yield discards, single commitments and abdications of who is to move, or the votes that are due."""
    now = _dealt(settle(state))
    if now.ended is not None:
        return
    if now.dues:
        due = now.dues[0]
        if due.what == "vote":
            yield Move(due.who, "vote", due.who, yes=True)
            yield Move(due.who, "vote", due.who)
        elif due.what == "away":
            yield _thrown(now, due.who)
        return
    who = now.mover or now.turn
    side = side_of(now, who)
    seat = who % DAEMON
    extra = bool(now.mover) and now.extra
    named = sorted({card for card in side.hand + side.open if card < 78})
    if any(card >= 78 for card in side.hand):
        yield Move(seat, "discard", who, b"\xff", extra=extra)
    for card in named:
        yield Move(seat, "discard", who, bytes((card,)), extra=extra)
    for field in range(4):
        yield Move(seat, "commit", who, b"", fields=(field,), extra=extra)
        for card in named:
            if card // 14 == field:
                yield Move(seat, "commit", who, bytes((card,)), fields=(field,), extra=extra)


def _dealt(state: State) -> State:
    """Return the state with what is left of a deal unknown."""
    if not state.dues or state.dues[0].what != "deal":
        return state
    draft = Draft(state)
    rounds.close(draft)
    return draft.frozen()


def _thrown(state: State, who: int) -> Move:
    """Return a discard of as many cards as the Wheel asks for."""
    draft = Draft(state)
    side = side_of(state, who)
    cards = (side.open + side.hand)[-draft.need(state.dues[0]) :]
    return Move(who % DAEMON, "discard", who, listed(card if card < 78 else 0xFF for card in cards))
