"""The findings of a walk: what each ply gives, what later plies prove of it, and what stays open to the end.

Questions that stay open to the end are no findings yet: later plies may answer them, so they are kept apart.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from cartulary.engine import Breach, Open, Refused, Unclear, Undecided
from cartulary.engine.contract import PlayResult
from cartulary.engine.readings import GAP, ONLY_MOVE
from cartulary.notation.arbiter.boards import BOARD, BoardResult
from cartulary.notation.arbiter.finding import Finding, clause_of, unread
from cartulary.notation.arbiter.gaps import fits
from cartulary.notation.arbiter.heading import Heading
from cartulary.notation.arbiter.legal import legal_words
from cartulary.notation.arbiter.replay import MOVES_SHOWN, Step, steps, write_word
from cartulary.notation.arbiter.ruling_commands import standing_by, stands_by
from cartulary.notation.arbiter.typed import unread_because
from cartulary.notation.cgn.record import MISSING_WORD, Line, NotationError, Record
from cartulary.notation.unjudged import nobody_judges

Plies: TypeAlias = Sequence[Step | PlayResult[Any, Any]]
_MOVER = re.compile("[0-9A-Z]*")
CALL_WORD = re.compile("[A-Z][a-z]{2,}(?![a-z0-9])|[A-Z][a-z]$")
"""A word that moves nothing: ``Agree``, ``Chelem``, ``Call=KH``; but ``Nbxd2`` moves a knight."""


class WalkFindings:
    """The findings on a record as far as it has been walked through.

    Attributes:
        final: The findings that nothing later can change.
        questions: What a ply depends on, by ply and key.
        refusals: The finding on a refusal, with the keys it left open: a later proof of one of them replaces it.
        proofs: What later plies proved of earlier ones.
        shift: The offset of the last move number written, so that one wrong number is remarked once and not on every
            number after it.
    """

    def __init__(self, record: Record, heading: Heading, accept_rulings: bool, plies: Plies) -> None:
        """Begin without findings.

        Args:
            record: The record that is walked through.
            heading: Its heading, with a game.
            accept_rulings: Whether a refused move that is marked as irregular is a remark and not an error.
            plies: What came of each ply, to which the walk adds.
        """
        assert heading.game is not None
        self.record, self.heading, self.accept_rulings, self.plies = record, heading, accept_rulings, plies
        self.game, self.variant = heading.game, heading.variant
        self.final: list[Finding] = []
        self.questions: dict[tuple[int, str], tuple[str, Open]] = {}
        self.refusals: dict[int, tuple[Finding, frozenset[str]]] = {}
        self.proofs: dict[tuple[int, ...], Finding] = {}
        self.shift = 0

    def resume_for(self, record: Record, heading: Heading, plies: Plies) -> "WalkFindings":
        """Return a copy of these findings to which those on further plies can be added.

        Args:
            record: The record with further plies.
            heading: Its heading.
            plies: What came of each ply.
        """
        copy = WalkFindings(record, heading, self.accept_rulings, plies)
        copy.final, copy.questions, copy.refusals = list(self.final), dict(self.questions), dict(self.refusals)
        copy.proofs, copy.shift = dict(self.proofs), self.shift
        return copy

    def all(self, state: Any, end: Any) -> tuple[Finding, ...]:
        """Return all findings, with what the end of the record proves and what it leaves open.

        The proofs of the end are added to these findings, so no further ply can be added after this call.

        Args:
            state: The state after the last ply applied.
            end: That state settled.
        """
        pending = self.game.hidden.pending(end)
        for breach in pending.breaches:
            self._prove(breach)
        return (
            *self.final,
            *(finding for finding, _ in self.refusals.values()),
            *self.proofs.values(),
            *(
                self._open_finding(state, place[0], *self.questions[place])
                for place in pending.open
                if place in self.questions
            ),
        )

    def _doubt(self, ply: int, word: str, opens: tuple[Open, ...]) -> None:
        """Remember the open questions of a ply, whose word is ``word``, until the end of the record.

        A later question of the same ply and rule replaces an earlier one.
        """
        for question in opens:
            self.questions[ply, question.clause.key] = word, question

    def _open_finding(self, state: Any, ply: int, word: str, question: Open) -> Finding:
        """Return the finding ``undecided`` on a question that is open at the end, with what is known of it by then.

        For a ply nobody wrote it lists up to MOVES_SHOWN words that still fit. ``word`` is the word of the ply;
        ``state`` is the last one.
        """
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
        """Return the seat that made a ply, as ``p1``; empty for ply 0. The ply must have been reached."""
        return f"p{self.plies[ply - 1].move.seat}" if ply else ""

    def _prove(self, breach: Breach) -> None:
        """Add the finding on a proved breach; it replaces a refusal that had left this very question open.

        A second proof about the same plies replaces the first.
        """
        _, left = self.refusals.get(breach.plies[0], (None, frozenset()))
        if breach.key in left:
            del self.refusals[breach.plies[0]]
        self.proofs[breach.plies] = self._breach(breach)

    def add_number(self, step: Step, number: int, expected: tuple[int, bool] | None) -> None:
        """Remark a wrong move number, but not once more if the numbers after it are wrong by as much.

        Args:
            step: The ply.
            number: The number that is written before it.
            expected: The right number, and whether the ply is its first; None if no number belongs here.
        """
        if expected is None:
            self._remark(step, "cgn.number", f"found move number {number}, expected none here")
            return
        self.shift = number - expected[0]
        if self.shift:
            self._remark(step, "cgn.number", f"found move number {number}, expected {expected[0]}")

    def _remark(self, step: Step, key: str, because: str) -> None:
        """Add a remark on a ply: ``key`` is that of the fault, such as ``cgn.mark``, ``because`` says what is wrong."""
        line, column = self.record.place(step.ply)
        seat = f"p{step.move.seat}" if step.move else ""
        self.final.append(Finding("remark", key, step.ply, because, step.text, seat, line=line, column=column))

    def add_variation(self, before: Step, variation: Line) -> None:
        """Add remarks on what is wrong in a variation, a line that was not played, and in those inside it.

        ``before`` is the ply that it stands in place of.
        """
        self.final += _variation_findings(self.record, self.heading, before, variation)

    def add_ply(self, step: Step) -> None:
        """Add what one ply gives: a remark on its spelling, proofs of earlier breaches, faults of boards, and its own.

        Its own is an error if it cannot be read; if it is refused, a finding that a later proof may replace; if it is
        undecided, the open questions, which become findings only if they are open at the end.
        """
        if step.text != step.word and step.error is None:
            self._remark(step, "cgn.mark", f"found {step.word}, expected {step.text}")
        for breach in step.breaches:
            self._prove(breach)
        if step.board is not None:
            self.add_board(step.ply, step.text, step.board)
        if step.error is not None:
            self.final.append(self._unread(step, step.error))
        elif type(step.verdict) is Refused:
            self._refused(step, step.verdict)
        elif type(step.verdict) is Undecided:
            self._doubt(step.ply, step.text, step.verdict.opens)

    def _unread(self, step: Step, error: NotationError) -> Finding:
        """Return the error on a word that cannot be read, or that may be several moves, which it then lists.

        Up to MOVES_SHOWN moves are listed. The reason also names the words after it, which were not read.
        """
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
        """Return the end of a sentence that lists the words after a ply at which reading stopped; empty for none."""
        return unread(self.record.line.words[step.ply :])

    def add_board(self, ply: int, word: str, board: BoardResult) -> None:
        """Add a finding for each fault of the boards stated after a ply; ``word`` is the word of that ply.

        Nothing is added if the boards have no fault.
        """
        at, clause = self.record.place(ply), (BOARD.says, BOARD.source)
        self.final += (
            Finding(fault.severity, BOARD.key, ply, fault.because, word, "", *at, *clause, plies=fault.plies)
            for fault in board.faults
        )

    def _refused(self, step: Step, refused: Refused) -> None:
        """Remember the finding on a refused ply; a later proof of a question that it leaves open will replace it.

        ``refused`` is the verdict on the ply.
        """
        finding = self.finding_on(step, refused)
        self.refusals[step.ply] = finding, frozenset(question.clause.key for question in refused.opens)

    def finding_on(self, step: Step, refused: Refused) -> Finding:
        """Return the finding on a ply that a rule refuses, with up to MOVES_SHOWN legal words.

        It is an error, or a remark if rulings are accepted and the record marks the ply as irregular. The reason also
        names the arbiter who let the ply stand; if the word could not be applied, it lists the words that were not read
        instead.
        """
        line, column = self.record.place(step.ply)
        rule = refused.clause.in_variant(self.variant)
        legal, stuck = self._legal(step)
        return Finding(
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

    def _legal(self, step: Step) -> tuple[tuple[str, ...], str]:
        """Return the legal words, those of the same card or piece first, and that piece if it has no legal move.

        The second is empty if the piece has legal moves, if the word names none, or if not all moves can be listed;
        then not more than one over MOVES_SHOWN words are returned.
        """
        every = self.game.rules.complete(step.state)
        legal = legal_words(self.game, step.state, step.calls, None if every else MOVES_SHOWN + 1)
        mover = _mover(step.text)
        own = tuple(word for word in legal if _mover(word) == mover)
        moves = mover not in ("", step.text) and not CALL_WORD.match(step.text)
        stuck = every and moves and legal and not own
        return (*own, *(word for word in legal if word not in own)), mover if stuck else ""

    def _hint(self, step: Step) -> str:
        """Return what may explain a word that cannot be played: the game had ended, or a word is missing before it.

        Empty for the last word of a record while the game goes on, and for a game that nobody judges.
        """
        if step.calls.outcome is not None or self.game.rules.outcome(self.game.turns.settle(step.state)) is not None:
            return "; the game had ended before it, and what a broadcast or a board shows after that is not judged"
        missing = step.ply < len(self.record.line.words) and not nobody_judges(self.game)
        return f"; where a word is missing before it, write {MISSING_WORD}" if missing else ""

    def _ruled(self, ply: int) -> str:
        """Return the end of a sentence that names the arbiter who let a ply stand; empty if nobody did."""
        arbiter = standing_by(self.record.line.notes.get(ply), ply)
        return "" if arbiter is None else stands_by(arbiter)

    def _marked(self, ply: int) -> bool:
        """Return whether the record marks a ply as irregular, with ``[%irregular …]`` in a comment after it."""
        note = self.record.line.notes.get(ply)
        return note is not None and any("[%irregular" in comment for comment in note.comments)

    def _breach(self, breach: Breach) -> Finding:
        """Return the finding on a breach that a later ply has proved.

        It is undecided if several plies may be at fault or a gap is, a remark if the breach is accepted, else an error.
        """
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
        """Say whether a proved breach is a remark: it names the move of a gap, or the ply is marked as irregular.

        Such a mark counts only if rulings are accepted.
        """
        return breach.key == ONLY_MOVE.key or (self.accept_rulings and self._marked(breach.plies[0]))


def _blank(word: str) -> str:
    """Return a hint to write ``~`` for a missing ply, for a word made of ``?``, ``-``, ``_``, ``.``, ``…`` and ``*``.

    Empty for any other word.
    """
    return "" if word.strip("?-_.…*") else f"; a ply nobody wrote is {MISSING_WORD}"


def _mover(word: str) -> str:
    """Return the leading capitals and digits of a word, which name its card or piece: ``9Cb1`` -> ``9C``.

    Empty if it begins with neither.
    """
    match = _MOVER.match(word)
    return match[0] if match is not None else ""


def _variation_findings(record: Record, heading: Heading, before: Step, line: Line) -> Iterator[Finding]:
    """Yield a remark on everything wrong in a variation, a line that was not played, and in those inside it.

    As it was not played it breaks nothing. ``before`` is the ply that it stands in place of. Plies after a word that
    cannot be read or applied are not looked at.
    """
    assert heading.game is not None
    assert heading.sheet is not None
    for step in steps(heading.game, before.state, line.words, heading.sheet.seats, before.calls, before.ply):
        at, column = record.place(step.ply - before.ply + 1, line)
        if step.error is not None:
            because = f"in a variation: {unread_because(heading, step)}"
            column += step.error.column - 1
            yield Finding("remark", "cgn.syntax", before.ply, because, step.word, line=at, column=column)
        elif type(step.verdict) is Refused:
            rule = step.verdict.clause.in_variant(heading.variant)
            because, seat = f"in a variation, {step.text}: {step.verdict.because}", f"p{step.move.seat}"
            says, source = rule.says, rule.source
            yield Finding("remark", rule.key, before.ply, because, step.text, seat, at, column, says, source)
        elif step.word != step.text:
            because = f"in a variation: found {step.word}, expected {step.text}"
            yield Finding("remark", "cgn.mark", before.ply, because, step.text, line=at, column=column)
        note = line.notes.get(step.ply - before.ply + 1)
        for nested in note.variations if note else ():
            yield from _variation_findings(record, heading, step, nested)
