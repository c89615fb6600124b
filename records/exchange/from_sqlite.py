"""Games read from an exported database, by the log in it, byte for byte."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from cartulary.records.exchange.archive import Archive, StoredBody
from cartulary.records.faults import Unfit
from cartulary.records.log.open_files import MAGIC, beginning
from cartulary.records.log.schema import EXPORT_MARK


def is_published(path: Path) -> bool:
    """Say whether a file is a database that ``publish`` wrote; its games are not read.

    A file that is missing or cannot be opened is none.
    """
    try:
        if beginning(path, len(MAGIC)) != MAGIC:
            return False
        with closing(_open_read_only(path)) as database:
            row = database.execute('SELECT "is" FROM about WHERE what = ?', ("format",)).fetchone()
    except (OSError, sqlite3.Error, UnicodeDecodeError):
        return False
    return row is not None and row[0] == EXPORT_MARK


def read_published(path: Path) -> Iterator[Archive]:
    """Yield the games of an exported database as archives with their logs, in the order in which they were written.

    Raises:
        Unfit: The file is not such a database, or cannot be read to its end.
    """
    if not is_published(path):
        raise Unfit(f"{path} is not an exported database; expected one that `export --format sqlite` wrote.")
    try:
        with closing(_open_read_only(path)) as database:
            for id, head in database.execute("SELECT game, head FROM sheets ORDER BY rowid"):
                version, _, digest = head.partition(":")
                log = database.execute("SELECT topic, body FROM log WHERE game=? ORDER BY version", (id,))
                events = tuple(StoredBody(str(topic), str(body)) for topic, body in log)
                yield Archive(1, id, int(version), digest, None, events)
    except (ValueError, AttributeError, OSError, sqlite3.Error) as fault:
        raise Unfit(f"{path} cannot be read to its end: {fault}.") from None


def _open_read_only(path: Path) -> sqlite3.Connection:
    """Return a connection to a database that nobody writes to; SQLite then makes no files beside it. Close it."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
