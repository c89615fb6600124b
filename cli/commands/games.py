"""``games``: lists the games there are."""

from collections.abc import Iterator

from cartulary.cli.shell.console import put, put_json, say
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.options import Json, seat_words
from cartulary.notation import About
from cartulary.notation.roster import every_game, load_faults


def command(json: Json = False) -> None:
    """List the games: key, title, edition, seats, variants and options.

    \b
    Example:
      cartulary games
    """
    for key, game in every_game().items():
        it = game.about
        if json:
            put_json(
                {
                    "key": key,
                    "title": it.title,
                    "edition": it.edition,
                    "seats": it.seats,
                    "variants": it.variants,
                    "options": [option.listed() for option in it.options],
                }
            )
            continue
        for text in _game_texts(key, it):
            for line in wrap(text):
                put(line)
    for fault in load_faults():
        say(f"cartulary: {fault}")


def _game_texts(key: str, it: About) -> Iterator[str]:
    yield f"{key}: {it.title}, edition {it.edition}, {seat_words(it.seats)} {'seat' if it.seats == (1,) else 'seats'}"
    yield f"  variants: {', '.join(it.variants)}"
    for option in it.options:
        yield f"  option {option.listed()}: {option.says}"
