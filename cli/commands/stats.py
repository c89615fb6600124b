"""``stats``: counts the games of the archive, as tables and as a picture."""

import logging
import re
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cartulary.cli.shell.console import fail, put, put_json, say
from cartulary.cli.shell.filters import (
    OfDate,
    OfEvent,
    OfFinding,
    OfGame,
    OfPlayer,
    OfResult,
    OfRuling,
    OfText,
    OfVerdict,
    put_rows,
    query_of,
)
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Db, Force, Json, SeatOf, for_everybody
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api
from cartulary.records.exchange.outfile import replace_files
from cartulary.records.exchange.parquet import parquet_folder
from cartulary.records.library.stats import UNCUT_TABLES

ROWS = 10
"""Rows a table has if nobody says how many."""


def command(
    tables: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TABLE…]",
            help="games, years, events, results, players, lengths, openings or rules; by default all.",
        ),
    ] = None,
    game: OfGame = "",
    player: OfPlayer = None,
    event: OfEvent = "",
    date: OfDate = "",
    result: OfResult = "",
    verdict: OfVerdict = "",
    finding: OfFinding = "",
    ruling: OfRuling = "",
    text: OfText = "",
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many rows to show of a long table.")] = ROWS,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Also draw the tables, as .png or .svg.")
    ] = None,
    over: Annotated[
        Path | None,
        typer.Option(
            "--over", metavar="FOLDER", help="Count the games in the Parquet files that `export` wrote there."
        ),
    ] = None,
    force: Force = False,
    seat: SeatOf = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Count games by kind, year and event; results, players, lengths and first moves; the rules cited most often.

    \b
    Example:
      cartulary stats openings rules --game cardmate
    """
    for_everybody(seat, "stats")
    query = query_of(game, player, event, date, result, verdict, finding, ruling, text)
    if over is not None and db is not None:
        fail("--over counts the games of a folder, --db those of a database; use one of them.")
    if over is not None and text:
        fail("--text searches comments, and Parquet holds none; leave out --text or --over.")
    with parquet_folder(over) if over is not None else open_log(db) as store:
        tallies = api.tally(store, query, tables or (), limit=limit)
    if picture is not None:
        draw(tallies, picture, force)
        say(f"cartulary: {picture} was drawn.")
    if json:
        for table in tallies:
            for row in table.rows:
                put_json({"table": table.name} | dict(zip(table.columns, row, strict=True)))
        return
    for number, table in enumerate(tallies):
        if number:
            put("")
        _put_table(table)


def _put_table(table: "api.Tally") -> None:
    """Print a table under its heading, with numbers aligned to the right; an empty one as ``none``."""
    put(table.says)
    if not table.rows:
        put("  none")
        return
    words = frozenset(at for at in range(len(table.columns)) if any(isinstance(row[at], str) for row in table.rows))
    rows = [tuple(_cell(cell) for cell in row) for row in table.rows]
    heads = tuple(f"  {name}" if at == 0 else name for at, name in enumerate(table.columns))
    numbers = frozenset(range(len(table.columns))) - words | {at for at, name in enumerate(heads) if name == "percent"}
    put_rows([heads, *((f"  {isolate(row[0])}", *row[1:]) for row in rows)], numbers)
    if table.cut_rows:
        put(f"  and {count(table.cut_rows, 'more', 'more')}")


def _cell(cell: object) -> str:
    """Return a cell as text, a number with its thousands separated: ``12,345``."""
    return f"{cell:,}" if isinstance(cell, (int, float)) else str(cell)


# --- the picture: bars, a panel a table ---

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = (".png", ".svg")
MOST = 12
"""Bars in a panel whose table may have any number of rows; the rest is counted below it."""
WIDE = 30
"""Signs of a name beside a bar."""
INK, BAR = "#26323f", "#3d7ea6"


def draw(tables: "Sequence[api.Tally]", path: Path, over: bool) -> None:
    """Draw the tables as bar charts in one PNG or SVG file.

    The program ends with a sentence if the ending names no such format, if matplotlib is not installed, or if no table
    has rows.

    Args:
        tables: The tables; those without rows are left out.
        path: The file, whose ending says PNG or SVG.
        over: Whether an existing file may be replaced.

    Raises:
        OSError: The file cannot be written, or is there and may not be replaced.
    """
    if path.suffix.lower() not in KINDS:
        fail(f"{path} is not the name of a picture; expected one that ends with {' or '.join(KINDS)}.")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # what it says of its caches is for programmers
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        fail("Pictures need matplotlib; install it with: python -m pip install 'cartulary[pictures]'.")
    drawable = [table for table in tables if table.rows]
    if not drawable:
        fail("There is nothing to draw, because no game was counted; choose other filters.")
    columns = 1 if len(drawable) == 1 else 2
    lines = -(-len(drawable) // columns)
    heights = [max(_bars(table) for table in drawable[at : at + columns]) for at in range(0, len(drawable), columns)]
    figure = Figure(figsize=(7.5 * columns, 0.33 * sum(heights) + 1.5 * lines), layout="constrained")
    figure.set_layout_engine("constrained", h_pad=0.12, w_pad=0.12)
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(lines, columns, height_ratios=[height + 3 for height in heights])
    for at, table in enumerate(drawable):
        _panel(figure.add_subplot(grid[at // columns, at % columns]), table, heights[at // columns])
    with replace_files(path, over=over) as (spare,), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        figure.savefig(spare, format=path.suffix.lower()[1:], dpi=120, facecolor="white")
    _say_missing_glyphs(str(warning.message) for warning in warned)


def _say_missing_glyphs(warned: Iterable[str]) -> None:
    """Report which characters are drawn as boxes, from matplotlib's warnings about missing glyphs.

    Other warnings are passed over, and without one on glyphs nothing is said.
    """
    matches = (re.match(r"Glyph (\d+) ", text) for text in warned)
    unseen = dict.fromkeys(chr(int(glyph[1])) for glyph in matches if glyph)
    if unseen:
        say(f"cartulary: The picture's font lacks {' '.join(unseen)}; boxes are drawn instead.")


def _bars(table: "api.Tally") -> int:
    """Return how many bars the chart of a table has: one for each row, but at most ``MOST``.

    The tables in ``UNCUT_TABLES`` keep all their bars.
    """
    return len(table.rows) if table.name in UNCUT_TABLES else min(len(table.rows), MOST)


def _panel(axes: "Axes", table: "api.Tally", tall: int) -> None:
    """Draw the chart of one table: a bar for each row, the first on top, its number beside it.

    Args:
        axes: Where to draw.
        table: The table.
        tall: How many bars the tallest chart of the same row has, so that bars are equally thick in all of them.
    """
    rows = table.rows[-MOST:] if table.name == "years" else table.rows[: _bars(table)]
    rest = table.cut_rows + len(table.rows) - len(rows)
    labels = [_label(table, row) for row in rows]
    numbers = [float(row[table.value]) for row in rows]
    bars = axes.barh(range(len(rows)), numbers, color=BAR, height=0.7)
    axes.bar_label(bars, [f"{number:,.10g}" for number in numbers], padding=4, color=INK, fontsize=9)
    axes.set_yticks(range(len(rows)), labels, fontsize=9, color=INK)
    axes.set_ylim(tall - 0.5, -0.6)
    axes.set_xlim(0, max((*numbers, 1)) * 1.15)
    axes.set_title(table.says, loc="left", fontsize=12, fontweight="bold", color=INK)
    from matplotlib.ticker import MaxNLocator

    unit = {"percent": "percent won", "median": "median, in plies"}.get(
        table.columns[table.value], table.columns[table.value]
    )
    axes.set_xlabel(unit + (f"; {rest} more not shown" if rest else ""), fontsize=9, color=INK)
    axes.tick_params(axis="x", labelsize=8, colors=INK)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.ticklabel_format(axis="x", style="plain")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="x", color="#d5dbe1", linewidth=0.6)
    axes.set_axisbelow(True)


def _label(table: "api.Tally", row: tuple[object, ...]) -> str:
    """Return the name beside a bar, from the cells of the row that ``table.label`` names, cut to ``WIDE`` characters.

    A dollar sign in it is escaped, because it would begin a formula.
    """
    parts = [str(row[at]) for at in table.label]
    if table.name == "results":
        parts = [parts[0], f"{parts[2]} of {parts[1]}"]
    # A dollar sign would begin a formula.
    text = ", ".join(parts).replace("$", r"\$")
    return text if len(text) <= WIDE else text[: WIDE - 1] + "…"
