"""Opening a store by where its log is kept: a file, or a database on a server with an index on this machine."""

import os
from collections.abc import Sequence
from pathlib import Path

from cartulary.records.library.listing import row_of
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.log.schema import Lines
from cartulary.records.log.server import Server
from cartulary.records.log.server_store import ServerStore
from cartulary.records.log.store import Store


def open_store(
    place: Path | Server, *, create: bool = True, timeout: int = 5, read_only: bool = False, longest: int = 0
) -> Store:
    """Return the store of the log that is kept there, made if there is none and ``create`` says so.

    timeout: seconds to wait for another writer; longest: seconds a server may take for one question, 0 for any number

    Of a server the index is in the folder ``CARTULARY_SHELF`` names, else in the platform's cache.
    Raises Unreachable, Foreign, Damaged, Locked or ReadOnly.
    """
    if not isinstance(place, Server):
        return Store(place, create=create, timeout=timeout, read_only=read_only)
    return ServerStore(
        place, _index_folder(), _lines, create=create, timeout=timeout, read_only=read_only, longest=longest
    )


def _index_folder() -> Path:
    named = os.environ.get("CARTULARY_SHELF")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("cartulary", appauthor=False) / "shelves"


def _lines(id: str, recorded: Sequence[RecordedEvent]) -> Lines:
    return row_of(id, recorded)[0]
