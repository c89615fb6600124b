"""How what the arbiter found is printed: one block a finding, one line a game, one line for all."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from cartulary.cli.shell.console import coloured, columns_of, fold_text, put, terminal, tint
from cartulary.notation import Finding, Record, Report, Story
from cartulary.notation.arbiter.finding import legal_text, report_fields
from cartulary.notation.arbiter.story import story_parts
from cartulary.notation.cgn.signs import count as count
from cartulary.notation.viewer import Viewer
from cartulary.records import api

INDENT = " " * 4
COLOURS = {"error": "1;31", "undecided": "1;33", "remark": "1;34", "legal": "32", "unjudged": "1;34"}
VERDICTS = ("legal", "undecided", "irregular", "unjudged", "unreadable")


def paint(text: str, kind: str, colour: bool) -> str:
    """Return a text in the colour of a severity or verdict.

    It is unchanged if ``colour`` is false, and for a ``kind`` that has no colour.
    """
    code = COLOURS.get(kind)
    return tint(text, code) if colour and code else text


def width() -> int | None:
    """Return how many columns standard output has, at least 40; None if it is no terminal."""
    return columns_of(sys.stdout)


def finding_lines(path: str, finding: Finding, full: bool = True) -> Iterator[str]:
    """Yield ``path:line:column: severity key because``, then rule, source and up to eight legal moves, indented.

    Args:
        path: The file, as the first line names it.
        finding: The finding.
        full: Whether to yield more than the first line.
    """
    head = f"{path}:{finding.line}:{finding.column}: "
    first, *rest = wrap(f"{head}{finding.severity} {finding.key} {finding.because}")
    kind = finding.severity
    yield first.replace(f": {kind} ", f": {paint(kind, kind, coloured())} ", 1)
    yield from rest
    for label, text in _details(finding) if full else ():
        yield from wrap(f"{INDENT}{label:<8}{text}", INDENT + " " * 8)


def _details(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield label and text of what a finding has of these: move, rule, source, proof, legal moves.

    The labels are ``move``, ``rule``, ``source``, ``proved`` (or ``since``) and ``legal``.
    """
    if finding.move and finding.ply:
        yield "move", f"{finding.move} (ply {finding.ply}{', ' if finding.seat else ''}{finding.seat})"
    if finding.rule:
        yield "rule", finding.rule
    if finding.source:
        yield "source", finding.source
    if finding.decided_by:
        yield "since" if finding.plies else "proved", f"{'' if finding.plies else 'by '}ply {finding.decided_by}"
    if finding.legal:
        yield "legal", legal_text(finding)


def wrap(text: str, indent: str = INDENT) -> list[str]:
    """Return a text in lines no wider than the terminal, later ones indented; one line if there is no terminal."""
    return fold_text(text, width(), indent)


def report_findings(report: Report) -> tuple[Finding, ...]:
    """Return the findings of a report that are to be printed, in order.

    If the text names no game, that is the only one, because the text may be no score sheet at all.
    """
    if report.game or len(report.findings) < 2:
        return report.findings
    return tuple(finding for finding in report.findings if (finding.key, finding.severity) == ("record.tag", "error"))[
        :1
    ]


def game_lines(report: Report) -> list[str]:
    """Return the line about a game, ``path#1: legal, 78 plies, 1-0``, folded to the terminal into one or more lines.

    The verdict is coloured if the game has findings and standard output shows colours.
    """
    lines = wrap(_game_text(report))
    return [_verdict_painted(line, report) for line in lines] if report.findings else lines


def game_line(report: Report) -> str:
    """Return the line about a game, unfolded: ``path#1: irregular, 78 plies, 1-0, 1 error``.

    The verdict is coloured if the game has findings and standard output shows colours.
    """
    return _verdict_painted(_game_text(report), report) if report.findings else _game_text(report)


def _verdict_painted(line: str, report: Report) -> str:
    """Return the line about a game with its verdict in colour; unchanged where no colours are shown."""
    verdict = report.verdict
    return line.replace(
        f" {verdict},", f" {paint(verdict, verdict if verdict in COLOURS else 'error', coloured())},", 1
    )


def _game_text(report: Report) -> str:
    """Return the line about a game: ``path#1: irregular, 78 plies, 1-0, 1 error``; a count of 0 is left out."""
    parts = [report.verdict, count(report.plies, "ply", "plies"), report.result]
    if report.findings:
        counts = Counter(finding.severity for finding in report.findings)
        parts += [count(counts[severity], severity) for severity in ("error", "remark") if counts[severity]]
        if counts["undecided"]:
            parts.append(f"{counts['undecided']} undecided")
    return f"{report.path}#{report.index}: {', '.join(filter(None, parts))}"


def report_json(report: Report) -> bytes:
    """Return a report as one JSON object, without a line break.

    Of a finding it leaves out ``plies`` and ``stuck`` if they are empty.
    """
    if not report.findings:
        return msgspec.json.encode(report)
    return msgspec.json.encode(report_fields(report))


class Totals:
    """Counts games by verdict, and says whether any of them counts as a failure."""

    def __init__(self, fail_on: str = "error") -> None:
        """Begin with no game.

        Args:
            fail_on: The lowest severity that is a failure: error, undecided or remark; or the verdict unjudged.
        """
        severities = ("error", "undecided", "remark")
        self.failing = severities[: severities.index(fail_on) + 1] if fail_on in severities else severities[:1]
        self.verdict = fail_on
        self.verdicts: Counter[str] = Counter()
        self.has_failed = False

    def add(self, report: Report) -> None:
        """Count a game by its verdict, and note whether it makes the whole run fail.

        It does if it is unreadable, has the verdict that is to fail, or has a finding of a severity that is to fail.
        """
        self.verdicts[report.verdict] += 1
        if report.verdict in ("unreadable", self.verdict) or any(f.severity in self.failing for f in report.findings):
            self.has_failed = True

    def lines(self, faults: Sequence[str]) -> Iterator[str]:
        """Yield each fault as a sentence after ``cartulary: ``, then the totals.

        No totals for faults without any game.
        """
        for sentence in faults:
            yield f"cartulary: {sentence}"
        if self.verdicts or not faults:
            yield str(self)

    def __str__(self) -> str:
        """Return the totals: ``3 games: 2 legal, 1 irregular``."""
        parts = [f"{self.verdicts[verdict]} {verdict}" for verdict in VERDICTS if self.verdicts[verdict]]
        return f"{count(self.verdicts.total(), 'game')}{': ' if parts else ''}{', '.join(parts)}"


def stderr_is_free() -> bool:
    """Say whether a progress bar would disturb nothing: standard error is a terminal, and standard output is not."""
    return terminal(sys.stderr) and not terminal()


# --- the story of one ply ---


def story_lines(name: str, story: Story) -> Iterator[str]:
    """Yield the story of a ply as `why` prints it, folded to the terminal.

    The first line is ``club.cgn, ply 17: 4Ci3``, with the seat if the word does not name it.

    Args:
        name: The record, as the first line names it.
        story: The story: what was found on the ply, and how that was decided.
    """
    by = f" by {story.seat}" if story.seat not in ("", "p0") and not story.word.startswith("p") else ""
    yield from wrap(f"{name}, ply {story.ply}: {story.word}{by}")
    for label, text in story_parts(story):
        yield from part_lines(label, text)


def part_lines(label: str, text: str) -> list[str]:
    """Return one part of a story as lines, folded to the terminal: ``    rule    A card must be …``.

    Args:
        label: What the part is, such as ``rule``, at most seven characters.
        text: The part.
    """
    return wrap(f"{INDENT}{label:<8}{text}", INDENT + " " * 8)


# --- disputes and rulings ---


def put_docket(docket: "api.DocketText", indent: str = "", names: Sequence[str] = ()) -> None:
    """Print the disputes and rulings, a paragraph each.

    Args:
        docket: The disputes and rulings.
        indent: What each line begins with.
        names: The players' names, in seat order, to stand in place of ``p1`` and so on; without any the seats stay.
    """
    for text in docket.texts(names):
        for line in wrap(indent + text, indent + "    "):
            put(line)


def docket_of(record: Record, viewer: Viewer) -> "api.DocketText":
    """Return the disputes and rulings that a score sheet has in its comments, as a viewer may read them.

    A sheet with moves but without commands in its comments has none.
    """
    has_commands = any("[%" in comment for note in record.line.notes.values() for comment in note.comments)
    return api.docket_on_paper(record, viewer) if has_commands or not record.line.words else api.DocketText()
