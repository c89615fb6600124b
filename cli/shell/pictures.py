"""Positions drawn for a person: the rows a game's notation pair gives, coloured where colour is wanted.

What stands where is decided by the pair; here a role such as ``p1`` or ``palace`` only gets its colour. Everything
can be read without colour too.
"""

from collections.abc import Iterable, Iterator

from cartulary.cli.shell.console import tinted
from cartulary.notation.picture import Row

ROLES = {
    "p1": "1;36",
    "p2": "1;33",
    "p1 last": "1;36;7",
    "p2 last": "1;33;7",
    "palace": "35",
    "midline": "2",
    "frame": "2",
    "last": "7",
}
"""The colour of each role, as the parameters of a terminal's SGR sequence; other roles stay plain."""


def picture_lines(rows: Iterable[Row], colour: bool) -> Iterator[str]:
    """Yield one line of text a row, without blanks at its end unless they are coloured."""
    for row in rows:
        if not colour:
            yield "".join(span.text for span in row).rstrip()
            continue
        yield "".join(_coloured(span.text, span.role) for span in row).rstrip()


def _coloured(text: str, role: str) -> str:
    code = ROLES.get(role)
    return tinted(text, code) if code and text else text
