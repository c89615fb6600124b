"""A turn: who may speak, the draw it begins with, cards put away over the limit of the hand, and its end."""

from msgspec.structs import replace

from cartulary.engine.numbers import how_many
from cartulary.engine.tarot_duel.challenge_winner import refuse_even
from cartulary.engine.tarot_duel.clauses import DRAW_ONE, EFFECT, HAND_LIMIT, TURN
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.dues import refuse_owed
from cartulary.engine.tarot_duel.ends import at_the_limit, end
from cartulary.engine.tarot_duel.moves import Discard, Draw, End, Move, Nullify, Use
from cartulary.engine.tarot_duel.reaction import refuse_reaction
from cartulary.engine.tarot_duel.state import DRAWN, MOST_HELD, Due


def say_draw(draft: Draft, move: Draw) -> None:
    """Carry out the word."""
    if draft.flags & DRAWN:
        draft.refuse(DRAW_ONE, f"p{draft.turn} has drawn already in this turn")
    elif len(move.cards) != 1:
        draft.refuse(DRAW_ONE, f"p{draft.turn} draws {len(move.cards)} cards at the start of its turn, expected one")
    draft.draw(move.seat, move.cards, DRAW_ONE)
    if move.seat == draft.turn:
        draft.flags |= DRAWN


def say_end(draft: Draft, move: End) -> None:
    """Carry out the word."""
    size = len(draft.sides[move.seat - 1].hand)
    if size > MOST_HELD:
        draft.refuse(HAND_LIMIT, f"p{move.seat}'s hand has {size} cards")
    if move.seat == draft.turn:
        pass_turn(draft)


def say_discard(draft: Draft, move: Discard) -> None:
    """Carry out the word that puts cards away over the limit of the hand."""
    size = len(draft.sides[move.seat - 1].hand)
    if size - len(move.cards) < MOST_HELD:
        over = f"only {size - MOST_HELD} over the limit" if size > MOST_HELD else "none over the limit"
        draft.refuse(HAND_LIMIT, f"p{move.seat}'s hand has {how_many(size)}, {over}")
    draft.put_away(move.seat, move.cards)


def pass_turn(draft: Draft) -> None:
    """Let the next seat take its turn whose deck is not empty, or the game be over."""
    draft.turns += 1
    draft.flags, draft.since = 0, draft.ply
    if draft.turns >= draft.house.turns:
        at_the_limit(draft)
        return
    marks, seats, seat = draft.marks, draft.house.seats, draft.turn
    out, missed = marks.out, marks.missed
    while out.bit_count() < seats - 1:
        seat = seat % seats + 1
        if not out >> seat & 1:
            if draft.sides[seat - 1].deck:
                draft.turn = seat
                if missed > marks.missed:
                    draft.marks = replace(marks, out=out, missed=missed)
                return
            out |= 1 << seat
        missed += 1
    draft.marks = replace(marks, out=out)
    survivor = next(seat for seat in draft.around(1) if draft.marks.is_in(seat))
    end(draft, (survivor,), DRAW_ONE, f"p{survivor} is the last seat left")


def refuse_untimely(draft: Draft, move: Move, due: Due | None, uneven: bool) -> None:
    """Refuse a word that is said at the wrong time, in the place of the one that is due if there is one.

    uneven: an open challenge cannot have been won by nobody, so the words of who lost are due
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
