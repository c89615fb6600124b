"""Questions that turn on one unknown card lying open: which plies they are of, and which a later card answers.

The card has a kind of slots for itself, whose mask is what it may be if every such ply was legal.
"""

from msgspec.structs import replace

from cartulary.engine.contract import NOTHING_PENDING, Breach, Pending
from cartulary.engine.slots import MOST_KINDS, SLOT, Kind, Slots, fits, left
from cartulary.engine.zarcana.cards import name_of
from cartulary.engine.zarcana.sight import Left
from cartulary.engine.zarcana.state import Ask, Unseen


def with_slots(unseen: Unseen, slots: Slots) -> Unseen:
    """Return what is known with other slots; a question whose card has come to light is answered."""
    asks = unseen.asks
    if asks:
        asks = tuple(ask for ask in asks if slots.kinds[ask.code - SLOT].size)
    return Unseen(slots, asks, unseen.lost, unseen.proved)


def asked(unseen: Unseen, code: int, likes: int, ply: int, key: str) -> tuple[Unseen, int]:
    """Return what is known once a ply has asked a card to be one of ``likes``, and the card's slot from then on."""
    kinds = list(unseen.slots.kinds)
    kind = kinds[code - SLOT]
    before = [ask for ask in unseen.asks if ask.code == code]
    if not before and len(kinds) >= MOST_KINDS:
        return replace(unseen, lost=(*unseen.lost, (ply, key))), code
    if not before:
        kinds[code - SLOT] = Kind(kind.pool, kind.mask, kind.size - 1)
        code = SLOT + len(kinds)
        kinds.append(kind)
    wide = before[0].wide if before else kind.mask
    kinds[code - SLOT] = Kind(kind.pool, kind.mask & likes, 1)
    slots = Slots(tuple(kinds), unseen.slots.pools)
    return Unseen(slots, (*unseen.asks, Ask(ply, key, code, wide, likes)), unseen.lost, unseen.proved), code


def without(unseen: Unseen, gone: tuple[Ask, ...]) -> Unseen:
    """Return what is known if these questions are not taken to be answered well."""
    kinds, asks = list(unseen.slots.kinds), tuple(ask for ask in unseen.asks if ask not in gone)
    for one in gone:
        mask = one.wide
        for ask in asks:
            mask &= ask.likes if ask.code == one.code else -1
        kinds[one.code - SLOT] = Kind(kinds[one.code - SLOT].pool, mask, kinds[one.code - SLOT].size)
    return Unseen(Slots(tuple(kinds), unseen.slots.pools), asks, unseen.lost, unseen.proved)


def loosened(unseen: Unseen, zone: bytes) -> Unseen:
    """Return what is known once the cards of a zone can be told apart no more: their questions stay open for ever."""
    gone = tuple(ask for ask in unseen.asks if ask.code in zone)
    if not gone:
        return unseen
    after = without(unseen, gone)
    return replace(after, lost=after.lost + tuple((ask.ply, ask.key) for ask in gone))


def blamed(unseen: Unseen, zone: bytes, card: int, ply: int) -> tuple[Unseen, Left | None]:
    """Return what is known, and what is left of a zone without a card, once the plies are named that exclude it.

    One ply if taking one back is enough, else all of them together; None where even that does not help.
    """
    for gone in (*((ask,) for ask in unseen.asks), unseen.asks):
        loose = without(unseen, gone)
        taken = left(loose.slots, zone, 1 << card)
        if taken is not None:
            because = f"{name_of(card)} has come to light, which fits no reading on which this was legal"
            breach = Breach(tuple(ask.ply for ask in gone), gone[0].key, because, ply)
            return replace(loose, proved=(*loose.proved, breach)), taken
    return unseen, None


def open_at_end(unseen: Unseen) -> Pending:
    """Return the questions that have both answers if the record ends here."""
    still = list(unseen.lost)
    for ask in unseen.asks:
        kinds, at = list(unseen.slots.kinds), ask.code - SLOT
        kinds[at] = Kind(kinds[at].pool, ask.wide & ~ask.likes, kinds[at].size)
        slots = Slots(tuple(kinds), unseen.slots.pools)
        if fits(slots, kinds[at].pool):
            still.append((ask.ply, ask.key))
    return Pending(tuple(sorted(still))) if still else NOTHING_PENDING
