"""``csv``: records the finished games of a table, or writes them as one."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from cartulary.cli.shell.console import FINDINGS, fail, leave, os_fault, put, put_json, say
from cartulary.cli.shell.destination import write_file
from cartulary.cli.shell.filters import OfDate, OfEvent, OfGame, query_of
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import open_log, say_future
from cartulary.cli.shell.options import Db, Force, Json, SeatOf, for_everybody
from cartulary.cli.shell.spellings import say_new_spellings
from cartulary.records import api
from cartulary.records.exchange.results import TableAnswer, alike_line
from cartulary.records.exchange.results_csv import read_table
from cartulary.records.faults import decode_fault


def command(
    action: Annotated[str, typer.Argument(metavar="in|out", help="Record the games of a table, or write one.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="The table; - for standard output.")],
    columns: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help='TOML that names the columns: game = "Jeu".')
    ] = None,
    dry: Annotated[bool, typer.Option("--dry-run", help="Store nothing; show what would be recorded.")] = False,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Record the other games if some cannot be.")] = False,
    rename: Annotated[
        bool, typer.Option("--rename", help="Record a game under a new id if another game has its id here.")
    ] = False,
    game: OfGame = "",
    event: OfEvent = "",
    date: OfDate = "",
    force: Force = False,
    seat: SeatOf = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Record the finished games of a CSV table, a row a seat, or write those of the archive as one.

    The heads of the columns may be English, French or German. What is here already is not recorded again. If a row
    cannot be read, nothing is recorded, unless with --skip-bad.

    \b
    Example:
      cartulary csv out season.csv --date 2026
    """
    for_everybody(seat, "csv")
    if action == "out":
        with open_log(db) as store:
            text = api.write_table(store, query_of(game, None, event, date, "", "", "", "", ""))
        if file == "-":
            for line in text.splitlines():
                put(line)
        else:
            write_file(Path(file), [text.encode()], force)
        return
    if action != "in":
        fail(f"`csv {action}` is nothing; expected `csv in FILE` or `csv out FILE`.")
    try:
        games = read_table(Path(file).read_bytes(), _columns(columns))
    except OSError as fault:
        fail(f"{fault.filename} cannot be read: {os_fault(fault)}.")
    with open_log(db, create=True) as store:
        before = api.names_in(store)
        answers = api.take_results(store, games, skip_bad=skip_bad, dry=dry, rename=rename)
        say_new_spellings(store, before)
    declined = {answer.line for answer in answers if answer.status == "declined"}
    say_future(game.request.date for game in games if game.line not in declined)
    _put_answers(answers, json, dry, skip_bad)


def _columns(path: Path | None) -> dict[str, str]:
    """Return what a mapping file says: by field, the head of its column; empty without a file.

    A line is ``game = "Jeu"``. The program ends if the file is not of this form; OSError is raised if it cannot be
    read.
    """
    if path is None:
        return {}
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, str])
    except msgspec.MsgspecError as fault:
        return fail(f'{path} names no columns: {decode_fault(fault)}; expected lines such as game = "Jeu".')


def _put_answers(answers: tuple[TableAnswer, ...], json: bool, dry: bool, skip_bad: bool) -> None:
    """Print what became of each game, and the totals; end the program with the code for findings if one was declined.

    Args:
        answers: What became of each game.
        json: Whether to print JSON.
        dry: Whether nothing was to be stored.
        skip_bad: Whether the other games were stored although one was declined.
    """
    declined = [answer for answer in answers if answer.status == "declined"]
    for answer in answers:
        if json:
            put_json(answer)
        elif answer.status == "declined":
            say(f"cartulary: Line {answer.line}: {answer.because}")
        else:
            put(f"line {answer.line}: {answer.status}{f', {answer.id}' if answer.id else ''}")
        if answer.alike and not json:
            say(f"cartulary: Line {answer.line}: {alike_line(answer)}.")
    parts = ", ".join(
        f"{number} {status}"
        for status in ("new", "known", "declined")
        if (number := sum(answer.status == status for answer in answers))
    )
    stored = not dry and (skip_bad or not declined)
    say(f"cartulary: {count(len(answers), 'game')}: {parts or 'none'}{'' if stored else '; nothing was stored'}.")
    if declined:
        leave(FINDINGS)
