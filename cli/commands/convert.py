"""``convert``: turns score sheets into JSON lines, and such lines into score sheets."""

import io
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from enum import StrEnum
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
import typer
from msgspec import Struct

from cartulary.cli.shell.console import FINDINGS, fail, put_bytes, put_json
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.options import Db, Names, Results, SeatOf
from cartulary.cli.shell.sources import STDIN, gameless, parse_source, sheets
from cartulary.cli.shell.views import record_for, records_of
from cartulary.notation import Line, NotationError, Record, format_in, format_record, load, loads
from cartulary.notation.cgn.scanner import MAX_DEPTH, RESULT
from cartulary.notation.cgn.writer import HEADER
from cartulary.notation.foreign.formats import find_format
from cartulary.records.faults import decode_fault

WORD = re.compile(r"[^\s{}();$]+|\}")
TAG_NAME = re.compile(r"[A-Za-z0-9_]+")
MAX_GLYPH = 255


class TextFormat(StrEnum):
    """The formats records are converted between."""

    cgn = "cgn"
    json = "json"
    pgn = "pgn"
    pdn = "pdn"
    sgf = "sgf"


class Flat(Struct, frozen=True):
    """One record as a line of JSON: ``convert --to json`` writes it, ``--to cgn`` reads it.

    Attributes:
        tags: Name and value of each tag, in their order.
        moves: The words; notes have the number of the word they stand after.
        escapes: The lines that begin with %.
        tail: The text after the last game.
    """

    tags: tuple[tuple[str, str], ...]
    moves: Line
    escapes: tuple[str, ...] = ()
    tail: str = ""


def command(
    names: Names = None,
    to: Annotated[TextFormat, typer.Option("--to", help="What to write.")] = TextFormat.json,
    seat: SeatOf = "",
    results: Results = None,
    db: Db = None,
) -> None:
    """Turn score sheets into CGN, PGN, PDN, SGF or JSON; JSON has one game on each line and can be turned back.

    Words are kept as they were written, except that PGN and PDN always spell moves in their standard way.

    \b
    Example:
      cartulary convert --to json "$(cartulary samples cardmate)/page-1.cgn"
    """
    number = 0
    for name in names or [STDIN]:
        before = number
        for record in _any_records(name, to, db, seat, results.value if results else ""):
            number += 1
            if to is TextFormat.json:
                put_json(_flattened(record))
                continue
            try:
                text = format_record(record) if to is TextFormat.cgn else format_in(record, find_format(to.value))
            except NotationError as fault:
                fail(f"{name}: game {number}: {fault.because}.", FINDINGS)
            first = HEADER if to is TextFormat.cgn else ""
            put_bytes(((first if number == 1 else "\n") + text).encode())
        if number == before:
            fail(gameless(name))


def _any_records(name: str, to: TextFormat, db: str | None, seat: str, results: str) -> Iterator[Record]:
    """Yield the records that an argument names, as a seat may see them.

    If CGN is to be written, a file may also hold lines of JSON as ``convert --to json`` writes them. The program ends
    if a file cannot be read.
    """
    if to is TextFormat.json or parse_source(name).live or parse_source(name).game:
        yield from (record for _, record in records_of([name], db, seat, results))
        return
    for path, fault in sheets([name]):
        if fault:
            fail(fault)
        with nullcontext(sys.stdin.buffer) if path == STDIN else open(path, "rb") as raw:
            file = io.BufferedReader(cast(io.RawIOBase, raw))
            json = file.peek(2).startswith(b'{"')
            for record in _unflattened(path, file) if json else load(file, results=results, ending=Path(path).suffix):
                yield record_for(record, f"{path}#{record.index}", seat)


def _unflattened(path: str, lines: Iterable[bytes]) -> Iterator[Record]:
    """Yield the records in lines of JSON as ``convert --to json`` writes them; blank lines are passed over.

    The program ends at a line that is no such record, or one that CGN cannot hold; ``path`` names the file in the
    sentence.
    """
    decoder = msgspec.json.Decoder(Flat)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            flat = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
            fail(f"{path}:{number}: expected a game as `convert --to json` writes it: {decode_fault(fault)}.")
        record = Record(flat.tags, flat.moves, flat.escapes, flat.tail, index=number)
        reason = unwritable(record)
        if reason:
            fail(f"{path}:{number}: {reason}.")
        yield record


def unwritable(record: Record) -> str:
    """Return why CGN cannot hold exactly this record, as a sentence without capital and full stop; empty if it can.

    It is the first reason found; at last the record is written, read back and compared.
    """
    for name, _ in record.tags:
        if not TAG_NAME.fullmatch(name):
            return f"found the tag name {name!r}, expected letters, digits and _"
    if any("\n" in line or "\r" in line for line in record.escapes):
        return "found an escape line with a line break, expected one line for each text"
    reason = next(_unwritable_in(record.line), "")
    if reason:
        return reason
    try:
        again = loads(format_record(record))
    except NotationError as fault:
        return fault.because
    if len(again) == 1 and _content(again[0]) == _content(record):
        return ""
    for word, read_back in zip(record.line.words, again[0].line.words if again else (), strict=False):
        if word != read_back:
            return f"found the word {word!r}, which would be read back differently, expected a word of CGN"
    return "found a game that CGN would read back differently, expected words, comments and a result that CGN can hold"


def _unwritable_in(line: Line, depth: int = 0) -> Iterator[str]:
    """Yield what CGN cannot hold in a line and its variations: ``found the glyph 300, expected 0 to 255``.

    Args:
        line: The line.
        depth: How many variations it stands within.
    """
    if depth > MAX_DEPTH:
        yield f"found a variation nested too deeply, expected at most {MAX_DEPTH} levels"
        return
    for word in line.words:
        if not WORD.fullmatch(word):
            yield f"found the word {word!r}, expected no blanks and none of {{ }} ( ) ; $"
    if line.result and not RESULT.fullmatch(line.result):
        yield f"found the result {line.result!r}, expected * or numbers such as 1-0"
    for at, (number, dots) in line.numbers.items():
        if not (0 <= at <= len(line.words) and number >= 0 and dots in (1, 3)):
            yield f"found the number {number} with {count(dots, 'dot')} before word {at + 1} of {len(line.words)}"
    for at, note in line.notes.items():
        if not 0 <= at <= len(line.words):
            yield f"found a note after word {at} of {len(line.words)}"
        for code in note.glyphs:
            if not 0 <= code <= MAX_GLYPH:
                yield f"found the glyph {code}, expected 0 to {MAX_GLYPH}"
        for variation in note.variations:
            yield from _unwritable_in(variation, depth + 1)


def _content(record: Record) -> tuple[object, ...]:
    """Return what a record says, as a tuple by which two records can be compared.

    It has tags, escapes, main line, result and the text after it. Places in the file and move numbers are left out.
    """
    result = record.result or record.tag("Result")
    main = _line_content(record.line)[:-1]
    escapes = [line.rstrip() for line in record.escapes]
    token = result if RESULT.fullmatch(result) else "*"
    return sorted(record.tags, key=itemgetter(0)), escapes, main, token, record.tail.strip()


def _line_content(line: Line) -> tuple[object, ...]:
    """Return words, notes and result of a line, as a tuple by which two lines can be compared.

    Several blanks in a comment count as one, and empty notes are left out. Variations are in it in the same form.
    """
    notes = {}
    for at, note in line.notes.items():
        entries = [" ".join(item.split()) if isinstance(item, str) else _line_content(item) for item in note.items]
        if note.glyphs or any(entries):
            notes[at] = note.glyphs, [item for item in entries if item]
    return line.words, notes, line.result


def _flattened(record: Record) -> dict[str, Any]:
    """Return a record as the JSON fields that ``Flat`` is read from; empty fields are left out."""
    flat: dict[str, Any] = {"tags": record.tags, "moves": _flat_line(record.line)}
    if record.escapes:
        flat["escapes"] = record.escapes
    if record.tail:
        flat["tail"] = record.tail
    return flat


def _flat_line(line: Line) -> dict[str, Any]:
    """Return a line as JSON fields; empty ones are left out. Notes stand under the number of the word they follow."""
    flat: dict[str, Any] = {"words": line.words}
    if line.numbers:
        flat["numbers"] = line.numbers
    if line.notes:
        flat["notes"] = {
            at: {
                "glyphs": note.glyphs,
                "then": [item if isinstance(item, str) else _flat_line(item) for item in note.items],
            }
            for at, note in line.notes.items()
        }
    if line.result:
        flat["result"] = line.result
    return flat
