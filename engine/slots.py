"""What can be known about unseen cards when hands change all the time: slots, kinds of slots, and pools.

A *zone* is bytes, one code an entry. Codes below SLOT are cards. From SLOT on an entry is a *slot*: a card nobody on
record has seen, of the kind with that number. From BLANK on stand cards whose very name is unknown, one code a stock
they come from; they lie in pools only, and in zones about to be shuffled.

A *pool* is the multiset of the cards that lie in the slots of its kinds, exactly; a *kind* is a pool, the cards its
slots may hold (a bit mask of codes) and how many slots it has. So every copy is counted, and a slot drawn before a card
came back never holds it. A shuffle makes the slots alike: one fresh kind whose mask is the union of what went in.

A card that leaves a zone leaves from one of its slots. If several may have held it, the one with the narrowest mask is
taken, provided that its mask lies within the others' and that it may have held as many of the wanted cards: then what
stays may be anything that the others might have been. Otherwise those slots are first made alike. Their pools become
one before that, because either pool may have lost the card. A named card goes before a blank one, which may be any card
where it stays.

The invariant: nothing is called impossible that some reading allows. The reverse does not hold: a reading may survive
that a longer memory would exclude. For example, with the cards 1 to 4 in one pool::

    kinds  a: one slot, {1, 2}    b: three slots, {1, 2, 3, 4}
    a 1 leaves a zone "a b":      a is taken, its mask is within b's   ->  pool {2, 3, 4}, three slots b
    a 3 leaves a zone "a b":      only b may hold it                   ->  pool {1, 2, 4}, one a, two b
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from cartulary.engine.matching import can_lie
from cartulary.engine.sets import members, set_of

SLOT = 190
BLANK = 244
UNKNOWN = 255
"""In words, a card that is not named; never an entry of a zone."""

BLANKS = ((1 << UNKNOWN) - 1) >> BLANK << BLANK
MOST_KINDS = BLANK - SLOT


class Kind(Struct, frozen=True, gc=False):
    """Slots that are alike.

    Attributes:
        pool: the number of the pool whose cards lie in them.
        mask: the codes that they may hold, as bits.
        size: how many slots there are.
    """

    pool: int
    mask: int
    size: int


class Slots(Struct, frozen=True, gc=False):
    """All that is known of the cards that nobody on record saw.

    Attributes:
        kinds: every kind of slots, by number; one of size 0 is free to be used again.
        pools: every pool, as sorted codes, by number; an empty one is free to be used again.
    """

    kinds: tuple[Kind, ...] = ()
    pools: tuple[bytes, ...] = ()


NO_SLOTS = Slots()


def one_kind(size: int, cards: int, pool: bytes) -> Slots:
    """Return slots that are all alike; their code is SLOT.

    Args:
        size: how many slots there are.
        cards: the codes that they may hold, as bits.
        pool: the cards that lie in them, as sorted codes.
    """
    return Slots((Kind(0, cards, size),), (pool,)) if size else NO_SLOTS


Removal: TypeAlias = tuple[Slots, bytes, int, int]
"""The slots after a card has left, the zone that still has its entry, the place of the entry, and the code it held."""


def codes_of(names: Iterable[str]) -> dict[str, int]:
    """Return the code of each card by its name, given the names in the order of their codes.

    ``["1D", "2D"] -> {"1D": 0, "2D": 1, "~": 255}``; ``~``, a card that is not named, has the code UNKNOWN.
    """
    return {name: code for code, name in enumerate(names)} | {"~": UNKNOWN}


def is_slot(code: int) -> bool:
    """Say whether an entry of a zone is a slot, a card nobody on record has seen; blank cards and UNKNOWN are none."""
    return SLOT <= code < BLANK


def has_slots(zone: bytes) -> bool:
    """Say whether any entry of a zone is a slot or a blank card; False for an empty zone."""
    return bool(zone) and max(zone) >= SLOT


def cards_in(zone: bytes) -> int:
    """Return the cards of a zone that the record knows, as bits; slots and blank cards are left out."""
    return set_of(code for code in zone if code < SLOT)


def mix(slots: Slots, zone: bytes) -> tuple[Slots, bytes]:
    """Return the slots and a zone after its entries have become alike, as by a shuffle.

    Args:
        slots: what is known before.
        zone: the entries that are shuffled.
    """
    first = zone[:1]
    if zone == first * len(zone) and not (zone and first[0] >= BLANK):
        return slots, zone
    kinds, pools = list(slots.kinds), list(slots.pools)
    mask, cards, joined = 0, bytearray(), set[int]()
    _narrow_masks(kinds, pools, {kinds[code - SLOT].pool for code in zone if is_slot(code)})
    for code in zone:
        if is_slot(code):
            kind = kinds[code - SLOT]
            mask |= kind.mask
            joined.add(kind.pool)
            kinds[code - SLOT] = Kind(kind.pool, kind.mask, kind.size - 1)
        else:
            mask |= 1 << code
            cards.append(code)
    pool = _join_pools(kinds, pools, sorted(joined), bytes(cards))
    number = _add_kind(kinds, pools, Kind(pool, mask, len(zone)))
    return Slots(tuple(kinds), tuple(pools)), bytes((SLOT + number,)) * len(zone)


def _narrow_masks(kinds: list[Kind], pools: list[bytes], numbers: set[int]) -> None:
    """Remove from the masks of all kinds of some pools, in place, the codes that are not in their pools.

    A card that joins a pool afterwards was somewhere else until now, so no earlier slot can hold it.
    """
    for at, kind in enumerate(kinds):
        if kind.size and kind.pool in numbers:
            kinds[at] = Kind(kind.pool, kind.mask & _mask(pools[kind.pool]), kind.size)


def _join_pools(kinds: list[Kind], pools: list[bytes], numbers: Sequence[int], cards: bytes) -> int:
    """Merge the pools with these numbers, in place, add cards to them, and return the number of the merged pool.

    The merged pools become empty, and their kinds get the new number. Without numbers the cards become a new pool.
    """
    if numbers:
        pool = numbers[0]
    elif b"" in pools:
        pool = pools.index(b"")
    else:
        pools.append(b"")
        pool = len(pools) - 1
    together = cards
    for number in numbers:
        together += pools[number]
        pools[number] = b""
    pools[pool] = bytes(sorted(together))
    for at, kind in enumerate(kinds):
        if kind.size and kind.pool in numbers:
            kinds[at] = Kind(pool, kind.mask, kind.size)
    return pool


def _add_kind(kinds: list[Kind], pools: list[bytes], kind: Kind) -> int:
    """Add a kind to the list, or enlarge one that is the same, and return its number.

    If all codes are in use, it is merged with the last kind, of whose slots less is known then.
    """
    free = -1
    for at, other in enumerate(kinds):
        if not other.size:
            free = at if free < 0 else free
        elif other.pool == kind.pool and other.mask == kind.mask:
            kinds[at] = Kind(kind.pool, kind.mask, kind.size + other.size)
            return at
    if free >= 0:
        kinds[free] = kind
        return free
    if len(kinds) < MOST_KINDS:
        kinds.append(kind)
        return len(kinds) - 1
    # There is no code left: the new slots share one with others, of which then less is known.
    last = kinds[-1]
    pool = last.pool if last.pool == kind.pool else _join_pools(kinds, pools, (last.pool, kind.pool), b"")
    kinds[-1] = Kind(pool, last.mask | kind.mask, last.size + kind.size)
    return len(kinds) - 1


def reveal(slots: Slots, code: int, likes: int) -> tuple[Slots, int] | None:
    """Return the slots once a slot is seen to hold a card, and the code it held.

    A named card of the pool goes before a blank one. If another of those codes might have been the one, it stays, and
    may then lie wherever the one that went might have lain.

    Args:
        slots: what is known before.
        code: the slot.
        likes: the codes under which the card may lie, as bits.

    Returns:
        None if the slot can hold none of these codes.
    """
    kind = slots.kinds[code - SLOT]
    options = _codes_in_pool(slots.pools[kind.pool], likes & kind.mask)
    may = [*members(options)]
    for card in may:
        after = _without_slot(slots, code, card)
        if len(may) > 1:
            kinds = list(after.kinds)
            for place, other in enumerate(kinds):
                if other.pool == kind.pool and other.mask >> card & 1:
                    kinds[place] = Kind(other.pool, other.mask | options, other.size)
            after = Slots(tuple(kinds), after.pools)
        if fits(after, kind.pool):
            return after, card
    return None


def fits(slots: Slots, pool: int) -> bool:
    """Say whether the cards of the pool with this number can lie in the slots of its kinds.

    If it has more than twelve kinds, the answer is True without a search, which proves nothing.
    """
    cards = slots.pools[pool]
    pool_mask = _mask(cards)
    sizes: dict[int, int] = {}
    for kind in slots.kinds:
        if kind.size and kind.pool == pool:
            mask = kind.mask & pool_mask
            sizes[mask] = sizes.get(mask, 0) + kind.size
    return can_lie(cards, pool_mask, sizes)


def remove(slots: Slots, zone: bytes, likes: int) -> Removal | None:
    """Return the slots once a card is seen to leave a zone from one of its slots.

    Args:
        slots: what is known before.
        zone: the zone.
        likes: the codes under which the card may lie, as bits.

    Returns:
        None if no slot of the zone can hold any of these codes.
    """
    if likes and not likes & likes - 1:
        card = likes.bit_length() - 1
        plain = remove_all(slots, zone, bytes((card,)))
        if plain is not None:
            return plain, zone, 0, card
    fitting: dict[int, int] = {}
    for code in sorted(set(zone)):
        if is_slot(code):
            kind = slots.kinds[code - SLOT]
            cards = _codes_in_pool(slots.pools[kind.pool], likes & kind.mask)
            if cards:
                fitting[code] = cards
    may = [*fitting]
    if len(may) > 1:
        slots = _with_one_pool(slots, may)
        may.sort(key=lambda code: slots.kinds[code - SLOT].mask.bit_count())
    while may:
        code = may.pop(0)
        narrow = slots.kinds[code - SLOT].mask
        # The narrowest kind loses the card only if every other one could have held whatever stays; see the module's
        # docstring. Otherwise nobody knows which kind lost it, and the slots are made alike.
        if any(narrow & ~slots.kinds[other - SLOT].mask or fitting[other] != fitting[code] for other in may):
            at = [place for place, entry in enumerate(zone) if entry == code or entry in may]
            slots, alike = mix(slots, bytes(zone[place] for place in at))
            code, may = alike[0], []
            zone = bytes(code if place in at else entry for place, entry in enumerate(zone))
        after = reveal(slots, code, likes)
        if after is not None:
            return after[0], zone, zone.index(code), after[1]
    return None


def remove_all(slots: Slots, zone: bytes, cards: bytes) -> Slots | None:
    """Return the slots once cards leave a zone by name, in the plain case; None in any other.

    The plain case is that the entries of the zone are alike, and so are all slots of their pool, as before anything is
    known of them. It needs no search.

    Args:
        slots: what is known before.
        zone: the zone.
        cards: the cards that leave, each as often as it does.
    """
    code = zone[0] if zone else 0
    if not SLOT <= code < BLANK or zone.count(code) < len(zone):
        return None
    kind = slots.kinds[code - SLOT]
    pool = slots.pools[kind.pool]
    rest = pool.translate(None, cards)
    if kind.size != len(pool) or len(pool) - len(rest) != len(cards):
        return None
    if len(slots.kinds) == 1:
        return Slots((Kind(0, kind.mask, len(rest)),), (rest,))
    at, number = kind.pool, code - SLOT
    fewer = Kind(at, kind.mask, len(rest))
    kinds = (*slots.kinds[:number], fewer, *slots.kinds[number + 1 :])
    return Slots(kinds, (*slots.pools[:at], rest, *slots.pools[at + 1 :]))


def _without_slot(slots: Slots, code: int, card: int) -> Slots:
    """Return the slots with one slot of the kind ``code`` and one card of its pool, which it held, removed.

    Nothing is checked: the pool must have the card, and the kind a slot.
    """
    kinds, pools, number = slots.kinds, slots.pools, code - SLOT
    kind = kinds[number]
    pool = kind.pool
    rest = pools[pool].replace(bytes((card,)), b"", 1)
    fewer = Kind(pool, kind.mask, kind.size - 1)
    return Slots((*kinds[:number], fewer, *kinds[number + 1 :]), (*pools[:pool], rest, *pools[pool + 1 :]))


def _with_one_pool(slots: Slots, codes: Sequence[int]) -> Slots:
    """Return the slots with the pools of the kinds ``codes`` merged into one.

    The masks are narrowed to the old pools first, so that each kind holds no more than before.
    """
    kinds, pools = list(slots.kinds), list(slots.pools)
    numbers = {kinds[code - SLOT].pool for code in codes}
    _narrow_masks(kinds, pools, numbers)
    if len(numbers) > 1:
        _join_pools(kinds, pools, sorted(numbers), b"")
    return Slots(tuple(kinds), tuple(pools))


def possible(slots: Slots, code: int) -> int:
    """Return the codes that an entry may be, as bits: of a slot those that it may hold, of any other its own.

    Whether the other cards then still fit somewhere is not checked; ``holds`` does that.
    """
    if not SLOT <= code < BLANK:
        return 1 << code
    kind = slots.kinds[code - SLOT]
    return kind.mask & _mask(slots.pools[kind.pool])


def holds(slots: Slots, code: int) -> list[int]:
    """Return, in order, the codes that a slot may hold so that all other cards still fit; [] if the entry is
    no slot.
    """
    may = members(possible(slots, code)) if is_slot(code) else ()
    return [card for card in may if reveal(slots, code, 1 << card) is not None]


def restrict(slots: Slots, code: int, cards: int) -> Slots:
    """Return the slots with other limits for one kind: its slots may hold these cards (bits), whatever it was before.

    ``code`` is that of the kind; its pool and its number of slots stay.
    """
    kinds, at = list(slots.kinds), code - SLOT
    kinds[at] = Kind(kinds[at].pool, cards, kinds[at].size)
    return Slots(tuple(kinds), slots.pools)


def set_apart(slots: Slots, code: int, size: int = 1, cards: int = -1) -> tuple[Slots, int]:
    """Split off slots as a kind of their own.

    Args:
        slots: what is known before.
        code: the kind that is split.
        size: how many of its slots are split off.
        cards: the only cards that those may hold, as bits; by default all that the kind may hold.

    Returns:
        The slots, and the code of the new kind.
    """
    kinds = list(slots.kinds)
    kind = kinds[code - SLOT]
    kinds[code - SLOT] = Kind(kind.pool, kind.mask, kind.size - size)
    kinds.append(Kind(kind.pool, kind.mask & cards, size))
    return Slots(tuple(kinds), slots.pools), SLOT + len(kinds) - 1


def recode(slots: Slots, number: int, old: int, new: int) -> Slots:
    """Return the slots with one card of a pool under another code, wherever the card lies.

    Args:
        slots: what is known before.
        number: the number of the pool.
        old: the code of the card so far.
        new: its code from now on.
    """
    pools, kinds = list(slots.pools), list(slots.kinds)
    at = pools[number].index(old)
    pools[number] = bytes(sorted(pools[number][:at] + pools[number][at + 1 :] + bytes((new,))))
    for place, kind in enumerate(kinds):
        if kind.pool == number and kind.mask >> old & 1:
            kinds[place] = Kind(number, kind.mask | 1 << new, kind.size)
    return Slots(tuple(kinds), tuple(pools))


def _codes_in_pool(pool: bytes, likes: int) -> int:
    """Return those of some codes (``likes``, as bits) that are in a pool, as bits."""
    if likes and not likes & likes - 1:
        return likes if likes.bit_length() - 1 in pool else 0
    return _mask(pool) & likes


_mask = lru_cache(maxsize=1 << 12)(set_of)
"""The codes of a pool, as bits."""


def mix_for_removal(slots: Slots, zone: bytes) -> tuple[Slots, bytes]:
    """Return the slots and a zone before a card that nobody saw leaves it; the card is not taken yet.

    Unless its entries are alike already they are made so, because any of them may be the one that leaves.
    """
    return (slots, zone) if zone == zone[:1] * len(zone) else mix(slots, zone)


def least(slots: Slots, zone: bytes, worth: bytes) -> int:
    """Return a sum that the slots of a zone are worth at least; it is exact if whole pools lie in the zone.

    Args:
        slots: what is known.
        zone: the zone; entries that are no slots are not counted.
        worth: the worth of each code.
    """
    counts: dict[int, int] = {}
    for code in zone:
        if is_slot(code):
            pool = slots.kinds[code - SLOT].pool
            counts[pool] = counts.get(pool, 0) + 1
    return sum(sum(sorted(slots.pools[pool].translate(worth))[:count]) for pool, count in counts.items())


def exactly(slots: Slots, zone: bytes) -> bool:
    """Say whether the cards in the slots of a zone are known as a multiset: every pool of them lies in this zone alone.

    True also for a zone without slots.
    """
    return all(
        len(slots.pools[pool]) == sum(is_slot(code) and slots.kinds[code - SLOT].pool == pool for code in zone)
        for pool in {slots.kinds[code - SLOT].pool for code in zone if is_slot(code)}
    )
