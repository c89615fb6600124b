"""Records as the viewer that ``--seat`` names may see them."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from cartulary.cli.shell.console import FINDINGS, fail
from cartulary.cli.shell.findings import docket_of
from cartulary.cli.shell.sources import live_with_people, open_sheet, parse_source, read, read_one, sheets
from cartulary.engine.numbers import seats_named
from cartulary.notation import Record, as_seen, read_heading
from cartulary.notation.viewer import EVERYTHING, Seat, Viewer, read_viewer
from cartulary.records import api


def view_game(name: str, db: str | None, seat: str, quiet: bool = False) -> "api.SeenGame":
    """Return the one game that an argument names as a viewer may see it; if there are more, the first, after a message.

    The program ends if there is no such game or seat.

    Args:
        name: The argument: a file, a game of a file, or the id of a stored game.
        db: Where live records are kept, as it was typed.
        seat: Who looks, as it was typed; empty for everything.
        quiet: Whether the verdicts of a quiet record stay quiet.
    """
    source = parse_source(name)
    return _live(source.name, db, seat, quiet) if source.live else _on_paper(read_one(name, db), name, seat)


def view_games(name: str, db: str | None, seat: str, quiet: bool = False) -> "Iterator[tuple[str, api.SeenGame]]":
    """Yield each game that an argument names as a viewer may see it, after its name and number, ``club.cgn#2``.

    The parameters are those of ``view_game``. A file that cannot be read ends the program; one without games yields
    nothing.
    """
    source = parse_source(name)
    if source.live:
        yield f"{source.name}#1", _live(source.name, db, seat, quiet)
        return
    for record in read(name, db):
        label = f"{source.name}#{record.index}"
        yield label, _on_paper(record, label, seat)


def view_sheet(original: Record, viewer: Viewer) -> "api.SeenGame":
    """Return a game of a file as a viewer may see it. Only stored games can be quiet, so no verdict is kept back."""
    viewer = replace(viewer, quiet=False)
    return api.SeenGame(as_seen(original, viewer.seat), viewer, docket_of(original, viewer))


def _on_paper(original: Record, label: str, seat: str) -> "api.SeenGame":
    """Return a game of a file as the seat may see it; end the program if the game has no such seat.

    Args:
        original: The game as the file has it.
        label: What names it in sentences: ``club.cgn#2``.
        seat: What ``--seat`` names, empty for everything.
    """
    return view_sheet(original, _viewer_of_sheet(original, label, seat))


def _live(id: str, db: str | None, seat: str, quiet: bool) -> "api.SeenGame":
    """Return a stored game as a viewer may see it; end the program for an unknown game or seat.

    Args:
        id: The game.
        db: The database, None for the default one.
        seat: What ``--seat`` names, empty for everything.
        quiet: Whether to keep back the verdicts.
    """
    game, people = live_with_people(id, db)
    return api.see_game(game, viewer_in(seat, game.book.seats, quiet), people)


def record_for(record: Record, name: str, seat: str) -> Record:
    """Return a record of a file as ``--seat`` may see it; end the program if the game has no such seat.

    Args:
        record: The whole record.
        name: What sentences call it.
        seat: The option as it was typed; empty for everything.
    """
    return as_seen(record, _viewer_of_sheet(record, name, seat).seat)


def _viewer_of_sheet(record: Record, name: str, seat: str) -> Viewer:
    """Return the viewer that ``--seat`` names, one who sees everything for an empty text.

    The program ends if the game has no such seat, or if its tags set up no game; ``name`` names it in the sentence.
    """
    if not seat:
        return EVERYTHING
    heading = read_heading(record)
    if heading.sheet is None:
        fail(f"{name}: {heading.because}.", FINDINGS)
    return viewer_in(seat, heading.sheet.seats)


def viewer_in(text: str, seats: int, quiet: bool = False) -> Viewer:
    """Return the viewer that ``--seat`` names; end the program if the game has no such seat.

    Args:
        text: The option as it was typed: a seat or ``rail``; empty for everything.
        seats: How many seats the game has.
        quiet: Whether the verdicts of a quiet record stay quiet.
    """
    viewer = read_viewer(text, quiet=quiet)
    if viewer is None or (isinstance(viewer, Seat) and viewer.seat > seats):
        fail(
            f"--seat {text[:24]}: expected a seat of this game, {seats_named(seats)}, or rail, which sees what "
            "everybody has seen."
        )
    return viewer


def records_of(names: Iterable[str], db: str | None, seat: str, results: str = "") -> Iterator[tuple[str, Record]]:
    """Yield name and record of each game that arguments name, as ``--seat`` may see it, in order.

    The name is the file without the number of the game, or the id. The program ends if something cannot be read.

    Args:
        names: The arguments: files, games of files, folders, or ids of stored games.
        db: Where live records are kept, as it was typed.
        seat: Who looks, as it was typed; empty for everything.
        results: Whose result a file of PDN names first, as ``--results`` was typed; empty for the usual way.
    """
    for name in names:
        source = parse_source(name)
        if source.live:
            yield source.name, view_game(name, db, seat).record
            continue
        for path, record in _sheets_in(name, results):
            yield path, record_for(record, f"{path}#{record.index}", seat)


def _sheets_in(name: str, results: str) -> Iterator[tuple[str, Record]]:
    """Yield path and record of each game that an argument names; end the program if something cannot be read.

    Args:
        name: A file, ``-``, a folder, which must hold a score sheet, or one game of a file, ``FILE#3``; no stored game.
        results: Whose result a file of PDN names first, as ``--results`` was typed; empty for the usual way.
    """
    source = parse_source(name)
    if source.game:
        yield from ((source.name, record) for record in read(name, results=results))
        return
    for path, fault in sheets([name]):
        if fault:
            fail(fault)
        yield from ((path, record) for record in open_sheet(path, results))
