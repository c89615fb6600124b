"""Places of a board without edges and minions on them, as ints with names.

A *place* is an int: steps east from the first centre, and ROW for each step south. A minion is an int below 90: fifteen
for its seat, five for its size, and one for where it points; without the last it is a *group*, seat * 3 + size.
"""

from functools import cache

from msgspec import Struct

ROW = 1024
MOST_STEPS = 400
"""How far a word may reach; more than all cards in one line."""

POINTS = "unesw"
"""Where a minion points: up, standing, or lying north, east, south, west; its place here is its number."""

STEP = (0, -ROW, 1, ROW, -1)
AROUND = STEP[1:]
SIZES = "SML"
GROUPS = tuple(f"p{owner}{size}" for owner in range(6) for size in SIZES)
SMALL = 0
FIRST_NINE = (-ROW - 1, -ROW, -ROW + 1, -1, 0, 1, ROW - 1, ROW, ROW + 1)
"""The places of the first nine cards, row by row from the north west."""


class Ref(Struct, frozen=True, gc=False):
    """A minion as a word names it. point: where it points, -1 where the word need not say."""

    place: int
    group: int
    point: int = -1


def steps_of(place: int) -> tuple[int, int]:
    """Return a place's steps east and south of the centre."""
    south = (place + ROW // 2) // ROW
    return place - south * ROW, south


@cache
def place_name(place: int) -> str:
    """Return a place as words name it: ``o``, ``n2``, ``s1w3``."""
    east, south = steps_of(place)
    name = f"{'s' if south > 0 else 'n'}{abs(south)}" if south else ""
    name += f"{'e' if east > 0 else 'w'}{abs(east)}" if east else ""
    return name or "o"


def place_of(north: int, east: int) -> int:
    """Return the place so many steps north and east of the centre."""
    return east - north * ROW


def minion(group: int, point: int) -> int:
    """Return the code of a minion."""
    return group * 5 + point


def target_of(place: int, code: int) -> int:
    """Return the space a minion points at; standing, its own."""
    return place + STEP[code % 5]


def owner_of(code: int) -> int:
    """Return whose a minion is."""
    return code // 15


def ref_name(ref: Ref, seat: int) -> str:
    """Return a minion as a word of the seat names it."""
    group, point = ref.group, ref.point
    name = (SIZES[group % 3] if group // 3 == seat else GROUPS[group]) + place_name(ref.place)
    return f"{name}'{POINTS[point]}" if point >= 0 else name


def find_minion(men: bytes, ref: Ref) -> int:
    """Return the code of the minion a word names among those in its space, -1 where there is none."""
    if ref.point >= 0:
        code = ref.group * 5 + ref.point
        return code if code in men else -1
    for code in men:
        if code // 5 == ref.group:
            return code
    return -1


def shortest_name(men: bytes, ref: Ref) -> Ref | None:
    """Return the shortest name of the minion a word names, None where that could be two that point differently."""
    points = {code % 5 for code in men if code // 5 == ref.group}
    if len(points) > 1:
        return None if ref.point < 0 else ref
    return Ref(ref.place, ref.group) if ref.point in points else ref


def name_for(men: bytes, place: int, code: int) -> Ref:
    """Return the shortest name of a minion that stands in a space."""
    several = any(other != code and other // 5 == code // 5 for other in men)
    return Ref(place, code // 5, code % 5 if several else -1)
