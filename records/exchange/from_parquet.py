"""A folder of Parquet files that can be queried like an index, in the same SQL, by DuckDB."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from cartulary.records.exchange.parquet import FORMAT, MARKER, TABLES, Marker, duckdb_at, encodable_path, sql_text
from cartulary.records.faults import Damaged, Unfit
from cartulary.records.log.schema import SCHEMA_VERSION
from cartulary.records.log.server import Server

_LIST = "(SELECT unnest(CAST(CAST(? AS JSON) AS VARCHAR[])) AS value)"
"""What takes the place of SQLite's ``json_each(?)`` for a list of texts."""
_VIEWS = (
    "CREATE VIEW people AS SELECT DISTINCT unnest(players_by_seat) AS name, name AS person FROM games",
    "CREATE VIEW seats AS SELECT number, generate_subscripts(players_by_seat, 1) AS seat, "
    "unnest(players_by_seat) AS person FROM games",
    "CREATE TABLE behind (reason VARCHAR)",
)


class ParquetIndex:
    """The index of a folder of Parquet files, without comments and disputes."""

    def __init__(self, database: Any) -> None:
        self._database = database

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a query."""
        found: list[Any] = self._database.execute(sql.replace("json_each(?)", _LIST), values).fetchall()
        return found

    def version(self) -> int:
        """Return the version of the tables."""
        return SCHEMA_VERSION


class ParquetFolder:
    """A folder of games that can be counted."""

    def __init__(self, place: Path, index: ParquetIndex) -> None:
        self.place: Path | Server = place
        self.index = index


@contextmanager
def parquet_folder(folder: Path) -> Iterator[ParquetFolder]:
    """Open a folder that ``export_parquet`` wrote.

    Raises:
        Unfit: It is not such a folder.
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
    """Return the marker of a folder, after checking that all its files are there and have their size."""
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
