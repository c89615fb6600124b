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
    "Locked": USAGE,
    "ReadOnly": USAGE,
    "Foreign": USAGE,
    "DiskFull": USAGE,
    "Damaged": INTEGRITY,
    "Ended": USAGE,
}
"""The exit code of each fault, by the name of its class or of one it derives from."""
NEXT = {"UnknownGame": " `list` shows which there are."}
"""What to do next, after the sentence of a fault that has to say what is wrong on pages too."""


def put(line: str) -> None:
    """Write one line of data to standard output, the control characters of texts shown, so that no text commands a
    terminal; a reader that has gone away ends the program quietly.
    """
    try:
        sys.stdout.write((line if line.isprintable() else _without_controls(line)) + "\n")
    except BrokenPipeError:
        raise Hangup(CLEAN) from None


def tint(text: str, code: str) -> str:
    """Return the text in a colour of a terminal, one of those in ``TINTS``."""
    return f"\x1b[{code}m{text}\x1b[0m"


def _without_controls(line: str) -> str:
    from cartulary.notation.cgn.controls import display

    if not coloured():
        return display(line)
    return "".join(part if at % 2 else display(part) for at, part in enumerate(_TINT.split(line)))


def put_bytes(data: bytes) -> None:
    """Write bytes of data to standard output, in order with ``put``; UTF-8 whatever the terminal's encoding."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise Hangup(CLEAN) from None


def put_json(value: object) -> None:
    """Write one value as one line of JSON, the fields of a Struct in their order.

    What is no Unicode in it, as the name of a file may be, is shown as ``put`` shows it.
    """
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        text = msgspec.json.encode(_encodable(msgspec.to_builtins(value))).decode()
    put(text)


def _encodable(value: Any) -> Any:
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
    """Write a sentence to standard error, in lines no wider than the terminal if a person reads it there.

    The password of an address that was typed where a file was expected is left out.
    """
    sys.stdout.flush()
    sentence = _PASSWORD.sub(r"\1@", sentence)
    if not sentence.isprintable():
        from cartulary.notation.cgn.controls import display

        sentence = display(sentence)
    sys.stderr.write("\n".join(fold_text(sentence, columns_of(sys.stderr), "  ")) + "\n")


def columns_of(stream: TextIO) -> int | None:
    """Return the columns to wrap a stream's lines at, None if it is no terminal."""
    if not terminal(stream):
        return None

    return max(40, get_terminal_size().columns)


def fold_text(text: str, columns: int | None, indent: str) -> list[str]:
    """Return the text in lines no wider than ``columns``, except for longer words; later lines are indented."""
    if columns is None or len(text) <= columns:
        return [text]

    return wrap(text, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def fail(sentence: str, code: int = USAGE) -> NoReturn:
    """Say the sentence and end the program with the code."""
    say(f"cartulary: {sentence}")
    raise typer.Exit(code)


def leave(code: int) -> None:
    """End the program with the code; ``CLEAN`` simply returns."""
    if code:
        raise typer.Exit(code)


class WorkerStopped(Exception):
    """What works elsewhere has ended before it answered, or cannot answer; ``str()`` is the sentence."""


class Hangup(typer.Exit):
    """Nobody reads standard output any more (``| head``); the program ends quietly unless this is caught."""


def terminal(stream: object = None) -> bool:
    """Say whether a person reads the stream (standard output if none is given)."""
    isatty = getattr(sys.stdout if stream is None else stream, "isatty", None)
    return bool(isatty and isatty())


def has_screen() -> bool:
    """Say whether a person sits at a terminal that can be drawn on."""
    return terminal(sys.stdin) and terminal() and os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


def coloured(no_color: bool = False) -> bool:
    """Say whether to colour standard output: a terminal, and neither ``--no-color`` nor ``NO_COLOR`` set."""
    return terminal() and not no_color and not os.environ.get("NO_COLOR")


def os_fault(fault: OSError) -> str:
    """Return what the system says of a file, as the end of a sentence."""
    reason = fault.strerror or str(fault) or type(fault).__name__
    return reason[0].lower() + reason[1:]


def os_sentence(fault: OSError) -> str:
    """Return what the system says, and of which file or stream."""
    place = f"{fault.filename}: " if fault.filename else ""
    return f"{place}{os_fault(fault)}."


@contextmanager
def sentences() -> Iterator[None]:
    """Turn the exceptions of the store and of the system inside the block into a sentence and the right code."""
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
    """Return the command with its faults as sentences and Ctrl-C as one too; its parameters stay the same.

    A number beyond MOST is a fault whichever command it is typed for.
    """

    @wraps(command)
    def run(*args: P.args, **options: P.kwargs) -> None:
        try:
            with sentences():
                _check_numbers(options)
                command(*args, **options)
        except KeyboardInterrupt:
            fail("Interrupted; what was printed is sound. Run the command again for the rest.", INTERRUPT)

    return run


def _check_numbers(options: Mapping[str, object]) -> None:
    """End the command if a number of an option is beyond ``MOST``."""
    for name, value in options.items():
        for number in value if isinstance(value, list) else (value,):
            if isinstance(number, int) and abs(number) > MOST:
                fail(f"{name}: found a number of {len(str(abs(number)))} digits, expected {MOST} at most.")
