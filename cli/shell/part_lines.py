"""A part of `validate` as lines: what it is, each range it judged with the reports on it, and a mark at its end."""

import json
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from cartulary.cli.shell.console import os_fault, put
from cartulary.cli.shell.cuts import cuts, moved
from cartulary.cli.shell.findings import Totals, report_json
from cartulary.cli.shell.parts import Header, PartNumber, Share, digest_of, in_order, shares
from cartulary.cli.shell.progress import Bar
from cartulary.notation import Report
from cartulary.notation.cgn.controls import displayed

REPORT = b'{"path":'
"""How a report begins; every other line is of the part itself."""
FAIL_ON, RULINGS = "--fail-on", "--accept-rulings"
"""The options that all parts of one whole have been given alike."""
LONGEST = 1 << 26
"""No first line of a part is longer, in bytes."""


class RangeCounts(Struct, frozen=True):
    """A range that has been judged: its games, and the line ends in it."""

    games: int
    lines: int


class PartWriter:
    """Writes a part, line by line; the last one says how many there are and their digest, so a cut is seen."""

    def __init__(self, header: Header) -> None:
        self._digest, self._lines = sha256(), 0
        self._own(header)

    def share(self, share: Share) -> None:
        """Begin with the games of a range."""
        self._own(share)

    def report(self, report: Report) -> None:
        """Write the report on a game, its numbers counted from where the range begins."""
        self._put(report_json(report).decode())

    def judged(self, games: int, lines: int) -> None:
        """End a range."""
        self._own(RangeCounts(games, lines))

    def end(self) -> None:
        """Mark the part as whole."""
        put(json.dumps({"end": self._lines, "sha256": self._digest.hexdigest()}))

    def _own(self, told: Struct) -> None:
        # Escaped, since a name may hold what is no UTF-8.
        self._put(json.dumps({type(told).__name__.lower(): msgspec.structs.asdict(told)}))

    def _put(self, text: str) -> None:
        line = text if text.isprintable() else displayed(text)
        self._digest.update(line.encode() + b"\n")
        self._lines += 1
        put(line)


def judge_part(
    paths: Sequence[tuple[int, str]],
    part: PartNumber,
    jobs: int,
    options: dict[str, str],
    faults: Sequence[tuple[int, str]],
    tally: Totals,
) -> None:
    """Judge a part of the files and write it, to its end mark. jobs: by so many processes

    Raises OSError, Ended and Hangup; then there is no such mark.
    """
    from cartulary.cli.shell.ranges import Pool

    had = list(shares(paths, part))
    asked: deque[tuple[Share, int, int]] = deque()

    def ranges() -> Iterator[tuple[str, int, int]]:
        for share in had:
            for start, stop in cuts(share.path, start=share.start, end=share.stop):
                asked.append((share, start, stop))
                yield share.path, start, stop

    writer = PartWriter(Header(part.number, part.parts, "validate", digest_of(paths), options, tuple(faults)))
    size = sum(share.stop - share.start for share in had)
    with Bar("validate", size) as bar, closing(Pool(jobs if jobs > 1 else 0, options[RULINGS] == "yes")) as pool:
        for reports, done in pool.reports(ranges()):
            share, start, stop = asked.popleft()
            if start == share.start:
                writer.share(share)
            for report in reports:
                tally.add(report)
                writer.report(report)
            if stop == share.stop:
                writer.judged(pool.games, pool.lines)
            bar.advance(done)
    writer.end()


def merged(names: Sequence[str]) -> tuple[Header, Iterator[tuple[Share, Report | None]]]:
    """Return what the parts say of themselves, and all their reports in order with their true numbers and lines.

    After the last report of each range comes None. Ends the program where they are not all the parts of one whole.
    """
    found, faults = [], []
    for name in names:
        try:
            found.append((name, _proved(name)))
        except OSError as fault:
            faults.append(f"{name} cannot be read: {os_fault(fault)}.")
        except ValueError as fault:
            faults.append(str(fault))
    parts = in_order(found, faults)
    return parts[0][1], _reports([name for name, _ in parts])


def _proved(name: str) -> Header:
    """Return what a part says of itself, if it is whole. Raises OSError, and ValueError with the reason."""
    if Path(name).exists() and not Path(name).is_file():
        raise ValueError(f"{name} is not a file, and a part is read twice; write it to a file first.")
    digest, lines, last = sha256(), 0, b""
    with open(name, "rb") as file:
        try:
            header = msgspec.convert(json.loads(file.readline(LONGEST))["header"], Header)
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{name} is not a part of `validate`; `validate --part K/N --json` writes one.") from None
        file.seek(0)
        for line in file:
            digest.update(last)
            last, lines = line, lines + 1
    end = b'{"end": %d, "sha256": "%s"}' % (lines - 1, digest.hexdigest().encode())
    if last.rstrip(b"\r\n") == end:
        return header
    if last.startswith(b'{"end":') and last.rstrip().endswith(b"}"):
        raise ValueError(f"{name} has been changed since it was written; make part {header.part} again.")
    raise ValueError(f"{name} was cut short; make part {header.part} again.")


def _reports(names: Sequence[str]) -> Iterator[tuple[Share, Report | None]]:
    decode = msgspec.json.Decoder(Report).decode
    share = Share(0, "", 0, 0)
    games = lines = 0
    for name in names:
        with open(name, "rb") as file:
            file.readline()
            for line in file:
                if line.startswith(REPORT):
                    yield share, moved(decode(line), games, lines)
                    continue
                told = json.loads(line)
                if "share" in told:
                    share = msgspec.convert(told["share"], Share)
                    if not share.start:
                        games = lines = 0
                elif "rangecounts" in told:
                    games, lines = games + told["rangecounts"]["games"], lines + told["rangecounts"]["lines"]
                    yield share, None
