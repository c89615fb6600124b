"""A position as rows of text with roles, so that whoever prints it can colour it."""

from typing import TypeAlias

from msgspec import Struct


class Span(Struct, frozen=True):
    """A piece of a row. role: ``p1`` … ``pn`` a seat's, ``frame``, ``palace``, ``empty``, ``last`` the last move's."""

    text: str
    role: str = ""


Row: TypeAlias = tuple[Span, ...]
Picture: TypeAlias = tuple[Row, ...]


def plain(picture: Picture) -> str:
    """Return the picture as text without colour, rows joined by line breaks, blanks at the ends of rows removed."""
    return "\n".join("".join(span.text for span in row).rstrip() for row in picture)


WIDTH = 80
"""The columns a picture of a game may take."""


def wrap_words(head: str, words: list[str], role: str) -> list[Row]:
    """Return words after a heading as rows of at most WIDTH columns, with two blanks between words.

    Further rows are indented to the width of the heading. ``role`` is the role by which the words are styled.
    """
    rows: list[Row] = []
    line = ""
    for word in words:
        if line and len(head) + len(line) + 2 + len(word) > WIDTH:
            rows.append((Span(head, "frame"), Span(line, role)))
            head, line = " " * len(head), ""
        line = f"{line}  {word}" if line else word
    return [*rows, (Span(head, "frame"), Span(line, role))]


def seat_heading(who: str, role: str, speaks: bool, facts: str) -> Row:
    """Return the first row of a seat: ``> p2  score 12``.

    Args:
        who: The name of the seat.
        role: The role by which the facts are styled.
        speaks: Whether the seat is to speak.
        facts: What holds for it.
    """
    return (Span(f"{'>' if speaks else ' '} {who}  ", "frame"), Span(facts, role))


def zone_names(names: list[str], size: int) -> list[str]:
    """Return the known cards of a zone and how many more it has: ``["7C", "2 unknown"]``; ``["-"]`` if empty.

    ``size`` is the number of all its cards.
    """
    hidden = size - len(names)
    return [*names, f"{hidden} unknown"] if hidden > 0 else names or ["-"]
