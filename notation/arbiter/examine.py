"""The arbiter's report on one record: findings with their places, and a verdict."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Calls, Clause, Outcome, Refused
from cartulary.engine.calls import CALL_CLAUSES, NO_CALLS
from cartulary.engine.contract import within
from cartulary.notation.arbiter.finding import RANK, Finding, Report, clause_of, unread
from cartulary.notation.arbiter.heading import Heading, is_date, known_tags, not_scored, read_heading, unread_tags
from cartulary.notation.arbiter.house import TAG as HOUSE_RULES
from cartulary.notation.arbiter.house import house_fault, house_rules_of, waived_refusals, waiver_of, with_house_rules
from cartulary.notation.arbiter.replay import Step
from cartulary.notation.arbiter.ruling_commands import RulingCommand, result_by, scoring, stands_by
from cartulary.notation.arbiter.score_in_force import RULES, ScoreLine, scoring_of
from cartulary.notation.arbiter.walk import Walk, walk
from cartulary.notation.cgn.record import Line, Problem, Record
from cartulary.notation.cgn.result import TERMINATIONS, format_result, result_fault
from cartulary.notation.contract import AnyGame, TagScore
from cartulary.notation.unjudged import NOBODY, nobody_judges


class Examination(Struct, frozen=True):
    """A report on a record, with everything that was worked out for it.

    Attributes:
        report: The findings and the verdict.
        heading: The game, its variant and its sheet, as the tags give them.
        line: The main line as written.
        walk: The walk through the line; None if the game could not be set up.
        outcome: How the game ended by its moves and calls; None while it goes on.
        score: How the score in force comes about, the score itself last. Empty unless rulings have changed the score
            or the record has no words and only its tags give the points.
        settled_state: The settled state after the last ply, with the points of the tags; None without a walk.
        ruled_score: The score in force if rulings have changed it, otherwise empty.
        only_scored: Whether the record has no words, and its points come from its tags.
    """

    report: Report
    heading: Heading
    line: Line
    walk: Walk | None
    outcome: Outcome | None
    score: tuple[ScoreLine, ...] = ()
    settled_state: Any = None
    ruled_score: str = ""
    only_scored: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The main line in canonical spelling; words that were not reached, or without a walk all words, as written."""
        return self.line.words if self.walk is None else self.walk.words

    @property
    def state(self) -> Any:
        """The state after the last ply applied; None where the game could not be set up."""
        return None if self.walk is None else self.walk.state

    @property
    def calls(self) -> Calls:
        """What the calls, such as offers of a draw and resigning, have done; NO_CALLS without a walk."""
        return NO_CALLS if self.walk is None else self.walk.calls

    @property
    def plies_reached(self) -> int:
        """How many plies could be applied before one that could not; 0 without a walk."""
        return 0 if self.walk is None else self.walk.plies_reached

    @property
    def spoke(self) -> tuple[int, ...]:
        """The seat that spoke at each ply that was reached: 0 for the table and for a word that could not be read.

        Empty without a walk.
        """
        return () if self.walk is None else self.walk.spoke

    @property
    def steps(self) -> Sequence[Step]:
        """The plies that were applied, and after them the one that could not be, if any; empty without a walk."""
        return () if self.walk is None else self.walk.steps


def examine(
    record: Record,
    path: str = "",
    *,
    accept_rulings: bool = False,
    cached: Walk | None = None,
    rulings: Sequence[RulingCommand] | None = None,
    ahead: Sequence[Step] = (),
) -> Examination:
    """Examine a record: read and judge every ply once, and report what is wrong with it.

    Nothing about the record raises; whatever is wrong is a finding.

    Args:
        record: The record, as ``load`` or ``loads`` gives it.
        path: The file it came from, repeated in the report.
        accept_rulings: Whether a refused move that is marked ``[%irregular …]``, and a fault of a result that an
            arbiter gave, is a remark and not an error.
        cached: A walk through an earlier state of the record; only the plies after it are judged.
        ahead: What came of those plies, if they have been judged after ``cached`` already.
        rulings: The rulings that count in the score, in order; None for those in the comments of the record.

    Returns:
        The report, with the walk, the outcome and the score it comes from.
    """
    heading = read_heading(record)
    findings = [_of_problem(problem) for problem in record.problems] if record.problems else []
    findings += _tag_findings(record, heading)
    walked: Walk | None = None
    outcome = settled = tag_score = None
    if heading.game is not None and heading.sheet is not None:
        walk_or_refusal = walk(record, heading, accept_rulings, cached, ahead)
        if isinstance(walk_or_refusal, Refused):
            findings.append(_of_setup(record, walk_or_refusal, heading.variant, heading.game.setup_tag))
        else:
            walked = walk_or_refusal
            findings += walked.findings
            settled = walked.settled_state
            tag_score = tags_alone(record, heading.game, settled)
            findings += () if tag_score is None else _unread_tags(record, heading)
            settled = settled if tag_score is None else tag_score.state
            outcome = walked.calls.outcome or heading.game.rules.outcome(settled)
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
        written, how = score, tag_score.how if tag_score is not None else ""
        if own or rulings or how:
            by_sheet, counting = scoring_of(own, walked), scoring_of(own if rulings is None else rulings, walked)
            written = by_sheet.lines(settled, how) if by_sheet else ()
            score = counting.lines(settled, how) if counting else ()
            ruled = score[-1].score if score else ""
            computed = heading.game.points.write(settled).get("Score", "")
            score = score or ((ScoreLine("", RULES, computed, how),) if how else ())
        wrong = arbiter is not None or any(fault.severity == "error" for fault in faults)
        stated = "*" if outcome or wrong or rulings else result
        misstated = heading.game.points.tag_faults(
            record.by_name, stated, settled, written[-1].score if written else ""
        )
        misstated = (*tag_score.faults, *misstated) if tag_score is not None else misstated
        findings += _settlement(record, heading, misstated, how) if misstated else ()
    if record.tag(HOUSE_RULES):
        reached = 0 if walked is None else walked.plies_reached
        findings += [] if walked is None else _behind_waived(record, walked, findings)
        findings = with_house_rules(findings, house_rules_of(record), reached)
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
    return Examination(report, heading, record.line, walked, outcome, score, settled, ruled, tag_score is not None)


def _behind_waived(record: Record, walked: Walk, findings: Sequence[Finding]) -> list[Finding]:
    """Return what further rules say against the plies of ``findings`` that a house rule of the record waives.

    A ply is judged by the first rule it breaks. Where the record waives that rule, this asks the others. The findings
    come ply by ply; plies that the walk did not reach are left out.
    """
    assert walked.heading.game is not None
    waived = {finding.ply for finding in findings if finding.ply and waiver_of(record, finding.key) is not None}
    return [
        walked.finding_on(step, refused)
        for step in (walked.steps[ply - 1] for ply in sorted(waived) if ply <= walked.plies_reached)
        for refused in waived_refusals(walked.heading.game, record, step)
    ]


def tags_alone(record: Record, game: AnyGame, state: Any) -> TagScore[Any] | None:
    """Return the points that the tags of a record without words give; None with words, or without such tags.

    ``state`` is the settled first state of the record.
    """
    return None if record.line.words else game.points.from_tags(record.by_name, state)


def with_rulings(
    examination: Examination, plies: dict[int, str], result: str | None
) -> tuple[Examination, tuple[Finding, ...]]:
    """Return the examination in which errors that a ruling lets stand are remarks, and those errors as they were.

    The second is empty if nothing changed, and the examination is then the same.

    Args:
        examination: The examination, which is not changed.
        plies: The arbiters who let plies stand, by the ply.
        result: The arbiter who gave the result; None if nobody did.
    """
    let: list[Finding] = []
    if not plies and result is None:
        return examination, ()

    def ruled_finding(finding: Finding) -> Finding:
        """Return a finding as a remark if a ruling let its ply or result stand, else as it is.

        Errors that become remarks are added to ``let`` as they were.
        """
        arbiter = result if (finding.ply, finding.key) == (0, "record.result") else plies.get(finding.ply)
        if arbiter is None or finding.severity != "error":
            return finding
        let.append(finding)
        return replace(let_stand(finding, arbiter), severity="remark")

    report = examination.report
    findings = tuple(ruled_finding(finding) for finding in report.findings)
    if not let:
        return examination, ()
    findings = tuple(_in_order(findings, examination.walk))
    verdict = _judged(findings) if report.verdict == "irregular" else report.verdict
    return replace(examination, report=replace(report, findings=findings, verdict=verdict)), tuple(let)


def _in_order(findings: Iterable[Finding], walked: Walk | None) -> list[Finding]:
    """Return findings in the order of their lines; on one line ply by ply, and of one ply errors first.

    If a word stopped the walk, findings on the result and the points, which follow from it and name no ply, come last.
    Findings that are equal in all this keep their order. ``walked`` is None if the game could not be set up.
    """
    ordered = list(findings)
    if len(ordered) < 2:
        return ordered
    later = frozenset[str]()
    if walked is not None and walked.heading.game is not None and walked.plies_reached < len(walked.record.line.words):
        later = frozenset(("record.result", *(rule.key for rule in walked.heading.game.rules.clauses)))

    def place(finding: Finding) -> tuple[bool, int, int, int]:
        """Return the sort key of a finding: (follows from a stopped walk, line, ply, rank of its severity)."""
        follows = not finding.ply and finding.key in later
        return follows, finding.line, finding.ply, RANK[finding.severity]

    return sorted(ordered, key=place)


def let_stand(finding: Finding, arbiter: str) -> Finding:
    """Return a finding whose sentence also names the arbiter who let its ply stand; a second call changes nothing.

    The severity stays as it is.
    """
    sentence = stands_by(arbiter)
    return finding if sentence in finding.because else replace(finding, because=finding.because + sentence)


def _verdict(findings: list[Finding], heading: Heading) -> str:
    """Return the verdict of a report: ``unreadable``, ``unjudged``, or what ``_judged`` says of the findings.

    It is unreadable if the sheet of the game could not be read, or if an error is one of cgn.syntax or cgn.ambiguous.
    It is unjudged if nobody judges the game.
    """
    errors = [finding for finding in findings if finding.severity == "error"] if findings else findings
    if heading.sheet is None or any(finding.key in ("cgn.syntax", "cgn.ambiguous") for finding in errors):
        return "unreadable"
    return "unjudged" if nobody_judges(heading.game) else _judged(findings)


def _judged(findings: Iterable[Finding]) -> str:
    """Return ``irregular`` if a finding is an error, ``undecided`` if none is but one is undecided, else ``legal``."""
    severities = {finding.severity for finding in findings}
    return "irregular" if "error" in severities else "undecided" if "undecided" in severities else "legal"


# --- tags and result ---


def _of_problem(problem: Problem) -> Finding:
    """Return a problem found in the text as a finding with the same severity, key, ply, reason and place."""
    return Finding(
        problem.severity,
        problem.key,
        problem.ply,
        problem.because,
        line=problem.line,
        column=problem.column,
    )


def _of_setup(record: Record, refused: Refused, variant: str, tag: str) -> Finding:
    """Return the error on a game that the rules refuse to set up, placed at the set-up tag.

    ``tag`` is the name of that tag, such as FEN, and ``variant`` the variant in whose words the rule is cited. If the
    record has words, the reason adds that they were not read.
    """
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
    """Yield findings on the tags of a record, in this order.

    An error on what the heading could not read; remarks of the sheet; errors on tags that stand twice; a remark on a
    Date that is no date; errors on the tags Rules and on the house rules; a remark on an unknown Termination.
    """

    def tag_finding(tag: str, because: str, severity: str = "error", key: str = "record.tag") -> Finding:
        """Return a finding at the place of a tag in the text, about no ply.

        ``because`` is its reason; it is an error with the key ``record.tag`` if nothing else is given.
        """
        line, column = record.place_of_tag(tag)
        return Finding(severity, key, 0, because, line=line, column=column)

    if heading.because:
        yield tag_finding(heading.fault, heading.because + unread(record.line.words))
    for tag, key, because in heading.sheet.remarks if heading.sheet is not None else ():
        yield tag_finding(tag, because, "remark", key)
    if len(record.tags) > len(record.by_name):
        names: set[str] = set()
        for name, _ in record.tags:
            if name in names:
                yield tag_finding(name, f"found the tag {name} twice, expected it once; the first counts")
            names.add(name)
    tags = record.by_name
    date = tags.get("Date")
    if date and not is_date(date):
        because = f"found the date {date!r}, expected one such as 2026.11.22, with ?? for what is not known"
        yield tag_finding("Date", because, "remark")
    rules = tags.get("Rules")
    if rules and rules != NOBODY:
        expected = f"expected {NOBODY}, for a record that is not judged, or no Rules tag"
        yield tag_finding("Rules", f"found the rules {rules!r}, {expected}")
    if tags.get(HOUSE_RULES) and heading.game is not None:
        because = house_fault(record, [rule.key for rule in heading.game.rules.clauses])
        if because:
            yield tag_finding(HOUSE_RULES, because)
    termination = tags.get("Termination")
    if termination and termination.lower() not in TERMINATIONS:
        because = f"found the termination {termination!r}, expected one of: {', '.join(TERMINATIONS)}"
        yield tag_finding("Termination", because, "remark")


def _unread_tags(record: Record, heading: Heading) -> Iterator[Finding]:
    """Yield a remark on each tag that the game does not know, in a record whose score comes from its tags alone.

    A remark also names the known tag that was probably meant, if one is alike. The heading must have a game and a
    sheet.
    """
    game, sheet = heading.game, heading.sheet
    assert game is not None
    assert sheet is not None
    if known_tags(game, sheet.seats).issuperset(record.by_name):
        return
    for name, candidate in unread_tags(game, sheet.seats, record.by_name):
        line, column = record.place_of_tag(name)
        yield Finding("remark", "record.tag", 0, not_scored(game, name, candidate), line=line, column=column)


def _ending(heading: Heading, outcome: Outcome | None) -> Clause[Any, Any] | None:
    """Return the rule that ended a game, worded for its variant.

    None if the game is not known or goes on, or if it ended by something that is no rule of the game or of calls.
    """
    if heading.game is None or outcome is None:
        return None
    rules = (*heading.game.rules.clauses, *CALL_CLAUSES)
    return next((rule.in_variant(heading.variant) for rule in rules if rule.key == outcome.key), None)


def _result(
    record: Record, outcome: Outcome | None, seats: int, ending: Clause[Any, Any] | None
) -> tuple[str, list[Finding]]:
    """Return the result of a record, and findings on the results that its tag and its movetext state.

    The result is the one that the game ended with, else that of the movetext, else that of the tag, else ``*``.

    Args:
        record: The record.
        outcome: How the game ended by its moves and calls; None while it goes on.
        seats: The number of seats; 0 if it is not known.
        ending: The rule that ended the game, cited in the findings.
    """
    tag, token = record.by_name.get("Result", ""), record.line.result
    decided, because = (format_result(outcome.shares), outcome.because) if outcome else ("", "")
    result, faults = _stated_result(tag, token, seats, decided, because)
    return result, [_of_result(record, fault, ending) for fault in faults]


class _ResultFault(Struct, frozen=True):
    """What is wrong with a stated result.

    Attributes:
        because: The reason.
        severity: ``error`` or ``remark``.
        of_tag: Whether the tag Result states it, and not the movetext.
        by_rule: Whether the rule that ended the game contradicts it.
    """

    because: str
    severity: str
    of_tag: bool
    by_rule: bool = False


def _of_result(record: Record, fault: _ResultFault, ending: Clause[Any, Any] | None) -> Finding:
    """Return a fault of a stated result as a finding at its place in the text; ``ending`` is the rule it may cite."""
    line, column = record.place_of_tag("Result") if fault.of_tag else record.place(len(record.line.words) + 1)
    says, source = (ending.says, ending.source) if fault.by_rule and ending is not None else ("", "")
    return Finding(
        fault.severity, "record.result", 0, fault.because, line=line, column=column, rule=says, source=source
    )


@lru_cache(256)
def _stated_result(
    tag: str, token: str, seats: int, decided: str, because: str
) -> tuple[str, tuple[_ResultFault, ...]]:
    """Return the result of a record, and the faults of the results that are stated; many records of a file are alike.

    Args:
        tag: The result of the tag, empty for none.
        token: That at the end of the movetext, empty for none.
        seats: The number of seats; 0 if it is not known.
        decided: The result that the game ended with, empty while it goes on.
        because: How it ended.
    """
    faults: list[_ResultFault] = []
    for stated, of_tag in ((tag, True), (token, False)):
        fault = result_fault(stated, seats) if stated and seats else ""
        where = "the Result tag" if of_tag else "the movetext"
        if fault:
            faults.append(_ResultFault(fault, "error", of_tag))
        elif stated and decided and stated != decided:
            says = f"{where} says {stated}, but the game is {decided}: {within(because)}"
            faults.append(_ResultFault(says, "remark" if stated == "*" else "error", of_tag, by_rule=True))
    if tag and token and tag != token and not decided:
        severity = "remark" if "*" in (tag, token) else "error"
        faults.append(_ResultFault(f"the Result tag says {tag}, but the movetext ends with {token}", severity, True))
    if not token and not decided:
        says = "found no result at the end of the movetext, expected one such as 1-0 or *; it may have been cut off"
        faults.append(_ResultFault(says, "remark", False))
    stated = next((result for result in (token, tag) if result and result != "*"), "*")
    return decided or stated, tuple(faults)


def _by_ruling(fault: Finding, arbiter: str, accept: bool) -> Finding:
    """Return a finding on the result with the arbiter who gave that result; a remark if ``accept`` is true."""
    return replace(let_stand(fault, arbiter), severity="remark" if accept else fault.severity)


def _settlement(
    record: Record, heading: Heading, faults: Iterable[tuple[str, str, str]], how: str
) -> Iterator[Finding]:
    """Yield an error for each tag whose points cannot be right.

    Args:
        record: The record.
        heading: Its heading, which must have a game.
        faults: The faults, each (tag, key of the rule, reason), as ``Points.tag_faults`` returns them.
        how: How points that come from tags alone were worked out, added in brackets; empty for none.
    """
    game = heading.game
    assert game is not None
    for tag, key, because in faults:
        rule = clause_of(game, key, heading.variant)
        line, column = record.place_of_tag(tag)
        because += f" ({how})" if how else ""
        yield Finding("error", key, 0, because, line=line, column=column, rule=rule.says, source=rule.source)
