"""What a card can be used for: a sample that has a legal use whenever there is one, so that it can prove there is none.

Of uses that only differ in how a new minion points, in which of many cards are taken, or in how several minions turn,
a few are named.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeAlias

from msgspec import Struct

from cartulary.engine.cards.deck import cards_of, set_of
from cartulary.engine.cards.zones import as_written
from cartulary.engine.slots import UNKNOWN, holds, is_slot
from cartulary.engine.zarcana import moves
from cartulary.engine.zarcana.cards import (
    DOPPELGANGER,
    FREE,
    MAGICIAN,
    POWER_OF,
    SUIT_NAME,
    TITLES,
    TRUMP,
    WORLD,
    is_royal,
    is_trump,
)
from cartulary.engine.zarcana.moves import AROUND, STEP, find_minion, name_for
from cartulary.engine.zarcana.state import CODE, DOWN, HAND_LIMIT, State

Parts: TypeAlias = tuple[moves.Part, ...]
ONE_UNKNOWN = bytes((UNKNOWN,))


def uses(
    state: State, seat: int, card: int, origin: int, place: int = 0, code: int = -1, *, unseen: bool = False
) -> Iterator[moves.Play]:
    """Yield plays of a card, legal or not; if there is a legal play, one is among them.

    The Fool only turns up its cards; the caller adds what they are used for. Powers that need no particular minion
    (``FREE``) are yielded without a user, unless the card lies on the board.

    Args:
        state: The state before the play.
        seat: The seat.
        card: The card.
        origin: Where it comes from: HAND, BOARD, TURNED or DECK.
        place: The place of the minion that uses it; it does not matter if ``code`` is -1.
        code: That minion; -1 for each of the seat's in turn, on any place.
        unseen: True if the play may also name what unseen cards may be.
    """
    named_card = -1 if origin == moves.BOARD else card
    users = [(place, code)] if code >= 0 else minions_of(state, seat)
    for names, power in namings(state, card, origin != moves.BOARD, unseen):
        title = TITLES[power]
        if title in FREE and origin != moves.BOARD:
            for parts in OPERANDS[title](User(state, seat, 0, -1)):
                yield moves.Play(origin, named_card, names, None, parts)
            continue
        for at, man in users:
            user = name_for(state.men[at], at, man)
            for parts in OPERANDS[title](User(state, seat, at, man)):
                yield moves.Play(origin, named_card, names, user, parts)


def minions_of(state: State, seat: int) -> list[tuple[int, int]]:
    """Return the minions of a seat as (place, code), in the order of places; of several alike in one space only one."""
    return [(at, man) for at in sorted(state.men) for man in sorted(set(state.men[at])) if man // 15 == seat]


def namings(state: State, card: int, wild: bool, unseen: bool = False) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every way a card can be named, with the power it then has.

    Args:
        state: The state.
        card: The card.
        wild: True if royalty is any suit.
        unseen: True if the names may be what unseen cards may be.

    Yields:
        The names in order, none if it needs none, and the power (``POWER_OF``).
    """
    if card == MAGICIAN or (wild and is_royal(card)):
        own = card // 14 if card < TRUMP else -1
        yield from (((SUIT_NAME + suit,) if suit != own else (), suit) for suit in range(4))
    elif card == WORLD:
        for other in top_trumps(state) + (top_trumps(state, sure=False) if unseen else []):
            yield from (((other, *names), power) for names, power in namings(state, other, wild, unseen))
    elif card == DOPPELGANGER:
        top = state.pile[-1:]
        for other in holds(state.unseen.slots, top[0]) if unseen and top and is_slot(top[0]) else top:
            if not is_slot(other) and other != DOPPELGANGER:
                yield from (((other, *names), power) for names, power in namings(state, other, wild, unseen))
    else:
        yield (), POWER_OF[card]


def top_trumps(state: State, sure: bool = True) -> list[int]:
    """Return the trumps except the World that lie face up on top of a space, in order.

    Args:
        state: The state.
        sure: False for those that an unseen card there may be, instead of those known to lie there.
    """
    tops = {card for cards in _tops(state) if (not cards & cards - 1) is sure for card in cards_of(cards)}
    return sorted(card for card in tops if is_trump(card) and card != WORLD)


def _tops(state: State) -> Iterator[int]:
    """Yield for every space whose top card lies face up what that card may be, as bits; one bit if the card
    is known.
    """
    for stack in state.cards.values():
        code = stack[-1] & CODE
        if not stack[-1] & DOWN:
            yield set_of(holds(state.unseen.slots, code)) if is_slot(code) else 1 << code


# --- operands, by power ---


class User(Struct, frozen=True, gc=False):
    """A minion that may use a power, by place and code; -1 for nobody in particular."""

    state: State
    seat: int
    place: int
    code: int

    @property
    def target(self) -> int:
        """The place of the space the minion points at; its own place if it stands."""
        return self.place + STEP[self.code % 5]

    @property
    def size(self) -> int:
        """The minion's size: 0 small, 1 medium, 2 large. Its code has it."""
        return self.code // 5 % 3

    def attacks(self, target: int) -> list[moves.Part]:
        """Return what the minion may attack in a space, as parts of a play.

        That is each minion there, of several alike one, but not the minion itself; or, if no minion is there, the
        space.
        """
        men = self.state.men.get(target, b"")
        victims = [man for man in sorted(set(men)) if (target, man) != (self.place, self.code) or men.count(man) > 1]
        return [moves.HitMinion(name_for(men, target, man)) for man in victims] if men else [self.aim(target)]

    def aim(self, place: int) -> moves.HitPlace:
        """Return a space as the target of a power.

        If its top card lies face down and the record knows it, the part names that card, which leaves; otherwise it
        names none.
        """
        top = self.state.cards.get(place, (0,))[-1]
        return moves.HitPlace(place, top & CODE if top & DOWN and not is_slot(top & CODE) else -1)

    def hand_cards(self) -> list[int]:
        """Return the different cards of the seat's hand, sorted; UNKNOWN stands once for all that nobody on
        record saw.
        """
        return sorted({*as_written(self.state.hands[self.seat - 1])})


def next_cards(state: State, count: int) -> bytes:
    """Return ``count`` cards as a word lists those drawn next: sorted, UNKNOWN ones last.

    If the deck has fewer, the rest is UNKNOWN too.
    """
    return bytes(sorted(as_written(state.deck[:count]))).ljust(count, ONE_UNKNOWN)


def wasteland(state: State) -> list[int]:
    """Return the places of the spaces without a card that touch one with a card edge to edge, sorted."""
    cards = state.cards
    return sorted({place + step for place in cards for step in AROUND} - set(cards))


def _death(user: User) -> Iterator[Parts]:
    """Yield the attacks of Death: one on each victim in the target space, and one way to attack twice.

    The second attack is on a minion that the first one leaves there or, if no minion is there, on the card below the
    top one.
    """
    state, target, first = user.state, user.target, user.attacks(user.target)
    yield from zip(first)
    men, hit = state.men.get(target, b""), next(iter(first), None)
    if isinstance(hit, moves.HitMinion):
        victim = find_minion(men, hit.ref)
        reduced = (victim - 5,) if user.size < victim // 5 % 3 else ()
        survivors = bytes(sorted((*men.replace(bytes((victim,)), b"", 1), *reduced)))
        others = [man for man in survivors if target != user.place or man != user.code]
        if others:
            yield hit, moves.HitMinion(name_for(survivors, target, others[-1]))
    elif len(state.cards.get(target, ())) > 1:
        yield user.aim(target), moves.HitPlace(target)


def _chariot(user: User) -> Iterator[Parts]:
    """Yield the ways of the Chariot: one step in each of the four directions, and two steps in the same one."""
    for step in AROUND:
        yield (moves.Go(user.place + step),)
        yield moves.Go(user.place + step), moves.Go(user.place + 2 * step)


def _cups(user: User) -> Iterator[Parts]:
    """Yield what Cups allow: growth by one size, and one new minion no larger than the user.

    A clone of the user's own size comes in every direction, a smaller one standing only.
    """
    if user.size < 2:
        yield (moves.Grow(user.size + 1),)
    yield from ((moves.Clone(user.seat * 15 + small * 5),) for small in range(user.size + 1))
    yield from ((moves.Clone(user.seat * 15 + user.size * 5 + point),) for point in range(1, 5))


def _strength(user: User) -> Iterator[Parts]:
    """Yield what Strength allows: all that Cups do, and two of these together, though not every pair."""
    standing = user.seat * 15
    yield from _cups(user)
    if user.size < 2:
        yield moves.Grow(user.size + 1), moves.Clone(standing + 5 * (user.size + 1))
    if not user.size:
        yield moves.Grow(1), moves.Grow(2)
    yield moves.Clone(standing), moves.Clone(standing)


def _devil(user: User) -> Iterator[Parts]:
    """Yield the turns of the Devil: each of one minion, of any seat, in the user's space or next to it, to another
    direction.
    """
    for place in (user.place + step for step in STEP):
        men = user.state.men.get(place, b"")
        for man in sorted(set(men)):
            ref = name_for(men, place, man)
            yield from ((moves.Turn(ref, point),) for point in range(5) if point != man % 5)


def _draw(user: User, most: int) -> Iterator[Parts]:
    """Yield the cards to draw for the Star (``most`` is 4) or the High Priestess (2), as one part each.

    The Star draws as many as it can, the High Priestess up to the hand limit. One card more is tried too if the limit
    decides: a card that is played from the hand makes room itself. Nothing is yielded if no card may be drawn.
    """
    state = user.state
    card_count = min(most, len(state.deck) + len(state.pile))
    count = card_count if most == 4 else min(card_count, max(HAND_LIMIT - len(state.hands[user.seat - 1]), 0))
    yield (moves.DrawnCards(next_cards(state, count)),) if count else ()
    # Played from the hand it leaves room for itself.
    if count < card_count:
        yield (moves.DrawnCards(next_cards(state, count + 1)),)


def _judgement(user: User) -> Iterator[Parts]:
    """Yield cards to take from the discards: each of the four uppermost known ones alone, and the three uppermost
    together.

    If none is known, one unknown card is yielded; if there are no discards, nothing.
    """
    pile = user.state.pile
    known_cards = [card for card in pile if not is_slot(card)]
    yield from ((moves.RaisedCards(bytes((card,))),) for card in known_cards[-4:])
    if len(known_cards) > 1:
        yield (moves.RaisedCards(bytes(sorted(known_cards[-3:]))),)
    if not known_cards and pile:
        yield (moves.RaisedCards(ONE_UNKNOWN),)


def _miser(user: User) -> Iterator[Parts]:
    """Yield the cards to discard for the Miser: each card of the hand alone, and the whole hand if all of it
    is known.
    """
    hand = user.hand_cards()
    yield from ((moves.Away(bytes((card,))),) for card in hand)
    if len(hand) > 1 and UNKNOWN not in hand:
        yield (moves.Away(bytes(hand)),)


def _fool(user: User) -> Iterator[Parts]:
    """Yield the play of the Fool that turns up two cards without using them; fewer if fewer are left.

    ``candidates`` finds uses, as the second card depends on the first.
    """
    state = user.state
    count = min(2, len(state.deck) + len(state.pile))
    cards = as_written(state.deck[:count]).ljust(count, ONE_UNKNOWN)
    yield tuple(moves.Flip(moves.Play(moves.DECK, card)) for card in cards)


OPERANDS: dict[str, Callable[[User], Iterable[Parts]]] = {
    **dict.fromkeys(("swords", "emperor", "hierophant"), lambda user: zip(user.attacks(user.target))),
    **dict.fromkeys(("wands", "hermit"), lambda user: [(moves.Go(user.target),)]),
    **dict.fromkeys(("cups", "empress", "holy-grail"), _cups),
    **dict.fromkeys(
        ("discs", "wheel", "temperance"), lambda user: [(moves.Build(user.target, *next_cards(user.state, 1)),)]
    ),
    "fool": _fool,
    "high-priestess": lambda user: _draw(user, 2),
    "lovers": lambda user: [(moves.Create(user.seat * 15, to),) for to in wasteland(user.state)],
    "chariot": _chariot,
    "strength": _strength,
    "justice": lambda user: [(moves.Toward(at),) for at in range(1, user.state.options.seats + 1) if at != user.seat],
    "hanged-man": lambda user: [(user.aim(user.place),)],
    "death": _death,
    "devil": _devil,
    **dict.fromkeys(("tower", "harvest", "plague"), lambda user: [(user.aim(user.target),)]),
    "star": lambda user: _draw(user, 4),
    "moon": lambda user: [(moves.Go(to),) for to in wasteland(user.state) if to not in user.state.men],
    "sun": lambda user: [(moves.BuildFrom(user.target, card),) for card in user.hand_cards()],
    "judgement": _judgement,
    "gateway": lambda user: [
        (moves.Go(to),) for to in sorted({*user.state.cards, *wasteland(user.state)} - {user.place})
    ],
    "assassin": lambda user: zip(chain.from_iterable(user.attacks(user.place + step) for step in STEP)),
    "evil-eye": lambda user: [(moves.HitPlace(user.target),)],
    "miser": _miser,
}
