"""What was said of a hand nobody saw, and whether what came and went since leaves it true.

A hand with claims about it has a *ledger* from the first of them on: its cards then, and every card drawn, every card
that left and every claim, in order. A *reading* gives each card that left a drawing before it, and no two the same; a
drawing still there at a claim held none of the cards it denies. A claim is false once no reading of the ledger without
the other claims bears it: so one breach never hides another.

Whether a reading exists is a matching. What left must have a drawing, and a drawing that can hold nothing a claim
allows must have left in time. The ledger keeps a matching for all its claims, and every line adds to it: a way is
sought from the line to a drawing that is still there, each step of it giving a drawing to another card that left. The
same matching is a start for any of the claims, because fewer claims forbid less.

Source: N. S. Mendelsohn and A. L. Dulmage, Some generalizations of the problem of distinct representatives (1958).
"""

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.contract import Breach

DRAWN, LEFT, DENIED, OLDEST = range(4)
SEEN = "^"
"""The key of a card that is seen in a hand: its line says that it leaves, the next one that it comes."""

ANY = (1 << 78) - 1
"""What a card may be that left unseen."""

_ROW = _FAR = 64
T = TypeVar("T")
Rows: TypeAlias = tuple[tuple[T, ...], ...]
"""Many things in order, so many in a row: one more, or another in a place, leaves the other rows as they are."""


class Entry(Struct, frozen=True, gc=False):
    """A line of a ledger. cards: those drawn or gone may be, those denied; ply, key: of a claim.

    what: DRAWN, LEFT, DENIED, or OLDEST for the card that left as the one drawn longest ago
    first, last: of a drawing, its number; of an OLDEST, the drawings it may be by their order; ``noted`` counts them
    """

    what: int
    cards: int
    ply: int = 0
    key: str = ""
    first: int = 0
    last: int = 0


class Ledger(Struct, frozen=True, gc=False):
    """The lines of a seat's or daemon's hand, in order; a place is the number of a line, from 0.

    mates: by place, what left as this drawing, or which drawing this was that left; -1 for none
    free: (place, cards) of the drawings still there, in order, and what they may be if all claims are true
    unplaced: lines that find no mate if all claims are true, so that not all are
    claims: the places of the claims that stand; counts: how many were drawn, left as the oldest, left otherwise
    ordered: whether the order of the drawings is known
    settled: as long as all claims stand, whatever left before this place has its mate for good
    older: the drawings before that place that may still be there, or may have left since as something else
    """

    who: int
    lines: Rows[Entry] = ()
    mates: Rows[int] = ()
    free: tuple[tuple[int, int], ...] = ()
    unplaced: tuple[int, ...] = ()
    claims: tuple[int, ...] = ()
    counts: tuple[int, int, int] = (0, 0, 0)
    ordered: bool = True
    settled: int = 0
    older: tuple[int, ...] = ()


def _at(rows: Rows[T], place: int) -> T:
    return rows[place // _ROW][place % _ROW]


def _longer(rows: Rows[T], item: T) -> Rows[T]:
    if rows and len(rows[-1]) < _ROW:
        return (*rows[:-1], (*rows[-1], item))
    return (*rows, (item,))


def _changed(rows: Rows[T], place: int, item: T) -> Rows[T]:
    number, at = divmod(place, _ROW)
    row = rows[number]
    return (*rows[:number], (*row[:at], item, *row[at + 1 :]), *rows[number + 1 :])


def entries_of(ledger: Ledger) -> list[Entry]:
    """Return the lines of a ledger that stand, as they were noted."""
    lines = [line for row in ledger.lines for line in row if line.what != DENIED or line.cards]
    return [replace(line, first=0, last=0) if line.last else line for line in lines]


def claimed(ledger: Ledger) -> dict[int, str]:
    """Return the plies of the claims about a hand, with their keys."""
    claims = (_at(ledger.lines, place) for place in ledger.claims)
    return {claim.ply: claim.key for claim in claims}


def denied(ledger: Ledger) -> int:
    """Return the cards a hand is said not to hold, as bits."""
    cards = 0
    for place in ledger.claims:
        cards |= _at(ledger.lines, place).cards
    return cards


# --- a line more ---


def noted(ledger: Ledger, *entries: Entry) -> Ledger:
    """Return the ledger with lines more, each with its mate."""
    for entry in entries:
        ledger = _noted(ledger, entry)
    return ledger


def _noted(ledger: Ledger, entry: Entry) -> Ledger:
    drawn, oldest, left = ledger.counts
    lines, mates, free, unplaced = ledger.lines, ledger.mates, ledger.free, ledger.unplaced
    place = len(lines) * _ROW - _ROW + len(lines[-1]) if lines else 0
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
            mates = _changed(mates, mate, place)
            free = tuple(one for one in free if one[0] != mate)
    after = Ledger(
        ledger.who,
        _longer(lines, entry),
        _longer(mates, mate),
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
    """Return the drawing still there that may be least, or the first where the oldest left; -1 for none."""
    if entry.what == OLDEST:
        for drawing, cards in free:
            number = _at(lines, drawing).first
            if cards & entry.cards and (not ordered or entry.first <= number <= entry.last):
                return drawing
        return -1
    may = [(cards.bit_count(), drawing) for drawing, cards in free if cards & entry.cards]
    return min(may)[1] if may else -1


def _placed(ledger: Ledger, places: tuple[int, ...]) -> Ledger:
    """Return the ledger once mates were sought for these lines; those that find none are unplaced."""
    seeking = _Seeking(ledger, None)
    unplaced = [place for place in ledger.unplaced if place not in places]
    unplaced += [place for place in places if not seeking.placed(place)]
    mates = ledger.mates
    for place, mate in seeking.changed.items():
        mates = _changed(mates, place, mate)
    free = tuple((place, seeking.may_be(place)) for place in sorted(seeking.free) if place not in unplaced)
    settled, older = ledger.settled, ledger.older
    if seeking.looked > _FAR:
        settled, older = _Held(seeking, settled).settled()
    return replace(ledger, mates=mates, free=free, unplaced=tuple(unplaced), settled=settled, older=older)


def without(ledger: Ledger, plies: Collection[int]) -> Ledger:
    """Return the ledger without the claims of these plies."""
    gone = [place for place in ledger.claims if _at(ledger.lines, place).ply in plies]
    if not gone:
        return ledger
    lines = ledger.lines
    for place in gone:
        lines = _changed(lines, place, Entry(DENIED, 0))
    claims = tuple(place for place in ledger.claims if place not in gone)
    return _placed(replace(ledger, lines=lines, claims=claims, settled=0), ledger.unplaced)


def recalled(ledger: Ledger, ply: int, cards: bytes) -> tuple[Ledger, bytes]:
    """Return the ledger with these cards as those that left unseen by the word of a ply, and which of them did."""
    entries = entries_of(ledger)
    unseen = [at for at, one in enumerate(entries) if (one.what, one.cards, one.ply) == (LEFT, ANY, ply)]
    for at, card in zip(unseen, cards, strict=False):
        entries[at] = Entry(LEFT, 1 << card, ply)
    return noted(Ledger(ledger.who), *entries), cards[: len(unseen)]


class _Seeking:
    """A ledger's matching while mates are sought, with the claims of some plies taken for true.

    changed: the mates that have changed; free: the drawings without one; left: how many left, but for the oldest
    """

    def __init__(self, ledger: Ledger, plies: Collection[int] | None) -> None:
        """Begin with the matching of a ledger. plies: None for all claims."""
        self.lines, self.mates, self.ordered = ledger.lines, ledger.mates, ledger.ordered
        self.left = ledger.counts[2]
        claims = [(place, _at(ledger.lines, place)) for place in ledger.claims]
        self.claims = [(place, one.cards) for place, one in claims if plies is None or one.ply in plies]
        self.standing = dict(self.claims)
        self.changed: dict[int, int] = {}
        self.free = {place for place, _ in ledger.free}
        self.settled, self.older = (ledger.settled, ledger.older) if plies is None else (0, ())
        self.looked = 0
        self.free.update(place for place in ledger.unplaced if _at(ledger.lines, place).what == DRAWN)

    def mate(self, place: int) -> int:
        found = self.changed.get(place)
        return _at(self.mates, place) if found is None else found

    def may_be(self, drawing: int, before: int | None = None) -> int:
        """Return what a drawing may be if it is still there at a place, as bits; None for the end."""
        cards = _at(self.lines, drawing).cards
        for place, denied in self.claims:
            if place > drawing and (before is None or place < before):
                cards &= ~denied
        return cards

    def plainly_false(self) -> set[int]:
        """Return the plies of claims that are false as the mates are."""
        there: dict[int, int] = {}
        false = set[int]()
        for place, line in enumerate(line for row in self.lines for line in row):
            if line.what == DRAWN:
                mate = self.mate(place)
                there[place] = line.cards & (ANY if mate < 0 else _at(self.lines, mate).cards)
            elif line.what != DENIED:
                del there[self.mate(place)]
            elif any(cards & line.cards for cards in there.values()):
                false.add(line.ply)
        return false

    def placed(self, place: int) -> bool:
        """Find a mate for what left, or for a drawing that must have left; say whether there is one."""
        if self.mate(place) >= 0:
            return True
        if _at(self.lines, place).what != DRAWN:
            return self._left(place, _at(self.lines, place))
        return self.may_be(place) > 0 or self._gone(place)

    # --- what left ---

    def _left(self, start: int, line: Entry) -> bool:
        found = self._still_there(start, line)
        if found >= 0:
            self._give({found: start}, found)
            return True
        came: dict[int, int] = {}
        waiting = [start]
        for place in waiting:
            for drawing in self.drawings(place):
                if drawing in came:
                    continue
                came[drawing] = place
                other = self.mate(drawing)
                found = drawing if other < 0 else self._still_there(other, _at(self.lines, other))
                if found >= 0:
                    came.setdefault(found, other)
                    self._give(came, found)
                    return True
                waiting.append(other)
                self.looked += 1
        return False

    def _still_there(self, place: int, line: Entry) -> int:
        """Return a drawing that is still there and may be what left at a place; -1 for none."""
        for drawing in self.free:
            if drawing < place and _at(self.lines, drawing).cards & line.cards and self.in_order(drawing, line):
                cards = self.may_be(drawing, place)
                if cards & line.cards:
                    return drawing
        return -1

    def drawings(self, place: int) -> Iterator[int]:
        """Yield the drawings that may be what left at a place, the latest first."""
        line = _at(self.lines, place)
        cards = line.cards
        number, at = divmod(place, _ROW)
        for row in range(number, self.settled // _ROW - 1, -1):
            lines, first = self.lines[row], row * _ROW
            for drawing in range((at if row == number else len(lines)) - 1, -1, -1):
                other = lines[drawing]
                if other.what == DRAWN:
                    if other.cards & cards and self.in_order(first + drawing, line):
                        yield first + drawing
                elif other.what == DENIED and first + drawing in self.standing:
                    cards &= ~other.cards
                    if not cards:
                        return
        for drawing in self.older if self.settled else ():
            if self.may_be(drawing, place) & cards and self.in_order(drawing, line):
                yield drawing

    def in_order(self, drawing: int, line: Entry) -> bool:
        if line.what != OLDEST or not self.ordered:
            return True
        return line.first <= _at(self.lines, drawing).first <= line.last

    def _give(self, came: dict[int, int], drawing: int) -> None:
        """Make each drawing on a way the mate of what it was reached from; the last one was still there."""
        self.free.discard(drawing)
        while drawing >= 0:
            place = came[drawing]
            before = self.mate(place)
            self.changed[place], self.changed[drawing] = drawing, place
            drawing = before

    # --- drawings that must have left ---

    def _gone(self, start: int) -> bool:
        came: dict[int, int] = {}
        waiting = [start]
        for drawing in waiting:
            for place in self._leaves(drawing):
                if place in came:
                    continue
                came[place] = drawing
                other = self.mate(place)
                if other < 0 or self.may_be(other):
                    self._take(came, place, other)
                    return True
                waiting.append(other)
        return False

    def _leaves(self, drawing: int) -> Iterator[int]:
        """Yield the places of what left and may be this drawing."""
        cards = _at(self.lines, drawing).cards
        number, at = divmod(drawing, _ROW)
        for row in range(number, len(self.lines)):
            lines, first = self.lines[row], row * _ROW
            for place in range(at + 1 if row == number else 0, len(lines)):
                line = lines[place]
                if line.what == DENIED:
                    cards &= ~line.cards if first + place in self.standing else -1
                    if not cards:
                        return
                elif line.what != DRAWN and line.cards & cards and self.in_order(drawing, line):
                    yield first + place

    def _take(self, came: dict[int, int], place: int, freed: int) -> None:
        """Make each drawing on a way the mate of what it reached; the last one reached is still there then."""
        if freed >= 0:
            self.changed[freed] = -1
            self.free.add(freed)
        while place >= 0:
            drawing = came[place]
            before = self.mate(drawing)
            self.changed[place], self.changed[drawing] = drawing, place
            place = before
        self.free.discard(drawing)


# --- what is asked of it ---


def bears(ledger: Ledger, plies: Collection[int]) -> bool:
    """Say whether some reading leaves the claims of these plies true."""
    if not ledger.unplaced:
        return True
    seeking = _Seeking(ledger, plies)
    return all(map(seeking.placed, ledger.unplaced))


def clash(ledger: Ledger, plies: Sequence[int]) -> tuple[int, ...]:
    """Return plies whose claims cannot all be true though those of each alone may; none if all may.

    The last of them is the first claim that cannot be true with all before it, and so on with those left.
    """
    if bears(ledger, plies):
        return ()
    kept: list[int] = []
    while bears(ledger, kept):
        low, high = 0, len(plies)
        while low < high:
            middle = (low + high) // 2
            if bears(ledger, [*plies[:middle], *kept]):
                low = middle + 1
            else:
                high = middle
        kept = [plies[low - 1], *kept]
        plies = plies[: low - 1]
    return tuple(kept)


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
    plies = claimed(ledger)
    false = list(_false(ledger, tuple(plies)))
    yield from (Breach((ply,), plies[ply], because, decided_by) for ply in false)
    together = clash(ledger, [ply for ply in plies if ply not in false])
    if together and together not in known:
        yield Breach(together, plies[together[0]], because, decided_by)


# --- what is never answered ---


def unanswered(ledger: Ledger) -> tuple[tuple[int, str], ...]:
    """Return the ply and key of every claim about a hand that may be false."""
    if not ledger.claims:
        return ()
    seeking = _Seeking(ledger, ())
    if not all(map(seeking.placed, ledger.unplaced)):
        return ()
    claims = [(place, _at(ledger.lines, place)) for place in ledger.claims]
    may = seeking.plainly_false()
    if any(claim.ply not in may for _, claim in claims):
        held = _Held(seeking)
        held.grouped()
        may |= {claim.ply for place, claim in claims if claim.ply not in may and held.any(place, claim.cards)}
    return tuple((ply, key) for ply, key in claimed(ledger).items() if ply in may)


class _Held:
    """What a hand may have held at each place, no claim taken for true.

    Drawings may change places where a way leads from each to the other; those that may still be there are *loose*. A
    card was in the hand at a place on some reading if a drawing before it may be this card and is loose, or may change
    places with one that left behind it, unseen or as this card.
    """

    def __init__(self, seeking: _Seeking, since: int = 0) -> None:
        self.seeking, self.lines = seeking, [line for row in seeking.lines for line in row]
        self.oldest: list[int] = []
        self.left: dict[int, list[int]] = {}
        for place in range(since, len(self.lines)):
            line = self.lines[place]
            if line.what == OLDEST and seeking.ordered:
                self.oldest.append(place)
            elif line.what in (LEFT, OLDEST):
                self.left.setdefault(line.cards, []).append(place)
        self.waiting = {cards: places.copy() for cards, places in self.left.items()}
        self.group = dict.fromkeys(sorted(self._leading(sorted(seeking.free), {-1: 0})), -1)
        self.spans: dict[int, list[tuple[int, int]]] = {}

    def settled(self) -> tuple[int, tuple[int, ...]]:
        """Return the first place where a loose drawing left, the end where none did, and the loose ones before it."""
        left = filter(lambda at: at >= 0, map(self.seeking.mate, self.group))
        first = min(left, default=len(self.lines))
        return first, tuple(drawing for drawing in self.group if drawing < first)

    def any(self, place: int, cards: int) -> bool:
        """Say whether on some reading the hand held one of these cards at a place."""
        for drawing, group in self.group.items():
            if drawing >= place or group >= 0:
                break
            if self.lines[drawing].cards & cards:
                return True
        return any(self._held(place, card) for card in range(78) if cards >> card & 1)

    def _held(self, place: int, card: int) -> bool:
        if card not in self.spans:
            self.spans[card] = self._spans(1 << card)
        return any(first < place < last for first, last in self.spans[card])

    def _spans(self, card: int) -> list[tuple[int, int]]:
        """Return from where to where a group may have been this card."""
        first, last = dict[int, int](), {-1: len(self.lines)}
        may = [place for place in self.drawings if self.lines[place].cards & card]
        for place in may:
            first.setdefault(self.group[place], place)
        for place in (*self.left.get(card, ()), *self.left.get(ANY, ())):
            group = self._group_at(place)
            last[group] = max(last.get(group, place), place)
        spans = [(first[group], last[group]) for group in first if group in last]
        if self.oldest:
            left = ((place, at) for place in may for at in self._oldest(place, card))
            spans += [(place, at) for place, at in left if self._group_at(at) == self.group[place]]
        return spans

    def _group_at(self, place: int) -> int:
        return self.group[self.seeking.mate(place)]

    def _oldest(self, drawing: int, cards: int = -1) -> list[int]:
        """Return the places where this drawing may have left as the oldest, and as one of these cards."""
        if not self.oldest:
            return []
        there = self.lines[drawing]
        places = self.oldest[max(there.first - self.seeking.left - 1, 0) : there.first]
        fits = (at for at in places if at > drawing and self.lines[at].cards & there.cards & cards)
        return [at for at in fits if self.seeking.in_order(drawing, self.lines[at])]

    # --- groups ---

    def grouped(self) -> None:
        """Group the drawings that are not loose, each group by one of them.

        Source: S. R. Kosaraju, by A. V. Aho, J. E. Hopcroft and J. D. Ullman, Data Structures and Algorithms (1983).
        """
        self.drawings = [place for place, line in enumerate(self.lines) if line.what == DRAWN]
        drawings = [place for place in self.drawings if place not in self.group]
        done = self._leading(drawings, self.group.copy())
        may = {cards: [at for at in reversed(drawings) if self.lines[at].cards & cards] for cards in self.left}
        for first in reversed(done):
            todo = [first]
            for drawing in todo:
                if drawing not in self.group:
                    self.group[drawing] = first
                    todo += self._before(self.seeking.mate(drawing), may)

    def _leading(self, starts: list[int], seen: dict[int, int]) -> list[int]:
        """Return the drawings from which ways lead to these, each behind those that lead to it."""
        done: list[int] = []
        for start in starts:
            todo = [(start, self._after(start))] if start not in seen else []
            seen[start] = 0
            while todo:
                drawing, others = todo[-1]
                found = next((other for other in others if other not in seen), None)
                if found is None:
                    done.append(drawing)
                    todo.pop()
                else:
                    seen[found] = 0
                    todo.append((found, self._after(found)))
        return done

    def _after(self, drawing: int) -> Iterator[int]:
        """Yield drawings that left behind this one and may have been in its place, each card's once."""
        for at in self._oldest(drawing):
            yield self.seeking.mate(at)
        for cards, places in self.waiting.items():
            while cards & self.lines[drawing].cards and places and places[-1] > drawing:
                yield self.seeking.mate(places.pop())

    def _before(self, place: int, may: dict[int, list[int]]) -> Iterator[int]:
        """Yield drawings that may be what left at a place, each card's once."""
        line = self.lines[place]
        if line.what == OLDEST and self.oldest:
            yield from self.seeking.drawings(place)
            return
        while may[line.cards] and may[line.cards][-1] < place:
            yield may[line.cards].pop()
