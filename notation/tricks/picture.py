"""Trick games as text and as a drawing: hands as far as a seat may know, bids, the trick, what was won, the points."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.hands import cards_left
from cartulary.engine.tricks import UNKNOWN, Move, Play, State, TrickGame, WonTrick
from cartulary.engine.tricks.state import UNREAD, open_trick, trumps_of
from cartulary.notation.card_faces import FRENCH
from cartulary.notation.card_table import CardPlace, CardsAside, CardTable, drawn_table
from cartulary.notation.drawing import Drawing
from cartulary.notation.picture import Picture, Row, Span

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class TrickTable(Struct, frozen=True, eq=False):
    """The table of a trick game as people see it.

    Attributes:
        rules: The rules of the game.
    """

    rules: TrickGame

    def picture(self, state: State, seat: int | None) -> Picture:
        """Return the table as rows of text as the seat sees it: hands, trick, bids and points.

        ``seat`` is 0 for a bystander and None for all that the record knows. ``>`` marks who is to speak.
        """
        seen = self._seen(state, seat)
        rows: list[Row] = [(Span(self._heading(seen), "frame"),)]
        for place in range(seen.seats):
            known, unknown = in_hand(seen, place)
            cards = [" ".join(self._names(known & suit)) for suit in self.rules.game.deck.suits if known & suit]
            text = "  ".join([*cards, f"{unknown} unknown"] if unknown else cards) or "-"
            mark = " >"[place + 1 in self.rules.actors(seen)]
            rows.append((Span(f"{mark} p{place + 1}  ", "frame"), Span(text, f"p{place + 1}")))
        trick = [Span(f"p{one} {self._name(card)}  ", f"p{one}") for one, card in open_trick(seen)]
        return (*rows, (Span("trick  ", "frame"), *trick), *((Span(line, "frame"),) for line in self._counts(seen)))

    def drawing(self, state: State, seat: int | None) -> Drawing:
        """Return what ``picture`` shows as a card table; the last trick lies there until the next card is played.

        ``seat`` is 0 for a bystander and None for all that the record knows. The seat that looks is drawn below, and p1
        for anybody else.
        """
        seen = self._seen(state, seat)
        trick, winner = open_trick(seen), 0
        if not trick:
            last = seen.tricks[-1] if seen.tricks else None
            winner = last.winner if last and not seen.trick else 0
            trick = seen.trick or (last.cards if last else ())
        led = self._name(trick[0][1])[-1] if trick and open_trick(seen) and trick[0][1] >= 0 else ""
        number = len(seen.tricks) + bool(seen.trick)
        trumps = trumps_of(self.rules.game, seen)
        trump = self._name(max(cards_of(trumps)))[-1] if trumps else ""
        table = CardTable(
            tuple(self._place(seen, place) for place in range(seen.seats)),
            tuple((one, self._name(card)) for one, card in trick),
            f"trick {number}" if trick else "",
            FRENCH.get(led, led),
            winner,
            self._stock(seen),
            lines=(self._heading(seen), *self._points(seen)),
            suits=FRENCH,
            trumps=FRENCH.get(trump, trump),
        )
        return drawn_table(table, seat or 1)

    def end_drawing(self, before: State, move: Move, after: State, seat: int | None) -> Drawing:
        """Return the table as it lies after the last card of a deal, with the new score; else that of ``after``.

        ``before`` is the state before the card, ``after`` that after it. ``seat`` is the seat that looks, 0 for a
        bystander and None for all that the record knows.
        """
        if not isinstance(move, Play):
            return self.drawing(after, seat)
        trick = (*before.trick, (move.seat, move.card))
        winners = self.rules.winners_of(before, trick)
        won = WonTrick(winners[0] if len(winners) == 1 else 0, trick)
        seen = replace(self._seen(before, seat), tricks=(*before.tricks, won), trick=())
        places = (self._place(seen, place) for place in range(seen.seats))
        table = CardTable(
            tuple(replace(place, cards=(), unknown=0, turn=False) for place in places),
            tuple((one, self._name(card)) for one, card in trick),
            "last trick",
            winner=won.winner,
            lines=tuple(self._points(after)),
            suits=FRENCH,
        )
        return drawn_table(table, seat or 1)

    def _place(self, state: State, place: int) -> CardPlace:
        """Return a seat of the drawing: its hand, its bid, the tricks it has won, and whether it is to speak.

        ``place`` is the seat counted from 0.
        """
        known, unknown = in_hand(state, place)
        won = sum(trick.winner == place + 1 for trick in state.tricks)
        bid = state.bids[place] if state.bids else UNKNOWN
        fact = f"bid {self._bid_name(state, bid)}, won {won}" if bid != UNKNOWN else f"won {won}"
        if self.rules.game.auction is not None:
            said = [each.announcement for each in state.sayings if each.seat == place + 1]
            fact = f"{self.rules.game.announcements[said[-1]].name}, won {won}" if said else f"won {won}"
            fact = fact if state.declarer or bid == UNKNOWN else bid_sign(self._bid_name(state, bid))
        turn, plays = place + 1 in self.rules.actors(state), place + 1 == state.declarer
        return CardPlace(tuple(self._names(known)), unknown, fact, turn, place + 1 == state.dealer, plays)

    def _stock(self, state: State) -> CardsAside | None:
        """Return the cards that are not dealt, of which one is turned up; None if there are none, or none turned up."""
        sizes = state.hands.places.sizes
        if state.turned_card < 0 or len(sizes) == state.seats:
            return None
        return CardsAside("stock", "in the stock", (self._name(state.turned_card),), sizes[-1] - 1)

    def _seen(self, state: State, seat: int | None) -> State:
        """Return the state as a seat sees it, 0 for a bystander; the whole state for None."""
        return state if seat is None else self.rules.hidden.view(state, seat)

    def _names(self, cards: int) -> list[str]:
        """Return the names of a set of cards, given as bits, in the order of their numbers."""
        return [self._name(card) for card in cards_of(cards)]

    def _name(self, card: int) -> str:
        """Return the name of a card by its number; ``~`` for a negative one, which nobody wrote down."""
        return self.rules.game.deck.names[card] if card >= 0 else "~"

    def _bid_name(self, state: State, bid: int) -> str:
        """Return how a bid is written after ``Bid=``, ``-`` before it and ``~`` if nobody wrote it down."""
        return {UNKNOWN: "-", UNREAD: "~"}.get(bid) or self.rules.bid_names(state)[bid]

    def _heading(self, state: State) -> str:
        """Return the line that says who deals, and which card was turned up: ``deal 2: p1 deals, XH turned up``.

        Once an auction is over, the line ends with what it has come to: ``p3 plays, hearts are trumps``.
        """
        turned = f", {self._name(state.turned_card)} turned up" if state.turned_card >= 0 else ""
        number = f"deal {state.deal}: " if self.rules.game.deals_follow(state.target) else ""
        contract = f", {contract_text(self.rules, state)}" if state.declarer else ""
        return f"{number}p{state.dealer} deals{turned}{contract}"

    def _counts(self, state: State) -> Iterator[str]:
        """Yield the lines of bids (in games with bids), of tricks won, and of points (in games of several deals)."""
        if state.bids:
            yield _line("bids", [self._bid_name(state, bid) for bid in state.bids])
        won = [sum(trick.winner == seat for trick in state.tricks) for seat in range(1, state.seats + 1)]
        yield _line("won", won)
        yield from self._points(state)

    def _points(self, state: State) -> Iterator[str]:
        """Yield the line of points, in games of several deals; ``points not known`` if a deal could not be scored."""
        if self.rules.game.deals_follow(state.target):
            yield "points not known" if state.unscored_deals else _line("points", state.points)


def contract_text(rules: TrickGame, state: State) -> str:
    """Return what an auction has come to: ``p3 plays, hearts are trumps``; the state must be after its end."""
    deck, trumps = rules.game.deck, state.contract_trumps
    if not trumps:
        return f"p{state.declarer} plays without trumps"
    suit = deck.names[max(cards_of(trumps))][-1]
    return f"p{state.declarer} plays, {SUIT_NAMES.get(suit, suit)} are trumps"


def bid_sign(name: str) -> str:
    """Return a bid as a key or a plate shows it: a suit by its sign, ``♥`` for ``H``, any other by its name."""
    return FRENCH.get(name, name)


def in_hand(state: State, place: int) -> tuple[int, int]:
    """Return the known cards in a hand as a set of bits, and how many more cards it has.

    ``place`` is the seat counted from 0; bit n is card n.
    """
    known = state.hands.sure[place] & ~state.hands.played_cards
    return known, max(cards_left(state.hands, place) - known.bit_count(), 0)


def _line(what: str, values: Sequence[str | int]) -> str:
    """Return a value for each seat, given in seat order, as a line: ``won    p1 3  p2 0``."""
    return f"{what:<6} " + "  ".join(f"p{seat} {value}" for seat, value in enumerate(values, 1))
