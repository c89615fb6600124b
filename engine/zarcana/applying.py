"""One word carried out: what each option of a turn does, what the table tells, and the state that follows.

``carried`` is the one pass in which a word is judged and applied; its last result is kept, because reading, judging
and applying one word ask for it one after the other.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from cartulary.engine.slots import SLOT, has_slots, mixed
from cartulary.engine.zarcana.asks import loosened
from cartulary.engine.zarcana.building import given
from cartulary.engine.zarcana.cards import counted
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.faults import BlockedError, Carried
from cartulary.engine.zarcana.growth import turned
from cartulary.engine.zarcana.moves import (
    BOARD,
    DiscardHand,
    Draw,
    Final,
    Gift,
    Move,
    Pass,
    Place,
    Reorient,
    Use,
)
from cartulary.engine.zarcana.plays import use
from cartulary.engine.zarcana.quick import quick
from cartulary.engine.zarcana.spaces import SIZES, SMALL, place_name, ref_name
from cartulary.engine.zarcana.state import CALM, CALM_LATER, CODE, DOWN, HAND_LIMIT, Course, State
from cartulary.engine.zarcana.telling import tell
from cartulary.engine.zarcana.unknown import demanded, narrowed, shown_of, unshown, used_unknown

LATEST: list[Any] = [None, None, None]
"""The last state and word asked for, and what became of it."""


def carried(state: State, move: Move) -> Carried:
    """Return what becomes of a word, from memory if it was the last one asked for."""
    if LATEST[1] is move and LATEST[0] is state:
        kept: Carried = LATEST[2]
        return kept
    plain = quick(state, move)
    done = carry_slowly(state, move) if plain is None else Carried(None, (), plain)
    LATEST[:] = state, move, done
    return done


def remembered(state: State, move: Move, done: Carried) -> None:
    """Keep a result, also under another spelling of its word."""
    LATEST[:] = state, move, done


def carry_slowly(state: State, move: Move) -> Carried:
    """Return what becomes of a word, every rule asked in its order."""
    if type(move) is Use and move.play.origin == BOARD and move.play.user is not None:
        stack = state.cards.get(move.play.user.place)
        if stack is not None and stack[-1] & CODE >= SLOT and not stack[-1] & DOWN:
            return _carry_unknown(state, move)
    before = demanded(state, move.seat, move.to) if type(move) is Gift and not state.course.owed else state
    t = Draft(before, move.seat)
    try:
        if move.seat:
            _speak(t, before, move)
            after = _passed(t, before, move)
        else:
            after = tell(t, state, move)
    except BlockedError:
        after = state
    if t.doubts and t.fault is None:
        after = narrowed(after, t.doubts)
    return Carried(t.fault, t.doubts if t.fault is None else (), after, t.spelled, t.unclear)


def _carry_unknown(state: State, move: Use) -> Carried:
    """Carry out the use of a face-up card nobody on record saw, by every card it may be."""
    assert move.play.user is not None
    place, shown = move.play.user.place, shown_of(move.play)
    if shown < 0:
        return used_unknown(state, move.play, lambda trial: carry_slowly(trial, move))
    t, stack = Draft(state, move.seat), state.cards[place]
    try:
        t.matched(bytes((stack[-1] & CODE,)), bytes((shown,)), "wheel", f"on {place_name(place)}")
    except BlockedError:
        return Carried(t.fault, (), state)
    t.cards = {**t.cards, place: (*stack[:-1], shown | stack[-1] & ~CODE)}
    return carry_slowly(t.now(state.turn), Use(move.seat, unshown(move.play)))


def _speak(t: Draft, state: State, move: Any) -> None:
    """Carry out a seat's word up to the end of its turn."""
    course, seat = state.course, move.seat
    if course.final and not course.left and not course.owed:
        t.refuse("over", "Every seat has had its turn in the last round", blocks=True)
    if course.owed:
        giver, taker = course.owed[0]
        if seat != giver:
            t.refuse("turn", f"p{giver} owes p{taker} cards before anything else")
        elif type(move) is not Gift:
            t.refuse("emperor", f"p{giver} owes p{taker} cards before anything else")
    elif seat != state.turn:
        t.refuse("turn", f"It is p{state.turn}'s turn, not p{seat}'s")
    _OPTIONS[type(move)](t, move)


# --- the options of a turn ---


def _use(t: Draft, move: Use) -> None:
    use(t, move.play)


def _place(t: Draft, move: Place) -> None:
    at, man, where = 3 * (t.seat - 1), move.man, place_name(move.place)
    if sum(t.stash[at : at + 3]) < 15:
        t.refuse("place", f"p{t.seat} has minions in play")
    if man // 5 % 3 != SMALL:
        t.refuse("place", f"A first minion is small, not {SIZES[man // 5 % 3]}")
    if move.place not in t.cards:
        t.refuse("place", f"There is no card on {where}")
    if t.is_full(move.place):
        t.refuse("place", f"There are {len(t.men[move.place])} minions on {where}")
    if not t.has_piece(man):
        t.refuse("stash", f"p{t.seat} has no {SIZES[man // 5 % 3]} left", blocks=True)
    t.put(move.place, man)
    t.from_stash(man)
    t.wither(move.place)


def _reorient(t: Draft, move: Reorient) -> None:
    for turn in move.turns:
        if turn.ref.group // 3 != t.seat:
            t.refuse("reorient", f"{ref_name(turn.ref, t.seat)} is p{turn.ref.group // 3}'s")
    turned(t, "reorient", move.turns)


def _draw(t: Draft, move: Draw) -> None:
    count = len(move.cards)
    if count > 3:
        t.refuse("draw", f"Three cards are drawn at most, not {count}")
    if count > t.available:
        t.refuse("draw", f"There {'is' if t.available == 1 else 'are'} {counted(t.available)} to draw", blocks=True)
    if count > t.room(t.seat):
        held, more = counted(len(t.hands[t.seat - 1])), f"{count} more {'is' if count == 1 else 'are'}"
        t.refuse("hand-limit", f"p{t.seat} holds {held}, and {more} more than {HAND_LIMIT}")
    t.draw(t.seat, move.cards)


def _discard_hand(t: Draft, move: DiscardHand) -> None:
    hand = t.hands[t.seat - 1]
    t.holds(t.seat, move.cards or b"")
    if not hand:
        t.refuse("discard-hand", f"p{t.seat} has no cards")
    if move.cards is not None:
        if len(move.cards) != len(hand):
            t.refuse("discard-hand", f"p{t.seat} discards {_whole(len(hand))}, not {len(move.cards)}", blocks=True)
        hand = t.matched(hand, move.cards, "in-hand", f"in p{t.seat}'s hand")
    if has_slots(hand):
        # In card order any of them may be the highest.
        t.unseen = loosened(t.unseen, hand)
        t.slots, hand = mixed(t.slots, hand)
    t.pile += bytes(sorted(hand))
    t.set_hand(t.seat, b"")


def _whole(count: int) -> str:
    return "its only card" if count == 1 else f"all {count} cards"


def _pass(t: Draft, move: Pass) -> None:
    """Do nothing: a turn may be passed."""


def _final(t: Draft, move: Final) -> None:
    if t.course.final:
        t.refuse("final", f"p{t.course.final} has declared the last round already")
        return
    if not t.course.shuffled:
        t.refuse("final", "The discards have not become the deck yet")
    t.course = replace(t.course, final=t.seat, left=t.state.house.seats + 1)


def _gift(t: Draft, move: Gift) -> None:
    owed = t.state.course.owed
    t.holds(move.seat, move.cards)
    if not owed:
        t.refuse("emperor", f"p{move.seat} owes nobody cards")
    elif move.to != owed[0][1]:
        t.refuse("emperor", f"The cards go to p{owed[0][1]}, not to p{move.to}")
    count, hand = len(move.cards), len(t.hands[move.seat - 1])
    if count > hand:
        t.refuse("emperor", f"p{move.seat} holds {counted(hand)}, not {count}", blocks=True)
    if count > t.room(move.to):
        t.refuse(
            "hand-limit",
            f"p{move.to} holds {counted(len(t.hands[move.to - 1]))}, and {counted(count)} more would be too many",
        )
    right = due(t, move.seat, move.to)
    if owed and count != right:
        t.refuse("emperor", f"p{move.seat} gives {counted(right)}, not {count}")
    if move.to != move.seat:
        given(t, move.seat, move.cards, move.to)


def due(t: Draft, giver: int, taker: int) -> int:
    """Return how many cards a demand comes to."""
    return min(2, len(t.hands[giver - 1]), t.room(taker))


_OPTIONS: dict[type, Callable[[Draft, Any], None]] = {
    Use: _use,
    Place: _place,
    Reorient: _reorient,
    Draw: _draw,
    DiscardHand: _discard_hand,
    Pass: _pass,
    Final: _final,
    Gift: _gift,
}

# --- the end of a turn ---


def _passed(t: Draft, state: State, move: Move) -> State:
    """Return the state after a seat's word."""
    course, seat, number = t.course, t.seat, state.round
    if (course is CALM or course is CALM_LATER) and not t.owed and not t.again and not t.shuffled:
        turn = seat % state.house.seats + 1
        if turn == 1:
            number += 1
    else:
        course, turn, number = _onward(t, state, course, type(move) is Gift)
    return State(
        state.house,
        t.cards,
        t.men,
        t.hands,
        t.deck,
        t.pile,
        t.stash,
        t.known,
        turn,
        number,
        state.ply + 1,
        course,
        t.unseen,
    )


def _onward(t: Draft, state: State, course: Course, gift: bool) -> tuple[Course, int, int]:
    """Return course, seat in turn and rounds behind after a word that is not plain."""
    seat, seats = t.seat, state.house.seats
    again = t.again
    if gift and course.owed:
        owed, again, seat = course.owed[1:], course.again, state.turn
    else:
        owed = t.owed
    owed = tuple(demand for demand in owed if due(t, *demand))
    shuffled = course.shuffled or t.shuffled
    left, run = course.left, course.run | again
    if owed:
        return (
            Course(0, t.shuffled, shuffled, course.final, left, course.extra, course.run, owed, again),
            seat,
            state.round,
        )
    if again:
        return Course(0, t.shuffled, shuffled, course.final, left, True, run), seat, state.round
    turn = seat % seats + 1
    number = state.round + (turn == 1)
    if not course.final and not t.shuffled:
        return CALM_LATER if shuffled else CALM, turn, number
    after = Course(0, t.shuffled, shuffled, course.final, max(left - 1 - bool(course.owed and not gift), 0))
    return after, turn, number
