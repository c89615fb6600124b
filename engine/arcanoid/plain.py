"""The words most turns are made of, where the record knows the cards: applied without a detour.

``plainly`` leaves whatever takes thought to ``say``: both give the same state.
"""

from cartulary.engine.arcanoid.cards import FOOL, TEMPERANCE, UNKNOWN
from cartulary.engine.arcanoid.commitments import law_of
from cartulary.engine.arcanoid.forms import ABDICATED, KNIGHTED, ROYAL, kind_of
from cartulary.engine.arcanoid.moves import DAEMON, Move
from cartulary.engine.arcanoid.state import Commitment, Side, State, order_of

_FIELDS = ((0,), (1,), (2,), (3,))
_PLAIN = frozenset({*range(ABDICATED, KNIGHTED + 1), ROYAL})


def _next(state: State) -> tuple[int, bool]:
    """Return who moves next and whether that begins a round of the table."""
    order = order_of(state.house, state.round)
    at, count, seats = order.index(state.turn), len(order), state.house.seats
    for step in range(at + 1, at + count + 1):
        who = order[step % count]
        side = state.sides[who - 1 if who < DAEMON else seats + who - DAEMON - 1]
        if side.plays and None in side.fields:
            return who, step >= count
    return state.turn, True


def plainly(state: State, move: Move) -> State | None:
    """Return the state after a legal discard or commitment whose draw is written and known; None for all else."""
    drawn = move.drawn
    if state.dues or state.mover or drawn is None or move.extra or move.who != state.turn or move.who > DAEMON:
        return None
    house, who, count = state.house, move.who, len(drawn)
    deck = state.deck
    if who == house.usa or state.ended is not None or count >= len(deck):
        return None
    top = deck[:count]
    if top != drawn and any(card not in (code, UNKNOWN) for card, code in zip(drawn, top, strict=True)):
        return None
    side = state.sides[who - 1]
    taken = _without(state, side.hand, move.cards)
    if taken is None:
        return None
    hand, gone = taken
    if side.open or side.wide or len(hand) + count != side.size:
        return None
    if state.row is not None and len(state.row) < 6:
        return None
    if move.what == "discard":
        if len(move.cards) != 1 or (state.temper is not None and move.cards[0] == TEMPERANCE):
            return None
        fields, clock, pile = side.fields, state.clock, state.pile + gone
    elif move.what == "commit":
        found = _committed(state, side, move)
        if found is None:
            return None
        fields, clock, pile = found, state.clock + 1, state.pile
    else:
        return None
    after = Side(hand + top, b"", side.size, 0, side.reserve, fields, side.hermit, side.spent, True)
    sides = (*state.sides[: who - 1], after, *state.sides[who:])
    return _passed(state, sides, deck[count:], pile, clock)


def _without(state: State, hand: bytes, cards: bytes) -> tuple[bytes, bytes] | None:
    """Return a hand without cards, and those as the hand had them; None where that takes thought."""
    if cards == b"\xff":
        # Which of several cards goes nobody knows; if they are alike it does not matter.
        alike = hand and hand == hand[:1] * len(hand) and not state.doubts
        return (hand[1:], hand[:1]) if alike else None
    for card in cards:
        at = hand.find(card)
        if at < 0 or card == UNKNOWN:
            return None
        hand = hand[:at] + hand[at + 1 :]
    return hand, cards


def _committed(state: State, side: Side, move: Move) -> tuple[Commitment | None, ...] | None:
    """Return the fields of a side after a plain commitment, None for one that takes thought."""
    if move.secret or move.fields not in _FIELDS or move.target or state.temper is not None:
        return None
    field = move.fields[0]
    if side.fields[field] is not None or side.fields.count(None) == 1:
        return None
    kind = kind_of(move.cards, move.fields, law_of(state.house))
    if kind not in _PLAIN or not isinstance(kind, int) or any(card >= FOOL for card in move.cards):
        return None
    there = Commitment(kind, move.cards, state.clock + 1, state.ply + 1)
    return (*side.fields[:field], there, *side.fields[field + 1 :])


def _passed(state: State, sides: tuple[Side, ...], deck: bytes, pile: bytes, clock: int) -> State:
    turn, wrapped = _next(state)
    return State(
        state.house,
        sides,
        deck,
        pile,
        state.row,
        state.aside,
        state.gone,
        state.devil,
        state.temper,
        state.touched,
        state.dead,
        turn,
        0,
        False,
        (),
        None,
        state.round,
        state.lap + wrapped,
        not wrapped,
        clock,
        state.ply + 1,
        state.wins,
        state.slots,
        state.doubts,
        state.proved,
        None,
    )
