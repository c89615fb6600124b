"""Files of score sheets, read and written as their games have it: what is a move there, and which tags name players."""

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from cartulary.notation.arbiter.heading import game_of
from cartulary.notation.cgn.reader import Tags, records_between, records_of
from cartulary.notation.cgn.record import Line, NotationError, Record

# --- reading ---


def load(file: str | Path | BinaryIO, *, strict: bool = False) -> Iterator[Record]:
    """Yield the records of a file in order, reading as it goes.

    strict: raise NotationError at the first problem; otherwise problems stand in each record
    Raises OSError where the file cannot be read.
    """
    if not isinstance(file, (str, Path)):
        yield from _checked(records_of(file, has_numbers), strict)
        return
    with open(file, "rb") as opened:
        yield from _checked(records_of(opened, has_numbers), strict)


def load_range(path: str | Path, start: int, stop: int) -> Iterator[Record]:
    """Yield the records that begin at byte ``start`` or later and before ``stop``; lines count from the first.

    The ranges of a file that is cut anywhere yield together what ``load`` yields, each record once.
    """
    with open(path, "rb") as opened:
        yield from records_between(opened, start, stop, has_numbers)


def loads(text: str | bytes, *, strict: bool = False, tags: Tags = ()) -> list[Record]:
    """Return the records of a text; see ``load``. tags: those of the record it is a piece of, where it has none"""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    records = records_of(io.BytesIO(data), lambda own: has_numbers(own or tags))
    return list(_checked(records, strict))


def load_all(file: str | Path | BinaryIO, *, strict: bool = False) -> list[Record]:
    """Return every record of a file; see ``load``."""
    return list(load(file, strict=strict))


def has_numbers(tags: Tags) -> bool:
    """Say whether words of the game of these tags look like results, as 11-15 does; not of a game nobody knows."""
    try:
        return game_of(Record(tags, Line())).words.numeric
    except NotationError:
        return False


def _checked(records: Iterable[Record], strict: bool) -> Iterator[Record]:
    for record in records:
        for problem in record.problems if strict else ():
            if problem.severity == "error":
                raise NotationError(problem.because, problem.column, line=problem.line, key=problem.key)
        yield record
