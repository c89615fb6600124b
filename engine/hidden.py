"""What can be known of cards nobody saw: where each may lie, and whether a deal fits all of it.

Every card lies in exactly one *place* of a known size (a hand, the discards). A card's *reading* is the set of places
it may lie in, a bit a place. Knowledge only grows: a ``Fact`` narrows readings from a ply on. A ``Question`` is what
must be true for an earlier move to have been legal; it is put to the facts alone, so that one breach never hides
another.

Whether a deal exists is Hall's condition: no set of places is the only home of more cards than it holds. There are few
places, so every set of them is looked at, and the one that overflows is the reason to print.
"""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from cartulary.engine.cards import cards_of


class Fact(Struct, frozen=True, gc=False):
    """Since ``ply`` it is known that these cards lie in one of these places."""

    ply: int
    cards: int
    places: int


class Question(Struct, frozen=True, gc=False):
    """At ``ply`` a move was legal under ``key`` only if none of ``cards`` lay in the place with this number.

    refused: the move broke another rule anyway, so that only a breach is told of it
    """

    ply: int
    key: str
    place: int
    cards: int
    refused: bool = False


class Misfit(Struct, frozen=True):
    """Why no deal fits: these cards can only lie in these places, which hold fewer."""

    cards: int
    places: int
    holds: int


class Places(Struct, frozen=True):
    """Places with their sizes, and the cards that lie in them; the sizes add up to the number of cards."""

    cards: int
    sizes: tuple[int, ...]

    @property
    def everywhere(self) -> int:
        """The reading of a card of which nothing is known."""
        return (1 << len(self.sizes)) - 1


def readings(where: Places, facts: Iterable[Fact], until: int | None = None) -> dict[int, int]:
    """Return the reading of every card, from the facts known after ply ``until``, from all without it."""
    read = dict.fromkeys(cards_of(where.cards), where.everywhere)
    for fact in facts:
        if until is None or fact.ply <= until:
            for card in cards_of(fact.cards):
                read[card] &= fact.places
    return read


def misfit(where: Places, read: dict[int, int]) -> Misfit | None:
    """Return why no deal fits the readings, None if one does.

    Source: P. Hall, On Representatives of Subsets (1935), for places that hold several cards.
    """
    confined = [0] * (where.everywhere + 1)
    for places in read.values():
        confined[places] += 1
    for place in range(len(where.sizes)):
        for places in range(len(confined)):
            if places >> place & 1:
                confined[places] += confined[places ^ 1 << place]
    for places, count in enumerate(confined):
        holds = sum(size for place, size in enumerate(where.sizes) if places >> place & 1)
        if count > holds:
            cards = sum(1 << card for card, its in read.items() if not its & ~places)
            return Misfit(cards, places, holds)
    return None


def holds_any(where: Places, read: dict[int, int], place: int, cards: int) -> bool | None:
    """Say whether the place holds any of the cards: True on every deal that fits, False on none, None on some.

    The readings must fit one another.
    """
    bit = 1 << place
    possible = [card for card in cards_of(cards) if read.get(card, 0) & bit]
    if not possible:
        return False
    if any(read[card] == bit for card in possible):
        return True
    if misfit(where, read | {card: read[card] & ~bit for card in possible}):
        return True
    tried: set[int] = set()
    for card in possible:
        # Cards that may lie in the same places are alike here.
        if read[card] not in tried:
            tried.add(read[card])
            if not misfit(where, read | {card: bit}):
                return None
    return False


def broken(where: Places, facts: Sequence[Fact], questions: Sequence[Question], until: int | None = None) -> bool:
    """Say whether the facts known after ply ``until`` leave no deal in which all the questions are answered well.

    Facts that fit no deal themselves, as after a wrong number of cards was let stand, prove nothing of a question.
    """
    read = readings(where, facts, until)
    if misfit(where, read):
        return False
    for question in questions:
        bit = 1 << question.place
        for card in cards_of(question.cards & where.cards):
            read[card] &= ~bit
    return misfit(where, read) is not None


def deciding_ply(where: Places, facts: Sequence[Fact], questions: Sequence[Question]) -> int | None:
    """Return the first ply after which no deal leaves the move legal, None while one does.

    questions: all that the move has raised; together they may be answered earlier than each alone
    Knowledge only grows, so the ply is found by halving.
    """
    asked = questions[0].ply
    plies = sorted({fact.ply for fact in facts if fact.ply > asked} | {asked})
    return _first(plies, lambda ply: broken(where, facts, questions, ply))


def _first(plies: Sequence[int], holds: Callable[[int], bool]) -> int | None:
    if not plies or not holds(plies[-1]):
        return None
    low, high = 0, len(plies) - 1
    while low < high:
        middle = (low + high) // 2
        if holds(plies[middle]):
            high = middle
        else:
            low = middle + 1
    return plies[high]


def together(where: Places, facts: Sequence[Fact], questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return the first questions that cannot all be answered well though each alone could; none if all can.

    What is returned is minimal: without any one of them the others fit.
    """

    if not broken(where, facts, questions):
        return ()
    kept = list(questions)
    for question in reversed(questions):
        fewer = [other for other in kept if other is not question]
        if broken(where, facts, fewer):
            kept = fewer
    return tuple(kept)
