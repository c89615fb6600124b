"""Score sheets that come back: is a sheet a copy of a game that is in the log already?

An exported sheet names its record and head. In other formats there is no room for that, so games of the same players,
day and result are compared. A sheet is a copy if the export of the game, read again, is the same sheet.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeAlias

from msgspec import Struct

from cartulary.engine.numbers import is_numbered
from cartulary.notation import NotationError, Record, dumps, format_in, loads
from cartulary.notation.foreign.formats import find_format
from cartulary.records.faults import Fault
from cartulary.records.library.duplicates import games_of_players
from cartulary.records.library.listing import index_rows
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from cartulary.records.log.schema import COLUMNS, Lines
from cartulary.records.state.fold import LiveGame, finished, fold
from cartulary.records.state.games import load
from cartulary.records.texts import is_id

Identify: TypeAlias = Callable[[Record], str]
"""Returns the id that a sheet would be imported under; the same for the same sheet, empty if it cannot be imported."""
MOST_CALLS = 12
"""How many plies fewer the sheet may have in another format, where calls are comments."""
MOST_COMPARED = 20
"""With how many games of the same players, day and result a sheet is compared."""


class SheetTrace(Struct, frozen=True):
    """What shows whether a sheet is a copy.

    Attributes:
        id: The id that it would be imported under.
        format: The format it was read from, empty for CGN.
        exported_from: The record that it names as the one it was exported from, with the head of that record; None if
            it names none.
        rows: Its rows in the index.
    """

    id: str
    format: str
    exported_from: tuple[str, Head] | None
    rows: Lines

    @property
    def table(self) -> tuple[str, str, str]:
        """The key of the game, the day as in the tag Date, and the players as in the games list: ``Ann; Bea``."""
        row = self.rows.row
        return str(row[_GAME]), str(row[_DATE]), str(row[_PLAYERS])

    def column(self, name: str) -> str:
        """Return a value of its row in the games list as a text, by the name of its column."""
        return str(self.rows.row[_AT[name]])


class Copy(Struct, frozen=True):
    """What a sheet is a copy of.

    Attributes:
        id: The game here.
        because: In what the sheet is another one; empty if it is the same.
    """

    id: str
    because: str = ""


_AT = {name: at for at, name in enumerate(COLUMNS)}
_GAME, _DATE, _PLAYERS = _AT["game"], _AT["date"], _AT["players"]


def copies(store: Log, sheets: Iterable[SheetTrace], identify: Identify) -> dict[str, Copy]:
    """Return what each sheet is a copy of, by the id it would be imported under.

    Sheets of new games are left out, and so are sheets that are here under that id.

    Args:
        store: The log.
        sheets: The sheets.
        identify: Returns the id that a sheet would be imported under. The exports of games here are compared by it.
    """
    traces = {sheet.id: sheet for sheet in sheets}
    found = {}
    for sheet in traces.values():
        if (
            sheet.exported_from is not None
            and store.head(sheet.id) is None
            and (copy := _of_named_game(store, sheet, *sheet.exported_from, identify)) is not None
        ):
            found[sheet.id] = copy
    for sheet, ids in _alike(store, [sheet for id, sheet in traces.items() if id not in found]):
        for id in ids[:MOST_COMPARED] if store.head(sheet.id) is None else ():
            with suppress(Fault):
                if sheet.id in _identities(load(store, id), sheet.format, identify):
                    found[sheet.id] = Copy(id)
                    break
    return found


def _of_named_game(store: Log, sheet: SheetTrace, id: str, head: Head, identify: Identify) -> Copy | None:
    """Return what a sheet is a copy of that names the record it was exported from.

    Args:
        store: The log.
        sheet: The sheet.
        id: The record that it names.
        head: The head of that record which it names, with the number and the digest of its last event then.
        identify: Returns the id that the export of a game here would be imported under.

    Returns:
        The game here; if the sheet was changed or the game went on elsewhere, with a sentence that says so. None if
        that record is not here or cannot be loaded.
    """
    if not is_id(id) or store.head(id) is None:
        return None
    try:
        game = load(store, id)
        here = head.version <= game.head.version and game.recorded[head.version - 1].digest == head.digest
        if here and head.version < game.head.version:
            earlier = fold(id, game.recorded[: head.version])
            if sheet.id in _identities(earlier, sheet.format, identify):
                return Copy(id)
        if sheet.id in _identities(game, sheet.format, identify):
            return Copy(id)
        if here and _is_nameless_copy(sheet, index_rows(game)):
            return Copy(id)
    except Fault:
        return None
    if here:
        return Copy(id, f"it was exported from {id}, and something in it has been changed since")
    because = f"it is a copy of {id} that went on elsewhere, to event {head.version}"
    return Copy(id, f"{because}; {id} here ends at event {game.head.version}")


def _is_nameless_copy(sheet: SheetTrace, rows: Lines) -> bool:
    """Say whether a sheet differs from the game it was exported from only in what a redacted export leaves out.

    That is names of players, event and site, which are then ``?``, empty or a seat such as ``p1``, and comments.
    ``rows`` are those of the game here.
    """
    same = all(sheet.column(name) == str(rows.row[_AT[name]]) for name in ("date", "result", "plies", "variant"))
    names = zip(
        (*sheet.rows.players, sheet.column("event"), sheet.column("site")),
        (*rows.players, str(rows.row[_AT["event"]]), str(rows.row[_AT["site"]])),
        strict=len(sheet.rows.players) == len(rows.players),
    )
    comments = set(sheet.rows.comments) <= set(rows.comments)
    return (
        same
        and sheet.rows.moves == rows.moves
        and comments
        and all(name in (other, "?", "") or is_numbered(name) for name, other in names)
    )


def _identities(game: LiveGame, format: str, identify: Identify) -> Iterator[str]:
    """Yield the ids that the exports of a game would be imported under: without its corrections, and with them if that
    differs.

    ``format`` is the name of the format, empty for CGN. A game that the format cannot hold yields none.
    """
    seen: set[str] = set()
    for log in (False, True):
        record = finished(game, log)
        with suppress(NotationError):
            text = format_in(record, find_format(format), game.examined.walk) if format else dumps(record)
            if text not in seen:
                seen.add(text)
                yield from (identify(again) for again in loads(text))


def _alike(store: Log, sheets: Iterable[SheetTrace]) -> Iterator[tuple[SheetTrace, list[str]]]:
    """Yield each sheet with the ids of the games that may be it: of the same players, day, result and moves.

    Sheets without any are left out.
    """
    traces = [(sheet.table, sheet) for sheet in sheets]
    by_table: dict[tuple[str, str, str], list[tuple[Any, ...]]] = defaultdict(list)
    for game, date, players, *values in games_of_players(store, (table for table, _ in traces)):
        by_table[game, date, players].append(tuple(values))
    for table, sheet in traces if by_table else ():
        same_table = by_table.get(table, [])
        if ids := [id for id, *others in same_table if id != sheet.id and _may_be(sheet, *others)]:
            yield sheet, ids


def _may_be(sheet: SheetTrace, result: str, plies: int, moves: int | None, opening: str) -> bool:
    """Say whether a sheet may be that of a game of the same players and day, which the last four values describe.

    It may if the digest of the moves is the same. Otherwise the result must be, all names known, and either neither has
    moves, or in another format the first word is the same and the number of plies about the same.
    """
    if sheet.rows.moves is not None and moves == sheet.rows.moves:
        return True
    if "?" in sheet.rows.players or result != sheet.column("result"):
        return False
    own_plies = int(sheet.column("plies"))
    if not sheet.format:
        return moves is None and sheet.rows.moves is None
    return own_plies <= plies <= own_plies + MOST_CALLS and sheet.rows.opening == opening
