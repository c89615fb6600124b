"""A turn: the draw it begins with, cards laid in the area or put away over the limit, copies named, and its end."""

from cartulary.engine.cards.deck import how_many
from cartulary.engine.tarot_duel.cards import COPIES, EMPEROR, MAJOR, NAMES, standing
from cartulary.engine.tarot_duel.clauses import DRAW_ONE, EFFECT, HAND_LIMIT, LAY_DOWN
from cartulary.engine.tarot_duel.copies import ask_copy
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.ends import aim, pass_turn
from cartulary.engine.tarot_duel.moves import Discard, Draw, End, Lay, Rename, Stand
from cartulary.engine.tarot_duel.state import DRAWN, MOST_HELD


def say_draw(draft: Draft, move: Draw) -> None:
    """Carry out the word."""
    if draft.flags & DRAWN:
        draft.refuse(DRAW_ONE, f"p{draft.turn} has drawn already in this turn")
    elif len(move.cards) != 1:
        draft.refuse(DRAW_ONE, f"p{draft.turn} draws {len(move.cards)} cards at the start of its turn")
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


# --- the area ---


def say_lay(draft: Draft, move: Lay) -> None:
    """Carry out the word."""
    if max(move.cards) >= MAJOR:
        wrong = next(card for card in move.cards if card >= MAJOR)
        draft.refuse(LAY_DOWN, f"{NAMES[wrong]} is a Major, and only suit cards are laid in an area")
    draft.from_hand(move.seat, move.cards)
    draft.lay(move.seat, move.cards)
    aim(draft)


def say_stand(draft: Draft, move: Stand) -> None:
    """Carry out the word that lays the Empress or the Emperor, standing for a card."""
    if move.card not in COPIES:
        draft.refuse(LAY_DOWN, f"{NAMES[move.card]} stands for no other card")
    elif move.name >= MAJOR:
        draft.refuse(LAY_DOWN, f"{NAMES[move.name]} is a Major, and none is laid in an area")
    wrong = ask_copy(draft, move.seat, move.card, move.name)
    draft.from_hand(move.seat, bytes((move.card,)))
    if wrong:
        draft.refuse(EFFECT, wrong)
    code = standing(move.card, move.name) if move.name < MAJOR else move.card
    draft.lay(move.seat, bytes((code,)))
    aim(draft)


def say_rename(draft: Draft, move: Rename) -> None:
    """Carry out the word that names another card the Empress in the area stands for."""
    old = draft.rename(move.seat, move.card, move.name)
    if move.card == EMPEROR:
        wrong = f"{NAMES[EMPEROR]} stands for one card and never for another"
    elif old == move.name:
        wrong = f"{NAMES[move.card]} stands for {NAMES[move.name]} already"
    else:
        wrong = ask_copy(draft, move.seat, move.card, move.name)
    if wrong:
        draft.refuse(EFFECT, wrong)
    aim(draft)
