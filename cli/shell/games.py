"""A game as the command line tells of it: found by its name, in words, as a page of the documentation."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from cartulary.cli.shell.console import fail
from cartulary.engine import Clause
from cartulary.engine.play import CALL_CLAUSES
from cartulary.notation import Game, NotationError, find_game
from cartulary.notation.arbiter.heading import either

_MANY = 4
"""More numbers than that are told as a range."""


GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's key or title, as `games` lists them.")]


def named_game(name: str) -> Game[Any, Any, Any]:
    """Return the game of that key or title, or end the program with a sentence that names those there are."""
    try:
        return find_game(name)
    except NotationError as fault:
        fail(fault.because)


def page(game: Game[Any, Any, Any]) -> str:
    """Return the page as Markdown: how the game is named in a record, and every rule with its source."""
    return "\n".join(_lines(game))


def _lines(game: Game[Any, Any, Any]) -> Iterator[str]:
    it = game.rules
    about = (it.__doc__ or "").partition("\n")[0]
    yield f"# {it.TITLE}"
    yield ""
    yield f"{about.partition(': ')[2][:1].upper()}{about.partition(': ')[2][1:]}"
    yield ""
    yield f'- In a record: `[Game "{it.TITLE}"]`; on the command line `{it.KEY}`.'
    yield f"- Edition of the rules: `{it.EDITION}`."
    more = " and so on" if len(it.SEATS) > 1 else ""
    yield f"- Seats: {seat_words(it.SEATS)}; their tags are {_listed(game.script.seat_tags(it.SEATS[0]))}{more}."
    yield f"- Variants, the first unless `Variant` says another: {_listed(it.VARIANTS)}."
    for option in it.OPTIONS:
        yield f"- Option `{option_words(option.key, option.values)}`: {option.says}"
    own = game.script.own_tags()
    if own:
        yield f"- Tags of its own: {_listed(own)}."
    yield "- Its words: [notation.md](../notation.md)."
    yield ""
    yield "## Rules"
    yield ""
    yield f"In the order they are asked. `cartulary rules {it.KEY} KEY` prints one, and every verdict names it."
    if any(clause.variants for clause in it.CLAUSES):
        yield f"What names a variant holds there alone; `--variant {it.VARIANTS[-1]}` prints the rules of one."
    yield ""
    yield from _table(it.CLAUSES)
    yield ""
    yield "## Calls"
    yield ""
    yield "The same in all games."
    yield ""
    yield from _table(CALL_CLAUSES)


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
