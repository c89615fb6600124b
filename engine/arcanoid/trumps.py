"""What the other trumps do when they are played."""

from collections.abc import Callable

from msgspec.structs import replace

from cartulary.engine.arcanoid import clauses, round, temperance
from cartulary.engine.arcanoid.cards import FIELDS
from cartulary.engine.arcanoid.draft import Draft, Seat
from cartulary.engine.arcanoid.hierophant import hierophant
from cartulary.engine.arcanoid.moves import DAEMON, ROW, Move
from cartulary.engine.arcanoid.sets import JUDGED, WORLDLY
from cartulary.engine.arcanoid.star_moon_sun import call
from cartulary.engine.arcanoid.state import Due, who_name
from cartulary.engine.cards.deck import FOOL
from cartulary.engine.cards.draft import AnyClause
from cartulary.engine.slots import is_slot


def again(move: Move) -> bool:
    """Say whether who plays this trump plays on."""
    return move.count in (2, 5, 8)


def use(draft: Draft, move: Move) -> None:
    """Play a trump for its effect; ``count`` of the move is its number."""
    draft.take(move.who, FOOL + move.count)
    if move.count not in _LAID:
        draft.pile += move.cards
    _USES[move.count](draft, move)


def _priestess(draft: Draft, move: Move) -> None:
    _check_target(draft, move, clauses.HIGH_PRIESTESS)
    if move.target == move.who:
        draft.refuse(clauses.HIGH_PRIESTESS, f"{who_name(move.who)} looks at its own hand")
    target = draft.seat(move.target)
    seen = sum(1 << code for code in target.hand if not is_slot(code))
    known = dict(target.looked)
    known[move.seat] = known.get(move.seat, 0) | seen
    target.looked = tuple(sorted(known.items()))


def _check_target(draft: Draft, move: Move, clause: AnyClause) -> None:
    if not draft.in_play(move.target):
        draft.block(clause, f"{who_name(move.target)} is not in play")


def _justice(draft: Draft, move: Move) -> None:
    draft.row = b""
    draft.aside += bytes((FOOL + 8,))
    draft.dues.insert(0, Due("fill", ROW))


def _hermit(draft: Draft, move: Move) -> None:
    draft.seat(move.who).hermit = 3


def _wheel(draft: Draft, move: Move) -> None:
    draft.dues[:0] = [Due("take", move.who, 5), Due("away", move.who, int(move.extra))]


def _strength(draft: Draft, move: Move) -> None:
    seat = draft.seat(move.who)
    draft.aside += bytes((FOOL + 11,))
    option = move.calls[0] if move.calls else 0
    if option == 2:
        seat.wide = 2
        draft.dues.insert(0, Due("reveal", move.who, 2))
    elif option == 1:
        seat.size += 1
    else:
        draft.refuse(clauses.STRENGTH, f"{option} is neither two visible cards nor one hidden")


def _hanged(draft: Draft, move: Move) -> None:
    _check_target(draft, move, clauses.HANGED_MAN)
    draft.pile += draft.emptied(move.target)
    draft.dues.insert(0, Due("fill", move.target))


def _death(draft: Draft, move: Move) -> None:
    draft.pile += draft.deck
    draft.deck, draft.dead = b"", True
    round.drop_temper(draft)


def _devil(draft: Draft, move: Move) -> None:
    master = move.seat
    daemon = DAEMON + master
    old = draft.seat(daemon)
    if any(old.fields):
        draft.gone += ((master, old.fields),)
    at = draft.house.seats + master - 1
    draft.changed[at] = Seat(round.FRESH)
    draft.devil = master
    draft.dues.insert(0, Due("fill", daemon))
    if draft.turn == move.who and move.extra:
        draft.turn = daemon


def _tower(draft: Draft, move: Move) -> None:
    target, field = move.target or move.who, move.fields[0]
    there = draft.peek(target).fields[field]
    where = f"{who_name(target)} on {FIELDS[field]}"
    if there is None:
        return draft.refuse(clauses.TOWER, f"nothing is committed by {where}")
    if there.kind in (JUDGED, WORLDLY) or not there.cards:
        return draft.refuse(clauses.TOWER, f"what stands of {where} is an abdication, Judgment or the World")
    if not draft.in_play(target):
        return draft.refuse(clauses.TOWER, f"{who_name(target)} has left the round")
    seat = draft.seat(target)
    fields = list(seat.fields)
    other = fields[there.both] if there.both >= 0 else None
    if other is not None:
        fields[there.both] = replace(other, both=-1)
    else:
        draft.pile += there.cards
    round.unread(draft, there)
    fields[field] = None
    seat.fields = tuple(fields)
    draft.touched |= 1 << field
    return None


_USES: dict[int, Callable[[Draft, Move], None]] = {
    2: _priestess,
    5: hierophant,
    8: _justice,
    9: _hermit,
    10: _wheel,
    11: _strength,
    12: _hanged,
    13: _death,
    14: temperance.lay,
    15: _devil,
    16: _tower,
    17: call,
    18: call,
    19: call,
}


_LAID = (8, 9, 11, 14, 15)
"""The trumps that lie on the table when they are played, and are not discarded."""
