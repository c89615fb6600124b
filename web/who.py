"""Who asks: whoever holds the server's key, or a link to one game; and which doors are open to them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hmac import compare_digest
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request

from cartulary.notation.viewer import RAIL, Spectator, Viewer
from cartulary.records import api
from cartulary.records.faults import Conflict, Damaged, DiskFull, Fault, Locked, ReadOnly, StoreFault, UnknownGame
from cartulary.records.state.links import leads_to
from cartulary.web.stores import Stores

HEADER = "x-cartulary-key"
DESK, SEAT = "desk", "seat"
"""Who holds the key; and, among the roles of a door, any seat."""
TARGET = "cartulary.target"
"""Where the scope of a request keeps its ``Target``."""
LINK = "cartulary-link-"
"""How the cookies begin that keep links."""
AGAIN = 1.0
"""Seconds after which a log that could not be reached is asked again who somebody is."""
RANK = ("arbiter", "scribe", SEAT, "rail", "reader")
"""The roles of links, those first that are taken where a browser holds several to one game and does not say which."""
EVERYBODY = (DESK, *RANK)
WRITES = (DESK, "scribe", SEAT)
"""Who may write words."""
SPEAKS = (DESK, "scribe", SEAT, "arbiter")
"""Who may dispute what was played."""
RULES = (DESK, "arbiter")
"""Who may rule."""
SHEET = (DESK, "scribe", SEAT, "arbiter", "reader")
"""Who may come to what shows a whole game at once: not the rail, which may be behind the table."""


class Visitor(Struct, frozen=True):
    """Who asks.

    Attributes:
        role: ``desk``, or that of a link.
        viewer: Who looks.
        by: Who writes, as the log has it.
        game: The game a link leads to, empty for the desk.
        link: The number of the link.
        delay: How many seconds this view is late.
        games: Where a door shows several games, those that the browser's links of this role open.
        shared: Whether many use the link.
    """

    role: str
    viewer: Viewer
    by: str
    game: str = ""
    link: int = 0
    delay: int = 0
    games: tuple[str, ...] = ()
    shared: bool = False

    @property
    def seat(self) -> int | None:
        """The seat whose view it is: 0 for a spectator, None for everything."""
        return self.viewer.seat

    @property
    def own(self) -> bool:
        """Whether only words of the own seat are taken."""
        return kind_of(self.role) == SEAT

    def may(self, roles: Iterable[str]) -> bool:
        """Say whether a door for these roles is open."""
        return kind_of(self.role) in roles


class Away(Exception):
    """The log cannot be reached, so nobody who comes by a link can be told from anybody else."""


def is_away(fault: Exception) -> bool:
    """Say whether a fault means that the log cannot be reached, whatever was asked of it."""
    return isinstance(fault, StoreFault) and not isinstance(fault, (UnknownGame, Conflict, Damaged, ReadOnly))


class Doorway(Struct, frozen=True):
    """What can be asked for. path: matches it, the game's id by the name ``id``; roles: who may

    several: it shows every game that whoever asks may come to; as_json: it answers in JSON what another shows as a page
    """

    method: str
    path: re.Pattern[str]
    roles: tuple[str, ...]
    several: bool = False
    as_json: bool = False


class Target(Struct, frozen=True):
    """What a request is about. doorway: where it goes, None where there is none; parts: those of its path by name"""

    doorway: Doorway | None = None
    parts: Mapping[str, str] = {}

    @property
    def id(self) -> str:
        """The id of the game, empty where the request is about no single one."""
        return self.parts.get("id", "")


def kind_of(role: str) -> str:
    """Return the role as a door has it: every seat is a seat."""
    return role if role in EVERYBODY else SEAT


class Entrance:
    """What knows who asks, from the key and the cookies of a request."""

    def __init__(
        self, stores: Stores, key: str, cookie: str, doors: Sequence[Doorway], *, viewer: Viewer, links: bool
    ) -> None:
        """Begin without having read any link.

        Args:
            stores: The database.
            key: What opens it.
            cookie: The name of the cookie that keeps the key.
            doors: What can be asked for.
            viewer: Who holds the key. If quiet, nobody is shown what the rules say of quiet records.
            links: Whether links lead anywhere here.
        """
        self.stores, self.key, self.cookie, self.doors = stores, key, cookie, doors
        self.viewer, self.links = viewer, links
        self._known: api.Links | None = None
        self._away = -AGAIN

    def opens(self, given: str) -> bool:
        """Say whether this is the key."""
        return compare_digest(given.encode("utf-8", "surrogateescape"), self.key.encode())

    def holds_key(self, request: Request) -> bool:
        """Say whether a request bears the key."""
        return self.opens(request.headers.get(HEADER, "")) or self.opens(request.cookies.get(self.cookie, ""))

    def at_desk(self) -> Visitor:
        """Return who holds the key."""
        return Visitor(DESK, self.viewer, DESK)

    def visitor_of(self, link: "api.Link") -> Visitor:
        """Return who comes by a link."""
        return visitor_of(link, self.viewer.quiet)

    def cookie_of(self, link: "api.Link") -> str:
        """Return the name a link is kept under in a browser: the same at every desk on its log, and at no other's."""
        return f"{LINK}{link.number}-{link.hashed[:8]}"

    def kept(self, cookies: Mapping[str, str]) -> tuple[tuple[int, str], ...]:
        """Return what opens links among cookies, each with the number of its link."""
        # Cookies were once named after the port of their desk; browsers keep those for a year.
        named = re.compile(f"(?:{LINK}|{re.escape(self.cookie)}-)([1-9][0-9]{{0,8}})(?:-[0-9a-f]{{8}})?")
        found = ((named.fullmatch(name), value) for name, value in cookies.items())
        return tuple((int(match[1]), value) for match, value in found if match)

    def by_link(self, request: Request) -> Visitor | None:
        """Return who comes by a link through a door that is open to it, None for nobody. Raises Away."""
        if not self.links:
            return None
        kept = self.kept(request.cookies)
        with suppress(Fault), self._reaching(), self.store_for(request) as (store, target):
            links = self._opened(store, kept, request.query_params.get("as", ""))
            door, id = target.doorway, target.id
            if door is None:
                return None
            if door.several:
                return self._to_several(store, (link for link in links if kind_of(link.role) in door.roles))
            visitors = (self.visitor_of(link) for link in links if not id or self._leads(store, link, id))
            return next((visitor for visitor in visitors if visitor.may(door.roles)), None)
        return None

    @contextmanager
    def store_for(self, request: Request) -> "Iterator[tuple[api.Log, Target]]":
        """Hold a store, with what a request is about."""
        with self.stores.one() as store:
            yield store, self.target(request, store)

    def target(self, request: Request, store: "api.Log") -> Target:
        """Return what a request is about: found once, so that whoever decides and whoever answers mean the same game.

        ``/games/X.json`` is the page of a game called ``X.json`` where there is one, else ``X`` in JSON.
        """
        scope = request.scope
        if TARGET not in scope:
            method = "GET" if request.method == "HEAD" else request.method
            doors = ((door, door.path.fullmatch(scope["path"])) for door in self.doors if door.method == method)
            targets = [(door.as_json, Target(door, match.groupdict())) for door, match in doors if match]
            first = targets[0][1] if targets else Target()
            page = next((each for as_json, each in targets if not as_json), first)
            scope[TARGET] = page if page.id != first.id and store.head(page.id) is not None else first
        found: Target = scope[TARGET]
        return found

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        """Ask the log who somebody is. Raises Away where it cannot be reached, and the other faults of the store.

        For a second after that it is not asked again: many wait for an answer that takes long to fail.
        """
        if monotonic() - self._away < AGAIN:
            raise Away
        try:
            yield
        except Fault as fault:
            if is_away(fault):
                if not isinstance(fault, (DiskFull, Locked)):  # which can be read all the same
                    self._away = monotonic()
                raise Away from fault
            raise

    def _to_several(self, store: "api.Log", links: "Iterable[api.Link]") -> Visitor | None:
        """Return who comes to several games at once, None where no link leads to one; a damaged game hides no other."""
        there = []
        for link in links:
            try:
                there += [link] if self._leads(store, link, link.game) else []
            except Fault as fault:
                if is_away(fault):
                    raise
        return replace(self.visitor_of(there[0]), games=tuple(link.game for link in there)) if there else None

    def to_game(self, request: Request, id: str) -> Visitor | None:
        """Return who may look at a game in a request for several, None where nobody may. Raises Away."""
        kept = self.kept(request.cookies)
        with suppress(Fault), self._reaching(), self.stores.one() as store:
            if self.holds_key(request):
                api.load(store, id)
                return self.at_desk()
            links = self._opened(store, kept, request.query_params.get("as", ""))
            return next((self.visitor_of(link) for link in links if self._leads(store, link, id)), None)
        return None

    def _opened(self, store: "api.Log", kept: Iterable[tuple[int, str]], role: str) -> "list[api.Link]":
        """Return the links that a browser may use, the strongest first. role: the one it asks for, empty for any

        Raises Away where links cannot be read, whatever is wrong with them.
        """
        try:
            self._known = links = api.links_of(store, self._known)
        except Fault as fault:
            raise Away from fault
        there = {number: link for number, secret in kept if (link := links.opened_by(number, secret)) is not None}
        wanted = (link for link in there.values() if role in ("", link.role))
        return sorted(wanted, key=lambda link: RANK.index(kind_of(link.role)))

    def _leads(self, store: "api.Log", link: "api.Link", id: str) -> bool:
        """Say whether a link leads to a game now."""
        return link.game == id and leads_to(link, api.load(store, id))

    def join(self, secret: str, cookies: Mapping[str, str]) -> "api.MadeLink | None":
        """Take a link up; None where it opens nothing now. Raises Away, and the other faults of the store."""
        with self._reaching(), self.stores.one() as store:
            self._opened(store, (), "")
            made = api.take_up(store, secret, [value for _, value in self.kept(cookies)])
            if made is None or not leads_to(made.link, api.load(store, made.link.game)):
                return None
            return made


def bystander(delay: int) -> Visitor:
    """Return who looks at a screen in the room: one of the rail, told nothing that helps a player."""
    return Visitor(RAIL, Spectator(muted=True), RAIL, delay=delay)


def still_leads(visitor: Visitor, links: "api.Links", game: "api.LiveGame") -> bool:
    """Say whether a visitor may still come to a game: by a link that leads to it now, or with the key."""
    link = links.by_number.get(visitor.link)
    return not visitor.link or (link is not None and leads_to(link, game))


def visitor_of(link: "api.Link", quiet: bool = False) -> Visitor:
    """Return who comes by a link.

    Args:
        link: The link.
        quiet: Whether nobody is shown here what the rules say of a quiet record.
    """
    viewer = replace(link.viewer, quiet=quiet)
    return Visitor(link.role, viewer, link.by, link.game, link.number, link.delay, shared=link.shared)
