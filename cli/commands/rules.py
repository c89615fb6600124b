"""``rules``: prints the rules of a game."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.findings import INDENT, wrapped
from cartulary.cli.shell.games import GameName, named_game, page
from cartulary.cli.shell.options import Json
from cartulary.engine import Clause
from cartulary.engine.calls import CALL_CLAUSES
from cartulary.notation.arbiter.finding import record_clauses


def command(
    game: GameName,
    key: Annotated[str, typer.Argument(metavar="[KEY]", help="One rule's key, or the start of several.")] = "",
    json: Json = False,
    variant: Annotated[
        str, typer.Option("--variant", metavar="VARIANT", help="As one variant has them, with its own sources.")
    ] = "",
    markdown: Annotated[bool, typer.Option("--markdown", help="The game's page, as in docs/games.")] = False,
) -> None:
    """Print the rules of a game: key, sentence and source of each, in the order they are asked.

    \b
    Example:
      cartulary rules cardmate cardmate.follow-suit
      cartulary rules tarot --variant fft
    """
    it = named_game(game)
    if markdown:
        if json or key or variant:
            fail("--markdown prints the whole page: leave --json, --variant and KEY out")
        for line in page(it).split("\n"):
            put(line)
        return
    if variant and variant not in it.about.variants:
        fail(f"found the variant {variant!r}, expected one of: {', '.join(it.about.variants)}")
    known = [*it.rules.clauses, *CALL_CLAUSES, *record_clauses(it)]
    clauses = [clause.in_variant(variant) for clause in known if not variant or clause.holds_in(variant)]
    chosen = [clause for clause in clauses if clause.key == key] or [
        clause for clause in clauses if clause.key.startswith(key)
    ]
    if not chosen:
        where = f" in {variant}" if variant else ""
        fail(f"{game} has no rule {key}{where}; its rules are {', '.join(clause.key for clause in clauses)}")
    for clause in chosen:
        if json:
            put_json({"key": clause.key, "says": clause.says, "source": clause.source})
            continue
        for line in _rule_lines(clause):
            put(line)


def _rule_lines(clause: Clause[Any, Any]) -> Iterator[str]:
    yield clause.key
    for text in (clause.says, f"source: {clause.source}"):
        yield from wrapped(INDENT + text)
