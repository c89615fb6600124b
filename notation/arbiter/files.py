"""Files of score sheets, read and written as their games require: what counts as a move, which tags name players."""

import io
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, TextIO

from cartulary.notation.arbiter.heading import game_of
from cartulary.notation.cgn.reader import OddIn, Tags, records_between, records_of
from cartulary.notation.cgn.record import Line, NotationError, Record
from cartulary.notation.cgn.source import NOTHING_ODD, Odd
from cartulary.notation.cgn.writer import HEADER, TagOrder, format_game, tag_order
from cartulary.notation.contract import AnyGame
from cartulary.notation.foreign.contract import OtherFormat
from cartulary.notation.foreign.formats import HEAD, find_format, sniffed

_LINE_END = re.compile(rb"\r\n|\r|\n")
_BEFORE_A_GAME = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:%[ \t]*CGN[ \t]+1\.\d+[ \t]*(?:[\r\n]\s*|$))*")

# --- reading ---


def load(file: str | Path | BinaryIO, *, strict: bool = False) -> Iterator[Record]:
    """Yield the records of a file in order, reading as it goes; its content says which format it is.

    strict: raise NotationError at the first problem; otherwise problems stand in each record
    Raises OSError where the file cannot be read.
    """
    if not isinstance(file, (str, Path)):
        yield from _checked(_records(file), strict)
        return
    with open(file, "rb") as opened:
        yield from _checked(_records(opened), strict)


def load_range(path: str | Path, start: int, stop: int) -> Iterator[Record]:
    """Yield the records that begin at byte ``start`` or later and before ``stop``; lines count from the first.

    The ranges of a file that is cut anywhere yield together what ``load`` yields, each record once.
    """
    with open(path, "rb") as opened:
        format = sniffed(opened.read(HEAD))
        if format is None:
            yield from records_between(opened, start, stop, odd_in)
        else:
            yield from map(format.read, records_between(opened, start, stop, _odd_of(format), format.door))


def loads(text: str | bytes, *, strict: bool = False, tags: Tags = ()) -> list[Record]:
    """Return the records of a text; see ``load``. tags: those of the record it is a piece of, where it has none"""
    data = io.BytesIO(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    records = records_of(data, lambda own: odd_in(own or tags)) if tags else _records(data)
    return list(_checked(records, strict))


def load_all(file: str | Path | BinaryIO, *, strict: bool = False) -> list[Record]:
    """Return every record of a file; see ``load``."""
    return list(load(file, strict=strict))


def _records(file: BinaryIO) -> Iterator[Record]:
    """Yield the records of an open file, read as the format it begins with."""
    head = file.read(HEAD)
    format = sniffed(head)
    if format is None:
        return records_of(file, odd_in, head=head)
    return map(format.read, records_of(file, _odd_of(format), format.door, head))


def _odd_of(format: OtherFormat) -> OddIn:
    """Return what asks for what is odd in a game that a format need not name."""
    named = (("Game", format.games[0]),)
    return lambda tags: odd_in(tags if any(name == "Game" for name, _ in tags) else named)


def odd_in(tags: Tags) -> Odd:
    """Return what is odd in the game of these tags; nothing in one nobody knows."""
    game = known_game(tags)
    return NOTHING_ODD if game is None else game.words.odd


def _checked(records: Iterable[Record], strict: bool) -> Iterator[Record]:
    for record in records:
        for problem in record.problems if strict else ():
            if problem.severity == "error":
                raise NotationError(problem.because, problem.column, line=problem.line, key=problem.key)
        yield record


# --- writing ---


def dump_all(records: Iterable[Record], file: TextIO) -> None:
    """Write the header line and then every record, a blank line between games, a newline at the end."""
    file.write(HEADER)
    for number, record in enumerate(records):
        if number:
            file.write("\n")
        file.write(format_record(record))


def dump(record: Record, file: TextIO) -> None:
    """Write a file of one record; see ``dump_all``."""
    dump_all((record,), file)


def dumps(*records: Record) -> str:
    """Return the text of a file of these records; see ``dump_all``."""
    return HEADER + "\n".join(format_record(record) for record in records)


def format_record(record: Record) -> str:
    """Return one game: escape lines, tags, a blank line, movetext wrapped at 80 columns, a newline.

    Raises NotationError for a tag value with a line break and for a comment that no comment form can hold.
    """
    return format_game(record, _order(_game_of(record)))


def replace_game(data: bytes, index: int, change: Callable[[Record], Record]) -> tuple[bytes, Record]:
    """Return the bytes of a file with one game written anew, and that game as it is read from them.

    Every byte of the others stays, and so do line ends. index: which of its games, from 1
    Raises NotationError where the file holds no such game, one that was not read without loss, or text that would be
    read otherwise after what is written, and whatever ``change`` raises.
    """
    try:
        data.decode()
    except UnicodeDecodeError:
        raise NotationError("it is not UTF-8, as CGN must be; `fmt --in-place` converts it") from None
    records = loads(data)
    if not 1 <= index <= len(records):
        raise NotationError(f"there is no game {index} in it")
    old = records[index - 1]
    if old.source.format:
        raise NotationError(f"it is {find_format(old.source.format).title}; `fmt` writes it as CGN")
    new = change(old)
    for problem in old.problems:
        if problem.severity == "error":
            raise NotationError(problem.because, problem.column, line=problem.line, key=problem.key)
    begin, end = _span(data, old)
    line_ends = _LINE_END.findall(data[begin:end])
    written = format_record(new).strip("\n").replace("\n", max(line_ends or [b"\n"], key=line_ends.count).decode())
    changed = data[:begin] + written.encode() + data[end:]
    reread = loads(changed)
    if [*map(_told, reread)] != [*map(_told, (*records[: index - 1], new, *records[index:]))]:
        raise NotationError("it would change how the file is read")
    return changed, reread[index - 1]


def _span(data: bytes, record: Record) -> tuple[int, int]:
    """Return where the bytes of a game begin and end, without the header and blank lines around them."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(data)), len(data)]
    first = record.source.line - 1
    begin, end = starts[first], starts[min(first + record.source.text.count("\n"), len(starts) - 1)]
    if not record.source.text.endswith("\n"):
        end = len(data)
    before = _BEFORE_A_GAME.match(data, begin, end)
    assert before is not None
    return before.end(), begin + len(data[begin:end].rstrip())


def _told(record: Record) -> object:
    """Return what a record says, however it is laid out."""
    return record.tags, record.escapes, _line_told(record.line), record.tail


def _line_told(line: Line) -> object:
    notes = {
        at: (note.glyphs, [item if isinstance(item, str) else _line_told(item) for item in note.then])
        for at, note in line.notes.items()
    }
    return line.words, line.result, notes


def sorted_tags(tags: Iterable[tuple[str, str]], game: AnyGame | None) -> Tags:
    """Return tags in the order in which they are written."""
    return tuple(sorted(tags, key=_order(game)))


def every_seat_tag(game: AnyGame | None) -> tuple[str, ...]:
    """Return the tags that name players, in seat order, for all the numbers of seats a game is played with."""
    about = game.about if game is not None else None
    return tuple(name for seats in about.seats for name in about.seat_tags(seats)) if about is not None else ()


def known_game(tags: Tags) -> AnyGame | None:
    """Return the game of these tags, None where they name none or one that nobody knows."""
    return _game_of(Record(tags, Line()))


def _game_of(record: Record) -> AnyGame | None:
    try:
        return game_of(record) if record.tag("Game") else None
    except NotationError:
        return None


@lru_cache(64)
def _order(game: AnyGame | None) -> TagOrder:
    return tag_order(every_seat_tag(game))
