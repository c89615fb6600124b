"""The options and arguments that several commands share, and what they mean."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

import typer

from cartulary.cli.shell.console import fail
from cartulary.engine.numbers import seat_number
from cartulary.notation import AnyGame, NotationError, find_game
from cartulary.notation.arbiter.heading import either
from cartulary.notation.viewer import RAIL, SPECTATOR, Seat, Viewer, read_viewer
from cartulary.records.texts import no_game, one_spelling

Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="PATH|URL",
        help="Where live records are kept: a file or postgresql://…; by default CARTULARY_DB, or else a folder "
        "of your own.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object on each line.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="What `new` printed.")]
By = Annotated[str, typer.Option("--by", metavar="WHO", help="Who writes: p1, p2, arbiter or a name.")]
Command = Annotated[
    str,
    typer.Option(
        "--command",
        metavar="KEY",
        help="A key that makes it safe to repeat the command, which is then stored only once.",
    ),
]
Expected = Annotated[
    int | None, typer.Option("--expected", metavar="VERSION", help="Refuse unless the game is at this version.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that already exists.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Store nothing; show what would change.")]


class ResultsOf(StrEnum):
    """Whose result a file of PDN names first."""

    first_player = "first-player"
    white = "white"


Results = Annotated[
    ResultsOf | None,
    typer.Option(
        "--results",
        help="In PDN files, 1-0 means that this player won; by default what the file shows.",
    ),
]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="The reason, which the log keeps.")]
_SEATS = [f"p{seat}" for seat in range(1, 11)]
SeatOf = Annotated[
    str,
    typer.Option(
        "--seat",
        metavar="p1|rail",
        envvar="CARTULARY_SEAT",
        autocompletion=lambda: [RAIL, *_SEATS],
        help="Show only what this seat has seen, or with rail what everybody has seen; by default everything.",
    ),
]
AsSeat = Annotated[
    str,
    typer.Option(
        "--seat",
        metavar="p1",
        envvar="CARTULARY_SEAT",
        autocompletion=lambda: _SEATS,
        help="Write as this seat, and show only what it has seen; by default show everything.",
    ),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", envvar="CARTULARY_QUIET", help="Keep verdicts quiet until the game is revealed or closed."),
]
RECORD = typer.Argument(
    metavar="FILE[#n]|ID|-", help="A score sheet (its n-th game), a live record, or standard input (the default)."
)
Name = Annotated[str, RECORD]
At = Annotated[
    int | None,
    typer.Option("--at", min=0, metavar="PLY", help="The position after this many plies; by default the last."),
]
ClusterAt = Annotated[
    str,
    typer.Option("--cluster", metavar="tcp://HOST:PORT", help="Let the workers of this Dask scheduler do the work."),
]
Plain = Annotated[bool, typer.Option("--no-color", help="Use no colour; NO_COLOR=1 does the same.")]
Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE[#n]|ID|-", help="Score sheets, folders or live records; by default standard input."),
]


def viewer_of(text: str, quiet: bool = False) -> Viewer:
    """Return the viewer that ``--seat`` names; end the program if no game can have such a seat.

    Args:
        text: The option ``--seat`` as it was typed, such as ``p1`` or ``rail``; empty for everything.
        quiet: The option ``--quiet``.
    """
    viewer = read_viewer(text, quiet=quiet)
    if viewer is None:
        fail(f"--seat {text[:24]}: expected a seat such as p1, or rail, which sees what everybody has seen.")
    return viewer


def asker(seat: str, by: str) -> tuple[Viewer, str]:
    """Return from whose view an answer is made, and the name of who writes, by the options ``--seat`` and ``--by``.

    ``--by p1`` alone shows only what p1 may see, and ``--seat p1`` alone writes as p1; with neither, everything is seen
    and the name is empty. The program ends for the rail, which only watches, and for a seat that no game can have.
    """
    if seat == RAIL:
        fail("The rail only watches; give --by, or a seat such as --seat p1, to say who writes.")
    writer = seat_number(one_spelling(by))
    viewer = viewer_of(seat or (f"p{writer}" if writer else ""))
    return viewer, f"p{writer}" if writer else by or (viewer.name if isinstance(viewer, Seat) else "")


def for_everybody(seat: str, what: str) -> None:
    """End the program if ``--seat`` is given to a command that shows whole games.

    Args:
        seat: The option as it was typed, empty for none.
        what: The command, for the sentence.
    """
    if seat:
        who = SPECTATOR.name if seat == RAIL else seat
        fail(f"`{what}` shows whole games, with cards that {who} has not seen; leave out --seat.")


def check_alone(cluster: str, jobs: int) -> None:
    """End the program if both ``--cluster`` and ``--jobs`` above 1 are to share out the work."""
    if cluster and jobs > 1:
        fail("--cluster shares the work out itself; leave out --jobs.")


def pairs_of(texts: Iterable[str]) -> dict[str, str]:
    """Return tags typed as ``NAME=VALUE`` by name; end the program if one is not so typed, or is given twice.

    The value may hold further ``=`` and may be empty.
    """
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            fail(f"{text!r} is not a tag; expected NAME=VALUE, such as Event=Club.")
        if name in pairs:
            fail(f"The tag {name} is given twice, as {pairs[name]!r} and {value!r}; give it once.")
        pairs[name] = value
    return pairs


# --- games ---

_MANY = 4
"""More counts of seats than that are said as a range."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's key or title, as listed by `games`.")]


def named_game(name: str) -> AnyGame:
    """Return the game with this key or title; if there is none, end the program with the names of those there are."""
    try:
        return find_game(name)
    except NotationError as fault:
        fail(str(no_game(name, fault)))


def seat_words(counts: tuple[int, ...]) -> str:
    """Return how many seats a game can have, in words: ``3, 4 or 5``.

    More than ``_MANY`` numbers in a row are a range, ``2 to 7``.
    """
    low, high = min(counts), max(counts)
    return f"{low} to {high}" if len(counts) > _MANY and len(counts) == high - low + 1 else either(counts)
