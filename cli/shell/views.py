"""Records as a seat has seen them."""

from collections.abc import Iterable, Iterator

from cartulary.cli.shell.console import FINDINGS, fail
from cartulary.cli.shell.findings import docket_of
from cartulary.cli.shell.options import seat_named
from cartulary.cli.shell.sources import live, opened, parse_source, read, read_one, sheets
from cartulary.engine.numbers import seats_named
from cartulary.notation import Record, as_seen, read_heading
from cartulary.records import desk


def view_game(name: str, db: str | None, seat: str, quiet: bool = False) -> "desk.Shown":
    """Return the one game an argument names as the seat has seen it; of several the first, and says so."""
    source = parse_source(name)
    return _live(source.name, db, seat, quiet) if source.live else _on_paper(read_one(name, db), name, seat)


def view_games(name: str, db: str | None, seat: str, quiet: bool = False) -> "Iterator[tuple[str, desk.Shown]]":
    """Yield the games an argument names as the seat has seen them, each with its name and number."""
    source = parse_source(name)
    if source.live:
        yield f"{source.name}#1", _live(source.name, db, seat, quiet)
        return
    for record in read(name, db):
        label = f"{source.name}#{record.index}"
        yield label, _on_paper(record, label, seat)


def _on_paper(original: Record, label: str, seat: str) -> "desk.Shown":
    record, viewer = record_for(original, label, seat)
    return desk.Shown(record, viewer, docket_of(original, viewer))


def _live(id: str, db: str | None, seat: str, quiet: bool) -> "desk.Shown":
    return view_live(*live(id, db, quiet=quiet or bool(seat)), seat, quiet)


def view_live(record: Record, game: "desk.LiveGame", seat: str, quiet: bool = False) -> "desk.Shown":
    """Return a live game as a seat has seen it.

    Args:
        record: The record, as if read from its exported text.
        game: The game.
        seat: The seat as it was typed, empty for everything.
        quiet: Whether the verdicts of a quiet record stay quiet.
    """
    return desk.shown_live(record, game, seat_number(seat, game.book.seats), quiet=quiet)


def record_for(record: Record, name: str, seat: str) -> tuple[Record, int | None]:
    """Return the record as the seat named has seen it, and its number; None and the whole record for nothing said.

    Ends the program where the game has no such seat.
    """
    if not seat:
        return record, None
    heading = read_heading(record)
    if heading.sheet is None:
        fail(f"{name}: {heading.because}.", FINDINGS)
    viewer = seat_number(seat, heading.sheet.seats)
    return as_seen(record, viewer), viewer


def seat_number(text: str, seats: int) -> int | None:
    """Return 2 for ``p2``, 0 for the rail, None for nothing said; ends the program where the game has no such seat."""
    if not text:
        return None
    seat = seat_named(text)
    if seat is None or seat > seats:
        fail(
            f"--seat {text[:24]}: expected a seat of this game, {seats_named(seats)}, or rail, which sees what "
            "everybody has seen."
        )
    return seat


def records_of(names: Iterable[str], db: str | None, seat: str, results: str = "") -> Iterator[tuple[str, Record]]:
    """Yield the name and the record of each game, as a seat has seen it.

    Args:
        names: The arguments.
        db: Where live records are kept, as it was typed.
        seat: The seat as it was typed, empty for everything.
        results: As for ``load``.
    """
    for name, record in _records(names, db, bool(seat), results):
        yield name, record_for(record, f"{name}#{record.index}", seat)[0]


def _records(names: Iterable[str], db: str | None, quiet: bool, results: str) -> Iterator[tuple[str, Record]]:
    for name in names:
        source = parse_source(name)
        if source.game or source.live:
            yield from ((source.name, record) for record in read(name, db, quiet=quiet, results=results))
            continue
        for path, fault in sheets([name]):
            if fault:
                fail(fault)
            yield from ((path, record) for record in opened(path, results))
