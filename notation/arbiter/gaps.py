"""Plies that were made and not written: a game that goes on where several positions are possible, or none is known.

``~`` is a ply nobody wrote; a word with ``~`` in it that the game cannot read is one nobody can read in part. Until the
first of them a record is its own game's. After it the state is ``Several``, where all moves of a position can be
listed: every legal move may be the one, and each later word throws those away on which it is refused. Where one way is
left, the game is its own again. Where none is, or moves cannot be listed, the state is ``Lost``: words are kept, and
nobody judges them.

Source: notation.md, "What nobody wrote".
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from textwrap import fill
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import LEGAL, Breach, Clause, Need, Open, Outcome, Pending, Played, Refused, Undecided, Verdict
from cartulary.engine.calls import OVER, Call, Called, Calls
from cartulary.engine.contract import NOTHING_PENDING, UNJUDGED, Unclear
from cartulary.engine.play import actors
from cartulary.engine.readings import GAP, Reading, Readings, branched, gathered
from cartulary.notation.cgn.record import MISSED, NotationError
from cartulary.notation.contract import AnyGame
from cartulary.notation.drawing import Drawing, drawn_as_text
from cartulary.notation.picture import WIDTH, Picture, Span
from cartulary.notation.unjudged import nobody_judges

T = TypeVar("T")

FILLED: Clause[Any, Any] = Clause(
    "record.filled", "What nobody wrote down is known where one legal move alone fits all that follows.", "house ruling"
)
BUDGET = 16_384
"""How many positions are followed at most once a written word has been judged in each."""

# --- types ---


class MissedPly(Struct, frozen=True):
    """A ply that was made and not written, or not all of it; ply: which one, 0 until that is known.

    own: what the game itself means by ``~``, such as a card nobody saw; None for nothing
    """

    seat: int
    signs: str
    ply: int = 0
    own: Any = None


class Meant(Struct, frozen=True):
    """A word after a gap. said: what it says in each position, None where nothing; empty where none is known.

    seat: 0 also where the word bears no prefix, and whose it is differs by the position
    """

    seat: int
    signs: str
    said: tuple[Any, ...] = ()


class Way(Struct, frozen=True):
    """A move that may be the one nobody wrote. state: the position before it"""

    ply: int
    state: Any
    move: Any


class Several(Struct, frozen=True):
    """Positions of which one is the record's. ply: how many words stand before; gaps: the plies nobody wrote

    mover: the seat whose words bear no prefix; 0 where that is another one in other positions
    filled: the gaps of which it is known what was played
    """

    ply: int
    gaps: tuple[int, ...]
    readings: Readings[Any]
    mover: int
    filled: tuple[int, ...] = ()

    @property
    def first(self) -> Any:
        """The first of the positions."""
        return self.readings.each[0].state


class Lost(Struct, frozen=True):
    """No position is known. because: why; mover, number: whose word comes and its move number, where that is known

    told: what was found says so already; last: the last position that was known, None where several were possible
    """

    ply: int
    gaps: tuple[int, ...]
    because: str
    mover: int = 0
    number: tuple[int, bool] | None = None
    told: bool = False
    last: Any = None


GAPS = (Several, Lost)


def after_gaps(game: AnyGame, words: Iterable[str], state: Any = None) -> AnyGame:
    """Return the game as it reads these words in this state: with gaps where one is or may be."""
    return with_gaps(game) if type(state) in GAPS or MISSED in " ".join(words) else game


def fits(game: AnyGame, state: Any, ply: int) -> tuple[str, ...]:
    """Return the moves that may have been made at a ply nobody wrote, in their one spelling."""
    if type(state) is not Several:
        return ()
    ways = {way: None for reading in state.readings.each for each in reading.assumes for way in each if way.ply == ply}
    return tuple(dict.fromkeys(_spelled(game, way) for way in ways))


def _spelled(game: AnyGame, way: Way) -> str:
    return game.words.write(way.move, way.state, game.rules.play(way.state, way.move).after)


# --- the game behind a gap ---


@lru_cache(64)
def with_gaps(game: AnyGame) -> AnyGame:
    """Return a game whose records may have gaps; of one nobody judges, the game itself."""
    return game if nobody_judges(game) or own_game(game) is not game else _Gapped(game).put_together()


def own_game(game: AnyGame) -> AnyGame:
    """Return the game as it is where nothing is missing."""
    made = getattr(game.rules.play, "__self__", None)
    return made.game if isinstance(made, _Gapped) else game


class _Gapped:
    """A game, and each of its parts as it is where positions may be several or none is known."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.rules, self.words, self.turns = game.rules, game.words, game.turns

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
                misstated=lambda tags, result, state: (
                    () if type(state) in GAPS else points.misstated(tags, result, state)
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
        said = f"one of {many} positions that fit: {_plies(state.gaps)} not written" if many > 1 else ""
        rows = self.words.picture(state.first, seat)
        return (*rows, (Span(said, "frame"),)) if said else rows

    def drawing(self, state: Any, seat: int | None) -> Drawing:
        """Return the position drawn, of several the first; the text where none is known."""
        assert self.words.drawing is not None
        if type(state) is Lost:
            return drawn_as_text(self.picture(state, seat))
        return self.words.drawing(state.first if type(state) is Several else state, seat)

    # --- rules ---

    def play(self, state: Any, said: Any, exactly: bool = False, /) -> Played[Any, Any]:
        if type(said) is MissedPly:
            if said.own is not None:
                played = self.play(state, said.own, exactly)
                if not (isinstance(played.verdict, Refused) and played.verdict.blocks):
                    return played
            return self._missed(state, said)
        if type(state) is Several:
            return self._in_each(state, said)
        if type(state) is Lost:
            return Played(said, UNJUDGED, self._later(state))
        return self.rules.play(state, said, exactly)

    def _missed(self, state: Any, said: MissedPly) -> Played[Any, Any]:
        """Return what comes of a ply nobody wrote: every legal move that its signs leave possible."""
        if type(state) is Lost:
            return Played(said, UNJUDGED, self._later(state))
        several = type(state) is Several
        gaps = (*state.gaps, said.ply) if several else (said.ply,)
        ended = self.outcome(self.settle(state))
        if ended is not None and not (self.turns.actors is not None and self.actors(state)):
            return Played(said, Refused(ended.because, True, self.rules.over or OVER), None)
        undecided = _open(said.ply)
        before = state.readings if several else Readings((Reading(state),))
        if not all(self.rules.complete(reading.state) for reading in before.each):
            because = f"{_plies((said.ply,))} not written, and what it may have been cannot be listed"
            return Played(said, undecided, self._lost(state, gaps, because))
        after = branched(before, lambda each: self._ways(each, said), self.same, 2 * BUDGET)
        if after is before:
            because = f"no legal move at ply {said.ply} is written {said.signs}"
            return Played(said, undecided, self._lost(state, gaps, because))
        if not after.whole:
            return Played(said, undecided, self._lost(state, gaps, _too_many(gaps)))
        filled = state.filled if several else ()
        return self._known(said, undecided, self._several(said.ply, gaps, after, filled), ())

    def same(self, state: Any) -> Hashable:
        """Return what makes two positions one; the whole state where a key holds what cannot be hashed."""
        key: Hashable = self.game.place.key(state)
        try:
            hash(key)
        except TypeError:
            key = state
        return key

    def _ways(self, state: Any, said: MissedPly) -> Iterator[tuple[Way, Any]]:
        """Yield the legal moves a word leaves possible, each with the position after it."""
        pattern, carry = None if said.signs == MISSED else _pattern(said.signs), self.rules.carry
        for move in self.rules.candidates(state):
            if (said.seat and move.seat != said.seat) or type(self._judge(state, move)) is Refused:
                continue
            after = carry(state, move) if carry is not None else self.rules.play(state, move).after
            if after is not None and (pattern is None or pattern.fullmatch(self.words.write(move, state, after))):
                yield Way(said.ply, state, move), after

    def _in_each(self, state: Several, said: Meant) -> Played[Any, Any]:
        """Return what comes of a word where several positions are possible: those in which it is refused fall away."""
        ply, spelled, left, unclear = state.ply + 1, "", list[Reading[Any]](), None
        proved = list[tuple[Breach, ...]]()
        play = self.rules.play
        for reading, each in zip(state.readings.each, said.said, strict=True):
            if each is None:
                continue
            played = play(reading.state, each)
            verdict = type(played.verdict)
            if verdict is Unclear:
                unclear = unclear or played
            elif verdict is not Refused:
                if spelled != said.signs:
                    spelled = self.words.write(played.move, reading.state, played.after)
                left.append(Reading(played.after, reading.assumes))
                proved.append(played.proved)
        if unclear is not None and not left:
            return unclear
        if not left:
            because = f"{_plies(state.gaps)} not written, and no legal move there allows {said.signs} at ply {ply}"
            lost = replace(self._lost(state, state.gaps, because), told=True)
            breach = Breach((*state.gaps, ply), GAP.key, because, ply)
            return Played(said, _open(state.gaps[-1]), lost, (breach,))
        # What one gap has set apart seldom comes together again, and then costs no more than it did.
        one_gap = len(state.gaps) == 1
        after = Readings(tuple(left)) if one_gap else gathered(left, same=self.same, budget=BUDGET)
        if not after.whole:
            return Played(said, LEGAL, self._lost(state, state.gaps, _too_many(state.gaps)))
        in_all = tuple(breach for breach in proved[0] if all(breach in each for each in proved))
        return self._known(
            replace(said, signs=spelled), LEGAL, self._several(ply, state.gaps, after, state.filled), in_all
        )

    def _known(self, move: Any, verdict: Verdict, after: Several, proved: tuple[Breach, ...]) -> Played[Any, Any]:
        """Return what was played, with what it shows of the plies nobody wrote.

        What comes after it is one position where one way alone leads there.
        """
        one_way = len(after.readings.each) == 1 and len(after.readings.each[0].assumes) == 1
        filled = tuple(self._filled(after)) if one_way or len(after.gaps) > 1 else ()
        if one_way:
            return Played(move, verdict, after.first, (*proved, *filled))
        if filled:
            after = replace(after, filled=(*after.filled, *(breach.plies[0] for breach in filled)))
        return Played(move, verdict, after, (*proved, *filled))

    def _filled(self, state: Several) -> Iterator[Breach]:
        """Yield what can only have been played at the plies nobody wrote, where that has become known."""
        for at, gap in enumerate(state.gaps):
            ways = {each[at] for reading in state.readings.each for each in reading.assumes}
            if gap not in state.filled and len({way.move for way in ways}) == 1:
                because = f"ply {gap} can only have been {_spelled(self.game, ways.pop())}, unless it broke a rule"
                yield Breach((gap,), FILLED.key, because, state.ply)

    def _judge(self, state: Any, move: Any) -> Verdict:
        by = self.rules.judge
        return by(state, move) if by is not None else self.rules.play(state, move).verdict

    def judge(self, state: Any, move: Any) -> Verdict:
        """Return what the rules say of a move; of one that only some of several positions allow, that it is open."""
        if type(state) is not Several:
            return self._judge(state, move)
        legal = [
            said is not None and type(self._judge(reading.state, said)) is not Refused
            for reading, said in zip(state.readings.each, move.said, strict=True)
        ]
        return LEGAL if all(legal) else _open(state.gaps[-1])

    def candidates(self, state: Any) -> Iterator[Any]:
        """Yield the moves worth judging; of several positions, the legal ones of each."""
        if type(state) is not Several:
            yield from () if type(state) is Lost else self.rules.candidates(state)
            return
        said: dict[str, list[Any]] = {}
        for at, reading in enumerate(state.readings.each):
            for move in self.rules.candidates(reading.state):
                if type(self._judge(reading.state, move)) is not Refused:
                    text = self.words.write(move, reading.state, self.rules.play(reading.state, move).after)
                    said.setdefault(text, [None] * len(state.readings.each))[at] = move
        for text, moves in said.items():
            yield Meant(next(move.seat for move in moves if move is not None), text, tuple(moves))

    def outcome(self, state: Any) -> Outcome | None:
        """Return how the game ended; of several positions, where all agree."""
        if type(state) is not Several:
            return None if type(state) is Lost else self.rules.outcome(state)
        ended = {self.rules.outcome(reading.state) for reading in state.readings.each}
        return ended.pop() if len(ended) == 1 else None

    # --- turns ---

    def first(self, state: Any) -> int:
        return int(state.mover) if type(state) in GAPS else self.turns.first(state)

    def _several(self, ply: int, gaps: tuple[int, ...], readings: Readings[Any], filled: tuple[int, ...]) -> Several:
        seats = {self.turns.first(reading.state) for reading in readings.each}
        return Several(ply, gaps, readings, seats.pop() if len(seats) == 1 else 0, filled)

    def actors(self, state: Any) -> tuple[int, ...]:
        """Return every seat that may speak, nobody where that is not known."""
        if type(state) is Several:
            each = (actors(self.game, reading.state) for reading in state.readings.each)
            return tuple(dict.fromkeys(seat for seats in each for seat in seats))
        if type(state) is Lost:
            return (state.mover,) if state.mover else ()
        return actors(self.game, state)

    def speaks_for(self, state: Any, seat: int) -> int:
        if type(state) is Lost:
            return seat
        return self.turns.speaks_for(state.first if type(state) is Several else state, seat)

    def settle(self, state: Any) -> Any:
        return state if type(state) is Lost else self._each(state, self.turns.settle)

    def skip(self, state: Any) -> Any:
        later = state if type(state) is Lost else self._each(state, self.turns.skip)
        return replace(later, ply=later.ply + 1) if type(later) in GAPS else later

    def _each(self, state: Any, change: Callable[[Any], Any]) -> Any:
        if type(state) is not Several:
            return change(state)
        each = tuple(replace(reading, state=change(reading.state)) for reading in state.readings.each)
        return self._several(state.ply, state.gaps, replace(state.readings, each=each), state.filled)

    def number(self, state: Any, move: Any) -> tuple[int, bool] | None:
        if type(state) is Lost:
            return state.number
        move = None if isinstance(move, MissedPly | Meant) else move
        return self.turns.number(state.first if type(state) is Several else state, move)

    def call(self, state: Any, call: Call, calls: Calls, seats: int) -> Called:
        return self.turns.call(state.first if type(state) is Several else state, call, calls, seats)

    # --- what is known ---

    def view(self, state: Any, seat: int) -> Any:
        """Return what the seat may see; where cards are hidden, none of several positions, which have them all."""
        hidden = self.game.hidden
        if type(state) is Several and not hidden.face_up:
            return Lost(state.ply, state.gaps, f"{_plies(state.gaps)} not written", state.mover)
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
        return f"{_plies((need.ply,))} not written, and {moves} all that follows"

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

    # --- lost ---

    def _lost(self, state: Any, gaps: tuple[int, ...], because: str) -> Lost:
        """Return that no position is known behind a word. state: the one before it"""
        mover = self.first(state) if self.game.about.seats == (2,) else 0
        ply = state.ply if type(state) is Several else gaps[-1] - 1
        number = self.number(state, None) if mover else None
        last = None if type(state) is Several else state
        return self._later(Lost(ply, gaps, because, mover, number, last=last))

    def _later(self, lost: Lost) -> Lost:
        """Return it one word later; of two seats they speak in turn."""
        number = lost.number and (lost.number[0] + (not lost.number[1]), not lost.number[1])
        return replace(lost, ply=lost.ply + 1, mover=3 - lost.mover if lost.mover else 0, number=number)


def _open(gap: int) -> Undecided:
    """Return that what was played turns on a ply nobody wrote."""
    return Undecided((Open((Need("", (), gap),), clause=GAP),))


def _pattern(signs: str) -> re.Pattern[str]:
    """Return what moves are written like that may be a word of which parts cannot be read; marks may be left out."""
    return re.compile(".+".join(map(re.escape, signs.split(MISSED))) + r"[+×x#]*")


def _plies(gaps: Iterable[int]) -> str:
    said = [str(gap) for gap in gaps]
    return f"ply {said[0]} was" if len(said) == 1 else f"plies {', '.join(said[:-1])} and {said[-1]} were"


def _too_many(gaps: tuple[int, ...]) -> str:
    return f"{_plies(gaps)} not written, and more than {BUDGET:,} positions fit"
