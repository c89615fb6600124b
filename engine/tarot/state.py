"""Tarot's values: the moves, the state, and the sources that clauses cite.

A *place* is a number: seat n's hand is n - 1, and the last place, ``aside``, holds the chien, later the taker's
discards. A set of cards is an int with one bit a card (``engine.cards.deck``); the unknown card is -1.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

from cartulary.engine.cards.deck import DECK, FOOL, SUIT, TRUMPS, Deck, names
from cartulary.engine.cards.hands import Hands
from cartulary.engine.cards.layouts import Places, Question
from cartulary.engine.contract import Breach
from cartulary.engine.tarot.score import PlayedDeal
from cartulary.engine.tarot.tricks import Trick

# --- the sources that clauses cite: the page, or the FFT's rulebook where the page says nothing ---


PAGE = "Tarot, from the wiki of Dementlieu"


def section(title: str) -> str:
    """Return the citation of a section of the FFT's rulebook as the variant fft has it, with the French title of the
    book.
    """
    return f"FFT, Règlement officiel R-RO201206 (2012), {title}"


def parent(title: str) -> str:
    """Return the citation of a section of the FFT's rulebook as dementlieu has it, for what its own page does
    not say.
    """
    return f"French Tarot, FFT 2012, {title}"


def on_page(title: str) -> Mapping[str, str]:
    """Return {variant: source} for a clause that dementlieu's page states.

    ``title`` is the section of the FFT's rulebook that has it for fft.
    """
    return {"dementlieu": PAGE, "fft": section(title)}


def off_page(title: str, more: str = "") -> Mapping[str, str]:
    """Return {variant: source} for a clause that dementlieu's page does not state; both variants cite the FFT's
    rulebook.

    Args:
        title: the section of the FFT's rulebook.
        more: text put after the title for fft alone, such as ``"; another section"``.
    """
    return {"dementlieu": parent(title), "fft": section(title + more)}


def of_fft(title: str) -> Mapping[str, str]:
    """Return {"fft": source} for a clause that only fft has; ``title`` is the section of the rulebook."""
    return {"fft": section(title)}


# --- values ---


NAMES = names("CDHS")
WHOLE_DECK = Deck(NAMES, (*SUIT, TRUMPS | 1 << FOOL))
list_cards, some_of = WHOLE_DECK.list_cards, WHOLE_DECK.some_of
BIDS = ("Pass", "Prise", "Garde", "GardeSans", "GardeContre")
UNKNOWN = -1
HAND = {3: 24, 4: 18, 5: 15}
CHIEN = {3: 6, 4: 6, 5: 3}
POIGNEES = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13)}
PETIT = FOOL + 1
ATOUTS = TRUMPS | 1 << FOOL
NOTHING_LED = -1

# --- moves ---


class Show(Struct, frozen=True):
    """A seat shows a card in the draw for the deal."""

    seat: int
    card: int


class Deal(Struct, frozen=True, gc=False):
    """The table deals cards to a seat, or to the chien if ``to`` is 0: one packet, or the whole hand in order."""

    seat: int
    to: int
    cards: tuple[int, ...]


class Maldonne(Struct, frozen=True):
    """The table calls the deal off."""

    seat: int


class PetitSec(Struct, frozen=True):
    """A seat announces that its only trump is the petit."""

    seat: int


class Bid(Struct, frozen=True):
    """A seat's one bid.

    Attributes:
        seat: the seat.
        bid: the index of the bid in BIDS; 0 is a pass.
        stake: the tokens named with it, 0 if it named none, UNKNOWN if nobody wrote them down.
    """

    seat: int
    bid: int
    stake: int = 0


class CallKing(Struct, frozen=True):
    """With five seats, the taker names a card; the seat that holds it is his partner."""

    seat: int
    card: int


class Reveal(Struct, frozen=True):
    """The table shows the cards of the chien, in order."""

    seat: int
    cards: tuple[int, ...]


class Discard(Struct, frozen=True):
    """The taker puts cards away; they are listed in order, unknown ones last."""

    seat: int
    cards: tuple[int, ...]


class Poignee(Struct, frozen=True):
    """A seat shows a poignée: the trumps of its hand, in order."""

    seat: int
    cards: tuple[int, ...]


class Chelem(Struct, frozen=True):
    """The taker announces a chelem: that his side will win every trick."""

    seat: int


class Play(Struct, frozen=True, gc=False):
    """A seat plays a card to the trick."""

    seat: int
    card: int


class Unseen(Play, frozen=True, gc=False):
    """A seat plays a card that nobody wrote down."""

    card: int = UNKNOWN


class ScoredDeal(Struct, frozen=True):
    """A whole deal, written as the values from which its score is computed; the table says it.

    Attributes:
        deal: the deal, None if all passed.
        stake: the taker's stake in dementlieu: 1 if the bid named none, UNKNOWN if nobody wrote it down.
        stakes: by seat, the stake that its bid put into the pot, 0 if it passed; None if that is not known.
        most: the seats with the most card points, None if they are not known.
        text: the names and values as they are written, in order; empty if it was not read from a word.
        seat: 0, the table.
    """

    deal: PlayedDeal | None
    stake: int = 1
    stakes: tuple[int, ...] | None = None
    most: tuple[int, ...] | None = None
    text: tuple[tuple[str, str], ...] = ()
    seat: int = 0


Move: TypeAlias = (
    Show | Deal | Maldonne | PetitSec | Bid | CallKing | Reveal | Discard | Poignee | Chelem | Play | ScoredDeal
)

# --- state ---


class Options(Struct, frozen=True):
    """The settings that hold for the whole record.

    Attributes:
        variant: ``dementlieu`` or ``fft``.
        seats: how many seats play.
        ecart: True if discards must keep to the limits of fft.
        packet: how many cards are dealt at a time.
        sizes: by place, how many cards it has; the chien comes last.
    """

    variant: str
    seats: int
    ecart: bool
    packet: int
    sizes: tuple[int, ...]

    @property
    def aside(self) -> int:
        """The place of the chien and, once the taker has put cards away, of his discards: the last place."""
        return self.seats

    @property
    def hand(self) -> int:
        """How many cards a seat is dealt: 24, 18 or 15 with three, four or five seats."""
        return self.sizes[0]

    @property
    def chien(self) -> int:
        """How many cards the chien has: 6, or 3 with five seats."""
        return self.sizes[-1]


class Past(Struct, frozen=True):
    """The questions that earlier deals have left open.

    Attributes:
        questions: (ply, key) of each question.
        unwritten_cards: (ply, seat, cards) of each card that nobody wrote down, with the cards that it may have been.
        unscored_deals: in how many deals something unwritten decides the score.
        unshared: True if something unwritten decides who has won a pot.
    """

    questions: tuple[tuple[int, str], ...] = ()
    unwritten_cards: tuple[tuple[int, int, int], ...] = ()
    unscored_deals: int = 0
    unshared: bool = False


NOTHING_OPEN = Past()


class Round(Struct, frozen=True, gc=False):
    """One deal up to the play.

    Attributes:
        dealer: the seat that deals.
        dealt_cards: by place, the cards that are known to have been dealt to it, as a set.
        counts: by place, how many cards were dealt to it.
        first: True if no deal comes before it on record.
        since: the plies before its first word.
        shows: (seat, card) of the draw for the deal.
        whole: True if each deal word is a whole hand, False if it is a packet, None before the first.
        last: the place of the last deal word, -1 before the first.
        short: True if that word was no whole packet.
        words: the deal words so far.
        bids: the bids in order.
        taker: the seat that takes, 0 while there is none.
        bid: the taker's bid, an index of BIDS.
        called_card: the card that the taker calls, -1 while there is none.
        call_ply: the ply of that call.
        chien: the cards that the chien showed, empty before.
        reveal_ply: the ply at which it was shown.
        discards: the cards that the taker put away.
        poignees: (seat, cards as a set) of each poignée.
        chelem: True if a chelem was announced.
        past: the questions that earlier deals have left open.
        again: True if the dealer deals again after a maldonne of his own, and so has no call.
    """

    dealer: int
    dealt_cards: tuple[int, ...]
    counts: tuple[int, ...]
    first: bool = False
    since: int = 0
    shows: tuple[tuple[int, int], ...] = ()
    whole: bool | None = None
    last: int = -1
    short: bool = False
    words: tuple[Deal, ...] = ()
    bids: tuple[Bid, ...] = ()
    taker: int = 0
    bid: int = 0
    called_card: int = -1
    call_ply: int = 0
    chien: tuple[int, ...] = ()
    reveal_ply: int = 0
    discards: tuple[int, ...] = ()
    poignees: tuple[tuple[int, int], ...] = ()
    chelem: bool = False
    past: Past = NOTHING_OPEN
    again: bool = False


class State(Hands, frozen=True, gc=False):
    """A record of deals so far, and what is known of the hands of this one.

    In the play ``can`` and ``sure`` are those of the hands as the play begins; before it, of the hands as dealt.

    Attributes:
        options: the settings.
        round: this deal up to the play.
        phase: deal, bid, call, chien (before it is shown), discard or play.
        ply: how many words there are so far.
        turn: the seat that speaks without a prefix.
        trick_cards: the cards of the open trick, in the order played.
        trick_seats: the seats that played them.
        led_suit: the suit that was led, 4 for trumps, else NOTHING_LED.
        tricks: the complete tricks of this deal.
        sec: for each call by a hand that may have held the petit as its only trump, the question whether it did.
        breaches: the breaches that the last word proved; new evidence about a ply replaces the earlier one.
        totals: the running score by seat.
        pot: the running score from the pots by seat.
    """

    options: Options
    round: Round
    phase: str
    ply: int
    turn: int
    trick_cards: tuple[int, ...]
    trick_seats: tuple[int, ...]
    led_suit: int
    tricks: tuple[Trick, ...]
    sec: tuple[Question, ...]
    breaches: tuple[Breach, ...]
    totals: tuple[int, ...]
    pot: tuple[Fraction, ...]


def seat_after(options: Options, seat: int) -> int:
    """Return the seat that plays after a seat: the next number, and 1 after the last."""
    return seat % options.seats + 1


def seat_before(options: Options, seat: int) -> int:
    """Return the seat that plays before a seat: the number before, and the last one before 1."""
    return (seat - 2) % options.seats + 1


def empty_round(options: Options, dealer: int, since: int, first: bool = False) -> Round:
    """Return a deal before its first word.

    Args:
        options: the settings.
        dealer: the seat that deals.
        since: the plies before its first word.
        first: True if it is the first deal of the record.
    """
    nothing = (0,) * (options.seats + 1)
    return Round(dealer, nothing, nothing, first, since)


def begin(options: Options, dealer: int) -> State:
    """Return the state before the first word of a record, with scores of 0.

    ``dealer`` is the seat that deals the first hands.
    """
    nobody = (0,) * options.seats
    return begin_deal(options, empty_round(options, dealer, 0, True), 0, nobody, (Fraction(0),) * options.seats)


def begin_deal(options: Options, start: Round, ply: int, totals: tuple[int, ...], pot: tuple[Fraction, ...]) -> State:
    """Return the state before the first word of a deal.

    Args:
        options: the settings.
        start: the deal.
        ply: the plies before it.
        totals: the running score by seat.
        pot: the running score from the pots by seat.
    """
    places = options.seats + 1
    return State(
        Places(DECK, options.sizes),
        (DECK,) * places,
        (0,) * places,
        0,
        (),
        (),
        (),
        (),
        options,
        start,
        "deal",
        ply,
        seat_after(options, start.dealer),
        (),
        (),
        NOTHING_LED,
        (),
        (),
        (),
        totals,
        pot,
    )


def place_name(options: Options, place: int) -> str:
    """Return a place as the notation names it: ``p2`` for a hand, ``c`` for the chien or the discards."""
    return "c" if place == options.aside else f"p{place + 1}"
