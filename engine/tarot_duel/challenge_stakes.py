"""The stakes of a challenge: a quarter of each deck, one card face up, and who takes them off it."""

from cartulary.engine.numbers import how_many
from cartulary.engine.slots import UNKNOWN
from cartulary.engine.tarot_duel.cards import NAMES, NOTHING, listed, name_of
from cartulary.engine.tarot_duel.clauses import STAKES
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.state import Due, State


def refuse_faces(draft: Draft, *faces: tuple[int, int]) -> None:
    """Block for a face-up stake that cannot be; faces: each seat with its card."""
    for seat, face in faces:
        deck = draft.sides[seat - 1].deck
        if face == NOTHING:
            if deck:
                draft.block(STAKES, f"p{seat}'s deck has {how_many(len(deck))}, so one of them must lie face up")
        elif not deck:
            draft.block(STAKES, f"p{seat}'s deck is empty, so no card of it can lie face up")
        elif face != UNKNOWN and not draft.may_lie(deck, face):
            draft.block(STAKES, f"{NAMES[face]} is not in p{seat}'s deck")


def stakes_of(state: State | Draft, seat: int) -> int:
    """Return how many cards a seat sets down: a quarter of its deck as brought, or all it has left."""
    return min(state.house.quarter(seat), len(state.sides[seat - 1].deck))


def set_down(draft: Draft, seat: int, face: int) -> None:
    """Let a face-up stake be known to be in the deck, which is shuffled."""
    side = draft.side(seat)
    card = draft.take_deck(seat, face) if face < NOTHING and face not in side.deck else None
    side.tops = ()
    if card is not None:
        side.deck += bytes((card[0],))


def take_stakes(draft: Draft, cards: bytes, due: Due) -> bytes:
    """Take a side's stakes off its deck; return their codes in the word's order."""
    if len(cards) != due.count:
        draft.refuse(STAKES, f"the word has {how_many(len(cards))}, expected {due.count}")
    elif due.card not in cards and due.card != UNKNOWN and UNKNOWN not in cards:
        draft.refuse(STAKES, f"{name_of(due.card)}, which lay face up, is missing from the stakes")
    codes = lifted(draft, due.seat, cards)
    if codes is None:
        draft.block(STAKES, f"{listed(cards)} cannot be stakes from p{due.seat}'s deck")
    return codes


def lifted(draft: Draft, seat: int, cards: bytes) -> bytes | None:
    """Take cards off a deck, which is shuffled; return their codes in order, None where they cannot be in it."""
    side, rest = draft.side(seat), bytearray(draft.sides[seat - 1].deck)
    side.tops = ()
    for card in cards:
        if card not in rest:
            break
        rest.remove(card)
    else:
        side.deck = bytes(rest)
        return cards
    codes = bytearray(cards)
    for at in sorted(range(len(cards)), key=lambda place: cards[place]):
        entry = draft.take_deck(seat, cards[at])
        if entry is None:
            return None
        codes[at] = entry[0]
    return bytes(codes)
