"""What is known of hidden hands while cards fall: facts in, answers out; for games whose cards have one home a deal.

``Hands`` holds what a table knows of one deal. A game begins it with the cards that the record names, shows cards to
it, plays them from a place, and asks who may and who must hold which cards. It knows no game: cards are numbers, sets
of cards are bit masks, a place is a number, and the sentences are the game's. The questions that plies raise are in
``revokes``.

There are two levels of knowledge, because the exact one is slow. *Counting* is done at every card that shows something
new. It looks at one place at a time::

    p1 holds 2 cards, and both are known    -> no other card can lie with p1
    5H can lie with p3 only                 -> 5H does lie with p3
    5H and 6H can lie with p1 or p2 only,
    which have one free slot each           -> counting sees nothing; a layout shows that nothing else fits there

Whether a *layout* fits (``layouts``) is asked only by the functions that say they are exact, and once counting has
closed a question. So ``can`` may hold too much and ``sure`` too little, but never the reverse.

A card that nobody wrote down is played with ``play_unnamed``. In a trick its number ``n`` stands as ``~n``, which is
below 0 and so no card.
"""

from collections.abc import Sequence
from functools import reduce
from operator import le, or_
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.layouts import (
    MOST_UNNAMED,
    Fact,
    Homes,
    Places,
    Question,
    UnnamedCard,
    holds_any,
    misfit,
    with_unnamed,
)

Masks = tuple[int, ...]
"""A set of cards for each place."""


class Evidence(Struct, frozen=True, gc=False):
    """The proof that earlier plies were illegal.

    Attributes:
        plies: the plies; if there are several, none of them can be singled out, and there are no cards.
        key: the rule that was broken.
        decided_by: the ply after which no layout left them legal.
        place: the place where the cards lay.
        cards: the cards that prove it.
        seen: True if all these cards lay there, False if at least one of them did.
        either: True if one of several rules was broken and none can be singled out; ``key`` is the first of them.
    """

    plies: tuple[int, ...]
    key: str
    decided_by: int
    place: int = -1
    cards: int = 0
    seen: bool = False
    either: bool = False


class Hands(Struct, frozen=True, gc=False):
    """What is known of one deal. A game's state holds one, or is one (``class State(Hands, frozen=True)``).

    Fields that were renamed keep their encoded names, because positions are stored by them.

    Attributes:
        places: the places with their sizes, as the deal leaves them.
        can: by place, the cards that may lie there, including those played from it.
        sure: by place, the cards that are known to lie there, including those played from it.
        played_cards: the cards that were played by name.
        facts: what was seen at which ply; empty once every place is known.
        questions: what must be true for earlier plies to have been legal; empty once every place is known.
        evidence: evidence of plies whose rule may still change, because the hand is not completely known.
        unnamed_cards: the cards that were played and that nobody wrote down, in the order played.
    """

    places: Places
    can: Masks
    sure: Masks
    played_cards: int = field(name="played")
    facts: tuple[Fact, ...]
    questions: tuple[Question, ...]
    evidence: tuple[Evidence, ...] = field(name="found")
    unnamed_cards: tuple[UnnamedCard, ...] = field(name="unnamed")


H = TypeVar("H", bound=Hands)

# --- the deal ---


def begin(where: Places, known_cards: Sequence[int]) -> Hands:
    """Return what is known before the first card is played.

    It may be called again for every hand that is dealt, each time with all cards so far.

    Args:
        where: the places and their sizes.
        known_cards: by place, the cards that are known to have been dealt to it, as a set.
    """
    can, sure = deal_masks(where, known_cards)
    facts = tuple(Fact(0, cards, 1 << place) for place, cards in enumerate(known_cards) if cards)
    return Hands(where, can, sure, 0, facts, (), (), ())


def deal_masks(where: Places, known_cards: Sequence[int], *, whole: bool = True) -> tuple[Masks, Masks]:
    """Return ``can`` and ``sure`` of a deal, as far as it is known.

    Args:
        where: the places and their sizes.
        known_cards: by place, the cards that are known to have been dealt to it, as a set.
        whole: False while the deal goes on: the places are not full yet, so nothing can be concluded by counting.
    """
    all_known = 0
    for cards in known_cards:
        all_known |= cards
    can = [where.cards & ~all_known | cards for cards in known_cards]
    return count_masks(can, known_cards, where.sizes) if whole else (tuple(can), tuple(known_cards))


def count_masks(can: Sequence[int], sure: Sequence[int], sizes: Sequence[int]) -> tuple[Masks, Masks]:
    """Return ``can`` and ``sure`` after counting.

    A full place can hold nothing more, and a card that can lie in one place only does lie there.

    Args:
        can: by place, the cards that may lie there.
        sure: by place, the cards that are known to lie there.
        sizes: by place, how many cards it holds.
    """
    can, sure = list(can), list(sure)
    places = range(len(sizes))
    # One conclusion may allow the next, so this repeats until nothing changes. It ends, because every round only takes
    # cards out of ``can`` and adds cards to ``sure``.
    while True:
        before = (*can, *sure)
        once = twice = sure_cards = 0
        for place in places:
            cards, size = can[place], sizes[place]
            if sure[place].bit_count() >= size:
                can[place] = cards = sure[place]
            elif cards.bit_count() == size:
                sure[place] = cards
            twice |= once & cards
            once |= cards
        alone = ~twice
        for place in places:
            sure[place] |= can[place] & alone
            sure_cards |= sure[place]
        free = ~sure_cards
        for place in places:
            can[place] &= free | sure[place]
        if before == (*can, *sure):
            return tuple(can), tuple(sure)


def is_all_known(hands: Hands) -> bool:
    """Say whether it is known of every card in which place it was dealt; played cards count where they came from."""
    return tuple(map(int.bit_count, hands.sure)) == hands.places.sizes


# --- cards seen ---


def _masks_after_sight(sizes: Masks, can: Masks, sure: Masks, place: int, new: int) -> tuple[Masks, Masks]:
    """Return ``can`` and ``sure`` once cards are seen to lie in a place.

    Args:
        sizes: by place, how many cards it holds.
        can: by place, the cards that may lie there.
        sure: by place, the cards that are known to lie there.
        place: the place.
        new: the cards that are seen, as a set; it was not known that they lie there.
    """
    rest = ~new
    may, now = [cards & rest for cards in can], list(sure)
    may[place] |= new
    now[place] |= new
    if now[place].bit_count() >= sizes[place] or any(map(le, map(int.bit_count, may), sizes)):
        return count_masks(may, now, sizes)
    return tuple(may), tuple(now)


def learn(hands: Hands, place: int, new: int, ply: int, played: bool) -> tuple[Masks, Masks, tuple[Fact, ...]]:
    """Return ``can``, ``sure`` and the facts once cards are seen in a place that were not known to lie there.

    For a game that builds its own state at every card; other games use ``play`` and ``see``.

    Args:
        hands: what is known before.
        place: the place where the cards lie.
        new: the cards.
        ply: the ply at which they are seen.
        played: True if they were played by name, False if they were only shown.
    """
    can, sure = _masks_after_sight(hands.places.sizes, hands.can, hands.sure, place, new)
    facts = hands.facts + (Fact(ply, new, 1 << place, played),)  # noqa: RUF005 - the list between is a long one
    return can, sure, facts


def see(hands: H, place: int, cards: int, ply: int) -> H:
    """Return the hands once everybody sees that cards lie in a place now.

    Args:
        hands: what is known before.
        place: the place where the cards lie.
        cards: the cards; none of them has been played.
        ply: the ply at which they are seen.
    """
    new = cards & ~hands.sure[place]
    if hands.unnamed_cards:
        new = cards
    if not new:
        return hands
    can, sure, facts = learn(hands, place, new, ply, False)
    return replace(hands, can=can, sure=sure, facts=facts, unnamed_cards=_without_cards(hands.unnamed_cards, cards))


def play(hands: H, place: int, card: int, ply: int) -> H:
    """Return the hands once a named card is played from a place at a ply; the game has checked that it may lie there.

    What it shows of the other hands is worked out by counting, and the card counts as played.
    """
    bit = 1 << card
    if hands.sure[place] & bit and not hands.unnamed_cards:
        return replace(hands, played_cards=hands.played_cards | bit)
    can, sure, facts = learn(hands, place, bit, ply, True)
    unnamed_cards = _without_cards(hands.unnamed_cards, bit)
    return replace(
        hands, can=can, sure=sure, played_cards=hands.played_cards | bit, facts=facts, unnamed_cards=unnamed_cards
    )


def _without_cards(unnamed_cards: tuple[UnnamedCard, ...], cards: int) -> tuple[UnnamedCard, ...]:
    """Return the unnamed cards, none of which may be one of some cards (bits) any more, because these were seen
    elsewhere.
    """
    return (
        tuple(
            UnnamedCard(unnamed_card.ply, unnamed_card.place, unnamed_card.cards & ~cards)
            for unnamed_card in unnamed_cards
        )
        if unnamed_cards
        else unnamed_cards
    )


def play_unnamed(hands: H, place: int, ply: int) -> H:
    """Return the hands once a card that nobody wrote down is played from a place at a ply.

    It becomes the last of ``unnamed_cards``. The place must have a card left (``cards_left``).
    """
    facts = hands.facts
    if not facts and is_all_known(hands):
        # Where nothing was hidden no fact was kept.
        facts = tuple(Fact(0, cards, 1 << at) for at, cards in enumerate(hands.sure))
    if not hands.unnamed_cards:
        played_cards = (cards & hands.played_cards for cards in hands.sure)
        facts += tuple(Fact(ply, cards, 1 << at, True) for at, cards in enumerate(played_cards) if cards)
    unnamed_card = UnnamedCard(ply, place, hands.places.cards & ~hands.played_cards)
    return replace(hands, facts=facts, unnamed_cards=(*hands.unnamed_cards, unnamed_card))


def tell(hands: H, number: int, cards: int, ply: int) -> H:
    """Return the hands once an unnamed card is known to be one of some cards, as from the winner of its trick.

    Args:
        hands: what is known before.
        number: the number of the unnamed card.
        cards: the cards that it may be.
        ply: the ply that shows it.
    """
    unnamed_card = hands.unnamed_cards[number]
    barred = unnamed_card.cards & ~cards
    if not barred:
        return hands
    narrower = UnnamedCard(unnamed_card.ply, unnamed_card.place, unnamed_card.cards & cards)
    unnamed_cards = (*hands.unnamed_cards[:number], narrower, *hands.unnamed_cards[number + 1 :])
    return replace(
        hands,
        facts=(*hands.facts, Fact(ply, barred, hands.places.everywhere, False, number)),
        unnamed_cards=unnamed_cards,
    )


def cards_left(hands: Hands, place: int) -> int:
    """Return how many cards of a place are not played yet; cards that nobody wrote down count as played."""
    count = (hands.sure[place] & hands.played_cards).bit_count() + sum(
        unnamed_card.place == place for unnamed_card in hands.unnamed_cards
    )
    return hands.places.sizes[place] - count


def possible_cards(hands: Hands, card: int) -> int:
    """Return the cards that a card of a trick may be, as a set, by counting.

    A named card is itself alone; ``~n`` may be whatever unnamed card n may be.
    """
    if card >= 0:
        return 1 << card
    unnamed_card = hands.unnamed_cards[~card]
    return unnamed_card.cards & hands.can[unnamed_card.place]


# --- exact answers, for those who ask ---


def homes_by_counting(hands: Hands) -> Homes:
    """Return {card: places where it may lie, one bit each} for every card of the deal, by counting.

    A played card lies in the hand it came from. Every unnamed card is a place of its own, after the places of the deal.
    """
    homes = dict.fromkeys(cards_of(hands.places.cards), 0)
    for place, cards in enumerate(_masks(hands)):
        for card in cards_of(cards):
            homes[card] |= 1 << place
    return homes


def _masks(hands: Hands) -> Masks:
    """Return by place the cards (bits) that may lie there by counting; the unnamed cards follow as places of one card
    each.
    """
    return (*hands.can, *(unnamed_card.cards & hands.can[unnamed_card.place] for unnamed_card in hands.unnamed_cards))


def holds(hands: Hands, place: int, cards: int) -> bool | None:
    """Return whether any of some cards lies in a place, or was played from it by name. The answer is exact.

    Args:
        hands: what is known.
        place: the place.
        cards: the cards.

    Returns:
        True if one of them does in every layout that fits, False if none does in any, None if the layouts differ or
        none fits at all.
    """
    homes, where = homes_by_counting(hands), with_unnamed(hands.places, hands.unnamed_cards)
    return None if misfit(where, homes) else holds_any(where, homes, 1 << place, cards)


def may_hold(hands: Hands, place: int, among: int = -1) -> int:
    """Return the cards that may be in a hand now, as a set.

    The answer is exact, unless there are more than MOST_UNNAMED unnamed cards; then it may hold too many.

    Args:
        hands: what is known.
        place: the hand.
        among: the cards to look at, by default all.
    """
    return _cards_lying_in(hands, 1 << place, hands.places.cards & ~hands.played_cards & among)


def must_hold(hands: Hands, place: int) -> int:
    """Return the cards that are in a hand now in every layout that fits, as a set.

    The answer is exact, unless there are more than MOST_UNNAMED unnamed cards; then it may hold too few.
    """
    elsewhere = (1 << len(hands.can) + len(hands.unnamed_cards)) - 1 & ~(1 << place)
    return hands.places.cards & ~hands.played_cards & ~_cards_lying_in(hands, elsewhere, hands.places.cards)


def may_have_been(hands: Hands, number: int) -> int:
    """Return the cards that the unnamed card with this number may have been, as a set.

    The answer is exact, unless there are more than MOST_UNNAMED unnamed cards; then it may hold too many.
    """
    return _cards_lying_in(hands, 1 << len(hands.can) + number, hands.unnamed_cards[number].cards)


def _cards_lying_in(hands: Hands, places: int, cards: int) -> int:
    """Return those of some cards (bits) that lie in one of some places (bits) in at least one layout that fits.

    With more than MOST_UNNAMED unnamed cards they are only counted, so that there may be too many.
    """
    if len(hands.unnamed_cards) > MOST_UNNAMED:
        counted = (cards & may for at, may in enumerate(_masks(hands)) if places >> at & 1)
        return reduce(or_, counted, 0)
    homes, where = homes_by_counting(hands), with_unnamed(hands.places, hands.unnamed_cards)
    fits = not misfit(where, homes)
    possible: dict[int, bool] = {}
    matches = 0
    for card in cards_of(cards):
        home = homes[card]
        if home & places and home not in possible:
            possible[home] = not fits or not misfit(where, homes | {card: home & places})
        matches |= 1 << card if possible.get(home) else 0
    return matches


def whereabouts(hands: Hands) -> tuple[tuple[int, int], ...]:
    """Return (cards, places), both as sets, for all cards that were not played by name.

    Cards that may lie in the same places stand together; those with the fewest places come first. The bits of the
    unnamed cards come after those of the places. The answer is exact; with more than MOST_UNNAMED unnamed cards, and if
    no layout fits, it is that of counting.
    """
    homes, where = homes_by_counting(hands), with_unnamed(hands.places, hands.unnamed_cards)
    fits = len(hands.unnamed_cards) <= MOST_UNNAMED and not misfit(where, homes)
    alike: dict[int, int] = {}
    for card in cards_of(hands.places.cards & ~hands.played_cards):
        alike[homes[card]] = alike.get(homes[card], 0) | 1 << card
    cards_by_places: dict[int, int] = {}
    for home, cards in alike.items():
        card = (cards & -cards).bit_length() - 1
        may = list(cards_of(home))
        if fits and len(may) > 1:
            may = [place for place in may if not misfit(where, homes | {card: 1 << place})]
        mask = sum(1 << place for place in may)
        cards_by_places[mask] = cards_by_places.get(mask, 0) | cards
    fewest = sorted(cards_by_places.items(), key=lambda pair: (pair[0].bit_count(), pair[0]))
    return tuple((cards, mask) for mask, cards in fewest)


# --- what a seat has seen ---


def view(hands: H, own: Sequence[int], shown_cards: int = 0) -> H:
    """Return the hands as a viewer knows them. They are equal for two deals that look the same to the viewer.

    The result has no facts and no questions, so a game can show it but not play on from it.

    Args:
        hands: what the record knows.
        own: by place, the cards of the deal that the viewer knows; none of them for the bystander.
        shown_cards: cards in hands that everybody has seen, besides those played.
    """
    can, sure = deal_masks(hands.places, own)
    return view_from_masks(hands, can, sure, [cards & (hands.played_cards | shown_cards) for cards in hands.sure])


def view_from_masks(hands: H, can: Sequence[int], sure: Sequence[int], visible: Sequence[int]) -> H:
    """Return ``view`` for a game that works out for itself what the viewer knows of the deal.

    Args:
        hands: what the record knows.
        can: by place, the cards that may lie there as far as the viewer knows.
        sure: by place, the cards that the viewer knows to lie there.
        visible: by place, the cards that everybody has seen there.
    """
    everywhere = 0
    for cards in visible:
        everywhere |= cards
    may = [cards & ~everywhere | visible_cards for cards, visible_cards in zip(can, visible, strict=True)]
    lies = [cards | visible_cards for cards, visible_cards in zip(sure, visible, strict=True)]
    can, sure = count_masks(may, lies, hands.places.sizes)
    return replace(hands, can=can, sure=sure, facts=(), questions=(), evidence=())
