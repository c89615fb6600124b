"""Whether things can lie in places of limited size: cards in slots of which each kind may hold certain cards only.

Every set of places must have room for the things that can lie only there (Hall's condition). Two plain cases are
answered without counting all sets::

    one place that may hold all           is there room?
    all different, places nested          {1} within {1, 2} within {1, 2, 3}: fill the narrowest first

Source: P. Hall, On Representatives of Subsets (1935), for places that hold several things.
"""

_MOST_COUNTED = 12


def can_lie(cards: bytes, kinds: int, sizes: dict[int, int]) -> bool:
    """Return whether some layout puts each card in a place that may hold it, and no place holds too many.

    Args:
        cards: the codes of the cards, each as often as it is there.
        kinds: the same codes, as bits.
        sizes: by the codes that a place may hold, as bits, how many cards it has room for. More than twelve places are
            not counted: the cards are assumed to fit, which proves nothing.
    """
    if len(sizes) == 1 and kinds in sizes:
        return len(cards) <= sizes[kinds]
    if kinds.bit_count() == len(cards) and _fills_greedily(kinds, sizes):
        return True
    if len(sizes) > _MOST_COUNTED:
        return True
    confined = [0] * (1 << len(sizes))
    for card in cards:
        confined[sum(1 << at for at, mask in enumerate(sizes) if mask >> card & 1)] += 1
    holds = [0] * len(confined)
    for at, size in enumerate(sizes.values()):
        for places in range(len(confined)):
            if places >> at & 1:
                confined[places] += confined[places ^ 1 << at]
                holds[places] += size
    return all(count <= hold for count, hold in zip(confined, holds, strict=True))


def _fills_greedily(cards: int, sizes: dict[int, int]) -> bool:
    """Return whether a greedy layout succeeds: each place in turn, the narrowest first, takes cards that it may hold.

    If each place may hold all that a narrower one may, it is enough that the wider ones have room for the rest.
    Otherwise a place first takes the cards that no later one may hold, then those that not every later one may hold.
    False proves nothing: another order might succeed. The cards are all different.
    """
    masks, room, wider = sorted(sizes, key=int.bit_count), 0, -1
    for mask in reversed(masks):
        if mask & ~wider or (cards & ~mask).bit_count() > room:
            break
        room, wider = room + sizes[mask], mask
    else:
        return cards.bit_count() <= room
    unions, common = [0], [-1]
    for mask in reversed(masks):
        unions.append(unions[-1] | mask)
        common.append(common[-1] & mask)
    for at, mask in enumerate(masks, 1):
        may, size = mask & cards, sizes[mask]
        must = may & ~unions[-1 - at]
        size -= must.bit_count()
        if size < 0:
            return False
        cards ^= must
        for choice in (may & ~must & ~common[-1 - at], may & common[-1 - at]):
            if choice.bit_count() <= size:
                size -= choice.bit_count()
                cards ^= choice
                continue
            cards ^= _lowest(choice, size)
            break
    return not cards


def _lowest(cards: int, count: int) -> int:
    """Return the ``count`` lowest members of a set (bits), as bits. The set must have so many."""
    low, high = count, cards.bit_length()
    while low < high:
        middle = (low + high) // 2
        if (cards & (1 << middle) - 1).bit_count() < count:
            low = middle + 1
        else:
            high = middle
    return cards & (1 << low) - 1
