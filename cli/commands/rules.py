"""The commands that read no record: the games there are, their rules and samples, and counting positions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.findings import INDENT, count, wrapped
from cartulary.cli.shell.games import option_words, page, seat_words
from cartulary.engine import Clause, Refused, Rules, Sheet, perft
from cartulary.engine.play import CALL_CLAUSES
from cartulary.notation import Game, NotationError, find_game
from cartulary.notation.roster import every_game

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's key or title, as `games` lists them.")]


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    app.command("games")(games)
    app.command("rules")(rules)
    app.command("perft")(count_positions)
    app.command("samples")(samples)


def named_game(name: str) -> Game[Any, Any, Any]:
    """Return the game of that key or title, or end the program with a sentence that names those there are."""
    try:
        return find_game(name)
    except NotationError as fault:
        fail(fault.because)


def games(json: AsJson = False) -> None:
    """List the games: key, title, edition, seats, variants and options.

    \b
    Example:
      cartulary games
    """
    for key, game in every_game().items():
        it = game.rules
        if json:
            put_json(
                {
                    "key": key,
                    "title": it.TITLE,
                    "edition": it.EDITION,
                    "seats": it.SEATS,
                    "variants": it.VARIANTS,
                    "options": [option_words(option.key, option.values) for option in it.OPTIONS],
                }
            )
            continue
        for text in _game_texts(key, it):
            for line in wrapped(text):
                put(line)


def _game_texts(key: str, it: Rules[Any, Any, Any]) -> Iterator[str]:
    yield f"{key}: {it.TITLE}, edition {it.EDITION}, {seat_words(it.SEATS)} seats"
    yield f"  variants: {', '.join(it.VARIANTS)}"
    for option in it.OPTIONS:
        yield f"  option {option_words(option.key, option.values)}: {option.says}"


def rules(
    game: GameName,
    key: Annotated[str, typer.Argument(metavar="[KEY]", help="One rule's key, or the start of several.")] = "",
    json: AsJson = False,
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
    if variant and variant not in it.rules.VARIANTS:
        fail(f"found the variant {variant!r}, expected one of: {', '.join(it.rules.VARIANTS)}")
    known = [*it.rules.CLAUSES, *CALL_CLAUSES]
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


def count_positions(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=1, metavar="DEPTH", help="How many plies to look ahead.")],
    source: Annotated[
        str, typer.Option("--from", metavar="FILE[#n]", help="Start from a position of this game instead.")
    ] = "",
    at: Annotated[
        int, typer.Option("--at", min=-1, metavar="N", help="After N plies of it; the end if not given.")
    ] = -1,
    db: Annotated[Path | None, typer.Option("--db", help="Where live records are kept.")] = None,
    json: AsJson = False,
) -> None:
    """Count the legal sequences of 1 to DEPTH plies, one line a depth: a check of the rules against other programs.

    \b
    Example:
      cartulary perft cardmate 3
    """
    chosen = named_game(game).rules
    if source:
        from cartulary.cli.shell.positions import position

        found = position(source, None if at < 0 else at, db)
        if found.game.rules is not chosen:
            fail(f"{source} is a game of {found.game.rules.TITLE}, not of {chosen.TITLE}")
        state = found.state
    else:
        state = chosen.setup(Sheet(chosen.VARIANTS[0], {}, chosen.SEATS[0]))
        if isinstance(state, Refused):
            fail(f"{chosen.TITLE} has no set-up of its own; name a record with --from")
    for plies in range(1, depth + 1):
        try:
            total = perft(chosen, state, plies)
        except ValueError as fault:
            fail(f"{count(plies, 'ply', 'plies')} ahead: {fault}")
        put_json({"depth": plies, "count": total}) if json else put(f"{plies} {total}")


def samples(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game, for the folder of its score sheets.")] = "",
) -> None:
    """Say where the sample games are that come with the program: a folder of score sheets for each game.

    \b
    Example:
      cartulary validate "$(cartulary samples cardmate)/page-1.cgn"
    """
    folder = Path(__file__).resolve().parents[2] / "samples"
    if game:
        folder = folder / named_game(game).rules.KEY / "games"
    if not folder.is_dir():
        fail(f"no samples of {game} came with this program" if game else f"{folder} is not there; install it anew")
    put(str(folder))
