"""The sheets kept with a game: cited by disputes and rulings, and laid beside the game."""

from collections.abc import Sequence

from msgspec import Struct

from cartulary.notation import Record, examine, loads
from cartulary.notation.arbiter.compare import Compared, compare
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.faults import Declined
from cartulary.records.log.contract import Log
from cartulary.records.state.book import KeptSheet
from cartulary.records.state.fold import LiveGame, load
from cartulary.records.state.seat_view import hidden_from, told_number


class Kept(Struct, frozen=True):
    """A sheet kept with a game, and what it is called: ``sheet 9, table-b.cgn``."""

    record: Record
    name: str


def kept_sheet(store: Log, id: str, number: int | None = None, viewer: Viewer = EVERYTHING) -> Kept:
    """Return the sheet of a number, as the viewer counts them; None: the last one kept.

    Raises Declined where there is none, and for a seat before the game is closed.
    """
    game = load(store, id)
    whose = hidden_from(game, viewer)
    if whose is not None and not game.book.closed:
        raise Declined(f"Sheets kept with {id} are shown to seats once the game is closed; until then ask the arbiter.")
    if number is None and not game.book.sheets:
        raise Declined(f"{id} has no other sheet; use `import FILE --second {id}` to keep one.")
    [at] = cited(game, (number,), whose) if number is not None else (game.book.sheets[-1].number,)
    kept = next(one for one in game.book.sheets if one.number == at)
    name = f"sheet {told_number(game, whose, at)}"
    return Kept(loads(kept.cgn)[0], f"{name}, {kept.source}" if kept.source and whose is None else name)


def sheets_kept(game: LiveGame) -> tuple[tuple[int, str, int], ...]:
    """Return number, source and the ply of the first difference, 0 for none, of every sheet kept with a game."""
    return tuple((one.number, one.source, compared_with(game, one).first) for one in game.book.sheets)


def compared_with(game: LiveGame, kept: KeptSheet) -> Compared:
    """Return the game as it stands beside a sheet kept with it."""
    return compare(game.examined, examine(loads(kept.cgn)[0]))


def cited(game: LiveGame, numbers: Sequence[int], seat: int | None) -> tuple[int, ...]:
    """Return sheets, by the numbers the seat knows them by, as the events that kept them.

    Raises Declined for one that is not kept.
    """
    known = {told_number(game, seat, one.number): one.number for one in game.book.sheets}
    for number in numbers:
        if number not in known:
            there = (
                f"it has {'sheets' if len(known) > 1 else 'sheet'} {', '.join(map(str, known))}"
                if known
                else "use `import FILE --second` to keep one"
            )
            raise Declined(f"{game.id} has no sheet {number}; {there}.")
    return tuple(dict.fromkeys(known[number] for number in numbers))
