"""A challenge: stakes set down, compared or not, and what follows from who has won."""

from msgspec.structs import replace

from cartulary.engine.slots import UNKNOWN, is_slot
from cartulary.engine.tarot_duel.actions import advanced, served
from cartulary.engine.tarot_duel.cards import NAMES, NOTHING, WORTH, how_many
from cartulary.engine.tarot_duel.ends import aimed
from cartulary.engine.tarot_duel.faces import of_face
from cartulary.engine.tarot_duel.moves import AGAIN_CHALLENGE, Spot, Use
from cartulary.engine.tarot_duel.state import Due, State, is_in, quarter
from cartulary.engine.tarot_duel.zones import laid, take_area, take_deck, told_apart, with_side


def stakes_of(state: State, seat: int) -> int:
    """Return how many cards a seat sets down: a quarter of its deck as brought, or all it has left."""
    return min(quarter(state, seat), len(state.sides[seat - 1].deck))


def stakes_fault(state: State, seat: int, face: int) -> str:
    """Say what is wrong with a seat's face-up stake; empty where nothing is."""
    deck = state.sides[seat - 1].deck
    if face == NOTHING:
        return f"p{seat}'s deck has {how_many(len(deck))}, so one of them lies face up" if deck else ""
    if not deck:
        return f"p{seat}'s deck is empty, so nothing of it lies face up"
    if face != UNKNOWN and face not in deck and take_deck(state, seat, face) is None:
        return f"{NAMES[face]} is not in p{seat}'s deck"
    return ""


def _staked(state: State, seat: int, face: int) -> State:
    """Return the state with a face-up stake known to be in the deck, which is shuffled."""
    side = state.sides[seat - 1]
    if face < NOTHING and face not in side.deck:
        taken = take_deck(state, seat, face)
        if taken is not None:
            state = taken[0]
            side = state.sides[seat - 1]
            return with_side(state, seat, replace(side, deck=side.deck + bytes((taken[1],))))
    return with_side(state, seat, replace(side, tops=())) if side.tops else state


def _winner(state: State, seat: int, target: int, ours: int, theirs: int) -> int:
    """Return who wins the challenge, 0 where nobody does, -1 where it cannot be known."""
    strong = state.marks.strong
    if strong >> seat & 1 != strong >> target & 1:
        return seat if strong >> seat & 1 else target
    if UNKNOWN in (ours, theirs):
        return -1
    mine, its = WORTH[ours], WORTH[theirs]
    return seat if mine > its else target if its > mine else 0


def challenged(state: State, seat: int, target: int, spot: Spot, ours: int, theirs: int) -> State:
    """Return the state after the stakes of a challenge are set down and compared."""
    winner = _winner(state, seat, target, ours, theirs)
    marks = state.marks
    against = marks.against
    if target != seat and is_in(state, target):
        against = (*against[: target - 1], (AGAIN_CHALLENGE, seat), *against[target:])
    strong = marks.strong & ~(1 << seat | 1 << target)
    state = replace(state, marks=replace(marks, against=against, strong=strong), act=replace(state.act, doer=seat))
    state = _staked(_staked(state, seat, ours), target, theirs)
    stakes = (Due("stake", seat, target, 0, ours), Due("stake", target, seat, 0, theirs))
    if winner >= 0:
        return settled(state, stakes, spot, winner)
    # A stake that is not on record leaves the winner open: the next word shows it.
    use = Use(seat, UNKNOWN, 21, again=AGAIN_CHALLENGE, target=target, other=spot)
    either = replace(state, due=(Due("either", seat, target, use=use), *stakes))
    return replace(either, then=settled(state, stakes, spot, 0))


def settled(state: State, stakes: tuple[Due, ...], spot: Spot, winner: int, told: bool = False) -> State:
    """Return the state once the winner of a challenge is known, 0 for nobody, with the words due that follow.

    stakes: the challenger's and the defender's, with their face-up cards; told: only words tell who has won
    """
    (seat, ours), (target, theirs) = ((stake.seat, stake.card) for stake in stakes)
    due: list[Due] = []
    won = UNKNOWN
    if winner:
        loser, face, its = (target, ours, theirs) if winner == seat else (seat, theirs, ours)
        if winner == seat:
            taken = take_area(state, target, spot)
            if taken is not None:
                state, won = told_apart(taken[0], taken[1])
                state = laid(state, seat, bytes((won,)))
                due += [Due("show", target, seat)] if spot.at else []
        lost, kept = stakes_of(state, loser), stakes_of(state, winner)
        due += [Due("lose", loser, winner, lost, its, rival=of_face(face) if told else 0)] if lost else []
        due += [Due("back", winner, loser, kept, face, rival=of_face(its) if told else 0)] if kept else []
        due.append(Due("shuffle", 0, winner, kept))
        due.append(Due("shuffle", 0, loser))
    else:
        due += [Due("shuffle", 0, seat), Due("shuffle", 0, target)]
    state = advanced(aimed(replace(state, due=tuple(due), then=None)))
    # What the record knows of the card need not be shown.
    known = bool(state.due) and state.due[0].what == "show" and not is_slot(won)
    return replace(state, then=served(state)) if known else state


def decided(state: State, winner: int) -> State:
    """Return the state of an open challenge once a word tells who has won."""
    either, ours, theirs = state.due
    assert either.use is not None
    assert either.use.other is not None
    return settled(replace(state, then=None), (ours, theirs), either.use.other, winner, True)
