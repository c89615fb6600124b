"""One word in one reading: who may say it, a turn's options, a first minion, the turn passed on; and the end.

The end is what the board is worth to each seat, and the words that are said then.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.draft import BlockedError
from cartulary.engine.contract import Outcome, won_by
from cartulary.engine.readings import agreement, states_of
from cartulary.engine.slots import possible
from cartulary.engine.zarcana import clauses, hands, minions, moves
from cartulary.engine.zarcana.cards import JUSTICE, VALUE
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.fool import show
from cartulary.engine.zarcana.hands import due, tell_deck
from cartulary.engine.zarcana.minions import enter
from cartulary.engine.zarcana.moves import SIZES, SMALL, Final, Reveal, owner_of, place_name
from cartulary.engine.zarcana.powers import use
from cartulary.engine.zarcana.setups import tell_start
from cartulary.engine.zarcana.state import CALM, CALM_LATER, CODE, CURSED, Course, State
from cartulary.engine.zarcana.territories import keep_population, wither

# --- the end ---


def is_over(state: State) -> bool:
    """Say whether every seat has had its last turn and nothing is owed, in every reading."""
    return _is_done(state.course) and all(map(is_over, state.others))


def _is_done(course: Course) -> bool:
    return bool(course.final) and not course.left and not course.owed


def holdings(state: State) -> tuple[tuple[int, int, int], ...]:
    """Return (seat, least, most) of every card that counts for a seat: what it may be worth; by place."""
    rows = []
    for place in sorted(state.men):
        men, stack = state.men[place], state.cards.get(place)
        if stack is not None and owner_of(men[0]) == owner_of(men[-1]):
            rows.append((owner_of(men[0]), *worth(state, stack[-1])))
    return tuple(rows)


def worth(state: State, entry: int) -> tuple[int, int]:
    """Return what a card on the board may count at least and at most."""
    if entry & CURSED:
        return 0, 0
    may = [VALUE[card] for card in cards_of(possible(state.unseen.slots, entry & CODE))]
    return min(may, default=0), max(may, default=0)


def bounds(state: State) -> tuple[tuple[int, int], ...]:
    """Return the least and the most each seat's cards may come to, in any reading."""
    if state.others:
        seats = list(zip(*map(bounds, states_of(state)), strict=True))
        return tuple((min(least for least, _ in seat), max(most for _, most in seat)) for seat in seats)
    least, most = [0] * state.options.seats, [0] * state.options.seats
    for seat, low, high in holdings(state):
        least[seat - 1] += low
        most[seat - 1] += high
    return tuple(zip(least, most, strict=True))


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, None while it goes on and while cards that lie face down may decide it."""
    if not is_over(state):
        return None
    if state.others:
        return agreement(map(outcome, states_of(state)))
    points = bounds(state)
    best = max(least for least, _ in points)
    first = [seat for seat, (_, most) in enumerate(points, 1) if most >= best]
    if len(first) > 1:
        if any(points[seat - 1] != (best, best) for seat in first):
            return None
        if state.options.highest:
            first = _highest(state, first)
            if not first:
                return None
    winners = " and ".join(f"p{seat}" for seat in first) + (" has" if len(first) == 1 else " have")
    return Outcome(
        won_by(first, state.options.seats), "zarcana.final", f"The last round is over, and {winners} the highest score"
    )


def _highest(state: State, tied: list[int]) -> list[int]:
    """Return those of the tied seats whose best card is the highest, one of 0 too; nobody where that is not known."""
    best = dict.fromkeys(tied, -1)
    for seat, low, high in holdings(state):
        if low != high:
            return []
        if seat in best:
            best[seat] = max(best[seat], low)
    return [seat for seat in tied if best[seat] == max(best.values())]


# --- words that end it, or come after ---


def declare(draft: Draft, move: Final) -> None:
    """Declare the last round, once there has been a shuffle."""
    if draft.course.final:
        draft.refuse(clauses.FINAL, f"p{draft.course.final} has already declared the last round")
        return
    if not draft.course.shuffled:
        draft.refuse(clauses.FINAL, "The discards have not yet been shuffled into a new deck")
    draft.course = replace(draft.course, final=draft.seat, left=draft.state.options.seats + 1)


def block_late(draft: Draft) -> None:
    """Block a word said after the last turn."""
    if _is_done(draft.course):
        draft.block(clauses.OVER, "Every seat has had its turn in the last round")


def reveal(draft: Draft, move: Reveal) -> State:
    """Return the state once the table has shown cards that lay face down at the end."""
    if not _is_done(draft.course):
        draft.refuse(clauses.TURN, "Cards that lie face down are shown when the last round is over")
    show(draft, move)
    return draft.now(draft.state.turn, 1)


# --- a word ---


def carry_out(draft: Draft, move: moves.Move) -> State | None:
    """Return the state after a word; None where it cannot have happened."""
    try:
        if move.seat:
            _may_speak(draft, move)
            _OPTIONS[type(move)](draft, move)
            if draft.doubts and not draft.refusals:
                draft.narrow()
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
    moves.Reorient: minions.reorient,
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
        turn = draft.seat % draft.state.options.seats + 1
        return draft.now(turn, 1, number=number + (turn == 1))
    draft.course, turn, number = _onward(draft, course, type(move) is moves.Gift, hands.late_demand(course, move))
    return draft.now(turn, 1, number=number)


def _settled_late(course: Course, demand: tuple[int, int]) -> Course:
    """Return the course once a demand that was skipped has been met: the turn is whose it was."""
    skipped = tuple(other for other in course.skipped if other != demand)
    after = replace(course, deck_due=False, skipped=skipped)
    return CALM if after == CALM else CALM_LATER if after == CALM_LATER else after


def _onward(draft: Draft, course: Course, gift: bool, late: tuple[int, int] | None) -> tuple[Course, int, int]:
    """Return course, seat in turn and rounds over after a word that is not plain; ``late`` is the demand it meets."""
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
    turn = seat % state.options.seats + 1
    number = state.round + (turn == 1)
    if not final and not draft.shuffled and not skipped:
        return CALM_LATER if shuffled else CALM, turn, number
    after = Course(
        0, draft.shuffled, shuffled, final, max(left - 1 - bool(course.owed and not gift), 0), skipped=skipped
    )
    return after, turn, number
