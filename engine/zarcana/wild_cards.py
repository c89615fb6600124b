"""What a card is named as: Magician, World, royalty, Doppelganger, and cards that take no name."""

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.slots import UNKNOWN, is_slot, possible
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import (
    COPIES,
    DOPPELGANGER,
    MAGICIAN,
    POWER_OF,
    SUIT_NAME,
    WORLD,
    is_royal,
    is_trump,
    name_of,
)
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import DECK, HAND, Play
from cartulary.engine.zarcana.place_names import place_name
from cartulary.engine.zarcana.questions import apart
from cartulary.engine.zarcana.state import CODE, DOWN

PLAIN = tuple(-1 if card in COPIES else power for card, power in enumerate(POWER_OF))
"""By card, the power it has without a name; -1 for a copy."""


def final_power(draft: Draft, play: Play, card: int) -> int:
    """Return the power a play executes once all its names are followed, -1 where that cannot be told."""
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
            _world(draft, name)
        elif name >= 0 and is_royal(card):
            if not wild or name < SUIT_NAME:
                because = f"{name_of(card)} can be named only as a suit, not as {name_of(name)}"
                only = f"{name_of(card)} can be used as any suit only from the hand"
                draft.refuse(clauses.ROYALTY, because if wild else only)
        elif card == DOPPELGANGER:
            _doppelganger(draft, name)
        elif name >= 0:
            _misname(draft, card, name)
        if name < 0:
            return PLAIN[card]
        if name >= SUIT_NAME:
            if behind < len(names):
                _misname(draft, name, names[behind])
            return name - SUIT_NAME
        card = name
    return -1


def _refuse_names(draft: Draft, card: int, names: tuple[int, ...]) -> None:
    """Refuse a name on the board behind what takes none, before it is asked what the names before it are worth."""
    for name in names:
        if card not in COPIES and not is_royal(card):
            _misname(draft, card, name, clauses.USE_TERRITORY)
        card = name


def _misname(draft: Draft, card: int, name: int, clause: AnyClause = clauses.PLAY_CARD) -> None:
    """Refuse that a card, or a suit, is played as what it is not."""
    text = "A suit" if card >= SUIT_NAME else name_of(card)
    draft.refuse(clause, f"{text} cannot be named as {name_of(name)}")


def _world(draft: Draft, name: int) -> None:
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
        draft.doubt(clauses.WORLD, where, tops_apart(draft, lying), 1 << name, asks)


def _doppelganger(draft: Draft, name: int) -> None:
    if not draft.pile:
        draft.refuse(clauses.DOPPELGANGER, "There is no card in the discards")
        return
    top = draft.pile[-1]
    if is_slot(top) and 0 <= name < SUIT_NAME:
        code = draft.matched(bytes((top,)), bytes((name,)), clauses.DOPPELGANGER, "on top of the discards")
        draft.pile = draft.pile[:-1] + code
    elif name != top:
        draft.refuse(clauses.DOPPELGANGER, f"The top discard is {name_of(top)}")


# --- unknown cards on top of spaces ---


def unknown_tops(cards: dict[int, tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return (place, entry) of the cards nobody on record saw that lie face up on top of a space."""
    return [(place, stack[-1]) for place, stack in cards.items() if is_slot(stack[-1] & CODE) and not stack[-1] & DOWN]


def tops_apart(draft: Draft, lying: list[tuple[int, int]]) -> bytes:
    """Give unknown cards on top of their spaces a slot each, and return those."""
    codes = bytearray()
    for place, entry in lying:
        draft.unseen, own = apart(draft.unseen, entry & CODE)
        draft.cards = {**draft.cards, place: (*draft.cards[place][:-1], own | entry & ~CODE)}
        codes.append(own)
    return bytes(codes)


def alike(cards: int, wild: bool = False) -> list[int]:
    """Return cards parted by what they are used for from the board, or as from the hand, each kind as bits.

    wild: as from the hand, where royalty is any suit
    """
    kinds: dict[tuple[int, bool], int] = {}
    for card in cards_of(cards):
        kind = -1 if wild and is_royal(card) else POWER_OF[card], is_royal(card)
        kinds[kind] = kinds.get(kind, 0) | 1 << card
    return list(kinds.values())
