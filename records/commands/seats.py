"""Which seat belongs to somebody who disputes, rules or agrees: by its number or by the player's name."""

from cartulary.engine.numbers import seats_named
from cartulary.notation.cgn.signs import cut
from cartulary.records.faults import Unfit
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import players
from cartulary.records.texts import one_spelling


def is_seat(who: str) -> bool:
    """Say whether somebody is called by the number of a seat, ``p2``."""
    return who[:1] == "p" and who[1:].isascii() and who[1:].isdecimal()


def seat_of(game: LiveGame, who: str) -> str:
    """Return the seat of a player's name, capitals or not; what is no player's name comes back in small letters."""
    names = enumerate(players(game.record), 1)
    wanted = one_spelling(who).lower()
    seats = (f"p{seat}" for seat, name in names if (name or "?").lower() == wanted)
    return next(seats, wanted)


def seated(game: LiveGame, who: str) -> str:
    """Return who it was. Raises Unfit for a seat the game has not."""
    if is_seat(who) and who[1:].lstrip("0") not in map(str, range(1, game.book.seats + 1)):
        raise Unfit(f"{cut(who)} is not a seat of {game.id}; expected {seats_named(game.book.seats)}.")
    return who
