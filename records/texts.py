"""The door for every text that is stored: names, reasons, claims, notes, ids, and the time stored with them."""

import re
from datetime import UTC, datetime
from unicodedata import normalize

from cartulary.notation import NotationError
from cartulary.notation.cgn.controls import control_in, visible
from cartulary.notation.cgn.writer import check_comment
from cartulary.notation.roster import NotLoaded
from cartulary.records.faults import Declined, Unfit


def now() -> str:
    """Return the time as events keep it: UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def no_game(name: str, error: NotationError) -> Unfit:
    """Return what is said where ``find_game`` found none: the games there are, or why this one cannot be loaded."""
    if isinstance(error, NotLoaded):
        return Unfit(f"{error.because}.")
    return Unfit(f"There is no game {name!r}; {error.because.partition(', ')[2]}.")


def keepable(text: str, what: str) -> str:
    """Return a text that can be stored: every one goes through here.

    Raises Unfit for one that is no Unicode, as from a misread command line, and for one with a control character.
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


def one_spelling(name: str) -> str:
    """Return a name as everybody would write it, so that names that look alike are one name.

    It is in normal form C, with single blanks, none around it, and no character that nobody sees. Capitals, accents and
    the marks that some scripts need are left as they are, and so are control characters, which ``keepable`` refuses.
    """
    if name.isascii():
        return " ".join(filter(None, name.split(" ")))
    return normalize("NFC", _BLANKS.sub(" ", _UNSEEN.sub("", name))).strip(" ")


def plain(text: str, what: str) -> str:
    """Return a text for a comment or a command in one, all white space as single blanks.

    Raises Declined for a ``}``, Unfit for what ``keepable`` refuses.
    """
    single = keepable(" ".join(text.split()), what)
    try:
        check_comment(single)
    except NotationError as error:
        raise Declined(f"{what} cannot be kept: {error.because}.") from None
    return single


def named(text: str) -> str:
    """Return who it is, in one spelling, for a comment or a command in one.

    Raises Declined for a ``}``, Unfit for what ``keepable`` refuses.
    """
    return plain(spelled(text), "The name")


def spelled(text: str, what: str = "The name") -> str:
    """Return a name that can be stored, in its one spelling. Raises Unfit for what ``keepable`` refuses."""
    return one_spelling(keepable(text, what))


def single_spaced(text: str) -> str:
    """Return a text with single blanks. Raises Unfit for what ``keepable`` refuses."""
    return keepable(" ".join(text.split()), "The text")


def needed_name(text: str, what: str) -> str:
    """Return who it is. Raises Unfit for what ``keepable`` refuses, and where nobody is named."""
    return needed_text(spelled(text), what)


def needed_text(text: str, what: str) -> str:
    """Return a text with single blanks. Raises Unfit for what ``keepable`` refuses, and where nothing is said."""
    said = single_spaced(text)
    if not said:
        raise Unfit(f"Say {what}.")
    return said
