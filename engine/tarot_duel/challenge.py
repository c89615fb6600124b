"""A challenge: stakes are set down and compared, and what follows from who has won."""

from msgspec.structs import replace

from cartulary.engine.cards.deck import how_many
from cartulary.engine.slots import UNKNOWN, is_slot
from cartulary.engine.tarot_duel.cards import NAMES, NOTHING, WORTH, listed, name_of
from cartulary.engine.tarot_duel.clauses import CHALLENGE, IN_AREA, STAKES, WINNER
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.dues import advance, serve
from cartulary.engine.tarot_duel.ends import aim
from cartulary.engine.tarot_duel.faces import may_have_won, of_face, of_stakes
from cartulary.engine.tarot_duel.moves import (
    AGAIN_CHALLENGE,
    Challenge,
    Discard,
    Move,
    PutBack,
    Show,
    Spot,
    Stakes,
    Use,
)
from cartulary.engine.tarot_duel.state import CHALLENGED, EVERYBODY, IDLE, MOST_HELD, Due, State
from cartulary.engine.tarot_duel.zones import absent

# --- the word ---


def say_challenge(draft: Draft, move: Challenge) -> None:
    """Carry out the word."""
    seat, target = move.seat, move.target
    if draft.flags & CHALLENGED:
        draft.refuse(CHALLENGE, f"p{draft.turn} has challenged already in this turn")
    elif target == seat:
        draft.refuse(CHALLENGE, f"p{seat} challenges itself")
    elif not draft.marks.is_in(target):
        draft.refuse(CHALLENGE, f"p{target} is out")
    _look_at_stakes(draft, (seat, move.ours), (target, move.theirs))
    if target == seat or not draft.lies(target, move.spot):
        draft.block(IN_AREA, absent(target, move.spot)[1])
    draft.flags |= CHALLENGED if seat == draft.turn else 0
    draft.act = IDLE
    _compare(draft, seat, target, move.spot, move.ours, move.theirs)


def say_stakes(draft: Draft, move: Stakes, due: Due) -> None:
    """Carry out the word that sets down the stakes of a challenge Judgment repeats."""
    _look_at_stakes(draft, (due.seat, move.ours), (due.other, move.theirs))
    use = due.use
    assert use is not None
    assert use.other is not None
    _compare(draft, move.seat, use.target, use.other, move.ours, move.theirs)


def _look_at_stakes(draft: Draft, *faces: tuple[int, int]) -> None:
    """Block for a face-up stake that cannot be; faces: each seat with its card."""
    for seat, face in faces:
        deck = draft.sides[seat - 1].deck
        if face == NOTHING:
            if deck:
                draft.block(STAKES, f"p{seat}'s deck has {how_many(len(deck))}, so one of them lies face up")
        elif not deck:
            draft.block(STAKES, f"p{seat}'s deck is empty, so nothing of it lies face up")
        elif face != UNKNOWN and not draft.may_lie(deck, face):
            draft.block(STAKES, f"{NAMES[face]} is not in p{seat}'s deck")


def stakes_of(state: State | Draft, seat: int) -> int:
    """Return how many cards a seat sets down: a quarter of its deck as brought, or all it has left."""
    return min(state.house.quarter(seat), len(state.sides[seat - 1].deck))


# --- who wins ---


def _compare(draft: Draft, seat: int, target: int, spot: Spot, ours: int, theirs: int) -> None:
    """Set down the stakes of a challenge and compare them."""
    winner = _winner(draft, seat, target, ours, theirs)
    against = draft.marks.against
    if target != seat and draft.marks.is_in(target):
        against = (*against[: target - 1], (AGAIN_CHALLENGE, seat), *against[target:])
    draft.mark(against=against, strong=draft.marks.strong & ~(1 << seat | 1 << target))
    draft.act = replace(draft.act, doer=seat)
    _set_down(draft, seat, ours)
    _set_down(draft, target, theirs)
    stakes = (Due("stake", seat, target, 0, ours), Due("stake", target, seat, 0, theirs))
    if winner >= 0:
        _settle(draft, stakes, spot, winner)
        return
    # A stake that is not on record leaves the winner open: the next word shows it.
    use = Use(seat, UNKNOWN, 21, again=AGAIN_CHALLENGE, target=target, other=spot)
    draft.owe(Due("either", seat, target, use=use), *stakes)
    even = Draft(draft.frozen())
    _settle(even, stakes, spot, 0)
    draft.then = even.frozen()


def _winner(draft: Draft, seat: int, target: int, ours: int, theirs: int) -> int:
    """Return who wins the challenge, 0 where nobody does, -1 where it cannot be known."""
    strong = draft.marks.strong
    if strong >> seat & 1 != strong >> target & 1:
        return seat if strong >> seat & 1 else target
    if UNKNOWN in (ours, theirs):
        return -1
    mine, its = WORTH[ours], WORTH[theirs]
    return seat if mine > its else target if its > mine else 0


def _set_down(draft: Draft, seat: int, face: int) -> None:
    """Let a face-up stake be known to be in the deck, which is shuffled."""
    side = draft.side(seat)
    taken = draft.take_deck(seat, face) if face < NOTHING and face not in side.deck else None
    side.tops = ()
    if taken is not None:
        side.deck += bytes((taken[0],))


def _settle(draft: Draft, stakes: tuple[Due, Due], spot: Spot, winner: int, told: bool = False) -> None:
    """Let the winner of a challenge be known, 0 for nobody, and the words be due that follow.

    stakes: the challenger's and the defender's, with their face-up cards; told: only words tell who has won
    """
    (seat, ours), (target, theirs) = ((stake.seat, stake.card) for stake in stakes)
    due: list[Due] = []
    won = UNKNOWN
    if winner:
        loser, face, its = (target, ours, theirs) if winner == seat else (seat, theirs, ours)
        taken = draft.take_area(target, spot) if winner == seat else None
        if taken is not None:
            won = draft.told_apart(taken[0])
            draft.lay(seat, bytes((won,)))
            due += [Due("show", target, seat)] if spot.at else []
        lost, kept = stakes_of(draft, loser), stakes_of(draft, winner)
        due += [Due("lose", loser, winner, lost, its, rival=of_face(face) if told else 0)] if lost else []
        due += [Due("back", winner, loser, kept, face, rival=of_face(its) if told else 0)] if kept else []
        due += [Due("shuffle", 0, winner, kept), Due("shuffle", 0, loser)]
    else:
        due += [Due("shuffle", 0, seat), Due("shuffle", 0, target)]
    aim(draft)
    advance(draft, *due)
    if draft.due and draft.due[0].what == "show" and not is_slot(won):
        # What the record knows of the card need not be shown.
        untold = Draft(draft.frozen())
        serve(untold)
        draft.then = untold.frozen()


# --- a winner only words tell of ---


def is_open(state: State) -> bool:
    """Say whether the last word was a challenge whose winner the record does not show."""
    return bool(state.due) and state.due[0].what == "either"


def told_winner(state: State, move: Move) -> int:
    """Return who has won an open challenge if this word comes next, 0 where it says that nobody has."""
    challenger, defender = state.due[0].seat, state.due[0].other
    if move.seat not in (challenger, defender):
        return 0
    rival = defender if move.seat == challenger else challenger
    if type(move) is PutBack:
        return move.seat
    if type(move) is Discard:
        return 0 if _is_free(state, move) else rival
    return challenger if type(move) is Show and move.seat == defender else 0


def _is_free(state: State, move: Discard) -> bool:
    """Say whether cards put away are some that are over the limit of the hand, and not stakes."""
    if move.seat != state.turn or len(state.sides[move.seat - 1].hand) - len(move.cards) < MOST_HELD:
        return False
    return len(move.cards) != stakes_of(state, move.seat) or _lifted(Draft(state), move.seat, move.cards) is None


def decided(state: State, winner: int) -> State:
    """Return the state of an open challenge once a word tells who has won."""
    either, ours, theirs = state.due
    assert either.use is not None
    assert either.use.other is not None
    draft = Draft(state)
    _settle(draft, (ours, theirs), either.use.other, winner, True)
    return draft.frozen()


# --- what follows ---


def say_show(draft: Draft, move: Show, due: Due) -> None:
    """Carry out the loser's word that shows what was won of him unseen."""
    side, stake = draft.side(due.other), draft.due[1]
    won = may_have_won(draft, stake)
    code = draft.sight(side.area[-1], move.card)
    if code is None:
        draft.block(WINNER, f"{NAMES[move.card]} is not the card that was won")
    _refuse_beaten(draft, stake, won)
    side.area = side.area[:-1] + bytes((code,))
    draft.count(side)
    serve(draft)
    aim(draft)


def say_lose(draft: Draft, move: Discard, due: Due) -> None:
    """Carry out the word that puts the loser's stakes on the pile."""
    side = draft.side(move.seat)
    codes, side.deck = _stakes(draft, move.cards, due)
    draft.discard(move.seat, codes)
    if due.rival and due.card == UNKNOWN:
        # What these show, the winner's stakes must beat.
        rival = of_stakes(move.cards)
        draft.due = tuple(replace(one, rival=rival) if one.what == "back" else one for one in draft.due)
    serve(draft)


def say_back(draft: Draft, move: PutBack, due: Due) -> None:
    """Carry out the word that puts the winner's stakes on top of his deck."""
    side = draft.side(move.seat)
    codes, deck = _stakes(draft, move.cards, due)
    tops = [1 << move.seat] * len(codes)
    if due.card in codes:
        tops[codes.index(due.card)] = EVERYBODY
    side.deck, side.tops = codes + deck, tuple(tops)
    serve(draft)


def _stakes(draft: Draft, cards: bytes, due: Due) -> tuple[bytes, bytes]:
    """Take a side's stakes off its deck; return their codes in the word's order, and the rest of the deck."""
    seat = due.seat
    if len(cards) != due.count:
        draft.refuse(STAKES, f"the word has {how_many(len(cards))}, expected {due.count}")
    elif due.card not in cards and due.card != UNKNOWN and UNKNOWN not in cards:
        draft.refuse(STAKES, f"{name_of(due.card)}, which lay face up, is missing from the stakes")
    won = may_have_won(draft, due, cards)
    codes = _lifted(draft, seat, cards)
    if codes is None:
        draft.block(STAKES, f"{listed(cards)} cannot be the stakes of p{seat}'s deck")
    _refuse_beaten(draft, due, won)
    return codes, draft.side(seat).deck


def _lifted(draft: Draft, seat: int, cards: bytes) -> bytes | None:
    """Take cards off a deck, which is shuffled; return their codes in order, None where they cannot be in it."""
    side, rest = draft.side(seat), bytearray(draft.sides[seat - 1].deck)
    side.tops = ()
    for card in cards:
        if card not in rest:
            break
        rest.remove(card)
    else:
        side.deck = bytes(rest)
        return cards
    codes = bytearray(cards)
    for at in sorted(range(len(cards)), key=lambda place: cards[place]):
        taken = draft.take_deck(seat, cards[at])
        if taken is None:
            return None
        codes[at] = taken[0]
    return bytes(codes)


def _refuse_beaten(draft: Draft, due: Due, won: bool) -> None:
    """Refuse a winner whose face-up card cannot have been the higher one."""
    if not won:
        winner, loser = (due.seat, due.other) if due.what == "back" else (due.other, due.seat)
        draft.refuse(WINNER, f"p{winner}'s face-up card cannot have been higher than p{loser}'s")
