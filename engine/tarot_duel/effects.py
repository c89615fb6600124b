"""What each Major does once no Temperance has stopped it: things that happen at once, and words that become due."""

from collections.abc import Callable

from msgspec.structs import replace

from cartulary.engine.tarot_duel.cards import blank
from cartulary.engine.tarot_duel.decks import known_deck
from cartulary.engine.tarot_duel.exchanges import exchanged
from cartulary.engine.tarot_duel.moves import AGAIN_CHALLENGE, Spot, Use, acting
from cartulary.engine.tarot_duel.shuffles import shuffled
from cartulary.engine.tarot_duel.state import (
    EVERYBODY,
    IDLE,
    Due,
    Marks,
    Side,
    State,
    Unseen,
    is_in,
)
from cartulary.engine.tarot_duel.zones import (
    counted,
    give,
    take_area,
    take_deck,
    take_pile,
    with_side,
)


def effect(state: State, use: Use) -> State:
    """Return the state with the Major's effect begun; the words it needs are due."""
    return _EFFECTS[acting(use)](state, use)


def _owed(state: State, *due: Due) -> State:
    return replace(state, due=due)


def _hand(state: State, seat: int) -> int:
    return len(state.sides[seat - 1].hand)


def _fool(state: State, use: Use) -> State:
    return _owed(state, Due("coin", 0, use.target))


def _magician(state: State, use: Use) -> State:
    side = state.sides[use.seat - 1]
    count = len(side.hand)
    after = replace(side, deck=side.deck + side.hand, hand=b"", eyes=())
    return _owed(shuffled(with_side(state, use.seat, after), use.seat), Due("draw", use.seat, 0, count))


def _priestess(state: State, use: Use) -> State:
    count = _hand(state, use.seat)
    return _owed(state, Due("redraw", use.seat, 0, count)) if count else state


def _hierophant(state: State, use: Use) -> State:
    taken = take_pile(state, use.seat, use.cards[0])
    assert taken is not None
    state, code, _ = taken
    side = state.sides[use.seat - 1]
    tops = (EVERYBODY, *side.tops)
    return with_side(state, use.seat, replace(side, deck=bytes((code,)) + side.deck, tops=tops))


def _lovers(state: State, use: Use) -> State:
    assert use.other is not None
    if use.other.place == "h":
        return _owed(state, Due("swap", 0, use.target, 1, use=use))
    return exchanged(state, use)


def _chariot(state: State, use: Use) -> State:
    taken = take_deck(state, use.seat, use.cards[0])
    assert taken is not None
    return shuffled(give(taken[0], use.seat, taken[1], EVERYBODY), use.seat)


def _strength(state: State, use: Use) -> State:
    return replace(state, marks=replace(state.marks, strong=state.marks.strong | 1 << use.seat))


def _hermit(state: State, use: Use) -> State:
    return exchanged(state, use)


def _wheel(state: State, use: Use) -> State:
    return _owed(state, Due("die", 0, use.target))


def _justice(state: State, use: Use) -> State:
    ready = state.marks.ready
    mine = ready[use.seat - 1] + bytes((use.card,))
    marks = replace(state.marks, ready=(*ready[: use.seat - 1], mine, *ready[use.seat :]))
    table = tuple(entry for entry in state.act.table if entry != (use.seat, use.card))
    return replace(state, marks=marks, act=replace(state.act, table=table))


def _hanged(state: State, use: Use) -> State:
    return _owed(state, Due("pick", 0, use.target, 1), Due("answer", use.target, use.seat))


def _death(state: State, use: Use) -> State:
    seats = state.house.seats
    around = ((use.seat - 1 + step) % seats + 1 for step in range(seats))
    return _owed(state, *(Due("discard", seat, 0, _hand(state, seat)) for seat in around if is_in(state, seat)))


def _devil(state: State, use: Use) -> State:
    count = use.count or 0
    return _owed(state, Due("pick", 0, use.target, count), Due("mill", use.seat, 0, 2 * count))


def _tower(state: State, use: Use) -> State:
    for card in sorted(use.cards):
        taken = take_pile(state, use.seat, card)
        assert taken is not None
        state = taken[0]
        side = state.sides[use.seat - 1]
        state = with_side(state, use.seat, replace(side, deck=side.deck + bytes((taken[1],))))
    return shuffled(state, use.seat)


def _star(state: State, use: Use) -> State:
    return _owed(state, Due("look", 0, use.target, (_hand(state, use.target) + 1) // 2, use=use))


def _moon(state: State, use: Use) -> State:
    for card in sorted(use.cards):
        taken = take_area(state, use.seat, Spot("a", card))
        assert taken is not None
        state, code, _ = taken
        side = state.sides[use.seat - 1]
        row, peeps = side.row + bytes((code,)), (*side.peeps, EVERYBODY)
        state = with_side(state, use.seat, counted(state, replace(side, row=row, peeps=peeps)))
    count = len(state.sides[use.seat - 1].row)
    return _owed(state, Due("row", use.seat, 0, count)) if count > 1 else state


def _sun(state: State, use: Use) -> State:
    side = state.sides[use.target - 1]
    peeps = tuple(known | 1 << use.seat for known in side.peeps)
    return with_side(state, use.target, replace(side, peeps=peeps, total=side.total | 1 << use.seat))


def _challenge(state: State, use: Use) -> State:
    return _owed(state, Due("stakes", use.seat, use.target, use=use))


def _world(state: State, use: Use) -> State:
    """Return all in the decks of the tags, what lies on the table too, but the card that did it, out of play."""
    house, unseen, gone = state.house, state.unseen, list(state.marks.gone)
    gone[_owner(state, use.seat, use.card) - 1] += bytes((use.card,))
    found = tuple(b"" if unseen.doubt >> seat & 1 else cards for seat, cards in enumerate(unseen.found, 1))
    sides = []
    for seat in range(1, house.seats + 1):
        deck = known_deck(house, found[seat - 1], seat)
        for card in gone[seat - 1]:
            at = deck.find(card) if card in deck else deck.find(blank(seat))
            deck = deck[:at] + deck[at + 1 :]
        sides.append(Side(deck))
    marks = Marks((b"",) * house.seats, tuple(gone), ((0, 0),) * house.seats, state.marks.out, 0, state.marks.missed)
    unseen = Unseen(found=found, doubt=unseen.doubt, named=unseen.named, proved=unseen.proved)
    loose = tuple((seat, 0) for seat in range(1, house.seats + 1))
    act = replace(IDLE, doer=state.act.doer)
    return replace(state, sides=tuple(sides), act=act, marks=marks, unseen=unseen, loose=loose, fresh=True)


def _owner(state: State, seat: int, card: int) -> int:
    """Return whose deck a seat's card came from: its own if it can be, but not one another had."""
    unseen, gone = state.unseen, state.marks.gone
    others = tuple(other for other in range(1, state.house.seats + 1) if other != seat)
    decks = {owner: known_deck(state.house, unseen.found[owner - 1], owner) for owner in (seat, *others)}
    named = [owner for owner in decks if card in decks[owner] and card not in gone[owner - 1]]
    sure = [owner for owner in named if owner == seat or not unseen.doubt >> owner & 1]
    if sure:
        return sure[0]
    if blank(seat) in decks[seat] and card not in gone[seat - 1]:
        return seat
    return named[0] if named else seat


_EFFECTS: dict[int, Callable[[State, Use], State]] = {
    1: _fool,
    2: _magician,
    3: _priestess,
    6: _hierophant,
    7: _lovers,
    8: _chariot,
    9: _strength,
    10: _hermit,
    11: _wheel,
    12: _justice,
    13: _hanged,
    14: _death,
    16: _devil,
    17: _tower,
    18: _star,
    19: _moon,
    20: _sun,
    22: _world,
    AGAIN_CHALLENGE: _challenge,
}
