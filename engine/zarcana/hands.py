"""Cards on their way between deck, hands and discards: options of a turn, gifts, and the powers of hands.

The powers are the Star, the High Priestess, Justice, Judgement and the Miser.
"""

from cartulary.engine.cards.deck import set_of
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import (
    NO_SLOTS,
    UNKNOWN,
    Kind,
    Slots,
    cards_in,
    has_slots,
    is_slot,
    mix,
    possible,
    remove_all,
)
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import DOPPELGANGER, name_of
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft, contradicts_assumption, drop_questions
from cartulary.engine.zarcana.moves import Away, Deal, DiscardHand, Draw, DrawnCards, Gift, Move, RaisedCards, Toward
from cartulary.engine.zarcana.state import HAND_LIMIT, Course, everybody_knows, knows

# --- deck and discards ---


def available(draft: Draft) -> int:
    """Return how many cards can be drawn: those of the deck and the discards, which become the next deck when it runs
    out.
    """
    return len(draft.deck) + len(draft.pile)


def take_off_deck(draft: Draft, cards: bytes) -> bytes:
    """Take cards off the deck, which the discards replace if it runs out, and return their codes.

    Args:
        draft: The draft, which changes; at least as many cards must be left.
        cards: The cards as the word lists them, UNKNOWN for those not named.

    Raises:
        BlockedError: They cannot be the next cards of the deck.
    """
    count = len(cards)
    top = draft.deck[:count]
    draft.deck = draft.deck[count:]
    if len(top) < count:
        _reshuffle(draft)
        missing = count - len(top)
        top, draft.deck = top + draft.deck[:missing], draft.deck[missing:]
    if top == cards or (count > 1 and bytes(sorted(top)) == cards):
        return top
    if cards[0] == UNKNOWN:
        return top
    where = "among the next cards of the deck" if count > 1 else "the next card of the deck"
    return draft.match_cards(top, cards, clauses.DECK_ORDER, where)


def _reshuffle(draft: Draft) -> None:
    """Make the discards the deck; of none of them is it known any more where it lies. The deck must be empty."""
    draft.unseen = drop_questions(draft.unseen, draft.pile)
    slots = draft.slots
    if not any(kind.size for kind in slots.kinds):
        # No card is hidden, so the discards become the one kind there is.
        draft.slots, draft.deck = mix(NO_SLOTS if len(draft.pile) > 1 else slots, draft.pile)
    else:
        trimmed = tuple(Kind(kind.pool, kind.mask & set_of(slots.pools[kind.pool]), kind.size) for kind in slots.kinds)
        draft.slots, draft.deck = mix(Slots(trimmed, slots.pools), draft.pile)
    draft.pile, draft.shuffled = b"", True


def discard(draft: Draft, code: int) -> None:
    """Put a card, given as its code, on top of the discards."""
    draft.pile += bytes((code,))


# --- what the table tells ---


def name_deck(draft: Draft, move: Deal) -> None:
    """Note that the deck's first cards are those that the table names from the top, in that order.

    Raises:
        BlockedError: They are too many, or cannot lie there.
    """
    count = len(move.cards)
    if count > len(draft.deck):
        rule = clauses.DECK_ORDER if draft.course.deck_due else clauses.SETUP
        draft.block(rule, f"The deck has {how_many(len(draft.deck))}, not {count}")
    draft.deck = lay_as_dealt(draft, draft.deck[:count], move.cards) + draft.deck[count:]


def lay_as_dealt(draft: Draft, zone: bytes, cards: bytes) -> bytes:
    """Return the codes of a zone whose cards are those that the table names, in the order in which they lie.

    Args:
        draft: The draft, in which the unseen cards get their names.
        zone: The codes of the zone.
        cards: The cards, UNKNOWN for those not named.

    Raises:
        BlockedError: A card is no card of the game, is named twice, or another one is known to lie there.
    """
    alike = remove_all(draft.slots, zone, cards) if not draft.unseen.either else None
    if alike is not None and len(zone) == len(cards):
        draft.slots = alike
        return cards
    strange = next((card for card in cards if card != UNKNOWN and card not in draft.state.options.every), None)
    if strange is not None:
        draft.block(clauses.SETUP, f"{name_of(strange)} is not in the deck of this game")
    after = bytearray(zone)
    for at, card in enumerate(cards):
        if card == UNKNOWN or zone[at] == card:
            continue
        if card in cards[:at]:
            draft.block(clauses.CARD_TWICE, f"{name_of(card)} is given twice")
        if not is_slot(zone[at]):
            draft.block(clauses.DECK_ORDER, f"{name_of(zone[at])} lies there, not {name_of(card)}")
        after[at] = draft.match_cards(bytes((zone[at],)), bytes((card,)), clauses.DECK_ORDER, "where the word has it")[
            0
        ]
    return bytes(after)


# --- a hand ---


def take_from_hand(draft: Draft, seat: int, card: int) -> int:
    """Take a card from the hand of a seat, UNKNOWN for one that is not named, and return its code.

    Raises:
        BlockedError: The card cannot be there.
    """
    match = draft.search(draft.hands[seat - 1], card)
    if match is None:
        because = f"{name_of(card)} cannot be in p{seat}'s hand{draft.where_known(card)}"
        draft.block(clauses.IN_HAND, because if draft.hands[seat - 1] else f"p{seat} has no cards")
    hand, at, code, _ = match
    set_hand(draft, seat, hand[:at] + hand[at + 1 :])
    return code


def check_in_hand(draft: Draft, seat: int, cards: bytes) -> None:
    """Raise BlockedError if one of the cards that a word names cannot be in a hand; the hand stays as it is.

    Each card is looked at alone. Cards that could not lie there together are found when they are taken.
    """
    hand = draft.hands[seat - 1]
    if remove_all(draft.slots, hand, cards) is not None:
        return
    for card in cards:
        if not draft.may_lie(hand, card):
            draft.stray = draft.stray or contradicts_assumption(draft.unseen, hand, card)
            because = f"p{seat} does not hold {name_of(card)}{draft.where_known(card)}"
            draft.block(clauses.IN_HAND, because if hand else f"p{seat} has no cards")


def set_hand(draft: Draft, seat: int, hand: bytes) -> None:
    """Replace the hand of a seat by these codes; the cards that were in it are not put anywhere."""
    hands = draft.hands
    draft.hands = (*hands[: seat - 1], hand, *hands[seat:])


def hand_room(draft: Draft, seat: int) -> int:
    """Return how many more cards a seat may hold under the hand limit; 0 if it has as many or more."""
    return max(HAND_LIMIT - len(draft.hands[seat - 1]), 0)


def draw_cards(draft: Draft, seat: int, cards: bytes) -> None:
    """Draw cards from the deck into a hand; nobody else sees them. An empty deck is replaced by the discards.

    ``cards`` are as the word lists them, UNKNOWN for those not named.

    Raises:
        BlockedError: They cannot be the next cards of the deck.
    """
    codes = take_off_deck(draft, cards) if cards else b""
    if draft.knowledge:
        draft.knowledge &= ~everybody_knows(cards_in(codes))
    set_hand(draft, seat, draft.hands[seat - 1] + codes)


def take_openly(draft: Draft, seat: int, code: int) -> None:
    """Put a card into a hand so that everybody sees it, and knows it to be there from then on."""
    card = bytes((code,))
    draft.knowledge |= everybody_knows(cards_in(card))
    set_hand(draft, seat, draft.hands[seat - 1] + card)


def give_card(draft: Draft, giver: int, code: int, taker: int) -> None:
    """Put a card that was taken from one hand into another; of all seats, only giver and taker know it from then on.

    ``code`` is that of the card; one that nobody on record saw stays unknown.
    """
    card = bytes((code,))
    draft.knowledge = draft.knowledge & ~everybody_knows(cards_in(card)) | knows(giver, cards_in(card))
    set_hand(draft, taker, draft.hands[taker - 1] + card)


# --- options of a turn ---


def draw(draft: Draft, move: Draw) -> None:
    """Carry out the option of drawing one to three cards.

    More cards, or a hand over the limit, are noted as a refusal, and they are drawn all the same.

    Raises:
        BlockedError: Fewer cards are left, or the cards named cannot be the next ones.
    """
    count = len(move.cards)
    if count > 3:
        draft.refuse(clauses.DRAW, f"At most three cards may be drawn, not {count}")
    if count > available(draft):
        draft.block(clauses.DRAW, f"{how_many(available(draft), 'card is', 'cards are')} left to draw, not {count}")
    if count > hand_room(draft, draft.seat):
        hand_size = how_many(len(draft.hands[draft.seat - 1]))
        draft.refuse(
            clauses.HAND_LIMIT, f"p{draft.seat} holds {hand_size}, and {count} more would make more than {HAND_LIMIT}"
        )
    draw_cards(draft, draft.seat, move.cards)


def discard_hand(draft: Draft, move: DiscardHand) -> None:
    """Carry out the option of discarding the whole hand; the highest card comes to lie on top.

    An empty hand is noted as a refusal. ``move.cards`` is None if the word does not show the cards.

    Raises:
        BlockedError: The cards named are not the hand.
    """
    hand = draft.hands[draft.seat - 1]
    check_in_hand(draft, draft.seat, move.cards or b"")
    if not hand:
        draft.refuse(clauses.DISCARD_HAND, f"p{draft.seat} has no cards")
    if move.cards is not None:
        if len(move.cards) != len(hand):
            all_cards = "its only card" if len(hand) == 1 else f"all {len(hand)} cards"
            draft.block(clauses.DISCARD_HAND, f"p{draft.seat} must discard {all_cards}, not {len(move.cards)}")
        hand = draft.match_cards(hand, move.cards, clauses.IN_HAND, f"in p{draft.seat}'s hand")
    if has_slots(hand):
        # In card order any of them may be the highest.
        draft.unseen = drop_questions(draft.unseen, hand)
        draft.slots, hand = mix(draft.slots, hand)
    draft.pile += bytes(sorted(hand))
    set_hand(draft, draft.seat, b"")


# --- an Emperor's demand ---


def cards_owed(draft: Draft, giver: int, taker: int) -> int:
    """Return how many cards ``giver`` owes ``taker`` for a demand: two, or fewer if hand or hand limit allow no more.

    It is 0 if nothing can be given.
    """
    return min(2, len(draft.hands[giver - 1]), hand_room(draft, taker))


def open_demands(course: Course) -> tuple[tuple[int, int], ...]:
    """Return (giver, taker) of the demands that may be met now: the first one owed, or else those that were skipped."""
    return course.demands[:1] or course.skipped_demands


def late_demand(course: Course, move: Move) -> tuple[int, int] | None:
    """Return the skipped demand, as (giver, taker), that a word meets late; None if it meets none.

    Only a gift can meet one, and only while no other gift is owed.
    """
    if type(move) is not Gift or course.demands or (move.seat, move.to) not in course.skipped_demands:
        return None
    return move.seat, move.to


def give_cards(draft: Draft, move: Gift) -> None:
    """Carry out a gift that an Emperor demanded; only these two seats see which cards.

    A gift that is not owed, or of a wrong number of cards, is noted as a refusal and given all the same. One to the
    giver itself moves nothing.

    Raises:
        BlockedError: The giver cannot have the cards.
    """
    owed, count, hand_size = draft.course.demands, len(move.cards), len(draft.hands[move.seat - 1])
    late = late_demand(draft.course, move)
    check_in_hand(draft, move.seat, move.cards)
    if not owed and late is None:
        draft.refuse(clauses.EMPEROR, f"p{move.seat} owes nobody cards")
    elif owed and move.to != owed[0][1]:
        draft.refuse(clauses.EMPEROR, f"The cards must go to p{owed[0][1]}, not to p{move.to}")
    if count > hand_size:
        draft.block(clauses.EMPEROR, f"p{move.seat} holds {how_many(hand_size)}, not {count}")
    _check_hand_limit(draft, move.to, count)
    right = cards_owed(draft, move.seat, move.to)
    if late and count in range(right, min(2, hand_size) + 1):
        # What came in between may have filled the other hand: what was owed then is enough.
        right = count
    if (owed or late) and count != right:
        draft.refuse(clauses.EMPEROR, f"p{move.seat} must give {how_many(right)}, not {count}")
    if move.to == move.seat:
        return
    hand_cards = cards_in(draft.hands[move.seat - 1])
    draft.knowledge &= ~everybody_knows(hand_cards) | knows(move.to, hand_cards)
    for card in sorted(move.cards):
        give_card(draft, move.seat, take_from_hand(draft, move.seat, card), move.to)


def _check_hand_limit(draft: Draft, seat: int, count: int) -> None:
    """Note the refusal of ``count`` more cards for a seat if they are more than the hand limit allows; the word may
    stand.
    """
    if count > hand_room(draft, seat):
        hand_size = how_many(len(draft.hands[seat - 1]))
        draft.refuse(clauses.HAND_LIMIT, f"p{seat} holds {hand_size}, and {how_many(count)} more would be too many")


# --- powers ---


def draw_for_power(draft: Draft, power: AnyClause, place: int, code: int, part: DrawnCards | None = None) -> None:
    """Draw as many cards as the Star or the High Priestess must; a wrong number is noted as a refusal.

    Args:
        draft: The draft of the word, which changes.
        power: The rule of the Star or of the High Priestess.
        place: Not used; all powers are called alike.
        code: Not used.
        part: The cards that the word names; None if it leaves them out, and then they are unknown.

    Raises:
        BlockedError: More cards are named than are left, or they cannot be the next ones.
    """
    star, card_count = power is clauses.STAR, available(draft)
    most = 4 if star else 2
    drawer = "The Star" if star else "The High Priestess"
    if star and not card_count:
        (draft.block if part else draft.refuse)(clauses.NO_EFFECT, "No card is left to draw")
    right = min(most, card_count, most if star else hand_room(draft, draft.seat))
    cards = part.cards if part else bytes((UNKNOWN,)) * right
    count = len(cards)
    if count > min(most, card_count):
        because = f"{drawer} draws at most {how_many(min(most, card_count))}, not {count}"
        (draft.block if count > card_count else draft.refuse)(power, because)
    if not star:
        _check_hand_limit(draft, draft.seat, count)
    if count != right:
        draft.refuse(power, f"{drawer} draws {how_many(right)}, not {count}")
    draw_cards(draft, draft.seat, cards)


def justice(draft: Draft, power: AnyClause, place: int, code: int, part: Toward) -> None:
    """Exchange the hands of the mover and another seat; each of them still knows the cards that it gave away.

    An exchange with itself, which moves nothing, or of two empty hands is noted as a refusal. ``place`` and ``code``
    are not used.
    """
    seat, other = draft.seat, part.seat
    mine, theirs = draft.hands[seat - 1], draft.hands[other - 1]
    if other == seat:
        draft.refuse(power, f"p{seat} can trade only with another seat")
        return
    if not mine and not theirs:
        draft.refuse(power, f"Neither p{seat} nor p{other} has a card")
    draft.knowledge |= knows(seat, cards_in(mine)) | knows(other, cards_in(theirs))
    set_hand(draft, seat, theirs)
    set_hand(draft, other, mine)


def judgement(draft: Draft, power: AnyClause, place: int, code: int, part: RaisedCards) -> None:
    """Take one to three of the discards into the hand, where everybody knows them.

    More cards, or a hand over the limit, are noted as a refusal, and taken all the same. ``place`` and ``code`` are not
    used.

    Raises:
        BlockedError: One of the cards cannot be in the discards.
    """
    count = len(part.cards)
    if count > 3:
        draft.refuse(power, f"Judgement takes at most three cards, not {count}")
    if count > len(draft.pile):
        draft.block(power, f"The discards hold {how_many(len(draft.pile))}, not {count}")
    raised = bytearray()
    for card in part.cards:
        if card not in draft.pile:
            _shuffle_top(draft, card)
        match = draft.search(draft.pile, card)
        if match is None:
            draft.block(power, f"{name_of(card)} cannot be in the discards{draft.where_known(card)}")
        pile, at, code, _ = match
        draft.pile = pile[:at] + pile[at + 1 :]
        raised.append(code)
    for card in raised:
        if len(draft.hands[draft.seat - 1]) >= HAND_LIMIT:
            draft.refuse(clauses.HAND_LIMIT, f"p{draft.seat} would hold more than {HAND_LIMIT} cards")
        take_openly(draft, draft.seat, card)


def _shuffle_top(draft: Draft, card: int) -> None:
    """Make the discards indistinguishable if a card that leaves them may have been on top.

    It matters only where the game has a Doppelganger, who may copy the top card; otherwise nothing changes.
    """
    may = [code for code in draft.pile if is_slot(code) and possible(draft.slots, code) >> card & 1]
    if len(may) > 1 and draft.pile[-1] in may and DOPPELGANGER in draft.state.options.every:
        draft.unseen = drop_questions(draft.unseen, draft.pile)
        draft.slots, draft.pile = mix(draft.slots, draft.pile)


def miser(draft: Draft, power: AnyClause, place: int, code: int, part: Away) -> None:
    """Discard the cards of the hand that the word names, in its order. ``power``, ``place`` and ``code`` are not used.

    Raises:
        BlockedError: One of them cannot be in the hand.
    """
    hand_size = len(draft.hands[draft.seat - 1])
    if len(part.cards) > hand_size:
        draft.block(power, f"p{draft.seat} holds {how_many(hand_size)}, not {len(part.cards)}")
    for card in part.cards:
        discard(draft, take_from_hand(draft, draft.seat, card))
