"""What the commands on the archive share: the options that select games, paging, and the rows of a list."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer

from cartulary.cli.shell.console import columns_of, put, say, terminal
from cartulary.cli.shell.findings import count, wrap
from cartulary.notation.cgn.controls import isolate, isolate_people, width
from cartulary.records import api

WIDEST, NARROWEST = 40, 12
"""Columns of the games list that a long name does not widen any more, and that a narrow terminal leaves it."""

OfGame = Annotated[str, typer.Option("--game", metavar="GAME", help="Only this game, by its key or title.")]
OfPlayer = Annotated[
    list[str] | None,
    typer.Option("--player", "-p", metavar="NAME", help="Part of a player's name; given twice, both must have played."),
]
OfEvent = Annotated[
    str,
    typer.Option("--event", metavar="NAME", help="The event's name; a part will do if no event has that whole name."),
]
OfDate = Annotated[
    str,
    typer.Option(
        "--date",
        metavar="DATE",
        help="When it was played: 2026, 2026.11, 2026.11.20, or a range such as 2025..2026.06.",
    ),
]
OfResult = Annotated[str, typer.Option("--result", metavar="RESULT", help="The result, such as 1-0 or *.")]
OfVerdict = Annotated[
    str,
    typer.Option(
        "--verdict", metavar="VERDICT", help="The verdict: legal, undecided, irregular, unjudged or unreadable."
    ),
]
OfFinding = Annotated[
    str, typer.Option("--finding", metavar="KEY", help="Games with a finding on this rule, by its key.")
]
OfRuling = Annotated[
    str,
    typer.Option(
        "--ruling", metavar="KEY", help="Games with a ruling that cites this rule, or with this decision: void …"
    ),
]
OfAside = Annotated[bool, typer.Option("--aside", help="Only the games that are set aside.")]
OfText = Annotated[str, typer.Option("--text", metavar="WORDS", help='Words of a comment; "a phrase"; begin*.')]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help="Show at most this many games.")]
Offset = Annotated[int, typer.Option("--offset", metavar="N", help="Skip this many games first.")]


def query_of(
    game: str = "",
    player: Sequence[str] | None = None,
    event: str = "",
    date: str = "",
    result: str = "",
    verdict: str = "",
    finding: str = "",
    ruling: str = "",
    text: str = "",
    aside: bool = False,
) -> "api.Query":
    """Return the filters that were typed as a query; the parameters are the values of the options of these names.

    An empty one filters nothing.
    """
    return api.Query(
        game=game,
        player=tuple(player or ()),
        event=event,
        date=date,
        result=result,
        verdict=verdict,
        finding=finding,
        ruling=ruling,
        text=text,
        aside=aside,
    )


def cells(game: "api.ListedGame") -> tuple[str, ...]:
    """Return a game as the cells of a row: id, date, players, result, plies, verdict.

    A game without a date has ``-``, and one that goes on ``open`` for its result. A game of which a seat may know less
    has no result, plies or verdict.
    """
    if not game.verdict:
        return game.id, game.date or "-", isolate_people(game.players), "", "", ""
    state = game.result if game.closed or game.result != "*" else "open"
    plies = count(game.plies, "ply", "plies")
    return game.id, game.date or "-", isolate_people(game.players), state, plies, game.verdict


def put_rows(rows: Iterable[tuple[str, ...]], right: frozenset[int] = frozenset(), below: Sequence[str] = ()) -> None:
    """Write rows as a table with aligned columns to standard output; no rows write nothing.

    On a narrow terminal the widest column is made narrower, and a row that is still too long is folded.

    Args:
        rows: The cells of each row, equally many in all rows.
        right: The columns, from 0, that are aligned to the right.
        below: A line to write under each row, empty for none; without any none is written.
    """
    table = [tuple(map(isolate, row)) for row in rows]
    widths = [min(max(map(width, column)), WIDEST) for column in zip(*table, strict=True)]
    # One long name must not break every row of a narrow terminal: only its own row is folded then.
    columns = columns_of(sys.stdout)
    over = sum(widths) + 2 * (len(widths) - 1) - columns if widths and columns else 0
    if over > 0:
        widest = widths.index(max(widths))
        widths[widest] = max(NARROWEST, widths[widest] - over)
    for at, row in enumerate(table):
        aligned = (_aligned(cell, wide, at in right) for at, (cell, wide) in enumerate(zip(row, widths, strict=True)))
        for piece in wrap("  ".join(aligned).rstrip()):
            put(piece)
        if below and below[at]:
            for piece in wrap(f"    {below[at]}", " " * 6):
                put(piece)


def _aligned(cell: str, wide: int, right: bool) -> str:
    """Return a cell filled up with blanks to ``wide`` columns: before the text if ``right``, else after it.

    A longer cell is returned unchanged.
    """
    blanks = " " * max(0, wide - width(cell))
    return f"{blanks}{cell}" if right else f"{cell}{blanks}"


@contextmanager
def progress_bar(title: str, least: int = 500) -> Iterator[Callable[[int, int], None] | None]:
    """Draw a progress bar on standard error while the block runs, if standard error is a terminal.

    Nothing may be written to standard output before the block ends. The bar is removed at the end.

    Args:
        title: What is counted.
        least: No bar is drawn for fewer games than this.

    Yields:
        A function to call with the number done and the total; None if nobody sees a bar.
    """
    if not terminal(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
    task = bar.add_task(title, total=None)

    def tell(done: int, total: int) -> None:
        """Draw how much is done, if there are at least ``least`` to do."""
        if total >= least:
            bar.start()
            bar.update(task, completed=done, total=total)

    try:
        yield tell
    finally:
        bar.stop()


# --- where a list ends ---


RIGHT = frozenset((4,))
"""The columns of the list that hold numbers."""


def say_end(hits: "tuple[api.Hit, ...]", more: bool, offset: int) -> None:
    """Report that more games follow, and with which option, or that none was found; else nothing.

    Args:
        hits: The games of this page.
        more: Whether others follow.
        offset: How many games were skipped before this page.
    """
    if more:
        say(f"cartulary: There are more games; --offset {offset + len(hits)} shows the next ones.")
    elif not hits:
        say("cartulary: No more games were found." if offset else "cartulary: No game was found.")
