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
from cartulary.records.sheets.replay_frames import hides, replayed
from cartulary.records.state.seat_view import reader

T = TypeVar("T")

USUAL = 1000
"""Bytes of a usual game, for a bar that counts bytes."""


class Redaction(NamedTuple):
    """What a redacted export leaves out.

    Attributes:
        level: Whether all names go, or the notes too.
        persons: If there are any, only these persons are left out.
    """

    level: str
    persons: Sequence[str] = ()


class ExportOptions(NamedTuple):
    """What is written of each game, and what goes with it."""

    log: bool
    viewer: Viewer
    redact: Redaction | None
    keep_named: bool
    signing: Signing | None
    fonts: Sequence[Path]
    metadata: Path | None


class Outgoing:
    """An export while it is written; ``code`` and ``faults`` say what was wrong with the games left out.

    ``written``: how many games it holds; of none nothing is written, and what is there stays
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
        """Yield the games as score sheets of text."""
        return self._read_games(lambda id: [self._record(id)])

    def texts(self, format: OtherFormat) -> Iterator[str]:
        """Yield the games as texts of another format; of all games those it cannot say are left out."""
        return self._read_games(lambda id: self._text(id, format))

    def sheets(self) -> "Iterator[api.ScoreSheet]":
        """Yield the games as score sheets on paper."""
        log = self.options.log
        return self._read_games(
            lambda id: [self._labelled(api.score_sheet(self.read, id, self.options.viewer, log=log))]
        )

    def replays(self) -> "Iterator[api.Replayed]":
        """Yield the games as replays are made of them, as whoever asks may see them."""
        return self._read_games(lambda id: [replay_of(self.labels.get(id, f"{id}#1"), self._view(id))])

    def archives(self) -> "Iterator[api.Archive]":
        """Yield the games as archives, redacted and listed in the manifest if that was asked for."""
        games = self._read_games(self._archive, withheld=self.options.log)
        return self.options.signing.games(games) if self.options.signing else games

    def _record(self, id: str, headed: bool = True) -> Record:
        """Return a game as a score sheet; `headed` adds the line that names a stored record and its head."""
        headed = headed and not self.labels
        return api.export_cgn(self.read, id, self.options.viewer, log=self.options.log, headed=headed)

    def _text(self, id: str, format: OtherFormat) -> Iterator[str]:
        try:
            game = api.load(self.store, id)
            whole = isinstance(reader(game, self.options.viewer), Everything)
            walk = game.examined.walk if whole else None
            yield format_in(self._record(id, headed=False), format, walk)
        except NotationError as fault:
            name = self.labels.get(id, id)
            if not self.forgiving:
                raise Unfit(f"{name} cannot be written: {fault.because}.") from None
            say(f"cartulary: {name} was left out: {fault.because}.")
            self.code = FINDINGS

    def _view(self, id: str) -> "api.SeenGame":
        return api.see_game(api.load(self.read, id), self.options.viewer)

    def _labelled(self, sheet: "api.ScoreSheet") -> "api.ScoreSheet":
        return replace(sheet, id=self.labels[sheet.id], head="") if sheet.id in self.labels else sheet

    def _read_games(self, read: Callable[[str], Iterable[T]], withheld: bool = False) -> Iterator[T]:
        """Yield what is read of each game; the redacted logs of archives (`withheld`) report names by themselves."""
        with Bar("export", len(self.ids) * USUAL) as bar:
            for id in self.ids:
                try:
                    for item in read(id) if withheld or self._nameless(id) else ():
                        self.game_count += 1
                        yield item
                except (Damaged, Unfit, UnknownGame) as fault:
                    if not self.forgiving:
                        raise
                    self.faults.append(fault)
                bar.advance(USUAL)

    # --- writing ---

    def put(self, pieces: Iterable[bytes]) -> None:
        """Write the pieces to their destination, signed if that was asked for; write nothing if there are none."""
        if self.file is None:
            for piece in pieces:
                put_bytes(piece)
        elif rest := begin(pieces):
            write = self.options.signing.write if self.options.signing else write_file
            write(self.file, rest, self.over)

    # --- redaction ---

    def _archive(self, id: str) -> "Iterator[api.Archive]":
        if self.options.redact is None or not self.options.log:
            yield api.export_json(self.read, id, log=self.options.log)
            return
        redacted = self._redact(id, self.options.redact)
        if redacted and self._say_leftovers(id, redacted):
            yield redacted.archive

    def _redact(self, id: str, redaction: Redaction) -> "api.RedactedLog | None":
        """Return a redacted game; None, and says why, for one of all that cannot be redacted."""
        try:
            return api.export_redacted(self.store, id, *redaction)
        except Declined as fault:
            if not self.forgiving or isinstance(fault, Unfit):
                raise
            say(f"cartulary: {fault}")
            self.code = FINDINGS
            return None

    def _nameless(self, id: str) -> bool:
        """Say what a sheet without names still holds; return whether it is written."""
        return self.nameless is None or self._unnamed(
            id, [passage for passage in self.nameless.leftovers(id) if passage.names]
        )

    def _unnamed(self, id: str, passages: "Sequence[FreeText]") -> bool:
        """Say where somebody is still named; return whether the game is written."""
        for passage in passages:
            verb = "is" if len(passage.names) == 1 else "are"
            say(f"cartulary: {id}: {', '.join(map(repr, passage.names))} {verb} still named in {passage.place}.")
        if passages and not self.options.keep_named:
            say(f"cartulary: {id} was left out; --keep-named exports it all the same.")
            self.code = FINDINGS
            return False
        return True

    def _say_leftovers(self, id: str, redacted: "api.RedactedLog") -> bool:
        """Say what a redacted game still holds; return whether it is written."""
        if not self._unnamed(id, redacted.leftovers):
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


def begin(pieces: Iterable[T]) -> Iterator[T] | None:
    """Return the pieces with the first of them already made, or None if there are none."""
    rest = iter(pieces)
    for first in rest:
        return chain((first,), rest)
    return None


# --- replays ---


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
    page = api.replay_page(games)
    warn(games)
    if file is None:
        put_bytes(page)
    else:
        write_file(file, [page], over)


def _replays_of(name: str, db: str | None, seat: str, quiet: bool) -> "Iterator[api.Replayed]":
    label = ""
    for label, view in view_games(name, db, seat, quiet):
        yield replay_of(label, view)
    if not label:
        fail(gameless(name))


def replay_of(label: str, view: "api.SeenGame") -> "api.Replayed":
    """Return a game as its replay is made of. Ends the program where its tags set up no game."""
    name = encodable(Path(label.rpartition("#")[0]).name or label)
    try:
        return replayed(name, view)
    except Unfit as fault:
        fail(f"{label}: {fault}", FINDINGS)


def warn(games: "Sequence[api.Replayed]") -> None:
    """Say that a page shows everything, if it holds cards that somebody had not seen."""
    if any(isinstance(game.viewer, Everything) and hides(game) for game in games):
        say(
            "cartulary: The page shows every card on record, even hidden ones; use --seat for what a seat or the rail "
            "saw."
        )
