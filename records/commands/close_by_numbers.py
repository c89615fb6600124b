"""Closing a game with a number for each seat, or with the lines of its score sheet, as at the end of a table."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec.structs import replace

from cartulary.engine.numbers import how_many
from cartulary.notation.cgn.result import format_result, points_in
from cartulary.notation.description import NO_DESCRIPTION, DescriptionFault, read_description, winners_by_points
from cartulary.notation.score import format_points
from cartulary.notation.unjudged import nobody_judges
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import CloseAnswer
from cartulary.records.commands.close import CloseRequest, close, closing
from cartulary.records.commands.request import GameRequest, Reason, after, carry_out, field
from cartulary.records.commands.tag import tags_event
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.listing import score_in_force
from cartulary.records.log.contract import Log
from cartulary.records.log.events import GameClosed, GameReopened, TagsChanged
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.games import load
from cartulary.records.state.seat_view import for_everybody, hidden_from, seen_version
from cartulary.records.texts import clean_name, now, plain, plain_numbers


class CloseByNumbersRequest(GameRequest, frozen=True):
    """A game to be closed with a number for each seat.

    Attributes:
        numbers: In the order of the seats: points, or in a game without points the share of the result, 1 for the win
            and 1/2 for a draw.
        categories: In place of the numbers, the lines of the score sheet, each with a number for every seat.
        reason: Why the numbers of a game that is closed without moves are corrected; empty to close an open game.
    """

    numbers: Annotated[tuple[str, ...], field("The points of each seat, or its share of the result.", "N")] = ()
    categories: Annotated[
        Mapping[str, str], field("A line of the score sheet with a number a seat: Roads=2:4:1.", "NAME=POINTS")
    ] = {}
    reason: Reason = ""


def close_by_numbers(store: Log, id: str, request: CloseByNumbersRequest, viewer: Viewer = EVERYTHING) -> CloseAnswer:
    """Close the game with the result that follows from a number for each seat.

    Of points the most win, unless the description of the game says otherwise.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The numbers, or the lines of the score sheet.
        viewer: From whose view it is answered.

    Returns:
        The answer with the result and the termination. With ``dry``, nothing is stored.

    Raises:
        Declined: The result contradicts the moves, or it holds cards that the viewer has not seen. Without a reason,
            the game is closed already; with one, it is open or has moves, its result was given by a ruling, or nothing
            would change.
        NoResult: The lines of the score sheet do not say who has won.
        Unfit: There is not one number for each seat, the numbers do not say who has won, or numbers stand beside lines.
        Fault: As ``execute`` says.
    """
    if request.categories:
        return _close_by_sheet(store, id, request, viewer)
    game = load(store, id)
    if request.reason:
        return _close_again(store, id, request, viewer)
    result, score = _by_numbers(game, request.numbers)
    closing_request = CloseRequest(
        result=result,
        score=score,
        command=request.command,
        by=request.by,
        expected=request.expected,
        dry=request.dry,
    )
    return close(store, id, closing_request, viewer)


def _close_again(store: Log, id: str, request: CloseByNumbersRequest, viewer: Viewer) -> CloseAnswer:
    """Open a game that is closed without moves, and close it with other numbers, in one step.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The numbers and the reason.
        viewer: From whose view it is answered.

    Raises:
        Declined: The game is open or has moves, its result was given by a ruling or would not change, or it holds cards
            that the viewer has not seen.
        Unfit: The numbers do not say who has won.
    """
    reason = plain(request.reason, "The reason")

    def decide(game: LiveGame) -> tuple[GameReopened, GameClosed]:
        if not game.book.closed or game.plies:
            raise Declined(f"{id} is no closed game without moves; leave the reason out, or open the game again first.")
        if game.book.ruling:
            raise Declined(f"The result of {id} was given by ruling {game.book.ruling}; revoke it first.")
        stated, score = _by_numbers(game, request.numbers)
        reopening = GameReopened(at=now(), by=clean_name(request.by), command=request.command, reason=reason)
        result, how = closing(after(game, (reopening,)), stated, "", score)
        if (result, points_in(score)) == (game.book.result, points_in(score_in_force(game))):
            raise Declined(f"{id} has this result already; nothing would change.")
        at, by, command = reopening.at, reopening.by, reopening.command
        return reopening, GameClosed(at=at, by=by, command=command, result=result, termination=how, score=score)

    def check(game: LiveGame) -> None:
        for_everybody(game, hidden_from(game, viewer), "The result")

    _, done = carry_out(store, id, request, viewer, decide, GameReopened, GameClosed, check=check)
    return CloseAnswer(id, seen_version(done, hidden_from(done, viewer)), done.book.result, done.book.termination)


def _close_by_sheet(store: Log, id: str, request: CloseByNumbersRequest, viewer: Viewer) -> CloseAnswer:
    """Write the lines of the score sheet as the tag Categories, and close the game with what they come to, in one step.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The lines; its reason does not count.
        viewer: From whose view it is answered.

    Raises:
        Unfit: The game cannot have these lines, or there are numbers beside them.
        NoResult: The lines do not say who has won.
        Declined: The game is closed, or holds cards that the viewer has not seen.
    """
    if request.numbers:
        raise Unfit("The lines of the score sheet give the numbers; leave the numbers out.")
    lines = "; ".join(f"{name}={plain_numbers(value)}" for name, value in request.categories.items())

    def decide(game: LiveGame) -> tuple[TagsChanged, GameClosed]:
        tags = tags_event(game, (("Categories", lines),), (), clean_name(request.by), request.command)
        result, how = closing(after(game, (tags,)), "", "")
        by, command = tags.by, request.command
        return tags, GameClosed(at=tags.at, by=by, command=command, result=result, termination=how, score="")

    def check(game: LiveGame) -> None:
        for_everybody(game, hidden_from(game, viewer), "The result")

    _, done = carry_out(store, id, request, viewer, decide, TagsChanged, GameClosed, check=check)
    return CloseAnswer(id, seen_version(done, hidden_from(done, viewer)), done.book.result, done.book.termination)


def _by_numbers(game: LiveGame, numbers: Sequence[str]) -> tuple[str, str]:
    """Return result and score of a game from a number for each seat: ``("10", "7")`` -> ``("1-0", "10:7")``.

    In a game whose rules count no points the numbers are the shares of the result, and the score is empty.

    Args:
        game: The game.
        numbers: The numbers as they were typed, in the order of the seats; ``2,5`` and ``½`` are read too.

    Raises:
        Unfit: There is not one number for each seat, or the numbers do not say who has won.
    """
    seats = game.book.seats
    typed = ":".join(number.strip().replace("−", "-").replace("½", "1/2").replace(",", ".") for number in numbers)
    points = points_in(typed)
    if len(numbers) != seats or not points:
        raise Unfit(f"{how_many(seats, 'seat')} cannot have {typed[:60]!r}; expected a number for each, such as 10.")
    played = game.examined.heading.game
    if played is not None and not nobody_judges(played) and not played.points.tags:
        return "-".join(map(str, points)), ""
    try:
        description = read_description(game.record.tag("Description"))
    except DescriptionFault:
        description = NO_DESCRIPTION
    absent = played.points.absent(game.examined.settled_state) if played is not None else ()
    description = description if description.winner else replace(description, winner="most")
    shares = winners_by_points(description, points, absent)
    if shares is None:
        raise Unfit(f"In {game.id} points do not say who has won; give the result when you close it.")
    return format_result(shares), format_points(points)
