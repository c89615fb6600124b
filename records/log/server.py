"""A PostgreSQL server that keeps a log: its address, one connection to it, its errors put into sentences.

This module knows addresses, connections and the server's codes, and nothing of events. ``psycopg`` is imported when a
server is first asked for; it comes with the extra ``postgres``.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cartulary.records.faults import (
    Damaged,
    DiskFull,
    Foreign,
    Locked,
    ReadOnly,
    StoreFault,
    Unfit,
    Unreachable,
)

if TYPE_CHECKING:
    import psycopg

SCHEMES = ("postgresql://", "postgres://")


_SCHEME = re.compile("[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
"""What an address of whatever kind begins with: no drive of Windows, which has one letter."""


def is_address(text: str) -> bool:
    """Say whether a text names a server and not a path."""
    return text.lower().startswith(SCHEMES)


class Server:
    """The address of a database on a server; shown without its password, wherever it is shown.

    url: the address with everything in it, for the driver alone
    """

    __slots__ = ("_shown", "url")

    def __init__(self, url: str) -> None:
        """Take an address apart. Raises Unfit for one that can be read in two ways or in none."""
        rest = url.partition("://")[2]
        self.url = f"postgresql://{rest}"
        try:
            parts = urlsplit(f"postgresql://{rest}")
            name, port = parts.hostname or "", parts.port
        except ValueError:
            raise Unfit(_ODD) from None
        after = parts.path + parts.query + parts.fragment
        if not is_address(url) or rest.count("@") > 1 or "@" in after or parts.fragment or "\0" in url:
            raise Unfit(_ODD)
        host = f"[{name}]" if ":" in name else name
        user = f"{parts.username}@" if parts.username else ""
        self._shown = f"postgresql://{user}{host}{f':{port}' if port else ''}{parts.path}"

    def __str__(self) -> str:
        return self._shown

    def __repr__(self) -> str:
        return f"Server({self._shown!r})"


def place_of(text: str) -> Path | Server:
    """Return where a text says a log is kept.

    Raises Unfit for an address of a server that cannot be read, or of another kind: made a path, it would show its
    password in the name of a folder.
    """
    if is_address(text):
        return Server(text)
    if _SCHEME.match(text):
        raise Unfit(
            f"No log can be kept at an address that begins with {text.partition(':')[0]}:/. Expected the path of a"
            " file, or postgresql://USER@HOST:PORT/DATABASE."
        )
    return Path(text)


_ODD = (
    "The address of the server cannot be read; expected postgresql://USER@HOST:PORT/DATABASE. In a password write %40"
    " for @, %2F for /, %23 for #, %3F for ? and %25 for %."
)


# --- faults ---

_STATES: dict[str, Callable[[str], StoreFault]] = {
    "53100": lambda name: DiskFull(
        f"There is no room left on the server of {name}; nothing was stored. Free some space and try again."
    ),
    "53200": lambda name: Unreachable(f"The server of {name} has no memory left; nothing was stored. Try again later."),
    "25006": lambda name: ReadOnly(f"The database {name} is read-only; nothing was stored."),
    "42501": lambda name: ReadOnly(
        f"This user may only read {name}; nothing was stored. Ask its owner for the right to write."
    ),
    "55P03": lambda name: Locked(f"The database {name} is locked, because somebody else holds it. Try again."),
    "57014": lambda name: Locked(f"The server of {name} did not answer in time. Try again."),
    "40P01": lambda name: Locked(f"Two writers to {name} waited for one another; nothing was stored. Try again."),
    "XX001": lambda name: Damaged(f"The database {name} is damaged on its server. Restore it from a backup."),
    "XX002": lambda name: Damaged(f"An index of {name} is damaged on its server; use REINDEX there to repair it."),
}


def fault_of(error: "psycopg.Error", server: Server) -> StoreFault:
    """Return the fault an error of the server means; no word of the address but what may be shown is in it."""
    name, state = str(server), error.sqlstate or ""
    if state == "42501" and "for schema" in str(error):
        return ReadOnly(
            f"This user may not read {name}. Its owner can allow it with GRANT USAGE ON SCHEMA cartulary and"
            " GRANT SELECT ON ALL TABLES IN SCHEMA cartulary."
        )
    if state in _STATES:
        return _STATES[state](name)
    if state in ("42P01", "3F000", "42703"):
        return Damaged(f"Tables of the log are missing in {name}: {_first(error)}.")
    return Unreachable(f"The database {name} cannot be used: {_first(error)}.")


def _first(error: BaseException) -> str:
    """Return what the server says as the end of a sentence: the reason alone, without where the driver met it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith("Multiple")]
    text = next((line for line in lines if "FATAL:" in line), lines[0] if lines else type(error).__name__)
    for mark in ("FATAL:", "ERROR:", "failed: ", "error: "):
        text = text.rpartition(mark)[2].strip() or text
    return text.rstrip(".?")


_HINTS = {
    "onnection refused": "Start the server there, or give another host or port.",
    "no password supplied": "Put the password into ~/.pgpass, or into the address.",
    "password authentication failed": "Check the user and the password in the address and in ~/.pgpass.",
    "does not exist": "Create it on the server, with `createdb` or `createuser`, or give another name.",
    "could not translate host name": "Check the name of the host.",
}
"""What to do about what a server, or the way to it, says."""


# --- the connection ---


class ServerConnection:
    """One connection to a server, made when it is first needed and anew when it was cut."""

    def __init__(self, server: Server, timeout: int, longest: int = 0) -> None:
        """Note where to; nothing is asked of the server yet. Raises Unreachable where the driver is not installed."""
        if find_spec("psycopg") is None:
            raise Unreachable(
                "A log on a server needs the PostgreSQL driver; install it with: pip install 'cartulary[postgres]'."
            )
        self.server, self._timeout, self._longest = server, timeout, longest
        self._cursor: psycopg.Cursor[Any] | None = None
        self._turn, self._held = RLock(), False

    def _connected(self) -> "psycopg.Cursor[Any]":
        """Return the one cursor that is kept: making one anew costs a quarter of what sending an append does."""
        import psycopg

        if self._cursor is None or self._cursor.connection.closed:
            try:
                self._cursor = psycopg.connect(
                    self.server.url,
                    autocommit=True,
                    connect_timeout=max(2, self._timeout),
                    application_name="cartulary",
                    client_encoding="utf8",
                ).cursor()
                self._cursor.execute(f"SET lock_timeout = '{self._timeout}s'")
                if self._longest:
                    self._cursor.execute(f"SET statement_timeout = '{self._longest}s'")
            except psycopg.ProgrammingError:  # its sentence may repeat parts of the password
                raise Unreachable(_ODD) from None
            except psycopg.Error as error:
                because = _first(error)
                hint = next((f" {hint}" for reason, hint in _HINTS.items() if reason in because), "")
                sentence = f"{because}.{hint}"
                raise Unreachable(f"The database {self.server} cannot be opened: {sentence}") from None
            except (UnicodeError, ValueError):
                raise Unreachable(_ODD) from None
        return self._cursor

    @property
    def cut(self) -> bool:
        """Whether there was a connection and it is no more."""
        return self._cursor is not None and self._cursor.connection.closed

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Return the rows of one statement, which is a transaction by itself. Raises the faults of the store.

        What only reads is asked again where the connection was cut, but not within a transaction, which is lost then.
        """
        import psycopg

        try:
            return self.told(sql, values)
        except psycopg.Error as error:
            if not self.cut or self._held:
                raise fault_of(error, self.server) from None
        try:
            return self.told(sql, values)
        except psycopg.Error as error:
            raise fault_of(error, self.server) from None

    def told(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Return the rows of one statement, asked once. Raises the driver's own errors."""
        with self._turn:
            cursor = self._connected().execute(sql, values)
            return cursor.fetchall() if cursor.rownumber is not None else []

    @contextmanager
    def transaction(self, begin: str = "") -> Iterator[None]:
        """Hold a transaction; it is committed at the end of the block, or rolled back if the block fails.

        begin: a statement it begins with, as SET TRANSACTION. Raises the faults of the store.
        """
        import psycopg

        with self._turn:
            try:
                with self._connected().connection.transaction():
                    self._held = True
                    if begin:
                        self.told(begin)
                    yield
            except psycopg.Error as error:
                raise fault_of(error, self.server) from None
            finally:
                self._held = False

    def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        if self._cursor is not None:
            with suppress(Exception):
                self._cursor.connection.close()
            self._cursor = None


# --- the tables ---

KIND = "cartulary log 1"
"""What a database of ours says it is, in ``cartulary.about``."""
_REFUSING = "BEGIN RAISE EXCEPTION 'the log is append-only'; END"
TRIGGERS = ("events_are_not_changed", "heads_are_not_deleted")
PROTECTED = (("stored_events", "d"), ("stored_events", "w"), ("stored_events", "D"), ("heads", "d"), ("heads", "D"))
SCHEMA = (
    "CREATE SCHEMA cartulary",
    "CREATE TABLE cartulary.about (kind text NOT NULL, log text NOT NULL)",
    # The position holds the transaction and the place in it: see ``server_store``.
    'CREATE TABLE cartulary.stored_events (position bigint NOT NULL, originator_id text COLLATE "C" NOT NULL, '
    "originator_version bigint NOT NULL, topic text NOT NULL, state text NOT NULL, "
    "PRIMARY KEY (originator_id, originator_version))",
    "CREATE UNIQUE INDEX events_by_position ON cartulary.stored_events (position)",
    'CREATE TABLE cartulary.heads (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, digest text NOT NULL)'
    " WITH (fillfactor = 70)",
    f"CREATE FUNCTION cartulary.refuse() RETURNS trigger LANGUAGE plpgsql AS $${_REFUSING}$$",
    f"CREATE TRIGGER {TRIGGERS[0]} BEFORE UPDATE OR DELETE OR TRUNCATE ON cartulary.stored_events "
    "FOR EACH STATEMENT EXECUTE FUNCTION cartulary.refuse()",
    f"CREATE TRIGGER {TRIGGERS[1]} BEFORE DELETE OR TRUNCATE ON cartulary.heads "
    "FOR EACH STATEMENT EXECUTE FUNCTION cartulary.refuse()",
    "REVOKE UPDATE, DELETE, TRUNCATE ON cartulary.stored_events FROM PUBLIC, CURRENT_USER",
    "REVOKE DELETE, TRUNCATE ON cartulary.heads FROM PUBLIC, CURRENT_USER",
    f"INSERT INTO cartulary.about VALUES ('{KIND}', gen_random_uuid()::text)",
)
_KIND_THERE = (
    # Asked of the catalogue itself: to_regclass may remember that there was none before another desk made it.
    "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = 'cartulary' AND c.relname = 'about')"
)
_OTHERS = (
    "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v', "
    "'m', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"
)


def prepare_tables(link: ServerConnection, create: bool) -> str:
    """Make sure the database is one of ours, making its tables if it is empty and ``create`` says so.

    Return the name of the log in it, which no other log has. Raises Foreign, Unreachable, and all of ``fault_of``.
    """
    if not link.rows(_KIND_THERE)[0][0]:
        if not create and not link.rows(_OTHERS)[0][0]:
            raise Unreachable(f"There are no games in {link.server} yet; `new` or `import` adds the first.")
        _make(link)
    try:
        [[kind, log]] = link.rows("SELECT kind, log FROM cartulary.about")
    except ValueError:
        kind, log = "", ""
    if kind != KIND:
        raise Foreign(f"The database {link.server} was made by another program or a newer version; it was left alone.")
    return str(log)


def _make(link: ServerConnection) -> None:
    with link.transaction():
        link.told("SELECT pg_advisory_xact_lock(1128353364)")  # of two that begin at once one makes it
        if link.told(_KIND_THERE) == [(True,)]:
            return
        if link.told(_OTHERS) != [(0,)]:
            raise Foreign(
                f"The database {link.server} holds tables of another program; it was left alone. Use an "
                "empty one; CREATE DATABASE makes one."
            )
        [[encoding]] = link.told("SHOW server_encoding")
        if encoding != "UTF8":
            raise Foreign(f"The database {link.server} is written in {encoding}; use one in UTF8.")
        for statement in SCHEMA:
            link.told(statement)
