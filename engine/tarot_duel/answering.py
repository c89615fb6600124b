"""Words that are due, applied: what chance picks, what an effect asks for, and what follows a challenge.

Each also stands where it was not due, as far as it can.
"""

from msgspec.structs import replace

from cartulary.engine.slots import UNKNOWN, mixed
from cartulary.engine.tarot_duel.actions import advanced, served
from cartulary.engine.tarot_duel.cards import ITSELF
from cartulary.engine.tarot_duel.challenges import challenged
from cartulary.engine.tarot_duel.ends import aimed
from cartulary.engine.tarot_duel.exchanges import exchanged
from cartulary.engine.tarot_duel.faces import of_stakes
from cartulary.engine.tarot_duel.moves import (
    Answer,
    Coin,
    Die,
    Discard,
    Mill,
    Pick,
    PutBack,
    Redraw,
    Rob,
    Row,
    Show,
    Stakes,
)
from cartulary.engine.tarot_duel.state import EVERYBODY, Due, State
from cartulary.engine.tarot_duel.zones import (
    counted,
    discarded,
    draw,
    mill,
    sight,
    spotted,
    take_all,
    take_deck,
    take_hand,
    with_side,
    with_slots,
)

# --- discards and draws ---


def say_discard(state: State, move: Discard) -> State:
    """Apply the word."""
    due = state.due[0] if state.due else None
    if due is not None and due.what == "lose":
        return served(_shown_beaten(_put_away(state, move), due, move.cards))
    after = take_all(state, move.seat, move.cards)
    assert after is not None
    after = _piled(state, after, move.seat, move.cards)
    return after if due is None else served(after)


def _piled(before: State, after: State, seat: int, cards: bytes) -> State:
    """Return the state with cards that left a hand on the pile; unnamed ones as what the hand has lost."""
    if UNKNOWN not in cards:
        return discarded(after, seat, cards)
    return discarded(after, seat, bytes(code for code in cards if code != UNKNOWN) + lost_codes(before, seat, cards))


def lost_codes(before: State, seat: int, cards: bytes) -> bytes:
    """Return the entries a hand loses where a word does not name them."""
    lost, state = bytearray(), before
    for card in sorted(cards):
        taken = take_hand(state, seat, card)
        assert taken is not None
        state = taken[0]
        lost += bytes((taken[1],)) if card == UNKNOWN else b""
    return bytes(lost)


def say_mill(state: State, move: Mill) -> State:
    """Apply the word."""
    due = bool(state.due)
    after = mill(state, move.seat, move.cards)
    assert after is not None
    return served(after) if due else after


def say_redraw(state: State, move: Redraw) -> State:
    """Apply the word."""
    due = bool(state.due)
    taken = take_all(state, move.seat, move.away)
    assert taken is not None
    after = draw(_piled(state, taken, move.seat, move.away), move.seat, move.drawn)
    assert after is not None
    return served(after) if due else after


# --- challenges ---


def say_stakes(state: State, move: Stakes) -> State:
    """Apply the word."""
    use = state.due[0].use if state.due else None
    if use is None or use.other is None:
        return state
    state = replace(state, due=())
    return challenged(state, move.seat, use.target, use.other, move.ours, move.theirs)


def say_show(state: State, move: Show) -> State:
    """Apply the word."""
    if not state.due:
        return state
    seat = state.due[0].other
    side = state.sides[seat - 1]
    found = sight(state, side.area[-1], move.card)
    assert found is not None
    state, code = found
    after = replace(side, area=side.area[:-1] + bytes((code,)))
    return aimed(served(with_side(state, seat, counted(state, after))))


def _rest(deck: bytes, cards: bytes) -> bytes | None:
    """Return a deck without cards the record knows in it, None where it does not know them all."""
    rest = bytearray(deck)
    for card in cards:
        if card not in rest:
            return None
        rest.remove(card)
    return bytes(rest)


def stakes_taken(state: State, seat: int, cards: bytes) -> tuple[State, bytes] | None:
    """Return the state without a seat's stakes and their codes in the word's order; None where they cannot be it."""
    rest = _rest(state.sides[seat - 1].deck, cards)
    if rest is not None:
        return with_side(state, seat, replace(state.sides[seat - 1], deck=rest, tops=())), cards
    codes = bytearray(cards)
    for at in sorted(range(len(cards)), key=lambda place: cards[place]):
        taken = take_deck(state, seat, cards[at])
        if taken is None:
            return None
        state, codes[at], _ = taken
    return state, bytes(codes)


def are_stakes(state: State, seat: int, cards: bytes) -> bool:
    """Say whether these cards can be a seat's stakes."""
    known = _rest(state.sides[seat - 1].deck, cards) is not None
    return known or stakes_taken(state, seat, cards) is not None


def _put_away(state: State, move: Discard) -> State:
    side = state.sides[move.seat - 1]
    rest = _rest(side.deck, move.cards)
    if rest is not None:
        return with_side(state, move.seat, replace(side, deck=rest, pile=side.pile + move.cards, tops=()))
    taken = stakes_taken(state, move.seat, move.cards)
    assert taken is not None
    return discarded(taken[0], move.seat, taken[1])


def _shown_beaten(state: State, lost: Due, cards: bytes) -> State:
    """Return the state in which the winner's stakes must beat what these of the loser show."""
    if not lost.rival or lost.card != UNKNOWN:
        return state
    rival = of_stakes(cards)
    return replace(state, due=tuple(replace(due, rival=rival) if due.what == "back" else due for due in state.due))


def say_put_back(state: State, move: PutBack) -> State:
    """Apply the word."""
    codes, rest = move.cards, _rest(state.sides[move.seat - 1].deck, move.cards)
    if rest is None:
        taken = stakes_taken(state, move.seat, move.cards)
        assert taken is not None
        state, codes = taken
        rest = state.sides[move.seat - 1].deck
    face = state.due[0].card if state.due else UNKNOWN
    tops = [1 << move.seat] * len(codes)
    if face in codes:
        tops[codes.index(face)] = EVERYBODY
    side = replace(state.sides[move.seat - 1], deck=codes + rest, tops=tuple(tops))
    return served(with_side(state, move.seat, side))


# --- what Majors ask for ---


def say_coin(state: State, move: Coin) -> State:
    """Apply the word."""
    if not state.due:
        return state
    user, other = state.act.doer, state.due[0].other
    chooser, robbed = (user, other) if move.heads else (other, user)
    return advanced(replace(state, due=(Due("choose", chooser, robbed),)))


_OWED_BY_DIE = ("draw", "draw", "discard", "discard", "mill", "mill")


def say_die(state: State, move: Die) -> State:
    """Apply the word."""
    if not state.due:
        return state
    seat = state.act.doer if move.pips % 2 else state.due[0].other
    return advanced(replace(state, due=(Due(_OWED_BY_DIE[move.pips - 1], seat, 0, 1),)))


def say_rob(state: State, move: Rob) -> State:
    """Apply the word."""
    if not state.due:
        return state
    return advanced(replace(state, due=(Due("pick", 0, move.whose, 1),)))


def say_answer(state: State, move: Answer) -> State:
    """Apply the word."""
    if not state.due:
        return state
    user = state.due[0].other
    rest = state.due[1:]
    return advanced(replace(state, due=(Due("pick", 0, user, 1), *rest) if move.yes else rest))


def say_pick(state: State, move: Pick) -> State:
    """Apply the word."""
    if not state.due:
        return state
    due = state.due[0]
    if due.what == "pick":
        taken = take_all(state, move.whose, move.cards)
        assert taken is not None
        return served(_piled(state, taken, move.whose, move.cards))
    assert due.use is not None
    if due.what == "swap":
        return served(exchanged(replace(state, due=(due,)), due.use, move.cards[0]))
    return served(spotted(state, move.whose, move.cards, due.use.seat))


def say_row(state: State, move: Row) -> State:
    """Apply the word."""
    if not state.due:
        return state
    codes = rowed(state, move)
    assert codes is not None
    state, row = codes
    side = state.sides[move.seat - 1]
    return served(with_side(state, move.seat, replace(side, row=row, peeps=(0,) * len(row))))


def rowed(state: State, move: Row) -> tuple[State, bytes] | None:
    """Return the state and the new row of a seat's face-down cards; None where they cannot be it."""
    side = state.sides[move.seat - 1]
    if len(move.cards) == len(side.row) and sorted(side.row.translate(ITSELF)) == sorted(move.cards):
        lying, row = list(side.row), bytearray()
        for card in move.cards:
            row.append(next(code for code in lying if ITSELF[code] == card))
            lying.remove(row[-1])
        return state, bytes(row)
    slots, zone = mixed(state.unseen.slots, side.row)
    state, codes = with_slots(state, slots), bytearray(zone)
    for at, card in enumerate(move.cards):
        found = sight(state, codes[at], card) if at < len(codes) else None
        if found is None:
            return None
        state, codes[at] = found
    return state, bytes(codes)
