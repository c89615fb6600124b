"""What one seat may see: its own hand and face-down cards, and whatever lies open; of the rest, how much there is."""

from typing import TypeAlias

from msgspec.structs import replace

from cartulary.engine.arcanoid.cards import MAGICIAN, TEMPERANCE, in_word_order
from cartulary.engine.arcanoid.dues import settle
from cartulary.engine.arcanoid.moves import DAEMON, Move
from cartulary.engine.arcanoid.play import play
from cartulary.engine.arcanoid.state import Commitment, Side, State, side_of
from cartulary.engine.cards.deck import DECK, cards_of
from cartulary.engine.cards.zones import HIDDEN, as_seen, unknown
from cartulary.engine.slots import UNKNOWN, has_slots, one_kind

Fields: TypeAlias = tuple[Commitment | None, ...]

# --- the state ---


def view(state: State, seat: int) -> State:
    """Return what the seat may see; equal for two states the seat cannot tell apart. Seat 0 sees what all see."""
    seats = state.options.seats
    sides = tuple(_side(side, at % seats + 1, seat, at >= seats) for at, side in enumerate(state.sides))
    deck, pile = unknown(state.deck, HIDDEN), unknown(state.pile, HIDDEN)
    row = as_seen(state.row) if state.row is not None else None
    zones = [deck, pile, row or b"", *(side.hand + side.open for side in sides)]
    hidden = sum(zone.count(HIDDEN) for zone in zones)
    slots = one_kind(hidden, DECK, b"")
    deal = state.deal
    if deal is not None:
        deal = tuple(cards if cards is None or at == seat else unknown(cards) for at, cards in enumerate(deal, 1))
    return replace(
        state,
        sides=sides,
        deck=deck,
        pile=pile,
        row=row,
        gone=tuple((who, _fields(fields, who, seat)) for who, fields in state.gone),
        deal=deal,
        slots=slots,
        doubts=(),
        proved=(),
        unread=(),
        lent=(),
        others=(),
    )


def _side(side: Side, owner: int, seat: int, daemon: bool) -> Side:
    looked = side.looked
    if looked:
        looked = tuple((eye, cards & ~side.shown) for eye, cards in looked if eye == seat and cards & ~side.shown)
    hand = as_seen(side.hand)
    if owner != seat and not daemon:
        bits = side.shown | sum(cards for _, cards in looked) if looked else side.shown
        known = _cards(bits) if bits else b""
        hand = known + unknown(hand[len(known) :], HIDDEN)
    return replace(
        side,
        hand=hand,
        open=as_seen(side.open),
        reserve=as_seen(side.reserve) if side.reserve is not None else None,
        fields=_fields(side.fields, owner, seat),
        looked=looked,
    )


def _cards(bits: int) -> bytes:
    """Return cards as words list them; what is known of a hand has no order."""
    return in_word_order(cards_of(bits))


def _fields(fields: Fields, owner: int, seat: int) -> Fields:
    if fields.count(None) == len(fields):
        return fields
    return tuple(_stands(commitment, owner, seat) for commitment in fields)


def _stands(commitment: Commitment | None, owner: int, seat: int) -> Commitment | None:
    """Return what stands on a field as a seat sees it: face down it is known to who has it, had it and looked at it."""
    if commitment is None:
        return None
    if not commitment.secret or (seat and seat in (owner, commitment.owner % DAEMON, commitment.eye % DAEMON)):
        return replace(commitment, cards=as_seen(commitment.cards))
    return replace(commitment, kind=-1, cards=unknown(commitment.cards, HIDDEN))


# --- words ---


def view_move(state: State, move: Move, seat: int) -> Move:
    """Return the word as the seat sees it: what it may not know of it is unknown."""
    if move.seat == seat and seat:
        return move
    if move.what == "table":
        return _view_deal(state, move, seat)
    if move.what == "discard":
        move = replace(move, cards=_put_away(state, move, move.cards))
    elif move.secret and move.what == "commit":
        move = replace(move, cards=_face_down(state, move))
    if move.away is not None:
        move = replace(move, away=_put_away(state, move, move.away))
    if move.drawn is not None and move.who < DAEMON:
        move = replace(move, drawn=_drawn(state, move, move.drawn))
    return move


def _view_deal(state: State, move: Move, seat: int) -> Move:
    if move.who > DAEMON or 0 < move.who == seat:
        return move
    if move.who == 0:
        return replace(move, cards=unknown(move.cards))
    return replace(move, cards=_drawn(state, move, move.cards))


def _drawn(state: State, move: Move, cards: bytes) -> bytes:
    """Return a draw of which only what lies open is named."""
    after = play(state, move).after
    lying = side_of(after, move.who).open if after is not None else b""
    return bytes(card if card in lying else UNKNOWN for card in cards)


def _open_cards(state: State, move: Move) -> bytes:
    """Return the cards a seat may take that lie open to all."""
    now = settle(state)
    side = side_of(now, move.who)
    lying = side.open + (now.row or b"") + (side.hand if move.who > DAEMON else b"")
    return lying + _cards(side.shown) if move.who == state.options.usa else lying


def _put_away(state: State, move: Move, cards: bytes) -> bytes:
    lying = _open_cards(state, move)
    if cards == bytes((TEMPERANCE,)) and settle(state).temper is not None:
        return cards
    if move.who == state.options.usa and has_slots(side_of(state, move.who).hand[:1]):
        # Its hand was never told, so a card that is named was seen to go.
        return cards
    return in_word_order(card if card in lying or move.who > DAEMON else UNKNOWN for card in cards)


def _face_down(state: State, move: Move) -> bytes:
    lying = _open_cards(state, move)
    if state.options.variant == "malta":
        lying += bytes((MAGICIAN,))
    return in_word_order(card if card in lying else UNKNOWN for card in move.cards)
