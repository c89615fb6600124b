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
from cartulary.engine.zarcana.fool import turn_up_all
from cartulary.engine.zarcana.hands import cards_owed, name_deck
from cartulary.engine.zarcana.minions import put_minion
from cartulary.engine.zarcana.moves import SIZES, SMALL, Final, Reveal, owner_of, place_name
from cartulary.engine.zarcana.powers import use
from cartulary.engine.zarcana.setups import name_start
from cartulary.engine.zarcana.state import CALM, CALM_LATER, CODE, CURSED, Course, State
from cartulary.engine.zarcana.territories import check_population, wither

# --- the end ---


def is_over(state: State) -> bool:
    """Say whether every seat has had its last turn and nothing is owed, in every reading of the state."""
    return _is_done(state.course) and all(map(is_over, state.others))


def _is_done(course: Course) -> bool:
    """Say whether the last turn of the last round has been played and no cards are owed; False if none was declared."""
    return bool(course.final) and not course.turns_left and not course.demands


def holdings(state: State) -> tuple[tuple[int, int, int], ...]:
    """Return (seat, least points, most points) for each space whose top card counts for a seat, in the order of places.

    A card counts for a seat whose minions alone are on it; it may be worth several values if nobody saw it.
    """
    rows = []
    for place in sorted(state.men):
        men, stack = state.men[place], state.cards.get(place)
        if stack is not None and owner_of(men[0]) == owner_of(men[-1]):
            rows.append((owner_of(men[0]), *worth(state, stack[-1])))
    return tuple(rows)


def worth(state: State, entry: int) -> tuple[int, int]:
    """Return (least, most): the points that a card on the board may count. A cursed card counts 0.

    ``entry`` is the code of the card with its flags; a card that nobody saw may be worth several values.
    """
    if entry & CURSED:
        return 0, 0
    may = [VALUE[card] for card in cards_of(possible(state.unseen.slots, entry & CODE))]
    return min(may, default=0), max(may, default=0)


def bounds(state: State) -> tuple[tuple[int, int], ...]:
    """Return by seat (least, most): the points that its cards on the board may come to, in any reading."""
    if state.others:
        seats = list(zip(*map(bounds, states_of(state)), strict=True))
        return tuple((min(least for least, _ in seat), max(most for _, most in seat)) for seat in seats)
    least, most = [0] * state.options.seats, [0] * state.options.seats
    for seat, low, high in holdings(state):
        least[seat - 1] += low
        most[seat - 1] += high
    return tuple(zip(least, most, strict=True))


def outcome(state: State) -> Outcome | None:
    """Return how the game ended; None while it goes on, and while face-down cards or different readings may decide it.

    Equal seats share the win; with the option ``highest-card`` the one of them whose best card is the highest wins.
    """
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
    """Return those of the tied seats whose best card is the highest; [] if a card of a seat is not known, so that it is
    open.
    """
    best = dict.fromkeys(tied, -1)
    for seat, low, high in holdings(state):
        if low != high:
            return []
        if seat in best:
            best[seat] = max(best[seat], low)
    return [seat for seat in tied if best[seat] == max(best.values())]


# --- words that end it, or come after ---


def declare(draft: Draft, move: Final) -> None:
    """Carry out the option of declaring the last round, after which every seat has one more turn.

    A refusal is noted if no deck has been shuffled yet, or, with no effect, if the last round is declared already.
    """
    if draft.course.final:
        draft.refuse(clauses.FINAL, f"p{draft.course.final} has already declared the last round")
        return
    if not draft.course.shuffled:
        draft.refuse(clauses.FINAL, "The discards have not yet been shuffled into a new deck")
    draft.course = replace(draft.course, final=draft.seat, turns_left=draft.state.options.seats + 1)


def block_after_end(draft: Draft) -> None:
    """Raise BlockedError if the last turn has been played; otherwise nothing happens."""
    if _is_done(draft.course):
        draft.block(clauses.OVER, "Every seat has had its turn in the last round")


def reveal(draft: Draft, move: Reveal) -> State:
    """Return the state after the table has shown cards that lay face down at the end; the turn stays where it is.

    Before the end a refusal is noted.

    Raises:
        BlockedError: There is no card on a space, or it cannot be that card.
    """
    if not _is_done(draft.course):
        draft.refuse(clauses.TURN, "Cards that lie face down are shown when the last round is over")
    turn_up_all(draft, move)
    return draft.state_now(draft.state.turn, 1)


# --- a word ---


def carry_out(draft: Draft, move: moves.Move) -> State | None:
    """Carry out a word in a draft, and return the state after it; None if it cannot have happened.

    Rules that it breaks are noted as refusals on the draft, and the word is carried out all the same.
    """
    try:
        if move.seat:
            _check_speaker(draft, move)
            _OPTIONS[type(move)](draft, move)
            if draft.doubts and not draft.refusals:
                draft.record_conditions()
            return _end_turn(draft, move)
        return _carry_out_table(draft, move)
    except BlockedError:
        return None


def resolve(state: State, move: moves.Move) -> moves.Move:
    """Return the move that a word is in a state.

    Only ``T11>p2`` can be two: it gives Justice to p2 if the seat owes cards, and plays Justice otherwise. Any other
    move is returned as it is.
    """
    if type(move) is moves.Use and any(giver == move.seat for giver, _ in hands.open_demands(state.course)):
        for part in move.play.parts[:1]:
            if isinstance(part, moves.Toward) and move.play == moves.Play(moves.HAND, JUSTICE, parts=(part,)):
                return moves.Gift(move.seat, bytes((JUSTICE,)), part.seat)
    return move


def _check_speaker(draft: Draft, move: Any) -> None:
    """Note the refusal of a word of a seat whose turn it is not, or that comes while cards are owed; the word may
    stand.

    Raises:
        BlockedError: The game is over.
    """
    course, seat, turn = draft.course, draft.seat, draft.state.turn
    if course.final:
        block_after_end(draft)
    if course.demands:
        giver, taker = course.demands[0]
        if seat != giver or type(move) is not moves.Gift:
            rule = clauses.TURN if seat != giver else clauses.EMPEROR
            draft.refuse(rule, f"p{giver} owes p{taker} cards before anything else")
    elif seat != turn and not (type(move) is moves.Gift and (seat, move.to) in course.skipped_demands):
        draft.refuse(clauses.TURN, f"It is p{turn}'s turn, not p{seat}'s")


def _place_first(draft: Draft, move: moves.Place) -> None:
    """Put a small minion on a card for a seat that has none in play; what it does otherwise is noted as a refusal.

    Raises:
        BlockedError: The seat has no such piece left.
    """
    at, man = 3 * (draft.seat - 1), move.man
    if sum(draft.stash[at : at + 3]) < 15:
        draft.refuse(clauses.PLACE, f"p{draft.seat} has minions in play")
    if man // 5 % 3 != SMALL:
        draft.refuse(clauses.PLACE, f"A first minion must be small, not {SIZES[man // 5 % 3]}")
    if move.place not in draft.cards:
        draft.refuse(clauses.PLACE, f"There is no card on {place_name(move.place)}")
    check_population(draft, move.place, clauses.PLACE)
    put_minion(draft, move.place, man)
    wither(draft, move.place)


_OPTIONS: dict[type, Callable[[Draft, Any], None]] = {
    moves.Use: lambda draft, move: use(draft, move.play),
    moves.Place: _place_first,
    moves.Reorient: minions.reorient,
    moves.Draw: hands.draw,
    moves.DiscardHand: hands.discard_hand,
    moves.Pass: lambda draft, move: None,
    moves.Final: declare,
    moves.Gift: hands.give_cards,
}

# --- the table ---

_JUST_SHUFFLED = Course(deck_due=True, shuffled=True)


def _carry_out_table(draft: Draft, move: moves.Move) -> State:
    """Return the state after a word of the table: cards of the set-up, of a shuffled deck, or shown at the end.

    The turn stays where it is.

    Raises:
        BlockedError: The table may not name these cards now, or they cannot lie there.
    """
    state, course = draft.state, draft.course
    if isinstance(move, moves.Reveal):
        return reveal(draft, move)
    assert isinstance(move, moves.Deal)
    if course.deck_due:
        if move.to != moves.REST:
            draft.block(clauses.TURN, "Only the deck was shuffled, so only its cards can be given")
        name_deck(draft, move)
        draft.course = CALM_LATER if course == _JUST_SHUFFLED else replace(course, deck_due=False)
    else:
        block_after_end(draft)
        name_start(draft, move)
    return draft.state_now(state.turn, 1)


# --- the end of a turn ---


def _end_turn(draft: Draft, move: moves.Move) -> State:
    """Return the state after a seat's word.

    The turn passes to the next seat, unless cards are owed or the seat has an extra turn. The round number grows when
    seat 1 is next.
    """
    course, number = draft.course, draft.state.round
    if (course is CALM or course is CALM_LATER) and not draft.new_demands and not draft.again and not draft.shuffled:
        turn = draft.seat % draft.state.options.seats + 1
        return draft.state_now(turn, 1, number=number + (turn == 1))
    draft.course, turn, number = _course_after(draft, course, type(move) is moves.Gift, hands.late_demand(course, move))
    return draft.state_now(turn, 1, number=number)


def _course_after_late(course: Course, demand: tuple[int, int]) -> Course:
    """Return the course after a skipped demand, as (giver, taker), was met late; the turn stays where it was."""
    skipped = tuple(other for other in course.skipped_demands if other != demand)
    after = replace(course, deck_due=False, skipped_demands=skipped)
    return CALM if after == CALM else CALM_LATER if after == CALM_LATER else after


def _course_after(draft: Draft, course: Course, gift: bool, late: tuple[int, int] | None) -> tuple[Course, int, int]:
    """Return where the game stands after a word that is not plain.

    Args:
        draft: The draft of the word.
        course: The course before it.
        gift: True if the word gives cards.
        late: The skipped demand that it meets.

    Returns:
        The course, the seat in turn, and how many rounds are over.
    """
    state, seat, again = draft.state, draft.seat, draft.again
    if late:
        return _course_after_late(course, late), state.turn, state.round
    if gift and course.demands:
        owed, again, seat = course.demands[1:], course.again, state.turn
    else:
        owed = draft.new_demands
    owed = tuple(demand for demand in owed if cards_owed(draft, *demand))
    skipped = (
        course.skipped_demands
        if gift
        else (*(pair for pair in course.skipped_demands if seat not in pair), *course.demands)
    )
    shuffled = course.shuffled or draft.shuffled
    turns_left, run, final = course.turns_left, course.run | again, course.final
    if owed:
        return (
            Course(0, draft.shuffled, shuffled, final, turns_left, course.extra, course.run, owed, again, skipped),
            seat,
            state.round,
        )
    if again:
        return (
            Course(0, draft.shuffled, shuffled, final, turns_left, True, run, skipped_demands=skipped),
            seat,
            state.round,
        )
    turn = seat % state.options.seats + 1
    number = state.round + (turn == 1)
    if not final and not draft.shuffled and not skipped:
        return CALM_LATER if shuffled else CALM, turn, number
    after = Course(
        0,
        draft.shuffled,
        shuffled,
        final,
        max(turns_left - 1 - bool(course.demands and not gift), 0),
        skipped_demands=skipped,
    )
    return after, turn, number
