"""Where a long file may be cut: into ranges that each begin with a game, for several processes or machines."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from cartulary.notation import Report
from cartulary.notation.cgn.reader import BOM, BOUNDARY

RANGE = 1 << 18
"""About how many bytes one task reads: small enough that no process waits long for the last one."""
WINDOW = 1 << 16
Range = tuple[str, int, int]
"""A file, and the bytes of it from where to where."""


def cuts(path: str, step: int = RANGE, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of the ranges of a file in order, each beginning with a game or with the file.

    Together they hold every byte; ``stop`` is the byte after the last. A range may be longer than ``step``, since it
    ends where a game does.

    Args:
        path: The file.
        step: About how many bytes a range has.
        start: Where the first range begins; a game must begin there.
        end: Where the last range ends; None for the end of the file.
    """
    size = Path(path).stat().st_size if end is None else end
    with open(path, "rb") as file:
        while size - start > step + step // 2:
            stop = next_game(file.seek, file.read, start + step, size)
            if stop >= size:
                break
            yield start, stop
            start = stop
    yield start, size


def next_game(seek: Callable[[int], int], read: Callable[[int], bytes], at: int, size: int) -> int:
    """Return where the first game after a byte begins, as far as its surroundings alone can prove it.

    A beginning that cannot be proved is passed over.

    Args:
        seek: The method of an open file that goes to a byte.
        read: Its method that returns so many bytes from there.
        at: The byte to begin at.
        size: The end, which is returned if no game is found.
    """
    data = b""
    seek(at)
    while block := read(WINDOW):
        data = data[-WINDOW:] + block
        at += len(block)
        for match in BOUNDARY.finditer(data):
            if _follows_moves(data, match.start()):
                return at - len(data) + match.end()
    return size


def _follows_moves(data: bytes, end: int) -> bool:
    """Say whether the last line before a blank one is movetext; ``end`` is where that line ends.

    A reader may join what follows a tag or an escape line to what came before it, so a file is not cut there.
    """
    before = data[max(0, end - WINDOW // 4) : end].rstrip(b" \t\r\n")
    begin = before.rfind(b"\n") + 1
    return begin > 0 and before[begin:].removeprefix(BOM).lstrip(b" \t\r")[:1] not in (b"[", b"%")


def line_ends(path: str, start: int, stop: int) -> int:
    """Return how many lines end in a range of a file's bytes, whether by LF, CR, or CR and LF.

    Args:
        path: The file.
        start: The first byte.
        stop: The byte after the last.
    """
    with open(path, "rb") as file:
        file.seek(start)
        data = file.read(stop - start)
    ends = data.count(b"\n")
    return ends + data.count(b"\r") - data.count(b"\r\n") if b"\r" in data else ends


def shift_report(report: Report, games: int, lines: int) -> Report:
    """Return a report with its numbers and lines counted from the start of the file instead of the range.

    Args:
        report: The report on a game of the range.
        games: How many games stand before the range.
        lines: How many lines stand before it.
    """
    index, line, findings = report.index + games, report.line + lines, report.findings
    if findings:
        findings = tuple(replace(finding, line=finding.line + lines) for finding in findings)
    return replace(report, index=index, line=line, findings=findings)
