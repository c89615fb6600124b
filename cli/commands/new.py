"""The commands on live records: open a game, write its moves, close it; ``correcting`` has the rest.

Each is one call of the desk. What the rules say of a move is data, on standard output; that a record was not written
is a message and an exit code.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from cartulary.cli.commands.amend import amend, clock, note, undo
from cartulary.cli.shell.console import FINDINGS, coloured, fail, leave, put, put_json, say, terminal
from cartulary.cli.shell.findings import paint, wrapped
from cartulary.cli.shell.table import (
    By,
    Command,
    Db,
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
    seat_of,
)

if TYPE_CHECKING:
    from cartulary.records.desk import Planned, Played


def register(app: typer.Typer) -> None:
    """Add these commands, and those of ``correcting``, to the application."""
    for command in (new, tag, move, undo, amend, note, clock, close, reopen, log):
        app.command(command.__name__)(command)


# --- opening ---


def new(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Key or title: see `games`.")],
    id: Annotated[str, typer.Option("--id", help="What to call it; a short id is made up without.")] = "",
    variant: Annotated[str, typer.Option("--variant", help="One of the game's variants.")] = "",
    options: Annotated[str, typer.Option("--options", metavar="TEXT", help="As in the Options tag.")] = "",
    setup: Annotated[str, typer.Option("--setup", metavar="TEXT", help="As in the Setup tag.")] = "",
    player: Annotated[
        list[str] | None, typer.Option("--player", "-p", metavar="NAME", help="In the order of the seats.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option("--seats", min=1, metavar="N", help="How many; else as many as there are players.")
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", "-t", metavar="NAME=VALUE", help="Any other tag, such as Event.")
    ] = None,
    by: By = "",
    command: Command = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Open a live record and print its id.

    \b
    Example:
      cartulary new cardmate --id evening --player Ada --player Bela
    """
    from cartulary.records import desk

    tags = {"Variant": variant, "Options": options, "Setup": setup}
    tags = {name: value for name, value in tags.items() if value} | _pairs(tag or [])
    plan = desk.plan(game, tags, player or [], seats or 0)
    names = _seated(plan, player or []) if player and plan.unnamed and not seats else player or []
    with opened(db, create=True) as store:
        answer = desk.open_game(store, game, id=id, tags=tags, players=names, seats=seats or 0, by=by, command=command)
    if json:
        put_json(answer)
    else:
        put(answer.id)
    taken = "".join(_taken(plan, "Variant" in tags, bool(player or seats)))
    if taken:
        say(f"cartulary: {answer.id} is {plan.title}{taken}")


def _seated(plan: "Planned", names: list[str]) -> list[str]:
    """Return a name for every seat, those not given asked for; ends the program where nobody can be asked."""
    unknown = '--player "?" stands for who is not known'
    if not (terminal(sys.stdin) and terminal(sys.stderr)):
        named = len(plan.seats) - len(plan.unnamed)
        fail(f"{plan.title} has {len(plan.seats)} seats, and {named} of them a name; {unknown}{_others(plan)}")
    say(f"cartulary: {plan.title} has {len(plan.seats)} seats{_others(plan)}")
    return [*names, *(_asked(plan, seat) for seat in range(len(names) + 1, len(plan.seats) + 1))]


def _asked(plan: "Planned", seat: int) -> str:
    tag = plan.seats[seat - 1]
    if tag not in plan.unnamed:
        return "?"
    return str(typer.prompt(f"p{seat}, {tag} (Enter: not known)", default="?", show_default=False, err=True))


def _taken(plan: "Planned", chosen: bool, counted: bool) -> Iterator[str]:
    """Yield what was taken where nobody said, and what else there is."""
    variants = [name for name in plan.variants if name != plan.variant and not chosen]
    seats = "" if counted else _others(plan)
    if variants:
        yield f", {plan.variant}"
    if seats:
        yield f", {len(plan.seats)} seats"
    if variants:
        yield f"; --variant takes another: {', '.join(variants)}"
    yield seats


def _others(plan: "Planned") -> str:
    from cartulary.notation.arbiter.heading import either

    others = tuple(count for count in plan.counts if count != len(plan.seats))
    return f"; --seats other numbers: {either(others)}" if others else ""


def _pairs(texts: Iterable[str]) -> dict[str, str]:
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            fail(f"{text!r} is no tag; expected NAME=VALUE, such as Event=Club")
        pairs[name] = value
    return pairs


def tag(
    id: Id,
    tags: Annotated[
        list[str], typer.Argument(metavar="NAME=VALUE…", help="Tags such as Event=Club; an empty value removes.")
    ],
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Write names, event, date and the like anew, in a closed game too.

    Seats can be given other names, and the tags a game was set up with stay.

    \b
    Example:
      cartulary tag evening "Event=Club evening" Rearhand=Bela Round=
    """
    from cartulary.records import desk

    pairs = _pairs(tags)
    put_, drop = {name: value for name, value in pairs.items() if value}, [name for name in pairs if not pairs[name]]
    whose, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.change_tags(store, id, put_, drop=drop, by=by, command=command, expected=expected, seat=whose)
    if json:
        put_json(answer)
        return
    for name, value in answer.tags:
        put(f'{id}: {name} "{value}"')


# --- playing ---


def move(
    id: Id,
    text: Annotated[list[str], typer.Argument(metavar="TEXT…", help="Moves as on a score sheet, numbers or not.")],
    stands: Stands = False,
    clock: Annotated[str, typer.Option("--clock", metavar="H:MM:SS", help="Time left after the last move.")] = "",
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Write moves, all or none, and say what the rules say of each.

    Ends with 1 when a move is refused; with --stands it is kept all the same.

    \b
    Example:
      cartulary move evening 4Ci3 4Db6
    """
    from cartulary.records import desk

    whose, by = asker(seat, by)
    with opened(db) as store:
        answers = desk.play(
            store,
            id,
            " ".join(text),
            by=by,
            command=command,
            expected=expected,
            stands=stands,
            clock=clock,
            seat=whose,
        )
    for answer in answers:
        if json:
            findings = [finding_fields(found) for found in answer.findings]
            put_json(
                {
                    "id": answer.id,
                    "version": answer.version,
                    "ply": answer.ply,
                    "verdict": answer.verdict,
                    "findings": findings,
                }
            )
        else:
            _put_played(answer)
    if not answers[-1].stored:
        say(not_stored(answers[-1].blocks))
    leave(FINDINGS if any(answer.verdict == "refused" for answer in answers) else 0)


def _put_played(answer: "Played") -> None:
    verdict = answer.verdict + (" but stands" if answer.stored and answer.verdict == "refused" else "")
    kind = "error" if answer.verdict == "refused" else answer.verdict
    put(f"{answer.id}: ply {answer.ply}, {answer.text}: {paint(verdict, kind, coloured())}")
    put_findings(answer.findings)


# --- closing, the log ---


def close(
    id: Id,
    result: Annotated[str, typer.Argument(metavar="[RESULT]", help="Such as 1-0; without, what the moves say.")] = "",
    termination: Annotated[str, typer.Option("--termination", metavar="TEXT", help="As in the Termination tag.")] = "",
    score: Annotated[str, typer.Option("--score", metavar="TEXT", help="As in the Score tag.")] = "",
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Close a game; after that it can be amended, annotated, disputed and ruled on, until it is opened again.

    \b
    Example:
      cartulary close evening 1-0 --termination adjudication
    """
    from cartulary.records import desk

    whose, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.close(
            store,
            id,
            result,
            termination=termination,
            score=score,
            by=by,
            command=command,
            expected=expected,
            seat=whose,
        )
    if json:
        put_json(answer)
    else:
        put(f"{id}: closed, {answer.result}{f', {answer.termination}' if answer.termination else ''}")


def reopen(
    id: Id,
    reason: Reason = "",
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Open a closed game again, so that play goes on; its result is forgotten, and the log keeps it.

    \b
    Example:
      cartulary reopen evening --by arbiter --reason "closed too early"
    """
    from cartulary.records import desk

    whose, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.reopen(store, id, reason=reason, by=by, command=command, expected=expected, seat=whose)
    if json:
        put_json(answer)
    else:
        put(f"{id}: open again")


def log(id: Id, seat: SeatOf = "", json: Json = False, db: Db = None) -> None:
    """Show everything that was ever written of a game: who, when, what; then its head.

    \b
    Example:
      cartulary log evening
    """
    from cartulary.records import desk

    with opened(db) as store:
        lines = desk.log(store, id, seat_of(seat))
    for line in lines:
        if json:
            put_json(line)
        else:
            for piece in wrapped(f"{line.version:>4}  {line.at}  {line.by or '-':<8}  {line.says}", " " * 6):
                put(piece)
    if not json and not seat:
        put(f"head  {len(lines)}:{lines[-1].digest}")
