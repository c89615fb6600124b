"""One word in one reading: who may say it, a turn's options, a first minion, the turn passed on; the table's words."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from cartulary.engine.cards.draft import BlockedError
from cartulary.engine.zarcana import clauses, hands, moves, orientation
from cartulary.engine.zarcana.cards import JUSTICE
from cartulary.engine.zarcana.deck import tell_deck
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.ends import block_late, declare, reveal
from cartulary.engine.zarcana.hands import due
from cartulary.engine.zarcana.minions import enter
from cartulary.engine.zarcana.place_names import SIZES, SMALL, place_name
from cartulary.engine.zarcana.powers import use
from cartulary.engine.zarcana.setups import tell_start
from cartulary.engine.zarcana.spaces import keep_population, wither
from cartulary.engine.zarcana.state import CALM, CALM_LATER, Course, State


def carry_out(draft: Draft, move: moves.Move) -> State | None:
    """Return the state after a word; None where it cannot have happened."""
    try:
        if move.seat:
            _may_speak(draft, move)
            _OPTIONS[type(move)](draft, move)
            if draft.doubts and not draft.refusals:
                draft.narrowed()
            return _passed(draft, move)
        return _tell(draft, move)
    except BlockedError:
        return None


def resolve(state: State, move: moves.Move) -> moves.Move:
    """Return the move a word is here: ``T11>p2`` gives the Justice away where cards are owed, and else plays it."""
    if type(move) is moves.Use and any(giver == move.seat for giver, _ in hands.demands(state.course)):
        for part in move.play.parts[:1]:
            if isinstance(part, moves.Toward) and move.play == moves.Play(moves.HAND, JUSTICE, parts=(part,)):
                return moves.Gift(move.seat, bytes((JUSTICE,)), part.seat)
    return move


def _may_speak(draft: Draft, move: Any) -> None:
    """Refuse a word of a seat whose turn it is not, or that owes cards before anything else."""
    course, seat, turn = draft.course, draft.seat, draft.state.turn
    if course.final:
        block_late(draft)
    if course.owed:
        giver, taker = course.owed[0]
        if seat != giver or type(move) is not moves.Gift:
            rule = clauses.TURN if seat != giver else clauses.EMPEROR
            draft.refuse(rule, f"p{giver} owes p{taker} cards before anything else")
    elif seat != turn and not (type(move) is moves.Gift and (seat, move.to) in course.skipped):
        draft.refuse(clauses.TURN, f"It is p{turn}'s turn, not p{seat}'s")


def _place(draft: Draft, move: moves.Place) -> None:
    """Put a small minion on a card, as a seat that has none in play."""
    at, man = 3 * (draft.seat - 1), move.man
    if sum(draft.stash[at : at + 3]) < 15:
        draft.refuse(clauses.PLACE, f"p{draft.seat} has minions in play")
    if man // 5 % 3 != SMALL:
        draft.refuse(clauses.PLACE, f"A first minion must be small, not {SIZES[man // 5 % 3]}")
    if move.place not in draft.cards:
        draft.refuse(clauses.PLACE, f"There is no card on {place_name(move.place)}")
    keep_population(draft, move.place, clauses.PLACE)
    enter(draft, move.place, man)
    wither(draft, move.place)


_OPTIONS: dict[type, Callable[[Draft, Any], None]] = {
    moves.Use: lambda draft, move: use(draft, move.play),
    moves.Place: _place,
    moves.Reorient: orientation.reorient,
    moves.Draw: hands.draw,
    moves.DiscardHand: hands.discard_hand,
    moves.Pass: lambda draft, move: None,
    moves.Final: declare,
    moves.Gift: hands.gift,
}

# --- the table ---

_JUST_SHUFFLED = Course(deck_due=True, shuffled=True)


def _tell(draft: Draft, move: moves.Move) -> State:
    """Return the state after a word of the table."""
    state, course = draft.state, draft.course
    if isinstance(move, moves.Reveal):
        return reveal(draft, move)
    assert isinstance(move, moves.Deal)
    if course.deck_due:
        if move.to != moves.REST:
            draft.block(clauses.TURN, "Only the deck was shuffled, so only its cards can be given")
        tell_deck(draft, move)
        draft.course = CALM_LATER if course == _JUST_SHUFFLED else replace(course, deck_due=False)
    else:
        block_late(draft)
        tell_start(draft, move)
    return draft.now(state.turn, 1)


# --- the end of a turn ---


def _passed(draft: Draft, move: moves.Move) -> State:
    """Return the state after a seat's word."""
    course, number = draft.course, draft.state.round
    if (course is CALM or course is CALM_LATER) and not draft.owed and not draft.again and not draft.shuffled:
        turn = draft.seat % draft.state.house.seats + 1
        return draft.now(turn, 1, number=number + (turn == 1))
    draft.course, turn, number = _onward(draft, course, type(move) is moves.Gift, hands.late_demand(course, move))
    return draft.now(turn, 1, number=number)


def _settled_late(course: Course, demand: tuple[int, int]) -> Course:
    """Return the course once a demand that was skipped has been met: the turn is whose it was."""
    skipped = tuple(other for other in course.skipped if other != demand)
    after = replace(course, deck_due=False, skipped=skipped)
    return CALM if after == CALM else CALM_LATER if after == CALM_LATER else after


def _onward(draft: Draft, course: Course, gift: bool, late: tuple[int, int] | None) -> tuple[Course, int, int]:
    """Return course, seat in turn and rounds behind after a word that is not plain.

    late: the demand it meets, if that was skipped before
    """
    state, seat, again = draft.state, draft.seat, draft.again
    if late:
        return _settled_late(course, late), state.turn, state.round
    if gift and course.owed:
        owed, again, seat = course.owed[1:], course.again, state.turn
    else:
        owed = draft.owed
    owed = tuple(demand for demand in owed if due(draft, *demand))
    skipped = course.skipped if gift else (*(pair for pair in course.skipped if seat not in pair), *course.owed)
    shuffled = course.shuffled or draft.shuffled
    left, run, final = course.left, course.run | again, course.final
    if owed:
        return (
            Course(0, draft.shuffled, shuffled, final, left, course.extra, course.run, owed, again, skipped),
            seat,
            state.round,
        )
    if again:
        return Course(0, draft.shuffled, shuffled, final, left, True, run, skipped=skipped), seat, state.round
    turn = seat % state.house.seats + 1
    number = state.round + (turn == 1)
    if not final and not draft.shuffled and not skipped:
        return CALM_LATER if shuffled else CALM, turn, number
    after = Course(
        0, draft.shuffled, shuffled, final, max(left - 1 - bool(course.owed and not gift), 0), skipped=skipped
    )
    return after, turn, number
