"""How cards nobody saw may lie: where each may be, and whether any layout fits all that is known.

Every card lies in exactly one *place* of a known size (a hand, the discards); a *layout* is one way to lay them all. A
card's *reading* is the set of places it may lie in, a bit a place. Knowledge only grows: a ``Fact`` narrows readings
from a ply on. A ``Question`` is what must be true for an earlier move to have been legal; it is put to the facts alone,
so that one breach never hides another.

A card that was played and that nobody wrote down, an ``Unnamed`` one, is a place of its own for one card, taken out of
the hand it came from. In readings the bits of the unnamed cards stand behind those of the places, in the order played.

Whether a layout exists is Hall's condition: no set of places is the only home of more cards than it holds. Only unions
of readings need be looked at, and the first that overflows is the reason to print.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter

from msgspec import Struct

from cartulary.engine.cards.deck import cards_of, set_of
from cartulary.engine.patience import go_on

Readings = dict[int, int]
"""By card, the places it may lie in, a bit a place."""

MOST_UNIONS = 4096
"""Unions of readings that are looked at; where unnamed cards make more, a layout counts as fitting, proving nothing."""

MOST_WAYS = 512
"""Ways to answer questions with conditions well that are tried; behind that one counts as found, proving nothing."""

MOST_UNNAMED = 6
"""Unnamed cards up to which layouts are weighed; where a deal has more, cards are counted, which proves less."""


class Fact(Struct, frozen=True, gc=False):
    """Since ``ply`` it is known that these cards lie in one of these places.

    played: they were played by name, so that none of them is an unnamed card; others may still become one later
    bars: the number of an unnamed card that they are not, whatever the places; -1 for none
    """

    ply: int
    cards: int
    places: int
    played: bool = False
    bars: int = -1


class Unnamed(Struct, frozen=True, gc=False):
    """A card played at ``ply`` from the place with this number, which nobody wrote down.

    cards: those it may be by what all have seen: not played by name, nor shown in a hand since
    """

    ply: int
    place: int
    cards: int


class Question(Struct, frozen=True, gc=False):
    """At ``ply`` a move was legal under ``key`` only if none of ``cards`` lay in the place with this number.

    refused: the move broke another rule anyway, so that only a breach is told of it
    given: (number, cards) of unnamed cards: the rule binds only where each of them is one of its cards
    """

    ply: int
    key: str
    place: int
    cards: int
    refused: bool = False
    given: tuple[tuple[int, int], ...] = ()


class Misfit(Struct, frozen=True):
    """Why no layout fits: these cards can only lie in these places, which hold fewer."""

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


def apart(where: Places, unnamed: Sequence[Unnamed]) -> Places:
    """Return the places with one more for each unnamed card, taken out of its hand."""
    if not unnamed:
        return where
    sizes = list(where.sizes)
    for unnamed_card in unnamed:
        sizes[unnamed_card.place] -= 1
    return Places(where.cards, (*sizes, *[1] * len(unnamed)))


def spots(where: Places, unnamed: Sequence[Unnamed], place: int, since: int) -> int:
    """Return the places, a bit each, in which a card lies that was in a hand at a ply: it, or unnamed ones since."""
    bits, first = 1 << place, len(where.sizes)
    for number, unnamed_card in enumerate(unnamed):
        if unnamed_card.place == place and unnamed_card.ply >= since:
            bits |= 1 << first + number
    return bits


def readings(
    where: Places, facts: Iterable[Fact], until: int | None = None, unnamed: Sequence[Unnamed] = ()
) -> Readings:
    """Return the reading of every card, from the facts known after ply ``until``, from all without it."""
    unnamed = _by_then(unnamed, until)
    homes = dict.fromkeys(cards_of(where.cards), apart(where, unnamed).everywhere)
    for fact in facts:
        if until is None or fact.ply <= until:
            places = _places_of(where, fact, unnamed) if unnamed else fact.places
            for card in cards_of(fact.cards):
                homes[card] &= places
    return homes


def _by_then(unnamed: Sequence[Unnamed], until: int | None) -> Sequence[Unnamed]:
    return (
        [unnamed_card for unnamed_card in unnamed if until is None or unnamed_card.ply <= until] if unnamed else unnamed
    )


def _places_of(where: Places, fact: Fact, unnamed: Sequence[Unnamed]) -> int:
    """Return where a fact lets its cards lie, the unnamed ones told apart."""
    if fact.bars >= 0:
        return ~(1 << len(where.sizes) + fact.bars)
    if fact.played:
        return fact.places
    bits = 0
    for place in cards_of(fact.places):
        bits |= spots(where, unnamed, place, fact.ply)
    return bits


def misfit(where: Places, homes: Mapping[int, int]) -> Misfit | None:
    """Return why no layout fits the readings, None if one does.

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

    alike: readings, each with how many cards have it. The same ones are asked of card after card: so it remembers.
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


def without(homes: Mapping[int, int], cards: int, places: int) -> Readings:
    """Return the readings where none of these cards lies in these places."""
    rest = dict(homes)
    for card in cards_of(cards):
        if card in rest:
            rest[card] &= ~places
    return rest


def holds_any(where: Places, homes: Mapping[int, int], places: int, cards: int) -> bool | None:
    """Say whether these places, a bit each, hold any of the cards.

    True on every layout that fits, False on none, None on some. The readings must fit one another.
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
    where: Places, homes: Mapping[int, int], questions: Sequence[Question], unnamed: Sequence[Unnamed] = ()
) -> bool | None:
    """Say whether questions are answered badly: True on every layout that fits, False on none, None on some.

    where: the places as they are without the unnamed cards; the readings must fit one another
    """
    go_on()
    table = apart(where, unnamed)
    if not _all_well(where, table, homes, questions, unnamed):
        return True
    for question in questions:
        bound = dict(homes)
        for number, cards in question.given:
            bound = without(bound, where.cards & ~cards, 1 << len(where.sizes) + number)
        if misfit(table, bound):
            continue
        if holds_any(table, bound, spots(where, unnamed, question.place, question.ply), question.cards) is not False:
            return None
    return False


def broken(
    where: Places,
    facts: Sequence[Fact],
    questions: Sequence[Question],
    until: int | None = None,
    unnamed: Sequence[Unnamed] = (),
) -> bool:
    """Say whether the facts known after ply ``until`` leave no layout in which all the questions are answered well.

    Facts that fit no layout themselves, as after a wrong number of cards was let stand, prove nothing of a question.
    """
    unnamed = _by_then(unnamed, until)
    homes, table = readings(where, facts, until, unnamed), apart(where, unnamed)
    return not misfit(table, homes) and not _all_well(where, table, homes, questions, unnamed)


def _all_well(
    where: Places,
    table: Places,
    homes: Mapping[int, int],
    questions: Sequence[Question],
    unnamed: Sequence[Unnamed],
) -> bool:
    """Say whether some layout answers all the questions well; of those with conditions every way is tried."""
    first, tried = len(where.sizes), 0

    def fits(homes: Mapping[int, int], remaining: Sequence[Question]) -> bool:
        nonlocal tried
        tried += 1
        if tried > MOST_WAYS:
            return True
        narrowed, conditionals = dict(homes), [question for question in remaining if question.given]
        for question in remaining:
            if not question.given:
                bits = spots(where, unnamed, question.place, question.ply)
                for card in cards_of(question.cards & where.cards):
                    narrowed[card] &= ~bits
        if misfit(table, narrowed):
            return False
        if not conditionals:
            return True
        number = conditionals[0].given[0][0]
        bit = 1 << first + number
        may = set_of(card for card, home in narrowed.items() if home & bit)
        for cards in sorted(
            _alike(may, number, conditionals), key=lambda cards: len(_bound(conditionals, number, cards))
        ):
            if fits(without(narrowed, where.cards & ~cards, bit), _bound(conditionals, number, cards)):
                return True
        return False

    return fits(homes, questions)


def _alike(may: int, number: int, questions: Sequence[Question]) -> list[int]:
    """Return the cards an unnamed one may be, those together that meet the same conditions."""
    parts = [may] if may else []
    for question in questions:
        for of, cards in question.given:
            if of == number:
                parts = [part for group in parts for part in (group & cards, group & ~cards) if part]
    return parts


def _bound(questions: Sequence[Question], number: int, cards: int) -> list[Question]:
    """Return the questions that bind, or may, where an unnamed card is one of these, which meet the same conditions."""
    bound: list[Question] = []
    for question in questions:
        if all(cards & required for of, required in question.given if of == number):
            conditions = tuple(condition for condition in question.given if condition[0] != number)
            bound.append(
                Question(question.ply, question.key, question.place, question.cards, question.refused, conditions)
            )
    return bound


def deciding_ply(
    where: Places, facts: Sequence[Fact], questions: Sequence[Question], unnamed: Sequence[Unnamed] = ()
) -> int | None:
    """Return the first ply after which no layout leaves the move legal, None while one does.

    questions: all that the move has raised; together they may be answered earlier than each alone. Of several moves,
        the last first
    Knowledge only grows, so the ply is found by halving.
    """
    ply_of_move = questions[0].ply
    plies = sorted({fact.ply for fact in facts if fact.ply > ply_of_move} | {ply_of_move})
    return _first(plies, lambda ply: broken(where, facts, questions, ply, unnamed))


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


def together(
    where: Places,
    facts: Sequence[Fact],
    questions: Sequence[Question],
    unnamed: Sequence[Unnamed] = (),
    by: Callable[[Question], object] = attrgetter("ply"),
) -> tuple[Question, ...]:
    """Return the first questions that cannot all be answered well though each ply's could; none if all can.

    What is returned is minimal: without those of any one ply the others fit. by: what is left out together
    """
    if not broken(where, facts, questions, None, unnamed):
        return ()
    clash = list(questions)
    for group in reversed(dict.fromkeys(map(by, questions))):
        fewer = [question for question in clash if by(question) != group]
        if broken(where, facts, fewer, None, unnamed):
            clash = fewer
    return tuple(clash)
