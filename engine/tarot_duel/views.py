"""What one seat of a duel may see: its hand and face-down cards, what all have seen, and what effects showed it."""

from msgspec.structs import replace

from cartulary.engine.cards.deck import set_of
from cartulary.engine.cards.zones import HIDDEN, Eyes, as_seen, unknown
from cartulary.engine.contract import Sheet
from cartulary.engine.slots import UNKNOWN, one_kind
from cartulary.engine.tarot_duel import moves
from cartulary.engine.tarot_duel.cards import DeckTags, blank, points
from cartulary.engine.tarot_duel.state import EVERYBODY, Due, Options, Side, State, Unseen

# --- the sheet ---


def view_sheet(sheet: Sheet[DeckTags], seat: int) -> Sheet[DeckTags]:
    """Return the tags as a seat sees them: of the other decks only how many cards they have. ``seat`` 0 is a spectator,
    who sees no deck."""
    if sheet.own is None:
        return sheet
    decks = tuple(deck if own == seat else unknown(deck) for own, deck in enumerate(sheet.own.decks, 1))
    return replace(sheet, own=replace(sheet.own, decks=decks))


# --- the state ---


def view(state: State, seat: int) -> State:
    """Return the state as a seat sees it: cards it may not see are HIDDEN.

    Args:
        state: The state.
        seat: The seat, 0 for a spectator, who sees what all have seen.

    Returns:
        A state that is equal for any two states that the seat cannot tell apart.
    """
    sides = tuple(_view_side(state, owner, seat) for owner in range(1, state.options.seats + 1))
    hidden = sum(
        zone.count(HIDDEN) for side in sides for zone in (side.deck, side.hand, side.area, side.row, side.pile)
    )
    mask = set_of(blank(owner) for owner in range(1, state.options.seats + 1))
    slots = one_kind(hidden, mask, bytes((blank(1),)) * hidden)
    act, skipped = replace(state.act, use=state.act.use and _view_use(state.act.use, seat)), state.skipped_words
    return replace(
        state,
        options=_view_options(state.options, seat),
        sides=sides,
        due=_view_dues(state.due, seat),
        act=act,
        unseen=Unseen(slots, (b"",) * state.options.seats),
        if_unanswered=view(state.if_unanswered, seat) if state.if_unanswered is not None else None,
        skipped_words=skipped and replace(skipped, due=_view_dues(skipped.due, seat)),
    )


def _view_dues(dues: tuple[Due, ...], seat: int) -> tuple[Due, ...]:
    """Return due words as a seat sees them: in a Major whose effect is due, cards secret from the seat are unknown."""
    return tuple(replace(due, use=due.use and _view_use(due.use, seat)) for due in dues)


def _view_options(options: Options, seat: int) -> Options:
    """Return the options as a seat sees them, in which the decks of all other seats are blank cards."""
    decks = tuple(
        deck if owner == seat else bytes((blank(owner),)) * len(deck) for owner, deck in enumerate(options.decks, 1)
    )
    return replace(options, decks=decks)


def _view_side(state: State, owner: int, seat: int) -> Side:
    """Return the cards of the seat ``owner`` as another seat sees them; ``seat`` 0 is a spectator.

    Cards it does not know are HIDDEN. What other seats know is left out, and the points are those it can count.
    """
    side = state.sides[owner - 1]
    loose = next((top for to, top in state.loose if to == owner), None)
    deck = _visible_to(side.deck, side.tops if loose is None else side.tops[:loose], seat)
    own = owner == seat
    hand = as_seen(side.hand) if own else bytes(sorted(_visible_to(side.hand, side.eyes, seat)))
    row = as_seen(side.row) if own else _visible_to(side.row, side.peeps, seat)
    area, pile = as_seen(side.area), as_seen(side.pile)
    exact = own or side.total >> seat & 1 or HIDDEN not in row
    worth = side.points if exact and HIDDEN not in area else points(area) + points(row)
    # What the others know of a card is theirs to know.
    tops = _seen_by_all(deck.rstrip(bytes((HIDDEN,))))
    eyes = _seen_by_all(hand)
    peeps = _seen_by_all(row)
    total = EVERYBODY | 1 if exact else 0
    return Side(deck, hand, area, row, pile, worth, tops, eyes, peeps, total)


def _seen_by_all(zone: bytes) -> Eyes:
    """Return who knows each card of a zone, as if everybody knew the named ones and nobody the HIDDEN ones."""
    return tuple(EVERYBODY if code != HIDDEN else 0 for code in zone)


def _visible_to(zone: bytes, eyes: Eyes, seat: int) -> bytes:
    """Return a zone as a seat sees it: HIDDEN for each card that it does not know.

    ``eyes`` has the seats, as bits, that know each of the first entries; nobody knows those after them.
    """
    cards = bytes(code if eye >> seat & 1 else HIDDEN for code, eye in zip(as_seen(zone), eyes, strict=False))
    return cards + unknown(zone[len(eyes) :], HIDDEN)


# --- words ---


def view_move(state: State, move: moves.Move, seat: int) -> moves.Move:
    """Return a word as a seat sees it: cards it may not see are UNKNOWN.

    Args:
        state: The record before the word.
        move: The word.
        seat: The seat, 0 for a spectator.
    """
    if isinstance(move, (moves.Draw, moves.Row)):
        return move if move.seat == seat else replace(move, cards=unknown(move.cards))
    if isinstance(move, moves.Redraw):
        return move if move.seat == seat else replace(move, new_cards=unknown(move.new_cards))
    if isinstance(move, moves.Order):
        return replace(move, cards=_view_order(state, move, seat))
    if isinstance(move, moves.PutBack):
        return move if move.seat == seat else replace(move, cards=_view_stakes(state, move))
    if isinstance(move, moves.Pick):
        return replace(move, cards=_view_pick(state, move, seat))
    return _view_use(move, seat) if isinstance(move, moves.Use) else move


def _view_order(state: State, move: moves.Order, seat: int) -> bytes:
    """Return the cards of a deck that the table names, as a seat sees them, as many as there are.

    Its own opening hand is named while decks are fresh; all others are UNKNOWN.
    """
    base = state.if_unanswered if state.if_unanswered is not None else state
    visible = state.options.eighth(seat) if base.fresh and move.to == seat and base.marks.is_in(seat) else 0
    return move.cards[:visible] + unknown(move.cards[visible:])


def _view_stakes(state: State, move: moves.PutBack) -> bytes:
    """Return stakes that are put back as the other seats see them: UNKNOWN, except for the one that lay face up."""
    face = state.due[0].card if state.due and state.due[0].what == "back" else UNKNOWN
    at = move.cards.find(face)
    return bytes(card if place == at else UNKNOWN for place, card in enumerate(move.cards))


def _view_pick(state: State, move: moves.Pick, seat: int) -> bytes:
    """Return the cards that chance picked as a seat sees them: all of them, or each as UNKNOWN.

    Everybody sees cards that are discarded or come to an area; only the two seats concerned see others that are looked
    at or exchanged.
    """
    base = state.if_unanswered if state.if_unanswered is not None else state
    due = base.due[0] if base.due else None
    if due is None or due.use is None or (seat and seat in (due.use.seat, due.other)):
        return move.cards
    own = due.use.own
    to_area = due.what == "swap" and own is not None and own.place == "a"
    return move.cards if to_area else unknown(move.cards)


def _view_use(use: moves.Use, seat: int) -> moves.Use:
    """Return a Major's word as a seat sees it.

    Two cards that change places in secret are UNKNOWN: between hands for all but the seat and its target (Lovers),
    between a hand and the deck for all but the seat.
    """
    own, second = use.own, use.other
    if own is None or second is None or seat == use.seat:
        return use
    if moves.acting(use) == moves.LOVERS:
        open_here = own.place != "h" or second.place != "h" or seat == use.target
    else:
        open_here = {own.place, second.place} != {"h", "d"}
    if open_here:
        return use
    return replace(use, own=replace(own, card=UNKNOWN), other=replace(second, card=UNKNOWN))
