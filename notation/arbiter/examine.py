"""The arbiter's report on one record: findings with their places, and a verdict."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Calls, Clause, Outcome, Refused
from cartulary.engine.calls import CALL_CLAUSES, NO_CALLS
from cartulary.engine.contract import within
from cartulary.notation.arbiter.deal_tags import not_scored, unread_tags
from cartulary.notation.arbiter.finding import RANK, Finding, Report, clause_of, unread
from cartulary.notation.arbiter.heading import Heading, read_heading
from cartulary.notation.arbiter.replay import Step
from cartulary.notation.arbiter.ruling_commands import RulingCommand, result_by, scoring, stands_by
from cartulary.notation.arbiter.score_in_force import RULES, ScoreLine, scoring_of
from cartulary.notation.arbiter.walk import Walk, walk
from cartulary.notation.cgn.dates import is_date
from cartulary.notation.cgn.record import Line, Problem, Record
from cartulary.notation.cgn.result import TERMINATIONS, format_result, result_fault
from cartulary.notation.contract import AnyGame, TagsTold
from cartulary.notation.unjudged import NOBODY, nobody_judges


class Examined(Struct, frozen=True):
    """A report with what the reading of the record has worked out.

    line: the main line as written; walk: the walk through it, None where the game could not be set up
    outcome: how the game ended by its moves and calls, None while it goes on
    score: how the score in force comes about where rulings have changed it or tags alone tell of it, the score last;
        empty otherwise
    settled: the state after the last ply, settled, with what tags alone tell of points; None where the game could not
        be set up
    ruled: the score in force where rulings have changed it, empty otherwise
    only_scored: it has no words, and tags alone tell of its points
    """

    report: Report
    heading: Heading
    line: Line
    walk: Walk | None
    outcome: Outcome | None
    score: tuple[ScoreLine, ...] = ()
    settled: Any = None
    ruled: str = ""
    only_scored: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The main line in canonical spelling, words that were not reached as written."""
        return self.line.words if self.walk is None else self.walk.words

    @property
    def state(self) -> Any:
        """The state after the last ply applied; None where the game could not be set up."""
        return None if self.walk is None else self.walk.state

    @property
    def calls(self) -> Calls:
        """What the calls have done."""
        return NO_CALLS if self.walk is None else self.walk.calls

    @property
    def reached(self) -> int:
        """How many plies could be applied before one that could not."""
        return 0 if self.walk is None else self.walk.reached

    @property
    def spoke(self) -> tuple[int, ...]:
        """The seat that spoke at each ply that was reached, 0 for the table and for a word that could not be read."""
        return () if self.walk is None else self.walk.spoke

    @property
    def steps(self) -> Sequence[Step]:
        """The plies that were reached."""
        return () if self.walk is None else self.walk.steps


def examine(
    record: Record,
    path: str = "",
    *,
    accept_rulings: bool = False,
    kept: Walk | None = None,
    rulings: Sequence[RulingCommand] | None = None,
    ahead: Sequence[Step] = (),
) -> Examined:
    """Return the report on a record, reading and judging every ply once; nothing in it raises.

    accept_rulings: a refused move marked ``[%irregular …]`` is a remark instead of an error
    kept: the walk through this record as it was before words were added; their plies alone are judged
    rulings: those that count in the score, in their order; without them those its comments tell of
    ahead: what came of those words, where they have been judged behind ``kept``
    """
    heading = read_heading(record)
    findings = [_of_problem(problem) for problem in record.problems]
    findings += _tag_findings(record, heading)
    walked: Walk | None = None
    outcome = settled = told = None
    if heading.game is not None and heading.sheet is not None:
        found = walk(record, heading, accept_rulings, kept, ahead)
        if isinstance(found, Refused):
            findings.append(_of_setup(record, found, heading.variant, heading.game.setup_tag))
        else:
            walked = found
            findings += walked.findings
            settled = walked.settled
            told = tags_alone(record, heading.game, settled)
            findings += () if told is None else _unread_tags(record, heading)
            settled = settled if told is None else told.state
            outcome = walked.calls.ended or heading.game.rules.outcome(settled)
    seats = heading.sheet.seats if heading.sheet else 0
    result, faults = _result(record, outcome, seats, _ending(heading, outcome))
    arbiter = result_by(record.line) if record.line.notes else None
    if arbiter is not None:
        faults = [_by_ruling(fault, arbiter, accept_rulings) for fault in faults]
    findings += faults
    score: tuple[ScoreLine, ...] = ()
    ruled = ""
    if walked is not None and heading.game is not None:
        own = scoring(record.line) if record.line.notes else ()
        written, how = score, told.how if told is not None else ""
        if own or rulings or how:
            by_sheet, counting = scoring_of(own, walked), scoring_of(own if rulings is None else rulings, walked)
            written = by_sheet.lines(settled, how) if by_sheet else ()
            score = counting.lines(settled, how) if counting else ()
            ruled = score[-1].score if score else ""
            computed = heading.game.points.write(settled).get("Score", "")
            score = score or ((ScoreLine("", RULES, computed, how),) if how else ())
        wrong = arbiter is not None or any(fault.severity == "error" for fault in faults)
        stated = "*" if outcome or wrong or rulings else result
        misstated = heading.game.points.misstated(record.by_name, stated, settled, written[-1].score if written else "")
        findings += _settlement(record, heading, (*(told.faults if told is not None else ()), *misstated), how)
    findings = _in_order(findings, walked)
    report = Report(
        path,
        record.index,
        record.at,
        heading.game.about.key if heading.game else record.tag("Game"),
        heading.edition,
        heading.variant,
        len(record.line.words),
        result,
        _verdict(findings, heading),
        tuple(findings),
        record.source.format,
    )
    return Examined(report, heading, record.line, walked, outcome, score, settled, ruled, told is not None)


def tags_alone(record: Record, game: AnyGame, state: Any) -> TagsTold[Any] | None:
    """Return what the tags of a record without words come to; None where there are words, or no such tags.

    state: the first of the record
    """
    return None if record.line.words else game.points.from_tags(record.by_name, state)


def accepted(examined: Examined, plies: dict[int, str], result: str | None) -> tuple[Examined, tuple[Finding, ...]]:
    """Return the examination with what rulings let stand as remarks, and those errors as they were.

    plies: those ruled to stand, with the arbiter; result: the arbiter who gave the result, None if nobody did
    """
    let: list[Finding] = []
    if not plies and result is None:
        return examined, ()

    def told(found: Finding) -> Finding:
        arbiter = result if (found.ply, found.key) == (0, "record.result") else plies.get(found.ply)
        if arbiter is None or found.severity != "error":
            return found
        let.append(found)
        return replace(let_stand(found, arbiter), severity="remark")

    report = examined.report
    findings = tuple(told(found) for found in report.findings)
    if not let:
        return examined, ()
    findings = tuple(_in_order(findings, examined.walk))
    verdict = _judged(findings) if report.verdict == "irregular" else report.verdict
    return replace(examined, report=replace(report, findings=findings, verdict=verdict)), tuple(let)


def _in_order(findings: Iterable[Finding], walked: Walk | None) -> list[Finding]:
    """Return findings ply by ply, those of the sheet first; what it says of points last where a word stopped the walk.

    They follow from that word then.
    """
    found = list(findings)
    if len(found) < 2:
        return found
    later = frozenset[str]()
    if walked is not None and walked.heading.game is not None and walked.reached < len(walked.record.line.words):
        later = frozenset(("record.result", *(rule.key for rule in walked.heading.game.rules.clauses)))

    def place(found: Finding) -> tuple[bool, int, int]:
        return not found.ply and found.key in later, found.ply, RANK[found.severity]

    return sorted(found, key=place)


def let_stand(found: Finding, arbiter: str) -> Finding:
    """Return a finding that says who let stand what it is about, once."""
    said = stands_by(arbiter)
    return found if said in found.because else replace(found, because=found.because + said)


def _verdict(findings: list[Finding], heading: Heading) -> str:
    errors = [found for found in findings if found.severity == "error"]
    if heading.sheet is None or any(found.key in ("cgn.syntax", "cgn.ambiguous") for found in errors):
        return "unreadable"
    return "unjudged" if nobody_judges(heading.game) else _judged(findings)


def _judged(findings: Iterable[Finding]) -> str:
    severities = {found.severity for found in findings}
    return "irregular" if "error" in severities else "undecided" if "undecided" in severities else "legal"


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


def _of_setup(record: Record, refused: Refused, variant: str, tag: str) -> Finding:
    line, column = record.place_of_tag(tag)
    rule = refused.clause.in_variant(variant)
    return Finding(
        "error",
        rule.key,
        0,
        refused.because + unread(record.line.words),
        line=line,
        column=column,
        rule=rule.says,
        source=rule.source,
    )


def _tag_findings(record: Record, heading: Heading) -> Iterator[Finding]:
    def found(tag: str, because: str, severity: str = "error", key: str = "record.tag") -> Finding:
        line, column = record.place_of_tag(tag)
        return Finding(severity, key, 0, because, line=line, column=column)

    if heading.because:
        yield found(heading.fault, heading.because + unread(record.line.words))
    for tag, key, because in heading.sheet.remarks if heading.sheet is not None else ():
        yield found(tag, because, "remark", key)
    if len(record.tags) > len(record.by_name):
        seen: set[str] = set()
        for name, _ in record.tags:
            if name in seen:
                yield found(name, f"found the tag {name} twice, expected it once; the first counts")
            seen.add(name)
    date = record.tag("Date")
    if date and not is_date(date):
        because = f"found the date {date!r}, expected one such as 2026.11.22, with ?? for what is not known"
        yield found("Date", because, "remark")
    rules = record.tag("Rules")
    if rules and rules != NOBODY:
        expected = f"expected {NOBODY}, for a record that is not judged, or no Rules tag"
        yield found("Rules", f"found the rules {rules!r}, {expected}")
    termination = record.tag("Termination")
    if termination and termination.lower() not in TERMINATIONS:
        because = f"found the termination {termination!r}, expected one of: {', '.join(TERMINATIONS)}"
        yield found("Termination", because, "remark")


def _unread_tags(record: Record, heading: Heading) -> Iterator[Finding]:
    """Yield a remark on every tag that tells nothing of a deal that was only scored and that nobody knows."""
    game, sheet = heading.game, heading.sheet
    assert game is not None
    assert sheet is not None
    for name, meant in unread_tags(game, sheet.seats, record.by_name):
        line, column = record.place_of_tag(name)
        yield Finding("remark", "record.tag", 0, not_scored(game, name, meant), line=line, column=column)


def _ending(heading: Heading, outcome: Outcome | None) -> Clause[Any, Any] | None:
    """Return the rule that ended a game, as its variant has it; None where none did."""
    if heading.game is None or outcome is None:
        return None
    rules = (*heading.game.rules.clauses, *CALL_CLAUSES)
    return next((rule.in_variant(heading.variant) for rule in rules if rule.key == outcome.key), None)


def _result(
    record: Record, outcome: Outcome | None, seats: int, ending: Clause[Any, Any] | None
) -> tuple[str, list[Finding]]:
    """Return the result of a record and what is wrong with the ones it states. ending: the rule that ended the game"""
    findings: list[Finding] = []
    tag, token = record.tag("Result"), record.line.result
    decided = format_result(outcome.shares) if outcome else ""

    def say(because: str, severity: str, of_tag: bool, rule: Clause[Any, Any] | None = None) -> None:
        line, column = record.place_of_tag("Result") if of_tag else record.place(len(record.line.words) + 1)
        says, source = (rule.says, rule.source) if rule is not None else ("", "")
        found = Finding(severity, "record.result", 0, because, line=line, column=column, rule=says, source=source)
        findings.append(found)

    for stated, of_tag in ((tag, True), (token, False)):
        fault = result_fault(stated, seats) if stated and seats else ""
        where = "the Result tag" if of_tag else "the movetext"
        if fault:
            say(fault, "error", of_tag)
        elif stated and decided and stated != decided:
            assert outcome is not None
            because = f"{where} says {stated}, but the game is {decided}: {within(outcome.because)}"
            say(because, "remark" if stated == "*" else "error", of_tag, ending)
    if tag and token and tag != token and not decided:
        severity = "remark" if "*" in (tag, token) else "error"
        say(f"the Result tag says {tag}, but the movetext ends with {token}", severity, True)
    if not token and not decided:
        say(
            "found no result at the end of the movetext, expected one such as 1-0 or *; it may have been cut off",
            "remark",
            False,
        )
    stated = next((said for said in (token, tag) if said and said != "*"), "*")
    return decided or stated, findings


def _by_ruling(fault: Finding, arbiter: str, accepted: bool) -> Finding:
    """Return what is wrong with a result that was given by ruling; a remark where rulings are accepted."""
    return replace(let_stand(fault, arbiter), severity="remark" if accepted else fault.severity)


def _settlement(
    record: Record, heading: Heading, faults: Iterable[tuple[str, str, str]], how: str
) -> Iterator[Finding]:
    """Yield what the tags say of points that cannot be. how: how points are worked out, where tags alone tell of it"""
    game = heading.game
    assert game is not None
    for tag, key, because in faults:
        rule = clause_of(game, key, heading.variant)
        line, column = record.place_of_tag(tag)
        because += f" ({how})" if how else ""
        yield Finding("error", key, 0, because, line=line, column=column, rule=rule.says, source=rule.source)
