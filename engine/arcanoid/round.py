"""Rounds: the deal, who has left, whose turn is next; what seats are asked meanwhile, and the USA.

Asked are the vote on a new deck, and what exceeds the hand after the Wheel.
"""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import CHARIOT, DEVIL, FIELDS, HERMIT, TEMPERANCE, name_of
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.ledgers import OLDEST
from cartulary.engine.arcanoid.moves import DAEMON, ROW, Move
from cartulary.engine.arcanoid.state import HAND, Due, Side, order_after, round_first, who_name
from cartulary.engine.cards.deck import join_hint, set_of
from cartulary.engine.contract import IMPOSSIBLE, Outcome
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import NO_SLOTS, SLOT, UNKNOWN, has_slots, is_slot, mix, one_kind

FRESH = Side()
ABSENT = Side(plays=False)
_AS_SLOT = bytes(SLOT if code == UNKNOWN else code for code in range(256))
_CARDS = bytes(range(78))


def fresh_sides(seats: int) -> tuple[Side, ...]:
    """Return the sides before a deal: for each seat one with nothing, then for each seat a daemon that takes
    no part.
    """
    return (FRESH,) * seats + (ABSENT,) * seats


# --- the deal ---


def begin_round(draft: Draft) -> None:
    """Empty all hands, fields and piles of the draft for a new round, whose number ``draft.round`` has already.

    The deal is the only thing due then.
    """
    options = draft.options
    draft.sides, draft.changed_sides = [*fresh_sides(options.seats)], []
    draft.deck = draft.pile = draft.aside = b""
    draft.row, draft.past_daemons, draft.devil, draft.temper = None, (), 0, None
    draft.undone_fields, draft.dead, draft.mover, draft.extra = 0, False, 0, False
    draft.turn = round_first(draft.options, draft.round)
    draft.lap_begun, draft.slots, draft.doubts, draft.lenders, draft.skipped_dues = False, NO_SLOTS, (), (), ()
    draft.deal = (None,) * (options.seats + 1)
    draft.dues = [Due("deal")]


def note_deal(draft: Draft, who: int, cards: bytes) -> None:
    """Note the cards that the table names of a deal; the deck comes last and ends the deal.

    Args:
        draft: The draft, which changes.
        who: The seat whose hand it is, 0 for the deck.
        cards: The cards, UNKNOWN for those not named; of the deck only the first need be there.

    Raises:
        BlockedError: The hand is too large or small, given twice or out of order, or a card lies elsewhere.
    """
    assert draft.deal is not None
    at = who - 1 if who else draft.options.seats
    if at > draft.options.seats:
        draft.block(IMPOSSIBLE, "hands are dealt to the seats first, and then the deck is given")
    place = f"p{who}'s hand" if who else "the deck"
    most = HAND if who else 78 - HAND * draft.options.seats
    if draft.deal[at] is not None or any(hand is not None for hand in draft.deal[at + 1 :]):
        draft.block(IMPOSSIBLE, f"{place} is given twice or out of order")
    if len(cards) > most or (who and len(cards) < most):
        draft.block(IMPOSSIBLE, f"{place} has {how_many(most)}, but the word gives {len(cards)}{join_hint(len(cards))}")
    draft.deal = (*draft.deal[:at], cards, *draft.deal[at + 1 :])
    named = b"".join(hand or b"" for hand in draft.deal).replace(b"\xff", b"")
    if len(set(named)) != len(named):
        draft.block(IMPOSSIBLE, f"{place} has a card that lies elsewhere")
    if not who:
        end_deal(draft)


def end_deal(draft: Draft) -> None:
    """Give the seats the hands that were dealt, and the draft its deck; the deal is due no more.

    Cards that the table has not named become slots: which of the cards left over they are is unknown.
    """
    assert draft.deal is not None
    seats = draft.options.seats
    hands = [hand if hand is not None else b"\xff" * HAND for hand in draft.deal[:seats]]
    deck = draft.deal[seats] or b""
    deck += b"\xff" * (78 - HAND * seats - len(deck))
    all_cards = b"".join(hands) + deck
    unknown = all_cards.count(UNKNOWN)
    if unknown:
        pool = _CARDS.translate(None, all_cards.replace(b"\xff", b""))
        draft.slots = one_kind(unknown, set_of(pool), pool)
        hands = [hand.translate(_AS_SLOT) for hand in hands]
        deck = deck.translate(_AS_SLOT)
    draft.sides[:seats] = map(Side, hands)
    draft.deck, draft.deal, draft.dues = deck, None, draft.dues[1:]


# --- leaving the round ---


def check_ended(draft: Draft, outcome: Outcome | None) -> None:
    """Raise BlockedError for a word after the end of the game.

    Args:
        draft: The draft of the word.
        outcome: How the game has ended, None if it goes on and nothing is to be done.
    """
    if outcome is not None:
        draft.block(clauses.NO_MORE_MOVES, outcome.because)


def leave_round(draft: Draft, who: int) -> None:
    """If a seat has committed on all four fields, discard all its cards and end what lies on the table by it.

    Otherwise nothing changes.
    """
    seat = draft.seat(who)
    if None in seat.fields:
        return
    draft.pile += draft.empty_hand(who)
    if seat.reserve is not None:
        draft.pile += seat.reserve + bytes((CHARIOT,))
    if seat.hermit:
        draft.pile += bytes((HERMIT,))
    seat.reserve, seat.hermit = None, 0
    if draft.temper is not None and draft.temper[0] == who:
        drop_temperance(draft)
    if who > DAEMON and draft.devil == who - DAEMON:
        draft.devil = 0
        draft.pile += bytes((DEVIL,))


def is_over(draft: Draft) -> bool:
    """Say whether the round is over: every seat and daemon that takes part has something on all four fields."""
    return not any(side.plays and None in side.fields for side in draft.sides)


def pass_turn(draft: Draft) -> None:
    """Give the turn to the next seat or daemon that still plays; the turn stays if there is none.

    Each time the first one of the round is reached or passed over, a new lap of the table is counted.
    """
    sides = draft.sides
    for who, place, first in order_after(draft.options, draft.round, draft.turn):
        if first:
            draft.lap += 1
            draft.lap_begun = False
        side = sides[place]
        if side.plays and None in side.fields:
            draft.turn = who
            return


def drop_temperance(draft: Draft) -> None:
    """Discard Temperance if it lies on a field; otherwise nothing changes."""
    if draft.temper is not None:
        draft.temper = None
        draft.pile += bytes((TEMPERANCE,))


# --- the vote on a new deck ---


def empty_deck(draft: Draft, who: int) -> None:
    """Make a vote due because the deck is empty; without discards, or after a No, the deck stays empty.

    Args:
        draft: The draft, which changes.
        who: The seat or daemon that drew the last card, or ROW.
    """
    dresden = draft.options.variant == "dresden"
    if not dresden:
        drop_temperance(draft)
    if not draft.pile or draft.dead:
        draft.dead = True
        drop_temperance(draft)
        return
    real = draft.options.real
    if who == ROW:
        who = next((due.who for due in draft.dues if due.what in ("next", "again", "stay")), draft.turn)
    seat = who - DAEMON if who > DAEMON else who
    draft.dues.insert(0, Due("vote", seat if seat <= real else 1, (2 << real) - 2))


def check_voted(draft: Draft) -> None:
    """Note on the draft the refusal of a word if a vote is due first; the word may stand, and its other faults are not
    noted.
    """
    if draft.dues and draft.dues[0].what == "vote":
        draft.refuse_until_due(clauses.REFILL_VOTE, f"p{draft.dues[0].who} is to vote first")


def check_vote_first(draft: Draft) -> None:
    """Raise BlockedError if a vote is due before a Wheel's discard that is written after a draw; else do nothing."""
    if draft.dues and draft.dues[0].what == "vote":
        draft.block(clauses.REFILL_VOTE, f"p{draft.dues[0].who} is to vote before the Wheel's discard")


def skipped_due(draft: Draft, what: str) -> Due | None:
    """Return the vote (``vote``) or the Wheel's discard (``away``) that the last move left out; None if it left none
    out.
    """
    return next((due for due in draft.skipped_dues if due.what == what), None)


def pop_skipped(draft: Draft, what: str) -> Due:
    """Remove the vote (``vote``) or discard (``away``) that the last move left out from the draft, and return it.

    One must have been left out; it may come late once.
    """
    due = skipped_due(draft, what)
    assert due is not None
    draft.skipped_dues = tuple(other for other in draft.skipped_dues if other is not due)
    return due


def may_vote(now: Draft, draft: Draft, who: int, yes: bool) -> bool:
    """Judge a vote, and return whether it is counted; a wrong one is noted as a refusal on ``draft``.

    A late No is not counted: the move in its place was taken for it already.

    Args:
        now: The draft of what is settled before the vote.
        draft: The draft of the vote.
        who: The seat.
        yes: True for Yes, False for No.

    Raises:
        BlockedError: The game has ended, and no vote was left out by its last move.
    """
    due = now.dues[0] if now.dues else None
    if due is None or due.what != "vote":
        skipped_vote = skipped_due(draft, "vote")
        if not yes and skipped_vote is not None and skipped_vote.who == who:
            pop_skipped(draft, "vote")
            return False
        check_ended(draft, now.outcome)
        draft.refuse(clauses.REFILL_VOTE, "no vote is due")
        return False
    if due.who != who:
        draft.refuse_until_due(clauses.REFILL_VOTE, f"p{due.who} is to vote first")
    return bool(due.count >> who & 1)


def count_vote(draft: Draft, who: int, yes: bool) -> None:
    """Count the vote that is due and make the next one due, or after the last Yes the new deck.

    A No ends the vote: there is no new deck in this round, and Temperance is discarded.

    Args:
        draft: The draft, in which a vote is the first thing due.
        who: The seat that votes.
        yes: True for Yes, False for No.
    """
    due = draft.dues.pop(0)
    rest, first = due.count & ~(1 << who), due.who
    if not yes:
        draft.dead = True
        drop_temperance(draft)
        return
    while rest and not rest >> first & 1:
        first = first % draft.options.real + 1
    draft.dues.insert(0, Due("vote", first, rest) if rest else Due("deck"))


def reshuffle(draft: Draft, cards: bytes) -> None:
    """Make the discard pile the deck again.

    Args:
        draft: The draft, which changes.
        cards: The cards the table names from the top of the new deck.

    Raises:
        BlockedError: They are too many, or one of them is not in the pile.
    """
    pile, draft.pile = draft.pile, b""
    if not has_slots(pile) and sorted(pile) == sorted(cards):
        draft.deck = cards
    else:
        if len(cards) > len(pile):
            draft.block(IMPOSSIBLE, f"the new deck has {how_many(len(pile))}, but the word gives {len(cards)}")
        draft.slots, pile = mix(draft.slots, pile)
        draft.deck = draft.show_first_cards(pile, cards, "in the discard pile")
    del draft.dues[0]


# --- the Wheel's discard ---


def check_discarded(draft: Draft) -> None:
    """Note on the draft the refusal of a word if the Wheel's discard is due first; the word may stand."""
    due = draft.dues[0] if draft.dues else None
    if due is not None and due.what == "away":
        draft.refuse_until_due(clauses.WHEEL, f"{who_name(due.who)} is to discard first")


def late_discard(draft: Draft, who: int, move: Move) -> Due | None:
    """Return the Wheel's discard that the last move left out, if this word is that discard.

    It is one if it names as many cards as the hand has too many. While another vote or discard is due it may come too,
    but not if that discard is the same player's: then the word is the one that is due.

    Args:
        draft: The draft of the word, once all that needs no word was passed over.
        who: The seat or daemon that says it.
        move: The word.
    """
    left_out, due = skipped_due(draft, "away"), draft.dues[0] if draft.dues else None
    if left_out is None or left_out.who != who or (move.what, move.new_cards) != ("discard", None):
        return None
    if due is not None and due.what == "away" and due.who % DAEMON == who % DAEMON:
        return None
    return left_out if 0 < draft.cards_due(left_out) == len(move.cards) else None


def discard_excess(draft: Draft, who: int, cards: bytes) -> None:
    """Discard the cards that the Wheel brought too many, if that is due; a wrong number of cards is noted as a refusal.

    Args:
        draft: The draft, which changes.
        who: The seat or daemon.
        cards: The cards, UNKNOWN for those not named.

    Raises:
        BlockedError: Cards are named, but the hand is not too large.
    """
    if not draft.dues or draft.dues[0].what != "away":
        if cards:
            draft.block(clauses.WHEEL, "there is nothing to discard: the hand is not too large")
        return
    count = draft.cards_due(draft.dues[0])
    if len(cards) != count:
        draft.refuse(clauses.WHEEL, f"{who_name(who)} discards {how_many(len(cards))}, but has {count} too many")
    for card in cards:
        draft.pile += bytes((draft.take_unseen(who, card, True),))
    del draft.dues[0]


# --- the USA ---


def check_usa(draft: Draft, move: Move) -> None:
    """Note on the draft the refusal of what the USA does not do; the word may stand.

    It never plays the Fool; it discards its oldest card, and abdicates on its first free field once it has no card.
    """
    seat = draft.peek(move.who)
    if move.what == "fool":
        return draft.refuse(clauses.USA, f"p{move.who} never plays the Fool")
    lifts = move.cards == bytes((TEMPERANCE,)) and draft.temper is not None
    if seat.hand:
        if move.what != "discard" or len(move.cards) != 1 or lifts:
            draft.refuse(clauses.USA, f"p{move.who} must discard its oldest card")
        return None
    field = seat.fields.index(None)
    if move.what != "commit" or move.cards or move.fields != (field,):
        draft.refuse(clauses.USA, f"p{move.who} has no cards, so it must abdicate on {FIELDS[field]}")
    return None


def take_oldest(draft: Draft, who: int, card: int) -> int:
    """Remove the oldest card of the USA's hand.

    Args:
        draft: The draft, which changes.
        who: The seat of the USA.
        card: The card, UNKNOWN if it is not named; if it is not the oldest, a refusal is noted and it is taken all the
            same.

    Returns:
        The code of the removed card.
    """
    seat = draft.seat(who)
    first = seat.hand[0] if seat.hand else UNKNOWN
    lies_open = draft.row is not None and card in draft.row
    oldest = seat.hand and (card in (first, UNKNOWN) or (is_slot(first) and not lies_open))
    if not seat.public_cards >> (first if oldest else card) & 1:
        # Not all know it to be there, so it goes unseen: who looked at the hand knows it no more.
        seat.seat_knowledge = ()
    if oldest:
        seat.hand = seat.hand[1:]
        code = draft.show_first_cards(bytes((first,)), bytes((card,)), f"the oldest card of p{who}")[0]
        draft.note_departure(who, UNKNOWN if is_slot(code) else code, OLDEST)
        return code
    draft.refuse(clauses.USA, f"{name_of(card)} is not the oldest card of p{who}")
    return draft.take(who, card)
