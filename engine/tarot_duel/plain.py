"""The words most turns are made of, where the record knows the cards: told apart and applied without a detour.

``plainly`` leaves whatever takes thought to the others.
"""

from cartulary.engine.tarot_duel.cards import MAJOR, WORTH
from cartulary.engine.tarot_duel.moves import Discard, Draw, End, Lay, Move, Order
from cartulary.engine.tarot_duel.shuffles import is_whole
from cartulary.engine.tarot_duel.state import DRAWN, Eyes, Side, State, eighth, is_in

HAND_LIMIT = 5
_TWO_SUITS = 28


def plainly(state: State, move: Move) -> State | None:
    """Return the state after a word that breaks no rule, None where that, or what follows, takes thought."""
    if type(move) is Order:
        return _told(state.then or state, move, state.ply + 1)
    if state.then is not None or state.loose or state.due or move.seat != state.turn or state.ended is not None:
        return None
    if type(move) is Draw:
        return None if state.flags & DRAWN else _drawn(state, move)
    if not state.flags & DRAWN:
        return None
    if type(move) is End:
        return _ended(state)
    if type(move) is Lay:
        return _laid(state, move)
    return _dropped(state, move) if type(move) is Discard else None


def _without(hand: bytes, eyes: Eyes, cards: bytes) -> tuple[bytes, Eyes] | None:
    """Return a hand and who knows it without these cards, None where that takes thought."""
    known = eyes.count(0) != len(eyes)
    for card in cards:
        at = hand.find(card)
        if at < 0 or (known and hand.count(card) > 1):
            return None
        hand, eyes = hand[:at] + hand[at + 1 :], eyes[:at] + eyes[at + 1 :]
    return hand, eyes


def _drawn(now: State, move: Draw) -> State | None:
    side = now.sides[move.seat - 1]
    deck, tops = side.deck, side.tops
    if len(move.cards) != 1 or deck[:1] != move.cards:
        return None
    after = Side(
        deck[1:],
        side.hand + move.cards,
        side.area,
        side.row,
        side.pile,
        side.points,
        tops[1:],
        side.eyes + (tops[:1] or (0,)),
        side.peeps,
        side.total,
    )
    return _turned(now, after, now.flags | DRAWN)


def _laid(now: State, move: Lay) -> State | None:
    side, cards = now.sides[move.seat - 1], move.cards
    if max(cards) >= MAJOR:
        return None
    rest = _without(side.hand, side.eyes, cards)
    worth = side.points + sum(cards.translate(WORTH))
    area, total = side.area + cards, now.house.total
    if rest is None or now.unseen.slots.pools or 0 < total <= worth or len(area) + len(side.row) >= _TWO_SUITS:
        return None
    after = Side(
        side.deck,
        rest[0],
        area,
        side.row,
        side.pile,
        worth,
        side.tops,
        rest[1],
        side.peeps,
        side.total,
    )
    return _turned(now, after, now.flags)


def _dropped(now: State, move: Discard) -> State | None:
    side = now.sides[move.seat - 1]
    rest = _without(side.hand, side.eyes, move.cards)
    if rest is None or len(rest[0]) < HAND_LIMIT:
        return None
    after = Side(
        side.deck,
        rest[0],
        side.area,
        side.row,
        side.pile + move.cards,
        side.points,
        side.tops,
        rest[1],
        side.peeps,
        side.total,
    )
    return _turned(now, after, now.flags)


def _turned(now: State, side: Side, flags: int) -> State:
    """Return the state with the side of the seat in turn changed."""
    sides, seat = now.sides, now.turn
    return State(
        now.house,
        (*sides[: seat - 1], side, *sides[seat:]),
        now.turn,
        flags,
        now.turns,
        now.since,
        now.ply + 1,
        0,
        (),
        now.act,
        (),
        False,
        now.marks,
        now.unseen,
        None,
        now.ended,
    )


def _ended(now: State) -> State | None:
    """Return the state of the next seat's turn, None where the game may be over or a seat out."""
    house, seat, turns, ply = now.house, now.turn % now.house.seats + 1, now.turns + 1, now.ply + 1
    if len(now.sides[now.turn - 1].hand) > HAND_LIMIT:
        return None
    if turns >= house.turns or not now.sides[seat - 1].deck or not is_in(now, seat):
        return None
    return State(
        house,
        now.sides,
        seat,
        0,
        turns,
        ply,
        ply,
        0,
        (),
        now.act,
        (),
        False,
        now.marks,
        now.unseen,
        None,
        now.ended,
    )


def _told(base: State, move: Order, ply: int) -> State | None:
    loose, seat, cards = base.loose, move.to, move.cards
    if not loose or loose[0][0] != seat or base.ended is not None:
        return None
    side, sides = base.sides[seat - 1], base.sides
    if not is_whole(side.deck, loose[0][1], cards):
        return None
    hand, eyes = side.hand, side.eyes
    if base.fresh and is_in(base, seat):
        size = eighth(base, seat)
        hand, cards, eyes = cards[:size], cards[size:], (0,) * size
    after = Side(
        cards,
        hand,
        side.area,
        side.row,
        side.pile,
        side.points,
        side.tops,
        eyes,
        side.peeps,
        side.total,
    )
    return State(
        base.house,
        (*sides[: seat - 1], after, *sides[seat:]),
        base.turn,
        base.flags,
        base.turns,
        base.since,
        ply,
        base.done,
        base.due,
        base.act,
        loose[1:],
        base.fresh and len(loose) > 1,
        base.marks,
        base.unseen,
        None,
        base.ended,
    )
