"""New minions and larger ones: Cups, Empress, Holy Grail, Strength, and the Lovers."""

from typing import TypeAlias

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.minions import become, enter, has_piece, man_name
from cartulary.engine.zarcana.moves import Clone, Create, Grow
from cartulary.engine.zarcana.place_names import SIZES, SMALL, place_name
from cartulary.engine.zarcana.spaces import keep_population, keep_to_land, wither

Cups: TypeAlias = Grow | Clone


def cups(draft: Draft, power: AnyClause, place: int, code: int, part: Cups) -> None:
    """Grow one size or clone, within the population limit but for the Empress."""
    _raised(draft, power, place, code, part)


def strength(draft: Draft, power: AnyClause, place: int, code: int, *parts: Cups) -> None:
    """Grow or clone once or twice, by one minion."""
    then = code
    for part in parts:
        then = _sized(draft, power, place, then, part)
    for part in parts:
        code = _raised(draft, power, place, code, part)


def _raised(draft: Draft, power: AnyClause, place: int, code: int, part: Cups) -> int:
    """Let a minion grow or clone once; return its code then."""
    other = _sized(draft, power, place, code, part)
    if isinstance(part, Clone):
        if power is not clauses.EMPRESS:
            keep_population(draft, place)
        enter(draft, place, part.man)
    elif other != code:
        if not has_piece(draft, other):
            draft.block(clauses.STASH, f"p{code // 15} has no {SIZES[part.size]} left")
        become(draft, place, code, other)
    return other


def _sized(draft: Draft, power: AnyClause, place: int, code: int, part: Cups) -> int:
    """Return a minion's code once it has grown or cloned; refuse a size that comes of neither."""
    size = code // 5 % 3
    if isinstance(part, Clone):
        if part.man // 5 % 3 > size:
            draft.refuse(power, f"{man_name(draft, place, code)} cannot make a minion larger than itself")
        return code
    if part.size != size + 1:
        grown = f"can grow only to {SIZES[size + 1]}" if size < 2 else "cannot grow any larger"
        draft.refuse(power, f"{man_name(draft, place, code)} {grown}")
    return code + 5 * (part.size - size)


def lovers(draft: Draft, power: AnyClause, place: int, code: int, part: Create) -> None:
    """Put a small minion in any wasteland space."""
    if part.man // 5 % 3 != SMALL:
        draft.refuse(power, f"The minion must be small, not {SIZES[part.man // 5 % 3]}")
    if part.place in draft.cards:
        draft.refuse(power, f"There is a card on {place_name(part.place)}")
    else:
        keep_to_land(draft, part.place)
    keep_population(draft, part.place)
    enter(draft, part.place, part.man)
    wither(draft, part.place)
