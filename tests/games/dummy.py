"""A toy game with hidden cards in which p1 says the words of p3, whose card lies open, as declarer does for dummy."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Hidden, Outcome, Refused, Rules, Sheet, Turns, by_clauses, clause
from cartulary.notation import About, Game, NotationError, Words
from cartulary.notation.picture import Span

UNSEEN = "~"


class Held(Struct, frozen=True):
    """A card a seat, ``~`` where nobody looks into the hand; empty before the deal and once it is played."""

    hands: tuple[str, ...] = ("", "", "", "")
    played: int = -1

    @property
    def mover(self) -> int:
        return self.played + 1


class Said(Struct, frozen=True):
    """The deal by the table, or a card by a seat."""

    seat: int
    cards: str


@clause("dummy.own", "A seat plays the card it holds, in turn.", "house ruling")
def own(state: Held, move: Said) -> Refused | None:
    if move.seat != state.mover:
        return Refused(f"It is p{state.mover}'s turn", True)
    if move.seat and state.hands[move.seat - 1] not in (UNSEEN, move.cards):
        return Refused(f"p{move.seat} does not hold {move.cards}", True)
    return None


def apply(state: Held, move: Said) -> Held:
    if not move.seat:
        return Held(tuple(move.cards), 0)
    return Held((*state.hands[: move.seat - 1], "", *state.hands[move.seat :]), state.played + 1)


def candidates(state: Held) -> Iterator[Said]:
    if state.mover in range(1, 5) and state.hands[state.mover - 1] not in ("", UNSEEN):
        yield Said(state.mover, state.hands[state.mover - 1])


def outcome(state: Held) -> Outcome | None:
    return Outcome((1, 0, 0, 0), "dummy.own", "all are played") if state.played == 4 else None


def read(signs: str, seat: int, state: Held) -> Said:
    if len(signs) != 2 + 3 * (not seat) or signs[0] != "c" or not set(signs[1:]) <= set("1234~"):
        raise NotationError(f"found {signs}, expected c and a card, or four for the deal")
    return Said(seat, signs[1:])


def seen(hands: tuple[str, ...], seat: int) -> tuple[str, ...]:
    return tuple(card if at in (seat, 3) or not card else UNSEEN for at, card in enumerate(hands, 1))


def setup(sheet: Sheet[None]) -> Held:
    return Held()


_play, _judge = by_clauses((own,), apply)

DUMMY = Game(
    about=About(key="dummy", title="Dummy", edition="dummy-1", seats=(4,), says="four cards"),
    rules=Rules(
        setup=setup,
        play=_play,
        clauses=(own,),
        judge=_judge,
        candidates=candidates,
        complete=lambda state: True,
        outcome=outcome,
    ),
    words=Words(
        read=read,
        write=lambda move, state, after: f"c{move.cards}",
        picture=lambda state, seat: ((Span(" ".join(state.hands), "frame"),),),
        needs_prefix=lambda move, state: move.seat == 0 or move.seat != state.mover,
    ),
    turns=Turns(speaks_for=lambda state, seat: 1 if seat == 3 else seat, table=True),
    hidden=Hidden(
        view=lambda state, seat: replace(state, hands=seen(state.hands, seat)),
        view_move=lambda state, move, seat: (
            replace(move, cards="".join(seen(tuple(move.cards), seat))) if not move.seat else move
        ),
    ),
)
