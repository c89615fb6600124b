"""A hidden card seen to be one of a zone: ``engine.slots.left`` with the plain case, one kind a pool, done at once."""

from typing import TypeAlias

from cartulary.engine.slots import SLOT, Kind, Slots, left

Left: TypeAlias = tuple[Slots, bytes, int, int]
"""What stands, the zone with the entry still in it, the entry's place, and the card."""


def is_surely(slots: Slots, code: int, card: int) -> bool:
    """Say whether a slot can hold nothing but this card."""
    kind = slots.kinds[code - SLOT]
    return [held for held in slots.pools[kind.pool] if kind.mask >> held & 1] == [card]


def spotted(slots: Slots, zone: bytes, card: int) -> Left | None:
    """Return what stands once one of the slots of a zone is seen to hold a card; None where none can."""
    kinds, pools, bit = slots.kinds, slots.pools, 1 << card
    may = []
    for code in set(zone):
        if code >= SLOT:
            kind = kinds[code - SLOT]
            if kind.mask & bit and card in pools[kind.pool]:
                may.append(code)
    if not may:
        return None
    if len(may) == 1:
        number = may[0] - SLOT
        kind = kinds[number]
        for other in kinds:
            if other.pool == kind.pool and other.size and other is not kind:
                break
        else:
            pool = pools[kind.pool]
            at = pool.index(card)
            fewer = Kind(kind.pool, kind.mask, kind.size - 1)
            rest = pool[:at] + pool[at + 1 :]
            return (
                Slots(
                    (*kinds[:number], fewer, *kinds[number + 1 :]), (*pools[: kind.pool], rest, *pools[kind.pool + 1 :])
                ),
                zone,
                zone.index(may[0]),
                card,
            )
    return left(slots, zone, bit)
