"""A second, slow dealer and player of Tarot, written from the rulebook alone; it shares nothing with the package.

It deals packet by packet, bids, discards and plays at random, always legally, and writes down CGN words. Terms: an
*open* record has every card by name; a *table* record has what all could see, so neither hands nor unseen cards.
"""

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from tests.referees.tarot.score import (
    BOUTS,
    FOOL,
    PETIT,
    POIGNEES,
    RANKS,
    Bid,
    Deal,
    Trick,
    highest,
    is_trump,
    taking_bid,
)

SUITS = "CDHS"
TRUMPS = tuple(f"T{number:02}" for number in range(1, 22))
DECK = (*(rank + suit for suit in SUITS for rank in RANKS), FOOL, *TRUMPS)
PLACE = {card: place for place, card in enumerate(DECK)}
ALL_TRUMPS = frozenset(TRUMPS)
WHOLE_SUIT = {suit: frozenset(rank + suit for rank in RANKS) for suit in SUITS}
BIDS = ("Prise", "Garde", "GardeSans", "GardeContre")
HAND = {3: 24, 4: 18, 5: 15}
VARIANTS = (("dementlieu", 3), ("dementlieu", 4), ("fft", 3), ("fft", 4), ("fft", 5))


class Dealt(NamedTuple):
    """A dealt deck. hands: in seat order, each in the order of CGN; chien: in the order dealt."""

    words: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    chien: tuple[str, ...]


class Played(NamedTuple):
    """One deal of a record. words: an open record; table: the same without what only some could see.

    hands: as dealt, empty where the deal was void before its end
    deal: for the scoring, None where the deal was void
    """

    words: tuple[str, ...]
    table: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    deal: Deal | None


class Written(NamedTuple):
    """A record of some deals. words, table: of all its deals together."""

    variant: str
    seats: int
    words: tuple[str, ...]
    table: tuple[str, ...]
    deals: tuple[Played, ...]


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Return the cards in the order of CGN: C D H S, 1 to K, then T00 to T21."""
    return tuple(sorted(cards, key=PLACE.__getitem__))


def after(seat: int, seats: int) -> int:
    """Return the next seat."""
    return seat % seats + 1


def before(seat: int, seats: int) -> int:
    """Return the seat before, which in dementlieu is the dealer's right."""
    return (seat - 2) % seats + 1


def turns(first: int, seats: int) -> list[int]:
    """Return every seat once, from the first."""
    return [(first - 1 + n) % seats + 1 for n in range(seats)]


# --- the deal ---


def packet_size(variant: str, seats: int) -> int:
    """Return how many cards are dealt to a seat at once."""
    return 4 if (variant, seats) == ("fft", 3) else 3


def deal_out(random: Random, variant: str, seats: int, dealer: int) -> Dealt:
    """Deal a shuffled deck by the rules; chien cards go between packets, never two running, never first or last."""
    deck = random.sample(DECK, len(DECK))
    size = packet_size(variant, seats)
    packets = HAND[seats] // size * seats
    gaps = set(random.sample(range(1, packets), len(DECK) - HAND[seats] * seats))
    hands: dict[int, list[str]] = {seat: [] for seat in range(1, seats + 1)}
    chien: list[str] = []
    words: list[str] = []
    seat = after(dealer, seats)
    for number in range(packets):
        if number in gaps:
            chien.append(deck.pop())
            words.append(f"p0/c*{chien[-1]}")
        packet = [deck.pop() for _ in range(size)]
        hands[seat] += packet
        words.append(f"p0/p{seat}*{','.join(packet)}")
        seat = after(seat, seats)
    return Dealt(tuple(words), tuple(in_order(hand) for hand in hands.values()), tuple(chien))


def petit_sec(hand: Iterable[str]) -> bool:
    """Say whether the hand's only trump is the petit, without the fool."""
    return [card for card in hand if card[0] == "T"] == [PETIT]


# --- the draw for the deal ---


def drawn_value(card: str) -> tuple[int, ...]:
    """Return what a card shown for the deal is worth: any trump over any suit card, then ranks, then C D H S."""
    if is_trump(card):
        return (1, int(card[1:]))
    return (0, RANKS.index(card[0]), SUITS.index(card[1]))


def draw_for_deal(random: Random, variant: str, seats: int) -> tuple[tuple[str, ...], int]:
    """Return the words of a draw for the deal, and the seat that deals by it."""
    deck = random.sample(DECK, len(DECK))
    words: list[str] = []
    drawing = list(range(1, seats + 1))
    while True:
        shown: dict[int, str] = {}
        while waiting := [seat for seat in drawing if shown.get(seat, FOOL) == FOOL]:
            for seat in waiting:
                shown[seat] = deck.pop()
                words.append(f"p{seat}/^{shown[seat]}")
        trumps = [seat for seat in drawing if is_trump(shown[seat])]
        if variant == "dementlieu" and len(trumps) > 2:
            drawing = trumps
            continue
        pick = max if variant == "dementlieu" else min
        return tuple(words), pick(drawing, key=lambda seat: drawn_value(shown[seat]))


# --- the play ---


def led(trick: Iterable[str]) -> str:
    """Return the first card that is not the fool, "" where there is none."""
    return next((card for card in trick if card != FOOL), "")


def broken(variant: str, hand: Iterable[str], trick: Iterable[str], card: str) -> str:
    """Return the key of the first rule that playing the card to the trick breaks, "" where it is legal."""
    held, lying = set(hand), list(trick)
    if card not in held:
        return "tarot.in-hand"
    first = led(lying)
    if card == FOOL or not first:
        return ""
    own_trumps = held & ALL_TRUMPS
    if is_trump(first):
        if own_trumps and not is_trump(card):
            return "tarot.trump-led"
    else:
        following = held & WHOLE_SUIT[first[1]]
        free = variant == "dementlieu" and is_trump(card)
        if following and card not in following and not free:
            return "tarot.follow-suit"
        if variant == "fft" and not following and own_trumps and not is_trump(card):
            return "tarot.must-trump"
    if is_trump(card) and (variant == "fft" or is_trump(first)):
        top = max((other for other in lying if is_trump(other)), default="")
        if card < top and any(other > top for other in own_trumps):
            return "tarot.overtrump"
    return ""


def playable(variant: str, hand: Iterable[str], trick: Iterable[str] = (), called: str = "") -> set[str]:
    """Return the cards of the hand that may be played to the trick.

    called: the king named at five seats, where the card is the first one of the first trick
    """
    held, lying = set(hand), list(trick)
    cards = {card for card in held if not broken(variant, held, lying, card)}
    if not called:
        return cards
    return {card for card in cards if card[0] == "T" or card[1] != called[1] or card == called}


# --- one deal ---


def discardable(variant: str, cards: Iterable[str], wanted: int) -> tuple[set[str], set[str]]:
    """Return the cards that may be discarded freely, and those only when the free ones are used up."""
    held = set(cards)
    if variant == "dementlieu":
        return held, set()
    free = {card for card in held if card[0] not in "TK"}
    trumps = {card for card in held if is_trump(card) and card not in BOUTS}
    return free, trumps if len(free) < wanted else set()


def callable_ranks(hand: Iterable[str]) -> str:
    """Return the ranks a taker of five seats may call: a queen with four kings, and so on."""
    held = set(hand)
    ranks = "K"
    for higher, lower in ("KQ", "QN", "NJ"):
        if not all(higher + suit in held for suit in SUITS):
            break
        ranks += lower
    return ranks


def poignees(seats: int, hand: Iterable[str], random: Random) -> tuple[str, ...]:
    """Return a poignée the hand may show, chosen at random, or nothing."""
    held = set(hand)
    trumps = [card for card in held if is_trump(card)]
    sizes = [size for size in POIGNEES[seats] if size <= len(trumps) + (FOOL in held)]
    if not sizes:
        return ()
    size = random.choice(sizes)
    if size > len(trumps):
        return in_order([*trumps, FOOL])
    return in_order(random.sample(sorted(trumps), size))


class Playing:
    """One deal while it is played; every choice comes from the random numbers."""

    def __init__(self, random: Random, variant: str, seats: int, dealer: int, *, again: bool = False) -> None:
        """Deal the cards. again: after a maldonne in fft, so that the dealer has no call"""
        self.random, self.variant, self.seats, self.dealer = random, variant, seats, dealer
        self.stakes, self.again = variant == "dementlieu", again
        self.dealt = deal_out(random, variant, seats, dealer)
        self.words: list[str] = list(self.dealt.words)
        self.table: list[str] = []
        self.hands = {seat: set(hand) for seat, hand in enumerate(self.dealt.hands, 1)}
        self.bids: list[Bid] = []
        self.called = ""
        self.discards: tuple[str, ...] = ()
        self.shown: list[tuple[int, int]] = []
        self.chelem = False

    def say(self, word: str, table: str = "") -> None:
        """Write a word down, for the table with its unseen cards unknown."""
        self.words.append(word)
        self.table.append(table or word)

    def bid(self) -> bool:
        """Let every seat that has a call make it; say whether the deal goes on."""
        best = -1
        order = turns(after(self.dealer, self.seats), self.seats)
        order = order[:-1] if self.again else order
        lonely = next((seat for seat in order if petit_sec(self.hands[seat])), 0)
        for seat in order:
            if lonely in order[len(self.bids) :] and (seat == lonely or self.random.random() < 0.3):
                self.say(f"p{lonely}/PetitSec")
                return False
            name, stake = "Pass", None
            if best < len(BIDS) - 1 and self.random.random() < 0.4:
                best = self.random.randrange(best + 1, len(BIDS))
                name = BIDS[best]
                stake = self.random.choice((None, 1, 2, 5)) if self.stakes else None
            self.bids.append(Bid(seat, name, stake))
            self.say(name if stake is None else f"{name}={stake}")
        return best >= 0

    def prepare(self, taker: Bid) -> None:
        """Do what comes between bidding and play: a call, the chien, the discards, a chelem."""
        hand = self.hands[taker.seat]
        if self.seats == 5:
            rank = self.random.choice(callable_ranks(hand))
            self.called = rank + self.random.choice(SUITS)
            self.say(f"Call={self.called}")
        if taker.name in ("Prise", "Garde"):
            if self.random.random() < 0.9:
                self.say(f"p0/^{','.join(self.dealt.chien)}")
            hand.update(self.dealt.chien)
            self.discard(hand)
        if self.variant == "fft" and self.random.random() < 0.05:
            self.chelem = True
            first = taker.seat == after(self.dealer, self.seats)
            self.say("Chelem" if first else f"p{taker.seat}/Chelem")

    def discard(self, hand: set[str]) -> None:
        """Put as many cards away as the chien had."""
        wanted = len(self.dealt.chien)
        free, trumps = discardable(self.variant, hand, wanted)
        chosen = self.random.sample(in_order(free), min(wanted, len(free)))
        chosen += self.random.sample(in_order(trumps), wanted - len(chosen))
        self.discards = in_order(chosen)
        hand.difference_update(chosen)
        named = [card for card in self.discards if self.variant == "fft" and is_trump(card)]
        seen = [*named, *["~"] * (wanted - len(named))]
        self.say(f"{','.join(self.discards)}-", f"{','.join(seen)}-")

    def play(self, taker: Bid) -> Deal:
        """Play every trick and return the deal."""
        leader = taker.seat if self.chelem else after(self.dealer, self.seats)
        tricks: list[Trick] = []
        for number in range(HAND[self.seats]):
            trick: list[tuple[int, str]] = []
            for seat in turns(leader, self.seats):
                if number == 0 and self.variant == "fft":
                    self.show(seat)
                lying = [card for _, card in trick]
                called = self.called if not tricks and not trick else ""
                card = self.random.choice(in_order(playable(self.variant, self.hands[seat], lying, called)))
                self.hands[seat].remove(card)
                trick.append((seat, card))
                self.say(card)
            tricks.append(tuple(trick))
            leader = highest(tuple(trick))
        return self.so_far(tricks)

    def show(self, seat: int) -> None:
        """Let the seat show a poignée if it has one and likes to."""
        cards = poignees(self.seats, self.hands[seat], self.random)
        if cards and self.random.random() < 0.7:
            self.shown.append((seat, len(cards)))
            self.say(f"Poignee={','.join(cards)}")

    def so_far(self, tricks: list[Trick]) -> Deal:
        """Return the deal as far as it is known, with these tricks."""
        return Deal(
            self.variant,
            self.seats,
            self.dealer,
            tuple(self.bids),
            self.dealt.chien,
            self.discards,
            tuple(tricks),
            self.called,
            tuple(self.shown),
            self.chelem,
        )

    def finished(self) -> Played:
        """Play the deal to its end."""
        deal = None
        if self.bid():
            taker = taking_bid(self.so_far([]))
            assert taker is not None
            self.prepare(taker)
            deal = self.play(taker)
        return Played(tuple(self.words), tuple(self.table), self.dealt.hands, deal)


def spoilt(random: Random, variant: str, seats: int, dealer: int) -> Played:
    """Deal a part of a deck and call it off."""
    words = deal_out(random, variant, seats, dealer).words
    kept = words[: random.randrange(1, len(words))]
    return Played((*kept, "Maldonne"), ("Maldonne",), (), None)


def record(random: Random, variant: str, seats: int, deals: int = 1, *, extras: bool = True) -> Written:
    """Write a record that ends with so many deals played out; void and passed deals between them are kept.

    extras: now and then a draw for the deal, and deals called off. Without a draw the last seat deals first, so
    that no tag is needed.
    """
    opening: tuple[str, ...] = ()
    dealer, played, again = seats, 0, False
    if extras and random.random() < 0.2:
        opening, dealer = draw_for_deal(random, variant, seats)
    written: list[Played] = []
    while played < deals:
        if extras and random.random() < 0.05:
            written.append(spoilt(random, variant, seats, dealer))
            again = variant == "fft"
            dealer = dealer if again else before(dealer, seats)
            continue
        written.append(Playing(random, variant, seats, dealer, again=again).finished())
        played, again = played + (written[-1].deal is not None), False
        dealer = after(dealer, seats)
    words = (*opening, *(word for deal in written for word in deal.words))
    table = (*opening, *(word for deal in written for word in deal.table))
    return Written(variant, seats, words, table, tuple(written))
