"""Cards nobody on record saw, while a word is carried out: what comes to light, and what it proves of the decks."""

from collections.abc import Iterator

from msgspec.structs import replace

from cartulary.engine.cards.draft import InOrder
from cartulary.engine.cards.zones import Zones
from cartulary.engine.contract import Breach
from cartulary.engine.slots import BLANK, holds
from cartulary.engine.tarot_duel.cards import COPIES, ITSELF, MAJOR, NAMES, blank, likes
from cartulary.engine.tarot_duel.clauses import EFFECT
from cartulary.engine.tarot_duel.decks import faults, known_deck
from cartulary.engine.tarot_duel.state import House, Unseen


class Hidden(Zones, InOrder):
    """What is known of hidden cards, while a word is carried out."""

    itself = ITSELF
    house: House
    ply: int
    unseen: Unseen

    def fitting(self, card: int) -> Iterator[int]:
        """Yield the codes a card may lie under: first without blank cards of a deck it would make faulty."""
        codes = likes(card)
        full = 0
        for seat, cards in enumerate(self.unseen.found, 1):
            if cards:
                deck = known_deck(self.house, cards, seat)
                full |= 1 << blank(seat) if deck.count(card) >= (1 if card >= MAJOR else 5) else 0
        if full:
            yield codes & ~full
        yield codes

    def identified(self, code: int, card: int) -> int:
        """Note that a card comes to light that lies under ``code``, in slots still, and return its code then."""
        if code < BLANK:
            return code
        unseen, seat = self.unseen, code - BLANK + 1
        for pool in self.slots.pools:
            if code in pool and any(entry >= BLANK and entry != code for entry in pool):
                owners = {entry - BLANK + 1 for entry in pool if entry >= BLANK}
                unseen = replace(unseen, doubt=unseen.doubt | sum(1 << owner for owner in owners))
        before = known_deck(self.house, unseen.found[seat - 1], seat)
        cards = (*unseen.found[: seat - 1], unseen.found[seat - 1] + bytes((card,)), *unseen.found[seat:])
        after = known_deck(self.house, cards[seat - 1], seat)
        proved = unseen.proved
        if not unseen.doubt >> seat & 1:
            earlier = {clause for clause, _ in faults(before)}
            proved += tuple(
                Breach((0,), clause.key, f"Deck{seat} {because}", self.ply)
                for clause, because in faults(after)
                if clause not in earlier
            )
            if blank(seat) not in after:
                proved += tuple(self._misnamed(seat, after))
        self.unseen = replace(unseen, found=cards, proved=proved)
        return card

    def _misnamed(self, seat: int, deck: bytes) -> Iterator[Breach]:
        for ply, owner, card in self.unseen.named:
            if owner == seat and card not in deck:
                because = f"Deck{seat} has no {NAMES[card]}, but the Empress or the Emperor stood for one"
                yield Breach((ply,), EFFECT.key, because, self.ply)

    def told_apart(self, code: int) -> int:
        """Return the code of an entry, named if it can be only one card."""
        may = holds(self.slots, code)
        name = self.sight(code, ITSELF[may[0]]) if len(may) == 1 and may[0] < BLANK else None
        return code if name is None else name

    def place_of(self, zone: bytes, card: int) -> int:
        """Return where a card is known to lie in a zone, a copy under whatever name; -1 where that is not known."""
        at = zone.find(card)
        return zone.translate(ITSELF).find(card) if at < 0 and card in COPIES else at
