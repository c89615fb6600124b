"""Minions on the board and in the stashes, done on a draft: named, put there, moved, changed and destroyed."""

from typing import NoReturn

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.place_names import (
    POINTS,
    SIZES,
    Ref,
    find_minion,
    name_for,
    place_name,
    ref_name,
    shortest_name,
)

ONE = tuple(bytes((code,)) for code in range(256))
"""One byte, by its value."""


def pick(draft: Draft, ref: Ref) -> int:
    """Return the code of the minion a word names, -1 where there is none; note how it should be named."""
    men = draft.men.get(ref.place, b"")
    if len(men) == 1:
        code = men[0]
        if code // 5 != ref.group or ref.point not in (-1, code % 5):
            return -1
        if ref.point >= 0:
            draft.spelled += ((ref, Ref(ref.place, ref.group)),)
        return code
    code = find_minion(men, ref)
    if code >= 0:
        name = shortest_name(men, ref)
        if name is None:
            draft.unclear = draft.unclear or ref
        elif name != ref:
            draft.spelled += ((ref, name),)
    return code


def block_absent(draft: Draft, ref: Ref) -> NoReturn:
    """Block the word of a minion that is not there; say whose it is that is, or where it points."""
    men, (owner, size) = draft.men.get(ref.place, b""), divmod(ref.group, 3)
    alike = [code for code in men if code // 5 % 3 == size]
    points = " and ".join(sorted({POINTS[code % 5] for code in alike if code // 15 == owner}))
    owners = sorted({f"p{code // 15}'s" for code in alike if code // 15 != owner})
    because = f"There is no {ref_name(ref, draft.seat)}"
    if points:
        because += f": {ref_name(Ref(ref.place, ref.group), draft.seat)} points {points}"
    elif owners:
        description = f"{SIZES[size]} minions on {{}} are" if alike[1:] else f"{SIZES[size]} on {{}} is"
        because += f": the {description.format(place_name(ref.place))} {' and '.join(owners)}"
    draft.block(clauses.NO_MINION, because)


def refuse_user(draft: Draft, ref: Ref, code: int) -> None:
    """Refuse a user that is not there, or is another seat's."""
    if code < 0:
        block_absent(draft, ref)
    draft.refuse(clauses.NO_MINION, f"{ref_name(ref, draft.seat)} is p{code // 15}'s")


def man_name(draft: Draft, place: int, code: int) -> str:
    """Return a minion on the board as a word of the seat names it."""
    return ref_name(name_for(draft.men.get(place, b""), place, code), draft.seat)


def enter(draft: Draft, place: int, code: int) -> None:
    """Put a new minion in a space, from its owner's stash."""
    if not has_piece(draft, code):
        draft.block(clauses.STASH, f"p{code // 15} has no {SIZES[code // 5 % 3]} left")
    draft.men = {**draft.men, place: bytes(sorted((*draft.men.get(place, b""), code)))}
    _put_back(draft, code, -1)


def _take(draft: Draft, place: int, code: int) -> None:
    """Take a minion from a space."""
    men = draft.men.copy()
    rest = men[place].replace(ONE[code], b"", 1)
    if rest:
        men[place] = rest
    else:
        del men[place]
    draft.men = men


def move_to(draft: Draft, place: int, code: int, to: int, other: int) -> None:
    """Move a minion, which points differently there."""
    _take(draft, place, code)
    men = draft.men
    men[to] = bytes(sorted((*men.get(to, b""), other)))


def become(draft: Draft, place: int, code: int, other: int) -> None:
    """Put another piece in a minion's stead; that piece's owner has one."""
    move_to(draft, place, code, place, other)
    if code // 5 != other // 5:
        _put_back(draft, other, -1)
        _put_back(draft, code, 1)


def destroy(draft: Draft, place: int, code: int) -> None:
    """Take a minion off the board."""
    _take(draft, place, code)
    _put_back(draft, code, 1)


def has_piece(draft: Draft, code: int) -> bool:
    """Say whether a stash has a piece like this minion."""
    return draft.stash[code // 5 - 3] > 0


def _put_back(draft: Draft, code: int, count: int) -> None:
    """Give so many pieces like this minion back to its owner's stash; below 0, they are taken from it."""
    stash = bytearray(draft.stash)
    stash[code // 5 - 3] += count
    draft.stash = bytes(stash)
