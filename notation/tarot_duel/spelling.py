"""The one spelling of each word of the duel: cards suit by suit, places, and what a Major's word names."""

from collections.abc import Callable
from typing import Any

from cartulary.engine.tarot_duel import State, moves
from cartulary.engine.tarot_duel.cards import NAMES, NOTHING, TEMPERANCE, listed, name_of


def write(move: moves.Move, state: State, after: State | None = None) -> str:
    """Return the word of a move."""
    return _use(move, state.house.seats) if type(move) is moves.Use else _WRITTEN[type(move)](move)


def prefixed(move: moves.Move, state: State) -> bool:
    """Say whether a word bears its seat: all but those of the seat in turn, and its own where it uses a window."""
    return move.seat != state.turn or type(move) is moves.Nullify or (type(move) is moves.Use and move.justice)


def _ordered(cards: bytes) -> str:
    return name_of(cards[0]) if len(cards) == 1 else listed(sorted(cards))


def _faces(move: moves.Challenge | moves.Stakes) -> str:
    return "".join(f"^{name_of(face)}" if face != NOTHING else "^" for face in (move.ours, move.theirs))


def _spot(spot: moves.Spot, seat: int) -> str:
    """Return where a card is, in the place of a seat, 0 for the own."""
    of = f"p{seat}" if seat else ""
    if spot.at:
        return f"{of}{spot.place}{spot.at}"
    return f"{of}{spot.place}" if seat and spot.place == "h" else f"{of}{spot.place}={name_of(spot.card)}"


def _use(move: moves.Use, seats: int) -> str:
    text = "T12=" if move.justice else ""
    text += NAMES[move.card]
    if NAMES[move.card] != f"T{move.number:02}":
        text += f"=T{move.number:02}"
    if move.again == moves.AGAIN_CHALLENGE:
        return f"{text}:{_spot(move.other, move.target)}" if move.other is not None else text
    if move.again:
        text += f"=T{move.again:02}"
    if move.cards:
        text += f"={_ordered(move.cards)}"
    if move.own is not None:
        text += f"={name_of(move.own.card)}" if move.own.place == "h" else f">{_spot(move.own, 0)}"
    sole = seats == 2 and move.target == 3 - move.seat and moves.acting(move) in moves.AIMED
    if move.other is not None:
        text += f">{_spot(move.other, move.target)}"
    elif move.target and not sole:
        text += f">p{move.target}"
    return text if move.count is None else f"{text}={move.count}"


_WRITTEN: dict[type, Callable[[Any], str]] = {
    moves.Draw: lambda move: f"*{_ordered(move.cards)}",
    moves.End: lambda move: "End",
    moves.Lay: lambda move: f"{_ordered(move.cards)}@a",
    moves.Order: lambda move: f"p{move.to}*{listed(move.cards)}",
    moves.Discard: lambda move: f"{_ordered(move.cards)}-",
    moves.Challenge: lambda move: f":{_spot(move.spot, move.target)}{_faces(move)}",
    moves.Stand: lambda move: f"{NAMES[move.card]}={NAMES[move.name]}@a",
    moves.Rename: lambda move: f"{NAMES[move.card]}={NAMES[move.name]}",
    moves.Mill: lambda move: f"*{_ordered(move.cards)}-",
    moves.Redraw: lambda move: f"{_ordered(move.away)}-*{_ordered(move.drawn)}",
    moves.Stakes: _faces,
    moves.Show: lambda move: f"^{NAMES[move.card]}",
    moves.PutBack: lambda move: f"{listed(move.cards)}>d",
    moves.Row: lambda move: f"{listed(move.cards)}>a",
    moves.Nullify: lambda move: NAMES[move.card] if move.card == TEMPERANCE else f"{NAMES[move.card]}=T15",
    moves.Answer: lambda move: "Yes" if move.yes else "Pass",
    moves.Rob: lambda move: f":p{move.whose}h",
    moves.Pick: lambda move: f"p{move.whose}={_ordered(move.cards)}",
    moves.Coin: lambda move: "=H" if move.heads else "=T",
    moves.Die: lambda move: f"={move.pips}",
}
