"""Words an effect asks for: what coin, die and chance say, and what seats then draw, discard, choose or rearrange."""

from cartulary.engine.cards.deck import how_many
from cartulary.engine.slots import UNKNOWN, mixed
from cartulary.engine.tarot_duel.cards import ITSELF, listed
from cartulary.engine.tarot_duel.clauses import EFFECT, IN_AREA
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.dues import advance, serve
from cartulary.engine.tarot_duel.exchanges import swap
from cartulary.engine.tarot_duel.moves import (
    Answer,
    Coin,
    Die,
    Discard,
    Draw,
    Mill,
    Pick,
    Redraw,
    Rob,
    Row,
)
from cartulary.engine.tarot_duel.state import Due, Kind
from cartulary.engine.tarot_duel.zones import MissingError, not_on_top


def _count(draft: Draft, cards: bytes, count: int) -> bool:
    """Refuse a word with another number of cards than is due; say whether it has it."""
    if len(cards) == count:
        return True
    draft.refuse(EFFECT, f"the word has {how_many(len(cards))}, expected {count}")
    return False


# --- chance ---

_OWED_BY_DIE: tuple[Kind, ...] = ("draw", "draw", "discard", "discard", "mill", "mill")


def say_coin(draft: Draft, move: Coin, due: Due) -> None:
    """Carry out the word."""
    user, other = draft.act.doer, due.other
    advance(draft, Due("choose", *((user, other) if move.heads else (other, user))))


def say_die(draft: Draft, move: Die, due: Due) -> None:
    """Carry out the word."""
    seat = draft.act.doer if move.pips % 2 else due.other
    advance(draft, Due(_OWED_BY_DIE[move.pips - 1], seat, 0, 1))


def say_pick(draft: Draft, move: Pick, due: Due) -> None:
    """Carry out the word by which chance picks cards of a hand, which are discarded."""
    _count_picked(draft, move, due)
    draft.put_away(move.whose, move.cards)
    serve(draft)


def say_look(draft: Draft, move: Pick, due: Due) -> None:
    """Carry out the word by which chance shows cards of a hand, which stay there."""
    _count_picked(draft, move, due)
    assert due.use is not None
    draft.spot(move.whose, move.cards, due.use.seat)
    serve(draft)


def _count_picked(draft: Draft, move: Pick, due: Due) -> None:
    if move.whose != due.other:
        draft.refuse(EFFECT, f"the cards are of p{due.other}'s hand")
    else:
        _count(draft, move.cards, due.count)


def say_swap(draft: Draft, move: Pick, due: Due) -> None:
    """Carry out the word by which chance picks the card that is exchanged."""
    use = due.use
    assert use is not None
    assert use.own is not None
    if move.whose != due.other or len(move.cards) != 1:
        draft.block(EFFECT, f"one card of p{due.other}'s hand is due")
    if use.own.place == "a" and move.cards[0] == UNKNOWN:
        draft.block(EFFECT, "a card that comes to an area is seen by all")
    try:
        swap(draft, use, move.cards[0])
    except MissingError as missing:
        draft.miss(missing.misses)
    serve(draft)


# --- seats ---


def say_choice(draft: Draft, move: Draw | Rob, due: Due) -> None:
    """Carry out the word of who chooses by the Fool."""
    if isinstance(move, Draw):
        _count(draft, move.cards, 1)
        draft.draw(move.seat, move.cards)
        serve(draft)
        return
    if move.whose != due.other:
        draft.refuse(EFFECT, f"the card is one of p{due.other}'s hand")
    elif not draft.sides[move.whose - 1].hand:
        draft.refuse(EFFECT, f"p{move.whose}'s hand is empty")
    advance(draft, Due("pick", 0, move.whose, 1))


def say_draw(draft: Draft, move: Draw, due: Due) -> None:
    """Carry out the word."""
    _count(draft, move.cards, min(due.count, len(draft.sides[due.seat - 1].deck)))
    draft.draw(move.seat, move.cards)
    serve(draft)


def say_redraw(draft: Draft, move: Redraw | Discard, due: Due) -> None:
    """Carry out the word that puts the hand on the pile and draws."""
    away, drawn = (move.away, move.drawn) if isinstance(move, Redraw) else (move.cards, b"")
    side = draft.sides[due.seat - 1]
    if _count(draft, away, len(side.hand)):
        _count(draft, drawn, min(len(side.hand), len(side.deck)))
    draft.put_away(move.seat, away)
    draft.draw(move.seat, drawn)
    serve(draft)


def say_mill(draft: Draft, move: Mill, due: Due) -> None:
    """Carry out the word that puts the top of the deck on the pile."""
    _count(draft, move.cards, min(due.count, len(draft.sides[due.seat - 1].deck)))
    if not draft.mill(move.seat, move.cards):
        draft.block(EFFECT, not_on_top(move.seat, move.cards))
    serve(draft)


def say_discard(draft: Draft, move: Discard, due: Due) -> None:
    """Carry out the word."""
    _count(draft, move.cards, due.count)
    draft.put_away(move.seat, move.cards)
    serve(draft)


def say_answer(draft: Draft, move: Answer, due: Due) -> None:
    """Carry out the word of the Hanged Man's victim."""
    rest = draft.due[1:]
    advance(draft, *((Due("pick", 0, due.other, 1), *rest) if move.yes else rest))


def say_row(draft: Draft, move: Row, due: Due) -> None:
    """Carry out the word that rearranges face-down cards."""
    side = draft.side(move.seat)
    if not _count(draft, move.cards, due.count):
        draft.block(EFFECT, "")
    row = _rearranged(draft, side.row, move.cards)
    if row is None:
        draft.block(IN_AREA, f"{listed(move.cards)} are not what lies face down in p{move.seat}'s area")
    side.row, side.peeps = row, (0,) * len(row)
    draft.count(side)
    serve(draft)


def _rearranged(draft: Draft, row: bytes, cards: bytes) -> bytes | None:
    """Return the new row of face-down cards; None where they cannot be it."""
    if sorted(row.translate(ITSELF)) == sorted(cards):
        lying, after = list(row), bytearray()
        for card in cards:
            after.append(next(code for code in lying if ITSELF[code] == card))
            lying.remove(after[-1])
        return bytes(after)
    draft.slots, row = mixed(draft.slots, row)
    entries = bytearray(row)
    for at, card in enumerate(cards):
        code = draft.sight(entries[at], card) if at < len(entries) else None
        if code is None:
            return None
        entries[at] = code
    return bytes(entries)
