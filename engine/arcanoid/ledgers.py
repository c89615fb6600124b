"""A ledger of a hand nobody saw, and a matching of what left with what was drawn.

A *ledger* has every card drawn, every card that left and every claim, in order. A *reading* gives each card that left a
drawing before it, and no two the same; a drawing still there at a claim held none of the cards it denies.

What left must have a drawing, and a drawing that can hold nothing a claim allows must have left in time. The ledger
keeps a matching for all its claims, and every line adds to it: a way is sought from the line to a drawing that is still
there, each step of it giving a drawing to another card that left. The same matching is a start for any of the claims,
because fewer claims forbid less.

Source: N. S. Mendelsohn and A. L. Dulmage, Some generalizations of the problem of distinct representatives (1958).
"""

from collections.abc import Collection, Iterator
from typing import TypeAlias, TypeVar

from msgspec import Struct

DRAWN, LEFT, DENIED, OLDEST = range(4)
SEEN = "^"
"""The key of a card that is seen in a hand: its line says that it leaves, the next one that it comes."""

ANY = (1 << 78) - 1
"""What a card may be that left unseen."""

ROW = 64
T = TypeVar("T")
Rows: TypeAlias = tuple[tuple[T, ...], ...]
"""Many things in order, so many in a row: one more, or another in a place, leaves the other rows as they are."""


class Entry(Struct, frozen=True, gc=False):
    """A line of a ledger.

    Attributes:
        what: DRAWN, LEFT, DENIED, or OLDEST for the card that left as the one drawn longest ago.
        cards: What the card drawn or gone may be, or the cards denied, as bits.
        ply: The ply of a claim.
        key: The key of the rule that a claim breaks if it is false.
        first: The number of a drawing; of an OLDEST, the first drawing it may be by their order.
        last: The number of a drawing; of an OLDEST, the last drawing it may be by their order.
    """

    what: int
    cards: int
    ply: int = 0
    key: str = ""
    first: int = 0
    last: int = 0


class Ledger(Struct, frozen=True, gc=False):
    """The lines of the hand of a seat or daemon, in order; a place is the number of a line, from 0.

    Attributes:
        who: The seat or daemon.
        lines: The lines themselves.
        mates: By place, which drawing left here, or where this drawing left; -1 for none.
        free: Pairs of a drawing that is still there and what it may be if all claims are true, in order.
        unplaced: Lines that find no mate if all claims are true, so that not all of them are.
        claims: The places of the claims that stand.
        counts: How many cards were drawn, left as the oldest, and left otherwise.
        ordered: Whether the order of the drawings is known.
        settled: As long as all claims stand, whatever left before this place has its mate for good.
        older: The drawings before that place that may still be there, or may have left since as something else.
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


def item_at(rows: Rows[T], place: int) -> T:
    """Return the thing in a place."""
    return rows[place // ROW][place % ROW]


def longer(rows: Rows[T], item: T) -> Rows[T]:
    """Return the rows with one thing more."""
    if rows and len(rows[-1]) < ROW:
        return (*rows[:-1], (*rows[-1], item))
    return (*rows, (item,))


def with_item(rows: Rows[T], place: int, item: T) -> Rows[T]:
    """Return the rows with another thing in a place."""
    number, at = divmod(place, ROW)
    row = rows[number]
    return (*rows[:number], (*row[:at], item, *row[at + 1 :]), *rows[number + 1 :])


class Seeking:
    """A ledger's matching while mates are sought, with the claims of some plies taken for true.

    Attributes:
        changed: the mates that have changed.
        free: the drawings without a mate.
        left: how many cards have left, except the oldest.
    """

    def __init__(self, ledger: Ledger, plies: Collection[int] | None) -> None:
        """Begin with the matching of a ledger, and with the claims of some plies, None for all."""
        self.lines, self.mates, self.ordered = ledger.lines, ledger.mates, ledger.ordered
        self.left = ledger.counts[2]
        claims = [(place, item_at(ledger.lines, place)) for place in ledger.claims]
        self.claims = [(place, claim.cards) for place, claim in claims if plies is None or claim.ply in plies]
        self.standing = dict(self.claims)
        self.changed: dict[int, int] = {}
        self.free = {place for place, _ in ledger.free}
        self.settled, self.older = (ledger.settled, ledger.older) if plies is None else (0, ())
        self.looked = 0
        self.free.update(place for place in ledger.unplaced if item_at(ledger.lines, place).what == DRAWN)

    def mate(self, place: int) -> int:
        """Return the mate of a line, -1 for none."""
        changed_mate = self.changed.get(place)
        return item_at(self.mates, place) if changed_mate is None else changed_mate

    def may_be(self, drawing: int, before: int | None = None) -> int:
        """Return what a drawing may be if it is still there at a place, as bits; None for the end."""
        cards = item_at(self.lines, drawing).cards
        for place, denied in self.claims:
            if place > drawing and (before is None or place < before):
                cards &= ~denied
        return cards

    def plainly_false(self) -> set[int]:
        """Return the plies of claims that are false as the mates are."""
        hand: dict[int, int] = {}
        false = set[int]()
        for place, line in enumerate(line for row in self.lines for line in row):
            if line.what == DRAWN:
                mate = self.mate(place)
                hand[place] = line.cards & (ANY if mate < 0 else item_at(self.lines, mate).cards)
            elif line.what != DENIED:
                del hand[self.mate(place)]
            elif any(cards & line.cards for cards in hand.values()):
                false.add(line.ply)
        return false

    def placed(self, place: int) -> bool:
        """Find a mate for what left, or for a drawing that must have left; say whether there is one."""
        if self.mate(place) >= 0:
            return True
        if item_at(self.lines, place).what != DRAWN:
            return self._left(place)
        return self.may_be(place) > 0 or self._gone(place)

    # --- what left ---

    def _left(self, start: int) -> bool:
        came: dict[int, int] = {}
        waiting = [start]
        for place in waiting:
            free_drawing = self._still_there(place)
            if free_drawing >= 0:
                came[free_drawing] = place
                self.free.discard(free_drawing)
                self._give(came, free_drawing)
                return True
            for drawing in self.drawings(place):
                if drawing not in came:
                    came[drawing] = place
                    waiting.append(self.mate(drawing))
                    self.looked += 1
        return False

    def _still_there(self, place: int) -> int:
        """Return a drawing that is still there and may be what left at a place; -1 for none."""
        line = item_at(self.lines, place)
        near = (drawing for drawing in self.free if drawing < place and item_at(self.lines, drawing).cards & line.cards)
        fit = (drawing for drawing in near if self.in_order(drawing, line) and self.may_be(drawing, place) & line.cards)
        return next(fit, -1)

    def drawings(self, place: int) -> Iterator[int]:
        """Yield the drawings that may be what left at a place, the latest first."""
        line = item_at(self.lines, place)
        cards = line.cards
        number, at = divmod(place, ROW)
        for row in range(number, self.settled // ROW - 1, -1):
            lines, first = self.lines[row], row * ROW
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
        """Say whether a drawing may be what left as far as their order tells."""
        if line.what != OLDEST or not self.ordered:
            return True
        return line.first <= item_at(self.lines, drawing).first <= line.last

    def _give(self, came: dict[int, int], end: int) -> None:
        """Make each end of a way the mate of what it was reached from, back to where the way began."""
        while end >= 0:
            place = came[end]
            before = self.mate(place)
            self.changed[place], self.changed[end] = end, place
            end = before

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
                    if other >= 0:
                        self.changed[other] = -1
                        self.free.add(other)
                    self.free.discard(start)
                    self._give(came, place)
                    return True
                waiting.append(other)
        return False

    def _leaves(self, drawing: int) -> Iterator[int]:
        """Yield the places of what left and may be this drawing."""
        cards = item_at(self.lines, drawing).cards
        number, at = divmod(drawing, ROW)
        for row in range(number, len(self.lines)):
            lines, first = self.lines[row], row * ROW
            for place in range(at + 1 if row == number else 0, len(lines)):
                line = lines[place]
                if line.what == DENIED:
                    cards &= ~line.cards if first + place in self.standing else -1
                    if not cards:
                        return
                elif line.what != DRAWN and line.cards & cards and self.in_order(drawing, line):
                    yield first + place


class HandHistory:
    """What a hand may have held at each place, no claim taken for true.

    Drawings may change places where a way leads from each to the other; those that may still be there are *loose*. A
    card was in the hand at a place on some reading if a drawing before it may be this card and is loose, or may change
    places with one that left after it, unseen or as this card.
    """

    def __init__(self, seeking: Seeking, since: int = 0) -> None:
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
        entry = self.lines[drawing]
        places = self.oldest[max(entry.first - self.seeking.left - 1, 0) : entry.first]
        fits = (at for at in places if at > drawing and self.lines[at].cards & entry.cards & cards)
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

    def _leading(self, starts: list[int], visited: dict[int, int]) -> list[int]:
        """Return the drawings from which ways lead to these, each after those that lead to it."""
        done: list[int] = []
        for start in starts:
            todo = [(start, self._after(start))] if start not in visited else []
            visited[start] = 0
            while todo:
                drawing, others = todo[-1]
                unvisited = next((other for other in others if other not in visited), None)
                if unvisited is None:
                    done.append(drawing)
                    todo.pop()
                else:
                    visited[unvisited] = 0
                    todo.append((unvisited, self._after(unvisited)))
        return done

    def _after(self, drawing: int) -> Iterator[int]:
        """Yield drawings that left after this one and may have been in its place, each card's once."""
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
