"""What each Major does once no Temperance has stopped it: at once, and by the words that chance and seats then owe.

The Empress and the Emperor are copies of any card of their seat's deck, and may be renamed in the area.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from cartulary.engine.contract import Need, Open
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import SLOT, UNKNOWN, holds, mix, recode
from cartulary.engine.tarot_duel import moves
from cartulary.engine.tarot_duel.cards import (
    COPIES,
    COUNTS_AS,
    EMPEROR,
    ITSELF,
    NAMES,
    blank,
    known_deck,
    listed,
    standing,
)
from cartulary.engine.tarot_duel.clauses import EFFECT, IN_AREA
from cartulary.engine.tarot_duel.draft import Draft, MissingError, Removal, not_on_top
from cartulary.engine.tarot_duel.dues import advance, aim, serve
from cartulary.engine.tarot_duel.moves import Rename
from cartulary.engine.tarot_duel.shuffles import renew, shuffle
from cartulary.engine.tarot_duel.state import EVERYBODY, Due, Kind, Options, Unseen
from cartulary.engine.tarot_duel.targets import exchange, swap

# --- the Empress and the Emperor ---


def ask_copy(draft: Draft, seat: int, card: int, name: int) -> str:
    """Say why a card is no copy of another; empty where it is, or is none of the two that stand for others.

    Asked, and remembered, is whether it is one if only unknown cards of the deck can be it.
    """
    if card not in COPIES:
        return ""
    if name in COPIES:
        return f"{NAMES[card]} cannot stand for {NAMES[name]}"
    answer = is_copy(draft.options, draft.unseen, seat, name)
    if answer is None and not draft.refusals:
        draft.ask(EFFECT, Open((Need(f"p{seat}'s deck", (name,), draft.ply),)))
        copies = (*draft.unseen.named, (draft.ply, seat, name))
        draft.unseen = replace(draft.unseen, named=copies)
    return f"Deck{seat} has no {NAMES[name]}, so {NAMES[card]} cannot stand for it" if answer is False else ""


def is_copy(options: Options, unseen: Unseen, seat: int, name: int) -> bool | None:
    """Say whether a seat's deck has the card that a copy stands for; None while only its unknown cards can be it."""
    doubted = unseen.doubt >> seat & 1
    deck = options.decks[seat - 1] if doubted else known_deck(options, unseen.found[seat - 1], seat)
    return True if name in deck else None if blank(seat) in deck else False


def say_rename(draft: Draft, move: Rename) -> None:
    """Carry out the word that names another card the Empress in the area stands for."""
    old = _renamed(draft, move.seat, move.card, move.name)
    if move.card == EMPEROR:
        wrong = f"{NAMES[EMPEROR]} never changes the card it stands for in an area"
    elif old == move.name:
        wrong = f"{NAMES[move.card]} stands for {NAMES[move.name]} already"
    else:
        wrong = ask_copy(draft, move.seat, move.card, move.name)
    if wrong:
        draft.refuse(EFFECT, wrong)
    aim(draft)


def _renamed(draft: Draft, seat: int, card: int, name: int) -> int:
    """Let a copy in an area stand for ``name`` and return what it stood for; block where none can lie there.

    Of several one that stood for something else is renamed, a face-up one first.
    """
    side, code = draft.side(seat), standing(card, name)
    copies = [(zone, at) for zone in ("area", "row") for at in _copies(getattr(side, zone), card)]
    slots = [(slot, old) for slot in sorted(set(side.row)) for old in holds(draft.slots, slot) if ITSELF[old] == card]
    olds = [getattr(side, zone)[at] for zone, at in copies] + [old for _, old in slots]
    if not olds:
        draft.block(IN_AREA, f"{NAMES[card]} does not lie in p{seat}'s area")
    choice = next((at for at, old in enumerate(olds) if COUNTS_AS[old] != name), 0)
    if choice < len(copies):
        zone, at = copies[choice]
        entries = getattr(side, zone)
        setattr(side, zone, entries[:at] + bytes((code,)) + entries[at + 1 :])
    else:
        slot, old = slots[choice - len(copies)]
        draft.slots = recode(draft.slots, draft.slots.kinds[slot - SLOT].pool, old, code)
    draft.count(side)
    return int(COUNTS_AS[olds[choice]])


def _copies(zone: bytes, card: int) -> Iterator[int]:
    return (at for at, code in enumerate(zone) if ITSELF[code] == card)


# --- every Major ---


Effect: TypeAlias = Callable[[Draft, moves.Use, list[Removal]], Sequence[Due] | None]


def take_effect(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """Begin a Major's effect with the cards its word names, which are taken; return the words it needs."""
    return _EFFECTS[moves.acting(use)](draft, use, cards) or ()


def _hand_size(draft: Draft, seat: int) -> int:
    return len(draft.sides[seat - 1].hand)


def _fool(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    return (Due("coin", 0, use.target),)


def _magician(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    side = draft.side(use.seat)
    count = len(side.hand)
    side.deck, side.hand, side.eyes = side.deck + side.hand, b"", ()
    shuffle(draft, use.seat)
    return (Due("draw", use.seat, 0, count),)


def _priestess(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    count = _hand_size(draft, use.seat)
    return (Due("redraw", use.seat, 0, count),) if count else ()


def _hierophant(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    side = draft.side(use.seat)
    side.deck, side.tops = bytes((cards[0][0],)) + side.deck, (EVERYBODY, *side.tops)


def _lovers_or_hermit(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    assert use.other is not None
    if moves.acting(use) == moves.LOVERS and use.other.place == "h":
        return (Due("swap", 0, use.target, 1, use=use),)
    exchange(draft, use, use.other, cards)
    return ()


def _chariot(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    draft.give(use.seat, cards[0][0], EVERYBODY)
    shuffle(draft, use.seat)


def _strength(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    draft.mark(strong=draft.marks.strong | 1 << use.seat)


def _wheel(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    return (Due("die", 0, use.target),)


def _justice(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    ready = draft.marks.ready
    mine = ready[use.seat - 1] + bytes((use.card,))
    draft.mark(ready=(*ready[: use.seat - 1], mine, *ready[use.seat :]))
    table = tuple(entry for entry in draft.act.table if entry != (use.seat, use.card))
    draft.act = replace(draft.act, table=table)


def _hanged(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    return Due("pick", 0, use.target, 1), Due("answer", use.target, use.seat)


def _death(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    around = (seat for seat in draft.around(use.seat) if draft.marks.is_in(seat))
    return [Due("discard", seat, 0, _hand_size(draft, seat)) for seat in around]


def _devil(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    count = use.count or 0
    return Due("pick", 0, use.target, count), Due("mill", use.seat, 0, 2 * count)


def _tower(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    draft.side(use.seat).deck += bytes(code for code, *_ in cards)
    shuffle(draft, use.seat)


def _star(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    return (Due("look", 0, use.target, (_hand_size(draft, use.target) + 1) // 2, use=use),)


def _moon(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    side = draft.side(use.seat)
    side.row += bytes(code for code, *_ in cards)
    side.peeps += (EVERYBODY,) * len(cards)
    draft.count(side)
    count = len(side.row)
    return (Due("row", use.seat, 0, count),) if count > 1 else ()


def _sun(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    side = draft.side(use.target)
    side.peeps = tuple(eyes | 1 << use.seat for eyes in side.peeps)
    side.total |= 1 << use.seat


def _challenge(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    return (Due("stakes", use.seat, use.target, use=use),)


_EFFECTS: dict[int, Effect] = {
    1: _fool,
    2: _magician,
    3: _priestess,
    6: _hierophant,
    7: _lovers_or_hermit,
    8: _chariot,
    9: _strength,
    10: _lovers_or_hermit,
    11: _wheel,
    12: _justice,
    13: _hanged,
    14: _death,
    16: _devil,
    17: _tower,
    18: _star,
    19: _moon,
    20: _sun,
    22: renew,
    moves.AGAIN_CHALLENGE: _challenge,
}


# --- the words effects ask for ---


def _count(draft: Draft, cards: bytes, count: int) -> bool:
    """Refuse a word with another number of cards than is due; say whether it has it."""
    if len(cards) == count:
        return True
    draft.refuse(EFFECT, f"the word has {how_many(len(cards))}, expected {count}")
    return False


# --- chance ---

_OWED_BY_DIE: tuple[Kind, ...] = ("draw", "draw", "discard", "discard", "mill", "mill")


def say_coin(draft: Draft, move: moves.Coin, due: Due) -> None:
    """Carry out the word that says how a coin fell."""
    user, opponent = draft.act.doer, due.other
    advance(draft, Due("choose", *((user, opponent) if move.heads else (opponent, user))))


def say_die(draft: Draft, move: moves.Die, due: Due) -> None:
    """Carry out the word that says how a die fell."""
    seat = draft.act.doer if move.pips % 2 else due.other
    advance(draft, Due(_OWED_BY_DIE[move.pips - 1], seat, 0, 1))


def say_pick(draft: Draft, move: moves.Pick, due: Due) -> None:
    """Carry out the word by which chance picks cards of a hand, which are discarded."""
    _count_picked(draft, move, due)
    draft.put_away(move.whose, move.cards)
    serve(draft)


def say_look(draft: Draft, move: moves.Pick, due: Due) -> None:
    """Carry out the word by which chance shows cards of a hand, which stay there."""
    _count_picked(draft, move, due)
    assert due.use is not None
    draft.spot(move.whose, move.cards, due.use.seat)
    serve(draft)


def _count_picked(draft: Draft, move: moves.Pick, due: Due) -> None:
    if move.whose != due.other:
        draft.refuse(EFFECT, f"the cards must come from p{due.other}'s hand")
    else:
        _count(draft, move.cards, due.count)


def say_swap(draft: Draft, move: moves.Pick, due: Due) -> None:
    """Carry out the word by which chance picks the card that is exchanged."""
    use = due.use
    assert use is not None
    assert use.own is not None
    if move.whose != due.other or len(move.cards) != 1:
        draft.block(EFFECT, f"one card of p{due.other}'s hand must be named")
    if use.own.place == "a" and move.cards[0] == UNKNOWN:
        draft.block(EFFECT, "a card that goes to an area is seen by everybody, so it must be named")
    try:
        swap(draft, use, move.cards[0])
    except MissingError as missing:
        draft.miss(missing.misses)
    serve(draft)


# --- seats ---


def say_choice(draft: Draft, move: moves.Draw | moves.Rob, due: Due) -> None:
    """Carry out the word of who chooses by the Fool."""
    if isinstance(move, moves.Draw):
        _count(draft, move.cards, 1)
        draft.draw(move.seat, move.cards)
        serve(draft)
        return
    if move.whose != due.other:
        draft.refuse(EFFECT, f"the card must come from p{due.other}'s hand")
    elif not draft.sides[move.whose - 1].hand:
        draft.refuse(EFFECT, f"p{move.whose}'s hand is empty")
    advance(draft, Due("pick", 0, move.whose, 1))


def say_draw(draft: Draft, move: moves.Draw, due: Due) -> None:
    """Carry out a draw that an effect owes."""
    _count(draft, move.cards, min(due.count, len(draft.sides[due.seat - 1].deck)))
    draft.draw(move.seat, move.cards)
    serve(draft)


def say_redraw(draft: Draft, move: moves.Redraw | moves.Discard, due: Due) -> None:
    """Carry out the word that puts the hand on the pile and draws."""
    away, top = (move.away, move.drawn) if isinstance(move, moves.Redraw) else (move.cards, b"")
    side = draft.sides[due.seat - 1]
    if _count(draft, away, len(side.hand)):
        _count(draft, top, min(len(side.hand), len(side.deck)))
    draft.put_away(move.seat, away)
    draft.draw(move.seat, top)
    serve(draft)


def say_mill(draft: Draft, move: moves.Mill, due: Due) -> None:
    """Carry out the word that puts the top of the deck on the pile."""
    _count(draft, move.cards, min(due.count, len(draft.sides[due.seat - 1].deck)))
    if not draft.mill(move.seat, move.cards):
        draft.block(EFFECT, not_on_top(move.seat, move.cards))
    serve(draft)


def say_discard(draft: Draft, move: moves.Discard, due: Due) -> None:
    """Carry out a discard that an effect owes."""
    _count(draft, move.cards, due.count)
    draft.put_away(move.seat, move.cards)
    serve(draft)


def say_answer(draft: Draft, move: moves.Answer, due: Due) -> None:
    """Carry out the word of the Hanged Man's victim."""
    rest = draft.due[1:]
    advance(draft, *((Due("pick", 0, due.other, 1), *rest) if move.yes else rest))


def say_row(draft: Draft, move: moves.Row, due: Due) -> None:
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
    draft.slots, row = mix(draft.slots, row)
    entries = draft.as_told(row, cards)
    return None if isinstance(entries, int) else entries
