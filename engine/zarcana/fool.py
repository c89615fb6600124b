"""Cards that are not what they seem: named as others, turned up by the Fool, laid face down by the Wheel of Fortune.

Using a power may turn up cards, and turning up a card asks whether it can be used: ``use`` is handed in.
"""

from collections.abc import Callable
from typing import TypeAlias

from cartulary.engine.cards.deck import cards_of, set_of
from cartulary.engine.cards.draft import BlockedError
from cartulary.engine.slots import UNKNOWN, holds, is_slot, possible
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import (
    COPIES,
    DOPPELGANGER,
    EVIL_EYE,
    HIGH_PRIESTESS,
    MAGICIAN,
    POWER_OF,
    STAR,
    SUIT_NAME,
    WORLD,
    is_royal,
    is_trump,
    name_of,
)
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft, assume_cards, set_card_apart
from cartulary.engine.zarcana.hands import available, discard, take_off_deck
from cartulary.engine.zarcana.moves import (
    BOARD,
    DECK,
    HAND,
    TURNED,
    DrawnCards,
    Flip,
    HitPlace,
    Part,
    Play,
    Reveal,
    place_name,
)
from cartulary.engine.zarcana.sample_uses import top_trumps, uses
from cartulary.engine.zarcana.state import CODE, DOWN, State

# --- what a card is named as ---


PLAIN = tuple(-1 if card in COPIES else power for card, power in enumerate(POWER_OF))
"""By card, the power it has without a name; -1 for a copy."""


def final_power(draft: Draft, play: Play, card: int) -> int:
    """Return the power that a play has once all its names are followed; wrong names are noted as refusals on the draft.

    Args:
        draft: The draft of the word.
        play: The play; T21 named T01 named S has the power of swords.
        card: The card that is used, -1 if it is not known.

    Returns:
        The power (``POWER_OF``), -1 if it is not known.
    """
    names = play.names
    if not names and 0 <= card < len(PLAIN) and PLAIN[card] >= 0:
        return PLAIN[card]
    if card < 0 or is_slot(card) or card == UNKNOWN:
        return -1
    wild = play.origin in (HAND, DECK)
    if not wild:
        _refuse_names(draft, card, names)
    for behind, name in enumerate((*names, -1), 1):
        if card == MAGICIAN:
            if name < SUIT_NAME:
                draft.refuse(clauses.MAGICIAN, "T01 must be named as one of the suits")
        elif card == WORLD:
            _judge_world(draft, name)
        elif name >= 0 and is_royal(card):
            if not wild or name < SUIT_NAME:
                because = f"{name_of(card)} can be named only as a suit, not as {name_of(name)}"
                only = f"{name_of(card)} can be used as any suit only from the hand"
                draft.refuse(clauses.ROYALTY, because if wild else only)
        elif card == DOPPELGANGER:
            _judge_doppelganger(draft, name)
        elif name >= 0:
            _refuse_name(draft, card, name)
        if name < 0:
            return PLAIN[card]
        if name >= SUIT_NAME:
            if behind < len(names):
                _refuse_name(draft, name, names[behind])
            return name - SUIT_NAME
        card = name
    return -1


def _refuse_names(draft: Draft, card: int, names: tuple[int, ...]) -> None:
    """Note on the draft the refusal of each name that follows a card which takes none, for a card used on the board.

    Names of copies (``COPIES``) and of royalty pass here; ``final_power`` judges them afterwards.

    Args:
        draft: The draft of the word.
        card: The card that is used, of any kind.
        names: What it is named as. The first follows ``card``, and each of the others the name before it.
    """
    for name in names:
        if card not in COPIES and not is_royal(card):
            _refuse_name(draft, card, name, clauses.USE_TERRITORY)
        card = name


def _refuse_name(draft: Draft, card: int, name: int, clause: AnyClause = clauses.PLAY_CARD) -> None:
    """Note on the draft the refusal of a card, or a suit, that is named as what it cannot be; the word may stand."""
    text = "A suit" if card >= SUIT_NAME else name_of(card)
    draft.refuse(clause, f"{text} cannot be named as {name_of(name)}")


def _judge_world(draft: Draft, name: int) -> None:
    """Note the refusal of the World's name if no such trump lies face up on top of a space.

    If an unseen card may be it, an open question is noted instead. ``name`` is the card's code, -1 for none.
    """
    if name < 0 or name >= SUIT_NAME or not is_trump(name) or name == WORLD:
        draft.refuse(clauses.WORLD, "T21 must be named as another trump that lies face up on top of a space")
        return
    if any(stack[-1] & (CODE | DOWN) == name for stack in draft.cards.values()):
        return
    lying = [
        (place, entry) for place, entry in unknown_tops(draft.cards) if possible(draft.slots, entry & CODE) >> name & 1
    ]
    if not lying:
        draft.refuse(clauses.WORLD, f"{name_of(name)} does not lie face up on top of any space")
    elif len(lying) > 1 or possible(draft.slots, lying[0][1] & CODE) != 1 << name:
        where = place_name(lying[0][0]) if len(lying) == 1 else "the board"
        asks = tuple(entry & CODE for _, entry in lying)
        draft.ask_of_cards(clauses.WORLD, where, set_tops_apart(draft, lying), 1 << name, asks)


def _judge_doppelganger(draft: Draft, name: int) -> None:
    """Note the refusal of the Doppelganger's name if it is not the top card of the discards, or if there are none.

    An unseen top card becomes the card named.

    Raises:
        BlockedError: The unseen top card cannot be the card named.
    """
    if not draft.pile:
        draft.refuse(clauses.DOPPELGANGER, "There is no card in the discards")
        return
    top = draft.pile[-1]
    if is_slot(top) and 0 <= name < SUIT_NAME:
        code = draft.match_cards(bytes((top,)), bytes((name,)), clauses.DOPPELGANGER, "on top of the discards")
        draft.pile = draft.pile[:-1] + code
    elif name != top:
        draft.refuse(clauses.DOPPELGANGER, f"The top discard is {name_of(top)}")


# --- unknown cards on top of spaces ---


def unknown_tops(cards: dict[int, tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return (place, entry) of each space whose top card lies face up though nobody on record saw it; the entry has its
    flags.
    """
    return [(place, stack[-1]) for place, stack in cards.items() if is_slot(stack[-1] & CODE) and not stack[-1] & DOWN]


def set_tops_apart(draft: Draft, lying: list[tuple[int, int]]) -> bytes:
    """Give the unseen top cards of these spaces a slot each, and return the slots.

    Args:
        draft: The draft, which changes.
        lying: The spaces, as (place, entry).
    """
    codes = bytearray()
    for place, entry in lying:
        draft.unseen, own = set_card_apart(draft.unseen, entry & CODE)
        draft.cards = {**draft.cards, place: (*draft.cards[place][:-1], own | entry & ~CODE)}
        codes.append(own)
    return bytes(codes)


def group_by_use(cards: int, wild: bool = False) -> list[int]:
    """Return cards in groups that have the same uses, each as bits.

    Args:
        cards: The cards, as bits.
        wild: True if they are used from the hand, where royalty may be any suit.
    """
    kinds: dict[tuple[int, bool], int] = {}
    for card in cards_of(cards):
        kind = -1 if wild and is_royal(card) else POWER_OF[card], is_royal(card)
        kinds[kind] = kinds.get(kind, 0) | 1 << card
    return list(kinds.values())


# --- the Fool ---


Using: TypeAlias = Callable[[Draft, Play], None]
"""Carries out a play."""


def has_use(use: Using, draft: Draft, card: int, origin: int, place: int = 0, code: int = -1) -> bool | None:
    """Return whether a card that was turned up can be used legally now, None if an unknown card decides it.

    Args:
        use: Carries out a play.
        draft: The draft of the word.
        card: The card.
        origin: Where it comes from: HAND, BOARD, TURNED or DECK.
        place: The place of the minion that uses it.
        code: That minion, -1 for any.
    """
    state = draft.state_now()
    answer: bool | None = False
    for play in uses(state, draft.seat, card, origin, place, code, unseen=True):
        flips = play.parts and isinstance(play.parts[0], Flip)
        if not (bool(state.deck or state.pile) if flips else is_legal(use, state, draft.seat, play, draft.again)):
            continue
        if not _names_unseen(state, card, play):
            return True
        answer = None
    return answer


def is_legal(use: Using, state: State, seat: int, play: Play, again: int) -> bool:
    """Return whether a play breaks no rule.

    Args:
        use: Carries out a play.
        state: The state before it.
        seat: The seat.
        play: The play.
        again: How the word has used a High Priestess before, as bits.
    """
    draft = Draft(state, seat)
    draft.again = again
    try:
        use(draft, play)
    except BlockedError:
        return False
    return not draft.refusals


def _names_unseen(state: State, card: int, play: Play) -> bool:
    """Say whether a play names the World or a Doppelganger as a card that only an unseen card can be."""
    namers = (card, *play.names)
    return any(
        (namer == WORLD and name not in top_trumps(state)) or (namer == DOPPELGANGER and is_slot(state.pile[-1]))
        for namer, name in zip(namers, play.names, strict=False)
    )


def require_use(
    use: Using, draft: Draft, clause: AnyClause, card: int, origin: int, place: int = 0, code: int = -1
) -> None:
    """Note a refusal if a card turned up is left unused though it has a use; note a question if an unknown card decides
    it.

    Args:
        use: Carries out a play.
        draft: The draft of the word.
        clause: The rule that says it must be used.
        card: The card.
        origin: Where it comes from: HAND, BOARD, TURNED or DECK.
        place: The place of the minion that uses it.
        code: That minion, -1 for any.
    """
    usable = has_use(use, draft, card, origin, place, code)
    if usable:
        draft.refuse(clause, f"{name_of(card)} can be used, so it must be")
    if usable is not None:
        return
    lying = unknown_tops(draft.cards)
    asks = tuple(entry & CODE for _, entry in lying) or (draft.pile[-1],)
    if len(lying) != 1 or is_slot(draft.pile[-1] if draft.pile else 0):
        # Several unknown cards say so together: nothing that comes to light alone answers it.
        draft.ask_of_cards(clause, "the board", bytes(1), 0, asks)
        return
    own, at, idle = set_tops_apart(draft, lying)[0], lying[0][0], 0
    unseen = draft.unseen
    for may in holds(draft.slots, own):
        draft.unseen = assume_cards(unseen, own, 1 << may)
        if not has_use(use, draft, card, origin, place, code):
            idle |= 1 << may
    draft.unseen = unseen
    draft.ask_of_cards(clause, place_name(at), bytes((own,)), idle)


def _leave_unknown(use: Using, draft: Draft, clause: AnyClause, slot: int) -> int:
    """Return the slot of an unseen card that was turned up and left, set apart.

    If some of the cards it may be have a use, a question is noted on the draft; if all have, a refusal.
    """
    draft.unseen, own = set_card_apart(draft.unseen, slot)
    may = set_of(holds(draft.slots, own))
    idle = sum(kind for kind in group_by_use(may, wild=True) if not has_use(use, draft, kind.bit_length() - 1, DECK))
    if not idle:
        draft.refuse(clause, "Whatever card it was, it can be used, so it must be")
    elif idle != may:
        draft.ask_of_cards(clause, "top of the deck", bytes((own,)), idle)
    return own


def play_fool(use: Using, draft: Draft, power: AnyClause, *flips: Flip) -> None:
    """Turn up the deck's top card twice; each must be used, as from the hand, if it legally can.

    Cards left unused wrongly, and too few or too many cards turned up, are noted as refusals.

    Args:
        use: Carries out a play.
        draft: The draft of the word, which changes.
        power: The rule of the power that is used.
        flips: The cards turned up, in order, each with its use.

    Raises:
        BlockedError: No card is left to turn up.
    """
    count = min(2, available(draft))
    if not flips:
        due = f"The Fool must turn up the top card of the deck{', twice' * (count > 1)}"
        draft.refuse(*((power, due) if count else (clauses.NO_EFFECT, "No card is left to turn up")))
        return
    for at, part in enumerate(flips):
        if not available(draft):
            draft.block(power if at else clauses.NO_EFFECT, "No card is left to turn up")
        if at and at == count:
            only = "Only one card was left, so the Fool cannot turn up a second one"
            draft.refuse(power, "The Fool turns up only two cards" if at > 1 else only)
        flipped = part.play
        card = take_off_deck(draft, bytes((flipped.card,)))[0]
        if flipped.names or flipped.user or flipped.parts or is_draw(use, draft, flipped.card, DECK):
            use(draft, flipped)
        elif is_slot(card):
            discard(draft, _leave_unknown(use, draft, power, card))
        else:
            require_use(use, draft, power, card, DECK)
            discard(draft, card)
    if len(flips) < count:
        draft.refuse(power, "The Fool must turn up two cards")


def as_flips(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts of a Fool's play, in which a card turned up without a use can read like a card drawn.

    If the only part is one drawn card, it is replaced by that card turned up; other parts are returned as they are.
    """
    if len(parts) == 1 and isinstance(parts[0], DrawnCards) and len(parts[0].cards) == 1:
        return (Flip(Play(DECK, parts[0].cards[0])),)
    return parts


def is_draw(use: Using, draft: Draft, card: int, origin: int, place: int = 0, code: int = -1) -> bool:
    """Say whether a bare card, named without parts, is a High Priestess or Star whose draw is left out.

    Such a card is used all the same. False for any other card, and if it has no legal use.
    """
    return card in (HIGH_PRIESTESS, STAR) and bool(has_use(use, draft, card, origin, place, code))


# --- cards that lie face down ---


def as_laid(power: AnyClause, card: int) -> int:
    """Return a card as a power lays it on the board, with its flags: the Wheel lays face down, any other
    power face up.
    """
    return card | DOWN if power is clauses.WHEEL else card


def turn_up(draft: Draft, place: int, card: int) -> None:
    """Show the top card of a space, which lies face down or is not known; one that lies face up is noted as a refusal.

    Args:
        draft: The draft, which changes.
        place: The space.
        card: The card that is shown there, UNKNOWN if it is not named.

    Raises:
        BlockedError: It cannot be that card.
    """
    stack = draft.cards[place]
    code, down = stack[-1] & CODE, stack[-1] & DOWN
    where = place_name(place)
    if not down and not is_slot(code):
        draft.refuse(clauses.WHEEL, f"The card on {where} lies face up")
    if is_slot(code) and card != UNKNOWN:
        code = draft.match_cards(bytes((code,)), bytes((card,)), clauses.WHEEL, f"on {where}")[0]
    elif card not in (code, UNKNOWN):
        draft.block(clauses.WHEEL, f"The card on {where} is not {name_of(card)}")
    cards = draft.cards.copy()
    cards[place] = (*stack[:-1], code | stack[-1] & ~(DOWN | CODE))
    draft.cards = cards


def turn_up_if_written(draft: Draft, play: Play, place: int) -> bool:
    """Turn up the card under a user if the word does, and say whether it lies face up now.

    If it does not, a refusal is noted on the draft; the word may stand. A card that cannot be the one named raises
    BlockedError.
    """
    if play.origin == TURNED:
        turn_up(draft, place, play.card)
    elif draft.cards[place][-1] & DOWN:
        draft.refuse(clauses.WHEEL, f"The card on {place_name(place)} lies face down, so the word must turn it up")
        return False
    return True


def is_left_unused(use: Using, draft: Draft, card: int, place: int, code: int) -> bool:
    """Return whether a card turned up by a bare word is left unused; note a refusal if it has a use.

    ``place`` and ``code`` are those of the minion on it. ``card`` is -1 or a slot if it is not known.
    """
    if card < 0 or is_slot(card):
        return True
    if is_draw(use, draft, card, BOARD, place, code):
        return False
    require_use(use, draft, clauses.WHEEL, card, BOARD, place, code)
    return True


def refuse_shown(draft: Draft, play: Play, card: int) -> None:
    """Note the refusal of a word that shows a card on a space where none lies face down, or where none leaves.

    ``card`` is the card whose power the play uses.
    """
    last = play.names[-1] if play.names else card
    looks = last == EVIL_EYE
    places: list[int] = []
    for part in play.parts:
        if type(part) is not HitPlace:
            continue
        stack, where = draft.cards.get(part.place, ()), place_name(part.place)
        depth = places.count(part.place)
        places.append(part.place)
        if part.shown_card < 0:
            continue
        entry = stack[-1 - depth] if depth < len(stack) else None
        if entry is None:
            draft.refuse(clauses.WHEEL, f"No card lies on {where} that could be shown")
        elif looks:
            draft.refuse(clauses.WHEEL, f"The card on {where} stays there, so it is not shown")
        elif not entry & DOWN and not is_slot(entry & CODE):
            draft.refuse(clauses.WHEEL, f"The card on {where} lies face up")


def turn_up_all(draft: Draft, move: Reveal) -> None:
    """Turn up the cards that lie face down at the end of the game, as the table names them.

    Raises:
        BlockedError: There is no card on a space, or it cannot be that card.
    """
    for place, card in move.cards:
        if place not in draft.cards:
            draft.block(clauses.WHEEL, f"There is no card on {place_name(place)}")
        turn_up(draft, place, card)
