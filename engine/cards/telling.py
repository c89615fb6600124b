"""What a game tells of hidden hands, in sentences: the functions of ``Hidden`` and the breaches of ``Played``.

For games whose state has ``hands`` and ``ply`` and whose questions are of one place each, named as in ``Need``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.cards import hands as known
from cartulary.engine.cards import revokes
from cartulary.engine.cards.deck import Deck, cards_of, set_of
from cartulary.engine.cards.hands import Evidence, Hands
from cartulary.engine.cards.layouts import Question
from cartulary.engine.cards.tricks import Trick, playable
from cartulary.engine.contract import Breach, HasSeat, Need, Open, Pending, Refused
from cartulary.engine.parts import Hidden, no_deal


class HasHands(Protocol):
    """A state with what is known of hidden hands, and the words so far."""

    @property
    def hands(self) -> Hands: ...
    @property
    def ply(self) -> int: ...


class HasLeads(HasHands, Protocol):
    """A state that also knows who may lead to a trick, and the whole one before it while several may have won that."""

    @property
    def leads(self) -> tuple[int, ...]: ...
    @property
    def trick(self) -> Trick: ...


L = TypeVar("L", bound=HasLeads)
S = TypeVar("S", bound=HasHands)
M = TypeVar("M", bound=HasSeat)


def led_by_each(state: L) -> tuple[int, tuple[L, ...]]:
    """Return a ply nobody wrote on which it turns who has won a trick, and the state as each of them leads.

    For ``Rules.apart``; nothing where one alone may have won, or no card is left.
    """
    struct: Any = state
    if len(state.leads) < 2 or not any(known.left(state.hands, seat - 1) for seat in state.leads):
        return 0, ()
    ply = max(state.hands.unnamed[~card].ply for _, card in state.trick if card < 0)
    return ply, tuple(replace(struct, leads=(seat,)) for seat in state.leads)


def tell_where(
    cards_by_places: Iterable[tuple[int, int]], cards: Sequence[str], places: Sequence[str], hands: int
) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) for ``Hidden.whereabouts``: ``with p2, p3 or in the discards``.

    found: sets of both; cards, places: their names, the hands in front and how many they are
    """
    lines: list[tuple[str, str]] = []
    for alike, where in cards_by_places:
        *first, last = [places[at] for at in cards_of(where)] or ["nowhere"]
        text = f"{', '.join(first)} or {last}" if first else last
        with_hands = "with " if where & (1 << hands) - 1 else ""
        lines.append((", ".join(cards[card] for card in cards_of(alike)), with_hands + text))
    return tuple(lines)


class Telling(Struct, frozen=True, eq=False):
    """How one game tells of hidden hands.

    broke: by the key of each rule that turns on hidden cards, what a seat did that held some: ``did not follow suit``
    places: their names, as in ``Need`` and in sentences
    """

    deck: Deck
    broke: Mapping[str, str]
    places: tuple[str, ...]

    def hidden(
        self,
        view: Callable[[S, int], S],
        view_move: Callable[[S, M, int], M],
        deal: Callable[[Any], tuple[str, ...]] = no_deal,
    ) -> Hidden[S, M, Any]:
        """Return the part of the game; what a seat sees is the game's to say, and how cards are dealt."""
        return Hidden(
            view,
            view_move,
            exact=self.exact,
            tell_need=self.tell_need,
            pending=self.pending,
            whereabouts=self.whereabouts,
            deal=deal,
        )

    def not_held(self, hands: Hands, place: int, card: int) -> Refused | None:
        """Return the refusal of a card that is not ``playable`` from a place, -1 for one nobody wrote down."""
        if known.left(hands, place) if card < 0 else playable(hands, place) >> card & 1:
            return None
        if card < 0:
            return Refused(f"{self.places[place]} has no card left", blocks=True)
        name = self.deck.names[card]
        if hands.played >> card & 1:
            return Refused(f"{name} was played before", blocks=True)
        return Refused(f"{name} is not in the hand of {self.places[place]}", blocks=True)

    def answer(self, before: Hands, after: Hands, questions: Sequence[Question], owes: str) -> Refused | Open | None:
        """Return what a clause says of a card that may owe something to the hand it came from; exact.

        before, after: the hands without the card and with it; asked: as ``following`` gives it; owes: the end of the
        sentence, ``must follow suit``
        """
        badly = revokes.verdict(after, questions, exactly=True)
        if badly is False:
            return None
        place, cards = questions[0].place, 0
        for question in questions:
            cards |= question.cards
        if badly:
            text = self.deck.some_of(after.sure[place] & cards or cards)
            return Refused(f"{self.places[place]} holds {text}, and {owes}")
        need = Need(self.places[place], tuple(cards_of(cards)), questions[0].ply)
        return Open((need,), not revokes.covered(before, place, cards))

    def breach(self, evidence: Evidence) -> Breach:
        """Return what is proved, in a sentence."""
        if len(evidence.plies) > 1:
            return Breach(evidence.plies, evidence.key, revokes.all_legal(evidence.plies), evidence.decided_by)
        cards = self.deck.listed(evidence.cards) if evidence.seen else self.deck.some_of(evidence.cards)
        because = f"{self.places[evidence.place]} held {cards}, but {self.broke[evidence.key]}"
        return Breach(evidence.plies, evidence.key, because, evidence.decided_by)

    def exact(self, state: HasHands, question: Open) -> Open | None:
        """Return a question if it has both answers still; for ``Hidden``, of what a ply has raised."""
        ply = question.needs[0].ply
        return question if revokes.still_open(state.hands, ply, question.clause.key) else None

    def tell_need(self, state: HasHands, need: Need) -> str:
        """Return what is known by now of the cards a question turns on."""
        place, cards = self.places.index(need.place), set_of(need.slots)
        held, may = state.hands.sure[place] & cards, state.hands.can[place] & cards
        if held:
            return f"{need.place} held {self.deck.listed(held)}"
        return f"{need.place} may have held {self.deck.listed(may, 'or')}" if may else f"{need.place} held none of them"

    def pending(self, state: HasHands) -> Pending:
        """Return what is open and what is proved if the record ends here."""
        still, late = revokes.pending(state.hands, state.ply)
        return Pending(still, tuple(map(self.breach, late)))

    def whereabouts(self, state: HasHands) -> tuple[tuple[str, str], ...]:
        """Return (cards, places) of all cards not played by name, cards alike in one line, the fewest first; exact."""
        names = [*self.places, *(f"the card of ply {unnamed_card.ply}" for unnamed_card in state.hands.unnamed)]
        return tell_where(known.whereabouts(state.hands), self.deck.names, names, len(names))
