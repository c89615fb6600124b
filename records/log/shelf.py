"""The read model's lines of one game: put in place of what stood there, inside the transaction that changes the log."""

from sqlite3 import Cursor

from cartulary.records.faults import Damaged
from cartulary.records.log.schema import COLUMNS, Lines

NUMBER = "(SELECT rowid FROM stored_events WHERE originator_id=? AND originator_version=1)"
_WRITTEN = (*COLUMNS, "opening", "moves")

_UPSERT = (
    f"INSERT INTO games ({', '.join(_WRITTEN)}, number) VALUES ({', '.join('?' * len(_WRITTEN))}, {NUMBER}) "
    f"ON CONFLICT DO UPDATE SET {', '.join(f'{name}=excluded.{name}' for name in _WRITTEN)}"
)
_VERSION = list(COLUMNS).index("version")
_WAITS = (
    "INSERT OR IGNORE INTO waiting SELECT ? WHERE NOT EXISTS (SELECT 1 FROM placed WHERE number = ? AND version = ?)"
)
_PLACE = 1 << 16
"""A comment's row: the game's number times this, and the ply."""
_LAST = _PLACE - 1
_MOST = (1 << 63) // _PLACE - 1


def place_of(number: int, ply: int) -> int:
    """Return the row of a ply's comment; plies too far on for a row of their own share the last one's."""
    return number * _PLACE + min(ply, _LAST)


def put_lines(c: Cursor, lines: Lines) -> None:
    """Write what the read model says of a game, in place of what it said. The game's first event must be stored."""
    id = lines.row[0]
    known = c.execute("SELECT 1 FROM games WHERE id=?", (id,)).fetchone()
    c.execute(_UPSERT, (*lines.row, lines.opening, lines.moves, id))
    [number] = c.execute("SELECT number FROM games WHERE id=?", (id,)).fetchone()
    if not isinstance(number, int) or number > _MOST:
        raise Damaged(f"The number {number} of {id} in the games list is none that it can have.", str(id))
    if known:
        _clear(c, number)
    for seat, name in enumerate(lines.players, 1):
        c.execute("INSERT OR IGNORE INTO people (name) VALUES (?)", (name,))
        c.execute("INSERT OR REPLACE INTO seats SELECT ?, ?, person FROM people WHERE name=?", (number, seat, name))
    for finding in lines.findings:
        c.execute("INSERT INTO findings VALUES (?, ?, ?, ?)", (number, *finding))
    for ruling in lines.rulings:
        c.execute("INSERT INTO rulings VALUES (?, ?, ?, ?, ?)", (number, *ruling))
    for dispute in lines.disputes:
        c.execute("INSERT INTO disputes VALUES (?, ?, ?)", (number, *dispute))
    for ply, text in lines.comments:
        c.execute("INSERT OR REPLACE INTO comments (rowid, text) VALUES (?, ?)", (place_of(number, ply), text))
    c.execute(_WAITS, (number, number, lines.row[_VERSION]))


def _clear(c: Cursor, number: int) -> None:
    for table in ("seats", "findings", "rulings", "disputes"):
        c.execute(f"DELETE FROM {table} WHERE number=?", (number,))
    first = place_of(number, 0)
    c.execute("DELETE FROM comments WHERE rowid BETWEEN ? AND ?", (first, first + _LAST))
