"""Minions on the board and in the stashes, done on a draft: named, put there, moved, turned, changed and destroyed.

Where a minion points decides who may use a power standing or lying. The Devil turns minions, and so does an option.
"""

from typing import NoReturn

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause, subject_of
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import (
    AROUND,
    POINTS,
    SIZES,
    Ref,
    Reorient,
    Turn,
    find_minion,
    name_for,
    place_name,
    ref_name,
    shortest_name,
)

# --- minions ---


BYTE_OF = tuple(bytes((code,)) for code in range(256))
"""One byte, by its value."""


def find_named(draft: Draft, ref: Ref) -> int:
    """Return the code of the minion a word names, -1 if there is none.

    If its name should have been shorter, the right name is added to the draft's ``renames``. If it may be two minions
    that point differently, the name becomes the draft's ``unclear``, and the first of them is returned.
    """
    men = draft.men.get(ref.place, b"")
    if len(men) == 1:
        code = men[0]
        if code // 5 != ref.group or ref.point not in (-1, code % 5):
            return -1
        if ref.point >= 0:
            draft.renames += ((ref, Ref(ref.place, ref.group)),)
        return code
    code = find_minion(men, ref)
    if code >= 0:
        name = shortest_name(men, ref)
        if name is None:
            draft.unclear = draft.unclear or ref
        elif name != ref:
            draft.renames += ((ref, name),)
    return code


def block_absent(draft: Draft, ref: Ref) -> NoReturn:
    """Raise BlockedError because the minion a word names is not there.

    The reason says where it points, or whose minion of that size is there, if one is.
    """
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
    """Note the refusal of a minion of another seat that is named as the user of a power.

    Raises:
        BlockedError: The minion is not there (``code`` is -1).
    """
    if code < 0:
        block_absent(draft, ref)
    draft.refuse(clauses.NO_MINION, f"{ref_name(ref, draft.seat)} is p{code // 15}'s")


def man_name(draft: Draft, place: int, code: int) -> str:
    """Return a minion on the board as a word of the draft's seat names it: ``Mo``, ``p2Se1``; the shortest name that is
    clear.
    """
    return ref_name(name_for(draft.men.get(place, b""), place, code), draft.seat)


def put_minion(draft: Draft, place: int, code: int) -> None:
    """Put a new minion in a space, from its owner's stash.

    Raises:
        BlockedError: The owner has no such piece left.
    """
    if not has_piece(draft, code):
        draft.block(clauses.STASH, f"p{code // 15} has no {SIZES[code // 5 % 3]} left")
    draft.men = {**draft.men, place: bytes(sorted((*draft.men.get(place, b""), code)))}
    _add_to_stash(draft, code, -1)


def _remove_minion(draft: Draft, place: int, code: int) -> None:
    """Remove a minion from a space; its piece is not given back to the stash. It must be there."""
    men = draft.men.copy()
    rest = men[place].replace(BYTE_OF[code], b"", 1)
    if rest:
        men[place] = rest
    else:
        del men[place]
    draft.men = men


def move_to(draft: Draft, place: int, code: int, to: int, other: int) -> None:
    """Move a minion to another space.

    Args:
        draft: The draft, which changes.
        place: The space it leaves.
        code: The minion.
        to: The space it moves to.
        other: Its code there, as it may point elsewhere.
    """
    _remove_minion(draft, place, code)
    men = draft.men
    men[to] = bytes(sorted((*men.get(to, b""), other)))


def replace_minion(draft: Draft, place: int, code: int, other: int) -> None:
    """Replace a minion by another piece or another direction in the same space.

    If size or owner differ, the stashes give the new piece and take the old one. ``code`` is the minion, ``other`` what
    it becomes.
    """
    move_to(draft, place, code, place, other)
    if code // 5 != other // 5:
        _add_to_stash(draft, other, -1)
        _add_to_stash(draft, code, 1)


def destroy(draft: Draft, place: int, code: int) -> None:
    """Remove a minion from the board; its piece goes to its owner's stash. It must be there."""
    _remove_minion(draft, place, code)
    _add_to_stash(draft, code, 1)


def has_piece(draft: Draft, code: int) -> bool:
    """Say whether the owner of a minion has a piece of its size left to put on the board.

    ``code`` is that of the minion; where it points does not count.
    """
    return draft.stash[code // 5 - 3] > 0


def _add_to_stash(draft: Draft, code: int, count: int) -> None:
    """Add ``count`` pieces like this minion to its owner's stash; a negative number takes them from it."""
    stash = bytearray(draft.stash)
    stash[code // 5 - 3] += count
    draft.stash = bytes(stash)


# --- where minions point ---


def check_orientation(draft: Draft, place: int, code: int, stance: str, power: AnyClause) -> None:
    """Note the refusal of a user that does not stand or lie as the power asks.

    Args:
        draft: The draft.
        place: The user's space.
        code: The user.
        stance: ``stands`` or ``lies``.
        power: The rule of the power.
    """
    has = "lies" if code % 5 else "stands"
    if has != stance:
        rule = f"only a minion that {stance} can use {subject_of(power)[0]}"
        draft.refuse(clauses.ORIENTATION, f"{man_name(draft, place, code)} {has}, but {rule}")


def reorient(draft: Draft, move: Reorient) -> None:
    """Carry out the option of turning any of the seat's own minions, all at once.

    Another seat's minion, or one that points so already, is noted as a refusal, and turned all the same.

    Raises:
        BlockedError: A minion is not there, or is named twice.
    """
    for turn in move.turns:
        if turn.ref.group // 3 != draft.seat:
            draft.refuse(clauses.REORIENT, f"{ref_name(turn.ref, draft.seat)} is p{turn.ref.group // 3}'s")
    _turn_minions(draft, clauses.REORIENT, move.turns)


def devil(draft: Draft, power: AnyClause, place: int, code: int, *turns: Turn) -> None:
    """Turn any minions in the user's space and the four adjacent ones, all at once; one further away is noted as a
    refusal.

    Raises:
        BlockedError: A minion is not there, or is named twice.
    """
    near = (place, *(place + step for step in AROUND))
    for turn in turns:
        if turn.ref.place not in near:
            draft.refuse(power, f"{place_name(turn.ref.place)} is not next to {place_name(place)}")
    _turn_minions(draft, power, turns)


def _turn_minions(draft: Draft, power: AnyClause, turns: tuple[Turn, ...]) -> None:
    """Turn minions all at once; one that already points so is noted as a refusal.

    Raises:
        BlockedError: One of them is not there, or is named twice.
    """
    changes: list[tuple[int, int, int]] = []
    for turn in turns:
        code = find_named(draft, turn.ref)
        if code >= 0 and code % 5 == turn.point:
            how = f"points {POINTS[turn.point]}" if turn.point else "stands"
            draft.refuse(power, f"{ref_name(turn.ref, draft.seat)} {how} already")
        changes.append((turn.ref.place, code, code - code % 5 + turn.point))
    for place, code, _ in changes if len(changes) > 1 else ():
        if code >= 0 and draft.men[place].count(code) < sum(change[:2] == (place, code) for change in changes):
            draft.block(power, f"A minion on {place_name(place)} is named twice")
    for at, (_, code, _) in enumerate(changes):
        if code < 0:
            block_absent(draft, turns[at].ref)
    for place, code, other in changes:
        replace_minion(draft, place, code, other)
