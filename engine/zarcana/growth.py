"""Powers that put, grow, move and turn minions: cups, wands and their kin."""

from cartulary.engine.zarcana.attacks import target_of
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import Clone, Create, Go, Grow, Play, Turn
from cartulary.engine.zarcana.parts import shaped
from cartulary.engine.zarcana.spaces import AROUND, POINTS, SIZES, SMALL, place_name, ref_name


def raised(t: Draft, key: str, place: int, code: int, part: Grow | Clone, limit: bool) -> int:
    """Let a minion grow or clone once; return its code then. limit: the population limit holds."""
    _sized(t, key, place, code, part)
    if isinstance(part, Grow):
        return _grown(t, place, code, part)
    if limit and t.is_full(place):
        t.refuse("population", f"There are {len(t.men[place])} minions on {place_name(place)}")
    if not t.has_piece(part.man):
        t.refuse("stash", f"p{part.man // 15} has no {SIZES[part.man // 5 % 3]} left", blocks=True)
    t.put(place, part.man)
    t.from_stash(part.man)
    return code


def _sized(t: Draft, key: str, place: int, code: int, part: Grow | Clone) -> int:
    """Return a minion's code once it has grown or cloned; refuse a size that comes of neither."""
    size = code // 5 % 3
    if isinstance(part, Clone):
        if part.man // 5 % 3 > size:
            t.refuse(key, f"{t.man_name(place, code)} makes no minion larger than itself")
        return code
    if part.size != size + 1:
        grown = f"only to {SIZES[size + 1]}" if size < 2 else "no more"
        t.refuse(key, f"{t.man_name(place, code)} grows {grown}")
    return code + 5 * (part.size - size)


def _grown(t: Draft, place: int, code: int, part: Grow) -> int:
    other = code + 5 * (part.size - code // 5 % 3)
    if other == code:
        return code
    if not t.has_piece(other):
        t.refuse("stash", f"p{code // 15} has no {SIZES[part.size]} left", blocks=True)
    t.become(place, code, other)
    return other


def cups(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Grow one size or clone, within the population limit but for the Empress."""
    if shaped(t, key, play, place, code, 1, (Grow, Clone)):
        part = play.parts[0]
        assert isinstance(part, (Grow, Clone))
        raised(t, key, place, code, part, key != "empress")


def strength(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Grow or clone once or twice, by one minion."""
    if shaped(t, key, play, place, code, 2, (Grow, Clone)):
        then = code
        for part in play.parts:
            assert isinstance(part, (Grow, Clone))
            then = _sized(t, key, place, then, part)
        for part in play.parts:
            assert isinstance(part, (Grow, Clone))
            code = raised(t, key, place, code, part, True)


def gone(t: Draft, place: int, code: int, to: int, limit: bool) -> int:
    """Move a minion, which arrives standing; return its code then, -1 where it could not live. limit: as above."""
    if not t.is_land(to):
        t.refuse("wasteland", f"No card touches {place_name(to)}")
    if limit and t.is_full(to):
        t.refuse("population", f"There are {len(t.men[to])} minions on {place_name(to)}")
    standing = code - code % 5
    t.move(place, code, to, standing)
    t.wither(to)
    return standing if to in t.men else -1


def wands(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Move into the target space, within the population limit but for the Hermit."""
    if shaped(t, key, play, place, code, 1, (Go,)):
        part, target = play.parts[0], target_of(place, code)
        assert isinstance(part, Go)
        if part.place != target:
            aimed = f"{t.man_name(place, code)} points at {place_name(target)}"
            t.refuse(key, f"{aimed}, not at {place_name(part.place)}")
        gone(t, place, code, part.place, key == "wands")


def chariot(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Turn and move one space, once or twice."""
    if not shaped(t, key, play, place, code, 2, (Go,)):
        return
    before = place
    for part in play.parts:
        assert isinstance(part, Go)
        if part.place - before not in AROUND:
            t.refuse(key, f"{place_name(part.place)} is not one space from {place_name(before)}")
        before = part.place
    for part in play.parts:
        assert isinstance(part, Go)
        if code >= 0:
            code = gone(t, place, code, part.place, True)
            place = part.place


def gateway(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Take the user wherever a minion may be, near or far, and set it upright there."""
    if shaped(t, key, play, place, code, 1, (Go,)):
        part = play.parts[0]
        assert isinstance(part, Go)
        if part.place == place:
            t.refuse(key, f"{t.man_name(place, code)} is on {place_name(place)} already")
        gone(t, place, code, part.place, True)


def lovers(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Put a small minion in any wasteland space."""
    if not shaped(t, key, play, place, code, 1, (Create,)):
        return
    part = play.parts[0]
    assert isinstance(part, Create)
    where = place_name(part.place)
    if part.man // 5 % 3 != SMALL:
        t.refuse(key, f"The minion is small, not {SIZES[part.man // 5 % 3]}")
    if part.place in t.cards:
        t.refuse(key, f"There is a card on {where}")
    elif not t.touches(part.place):
        t.refuse("wasteland", f"No card touches {where}")
    if t.is_full(part.place):
        t.refuse("population", f"There are {len(t.men[part.place])} minions on {where}")
    if not t.has_piece(part.man):
        t.refuse("stash", f"p{part.man // 15} has no {SIZES[part.man // 5 % 3]} left", blocks=True)
    t.put(part.place, part.man)
    t.from_stash(part.man)
    t.wither(part.place)


def devil(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Turn any minions in the own and the four adjacent spaces, all at once."""
    if shaped(t, key, play, place, code, 99, (Turn,)):
        turns = tuple(part for part in play.parts if isinstance(part, Turn))
        near = (place, *(place + step for step in AROUND))
        for turn in turns:
            if turn.ref.place not in near:
                t.refuse(key, f"{place_name(turn.ref.place)} is not next to {place_name(place)}")
        turned(t, key, turns)


def turned(t: Draft, key: str, turns: tuple[Turn, ...]) -> None:
    """Turn minions, each of which changes and is named once."""
    lost: list[tuple[int, int, int]] = []
    for turn in turns:
        code = t.pick(turn.ref)
        if code >= 0 and code % 5 == turn.point:
            how = f"points {POINTS[turn.point]}" if turn.point else "stands"
            t.refuse(key, f"{ref_name(turn.ref, t.seat)} {how} already")
        lost.append((turn.ref.place, code, code - code % 5 + turn.point))
    men = t.men.copy()
    if len(lost) == 1 and lost[0][1] >= 0:
        place, old, new = lost[0]
        here = men[place]
        men[place] = bytes((new,)) if len(here) == 1 else bytes(sorted(here.replace(bytes((old,)), bytes((new,)), 1)))
        t.men = men
        return
    for place, code, _ in lost:
        if code >= 0 and men[place].count(code) < sum(1 for one in lost if one[:2] == (place, code)):
            t.refuse(key, f"A minion on {place_name(place)} is named twice", blocks=True)
    for turn, (_, code, _) in zip(turns, lost, strict=True):
        if code < 0:
            t.refuse("no-minion", t.nobody(turn.ref), blocks=True)
    for place, code, _ in lost:
        at = men[place].index(code)
        men[place] = men[place][:at] + men[place][at + 1 :]
    for place, _, code in lost:
        men[place] = bytes(sorted(men[place] + bytes((code,))))
    t.men = men
