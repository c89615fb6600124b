"""Nine Men's Morris once more, written from its rules alone: points on three rings, and words made and read as text.

A position is plain: who stands where, the men in hand, whose turn it is. Nothing of the package is used.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple

CORNERS = ((0, 0), (0, 3), (0, 6), (3, 6), (6, 6), (6, 3), (6, 0), (3, 0))
"""The eight points of the outer ring, one after the other."""


def point(ring: int, spot: int) -> str:
    """Return the name of a point: rings from the outer one, spots as in CORNERS."""
    file, rank = (3 + (at - 3) * (3 - ring) // 3 for at in CORNERS[spot % 8])
    return "abcdefg"[file] + "1234567"[rank]


POINTS = sorted(point(ring, spot) for ring, spot in product(range(3), range(8)))
SIDES = [{point(ring, spot + by) for by in range(3)} for ring in range(3) for spot in (0, 2, 4, 6)]
SPOKES = [{point(ring, spot) for ring in range(3)} for spot in (1, 3, 5, 7)]
MILLS = SIDES + SPOKES
NEAR: dict[str, set[str]] = {name: set() for name in POINTS}
for one, other in [
    *((point(ring, spot), point(ring, spot + 1)) for ring in range(3) for spot in range(8)),
    *((point(ring, spot), point(ring + 1, spot)) for ring in range(2) for spot in (1, 3, 5, 7)),
]:
    NEAR[one].add(other)
    NEAR[other].add(one)


class Position(NamedTuple):
    """Whose men stand where, by seat; how many are in hand; the seat to move; whether three men fly."""

    men: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    hands: tuple[int, int] = (9, 9)
    seat: int = 1
    flying: bool = True


START = Position()


def words(position: Position) -> Iterator[str]:
    """Yield every legal word of the seat to move, whatever ended the game."""
    own, theirs = position.men[position.seat - 1], position.men[2 - position.seat]
    free = [name for name in POINTS if name not in own and name not in theirs]
    if position.hands[position.seat - 1]:
        ways = [("", to) for to in free]
    elif len(own) <= 3 and position.flying:
        ways = list(product(sorted(own), free))
    else:
        ways = [(start, to) for start in sorted(own) for to in free if to in NEAR[start]]
    for start, to in ways:
        word = f"{start}-{to}" if start else f"@{to}"
        now = own - {start} | {to}
        if any(to in mill and mill <= now for mill in MILLS):
            loose = {man for man in theirs if not any(man in mill and mill <= theirs for mill in MILLS)}
            yield from (f"{word}x{man}" for man in sorted(loose or theirs))
            if not theirs:
                yield word
        else:
            yield word


def after(position: Position, word: str) -> Position:
    """Return the position after a legal word."""
    way, _, man = word.partition("x")
    start, _, to = way.lstrip("@").rpartition("-")
    men, hands = list(position.men), list(position.hands)
    own, theirs = position.seat - 1, 2 - position.seat
    men[own] = men[own] - {start} | {to}
    men[theirs] = men[theirs] - {man}
    hands[own] -= way.startswith("@")
    return Position((men[0], men[1]), (hands[0], hands[1]), 3 - position.seat, position.flying)


def result(position: Position, before: "Counter[Position]") -> tuple[str, str]:
    """Return the result and the rule of an ended game, two empty texts while it goes on.

    before: how often each position has occurred, this one too.
    """
    for seat in (1, 2):
        if len(position.men[seat - 1]) + position.hands[seat - 1] < 3:
            return ("0-1" if seat == 1 else "1-0"), "bare"
    if before[position] >= 3:
        return "1/2-1/2", "repetition"
    if next(words(position), None) is None:
        return ("0-1" if position.seat == 1 else "1-0"), "blocked"
    return "", ""


@lru_cache(1 << 20)
def count(position: Position, depth: int) -> int:
    """Return how many sequences of legal words there are, as long as too few men alone end a game."""
    if depth == 0:
        return 1
    if min(len(position.men[at]) + position.hands[at] for at in (0, 1)) < 3:
        return 0
    if depth == 1:
        return sum(1 for _ in words(position))
    return sum(count(after(position, word), depth - 1) for word in words(position))


def stated(text: str) -> Position:
    """Return the position of a tag Setup."""
    ranks, seat, hands = text.split()
    men: tuple[set[str], set[str]] = (set(), set())
    for rank, row in zip("7654321", ranks.split("/"), strict=True):
        names = [name for name in POINTS if name[1] == rank]
        signs = "".join("." * int(sign) if sign.isdecimal() else sign for sign in row)
        for name, sign in zip(names, signs, strict=True):
            if sign != ".":
                men["XO".index(sign)].add(name)
    first, second = map(int, hands.split(":"))
    return Position((frozenset(men[0]), frozenset(men[1])), (first, second), int(seat[1]))


def played(random: Random, position: Position = START, most: int = 300) -> tuple[list[str], str, str]:
    """Return the words of a random game, its result and the rule that ended it."""
    line, occurred = list[str](), Counter({position: 1})
    while len(line) < most:
        ends = result(position, occurred)
        if ends[0]:
            return line, *ends
        # Half of all moves let a mill go, so that games are long enough to end in every way.
        ways = list(words(position))
        quiet = [word for word in ways if "x" not in word]
        word = random.choice(quiet if quiet and random.random() < 0.7 else ways)
        position = after(position, word)
        occurred = occurred if "x" not in word and "@" not in word else Counter()
        occurred[position] += 1
        line.append(word)
    return line, *result(position, occurred)
