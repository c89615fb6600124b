"""Tarot's tricks: the clauses that judge a card played, and the poignée shown before the first."""

from cartulary.engine.cards.deck import FOOL, SUIT, TRUMPS, cards_of, higher_trumps, set_of, suit_of
from cartulary.engine.cards.hands import cards_left, may_hold
from cartulary.engine.contract import Clause, Need, Open, Refused, clause
from cartulary.engine.numbers import how_many
from cartulary.engine.tarot.bidding import COURTS
from cartulary.engine.tarot.knowledge import cards_without_room, owes_discards, question
from cartulary.engine.tarot.state import (
    NAMES,
    PAGE,
    POIGNEES,
    Discard,
    Move,
    Play,
    Poignee,
    State,
    Unseen,
    list_cards,
    of_fft,
    on_page,
    place_name,
    section,
)
from cartulary.engine.tarot.tricks import debts, highest_trump
from cartulary.engine.tarot.unwritten import answer_debt, with_last_winner

_JEU = "Le jeu de la carte"


@clause(
    "tarot.play-turn",
    {
        "dementlieu": "The seat after the dealer leads, then the winner of each trick; the others play in turn.",
        "fft": (
            "The seat after the dealer, or the one that called a chelem, leads first, then the winner of each"
            " trick; the others play in turn."
        ),
    },
    {"dementlieu": PAGE, "fft": section(f"{_JEU}; Le chelem")},
)
def play_turn(state: State, move: Move) -> Refused | None:
    """Return the refusal of a card of a seat that is not to play; None for any other.

    It blocks if the seat has played to this trick already, or cannot have the card.
    """
    if not isinstance(move, Play) or state.phase != "play" or move.seat == state.turn:
        return None
    blocks = move.seat in state.trick_seats or in_hand.check(state, move) is not None
    return Refused(f"It is p{state.turn}'s turn, not p{move.seat}'s", blocks)


@clause(
    "tarot.in-hand",
    "A seat plays a card from its hand, never one that was played or is known to be elsewhere.",
    on_page(_JEU),
)
def in_hand(state: State, move: Move) -> Refused | None:
    """Return the refusal of a card that cannot be in the hand, or of an unwritten card of an empty hand; it blocks.

    Discards that the taker cannot have are refused too. None if nothing is wrong, and for other words.
    """
    if isinstance(move, Discard):
        return _in_pool(state, move)
    if not isinstance(move, Play):
        return None
    card, place = move.card, move.seat - 1
    if card < 0:
        none = state.phase == "play" and not cards_left(state, place)
        return Refused(f"p{move.seat} has no card left", blocks=True) if none else None
    if state.played_cards >> card & 1:
        return Refused(f"{NAMES[card]} has been played already", blocks=True)
    if state.phase != "play":
        return None
    if state.unnamed_cards and not may_hold(with_last_winner(state, move.seat), place, 1 << card):
        return Refused(f"{NAMES[card]} is not in p{move.seat}'s hand", blocks=True)
    if state.can[place] >> card & 1:
        return None
    for holder, cards in enumerate(state.sure):
        if cards >> card & 1:
            where = "is in the chien or the discards" if holder == state.options.aside else f"is p{holder + 1}'s"
            return Refused(f"{NAMES[card]} is not in p{move.seat}'s hand: it {where}", blocks=True)
    return Refused(f"{NAMES[card]} is not in p{move.seat}'s hand", blocks=True)


def _in_pool(state: State, move: Discard) -> Refused | None:
    """Return the refusal of discards that, by what is known, cannot lie in the taker's hand or the chien.

    One may be impossible by itself, or all of them together for want of room. None for any other discards and for
    unnamed cards. Nothing is checked, and the answer is None, if the taker owes no discards.
    """
    if not owes_discards(state):
        return None
    away = set_of(card for card in move.cards if card >= 0)
    taker = move.seat - 1
    missing = away & (state.played_cards | ~(state.can[taker] | state.can[state.options.aside]))
    if missing:
        return Refused(f"p{move.seat} does not hold {list_cards(missing, 'or')}", blocks=True)
    crowding = cards_without_room(state, taker, away)
    return Refused(f"p{move.seat}'s hand has no room for {list_cards(crowding)}", blocks=True) if crowding else None


@clause(
    "tarot.called-suit",
    {
        "fft": (
            "With five seats, the seat that leads to the first trick may lead the suit of the called card only with"
            " that card."
        ),
    },
    of_fft("Le jeu à 5"),
)
def called_suit(state: State, move: Move) -> Refused | Open | None:
    """Return the refusal of a lead to the first trick in the suit of the called card, unless it is that card; it may
    stand.

    An Open if the card led was not written down and may be such a card; None if nothing is wrong, and for other words.
    """
    king = state.round.called_card
    if king < 0 or state.tricks or state.trick_cards or not isinstance(move, Play) or state.phase != "play":
        return None
    if type(move) is Unseen:
        says = f"{NAMES[king]} is called, but another card of its suit is led to the first trick"
        return answer_debt(called_suit.key, state, move, says)
    if move.card == king or suit_of(move.card) != suit_of(king):
        return None
    return Refused(f"{NAMES[king]} is called, but {NAMES[move.card]} of its suit is led to the first trick")


def _answer_rule(key: str, state: State, move: Move, says: str) -> Refused | Open | None:
    """Return the answer of one rule about a card: Refused, Open if hidden cards decide it, or None.

    None says that the rule is kept or does not apply, as for the last card of a hand.

    Args:
        key: the rule, one of DEBTS.
        state: the state before the card.
        move: the word; any that is no card keeps the rule.
        says: the end of a refusal that begins ``p2 holds 5H``.

    Returns:
        Refused if the hand surely holds a card that it should have played; Open if it may hold one; None if it holds
        none, the rule does not apply, or the card is the last of the hand.
    """
    place = move.seat - 1
    if not isinstance(move, Play) or state.phase != "play" or cards_left(state, place) == 1:
        return None
    if state.unnamed_cards or type(move) is Unseen:
        return answer_debt(key, state, move, says)
    for name, due in debts(state.options.variant, state.trick_cards, move.card):
        if name != key:
            continue
        unplayed = due & ~state.played_cards
        holds = state.sure[place] & unplayed
        if holds:
            return Refused(f"p{move.seat} holds {list_cards(holds)}{says}")
        possible = state.can[place] & unplayed
        return question(state, place, possible) if possible else None
    return None


@clause(
    "tarot.follow-suit",
    {
        "dementlieu": "A player who has a card of the suit led must play one, or any trump, or the fool.",
        "fft": "A player who has a card of the suit led must play one, or the fool.",
    },
    on_page(_JEU),
)
def follow_suit(state: State, move: Move) -> Refused | Open | None:
    """Return the refusal of another suit while the hand surely holds the suit led; it may stand.

    An Open if it may hold one; None if it holds none or the rule does not apply, as for the fool.
    """
    return _answer_rule("tarot.follow-suit", state, move, ", and must follow suit")


@clause(
    "tarot.must-trump",
    {"fft": "A player who has no card of the suit led must play a trump if he has one, or the fool."},
    of_fft(_JEU),
)
def must_trump(state: State, move: Move) -> Refused | Open | None:
    """Return the refusal of a card that is neither of the suit led nor a trump while the hand surely holds a trump.

    It may stand. An Open if the hand may hold one; None if it holds none or the rule does not apply.
    """
    return _answer_rule("tarot.must-trump", state, move, ", but plays neither the suit led nor a trump")


@clause("tarot.trump-led", "When a trump is led, a player who has a trump must play one, or the fool.", on_page(_JEU))
def trump_led(state: State, move: Move) -> Refused | Open | None:
    """Return the refusal of a suit card on a trump led while the hand surely holds a trump; it may stand.

    An Open if it may hold one; None if it holds none or the rule does not apply.
    """
    return _answer_rule("tarot.trump-led", state, move, ", and must play a trump on the trump led")


@clause(
    "tarot.overtrump",
    {
        "dementlieu": "When a trump was led, a player who plays a trump must play one above the highest in the trick,"
        " if he can.",
        "fft": "A player who plays a trump must play one above the highest in the trick, if he can.",
    },
    on_page(_JEU),
)
def overtrump(state: State, move: Move) -> Refused | Open | None:
    """Return the refusal of a trump below the highest in the trick while the hand surely holds a higher one; it may
    stand.

    An Open if it may hold one; None if it holds none or the rule does not apply.
    """
    highest = highest_trump(state.trick_cards)
    above = "" if highest is None else f" above {NAMES[highest]}"
    return _answer_rule("tarot.overtrump", state, move, f"{above}, and must overtrump")


# --- poignées ---


def poignee_value(seats: int, count: int) -> int:
    """Return the points of a poignée of ``count`` trumps: 20, 30 or 40; 0 if there is none of that size at so many
    seats.
    """
    sizes = POIGNEES[seats]
    return 20 + 10 * sizes.index(count) if count in sizes else 0


@clause(
    "tarot.poignee-size",
    {
        "fft": (
            "A poignée is 10, 13 or 15 trumps (with three seats 13, 15 or 18, with five 8, 10 or 13); the fool counts"
            " only when no other trump is kept back."
        ),
    },
    of_fft("La Poignée"),
)
def poignee_size(state: State, move: Move) -> Refused | Open | None:
    """Return the refusal of a poignée of another size, with a suit card, or with the fool while a trump is kept back.

    It may stand. An Open if it shows the fool and a trump may be kept back. None if nothing is wrong, and for a poignée
    before the play or after the seat's first card, which another rule refuses.
    """
    if not isinstance(move, Poignee) or _is_late_poignee(state, move):
        return None
    trumps = set_of(move.cards)
    strays = trumps & ~(TRUMPS | 1 << FOOL)
    if strays:
        return Refused(f"The poignée shows {list_cards(strays)}, expected only trumps")
    if not poignee_value(state.options.seats, len(move.cards)) or trumps.bit_count() != len(move.cards):
        *sizes, largest = POIGNEES[state.options.seats]
        expected = f"{', '.join(map(str, sizes))} or {largest}"
        return Refused(f"The poignée has {how_many(trumps.bit_count(), 'trump')}, expected {expected}")
    if not trumps >> FOOL & 1:
        return None
    place, back = move.seat - 1, TRUMPS & ~trumps & ~state.played_cards
    again = 0 if _kings_elsewhere(state, place) else _trumps_put_away(state, move)
    back_cards = back & (state.sure[place] | again)
    if back_cards:
        return Refused(f"T00 counts in the poignée, but p{move.seat} keeps back {list_cards(back_cards)}")
    possible = state.can[place] & back
    return question(state, place, possible) if possible else None


@clause(
    "tarot.poignee-held",
    {
        "fft": (
            "The trumps of a poignée are in the hand; if a taker with four kings and 15 trumps had to put a trump away,"
            " that trump counts too."
        ),
    },
    of_fft("La Poignée"),
)
def poignee_held(state: State, move: Move) -> Refused | Open | None:
    """Return the refusal of a poignée with trumps that the hand cannot hold, or has no room for.

    A trump that the taker put away may be shown only if he has all four kings: it is refused if he cannot have them,
    and left Open if another seat may hold one. None if nothing is wrong, and for a poignée before the play or after the
    seat's first card, which ``phase`` refuses.
    """
    if not isinstance(move, Poignee) or _is_late_poignee(state, move):
        return None
    place, trumps = move.seat - 1, set_of(move.cards)
    again = trumps & _trumps_put_away(state, move)
    missing = trumps & ~(state.can[place] & ~state.played_cards) & ~again
    if missing:
        return Refused(f"p{move.seat} does not hold {list_cards(missing, 'or')}")
    crowding = cards_without_room(state, place, trumps)
    if crowding:
        return Refused(f"p{move.seat}'s hand has no room for {list_cards(crowding)}")
    if not again:
        return None
    lacking = COURTS[13] & ~(state.can[place] | state.can[state.options.aside])
    if lacking:
        return Refused(
            f"p{move.seat} shows {list_cards(again)}, which it put away, but does not hold {list_cards(lacking)}"
        )
    needs = tuple(
        Need(place_name(state.options, holder), tuple(cards_of(kings)), state.ply + 1)
        for holder, kings in _kings_elsewhere(state, place).items()
    )
    return Open(needs) if needs else None


def _kings_elsewhere(state: State, place: int) -> dict[int, int]:
    """Return {place: kings that may lie there} for the hands of the other seats, as bits; hands without any are left
    out.
    """
    kings_of = {holder: state.can[holder] & COURTS[13] for holder in range(state.options.seats) if holder != place}
    return {holder: kings for holder, kings in kings_of.items() if kings}


def _trumps_put_away(state: State, move: Poignee) -> int:
    """Return the trumps that the taker has put away by name and may show in this poignée, as a set.

    Only a poignée of fifteen at four seats may show them: at three seats no trump need be put away, and at five no hand
    has fifteen trumps.
    """
    start = state.round
    if move.seat != start.taker or state.options.seats != 4 or len(move.cards) != POIGNEES[4][-1]:
        return 0
    return TRUMPS & set_of(card for card in start.discards if card >= 0)


def _is_late_poignee(state: State, move: Poignee) -> bool:
    """Say whether a poignée comes after the seat's first card, or before the play; another rule refuses it then."""
    return state.phase != "play" or bool(state.tricks) or move.seat in state.trick_seats


# --- which clauses a card can break ---

_DEBTS: tuple[Clause[State, Move], ...] = (follow_suit, must_trump, trump_led, overtrump)
_FOLLOW, _MUST, _LED, _OVER = 1, 2, 4, 8
_CLAUSES_BY_BITS = tuple(tuple(debt for at, debt in enumerate(_DEBTS) if bits >> at & 1) for bits in range(16))
"""By a set of rules that a card may break, one bit a rule, their clauses."""

_LEAD: tuple[Clause[State, Move], ...] = (called_suit,)
_NONE: tuple[Clause[State, Move], ...] = ()


def clauses_for_card(state: State, move: Play) -> tuple[Clause[State, Move], ...] | None:
    """Return the clauses that a written card can break, empty if it is surely legal.

    None if all clauses must be asked: outside the play, out of turn, in a deal with unwritten cards, and for a card
    that was played or cannot be in the hand.
    """
    card = move.card
    if state.phase != "play" or move.seat != state.turn or state.unnamed_cards:
        return None
    may = state.can[move.seat - 1] & ~state.played_cards
    if not may >> card & 1:
        return None
    led_suit = state.led_suit
    if led_suit < 0 or card == FOOL:
        return _LEAD if state.round.called_card >= 0 and not state.tricks and not state.trick_cards else _NONE
    fft, debts_owed = state.options.variant == "fft", 0
    if card < FOOL:
        if card // 14 == led_suit:
            return _NONE
        if led_suit == 4:
            return _CLAUSES_BY_BITS[_LED] if may & TRUMPS else _NONE
        debts_owed = (_FOLLOW if may & SUIT[led_suit] else 0) | (_MUST if fft and may & TRUMPS else 0)
    elif led_suit == 4 or fft:
        # Trumps stand above all other cards, so the highest card laid is the highest trump if there is one.
        highest = max(state.trick_cards)
        debts_owed = _FOLLOW if led_suit < 4 and may & SUIT[led_suit] else 0
        debts_owed |= _OVER if highest > card and may & higher_trumps(highest) else 0
    return _CLAUSES_BY_BITS[debts_owed]
