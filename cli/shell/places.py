"""Where live records are kept: what was typed, or the environment says, made a file or a server."""

import os
import shlex
from pathlib import Path

from cartulary.records import desk


def db_place(option: str | None = None) -> "Path | desk.Server":
    """Return where live records are kept: the option, else ``CARTULARY_DB``, else the platform's data folder.

    The folder is made only by who writes there. An address of a server is never made a path.
    Raises Unfit for one that cannot be read.
    """
    named = os.environ.get("CARTULARY_DB") if option is None else option
    if named or option is not None:
        return desk.place_of(named or "")
    from platformdirs import user_data_path

    return user_data_path("cartulary", appauthor=False) / "cartulary.db"


def next_command(*words: str, db: str | None) -> str:
    """Return a command to be typed next, with the database that was typed; not with a server's password."""
    where = ("--db", str(db_place(db))) if db else ()
    return f"`{shlex.join(('cartulary', *words, *where))}`"
