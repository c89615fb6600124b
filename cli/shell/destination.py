"""Where an export goes: standard output, a file, a device or a pipe, or a folder of pages."""

from collections.abc import Iterable
from pathlib import Path

from cartulary.cli.shell.console import fail
from cartulary.cli.shell.sources import STDIN
from cartulary.records.exchange.outfile import check_free, is_stream, replace_files
from cartulary.records.log.database import is_game_database

STDOUT = (STDIN, "/dev/stdout")


def file_of(output: str | None) -> Path | None:
    """Return the file or folder that ``-o`` names; None for standard output, that is, for None or one of ``STDOUT``.

    The program ends for a blank name, and for the folder it runs in.
    """
    if output is None or output in STDOUT:
        return None
    if not output.strip() or Path(output) == Path():
        fail(f"-o {output!r} does not name a file; expected a name such as evening.cgn.")
    return Path(output)


def folder_of(output: str | None, file: Path | None, games: int) -> Path | None:
    """Return the folder to write one page a game into; None if everything goes into one file.

    It is a folder if there is one of that name, if the name ends with a slash, or if several games go to a new name
    without an ending.

    Args:
        output: What ``-o`` names, None for standard output.
        file: The path that ``file_of`` made of it.
        games: How many games there are.
    """
    if output is None or file is None:
        return None
    is_folder = output.endswith("/") or (games > 1 and not file.suffix and not file.exists())
    return file if file.is_dir() or is_folder else None


def write_file(file: Path, pieces: Iterable[bytes], over: bool, *, private: bool = False) -> None:
    """Write the pieces to a file, whole or not at all.

    Args:
        file: The file.
        pieces: Its content.
        over: Whether an existing file may be replaced.
        private: Whether only the owner of the file may read it.

    Raises:
        OSError: The file cannot be written, or is there and may not be replaced.
    """
    with replace_files(file, over=over, private=private) as (spare,), spare.open("wb") as writing:
        writing.writelines(pieces)


def check_spare(*files: Path, key: Path | None, over: bool) -> None:
    """End the program if an export would replace a database of games, or the key it is signed with.

    Args:
        *files: The files that are to be written.
        key: The key to sign with, None for none.
        over: Whether files that are there may be replaced.

    Raises:
        OSError: A file exists, and ``over`` does not say that it may be replaced.
    """
    for file in files:
        if not is_stream(file) and is_game_database(file):
            fail(f"{file} is a database with games in it, so no export replaces it; name another file.")
        if key and file.exists() and key.exists() and file.samefile(key):
            fail(f"{file} is the key to sign with, so no export replaces it; name another file.")
    check_free(files, over)
