"""Zones of cards: what lies there while a word is carried out, and what seats see of it.

For games in which cards come and go. A zone is bytes with one code for each entry, and cards that nobody on record
saw are slots in it (``engine.slots``). Cards are seen and found there, put in front, and named by the table. A game
whose cards lie under codes of their own, or that raises questions about unknown cards, overrides the methods
``fitting``, ``recognize`` and ``place_of``.

Who knows which card stays with the game. Where there are copies of a card, the seats that know an entry are kept beside
it (``Eyes``), because "who has seen a 5H" does not say which. Where all cards differ, one bit for each seat and card is
enough, and needs no change when the card moves.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import astuple

from cartulary.engine.cards.draft import Draft
from cartulary.engine.slots import SLOT, UNKNOWN, Slots, has_slots, is_slot, mix_for_removal, remove, reveal

Eyes: TypeAlias = tuple[int, ...]
"""For each entry of a zone, the seats that know which card it is, as bits."""

Match: TypeAlias = tuple[bytes, int, int, bool]
"""The zone that a card leaves and that still has it, its place and code, and whether it was known to lie there."""

M = TypeVar("M")

ITSELF = bytes(range(256))


class Zones(Draft):
    """A draft with zones of cards.

    Attributes:
        slots: what is known of the cards that nobody on record saw.
        itself: by code, the card that lies under it.
    """

    slots: Slots
    itself = ITSELF

    def fitting(self, card: int) -> Iterable[int]:
        """Return the codes under which a card may lie unseen, as sets of codes (bits); each set is tried if those
        before fail.

        Here it is the card's own code alone.
        """
        return (1 << card,)

    def recognize(self, code: int, card: int) -> int:
        """Return the code of a card from now on, once it comes to light; a game with codes of its own overrides this.

        Args:
            code: the code under which it lies; it is still in its slot.
            card: the card.
        """
        return code

    # --- a card seen where it lies ---

    def sight(self, code: int, card: int) -> int | None:
        """Return the code of an entry once it is seen to be a card; None if it cannot be that card.

        If the entry was a slot, ``slots`` is replaced by what is known then.

        Args:
            code: the code of the entry, a slot or a known card.
            card: the card, UNKNOWN for any.
        """
        if card in (UNKNOWN, self.itself[code]):
            return code
        for codes in self.fitting(card) if is_slot(code) else ():
            sighting = reveal(self.slots, code, codes)
            if sighting is not None:
                code = self.recognize(sighting[1], card)
                self.slots = sighting[0]
                return code
        return None

    def as_told(self, zone: bytes, cards: bytes) -> bytes | int:
        """Return a zone once the table has named its first entries; ``slots`` changes as by ``sight``.

        Args:
            zone: the zone.
            cards: the cards that are named, in order, UNKNOWN for one that is not.

        Returns:
            The zone with the codes of the named cards; or, as an int, the first card that cannot be there.
        """
        entries = bytearray(zone)
        for at, card in enumerate(cards):
            code = self.sight(entries[at], card)
            if code is None:
                return card
            entries[at] = code
        return bytes(entries)

    # --- a card found in a zone ---

    def place_of(self, zone: bytes, card: int) -> int:
        """Return the index, from 0, of a card in a zone; -1 if it is not known to lie there."""
        return zone.find(card)

    def search(self, zone: bytes, card: int) -> Match | None:
        """Find a card that leaves a zone, and return what ``Match`` says; None if it cannot be there.

        If it was not known to lie there, ``slots`` is replaced by what is known once it has left.

        Args:
            zone: the zone.
            card: the card, UNKNOWN for any.
        """
        if card == UNKNOWN:
            if not zone:
                return None
            self.slots, zone = mix_for_removal(self.slots, zone)
            return zone, 0, zone[0], False
        at = self.place_of(zone, card)
        return self.uncover(zone, card) if at < 0 else (zone, at, zone[at], True)

    def uncover(self, zone: bytes, card: int) -> Match | None:
        """Find a card among the entries of a zone that nobody on record saw; return None if it can be none of them.

        ``slots`` is replaced by what is known once the card has left.
        """
        for codes in self.fitting(card) if has_slots(zone) else ():
            leaving = remove(self.slots, zone, codes)
            if leaving is not None:
                code = self.recognize(leaving[3], card)
                self.slots, zone, at, _ = leaving
                return zone, at, code, False
        return None

    def may_lie(self, zone: bytes, card: int) -> bool:
        """Say whether a card may lie in a zone; the draft does not change. UNKNOWN may lie in any zone that is not
        empty.
        """
        if card == UNKNOWN or self.place_of(zone, card) >= 0:
            return bool(zone)
        return any(remove(self.slots, zone, codes) is not None for codes in self.fitting(card))

    def in_front(self, zone: bytes, cards: bytes, eyes: Eyes = ()) -> tuple[bytes, Eyes, int]:
        """Move cards of a zone to its front; ``slots`` changes as by ``search``.

        Args:
            zone: the zone.
            cards: the cards in their new order; UNKNOWN ones stay where they lie.
            eyes: the seats that know each entry, as bits; empty for a zone that does not keep that.

        Returns:
            The zone, the seats that know each entry, and -1. If a card cannot be there, it comes instead of -1, with
            the zone without the cards before it.
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


def thaw(sides: list[Any], thawed_sides: list[int], at: int, kind: type[M]) -> M:
    """Return one of the sides as a Struct that can be changed; it is converted at first use.

    Args:
        sides: all sides; the converted one replaces the frozen one.
        thawed_sides: the indices of the sides that were converted so far; this one is added.
        at: the index of the side.
        kind: the mutable Struct with the same fields.
    """
    side = sides[at]
    if type(side) is not kind:
        side = sides[at] = kind(*astuple(side))
        thawed_sides.append(at)
    return side


def freeze(sides: list[Any], thawed_sides: list[int], kind: type[M]) -> tuple[M, ...]:
    """Return all sides as frozen Structs.

    Args:
        sides: the sides.
        thawed_sides: the indices of those that ``thaw`` converted.
        kind: the frozen Struct with the same fields.
    """
    lying = [*sides]
    for at in thawed_sides:
        lying[at] = kind(*astuple(lying[at]))
    return tuple(lying)


# --- what seats see ---


HIDDEN = SLOT
"""The code, in a seat's view, of every card that the seat cannot name."""

_NAMED = bytes(HIDDEN if is_slot(code) else code for code in range(256))
_WRITTEN = bytes(UNKNOWN if is_slot(code) else code for code in range(256))


def as_seen(zone: bytes) -> bytes:
    """Return a zone for a viewer who may see all of it: entries that nobody on record saw become HIDDEN,
    others stay.
    """
    return zone.translate(_NAMED)


def as_written(zone: bytes) -> bytes:
    """Return the cards of a zone as words name them, UNKNOWN for those that nobody on record saw."""
    return zone.translate(_WRITTEN)


def unknown(cards: bytes, code: int = UNKNOWN) -> bytes:
    """Return cards for a viewer who may see none of them.

    Args:
        cards: the cards.
        code: UNKNOWN for the cards of a word, HIDDEN for those of a zone.
    """
    return bytes((code,)) * len(cards)


def tell_where(
    list_cards: Callable[[bytes], str], *readings: tuple[Slots, Sequence[tuple[str, bytes]]]
) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of the cards that nobody on record saw, one line for each pool, the fewest cards first.

    Args:
        list_cards: returns cards as a sentence lists them.
        readings: for each reading its slots, and its zones as (place in a sentence, entries): ``with p1``.
    """
    lines: list[tuple[int, str, str]] = []
    for slots, zones in readings:
        rows = []
        for number, pool in enumerate(slots.pools):
            kinds = {SLOT + at for at, kind in enumerate(slots.kinds) if kind.size and kind.pool == number}
            places = [place for place, zone in zones if not kinds.isdisjoint(zone)]
            if pool and places:
                rows.append((len(pool), list_cards(pool), " or ".join(places)))
        lines += [line for line in rows if line not in lines]
    return tuple((cards, where) for _, cards, where in sorted(lines))
