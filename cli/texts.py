"""The commands that rewrite score sheets: canonical text, and JSON lines there and back."""

import io
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
import typer
from msgspec import Struct

from cartulary.cli.shell import FINDINGS, fail, leave, os_fault, put, put_bytes, put_json, say
from cartulary.cli.sources import STDIN, opened, parse_source, read, sheets
from cartulary.notation import Line, NotationError, Record, canonical, format_record, load
from cartulary.notation.writer import HEADER

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE[#n]|ID|-", help="Score sheets, folders, live records; standard input if none."),
]
Database = Annotated[Path | None, typer.Option("--db", metavar="PATH", help="Where live records are kept.")]


# --- fmt ---


def fmt(
    names: Names = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; name the files that would change.")] = False,
    in_place: Annotated[bool, typer.Option("--in-place", "-i", help="Rewrite each file, whole or not at all.")] = False,
    db: Database = None,
) -> None:
    """Write games in their one spelling: words, move numbers, tags, layout. Nothing readable is lost.

    \b
    Example:
      cartulary fmt --check samples/cardmate/games
    """
    if check or in_place:
        leave(max([_settle(path, in_place) for path in _files(names or [STDIN], in_place)], default=0))
        return
    failed = 0
    put_bytes(HEADER.encode())
    for number, (name, record) in enumerate(_records(names or [STDIN], db)):
        text, unread = _canonical_text(record)
        put_bytes(("\n" * (number > 0) + text).encode())
        if unread:
            failed = FINDINGS
            say(f"cartulary: {name}#{record.index}: {unread}")
    leave(failed)


def _files(names: list[str], in_place: bool) -> Iterator[str]:
    for name in names:
        source = parse_source(name)
        if source.game or source.live or (name == STDIN and in_place):
            fail(f"{name}: --check and --in-place take whole files")
        for path, fault in sheets([name]):
            if fault:
                fail(fault)
            yield path


def _settle(path: str, in_place: bool) -> int:
    """Return the exit code for one file, rewriting it if asked to."""
    old = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    texts, unread = [], ""
    for record in opened(path) if path != STDIN else load(io.BytesIO(old)):
        text, fault = _canonical_text(record)
        texts.append(text)
        unread = unread or (f"{path}#{record.index}: {fault}" if fault else "")
    if unread:
        say(f"cartulary: {unread}; the file is left as it is")
        return FINDINGS
    new = (HEADER + "\n".join(texts)).encode()
    if new == old:
        return 0
    if not in_place:
        put(f"{path} is not in canonical form")
        return FINDINGS
    replace_file(path, new)
    put(f"{path} rewritten")
    return 0


def _canonical_text(record: Record) -> tuple[str, str]:
    """Return the canonical text of a game, and what in it could not be read, so that the text may have lost it."""
    errors = [problem for problem in record.problems if problem.severity == "error"]
    try:
        text = format_record(canonical(record))
    except NotationError as fault:
        return record.source.text.strip() + "\n", fault.because
    if not errors:
        return text, ""
    first = errors[0]
    return (
        record.source.text.strip() + "\n",
        f"line {first.line}, column {first.column}: {first.because}; kept as it is",
    )


def replace_file(path: str, data: bytes) -> None:
    """Put the bytes in a file's place, whole or not at all; the file keeps its permissions.

    Ends the program with a sentence where the folder cannot be written to or is full.
    """
    target = os.path.realpath(path)
    spare = ""
    try:
        with tempfile.NamedTemporaryFile(dir=os.path.dirname(target), prefix=".cartulary-", delete=False) as file:
            spare = file.name
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(spare, os.stat(target).st_mode & 0o7777)
        os.replace(spare, target)
    except OSError as fault:
        fail(f"{path} cannot be rewritten: {os_fault(fault)}; it is as it was")
    finally:
        if spare and os.path.exists(spare):
            os.unlink(spare)


def _records(names: Iterable[str], db: Path | None) -> Iterator[tuple[str, Record]]:
    for name in names:
        source = parse_source(name)
        if source.game or source.live:
            yield from ((source.name, record) for record in read(name, db))
            continue
        for path, fault in sheets([name]):
            if fault:
                fail(fault)
            yield from ((path, record) for record in opened(path))


# --- convert ---


class Format(StrEnum):
    """The formats records are converted between."""

    cgn = "cgn"
    json = "json"


class Flat(Struct, frozen=True):
    """One record as a line of JSON: ``convert --to json`` writes it, ``--to cgn`` reads it.

    tags: name and value in their order; moves: words, with notes by the number of the word they stand behind
    """

    tags: tuple[tuple[str, str], ...]
    moves: Line
    escapes: tuple[str, ...] = ()
    tail: str = ""


def convert(
    names: Names = None,
    to: Annotated[Format, typer.Option("--to", help="What to write.")] = Format.json,
    db: Database = None,
) -> None:
    """Turn CGN into JSON, one game a line, or such lines back into CGN; the words stay as they are written.

    \b
    Example:
      cartulary convert --to json samples/cardmate/games/page-1.cgn
    """
    number = 0
    for name in names or [STDIN]:
        for record in _any_records(name, to, db):
            if to is Format.json:
                put_json(_flattened(record))
                continue
            try:
                text = format_record(record)
            except NotationError as fault:
                fail(f"{name}: game {number + 1}: {fault.because}", FINDINGS)
            put_bytes(((HEADER if number == 0 else "\n") + text).encode())
            number += 1


def _any_records(name: str, to: Format, db: Path | None) -> Iterator[Record]:
    """Yield records; where CGN is wanted, files of JSON lines are told by their first characters."""
    if to is Format.json or parse_source(name).live or parse_source(name).game:
        yield from (record for _, record in _records([name], db))
        return
    for path, fault in sheets([name]):
        if fault:
            fail(fault)
        with nullcontext(sys.stdin.buffer) if path == STDIN else open(path, "rb") as raw:
            file = io.BufferedReader(cast(io.RawIOBase, raw))
            json = file.peek(2).startswith(b'{"')
            yield from _unflattened(path, file) if json else load(file)


def _unflattened(path: str, lines: Iterable[bytes]) -> Iterator[Record]:
    decoder = msgspec.json.Decoder(Flat)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            flat = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            fail(f"{path}:{number}: expected a game as `convert --to json` writes it: {fault}")
        yield Record(flat.tags, flat.moves, flat.escapes, flat.tail, index=number)


def _flattened(record: Record) -> dict[str, Any]:
    flat: dict[str, Any] = {"tags": record.tags, "moves": _flat_line(record.line)}
    if record.escapes:
        flat["escapes"] = record.escapes
    if record.tail:
        flat["tail"] = record.tail
    return flat


def _flat_line(line: Line) -> dict[str, Any]:
    flat: dict[str, Any] = {"words": line.words}
    if line.numbers:
        flat["numbers"] = line.numbers
    if line.notes:
        flat["notes"] = {
            at: {
                "glyphs": note.glyphs,
                "then": [item if isinstance(item, str) else _flat_line(item) for item in note.then],
            }
            for at, note in line.notes.items()
        }
    if line.result:
        flat["result"] = line.result
    return flat
