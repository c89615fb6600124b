"""The games of an export or a replay: each is read, checked for names that must not go out, and written or left out."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from cartulary.cli.shell.console import FINDINGS, fail, put_bytes, say
from cartulary.cli.shell.destination import check_spare, write_file
from cartulary.cli.shell.progress import Bar
from cartulary.cli.shell.signatures import Signing
from cartulary.cli.shell.sources import gameless
from cartulary.cli.shell.views import view_games
from cartulary.notation import NotationError, Record, format_in
from cartulary.notation.cgn.controls import encodable
from cartulary.notation.foreign.contract import OtherFormat
from cartulary.notation.viewer import Everything, Viewer
from cartulary.records import api
from cartulary.records.exchange.redaction import FreeText
from cartulary.records.faults import Damaged, Declined, Unfit, UnknownGame
from cartulary.records.sheets.replay_frames import hides, replay_source
from cartulary.records.state.seat_view import reader

T = TypeVar("T")

USUAL = 1000
"""Bytes of a usual game, for a bar that counts bytes."""


class Redaction(NamedTuple):
    """What a redacted export leaves out.

    Attributes:
        level: ``names``, ``texts`` for names and notes, or ``person`` for single persons.
        persons: With ``person``, the names of those persons.
    """

    level: str
    persons: Sequence[str] = ()


class ExportOptions(NamedTuple):
    """What is written of each game, and what goes with it.

    Attributes:
        log: Whether everything that was corrected is written too.
        viewer: From whose view games are written.
        redact: What is left out, None for nothing.
        keep_named: Whether a game is written even if a name that should be left out is still in it.
        signing: Signs the export, None for no signature.
        fonts: Fonts for characters that the PDF's own font lacks.
        metadata: The file for Datasette's metadata, None for none.
    """

    log: bool
    viewer: Viewer
    redact: Redaction | None
    keep_named: bool
    signing: Signing | None
    fonts: Sequence[Path]
    metadata: Path | None


class Outgoing:
    """An export while it is written.

    Attributes:
        game_count: How many games have been written.
        faults: Why games were left out.
        code: The exit code that follows from what was left out for other reasons.
    """

    def __init__(
        self,
        store: "api.Log",
        ids: Sequence[str],
        options: ExportOptions,
        labels: Mapping[str, str] = MappingProxyType({}),
        *,
        file: Path | None,
        folder: Path | None,
        over: bool,
        forgiving: bool,
    ) -> None:
        """Begin an export.

        Args:
            store: The open log.
            ids: The games, in their order.
            options: What is written of each game.
            labels: For games that were read from files, their names by id; such games have no log that anybody keeps.
            file: The file to write; None for standard output.
            folder: The folder to write a page a game into; None if everything goes into one file.
            over: Whether an existing file may be replaced.
            forgiving: Whether games that cannot be read are left out instead of raised.
        """
        self.store, self.ids, self.options, self.labels = store, ids, options, labels
        self.nameless = api.Nameless(store, *options.redact) if options.redact else None
        self.read = self.nameless.as_store if self.nameless else store
        self.file, self.folder, self.over, self.forgiving = file, folder, over, forgiving
        self.code = self.game_count = 0
        self.faults: list[Exception] = []

    # --- what a format is made of ---

    def records(self) -> Iterator[Record]:
        """Yield the games as records, to be written as CGN, each as the viewer may see it."""
        return self._read_games(lambda id: [self._record(id)])

    def texts(self, format: OtherFormat) -> Iterator[str]:
        """Yield the games as texts of another format, such as PGN.

        A game that the format cannot express is reported and left out if ``forgiving``; otherwise Unfit is raised.
        """
        return self._read_games(lambda id: self._text(id, format))

    def sheets(self) -> "Iterator[api.ScoreSheet]":
        """Yield the games as score sheets, to be written as HTML or PDF, as the viewer may see them."""
        log = self.options.log
        return self._read_games(
            lambda id: [self._with_label(api.score_sheet(self.read, id, self.options.viewer, log=log))]
        )

    def replays(self) -> "Iterator[api.ReplaySource]":
        """Yield the games as replay pages are made of them, as the viewer may see them."""
        return self._read_games(lambda id: [replay_of(self.labels.get(id, f"{id}#1"), self._view(id))])

    def archives(self) -> "Iterator[api.Archive]":
        """Yield the games as archives, with their logs if those were asked for.

        Names are redacted, and the games noted for the signed manifest, if that was asked for.
        """
        games = chain(self._asides(), self._read_games(self._archive, withheld=self.options.log))
        return self.options.signing.games(games) if self.options.signing else games

    def _asides(self) -> "Iterator[api.Archive]":
        """Yield the streams that are no games, such as the list of people, if all games are exported whole.

        That is with their logs, with all names, and to somebody who sees everything; else nothing is yielded.
        """
        whole = self.options.log and self.forgiving and not self.labels and self.options.redact is None
        if whole and self.options.viewer.seat is None:
            yield from api.export_asides(self.store)

    def _record(self, id: str, headed: bool = True) -> Record:
        """Return a stored game as a record, as the viewer may see it.

        Args:
            id: The game.
            headed: Whether to begin with a line that has the id and the head of the game, which is the number and
                digest of its last event. It is left out for a game that came from a file.
        """
        headed = headed and not self.labels
        return api.export_cgn(self.read, id, self.options.viewer, log=self.options.log, headed=headed)

    def _text(self, id: str, format: OtherFormat) -> Iterator[str]:
        """Yield a game as one text of another format.

        If the format cannot express it, the game is reported and nothing yielded if ``forgiving``; otherwise Unfit is
        raised. A game left out raises the exit code to that of findings.
        """
        try:
            game = api.load(self.store, id)
            sees_all = isinstance(reader(game, self.options.viewer), Everything)
            walk = game.examined.walk if sees_all else None
            yield format_in(self._record(id, headed=False), format, walk)
        except NotationError as fault:
            name = self.labels.get(id, id)
            if not self.forgiving:
                raise Unfit(f"{name} cannot be written: {fault.because}.") from None
            say(f"cartulary: {name} was left out: {fault.because}.")
            self.code = FINDINGS

    def _view(self, id: str) -> "api.SeenGame":
        """Return a game as the viewer may see it; if names are redacted, without them."""
        return api.see_game(api.load(self.read, id), self.options.viewer, api.people_of(self.read))

    def _with_label(self, sheet: "api.ScoreSheet") -> "api.ScoreSheet":
        """Return the score sheet of a game from a file under the name of that file and without a head.

        Others unchanged.
        """
        return replace(sheet, id=self.labels[sheet.id], head="") if sheet.id in self.labels else sheet

    def _read_games(self, read: Callable[[str], Iterable[T]], withheld: bool = False) -> Iterator[T]:
        """Yield what ``read`` gives for each game, count what is yielded in ``game_count``, and move a progress bar on.

        If ``forgiving``, a game that cannot be read is left out and its fault kept in ``faults``; otherwise the fault
        is raised.

        Args:
            read: Called with the id of a game.
            withheld: Whether ``read`` itself checks for names that must not go out; else that is done here.
        """
        with Bar("export", len(self.ids) * USUAL) as bar:
            for id in self.ids:
                try:
                    for item in read(id) if withheld or self._may_write_sheet(id) else ():
                        self.game_count += 1
                        yield item
                except (Damaged, Unfit, UnknownGame) as fault:
                    if not self.forgiving:
                        raise
                    self.faults.append(fault)
                bar.advance(USUAL)

    # --- writing ---

    def put(self, pieces: Iterable[bytes]) -> None:
        """Write pieces of bytes to the file, or to standard output if there is none.

        A file is written whole or not at all, with its signature and manifest if those were asked for. If there are no
        pieces, no file is written.
        """
        if self.file is None:
            for piece in pieces:
                put_bytes(piece)
        elif rest := peek_first(pieces):
            write = self.options.signing.write if self.options.signing else write_file
            write(self.file, rest, self.over)

    # --- redaction ---

    def _archive(self, id: str) -> "Iterator[api.Archive]":
        """Yield one game as an archive, redacted if that was asked for; nothing if it has to be left out."""
        if self.options.redact is None or not self.options.log:
            yield api.export_json(self.read, id, log=self.options.log)
            return
        redacted = self._redact(id, self.options.redact)
        if redacted and self._say_leftovers(id, redacted):
            yield redacted.archive

    def _redact(self, id: str, redaction: Redaction) -> "api.RedactedLog | None":
        """Return a game with its names redacted.

        If that is refused, Declined is raised; where refused games are left out, it is reported instead, and the answer
        is None.
        """
        try:
            return api.export_redacted(self.store, id, *redaction)
        except Declined as fault:
            if not self.forgiving or isinstance(fault, Unfit):
                raise
            say(f"cartulary: {fault}")
            self.code = FINDINGS
            return None

    def _may_write_sheet(self, id: str) -> bool:
        """Say whether a sheet may be written, after reporting where it still has a name that was to be left out."""
        return self.nameless is None or self._report_names(
            id, [passage for passage in self.nameless.leftovers(id) if passage.names]
        )

    def _report_names(self, id: str, passages: "Sequence[FreeText]") -> bool:
        """Print where a game still names somebody who was to be left out, and say whether it is written all the same.

        It is written if there is no such place, or with ``--keep-named``. A game left out raises the exit code to that
        of findings.

        Args:
            id: The game.
            passages: The texts of the game that still hold names.
        """
        for passage in passages:
            verb = "is" if len(passage.names) == 1 else "are"
            say(f"cartulary: {id}: {', '.join(map(repr, passage.names))} {verb} still named in {passage.place}.")
        if passages and not self.options.keep_named:
            say(f"cartulary: {id} was left out; --keep-named exports it all the same.")
            self.code = FINDINGS
            return False
        return True

    def _say_leftovers(self, id: str, redacted: "api.RedactedLog") -> bool:
        """Report what a redacted game still holds or has lost, and say whether it is written.

        It is not written if it still names somebody, unless ``--keep-named`` was given. Reported are also tags that
        went with a name, other texts that are kept, and an id by which the sheet could be guessed.
        """
        if not self._report_names(id, redacted.leftovers):
            return False
        if redacted.dropped_tags:
            again = shlex.join(["tag", id, *(f"{name}={value}" for name, value in redacted.dropped_tags)])
            gone = ", ".join(name for name, _ in redacted.dropped_tags)
            say(
                f"cartulary: {id}: {gone} stood in the same entry and went too. To keep them, write them again and "
                f"export again: `{again}`."
            )
        texts = [text.place for text in redacted.free if text.field not in ("id", "command")]
        if texts and not (self.options.redact and self.options.redact.persons):
            say(f"cartulary: {id}: the copy still holds these texts: {', '.join(texts)}.")
        if redacted.guessable:
            say(
                f"cartulary: {id} was imported, and its id comes from the whole sheet: anyone who guesses every "
                "tag can confirm the guess."
            )
        return True


def peek_first(pieces: Iterable[T]) -> Iterator[T] | None:
    """Return the pieces with the first one already made, so that its faults show before a file is opened.

    None if there are no pieces.
    """
    rest = iter(pieces)
    for first in rest:
        return chain((first,), rest)
    return None


# --- replays ---


def put_replays(names: Sequence[str], db: str | None, seat: str, quiet: bool, file: Path | None, *, over: bool) -> None:
    """Write one page that replays several games, or end the program before anything is written.

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
    page = api.replay_page(games)
    warn_of_hidden(games)
    if file is None:
        put_bytes(page)
    else:
        write_file(file, [page], over)


def _replays_of(name: str, db: str | None, seat: str, quiet: bool) -> "Iterator[api.ReplaySource]":
    """Yield the games that an argument names, as replay pages are made of them; end the program if it holds none.

    Args:
        name: A file, a game of a file, or the id of a stored game.
        db: The database of a stored game, None for the default one.
        seat: As which seat to look; empty for everything.
        quiet: Whether to keep back the verdicts.
    """
    label = ""
    for label, view in view_games(name, db, seat, quiet):
        yield replay_of(label, view)
    if not label:
        fail(gameless(name))


def replay_of(label: str, view: "api.SeenGame") -> "api.ReplaySource":
    """Return a game as its replay is made from it; end the program if its tags set up no game.

    Args:
        label: The file or id, and the number of the game: ``club.cgn#2``.
        view: The game as the viewer may see it.
    """
    name = encodable(Path(label.rpartition("#")[0]).name or label)
    try:
        return replay_source(name, view)
    except Unfit as fault:
        fail(f"{label}: {fault}", FINDINGS)


def warn_of_hidden(games: "Sequence[api.ReplaySource]") -> None:
    """Warn on standard error if a replay that shows everything holds cards that somebody has not seen."""
    if any(isinstance(game.viewer, Everything) and hides(game) for game in games):
        say(
            "cartulary: The page shows every card on record, even hidden ones; use --seat for what a seat or the rail "
            "saw."
        )
