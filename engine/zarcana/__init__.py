"""Zarcana: two to five seats, fifteen pyramids each, on a board of tarot cards that grows, shrinks and splits.

Rules: J. Cooper's Zarcana as A. Plotkin documents it; what both leave open is ruled by the house.
State: the board by place, hands, deck and discards as bytes (``state``), what is known of cards nobody saw
(``engine.slots``), and the other states that are possible.
Chance: the table tells the first cards, and the deck after a shuffle, as far as the record knows.
"""

from operator import attrgetter

from cartulary.engine.parts import Hidden, Place, Rules, Turns
from cartulary.engine.readings import skip, states_of
from cartulary.engine.zarcana import play
from cartulary.engine.zarcana.candidates import candidates
from cartulary.engine.zarcana.cards import NAMES
from cartulary.engine.zarcana.clauses import CLAUSES, OVER
from cartulary.engine.zarcana.draft import pending
from cartulary.engine.zarcana.hands import open_demands
from cartulary.engine.zarcana.moves import Deal, Gift, Move, Reveal, Word
from cartulary.engine.zarcana.setups import OPTIONS, SEATS, setup
from cartulary.engine.zarcana.state import State
from cartulary.engine.zarcana.turns import is_over, outcome
from cartulary.engine.zarcana.views import describe_need, view, view_move, whereabouts

__all__ = ["HIDDEN_CARDS", "NAMES", "OPTIONS", "PLACE", "RULES", "SEATS", "TURNS", "Move", "State", "view"]


def actors(state: State) -> tuple[int, ...]:
    """Return the seats that may speak now: the seat in turn, whose words have no prefix, then others.

    The others are seats that owe cards, and 0, the table, where it may name cards. After the last turn it is (), or
    (0,) as long as face-down cards may decide who has won.
    """
    if state.others:
        return tuple(dict.fromkeys(seat for reading in states_of(state) for seat in actors(reading)))
    course = state.course
    if is_over(state):
        return () if outcome(state) is not None else (0,)
    owing = tuple(giver for giver, _ in open_demands(course))
    return (state.turn, *owing, *((0,) if course.opening or course.deck_due else ()))


def number_round(state: State, move: Move | None) -> tuple[int, bool] | None:
    """Return which round of the table a word belongs to.

    Args:
        state: The record before the word.
        move: The word, None for the next one of the seat in turn.

    Returns:
        The round, from 1, and whether the word is its first. None while the set-up is named. What the table names in
        play and what an Emperor is given belong to the round of the word before.
    """
    if state.others:
        readings = states_of(state)
        fits = (reading for reading in readings if move is None or _may_say(reading, move))
        return number_round(next(fits, readings[0]), move)
    course = state.course
    behind = state.turn == 1 and not course.extra and not course.demands
    if isinstance(move, (Deal, Reveal)):
        return None if course.opening else (state.round + (not behind), False)
    return state.round + 1, behind


def _may_say(state: State, move: Move) -> bool:
    """Say whether a move is of the seat that is to speak, or of the table; while cards are owed, only their giver may
    speak.
    """
    if state.course.demands or isinstance(move, Gift):
        return isinstance(move, Gift) and any(giver == move.seat for giver, _ in open_demands(state.course))
    return move.seat in (state.turn, 0)


def _position_key(state: State) -> tuple[object, ...]:
    """Return what makes two positions the same: everything but counts, with hands and board in a fixed order.

    The keys of the other readings of the state come after it.
    """
    hands = tuple(bytes(sorted(hand)) for hand in state.hands)
    board = (sorted(state.cards.items()), sorted(state.men.items()))
    table = (state.options, board, state.deck, state.pile, state.stash, state.knowledge)
    return (hands, table, state.turn, state.course, state.unseen.slots, *map(_position_key, state.others))


RULES: Rules[State, Move, Move | Word, None] = Rules(
    setup=setup, play=play.play, clauses=CLAUSES, candidates=candidates, outcome=outcome, over=lambda ended: OVER
)
TURNS: Turns[State, Move] = Turns(first=attrgetter("turn"), actors=actors, skip=skip, number=number_round)
HIDDEN_CARDS: Hidden[State, Move, None] = Hidden(
    view=view, view_move=view_move, tell_need=describe_need, pending=pending, whereabouts=whereabouts
)
PLACE = Place(key=_position_key)
