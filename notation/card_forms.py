"""Words of cards that are tapped one after the other, for the forms of card games: their keys and their lists."""

from collections.abc import Collection, Iterable, Iterator

from cartulary.notation.contract import FormBranch as Branch
from cartulary.notation.contract import FormThing as Thing
from cartulary.notation.contract import SuitKeys, WordForm

TRUMP_SIGN = "★"
"""What stands on the key that opens the keys of trumps, and before the number of a trump."""
HAND = "Hand"
"""What stands on the key that opens the keys of a hand."""
UNSEEN = "~"
"""A card that nobody saw, as words name it."""


def suit_keys(sign: str, name: str, cards: Iterable[str]) -> SuitKeys:
    """Return the keys of a suit whose cards have their ranks first, such as ``7C``; each key shows the rank.

    Args:
        sign: What stands on the suit's own key.
        name: What screen readers call the suit.
        cards: The names of its cards, in the order of the keys.
    """
    return SuitKeys(sign, name, tuple((card, rank_label(card)) for card in cards))


def rank_label(card: str) -> str:
    """Return what stands on the key of a card with its rank first, among the keys of its suit: ``10`` for ``XC``."""
    return "10" if card[:-1] == "X" else card[:-1]


def things(cards: Iterable[str], *, unseen: bool = False) -> tuple[Thing, ...]:
    """Return cards, by their names, as things of a group; with ``unseen`` also ``~``, one nobody saw, at the end."""
    named = tuple(map(Thing, cards))
    return (*named, Thing(UNSEEN, label="unseen")) if unseen else named


def unseen_cards(count: int) -> str:
    """Return so many cards that nobody saw as a word lists them: ``~,~,~``."""
    return ",".join(UNSEEN * count)


class CardSteps:
    """A part of a word that names several cards, each by one step.

    Attributes:
        name: What its nodes are called in the form; no other list may have the same.
        size: How many cards there are at most. The last one ends the word, or leads to ``next_node``.
        group: The group of the cards.
        after: The text after the cards.
        next_node: The node that follows the last card; empty if the word is complete.
        unseen: Whether one key names all cards that are left as unseen.
        each: Whether another key names a single card as unseen, as cards known may follow it.
        ends: The numbers of cards, below ``size``, after which the word may be complete; ``after`` must be empty then.
        title: What the cards are, such as ``Put away``; with the count of cards it is the title of each node.
    """

    def __init__(
        self,
        name: str,
        size: int,
        group: str,
        after: str = "",
        next_node: str = "",
        *,
        unseen: bool = True,
        each: bool = False,
        ends: Collection[int] = (),
        title: str = "",
    ) -> None:
        self.title = title
        self.name, self.size, self.group, self.after, self.next_node = name, size, group, after, next_node
        self.unseen, self.each = unseen, each
        self.ends = tuple(f"{name} {count}" for count in ends if 0 < count < size)

    def first(self, text: str, label: str = "") -> Iterator[Branch]:
        """Yield the branches that begin the list after a text: the first card, and all cards unseen by one key.

        Args:
            text: What the word begins with.
            label: The text of a key that leads to the first card; empty if the card is tapped at once.
        """
        if label:
            yield Branch(text, label, next_node=f"{self.name} 0")
        else:
            yield from self._ways(text, 0)

    def nodes(self) -> dict[str, tuple[Branch, ...]]:
        """Return the branches of each node of the list by its name, which has the count of cards so far: ``away 0``."""
        return {f"{self.name} {count}": tuple(self._ways("," if count else "", count)) for count in range(self.size)}

    def titles(self) -> dict[str, str]:
        """Return the title of each node by its name: ``{"away 1": "Put away (1 of 6)"}``; empty without a title."""
        counts = range(self.size) if self.title else ()
        return {f"{self.name} {count}": f"{self.title} ({count} of {self.size})" for count in counts}

    def _ways(self, text: str, count: int) -> Iterator[Branch]:
        """Yield the ways on after ``count`` cards; ``text`` goes before the next one.

        They are one card, one card unseen (``each``), and all that are left unseen (``unseen``).
        """
        last = count + 1 == self.size
        then = self.next_node if last else f"{self.name} {count + 1}"
        yield Branch(text, group=self.group, after=self.after if last else "", next_node=then)
        left = self.size - count
        if self.each and left > 1:
            yield Branch(f"{text}{UNSEEN}", "1 unseen", next_node=then)
        if self.unseen:
            yield Branch(f"{text}{unseen_cards(left)}{self.after}", f"{left} unseen", next_node=self.next_node)


class FormDraft:
    """A form that is being put together.

    Attributes:
        seat: The seat that writes, 0 for who writes for all.
        start: The branches of the first node.
        rare: Those that are shown only after a tap on a key of their own.
        nodes: The branches of the other nodes by name.
        groups: The things of each group by name.
        ends: The nodes at which a word may be complete.
        titles: The titles of nodes by name.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.start: list[Branch] = []
        self.rare: list[Branch] = []
        self.nodes: dict[str, tuple[Branch, ...]] = {}
        self.groups: dict[str, tuple[Thing, ...]] = {}
        self.ends: list[str] = []
        self.titles: dict[str, str] = {}

    def writes(self, seat: int) -> bool:
        """Say whether the words of a seat, 0 for the table, are written here: by that seat or by who writes for all."""
        return self.seat in (0, seat)

    def list_cards(self, cards: CardSteps, text: str, label: str = "", *, rare: bool = False) -> None:
        """Let a word begin with a list of cards after a text.

        Args:
            cards: The list.
            text: What the word begins with.
            label: The text of a key that leads to the first card; empty if the card is tapped at once.
            rare: Whether it is shown only after a tap on the key of rare words.
        """
        (self.rare if rare else self.start).extend(cards.first(text, label))
        self.nodes |= cards.nodes()
        self.titles |= cards.titles()
        self.ends += (end for end in cards.ends if end not in self.ends)

    def form(self) -> WordForm:
        """Return the finished form; rare words are at a node ``more``, after a key of their own, if there are any."""
        more = (Branch("", "More…", next_node="more"),) if self.rare else ()
        rare = {"more": tuple(self.rare)} if self.rare else {}
        return WordForm(
            {"start": (*self.start, *more)} | rare | self.nodes, self.groups, tuple(self.ends), titles=self.titles
        )
