"""A position as rows of text with roles, for whoever prints it to colour."""

from typing import TypeAlias

from msgspec import Struct


class Span(Struct, frozen=True):
    """A piece of a row. role: ``p1`` … ``pn`` a seat's, ``frame``, ``palace``, ``empty``, ``last`` the last move's."""

    text: str
    role: str = ""


Row: TypeAlias = tuple[Span, ...]
Picture: TypeAlias = tuple[Row, ...]


def plain(picture: Picture) -> str:
    """Return the picture as text without colour, blanks at the ends of rows removed."""
    return "\n".join("".join(span.text for span in row).rstrip() for row in picture)
