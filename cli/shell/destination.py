"""Where an export goes, and as what: standard output, a file, a device or a pipe, or a folder of pages."""

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from cartulary.cli.shell.console import fail
from cartulary.cli.shell.sources import STDIN
from cartulary.records import desk

STDOUT = (STDIN, "/dev/stdout")


class Format(StrEnum):
    """What an export is written as."""

    cgn = "cgn"
    json = "json"
    html = "html"
    pdf = "pdf"
    sqlite = "sqlite"


ENDINGS = {
    ".cgn": Format.cgn,
    ".json": Format.json,
    ".jsonl": Format.json,
    ".html": Format.html,
    ".htm": Format.html,
    ".pdf": Format.pdf,
    ".db": Format.sqlite,
    ".sqlite": Format.sqlite,
    ".sqlite3": Format.sqlite,
}
"""What a file's ending says of it."""


def file_of(output: str | None) -> Path | None:
    """Return the file or folder ``-o`` names, None for standard output. Ends the program for what names neither."""
    if output is None or output in STDOUT:
        return None
    if not output.strip() or Path(output) == Path():
        fail(f"-o {output!r} names no file; expected a name such as evening.cgn")
    return Path(output)


def format_of(file: Path | None, named: Format | None) -> Format:
    """Return the format named, else what the file's ending says, CGN without one. Ends the program for another."""
    if named is not None:
        return named
    ending = file.suffix.lower() if file is not None else ""
    if ending and ending not in ENDINGS:
        fail(f"{file}: {ending} says nothing of a format; expected {', '.join(ENDINGS)}, or --format")
    return ENDINGS.get(ending, Format.cgn)


def folder_of(output: str | None, file: Path | None, format: Format, games: int) -> Path | None:
    """Return the folder to write pages into, a page a game; None where all goes into one file."""
    if output is None or file is None or format is not Format.html:
        return None
    meant = output.endswith("/") or (games > 1 and not file.suffix and not file.exists())
    return file if file.is_dir() or meant else None


def write_file(pieces: Iterable[bytes], file: Path, over: bool) -> None:
    """Write the pieces to a file, whole or not at all. over: what is there may be replaced."""
    with desk.putting(file, over=over) as (spare,), spare.open("wb") as writing:
        writing.writelines(pieces)
