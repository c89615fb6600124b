"""Tarot: a trick-taking game with 78 cards for three, four or five seats, in two variants, with hidden hands.

Rules: ``dementlieu``, the wiki's page; ``fft``, French Tarot as the Fédération Française de Tarot plays it.
State: one deal so far (``state``), with the cards that may and that must lie in every place, and the questions that
earlier plies have left open (``knowledge``); running scores.
Chance: none here; the table deals.
"""

from collections.abc import Iterator
from operator import attrgetter, itemgetter

import msgspec
from msgspec.structs import replace

from cartulary.engine.cards.deck import CARDS, DECK, cards_of
from cartulary.engine.cards.hands import may_hold
from cartulary.engine.contract import Breach, Clause, Option, PlayResult, Refused, Sheet
from cartulary.engine.numbers import how_many
from cartulary.engine.parts import Hidden, Place, Rules, Turns, by_clauses
from cartulary.engine.tarot.applying import apply, skip
from cartulary.engine.tarot.bidding import COURTS, best_bid, bid_higher, bid_turn, call, ecart_cards, ecart_size
from cartulary.engine.tarot.dealing import (
    SEAT_NUMBERS,
    card_twice,
    chien_deal,
    chien_size,
    draw_for_deal,
    hand_size,
    is_correct_packet,
    maldonne,
    packets,
    petit,
    result_of_draw,
    seat_counts,
)
from cartulary.engine.tarot.knowledge import petit_sec, view, view_move
from cartulary.engine.tarot.phases import due, phase
from cartulary.engine.tarot.playing import (
    called_suit,
    clauses_for_card,
    follow_suit,
    in_hand,
    must_trump,
    overtrump,
    play_turn,
    poignee_held,
    poignee_size,
    trump_led,
)
from cartulary.engine.tarot.settlement import SETTLEMENT, partner
from cartulary.engine.tarot.state import (
    BIDS,
    CHIEN,
    HAND,
    NAMES,
    UNKNOWN,
    Bid,
    CallKing,
    Chelem,
    Deal,
    Discard,
    Maldonne,
    Move,
    Options,
    PetitSec,
    Play,
    Poignee,
    Reveal,
    ScoredDeal,
    Show,
    State,
    Unseen,
    begin,
    seat_after,
)
from cartulary.engine.tarot.unwritten import (
    UNWRITTEN_CARD,
    exact,
    pending,
    possible_plays,
    split_by_leader,
    tell_need,
    whereabouts,
    with_last_winner,
)

__all__ = [
    "BIDS",
    "CLAUSES",
    "HIDDEN",
    "NAMES",
    "OPTIONS",
    "PLACE",
    "RULES",
    "SEATS",
    "TURNS",
    "UNKNOWN",
    "VARIANTS",
    "Bid",
    "CallKing",
    "Chelem",
    "Deal",
    "Discard",
    "Maldonne",
    "Move",
    "PetitSec",
    "Play",
    "Poignee",
    "Reveal",
    "ScoredDeal",
    "Show",
    "State",
    "Unseen",
    "actors",
    "candidates",
    "partner",
    "pending",
    "setup",
    "view",
    "view_move",
]

SEATS = (4, 3, 5)
VARIANTS = ("dementlieu", "fft")
OPTIONS = (Option("ecart", "Discards must keep to the limits of the FFT in dementlieu too.", ("fft",)),)

# --- setup ---


def setup(sheet: Sheet[int]) -> State | Refused:
    """Return the state before the first word, or the refusal of a number of seats that the variant does not allow.

    ``sheet.own`` is the seat that deals first, None for the last seat.
    """
    variant, seats = sheet.variant, sheet.seats
    allowed = seat_counts(variant)
    if seats not in allowed:
        numbers = " or ".join(", ".join(map(str, allowed)).rsplit(", ", 1))
        return Refused(f"The game has {how_many(seats, 'seat')}, expected {numbers} in {variant}", True, SEAT_NUMBERS)
    packet = 4 if (variant, seats) == ("fft", 3) else 3
    ecart = variant == "fft" or sheet.options.get("ecart") == "fft"
    sizes = (*(HAND[seats],) * seats, CHIEN[seats])
    return begin(Options(variant, seats, ecart, packet, sizes), sheet.own or seats)


# --- legal moves ---


def complete(state: State) -> bool:
    """Return whether the candidates include every legal word: only in the play, from a hand that is completely known.

    It is the hand of the seat in turn that must be known. Before the end of the first trick the answer is False.
    """
    hand_is_known = (
        state.phase == "play" and (state.can[state.turn - 1] == state.sure[state.turn - 1]) and bool(state.tricks)
    )
    return hand_is_known and not state.unnamed_cards


def candidates(state: State) -> Iterator[Move]:
    """Yield words that the seat to act may say: bids without a stake, cards it may hold, cards it can call.

    They are a sample. Chien and discards are listed only as unknown cards, and deals, draws, stakes, poignées and words
    of other seats are left out.
    """
    turn = state.turn
    if state.phase in ("deal", "bid"):
        waiting, _ = result_of_draw(state.options, state.round.shows) if state.round.shows else (frozenset[int](), 0)
        if waiting:
            yield from (Show(min(waiting), card) for card in CARDS)
            return
        best = best_bid(state.round)
        yield Bid(turn, 0)
        yield from (Bid(turn, bid) for bid in range(best.bid + 1 if best else 1, len(BIDS)))
        if petit_sec(state, turn):
            yield PetitSec(turn)
    elif state.phase == "call":
        for rank in (13, 12, 11, 10):
            yield from (CallKing(turn, card) for card in cards_of(COURTS[rank]))
    elif state.phase in ("chien", "discard"):
        unknown = (UNKNOWN,) * state.options.chien
        if state.phase == "chien":
            yield Reveal(0, unknown)
        yield Discard(turn, unknown)
    elif state.unnamed_cards:
        yield from (Play(turn, card) for card in cards_of(may_hold(with_last_winner(state, turn), turn - 1)))
    else:
        yield from (Play(turn, card) for card in cards_of(state.can[turn - 1] & ~state.played_cards & DECK))


def gap_moves(state: State) -> tuple[Move, ...] | None:
    """Return every word that an unwritten ply may have been.

    None while a draw for the deal is not complete, and for a card from a hand that is not completely known. The stake
    of an unwritten bid is unknown. Announcements, which need not be made, are not among the words.
    """
    turn = state.turn
    if state.phase in ("deal", "bid"):
        if state.round.shows and state.phase == "deal" and not result_of_draw(state.options, state.round.shows)[1]:
            return None
        stake = UNKNOWN if state.options.variant == "dementlieu" else 0
        return (Bid(turn, 0), *(Bid(turn, bid, stake) for bid in range(1, len(BIDS))))
    return tuple(candidates(state)) if state.phase != "play" or complete(state) else None


# --- what a word is held to ---

CLAUSES: tuple[Clause[State, Move], ...] = (
    SEAT_NUMBERS,
    phase,
    draw_for_deal,
    hand_size,
    chien_size,
    packets,
    chien_deal,
    card_twice,
    maldonne,
    petit,
    bid_turn,
    bid_higher,
    call,
    ecart_size,
    ecart_cards,
    play_turn,
    in_hand,
    called_suit,
    follow_suit,
    must_trump,
    trump_led,
    overtrump,
    poignee_size,
    poignee_held,
    SETTLEMENT,
)

_PLAYED = (phase, play_turn, in_hand, called_suit, follow_suit, must_trump, trump_led, overtrump)
_CLAUSES_FOR: dict[type, tuple[Clause[State, Move], ...]] = {
    Show: (phase, draw_for_deal, card_twice),
    Deal: (phase, draw_for_deal, hand_size, chien_size, packets, chien_deal, card_twice),
    Maldonne: (phase, draw_for_deal, maldonne),
    PetitSec: (phase, draw_for_deal, hand_size, chien_size, petit),
    Bid: (phase, draw_for_deal, hand_size, chien_size, petit, bid_turn, bid_higher),
    CallKing: (phase, call),
    Reveal: (phase, chien_size, card_twice),
    Discard: (phase, card_twice, ecart_size, ecart_cards, in_hand),
    Poignee: (phase, poignee_size, poignee_held),
    Chelem: (phase,),
    Play: _PLAYED,
    Unseen: (*_PLAYED, UNWRITTEN_CARD),
    ScoredDeal: (phase, SETTLEMENT),
}


def clauses_for(state: State, move: Move) -> tuple[Clause[State, Move], ...]:
    """Return the clauses that a kind of word can break, in order.

    For a card in turn they are only those that this card can break; there are none for a packet that is surely right.
    """
    if type(move) is Play:
        few = clauses_for_card(state, move)
        if few is not None:
            return few
    elif type(move) is Deal and is_correct_packet(state, move):
        return ()
    return _CLAUSES_FOR[type(move)]


def new_breaches(before: State, after: State) -> tuple[Breach, ...]:
    """Return the breaches of earlier plies that the last word proved, for ``by_clauses``; ``before`` is not
    looked at.
    """
    return after.breaches


def later(state: State, move: Move) -> bool:
    """Say whether a word may be legal now or later in this deal; for ``Rules.later``.

    False only for a card, during the play, that was played already or is known to lie aside.
    """
    if type(move) is not Play or state.phase != "play":
        return True
    return not (state.played_cards | state.sure[state.options.aside]) >> move.card & 1


# --- turn ---


def actors(state: State) -> tuple[int, ...]:
    """Return the seat whose words need no prefix, then those that may announce a petit sec or show a card.

    The latter are there only before the play, and no seat that has bid or passed is among them.
    """
    if state.phase not in ("deal", "bid"):
        return (state.turn,)
    callers = {bid.seat for bid in state.round.bids}
    order = [state.turn]
    while len(order) < state.options.seats:
        order.append(seat_after(state.options, order[-1]))
    return tuple(seat for seat in order if seat not in callers)


def number(state: State, move: Move | None) -> tuple[int, bool] | None:
    """Return (number of the trick, from 1; whether the next word is its first card), for ``Turns.number``.

    None outside the play, and for an announcement before the first card. ``move`` is the word, None for the next one.
    """
    if state.phase != "play":
        return None
    has_lead = bool(state.trick_cards)
    if not has_lead and not state.tricks and isinstance(move, (Poignee, Chelem)):
        return None
    return len(state.tricks) + 1, not has_lead


def idle(state: State) -> State:
    """Return the state with nobody to move (``turn`` 0), as it is drawn if nobody plays on; for ``Turns.idle``."""
    return replace(state, turn=0)


# --- position ---


def position(state: State) -> tuple[object, ...]:
    """Return what makes two positions the same, as nested tuples: this deal, the table, and the tricks in any order.

    The running scores and the words by which the cards were dealt are left out.
    """
    start = state.round
    deal = (
        start.dealer,
        start.dealt_cards,
        start.counts,
        sorted(start.shows, key=itemgetter(0)) if state.phase == "deal" else (),
        start.bids,
        start.taker,
        start.bid,
        start.called_card,
        start.chien,
    )
    table = (
        state.options,
        state.phase,
        state.turn,
        state.trick_cards,
        state.trick_seats,
        state.led_suit,
        state.played_cards,
        state.can,
        state.sure,
    )
    rest: tuple[object, ...] = (start.discards, start.poignees, start.chelem)
    past = start.past
    if state.unnamed_cards or past.unscored_deals or past.unshared:
        rest += (state.unnamed_cards, bool(past.unscored_deals), past.unshared)
    return deal, table, rest, tuple(sorted(map(_encode, state.tricks)))


_encode = msgspec.json.Encoder(order="deterministic", enc_hook=str).encode

# --- put together ---

_judged, _judge = by_clauses(
    CLAUSES, apply, clauses_for=clauses_for, exact=exact, apply_open=apply, breaches=new_breaches
)


def play(state: State, move: Move, exactly: bool = False, /) -> PlayResult[State, Move]:
    """Judge a move and carry it out; ``exactly`` answers open questions from every deal that fits, not by counting.

    ``exactly`` has no effect on a card that nobody wrote down: it was judged from every deal already, because a debt
    depends on the card itself, and whoever surely holds the suit led may have played it.
    """
    return _judged(state, move, exactly and type(move) is not Unseen)


RULES = Rules(
    setup=setup,
    play=play,
    clauses=CLAUSES,
    judge=_judge,
    candidates=candidates,
    complete=complete,
    clauses_for=clauses_for,
    later=later,
    gap_moves=gap_moves,
    apart=split_by_leader,
)
TURNS: Turns[State, Move] = Turns(
    first=attrgetter("turn"), actors=actors, skip=skip, number=number, due=due, table=True, idle=idle
)
HIDDEN: Hidden[State, Move, int] = Hidden(
    view=view,
    view_move=view_move,
    exact=exact,
    tell_need=tell_need,
    pending=pending,
    whereabouts=whereabouts,
    may_have_been=possible_plays,
)
PLACE = Place(key=position, number=2)
