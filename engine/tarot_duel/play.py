"""A word of the duel played: when it may be said, and on to the file that carries it out."""

from collections.abc import Callable
from typing import Any

from cartulary.engine.cards.draft import BlockedError
from cartulary.engine.contract import LEGAL, Breach, Played
from cartulary.engine.tarot_duel import answers, challenge, reaction, turn
from cartulary.engine.tarot_duel.clauses import CLAUSES, DRAW_ONE, EFFECT, REACTION, TURN, WINNER
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.dues import abandon, refuse_owed
from cartulary.engine.tarot_duel.ends import ENDS
from cartulary.engine.tarot_duel.faces import may_be_even
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
from cartulary.engine.tarot_duel.state import DRAWN, Due, Kind, State


def play(state: State, move: Move, exactly: bool = False) -> Played[State, Move]:
    """Return what the rules say of a word and what comes of it; what is open stays open, asked exactly or not.

    Rules: the page of the Tarot duel; what it leaves open is ruled by the house.
    """
    before, uneven = state, False
    answer = move if type(move) is Nullify and state.act.chain else None
    if state.due and state.due[0].what == "either":
        winner = challenge.told_winner(state, move)
        uneven = not winner and not may_be_even(Draft(state))
        state = challenge.decided(state, winner) if winner else state
    if type(move) is Order:
        state = state.then or state
    elif answer is None:
        while state.then is not None and not (state.due and _is_said(state.due[0], move)):
            state = state.then
    draft = Draft(state)
    draft.ply += 1
    try:
        if answer is not None:
            reaction.say_nullify(draft, answer)
        elif type(move) is Order:
            _say_order(draft, move, uneven)
        else:
            _say(draft, move, uneven)
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

_UNEVEN = "the face-up cards cannot have been equal, so first come the stakes of who lost"


def _say_order(draft: Draft, move: Order, uneven: bool) -> None:
    """Carry out the table's word of a deck."""
    if uneven:
        draft.refuse(WINNER, _UNEVEN)
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
        _in_time(draft, move, due, uneven)
        if carry is None:
            draft.refuse(TURN, f"nothing that p{move.seat} could answer has been said")
        if due is not None:
            _skip(draft, move)
        draft.done = 0
    if draft.due:
        _DUE[draft.due[0].what][0](draft, move, draft.due[0])
    elif carry is not None:
        carry(draft, move)
    elif not isinstance(move, (Answer, Coin, Die, Rob)) and (
        not isinstance(move, Mill) or not draft.mill(move.seat, move.cards)
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


def _in_time(draft: Draft, move: Move, due: Due | None, uneven: bool) -> None:
    """Refuse a word that is said at the wrong time."""
    kind = type(move)
    if kind is Nullify:
        draft.refuse(REACTION, "no card of another seat lies open to an answer")
    elif type(move) is Use and move.justice:
        reaction.await_justice(draft, move.seat)
    elif due is None and not uneven:
        if move.seat != draft.turn:
            if move.seat:
                draft.refuse(TURN, f"it is p{draft.turn}'s turn, and p{move.seat} owes no word")
            else:
                draft.refuse(EFFECT, "no effect asks the table for a word")
        elif not draft.flags & DRAWN and kind is not Draw:
            draft.refuse(DRAW_ONE, f"p{draft.turn} has not drawn yet in this turn")
    if uneven:
        draft.refuse(WINNER, _UNEVEN)
    elif due is not None:
        refuse_owed(draft, due)


_WORDS: dict[type, Callable[[Draft, Any], None]] = {
    Draw: turn.say_draw,
    End: turn.say_end,
    Lay: turn.say_lay,
    Stand: turn.say_stand,
    Rename: turn.say_rename,
    Discard: turn.say_discard,
    Use: reaction.say_use,
    Nullify: reaction.say_late_nullify,
    Challenge: challenge.say_challenge,
}
"""The words a seat may say of its own accord."""

_DUE: dict[Kind, tuple[Callable[[Draft, Any, Due], None], *tuple[type, ...]]] = {
    "coin": (answers.say_coin, Coin),
    "die": (answers.say_die, Die),
    "choose": (answers.say_choice, Draw, Rob),
    "pick": (answers.say_pick, Pick),
    "look": (answers.say_look, Pick),
    "swap": (answers.say_swap, Pick),
    "draw": (answers.say_draw, Draw),
    "redraw": (answers.say_redraw, Redraw, Discard),
    "mill": (answers.say_mill, Mill),
    "discard": (answers.say_discard, Discard),
    "answer": (answers.say_answer, Answer),
    "row": (answers.say_row, Row),
    "stakes": (challenge.say_stakes, Stakes),
    "show": (challenge.say_show, Show),
    "lose": (challenge.say_lose, Discard),
    "back": (challenge.say_back, PutBack),
}
"""The words that are due, and of what kinds each may be."""
