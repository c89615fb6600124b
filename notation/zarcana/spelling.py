"""The one spelling of a Zarcana move.

Cards of one operand are written in the deck's order, S W C D, each from 1 to K, then T00 to T21 and E1 to E8, unknown
ones at the end; the first board and the deck are left as they lie. Minions that turn in one word stand in ASCII order.
"""

from collections.abc import Callable, Sequence
from typing import Any

from cartulary.engine.zarcana.cards import listed, name_of
from cartulary.engine.zarcana.moves import (
    NINE,
    REST,
    TURNED,
    Away,
    Build,
    BuildFrom,
    Clone,
    Create,
    Deal,
    DiscardHand,
    Draw,
    Drawn,
    Final,
    Flip,
    Gift,
    Go,
    Grow,
    HitMinion,
    HitPlace,
    Move,
    Part,
    Pass,
    Place,
    Play,
    Raised,
    Reorient,
    Reveal,
    Toward,
    Turn,
    Use,
)
from cartulary.engine.zarcana.places import POINTS, SIZES, place_name, ref_name
from cartulary.engine.zarcana.state import State

# --- words ---


def write(move: Move, state: State, after: State | None) -> str:
    """Return the one spelling of a move in the state before it."""
    text = _WORDS[type(move)](move)
    return text if move.seat == state.turn else f"p{move.seat}/{text}"


def _use(move: Use) -> str:
    return _play(move.play, move.seat)


def _play(play: Play, seat: int) -> str:
    head = name_of(play.card) if play.card >= 0 else ""
    if play.origin == TURNED:
        head = f"^{head}"
    if play.names:
        head += "".join(f"={name_of(name)}" for name in play.names)
    if play.user is not None:
        head += f">{ref_name(play.user, seat)}"
    return head + parts_of(play, seat)


def parts_of(play: Play, seat: int) -> str:
    """Return what a play does as its word says it."""
    text, parts = "", play.parts
    turns = [part for part in parts if isinstance(part, Turn)] if len(parts) > 1 else []
    if turns and len(turns) == len(parts):
        return "&" + _turns(turns, seat)
    for part in parts:
        if isinstance(part, Turn) or (text and not isinstance(part, Go)):
            text += "&"
        text += _PARTS[type(part)](part, seat)
    return text


def turn_text(turn: Turn, seat: int) -> str:
    """Return one minion's turn."""
    return f"{ref_name(turn.ref, seat)}={POINTS[turn.point]}"


def _turns(turns: Sequence[Turn], seat: int) -> str:
    return "&".join(sorted([turn_text(turn, seat) for turn in turns]))


def _clone(part: Clone, seat: int) -> str:
    return f"@{SIZES[part.man // 5 % 3]}'{POINTS[part.man % 5]}"


def _create(part: Create, seat: int) -> str:
    return f"@{SIZES[part.man // 5 % 3]}{place_name(part.place)}'{POINTS[part.man % 5]}"


def _hit_place(part: HitPlace, seat: int) -> str:
    return f":{place_name(part.place)}" + (f"^{name_of(part.shown)}" if part.shown >= 0 else "")


def _build(part: Build, seat: int) -> str:
    return f"@{place_name(part.place)}" + (f"*{name_of(part.card)}" if part.card >= 0 else "")


_PARTS: dict[type[Part], Callable[[Any, int], str]] = {
    Grow: lambda part, seat: f"={SIZES[part.size]}",
    Clone: _clone,
    Go: lambda part, seat: f">{place_name(part.place)}",
    HitMinion: lambda part, seat: f":{ref_name(part.ref, seat)}",
    HitPlace: _hit_place,
    Build: _build,
    BuildFrom: lambda part, seat: f"@{place_name(part.place)}={name_of(part.card)}",
    Create: _create,
    Turn: turn_text,
    Toward: lambda part, seat: f">p{part.seat}",
    Drawn: lambda part, seat: f"*{listed(part.cards)}",
    Raised: lambda part, seat: f":{listed(part.cards)}",
    Away: lambda part, seat: f"-{listed(part.cards)}",
    Flip: lambda part, seat: f"*{_play(part.play, seat)}",
}


def _place(move: Place) -> str:
    return f"{SIZES[move.man // 5 % 3]}@{place_name(move.place)}'{POINTS[move.man % 5]}"


def _discard_hand(move: DiscardHand) -> str:
    return "DiscardHand" if move.cards is None else f"DiscardHand^{listed(move.cards)}"


def _deal(move: Deal) -> str:
    where = "b" if move.to == NINE else "" if move.to == REST else f"p{move.to}"
    return f"{where}*{listed(move.cards)}"


def _reveal(move: Reveal) -> str:
    return "^" + "&".join(f"{place_name(place)}={name_of(card)}" for place, card in move.cards)


_WORDS: dict[type[Move], Callable[[Any], str]] = {
    Use: _use,
    Place: _place,
    Reorient: lambda move: _turns(move.turns, move.seat),
    Draw: lambda move: f"*{listed(move.cards)}",
    DiscardHand: _discard_hand,
    Pass: lambda move: "Pass",
    Final: lambda move: "Final",
    Gift: lambda move: f"{listed(move.cards)}>p{move.to}",
    Deal: _deal,
    Reveal: _reveal,
}
