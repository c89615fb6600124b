"""A game put around another, so that its records may have plies nobody wrote.

Until the first of them it is the other game.

Source: notation.md, "What nobody wrote".
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from textwrap import fill
from typing import Any, TypeVar

from msgspec.structs import replace

from cartulary.engine import Need, Open, Pending, Played, Refused
from cartulary.engine.contract import NOTHING_PENDING
from cartulary.engine.readings import GAP
from cartulary.notation.arbiter.gap_play import GapPlay
from cartulary.notation.arbiter.gaps import GAPS, Lost, Meant, MissedPly, Several, fits, plies_said
from cartulary.notation.cgn.record import MISSED, NotationError
from cartulary.notation.contract import AnyGame
from cartulary.notation.drawing import Drawing, drawn_as_text
from cartulary.notation.picture import WIDTH, Picture, Span
from cartulary.notation.unjudged import nobody_judges

T = TypeVar("T")


def after_gaps(game: AnyGame, words: Iterable[str], state: Any = None) -> AnyGame:
    """Return the game as it reads these words in this state: with gaps where one is or may be."""
    return with_gaps(game) if type(state) in GAPS or MISSED in " ".join(words) else game


@lru_cache(64)
def with_gaps(game: AnyGame) -> AnyGame:
    """Return a game whose records may have gaps; of one nobody judges, the game itself."""
    return game if nobody_judges(game) or own_game(game) is not game else _Gapped(game).put_together()


def own_game(game: AnyGame) -> AnyGame:
    """Return the game as it is where nothing is missing."""
    made = getattr(game.rules.play, "__self__", None)
    return made.game if isinstance(made, _Gapped) else game


def agreeing(game: AnyGame, state: Several, agrees: Callable[[Any], bool]) -> Played[Any, Any] | None:
    """Return what is left of several positions where those stay that agree with something; None for none.

    game: with gaps
    """
    made = getattr(game.rules.play, "__self__", None)
    assert isinstance(made, _Gapped)
    return made.agreeing(state, agrees)


class _Gapped(GapPlay):
    """A game, and each of its parts as it is where positions may be several or none is known."""

    def put_together(self) -> AnyGame:
        rules, words, turns, points, hidden = self.rules, self.words, self.turns, self.game.points, self.game.hidden
        lost = Lost(0, (), "")
        return replace(
            self.game,
            rules=replace(
                rules,
                play=self.play,
                judge=self.judge,
                candidates=self.candidates,
                complete=self._unless_gap(rules.complete, False),
                outcome=self.outcome,
                asked=self._unless_gap(rules.asked, ()),
                carry=None,
            ),
            words=replace(
                words,
                read=self.read,
                write=self.write,
                picture=self.picture,
                drawing=None if words.drawing is None else self.drawing,
                came_of=lambda before, move, after: (
                    "" if {type(before), type(after)} & {*GAPS} else words.came_of(before, move, after)
                ),
                prefixed=None if words.prefixed is None else self.prefixed,
                led=self._unless_gap(words.led, ""),
            ),
            turns=replace(
                turns,
                first=self.first,
                actors=self.actors,
                speaks_for=self.speaks_for,
                settle=self.settle,
                skip=self.skip,
                number=self.number,
                call=self.call,
            ),
            points=replace(
                points,
                write=self._unless_gap(points.write, {}),
                misstated=lambda tags, result, state, ruled: (
                    () if type(state) in GAPS else points.misstated(tags, result, state, ruled)
                ),
                shares=self._unless_gap(points.shares, None),
            ),
            hidden=replace(
                hidden,
                view=self.view,
                view_move=self.view_move,
                exact=self.exact,
                tell_need=self.tell_need,
                pending=self.pending,
                whereabouts=self._unless_gap(hidden.whereabouts, ()),
            ),
            place=replace(self.game.place, key=self._unless_gap(self.game.place.key, lost)),
        )

    def _unless_gap(self, asked: Callable[..., T], behind: T) -> Callable[..., T]:
        """Return a function of a state, and more, that answers something else behind a gap."""
        return lambda state, *more: behind if type(state) in GAPS else asked(state, *more)

    # --- words ---

    def read(self, signs: str, seat: int, state: Any) -> Any:
        """Return what a word says; of one nobody wrote, that. Raises NotationError where it says nothing anywhere."""
        if type(state) is Lost:
            return Meant(seat, signs)
        try:
            said = self._read(signs, seat, state)
            return MissedPly(seat, signs, own=said) if signs == MISSED else said
        except NotationError:
            if MISSED not in signs:
                raise
            return MissedPly(seat, signs)

    def _read(self, signs: str, seat: int, state: Any) -> Any:
        if type(state) is not Several:
            return self.words.read(signs, seat, state)
        said: list[Any] = []
        faults: list[NotationError] = []
        read, first = self.words.read, self.turns.first
        for reading in state.readings.each:
            try:
                said.append(read(signs, seat or first(reading.state), reading.state))
            except NotationError as fault:
                said.append(None)
                faults.append(fault)
        if len(faults) == len(said):
            raise faults[0]
        return Meant(seat, signs, tuple(said))

    def write(self, move: Any, state: Any, after: Any) -> str:
        if isinstance(move, MissedPly | Meant):
            return move.signs
        return self.words.write(move, state, None if type(after) in GAPS else after)

    def prefixed(self, move: Any, state: Any) -> bool:
        assert self.words.prefixed is not None
        if type(state) in GAPS or isinstance(move, MissedPly):
            return bool(move.seat != self.first(state))
        return self.words.prefixed(move, state)

    def picture(self, state: Any, seat: int | None) -> Picture:
        """Return the position; of several the first, with a line that says so."""
        if type(state) is Lost:
            said = fill(f"The position is not known: {state.because}.", WIDTH)
            return tuple((Span(row, "frame"),) for row in said.split("\n"))
        if type(state) is not Several:
            return self.words.picture(state, seat)
        many = len(state.readings.each)
        said = f"one of {many} positions that fit: {plies_said(state.gaps)} not written" if many > 1 else ""
        rows = self.words.picture(state.first, seat)
        return (*rows, (Span(said, "frame"),)) if said else rows

    def drawing(self, state: Any, seat: int | None) -> Drawing:
        """Return the position drawn, of several the first; the text where none is known."""
        assert self.words.drawing is not None
        if type(state) is Lost:
            return drawn_as_text(self.picture(state, seat))
        return self.words.drawing(state.first if type(state) is Several else state, seat)

    # --- what is known ---

    def view(self, state: Any, seat: int) -> Any:
        """Return what the seat may see; where cards are hidden, none of several positions, which have them all."""
        hidden = self.game.hidden
        if type(state) is Several and not hidden.face_up:
            return Lost(state.ply, state.gaps, f"{plies_said(state.gaps)} not written", state.mover)
        if type(state) is Lost and state.last is not None:
            return replace(state, last=hidden.view(state.last, seat))
        return state if type(state) in GAPS else hidden.view(state, seat)

    def view_move(self, state: Any, move: Any, seat: int) -> Any:
        """Return the move as it is seen: of one nobody could judge, nothing."""
        if isinstance(move, MissedPly | Meant):
            return move if self.game.hidden.face_up else MissedPly(move.seat, MISSED)
        return self.game.hidden.view_move(state, move, seat)

    def tell_need(self, state: Any, need: Need) -> str:
        """Say what is known of a ply nobody wrote, or of hidden cards."""
        if type(state) is Lost and need.place:
            return "" if state.last is None else self.game.hidden.tell_need(state.last, need)
        if type(state) is Lost:
            return str(state.because)
        if need.place or type(state) is not Several:
            return "" if type(state) is Several or not need.place else self.game.hidden.tell_need(state, need)
        many = len(fits(self.game, state, need.ply))
        moves = "1 move fits" if many == 1 else f"{many} moves fit"
        return f"{plies_said((need.ply,))} not written, and {moves} all that follows"

    def pending(self, state: Any) -> Pending:
        """Return the plies nobody wrote that are open at the end, and those that are known."""
        if type(state) is Several:
            return Pending(tuple((gap, GAP.key) for gap in state.gaps if gap not in state.filled))
        if type(state) is Lost:
            before = NOTHING_PENDING if state.last is None else self.game.hidden.pending(state.last)
            gaps = () if state.told else tuple((gap, GAP.key) for gap in state.gaps)
            return Pending((*before.open, *gaps), before.proved)
        return self.game.hidden.pending(state)

    def exact(self, state: Any, opened: Open) -> Refused | Open | None:
        """Return the answer to a question: to that of a gap, nothing once it is known what was played."""
        if opened.clause is GAP and opened.needs:
            known = type(state) not in GAPS or (type(state) is Several and opened.needs[0].ply in state.filled)
            return None if known else opened
        if type(state) is Lost and state.last is not None:
            return self.game.hidden.exact(state.last, opened)
        return opened if type(state) in GAPS else self.game.hidden.exact(state, opened)
