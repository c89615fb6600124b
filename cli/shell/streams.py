"""Standard input, output and error as the program may rely on them: open, UTF-8, and their faults told by name.

Imports nothing of the program, so that even ``--version`` begins with it.
"""

import os
import sys
from errno import EBADF
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

INPUT, OUTPUT, ERROR = range(3)


def secure() -> None:
    """Replace the three streams: a closed one is an OSError for who uses it, no place for the next file opened.

    What cannot be written to standard output raises once, and then goes nowhere: every command ends by saying so,
    and the process need not fail a second time at its end. What cannot be written to standard error goes nowhere.
    """
    for number, mode in ((INPUT, os.O_WRONLY), (OUTPUT, os.O_RDONLY), (ERROR, os.O_WRONLY)):
        _occupied(number, mode)
    if sys.stdin is None:
        sys.stdin = TextIOWrapper(BufferedReader(_Closed(INPUT, "r", closefd=False)))
    sys.stdout = _text(sys.stdout, _Output(OUTPUT, "w", closefd=False))
    sys.stderr = _text(sys.stderr, _Error(ERROR, "w", closefd=False), by_line=True)


def _occupied(number: int, mode: int) -> None:
    """Put the null device, opened the wrong way round, where a stream is closed."""
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, mode)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)


def _text(was: TextIO | None, raw: FileIO, by_line: bool = False) -> TextIO:
    """Return a stream for data in UTF-8 wherever no terminal says otherwise, to which no sign is unprintable."""
    typed = raw.isatty()
    if typed and os.name == "nt" and isinstance(was, TextIOWrapper):
        was.reconfigure(errors="backslashreplace")  # a console there takes signs and no bytes
        return was
    encoding = was.encoding if was is not None and typed else "utf-8"
    return TextIOWrapper(BufferedWriter(raw), encoding, "backslashreplace", line_buffering=typed or by_line)


def _told(fault: OSError, name: str) -> OSError:
    return OSError(fault.errno, "it is closed" if fault.errno == EBADF else fault.strerror, name)


class _Closed(FileIO):
    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        raise _told(OSError(EBADF, ""), "Standard input")

    def readall(self) -> bytes:
        raise _told(OSError(EBADF, ""), "Standard input")


class _Output(FileIO):
    gone = False

    def write(self, data: "ReadableBuffer", /) -> int:
        if self.gone:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except OSError as fault:
            self.gone = True
            raise _told(fault, "Standard output") from None


class _Error(FileIO):
    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes
