"""Opening a game: its id, its players, and the tags that it is set up with."""

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
from cartulary.notation.arbiter.house import TAG as HOUSE_RULES
from cartulary.notation.arbiter.house import HouseRule, without_deciders
from cartulary.notation.cgn.signs import count
from cartulary.notation.contract import About, TagAsked
from cartulary.notation.roster import split_variant
from cartulary.notation.unjudged import NOBODY
from cartulary.records.answers import OpenAnswer
from cartulary.records.commands.deal_tags import CLOSING, canonical_tags, check_deal_tags, resolve_tags, spell_deal_tags
from cartulary.records.commands.request import Request, field, reused_key
from cartulary.records.dates import today
from cartulary.records.faults import Conflict, Unfit, WrongAnswer
from cartulary.records.library.listing import index_rows
from cartulary.records.log.chain import origin
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event, GameOpened, Pairs, TagsChanged
from cartulary.records.log.recorded import Batch, seal_events
from cartulary.records.state.book import OWN_TAGS
from cartulary.records.state.described_games import description_tags
from cartulary.records.state.fold import LiveGame, fold
from cartulary.records.state.house_rules import house_tags, rules_for
from cartulary.records.texts import ID, canonical_name, check_id, clean_name, keepable, no_game, now

PAGE_ENDING = re.compile(r"(?:\.(?:json|svg|html|pdf|cgn))+$", re.IGNORECASE)
"""How no new id ends: ``/games/X.json`` is the game X in JSON, and files of a game are called so too."""
LONGEST = 40
"""Letters of an id that tell of the game, at most."""
DEFAULTS = frozenset(("Date", "Options", "HouseRules"))
"""The tags whose defaults are those of the day: today, and what the house rules of the club say."""
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


class NewRequest(Request, frozen=True):
    """A game to be opened.

    Attributes:
        game: The title or key of the game.
        id: The id of the record; empty for a short one that is made up.
        variant: The variant, in place of the tag Variant.
        players: The players' names in the order of the seats, ``?`` for a name that is not known.
        seats: The number of seats. 0 for as many as there are players or Seat tags, if the game can be played so,
            otherwise for the usual number.
        tags: Tags as on a score sheet, among them Variant, Options and Setup. Date is by default today.
        unjudged: Whether nobody judges the record; then ``game`` may be any name.
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


def open_game(store: Log, request: NewRequest) -> OpenAnswer:
    """Open a game, and return its id with the number of the events that opened it.

    Args:
        store: Where it is to be kept.
        request: The game, its players and tags.

    Returns:
        The id, the number of events, and a sentence for each house rule of the club that the game cannot have. A
        command that was given before with the same request writes nothing and gets the id again.

    Raises:
        Unfit: There is no such game, the tags set up none, or the id or a name cannot be.
        Conflict: There is a game with that id already.
        Declined: The command was given before with another request.
    """
    return write_opening(store, opening_of(store, request))


class Opening(Struct, frozen=True):
    """The events that open a game.

    Attributes:
        id: Its id.
        events: The events, in order.
        defaults: Those of ``DEFAULTS`` that were not given, and that may be others when a command is repeated.
        remarks: A sentence for each house rule of the club that this game cannot have.
    """

    id: str
    events: tuple[Event, ...]
    defaults: frozenset[str]
    remarks: tuple[str, ...] = ()


def opening_of(store: Log, request: NewRequest) -> Opening:
    """Return the id and the events that would open a game; nothing is written.

    If the game has no rules and the archive has a description of it, the record gets that description, unless the
    request asks that nobody judges it. The house rules of the club that this game can have are stated in its tags.

    Raises:
        Unfit: There is no such game, the tags set up none, too many players are named, or a name cannot be.
        Declined: The name of who writes has a ``}``.
    """
    title, described = (request.game, {}) if request.unjudged else description_tags(store, request.game)
    unjudged = request.unjudged or bool(described)
    tags = {**request.tags, **({"Variant": request.variant} if request.variant else {})}
    if not unjudged:
        title, tags = with_variant(title, tags)
    tags |= described
    command, players = request.command, request.players
    left_out: tuple[str, ...] = ()
    if not unjudged:
        stated, left_out = _house_tags(store, title, tags, players, request.seats)
        tags |= stated
    defaults = DEFAULTS.difference(request.tags)
    game, kept_tags, heading = _set_up(title, tags, players, request.seats, unjudged)
    sheet = heading.sheet
    assert sheet is not None
    own = OWN_TAGS.union(game.sheet.names)
    at, by = now(), clean_name(request.by)
    keepable(command, "The command id")
    opened = GameOpened(
        at=at,
        by=by,
        command=command,
        game=game.about.key,
        edition=heading.edition,
        variant=heading.variant,
        options=format_options(sheet.options),
        seats=sheet.seats,
        own=(*game.sheet.write(sheet).items(), *_decisions(kept_tags)),
    )
    other_tags = dict(_name_seats(game.about.seat_tags(sheet.seats), players))
    other_tags |= {name: value for name, value in kept_tags if name not in own}
    other_tags.setdefault("Date", today())
    put = sorted_tags(other_tags.items(), game)
    tags_changed = TagsChanged(at=at, by=by, command=command, put=put, dropped_tags=())
    id = request.id or _make_id(game.about.key, command)
    return Opening(id, (opened, tags_changed), defaults, left_out)


def _house_tags(
    store: Log, title: str, tags: Mapping[str, str], players: Sequence[str], seats: int
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the tags by which a game states the house rules of the club, and remarks on those that it cannot have.

    Nothing is returned for a game that does not exist, as setting it up says why.

    Returns:
        The tags by name, empty if there are no house rules; and a sentence for each house rule that is left out,
        because its option is none for this variant or number of seats.
    """
    try:
        game = find_game(title)
    except NotationError:
        return {}, ()  # setting the game up says why
    rules: list[HouseRule] = []
    remarks = []
    for rule in rules_for(store, game, tags):
        stated = house_tags(game, [*rules, rule])
        try:
            if not rule.rule:
                _set_up(title, {**tags, **stated}, players, seats, False)
        except Unfit as fault:
            remarks.append(f"The house rule {rule.key} is left out: {str(fault).partition(': ')[2] or fault}")
        else:
            rules.append(rule)
    return house_tags(game, rules), tuple(remarks)


def _decisions(tags: Pairs) -> Iterable[tuple[str, str]]:
    """Yield the tag HouseRules, if there is one, without the names of who decided.

    It is kept apart from the other tags, because it stays when the event with all names is left out of an archive.
    """
    return ((name, without_deciders(value)) for name, value in tags if name == HOUSE_RULES)


class TablePlan(Struct, frozen=True):
    """The table that a game would be opened for.

    Attributes:
        title: The title of the game.
        variant: The variant.
        variants: All variants, the usual one first.
        seats: The tags of the seats, in order.
        counts: All numbers of seats that the game can be played with, the usual one first.
        unnamed_seats: The tags of the seats for which nobody is named.
    """

    title: str
    variant: str
    variants: tuple[str, ...]
    seats: tuple[str, ...]
    counts: tuple[int, ...]
    unnamed_seats: tuple[str, ...]


def plan(
    game: str, tags: Mapping[str, str], players: Sequence[str] = (), seats: int = 0, unjudged: bool = False
) -> TablePlan:
    """Return the table that ``open_game`` would open a game for, with its defaults; nothing is stored.

    No log is asked, so house rules and descriptions count only if they are among the tags.

    Args:
        game: The title or key of the game.
        tags: Its tags, by name.
        players: The players' names in the order of the seats.
        seats: The number of seats, 0 for the default.
        unjudged: Whether nobody judges the record.

    Raises:
        Unfit: The tags set up no game.
    """
    if not unjudged:
        game, tags = with_variant(game, tags)
    found_game, kept_tags, heading = _set_up(game, tags, players, seats, unjudged)
    assert heading.sheet is not None
    table = found_game.about.seat_tags(heading.sheet.seats)
    named_seats = {*table[: len(players)], *(name for name, _ in kept_tags)}
    about = found_game.about
    unnamed_seats = tuple(name for name in table if name not in named_seats)
    return TablePlan(about.title, heading.variant, about.variants, tuple(table), about.seats, unnamed_seats)


def ask_of_scored(game: str, tags: Mapping[str, str], players: Sequence[str] = (), seats: int = 0) -> TagAsked | None:
    """Return the next question about a game of which only the score was kept, None after the last.

    Args:
        game: The title or key of the game.
        tags: Its tags with the answers so far; an empty value says that there is no answer.
        players: The players' names in the order of the seats.
        seats: The number of seats, 0 for the default.

    Returns:
        The question, with the tag that its answer belongs to.

    Raises:
        Unfit: The score of such a game always comes from its moves, or the tags set up no game.
        WrongAnswer: A value is impossible; the fault has its tag.
    """
    try:
        points = find_game(game).points
    except NotationError as error:
        raise no_game(game, error) from None
    if not points.told_by:
        raise Unfit(f"The score of {find_game(game).about.title} always comes from its moves; leave out --scored.")
    others = {name: value for name, value in tags.items() if name not in points.told_by}
    found_game, kept_tags, heading = _set_up(game, others, players, seats, False)
    assert heading.sheet is not None
    check_deal_tags(found_game, heading.sheet.seats, dict(kept_tags))
    start = found_game.rules.setup(heading.sheet)
    table = found_game.about.seat_tags(heading.sheet.seats)
    names = dict(zip(table, players, strict=False)) | {name: value for name, value in kept_tags if name in table}
    try:
        return points.ask(names | {name: value for name, value in tags.items() if name in points.told_by}, start)
    except NotationError as fault:
        raise WrongAnswer(fault.because, fault.tag) from None


def _set_up(
    game: str, tags: Mapping[str, str], players: Sequence[str], seats: int, unjudged: bool
) -> tuple[AnyGame, Pairs, Heading]:
    """Return the game, its tags as they are stored, and the heading it is set up from. Nothing is stored.

    The heading is what the tags say of edition, variant, options and seats.

    Args:
        game: The title or key of the game; with ``unjudged`` any name.
        tags: Its tags, by name.
        players: The players' names in the order of the seats.
        seats: The number of seats, 0 for the default.
        unjudged: Whether nobody judges the record; then it gets the tag Rules.

    Raises:
        Unfit: There is no such game, a tag cannot be or is not written by hand, or the tags set up no game with so many
            seats.
    """
    for name in players:
        keepable(name, "The player's name")
    title = _unjudged_title(game) if unjudged else game
    rules = (("Rules", NOBODY),) if unjudged else ()
    try:
        found_game = game_of(Record((("Game", title), *rules, *tags.items()), Line()))
    except NotationError as error:
        raise no_game(game, error) from None
    reserved = CLOSING.union(found_game.points.tags, () if unjudged else ("Rules",))
    if (variant := variant_named(found_game.about, tags.get("Variant", ""))) is not None:
        tags = {**tags, "Variant": variant}
    kept_tags = canonical_tags(tags.items(), reserved, OWN_TAGS.union(found_game.sheet.names))
    kept_tags = (*(tag for tag in kept_tags if tag[0] != "Rules"), *rules)
    seat_tags = _seat_tags_for(found_game, kept_tags, seats, len(players))
    all_tags = (("Game", found_game.about.title), *kept_tags, *seat_tags)
    sheet = read_heading(Record(all_tags, Line())).sheet
    if sheet is not None:
        kept_tags = resolve_tags(found_game, sheet.seats, kept_tags)
        names = dict(zip(found_game.about.seat_tags(sheet.seats), players, strict=False))
        deal = spell_deal_tags(found_game, sheet, names | dict(kept_tags))
        kept_tags = tuple((name, deal.get(name, value)) for name, value in kept_tags)
    examination = examine(Record((("Game", found_game.about.title), *kept_tags, *seat_tags), Line(result="*")))
    faults = [finding.because for finding in examination.report.findings if finding.severity == "error"]
    sheet = examination.heading.sheet
    if faults or sheet is None:
        raise Unfit(f"The game cannot be set up: {faults[0]}.")
    if seats and sheet.seats != seats:
        wanted = count(seats, "seat was", "seats were")
        raise Unfit(f"{wanted} asked for, but the tags name {sheet.seats}; give the same number.")
    return found_game, kept_tags, examination.heading


def with_variant(game: str, tags: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the title and the tags of a game whose name may end with that of a variant.

    The name of the variant is taken off the title and becomes the tag Variant. Tags that name a variant, or a name that
    ends with none, leave both as they are. The answer has new tags; those given are not changed.
    """
    title, variant = (game, "") if tags.get("Variant") else split_variant(game)
    return title, dict(tags) | ({"Variant": variant} if variant else {})


def variant_named(about: About, name: str) -> str | None:
    """Return the variant of this name in its usual spelling; capitals and blanks around it do not count.

    None for no such one.
    """
    return next((variant for variant in about.variants if variant.casefold() == name.strip().casefold()), None)


def _unjudged_title(game: str) -> str:
    """Return the title of an unjudged game as it is stored.

    It is the title of the installed game that the name means, if there is one, or else the name in single spaces.

    Raises:
        Unfit: The name is empty or cannot be stored.
    """
    keepable(game, "The game's name")
    title = " ".join(game.split())
    if not title:
        raise Unfit("The game has no name; expected one such as Ludo.")
    try:
        return find_game(title).about.title
    except NotationError:
        return title


def _seat_tags_for(game: AnyGame, tags: Pairs, seats: int, players: int) -> Pairs:
    """Return the seat tags to add, each with the value ``?``, so that a game has a number of seats.

    Empty if the game has only one number of seats; or if ``seats`` is 0 and it cannot have as many as ``players``.

    Args:
        game: The game.
        tags: Its tags; a seat that is named there is not added.
        seats: The number of seats, 0 for as many as there are players.
        players: The number of players.

    Raises:
        Unfit: The game cannot have so many seats.
    """
    counts = game.about.seats
    if seats and seats not in counts:
        raise Unfit(f"{game.about.title} needs {either(counts)} seats, not {seats}.")
    wanted = seats or (players if players in counts else 0)
    if len(counts) == 1 or not wanted:
        return ()
    written = {name for name, _ in tags}
    return tuple((name, "?") for name in game.about.seat_tags(wanted) if name not in written)


def _name_seats(seats: Sequence[str], players: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Return pairs of each seat's tag and the name of its player, ``?`` for none, in seat order.

    Raises:
        Unfit: There are more names than seats, or a name cannot be stored.
    """
    if len(players) > len(seats):
        seat_count = count(len(seats), "seat")
        raise Unfit(f"{len(players)} players were named, but the game has {seat_count}; name at most that many.")
    names = (canonical_name(name, "The player's name") or "?" for name in players)
    return zip(seats, (*names, *("?",) * (len(seats) - len(players))), strict=True)


def _make_id(key: str, command: str) -> str:
    """Return a short id that a person can type, such as ``chess-7kq3m``.

    It begins with the key of the game and ends with 5 random characters; or with 10 that are made of the key of the
    command, so that a repeated command gets the same id. Whether a game has it already is not checked.

    Args:
        key: The key of the game.
        command: The key of the command, empty for none.
    """
    random_bytes = sha256(command.encode()).digest() if command else secrets.token_bytes(10)
    length = 10 if command else 5
    return f"{id_begins(key)}-" + "".join(LETTERS[byte % len(LETTERS)] for byte in random_bytes[:length])


def id_begins(key: str) -> str:
    """Return the beginning of the id of a game, at most 40 characters long.

    It is the key of the game, or the letters and digits of a name that is no key or is too long: ``Ludo & Co`` ->
    ``ludo-co``. If there are none, it is ``game``.
    """
    if ID.fullmatch(key) and len(key) <= LONGEST:
        return key
    return re.sub(r"[^a-z0-9]+", "-", key.lower())[:LONGEST].strip("-") or "game"


def check_new_id(id: str) -> None:
    """Raise Unfit for a text that cannot be the id of a new game, such as ``a.json``, which ends like a file's name.

    Whether a game has the id already is not checked.
    """
    check_id(id)
    ending = PAGE_ENDING.search(id)
    if ending:
        raise Unfit(
            f"{id!r} ends like the address of a page or file, {ending[0]}; expected an id that ends in another way, "
            f"such as {id[: ending.start()]}."
        )


def draft_opening(opening: Opening) -> tuple[LiveGame, Batch]:
    """Return the game that events open, and what is to be stored of it; nothing is written.

    The second is a batch with the sealed events and the rows of the index.

    Raises:
        Unfit: The id cannot be that of a new game, or the game cannot be set up.
    """
    check_new_id(opening.id)
    recorded = seal_events(opening.id, origin(opening.id), opening.events)
    game = fold(opening.id, recorded)
    return game, Batch(opening.id, origin(opening.id), recorded, index_rows(game))


def write_opening(store: Log, opening: Opening) -> OpenAnswer:
    """Write the events that open a game; the same command, repeated with the same request, writes nothing.

    Returns:
        The answer. Its ``version`` is the number of events that opened the game, even if more have come since.

    Raises:
        Unfit: The id cannot be that of a new game.
        Conflict: There is a game with that id already.
        Declined: The command was given before with another request.
    """
    id, events = opening.id, opening.events
    game, batch = draft_opening(opening)
    command = events[0].command
    try:
        store.write(batch)
    except Conflict:
        stored = [entry.event for entry in store.stream(id)[: len(events)]] if command else []
        if not stored or stored[0].command != command:
            raise
        if _request_in(stored, opening.defaults) != _request_in(events, opening.defaults):
            raise reused_key(command, id) from None
        return OpenAnswer(id, len(events))
    return OpenAnswer(id, game.head.version, opening.remarks)


def _request_in(events: Sequence[Event], defaults: frozenset[str]) -> list[Event]:
    """Return events without their times and salts, and without the tags that got their defaults.

    So two openings of the same request are equal.

    Args:
        events: The events that open a game.
        defaults: The names of the tags that the request did not give.
    """
    requests = []
    for event in events:
        if isinstance(event, TagsChanged):
            event = replace(event, put=tuple(tag for tag in event.put if tag[0] not in defaults))
        elif isinstance(event, GameOpened):
            own = tuple(tag for tag in event.own if tag[0] not in defaults)
            event = replace(event, own=own, options="" if "Options" in defaults else event.options)
        requests.append(replace(event, at="", salt=""))
    return requests
