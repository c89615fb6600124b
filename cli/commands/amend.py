"""The commands that correct and annotate a live record; the log keeps what stood there before."""

from typing import TYPE_CHECKING, Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, fail, leave, put, put_json, say
from cartulary.cli.shell.findings import count, wrapped
from cartulary.cli.shell.table import (
    DRY,
    By,
    Command,
    Db,
    DryRun,
    Expected,
    Id,
    Json,
    Reason,
    SeatOf,
    Stands,
    asker,
    finding_fields,
    not_stored,
    opened,
    put_findings,
)

if TYPE_CHECKING:
    from cartulary.records.desk import Amended, Noted, Timed


def undo(
    id: Id,
    plies: Annotated[int, typer.Argument(metavar="[N]", help="How many plies.")] = 1,
    agreed: Annotated[str, typer.Option("--agreed", metavar="WHO", help="Who agreed to it.")] = "",
    reason: Reason = "",
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Take back the last plies; the log keeps them.

    \b
    Example:
      cartulary undo evening 2 --by p1 --agreed p2
    """
    from cartulary.records import desk

    whose, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.take_back(
            store,
            id,
            plies,
            by=by,
            agreed=agreed,
            reason=reason,
            command=command,
            expected=expected,
            seat=whose,
        )
    if json:
        put_json(answer)
    else:
        put(f"{id}: took back {' '.join(answer.words)}; {count(answer.plies, 'ply stands', 'plies stand')}")


def amend(
    id: Id,
    ply: Annotated[int, typer.Argument(metavar="PLY", help="The first ply to correct, from 1.")],
    text: Annotated[list[str] | None, typer.Argument(metavar="TEXT…", help="What was really played.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take the ply away; the tail moves up.")] = False,
    insert: Annotated[bool, typer.Option("--insert", help="Put TEXT before the ply; the tail moves down.")] = False,
    plies: Annotated[
        int | None,
        typer.Option("--plies", min=1, metavar="N", help="How many plies give way; else as many as TEXT has."),
    ] = None,
    reason: Reason = "",
    stands: Stands = False,
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    dry_run: DryRun = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Correct what was written, in a closed game too; the tail is kept and judged again.

    Ends with 1 when the new moves are refused or the tail breaks.

    \b
    Example:
      cartulary amend evening 5 3Cd3 --by arbiter --reason "both remember d3"
    """
    from cartulary.records import desk

    if remove == bool(text) or (insert and (remove or plies)):
        fail("give TEXT to correct, --insert TEXT to put it before the ply, or --remove alone")
    replaced = 0 if insert else plies or (1 if remove else None)
    whose, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.amend(
            store,
            id,
            ply,
            desk.words_of(" ".join(text or [])),
            replaced=replaced,
            by=by,
            reason=reason,
            command=command,
            expected=expected,
            seat=whose,
            stands=stands,
            dry=dry_run,
        )
    if json:
        put_json(amended_fields(answer))
    else:
        _put_amended(answer)
    if not answer.stored:
        say(not_stored(answer.blocks))
    elif answer.dry:
        say(DRY)
    errors = any(found.severity == "error" for found in answer.findings)
    leave(FINDINGS if errors or answer.conflict else 0)


def amended_fields(answer: "Amended") -> dict[str, object]:
    """Return every field of a correction, its findings as `finding_fields` has them."""
    import msgspec

    fields = msgspec.structs.asdict(answer)
    for name in ("findings", "conflicts", "before"):
        fields[name] = [finding_fields(found) for found in fields[name]]
    return fields


def _put_amended(answer: "Amended") -> None:
    old, new_words = " ".join(answer.old), " ".join(answer.words)
    if not answer.old:
        what = f"{new_words} put there"
    else:
        what = f"{old} is now {new_words}" if answer.words else f"{old} removed"
    put(
        f"{answer.id}: ply {answer.ply}, {what}"
        if answer.stored
        else f"{answer.id}: ply {answer.ply}, {new_words}: refused"
    )
    put_findings(answer.findings)
    put_tail(answer)


def put_tail(answer: "Amended") -> None:
    """Say how the plies behind a correction stand, and by which numbers, where those moved."""
    moved = len(answer.words) - len(answer.old)
    if answer.stored and answer.tail[0] and moved:
        first, last = answer.tail
        verb = "would be" if answer.dry else "is now" if first == last else "are now"
        put(
            f"{answer.id}: {'ply' if first == last else 'plies'} {_span(first - moved, last - moved)} {verb} "
            f"{_span(first, last)}"
        )
    if answer.conflict:
        put(f"{answer.id}: first conflict at ply {answer.conflict}{_unread(answer)}")
        put_findings(answer.conflicts)
    elif answer.stored and answer.tail[0]:
        for line in wrapped(f"{answer.id}: {_tail(answer)}"):
            put(line)


def _tail(answer: "Amended") -> str:
    """Say how the plies behind a correction stand that broke none of them."""
    plies = _span(*answer.tail)
    if not answer.before and not answer.unread:
        return f"{plies} still legal"
    says = {"error": "still breaks", "undecided": "leaves open"}
    known = [f"ply {found.ply} {says[found.severity]} {found.key}" for found in answer.before]
    return f"{plies} as before{': ' if known else ''}{', '.join(known)}{_unread(answer)}"


def _span(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else str(first)


def _unread(answer: "Amended") -> str:
    return f"; unread from ply {answer.unread} on" if answer.unread else ""


def note(
    id: Id,
    ply: Annotated[int, typer.Argument(metavar="PLY", min=0, help="From 1; 0 is the game as a whole.")],
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT", help="Words; a glyph such as ! and a variation such as (8Dj2 8Ca7) before them."
        ),
    ] = None,
    glyph: Annotated[
        list[str] | None, typer.Option("--glyph", metavar="SIGN", help="! ? !! ?? !? ?! or a code such as $14.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", "--remove", help="Take away first what was noted, all of it.")
    ] = False,
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Annotate a ply, or the game: add words, glyphs and variations to what is noted there.

    \b
    Example:
      cartulary note evening 3 "! the plan of the evening"
    """
    from cartulary.records import desk

    if text is None and glyph is None and not replace:
        fail("give a TEXT, a --glyph or --replace")
    whose, by = asker(seat, by)
    with opened(db) as store:
        noting = desk.read_noting(" ".join(text or []))
        answer = desk.annotate(
            store,
            id,
            ply,
            noting.comment,
            glyphs=(*map(desk.glyph_code, glyph or ()), *noting.glyphs),
            variations=noting.variations,
            replace=replace,
            by=by,
            command=command,
            expected=expected,
            seat=whose,
        )
    if json:
        put_json(answer)
    else:
        put(f"{id}: {f'ply {ply}' if ply else 'the game'}: {noted(answer, replace)}")


def noted(answer: "Noted", replaced: bool) -> str:
    """Return in one line what is noted on a ply now, with what it took the place of."""
    before = f", before: {answer.before}" if replaced and answer.before else ""
    return " ".join(f"{answer.text or 'no annotation'}{before}".split())


def clock(
    id: Id,
    ply: Annotated[int, typer.Argument(metavar="PLY", min=1, help="Which ply, from 1.")],
    time: Annotated[str, typer.Argument(metavar="H:MM:SS", help="The time left after it.")],
    reason: Reason = "",
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Write the time left after a ply, or correct it, in a closed game too.

    \b
    Example:
      cartulary clock evening 3 0:12:30 --by arbiter --reason "read off the wrong clock"
    """
    from cartulary.records import desk

    whose, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.set_clock(
            store, id, ply, time, by=by, reason=reason, command=command, expected=expected, seat=whose
        )
    if json:
        put_json(answer)
    else:
        put(f"{id}: {timed(answer)}")


def timed(answer: "Timed") -> str:
    """Return what is left on the clock after a ply, and what was written there before."""
    was = f", was {answer.before}" if answer.before else ""
    return f"ply {answer.ply}: {answer.clock} left{was}"
