"""Opening the store of a log: in a file, or on a server with an index on this machine."""

import os
from collections.abc import Sequence
from pathlib import Path

from cartulary.records.library.listing import rows_of_events
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.log.schema import Lines
from cartulary.records.log.server import Server
from cartulary.records.log.server_store import ServerStore
from cartulary.records.log.store import Store
from cartulary.records.state.games import Games, RecentGames


def open_store(
    place: Path | Server,
    *,
    create: bool = True,
    timeout: int = 5,
    read_only: bool = False,
    longest: int = 0,
    recent: RecentGames | None = None,
) -> Games:
    """Open the store of a log, and keep the games that are loaded from it.

    The index of a log on a server is in the folder that ``CARTULARY_SHELF`` names, or in the cache of the platform.

    Args:
        place: The file, or the address of the server.
        create: Whether the log is made if there is none.
        timeout: Seconds to wait for another writer.
        read_only: Whether this store writes nothing to the log.
        longest: Seconds that a server may take for one query, 0 for any number.
        recent: Where loaded games are kept, if several stores of one log share them; else only the last one is kept.

    Raises:
        Unreachable, Foreign, Damaged, LockedDatabase or ReadOnly: The log cannot be used.
    """
    if not isinstance(place, Server):
        return Games(Store(place, create=create, timeout=timeout, read_only=read_only), recent)
    store = ServerStore(
        place, _index_folder(), _lines, create=create, timeout=timeout, read_only=read_only, longest=longest
    )
    return Games(store, recent)


def _index_folder() -> Path:
    """Return the folder for the indexes of logs on servers: ``CARTULARY_SHELF``, or one in the user's cache. It may not
    exist.
    """
    named = os.environ.get("CARTULARY_SHELF")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("cartulary", appauthor=False) / "shelves"


def _lines(id: str, recorded: Sequence[RecordedEvent]) -> Lines:
    """Return the rows of a game in the index, from all its events.

    If its rules are not installed, they are the rows of an unreadable record. Raises Damaged if the events make no
    game.
    """
    return rows_of_events(id, recorded)[0]
