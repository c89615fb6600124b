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


def discs(draft: Draft, power: AnyClause, place: int, code: int, part: Build) -> None:
    """Lay the deck's top card on the target: Discs, Temperance, and face down the Wheel."""
    _is_open(draft, power, place, code, part.place)
    if not available(draft):
        draft.refuse(clauses.NO_EFFECT, "No card is left to draw")
        return
    got = off_deck(draft, bytes((part.card if part.card >= 0 else UNKNOWN,)))
    lay(draft, part.place, laid(power, got[0]))


def sun(draft: Draft, power: AnyClause, place: int, code: int, part: BuildFrom) -> None:
    """Lay a card of the hand on the target."""
    _is_open(draft, power, place, code, part.place)
    lay(draft, part.place, from_hand(draft, draft.seat, part.card))


def _is_open(draft: Draft, power: AnyClause, place: int, code: int, to: int) -> None:
    """Refuse a building site that is not the target, or where others stand."""
    keep_target(draft, power, place, code, to)
    for man in draft.men.get(to, b"") if power is not clauses.TEMPERANCE else b"":
        if owner_of(man) != draft.seat:
            draft.refuse(power, f"p{owner_of(man)}'s minion is on {place_name(to)}")
            return
