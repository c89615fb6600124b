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
from cartulary.records.dates import future_date
from cartulary.records.faults import Unfit, Unread

TIMEOUT = 5
"""Seconds to wait for another writer."""


@contextmanager
def open_log(db: str | None, create: bool = False) -> Iterator["api.Log"]:
    """Hold the database open inside the block; None means the default database.

    A text that cannot be read as a move ends the program with a sentence that names its column. Without ``create`` a
    database that is not there is not made.
    """
    with open_place(db_place(db), create=create, timeout=TIMEOUT) as store:
        try:
            yield store
        except Unread as fault:
            place = f"{fault.text}, column {fault.column}: " if fault.text else ""
            fail(f"{place}{fault}" if str(fault).endswith("?") else f"{place}{fault}.", USAGE)


def say_alike(id: str, differ: Mapping[str, tuple[str, str]]) -> None:
    """Report which players of a game may be somebody whom the archive knows by another spelling, and how to correct it.

    Args:
        id: The game.
        differ: By the tag of a seat, the name that was written and the known one.
    """
    for tag, (name, known_name) in differ.items():
        right = shlex.quote(f"{tag}={known_name}")
        sentence = f"{isolate(name)} is new here; other games have {isolate(known_name)}"
        say(f"cartulary: {sentence}. If that is one player: `tag {id} {right}`.")


def say_future(dates: Iterable[str]) -> None:
    """Report each typed date that is after today, once; a date that may be read as one that has come is passed over."""
    for day in dict.fromkeys(filter(None, map(future_date, dates))):
        say(f"cartulary: {day} is in the future.")


def say_faults(faults: Iterable[Exception]) -> int:
    """Report faults of stored games, and return the exit code that follows: 0 if there are none.

    A fault of what was asked gives that of wrong usage, damage the higher one of integrity.
    """
    code = 0
    for fault in faults:
        say(f"cartulary: {fault}")
        code = max(code, USAGE if isinstance(fault, Unfit) else INTEGRITY)
    return code


def put_reindexed(games: int, faults: Sequence[Exception], json: bool, with_positions: int | None = None) -> int:
    """Print how many games the index of lists and searches has now, and the faults of the others.

    Args:
        games: How many games were indexed.
        faults: What was wrong with the others.
        json: Whether to print JSON.
        with_positions: How many games have their positions indexed; None if that was not asked for.

    Returns:
        The exit code: 0 if there are no faults.
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
    """Return the sentence that nothing was stored, and how a refused move can be kept.

    An example is ``Nothing was stored. With --stands the move is kept and marked.``

    Args:
        blocks: Whether the refused move cannot be carried out, so that nothing can keep it.
        moves: How many moves were judged; the last of them was refused.
        keeper: What keeps a refused move, such as ``--stands``; empty if nothing can.
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
    """Print each finding with its rule, source and legal moves, indented so that it stands under its move."""
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


def put_tail(answer: "api.AmendAnswer") -> None:
    """Print how the plies after a correction stand, and the findings on the first of them that it broke.

    Nothing is printed if no ply follows the correction, and no finding if it broke none.
    """
    for text in tail_lines(answer):
        for line in wrap(f"{answer.id}: {text}"):
            put(line)
    if answer.conflict:
        put_findings(answer.conflicts)


def note_line(answer: "api.NoteAnswer", replaced: bool) -> str:
    """Return a line with what is noted on a ply now: ``! {sharp}``, or ``no annotation``.

    Args:
        answer: What was written.
        replaced: Whether to add what was noted before, if anything was, as in ``!, was: ?``. If nothing is noted any
            more, the line is then ``annotation removed, was: ?``.
    """
    before = answer.before if replaced else ""
    now = answer.text or ("annotation removed" if before else "no annotation")
    return " ".join((f"{now}, was: {before}" if before else now).split())


def board_line(answer: "api.BoardAnswer") -> str:
    """Return a line that says after which ply a board was stated, and that the moves agree if they do.

    On a quiet record nothing is said of agreement.
    """
    where = f"after ply {answer.ply}" if answer.ply else "before the first ply"
    return f"board stated {where}" + ("" if answer.findings or answer.quiet else ", which agrees with the moves")


def clock_line(answer: "api.ClockAnswer") -> str:
    """Return a line with the time left after a ply, and what was written there before.

    An example is ``ply 3: 0:12:30 left, was 0:13:00``; without an earlier time the second part is left out.
    """
    was = f", was {answer.before}" if answer.before else ""
    return f"ply {answer.ply}: {answer.clock} left{was}"
