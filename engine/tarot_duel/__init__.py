"""Tarot duel: two seats or more, each with a deck of its own; cards are drawn, laid, challenged for, and answered.

Rules: the page of the Tarot duel; what it leaves open is ruled by the house.
State: every seat's deck, hand, area and discard pile as bytes (``state``), the words that are due (``actions``), and
what is known of cards nobody saw (``engine.slots``).
Chance: the table tells decks as they lie, picks from hands, coin and die, as far as the record knows.
"""

from msgspec.structs import replace

from cartulary.engine.contract import Breach, Clause, Need, Open, Option, Outcome, Pending
from cartulary.engine.slots import UNKNOWN
from cartulary.engine.tarot_duel.applying import apply as applied
from cartulary.engine.tarot_duel.applying import is_open
from cartulary.engine.tarot_duel.cards import how_many
from cartulary.engine.tarot_duel.choices import candidates
from cartulary.engine.tarot_duel.clauses import BY_KEY, CLAUSES
from cartulary.engine.tarot_duel.decks import Brought, is_copy, setup
from cartulary.engine.tarot_duel.faults import EFFECT, fault
from cartulary.engine.tarot_duel.moves import Move
from cartulary.engine.tarot_duel.plain import plainly
from cartulary.engine.tarot_duel.shuffles import settle
from cartulary.engine.tarot_duel.state import SEATS, State, is_in
from cartulary.engine.tarot_duel.viewing import view, view_move, view_sheet
from cartulary.engine.tarot_duel.windows import may_answer

__all__ = [
    "CLAUSES",
    "COMPLETE",
    "EDITION",
    "KEY",
    "OPTIONS",
    "OVER",
    "SEATS",
    "TITLE",
    "UNKNOWN",
    "VARIANTS",
    "Brought",
    "Move",
    "State",
    "actors",
    "apply",
    "asked",
    "breaches",
    "candidates",
    "exact",
    "known",
    "outcome",
    "pending",
    "score",
    "settle",
    "setup",
    "skip",
    "standing",
    "view",
    "view_move",
    "view_sheet",
]

KEY = "tarot-duel"
TITLE = "Tarot duel"
EDITION = "tarot-duel-2026"
VARIANTS = ("standard",)
OPTIONS: tuple[Option, ...] = ()

# --- legal moves ---


def COMPLETE(state: State) -> bool:
    """Say that the candidates are a sample: cards are laid in any number, and Majors used in many ways."""
    return False


OVER = None
"""A word after the end breaks the rule that ended the game."""

_NONE: tuple[Clause[State, Move], ...] = ()


def asked(state: State, move: Move) -> tuple[Clause[State, Move], ...]:
    """Return the clause a word breaks first, none where it breaks none: they are asked in the rulebook's order.

    The plainest words of an open record are told apart without asking.
    """
    global _last
    after = plainly(state, move)
    _last = state, move, after
    if after is not None:
        return _NONE
    found = fault(state, move)
    return (BY_KEY[found.key],) if found is not None else _NONE


# --- apply ---

_last: tuple[State | None, Move | None, State | None] = (None, None, None)
"""The last word that was asked about, with its state before and, if it is plain, after: most are applied next."""


def apply(state: State, move: Move, opens: tuple[Open, ...] = ()) -> State:
    """Return the state after the word; open questions are kept until later words answer them."""
    before, asked_of, after = _last
    if opens or before is not state or asked_of is not move:
        after = None if opens else plainly(state, move)
    return after if after is not None else applied(state, move, opens)


# --- aftermath ---


def breaches(before: State, after: State) -> tuple[Breach, ...]:
    """Return what the last word has proved of earlier plies, of ply 0 where a deck is at fault."""
    if after.unseen is before.unseen:
        return ()
    proved = after.unseen.proved
    if after.then is not None:
        proved = after.then.unseen.proved
    known = before.unseen.proved if before.then is None else before.then.unseen.proved
    return proved[len(known) :]


def skip(state: State) -> State:
    """Return the state one ply later."""
    return replace(state, ply=state.ply + 1)


def exact(state: State, opened: Open) -> Open:
    """Return the question: it turns on a deck's unknown cards, and closes when they have all come to light."""
    return opened


def known(state: State, need: Need) -> str:
    """Say how many of the cards a question turns on are still unknown."""
    unknown = sum(len(pool) for pool in state.unseen.slots.pools)
    have = "has" if unknown == 1 else "have"
    return f"{how_many(unknown)} {have} not come to light, and {need.place} may have it among them"


def pending(state: State) -> Pending:
    """Return the names of copies still in question; what hidden cards prove is told at the word that proves it."""
    return Pending(tuple((ply, EFFECT) for ply, seat, name in state.unseen.named if is_copy(state, seat, name) is None))


# --- turn ---


def actors(state: State) -> tuple[int, ...]:
    """Return the seat in turn, whose words have no prefix, then all others that owe a word or may answer.

    Where the game ends unless the window is used, only those who may use it.
    """
    seats = [seat for seat in range(1, state.house.seats + 1) if is_in(state, seat)]
    answering = {seat for seat in seats if may_answer(state, seat)}
    closed = settle(state)
    if closed.ended is not None:
        return tuple(sorted(answering))
    now = state.then if state.then is not None else state
    owing = {due.seat for due in (*state.due[:1], *now.due[:1])}
    if is_open(state):
        owing.add(state.due[0].other)
    if not closed.due:
        owing |= {seat for seat in seats if closed.marks.ready[seat - 1] and closed.done & ~(1 << seat)}
    others = [seat for seat in seats if seat != now.turn and seat in answering | owing]
    return (now.turn, *([0] if now.loose or 0 in owing else []), *others)


# --- end ---


def outcome(state: State) -> Outcome | None:
    """Return how the game ended."""
    return state.ended


def standing(state: State) -> None:
    """Return nothing: only the end decides."""


def score(state: State) -> tuple[int, ...]:
    """Return the points of the areas; where face-down cards are not known, the least they can be."""
    return tuple(side.points for side in settle(state).sides)
