"""A walk through a main line: what every ply comes to, gathered into findings; a value that can be kept.

Reading a file and adding a word are one walk: a word that is added is judged, and what it proves is found, behind what
was kept; nothing before it is judged again.
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
from cartulary.notation.arbiter.gaps import GAPS, Lost, fits
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
    """What a walk through a record has found, to the end of its line or the first word that cannot be applied.

    heading, accept_rulings: of the record that was walked, and how its marks are read; start: where it begins
    state, calls: after the last ply applied
    words: the main line in canonical spelling, words that were not reached as written
    played: what came of every ply that was reached, the first in front
    noted, questions, refused, proved, shift: what of them stays open to later plies, as ``_Walking`` has it
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
        return tuple(0 if each.move is None else each.move.seat for each in self.played)

    @property
    def steps(self) -> "Steps":
        """The plies that were reached."""
        return Steps(self, range(1, len(self.played) + 1))

    def goes_through(self, record: Record, heading: Heading) -> bool:
        """Say whether the words and boards of a record are what was walked, and this what was set up."""
        alike = self.record.line.words == record.line.words and self.record.boards == record.boards
        return alike and self.heading == heading

    def leads_to(self, record: Record, accept_rulings: bool) -> bool:
        """Say whether a walk through a record with this heading comes by here, having found the same.

        It does not where a word or a variation changed that was walked by, a mark or a ruling in a comment, or the text
        in which findings have their places; and where words stand behind one that could not be applied.
        """
        line, walked = record.line, self.record.line
        last = len(walked.words)
        return (
            line.words[:last] == walked.words
            and (self.reached == last or len(line.words) == last)
            and (record.source, accept_rulings) == (self.record.source, self.accept_rulings)
            and {at: number for at, number in line.numbers.items() if at < last} == walked.numbers
            and _told_alike(walked.notes, line.notes, last)
        )

    def played_in(self, record: Record) -> tuple[Step | Played[Any, Any], ...]:
        """Return what came of the plies which a record with this start has too, up to the first that differs.

        A ply differs whose word does, or what is said to have lain on the table after it; not one that is now written
        in the spelling which this walk found for it.
        """
        words, boards, before = record.line.words, record.boards, self.record.boards
        changed = [ply - 1 for ply in boards.keys() | before.keys() if boards.get(ply) != before.get(ply)]
        most = min(len(words), len(self.played), *changed)
        if words[:most] == self.record.line.words[:most]:
            return self.played[:most]
        there: list[Step | Played[Any, Any]] = []
        for at in range(most):
            step = self.played[at]
            if words[at] != self.record.line.words[at]:
                if type(step) is not Step or words[at] != step.text or not _reads_alike(step):
                    break
                step = replace(step, word=step.text)
            there.append(step)
        return tuple(there)


class Steps(Sequence[Step]):
    """Plies of a walk in a row, each made when it is asked for."""

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
    """Return how a ply nobody wrote is written, for a word of signs that stand for nothing."""
    return "" if word.strip("?-_.…*") else f"; a ply nobody wrote is {MISSED}"


def _mover(word: str) -> str:
    """Return what a word begins with: the card or man that moves, the capitals and digits before anything else."""
    found = _MOVER.match(word)
    return found[0] if found is not None else ""


def _stops(played: Step | Played[Any, Any]) -> bool:
    return type(played) is Step and not played.applied


def _reads_alike(step: Step) -> bool:
    """Say whether a ply reads the same in its own spelling: nearly all do, but for those behind a word nobody wrote."""
    return step.error is None and type(step.state) not in GAPS and MISSED not in step.word


def _after(played: Sequence[Step | Played[Any, Any]], state: Any, calls: Calls = NO_CALLS) -> tuple[Any, Calls]:
    """Return the state and the calls behind some plies. state, calls: what stands before them"""
    if not played:
        return state, calls
    last = played[-1]
    return last.after, last.calls_after if isinstance(last, Step) else NO_CALLS


def _told_alike(before: dict[int, Note], now: dict[int, Note], last: int) -> bool:
    """Say whether a walk to ply ``last`` finds the same with either notes, whatever is freely said in comments."""
    changed = (ply for ply in before.keys() | now.keys() if before.get(ply) is not now.get(ply))
    return all(_told(before.get(ply)) == _told(now.get(ply)) for ply in changed if 0 < ply <= last)


def _told(note: Note | None) -> tuple[object, ...]:
    """Return what a walk asks of a note: its variations, and the comments that hold commands."""
    if note is None or not note.then:
        return ()
    return tuple(item for item in note.then if not isinstance(item, str) or "[%" in item)


def walk(
    record: Record,
    heading: Heading,
    accept_rulings: bool = False,
    kept: Walk | None = None,
    ahead: Sequence[Step] = (),
) -> Walk | Refused:
    """Return the walk through a record; the refusal where the rules set up no game. heading: one with a game and sheet

    kept: a walk through the record as it was before; plies that are in both are not judged again, and where words were
    added and no more, nothing found on them is looked for again. What is found is the same without it
    ahead: what came of the words that were added, where they have been judged behind ``kept``
    """
    if kept is not None and kept.heading == heading and kept.record.boards.get(0) == record.boards.get(0):
        if not kept.leads_to(record, accept_rulings):
            already = kept.played_in(record)
            return _Walking(record, heading, accept_rulings).through(kept.start, already)
        if len(kept.record.line.words) == len(record.line.words):
            return kept
        # What lies on the table was not looked at when those words were judged.
        added = len(record.line.words) - len(kept.played)
        judged = () if record.boards else tuple(map(bare, ahead[:added]))
        return _Walking(record, heading, accept_rulings, kept).through(kept.start, judged)
    start = start_of(record, heading)
    return start if isinstance(start, Refused) else _Walking(record, heading, accept_rulings).through(start)


class _Walking:
    """A walk while it goes on.

    noted: what was found ply by ply; questions: what a ply depends on, by ply and key, with its word
    refused: by ply the finding on a refusal, and the keys it had left open; proved: by plies what later ones proved
    shift: by how much the last move number written was off
    """

    def __init__(self, record: Record, heading: Heading, accept_rulings: bool, kept: Walk | None = None) -> None:
        assert heading.game is not None
        assert heading.sheet is not None
        self.record, self.heading, self.accept_rulings = record, heading, accept_rulings
        self.game, self.variant, self.seats = heading.game, heading.variant, heading.sheet.seats
        self.played: list[Step | Played[Any, Any]] = list(kept.played) if kept else []
        self.spelled = list(kept.words) if kept else []
        self.noted: list[Finding] = list(kept.noted) if kept else []
        self.questions: dict[tuple[int, str], tuple[str, Open]] = dict(kept.questions) if kept else {}
        self.refused: dict[int, tuple[Finding, frozenset[str]]] = dict(kept.refused) if kept else {}
        self.proved: dict[tuple[int, ...], Finding] = dict(kept.proved) if kept else {}
        self.shift = kept.shift if kept else 0
        self.resumed, self.boards = kept is not None, stated(record, heading)

    def through(self, start: Start, already: Sequence[Step | Played[Any, Any]] = ()) -> Walk:
        """Walk on to the end of the line. already: what came of its next plies, where that is known"""
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
            if at in numbers and type(state) is not Lost:
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
        """Return the plies that are to be judged. already: those that are not; state, calls: what stands before them"""
        if already and _stops(already[-1]):
            return iter(())
        state, calls = _after(already, state, calls)
        first = len(self.played) + len(already)
        words, boards = self.record.line.words[first:], self.boards
        if boards.texts:
            boards = Stated(boards.texts, boards.sheet, self._since((*self.played, *already)))
        return plies(self.game, state, words, self.seats, calls, first + 1, boards=boards)

    def _since(self, played: Sequence[Step | Played[Any, Any]]) -> int:
        """Return the last of some plies from whose board play went on, 0 for none."""
        boards = ((ply, played[ply - 1]) for ply in self.boards.texts if 0 < ply <= len(played))
        return max((ply for ply, step in boards if type(step) is Step and step.board and step.board.holds), default=0)

    def findings(self, state: Any, settled: Any) -> tuple[Finding, ...]:
        """Return what was found, what was proved in the end, and what is open to the end, told in its last words."""
        pending = self.game.hidden.pending(settled)
        for breach in pending.proved:
            self._prove(breach)
        return (
            *self.noted,
            *(found for found, _ in self.refused.values()),
            *self.proved.values(),
            *(
                self._asked(state, asked[0], *self.questions[asked])
                for asked in pending.open
                if asked in self.questions
            ),
        )

    def _doubt(self, ply: int, word: str, opens: tuple[Open, ...]) -> None:
        """Keep what a ply depends on, for the end of the record."""
        for question in opens:
            self.questions[ply, question.clause.key] = word, question

    def _asked(self, state: Any, ply: int, word: str, question: Open) -> Finding:
        """Return an open question with what is known of its cards in the end."""
        rule, (line, column) = question.clause.in_variant(self.variant), self.record.place(ply)
        told = (self.game.hidden.tell_need(state, need) for need in question.needs)
        because = "; ".join(dict.fromkeys(sentence for sentence in told if sentence)) or "its cards were never seen"
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
        """Keep what was proved, in place of a refusal that had left just this open."""
        _, left = self.refused.get(breach.plies[0], (None, frozenset()))
        if breach.key in left:
            del self.refused[breach.plies[0]]
        self.proved[breach.plies] = self._breach(breach)

    def _number(self, step: Step, written: int, counted: tuple[int, bool] | None) -> None:
        """Remark a number that is off by something else than those before it."""
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
        """Note what is wrong with the boards stated after a ply."""
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
        found = Finding(
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
        self.refused[step.ply] = found, frozenset(asked.clause.key for asked in refused.opens)

    def _legal(self, step: Step) -> tuple[tuple[str, ...], str]:
        """Return moves legal instead, those of the card or man of the word first, and which that is if it has none."""
        every = self.game.rules.complete(step.state)
        legal = legal_words(self.game, step.state, step.calls, None if every else MOVES_SHOWN + 1)
        mover = _mover(step.text)
        own = tuple(word for word in legal if _mover(word) == mover)
        moves = mover not in ("", step.text) and not SPOKEN.match(step.text)
        stuck = every and moves and legal and not own
        return (*own, *(word for word in legal if word not in own)), mover if stuck else ""

    def _hint(self, step: Step) -> str:
        """Return how a word is written that may be missing before one that cannot be, where more words follow.

        Of a word after the end it is said that there is nothing to write.
        """
        if step.calls.ended is not None or self.game.rules.outcome(self.game.turns.settle(step.state)) is not None:
            return "; the game had ended before it, and what a broadcast or a board shows after that is not judged"
        missing = step.ply < len(self.record.line.words) and not nobody_judges(self.game)
        return f"; where a word is missing before it, write {MISSED}" if missing else ""

    def _ruled(self, ply: int) -> str:
        """Return the end of a sentence that says by whose ruling a ply stands; empty where it rests on none."""
        arbiter = standing_by(self.record.line.notes.get(ply), ply)
        return "" if arbiter is None else stands_by(arbiter)

    def _marked(self, ply: int) -> bool:
        """Say whether the record marks a ply as irregular."""
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
        """Say whether what a later ply shows is no error: what a missed word was, and what a ruling let stand."""
        return breach.key == FILLED.key or (self.accept_rulings and self._marked(breach.plies[0]))
