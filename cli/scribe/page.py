"""What stands above the line a scribe types, fitted into the rows and columns there are.

From the top: the title if there is room, the picture or a long answer, the last plies, what became of the last line,
and the verdict on the one being typed. The last plies and the verdict are never given up; the picture is cut, with a
row that says how much is missing.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace

from cartulary.cli.shell.findings import COLOURS, paint
from cartulary.cli.shell.positions import picture_lines
from cartulary.notation.cgn.controls import display
from cartulary.notation.picture import Row, Span

VERDICT_ROWS = 3
"""At most so many rows a verdict takes."""
GAP, NARROWEST, WIDEST = 3, 36, 72
"""Columns between a picture and the text beside it, and how few and how many the text takes."""


class Page(Struct, frozen=True):
    """Everything to be shown, before it is known how much of it fits.

    Attributes:
        title: The line above the body.
        body: The position as a picture, or a long answer.
        last: The last plies.
        messages: The answer to the last line, one text a row.
        verdict: The verdict on the line that is being typed.
        kind: The severity of that verdict, empty for none.
        scroll: How many rows of the body lie above the screen.
    """

    title: str
    body: tuple[Row, ...]
    last: str
    messages: tuple[str, ...] = ()
    verdict: str = ""
    kind: str = ""
    scroll: int = 0


def lay_out(page: Page, rows: int, columns: int, colour: bool) -> list[str]:
    """Return exactly ``rows`` lines for a page, none wider than ``columns``.

    From above they are title, body, last plies, messages and verdict. If there is no room for all, messages and body
    are shortened first. Control characters are made visible.

    Args:
        page: What to show.
        rows: The height of the screen.
        columns: The width of the screen.
        colour: Whether to write colours.
    """
    page = _visible(page)
    verdict = fold(page.verdict, columns)
    verdict = _first_lines(verdict, max(1, min(VERDICT_ROWS, rows - 1))) or [""]
    messages = [line for text in page.messages for line in fold(text, columns)]
    room = rows - len(verdict) - 1
    messages = _first_lines(messages, max(0, min(room - 3, max(rows // 3, room - len(page.body)))))
    room -= len(messages)
    title = [_cut(page.title, columns)] if room > len(page.body) else []
    body = _body(page, max(0, room - len(title)), columns, colour)
    last = [_cut(page.last, columns)] if rows > len(verdict) else []
    painted = [paint(line, page.kind, colour and page.kind in COLOURS) for line in verdict]
    return [*title, *body, *last, *messages, *painted][-rows:]


def _visible(page: Page) -> Page:
    """Return the page with control characters made visible, so that no text in it can command the terminal."""
    body = tuple(tuple(Span(display(span.text), span.role) for span in row) for row in page.body)
    messages = tuple(display(text) for text in page.messages)
    title, last, verdict = display(page.title), display(page.last), display(page.verdict)
    return replace(page, title=title, body=body, last=last, messages=messages, verdict=verdict)


def text_rows(lines: Sequence[str], columns: int) -> tuple[Row, ...]:
    """Return the lines of a long answer, folded, as rows of at most so many columns."""
    return tuple((Span(row),) for line in lines for row in fold(line, columns))


def beside(picture: Sequence[Row], texts: Sequence[str], columns: int) -> tuple[Row, ...]:
    """Return a picture with texts folded on its right; an empty tuple if the columns are too few for both."""
    widths = [sum(len(span.text) for span in row) for row in picture]
    width = max(widths, default=0) + GAP
    room = min(columns - width, WIDEST)
    if room < NARROWEST:
        return ()
    lines = [line for text in texts for line in fold(display(text), room)]
    blank: Row = ()
    rows = zip_longest(picture, widths, lines)
    return tuple(
        (*(row or blank), Span(" " * (width - (long or 0)) + line) if line else Span("")) for row, long, line in rows
    )


def fold(text: str, columns: int) -> list[str]:
    """Return a line as rows of at most so many columns; rows after the first are indented further."""
    if len(text) <= columns:
        return [text]
    indent = len(text) - len(text.lstrip())
    deeper = " " * (12 if indent == 4 else indent + 2)
    blanks = " " * indent
    return wrap(text.strip(), columns, initial_indent=blanks, subsequent_indent=deeper, break_on_hyphens=False) or [""]


def _body(page: Page, room: int, columns: int, colour: bool) -> list[str]:
    """Return exactly ``room`` lines of the body, cropped to ``columns``; blank ones fill up a shorter body.

    Where the body is longer, the first and the last line say how many rows are missing.
    """
    rows = [_cropped(row, columns) for row in page.body]
    lines = list(picture_lines(rows, colour))
    if len(lines) <= room:
        return lines + [""] * (room - len(lines))
    top = clamp_scroll(len(lines), room, page.scroll)
    visible = lines[top : top + room]
    if top and visible:
        visible[0] = f"… {top + 1} rows above (PageUp)"
    rest = len(lines) - top - room
    if rest and len(visible) > (1 if top else 0):
        visible[-1] = f"… {rest + 1} rows below (PageDown)"
    return visible


def clamp_scroll(length: int, room: int, scroll: int) -> int:
    """Return how many rows to scroll past, so that what is left of a body of ``length`` rows still fills the room.

    It is from 0 to ``length - room``.
    """
    return max(0, min(scroll, length - room))


def _first_lines(lines: list[str], most: int) -> list[str]:
    """Return the first ``most`` lines, none for 0; the last one ends with … if more were cut off."""
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], lines[most - 1].rstrip(".")[:-1] + "…"] if most > 0 else []


def _cropped(row: Row, columns: int) -> Row:
    """Return a row of spans cut to so many columns, with … at the cut."""
    return tuple(_spans_within(row, columns))


def _spans_within(row: Row, columns: int) -> Iterator[Span]:
    """Yield the spans of a row that fit into so many columns; the last one may be cut, and then ends with …."""
    room = columns
    for span in row:
        if len(span.text) > room:
            if room:
                yield Span(span.text[: room - 1] + "…", span.role)
            return
        yield span
        room -= len(span.text)


def _cut(text: str, columns: int) -> str:
    """Return a text cut to so many columns, with … at the cut; a shorter one unchanged."""
    return text if len(text) <= columns else text[: columns - 1] + "…"
