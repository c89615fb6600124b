"""The games of an export on their way out: each is read, told of where it names somebody, or left out; then written."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from cartulary.cli.shell.console import FINDINGS, put_bytes, say
from cartulary.cli.shell.destination import write_file
from cartulary.cli.shell.options import RAIL
from cartulary.cli.shell.progress import Bar
from cartulary.cli.shell.replays import replayed
from cartulary.cli.shell.signatures import Signing
from cartulary.cli.shell.views import shown_live
from cartulary.notation import NotationError, Record, format_in
from cartulary.notation.foreign.contract import OtherFormat
from cartulary.records import desk
from cartulary.records.faults import Damaged, Declined, Unfit, UnknownGame

T = TypeVar("T")

USUAL = 1000
"""Bytes of a usual game, for a bar that counts bytes."""


class Redaction(NamedTuple):
    """What a redacted export leaves out. level: all names, or the notes too; persons: those alone, and nobody else"""

    level: str
    persons: Sequence[str] = ()


class Asked(NamedTuple):
    """What is written of each game, and what goes with it."""

    log: bool
    seat: int | None
    quiet: bool
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
        store: "desk.Store",
        ids: Sequence[str],
        asked: Asked,
        labels: Mapping[str, str] = MappingProxyType({}),
        *,
        file: Path | None,
        folder: Path | None,
        over: bool,
        forgiving: bool,
    ) -> None:
        """labels: by their ids the games that are from files, not from a log anybody keeps

        file: None for standard output; folder: to write a page a game into, None where all goes into one file

        over: what is there may be replaced; forgiving: games that cannot be read are left out, and not raised for
        """
        self.store, self.ids, self.asked, self.labels = store, ids, asked, labels
        self.nameless = desk.Nameless(store, *asked.redact) if asked.redact else None
        self.read = self.nameless.as_store if self.nameless else store
        self.file, self.folder, self.over, self.forgiving = file, folder, over, forgiving
        self.code = self.written = 0
        self.faults: list[Exception] = []

    # --- what a format is made of ---

    def records(self) -> Iterator[Record]:
        """Yield the games as score sheets of text."""
        return self._each(lambda id: [self._record(id)])

    def texts(self, format: OtherFormat) -> Iterator[str]:
        """Yield the games as texts of another format; of all games those it cannot say are left out."""
        return self._each(lambda id: self._text(id, format))

    def sheets(self) -> "Iterator[desk.ScoreSheet]":
        """Yield the games as score sheets on paper."""
        log = self.asked.log
        return self._each(lambda id: [self._named(desk.score_sheet(self.read, id, log=log, seat=self._reader(id)))])

    def replays(self) -> "Iterator[desk.Replayed]":
        """Yield the games as replays are made of them, as whoever asks may see them."""
        return self._each(lambda id: [replayed(self.labels.get(id, f"{id}#1"), self._shown(id))])

    def archives(self) -> "Iterator[desk.Archive]":
        """Yield the games as archives, redacted and noted for the manifest where that was asked for."""
        games = self._each(self._archive, withheld=self.asked.log)
        return self.asked.signing.games(games) if self.asked.signing else games

    def _record(self, id: str, headed: bool = True) -> Record:
        """Return a game as a score sheet. headed: with the line that names the record and its head, if it is stored"""
        headed = headed and not self.labels
        return desk.export_cgn(self.read, id, log=self.asked.log, seat=self._reader(id), headed=headed)

    def _text(self, id: str, format: OtherFormat) -> Iterator[str]:
        try:
            kept = desk.load(self.store, id).examined.walk if self._reader(id) is None else None
            yield format_in(self._record(id, headed=False), format, kept)
        except NotationError as fault:
            name = self.labels.get(id, id)
            if not self.forgiving:
                raise Unfit(f"{name} cannot be written: {fault.because}.") from None
            say(f"cartulary: {name} was left out: {fault.because}.")
            self.code = FINDINGS

    def _shown(self, id: str) -> "desk.Shown":
        seat, quiet = self.asked.seat, self.asked.quiet
        text = "" if seat is None else f"p{seat}" if seat else RAIL
        record = desk.record_of(self.read, id, quiet=quiet or seat is not None)
        return shown_live(record, desk.load(self.read, id), text, quiet)

    def _named(self, sheet: "desk.ScoreSheet") -> "desk.ScoreSheet":
        return replace(sheet, id=self.labels[sheet.id], head="") if sheet.id in self.labels else sheet

    def _reader(self, id: str) -> int | None:
        asked = self.asked
        return desk.reader(desk.load(self.store, id), asked.seat, True) if asked.quiet else asked.seat

    def _each(self, read: Callable[[str], Iterable[T]], withheld: bool = False) -> Iterator[T]:
        """Yield what is read of each game. withheld: names are left out of its log, and what is left is said there"""
        with Bar("export", len(self.ids) * USUAL) as bar:
            for id in self.ids:
                try:
                    for one in read(id) if withheld or self._nameless(id) else ():
                        self.written += 1
                        yield one
                except (Damaged, Unfit, UnknownGame) as fault:
                    if not self.forgiving:
                        raise
                    self.faults.append(fault)
                bar.advance(USUAL)

    # --- writing ---

    def put(self, pieces: Iterable[bytes]) -> None:
        """Write the pieces where the export goes, signed where that was asked for; nothing where there is none."""
        if self.file is None:
            for piece in pieces:
                put_bytes(piece)
        elif held := begun(pieces):
            write = self.asked.signing.write if self.asked.signing else write_file
            write(self.file, held, self.over)

    # --- redaction ---

    def _archive(self, id: str) -> "Iterator[desk.Archive]":
        if self.asked.redact is None or not self.asked.log:
            yield desk.export_json(self.read, id, log=self.asked.log)
            return
        redacted = self._redacted(id, self.asked.redact)
        if redacted and self._told(id, redacted):
            yield redacted.archive

    def _redacted(self, id: str, asked: Redaction) -> "desk.Redacted | None":
        """Return a redacted game; None, and says why, for one of all that cannot be redacted."""
        try:
            return desk.export_redacted(self.store, id, *asked)
        except Declined as fault:
            if not self.forgiving or isinstance(fault, Unfit):
                raise
            say(f"cartulary: {fault}")
            self.code = FINDINGS
            return None

    def _nameless(self, id: str) -> bool:
        """Say what a sheet without names still holds; return whether it is written."""
        return self.nameless is None or self._unnamed(id, [one for one in self.nameless.named(id) if one.names])

    def _unnamed(self, id: str, named: "Sequence[desk.FreeText]") -> bool:
        """Say where somebody is still named; return whether the game is written."""
        for one in named:
            verb = "is" if len(one.names) == 1 else "are"
            say(f"cartulary: {id}: {', '.join(map(repr, one.names))} {verb} still named in {one.place}.")
        if named and not self.asked.keep_named:
            say(f"cartulary: {id} was left out; --keep-named exports it all the same.")
            self.code = FINDINGS
            return False
        return True

    def _told(self, id: str, redacted: "desk.Redacted") -> bool:
        """Say what a redacted game still holds; return whether it is written."""
        if not self._unnamed(id, redacted.named):
            return False
        if redacted.lost:
            again = shlex.join(["tag", id, *(f"{name}={value}" for name, value in redacted.lost)])
            gone = ", ".join(name for name, _ in redacted.lost)
            say(
                f"cartulary: {id}: {gone} stood in the same entry and went too. To keep them, write them again and "
                f"export again: `{again}`."
            )
        texts = [one.place for one in redacted.free if one.field not in ("id", "command")]
        if texts and not (self.asked.redact and self.asked.redact.persons):
            say(f"cartulary: {id}: the copy still holds these texts: {', '.join(texts)}.")
        if redacted.guessable:
            say(
                f"cartulary: {id} was imported, and its id comes from the whole sheet: anyone who guesses every "
                "tag can confirm the guess."
            )
        return True


def begun(pieces: Iterable[T]) -> Iterator[T] | None:
    """Return the pieces, the first of them made already; None where there is none."""
    left = iter(pieces)
    for first in left:
        return chain((first,), left)
    return None
