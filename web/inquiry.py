"""One HTTP request as its handler needs it: who asks, the open log, the path and the query parameters."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from msgspec import Struct

from cartulary.notation.viewer import Seat, Viewer, viewer_of_seat
from cartulary.records import api
from cartulary.records.faults import Unfit, UninstalledGame
from cartulary.records.state.links import as_of
from cartulary.records.state.seat_view import check_seat
from cartulary.web.stores import Stores
from cartulary.web.visitors import Visitor

PAGE = 50
"""How many games a page lists if nobody says how many."""
LONGEST = 500
"""How many games a page lists at most."""
_GREATEST = 1_000_000_000


class RequestFault(Exception):
    """A request that cannot be answered as it was sent; ``str()`` is the sentence that says why."""

    def __init__(
        self, because: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST, fields: Mapping[str, object] | None = None
    ) -> None:
        """Make a fault with a sentence, the HTTP status to answer with, and what a JSON answer has beside the two."""
        super().__init__(because)
        self.status = status
        self.fields = fields or {}


class Inquiry(Struct, frozen=True):
    """One request, with the open log it is answered from.

    Attributes:
        stores: The pool that the log comes from.
        store: The open log.
        visitor: Who asks.
        path_parts: The parts of the path by name: ``/games/evening/log`` gives ``{"id": "evening"}``.
        parameters: Name and value of each query parameter, in the order they were sent.
        files: The file that each game was read from, by id. Empty for an archive, and for a seat, to whom the name of a
            file might tell too much.
    """

    stores: Stores
    store: "api.Log"
    visitor: Visitor
    path_parts: Mapping[str, str]
    parameters: Sequence[tuple[str, str]] = ()
    files: Mapping[str, str] = {}

    @property
    def id(self) -> str:
        """The id of the game that the path names; a path that names none raises KeyError."""
        return self.path_parts["id"]

    @property
    def viewer(self) -> Viewer:
        """From whose view the answer is made."""
        return self.visitor.viewer

    @property
    def seat(self) -> int | None:
        """The number of the seat that asks; 0 for a spectator, None for somebody who sees everything."""
        return self.visitor.seat

    @property
    def writer(self) -> Viewer:
        """The viewer from whose view a write is answered; it is never quiet, so that a writer learns the verdict."""
        return viewer_of_seat(self.visitor.seat)

    @property
    def people(self) -> "api.People":
        """The people of the archive as they are now, under whose names players are shown."""
        return api.people_of(self.store)

    def game(self, id: str) -> "api.LiveGame":
        """Return a game as the visitor may see it by now: for a rail that is 60 seconds late, the game of a minute ago.

        Hidden cards are still in it.

        Raises:
            RequestFault: The game lacks the visitor's seat; the status is 404.
            UnknownGame: There is no such game.
        """
        check_viewer(self, id)
        return as_of(api.load(self.store, id), self.visitor.delay)

    def values(self, name: str) -> tuple[str, ...]:
        """Return every value of a query parameter, in order, without the blank ones; empty if it was not sent."""
        return tuple(value for key, value in self.parameters if key == name and value.strip())

    def value(self, name: str) -> str:
        """Return the value of a query parameter; empty if it was not sent or is blank.

        Raises:
            RequestFault: It was sent more than once.
        """
        return single_value(name, self.values(name))

    def number(self, name: str, usual: int | None = None, most: int = _GREATEST) -> int | None:
        """Return the value of a query parameter as a number; ``usual`` if it was not sent.

        Raises:
            RequestFault: It is no number from 0 to ``most``, or was sent more than once.
        """
        text = self.value(name).strip()
        if not text:
            return usual
        return number(text, name, most)


def single_value(name: str, values: Sequence[str]) -> str:
    """Return the only value of a query parameter, empty if there is none.

    Raises:
        RequestFault: There are several.
    """
    if len(values) > 1:
        raise RequestFault(f"{name} is given {len(values)} times; expected it once.")
    return values[0] if values else ""


def number(text: str, name: str, most: int = _GREATEST) -> int:
    """Return a text such as ``"17"`` as a number; ``name`` is what the sentence of a fault calls it.

    Raises:
        RequestFault: The text is no number from 0 to ``most``.
    """
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(_GREATEST)) or int(text) > most:
        raise RequestFault(f"{name} is {text[:24]!r}; expected a number from 0 to {most}.")
    return int(text)


def query_of(inquiry: Inquiry) -> "api.Query":
    """Return the filters of a list of games, from the query parameters of the same names.

    Absent ones filter nothing.
    """
    return api.Query(
        game=inquiry.value("game"),
        player=inquiry.values("player"),
        event=inquiry.value("event"),
        date=inquiry.value("date"),
        result=inquiry.value("result"),
        verdict=inquiry.value("verdict"),
        finding=inquiry.value("finding"),
        ruling=inquiry.value("ruling"),
        text=inquiry.value("text"),
    )


def page_of(inquiry: Inquiry) -> tuple[int, int]:
    """Return the parameters ``limit`` and ``offset``: how many games to list, and how many to skip first.

    Without them it is ``(PAGE, 0)``. Raises RequestFault if one is no whole number or ``limit`` is above ``LONGEST``.
    """
    limit, offset = inquiry.number("limit", PAGE, LONGEST), inquiry.number("offset", 0)
    assert limit is not None
    assert offset is not None
    return limit, offset


def check_viewer(inquiry: Inquiry, id: str) -> str:
    """Check that a game has the seat of the viewer, if the viewer is a seat, and return the game's id unchanged.

    Raises:
        RequestFault: The game has no such seat. The status is 404.
        UninstalledGame: The rules of the game are not installed here.
    """
    if isinstance(inquiry.viewer, Seat):
        try:
            check_seat(api.load(inquiry.store, id), inquiry.viewer)
        except UninstalledGame:
            raise
        except Unfit as fault:
            raise RequestFault(str(fault), HTTPStatus.NOT_FOUND) from None
    return id


def check_sees_everything(inquiry: Inquiry, what: str) -> None:
    """Check that the server shows everything, and not the view of a seat.

    Args:
        inquiry: The request.
        what: What counts whole games, as the subject of the sentence: ``Standings``.

    Raises:
        RequestFault: It shows the view of a seat. The status is 403.
    """
    if inquiry.viewer.seat is not None:
        because = f"{what} count whole games, with cards that this server does not show."
        raise RequestFault(because, HTTPStatus.FORBIDDEN)


def seen_game(inquiry: Inquiry, id: str = "") -> "api.SeenGame":
    """Return a game as the visitor may see it: the one with this id, or without one that of the path.

    Raises a Fault if there is no such game or it cannot be read.
    """
    return api.see_game(inquiry.game(id or inquiry.id), inquiry.viewer, inquiry.people)
