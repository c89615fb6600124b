"""Replays to be written: the games that arguments name, each as whoever asks may see it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from cartulary.cli.shell.console import FINDINGS, fail, put_bytes, say
from cartulary.cli.shell.destination import check_spare, write_file
from cartulary.cli.shell.sources import gameless
from cartulary.cli.shell.views import view_games
from cartulary.notation.cgn.controls import encodable
from cartulary.records import desk
from cartulary.records.faults import Unfit


def put_replays(names: Sequence[str], db: str | None, seat: str, quiet: bool, file: Path | None, *, over: bool) -> None:
    """Write one page of the games named: ids, files, ``FILE#3`` or ``-``. over: what is there may be replaced

    Ends the program with a sentence where one of them cannot be read or set up, before anything is written.
    """
    if file is not None:
        check_spare(file, key=None, over=over)
    games = [game for name in names for game in _replays_of(name, db, seat, quiet)]
    page = desk.replay_page(games)
    warn(games)
    if file is None:
        put_bytes(page)
    else:
        write_file(file, [page], over)


def _replays_of(name: str, db: str | None, seat: str, quiet: bool) -> "Iterator[desk.Replayed]":
    label = ""
    for label, view in view_games(name, db, seat, quiet):
        yield replayed(label, view)
    if not label:
        fail(gameless(name))


def replayed(label: str, view: "desk.Shown") -> "desk.Replayed":
    """Return a game as its replay is made of. Ends the program where its tags set up no game."""
    name = encodable(Path(label.rpartition("#")[0]).name or label)
    try:
        return desk.replayed(name, view)
    except Unfit as fault:
        fail(f"{label}: {fault}", FINDINGS)


def warn(games: "Sequence[desk.Replayed]") -> None:
    """Say that a page shows everything, where it holds cards somebody had not seen."""
    if any(game.whose is None and desk.hides(game) for game in games):
        say(
            "cartulary: The page shows every card on record, even hidden ones; use --seat for what a seat or the rail "
            "saw."
        )
