"""Games as Parquet files, for counting over all of them: plies, games, findings and rulings by game and year.

The rows come from the index and the log, since the index alone has the marks of positions and also the games that are
not judged. DuckDB sorts, divides and writes them. A marker, written last, says that all files are there and their size.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct

from cartulary.notation import NotationError
from cartulary.records.faults import Damaged, Fault, Unfit, UnknownGame
from cartulary.records.library.marks import marks_of
from cartulary.records.library.search import check_complete
from cartulary.records.log.contract import Log
from cartulary.records.log.schema import COLUMNS, SCHEMA_VERSION
from cartulary.records.log.server import Server
from cartulary.records.state.fold import book_of, sheet

MARKER = "cartulary.json"
FORMAT = "parquet 1"
CHUNK = 500
"""Games read from the index with one query."""
_MISSING = "Parquet needs DuckDB; install it with: python -m pip install 'cartulary[bulk]'."

_GAME_COLUMNS = {"number": "BIGINT", "game": "VARCHAR", "year": "VARCHAR"}
TABLES: dict[str, dict[str, str]] = {
    "games": {
        **_GAME_COLUMNS,
        **{name: "BIGINT" if kind is int else "VARCHAR" for name, kind in COLUMNS.items() if name != "game"},
        "opening": "VARCHAR",
        "moves": "BIGINT",
        "players_by_seat": "VARCHAR[]",
    },
    "plies": {**_GAME_COLUMNS, "ply": "BIGINT", "word": "VARCHAR", "mark": "BIGINT"},
    "findings": {**_GAME_COLUMNS, "ply": "BIGINT", "severity": "VARCHAR", "key": "VARCHAR"},
    "rulings": {**_GAME_COLUMNS, "ply": "BIGINT", "decision": "VARCHAR", "key": "VARCHAR", "arbiter": "VARCHAR"},
}
"""The columns of each table, in order.

``number`` identifies a game and joins the tables. The mark of a ply is that of the position after it, by which ``search
--position`` finds the game; NULL if none is known. Ply 0 is the position before the first ply.
"""
_ORDER = {"plies": "mark, number, ply"}
_IS_YEAR = "g.date <> '' AND substr(g.date, 1, 4) NOT GLOB '*[^0-9]*'"
_YEAR = f"CASE WHEN {_IS_YEAR} THEN substr(g.date, 1, 4) ELSE 'unknown' END"
_NAMES_BY_SEAT = (
    "SELECT p.name FROM seats s JOIN people p ON p.person = s.person WHERE s.number = g.number ORDER BY s.seat"
)
_COMPUTED = {"year": _YEAR, "players_by_seat": f"(SELECT json_group_array(name) FROM ({_NAMES_BY_SEAT}))"}


class Marker(Struct, frozen=True):
    """What a folder says of itself.

    Attributes:
        cartulary: The format.
        games: The number of games.
        plies: The number of plies.
        files: The size of each file, by its path in the folder.
    """

    cartulary: str
    games: int
    plies: int
    files: dict[str, int]


@contextmanager
def duckdb_at(place: Path | None) -> Iterator[Any]:
    """Open DuckDB. It yields an open connection, which can install no extension, and closes it after the block.

    Args:
        place: The file of its database, None for one in memory.

    Raises:
        Unfit: DuckDB is not installed, or has an error.
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
    """Yield a path that DuckDB can open, for a ``with`` block: the folder, or a link to it if its path is not UTF-8.

    The link is removed after the block.
    """
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
    """Do nothing if Parquet may be written to a folder: there is none yet, it is empty, or it may be replaced.

    Args:
        folder: The folder.
        over: Whether a folder of Parquet files may be replaced.

    Raises:
        Unfit: It is a file, holds other files, or holds Parquet that may not be replaced.
    """
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
    """Write games into a folder, which appears once it is complete. If it would hold no game, there is none.

    Args:
        store: The store.
        ids: The games.
        folder: The folder.
        progress: Called with the number of games that are done.
        over: Whether a folder of Parquet files may be replaced.

    Returns:
        The number of games in the folder, and the faults of others, which are left out.

    Raises:
        Unfit: The folder cannot be used, or DuckDB is missing.
        Declined: The index is not up to date.
        DiskFull or OSError: The folder cannot be written.
    """
    check_folder(folder, over)
    check_complete(store)
    place = folder.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    faults: list[Fault] = []
    with (
        TemporaryDirectory(prefix=".parquet-", dir=place.parent) as temporary,
        encodable_path(Path(temporary)) as beside,
        duckdb_at(beside / "rows") as database,
    ):
        counts = dict.fromkeys(TABLES, 0)
        with ExitStack() as opened:
            files = {table: opened.enter_context((beside / f"{table}.jsonl").open("wb")) for table in TABLES}
            for table, row in _rows(store, ids, faults, progress):
                files[table].write(msgspec.json.encode(row) + b"\n")
                counts[table] += 1
        games = counts["games"]
        if games:
            finished = beside / "made"
            finished.mkdir()
            for table in (table for table, count in counts.items() if count):
                _write_table(database, table, beside / f"{table}.jsonl", finished)
            sizes = {path.relative_to(finished).as_posix(): path.stat().st_size for path in finished.rglob("*.parquet")}
            marker = Marker(FORMAT, games, counts["plies"] - games, sizes)  # each game has a ply 0
            (finished / MARKER).write_bytes(msgspec.json.encode(marker))
            if place.exists():  # renamed, because half of a folder that is being deleted could be left
                place.rename(beside / "before")
            finished.rename(place)
    return games, tuple(faults)


def _write_table(database: Any, table: str, rows: Path, folder: Path) -> None:
    """Write the rows of a table, one JSON object a line, as Parquet files: one for each game and year, sorted.

    Args:
        database: An open DuckDB, in which a table of this name is created.
        table: The name of the table.
        rows: The file of JSON lines.
        folder: Where ``TABLE/game=…/year=…/games.parquet`` are written.
    """
    columns = ", ".join(f"{name}: '{kind}'" for name, kind in TABLES[table].items())
    source = f"read_json({sql_text(rows)}, format = 'newline_delimited', columns = {{{columns}}})"
    order = _ORDER.get(table, "number")
    database.execute(f"CREATE TABLE {table} AS SELECT * FROM {source} ORDER BY game, year, {order}")
    # One by one: DuckDB's own PARTITION_BY keeps no order within a file.
    for game, year in database.execute(f"SELECT DISTINCT game, year FROM {table}").fetchall():
        place = folder / table / f"game={quote(game, safe='')}" / f"year={year}" / "games.parquet"
        place.parent.mkdir(parents=True)
        of = f"SELECT * FROM {table} WHERE game = ? AND year = ? ORDER BY {order}"
        database.execute(f"COPY ({of}) TO {sql_text(place)} (FORMAT parquet, COMPRESSION zstd)", (game, year))


def sql_text(path: Path) -> str:
    """Return a path as a literal in SQL, in single quotes, with those in it doubled: ``it's`` -> ``'it''s'``."""
    return "'" + str(path).replace("'", "''") + "'"


def _rows(
    store: Log, ids: Iterable[str], faults: list[Fault], progress: Callable[[int], None] | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of games as pairs of a table and a row, which is a dict by column.

    Of a game that cannot be read there is a fault and no row.

    Args:
        store: The store.
        ids: The games.
        faults: Gets the fault of each game that cannot be read.
        progress: Called after each game with the number of games that are done.
    """
    source, done = iter(ids), 0
    while chunk := tuple(islice(source, CHUNK)):
        lines, readable = {line["id"]: line for line in _index_rows(store, "games", chunk)}, []
        for id in chunk:
            try:
                if id not in lines:
                    store.stream(id)
                    raise UnknownGame(id)
                plies = list(_ply_rows(store, lines[id]))
            except Fault as fault:
                faults.append(fault)
            else:
                readable.append(id)
                yield "games", lines[id] | {"players_by_seat": msgspec.json.decode(lines[id]["players_by_seat"])}
                yield from (("plies", row) for row in plies)
            done += 1
            if progress:
                progress(done)
        for table in ("findings", "rulings"):
            yield from ((table, row) for row in _index_rows(store, table, readable))


def _ply_rows(store: Log, line: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a row for each ply of a game, first that of ply 0, the position before the first ply.

    The mark, by which a position is found, is None if the position is not known or the game is not installed.

    Args:
        store: The store.
        line: The row of the game in the table ``games``.
    """
    record = sheet(book_of(line["id"], store.stream(line["id"])))
    marks: dict[int, int] = {}
    try:
        for ply, mark in marks_of(record, line["verdict"] == "legal" and not line["findings"]):
            marks.setdefault(ply, mark)  # the first is that of what the record knows
    except NotationError:
        pass  # the game is not installed, so nobody can say which positions these are
    of = {name: line[name] for name in _GAME_COLUMNS}
    for ply, word in enumerate(("", *record.line.words)):
        yield of | {"ply": ply, "word": word, "mark": marks.get(ply)}


def _index_rows(store: Log, table: str, ids: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table of ``TABLES`` for games, from the index, each as a dict by column; unknown ids have
    none.
    """
    own = [name for name in TABLES[table] if name not in _GAME_COLUMNS] if table != "games" else []
    columns = [_COMPUTED.get(name, f"t.{name}" if name in own else f"g.{name}") for name in TABLES[table]]
    joined = f"JOIN {table} t ON t.number = g.number" if own else ""
    order = "ORDER BY t.rowid" if own else ""
    sql = f"SELECT {', '.join(columns)} FROM games g JOIN json_each(?) ON g.id = value {joined} {order}"
    for row in store.index.rows(sql, (msgspec.json.encode(ids).decode(),)):
        yield dict(zip(TABLES[table], row, strict=True))


# --- reading ---

_LIST = "(SELECT unnest(CAST(CAST(? AS JSON) AS VARCHAR[])) AS value)"
"""What takes the place of SQLite's ``json_each(?)`` for a list of texts."""
_VIEWS = (
    "CREATE VIEW people AS SELECT DISTINCT unnest(players_by_seat) AS name, name AS person FROM games",
    "CREATE VIEW seats AS SELECT number, generate_subscripts(players_by_seat, 1) AS seat, "
    "unnest(players_by_seat) AS person FROM games",
    "CREATE TABLE behind (reason VARCHAR)",
    "CREATE TABLE set_aside (number BIGINT)",
    # Neither who took over a seat nor who played together is in the files.
    "CREATE TABLE scores (number BIGINT, seat BIGINT, since BIGINT, person VARCHAR, share VARCHAR)",
    "CREATE TABLE teams (number BIGINT, seat BIGINT, team BIGINT)",
)


class ParquetIndex:
    """The index of a folder of Parquet files, without comments and disputes."""

    def __init__(self, database: Any) -> None:
        """Query an open DuckDB database that has the tables of a folder as views."""
        self._database = database

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a query, which is written for SQLite, as tuples; ``values`` fill its question marks in
        order.
        """
        rows: list[Any] = self._database.execute(sql.replace("json_each(?)", _LIST), values).fetchall()
        return rows

    def version(self) -> int:
        """Return the version of the tables, which is always that of the newest index."""
        return SCHEMA_VERSION


class ParquetFolder:
    """A folder of games that can be counted."""

    def __init__(self, place: Path, index: ParquetIndex) -> None:
        """Note the path of a folder and its index."""
        self.place: Path | Server = place
        self.index = index


@contextmanager
def parquet_folder(folder: Path) -> Iterator[ParquetFolder]:
    """Yield a folder that ``export_parquet`` wrote, opened to be counted, for a ``with`` block; it is closed after the
    block.

    Raises:
        Unfit: It is not such a folder, or DuckDB is not installed.
        Damaged: A file is missing or was cut off.
    """
    marker = _marker(folder)
    with encodable_path(folder) as opened, duckdb_at(None) as database:
        for table, columns in TABLES.items():
            files = [sql_text(opened / name) for name in marker.files if name.startswith(f"{table}/")]
            names = ", ".join(f"{name} {kind}" for name, kind in columns.items())
            if files:
                source = f"read_parquet([{', '.join(files)}], hive_partitioning = false)"
                database.execute(f"CREATE VIEW {table} AS SELECT * FROM {source}")
            else:
                database.execute(f"CREATE TABLE {table} ({names})")
        for statement in _VIEWS:
            database.execute(statement)
        yield ParquetFolder(folder, ParquetIndex(database))


def _marker(folder: Path) -> Marker:
    """Return the marker of a folder, after checking that all its files are there and have their size.

    Raises:
        Unfit: There is no such folder, it has no marker, or it has another format.
        Damaged: The marker was changed, or a file is missing or has another size.
    """
    if not folder.is_dir():
        raise Unfit(f"There is no folder {folder}; `export --format parquet -o {folder}` makes one.")
    try:
        marker = msgspec.json.decode((folder / MARKER).read_bytes(), type=Marker)
    except FileNotFoundError:
        raise Unfit(
            f"{folder} is not a whole Parquet folder: it lacks {MARKER}, which is written last. Export the games again."
        ) from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Damaged(f"{folder / MARKER} has been changed since it was written; export the games again.") from None
    if marker.cartulary != FORMAT:
        raise Unfit(f"{folder} has the format {marker.cartulary!r}, expected {FORMAT!r}; export the games again.")
    for name, size in marker.files.items():
        path = folder / name
        if not path.is_file() or path.stat().st_size != size:
            raise Damaged(f"{folder} is not whole: {name} is missing or was cut off. Copy or export it again.")
    return marker
