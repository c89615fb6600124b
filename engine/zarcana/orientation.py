"""Where minions point: who may use a power standing or lying, the option that turns minions, and the Devil."""

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause, subject_of
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.minions import become, block_absent, man_name, pick
from cartulary.engine.zarcana.moves import Reorient, Turn
from cartulary.engine.zarcana.place_names import AROUND, POINTS, place_name, ref_name


def keep_orientation(draft: Draft, place: int, code: int, stance: str, power: AnyClause) -> None:
    """Refuse a user that does not stand or lie as the power asks. stance: ``stands`` or ``lies``"""
    has = "lies" if code % 5 else "stands"
    if has != stance:
        used = f"only a minion that {stance} can use {subject_of(power)[0]}"
        draft.refuse(clauses.ORIENTATION, f"{man_name(draft, place, code)} {has}, but {used}")


def reorient(draft: Draft, move: Reorient) -> None:
    """Turn any of the seat's own minions."""
    for turn in move.turns:
        if turn.ref.group // 3 != draft.seat:
            draft.refuse(clauses.REORIENT, f"{ref_name(turn.ref, draft.seat)} is p{turn.ref.group // 3}'s")
    _turned(draft, clauses.REORIENT, move.turns)


def devil(draft: Draft, power: AnyClause, place: int, code: int, *turns: Turn) -> None:
    """Turn any minions in the own and the four adjacent spaces, all at once."""
    near = (place, *(place + step for step in AROUND))
    for turn in turns:
        if turn.ref.place not in near:
            draft.refuse(power, f"{place_name(turn.ref.place)} is not next to {place_name(place)}")
    _turned(draft, power, turns)


def _turned(draft: Draft, power: AnyClause, turns: tuple[Turn, ...]) -> None:
    """Turn minions, each of which changes and is named once."""
    changes: list[tuple[int, int, int]] = []
    for turn in turns:
        code = pick(draft, turn.ref)
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
        become(draft, place, code, other)
