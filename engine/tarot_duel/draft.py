"""The draft of a word: a duel while the word is carried out, where its cards lie, and what comes to light of them.

A removal is (code, the seats that also know the card, its place in the area or row). It is None, and nothing has
changed, if no reading of the hidden cards has the card there.
"""

from collections.abc import Iterator
from typing import Any, NoReturn, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.cards.draft import InOrder
from cartulary.engine.cards.zones import Eyes, Zones, freeze, thaw
from cartulary.engine.contract import Breach
from cartulary.engine.slots import BLANK, UNKNOWN, has_slots, holds, least
from cartulary.engine.tarot_duel.cards import (
    COPIES,
    ITSELF,
    MAJOR,
    NAMES,
    WORTH,
    blank,
    faults,
    known_deck,
    likes,
    listed,
    name_of,
    points,
)
from cartulary.engine.tarot_duel.clauses import EFFECT, IN_AREA, IN_DECK, IN_DISCARDS, IN_HAND, Rule
from cartulary.engine.tarot_duel.moves import Spot
from cartulary.engine.tarot_duel.state import EVERYBODY, SEATS, Options, Side, State, Unseen

# --- cards nobody on record saw ---


class HiddenCards(Zones, InOrder):
    """What is known of hidden cards, while a word is carried out."""

    itself = ITSELF
    options: Options
    ply: int
    unseen: Unseen

    def fitting(self, card: int) -> Iterator[int]:
        """Yield the codes under which a card may lie, as bits.

        First come those without the blank cards of decks that the card would make faulty, then all.
        """
        codes = likes(card)
        full = 0
        for seat, cards in enumerate(self.unseen.revealed_cards, 1):
            if cards:
                deck = known_deck(self.options, cards, seat)
                full |= 1 << blank(seat) if deck.count(card) >= (1 if card >= MAJOR else 5) else 0
        if full:
            yield codes & ~full
        yield codes

    def recognize(self, code: int, card: int) -> int:
        """Note that a card comes to light, which may name a blank card of a deck and prove that deck faulty.

        Only a blank code has an effect. If blank cards of other decks lie in the same pool, all these decks are in
        doubt from then on, and nothing is proved of them.

        Args:
            code: The code under which it lay, still in a slot.
            card: The card.

        Returns:
            The code of the card from now on.
        """
        if code < BLANK:
            return code
        unseen, seat = self.unseen, code - BLANK + 1
        for pool in self.slots.pools:
            if code in pool and any(entry >= BLANK and entry != code for entry in pool):
                owners = {entry - BLANK + 1 for entry in pool if entry >= BLANK}
                unseen = replace(unseen, doubt=unseen.doubt | sum(1 << owner for owner in owners))
        before = known_deck(self.options, unseen.revealed_cards[seat - 1], seat)
        cards = (
            *unseen.revealed_cards[: seat - 1],
            unseen.revealed_cards[seat - 1] + bytes((card,)),
            *unseen.revealed_cards[seat:],
        )
        after = known_deck(self.options, cards[seat - 1], seat)
        breaches = unseen.breaches
        if not unseen.doubt >> seat & 1:
            earlier = {clause for clause, _ in faults(before)}
            breaches += tuple(
                Breach((0,), clause.key, f"Deck{seat} {because}", self.ply)
                for clause, because in faults(after)
                if clause not in earlier
            )
            if blank(seat) not in after:
                breaches += tuple(self._misnamed(seat, after))
        self.unseen = replace(unseen, revealed_cards=cards, breaches=breaches)
        return card

    def _misnamed(self, seat: int, deck: bytes) -> Iterator[Breach]:
        """Yield the breaches by the Empress or the Emperor standing for a card that the deck of a seat does not have.

        ``deck`` is that deck, of which every card is known now; each breach names the ply at which the copy was laid.
        """
        for ply, owner, card in self.unseen.copies:
            if owner == seat and card not in deck:
                because = f"Deck{seat} has no {NAMES[card]}, but the Empress or the Emperor stood for one"
                yield Breach((ply,), EFFECT.key, because, self.ply)

    def name_if_certain(self, code: int) -> int:
        """Return the card that an entry of a zone must be; the entry itself if it is known or may be several cards.

        A card that is certain so counts as seen from then on: ``slots`` changes as by ``sight``.
        """
        may = holds(self.slots, code)
        name = self.sight(code, ITSELF[may[0]]) if len(may) == 1 and may[0] < BLANK else None
        return code if name is None else name

    def place_of(self, zone: bytes, card: int) -> int:
        """Return the index of a card in a zone; -1 if it is not known to lie there.

        The Empress and the Emperor are found too where they stand for another card.
        """
        at = zone.find(card)
        return zone.translate(ITSELF).find(card) if at < 0 and card in COPIES else at


# --- where cards lie: taken, drawn and put there, or missed ---


Removal: TypeAlias = tuple[int, int, int]
Miss: TypeAlias = tuple[Rule, str]

PLACES = {"h": "hand", "a": "area", "x": "discard pile", "d": "deck"}
_CLAUSE_OF = {"h": IN_HAND, "a": IN_AREA, "x": IN_DISCARDS, "d": IN_DECK}
_IN_ORDER = tuple(_CLAUSE_OF.values())


def missing_card(seat: int, spot: Spot) -> Miss:
    """Return (the rule that is broken, the reason as a sentence without a full stop) for a card that is not where a
    word says.

    Example: ``(IN_HAND, "7S is not in p2's hand")``. ``spot.at`` is the place of a face-down card, from 1, or 0.
    """
    subject = f"no card lies face down at a{spot.at}" if spot.at else f"{name_of(spot.card)} is not"
    return _CLAUSE_OF[spot.place], f"{subject} in p{seat}'s {PLACES[spot.place]}"


def not_on_top(seat: int, cards: bytes) -> str:
    """Return the reason for a refusal, as a sentence: ``7S does not lie on top of p2's deck``."""
    return f"{listed(cards)} {'does' if len(cards) == 1 else 'do'} not lie on top of p{seat}'s deck"


class MissingError(Exception):
    """Cards that a word names are not where they must be.

    Attributes:
        misses: (rule, reason) of each such card.
    """

    def __init__(self, misses: list[Miss]) -> None:
        super().__init__(misses)
        self.misses = misses


class Seat(Struct, gc=False):
    """A side while a word is carried out; the fields are those of ``Side``."""

    deck: bytes
    hand: bytes
    area: bytes
    row: bytes
    pile: bytes
    points: int
    tops: Eyes
    eyes: Eyes
    peeps: Eyes
    total: int


class Sides(HiddenCards):
    """The sides while a word is carried out."""

    sides: list[Side | Seat]
    changed_sides: list[int]

    def side(self, seat: int) -> Seat:
        """Return a seat's cards as a Struct that may be changed; what is set on it is in the next state.

        To read only, use ``sides[seat - 1]``.
        """
        return thaw(self.sides, self.changed_sides, seat - 1, Seat)

    # --- refusals ---

    def block_missing(self, misses: list[Miss]) -> NoReturn:
        """Raise BlockedError for the first of these cards that are not where they must be, in the rulebook's order of
        zones.

        The order is hand, area, discard pile, deck. ``misses`` has (rule, reason) of each.
        """
        self.block(*min(misses, key=lambda miss: _IN_ORDER.index(miss[0])))

    # --- taking ---

    def take_hand(self, seat: int, card: int) -> Removal | None:
        """Take a card from a hand; the answer is its removal, or None if it cannot be there, and then nothing changes.

        ``card`` is UNKNOWN for a card that is not named; then it may be any card of the hand. The place in the removal
        is -1. The seats in it are those that surely knew the card: of two cards alike, a seat that knew only one of
        them does not count.
        """
        side = self.side(seat)
        leaving = self.search(side.hand, card)
        if leaving is None:
            return None
        hand, at, code, _ = leaving
        eyes = side.eyes
        if any(eyes):
            knowers, side.eyes = _without_entry(hand, eyes if card != UNKNOWN else (0,) * len(eyes), at)
        else:
            knowers, side.eyes = 0, eyes[1:]
        side.hand = hand[:at] + hand[at + 1 :]
        return ITSELF[code], knowers, -1

    def take_pile(self, seat: int, card: int) -> Removal | None:
        """Take a card from a discard pile, of several alike the uppermost; None if it cannot be there.

        Everybody knows the card (``EVERYBODY`` in the removal); the place in the removal is -1.
        """
        side = self.side(seat)
        pile, at = side.pile, side.pile.rfind(card)
        if at < 0:
            leaving = self.search(pile, card)
            if leaving is None:
                return None
            pile, at, card, _ = leaving
        side.pile = pile[:at] + pile[at + 1 :]
        return card, EVERYBODY, -1

    def take_deck(self, seat: int, card: int) -> Removal | None:
        """Take a card from anywhere in a deck, and forget what was known of its top; None, and no change, if it cannot
        be there.

        The caller shuffles the deck. The removal says that no seat knows the card.
        """
        side = self.side(seat)
        leaving = self.search(side.deck, card)
        if leaving is None:
            return None
        deck, at, code, _ = leaving
        side.deck, side.tops = deck[:at] + deck[at + 1 :], ()
        return code, 0, -1

    def take_area(self, seat: int, spot: Spot) -> Removal | None:
        """Take a card from an area, a face-up one by name, a face-down one by place.

        Returns:
            The removal, None if the card cannot be there.
        """
        if spot.at:
            return self._take_row(seat, spot.at - 1)
        side = self.side(seat)
        leaving = self.search(side.area, spot.card) if spot.card != UNKNOWN else None
        if leaving is None:
            return None
        area, at, code, is_named = leaving
        side.area = area[:at] + area[at + 1 :]
        self.count(side)
        return code, EVERYBODY, at if is_named else -1

    def _take_row(self, seat: int, at: int) -> Removal | None:
        """Take the face-down card at an index (from 0) of a seat's row; None, and nothing changes, if the row has no
        such card.

        The cards to the right move up, and the points of the area are counted again. The seat itself is among those
        that the removal says know the card.
        """
        side = self.side(seat)
        if at >= len(side.row):
            return None
        code, knowers = side.row[at], side.peeps[at] | 1 << seat
        side.row, side.peeps = side.row[:at] + side.row[at + 1 :], side.peeps[:at] + side.peeps[at + 1 :]
        side.total = side.total & knowers if side.row else EVERYBODY
        self.count(side)
        return code, knowers, at

    def take(self, seat: int, spot: Spot) -> Removal | None:
        """Take a card from where a word says it lies: hand, area, discard pile or deck; None if it cannot be there.

        A deck is left unshuffled, but what was known of its top is forgotten.
        """
        if spot.place == "a":
            return self.take_area(seat, spot)
        take = self.take_hand if spot.place == "h" else self.take_pile if spot.place == "x" else self.take_deck
        return take(seat, spot.card)

    def lies(self, seat: int, spot: Spot) -> bool:
        """Say whether a card may lie in a hand or area as a word says; nothing changes.

        A face-down card is named by its place alone, so only the number of such cards counts. A face-up card must be
        named; in a hand UNKNOWN stands for any card. Spots in a discard pile or a deck are not for this method.
        """
        side = self.sides[seat - 1]
        if spot.at:
            return spot.at <= len(side.row)
        if spot.place == "a":
            return spot.card != UNKNOWN and self.may_lie(side.area, spot.card)
        return self.may_lie(side.hand, spot.card)

    def from_hand(self, seat: int, cards: bytes) -> bytes:
        """Take cards from a hand and return their codes, sorted by name, unknown ones last; they are put nowhere.

        Raises:
            BlockedError: One of them cannot be there; some may have been taken by then.
        """
        codes = bytearray()
        for card in sorted(cards):
            entry = self.take_hand(seat, card)
            if entry is None:
                self.block(IN_HAND, f"{name_of(card)} is not in p{seat}'s hand")
            codes.append(entry[0])
        return bytes(codes)

    def discard_from_hand(self, seat: int, cards: bytes) -> None:
        """Put cards of a hand on the discard pile.

        Raises:
            BlockedError: One of them cannot be in the hand.
        """
        codes = self.from_hand(seat, cards)
        count = len(cards) - cards.count(UNKNOWN)
        self.discard(seat, bytes([card for card in cards if card != UNKNOWN]) + codes[count:])

    # --- drawing ---

    def _off_deck(self, side: Seat, cards: bytes) -> tuple[bytes, Eyes] | None:
        """Take as many cards off the top of a deck as a word has, which may name them in any order.

        Returns:
            Their codes, and for each the seats that know it, as bits; None, and no change, if they cannot be the top.
        """
        deck, tops, count = side.deck, side.tops, len(cards)
        if count > len(deck):
            return None
        lying, eyes = deck[:count], (tops + (0,) * count)[:count]
        if lying != cards and sorted(lying) != sorted(cards):
            lying, eyes, wrong = self.in_front(lying, bytes(sorted(cards)), eyes)
            if wrong >= 0:
                return None
        side.deck, side.tops = deck[count:], tops[count:]
        return lying, eyes

    def draw(self, seat: int, cards: bytes, clause: Rule = EFFECT) -> None:
        """Draw cards from a seat's deck into its hand.

        Args:
            seat: The seat.
            cards: The cards, UNKNOWN for those not named.
            clause: The rule that is broken if they cannot be the top of the deck.

        Raises:
            BlockedError: They cannot.
        """
        side = self.side(seat)
        top = self._off_deck(side, cards)
        if top is None:
            self.block(clause, not_on_top(seat, cards))
        side.hand += top[0]
        side.eyes += top[1]

    def mill(self, seat: int, cards: bytes) -> bool:
        """Put the top cards of a seat's deck on its discard pile, and say whether that was done.

        ``cards`` are those cards in any order, UNKNOWN for one not named. If they cannot be the top, nothing is moved
        and the answer is False.
        """
        top = self._off_deck(self.side(seat), cards)
        if top is not None:
            self.discard(seat, top[0])
        return top is not None

    # --- putting ---

    def give(self, seat: int, code: int, eyes: int) -> None:
        """Add a card to a hand, at its end.

        Args:
            seat: The seat whose hand it is.
            code: The code of the card; one that stood for another card is itself again.
            eyes: The seats, as bits, that know it; the owner knows it anyway.
        """
        side = self.side(seat)
        side.hand += bytes((ITSELF[code],))
        side.eyes += (eyes & EVERYBODY,)

    def note_sight(self, seat: int, cards: bytes, by: int) -> None:
        """Note that a seat has seen cards of another hand, which stay in it.

        Args:
            seat: The seat whose hand it is.
            cards: The cards, UNKNOWN for those not named.
            by: The seat that saw them.

        Raises:
            BlockedError: They cannot be in the hand.
        """
        side = self.side(seat)
        for card in sorted(set(cards) - {UNKNOWN}):
            while side.hand.count(card) < cards.count(card):
                leaving = self.uncover(side.hand, card)
                if leaving is None:
                    self.block(*missing_card(seat, Spot("h", card)))
                hand, at, _, _ = leaving
                side.hand = hand[:at] + bytes((card,)) + hand[at + 1 :]
            alike = [at for at, entry in enumerate(side.hand) if entry == card]
            eyes = list(side.eyes)
            count = sum(eyes[at] >> by & 1 for at in alike)
            for at in alike:
                if count < cards.count(card) and not eyes[at] >> by & 1:
                    eyes[at] |= 1 << by
                    count += 1
            side.eyes = tuple(eyes)
        if len(cards) > len(side.hand):
            self.block(*missing_card(seat, Spot("h")))

    def discard(self, seat: int, cards: bytes) -> None:
        """Put cards on the discard pile of a seat, the last on top; a card that stood for another one is
        itself again.
        """
        self.side(seat).pile += cards.translate(ITSELF)

    def lay(self, seat: int, cards: bytes) -> None:
        """Put cards face up in an area, after the others, and count its points again.

        ``cards`` are codes, of the Empress or the Emperor those that say for which card it stands.
        """
        side = self.side(seat)
        side.area += cards
        if self.slots.pools:
            self.count(side)
        else:
            side.points += points(cards)

    def count(self, side: Seat) -> None:
        """Set ``side.points`` to what lies in its area and row now; unseen cards count the least that they can have."""
        entries = side.area + side.row
        side.points = points(entries) + (least(self.slots, entries, WORTH) if has_slots(entries) else 0)


def _without_entry(zone: bytes, eyes: Eyes, at: int) -> tuple[int, Eyes]:
    """Remove an entry from the knowledge of a zone.

    Of two cards alike, a seat that knew of one cannot say which of them went, and knows of none that is left.

    Returns:
        The seats, as bits, that knew the entry at the index, and what seats know of the others.
    """
    code = zone[at]
    if zone.count(code) == 1:
        return eyes[at], eyes[:at] + eyes[at + 1 :]
    alike = [place for place, entry in enumerate(zone) if entry == code]
    knew = {seat: sum(eyes[place] >> seat & 1 for place in alike) for seat in range(1, max(SEATS) + 1)}
    after = list(eyes)
    for nth, place in enumerate(place for place in alike if place != at):
        after[place] = sum(1 << seat for seat in knew if knew[seat] - 1 > nth)
    knowers = sum(1 << seat for seat in knew if knew[seat] == len(alike))
    return knowers, (*after[:at], *after[at + 1 :])


# --- the draft ---


class Draft(Sides):
    """A state while a word is carried out; nothing outside this folder sees one."""

    def __init__(self, state: State) -> None:
        """Copy a state; its open reaction window counts as closed."""
        self.options, self.ply, self.sides, self.changed_sides = state.options, state.ply, [*state.sides], []
        self.unseen = unseen = state.unseen
        self.slots = unseen.slots
        self.turn, self.flags, self.turns, self.since = state.turn, state.flags, state.turns, state.since
        self.finishers, self.due, self.act, self.loose = state.finishers, state.due, state.act, state.loose
        self.fresh, self.marks, self.outcome = state.fresh, state.marks, state.outcome
        self.skipped_words = state.skipped_words
        self.if_unanswered: State | None = None

    def frozen(self) -> State:
        """Return the state that the draft has become. The draft may be changed and frozen again; earlier states stay as
        they are.
        """
        unseen = self.unseen
        return State(
            self.options,
            freeze(self.sides, self.changed_sides, Side),
            self.turn,
            self.flags,
            self.turns,
            self.since,
            self.ply,
            self.finishers,
            self.due,
            self.act,
            self.loose,
            self.fresh,
            self.marks,
            unseen if unseen.slots is self.slots else replace(unseen, slots=self.slots),
            self.if_unanswered,
            self.outcome,
            self.skipped_words,
        )

    def mark(self, **changes: Any) -> None:
        """Replace fields of the lasting effects, ``self.marks``: ``mark(strong=0)``. Names are those of the fields of
        ``Marks``.
        """
        self.marks = replace(self.marks, **changes)

    def around(self, seat: int) -> list[int]:
        """Return all seats in the order of turns, beginning with this one: of 4 seats, ``3 -> [3, 4, 1, 2]``.

        Seats that are out are among them.
        """
        seats = self.options.seats
        return [(seat - 1 + step) % seats + 1 for step in range(seats)]
