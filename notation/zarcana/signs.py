"""The signs of a Zarcana word, read one after the other: seats, cards, places, minions."""

import re

from cartulary.engine.slots import UNKNOWN
from cartulary.engine.zarcana.cards import CODES
from cartulary.engine.zarcana.spaces import MOST_STEPS, POINTS, SIZES, Ref, place_of
from cartulary.notation.cgn.signs import Signs

CARD = re.compile(r"[1-9XJNQK][SWCD]|T0[0-9]|T1[0-9]|T2[01]|E[1-8]|~")
_PLACE = re.compile(r"o|([ns])([1-9][0-9]{0,3})(?:([ew])([1-9][0-9]{0,3}))?|([ew])([1-9][0-9]{0,3})")
MINION = re.compile(r"(?:p[0-9]+)?[SML](?=[onsew])")
A_CARD = "a card such as 7C, KD, T05 or E1"


class Reader(Signs):
    """A word, how far it has been read, and the minions it names with their columns."""

    def __init__(self, text: str, seats: int) -> None:
        """Begin at the first sign."""
        super().__init__(text, seats)
        self.seat_of = 0
        self.refs: list[tuple[Ref, int]] = []

    def card(self, what: str = A_CARD, unknown: bool = True) -> int:
        """Read one card; unknown: ``~`` is read too."""
        match = CARD.match(self.text, self.at)
        if match is None or (match[0] == "~" and not unknown):
            raise self.unread(f"{what}, or ~" if unknown else what)
        self.at = match.end()
        return UNKNOWN if match[0] == "~" else CODES[match[0]]

    def cards(self, ordered: bool = False) -> bytes:
        """Read cards, commas between them or none. ordered: they stay as they stand, else they are put in order."""
        cards = bytearray((self.card(),))
        while True:
            if self.has(","):
                cards.append(self.card(f"{A_CARD} behind the comma"))
            elif CARD.match(self.text, self.at):
                cards.append(self.card())
            else:
                return bytes(cards) if ordered else bytes(sorted(cards))

    def place(self, what: str = "a place such as o, n1 or s2w3") -> int:
        """Read a place."""
        match = _PLACE.match(self.text, self.at)
        if match is None:
            raise self.unread(what)
        steps = int(match[2] or 0), int(match[4] or match[6] or 0)
        if max(steps) > MOST_STEPS:
            raise self.unread(f"a place no more than {MOST_STEPS} steps away")
        self.at = match.end()
        north = steps[0] if match[1] == "n" else -steps[0]
        return place_of(north, steps[1] if (match[3] or match[5]) == "e" else -steps[1])

    def size(self) -> int:
        """Read a size."""
        size = SIZES.find(self.text[self.at : self.at + 1] or "?")
        if size < 0:
            raise self.unread("a size, S, M or L")
        self.at += 1
        return size

    def point(self) -> int:
        """Read where a minion points."""
        point = POINTS.find(self.text[self.at : self.at + 1] or "?")
        if point < 0:
            raise self.unread("u, n, e, s or w, where the minion points")
        self.at += 1
        return point

    def names_minion(self) -> bool:
        """Say whether a minion on the board is named next."""
        return MINION.match(self.text, self.at) is not None

    def minion(self) -> Ref:
        """Read a minion on the board."""
        start = self.at
        owner = self.seat() if self.text.startswith("p", self.at) else self.seat_of
        size = self.size()
        place = self.place()
        point = self.point() if self.has("'") else -1
        ref = Ref(place, owner * 3 + size, point)
        self.refs.append((ref, start + 1))
        return ref
