"""Rounds: the deal, who has left, whose turn is next; what seats are asked meanwhile, and the USA.

Asked are the vote on a new deck, and what exceeds the hand after the Wheel.
"""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import CHARIOT, DEVIL, FIELDS, HERMIT, TEMPERANCE, name_of
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.ledgers import OLDEST
from cartulary.engine.arcanoid.moves import DAEMON, ROW, Move
from cartulary.engine.arcanoid.state import HAND, Due, Side, order_after, round_first, who_name
from cartulary.engine.cards.deck import set_of, unjoined
from cartulary.engine.contract import IMPOSSIBLE, Outcome
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import NO_SLOTS, SLOT, UNKNOWN, has_slots, is_slot, mix, one_kind

FRESH = Side()
ABSENT = Side(plays=False)
_AS_SLOT = bytes(SLOT if code == UNKNOWN else code for code in range(256))
_CARDS = bytes(range(78))


def fresh_sides(seats: int) -> tuple[Side, ...]:
    """Return the sides before a deal: seats with nothing, and no daemons."""
    return (FRESH,) * seats + (ABSENT,) * seats


# --- the deal ---


def begin(draft: Draft) -> None:
    """Begin a round: nothing lies anywhere, and the table is to tell the deal."""
    options = draft.options
    draft.sides, draft.changed = [*fresh_sides(options.seats)], []
    draft.deck = draft.pile = draft.aside = b""
    draft.row, draft.gone, draft.devil, draft.temper = None, (), 0, None
    draft.touched, draft.dead, draft.mover, draft.extra = 0, False, 0, False
    draft.turn = round_first(draft.options, draft.round)
    draft.begun, draft.slots, draft.doubts, draft.lent, draft.skipped = False, NO_SLOTS, (), (), ()
    draft.deal = (None,) * (options.seats + 1)
    draft.dues = [Due("deal")]


def tell(draft: Draft, who: int, cards: bytes) -> None:
    """Note the cards the table tells of a deal: a seat's, or for 0 the deck's, which ends it."""
    assert draft.deal is not None
    at = who - 1 if who else draft.options.seats
    if at > draft.options.seats:
        draft.block(IMPOSSIBLE, "hands are dealt to the seats first, and then the deck is given")
    place = f"p{who}'s hand" if who else "the deck"
    most = HAND if who else 78 - HAND * draft.options.seats
    if draft.deal[at] is not None or any(hand is not None for hand in draft.deal[at + 1 :]):
        draft.block(IMPOSSIBLE, f"{place} is given twice or out of order")
    if len(cards) > most or (who and len(cards) < most):
        draft.block(IMPOSSIBLE, f"{place} has {how_many(most)}, but the word gives {len(cards)}{unjoined(len(cards))}")
    draft.deal = (*draft.deal[:at], cards, *draft.deal[at + 1 :])
    named = b"".join(hand or b"" for hand in draft.deal).replace(b"\xff", b"")
    if len(set(named)) != len(named):
        draft.block(IMPOSSIBLE, f"{place} has a card that lies elsewhere")
    if not who:
        close(draft)


def close(draft: Draft) -> None:
    """End a deal: cards that the table has not named are unknown."""
    assert draft.deal is not None
    seats = draft.options.seats
    hands = [hand if hand is not None else b"\xff" * HAND for hand in draft.deal[:seats]]
    deck = draft.deal[seats] or b""
    deck += b"\xff" * (78 - HAND * seats - len(deck))
    whole = b"".join(hands) + deck
    unknown = whole.count(UNKNOWN)
    if unknown:
        pool = _CARDS.translate(None, whole.replace(b"\xff", b""))
        draft.slots = one_kind(unknown, set_of(pool), pool)
        hands = [hand.translate(_AS_SLOT) for hand in hands]
        deck = deck.translate(_AS_SLOT)
    draft.sides[:seats] = map(Side, hands)
    draft.deck, draft.deal, draft.dues = deck, None, draft.dues[1:]


# --- leaving the round ---


def check_ended(draft: Draft, ended: Outcome | None) -> None:
    """Refuse what is said after the end of the game; raises BlockedError then."""
    if ended is not None:
        draft.block(clauses.FINISHED, ended.because)


def leave(draft: Draft, who: int) -> None:
    """Let who has committed on all four fields leave the round; his cards are discarded."""
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
    """Say whether all have committed on all fields."""
    return not any(side.plays and None in side.fields for side in draft.sides)


def pass_turn(draft: Draft) -> None:
    """Give the turn to the next seat or daemon that still plays."""
    sides = draft.sides
    for who, place, first in order_after(draft.options, draft.round, draft.turn):
        if first:
            draft.lap += 1
            draft.begun = False
        side = sides[place]
        if side.plays and None in side.fields:
            draft.turn = who
            return


def drop_temperance(draft: Draft) -> None:
    """Discard Temperance if it lies on a field."""
    if draft.temper is not None:
        draft.temper = None
        draft.pile += bytes((TEMPERANCE,))


# --- the vote on a new deck ---


def empty_deck(draft: Draft, who: int) -> None:
    """Do what an empty deck brings; who: who drew the last card."""
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
    """Note that a vote comes before what is said, where one is due."""
    if draft.dues and draft.dues[0].what == "vote":
        draft.owe(clauses.REFILL_VOTE, f"p{draft.dues[0].who} is to vote first")


def check_vote_first(draft: Draft) -> None:
    """Refuse a Wheel's discard after a draw that is voted on first; raises BlockedError then."""
    if draft.dues and draft.dues[0].what == "vote":
        draft.block(clauses.REFILL_VOTE, f"p{draft.dues[0].who} is to vote before the Wheel's discard")


def skipped_due(draft: Draft, what: str) -> Due | None:
    """Return the vote or the discard in whose place the last move came, None where that was not skipped."""
    return next((due for due in draft.skipped if due.what == what), None)


def take_skipped(draft: Draft, what: str) -> Due:
    """Return what was skipped and comes late, which it may do once."""
    due = skipped_due(draft, what)
    assert due is not None
    draft.skipped = tuple(other for other in draft.skipped if other is not due)
    return due


def may_vote(now: Draft, draft: Draft, who: int, yes: bool) -> bool:
    """Note what is wrong with a vote, and return whether the seat is still to vote.

    A No that comes late says what the move that came in its place was taken for.

    Args:
        now: the draft of what is settled before the vote.
        draft: the draft of the vote.
        who: the seat.
        yes: the vote.
    """
    due = now.dues[0] if now.dues else None
    if due is None or due.what != "vote":
        skipped = skipped_due(draft, "vote")
        if not yes and skipped is not None and skipped.who == who:
            take_skipped(draft, "vote")
            return False
        draft.refuse(clauses.REFILL_VOTE, "no vote is due")
        return False
    if due.who != who:
        draft.owe(clauses.REFILL_VOTE, f"p{due.who} is to vote first")
    return bool(due.count >> who & 1)


def count_vote(draft: Draft, who: int, yes: bool) -> None:
    """Count the vote of a seat that is still to vote."""
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
    """Make the discard pile the deck again; ``cards`` are those that the table names from the top."""
    pile, draft.pile = draft.pile, b""
    if not has_slots(pile) and sorted(pile) == sorted(cards):
        draft.deck = cards
    else:
        if len(cards) > len(pile):
            draft.block(IMPOSSIBLE, f"the new deck has {how_many(len(pile))}, but the word gives {len(cards)}")
        draft.slots, pile = mix(draft.slots, pile)
        draft.deck = draft.turned_up(pile, cards, "in the discard pile")
    del draft.dues[0]


# --- the Wheel's discard ---


def check_discarded(draft: Draft) -> None:
    """Note that the Wheel's discard comes before what is said, where it is due."""
    due = draft.dues[0] if draft.dues else None
    if due is not None and due.what == "away":
        draft.owe(clauses.WHEEL, f"{who_name(due.who)} is to discard first")


def may_discard_late(draft: Draft, move: Move) -> bool:
    """Say whether a word is the Wheel's discard, in whose place another came before."""
    due = skipped_due(draft, "away")
    if due is None or (move.what, move.drawn) != ("discard", None):
        return False
    return not draft.dues and due.who == move.who and 0 < draft.need(due) == len(move.cards)


def discard_too_many(draft: Draft, who: int, cards: bytes) -> None:
    """Discard what the Wheel brought too much; nothing may be written where nothing is."""
    if not draft.dues or draft.dues[0].what != "away":
        if cards:
            draft.block(clauses.WHEEL, "there is nothing to discard: the hand is not too large")
        return
    count = draft.need(draft.dues[0])
    if len(cards) != count:
        draft.refuse(clauses.WHEEL, f"{who_name(who)} discards {how_many(len(cards))}, but has {count} too many")
    for card in cards:
        draft.pile += bytes((draft.take_unseen(who, card, True),))
    del draft.dues[0]


# --- the USA ---


def check_usa(draft: Draft, move: Move) -> None:
    """Note what the USA does and does not do."""
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
    """Take the oldest card of its hand, which is to be this one; return its code."""
    seat = draft.seat(who)
    first = seat.hand[0] if seat.hand else UNKNOWN
    lies_open = draft.row is not None and card in draft.row
    oldest = seat.hand and (card in (first, UNKNOWN) or (is_slot(first) and not lies_open))
    if not seat.shown >> (first if oldest else card) & 1:
        # Not all know it to be there, so it goes unseen: who looked at the hand knows it no more.
        seat.looked = ()
    if oldest:
        seat.hand = seat.hand[1:]
        code = draft.turned_up(bytes((first,)), bytes((card,)), f"the oldest card of p{who}")[0]
        draft.gone_from(who, UNKNOWN if is_slot(code) else code, OLDEST)
        return code
    draft.refuse(clauses.USA, f"{name_of(card)} is not the oldest card of p{who}")
    return draft.take(who, card)
