"""The moves and states of trick games, and what follows from the cards that were dealt and passed."""

from functools import reduce
from operator import or_
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.cards.deck import cards_of, set_of
from cartulary.engine.cards.hands import Hands, count_masks, view_from_masks
from cartulary.engine.cards.hands import begin as begin_hands
from cartulary.engine.cards.layouts import Fact, Places, homes_of
from cartulary.engine.cards.tricks import Trick
from cartulary.engine.contract import Breach
from cartulary.engine.tricks.description import Contract, Description

UNKNOWN = -1
"""A card that nobody wrote down."""
UNREAD = -2
"""A bid that nobody wrote down, in a game without an auction."""


class Deal(Struct, frozen=True, gc=False):
    """The table, seat 0, deals a hand to a seat: its cards in order, unknown ones last."""

    seat: int
    to: int
    cards: tuple[int, ...]


class TurnUp(Struct, frozen=True, gc=False):
    """The table, seat 0, turns the card up whose suit is trumps."""

    seat: int
    card: int


class Pass(Struct, frozen=True, gc=False):
    """A seat passes cards to another seat: in order, unknown ones last."""

    seat: int
    cards: tuple[int, ...]
    to: int


class Bid(Struct, frozen=True, gc=False):
    """A seat bids; ``bid`` is the number of the bid in ``Description.bids``, UNREAD for one that nobody wrote down."""

    seat: int
    bid: int


class Play(Struct, frozen=True, gc=False):
    """A seat plays a card, UNKNOWN for one that nobody wrote down.

    ``announcement`` is the number in ``Description.announcements`` of what it says with it; -1 if it says nothing.
    """

    seat: int
    card: int
    announcement: int = -1


class ScoredDeal(Struct, frozen=True, gc=False):
    """The table, seat 0, writes a whole deal as the points that each seat wins with it, by place."""

    seat: int
    points: tuple[int, ...]


Move: TypeAlias = Deal | TurnUp | Pass | Bid | Play | ScoredDeal


class Saying(Struct, frozen=True, gc=False):
    """What a seat has said with a card; ``announcement`` is the number in ``Description.announcements``."""

    seat: int
    announcement: int
    card: int


class WonTrick(Struct, frozen=True, gc=False):
    """A trick with the seat that has won it, 0 if nobody can say."""

    winner: int
    cards: Trick


class State(Struct, frozen=True, gc=False):
    """A record of deals so far, and what is known of the hands of this one.

    Attributes:
        seats: How many seats play.
        target: The points to which the game is played; 0 if points do not end it.
        dealer: The seat that deals.
        deal: The number of the deal, from 1.
        since: The plies before its first word.
        hands: What is known of the hands: as dealt, or once cards have been passed, as after that.
        dealt_cards: By place, the cards that the record has dealt to it, as sets; the last is the rest of the deck.
        dealt_seats: The seats whose hands the record has dealt, a bit each.
        turned_card: The card turned up, -1 for none.
        passes: The cards passed, in the order of the words.
        bids: By place, the number of its last bid, -1 before, UNREAD for one that nobody wrote down.
        calls: In a game with an auction, the numbers of all bids in order; else empty.
        declarer: The seat that plays the contract of the auction; 0 before and in games without one.
        contract_trumps: The trumps of the contract, as a set.
        sayings: What has been said with cards, in order.
        leads: The seats that may play next once a trick is won or begun; several if a card that nobody wrote down may
            have won the trick. Before the first card it is empty.
        trick: The open trick; also the last one while it is open who has won it.
        tricks: The tricks of this deal that are won.
        points: By place, the points of the deals before.
        carry: What they carry over beside the points.
        unscored_deals: How many deals cannot be scored, because of cards that nobody wrote down.
        past: (ply, key) of each question that no later word answers: of those that earlier deals have left open, and of
            bids that one turns on which nobody wrote down.
        over: Whether the game has ended.
        ply: How many words there are so far.
        breaches: What the last word has proved of earlier ones.
    """

    seats: int
    target: int
    dealer: int
    deal: int
    since: int
    hands: Hands
    dealt_cards: tuple[int, ...]
    dealt_seats: int = 0
    turned_card: int = UNKNOWN
    passes: tuple[Pass, ...] = ()
    bids: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()
    declarer: int = 0
    contract_trumps: int = 0
    sayings: tuple[Saying, ...] = ()
    leads: tuple[int, ...] = ()
    trick: Trick = ()
    tricks: tuple[WonTrick, ...] = ()
    points: tuple[int, ...] = ()
    carry: tuple[int, ...] = ()
    unscored_deals: int = 0
    past: tuple[tuple[int, str], ...] = ()
    over: bool = False
    ply: int = 0
    breaches: tuple[Breach, ...] = ()


def seat_after(state: State, seat: int, by: int = 1) -> int:
    """Return the seat that is ``by`` places to the left of a seat, round the table: of 4 seats, ``(4, by=1) -> 1``."""
    return (seat - 1 + by) % state.seats + 1


def places_of(game: Description, seats: int, deal: int) -> Places:
    """Return how the cards of a deal are spread over places, for ``engine.cards.layouts``.

    There is one place for each seat, with the size of its hand, and a last one for the cards that are not dealt, if
    there are any. ``deal`` is the number of the deal, from 1. In a game that deals on after an auction, the hands are
    those before it.
    """
    return places_of_hands(game, seats, game.hand(seats, deal))


def places_of_hands(game: Description, seats: int, hand: int) -> Places:
    """Return the places of so many hands of so many cards, as ``places_of`` does."""
    cards = game.deck.cards
    rest = cards.bit_count() - seats * hand
    return Places(cards, (hand,) * seats + ((rest,) if rest else ()))


def begin_deal(game: Description, state: State) -> State:
    """Return the state before the first word of its deal.

    Args:
        game: The game.
        state: The state with the number and the dealer of the deal; its hands and tricks are those of the last one.
    """
    places = places_of(game, state.seats, state.deal)
    nothing = (0,) * len(places.sizes)
    bids = (UNKNOWN,) * state.seats if game.bids(places.sizes[0]) else ()
    return replace(
        state,
        since=state.ply,
        hands=begin_hands(places, nothing),
        dealt_cards=nothing,
        dealt_seats=0,
        turned_card=UNKNOWN,
        passes=(),
        bids=bids,
        calls=(),
        declarer=0,
        contract_trumps=0,
        sayings=(),
        leads=(),
        trick=(),
        tricks=(),
    )


def open_trick(state: State) -> Trick:
    """Return the trick that is being played, as (seat, card) in order; () if none is, or if all seats have played to
    it.

    A complete trick stays in ``state.trick`` while it is open who has won it, but does not count as open here.
    """
    return state.trick if len(state.trick) < state.seats else ()


def has_begun(state: State) -> bool:
    """Say whether a card of this deal has been played; dealing, passing and bidding do not count."""
    return bool(state.trick or state.tricks)


def hand_size(state: State) -> int:
    """Return how many cards each seat has been dealt so far in this deal, whatever it has left.

    Hands of which the record says nothing count too.
    """
    return state.hands.places.sizes[0]


def deal_size(game: Description, state: State, to: int) -> int:
    """Return how many cards a word deals to a seat now: all of its hand, or the rest of it once there is a contract."""
    if not state.declarer:
        return hand_size(state)
    takes = game.auction is not None and game.auction.takes_card and to == state.declarer
    return hand_size(state) - game.hand(state.seats, state.deal) - takes


def deals_on(game: Description, state: State) -> bool:
    """Say whether the rest of the hands is dealt now: there is a contract, and no card has been played yet."""
    return game.auction is not None and game.auction.hand > 0 and state.declarer > 0 and not has_begun(state)


def begin_play(game: Description, state: State, contract: Contract) -> State:
    """Return the state once an auction has come to a contract.

    If the game deals on, hands are complete from now on, and the card turned up may be in that of the declarer.
    """
    auction, declarer = game.auction, seat_after(state, state.dealer, contract.bid + 1)
    state = replace(state, declarer=declarer, contract_trumps=contract.trumps)
    if auction is None or not auction.hand:
        return state
    places = places_of_hands(game, state.seats, auction.hand)
    turned = 1 << state.turned_card if auction.takes_card and state.turned_card >= 0 else 0
    dealt = [cards | turned * (place + 1 == declarer) for place, cards in enumerate(state.dealt_cards[: state.seats])]
    dealt += [0] * (len(places.sizes) - len(dealt))
    return replace(state, dealt_cards=tuple(dealt), dealt_seats=0, hands=begin_hands(places, dealt))


def trumps_of(game: Description, state: State) -> int:
    """Return the trumps of this deal as bits; 0 if there are none, or if the card or the auction that decides them is
    still to come.
    """
    if game.auction is not None:
        return state.contract_trumps
    if not game.turns_up:
        return game.trumps
    return game.deck.suits[game.deck.suit_of(state.turned_card)] if state.turned_card >= 0 else 0


def turned_place(state: State) -> int:
    """Return the place, from 0, where the card turned up lies.

    It is the last place, of the cards that are not dealt; if all are dealt, it is the dealer's hand.
    """
    return state.seats if len(state.hands.places.sizes) > state.seats else state.dealer - 1


# --- passing ---


def passing(game: Description, state: State) -> tuple[int, int]:
    """Return (how many seats to the left cards are passed in this deal, how many cards); (0, 0) if none are passed."""
    return game.passes(state.seats, state.deal)


def passers(game: Description, state: State) -> tuple[int, ...]:
    """Return the seats that still have cards to pass in this deal, in order from the dealer's left.

    Empty if the deal has no passing, if all have passed, or once a card has been played.
    """
    count = passing(game, state)[1]
    if not count or has_begun(state):
        return ()
    seats = {move.seat for move in state.passes}
    order = (seat_after(state, state.dealer, by) for by in range(1, state.seats + 1))
    return tuple(seat for seat in order if seat not in seats)


def hands_after_passes(state: State) -> Hands:
    """Return what is known of the hands once all have passed, from ``dealt_cards`` and ``passes``.

    Of a card that a seat was dealt and may have passed unseen, it is known that one of the two seats has it.
    """
    places, passed_by = state.hands.places, {move.seat - 1: move for move in state.passes}
    facts: list[Fact] = []
    for place, cards in enumerate(state.dealt_cards):
        away, to = 0, 1 << place
        if place in passed_by:
            move = passed_by[place]
            away, receiver = set_of(card for card in move.cards if card >= 0), 1 << move.to - 1
            facts += [Fact(state.since, away, receiver)] if away else []
            to |= receiver if min(move.cards) < 0 else 0
        facts += [Fact(state.since, cards & ~away, to)] if cards & ~away else []
    homes = homes_of(places, facts)
    can = [set_of(card for card, home in homes.items() if home >> place & 1) for place in range(len(places.sizes))]
    can_now, sure = count_masks(can, (0,) * len(can), places.sizes)
    return replace(begin_hands(places, (0,) * len(can)), can=can_now, sure=sure, facts=tuple(facts))


# --- what one seat may see ---


def view(game: Description, state: State, seat: int) -> State:
    """Return the state as a seat sees it; seat 0 is the bystander, who sees only what everybody sees.

    A seat sees the cards dealt to it, those passed to it (once it has passed its own), the card turned up, and the
    cards played. All other cards are unknown, and open questions and breaches are left out.
    """
    turned = 1 << state.turned_card if state.turned_card >= 0 else 0
    own = tuple(cards if place + 1 == seat else cards & turned for place, cards in enumerate(state.dealt_cards))
    passes = tuple(
        view_pass(move, seat, any(other.seat == seat for other in state.passes[:at]))
        for at, move in enumerate(state.passes)
    )
    seen = replace(state, dealt_cards=own, passes=passes, past=(), breaches=())
    known = begin_hands(state.hands.places, own)
    if passing(game, state)[1] and not passers(game, state):
        known = hands_after_passes(seen)
    visible = [cards & (state.hands.played_cards | turned) for cards in state.hands.sure]
    return replace(seen, hands=view_from_masks(state.hands, known.can, known.sure, visible))


def view_pass(move: Pass, seat: int, has_passed: bool) -> Pass:
    """Return a word of passed cards as a seat sees it: with all cards unknown, unless they are its own.

    ``has_passed`` says whether the seat has passed its own cards already; if so, it sees those passed to it too.
    """
    if move.seat == seat or (move.to == seat and has_passed):
        return move
    return replace(move, cards=(UNKNOWN,) * len(move.cards))


def view_move(state: State, move: Move, seat: int) -> Move:
    """Return a word as a seat (0 the bystander) sees it; ``state`` is the state before the word.

    Cards dealt to others, and cards passed by or to others, become UNKNOWN; every other word is returned as it is.
    """
    if isinstance(move, Deal) and move.to != seat:
        return replace(move, cards=(UNKNOWN,) * len(move.cards))
    if isinstance(move, Pass):
        return view_pass(move, seat, any(other.seat == seat for other in state.passes))
    return move


# --- identity ---


def key(game: Description, state: State) -> tuple[object, ...]:
    """Return what matters for how play can go on, as plain tuples, for ``Place.key``: equal keys are equal positions.

    The order in which tricks were won is left out, cards in them that bring no points, and which cards were passed once
    play has begun. So are the bids of an auction once it has come to a contract.
    """
    hands = state.hands
    unnamed = [(card.place, card.cards) for card in hands.unnamed_cards]
    deal = (
        state.deal,
        state.dealer,
        state.dealt_seats,
        state.turned_card,
        () if state.calls else state.bids,
        state.leads,
        state.trick,
        state.over,
    )
    sayings = sorted((saying.seat, saying.announcement, saying.card) for saying in state.sayings)
    auction: tuple[object, ...] = (state.calls,) if state.calls and not state.declarer else ()
    if state.declarer:
        auction = (state.declarer, state.contract_trumps, sayings)
    passes = [] if has_begun(state) else sorted((move.seat, move.cards) for move in state.passes)
    won = [sorted(cards_of(cards & game.counting_cards)) for cards in cards_won(state)]
    counts = [sum(trick.winner == seat for trick in state.tricks) for seat in range(state.seats + 1)]
    scores = (state.target, state.points, state.carry, state.unscored_deals)
    return (*deal, *auction, *scores, passes, counts, won, hands.can, hands.sure, hands.played_cards, unnamed)


def cards_won(state: State) -> tuple[int, ...]:
    """Return by place (seat less one) the cards in the tricks that the seat has won, as bits.

    Cards that nobody wrote down are left out, and so are tricks of which nobody knows the winner.
    """
    won = [0] * state.seats
    for trick in state.tricks:
        if trick.winner:
            won[trick.winner - 1] |= reduce(or_, (1 << card for _, card in trick.cards if card >= 0), 0)
    return tuple(won)
