"""Importing games: which files hold any, and what became of each game."""

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from cartulary.cli.shell.console import FINDINGS, INTEGRITY, USAGE, os_fault, put, put_json, say
from cartulary.cli.shell.cuts import cuts, line_ends, shift_report
from cartulary.cli.shell.findings import count, finding_lines, game_line
from cartulary.cli.shell.progress import Advancing
from cartulary.cli.shell.sources import STDIN, gameless, is_sheet, printable, sheets, unreadable, with_results_noted
from cartulary.notation import load, load_range
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api
from cartulary.records.exchange.archive import RenamedArchive
from cartulary.records.exchange.cgn import draft_sheets, with_report
from cartulary.records.exchange.from_sqlite import is_published, read_published
from cartulary.records.exchange.play_logs import LARGEST, is_play_log, read_plays
from cartulary.records.exchange.results import alike_line
from cartulary.records.exchange.trf import LARGEST as TOURNAMENT_LARGEST
from cartulary.records.exchange.trf import is_tournament, read_tournament
from cartulary.records.exchange.unknown_game import DescribedTitles
from cartulary.records.faults import Damaged, Fault, Unfit
from cartulary.records.library.search import face_up
from cartulary.records.log.open_files import beginning, is_open
from cartulary.records.log.recorded import is_game
from cartulary.records.texts import now

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from cartulary.cli.shell.cluster import Cluster

BLOCK = 1 << 18
"""How much of a file is read at once."""


DATABASES = (".db", ".sqlite", ".sqlite3")
MOST_NAMED = 3
"""How many games with the same moves are named."""


TOURNAMENT = ".trf"
"""The ending of tournament reports."""
ARCHIVE_START = b'{"cartulary":'
_BEGINS_JSON = re.compile(rb'\s*\{\s*"')
"""How a line of an exported archive begins."""


class CountingReader(io.RawIOBase):
    """A file that reports to a progress bar how much of it has been read."""

    def __init__(self, file: BinaryIO, bar: Advancing) -> None:
        self._file, self._bar = file, bar

    def readable(self) -> bool:
        """Return True, as the library that buffers the file asks."""
        return True

    def readinto(self, into: "WriteableBuffer") -> int:
        """Fill a buffer with the next bytes of the file, and return how many there were; 0 means the end.

        The progress bar is advanced by as many.
        """
        with memoryview(into) as view:
            data = self._file.read(len(view))
            view[: len(data)] = data
        self._bar.advance(len(data))
        return len(data)


def files_of(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield a pair for each file to import: its path, and a sentence on why it cannot be read, empty if it can.

    A folder is searched with all folders below it, and its files come sorted; of them only score sheets, archives,
    databases and tournament reports are taken. A folder that holds none, or cannot be read, is a pair with its
    sentence. A path that is named itself is taken whatever its ending.

    Args:
        paths: Files and folders; ``-`` is standard input.
    """
    for path in paths:
        if path == STDIN or not Path(path).is_dir():
            yield (path, "") if path != STDIN and is_published(Path(path)) else next(sheets([path]))
            continue
        faults: list[OSError] = []
        inside = sorted(file for file in _below(path, faults) if file.is_file() and _takes(file))
        for fault in faults:
            yield str(fault.filename), f"{fault.filename} cannot be read: {os_fault(fault)}."
        if not inside and not faults:
            yield path, f"{path} holds neither a score sheet nor an archive; expected one in it or below it."
        for file in inside:
            yield str(file), "" if file.suffix in DATABASES else unreadable(str(file))


def _below(path: str, faults: list[OSError]) -> Iterator[Path]:
    """Yield every file in a folder and below it, unsorted.

    A folder that cannot be read adds its OSError to ``faults``.
    """
    for folder, _, names in os.walk(path, onerror=faults.append):
        yield from (Path(folder, name) for name in names)


def _takes(path: Path) -> bool:
    """Say whether a file found in a folder is to be imported.

    Score sheets, tournament reports and exported archives are. A ``.json`` or ``.jsonl`` file is judged by how it
    begins; if it cannot be read the answer is True, so that it is reported later.
    """
    if path.suffix in DATABASES:
        return is_published(path)
    if path.suffix in (".json", ".jsonl"):
        try:
            head = beginning(path, BLOCK)
            return head.startswith(ARCHIVE_START) or is_play_log(head)
        except OSError:
            return True
    return path.suffix == TOURNAMENT or is_sheet(path)


class Importer:
    """An import of games, which reports on each of them.

    Attributes:
        code: The exit code that follows from all games so far.
        counts: How many games were new, extended, known before, or declined.
    """

    def __init__(
        self,
        store: "api.Log",
        by: str,
        quiet: bool,
        json: bool,
        extend: bool,
        for_seat: bool,
        keep_source: bool = True,
        results: str = "",
        rename: bool = False,
        dry: bool = False,
    ) -> None:
        """Begin with no game.

        Args:
            store: The open database.
            by: Who imports.
            quiet: Whether games without findings go unmentioned.
            json: Whether to write JSON.
            extend: Whether an archive may add events to a game that is already here.
            for_seat: Whether a seat reads the output, which then says nothing that rests on hidden cards.
            keep_source: Whether to keep the text that a game of another format was read from.
            results: Whose result a file of PDN names first, as ``--results`` was typed; empty for the usual way.
            rename: Whether an archive gets a new id if another game has its own here.
            dry: Whether nothing is stored; only plays of other programs can be tried so.
        """
        self.keep_source, self.results, self.rename, self.dry = keep_source, results, rename, dry
        self.store, self.by, self.quiet, self.json, self.extend, self.for_seat = (
            store,
            by,
            quiet,
            json,
            extend,
            for_seat,
        )
        self._tournaments: set[str] = set()
        self.new_ids: dict[str, str] = {}
        self.code = 0
        self.counts = {"new": 0, "extended": 0, "known": 0, "declined": 0}

    def line(self, text: str) -> None:
        """Print a line about an imported game to standard output; a subclass may print it elsewhere."""
        put(text)

    def worst(self, code: int) -> None:
        """Make ``code`` the exit code of the import, unless a higher one is there already."""
        self.code = max(self.code, code)

    def path(self, path: str, bar: Advancing) -> None:
        """Import one file, whatever it holds.

        A file that cannot be read, holds no game or is not fit to be imported is reported to standard error and raises
        the exit code to that of wrong usage. Other faults are raised, such as WorkerStopped.

        Args:
            path: The file; ``-`` is standard input.
            bar: The progress bar, which is advanced by the bytes read.
        """
        before = self.games
        try:
            if path == STDIN:
                self.file(path, io.BufferedReader(CountingReader(sys.stdin.buffer, bar), BLOCK))
            elif is_published(Path(path)) and self.dry:
                raise Unfit(f"{path} is a database, not plays of another program, which --dry-run is for.")
            elif is_published(Path(path)):
                self.take_archives(read_published(Path(path)), repeat(path))
            elif is_open(Path(path)):
                raise Unfit(f"{path} is the database that games are imported into; name other files.")
            else:
                with open(path, "rb") as file:
                    self.file(path, io.BufferedReader(CountingReader(file, bar), BLOCK))
            if self.games == before and path not in self._tournaments:
                raise Unfit(gameless(path))
        except (OSError, Unfit) as fault:
            say(f"cartulary: {f'{path} cannot be read: {os_fault(fault)}.' if isinstance(fault, OSError) else fault}")
            self.worst(USAGE)

    @property
    def games(self) -> int:
        """How many games were found so far, whether they were imported, known already or declined."""
        return sum(self.counts.values())

    def file(self, path: str, file: io.BufferedReader) -> None:
        """Import an open file by how its bytes begin.

        It may hold plays of another program's log, a tournament report, archives as JSON lines, or else score sheets.

        Args:
            path: The name to report it by.
            file: The file; its beginning is only peeked at.

        Raises:
            Unfit: It is a dry run and the file holds neither plays nor a tournament report, or the contents cannot be
                taken.
            OSError: The file cannot be read.
        """
        head = file.peek(BLOCK)
        if not head.startswith(ARCHIVE_START) and is_play_log(head):
            self.plays(path, file)
        elif is_tournament(head):
            self.tournament(path, file)
        elif self.dry:
            raise Unfit(
                f"{path} holds neither plays of another program nor a tournament report, which --dry-run is for; "
                "`validate` checks sheets."
            )
        elif _BEGINS_JSON.match(file.peek(len(ARCHIVE_START))):
            self.archives(path, file)
        else:
            self.sheets(path, file)

    def plays(self, path: str, file: io.BufferedReader) -> None:
        """Import the plays of another program's log as finished games, and print what became of each.

        One that cannot be recorded is reported and does not stop the others. In a dry run nothing is stored.

        Args:
            path: The name to report it by.
            file: The open file, which is read up to the largest size allowed.
        """
        place = printable(path) if path != STDIN else "Standard input"
        games = read_plays(file.read(LARGEST + 1))
        for game, answer in zip(games, api.take_results(self.store, games, skip_bad=True, dry=self.dry), strict=True):
            self.counts[answer.status] += 1
            if answer.status == "declined":
                self.worst(FINDINGS)
            if self.json:
                fields = {"id": answer.id, "status": answer.status, "because": answer.because, "play": answer.line}
                put_json(fields | {"alike": answer.alike})
                continue
            if answer.status == "declined":
                which = ", ".join(filter(None, (game.request.game, game.request.date)))
                say(f"cartulary: {place}, play {answer.line}{f' ({which})' if which else ''}: {answer.because}")
            elif not self.quiet:
                self.line(f"{place}#{answer.line}: {answer.id}{' (known)' * (answer.status == 'known')}")
            if answer.alike:
                say(f"cartulary: {place}, play {answer.line}: {alike_line(answer)}.")

    def tournament(self, path: str, file: io.BufferedReader) -> None:
        """Import a tournament report as one evening with its games and persons, and print what became of each game.

        If a game of it contradicts one that is stored, nothing of the report is stored. Raises Unfit, with the name of
        the file, if the report cannot be taken.

        Args:
            path: The name to report it by.
            file: The open file, which is read up to the largest size allowed.
        """
        self._tournaments.add(path)
        place = printable(path) if path != STDIN else "Standard input"
        try:
            tournament = read_tournament(file.read(TOURNAMENT_LARGEST + 1))
            answer = api.take_tournament(self.store, tournament, by=self.by, dry=self.dry)
        except Fault as fault:
            raise Unfit(f"{place}: {fault}") from None
        for sentence in answer.remarks:
            say(f"cartulary: {place}: {sentence}")
        for game, round in zip(answer.answers, answer.rounds, strict=True):
            if game.status == "new" and not (answer.stored or self.dry):
                continue
            self.counts[game.status] += 1
            if self.json:
                fields = {"id": game.id, "status": game.status, "because": game.because, "round": round}
                put_json(fields | {"alike": game.alike})
            elif game.status == "declined":
                sentence = game.because
                say(f"cartulary: {place}, line {game.line}: {sentence}")
            elif not self.quiet:
                self.line(f"{place}:{game.line}: round {round}, {game.id}{' (known)' * (game.status == 'known')}")
            if game.alike and not self.json:
                say(f"cartulary: {place}, line {game.line}: {alike_line(game)}.")
        self._report_tournament(answer)

    def _report_tournament(self, answer: "api.TournamentAnswer") -> None:
        """Print one line on the evening: how many persons it has, and whether it was stored.

        A declined game raises the exit code.
        """
        if any(game.status == "declined" for game in answer.answers):
            self.worst(FINDINGS)
        stored = "" if answer.stored or self.dry else "; nothing was stored"
        if self.json:
            put_json({"evening": answer.evening, "persons": answer.persons, "stored": answer.stored})
        elif stored or not self.quiet:
            self.line(f"{isolate(answer.evening)}: {count(answer.persons, 'person')}{stored}")

    def sheets(self, path: str, file: io.BufferedReader) -> None:
        """Import the score sheets of an open file, and print what became of each.

        ``path`` is the name to report it by.
        """
        loaded = load(file, results=self.results, ending=Path(path).suffix)
        records = with_results_noted(loaded, printable(path) if path != STDIN else "Standard input", self.results)
        for answer in api.import_records(self.store, records, path=path, by=self.by, keep_source=self.keep_source):
            self.report(answer)

    def report(self, answer: "api.ImportedGame") -> None:
        """Count one score sheet, and print its verdict, its findings, and the stored games that have the same moves.

        A declined, unreadable or irregular sheet raises the exit code to that of findings. An importer for a seat
        prints no more than the seat may know.
        """
        self.counts[answer.status] += 1
        judged = answer.report
        if self.for_seat and not face_up(judged.game, judged.verdict):
            self.report_unseen(answer)
            return
        if answer.status == "declined" or judged.verdict in ("unreadable", "irregular"):
            self.worst(FINDINGS)
        if self.json:
            fields = {
                "id": answer.id,
                "status": answer.status,
                "because": answer.because,
                "same_moves": answer.same_moves,
            }
            put_json(fields | {"report": judged})
            return
        if not (self.quiet and judged.verdict in ("legal", "unjudged") and answer.status != "declined"):
            self.line(f"{game_line(judged)}, {answer.id or answer.because}{' (known)' * (answer.status == 'known')}")
        for finding in judged.findings:
            for line in finding_lines(judged.path, finding, full=False):
                self.line(line)
        if answer.because and answer.id:
            say(f"cartulary: {answer.id}: {answer.because}. It is kept as a game of its own.")
        elif answer.same_moves:
            same_moves = ", ".join(answer.same_moves[:MOST_NAMED])
            say(f"cartulary: {answer.id} has the same moves as {same_moves}; `duplicates` says more.")

    def report_unseen(self, answer: "api.ImportedGame") -> None:
        """Print the id of one score sheet with hidden cards, or that it was declined.

        Nothing is printed that a seat might not know, such as the verdict. A declined sheet raises the exit code to
        that of findings.
        """
        suffix = " (known)" * (answer.status == "known")
        if answer.status == "declined":
            self.worst(FINDINGS)
        if self.json:
            put_json({"id": answer.id, "status": answer.status})
        else:
            self.line(f"{answer.report.path}#{answer.report.index}: {answer.id or 'declined'}{suffix}")

    def archives(self, path: str, file: Iterable[bytes]) -> None:
        """Import the archives in a file, one a line, and print what became of each.

        A line that cannot be read is reported and does not stop the others. Blank lines are passed over.

        Args:
            path: The name to report it by.
            file: The lines.
        """
        places: list[str] = []
        evenings: list[tuple[str, api.Archive]] = []

        def read() -> "Iterator[api.Archive | Fault]":
            """Yield the archive of each line, or the fault of one that cannot be read, and add its place to ``places``.

            Archives that are no games are not yielded. They are imported at once, but evenings only after the games,
            which may get other ids.
            """
            for number, line in enumerate(file, 1):
                if line.strip():
                    places.append(f"{path}:{number}")
                    try:
                        archive = api.read_archive(line)
                    except Unfit as fault:
                        yield fault
                        continue
                    if is_game(archive.id):
                        yield archive
                    elif api.is_evening(archive):
                        evenings.append((places.pop(), archive))
                    else:
                        self._take_aside(places.pop(), archive)

        self.take_archives(read(), iter(places))
        for place, archive in evenings:
            self._take_aside(place, archive)

    def take_archives(self, archives: "Iterable[api.Archive | Fault]", places: Iterator[str]) -> None:
        """Import archives, and print what became of each.

        Args:
            archives: The archives; a fault stands for one that cannot be read.
            places: Where each archive stands; the next place is asked for once its archive is imported.
        """
        for answer_or_fault in api.take_in_all(self.store, archives, extend=self.extend, rename=self.rename):
            place = next(places)
            if isinstance(answer_or_fault, Fault):
                self._decline(place, answer_or_fault)
            else:
                self._report_archive(place, answer_or_fault)

    def _take_aside(self, place: str, archive: "api.Archive") -> None:
        """Import an archive that is no game, such as the list of people, and print what became of it.

        It does not count as a game. A fault is reported, and raises the exit code: higher for damage than for findings.

        Args:
            place: File and line, to report it by: ``all.jsonl:3``.
            archive: The archive.
        """
        try:
            status, events = api.take_in_aside(self.store, archive, self.new_ids)
        except Fault as fault:
            say(f"cartulary: {place}: {fault}")
            self.worst(INTEGRITY if isinstance(fault, Damaged) else FINDINGS)
            return
        if self.json:
            put_json({"id": archive.id, "status": status, "version": events})
        elif not self.quiet:
            self.line(f"{place}: {archive.id}, {status}, {count(events, 'event')}")

    def _decline(self, place: str, fault: Fault) -> None:
        """Print why an archive was not imported, count it as declined, and raise the exit code by the kind of fault.

        ``place`` is file and line, such as ``all.jsonl:3``.
        """
        say(f"cartulary: {place}: {fault}")
        unfit = USAGE if isinstance(fault, Unfit) else FINDINGS
        self.worst(INTEGRITY if isinstance(fault, Damaged) else unfit)
        self.counts["declined"] += 1

    def _report_archive(self, place: str, answer: "api.ImportedArchive") -> None:
        """Count one archive, and print its id, what became of it and how many events it has.

        An archive that got another id because its own was taken is reported, as is one that is kept but cannot be
        judged; the latter raises the exit code to that of findings. ``place`` is file and line, such as
        ``all.jsonl:3``.
        """
        self.counts[answer.status] += 1
        if isinstance(answer, RenamedArchive):
            self.new_ids[answer.renamed_from] = answer.id
        if isinstance(answer, RenamedArchive) and not self.json:
            kept = f"{answer.renamed_from} is another game here; this one is {answer.id}"
            proof = "; heads and signatures of it prove the archive, so keep that"
            say(f"cartulary: {place}: {kept}{proof if answer.status == 'new' else ''}.")
        if answer.because:
            say(f"cartulary: {place}: {answer.because} It is kept, and cannot be judged.")
            self.worst(FINDINGS)
        if self.json:
            put_json(answer)
        elif not (self.quiet and answer.status in ("new", "known") and not answer.because):
            omission = f", {count(answer.withheld, 'body', 'bodies')} left out" if answer.withheld else ""
            self.line(f"{place}: {answer.id}, {answer.status}, {count(answer.version, 'event')}{omission}")

    def summary(self) -> str:
        """Return how many games there were, and what became of them: ``3 games: 2 new, 1 known``.

        In a dry run ``; nothing was stored`` follows; without games it is ``0 games``.
        """
        parts = [f"{number} {status}" for status, number in self.counts.items() if number]
        stored = "; nothing was stored" if self.dry else ""
        return f"{count(self.games, 'game')}{': ' if parts else ''}{', '.join(parts)}{stored}"


class QuietImporter(Importer):
    """An import whose games are only to be looked at, so that only those that cannot be shown are reported.

    Attributes:
        files: The score sheet each game was read from, by its id, as ``club.cgn`` or ``club.cgn#2``.
    """

    def __init__(self, store: "api.Log", for_seat: bool) -> None:
        super().__init__(store, "", quiet=True, json=False, extend=False, for_seat=for_seat)
        self.files: dict[str, str] = {}

    def line(self, text: str) -> None:
        """Write a line to standard error, because standard output is for the address of the server."""
        say(text)

    def report(self, answer: "api.ImportedGame") -> None:
        """Count a game, and note in ``files`` where it was read from; if it was declined, say that it cannot be shown.

        Why it was declined is said too, but not to a seat.
        """
        self.counts[answer.status] += 1
        if answer.status == "declined":
            because = (
                "" if self.for_seat else f": {answer.because.partition(';')[0].partition(', expected')[0].rstrip('.')}"
            )
            say(f"cartulary: {answer.report.path}#{answer.report.index} is not shown{because}.")
        else:
            number = f"#{answer.report.index}" if answer.report.index > 1 else ""
            self.files.setdefault(answer.id, f"{answer.report.path}{number}")


# --- over a cluster: its workers judge and draft, this process stores ---


def draft_range(
    path: str,
    start: int,
    stop: int,
    by: str,
    keep_source: bool,
    results: str,
    at: str,
    descriptions: DescribedTitles,
    place: str,
) -> "tuple[list[api.DraftedSheet], int]":
    """Judge the games that begin in a range of a file; store nothing.

    Args:
        path: The file, as it is reported.
        start: The first byte of the range.
        stop: The first byte after it.
        by: Who imports.
        keep_source: Whether to keep the text that a game of another format was read from.
        results: Whose result a file of PDN names first, as ``--results`` was typed; empty for the usual way.
        at: The time of the import, by the clock of the process that stores the games.
        descriptions: The games that the log has descriptions of.
        place: Where the worker finds the file.

    Returns:
        What is to be stored of each game, and how many lines end in the range.
    """
    drafted = list(draft_sheets(load_range(place, start, stop, results), path, by, keep_source, at, descriptions))
    return drafted, line_ends(place, start, stop)


class ClusterImporter(Importer):
    """An import for which the workers of a cluster judge the score sheets; this process stores them."""

    def __init__(self, workers: "Cluster", bar: Advancing, store: "api.Log", *settings: Any) -> None:
        """Begin with no game.

        Args:
            workers: The cluster.
            bar: The progress bar.
            store: The open database.
            settings: The other arguments of ``Importer``.
        """
        super().__init__(store, *settings)
        self._workers, self._bar = workers, bar

    def sheets(self, path: str, file: io.BufferedReader) -> None:
        """Import the score sheets of an open file, judged by the workers.

        Raises:
            WorkerStopped: The workers are lost, or cannot do it.
        """
        for answer in api.take_sheets(self.store, self._drafted(path, len(file.peek()))):
            self.report(answer)

    def _drafted(self, path: str, ahead: int) -> "Iterator[api.DraftedSheet]":
        """Yield the games to store, with numbers and lines counted from the start of the file.

        Args:
            path: The file.
            ahead: How many bytes the progress bar has counted already.
        """
        games = lines = 0
        ranges = ((path, start, stop) for start, stop in cuts(path))
        settings = (self.by, self.keep_source, self.results, now(), api.described_titles(self.store))
        over = self._workers.over(ranges, draft_range, *settings)
        for (_, start, stop), (drafted, ends) in over:
            for sheet in drafted:
                yield with_report(sheet, shift_report(sheet.answer.report, games, lines))
            games, lines = games + len(drafted), lines + ends
            self._bar.advance(stop - start - ahead)
            ahead = 0
