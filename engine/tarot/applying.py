"""Tarot's state after each word. Words that broke a rule and can stand are applied like the others."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from cartulary.engine.cards.deck import FOOL, set_of
from cartulary.engine.cards.hands import learn, see
from cartulary.engine.cards.revokes import add_questions, asks_about
from cartulary.engine.contract import Open
from cartulary.engine.tarot.bidding import best_bid, next_bidder
from cartulary.engine.tarot.dealing import after_deal, dealer_by_draw, result_of_draw
from cartulary.engine.tarot.knowledge import (
    begin_play,
    judge_all,
    masks_of_deal,
    owes_call,
    owes_discards,
    pool_discards,
    questions_of,
)
from cartulary.engine.tarot.playing import poignee_value
from cartulary.engine.tarot.settlement import add_scored_deal, settle
from cartulary.engine.tarot.state import (
    BIDS,
    NOTHING_LED,
    PETIT,
    Bid,
    CallKing,
    Chelem,
    Deal,
    Discard,
    Maldonne,
    Move,
    PetitSec,
    Play,
    Poignee,
    Reveal,
    ScoredDeal,
    Show,
    State,
    Unseen,
    begin_deal,
    empty_round,
    seat_after,
    seat_before,
)
from cartulary.engine.tarot.tricks import suit_led, trick_of, winner
from cartulary.engine.tarot.unwritten import (
    forced_cards,
    identity_breaches,
    lay_card,
    may_lead,
    pending,
    possible_unwritten_cards,
)

Opens = tuple[Open, ...]


def apply(state: State, move: Move, opens: Opens = ()) -> State:
    """Return the state after a word, whether or not it broke a rule.

    Args:
        state: the state before it.
        move: the word.
        opens: the questions that its verdict left open; each is kept until later words answer it or nothing depends on
            it any more.
    """
    if type(move) is Play:
        return _play(state, move, opens)
    if type(move) is Deal:
        return after_deal(state, move)
    return _APPLY[type(move)](skip(state), move, opens)


def skip(state: State) -> State:
    """Return the state after a ply that changes nothing, such as a call: one ply is counted, and ``breaches`` is
    emptied.
    """
    return replace(state, ply=state.ply + 1, breaches=())


# --- before the play ---


def _show(state: State, move: Show, opens: Opens) -> State:
    """Return the state after a card shown in the draw for the deal.

    Once the draw is decided, the seat after its dealer is to speak.

    A card shown after dealing has begun, or in a later deal, changes nothing.
    """
    start = state.round
    if state.phase != "deal" or start.last >= 0 or not start.first:
        return state
    shows = (*start.shows, (move.seat, move.card))
    dealer = result_of_draw(state.options, shows)[1]
    after = replace(state, round=replace(start, shows=shows))
    return replace(after, turn=seat_after(state.options, dealer)) if dealer else after


def _call_off_deal(state: State, move: Maldonne, opens: Opens) -> State:
    """Return the state before the next deal, after a maldonne.

    In fft the same seat deals again, in dementlieu the seat before it. The running scores stay.
    """
    dealer = dealer_by_draw(state.options, state)
    if state.options.variant == "fft":
        return _next_deal(state, dealer, again=True)
    return _next_deal(state, seat_before(state.options, dealer))


def _score_deal(state: State, move: ScoredDeal, opens: Opens) -> State:
    """Return the state before the next deal, after a deal written as its score: the scores are added, and the next seat
    deals.
    """
    return _next_deal(add_scored_deal(state, move), seat_after(state.options, state.round.dealer))


def _petit_sec(state: State, move: PetitSec, opens: Opens) -> State:
    """Return the state before the next deal, after a petit sec, which voids the deal: the next seat deals, nobody
    scores.
    """
    return _next_deal(state, seat_after(state.options, dealer_by_draw(state.options, state)))


def _next_deal(state: State, dealer: int, *, again: bool = False) -> State:
    """Return the state before the next deal; what is open in this one stays open.

    ``dealer`` is the seat that deals, and ``again`` is True after a maldonne in fft, when the same seat deals again.
    """
    past = state.round.past
    if state.questions and not state.unnamed_cards and state.phase == "play":
        past = replace(past, questions=pending(state).open)
    start = replace(empty_round(state.options, dealer, state.ply), past=past, again=again)
    after = begin_deal(state.options, start, state.ply, state.totals, state.pot)
    return replace(after, breaches=state.breaches)


def begin_bidding(state: State) -> State:
    """Return the state in which the first bid is made, with what is known of the hands as dealt.

    The dealer is that of the draw, if there was one. Once the dealing has ended it is the state itself.
    """
    if state.phase != "deal":
        return state
    dealer = dealer_by_draw(state.options, state)
    start = replace(state.round, dealer=dealer)
    can, sure = masks_of_deal(state, start)
    return replace(state, round=start, phase="bid", can=can, sure=sure, turn=seat_after(state.options, dealer))


def _bid(state: State, move: Bid, opens: Opens) -> State:
    """Return the state after a bid.

    After the last one there is a taker: with five seats in fft he is to call a card, else what follows is the chien or
    the play. If all have passed, it is the state before the next deal.
    """
    state = begin_bidding(state)
    start = state.round
    bids = (*start.bids, move)
    sec = (*state.sec, *questions_of(state, state.ply, opens))
    turn = next_bidder(state, bids)
    state = replace(state, round=replace(start, bids=bids), sec=sec, turn=turn or state.turn)
    if turn:
        return state
    best = best_bid(state.round)
    if best is None:
        return _next_deal(state, seat_after(state.options, start.dealer))
    start = replace(state.round, taker=best.seat, bid=best.bid)
    asks = state.options.variant == "fft" and state.options.seats == 5
    state = replace(state, round=start, turn=best.seat, phase="call")
    return state if asks else _to_chien(state)


def _to_chien(state: State) -> State:
    """Return the state once bids and call are made.

    In phase ``chien`` if the taker takes the chien up (Prise or Garde), else in phase ``play``, before the first trick.
    """
    takes = BIDS[state.round.bid] in ("Prise", "Garde")
    return replace(state, phase="chien") if takes else _to_play(state)


def _to_play(state: State) -> State:
    """Return the state before the first trick, with the seat after the dealer to lead, even if chien or discards were
    left out.
    """
    dealer = state.round.dealer
    return begin_play(replace(state, phase="play", turn=seat_after(state.options, dealer)))


def _call(state: State, move: CallKing, opens: Opens) -> State:
    """Return the state after a card that the taker calls, and the question whether he may call it, if it is open.

    Nothing changes if no call is owed. A call may come late, after the play has begun; then only the card is noted.
    """
    if not owes_call(state):
        return state
    start = replace(state.round, called_card=move.card, call_ply=state.ply)
    after = add_questions(replace(state, round=start), questions_of(state, state.ply, opens))
    return _to_chien(after) if state.phase == "call" else after


def _reveal(state: State, move: Reveal, opens: Opens) -> State:
    """Return the state after the chien was shown, with what its cards answer.

    A call that is still owed is passed over. If no chien is to be shown then, no card is noted.
    """
    if state.phase == "call":
        state = _to_chien(state)
    if state.phase != "chien":
        return state
    start = replace(state.round, chien=move.cards, reveal_ply=state.ply)
    visible, aside = set_of(card for card in move.cards if card >= 0), state.options.aside
    state = replace(state, round=start, phase="discard")
    state = see(state, aside, visible, state.ply)
    state = replace(state, facts=())
    return judge_all(state)


def _discard(state: State, move: Discard, opens: Opens) -> State:
    """Return the state after the taker's discards; nothing changes if none are owed.

    In their place the first trick follows them. If they come late, during the play, what they show lies aside.
    """
    if state.phase == "call":
        state = _to_chien(state)
    if not owes_discards(state):
        return state
    state = add_questions(state, questions_of(state, state.ply, opens))
    after = replace(state, round=replace(state.round, discards=move.cards))
    if state.phase != "play":
        return _to_play(after)
    # They come late, after cards were played: what is shown of them lies aside.
    aside, visible = state.options.aside, set_of(card for card in move.cards if card >= 0)
    return judge_all(pool_discards(see(after, aside, visible & state.can[aside], state.ply)))


def _poignee(state: State, move: Poignee, opens: Opens) -> State:
    """Return the state after a poignée: its trumps are known to be in the hand, and one of a right size is counted.

    Nothing changes if it comes too late or twice, and in dementlieu.
    """
    late = state.phase != "play" or state.tricks or move.seat in state.trick_seats
    if late or any(seat == move.seat for seat, _ in state.round.poignees) or state.options.variant != "fft":
        return state
    trumps = set_of(move.cards)
    start = state.round
    if poignee_value(state.options.seats, len(move.cards)):
        start = replace(start, poignees=(*start.poignees, (move.seat, trumps)))
    state = add_questions(replace(state, round=start), questions_of(state, state.ply, opens))
    place = move.seat - 1
    return judge_all(pool_discards(see(state, place, trumps & state.can[place], state.ply)))


def _chelem(state: State, move: Chelem, opens: Opens) -> State:
    """Return the state after an announced chelem, which gives the taker the lead to the first trick.

    Nothing changes for another seat, outside the play, after the first card, and in dementlieu.
    """
    right = state.phase == "play" and not state.trick_seats and not state.tricks and move.seat == state.round.taker
    if not right or state.options.variant != "fft":
        return state
    return replace(state, round=replace(state.round, chelem=True), turn=move.seat)


# --- the play ---


def _play(state: State, move: Play, opens: Opens) -> State:
    """Return the state after a card that was written down.

    If it comes before the play has begun, it begins it. If every seat has played then, the trick ends, and after the
    last trick the deal does.
    """
    if state.phase != "play":
        state = _to_play(_to_chien(state) if state.phase == "call" else state)
    if state.unnamed_cards:
        return _play_unwritten(skip(state), move, opens)
    options, card, seat, led_suit, tricks = state.options, move.card, move.seat, state.led_suit, state.tricks
    # A sum of tuples is made without a list between.
    cards, by = state.trick_cards + (card,), state.trick_seats + (seat,)  # noqa: RUF005
    bit, seats = 1 << card, options.seats
    complete = len(cards) == seats
    if complete:
        tricks, turn = (*tricks, trick_of(cards, by)), by[winner(cards)]
        cards, by, led_suit = (), (), NOTHING_LED
    else:
        turn = seat % seats + 1
        turn = _next_turn(seats, turn, by) if turn in by else turn
        led_suit = led_suit if led_suit >= 0 or card == FOOL else 4 if card > FOOL else card // 14
    ply, place = state.ply + 1, seat - 1
    can, sure, facts, questions, sec = state.can, state.sure, state.facts, state.questions, state.sec
    hidden = not sure[place] & bit
    if opens:
        questions = (*questions, *questions_of(state, ply, opens))
    if hidden:
        can, sure, facts = learn(state, place, bit, ply, True)
    after = State(
        state.places,
        can,
        sure,
        state.played_cards | bit,
        facts,
        questions,
        state.evidence,
        state.unnamed_cards,
        options,
        state.round,
        "play",
        ply,
        turn,
        cards,
        by,
        led_suit,
        tricks,
        sec,
        (),
        state.totals,
        state.pot,
    )
    if hidden and seat == state.round.taker:
        after = pool_discards(after)
    # What only counting can close is asked for at the end of a trick.
    if (questions or hidden or sec) and (
        complete or asks_about(questions, place, bit) or (card == PETIT and asks_about(sec, place, bit))
    ):
        after = judge_all(after)
    return _end_deal(after) if complete and len(tricks) >= options.hand else after


def _play_unwritten(state: State, move: Play, opens: Opens) -> State:
    """Return the state after a card in a deal in which it, or an earlier one, was not written down.

    The ply of the card is counted in ``state`` already. Unwritten cards that the card makes known are reported in
    ``breaches``.
    """
    before = replace(state, ply=state.ply - 1)
    attempt = lay_card(before, move)
    state, card, seat, seats = attempt.state, attempt.code, move.seat, state.options.seats
    refused_by_key = {open_question.clause.key: open_question.refused for open_question in opens}
    questions = tuple(
        replace(question, refused=refused_by_key[question.key])
        for question in attempt.questions
        if question.key in refused_by_key
    )
    cards, by, tricks = (*state.trick_cards, card), (*state.trick_seats, seat), state.tricks
    complete = len(by) == seats
    if complete:
        tricks = (*tricks, trick_of(cards, by))
        turn, cards, by = may_lead(state, tricks[-1])[0], (), ()
    else:
        turn = _next_turn(seats, seat % seats + 1, by)
    state = replace(
        add_questions(state, questions),
        ply=before.ply + 1,
        turn=turn,
        trick_cards=cards,
        trick_seats=by,
        led_suit=_led_suit(cards),
        tricks=tricks,
        breaches=(),
    )
    state = pool_discards(state) if seat == state.round.taker else state
    if complete or card < 0 or asks_about(state.questions, seat - 1, 1 << card):
        state = judge_all(state)
    now, earlier = forced_cards(state), forced_cards(before)
    state = replace(
        state,
        breaches=(*state.breaches, *identity_breaches(state, {ply: now[ply] for ply in now if ply not in earlier})),
    )
    return _end_deal(state) if complete and len(tricks) >= state.options.hand else state


def _play_unseen(state: State, move: Unseen, opens: Opens) -> State:
    """Return the state after a card that nobody wrote down (``~``); the state itself if the play has not begun."""
    if state.phase != "play":
        return state
    return _play_unwritten(state, move, opens)


def _led_suit(trick: tuple[int, ...]) -> int:
    """Return the suit led to an open trick: 0 to 3, 4 for trumps.

    It is NOTHING_LED if there is none yet, and if an unwritten card decides it.
    """
    suit = suit_led(trick)
    return NOTHING_LED if suit is None or suit < 0 else suit


def _next_turn(seats: int, turn: int, by: tuple[int, ...]) -> int:
    """Return the first seat from ``turn`` on, round the table, that is not in ``by``, the seats that have played to the
    trick.

    At least one seat must be missing from ``by``.
    """
    while turn in by:
        turn = turn % seats + 1
    return turn


def _end_deal(state: State) -> State:
    """Return the state before the next deal, after the last trick: the score is counted, and the seat after the dealer
    deals.
    """
    state = settle(_close_unwritten(state) if state.unnamed_cards else state)
    return _next_deal(state, seat_after(state.options, state.round.dealer))


def _close_unwritten(state: State) -> State:
    """Return the state of a deal that is over, with what may be known of its unwritten cards moved to ``round.past``.

    Questions that stay open go there too, and what is proved goes to ``breaches``, because the next deal knows nothing
    of this one.
    """
    earlier, late, every = forced_cards(state), pending(state), possible_unwritten_cards(state)
    single = {ply: cards.bit_length() - 1 for ply, _, cards in every if cards.bit_count() == 1}
    now = {ply: card for ply, card in single.items() if ply > state.round.since and ply not in earlier}
    past = replace(state.round.past, unwritten_cards=every, questions=late.open)
    start = replace(state.round, past=past)
    return replace(state, round=start, breaches=(*state.breaches, *late.breaches, *identity_breaches(state, now)))


_APPLY: dict[type, Callable[[State, Any, Opens], State]] = {
    Show: _show,
    Maldonne: _call_off_deal,
    PetitSec: _petit_sec,
    Bid: _bid,
    CallKing: _call,
    Reveal: _reveal,
    Discard: _discard,
    Poignee: _poignee,
    Chelem: _chelem,
    Unseen: _play_unseen,
    ScoredDeal: _score_deal,
}
