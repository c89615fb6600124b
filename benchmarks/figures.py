"""What a benchmark says: figures, each a ratio of two things measured in turn, and how they are shown."""

import gc
import os
import platform
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles

from msgspec import Struct

START, END = "<!-- figures -->", "<!-- end of figures -->"
_BETWEEN = re.compile(f"{START}.*?{END}", re.DOTALL)


class Figure(Struct, frozen=True):
    """One measured ratio.

    ours, rival: the median of each side, in ``unit``; None where the rival is not installed
    ratio: the median of the ratios of neighbouring measurements, ours to the rival's
    spread: between which two numbers the middle half of those ratios lies
    cpu: the same ratio in processor time, for whole commands, whose ratio is in wall time
    reach: what is wanted of the ratio, for memory of ``ours``; empty where nothing is
    """

    name: str
    what: str
    unit: str
    ours: float
    rival: float | None
    ratio: float | None
    spread: tuple[float, float] | None
    cpu: float | None
    reach: str
    met: bool | None
    sizes: dict[str, int]
    how: str


class Reach(Struct, frozen=True):
    """A bound that a figure has to keep.

    Attributes:
        sign: ``≥``, ``≤`` or ``<``.
        bound: The number it is compared with.
        unit: The unit of our own number, if that has to keep the bound; empty if the ratio has to.
    """

    sign: str
    bound: float
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.sign} {self.bound:g} {self.unit}".rstrip()

    def met(self, ratio: float, ours: float) -> bool:
        """Say whether the bound is kept: by ``ours``, if the bound has a unit, else by the ratio."""
        number = ours if self.unit else ratio
        if self.sign == "≥":
            return number >= self.bound
        return number < self.bound if self.sign == "<" else number <= self.bound


Pairs = Sequence[tuple[float, float]]
"""(ours, the rival's), one pair a round."""


def by_turns(rounds: int, ours: Callable[[], float], rival: Callable[[], float]) -> Pairs:
    """Run both measurements by turns, and return for each round what ours and the rival's returned.

    Both are run once before, and with ``rounds`` 0 that first pair is returned, which shows that both run. The garbage
    of one side is collected before the other starts.
    """
    before = (ours(), rival())
    pairs = []
    for _ in range(rounds):
        gc.collect()
        first = ours()
        gc.collect()
        pairs.append((first, rival()))
    return pairs or [before]


def figure(
    name: str,
    what: str,
    unit: str,
    pairs: Pairs,
    reach: Reach | None,
    sizes: dict[str, int],
    how: str,
    cpu: Pairs = (),
) -> Figure:
    """Return the figure of pairs measured by turns: medians of both sides and of their ratios.

    ``cpu`` are the same pairs in processor seconds.
    """
    ratios = [ours / rival for ours, rival in pairs]
    ratio, ours = median(ratios), median(ours for ours, _ in pairs)
    return Figure(
        name,
        what,
        unit,
        _short(ours),
        _short(median(rival for _, rival in pairs)),
        round(ratio, 3),
        _middle_half(ratios),
        round(median(ours / rival for ours, rival in cpu), 3) if cpu else None,
        str(reach or ""),
        reach.met(ratio, ours) if reach else None,
        sizes | {"rounds": len(pairs)},
        how,
    )


def _middle_half(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the first and the third quartile of ratios."""
    if len(ratios) < 2:
        return round(ratios[0], 3), round(ratios[0], 3)
    first, _, third = quantiles(ratios, n=4, method="inclusive")
    return round(first, 3), round(third, 3)


def _short(number: float) -> float:
    """Return a number rounded to four digits, because more would be noise."""
    return float(f"{number:.4g}")


# --- the table ---


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as Markdown, with the machine they were measured on below."""
    lines = [
        "| figure | what | ours | rival | ratio (middle half) | target | met |",
        "|---|---|---|---|---|---|---|",
    ]
    for each in figures:
        met = {True: "yes", False: "**no**", None: "–"}[each.met]
        cells = (f"`{each.name}`", each.what, _amount(each.ours, each.unit), _amount(each.rival, each.unit))
        lines.append(f"| {' | '.join(cells)} | {_ratio(each)} | {each.reach or '–'} | {met} |")
    sizes = "; ".join(f"`{each.name}` {_sizes(each)}" for each in figures)
    return "\n".join((*lines, "", f"Measured on {machine()}. Sizes: {sizes}."))


def _amount(number: float | None, unit: str) -> str:
    """Return a number with its unit for the table, ``not installed`` for None."""
    if number is None:
        return "not installed"
    digits = 0 if number >= 1000 else 1 if number >= 10 else 3
    return f"{number:,.{digits}f} {unit}"


def _ratio(each: Figure) -> str:
    """Return the ratio of a figure for the table, with its spread and the ratio of processor time."""
    if each.ratio is None:
        return "–"
    spread = f" ({each.spread[0]:.2f} to {each.spread[1]:.2f})" if each.spread else ""
    cpu = f"; processor time {each.cpu:.2f}" if each.cpu is not None else ""
    return f"{each.ratio:.2f}{spread}{cpu}"


def _sizes(each: Figure) -> str:
    """Return the sizes of a figure for the table, such as ``games 1,000``."""
    return ", ".join(f"{name} {number:,}" for name, number in each.sizes.items())


def machine() -> str:
    """Return what the ratios were measured on: interpreter, system and processors."""
    return f"CPython {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors"


def marked(path: Path) -> str:
    """Return the text of a Markdown file that has the two marks between which the table stands.

    Ends the program if they are missing.
    """
    text = path.read_text("utf-8") if path.is_file() else ""
    if not _BETWEEN.search(text):
        sys.exit(f"{path}: expected a file with the marks {START} and {END}; nothing is written.")
    return text


def write(path: Path, figures: Sequence[Figure]) -> None:
    """Put the table between the two marks of a Markdown file."""
    path.write_text(_BETWEEN.sub(lambda _: f"{START}\n{table(figures)}\n{END}", marked(path)), "utf-8")
