"""What is known of hidden hands while cards fall: facts in, answers out; for games whose cards have one home a deal.

``Hands`` is what a table knows of one deal. A game begins it with the cards it was told, shows cards to it and plays
them from a place, and asks who may and who must hold what. It knows no game: cards are numbers, sets of cards bit
masks, a place a number; the sentences are the game's. What plies owed to hidden cards is told in ``revokes``.

Simple counting is done at every card that tells something. Whether a layout fits (``layouts``) is asked by the
functions that say they are exact, and once counting has closed a question.

A card that nobody wrote down is played with ``play_unnamed``. Where a trick is told, the number ``n`` of such a card
stands as ``~n``, so that it is below 0.
"""

from collections.abc import Sequence
from functools import reduce
from operator import le, or_
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.layouts import (
    MOST_UNNAMED,
    Fact,
    Places,
    Question,
    Readings,
    Unnamed,
    apart,
    holds_any,
    misfit,
)

Masks = tuple[int, ...]
"""By place, a set of cards."""


class Evidence(Struct, frozen=True, gc=False):
    """What proves earlier plies illegal; of several plies, none of which can be named, there are no cards.

    decided_by: the ply after which no layout left them legal
    place, cards: the cards that show it, and where they lay
    seen: every one of these cards lay there; otherwise at least one of them did
    either: one of several rules was broken, none of which can be named; ``key`` is the first of them
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

    places: the places with their sizes, as the deal leaves them
    can, sure: by place, the cards that may lie there and those that do, played ones among them
    played: the cards played by name
    facts, questions: what was seen, and what must be true for earlier plies; empty once every place is known
    found: evidence of plies whose clause is not settled yet, because the hand is not known whole
    unnamed: the cards played that nobody wrote down
    """

    places: Places
    can: Masks
    sure: Masks
    played: int
    facts: tuple[Fact, ...]
    questions: tuple[Question, ...]
    found: tuple[Evidence, ...]
    unnamed: tuple[Unnamed, ...]


H = TypeVar("H", bound=Hands)

# --- the deal ---


def begin(where: Places, dealt: Sequence[int]) -> Hands:
    """Return what is known before the first card. dealt: by place, the cards that are known to have been dealt to it.

    Called once the deal is told, or anew at each hand of it with all that has been told: before the first card played.
    """
    can, sure = as_dealt(where, dealt)
    facts = tuple(Fact(0, cards, 1 << place) for place, cards in enumerate(dealt) if cards)
    return Hands(where, can, sure, 0, facts, (), (), ())


def as_dealt(where: Places, dealt: Sequence[int], *, whole: bool = True) -> tuple[Masks, Masks]:
    """Return ``can`` and ``sure`` of a deal, as far as it is known.

    whole: the deal is told to its end, so that each place has as many cards as it holds; otherwise nothing is counted
    """
    known_cards = 0
    for cards in dealt:
        known_cards |= cards
    can = [where.cards & ~known_cards | cards for cards in dealt]
    return closed(can, dealt, where.sizes) if whole else (tuple(can), tuple(dealt))


def closed(can: Sequence[int], sure: Sequence[int], sizes: Sequence[int]) -> tuple[Masks, Masks]:
    """Return both masks after counting: a full place can hold nothing more, a card with one place left lies there."""
    can, sure = list(can), list(sure)
    places = range(len(sizes))
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


def settled(hands: Hands) -> bool:
    """Say whether it is known of every card where it was dealt."""
    return tuple(map(int.bit_count, hands.sure)) == hands.places.sizes


# --- cards seen ---


def _seen_in(sizes: Masks, can: Masks, sure: Masks, place: int, new: int) -> tuple[Masks, Masks]:
    """Return both masks once these cards, of which it was not known, are seen to lie in a place."""
    rest = ~new
    may, now = [cards & rest for cards in can], list(sure)
    may[place] |= new
    now[place] |= new
    if now[place].bit_count() >= sizes[place] or any(map(le, map(int.bit_count, may), sizes)):
        return closed(may, now, sizes)
    return tuple(may), tuple(now)


def learnt(hands: Hands, place: int, new: int, ply: int, played: bool) -> tuple[Masks, Masks, tuple[Fact, ...]]:
    """Return ``can``, ``sure`` and the facts once these cards, of which it was not known, are seen to lie in a place.

    For a game that makes its state anew at every card; ``play`` and ``see`` do it for the others. played: by name
    """
    can, sure = _seen_in(hands.places.sizes, hands.can, hands.sure, place, new)
    facts = hands.facts + (Fact(ply, new, 1 << place, played),)  # noqa: RUF005 - the list between is a long one
    return can, sure, facts


def see(hands: H, place: int, cards: int, ply: int) -> H:
    """Return the hands once all see that these cards lie in a place now; none of them has been played."""
    new = cards & ~hands.sure[place]
    if hands.unnamed:
        new = cards
    if not new:
        return hands
    can, sure, facts = learnt(hands, place, new, ply, False)
    return replace(hands, can=can, sure=sure, facts=facts, unnamed=_narrowed(hands.unnamed, cards))


def play(hands: H, place: int, card: int, ply: int) -> H:
    """Return the hands once a card is played from a place; whether it may lie there is the game's to ask before."""
    bit = 1 << card
    if hands.sure[place] & bit and not hands.unnamed:
        return replace(hands, played=hands.played | bit)
    can, sure, facts = learnt(hands, place, bit, ply, True)
    unnamed = _narrowed(hands.unnamed, bit)
    return replace(hands, can=can, sure=sure, played=hands.played | bit, facts=facts, unnamed=unnamed)


def _narrowed(unnamed: tuple[Unnamed, ...], cards: int) -> tuple[Unnamed, ...]:
    return (
        tuple(Unnamed(unnamed_card.ply, unnamed_card.place, unnamed_card.cards & ~cards) for unnamed_card in unnamed)
        if unnamed
        else unnamed
    )


def play_unnamed(hands: H, place: int, ply: int) -> H:
    """Return the hands once a card that nobody wrote down is played from a place; its number is the last.

    The place must have a card left: see ``left``.
    """
    facts = hands.facts
    if not facts and settled(hands):
        # Where nothing was hidden no fact was kept.
        facts = tuple(Fact(0, cards, 1 << at) for at, cards in enumerate(hands.sure))
    if not hands.unnamed:
        played_cards = (cards & hands.played for cards in hands.sure)
        facts += tuple(Fact(ply, cards, 1 << at, True) for at, cards in enumerate(played_cards) if cards)
    unnamed_card = Unnamed(ply, place, hands.places.cards & ~hands.played)
    return replace(hands, facts=facts, unnamed=(*hands.unnamed, unnamed_card))


def tell(hands: H, number: int, cards: int, ply: int) -> H:
    """Return the hands once it is known that an unnamed card is one of these, as from who won its trick."""
    unnamed_card = hands.unnamed[number]
    barred = unnamed_card.cards & ~cards
    if not barred:
        return hands
    narrower = Unnamed(unnamed_card.ply, unnamed_card.place, unnamed_card.cards & cards)
    unnamed = (*hands.unnamed[:number], narrower, *hands.unnamed[number + 1 :])
    return replace(
        hands, facts=(*hands.facts, Fact(ply, barred, hands.places.everywhere, False, number)), unnamed=unnamed
    )


def left(hands: Hands, place: int) -> int:
    """Return how many cards a place has not played yet."""
    count = (hands.sure[place] & hands.played).bit_count() + sum(
        unnamed_card.place == place for unnamed_card in hands.unnamed
    )
    return hands.places.sizes[place] - count


def may_be(hands: Hands, card: int) -> int:
    """Return the cards that a card of a trick may be, by counting: itself, of ``~n`` those of the unnamed one."""
    if card >= 0:
        return 1 << card
    unnamed_card = hands.unnamed[~card]
    return unnamed_card.cards & hands.can[unnamed_card.place]


# --- asked by who wants to know; exact ---


def lying(hands: Hands) -> Readings:
    """Return the reading of every card by now, played ones in the hand they came from, those of the unnamed apart."""
    homes = dict.fromkeys(cards_of(hands.places.cards), 0)
    for place, cards in enumerate(_masks(hands)):
        for card in cards_of(cards):
            homes[card] |= 1 << place
    return homes


def _masks(hands: Hands) -> Masks:
    """Return by place what may lie there by counting, those of the unnamed cards last."""
    return (*hands.can, *(unnamed_card.cards & hands.can[unnamed_card.place] for unnamed_card in hands.unnamed))


def holds(hands: Hands, place: int, cards: int) -> bool | None:
    """Say whether any of these cards lies in a place, or was played from it by name; True on every layout that fits.

    False on none, None on some and where no layout fits at all. Exact; called where somebody asks of one ply.
    """
    homes, where = lying(hands), apart(hands.places, hands.unnamed)
    return None if misfit(where, homes) else holds_any(where, homes, 1 << place, cards)


def may_hold(hands: Hands, place: int, among: int = -1) -> int:
    """Return the cards, of these, that may be in a hand now; exact."""
    return _lie(hands, 1 << place, hands.places.cards & ~hands.played & among)


def must_hold(hands: Hands, place: int) -> int:
    """Return the cards that are in a hand now on every layout that fits; exact."""
    elsewhere = (1 << len(hands.can) + len(hands.unnamed)) - 1 & ~(1 << place)
    return hands.places.cards & ~hands.played & ~_lie(hands, elsewhere, hands.places.cards)


def may_have_been(hands: Hands, number: int) -> int:
    """Return the cards that an unnamed card may have been; exact."""
    return _lie(hands, 1 << len(hands.can) + number, hands.unnamed[number].cards)


def _lie(hands: Hands, places: int, cards: int) -> int:
    """Return those of the cards that lie in one of these places on some layout."""
    if len(hands.unnamed) > MOST_UNNAMED:
        counted = (cards & may for at, may in enumerate(_masks(hands)) if places >> at & 1)
        return reduce(or_, counted, 0)
    homes, where = lying(hands), apart(hands.places, hands.unnamed)
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
    """Return (cards, places) for all cards not played by name, those that may lie in the same places together; exact.

    The bits of the unnamed cards stand behind those of the places. The fewest cards come first.
    """
    homes, where = lying(hands), apart(hands.places, hands.unnamed)
    fits = len(hands.unnamed) <= MOST_UNNAMED and not misfit(where, homes)
    alike: dict[int, int] = {}
    for card in cards_of(hands.places.cards & ~hands.played):
        alike[homes[card]] = alike.get(homes[card], 0) | 1 << card
    cards_by_places: dict[int, int] = {}
    for reading, cards in alike.items():
        card = (cards & -cards).bit_length() - 1
        may = list(cards_of(reading))
        if fits and len(may) > 1:
            may = [place for place in may if not misfit(where, homes | {card: 1 << place})]
        mask = sum(1 << place for place in may)
        cards_by_places[mask] = cards_by_places.get(mask, 0) | cards
    fewest = sorted(cards_by_places.items(), key=lambda pair: (pair[0].bit_count(), pair[0]))
    return tuple((cards, mask) for mask, cards in fewest)


# --- what a seat has seen ---


def view(hands: H, own: Sequence[int], shown: int = 0) -> H:
    """Return what is known to who was told no more of the deal than ``own``, by place; nothing of it for the bystander.

    shown: cards that all have seen in a hand, besides those played
    To look at, not to go on with: it has no facts and no questions. Equal for two deals that look the same.
    """
    can, sure = as_dealt(hands.places, own)
    return seen_by(hands, can, sure, [cards & (hands.played | shown) for cards in hands.sure])


def seen_by(hands: H, can: Sequence[int], sure: Sequence[int], visible: Sequence[int]) -> H:
    """Return ``view`` from masks of what was told of the deal. seen: by place, the cards all have seen there."""
    everywhere = 0
    for cards in visible:
        everywhere |= cards
    may = [cards & ~everywhere | its for cards, its in zip(can, visible, strict=True)]
    lies = [cards | its for cards, its in zip(sure, visible, strict=True)]
    can, sure = closed(may, lies, hands.places.sizes)
    return replace(hands, can=can, sure=sure, facts=(), questions=(), found=())
