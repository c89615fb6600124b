"""Faces of playing cards as SVG, drawn for this program: ranks as text, suits as paths, an index in two corners.

A card is known by its symbol: its rank and its suit's sign, such as ``Q♥``, ``X♣`` or ``21★``.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape

TRUMP = "★"
"""Stands for trumps, which are a suit of their own; the fool is ``0★``."""
LETTERS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades", TRUMP: "trumps"}
"""The CSS class of a suit by its sign; signs of other suits have none."""
HIGH = 50
"""From how many pixels of height on a card has an index in a corner, and a large suit."""
FRENCH = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
LATIN = {"C": "⚱", "D": "◉", "S": "⚔", "W": "⚚"}
"""Cups, coins, swords and staves by the letters that cards are written with, as they are drawn."""
_ROOMY = 60
"""From how many pixels of height on a card has an index in the corner below too."""
_FACE = re.compile(r"([1-9]|10|[XJNQKAC]|1[0-9]|2[0-2]|0)([♣♦♥♠★⚱⚔◉⚚])")
_SUITS = {
    "♣": "m-2 6q2-2 1.6-4.6q-1.6 2.2-4 1.4c-3.6-1.4-2-6.6 2-5.8c-3.6-3.4-1.4-7.6 2.4-7.6s6 4.2 2.4 7.6"
    "c4-.8 5.6 4.4 2 5.8q-2.4.8-4-1.4q-.4 2.6 1.6 4.6z",
    "♦": "m0-8q2.6 4.6 6 8q-3.4 3.4-6 8q-2.6-4.6-6-8q3.4-3.4 6-8z",
    "♥": "m0 7q-2-3.6-4.8-6.6c-4-4.4 1.8-10.6 4.8-4.6c3-6 8.8.2 4.8 4.6q-2.8 3-4.8 6.6z",
    "♠": "m0-8q2 3.2 5.2 6c3.6 3.4-.8 8.6-4.4 4.8q0 2.8 1.6 4.4h-4.8q1.6-1.6 1.6-4.4"
    "c-3.6 3.8-8-1.4-4.4-4.8q3.2-2.8 5.2-6z",
    TRUMP: "m0-7.6l2 5.2 5.4.2-4.2 3.4 1.4 5.4-4.6-3-4.6 3 1.4-5.4-4.2-3.4 5.4-.2z",
    "⚱": "m-5-7h10q0 6.4-4 7.4v3.6h3v3h-8v-3h3v-3.6q-4-1-4-7.4z",
    "⚔": "m0-8.4l1.6 2.4v8.4h3v2h-3v3.6h-3.2v-3.6h-3v-2h3v-8.4z",
    "◉": "m0-6.6a6.6 6.6 0 1 1-.1 0zm0 3.4a3.2 3.2 0 1 0 .1 0z",
    "⚚": "m-5.6 6l7-10.4-2-1.6 5.2-1.6 1.2 5.4-2-1.2-6.8 11z",
}
"""The outline of a suit around a middle, about 14 units wide and 16 high."""
_COURT = "JNQK"
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def face_of(symbol: str) -> tuple[str, str] | None:
    """Return (rank, suit) of a playing card by its symbol: ``Q♥ -> ("Q", "♥")``; None for a symbol of another kind."""
    match = _FACE.fullmatch(symbol)
    return (match[1], match[2]) if match else None


def card_symbol(name: str, suits: Mapping[str, str]) -> str:
    """Return the symbol of a card: ``Q♥`` for ``QH``, ``21★`` for ``T21``; a name of another kind as it is.

    Args:
        name: The name of the card.
        suits: What is drawn for each letter that ends a card's name.
    """
    if len(name) == 3 and name[0] == "T" and name[1:].isdigit():
        return f"{int(name[1:])}{TRUMP}"
    return name[0] + suits[name[1]] if len(name) == 2 and name[1] in suits else name


def suit_class(symbol: str) -> str:
    """Return the CSS class of a card's or a suit's own sign, its last character: ``hearts`` for ``Q♥``.

    Empty if it has none, as for an empty symbol.
    """
    return LETTERS.get(symbol[-1:], "")


def is_suit(symbol: str) -> bool:
    """Say whether a symbol is that of a suit whose outline can be drawn."""
    return symbol in _SUITS


def suit_path(sign: str, x: float, y: float, size: float) -> str:
    """Return the SVG path of a suit, such as ``♥``; x and y are its middle and ``size`` its height, in pixels.

    Raises:
        KeyError: If the suit has no outline here.
    """
    scale = size / 16

    def scaled(match: re.Match[str]) -> str:
        """Return a number of the outline in the size that is wanted, as text."""
        return _short(float(match[0]) * scale)

    begin, _, rest = _SUITS[sign][1:].partition(_first_command(_SUITS[sign]))
    dx, dy = (float(number) for number in _NUMBER.findall(begin))
    command = _first_command(_SUITS[sign])
    # A flag of an arc is no length; arcs are few, and their radii and ends alone are scaled.
    whole = command + rest
    outline = _scaled_arcs(whole, scale) if "a" in whole else _NUMBER.sub(scaled, whole)
    return f'<path d="M{_short(x + dx * scale)} {_short(y + dy * scale)}{outline}"/>'


def _first_command(outline: str) -> str:
    """Return the letter of the command after the first move of an outline: ``m0-8q2.6 …`` gives ``q``."""
    return next(sign for sign in outline[1:] if sign.isalpha())


def _scaled_arcs(outline: str, scale: float) -> str:
    """Return an outline in another size: all lengths are multiplied by ``scale``, the angle and flags of arcs are not.

    Its commands are relative ones, in small letters: ``a6 6 0 1 1-.1 0z``.
    """
    parts: list[str] = []
    for command, numbers in re.findall(r"([a-z])([^a-z]*)", outline):
        values = [float(number) for number in _NUMBER.findall(numbers)]
        if command == "a":
            rx, ry, turn, large, sweep, x, y = values
            lengths = [rx * scale, ry * scale, turn, large, sweep, x * scale, y * scale]
            parts.append("a" + " ".join(map(_short, lengths)))
        else:
            parts.append(command + " ".join(_short(value * scale) for value in values))
    return "".join(parts)


def _short(number: float) -> str:
    """Return a number with at most one digit after the point and without needless zeros: ``.5``, ``12``, ``-.3``."""
    text = f"{number:.1f}".removesuffix(".0")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def face_marks(symbol: str, wide: int, high: int) -> Iterator[str]:
    """Yield the SVG elements on the face of a playing card, without its edge.

    Args:
        symbol: Its rank and suit.
        wide: Its width in pixels.
        high: Its height in pixels. A low card has its rank beside its suit; a high one has an index in a corner, with
            room for it in two.
    """
    face = face_of(symbol)
    assert face is not None
    rank, sign = face
    text = {"X": "10", "0": TRUMP}.get(rank, rank)
    if high < HIGH:
        middle_x = wide / 2 + (4 if len(text) > 1 else 1)
        at = f'x="{_short(middle_x)}" y="{_short(high / 2 + 5.5)}" text-anchor="end"'
        yield f'<text class="rank low" {at}>{"0" if rank == "0" else escape(text)}</text>'
        yield suit_path(sign, middle_x + 6.5, high / 2, 12)
        return
    middle = (wide * 0.58, high * 0.57)
    if rank == "0":
        yield suit_path(sign, 13, 13, 17)
        yield suit_path(sign, wide / 2, high / 2, 30)
        return
    index = f'<text class="rank" x="4" y="17">{escape(text)}</text>'
    yield index
    yield suit_path(sign, 10, 26, 12)
    yield suit_path(sign, *middle, 17 if rank in _COURT else 21)
    if rank in _COURT:
        corner = f'x="{_short(middle[0] - 11)}" y="{_short(middle[1] - 14)}"'
        yield f'<rect class="court" {corner} width="22" height="28" rx="3"/>'
    if high >= _ROOMY:
        yield f'<g transform="rotate(180 {_short(wide / 2)} {_short(high / 2)})">{index}</g>'
