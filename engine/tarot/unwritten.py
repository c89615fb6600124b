"""Tarot's cards that nobody wrote down: what they may be, what is owed under that, and who may have won their trick.

Such a card breaks no rule by itself; whether it did is asked like of any other. Only while there is one in a deal are
these functions asked. In tricks its number ``n`` stands as ``~n``.

No readings are followed here. An unwritten card is one more place with room for one card, so all that it may have been
is one state of ``Hands``, and a question is answered by whether any layout fits. With three such cards among forty
unseen ones, readings would be 59,280 states of a deal; the layouts of one state answer the same exactly. Only where an
unwritten card decides who leads the next trick does ``led_by_each`` part the state, and ``engine.readings`` follows.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.cards.deck import DECK, SUIT, cards_of, set_of, suit_of
from cartulary.engine.cards.hands import holds, lying, may_be, may_have_been, tell
from cartulary.engine.cards.hands import whereabouts as lies
from cartulary.engine.cards.layouts import Question, misfit
from cartulary.engine.cards.revokes import covered, still_open, verdict
from cartulary.engine.cards.revokes import pending as left_open
from cartulary.engine.cards.telling import tell_where
from cartulary.engine.cards.tricks import lay
from cartulary.engine.contract import NOTHING_PENDING, Breach, Clause, Need, Open, Pending, Refused
from cartulary.engine.numbers import how_many
from cartulary.engine.readings import FILLED, GAP
from cartulary.engine.tarot.knowledge import (
    CALLED_SUIT,
    SEC,
    breach,
    hands,
    place_of,
    put_away,
    sec_breach,
    sec_by,
    sec_decided,
)
from cartulary.engine.tarot.state import NAMES, Move, Play, State, Unseen, joined, place_name, some_of
from cartulary.engine.tarot.tricks import DEBTS, Trick, lets_win, may_win, owing, seat_at, winner

MOST_FILLED = 1_000
"""In how many ways the unwritten cards of a deal are named at most, to see whether all give the same score."""


class CardPlayed(Struct, frozen=True):
    """A card that is played, but not judged yet, in a deal with an unwritten one.

    Attributes:
        state: the state with the card played in its ``Hands`` alone; turn and trick are those before it.
        code: the card as a trick has it.
        questions: the conditions for the card to be legal.
    """

    state: State
    code: int
    questions: tuple[Question, ...]


def gone_on(state: State, seat: int) -> State:
    """Return the state once it is seen who leads to a trick, and so who has won the last one."""
    if state.laid or not state.tricks or seat != state.turn or min(state.tricks[-1].cards) >= 0:
        return state
    trick = state.tricks[-1]
    at = next(at for at in range(len(trick.cards)) if seat_at(trick, at, state.options.seats) == seat)
    lets = lets_win(trick.cards, at, lambda card: may_be(state, card))
    for card, cards in zip(trick.cards, lets, strict=True):
        if card < 0 and cards:
            state = tell(state, ~card, cards, state.ply + 1)
    return state


def play_card(state: State, move: Play) -> CardPlayed:
    """Return what a card played comes to, before it is judged."""
    ply, place = state.ply + 1, move.seat - 1
    after, code = lay(gone_on(state, move.seat), place, move.card, ply)
    return CardPlayed(after, code, tuple(_questions(after, ply, place, code)))


def _questions(state: State, ply: int, place: int, code: int) -> Iterator[Question]:
    unplayed = state.can[place] & ~state.played
    king = state.round.called
    if code < 0 and king >= 0 and not state.tricks and not state.laid:
        suit = SUIT[suit_of(king)] & ~(1 << king)
        if may_be(state, code) & suit:
            yield Question(ply, CALLED_SUIT, place, DECK, False, ((~code, suit),))
    for key, debt, conditions in owing(state.options.variant, state.laid, code, lambda card: may_be(state, card)):
        if debt & unplayed:
            by_number = tuple((~card, cards) for card, cards in conditions.items())
            yield Question(ply, key, place, debt & unplayed, False, by_number)


def answer_debt(key: str, state: State, move: Play, says: str) -> Refused | Open | None:
    """Return the answer of one rule about a card, from every deal that fits."""
    place = move.seat - 1
    attempt = play_card(state, move)
    questions = [question for question in attempt.questions if question.key == key]
    badly = verdict(attempt.state, questions, exactly=True)
    if badly is False:
        return None
    cards = 0
    for question in questions:
        cards |= question.cards
    if badly:
        holding = attempt.state.sure[place] & cards or cards
        return Refused(f"p{move.seat} holds {joined(holding)}{says}" if key in DEBTS else says)
    need = Need(place_name(state.options, place), tuple(cards_of(cards)), state.ply + 1)
    return Open((need,), not covered(state, place, cards))


# --- which card it was ---


def _unseen(state: State, move: Move) -> Open | None:
    if type(move) is not Unseen:
        return None
    return Open((Need(place_name(state.options, move.seat - 1), (), state.ply + 1),))


UNWRITTEN_CARD: Clause[State, Move] = Clause(GAP.key, GAP.says, GAP.source, _unseen)
"""What keeps a card open that nobody wrote down."""


def forced_cards(state: State) -> dict[int, int]:
    """Return the cards that unwritten ones can only have been, by ply; by counting."""
    may = ((unnamed_card.ply, unnamed_card.cards & state.can[unnamed_card.place]) for unnamed_card in state.unnamed)
    return {ply: cards.bit_length() - 1 for ply, cards in may if cards.bit_count() == 1}


def now_known(state: State, card_by_ply: dict[int, int]) -> tuple[Breach, ...]:
    """Return as breaches what is now known of cards that nobody wrote down, given the card by ply."""
    return tuple(
        Breach((ply,), FILLED.key, f"ply {ply} can only have been {NAMES[card]}", state.ply)
        for ply, card in card_by_ply.items()
    )


def may_all_have_been(state: State) -> tuple[tuple[int, int, int], ...]:
    """Return (ply, seat, cards) of every card nobody wrote down, with those that it may have been; exact."""
    rows = (
        (unnamed_card.ply, unnamed_card.place + 1, may_have_been(state, number))
        for number, unnamed_card in enumerate(state.unnamed)
    )
    return (*state.round.past.unwritten, *rows)


def may_have_played(state: State, ply: int) -> tuple[Play, ...]:
    """Return the cards that a card nobody wrote down may have been."""
    return tuple(
        Play(seat, card) for at, seat, cards in may_all_have_been(state) if at == ply for card in cards_of(cards)
    )


def tell_unwritten(state: State, ply: int) -> str:
    """Return in a sentence how much is known of a card nobody wrote down."""
    many = len(may_have_played(state, ply))
    return f"ply {ply} was not written, and {how_many(many)} {'fits' if many == 1 else 'fit'} everything that follows"


# --- who has won ---


def may_lead(state: State, trick: Trick) -> tuple[int, ...]:
    """Return the seats that may have won a whole trick, in their order from its leader; at least one."""
    won = may_win(trick.cards, lambda card: may_be(state, card))
    return tuple(seat_at(trick, at, state.options.seats) for at in won) or (trick.leader,)


def led_by_each(state: State) -> tuple[int, tuple[State, ...]]:
    """Return a ply nobody wrote on which it turns who has won the last trick, and the state as each of them leads."""
    if not state.unnamed or state.laid or not state.tricks:
        return 0, ()
    trick = state.tricks[-1]
    leads = may_lead(state, trick) if min(trick.cards) < 0 else ()
    if len(leads) < 2:
        return 0, ()
    ply = max(state.unnamed[~card].ply for card in trick.cards if card < 0)
    return ply, tuple(replace(state, turn=seat) for seat in leads)


def ways_filled(state: State) -> Iterator[State | None]:
    """Yield a deal whose last card is played with the cards that its unwritten ones may have been, in every way.

    None where somebody led a trick who then had not won the one before, and may have. Source: ``tarot.play-turn``.
    """
    may = [may_have_been(state, number) for number in range(len(state.unnamed))]
    seats, turning = state.options.seats, tricks_in_question(state)
    for cards in _chosen(may, ()):
        won = all(seat_at(trick, winner(with_names(trick, cards).cards), seats) == seat for trick, seat in turning)
        yield with_cards(state, cards) if won else None


def _chosen(may: Sequence[int], cards: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to choose a card of each set, all of them different."""
    if len(cards) == len(may):
        yield cards
        return
    for card in cards_of(may[len(cards)]):
        if card not in cards:
            yield from _chosen(may, (*cards, card))


def with_names(trick: Trick, cards: Sequence[int]) -> Trick:
    """Return a trick with the cards its unwritten ones were; cards: by number."""
    return Trick(trick.leader, tuple(card if card >= 0 else cards[~card] for card in trick.cards))


def tricks_in_question(state: State) -> tuple[tuple[Trick, int], ...]:
    """Return the tricks that unwritten cards decide, each with who led the next, where he may have won it."""
    pairs = zip(state.tricks, state.tricks[1:], strict=False)
    return tuple(
        (trick, after.leader)
        for trick, after in pairs
        if min(trick.cards) < 0 and after.leader in may_lead(state, trick)
    )


def with_cards(state: State, cards: Sequence[int]) -> State:
    """Return the state with the cards that its unwritten ones were, played by name."""
    sure, played_cards = list(state.sure), state.played
    for unnamed_card, card in zip(state.unnamed, cards, strict=True):
        sure[unnamed_card.place] |= 1 << card
        played_cards |= 1 << card
    tricks = tuple(with_names(trick, cards) for trick in state.tricks)
    return replace(state, sure=tuple(sure), played=played_cards, tricks=tricks, unnamed=())


# --- answers about hidden cards, exactly, from every deal that fits ---


def exact(state: State, opened: Open) -> Refused | Open | None:
    """Return the answer to a question from every deal that fits, where the clause has only counted.

    A question of the discards stays open: where they lie is not known before they are put away.
    """
    if opened.clause.key == GAP.key:
        ply = opened.needs[0].ply
        return opened if ply > state.ply or len(may_have_played(state, ply)) != 1 else None
    if opened.clause.key == SEC or state.phase not in ("call", "play"):
        return opened
    if state.unnamed:
        ply = opened.needs[0].ply
        pending_here = any(question.ply == ply for question in state.questions)
        return None if pending_here and not still_open(state, ply, opened.clause.key) else opened
    if misfit(state.places, lying(state)):
        return opened
    open_needs: tuple[Need, ...] = ()
    for need in opened.needs:
        place, cards = place_of(state.options, need), set_of(need.slots)
        holding = holds(state, place, cards)
        if holding:
            return Refused(f"{place_said(state, place)} {some_of(cards & state.can[place])} in every deal that fits")
        if holding is None:
            open_needs += (need,)
    return Open(open_needs, opened.asks, opened.clause) if open_needs else None


def place_said(state: State, place: int) -> str:
    """Return who a place makes the holder: ``p2 holds``, ``p4 has put away``."""
    if place != state.options.aside:
        return f"p{place + 1} holds"
    return f"p{state.round.taker} has put away" if put_away(state) else "the chien holds"


def tell_need(state: State, need: Need) -> str:
    """Say what is known by now of the cards a question turns on; nothing once their deal is over."""
    if not need.slots:
        return tell_unwritten(state, need.ply)
    if need.ply <= state.round.since:
        return ""
    place, cards = place_of(state.options, need), set_of(need.slots)
    now = hands(state)
    sure, may = now.sure[place] & cards, now.can[place] & cards
    sure = 0 if state.unnamed else sure
    holder, verbs = need.place, ("held", "may have held", "held none of them")
    if place == state.options.aside:
        holder = "the chien"
        if put_away(state) and need.ply == state.round.named:
            # The hand it was called from is the one dealt, so that what he put away says nothing of it.
            chien, taker = state.round.chien, state.round.taker - 1
            sure = cards & set_of(card for card in chien if card >= 0)
            may = 0 if chien and min(chien) >= 0 else cards & (state.can[taker] | state.can[place])
        elif put_away(state):
            holder, verbs = f"p{state.round.taker}", ("put away", "may have put away", "put away none of them")
    if sure:
        return f"{holder} {verbs[0]} {joined(sure)}"
    return f"{holder} {verbs[1]} {joined(may, 'or')}" if may else f"{holder} {verbs[2]}"


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of all cards nobody has played, cards alike in one line, the fewest first; exact."""
    aside = "in the discards" if put_away(state) else "in the chien"
    names = [*(f"p{seat}" for seat in range(1, state.options.seats + 1)), aside]
    names += (f"the card of ply {unnamed_card.ply}" for unnamed_card in state.unnamed)
    return tell_where(lies(hands(state)), NAMES, names, state.options.seats)


def pending(state: State) -> Pending:
    """Return what is open and what is proved if the record ends here."""
    if not state.questions and not state.sec and not state.unnamed:
        return Pending(state.round.past.questions) if state.round.past.questions else NOTHING_PENDING
    gaps = tuple(
        (ply, GAP.key)
        for ply, _, cards in may_all_have_been(state)
        if ply > state.round.since and cards.bit_count() != 1
    )
    late = [
        sec_breach(question, sec_decided(state, question))
        for question in state.sec
        if sec_by(state, question.place, None)
    ]
    still, evidence = left_open(state, state.ply)
    return Pending((*state.round.past.questions, *still, *gaps), (*late, *[breach(state, item) for item in evidence]))
