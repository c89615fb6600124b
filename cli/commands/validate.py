"""``validate``: judges score sheets by one process or several."""

import os
from collections.abc import Generator, Iterator
from contextlib import closing
from enum import StrEnum
from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, USAGE, Hangup, WorkerStopped, fail, leave, os_fault, put, say
from cartulary.cli.shell.cuts import cuts
from cartulary.cli.shell.findings import (
    INDENT,
    Totals,
    count,
    finding_lines,
    game_lines,
    report_findings,
    report_json,
    wrap,
)
from cartulary.cli.shell.options import ClusterAt, Results, SeatOf, check_alone
from cartulary.cli.shell.parts import check_divisible, workers_at
from cartulary.cli.shell.places import next_command
from cartulary.cli.shell.progress import Bar
from cartulary.cli.shell.sources import STDIN, gameless, live, open_sheet, parse_source, printable, read, sheets
from cartulary.cli.shell.views import record_for
from cartulary.notation import Record, Report, examine
from cartulary.records.texts import quiet_text

Batch = tuple[list[Report], int]
"""Reports in the order of the file, and the bytes newly done."""


class FailOn(StrEnum):
    """What makes ``validate`` fail: a finding of this severity or above, or with ``unjudged`` an unjudged game too."""

    error = "error"
    undecided_finding = "undecided"
    remark = "remark"
    unjudged_game = "unjudged"


def command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Score sheets, FILE#n, folders, or - for standard input (the default)."),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, max=512, metavar="N", help="How many processes judge the games.")
    ] = 1,
    fail_on: Annotated[
        FailOn,
        typer.Option(
            "--fail-on",
            help="The lowest severity that counts as a failure; with unjudged, an error or a game that is not judged.",
        ),
    ] = FailOn.error,
    accept_rulings: Annotated[
        bool, typer.Option("--accept-rulings", help="Treat a refused move marked [%irregular …] as a remark only.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print no line for a legal game without findings.")
    ] = False,
    seat: SeatOf = "",
    cluster: ClusterAt = "",
    results: Results = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each game.")] = False,
    db: Annotated[str | None, typer.Option("--db", metavar="PATH|URL", help="Where live records are kept.")] = None,
) -> None:
    """Judge every game: what was legal, what was not and by which rule, and what cannot be known.

    Exits with 0 when nothing is wrong, 1 when a game fails or cannot be read, and 2 when a file cannot be
    read.

    \b
    Example:
      cartulary validate "$(cartulary samples cardmate)/page-1.cgn"
    """
    names = paths or [STDIN]
    if cluster:
        check_alone(cluster, jobs)
        check_divisible(names, seat, "validate")
    work = _Work(names, accept_rulings, db, seat, results.value if results else "")
    tally = Totals(fail_on.value)
    try:
        with Bar("validate", work.size) as bar, closing(work.batches(jobs, cluster)) as batches:
            for reports, done in batches:
                for report in reports:
                    tally.add(report)
                    _put_report(report, json, quiet)
                bar.advance(done)
    except Hangup:
        leave(FINDINGS if tally.has_failed else work.code)
        return
    work.leave(tally)


def _put_report(report: Report, json: bool, quiet: bool) -> None:
    """Print the report on a game: as one JSON object, or each finding and then a line with the verdict.

    If the text names no game, only that finding is printed, and how many others there are. With ``quiet`` the last line
    is left out for a legal game without findings; findings and JSON are always printed.
    """
    if json:
        put(report_json(report).decode())
        return
    findings = report_findings(report)
    for finding in findings:
        for line in finding_lines(report.path, finding):
            put(line)
    rest = len(report.findings) - len(findings)
    if rest:
        for line in wrap(f"{INDENT}{count(rest, 'more finding is', 'more findings are')} left out; --json has all"):
            put(line)
    if not quiet or report.verdict != "legal" or report.findings:
        for line in game_lines(report):
            put(line)


class _Work:
    """The games that were named, and how to judge them: by this process, by several, or by a cluster.

    Attributes:
        names: What was named, folders replaced by their score sheets, unreadable files left out.
        faults: Why something was not judged, as sentences.
        code: The exit code for those.
        size: The bytes of all files.
    """

    def __init__(self, names: list[str], accept_rulings: bool, db: str | None, seat: str, results: str) -> None:
        self.accept_rulings, self.db, self.seat, self.results = accept_rulings, db, seat, results
        self.faults: list[str] = []
        self.code = 0
        self.names = list(self._readable(names))
        self.size = sum(os.path.getsize(name) for name in self.names if name != STDIN and os.path.isfile(name))

    def _readable(self, names: list[str]) -> Iterator[str]:
        """Yield the arguments and files that can be judged; for the others a fault is noted.

        A folder gives each score sheet in it. A single game of a file and a stored game are yielded without being
        looked at.
        """
        for name in names:
            source = parse_source(name)
            if source.game or source.live:
                yield name
                continue
            for path, fault in sheets([name]):
                if fault:
                    self._fault(fault)
                else:
                    yield path

    def leave(self, tally: Totals) -> None:
        """Print what could not be judged and the totals, then end the program with the exit code that follows.

        It returns if that code is 0.
        """
        for line in tally.lines(self.faults):
            say(line)
        leave(self.code or (FINDINGS if tally.has_failed else 0))

    def _fault(self, sentence: str) -> None:
        """Note why something cannot be judged, and make the exit code that of wrong usage."""
        self.faults.append(sentence)
        self.code = USAGE

    def batches(self, jobs: int, cluster: str) -> Generator[Batch, None, None]:
        """Yield the reports in lists, in the order of the arguments, each with the length of the text that was judged.

        A file that becomes unreadable or holds no game is noted as a fault.

        Args:
            jobs: How many processes to use; only whole files are shared out, and none if a seat looks.
            cluster: The address of a Dask scheduler whose workers judge; empty for none.
        """
        divisible = not self.seat and all(name != STDIN and os.path.isfile(name) for name in self.names)
        if cluster or (jobs > 1 and divisible):
            yield from self._share_out(jobs, cluster)
            return
        for name in self.names:
            games = 0
            try:
                for batch in self._of(name):
                    games += len(batch[0])
                    yield batch
            except OSError as fault:
                self._fault(f"{name} cannot be read: {os_fault(fault)}.")
            except typer.Exit as stop:
                self.code = stop.exit_code
            else:
                if not games:
                    self._fault(gameless(name))

    def _of(self, name: str) -> Iterator[Batch]:
        """Yield the report of each game of one argument, in a list of its own, with the length of its text.

        The program ends if a seat asks for a stored game whose verdicts are kept back.
        """
        source = parse_source(name)
        is_whole_file = not source.game and not source.live
        if source.live and self.seat and live(source.name, self.db).book.quiet:
            fail(quiet_text(source.name, next_command("reveal", source.name, db=self.db)), FINDINGS)
        records = open_sheet(name, self.results) if is_whole_file else read(name, self.db, results=self.results)
        for record in records:
            yield [self._report(record, source.name)], len(record.source.text)

    def _report(self, record: Record, path: str) -> Report:
        """Return the report on a record as the seat sees it, under the name of its file and the number of the game."""
        view = record_for(record, f"{path}#{record.index}", self.seat)
        return examine(view, printable(path), accept_rulings=self.accept_rulings).report

    def _share_out(self, jobs: int, cluster: str) -> Iterator[Batch]:
        """Yield reports from several processes or a cluster, each of which judges ranges of the files; see ``batches``.

        If a worker stops or a file cannot be read, that is noted as a fault, and the games after it are not judged.
        """
        from cartulary.cli.shell.ranges import Pool

        paths: set[str] = set()
        try:
            with (
                workers_at(cluster) as workers,
                closing(Pool(jobs, self.accept_rulings, workers, self.results)) as pool,
            ):
                ranges = ((name, start, stop) for name in self.names for start, stop in cuts(name))
                for reports, done in pool.reports(ranges):
                    paths.update(report.path for report in reports[:1])
                    yield reports, done
        except WorkerStopped as fault:
            self._fault(f"{fault} The games after that were not judged; run the command again.")
        except OSError as fault:
            self._fault(f"{fault.filename} cannot be read: {os_fault(fault)}. The games after that were not judged.")
        else:
            for name in self.names:
                if printable(name) not in paths:
                    self._fault(gameless(name))
