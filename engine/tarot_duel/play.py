"""A word of the duel played: when it may be said, what a turn allows, and on to the file that carries it out."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from cartulary.engine.cards.draft import BlockedError
from cartulary.engine.contract import LEGAL, Breach, PlayResult, Refused
from cartulary.engine.numbers import how_many
from cartulary.engine.tarot_duel import challenge, effects, moves, reaction
from cartulary.engine.tarot_duel.cards import COPIES, MAJOR, NAMES, standing
from cartulary.engine.tarot_duel.challenge import refuse_even
from cartulary.engine.tarot_duel.clauses import CLAUSES, DRAW_ONE, EFFECT, HAND_LIMIT, LAY_DOWN, ONE_PLAY, TURN
from cartulary.engine.tarot_duel.draft import Draft, missing_card
from cartulary.engine.tarot_duel.dues import (
    ENDS,
    abandon,
    check_win,
    end,
    end_by_turns,
    lapse,
    overdue,
    refuse_owed,
    skip,
    words_skipped,
)
from cartulary.engine.tarot_duel.effects import ask_copy, say_rename
from cartulary.engine.tarot_duel.moves import Discard, Draw, End, Lay, Move, Nullify, Spot, Stand, Use
from cartulary.engine.tarot_duel.reaction import close_window, refuse_reaction
from cartulary.engine.tarot_duel.shuffles import leave_unnamed, name_deck
from cartulary.engine.tarot_duel.state import DRAWN, MOST_HELD, PLAYED, Act, Due, Kind, SkippedWords, State
from cartulary.engine.tarot_duel.targets import misuse

# --- a turn ---


def say_draw(draft: Draft, move: Draw) -> None:
    """Carry out the draw with which a turn begins.

    A second one, or of several cards, is noted as a refusal, and they are drawn all the same.

    Raises:
        BlockedError: The cards cannot be the top of the deck.
    """
    if draft.flags & DRAWN:
        draft.refuse(DRAW_ONE, f"p{draft.turn} has drawn already in this turn")
    elif len(move.cards) != 1:
        draft.refuse(DRAW_ONE, f"p{draft.turn} draws {len(move.cards)} cards at the start of its turn, expected one")
    draft.draw(move.seat, move.cards, DRAW_ONE)
    if move.seat == draft.turn:
        draft.flags |= DRAWN


def say_end(draft: Draft, move: End) -> None:
    """Carry out the word that ends a turn, which may end the game.

    A hand over the limit is noted as a refusal, and the turn passes in spite of it. On the word of a seat that is not
    in turn it does not pass.
    """
    size = len(draft.sides[move.seat - 1].hand)
    if size > MOST_HELD:
        draft.refuse(HAND_LIMIT, f"p{move.seat}'s hand has {size} cards")
    if move.seat == draft.turn:
        pass_turn(draft)


def say_discard(draft: Draft, move: Discard) -> None:
    """Carry out the word that discards cards over the hand limit, which is five.

    More cards than are over it are noted as a refusal, and discarded all the same.

    Raises:
        BlockedError: A card cannot be in the hand.
    """
    size = len(draft.sides[move.seat - 1].hand)
    if size - len(move.cards) < MOST_HELD:
        over = f"only {size - MOST_HELD} over the limit" if size > MOST_HELD else "none over the limit"
        draft.refuse(HAND_LIMIT, f"p{move.seat}'s hand has {how_many(size)}, {over}")
    draft.discard_from_hand(move.seat, move.cards)


def pass_turn(draft: Draft) -> None:
    """Pass the turn to the next seat in the game whose deck is not empty.

    Seats with empty decks on the way are out from now on. The game ends if that was the last turn there is, or if only
    one seat is left in it.
    """
    draft.turns += 1
    draft.flags, draft.since = 0, draft.ply
    if draft.turns >= draft.options.turns:
        end_by_turns(draft)
        return
    marks, seats, seat = draft.marks, draft.options.seats, draft.turn
    out, missed = marks.out, marks.missed_turns
    while out.bit_count() < seats - 1:
        seat = seat % seats + 1
        if not out >> seat & 1:
            if draft.sides[seat - 1].deck:
                draft.turn = seat
                if missed > marks.missed_turns:
                    draft.marks = replace(marks, out=out, missed_turns=missed)
                return
            out |= 1 << seat
        missed += 1
    draft.marks = replace(marks, out=out)
    survivor = next(seat for seat in draft.around(1) if draft.marks.is_in(seat))
    end(draft, (survivor,), DRAW_ONE, f"p{survivor} is the last seat left")


def refuse_untimely(draft: Draft, move: Move, due: Due | None, uneven: bool) -> None:
    """Note the refusal of a word that is said at the wrong time, in the place of the one that is due if there is one.

    Args:
        draft: The draft of the word.
        move: The word.
        due: The word that is due, None for none.
        uneven: True if an open challenge must have a winner, so that the words of its loser are due.
    """
    if type(move) is Nullify or (type(move) is Use and move.justice):
        refuse_reaction(draft, move)
    elif due is None and not uneven:
        if move.seat != draft.turn:
            if move.seat:
                draft.refuse(TURN, f"it is p{draft.turn}'s turn, and no word of p{move.seat}'s is due")
            else:
                draft.refuse(EFFECT, "no effect asks the table for a word")
        elif not draft.flags & DRAWN and type(move) is not Draw:
            draft.refuse(DRAW_ONE, f"p{draft.turn} has not drawn yet in this turn")
    if uneven:
        refuse_even(draft)
    elif due is not None:
        refuse_owed(draft, due)


# --- cards laid in the own area ---


def say_lay(draft: Draft, move: Lay) -> None:
    """Carry out the word that lays suit cards in the seat's area, which may win the game.

    A Major among them is noted as a refusal and laid all the same. The Empress and the Emperor too are Majors here; the
    word that has one stand for a suit card is ``Stand``.

    Raises:
        BlockedError: A card cannot be in the hand.
    """
    if max(move.cards) >= MAJOR:
        wrong = next(card for card in move.cards if card >= MAJOR)
        major = "is a Major, and of these only T04 and T05 can be laid, each as a suit card"
        draft.refuse(LAY_DOWN, f"{NAMES[wrong]} {'can be laid only as a suit card' if wrong in COPIES else major}")
    draft.from_hand(move.seat, move.cards)
    draft.lay(move.seat, move.cards)
    check_win(draft)


def say_stand(draft: Draft, move: Stand) -> None:
    """Carry out the word that lays the Empress or the Emperor in the seat's area, standing for a suit card.

    Another card laid so, and a card for which it cannot stand, are noted as a refusal.

    Raises:
        BlockedError: The card cannot be in the hand.
    """
    if move.card not in COPIES:
        draft.refuse(LAY_DOWN, f"{NAMES[move.card]} stands for no other card")
    elif move.name >= MAJOR:
        draft.refuse(LAY_DOWN, f"{NAMES[move.name]} is a Major, but {NAMES[move.card]} can be laid only as a suit card")
    wrong = ask_copy(draft, move.seat, move.card, move.name)
    draft.from_hand(move.seat, bytes((move.card,)))
    if wrong:
        draft.refuse(EFFECT, wrong)
    code = standing(move.card, move.name) if move.name < MAJOR else move.card
    draft.lay(move.seat, bytes((code,)))
    check_win(draft)


# --- a Major is activated: one a turn ---


def say_use(draft: Draft, move: Use) -> None:
    """Carry out the word that activates a Major, and open its reaction window.

    The draft's ``if_unanswered`` becomes the state that holds if nobody answers. A wrong use is noted as a refusal.

    Raises:
        BlockedError: The Major, or a card that it names, is not where it must be.
    """
    seat, card, justice = move.seat, move.card, move.justice
    if not justice and draft.flags & PLAYED:
        draft.refuse(ONE_PLAY, f"p{draft.turn} has activated a Major already")
    wrong = misuse(draft, move)
    if not wrong and card in COPIES:
        wrong = ask_copy(draft, seat, card, MAJOR - 1 + move.number)
    card_taken = draft.take_pile(seat, card) if justice else draft.take_hand(seat, card)
    misses = [] if card_taken is not None else [missing_card(seat, Spot("x" if justice else "h", card))]
    table = [(seat, card)]
    if justice:
        ready = draft.marks.ready
        lying = ready[seat - 1]
        draft.mark(ready=(*ready[: seat - 1], lying[1:], *ready[seat:]))
        table += [(seat, entry) for entry in lying[:1]]
    elif seat == draft.turn:
        draft.flags |= PLAYED
    draft.act = Act(seat, ((seat, card),), tuple(table), move)
    draft.if_unanswered, missed = close_window(draft.frozen())
    if misses or missed:
        draft.block_missing(misses + missed)
    if wrong:
        draft.refuse(EFFECT, wrong)


# --- every word ---


def play(state: State, move: moves.Move, exactly: bool = False) -> PlayResult[State, moves.Move]:
    """Judge a word and carry it out.

    A word that was skipped and comes late is carried out as if it were due: what came in its place was refused already.

    Args:
        state: The record before the word.
        move: The word.
        exactly: Ignored; what hidden cards decide stays open.

    Returns:
        The word, the verdict, the state after it (None if it cannot have happened), and the breaches that it proves.

    Source: The page of the Tarot duel; what it leaves open are house rulings.
    """
    answer = _play_word(state, move)
    if state.skipped_words is None or type(answer.verdict) is not Refused:
        return answer
    for at, due in enumerate(words_skipped(state)):
        late = overdue(state, at)
        if _is_said(due, move) or (due.what == "either" and challenge.winner_by_word(late, move)):
            belated = _play_word(late, move)
            return belated if type(belated.verdict) is not Refused or type(move) not in _WORDS else answer
    return answer


def _play_word(state: State, move: moves.Move) -> PlayResult[State, moves.Move]:
    """Judge a word and carry it out, as if no other word had been skipped; the state is None if the word is blocked.

    An open reaction window is closed first, unless the word answers in it or is due in it. The word may also show who
    has won an open challenge.
    """
    before, uneven = state, False
    if state.due and state.due[0].what == "either":
        winner = challenge.winner_by_word(state, move)
        uneven = not winner and not challenge.may_be_even(Draft(state))
        state = challenge.decide_challenge(state, winner) if winner else state
    say: Callable[[Draft, Any, bool], None] = _say
    if type(move) is moves.Order:
        state, say = state.if_unanswered or state, _say_order
    elif type(move) is moves.Nullify and state.act.chain:
        say = reaction.say_nullify
    else:
        while state.if_unanswered is not None and not (state.due and _is_said(state.due[0], move)):
            state = state.if_unanswered
    draft = Draft(state)
    draft.ply += 1
    if uneven:
        draft.skipped_words = SkippedWords(before.due, before.act.doer)
    try:
        say(draft, move, uneven)
    except BlockedError:
        return PlayResult(move, draft.verdict(CLAUSES), None)
    after = draft.frozen()
    verdict = draft.verdict(CLAUSES) if draft.refusals or draft.opens else LEGAL
    return PlayResult(move, verdict, after, _new_breaches(before, after) if after.unseen is not before.unseen else ())


def _new_breaches(before: State, after: State) -> tuple[Breach, ...]:
    """Return the breaches of earlier plies that a word has proved, in order; ply 0 stands for the decks of the tags.

    In an open window those count that hold if nobody answers.
    """
    earlier, now = (
        (state if state.if_unanswered is None else state.if_unanswered).unseen.breaches for state in (before, after)
    )
    return now[len(earlier) :]


# --- when a word may be said ---


def _say_order(draft: Draft, move: moves.Order, uneven: bool) -> None:
    """Carry out the table's word that names a shuffled deck.

    ``uneven`` is True if an open challenge must have a winner; then a refusal is noted, as the loser's words come
    first.

    Raises:
        BlockedError: The game is over, this deck is not the next to be named, or it cannot lie so.
    """
    if uneven:
        challenge.refuse_even(draft)
    if draft.outcome is not None:
        draft.block(ENDS[draft.outcome.key], draft.outcome.because)
    tops = dict(draft.loose)
    if move.to not in tops:
        if draft.due:
            refuse_owed(draft, draft.due[0])
        draft.block(EFFECT, f"p{move.to}'s deck is not the next to be given")
    name_deck(draft, move, tops[move.to])


def _say(draft: Draft, move: moves.Move, uneven: bool) -> None:
    """Carry out a word, except an answer in an open window and a deck that the table names.

    Args:
        draft: The draft of the word.
        move: The word.
        uneven: True if an open challenge must have a winner, so that the words of its loser are due.

    Raises:
        BlockedError: The game is over, or the word cannot have happened.
    """
    if draft.loose:
        leave_unnamed(draft)
    if draft.outcome is not None:
        draft.block(ENDS[draft.outcome.key], draft.outcome.because)
    due, carry = draft.due[0] if draft.due else None, _WORDS.get(type(move))
    if due is None or not _is_said(due, move):
        refuse_untimely(draft, move, due, uneven)
        if carry is None:
            draft.refuse(TURN, f"nothing has been played that p{move.seat} could answer")
        if due is not None:
            _skip_due(draft, move)
        elif type(move) in (moves.End, moves.Use, moves.Challenge):
            lapse(draft)
        draft.finishers = 0
    if draft.due:
        _DUE[draft.due[0].what][0](draft, move, draft.due[0])
    elif carry is not None:
        carry(draft, move)
    elif type(move) not in (moves.Answer, moves.Coin, moves.Die, moves.Rob) and (
        type(move) is not moves.Mill or not draft.mill(move.seat, move.cards)
    ):
        draft.block(TURN, "no such word is due")


def _is_said(due: Due, move: moves.Move) -> bool:
    """Say whether a word is of the kind that is due and of the seat that owes it; how many cards it has does not
    matter.
    """
    return due.seat == move.seat and type(move) in _DUE.get(due.what, ())


def _skip_due(draft: Draft, move: moves.Move) -> None:
    """Note that a word came in the place of due ones.

    If it is due itself later in the same action, the due words before it are skipped; otherwise the action ends. What
    was skipped may still come late.
    """
    at = next((at for at, due in enumerate(draft.due) if _is_said(due, move)), 0)
    if at:
        skip(draft, at)
    else:
        abandon(draft)


_WORDS: dict[type, Callable[[Draft, Any], None]] = {
    moves.Draw: say_draw,
    moves.End: say_end,
    moves.Lay: say_lay,
    moves.Stand: say_stand,
    moves.Rename: say_rename,
    moves.Discard: say_discard,
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
    "show": (challenge.say_show, moves.Show),
    "lose": (challenge.say_lose, moves.Discard),
    "back": (challenge.say_back, moves.PutBack),
}
"""The words that are due, and of what kinds each may be."""
