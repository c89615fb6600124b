"""Sentences about hidden hands: the functions of ``Hidden``, and the breaches that a move proves.

It is for games whose state has ``hands`` and ``ply``, and whose questions are about one place each, named as in
``Need``.
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
    """A state with ``hands``, what is known of hidden hands, and ``ply``, how many words there are so far."""

    @property
    def hands(self) -> Hands:
        """What is known of the hidden hands."""

    @property
    def ply(self) -> int:
        """The number of words (plies) before the state."""


class HasLeads(HasHands, Protocol):
    """A state with ``leads``, the seats that may lead, and ``trick``, the last trick while several may have won it."""

    @property
    def leads(self) -> tuple[int, ...]:
        """The seats that may lead to the next trick; several if nobody knows who won the last one."""

    @property
    def trick(self) -> Trick:
        """The last trick, as (seat, card) in the order played, while several seats may have won it; else the
        open one.
        """


L = TypeVar("L", bound=HasLeads)
S = TypeVar("S", bound=HasHands)
M = TypeVar("M", bound=HasSeat)


def split_by_leader(state: L) -> tuple[int, tuple[L, ...]]:
    """Return the ply whose unnamed card decides who has won a trick, and the state for each seat that may lead.

    Return 0 and no states if one seat alone may have won, or if no card is left. It is a function for ``Rules.apart``.
    """
    struct: Any = state
    if len(state.leads) < 2 or not any(known.cards_left(state.hands, seat - 1) for seat in state.leads):
        return 0, ()
    ply = max(state.hands.unnamed_cards[~card].ply for _, card in state.trick if card < 0)
    return ply, tuple(replace(struct, leads=(seat,)) for seat in state.leads)


def tell_where(
    cards_by_places: Iterable[tuple[int, int]], cards: Sequence[str], places: Sequence[str], hands: int
) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) in words, for ``Hidden.whereabouts``: ``("5H, 6H", "with p2, p3 or in the discards")``.

    Args:
        cards_by_places: (cards, places), both as sets.
        cards: the names of the cards.
        places: the names of the places, the hands first.
        hands: how many of the places are hands.
    """
    lines: list[tuple[str, str]] = []
    for alike, where in cards_by_places:
        *first, last = [places[at] for at in cards_of(where)] or ["nowhere"]
        text = f"{', '.join(first)} or {last}" if first else last
        with_hands = "with " if where & (1 << hands) - 1 else ""
        lines.append((", ".join(cards[card] for card in cards_of(alike)), with_hands + text))
    return tuple(lines)


class Telling(Struct, frozen=True, eq=False):
    """The wording of one game about its hidden hands.

    Attributes:
        deck: the cards with their names.
        broke: by the key of each rule that turns on hidden cards, the end of a sentence: ``did not follow suit``.
        places: by place, its name in ``Need`` and in sentences.
    """

    deck: Deck
    broke: Mapping[str, str]
    places: tuple[str, ...]

    def hidden_part(
        self,
        view: Callable[[S, int], S],
        view_move: Callable[[S, M, int], M],
        deal: Callable[[Any], tuple[str, ...]] = no_deal,
    ) -> Hidden[S, M, Any]:
        """Return the part ``Hidden`` of the game.

        Args:
            view: returns the state as a seat sees it.
            view_move: returns a move as a seat sees it.
            deal: returns the words of a deal, for the laws.
        """
        return Hidden(
            view=view,
            view_move=view_move,
            exact=self.exact,
            tell_need=self.tell_need,
            pending=self.pending,
            whereabouts=self.whereabouts,
            deal=deal,
        )

    def not_held(self, hands: Hands, place: int, card: int) -> Refused | None:
        """Return the refusal of a card that cannot be played from a place, None if it can.

        Args:
            hands: the hands before the card.
            place: the hand from which it comes.
            card: the card, -1 for one that nobody wrote down.
        """
        if known.cards_left(hands, place) if card < 0 else playable(hands, place) >> card & 1:
            return None
        if card < 0:
            return Refused(f"{self.places[place]} has no card left", blocks=True)
        name = self.deck.names[card]
        if hands.played_cards >> card & 1:
            return Refused(f"{name} was played before", blocks=True)
        return Refused(f"{name} is not in the hand of {self.places[place]}", blocks=True)

    def answer(self, before: Hands, after: Hands, questions: Sequence[Question], owes: str) -> Refused | Open | None:
        """Return the answer of a clause about a card, given the questions that the clause raises. It is exact.

        Args:
            before: the hands before the card.
            after: the hands with the card played.
            questions: the conditions for the card to be legal, as ``follow_questions`` returns them.
            owes: the end of the sentence, ``must follow suit``.

        Returns:
            None if the card is surely legal, a refusal if it surely is not, and the open question otherwise.
        """
        badly = revokes.verdict(after, questions, exactly=True)
        if badly is False:
            return None
        place, cards = questions[0].place, 0
        for question in questions:
            cards |= question.cards
        if badly:
            certain = after.sure[place] & cards
            name = self.deck.list_cards if certain and not after.unnamed_cards else self.deck.some_of
            return Refused(f"{self.places[place]} holds {name(certain or cards)}, and {owes}")
        need = Need(self.places[place], tuple(cards_of(cards)), questions[0].ply)
        return Open((need,), not revokes.is_covered(before, place, cards))

    def breach(self, evidence: Evidence) -> Breach:
        """Return evidence as a breach with its sentence: ``p2 held 5H, but did not follow suit``.

        If several plies together break the rules, the sentence says that they cannot all have been legal.
        """
        if len(evidence.plies) > 1:
            return Breach(evidence.plies, evidence.key, revokes.clash_text(evidence.plies), evidence.decided_by)
        cards = self.deck.list_cards(evidence.cards) if evidence.seen else self.deck.some_of(evidence.cards)
        because = f"{self.places[evidence.place]} held {cards}, but {self.broke[evidence.key]}"
        return Breach(evidence.plies, evidence.key, because, evidence.decided_by)

    def exact(self, state: HasHands, question: Open) -> Open | None:
        """Return a question that a ply has raised if it may still have either answer by every deal that fits; else
        None.

        It is a function for ``Hidden.exact``.
        """
        ply = question.needs[0].ply
        return question if revokes.still_open(state.hands, ply, question.clause.key) else None

    def tell_need(self, state: HasHands, need: Need) -> str:
        """Return in a sentence what is known by now of the cards on which a question turns.

        It is ``p2 held 5H``, ``p2 may have held 5H or 6H`` or ``p2 held none of them``. A place that this game does not
        have raises ValueError.
        """
        place, cards = self.places.index(need.place), set_of(need.slots)
        certain, may = state.hands.sure[place] & cards, state.hands.can[place] & cards
        if certain:
            return f"{need.place} held {self.deck.list_cards(certain)}"
        return (
            f"{need.place} may have held {self.deck.list_cards(may, 'or')}"
            if may
            else f"{need.place} held none of them"
        )

    def pending(self, state: HasHands) -> Pending:
        """Return what is open and what is proved if the record ends here, by every deal that fits; for
        ``Hidden.pending``.
        """
        still, late = revokes.pending(state.hands, state.ply)
        return Pending(still, tuple(map(self.breach, late)))

    def whereabouts(self, state: HasHands) -> tuple[tuple[str, str], ...]:
        """Return (cards, places) in words for all cards that were not played by name; the fewest places come first.

        Example: ``(("5H, 6H", "with p2 or p3"), …)``. A card that nobody wrote down is a place too: ``the card of ply
        9``.
        """
        names = [*self.places, *(f"the card of ply {unnamed_card.ply}" for unnamed_card in state.hands.unnamed_cards)]
        return tell_where(known.whereabouts(state.hands), self.deck.names, names, len(names))
