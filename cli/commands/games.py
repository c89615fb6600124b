"""``games``: lists the games there are."""

from collections.abc import Iterator
from typing import Any

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.findings import wrapped
from cartulary.cli.shell.games import option_words, seat_words
from cartulary.cli.shell.options import Json
from cartulary.engine import Rules
from cartulary.notation.roster import every_game


def command(json: Json = False) -> None:
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
