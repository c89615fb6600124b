"""Zarcana: two to five seats, fifteen pyramids each, on a board of tarot cards that grows, shrinks and splits.

Rules: J. Cooper's Zarcana as A. Plotkin documents it; what both leave open is ruled by the house.
State: the board by place, hands, deck and discards as bytes (``state``), and what is known of cards nobody saw
(``engine.slots``).
Chance: the table tells the first cards, and the deck after a shuffle, as far as the record knows.
"""

from msgspec.structs import replace

from cartulary.engine.contract import Breach, Clause, Need, Open, Pending, Sheet
from cartulary.engine.slots import SLOT
from cartulary.engine.zarcana.applying import LATEST, carried
from cartulary.engine.zarcana.asks import open_at_end
from cartulary.engine.zarcana.candidates import candidates
from cartulary.engine.zarcana.cards import NAMES, VALUE, listed
from cartulary.engine.zarcana.clauses import BY_KEY, CLAUSES, OVER
from cartulary.engine.zarcana.ends import is_over, outcome, score
from cartulary.engine.zarcana.faults import Carried
from cartulary.engine.zarcana.moves import Move
from cartulary.engine.zarcana.setups import OPTIONS, SEATS, setup
from cartulary.engine.zarcana.state import State
from cartulary.engine.zarcana.viewing import view, view_move

__all__ = [
    "CLAUSES",
    "COMPLETE",
    "EDITION",
    "KEY",
    "NAMES",
    "OPTIONS",
    "OVER",
    "SEATS",
    "TITLE",
    "VALUE",
    "VARIANTS",
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

KEY = "zarcana"
TITLE = "Zarcana"
EDITION = "zarcana-2026"
VARIANTS = ("standard",)

# --- legal moves ---


def COMPLETE(state: State) -> bool:
    """Say that the candidates are a sample: hands may be unknown, and minions turn in any combination."""
    return False


_NONE: tuple[Clause[State, Move], ...] = ()


def asked(state: State, move: Move) -> tuple[Clause[State, Move], ...]:
    """Return the rule a word breaks first, else those it depends on: carrying it out asks them all in order."""
    done: Carried = LATEST[2] if LATEST[1] is move and LATEST[0] is state else carried(state, move)
    if done.fault is not None:
        return (BY_KEY[done.fault.key],)
    return tuple(BY_KEY[key] for key in dict.fromkeys(doubt.key for doubt in done.doubts)) if done.doubts else _NONE


# --- apply ---


def apply(state: State, move: Move, opens: tuple[Open, ...] = ()) -> State:
    """Return the state after the word; what it depends on narrows the unknown cards it asked."""
    done: Carried = LATEST[2] if LATEST[1] is move and LATEST[0] is state else carried(state, move)
    return done.after


# --- aftermath ---


def breaches(before: State, after: State) -> tuple[Breach, ...]:
    """Return what the last word has proved of earlier plies."""
    if after.unseen is before.unseen:
        return ()
    return after.unseen.proved[len(before.unseen.proved) :]


def skip(state: State) -> State:
    """Return the state one ply later."""
    return replace(state, ply=state.ply + 1)


def exact(state: State, opened: Open) -> Open:
    """Return the question: a word is tried with every card the unknown one may be, so it is exact already."""
    return opened


def known(state: State, need: Need) -> str:
    """Say which cards an unknown one may be by now."""
    code = need.slots[0] - SLOT
    kinds = state.unseen.slots.kinds
    if code >= len(kinds) or not kinds[code].size:
        return ""
    may = bytes(card for card in state.unseen.slots.pools[kinds[code].pool] if kinds[code].mask >> card & 1)
    said = listed(may[:8]) + (" or others" if len(may) > 8 else "")
    return f"the unknown card on {need.place} may be {said}" if may else ""


def pending(state: State) -> Pending:
    """Return the questions that unknown cards lying open leave."""
    return open_at_end(state.unseen)


def view_sheet(sheet: Sheet[None], seat: int) -> Sheet[None]:
    """Return the sheet: all may read it."""
    return sheet


# --- turn ---


def actors(state: State) -> tuple[int, ...]:
    """Return the seat in turn, whose words have no prefix, then who owes it cards, and the table where it may tell."""
    course = state.course
    if is_over(state):
        return () if outcome(state) is not None else (0,)
    draft = (0,) if course.opening or course.told else ()
    return (state.turn, course.owed[0][0], *draft) if course.owed else (state.turn, *draft)


def settle(state: State) -> State:
    """Return the state: draws left out are unknown as soon as they are made."""
    return state


# --- end ---


def standing(state: State) -> None:
    """Return nothing: only the end decides."""
