"""What a hand holds, takes and gives: Draw, DiscardHand, gifts, Star, High Priestess, Justice, Judgement, Miser."""

from cartulary.engine.numbers import how_many
from cartulary.engine.slots import UNKNOWN, all_left, cards_in, has_slots, is_slot, mixed, possible
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import DOPPELGANGER, name_of
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.deck import available, discard, off_deck
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import Away, DiscardHand, Draw, Drawn, Gift, Move, Raised, Toward
from cartulary.engine.zarcana.questions import loosened, strays
from cartulary.engine.zarcana.state import HAND_LIMIT, Course, everybody_knows, knows

# --- a hand ---


def from_hand(t: Draft, seat: int, card: int) -> int:
    """Take a card from a hand, UNKNOWN for one nobody on record saw, and return its code."""
    found = t.search(t.hands[seat - 1], card)
    if found is None:
        because = f"{name_of(card)} cannot be in p{seat}'s hand{t.elsewhere(card)}"
        t.block(clauses.IN_HAND, because if t.hands[seat - 1] else f"p{seat} has no cards")
    hand, at, code, _ = found
    set_hand(t, seat, hand[:at] + hand[at + 1 :])
    return code


def holds(t: Draft, seat: int, cards: bytes) -> None:
    """Refuse a card that cannot be in a hand."""
    hand = t.hands[seat - 1]
    if all_left(t.slots, hand, cards) is not None:
        return
    for card in cards:
        if not t.may_lie(hand, card):
            t.stray = t.stray or strays(t.unseen, hand, card)
            held = f"p{seat} does not hold {name_of(card)}{t.elsewhere(card)}"
            t.block(clauses.IN_HAND, held if hand else f"p{seat} has no cards")


def set_hand(t: Draft, seat: int, hand: bytes) -> None:
    """Give a seat another hand."""
    hands = t.hands
    t.hands = (*hands[: seat - 1], hand, *hands[seat:])


def room(t: Draft, seat: int) -> int:
    """Return how many cards the hand limit lets a seat take."""
    return max(HAND_LIMIT - len(t.hands[seat - 1]), 0)


def draw_cards(t: Draft, seat: int, cards: bytes) -> None:
    """Draw cards into a hand: nobody else sees them."""
    got = off_deck(t, cards) if cards else b""
    if t.known:
        t.known &= ~everybody_knows(cards_in(got))
    set_hand(t, seat, t.hands[seat - 1] + got)


def take_openly(t: Draft, seat: int, code: int) -> None:
    """Take a card into a hand where all see it."""
    card = bytes((code,))
    t.known |= everybody_knows(cards_in(card))
    set_hand(t, seat, t.hands[seat - 1] + card)


def hand_to(t: Draft, giver: int, code: int, taker: int) -> None:
    """Put a card taken from one hand in another, unseen by the rest."""
    card = bytes((code,))
    t.known = t.known & ~everybody_knows(cards_in(card)) | knows(giver, cards_in(card))
    set_hand(t, taker, t.hands[taker - 1] + card)


# --- options of a turn ---


def draw(t: Draft, move: Draw) -> None:
    """Draw one to three cards."""
    count = len(move.cards)
    if count > 3:
        t.refuse(clauses.DRAW, f"At most three cards may be drawn, not {count}")
    if count > available(t):
        t.block(clauses.DRAW, f"{how_many(available(t), 'card is', 'cards are')} left to draw, not {count}")
    if count > room(t, t.seat):
        held = how_many(len(t.hands[t.seat - 1]))
        t.refuse(clauses.HAND_LIMIT, f"p{t.seat} holds {held}, and {count} more would make more than {HAND_LIMIT}")
    draw_cards(t, t.seat, move.cards)


def discard_hand(t: Draft, move: DiscardHand) -> None:
    """Discard the whole hand, the highest card on top."""
    hand = t.hands[t.seat - 1]
    holds(t, t.seat, move.cards or b"")
    if not hand:
        t.refuse(clauses.DISCARD_HAND, f"p{t.seat} has no cards")
    if move.cards is not None:
        if len(move.cards) != len(hand):
            whole = "its only card" if len(hand) == 1 else f"all {len(hand)} cards"
            t.block(clauses.DISCARD_HAND, f"p{t.seat} must discard {whole}, not {len(move.cards)}")
        hand = t.matched(hand, move.cards, clauses.IN_HAND, f"in p{t.seat}'s hand")
    if has_slots(hand):
        # In card order any of them may be the highest.
        t.unseen = loosened(t.unseen, hand)
        t.slots, hand = mixed(t.slots, hand)
    t.pile += bytes(sorted(hand))
    set_hand(t, t.seat, b"")


# --- an Emperor's demand ---


def due(t: Draft, giver: int, taker: int) -> int:
    """Return how many cards a demand comes to."""
    return min(2, len(t.hands[giver - 1]), room(t, taker))


def demands(course: Course) -> tuple[tuple[int, int], ...]:
    """Return (giver, taker) of the demand that may be met now: what is owed first, and else what was skipped."""
    return course.owed[:1] or course.skipped


def late_demand(course: Course, move: Move) -> tuple[int, int] | None:
    """Return the demand a word meets that was skipped, None if it meets none."""
    if type(move) is not Gift or course.owed or (move.seat, move.to) not in course.skipped:
        return None
    return move.seat, move.to


def gift(t: Draft, move: Gift) -> None:
    """Hand over what an Emperor demanded: only these two seats see which cards."""
    owed, count, held = t.course.owed, len(move.cards), len(t.hands[move.seat - 1])
    late = late_demand(t.course, move)
    holds(t, move.seat, move.cards)
    if not owed and late is None:
        t.refuse(clauses.EMPEROR, f"p{move.seat} owes nobody cards")
    elif owed and move.to != owed[0][1]:
        t.refuse(clauses.EMPEROR, f"The cards must go to p{owed[0][1]}, not to p{move.to}")
    if count > held:
        t.block(clauses.EMPEROR, f"p{move.seat} holds {how_many(held)}, not {count}")
    _keep_limit(t, move.to, count)
    right = due(t, move.seat, move.to)
    if late and count in range(right, min(2, held) + 1):
        # What came in between may have filled the other hand: what was owed then is enough.
        right = count
    if (owed or late) and count != right:
        t.refuse(clauses.EMPEROR, f"p{move.seat} must give {how_many(right)}, not {count}")
    if move.to == move.seat:
        return
    there = cards_in(t.hands[move.seat - 1])
    t.known &= ~everybody_knows(there) | knows(move.to, there)
    for card in sorted(move.cards):
        hand_to(t, move.seat, from_hand(t, move.seat, card), move.to)


def _keep_limit(t: Draft, seat: int, count: int) -> None:
    if count > room(t, seat):
        held = how_many(len(t.hands[seat - 1]))
        t.refuse(clauses.HAND_LIMIT, f"p{seat} holds {held}, and {how_many(count)} more would be too many")


# --- powers ---


def draws(t: Draft, power: AnyClause, place: int, code: int, drawn: Drawn | None = None) -> None:
    """Draw as many cards as the Star or the High Priestess must; left out, they are unknown."""
    star, left = power is clauses.STAR, available(t)
    most = 4 if star else 2
    drawer = "The Star" if star else "The High Priestess"
    if star and not left:
        (t.block if drawn else t.refuse)(clauses.NO_EFFECT, "No card is left to draw")
    right = min(most, left, most if star else room(t, t.seat))
    cards = drawn.cards if drawn else bytes((UNKNOWN,)) * right
    count = len(cards)
    if count > min(most, left):
        because = f"{drawer} draws at most {how_many(min(most, left))}, not {count}"
        (t.block if count > left else t.refuse)(power, because)
    if not star:
        _keep_limit(t, t.seat, count)
    if count != right:
        t.refuse(power, f"{drawer} draws {how_many(right)}, not {count}")
    draw_cards(t, t.seat, cards)


def justice(t: Draft, power: AnyClause, place: int, code: int, part: Toward) -> None:
    """Trade hands."""
    seat, other = t.seat, part.seat
    mine, theirs = t.hands[seat - 1], t.hands[other - 1]
    if other == seat:
        t.refuse(power, f"p{seat} can trade only with another seat")
        return
    if not mine and not theirs:
        t.refuse(power, f"Neither p{seat} nor p{other} has a card")
    t.known |= knows(seat, cards_in(mine)) | knows(other, cards_in(theirs))
    set_hand(t, seat, theirs)
    set_hand(t, other, mine)


def judgement(t: Draft, power: AnyClause, place: int, code: int, part: Raised) -> None:
    """Take one to three of the discards."""
    count = len(part.cards)
    if count > 3:
        t.refuse(power, f"Judgement takes at most three cards, not {count}")
    if count > len(t.pile):
        t.block(power, f"The discards hold {how_many(len(t.pile))}, not {count}")
    raised = bytearray()
    for card in part.cards:
        if card not in t.pile:
            _shuffle_top(t, card)
        found = t.search(t.pile, card)
        if found is None:
            t.block(power, f"{name_of(card)} cannot be in the discards{t.elsewhere(card)}")
        pile, at, code, _ = found
        t.pile = pile[:at] + pile[at + 1 :]
        raised.append(code)
    for card in raised:
        if len(t.hands[t.seat - 1]) >= HAND_LIMIT:
            t.refuse(clauses.HAND_LIMIT, f"p{t.seat} would hold more than {HAND_LIMIT} cards")
        take_openly(t, t.seat, card)


def _shuffle_top(t: Draft, card: int) -> None:
    """Know no more how the discards lie, where a card that leaves them may have been on top or below."""
    may = [code for code in t.pile if is_slot(code) and possible(t.slots, code) >> card & 1]
    if len(may) > 1 and t.pile[-1] in may and DOPPELGANGER in t.state.house.every:
        t.unseen = loosened(t.unseen, t.pile)
        t.slots, t.pile = mixed(t.slots, t.pile)


def miser(t: Draft, power: AnyClause, place: int, code: int, part: Away) -> None:
    """Discard any cards of the hand, the highest on top."""
    held = len(t.hands[t.seat - 1])
    if len(part.cards) > held:
        t.block(power, f"p{t.seat} holds {how_many(held)}, not {len(part.cards)}")
    for card in part.cards:
        discard(t, from_hand(t, t.seat, card))
