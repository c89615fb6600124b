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
    """Return the state as a seat sees it: cards it may not see are HIDDEN.

    Args:
        state: The record as a whole.
        seat: The seat, 0 for a spectator, who sees what all see.

    Returns:
        A state that is equal for any two states that the seat cannot tell apart.
    """
    if state.others:
        first, *others = dict.fromkeys(view(reading, seat) for reading in states_of(state))
        return replace(first, others=tuple(others), whole=state.whole)
    cards = {place: tuple(_view_entry(entry) for entry in stack) for place, stack in state.cards.items()}
    hands = tuple(_view_hand(state, owner, seat) for owner in range(1, state.options.seats + 1))
    deck, pile = bytes((HIDDEN,)) * len(state.deck), as_seen(state.pile)
    cards_shown = {entry & CODE for stack in cards.values() for entry in stack}.union(pile, *hands)
    pool = bytes(card for card in state.options.every if card not in cards_shown)
    slots = one_kind(len(pool), set_of(pool), pool)
    knowledge = knows(seat, cards_in(b"".join(hands)))
    return replace(state, cards=cards, hands=hands, deck=deck, pile=pile, knowledge=knowledge, unseen=Unseen(slots))


def _view_entry(entry: int) -> int:
    """Return a card on the board, with its flags, as anybody sees it: HIDDEN if it lies face down or nobody on record
    saw it.
    """
    return HIDDEN | entry & ~CODE if entry & DOWN or is_slot(entry & CODE) else entry


def _view_hand(state: State, owner: int, seat: int) -> bytes:
    """Return a seat's hand as another seat sees it, sorted: the cards it knows to be there, and HIDDEN for the others.

    A seat sees all of its own hand that is on record.
    """
    hand = as_seen(state.hands[owner - 1])
    visible = cards_in(hand) if owner == seat else state.knowledge >> (seat << 7)
    return bytes(sorted(code if visible >> code & 1 else HIDDEN for code in hand))


# --- words ---


def view_move(state: State, move: moves.Move, seat: int) -> moves.Move:
    """Return a word as a seat sees it: cards it may not see are UNKNOWN, and a discarded hand is shown.

    Args:
        state: The record before the word.
        move: The word as ``play`` returned it.
        seat: The seat, 0 for a spectator.
    """
    if isinstance(move, moves.Use):
        return replace(move, play=_view_play(state, move.play, move.seat == seat))
    if isinstance(move, moves.Draw):
        return move if move.seat == seat else replace(move, cards=unknown(move.cards))
    if isinstance(move, moves.Gift):
        return move if seat in (move.seat, move.to) else replace(move, cards=unknown(move.cards))
    if isinstance(move, moves.Deal):
        return move if move.to in (moves.NINE, seat) else replace(move, cards=unknown(move.cards))
    if isinstance(move, moves.DiscardHand) and move.cards is None and move.seat != seat:
        hand_cards = bytes(sorted(as_written(state.hands[move.seat - 1])))
        return replace(move, cards=hand_cards) if hand_cards.strip(b"\xff") else move
    return move


def _view_play(state: State, play: moves.Play, own: bool) -> moves.Play:
    """Return a play as a seat sees it, with hidden cards UNKNOWN; ``own`` is True if the seat itself says the word."""
    parts = tuple(_view_part(state, part, play, own) for part in play.parts)
    return play if parts == play.parts else replace(play, parts=parts)


def _view_part(state: State, part: moves.Part, play: moves.Play, own: bool) -> moves.Part:
    """Return a part of a play as a seat sees it.

    Cards that another seat draws are UNKNOWN, and so is for everybody a card that a Wheel lays face down.
    """
    if isinstance(part, moves.DrawnCards):
        return part if own else moves.DrawnCards(unknown(part.cards))
    if isinstance(part, moves.Build):
        # What a Wheel lays nobody sees, its own seat neither.
        return moves.Build(part.place, UNKNOWN) if part.card >= 0 and _lays_face_down(state, play) else part
    if isinstance(part, moves.Flip):
        return moves.Flip(_view_play(state, part.play, own))
    return part


def _lays_face_down(state: State, play: moves.Play) -> bool:
    """Say whether a play lays its card face down, which is so if the card is used as the Wheel."""
    card = play.names[-1] if play.names else play.card
    if play.origin == moves.BOARD and not play.names and play.user is not None:
        stack = state.cards.get(play.user.place, ())
        card = stack[-1] & CODE if stack else -1
    return card == WHEEL


# --- what is known of cards nobody saw ---


def describe_need(state: State, need: Need) -> str:
    """Return which cards an unknown one may be by now, as a clause: ``the unknown card on e1 may be 5C or 6C``.

    After eight cards it says ``or others``. It is "" if the card has come to light.
    """
    slots, code = state.unseen.slots, need.slots[0]
    if code - SLOT >= len(slots.kinds) or not slots.kinds[code - SLOT].size:
        return ""
    may = bytes(cards_of(possible(slots, code)))
    text = listed(may[:8]) + (" or others" if len(may) > 8 else "")
    return f"the unknown card on {need.place} may be {text}" if may else ""


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of the cards nobody on record saw, as texts; there is one line for each pool of such
    cards.

    Example: ``("5C, 6C", "with p2 or in the deck")``.
    """
    return tell_where(listed, *((reading.unseen.slots, _zones(reading)) for reading in states_of(state)))


def _zones(state: State) -> list[tuple[str, bytes]]:
    """Return (where it is in a sentence, its codes) for each zone in which an unseen card may be.

    They are the hands, the deck, the discards and every space with cards: ``("on n1", …)``.
    """
    hands = [(f"with p{seat}", hand) for seat, hand in enumerate(state.hands, 1)]
    board = [(f"on {place_name(at)}", bytes(entry & CODE for entry in state.cards[at])) for at in sorted(state.cards)]
    return [*hands, ("in the deck", state.deck), ("in the discards", state.pile), *board]
