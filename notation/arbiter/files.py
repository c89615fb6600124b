"""Files of score sheets, read and written as their games require: what counts as a move, which tags name players."""

import io
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, TextIO

from msgspec.structs import replace

from cartulary.engine.numbers import how_many
from cartulary.notation.arbiter.examine import examine
from cartulary.notation.arbiter.heading import game_by_tags, game_of
from cartulary.notation.cgn.reader import Tags, records_between, records_of
from cartulary.notation.cgn.record import Line, NotationError, Record
from cartulary.notation.cgn.result import format_result
from cartulary.notation.cgn.scanner import NOTHING_ODD, Odd, Source
from cartulary.notation.cgn.writer import HEADER, TagOrder, format_game, tag_order
from cartulary.notation.contract import AnyGame
from cartulary.notation.foreign.contract import (
    FIRST_PLAYER,
    WHITE,
    OtherFormat,
    remark,
    turn_result,
    with_result_of_tag,
    without_repeated_tags,
)
from cartulary.notation.foreign.formats import HEAD, ODD, OPEN, detect, find_format, sniff

_LINE_END = re.compile(rb"\r\n|\r|\n")
_BEFORE_A_GAME = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:%[ \t]*CGN[ \t]+1\.\d+[ \t]*(?:[\r\n]\s*|$))*")

# --- reading ---


def load(file: str | Path | BinaryIO, *, strict: bool = False, results: str = "", ending: str = "") -> Iterator[Record]:
    """Yield the records of a file in order, reading as it goes; each game's content says which format it is in.

    Args:
        file: A path, or an open file of bytes.
        strict: Raise NotationError at the first problem that is an error; otherwise problems stand in each record.
        results: Whose result a game names first where files of its format differ in that, one of ``RESULTS``; empty for
            what the file shows.
        ending: The ending of the file's name, if it is not that of ``file``; it counts where no game shows its format.

    Raises:
        OSError: The file cannot be read.
        NotationError: The text has a fault, and ``strict`` is true.
    """
    if not isinstance(file, (str, Path)):
        yield from _checked(_records(file, results, ending), strict)
        return
    with open(file, "rb") as opened:
        yield from _checked(_records(opened, results, ending or Path(file).suffix), strict)


def load_range(path: str | Path, start: int, stop: int, results: str = "") -> Iterator[Record]:
    """Yield the records that begin at byte ``start`` or later and before ``stop``; lines count from the first.

    Wherever a file is cut, its ranges together yield what ``load`` yields, each record once.

    Args:
        path: The file.
        start: The first byte of the range.
        stop: The byte after its last.
        results: Whose result a game names first where files of its format differ in that, one of ``RESULTS``; empty for
            what the file shows.
    """
    with open(path, "rb") as opened:
        head = opened.read(HEAD)
        usual = sniff(head, Path(path).suffix)
        if usual is None:
            yield from records_between(opened, start, stop, odd_in)
        elif usual.opens(head):
            # Such a file is read as a whole, by whoever has its beginning.
            opened.seek(0)
            yield from usual.records(opened.read()) if not start else ()
        else:
            white = _white_first(opened, usual, results)
            yield from _each_read(records_between(opened, start, stop, _odd_of, OPEN), usual, white, not start)


def loads(text: str | bytes, *, strict: bool = False, tags: Tags = ()) -> list[Record]:
    """Return the records of a text in a list, as ``load`` does.

    Args:
        text: The text, or its bytes.
        strict: Raise NotationError at the first problem that is an error; otherwise problems stand in each record.
        tags: The tags of the whole record if the text is a piece of one without tags; it is then read as CGN.

    Raises:
        NotationError: The text has a fault, and ``strict`` is true.
    """
    data = io.BytesIO(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    records = records_of(data, lambda own: odd_in(own or tags)) if tags else _records(data)
    return list(_checked(records, strict))


def load_all(file: str | Path | BinaryIO, *, strict: bool = False) -> list[Record]:
    """Return every record of a file in a list, in order; ``load`` yields them one by one.

    Args:
        file: A path, or an open file of bytes.
        strict: Raise NotationError at the first problem that is an error; otherwise problems stand in each record.
    """
    return list(load(file, strict=strict))


def _records(file: BinaryIO, results: str = "", ending: str = "") -> Iterator[Record]:
    """Yield the records of an open file, each read as the format it is in; arguments are those of ``load``.

    A stream that cannot be set back is read into memory if the order of its results must be found out first.
    """
    head = file.read(HEAD)
    usual = sniff(head, ending)
    if usual is None:
        return records_of(file, odd_in, head=head)
    if usual.opens(head):
        return usual.records(head + file.read())
    if usual.swap_result is not None and not results and not file.seekable():
        file, head = io.BytesIO(head + file.read()), b""
    white = _white_first(file, usual, results)
    return _each_read(records_of(file, _odd_of, OPEN, head), usual, white, True)


def _odd_of(tags: Tags) -> Odd:
    """Return which tokens a game reads in its own way, such as ``0-0``.

    Without a tag Game these are all tokens that may be so in any format.
    """
    return odd_in(tags) if any(name == "Game" for name, _ in tags) else ODD


def _each_read(records: Iterator[Record], usual: OtherFormat, white: str, first: bool) -> Iterator[Record]:
    """Yield records as their formats read them.

    Args:
        records: The records as CGN's reader made them.
        usual: The format of those that do not show theirs.
        white: Why results are read with that of the white side first; empty if the first player's comes first.
        first: Whether the first of these records is the first of the file.
    """
    for record in records:
        format = detect(record, usual)
        source = record.source
        order = "" if format.swap_result is None else WHITE if white else FIRST_PLAYER
        named_source = Source(source.text, source.line, source.body, source.odd, format.name, order)
        game = format.read(replace(without_repeated_tags(record), source=named_source))
        game = game if record.tag("Game") else with_result_of_tag(game)
        if white and format.swap_result is not None and not record.tag("Game"):
            game = format.swap_result(game)
            if first and white != WHITE:
                game = remark(game, white, "Result" if game.tag("Result") else "")
        first = False
        yield game


def _white_first(file: BinaryIO, usual: OtherFormat, results: str) -> str:
    """Return why results are read with that of the white side first; empty if the first player's comes first.

    A game that ends on the board shows who won it. If at least one such game fits only the former, and none only the
    latter, the file is meant so.

    Args:
        file: The file, which is read through and set back.
        usual: The format of its games.
        results: What the caller says outright, one of RESULTS; empty for nothing.
    """
    if results or usual.swap_result is None:
        return WHITE if results == WHITE else ""
    begins = file.tell()
    file.seek(0)
    first = other = 0
    for record in _each_read(records_of(file, _odd_of, OPEN), usual, "", False):
        won = won_on_board(record) if usual.swap_result(record).result != record.result else ""
        first += won != "" and record.result == won
        other += won != "" and record.result == turn_result(won)
    file.seek(begins)
    if not other or first:
        return ""
    games = how_many(other, "game")
    return f"results are read the other way round: {games} that ended on the board fit only so (--results white)"


def won_on_board(record: Record) -> str:
    """Return the result, ``1-0`` or ``0-1``, of a game that one seat won by its moves; else an empty text.

    Every word must have been applied, and the last must have ended the game. A record that claims neither result is not
    judged, and gives an empty text.
    """
    if record.result not in ("1-0", "0-1"):
        return ""
    examined = examine(record)
    wholly = examined.plies_reached == len(record.line.words) and examined.outcome is not None
    won = format_result(examined.outcome.shares) if wholly and examined.outcome is not None else ""
    return won if won in ("1-0", "0-1") else ""


def odd_in(tags: Tags) -> Odd:
    """Return which tokens the game of these tags reads in its own way; NOTHING_ODD if nobody knows the game."""
    game = known_game(tags)
    return NOTHING_ODD if game is None else game.words.odd


def _checked(records: Iterable[Record], strict: bool) -> Iterator[Record]:
    """Yield the records as they are.

    Raises:
        NotationError: With ``strict``, at the first problem that is an error, with its line and column in the file.
    """
    for record in records:
        for problem in record.problems if strict else ():
            if problem.severity == "error":
                raise NotationError(problem.because, problem.column, line=problem.line, key=problem.key)
        yield record


# --- writing ---


def dump_all(records: Iterable[Record], file: TextIO) -> None:
    """Write the header line and then every record to a text file, a blank line between games, a newline at the end.

    Raises:
        NotationError: As ``format_record`` does; what was written before stays in the file.
    """
    file.write(HEADER)
    for number, record in enumerate(records):
        if number:
            file.write("\n")
        file.write(format_record(record))


def dump(record: Record, file: TextIO) -> None:
    """Write the header line and one record to a text file, as ``dump_all`` does; NotationError as there."""
    dump_all((record,), file)


def dumps(*records: Record) -> str:
    """Return the text of a file of these records: the header line, and a blank line between games.

    Without records it is the header line alone. It raises NotationError as ``format_record`` does.
    """
    return HEADER + "\n".join(format_record(record) for record in records)


def format_record(record: Record, game: AnyGame | None = None) -> str:
    """Return one game: escape lines, tags, a blank line, movetext wrapped at 80 columns, a newline.

    Args:
        record: The game as a score sheet.
        game: The game that it names, if that is known already; it gives the order of the tags.

    Raises:
        NotationError: For a tag value with a line break, and for a comment that no comment form can hold.
    """
    return format_game(record, _order(game or _game_of(record)))


def replace_game(data: bytes, index: int, change: Callable[[Record], Record]) -> tuple[bytes, Record]:
    """Return the bytes of a file with one game changed, and that game as it is read from them.

    Every byte of the other games stays, and so do line ends.

    Args:
        data: The file.
        index: Which of its games, from 1.
        change: Returns the game as it is to be written; what it raises is raised here.

    Raises:
        NotationError: The file has no such game, the game was not read without loss, or the text after it would be read
            otherwise than before.
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
    if [*map(_content, reread)] != [*map(_content, (*records[: index - 1], new, *records[index:]))]:
        raise NotationError("it would change how the file is read")
    return changed, reread[index - 1]


def _span(data: bytes, record: Record) -> tuple[int, int]:
    """Return the index of the first byte of a game and that after its last, without header and blank lines."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(data)), len(data)]
    first = record.source.line - 1
    begin, end = starts[first], starts[min(first + record.source.text.count("\n"), len(starts) - 1)]
    if not record.source.text.endswith("\n"):
        end = len(data)
    before = _BEFORE_A_GAME.match(data, begin, end)
    assert before is not None
    return before.end(), begin + len(data[begin:end].rstrip())


def _content(record: Record) -> object:
    """Return what a record says, as a value to be compared: two records are equal in it however they are laid out."""
    return record.tags, record.escapes, _line_content(record.line), record.tail


def _line_content(line: Line) -> object:
    """Return what a line says, as a value to be compared: words, result, and what its notes hold."""
    notes = {
        at: (note.glyphs, [item if isinstance(item, str) else _line_content(item) for item in note.items])
        for at, note in line.notes.items()
    }
    return line.words, line.result, notes


def sorted_tags(tags: Iterable[tuple[str, str]], game: AnyGame | None) -> Tags:
    """Return pairs of name and value in the order in which they are written; tags of a kind stay in their order.

    ``game`` is None if it is not known; the tags that name its seats stand in seat order.
    """
    pairs = tuple(tags)
    return tuple([pairs[at] for at in _sorted_places(tuple([name for name, _ in pairs]), game)])


@lru_cache(256)
def _sorted_places(names: tuple[str, ...], game: AnyGame | None) -> tuple[int, ...]:
    """Return the indices of tags of these names, in the order in which the tags are written."""
    order = _order(game)
    return tuple(sorted(range(len(names)), key=lambda at: order((names[at], ""))))


def every_seat_tag(game: AnyGame | None) -> tuple[str, ...]:
    """Return the tags that name players, in seat order, for all the numbers of seats a game is played with.

    A name may be there more than once. Empty for None.
    """
    about = game.about if game is not None else None
    return tuple(name for seats in about.seats for name in about.seat_tags(seats)) if about is not None else ()


def known_game(tags: Tags) -> AnyGame | None:
    """Return the game of these tags; None if they name none, or one that nobody knows."""
    by_name = dict(reversed(tags))
    try:
        return game_by_tags(by_name) if by_name.get("Game") else None
    except NotationError:
        return None


def _game_of(record: Record) -> AnyGame | None:
    """Return the game that a record names; None if it names none or one that is not known."""
    try:
        return game_of(record) if record.tag("Game") else None
    except NotationError:
        return None


@lru_cache(64)
def _order(game: AnyGame | None) -> TagOrder:
    """Return the function by which a game's tags are sorted; None is a game that is not known."""
    return tag_order(every_seat_tag(game))
