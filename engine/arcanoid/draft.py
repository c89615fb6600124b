"""A record's state while a word is applied: its cards on their way, and the first rule the word breaks.

Nothing outside this folder sees a draft; it begins as a copy of a state and ends as another state.
"""

from typing import NoReturn

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.arcanoid.cards import name_of
from cartulary.engine.arcanoid.moves import DAEMON, ROW
from cartulary.engine.arcanoid.state import Commitment, Doubt, Due, House, Side, State, who_name
from cartulary.engine.contract import Breach
from cartulary.engine.slots import MOST_KINDS, SLOT, UNKNOWN, Kind, Slots, fits, is_slot, left, seen, some_left

IMPOSSIBLE = "record.impossible"


class Fault(Struct, frozen=True, gc=False):
    """The first rule a word breaks, without the game's name; blocks: nothing can be applied."""

    key: str
    because: str
    blocks: bool = False


class Blocked(Exception):
    """What a word says cannot have happened."""


class Seat:
    """A side while a word is applied; the fields are those of ``Side``."""

    __slots__ = Side.__struct_fields__

    def __init__(self, side: Side) -> None:
        """Copy a side."""
        self.hand, self.open = side.hand, side.open
        self.size, self.wide = side.size, side.wide
        self.reserve: bytes | None = side.reserve
        self.fields: tuple[Commitment | None, ...] = side.fields
        self.hermit, self.spent, self.plays = side.hermit, side.spent, side.plays

    def frozen(self) -> Side:
        """Return the side as it is now."""
        return Side(
            self.hand,
            self.open,
            self.size,
            self.wide,
            self.reserve,
            self.fields,
            self.hermit,
            self.spent,
            self.plays,
        )


class Draft:
    """A state while a word is applied; the attributes are those of ``State``, and ``fault``, the first rule broken."""

    __slots__ = (*State.__struct_fields__, "changed", "fault", "open")

    def __init__(self, state: State) -> None:
        """Copy a state."""
        self.house: House = state.house
        self.sides = state.sides
        self.deck, self.pile, self.row, self.aside = state.deck, state.pile, state.row, state.aside
        self.gone, self.devil, self.temper, self.touched = state.gone, state.devil, state.temper, state.touched
        self.dead, self.turn, self.mover, self.extra = state.dead, state.turn, state.mover, state.extra
        self.dues: list[Due] = list(state.dues)
        self.told, self.round, self.lap, self.begun = state.told, state.round, state.lap, state.begun
        self.clock, self.ply, self.wins, self.slots = state.clock, state.ply, state.wins, state.slots
        self.doubts, self.proved, self.ended = state.doubts, state.proved, state.ended
        self.changed: dict[int, Seat] = {}
        self.fault: Fault | None = None
        self.open: tuple[str, int] | None = None

    def frozen(self) -> State:
        """Return the state as it is now."""
        sides = self.sides
        if self.changed:
            changed = list(sides)
            for at, seat in self.changed.items():
                changed[at] = seat.frozen()
            sides = tuple(changed)
        return State(
            self.house,
            sides,
            self.deck,
            self.pile,
            self.row,
            self.aside,
            self.gone,
            self.devil,
            self.temper,
            self.touched,
            self.dead,
            self.turn,
            self.mover,
            self.extra,
            tuple(self.dues),
            self.told,
            self.round,
            self.lap,
            self.begun,
            self.clock,
            self.ply,
            self.wins,
            self.slots,
            self.doubts,
            self.proved,
            self.ended,
        )

    # --- sides ---

    def seat(self, who: int) -> Seat:
        """Return a seat or daemon, to be changed."""
        at = who - 1 if who < DAEMON else self.house.seats + who - DAEMON - 1
        seat = self.changed.get(at)
        if seat is None:
            seat = self.changed[at] = Seat(self.sides[at])
        return seat

    def peek(self, who: int) -> "Seat | Side":
        """Return a seat or daemon, only to be looked at."""
        at = who - 1 if who < DAEMON else self.house.seats + who - DAEMON - 1
        return self.changed.get(at) or self.sides[at]

    def everybody(self) -> list[int]:
        """Return the numbers of all sides that play or have played, seats first."""
        seats = self.house.seats
        daemons = [DAEMON + seat for seat in range(1, seats + 1)]
        return [
            *range(1, seats + 1),
            *(who for who in daemons if self.peek(who).plays or any(self.peek(who).fields)),
        ]

    def in_play(self, who: int) -> bool:
        """Say whether a seat or daemon has fields left to commit on."""
        side = self.peek(who)
        return side.plays and None in side.fields

    # --- faults ---

    def wrong(self, key: str, because: str) -> None:
        """Note a rule the word breaks, if it is the first."""
        if self.fault is None:
            self.fault = Fault(key, because)

    def block(self, key: str, because: str) -> NoReturn:
        """Note that the word cannot have happened; the first rule it breaks is told.

        Raises Blocked.
        """
        self.fault = Fault(self.fault.key, self.fault.because, True) if self.fault else Fault(key, because, True)
        raise Blocked

    # --- cards leave ---

    def take(self, who: int, card: int, own: bool = False) -> int:
        """Take a card from a hand, from what lies open to it or, unless ``own``, from the Justice row; return its code.

        Raises Blocked where it cannot have been there.
        """
        seat = self.seat(who)
        hand = seat.hand
        at = hand.find(card)
        if at >= 0 and card != UNKNOWN:
            seat.hand = hand[:at] + hand[at + 1 :]
            return card
        if card == UNKNOWN:
            return self._take_unknown(who, seat)
        at = seat.open.find(card)
        if at >= 0:
            seat.open = seat.open[:at] + seat.open[at + 1 :]
            return card
        if self.row is not None and not own and card in self.row:
            at = self.row.index(card)
            self.row = self.row[:at] + self.row[at + 1 :]
            return card
        if not self._from_slots(who, card):
            self.block(IMPOSSIBLE, f"{name_of(card)} is not with {who_name(who)}")
        return card

    def _take_unknown(self, who: int, seat: Seat) -> int:
        if not seat.hand:
            self.block(IMPOSSIBLE, f"{who_name(who)} has no such card")
        self.slots, seat.hand = some_left(self.slots, seat.hand)
        code = seat.hand[0]
        seat.hand = seat.hand[1:]
        self.unseen(who)
        return code

    def unseen(self, who: int) -> None:
        """Note that a card nobody saw leaves a hand: what was said of the hand may never be answered."""
        if self.doubts:
            self.doubts = tuple(replace(doubt, lost=True) if doubt.who == who else doubt for doubt in self.doubts)

    def _from_slots(self, who: int, card: int) -> bool:
        seat = self.seat(who)
        for name in ("hand", "open"):
            found = left(self.slots, getattr(seat, name), 1 << card)
            if found is not None:
                self.slots, zone, at, _ = found
                setattr(seat, name, zone[:at] + zone[at + 1 :])
                return True
        if self.row is not None:
            found = left(self.slots, self.row, 1 << card)
            if found is not None:
                self.slots, zone, at, _ = found
                self.row = zone[:at] + zone[at + 1 :]
                return True
        return self._disproved(who, card)

    def _disproved(self, who: int, card: int) -> bool:
        """Say whether an earlier claim about a hand is all that keeps a card from it; then the claim was false."""
        for doubt in reversed(self.doubts):
            if doubt.who != who or not doubt.cards >> card & 1:
                continue
            seat = self.seat(who)
            before = self.slots, seat.hand
            seat.hand = self.carved(seat.hand, allow=doubt.cards)
            found = left(self.slots, seat.hand, 1 << card)
            if found is None:
                self.slots, seat.hand = before
                continue
            self.slots, zone, at, _ = found
            seat.hand = zone[:at] + zone[at + 1 :]
            self._dropped(doubt)
            because = f"{who_name(who)} had {name_of(card)}"
            self.proved += (Breach((doubt.ply,), doubt.key, because, self.ply),)
            return True
        return False

    def _dropped(self, proved: Doubt) -> None:
        """Forget what a claim that was false said of any hand."""
        kept = []
        for doubt in self.doubts:
            if (doubt.ply, doubt.key) != (proved.ply, proved.key):
                kept.append(doubt)
            elif doubt.who != proved.who:
                seat = self.seat(doubt.who)
                seat.hand = self.carved(seat.hand, allow=doubt.cards)
        self.doubts = tuple(kept)

    def carved(self, zone: bytes, allow: int = 0, forbid: int = 0) -> bytes:
        """Return a zone whose slots are kinds of their own, which may hold more cards or fewer."""
        kinds = list(self.slots.kinds)
        codes = bytearray(zone)
        for code in sorted(set(zone)):
            if not is_slot(code):
                continue
            kind = kinds[code - SLOT]
            mask = (kind.mask | allow) & ~forbid
            if mask == kind.mask:
                continue
            size = zone.count(code)
            kinds[code - SLOT] = Kind(kind.pool, kind.mask, kind.size - size)
            like = (kind.pool, mask)
            alike = (at for at, other in enumerate(kinds) if other.size and (other.pool, other.mask) == like)
            free = next((at for at, other in enumerate(kinds) if not other.size), len(kinds))
            fresh = next(alike, free)
            if fresh >= MOST_KINDS:
                kinds[code - SLOT] = kind
                continue
            kinds[fresh : fresh + 1] = [Kind(kind.pool, mask, size + (kinds[fresh].size if fresh < len(kinds) else 0))]
            for at, entry in enumerate(zone):
                if entry == code:
                    codes[at] = SLOT + fresh
        self.slots = Slots(tuple(kinds), self.slots.pools)
        return bytes(codes)

    def denied(self, who: int, cards: int, key: str) -> bool:
        """Note that a hand is said to hold none of these cards; false where it must hold one.

        What the hand's slots may hold is narrowed; ``open`` is set where they may have held one.
        """
        seat = self.peek(who)
        held = seat.hand + seat.open
        if any(cards >> code & 1 for code in held):
            return False
        may = 0
        for code in set(held):
            if is_slot(code):
                kind = self.slots.kinds[code - SLOT]
                may |= kind.mask & sum(1 << card for card in set(self.slots.pools[kind.pool])) & cards
        if not may:
            return True
        before = self.slots
        mine = self.seat(who)
        hand, pools = mine.hand, {self.slots.kinds[code - SLOT].pool for code in mine.hand if is_slot(code)}
        mine.hand = self.carved(hand, forbid=cards)
        if not all(fits(self.slots, pool) for pool in pools):
            self.slots, mine.hand = before, hand
            return False
        self.doubts += (Doubt(self.ply, key, who, cards),)
        self.open = (key, who)
        return True

    # --- cards come ---

    def sight(self, code: int, card: int, where: str) -> int:
        """Return an entry's code once it is seen to be a card; raises Blocked where it cannot be."""
        if card in (code, UNKNOWN):
            return code
        found = seen(self.slots, code, 1 << card) if is_slot(code) else None
        if found is None:
            self.block(IMPOSSIBLE, f"{name_of(card)} is not {where}")
        self.slots = found[0]
        return card

    def need(self, due: Due) -> int:
        """Return how many cards a due draw or discard still asks for, were the deck endless."""
        if due.who == ROW:
            return 6 - len(self.row) if self.row is not None else 0
        side = self.peek(due.who)
        if not side.plays or None not in side.fields:
            return 0
        if due.what == "fill":
            return max(side.size + side.wide - len(side.hand) - len(side.open), 0)
        if due.what == "away":
            return max(len(side.hand) + len(side.open) - side.size - side.wide, 0)
        return due.count

    def draw_one(self, due: Due, card: int) -> None:
        """Draw the top card for a due draw; raises Blocked where the deck's top is another card."""
        code = self.sight(self.deck[0], card, "the top of the deck")
        self.deck = self.deck[1:]
        if due.who == ROW:
            assert self.row is not None
            self.row += bytes((code,))
            return
        seat = self.seat(due.who)
        lies_open = due.what == "reveal" or (due.what == "fill" and len(seat.hand) >= seat.size)
        if lies_open:
            seat.open += bytes((code,))
        else:
            seat.hand += bytes((code,))


__all__ = ["IMPOSSIBLE", "Blocked", "Doubt", "Draft", "Fault", "Seat"]
