"""The tables of the database: the log, the heads beside it, and the index that is rebuilt from them.

The index (the read model) answers lists and searches: the games list, seats, findings, rulings, words of comments. None
of it is the truth. The number of a game in it is the position of its first event in the log, so it stays the same
however often the index is rebuilt.

Source: the columns of the log are those of the ``eventsourcing`` library; ``rowid`` is declared so that a position is
never given twice.
"""

from typing import TypeAlias

from msgspec import Struct

APPLICATION_ID = 0x43415254  # "CART", in the file's header where `file` and SQLite look for it
SCHEMA_VERSION = 8
EXPORT_MARK = "cartulary published 1"  # what an exported database says it is, in its table `about`

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


class Lines(Struct, frozen=True):
    """The rows of one game in the index.

    Attributes:
        row: Its row of the games list, in the order of COLUMNS.
        players: Names, in seat order.
        opening: The first word that a player wrote, empty for none.
        moves: A digest of all words, None if there are none.
        findings: Ply, severity and key of each.
        rulings: Ply, decision, the key of the rule cited or an empty text, and arbiter of each.
        disputes: Ply and status of each.
        comments: Ply, 0 for the game as a whole, and text of each.
        beginning: The first words of the players of a finished game, joined by blanks.
        scores: Seat, the ply from which on somebody sat there (0 for the beginning), that person, share of the result,
            points and place of each; an empty text or 0 for what is not known. An open game has them only if somebody
            took over a seat.
        aside: Whether the game is set aside, so that lists and standings leave it out.
        teams: The number of each seat's team, in seat order; empty if everybody plays alone.
    """

    row: Row
    players: tuple[str, ...] = ()
    opening: str = ""
    moves: int | None = None
    findings: tuple[tuple[int, str, str], ...] = ()
    rulings: tuple[tuple[int, str, str, str], ...] = ()
    disputes: tuple[tuple[int, str], ...] = ()
    comments: tuple[tuple[int, str], ...] = ()
    scores: tuple[tuple[int, int, str, str, str, int], ...] = ()
    beginning: str = ""
    aside: bool = False
    teams: tuple[int, ...] = ()


_KINDS = {str: "TEXT", int: "INTEGER"}

# --- the read model ---

MODEL = {
    "games": "CREATE TABLE IF NOT EXISTS games (number INTEGER PRIMARY KEY, "
    + ", ".join(f"{name} {_KINDS[kind]}{' UNIQUE' * (name == 'id')}" for name, kind in COLUMNS.items())
    + ", opening TEXT, moves INTEGER)",
    "people": "CREATE TABLE IF NOT EXISTS people (person INTEGER PRIMARY KEY, name TEXT UNIQUE)",
    "seats": "CREATE TABLE IF NOT EXISTS seats (number INTEGER, seat INTEGER, person INTEGER, "
    "PRIMARY KEY (number, seat)) WITHOUT ROWID",
    "findings": "CREATE TABLE IF NOT EXISTS findings (number INTEGER, ply INTEGER, severity TEXT, key TEXT)",
    "rulings": "CREATE TABLE IF NOT EXISTS rulings "
    "(number INTEGER, ply INTEGER, decision TEXT, key TEXT, arbiter TEXT)",
    "disputes": "CREATE TABLE IF NOT EXISTS disputes (number INTEGER, ply INTEGER, status TEXT)",
    "scores": "CREATE TABLE IF NOT EXISTS scores (number INTEGER, seat INTEGER, since INTEGER, person INTEGER, "
    "share TEXT, points TEXT, place INTEGER, PRIMARY KEY (number, seat, since)) WITHOUT ROWID",
    "beginnings": "CREATE TABLE IF NOT EXISTS beginnings (number INTEGER PRIMARY KEY, words TEXT)",
    "set_aside": "CREATE TABLE IF NOT EXISTS set_aside (number INTEGER PRIMARY KEY)",
    "teams": "CREATE TABLE IF NOT EXISTS teams (number INTEGER, seat INTEGER, team INTEGER, "
    "PRIMARY KEY (number, seat)) WITHOUT ROWID",
    "unscored": "CREATE TABLE IF NOT EXISTS unscored (number INTEGER PRIMARY KEY)",
    "comments": "CREATE VIRTUAL TABLE IF NOT EXISTS comments USING fts5(text, "
    "tokenize='unicode61 remove_diacritics 2')",
}
"""The tables that every append updates and ``reindex`` rebuilds, by name.

``scores`` has a row for each person at each seat of a finished game, from the ply ``since`` on, and of an open game
that has substitutes; ``beginnings`` has the first words of a finished game. ``teams`` has the team of each seat of a
game that is played in teams. ``set_aside`` lists the games that lists
and standings leave out. ``unscored`` lists the games of older files that have no rows, or too few, in ``scores`` and
``beginnings`` yet; the first question about them works them out.
"""

INDEXES = (
    # Read backwards, and written at its end, so that its pages are full; games of one moment are few.
    "CREATE INDEX IF NOT EXISTS games_by_time ON games (updated)",
    "CREATE INDEX IF NOT EXISTS games_by_date ON games (date)",
    "CREATE INDEX IF NOT EXISTS games_by_event ON games (event)",
    "CREATE INDEX IF NOT EXISTS games_by_day ON games (game, date, players)",
    "CREATE INDEX IF NOT EXISTS games_by_moves ON games (moves)",
    "CREATE INDEX IF NOT EXISTS seats_by_person ON seats (person)",
    "CREATE INDEX IF NOT EXISTS scores_of_substitutes ON scores (number) WHERE since > 0",
    "CREATE INDEX IF NOT EXISTS beginnings_by_words ON beginnings (words)",
    "CREATE INDEX IF NOT EXISTS findings_by_number ON findings (number)",
    "CREATE INDEX IF NOT EXISTS findings_by_key ON findings (key)",
    "CREATE INDEX IF NOT EXISTS rulings_by_number ON rulings (number)",
    "CREATE INDEX IF NOT EXISTS disputes_by_number ON disputes (number)",
)

POSITIONS = {
    "positions": "CREATE TABLE IF NOT EXISTS positions (mark INTEGER, place INTEGER, ply INTEGER, "
    "PRIMARY KEY (mark, place, ply)) WITHOUT ROWID",
    "runs": "CREATE TABLE IF NOT EXISTS runs "
    "(run INTEGER PRIMARY KEY, place INTEGER, width INTEGER, bits INTEGER, high INTEGER)",
    "postings": "CREATE TABLE IF NOT EXISTS postings (chunk INTEGER PRIMARY KEY, postings BLOB)",
    "placed": "CREATE TABLE IF NOT EXISTS placed "
    "(place INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER UNIQUE, version INTEGER)",
    "waiting": "CREATE TABLE IF NOT EXISTS waiting (number INTEGER PRIMARY KEY)",
    "encodings": "CREATE TABLE IF NOT EXISTS encodings (game TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID",
}
"""The tables of the index of positions, by name.

``positions`` has the marks of single games, one by one; ``runs`` and ``postings`` have those of many games, packed as
in ``library/runs.py``. ``placed`` says where the marks of a game are now and how many events they cover; marks in other
places no longer count. ``waiting`` lists the games whose marks are to be worked out again. ``encodings`` has the number
of the encoding in which the marks of a game are written, 1 if the game is not there, as in files of earlier versions.
"""

BEHIND = "CREATE TABLE IF NOT EXISTS behind (reason TEXT)"
"""A table that has a row while the index is incomplete.

Either an older version made the file and only the games list is filled, or the index is being rebuilt.
"""
REINDEXING = "a reindex of it goes on, or was broken off"
"""The reason stored while the index is rebuilt. Files hold it, so it never changes; no user is shown it."""

# --- the log ---

_APPEND_ONLY = "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"

TRIGGERS = {
    name: f"CREATE TRIGGER {name} BEFORE {when} {_APPEND_ONLY}"
    for name, when in (
        ("events_are_not_edited", "UPDATE ON stored_events"),
        ("events_are_not_deleted", "DELETE ON stored_events"),
        # INSERT OR REPLACE deletes the old row without firing the delete trigger.
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
    *MODEL.values(),
    *INDEXES,
    *POSITIONS.values(),
    BEHIND,
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

_NUMBER = (
    "COALESCE((SELECT MIN(rowid) FROM stored_events WHERE originator_id = games.id), "
    "(SELECT COALESCE(MAX(rowid), 0) FROM stored_events) + games.rowid)"
)

_POSITIONS_ANEW = (
    # The indexes are those of today, so the tables that they are made on must be there.
    MODEL["scores"],
    MODEL["beginnings"],
    MODEL["set_aside"],
    MODEL["unscored"],
    # The next search by position, or `reindex --positions`, works the marks out again.
    *(f"DROP TABLE IF EXISTS {name}" for name in POSITIONS),
    "DROP INDEX IF EXISTS games_by_time",
    *INDEXES,
    *POSITIONS.values(),
    "INSERT OR IGNORE INTO waiting SELECT number FROM games",
)

UPGRADES: dict[int, tuple[str, ...]] = {
    1: (
        "CREATE TABLE IF NOT EXISTS games (" + ", ".join(f"{n} {_KINDS[k]}" for n, k in COLUMNS.items()) + ")",
        "ALTER TABLE games RENAME TO games_before",
        *MODEL.values(),
        f"INSERT OR IGNORE INTO games (number, {', '.join(COLUMNS)}) "
        f"SELECT {_NUMBER.replace('games.', 'games_before.')}, {', '.join(COLUMNS)} FROM games_before",
        "DROP TABLE games_before",
        *INDEXES,
        *POSITIONS.values(),
        BEHIND,
        "INSERT INTO waiting SELECT number FROM games",
        "INSERT INTO behind VALUES ('It was made by an older version of this program.')",
    ),
    2: _POSITIONS_ANEW,
    # From here on long bodies are packed as they are written; those that are there stay as they are.
    3: _POSITIONS_ANEW,
    4: (
        MODEL["scores"],
        MODEL["beginnings"],
        MODEL["set_aside"],
        MODEL["unscored"],
        *INDEXES,
        "INSERT OR IGNORE INTO unscored SELECT number FROM games",
    ),
    # Of games with substitutes, the scores have rows for those who sat there first only.
    5: (
        *MODEL.values(),
        *INDEXES,
        "INSERT OR IGNORE INTO unscored SELECT number FROM games WHERE id IN "
        "(SELECT originator_id FROM stored_events WHERE topic LIKE 'player-seated/%')",
    ),
    # Of games in teams, the scores have the places of seats for those of teams.
    6: (
        MODEL["teams"],
        "INSERT OR IGNORE INTO unscored SELECT number FROM games WHERE verdict = 'unjudged' OR number IN "
        "(SELECT number FROM scores WHERE seat > 2 AND share LIKE '%/%')",
    ),
    # Of imported games the scores have the points of the tag Score only. Games for two whose moves are judged mostly
    # have none, so they are looked at only if points of such a game are there.
    7: (
        "DROP INDEX IF EXISTS games_by_game",
        "DROP INDEX IF EXISTS scores_by_person",
        *INDEXES,
        "INSERT OR IGNORE INTO unscored SELECT number FROM games "
        "WHERE number IN (SELECT number FROM scores WHERE points = '' AND share <> '') "
        "AND (verdict = 'unjudged' OR plies = 0 OR number IN (SELECT number FROM scores WHERE seat > 2) "
        "OR game IN (SELECT game FROM games JOIN scores USING (number) WHERE points <> '')) "
        "AND EXISTS (SELECT 1 FROM stored_events WHERE originator_id = games.id AND originator_version = 1 "
        "AND topic LIKE 'game-imported/%')",
    ),
}
"""By version, the statements that bring a database to the next one. None of them touches the log."""
