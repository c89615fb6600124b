"""What the face-up stakes of a challenge may be worth, where the record has not all of them: points as bits."""

from cartulary.engine.slots import BLANK, SLOT, UNKNOWN, is_slot
from cartulary.engine.tarot_duel.cards import ITSELF, WORTH
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.state import Due

ANY = (1 << 11) - 1
"""No card, or a Major, has 0 points, the highest have 10."""


def of_face(face: int) -> int:
    """Return the points of a face-up card as bits, ANY of one that is not on record."""
    return ANY if face == UNKNOWN else 1 << WORTH[face]


def of_stakes(stakes: bytes) -> int:
    """Return the points that one of these cards may have, ANY where some are not named."""
    return ANY if UNKNOWN in stakes else _of_codes(set(stakes))


def _of_codes(codes: set[int]) -> int:
    bits = 0
    for code in codes:
        bits |= ANY if code >= BLANK else 1 << WORTH[code] | 1 << WORTH[ITSELF[code]]
    return bits


def _of_deck(draft: Draft, seat: int) -> int:
    """Return the points that one card of a deck may have, and perhaps more than that."""
    codes, slots = set[int](), draft.slots
    for code in set(draft.sides[seat - 1].deck):
        if is_slot(code):
            kind = slots.kinds[code - SLOT]
            codes |= {card for card in slots.pools[kind.pool] if kind.mask >> card & 1}
        else:
            codes.add(code)
    return _of_codes(codes)


def _of_stake(draft: Draft, stake: Due, stakes: bytes) -> int:
    """Return the points of a side's face-up card: its own, or one of the stakes it puts away or back."""
    if stake.card != UNKNOWN:
        return of_face(stake.card)
    return of_stakes(stakes) if stakes and UNKNOWN not in stakes else _of_deck(draft, stake.seat)


def may_be_even(draft: Draft) -> bool:
    """Say whether an open challenge may have been won by nobody."""
    _, ours, theirs = draft.due
    return bool(_of_stake(draft, ours, b"") & _of_stake(draft, theirs, b""))


def may_have_won(draft: Draft, due: Due, stakes: bytes = b"") -> bool:
    """Say whether who is taken for the winner may have shown the higher card.

    due: what the loser or the winner owes; stakes: the cards of the word that says it, none where it has not come
    """
    if not due.rival:
        return True
    own = _of_stake(draft, due, stakes)
    if due.what == "back":
        return _highest(own) > _lowest(due.rival)
    return _highest(due.rival if due.rival != ANY else _of_deck(draft, due.other)) > _lowest(own)


def _highest(bits: int) -> int:
    return bits.bit_length()


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length()
