"""A disk that is really full: a small file system of our own, where one can be made."""

import errno
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

import pytest

from cartulary.records.faults import StoreFault
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from tests.records.logs import played


class SmallDisk:
    """A file system in memory with little room. folder: where it is"""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, but: int = 0) -> None:
        """Take up all the room there is, but for so many bytes.

        A server writes to the disk as well, at moments of its own, so the room left is asked for before each block,
        and a disk that it filled first is as full as was wanted.
        """
        with (self.folder / "ballast").open("wb", buffering=0) as ballast:
            while shutil.disk_usage(self.folder).free - but >= 4096:
                try:
                    ballast.write(bytes(4096))
                except OSError as fault:
                    if fault.errno != errno.ENOSPC:
                        raise
                    return

    def free(self) -> None:
        """Give the room back that was taken up."""
        (self.folder / "ballast").unlink()


def append_until_full(log: Log, id: str, head: Head, size: int = 10_000) -> tuple[Head, StoreFault]:
    """Append words that cannot be packed until it is refused; return the head acknowledged last, and the fault."""
    while True:
        try:
            head = log.append(id, head, [played(token_hex(size)), played(token_hex(size))])
        except StoreFault as fault:
            return head, fault


@contextmanager
def small_disk(megabytes: int) -> Iterator[SmallDisk]:
    """Hold a small disk; where none can be made the test is skipped, since nothing that can be installed helps."""
    if os.geteuid() or shutil.which("mount") is None:
        pytest.skip("this test needs a disk of its own, which root alone can mount")
    folder = Path(tempfile.mkdtemp(prefix="disk-"))  # a server's account cannot enter the folders of tests
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "cartulary-test", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        folder.rmdir()
        pytest.skip(f"this test needs a disk of its own, which cannot be mounted here: {made.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()
