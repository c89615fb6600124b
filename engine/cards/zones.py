"""Zones of cards while a word is carried out: cards are seen and found there, put in front, and told by the table.

For games in which cards come and go. A zone is bytes, one code an entry, and cards nobody on record saw are slots in it
(``engine.slots``). A game whose cards lie under codes of their own, or that asks questions of unknown cards, says so in
the methods it has of its own.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import astuple

from cartulary.engine.cards.draft import Draft
from cartulary.engine.slots import UNKNOWN, Slots, has_slots, is_slot, left, seen, some_left

Eyes: TypeAlias = tuple[int, ...]
"""For each of some cards the seats that know it, as bits."""

Found: TypeAlias = tuple[bytes, int, int, bool]
"""The zone a card leaves, which has it still, its place and code, and whether it was known to lie there."""

M = TypeVar("M")

ITSELF = bytes(range(256))


class Zones(Draft):
    """A draft with zones of cards.

    slots: what is known of cards nobody on record saw; itself: by code, the card that lies under it
    """

    slots: Slots
    itself = ITSELF

    def fitting(self, card: int) -> Iterable[int]:
        """Return the codes, as bits, under which a card may lie unseen; others behind them, if it lies under none."""
        return (1 << card,)

    def identified(self, code: int, card: int) -> int:
        """Note that a card comes to light that lies under ``code``, in slots still, and return its code then."""
        return code

    # --- a card seen where it lies ---

    def sight(self, code: int, card: int) -> int | None:
        """Return an entry's code once it is seen to be a card, UNKNOWN for any; None where it cannot be."""
        if card in (UNKNOWN, self.itself[code]):
            return code
        for codes in self.fitting(card) if is_slot(code) else ():
            sighting = seen(self.slots, code, codes)
            if sighting is not None:
                code = self.identified(sighting[1], card)
                self.slots = sighting[0]
                return code
        return None

    def as_told(self, zone: bytes, cards: bytes) -> bytes | int:
        """Return a zone whose first entries are told to be these cards; a card that cannot lie so, where one cannot."""
        entries = bytearray(zone)
        for at, card in enumerate(cards):
            code = self.sight(entries[at], card)
            if code is None:
                return card
            entries[at] = code
        return bytes(entries)

    # --- a card found in a zone ---

    def place_of(self, zone: bytes, card: int) -> int:
        """Return where a card is known to lie in a zone, -1 where that is not known."""
        return zone.find(card)

    def search(self, zone: bytes, card: int) -> Found | None:
        """Find a card that leaves a zone, UNKNOWN for any; None where it cannot be there."""
        if card == UNKNOWN:
            if not zone:
                return None
            self.slots, zone = some_left(self.slots, zone)
            return zone, 0, zone[0], False
        at = self.place_of(zone, card)
        return self.uncovered(zone, card) if at < 0 else (zone, at, zone[at], True)

    def uncovered(self, zone: bytes, card: int) -> Found | None:
        """Find a card among those of a zone that nobody on record saw; None where it can be none of them."""
        for codes in self.fitting(card) if has_slots(zone) else ():
            leaving = left(self.slots, zone, codes)
            if leaving is not None:
                code = self.identified(leaving[3], card)
                self.slots, zone, at, _ = leaving
                return zone, at, code, False
        return None

    def may_lie(self, zone: bytes, card: int) -> bool:
        """Say whether a card may lie in a zone, UNKNOWN for any; nothing changes."""
        if card == UNKNOWN or self.place_of(zone, card) >= 0:
            return bool(zone)
        return any(left(self.slots, zone, codes) is not None for codes in self.fitting(card))

    def in_front(self, zone: bytes, cards: bytes, eyes: Eyes = ()) -> tuple[bytes, Eyes, int]:
        """Return a zone with these cards in front, in their order, who knows each entry then, and -1.

        Where a card cannot be there, it is returned instead of -1, and what is left of the zone without those before.
        UNKNOWN ones stay where they lie. eyes: who knows each entry; left out where that is not kept
        """
        front, front_eyes = bytearray(), list[int]()
        for card in cards:
            if card == UNKNOWN:
                continue
            leaving = self.search(zone, card)
            if leaving is None:
                return zone, eyes, card
            zone, at, code, _ = leaving
            front.append(code)
            front_eyes += eyes[at : at + 1]
            zone, eyes = zone[:at] + zone[at + 1 :], eyes[:at] + eyes[at + 1 :]
        return bytes(front) + zone, (*front_eyes, *eyes), -1


# --- what each seat has before it ---


def opened(sides: list[Any], changed: list[int], at: int, kind: type[M]) -> M:
    """Return one of the sides as a Struct of this kind, with the same fields, to be changed.

    changed: the places of sides that have been opened
    """
    side = sides[at]
    if type(side) is not kind:
        side = sides[at] = kind(*astuple(side))
        changed.append(at)
    return side


def closed(sides: list[Any], changed: list[int], kind: type[M]) -> tuple[M, ...]:
    """Return the sides as they lie now, those that were opened as frozen Structs of this kind."""
    lying = [*sides]
    for at in changed:
        lying[at] = kind(*astuple(lying[at]))
    return tuple(lying)
