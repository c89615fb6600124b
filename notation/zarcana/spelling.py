"""The canonical spelling of a Zarcana move.

Cards of one operand are written in the deck's order, S W C D, each from 1 to K, then T00 to T21 and E1 to E8, unknown
ones at the end; the first board and the deck are left as they lie. Minions that turn in one word stand in ASCII order.
"""

from collections.abc import Callable, Sequence
from typing import Any

from cartulary.engine.zarcana import moves
from cartulary.engine.zarcana.cards import listed, name_of
from cartulary.engine.zarcana.moves import POINTS, SIZES, place_name, ref_name
from cartulary.engine.zarcana.state import State

# --- words ---


def write(move: moves.Move, state: State, after: State | None) -> str:
    """Return the canonical spelling of a move, with the prefix ``p2/`` if its seat is not the one in turn.

    ``state`` is the state before the move; ``after`` does not matter.
    """
    text = _WORDS[type(move)](move)
    return text if move.seat == state.turn else f"p{move.seat}/{text}"


def _use(move: moves.Use) -> str:
    """Return the word for the use of a power, as ``_play`` spells it."""
    return _play(move.play, move.seat)


def _play(play: moves.Play, seat: int) -> str:
    """Return a play of a seat as its word says it: the card, its names, its user, and what it does.

    A card that was turned up on the board begins with ``^``: ``^T07>Mn1>n2``. A minion of ``seat`` is named without its
    seat.
    """
    head = name_of(play.card) if play.card >= 0 else ""
    if play.origin == moves.TURNED:
        head = f"^{head}"
    if play.names:
        head += "".join(f"={name_of(name)}" for name in play.names)
    if play.user is not None:
        head += f">{ref_name(play.user, seat)}"
    return head + parts_of(play, seat)


def parts_of(play: moves.Play, seat: int) -> str:
    """Return what a play does, part by part, as its word says it; minions of ``seat`` are named without their seat.

    Several parts are joined by ``&``, except for moves to a place. Parts that all turn minions begin with ``&`` and
    stand in ASCII order.
    """
    text, parts = "", play.parts
    turns = [part for part in parts if isinstance(part, moves.Turn)] if len(parts) > 1 else []
    if turns and len(turns) == len(parts):
        return "&" + _turns(turns, seat)
    for part in parts:
        if isinstance(part, moves.Turn) or (text and not isinstance(part, moves.Go)):
            text += "&"
        text += _PARTS[type(part)](part, seat)
    return text


def turn_text(turn: moves.Turn, seat: int) -> str:
    """Return how one minion turns: ``Mn1=e``, or ``p2Mn1=e`` for one that is not of ``seat``."""
    return f"{ref_name(turn.ref, seat)}={POINTS[turn.point]}"


def _turns(turns: Sequence[moves.Turn], seat: int) -> str:
    """Return how several minions turn, in ASCII order: ``Mn1=e&Ss2=u``."""
    return "&".join(sorted([turn_text(turn, seat) for turn in turns]))


def _clone(part: moves.Clone, seat: int) -> str:
    """Return a minion that appears in its user's space, as the word says it: ``@S'u`` is a small one that stands."""
    return f"@{SIZES[part.man // 5 % 3]}'{POINTS[part.man % 5]}"


def _create(part: moves.Create, seat: int) -> str:
    """Return a minion that appears on a place, as the word says it: ``@Sn1'u`` is a small standing one on ``n1``."""
    return f"@{SIZES[part.man // 5 % 3]}{place_name(part.place)}'{POINTS[part.man % 5]}"


def _hit_place(part: moves.HitPlace, seat: int) -> str:
    """Return an attack on a place, with the card that is shown for it: ``:n1^7C``; without one (-1) ``:n1``."""
    return f":{place_name(part.place)}" + (f"^{name_of(part.shown_card)}" if part.shown_card >= 0 else "")


def _build(part: moves.Build, seat: int) -> str:
    """Return a territory built on a place, with the card drawn for it: ``@n1*7C``; with card -1 it is ``@n1``."""
    return f"@{place_name(part.place)}" + (f"*{name_of(part.card)}" if part.card >= 0 else "")


_PARTS: dict[type[moves.Part], Callable[[Any, int], str]] = {
    moves.Grow: lambda part, seat: f"={SIZES[part.size]}",
    moves.Clone: _clone,
    moves.Go: lambda part, seat: f">{place_name(part.place)}",
    moves.HitMinion: lambda part, seat: f":{ref_name(part.ref, seat)}",
    moves.HitPlace: _hit_place,
    moves.Build: _build,
    moves.BuildFrom: lambda part, seat: f"@{place_name(part.place)}={name_of(part.card)}",
    moves.Create: _create,
    moves.Turn: turn_text,
    moves.Toward: lambda part, seat: f">p{part.seat}",
    moves.DrawnCards: lambda part, seat: f"*{listed(part.cards)}",
    moves.RaisedCards: lambda part, seat: f":{listed(part.cards)}",
    moves.Away: lambda part, seat: f"-{listed(part.cards)}",
    moves.Flip: lambda part, seat: f"*{_play(part.play, seat)}",
}


def _place(move: moves.Place) -> str:
    """Return a minion that enters the board, as its word says it, with size, place and pointing: ``S@n1'u``."""
    return f"{SIZES[move.man // 5 % 3]}@{place_name(move.place)}'{POINTS[move.man % 5]}"


def _discard_hand(move: moves.DiscardHand) -> str:
    """Return the discard of a hand, with its cards if they were shown: ``DiscardHand`` or ``DiscardHand^7C,KD``."""
    return "DiscardHand" if move.cards is None else f"DiscardHand^{listed(move.cards)}"


def _deal(move: moves.Deal) -> str:
    """Return cards dealt: ``b*`` to the first board, ``p1*`` to a hand, ``*`` to the deck."""
    where = "b" if move.to == moves.NINE else "" if move.to == moves.REST else f"p{move.to}"
    return f"{where}*{listed(move.cards)}"


def _reveal(move: moves.Reveal) -> str:
    """Return face-down cards that were turned up: ``^n1=7C&o=KD``."""
    return "^" + "&".join(f"{place_name(place)}={name_of(card)}" for place, card in move.cards)


_WORDS: dict[type[moves.Move], Callable[[Any], str]] = {
    moves.Use: _use,
    moves.Place: _place,
    moves.Reorient: lambda move: _turns(move.turns, move.seat),
    moves.Draw: lambda move: f"*{listed(move.cards)}",
    moves.DiscardHand: _discard_hand,
    moves.Pass: lambda move: "Pass",
    moves.Final: lambda move: "Final",
    moves.Gift: lambda move: f"{listed(move.cards)}>p{move.to}",
    moves.Deal: _deal,
    moves.Reveal: _reveal,
}
