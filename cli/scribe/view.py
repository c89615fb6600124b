"""The record at the scribe's table as far as the scribe may see it, what can be asked of it, and how answers read.

Nothing is written here. With a seat everything is worked out from the record as that seat has seen it.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from cartulary.cli.scribe.line import VERBS
from cartulary.cli.shell.findings import count, story_lines
from cartulary.engine.calls import WORDS
from cartulary.notation import Finding, NotationError
from cartulary.notation.arbiter.finding import legal_text, verdict_text
from cartulary.notation.seat_names import name_seats
from cartulary.records import api
from cartulary.records.faults import Declined
from cartulary.records.table.at_table import Offer, judged_offers
from cartulary.records.texts import quiet_text

QUIETLY = "Moves are not listed while verdicts are kept quiet."


# --- completion ---


def offers(view: api.View, text: str) -> tuple[Offer, ...]:
    """Return what can complete the last word of a line: legal moves, those undecided last, then calls, then commands.

    They begin with what was typed of the word; if none does, they are the moves that contain it. Calls are offered only
    once a letter was typed, and commands only for the first word.

    Args:
        view: The record as the scribe sees it.
        text: The line up to the cursor. The words before the last one are taken as moves.
    """
    *before, prefix = text.split(" ")
    typed = [word for word in before if word]
    if typed and typed[0].removeprefix("/") == "stands":
        del typed[0]
    moves = judged_offers(view, " ".join(typed))
    calls = [Offer(word, "call") for word in WORDS] if prefix else []
    verbs = [Offer(verb, "command") for verb in VERBS] if prefix and not typed else []
    begun = tuple(offer for offer in (*moves, *calls, *verbs) if offer.word.startswith(prefix))
    return begun or tuple(offer for offer in moves if prefix in offer.word)


# --- questions ---


def legal_lines(view: api.View, card: str) -> Iterator[str]:
    """Yield the legal moves, those that hidden cards leave undecided, and whether others may be legal too.

    Args:
        view: The record as the scribe sees it.
        card: List only moves that contain this text; empty for all.
    """
    if view.due:
        yield view.due
    if view.quietly:
        yield QUIETLY
        return
    moves, position = tuple(offer for offer in judged_offers(view) if card.lower() in offer.word.lower()), view.position
    of = f" of {card}" if card else ""
    suffix = "" if view.actors and position.game.rules.complete(position.state) else " can be listed"
    yield " ".join(offer.word for offer in moves if not offer.says) or f"no legal move{of}{suffix}"
    undecided = [offer.word for offer in moves if offer.says]
    if undecided:
        yield f"{verdict_text('undecided')}: {' '.join(undecided)}"
    if view.actors and not position.game.rules.complete(position.state):
        yield "Not every legal move can be listed here."


def check_lines(view: api.View) -> Iterator[str]:
    """Yield the errors and open questions of the record, its disputes and rulings, and a line that counts them.

    While verdicts are kept back there are no findings and no counts, but a line that says so.
    """
    findings = [finding for finding in view.findings if finding.severity != "remark" and not view.muted]
    for finding in findings:
        yield from (name_seats(line, view.players) for line in summary_lines(finding))
    docket = view.docket
    yield from replace(docket, times=(), sheets=()).texts(view.players)
    if view.muted:
        yield quiet_text(view.id)
        return
    errors = sum(finding.severity == "error" for finding in findings)
    disputed = sum(finding.status == "open" for finding in docket.disputes)
    totals = [count(len(findings) - errors, "open question"), count(errors, "breach", "breaches")]
    totals += [count(disputed, "open dispute")] if docket.disputes else []
    totals += [count(len(docket.rulings), "ruling")] if docket.rulings else []
    yield ", ".join(totals)


def why_lines(view: api.View, ply: int) -> Iterator[str]:
    """Yield the story of a ply: its rule, what was known then, the verdict now, and what was disputed and ruled there.

    While verdicts are kept back, only a line that says so.

    Args:
        view: The record as the scribe sees it.
        ply: The ply, 0 for the last.

    Raises:
        Declined: There is no such ply, or it cannot be read.
    """
    if view.muted:
        yield quiet_text(view.id)
        return
    ply = ply or view.position.ply
    try:
        story = view.docket.story(view.record, ply, view.examination.walk)
    except NotationError as fault:
        raise Declined(f"{fault.because[:1].upper()}{fault.because[1:]}.") from None
    yield from (name_seats(line, view.players) for line in story_lines(view.id, story))
    yield from view.docket.on(ply).texts(view.players)


# --- verdicts, findings and the help ---

INDENT = " " * 4

# --- after Enter ---


def answer_lines(answers: Sequence[api.WordAnswer]) -> Iterator[str]:
    """Yield the verdicts on words: those that are simply legal in one line, the others each with their findings.

    Words are printed in canonical spelling, so a remark that a word was typed differently is left out.
    """
    plainly = ("legal", "quiet")
    for plain, group in groupby(
        answers, lambda answer: answer.verdict in plainly and not any(_findings_to_show(answer))
    ):
        batch = list(group)
        if plain:
            plies = f"plies {batch[0].ply}–{batch[-1].ply}" if len(batch) > 1 else f"ply {batch[0].ply}"
            verdict = "legal" if batch[0].verdict == "legal" else "written"
            yield f"{plies}, {' '.join(answer.text for answer in batch)}: {verdict}"
            continue
        for answer in batch:
            stands = " but let stand" if answer.stored and answer.verdict == "refused" else ""
            yield f"ply {answer.ply}, {answer.quotation}: {verdict_text(answer.verdict)}{stands}"
            for finding in _findings_to_show(answer):
                yield from finding_lines(finding, answer.ply)


def _findings_to_show(answer: api.WordAnswer) -> Iterator[Finding]:
    """Yield the findings on a word, without a remark on its spelling, because it is printed in canonical spelling.

    On a refused word that was not stored that remark is yielded too.
    """
    respelled = answer.verdict == "refused" and not answer.stored
    return (finding for finding in answer.shown_findings if finding.key != "cgn.mark" or respelled)


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
    """Yield a finding as `check` lists it: a line with its ply, severity and key, then the reason, then the rule."""
    seat = f" by {finding.seat}" if finding.seat else ""
    where = f"ply {finding.ply}, {finding.move}{seat}" if finding.ply else "set-up and tags"
    proved = f", proved by ply {finding.decided_by}" if finding.decided_by and not finding.plies else ""
    yield f"{where}: {finding.severity} {finding.key}{proved}"
    yield f"{INDENT}{finding.because}"
    if finding.rule:
        yield f"{INDENT}{'rule':<8}{finding.rule}"


def help_lines() -> Iterator[str]:
    """Yield the help of the scribe's line, on fewer than 24 lines of at most 80 columns."""
    yield "Type moves as on a score sheet, one or more; a time such as 0:12:30 may follow."
    yield "Enter stores them, a refused move only with `stands`. Tab completes, and Enter"
    yield "accepts; Up recalls lines; Ctrl-U clears the line; Ctrl-C and Ctrl-D leave."
    for form, does in VERBS.values():
        yield f"  {form:<30}{does}"
    yield "Draw, Agree, Resign, Timeout: calls by the seat to move; p2/Draw: by p2."
