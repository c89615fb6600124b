"""Control characters, which no text of a record holds, and names from right to left: how both are shown.

Beside Unicode's own controls they are its two line breaks and the characters that turn the direction of all text
after them; the marks that names in scripts such as Arabic need are none. A surrogate is no character and fits into
no file: Python keeps the bytes of a file name that is no UTF-8 as such, U+DC80 to U+DCFF, one for each byte.

Names that are written from right to left are shown so that they turn none of their neighbours round. What stands beside
such a name (a dash, a date, a number, another name) would be drawn on the wrong side of it. In text two signs of
Unicode that nobody sees isolate it, in HTML the element ``bdi``. Neither is ever stored.
Source: Unicode Standard Annex 9, "Unicode Bidirectional Algorithm", 2.6 and 6.3.
"""

import re
from collections.abc import Iterable

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_INSIDE_LINES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
FSI, PDI = "\u2068", "\u2069"
"""First strong isolate, and pop directional isolate: what is between them has a direction of its own."""
TURNS = re.compile("[\u0590-\u08ff\u061c\u200f\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""A letter from right to left, or a mark that stands among such."""
_ISOLATED = re.compile(f"({FSI}[^\u2066-\u2069]*{PDI})")


def control_in(text: str) -> str:
    """Return the first control character of a text; ``""`` if it has none."""
    match = None if text.isprintable() else _CONTROL.search(text)
    return match[0] if match else ""


def visible(text: str) -> str:
    r"""Return a text that can be shown anywhere: control characters as JSON writes them, such as ``\u001b``.

    Bytes of a file name that are not UTF-8 become ``\xe9`` and the like.
    """
    return text if text.isprintable() else _SHOWN.sub(_code, text)


def encodable(text: str) -> str:
    r"""Return a text that can be encoded in UTF-8: surrogates become text such as ``\xe9``; all else stays."""
    return text if text.isprintable() else _SURROGATE.sub(_code, text)


def visible_lines(text: str) -> str:
    """Return a text of several lines as ``visible`` does, but with its line breaks and tabs left as they are."""
    return text if text.replace("\n", "").isprintable() else _INSIDE_LINES.sub(_code, text)


def _code(match: re.Match[str]) -> str:
    """Return how one control character or surrogate is shown: as text such as ``u001b`` after a backslash.

    For a byte of a file name it is ``xe9`` and the like.
    """
    code = ord(match[0])
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def display(text: str) -> str:
    """Return a text with its control characters shown, as ``visible`` does, but with isolates around names kept."""
    if FSI not in text:
        return visible(text)
    parts = _ISOLATED.split(text)
    return "".join(_inside(part) if at % 2 else visible(part) for at, part in enumerate(parts))


def _inside(part: str) -> str:
    """Return an isolated part of a text as it is shown, with its isolates.

    Without letters from right to left it is no name, and its isolates are shown as control characters.
    """
    return f"{FSI}{visible(part[1:-1])}{PDI}" if TURNS.search(part) else visible(part)


# --- names from right to left ---


_PLACES = re.compile(
    rf"<(title|option|svg|script|style)\b.*?</\1>|<[^>]*>|{FSI}([^{FSI}{PDI}]*){PDI}", re.DOTALL | re.IGNORECASE
)
_SENT_BACK = re.compile(r'(?<![\w-])(?!aria-label|title|placeholder|alt)[\w-]+="[^"]*"')


def isolate(text: str) -> str:
    """Return a text between FSI and PDI if it has letters from right to left, so that it turns no neighbour round.

    Other texts are returned as they are, and so is a text with an isolate in it.
    """
    if text.isascii() or FSI in text or not TURNS.search(text):
        return text
    return f"{FSI}{text}{PDI}"


def isolate_all(texts: Iterable[str], between: str) -> str:
    """Return texts joined by ``between``, each isolated by ``isolate`` if it has letters from right to left."""
    return between.join(map(isolate, texts))


def isolate_people(players: str) -> str:
    """Return a list of players such as ``Ada; Bela`` in the same form, each name isolated if it needs that."""
    return isolate_all(players.split("; "), "; ")


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes: one for each character but FSI and PDI."""
    return len(without_isolates(text))


def without_isolates(text: str) -> str:
    """Return a text without any FSI and PDI, as it is stored and sent."""
    return text.replace(FSI, "").replace(PDI, "")


def in_bdi(page: str) -> str:
    """Return HTML with an element ``bdi`` for each isolate.

    Isolates stay where no element may stand, as in titles, and are removed from attributes that are sent back to the
    server.
    """
    return _PLACES.sub(_in_place, page) if FSI in page else page


def _in_place(match: re.Match[str]) -> str:
    """Return what stands in a page for one match: an isolate, a tag, or an element that may hold no ``bdi``.

    An isolate becomes ``<bdi>``. In a tag, attributes that are sent back to the server lose their isolates.
    """
    text = match[0]
    if match[2] is not None:
        return f"<bdi>{match[2]}</bdi>"
    if FSI not in text:
        return text
    tag, mark, inside = text.partition(">")
    return _SENT_BACK.sub(lambda hit: without_isolates(hit[0]), tag) + mark + inside
