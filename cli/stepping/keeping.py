"""Where annotations go while games are stepped through: into the log of a stored game, or into their file."""

from pathlib import Path
from typing import Protocol

from cartulary.cli.shell.live import TIMEOUT
from cartulary.cli.shell.places import db_place, open_place
from cartulary.cli.shell.sources import live, parse_source
from cartulary.cli.shell.views import view_games, view_sheet, viewer_in
from cartulary.notation.foreign.formats import find_format
from cartulary.notation.viewer import Seat
from cartulary.records import desk
from cartulary.records.faults import Conflict


class Keeping(Protocol):
    """The games that are stepped through, each with its name and number, and what writes to them."""

    games: "list[tuple[str, desk.SeenGame]]"

    def annotate(self, number: int, ply: int, noting: "desk.Noting", within: "desk.Within") -> None:
        """Write to a game, from 0, as ``desk.annotate`` does, and read it again, also where somebody wrote first.

        Raises Fault, OSError.
        """

    def closed(self, number: int) -> str:
        """Return why nothing can be noted in a game, from 0; empty where something can."""


class InLog:
    """A stored game; an annotation is written with the version last read, so a second writer gets a ``Conflict``."""

    def __init__(self, id: str, db: str | None, seat: str, quiet: bool) -> None:
        """Read the game; end the program if there is none, or no such seat."""
        self.id, self.db = id, db
        game = live(id, db)
        self.viewer = viewer_in(seat, game.book.seats, quiet)
        self._take(game)

    def _take(self, game: "desk.LiveGame") -> None:
        self.games = [(f"{self.id}#1", desk.see_game(game, self.viewer))]

    def annotate(self, number: int, ply: int, noting: "desk.Noting", within: "desk.Within") -> None:
        """Write to the log as `note` does, and read the game again."""
        with open_place(db_place(self.db), create=False, timeout=TIMEOUT) as store:
            try:
                self._write(store, ply, noting, within)
            except Conflict:
                self._reread(store)
                raise
            self._reread(store)

    def _write(self, store: "desk.Store", ply: int, noting: "desk.Noting", within: "desk.Within") -> None:
        view = self.games[0][1]
        request = desk.NoteRequest(
            ply,
            noting.comment,
            noting.glyphs,
            noting.variations,
            noting.replace,
            within,
            by=view.viewer.name if isinstance(view.viewer, Seat) else "",
            expected=view.version,
        )
        desk.annotate(store, self.id, request, view.viewer.seat)

    def closed(self, number: int) -> str:
        """Return nothing: whether the log takes a note shows when it is written."""
        return ""

    def _reread(self, store: "desk.Store") -> None:
        self._take(desk.load(store, self.id))


class OnPaper:
    """Games of a file, which must be as it was read where something is written to it."""

    def __init__(self, name: str, seat: str) -> None:
        """Read the games. Ends the program where there is no such file, game or seat."""
        path = Path(parse_source(name).name)
        self.file = desk.sheet_file(path) if path.is_file() else desk.SheetFile(path, b"")
        self.games = list(view_games(name, None, seat))

    def annotate(self, number: int, ply: int, noting: "desk.Noting", within: "desk.Within") -> None:
        """Write to the file, and take the game as it stands there then."""
        label, view = self.games[number]
        index, viewer = view.record.index, view.viewer
        self.file, record = desk.annotate_on_paper(self.file, index, ply, noting, within, seat=viewer.seat)
        self.games[number] = (label, view_sheet(record, viewer))

    def closed(self, number: int) -> str:
        """Return that the file is of another format."""
        format = self.games[number][1].record.source.format
        return (
            f"this is {find_format(format).title}, but notes can be written only in CGN: `convert` turns it into CGN"
            if format
            else ""
        )


def keeping(name: str, db: str | None, seat: str, quiet: bool) -> Keeping:
    """Return the games that an argument names; end the program with a sentence if there are none."""
    source = parse_source(name)
    return InLog(source.name, db, seat, quiet) if source.live else OnPaper(name, seat)
