"""Tarot's cards that nobody wrote down: what they may be, which rules then bind, and who may have won their trick.

That a card was not written down breaks no rule; whether the card did is asked as of any other. These functions are used
only while a deal has such a card. In tricks its number ``n`` stands as ``~n``.

No readings are followed here. An unwritten card is one more place with room for one card, so all that it may have been
is one state of ``Hands``, and a question is answered by whether any layout fits. With three such cards among forty
unseen ones, readings would be 59,280 states of a deal; the layouts of one state answer the same exactly. Only where an
unwritten card decides who leads the next trick does ``split_by_leader`` part the state; ``engine.readings`` follows.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.cards.deck import DECK, SUIT, cards_of, set_of, suit_of
from cartulary.engine.cards.hands import holds, homes_by_counting, may_have_been, possible_cards, tell
from cartulary.engine.cards.hands import whereabouts as lies
from cartulary.engine.cards.layouts import Question, misfit
from cartulary.engine.cards.revokes import is_covered, still_open, verdict
from cartulary.engine.cards.revokes import pending as left_open
from cartulary.engine.cards.telling import tell_where
from cartulary.engine.cards.tricks import lay
from cartulary.engine.contract import NOTHING_PENDING, Breach, Clause, Need, Open, Pending, Refused
from cartulary.engine.numbers import how_many
from cartulary.engine.readings import GAP, ONLY_MOVE
from cartulary.engine.tarot.knowledge import (
    CALLED_SUIT,
    SEC,
    breach,
    hands,
    has_put_away,
    is_sec_proved,
    place_of,
    sec_breach,
    sec_proof_ply,
)
from cartulary.engine.tarot.state import NAMES, Move, Play, State, Unseen, list_cards, place_name, some_of
from cartulary.engine.tarot.tricks import (
    DEBTS,
    Trick,
    cards_if_won,
    conditional_debts,
    possible_winners,
    seat_at,
    winner,
)

MOST_FILLED = 1_000
"""The largest number of ways to name the unwritten cards of a deal that are tried, to see whether all score alike."""


class CardPlayed(Struct, frozen=True):
    """A card that is played, but not judged yet, in a deal with an unwritten one.

    Attributes:
        state: the state with the card played in its ``Hands`` alone; turn and trick are those before it.
        code: the card, ``~n`` for the unwritten card with number n.
        questions: the conditions for the card to be legal.
    """

    state: State
    code: int
    questions: tuple[Question, ...]


def with_last_winner(state: State, seat: int) -> State:
    """Return the state with what a lead shows: its seat has won the last trick, which limits the unwritten cards in it.

    ``seat`` is the seat that is about to play. The state stays as it is inside a trick, before the second one, if the
    last trick has no unwritten card, and if another seat than ``state.turn`` is about to play.
    """
    if state.trick_cards or not state.tricks or seat != state.turn or min(state.tricks[-1].cards) >= 0:
        return state
    trick = state.tricks[-1]
    at = next(at for at in range(len(trick.cards)) if seat_at(trick, at, state.options.seats) == seat)
    lets = cards_if_won(trick.cards, at, lambda card: possible_cards(state, card))
    for card, cards in zip(trick.cards, lets, strict=True):
        if card < 0 and cards:
            state = tell(state, ~card, cards, state.ply + 1)
    return state


def lay_card(state: State, move: Play) -> CardPlayed:
    """Return what is known once a card, written or not, has left its hand, and the conditions for it to be legal.

    Nothing is judged here, and no question is stored: the caller does both.
    """
    ply, place = state.ply + 1, move.seat - 1
    after, code = lay(with_last_winner(state, move.seat), place, move.card, ply)
    return CardPlayed(after, code, tuple(_questions(after, ply, place, code)))


def _questions(state: State, ply: int, place: int, code: int) -> Iterator[Question]:
    """Yield the conditions for a card to be legal: which cards its hand must not hold.

    ``state`` has the card played already; ``code`` is the card, ``~n`` for the unwritten card with number n.
    """
    unplayed = state.can[place] & ~state.played_cards
    king = state.round.called_card
    if code < 0 and king >= 0 and not state.tricks and not state.trick_cards:
        suit = SUIT[suit_of(king)] & ~(1 << king)
        if possible_cards(state, code) & suit:
            yield Question(ply, CALLED_SUIT, place, DECK, False, ((~code, suit),))
    for key, debt, conditions in conditional_debts(
        state.options.variant, state.trick_cards, code, lambda card: possible_cards(state, card)
    ):
        if debt & unplayed:
            by_number = tuple((~card, cards) for card, cards in conditions.items())
            yield Question(ply, key, place, debt & unplayed, False, by_number)


def answer_debt(key: str, state: State, move: Play, says: str) -> Refused | Open | None:
    """Return the answer of one rule about a card, from every deal that fits.

    Args:
        key: the rule: one of DEBTS, or CALLED_SUIT.
        state: the state before the card.
        move: the card.
        says: the end of a refusal that begins ``p2 holds 5H``; for CALLED_SUIT, the whole refusal.

    Returns:
        Refused if the card breaks the rule in every deal; Open if it does in some, not shown to people if earlier
        questions imply it; None if it keeps the rule or the rule asks nothing of it.
    """
    place = move.seat - 1
    attempt = lay_card(state, move)
    questions = [question for question in attempt.questions if question.key == key]
    badly = verdict(attempt.state, questions, exactly=True)
    if badly is False:
        return None
    cards = 0
    for question in questions:
        cards |= question.cards
    if badly:
        holding = attempt.state.sure[place] & cards or cards
        return Refused(f"p{move.seat} holds {list_cards(holding)}{says}" if key in DEBTS else says)
    need = Need(place_name(state.options, place), tuple(cards_of(cards)), state.ply + 1)
    return Open((need,), not is_covered(state, place, cards))


# --- which card it was ---


def _ask_for_card(state: State, move: Move) -> Open | None:
    """Return the open question which card an unwritten one (``Unseen``) was; None for any other word. It refuses
    nothing.
    """
    if type(move) is not Unseen:
        return None
    return Open((Need(place_name(state.options, move.seat - 1), (), state.ply + 1),))


UNWRITTEN_CARD: Clause[State, Move] = Clause(GAP.key, GAP.says, GAP.source, _ask_for_card)
"""The clause under which a card that nobody wrote down stays open."""


def forced_cards(state: State) -> dict[int, int]:
    """Return the card by ply of each unwritten card of this deal that can be only one, by counting.

    Example: ``{7: 30}`` if the card of ply 7 can only be card 30. Plies that stay open are left out.
    """
    may = (
        (unnamed_card.ply, unnamed_card.cards & state.can[unnamed_card.place]) for unnamed_card in state.unnamed_cards
    )
    return {ply: cards.bit_length() - 1 for ply, cards in may if cards.bit_count() == 1}


def identity_breaches(state: State, card_by_ply: dict[int, int]) -> tuple[Breach, ...]:
    """Return a breach of ``record.filled`` for each unwritten card that is known by now.

    That the card is known is no breach of the rules, but a breach is how a later ply reports on an earlier one.
    ``card_by_ply`` has the cards by the plies at which they were played.
    """
    return tuple(
        Breach((ply,), ONLY_MOVE.key, f"ply {ply} can only have been {NAMES[card]}", state.ply)
        for ply, card in card_by_ply.items()
    )


def possible_unwritten_cards(state: State) -> tuple[tuple[int, int, int], ...]:
    """Return (ply, seat, cards) of every card that nobody wrote down, with the cards that it may have been, as a set.

    Every deal that fits is tried. Those of earlier deals are included.
    """
    rows = (
        (unnamed_card.ply, unnamed_card.place + 1, may_have_been(state, number))
        for number, unnamed_card in enumerate(state.unnamed_cards)
    )
    return (*state.round.past.unwritten_cards, *rows)


def possible_plays(state: State, ply: int) -> tuple[Play, ...]:
    """Return the moves that the unwritten card of a ply may have been, by every deal that fits, in the order of the
    cards.

    () if the card of that ply was written, or if no card was played at it.
    """
    return tuple(
        Play(seat, card) for at, seat, cards in possible_unwritten_cards(state) if at == ply for card in cards_of(cards)
    )


def unwritten_text(state: State, ply: int) -> str:
    """Return how many cards an unwritten one may have been, as a sentence without a full stop.

    ``ply 5 was not written, and 3 cards fit everything that follows``.
    """
    many = len(possible_plays(state, ply))
    return f"ply {ply} was not written, and {how_many(many)} {'fits' if many == 1 else 'fit'} everything that follows"


# --- who has won ---


def may_lead(state: State, trick: Trick) -> tuple[int, ...]:
    """Return the seats that may have won a whole trick, in the order they played.

    There is at least one: the seat that led, if no card that the trick may have held can win it.
    """
    won = possible_winners(trick.cards, lambda card: possible_cards(state, card))
    return tuple(seat_at(trick, at, state.options.seats) for at in won) or (trick.leader,)


def split_by_leader(state: State) -> tuple[int, tuple[State, ...]]:
    """Return the ply that decides who has won the last trick, and the state for each seat that may lead.

    Return 0 and no states if only one seat may lead. It is a function for ``Rules.apart``.
    """
    if not state.unnamed_cards or state.trick_cards or not state.tricks:
        return 0, ()
    trick = state.tricks[-1]
    leads = may_lead(state, trick) if min(trick.cards) < 0 else ()
    if len(leads) < 2:
        return 0, ()
    ply = max(state.unnamed_cards[~card].ply for card in trick.cards if card < 0)
    return ply, tuple(replace(state, turn=seat) for seat in leads)


def filled_deals(state: State) -> Iterator[State | None]:
    """Yield, for each way to name the unwritten cards of a deal played to its end, the state with these names.

    None stands for a way in which somebody led a trick without having won the one before, although other ways let him
    win it.

    Source: ``tarot.play-turn``.
    """
    may = [may_have_been(state, number) for number in range(len(state.unnamed_cards))]
    seats, turning = state.options.seats, tricks_in_question(state)
    for cards in _choices(may, ()):
        won = all(seat_at(trick, winner(with_names(trick, cards).cards), seats) == seat for trick, seat in turning)
        yield with_cards(state, cards) if won else None


def _choices(may: Sequence[int], cards: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every way to choose one card of each set (bits), no card twice, in the order of the sets.

    ``cards`` are those chosen so far; a caller begins with ().
    """
    if len(cards) == len(may):
        yield cards
        return
    for card in cards_of(may[len(cards)]):
        if card not in cards:
            yield from _choices(may, (*cards, card))


def with_names(trick: Trick, cards: Sequence[int]) -> Trick:
    """Return a trick with its unwritten cards named; ``cards`` has the cards by the number ``n`` of ``~n``."""
    return Trick(trick.leader, tuple(card if card >= 0 else cards[~card] for card in trick.cards))


def tricks_in_question(state: State) -> tuple[tuple[Trick, int], ...]:
    """Return (trick, seat that led the next) for each trick with an unwritten card that this seat may have won.

    The last trick is left out, since no lead follows it.
    """
    pairs = zip(state.tricks, state.tricks[1:], strict=False)
    return tuple(
        (trick, after.leader)
        for trick, after in pairs
        if min(trick.cards) < 0 and after.leader in may_lead(state, trick)
    )


def with_cards(state: State, cards: Sequence[int]) -> State:
    """Return the state as if its unwritten cards had been written as these, in the order of ``unnamed_cards``."""
    sure, played_cards = list(state.sure), state.played_cards
    for unnamed_card, card in zip(state.unnamed_cards, cards, strict=True):
        sure[unnamed_card.place] |= 1 << card
        played_cards |= 1 << card
    tricks = tuple(with_names(trick, cards) for trick in state.tricks)
    return replace(state, sure=tuple(sure), played_cards=played_cards, tricks=tricks, unnamed_cards=())


# --- answers about hidden cards, exactly, from every deal that fits ---


def exact(state: State, question: Open) -> Refused | Open | None:
    """Return the answer to a question from every deal that fits, if the clause has only counted.

    A question of the petit sec is returned as it is, and so is one about hidden hands outside the phases ``call`` and
    ``play``.

    Args:
        state: the state in which it is answered, with all that is known.
        question: the question.

    Returns:
        The question with the needs that are still open; Refused if the ply broke the rule; None if it did not. In a
        deal with unwritten cards a breach is reported elsewhere, so there the answer is the question or None.
    """
    if question.clause.key == GAP.key:
        ply = question.needs[0].ply
        return question if ply > state.ply or len(possible_plays(state, ply)) != 1 else None
    if question.clause.key == SEC or state.phase not in ("call", "play"):
        return question
    if state.unnamed_cards:
        ply = question.needs[0].ply
        pending_here = any(question.ply == ply for question in state.questions)
        return None if pending_here and not still_open(state, ply, question.clause.key) else question
    if misfit(state.places, homes_by_counting(state)):
        return question
    open_needs: tuple[Need, ...] = ()
    for need in question.needs:
        place, cards = place_of(state.options, need), set_of(need.slots)
        holding = holds(state, place, cards)
        if holding:
            return Refused(f"{holder_text(state, place)} {some_of(cards & state.can[place])} in every deal that fits")
        if holding is None:
            open_needs += (need,)
    return Open(open_needs, question.asks, question.clause) if open_needs else None


def holder_text(state: State, place: int) -> str:
    """Return the holder of a place with a verb, for the beginning of a sentence: ``p2 holds``.

    Cards aside are ``the chien holds``, or ``p4 has put away`` once the taker p4 has made his discards.
    """
    if place != state.options.aside:
        return f"p{place + 1} holds"
    return f"p{state.round.taker} has put away" if has_put_away(state) else "the chien holds"


def tell_need(state: State, need: Need) -> str:
    """Return what is known by now of the cards that a question turns on: ``p2 may have held 5H or 6H``.

    A need without cards asks which card an unwritten one was. The text is empty for a question of an earlier deal.
    """
    if not need.slots:
        return unwritten_text(state, need.ply)
    if need.ply <= state.round.since:
        return ""
    place, cards = place_of(state.options, need), set_of(need.slots)
    now = hands(state)
    sure, may = now.sure[place] & cards, now.can[place] & cards
    sure = 0 if state.unnamed_cards else sure
    holder, verbs = need.place, ("held", "may have held", "held none of them")
    if place == state.options.aside:
        holder = "the chien"
        if has_put_away(state) and need.ply == state.round.call_ply:
            # The hand it was called from is the one dealt, so that what he put away says nothing of it.
            chien, taker = state.round.chien, state.round.taker - 1
            sure = cards & set_of(card for card in chien if card >= 0)
            may = 0 if chien and min(chien) >= 0 else cards & (state.can[taker] | state.can[place])
        elif has_put_away(state):
            holder, verbs = f"p{state.round.taker}", ("put away", "may have put away", "put away none of them")
    if sure:
        return f"{holder} {verbs[0]} {list_cards(sure)}"
    return f"{holder} {verbs[1]} {list_cards(may, 'or')}" if may else f"{holder} {verbs[2]}"


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of all cards that nobody has played by name, in words; every deal that fits is tried.

    Example: ``("5H, 6H", "with p2 or in the discards")``. Cards that may lie in the same places make one line.
    """
    aside = "in the discards" if has_put_away(state) else "in the chien"
    names = [*(f"p{seat}" for seat in range(1, state.options.seats + 1)), aside]
    names += (f"the card of ply {unnamed_card.ply}" for unnamed_card in state.unnamed_cards)
    return tell_where(lies(hands(state)), NAMES, names, state.options.seats)


def pending(state: State) -> Pending:
    """Return the open questions and the breaches that are proved if the record ends here; exact.

    The questions that earlier deals left open come first, the unwritten cards of this deal last.
    """
    if not state.questions and not state.sec and not state.unnamed_cards:
        return Pending(state.round.past.questions) if state.round.past.questions else NOTHING_PENDING
    gaps = tuple(
        (ply, GAP.key)
        for ply, _, cards in possible_unwritten_cards(state)
        if ply > state.round.since and cards.bit_count() != 1
    )
    late = [
        sec_breach(question, sec_proof_ply(state, question))
        for question in state.sec
        if is_sec_proved(state, question.place, None)
    ]
    still, evidence = left_open(state, state.ply)
    return Pending((*state.round.past.questions, *still, *gaps), (*late, *[breach(state, item) for item in evidence]))
