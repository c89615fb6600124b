"""Logs of every kind, as their tests write to them, and as somebody with every right could lay hands on them."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from cartulary.records.log.chain import Head, origin
from cartulary.records.log.contract import Log
from cartulary.records.log.events import MovePlayed
from cartulary.records.log.server import Server
from tests.programs import package

LOGS = ("sqlite", "postgres")
"""The kinds of log there are."""

Place: TypeAlias = Path | Server


def address_of(place: Place) -> str:
    """Return where a log is kept as it is typed."""
    return place.url if isinstance(place, Server) else str(place)


def played(text: str = "w", by: str = "") -> MovePlayed:
    return MovePlayed(at="2001-02-03T04:05:06.000Z", by=by, seat=1, text=text, findings=(), stands=False, clock="")


def filled(log: Log, id: str, count: int) -> Head:
    """Append so many words to a new stream, ``word1`` the first."""
    return log.append(id, origin(id), [played(f"word{number}") for number in range(1, count + 1)])


def texts(log: Log, id: str) -> list[str]:
    """Return the words of a stream."""
    return [each.event.text for each in log.stream(id) if isinstance(each.event, MovePlayed)]


# --- by hand ---

Do: TypeAlias = Callable[..., list[Any]]
"""Carry out a statement, whose values stand as ``?``, and return its rows."""


@contextmanager
def by_hand(place: Place) -> Iterator[Do]:
    """Do what somebody with every right could, the guards of the log out of the way until the end of the block."""
    if isinstance(place, Server):
        with connected(place.url) as other:
            other.execute("SET session_replication_role = replica")
            yield lambda sql, *values: _rows(other.execute(sql.replace("?", "%s"), values or None))
        return
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        guards = other.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            other.execute(f"DROP TRIGGER {name}")
        yield lambda sql, *values: other.execute(sql, values).fetchall()
        for _, sql in guards:
            other.execute(sql)


@contextmanager
def connected(url: str, *, autocommit: bool = True) -> Iterator[Any]:
    """Hold a connection to a server, our tables first."""
    with package("psycopg", "postgres").connect(url, autocommit=autocommit) as other:
        other.execute("SET search_path = cartulary, public")
        yield other


def _rows(cursor: Any) -> list[Any]:
    return list(cursor.fetchall()) if cursor.description else []


def edit(place: Place, version: int, change: Callable[[str], str], id: str = "g") -> None:
    """Change the body of an event as it is stored."""
    key = "WHERE originator_id = ? AND originator_version = ?"
    with by_hand(place) as do:
        [[body]] = do(f"SELECT state FROM stored_events {key}", id, version)
        do(f"UPDATE stored_events SET state = ? {key}", change(body), id, version)


def carry_out(place: Place, *statements: str) -> None:
    """Carry out statements by hand."""
    with by_hand(place) as do:
        for statement in statements:
            do(statement)


def refuse(place: Place, version: int, code: str = "P0001") -> None:
    """Have the database refuse every event of this version. code: what a server says then"""
    if not isinstance(place, Server):
        with closing(sqlite3.connect(place)) as other:
            other.execute(
                f"CREATE TRIGGER odd BEFORE INSERT ON stored_events WHEN NEW.originator_version = {version} "
                "BEGIN SELECT RAISE(ABORT, 'refused by hand'); END"
            )
        return
    with connected(place.url) as server:
        server.execute(
            "CREATE FUNCTION odd() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$BEGIN RAISE EXCEPTION 'refused by hand' USING ERRCODE = '{code}'; END$$"
        )
        server.execute(
            "CREATE TRIGGER odd BEFORE INSERT ON stored_events FOR EACH ROW "
            f"WHEN (NEW.originator_version = {version}) EXECUTE FUNCTION odd()"
        )


@contextmanager
def held(place: Place, statements: Sequence[str] = ("UPDATE heads SET version = version",)) -> Iterator[None]:
    """Hold another writer's transaction open, in which these were carried out; it is rolled back at the end."""
    if isinstance(place, Server):
        with connected(place.url, autocommit=False) as other:
            for statement in statements:
                other.execute(statement)
            yield
            other.rollback()
        return
    with closing(sqlite3.connect(place, isolation_level=None)) as own:
        own.execute("BEGIN IMMEDIATE")
        for statement in statements:
            own.execute(statement)
        yield
        own.execute("ROLLBACK")
