"""The duel's state after each word. Words that broke a rule and can stand are applied like the others."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from cartulary.engine.contract import Open
from cartulary.engine.tarot_duel import answering
from cartulary.engine.tarot_duel.actions import is_said, served, skipped
from cartulary.engine.tarot_duel.cards import MAJOR, TEMPERANCE, standing
from cartulary.engine.tarot_duel.challenges import challenged, decided, stakes_of
from cartulary.engine.tarot_duel.ends import aimed, next_turn
from cartulary.engine.tarot_duel.moves import (
    Answer,
    Challenge,
    Coin,
    Die,
    Discard,
    Draw,
    End,
    Lay,
    Mill,
    Move,
    Nullify,
    Order,
    Pick,
    PutBack,
    Redraw,
    Rename,
    Rob,
    Row,
    Show,
    Stakes,
    Stand,
    Use,
)
from cartulary.engine.tarot_duel.owners import sized
from cartulary.engine.tarot_duel.plain import HAND_LIMIT
from cartulary.engine.tarot_duel.shuffles import dealt, told, unordered, untold
from cartulary.engine.tarot_duel.state import (
    CHALLENGED,
    DRAWN,
    IDLE,
    State,
)
from cartulary.engine.tarot_duel.windows import say_nullify, say_use
from cartulary.engine.tarot_duel.zones import (
    draw,
    laid,
    renamed,
    take_all,
    take_hand,
)

Opens = tuple[Open, ...]


def live(state: State, move: Move) -> State:
    """Return the state as a word finds it that uses no window: closed, shuffled decks not told, stakes settled."""
    if is_open(state):
        winner = told_winner(state, move)
        state = decided(state, winner) if winner else state
    while state.then is not None:
        state = replace(state, then=None) if state.due and is_said(state.due[0], move) else state.then
    return untold(state) if state.loose else state


def is_open(state: State) -> bool:
    """Say whether the last word was a challenge whose winner the record does not show."""
    return bool(state.due) and state.due[0].what == "either"


def told_winner(state: State, move: Move) -> int:
    """Return who has won an open challenge if this word comes next, 0 where it says that nobody has."""
    challenger, defender = state.due[0].seat, state.due[0].other
    if move.seat not in (challenger, defender):
        return 0
    rival = defender if move.seat == challenger else challenger
    if type(move) is PutBack:
        return move.seat
    if type(move) is Discard:
        return 0 if _is_free(state, move) else rival
    return challenger if type(move) is Show and move.seat == defender else 0


def _is_free(state: State, move: Discard) -> bool:
    """Say whether cards put away are some that are over the limit of the hand, and not stakes."""
    if move.seat != state.turn or len(state.sides[move.seat - 1].hand) - len(move.cards) < HAND_LIMIT:
        return False
    alike = len(move.cards) == stakes_of(state, move.seat)
    return not alike or not answering.are_stakes(state, move.seat, move.cards)


def apply(state: State, move: Move, opens: Opens = ()) -> State:
    """Return the state after the word; what a name may stand for is remembered until the deck is known."""
    ply = state.ply + 1
    if type(move) is Order:
        return _order(state, move)
    if type(move) is Nullify and state.act.chain:
        now = replace(state, ply=ply)
        return say_nullify(_named(now, move) if opens else now, move)
    now = live(state, move)
    now = replace(now, ply=ply, done=now.done if now.due else 0)
    if now.due and not is_said(now.due[0], move):
        now = replace(skipped(now, move), done=0)
    if opens:
        now = _named(now, move)
    return _APPLY[type(move)](now, move)


def _named(state: State, move: Move) -> State:
    """Return the state that remembers a card only a blank one can be, for which a copy stands."""
    if isinstance(move, (Stand, Rename)):
        name = move.name
    elif isinstance(move, Use):
        name = MAJOR - 1 + move.number
    else:
        name = TEMPERANCE
    unseen = state.unseen
    return replace(state, unseen=replace(unseen, named=(*unseen.named, (state.ply, move.seat, name))))


# --- a turn's words ---


def _draw(state: State, move: Draw) -> State:
    due = bool(state.due)
    after = draw(state, move.seat, move.cards)
    assert after is not None
    if due:
        return served(after)
    return replace(after, flags=after.flags | DRAWN) if move.seat == state.turn else after


def _end(state: State, move: End) -> State:
    return next_turn(state) if move.seat == state.turn else state


def _lay(state: State, move: Lay) -> State:
    after = take_all(state, move.seat, move.cards)
    assert after is not None
    return aimed(laid(after, move.seat, move.cards))


def _stand(state: State, move: Stand) -> State:
    taken = take_hand(state, move.seat, move.card)
    assert taken is not None
    code = standing(move.card, move.name) if move.name < MAJOR else move.card
    return aimed(laid(taken[0], move.seat, bytes((code,))))


def _rename(state: State, move: Rename) -> State:
    found = renamed(state, move.seat, move.card, move.name)
    assert found is not None
    return aimed(found[1])


# --- challenges ---


def _challenge(state: State, move: Challenge) -> State:
    state = replace(state, flags=state.flags | CHALLENGED if move.seat == state.turn else state.flags, act=IDLE)
    return challenged(state, move.seat, move.target, move.spot, move.ours, move.theirs)


# --- the table ---


def _order(state: State, move: Order) -> State:
    base = state.then if state.then is not None else state
    base = sized(replace(base, ply=state.ply + 1), move.to, len(move.cards))
    after = told(base, move.to, move.cards) if any(seat == move.to for seat, _ in base.loose) else None
    if after is None:
        return base
    while after.loose[0][0] != move.to:
        seat, top = after.loose[0]
        after = _unknown(after, seat, top)
    after = dealt(after, move.to)
    loose = after.loose[1:]
    return replace(after, loose=loose, fresh=after.fresh and bool(loose))


def _unknown(state: State, seat: int, top: int) -> State:
    return replace(dealt(unordered(state, seat, top), seat), loose=state.loose[1:])


_APPLY: dict[type, Callable[[State, Any], State]] = {
    Draw: _draw,
    End: _end,
    Lay: _lay,
    Stand: _stand,
    Rename: _rename,
    Challenge: _challenge,
    Use: say_use,
    Nullify: say_nullify,
    Discard: answering.say_discard,
    Mill: answering.say_mill,
    Redraw: answering.say_redraw,
    Stakes: answering.say_stakes,
    Show: answering.say_show,
    PutBack: answering.say_put_back,
    Answer: answering.say_answer,
    Row: answering.say_row,
    Rob: answering.say_rob,
    Pick: answering.say_pick,
    Coin: answering.say_coin,
    Die: answering.say_die,
}
