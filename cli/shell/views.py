"""Records as a seat has seen them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from cartulary.cli.shell.console import FINDINGS, fail
from cartulary.cli.shell.options import seat_named
from cartulary.cli.shell.sources import opened, parse_source, read, sheets
from cartulary.notation import Record, as_seen, read_heading


def seen_by(record: Record, name: str, seat: str) -> tuple[Record, int | None]:
    """Return the record as the seat named has seen it, and its number; None and the whole record for nothing said.

    Ends the program where the game has no such seat.
    """
    if not seat:
        return record, None
    heading = read_heading(record)
    if heading.sheet is None:
        fail(f"{name}: {heading.because}", FINDINGS)
    whose = seat_number(seat, heading.sheet.seats)
    return as_seen(record, whose), whose


def seat_number(text: str, seats: int) -> int | None:
    """Return 2 for ``p2``, 0 for the rail, None for nothing said; ends the program where the game has no such seat."""
    if not text:
        return None
    seat = seat_named(text)
    if seat is None or seat > seats:
        fail(f"--seat {text[:24]}: the seats of this game are p1 to p{seats}; rail has seen what all have")
    return seat


def records_of(names: Iterable[str], db: Path | None, seat: str) -> Iterator[tuple[str, Record]]:
    """Yield (name, record) of each game, as the seat has seen it."""
    for name, record in _whole(names, db):
        yield name, seen_by(record, f"{name}#{record.index}", seat)[0]


def _whole(names: Iterable[str], db: Path | None) -> Iterator[tuple[str, Record]]:
    for name in names:
        source = parse_source(name)
        if source.game or source.live:
            yield from ((source.name, record) for record in read(name, db))
            continue
        for path, fault in sheets([name]):
            if fault:
                fail(fault)
            yield from ((path, record) for record in opened(path))
