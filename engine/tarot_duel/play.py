"""A word of the duel played: when it may be said, and on to the file that carries it out."""

from collections.abc import Callable
from typing import Any

from cartulary.engine.cards.draft import BlockedError
from cartulary.engine.contract import LEGAL, Breach, Played, Refused
from cartulary.engine.tarot_duel import challenge, challenge_winner, effects, moves, reaction, turn
from cartulary.engine.tarot_duel.activation import say_use
from cartulary.engine.tarot_duel.clauses import CLAUSES, EFFECT, TURN
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.dues import abandon, lapse, overdue, refuse_owed, skip, skipped
from cartulary.engine.tarot_duel.empress_emperor import say_rename
from cartulary.engine.tarot_duel.ends import ENDS
from cartulary.engine.tarot_duel.laying import say_lay, say_stand
from cartulary.engine.tarot_duel.shuffles import leave_untold, order
from cartulary.engine.tarot_duel.state import Due, Kind, Skipped, State


def play(state: State, move: moves.Move, exactly: bool = False) -> Played[State, moves.Move]:
    """Return what the rules say of a word and what comes of it; what is open stays open, asked exactly or not.

    A word that was skipped and comes late is carried out as if it were due: who skipped it was refused for that.

    Rules: the page of the Tarot duel; what it leaves open is ruled by the house.
    """
    answer = _play_word(state, move)
    if state.skipped is None or type(answer.verdict) is not Refused:
        return answer
    for at, due in enumerate(skipped(state)):
        late = overdue(state, at)
        if _is_said(due, move) or (due.what == "either" and challenge_winner.told_winner(late, move)):
            belated = _play_word(late, move)
            return belated if type(belated.verdict) is not Refused or type(move) not in _WORDS else answer
    return answer


def _play_word(state: State, move: moves.Move) -> Played[State, moves.Move]:
    """Return what the rules say of a word where nothing was skipped, or what was skipped is due again."""
    before, uneven = state, False
    if state.due and state.due[0].what == "either":
        winner = challenge_winner.told_winner(state, move)
        uneven = not winner and not challenge_winner.may_be_even(Draft(state))
        state = challenge_winner.decided(state, winner) if winner else state
    say: Callable[[Draft, Any, bool], None] = _say
    if type(move) is moves.Order:
        state, say = state.then or state, _say_order
    elif type(move) is moves.Nullify and state.act.chain:
        say = reaction.say_nullify
    else:
        while state.then is not None and not (state.due and _is_said(state.due[0], move)):
            state = state.then
    draft = Draft(state)
    draft.ply += 1
    if uneven:
        draft.skipped = Skipped(before.due, before.act.doer)
    try:
        say(draft, move, uneven)
    except BlockedError:
        return Played(move, draft.verdict(CLAUSES), None)
    after = draft.frozen()
    verdict = draft.verdict(CLAUSES) if draft.refusals or draft.opens else LEGAL
    return Played(move, verdict, after, _proved(before, after) if after.unseen is not before.unseen else ())


def _proved(before: State, after: State) -> tuple[Breach, ...]:
    """Return what the word has proved of earlier plies, of ply 0 where a deck is at fault."""
    earlier, now = ((state if state.then is None else state.then).unseen.proved for state in (before, after))
    return now[len(earlier) :]


# --- when a word may be said ---


def _say_order(draft: Draft, move: moves.Order, uneven: bool) -> None:
    """Carry out the table's word of a deck."""
    if uneven:
        challenge_winner.refuse_even(draft)
    if draft.ended is not None:
        draft.block(ENDS[draft.ended.key], draft.ended.because)
    tops = dict(draft.loose)
    if move.to not in tops:
        if draft.due:
            refuse_owed(draft, draft.due[0])
        draft.block(EFFECT, f"p{move.to}'s deck is not the next to be given")
    order(draft, move, tops[move.to])


def _say(draft: Draft, move: moves.Move, uneven: bool) -> None:
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
            draft.refuse(TURN, f"nothing has been played that p{move.seat} could answer")
        if due is not None:
            _skip(draft, move)
        elif type(move) in (moves.End, moves.Use, moves.Challenge):
            lapse(draft)
        draft.done = 0
    if draft.due:
        _DUE[draft.due[0].what][0](draft, move, draft.due[0])
    elif carry is not None:
        carry(draft, move)
    elif type(move) not in (moves.Answer, moves.Coin, moves.Die, moves.Rob) and (
        type(move) is not moves.Mill or not draft.mill(move.seat, move.cards)
    ):
        draft.block(TURN, "no such word is due")


def _is_said(due: Due, move: moves.Move) -> bool:
    """Say whether a word is of the kind that is due, and from who owes it."""
    return due.seat == move.seat and type(move) in _DUE.get(due.what, ())


def _skip(draft: Draft, move: moves.Move) -> None:
    """Let a word come in the place of the due one: a later one of the same action, or else the action ends there."""
    at = next((at for at, due in enumerate(draft.due) if _is_said(due, move)), 0)
    if at:
        skip(draft, at)
    else:
        abandon(draft)


_WORDS: dict[type, Callable[[Draft, Any], None]] = {
    moves.Draw: turn.say_draw,
    moves.End: turn.say_end,
    moves.Lay: say_lay,
    moves.Stand: say_stand,
    moves.Rename: say_rename,
    moves.Discard: turn.say_discard,
    moves.Use: say_use,
    moves.Nullify: reaction.say_late_nullify,
    moves.Challenge: challenge.say_challenge,
}
"""The words a seat may say of its own accord."""

_DUE: dict[Kind, tuple[Callable[[Draft, Any, Due], None], *tuple[type, ...]]] = {
    "coin": (effects.say_coin, moves.Coin),
    "die": (effects.say_die, moves.Die),
    "choose": (effects.say_choice, moves.Draw, moves.Rob),
    "pick": (effects.say_pick, moves.Pick),
    "look": (effects.say_look, moves.Pick),
    "swap": (effects.say_swap, moves.Pick),
    "draw": (effects.say_draw, moves.Draw),
    "redraw": (effects.say_redraw, moves.Redraw, moves.Discard),
    "mill": (effects.say_mill, moves.Mill),
    "discard": (effects.say_discard, moves.Discard),
    "answer": (effects.say_answer, moves.Answer),
    "row": (effects.say_row, moves.Row),
    "stakes": (challenge.say_stakes, moves.Stakes),
    "show": (challenge_winner.say_show, moves.Show),
    "lose": (challenge_winner.say_lose, moves.Discard),
    "back": (challenge_winner.say_back, moves.PutBack),
}
"""The words that are due, and of what kinds each may be."""
