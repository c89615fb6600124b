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
    """Return what is known of unseen cards with these slots, without the questions whose card has come to light.

    ``slots`` replaces what was known of where such cards may lie; a question is dropped once its slot is used up.
    """
    asks = unseen.asks
    if asks:
        asks = tuple(ask for ask in asks if slots.kinds[ask.code - SLOT].size)
    return replace(unseen, slots=slots, asks=asks)


def set_card_apart(unseen: Unseen, code: int) -> tuple[Unseen, int]:
    """Give one card of a slot a slot of its own, so that more can be known of it than of the others.

    Returns:
        What is known, and the code of that slot; the slot as it was if it is one card's already or no code is left.
    """
    if unseen.slots.kinds[code - SLOT].size == 1 or len(unseen.slots.kinds) >= MOST_KINDS:
        return unseen, code
    slots, own = set_apart(unseen.slots, code)
    return replace(unseen, slots=slots), own


def assume_cards(unseen: Unseen, code: int, cards: int) -> Unseen:
    """Return what is known if the card in a slot of its own is one of these (bits).

    ``unseen`` is returned unchanged if the slot is shared by several cards.
    """
    alone = unseen.slots.kinds[code - SLOT].size == 1
    return replace(unseen, slots=restrict(unseen.slots, code, cards)) if alone else unseen


def add_question(unseen: Unseen, ply: int, key: str, code: int, likes: int) -> Unseen:
    """Return what is known once a ply was legal only if an unseen card is one of some.

    A slot shared by several cards leaves the question open for ever.

    Args:
        unseen: What is known before.
        ply: The ply.
        key: The key of the rule it may have broken.
        code: The slot of the card.
        likes: The cards with which the ply was legal, as bits.
    """
    kind = unseen.slots.kinds[code - SLOT] if code >= SLOT else None
    if kind is None or kind.size != 1:
        return replace(unseen, unanswerable=(*unseen.unanswerable, (ply, key)))
    wide = next((ask.wide for ask in unseen.asks if ask.code == code), kind.mask)
    slots = restrict(unseen.slots, code, kind.mask & likes)
    return replace(unseen, slots=slots, asks=(*unseen.asks, Ask(ply, key, code, wide, likes, likes)))


def without_answers(unseen: Unseen, questions: tuple[Ask, ...]) -> Unseen:
    """Return what is known without the assumption that these questions have the answer that makes their ply legal.

    The other questions are asked again of all readings, not only of what this one assumed.
    """
    slots = unseen.slots
    asks = tuple(replace(ask, took=ask.likes) for ask in unseen.asks if ask not in questions)
    for question in unseen.asks:
        if question in questions or question.took != question.likes:
            mask = question.wide
            for ask in asks:
                mask &= ask.likes if ask.code == question.code else -1
            slots = restrict(slots, question.code, mask)
    return replace(unseen, slots=slots, asks=asks)


def drop_questions(unseen: Unseen, zone: bytes) -> Unseen:
    """Return what is known once the cards of a zone have become alike: questions about them stay open for ever.

    ``zone`` are the codes of the cards. ``unseen`` is returned unchanged if nothing is asked about them.
    """
    dim = tuple(question for question in unseen.either if any(code in zone for code in question.codes))
    if dim:
        dropped = unseen.unanswerable + tuple((question.ply, question.key) for question in dim)
        unseen = replace(
            unseen, unanswerable=dropped, either=tuple(question for question in unseen.either if question not in dim)
        )
    asks = tuple(ask for ask in unseen.asks if ask.code in zone)
    if not asks:
        return unseen
    after = without_answers(unseen, asks)
    return replace(after, unanswerable=after.unanswerable + tuple((ask.ply, ask.key) for ask in asks))


def drop_indistinct(unseen: Unseen, zone: bytes, card: int) -> Unseen:
    """Return what is known when a card leaves a zone and several slots may have held it: their questions stay open for
    ever.

    Args:
        unseen: What is known before.
        zone: The codes of the zone.
        card: The card that leaves. Nothing changes if at most one slot may have held it.
    """
    if not unseen.asks and not unseen.either:
        return unseen
    slots = unseen.slots
    may = {code for code in zone if is_slot(code) and slots.kinds[code - SLOT].mask >> card & 1}
    may = {code for code in may if card in slots.pools[slots.kinds[code - SLOT].pool]}
    return drop_questions(unseen, bytes(may)) if len(may) > 1 else unseen


def add_either(unseen: Unseen, question: Either) -> Unseen:
    """Return what is known once a ply was legal only if one of several unseen cards is the one it names.

    If one of the slots is shared by several cards, the question can never be answered and is noted so.
    """
    kinds = unseen.slots.kinds
    if len(set(question.codes)) < len(question.codes) or any(kinds[code - SLOT].size != 1 for code in question.codes):
        return replace(unseen, unanswerable=(*unseen.unanswerable, (question.ply, question.key)))
    return replace(unseen, either=(*unseen.either, question))


def answer_either(unseen: Unseen, code: int, card: int, ply: int) -> Unseen:
    """Return what is known of questions about several cards once a card has come to light in a slot.

    Such a question is answered, has one card less to ask about, or proves that its ply broke a rule.

    Args:
        unseen: What is known before.
        code: The slot.
        card: The card.
        ply: The ply by which it came to light.
    """
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
            unseen = replace(unseen, breaches=(*unseen.breaches, Breach((question.ply,), question.key, because, ply)))
        elif len(rest) == 1:
            unseen = add_question(unseen, question.ply, question.key, rest[0], 1 << question.card)
        else:
            unseen = replace(unseen, either=(*unseen.either, Either(question.ply, question.key, rest, question.card)))
    return unseen


def contradicts_assumption(unseen: Unseen, zone: bytes, card: int) -> bool:
    """Say whether a card cannot be in a zone only because of what this reading assumed unseen cards to be.

    Then the card does not fit this reading, but proves no breach.
    """
    if all(ask.took == ask.likes for ask in unseen.asks):
        return False
    return remove(without_answers(unseen, ()).slots, zone, 1 << card) is not None


def find_blame(unseen: Unseen, zone: bytes, card: int, ply: int) -> tuple[Unseen, Removal | None]:
    """Find the plies that cannot have been legal, as a card has come to light where they exclude it.

    Args:
        unseen: What is known before.
        zone: The zone in which it was.
        card: The card.
        ply: The ply by which it came to light.

    Returns:
        What is known, with one breach: of one ply if that explains it, else of all together; and the slots and zone
        without the card. What was known before and None if even that does not explain it.
    """
    # Invariant: the mask of a slot of its own is what the card may be if every ply that asked it was legal. A card that
    # no mask allows proves that one ply was not. Example: plies 7 and 9 both need the card on e1 to be a Cup, and 5D
    # comes to light there: taking one of them back does not explain it, so all are named.
    for asks in (*((ask,) for ask in unseen.asks), unseen.asks):
        loose = without_answers(unseen, asks)
        removal = remove(loose.slots, zone, 1 << card) if asks else None
        if removal is not None:
            so = "these plies cannot all have been legal" if len(asks) > 1 else "this cannot have been legal"
            because = f"{name_of(card)} has come to light, so {so}"
            breach = Breach(tuple(ask.ply for ask in asks), asks[0].key, because, ply)
            return replace(loose, breaches=(*loose.breaches, breach)), removal
    return unseen, None


def pending(state: State) -> Pending:
    """Return the questions that can still be answered either way if the record ends here, in any reading; no breaches.

    Those of a ply that is proved to have broken that rule are left out.
    """
    still = {question for reading in states_of(state) for question in _open_questions(reading.unseen)}
    breaches = {(breach.plies[0], breach.key) for breach in state.unseen.breaches if len(breach.plies) == 1}
    return Pending(tuple(sorted(still - breaches))) if still else NOTHING_PENDING


def _open_questions(unseen: Unseen) -> list[tuple[int, str]]:
    """Return (ply, key of the rule) of the questions that stay open with what is known; some may come twice."""
    still = [*unseen.unanswerable, *((question.ply, question.key) for question in unseen.either)]
    for ask in unseen.asks:
        slots = restrict(unseen.slots, ask.code, ask.wide & ~ask.likes)
        if fits(slots, slots.kinds[ask.code - SLOT].pool):
            still.append((ask.ply, ask.key))
    return still


# --- the draft ---


class Draft(Zones, InOrder):
    """What a State holds, changed step by step while a word is carried out, and the names minions should have had.

    Attributes:
        again: How a High Priestess has been used by this word, as bits (``Course.run``).
        new_demands: The demands that an Emperor has made, as (giver, taker).
        shuffled: Whether the discards have become the deck.
        cards_in_play: The cards on their way to the discards.
        assumed_card: The card that an unknown territory is taken to be, -1 for none.
        stray: True if another reading took that card to be what the word says.
        doubts: For every question (clause, slots that the unknown cards have alone, cards as bits); one of those in the
            slots must be one of the cards.
        renames: The minions with another name than they should have, each with the right name, None if it needs none.
        unclear: The first name that may be two minions.
    """

    again = 0
    new_demands: tuple[tuple[int, int], ...] = ()
    shuffled: bool = False
    cards_in_play = b""
    assumed_card = -1
    stray = False
    doubts: tuple[tuple[AnyClause, bytes, int], ...] = ()
    renames: tuple[tuple[Ref, Ref | None], ...] = ()
    unclear: Ref | None = None

    def __init__(self, state: State, seat: int) -> None:
        """Begin with a state as it stands before the word of this seat."""
        self.state, self.seat = state, seat
        self.cards, self.men, self.hands = state.cards, state.men, state.hands
        self.deck, self.pile, self.stash, self.knowledge = state.deck, state.pile, state.stash, state.knowledge
        self.course: Course = state.course
        self.unseen: Unseen = state.unseen

    def ask_of_cards(self, clause: AnyClause, where: str, codes: bytes, likes: int, asks: tuple[int, ...] = ()) -> None:
        """Ask whether a rule is broken: one of the cards in some slots must be one with which the word is legal.

        Args:
            clause: The rule.
            where: Where the cards lie, as a sentence says it: ``the board``.
            codes: The slots.
            likes: The cards that make the word legal, as bits.
            asks: The slots as the question lists them, if they are others.
        """
        self.ask(clause, Open((Need(where, asks or tuple(codes), self.state.ply + 1),)))
        self.doubts += ((clause, codes, likes),)

    def record_conditions(self) -> None:
        """Note in what is known of unseen cards (``unseen``) what they must be for the word to be legal: its
        questions.
        """
        for clause, codes, likes in self.doubts:
            if len(codes) == 1:
                self.unseen = add_question(self.unseen, self.state.ply + 1, clause.key, codes[0], likes)
            else:
                either = Either(self.state.ply + 1, clause.key, codes, likes.bit_length() - 1)
                self.unseen = add_either(self.unseen, either)

    def state_now(self, turn: int = 0, plies: int = 0, number: int = -1) -> State:
        """Return the state as the draft has it now; it has no other readings.

        Args:
            turn: The seat whose turn it is, 0 for the mover's.
            plies: How many plies later than before the word.
            number: How many rounds are over, -1 for as many as before.
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
            self.knowledge,
            turn or self.seat,
            before.round if number < 0 else number,
            before.ply + plies,
            self.course,
            self.unseen,
        )

    @property
    def slots(self) -> Slots:
        """What is known of hidden cards: the slots of ``unseen``. Set, it drops the questions whose card has come to
        light.
        """
        return self.unseen.slots

    @slots.setter
    def slots(self, slots: Slots) -> None:
        """Replace what is known of hidden cards; questions about a card that has come to light are dropped."""
        if slots is not self.unseen.slots:
            self.unseen = with_slots(self.unseen, slots)

    def match_cards(self, zone: bytes, cards: bytes, clause: AnyClause, where: str) -> bytes:
        """Return a zone once some of its cards are seen to be these, which come first, in the order of the word.

        Args:
            zone: The codes of the zone.
            cards: The cards.
            clause: The rule that is broken if the zone cannot hold them; ``card-twice`` if one is known to lie
                elsewhere.
            where: Where the zone is, as a sentence says it: ``in the discard pile``.

        Raises:
            BlockedError: The zone cannot hold one of them.
        """
        alike = remove_all(self.slots, zone, cards) if not self.unseen.either else None
        if alike is not None:
            self.slots = alike
            return cards + zone[len(cards) :]
        lying, _, wrong = self.in_front(zone, cards)
        if wrong >= 0:
            twice = clause is clauses.DECK_ORDER and has_slots(lying) and self.lies_outside_deck(wrong)
            lies = (
                ": it lies further down"
                if where.endswith("the deck") and wrong in self.deck
                else self.where_known(wrong)
            )
            because = f"{name_of(wrong)} cannot be {where}{lies}"
            self.block(clauses.CARD_TWICE if twice else clause, because)
        return lying

    def search(self, zone: bytes, card: int) -> Match | None:
        """Find a card that leaves a zone, UNKNOWN for any; return what ``Match`` says, None if it cannot be there.

        Which card an UNKNOWN one was can never be said, so questions about the cards of the zone stay open.
        """
        if card == UNKNOWN:
            self.unseen = drop_questions(self.unseen, zone)
        return super().search(zone, card)

    def uncover(self, zone: bytes, card: int) -> Match | None:
        """Find a card among the unseen ones of a zone, answer what was asked of them, or add the breach that it proves.

        Returns:
            The zone with the slot that becomes this card, its index, the card and False; None if the card cannot be
            there.
        """
        self.unseen, ply = drop_indistinct(self.unseen, zone, card), self.state.ply + 1
        # The card is looked for where all questions are answered well; only if it fits nowhere there is somebody to
        # blame. A stray is no blame: another reading took the answers to be what this card says.
        removal = remove(self.slots, zone, 1 << card)
        if removal is None and self.unseen.asks:
            self.stray = self.stray or contradicts_assumption(self.unseen, zone, card)
            if not self.stray:
                self.unseen, removal = find_blame(self.unseen, zone, card, ply)
        if removal is None:
            return None
        self.slots, zone, at, _ = removal
        self.unseen = answer_either(self.unseen, zone[at], card, ply)
        return zone, at, card, False

    def lies_outside_deck(self, card: int) -> bool:
        """Say whether a card is known to lie somewhere else than in the deck; False also if it is not known where it
        lies.
        """
        return card not in self.deck and bool(self.where_known(card))

    def where_known(self, card: int) -> str:
        """Return where a card is known to lie, as the end of a sentence: ``: p2 holds it``; "" if it is not known."""
        if card in self.cards_in_play:
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
