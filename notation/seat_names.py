"""What a seat is called where a person reads: by the name of its player, ``Ann``, or with its number, ``Ann (p1)``.

The rules, the notation and the log know numbers alone. A text or a picture of theirs is given here to be shown, with
the names that its reader may see. Words of the notation, such as ``p2/Pass``, and what is between backticks stay.
"""

import re
from collections.abc import Iterator, Sequence

from cartulary.engine.numbers import SEAT
from cartulary.notation.cgn.controls import isolate, width
from cartulary.notation.picture import WIDTH, Picture, Row, Span

LONGEST_NAME = 20
"""The number of characters of a player's name that are shown in a line of a drawing or picture."""
SHORTEST_NAME = 8
"""The number of characters that are shown of a name if a picture has no room for more."""
_IN_TEXT = re.compile(rf"`[^`]*`|(?<![\w/*=>@^&:.~-])(?<!--by )(?<!--seat ){SEAT}(?!\w|[/*=]|\.\w)")
_AT_HEAD = re.compile(rf"([> ] ){SEAT}(  .*)", re.DOTALL)


def is_named(seat: int, names: Sequence[str]) -> bool:
    """Say whether the player at a seat, from 1, is known: ``names`` has a name for it, and not ``?``."""
    return 0 < seat <= len(names) and names[seat - 1] not in ("", "?")


def seat_name(seat: int, names: Sequence[str], longest: int = 0) -> str:
    """Return the name of the player at a seat: ``Ann``; ``p1`` if it is not known.

    A name that two seats have, or that looks like a seat, is followed by the seat: ``Ann (p1)``.

    Args:
        seat: The seat.
        names: The names of the players, in seat order, ``?`` for one that is not known.
        longest: Up to how many characters of a name are shown; 0 for all.
    """
    if not is_named(seat, names):
        return f"p{seat}"
    folded = names[seat - 1].casefold()
    if re.fullmatch(SEAT, folded) or sum(name.casefold() == folded for name in names) > 1:
        return name_with_seat(seat, names, longest)
    return isolate(_cut(names[seat - 1], longest))


def name_with_seat(seat: int, names: Sequence[str], longest: int = 0) -> str:
    """Return a seat by its player and its number: ``Ann (p1)``; ``p1`` if the player is not known.

    Args:
        seat: The seat.
        names: The names of the players, in seat order, ``?`` for one that is not known.
        longest: Up to how many characters of a name are shown; 0 for all.
    """
    return f"{isolate(_cut(names[seat - 1], longest))} (p{seat})" if is_named(seat, names) else f"p{seat}"


def _cut(name: str, longest: int) -> str:
    """Return a name of at most ``longest`` characters: a longer one is cut and ends in ``…``; 0 cuts nothing."""
    return name if not longest or len(name) <= longest else f"{name[: longest - 1].rstrip()}…"


def name_seats(text: str, names: Sequence[str], longest: int = 0) -> str:
    """Return a sentence with the names of the players in place of seats: ``Ann deals; Bela takes: Garde``.

    Args:
        text: A sentence of the rules or of the log, such as ``p4 deals; p2 takes: Garde``.
        names: The names of the players, in seat order. A seat of which nobody is known stays as it is.
        longest: Up to how many characters of a name are shown; 0 for all.
    """
    if not any(is_named(seat, names) for seat in range(1, len(names) + 1)):
        return text
    return _IN_TEXT.sub(lambda match: seat_name(int(match[1]), names, longest) if match[1] else match[0], text)


# --- pictures ---


def name_rows(picture: Picture, names: Sequence[str]) -> Picture:
    """Return a picture with the names of the players in place of seats, at most as wide as it may be.

    A row about a seat begins ``> Ann (p1)``; elsewhere the name stands alone. Names are cut, or rows divided, where
    there is no room.

    Args:
        picture: The picture.
        names: The names of the players, in seat order. A seat of which nobody is known stays as it is.
    """
    if not any(is_named(seat, names) for seat in range(1, len(names) + 1)):
        return picture
    for longest in (LONGEST_NAME, SHORTEST_NAME):
        rows = tuple(_named_row(row, names, longest) for row in picture)
        if all(_long(new) <= max(WIDTH, _long(old)) for old, new in zip(picture, rows, strict=True)):
            break
    return tuple(_divided(rows))


def _named_row(row: Row, names: Sequence[str], longest: int) -> Row:
    """Return a row with names in place of seats; a heading of a seat is made as wide as that of every other.

    Up to ``longest`` characters of a name are shown.
    """
    wide = max(width(name_with_seat(seat, names, longest)) for seat in range(1, len(names) + 1))
    spans: list[Span] = []
    for at, span in enumerate(row):
        head = _AT_HEAD.fullmatch(span.text) if not at else None
        if head is None:
            spans.append(Span(name_seats(span.text, names, longest), span.role))
            continue
        who = name_with_seat(int(head[2]), names, longest)
        text = f"{head[1]}{who}{' ' * (wide - width(who))}{name_seats(head[3], names, longest)}"
        spans.append(Span(text, span.role))
    return tuple(spans)


def _long(row: Row) -> int:
    """Return how many columns a row of a picture takes."""
    return sum(width(span.text) for span in row)


def _divided(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield rows, those that are wider than WIDTH divided at blanks; what is left of one goes below, indented.

    A row without a blank to divide it stays as wide as it is.
    """
    for row in rows:
        while _long(row) > WIDTH:
            indent = len(row[0].text) if row[0].text.strip() and _AT_HEAD.match(row[0].text) is None else 0
            indent = indent if 0 < indent < WIDTH // 2 and row[1:] else 4
            first, rest = _cut_row(row, indent)
            if not rest:
                break
            yield first
            row = (Span(" " * indent, "frame"), *rest)
        yield row


def _cut_row(row: Row, least: int) -> tuple[Row, Row]:
    """Return a row up to the last double blank, or else blank, that lies within the width, and what follows it.

    What follows is empty if there is no such blank to the right of column ``least``.
    """
    text = "".join(span.text for span in row)
    room = WIDTH + len(text) - width(text)
    at = max(text.rfind("  ", least + 1, room + 1), -1)
    at = at if at > least else text.rfind(" ", least + 1, room + 1)
    if at <= least or not text[:at].strip():
        return row, ()
    first: list[Span] = []
    rest: list[Span] = []
    begin = 0
    for span in row:
        split = min(max(at - begin, 0), len(span.text))
        if span.text[:split]:
            first.append(Span(span.text[:split], span.role))
        if after := span.text[split:] if rest else span.text[split:].lstrip():
            rest.append(Span(after, span.role))
        begin += len(span.text)
    return tuple(first), tuple(rest)
