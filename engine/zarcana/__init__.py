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
from cartulary.engine.zarcana.hands import demands
from cartulary.engine.zarcana.moves import Deal, Gift, Move, Reveal, Word
from cartulary.engine.zarcana.setups import OPTIONS, SEATS, setup
from cartulary.engine.zarcana.state import State
from cartulary.engine.zarcana.turns import is_over, outcome
from cartulary.engine.zarcana.views import tell_need, view, view_move, whereabouts

__all__ = ["HIDDEN", "NAMES", "OPTIONS", "PLACE", "RULES", "SEATS", "TURNS", "Move", "Said", "State", "view"]


def actors(state: State) -> tuple[int, ...]:
    """Return the seat in turn, whose words have no prefix, then who owes it cards, and the table where it may tell."""
    if state.others:
        return tuple(dict.fromkeys(seat for reading in states_of(state) for seat in actors(reading)))
    course = state.course
    if is_over(state):
        return () if outcome(state) is not None else (0,)
    owing = tuple(giver for giver, _ in demands(course))
    return (state.turn, *owing, *((0,) if course.opening or course.deck_due else ()))


def number(state: State, move: Move | None) -> tuple[int, bool] | None:
    """Return where a word stands among the rounds of the table.

    Args:
        state: The record before the word.
        move: The word, None for the next one of the seat in turn.

    Returns:
        The round, and whether the word is its first; None while the set-up is named. What the table names in play, and
        what an Emperor is given, stand in the round of the word before.
    """
    if state.others:
        readings = states_of(state)
        fits = (reading for reading in readings if move is None or _speaks(reading, move))
        return number(next(fits, readings[0]), move)
    course = state.course
    behind = state.turn == 1 and not course.extra and not course.owed
    if isinstance(move, (Deal, Reveal)):
        return None if course.opening else (state.round + (not behind), False)
    return state.round + 1, behind


def _speaks(state: State, move: Move) -> bool:
    """Say whether a word is the one that is due."""
    if state.course.owed or isinstance(move, Gift):
        return isinstance(move, Gift) and any(giver == move.seat for giver, _ in demands(state.course))
    return move.seat in (state.turn, 0)


def _place(state: State) -> tuple[object, ...]:
    hands = tuple(bytes(sorted(hand)) for hand in state.hands)
    board = (sorted(state.cards.items()), sorted(state.men.items()))
    table = (state.options, board, state.deck, state.pile, state.stash, state.known)
    return (hands, table, state.turn, state.course, state.unseen.slots, *map(_place, state.others))


RULES: Rules[State, Move, Move | Word, None] = Rules(
    setup, play.play, CLAUSES, candidates=candidates, outcome=outcome, over=lambda ended: OVER
)
TURNS: Turns[State, Move] = Turns(attrgetter("turn"), actors, skip=skip, number=number)
HIDDEN: Hidden[State, Move, None] = Hidden(
    view, view_move, tell_need=tell_need, pending=pending, whereabouts=whereabouts
)
PLACE = Place(_place)
