"""The draft of a word: a state's parts, changed step by step while it is carried out, and the first rule it breaks.

Judging and applying are one pass. A step that breaks a rule is noted and, where it can have happened, still done; one
that cannot have happened at all blocks the word.
"""

from cartulary.engine.cards.deck import set_of
from cartulary.engine.cards.draft import InOrder
from cartulary.engine.contract import Need, Open
from cartulary.engine.slots import (
    NO_SLOTS,
    SLOT,
    UNKNOWN,
    Kind,
    Slots,
    all_left,
    has_slots,
    is_slot,
    left,
    mixed,
    possible,
    some_left,
)
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import name_of
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.questions import (
    asked,
    asked_either,
    blamed,
    loosened,
    settled,
    strays,
    told_apart,
    with_slots,
)
from cartulary.engine.zarcana.spaces import AROUND, POINTS, SIZES, Ref, found, name_for, named, place_name, ref_name
from cartulary.engine.zarcana.state import (
    CODE,
    DOWN,
    HAND_LIMIT,
    POPULATION,
    Course,
    Either,
    State,
    Unseen,
    everybody_knows,
    knows,
)

ONE = tuple(bytes((code,)) for code in range(256))
"""One byte, by its value."""


class Draft(InOrder):
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
                self.unseen = asked(self.unseen, self.state.ply + 1, clause.key, codes[0], likes)
            else:
                either = Either(self.state.ply + 1, clause.key, codes, likes.bit_length() - 1)
                self.unseen = asked_either(self.unseen, either)

    def now(self, turn: int = 0, plies: int = 0, unseen: Unseen | None = None, number: int = -1) -> State:
        """Return the state of this moment.

        turn, number: whose turn it is and the rounds behind, if not the mover's and as before; plies: how many later
        unseen: what is known, if more
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
            unseen or self.unseen,
        )

    @property
    def slots(self) -> Slots:
        """What is known of hidden cards."""
        return self.unseen.slots

    @slots.setter
    def slots(self, slots: Slots) -> None:
        if slots is not self.unseen.slots:
            self.unseen = with_slots(self.unseen, slots)

    # --- minions ---

    def pick(self, ref: Ref) -> int:
        """Return the code of the minion a word names, -1 where there is none; note how it should be named."""
        here = self.men.get(ref.place, b"")
        if len(here) == 1:
            code = here[0]
            if code // 5 != ref.group or ref.point not in (-1, code % 5):
                return -1
            if ref.point >= 0:
                self.spelled += ((ref, Ref(ref.place, ref.group)),)
            return code
        code = found(here, ref)
        if code >= 0:
            name = named(here, ref)
            if name is None:
                self.unclear = self.unclear or ref
            elif name != ref:
                self.spelled += ((ref, name),)
        return code

    def nobody(self, ref: Ref) -> str:
        """Return the sentence that a minion is not there, and whose it is that is, or where it points."""
        here, (owner, size) = self.men.get(ref.place, b""), divmod(ref.group, 3)
        alike = [code for code in here if code // 5 % 3 == size]
        points = " and ".join(sorted({POINTS[code % 5] for code in alike if code // 15 == owner}))
        whose = " and ".join(sorted({f"p{code // 15}'s" for code in alike if code // 15 != owner}))
        said = f"There is no {ref_name(ref, self.seat)}"
        if points:
            return f"{said}: {ref_name(Ref(ref.place, ref.group), self.seat)} points {points}"
        return f"{said}: the {SIZES[size]} on {place_name(ref.place)} is {whose}" if whose else said

    def man_name(self, place: int, code: int) -> str:
        """Return a minion on the board as a word of the seat names it."""
        return ref_name(name_for(self.men.get(place, b""), place, code), self.seat)

    def enter(self, place: int, code: int) -> None:
        """Put a new minion in a space, from its owner's stash, which has one."""
        self.men = {**self.men, place: bytes(sorted((*self.men.get(place, b""), code)))}
        self.from_stash(code)

    def take(self, place: int, code: int) -> None:
        """Take a minion from a space."""
        men = self.men.copy()
        rest = men[place].replace(ONE[code], b"", 1)
        if rest:
            men[place] = rest
        else:
            del men[place]
        self.men = men

    def move(self, place: int, code: int, to: int, other: int) -> None:
        """Move a minion, which points differently there."""
        self.take(place, code)
        men = self.men
        men[to] = bytes(sorted((*men.get(to, b""), other)))

    def become(self, place: int, code: int, other: int) -> None:
        """Put another piece in a minion's stead; that piece's owner has one."""
        self.move(place, code, place, other)
        if code // 5 != other // 5:
            self.from_stash(other)
            self.to_stash(code)

    def from_stash(self, code: int) -> None:
        """Take a piece like this minion from its owner's stash, which has one."""
        stash, at = bytearray(self.stash), code // 5 - 3
        stash[at] -= 1
        self.stash = bytes(stash)

    def has_piece(self, code: int) -> bool:
        """Say whether a stash has a piece like this minion."""
        return self.stash[code // 5 - 3] > 0

    def to_stash(self, code: int) -> None:
        """Give a destroyed minion back."""
        stash, at = bytearray(self.stash), code // 5 - 3
        stash[at] += 1
        self.stash = bytes(stash)

    def destroy(self, place: int, code: int) -> None:
        """Take a minion off the board."""
        self.take(place, code)
        self.to_stash(code)

    def is_full(self, place: int) -> bool:
        """Say whether the population limit keeps minions out of a space."""
        return len(self.men.get(place, b"")) >= POPULATION

    # --- spaces ---

    def touches(self, place: int) -> bool:
        """Say whether a space is edge to edge with a card."""
        cards = self.cards
        return any(place + step in cards for step in AROUND)

    def is_land(self, place: int) -> bool:
        """Say whether a minion may be in a space."""
        return place in self.cards or self.touches(place)

    def wither(self, place: int) -> None:
        """Destroy the minions of a space that is no land any more."""
        if place in self.men and not self.is_land(place):
            for code in self.men[place]:
                self.destroy(place, code)

    def lay(self, place: int, entry: int) -> None:
        """Lay a card on a space."""
        cards = self.cards.copy()
        cards[place] = (*cards.get(place, ()), entry)
        self.cards = cards

    def lift(self, place: int) -> int:
        """Take the top card off a space; whoever then stands off the allowed spaces is destroyed."""
        cards = self.cards.copy()
        stack = cards[place]
        if len(stack) > 1:
            cards[place] = stack[:-1]
            self.cards = cards
        else:
            del cards[place]
            self.cards = cards
            self.wither(place)
            for step in AROUND:
                self.wither(place + step)
        return stack[-1]

    def leave(self, place: int, shown: int = -1) -> int:
        """Take the top card off a space and return its code, a face-down one as the word shows it."""
        if shown >= 0:
            self.turn_up(place, shown)
        return self.lift(place) & CODE

    def turn_up(self, place: int, shown: int) -> None:
        """Show the top card of a space, which lies face down or is not known."""
        stack = self.cards[place]
        code, down = stack[-1] & CODE, stack[-1] & DOWN
        where = place_name(place)
        if not down and not is_slot(code):
            self.refuse(clauses.WHEEL, f"The card on {where} lies face up")
        if is_slot(code) and shown != UNKNOWN:
            code = self.matched(bytes((code,)), bytes((shown,)), clauses.WHEEL, f"on {where}")[0]
        elif shown not in (code, UNKNOWN):
            self.block(clauses.WHEEL, f"The card on {where} is not {name_of(shown)}")
        cards = self.cards.copy()
        cards[place] = (*stack[:-1], code | stack[-1] & ~(DOWN | CODE))
        self.cards = cards

    # --- hidden cards ---

    def matched(self, zone: bytes, cards: bytes, clause: AnyClause, where: str) -> bytes:
        """Return the codes of a zone once some of its cards are seen to be these, in the order of the word.

        Refuses by the clause, or card-twice where a card lies elsewhere, what the zone cannot hold.
        """
        alike = all_left(self.slots, zone, cards) if not self.unseen.either else None
        if alike is not None:
            self.slots = alike
            return cards + zone[len(cards) :]
        got, lying = bytearray(), zone
        for card in cards:
            if card == UNKNOWN:
                break
            at = lying.find(card)
            if at < 0:
                self.unseen = told_apart(self.unseen, lying, card)
                taken = left(self.slots, lying, 1 << card)
                if taken is None and self.unseen.asks:
                    self.stray = self.stray or strays(self.unseen, lying, card)
                    if not self.stray:
                        self.unseen, taken = blamed(self.unseen, lying, card, self.state.ply + 1)
                if taken is None:
                    twice = clause is clauses.DECK_ORDER and has_slots(lying) and self.lies_open(card)
                    said = f"{name_of(card)} cannot be {where}{self.elsewhere(card)}"
                    self.block(clauses.CARD_TWICE if twice else clause, said)
                self.slots, lying, at, _ = taken
                self.unseen = settled(self.unseen, lying[at], card, self.state.ply + 1)
            got.append(card)
            lying = lying[:at] + lying[at + 1 :]
        return bytes(got) + lying

    def may_be(self, code: int, card: int) -> bool:
        """Say whether a slot may hold a card."""
        return bool(possible(self.slots, code) >> card & 1)

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

    def from_hand(self, seat: int, card: int) -> int:
        """Take a card from a hand, UNKNOWN for one nobody on record saw, and return its code."""
        hand = self.hands[seat - 1]
        at = hand.find(card)
        if at < 0:
            at = 0
            if not hand:
                self.block(clauses.IN_HAND, f"p{seat} has no cards")
            elif card == UNKNOWN:
                self.unseen = loosened(self.unseen, hand)
                self.slots, hand = some_left(self.slots, hand)
                card = hand[0]
            else:
                lying = self.matched(hand, bytes((card,)), clauses.IN_HAND, f"in p{seat}'s hand")
                hand = bytes((card,)) + lying[1:]
        self.set_hand(seat, hand[:at] + hand[at + 1 :])
        return card

    def holds(self, seat: int, cards: bytes) -> None:
        """Refuse a card that cannot be in a hand."""
        hand = self.hands[seat - 1]
        if all_left(self.slots, hand, cards) is not None:
            return
        for card in cards:
            if card in hand or (card == UNKNOWN and hand):
                continue
            if left(self.slots, hand, 1 << card) is None:
                self.stray = self.stray or strays(self.unseen, hand, card)
                held = f"p{seat} does not hold {name_of(card)}{self.elsewhere(card)}"
                self.block(clauses.IN_HAND, held if hand else f"p{seat} has no cards")

    def set_hand(self, seat: int, hand: bytes) -> None:
        """Give a seat another hand."""
        hands = self.hands
        self.hands = (*hands[: seat - 1], hand, *hands[seat:])

    def discard(self, code: int) -> None:
        """Put a card on the discards."""
        self.pile += bytes((code,))

    # --- drawing ---

    @property
    def available(self) -> int:
        """How many cards can be drawn."""
        return len(self.deck) + len(self.pile)

    def room(self, seat: int) -> int:
        """Return how many cards the hand limit lets a seat take."""
        return max(HAND_LIMIT - len(self.hands[seat - 1]), 0)

    def reshuffle(self) -> None:
        """Make the discards the deck."""
        self.unseen = loosened(self.unseen, self.pile)
        slots = self.slots
        if not any(kind.size for kind in slots.kinds):
            # No card is hidden, so the discards become the one kind there is.
            cards = bytes(sorted(self.pile))
            if len(cards) > 1:
                self.slots = Slots((Kind(0, set_of(cards), len(cards)),), (cards,))
            self.deck = bytes((SLOT,)) * len(cards) if len(cards) > 1 else cards
            self.pile, self.shuffled = b"", True
            return
        trimmed = tuple(
            Kind(kind.pool, kind.mask & sum(1 << card for card in slots.pools[kind.pool]), kind.size)
            for kind in slots.kinds
        )
        slots, self.deck = mixed(Slots(trimmed, slots.pools) if trimmed else NO_SLOTS, self.pile)
        self.slots, self.pile, self.shuffled = slots, b"", True

    def off_deck(self, cards: bytes) -> bytes:
        """Take as many cards off the deck as the word has, and return their codes; there are as many."""
        count = len(cards)
        top = self.deck[:count]
        self.deck = self.deck[count:]
        if len(top) < count:
            self.reshuffle()
            missing = count - len(top)
            top, self.deck = top + self.deck[:missing], self.deck[missing:]
        if top == cards or (count > 1 and bytes(sorted(top)) == cards):
            return top
        if cards[0] == UNKNOWN:
            return top
        where = "among the next of the deck" if count > 1 else "next in the deck"
        return self.matched(top, cards, clauses.DECK_ORDER, where)

    def draw(self, seat: int, cards: bytes) -> None:
        """Draw cards into a hand: nobody else sees them."""
        got = self.off_deck(cards) if cards else b""
        if self.known:
            for code in got:
                if not is_slot(code):
                    self.known &= ~everybody_knows(code)
        self.set_hand(seat, self.hands[seat - 1] + got)

    def take_openly(self, seat: int, code: int) -> None:
        """Take a card into a hand where all see it."""
        if not is_slot(code):
            self.known |= everybody_knows(code)
        self.set_hand(seat, self.hands[seat - 1] + bytes((code,)))

    def hand_to(self, giver: int, code: int, taker: int) -> None:
        """Put a card taken from one hand in another, unseen by the rest."""
        if not is_slot(code):
            self.known = self.known & ~everybody_knows(code) | knows(giver, code)
        self.set_hand(taker, self.hands[taker - 1] + bytes((code,)))
