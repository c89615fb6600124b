"""The record at the scribe's table as far as the scribe may see it, and what can be asked of it.

Nothing is written here. With a seat everything is worked out from the record as that seat has seen it.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cartulary.cli.scribe.line import VERBS
from cartulary.cli.scribe.words import summary_lines
from cartulary.cli.shell.findings import count, story_lines
from cartulary.engine.calls import WORDS
from cartulary.notation import NotationError
from cartulary.records import desk
from cartulary.records.faults import Declined

QUIETLY = "Moves are not listed while verdicts are kept quiet."


# --- completion ---


def offers(view: desk.View, text: str) -> tuple[desk.Offer, ...]:
    """Return what may stand in place of a line's last word: legal moves, those undecided last, calls, commands.

    Words that begin with what is typed; if there are none, moves that contain it.
    """
    *before, prefix = text.split(" ")
    typed = [word for word in before if word]
    if typed and typed[0].removeprefix("/") == "stands":
        del typed[0]
    moves = desk.judged(view, " ".join(typed))
    calls = [desk.Offer(word, "call") for word in WORDS] if prefix else []
    verbs = [desk.Offer(verb, "command") for verb in VERBS] if prefix and not typed else []
    begun = tuple(offer for offer in (*moves, *calls, *verbs) if offer.word.startswith(prefix))
    return begun or tuple(offer for offer in moves if prefix in offer.word)


# --- questions ---


def legal_lines(view: desk.View, card: str) -> Iterator[str]:
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
    moves, position = tuple(offer for offer in desk.judged(view) if card.lower() in offer.word.lower()), view.found
    of = f" of {card}" if card else ""
    suffix = "" if view.actors and position.game.rules.complete(position.state) else " can be listed"
    yield " ".join(offer.word for offer in moves if not offer.says) or f"no legal move{of}{suffix}"
    undecided = [offer.word for offer in moves if offer.says]
    if undecided:
        yield f"undecided: {' '.join(undecided)}"
    if view.actors and not position.game.rules.complete(position.state):
        yield "Not every legal move can be listed here."


def check_lines(view: desk.View) -> Iterator[str]:
    """Yield what is wrong and what is open in the record, its disputes and rulings, and how many there are of each."""
    findings = [finding for finding in view.findings if finding.severity != "remark" and not view.muted]
    for finding in findings:
        yield from summary_lines(finding)
    docket = view.docket
    yield from replace(docket, times=(), sheets=()).texts()
    if view.muted:
        yield desk.quiet_text(view.id)
        return
    errors = sum(finding.severity == "error" for finding in findings)
    disputed = sum(finding.status == "open" for finding in docket.disputes)
    totals = [count(len(findings) - errors, "open question"), count(errors, "breach", "breaches")]
    totals += [count(disputed, "open dispute")] if docket.disputes else []
    totals += [count(len(docket.rulings), "ruling")] if docket.rulings else []
    yield ", ".join(totals)


def why_lines(view: desk.View, ply: int) -> Iterator[str]:
    """Yield the story of a ply, 0 for the last.

    Raises:
        Declined: There is no such ply, or it cannot be read.
    """
    if view.muted:
        yield desk.quiet_text(view.id)
        return
    ply = ply or view.found.ply
    try:
        story = view.docket.story(view.record, ply, view.examination.walk)
    except NotationError as fault:
        raise Declined(f"{fault.because[:1].upper()}{fault.because[1:]}.") from None
    yield from story_lines(view.id, story)
    yield from view.docket.on(ply).texts()
