"""A drawing as SVG: one style for every game, readable on a phone and on paper, in light and in dark.

To move a thing, move its group; what is inside is drawn relative to the group's own corner. Colour says nothing that a
shape or a mark does not say too.
"""

import re
from collections.abc import Iterator
from html import escape
from math import atan2, degrees, hypot

from cartulary.notation.card_faces import HIGH, face_marks, face_of, is_suit, suit_class, suit_path
from cartulary.notation.drawing import LINE, Drawing, Item, note_lines
from cartulary.notation.figures import disc_marks, figure_marks

NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'
MARGIN = 6
"""Around the drawing, in pixels."""
STYLE = """
.drawing{--paper:#fbfaf7;--ink:#1d232b;--dim:#5a5f66;--line:#8b8f96;--pale:#e9e5dc;--deep:#cfc6b4;--face:#ffffff;--red:#b3261e;
--card:#ffffff;--pip:#1d232b;--hearts:#b3261e;--trump:#e6e2f5;--felt:#d9e6dc;--turn:#0b5c8a;--gold:#c98a00;
--p1:#0b5c8a;--p2:#9a4a00;--p3:#2f6b2f;--p4:#7a2f7a;--p5:#5c5c00;--p6:#a01850;font-family:ui-monospace,Menlo,Consolas,
"DejaVu Sans Mono",monospace;font-size:13px}
.drawing .ground{fill:var(--paper)}.drawing text{fill:var(--ink)}
.drawing .frame text,.drawing .empty text{fill:var(--dim)}.drawing .square text{fill:var(--ink)}
.drawing .square rect{fill:var(--pale);stroke:var(--paper)}.drawing .dark rect{fill:var(--deep)}
.drawing .palace rect{stroke:var(--line);stroke-width:2;stroke-dasharray:4 3}
.drawing .card rect,.drawing .back rect{fill:var(--face);stroke:var(--line);stroke-width:1.2}
.drawing .back rect{fill:var(--deep)}
.drawing .piece circle{fill:var(--face);stroke:var(--ink);stroke-width:2}
.drawing .check rect{stroke:var(--red);stroke-width:4}
.drawing .red text{fill:var(--red)}.drawing .last rect,.drawing .last circle{stroke:var(--red);stroke-width:2.4}
.drawing .corner{font-size:9px}.drawing .card.face>rect{fill:var(--card)}
.drawing .card.face>rect[rx="5"]{stroke:#8b8f96;stroke-width:1}
.drawing .face path,.drawing .rank{fill:var(--pip);stroke:none}
.drawing .rank,.drawing .plate text,.drawing .chip text{font:700 13px system-ui,"DejaVu Sans","Noto Sans",sans-serif}
.drawing .rank{font-size:17px;letter-spacing:-1px}.drawing .low{font-size:15px}
.drawing .face.red path,.drawing .red .rank{fill:var(--hearts)}
.drawing .card.trumps>rect{fill:var(--trump)}.drawing .card.face .court{fill:none;stroke:#8b8f96}
.drawing .felt rect{fill:var(--felt)}.drawing .bar rect{fill:var(--paper)}.drawing .bar text{font-weight:700}
.drawing .plate rect{fill:var(--paper);stroke:var(--line);stroke-width:1.2}
.drawing .plate text{font-size:12px}.drawing .plate .fact{font-size:11px;font-weight:400}
.drawing .plate.attacks rect{stroke:var(--ink);stroke-width:2.4}
.drawing .speaks.plate rect{fill:var(--turn)}.drawing .speaks.plate text{fill:#fff}
.drawing .chip circle{fill:var(--ink)}.drawing .chip text{fill:var(--paper);font-size:11px}
.drawing .winner rect{fill:none;stroke:var(--gold);stroke-width:3.5}.drawing .suit.face rect{fill:var(--card)}
.drawing .note text{fill:var(--red);font-weight:700}
.drawing .pyramid path{fill:var(--face);stroke:var(--ink);stroke-width:2;stroke-linejoin:round}
.drawing .pyramid text{font-weight:700;stroke:var(--face);stroke-width:4;paint-order:stroke}
.drawing .land .corner,.drawing .waste .corner,.drawing .card .corner{font-size:12px}
.drawing .p1>rect,.drawing .p1 circle,.drawing .pyramid.p1 path{stroke:var(--p1)}
.drawing .p2>rect,.drawing .p2 circle,.drawing .pyramid.p2 path{stroke:var(--p2)}
.drawing .p3>rect,.drawing .p3 circle,.drawing .pyramid.p3 path{stroke:var(--p3)}
.drawing .p4>rect,.drawing .p4 circle,.drawing .pyramid.p4 path{stroke:var(--p4)}
.drawing .p5>rect,.drawing .p5 circle,.drawing .pyramid.p5 path{stroke:var(--p5)}
.drawing .p6>rect,.drawing .p6 circle,.drawing .pyramid.p6 path{stroke:var(--p6)}
.drawing .figure path{fill:none;stroke:#0f1215;stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}
.drawing .white.figure .man{fill:#fff}.drawing .black.figure .man{fill:#0f1215}
.drawing .black.figure path+path{stroke:#fff}
.drawing .p2 circle{fill:var(--deep)}
.drawing .white circle{fill:#fff}.drawing .white text{fill:#1d232b}
.drawing .black circle{fill:#2b2f36}.drawing .black text{fill:#fff}.drawing .field rect{fill:var(--pale)}
.drawing .disc circle{stroke:#0f1215;stroke-width:1.6}.drawing .disc .rim{fill:none;stroke:#8b8f96;stroke-width:1.2}
.drawing .crown{fill:#e0b13a;stroke:#0f1215;stroke-width:1;stroke-linejoin:round}
@media (prefers-color-scheme:dark){.drawing{--paper:#14181d;--ink:#e8e6e1;--dim:#a3aab3;--line:#8d949d;--pale:#262c34;
--deep:#39424d;--face:#1d232b;--card:#f0ede6;--trump:#d8d2ee;--felt:#1d2f26;--turn:#1f6fa0;--gold:#f0b93c;
--red:#ff8a80;--p1:#6cc3f0;--p2:#f0a35c;--p3:#86cf86;--p4:#dd9add;--p5:#cfcf5c;--p6:#ff8fb5}
.drawing:has(.figure,.disc){--pale:#8a97a3;--deep:#5b6b7a;--ink:#fff;--dim:#fff}
.drawing:has(.figure) .square:not(.dark) text{fill:#14181d}}
@media print{.drawing{--paper:#fff;--ink:#000;--dim:#444;--line:#555;--pale:#f2f2f2;--deep:#d9d9d9;
--face:#fff;--red:#000;--card:#fff;--pip:#000;--hearts:#000;--trump:#eee;--felt:#f6f6f6;--turn:#444;--gold:#000}}
""".strip().replace("\n", "")
"""The style sheet of the classes; its variables come first, so that a page can set its own."""

_RED = "♥♦"
_MARKS = {
    "marked-green": "#2f8a35",
    "marked-red": "#c4382f",
    "marked-yellow": "#b08600",
    "marked-blue": "#2a78ab",
    "marked-orange": "#c25400",
    "marked-purple": "#97459a",
    "marked-cyan": "#00868a",
}
"""How marks of comments look, in light and in dark. They are few, so no style is spent on them in every drawing."""
_LINE = "#8b8f96"
"""The colour of the lines of a board, in light and in dark."""
_VARIABLE = re.compile(r"var\((--[a-z0-9]+)\)")
_SETTING = re.compile(r"--[a-z0-9]+:[^;}]+;")
_VALUE = re.compile(r"(--[a-z0-9]+):([^;}]+)[;}]")


def view_box(drawing: Drawing) -> tuple[float, float]:
    """Return the width and the height of a drawing with its margins, in pixels."""
    (columns, rows), (wide, high) = drawing.size, drawing.unit
    return columns * wide + 2 * MARGIN, rows * high + 2 * MARGIN


def place(item: Item, unit: tuple[int, int]) -> tuple[float, float]:
    """Return x and y of the upper left corner of a thing, in pixels, the margin of the drawing included.

    ``unit`` is the unit of the drawing, (width, height) in pixels.
    """
    return MARGIN + item.place[0] * unit[0], MARGIN + item.place[1] * unit[1]


def classes(item: Item) -> str:
    """Return the CSS classes of a thing, separated by blanks: ``card p1 face hearts red``.

    They are its look and its role, and for a card or a suit also the suit and whether it is red.
    """
    named = f"{item.look} {item.role}".strip()
    if item.look not in ("card", "suit"):
        return named
    suit = f" face {suit_class(item.symbol)}".rstrip() if item.look == "suit" or face_of(item.symbol) else ""
    return named + suit + (" red" if any(sign in item.symbol for sign in _RED) else "")


def marks(item: Item, unit: tuple[int, int]) -> str:
    """Return the SVG elements of a thing as text, placed relative to its upper left corner.

    ``unit`` is the unit of the drawing, (width, height) in pixels.
    """
    wide, high = item.size[0] * unit[0], item.size[1] * unit[1]
    return "".join(_marks(item, wide, high, unit))


def _marks(item: Item, wide: int, high: int, unit: tuple[int, int]) -> Iterator[str]:
    """Yield the SVG elements of a thing, by its look; an unknown look is drawn as a card without face.

    ``wide`` and ``high`` are its size, and ``unit`` the unit of the drawing, all in pixels.
    """
    text = escape(item.symbol, quote=False)
    if item.look == "text":
        blanks = ' xml:space="preserve"' if "  " in text or text != text.strip() else ""
        yield f'<text y="{round(high * 0.75)}"{blanks}>{text}</text>'
        return
    if item.look == "note":
        for line, part in enumerate(note_lines(item.symbol, wide), 1):
            yield f'<text y="{line * LINE - 4}">{escape(part)}</text>'
        return
    if item.look == "figure":
        at = f'x="{wide / 2:g}" y="{high * 0.84:g}" font-size="{high * 0.9:g}"'
        yield figure_marks(item.symbol, wide, high) or f'<text {at} text-anchor="middle">{text}</text>'
        return
    if item.look == "ring":
        looks = f'fill="none" stroke="{_MARKS.get(item.role, "currentColor")}" stroke-width="3" opacity=".85"'
        yield f'<circle cx="{wide / 2:g}" cy="{high / 2:g}" r="{min(wide, high) / 2 - 2:g}" {looks}/>'
        return
    if item.look == "arrow":
        yield from _arrow(wide, high, unit, _MARKS.get(item.role, "currentColor"))
        return
    if item.look == "line":
        right, down, half = item.size[0] * unit[0], item.size[1] * unit[1], (unit[0] / 2, unit[1] / 2)
        yield f'<path d="M{half[0]:g} {half[1]:g}l{right:g} {down:g}" stroke="{_LINE}" stroke-width="2"/>'
        return
    if item.look == "point":
        # The large circle is not seen; it makes room to be tapped.
        for radius, fill in ((min(wide, high) / 2, "none"), (4, _LINE)):
            yield f'<circle cx="{wide / 2:g}" cy="{high / 2:g}" r="{radius:g}" fill="{fill}"/>'
        return
    if item.look == "pyramid":
        yield from _pyramid(item, wide, high)
        return
    if item.look in _TABLE:
        yield from _TABLE[item.look](item, wide, high)
        return
    if item.look in ("square", "place"):
        yield f'<rect width="{wide}" height="{high}"/>'
        yield f'<text class="corner" x="2" y="{12 if unit[1] < LINE else 10}">{text}</text>' if text else ""
    elif item.look == "piece" and "disc" in item.role.split():
        yield disc_marks(wide, high, item.symbol.isupper())
    elif item.look == "piece":
        size = min(wide, high) / 2
        yield f'<circle cx="{wide / 2:g}" cy="{high / 2:g}" r="{size - 6:g}"/>'
        yield f'<text x="{wide / 2:g}" y="{high / 2 + 4.5:g}" text-anchor="middle">{text}</text>'
    else:
        yield f'<rect x="1.5" y="1.5" width="{wide - 3}" height="{high - 3}" rx="{4 if high < HIGH else 5}"/>'
        if item.look == "card" and face_of(item.symbol):
            yield from face_marks(item.symbol, wide, high)
            text = ""
        down = 5 if len(item.corner) < 3 else 1  # a name in the corner has the foot of the card
        yield f'<text x="{wide / 2:g}" y="{high / 2 + down:g}" text-anchor="middle">{text}</text>' if text else ""
    if item.corner:
        in_by = 2 if item.look == "square" else 4  # a man has most of a square
        at = f'x="{wide - in_by}" y="{high - in_by - (in_by == 4)}"'
        yield f'<text class="corner" {at} text-anchor="end">{escape(item.corner)}</text>'


def _plate(item: Item, wide: int, high: int) -> Iterator[str]:
    """Yield the SVG elements of the plate of a seat: its name, and below it a fact if the item has a corner text."""
    yield f'<rect width="{wide}" height="{high}" rx="7"/>'
    up = 13 if item.corner else high / 2 + 4.5
    yield f'<text x="{wide / 2:g}" y="{up:g}" text-anchor="middle">{escape(item.symbol)}</text>'
    if item.corner:
        yield f'<text class="fact" x="{wide / 2:g}" y="25" text-anchor="middle">{escape(item.corner)}</text>'


def _felt(item: Item, wide: int, high: int) -> Iterator[str]:
    """Yield the SVG element of the middle of a card table, ``wide`` and ``high`` pixels large."""
    yield f'<rect width="{wide}" height="{high}" rx="14"/>'


def _chip(item: Item, wide: int, high: int) -> Iterator[str]:
    """Yield the SVG elements of a small round mark with the item's symbol, a letter, in the middle of its place."""
    yield f'<circle cx="{wide / 2:g}" cy="{high / 2:g}" r="8"/>'
    yield f'<text x="{wide / 2:g}" y="{high / 2 + 4:g}" text-anchor="middle">{escape(item.symbol)}</text>'


def _winner(item: Item, wide: int, high: int) -> Iterator[str]:
    """Yield the SVG element of the frame of the card that takes a trick."""
    yield f'<rect x="-1" y="-1" width="{wide + 2}" height="{high + 2}" rx="7"/>'


def _suit(item: Item, wide: int, high: int) -> Iterator[str]:
    """Yield the SVG elements of a suit on a round ground; the ground alone if the symbol is no suit."""
    yield f'<rect width="{wide}" height="{high}" rx="{min(wide, high) / 2:g}"/>'
    if is_suit(item.symbol):
        yield suit_path(item.symbol, wide / 2, high / 2, high * 0.6)


def _bar(item: Item, wide: int, high: int) -> Iterator[str]:
    """Yield the SVG elements of the ground of a fan of cards, and of its heading if it has one."""
    yield f'<rect width="{wide}" height="{high}"/>'
    if item.symbol:
        yield f'<text x="2" y="15">{escape(item.symbol)}</text>'


def _field(item: Item, wide: int, high: int) -> Iterator[str]:
    """Yield the SVG element of the ground of a board, ``wide`` and ``high`` pixels large."""
    yield f'<rect width="{wide}" height="{high}"/>'


_TABLE = {"plate": _plate, "felt": _felt, "field": _field, "chip": _chip, "winner": _winner, "suit": _suit, "bar": _bar}
"""What draws the looks of a card table."""


def _arrow(right: int, down: int, unit: tuple[int, int], colour: str) -> Iterator[str]:
    """Yield the SVG element of an arrow from the middle of a square to the middle of another.

    The other is so many pixels right and down, or left and up if negative. ``unit`` is the size of a square in pixels.
    """
    length = hypot(right, down) or 1
    begin, tip = min(unit) * 0.25, length - min(unit) * 0.1
    head, wing = tip - min(unit) * 0.35, min(unit) * 0.17
    looks = f'fill="{colour}" stroke="{colour}" stroke-width="5" opacity=".75"'
    at = f"translate({unit[0] / 2:g},{unit[1] / 2:g}) rotate({degrees(atan2(down, right)):.4g})"
    shape = f"M{begin:g} 0H{head:.4g}M{head:.4g} {-wing:g}L{tip:.4g} 0L{head:.4g} {wing:g}Z"
    yield f'<path transform="{at}" d="{shape}" {looks}/>'


def _pyramid(item: Item, wide: int, high: int) -> Iterator[str]:
    """Yield the SVG elements of a pyramid seen from above, with the number of its seat on it.

    It is a square with its edges if it stands, and a triangle that points north, east, south or west if it lies.
    """
    far, middle, centre = (item.large + 3) * wide / 12.5, wide / 2, high / 2
    at = f"translate({middle:g},{centre:g})"
    if item.points == "u":
        edges = f"L{far:g} {far:g}M{-far:g} {far:g}L{far:g} {-far:g}"
        yield f'<path transform="{at}" d="M{-far:g} {-far:g}H{far:g}V{far:g}H{-far:g}Z{edges}"/>'
    else:
        turned, wing = 90 * "nesw".index(item.points or "n"), far * 0.9
        yield f'<path transform="{at} rotate({turned})" d="M0 {-far:g}L{wing:g} {far:g}H{-wing:g}Z"/>'
    right, down = {"n": (0, 0.3), "e": (-0.3, 0), "s": (0, -0.3), "w": (0.3, 0)}.get(item.points, (0, 0))
    spot = f'x="{middle + right * far:.3g}" y="{centre + 4.5 + down * far:.3g}"'
    yield f'<text {spot} text-anchor="middle">{escape(item.symbol[:1])}</text>'


def group(item: Item, unit: tuple[int, int], shown: bool = True) -> str:
    """Return the SVG group of a thing with its label.

    Args:
        item: The thing.
        unit: The unit of the drawing.
        shown: Whether it is shown in its place; otherwise it has none yet and is not displayed.
    """
    x, y = place(item, unit)
    called = f"<title>{escape(item.label, quote=False)}</title>" if item.label else ""
    at = f'transform="translate({x:g},{y:g})"' if shown else 'display="none"'
    return f'<g data-id="{escape(item.id)}" class="{escape(classes(item))}" {at}>{called}{marks(item, unit)}</g>'


def plain_style() -> str:
    """Return STYLE for light only, without variables and media queries, for programs that understand neither.

    Colours stand in it as values.
    """
    light = STYLE.partition("@media")[0]
    values = dict(_VALUE.findall(light))
    return _VARIABLE.sub(lambda match: values[match[1]], _SETTING.sub("", light))


def svg(drawing: Drawing, title: str, style: str = STYLE, scale: float = 1) -> str:
    """Return a drawing as one SVG image.

    Args:
        drawing: The drawing.
        title: What it shows, for screen readers.
        style: The style sheet of its classes; empty if the page around it has one.
        scale: How large it is shown where there is room.

    Returns:
        An ``svg`` element, ended by a line break.
    """
    wide, high = view_box(drawing)
    box = f'viewBox="0 0 {wide:g} {high:g}" width="{wide * scale:g}" height="{high * scale:g}"'
    head = f'<svg{NAMESPACE} class="drawing" role="img" {box}>'
    ground = f'<rect class="ground" width="{wide:g}" height="{high:g}"/>'
    things = "\n".join(group(item, drawing.unit) for item in drawing.items)
    looks = f"<style>{style}</style>" if style else ""
    return f"{head}<title>{escape(title)}</title>{looks}{ground}\n{things}\n</svg>\n"
