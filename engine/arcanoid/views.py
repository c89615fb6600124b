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
    """Return the state as a seat sees it: cards it may not see are HIDDEN, and what is only worked out is empty.

    Args:
        state: The state.
        seat: The seat, 0 for a spectator.

    Returns:
        A state that is equal for any two states that the seat cannot tell apart.
    """
    seats = state.options.seats
    sides = tuple(_view_side(side, at % seats + 1, seat, at >= seats) for at, side in enumerate(state.sides))
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
        past_daemons=tuple((who, _view_fields(fields, who, seat)) for who, fields in state.past_daemons),
        deal=deal,
        slots=slots,
        doubts=(),
        breaches=(),
        unread=(),
        lenders=(),
        others=(),
    )


def _view_side(side: Side, owner: int, seat: int, daemon: bool) -> Side:
    """Return a side as a seat sees it. Daemons' hands lie open; of another seat's hand it sees what is known of it.

    Args:
        side: The side.
        owner: The seat of the side, or the master of the daemon.
        seat: The seat that looks, 0 for a spectator.
        daemon: True if it is a daemon's side.
    """
    knowledge = side.seat_knowledge
    if knowledge:
        knowledge = tuple(
            (eye, cards & ~side.public_cards) for eye, cards in knowledge if eye == seat and cards & ~side.public_cards
        )
    hand = as_seen(side.hand)
    if owner != seat and not daemon:
        bits = side.public_cards | sum(cards for _, cards in knowledge) if knowledge else side.public_cards
        known_cards = _cards(bits) if bits else b""
        hand = known_cards + unknown(hand[len(known_cards) :], HIDDEN)
    return replace(
        side,
        hand=hand,
        open=as_seen(side.open),
        reserve=as_seen(side.reserve) if side.reserve is not None else None,
        fields=_view_fields(side.fields, owner, seat),
        seat_knowledge=knowledge,
    )


def _cards(bits: int) -> bytes:
    """Return the cards of a set (bits) in the order in which words list them, as one code each."""
    return in_word_order(cards_of(bits))


def _view_fields(fields: Fields, owner: int, seat: int) -> Fields:
    """Return the commitments of a side, in the order of the fields, as a seat sees them.

    ``owner`` is the seat of the side, or the master of the daemon; ``seat`` is who looks, 0 for a spectator.
    """
    if fields.count(None) == len(fields):
        return fields
    return tuple(_view_commitment(commitment, owner, seat) for commitment in fields)


def _view_commitment(commitment: Commitment | None, owner: int, seat: int) -> Commitment | None:
    """Return a commitment as a seat sees it, None for None.

    Face-down cards are seen by who has them, had them or looked at them. ``owner`` is the seat of the side, or the
    master of the daemon; ``seat`` is who looks, 0 for a spectator.
    """
    if commitment is None:
        return None
    if not commitment.secret or (seat and seat in (owner, commitment.owner % DAEMON, commitment.eye % DAEMON)):
        return replace(commitment, cards=as_seen(commitment.cards))
    return replace(commitment, kind=-1, cards=unknown(commitment.cards, HIDDEN))


# --- words ---


def view_move(state: State, move: Move, seat: int) -> Move:
    """Return a word as a seat sees it: cards that it may not see are UNKNOWN.

    Args:
        state: The record before the word.
        move: The word as ``play`` returned it.
        seat: The seat, 0 for a spectator.
    """
    if move.seat == seat and seat:
        return move
    if move.what == "table":
        return _view_deal(state, move, seat)
    if move.what == "discard":
        move = replace(move, cards=_view_discard(state, move, move.cards))
    elif move.secret and move.what == "commit":
        move = replace(move, cards=_view_face_down(state, move))
    if move.away is not None:
        move = replace(move, away=_view_discard(state, move, move.away))
    if move.new_cards is not None and move.who < DAEMON:
        move = replace(move, new_cards=_view_draw(state, move, move.new_cards))
    return move


def _view_deal(state: State, move: Move, seat: int) -> Move:
    """Return the word in which the table names cards of a deal, a new deck or a draw, as a seat sees it.

    It sees its own hand, a daemon's, the row and what lies open; other cards are UNKNOWN.
    """
    if move.who > DAEMON or 0 < move.who == seat:
        return move
    if move.who == 0:
        return replace(move, cards=unknown(move.cards))
    return replace(move, cards=_view_draw(state, move, move.cards))


def _view_draw(state: State, move: Move, cards: bytes) -> bytes:
    """Return the cards of a draw, of which only those that lie open afterwards are named, the others UNKNOWN.

    ``state`` is the record before the word.
    """
    after = play(state, move).after
    lying = side_of(after, move.who).open if after is not None else b""
    return bytes(card if card in lying else UNKNOWN for card in cards)


def _open_cards(state: State, move: Move) -> bytes:
    """Return the cards that a seat or daemon may play and everybody sees, before a word that it says.

    They are its open cards, the Justice row, a daemon's hand, and of the USA what everybody knows of its hand.
    """
    now = settle(state)
    side = side_of(now, move.who)
    lying = side.open + (now.row or b"") + (side.hand if move.who > DAEMON else b"")
    return lying + _cards(side.public_cards) if move.who == state.options.usa else lying


def _view_discard(state: State, move: Move, cards: bytes) -> bytes:
    """Return discarded cards of which only those that lay open are named, the others UNKNOWN; a lifted Temperance lay
    open.

    ``state`` is the record before the word, and ``cards`` are the move's discards or those for the Wheel.
    """
    lying = _open_cards(state, move)
    if cards == bytes((TEMPERANCE,)) and settle(state).temper is not None:
        return cards
    if move.who == state.options.usa and has_slots(side_of(state, move.who).hand[:1]):
        # Its hand was never told, so a card that is named was seen to go.
        return cards
    return in_word_order(card if card in lying or move.who > DAEMON else UNKNOWN for card in cards)


def _view_face_down(state: State, move: Move) -> bytes:
    """Return the cards of a face-down commitment as others see them: those that lay open are named, the rest UNKNOWN.

    In malta the Magician is named too.
    """
    lying = _open_cards(state, move)
    if state.options.variant == "malta":
        lying += bytes((MAGICIAN,))
    return in_word_order(card if card in lying else UNKNOWN for card in move.cards)
