"""Files that are written completely or not at all, whoever else writes there at the same time.

The new content goes into a file beside the old one, under a random name, and that is renamed once it is complete. Links
are followed. A device or a pipe cannot be replaced, so it is written to at the end.
"""

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import EEXIST, EISDIR
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir


@contextmanager
def replace_files(*paths: Path, over: bool = False, private: bool = False) -> Iterator[tuple[Path, ...]]:
    """Yield an empty file for each path. They are put in place at the end of the block, or none if it raises.

    Args:
        paths: The files to be written.
        over: Whether existing files may be replaced. Their permissions remain unless ``private`` is true.
        private: Whether only the owner may read the new files.

    Raises:
        OSError: A file cannot be written. The error names the path that was given.
    """
    check_free(paths, over)
    spares = tuple(_spare_path(path) for path in paths)
    paths_by_spare = dict(zip(map(str, spares), paths, strict=True))
    try:
        for path, spare in zip(paths, spares, strict=True):
            with _original_paths_in_errors({str(spare): path}, path):
                os.close(os.open(spare, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if private else 0o666))
        with _original_paths_in_errors(paths_by_spare, paths[0]):
            yield spares
        for path, spare in zip(paths, spares, strict=True):
            with _original_paths_in_errors(paths_by_spare, path):
                _flush(spare)
        check_free(paths, over)
        for path, spare in zip(paths, spares, strict=True):
            with _original_paths_in_errors(paths_by_spare, path):
                _put_in_place(spare, path, private)
    finally:
        for spare in spares:
            for leftover in (spare, Path(f"{spare}-journal")):  # a journal remains of an unfinished database
                leftover.unlink(missing_ok=True)


def check_free(paths: Sequence[Path], over: bool = False) -> None:
    """Do nothing if files may be written to all paths. A device or a pipe may always be written to.

    Args:
        paths: The paths.
        over: Whether existing files may be replaced.

    Raises:
        IsADirectoryError: A path is a folder.
        FileExistsError: There is a file that may not be replaced.
    """
    for path in paths:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder; name a file in it", str(path))
        if path.is_file() and not over:
            raise FileExistsError(EEXIST, "it already exists; --force replaces it", str(path))


def is_stream(path: Path) -> bool:
    """Say whether a path is a device or a pipe, to which is written as it is; no if nothing is there."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _spare_path(path: Path) -> Path:
    """Return a new path for a file until it is complete: in the folder of its own path, where it can be renamed.

    For a device or a pipe it is in a temporary folder. Nothing is made there yet.
    """
    folder = gettempdir() if is_stream(path) else os.path.dirname(os.path.realpath(path))
    return Path(folder, f".cartulary-{token_hex(8)}")


def _flush(spare: Path) -> None:
    """Wait until what was written to a file is on the disk, before its name says that it is complete."""
    file = os.open(spare, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _put_in_place(spare: Path, path: Path, private: bool) -> None:
    """Rename a complete file to its path, or append it to a device or pipe.

    An existing file is replaced, and its permissions remain unless the new one is ``private``.
    """
    if is_stream(path):
        with spare.open("rb") as content, path.open("ab") as stream:
            shutil.copyfileobj(content, stream)
        return
    if path.exists() and not private:
        os.chmod(spare, stat.S_IMODE(path.stat().st_mode))
    os.replace(spare, os.path.realpath(path))


@contextmanager
def _original_paths_in_errors(paths_by_spare: dict[str, Path], path: Path) -> Iterator[None]:
    """Let an OSError in the block name the path that the caller gave, not the spare file beside it.

    Args:
        paths_by_spare: The paths, by those of their spare files.
        path: The path to name if the error names no other file.
    """
    try:
        yield
    except OSError as fault:
        if fault.filename is None or str(fault.filename) in paths_by_spare:
            fault.filename = str(paths_by_spare.get(str(fault.filename), path))
        fault.filename2 = None
        raise
