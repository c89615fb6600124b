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
from cartulary.engine.tarot_duel.dues import advance, check_win, serve
from cartulary.engine.tarot_duel.moves import Rename
from cartulary.engine.tarot_duel.shuffles import renew, shuffle
from cartulary.engine.tarot_duel.state import EVERYBODY, Due, Kind, Options, Unseen
from cartulary.engine.tarot_duel.targets import exchange, swap

# --- the Empress and the Emperor ---


def ask_copy(draft: Draft, seat: int, card: int, name: int) -> str:
    """Return why the Empress or Emperor cannot stand for a card, as a sentence; "" if it can, or if it is another card.

    If only unknown cards of the deck can be that card, an open question is noted on the draft, unless it has a refusal.

    Args:
        draft: The draft of the word.
        seat: The seat whose deck must have the card.
        card: The card that is to stand for another; any but the Empress and the Emperor is answered with "".
        name: The code of the card it is to stand for.
    """
    if card not in COPIES:
        return ""
    if name in COPIES:
        return f"{NAMES[card]} cannot stand for {NAMES[name]}"
    answer = is_copy(draft.options, draft.unseen, seat, name)
    if answer is None and not draft.refusals:
        draft.ask(EFFECT, Open((Need(f"p{seat}'s deck", (name,), draft.ply),)))
        copies = (*draft.unseen.copies, (draft.ply, seat, name))
        draft.unseen = replace(draft.unseen, copies=copies)
    return f"Deck{seat} has no {NAMES[name]}, so {NAMES[card]} cannot stand for it" if answer is False else ""


def is_copy(options: Options, unseen: Unseen, seat: int, name: int) -> bool | None:
    """Say whether a seat's deck has the card ``name``, which a copy (the Empress or the Emperor) stands for.

    None if no known card of the deck is it, but an unknown one may be. Cards that came to light count as the deck's,
    unless they may be another seat's.
    """
    doubted = unseen.doubt >> seat & 1
    deck = options.decks[seat - 1] if doubted else known_deck(options, unseen.revealed_cards[seat - 1], seat)
    return True if name in deck else None if blank(seat) in deck else False


def say_rename(draft: Draft, move: Rename) -> None:
    """Carry out the word that names another card for which the Empress in the area stands; it may win the game.

    A wrong one is noted as a refusal, and she stands for the card all the same.

    Raises:
        BlockedError: No such card can lie in the area.
    """
    old = _rename_copy(draft, move.seat, move.card, move.name)
    if move.card == EMPEROR:
        wrong = f"{NAMES[EMPEROR]} never changes the card it stands for in an area"
    elif old == move.name:
        wrong = f"{NAMES[move.card]} stands for {NAMES[move.name]} already"
    else:
        wrong = ask_copy(draft, move.seat, move.card, move.name)
    if wrong:
        draft.refuse(EFFECT, wrong)
    check_win(draft)


def _rename_copy(draft: Draft, seat: int, card: int, name: int) -> int:
    """Let a copy in an area stand for another card, and return the card it stood for.

    Of several copies, one that stood for another card is renamed, a face-up one first.

    Raises:
        BlockedError: No such copy can lie there.
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
    """Yield the indices in a zone at which ``card``, the Empress or the Emperor, lies, whatever card it stands for
    there.
    """
    return (at for at, code in enumerate(zone) if ITSELF[code] == card)


# --- every Major ---


Effect: TypeAlias = Callable[[Draft, moves.Use, list[Removal]], Sequence[Due] | None]
"""Begins what a Major does on the draft, and returns the words that are then due, in order; None or empty for none."""


def take_effect(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """Begin a Major's effect.

    Args:
        draft: The draft, which changes.
        use: The word that activates it.
        cards: The cards that the word names, taken from where they lay.

    Returns:
        The words that are due for the effect, in order.
    """
    return _EFFECTS[moves.acting(use)](draft, use, cards) or ()


def _hand_size(draft: Draft, seat: int) -> int:
    """Return how many cards a seat's hand has, unknown ones among them."""
    return len(draft.sides[seat - 1].hand)


def _fool(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T01, the Fool: a toss of the coin by the table is due, which decides who chooses a draw or a loss of
    the other.
    """
    return (Due("coin", 0, use.target),)


def _magician(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T02, the Magician: the user's hand is shuffled into the deck, and a draw of as many cards is due."""
    side = draft.side(use.seat)
    count = len(side.hand)
    side.deck, side.hand, side.eyes = side.deck + side.hand, b"", ()
    shuffle(draft, use.seat)
    return (Due("draw", use.seat, 0, count),)


def _priestess(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T03, the High Priestess: one word is due that discards the hand and draws as many cards; none if the hand is
    empty.
    """
    count = _hand_size(draft, use.seat)
    return (Due("redraw", use.seat, 0, count),) if count else ()


def _hierophant(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    """T06, the Hierophant: the card taken from the discard pile comes on top of the user's deck, known to all. No word
    is due.
    """
    side = draft.side(use.seat)
    side.deck, side.tops = bytes((cards[0][0],)) + side.deck, (EVERYBODY, *side.tops)


def _lovers_or_hermit(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T07 and T10, the Lovers and the Hermit: two cards change places.

    If the Lovers are played for a card in a hand, a pick of it by chance is due first; otherwise the cards are
    exchanged at once and no word is due.
    """
    assert use.other is not None
    if moves.acting(use) == moves.LOVERS and use.other.place == "h":
        return (Due("swap", 0, use.target, 1, use=use),)
    exchange(draft, use, use.other, cards)
    return ()


def _chariot(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    """T08, the Chariot: the card taken from the deck comes into the hand, known to all, and the deck is shuffled. No
    word is due.
    """
    draft.give(use.seat, cards[0][0], EVERYBODY)
    shuffle(draft, use.seat)


def _strength(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    """T09, Strength: the seat is marked to win its next challenge (``Marks.strong``). No word is due."""
    draft.mark(strong=draft.marks.strong | 1 << use.seat)


def _wheel(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T11, the Wheel: a roll of the die by the table is due, which decides who draws, discards or mills one card."""
    return (Due("die", 0, use.target),)


def _justice(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    """T12, Justice: the card leaves the table and lies ready for a later reaction (``Marks.ready``). No word is due."""
    ready = draft.marks.ready
    mine = ready[use.seat - 1] + bytes((use.card,))
    draft.mark(ready=(*ready[: use.seat - 1], mine, *ready[use.seat :]))
    table = tuple(entry for entry in draft.act.table if entry != (use.seat, use.card))
    draft.act = replace(draft.act, table=table)


def _hanged(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T13, the Hanged Man: a pick of a card of the victim's hand is due.

    After it the victim is to answer whether the user loses a card too.
    """
    return Due("pick", 0, use.target, 1), Due("answer", use.target, use.seat)


def _death(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T14, Death: a discard of the whole hand is due from every seat that is in the game, the user first, then in order
    of turns.
    """
    around = (seat for seat in draft.around(use.seat) if draft.marks.is_in(seat))
    return [Due("discard", seat, 0, _hand_size(draft, seat)) for seat in around]


def _devil(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T16, the Devil: a pick of ``use.count`` cards of the victim's hand is due, then a mill of twice as many by the
    user.
    """
    count = use.count or 0
    return Due("pick", 0, use.target, count), Due("mill", use.seat, 0, 2 * count)


def _tower(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    """T17, the Tower: the suit cards taken from the discard pile are shuffled into the user's deck. No word is due."""
    draft.side(use.seat).deck += bytes(code for code, *_ in cards)
    shuffle(draft, use.seat)


def _star(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T18, the Star: a pick by chance of half of the victim's hand, rounded up, is due, at which the user looks."""
    return (Due("look", 0, use.target, (_hand_size(draft, use.target) + 1) // 2, use=use),)


def _moon(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T19, the Moon: the cards taken from the user's area are laid face down, still known to all.

    If more than one card lies face down then, a word is due by which the user orders them unseen; else none is.
    """
    side = draft.side(use.seat)
    side.row += bytes(code for code, *_ in cards)
    side.peeps += (EVERYBODY,) * len(cards)
    draft.count(side)
    count = len(side.row)
    return (Due("row", use.seat, 0, count),) if count > 1 else ()


def _sun(draft: Draft, use: moves.Use, cards: list[Removal]) -> None:
    """T20, the Sun: from now on the user knows the face-down cards of the victim, and where each lies. No
    word is due.
    """
    side = draft.side(use.target)
    side.peeps = tuple(eyes | 1 << use.seat for eyes in side.peeps)
    side.total |= 1 << use.seat


def _challenge(draft: Draft, use: moves.Use, cards: list[Removal]) -> Sequence[Due]:
    """T21, Judgment, on a challenge: the word that sets down the stakes of the challenge it repeats is due."""
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


def _check_count(draft: Draft, cards: bytes, count: int) -> bool:
    """Say whether a word names as many cards as ``count``; if not, a refusal is noted on the draft, and the word may
    stand.
    """
    if len(cards) == count:
        return True
    draft.refuse(EFFECT, f"the word has {how_many(len(cards))}, expected {count}")
    return False


# --- chance ---

_OWED_BY_DIE: tuple[Kind, ...] = ("draw", "draw", "discard", "discard", "mill", "mill")


def say_coin(draft: Draft, move: moves.Coin, due: Due) -> None:
    """Carry out the word that says how a coin fell, for the Fool.

    On heads the user is to choose next, on tails the opponent (``due.other``). ``due`` is the due word that this one
    answers, as in all functions here.
    """
    user, opponent = draft.act.doer, due.other
    advance(draft, Due("choose", *((user, opponent) if move.heads else (opponent, user))))


def say_die(draft: Draft, move: moves.Die, due: Due) -> None:
    """Carry out the word that says how a die fell: what one seat must do with one card is due next.

    Odd pips affect the user, even ones the opponent; 1 and 2 draw, 3 and 4 discard, 5 and 6 mill.
    """
    seat = draft.act.doer if move.pips % 2 else due.other
    advance(draft, Due(_OWED_BY_DIE[move.pips - 1], seat, 0, 1))


def say_pick(draft: Draft, move: moves.Pick, due: Due) -> None:
    """Carry out the word by which chance picks cards of a hand, which are discarded.

    A pick from another hand, or of another number of cards, is noted as a refusal and carried out all the same.

    Raises:
        BlockedError: A card cannot be in the hand.
    """
    _check_pick(draft, move, due)
    draft.discard_from_hand(move.victim, move.cards)
    serve(draft)


def say_look(draft: Draft, move: moves.Pick, due: Due) -> None:
    """Carry out the word by which chance picks cards of a hand, at which the user of the Star looks; they stay there.

    A pick from another hand, or of another number of cards, is noted as a refusal and carried out all the same.

    Raises:
        BlockedError: A card cannot be in the hand.
    """
    _check_pick(draft, move, due)
    assert due.use is not None
    draft.note_sight(move.victim, move.cards, due.use.seat)
    serve(draft)


def _check_pick(draft: Draft, move: moves.Pick, due: Due) -> None:
    """Note the refusal of a pick from another hand than is due, or else of another number of cards; the word
    may stand.
    """
    if move.victim != due.other:
        draft.refuse(EFFECT, f"the cards must come from p{due.other}'s hand")
    else:
        _check_count(draft, move.cards, due.count)


def say_swap(draft: Draft, move: moves.Pick, due: Due) -> None:
    """Carry out the word by which chance picks the card that is exchanged.

    Raises:
        BlockedError: It is not one card of the right hand, a card that all will see is not named, or the card that the
            user gives does not lie any more where the word of the Lovers says.
    """
    use = due.use
    assert use is not None
    assert use.own is not None
    if move.victim != due.other or len(move.cards) != 1:
        draft.block(EFFECT, f"one card of p{due.other}'s hand must be named")
    if use.own.place == "a" and move.cards[0] == UNKNOWN:
        draft.block(EFFECT, "a card that goes to an area is seen by everybody, so it must be named")
    try:
        swap(draft, use, move.cards[0])
    except MissingError as missing:
        draft.block_missing(missing.misses)
    serve(draft)


# --- seats ---


def say_choice(draft: Draft, move: moves.Draw | moves.Rob, due: Due) -> None:
    """Carry out the choice of the seat that the Fool's coin favours: to draw a card, or to have the other lose one.

    After the second a pick of the card by chance is due. Another hand, or another number of cards, is noted as a
    refusal.

    Raises:
        BlockedError: The card drawn cannot be the top of the deck.
    """
    if isinstance(move, moves.Draw):
        _check_count(draft, move.cards, 1)
        draft.draw(move.seat, move.cards)
        serve(draft)
        return
    if move.victim != due.other:
        draft.refuse(EFFECT, f"the card must come from p{due.other}'s hand")
    elif not draft.sides[move.victim - 1].hand:
        draft.refuse(EFFECT, f"p{move.victim}'s hand is empty")
    advance(draft, Due("pick", 0, move.victim, 1))


def say_draw(draft: Draft, move: moves.Draw, due: Due) -> None:
    """Carry out a draw that an effect owes; a wrong number of cards is noted as a refusal, and they are drawn all the
    same.

    As many are right as are due, or all that the deck has.

    Raises:
        BlockedError: The cards cannot be the top of the deck.
    """
    _check_count(draft, move.cards, min(due.count, len(draft.sides[due.seat - 1].deck)))
    draft.draw(move.seat, move.cards)
    serve(draft)


def say_redraw(draft: Draft, move: moves.Redraw | moves.Discard, due: Due) -> None:
    """Carry out the word that discards the hand and draws as many cards, or as many as the deck has.

    Wrong numbers are noted as a refusal, and the cards named are discarded and drawn all the same. A plain discard is
    such a word with no draw.

    Raises:
        BlockedError: A card cannot be in the hand, or the cards drawn cannot be the top of the deck.
    """
    away, top = (move.away, move.new_cards) if isinstance(move, moves.Redraw) else (move.cards, b"")
    side = draft.sides[due.seat - 1]
    if _check_count(draft, away, len(side.hand)):
        _check_count(draft, top, min(len(side.hand), len(side.deck)))
    draft.discard_from_hand(move.seat, away)
    draft.draw(move.seat, top)
    serve(draft)


def say_mill(draft: Draft, move: moves.Mill, due: Due) -> None:
    """Carry out the word that discards the top of the user's deck; a wrong number of cards is noted as a refusal.

    As many are right as are due, or all that the deck has.

    Raises:
        BlockedError: The cards cannot be the top of the deck.
    """
    _check_count(draft, move.cards, min(due.count, len(draft.sides[due.seat - 1].deck)))
    if not draft.mill(move.seat, move.cards):
        draft.block(EFFECT, not_on_top(move.seat, move.cards))
    serve(draft)


def say_discard(draft: Draft, move: moves.Discard, due: Due) -> None:
    """Carry out a discard that an effect owes; a wrong number of cards is noted as a refusal, and they are discarded.

    Raises:
        BlockedError: A card cannot be in the hand.
    """
    _check_count(draft, move.cards, due.count)
    draft.discard_from_hand(move.seat, move.cards)
    serve(draft)


def say_answer(draft: Draft, move: moves.Answer, due: Due) -> None:
    """Carry out the answer of the Hanged Man's victim.

    After a yes, a pick of one card from the user's hand is due next, unless that hand is empty; after a no, nothing
    more.
    """
    rest = draft.due[1:]
    advance(draft, *((Due("pick", 0, due.other, 1), *rest) if move.yes else rest))


def say_row(draft: Draft, move: moves.Row, due: Due) -> None:
    """Carry out the word by which a seat lays its face-down cards in a new order, which nobody else sees.

    Raises:
        BlockedError: They are too many or too few, or not the cards that lie face down.
    """
    side = draft.side(move.seat)
    if not _check_count(draft, move.cards, due.count):
        draft.block(EFFECT, "")
    row = _rearrange(draft, side.row, move.cards)
    if row is None:
        draft.block(IN_AREA, f"{listed(move.cards)} are not what lies face down in p{move.seat}'s area")
    side.row, side.peeps = row, (0,) * len(row)
    draft.count(side)
    serve(draft)


def _rearrange(draft: Draft, row: bytes, cards: bytes) -> bytes | None:
    """Return the codes of a row of face-down cards in the order of a word; None if they cannot be these cards.

    Where the word does not name just the cards on record, the row is mixed and the cards named are looked for in it, so
    the draft's slots change.
    """
    if sorted(row.translate(ITSELF)) == sorted(cards):
        lying, after = list(row), bytearray()
        for card in cards:
            after.append(next(code for code in lying if ITSELF[code] == card))
            lying.remove(after[-1])
        return bytes(after)
    draft.slots, row = mix(draft.slots, row)
    entries = draft.as_told(row, cards)
    return None if isinstance(entries, int) else entries
