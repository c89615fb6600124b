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
    SIGHTING,
    Entry,
    HandHistory,
    Ledger,
    MatchSearch,
    Rows,
    item_at,
    longer,
    with_item,
)
from cartulary.engine.contract import Breach

_FAR = 64
"""How many drawings are looked at before it is asked which of them are settled."""


def entries_of(ledger: Ledger) -> list[Entry]:
    """Return all lines of a ledger in the order in which they were added: drawings, departures and claims.

    Claims that were removed are left out. The numbers of drawings, ``first`` and ``last``, are 0 in every line.
    """
    lines = [line for row in ledger.lines for line in row if line.what != DENIED or line.cards]
    return [replace(line, first=0, last=0) if line.last else line for line in lines]


def claims_of(ledger: Ledger) -> dict[int, str]:
    """Return {ply: key of the rule that is broken if the claim is false} for the claims of a ledger that stand."""
    claims = (item_at(ledger.lines, place) for place in ledger.claims)
    return {claim.ply: claim.key for claim in claims}


def denied_cards(ledger: Ledger) -> int:
    """Return all cards that any standing claim says the hand lacks, as bits; 0 without claims."""
    cards = 0
    for place in ledger.claims:
        cards |= item_at(ledger.lines, place).cards
    return cards


# --- a line more ---


def add_entries(ledger: Ledger, *entries: Entry) -> Ledger:
    """Return the ledger with these lines added at its end in order, each matched with another line if that
    can be done.
    """
    for entry in entries:
        ledger = _add_entry(ledger, entry)
    return ledger


def _add_entry(ledger: Ledger, entry: Entry) -> Ledger:
    """Return the ledger with one line added; a claim narrows what the drawings still in the hand may be.

    A line that finds no partner at once is searched for by ``_match_lines``.
    """
    drawn_count, oldest_count, other_count = ledger.counts
    lines, mates, free, without_mate = ledger.lines, ledger.mates, ledger.free, ledger.without_mate
    place = len(lines) * ROW - ROW + len(lines[-1]) if lines else 0
    claims, order_known, mate = ledger.claims, ledger.order_known, -1
    to_match: tuple[int, ...] = ()
    if entry.what == DRAWN:
        drawn_count += 1
        entry = Entry(DRAWN, entry.cards, entry.ply, entry.key, drawn_count, drawn_count)
        free = (*free, (place, entry.cards))
        to_match = () if entry.cards else (place,)
    elif entry.what == DENIED:
        claims = (*claims, place)
        free = tuple((drawing, cards & ~entry.cards) for drawing, cards in free)
        to_match = tuple(drawing for drawing, cards in free if not cards)
    else:
        if entry.key == SIGHTING and order_known:
            order_known, to_match = False, without_mate
        if entry.what == OLDEST:
            oldest_count += 1
            entry = Entry(OLDEST, entry.cards, entry.ply, entry.key, oldest_count, oldest_count + other_count)
        else:
            other_count += 1
        mate = _choose_drawing(lines, free, entry, order_known)
        if mate < 0:
            to_match += (place,)
        else:
            mates = with_item(mates, mate, place)
            free = tuple([pair for pair in free if pair[0] != mate])
    after = Ledger(
        ledger.who,
        longer(lines, entry),
        longer(mates, mate),
        free,
        without_mate,
        claims,
        (drawn_count, oldest_count, other_count),
        order_known,
        ledger.final_before if order_known == ledger.order_known else 0,
        ledger.older,
    )
    return _match_lines(after, to_match) if to_match else after


def _choose_drawing(lines: Rows[Entry], free: tuple[tuple[int, int], ...], entry: Entry, order_known: bool) -> int:
    """Return the drawing from which an entry takes its card, -1 for none.

    Of the drawings that may have been the card, it is the one that may be the fewest cards: so the others stay free for
    more. Only when the oldest card has left is it the first of them.
    """
    if entry.what == OLDEST:
        for drawing, cards in free:
            number = item_at(lines, drawing).first
            if cards & entry.cards and (not order_known or entry.first <= number <= entry.last):
                return drawing
        return -1
    may = [(cards.bit_count(), drawing) for drawing, cards in free if cards & entry.cards]
    return min(may)[1] if may else -1


def _match_lines(ledger: Ledger, places: tuple[int, ...]) -> Ledger:
    """Return the ledger after a mate was sought for the lines at these places, as if all claims were true.

    Those that find none are in ``without_mate``, so that some claim is false. The ledger that is passed stays as it is.
    """
    search = MatchSearch(ledger, None)
    without_mate = [place for place in ledger.without_mate if place not in places]
    without_mate += [place for place in places if not search.find_mate(place)]
    mates = ledger.mates
    for place, mate in search.new_mates.items():
        mates = with_item(mates, place, mate)
    free = tuple((place, search.may_be(place)) for place in sorted(search.free) if place not in without_mate)
    final_before, older = ledger.final_before, ledger.older
    if search.step_count > _FAR:
        final_before, older = HandHistory(search, final_before).find_final_part()
    return replace(
        ledger, mates=mates, free=free, without_mate=tuple(without_mate), final_before=final_before, older=older
    )


def without_claims(ledger: Ledger, plies: Collection[int]) -> Ledger:
    """Return the ledger without the claims of these plies; their lines stay in it, and deny no card.

    It is the same ledger if it has no claim of these plies.
    """
    places = [place for place in ledger.claims if item_at(ledger.lines, place).ply in plies]
    if not places:
        return ledger
    lines = ledger.lines
    for place in places:
        lines = with_item(lines, place, Entry(DENIED, 0))
    claims = tuple(place for place in ledger.claims if place not in places)
    return _match_lines(replace(ledger, lines=lines, claims=claims, final_before=0), ledger.without_mate)


def name_departed(ledger: Ledger, ply: int, cards: bytes) -> tuple[Ledger, bytes]:
    """Replace cards that left a hand unseen by the cards they turned out to be.

    Args:
        ledger: The ledger of the hand.
        ply: The ply by which they left.
        cards: What they were.

    Returns:
        The ledger, and those of the cards that left by that ply; fewer if fewer did.
    """
    entries = entries_of(ledger)
    unseen = [at for at, entry in enumerate(entries) if (entry.what, entry.cards, entry.ply) == (LEFT, ANY, ply)]
    for at, card in zip(unseen, cards, strict=False):
        entries[at] = Entry(LEFT, 1 << card, ply)
    return add_entries(Ledger(ledger.who), *entries), cards[: len(unseen)]


# --- what is asked of it ---


def can_all_hold(ledger: Ledger, plies: Collection[int]) -> bool:
    """Say whether the claims of these plies can all be true at once; all other claims count as if they had not been
    made.

    Nothing is changed.
    """
    if not ledger.without_mate:
        return True
    search = MatchSearch(ledger, plies)
    return all(map(search.find_mate, ledger.without_mate))


def find_clash(ledger: Ledger, plies: Sequence[int]) -> tuple[int, ...]:
    """Return a minimal group of these plies whose claims cannot all be true together; () if all of them can.

    ``plies`` are in ascending order, and so is the answer. It is minimal: without any one of them the others can be
    true.
    """
    if can_all_hold(ledger, plies):
        return ()
    # Bisection: with the claims of ``core``, how many from the front can still be true together? The first that cannot
    # belongs to the clash, and the search goes on in front of it. That asks the
    # matching about log n times for each claim of the clash. Example: of plies 3, 5 and 9, those of 3 and 9 cannot both
    # be true; 9 is found first, then 3, and 5 is never part of it.
    core: list[int] = []
    while can_all_hold(ledger, core):
        low, high = 0, len(plies)
        while low < high:
            middle = (low + high) // 2
            if can_all_hold(ledger, [*plies[:middle], *core]):
                low = middle + 1
            else:
                high = middle
        core = [plies[low - 1], *core]
        plies = plies[: low - 1]
    return tuple(core)


def _refuted_plies(ledger: Ledger, plies: Sequence[int]) -> Iterator[int]:
    """Yield those of the plies whose claim is false by itself, whatever the other claims say.

    The plies are tested in groups that are halved, so many true claims cost few tests.
    """
    if not plies or can_all_hold(ledger, plies):
        return
    if len(plies) == 1:
        yield plies[0]
        return
    middle = len(plies) // 2
    yield from _refuted_plies(ledger, plies[:middle])
    yield from _refuted_plies(ledger, plies[middle:])


def find_breaches(
    ledger: Ledger, decided_by: int, because: str, known_plies: Collection[tuple[int, ...]]
) -> Iterator[Breach]:
    """Yield the claims about a hand that can no longer be true: each that is false alone, then one group that clashes.

    Args:
        ledger: The ledger of the hand after its last line.
        decided_by: The ply that proves them false.
        because: What that ply showed, as a sentence.
        known_plies: The groups of plies that were reported before.
    """
    plies = claims_of(ledger)
    false = list(_refuted_plies(ledger, tuple(plies)))
    yield from (Breach((ply,), plies[ply], because, decided_by) for ply in false)
    together = find_clash(ledger, [ply for ply in plies if ply not in false])
    if together and together not in known_plies:
        yield Breach(together, plies[together[0]], because, decided_by)


# --- what is never answered ---


def open_claims(ledger: Ledger) -> tuple[tuple[int, str], ...]:
    """Return the claims about a hand that may still turn out false, as pairs of their ply and the key of their rule.

    It is empty without claims, and also where the ledger contradicts itself even without its claims.
    """
    if not ledger.claims:
        return ()
    search = MatchSearch(ledger, ())
    if not all(map(search.find_mate, ledger.without_mate)):
        return ()
    claims = [(place, item_at(ledger.lines, place)) for place in ledger.claims]
    may = search.false_claims()
    if any(claim.ply not in may for _, claim in claims):
        history = HandHistory(search)
        history.group_drawings()
        may |= {
            claim.ply for place, claim in claims if claim.ply not in may and history.may_have_held(place, claim.cards)
        }
    return tuple((ply, key) for ply, key in claims_of(ledger).items() if ply in may)
