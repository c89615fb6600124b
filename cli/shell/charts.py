"""Tables of numbers as pictures: bars, a panel a table, in PNG or SVG."""

import logging
import re
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cartulary.cli.shell.console import fail, say
from cartulary.records import desk

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = (".png", ".svg")
MOST = 12
"""Bars in a panel whose table may have any number of rows; the rest is counted below it."""
WIDE = 30
"""Signs of a name beside a bar."""
INK, BAR = "#26323f", "#3d7ea6"


def draw(tables: "Sequence[desk.Tally]", path: Path, over: bool) -> None:
    """Write the tables as one picture, or end the program with a sentence.

    Args:
        tables: The tables; those without rows are left out.
        path: The file, whose ending says PNG or SVG.
        over: Whether an existing file may be replaced.
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
    with desk.putting(path, over=over) as (spare,), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        figure.savefig(spare, format=path.suffix.lower()[1:], dpi=120, facecolor="white")
    _tell_unseen(str(warning.message) for warning in warned)


def _tell_unseen(warned: Iterable[str]) -> None:
    """Say which signs are drawn as boxes, by what matplotlib warned of."""
    matches = (re.match(r"Glyph (\d+) ", text) for text in warned)
    unseen = dict.fromkeys(chr(int(glyph[1])) for glyph in matches if glyph)
    if unseen:
        say(f"cartulary: The picture's font lacks {' '.join(unseen)}; boxes are drawn instead.")


def _bars(table: "desk.Tally") -> int:
    """Return how many bars a table has; a table of games or seats shows all of them."""
    return len(table.rows) if table.name in desk.WHOLE else min(len(table.rows), MOST)


def _panel(axes: "Axes", table: "desk.Tally", tall: int) -> None:
    """Draw the greatest rows of a table as bars, the first on top, each followed by its number.

    `tall` is how many bars the highest panel of the row has, so that bars are equally thick in all of them.
    """
    rows = table.rows[-MOST:] if table.name == "years" else table.rows[: _bars(table)]
    rest = table.left + len(table.rows) - len(rows)
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


def _label(table: "desk.Tally", row: tuple[object, ...]) -> str:
    parts = [str(row[at]) for at in table.label]
    if table.name == "results":
        parts = [parts[0], f"{parts[2]} of {parts[1]}"]
    # A dollar sign would begin a formula.
    text = ", ".join(parts).replace("$", r"\$")
    return text if len(text) <= WIDE else text[: WIDE - 1] + "…"
