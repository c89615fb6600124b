"""Tarot as text and as a drawing: hands as far as a seat may know, the trick, the taker, the points won so far."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from cartulary.engine.cards.deck import FOOL, SUIT, TRUMPS, cards_of
from cartulary.engine.tarot import BIDS, NAMES, Move, Play, State, view
from cartulary.engine.tarot.score import in_points
from cartulary.engine.tarot.settlement import piles, with_last_card, won_so_far
from cartulary.engine.tarot.tricks import seat_at
from cartulary.notation.card_faces import FRENCH, TRUMP
from cartulary.notation.card_table import CardPlace, CardsAside, CardTable, drawn_table
from cartulary.notation.drawing import Drawing
from cartulary.notation.picture import Picture, Row, Span, wrap_words, zone_names

_SUITS_LED = "CDHST"
_GROUPS = (*SUIT, 1 << FOOL | TRUMPS)


def picture(state: State, seat: int | None) -> Picture:
    """Return the table as rows of text as the seat sees it, within 80 columns.

    ``seat`` is 0 for a bystander and None for all that the record knows.
    """
    visible = state if seat is None else view(state, seat)
    rows: list[Row] = [(Span(heading(visible), "frame"),)]
    for place in range(visible.options.seats):
        rows += _hand(visible, place)
    rows += _aside(visible)
    if visible.phase == "play":
        rows += _tricks(visible)
    return (*rows, *((Span(line, "frame"),) for line in standing(visible)))


def standing(state: State) -> Iterator[str]:
    """Yield the line of the running score, and in dementlieu that of the running pot once one has been won."""
    yield f"score  {running(state)}"
    past = state.round.past
    if state.options.variant == "dementlieu" and (past.unshared or any(state.pot)):
        yield f"pot    {'not known' if past.unshared else _points(map(str, state.pot))}"


def running(state: State) -> str:
    """Return the running score as text: ``p1 88  p2 -44``; ``not known`` if a deal could not be scored."""
    return "not known" if state.round.past.unscored_deals else _points(map(str, state.totals))


def points_won(state: State) -> str:
    """Return the card points that each seat has won in this deal so far, as text: ``p1 12½  p2 0``.

    Tricks with a card that nobody wrote down are left out. The fool counts in the trick in which it was played, for
    whoever won that.
    """
    return _points(map(in_points, won_so_far(state)))


def _points(values: Iterable[str]) -> str:
    """Return a value for each seat, given in seat order, as text: ``p1 88  p2 -44``."""
    return "  ".join(f"p{seat} {value}" for seat, value in enumerate(values, 1))


def heading(state: State) -> str:
    """Return the line that says who deals, and who takes with which bid, what was called, and a chelem.

    For example ``p1 deals; p2 takes: Garde, calls KH``; only what is known so far is in it.
    """
    start = state.round
    line = f"p{start.dealer} deals"
    if start.taker:
        line += f"; p{start.taker} takes: {BIDS[start.bid]}"
    if start.called_card >= 0:
        line += f", calls {NAMES[start.called_card]}"
    return line + (", chelem" if start.chelem else "")


def in_hand(state: State, place: int) -> tuple[int, int]:
    """Return the known cards in a hand as a set of bits, and how many more cards it has.

    ``place`` is the seat counted from 0. Bit n is card n. During the deal the hand is what has been dealt so far.
    """
    known = (state.round.dealt_cards if state.phase == "deal" else state.sure)[place] & ~state.played_cards
    size = state.round.counts[place] if state.phase == "deal" else state.options.hand
    gone = sum(1 for trick in state.tricks if trick.cards) + (place + 1 in state.trick_seats)
    return known, max(size - gone - known.bit_count(), 0)


def _hand(state: State, place: int) -> list[Row]:
    """Return the rows of a hand: its known cards by suit, and how many nobody knows; ``place`` is the seat from 0."""
    known, hidden = in_hand(state, place)
    words = [" ".join(NAMES[card] for card in cards_of(known & group)) for group in _GROUPS if known & group]
    mark = ">" if place + 1 == state.turn else " "
    unwritten = sum(missing.place == place for missing in state.unnamed_cards)
    if unwritten and known:
        words.append(f"less {unwritten} not written")
    return wrap_words(f"{mark} p{place + 1}  ", zone_names(words, len(words) + hidden), f"p{place + 1}")


def aside(state: State) -> tuple[str, int]:
    """Return what lies aside, ``chien`` or ``away`` (the discards), and its known cards as a set of bits.

    ``("", 0)`` before anybody has taken and while a king is called. Bit n is card n.
    """
    start = state.round
    if not start.taker or state.phase == "call":
        return "", 0
    taken = BIDS[start.bid] in ("Prise", "Garde") and state.phase == "play"
    return "away" if taken else "chien", state.sure[state.options.aside]


def _aside(state: State) -> list[Row]:
    """Return the rows of the chien or of the discards; none if nothing lies aside."""
    what, known = aside(state)
    words = [NAMES[card] for card in cards_of(known)]
    return wrap_words(f"  {what:<5} ", zone_names(words, state.options.chien), "frame") if what else []


def _tricks(state: State) -> list[Row]:
    """Return two rows: the current trick, and the points won in this deal."""
    leads = "" if state.trick_seats or not state.turn else f"p{state.turn} leads"
    cells = [Span(f"trick {len(state.tricks) + 1}  {leads}", "frame")]
    for at, (seat, card) in enumerate(zip(state.trick_seats, state.trick_cards, strict=True)):
        role = "last" if at == len(state.trick_cards) - 1 else f"p{seat}"
        cells.append(Span(f"p{seat} {NAMES[card] if card >= 0 else '~'}  ", role))
    return [tuple(cells), (Span(f"won    {points_won(state)}", "frame"),)]


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the table as the seat sees it, drawn; 0 is a bystander, None all that the record knows.

    Between two tricks the last one is drawn, with its winner.
    """
    visible = state if seat is None else view(state, seat)
    places = tuple(_place(visible, place) for place in range(visible.options.seats))
    trick = tuple(zip(visible.trick_seats, visible.trick_cards, strict=True))
    if trick or not visible.tricks:
        shown = replace(_table(visible, places), trick=_named(trick))
        led = FRENCH.get(_SUITS_LED[visible.led_suit], TRUMP) if trick and visible.led_suit >= 0 else ""
        name = f"trick {len(visible.tricks) + 1}" if trick else ""
        return drawn_table(replace(shown, trick_name=name, suit_led=led), seat or 1)
    last = visible.tricks[-1]
    cards = ((seat_at(last, at, len(places)), card) for at, card in enumerate(last.cards))
    shown = replace(_table(visible, places), trick=_named(cards), winner=visible.turn)
    return drawn_table(replace(shown, trick_name=f"trick {len(visible.tricks)}"), seat or 1)


def end_drawing(before: State, move: Move, after: State, seat: int | None) -> Drawing:
    """Return the table as it lies after the last card of a deal, with the new score; the next deal if no card was last.

    Args:
        before: The state before the last word of the deal.
        move: That word.
        after: The state after it, whose score is drawn.
        seat: The seat that looks, 0 the bystander, None for all the record knows.
    """
    if not isinstance(move, Play):
        return drawing(after, seat)
    visible = before if seat is None else view(before, seat)
    places = tuple(
        replace(_place(visible, place), cards=(), unknown=0, turn=False) for place in range(visible.options.seats)
    )
    cards = (*zip(before.trick_seats, before.trick_cards, strict=True), (move.seat, move.card))
    is_written = not before.unnamed_cards and move.card >= 0
    table = replace(
        _table(visible, places),
        trick=_named(cards),
        trick_name="last trick",
        winner=piles(with_last_card(before, move)).winners[-1] if is_written else 0,
        lines=tuple(standing(after)),
    )
    return drawn_table(table, seat or 1)


def _named(cards: Iterable[tuple[int, int]]) -> tuple[tuple[int, str], ...]:
    """Return the cards of a trick, pairs of a seat and a card, with the cards' names; ``~`` for a negative card."""
    return tuple((seat, NAMES[card] if card >= 0 else "~") for seat, card in cards)


def _table(state: State, places: tuple[CardPlace, ...]) -> CardTable:
    """Return the table without a trick: its seats, what lies aside, and the lines below."""
    start, (what, known) = state.round, aside(state)
    called = f", calls {NAMES[start.called_card]}" * (start.called_card >= 0) + ", chelem" * start.chelem
    lines = [f"p{start.taker} takes: {BIDS[start.bid]}{called}"] if called else []
    if state.phase == "play":
        lines.append(f"points won  {points_won(state)}")
    cards = CardsAside(
        "put away" if what == "away" else what,
        "put away" if what == "away" else "in the chien",
        tuple(NAMES[card] for card in cards_of(known)),
        state.options.chien - known.bit_count(),
    )
    return CardTable(
        places, aside=cards if what else None, lines=(*lines, *standing(state)), suits=FRENCH, clockwise=False
    )


def _place(state: State, place: int) -> CardPlace:
    """Return a seat of the drawing: its hand, its bid, and whether it is to speak; ``place`` is the seat from 0."""
    (known, hidden), start = in_hand(state, place), state.round
    seat = place + 1
    bids = [bid for bid in start.bids if bid.seat == seat]
    fact = BIDS[start.bid] if start.taker == seat else BIDS[bids[-1].bid] if bids and state.phase == "bid" else ""
    return CardPlace(
        tuple(NAMES[card] for card in cards_of(known)),
        hidden,
        fact,
        seat == state.turn and state.phase != "deal",
        seat == start.dealer,
        seat == start.taker,
    )
