"""Tarot duel: two seats or more, each with a deck of its own; cards are drawn, laid, challenged for, and answered.

Rules: the page of the Tarot duel; what it leaves open is ruled by the house.
State: every seat's deck, hand, area and discard pile as bytes (``state``), the words that are due (``dues``), and
what is known of cards nobody saw (``engine.slots``).
Chance: the table tells decks as they lie, picks from hands, coin and die, as far as the record knows.
"""

from operator import attrgetter

from cartulary.engine.cards.zones import tell_where
from cartulary.engine.contract import Need, Pending
from cartulary.engine.numbers import how_many
from cartulary.engine.parts import Hidden, Place, Rules, Turns, count_ply
from cartulary.engine.tarot_duel.candidates import candidates
from cartulary.engine.tarot_duel.cards import DeckTags, listed, setup
from cartulary.engine.tarot_duel.challenge import is_open
from cartulary.engine.tarot_duel.clauses import CLAUSES, EFFECT
from cartulary.engine.tarot_duel.dues import words_skipped
from cartulary.engine.tarot_duel.effects import is_copy
from cartulary.engine.tarot_duel.moves import Move, Order
from cartulary.engine.tarot_duel.play import play
from cartulary.engine.tarot_duel.reaction import may_answer
from cartulary.engine.tarot_duel.shuffles import settle
from cartulary.engine.tarot_duel.state import SEATS, State
from cartulary.engine.tarot_duel.views import view, view_move, view_sheet

__all__ = ["HIDDEN_CARDS", "PLACE", "RULES", "SEATS", "TURNS", "State"]

# --- turn ---


def actors(state: State) -> tuple[int, ...]:
    """Return the seats that may speak now: the seat in turn, whose words have no prefix, then others.

    The others are seats that owe a word or may answer a card, and 0 for the table. If the game ends unless a reaction
    window is used, only those that may use it are returned.
    """
    seats = [seat for seat in range(1, state.options.seats + 1) if state.marks.is_in(seat)]
    answering = {seat for seat in seats if may_answer(state, seat)}
    closed = settle(state)
    if closed.outcome is not None:
        return tuple(sorted(answering))
    now = state.if_unanswered if state.if_unanswered is not None else state
    debtors = {due.seat for due in (*state.due[:1], *now.due[:1])}
    if is_open(state):
        debtors.add(state.due[0].other)
    debtors |= {due.seat for due in words_skipped(state)}
    if not closed.due:
        debtors |= {seat for seat in seats if closed.marks.ready[seat - 1] and closed.finishers & ~(1 << seat)}
    followers = [seat for seat in seats if seat != now.turn and seat in answering | debtors]
    return (now.turn, *([0] if now.loose or 0 in debtors else []), *followers)


def number_round(state: State, move: Move | None) -> tuple[int, bool] | None:
    """Return which round of the table a word belongs to.

    Args:
        state: The record before the word.
        move: The word, None for the next one.

    Returns:
        The round, from 1, in which each seat has one turn, and whether the word is its first. None for the words that
        name the decks before the first turn.
    """
    if type(move) is Order and not state.turns and not state.flags and state.fresh:
        return None
    seats, marks = state.options.seats, state.marks
    first = next(seat for seat in range(1, seats + 1) if marks.is_in(seat))
    begins = not state.flags and (not state.turns or state.ply == state.since)
    return (state.turns + marks.missed_turns) // seats + 1, begins and state.turn == first


# --- hidden cards ---


def describe_need(state: State, need: Need) -> str:
    """Return how many cards have not come to light, one of which may decide a question, as a sentence without a full
    stop.
    """
    unknown = sum(len(pool) for pool in state.unseen.slots.pools)
    have = "has" if unknown == 1 else "have"
    return f"{how_many(unknown)} {have} not come to light; the card may be among those of {need.place}"


def pending(state: State) -> Pending:
    """Return what stays open if the record ends here: (ply, key) for cards for which the Empress or the Emperor stood.

    They are open while only unknown cards of the deck can be such a card. There are no breaches in it; what hidden
    cards prove is reported at the word that proves it.
    """
    copies = state.unseen.copies
    still = (ply for ply, seat, name in copies if is_copy(state.options, state.unseen, seat, name) is None)
    return Pending(tuple((ply, EFFECT.key) for ply in still))


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of the cards nobody on record saw, as texts; one line for each pool of such cards.

    Example: ``("5D, 6D", "with p2 or in p2's deck")``.
    """
    zones = [
        (f"with p{seat}" if zone == "hand" else f"in p{seat}'s {zone}", getattr(side, zone))
        for seat, side in enumerate(state.sides, 1)
        for zone in ("hand", "deck", "area", "row")
    ]
    return tell_where(listed, (state.unseen.slots, zones))


RULES = Rules(setup=setup, play=play, clauses=CLAUSES, candidates=candidates, outcome=attrgetter("outcome"))
TURNS: Turns[State, Move] = Turns(
    first=attrgetter("turn"), actors=actors, settle=settle, skip=count_ply, number=number_round, table=True
)
HIDDEN_CARDS: Hidden[State, Move, DeckTags] = Hidden(
    view=view,
    view_move=view_move,
    view_sheet=view_sheet,
    tell_need=describe_need,
    pending=pending,
    whereabouts=whereabouts,
)
PLACE: Place[State] = Place(
    key=attrgetter(
        "options",
        "sides",
        "turn",
        "flags",
        "finishers",
        "due",
        "act",
        "loose",
        "fresh",
        "marks",
        "unseen.slots",
        "outcome",
    ),
    number=2,
)
