"""``fmt``: writes score sheets in their canonical text."""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, fail, leave, os_fault, put, put_bytes, say
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.options import Db, Names, Results, SeatOf
from cartulary.cli.shell.sources import STDIN, open_sheet, parse_source, sheets
from cartulary.cli.shell.views import records_of
from cartulary.notation import NotationError, Record, canonical, format_record, load
from cartulary.notation.cgn.writer import HEADER
from cartulary.notation.foreign.formats import find_format
from cartulary.records.exchange.outfile import replace_files

HEADERS = re.compile(r"\A(?:%[^\S\n]*CGN[^\S\n]+1\.\d+[^\S\n]*(?:\n\s*|$))+")


def command(
    names: Names = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; name the files that would change.")] = False,
    in_place: Annotated[bool, typer.Option("--in-place", "-i", help="Rewrite each file, whole or not at all.")] = False,
    seat: SeatOf = "",
    results: Results = None,
    db: Db = None,
) -> None:
    """Write games in canonical form: words, move numbers, tags, layout. Nothing that can be read is lost.

    \b
    Example:
      cartulary fmt --check "$(cartulary samples cardmate)"
    """
    if check or in_place:
        if seat:
            fail("--check and --in-place take whole files; leave out --seat.")
        leave(max([_format_file(path, in_place) for path in _files(names or [STDIN], in_place)], default=0))
        return
    failed = 0
    put_bytes(HEADER.encode())
    for number, (name, record) in enumerate(records_of(names or [STDIN], db, seat, results.value if results else "")):
        text, unread = _canonical_text(record)
        put_bytes(("\n" * (number > 0) + text).encode())
        if unread:
            failed = FINDINGS
            say(f"cartulary: {name}#{record.index}: {unread}.")
    leave(failed)


def _files(names: list[str], in_place: bool) -> Iterator[str]:
    """Yield the paths of whole files to format, of a folder all its score sheets.

    The program ends for a single game, a stored game or a file that cannot be read, and for standard input if
    ``in_place``.
    """
    for name in names:
        source = parse_source(name)
        if source.game or source.live or (name == STDIN and in_place):
            fail(f"{name}: --check and --in-place take whole files; expected the name of one.")
        for path, fault in sheets([name]):
            if fault:
                fail(fault)
            yield path


def _format_file(path: str, in_place: bool) -> int:
    """Check whether a file is in canonical form, rewrite it if ``in_place``, and return the exit code.

    It is that of findings if the file is not canonical and stays so, or cannot be read; the latter is never rewritten.
    The program ends for a file that is not CGN.
    """
    old = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    texts, unread = [], ""
    for record in open_sheet(path) if path != STDIN else load(io.BytesIO(old)):
        if record.source.format:
            fail(
                f"{path} is {find_format(record.source.format).title}, not CGN; `fmt {path}` prints it as CGN "
                "and leaves the file alone."
            )
        text, fault = _canonical_text(record)
        texts.append(text)
        unread = unread or (f"{path}#{record.index}: {fault}" if fault else "")
    if unread:
        say(f"cartulary: {unread}; the file was left as it is.")
        return FINDINGS
    new = (HEADER + "\n".join(texts)).encode()
    if new == old:
        return 0
    if not in_place:
        _put_sentence(f"{path} is not in canonical form")
        return FINDINGS
    replace_file(path, new)
    _put_sentence(f"{path} rewritten")
    return 0


def _put_sentence(sentence: str) -> None:
    """Print a sentence to standard output, folded to the terminal."""
    for line in wrap(sentence):
        put(line)


def _canonical_text(record: Record) -> tuple[str, str]:
    """Return a game in canonical text and an empty fault; if part of it cannot be read, its original text, and why."""
    errors = [problem for problem in record.problems if problem.severity == "error"]
    try:
        text = format_record(canonical(record))
    except NotationError as fault:
        return as_it_is(record), fault.because
    if not errors:
        return text, ""
    first = errors[0]
    return as_it_is(record), f"line {first.line}, column {first.column}: {first.because}; kept as it is"


def as_it_is(record: Record) -> str:
    """Return the text that a game was read from, without the CGN header, which a file has only once.

    A game of another format is returned as CGN, as far as it could be read. The text ends with one line break.
    """
    if record.source.format:
        return format_record(record)
    return HEADERS.sub("", record.source.text.strip()).strip() + "\n"


def replace_file(path: str, data: bytes) -> None:
    """Replace the content of a file, whole or not at all; the file keeps its permissions.

    Ends the program if the folder cannot be written to or is full.
    """
    try:
        with replace_files(Path(path), over=True) as (spare,):
            spare.write_bytes(data)
    except OSError as fault:
        fail(f"{path} cannot be rewritten: {os_fault(fault)}. The file is as it was.")
