"""The draft of a word: a state's parts, changed step by step while it is carried out, and the first rule it breaks.

Judging and applying are one pass. A step that breaks a rule is noted and, where it can have happened, still done; one
that cannot have happened at all blocks the word.
"""

from cartulary.engine.cards.draft import InOrder
from cartulary.engine.cards.zones import Found, Zones
from cartulary.engine.contract import Need, Open
from cartulary.engine.slots import UNKNOWN, Slots, all_left, has_slots, left
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import name_of
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.place_names import Ref, place_name
from cartulary.engine.zarcana.questions import (
    blame,
    loosen,
    settled,
    strays,
    told_apart,
    with_either,
    with_question,
    with_slots,
)
from cartulary.engine.zarcana.state import CODE, Course, Either, State, Unseen


class Draft(Zones, InOrder):
    """What a State holds, changed in place, with the names of minions as they should be said.

    again: how a High Priestess has been used, as bits; owed: demands made; played: cards on their way to the discards
    taken: the card that an unknown territory is taken to be, -1 for none; stray: that is not what the word says
    doubts: (clause, slots the unknown cards have alone, cards of which one must be one, as bits), for every question
    spelled: minions named otherwise than they should be, with the right names, None where none is needed
    unclear: the first that may be two
    """

    again = 0
    owed: tuple[tuple[int, int], ...] = ()
    shuffled = False
    played = b""
    taken = -1
    stray = False
    doubts: tuple[tuple[AnyClause, bytes, int], ...] = ()
    spelled: tuple[tuple[Ref, Ref | None], ...] = ()
    unclear: Ref | None = None

    def __init__(self, state: State, seat: int) -> None:
        """Lay everything out as it stands before the word of this seat."""
        self.state, self.seat = state, seat
        self.cards, self.men, self.hands = state.cards, state.men, state.hands
        self.deck, self.pile, self.stash, self.known = state.deck, state.pile, state.stash, state.known
        self.course: Course = state.course
        self.unseen: Unseen = state.unseen

    def doubt(self, clause: AnyClause, where: str, codes: bytes, likes: int, asks: tuple[int, ...] = ()) -> None:
        """Ask a rule of unknown cards: one of those in these slots must be one of the cards it likes.

        asks: the slots as they are told, if otherwise
        """
        self.ask(clause, Open((Need(where, asks or tuple(codes), self.state.ply + 1),)))
        self.doubts += ((clause, codes, likes),)

    def narrowed(self) -> None:
        """Keep what unknown cards must be for the word to be legal."""
        for clause, codes, likes in self.doubts:
            if len(codes) == 1:
                self.unseen = with_question(self.unseen, self.state.ply + 1, clause.key, codes[0], likes)
            else:
                either = Either(self.state.ply + 1, clause.key, codes, likes.bit_length() - 1)
                self.unseen = with_either(self.unseen, either)

    def now(self, turn: int = 0, plies: int = 0, number: int = -1) -> State:
        """Return the state of this moment.

        turn, number: whose turn it is and the rounds behind, if not the mover's and as before; plies: how many later
        """
        before = self.state
        return State(
            before.house,
            self.cards,
            self.men,
            self.hands,
            self.deck,
            self.pile,
            self.stash,
            self.known,
            turn or self.seat,
            before.round if number < 0 else number,
            before.ply + plies,
            self.course,
            self.unseen,
        )

    @property
    def slots(self) -> Slots:
        """What is known of hidden cards."""
        return self.unseen.slots

    @slots.setter
    def slots(self, slots: Slots) -> None:
        if slots is not self.unseen.slots:
            self.unseen = with_slots(self.unseen, slots)

    def matched(self, zone: bytes, cards: bytes, clause: AnyClause, where: str) -> bytes:
        """Return the codes of a zone once some of its cards are seen to be these, in the order of the word.

        Refuses by the clause, or card-twice where a card lies elsewhere, what the zone cannot hold.
        """
        alike = all_left(self.slots, zone, cards) if not self.unseen.either else None
        if alike is not None:
            self.slots = alike
            return cards + zone[len(cards) :]
        lying, _, wrong = self.in_front(zone, cards)
        if wrong >= 0:
            twice = clause is clauses.DECK_ORDER and has_slots(lying) and self.lies_open(wrong)
            lies = (
                ": it lies further down" if where.endswith("the deck") and wrong in self.deck else self.elsewhere(wrong)
            )
            because = f"{name_of(wrong)} cannot be {where}{lies}"
            self.block(clauses.CARD_TWICE if twice else clause, because)
        return lying

    def search(self, zone: bytes, card: int) -> Found | None:
        """Find a card that leaves a zone, UNKNOWN for any, of which no question can be asked any more."""
        if card == UNKNOWN:
            self.unseen = loosen(self.unseen, zone)
        return super().search(zone, card)

    def uncovered(self, zone: bytes, card: int) -> Found | None:
        """Find a card among the unknown ones of a zone; it answers what was asked of them, or names who is to blame."""
        self.unseen, ply = told_apart(self.unseen, zone, card), self.state.ply + 1
        # The card is looked for where all questions are answered well; only if it fits nowhere there is somebody to
        # blame. A stray is no blame: another reading took the answers to be what this card says.
        taken = left(self.slots, zone, 1 << card)
        if taken is None and self.unseen.asks:
            self.stray = self.stray or strays(self.unseen, zone, card)
            if not self.stray:
                self.unseen, taken = blame(self.unseen, zone, card, ply)
        if taken is None:
            return None
        self.slots, zone, at, _ = taken
        self.unseen = settled(self.unseen, zone[at], card, ply)
        return zone, at, card, False

    def lies_open(self, card: int) -> bool:
        """Say whether the record knows where a card lies, and that this is not the deck."""
        return card not in self.deck and bool(self.elsewhere(card))

    def elsewhere(self, card: int) -> str:
        """Say where a card is known to lie, as the end of a sentence; nothing where that is not known."""
        if card in self.played:
            return ": it is being played"
        if card in self.pile:
            return ": it is in the discards"
        for seat, hand in enumerate(self.hands, 1):
            if card in hand:
                return f": p{seat} holds it"
        for place, stack in self.cards.items():
            if any(entry & CODE == card for entry in stack):
                return f": it lies on {place_name(place)}"
        return ": it lies in the deck" if card in self.deck else ""
