"""Opening a game, and the tags that are not the rules': names, event, date and the like."""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256

from cartulary.notation import Line, NotationError, Record, examine, find_game
from cartulary.notation.sheet import format_options
from cartulary.notation.writer import escape_tag, tag_order
from cartulary.records.answers import Opened, Tagged
from cartulary.records.book import OWN_TAGS
from cartulary.records.chain import origin
from cartulary.records.events import Event, GameOpened, Pairs, TagsChanged
from cartulary.records.faults import Conflict, Unfit
from cartulary.records.fold import fold
from cartulary.records.index import row
from cartulary.records.request import begin, keepable, now, plain, write
from cartulary.records.store import Batch, Store, sealed

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
TAG = re.compile(r"[A-Za-z0-9_]+")
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
CLOSING = frozenset(("Result", "Termination", "Score"))


def open_game(
    store: Store,
    game: str,
    *,
    id: str = "",
    tags: Mapping[str, str] | None = None,
    players: Sequence[str] = (),
    by: str = "",
    command: str = "",
) -> Opened:
    """Open a game and return its id.

    game: title or key; id: empty for a short one made here; tags: as on a score sheet, Variant, Options and Setup
    among them; players: in seat order, ``?`` where none is named
    Raises Unfit where the tags set up no game, Conflict where there is a game with that id already.
    """
    try:
        found = find_game(game)
    except NotationError as error:
        raise Unfit(f"There is no such game: {error.because}.") from None
    given = _checked((tags or {}).items(), CLOSING)
    examined = examine(Record((("Game", found.rules.TITLE), *given), Line(result="*")))
    faults = [each.because for each in examined.report.findings if each.severity == "error"]
    sheet = examined.heading.sheet
    if faults or sheet is None:
        raise Unfit(f"The game cannot be set up: {faults[0]}.")
    own = OWN_TAGS.union(found.script.own_tags())
    at, by = now(), plain(by, "The name")
    keepable(command, "The command id")
    opened = GameOpened(
        at=at,
        by=by,
        command=command,
        game=found.rules.KEY,
        edition=examined.heading.edition,
        variant=examined.heading.variant,
        options=format_options(sheet.options),
        seats=sheet.seats,
        own=tuple(found.script.format_sheet(sheet).items()),
    )
    names = dict(_named(found.script.seat_tags(sheet.seats), players))
    names |= {name: value for name, value in given if name not in own}
    names.setdefault("Date", datetime.now(UTC).strftime("%Y.%m.%d"))
    put = tuple(sorted(names.items(), key=tag_order))
    changed = TagsChanged(at=at, by=by, command=command, put=put, dropped=())
    return _opened(store, id or _made_up(found.rules.KEY, command), (opened, changed), command)


def _named(seats: Sequence[str], players: Sequence[str]) -> Iterable[tuple[str, str]]:
    if len(players) > len(seats):
        raise Unfit(f"{len(players)} players were named, and the game has {len(seats)} seats.")
    for name in players:
        keepable(name, "The player's name")
    return zip(seats, (*players, *("?",) * (len(seats) - len(players))), strict=True)


def _made_up(key: str, command: str) -> str:
    """Return a short id a person can type; the same one for the same command."""
    drawn = sha256(command.encode()).digest() if command else secrets.token_bytes(10)
    length = 10 if command else 5
    return f"{key}-" + "".join(LETTERS[byte % len(LETTERS)] for byte in drawn[:length])


def _opened(store: Store, id: str, events: tuple[Event, ...], command: str) -> Opened:
    if not ID.fullmatch(id):
        raise Unfit(
            f"{id!r} is no id; expected up to 64 letters, digits, dots, hyphens and underscores, the first a letter or "
            "a digit."
        )
    recorded = sealed(id, origin(id), events)
    whole = fold(id, recorded)
    try:
        store.write(Batch(id, origin(id), recorded, row(whole)))
    except Conflict:
        first = store.read(id)[0].event if command else None
        if isinstance(first, GameOpened) and first.command == command:
            return Opened(id, len(events))
        raise
    return Opened(id, whole.head.version)


def change_tags(
    store: Store,
    id: str,
    tags: Mapping[str, str],
    *,
    drop: Sequence[str] = (),
    by: str = "",
    command: str = "",
    expected: int | None = None,
) -> Tagged:
    """Write tags anew and take tags away; closed games too.

    Raises Unfit for the tags a game was set up with, and for those that closing writes.
    """
    game, done = begin(store, id, expected, command, TagsChanged)
    if done is None:
        script = find_game(game.book.game).script
        fixed = CLOSING.union(OWN_TAGS, script.own_tags())
        put = _checked(tags.items(), fixed)
        _checked(((name, "") for name in drop), fixed)
        event = TagsChanged(at=now(), by=plain(by, "The name"), command=command, put=put, dropped=tuple(drop))
        done = write(store, game, [event])
    return Tagged(id, done.head.version, done.book.tags)


def _checked(tags: Iterable[tuple[str, str]], fixed: frozenset[str]) -> Pairs:
    pairs = tuple(tags)
    for name, value in pairs:
        if not TAG.fullmatch(name):
            raise Unfit(f"{name!r} is no tag; expected letters, digits and underscores, such as Event.")
        if name in fixed:
            raise Unfit(f"The tag {name} is not written by hand: the game's own commands do that.")
        keepable(value, f"The tag {name}")
        try:
            escape_tag(value)
        except NotationError as error:
            raise Unfit(f"The tag {name} cannot be kept: {error.because}.") from None
    return pairs
