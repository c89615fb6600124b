"""Tarot duel's cards and the places they lie in, for the second referee; it shares nothing with the package.

Cards are their names in CGN; ``~`` is a card nobody knows. Terms: a *side* is all that belongs to one seat; a card
*laid* has a name of its own only where Empress or Emperor stands for another.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

SUITS = "DSCW"
RANKS = "123456789XJNQK"
MINORS = tuple(rank + suit for suit in SUITS for rank in RANKS)
MAJORS = tuple(f"T{number:02}" for number in range(1, 23))
COPIES = ("T04", "T05")
PLACE = {card: place for place, card in enumerate((*MINORS, *MAJORS, "~"))}
CARD = r"(?:[1-9XJNQK][DSCW]|T0[1-9]|T1[0-9]|T2[0-2]|~)"
CARDS = f"{CARD}(?:,{CARD})*"


class Fault(Exception):
    """A word that breaks a rule. key: the rule's, without the game's name."""

    def __init__(self, key: str, because: str = "") -> None:
        """Say which rule, and why."""
        super().__init__(f"{key}: {because}")
        self.key = key


class Laid(NamedTuple):
    """A card in an area, and what it counts as."""

    card: str
    name: str


def is_major(card: str) -> bool:
    """Say whether a card is a Major."""
    return card[0] == "T"


def in_order(cards: Iterable[str]) -> list[str]:
    """Return the cards as a word without an order of its own has them."""
    return sorted(cards, key=PLACE.__getitem__)


def listed(cards: Iterable[str]) -> str:
    """Return the cards as a word has them, in the order given."""
    return ",".join(cards)


def points(card: str) -> int:
    """Return what a card counts: 1 for an ace, pips, 10 for the ten and the court, 0 for a Major."""
    return 0 if card[0] in "T~" else min(RANKS.index(card[0]) + 1, 10)


def remove(cards: list[str], card: str, key: str) -> str:
    """Take a card from a hand or a pile, by name or as an unknown one; Fault under the key if it is not there.

    An unknown card taken from known ones leaves all of them unknown.
    """
    if card == "~" and cards:
        cards[:] = ["~"] * (len(cards) - 1)
    elif card in cards or "~" in cards:
        cards.remove(card if card in cards else "~")
    else:
        raise Fault(key, f"{card} of {listed(cards)}")
    return card


class Deck:
    """A deck. cards: all it holds, in no order; order: from the top, ``~`` where nobody knows."""

    def __init__(self, cards: Iterable[str]) -> None:
        """Put the cards in a deck whose order nobody knows."""
        self.cards = list(cards)
        self.order = ["~"] * len(self.cards)

    def shuffle(self) -> None:
        """Forget the order."""
        self.order = ["~"] * len(self.cards)

    def lie(self, known: Sequence[str]) -> None:
        """Learn how the deck lies, from the top. Raises Fault ``effect`` where that cannot be."""
        if len(known) > len(self.cards):
            raise Fault("effect", "more cards than the deck has")
        old = self.order
        if any("~" not in (old[at], card) and old[at] != card for at, card in enumerate(known)):
            raise Fault("effect", "the top of the deck was known")
        order = [old[at] if card == "~" else card for at, card in enumerate(known)] + old[len(known) :]
        missing = Counter(card for card in order if card != "~") - Counter(self.cards)
        if missing.total() > self.cards.count("~"):
            raise Fault("effect", f"not in the deck: {sorted(missing)}")
        self.order = order

    def hidden(self) -> Counter[str]:
        """Return the cards whose place in the deck nobody knows."""
        return Counter(self.cards) - Counter(card for card in self.order if card != "~")

    def draw(self, card: str, key: str) -> str:
        """Take the top card, of which the word says ``card``; return its name as far as known."""
        if not self.cards:
            raise Fault(key, "the deck is empty")
        top = self.order[0]
        if "~" not in (top, card) and top != card:
            raise Fault(key, f"{card} drawn, {top} on top")
        if top == "~" and card not in ("~", *self.hidden()) and "~" not in self.cards:
            raise Fault(key, f"{card} is not among the cards that may lie on top")
        got = top if card == "~" else card
        self.order = self.order[1:]
        remove(self.cards, got, key)
        return got

    def find(self, card: str, key: str) -> str:
        """Take a card from anywhere; the deck is shuffled after it."""
        remove(self.cards, card, key)
        self.shuffle()
        return card

    def put(self, card: str) -> None:
        """Put a card on top."""
        self.cards.append(card)
        self.order = [card, *self.order]


class Side:
    """What belongs to a seat. tag: the cards of its Deck tag; down: the face-down row from the left.

    mixed: nobody knows which face-down card lies where; dark: not all know; ready: the card that lies ready as Justice
    last: the last action against this seat that Judgment may repeat, who did it, and whether it was itself a repetition
    """

    def __init__(self, number: int, tag: Sequence[str]) -> None:
        """Put all cards in the deck."""
        self.number, self.tag = number, list(tag)
        self.deck = Deck(tag)
        self.hand: list[str] = []
        self.up: list[Laid] = []
        self.down: list[Laid] = []
        self.pile: list[str] = []
        self.gone: list[str] = []
        self.strong = self.out = self.mixed = self.dark = False
        self.ready = ""
        self.last: tuple[str, int, bool] | None = None

    @property
    def eighth(self) -> int:
        """The size of the opening hand."""
        return len(self.tag) // 8

    @property
    def stake(self) -> int:
        """How many cards are set down in a challenge, the face-up one too, if there are as many."""
        return min(len(self.tag) // 4, len(self.deck.cards))

    def points(self) -> int:
        """Return the points of the area."""
        return sum(points(laid.name) for laid in (*self.up, *self.down))

    def suits(self) -> int:
        """Return how many complete suits lie in the area, a suit twice as two."""
        names = Counter(laid.name for laid in (*self.up, *self.down))
        return sum(min(names[rank + suit] for rank in RANKS) for suit in SUITS)

    def copies(self, name: str) -> bool:
        """Say whether Empress or Emperor may stand for this card: it is in the Deck tag and neither of them."""
        return name not in COPIES and (name in self.tag or "~" in self.tag)

    def find_up(self, card: str) -> Laid:
        """Take a face-up card of the area. Raises Fault ``in-area``."""
        found = next((laid for laid in self.up if laid.card == card), None)
        if found is None:
            raise Fault("in-area", f"{card} does not lie face up with p{self.number}")
        self.up.remove(found)
        return found

    def find_down(self, place: int) -> Laid:
        """Take the face-down card of a place, counted from 1. Raises Fault ``in-area``."""
        self.check_down(place)
        laid = self.down.pop(place - 1)
        if not self.mixed:
            return laid
        self.down = [Laid("~", "~")] * len(self.down)
        return Laid("~", "~")

    def check_down(self, place: int) -> None:
        """Raise Fault ``in-area`` where no card lies face down at a place."""
        if not 1 <= place <= len(self.down):
            raise Fault("in-area", f"p{self.number} has no a{place}")

    def show_down(self, place: int, card: str) -> Laid:
        """Take the face-down card of a place, which is shown to be this one. Raises Fault ``challenge-winner``."""
        if not self.mixed and self.down[place - 1].card not in (card, "~"):
            raise Fault("challenge-winner", f"{card} is not the card at a{place}")
        found = self.down[place - 1]
        if self.mixed or found.card == "~":
            found = next((laid for laid in self.down if laid.card == card), Laid(card, card))
            if found not in self.down:
                self.down.pop(place - 1)
                return found
        self.down.remove(found)
        return found

    def lay(self, laid: Laid, row: int = 0) -> None:
        """Put a card in the area, face up or face down at a place; a Major that stands for nothing goes to the hand."""
        if is_major(laid.name):
            self.hand.append(laid.card)
        elif row:
            self.down.insert(row - 1, laid)
        else:
            self.up.append(laid)

    def everything(self) -> list[str]:
        """Return every card that lies with this seat, those out of play too."""
        area = [laid.card for laid in (*self.up, *self.down)]
        return [*self.deck.cards, *self.hand, *area, *self.pile, *self.gone, *([self.ready] if self.ready else [])]
