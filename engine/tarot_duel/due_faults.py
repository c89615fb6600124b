"""What is wrong with a word that is due: how many cards it has, and where they must be."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from cartulary.engine.contract import Open
from cartulary.engine.slots import UNKNOWN
from cartulary.engine.tarot_duel.answering import are_stakes, rowed
from cartulary.engine.tarot_duel.cards import NAMES, how_many, listed, name_of
from cartulary.engine.tarot_duel.challenges import stakes_fault
from cartulary.engine.tarot_duel.faces import may_have_won
from cartulary.engine.tarot_duel.moves import (
    Discard,
    Draw,
    Mill,
    Move,
    Pick,
    PutBack,
    Redraw,
    Rob,
    Row,
    Show,
    Stakes,
)
from cartulary.engine.tarot_duel.state import Due, State
from cartulary.engine.tarot_duel.zones import draw, mill, sight, take_hand

EFFECT, WINNER, STAKES = "tarot-duel.effect", "tarot-duel.challenge-winner", "tarot-duel.challenge-stakes"


class Fault(Struct, frozen=True):
    """The first rule a word breaks, and why; ``opens`` where that depends on hidden cards."""

    key: str
    because: str
    blocks: bool = False
    opens: Open | None = None


def due_fault(now: State, due: Due, move: Move) -> Fault | None:
    """Return what is wrong with a word of the kind that is due."""
    check = _CHECKS.get(due.what)
    if check is None:
        return None
    because, nowhere = check(now, due, move)
    if because:
        return Fault(STAKES if due.what in ("lose", "back") else EFFECT, because, nowhere is not None)
    return nowhere


Checked = tuple[str, Fault | None]


def not_in_hand(now: State, seat: int, cards: bytes) -> Fault | None:
    """Return the fault of cards that are not in a hand, None where they can all be in it."""
    state = now
    for card in sorted(cards):
        taken = take_hand(state, seat, card)
        if taken is None:
            return Fault("tarot-duel.in-hand", f"{name_of(card)} is not in p{seat}'s hand", True)
        state = taken[0]
    return None


def not_on_top(now: State, seat: int, cards: bytes, key: str) -> Fault | None:
    """Return the fault of cards that do not lie on top of a deck."""
    if draw(now, seat, cards) is not None:
        return None
    return Fault(key, _not_above(seat, cards), True)


def _not_above(seat: int, cards: bytes) -> str:
    return f"{listed(cards)} {'does' if len(cards) == 1 else 'do'} not lie on top of p{seat}'s deck"


def _counted(cards: bytes, count: int) -> str:
    return "" if len(cards) == count else f"the word has {how_many(len(cards))}, expected {count}"


def _choose(now: State, due: Due, move: Draw | Rob) -> Checked:
    if isinstance(move, Draw):
        return _counted(move.cards, 1), not_on_top(now, move.seat, move.cards, EFFECT)
    if move.whose != due.other:
        return f"the card is one of p{due.other}'s hand", None
    return "" if now.sides[move.whose - 1].hand else f"p{move.whose}'s hand is empty", None


def _pick(now: State, due: Due, move: Pick) -> Checked:
    nowhere = not_in_hand(now, move.whose, move.cards)
    if move.whose != due.other:
        return f"the cards are of p{due.other}'s hand", nowhere
    return _counted(move.cards, due.count), nowhere


def _swap(now: State, due: Due, move: Pick) -> Checked:
    if move.whose != due.other or len(move.cards) != 1:
        return f"one card of p{due.other}'s hand is due", Fault(EFFECT, "", True)
    own = due.use.own if due.use else None
    if own is not None and own.place == "a" and move.cards[0] == UNKNOWN:
        return "a card that comes to an area is seen by all", Fault(EFFECT, "", True)
    return "", not_in_hand(now, move.whose, move.cards)


def _draw(now: State, due: Due, move: Draw) -> Checked:
    count = min(due.count, len(now.sides[due.seat - 1].deck))
    return _counted(move.cards, count), not_on_top(now, move.seat, move.cards, EFFECT)


def _redraw(now: State, due: Due, move: Redraw | Discard) -> Checked:
    away, drawn = (move.away, move.drawn) if isinstance(move, Redraw) else (move.cards, b"")
    side = now.sides[due.seat - 1]
    because = _counted(away, len(side.hand)) or _counted(drawn, min(len(side.hand), len(side.deck)))
    nowhere = not_in_hand(now, move.seat, away)
    return because, nowhere or (not_on_top(now, move.seat, drawn, EFFECT) if drawn else None)


def _mill(now: State, due: Due, move: Mill) -> Checked:
    because = _counted(move.cards, min(due.count, len(now.sides[due.seat - 1].deck)))
    if mill(now, move.seat, move.cards) is not None:
        return because, None
    return because, Fault(EFFECT, _not_above(move.seat, move.cards), True)


def _discard(now: State, due: Due, move: Discard) -> Checked:
    return _counted(move.cards, due.count), not_in_hand(now, move.seat, move.cards)


def _row(now: State, due: Due, move: Row) -> Checked:
    if _counted(move.cards, due.count):
        return _counted(move.cards, due.count), Fault(EFFECT, "", True)
    if rowed(now, move) is not None:
        return "", None
    because = f"{listed(move.cards)} are not what lies face down in p{move.seat}'s area"
    return "", Fault("tarot-duel.in-area", because, True)


def _stakes(now: State, due: Due, move: Stakes) -> Checked:
    for seat, face in ((due.seat, move.ours), (due.other, move.theirs)):
        because = stakes_fault(now, seat, face)
        if because:
            return "", Fault(STAKES, because, True)
    return "", None


def _show(now: State, due: Due, move: Show) -> Checked:
    if sight(now, now.sides[due.other - 1].area[-1], move.card) is not None:
        return "", _beaten(now, now.due[1])
    return "", Fault(WINNER, f"{NAMES[move.card]} is not the card that was won", True)


def _put(now: State, due: Due, move: Discard | PutBack) -> Checked:
    because = _counted(move.cards, due.count)
    if due.card not in move.cards and due.card != UNKNOWN and UNKNOWN not in move.cards:
        because = because or f"{name_of(due.card)}, which lay face up, is missing from the stakes"
    if are_stakes(now, move.seat, move.cards):
        return because, None if because else _beaten(now, due, move.cards)
    wrong = f"{listed(move.cards)} cannot be the stakes of p{move.seat}'s deck"
    return because, Fault(STAKES, wrong, True)


def _beaten(now: State, due: Due, stakes: bytes = b"") -> Fault | None:
    """Return the fault of a winner whose face-up card cannot have been the higher one."""
    if due.what not in ("lose", "back") or may_have_won(now, due, stakes):
        return None
    winner, loser = (due.seat, due.other) if due.what == "back" else (due.other, due.seat)
    return Fault(WINNER, f"p{winner}'s face-up card cannot have been higher than p{loser}'s")


_CHECKS: dict[str, Callable[[State, Due, Any], Checked]] = {
    "choose": _choose,
    "pick": _pick,
    "look": _pick,
    "swap": _swap,
    "draw": _draw,
    "redraw": _redraw,
    "mill": _mill,
    "discard": _discard,
    "row": _row,
    "stakes": _stakes,
    "show": _show,
    "lose": _put,
    "back": _put,
}
