"""The score of a game that nobody wrote move by move: players with their points, who won, and the rounds."""

from collections.abc import Sequence
from typing import Any

from cartulary.notation.cgn.controls import isolate_all
from cartulary.notation.description import RESULT_TAGS
from cartulary.notation.unjudged import nobody_judges
from cartulary.records import api
from cartulary.records.commands.result import who_won
from cartulary.records.faults import Declined
from cartulary.records.library.listing import score_in_force
from cartulary.records.library.person_scores import person_scores
from cartulary.records.state.seat_view import players
from cartulary.web.pages import count, minus
from cartulary.web.round_list import rounds_of, seat_names, totals_of


def scores(game: "api.LiveGame", people: "api.People") -> dict[str, Any] | None:
    """Return what the page of a game shows of its score; None if moves of it are written, or may be.

    Args:
        game: A game whose visitor may see all of it.
        people: The people of the archive, under whose names the players are shown.
    """
    played = game.examined.heading.game
    if played is None:
        return None
    try:
        form = api.round_form(game, people)
    except Declined:
        form = None
    entered = form.plies if form is not None else ()
    if len(entered) < game.plies:
        return None
    described = form is not None and bool(form.fields) and nobody_judges(played)
    stated = any(game.record.tag(name) for name in RESULT_TAGS)
    if not (entered or described or stated or (game.book.closed and not game.record.tag(played.setup_tag))):
        return None
    names = seat_names(players(game.record, people))
    totals = totals_of(game, people)
    columns = [name for name, _ in totals]
    points = score_in_force(game).split(":")
    shares = game.book.result.split("-") if game.book.closed and game.book.result != "*" else []
    won = [share not in ("0", "") for share in shares] if len(shares) == len(names) else [False] * len(names)
    shown = list(map(minus, points)) if len(points) == len(names) else [""] * len(names)
    seats = list(zip(names, shown, won, strict=True))
    if columns != names:
        parts = {each.name: each.share for each in person_scores(game, people)}
        seats = [(name, minus(total), parts.get(name, "") not in ("", "0")) for name, total in totals]
    return {
        "seats": seats,
        "names": columns,
        "seat_names": names,
        "game": isolate_all(filter(None, (played.about.title, _variant(game))), ", "),
        "conclusion": _conclusion(game, seats, len(entered), played.rounds.unit),
        "lines": _lines(game.record.tag("Categories"), len(names)),
        "rounds": rounds_of(form, game, people, columns) if form is not None else [],
        "facts": [(name, game.record.tag(name)) for name in ("Date", "Event", "Site") if game.record.tag(name)],
    }


def _variant(game: "api.LiveGame") -> str:
    """Return the variant of a game that has several; else an empty text. The rules must be installed."""
    heading = game.examined.heading
    assert heading.game is not None
    return heading.variant if len(heading.game.about.variants) > 1 else ""


def conclusion(game: "api.LiveGame", people: "api.People", totals: Sequence[tuple[str, str]]) -> str:
    """Return who won a closed game, as a sentence; an open game gives ``Open.``

    Whoever has a share of the result, also by playing for a part of the game, is among the winners.

    Args:
        game: The game.
        people: The people of the archive, under whose names the players are shown.
        totals: The players with their points, as ``totals_of`` has them.
    """
    shares = {each.name: each.share for each in person_scores(game, people)}
    seats = [(name, total, shares.get(name, "") not in ("", "0")) for name, total in totals]
    return _conclusion(game, seats, 0, "")


def _conclusion(game: "api.LiveGame", seats: Sequence[tuple[str, str, bool]], rounds: int, unit: str) -> str:
    """Return who won, as a sentence; for an open game how many rounds were played.

    Args:
        game: The game.
        seats: For each seat the name, the points, and whether it won.
        rounds: How many rounds there are.
        unit: What a round is called.
    """
    if not game.book.closed:
        return f"Open, {count(rounds, unit)}." if rounds else "Open."
    if table := game.record.tag("Table"):
        return f"The table {table}."
    shares = ["1" if won else "0" for _, _, won in seats]
    result = game.book.result if len(seats) == game.book.seats or game.book.result == "*" else "-".join(shares)
    says = who_won([name for name, _, _ in seats], result)
    return isolate_all([f"{says[0].upper()}{says[1:]}."], "")


def _lines(text: str, seats: int) -> list[tuple[str, list[str]]]:
    """Return the lines of a score sheet, each a pair of its name and a number for each seat.

    ``Ones=3:4; Twos=6:2`` gives ``[("Ones", ["3", "4"]), ("Twos", ["6", "2"])]``. There are none if a line has not
    ``seats`` numbers.
    """
    parts = [part.partition("=") for part in text.split(";")]
    lines = [(name.strip(), [minus(each.strip()) for each in numbers.split(":")]) for name, _, numbers in parts]
    return lines if all(len(numbers) == seats for _, numbers in lines) else []
