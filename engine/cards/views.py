"""What seats see of zones of cards (``engine.slots``), and where the cards nobody on record saw may be."""

from collections.abc import Callable, Sequence

from cartulary.engine.slots import SLOT, UNKNOWN, Slots, is_slot

HIDDEN = SLOT
"""The code, in a seat's view, of every card that the seat cannot name."""

_NAMED = bytes(HIDDEN if is_slot(code) else code for code in range(256))
_WRITTEN = bytes(UNKNOWN if is_slot(code) else code for code in range(256))


def named(zone: bytes) -> bytes:
    """Return a zone for a viewer who may see all of it: cards that nobody on record saw become HIDDEN."""
    return zone.translate(_NAMED)


def written(zone: bytes) -> bytes:
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
    listed: Callable[[bytes], str], *readings: tuple[Slots, Sequence[tuple[str, bytes]]]
) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of the cards that nobody on record saw, one line for each pool, the fewest cards first.

    Args:
        listed: returns cards as a sentence lists them.
        readings: for each reading its slots, and its zones as (place in a sentence, entries): ``with p1``.
    """
    lines: list[tuple[int, str, str]] = []
    for slots, zones in readings:
        rows = []
        for number, pool in enumerate(slots.pools):
            kinds = {SLOT + at for at, kind in enumerate(slots.kinds) if kind.size and kind.pool == number}
            places = [place for place, zone in zones if not kinds.isdisjoint(zone)]
            if pool and places:
                rows.append((len(pool), listed(pool), " or ".join(places)))
        lines += [line for line in rows if line not in lines]
    return tuple((cards, where) for _, cards, where in sorted(lines))
