"""Tarot before the first call: the draw for the deal, the deal itself, and what makes it void."""

from msgspec.structs import replace

from cartulary.engine.cards.deck import FOOL, is_trump, join_hint, set_of
from cartulary.engine.contract import Clause, Need, Open, Refused, clause, clause_by_variant
from cartulary.engine.numbers import how_many
from cartulary.engine.tarot.knowledge import masks_of_deal, may_be_sec, petit_sec
from cartulary.engine.tarot.state import (
    CHIEN,
    HAND,
    NAMES,
    PAGE,
    PETIT,
    Bid,
    Deal,
    Discard,
    Maldonne,
    Move,
    Options,
    PetitSec,
    Reveal,
    Round,
    Show,
    State,
    list_cards,
    off_page,
    on_page,
    place_name,
    seat_after,
    section,
)

_DEAL = "La distribution"
_HANDS = f"{_DEAL}; Le jeu à 3"

SEAT_NUMBERS: Clause[State, Move] = clause_by_variant(
    "tarot.seats",
    {"dementlieu": "Three or four players play tarot.", "fft": "Three, four or five players play tarot."},
    on_page("Présentation"),
)


# --- the draw ---


def result_of_draw(options: Options, shows: tuple[tuple[int, int], ...]) -> tuple[frozenset[int], int]:
    """Return who must still show a card in the draw for the deal, and who deals.

    Args:
        options: the settings.
        shows: (seat, card) of the cards shown so far.

    Returns:
        The seats that have yet to show a card, and 0; once there are none, no seats and the dealer.
    """
    drawing = list(range(1, options.seats + 1))
    card_of: dict[int, int] = {}
    for seat, card in shows:
        card_of[seat] = card
        if any(card_of.get(seat, FOOL) == FOOL for seat in drawing):
            continue
        trumps = [seat for seat in drawing if is_trump(card_of[seat])]
        if options.variant != "dementlieu" or len(trumps) <= 2:
            return frozenset(), _dealer(options, drawing, card_of)
        drawing, card_of = trumps, {}
    return frozenset(seat for seat in drawing if card_of.get(seat, FOOL) == FOOL), 0


def _dealer(options: Options, drawing: list[int], card_of: dict[int, int]) -> int:
    """Return the seat that deals by the draw, given the seats that drew and the last card of each.

    It is the one with the highest card in dementlieu, with the lowest in fft.
    """

    def worth(seat: int) -> tuple[int, int]:
        """Return a key that orders seats by the card they drew: rank, then suit; a trump ranks above all."""
        card = card_of[seat]
        return (14, card) if is_trump(card) else (card % 14, card // 14)

    return (max if options.variant == "dementlieu" else min)(drawing, key=worth)


@clause(
    "tarot.draw-for-deal",
    {
        "dementlieu": "If the players draw for the first deal, every seat shows a card before any other word; the"
        " highest deals. A seat that shows the fool draws again; if three or more seats show a trump, those seats draw"
        " again too.",
        "fft": "If the players draw for the first deal, every seat shows a card before any other word; the lowest"
        " deals, and a seat that shows the fool draws again.",
    },
    on_page(_DEAL),
)
def draw_for_deal(state: State, move: Move) -> Refused | None:
    """Return the refusal of a card shown out of place in the draw, and of any other word before the draw is complete.

    It may stand. None if there is no draw, if nothing is wrong with it, and once dealing has begun.
    """
    if state.phase != "deal":
        return None
    shows = state.round.shows
    if isinstance(move, Show):
        waiting, dealer = result_of_draw(state.options, shows)
        if move.seat in waiting:
            return None
        why = f"the draw is over: p{dealer} deals" if dealer else f"it is for {_seats(waiting)} to show one"
        return Refused(f"p{move.seat} shows a card unasked; {why}")
    if not shows or state.round.last >= 0:
        return None
    waiting, dealer = result_of_draw(state.options, shows)
    return (
        None if dealer else Refused(f"The draw for the deal is not complete: {_seats(waiting)} must still show a card")
    )


def _seats(seats: frozenset[int]) -> str:
    """Return seats, at least one, as a sentence lists them: ``p1, p2 and p4``."""
    names = [f"p{seat}" for seat in sorted(seats)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# --- the deal ---


def _ends_packet_deal(state: State, move: Move) -> bool:
    """Say whether a word is the first bid or petit sec after a deal that was written packet by packet.

    Only then can hands that are too small be noticed.
    """
    return isinstance(move, (Bid, PetitSec)) and state.phase == "deal" and state.round.whole is False


@clause(
    "tarot.hand-size",
    {
        "dementlieu": "Every seat is dealt 18 cards; with three seats, 24.",
        "fft": "Every seat is dealt 18 cards; with three seats 24, with five 15.",
    },
    off_page(_HANDS, "; Le jeu à 5"),
)
def hand_size(state: State, move: Move) -> Refused | None:
    """Return the refusal of cards beyond the size of a hand, or of a whole hand of another size; it may stand.

    If the deal was written packet by packet, a bid or petit sec right after it is refused while a hand has another
    size. None if nothing is wrong, and for other words.
    """
    hand, counts = state.options.hand, state.round.counts
    if _ends_packet_deal(state, move):
        wrong = [f"p{place + 1} has {count}" for place, count in enumerate(counts[:-1]) if count != hand]
        return Refused(f"Every seat is dealt {hand} cards, but {', '.join(wrong)}") if wrong else None
    if not isinstance(move, Deal) or not move.to or state.phase != "deal":
        return None
    count, complete = counts[move.to - 1] + len(move.cards), _is_whole_hand(state, move)
    if count > hand or (complete and count != hand):
        return Refused(f"p{move.to} is dealt {how_many(count)}, expected {hand}{join_hint(len(move.cards))}")
    return None


def _is_whole_hand(state: State, move: Deal) -> bool:
    """Say whether the words of this deal are whole hands and not packets; the first of them decides, by its length.

    ``move`` counts as the first if there is none yet: more than 4 cards for a seat, or more than 1 for the chien.
    """
    if state.round.whole is not None:
        return state.round.whole
    return len(move.cards) > (4 if move.to else 1)


@clause(
    "tarot.chien-size",
    {"dementlieu": "The chien has six cards.", "fft": "The chien has six cards; with five seats, three."},
    off_page(_HANDS, "; Le jeu à 5"),
)
def chien_size(state: State, move: Move) -> Refused | None:
    """Return the refusal of a chien that is dealt or shown with another number of cards than the rules give it; it may
    stand.

    If the deal was written packet by packet, a bid or petit sec right after it is refused while the chien has another
    size. None if nothing is wrong, and for other words.
    """
    chien, count = state.options.chien, state.round.counts[-1]
    if _ends_packet_deal(state, move):
        return Refused(f"The chien has {how_many(count)}, expected {chien}") if count != chien else None
    if isinstance(move, Reveal):
        size = len(move.cards)
        return Refused(f"The chien is shown with {how_many(size)}, expected {chien}") if size != chien else None
    if not isinstance(move, Deal) or move.to or state.phase != "deal":
        return None
    count += len(move.cards)
    if count > chien or (_is_whole_hand(state, move) and count != chien):
        return Refused(f"The chien is dealt {how_many(count)}, expected {chien}{join_hint(len(move.cards), 'chien')}")
    return None


@clause(
    "tarot.packets",
    {
        "dementlieu": "Cards are dealt three at a time, in turn from the seat after the dealer.",
        "fft": "Cards are dealt three at a time (four with three seats), in turn from the seat after the dealer.",
    },
    {"dementlieu": PAGE, "fft": section(_HANDS)},
)
def packets(state: State, move: Move) -> Refused | None:
    """Return the refusal of a packet of another size, or one that is dealt out of turn; None for any other word.

    Whole hands and cards for the chien are no packets.
    """
    if not isinstance(move, Deal) or not move.to or state.phase != "deal" or _is_whole_hand(state, move):
        return None
    if len(move.cards) != state.options.packet:
        count = len(move.cards)
        because = f"p{move.to} is dealt a packet of {count}, expected {state.options.packet}"
        return Refused(because + join_hint(count, "packet"))
    return None if move.to == state.turn else Refused(f"p{move.to} is dealt a packet, but it is p{state.turn}'s turn")


@clause(
    "tarot.chien-deal",
    "Cards for the chien are dealt one at a time between packets, never two in a row, and never the first or last"
    " of the deck.",
    on_page(_DEAL),
)
def chien_deal(state: State, move: Move) -> Refused | None:
    """Return the refusal of a card that is dealt to the chien when the rules forbid it; None for any other word.

    The rules forbid the first and the last card of the deck, two cards in a row, and one inside a packet.
    """
    if not isinstance(move, Deal) or move.to or state.phase != "deal" or _is_whole_hand(state, move):
        return None
    start, because = state.round, ""
    if start.last < 0:
        because = "The first card of the deck goes to the chien"
    elif start.last == state.options.aside or len(move.cards) != 1:
        because = "Two cards in a row go to the chien"
    elif start.short:
        because = f"A card goes to the chien inside {place_name(state.options, start.last)}'s packet"
    elif sum(start.counts) == 77:
        because = "The last card of the deck goes to the chien"
    return Refused(because) if because else None


@clause(
    "tarot.card-twice", "A card that was dealt or shown in one place is dealt or shown in no other.", on_page(_DEAL)
)
def card_twice(state: State, move: Move) -> Refused | None:
    """Return the refusal of a card that a word names twice or that has been dealt, or shown in the draw, already.

    A shown chien is refused too if its cards cannot lie there or have no room; of discards only a card named twice is
    refused, which blocks. All other refusals may stand. None if nothing is wrong.
    """
    if isinstance(move, Show):
        if any(card == move.card for _, card in state.round.shows):
            return Refused(f"{NAMES[move.card]} has been shown already")
        return None
    if not isinstance(move, (Deal, Reveal, Discard)):
        return None
    named_cards = [card for card in move.cards if card >= 0]
    cards = set_of(named_cards)
    if cards.bit_count() < len(named_cards):
        twice = next(card for at, card in enumerate(named_cards) if card in named_cards[:at])
        return Refused(f"{NAMES[twice]} is written twice in one word", blocks=isinstance(move, Discard))
    if isinstance(move, Discard):
        return None
    if isinstance(move, Deal):
        can, sure, mine = state.can, state.round.dealt_cards, -1
    else:
        can, sure = masks_of_deal(state, state.round) if state.phase == "deal" else (state.can, state.sure)
        mine = state.options.aside
    for place, lying in enumerate(sure):
        if cards & lying and place != mine:
            card = next(card for card in named_cards if lying >> card & 1)
            return Refused(f"{NAMES[card]} has been dealt to {place_name(state.options, place)} already")
    if mine >= 0 and cards & ~can[mine]:
        card = next(card for card in named_cards if not can[mine] >> card & 1)
        return Refused(f"{NAMES[card]} cannot lie in the chien, whose cards are known")
    if mine >= 0 and (sure[mine] | cards).bit_count() > state.options.chien:
        new, known_cards = list_cards(cards & ~sure[mine]), list_cards(sure[mine] & ~cards)
        return Refused(f"{new} cannot all lie in the chien together with {known_cards}")
    return None


def is_correct_packet(state: State, move: Deal) -> bool:
    """Say whether a deal word is the next packet or chien card, and breaks no rule; a quick test before the clauses.

    False says only that the clauses must be asked, as of the first deal word.
    """
    start, options, cards = state.round, state.options, move.cards
    if state.phase != "deal" or start.whole is not False:
        return False
    if move.to:
        if (
            move.to != state.turn
            or len(cards) != options.packet
            or start.counts[move.to - 1] + len(cards) > options.hand
        ):
            return False
    elif len(cards) != 1 or start.last == options.aside or start.short or start.counts[-1] >= options.chien:
        return False
    named_cards = 0
    for packet in start.dealt_cards:
        named_cards |= packet
    for card in cards:
        if card >= 0:
            if named_cards >> card & 1:
                return False
            named_cards |= 1 << card
    return move.to > 0 or sum(start.counts) < 77


@clause(
    "tarot.maldonne",
    {
        "dementlieu": (
            "A misdeal is called off, and the seat to the dealer's right deals; if every packet of the deal is on"
            " record, the fault must show there."
        ),
        "fft": (
            "A misdeal is called off, and the same dealer deals again; if every packet of the deal is on record,"
            " the fault must show there."
        ),
    },
    on_page(_DEAL),
)
def maldonne(state: State, move: Move) -> Refused | None:
    """Return the refusal to call off a deal that was written in full, packet by packet, and breaks no rule; it may
    stand.

    None if the deal has a fault or is not on record in full, and for any other word.
    """
    if not isinstance(move, Maldonne) or state.phase not in ("deal", "bid"):
        return None
    start = state.round
    count = sum(cards.bit_count() for cards in start.dealt_cards)
    if start.whole is False and count == 78 and start.counts == state.options.sizes and _is_correct_deal(state):
        return Refused("The whole deal is on record, and every packet of it is right")
    return None


def _is_correct_deal(state: State) -> bool:
    """Say whether no word of this deal breaks a rule; all of them are judged again, from the first."""
    start, rules = state.round, (hand_size, chien_size, packets, chien_deal, card_twice)
    nothing = (0,) * len(state.options.sizes)
    blank = replace(start, dealt_cards=nothing, counts=nothing, whole=None, last=-1, short=False, words=())
    replay = replace(state, round=blank, phase="deal", turn=seat_after(state.options, start.dealer))
    for word in start.words:
        if not is_correct_packet(replay, word) and any(rule.check(replay, word) for rule in rules):
            return False
        replay = after_deal(replay, word)
    return True


def after_deal(state: State, move: Deal) -> State:
    """Return the state after a deal word, whether or not it breaks a rule; the first one fixes who deals.

    ``can`` and ``sure`` stay as they are until the first bid.
    """
    start, options, to, count = state.round, state.options, move.to, len(move.cards)
    by_hands, dealer = start.whole, start.dealer
    if by_hands is None:
        by_hands, dealer = count > (4 if to else 1), dealer_by_draw(options, state)
    place = to - 1 if to else options.aside
    named_cards = start.dealt_cards[place]
    for card in move.cards:
        if card >= 0:
            named_cards |= 1 << card
    turn = seat_after(options, dealer) if by_hands else to % options.seats + 1 if to else state.turn
    after = Round(
        dealer,
        (*start.dealt_cards[:place], named_cards, *start.dealt_cards[place + 1 :]),
        (*start.counts[:place], start.counts[place] + count, *start.counts[place + 1 :]),
        start.first,
        start.since,
        start.shows,
        by_hands,
        place,
        bool(to) and count < options.packet,
        # More words than cards make no right deal, whatever they say.
        start.words if len(start.words) == 78 else (*start.words, move),
        past=start.past,
        again=start.again,
    )
    return replace(state, round=after, turn=turn, ply=state.ply + 1, breaches=())


@clause(
    "tarot.petit-sec",
    "A player whose only trump is the petit, and who does not have the fool either, says so before he calls, and the"
    " deal is void.",
    on_page("La tenue des cartes"),
)
def petit(state: State, move: Move) -> Refused | Open | None:
    """Judge a bid or a petit sec by whether the petit is the only trump of the hand, without the fool.

    Returns:
        A refusal for a bid of such a hand, and for a petit sec announced wrongly or after the seat's bid. An Open,
        which is not shown until it is answered, for a bid of a hand that may be one. None if nothing is wrong, for a
        later word, and for other words.
    """
    if not isinstance(move, (PetitSec, Bid)) or state.phase not in ("deal", "bid"):
        return None
    has_called = any(bid.seat == move.seat for bid in state.round.bids)
    if isinstance(move, PetitSec) and has_called:
        return Refused(f"p{move.seat} has called already, but a petit sec is announced before one calls")
    if has_called:
        return None
    if isinstance(move, PetitSec):
        may = may_be_sec(state, move.seat)
        return None if may else Refused(f"T01 is not p{move.seat}'s only trump, or not in its hand")
    sec = petit_sec(state, move.seat)
    if sec:
        return Refused(
            f"p{move.seat} has T01 as its only trump, and not T00, so it must announce a petit sec instead of calling"
        )
    return None if sec is False else Open((Need(f"p{move.seat}", (PETIT,), state.ply + 1),), asks=False)


def dealer_by_draw(options: Options, state: State) -> int:
    """Return the seat that deals: by the draw if one was made and is decided, else the dealer of the round."""
    return result_of_draw(options, state.round.shows)[1] or state.round.dealer


def seat_counts(variant: str) -> tuple[int, ...]:
    """Return the numbers of seats that a variant allows: ``"dementlieu" -> (3, 4)``, ``"fft" -> (3, 4, 5)``."""
    return tuple(seats for seats in HAND if seats in CHIEN and (seats < 5 or variant == "fft"))
