"""A game as the command line tells of it: found by its name, in words, as a page of the documentation."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from cartulary.cli.shell.console import fail
from cartulary.engine import Clause
from cartulary.engine.calls import CALL_CLAUSES
from cartulary.notation import AnyGame, NotationError, find_game
from cartulary.notation.arbiter.finding import record_clauses
from cartulary.notation.arbiter.heading import either

_MANY = 4
"""More numbers than that are told as a range."""


GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's key or title, as `games` lists them.")]


def named_game(name: str) -> AnyGame:
    """Return the game of that key or title, or end the program with a sentence that names those there are."""
    try:
        return find_game(name)
    except NotationError as fault:
        fail(fault.because)


def page(game: AnyGame) -> str:
    """Return the page as Markdown: how the game is named in a record, and every rule with its source."""
    return "\n".join(_lines(game))


def _lines(game: AnyGame) -> Iterator[str]:
    it = game.about
    yield f"# {it.title}"
    yield ""
    yield f"{it.says[:1].upper()}{it.says[1:]}"
    yield ""
    yield f'- In a record: `[Game "{it.title}"]`; on the command line `{it.key}`.'
    yield f"- Edition of the rules: `{it.edition}`."
    more = " and so on" if len(it.seats) > 1 else ""
    yield f"- Seats: {seat_words(it.seats)}; their tags are {_listed(it.seat_tags(it.seats[0]))}{more}."
    yield f"- Variants, the first unless `Variant` says another: {_listed(it.variants)}."
    for option in it.options:
        yield f"- Option `{option_words(option.key, option.values)}`: {option.says}"
    own = game.sheet.names
    if own:
        yield f"- Tags of its own: {_listed(own)}."
    yield "- Its words: [notation.md](../notation.md)."
    yield ""
    yield from _taught(game)
    yield "## Rules"
    yield ""
    yield f"In the order they are asked. `cartulary rules {it.key} KEY` prints one, and every verdict names it."
    if any(clause.variants for clause in game.rules.clauses):
        yield f"What names a variant holds there alone; `--variant {it.variants[-1]}` prints the rules of one."
    yield ""
    yield from _table(game.rules.clauses)
    yield ""
    yield "## Calls"
    yield ""
    yield "The same in all games."
    yield ""
    yield from _table(CALL_CLAUSES)
    yield ""
    yield "## Records"
    yield ""
    yield "Of what is written down, whatever was played."
    yield ""
    yield from _table(record_clauses(game))


def _taught(game: AnyGame) -> Iterator[str]:
    """Yield what the cards and pieces do, nothing where the game does not say."""
    entries = game.about.teaching.entries
    if not entries:
        return
    yield "## What it does"
    yield ""
    yield f"`cartulary rules {game.about.key} WORD` prints one, by its name or a card, with its rules and an example."
    yield ""
    yield "| name | what it does | rules |"
    yield "|---|---|---|"
    for entry in entries:
        yield f"| {entry.name} | {_cell(entry.says)} | {_listed(entry.clauses)} |"
    yield ""


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _table(clauses: tuple[Clause[Any, Any], ...]) -> Iterator[str]:
    yield "| key | rule | source |"
    yield "|---|---|---|"
    for clause in clauses:
        yield f"| `{clause.key}` | {_cell(clause.says)} | {_cell(clause.source)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def seat_words(counts: tuple[int, ...]) -> str:
    """Return how many seats there may be, many of them as a range."""
    low, high = min(counts), max(counts)
    return f"{low} to {high}" if len(counts) > _MANY and len(counts) == high - low + 1 else either(counts)


def option_words(key: str, values: tuple[str, ...]) -> str:
    """Return an option with the values it takes."""
    if len(values) > _MANY and all(value.isdecimal() for value in values):
        return f"{key}={values[0]}…{values[-1]}"
    return f"{key}={'|'.join(values)}" if values else key
