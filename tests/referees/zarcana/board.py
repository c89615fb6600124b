"""Zarcana's cards, places, pyramids and hands, for the second referee; it shares nothing with the package.

Cards are their names in CGN; ``~`` is a card nobody knows. Terms: a *stack* is the cards of one space, the top one
last; a *space* is a pair of steps from the centre, east and north; a *minion* is known by a number of its own.
"""

import re
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

SUITS = "SWCD"
RANKS = "123456789XJNQK"
COURT = "JNQK"
SIZES = "SML"
TRUMPS = tuple(f"T{number:02}" for number in range(22))
EXTRAS = {
    f"E{number}": name
    for number, name in enumerate(
        ("doppelganger", "gateway", "assassin", "evil-eye", "harvest", "miser", "plague", "holy-grail"), 1
    )
}
TAROT = (*(rank + suit for suit in SUITS for rank in RANKS), *TRUMPS)
RANKING = {card: at for at, card in enumerate((*TAROT, *EXTRAS, "~"))}
CARD = r"(?:[1-9XJNQK][SWCD]|T[01]\d|T2[01]|E[1-8]|~)"
CARDS = f"{CARD}(?:,{CARD})*"
PLACE = r"(?:o|[ns][1-9]\d*(?:[ew][1-9]\d*)?|[ew][1-9]\d*)"
MINION = rf"(?:p\d)?[SML]{PLACE}(?:'[nesuw])?"
STEPS = {"u": (0, 0), "n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
FIRST_NINE = ("n1w1", "n1", "n1e1", "w1", "o", "e1", "s1w1", "s1", "s1e1")

Space = tuple[int, int]


class Fault(Exception):
    """A word that breaks a rule. key: the rule's, without the game's name."""

    def __init__(self, key: str, because: str = "") -> None:
        """Say which rule, and why."""
        super().__init__(f"{key}: {because}")
        self.key = key


class Laid(NamedTuple):
    """A card on the board. down: face down; cursed: an Evil Eye looked at it."""

    card: str
    down: bool = False
    cursed: bool = False


class Minion(NamedTuple):
    """A pyramid on the board. points: ``u`` where it stands, else where it lies to."""

    owner: int
    size: str
    space: Space
    points: str

    def target(self) -> Space:
        """Return the space it points at."""
        return step(self.space, self.points)


def step(space: Space, way: str) -> Space:
    """Return the space one step away, the same one for ``u``."""
    return space[0] + STEPS[way][0], space[1] + STEPS[way][1]


def around(space: Space) -> list[Space]:
    """Return the four spaces that touch a space."""
    return [step(space, way) for way in "nesw"]


def space_of(place: str) -> Space:
    """Read a place."""
    ways = re.findall(r"([nesw])(\d+)", place)
    return (
        sum(STEPS[way][0] * int(steps) for way, steps in ways),
        sum(STEPS[way][1] * int(steps) for way, steps in ways),
    )


def place_of(space: Space) -> str:
    """Write a place."""
    east, north = space
    text = f"{'n' if north > 0 else 's'}{abs(north)}" if north else ""
    text += f"{'e' if east > 0 else 'w'}{abs(east)}" if east else ""
    return text or "o"


def in_order(cards: Iterable[str]) -> list[str]:
    """Return the cards as one operand has them."""
    return sorted(cards, key=RANKING.__getitem__)


def listed(cards: Iterable[str]) -> str:
    """Return the cards as one operand has them, with commas."""
    return ",".join(in_order(cards))


def value(laid: Laid) -> int:
    """Return what a top card counts."""
    if laid.cursed or laid.card[0] in "E~":
        return 0
    if laid.card[0] == "T":
        return int(laid.card[1:])
    return 11 if laid.card[0] in COURT else RANKS.index(laid.card[0]) + 1


class Board:
    """All that lies on the table. deck: the next card first; discards: the last one put away last.

    Unknown cards of hands, deck and board are taken to be what a word says, as long as that card is nowhere else.
    seed: where given, the deck of a reshuffle is known, and the same for every copy
    drawn: the cards a word drew without naming them, each with whether all could see it
    """

    def __init__(self, seats: int, cards: Iterable[str], seed: str | None = None) -> None:
        """Sit down; nobody knows any card yet."""
        self.cards = frozenset(cards)
        self.seed = seed
        self.stacks: dict[Space, list[Laid]] = {space_of(place): [Laid("~")] for place in FIRST_NINE}
        self.minions: dict[int, Minion] = {}
        self.next_number = 1
        self.hands = {seat: ["~"] * 3 for seat in range(1, seats + 1)}
        self.deck = ["~"] * (len(self.cards) - 9 - 3 * seats)
        self.discards: list[str] = []
        self.reshuffles = 0
        self.drawn: list[tuple[str, bool]] = []

    def copied(self, board: "Board") -> None:
        """Make this board like another."""
        self.cards, self.seed, self.next_number = board.cards, board.seed, board.next_number
        self.stacks = {space: list(stack) for space, stack in board.stacks.items()}
        self.minions = dict(board.minions)
        self.hands = {seat: list(hand) for seat, hand in board.hands.items()}
        self.deck, self.discards = list(board.deck), list(board.discards)
        self.reshuffles, self.drawn = board.reshuffles, list(board.drawn)

    # --- cards ---

    def unseen(self, card: str) -> bool:
        """Say whether no place is known where the card lies."""
        known = {*self.deck, *self.discards, *(one for hand in self.hands.values() for one in hand)}
        known |= {laid.card for stack in self.stacks.values() for laid in stack}
        return card in self.cards and card not in known

    def remove(self, cards: list[str], card: str, key: str) -> str:
        """Take a card from a hand or a pile; Fault under the key if it is not there.

        An unknown card taken leaves all of them unknown.
        """
        if card == "~" and cards:
            cards[:] = ["~"] * (len(cards) - 1)
        elif card in cards:
            cards.remove(card)
        elif "~" in cards and self.unseen(card):
            cards.remove("~")
        else:
            raise Fault(key, f"{card} of {listed(cards)}")
        return card

    def left(self) -> int:
        """Return how many cards can still be drawn."""
        return len(self.deck) + len(self.discards)

    def draw(self, named: list[str], public: bool = False) -> list[str]:
        """Draw as many cards as are named, ``~`` for one unnamed; in any order, as one operand has them."""
        found = []
        for _ in named:
            if not self.deck:
                self.reshuffle()
            found.append(self.deck.pop(0))
        asked, open_draws = [card for card in named if card != "~"], named.count("~")
        for card in found:
            if card in asked:
                asked.remove(card)
        known = [card for card in found if card != "~" and card not in named]
        if len(known) > open_draws or len(asked) > found.count("~") or not all(map(self.unseen, asked)):
            raise Fault("deck-order", f"{listed(named)} of {listed(found)}")
        unnamed = [*known, *["~"] * (open_draws - len(known))]
        self.drawn += [(card, public) for card in unnamed]
        return [card for card in named if card != "~"] + unnamed

    def reshuffle(self) -> None:
        """Make a deck of the discards."""
        self.reshuffles += 1
        cards, self.discards = in_order(self.discards), []
        if self.seed is None:
            self.deck = ["~"] * len(cards)
        else:
            Random(f"{self.seed} {self.reshuffles}").shuffle(cards)
            self.deck = cards

    def top(self, space: Space) -> Laid | None:
        """Return the top card of a space."""
        stack = self.stacks.get(space)
        return stack[-1] if stack else None

    def lay(self, space: Space, laid: Laid) -> None:
        """Lay a card on a space."""
        self.stacks.setdefault(space, []).append(laid)

    def lift(self, space: Space, shown: str) -> str:
        """Take the top card off a space; one that lies face down is shown."""
        laid = self.stacks[space].pop()
        if not self.stacks[space]:
            del self.stacks[space]
        return self.face(laid, shown) if laid.down or laid.card == "~" else laid.card

    def face(self, laid: Laid, shown: str) -> str:
        """Return the card that is shown where a card lay. Raises Fault ``wheel`` where another one lay there."""
        if not shown or shown == "~":
            return laid.card
        if laid.card not in ("~", shown) or (laid.card == "~" and not self.unseen(shown)):
            raise Fault("wheel", f"{shown}, where {laid.card} lay")
        return shown

    # --- the score ---

    def held(self, seat: int) -> list[int]:
        """Return the values of the spaces where a seat is alone, the best first."""
        owners: dict[tuple[int, int], set[int]] = {}
        for minion in self.minions.values():
            owners.setdefault(minion.space, set()).add(minion.owner)
        alone = [space for space, there in owners.items() if there == {seat} and space in self.stacks]
        return sorted((value(self.stacks[space][-1]) for space in alone), reverse=True)

    def scores(self) -> list[int]:
        """Return the points of the seats."""
        return [sum(self.held(seat)) for seat in self.hands]

    def winners(self, highest: bool) -> list[int]:
        """Return the seats that share the win. highest: the option tie=highest-card."""
        points = self.scores()
        best = [seat for seat in self.hands if points[seat - 1] == max(points)]
        if highest and len(best) > 1:
            top = max(self.held(seat)[:1] for seat in best)
            best = [seat for seat in best if self.held(seat)[:1] == top]
        return best

    def result(self, highest: bool) -> str:
        """Return the Result tag. highest: the option tie=highest-card."""
        best = self.winners(highest)
        share = "1" if len(best) == 1 else f"1/{len(best)}"
        return "-".join(share if seat in best else "0" for seat in self.hands)

    # --- minions ---

    def at(self, space: Space) -> list[int]:
        """Return the numbers of the minions in a space."""
        return [number for number, minion in self.minions.items() if minion.space == space]

    def stash(self, seat: int, size: str) -> int:
        """Return how many pyramids of a size a seat has left."""
        return 5 - sum((minion.owner, minion.size) == (seat, size) for minion in self.minions.values())

    def put(self, minion: Minion) -> int:
        """Put a minion on the board, and return its number."""
        number, self.next_number = self.next_number, self.next_number + 1
        self.minions[number] = minion
        return number

    def habitable(self, space: Space) -> bool:
        """Say whether a minion may be in a space: it has a card or touches one."""
        return space in self.stacks or any(near in self.stacks for near in around(space))

    def sweep(self) -> None:
        """Take away the minions that touch no card any more."""
        lost = [number for number, minion in self.minions.items() if not self.habitable(minion.space)]
        for number in lost:
            del self.minions[number]

    def check_room(self, space: Space, crowded: bool = False) -> None:
        """Raise Fault if no minion may come into a space. crowded: the limit does not matter."""
        if not self.habitable(space):
            raise Fault("wasteland", place_of(space))
        if not crowded and len(self.at(space)) >= 3:
            raise Fault("population", place_of(space))

    def name(self, number: int, seat: int) -> str:
        """Return a minion as a word of the seat names it."""
        one = self.minions[number]
        owner = "" if one.owner == seat else f"p{one.owner}"
        other = any(
            (two.owner, two.size, two.space) == one[:3] and two.points != one.points for two in self.minions.values()
        )
        return f"{owner}{one.size}{place_of(one.space)}" + (f"'{one.points}" if other else "")

    def find(self, text: str, seat: int, without: Iterable[int] = ()) -> int:
        """Return the number of the minion a word of the seat names.

        without: minions that are not meant. Raises Fault ``no-minion``, ValueError where two could be meant.
        """
        match = re.fullmatch(rf"(?:p(\d))?([SML])({PLACE})(?:'(.))?", text)
        if match is None:
            raise ValueError(text)
        wanted = (int(match[1] or seat), match[2], space_of(match[3]))
        named = [number for number, minion in self.minions.items() if minion[:3] == wanted]
        if match[4]:
            named = [number for number in named if self.minions[number].points == match[4]]
        if len({self.minions[number].points for number in named}) > 1:
            raise ValueError(f"{text} could mean two things")
        named = [number for number in named if number not in without]
        if not named:
            raise Fault("no-minion", text)
        return named[0]
