"""The texts of the scribe: findings, lists and the help."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from cartulary.cli.scribe.line import VERBS
from cartulary.notation import Finding
from cartulary.notation.arbiter.finding import legal_text
from cartulary.records import desk

INDENT = " " * 4

# --- after Enter ---


def answer_lines(answers: Sequence[desk.WordAnswer]) -> Iterator[str]:
    """Yield the verdicts on words: those that are simply legal in one line, the others with their findings.

    Words are printed in canonical spelling, so a remark that a word was typed differently is left out.
    """
    plainly = ("legal", "quiet")
    for plain, group in groupby(answers, lambda answer: answer.verdict in plainly and not any(_worth_telling(answer))):
        batch = list(group)
        if plain:
            plies = f"plies {batch[0].ply}–{batch[-1].ply}" if len(batch) > 1 else f"ply {batch[0].ply}"
            verdict = "legal" if batch[0].verdict == "legal" else "written"
            yield f"{plies}, {' '.join(answer.text for answer in batch)}: {verdict}"
            continue
        for answer in batch:
            stands = " but let stand" if answer.stored and answer.verdict == "refused" else ""
            yield f"ply {answer.ply}, {answer.quoted}: {answer.verdict}{stands}"
            for finding in _worth_telling(answer):
                yield from finding_lines(finding, answer.ply)


def _worth_telling(answer: desk.WordAnswer) -> Iterator[Finding]:
    respelled = answer.verdict == "refused" and not answer.stored
    return (finding for finding in answer.told if finding.key != "cgn.mark" or respelled)


def finding_lines(finding: Finding, ply: int) -> Iterator[str]:
    """Yield a finding: what was found and why, then its rule, its source and the legal moves.

    Args:
        finding: The finding.
        ply: The ply it is printed under; a finding of another ply is headed by its own.
    """
    where = f"ply {finding.ply}, {finding.move}: " if finding.ply != ply else ""
    yield f"  {where}{finding.severity} {finding.key} {finding.because}"
    legal = legal_text(finding)
    proved = f"by ply {finding.decided_by}" if finding.decided_by else ""
    for label, text in (("rule", finding.rule), ("source", finding.source), ("proved", proved), ("legal", legal)):
        if text:
            yield f"{INDENT}{label:<8}{text}"


def summary_lines(finding: Finding) -> Iterator[str]:
    """Yield a finding as `check` lists it, its ply first."""
    seat = f" by {finding.seat}" if finding.seat else ""
    where = f"ply {finding.ply}, {finding.move}{seat}" if finding.ply else "set-up and tags"
    proved = f", proved by ply {finding.decided_by}" if finding.decided_by and not finding.plies else ""
    yield f"{where}: {finding.severity} {finding.key}{proved}"
    yield f"{INDENT}{finding.because}"
    if finding.rule:
        yield f"{INDENT}{'rule':<8}{finding.rule}"


def help_lines() -> Iterator[str]:
    """Yield the help of the line: moves, keys, commands; short enough to be seen at once at 80 by 24."""
    yield "Type moves as on a score sheet, one or more; a time such as 0:12:30 may follow."
    yield "Enter stores them. A refused move is not stored unless you type `stands`."
    yield "Tab completes, Enter accepts the choice; Up recalls earlier lines; Ctrl-U"
    yield "clears the line; PageUp and PageDown scroll; Ctrl-C and Ctrl-D leave."
    for form, does in VERBS.values():
        yield f"  {form:<30}{does}"
    yield "Draw, Agree, Resign, Timeout: calls by the seat to move; p2/Draw: by p2."
