"""A second, slow referee for Cardmate, written from the rulebook alone.

It shares nothing with the package: squares are names in a dict, every question is answered by walking the board
again. Terms: a *step* is (files to the right, ranks forward), forward being away from the card's owner.
Rules: I. Derzhanski, Cardmate (2000), as numbered by key in the project's rulebook.
"""

import re
from collections.abc import Iterator
from functools import cache, cached_property

ORDER = "123456789XJQKA"
SUITS = "CDHS"
FILES = "abcdefghij"
SQUARES = tuple(file + str(rank) for rank in range(10) for file in FILES)
PALACE = {1: ("e0", "f0"), 2: ("e9", "f9")}

PREDEFINED = (
    "Xd 8c 9s Qc Ks Kd Qs 9d 8s Xh / 7h -- 6c Jh 5c 5s Jc 6h -- 7d / 4d 2c 3h 1s -- -- 4s 3d 2h 1c"
    " / -- -- -- -- -- -- -- -- -- -- / -- -- -- -- -- -- -- -- -- -- / -- -- -- -- -- -- -- -- -- --"
    " / -- -- -- -- -- -- -- -- -- -- / 1D 2S 3C 4H -- -- 1H 3S 2D 4C / 7C -- 6S JD 5H 5D JS 6D -- 7S"
    " / XS 8H 9C QH KC KH QD 9H 8D XC"
)

FORWARD = {(0, 1)}
SLANTED = {(-1, 1), (1, 1)}
SIDEWAYS = {(-1, 0), (1, 0)}
SLANTED_BACK = {(-1, -1), (1, -1)}
BACK = (0, -1)
SHORT = {
    "1": FORWARD,
    "2": SLANTED,
    "3": SLANTED | FORWARD,
    "4": SLANTED | SIDEWAYS,
    "5": SLANTED | FORWARD | SIDEWAYS,
    "6": SLANTED | SIDEWAYS | SLANTED_BACK,
    "7": SLANTED | SIDEWAYS | SLANTED_BACK | FORWARD,
}

WORD = re.compile(r"(?:p([12])/)?([1-9XJNQKA][CDHS]):?([a-j][0-9])(=A)?[+×x#]*[!?]*$")


@cache
def step_of(owner: int, start: str, end: str) -> tuple[int, int]:
    """Return how far the end lies to the right and forward of the start."""
    right = FILES.index(end[0]) - FILES.index(start[0])
    up = int(end[1]) - int(start[1])
    return right, up if owner == 1 else -up


@cache
def reaches(rank: str, step: tuple[int, int]) -> bool:
    """Say whether a card of the rank could make the step on an empty board."""
    right, ahead = step
    far = max(abs(right), abs(ahead))
    straight = far > 0 and 0 in step
    diagonal = far > 0 and abs(right) == abs(ahead)
    knight = sorted((abs(right), abs(ahead))) == [1, 2]
    if rank in "123456789" and step == BACK:
        return True
    if rank in SHORT:
        return step in SHORT[rank]
    return {
        "8": knight,
        "9": diagonal,
        "X": straight,
        "J": knight or ((straight or diagonal) and far <= 2),
        "Q": straight or diagonal,
        "K": far == 1,
        "A": knight or straight or diagonal,
    }[rank]


@cache
def between(start: str, end: str) -> tuple[str, ...]:
    """Return the squares passed on a straight or diagonal line; none for a knight's move."""
    right = FILES.index(end[0]) - FILES.index(start[0])
    up = int(end[1]) - int(start[1])
    far = max(abs(right), abs(up))
    if right and up and abs(right) != abs(up):
        return ()
    return tuple(
        FILES[FILES.index(start[0]) + right // far * n] + str(int(start[1]) + up // far * n) for n in range(1, far)
    )


def own_half(owner: int, square: str) -> bool:
    """Say whether the square lies on the owner's side of the midline."""
    return (int(square[1]) <= 4) == (owner == 1)


class Table:
    """A board as it lies: who stands where, who is to move, and how the game ended ("" while it goes on).

    cards: square -> (card, owner)
    seen: every position so far, for the option that forbids bringing one back
    """

    def __init__(
        self,
        cards: dict[str, tuple[str, int]],
        mover: int = 1,
        *,
        ended: str = "",
        winner: int = 0,
        loses_repeated: bool = False,
        seen: frozenset[str] = frozenset(),
    ) -> None:
        self.cards = cards
        self.mover = mover
        self.ended = ended
        self.winner = winner
        self.loses_repeated = loses_repeated
        self.seen = seen | {self.drawn}

    @classmethod
    def laid(cls, setup: str = PREDEFINED, *, loses_repeated: bool = False) -> "Table":
        """Lay the board a Setup tag describes."""
        board, mover = (setup[:-3], 2) if setup.endswith(" p2") else (setup, 1)
        cards: dict[str, tuple[str, int]] = {}
        for number, row in zip(range(9, -1, -1), board.split(" / "), strict=True):
            for file, card in zip(FILES, row.split(" "), strict=True):
                if card != "--":
                    cards[f"{file}{number}"] = (card.upper(), 1 if card[1].isupper() else 2)
        return cls(cards, mover, loses_repeated=loses_repeated)

    @property
    def rows(self) -> list[str]:
        """Return the ten ranks, 9 first, as a Setup tag writes them."""
        return [" ".join(self._shown(f"{file}{number}") for file in FILES) for number in range(9, -1, -1)]

    @property
    def drawn(self) -> str:
        """Return the position as a Setup tag, with the side to move where it is Rearhand."""
        return " / ".join(self.rows) + (" p2" if self.mover == 2 else "")

    def _shown(self, square: str) -> str:
        if square not in self.cards:
            return "--"
        card, owner = self.cards[square]
        return card if owner == 1 else card[0] + card[1].lower()

    @cached_property
    def places(self) -> dict[str, str]:
        """Return card -> square."""
        return {card: square for square, (card, _) in self.cards.items()}

    @cached_property
    def compelled(self) -> frozenset[tuple[str, str]]:
        """Return every (card, square) with which the mover can follow suit."""
        return frozenset(
            (card, end)
            for start, (card, owner) in self.cards.items()
            if owner == self.mover
            for end, (other, other_owner) in self.cards.items()
            if other_owner != owner
            and other[1] == card[1]
            and ORDER.index(other[0]) < ORDER.index(card[0])
            and self._can_take(card, owner, start, end)
        )

    def _can_take(self, card: str, owner: int, start: str, end: str) -> bool:
        step = step_of(owner, start, end)
        retreat = card[0] in "123456789" and step == BACK
        blocked = any(square in self.cards for square in between(start, end))
        return reaches(card[0], step) and not blocked and not retreat

    def broken(self, seat: int, card: str, end: str, promotes: bool = False) -> str:
        """Return the key of the first rule the move breaks, "" where it is legal."""
        if self.ended:
            return "cardmate.over"
        if seat != self.mover:
            return "cardmate.turn"
        start = self.places.get(card, "")
        if not start or self.cards[start][1] != seat:
            return "cardmate.own-card"
        step = step_of(seat, start, end)
        if not reaches(card[0], step):
            return "cardmate.reach"
        if any(square in self.cards for square in between(start, end)):
            return "cardmate.path"
        return self._broken_there(seat, card, start, end) or self._broken_by_duty(card, start, end, promotes)

    def _broken_there(self, seat: int, card: str, start: str, end: str) -> str:
        if end not in self.cards:
            return ""
        other, owner = self.cards[end]
        if owner == seat:
            return "cardmate.own-square"
        if card[0] in "123456789" and step_of(seat, start, end) == BACK:
            return "cardmate.quiet-retreat"
        if other[1] == card[1] and ORDER.index(card[0]) < ORDER.index(other[0]):
            return "cardmate.suit-order"
        return ""

    def _broken_by_duty(self, card: str, start: str, end: str, promotes: bool) -> str:
        if self.compelled and (card, end) not in self.compelled:
            return "cardmate.follow-suit"
        enters = own_half(self.mover, start) and not own_half(self.mover, end)
        if promotes and not (card[0] == "1" and enters):
            return "cardmate.promotion"
        return ""

    def legal(self) -> Iterator[tuple[str, str, bool]]:
        """Yield every legal (card, square, promotes), by trying them all; who may not move may not promote."""
        for card, owner in list(self.cards.values()):
            if owner == self.mover:
                for end in SQUARES:
                    if not self.broken(owner, card, end):
                        yield card, end, False
                        if not self.broken(owner, card, end, True):
                            yield card, end, True

    def played(self, seat: int, card: str, end: str, promotes: bool = False) -> "Table":
        """Return the table after the move, legal or not, and settle whether the game is over."""
        start = self.places[card]
        cards = dict(self.cards)
        owner = cards.pop(start)[1]
        taken = cards.pop(end, None)
        cards[end] = ("A" + card[1] if promotes else card, owner)
        after = Table(cards, 3 - seat, loses_repeated=self.loses_repeated)
        repeated = self.loses_repeated and after.drawn in self.seen
        after.seen = self.seen | after.seen
        if (
            taken
            and taken[0][0] == "K"
            and not any(other[0] == "K" and side == taken[1] for other, side in cards.values())
        ):
            after.ended, after.winner = "cardmate.both-kings", 3 - taken[1]
        elif card[0] == "K" and end in PALACE[3 - owner]:
            after.ended, after.winner = "cardmate.palace", owner
        elif repeated:
            after.ended, after.winner = "cardmate.repetition", 3 - seat
        elif next(after.legal(), None) is None:
            after.ended = "cardmate.no-move"
        return after

    def read(self, word: str) -> tuple[int, str, str, bool]:
        """Return seat, card, square and promotion of a word; the mover's seat where no prefix says another."""
        found = WORD.match(word)
        if found is None:
            raise ValueError(f"{word} is no move of Cardmate")
        seat, card, end, promotes = found.groups()
        return int(seat or self.mover), card, end, promotes is not None


def words_of(movetext: str) -> list[str]:
    """Return the words of a movetext without comments or variations, move numbers left out."""
    return [word for word in movetext.split() if not re.fullmatch(r"\d+\.+", word)]
