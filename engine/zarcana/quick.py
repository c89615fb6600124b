"""The plainest words of a turn, judged and applied at once: the common ones of a game between its rarer powers.

Each function answers only where a word breaks no rule, names every minion as it should and touches nothing rare; then
it gives the very state ``words`` gives. Everything else it leaves to ``words``.
"""

from collections.abc import Callable
from typing import Any

from cartulary.engine.slots import SLOT, UNKNOWN, Kind, Slots
from cartulary.engine.zarcana.cards import MAGICIAN, POWER_OF, SUIT_NAME, TRUMP, is_royal
from cartulary.engine.zarcana.moves import (
    BOARD,
    HAND,
    NINE,
    REST,
    Deal,
    DiscardHand,
    Draw,
    Move,
    Pass,
    Place,
    Play,
    Reorient,
    Use,
)
from cartulary.engine.zarcana.quick_powers import ONE, POWERS, alone, put, take
from cartulary.engine.zarcana.spaces import FIRST_NINE
from cartulary.engine.zarcana.state import (
    CALM,
    CALM_LATER,
    CURSED,
    HAND_LIMIT,
    OPEN_BOARD,
    OPEN_DECK,
    POPULATION,
    Course,
    State,
    Unseen,
    everybody_knows,
)

_WHOLE = b"\5\5\5"
_UNNAMED = bytes((UNKNOWN,)) * 3


def quick(state: State, move: Move) -> State | None:
    """Return the state after a plain word, None for any other."""
    course = state.course
    if type(move) is Deal:
        return _deal(state, move) if course.opening else None
    if move.seat != state.turn or (course is not CALM and course is not CALM_LATER and not _is_last(course)):
        return None
    act = _QUICK.get(type(move))
    return act(state, move) if act is not None else None


def _deal(state: State, move: Deal) -> State | None:
    """Tell cards of the set-up, all by name, while no other card is known than those told before."""
    slots, cards, to, left = state.unseen.slots, move.cards, move.to, state.course.opening
    count = len(cards)
    bit = OPEN_DECK if to == REST else OPEN_BOARD if to == NINE else 1 << to
    if not left & bit or len(slots.kinds) != 1 or count != (9 if to == NINE else 3 if to != REST else len(state.deck)):
        return None
    pool = slots.pools[0]
    rest = pool.translate(None, cards)
    if len(pool) - len(rest) != count:
        return None
    board, hands, deck = state.cards, state.hands, state.deck
    if to == NINE:
        board = dict(zip(FIRST_NINE, zip(cards, strict=True), strict=True))
    elif to == REST:
        deck = cards
    else:
        hands = (*hands[: to - 1], cards, *hands[to:])
    kind = slots.kinds[0]
    unseen = Unseen(Slots((Kind(0, kind.mask, kind.size - count),), (rest,)))
    course = Course(left & ~bit) if left & ~bit else CALM
    before = state.pile, state.stash, state.known, state.turn, state.round
    return State(state.house, board, state.men, hands, deck, *before, state.ply + 1, course, unseen)


def _is_last(course: Course) -> bool:
    """Say whether this is a plain turn of the last round."""
    return course.left > 0 and not (course.told or course.extra or course.owed or course.run)


def _after(
    state: State,
    cards: dict[int, tuple[int, ...]],
    men: dict[int, bytes],
    hand: bytes,
    rest: tuple[bytes, bytes, bytes],
    known: int,
) -> State:
    """Return the state one turn on. rest: deck, discards, stash."""
    seat, hands = state.turn, state.hands
    if hand is not hands[seat - 1]:
        if len(hands) == 2:
            hands = (hand, hands[1]) if seat == 1 else (hands[0], hand)
        else:
            hands = (*hands[: seat - 1], hand, *hands[seat:])
    turn, course = seat % state.house.seats + 1, state.course
    if course.final:
        course = Course(0, False, True, course.final, course.left - 1)
    return State(
        state.house,
        cards,
        men,
        hands,
        rest[0],
        rest[1],
        rest[2],
        known,
        turn,
        state.round + (turn == 1),
        state.ply + 1,
        course,
        state.unseen,
    )


def _pass(state: State, move: Pass) -> State:
    hand = state.hands[move.seat - 1]
    return _after(state, state.cards, state.men, hand, (state.deck, state.pile, state.stash), state.known)


def _draw(state: State, move: Draw) -> State | None:
    cards, deck, hand = move.cards, state.deck, state.hands[move.seat - 1]
    count = len(cards)
    top = deck[:count]
    if count > 3 or len(hand) + count > HAND_LIMIT or len(top) < count:
        return None
    if top != cards and bytes(sorted(top)) != cards and (cards != _UNNAMED[:count] or min(top) < SLOT):
        return None
    known = state.known
    if known:
        for code in top:
            if code < SLOT:
                known &= ~everybody_knows(code)
    return _after(state, state.cards, state.men, hand + top, (deck[count:], state.pile, state.stash), known)


def _place(state: State, move: Place) -> State | None:
    at, place, men = 3 * (move.seat - 1), move.place, state.men
    here, man = men.get(place, b""), move.man
    if state.stash[at : at + 3] != _WHOLE or man // 5 != at + 3 or place not in state.cards or len(here) >= POPULATION:
        return None
    men = men.copy()
    men[place] = bytes(sorted((*here, man))) if here else ONE[man]
    stash = state.stash[:at] + b"\4" + state.stash[at + 1 :]
    return _after(state, state.cards, men, state.hands[move.seat - 1], (state.deck, state.pile, stash), state.known)


def _reorient(state: State, move: Reorient) -> State | None:
    before, men, first = state.men, state.men.copy(), 3 * move.seat
    for turn in move.turns:
        ref, point = turn.ref, turn.point
        place = ref.place
        here = before.get(place, b"")
        if not first <= ref.group < first + 3:
            return None
        if men.get(place, b"") is not here:
            return _reorient_crowd(state, move)
        code = alone(here, ref)
        if code < 0 or code % 5 == point:
            return None
        if len(here) == 1:
            men[place] = ONE[code - code % 5 + point]
        else:
            take(men, place, code)
            put(men, place, code - code % 5 + point)
    return _after(
        state, state.cards, men, state.hands[move.seat - 1], (state.deck, state.pile, state.stash), state.known
    )


def _reorient_crowd(state: State, move: Reorient) -> State | None:
    """Turn minions of which several share a space."""
    lost: dict[int, list[int]] = {}
    new: dict[int, list[int]] = {}
    for turn in move.turns:
        place = turn.ref.place
        code = alone(state.men.get(place, b""), turn.ref)
        if code // 15 != move.seat or code % 5 == turn.point:
            return None
        lost.setdefault(place, []).append(code)
        new.setdefault(place, []).append(code - code % 5 + turn.point)
    men = state.men.copy()
    for place, codes in lost.items():
        rest = list(men[place])
        for code in codes:
            if code not in rest:
                return None
            rest.remove(code)
        men[place] = bytes(sorted(rest + new[place]))
    return _after(
        state, state.cards, men, state.hands[move.seat - 1], (state.deck, state.pile, state.stash), state.known
    )


def _discard_hand(state: State, move: DiscardHand) -> State | None:
    hand = bytes(sorted(state.hands[move.seat - 1]))
    if not hand or hand[-1] >= SLOT or move.cards not in (None, hand):
        return None
    return _after(state, state.cards, state.men, b"", (state.deck, state.pile + hand, state.stash), state.known)


# --- suits ---


def _use(state: State, move: Use) -> State | None:
    """Do a power with one part, of a card of the hand or face up on the board."""
    play, seat = move.play, move.seat
    ref, parts, hand, pile = play.user, play.parts, state.hands[seat - 1], state.pile
    if ref is None or len(parts) != 1 or ref.group // 3 != seat:
        return None
    code = alone(state.men.get(ref.place, b""), ref)
    if code < 0:
        return None
    card = _card(state, play, ref.place)
    power = _power(play, card)
    act = POWERS[power] if power >= 0 else None
    done = act(state, parts[0], ref.place, code, power) if act is not None else None
    if done is None:
        return None
    cards, men, deck, pile, stash = done
    if play.origin == HAND:
        at = hand.find(card)
        if at < 0:
            return None
        hand = hand[:at] + hand[at + 1 :]
        pile += ONE[card]
    return _after(state, cards, men, hand, (deck, pile, stash), state.known)


def _card(state: State, play: Play, place: int) -> int:
    """Return the card a play uses, -1 where it is none that is plain."""
    if play.origin == HAND:
        return play.card
    stack = state.cards.get(place)
    return stack[-1] & ~CURSED if stack is not None and play.origin == BOARD else -1


def _power(play: Play, card: int) -> int:
    """Return the power a card is used with, -1 where that is not plain."""
    names = play.names
    if not names:
        return POWER_OF[card] if 0 <= card < len(POWER_OF) else -1
    if len(names) > 1 or names[0] < SUIT_NAME:
        return -1
    royal = play.origin == HAND and 0 <= card < TRUMP and is_royal(card)
    return names[0] - SUIT_NAME if royal or card == MAGICIAN else -1


_QUICK: dict[type, Callable[[State, Any], State | None]] = {
    Pass: _pass,
    Draw: _draw,
    Place: _place,
    Reorient: _reorient,
    DiscardHand: _discard_hand,
    Use: _use,
}
