"""Rounds: how each is dealt, who has left it, whose turn is next, and that nothing is said after the last."""

from cartulary.engine.arcanoid import clauses, temperance
from cartulary.engine.arcanoid.cards import CHARIOT, DEVIL, HERMIT
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import DAEMON
from cartulary.engine.arcanoid.state import HAND, Due, Side, order_after, round_first
from cartulary.engine.cards.deck import set_of, unjoined
from cartulary.engine.contract import IMPOSSIBLE, Outcome
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import NO_SLOTS, SLOT, UNKNOWN, one_kind

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
    house = draft.house
    draft.sides, draft.changed = [*fresh_sides(house.seats)], []
    draft.deck = draft.pile = draft.aside = b""
    draft.row, draft.gone, draft.devil, draft.temper = None, (), 0, None
    draft.touched, draft.dead, draft.mover, draft.extra = 0, False, 0, False
    draft.turn = round_first(draft.house, draft.round)
    draft.begun, draft.slots, draft.doubts, draft.lent = False, NO_SLOTS, (), ()
    draft.told = (None,) * (house.seats + 1)
    draft.dues = [Due("deal")]


def tell(draft: Draft, who: int, cards: bytes) -> None:
    """Note the cards the table tells of a deal: a seat's, or for 0 the deck's, which ends it."""
    assert draft.told is not None
    at = who - 1 if who else draft.house.seats
    if at > draft.house.seats:
        draft.block(IMPOSSIBLE, "hands are dealt to the seats first, and then the deck is given")
    place = f"p{who}'s hand" if who else "the deck"
    most = HAND if who else 78 - HAND * draft.house.seats
    if draft.told[at] is not None or any(told is not None for told in draft.told[at + 1 :]):
        draft.block(IMPOSSIBLE, f"{place} is given twice or out of order")
    if len(cards) > most or (who and len(cards) < most):
        draft.block(IMPOSSIBLE, f"{place} has {how_many(most)}, but the word gives {len(cards)}{unjoined(len(cards))}")
    draft.told = (*draft.told[:at], cards, *draft.told[at + 1 :])
    named = b"".join(told or b"" for told in draft.told).replace(b"\xff", b"")
    if len(set(named)) != len(named):
        draft.block(IMPOSSIBLE, f"{place} has a card that lies elsewhere")
    if not who:
        close(draft)


def close(draft: Draft) -> None:
    """End the telling of a deal: what was not told is unknown."""
    assert draft.told is not None
    seats = draft.house.seats
    hands = [told if told is not None else b"\xff" * HAND for told in draft.told[:seats]]
    deck = draft.told[seats] or b""
    deck += b"\xff" * (78 - HAND * seats - len(deck))
    whole = b"".join(hands) + deck
    unknown = whole.count(UNKNOWN)
    if unknown:
        pool = _CARDS.translate(None, whole.replace(b"\xff", b""))
        draft.slots = one_kind(unknown, set_of(pool), pool)
        hands = [hand.translate(_AS_SLOT) for hand in hands]
        deck = deck.translate(_AS_SLOT)
    draft.sides[:seats] = map(Side, hands)
    draft.deck, draft.told, draft.dues = deck, None, draft.dues[1:]


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
    draft.pile += draft.emptied(who)
    if seat.reserve is not None:
        draft.pile += seat.reserve + bytes((CHARIOT,))
    if seat.hermit:
        draft.pile += bytes((HERMIT,))
    seat.reserve, seat.hermit = None, 0
    if draft.temper is not None and draft.temper[0] == who:
        temperance.drop(draft)
    if who > DAEMON and draft.devil == who - DAEMON:
        draft.devil = 0
        draft.pile += bytes((DEVIL,))


def is_over(draft: Draft) -> bool:
    """Say whether all have committed on all fields."""
    return not any(side.plays and None in side.fields for side in draft.sides)


def pass_turn(draft: Draft) -> None:
    """Give the turn to the next seat or daemon that still plays."""
    sides = draft.sides
    for who, place, first in order_after(draft.house, draft.round, draft.turn):
        if first:
            draft.lap += 1
            draft.begun = False
        side = sides[place]
        if side.plays and None in side.fields:
            draft.turn = who
            return
