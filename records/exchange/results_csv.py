"""Finished games as CSV, a row a seat: read from the tables that clubs keep, and written for a spreadsheet."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from cartulary.records.commands.result import ResultRequest, TableGame
from cartulary.records.faults import Unfit
from cartulary.records.library.search import Query
from cartulary.records.library.standings import score_rows
from cartulary.records.log.contract import Log
from cartulary.records.state.people import people_of

NAMES = {
    "id": ("id", "record"),
    "game": ("game", "jeu", "spiel"),
    "date": ("date", "datum", "day", "jour", "tag"),
    "event": ("event", "évènement", "événement", "evenement", "veranstaltung"),
    "site": ("site", "location", "lieu", "ort"),
    "duration": ("duration", "durée", "duree", "dauer", "minutes"),
    "player": ("player", "name", "joueur", "nom", "spieler"),
    "points": ("points", "score", "punkte"),
    "place": ("place", "rank", "rang", "platz"),
}
"""By field, what the heads of columns are usually called, in small letters."""
COLUMNS = ("id", "game", "date", "event", "site", "seat", "player", "points", "place", "share", "result")
"""The columns that are written."""
_SEPARATORS = ";,\t"


def read_table(data: bytes, columns: Mapping[str, str] | None = None) -> tuple[TableGame, ...]:
    """Return the games of a table: rows next to each other with the same id, or else the same game, day, event and
    place, are one game. A player who stands there once more begins the next game.

    The separator is the one of ``;``, ``,`` and tab that stands most often in the first line. The encoding is UTF-8,
    else Windows-1252.

    Args:
        data: The file.
        columns: By field of ``NAMES``, the head of its column; fields that are left out are known by usual heads.

    Raises:
        Unfit: The file is no table, or has no column for the game, the player, or points or places; or ``columns``
            names a field or a head that there is not.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    head = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=head.count)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as fault:
        raise Unfit(f"The table cannot be read: {fault}; expected CSV with a line of heads.") from None
    if not lines:
        raise Unfit("The table is empty; expected a line of heads and a row for each seat.")
    at = _columns_of(lines[0], columns or {})
    rows = [(number, row) for number, row in enumerate(lines[1:], 2) if any(cell.strip() for cell in row)]
    return tuple(_games(rows, at))


def _columns_of(heads: Sequence[str], columns: Mapping[str, str]) -> dict[str, int]:
    """Return by field the index of its column, from 0; fields that the table does not have are left out.

    Args:
        heads: The heads of the table, which are compared without regard to capitals.
        columns: By field, the head of its column; other fields are known by their usual heads in ``NAMES``.

    Raises:
        Unfit: There is no such field or column, or there is none for the game, the player, or points or places.
    """
    folded = [head.strip().casefold() for head in heads]
    at: dict[str, int] = {}
    for field in columns:
        if field not in NAMES:
            raise Unfit(f"There is no field {field}; expected one of: {', '.join(NAMES)}.")
        if columns[field].strip().casefold() not in folded:
            raise Unfit(f"The table has no column {columns[field]!r}; expected one of: {', '.join(heads)}.")
    for field, usual in NAMES.items():
        wanted = (columns[field].strip().casefold(),) if field in columns else usual
        place = next((folded.index(name) for name in wanted if name in folded), None)
        if place is not None:
            at[field] = place
    for field in ("game", "player"):
        if field not in at:
            raise Unfit(f"The table has no column for the {field}; expected a head such as {NAMES[field][0]}.")
    if "points" not in at and "place" not in at:
        raise Unfit("The table has no column for points or places; expected a head such as points.")
    return at


def _games(rows: Sequence[tuple[int, list[str]]], at: Mapping[str, int]) -> Iterator[TableGame]:
    """Yield the games of a table, in its order.

    Rows next to each other with the same id, or else the same game, day, event and place, are one, unless a player
    stands there once more.

    Args:
        rows: Pairs of the number of the line and its cells.
        at: By field, the index of its column.
    """
    group: list[tuple[int, list[str]]] = []

    def cell(row: Sequence[str], field: str) -> str:
        """Return the cell of a row in a field's column, without blanks around it; empty if there is none."""
        place = at.get(field)
        return row[place].strip() if place is not None and place < len(row) else ""

    def key(row: Sequence[str]) -> tuple[str, ...]:
        """Return what rows of the same game have in common: their id, or without one game, date, event and site."""
        id = cell(row, "id")
        return (id,) if id else tuple(cell(row, field) for field in ("game", "date", "event", "site"))

    def game() -> TableGame:
        """Return the rows collected in ``group`` as one game.

        Points count if any row has them or the table has no column for places; otherwise the places do.
        """
        line, first = group[0]
        counted = any(cell(row, "points") for _, row in group) or "place" not in at
        number = "points" if counted else "place"
        players = tuple(f"{cell(row, 'player')}={cell(row, number)}" for _, row in group)
        values = (cell(first, "id"), *(cell(first, field) for field in ("game", "date", "event", "site")), *players)
        request = ResultRequest(
            game=cell(first, "game"),
            players=players,
            places=number == "place",
            date=cell(first, "date"),
            event=cell(first, "event"),
            place=cell(first, "site"),
            duration=cell(first, "duration"),
            command=f"csv-{sha256(repr(values).encode()).hexdigest()[:24]}",
        )
        return TableGame(line, request, cell(first, "id"))

    for number, row in rows:
        names = {cell(other, "player") for _, other in group}
        if group and (key(row) != key(group[0][1]) or cell(row, "player") in names):
            yield game()
            group = []
        group.append((number, row))
    if group:
        yield game()


def write_table(store: Log, query: Query) -> str:
    """Return the finished games that match a query as CSV, a row a seat, in the order in which they were begun.

    The first line has the columns of ``COLUMNS``. Players have the names that ``people`` shows. A game that was not
    decided has no rows, nor has a seat that sat out; one that somebody took over has the name of who sat there first.

    Raises:
        Unfit: No game can match the query, or the file is of an older version and can only be read.
        Declined: The index is not up to date.
    """
    people = people_of(store)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in score_rows(store, query):
        writer.writerow((*row[:6], people.display_name(row[6]), *row[7:]))
    return text.getvalue()
