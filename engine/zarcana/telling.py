"""What the table tells: the set-up, the deck after a shuffle, and the cards that lie face down at the end."""

from msgspec.structs import replace

from cartulary.engine.cards.deck import how_many, unjoined
from cartulary.engine.slots import UNKNOWN, all_left, is_slot
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import name_of
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.hands import set_hand
from cartulary.engine.zarcana.moves import NINE, REST, Deal, Move, Reveal
from cartulary.engine.zarcana.places import FIRST_NINE, place_name
from cartulary.engine.zarcana.spaces import turn_up
from cartulary.engine.zarcana.state import CALM, CALM_LATER, OPEN_BOARD, OPEN_DECK, Course, State

_JUST_SHUFFLED = Course(told=True, shuffled=True)


def tell(t: Draft, move: Move) -> State:
    """Return the state after a word of the table."""
    state, course = t.state, t.course
    if isinstance(move, Reveal):
        return _reveal(t, move)
    assert isinstance(move, Deal)
    if course.told:
        if move.to != REST:
            t.block(clauses.TURN, "Only the deck was shuffled")
        _tell_deck(t, move)
        t.course = CALM_LATER if course == _JUST_SHUFFLED else replace(course, told=False)
    elif course.final and not course.left and not course.owed:
        t.block(clauses.OVER, "Every seat has had its turn in the last round")
    else:
        _tell_start(t, move)
    return t.now(state.turn, 1)


def _tell_start(t: Draft, move: Deal) -> None:
    course, where = t.course, _where(move.to)
    bit = OPEN_DECK if move.to == REST else OPEN_BOARD if move.to == NINE else 1 << move.to
    if not course.opening:
        t.block(clauses.TURN, "The table tells cards before the first turn and after a shuffle")
    if not course.opening & bit:
        t.block(clauses.SETUP, f"{where} has been told already")
    wanted = 9 if move.to == NINE else 3
    if move.to != REST and len(move.cards) != wanted:
        t.block(clauses.SETUP, f"{where} is {wanted} cards, not {len(move.cards)}{unjoined(len(move.cards))}")
    if move.to == REST:
        _tell_deck(t, move)
    elif move.to == NINE:
        zone = _told(t, bytes([t.cards[place][0] for place in FIRST_NINE]), move.cards)
        t.cards = {place: (code,) for place, code in zip(FIRST_NINE, zone, strict=True)}
    else:
        set_hand(t, move.to, _told(t, t.hands[move.to - 1], move.cards))
    left = course.opening & ~bit
    t.course = replace(course, opening=left) if left else CALM


def _where(to: int) -> str:
    return "The deck" if to == REST else "The first board" if to == NINE else f"p{to}'s first hand"


def _tell_deck(t: Draft, move: Deal) -> None:
    count = len(move.cards)
    if count > len(t.deck):
        rule = clauses.DECK_ORDER if t.course.told else clauses.SETUP
        t.block(rule, f"The deck has {how_many(len(t.deck))}, not {count}")
    t.deck = _told(t, t.deck[:count], move.cards) + t.deck[count:]


def _told(t: Draft, zone: bytes, cards: bytes) -> bytes:
    """Return a zone as the table tells it, in the order in which its cards lie."""
    alike = all_left(t.slots, zone, cards) if not t.unseen.either else None
    if alike is not None and len(zone) == len(cards):
        t.slots = alike
        return cards
    strange = next((card for card in cards if card != UNKNOWN and card not in t.state.house.every), None)
    if strange is not None:
        t.block(clauses.SETUP, f"{name_of(strange)} is not in the deck of this game")
    after = bytearray(zone)
    for at, card in enumerate(cards):
        if card == UNKNOWN or zone[at] == card:
            continue
        if card in cards[:at]:
            t.block(clauses.CARD_TWICE, f"{name_of(card)} is told twice")
        if not is_slot(zone[at]):
            t.block(clauses.DECK_ORDER, f"There lies {name_of(zone[at])}, not {name_of(card)}")
        after[at] = t.matched(bytes((zone[at],)), bytes((card,)), clauses.DECK_ORDER, "where it is told")[0]
    return bytes(after)


def _reveal(t: Draft, move: Reveal) -> State:
    state, course = t.state, t.course
    if not course.final or course.left or course.owed:
        t.refuse(clauses.TURN, "Cards that lie face down are shown when the last round is over")
    for place, card in move.cards:
        stack = t.cards.get(place)
        if stack is None:
            t.block(clauses.WHEEL, f"There is no card on {place_name(place)}")
        turn_up(t, place, card)
    return t.now(state.turn, 1)
