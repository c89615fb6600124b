"""The one spelling of a Zarcana move, and of its minions where a word names them too long or too short."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

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
from cartulary.engine.zarcana.spaces import POINTS, SIZES, Ref, place_name, ref_name

Renamed = tuple[tuple[Ref, Ref | None], ...]

# --- words ---


def spelled(move: Move) -> str:
    """Return a move without a prefix."""
    return _WORDS[type(move)](move)


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
    text = ""
    for part in play.parts:
        if isinstance(part, Turn) or (text and not isinstance(part, Go)):
            text += "&"
        text += _PARTS[type(part)](part, seat)
    return text


def spelled_turn(turn: Turn, seat: int) -> str:
    """Return one minion's turn."""
    return f"{ref_name(turn.ref, seat)}={POINTS[turn.point]}"


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
    Turn: spelled_turn,
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
    Reorient: lambda move: "&".join(spelled_turn(turn, move.seat) for turn in move.turns),
    Draw: lambda move: f"*{listed(move.cards)}",
    DiscardHand: _discard_hand,
    Pass: lambda move: "Pass",
    Final: lambda move: "Final",
    Gift: lambda move: f"{listed(move.cards)}>p{move.to}",
    Deal: _deal,
    Reveal: _reveal,
}

# --- minions named otherwise ---


def renamed(move: Move, names: Renamed) -> Move:
    """Return a move with some of its minions, told apart by identity, named otherwise."""
    if isinstance(move, Use):
        return replace(move, play=_renamed_play(move.play, names, move.seat))
    if isinstance(move, Reorient):
        return replace(move, turns=_renamed_turns(move.turns, names, move.seat))
    return move


def _renamed_play(play: Play, names: Renamed, seat: int) -> Play:
    user = _renamed_ref(play.user, names) if play.user is not None else None
    parts = tuple(_renamed_part(part, names, seat) for part in play.parts)
    turns = tuple(part for part in parts if isinstance(part, Turn))
    if turns and len(turns) == len(parts):
        parts = _renamed_turns(turns, (), seat)
    return replace(play, user=user, parts=parts)


def _renamed_part(part: Part, names: Renamed, seat: int) -> Part:
    if isinstance(part, HitMinion):
        return HitMinion(_renamed_ref(part.ref, names) or part.ref)
    if isinstance(part, Turn):
        return Turn(_renamed_ref(part.ref, names) or part.ref, part.point)
    return Flip(_renamed_play(part.play, names, seat)) if isinstance(part, Flip) else part


def _renamed_turns(turns: tuple[Turn, ...], names: Renamed, seat: int) -> tuple[Turn, ...]:
    after = (Turn(_renamed_ref(turn.ref, names) or turn.ref, turn.point) for turn in turns)
    return tuple(sorted(after, key=lambda turn: spelled_turn(turn, seat)))


def _renamed_ref(ref: Ref, names: Renamed) -> Ref | None:
    """Return the right name of a minion, None where none is to be named."""
    news = [new for old, new in names if old is ref]
    return None if None in news else news[0] if news else ref
