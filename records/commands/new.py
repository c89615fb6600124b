"""Opening a game: what it is called, who plays, and the tags it is set up with."""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import AnyGame, Line, NotationError, Record, examine, find_game
from cartulary.notation.arbiter.files import sorted_tags
from cartulary.notation.arbiter.heading import Heading, either, format_options, game_of, read_heading
from cartulary.notation.cgn.signs import count
from cartulary.notation.contract import About, TagAsked
from cartulary.notation.unjudged import NOBODY
from cartulary.records.answers import Opened
from cartulary.records.commands.deal_tags import check_read, checked_deal, meant_tags
from cartulary.records.commands.describe import description_tags
from cartulary.records.commands.request import Request, field, used
from cartulary.records.commands.tag import CLOSING, checked_tags
from cartulary.records.dates import today
from cartulary.records.faults import Conflict, Unfit, WrongAnswer
from cartulary.records.library.listing import row
from cartulary.records.log.chain import origin
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event, GameOpened, Pairs, TagsChanged
from cartulary.records.log.recorded import Batch, seal_events
from cartulary.records.state.book import OWN_TAGS
from cartulary.records.state.fold import fold
from cartulary.records.texts import canonical_name, clean_name, keepable, no_game, now

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
PAGE_ENDING = re.compile(r"(?:\.(?:json|svg|html|pdf|cgn))+$", re.IGNORECASE)
"""How no new id ends: ``/games/X.json`` is the game X in JSON, and files of a game are called so too."""
LONGEST = 40
"""Letters of an id that tell of the game, at most."""
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


class NewRequest(Request, frozen=True):
    """A game to be opened.

    Attributes:
        game: Its title or key.
        variant: As the tag of that name, which it takes the place of.
        players: In the order of the seats, ``?`` where none is named.
        seats: How many; 0 for as many as there are players or Seat tags where the game can be played so, else as usual.
        tags: As on a score sheet, Variant, Options and Setup among them, and Date, by default the day it is here.
        id: Empty for a short one made here.
        unjudged: Nobody judges the record, and ``game`` is any name.
    """

    game: Annotated[str, field("The game's key or title, as listed by `games`.", "GAME")]
    id: Annotated[str, field("The id of the record; by default a short one is made up.")] = ""
    variant: Annotated[str, field("One of the game's variants.")] = ""
    players: Annotated[tuple[str, ...], field("A player's name; give them in the order of the seats.", "NAME")] = ()
    seats: Annotated[int, field("How many seats; by default as many as there are players.", "N")] = 0
    tags: Annotated[Mapping[str, str], field("Any other tag, such as Event.", "NAME=VALUE")] = {}
    unjudged: Annotated[
        bool, field('Judge nothing, so that any GAME and any words will do. The record gets the tag [Rules "none"].')
    ] = False


def open_game(store: Log, request: NewRequest) -> Opened:
    """Open a game and return its id.

    Args:
        store: Where it is to be kept.
        request: The game, its players and tags.

    Raises:
        Unfit: The tags set up no game.
        Conflict: There is a game with that id already.
    """
    return write_opening(store, opening_of(store, request))


class Opening(Struct, frozen=True):
    """What opens a game.

    Attributes:
        id: Its id.
        events: The events to be written, in order.
        dated: Whether the date was given; otherwise it is the day it is here, which may be another one when a command
            is repeated.
    """

    id: str
    events: tuple[Event, ...]
    dated: bool


def opening_of(store: Log, request: NewRequest) -> Opening:
    """Return what would open a game; nothing is written. Raises Unfit if the tags set up no game.

    If the game has no rules and the archive has a description of it, the record gets that description.
    """
    title, described = (request.game, {}) if request.unjudged else description_tags(store, request.game)
    unjudged = request.unjudged or bool(described)
    tags = {**request.tags, **({"Variant": request.variant} if request.variant else {}), **described}
    command, players = request.command, request.players
    found, given, heading = _set_up(title, tags, players, request.seats, unjudged)
    sheet = heading.sheet
    assert sheet is not None
    own = OWN_TAGS.union(found.sheet.names)
    at, by = now(), clean_name(request.by)
    keepable(command, "The command id")
    opened = GameOpened(
        at=at,
        by=by,
        command=command,
        game=found.about.key,
        edition=heading.edition,
        variant=heading.variant,
        options=format_options(sheet.options),
        seats=sheet.seats,
        own=tuple(found.sheet.write(sheet).items()),
    )
    names = dict(_named(found.about.seat_tags(sheet.seats), players))
    names |= {name: value for name, value in given if name not in own}
    names.setdefault("Date", today())
    put = sorted_tags(names.items(), found)
    changed = TagsChanged(at=at, by=by, command=command, put=put, dropped=())
    return Opening(request.id or _made_up(found.about.key, command), (opened, changed), "Date" in dict(given))


class Planned(Struct, frozen=True):
    """The table a game would be opened for. seats: their tags, in order; unnamed: those nobody is named for

    variants, counts: all there are to choose from, the usual one first
    """

    title: str
    variant: str
    variants: tuple[str, ...]
    seats: tuple[str, ...]
    counts: tuple[int, ...]
    unnamed: tuple[str, ...]


def plan(
    game: str, tags: Mapping[str, str], players: Sequence[str] = (), seats: int = 0, unjudged: bool = False
) -> Planned:
    """Return what ``open_game`` would take where nothing is said; nothing is opened. Raises Unfit as it does."""
    found, given, heading = _set_up(game, tags, players, seats, unjudged)
    assert heading.sheet is not None
    table = found.about.seat_tags(heading.sheet.seats)
    named = {*table[: len(players)], *(name for name, _ in given)}
    about = found.about
    unnamed = tuple(name for name in table if name not in named)
    return Planned(about.title, heading.variant, about.variants, tuple(table), about.seats, unnamed)


def ask_of_scored(game: str, tags: Mapping[str, str], players: Sequence[str] = (), seats: int = 0) -> TagAsked | None:
    """Return the next question about a game of which only the score was kept, None after the last.

    tags: as ``open_game`` takes them, with the answers so far; an empty one says that there is none
    Raises Unfit where its moves alone tell of such a game, and WrongAnswer with the tag whose value cannot be.
    """
    try:
        points = find_game(game).points
    except NotationError as error:
        raise no_game(game, error) from None
    if not points.told_by:
        raise Unfit(f"The score of {find_game(game).about.title} always comes from its moves; leave out --scored.")
    others = {name: value for name, value in tags.items() if name not in points.told_by}
    found, given, heading = _set_up(game, others, players, seats, False)
    assert heading.sheet is not None
    check_read(found, heading.sheet.seats, dict(given))
    start = found.rules.setup(heading.sheet)
    table = found.about.seat_tags(heading.sheet.seats)
    names = dict(zip(table, players, strict=False)) | {name: value for name, value in given if name in table}
    try:
        return points.ask(names | {name: value for name, value in tags.items() if name in points.told_by}, start)
    except NotationError as fault:
        raise WrongAnswer(fault.because, fault.tag) from None


def _set_up(
    game: str, tags: Mapping[str, str], players: Sequence[str], seats: int, unjudged: bool
) -> tuple[AnyGame, Pairs, Heading]:
    """Return the game, its tags as they are kept, and the sheet it is set up from."""
    for name in players:
        keepable(name, "The player's name")
    title = _title(game) if unjudged else game
    rules = (("Rules", NOBODY),) if unjudged else ()
    try:
        found = game_of(Record((("Game", title), *rules, *tags.items()), Line()))
    except NotationError as error:
        raise no_game(game, error) from None
    closing = CLOSING.union(found.points.tags, () if unjudged else ("Rules",))
    if (variant := variant_named(found.about, tags.get("Variant", ""))) is not None:
        tags = {**tags, "Variant": variant}
    given = checked_tags(tags.items(), closing, OWN_TAGS.union(found.sheet.names))
    given = (*(tag for tag in given if tag[0] != "Rules"), *rules)
    counted = _counted(found, given, seats, len(players))
    named = (("Game", found.about.title), *given, *counted)
    sheet = read_heading(Record(named, Line())).sheet
    if sheet is not None:
        given = meant_tags(found, sheet.seats, given)
        names = dict(zip(found.about.seat_tags(sheet.seats), players, strict=False))
        deal = checked_deal(found, sheet, names | dict(given))
        given = tuple((name, deal.get(name, value)) for name, value in given)
    examined = examine(Record((("Game", found.about.title), *given, *counted), Line(result="*")))
    faults = [each.because for each in examined.report.findings if each.severity == "error"]
    sheet = examined.heading.sheet
    if faults or sheet is None:
        raise Unfit(f"The game cannot be set up: {faults[0]}.")
    if seats and sheet.seats != seats:
        asked = count(seats, "seat was", "seats were")
        raise Unfit(f"{asked} asked for, but the tags name {sheet.seats}; give the same number.")
    return found, given, examined.heading


def variant_named(about: About, name: str) -> str | None:
    """Return the variant of a game that somebody names, in whatever capitals; None for none."""
    return next((variant for variant in about.variants if variant.casefold() == name.strip().casefold()), None)


def _title(game: str) -> str:
    """Return the name of a game nobody judges as it is kept: the title of the known one, where it is one."""
    keepable(game, "The game's name")
    title = " ".join(game.split())
    if not title:
        raise Unfit("The game has no name; expected one such as Ludo.")
    try:
        return find_game(title).about.title
    except NotationError:
        return title


def _counted(game: AnyGame, given: Pairs, seats: int, players: int) -> Pairs:
    """Return the Seat tags that are not given and make up the number of seats asked for, or of the players."""
    counts = game.about.seats
    if seats and seats not in counts:
        raise Unfit(f"{game.about.title} needs {either(counts)} seats, not {seats}.")
    wanted = seats or (players if players in counts else 0)
    if len(counts) == 1 or not wanted:
        return ()
    there = {name for name, _ in given}
    return tuple((name, "?") for name in game.about.seat_tags(wanted) if name not in there)


def _named(seats: Sequence[str], players: Sequence[str]) -> Iterable[tuple[str, str]]:
    if len(players) > len(seats):
        there = count(len(seats), "seat")
        raise Unfit(f"{len(players)} players were named, but the game has {there}; name at most that many.")
    names = (canonical_name(name, "The player's name") or "?" for name in players)
    return zip(seats, (*names, *("?",) * (len(seats) - len(players))), strict=True)


def _made_up(key: str, command: str) -> str:
    """Return a short id a person can type; the same one for the same command."""
    drawn = sha256(command.encode()).digest() if command else secrets.token_bytes(10)
    length = 10 if command else 5
    return f"{id_begins(key)}-" + "".join(LETTERS[byte % len(LETTERS)] for byte in drawn[:length])


def id_begins(key: str) -> str:
    """Return how the id of a game begins: its key, of a name that is none the letters and digits in it."""
    if ID.fullmatch(key) and len(key) <= LONGEST:
        return key
    return re.sub(r"[^a-z0-9]+", "-", key.lower())[:LONGEST].strip("-") or "game"


def is_id(id: str) -> bool:
    """Return whether a text can name a game; what names a new one is narrower, see ``check_new_id``."""
    return ID.fullmatch(id) is not None


def check_id(id: str) -> None:
    """Raise Unfit for what cannot name a game."""
    if not is_id(id):
        raise Unfit(
            f"{id!r} is not an id; expected up to 64 letters, digits, dots, hyphens and underscores, the first "
            "a letter or "
            "a digit."
        )


def check_new_id(id: str) -> None:
    """Raise Unfit for what names no new game; there may be older games that are called so."""
    check_id(id)
    ending = PAGE_ENDING.search(id)
    if ending:
        raise Unfit(
            f"{id!r} ends like the address of a page or file, {ending[0]}; expected an id that ends in another way, "
            f"such as {id[: ending.start()]}."
        )


def write_opening(store: Log, opening: Opening) -> Opened:
    """Write the events that open a game; the same command, repeated with the same request, writes nothing.

    Raises:
        Conflict: There is a game with that id already.
        Declined: The command was given before with another request.
    """
    id, events = opening.id, opening.events
    check_new_id(id)
    recorded = seal_events(id, origin(id), events)
    whole = fold(id, recorded)
    command = events[0].command
    try:
        store.write(Batch(id, origin(id), recorded, row(whole)))
    except Conflict:
        there = [each.event for each in store.stream(id)[: len(events)]] if command else []
        if not there or there[0].command != command:
            raise
        if _asked(there, opening.dated) != _asked(events, opening.dated):
            raise used(command, id) from None
        return Opened(id, len(events))
    return Opened(id, whole.head.version)


def _asked(events: Sequence[Event], dated: bool) -> list[Event]:
    """Return what was asked for, without when; and without the date unless it was given."""
    asked = []
    for event in events:
        if isinstance(event, TagsChanged) and not dated:
            event = replace(event, put=tuple(tag for tag in event.put if tag[0] != "Date"))
        asked.append(replace(event, at="", salt=""))
    return asked
