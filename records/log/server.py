"""A PostgreSQL server that keeps a log: its address, a connection to it, and its errors as sentences.

Nothing of events is known here. ``psycopg`` comes with the extra ``postgres`` and is imported when it is first needed.
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
    LockedDatabase,
    ReadOnly,
    StoreFault,
    Unfit,
    Unreachable,
)

if TYPE_CHECKING:
    import psycopg

SCHEMES = ("postgresql://", "postgres://")


_SCHEME = re.compile("[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
"""The beginning of any kind of address. A drive of Windows has one letter only."""


def is_address(text: str) -> bool:
    """Say whether a text names a server and not a path: whether it begins with ``postgresql://`` or ``postgres://``."""
    return text.lower().startswith(SCHEMES)


class Server:
    """The address of a database on a server. As text it has no password.

    Attributes:
        url: The whole address with the password, for the driver alone.
    """

    __slots__ = ("_without_password", "url")

    def __init__(self, url: str) -> None:
        """Read an address.

        Raises:
            Unfit: It can be read in two ways, or in none.
        """
        rest = url.partition("://")[2]
        self.url = f"postgresql://{rest}"
        try:
            parts = urlsplit(f"postgresql://{rest}")
            name, port = parts.hostname or "", parts.port
        except ValueError:
            raise Unfit(_UNREADABLE_ADDRESS) from None
        after = parts.path + parts.query + parts.fragment
        if not is_address(url) or rest.count("@") > 1 or "@" in after or parts.fragment or "\0" in url:
            raise Unfit(_UNREADABLE_ADDRESS)
        host = f"[{name}]" if ":" in name else name
        user = f"{parts.username}@" if parts.username else ""
        self._without_password = f"postgresql://{user}{host}{f':{port}' if port else ''}{parts.path}"

    def __str__(self) -> str:
        return self._without_password

    def __repr__(self) -> str:
        return f"Server({self._without_password!r})"


def place_of(text: str) -> Path | Server:
    """Return the place of a log: a path, or the address of a server.

    The file need not exist, and the server is not asked.

    Raises:
        Unfit: It is an address that cannot be read, or one of another kind of server. Taken for a path, that would put
            its password into the name of a folder.
    """
    if is_address(text):
        return Server(text)
    if _SCHEME.match(text):
        raise Unfit(
            f"No log can be kept at an address that begins with {text.partition(':')[0]}:/. Expected the path of a"
            " file, or postgresql://USER@HOST:PORT/DATABASE."
        )
    return Path(text)


_UNREADABLE_ADDRESS = (
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
    "55P03": lambda name: LockedDatabase(f"The database {name} is locked, because somebody else holds it. Try again."),
    "57014": lambda name: LockedDatabase(f"The server of {name} did not answer in time. Try again."),
    "40P01": lambda name: LockedDatabase(
        f"Two writers to {name} waited for one another; nothing was stored. Try again."
    ),
    "XX001": lambda name: Damaged(f"The database {name} is damaged on its server. Restore it from a backup."),
    "XX002": lambda name: Damaged(f"An index of {name} is damaged on its server; use REINDEX there to repair it."),
}


def fault_of(error: "psycopg.Error", server: Server) -> StoreFault:
    """Return an error of the server as a fault; it is not raised here. Its sentence holds no password.

    The fault depends on PostgreSQL's code of the error: ReadOnly, LockedDatabase, DiskFull, Damaged, or Unreachable for
    any that is not known.
    """
    name, state = str(server), error.sqlstate or ""
    if state == "42501" and "for schema" in str(error):
        return ReadOnly(
            f"This user may not read {name}. Its owner can allow it with GRANT USAGE ON SCHEMA cartulary and"
            " GRANT SELECT ON ALL TABLES IN SCHEMA cartulary."
        )
    if state in _STATES:
        return _STATES[state](name)
    if state in ("42P01", "3F000", "42703"):
        return Damaged(f"Tables of the log are missing in {name}: {_reason(error)}.")
    return Unreachable(f"The database {name} cannot be used: {_reason(error)}.")


def _reason(error: BaseException) -> str:
    """Return the reason in an error of the driver as the end of a sentence, without a full stop.

    An example is ``FATAL: no such user.`` -> ``no such user``. Of several lines the one with FATAL counts, else the
    first. Of an error without a text it is the name of its class.
    """
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
"""What to do, by a part of the reason for which a connection failed."""


# --- the connection ---


class ServerConnection:
    """A connection to a server. It is made when it is first needed, and again after it was cut."""

    def __init__(self, server: Server, timeout: int, longest: int = 0) -> None:
        """Note the address; the server is not asked yet.

        Args:
            server: The address.
            timeout: Seconds to wait for a lock or for the connection.
            longest: Seconds that a statement may take, 0 for any number.

        Raises:
            Unreachable: The driver is not installed.
        """
        if find_spec("psycopg") is None:
            raise Unreachable(
                "A log on a server needs the PostgreSQL driver; install it with: pip install 'cartulary[postgres]'."
            )
        self.server, self._timeout, self._longest = server, timeout, longest
        self._cursor: psycopg.Cursor[Any] | None = None
        self._lock, self._in_transaction = RLock(), False

    def _open_cursor(self) -> "psycopg.Cursor[Any]":
        """Return the one cursor of the connection, which is connected first if need be.

        It is kept, since a new one costs a quarter of what an append costs.

        Raises:
            Unreachable: The server cannot be reached, refuses the user, or its address cannot be read. The sentence
                holds no password.
        """
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
                raise Unreachable(_UNREADABLE_ADDRESS) from None
            except psycopg.Error as error:
                because = _reason(error)
                hint = next((f" {hint}" for reason, hint in _HINTS.items() if reason in because), "")
                sentence = f"{because}.{hint}"
                raise Unreachable(f"The database {self.server} cannot be opened: {sentence}") from None
            except (UnicodeError, ValueError):
                raise Unreachable(_UNREADABLE_ADDRESS) from None
        return self._cursor

    @property
    def is_cut(self) -> bool:
        """Whether there was a connection that is now closed."""
        return self._cursor is not None and self._cursor.connection.closed

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Return the rows of a query as tuples, empty if there are none. It is a transaction of its own.

        If the connection was cut, the query is sent again, unless it is part of a larger transaction: that one is lost.

        Args:
            sql: The query, with ``%s`` for each value.
            values: The values, in order.

        Raises:
            StoreFault: The server cannot answer; see ``fault_of``.
        """
        import psycopg

        try:
            return self.execute(sql, values)
        except psycopg.Error as error:
            if not self.is_cut or self._in_transaction:
                raise fault_of(error, self.server) from None
        try:
            return self.execute(sql, values)
        except psycopg.Error as error:
            raise fault_of(error, self.server) from None

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Send a statement once and return its rows as tuples; empty for a statement that returns none.

        Args:
            sql: The statement, with ``%s`` for each value.
            values: The values, in order.

        Raises:
            Unreachable: The server cannot be reached, or refuses the user.
            psycopg.Error: As the driver raises it.
        """
        with self._lock:
            cursor = self._open_cursor().execute(sql, values)
            return cursor.fetchall() if cursor.rownumber is not None else []

    @contextmanager
    def transaction(self, begin: str = "") -> Iterator[None]:
        """Begin a transaction. It is committed at the end of the block, or rolled back if the block fails.

        Queries in the block, by ``rows`` or ``execute``, belong to it. Other threads wait until its end.

        Args:
            begin: A statement to begin with, such as SET TRANSACTION; empty for none.

        Raises:
            StoreFault: The server cannot carry it out. Other errors of the block are raised as they are.
        """
        import psycopg

        with self._lock:
            try:
                with self._open_cursor().connection.transaction():
                    self._in_transaction = True
                    if begin:
                        self.execute(begin)
                    yield
            except psycopg.Error as error:
                raise fault_of(error, self.server) from None
            finally:
                self._in_transaction = False

    def close(self) -> None:
        """Close the connection; closing twice is harmless. The next use connects again."""
        if self._cursor is not None:
            with suppress(Exception):
                self._cursor.connection.close()
            self._cursor = None


# --- the tables ---

KIND = "cartulary log 1"
"""How a database of ours is recognised, in the table ``cartulary.about``."""
_REFUSE = "BEGIN RAISE EXCEPTION 'the log is append-only'; END"
TRIGGERS = ("events_are_not_changed", "heads_are_not_deleted")
PROTECTED_TABLES = (
    ("stored_events", "d"),
    ("stored_events", "w"),
    ("stored_events", "D"),
    ("heads", "d"),
    ("heads", "D"),
)
"""Tables, and the rights on them that nobody may have, in PostgreSQL's letters: delete, update, truncate."""
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
    f"CREATE FUNCTION cartulary.refuse() RETURNS trigger LANGUAGE plpgsql AS $${_REFUSE}$$",
    f"CREATE TRIGGER {TRIGGERS[0]} BEFORE UPDATE OR DELETE OR TRUNCATE ON cartulary.stored_events "
    "FOR EACH STATEMENT EXECUTE FUNCTION cartulary.refuse()",
    f"CREATE TRIGGER {TRIGGERS[1]} BEFORE DELETE OR TRUNCATE ON cartulary.heads "
    "FOR EACH STATEMENT EXECUTE FUNCTION cartulary.refuse()",
    "REVOKE UPDATE, DELETE, TRUNCATE ON cartulary.stored_events FROM PUBLIC, CURRENT_USER",
    "REVOKE DELETE, TRUNCATE ON cartulary.heads FROM PUBLIC, CURRENT_USER",
    f"INSERT INTO cartulary.about VALUES ('{KIND}', gen_random_uuid()::text)",
)
_HAS_OUR_TABLE = (
    # This asks the catalogue itself, because to_regclass may remember that the table was missing a moment ago.
    "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = 'cartulary' AND c.relname = 'about')"
)
_COUNT_TABLES = (
    "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v', "
    "'m', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"
)


def prepare_tables(link: ServerConnection, create: bool) -> str:
    """Check that a database is one of ours, or make its tables, and return the name of the log in it.

    Args:
        link: The connection.
        create: Whether the tables may be made in an empty database.

    Returns:
        A name that no other log has, a random UUID as text.

    Raises:
        Foreign: The database belongs to another program or a newer version, or its tables are to be made and it is not
            in UTF-8.
        Unreachable: It is empty and no tables may be made, or the server cannot be reached or refuses the user.
        ReadOnly: The user may not read the log or make its tables.
        LockedDatabase: Somebody else holds the database.
        DiskFull: The server has no room left.
        Damaged: Tables of the log are missing.
    """
    if not link.rows(_HAS_OUR_TABLE)[0][0]:
        if not create and not link.rows(_COUNT_TABLES)[0][0]:
            raise Unreachable(f"There are no games in {link.server} yet; `new` or `import` adds the first.")
        _create_tables(link)
    try:
        [[kind, log]] = link.rows("SELECT kind, log FROM cartulary.about")
    except ValueError:
        kind, log = "", ""
    if kind != KIND:
        raise Foreign(f"The database {link.server} was made by another program or a newer version; it was left alone.")
    return str(log)


def _create_tables(link: ServerConnection) -> None:
    """Make the tables in an empty database, in one transaction, unless somebody else has made them meanwhile.

    Raises:
        Foreign: The database holds other tables, or is not in UTF-8.
        StoreFault: The server cannot be reached, or cannot carry it out.
    """
    with link.transaction():
        link.execute("SELECT pg_advisory_xact_lock(1128353364)")  # if two begin at once, one of them makes the tables
        if link.execute(_HAS_OUR_TABLE) == [(True,)]:
            return
        if link.execute(_COUNT_TABLES) != [(0,)]:
            raise Foreign(
                f"The database {link.server} holds tables of another program; it was left alone. Use an "
                "empty one; CREATE DATABASE makes one."
            )
        [[encoding]] = link.execute("SHOW server_encoding")
        if encoding != "UTF8":
            raise Foreign(f"The database {link.server} is written in {encoding}; use one in UTF8.")
        for statement in SCHEMA:
            link.execute(statement)
