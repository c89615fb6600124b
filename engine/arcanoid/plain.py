"""The words most turns are made of, applied without a detour.

``plainly`` and ``plainly_settled`` leave whatever takes thought to ``say`` and ``settle``: both give the same state.
"""

from msgspec.structs import replace

from cartulary.engine.arcanoid.cards import TEMPERANCE, UNKNOWN
from cartulary.engine.arcanoid.claims import ANY, DRAWN, LEFT, OLDEST, Entry, Ledger, noted
from cartulary.engine.arcanoid.commitments import law_of
from cartulary.engine.arcanoid.forms import ABDICATED, IMPERIAL, KNAVE, KNIGHTED, kind_of
from cartulary.engine.arcanoid.moves import DAEMON, ROW, Move
from cartulary.engine.arcanoid.state import HAND, Commitment, Due, Side, State, order_of, place_of, vote_after
from cartulary.engine.slots import SLOT, has_slots, left, possible, seen, some_left

_FIELDS = ((0,), (1,), (2,), (3,))
_PLAIN = frozenset(range(ABDICATED, IMPERIAL + 1))
_ROW = Due("fill", ROW)
_DEAL = (Due("deal"),)
_DUES: dict[int, tuple[Due, ...]] = {}
"""By who has moved, what is due when it was his turn."""


class _Thought(Exception):
    """A word that takes thought."""


class _Cards:
    """The cards of a state on their way; ``hand``, ``shown`` and ``looked`` are those of who moves or draws."""

    __slots__ = ("clock", "deck", "doubts", "hand", "ledger", "looked", "pile", "row", "shown", "sides", "slots")

    def __init__(self, state: State) -> None:
        self.sides, self.deck, self.pile, self.row = state.sides, state.deck, state.pile, state.row
        self.slots, self.doubts, self.clock = state.slots, state.doubts, state.clock
        self.ledger: Ledger | None = None

    def held(self, side: Side, who: int) -> None:
        """Take up a hand. Raises _Thought where cards lie open to it."""
        if side.open or side.wide:
            raise _Thought
        self.hand, self.shown, self.looked = side.hand, side.shown, side.looked
        self.ledger = next((one for one in self.doubts if one.who == who), None) if self.doubts else None

    def laid(self, at: int, side: Side, fields: tuple[Commitment | None, ...]) -> None:
        """Put the hand down again. Raises _Thought where a claim about it has to be weighed."""
        ledger = self.ledger
        if ledger is not None:
            if ledger.unplaced:
                raise _Thought
            self.doubts = tuple(ledger if one.who == ledger.who else one for one in self.doubts)
        after = Side(
            self.hand,
            b"",
            side.size,
            0,
            side.reserve,
            fields,
            side.hermit,
            side.spent,
            side.plays,
            self.shown,
            self.looked,
        )
        self.sides = (*self.sides[:at], after, *self.sides[at + 1 :])

    def gone(self, card: int, ply: int, what: int = LEFT) -> None:
        """Note that a card has left the hand, UNKNOWN for one nobody saw."""
        if card == UNKNOWN:
            self.shown, self.looked = 0, ()
        elif self.shown or self.looked:
            self.shown &= ~(1 << card)
            self.looked = tuple((eye, cards & ~(1 << card)) for eye, cards in self.looked)
        if self.ledger is not None:
            self.ledger = noted(self.ledger, Entry(what, ANY if card == UNKNOWN else 1 << card, ply))

    def drawn(self, cards: bytes) -> None:
        """Draw the deck's top cards to the hand. Raises _Thought for the last one, and where one cannot be there."""
        top = self.deck[: len(cards)]
        if len(cards) >= len(self.deck):
            raise _Thought
        if top != cards or self.ledger is not None:
            top = bytes([self._sighted(code, card) for code, card in zip(top, cards, strict=True)])
        self.hand += top
        self.deck = self.deck[len(top) :]

    def _sighted(self, code: int, card: int) -> int:
        if card != code and card != UNKNOWN:
            found = seen(self.slots, code, 1 << card) if code >= SLOT else None
            if found is None:
                raise _Thought
            self.slots, code = found[0], card
        if self.ledger is not None:
            self.ledger = noted(self.ledger, Entry(DRAWN, possible(self.slots, code) if code >= SLOT else 1 << code))
        return code

    def filled(self, state: State, who: int, cards: bytes) -> None:
        """Draw cards for a seat, a daemon or the row. Raises _Thought."""
        if who == ROW:
            self.hand, self.ledger = self.row or b"", None
            self.drawn(cards)
            self.row = self.hand
            return
        at = place_of(state.house, who)
        side = self.sides[at]
        self.held(side, who)
        self.drawn(cards)
        self.laid(at, side, side.fields)

    def need(self, state: State, due: Due) -> int:
        """Return how many cards a draw asks for. Raises _Thought."""
        if due.who == ROW:
            return 6 - len(self.row) if self.row is not None else 0
        side = self.sides[place_of(state.house, due.who)]
        if side.open or side.wide:
            raise _Thought
        return max(side.size - len(side.hand), 0) if side.plays and None in side.fields else 0


# --- words ---


def plainly(state: State, move: Move) -> State | None:
    """Return the state after a legal discard, commitment or draw in turn; None for all else."""
    what = move.what
    if state.others:
        return None
    try:
        if what == "told":
            return _told(state, move) if state.told is None else _dealt(state, move)
        if what == "discard" or what == "commit":
            return _moved(state, move)
        if what == "vote":
            return _agreed(state, move)
    except _Thought:
        pass
    return None


def _moved(state: State, move: Move) -> State | None:
    who, drawn = move.who, move.drawn
    if move.extra or state.dues or who != (state.mover or state.turn) or state.extra or state.ended is not None:
        return None
    cards, at = _Cards(state), place_of(state.house, who)
    side = state.sides[at]
    fields, dues = side.fields, _dues(who)
    cards.held(side, who)
    if move.what == "discard":
        if len(move.cards) != 1 or (state.temper is not None and move.cards[0] == TEMPERANCE):
            return None
        cards.pile += _leaving(state, cards, side, move)
    else:
        fields = _committed(state, side, move)
        _leaving(state, cards, side, move)
        cards.clock += 1
        if drawn is None:
            dues = (Due("settle", who, 0, move.fields[0], None), *dues)
        elif None not in fields:
            return None
    if drawn is not None:
        if state.dead or len(drawn) != side.size - len(cards.hand):
            return None
        cards.drawn(drawn)
    cards.laid(at, side, fields)
    return _ended(state, cards, dues, True, state.ply + 1)


def _dues(who: int) -> tuple[Due, ...]:
    found = _DUES.get(who)
    if found is None:
        found = _DUES[who] = (Due("fill", who), _ROW, Due("next", who))
    return found


def _leaving(state: State, held: _Cards, side: Side, move: Move) -> bytes:
    """Take a move's cards from the hand or the row, and return them. Raises _Thought."""
    cards, ply, hand = move.cards, state.ply + 1, held.hand
    if move.who == state.house.usa:
        if move.what == "commit":
            if hand or cards or move.fields != (side.fields.index(None),):
                raise _Thought
            return b""
        if not hand or cards[0] not in (hand[0], UNKNOWN):
            raise _Thought
        held.hand = hand[1:]
        if not held.shown >> hand[0] & 1:
            held.looked = ()
        held.gone(UNKNOWN if hand[0] >= SLOT else hand[0], ply, OLDEST)
        return hand[:1]
    if cards == b"\xff":
        if not hand or move.who in state.lent:
            raise _Thought
        held.slots, hand = some_left(held.slots, hand)
        held.hand = hand[1:]
        held.gone(UNKNOWN, ply)
        return hand[:1]
    for card in cards:
        _taken(held, card, ply)
    if move.what == "discard" and len(held.hand) < len(hand):
        held.shown, held.looked = 0, ()
    return cards


def _taken(held: _Cards, card: int, ply: int) -> None:
    hand, row = held.hand, held.row
    at = hand.find(card)
    if card == UNKNOWN:
        raise _Thought
    if at < 0 and row is not None and card in row:
        at = row.index(card)
        held.row = row[:at] + row[at + 1 :]
        return
    if at < 0:
        found = left(held.slots, hand, 1 << card)
        if found is None or (row is not None and has_slots(row)):
            raise _Thought
        held.slots, hand, at, _ = found
    held.hand = hand[:at] + hand[at + 1 :]
    held.gone(card, ply)


def _committed(state: State, side: Side, move: Move) -> tuple[Commitment | None, ...]:
    """Return the fields of a side after a plain commitment. Raises _Thought."""
    if move.secret or move.fields not in _FIELDS or move.target:
        raise _Thought
    field, cards = move.fields[0], move.cards
    if side.fields[field] is not None or (state.temper is not None and state.temper[1] == field and cards):
        raise _Thought
    kind = kind_of(cards, move.fields, law_of(state.house))
    if kind not in _PLAIN or not isinstance(kind, int):
        raise _Thought
    there = Commitment(kind, cards, state.clock + 1, state.ply + 1)
    return (*side.fields[:field], there, *side.fields[field + 1 :])


def _told(state: State, move: Move) -> State | None:
    """Return the state after a draw of the table that fills whose turn it is to draw; None for all else."""
    who = move.who
    if not state.dues or state.dead or state.ended is not None or state.mover or state.told is not None:
        return None
    cards, dues = _Cards(state), _closed(state)
    while dues and dues[0].what == "fill" and dues[0].who != who and not cards.need(state, dues[0]):
        dues = dues[1:]
    if not dues or dues[0].what != "fill" or dues[0].who != who or len(move.cards) != cards.need(state, dues[0]):
        return None
    cards.filled(state, who, move.cards)
    return _ended(state, cards, dues[1:], state.begun, state.ply + 1)


def _dealt(state: State, move: Move) -> State | None:
    """Return the state after a hand of a deal, or after the deck where all cards are told; None for all else."""
    told, who, cards, seats = state.told, move.who, move.cards, state.house.seats
    if told is None or state.dues != _DEAL or who > seats or UNKNOWN in cards:
        return None
    at = who - 1 if who else seats
    if any(one is not None for one in told[at:]) or len(cards) != (HAND if who else 78 - HAND * seats):
        return None
    lying = b"".join([one for one in told if one is not None]) + cards
    if len(set(lying)) < len(lying) or UNKNOWN in lying:
        return None
    if who:
        return replace(state, told=(*told[:at], cards, *told[at + 1 :]), ply=state.ply + 1)
    hands = [one for one in told[:seats] if one is not None]
    if len(hands) < seats:
        return None
    sides = (*map(Side, hands), *state.sides[seats:])
    return replace(state, sides=sides, deck=cards, told=None, dues=(), ply=state.ply + 1)


def _agreed(state: State, move: Move) -> State | None:
    """Return the state after a Yes that is not the last vote; None for all else."""
    due = state.dues[0] if state.dues else None
    if due is None or due.what != "vote" or not move.yes or due.who != move.who or move.extra:
        return None
    left_to_ask = vote_after(state.house, due, move.who)
    return replace(state, dues=(left_to_ask, *state.dues[1:]), ply=state.ply + 1) if left_to_ask else None


# --- what is due ---


def plainly_settled(state: State) -> State | None:
    """Return the settled state where nobody leaves the round and the deck lasts; None for all else."""
    dues = _closed(state)
    if state.mover or not dues or state.told is not None or state.others:
        return None
    try:
        after = _ended(state, _Cards(state), dues, state.begun, state.ply, unwritten=True)
    except _Thought:
        return None
    return None if after.dues else after


def _closed(state: State) -> tuple[Due, ...]:
    """Return the dues without the window of a commitment that brings nothing more."""
    due = state.dues[0]
    if due.what != "settle":
        return state.dues
    fields = state.sides[place_of(state.house, due.who)].fields
    there = fields[due.field]
    if None not in fields or (due.was is not None and there is not None and there.kind in (KNAVE, KNIGHTED)):
        return state.dues
    return state.dues[1:]


def _next(state: State, sides: tuple[Side, ...]) -> tuple[int, bool]:
    """Return who moves next and whether that begins a round of the table."""
    order = order_of(state.house, state.round)
    at, count, seats = order.index(state.turn), len(order), state.house.seats
    for step in range(at + 1, at + count + 1):
        who = order[step % count]
        side = sides[who - 1 if who < DAEMON else seats + who - DAEMON - 1]
        if side.plays and None in side.fields:
            return who, step >= count
    return state.turn, True


def _ended(state: State, cards: _Cards, dues: tuple[Due, ...], begun: bool, ply: int, unwritten: bool = False) -> State:
    """Return the state with these cards once what is due and needs no word is done. Raises _Thought.

    unwritten: draws are made that nobody wrote
    """
    turn, wrapped = state.turn, False
    for done, due in enumerate(dues):
        if due.what == "next":
            turn, wrapped = _next(state, cards.sides)
            dues = dues[done + 1 :]
            break
        if due.what == "settle":
            break
        if due.what != "fill":
            raise _Thought
        need = 0 if state.dead else cards.need(state, due)
        if need and not unwritten:
            dues = dues[done:]
            break
        if need:
            cards.filled(state, due.who, b"\xff" * need)
    return _frozen(state, cards, dues, turn, wrapped, begun, ply)


def _frozen(
    state: State, cards: _Cards, dues: tuple[Due, ...], turn: int, wrapped: bool, begun: bool, ply: int
) -> State:
    return State(
        state.house,
        cards.sides,
        cards.deck,
        cards.pile,
        cards.row,
        state.aside,
        state.gone,
        state.devil,
        state.temper,
        state.touched,
        state.dead,
        turn,
        0,
        False,
        dues,
        None,
        state.round,
        state.lap + wrapped,
        begun and not wrapped,
        cards.clock,
        ply,
        state.wins,
        cards.slots,
        cards.doubts,
        state.proved,
        None,
        state.unread,
        state.lent,
    )
