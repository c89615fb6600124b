"""How cards nobody saw may lie: where each may be, and whether any layout fits all that is known.

Every card lies in exactly one *place* of a known size (a hand, the discards); a *layout* is one way to lay them all. A
card's *home* is the set of places where it may lie, one bit for each place. Knowledge only grows: a ``Fact`` narrows
homes from a ply on. A ``Question`` is what must be true for an earlier move to have been legal. It is answered
*badly* if that is not so, and the move was illegal. It is put to the facts alone and not to other questions, so that
one breach never hides another.

A card that was played and that nobody wrote down, an ``UnnamedCard``, is a place of its own for one card, taken out of
the hand it came from. In homes the bits of the unnamed cards come after those of the places, in the order played.

A layout exists if no set of places is the only home of more cards than it holds (Hall's condition). Only unions of
homes need to be checked: for any other set of places, the union of the homes inside it is the only home of the same
cards, and holds no more. The first union that overflows is the reason to print. For example, with two places of two
cards each::

    5H, 6H, 7H at home in {p1} only   ->  {p1} holds 2 but is the only home of 3: no layout
    5H in {p1}, 6H and 7H in {p1, p2} ->  {p1} 1 of 2, {p1, p2} 3 of 4: a layout exists
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter

from msgspec import Struct, field

from cartulary.engine.cards.deck import cards_of, set_of
from cartulary.engine.deadline import check_deadline

Homes = dict[int, int]
"""By card, the places where it may lie, one bit for each place."""

MOST_UNIONS = 4096
"""How many unions of homes are checked. If unnamed cards make more, a layout counts as fitting, proving nothing."""

MOST_WAYS = 512
"""How many ways to answer conditional questions well are tried; after that one counts as found: it proves nothing."""

MOST_UNNAMED = 6
"""How many unnamed cards a deal may have for layouts to be checked. With more, questions stay open."""


class Fact(Struct, frozen=True, gc=False):
    """Something seen: since a ply it is known that cards lie in one of some places.

    Attributes:
        ply: the ply since which it is known.
        cards: the cards.
        places: the places, one bit each.
        played: True if the cards were played by name, so that none of them is an unnamed card. Cards that were only
            shown may still become one later.
        bars: the number of an unnamed card that is none of these cards, whatever the places; -1 for no such card.
    """

    ply: int
    cards: int
    places: int
    played: bool = False
    bars: int = -1


class UnnamedCard(Struct, frozen=True, gc=False):
    """A card that was played and that nobody wrote down.

    Attributes:
        ply: the ply at which it was played.
        place: the place from which it was played.
        cards: the cards that it may be by what everybody has seen: not played by name,
            nor shown in a hand since, nor barred by its trick.
    """

    ply: int
    place: int
    cards: int


class Question(Struct, frozen=True, gc=False):
    """A condition for an earlier move to have been legal: none of some cards lay in a place.

    Attributes:
        ply: the ply of the move.
        key: the rule that sets the condition.
        place: the place.
        cards: the cards.
        refused: True if the move broke another rule anyway, so that only a breach of this one is reported.
        conditions: (number, cards) of unnamed cards. The rule binds only if each of them is one of its cards.
    """

    ply: int
    key: str
    place: int
    cards: int
    refused: bool = False
    conditions: tuple[tuple[int, int], ...] = field(default=(), name="given")


class Misfit(Struct, frozen=True):
    """The reason why no layout fits: some cards can only lie in some places, which hold fewer.

    Attributes:
        cards: the cards.
        places: the places, one bit each.
        holds: how many cards the places hold.
    """

    cards: int
    places: int
    holds: int


class Places(Struct, frozen=True):
    """The places of a deal, and the cards that lie in them.

    Attributes:
        cards: the cards.
        sizes: by place, how many cards it holds; the sizes add up to the number of cards.
    """

    cards: int
    sizes: tuple[int, ...]

    @property
    def everywhere(self) -> int:
        """All places, one bit each: the home of a card of which nothing is known."""
        return (1 << len(self.sizes)) - 1


def with_unnamed(where: Places, unnamed_cards: Sequence[UnnamedCard]) -> Places:
    """Return the places with one more place, for one card, for each unnamed card; its hand holds one card less.

    The new places come after the others, in the order of the unnamed cards.
    """
    if not unnamed_cards:
        return where
    sizes = list(where.sizes)
    for unnamed_card in unnamed_cards:
        sizes[unnamed_card.place] -= 1
    return Places(where.cards, (*sizes, *[1] * len(unnamed_cards)))


def places_since(where: Places, unnamed_cards: Sequence[UnnamedCard], place: int, since: int) -> int:
    """Return the places where a card may be by now that was in a hand at a ply, one bit each.

    They are the hand itself, and every unnamed card that was played from it since.

    Args:
        where: the places without the unnamed cards.
        unnamed_cards: the unnamed cards.
        place: the hand.
        since: the ply.
    """
    bits, first = 1 << place, len(where.sizes)
    for number, unnamed_card in enumerate(unnamed_cards):
        if unnamed_card.place == place and unnamed_card.ply >= since:
            bits |= 1 << first + number
    return bits


def homes_of(
    where: Places, facts: Iterable[Fact], until: int | None = None, unnamed_cards: Sequence[UnnamedCard] = ()
) -> Homes:
    """Return the home of every card by the facts.

    Args:
        where: the places without the unnamed cards.
        facts: the facts.
        until: only what was known after this ply counts; by default everything.
        unnamed_cards: the unnamed cards.
    """
    unnamed_cards = _unnamed_by(unnamed_cards, until)
    homes = dict.fromkeys(cards_of(where.cards), with_unnamed(where, unnamed_cards).everywhere)
    for fact in facts:
        if until is None or fact.ply <= until:
            places = _places_of(where, fact, unnamed_cards) if unnamed_cards else fact.places
            for card in cards_of(fact.cards):
                homes[card] &= places
    return homes


def _unnamed_by(unnamed_cards: Sequence[UnnamedCard], until: int | None) -> Sequence[UnnamedCard]:
    """Return the unnamed cards that were played at or before the ply ``until``; all if it is None."""
    return (
        [unnamed_card for unnamed_card in unnamed_cards if until is None or unnamed_card.ply <= until]
        if unnamed_cards
        else unnamed_cards
    )


def _places_of(where: Places, fact: Fact, unnamed_cards: Sequence[UnnamedCard]) -> int:
    """Return the places that a fact allows its cards, one bit each, those of unnamed cards included.

    A card that was seen in a hand may have been played unnamed from there since.
    """
    if fact.bars >= 0:
        return ~(1 << len(where.sizes) + fact.bars)
    if fact.played:
        return fact.places
    bits = 0
    for place in cards_of(fact.places):
        bits |= places_since(where, unnamed_cards, place, fact.ply)
    return bits


def misfit(where: Places, homes: Mapping[int, int]) -> Misfit | None:
    """Return some cards that have too little room to lie in, the reason why no layout fits; None if one fits.

    It is None also if there are more than MOST_UNIONS unions of homes, which proves nothing.

    Args:
        where: the places, those of unnamed cards included.
        homes: the home of each card.

    Source: P. Hall, On Representatives of Subsets (1935), for places that hold several cards.
    """
    overfull = _overfull(where.sizes, frozenset(Counter(homes.values()).items()))
    if overfull is None:
        return None
    places, holds = overfull
    return Misfit(set_of(card for card, home in homes.items() if not home & ~places), places, holds)


@lru_cache(1 << 12)
def _overfull(sizes: tuple[int, ...], alike: frozenset[tuple[int, int]]) -> tuple[int, int] | None:
    """Return places that are the only home of more cards than they hold, and how many they hold; None if none are.

    With more than MOST_UNIONS unions of homes the answer is None, which proves nothing. The answers are cached, because
    whoever tries card after card meets the same homes again and again.

    Args:
        sizes: by place, how many cards it holds.
        alike: (home, how many cards have it).
    """
    unions = {0}
    for home, _ in alike:
        unions |= {union | home for union in unions}
        if len(unions) > MOST_UNIONS:
            return None
    for places in sorted(unions):
        holds = sum([size for place, size in enumerate(sizes) if places >> place & 1])
        if sum([count for home, count in alike if not home & ~places]) > holds:
            return places, holds
    return None


def without(homes: Mapping[int, int], cards: int, places: int) -> Homes:
    """Return a copy of the homes in which none of some cards (bits) may lie in some places (bits)."""
    rest = dict(homes)
    for card in cards_of(cards):
        if card in rest:
            rest[card] &= ~places
    return rest


def holds_any(where: Places, homes: Mapping[int, int], places: int, cards: int) -> bool | None:
    """Return whether some places hold any of some cards.

    Args:
        where: the places, those of the unnamed cards included.
        homes: the home of each card; some layout must fit them.
        places: the places in question, one bit each.
        cards: the cards in question.

    Returns:
        True if they do in every layout that fits, False if they do in none, None if the layouts differ.
    """
    possible = [card for card in cards_of(cards) if homes.get(card, 0) & places]
    if not possible:
        return False
    if any(not homes[card] & ~places for card in possible):
        return True
    if misfit(where, without(homes, cards, places)):
        return True
    tried: set[int] = set()
    for card in possible:
        # Cards that may lie in the same places are alike here.
        if homes[card] not in tried:
            tried.add(homes[card])
            if not misfit(where, dict(homes) | {card: homes[card] & places}):
                return None
    return False


def answer(
    where: Places, homes: Mapping[int, int], questions: Sequence[Question], unnamed_cards: Sequence[UnnamedCard] = ()
) -> bool | None:
    """Return whether the questions of a move are answered badly, so that the move was not legal.

    Args:
        where: the places without the unnamed cards.
        homes: the home of each card; some layout must fit them.
        questions: the questions.
        unnamed_cards: the unnamed cards.

    Returns:
        True if in every layout that fits at least one of them is, False if none is in any, None if the layouts differ.

    Raises:
        DeadlineExceeded: the deadline has passed.
    """
    check_deadline()
    table = with_unnamed(where, unnamed_cards)
    if not _some_layout_fits(where, table, homes, questions, unnamed_cards):
        return True
    for question in questions:
        bound = dict(homes)
        for number, cards in question.conditions:
            bound = without(bound, where.cards & ~cards, 1 << len(where.sizes) + number)
        if misfit(table, bound):
            continue
        if (
            holds_any(table, bound, places_since(where, unnamed_cards, question.place, question.ply), question.cards)
            is not False
        ):
            return None
    return False


def proves_breach(
    where: Places,
    facts: Sequence[Fact],
    questions: Sequence[Question],
    until: int | None = None,
    unnamed_cards: Sequence[UnnamedCard] = (),
) -> bool:
    """Return whether the facts leave no layout in which all the questions are answered well.

    Facts that fit no layout themselves, as after a wrong number of cards was let stand, prove nothing about a question.

    Args:
        where: the places without the unnamed cards.
        facts: the facts.
        questions: the questions.
        until: only what was known after this ply counts; by default everything.
        unnamed_cards: the unnamed cards.
    """
    unnamed_cards = _unnamed_by(unnamed_cards, until)
    homes, table = homes_of(where, facts, until, unnamed_cards), with_unnamed(where, unnamed_cards)
    return not misfit(table, homes) and not _some_layout_fits(where, table, homes, questions, unnamed_cards)


def _some_layout_fits(
    where: Places,
    table: Places,
    homes: Mapping[int, int],
    questions: Sequence[Question],
    unnamed_cards: Sequence[UnnamedCard],
) -> bool:
    """Return whether some layout answers all the questions well.

    Args:
        where: the places without the unnamed cards.
        table: the places with them.
        homes: the home of each card.
        questions: the questions.
        unnamed_cards: the unnamed cards.
    """
    # A question without conditions only narrows the homes. One with conditions either binds or does not, which
    # depends on what an unnamed card is; so that card is tried as each group of cards that meet the same conditions,
    # first as one that binds the fewest questions. Example: "p2 has no heart, if ~0 was a heart and ~1 was not".
    first, tried = len(where.sizes), 0

    def fits(homes: Mapping[int, int], remaining: Sequence[Question]) -> bool:
        """Say whether some layout with these homes answers the remaining questions well.

        After MOST_WAYS tries the answer is True, which proves nothing.
        """
        nonlocal tried
        tried += 1
        if tried > MOST_WAYS:
            return True
        narrowed, conditionals = dict(homes), [question for question in remaining if question.conditions]
        for question in remaining:
            if not question.conditions:
                bits = places_since(where, unnamed_cards, question.place, question.ply)
                for card in cards_of(question.cards & where.cards):
                    narrowed[card] &= ~bits
        if misfit(table, narrowed):
            return False
        if not conditionals:
            return True
        number = conditionals[0].conditions[0][0]
        bit = 1 << first + number
        may = set_of(card for card, home in narrowed.items() if home & bit)
        for cards in sorted(
            _groups_of_cards(may, number, conditionals),
            key=lambda cards: len(_questions_if(conditionals, number, cards)),
        ):
            if fits(without(narrowed, where.cards & ~cards, bit), _questions_if(conditionals, number, cards)):
                return True
        return False

    return fits(homes, questions)


def _groups_of_cards(may: int, number: int, questions: Sequence[Question]) -> list[int]:
    """Return the cards that an unnamed card may be, as sets, in groups that meet the same conditions of the questions.

    ``may`` is the set of all of them, and ``number`` that of the unnamed card; [] if it can be no card.
    """
    parts = [may] if may else []
    for question in questions:
        for of, cards in question.conditions:
            if of == number:
                parts = [part for group in parts for part in (group & cards, group & ~cards) if part]
    return parts


def _questions_if(questions: Sequence[Question], number: int, cards: int) -> list[Question]:
    """Return the questions that may still bind if an unnamed card is one of a group of cards.

    Their conditions on this card are met, so they are left out. A question whose condition is not met does not bind.
    """
    bound: list[Question] = []
    for question in questions:
        if all(cards & required for of, required in question.conditions if of == number):
            conditions = tuple(condition for condition in question.conditions if condition[0] != number)
            bound.append(
                Question(question.ply, question.key, question.place, question.cards, question.refused, conditions)
            )
    return bound


def deciding_ply(
    where: Places, facts: Sequence[Fact], questions: Sequence[Question], unnamed_cards: Sequence[UnnamedCard] = ()
) -> int | None:
    """Return the first ply after which no layout leaves a move legal; None while one does, and if the facts fit none.

    Args:
        where: the places without the unnamed cards.
        facts: the facts.
        questions: all questions of the move, because together they may be answered earlier than each alone. Of several
            moves, those of the last one come first.
        unnamed_cards: the unnamed cards.
    """
    ply_of_move = questions[0].ply
    plies = sorted({fact.ply for fact in facts if fact.ply > ply_of_move} | {ply_of_move})
    # Knowledge only grows: once no layout is left, there is none at any later ply. So a binary search finds the ply.
    return _first_ply(plies, lambda ply: proves_breach(where, facts, questions, ply, unnamed_cards))


def _first_ply(plies: Sequence[int], holds: Callable[[int], bool]) -> int | None:
    """Return the first of some plies (ascending) at which a condition holds; None if it holds at none.

    Once it holds it must hold at all later ones, because the plies are searched by halves.
    """
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


def minimal_clash(
    where: Places,
    facts: Sequence[Fact],
    questions: Sequence[Question],
    unnamed_cards: Sequence[UnnamedCard] = (),
    by: Callable[[Question], object] = attrgetter("ply"),
) -> tuple[Question, ...]:
    """Return a minimal set of questions that cannot all be answered well, empty if all can.

    It is minimal: without the questions of any one group in it, the others can be. The latest groups are taken out
    first, so that the earliest questions stay.

    Args:
        where: the places without the unnamed cards.
        facts: the facts.
        questions: the questions, in the order of their plies.
        unnamed_cards: the unnamed cards.
        by: returns the group of a question, by default its ply.
    """
    if not proves_breach(where, facts, questions, None, unnamed_cards):
        return ()
    clash = list(questions)
    for group in reversed(dict.fromkeys(map(by, questions))):
        fewer = [question for question in clash if by(question) != group]
        if proves_breach(where, facts, fewer, None, unnamed_cards):
            clash = fewer
    return tuple(clash)
