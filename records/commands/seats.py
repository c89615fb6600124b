"""The seat of somebody who disputes, rules or agrees, named by its number or by the player's name."""

from cartulary.engine.numbers import is_numbered, seat_number, seats_named
from cartulary.notation.cgn.signs import cut
from cartulary.records.faults import Unfit
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import players
from cartulary.records.texts import one_spelling


def is_seat(who: str) -> bool:
    """Say whether a text has the form of a seat, such as ``p2`` or ``P02``.

    Whether a game has such a seat is not asked.
    """
    return is_numbered(who.lower())


def seat_of(game: LiveGame, who: str) -> str:
    """Return the seat of somebody, ``P02`` or ``ada`` -> ``p2``, by its number or by the player's name in any capitals.

    Any other text is returned in canonical spelling and small letters.
    """
    if seat_number(who) in range(1, game.book.seats + 1):
        return f"p{seat_number(who)}"
    wanted = one_spelling(who).lower()
    named = enumerate(players(game.record), 1)
    seats = (f"p{seat}" for seat, name in named if name not in ("", "?") and name.lower() == wanted)
    return next(seats, wanted)


def canonical_who(game: LiveGame, who: str) -> str:
    """Return a seat in its usual form, ``P02`` -> ``p2``; a text that has not the form of a seat is returned as it is.

    Raises:
        Unfit: The game has no such seat.
    """
    if not is_seat(who):
        return who
    if seat_number(who) not in range(1, game.book.seats + 1):
        raise Unfit(f"{cut(who)} is not a seat of {game.id}; expected {seats_named(game.book.seats)}.")
    return f"p{seat_number(who)}"
