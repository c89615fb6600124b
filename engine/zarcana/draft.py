"""The draft of a word: a state's parts, changed step by step while it is carried out, and the first rule it breaks.

Judging and applying are one pass. A step that breaks a rule is noted and, where it can have happened, still done; one
that cannot have happened at all blocks the word.

A question turns on one unknown card lying open, or on one of several. The card has a kind of slots for itself, whose
mask is what it may be if every ply that the question is of was legal. A later card answers it.
"""

from msgspec.structs import replace

from cartulary.engine.cards.draft import InOrder
from cartulary.engine.cards.zones import Match, Zones
from cartulary.engine.contract import NOTHING_PENDING, Breach, Need, Open, Pending
from cartulary.engine.readings import states_of
from cartulary.engine.slots import (
    MOST_KINDS,
    SLOT,
    UNKNOWN,
    Removal,
    Slots,
    fits,
    has_slots,
    is_slot,
    remove,
    remove_all,
    restrict,
    set_apart,
)
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import name_of
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.moves import Ref, place_name
from cartulary.engine.zarcana.state import CODE, Ask, Course, Either, State, Unseen

# --- questions about unknown cards ---


def with_slots(unseen: Unseen, slots: Slots) -> Unseen:
    """Return what is known with other slots; a question whose card has come to light is answered."""
    asks = unseen.asks
    if asks:
        asks = tuple(ask for ask in asks if slots.kinds[ask.code - SLOT].size)
    return replace(unseen, slots=slots, asks=asks)


def apart(unseen: Unseen, code: int) -> tuple[Unseen, int]:
    """Return what is known once one of the cards of a slot has a slot for itself, and which it is."""
    if unseen.slots.kinds[code - SLOT].size == 1 or len(unseen.slots.kinds) >= MOST_KINDS:
        return unseen, code
    slots, own = set_apart(unseen.slots, code)
    return replace(unseen, slots=slots), own


def taken_as(unseen: Unseen, code: int, cards: int) -> Unseen:
    """Return what is known if the card of a slot of its own is one of these; all as it was if it has none."""
    alone = unseen.slots.kinds[code - SLOT].size == 1
    return replace(unseen, slots=restrict(unseen.slots, code, cards)) if alone else unseen


def with_question(unseen: Unseen, ply: int, key: str, code: int, likes: int) -> Unseen:
    """Return what is known once a ply has asked the card of a slot: it was legal with the cards it likes.

    A slot that is not one card's alone leaves the question open for ever.
    """
    kind = unseen.slots.kinds[code - SLOT] if code >= SLOT else None
    if kind is None or kind.size != 1:
        return replace(unseen, dropped=(*unseen.dropped, (ply, key)))
    wide = next((ask.wide for ask in unseen.asks if ask.code == code), kind.mask)
    slots = restrict(unseen.slots, code, kind.mask & likes)
    return replace(unseen, slots=slots, asks=(*unseen.asks, Ask(ply, key, code, wide, likes, likes)))


def without(unseen: Unseen, gone: tuple[Ask, ...]) -> Unseen:
    """Return what is known if these questions are not taken to be answered well, in whatever reading."""
    slots = unseen.slots
    asks = tuple(replace(ask, took=ask.likes) for ask in unseen.asks if ask not in gone)
    for question in unseen.asks:
        if question in gone or question.took != question.likes:
            mask = question.wide
            for ask in asks:
                mask &= ask.likes if ask.code == question.code else -1
            slots = restrict(slots, question.code, mask)
    return replace(unseen, slots=slots, asks=asks)


def loosen(unseen: Unseen, zone: bytes) -> Unseen:
    """Return what is known once the cards of a zone cannot be distinguished: their questions stay open for ever."""
    dim = tuple(question for question in unseen.either if any(code in zone for code in question.codes))
    if dim:
        dropped = unseen.dropped + tuple((question.ply, question.key) for question in dim)
        unseen = replace(
            unseen, dropped=dropped, either=tuple(question for question in unseen.either if question not in dim)
        )
    gone = tuple(ask for ask in unseen.asks if ask.code in zone)
    if not gone:
        return unseen
    after = without(unseen, gone)
    return replace(after, dropped=after.dropped + tuple((ask.ply, ask.key) for ask in gone))


def told_apart(unseen: Unseen, zone: bytes, card: int) -> Unseen:
    """Return what is known once a card leaves a zone: which of its slots it was may be nothing anybody can tell."""
    if not unseen.asks and not unseen.either:
        return unseen
    slots = unseen.slots
    may = {code for code in zone if is_slot(code) and slots.kinds[code - SLOT].mask >> card & 1}
    may = {code for code in may if card in slots.pools[slots.kinds[code - SLOT].pool]}
    return loosen(unseen, bytes(may)) if len(may) > 1 else unseen


def with_either(unseen: Unseen, question: Either) -> Unseen:
    """Return what is known once a ply has asked several cards whether one of them is the one it names."""
    kinds = unseen.slots.kinds
    if len(set(question.codes)) < len(question.codes) or any(kinds[code - SLOT].size != 1 for code in question.codes):
        return replace(unseen, dropped=(*unseen.dropped, (question.ply, question.key)))
    return replace(unseen, either=(*unseen.either, question))


def settle(unseen: Unseen, code: int, card: int, ply: int) -> Unseen:
    """Return what is known of questions of several cards once a slot has come to light as a card."""
    for question in unseen.either:
        if card != question.card and code not in question.codes:
            continue
        rest = question.codes.replace(bytes((code,)), b"")
        unseen = replace(unseen, either=tuple(other for other in unseen.either if other is not question))
        if card == question.card and code in question.codes:
            continue
        may = [code for code in rest if unseen.slots.kinds[code - SLOT].mask >> question.card & 1]
        if card == question.card or not may:
            because = (
                f"{name_of(card)} has come to light, so no card that lay face up then was {name_of(question.card)}"
            )
            unseen = replace(unseen, proved=(*unseen.proved, Breach((question.ply,), question.key, because, ply)))
        elif len(rest) == 1:
            unseen = with_question(unseen, question.ply, question.key, rest[0], 1 << question.card)
        else:
            unseen = replace(unseen, either=(*unseen.either, Either(question.ply, question.key, rest, question.card)))
    return unseen


def strays(unseen: Unseen, zone: bytes, card: int) -> bool:
    """Say whether a card of a zone fits the questions, and only not what this reading took the answers to be."""
    if all(ask.took == ask.likes for ask in unseen.asks):
        return False
    return remove(without(unseen, ()).slots, zone, 1 << card) is not None


def blame(unseen: Unseen, zone: bytes, card: int, ply: int) -> tuple[Unseen, Removal | None]:
    """Return what is known, and what is left of a zone without a card, once the plies are named that exclude it.

    One ply if taking one back is enough, else all of them together; None where even that does not help.
    """
    # Invariant: the mask of a slot of its own is what the card may be if every ply that asked it was legal. A card that
    # no mask allows proves that one ply was not. Example: plies 7 and 9 both need the card on e1 to be a Cup, and 5D
    # comes to light there: taking one of them back does not explain it, so all are named.
    for gone in (*((ask,) for ask in unseen.asks), unseen.asks):
        loose = without(unseen, gone)
        taken = remove(loose.slots, zone, 1 << card) if gone else None
        if taken is not None:
            so = "these plies cannot all have been legal" if len(gone) > 1 else "this cannot have been legal"
            because = f"{name_of(card)} has come to light, so {so}"
            breach = Breach(tuple(ask.ply for ask in gone), gone[0].key, because, ply)
            return replace(loose, proved=(*loose.proved, breach)), taken
    return unseen, None


def pending(state: State) -> Pending:
    """Return the questions that have both answers if the record ends here, in any reading."""
    still = {question for reading in states_of(state) for question in _open(reading.unseen)}
    known = {(breach.plies[0], breach.key) for breach in state.unseen.proved if len(breach.plies) == 1}
    return Pending(tuple(sorted(still - known))) if still else NOTHING_PENDING


def _open(unseen: Unseen) -> list[tuple[int, str]]:
    still = [*unseen.dropped, *((question.ply, question.key) for question in unseen.either)]
    for ask in unseen.asks:
        slots = restrict(unseen.slots, ask.code, ask.wide & ~ask.likes)
        if fits(slots, slots.kinds[ask.code - SLOT].pool):
            still.append((ask.ply, ask.key))
    return still


# --- the draft ---


class Draft(Zones, InOrder):
    """What a State holds, changed in place, with the names of minions as they should be spelled.

    Attributes:
        again: how a High Priestess has been used, as bits.
        owed: the demands that were made.
        played: the cards on their way to the discards.
        taken: the card that an unknown territory is taken to be, -1 for none.
        stray: True if that card is not what the word says.
        doubts: for every question (clause, slots that the unknown cards have alone, cards as bits); one of those in the
            slots must be one of the cards.
        spelled: the minions with another name than they should have, each with the right name, None if it needs none.
        unclear: the first name that may be two minions.
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
        """Ask a rule of unknown cards: one of those in some slots must be one of the cards that make the word legal.

        Args:
            clause: the rule.
            where: where the cards lie, as a sentence says it.
            codes: the slots.
            likes: the cards that make the word legal, as bits.
            asks: the slots as the question lists them, if otherwise.
        """
        self.ask(clause, Open((Need(where, asks or tuple(codes), self.state.ply + 1),)))
        self.doubts += ((clause, codes, likes),)

    def narrow(self) -> None:
        """Keep what unknown cards must be for the word to be legal."""
        for clause, codes, likes in self.doubts:
            if len(codes) == 1:
                self.unseen = with_question(self.unseen, self.state.ply + 1, clause.key, codes[0], likes)
            else:
                either = Either(self.state.ply + 1, clause.key, codes, likes.bit_length() - 1)
                self.unseen = with_either(self.unseen, either)

    def now(self, turn: int = 0, plies: int = 0, number: int = -1) -> State:
        """Return the state of this moment.

        Args:
            turn: whose turn it is, by default the mover's.
            plies: how many plies later.
            number: how many rounds are over, by default as before.
        """
        before = self.state
        return State(
            before.options,
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

    def match(self, zone: bytes, cards: bytes, clause: AnyClause, where: str) -> bytes:
        """Return the codes of a zone once some of its cards are seen to be these, in the order of the word.

        Refuses by the clause, or card-twice where a card lies elsewhere, what the zone cannot hold.
        """
        alike = remove_all(self.slots, zone, cards) if not self.unseen.either else None
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

    def search(self, zone: bytes, card: int) -> Match | None:
        """Find a card that leaves a zone, UNKNOWN for any, of which no question can be asked any more."""
        if card == UNKNOWN:
            self.unseen = loosen(self.unseen, zone)
        return super().search(zone, card)

    def uncover(self, zone: bytes, card: int) -> Match | None:
        """Find a card among the unknown ones of a zone; it answers what was asked of them, or names who is to blame."""
        self.unseen, ply = told_apart(self.unseen, zone, card), self.state.ply + 1
        # The card is looked for where all questions are answered well; only if it fits nowhere there is somebody to
        # blame. A stray is no blame: another reading took the answers to be what this card says.
        taken = remove(self.slots, zone, 1 << card)
        if taken is None and self.unseen.asks:
            self.stray = self.stray or strays(self.unseen, zone, card)
            if not self.stray:
                self.unseen, taken = blame(self.unseen, zone, card, ply)
        if taken is None:
            return None
        self.slots, zone, at, _ = taken
        self.unseen = settle(self.unseen, zone[at], card, ply)
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
