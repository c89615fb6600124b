"""What was asked for: by whom, with which words, and the faults of an address."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from msgspec import Struct

from cartulary.notation.viewer import Seat, Viewer, viewer_of_seat
from cartulary.records import api
from cartulary.records.faults import Unfit, Uninstalled
from cartulary.records.state.links import as_of
from cartulary.records.state.seat_view import check_seat
from cartulary.web.stores import Stores
from cartulary.web.who import Visitor

PAGE = 50
"""How many games a page lists if nobody says how many."""
LONGEST = 500
"""How many a page lists at most."""
_GREATEST = 1_000_000_000


class Wrong(Exception):
    """What was asked for cannot be shown; ``str()`` is the sentence that says why."""

    def __init__(self, because: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(because)
        self.status = status


class Inquiry(Struct, frozen=True):
    """One request. store: the archive, one of the stores; visitor: who asks

    names: the parts of the path by name; words: what stands behind the question mark, in its order
    files: the file each game was read from, by id; empty for an archive, and for a seat, whom a name might tell more
    """

    stores: Stores
    store: "api.Log"
    visitor: Visitor
    names: Mapping[str, str]
    words: Sequence[tuple[str, str]] = ()
    files: Mapping[str, str] = {}

    @property
    def viewer(self) -> Viewer:
        """Who looks."""
        return self.visitor.viewer

    @property
    def seat(self) -> int | None:
        """Who writes: the number of a seat, None for whoever writes as none."""
        return self.visitor.seat

    @property
    def writer(self) -> Viewer:
        """From whose view an answer to what is written is made: whoever writes learns what it came to."""
        return viewer_of_seat(self.visitor.seat)

    def game(self, id: str) -> "api.LiveGame":
        """Return a game as it stands for who asks. Raises Wrong for a seat it has not."""
        checked(self, id)
        return as_of(api.load(self.store, id), self.visitor.delay)

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of a word, those that are empty left out."""
        return tuple(value for key, value in self.words if key == name and value.strip())

    def one(self, name: str) -> str:
        """Return the value of a word, empty where there is none. Raises Wrong where it is given twice."""
        return only(name, self.all(name))

    def number(self, name: str, usual: int | None = None, most: int = _GREATEST) -> int | None:
        """Return the number a word says. Raises Wrong for what is none, and for one above the most."""
        text = self.one(name).strip()
        if not text:
            return usual
        return number(text, name, most)


def only(name: str, values: Sequence[str]) -> str:
    """Return the one value of a word, empty where there is none. Raises Wrong where there are several."""
    if len(values) > 1:
        raise Wrong(f"{name} is given {len(values)} times; expected it once.")
    return values[0] if values else ""


def number(text: str, name: str, most: int = _GREATEST) -> int:
    """Return the number a text says. Raises Wrong for what is none, and for one above the most."""
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(_GREATEST)) or int(text) > most:
        raise Wrong(f"{name} is {text[:24]!r}; expected a number from 0 to {most}.")
    return int(text)


def query_of(asked: Inquiry) -> "api.Query":
    """Return what is asked of the games to be listed."""
    return api.Query(
        game=asked.one("game"),
        player=asked.all("player"),
        event=asked.one("event"),
        date=asked.one("date"),
        result=asked.one("result"),
        verdict=asked.one("verdict"),
        finding=asked.one("finding"),
        ruling=asked.one("ruling"),
        text=asked.one("text"),
    )


def page_of(asked: Inquiry) -> tuple[int, int]:
    """Return how many games are to be listed and how many are passed over."""
    limit, offset = asked.number("limit", PAGE, LONGEST), asked.number("offset", 0)
    assert limit is not None
    assert offset is not None
    return limit, offset


def checked(asked: Inquiry, id: str) -> str:
    """Return a game's id. Raises Wrong where the server shows the view of a seat the game has not."""
    if isinstance(asked.viewer, Seat):
        try:
            check_seat(api.load(asked.store, id), asked.viewer)
        except Uninstalled:
            raise
        except Unfit as fault:
            raise Wrong(str(fault), HTTPStatus.NOT_FOUND) from None
    return id
