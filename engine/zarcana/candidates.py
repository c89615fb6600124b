"""Words worth judging: a sample, because hands may be unknown and many powers combine freely."""

from collections.abc import Iterator
from math import gcd

from msgspec.structs import replace

from cartulary.engine.cards.zones import as_written
from cartulary.engine.readings import states_of
from cartulary.engine.slots import UNKNOWN, is_slot
from cartulary.engine.zarcana import moves
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.fool import has_use, is_legal
from cartulary.engine.zarcana.hands import available, discard, take_from_hand, take_off_deck
from cartulary.engine.zarcana.moves import name_for
from cartulary.engine.zarcana.powers import use
from cartulary.engine.zarcana.sample_uses import minions_of, next_cards, uses
from cartulary.engine.zarcana.setups import whole_opening
from cartulary.engine.zarcana.state import CODE, DOWN, OPEN_BOARD, Course, State
from cartulary.engine.zarcana.turns import is_over

_STRIDES = (1, 5, 11, 25, 31)


def candidates(state: State) -> Iterator[moves.Move]:
    """Yield a sample of words worth judging, in a fixed order.

    Before the first turn these are a few ways in which the cards may lie. Then every option of the turn: draws take the
    deck's next cards, minions turn one at a time, and powers are used as ``sample_uses`` names them, by every minion
    that may, with known cards of the hand. A demand is met with the first cards of the hand. Each reading has its own.
    """
    if state.others:
        yield from dict.fromkeys(move for reading in states_of(state) for move in candidates(reading))
        return
    if is_over(state):
        return
    if state.course.demands:
        yield from _sample_gifts(state, *state.course.demands[0])
        return
    for giver, taker in state.course.skipped_demands:
        yield from _sample_gifts(state, giver, taker)
    begun = state.course.opening not in (0, whole_opening(state.options.seats))
    yield from _sample_deals(state) if begun or not state.ply else _sample_turn(state)


def _sample_deals(state: State) -> Iterator[moves.Move]:
    """Yield words in which the table names the next zone of the set-up, in a few orders of the cards; none if all is
    named.
    """
    opening, untold = state.course.opening, state.unseen.slots.pools[0] if state.unseen.slots.pools else b""
    if not opening or not untold:
        return
    to = moves.NINE if opening & OPEN_BOARD else next((s for s in range(1, 6) if opening & 1 << s), moves.REST)
    count = 9 if to == moves.NINE else len(state.deck) if to == moves.REST else 3
    for stride in _STRIDES:
        size = len(untold)
        while gcd(stride, size) > 1:
            stride += 1
        cards = bytes(untold[at * stride % size] for at in range(min(count, size)))
        yield moves.Deal(0, to, cards if to in (moves.NINE, moves.REST) else bytes(sorted(cards)))


def _sample_gifts(state: State, giver: int, taker: int) -> Iterator[moves.Move]:
    """Yield the gifts of ``giver`` to ``taker``: of the first two cards of the hand as words list them, and of the
    first one.
    """
    hand = bytes(sorted(as_written(state.hands[giver - 1])))
    for count in (2, 1):
        if len(hand) >= count:
            yield moves.Gift(giver, hand[:count], taker)


def _sample_turn(state: State) -> Iterator[moves.Move]:
    """Yield the options of the seat in turn, legal or not.

    They are pass, the last round, draws, discarding the hand, a first minion, one minion turned, and uses of known
    cards.
    """
    seat = state.turn
    at = 3 * (seat - 1)
    yield moves.Pass(seat)
    if state.course.shuffled and not state.course.final:
        yield moves.Final(seat)
    for count in range(1, min(3, len(state.deck) + len(state.pile)) + 1):
        yield moves.Draw(seat, next_cards(state, count))
    if state.hands[seat - 1]:
        yield moves.DiscardHand(seat)
    if sum(state.stash[at : at + 3]) == 15:
        yield from (moves.Place(seat, seat * 15 + point, place) for place in sorted(state.cards) for point in range(5))
    for place, man in minions_of(state, seat):
        ref = name_for(state.men[place], place, man)
        yield from (moves.Reorient(seat, (moves.Turn(ref, point),)) for point in range(5) if point != man % 5)
    for card in sorted(state.hands[seat - 1]):
        if not is_slot(card):
            yield from (moves.Use(seat, _with_flips(state, seat, play)) for play in uses(state, seat, card, moves.HAND))
    for place, man in minions_of(state, seat):
        yield from _sample_space_uses(state, seat, place, man)


def _sample_space_uses(state: State, seat: int, place: int, man: int) -> Iterator[moves.Move]:
    """Yield the uses of the card under a minion, which turn it up first if it lies face down.

    There are none if it lies on no card, or on one that nobody on record saw.
    """
    entry = state.cards.get(place, (-1,))[-1]
    if entry < 0 or is_slot(entry & CODE):
        return
    if not entry & DOWN:
        for play in uses(state, seat, entry & CODE, moves.BOARD, place, man):
            yield moves.Use(seat, _with_flips(state, seat, play))
        return
    card = entry & CODE
    cards = state.cards.copy()
    cards[place] = (*cards[place][:-1], card)
    turned_state = replace(state, cards=cards)
    if not has_use(use, Draft(turned_state, seat), card, moves.BOARD, place, man):
        yield moves.Use(seat, moves.Play(moves.TURNED, card, (), name_for(state.men[place], place, man)))
    for play in uses(turned_state, seat, card, moves.BOARD, place, man):
        yield moves.Use(seat, _with_flips(turned_state, seat, replace(play, origin=moves.TURNED, card=card)))


def _with_flips(state: State, seat: int, play: moves.Play) -> moves.Play:
    """Return a play; if it is the Fool's, with the first legal use of each card that it turns up.

    A card without a legal use is turned up bare, and from the first unknown card on all are UNKNOWN.
    """
    if not play.parts or not isinstance(play.parts[0], moves.Flip):
        return play
    draft = Draft(state, seat)
    draft.course = Course(0, False, state.course.shuffled, 0, 0, state.course.extra, state.course.run)
    flips: list[moves.Part] = []
    if play.origin == moves.HAND:
        take_from_hand(draft, seat, play.card)
    for _ in range(min(2, available(draft))):
        if not draft.deck or is_slot(draft.deck[0]):
            flips += [moves.Flip(moves.Play(moves.DECK, UNKNOWN))] * (
                min(2, len(state.deck) + len(state.pile)) - len(flips)
            )
            break
        card = take_off_deck(draft, draft.deck[:1])[0]
        flip = _first_legal_use(draft, seat, card)
        flips.append(moves.Flip(flip or moves.Play(moves.DECK, card)))
        if flip is None:
            discard(draft, card)
        else:
            use(draft, flip)
    return replace(play, parts=tuple(flips))


def _first_legal_use(draft: Draft, seat: int, card: int) -> moves.Play | None:
    """Return the first legal use of a card that was turned up from the deck; None if it has none."""
    now = draft.state_now()
    for play in uses(now, seat, card, moves.DECK):
        full_play = _with_flips(now, seat, play)
        if is_legal(use, now, seat, full_play, draft.again):
            return full_play
    return None
