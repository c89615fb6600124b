"""Trumps played for their effect: which does what, and Justice, Hermit, Death and Devil, who break no rule."""

from collections.abc import Callable

from cartulary.engine.arcanoid import round, temperance
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.hanged_man import hanged_man
from cartulary.engine.arcanoid.hierophant import hierophant
from cartulary.engine.arcanoid.high_priestess import high_priestess
from cartulary.engine.arcanoid.moves import DAEMON, ROW, Move
from cartulary.engine.arcanoid.star_moon_sun import call
from cartulary.engine.arcanoid.state import Due
from cartulary.engine.arcanoid.strength import strengthen
from cartulary.engine.arcanoid.tower import undo
from cartulary.engine.arcanoid.wheel import turn_wheel
from cartulary.engine.cards.deck import FOOL


def again(move: Move) -> bool:
    """Say whether who plays this trump plays on."""
    return move.count in (2, 5, 8)


def use(draft: Draft, move: Move) -> None:
    """Play a trump for its effect; ``count`` of the move is its number."""
    draft.take(move.who, FOOL + move.count)
    if move.count not in _LAID:
        draft.pile += move.cards
    _USES[move.count](draft, move)


def _justice(draft: Draft, move: Move) -> None:
    draft.row = b""
    draft.aside += bytes((FOOL + 8,))
    draft.dues.insert(0, Due("fill", ROW))


def _hermit(draft: Draft, move: Move) -> None:
    draft.seat(move.who).hermit = 3


def _death(draft: Draft, move: Move) -> None:
    draft.pile += draft.deck
    draft.deck, draft.dead = b"", True
    temperance.drop(draft)


def _devil(draft: Draft, move: Move) -> None:
    master = move.seat
    daemon = DAEMON + master
    old = draft.peek(daemon)
    if any(old.fields):
        draft.gone += ((master, old.fields),)
    draft.sides[draft.house.seats + master - 1] = round.FRESH
    draft.devil = master
    draft.dues.insert(0, Due("fill", daemon))
    if draft.turn == move.who and move.extra:
        draft.turn = daemon


_USES: dict[int, Callable[[Draft, Move], None]] = {
    2: high_priestess,
    5: hierophant,
    8: _justice,
    9: _hermit,
    10: turn_wheel,
    11: strengthen,
    12: hanged_man,
    13: _death,
    14: temperance.lay,
    15: _devil,
    16: undo,
    17: call,
    18: call,
    19: call,
}


_LAID = (8, 9, 11, 14, 15)
"""The trumps that lie on the table when they are played, and are not discarded."""
