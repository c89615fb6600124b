"""Playing on after a ply nobody wrote: in every position that is possible, or in none.

A gap multiplies positions, and every later word thins them out again. In a game where seat 2 may answer A, B or C:

    A ~        three positions are possible
    A ~ D      D is legal only after B: one position is left, and the gap is known to be B
    A ~ E      E is legal after none of them: no position is known, and a breach says so

Source: notation.md, "What nobody wrote".
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from msgspec.structs import replace

from cartulary.engine.calls import Call, CallResult, Calls, judge_call
from cartulary.engine.contract import (
    LEGAL,
    UNJUDGED,
    Breach,
    Need,
    Open,
    Outcome,
    Pending,
    PlayResult,
    Refused,
    Unclear,
    Undecided,
    Verdict,
    within,
)
from cartulary.engine.deadline import check_deadline
from cartulary.engine.parts import no_split
from cartulary.engine.play import actors, refused_after
from cartulary.engine.readings import GAP, ONLY_MOVE, Reading, Readings, agreement, branch, join_alike, merge
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
    MissedMove,
    MissedPly,
    Several,
    UnknownState,
    WordAfterGap,
    plies_with_verb,
    spelling_of,
)
from cartulary.notation.cgn.record import MISSING_WORD
from cartulary.notation.contract import AnyGame


class GapPlay:
    """How a game is played where positions may be several or none is known: its rules and its turns."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.rules, self.words, self.turns = game.rules, game.words, game.turns

    # --- rules ---

    def play(self, state: Any, word: Any, exactly: bool = False, /) -> PlayResult[Any, Any]:
        """Return what the rules say of a word in any state, as ``Rules.play`` does.

        A game whose unwritten plies may decide who speaks next (``Rules.apart``) also has its positions split here, one
        for each seat that may speak next.

        Args:
            state: A state of the game, ``Several`` positions, or ``UnknownState``.
            word: What ``read`` made of a word: a move of the game, a ``MissedPly`` for a gap, or a ``WordAfterGap``.
            exactly: Passed on to the game's own ``Rules.play`` where one position is known.
        """
        played = self._played(state, word, exactly)
        return played if self.rules.apart is no_split else self._apart(played)

    def _apart(self, played: PlayResult[Any, Any]) -> PlayResult[Any, Any]:
        """Return the played word, split into one position for each seat that may speak next.

        Some games let an unwritten ply decide who is to speak, for instance who has won a trick. The next word has no
        prefix in one of these positions and needs one in another, so they must be apart before it is read. The word is
        returned as it is if it was not applied, if no position is known, or if nothing is to be split. If there would
        be more than MOST_APART positions, the state becomes ``UnknownState``.
        """
        after = played.after
        if after is None or type(after) is UnknownState:
            return played
        several = type(after) is Several
        readings = after.readings.members if several else (Reading(after),)
        into = [self.rules.apart(reading.state) for reading in readings]
        gap = max(ply for ply, _ in into)
        if not gap:
            return played
        gaps, known, tried = ((*after.gaps, gap), after.known_gaps, after.tries) if several else ((gap,), (), 0)
        parted = tuple(
            replace(reading, state=state, assumes=(*reading.assumes, (None,)))
            for reading, (_, states) in zip(readings, into, strict=True)
            for state in states or (reading.state,)
        )
        ply = after.ply
        if len(parted) > MOST_APART:
            unknown = self._unknown(after, gaps, _too_many(gaps, MOST_APART))
            return replace(played, after=replace(unknown, ply=ply))
        return replace(played, after=self._several(ply, gaps, Readings(parted), (*known, gap), tried))

    def _played(self, state: Any, word: Any, exactly: bool) -> PlayResult[Any, Any]:
        """Return what the rules say of a word: a gap or another word, in one, several or no known position.

        ``~`` that the game itself can read is first played as the game reads it, and counts as a gap only if that is a
        refusal that blocks. Where no position is known, every word is unjudged and the state one word later.
        """
        if type(word) is MissedPly:
            if word.own is not None:
                played = self._played(state, word.own, exactly)
                if not (isinstance(played.verdict, Refused) and played.verdict.blocks):
                    return played
            return self._missed(state, word)
        if type(state) is Several:
            return self._in_each(state, word)
        if type(state) is UnknownState:
            return PlayResult(word, UNJUDGED, self._later(state))
        return self.rules.play(state, word, exactly)

    def _missed(self, state: Any, missed: MissedPly) -> PlayResult[Any, Any]:
        """Return the state after a ply nobody wrote, as a played ply whose verdict depends on what was played there.

        The state has a position for each move that the ply's characters allow and no rule refuses. The work is bounded
        by counted tries and never by a clock, so the same record is followed equally far on every machine. Where the
        moves cannot be listed, or there are too many, no position is known afterwards. After the end of a game the ply
        is refused.
        """
        if type(state) is UnknownState:
            return PlayResult(missed, UNJUDGED, self._later(state))
        several = type(state) is Several
        gaps = (*state.gaps, missed.ply) if several else (missed.ply,)
        ended = self.outcome(self.settle(state))
        if ended is not None and not (self.turns.actors is not None and self.actors(state)):
            return PlayResult(missed, refused_after(self.rules, ended), None)
        undecided = _open(missed.ply)
        before = state.readings if several else Readings((Reading(state),))
        if not all(self._listed(reading.state) for reading in before.members):
            because = f"{plies_with_verb((missed.ply,))} not written, and what it may have been cannot be listed"
            return PlayResult(missed, undecided, self._unknown(state, gaps, because))
        seat = missed.seat or (None if several else 0)
        if not several and seat == self.turns.first(state) and len(self.actors(state)) > 1:
            seat = None  # without a prefix it may be the word of any seat that may speak
        tries = _Tries(MOST_TRIED - state.tries if several else MOST_TRIED)
        joining = {id(reading.state): _candidate_count(reading) // KEEPING for reading in before.members}
        after = branch(
            before,
            lambda position: self._candidates(position, missed, seat, tries, joining[id(position)]),
            self.same,
            2 * BUDGET,
            self._join,
        )
        if tries.ended:
            return PlayResult(missed, undecided, self._unknown(state, gaps, _too_much(gaps, len(after.members))))
        if after is before:
            because = f"no legal move at ply {missed.ply} matches {missed.signs}"
            if missed.signs == MISSING_WORD:
                because = f"{plies_with_verb((missed.ply,))} not written, and what it may have been cannot be listed"
            return PlayResult(missed, undecided, self._unknown(state, gaps, because))
        if not after.whole:
            return PlayResult(missed, undecided, self._unknown(state, gaps, _too_many(gaps)))
        filled, tried = (state.known_gaps, state.tries) if several else ((), 0)
        return self._known(missed, undecided, self._several(missed.ply, gaps, after, filled, tried + tries.made), ())

    def _listed(self, state: Any) -> bool:
        """Say whether the game can list every move that may have been made at a ply nobody wrote.

        If not, the position after such a ply is not known.
        """
        return self.rules.complete(state) if self.rules.gap_moves is None else self.rules.gap_moves(state) is not None

    def _missing(self, state: Any) -> Iterable[Any]:
        """Return the moves that may have been made at a ply nobody wrote, legal or not; none if they are not listed."""
        return self.rules.candidates(state) if self.rules.gap_moves is None else self.rules.gap_moves(state) or ()

    def same(self, state: Any) -> Hashable:
        """Return a hashable key that is equal for equal positions; the state itself if the game's key cannot be hashed.

        ``state`` must be a state of the game itself.
        """
        key: Hashable = self.game.place.key(state)
        try:
            hash(key)
        except TypeError:
            key = state
        return key

    def _join(self, readings: Sequence[Reading[Any]]) -> Reading[Any]:
        """Return one reading for several that have come to the same position: the first, with the assumptions of all.

        Equal positions may owe different things for earlier plies. What is open or proved in some of the readings and
        not in all is a doubt of the joined one: it stays open, whatever later words prove.
        """
        joined = join_alike(readings)
        if self.game.hidden.face_up and not any(reading.breaches for reading in readings):
            return joined
        pendings = [self.pending_in(reading) for reading in readings]
        in_all = set.intersection(*(set(map(what_is_proved, pending.breaches)) for pending in pendings))
        proved = {question_of(breach) for breach in pendings[0].breaches if what_is_proved(breach) in in_all}
        answers = {question_of(breach) for pending in pendings for breach in pending.breaches}
        opened = set(chain.from_iterable(pending.open for pending in pendings))
        doubts = {question for question in opened if not all(question in pending.open for pending in pendings)}
        doubts |= answers - proved
        return replace(
            joined,
            breaches=tuple(breach for breach in readings[0].breaches if what_is_proved(breach) in in_all),
            doubts=tuple(dict.fromkeys((*joined.doubts, *sorted(doubts)))),
        )

    def pending_in(self, reading: Reading[Any]) -> Pending:
        """Return what is open in one of several positions if the record ends here, and all that it proves.

        What it proves of a question that is a doubt is left out; the doubts themselves are not among what is open.
        """
        pending = self.game.hidden.pending(reading.state)
        return Pending(pending.open, (*reading.breaches, *_undoubted(reading, pending.breaches)))

    def _candidates(
        self, state: Any, missed: MissedPly, seat: int | None, tries: "_Tries", joining: int
    ) -> Iterator[tuple[MissedMove, Any]]:
        """Yield the legal moves that a ply nobody wrote may have been, each with the position after it.

        It stops when the tries are used up.

        Args:
            state: The position before the ply.
            missed: The ply; what is written of it, such as ``9C~``, must agree with the move.
            seat: The seat of the ply, 0 for the table; None if it is not known.
            tries: The tries made so far, to which those made here are added.
            joining: What is added to the work of each move, because the moves assumed at earlier gaps are copied with
                it.
        """
        pattern, carry = None if missed.signs == MISSING_WORD else written_like(missed.signs), self.rules.carry
        for move in self._missing(state):
            check_deadline()
            if tries.ended:
                return
            tries.count(1)
            if (seat is not None and move.seat not in (0, seat)) or type(self._judge(state, move)) is Refused:
                continue
            tries.count(CARRYING + joining)
            after = carry(state, move) if carry is not None else self.rules.play(state, move).after
            if after is not None and (pattern is None or pattern.fullmatch(self.words.write(move, state, after))):
                yield MissedMove(missed.ply, state, move), after

    def _in_each(self, state: Several, word: WordAfterGap) -> PlayResult[Any, Any]:
        """Return the state after a word that is judged in each possible position; a refusal drops its position.

        Invariant: ``word.moves`` and ``state.readings.members`` are of one length and in one order. The word is legal
        or undecided if any position allows it, since that position may be the record's. A breach of an earlier ply
        counts only where every position left proves it. If none is left, no position is known afterwards, and a breach
        says so.
        """
        ply, spelling, left, unclear = state.ply + 1, "", list[Reading[Any]](), None
        tried = state.tries + _work(state.readings)
        if tried >= MOST_TRIED:
            return PlayResult(word, UNJUDGED, self._unknown(state, state.gaps, _too_much(state.gaps)))
        opens = list[Open]()
        play, moves = self.rules.play, [*word.moves]
        judge, carry = self.rules.judge, self.rules.carry
        # This is ``try_in_all`` written out: its calls would cost 5 % here, where a word may meet 16,384 positions.
        for at, (reading, move) in enumerate(zip(state.readings.members, word.moves, strict=True)):
            if move is None:
                continue
            check_deadline()
            if carry is not None and judge is not None and judge(reading.state, move) is LEGAL:
                later = carry(reading.state, move)
                if spelling != word.signs:
                    spelling = self.words.write(move, reading.state, later)
                left.append(Reading(later, reading.assumes, reading.breaches, reading.doubts))
                continue
            played = play(reading.state, move)
            verdict = type(played.verdict)
            moves[at] = None if verdict is Refused else move
            if verdict is Unclear:
                unclear = unclear or played
            elif verdict is not Refused:
                if spelling != word.signs:
                    spelling = self.words.write(played.move, reading.state, played.after)
                proved = (*reading.breaches, *_undoubted(reading, played.breaches))
                left.append(Reading(played.after, reading.assumes, proved, reading.doubts))
                opens += played.verdict.opens if isinstance(played.verdict, Undecided) else ()
        if unclear is not None and not left:
            return unclear
        if not left and not any(chain.from_iterable(chain(*reading.assumes) for reading in state.readings.members)):
            return self._refused_in_all(state, word)
        if not left:
            missing = f"{plies_with_verb(state.gaps)} not written down"
            because = f"{missing}, and no legal move there allows {word.signs} at ply {ply}"
            unknown = replace(self._unknown(state, state.gaps, because), has_finding=True)
            breach = Breach((*state.gaps, ply), GAP.key, because, ply)
            return PlayResult(word, _open(state.gaps[-1]), unknown, (breach,))
        # Merging costs a key for every position. After one gap two positions seldom become equal again, and following
        # both costs no more than before; after several gaps the product of their moves must be merged.
        seats = set[int]() if word.seat else {move.seat for move in moves if move is not None}
        # A word without a prefix is given one if that loses nothing. It would where its seat may speak out of order in
        # a position that the word has ruled out: ``7C,9C>p2`` was the first to be passed, ``p1/7C,9C>p2`` may not be.
        seat = seats.pop() if len(seats) == 1 else word.seat
        bare = (
            bool(seat)
            and not (word.seat or state.mover)
            and any(
                move is None and seat in actors(self.game, reading.state)
                for move, reading in zip(moves, state.readings.members, strict=True)
            )
        )
        word = WordAfterGap(seat, word.signs, tuple(moves), anybody=bare)
        in_all, left = _common_breaches(left)
        one_gap = len(state.gaps) == 1
        after = Readings(tuple(left)) if one_gap else merge(left, same=self.same, budget=BUDGET, join=self._join)
        known = Undecided(tuple({question.clause.key: question for question in opens}.values())) if opens else LEGAL
        if not after.whole:
            return PlayResult(word, known, self._unknown(state, state.gaps, _too_many(state.gaps)))
        several = self._several(ply, state.gaps, after, state.known_gaps, tried)
        return self._known(replace(word, signs=spelling), known, several, in_all)

    def _refused_in_all(self, state: Several, word: WordAfterGap) -> PlayResult[Any, Any]:
        """Return the refusal of a word that every position refuses, where the positions come from no gap's moves.

        The reason joins those of all positions. If some position lets the word stand all the same, play goes on in
        these; otherwise the refusal blocks and there is no state after it.
        """
        pairs = zip(state.readings.members, word.moves, strict=True)
        tried = [(reading, self.rules.play(reading.state, move)) for reading, move in pairs if move is not None]
        refused = [played.verdict for _, played in tried if isinstance(played.verdict, Refused)]
        first, *others = dict.fromkeys(refusal.because for refusal in refused)
        because = "; or ".join((first, *map(within, others)))
        left = [replace(reading, state=played.after) for reading, played in tried if played.after is not None]
        verdict = replace(refused[0], because=because, blocks=not left)
        after = (
            self._several(state.ply + 1, state.gaps, Readings(tuple(left)), state.known_gaps, state.tries)
            if left
            else None
        )
        return PlayResult(word, verdict, after)

    def _known(self, move: Any, verdict: Verdict, after: Several, proved: tuple[Breach, ...]) -> PlayResult[Any, Any]:
        """Return the played word, with a breach for each gap whose move has become known by it.

        ``proved`` are the breaches that the word proves anyway, which come first. One position to which one sequence of
        moves leads is an ordinary state again, and play leaves the gap. Where several sequences lead to it, the state
        stays ``Several``, because it is open which of them was played; so it does where a doubt is left.
        """
        first = after.first_reading
        is_certain = (
            len(after.readings.members) == 1 and not first.doubts and all(len(moves) == 1 for moves in first.assumes)
        )
        filled = tuple(self._filled(after)) if is_certain or len(after.gaps) > 1 else ()
        if is_certain:
            return PlayResult(move, verdict, after.first, (*proved, *filled))
        if filled:
            after = replace(after, known_gaps=(*after.known_gaps, *(breach.plies[0] for breach in filled)))
        return PlayResult(move, verdict, after, (*proved, *filled))

    def agreeing(self, state: Several, agrees: Callable[[Any], bool]) -> PlayResult[Any, Any] | None:
        """Return what is left of several positions if those stay that satisfy a predicate; None if none does.

        It is a played ply without a move, LEGAL, with a breach for each gap whose move is known by it.
        """
        left = tuple(reading for reading in state.readings.members if agrees(reading.state))
        readings = replace(state.readings, members=left)
        return (
            self._known(None, LEGAL, self._several(state.ply, state.gaps, readings, state.known_gaps, state.tries), ())
            if left
            else None
        )

    def _filled(self, state: Several) -> Iterator[Breach]:
        """Yield a breach for each gap whose move has just become known, as all positions agree on it.

        It says which move it must have been; it is no fault of anybody, but a remark. Gaps known before are left out.
        """
        for at, gap in enumerate(state.gaps):
            if gap in state.known_gaps:
                continue
            candidate = state.first_reading.assumes[at][0]
            if all(other.move == candidate.move for reading in state.readings.members for other in reading.assumes[at]):
                word = spelling_of(self.game, candidate)
                if self.words.bare(word) == MISSING_WORD:
                    continue
                because = f"ply {gap} can only have been {word}, unless it broke a rule"
                if MISSING_WORD in word:
                    form = f"ply {gap} can only have been of the form {word}, unless it broke a rule"
                    because = f"{form}; what each {MISSING_WORD} was is not known"
                yield Breach((gap,), ONLY_MOVE.key, because, state.ply)

    def _judge(self, state: Any, move: Any) -> Verdict:
        """Return the game's own verdict on a move in one position; ``state`` must be a state of the game itself."""
        by = self.rules.judge
        return by(state, move) if by is not None else self.rules.play(state, move).verdict

    def judge(self, state: Any, move: Any) -> Verdict:
        """Return the verdict on a move in a state of the game or in several positions.

        In several positions ``move`` is a ``WordAfterGap``. The verdict is LEGAL if no position refuses it, and in
        every other case ``Undecided`` by the last gap, also if all positions refuse it.
        """
        if type(state) is not Several:
            return self._judge(state, move)
        legal = [
            meaning is not None and type(self._judge(reading.state, meaning)) is not Refused
            for reading, meaning in zip(state.readings.members, move.moves, strict=True)
        ]
        return LEGAL if all(legal) else _open(state.gaps[-1])

    def candidates(self, state: Any) -> Iterator[Any]:
        """Yield the moves worth judging, as ``Rules.candidates`` does; none where no position is known.

        In several positions every word that at least one of them does not refuse comes once, as a ``WordAfterGap`` with
        the move for each position and None where it is refused.
        """
        if type(state) is not Several:
            yield from () if type(state) is UnknownState else self.rules.candidates(state)
            return
        by_text: dict[str, list[Any]] = {}
        for at, reading in enumerate(state.readings.members):
            check_deadline()
            for move in self.rules.candidates(reading.state):
                if type(self._judge(reading.state, move)) is not Refused:
                    text = self.words.write(move, reading.state, self.rules.play(reading.state, move).after)
                    by_text.setdefault(text, [None] * len(state.readings.members))[at] = move
        for text, moves in by_text.items():
            yield WordAfterGap(next(move.seat for move in moves if move is not None), text, tuple(moves))

    def outcome(self, state: Any) -> Outcome | None:
        """Return how the game ended; None while it goes on.

        Of several positions it is the outcome they all agree on; None if they differ, or if no position is known.
        """
        if type(state) is not Several:
            return None if type(state) is UnknownState else self.rules.outcome(state)
        return agreement(self.rules.outcome(reading.state) for reading in state.readings.members)

    # --- turns ---

    def first(self, state: Any) -> int:
        """Return the seat, from 1, whose words need no prefix.

        It is 0 if several positions differ in that, and UNKNOWN_SEAT (-1) if no position is known and the mover
        neither.
        """
        if type(state) is UnknownState:
            return state.mover or UNKNOWN_SEAT
        return int(state.mover) if type(state) is Several else self.turns.first(state)

    def _several(
        self, ply: int, gaps: tuple[int, ...], readings: Readings[Any], filled: tuple[int, ...], tried: int
    ) -> Several:
        """Return ``Several`` with these positions; its ``mover`` is the seat that speaks in all of them, else 0.

        Args:
            ply: The number of words so far.
            gaps: The numbers of the plies nobody wrote.
            readings: The positions, at least one, with the moves that each assumes at the gaps.
            filled: The gaps whose move is known by now.
            tried: The work spent so far, in the units of MOST_TRIED.
        """
        seats = {self.turns.first(reading.state) for reading in readings.members}
        return Several(ply, gaps, readings, seats.pop() if len(seats) == 1 else 0, filled, tried)

    def actors(self, state: Any) -> tuple[int, ...]:
        """Return the seats that may speak now, from 1, each once.

        Of several positions these are the seats of any of them, in the order in which they are met. Where no position
        is known it is the mover alone, or no seat if the mover is not known either.
        """
        if type(state) is Several:
            by_reading = (actors(self.game, reading.state) for reading in state.readings.members)
            return tuple(dict.fromkeys(seat for seats in by_reading for seat in seats))
        if type(state) is UnknownState:
            return (state.mover,) if state.mover else ()
        return actors(self.game, state)

    def speaks_for(self, state: Any, seat: int) -> int:
        """Return the seat that says the words of ``seat``, as declarer says those of dummy; usually ``seat`` itself.

        Of several positions the first decides. Where none is known every seat speaks for itself.
        """
        if type(state) is UnknownState:
            return seat
        return self.turns.speaks_for(state.first if type(state) is Several else state, seat)

    def settle(self, state: Any) -> Any:
        """Return the settled state (``Turns.settle``), each of several positions settled by itself.

        Where no position is known the state is returned as it is.
        """
        return state if type(state) is UnknownState else self._in_every(state, self.turns.settle)

    def skip(self, state: Any) -> Any:
        """Return the state after a call, such as an offer of a draw, which is a ply but no move of the game.

        ``Turns.skip`` is applied to the state or to each of several positions. ``Several`` and ``UnknownState`` also
        count one ply more.
        """
        later = state if type(state) is UnknownState else self._in_every(state, self.turns.skip)
        return replace(later, ply=later.ply + 1) if type(later) in GAPS else later

    def _in_every(self, state: Any, change: Callable[[Any], Any]) -> Any:
        """Return the state with a function applied to it, or to each of several positions.

        The seat that speaks is worked out again for several positions. ``state`` must not be ``UnknownState``.
        """
        if type(state) is not Several:
            return change(state)
        readings = tuple(replace(reading, state=change(reading.state)) for reading in state.readings.members)
        return self._several(
            state.ply, state.gaps, replace(state.readings, members=readings), state.known_gaps, state.tries
        )

    def number(self, state: Any, move: Any) -> tuple[int, bool] | None:
        """Return the number of a move, and whether it is the first word of that number.

        For example ``(12, False)`` is the second player's twelfth move in a game in which two seats take turns. Of
        several positions the first decides. It is None in a game without numbers, and where neither the position nor
        the number is known. ``move`` counts as None if it is a gap or a word after one.
        """
        if type(state) is UnknownState:
            return state.number
        move = None if isinstance(move, MissedPly | WordAfterGap) else move
        return self.turns.number(state.first if type(state) is Several else state, move)

    def call(self, state: Any, call: Call, calls: Calls, seats: int) -> CallResult:
        """Return what a call, such as resigning or an offer of a draw, does; of several positions the first decides.

        Where no position is known the rules that all games share judge it, without the game's own (``Turns.call``).
        ``calls`` are the calls before it, and ``seats`` is the number of seats.
        """
        if type(state) is UnknownState:
            return judge_call(state, call, calls, seats, self.game.about.teams(seats))
        return self.turns.call(state.first if type(state) is Several else state, call, calls, seats)

    # --- no position known ---

    def _unknown(self, state: Any, gaps: tuple[int, ...], because: str) -> UnknownState:
        """Return the ``UnknownState`` after a word; the seat to speak and the move number are kept only with two seats.

        Args:
            state: The state before the word.
            gaps: The numbers of all plies nobody wrote; the last is this ply if ``state`` is one position.
            because: Why no position is known, as a clause without a full stop.
        """
        mover = self.first(state) if self.game.about.seats == (2,) else 0
        ply = state.ply if type(state) is Several else gaps[-1] - 1
        number = self.number(state, None) if mover else None
        last = None if type(state) is Several else state
        return self._later(UnknownState(ply, gaps, because, mover, number, last=last))

    def _later(self, unknown: UnknownState) -> UnknownState:
        """Return the unknown state one word later: one ply more, and the next move number if it is known.

        If the mover is known the game has two seats, and the other one speaks next.
        """
        number = unknown.number and (unknown.number[0] + (not unknown.number[1]), not unknown.number[1])
        return replace(unknown, ply=unknown.ply + 1, mover=3 - unknown.mover if unknown.mover else 0, number=number)


def what_is_proved(breach: Breach) -> tuple[tuple[int, ...], str, str]:
    """Return a key by which two breaches are equal if they prove the same, whatever later ply proves it.

    The key is (plies, key of the rule, reason). The reason is left empty except for ONLY_MOVE, where it names the move.
    """
    return breach.plies, breach.key, breach.because if breach.key == ONLY_MOVE.key else ""


def question_of(breach: Breach) -> tuple[int, str]:
    """Return the question that a breach answers: (its first ply, the key of the rule), GAP's for the move of a gap."""
    return breach.plies[0], GAP.key if breach.key == ONLY_MOVE.key else breach.key


def _undoubted(reading: Reading[Any], breaches: tuple[Breach, ...]) -> tuple[Breach, ...]:
    """Return the breaches that answer no question that is a doubt of the reading."""
    if not reading.doubts:
        return breaches
    return tuple(breach for breach in breaches if question_of(breach) not in reading.doubts)


def _common_breaches(readings: Sequence[Reading[Any]]) -> tuple[tuple[Breach, ...], list[Reading[Any]]]:
    """Return the breaches that all readings prove, and the readings with only their other breaches.

    The breaches are sorted by their plies, then by the key of their rule. ``readings`` must not be empty.
    """
    if not any(reading.breaches for reading in readings):
        return (), [*readings]
    proved = [set(map(what_is_proved, reading.breaches)) for reading in readings]
    common = set.intersection(*proved)
    breaches = {what_is_proved(breach): breach for breach in chain(*(reading.breaches for reading in readings))}
    left = [
        replace(reading, breaches=tuple(breach for breach in reading.breaches if what_is_proved(breach) not in common))
        for reading in readings
    ]
    return tuple(breaches[key] for key in sorted(common)), left


def _open(gap: int) -> Undecided:
    """Return the verdict ``Undecided`` that depends on what was played at the gap with this ply number."""
    return Undecided((Open((Need("", (), gap),), clause=GAP),))


def written_like(signs: str) -> re.Pattern[str]:
    """Return a pattern, for ``fullmatch``, of all words that agree with what can be read of a word.

    Each ``~`` stands for one or more signs that cannot be read; final marks such as ``+`` may be missing in ``signs``.
    """
    return re.compile(".+".join(map(re.escape, signs.split(MISSING_WORD))) + r"[+×x#]*")


def _too_much(gaps: tuple[int, ...], positions: int = 0) -> str:
    """Return the clause that it takes too much work to follow the positions after some gaps.

    With more than BUDGET positions it says instead that too many positions fit. Nothing is checked here: the caller has
    found that the work or the positions are too many.
    """
    if positions > BUDGET:
        return _too_many(gaps)
    return f"{plies_with_verb(gaps)} not written down, and to follow all that fits takes more than {MOST_TRIED:,} tries"


def _work(readings: Readings[Any]) -> int:
    """Return the work of playing one word in each of some positions, in the units of MOST_TRIED.

    The first FREE units are not counted, so it is 0 for a few positions.
    """
    candidates = sum(map(_candidate_count, readings.members))
    return max(0, PLAYING * len(readings.members) + candidates // KEEPING - FREE)


def _candidate_count(reading: Reading[Any]) -> int:
    """Return the number of moves that a position remembers for the plies nobody wrote, over all gaps."""
    return sum(map(len, reading.assumes))


class _Tries:
    """The moves tried for one ply nobody wrote, up to the most there may be."""

    def __init__(self, most: int) -> None:
        self._tried, self._most = 0, most + FREE

    @property
    def made(self) -> int:
        """How many tries count as work: all but the first FREE."""
        return max(0, self._tried - FREE)

    @property
    def ended(self) -> bool:
        """Whether as many tries have been made as there may be, FREE ones included, so that no more may be."""
        return self._tried >= self._most

    def count(self, tries: int) -> None:
        """Add ``tries`` to those made; nothing stops the caller, who is to ask ``ended``."""
        self._tried += tries


def _too_many(gaps: tuple[int, ...], budget: int = BUDGET) -> str:
    """Return the clause that more than ``budget`` positions fit: ``ply 3 was not written down, and more than …``."""
    return f"{plies_with_verb(gaps)} not written down, and more than {budget:,} positions fit"
