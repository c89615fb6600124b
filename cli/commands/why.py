"""The arbiter's questions: what is open in a record, why a ply stands as it does, who can hold what."""

from collections.abc import Iterator
from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, USAGE, fail, leave, put, put_json
from cartulary.cli.shell.findings import INDENT, count, finding_fields, finding_lines, legal_text, wrapped
from cartulary.cli.shell.papers import Papers, papers_of
from cartulary.cli.shell.positions import RECORD, AsJson, At, Database, Name, position, seen_by
from cartulary.cli.shell.sources import STDIN, parse_source, read_one
from cartulary.cli.shell.table import SeatOf
from cartulary.notation import NotationError, Story, story

SHOWN = 8
"""Up to how many plies that told more are printed; of more, the first and the last ones."""


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    for command in (check, why, deal):
        app.command(command.__name__)(command)


# --- check ---


def check(name: Name = STDIN, seat: SeatOf = "", json: AsJson = False, db: Database = None) -> None:
    """List what is open and what is wrong in a record: questions nobody can answer yet, breaches, disputes, rulings.

    Ends with 1 when a rule was broken and no ruling lets it stand, or a dispute is open.

    \b
    Example:
      cartulary check "$(cartulary samples tarot)/table-open.cgn"
    """
    path = parse_source(name).name
    whole = read_one(name, db)
    record, whose = seen_by(whole, name, seat)
    papers = papers_of(whole, name, db, whose)
    report = papers.examine(record).report
    found = [one for one in report.findings if one.severity != "remark"]
    for finding in found:
        if json:
            put_json(finding_fields(finding))
            continue
        for line in finding_lines(path, finding):
            put(line)
    for fields in _papers_fields(papers) if json else ():
        put_json(fields)
    errors = sum(one.severity == "error" for one in found)
    disputed = sum(one.status == "open" for one in papers.disputes)
    if not json:
        Papers(papers.disputes, papers.rulings).put(f"{path}: ")
        told = [count(len(found) - errors, "open question"), count(errors, "breach", "breaches")]
        told += [count(disputed, "open dispute")] if papers.disputes else []
        told += [count(len(papers.rulings), "ruling")] if papers.rulings else []
        for line in wrapped(f"{path}#{report.index}: {', '.join(told)}"):
            put(line)
    leave(FINDINGS if errors or disputed or report.verdict == "unreadable" else 0)


def _papers_fields(papers: Papers) -> Iterator[dict[str, object]]:
    for dispute in papers.disputes:
        yield {"dispute": dispute}
    for ruling in papers.rulings:
        yield {"ruling": ruling}


# --- why ---


def why(
    name: Annotated[str, RECORD],
    ply: Annotated[int, typer.Argument(metavar="PLY", min=1, help="Which ply, from 1.")],
    seat: SeatOf = "",
    json: AsJson = False,
    db: Database = None,
) -> None:
    """Tell the story of one ply: its rule, what was known then, what became known when, the verdict now.

    \b
    Example:
      cartulary why "$(cartulary samples tarot)/table-revoke.cgn" 17
    """
    whole = read_one(name, db)
    record, whose = seen_by(whole, name, seat)
    try:
        told = story(record, ply)
    except NotationError as fault:
        fail(f"{name}: {fault.because}", USAGE if fault.key == "cgn.syntax" else FINDINGS)
    papers = papers_of(whole, name, db, whose).on(ply)
    if json:
        put_json(_story_fields(told) | papers.fields())
        return
    for line in story_lines(name, told):
        put(line)
    for text in papers.texts():
        label, _, said = text.partition(" ")
        for line in _part(label, said):
            put(line)


def story_lines(name: str, told: Story) -> Iterator[str]:
    """Yield the story of a ply as `why` prints it, folded to the terminal. name: of the record"""
    by = f" by {told.seat}" if told.seat not in ("", "p0") and not told.word.startswith("p") else ""
    yield from wrapped(f"{name}, ply {told.ply}: {told.word}{by}")
    if told.before:
        played = ", ".join(f"{word} by {seat}" for seat, word in told.before)
        yield from _part("after", f"{played} (move {told.round})")
    yield from _part("then", _then(told))
    for rule in told.rules if told.verdict != "legal" else ():
        yield from _part("rule", f"{rule.key}: {rule.says}")
        yield from _part("source", rule.source)
    later = told.then
    left = len(later) - SHOWN
    for at, one in enumerate(later):
        if left > 0 and SHOWN // 2 <= at < SHOWN // 2 + left:
            if at == SHOWN // 2:
                yield from _part("...", f"{count(left, 'more ply', 'more plies')} told something")
            continue
        yield from _part(f"ply {one.ply}", f"{one.word} by {one.seat}: {one.says}")
    yield from _now(told)


def _then(told: Story) -> str:
    if told.verdict == "legal" and not told.then:
        asked = f"; asked were {', '.join(rule.key for rule in told.rules)}" if told.rules else ""
        return f"legal: no rule speaks against it{asked}"
    return f"{told.verdict}: {told.because}" if told.because else told.verdict


def _now(told: Story) -> Iterator[str]:
    for finding in told.now:
        if finding.severity == "remark":
            yield from _part("remark", f"{finding.key}: {finding.because}")
        elif finding.severity == "undecided":
            yield from _part("now", f"undecided: {finding.because}")
        else:
            proved = f" (proved by ply {finding.decided_by})" if finding.decided_by else ""
            yield from _part("now", f"irregular, {finding.key}: {finding.because}{proved}")
            if finding.legal:
                yield from _part("legal", legal_text(finding))
    if all(finding.severity == "remark" for finding in told.now):
        if told.still:
            yield from _part("now", f"open, as an earlier ply is: {told.still}")
        elif told.verdict == "legal":
            yield from _part("now", "legal")
        else:
            yield from _part("now", "legal: its cards have been seen, and none was against it")


def _part(label: str, text: str) -> list[str]:
    return wrapped(f"{INDENT}{label:<8}{text}", INDENT + " " * 8)


def _story_fields(told: Story) -> dict[str, object]:
    import msgspec

    fields = msgspec.structs.asdict(told)
    fields["rules"] = [{"key": rule.key, "says": rule.says, "source": rule.source} for rule in told.rules]
    fields["now"] = [finding_fields(finding) for finding in told.now]
    return fields


# --- deal ---


def deal(name: Name = STDIN, at: At = None, seat: SeatOf = "", json: AsJson = False, db: Database = None) -> None:
    """Print who can hold what: every card that is not played, with the places it may lie in.

    \b
    Example:
      cartulary deal "$(cartulary samples tarot)/table-open.cgn"
    """
    found = position(name, at, db, seat)
    lines = found.game.script.whereabouts(found.state)
    if found.game.rules.FACE_UP and not json:
        put(f"; every card of {found.game.rules.TITLE} lies open")
    for cards, places in lines:
        if json:
            put_json({"cards": [card.strip() for card in cards.split(",")], "places": places})
            continue
        for line in wrapped(f"{cards}: {places}"):
            put(line)
