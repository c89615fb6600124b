"""The games list: one line a game, in a table that Datasette and sqlite3 open, rebuilt from the log at any time.

It is never the truth: each append writes the game's line in the same transaction, and ``reindex`` writes all anew.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from sqlite3 import Connection

import msgspec
from msgspec import Struct

from cartulary.notation import Record, Report, find_game
from cartulary.notation.writer import tag_order
from cartulary.records.chain import Head
from cartulary.records.database import speaking
from cartulary.records.faults import Damaged, Fault, Unfit, Uninstalled, UnknownGame
from cartulary.records.fold import Game, book_of, fold, result_of
from cartulary.records.schema import COLUMNS, GAMES, Row
from cartulary.records.store import Recorded, Store

CHUNK = 500
"""Games read between two short writes."""


class Listed(Struct, frozen=True):
    """One line of the games list. players: in seat order, parted by ``; ``; updated: UTC."""

    id: str
    game: str
    edition: str
    variant: str
    event: str
    site: str
    date: str
    round: str
    players: str
    result: str
    plies: int
    verdict: str
    findings: int
    closed: bool
    version: int
    digest: str
    updated: str


def row(game: Game, head: Head | None = None) -> Row:
    """Return the game's line. head: where it will stand once what it was folded from is stored."""
    return line(
        game.id,
        game.record,
        game.report,
        result_of(game),
        game.book.seats,
        game.book.closed,
        head or game.head,
        game.book.updated,
    )


def line(
    id: str, record: Record, report: Report, result: str, seats: int, closed: bool, head: Head, updated: str
) -> Row:
    """Return a line of the games list, in the order of COLUMNS."""
    tag = record.tag
    names = find_game(report.game).script.seat_tags(seats)
    return (
        id,
        report.game,
        report.edition,
        report.variant,
        tag("Event"),
        tag("Site"),
        tag("Date"),
        tag("Round"),
        "; ".join(tag(name, "?") for name in names),
        result,
        report.plies,
        report.verdict,
        len(report.findings),
        int(closed),
        head.version,
        head.digest,
        updated,
    )


def row_of(id: str, recorded: Sequence[Recorded]) -> tuple[Row, Uninstalled | None]:
    """Return the game's line, and where its rules are not installed here why it holds no more than was written."""
    try:
        return row(fold(id, recorded)), None
    except Uninstalled as fault:
        return _unjudged(id, recorded), fault


def _unjudged(id: str, recorded: Sequence[Recorded]) -> Row:
    book, last = book_of(id, recorded), recorded[-1]
    written = sorted((*book.sheet, *book.tags), key=tag_order)
    tags = dict(written)
    told = (tags.get(name, "") for name in ("Edition", "Variant", "Event", "Site", "Date", "Round"))
    players = "; ".join(value for name, value in written if tag_order((name, ""))[0] == 1)
    result = book.result or "*"
    judged = (len(book.plies), "unreadable", 0, int(book.closed), last.originator_version, last.digest, book.updated)
    return (id, book.game, *told, players, result, *judged)


def listed(store: Store) -> Iterator[Listed]:
    """Yield the games list, the one written to last first."""
    names = ", ".join(COLUMNS)
    for values in store.query(f"SELECT {names} FROM games ORDER BY updated DESC, id"):
        yield msgspec.convert(dict(zip(COLUMNS, values, strict=True)), Listed, strict=False)


def rebuild(store: Store, progress: Callable[[int, int], None] | None = None) -> tuple[int, tuple[Fault, ...]]:
    """Write the whole list anew from the log; return how many games it holds, and what is at fault with others.

    A game whose rules are not installed is listed as it was written and named among the faults.

    Others may go on writing: a line of theirs that is newer is not written over.
    progress: called with games done and games in all
    """
    import sqlite_utils

    ids = store.ids()
    faults: list[Fault] = []
    held = 0
    with speaking(store.path):
        database = sqlite_utils.Database(store.path)
        try:
            _emptied(database.conn)
            for done in range(0, len(ids), CHUNK):
                rows = list(_rows(store, ids[done : done + CHUNK], faults))
                held += len(rows)
                with _alone(database.conn):
                    heads = dict(database.conn.execute("SELECT CAST(id AS BLOB), version FROM heads"))
                    current = [each for each in rows if heads.get(str(each["id"]).encode()) == each["version"]]
                    database.table("games").insert_all(current, pk="id", columns=COLUMNS, replace=True)
                if progress:
                    progress(min(done + CHUNK, len(ids)), len(ids))
        finally:
            database.close()
    return held, tuple(faults)


def _rows(store: Store, ids: tuple[str, ...], faults: list[Fault]) -> Iterator[dict[str, object]]:
    for id in ids:
        try:
            values, unjudged = row_of(id, store.read(id))
        except (Damaged, UnknownGame, Unfit) as fault:
            faults.append(fault)
            continue
        if unjudged is not None:
            faults.append(unjudged)
        yield dict(zip(COLUMNS, values, strict=True))


def _emptied(connection: Connection) -> None:
    with _alone(connection):
        connection.execute("DROP TABLE IF EXISTS games")
        connection.execute(GAMES)


@contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    """Hold the write lock from the start, so that what is read before writing still holds when it is written."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.rollback()
