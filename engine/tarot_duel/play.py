"""A word of the duel played: when it may be said, and on to the file that carries it out."""

from collections.abc import Callable
from typing import Any

from cartulary.engine.cards.draft import BlockedError
from cartulary.engine.contract import LEGAL, Breach, Played
from cartulary.engine.tarot_duel import challenge, challenge_winner, effects, reaction, turn
from cartulary.engine.tarot_duel.activation import say_use
from cartulary.engine.tarot_duel.clauses import CLAUSES, EFFECT, TURN
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.dues import abandon, refuse_owed
from cartulary.engine.tarot_duel.empress_emperor import say_rename
from cartulary.engine.tarot_duel.ends import ENDS
from cartulary.engine.tarot_duel.laying import say_lay, say_stand
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
from cartulary.engine.tarot_duel.shuffles import leave_untold, order
from cartulary.engine.tarot_duel.state import Due, Kind, State


def play(state: State, move: Move, exactly: bool = False) -> Played[State, Move]:
    """Return what the rules say of a word and what comes of it; what is open stays open, asked exactly or not.

    Rules: the page of the Tarot duel; what it leaves open is ruled by the house.
    """
    before, uneven = state, False
    if state.due and state.due[0].what == "either":
        winner = challenge_winner.told_winner(state, move)
        uneven = not winner and not challenge_winner.may_be_even(Draft(state))
        state = challenge_winner.decided(state, winner) if winner else state
    say: Callable[[Draft, Any, bool], None] = _say
    if type(move) is Order:
        state, say = state.then or state, _say_order
    elif type(move) is Nullify and state.act.chain:
        say = reaction.say_nullify
    else:
        while state.then is not None and not (state.due and _is_said(state.due[0], move)):
            state = state.then
    draft = Draft(state)
    draft.ply += 1
    try:
        say(draft, move, uneven)
    except BlockedError:
        return Played(move, draft.verdict(CLAUSES), None)
    after = draft.frozen()
    verdict = draft.verdict(CLAUSES) if draft.refusals or draft.opens else LEGAL
    return Played(move, verdict, after, _proved(before, after) if after.unseen is not before.unseen else ())


def _proved(before: State, after: State) -> tuple[Breach, ...]:
    """Return what the word has proved of earlier plies, of ply 0 where a deck is at fault."""
    known, proved = ((state if state.then is None else state.then).unseen.proved for state in (before, after))
    return proved[len(known) :]


# --- when a word may be said ---


def _say_order(draft: Draft, move: Order, uneven: bool) -> None:
    """Carry out the table's word of a deck."""
    if uneven:
        challenge_winner.refuse_even(draft)
    if draft.ended is not None:
        draft.block(ENDS[draft.ended.key], draft.ended.because)
    tops = dict(draft.loose)
    if move.to not in tops:
        if draft.due:
            refuse_owed(draft, draft.due[0])
        draft.block(EFFECT, f"p{move.to}'s deck is not the next to be told")
    order(draft, move, tops[move.to])


def _say(draft: Draft, move: Move, uneven: bool) -> None:
    """Carry out a word that answers no open card.

    uneven: an open challenge cannot have been won by nobody, so the words of who lost are due
    """
    if draft.loose:
        leave_untold(draft)
    if draft.ended is not None:
        draft.block(ENDS[draft.ended.key], draft.ended.because)
    due, carry = draft.due[0] if draft.due else None, _WORDS.get(type(move))
    if due is None or not _is_said(due, move):
        turn.refuse_untimely(draft, move, due, uneven)
        if carry is None:
            draft.refuse(TURN, f"nothing that p{move.seat} could answer has been said")
        if due is not None:
            _skip(draft, move)
        draft.done = 0
    if draft.due:
        _DUE[draft.due[0].what][0](draft, move, draft.due[0])
    elif carry is not None:
        carry(draft, move)
    elif type(move) not in (Answer, Coin, Die, Rob) and (
        type(move) is not Mill or not draft.mill(move.seat, move.cards)
    ):
        draft.block(TURN, "no such word is due")


def _is_said(due: Due, move: Move) -> bool:
    """Say whether a word is of the kind that is due, and from who owes it."""
    return due.seat == move.seat and type(move) in _DUE.get(due.what, ())


def _skip(draft: Draft, move: Move) -> None:
    """Let a word come in the place of the due one.

    The card that was won unseen stays unseen, and play goes on; any other action ends as it stands.
    """
    if draft.due[0].what == "show" and _is_said(draft.due[1], move):
        draft.due = draft.due[1:]
    else:
        abandon(draft)


_WORDS: dict[type, Callable[[Draft, Any], None]] = {
    Draw: turn.say_draw,
    End: turn.say_end,
    Lay: say_lay,
    Stand: say_stand,
    Rename: say_rename,
    Discard: turn.say_discard,
    Use: say_use,
    Nullify: reaction.say_late_nullify,
    Challenge: challenge.say_challenge,
}
"""The words a seat may say of its own accord."""

_DUE: dict[Kind, tuple[Callable[[Draft, Any, Due], None], *tuple[type, ...]]] = {
    "coin": (effects.say_coin, Coin),
    "die": (effects.say_die, Die),
    "choose": (effects.say_choice, Draw, Rob),
    "pick": (effects.say_pick, Pick),
    "look": (effects.say_look, Pick),
    "swap": (effects.say_swap, Pick),
    "draw": (effects.say_draw, Draw),
    "redraw": (effects.say_redraw, Redraw, Discard),
    "mill": (effects.say_mill, Mill),
    "discard": (effects.say_discard, Discard),
    "answer": (effects.say_answer, Answer),
    "row": (effects.say_row, Row),
    "stakes": (challenge.say_stakes, Stakes),
    "show": (challenge_winner.say_show, Show),
    "lose": (challenge_winner.say_lose, Discard),
    "back": (challenge_winner.say_back, PutBack),
}
"""The words that are due, and of what kinds each may be."""
