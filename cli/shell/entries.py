"""An entry as the command line prints it: what a card does, its table, its rules, its example played."""

from collections.abc import Iterator
from typing import Any

from cartulary.cli.shell.findings import INDENT, wrapped
from cartulary.cli.shell.pictures import drawn
from cartulary.engine import Clause
from cartulary.notation import AnyGame, Entry
from cartulary.notation.arbiter.lookup import shown_by
from cartulary.notation.teaching import TableRow


def rule_lines(clause: Clause[Any, Any]) -> Iterator[str]:
    """Yield a rule: its key, its sentence, its source."""
    yield clause.key
    for text in (clause.says, f"source: {clause.source}"):
        yield from wrapped(INDENT + text)


def entry_lines(game: AnyGame, entry: Entry, clauses: tuple[Clause[Any, Any], ...], colour: bool) -> Iterator[str]:
    """Yield an entry: what it does, its table, its rules, and the positions before and after its example."""
    title = f"{entry.name} · {' '.join(entry.cards)}" if entry.cards else entry.name
    yield from wrapped(title)
    yield from wrapped(INDENT + entry.says)
    yield ""
    if entry.table:
        yield from _aligned(entry.table)
        yield ""
    for clause in clauses:
        yield from rule_lines(clause)
    yield ""
    steps = shown_by(game, entry.example)
    yield from wrapped(f"example: {' '.join(step.text for step in steps)}")
    yield from wrapped(INDENT + entry.example.shows)
    for label, state in (("before", steps[0].state), ("after", steps[-1].after)):
        yield f"{label}:"
        yield from drawn(game.words.picture(state, None), colour)


def _aligned(table: tuple[TableRow, ...]) -> Iterator[str]:
    wide = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    for row in table:
        yield INDENT + "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
