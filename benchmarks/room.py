"""What takes up the room in a database file: the log, the list of games, words, positions, and foreign sources.

python benchmarks/room.py FILE [SHEETS]    # SHEETS: the same games as text, to compare it with
"""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from cartulary.records.log.schema import MODEL, POSITIONS

_PAGES = (
    "SELECT IFNULL(tbl_name, s.name), s.name, SUM(pgsize), SUM(payload), SUM(unused) FROM dbstat s "
    "LEFT JOIN sqlite_master m ON m.name = s.name GROUP BY 2 ORDER BY 3 DESC"
)
_SOURCES = "SELECT IFNULL(SUM(LENGTH(CAST(state AS BLOB))), 0) FROM stored_events WHERE topic LIKE 'source-kept/%'"


def part_of(table: str) -> str:
    """Return the part of the file that a table belongs to, such as ``log`` or ``positions``."""
    if table.partition("_")[0] == "comments":
        return "words of comments"
    if table in POSITIONS:
        return "positions"
    if table in MODEL:
        return "games list"
    return "log" if table in ("stored_events", "heads") else "the rest"


def main(file: Path, sheets: Path | None) -> None:
    """Print as a Markdown table how many bytes each part and each larger table of a database has; ``sheets`` is a file
    to compare its size with.
    """
    text = sheets.stat().st_size if sheets else 0
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute(_PAGES).fetchall()
        [[sources]] = database.execute(_SOURCES).fetchall()
        [[free]] = database.execute("SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size")
    parts: dict[str, list[tuple[str, int, int, int]]] = {}
    for table, *told in rows:
        parts.setdefault(part_of(table), []).append(tuple(told))
    print("| what | MB | of the file | beside the sheets | payload, MB | unused, MB |\n|---|---|---|---|---|---|")
    whole = sum(pages for _, _, pages, _, _ in rows) + free

    def line(name: str, pages: int, payload: int, unused: int) -> None:
        beside = f"{pages / text:.2f}" if text else "–"
        numbers = f"{pages / 1e6:.2f} | {pages / whole:.1%} | {beside} | {payload / 1e6:.2f} | {unused / 1e6:.2f}"
        print(f"| {name} | {numbers} |")

    for part, its in sorted(parts.items(), key=lambda each: -sum(pages for _, pages, _, _ in each[1])):
        line(f"**{part}**", *(sum(column) for column in zip(*(numbers for _, *numbers in its), strict=True)))
        for name, *numbers in its:
            if numbers[0] > whole / 200:
                line(f"`{name}`", *numbers)
    line("free pages", free, 0, free)
    line("**the file**", whole, 0, 0)
    print(f"\nForeign sources are {sources / 1e6:.2f} MB of the log.")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
