"""A walk judges the main line of a record ply by ply and gathers findings; it is a value that can be cached.

Reading a file and adding a word use the same walk. An added word costs one judgement, because the walk goes on from the
cached one:

    first = walk(A B C)                     judges A, B and C
    second = walk(A B C D, cached=first)    judges D only
    third = walk(A X C D, cached=second)    judges X, C and D; A is taken over

Invariant: the findings of a resumed walk equal those of a fresh one. So whatever may change the findings on earlier
plies (a corrected word, a variation, a mark, a ruling in a comment, the text with their places) must make ``leads_to``
false; then only judged plies are taken over (``played_in``) and their findings are made again.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, overload

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Calls, Refused
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.contract import PlayResult
from cartulary.engine.once import once_each
from cartulary.notation.arbiter.boards import Start, StatedBoards, start_of, stated_boards
from cartulary.notation.arbiter.finding import Finding
from cartulary.notation.arbiter.gaps import GAPS, UnknownState
from cartulary.notation.arbiter.heading import Heading
from cartulary.notation.arbiter.replay import Step, bare, own_move, plies, whole_step
from cartulary.notation.arbiter.walk_findings import WalkFindings
from cartulary.notation.cgn.record import MISSING_WORD, Note, Record


class Walk(Struct, frozen=True, eq=False, dict=True):
    """A walk through a record, to the end of its line or to the first word that cannot be applied.

    ``state`` and ``calls`` are those after the last ply applied. ``words`` is the main line in canonical spelling;
    words not reached stand as written. ``results`` has the result of each ply applied, in order, and of the
    one that could not be.
    ``so_far`` has the findings from which ``_Walking`` goes on.
    """

    record: Record
    heading: Heading
    accept_rulings: bool
    start: Start
    state: Any
    calls: Calls
    words: tuple[str, ...]
    results: tuple[Step | PlayResult[Any, Any], ...]
    so_far: WalkFindings

    @once_each
    def settled_state(self) -> Any:
        """The state after the last ply, settled (``Turns.settle``)."""
        assert self.heading.game is not None
        return self.heading.game.turns.settle(self.state)

    @once_each
    def findings(self) -> tuple[Finding, ...]:
        """All that is to be said of the record as it stands, with the questions that are open at its end.

        They are not in the order of the text; ``examine`` puts them so.
        """
        game = self.heading.game
        assert game is not None
        begun = self.results or self.start.board is not None
        if not begun and not game.hidden.pending(self.settled_state).breaches:
            return ()
        return self.so_far.resume_for(self.record, self.heading, self.results).all(self.state, self.settled_state)

    def finding_on(self, step: Step, refused: Refused) -> Finding:
        """Return the finding on a ply of the walk that a rule refuses, which may be another rule than the walk found.

        The walk itself is not changed.
        """
        return self.so_far.resume_for(self.record, self.heading, self.results).finding_on(step, refused)

    @property
    def plies_reached(self) -> int:
        """How many plies could be applied before one that could not; all of them if each could be."""
        stopped = bool(self.results) and _stops(self.results[-1])
        return len(self.results) - stopped

    @property
    def spoke(self) -> tuple[int, ...]:
        """The seat that spoke at each ply that was reached, 0 for the table and for a word that could not be read."""
        return tuple(0 if played.move is None else played.move.seat for played in self.results)

    @property
    def steps(self) -> "Steps":
        """The plies that were applied, and after them the one that could not be, if any, as a sequence of ``Step``."""
        return Steps(self, range(1, len(self.results) + 1))

    def goes_through(self, record: Record, heading: Heading) -> bool:
        """Say whether a record has the same words and boards as this walk, and a heading equal to this walk's."""
        alike = self.record.line.words == record.line.words and self.record.boards == record.boards
        return alike and self.heading == heading

    def leads_to(self, record: Record, accept_rulings: bool) -> bool:
        """Say whether a walk through a record with an equal heading passes through this walk with the same findings.

        It does not if an earlier word, number, variation, mark or ruling in a comment has changed, nor if the text has
        changed in which findings have their places. It does not either if words follow one that could not be applied.
        """
        line, walked = record.line, self.record.line
        last = len(walked.words)
        return (
            line.words[:last] == walked.words
            and (self.plies_reached == last or len(line.words) == last)
            and (record.source, accept_rulings) == (self.record.source, self.accept_rulings)
            and {at: number for at, number in line.numbers.items() if at < last} == walked.numbers
            and _same_notes(walked.notes, line.notes, last)
        )

    def played_in(self, record: Record) -> tuple[Step | PlayResult[Any, Any], ...]:
        """Return the results of the plies that a record with an equal start shares with this walk, in order.

        They end before the first ply that differs in its word, or in the board stated after it. A word that is now
        written in the spelling that this walk gave it does not differ.
        """
        words, boards, before = record.line.words, record.boards, self.record.boards
        changed = [ply - 1 for ply in boards.keys() | before.keys() if boards.get(ply) != before.get(ply)]
        most = min(len(words), len(self.results), *changed)
        if words[:most] == self.record.line.words[:most]:
            return self.results[:most]
        alike: list[Step | PlayResult[Any, Any]] = []
        for at in range(most):
            step = self.results[at]
            if words[at] != self.record.line.words[at]:
                if type(step) is not Step or words[at] != step.text or not _reads_alike(step):
                    break
                step = replace(step, word=step.text)
            alike.append(step)
        return tuple(alike)


class Steps(Sequence[Step]):
    """A sequence of the plies of a walk, each built when it is asked for."""

    def __init__(self, walk: Walk, plies: range) -> None:
        """Take these plies of a walk, which were reached."""
        self._walk, self._plies = walk, plies

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._plies)

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> "Steps": ...
    def __getitem__(self, at: int | slice) -> "Step | Steps":
        """Return one of them, or some."""
        if isinstance(at, slice):
            return Steps(self._walk, self._plies[at])
        walk, ply = self._walk, self._plies[at]
        before = walk.results[ply - 2].after if ply > 1 else walk.start.state
        return whole_step(walk.results[ply - 1], ply, walk.record.line.words[ply - 1], before)


def _stops(played: Step | PlayResult[Any, Any]) -> bool:
    """Say whether a ply ended the walk because it could not be applied or read."""
    return type(played) is Step and not played.applied


def _reads_alike(step: Step) -> bool:
    """Say whether a ply reads the same if it is written in canonical spelling, as nearly every ply does.

    It may not where the word could not be read, has a ``~``, or stands after a gap.
    """
    return step.error is None and type(step.state) not in GAPS and MISSING_WORD not in step.word


def _after(played: Sequence[Step | PlayResult[Any, Any]], state: Any, calls: Calls = NO_CALLS) -> tuple[Any, Calls]:
    """Return the state and the calls after some plies; ``state`` and ``calls`` themselves if there are none.

    After a ply in short form there are no calls.
    """
    if not played:
        return state, calls
    last = played[-1]
    return last.after, last.calls_after if isinstance(last, Step) else NO_CALLS


def _same_notes(before: dict[int, Note], now: dict[int, Note], last: int) -> bool:
    """Say whether the notes of plies 1 to ``last`` give the same findings before and now.

    Only variations and comments with commands count; plain comments may differ.
    """
    changed = (ply for ply in before.keys() | now.keys() if before.get(ply) is not now.get(ply))
    return all(_walked_items(before.get(ply)) == _walked_items(now.get(ply)) for ply in changed if 0 < ply <= last)


def _walked_items(note: Note | None) -> tuple[object, ...]:
    """Return the items of a note that a walk looks at, in order: variations, and comments that hold commands.

    Empty for None.
    """
    if note is None or not note.items:
        return ()
    return tuple(item for item in note.items if not isinstance(item, str) or "[%" in item)


def walk(
    record: Record,
    heading: Heading,
    accept_rulings: bool = False,
    cached: Walk | None = None,
    ahead: Sequence[Step] = (),
) -> Walk | Refused:
    """Return the walk through a record, or the refusal if the rules set up no game.

    Args:
        record: The record to judge.
        heading: Its heading, with a game and a sheet.
        accept_rulings: Whether a refused move that is marked as irregular is a remark and not an error.
        cached: A walk through an earlier state of the record. Plies in both are not judged again, and if words were
            only added, their findings are taken over as well. The result is the same without it.
        ahead: What came of the words that were added, if they have been judged after ``cached`` already.
    """
    if cached is not None and cached.heading == heading and cached.record.boards.get(0) == record.boards.get(0):
        if not cached.leads_to(record, accept_rulings):
            already = cached.played_in(record)
            return _Walking(record, heading, accept_rulings).through(cached.start, already)
        if cached.record == record:
            return cached
        if len(cached.record.line.words) == len(record.line.words):
            return replace(cached, record=record)  # a tag or a comment that no finding depends on has changed
        # What lies on the table was not looked at when those words were judged.
        added = len(record.line.words) - len(cached.results)
        judged = () if record.boards else tuple(map(bare, ahead[:added]))
        return _Walking(record, heading, accept_rulings, cached).through(cached.start, judged)
    start = start_of(record, heading)
    if isinstance(start, Refused):
        return start
    if not record.line.words and not record.line.notes:
        findings = WalkFindings(record, heading, accept_rulings, ())
        return Walk(record, heading, accept_rulings, start, start.state, NO_CALLS, (), (), findings)
    return _Walking(record, heading, accept_rulings).through(start)


class _Walking:
    """A walk in progress."""

    def __init__(self, record: Record, heading: Heading, accept_rulings: bool, cached: Walk | None = None) -> None:
        assert heading.game is not None
        assert heading.sheet is not None
        self.record, self.heading, self.accept_rulings = record, heading, accept_rulings
        self.game, self.seats = heading.game, heading.sheet.seats
        self.results: list[Step | PlayResult[Any, Any]] = list(cached.results) if cached else []
        self.spelled = list(cached.words) if cached else []
        self.findings = (
            cached.so_far.resume_for(record, heading, self.results)
            if cached
            else WalkFindings(record, heading, accept_rulings, self.results)
        )
        self.resumed, self.boards = cached is not None, stated_boards(record, heading)

    def through(self, start: Start, already: Sequence[Step | PlayResult[Any, Any]] = ()) -> Walk:
        """Walk on to the end of the line and return the walk.

        Args:
            start: The start of the record.
            already: What came of the next plies, as far as it is known; these are not judged again.
        """
        line, number, first = self.record.line, self.game.turns.number, len(self.results)
        words, numbers, notes, keep = line.words, line.numbers, line.notes, self.results.append
        state, calls = _after(self.results, start.state)
        spelled, findings = self.spelled, self.findings
        if start.board is not None and not self.resumed:
            findings.add_board(0, "", start.board)
        spelled += words[first:]
        try:
            for at, step in enumerate(chain(already, self._plies(already, state, calls)), first):
                keep(step)
                if type(step) is Step:
                    calls, spelled[at] = step.calls_after, step.text
                    if not step.plain:
                        findings.add_ply(step)
                if at in numbers and type(state) is not UnknownState:
                    counted = number(state, own_move(step.move))
                    if counted is None or numbers[at][0] - counted[0] != findings.shift:
                        findings.add_number(whole_step(step, at + 1, words[at], state), numbers[at][0], counted)
                if notes and at + 1 in notes:
                    for variation in notes[at + 1].variations:
                        before = whole_step(step, at + 1, words[at], state)
                        findings.add_variation(before, variation)
                state = step.after
        except Exception as fault:
            ply = min(len(self.results) + 1, len(words))
            fault.add_note(f"at ply {ply}, {words[ply - 1]}")
            raise
        findings.plies = played = tuple(self.results)
        return Walk(
            self.record, self.heading, self.accept_rulings, start, state, calls, tuple(spelled), played, findings
        )

    def _plies(
        self, already: Sequence[Step | PlayResult[Any, Any]], state: Any, calls: Calls
    ) -> Iterator[Step | PlayResult[Any, Any]]:
        """Yield what comes of the plies that follow ``already``, judging each; none if its last ply stops the walk.

        ``state`` and ``calls`` are those before ``already``.
        """
        if already and _stops(already[-1]):
            return iter(())
        state, calls = _after(already, state, calls)
        first = len(self.results) + len(already)
        words, boards = self.record.line.words[first:], self.boards
        if boards.texts:
            boards = StatedBoards(boards.texts, boards.sheet, self._since((*self.results, *already)))
        return plies(self.game, state, words, self.seats, calls, first + 1, boards=boards)

    def _since(self, played: Sequence[Step | PlayResult[Any, Any]]) -> int:
        """Return the last ply at which play went on from a stated board; 0 if there is none.

        ``played`` has all plies so far, in order.
        """
        boards = ((ply, played[ply - 1]) for ply in self.boards.texts if 0 < ply <= len(played))
        return max((ply for ply, step in boards if type(step) is Step and step.board and step.board.holds), default=0)
