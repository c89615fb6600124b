"""Finding the games that an argument names: ``FILE``, ``FILE#3``, the id of a live record, or ``-``."""

import os
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path

from msgspec import Struct

from cartulary.cli.shell.console import fail, os_fault, say, sentences
from cartulary.cli.shell.places import db_place, open_place
from cartulary.notation import Record, load
from cartulary.notation.cgn.controls import encodable
from cartulary.notation.foreign.formats import ENDINGS
from cartulary.records import api

STDIN = "-"
HEAD = 4096
_ENDINGS = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
BINARY = {
    b"\xff\xfe": "text in UTF-16; save it as UTF-8",
    b"\xfe\xff": "text in UTF-16; save it as UTF-8",
    b"\x1f\x8b": "compressed by gzip; unpack it first",
    b"PK\x03\x04": "a zip archive; unpack it first",
    b"SQLite format 3\x00": "a database; name a game in it by its id, with --db, or write all its games into another "
    "database: `backup {name} --into DB`",
}


class GameSource(Struct, frozen=True):
    """One argument that names games.

    Attributes:
        name: The name as findings cite it; ``-`` is standard input.
        game: Which of its games, from 1; 0 for all.
        live: Whether the name is the id of a live record.
    """

    name: str
    game: int = 0
    live: bool = False


def parse_source(text: str) -> GameSource:
    """Return what an argument names: a file, a game of a file (``FILE#3``), or the id of a stored game.

    A name with # in it is taken whole if there is such a file. A text that neither is a file nor looks like one is an
    id. The program ends for a wrong number after #.
    """
    if text == STDIN or Path(text).exists():
        return GameSource(text)
    name, mark, number = text.rpartition("#")
    if mark and number.isdecimal() and name:
        if int(number) == 0:
            fail(f"{text}: games are counted from 1; expected FILE#1 for the first.")
        return GameSource(name, int(number), not (name == STDIN or Path(name).exists() or _like_a_path(name)))
    if mark and Path(name).exists():
        fail(f"{text}: found {number!r} after #, expected the number of a game in {name}, counted from 1.")
    return GameSource(text, 0, not _like_a_path(text))


def _like_a_path(text: str) -> bool:
    """Say whether a name looks like a file's, because it has a slash or a known ending, such as ``.pgn``."""
    return "/" in text or "\\" in text or text.endswith((*ENDINGS, ".txt", ".json", ".jsonl"))


def read(text: str, db: str | None = None, *, results: str = "") -> Iterator[Record]:
    """Yield the records that an argument names, in order, as they are read.

    Ends the program with a sentence if there is no such file, game or live record.

    Args:
        text: The argument.
        db: Where live records are kept, as it was typed.
        results: Whose result a file of PDN names first, as ``--results`` was typed; empty for the usual way.
    """
    source = parse_source(text)
    if source.live:
        yield api.see_game(live(source.name, db)).record
        return
    records = open_sheet(source.name, results)
    if not source.game:
        yield from records
        return
    games = 0
    for record in records:
        games += 1
        if record.index == source.game:
            yield record
            return
    fail(f"{text}: there is no game {source.game}; expected a number up to {games}.")


def read_one(text: str, db: str | None = None) -> Record:
    """Return the one game that an argument names; if there are more, the first, after a message.

    The program ends if there is none.
    """
    records = list(islice(read(text, db), 2))
    if not records:
        fail(gameless(text))
    if len(records) > 1:
        say(f"cartulary: {text} holds more than one game; this is {text}#1.")
    return records[0]


def open_sheet(path: str, results: str = "") -> Iterator[Record]:
    """Yield the records of a file or of standard input; end the program if it cannot be read.

    Args:
        path: The file, or ``-``.
        results: Whose result a file of PDN names first, as ``--results`` was typed; empty for the usual way.
    """
    if path == STDIN:
        if sys.stdin.isatty():
            say("Reading from the keyboard; end with Ctrl-D, or Ctrl-Z and Enter on Windows.")
        yield from with_results_noted(load(sys.stdin.buffer, results=results), "Standard input", results)
        return
    reason = unreadable(path)
    if reason:
        fail(reason)
    yield from with_results_noted(load(path, results=results), printable(path), results)


def with_results_noted(records: Iterable[Record], name: str, results: str) -> Iterator[Record]:
    """Yield the records unchanged, and report at the end if ``--results`` was given but none of them is PDN.

    Args:
        records: The games of one file.
        name: The file, to report it by.
        results: What ``--results`` was given, empty for nothing.
    """
    applies = not results
    for record in records:
        applies = applies or bool(record.source.results)
        yield record
    if not applies:
        say(f"cartulary: {name} holds no game of PDN, so --results {results} changes nothing in it.")


def unreadable(path: str) -> str:
    """Return a sentence on why a path is no score sheet, by its first bytes; empty if it may be one."""
    if Path(path).is_dir():
        return f"{path} is a folder; name a file in it."
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD)
    except OSError as fault:
        return f"{path} cannot be read: {os_fault(fault)}."
    for magic, what in BINARY.items():
        if head.startswith(magic):
            return f"{path} is not a score sheet: it is {what.format(name=path)}."
    if b"\0" in head:
        return f"{path} is not a score sheet: byte {head.index(0) + 1} is zero; expected text in UTF-8."
    return ""


def likeness(path: str) -> tuple[int, str]:
    """Return the size of a file in bytes and a digest of its first ``HEAD`` bytes.

    They tell whether another machine has the same file. Raises OSError if it cannot be read.
    """
    with open(path, "rb") as file:
        return os.path.getsize(path), sha256(file.read(HEAD)).hexdigest()


def is_sheet(path: Path) -> bool:
    """Say whether a file of a folder is a score sheet, by its ending alone."""
    return path.suffix in ENDINGS


def gameless(path: str) -> str:
    """Return the sentence that a file holds no game: ``x.cgn holds no game; expected tags and moves.``"""
    return f"{'Standard input' if path == STDIN else path} holds no game; expected tags and moves."


def printable(path: str) -> str:
    r"""Return a path that can be printed anywhere; bytes in it that are not UTF-8 become ``\xe9``."""
    return encodable(path)


def live(id: str, db: str | None) -> "api.LiveGame":
    """Return a live record, or end the program with a sentence if there is none.

    Args:
        id: The id of the record.
        db: Where live records are kept, as it was typed.
    """
    return live_with_people(id, db)[0]


def live_with_people(id: str, db: str | None) -> "tuple[api.LiveGame, api.People]":
    """Return a stored game and the people of its database; the parameters and faults are those of ``live``."""
    with sentences():
        place = db_place(db)
        if isinstance(place, Path) and not place.exists():
            fail(
                f"{id} is not a file here, and {place} holds no live records yet; `games` lists what you can "
                "open with `new`."
            )
        with open_place(place, create=False) as store:
            return api.load(store, id), api.people_of(store)


def sheets(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield a pair for each score sheet: its path, and a sentence on why it cannot be read, empty if it can.

    A folder is searched with all folders below it, sorted, for files that end as score sheets do; if it holds none it
    is a pair with a sentence.

    Args:
        paths: Files and folders; ``-`` is standard input.
    """
    for path in paths:
        if path == STDIN or not Path(path).is_dir():
            yield path, "" if path == STDIN else unreadable(path)
            continue
        inside = sorted(file for file in Path(path).rglob("*") if is_sheet(file) and file.is_file())
        if not inside:
            yield path, f"{path} holds no score sheet; expected a {_ENDINGS} file in it or below it."
        for file in inside:
            yield str(file), unreadable(str(file))
