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
SIGHTING = "^"
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
        key: The key of the rule that a claim breaks if it is false; SIGHTING for a card seen in the hand.
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
        without_mate: The places that find no mate if all claims are true; if there are any, some claim is false.
        claims: The places of the claims that stand.
        counts: How many cards were drawn, left as the oldest, and left otherwise.
        order_known: Whether the order of the drawings is known.
        final_before: As long as all claims stand, whatever left before this place has its mate for good.
        older: The drawings before that place that may still be there, or may have left since as something else.
    """

    who: int
    lines: Rows[Entry] = ()
    mates: Rows[int] = ()
    free: tuple[tuple[int, int], ...] = ()
    without_mate: tuple[int, ...] = ()
    claims: tuple[int, ...] = ()
    counts: tuple[int, int, int] = (0, 0, 0)
    order_known: bool = True
    final_before: int = 0
    older: tuple[int, ...] = ()


def item_at(rows: Rows[T], place: int) -> T:
    """Return the item at a place (0 is the first) of rows that hold ROW items each. There must be one."""
    return rows[place // ROW][place % ROW]


def longer(rows: Rows[T], item: T) -> Rows[T]:
    """Return the rows with one item appended; full rows stay the same objects, and a new row begins after ROW items."""
    if rows and len(rows[-1]) < ROW:
        return (*rows[:-1], (*rows[-1], item))
    return (*rows, (item,))


def with_item(rows: Rows[T], place: int, item: T) -> Rows[T]:
    """Return the rows with the item at a place (0 is the first) replaced; there must be one there."""
    number, at = divmod(place, ROW)
    row = rows[number]
    return (*rows[:number], (*row[:at], item, *row[at + 1 :]), *rows[number + 1 :])


class MatchSearch:
    """A search for mates in a ledger, with the claims of some plies taken for true.

    A mate of a card that left is the drawing by which it came. The search finds augmenting paths as in bipartite
    matching.

    Attributes:
        new_mates: The mates that have changed, by place.
        free: The drawings without a mate.
        departure_count: How many cards have left, except as the oldest.
    """

    def __init__(self, ledger: Ledger, plies: Collection[int] | None) -> None:
        """Begin with the matching of a ledger.

        Args:
            ledger: The ledger.
            plies: The plies whose claims are taken for true, None for all.
        """
        self.lines, self.mates, self.order_known = ledger.lines, ledger.mates, ledger.order_known
        self.departure_count = ledger.counts[2]
        claims = [(place, item_at(ledger.lines, place)) for place in ledger.claims]
        self.claims = [(place, claim.cards) for place, claim in claims if plies is None or claim.ply in plies]
        self.standing = dict(self.claims)
        self.new_mates: dict[int, int] = {}
        self.free = {place for place, _ in ledger.free}
        self.final_before, self.older = (ledger.final_before, ledger.older) if plies is None else (0, ())
        self.step_count = 0
        self.free.update(place for place in ledger.without_mate if item_at(ledger.lines, place).what == DRAWN)

    def mate(self, place: int) -> int:
        """Return the place of the mate of the line at a place, by this search; -1 if it has none.

        The mate of a card that left is the drawing by which it came, and the other way round.
        """
        changed_mate = self.new_mates.get(place)
        return item_at(self.mates, place) if changed_mate is None else changed_mate

    def may_be(self, drawing: int, before: int | None = None) -> int:
        """Return what a drawing may be, as bits, if it has not left before a place and the claims are true.

        Args:
            drawing: The place of the drawing.
            before: The place; None for the end of the ledger.
        """
        cards = item_at(self.lines, drawing).cards
        for place, denied in self.claims:
            if place > drawing and (before is None or place < before):
                cards &= ~denied
        return cards

    def false_claims(self) -> set[int]:
        """Return the plies of the claims that are false if every card that left is the drawing that this matching says.

        All claims of the ledger are looked at, also those that the search does not take for true.
        """
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

    def find_mate(self, place: int) -> bool:
        """Find a mate for the line at a place if it needs one, and say whether it has one or needs none.

        A card that left needs a drawing. A drawing needs a mate only if it cannot be in the hand any more. What is
        found is put into ``new_mates``; other lines may get another mate for it.
        """
        if self.mate(place) >= 0:
            return True
        if item_at(self.lines, place).what != DRAWN:
            return self._match_departure(place)
        return self.may_be(place) > 0 or self._match_drawing(place)

    # --- what left ---

    def _match_departure(self, start: int) -> bool:
        """Give the card that left at place ``start`` a drawing; other cards that left may exchange theirs for it.

        Return False, and change nothing, if that is impossible. ``new_mates`` and ``free`` are changed otherwise.
        """
        came: dict[int, int] = {}
        waiting = [start]
        for place in waiting:
            free_drawing = self._free_drawing(place)
            if free_drawing >= 0:
                came[free_drawing] = place
                self.free.discard(free_drawing)
                self._augment(came, free_drawing)
                return True
            for drawing in self.possible_drawings(place):
                if drawing not in came:
                    came[drawing] = place
                    waiting.append(self.mate(drawing))
                    self.step_count += 1
        return False

    def _free_drawing(self, place: int) -> int:
        """Return the place of a drawing without a mate that may be the card that left at a place; -1 if there
        is none.
        """
        line = item_at(self.lines, place)
        near = (drawing for drawing in self.free if drawing < place and item_at(self.lines, drawing).cards & line.cards)
        fit = (
            drawing for drawing in near if self.fits_order(drawing, line) and self.may_be(drawing, place) & line.cards
        )
        return next(fit, -1)

    def possible_drawings(self, place: int) -> Iterator[int]:
        """Yield the places of the drawings that may be the card that left at a place, whether or not they have a mate.

        The latest comes first, as far as they are looked for one by one; those before ``final_before`` come last.
        """
        line = item_at(self.lines, place)
        cards = line.cards
        number, at = divmod(place, ROW)
        for row in range(number, self.final_before // ROW - 1, -1):
            lines, first = self.lines[row], row * ROW
            for drawing in range((at if row == number else len(lines)) - 1, -1, -1):
                other = lines[drawing]
                if other.what == DRAWN:
                    if other.cards & cards and self.fits_order(first + drawing, line):
                        yield first + drawing
                elif other.what == DENIED and first + drawing in self.standing:
                    cards &= ~other.cards
                    if not cards:
                        return
        for drawing in self.older if self.final_before else ():
            if self.may_be(drawing, place) & cards and self.fits_order(drawing, line):
                yield drawing

    def fits_order(self, drawing: int, line: Entry) -> bool:
        """Say whether a drawing may be the card that left in a line, as far as the order of drawings shows.

        Only a line OLDEST, the card drawn longest ago, depends on that order; any other line fits, and so does every
        line if the order is not known.
        """
        if line.what != OLDEST or not self.order_known:
            return True
        return line.first <= item_at(self.lines, drawing).first <= line.last

    def _augment(self, came: dict[int, int], end: int) -> None:
        """Give each line on a path the mate it was reached from.

        Args:
            came: By line, the line from which the search reached it.
            end: The last line of the path.
        """
        while end >= 0:
            place = came[end]
            before = self.mate(place)
            self.new_mates[place], self.new_mates[end] = end, place
            end = before

    # --- drawings that must have left ---

    def _match_drawing(self, start: int) -> bool:
        """Give the drawing at ``start``, which cannot be in the hand any more, a card that left; others may exchange
        theirs.

        Return False, and change nothing, if that is impossible. ``new_mates`` and ``free`` are changed otherwise.
        """
        came: dict[int, int] = {}
        waiting = [start]
        for drawing in waiting:
            for place in self._possible_departures(drawing):
                if place in came:
                    continue
                came[place] = drawing
                other = self.mate(place)
                if other < 0 or self.may_be(other):
                    if other >= 0:
                        self.new_mates[other] = -1
                        self.free.add(other)
                    self.free.discard(start)
                    self._augment(came, place)
                    return True
                waiting.append(other)
        return False

    def _possible_departures(self, drawing: int) -> Iterator[int]:
        """Yield the places of the cards that left and may be the drawing at a place, the earliest first.

        It ends at the first claim that rules out every card that the drawing may be.
        """
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
                elif line.what != DRAWN and line.cards & cards and self.fits_order(drawing, line):
                    yield first + place


class HandHistory:
    """What a hand may have held at each place of its ledger, if no claim is taken for true.

    Two drawings are of one *group* if each may have been what the other left as. Drawings that may still be there are
    *loose* (group -1). A hand may have held a card at a place if a drawing before it may be this card, and is loose or
    in a group with one that left after it, unseen or as this card.
    """

    def __init__(self, search: MatchSearch, since: int = 0) -> None:
        """Find the loose drawings.

        Args:
            search: The matching of the ledger, without claims.
            since: The place from which cards that left are looked at.
        """
        self.search, self.lines = search, [line for row in search.lines for line in row]
        self.oldest_departures: list[int] = []
        self.departures: dict[int, list[int]] = {}
        for place in range(since, len(self.lines)):
            line = self.lines[place]
            if line.what == OLDEST and search.order_known:
                self.oldest_departures.append(place)
            elif line.what in (LEFT, OLDEST):
                self.departures.setdefault(line.cards, []).append(place)
        self.waiting = {cards: places.copy() for cards, places in self.departures.items()}
        self.group = dict.fromkeys(sorted(self._search_postorder(sorted(search.free), {-1: 0})), -1)
        self.spans: dict[int, list[tuple[int, int]]] = {}

    def find_final_part(self) -> tuple[int, tuple[int, ...]]:
        """Return (place, drawings): before that place, whatever left has its mate for good.

        The drawings are those before it that may still be there or may have left since, the loose ones.
        """
        departures = filter(lambda at: at >= 0, map(self.search.mate, self.group))
        first = min(departures, default=len(self.lines))
        return first, tuple(drawing for drawing in self.group if drawing < first)

    def may_have_held(self, place: int, cards: int) -> bool:
        """Say whether the hand may have held at least one of some cards (bits) at a place of the ledger, if no claim
        counts.

        ``group_drawings`` must have been called before.
        """
        for drawing, group in self.group.items():
            if drawing >= place or group >= 0:
                break
            if self.lines[drawing].cards & cards:
                return True
        return any(self._may_have_held_card(place, card) for card in range(78) if cards >> card & 1)

    def _may_have_held_card(self, place: int, card: int) -> bool:
        """Say whether the hand may have held a card (its code) at a place; loose drawings are not looked at."""
        if card not in self.spans:
            self.spans[card] = self._spans(1 << card)
        return any(first < place < last for first, last in self.spans[card])

    def _spans(self, card: int) -> list[tuple[int, int]]:
        """Return pairs of places between which a group of drawings may have been this card (one bit) in the hand.

        The first place is that of the earliest drawing of the group that may be the card, the second that of the last
        departure with which the group may have left.
        """
        first, last = dict[int, int](), {-1: len(self.lines)}
        may = [place for place in self.drawings if self.lines[place].cards & card]
        for place in may:
            first.setdefault(self.group[place], place)
        for place in (*self.departures.get(card, ()), *self.departures.get(ANY, ())):
            group = self._group_at(place)
            last[group] = max(last.get(group, place), place)
        spans = [(first[group], last[group]) for group in first if group in last]
        if self.oldest_departures:
            pairs = ((place, at) for place in may for at in self._departures_as_oldest(place, card))
            spans += [(place, at) for place, at in pairs if self._group_at(at) == self.group[place]]
        return spans

    def _group_at(self, place: int) -> int:
        """Return the group of the drawing that is the mate of the card that left at a place; -1 if it is loose."""
        return self.group[self.search.mate(place)]

    def _departures_as_oldest(self, drawing: int, cards: int = -1) -> list[int]:
        """Return the places where a drawing may have left as the oldest card, and as one of some cards.

        ``cards`` are bits, -1 for any. It is [] if no card left as the oldest.
        """
        if not self.oldest_departures:
            return []
        entry = self.lines[drawing]
        places = self.oldest_departures[max(entry.first - self.search.departure_count - 1, 0) : entry.first]
        fits = (at for at in places if at > drawing and self.lines[at].cards & entry.cards & cards)
        return [at for at in fits if self.search.fits_order(drawing, self.lines[at])]

    # --- groups ---

    def group_drawings(self) -> None:
        """Put every drawing that is not loose in a group, in ``group``, under the place of one drawing of it; fill
        ``drawings``.

        Groups are the strongly connected components of the drawings that may have changed places.

        Source: S. R. Kosaraju, by A. V. Aho, J. E. Hopcroft and J. D. Ullman, Data Structures and Algorithms (1983).
        """
        self.drawings = [place for place, line in enumerate(self.lines) if line.what == DRAWN]
        drawings = [place for place in self.drawings if place not in self.group]
        done = self._search_postorder(drawings, self.group.copy())
        may = {cards: [at for at in reversed(drawings) if self.lines[at].cards & cards] for cards in self.departures}
        for first in reversed(done):
            todo = [first]
            for drawing in todo:
                if drawing not in self.group:
                    self.group[drawing] = first
                    todo += self._predecessors(self.search.mate(drawing), may)

    def _search_postorder(self, starts: list[int], visited: dict[int, int]) -> list[int]:
        """Return the drawings reached from these by depth-first search, each after those that were reached from it.

        Args:
            starts: The drawings.
            visited: The drawings not to be entered; those reached are added as keys.
        """
        done: list[int] = []
        for start in starts:
            todo = [(start, self._successors(start))] if start not in visited else []
            visited[start] = 0
            while todo:
                drawing, others = todo[-1]
                unvisited = next((other for other in others if other not in visited), None)
                if unvisited is None:
                    done.append(drawing)
                    todo.pop()
                else:
                    visited[unvisited] = 0
                    todo.append((unvisited, self._successors(unvisited)))
        return done

    def _successors(self, drawing: int) -> Iterator[int]:
        """Yield the drawings that left after this one came, as something that this one may be.

        So they may have changed places with it. A search gets each of them once, because it is taken off ``waiting``.
        """
        for at in self._departures_as_oldest(drawing):
            yield self.search.mate(at)
        for cards, places in self.waiting.items():
            while cards & self.lines[drawing].cards and places and places[-1] > drawing:
                yield self.search.mate(places.pop())

    def _predecessors(self, place: int, may: dict[int, list[int]]) -> Iterator[int]:
        """Yield drawings that may be what left at a place.

        Args:
            place: The place.
            may: By the cards something left as (bits), the drawings that may be it; those yielded are removed.
        """
        line = self.lines[place]
        if line.what == OLDEST and self.oldest_departures:
            yield from self.search.possible_drawings(place)
            return
        while may[line.cards] and may[line.cards][-1] < place:
            yield may[line.cards].pop()
