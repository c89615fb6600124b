"""What was said of a hand nobody saw, and whether what came and went since leaves it true.

A hand with claims about it has a ledger from the first of them on. A claim is false once no reading of the ledger
without the other claims bears it: so one breach never hides another.
"""

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from cartulary.engine.arcanoid.ledgers import (
    ANY,
    DENIED,
    DRAWN,
    LEFT,
    OLDEST,
    ROW,
    SEEN,
    Entry,
    HandHistory,
    Ledger,
    Rows,
    Seeking,
    item_at,
    longer,
    with_item,
)
from cartulary.engine.contract import Breach

_FAR = 64
"""How many drawings are looked at before it is asked which of them are settled."""


def entries_of(ledger: Ledger) -> list[Entry]:
    """Return the lines of a ledger that stand, as they were noted."""
    lines = [line for row in ledger.lines for line in row if line.what != DENIED or line.cards]
    return [replace(line, first=0, last=0) if line.last else line for line in lines]


def claims_of(ledger: Ledger) -> dict[int, str]:
    """Return the plies of the claims about a hand, with their keys."""
    claims = (item_at(ledger.lines, place) for place in ledger.claims)
    return {claim.ply: claim.key for claim in claims}


def cards_denied(ledger: Ledger) -> int:
    """Return the cards a hand is said not to hold, as bits."""
    cards = 0
    for place in ledger.claims:
        cards |= item_at(ledger.lines, place).cards
    return cards


# --- a line more ---


def add_entries(ledger: Ledger, *entries: Entry) -> Ledger:
    """Return the ledger with lines more, each with its mate."""
    for entry in entries:
        ledger = _noted(ledger, entry)
    return ledger


def _noted(ledger: Ledger, entry: Entry) -> Ledger:
    drawn, oldest, left = ledger.counts
    lines, mates, free, unplaced = ledger.lines, ledger.mates, ledger.free, ledger.unplaced
    place = len(lines) * ROW - ROW + len(lines[-1]) if lines else 0
    claims, ordered, mate = ledger.claims, ledger.ordered, -1
    search: tuple[int, ...] = ()
    if entry.what == DRAWN:
        drawn += 1
        entry = Entry(DRAWN, entry.cards, entry.ply, entry.key, drawn, drawn)
        free = (*free, (place, entry.cards))
        search = () if entry.cards else (place,)
    elif entry.what == DENIED:
        claims = (*claims, place)
        free = tuple((drawing, cards & ~entry.cards) for drawing, cards in free)
        search = tuple(drawing for drawing, cards in free if not cards)
    else:
        if entry.key == SEEN and ordered:
            ordered, search = False, unplaced
        if entry.what == OLDEST:
            oldest += 1
            entry = Entry(OLDEST, entry.cards, entry.ply, entry.key, oldest, oldest + left)
        else:
            left += 1
        mate = _taken(lines, free, entry, ordered)
        if mate < 0:
            search += (place,)
        else:
            mates = with_item(mates, mate, place)
            free = tuple([pair for pair in free if pair[0] != mate])
    after = Ledger(
        ledger.who,
        longer(lines, entry),
        longer(mates, mate),
        free,
        unplaced,
        claims,
        (drawn, oldest, left),
        ordered,
        ledger.settled if ordered == ledger.ordered else 0,
        ledger.older,
    )
    return _placed(after, search) if search else after


def _taken(lines: Rows[Entry], free: tuple[tuple[int, int], ...], entry: Entry, ordered: bool) -> int:
    """Return the drawing from which an entry takes its card, -1 for none.

    Of the drawings that may have been the card, it is the one that may be the fewest cards: so the others stay free for
    more. Only when the oldest card has left is it the first of them.
    """
    if entry.what == OLDEST:
        for drawing, cards in free:
            number = item_at(lines, drawing).first
            if cards & entry.cards and (not ordered or entry.first <= number <= entry.last):
                return drawing
        return -1
    may = [(cards.bit_count(), drawing) for drawing, cards in free if cards & entry.cards]
    return min(may)[1] if may else -1


def _placed(ledger: Ledger, places: tuple[int, ...]) -> Ledger:
    """Return the ledger once mates were sought for these lines; those that find none are unplaced."""
    seeking = Seeking(ledger, None)
    unplaced = [place for place in ledger.unplaced if place not in places]
    unplaced += [place for place in places if not seeking.placed(place)]
    mates = ledger.mates
    for place, mate in seeking.changed.items():
        mates = with_item(mates, place, mate)
    free = tuple((place, seeking.may_be(place)) for place in sorted(seeking.free) if place not in unplaced)
    settled, older = ledger.settled, ledger.older
    if seeking.looked > _FAR:
        settled, older = HandHistory(seeking, settled).settled()
    return replace(ledger, mates=mates, free=free, unplaced=tuple(unplaced), settled=settled, older=older)


def without(ledger: Ledger, plies: Collection[int]) -> Ledger:
    """Return the ledger without the claims of these plies."""
    gone = [place for place in ledger.claims if item_at(ledger.lines, place).ply in plies]
    if not gone:
        return ledger
    lines = ledger.lines
    for place in gone:
        lines = with_item(lines, place, Entry(DENIED, 0))
    claims = tuple(place for place in ledger.claims if place not in gone)
    return _placed(replace(ledger, lines=lines, claims=claims, settled=0), ledger.unplaced)


def name_departed(ledger: Ledger, ply: int, cards: bytes) -> tuple[Ledger, bytes]:
    """Return the ledger with these cards as those that left unseen by the word of a ply, and which of them did."""
    entries = entries_of(ledger)
    unseen = [at for at, entry in enumerate(entries) if (entry.what, entry.cards, entry.ply) == (LEFT, ANY, ply)]
    for at, card in zip(unseen, cards, strict=False):
        entries[at] = Entry(LEFT, 1 << card, ply)
    return add_entries(Ledger(ledger.who), *entries), cards[: len(unseen)]


# --- what is asked of it ---


def bears(ledger: Ledger, plies: Collection[int]) -> bool:
    """Say whether some reading leaves the claims of these plies true."""
    if not ledger.unplaced:
        return True
    seeking = Seeking(ledger, plies)
    return all(map(seeking.placed, ledger.unplaced))


def clash(ledger: Ledger, plies: Sequence[int]) -> tuple[int, ...]:
    """Return plies whose claims cannot all be true though those of each alone may; none if all may.

    The last of them is the first claim that cannot be true with all before it, and so on with those left.
    """
    if bears(ledger, plies):
        return ()
    # Bisection: with the claims of ``core``, how many from the front can still be true together? The first that cannot
    # belongs to the clash, and the search goes on in front of it. That asks the
    # matching about log n times for each claim of the clash. Example: of plies 3, 5 and 9, those of 3 and 9 cannot both
    # be true; 9 is found first, then 3, and 5 is never part of it.
    core: list[int] = []
    while bears(ledger, core):
        low, high = 0, len(plies)
        while low < high:
            middle = (low + high) // 2
            if bears(ledger, [*plies[:middle], *core]):
                low = middle + 1
            else:
                high = middle
        core = [plies[low - 1], *core]
        plies = plies[: low - 1]
    return tuple(core)


def _false(ledger: Ledger, plies: Sequence[int]) -> Iterator[int]:
    """Yield the plies whose claims no reading bears."""
    if not plies or bears(ledger, plies):
        return
    if len(plies) == 1:
        yield plies[0]
        return
    middle = len(plies) // 2
    yield from _false(ledger, plies[:middle])
    yield from _false(ledger, plies[middle:])


def breaches(ledger: Ledger, decided_by: int, because: str, known: Collection[tuple[int, ...]]) -> Iterator[Breach]:
    """Yield the claims about a hand that its last line proves false; known: plies said of before."""
    plies = claims_of(ledger)
    false = list(_false(ledger, tuple(plies)))
    yield from (Breach((ply,), plies[ply], because, decided_by) for ply in false)
    together = clash(ledger, [ply for ply in plies if ply not in false])
    if together and together not in known:
        yield Breach(together, plies[together[0]], because, decided_by)


# --- what is never answered ---


def open_claims(ledger: Ledger) -> tuple[tuple[int, str], ...]:
    """Return the ply and key of every claim about a hand that may be false."""
    if not ledger.claims:
        return ()
    seeking = Seeking(ledger, ())
    if not all(map(seeking.placed, ledger.unplaced)):
        return ()
    claims = [(place, item_at(ledger.lines, place)) for place in ledger.claims]
    may = seeking.plainly_false()
    if any(claim.ply not in may for _, claim in claims):
        held = HandHistory(seeking)
        held.grouped()
        may |= {claim.ply for place, claim in claims if claim.ply not in may and held.any(place, claim.cards)}
    return tuple((ply, key) for ply, key in claims_of(ledger).items() if ply in may)
