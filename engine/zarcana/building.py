"""Building: Discs, Wheel, Temperance from the deck, the Sun from the hand."""

from cartulary.engine.slots import UNKNOWN
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.deck import available, off_deck
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.hands import from_hand
from cartulary.engine.zarcana.moves import Build, BuildFrom
from cartulary.engine.zarcana.place_names import owner_of, place_name
from cartulary.engine.zarcana.spaces import keep_target, lay
from cartulary.engine.zarcana.wheel import laid


def discs(t: Draft, power: AnyClause, place: int, code: int, part: Build) -> None:
    """Lay the deck's top card on the target: Discs, Temperance, and face down the Wheel."""
    _is_open(t, power, place, code, part.place)
    if not available(t):
        t.refuse(clauses.NO_EFFECT, "No card is left to draw")
        return
    got = off_deck(t, bytes((part.card if part.card >= 0 else UNKNOWN,)))
    lay(t, part.place, laid(power, got[0]))


def sun(t: Draft, power: AnyClause, place: int, code: int, part: BuildFrom) -> None:
    """Lay a card of the hand on the target."""
    _is_open(t, power, place, code, part.place)
    lay(t, part.place, from_hand(t, t.seat, part.card))


def _is_open(t: Draft, power: AnyClause, place: int, code: int, to: int) -> None:
    """Refuse a building site that is not the target, or where others stand."""
    keep_target(t, power, place, code, to)
    for man in t.men.get(to, b"") if power is not clauses.TEMPERANCE else b"":
        if owner_of(man) != t.seat:
            t.refuse(power, f"p{owner_of(man)}'s minion is on {place_name(to)}")
            return
