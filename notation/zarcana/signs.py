"""Reading a Zarcana word from left to right: seats, cards, places, minions."""

import re
from functools import lru_cache

from cartulary.engine.numbers import ANY_SEAT, SEAT
from cartulary.engine.zarcana.cards import CODES
from cartulary.engine.zarcana.moves import MOST_STEPS, POINTS, SIZES, Ref, place_of
from cartulary.notation.cgn.signs import CardSigns

_A_CARD = r"[1-9XJNQK][SWCD]|T0[0-9]|T1[0-9]|T2[01]|E[1-8]|~"
CARD = re.compile(_A_CARD)
CARDS = re.compile(rf"(?:{_A_CARD})(?:,?(?:{_A_CARD}))*")
_PLACE = re.compile(r"o|([ns])([1-9][0-9]{0,3})(?:([ew])([1-9][0-9]{0,3}))?|([ew])([1-9][0-9]{0,3})")
MINION = re.compile(rf"(?:{ANY_SEAT})?[SML](?=[onsew])")
_REF = re.compile(rf"(?:{SEAT}(?![0-9]))?([SML](?>{_PLACE.pattern})(?:'[{POINTS}])?)(?!')")
"""A minion named whole; what is wrong with another is found sign by sign."""
A_CARD = "a card such as 7C, KD, T05 or E1"


class Reader(CardSigns):
    """A word, how far it has been read, and the minions it names with their columns."""

    codes, a_card = CODES, A_CARD

    def __init__(self, text: str, seats: int) -> None:
        """Begin at the first character."""
        self.text, self.seats, self.at, self.seat_of = text, seats, 0, 0
        self.refs: list[tuple[Ref, int]] = []

    def cards(self, unknown: bool = True, ordered: bool = False) -> bytes:
        """Read one card or more and return their codes, sorted unless ``ordered`` keeps them as written.

        Raises:
            NotationError: If no card comes next, or ``~`` does and not ``unknown``.
        """
        cards = super().cards(unknown)
        return cards if ordered else bytes(sorted(cards))

    def place(self, what: str = "a place such as o, n1 or s2w3") -> int:
        """Read a place such as ``o``, ``n1`` or ``s2w3``, and return its number.

        Raises:
            NotationError: If no place comes next, or one that is too far away; ``what`` names it in the error.
        """
        match = _PLACE.match(self.text, self.at)
        if match is None:
            raise self.unread(what)
        place = _placed(match[0])
        if place is None:
            raise self.unread(f"a place no more than {MOST_STEPS} steps away")
        self.at = match.end()
        return place

    def size(self) -> int:
        """Read the size of a minion, S, M or L, and return its number, 0 to 2; any other letter is a NotationError."""
        return self.letter(SIZES, "a size, S, M or L")

    def point(self) -> int:
        """Read the letter of where a minion points, and return its index in POINTS; any other is a NotationError."""
        return self.letter(POINTS, "u, n, e, s or w, where the minion points")

    def names_minion(self) -> bool:
        """Say whether a minion on the board comes next, such as ``p2Mn1`` or ``Mo``; nothing is read."""
        return MINION.match(self.text, self.at) is not None

    def minion(self) -> Ref:
        """Read a minion on the board, such as ``p2Mn1'e``, and note it with its column, from 1, in ``refs``.

        Without a seat it is one of ``seat_of``, and without ``'`` it points in direction -1.

        Raises:
            NotationError: If no minion comes next.
        """
        start, text = self.at, self.text
        match = _REF.match(text, start)
        if match is not None:
            seat, (size, place, point) = match[1], _stands(match[2])
            owner = int(seat) if seat else self.seat_of
            if place is not None and (not seat or owner <= self.seats):
                self.at = match.end()
                ref = Ref(place, owner * 3 + size, point)
                self.refs.append((ref, start + 1))
                return ref
        owner = self.seat() if text.startswith("p", start) else self.seat_of
        size = self.size()
        place = self.place()
        point = self.point() if self.has("'") else -1
        ref = Ref(place, owner * 3 + size, point)
        self.refs.append((ref, start + 1))
        return ref


@lru_cache(1 << 12)
def _stands(name: str) -> tuple[int, int | None, int]:
    """Return size, place and direction of a minion's name without seat, as numbers: ``Mn1'u``.

    Sizes count from 0. The place is None if it is too far away, the direction -1 if it is not written.
    """
    place, _, point = name[1:].partition("'")
    return SIZES.index(name[0]), _placed(place), POINTS.index(point) if point else -1


@lru_cache
def _placed(name: str) -> int | None:
    """Return the number of a place by its name, such as ``n1e2``; None if it is more than MOST_STEPS away.

    The name must be one of a place.
    """
    match = _PLACE.match(name)
    assert match is not None
    steps = int(match[2] or 0), int(match[4] or match[6] or 0)
    north = steps[0] if match[1] == "n" else -steps[0]
    far = max(steps) > MOST_STEPS
    return None if far else place_of(north, steps[1] if (match[3] or match[5]) == "e" else -steps[1])
