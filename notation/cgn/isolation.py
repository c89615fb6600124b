"""Names that are written from right to left, shown so that they turn none of their neighbours round.

What stands beside such a name (a dash, a date, a number, another name) would be drawn on the wrong side of it. In text
two signs of Unicode that nobody sees isolate it, in HTML the element ``bdi``. Neither is ever stored.
Source: Unicode Standard Annex 9, "Unicode Bidirectional Algorithm", 2.6 and 6.3.
"""

import re
from collections.abc import Iterable

from cartulary.notation.cgn.controls import FSI, PDI, TURNS

_PLACES = re.compile(
    rf"<(title|option|svg|script|style)\b.*?</\1>|<[^>]*>|{FSI}([^{FSI}{PDI}]*){PDI}", re.DOTALL | re.IGNORECASE
)
_SENT_BACK = re.compile(r'(?<![\w-])(?!aria-label|title|placeholder|alt)[\w-]+="[^"]*"')


def isolated(text: str) -> str:
    """Return a text that turns none of its neighbours round: one with letters from right to left between FSI and PDI.

    Others are returned as they are, and so is a text in which something is isolated already.
    """
    if text.isascii() or FSI in text or not TURNS.search(text):
        return text
    return f"{FSI}{text}{PDI}"


def isolated_all(texts: Iterable[str], between: str) -> str:
    """Return texts joined, each isolated."""
    return between.join(map(isolated, texts))


def isolated_people(players: str) -> str:
    """Return the players of a line of the games list, each isolated."""
    return isolated_all(players.split("; "), "; ")


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return len(unmarked(text))


def unmarked(text: str) -> str:
    """Return a text without isolates, for data."""
    return text.replace(FSI, "").replace(PDI, "")


def in_bdi(page: str) -> str:
    """Return HTML with ``bdi`` in place of isolates.

    They stay where no element may stand (in titles, options, drawings and labels), and go from what is sent back.
    """
    return _PLACES.sub(_in_place, page) if FSI in page else page


def _in_place(match: re.Match[str]) -> str:
    text = match[0]
    if match[2] is not None:
        return f"<bdi>{match[2]}</bdi>"
    if FSI not in text:
        return text
    tag, mark, inside = text.partition(">")
    return _SENT_BACK.sub(lambda hit: unmarked(hit[0]), tag) + mark + inside
