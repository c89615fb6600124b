"""When two readings are the same: which named cards came from a hand nobody saw, and which from an unknown Justice row.

Where both may have held a card, a state has *others* beside it: what it is if the card came from the row. They differ
in how many cards lie where, and so in what is drawn. A word drops the readings it does not fit as long as it fits one.
``engine.readings`` follows them; here is only how two become one. Readings that come to the same numbers, as they do
once hand and row are full again, are joined, and whatever they do not agree about is unknown then. While the deck stays
empty none are added: there ``lenders`` counts such cards. Where one is lost to the budget, ``record.gap`` is asked of
every word from there on, and nothing more is refused.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import takewhile
from operator import or_

from msgspec.structs import replace

from cartulary.engine.arcanoid.claims import add_entries, entries_of
from cartulary.engine.arcanoid.ledgers import ANY, DENIED, DRAWN, Entry, Ledger
from cartulary.engine.arcanoid.state import Commitment, Side, State
from cartulary.engine.readings import GAP, Reading, merge, with_others
from cartulary.engine.slots import NO_SLOTS, SLOT, Kind, Slots, is_slot, mix, possible

MOST = 40
"""The largest number of readings; those with the most cards from hands go first."""

_ALIKE = bytes(SLOT if is_slot(code) else code for code in range(256))


def merge_readings(states: Sequence[State]) -> State:
    """Return one state that stands for all these readings: the first, with the others beside it.

    Readings that agree in how many cards lie where are joined into one. Only the first keeps what was proved.
    """
    if len(states) == 1:
        return states[0]
    # Readings of the same numbers ask the same draws of every later word, so they may become one. Example: p1 discards
    # 7S, which its hand or the row may have held. On one reading the hand lacks a card, on the other the row; when both
    # are full again the numbers agree, and what is left of the doubt is which unknown card lies where.
    merged = merge(map(Reading, states), same=_merge_key, budget=MOST, join=_join_readings)
    first, *others = (reading.state if merged.whole else with_loss(reading.state) for reading in merged.members)
    return with_others((first, *(replace(other, breaches=first.breaches) for other in others)))


def has_lost(state: State) -> bool:
    """Say whether a reading was dropped, now or at an earlier word, because there were too many (``MOST``)."""
    return state.unread[:1] != () and state.unread[0][1] == GAP.key


def with_loss(state: State) -> State:
    """Return the state with a question of ``record.gap`` at its last ply, which says that a reading was dropped.

    It is the first of ``unread`` then, and there once only for a ply.
    """
    question = (state.ply, GAP.key)
    return state if question in state.unread[:1] else replace(state, unread=(question, *state.unread))


# --- alike in numbers ---


def _merge_key(state: State) -> object:
    """Return what two readings must share to become one.

    That is all but which unnamed cards lie where, and what is still doubted, proved or unread.
    """
    dues = tuple(replace(due, was=_commitment_key(due.was)) if due.was is not None else due for due in state.dues)
    bare = replace(
        state,
        sides=tuple(_side_key(side) for side in state.sides),
        deck=state.deck.translate(_ALIKE),
        pile=bytes(len(state.pile)),
        row=bytes(len(state.row)) if state.row is not None else None,
        past_daemons=tuple((who, tuple(map(_commitment_key, fields))) for who, fields in state.past_daemons),
        dues=dues,
        slots=NO_SLOTS,
        doubts=(),
        breaches=(),
        unread=(),
    )
    laid = [commitment.cards for side in state.sides for commitment in side.fields if commitment is not None]
    laid += [side.reserve for side in state.sides if side.reserve]
    return bare, tuple(_possible_cards_key(state, cards) for cards in laid if max(cards, default=0) >= SLOT)


def _side_key(side: Side) -> Side:
    """Return a side for comparing: its unseen cards are alike, and those of hand and open cards only counted.

    What seats know of them is left out.
    """
    reserve = side.reserve.translate(_ALIKE) if side.reserve is not None else None
    hand, lying = bytes(len(side.hand)), bytes(len(side.open))
    fields = tuple(map(_commitment_key, side.fields))
    return replace(side, hand=hand, open=lying, reserve=reserve, fields=fields, public_cards=0, seat_knowledge=())


def _commitment_key(commitment: Commitment | None) -> Commitment | None:
    """Return a commitment with all unseen cards alike, for comparing; None for None."""
    return replace(commitment, cards=commitment.cards.translate(_ALIKE)) if commitment is not None else None


def _possible_cards_key(state: State, zone: bytes) -> tuple[int, ...]:
    """Return what each card of a zone may be, as bits, sorted, so that two zones that differ only in order give the
    same.
    """
    return tuple(sorted(_possible_cards(state, zone)))


def _possible_cards(state: State, zone: bytes) -> list[int]:
    """Return what each card of a zone may be, as bits, in the order of the zone."""
    return [possible(state.slots, code) for code in zone]


# --- one of two ---


def _join_readings(readings: Sequence[Reading[State]]) -> Reading[State]:
    """Return one reading for several that agree in how many cards lie where: they are merged two by two."""
    return Reading(reduce(_merge_two, (reading.state for reading in readings)))


def _merge_two(first: State, other: State) -> State:
    """Return one reading for two that agree in how many cards lie where; a card may be what it is in either.

    Only places whose cards differ become unknown. What a seat knows is kept if it knows it in both.
    """
    zones, others = _zones(first), _zones(other)
    loose: list[tuple[int, int]] = []
    may = 0
    for number, (zone, other_zone) in enumerate(zip(zones, others, strict=True)):
        if _possible_cards_key(first, zone) != _possible_cards_key(other, other_zone):
            loose += [(number, at) for at, code in enumerate(zone) if is_slot(code) or code not in other_zone]
            may |= reduce(
                or_, _possible_cards(other, bytes(code for code in other_zone if is_slot(code) or code not in zone)), 0
            )
    # Only places whose cards differ become unknown; the rest stays named, so that merging forgets as little as it can.
    slots, alike = mix(first.slots, bytes(zones[number][at] for number, at in loose))
    slots = _widen_code(slots, alike[0], may) if alike else slots
    for (number, at), code in zip(loose, alike, strict=True):
        zones[number] = zones[number][:at] + bytes((code,)) + zones[number][at + 1 :]
    sides = []
    for at, (side, its) in enumerate(zip(first.sides, other.sides, strict=True)):
        eyes = dict(its.seat_knowledge)
        knowledge = tuple((eye, cards & eyes[eye]) for eye, cards in side.seat_knowledge if eye in eyes)
        public_cards = side.public_cards & its.public_cards
        sides.append(
            replace(
                side, hand=zones[2 * at], open=zones[2 * at + 1], public_cards=public_cards, seat_knowledge=knowledge
            )
        )
    row = zones[-1] if first.row is not None else None
    doubts = tuple(_merge_ledgers(ledger, other) for ledger in first.doubts)
    unread = (*first.unread, *(question for question in other.unread if question not in first.unread))
    return replace(first, sides=tuple(sides), pile=zones[-2], row=row, slots=slots, doubts=doubts, unread=unread)


def _widen_code(slots: Slots, code: int, may: int) -> Slots:
    """Return the slots with one code widened, so that its slots may hold these cards (bits) too.

    The cards may lie in any pool, so all pools become one. The other codes keep what they may hold.
    """
    if not may & ~possible(slots, code):
        return slots
    kinds = [
        Kind(0, possible(slots, SLOT + at), kind.size) if kind.size else kind for at, kind in enumerate(slots.kinds)
    ]
    own = kinds[code - SLOT]
    kinds[code - SLOT] = Kind(0, own.mask | may, own.size)
    return Slots(tuple(kinds), (bytes(sorted(b"".join(slots.pools))), *(b"" for _ in slots.pools[1:])))


def _zones(state: State) -> list[bytes]:
    """Return the zones in which readings may differ, as codes, in a fixed order.

    They are hand and open cards of each side in turn, then the discard pile and the Justice row (empty if there is
    none).
    """
    return [zone for side in state.sides for zone in (side.hand, side.open)] + [state.pile, state.row or b""]


def _merge_ledgers(ledger: Ledger, other: State) -> Ledger:
    """Return a ledger that allows whatever it allows in either reading.

    Where a card left in one only it has not left, and from there on what was drawn may be anything.
    """
    other_ledger = next((doubt for doubt in other.doubts if doubt.who == ledger.who), Ledger(ledger.who))
    mine, its = entries_of(ledger), entries_of(other_ledger)
    if mine == its:
        return ledger
    if [entry.what for entry in mine] == [entry.what for entry in its]:
        return add_entries(
            Ledger(ledger.who), *(_merge_entries(entry, two) for entry, two in zip(mine, its, strict=True))
        )
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, its, strict=False)))
    more = sum(entry.what == DRAWN for entry in its) - sum(entry.what == DRAWN for entry in mine)
    lines = [Entry(DRAWN, ANY)] * more
    for entry in mine[same:]:
        if entry.what in (DRAWN, DENIED) or entry in its:
            lines.append(Entry(DRAWN, ANY) if entry.what == DRAWN else entry)
    return add_entries(Ledger(ledger.who), *mine[:same], *lines)


def _merge_entries(entry: Entry, other: Entry) -> Entry:
    """Return a line for two ledgers from their lines at one place, of one kind; a drawing may be what it may be in
    either.
    """
    return replace(entry, cards=entry.cards | other.cards) if entry.what == DRAWN else entry
