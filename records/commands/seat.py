"""Substitutes: somebody else sits down at a seat and plays on from a ply."""

from typing import Annotated

from msgspec import Struct

from cartulary.engine.numbers import seat_number, seats_named
from cartulary.notation.seatings import Tenure, tenures
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.arrival import record_arrival
from cartulary.records.commands.request import GameRequest, carry_out, field, plies_of
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.search import fold_text
from cartulary.records.log.contract import Log
from cartulary.records.log.events import PlayerSeated
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.people import People, people_of
from cartulary.records.state.seat_view import hidden_from, seen_version
from cartulary.records.texts import clean_name, now, one_spelling


class SeatRequest(GameRequest, frozen=True):
    """Somebody who sits down at a seat during the game.

    Attributes:
        place: The seat, as ``p4`` or by the name of the player who sits there.
        player: Who sits down, ``?`` if nobody knows. Who sat there before takes the substitution back.
        ply: The first ply with that player, 0 for the one that is played next.
    """

    place: Annotated[str, field("The seat at which somebody else sits down: p1, p2 …, or who sits there.", "SEAT")]
    player: Annotated[str, field("Who sits down there.", "NAME")]
    ply: Annotated[int, field("The first ply with that player; by default the next one.", "PLY")] = 0


class SeatAnswer(Struct, frozen=True):
    """Who sits at a seat now.

    Attributes:
        id: The id of the game.
        version: Its version now.
        seat: The seat.
        sat: Who sat there and from which ply on, in order.
    """

    id: str
    version: int
    seat: int
    sat: tuple[Tenure, ...]


def seat_player(store: Log, id: str, request: SeatRequest, viewer: Viewer = EVERYTHING) -> SeatAnswer:
    """Write who sits at a seat from a ply on, in closed games too. Whom the tags name has sat there until then.

    Somebody who sits down at a table of an evening has come to that evening, which is written down too.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The seat, who sits down, and from when on.
        viewer: From whose view it is answered.

    Returns:
        The number of the seat, and everybody who sat there, in order, each with the ply from which on. With ``dry``,
        nothing is stored.

    Raises:
        Unfit: The game has no such seat, or nobody is named.
        Declined: There is no such ply, it is the first one, or that player sits there already.
        Fault: As ``execute`` says.
    """

    people = people_of(store).seen_by(viewer)

    def decide(game: LiveGame) -> tuple[PlayerSeated]:
        seat, name = _seat(game, request.place, people), clean_name(request.player)
        if not name:
            raise Unfit('Nobody is named; give -p and a name, or -p "?" for somebody whom nobody knows.')
        first = request.ply or game.plies + 1
        if first == 1:
            tag = played_game(game).about.seat_tags(game.book.seats)[seat - 1]
            raise Declined(f"Whoever sits at p{seat} from the first ply on is named by its tag: `tag {id} {tag}=…`.")
        if not 1 < first <= game.plies + 1:
            raise Declined(f"There is no ply {first} in {id}; it has {plies_of(game)}.")
        sat = _sat(game, seat)
        *_, before = (each for each in sat if each.since < first)
        here = any(each.since == first for each in sat)
        if name == before.name and not here:
            raise Declined(f"{name} sits at p{seat} of {id} already.")
        event, word = game.book.ref(first - 1)
        seated = PlayerSeated(
            at=now(),
            by=clean_name(request.by),
            command=request.command,
            seat=seat,
            event=event,
            word=word,
            name="" if name == before.name else name,
        )
        return (seated,)

    before, done = carry_out(store, id, request, viewer, decide, PlayerSeated)
    if not request.dry:
        record_arrival(store, done, request.player, request)
    seat = _seat(before, request.place, people)
    return SeatAnswer(id, seen_version(done, hidden_from(done, viewer)), seat, _sat(done, seat))


def _seat(game: LiveGame, place: str, people: People) -> int:
    """Return the number of a seat of a game, from 1.

    Args:
        game: The game.
        place: The seat as ``p4``, or the name of whoever sits there or, if nobody of that name does, has sat there.
        people: The people of the archive, which says how names are shown.

    Raises:
        Unfit: There is no such seat, or several are meant.
    """
    seats = range(1, game.book.seats + 1)
    if (seat := seat_number(place)) in seats:
        return seat
    name = fold_text(people.display_name(one_spelling(place)))
    sat = {
        seat: [fold_text(people.display_name(one_spelling(each.name))) for each in _sat(game, seat)] for seat in seats
    }
    named = [seat for seat in seats if name == sat[seat][-1]] or [seat for seat in seats if name in sat[seat]]
    if len(named) == 1 and name not in ("", "?"):
        return named[0]
    expected = f"{seats_named(game.book.seats)}, or the name of who sits there"
    raise Unfit(f"{place!r} is not a seat of {game.id}; expected {expected}, such as `seat {game.id} p1 -p Fay`.")


def _sat(game: LiveGame, seat: int) -> tuple[Tenure, ...]:
    """Return everybody who sat at a seat, in order, each with the ply from which on; the first as the tags have it."""
    return tenures(game.record, played_game(game).about.seat_tags(game.book.seats))[seat - 1]
