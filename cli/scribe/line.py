"""The line a scribe types: moves, or one of a few lower-case commands.

No word of any game is a lower-case English word, so a command needs no mark; after ``/`` it is a command even if a
game has a move of that name. A time such as ``0:12:30`` after the moves is the time left after the last of them; a
time by itself belongs to the last ply.
"""

from collections.abc import Callable

from msgspec import Struct

from cartulary.records.log.fields import CLOCK

VERBS = {
    "undo": ("undo [N] [agreed WHO]", "take back plies; the log keeps them"),
    "redo": ("redo [agreed WHO]", "play the plies of the last undo again"),
    "stands": ("stands [WORD…]", "keep the move just refused, or these words"),
    "note": ("note [!] [(MOVES)] [TEXT]", "annotate the last ply; --replace drops the rest"),
    "clock": ("clock [PLY] H:MM:SS", "write the time left after the last ply, or PLY"),
    "board": ("board [TEXT]", "state the board; without TEXT, print it"),
    "check": ("check", "list what is open and what is wrong"),
    "why": ("why [PLY]", "tell the story of a ply, by default the last"),
    "legal": ("legal [CARD]", "list the legal moves, or those of a card"),
    "show": ("show [PLY]", "draw the position, now or after a ply"),
    "dispute": ("dispute [PLY] [by p2] CLAIM", "dispute a ply, by default the last"),
    "reveal": ("reveal", "show the verdicts kept quiet"),
    "close": ("close [RESULT [TERMINATION]]", "close, with this result or what the moves say"),
    "reopen": ("reopen [REASON]", "reopen a closed game"),
    "help": ("help", "list these commands"),
    "quit": ("quit", "leave; everything you wrote is stored"),
}
"""Every command: how it is typed, and what it does."""

ALSO = {"moves": "legal"}
"""Other names of commands."""

PLAIN = frozenset(("check", "help", "quit", "reveal"))
"""The commands that take no argument."""


class Typed(Struct, frozen=True):
    """A line that was read.

    Attributes:
        verb: One of ``VERBS``, empty for moves.
        text: What follows the verb; for moves everything but the clock.
        number: How many plies, or which one; 0 if no number was typed.
        clock: The time at the end of the line.
        by: Who disputes, empty if nobody is named.
        fault: Why the line cannot be carried out, empty if it can.
    """

    verb: str
    text: str = ""
    number: int = 0
    clock: str = ""
    by: str = ""
    fault: str = ""


def read_line(text: str) -> Typed:
    """Return what a typed line means.

    A time alone is a ``clock``, a line that begins with a command is that command, with or without a slash, and all
    else is moves. If the line makes no sense, ``Typed.fault`` is a sentence that says why; nothing is raised.
    """
    first, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if CLOCK.fullmatch(first) and not rest:
        return Typed("clock", clock=first)
    verb = ALSO.get(first.removeprefix("/"), first.removeprefix("/"))
    if first.startswith("/") and verb not in VERBS:
        return Typed("help", fault=f"There is no command {first}; `help` lists them.")
    if verb not in VERBS:
        return _moves("", text.strip())
    if verb in PLAIN:
        return Typed(verb, fault=f"`{verb}` takes nothing after it; type it alone." if rest else "")
    return _READ[verb](rest)


def _moves(verb: str, text: str) -> Typed:
    """Read moves, or what follows ``stands``; a time at the end is taken off.

    ``4Ci3 0:12:30`` gives the text ``4Ci3`` and the clock ``0:12:30``. Whether the moves can be read is not checked.

    Args:
        verb: The command, empty for moves.
        text: The words.
    """
    words, _, last = text.rpartition(" ")
    if words and CLOCK.fullmatch(last):
        return Typed(verb, words.rstrip(), clock=last)
    return Typed(verb, text)


def _undo(rest: str) -> Typed:
    """Read what follows ``undo``: ``2 agreed p2`` gives the number 2 and the text ``p2``.

    If nothing follows, the number is 1. Anything else is a fault.
    """
    count, _, agreed = rest.partition("agreed") if "agreed" in rest.split() else (rest, "", "")
    number = _number(count.strip() or "1")
    if not number or ("agreed" in rest.split() and not agreed.strip()):
        return Typed("undo", fault="Expected `undo`, `undo 2` or `undo 2 agreed p2`.")
    return Typed("undo", agreed.strip(), number)


def _redo(rest: str) -> Typed:
    """Read what follows ``redo``: ``agreed p2`` gives the text ``p2``.

    If nothing follows, the text is empty. Anything else is a fault.
    """
    word, _, agreed = rest.partition(" ")
    fault = "" if not rest or (word == "agreed" and agreed.strip()) else "Expected `redo` or `redo agreed p2`."
    return Typed("redo", agreed.strip(), fault=fault)


def _note(rest: str) -> Typed:
    """Read what follows ``note``: the text of the note, unchanged; nothing at all is a fault."""
    return Typed("note", rest, fault="" if rest else "Expected words, a glyph or a variation: `note TEXT`, `note !`.")


def _clock(rest: str) -> Typed:
    """Read what follows ``clock``: ``3 0:12:30`` gives the number 3 and the clock ``0:12:30``.

    Without a ply the number is 0. A text that ends with no time is a fault.
    """
    ply, _, time = rest.rpartition(" ")
    fault = "" if CLOCK.fullmatch(time) and (not ply or _number(ply)) else _NO_TIME
    return Typed("clock", number=_number(ply), clock=time, fault=fault)


_NO_TIME = "Expected the ply, if it is not the last, then hours, minutes and seconds: `clock 3 0:12:30`."


def _why(rest: str) -> Typed:
    """Read what follows ``why``: the number of the ply, 0 for the last if nothing follows; anything else is a fault."""
    number = _number(rest) if rest else 0
    return Typed("why", number=number, fault="" if number or not rest else "Expected a ply from 1: `why 17`.")


def _show(rest: str) -> Typed:
    """Read what follows ``show``: the ply, from 0, as a text, empty for the current position.

    Anything else is a fault.
    """
    is_ply = not rest or rest == "0" or _number(rest)
    return Typed("show", rest, fault="" if is_ply else "Expected a ply from 0, the start: `show 17`.")


def _dispute(rest: str) -> Typed:
    """Read what follows ``dispute``: a ply, who disputes, and the claim.

    ``17 by p2 it was pinned`` gives the number 17, by ``p2``, and the text ``it was pinned``. Without a ply the number
    is 0, and without ``by`` nobody is named; without a claim it is a fault.
    """
    first, _, behind = rest.partition(" ")
    number = _number(first)
    claim = behind.strip() if number else rest
    who, _, wording = claim.removeprefix("by ").partition(" ") if claim.startswith("by ") else ("", "", claim)
    fault = "" if wording.strip() else "Expected what is wrong: `dispute 17 by p2 the queen was pinned`."
    return Typed("dispute", wording.strip(), number, by=who, fault=fault)


def _number(text: str) -> int:
    """Return a text such as ``17`` as a number; 0 if it is no whole number from 1 to 999999."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0


_READ: dict[str, Callable[[str], Typed]] = {
    "undo": _undo,
    "redo": _redo,
    "stands": lambda rest: _moves("stands", rest),
    "note": _note,
    "clock": _clock,
    "board": lambda rest: Typed("board", rest),
    "why": _why,
    "legal": lambda rest: Typed("legal", rest),
    "show": _show,
    "dispute": _dispute,
    "close": lambda rest: Typed("close", rest),
    "reopen": lambda rest: Typed("reopen", rest),
}
