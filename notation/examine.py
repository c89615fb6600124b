"""The arbiter's report on one record: findings with their places, and a verdict."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from cartulary.engine import Breach, Calls, Outcome, Refused, Undecided, legal_moves
from cartulary.engine.contract import IMPOSSIBLE
from cartulary.engine.play import NO_CALLS
from cartulary.notation.record import AnyMove, Line, Problem, Record
from cartulary.notation.replay import Step, steps
from cartulary.notation.roster import Game
from cartulary.notation.sheet import TERMINATIONS, Heading, format_result, read_heading, result_fault

LEGAL_SHOWN = 8
TAIL_SHOWN = 12
_RANK = {"error": 0, "undecided": 1, "remark": 2}


class Finding(Struct, frozen=True):
    """One thing the arbiter has to say of a record.

    severity: ``error`` (refused, or proved later), ``undecided`` or ``remark``
    ply: from 1; 0 is the set-up and the tags
    legal: up to eight moves that were legal, in canonical spelling
    decided_by: the later ply that proved it; plies: where several cannot all have been legal
    """

    severity: str
    key: str
    ply: int
    because: str
    move: str = ""
    seat: str = ""
    line: int = 0
    column: int = 0
    rule: str = ""
    source: str = ""
    legal: tuple[str, ...] = ()
    decided_by: int | None = None
    plies: tuple[int, ...] = ()


class Report(Struct, frozen=True):
    """One line of ``validate --json``; ``verdict`` is unreadable, irregular, undecided or legal."""

    path: str
    index: int
    line: int
    game: str
    edition: str
    variant: str
    plies: int
    result: str
    verdict: str
    findings: tuple[Finding, ...]


class Examined(Struct, frozen=True):
    """A report with what the reading of the record has worked out.

    words: the main line in canonical spelling, words that were not reached as written
    state: after the last ply applied; None where the game could not be set up
    outcome: how the game ended by its moves and calls, None while it goes on
    """

    report: Report
    heading: Heading
    words: tuple[str, ...]
    state: Any
    calls: Calls
    outcome: Outcome | None


def examine(record: Record, path: str = "", *, accept_rulings: bool = False) -> Examined:
    """Return the report on a record, reading and judging every ply once; nothing in it raises.

    accept_rulings: a refused move marked ``[%irregular …]`` is a remark instead of an error
    """
    heading = read_heading(record)
    findings = [_of_problem(problem) for problem in record.problems]
    findings += _tag_findings(record, heading)
    state: Any = None
    calls, outcome, words = NO_CALLS, None, record.line.words
    if heading.game is not None and heading.sheet is not None:
        started = heading.game.rules.setup(heading.sheet)
        if isinstance(started, Refused):
            findings.append(_of_setup(record, started))
        else:
            walk = _Walk(record, heading.game, heading.sheet.seats, accept_rulings)
            state, calls, words = walk.through(started)
            findings += walk.findings
            outcome = calls.ended or heading.game.rules.outcome(heading.game.rules.settle(state))
    seats = heading.sheet.seats if heading.sheet else 0
    result, faults = _result(record, outcome, seats)
    findings += faults
    if len(findings) > 1:
        findings.sort(key=lambda found: (found.ply, _RANK[found.severity]))
    report = Report(
        path,
        record.index,
        record.at,
        heading.game.rules.KEY if heading.game else record.tag("Game"),
        heading.edition,
        heading.variant,
        len(words),
        result,
        _verdict(findings, heading) if findings else "legal",
        tuple(findings),
    )
    return Examined(report, heading, words, state, calls, outcome)


def _verdict(findings: list[Finding], heading: Heading) -> str:
    errors = [found for found in findings if found.severity == "error"]
    if heading.sheet is None or any(found.key in ("cgn.syntax", "cgn.ambiguous") for found in errors):
        return "unreadable"
    if errors:
        return "irregular"
    return "undecided" if any(found.severity == "undecided" for found in findings) else "legal"


# --- tags and result ---


def _of_problem(problem: Problem) -> Finding:
    return Finding(
        problem.severity,
        problem.key,
        problem.ply,
        problem.because,
        line=problem.line,
        column=problem.column,
    )


def _of_setup(record: Record, refused: Refused) -> Finding:
    line, column = record.place_of_tag("Setup")
    return Finding(
        "error",
        refused.clause.key,
        0,
        refused.because + _unread(record.line.words),
        line=line,
        column=column,
        rule=refused.clause.says,
        source=refused.clause.source,
    )


def _unread(words: tuple[str, ...]) -> str:
    """Return the end of a sentence that shows the words nobody reads any more, the first of them if they are many."""
    if not words:
        return ""
    many = f" … ({len(words)} plies)" if len(words) > TAIL_SHOWN else ""
    return f"; kept unread behind it: {' '.join(words[:TAIL_SHOWN])}{many}"


def _tag_findings(record: Record, heading: Heading) -> Iterator[Finding]:
    def found(tag: str, because: str, severity: str = "error") -> Finding:
        line, column = record.place_of_tag(tag)
        return Finding(severity, "record.tag", 0, because, line=line, column=column)

    if heading.because:
        yield found(heading.fault, heading.because + _unread(record.line.words))
    if len(record.tags) > 1:
        seen: set[str] = set()
        for name, _ in record.tags:
            if name in seen:
                yield found(name, f"the tag {name} is said twice; the first holds")
            seen.add(name)
    termination = record.tag("Termination")
    if termination and termination not in TERMINATIONS:
        because = f"found the termination {termination!r}, expected one of: {', '.join(TERMINATIONS)}"
        yield found("Termination", because, "remark")


def _result(record: Record, outcome: Outcome | None, seats: int) -> tuple[str, list[Finding]]:
    """Return the result of a record and what is wrong with the ones it states."""
    findings: list[Finding] = []
    tag, token = record.tag("Result"), record.line.result
    decided = format_result(outcome.shares) if outcome else ""

    def say(because: str, severity: str, of_tag: bool) -> None:
        line, column = record.place_of_tag("Result") if of_tag else record.place(len(record.line.words) + 1)
        findings.append(Finding(severity, "record.result", 0, because, line=line, column=column))

    for stated, of_tag in ((tag, True), (token, False)):
        fault = result_fault(stated, seats) if stated and seats else ""
        where = "the Result tag" if of_tag else "the movetext"
        if fault:
            say(fault, "error", of_tag)
        elif stated and decided and stated != decided:
            assert outcome is not None
            because = f"{where} says {stated}, and the game is {decided}: {outcome.because}"
            say(because, "remark" if stated == "*" else "error", of_tag)
    if tag and token and tag != token and not decided:
        severity = "remark" if "*" in (tag, token) else "error"
        say(f"the Result tag says {tag}, and the movetext ends with {token}", severity, True)
    if not token and not decided:
        say("the movetext ends without a result such as 1-0 or *: it may have been cut", "remark", False)
    stated = next((said for said in (token, tag) if said and said != "*"), "*")
    return decided or stated, findings


# --- plies ---


class _Walk:
    """The findings of a main line and its variations, gathered ply by ply."""

    def __init__(self, record: Record, game: Game[Any, Any, Any], seats: int, accept_rulings: bool) -> None:
        self.record = record
        self.game = game
        self.seats = seats
        self.accept_rulings = accept_rulings
        self.findings: list[Finding] = []
        self.shift = 0

    def through(self, state: Any) -> tuple[Any, Calls, tuple[str, ...]]:
        """Walk the main line; return state and calls after it, and its words in canonical spelling."""
        line = self.record.line
        words, numbers, notes = line.words, line.numbers, line.notes
        spelled, number = list(words), self.game.script.number
        step: Step | None = None
        for step in steps(self.game, state, words, self.seats):
            ply = step.ply
            if not step.plain:
                spelled[ply - 1] = step.text
                self._odd(step)
            if ply - 1 in numbers:
                counted = number(step.state)
                if counted is None or numbers[ply - 1][0] - counted[0] != self.shift:
                    self._number(step, numbers[ply - 1][0], counted)
            if notes and ply in notes:
                for variation in notes[ply].variations:
                    self._variation(step, variation)
        if step is None:
            return state, NO_CALLS, words
        return step.after, step.calls_after, tuple(spelled)

    def _number(self, step: Step, written: int, counted: tuple[int, bool] | None) -> None:
        """Remark a number that is off, and then only where it is off by something else."""
        if counted is None:
            self._remark(step, "cgn.number", f"found move number {written}, expected none here")
            return
        self.shift = written - counted[0]
        if self.shift:
            self._remark(step, "cgn.number", f"found move number {written}, expected {counted[0]}")

    def _remark(self, step: Step, key: str, because: str) -> None:
        line, column = self.record.place(step.ply)
        seat = f"p{step.move.seat}" if step.move else ""
        self.findings.append(Finding("remark", key, step.ply, because, step.text, seat, line=line, column=column))

    def _odd(self, step: Step) -> None:
        if step.text != step.word and step.error is None:
            self._remark(step, "cgn.mark", f"found {step.word}, expected {step.text}")
        self.findings += [self._breach(breach) for breach in step.breaches]
        line, column = self.record.place(step.ply)
        if step.error is not None:
            because = step.error.because + self._behind(step)
            at = column + step.error.column - 1
            self.findings.append(Finding("error", step.error.key, step.ply, because, step.word, line=line, column=at))
        elif type(step.verdict) is Refused:
            self._refused(step, step.verdict, line, column)
        elif type(step.verdict) is Undecided:
            for question in step.verdict.opens:
                if question.asks:
                    needs = "; ".join(need.place for need in question.needs)
                    rule = question.clause
                    self.findings.append(
                        Finding(
                            "undecided",
                            rule.key,
                            step.ply,
                            f"it depends on {needs}",
                            step.text,
                            f"p{step.move.seat}",
                            line,
                            column,
                            rule.says,
                            rule.source,
                        )
                    )

    def _behind(self, step: Step) -> str:
        return _unread(self.record.line.words[step.ply :])

    def _refused(self, step: Step, refused: Refused, line: int, column: int) -> None:
        note = self.record.line.notes.get(step.ply)
        marked = note is not None and any("[%irregular" in comment for comment in note.comments)
        self.findings.append(
            Finding(
                "remark" if marked and self.accept_rulings else "error",
                refused.clause.key,
                step.ply,
                refused.because + ("" if step.applied else self._behind(step)),
                step.text,
                f"p{step.move.seat}",
                line,
                column,
                refused.clause.says,
                refused.clause.source,
                legal_words(self.game, step.state, step.calls, LEGAL_SHOWN),
            )
        )

    def _breach(self, breach: Breach) -> Finding:
        rule = next((clause for clause in self.game.rules.CLAUSES if clause.key == breach.key), IMPOSSIBLE)
        ply = breach.plies[0]
        line, column = self.record.place(ply)
        several = breach.plies if len(breach.plies) > 1 else ()
        return Finding(
            "undecided" if several else "error",
            breach.key,
            ply,
            breach.because,
            self.record.line.words[ply - 1],
            line=line,
            column=column,
            rule=rule.says,
            source=rule.source,
            decided_by=breach.decided_by,
            plies=several,
        )

    def _variation(self, before: Step, line: Line) -> None:
        """Remark what is wrong in a variation: it was not played, so it breaks nothing."""
        for step in steps(self.game, before.state, line.words, self.seats, before.calls, before.ply):
            at, column = self.record.place(step.ply - before.ply + 1, line)
            if step.error is not None and not isinstance(step.error, AnyMove):
                because = f"in a variation: {step.error.because}"
                column += step.error.column - 1
                self.findings.append(
                    Finding("remark", "cgn.syntax", before.ply, because, step.word, line=at, column=column)
                )
            elif type(step.verdict) is Refused:
                rule = step.verdict.clause
                because = f"in a variation, {step.text}: {step.verdict.because}"
                self.findings.append(
                    Finding(
                        "remark",
                        rule.key,
                        before.ply,
                        because,
                        step.text,
                        f"p{step.move.seat}",
                        at,
                        column,
                        rule.says,
                        rule.source,
                    )
                )
            elif step.word != step.text:
                because = f"in a variation: found {step.word}, expected {step.text}"
                self.findings.append(
                    Finding("remark", "cgn.mark", before.ply, because, step.text, line=at, column=column)
                )
            note = line.notes.get(step.ply - before.ply + 1)
            for nested in note.variations if note else ():
                self._variation(step, nested)


def legal_words(game: Game[Any, Any, Any], state: Any, calls: Calls, most: int | None = None) -> tuple[str, ...]:
    """Return the legal moves in canonical spelling, at most so many, in the order of the candidates."""
    found: list[str] = []
    for move in legal_moves(game.rules, state, calls):
        if most is not None and len(found) == most:
            break
        found.append(game.script.format_move(move, state))
    return tuple(found)
