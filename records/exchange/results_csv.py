"""Finished games as CSV, a row a seat: read from the tables that clubs keep, and written for a spreadsheet."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct

from cartulary.records.commands.result import ResultRequest, opening_of_result, record_result
from cartulary.records.faults import Fault, Unfit
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


class TableGame(Struct, frozen=True):
    """One game of a table, or one play of another program's log.

    Attributes:
        line: The line of its first row, or its number among the plays, from 1.
        request: What is to be recorded.
        given_id: The id that the table names, empty for none.
        because: Why it cannot be recorded; empty if nothing speaks against it yet.
    """

    line: int
    request: ResultRequest
    given_id: str = ""
    because: str = ""


class TableAnswer(Struct, frozen=True):
    """What became of one game of a table.

    Attributes:
        line: The line of its first row.
        status: ``new``, ``known`` (it is here already, or stands twice in the table) or ``declined``.
        id: The id of the game; empty if it was declined.
        because: Why it was declined; else empty.
    """

    line: int
    status: str
    id: str = ""
    because: str = ""


def read_table(data: bytes, columns: Mapping[str, str] | None = None) -> tuple[TableGame, ...]:
    """Return the games of a table: rows with the same id, or with the same game, day and event in a row, are one game.

    The separator is the one of ``;``, ``,`` and tab that stands most often in the first line. The encoding is UTF-8,
    else Windows-1252.

    Args:
        data: The file.
        columns: By field of ``NAMES``, the head of its column; fields that are left out are known by usual heads.

    Raises:
        Unfit: The file is no table, or has no column for the game, the player, or points or places.
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
    """Return by field the place of its column, from 0.

    Raises Unfit if a field or column is unknown, or one that is needed is missing.
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
    if "points" in at and "place" in at and "place" not in columns:
        del at["place"]  # the place follows from the points
    for field in ("game", "player"):
        if field not in at:
            raise Unfit(f"The table has no column for the {field}; expected a head such as {NAMES[field][0]}.")
    if "points" not in at and "place" not in at:
        raise Unfit("The table has no column for points or places; expected a head such as points.")
    return at


def _games(rows: Sequence[tuple[int, list[str]]], at: Mapping[str, int]) -> Iterator[TableGame]:
    """Yield the games of a table: rows next to each other with the same id, or else the same game, day, event and
    place, are one. ``rows`` are pairs of the number of the line and its cells; ``at`` is the place of each field's
    column.
    """
    group: list[tuple[int, list[str]]] = []

    def cell(row: Sequence[str], field: str) -> str:
        """Return the cell of a row in a field's column, without blanks around it; empty if there is none."""
        place = at.get(field)
        return row[place].strip() if place is not None and place < len(row) else ""

    def key(row: Sequence[str]) -> tuple[str, ...]:
        """Return what rows of the same game have in common."""
        id = cell(row, "id")
        return (id,) if id else tuple(cell(row, field) for field in ("game", "date", "event", "site"))

    def game() -> TableGame:
        """Return the rows collected in ``group`` as one game."""
        line, first = group[0]
        number = "points" if "points" in at else "place"
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


def take_results(store: Log, games: Sequence[TableGame], *, skip_bad: bool = False) -> tuple[TableAnswer, ...]:
    """Record the games of a table and return what became of each. What is here already is not recorded again.

    Args:
        store: The log.
        games: The games.
        skip_bad: Whether the others are recorded if one cannot be; otherwise nothing is.

    Returns:
        The answers, in the order of the table. Without ``skip_bad``, if one is declined, they say what would become of
        the others.
    """
    checked = [check_result(store, game) for game in games]
    if any(answer.status == "declined" for answer in checked) and not skip_bad:
        return tuple(checked)
    answers = []
    for game, answer in zip(games, checked, strict=True):
        if answer.status != "new":
            answers.append(answer)
            continue
        twice = store.head(answer.id) is not None
        record_result(store, game.request)
        answers.append(TableAnswer(game.line, "known" if twice else "new", answer.id))
    return tuple(answers)


def check_result(store: Log, game: TableGame) -> TableAnswer:
    """Return what would become of a game of a table, ``new``, ``known`` or ``declined``; nothing is stored."""
    if game.because:
        return TableAnswer(game.line, "declined", "", f"It is not recorded: {game.because}.")
    if game.given_id and store.head(game.given_id) is not None:
        return TableAnswer(game.line, "known", game.given_id)
    try:
        id = opening_of_result(store, game.request).id
    except Fault as fault:
        return TableAnswer(game.line, "declined", "", str(fault))
    return TableAnswer(game.line, "new" if store.head(id) is None else "known", id)


def write_table(store: Log, query: Query) -> str:
    """Return the finished games that match a query as CSV, a row a seat, in the order in which they were begun.

    Raises:
        Unfit: No game can match the query.
        Declined: The index is not up to date.
    """
    people = people_of(store)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in score_rows(store, query):
        writer.writerow((*row[:6], people.display_name(row[6]), *row[7:]))
    return text.getvalue()
