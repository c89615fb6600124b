"""Where live records are kept: what was typed, or the environment says, made a file or a server."""

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cartulary.records import api
from cartulary.records.faults import UnknownGame


def db_place(option: str | None = None) -> "Path | api.Server":
    """Return where live records are: the option, else ``CARTULARY_DB``, else the data folder of this user.

    It is a path, or a server for an address such as ``postgresql://…``. Nothing is created or opened.

    Args:
        option: What ``--db`` names; None if it was not typed.

    Raises:
        Unfit: The address cannot be read.
    """
    text = os.environ.get("CARTULARY_DB") if option is None else option
    if text or option is not None:
        return api.place_of(text or "")
    from platformdirs import user_data_path

    return user_data_path("cartulary", appauthor=False) / "cartulary.db"


def next_command(*words: str, db: str | None) -> str:
    """Return a command to be typed next, in code marks, such as ``cartulary list --db club.db`` between backquotes.

    It has the same ``--db``, if there was one, but without a server's password. Words are quoted for the shell.
    """
    where = ("--db", str(db_place(db))) if db else ()
    return f"`{shlex.join(('cartulary', *words, *where))}`"


FEW = 5000
"""Up to how many ids are compared letter by letter with one there is none of."""


@contextmanager
def open_place(place: "Path | api.Server", *, create: bool, timeout: int = 5) -> "Iterator[api.Log]":
    """Hold a database open inside the block; the fault of an unknown game id gets a suggestion of similar ids.

    Args:
        place: The file, or the server.
        create: Whether to make the database if it is not there.
        timeout: How many seconds to wait while others write.
    """
    with api.open_store(place, create=create, timeout=timeout) as store:
        try:
            yield store
        except UnknownGame as fault:
            fault.suggestion = suggestion_for(store, fault.id)
            raise


def suggestion_for(store: "api.Log", id: str) -> str:
    """Return a question such as `` Did you mean evening?`` for an unknown id; empty if no id is similar.

    It names an id that differs in capital letters only, or, in a database of at most ``FEW`` games, up to two alike.
    """
    ids = store.ids()
    same = [other for other in ids if other.casefold() == id.casefold()]
    if not same and len(ids) <= FEW:
        from difflib import get_close_matches

        same = get_close_matches(id, ids, 2, 0.7)
    return f" Did you mean {' or '.join(same)}?" if same else ""
