"""What the commands on live records share: the open database, and how findings and answers are printed."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from cartulary.cli.shell.console import INTEGRITY, USAGE, coloured, fail, put, put_json, say
from cartulary.cli.shell.findings import count, paint, wrap
from cartulary.cli.shell.places import db_place, open_place
from cartulary.notation import Finding
from cartulary.notation.arbiter.finding import legal_text
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api
from cartulary.records.answers import tail_lines
from cartulary.records.faults import Unfit, Unread

TIMEOUT = 5
"""Seconds to wait for another writer."""


@contextmanager
def open_log(db: str | None, create: bool = False) -> Iterator["api.Log"]:
    """Hold the database open; a fault in typed text ends the program with its place."""
    with open_place(db_place(db), create=create, timeout=TIMEOUT) as store:
        try:
            yield store
        except Unread as fault:
            place = f"{fault.text}, column {fault.column}: " if fault.text else ""
            fail(f"{place}{fault}" if str(fault).endswith("?") else f"{place}{fault}.", USAGE)


def say_alike(id: str, differ: Mapping[str, tuple[str, str]]) -> None:
    """Say which players of a game may be somebody whom the archive knows by another spelling.

    Args:
        id: The game.
        differ: By the tag of a seat, the name that was written and the known one.
    """
    for tag, (name, known_name) in differ.items():
        right = shlex.quote(f"{tag}={known_name}")
        sentence = f"{isolate(name)} is new here; other games have {isolate(known_name)}"
        say(f"cartulary: {sentence}. If that is one player: `tag {id} {right}`.")


def say_faults(faults: Iterable[Exception]) -> int:
    """Say what is wrong with games of the database; return the exit code that follows."""
    code = 0
    for fault in faults:
        say(f"cartulary: {fault}")
        code = max(code, USAGE if isinstance(fault, Unfit) else INTEGRITY)
    return code


def put_listed(games: int, faults: Sequence[Exception], json: bool, with_positions: int | None = None) -> int:
    """Say how many games were listed again.

    Args:
        games: How many.
        faults: What was wrong with the others.
        json: Whether to write JSON.
        with_positions: How many games have their positions indexed; None if that was not asked for.

    Returns:
        The exit code.
    """
    code = say_faults(faults)
    if json:
        positions = {} if with_positions is None else {"positions": with_positions}
        put_json({"games": games, "faults": [str(fault) for fault in faults]} | positions)
    else:
        indexed = "" if with_positions is None else f", the positions of {count(with_positions, 'game')} indexed"
        put(f"{count(games, 'game')} listed{indexed}")
    return code


def not_stored(blocks: bool, moves: int = 1, keeper: str = "--stands") -> str:
    """Return why nothing was stored, and what can be done.

    Args:
        blocks: Whether the refused move cannot be carried out, so that nothing can keep it.
        moves: How many moves were judged; the last of them was refused.
        keeper: What keeps a refused move, empty if a later one could not be kept.
    """
    several = moves > 1
    what = f"None of these {moves} moves was stored" if several else "Nothing was stored"
    if blocks:
        return f"{what}; {'the last' if several else 'this'} cannot be carried out, so {keeper} cannot keep it."
    if not keeper:
        return f"{what}."
    promise = "they are kept, and refused ones marked" if several else "the move is kept and marked"
    return f"{what}. With {keeper} {promise}."


DRY = "Nothing was stored; this is what would change."


def put_findings(findings: Iterable[Finding]) -> None:
    """Write each finding with its rule, source and legal moves, indented under the move."""
    for finding in findings:
        first, *rest = wrap(f"  {finding.severity} {finding.key} {finding.because}")
        put(first.replace(finding.severity, paint(finding.severity, finding.severity, coloured()), 1))
        proved = f"by ply {finding.decided_by}" if finding.decided_by else ""
        ply = f"{finding.move} (ply {finding.ply})" if proved else ""
        legal = legal_text(finding)
        details = (
            ("move", ply),
            ("rule", finding.rule),
            ("source", finding.source),
            ("proved", proved),
            ("legal", legal),
        )
        lines = [line for name, text in details if text for line in wrap(f"    {name:<8}{text}", " " * 12)]
        for line in (*rest, *lines):
            put(line)


# --- answers in lines ---


def put_tail(answer: "api.Amended") -> None:
    """Say how the plies after a correction stand, and what it broke."""
    for text in tail_lines(answer):
        for line in wrap(f"{answer.id}: {text}"):
            put(line)
    if answer.conflict:
        put_findings(answer.conflicts)


def note_line(answer: "api.Noted", replaced: bool) -> str:
    """Return in one line what is noted on a ply now, with what it took the place of."""
    before = answer.before if replaced else ""
    now = answer.text or ("annotation removed" if before else "no annotation")
    return " ".join((f"{now}, was: {before}" if before else now).split())


def board_line(answer: "api.BoardAnswer") -> str:
    """Return in one line that a board was stated, and whether the moves agree."""
    where = f"after ply {answer.ply}" if answer.ply else "before the first ply"
    return f"board stated {where}" + ("" if answer.findings or answer.quiet else ", which agrees with the moves")


def clock_line(answer: "api.Timed") -> str:
    """Return what is left on the clock after a ply, and what was written there before."""
    was = f", was {answer.before}" if answer.before else ""
    return f"ply {answer.ply}: {answer.clock} left{was}"
