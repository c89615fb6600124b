"""Who sends a request: the operator, who holds the server's key, or somebody with a link to one game; and their rights.

A *link* is an address with a secret, which lets one phone or many join one game in a *role*: as a seat such as ``p1``,
as scribe, arbiter, reader or rail. The browser keeps the secret in a cookie.
"""

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
from cartulary.records.faults import (
    Conflict,
    Damaged,
    DiskFull,
    Fault,
    LockedDatabase,
    ReadOnly,
    StoreFault,
    UnknownGame,
)
from cartulary.records.state.links import PERSON, leads_to
from cartulary.web.stores import Stores

KEY_HEADER = "x-cartulary-key"
OPERATOR, SEAT = "desk", "seat"
"""The role of whoever holds the key, as it is stored; and the role that stands for every seat in lists of roles."""
TARGET = "cartulary.target"
"""The name under which the scope of a request has its ``Target``."""
COOKIE_PREFIX = "cartulary-link-"
"""How the names of the cookies begin that hold links."""
RETRY_SECONDS = 1.0
"""Seconds for which nobody is looked up after the log could not be reached."""
RANK = ("arbiter", "scribe", SEAT, "rail", "reader", PERSON)
"""The roles of links. If a browser holds several links to a game and names none, the first role here is taken."""
EVERYBODY = (OPERATOR, *RANK)
WRITES = (OPERATOR, "scribe", SEAT)
"""Who may write words."""
KEEPS = (OPERATOR, "scribe")
"""Who may write what belongs to the whole table, such as clocks, rounds and the result."""
SPEAKS = (OPERATOR, "scribe", SEAT, "arbiter")
"""Who may dispute what was played."""
RULES = (OPERATOR, "arbiter")
"""Who may rule."""
SHEET = (OPERATOR, "scribe", SEAT, "arbiter", "reader")
"""Who may see what shows a whole game at once: not the rail, which may have to see the table late."""


class Visitor(Struct, frozen=True):
    """Who asks.

    Attributes:
        role: ``desk`` for the operator, else the role of the link, such as ``scribe`` or ``p1``.
        viewer: Who looks.
        by: The name under which the visitor writes in the log.
        game: The game that the link leads to, empty for the operator.
        link: The number of the link, 0 for the operator.
        delay: How many seconds late this visitor sees the table.
        games: For a page of many games, those that the browser's links open.
        shared: Whether many people use the link.
        evening: The key of the evening for whose seats the link is; empty for a link to one game.
    """

    role: str
    viewer: Viewer
    by: str
    game: str = ""
    link: int = 0
    delay: int = 0
    games: tuple[str, ...] = ()
    shared: bool = False
    evening: str = ""

    @property
    def seat(self) -> int | None:
        """The number of the seat whose view it is, from 1; 0 for a spectator, None for somebody who sees everything."""
        return self.viewer.seat

    @property
    def own(self) -> bool:
        """Whether the visitor plays at a seat by a link to it, so that it may play only words of its own."""
        return kind_of(self.role) == SEAT

    def may(self, roles: Iterable[str]) -> bool:
        """Say whether the visitor's role is one of these; ``seat`` among them stands for every seat."""
        return kind_of(self.role) in roles


class LogUnreachable(Exception):
    """The log cannot be reached, so that no link can be checked."""


def is_unreachable(fault: Exception) -> bool:
    """Say whether a fault is one of the log itself: it cannot be opened, is no log, has no room, or is locked.

    It is True for any StoreFault except those of a game in it, a conflict, damage, and a log that is only read; False
    for all other exceptions. A full or locked log can still be read.
    """
    return isinstance(fault, StoreFault) and not isinstance(fault, (UnknownGame, Conflict, Damaged, ReadOnly))


class AccessRule(Struct, frozen=True):
    """Who may ask for the paths of one route.

    Attributes:
        method: ``GET`` or ``POST``.
        path: Matches the paths; its group ``id`` is the id of the game.
        roles: The roles that may ask.
        many_games: Whether the page shows all games that the visitor's links open.
        as_json: Whether it is the JSON view of a page.
    """

    method: str
    path: re.Pattern[str]
    roles: tuple[str, ...]
    many_games: bool = False
    as_json: bool = False


class Target(Struct, frozen=True):
    """What a request asks for.

    Attributes:
        rule: The rule that its path matches, None if there is no such path.
        parts: The named parts of its path, such as ``{"id": "evening"}``.
    """

    rule: AccessRule | None = None
    parts: Mapping[str, str] = {}

    @property
    def id(self) -> str:
        """The id of the game, empty if the request is about no single game."""
        return self.parts.get("id", "")


def kind_of(role: str) -> str:
    """Return a role as the lists of roles name it: ``seat`` for ``p1`` or ``p2``, any other role unchanged."""
    return role if role in EVERYBODY else SEAT


class Authenticator:
    """Finds out who sent a request, from the key or the cookies in it."""

    def __init__(
        self, stores: Stores, key: str, cookie: str, access_rules: Sequence[AccessRule], *, viewer: Viewer, links: bool
    ) -> None:
        """Make an authenticator; no link is read yet.

        Args:
            stores: The pool of the log.
            key: The key of the operator.
            cookie: The name of the cookie that holds the key.
            access_rules: Who may ask for which path, in the order in which they are matched.
            viewer: As whom the operator looks. If quiet, no visitor is shown verdicts on quiet records.
            links: Whether links open anything on this server.
        """
        self.stores, self.key, self.cookie, self.access_rules = stores, key, cookie, access_rules
        self.viewer, self.links = viewer, links
        self._known: api.Links | None = None
        self._away = -RETRY_SECONDS

    def is_key(self, text: str) -> bool:
        """Say whether a text is the operator's key, in a time that does not depend on the text."""
        return compare_digest(text.encode("utf-8", "surrogateescape"), self.key.encode())

    def holds_key(self, request: Request) -> bool:
        """Say whether a request has the operator's key, in its header or in a cookie."""
        return self.is_key(request.headers.get(KEY_HEADER, "")) or self.is_key(request.cookies.get(self.cookie, ""))

    def as_operator(self) -> Visitor:
        """Return the operator as a visitor, with the view that this server was started with."""
        return Visitor(OPERATOR, self.viewer, OPERATOR)

    def visitor_of(self, link: "api.Link") -> Visitor:
        """Return who uses a link on this server, quiet if the server shows nobody the verdicts on quiet records."""
        return visitor_of(link, self.viewer.quiet)

    def cookie_of(self, link: "api.Link") -> str:
        """Return the name of the cookie that holds a link, such as ``cartulary-link-3-ab12cd34`` for link 3.

        Every server on this log gives it the same name, and a server on another log another one.
        """
        return f"{COOKIE_PREFIX}{link.number}-{link.secret_digest[:8]}"

    def link_cookies(self, cookies: Mapping[str, str]) -> tuple[tuple[int, str], ...]:
        """Return number and secret of each link among a browser's cookies.

        The cookie ``cartulary-link-3-ab12cd34`` is of link 3, and its value is the secret. Whether the secret is right
        is not checked.
        """
        # Cookies were once named after the port of their server; browsers keep those for a year.
        pattern = re.compile(f"(?:{COOKIE_PREFIX}|{re.escape(self.cookie)}-)([1-9][0-9]{{0,8}})(?:-[0-9a-f]{{8}})?")
        matches = ((pattern.fullmatch(name), secret) for name, secret in cookies.items())
        return tuple((int(match[1]), secret) for match, secret in matches if match)

    def by_link(self, request: Request) -> Visitor | None:
        """Return who sent a request by a link that may ask for its path.

        None if no link in it may, if links open nothing on this server, or if the game cannot be read. If several may,
        the first role in ``RANK`` counts.

        Raises:
            LogUnreachable: The links cannot be checked.
        """
        if not self.links:
            return None
        link_cookies = self.link_cookies(request.cookies)
        with suppress(Fault), self._reaching(), self.store_for(request) as (store, target):
            links = self._usable_links(store, link_cookies, request.query_params.get("as", ""))
            rule, id = target.rule, target.id
            if rule is None:
                return None
            if rule.many_games:
                return self._to_many(store, (link for link in links if kind_of(link.role) in rule.roles))
            visitors = (self.visitor_of(link) for link in links if not id or self._leads(store, link, id))
            return next((visitor for visitor in visitors if visitor.may(rule.roles)), None)
        return None

    @contextmanager
    def store_for(self, request: Request) -> "Iterator[tuple[api.Log, Target]]":
        """Hold a store for a request inside the block, as a pair with what the request asks for.

        Faults of the store are raised.
        """
        with self.stores.checkout() as store:
            yield store, self.target(request, store)

    def target(self, request: Request, store: "api.Log") -> Target:
        """Return what a request asks for; its rule is None if there is no such path.

        It is kept in the scope of the request, so that guard and handler mean the same game. ``/games/X.json`` is the
        page of the game ``X.json`` if there is one, else the JSON view of the game ``X``.
        """
        scope = request.scope
        if TARGET not in scope:
            method = "GET" if request.method == "HEAD" else request.method
            access_rules = (
                (door, door.path.fullmatch(scope["path"])) for door in self.access_rules if door.method == method
            )
            targets = [(door.as_json, Target(door, match.groupdict())) for door, match in access_rules if match]
            first = targets[0][1] if targets else Target()
            page = next((each for as_json, each in targets if not as_json), first)
            scope[TARGET] = page if page.id != first.id and store.head(page.id) is not None else first
        target: Target = scope[TARGET]
        return target

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        """Turn faults that mean an unreachable log into LogUnreachable, for reading links inside the block.

        Other faults pass through. For ``RETRY_SECONDS`` after the log could not be reached, LogUnreachable is raised at
        once, without running the block, because failing takes long and many visitors wait. A full disk or a locked log
        does not count, since it can still be read.
        """
        if monotonic() - self._away < RETRY_SECONDS:
            raise LogUnreachable
        try:
            yield
        except Fault as fault:
            if is_unreachable(fault):
                if not isinstance(fault, (DiskFull, LockedDatabase)):  # these logs can still be read
                    self._away = monotonic()
                raise LogUnreachable from fault
            raise

    def _to_many(self, store: "api.Log", links: "Iterable[api.Link]") -> Visitor | None:
        """Return the visitor of a page of many games: that of the first link, with the games that all the links open.

        None if the links open no game now. A link to a damaged game is passed over, but a log that cannot be reached is
        raised as a Fault.
        """
        valid = []
        for link in links:
            try:
                valid += [link] if self._leads(store, link, link.game) else []
            except Fault as fault:
                if is_unreachable(fault):
                    raise
        return replace(self.visitor_of(valid[0]), games=tuple(link.game for link in valid)) if valid else None

    def to_game(self, request: Request, id: str) -> Visitor | None:
        """Return as whom a request that names several games may see this one.

        That is the operator, or the holder of a link to the game. None if it may not be seen, or cannot be read.

        Raises:
            LogUnreachable: The links cannot be checked.
        """
        link_cookies = self.link_cookies(request.cookies)
        with suppress(Fault), self._reaching(), self.stores.checkout() as store:
            if self.holds_key(request):
                api.load(store, id)
                return self.as_operator()
            links = self._usable_links(store, link_cookies, request.query_params.get("as", ""))
            return next((self.visitor_of(link) for link in links if self._leads(store, link, id)), None)
        return None

    def _usable_links(self, store: "api.Log", link_cookies: Iterable[tuple[int, str]], role: str) -> "list[api.Link]":
        """Return the links that these secrets open, in the order of ``RANK``.

        A person's link is followed by those to the seats that it amounts to; each has the number of that link.

        Args:
            store: The open log.
            link_cookies: Number and secret of each link in the browser's cookies.
            role: The only role to return, empty for all.

        Raises:
            LogUnreachable: The links cannot be read, for whatever reason.
        """
        try:
            self._known = links = api.links_of(store, self._known)
        except Fault as fault:
            raise LogUnreachable from fault
        opened = {
            number: link for number, secret in link_cookies if (link := links.opened_by(number, secret)) is not None
        }
        links_to_seats = (each for link in opened.values() for each in self._with_seats(store, link))
        chosen = (link for link in links_to_seats if role in ("", link.role))
        return sorted(chosen, key=lambda link: RANK.index(kind_of(link.role)))

    def _with_seats(self, store: "api.Log", link: "api.Link") -> "tuple[api.Link, ...]":
        """Return a link; a link for a person is followed by those to the seats that the person has at the evening.

        A damaged evening has no seats.

        Raises:
            LogUnreachable: The evening cannot be read now.
        """
        if not link.evening:
            return (link,)
        try:
            return (link, *api.seat_links(store, link))
        except Fault as fault:
            if is_unreachable(fault):
                raise LogUnreachable from fault
            return (link,)

    def _leads(self, store: "api.Log", link: "api.Link", id: str) -> bool:
        """Say whether a link opens the game with this id now.

        A reader's link does while the game is closed, other links until a day after it was closed. Raises a Fault if
        the game cannot be read.
        """
        return link.game == id and leads_to(link, api.load(store, id))

    def join(self, secret: str, cookies: Mapping[str, str]) -> "api.MadeLink | None":
        """Exchange the secret of a link for the one that its browser keeps from now on.

        A link that is not shared gets a new secret, so that no other browser can take it up.

        Args:
            secret: What follows the # in the address of the link.
            cookies: The cookies of the browser; a browser that has taken up the link before gets it again.

        Returns:
            The link with its secret, None if the secret opens nothing now.

        Raises:
            LogUnreachable: The links cannot be read.
        """
        with self._reaching(), self.stores.checkout() as store:
            self._usable_links(store, (), "")
            made = api.take_up(store, secret, [value for _, value in self.link_cookies(cookies)])
            if made is None or made.link.evening:
                return made
            return made if leads_to(made.link, api.load(store, made.link.game)) else None


def bystander(delay: int) -> Visitor:
    """Return the visitor that a screen in the room is: a spectator who is shown no verdicts.

    Args:
        delay: How many seconds late the screen shows the table.
    """
    return Visitor(RAIL, Spectator(muted=True), RAIL, delay=delay)


def still_leads(store: "api.Log", visitor: Visitor, links: "api.Links", game: "api.LiveGame") -> bool:
    """Say whether a visitor may see a game at this moment: the operator always, others while their link opens it.

    Args:
        store: The open log.
        visitor: Who looks.
        links: All links, as they are now.
        game: The game, as it is now.
    """
    if not visitor.link:
        return True
    link = links.by_number.get(visitor.link)
    seats = () if link is None else api.seat_links(store, link)
    return any(each.role == visitor.role and leads_to(each, game) for each in seats)


def visitor_of(link: "api.Link", quiet: bool = False) -> Visitor:
    """Return who uses a link.

    Args:
        link: The link.
        quiet: Whether this server shows nobody the verdicts on a quiet record.
    """
    viewer = replace(link.viewer, quiet=quiet)
    return Visitor(
        link.role,
        viewer,
        link.by,
        link.game,
        link.number,
        link.delay,
        shared=link.shared,
        evening=link.evening,
    )
