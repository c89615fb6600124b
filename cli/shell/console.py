"""What every command shares: exit codes, where data and messages go, the database path, and faults as sentences.

Data goes to standard output, everything said to the person to standard error. Terms: a *code* is one of the four
exit codes of the program; a *sentence* is a message that says where, what, and what was expected.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, NoReturn, ParamSpec, TextIO

import msgspec
import typer

CLEAN, FINDINGS, USAGE, INTEGRITY = range(4)
"""Exit codes: nothing wrong; something is wrong with a game; with the arguments; with the kept log."""

MOST = 1_000_000_000
"""The greatest number any argument may be: more than games have plies, and less than a database can count."""

INTERRUPT = 130
"""The exit code after Ctrl-C, as shells have it."""

TINTS = frozenset(("1;31", "1;33", "1;34", "1;36", "1;33;7", "1;36;7", "2", "7", "32", "35"))
"""The colours the program writes, as the parameters of a terminal's SGR sequence; no other sequence reaches it."""
_TINT = re.compile(rf"(\x1b\[(?:0|{'|'.join(sorted(TINTS))})m)")

P = ParamSpec("P")

STORE_FAULTS = {
    "Conflict": FINDINGS,
    "Declined": FINDINGS,
    "Unfit": USAGE,
    "Unread": USAGE,
    "Unreachable": USAGE,
    "UnknownGame": USAGE,
    "LockedDatabase": USAGE,
    "ReadOnly": USAGE,
    "Foreign": USAGE,
    "DiskFull": USAGE,
    "Damaged": INTEGRITY,
    "WorkerStopped": USAGE,
}
"""The exit code of each fault, by the name of its class or of one it derives from."""
NEXT = {"UnknownGame": " `list` shows which there are."}
"""What to do next, after the sentence of a fault that has to say what is wrong on pages too."""


def put(line: str) -> None:
    """Write a line of data to standard output.

    Control characters are made visible, so that no text commands the terminal. If the reader has gone away, as with
    ``| head``, the program ends quietly.
    """
    try:
        sys.stdout.write((line if line.isprintable() else _without_controls(line)) + "\n")
    except BrokenPipeError:
        raise Hangup(CLEAN) from None


def tint(text: str, code: str) -> str:
    """Return a text with the escape codes of a terminal around it.

    Args:
        text: What is coloured.
        code: The colour, one of ``TINTS``, such as ``32`` for green.
    """
    return f"\x1b[{code}m{text}\x1b[0m"


def _without_controls(line: str) -> str:
    """Return a line with its control characters made visible.

    The colours that the program writes stay as they are where standard output shows colours.
    """
    from cartulary.notation.cgn.controls import display

    if not coloured():
        return display(line)
    return "".join(part if at % 2 else display(part) for at, part in enumerate(_TINT.split(line)))


def put_bytes(data: bytes) -> None:
    """Write bytes to standard output, after what ``put`` has written before.

    If the reader has gone away, as with ``| head``, Hangup ends the program without a message.
    """
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise Hangup(CLEAN) from None


def put_json(value: object) -> None:
    """Write one value as one line of JSON to standard output; the fields of a Struct keep their order.

    What is not Unicode in it, as the name of a file may be, is shown as ``put`` shows it.
    """
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        text = msgspec.json.encode(_encodable(msgspec.to_builtins(value))).decode()
    put(text)


def _encodable(value: Any) -> Any:
    r"""Return a value of JSON whose texts can be encoded: bytes of a file name that are not UTF-8 become ``\xe9``.

    Lists and tuples become lists; the names of fields are treated as the values are.
    """
    from cartulary.notation.cgn.controls import encodable

    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {_encodable(name): _encodable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    return value


_PASSWORD = re.compile("(postgres(?:ql)?:/+[^:/@\\s]*):[^\\s'\"`]*@", re.IGNORECASE)


def say(sentence: str) -> None:
    """Write a sentence to standard error, after all output so far, folded to the terminal if it is one.

    Control characters become visible. The password of an address that was typed in place of a file is left out.
    """
    sys.stdout.flush()
    sentence = _PASSWORD.sub(r"\1@", sentence)
    if not sentence.isprintable():
        from cartulary.notation.cgn.controls import display

        sentence = display(sentence)
    sys.stderr.write("\n".join(fold_text(sentence, columns_of(sys.stderr), "  ")) + "\n")


def columns_of(stream: TextIO) -> int | None:
    """Return how many columns the terminal of a stream has, but at least 40; None if the stream is no terminal."""
    if not terminal(stream):
        return None

    return max(40, get_terminal_size().columns)


def fold_text(text: str, columns: int | None, indent: str) -> list[str]:
    """Return a text in lines of at most ``columns`` characters, broken at blanks; later lines begin with ``indent``.

    A word longer than a line is not broken. With None for ``columns`` there is one line.
    """
    if columns is None or len(text) <= columns:
        return [text]

    return wrap(text, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def fail(sentence: str, code: int = USAGE) -> NoReturn:
    """Write a sentence to standard error after ``cartulary: ``, and end the program.

    Args:
        sentence: What went wrong, as a whole sentence.
        code: The exit code, by default that of wrong usage, 2.
    """
    say(f"cartulary: {sentence}")
    raise typer.Exit(code)


def leave(code: int) -> None:
    """End the program with an exit code; for 0 nothing happens, and the caller goes on."""
    if code:
        raise typer.Exit(code)


class WorkerStopped(Exception):
    """A worker, process or scheduler has stopped or cannot do its work; ``str()`` is the sentence that says why."""


class Hangup(typer.Exit):
    """The reader of standard output has gone away, as with ``| head``; the program ends without a message."""


def terminal(stream: object = None) -> bool:
    """Say whether a stream is a terminal; without an argument, whether standard output is."""
    isatty = getattr(sys.stdout if stream is None else stream, "isatty", None)
    return bool(isatty and isatty())


def has_screen() -> bool:
    """Say whether standard input and output are a terminal that can show a full screen, by ``TERM``."""
    return terminal(sys.stdin) and terminal() and os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


def coloured(no_color: bool = False) -> bool:
    """Say whether to write colours to standard output.

    It must be a terminal, without ``--no-color`` (``no_color``) and without a value in the environment's ``NO_COLOR``.
    """
    return terminal() and not no_color and not os.environ.get("NO_COLOR")


def os_fault(fault: OSError) -> str:
    """Return what the system says of a file, with a small first letter and no full stop: ``permission denied``."""
    reason = fault.strerror or str(fault) or type(fault).__name__
    return reason[0].lower() + reason[1:]


def os_sentence(fault: OSError) -> str:
    """Return what the system says as a sentence: ``x.cgn: permission denied.``

    The name of the file stands before it only if the fault has one.
    """
    place = f"{fault.filename}: " if fault.filename else ""
    return f"{place}{os_fault(fault)}."


@contextmanager
def sentences() -> Iterator[None]:
    """Turn faults of the store and of the system inside the block into a sentence, and end the program.

    A fault of the store has the exit code of its kind in ``STORE_FAULTS``, one of the system that of wrong usage. A
    reader that has gone away ends the program without a sentence. Any other exception is a fault of the program and
    passes through.
    """
    try:
        yield
    except BrokenPipeError:
        raise Hangup(CLEAN) from None
    except OSError as fault:
        fail(os_sentence(fault))
    except Exception as fault:
        for ancestor in type(fault).__mro__:
            name = ancestor.__name__
            if ancestor.__module__.startswith("cartulary.") and name in STORE_FAULTS:
                sentence = f"{fault}{getattr(fault, 'suggestion', '') or NEXT.get(name, '')}"
                fail(sentence, STORE_FAULTS[name])
        raise


def in_sentences(command: Callable[P, None]) -> Callable[P, None]:
    """Return a command that reports faults, Ctrl-C and numbers beyond ``MOST`` as sentences.

    The new function has the parameters of the old one, from which typer reads the options.
    """

    @wraps(command)
    def run(*args: P.args, **options: P.kwargs) -> None:
        """Run the command; end the program with a sentence and an exit code if it fails."""
        try:
            with sentences():
                _check_numbers(options)
                command(*args, **options)
        except KeyboardInterrupt:
            fail("Interrupted; what was printed is sound. Run the command again for the rest.", INTERRUPT)

    return run


def _check_numbers(options: Mapping[str, object]) -> None:
    """End the program if an option, or one value of it, is a number beyond ``MOST``, which a database cannot count.

    Args:
        options: The values of the command's parameters, by name.
    """
    for name, value in options.items():
        for number in value if isinstance(value, list) else (value,):
            if isinstance(number, int) and abs(number) > MOST:
                fail(f"{name}: found a number of {len(str(abs(number)))} digits, expected {MOST} at most.")
