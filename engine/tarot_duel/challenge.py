"""A challenge: who may be challenged, the stakes, the winner as far as the record shows it, and what follows.

The stakes are a quarter of each deck, one card of them face up. Who has lost puts stakes away, and puts others back.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import BLANK, UNKNOWN, is_slot, possible
from cartulary.engine.tarot_duel.cards import ITSELF, NAMES, NOTHING, WORTH, listed, name_of
from cartulary.engine.tarot_duel.clauses import CHALLENGE, IN_AREA, STAKES, WINNER
from cartulary.engine.tarot_duel.draft import Draft, missing_card
from cartulary.engine.tarot_duel.dues import advance, check_win, serve
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

# --- the stakes ---


def refuse_faces(draft: Draft, *faces: tuple[int, int]) -> None:
    """Raise BlockedError if a word names a face-up stake which cannot be one.

    Args:
        draft: The draft of the word.
        faces: Pairs of a seat and its face-up stake; UNKNOWN may be any, NOTHING is that of an empty deck.
    """
    for seat, face in faces:
        deck = draft.sides[seat - 1].deck
        if face == NOTHING:
            if deck:
                draft.block(STAKES, f"p{seat}'s deck has {how_many(len(deck))}, so one of them must lie face up")
        elif not deck:
            draft.block(STAKES, f"p{seat}'s deck is empty, so no card of it can lie face up")
        elif face != UNKNOWN and not draft.may_lie(deck, face):
            draft.block(STAKES, f"{NAMES[face]} is not in p{seat}'s deck")


def stakes_of(state: State | Draft, seat: int) -> int:
    """Return how many cards a seat sets down in a challenge: a quarter of its deck as brought, or all that are left if
    fewer.
    """
    return min(state.options.quarter(seat), len(state.sides[seat - 1].deck))


def set_down(draft: Draft, seat: int, face: int) -> None:
    """Note that a face-up stake is in a seat's deck, which will be shuffled, so that nothing is known of its top any
    more.

    ``face`` is the card, UNKNOWN if it is not on record, or NOTHING for an empty deck. A card that was not known to be
    in the deck is known to be there now.
    """
    side = draft.side(seat)
    card = draft.take_deck(seat, face) if face < NOTHING and face not in side.deck else None
    side.tops = ()
    if card is not None:
        side.deck += bytes((card[0],))


def take_stakes(draft: Draft, cards: bytes, due: Due) -> bytes:
    """Take a side's stakes off its deck, and return their codes in the order of the word.

    A wrong number, or stakes without the one that lay face up, are noted as a refusal.

    Args:
        draft: The draft of the word, which changes.
        cards: The stakes as the word names them.
        due: The word that is due, with their number and the one that lay face up.

    Raises:
        BlockedError: They cannot all be in the deck.
    """
    if len(cards) != due.count:
        draft.refuse(STAKES, f"the word has {how_many(len(cards))}, expected {due.count}")
    elif due.card not in cards and due.card != UNKNOWN and UNKNOWN not in cards:
        draft.refuse(STAKES, f"{name_of(due.card)}, which lay face up, is missing from the stakes")
    codes = lift(draft, due.seat, cards)
    if codes is None:
        draft.block(STAKES, f"{listed(cards)} cannot be stakes from p{due.seat}'s deck")
    return codes


def lift(draft: Draft, seat: int, cards: bytes) -> bytes | None:
    """Take the named cards off a deck, and return their codes in the order given; UNKNOWN stands for any card.

    Nothing is known of the top of the deck then. None if they cannot all be in it; then the draft has lost some of the
    cards and is of no further use.
    """
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
        entry = draft.take_deck(seat, cards[at])
        if entry is None:
            return None
        codes[at] = entry[0]
    return bytes(codes)


# --- who wins ---


def winner_of(draft: Draft, seat: int, target: int, ours: int, theirs: int) -> int:
    """Return who wins a challenge: the seat, 0 for nobody, -1 if unknown cards decide it.

    A seat with Strength wins unless the other has it too; otherwise the face-up stake with more points wins.

    Args:
        draft: The draft of the word.
        seat: The challenger.
        target: The defender.
        ours: The challenger's face-up stake.
        theirs: The defender's face-up stake.
    """
    strong = draft.marks.strong
    if strong >> seat & 1 != strong >> target & 1:
        return seat if strong >> seat & 1 else target
    if UNKNOWN in (ours, theirs):
        return -1
    seat_worth, target_worth = WORTH[ours], WORTH[theirs]
    return seat if seat_worth > target_worth else target if target_worth > seat_worth else 0


def conclude(draft: Draft, stakes: tuple[Due, Due], spot: Spot, winner: int, by_words: bool = False) -> None:
    """Settle a challenge: the winner gets the card if he is the challenger, and the words that follow become due.

    Args:
        draft: The draft, which changes.
        stakes: The stakes of the challenger and of the defender, with their face-up cards.
        spot: The card that is challenged for.
        winner: The seat that has won, 0 for nobody.
        by_words: True if only a later word shows who has won.
    """
    (seat, ours), (target, theirs) = ((stake.seat, stake.card) for stake in stakes)
    due: list[Due] = []
    won = UNKNOWN
    if winner:
        loser, face, rival_face = (target, ours, theirs) if winner == seat else (seat, theirs, ours)
        entry = draft.take_area(target, spot) if winner == seat else None
        if entry is not None:
            won = draft.name_if_certain(entry[0])
            draft.lay(seat, bytes((won,)))
            due += [Due("show", target, seat)] if spot.at else []
        loser_stakes, winner_stakes = stakes_of(draft, loser), stakes_of(draft, winner)
        due += (
            [Due("lose", loser, winner, loser_stakes, rival_face, rival=of_face(face) if by_words else 0)]
            if loser_stakes
            else []
        )
        due += (
            [Due("back", winner, loser, winner_stakes, face, rival=of_face(rival_face) if by_words else 0)]
            if winner_stakes
            else []
        )
        due += [Due("shuffle", 0, winner, winner_stakes), Due("shuffle", 0, loser)]
    else:
        due += [Due("shuffle", 0, seat), Due("shuffle", 0, target)]
    check_win(draft)
    advance(draft, *due)
    if draft.due and draft.due[0].what == "show" and not is_slot(won):
        # What the record knows of the card need not be shown.
        untold = Draft(draft.frozen())
        serve(untold)
        draft.if_unanswered = untold.frozen()


# --- a winner only words tell of ---


def is_open(state: State) -> bool:
    """Say whether the last word was a challenge whose winner the record does not show, so that the next word must."""
    return bool(state.due) and state.due[0].what == "either"


def winner_by_word(state: State, move: Move) -> int:
    """Return the seat that has won an open challenge if this word comes next, 0 if the word shows that nobody has.

    Who puts stakes back has won, and who discards them has lost; if the defender shows a card, the challenger has won.
    The challenge must be the first thing due in the state (``is_open``).
    """
    challenger, defender = state.due[0].seat, state.due[0].other
    if move.seat not in (challenger, defender):
        return 0
    rival = defender if move.seat == challenger else challenger
    if type(move) is PutBack:
        return move.seat
    if type(move) is Discard:
        return 0 if _is_over_limit(state, move) else rival
    return challenger if type(move) is Show and move.seat == defender else 0


def _is_over_limit(state: State, move: Discard) -> bool:
    """Say whether discarded cards are those that are over the hand limit at the end of the turn, and not stakes."""
    if move.seat != state.turn or len(state.sides[move.seat - 1].hand) - len(move.cards) < MOST_HELD:
        return False
    return len(move.cards) != stakes_of(state, move.seat) or lift(Draft(state), move.seat, move.cards) is None


def decide_challenge(state: State, winner: int) -> State:
    """Return the state after a challenge whose winner was open, with the words due that this winner brings.

    ``winner`` is the seat that has won, 0 for nobody. The state must be one in which a challenge is open (``is_open``).
    """
    due, ours, theirs = state.due
    assert due.use is not None
    assert due.use.other is not None
    draft = Draft(state)
    conclude(draft, (ours, theirs), due.use.other, winner, True)
    return draft.frozen()


# --- what follows ---


def say_show(draft: Draft, move: Show, due: Due) -> None:
    """Carry out the word by which the loser shows the face-down card that was won of him, which is named from now on.

    A winner whose face-up card cannot have been the higher one is noted as a refusal. The card may end the game.

    Raises:
        BlockedError: It cannot be the card that was won.
    """
    side, stake = draft.side(due.other), draft.due[1] if draft.due[1:] else None
    won = stake is None or may_have_won(draft, stake)
    for at in _places_of_won_card(side.area, due.late):
        code = draft.sight(side.area[at], move.card)
        if code is not None:
            break
    else:
        draft.block(WINNER, f"{NAMES[move.card]} is not the card that was won")
    if stake is not None:
        _refuse_lower(draft, stake, won)
    side.area = side.area[:at] + bytes((code,)) + side.area[at + 1 :]
    draft.count(side)
    serve(draft)
    check_win(draft)


def _places_of_won_card(area: bytes, late: bool) -> Sequence[int]:
    """Return the indices in an area at which the card won unseen may lie.

    It lies last; if it is shown late, it may be any unseen card.
    """
    last = len(area) - 1
    return [at for at in range(last, -1, -1) if is_slot(area[at])] if late else (last,)


def say_lose(draft: Draft, move: Discard, due: Due) -> None:
    """Carry out the word that puts the loser's stakes on his discard pile.

    Wrong stakes are noted as a refusal and discarded all the same. The next due word follows.

    Raises:
        BlockedError: They cannot be in his deck.
    """
    draft.discard(move.seat, _lift_stakes(draft, move.cards, due))
    if due.rival and due.card == UNKNOWN:
        # What these show, the winner's stakes must beat.
        rival = of_stakes(move.cards)
        draft.due = tuple(
            replace(other_due, rival=rival) if other_due.what == "back" else other_due for other_due in draft.due
        )
    serve(draft)


def say_back(draft: Draft, move: PutBack, due: Due) -> None:
    """Carry out the word that puts the winner's stakes on top of his deck; wrong stakes are noted as a refusal.

    The winner knows these cards from now on; everybody knows the one that lay face up.

    Raises:
        BlockedError: They cannot be in his deck.
    """
    side = draft.side(move.seat)
    codes = _lift_stakes(draft, move.cards, due)
    tops = [1 << move.seat] * len(codes)
    if due.card in codes:
        tops[codes.index(due.card)] = EVERYBODY
    side.deck, side.tops = codes + side.deck, tuple(tops)
    serve(draft)


def _lift_stakes(draft: Draft, cards: bytes, due: Due) -> bytes:
    """Take a side's stakes off its deck, and return their codes in the order of the word.

    Wrong stakes, and a winner whose face-up card cannot have been higher, are noted as a refusal.

    Raises:
        BlockedError: They cannot be in the deck.
    """
    won = may_have_won(draft, due, cards)
    codes = take_stakes(draft, cards, due)
    _refuse_lower(draft, due, won)
    return codes


def _refuse_lower(draft: Draft, due: Due, won: bool) -> None:
    """Note the refusal of a winner whose face-up card cannot have been the higher one; nothing if ``won`` is True.

    ``due`` is the word that is owed, by which the loser or the winner puts away his stakes.
    """
    if not won:
        winner, loser = (due.seat, due.other) if due.what == "back" else (due.other, due.seat)
        draft.refuse(WINNER, f"p{winner}'s face-up card cannot have been higher than p{loser}'s")


def refuse_even(draft: Draft) -> None:
    """Note the refusal of a word by which nobody would have won an open challenge, though somebody must have.

    The caller has found that out; the word may stand.
    """
    draft.refuse(WINNER, "the face-up cards cannot have been equal, so the loser's stakes come first")


# --- what the face-up cards may be worth, where the record has not all of them: points as bits ---

ANY = (1 << 11) - 1
"""No card, or a Major, has 0 points, the highest have 10."""


def of_face(face: int) -> int:
    """Return the points of a face-up card as one bit: bit 10 for 10 points, bit 0 for NOTHING; ANY if it is not on
    record.
    """
    return ANY if face == UNKNOWN else 1 << WORTH[face]


def of_stakes(stakes: bytes) -> int:
    """Return the points that one of these cards may have, as bits, one for each number from 0 to 10; ANY if some are
    not named.
    """
    return ANY if UNKNOWN in stakes else _of_codes(set(stakes))


def _of_codes(codes: set[int]) -> int:
    """Return the points that cards of these codes may have, as bits; a card that stands for another counts as both."""
    bits = 0
    for code in codes:
        bits |= ANY if code >= BLANK else 1 << WORTH[code] | 1 << WORTH[ITSELF[code]]
    return bits


def _of_deck(draft: Draft, seat: int) -> int:
    """Return the points that one card of a seat's deck may have, as bits; perhaps with points that none can have."""
    return _of_codes(
        {card for code in set(draft.sides[seat - 1].deck) for card in cards_of(possible(draft.slots, code))}
    )


def _of_stake(draft: Draft, stake: Due, stakes: bytes) -> int:
    """Return the points that a side's face-up card may have, as bits.

    If it is not on record, it is one of the stakes in the side's word, or else any card of its deck.
    """
    if stake.card != UNKNOWN:
        return of_face(stake.card)
    return of_stakes(stakes) if stakes and UNKNOWN not in stakes else _of_deck(draft, stake.seat)


def may_be_even(draft: Draft) -> bool:
    """Say whether an open challenge may have no winner, because the face-up cards may have equal points."""
    _, ours, theirs = draft.due
    return bool(_of_stake(draft, ours, b"") & _of_stake(draft, theirs, b""))


def may_have_won(draft: Draft, due: Due, stakes: bytes = b"") -> bool:
    """Return whether the winner of a challenge, whom only a later word shows, may have had the higher face-up card.

    Args:
        draft: The draft before the word that is owed is carried out.
        due: That word, by which the loser or the winner puts away his stakes; if its ``rival`` is 0, the winner was
            known before, and the answer is True.
        stakes: The cards of that word, of which one lay face up; they count only if that card is not on record. If they
            are empty, it may have been any card of the deck.
    """
    if not due.rival:
        return True
    own = _of_stake(draft, due, stakes)
    if due.what == "back":
        return _highest(own) > _lowest(due.rival)
    return _highest(due.rival if due.rival != ANY else _of_deck(draft, due.other)) > _lowest(own)


def _highest(bits: int) -> int:
    """Return a number by which sets of points (bits) are compared by their highest: the higher it is, the larger; 0 for
    none.
    """
    return bits.bit_length()


def _lowest(bits: int) -> int:
    """Return a number by which sets of points (bits) are compared by their lowest, on the same scale as
    ``_highest``.
    """
    return (bits & -bits).bit_length()


# --- the words ---


def say_challenge(draft: Draft, move: Challenge) -> None:
    """Carry out the word that challenges a seat for a card of its area, and settle the challenge.

    A second challenge in a turn, or one of a seat that is out, is noted as a refusal and carried out all the same. If
    the face-up stakes do not show the winner, the next word must.

    Raises:
        BlockedError: The card does not lie there, a seat challenges itself, or a face-up stake cannot be one.
    """
    seat, target = move.seat, move.target
    if draft.flags & CHALLENGED:
        draft.refuse(CHALLENGE, f"p{draft.turn} has already challenged in this turn")
    elif target == seat:
        draft.refuse(CHALLENGE, f"p{seat} cannot challenge itself")
    elif not draft.marks.is_in(target):
        draft.refuse(CHALLENGE, f"p{target} is out")
    refuse_faces(draft, (seat, move.ours), (target, move.theirs))
    if target == seat or not draft.lies(target, move.spot):
        draft.block(IN_AREA, missing_card(target, move.spot)[1])
    draft.flags |= CHALLENGED if seat == draft.turn else 0
    draft.act = IDLE
    _compare(draft, seat, target, move.spot, move.ours, move.theirs)


def say_stakes(draft: Draft, move: Stakes, due: Due) -> None:
    """Carry out the word that sets down the stakes of a challenge that Judgment repeats, and settle the challenge.

    If the face-up stakes do not show the winner, the next word must.

    Raises:
        BlockedError: A face-up stake cannot be one.
    """
    refuse_faces(draft, (due.seat, move.ours), (due.other, move.theirs))
    use = due.use
    assert use is not None
    assert use.other is not None
    _compare(draft, move.seat, use.target, use.other, move.ours, move.theirs)


def _compare(draft: Draft, seat: int, target: int, spot: Spot, ours: int, theirs: int) -> None:
    """Set down the stakes of a challenge and compare them; if the winner is not known, the next word shows him.

    Args:
        draft: The draft, which changes.
        seat: The challenger.
        target: The defender.
        spot: The card that is challenged for.
        ours: The challenger's face-up stake, UNKNOWN if it is not on record.
        theirs: The defender's face-up stake, UNKNOWN if it is not on record.
    """
    winner = winner_of(draft, seat, target, ours, theirs)
    against = draft.marks.against
    if target != seat and draft.marks.is_in(target):
        against = (*against[: target - 1], (AGAIN_CHALLENGE, seat), *against[target:])
    draft.mark(against=against, strong=draft.marks.strong & ~(1 << seat | 1 << target))
    draft.act = replace(draft.act, doer=seat)
    set_down(draft, seat, ours)
    set_down(draft, target, theirs)
    stakes = (Due("stake", seat, target, 0, ours), Due("stake", target, seat, 0, theirs))
    if winner >= 0:
        conclude(draft, stakes, spot, winner)
        return
    # A stake that is not on record leaves the winner open: the next word shows it.
    use = Use(seat, UNKNOWN, 21, again=AGAIN_CHALLENGE, target=target, other=spot)
    draft.due = (Due("either", seat, target, use=use), *stakes)
    even = Draft(draft.frozen())
    conclude(even, stakes, spot, 0)
    draft.if_unanswered = even.frozen()
