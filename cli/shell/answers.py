"""What the desk answers, as lines and as fields: a correction with its tail, a note, a time."""

import msgspec

from cartulary.cli.shell.console import put
from cartulary.cli.shell.findings import wrapped
from cartulary.cli.shell.live import put_findings
from cartulary.records import desk


def amended_fields(answer: "desk.Amended") -> dict[str, object]:
    """Return every field of a correction, its findings as `found_fields` has them."""
    fields = msgspec.structs.asdict(answer)
    for name in ("findings", "conflicts", "before"):
        fields[name] = [desk.found_fields(found) for found in fields[name]]
    return fields


def put_tail(answer: "desk.Amended") -> None:
    """Say how the plies behind a correction stand, and by which numbers, where those moved."""
    moved = len(answer.words) - len(answer.old)
    if answer.stored and answer.tail[0] and moved:
        first, last = answer.tail
        verb = "would be" if answer.dry else "is now" if first == last else "are now"
        put(
            f"{answer.id}: {'ply' if first == last else 'plies'} {_span(first - moved, last - moved)} {verb} "
            f"{_span(first, last)}"
        )
    for ply, word, before, now in answer.passed:
        put(f"{answer.id}: ply {ply}, {word}, passes from p{before} to p{now}")
    if answer.conflict:
        put(f"{answer.id}: first conflict at ply {answer.conflict}{_unread(answer)}")
        put_findings(answer.conflicts)
    elif answer.stored and answer.tail[0]:
        for line in wrapped(f"{answer.id}: {_tail(answer)}"):
            put(line)


def _tail(answer: "desk.Amended") -> str:
    """Say how the plies behind a correction stand that broke none of them."""
    plies = _span(*answer.tail)
    if not answer.before and not answer.unread:
        return f"{plies} still legal"
    says = {"error": "still breaks", "undecided": "leaves open"}
    known = [f"ply {found.ply} {says[found.severity]} {found.key}" for found in answer.before]
    return f"{plies} as before{': ' if known else ''}{', '.join(known)}{_unread(answer)}"


def _span(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else str(first)


def _unread(answer: "desk.Amended") -> str:
    return f"; unread from ply {answer.unread} on" if answer.unread else ""


def noted(answer: "desk.Noted", replaced: bool) -> str:
    """Return in one line what is noted on a ply now, with what it took the place of."""
    before = f", before: {answer.before}" if replaced and answer.before else ""
    return " ".join(f"{answer.text or 'no annotation'}{before}".split())


def boarded(answer: "desk.BoardAnswer") -> str:
    """Return in one line that a board was stated, and whether the moves agree."""
    where = f"after ply {answer.ply}" if answer.ply else "before the first ply"
    return f"board stated {where}" + ("" if answer.findings or answer.quiet else ", as the moves have it")


def timed(answer: "desk.Timed") -> str:
    """Return what is left on the clock after a ply, and what was written there before."""
    was = f", was {answer.before}" if answer.before else ""
    return f"ply {answer.ply}: {answer.clock} left{was}"
