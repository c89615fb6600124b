"""Replays to be written: the games that arguments name, each as whoever asks may see it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from cartulary.cli.shell.console import FINDINGS, fail, put_bytes, say
from cartulary.cli.shell.destination import check_spare, write_file
from cartulary.cli.shell.sources import gameless
from cartulary.cli.shell.views import view_games
from cartulary.notation.cgn.controls import encodable
from cartulary.notation.viewer import Everything
from cartulary.records import desk
from cartulary.records.faults import Unfit


def put_replays(names: Sequence[str], db: str | None, seat: str, quiet: bool, file: Path | None, *, over: bool) -> None:
    """Write one page of several games, or end the program with a sentence before anything is written.

    Args:
        names: Ids, files, ``FILE#3`` or ``-``.
        db: Where live records are kept, as it was typed.
        seat: Whose view is shown, as it was typed; empty for everything.
        quiet: Whether the verdicts of a quiet record stay quiet.
        file: The file to write; None for standard output.
        over: Whether an existing file may be replaced.
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


def replayed(label: str, view: "desk.SeenGame") -> "desk.Replayed":
    """Return a game as its replay is made of. Ends the program where its tags set up no game."""
    name = encodable(Path(label.rpartition("#")[0]).name or label)
    try:
        return desk.replayed(name, view)
    except Unfit as fault:
        fail(f"{label}: {fault}", FINDINGS)


def warn(games: "Sequence[desk.Replayed]") -> None:
    """Say that a page shows everything, if it holds cards that somebody had not seen."""
    if any(isinstance(game.viewer, Everything) and desk.hides(game) for game in games):
        say(
            "cartulary: The page shows every card on record, even hidden ones; use --seat for what a seat or the rail "
            "saw."
        )
