"""What a seat may do next, as a sample: single cards are laid and discarded, Majors used in the plainest ways."""

from collections.abc import Iterator

from cartulary.engine.slots import UNKNOWN, is_slot
from cartulary.engine.tarot_duel import moves
from cartulary.engine.tarot_duel.cards import (
    COPIES,
    ITSELF,
    JUSTICE,
    KINDS,
    MAJOR,
    NOTHING,
    TEMPERANCE,
    blank,
    known_deck,
)
from cartulary.engine.tarot_duel.challenge import stakes_of
from cartulary.engine.tarot_duel.dues import overdue, words_skipped
from cartulary.engine.tarot_duel.reaction import may_answer
from cartulary.engine.tarot_duel.shuffles import settle
from cartulary.engine.tarot_duel.state import DRAWN, Due, State


def candidates(state: State) -> Iterator[moves.Move]:
    """Return an iterator of words worth judging, legal or not, in a fixed order; unknown cards are UNKNOWN in them.

    They are a sample: a legal word may be missing. Words that were skipped and may still come are the last.
    """
    if not words_skipped(state):
        return _sample_in_time(state)
    return iter(dict.fromkeys((*_sample_in_time(state), *_sample_late(state))))


def _sample_late(state: State) -> Iterator[moves.Move]:
    """Yield the words that were skipped and may still come, each as it would be in the state in which it is
    due again.
    """
    for at in range(len(words_skipped(state))):
        late = overdue(state, at)
        yield from _sample_loser(late) if late.due[0].what == "either" else _sample_due(late, late.due[0])


def _sample_in_time(state: State) -> Iterator[moves.Move]:
    """Yield Temperance where it may answer, then the words that are due or, if none is, the options of the turn.

    Nothing more than Temperance is yielded if the game has ended. While a reaction window is open, the words that use
    it come before those that let it close.
    """
    for seat in range(1, state.options.seats + 1):
        if may_answer(state, seat) and TEMPERANCE in state.sides[seat - 1].hand:
            yield moves.Nullify(seat, TEMPERANCE)
    if settle(state).outcome is not None:
        return
    if state.due and state.if_unanswered is not None:
        yield from _sample_loser(state) if state.due[0].what == "either" else _sample_due(state, state.due[0])
    now = state.if_unanswered if state.if_unanswered is not None else state
    if now.due:
        yield from _sample_due(now, now.due[0])
        return
    turn = now.turn
    if now.fresh or not now.flags & DRAWN:
        yield moves.Draw(turn, _top_cards(now, turn, 1))
        if now.fresh:
            return
    yield moves.End(turn)
    yield from _sample_hand(now, turn)
    for target in _others(now, turn):
        for spot in _spots(now, target):
            yield moves.Challenge(turn, target, spot, _face(now, turn), _face(now, target))
    for seat in _others(now, 0):
        if now.marks.ready[seat - 1]:
            for card in sorted(set(now.sides[seat - 1].pile)):
                yield from _uses(now, seat, card, True)


def _others(state: State, seat: int) -> Iterator[int]:
    """Yield the seats that are still in the game, in order, without ``seat``; 0 leaves none out."""
    return (
        opponent for opponent in range(1, state.options.seats + 1) if opponent != seat and state.marks.is_in(opponent)
    )


def _top_cards(state: State, seat: int, count: int) -> bytes:
    """Return the top cards of a seat's deck as a word names them, at most ``count``, fewer if the deck has fewer.

    They are UNKNOWN where they are not known, and all of them if the deck was shuffled and not named since.
    """
    loose = any(to == seat for to, _ in state.loose)
    deck = state.sides[seat - 1].deck[:count]
    return bytes(UNKNOWN if loose or code >= KINDS else code for code in deck)


def _as_written(zone: bytes) -> bytes:
    """Return the cards of a zone as words name them: UNKNOWN for unseen ones, and a card that stands for another as
    itself.
    """
    return bytes(UNKNOWN if is_slot(code) else ITSELF[code] for code in zone)


def _face(state: State, seat: int) -> int:
    """Return the face-up stake that a challenge names for a seat: UNKNOWN, or NOTHING if its deck is empty."""
    return UNKNOWN if state.sides[seat - 1].deck else NOTHING


def _spots(state: State, seat: int) -> Iterator[moves.Spot]:
    """Yield the cards of a seat's area as words name them.

    Face-up ones come first, by name and each name once; then face-down ones, by place from 1.
    """
    side = state.sides[seat - 1]
    yield from (moves.Spot("a", card) for card in sorted(set(_as_written(side.area)) - {UNKNOWN}))
    yield from (moves.Spot("a", at=at) for at in range(1, len(side.row) + 1))


def _sample_hand(state: State, seat: int) -> Iterator[moves.Move]:
    """Yield what the cards of a seat's hand allow: laying one suit card, discarding one card if it holds more than
    five, and using a Major.

    If a card of the hand is unknown, every suit card that it may be is tried.
    """
    hand = _as_written(state.sides[seat - 1].hand)
    names = sorted(set(hand) - {UNKNOWN})
    may = names + (_possible_suit_cards(state, seat, hand) if UNKNOWN in hand else [])
    for card in may:
        if card < MAJOR:
            yield moves.Lay(seat, bytes((card,)))
        if len(hand) > 5:
            yield moves.Discard(seat, bytes((card,)))
    for card in may:
        if card >= MAJOR:
            yield from _uses(state, seat, card, False)


def _possible_suit_cards(state: State, seat: int, hand: bytes) -> list[int]:
    """Return in order the suit cards, not named in the hand, that an unseen card of a seat may be by the deck rules.

    While the deck has blank cards, a suit card of which five are known is left out; otherwise none is.
    """
    deck = known_deck(state.options, state.unseen.revealed_cards[seat - 1], seat)
    full = 4 if blank(seat) in deck else 0
    return [card for card in range(MAJOR) if card not in hand and (deck.count(card) <= full or not full)]


def _uses(state: State, seat: int, card: int, justice: bool) -> Iterator[moves.Move]:
    """Yield uses of a Major with its plainest choices.

    There are none of the Empress, the Emperor and Temperance, of Justice by Justice, and of a card that is no Major.

    Args:
        state: The state.
        seat: The seat.
        card: The Major.
        justice: True if Justice, which lies ready, uses it from the discard pile.
    """
    number = card - MAJOR + 1
    if card in COPIES or card == TEMPERANCE or (justice and card == JUSTICE) or not MAJOR <= card < KINDS:
        return
    side = state.sides[seat - 1]
    if number in moves.OPPONENT_MAJORS and number != moves.LOVERS:
        for target in _others(state, seat):
            yield moves.Use(seat, card, number, justice, target=target, count=1 if number == 16 else None)
    elif number == moves.LOVERS:
        for target in _others(state, seat):
            for own in _spots(state, seat):
                yield from (
                    moves.Use(seat, card, number, justice, target=target, own=own, other=theirs)
                    for theirs in _spots(state, target)
                )
    elif number == moves.HERMIT:
        for own in _spots(state, seat):
            for target_card in sorted(set(_as_written(side.pile)) - {UNKNOWN}):
                yield moves.Use(seat, card, number, justice, own=own, other=moves.Spot("x", target_card))
    elif number == 21:
        yield from _repeats(state, seat, card, justice)
    elif number in (6, 17, 8):
        zone = side.deck if number == 8 else side.pile
        yield from (
            moves.Use(seat, card, number, justice, cards=bytes((name,)))
            for name in sorted(set(_as_written(zone)) - {UNKNOWN})
        )
    else:
        yield moves.Use(seat, card, number, justice)


def _repeats(state: State, seat: int, card: int, justice: bool) -> Iterator[moves.Move]:
    """Yield the uses of Judgment that repeat the last action against the seat.

    Nothing is yielded if there was none, or if it was the Lovers. ``card`` is the card that is used as Judgment, and
    ``justice`` is True if Justice uses it from the discard pile.
    """
    number, by = state.marks.against[seat - 1]
    target = 0 if number == moves.DEATH else by
    if number == moves.AGAIN_CHALLENGE:
        for spot in _spots(state, by):
            yield moves.Use(seat, card, 21, justice, number, by, other=spot)
    elif number and number != moves.LOVERS:
        yield moves.Use(seat, card, 21, justice, number, target, count=1 if number == 16 else None)


def _sample_loser(state: State) -> Iterator[moves.Move]:
    """Yield the words that show who has won an open challenge, from either side.

    These are stakes discarded or put back, by both, with their cards UNKNOWN, and any card that the defender may show
    as the one that was won.
    """
    due = state.due[0]
    for seat in (due.seat, due.other):
        if stakes_of(state, seat):
            yield moves.Discard(seat, bytes((UNKNOWN,)) * stakes_of(state, seat))
            yield moves.PutBack(seat, bytes((UNKNOWN,)) * stakes_of(state, seat))
    yield from (moves.Show(due.other, card) for card in range(KINDS))


def _sample_due(state: State, due: Due) -> Iterator[moves.Move]:
    """Yield words of the kind that is due: all of them for a coin, a die or an answer, else one in which known cards
    are named.
    """
    seat, kind = due.seat, due.what
    if kind == "coin":
        yield from (moves.Coin(0, True), moves.Coin(0, False))
    elif kind == "die":
        yield from (moves.Die(0, pips) for pips in range(1, 7))
    elif kind == "answer":
        yield from (moves.Answer(seat, True), moves.Answer(seat, False))
    elif kind == "choose":
        yield moves.Draw(seat, _top_cards(state, seat, 1))
        yield moves.Rob(seat, due.other)
    elif kind in ("pick", "look", "swap"):
        yield moves.Pick(0, due.other, _as_written(state.sides[due.other - 1].hand)[: due.count])
    elif kind == "draw":
        yield moves.Draw(seat, _top_cards(state, seat, due.count))
    elif kind == "mill":
        yield moves.Mill(seat, _top_cards(state, seat, due.count))
    else:
        yield from _sample_due_cards(state, due)


def _sample_due_cards(state: State, due: Due) -> Iterator[moves.Move]:
    """Yield due words that name several cards of the seat: a new hand, discards, a row, stakes, or a shown card.

    Most kinds bring one word; a card to be shown that is not known brings one word for every card.
    """
    seat, kind, side = due.seat, due.what, state.sides[due.seat - 1]
    stakes = bytes((due.card,)) + bytes((UNKNOWN,)) * (due.count - 1)
    if kind == "redraw":
        cards = _top_cards(state, seat, due.count)
        yield (
            moves.Redraw(seat, _as_written(side.hand), cards) if cards else moves.Discard(seat, _as_written(side.hand))
        )
    elif kind == "discard":
        yield moves.Discard(seat, _as_written(side.hand)[: due.count])
    elif kind == "row":
        yield moves.Row(seat, _as_written(side.row))
    elif kind == "stakes":
        yield moves.Stakes(seat, _face(state, seat), _face(state, due.other))
    elif kind == "show":
        won = UNKNOWN if due.late else _as_written(state.sides[due.other - 1].area)[-1]
        yield from (moves.Show(seat, card) for card in (range(KINDS) if won == UNKNOWN else (won,)))
    else:
        yield moves.Discard(seat, stakes) if kind == "lose" else moves.PutBack(seat, stakes)
