"""Actions from their first word to their last: windows, due words, and what lies on the table meanwhile."""

from msgspec.structs import replace

from cartulary.engine.tarot_duel.ends import aimed
from cartulary.engine.tarot_duel.moves import Move
from cartulary.engine.tarot_duel.shuffles import shuffled
from cartulary.engine.tarot_duel.state import AFTER_CHALLENGE, IDLE, Due, State
from cartulary.engine.tarot_duel.zones import (
    discarded,
)


def finished(state: State) -> State:
    """Return the state once the action going on is over: what lay on the table is on the piles."""
    act = state.act
    for seat, card in act.table:
        state = discarded(state, seat, bytes((card,)))
    done = state.done | 1 << act.doer if act.doer else state.done
    return replace(state, due=(), done=done, act=IDLE)


def advanced(state: State) -> State:
    """Return the state with the due words dropped that nobody can say, and the action finished if none is left."""
    due = state.due
    while due:
        head = due[0]
        if head.what == "shuffle":
            state = shuffled(state, head.other, head.count)
        elif not _void(state, head):
            break
        due = due[1:]
    if due:
        return replace(state, due=due) if due is not state.due else state
    return aimed(finished(state))


def _void(state: State, due: Due) -> bool:
    """Say whether a due word has lost its sense: an empty deck gives no card, an empty hand none either."""
    if due.what in ("pick", "look", "swap", "answer"):
        return not state.sides[due.other - 1].hand
    if due.what in ("draw", "mill"):
        return not due.count or not state.sides[due.seat - 1].deck
    if due.what == "discard":
        return not state.sides[due.seat - 1].hand
    if due.what == "choose":
        return not state.sides[due.seat - 1].deck and not state.sides[due.other - 1].hand
    return False


def served(state: State) -> State:
    """Return the state once its first due word has been said."""
    return advanced(replace(state, due=state.due[1:]))


def abandoned(state: State) -> State:
    """Return the state with the due words given up: the action ends as it stands, decks of a challenge shuffled."""
    for due in state.due:
        if due.what == "shuffle":
            state = shuffled(state, due.other)
    return finished(state)


def skipped(state: State, move: Move) -> State:
    """Return the state once a word has come in the place of the due one.

    The card that was won unseen stays unseen, and play goes on; any other action ends as it stands.
    """
    head, *rest = state.due
    if head.what == "show" and is_said(rest[0], move):
        return replace(state, due=tuple(rest))
    return abandoned(state)


_SAYS: dict[str, tuple[str, ...]] = {
    "coin": ("Coin",),
    "die": ("Die",),
    "choose": ("Draw", "Rob"),
    "pick": ("Pick",),
    "look": ("Pick",),
    "swap": ("Pick",),
    "draw": ("Draw",),
    "redraw": ("Redraw", "Discard"),
    "mill": ("Mill",),
    "discard": ("Discard",),
    "answer": ("Answer",),
    "row": ("Row",),
    "stakes": ("Stakes",),
    "show": ("Show",),
    "lose": ("Discard",),
    "back": ("PutBack",),
}


def is_said(due: Due, move: Move) -> bool:
    """Say whether a word is of the kind that is due, and from who owes it."""
    return due.seat == move.seat and type(move).__name__ in _SAYS.get(due.what, ())


def skipped_key(due: Due) -> str:
    """Return the key of the rule a word breaks that is said in the place of a due one."""
    return "tarot-duel.challenge-winner" if due.what in AFTER_CHALLENGE else "tarot-duel.effect"
