"""What one seat may see: the board, the discards, its own hand, and of other hands what it gave or all saw.

And what the record knows of cards nobody saw.
"""

from msgspec.structs import replace

from cartulary.engine.cards.deck import cards_of, set_of
from cartulary.engine.cards.zones import HIDDEN, as_seen, as_written, tell_where, unknown
from cartulary.engine.contract import Need
from cartulary.engine.readings import states_of
from cartulary.engine.slots import SLOT, UNKNOWN, cards_in, is_slot, one_kind, possible
from cartulary.engine.zarcana import moves
from cartulary.engine.zarcana.cards import WHEEL, listed
from cartulary.engine.zarcana.moves import place_name
from cartulary.engine.zarcana.state import CODE, DOWN, State, Unseen, knows


def view(state: State, seat: int) -> State:
    """Return what a seat may see; equal for two states that the seat cannot tell apart.

    Args:
        state: The record as a whole.
        seat: The seat, 0 for a spectator, who sees what all see.
    """
    if state.others:
        first, *others = dict.fromkeys(view(reading, seat) for reading in states_of(state))
        return replace(first, others=tuple(others), whole=state.whole)
    cards = {place: tuple(_on_board(entry) for entry in stack) for place, stack in state.cards.items()}
    hands = tuple(_hand(state, owner, seat) for owner in range(1, state.options.seats + 1))
    deck, pile = bytes((HIDDEN,)) * len(state.deck), as_seen(state.pile)
    cards_shown = {entry & CODE for stack in cards.values() for entry in stack}.union(pile, *hands)
    pool = bytes(card for card in state.options.every if card not in cards_shown)
    slots = one_kind(len(pool), set_of(pool), pool)
    known = knows(seat, cards_in(b"".join(hands)))
    return replace(state, cards=cards, hands=hands, deck=deck, pile=pile, known=known, unseen=Unseen(slots))


def _on_board(entry: int) -> int:
    return HIDDEN | entry & ~CODE if entry & DOWN or is_slot(entry & CODE) else entry


def _hand(state: State, owner: int, seat: int) -> bytes:
    hand = as_seen(state.hands[owner - 1])
    seen = cards_in(hand) if owner == seat else state.known >> (seat << 7)
    return bytes(sorted(code if seen >> code & 1 else HIDDEN for code in hand))


# --- words ---


def view_move(state: State, move: moves.Move, seat: int) -> moves.Move:
    """Return the word as the seat sees it: what it may not know of it is unknown, a discarded hand is shown."""
    if isinstance(move, moves.Use):
        return replace(move, play=_play(state, move.play, move.seat == seat))
    if isinstance(move, moves.Draw):
        return move if move.seat == seat else replace(move, cards=unknown(move.cards))
    if isinstance(move, moves.Gift):
        return move if seat in (move.seat, move.to) else replace(move, cards=unknown(move.cards))
    if isinstance(move, moves.Deal):
        return move if move.to in (moves.NINE, seat) else replace(move, cards=unknown(move.cards))
    if isinstance(move, moves.DiscardHand) and move.cards is None and move.seat != seat:
        shown = bytes(sorted(as_written(state.hands[move.seat - 1])))
        return replace(move, cards=shown) if shown.strip(b"\xff") else move
    return move


def _play(state: State, play: moves.Play, own: bool) -> moves.Play:
    parts = tuple(_part(state, part, play, own) for part in play.parts)
    return play if parts == play.parts else replace(play, parts=parts)


def _part(state: State, part: moves.Part, play: moves.Play, own: bool) -> moves.Part:
    """Return a part as a seat sees it; ``own`` is True if the word is the seat's."""
    if isinstance(part, moves.DrawnCards):
        return part if own else moves.DrawnCards(unknown(part.cards))
    if isinstance(part, moves.Build):
        # What a Wheel lays nobody sees, its own seat neither.
        return moves.Build(part.place, UNKNOWN) if part.card >= 0 and _hides(state, play) else part
    if isinstance(part, moves.Flip):
        return moves.Flip(_play(state, part.play, own))
    return part


def _hides(state: State, play: moves.Play) -> bool:
    """Say whether a play lays its card face down."""
    card = play.names[-1] if play.names else play.card
    if play.origin == moves.BOARD and not play.names and play.user is not None:
        stack = state.cards.get(play.user.place, ())
        card = stack[-1] & CODE if stack else -1
    return card == WHEEL


# --- what is known of cards nobody saw ---


def tell_need(state: State, need: Need) -> str:
    """Say which cards an unknown one may be by now."""
    slots, code = state.unseen.slots, need.slots[0]
    if code - SLOT >= len(slots.kinds) or not slots.kinds[code - SLOT].size:
        return ""
    may = bytes(cards_of(possible(slots, code)))
    text = listed(may[:8]) + (" or others" if len(may) > 8 else "")
    return f"the unknown card on {need.place} may be {text}" if may else ""


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of the cards nobody on record saw, those of one pool in one line."""
    return tell_where(listed, *((reading.unseen.slots, _zones(reading)) for reading in states_of(state)))


def _zones(state: State) -> list[tuple[str, bytes]]:
    """Return where a card may be that nobody saw, and what lies there."""
    hands = [(f"with p{seat}", hand) for seat, hand in enumerate(state.hands, 1)]
    board = [(f"on {place_name(at)}", bytes(entry & CODE for entry in state.cards[at])) for at in sorted(state.cards)]
    return [*hands, ("in the deck", state.deck), ("in the discards", state.pile), *board]
