"""Checks of every text that is stored: names, reasons, claims, notes and ids; the time stored with them; notices."""

import re
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from time import time_ns
from unicodedata import normalize

from cartulary.notation import NotationError
from cartulary.notation.cgn.controls import control_in, visible
from cartulary.notation.cgn.writer import check_comment
from cartulary.notation.roster import NotLoaded
from cartulary.records.faults import Declined, Unfit


def now() -> str:
    """Return the time as events have it, in UTC to milliseconds: ``2026-11-22T18:30:00.000Z``."""
    seconds, rest = divmod(time_ns(), 1_000_000_000)
    return f"{_second(seconds)}.{rest // 1_000_000:03}Z"


@lru_cache(2)
def _second(seconds: int) -> str:
    """Return a time in seconds since 1970 as UTC to the second: ``2026-11-22T18:30:00``."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def no_game(name: str, error: NotationError) -> Unfit:
    """Return, for the caller to raise, the fault that ``find_game`` found no game.

    Args:
        name: The name that was looked for.
        error: What ``find_game`` raised: it lists the games there are, or says why the rules do not load.
    """
    if isinstance(error, NotLoaded):
        return Unfit(f"{error.because}.")
    return Unfit(f"There is no game {name!r}; {error.because.partition(', ')[2]}.")


ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def is_id(id: str) -> bool:
    """Say whether a text may be the id of a game: 1 to 64 letters, digits, dots, hyphens and underscores.

    The first is a letter or a digit. For a new game the rules are narrower (``check_new_id``).
    """
    return ID.fullmatch(id) is not None


def check_id(id: str) -> None:
    """Do nothing if a text may be the id of a game: up to 64 letters, digits, dots, hyphens and underscores.

    Raises:
        Unfit: It may not.
    """
    if not is_id(id):
        raise Unfit(
            f"{id!r} is not an id; expected up to 64 letters, digits, dots, hyphens and underscores, the first a"
            " letter or a digit."
        )


def keepable(text: str, what: str) -> str:
    """Return a text unchanged after checking that it can be stored. Every stored text is checked here.

    Args:
        text: The text; it may be empty.
        what: What a message calls it, such as ``The name``.

    Raises:
        Unfit: It is not valid Unicode, as from a misread command line, or has a control character, such as a line
            break.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Unfit(f"{what} cannot be kept, because it is not valid Unicode text; type it again.") from None
    control = control_in(text)
    if control:
        found = "a line break" if control in "\r\n" else f"the control character {visible(control)}"
        raise Unfit(f"{what} cannot be kept, because it holds {found}; expected one line of plain text.")
    return text


_BLANKS = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164]+")
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")


@lru_cache(4096)
def one_spelling(name: str) -> str:
    """Return the canonical spelling of a name, so that names that look alike are equal.

    It is in normal form C, with single blanks, none around it, and no invisible characters. Capitals, accents and marks
    that some scripts need remain, and so do control characters, which ``keepable`` refuses.
    """
    if name.isascii():
        return " ".join(filter(None, name.split(" "))) if "  " in name else name.strip(" ")
    return normalize("NFC", _BLANKS.sub(" ", _UNSEEN.sub("", name))).strip(" ")


def plain(text: str, what: str) -> str:
    """Return a text that can be in a comment of a sheet, with all white space as single blanks; it may be empty.

    Args:
        text: The text.
        what: What a message calls it, with a capital letter.

    Raises:
        Declined: It holds a ``}``.
        Unfit: It is not valid Unicode, or has a control character.
    """
    single = keepable(" ".join(text.split()), what)
    try:
        check_comment(single)
    except NotationError as error:
        raise Declined(f"{what} cannot be kept: {error.because}.") from None
    return single


def clean_name(text: str) -> str:
    """Return a name in canonical spelling that can be in a comment of a sheet; an empty name stays empty.

    Raises:
        Declined: It holds a ``}``.
        Unfit: It is not valid Unicode, or has a control character.
    """
    return plain(canonical_name(text), "The name")


def canonical_name(text: str, what: str = "The name") -> str:
    """Return a name in canonical spelling, as ``one_spelling`` does; it may be empty.

    Args:
        text: The name.
        what: What a message calls it, with a capital letter.

    Raises:
        Unfit: It is not valid Unicode, or has a control character.
    """
    return one_spelling(keepable(text, what))


def single_spaced(text: str) -> str:
    """Return a text with a single blank in place of each run of white space, and none around it; it may be empty.

    Raises:
        Unfit: It is not valid Unicode, or has a control character.
    """
    return keepable(" ".join(text.split()), "The text")


def needed_name(text: str, what: str) -> str:
    """Return a name in canonical spelling, with single blanks; it is not empty.

    Args:
        text: The name.
        what: What must be said, such as ``who disputes it``: an empty name is refused with "Say who disputes it."

    Raises:
        Unfit: It cannot be stored, or is empty.
    """
    return needed_text(canonical_name(text), what)


def needed_text(text: str, what: str) -> str:
    """Return a text with single blanks, and none around it; it is not empty.

    Args:
        text: The text.
        what: What must be said, such as ``what is claimed``: an empty text is refused with "Say what is claimed."

    Raises:
        Unfit: It cannot be stored, or is empty.
    """
    spaced = single_spaced(text)
    if not spaced:
        raise Unfit(f"Say {what}.")
    return spaced


def quiet_text(id: str, reveal: str = "") -> str:
    """Return the sentence that a record is quiet, and when its verdicts will be shown.

    Args:
        id: The game.
        reveal: The command that reveals it, in backquotes; by default the one for the usual database.
    """
    how = f"once it is closed, or revealed by the arbiter ({reveal or f'`cartulary reveal {id}`'})"
    return f"{id} is quiet: its verdicts are shown {how}."


_NUMBER = re.compile(r"([+-]?[0-9]{1,9})(?:/([1-9][0-9]{0,8})|[.,]([0-9]{1,3}))?")


def typed_number(text: str) -> Fraction | None:
    """Return a number that was typed, such as ``10``, ``2.5``, ``2,5`` or ``1/2``, as a fraction.

    None means that the text is no number.
    """
    match = _NUMBER.fullmatch(text.strip().replace("−", "-"))
    if match is None:
        return None
    whole, below, decimals = match.groups()
    return Fraction(f"{whole}.{decimals}") if decimals else Fraction(int(whole), int(below or 1))


def plain_numbers(numbers: str) -> str:
    """Return numbers joined by colons as a tag has them, with fractions: ``2,5:1`` -> ``5/2:1``; a part that is no
    number stays.
    """
    values = ((part, typed_number(part)) for part in numbers.split(":"))
    return ":".join(part if value is None else str(value) for part, value in values)
