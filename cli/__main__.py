"""The entry point of the command ``cartulary`` and of ``python -m cartulary.cli``."""

import gc
import os
import sys
from collections.abc import Sequence
from errno import EBADF
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer


OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""How many new objects Python makes before it looks for garbage: at its usual 700 a twentieth of the time of a command
went into looking through what its imports had made, where there is none."""


def main() -> None:
    """Run the command line and end the process with its exit code; nobody ever sees a traceback.

    ``--version`` is answered before anything else is imported. ``CARTULARY_DEBUG=1`` shows the traceback of a fault in
    the program itself. SystemExit is always raised, with code 0 after success too.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    secure()
    code = _run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError as fault:
        code = max(code, _report_unwritten(fault))
    raise SystemExit(code)


def _run(words: Sequence[str]) -> int:
    """Run the command line with these words and return its exit code.

    The code is 130 after Ctrl-C, and 70 for a fault of the program, which is raised instead if ``CARTULARY_DEBUG`` is
    set. ``--version`` alone imports nothing else.
    """
    try:
        if words == ["--version"]:
            from importlib.metadata import version

            print(f"cartulary {version('cartulary')}")
            return 0
        from cartulary.cli.app import build

        build()()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except KeyboardInterrupt:
        return _exit_with("Interrupted.", 130)
    except OSError as fault:
        # Commands report their own; this one was raised by the parser while it wrote a help text.
        return _report_unwritten(fault)
    except Exception as fault:
        if os.environ.get("CARTULARY_DEBUG"):
            raise
        from cartulary.notation.roster import fault_of_game

        what = f"{type(fault).__name__}: {fault}".rstrip(": ")
        own = f"The program itself has a fault; please report it with the command you typed: {what}."
        return _exit_with(fault_of_game(fault) or own, 70)
    return 0


def _report_unwritten(fault: OSError) -> int:
    """Write to standard error that output could not be written, and return the exit code 2.

    If the reader of the output has gone away, nothing is written, and the code is 0. The program goes on; the caller
    ends it.
    """
    if isinstance(fault, BrokenPipeError):
        return 0
    from cartulary.cli.shell.console import os_sentence

    return _exit_with(os_sentence(fault), 2)


def _exit_with(sentence: str, code: int) -> int:
    """Write a sentence to standard error after ``cartulary: ``, and return the exit code.

    The program goes on; the caller ends it.
    """
    sys.stderr.write(f"cartulary: {sentence}\n")
    return code


# --- standard input, output and error ---


INPUT, OUTPUT, ERROR = range(3)


def secure() -> None:
    """Replace the three standard streams, so that each is open, in UTF-8, and names itself in its faults.

    A closed stream raises OSError when it is used; otherwise the next file opened would take its number. A write to
    standard output that fails raises once and later writes go nowhere, because every command ends by reporting the
    fault and the process need not fail again as it exits. What cannot be written to standard error goes nowhere.
    """
    for number, mode in ((INPUT, os.O_WRONLY), (OUTPUT, os.O_RDONLY), (ERROR, os.O_WRONLY)):
        _occupy(number, mode)
    if sys.stdin is None:
        sys.stdin = TextIOWrapper(BufferedReader(_Closed(INPUT, "r", closefd=False)))
    sys.stdout = _text(sys.stdout, _Output(OUTPUT, "w", closefd=False))
    sys.stderr = _text(sys.stderr, _Error(ERROR, "w", closefd=False), by_line=True)


def _occupy(number: int, mode: int) -> None:
    """Open the null device under the number of a standard stream if that stream is closed; else do nothing.

    ``mode`` is to be the wrong direction, reading for a stream to write to, so that using it raises OSError.
    """
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, mode)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)


def _text(before: TextIO | None, raw: FileIO, by_line: bool = False) -> TextIO:
    """Return a text stream over ``raw`` that escapes what it cannot encode.

    Args:
        before: The stream that it replaces; at a terminal its encoding is kept.
        raw: The file to write to.
        by_line: Whether to flush after every line, as is always done at a terminal.
    """
    typed = raw.isatty()
    if typed and os.name == "nt" and isinstance(before, TextIOWrapper):
        before.reconfigure(errors="backslashreplace")  # a console there takes signs and no bytes
        return before
    encoding = before.encoding if before is not None and typed else "utf-8"
    return TextIOWrapper(BufferedWriter(raw), encoding, "backslashreplace", line_buffering=typed or by_line)


def _named_fault(fault: OSError, name: str) -> OSError:
    """Return an OSError that names a standard stream in place of a file.

    Its text is ``it is closed`` if that is what is wrong, else that of ``fault``.
    """
    return OSError(fault.errno, "it is closed" if fault.errno == EBADF else fault.strerror, name)


class _Closed(FileIO):
    """A standard input that is closed: reading it raises OSError."""

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Always raise OSError, with the text that standard input is closed."""
        raise _named_fault(OSError(EBADF, ""), "Standard input")

    def readall(self) -> bytes:
        """Always raise OSError, with the text that standard input is closed."""
        raise _named_fault(OSError(EBADF, ""), "Standard input")


class _Output(FileIO):
    """Standard output, which reports the first failed write and then swallows everything."""

    broken = False

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write data and return how many bytes were written.

        The first failure raises OSError; later writes are dropped, as if they had been written.
        """
        if self.broken:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except OSError as fault:
            self.broken = True
            raise _named_fault(fault, "Standard output") from None


class _Error(FileIO):
    """Standard error, which never raises."""

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write data and return how many bytes were written.

        If that fails they are dropped, as if they had been written.
        """
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


if __name__ == "__main__":
    main()
