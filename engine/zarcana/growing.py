"""New minions and larger ones: Cups, Empress, Holy Grail, Strength, the Lovers, and a seat's first minion."""

from typing import TypeAlias

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import Clone, Create, Grow, Place
from cartulary.engine.zarcana.spaces import SIZES, SMALL, place_name

Cups: TypeAlias = Grow | Clone


def first(t: Draft, move: Place) -> None:
    """Put a small minion on a card, as a seat that has none in play."""
    at, man, where = 3 * (t.seat - 1), move.man, place_name(move.place)
    if sum(t.stash[at : at + 3]) < 15:
        t.refuse(clauses.PLACE, f"p{t.seat} has minions in play")
    if man // 5 % 3 != SMALL:
        t.refuse(clauses.PLACE, f"A first minion is small, not {SIZES[man // 5 % 3]}")
    if move.place not in t.cards:
        t.refuse(clauses.PLACE, f"There is no card on {where}")
    if t.is_full(move.place):
        t.refuse(clauses.PLACE, f"There are {len(t.men[move.place])} minions on {where}")
    _enters(t, move.place, man)
    t.wither(move.place)


def cups(t: Draft, power: AnyClause, place: int, code: int, part: Cups) -> None:
    """Grow one size or clone, within the population limit but for the Empress."""
    _raised(t, power, place, code, part)


def strength(t: Draft, power: AnyClause, place: int, code: int, *parts: Cups) -> None:
    """Grow or clone once or twice, by one minion."""
    then = code
    for part in parts:
        then = _sized(t, power, place, then, part)
    for part in parts:
        code = _raised(t, power, place, code, part)


def _raised(t: Draft, power: AnyClause, place: int, code: int, part: Cups) -> int:
    """Let a minion grow or clone once; return its code then."""
    other = _sized(t, power, place, code, part)
    if isinstance(part, Clone):
        if power is not clauses.EMPRESS and t.is_full(place):
            t.refuse(clauses.POPULATION, f"There are {len(t.men[place])} minions on {place_name(place)}")
        _enters(t, place, part.man)
    elif other != code:
        if not t.has_piece(other):
            t.block(clauses.STASH, f"p{code // 15} has no {SIZES[part.size]} left")
        t.become(place, code, other)
    return other


def _sized(t: Draft, power: AnyClause, place: int, code: int, part: Cups) -> int:
    """Return a minion's code once it has grown or cloned; refuse a size that comes of neither."""
    size = code // 5 % 3
    if isinstance(part, Clone):
        if part.man // 5 % 3 > size:
            t.refuse(power, f"{t.man_name(place, code)} makes no minion larger than itself")
        return code
    if part.size != size + 1:
        grown = f"only to {SIZES[size + 1]}" if size < 2 else "no more"
        t.refuse(power, f"{t.man_name(place, code)} grows {grown}")
    return code + 5 * (part.size - size)


def lovers(t: Draft, power: AnyClause, place: int, code: int, part: Create) -> None:
    """Put a small minion in any wasteland space."""
    where = place_name(part.place)
    if part.man // 5 % 3 != SMALL:
        t.refuse(power, f"The minion is small, not {SIZES[part.man // 5 % 3]}")
    if part.place in t.cards:
        t.refuse(power, f"There is a card on {where}")
    elif not t.touches(part.place):
        t.refuse(clauses.WASTELAND, f"No card touches {where}")
    if t.is_full(part.place):
        t.refuse(clauses.POPULATION, f"There are {len(t.men[part.place])} minions on {where}")
    _enters(t, part.place, part.man)
    t.wither(part.place)


def _enters(t: Draft, place: int, man: int) -> None:
    """Put a new minion in a space, from its owner's stash."""
    if not t.has_piece(man):
        t.block(clauses.STASH, f"p{man // 15} has no {SIZES[man // 5 % 3]} left")
    t.enter(place, man)
