"""Rounds: how each is dealt, when it ends, who has won its fields, and when the game is decided."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import CHARIOT, DEVIL, FIELDS, HERMIT, SUITED, TEMPERANCE
from cartulary.engine.arcanoid.claims import unanswered
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import DAEMON
from cartulary.engine.arcanoid.sets import ABDICATED, strength
from cartulary.engine.arcanoid.state import HAND, Commitment, Due, Side, order_of, round_first
from cartulary.engine.cards.deck import how_many, unjoined
from cartulary.engine.contract import IMPOSSIBLE, Outcome
from cartulary.engine.slots import NO_SLOTS, SLOT, UNKNOWN, Kind, Slots, has_slots

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
    draft.sides, draft.changed = fresh_sides(house.seats), {}
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
        draft.block(IMPOSSIBLE, "hands are dealt to the seats, and then the deck is told")
    place = f"p{who}'s hand" if who else "the deck"
    most = HAND if who else 78 - HAND * draft.house.seats
    if draft.told[at] is not None or any(told is not None for told in draft.told[at + 1 :]):
        draft.block(IMPOSSIBLE, f"{place} is told after what it comes before")
    if len(cards) > most or (who and len(cards) < most):
        draft.block(IMPOSSIBLE, f"{place} has {most} cards, and the word tells {len(cards)}{unjoined(len(cards))}")
    draft.told = (*draft.told[:at], cards, *draft.told[at + 1 :])
    named = sorted(b"".join(told or b"" for told in draft.told).replace(b"\xff", b""))
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
        draft.slots = Slots((Kind(0, sum(1 << card for card in pool), unknown),), (pool,))
        hands = [hand.translate(_AS_SLOT) for hand in hands]
        deck = deck.translate(_AS_SLOT)
    draft.sides = tuple(Side(hand) for hand in hands) + draft.sides[seats:]
    draft.deck, draft.told, draft.dues = deck, None, draft.dues[1:]


# --- leaving the round ---


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
        drop_temper(draft)
    if who > DAEMON and draft.devil == who - DAEMON:
        draft.devil = 0
        draft.pile += bytes((DEVIL,))


def drop_temper(draft: Draft) -> None:
    """Discard Temperance if it lies on a field."""
    if draft.temper is not None:
        draft.temper = None
        draft.pile += bytes((TEMPERANCE,))


def is_over(draft: Draft) -> bool:
    """Say whether all have committed on all fields."""
    changed = draft.changed
    for at, side in enumerate(draft.sides):
        now = changed.get(at, side)
        if now.plays and None in now.fields:
            return False
    return True


def face_down(draft: Draft) -> list[tuple[int, int]]:
    """Return (who, field) of all commitments that lie face down."""
    found = []
    for who in draft.everybody():
        for field, there in enumerate(draft.peek(who).fields):
            if there is not None and there.secret:
                found.append((who, field))
    return found


def unread(draft: Draft, there: Commitment | None) -> None:
    """Note that what lies face down will not be turned up any more."""
    if there is None or not has_slots(there.cards):
        return
    draft.unread += ((there.ply, clauses.FACE_DOWN.key),)
    if there.tried:
        draft.unread += ((there.tried, clauses.FOOL.key),)


# --- the end ---


def winners(draft: Draft) -> tuple[int, ...]:
    """Return the seats that have won the fields of the round, s w c d."""
    sides = [(who - DAEMON if who > DAEMON else who, draft.peek(who).fields) for who in draft.everybody()]
    sides += draft.gone
    return tuple(
        max(((_strength(draft, there[field], field), seat) for seat, there in sides), key=lambda pair: pair[0])[1]
        for field in range(len(FIELDS))
    )


def _strength(draft: Draft, there: Commitment | None, field: int) -> tuple[int, ...]:
    if there is None:
        return (-1,)
    kind = there.kind if there.kind >= 0 else ABDICATED
    return strength(kind, there.cards, field, draft.house.tie, there.time)


def score(draft: Draft) -> None:
    """Count the fields of a round that is over, and begin the next one or end the game."""
    for who, field in face_down(draft):
        unread(draft, draft.peek(who).fields[field])
    draft.unread += tuple(question for ledger in draft.doubts for question in unanswered(ledger))
    draft.doubts = ()
    draft.wins += winners(draft)
    draft.told = None
    if draft.round >= draft.house.rounds:
        tallies = tallied(draft.wins, draft.house.seats)
        best = max(tallies)
        if tallies.count(best) == 1:
            seat = tallies.index(best) + 1
            shares = tuple(int(tally == best) for tally in tallies)
            because = f"p{seat} has won {how_many(best[0], 'field')} in {how_many(draft.round, 'round')}"
            because += _level(tallies, best)
            draft.ended = Outcome(shares, clauses.FINISHED.key, because)
            draft.dues = []
            return
    draft.round += 1
    draft.lap += 1
    begin(draft)


def _level(tallies: list[tuple[int, ...]], best: tuple[int, ...]) -> str:
    """Return what decides where others have won as many fields, empty where nobody has."""
    rival = max(tally for tally in tallies if tally != best)
    if rival[0] < best[0]:
        return ""
    suit = next(at for at in range(1, len(best)) if best[at] != rival[at])
    return f", p{tallies.index(rival) + 1} as many, and more of {SUITED[suit - 1]}"


def tallied(wins: tuple[int, ...], seats: int) -> list[tuple[int, ...]]:
    """Return for each seat its fields, and those of each suit: the order in which the game is decided."""
    return [
        (wins.count(seat), *(wins[field::4].count(seat) for field in range(len(FIELDS))))
        for seat in range(1, seats + 1)
    ]


def pass_turn(draft: Draft) -> None:
    """Give the turn to the next seat or daemon that still plays."""
    order, sides, changed = order_of(draft.house, draft.round), draft.sides, draft.changed
    at = next(at for at, (who, _) in enumerate(order) if who == draft.turn) + 1
    for who, place in (*order[at:], (0, 0), *order[:at]):
        if not who:
            draft.lap += 1
            draft.begun = False
            continue
        side = changed.get(place) or sides[place]
        if side.plays and None in side.fields:
            draft.turn = who
            return
