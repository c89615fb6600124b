"""Minions on the board and in the stashes, done on a draft: named, put there, moved, changed and destroyed."""

from typing import NoReturn

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.place_names import POINTS, SIZES, Ref, found, name_for, named, place_name, ref_name

ONE = tuple(bytes((code,)) for code in range(256))
"""One byte, by its value."""


def pick(t: Draft, ref: Ref) -> int:
    """Return the code of the minion a word names, -1 where there is none; note how it should be named."""
    here = t.men.get(ref.place, b"")
    if len(here) == 1:
        code = here[0]
        if code // 5 != ref.group or ref.point not in (-1, code % 5):
            return -1
        if ref.point >= 0:
            t.spelled += ((ref, Ref(ref.place, ref.group)),)
        return code
    code = found(here, ref)
    if code >= 0:
        name = named(here, ref)
        if name is None:
            t.unclear = t.unclear or ref
        elif name != ref:
            t.spelled += ((ref, name),)
    return code


def block_absent(t: Draft, ref: Ref) -> NoReturn:
    """Block the word of a minion that is not there; say whose it is that is, or where it points."""
    here, (owner, size) = t.men.get(ref.place, b""), divmod(ref.group, 3)
    alike = [code for code in here if code // 5 % 3 == size]
    points = " and ".join(sorted({POINTS[code % 5] for code in alike if code // 15 == owner}))
    whose = sorted({f"p{code // 15}'s" for code in alike if code // 15 != owner})
    said = f"There is no {ref_name(ref, t.seat)}"
    if points:
        said += f": {ref_name(Ref(ref.place, ref.group), t.seat)} points {points}"
    elif whose:
        there = f"{SIZES[size]} minions on {{}} are" if alike[1:] else f"{SIZES[size]} on {{}} is"
        said += f": the {there.format(place_name(ref.place))} {' and '.join(whose)}"
    t.block(clauses.NO_MINION, said)


def refuse_user(t: Draft, ref: Ref, code: int) -> None:
    """Refuse a user that is not there, or is another seat's."""
    if code < 0:
        block_absent(t, ref)
    t.refuse(clauses.NO_MINION, f"{ref_name(ref, t.seat)} is p{code // 15}'s")


def man_name(t: Draft, place: int, code: int) -> str:
    """Return a minion on the board as a word of the seat names it."""
    return ref_name(name_for(t.men.get(place, b""), place, code), t.seat)


def enter(t: Draft, place: int, code: int) -> None:
    """Put a new minion in a space, from its owner's stash."""
    if not has_piece(t, code):
        t.block(clauses.STASH, f"p{code // 15} has no {SIZES[code // 5 % 3]} left")
    t.men = {**t.men, place: bytes(sorted((*t.men.get(place, b""), code)))}
    _put_back(t, code, -1)


def _take(t: Draft, place: int, code: int) -> None:
    """Take a minion from a space."""
    men = t.men.copy()
    rest = men[place].replace(ONE[code], b"", 1)
    if rest:
        men[place] = rest
    else:
        del men[place]
    t.men = men


def move_to(t: Draft, place: int, code: int, to: int, other: int) -> None:
    """Move a minion, which points differently there."""
    _take(t, place, code)
    men = t.men
    men[to] = bytes(sorted((*men.get(to, b""), other)))


def become(t: Draft, place: int, code: int, other: int) -> None:
    """Put another piece in a minion's stead; that piece's owner has one."""
    move_to(t, place, code, place, other)
    if code // 5 != other // 5:
        _put_back(t, other, -1)
        _put_back(t, code, 1)


def destroy(t: Draft, place: int, code: int) -> None:
    """Take a minion off the board."""
    _take(t, place, code)
    _put_back(t, code, 1)


def has_piece(t: Draft, code: int) -> bool:
    """Say whether a stash has a piece like this minion."""
    return t.stash[code // 5 - 3] > 0


def _put_back(t: Draft, code: int, count: int) -> None:
    """Give so many pieces like this minion back to its owner's stash; below 0, they are taken from it."""
    stash = bytearray(t.stash)
    stash[code // 5 - 3] += count
    t.stash = bytes(stash)
