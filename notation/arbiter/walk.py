"""A walk judges the main line of a record ply by ply and gathers findings; it is a value that can be cached.

Reading a file and adding a word use the same walk. An added word costs one judgement, because the walk goes on from the
cached one:

    first = walk(A B C)                     judges A, B and C
    second = walk(A B C D, cached=first)    judges D only
    third = walk(A X C D, cached=second)    judges X, C and D; A is taken over

Invariant: the findings of a resumed walk equal those of a fresh one. So whatever may change the findings on earlier
plies (a corrected word, a variation, a mark, a ruling in a comment, the text with their places) must make ``leads_to``
false; then only judged plies are taken over (``played_in``) and their findings are made again. Questions that stay open
to the end are no findings yet: later plies may answer them, so they are kept apart in ``questions``.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, overload

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Breach, Calls, Open, Refused, Unclear, Undecided
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.contract import Played
from cartulary.engine.once import once_each
from cartulary.engine.readings import FILLED, GAP
from cartulary.notation.arbiter.boards import BOARD, Start, Stated, Taken, start_of, stated
from cartulary.notation.arbiter.finding import Finding, clause_of, unread
from cartulary.notation.arbiter.gaps import GAPS, UnknownState, fits
from cartulary.notation.arbiter.heading import Heading
from cartulary.notation.arbiter.legal import legal_words
from cartulary.notation.arbiter.replay import MOVES_SHOWN, Step, bare, own_move, plies, whole, write_word
from cartulary.notation.arbiter.ruling_commands import standing_by, stands_by
from cartulary.notation.arbiter.typed import unread_because
from cartulary.notation.arbiter.variations import found_in_variation
from cartulary.notation.cgn.record import MISSED, NotationError, Note, Record
from cartulary.notation.unjudged import nobody_judges

_MOVER = re.compile("[0-9A-Z]*")
SPOKEN = re.compile("[A-Z][a-z]{2,}(?![a-z0-9])|[A-Z][a-z]$")
"""A word that moves nothing: ``Agree``, ``Chelem``, ``Call=KH``; but ``Nbxd2`` moves a knight."""


class Walk(Struct, frozen=True, eq=False, dict=True):
    """A walk through a record, to the end of its line or to the first word that cannot be applied.

    ``state`` and ``calls`` are those after the last ply applied. ``words`` is the main line in canonical spelling;
    words not reached stand as written. ``played`` has the result of each ply reached, in order.
    ``noted``, ``questions``, ``refused``, ``proved`` and ``shift`` are what ``_Walking`` needs to go on from here.
    """

    record: Record
    heading: Heading
    accept_rulings: bool
    start: Start
    state: Any
    calls: Calls
    words: tuple[str, ...]
    played: tuple[Step | Played[Any, Any], ...]
    noted: tuple[Finding, ...]
    questions: dict[tuple[int, str], tuple[str, Open]]
    refused: dict[int, tuple[Finding, frozenset[str]]]
    proved: dict[tuple[int, ...], Finding]
    shift: int

    @once_each
    def settled(self) -> Any:
        """The state after the last ply, settled."""
        assert self.heading.game is not None
        return self.heading.game.turns.settle(self.state)

    @once_each
    def findings(self) -> tuple[Finding, ...]:
        """All that is to be said of the record as it stands, the questions open to the end with it."""
        return _Walking(self.record, self.heading, self.accept_rulings, self).findings(self.state, self.settled)

    @property
    def reached(self) -> int:
        """How many plies could be applied before one that could not."""
        stopped = bool(self.played) and _stops(self.played[-1])
        return len(self.played) - stopped

    @property
    def spoke(self) -> tuple[int, ...]:
        """The seat that spoke at each ply that was reached, 0 for the table and for a word that could not be read."""
        return tuple(0 if played.move is None else played.move.seat for played in self.played)

    @property
    def steps(self) -> "Steps":
        """The plies that were reached."""
        return Steps(self, range(1, len(self.played) + 1))

    def goes_through(self, record: Record, heading: Heading) -> bool:
        """Say whether the words and boards of a record are what was walked, and this what was set up."""
        alike = self.record.line.words == record.line.words and self.record.boards == record.boards
        return alike and self.heading == heading

    def leads_to(self, record: Record, accept_rulings: bool) -> bool:
        """Return whether a walk through a record with this heading passes through this walk with the same findings.

        It does not if an earlier word, variation, mark or ruling in a comment has changed, nor if the text in which
        findings have their places has. It does not either if words follow one that could not be applied.
        """
        line, walked = record.line, self.record.line
        last = len(walked.words)
        return (
            line.words[:last] == walked.words
            and (self.reached == last or len(line.words) == last)
            and (record.source, accept_rulings) == (self.record.source, self.accept_rulings)
            and {at: number for at, number in line.numbers.items() if at < last} == walked.numbers
            and _same_notes(walked.notes, line.notes, last)
        )

    def played_in(self, record: Record) -> tuple[Step | Played[Any, Any], ...]:
        """Return the results of the plies that a record with this start shares, up to the first difference.

        A ply differs if its word differs, or the board stated after it; not if it is now written in the spelling that
        this walk gave it.
        """
        words, boards, before = record.line.words, record.boards, self.record.boards
        changed = [ply - 1 for ply in boards.keys() | before.keys() if boards.get(ply) != before.get(ply)]
        most = min(len(words), len(self.played), *changed)
        if words[:most] == self.record.line.words[:most]:
            return self.played[:most]
        alike: list[Step | Played[Any, Any]] = []
        for at in range(most):
            step = self.played[at]
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
        before = walk.played[ply - 2].after if ply > 1 else walk.start.state
        return whole(walk.played[ply - 1], ply, walk.record.line.words[ply - 1], before)


def _blank(word: str) -> str:
    """Return a hint how to write a missing ply, for a word made of characters such as ``?`` and ``...``."""
    return "" if word.strip("?-_.…*") else f"; a ply nobody wrote is {MISSED}"


def _mover(word: str) -> str:
    """Return the card or piece at the beginning of a word: its leading capitals and digits."""
    match = _MOVER.match(word)
    return match[0] if match is not None else ""


def _stops(played: Step | Played[Any, Any]) -> bool:
    return type(played) is Step and not played.applied


def _reads_alike(step: Step) -> bool:
    """Return whether a ply reads the same in canonical spelling, as nearly all do that follow no unwritten word."""
    return step.error is None and type(step.state) not in GAPS and MISSED not in step.word


def _after(played: Sequence[Step | Played[Any, Any]], state: Any, calls: Calls = NO_CALLS) -> tuple[Any, Calls]:
    """Return the state and the calls after some plies; without plies, the ones given."""
    if not played:
        return state, calls
    last = played[-1]
    return last.after, last.calls_after if isinstance(last, Step) else NO_CALLS


def _same_notes(before: dict[int, Note], now: dict[int, Note], last: int) -> bool:
    """Return whether a walk to ply ``last`` has the same findings with either notes; plain comments may differ."""
    changed = (ply for ply in before.keys() | now.keys() if before.get(ply) is not now.get(ply))
    return all(_walked_items(before.get(ply)) == _walked_items(now.get(ply)) for ply in changed if 0 < ply <= last)


def _walked_items(note: Note | None) -> tuple[object, ...]:
    """Return the items of a note that a walk looks at: variations, and comments that hold commands."""
    if note is None or not note.then:
        return ()
    return tuple(item for item in note.then if not isinstance(item, str) or "[%" in item)


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
        if len(cached.record.line.words) == len(record.line.words):
            return cached
        # What lies on the table was not looked at when those words were judged.
        added = len(record.line.words) - len(cached.played)
        judged = () if record.boards else tuple(map(bare, ahead[:added]))
        return _Walking(record, heading, accept_rulings, cached).through(cached.start, judged)
    start = start_of(record, heading)
    return start if isinstance(start, Refused) else _Walking(record, heading, accept_rulings).through(start)


class _Walking:
    """A walk in progress, with the findings so far.

    ``noted`` are the findings that nothing later can change. ``questions`` has what a ply depends on, by ply and key.
    ``refused`` has the finding on a refusal, with the keys it left open: a later proof of one of them replaces it.
    ``proved`` has what later plies proved of earlier ones. ``shift`` is the offset of the last move number written, so
    that one wrong number is remarked once and not on every number after it.
    """

    def __init__(self, record: Record, heading: Heading, accept_rulings: bool, cached: Walk | None = None) -> None:
        assert heading.game is not None
        assert heading.sheet is not None
        self.record, self.heading, self.accept_rulings = record, heading, accept_rulings
        self.game, self.variant, self.seats = heading.game, heading.variant, heading.sheet.seats
        self.played: list[Step | Played[Any, Any]] = list(cached.played) if cached else []
        self.spelled = list(cached.words) if cached else []
        self.noted: list[Finding] = list(cached.noted) if cached else []
        self.questions: dict[tuple[int, str], tuple[str, Open]] = dict(cached.questions) if cached else {}
        self.refused: dict[int, tuple[Finding, frozenset[str]]] = dict(cached.refused) if cached else {}
        self.proved: dict[tuple[int, ...], Finding] = dict(cached.proved) if cached else {}
        self.shift = cached.shift if cached else 0
        self.resumed, self.boards = cached is not None, stated(record, heading)

    def through(self, start: Start, already: Sequence[Step | Played[Any, Any]] = ()) -> Walk:
        """Walk on to the end of the line; ``already`` has the results of the next plies, as far as they are known."""
        line, number, first = self.record.line, self.game.turns.number, len(self.played)
        words, numbers, notes, keep = line.words, line.numbers, line.notes, self.played.append
        state, calls = _after(self.played, start.state)
        spelled = self.spelled
        if start.taken is not None and not self.resumed:
            self._board(0, start.taken)
        spelled += words[first:]
        for at, step in enumerate(chain(already, self._plies(already, state, calls)), first):
            keep(step)
            if type(step) is Step:
                calls, spelled[at] = step.calls_after, step.text
                if not step.plain:
                    self._odd(step)
            if at in numbers and type(state) is not UnknownState:
                counted = number(state, own_move(step.move))
                if counted is None or numbers[at][0] - counted[0] != self.shift:
                    self._number(whole(step, at + 1, words[at], state), numbers[at][0], counted)
            if notes and at + 1 in notes:
                for variation in notes[at + 1].variations:
                    before = whole(step, at + 1, words[at], state)
                    self.noted += found_in_variation(self.record, self.heading, before, variation)
            state = step.after
        return Walk(
            self.record,
            self.heading,
            self.accept_rulings,
            start,
            state,
            calls,
            tuple(spelled),
            tuple(self.played),
            tuple(self.noted),
            self.questions,
            self.refused,
            self.proved,
            self.shift,
        )

    def _plies(
        self, already: Sequence[Step | Played[Any, Any]], state: Any, calls: Calls
    ) -> Iterator[Step | Played[Any, Any]]:
        """Return the plies after ``already``, which are still to be judged."""
        if already and _stops(already[-1]):
            return iter(())
        state, calls = _after(already, state, calls)
        first = len(self.played) + len(already)
        words, boards = self.record.line.words[first:], self.boards
        if boards.texts:
            boards = Stated(boards.texts, boards.sheet, self._since((*self.played, *already)))
        return plies(self.game, state, words, self.seats, calls, first + 1, boards=boards)

    def _since(self, played: Sequence[Step | Played[Any, Any]]) -> int:
        """Return the last of some plies with a board from which play went on, 0 if there is none."""
        boards = ((ply, played[ply - 1]) for ply in self.boards.texts if 0 < ply <= len(played))
        return max((ply for ply, step in boards if type(step) is Step and step.board and step.board.holds), default=0)

    def findings(self, state: Any, settled: Any) -> tuple[Finding, ...]:
        """Return all findings: on plies, on what was proved at the end, and on the questions that are still open."""
        pending = self.game.hidden.pending(settled)
        for breach in pending.proved:
            self._prove(breach)
        return (
            *self.noted,
            *(finding for finding, _ in self.refused.values()),
            *self.proved.values(),
            *(
                self._open_finding(state, place[0], *self.questions[place])
                for place in pending.open
                if place in self.questions
            ),
        )

    def _doubt(self, ply: int, word: str, opens: tuple[Open, ...]) -> None:
        """Remember the open questions of a ply until the end of the record."""
        for question in opens:
            self.questions[ply, question.clause.key] = word, question

    def _open_finding(self, state: Any, ply: int, word: str, question: Open) -> Finding:
        """Return the finding on a question that is open at the end, with what is known of its cards by then."""
        rule, (line, column) = question.clause.in_variant(self.variant), self.record.place(ply)
        sentences = (self.game.hidden.tell_need(state, need) for need in question.needs)
        because = (
            "; ".join(dict.fromkeys(sentence for sentence in sentences if sentence)) or "its cards were never seen"
        )
        may = fits(self.game, state, ply) if question.clause.key == GAP.key else ()
        return Finding(
            "undecided",
            rule.key,
            ply,
            because,
            word,
            self._seat(ply),
            line,
            column,
            rule.says,
            rule.source,
            may[:MOVES_SHOWN],
            more=len(may) > MOVES_SHOWN,
        )

    def _seat(self, ply: int) -> str:
        return f"p{self.played[ply - 1].move.seat}" if ply else ""

    def _prove(self, breach: Breach) -> None:
        """Add the finding on a proved breach; it replaces a refusal that had left this very question open."""
        _, left = self.refused.get(breach.plies[0], (None, frozenset()))
        if breach.key in left:
            del self.refused[breach.plies[0]]
        self.proved[breach.plies] = self._breach(breach)

    def _number(self, step: Step, written: int, counted: tuple[int, bool] | None) -> None:
        """Remark a move number whose offset differs from that of the numbers before it."""
        if counted is None:
            self._remark(step, "cgn.number", f"found move number {written}, expected none here")
            return
        self.shift = written - counted[0]
        if self.shift:
            self._remark(step, "cgn.number", f"found move number {written}, expected {counted[0]}")

    def _remark(self, step: Step, key: str, because: str) -> None:
        line, column = self.record.place(step.ply)
        seat = f"p{step.move.seat}" if step.move else ""
        self.noted.append(Finding("remark", key, step.ply, because, step.text, seat, line=line, column=column))

    def _odd(self, step: Step) -> None:
        if step.text != step.word and step.error is None:
            self._remark(step, "cgn.mark", f"found {step.word}, expected {step.text}")
        for breach in step.breaches:
            self._prove(breach)
        if step.board is not None:
            self._board(step.ply, step.board)
        if step.error is not None:
            self.noted.append(self._unread(step, step.error))
        elif type(step.verdict) is Refused:
            self._refused(step, step.verdict)
        elif type(step.verdict) is Undecided:
            self._doubt(step.ply, step.text, step.verdict.opens)

    def _unread(self, step: Step, error: NotationError) -> Finding:
        line, column = self.record.place(step.ply)
        fits = step.verdict.moves if type(step.verdict) is Unclear else ()
        return Finding(
            "error",
            error.key,
            step.ply,
            unread_because(self.heading, step) + _blank(step.word) + self._behind(step),
            step.word,
            line=line,
            column=column + error.column - 1,
            legal=tuple(write_word(self.game, move, step.state) for move in fits[:MOVES_SHOWN]),
            more=len(fits) > MOVES_SHOWN,
        )

    def _behind(self, step: Step) -> str:
        return unread(self.record.line.words[step.ply :])

    def _board(self, ply: int, taken: Taken) -> None:
        """Add the findings on the boards stated after a ply."""
        at, clause = self.record.place(ply), (BOARD.says, BOARD.source)
        word = self.spelled[ply - 1] if ply else ""
        self.noted += (
            Finding(fault.severity, BOARD.key, ply, fault.because, word, "", *at, *clause, plies=fault.plies)
            for fault in taken.faults
        )

    def _refused(self, step: Step, refused: Refused) -> None:
        line, column = self.record.place(step.ply)
        rule = refused.clause.in_variant(self.variant)
        legal, stuck = self._legal(step)
        finding = Finding(
            "remark" if self.accept_rulings and self._marked(step.ply) else "error",
            rule.key,
            step.ply,
            refused.because + (self._ruled(step.ply) if step.applied else self._hint(step) + self._behind(step)),
            step.text,
            f"p{step.move.seat}",
            line,
            column,
            rule.says,
            rule.source,
            legal[:MOVES_SHOWN],
            more=len(legal) > MOVES_SHOWN,
            stuck=stuck,
        )
        self.refused[step.ply] = finding, frozenset(question.clause.key for question in refused.opens)

    def _legal(self, step: Step) -> tuple[tuple[str, ...], str]:
        """Return the legal words, those of the same card or piece first, and the name of that piece if it has none."""
        every = self.game.rules.complete(step.state)
        legal = legal_words(self.game, step.state, step.calls, None if every else MOVES_SHOWN + 1)
        mover = _mover(step.text)
        own = tuple(word for word in legal if _mover(word) == mover)
        moves = mover not in ("", step.text) and not SPOKEN.match(step.text)
        stuck = every and moves and legal and not own
        return (*own, *(word for word in legal if word not in own)), mover if stuck else ""

    def _hint(self, step: Step) -> str:
        """Return a hint that a word may be missing before one that cannot be played, or that the game had ended."""
        if step.calls.ended is not None or self.game.rules.outcome(self.game.turns.settle(step.state)) is not None:
            return "; the game had ended before it, and what a broadcast or a board shows after that is not judged"
        missing = step.ply < len(self.record.line.words) and not nobody_judges(self.game)
        return f"; where a word is missing before it, write {MISSED}" if missing else ""

    def _ruled(self, ply: int) -> str:
        """Return the end of a sentence that names the arbiter by whose ruling a ply stands, empty for none."""
        arbiter = standing_by(self.record.line.notes.get(ply), ply)
        return "" if arbiter is None else stands_by(arbiter)

    def _marked(self, ply: int) -> bool:
        """Return whether the record marks a ply as irregular."""
        note = self.record.line.notes.get(ply)
        return note is not None and any("[%irregular" in comment for comment in note.comments)

    def _breach(self, breach: Breach) -> Finding:
        rule, ply = clause_of(self.game, breach.key, self.variant), breach.plies[0]
        line, column = self.record.place(ply) if ply else self.record.place_of_tag("Game")
        several = breach.plies if len(breach.plies) > 1 else ()
        return Finding(
            "undecided" if several or breach.key == GAP.key else "remark" if self._accepted(breach) else "error",
            breach.key,
            ply,
            breach.because + ("" if several else self._ruled(ply)),
            self.record.line.words[ply - 1] if ply else "",
            self._seat(ply),
            line=line,
            column=column,
            rule=rule.says,
            source=rule.source,
            decided_by=breach.decided_by or None,
            plies=several,
        )

    def _accepted(self, breach: Breach) -> bool:
        """Return whether a proved breach is no error: it names a missed word, or a ruling let it stand."""
        return breach.key == FILLED.key or (self.accept_rulings and self._marked(breach.plies[0]))
