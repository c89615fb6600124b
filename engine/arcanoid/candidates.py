"""Moves worth judging: a sample, because cards are committed in very many ways."""

from collections.abc import Iterator

from cartulary.engine.arcanoid import round, turn
from cartulary.engine.arcanoid.cards import listed
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.dues import settle
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.state import State
from cartulary.engine.slots import UNKNOWN


def candidates(state: State) -> Iterator[Move]:
    """Yield discards, single commitments and abdications of who is to move, or the votes that are due."""
    now = Draft(settle(state))
    if now.dues and now.dues[0].what == "deal":
        round.close(now)
    if now.ended is None:
        for said in _said(now):
            yield turn.spoken(now, state, said)


def _said(now: Draft) -> Iterator[Move]:
    if now.dues and now.dues[0].what == "vote":
        yield Move(0, "vote", yes=True)
        yield Move(0, "vote")
        return
    side = now.peek(turn.expected(now)[0])
    if now.dues:
        # The Wheel's: as many as it asks for.
        cards = (side.open + side.hand)[-now.need(now.dues[0]) :]
        yield Move(0, "discard", 0, listed(card if card < 78 else UNKNOWN for card in cards))
        return
    named = sorted({card for card in side.hand + side.open if card < 78})
    if any(card >= 78 for card in side.hand):
        yield Move(0, "discard", 0, bytes((UNKNOWN,)))
    for card in named:
        yield Move(0, "discard", 0, bytes((card,)))
    for field in range(4):
        yield Move(0, "commit", fields=(field,))
        for card in named:
            if card // 14 == field:
                yield Move(0, "commit", 0, bytes((card,)), fields=(field,))
