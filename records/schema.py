"""The tables of the database: the log, the heads beside it, and the games list rebuilt from them.

Source: the log's columns are those of the ``eventsourcing`` library; ``rowid`` is declared so that a position is never
given twice.
"""

from typing import TypeAlias

APPLICATION_ID = 0x43415254  # "CART", in the file's header where `file` and SQLite look for it
SCHEMA_VERSION = 1

Row: TypeAlias = tuple[object, ...]

COLUMNS: dict[str, type] = {
    "id": str,
    "game": str,
    "edition": str,
    "variant": str,
    "event": str,
    "site": str,
    "date": str,
    "round": str,
    "players": str,
    "result": str,
    "plies": int,
    "verdict": str,
    "findings": int,
    "closed": int,
    "version": int,
    "digest": str,
    "updated": str,
}

_KINDS = {str: "TEXT", int: "INTEGER"}

GAMES = (
    "CREATE TABLE IF NOT EXISTS games ("
    + ", ".join(f"{name} {_KINDS[kind]}{' PRIMARY KEY' * (name == 'id')}" for name, kind in COLUMNS.items())
    + ")"
)

UPSERT = f"INSERT OR REPLACE INTO games ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"

_APPEND_ONLY = "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"

TRIGGERS = {
    name: f"CREATE TRIGGER {name} BEFORE {when} {_APPEND_ONLY}"
    for name, when in (
        ("events_are_not_edited", "UPDATE ON stored_events"),
        ("events_are_not_deleted", "DELETE ON stored_events"),
        # INSERT OR REPLACE deletes without asking the trigger above.
        (
            "events_are_not_replaced",
            "INSERT ON stored_events WHEN EXISTS ("
            "SELECT 1 FROM stored_events WHERE rowid = NEW.rowid OR "
            "(originator_id = NEW.originator_id AND originator_version = NEW.originator_version))",
        ),
    )
}
"""The statements that make the log append-only, by name, as SQLite keeps their text."""

SCHEMA = (
    "CREATE TABLE stored_events ("
    "rowid INTEGER PRIMARY KEY AUTOINCREMENT, "
    "originator_id TEXT NOT NULL, "
    "originator_version INTEGER NOT NULL, "
    "topic TEXT NOT NULL, "
    "state TEXT NOT NULL, "
    "UNIQUE (originator_id, originator_version))",
    "CREATE TABLE heads (id TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID",
    *TRIGGERS.values(),
    GAMES,
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
