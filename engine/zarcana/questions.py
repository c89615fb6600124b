"""Questions that turn on one unknown card lying open: which plies they are of, and which a later card answers.

The card has a kind of slots for itself, whose mask is what it may be if every such ply was legal.
"""

from msgspec.structs import replace

from cartulary.engine.contract import NOTHING_PENDING, Breach, Pending
from cartulary.engine.readings import states_of
from cartulary.engine.slots import MOST_KINDS, SLOT, Left, Slots, fits, is_slot, left, restricted, set_apart
from cartulary.engine.zarcana.cards import name_of
from cartulary.engine.zarcana.state import Ask, Either, State, Unseen


def with_slots(unseen: Unseen, slots: Slots) -> Unseen:
    """Return what is known with other slots; a question whose card has come to light is answered."""
    asks = unseen.asks
    if asks:
        asks = tuple(ask for ask in asks if slots.kinds[ask.code - SLOT].size)
    return replace(unseen, slots=slots, asks=asks)


def apart(unseen: Unseen, code: int) -> tuple[Unseen, int]:
    """Return what is known once one of the cards of a slot has a slot for itself, and which it is."""
    if unseen.slots.kinds[code - SLOT].size == 1 or len(unseen.slots.kinds) >= MOST_KINDS:
        return unseen, code
    slots, own = set_apart(unseen.slots, code)
    return replace(unseen, slots=slots), own


def taken_as(unseen: Unseen, code: int, cards: int) -> Unseen:
    """Return what is known if the card of a slot of its own is one of these; all as it was if it has none."""
    alone = unseen.slots.kinds[code - SLOT].size == 1
    return replace(unseen, slots=restricted(unseen.slots, code, cards)) if alone else unseen


def with_question(unseen: Unseen, ply: int, key: str, code: int, likes: int) -> Unseen:
    """Return what is known once a ply has asked the card of a slot: it was legal with the cards it likes.

    A slot that is not one card's alone leaves the question open for ever.
    """
    kind = unseen.slots.kinds[code - SLOT] if code >= SLOT else None
    if kind is None or kind.size != 1:
        return replace(unseen, dropped=(*unseen.dropped, (ply, key)))
    wide = next((ask.wide for ask in unseen.asks if ask.code == code), kind.mask)
    slots = restricted(unseen.slots, code, kind.mask & likes)
    return replace(unseen, slots=slots, asks=(*unseen.asks, Ask(ply, key, code, wide, likes, likes)))


def without(unseen: Unseen, gone: tuple[Ask, ...]) -> Unseen:
    """Return what is known if these questions are not taken to be answered well, in whatever reading."""
    slots = unseen.slots
    asks = tuple(replace(ask, took=ask.likes) for ask in unseen.asks if ask not in gone)
    for question in unseen.asks:
        if question in gone or question.took != question.likes:
            mask = question.wide
            for ask in asks:
                mask &= ask.likes if ask.code == question.code else -1
            slots = restricted(slots, question.code, mask)
    return replace(unseen, slots=slots, asks=asks)


def loosen(unseen: Unseen, zone: bytes) -> Unseen:
    """Return what is known once the cards of a zone can be told apart no more: their questions stay open for ever."""
    dim = tuple(question for question in unseen.either if any(code in zone for code in question.codes))
    if dim:
        dropped = unseen.dropped + tuple((question.ply, question.key) for question in dim)
        unseen = replace(
            unseen, dropped=dropped, either=tuple(question for question in unseen.either if question not in dim)
        )
    gone = tuple(ask for ask in unseen.asks if ask.code in zone)
    if not gone:
        return unseen
    after = without(unseen, gone)
    return replace(after, dropped=after.dropped + tuple((ask.ply, ask.key) for ask in gone))


def told_apart(unseen: Unseen, zone: bytes, card: int) -> Unseen:
    """Return what is known once a card leaves a zone: which of its slots it was may be nothing anybody can tell."""
    if not unseen.asks and not unseen.either:
        return unseen
    slots = unseen.slots
    may = {code for code in zone if is_slot(code) and slots.kinds[code - SLOT].mask >> card & 1}
    may = {code for code in may if card in slots.pools[slots.kinds[code - SLOT].pool]}
    return loosen(unseen, bytes(may)) if len(may) > 1 else unseen


def with_either(unseen: Unseen, question: Either) -> Unseen:
    """Return what is known once a ply has asked several cards whether one of them is the one it names."""
    kinds = unseen.slots.kinds
    if len(set(question.codes)) < len(question.codes) or any(kinds[code - SLOT].size != 1 for code in question.codes):
        return replace(unseen, dropped=(*unseen.dropped, (question.ply, question.key)))
    return replace(unseen, either=(*unseen.either, question))


def settled(unseen: Unseen, code: int, card: int, ply: int) -> Unseen:
    """Return what is known of questions of several cards once a slot has come to light as a card."""
    for question in unseen.either:
        if card != question.card and code not in question.codes:
            continue
        rest = question.codes.replace(bytes((code,)), b"")
        unseen = replace(unseen, either=tuple(other for other in unseen.either if other is not question))
        if card == question.card and code in question.codes:
            continue
        may = [left for left in rest if unseen.slots.kinds[left - SLOT].mask >> question.card & 1]
        if card == question.card or not may:
            because = (
                f"{name_of(card)} has come to light, so no card that lay face up then was {name_of(question.card)}"
            )
            unseen = replace(unseen, proved=(*unseen.proved, Breach((question.ply,), question.key, because, ply)))
        elif len(rest) == 1:
            unseen = with_question(unseen, question.ply, question.key, rest[0], 1 << question.card)
        else:
            unseen = replace(unseen, either=(*unseen.either, Either(question.ply, question.key, rest, question.card)))
    return unseen


def strays(unseen: Unseen, zone: bytes, card: int) -> bool:
    """Say whether a card of a zone fits the questions, and only not what this reading took the answers to be."""
    if all(ask.took == ask.likes for ask in unseen.asks):
        return False
    return left(without(unseen, ()).slots, zone, 1 << card) is not None


def blame(unseen: Unseen, zone: bytes, card: int, ply: int) -> tuple[Unseen, Left | None]:
    """Return what is known, and what is left of a zone without a card, once the plies are named that exclude it.

    One ply if taking one back is enough, else all of them together; None where even that does not help.
    """
    # Invariant: the mask of a slot of its own is what the card may be if every ply that asked it was legal. A card that
    # no mask allows proves that one ply was not. Example: plies 7 and 9 both need the card on e1 to be a Cup, and 5D
    # comes to light there: taking one of them back does not explain it, so all are named.
    for gone in (*((ask,) for ask in unseen.asks), unseen.asks):
        loose = without(unseen, gone)
        taken = left(loose.slots, zone, 1 << card) if gone else None
        if taken is not None:
            so = "these plies cannot all have been legal" if len(gone) > 1 else "this cannot have been legal"
            because = f"{name_of(card)} has come to light, so {so}"
            breach = Breach(tuple(ask.ply for ask in gone), gone[0].key, because, ply)
            return replace(loose, proved=(*loose.proved, breach)), taken
    return unseen, None


def pending(state: State) -> Pending:
    """Return the questions that have both answers if the record ends here, in any reading."""
    still = {question for reading in states_of(state) for question in _open(reading.unseen)}
    known = {(breach.plies[0], breach.key) for breach in state.unseen.proved if len(breach.plies) == 1}
    return Pending(tuple(sorted(still - known))) if still else NOTHING_PENDING


def _open(unseen: Unseen) -> list[tuple[int, str]]:
    still = [*unseen.dropped, *((question.ply, question.key) for question in unseen.either)]
    for ask in unseen.asks:
        slots = restricted(unseen.slots, ask.code, ask.wide & ~ask.likes)
        if fits(slots, slots.kinds[ask.code - SLOT].pool):
            still.append((ask.ply, ask.key))
    return still
