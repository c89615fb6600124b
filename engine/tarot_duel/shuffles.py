"""Fresh and shuffled decks: the opening hand, the World, and decks known again once the table names their cards.

The opening hand is an eighth of a fresh deck, drawn before the first turn and after the World. The World puts all cards
but itself back in fresh decks. Any other word makes a shuffled deck unknown whose cards the table has not named.
"""

from msgspec.structs import replace

from cartulary.engine.cards.deck import join_hint
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import BLANKS, NO_SLOTS, UNKNOWN, is_slot, mix, reveal
from cartulary.engine.tarot_duel.cards import NAMES, blank, known_deck
from cartulary.engine.tarot_duel.clauses import EFFECT, OPENING_HAND
from cartulary.engine.tarot_duel.draft import Draft, Removal
from cartulary.engine.tarot_duel.moves import Order, Use
from cartulary.engine.tarot_duel.state import IDLE, Marks, Side, State, Unseen

# --- the opening hand ---


def deal_hand(draft: Draft, seat: int) -> None:
    """Move a seat's opening hand from the top of its deck to its hand; nothing moves unless decks are fresh.

    A seat that is out has no opening hand.
    """
    if draft.fresh and draft.marks.is_in(seat):
        side, size = draft.side(seat), draft.options.eighth(seat)
        side.hand, side.deck = side.deck[:size], side.deck[size:]
        side.eyes = (0,) * len(side.hand)


def refuse_short(draft: Draft, seat: int, cards: bytes) -> None:
    """Note the refusal of a word that names a fresh deck, but not its seat's whole opening hand; the word may stand.

    Nothing is noted for a seat that is out.
    """
    hand = min(draft.options.eighth(seat), len(draft.side(seat).deck))
    if draft.marks.is_in(seat) and len(cards) < hand:
        because = f"p{seat}'s opening hand has {how_many(hand)}, but the word gives {len(cards)}"
        draft.refuse(OPENING_HAND, because + join_hint(len(cards)))


# --- the World ---


def renew(draft: Draft, use: Use, cards: list[Removal]) -> None:
    """Carry out the World: all cards but itself come back into the decks they were in at the start, which are fresh
    then.

    Hands, areas, piles and lasting effects are empty; seats that are out stay out. ``cards`` is not used. No word is
    due.
    """
    options, unseen, out_of_play = draft.options, draft.unseen, list(draft.marks.out_of_play)
    out_of_play[_owner(draft, use.seat, use.card) - 1] += bytes((use.card,))
    revealed_cards = tuple(
        b"" if unseen.doubt >> seat & 1 else cards for seat, cards in enumerate(unseen.revealed_cards, 1)
    )
    for seat in range(1, options.seats + 1):
        deck = known_deck(options, revealed_cards[seat - 1], seat)
        for card in out_of_play[seat - 1]:
            at = deck.find(card) if card in deck else deck.find(blank(seat))
            deck = deck[:at] + deck[at + 1 :]
        draft.sides[seat - 1] = Side(deck)
    marks, none = draft.marks, (b"",) * options.seats
    draft.marks = Marks(none, tuple(out_of_play), ((0, 0),) * options.seats, marks.out, 0, marks.missed_turns)
    draft.slots = NO_SLOTS
    draft.unseen = Unseen(NO_SLOTS, revealed_cards, unseen.doubt, unseen.copies, unseen.breaches)
    draft.loose, draft.fresh = tuple((seat, 0) for seat in range(1, options.seats + 1)), True
    draft.act = replace(IDLE, doer=draft.act.doer)


def _owner(draft: Draft, seat: int, card: int) -> int:
    """Return the seat from whose deck a card came: the seat that used it if that is possible, otherwise another one.

    If no deck is known to have had it, it is the seat that used it.
    """
    unseen, out_of_play = draft.unseen, draft.marks.out_of_play
    opponents = tuple(opponent for opponent in range(1, draft.options.seats + 1) if opponent != seat)
    decks = {owner: known_deck(draft.options, unseen.revealed_cards[owner - 1], owner) for owner in (seat, *opponents)}
    owners = [owner for owner in decks if card in decks[owner] and card not in out_of_play[owner - 1]]
    sure = [owner for owner in owners if owner == seat or not unseen.doubt >> owner & 1]
    if sure:
        return sure[0]
    if blank(seat) in decks[seat] and card not in out_of_play[seat - 1]:
        return seat
    return owners[0] if owners else seat


def borrow(draft: Draft, seat: int, count: int) -> None:
    """Move a card that is out of play to another deck, if the table names one card more in this fresh deck than it has.

    Args:
        draft: The draft; decks are fresh, and which cards this one brought is in doubt.
        seat: The seat of the deck.
        count: How many cards the table names.
    """
    side, out_of_play, doubt = draft.side(seat), [*draft.marks.out_of_play], draft.unseen.doubt
    mine = out_of_play[seat - 1]
    if count != len(side.deck) + 1 or not mine:
        return
    for lender in range(1, draft.options.seats + 1):
        if (
            lender != seat
            and doubt >> lender & 1
            and mine[-1] not in out_of_play[lender - 1]
            and _shorten(draft, lender)
        ):
            out_of_play[seat - 1], out_of_play[lender - 1] = mine[:-1], out_of_play[lender - 1] + mine[-1:]
            draft.mark(out_of_play=tuple(out_of_play))
            side.deck += bytes((blank(seat),))
            return


def _shorten(draft: Draft, seat: int) -> bool:
    """Remove one card that nobody on record saw from a deck, and say whether that was done; False if it has none to
    spare.
    """
    side = draft.side(seat)
    if any(to == seat for to, _ in draft.loose):
        at = side.deck.find(blank(seat))
        side.deck = side.deck[:at] + side.deck[at + 1 :] if at >= 0 else side.deck
        return at >= 0
    sighting = reveal(draft.slots, side.deck[-1], BLANKS) if side.deck and is_slot(side.deck[-1]) else None
    if sighting is not None:
        draft.slots, side.deck = sighting[0], side.deck[:-1]
    return sighting is not None


# --- shuffled decks ---


def shuffle(draft: Draft, seat: int, top: int = 0) -> None:
    """Shuffle a seat's deck below its ``top`` upper cards; what was known of the others is forgotten.

    The table may name its order before the next word. An empty deck stays as it is.
    """
    side = draft.side(seat)
    if not side.deck:
        return
    draft.loose = tuple(sorted((*[entry for entry in draft.loose if entry[0] != seat], (seat, top))))
    side.tops = side.tops[:top]


def leave_unnamed(draft: Draft) -> None:
    """Make every deck unknown that was shuffled and not named since, and deal the opening hands if decks are fresh."""
    for seat, top in draft.loose:
        _mix(draft, seat, top)
        deal_hand(draft, seat)
    draft.loose, draft.fresh = (), False


def settle(state: State) -> State:
    """Return the state before the next word: an open window is closed unanswered, and decks that were shuffled and not
    named are unknown.
    """
    while state.if_unanswered is not None:
        state = state.if_unanswered
    if not state.loose:
        return state
    draft = Draft(state)
    leave_unnamed(draft)
    return draft.frozen()


def _mix(draft: Draft, seat: int, top: int) -> None:
    """Make the cards of a seat's deck below its ``top`` upper ones indistinguishable."""
    side = draft.side(seat)
    draft.slots, below = mix(draft.slots, side.deck[top:])
    side.deck = side.deck[:top] + below


# --- the table's word ---


def name_deck(draft: Draft, move: Order, top: int) -> None:
    """Carry out the table's word that names a shuffled deck; too few cards for the opening hand are noted as a refusal.

    Args:
        draft: The draft, which changes.
        move: The word.
        top: How many cards on top still lie in their order.

    Raises:
        BlockedError: The deck cannot lie so.
    """
    seat, cards = move.to, move.cards
    if draft.fresh:
        if draft.unseen.doubt >> seat & 1:
            borrow(draft, seat, len(cards))
        refuse_short(draft, seat, cards)
    _name_cards(draft, seat, top, cards)
    while draft.loose[0][0] != seat:
        owner, top = draft.loose[0]
        _mix(draft, owner, top)
        deal_hand(draft, owner)
        draft.loose = draft.loose[1:]
    deal_hand(draft, seat)
    draft.loose = draft.loose[1:]
    draft.fresh = draft.fresh and bool(draft.loose)


def _name_cards(draft: Draft, seat: int, top: int, cards: bytes) -> None:
    """Let a shuffled deck lie as the table names it.

    ``top`` is how many cards on top still lie in their order; ``cards`` are named from the top, UNKNOWN for those not
    named.

    Raises:
        BlockedError: It cannot lie so.
    """
    side = draft.side(seat)
    deck = side.deck
    if len(cards) > len(deck):
        draft.block(EFFECT, f"p{seat}'s deck has {how_many(len(deck))}, but the word gives {len(cards)}")
    if len(cards) != len(deck) or deck[:top] != cards[:top] or sorted(deck) != sorted(cards):
        before = draft.slots, draft.unseen
        _mix(draft, seat, top)
        entries = draft.as_told(side.deck, cards)
        if isinstance(entries, int):
            side.deck, (draft.slots, draft.unseen) = deck, before
            draft.block(EFFECT, _why_contradicted(draft, seat, cards))
        cards = entries
    side.deck = cards


def _why_contradicted(draft: Draft, seat: int, cards: bytes) -> str:
    """Return why a deck cannot lie as a word says, as a sentence: a card is not in it, or the order is wrong.

    The draft changes on the way and is of no further use.
    """
    for card in sorted(cards.replace(bytes((UNKNOWN,)), b"")):
        if draft.take_deck(seat, card) is None:
            return f"{NAMES[card]} is not in p{seat}'s deck, or not as often as the word gives it"
    return f"p{seat}'s deck is not in the order that the word gives"
