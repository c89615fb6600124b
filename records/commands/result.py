"""Recording a finished game of which only the result is known: who played, and the points or places."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import NotationError, find_game
from cartulary.notation.cgn.result import result_fault
from cartulary.notation.cgn.signs import cut
from cartulary.notation.contract import AnyGame
from cartulary.notation.description import (
    NO_DESCRIPTION,
    WINNERS,
    Description,
    DescriptionFault,
    read_description,
    write_description,
)
from cartulary.records.commands.close import closing
from cartulary.records.commands.new import NewRequest, Opening, opening_of, write_opening
from cartulary.records.commands.request import Request, field
from cartulary.records.dates import read_date
from cartulary.records.faults import NoResult, Unfit, WrongAnswer
from cartulary.records.library.listing import score_in_force
from cartulary.records.library.titles import meant_title, meant_variant
from cartulary.records.log.chain import origin
from cartulary.records.log.contract import Log
from cartulary.records.log.events import GameClosed
from cartulary.records.log.recorded import seal_events
from cartulary.records.state.described_games import description_tags
from cartulary.records.state.fold import LiveGame, fold
from cartulary.records.texts import canonical_name, keepable, plain_numbers, typed_number

_DURATION = re.compile(r"(?:([0-9]{1,2})\s*(?::|h)\s*)?([0-9]{1,3})?\s*(?:m|min|minutes)?", re.IGNORECASE)
_HOUR = 60


class ResultRequest(Request, frozen=True):
    """A finished game to be recorded.

    Attributes:
        game: Its title or key; of any game, with rules or without.
        players: In the order of the seats: ``NAME=NUMBER``, the points of the player, or the place if ``places`` is
            true; a name alone in a game that the whole table won or lost, or whose points ``categories`` give.
        places: Whether the numbers are places, 1 for the winner.
        table: ``won`` or ``lost``, for co-operative and solitary games.
        categories: The lines of a score sheet, each with a number for every seat.
        winner: How the winner follows from the points; empty for what the description says, else the most.
        teams: By seat, the number of its team; empty if everybody plays alone.
        date: The day; empty for today.
        duration: How long it took, in minutes or as ``1:30``.
        place: Where it was played.
        event: The event it belongs to.
        termination: How it ended, as in the tag Termination; empty if nobody says.
        tags: Any other tags.
        id: Empty for a short one made here.
    """

    game: Annotated[str, field("The name of the game: any name.", "GAME")]
    players: Annotated[
        tuple[str, ...], field("A player with his points, such as Ada=10; in the order of the seats.", "NAME=POINTS")
    ]
    places: Annotated[bool, field("The numbers are places, 1 for the winner.")] = False
    table: Annotated[str, field("Whether the whole table won or lost, in a co-operative game.", "won|lost")] = ""
    categories: Annotated[
        Mapping[str, str], field("A line of the score sheet with a number a seat: Roads=2:4:1.", "NAME=POINTS")
    ] = {}
    winner: Annotated[str, field("Who wins by the points: most or fewest.", "WINNER")] = ""
    teams: Annotated[str, field("The team of each seat, such as 1:2:1:2.", "TEAMS")] = ""
    date: Annotated[str, field("The day it was played; by default today.", "DATE")] = ""
    duration: Annotated[str, field("How long it took: minutes, or 1:30.", "TIME")] = ""
    place: Annotated[str, field("Where it was played.", "TEXT")] = ""
    event: Annotated[str, field("The event it belongs to.", "TEXT")] = ""
    termination: Annotated[str, field("How it ended, as in the Termination tag.", "TEXT")] = ""
    tags: Annotated[Mapping[str, str], field("Any other tag.", "NAME=VALUE")] = {}
    id: Annotated[str, field("The id of the record; by default a short one is made up.")] = ""


class TableGame(Struct, frozen=True):
    """One game of a table, or one play of another program's log.

    Attributes:
        line: The line of its first row, or its number among the plays, from 1.
        request: What is to be recorded.
        given_id: The id that the table names, empty for none.
        because: Why it cannot be recorded; empty if nothing speaks against it yet.
    """

    line: int
    request: ResultRequest
    given_id: str = ""
    because: str = ""


class RecordedResult(Struct, frozen=True):
    """A finished game that was recorded.

    Attributes:
        id: The id of the record.
        version: The version of the record.
        game: The title of the game.
        players: The names, in seat order.
        score: The points as in the tag Score; empty if none are counted.
        result: The result as in the tag Result.
        unjudged: Whether no rules judge the record.
        conclusion: Who won, as a clause for a person: ``Ada won``, ``drawn``, ``the table lost``.
    """

    id: str
    version: int
    game: str
    players: tuple[str, ...]
    score: str
    result: str
    unjudged: bool
    conclusion: str


def record_result(store: Log, request: ResultRequest) -> RecordedResult:
    """Record a finished game of which only the result is known, in one step.

    A game without points whose rules are installed, such as one for two that is won, drawn or lost, is kept as a closed
    game of those rules without moves: the numbers are the shares of the result. Every other game is kept unjudged, with
    its description, and so is one that was won or lost by the table or has categories. Another name of an installed
    game, such as Schach, means that game.

    Args:
        store: The log.
        request: The game and its result.

    Returns:
        What was recorded. A command that was given before with the same request gets the same answer again.

    Raises:
        WrongAnswer: A player, the teams, date or duration cannot be; ``tag`` is the seat, ``p2``, or the field.
        Unfit: Nobody is named, another field or tag or the id cannot be, or the numbers do not decide who has won.
        Declined: The command was given before with another request.
        Conflict: There is a game with that id already.
    """
    answer = write_opening(store, opening_of_result(store, request))
    return RecordedResult(answer.id, answer.version, *_summary(fold(answer.id, store.stream(answer.id))))


def opening_of_result(store: Log, request: ResultRequest) -> Opening:
    """Return the id and the events that ``record_result`` would write, the close among them; nothing is written.

    The same command gets the same id.

    Raises:
        WrongAnswer: A player, the teams, date or duration cannot be; ``tag`` is the seat, ``p2``, or the field.
        Unfit: Nobody is named, another field or a tag cannot be, or the numbers do not decide who has won.
        Declined: The index is not up to date.
    """
    names, numbers = _players(request)
    if not request.tags.get("Variant"):
        title, variant = meant_variant(store, request.game)
        tags = dict(request.tags) | ({"Variant": variant} if variant else {})
        request = replace(request, game=title, tags=tags)
    request = replace(request, game=meant_title(store, request.game))
    tags = _common_tags(request)
    game = _without_points(request.game)
    stated = ""
    if game is not None and not (request.table or request.categories):
        stated = _result_by_shares(game, request, numbers)
        opened = NewRequest(game=request.game, players=names, seats=len(names), tags=tags)
    else:
        title, described = description_tags(store, request.game)
        description = _description(request, described.get("Description", ""), len(names))
        tags |= _result_tags(request, numbers) | {"Description": write_description(description)}
        opened = NewRequest(game=title, players=names, seats=len(names), tags=tags, unjudged=True)
    opened = replace(opened, id=request.id, command=request.command, by=request.by)
    opening = opening_of(store, opened)
    live = fold(opening.id, seal_events(opening.id, origin(opening.id), opening.events))
    try:
        result, termination = closing(live, stated, request.termination)
    except NoResult:
        raise Unfit("The numbers do not say who has won; give --winner most or fewest, or --places.") from None
    first = opening.events[0]
    close = GameClosed(
        at=first.at, by=first.by, command=first.command, result=result, termination=termination, score=""
    )
    return replace(opening, events=(*opening.events, close))


def _summary(game: LiveGame) -> tuple[str, tuple[str, ...], str, str, bool, str]:
    """Return the last six fields of ``RecordedResult``, in their order, from a recorded game.

    They are its title, the players' names in seat order (``?`` where none is known), score, result, whether nobody
    judges it, and who won as a clause.
    """
    played = game.examined.heading.game
    assert played is not None
    names = tuple(game.record.tag(tag, "?") for tag in played.about.seat_tags(game.book.seats))
    unjudged = game.report.verdict == "unjudged"
    table = game.record.tag("Table")
    conclusion = f"the table {table}" if table else who_won(names, game.book.result)
    return played.about.title, names, score_in_force(game), game.book.result, unjudged, conclusion


def who_won(names: Sequence[str], result: str) -> str:
    """Return who won as a clause for a person, such as ``Ada won`` or ``Ada and Bela won``.

    It is ``drawn`` if every one of several seats has a share, ``nobody won`` if none has, and ``nobody knows who won``
    for the result ``*``.

    Args:
        names: The names in seat order.
        result: The result, a share a seat, such as ``1-0``.
    """
    if result == "*":
        return "nobody knows who won"
    winners = [name for name, share in zip(names, result.split("-"), strict=True) if Fraction(share)]
    return "drawn" if len(winners) == len(names) > 1 else f"{' and '.join(winners) or 'nobody'} won"


def _players(request: ResultRequest) -> tuple[tuple[str, ...], tuple[Fraction | None, ...]]:
    """Return the players' names and their numbers, two tuples in the order of the seats.

    A number is None where a name stands alone, which only ``table`` or ``categories`` allow.

    Raises:
        WrongAnswer: A text is no name with a number, or a name is given twice; ``tag`` is the seat, ``p2``.
        Unfit: Nobody is named, or a name cannot be stored.
    """
    if not request.players:
        raise Unfit("Nobody is named; expected each player with his points, such as -p Ada=10 -p Bela=7.")
    names, numbers = [], []
    for seat, text in enumerate(request.players, 1):
        name, equals, number = text.rpartition("=")
        if not equals and (request.table or request.categories):
            name, number = text, ""
        if "=" in name:
            because = f"{text!r} has two signs =; expected one name and one number, such as Ada=10"
            raise WrongAnswer(because, f"p{seat}")
        if equals and name.strip() and not number.strip():
            raise WrongAnswer(f"{name.strip()} has no number; expected one, such as {name.strip()}=10", f"p{seat}")
        value = typed_number(number)
        if equals and value is not None and not name.strip():
            raise WrongAnswer(
                f"{number.strip()} stands beside no name; expected whose it is, such as Ada=10", f"p{seat}"
            )
        if not name.strip() or not (value is not None or (not equals and name)):
            because = f"{text!r} is no player with a number; expected a name and a number, such as Ada=10"
            raise WrongAnswer(because, f"p{seat}")
        keepable(name, "The player's name")
        names.append(canonical_name(name, "The player's name"))
        numbers.append(value)
    known = [name for name in names if name != "?"]
    twice = next((name for name in known if known.count(name) > 1), "")
    if twice:
        second = names.index(twice, names.index(twice) + 1)
        raise WrongAnswer(f"{twice} is named twice; give each player once", f"p{second + 1}")
    return tuple(names), tuple(numbers)


def _common_tags(request: ResultRequest) -> dict[str, str]:
    """Return by name the tags of a request that do not state the result: Date, Site, Event, Duration and any other.

    Of these four, those that are empty are left out.

    Raises:
        Unfit: One of the four is given by its field and among the other tags too.
        WrongAnswer: The date or the duration cannot be.
    """
    tags = dict(request.tags)
    added = {"Date": _date(request.date), "Site": request.place, "Event": request.event}
    added["Duration"] = _duration(request.duration)
    for name, value in added.items():
        if value and name in tags:
            raise Unfit(f"{name} is given twice; give it once.")
    return tags | {name: value for name, value in added.items() if value}


def _date(text: str) -> str:
    """Return a date as CGN has it, such as ``2026.11.01``; empty for an empty text.

    Raises:
        WrongAnswer: The text is no date; ``tag`` is ``date``.
    """
    try:
        return text and read_date(text)
    except Unfit as fault:
        raise WrongAnswer(str(fault).rstrip("."), "date") from None


def _duration(text: str) -> str:
    """Return a duration as hours and minutes: ``90`` and ``1h30`` -> ``1:30``; empty for a text of blanks.

    Raises:
        WrongAnswer: The text is no duration, or one of 0 minutes; ``tag`` is ``duration``.
    """
    if not text.strip():
        return ""
    match = _DURATION.fullmatch(text.strip())
    hours, minutes = (int(part or 0) for part in match.groups()) if match else (0, 0)
    if not hours and not minutes:
        because = f"{text!r} is not a duration; expected minutes, such as 90, or hours and minutes, such as 1:30"
        raise WrongAnswer(because, "duration")
    hours, minutes = hours + minutes // _HOUR, minutes % _HOUR
    return f"{hours}:{minutes:02}"


def _without_points(name: str) -> AnyGame | None:
    """Return the game of that name if its rules are installed and it counts no points; None for any other.

    Such a game is won, drawn or lost, so its result is stated by shares.
    """
    try:
        game = find_game(name)
    except NotationError:
        return None
    return None if game.points.tags else game


def _result_by_shares(game: AnyGame, request: ResultRequest, numbers: Sequence[Fraction | None]) -> str:
    """Return the result of a game that is won, drawn or lost, such as ``1/2-1/2``, from a number for each player.

    Args:
        game: The game.
        request: The request. With ``places``, those of the lowest number share the win.
        numbers: The share of each player in seat order, or the place; None counts as 0.

    Raises:
        Unfit: The game cannot have this result.
    """
    values = [number or Fraction(0) for number in numbers]
    if request.places:
        first = min(values)
        values = [Fraction(int(value == first)) for value in values]
    total = sum(values)
    if request.places and total:
        values = [value / total for value in values]
    result = "-".join(map(str, values))
    if fault := result_fault(result, len(numbers)):
        title = game.about.title
        raise Unfit(
            f"The result of {title} cannot be kept: {fault}. In {title}, give 1 for the win and 1/2 for a draw."
        )
    return result


def _description(request: ResultRequest, text: str, seats: int) -> Description:
    """Return the description of the record: that of the archive, with what this request adds.

    Args:
        request: The request.
        text: The tag Description of the archive's description, empty for none; one that cannot be read counts as none.
        seats: The number of players.

    Raises:
        Unfit: ``winner`` is neither ``most`` nor ``fewest``.
        WrongAnswer: The teams do not give each seat one; ``tag`` is ``teams``.
    """
    try:
        known = read_description(text)
    except DescriptionFault:
        known = NO_DESCRIPTION
    if request.winner and request.winner not in ("most", "fewest"):
        raise Unfit(f"{request.winner!r} does not say who wins; expected most or fewest.")
    stated = "table" if request.table else "place" if request.places else request.winner or known.winner or "most"
    winner = next(each for each in WINNERS if each == stated)
    changed = winner != known.winner
    goal = None if changed else known.goal
    description = replace(known, winner=winner, goal=goal, rounds=None)
    if winner in ("table", "place"):
        description = replace(description, categories=())
    if request.teams:
        if not re.fullmatch(r"[1-9][0-9]?(:[1-9][0-9]?)*", request.teams) or request.teams.count(":") + 1 != seats:
            example = ":".join(str(1 + seat % 2) for seat in range(seats))
            because = f"{request.teams!r} does not give each of {seats} seats a team; expected such as {example}"
            raise WrongAnswer(because, "teams")
        teams = tuple(map(int, request.teams.split(":")))
        description = replace(description, teams=teams, least=seats, most=seats)
    return description


def _result_tags(request: ResultRequest, numbers: Sequence[Fraction | None]) -> dict[str, str]:
    """Return by name the tags that state the result: Table and Categories if they are given, and Points or Places.

    Neither of the last two is there if no player has a number. An example is ``{"Points": "10:7"}``. See
    ``notation.description.read_result_tags``.

    Raises:
        Unfit: The table is neither won nor lost or has places, a place is no whole number, or only some players have a
            number.
    """
    tags = {}
    if request.table:
        if request.table not in ("won", "lost"):
            raise Unfit(f"{request.table!r} is not how a table ends; expected won or lost.")
        if request.places:
            raise Unfit("A table that wins or loses together has no places; leave one of the two out.")
        tags["Table"] = request.table
    if request.categories:
        tags["Categories"] = "; ".join(f"{name}={plain_numbers(value)}" for name, value in request.categories.items())
    if all(number is not None for number in numbers):
        text = ":".join(map(str, numbers))
        if request.places and (fault := next((each for each in numbers if each and each.denominator > 1), None)):
            raise Unfit(f"{cut(str(fault))} is not a place; expected a whole number, 1 for the winner.")
        tags["Places" if request.places else "Points"] = text
    elif any(number is not None for number in numbers):
        raise Unfit("Some players have a number and some have none; give one to each.")
    return tags


def result_line(answer: RecordedResult) -> str:
    """Return a recorded result as a line for a person: ``Catan: Ada 10, Bela 7; Ada won``.

    Where no points are counted, the names stand alone: ``Go: Ada, Bela; Ada won``.
    """
    points = answer.score.split(":") if answer.score else [""] * len(answer.players)
    seats = ", ".join(f"{name} {point}".strip() for name, point in zip(answer.players, points, strict=True))
    return f"{answer.game}: {seats}; {answer.conclusion}"
