"""Games as Parquet files, for sweeps over all of them: plies, games, findings and rulings by game and year.

DuckDB writes and reads them. A file beside them says whether all was written, and how long each file is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO
from urllib.parse import quote

import msgspec
from msgspec import Struct

from cartulary.notation import NotationError
from cartulary.records.faults import Fault, Unfit, UnknownGame
from cartulary.records.library.marks import marks_of
from cartulary.records.library.search import check_complete
from cartulary.records.log.contract import Log
from cartulary.records.log.schema import COLUMNS
from cartulary.records.state.fold import book_of, sheet

MARKER = "cartulary.json"
FORMAT = "parquet 1"
CHUNK = 500
"""Games worked out at a time."""
_MISSING = "Parquet needs DuckDB; install it with: python -m pip install 'cartulary[bulk]'."

_OF = {"number": "BIGINT", "game": "VARCHAR", "year": "VARCHAR"}
TABLES: dict[str, dict[str, str]] = {
    "games": {
        **_OF,
        **{name: "BIGINT" if kind is int else "VARCHAR" for name, kind in COLUMNS.items() if name != "game"},
        "opening": "VARCHAR",
        "moves": "BIGINT",
        "players_by_seat": "VARCHAR[]",
    },
    "plies": {**_OF, "ply": "BIGINT", "word": "VARCHAR", "mark": "BIGINT"},
    "findings": {**_OF, "ply": "BIGINT", "severity": "VARCHAR", "key": "VARCHAR"},
    "rulings": {**_OF, "ply": "BIGINT", "decision": "VARCHAR", "key": "VARCHAR", "arbiter": "VARCHAR"},
}
"""The columns of each table, in their order. number: of the game, which joins them; a ply's mark is that of the
position it led to, in which ``search --position`` finds the game, NULL where none is known; ply 0 is the position
before all plies."""
_SORTED = {"plies": "mark, number, ply"}


class Marker(Struct, frozen=True):
    """What a folder says of itself, written last. files: how many bytes each has, by its place in the folder"""

    cartulary: str
    games: int
    plies: int
    files: dict[str, int]


@contextmanager
def duckdb_at(place: Path | None) -> Iterator[Any]:
    """Hold DuckDB open. place: a database of its own, in memory without.

    Raises Unfit where it is not installed, and for its faults.
    """
    try:
        import duckdb
    except ImportError:
        raise Unfit(_MISSING) from None
    try:
        with duckdb.connect(str(place or ":memory:")) as database:
            database.execute("SET autoinstall_known_extensions = false")  # nothing is fetched from anywhere
            yield database
    except duckdb.Error as fault:
        raise Unfit(f"The Parquet files cannot be used: {str(fault).splitlines()[0].rstrip('.')}.") from None


@contextmanager
def encodable_path(folder: Path) -> Iterator[Path]:
    """Hold a path to a folder that DuckDB can open, which takes UTF-8 only: where the path is none, a link to it."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        with TemporaryDirectory(prefix="cartulary-") as beside:
            link = Path(beside) / "folder"
            link.symlink_to(folder.resolve(), target_is_directory=True)
            yield link
    else:
        yield folder


# --- writing ---


def check_folder(folder: Path, over: bool) -> None:
    """Raise Unfit where no Parquet may be written. over: a folder of such may be replaced"""
    if folder.exists() and not folder.is_dir():
        raise Unfit(f"{folder} is a file; expected the name of a folder for Parquet.")
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if not (folder / MARKER).is_file():
        raise Unfit(f"{folder} already exists and holds other files; name another folder.")
    if not over:
        raise Unfit(f"{folder} already exists; --force replaces it.")


def export_parquet(
    store: Log,
    ids: Iterable[str],
    folder: Path,
    progress: Callable[[int], None] | None = None,
    over: bool = False,
) -> tuple[int, tuple[Fault, ...]]:
    """Write games into a folder; return how many it holds, and what is at fault with the others, which are left out.

    It is put in its place whole; of no game nothing is.
    progress: called with the games done so far; over: a folder of such may be replaced
    Raises Unfit, Declined, DiskFull and OSError.
    """
    check_folder(folder, over)
    check_complete(store)
    place = folder.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(prefix=".parquet-", dir=place.parent) as made_in,
        encodable_path(Path(made_in)) as beside,
        duckdb_at(beside / "rows") as into,
    ):
        rows = _Rows(beside)
        try:
            for at, held in enumerate(_held(store, ids), 1):
                rows.game(store, held)
                if progress:
                    progress(at)
        finally:
            rows.close()
        if rows.games:
            made = beside / "made"
            made.mkdir()
            for table in TABLES:
                _put(into, table, rows.path(table), made)
            files = {path.relative_to(made).as_posix(): path.stat().st_size for path in made.rglob("*.parquet")}
            marker = Marker(FORMAT, rows.games, rows.plies, files)
            (made / MARKER).write_bytes(msgspec.json.encode(marker))
            if place.exists():  # moved away whole: of a folder that is being deleted half could be left
                place.rename(beside / "before")
            made.rename(place)
    return rows.games, tuple(rows.faults)


def _put(into: Any, table: str, rows: Path, folder: Path) -> None:
    if not rows.stat().st_size:
        return
    columns = ", ".join(f"{name}: '{kind}'" for name, kind in TABLES[table].items())
    source = f"read_json({sql_text(rows)}, format = 'newline_delimited', columns = {{{columns}}})"
    order = _SORTED.get(table, "number")
    into.execute(f"CREATE TABLE {table} AS SELECT * FROM {source} ORDER BY game, year, {order}")
    # One by one: DuckDB's own PARTITION_BY keeps no order within a file.
    for game, year in into.execute(f"SELECT DISTINCT game, year FROM {table}").fetchall():
        place = folder / table / f"game={quote(game, safe='')}" / f"year={year}" / "games.parquet"
        place.parent.mkdir(parents=True)
        of = f"SELECT * FROM {table} WHERE game = ? AND year = ? ORDER BY {order}"
        into.execute(f"COPY ({of}) TO {sql_text(place)} (FORMAT parquet, COMPRESSION zstd)", (game, year))


def sql_text(path: Path) -> str:
    """Return a path as SQL has it."""
    return "'" + str(path).replace("'", "''") + "'"


class _Rows:
    """The rows of games on their way, a file of JSON lines a table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, BinaryIO] = {name: self.path(name).open("wb") for name in TABLES}
        self.games = self.plies = 0
        self.faults: list[Fault] = []

    def path(self, table: str) -> Path:
        """Return where the rows of a table stand."""
        return self._folder / f"{table}.jsonl"

    def close(self) -> None:
        """Write what is not written yet."""
        for file in self._files.values():
            file.close()

    def game(self, store: Log, held: "dict[str, Any] | str") -> None:
        """Write the rows of one game; of one that cannot be read none, and its fault is kept. held: its line, or id"""
        try:
            if isinstance(held, str):
                store.stream(held)
                raise UnknownGame(held)
            plies = list(_plies(store, held))
        except Fault as fault:
            self.faults.append(fault)
            return
        named = {name: held[name] for name in _OF}
        for table, found in held.pop("rows").items():
            self._put(table, named, found)
        self._put("games", {}, [held])
        self._put("plies", named, plies)
        self.games += 1
        self.plies += max(0, len(plies) - 1)

    def _put(self, table: str, named: dict[str, Any], rows: Iterable[dict[str, Any]]) -> None:
        encode, write = msgspec.json.encode, self._files[table].write
        for row in rows:
            write(encode(named | row) + b"\n")


def _plies(store: Log, held: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a game's plies, the position before the first one too."""
    record = sheet(book_of(held["id"], store.stream(held["id"])))
    marks: dict[int, int] = {}
    try:
        for ply, mark in marks_of(record, held["verdict"] == "legal" and not held["findings"]):
            marks.setdefault(ply, mark)  # the first is that of all the record holds
    except NotationError:
        pass  # nobody can say here which positions they are
    for ply, word in enumerate(("", *record.line.words)):
        yield {"ply": ply, "word": word, "mark": marks.get(ply)}


def _held(store: Log, ids: Iterable[str]) -> "Iterator[dict[str, Any] | str]":
    """Yield what the read model holds of each game, its findings and rulings too; the id of one it does not hold."""
    source = iter(ids)
    while some := tuple(islice(source, CHUNK)):
        lines = _lines(store, some)
        for id in some:
            yield lines.get(id, id)


def _lines(store: Log, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    asked = (msgspec.json.encode(ids).decode(),)
    names = ("number", *COLUMNS, "opening", "moves")
    of = "FROM games g JOIN json_each(?) ON g.id = value"
    found: dict[int, dict[str, Any]] = {}
    for row in store.index.rows(f"SELECT {', '.join(f'g.{name}' for name in names)} {of}", asked):
        line = dict(zip(names, row, strict=True))
        year = str(line["date"])[:4]
        line |= {"year": year if year.isdecimal() and year.isascii() else "unknown"}
        line |= {"players_by_seat": [], "rows": {"findings": [], "rulings": []}}
        found[line["number"]] = line
    seated = f"SELECT g.number, p.name {of} JOIN seats s ON s.number = g.number JOIN people p ON p.person = s.person"
    for number, name in store.index.rows(f"{seated} ORDER BY s.number, s.seat", asked):
        found[number]["players_by_seat"].append(name)
    for table in ("findings", "rulings"):
        columns = [name for name in TABLES[table] if name not in _OF]
        told = ", ".join(f"t.{name}" for name in columns)
        for number, *row in store.index.rows(
            f"SELECT g.number, {told} {of} JOIN {table} t ON t.number = g.number ORDER BY t.rowid", asked
        ):
            found[number]["rows"][table].append(dict(zip(columns, row, strict=True)))
    return {line["id"]: line for line in found.values()}
