"""Cards nobody on record saw, while a word is carried out: what comes to light, and what it proves of the decks."""

from collections.abc import Iterator

from msgspec.structs import replace

from cartulary.engine.cards.draft import InOrder
from cartulary.engine.contract import Breach
from cartulary.engine.slots import BLANK, UNKNOWN, Slots, has_slots, holds, is_slot, left, seen, some_left
from cartulary.engine.tarot_duel.cards import COPIES, ITSELF, MAJOR, NAMES, blank, likes
from cartulary.engine.tarot_duel.clauses import EFFECT
from cartulary.engine.tarot_duel.decks import faults, known_deck
from cartulary.engine.tarot_duel.state import House, Unseen


class Hidden(InOrder):
    """What is known of hidden cards, while a word is carried out."""

    house: House
    ply: int
    slots: Slots
    unseen: Unseen

    def fitting(self, card: int) -> Iterator[int]:
        """Yield the codes a card may lie under: first without blank cards of a deck it would make faulty."""
        wanted = likes(card)
        full = 0
        for seat, found in enumerate(self.unseen.found, 1):
            if found:
                deck = known_deck(self.house, found, seat)
                full |= 1 << blank(seat) if deck.count(card) >= (1 if card >= MAJOR else 5) else 0
        if full:
            yield wanted & ~full
        yield wanted

    def identified(self, code: int, card: int) -> int:
        """Note that a card comes to light that lies under ``code``, in slots still, and return its code then."""
        if code < BLANK:
            return code
        unseen, seat = self.unseen, code - BLANK + 1
        for pool in self.slots.pools:
            if code in pool and any(other >= BLANK and other != code for other in pool):
                owners = {other - BLANK + 1 for other in pool if other >= BLANK}
                unseen = replace(unseen, doubt=unseen.doubt | sum(1 << owner for owner in owners))
        before = known_deck(self.house, unseen.found[seat - 1], seat)
        found = (*unseen.found[: seat - 1], unseen.found[seat - 1] + bytes((card,)), *unseen.found[seat:])
        after = known_deck(self.house, found[seat - 1], seat)
        proved = unseen.proved
        if not unseen.doubt >> seat & 1:
            known = {clause for clause, _ in faults(before)}
            proved += tuple(
                Breach((0,), clause.key, f"Deck{seat} {because}", self.ply)
                for clause, because in faults(after)
                if clause not in known
            )
            if blank(seat) not in after:
                proved += tuple(self._misnamed(seat, after))
        self.unseen = replace(unseen, found=found, proved=proved)
        return card

    def _misnamed(self, seat: int, deck: bytes) -> Iterator[Breach]:
        for ply, owner, card in self.unseen.named:
            if owner == seat and card not in deck:
                because = f"Deck{seat} has no {NAMES[card]}, but the Empress or the Emperor stood for one"
                yield Breach((ply,), EFFECT.key, because, self.ply)

    def sight(self, code: int, card: int) -> int | None:
        """Return an entry's code once it is seen to be a card; None where it cannot be."""
        if not is_slot(code):
            return code if card in (ITSELF[code], UNKNOWN) else None
        if card == UNKNOWN:
            return code
        for wanted in self.fitting(card):
            found = seen(self.slots, code, wanted)
            if found is not None:
                code = self.identified(found[1], card)
                self.slots = found[0]
                return code
        return None

    def told_apart(self, code: int) -> int:
        """Return the code of an entry, named if it can be only one card."""
        may = holds(self.slots, code)
        found = self.sight(code, ITSELF[may[0]]) if len(may) == 1 and may[0] < BLANK else None
        return code if found is None else found

    def search(self, zone: bytes, card: int) -> tuple[bytes, int, int, bool] | None:
        """Return the zone a card leaves, which has it still, its place and code, and whether it was known to lie there.

        card: UNKNOWN for any
        """
        if card == UNKNOWN:
            if not zone:
                return None
            self.slots, zone = some_left(self.slots, zone)
            return zone, 0, zone[0], False
        at = zone.find(card)
        if at < 0 and card in COPIES:
            at = zone.translate(ITSELF).find(card)
        if at >= 0:
            return zone, at, zone[at], True
        if has_slots(zone):
            for wanted in self.fitting(card):
                found = left(self.slots, zone, wanted)
                if found is not None:
                    code = self.identified(found[3], card)
                    self.slots, zone, at, _ = found
                    return zone, at, code, False
        return None

    def may_lie(self, zone: bytes, card: int) -> bool:
        """Say whether a card may lie in a zone; nothing changes."""
        if card in zone:
            return True
        before = self.slots, self.unseen
        found = self.search(zone, card)
        self.slots, self.unseen = before
        return found is not None
