"""A state while a word is carried out: its cards on their way, what is known of hands, and what the word breaks.

Nothing outside this folder sees a draft; it begins as a copy of a state and ends as another state.
"""

from cartulary.engine.arcanoid.cards import name_of, names_of
from cartulary.engine.arcanoid.claims import (
    add_entries,
    can_all_hold,
    claims_of,
    denied_cards,
    find_breaches,
    find_clash,
    name_departed,
    without_claims,
)
from cartulary.engine.arcanoid.clauses import FACE_DOWN, FOOL
from cartulary.engine.arcanoid.ledgers import ANY, DENIED, DRAWN, LEFT, SIGHTING, Entry, Ledger
from cartulary.engine.arcanoid.moves import ROW
from cartulary.engine.arcanoid.state import PLACES, Commitment, Due, Options, Seat, Side, State, who_name
from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.draft import AnyClause
from cartulary.engine.cards.zones import Zones as CardZones
from cartulary.engine.cards.zones import freeze, thaw
from cartulary.engine.contract import IMPOSSIBLE, Breach, Need, Open
from cartulary.engine.slots import (
    SLOT,
    UNKNOWN,
    fits,
    has_slots,
    is_slot,
    mix,
    mix_for_removal,
    possible,
    remove,
    set_apart,
)


class Zones(CardZones):
    """The hands and other zones of a draft, which is a ``Draft``.

    Attributes:
        sides: the seats and daemons, a ``Seat`` where one is changed.
        changed_sides: the places of those that are changed.
        from_row: how many of the cards that may come from a hand or the row do come from the row.
        doubtful: how many such cards there are so far.
    """

    options: Options
    sides: list[Side | Seat]
    changed_sides: list[int]
    deck: bytes
    row: bytes | None
    dead: bool
    ply: int
    doubts: tuple[Ledger, ...]
    breaches: tuple[Breach, ...]
    lenders: tuple[int, ...]
    from_row: int
    doubtful: int

    # --- sides ---

    def seat(self, who: int) -> Seat:
        """Return the mutable side of a seat or daemon; what is set on it is in the next state. ``peek`` is for reading
        only.
        """
        return thaw(self.sides, self.changed_sides, PLACES[self.options.seats][who], Seat)

    def peek(self, who: int) -> Seat | Side:
        """Return the side of a seat or daemon for reading only; it may be the frozen one of the state before.

        ``seat`` returns one that may be changed.
        """
        return self.sides[PLACES[self.options.seats][who]]

    def set_field(self, who: int, field: int, commitment: Commitment | None) -> None:
        """Put a commitment, or None for nothing, on a field (0 to 3) of a seat or daemon; the one before is not
        discarded.
        """
        seat = self.seat(who)
        seat.fields = (*seat.fields[:field], commitment, *seat.fields[field + 1 :])

    def in_play(self, who: int) -> bool:
        """Say whether a seat or daemon takes part and has a field left to commit on; one that has not is out of the
        round.
        """
        side = self.peek(who)
        return side.plays and None in side.fields

    def why_not_in_play(self, who: int) -> str:
        """Return why a seat or daemon cannot move, as a sentence: ``p2 has committed or abdicated on all four fields``.

        If it takes no part, it is ``p2d is not in play``.
        """
        plays = self.peek(who).plays
        return f"{who_name(who)} {'has committed or abdicated on all four fields' if plays else 'is not in play'}"

    # --- cards leave ---

    def take(self, who: int, card: int, own: bool = False, clause: AnyClause = IMPOSSIBLE) -> int:
        """Remove a card from a hand, from what lies open to it or, unless ``own``, from the Justice row.

        Args:
            who: The seat or daemon.
            card: The card, UNKNOWN for one that is not named.
            own: True if the card cannot come from the row.
            clause: The rule that is broken if the card cannot have been there.

        Returns:
            The card's code: the card itself, or a slot for one that nobody on record saw.

        Raises:
            BlockedError: The card cannot have been there.
        """
        if card == UNKNOWN:
            return self._take_unknown(who)
        seat = self.seat(who)
        hand = seat.hand
        at = hand.find(card)
        if at >= 0:
            seat.hand = hand[:at] + hand[at + 1 :]
            if seat.public_cards or seat.seat_knowledge or self.doubts:
                self.note_departure(who, card)
            return card
        if card in seat.open:
            seat.open = seat.open.replace(bytes((card,)), b"", 1)
            return card
        if self.row is not None and not own and card in self.row:
            self.row = self.row.replace(bytes((card,)), b"", 1)
            return card
        if not self._from_slots(who, card, own):
            self.block(clause, f"{who_name(who)} does not have {name_of(card)}")
        return card

    def take_unseen(self, who: int, card: int, own: bool = False) -> int:
        """Remove a card as ``take`` does, and return its code; if it was in the hand, the others do not see which card
        left.

        So nothing that was known of the hand before is known any more.

        Raises:
            BlockedError: The card cannot have been there.
        """
        seat = self.seat(who)
        before = len(seat.hand)
        code = self.take(who, card, own)
        if len(seat.hand) < before:
            seat.public_cards, seat.seat_knowledge = 0, ()
        return code

    def _take_unknown(self, who: int) -> int:
        """Remove a card that is not named from a hand, and return its slot.

        Any card of the hand may be the one, so they become indistinguishable, and nothing is known of the hand any
        more.

        Raises:
            BlockedError: The hand is empty, and no card of the row can be its own.
        """
        seat = self.seat(who)
        if has_slots(seat.open) or who in self.lenders:
            self._make_alike(who, True)
        if not seat.hand and has_slots(seat.open):
            # A card named before lay open, then, and this one was in the hand.
            at = next(at for at, code in enumerate(seat.open) if is_slot(code))
            seat.hand, seat.open = seat.open[at : at + 1], seat.open[:at] + seat.open[at + 1 :]
        if not seat.hand and not self.regain(who):
            self.block(IMPOSSIBLE, f"{who_name(who)} has no such card")
        self.slots, seat.hand = mix_for_removal(self.slots, seat.hand)
        code = seat.hand[0]
        seat.hand = seat.hand[1:]
        self.note_departure(who, UNKNOWN)
        return code

    def _from_slots(self, who: int, card: int, own: bool) -> bool:
        """Remove a named card from among the unseen cards of a hand or the Justice row, and say whether one may be it.

        If none may be, the answer is False. If both may have held it, ``from_row`` says from which it comes on this
        reading. With ``own`` True the row is left out.
        """
        # A card that may come from the hand and from the row: each is a reading, until the hand and the row are full
        # again. With no deck they never are; then the hand loses it, and gets another from the row once it lacks one.
        seat = self.seat(who)
        lying = remove(self.slots, self.row, 1 << card) if self.row and not own else None
        in_hand = remove(self.slots, seat.hand + seat.open, 1 << card)
        if in_hand is not None and lying is not None:
            if self.dead:
                self._make_alike(who)
                self.lenders += (who,)
                in_hand = remove(self.slots, seat.hand + seat.open, 1 << card)
            else:
                self.doubtful += 1
                in_hand = in_hand if self.doubtful > self.from_row else None
        if in_hand is not None:
            self.slots, zone, at, _ = in_hand
            hand_size = len(seat.hand) - (at < len(seat.hand))
            zone = zone[:at] + zone[at + 1 :]
            seat.hand, seat.open = zone[:hand_size], zone[hand_size:]
            if lying is None:
                self.note_departure(who, card)
            return True
        if lying is None:
            return own and self.regain(who) and self._from_slots(who, card, own)
        self.slots, zone, at, _ = lying
        self.row = zone[:at] + zone[at + 1 :]
        return True

    def identify(self, who: int, card: int) -> bool:
        """Note that one of the unseen cards of a seat, in the hand or open to it, is a card; say whether one may be it.

        If none may be, nothing changes. In the hand and among the open cards it is looked for together, because nobody
        saw which unseen card lies where.
        """
        seat = self.seat(who)
        match = self.uncover(seat.hand + seat.open, card)
        if match is not None:
            zone, at, _, _ = match
            zone = zone[:at] + bytes((card,)) + zone[at + 1 :]
            seat.hand, seat.open = zone[: len(seat.hand)], zone[len(seat.hand) :]
        return match is not None

    def _make_alike(self, who: int, known: bool = False) -> None:
        """Make the unseen cards of a hand, its open cards and the row indistinguishable.

        Args:
            who: The seat or daemon.
            known: True if the cards of the hand that are known lose their names too.
        """
        # Which of these places lost the card nobody knows, so none of them may be told from another any more.
        seat, row = self.seat(who), self.row or b""
        hidden = bytes(code for code in seat.hand if known or is_slot(code))
        hidden += bytes(code for code in seat.open + row if is_slot(code))
        self.slots, alike = mix(self.slots, hidden)
        seat.hand = bytes(alike[0] if known or is_slot(code) else code for code in seat.hand)
        seat.open = bytes(alike[0] if is_slot(code) else code for code in seat.open)
        self.row = bytes(alike[0] if is_slot(code) else code for code in row) if row else self.row

    def regain(self, who: int) -> bool:
        """Give a hand an unseen card of the row for a card that it was thought to have lost, which was the row's after
        all.

        Say whether that was done: False, and nothing changes, if no card of the hand was doubtful in this way
        (``lenders``).
        """
        row = self.row or b""
        if who not in self.lenders or not has_slots(row):
            return False
        self.slots, hidden = mix(self.slots, bytes(code for code in row if is_slot(code)))
        self.row = bytes(code for code in row if not is_slot(code)) + hidden[1:]
        self.seat(who).hand += hidden[:1]
        at = self.lenders.index(who)
        self.lenders = self.lenders[:at] + self.lenders[at + 1 :]
        return True

    def empty_hand(self, who: int) -> bytes:
        """Remove all cards of a hand and those that lie open to it, and return their codes, those of the hand first.

        Nothing is known of the hand then; the caller puts the cards where they go.
        """
        seat = self.seat(who)
        cards = seat.hand + seat.open
        for _ in range(len(seat.hand) + sum(is_slot(code) for code in seat.open) if self.doubts else 0):
            self._add_to_ledger(who, Entry(LEFT, ANY))
        seat.hand = seat.open = b""
        seat.public_cards, seat.seat_knowledge = 0, ()
        return cards

    # --- what is known of hands ---

    def note_departure(self, who: int, card: int, what: int = LEFT) -> None:
        """Note in what is known of a hand, and in its ledger, that a card has left it.

        Args:
            who: The seat or daemon.
            card: The card, UNKNOWN for one nobody saw.
            what: LEFT, or OLDEST if it is the card drawn longest ago.
        """
        seat = self.seat(who)
        if card == UNKNOWN:
            seat.public_cards, seat.seat_knowledge = 0, ()
        elif seat.public_cards or seat.seat_knowledge:
            seat.public_cards &= ~(1 << card)
            seat.seat_knowledge = tuple((eye, cards & ~(1 << card)) for eye, cards in seat.seat_knowledge)
        if self.doubts:
            self._add_to_ledger(who, Entry(what, ANY if card == UNKNOWN else 1 << card, self.ply))
            if card != UNKNOWN:
                self._prove_breaches(who, card)

    def note_arrival(self, who: int, code: int) -> None:
        """Note in the ledger of a hand that a card came to it; ``code`` says what it may be.

        Nothing is noted for a hand without a ledger, about which nothing was claimed.
        """
        if self.doubts:
            self._add_to_ledger(who, Entry(DRAWN, possible(self.slots, code)))

    def note_sight(self, who: int, card: int) -> None:
        """Note that everybody sees a card in a hand, and prove the claims about the hand that this refutes.

        Their breaches are added to the draft, and claims that are false by themselves are dropped.
        """
        self.seat(who).public_cards |= 1 << card
        if self.doubts:
            self._add_to_ledger(who, Entry(LEFT, 1 << card, self.ply, SIGHTING))
            self._prove_breaches(who, card)
            self._add_to_ledger(who, Entry(DRAWN, 1 << card))

    def name_departed(self, who: int, ply: int, cards: bytes) -> None:
        """Note which cards they were that left a hand unseen at a ply, and prove the claims that this refutes.

        Nothing changes if the hand has no ledger.
        """
        ledger = self.ledger(who)
        if ledger is None:
            return
        ledger_after, cards = name_departed(ledger, ply, cards)
        self.doubts = tuple(ledger_after if other.who == who else other for other in self.doubts)
        for card in cards:
            self._prove_breaches(who, card)

    def ledger(self, who: int) -> Ledger | None:
        """Return the ledger of the hand of a seat or daemon; None for a hand about which nothing was claimed in this
        round.
        """
        for ledger in self.doubts:
            if ledger.who == who:
                return ledger
        return None

    def _add_to_ledger(self, who: int, entry: Entry) -> None:
        """Add a line to the ledger of a hand; nothing changes if it has none."""
        self.doubts = tuple([add_entries(ledger, entry) if ledger.who == who else ledger for ledger in self.doubts])

    def _prove_breaches(self, who: int, card: int) -> None:
        """Add to ``breaches`` the claims about a hand that a card seen just now refutes.

        Claims that are false by themselves are dropped; those of a group of which some must be false stay, as nobody
        knows which.
        """
        ledger = self.ledger(who)
        if ledger is None or not ledger.without_mate or not ledger.claims:
            return
        because = f"{who_name(who)} had {name_of(card)}"
        if not denied_cards(ledger) >> card & 1:
            because = f"{who_name(who)} has shown more cards since than it can have drawn"
        disproofs = tuple(find_breaches(ledger, self.ply, because, {breach.plies for breach in self.breaches}))
        self.breaches += disproofs
        false = {breach.plies[0] for breach in disproofs if len(breach.plies) == 1}
        if false:
            self.doubts = tuple(without_claims(other, false) for other in self.doubts)

    # --- cards come ---

    def show_first_cards(self, zone: bytes, cards: bytes, where: str) -> bytes:
        """Return the codes of a zone once its first cards are seen to be these; what is known of unseen cards is
        updated.

        Args:
            zone: The zone.
            cards: The cards it begins with, UNKNOWN for those not named.
            where: Where it lies, as a sentence says it: ``the top of the deck``.

        Raises:
            BlockedError: One of the cards cannot lie there.
        """
        outcome = self.as_told(zone, cards)
        if isinstance(outcome, int):
            self.block(IMPOSSIBLE, f"{name_of(outcome)} is not {where}")
        return outcome

    def cards_due(self, due: Due) -> int:
        """Return how many cards a due draw or discard still asks for, if the deck were endless.

        It is 0 if nothing is to be drawn or discarded, and for a seat or daemon that is out of play.
        """
        if due.who == ROW:
            return 6 - len(self.row) if self.row is not None else 0
        side, what = self.sides[PLACES[self.options.seats][due.who]], due.what
        if not side.plays or None not in side.fields:
            return 0
        if what not in ("fill", "away"):
            return due.count
        over = len(side.hand) + len(side.open) - side.size - side.wide
        return max(over if what == "away" else -over, 0)

    def draw(self, due: Due, cards: bytes) -> None:
        """Draw cards from the top of the deck for a due draw, into the hand, open to it, or into the Justice row.

        Args:
            due: The draw.
            cards: The cards, UNKNOWN for those not named.

        Raises:
            BlockedError: One of them cannot lie there.
        """
        top = self.deck[: len(cards)]
        if top != cards:
            top = self.show_first_cards(top, cards, "the top of the deck")
        self.deck = self.deck[len(top) :]
        if due.who == ROW:
            self.row = (self.row or b"") + top
            return
        seat = self.seat(due.who)
        hand_count = len(top)
        if due.what != "take":
            hand_count = 0 if due.what == "reveal" else max(seat.size - len(seat.hand), 0)
        seat.hand += top[:hand_count]
        seat.open += top[hand_count:]
        for at, code in enumerate(top if self.doubts else b""):
            if at < hand_count or is_slot(code):
                self.note_arrival(due.who, code)


class Draft(Zones):
    """A state while a word is carried out; the attributes are those of ``State``."""

    __slots__ = (*State.__struct_fields__, "changed_sides", "doubtful", "from_row")

    def __init__(self, state: State, from_row: int = 0) -> None:
        """Copy one reading of a state, without the others beside it.

        Args:
            state: The state.
            from_row: How many of the cards that may come from a hand or the row come from the row.
        """
        self.options, self.sides, self.changed_sides = state.options, [*state.sides], []
        self.deck, self.pile, self.row = state.deck, state.pile, state.row
        self.aside, self.past_daemons, self.devil = state.aside, state.past_daemons, state.devil
        self.temper, self.undone_fields, self.dead = state.temper, state.undone_fields, state.dead
        self.turn, self.mover, self.extra = state.turn, state.mover, state.extra
        self.dues: list[Due] = [*state.dues]
        self.deal, self.round, self.lap = state.deal, state.round, state.lap
        self.lap_begun, self.clock, self.ply = state.lap_begun, state.clock, state.ply
        self.wins, self.slots, self.doubts = state.wins, state.slots, state.doubts
        self.breaches, self.outcome, self.unread = state.breaches, state.outcome, state.unread
        self.lenders, self.skipped_dues = state.lenders, state.skipped_dues
        self.from_row, self.doubtful = from_row, 0

    def frozen(self) -> State:
        """Return the state that the draft has become. It stands for one reading: ``others`` is empty."""
        sides = freeze(self.sides, self.changed_sides, Side)
        return State(
            self.options, sides, self.deck, self.pile, self.row, self.aside, self.past_daemons, self.devil, self.temper,
            self.undone_fields, self.dead, self.turn, self.mover, self.extra, tuple(self.dues), self.deal, self.round,
            self.lap, self.lap_begun, self.clock, self.ply, self.wins, self.slots, self.doubts, self.breaches,
            self.outcome, self.unread, self.lenders, self.skipped_dues,
        )  # fmt: skip

    def refuse_until_due(self, clause: AnyClause, because: str) -> None:
        """Note the refusal of a word because another one is due first, so that what else it breaks is not said.

        It does not block, and nothing is raised.
        """
        self.refuse(clause, because)
        self.decided = True

    def ask_later(self, clause: AnyClause, who: int) -> None:
        """Note that an unseen hand, or cards that lie face down, decide whether a rule is broken.

        Several hands make one question. Whoever speaks is not asked about face-down cards: they are turned up later.

        Args:
            clause: The rule.
            who: The seat or daemon whose cards decide it.
        """
        asks = clause not in (FACE_DOWN, FOOL)
        need = Need(
            f"the hand of {who_name(who)}" if asks else f"what {who_name(who)} committed face down", (), self.ply
        )
        needs = self.opens[0].needs if self.opens else ()
        if need not in needs:
            self.opens = ()
            self.ask(clause, Open((*needs, need), asks))

    # --- what is said not to be in a hand, or never turned up ---

    def claim_lacks(self, who: int, cards: int, clause: AnyClause) -> bool:
        """Note the claim that a hand holds none of some cards, and ask about it if it cannot be decided.

        Args:
            who: The seat or daemon.
            cards: The cards, as bits.
            clause: The rule that is broken if it held one.

        Returns:
            False if the hand must hold one, so that the claim is false.
        """
        seat = self.peek(who)
        cards_held = seat.hand + seat.open
        if any(cards >> code & 1 for code in cards_held):
            return False
        if not any(possible(self.slots, code) & cards for code in set(cards_held)):
            return True
        if self._must_hold_one(seat.hand, cards):
            return False
        ledger = self.ledger(who)
        if ledger is None:
            unseen = (*seat.hand, *(code for code in seat.open if is_slot(code)))
            ledger = add_entries(Ledger(who), *(Entry(DRAWN, possible(self.slots, code)) for code in unseen))
        # The claim is noted first and asked about afterwards: alone it must be possible, or it is refused here and now.
        # Together with earlier claims it may be impossible, which proves a breach of some of them, nobody knows which.
        # Example: a hand of one card that can only be 7S or 8S may lack the one or the other, but not both.
        after = add_entries(ledger, Entry(DENIED, cards, self.ply, clause.key))
        if not can_all_hold(after, (self.ply,)):
            return False
        self.doubts = (*(other for other in self.doubts if other.who != who), after)
        together = find_clash(after, tuple(claims_of(after)))
        if together and all(breach.plies != together for breach in self.breaches):
            because = f"{who_name(who)} cannot have lacked {names_of(cards_of(cards))} as well"
            self.breaches += (Breach(together, claims_of(after)[together[0]], because, self.ply),)
        self.ask_later(clause, who)
        return True

    def _must_hold_one(self, hand: bytes, cards: int) -> bool:
        """Say whether one of some cards (bits) must be in a hand (codes), as there are too few other places for them.

        Cards that are known to be there are not looked at.
        """
        slots, codes = self.slots, set(filter(is_slot, hand))
        for code in codes:
            slots, _ = set_apart(slots, code, hand.count(code), ~cards)
        return not all(fits(slots, slots.kinds[code - SLOT].pool) for code in codes)

    def leave_face_down(self, commitment: Commitment | None) -> None:
        """Note that a face-down commitment that nobody on record saw will never be turned up, so its questions stay
        open for ever.

        Nothing is noted for None and for a commitment whose cards are known.
        """
        if commitment is None or not has_slots(commitment.cards):
            return
        self.unread += ((commitment.ply, FACE_DOWN.key),)
        if commitment.fool_ply:
            self.unread += ((commitment.fool_ply, FOOL.key),)
