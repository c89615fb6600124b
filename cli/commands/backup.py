"""``backup``: a proved copy of everything that was ever recorded, and the way back."""

from pathlib import Path
from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import TIMEOUT, open_log
from cartulary.cli.shell.options import Db, Force, Json
from cartulary.cli.shell.places import db_place
from cartulary.records import api


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup: a database file.")],
    into: Annotated[
        str | None, typer.Option("--into", metavar="PATH|URL", help="Restore the backup into this database.")
    ] = None,
    force: Force = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Copy the whole log into a file while others keep writing, and verify the copy; or restore it.

    The backup is a database that `--db` can open. When restoring, games that are already there with the same head are
    left alone.

    \b
    Example:
      cartulary backup club-backup.db
    """
    if into is not None:
        if db is not None or force:
            fail("--into names the database to restore to; leave out --db and --force.")
        new, known = api.write_back(file, db_place(into), TIMEOUT)
        if json:
            put_json({"new": new, "known": known})
        else:
            put(f"{count(new, 'game')} restored and proved, {known} already there")
        return
    with open_log(db) as store:
        copied = api.back_up(store, file, force)
    if json:
        put_json({"file": str(file), "games": copied})
    else:
        put(f"{file} holds {count(copied, 'game')}, each proved to the head of its log")
