"""Majors from their word to their effect: the window in which Temperance answers, and what it closes upon."""

from msgspec.structs import replace

from cartulary.engine.tarot_duel.actions import advanced, finished
from cartulary.engine.tarot_duel.effects import effect
from cartulary.engine.tarot_duel.moves import (
    AIMED,
    DEATH,
    Nullify,
    Use,
    acting,
)
from cartulary.engine.tarot_duel.state import (
    IDLE,
    PLAYED,
    Act,
    Marks,
    State,
    is_in,
)
from cartulary.engine.tarot_duel.uses import idle
from cartulary.engine.tarot_duel.zones import discarded, take_hand, take_pile


def say_use(state: State, move: Use) -> State:
    """Return the state with the window open; ``then`` is what stands if nobody answers."""
    seat, card = move.seat, move.card
    taken = (take_pile if move.justice else take_hand)(state, seat, card)
    assert taken is not None
    state = taken[0]
    table = [(seat, card)]
    if move.justice:
        marks = state.marks
        lying = marks.ready[seat - 1]
        ready = (*marks.ready[: seat - 1], lying[1:], *marks.ready[seat:])
        state = replace(state, marks=replace(marks, ready=ready))
        table += [(seat, entry) for entry in lying[:1]]
    flags = state.flags | PLAYED if seat == state.turn and not move.justice else state.flags
    waiting = replace(state, flags=flags, act=Act(seat, ((seat, card),), tuple(table), move))
    return replace(waiting, then=_resolved(waiting))


def may_answer(state: State, seat: int) -> bool:
    """Say whether a seat may answer the card that lies last in an open window: another's, with a card of its hand."""
    chain = state.act.chain
    return bool(chain) and seat != chain[-1][0] and is_in(state, seat) and bool(state.sides[seat - 1].hand)


def say_nullify(state: State, move: Nullify) -> State:
    """Return the state with the answer lying open; without a window the card goes to the pile."""
    act = state.act
    if not act.chain:
        taken = take_hand(state, move.seat, move.card)
        assert taken is not None
        return discarded(taken[0], move.seat, bytes((move.card,)))
    taken = take_hand(replace(state, then=None), move.seat, move.card)
    assert taken is not None
    entry = (move.seat, move.card)
    waiting = replace(taken[0], act=Act(act.doer, (*act.chain, entry), (*act.table, entry), act.use))
    return replace(waiting, then=_resolved(waiting))


def _resolved(state: State) -> State:
    """Return the state once the window has closed: every second Temperance undoes the one before it."""
    act = state.act
    assert act.use is not None
    answers = act.chain[1:]
    done = 0
    for seat, _ in answers[::-2]:
        done |= 1 << seat
    if len(answers) % 2:
        for seat, card in act.table:
            state = discarded(state, seat, bytes((card,)))
        return replace(state, act=IDLE, done=done)
    marks = _remembered(state, act.use)
    state = replace(state, act=Act(act.doer, (), act.table, act.use), done=done, marks=marks)
    if not idle(state, act.use):
        state = effect(state, act.use)
    after = advanced(state)
    if after.due and after.due[0].what == "swap" and any(seat == act.doer for seat, _ in answers):
        return _perhaps_gone(after)
    return after


def _perhaps_gone(state: State) -> State:
    """Return the state where the card to be given may have been the one that answered: no pick shows that it was."""
    use = state.due[0].use
    if use is None or use.own is None or use.own.place != "h" or use.own.card in state.sides[use.seat - 1].hand:
        return state
    return replace(state, then=finished(state))


def _remembered(state: State, use: Use) -> Marks:
    """Return the marks with whom a Major was used against."""
    number, against = acting(use), list(state.marks.against)
    if number == DEATH:
        for seat in range(1, state.house.seats + 1):
            if seat != use.seat and is_in(state, seat):
                against[seat - 1] = (number, use.seat)
    elif number in AIMED and use.target not in (0, use.seat) and is_in(state, use.target):
        against[use.target - 1] = (number, use.seat)
    else:
        return state.marks
    return replace(state.marks, against=tuple(against))
