"""Playing on after a ply nobody wrote: in every position that is possible, or in none.

Source: notation.md, "What nobody wrote".
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from msgspec.structs import replace

from cartulary.engine import LEGAL, Breach, Need, Open, Outcome, Played, Refused, Undecided, Verdict
from cartulary.engine.calls import Call, Called, Calls, call_as_written
from cartulary.engine.contract import UNJUDGED, Unclear, within
from cartulary.engine.parts import as_one
from cartulary.engine.patience import go_on
from cartulary.engine.play import actors, refused_after
from cartulary.engine.readings import FILLED, GAP, Reading, Readings, branched, gathered
from cartulary.notation.arbiter.gaps import (
    BUDGET,
    CARRYING,
    FREE,
    GAPS,
    KEEPING,
    MOST_APART,
    MOST_TRIED,
    PLAYING,
    UNKNOWN_SEAT,
    Lost,
    Meant,
    MissedPly,
    Several,
    Way,
    plies_said,
    spelled,
)
from cartulary.notation.cgn.record import MISSED
from cartulary.notation.contract import AnyGame


class GapPlay:
    """How a game is played where positions may be several or none is known: its rules and its turns."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.rules, self.words, self.turns = game.rules, game.words, game.turns

    # --- rules ---

    def play(self, state: Any, said: Any, exactly: bool = False, /) -> Played[Any, Any]:
        played = self._played(state, said, exactly)
        return played if self.rules.apart is as_one else self._apart(played)

    def _apart(self, played: Played[Any, Any]) -> Played[Any, Any]:
        """Return what was played; where it turns on a ply nobody wrote who speaks next, with a position for each."""
        after = played.after
        if after is None or type(after) is Lost:
            return played
        several = type(after) is Several
        each = after.readings.each if several else (Reading(after),)
        into = [self.rules.apart(reading.state) for reading in each]
        gap = max(ply for ply, _ in into)
        if not gap:
            return played
        gaps, known, tried = ((*after.gaps, gap), after.filled, after.tried) if several else ((gap,), (), 0)
        parted = tuple(
            Reading(state, (*reading.assumes, (None,)), reading.proved)
            for reading, (_, states) in zip(each, into, strict=True)
            for state in states or (reading.state,)
        )
        ply = after.ply
        if len(parted) > MOST_APART:
            lost = self._lost(after, gaps, _too_many(gaps, MOST_APART))
            return replace(played, after=replace(lost, ply=ply))
        return replace(played, after=self._several(ply, gaps, Readings(parted), (*known, gap), tried))

    def _played(self, state: Any, said: Any, exactly: bool) -> Played[Any, Any]:
        if type(said) is MissedPly:
            if said.own is not None:
                played = self._played(state, said.own, exactly)
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
            return Played(said, refused_after(self.rules, ended), None)
        undecided = _open(said.ply)
        before = state.readings if several else Readings((Reading(state),))
        if not all(self._listed(reading.state) for reading in before.each):
            because = f"{plies_said((said.ply,))} not written, and what it may have been cannot be listed"
            return Played(said, undecided, self._lost(state, gaps, because))
        seat = said.seat or (None if several else 0)
        tries = _Tries(MOST_TRIED - state.tried if several else MOST_TRIED)
        joining = {id(reading.state): _kept(reading) // KEEPING for reading in before.each}
        after = branched(
            before, lambda each: self._ways(each, said, seat, tries, joining[id(each)]), self.same, 2 * BUDGET
        )
        if tries.ended:
            return Played(said, undecided, self._lost(state, gaps, _too_much(gaps, len(after.each))))
        if after is before:
            because = f"no legal move at ply {said.ply} matches {said.signs}"
            if said.signs == MISSED:
                because = f"{plies_said((said.ply,))} not written, and what it may have been cannot be listed"
            return Played(said, undecided, self._lost(state, gaps, because))
        if not after.whole:
            return Played(said, undecided, self._lost(state, gaps, _too_many(gaps)))
        filled, tried = (state.filled, state.tried) if several else ((), 0)
        return self._known(said, undecided, self._several(said.ply, gaps, after, filled, tried + tries.made), ())

    def _listed(self, state: Any) -> bool:
        """Say whether every move can be listed that a ply nobody wrote may have been."""
        return self.rules.complete(state) if self.rules.missed is None else self.rules.missed(state) is not None

    def _missing(self, state: Any) -> Iterable[Any]:
        """Return every move that a ply nobody wrote may have been, where they can be listed."""
        return self.rules.candidates(state) if self.rules.missed is None else self.rules.missed(state) or ()

    def same(self, state: Any) -> Hashable:
        """Return what makes two positions one; the whole state where a key holds what cannot be hashed."""
        key: Hashable = self.game.place.key(state)
        try:
            hash(key)
        except TypeError:
            key = state
        return key

    def _ways(
        self, state: Any, said: MissedPly, seat: int | None, tries: "_Tries", joining: int
    ) -> Iterator[tuple[Way, Any]]:
        """Yield the legal moves a word leaves possible, each with the position after it, as far as they may be tried.

        seat: whose word it is, or the table's; None where that is not known
        joining: how often it counts that what may have been played before goes on with each of them
        """
        pattern, carry = None if said.signs == MISSED else written_like(said.signs), self.rules.carry
        for move in self._missing(state):
            go_on()
            if tries.ended:
                return
            tries.count(1)
            if (seat is not None and move.seat not in (0, seat)) or type(self._judge(state, move)) is Refused:
                continue
            tries.count(CARRYING + joining)
            after = carry(state, move) if carry is not None else self.rules.play(state, move).after
            if after is not None and (pattern is None or pattern.fullmatch(self.words.write(move, state, after))):
                yield Way(said.ply, state, move), after

    def _in_each(self, state: Several, said: Meant) -> Played[Any, Any]:
        """Return what comes of a word where several positions are possible: those in which it is refused fall away."""
        ply, spelled, left, unclear = state.ply + 1, "", list[Reading[Any]](), None
        tried = state.tried + _counted(state.readings)
        if tried >= MOST_TRIED:
            return Played(said, UNJUDGED, self._lost(state, state.gaps, _too_much(state.gaps)))
        opens = list[Open]()
        play, kept = self.rules.play, [*said.said]
        judge, carry = self.rules.judge, self.rules.carry
        for at, (reading, each) in enumerate(zip(state.readings.each, said.said, strict=True)):
            if each is None:
                continue
            go_on()
            if carry is not None and judge is not None and judge(reading.state, each) is LEGAL:
                later = carry(reading.state, each)
                if spelled != said.signs:
                    spelled = self.words.write(each, reading.state, later)
                left.append(Reading(later, reading.assumes, reading.proved))
                continue
            played = play(reading.state, each)
            verdict = type(played.verdict)
            kept[at] = None if verdict is Refused else each
            if verdict is Unclear:
                unclear = unclear or played
            elif verdict is not Refused:
                if spelled != said.signs:
                    spelled = self.words.write(played.move, reading.state, played.after)
                proved = (*reading.proved, *played.proved) if played.proved else reading.proved
                left.append(Reading(played.after, reading.assumes, proved))
                opens += played.verdict.opens if isinstance(played.verdict, Undecided) else ()
        if unclear is not None and not left:
            return unclear
        if not left and not any(chain.from_iterable(chain(*reading.assumes) for reading in state.readings.each)):
            return self._refused_in_all(state, said)
        if not left:
            because = (
                f"{plies_said(state.gaps)} not written down, and no legal move there allows {said.signs} at ply {ply}"
            )
            lost = replace(self._lost(state, state.gaps, because), told=True)
            breach = Breach((*state.gaps, ply), GAP.key, because, ply)
            return Played(said, _open(state.gaps[-1]), lost, (breach,))
        # What one gap has set apart seldom comes together again, and then costs no more than it did.
        seats = set[int]() if said.seat else {each.seat for each in kept if each is not None}
        said = Meant(seats.pop() if len(seats) == 1 else said.seat, said.signs, tuple(kept))
        in_all, left = _told_in_all(left)
        one_gap = len(state.gaps) == 1
        after = Readings(tuple(left)) if one_gap else gathered(left, same=self.same, budget=BUDGET)
        known = Undecided(tuple({one.clause.key: one for one in opens}.values())) if opens else LEGAL
        if not after.whole:
            return Played(said, known, self._lost(state, state.gaps, _too_many(state.gaps)))
        several = self._several(ply, state.gaps, after, state.filled, tried)
        return self._known(replace(said, signs=spelled), known, several, in_all)

    def _refused_in_all(self, state: Several, said: Meant) -> Played[Any, Any]:
        """Return what comes of a word refused in every position, where these are all there are, legal or not."""
        pairs = zip(state.readings.each, said.said, strict=True)
        tried = [(reading, self.rules.play(reading.state, each)) for reading, each in pairs if each is not None]
        refused = [played.verdict for _, played in tried if isinstance(played.verdict, Refused)]
        first, *others = dict.fromkeys(one.because for one in refused)
        because = "; or ".join((first, *map(within, others)))
        left = [replace(reading, state=played.after) for reading, played in tried if played.after is not None]
        verdict = replace(refused[0], because=because, blocks=not left)
        after = (
            self._several(state.ply + 1, state.gaps, Readings(tuple(left)), state.filled, state.tried) if left else None
        )
        return Played(said, verdict, after)

    def _known(self, move: Any, verdict: Verdict, after: Several, proved: tuple[Breach, ...]) -> Played[Any, Any]:
        """Return what was played, with what it shows of the plies nobody wrote.

        What comes after it is one position where one way alone leads there.
        """
        one_way = len(after.readings.each) == 1 and all(len(ways) == 1 for ways in after.first_reading.assumes)
        filled = tuple(self._filled(after)) if one_way or len(after.gaps) > 1 else ()
        if one_way:
            return Played(move, verdict, after.first, (*proved, *filled))
        if filled:
            after = replace(after, filled=(*after.filled, *(breach.plies[0] for breach in filled)))
        return Played(move, verdict, after, (*proved, *filled))

    def agreeing(self, state: Several, agrees: Callable[[Any], bool]) -> Played[Any, Any] | None:
        """Return what is left of several positions where those stay that agree with something; None for none."""
        left = tuple(reading for reading in state.readings.each if agrees(reading.state))
        readings = replace(state.readings, each=left)
        return (
            self._known(None, LEGAL, self._several(state.ply, state.gaps, readings, state.filled, state.tried), ())
            if left
            else None
        )

    def _filled(self, state: Several) -> Iterator[Breach]:
        """Yield what can only have been played at the plies nobody wrote, where that has become known."""
        for at, gap in enumerate(state.gaps):
            if gap in state.filled:
                continue
            way = state.first_reading.assumes[at][0]
            if all(other.move == way.move for reading in state.readings.each for other in reading.assumes[at]):
                because = f"ply {gap} can only have been {spelled(self.game, way)}, unless it broke a rule"
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
            go_on()
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
        first = self.rules.outcome(state.first)
        every = first is not None and all(self.rules.outcome(each.state) == first for each in state.readings.each)
        return first if every else None

    # --- turns ---

    def first(self, state: Any) -> int:
        if type(state) is Lost:
            return state.mover or UNKNOWN_SEAT
        return int(state.mover) if type(state) is Several else self.turns.first(state)

    def _several(
        self, ply: int, gaps: tuple[int, ...], readings: Readings[Any], filled: tuple[int, ...], tried: int
    ) -> Several:
        seats = {self.turns.first(reading.state) for reading in readings.each}
        return Several(ply, gaps, readings, seats.pop() if len(seats) == 1 else 0, filled, tried)

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
        return self._several(state.ply, state.gaps, replace(state.readings, each=each), state.filled, state.tried)

    def number(self, state: Any, move: Any) -> tuple[int, bool] | None:
        if type(state) is Lost:
            return state.number
        move = None if isinstance(move, MissedPly | Meant) else move
        return self.turns.number(state.first if type(state) is Several else state, move)

    def call(self, state: Any, call: Call, calls: Calls, seats: int) -> Called:
        if type(state) is Lost:
            return call_as_written(state, call, calls, seats)
        return self.turns.call(state.first if type(state) is Several else state, call, calls, seats)

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


def what_is_proved(breach: Breach) -> tuple[tuple[int, ...], str, str]:
    """Return what makes two breaches the same, whenever they are told."""
    return breach.plies, breach.key, breach.because if breach.key == FILLED.key else ""


def _told_in_all(readings: Sequence[Reading[Any]]) -> tuple[tuple[Breach, ...], list[Reading[Any]]]:
    """Return the breaches that are proved in all readings, and the readings, each with what it alone has proved."""
    if not any(reading.proved for reading in readings):
        return (), [*readings]
    proved = [set(map(what_is_proved, reading.proved)) for reading in readings]
    told = set.intersection(*proved)
    found = {what_is_proved(breach): breach for breach in chain(*(reading.proved for reading in readings))}
    left = [
        replace(one, proved=tuple(each for each in one.proved if what_is_proved(each) not in told)) for one in readings
    ]
    return tuple(found[each] for each in sorted(told)), left


def _open(gap: int) -> Undecided:
    """Return that what was played turns on a ply nobody wrote."""
    return Undecided((Open((Need("", (), gap),), clause=GAP),))


def written_like(signs: str) -> re.Pattern[str]:
    """Return what moves are written like that may be a word of which parts cannot be read; marks may be left out."""
    return re.compile(".+".join(map(re.escape, signs.split(MISSED))) + r"[+×x#]*")


def _too_much(gaps: tuple[int, ...], positions: int = 0) -> str:
    """Say that nobody follows what may fit any further. positions: how many were found until then"""
    if positions > BUDGET:
        return _too_many(gaps)
    return f"{plies_said(gaps)} not written down, and to follow all that fits takes more than {MOST_TRIED:,} tries"


def _counted(readings: Readings[Any]) -> int:
    """Return how much of the work that is counted it is to play one word in each of some positions."""
    kept = sum(map(_kept, readings.each))
    return max(0, PLAYING * len(readings.each) + kept // KEEPING - FREE)


def _kept(reading: Reading[Any]) -> int:
    """Return how many moves are kept for plies nobody wrote that may lead to a position."""
    return sum(map(len, reading.assumes))


class _Tries:
    """The moves tried for one ply nobody wrote, up to the most there may be."""

    def __init__(self, most: int) -> None:
        self._tried, self._most = 0, most + FREE

    @property
    def made(self) -> int:
        """How many were tried and are counted."""
        return max(0, self._tried - FREE)

    @property
    def ended(self) -> bool:
        """Whether no more may be tried."""
        return self._tried >= self._most

    def count(self, tries: int) -> None:
        """Count some more."""
        self._tried += tries


def _too_many(gaps: tuple[int, ...], budget: int = BUDGET) -> str:
    return f"{plies_said(gaps)} not written down, and more than {budget:,} positions fit"
