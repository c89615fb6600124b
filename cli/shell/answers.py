"""What the desk answers, in lines: a correction with its tail, a note, a time."""

from cartulary.cli.shell.console import put
from cartulary.cli.shell.findings import wrapped
from cartulary.cli.shell.live import put_findings
from cartulary.records import desk


def put_tail(answer: "desk.Amended") -> None:
    """Say how the plies after a correction stand, and what it broke."""
    for text in desk.tail_lines(answer):
        for line in wrapped(f"{answer.id}: {text}"):
            put(line)
    if answer.conflict:
        put_findings(answer.conflicts)


def note_line(answer: "desk.Noted", replaced: bool) -> str:
    """Return in one line what is noted on a ply now, with what it took the place of."""
    before = answer.before if replaced else ""
    now = answer.text or ("annotation removed" if before else "no annotation")
    return " ".join((f"{now}, was: {before}" if before else now).split())


def board_line(answer: "desk.BoardAnswer") -> str:
    """Return in one line that a board was stated, and whether the moves agree."""
    where = f"after ply {answer.ply}" if answer.ply else "before the first ply"
    return f"board stated {where}" + ("" if answer.findings or answer.quiet else ", which agrees with the moves")


def clock_line(answer: "desk.Timed") -> str:
    """Return what is left on the clock after a ply, and what was written there before."""
    was = f", was {answer.before}" if answer.before else ""
    return f"ply {answer.ply}: {answer.clock} left{was}"
