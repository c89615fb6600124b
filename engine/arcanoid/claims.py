"""What was said of a hand nobody saw, and whether what came and went since leaves it true.

A hand with claims about it has a *ledger* from the first of them on: its cards then, and every card drawn, every card
that left and every claim, in order. A *reading* gives each card that left a drawing before it, and no two the same; a
drawing still there at a claim held none of the cards it denies. A claim is false once no reading of the ledger without
the other claims bears it: so one breach never hides another.

Whether a reading exists is a matching. What left must have a drawing, and a drawing that can hold nothing a claim
allows must have left in time; a matching that covers the one side and a matching that covers the other make one that
covers both.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from cartulary.engine.contract import Breach

DRAWN, LEFT, DENIED, OLDEST = range(4)
SEEN = "^"
"""The key of a card that is seen in a hand: its line says that it leaves, the next one that it comes."""

ANY = (1 << 78) - 1
"""What a card may be that left unseen."""


class Entry(Struct, frozen=True, gc=False):
    """A line of a ledger. cards: those drawn or gone may be, those denied; ply, key: of a claim.

    what: DRAWN, LEFT, DENIED, or OLDEST for the card that left as the one drawn longest ago
    """

    what: int
    cards: int
    ply: int = 0
    key: str = ""


class Ledger(Struct, frozen=True, gc=False):
    """The lines of a seat's or daemon's hand, in order.

    reading: what the drawings still there may be on one reading that bears all claims; None where none is at hand,
    though there may be one
    """

    who: int
    entries: tuple[Entry, ...] = ()
    reading: tuple[int, ...] | None = ()


def noted(ledger: Ledger, *entries: Entry) -> Ledger:
    """Return the ledger with lines more, its reading read on as long as that is easy."""
    reading = ledger.reading
    for entry in entries:
        if reading is None:
            break
        reading = _read_on(reading, entry)
    return Ledger(ledger.who, (*ledger.entries, *entries), reading)


def _read_on(reading: tuple[int, ...], entry: Entry) -> tuple[int, ...] | None:
    """Return a reading after a line more: of the drawings that may have left, the one that may be least leaves."""
    if entry.what == DRAWN:
        return (*reading, entry.cards)
    if entry.what == DENIED:
        allowed = tuple(drawing & ~entry.cards for drawing in reading)
        return None if 0 in allowed else allowed
    there = reading[:1] if entry.what == OLDEST else reading
    may = [drawing for drawing in there if drawing & entry.cards]
    if not may:
        return None
    at = reading.index(min(may, key=int.bit_count))
    return reading[:at] + reading[at + 1 :]


def claimed(ledger: Ledger) -> dict[int, str]:
    """Return the plies of the claims about a hand, with their keys."""
    return {entry.ply: entry.key for entry in ledger.entries if entry.what == DENIED}


def bears(entries: Sequence[Entry], plies: Collection[int]) -> bool:
    """Say whether some reading leaves the claims of these plies true.

    Source: N. S. Mendelsohn and A. L. Dulmage, Some generalizations of the problem of distinct representatives (1958).
    """
    return _matched(*_edges(entries, plies))


def may_be_false(entries: Sequence[Entry], ply: int) -> bool:
    """Say whether on some reading the hand held, at the claims of a ply, what they deny."""
    if _easily_false(entries, ply):
        return True
    edges, forced, leaves = _edges(entries, ())
    for at, claim in enumerate(entries):
        if claim.what != DENIED or claim.ply != ply:
            continue
        for drawing in edges:
            cards = entries[drawing].cards & claim.cards
            if drawing > at or not cards:
                continue
            later = {leave for leave in edges[drawing] if leave > at and entries[leave].cards & cards}
            if _matched(edges | {drawing: later}, forced, leaves):
                return True
            # It may also have stayed for good; then nothing that left is it.
    return False


def _easily_false(entries: Sequence[Entry], ply: int) -> bool:
    """Say whether reading on as it is easy gives such a reading; False proves nothing."""
    reading: tuple[int, ...] = ()
    held = 0
    for entry in entries:
        if entry.what != DENIED:
            after = _read_on(reading, entry)
            if after is None:
                return False
            reading = after
        elif entry.ply == ply and not held:
            may = [drawing & entry.cards for drawing in reading]
            held = max(may, key=int.bit_count, default=0)
            if held:
                at = may.index(held)
                reading = (*reading[:at], held, *reading[at + 1 :])
    return held > 0


def unanswered(ledger: Ledger) -> tuple[tuple[int, str], ...]:
    """Return the ply and key of every claim about a hand that may be false."""
    return tuple((ply, key) for ply, key in claimed(ledger).items() if may_be_false(ledger.entries, ply))


def clash(entries: Sequence[Entry], plies: Iterable[int]) -> tuple[int, ...]:
    """Return plies whose claims cannot all be true though those of each alone may; none if all may."""
    kept = list(plies)
    if bears(entries, kept):
        return ()
    for ply in reversed(kept.copy()):
        fewer = [other for other in kept if other != ply]
        if not bears(entries, fewer):
            kept = fewer
    return tuple(kept)


def breaches(ledger: Ledger, decided_by: int, because: str, known: Collection[tuple[int, ...]]) -> Iterator[Breach]:
    """Yield the claims about a hand that its last line proves false; known: plies said of before."""
    plies = claimed(ledger)
    false = [ply for ply in plies if not bears(ledger.entries, (ply,))]
    yield from (Breach((ply,), plies[ply], because, decided_by) for ply in false)
    together = clash(ledger.entries, [ply for ply in plies if ply not in false])
    if together and together not in known:
        yield Breach(together, plies[together[0]], because, decided_by)


def without(ledger: Ledger, plies: Collection[int]) -> Ledger:
    """Return the ledger without the claims of these plies."""
    kept = tuple(entry for entry in ledger.entries if entry.what != DENIED or entry.ply not in plies)
    return noted(Ledger(ledger.who), *kept)


# --- the matching ---


def _edges(
    entries: Sequence[Entry], plies: Collection[int]
) -> tuple[dict[int, set[int]], tuple[int, ...], tuple[int, ...]]:
    """Return for each drawing what may have been it when it left, the drawings that must have left, and what left."""
    edges: dict[int, set[int]] = {}
    forced = []
    leaves = tuple(at for at, entry in enumerate(entries) if entry.what in (LEFT, OLDEST))
    turns = _turns(entries)
    order = 0
    for at, drawing in enumerate(entries):
        if drawing.what != DRAWN:
            continue
        order += 1
        may, found = drawing.cards, set[int]()
        for later in range(at + 1, len(entries)):
            entry = entries[later]
            if entry.what == DENIED and entry.ply in plies:
                may &= ~entry.cards
            elif entry.what in (LEFT, OLDEST) and entry.cards & may and order in turns.get(later, (order,)):
                found.add(later)
        edges[at] = found
        if not may:
            forced.append(at)
    return edges, tuple(forced), leaves


def _turns(entries: Sequence[Entry]) -> dict[int, range]:
    """Return which drawings, counted in order, what left as the oldest may be; none where the order is not known."""
    if any(entry.key == SEEN for entry in entries):
        return {}
    turns, gone, others = {}, 0, 0
    for at, entry in enumerate(entries):
        others += entry.what == LEFT
        if entry.what == OLDEST:
            gone += 1
            turns[at] = range(gone, gone + others + 1)
    return turns


def _matched(edges: dict[int, set[int]], forced: tuple[int, ...], leaves: tuple[int, ...]) -> bool:
    back: dict[int, set[int]] = {leave: set() for leave in leaves}
    for drawing, found in edges.items():
        for leave in found:
            back[leave].add(drawing)
    return _covers(back, leaves) and _covers(edges, forced)


def _covers(edges: dict[int, set[int]], nodes: Iterable[int]) -> bool:
    """Say whether each of these nodes can have a partner of its own."""
    partner: dict[int, int] = {}

    def found(node: int, tried: set[int]) -> bool:
        for other in edges[node] - tried:
            tried.add(other)
            if other not in partner or found(partner[other], tried):
                partner[other] = node
                return True
        return False

    return all(found(node, set()) for node in nodes)
