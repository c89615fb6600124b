"""``games``: lists the games there are, and keeps the description of one without rules."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from cartulary.cli.shell.console import fail, put, put_json, say
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import By, Command, Db, Json, seat_words
from cartulary.cli.shell.places import db_place
from cartulary.notation import About
from cartulary.notation.description import write_description
from cartulary.notation.roster import every_game, load_faults
from cartulary.records import api


def command(
    action: Annotated[str, typer.Argument(metavar="[add]", help="Nothing, or `add` to describe a game.")] = "",
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="The description, as TOML.")] = "",
    by: By = "",
    command: Command = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """List the games: key, title, edition, seats, variants and options; then those the archive has a description of.

    A game without rules can be described in a small file. Its results, rounds and words are then checked; that is no
    verdict on play.

    \b
    Example:
      cartulary games add catan.toml
    """
    if action:
        _add(action, file, api.DescribeRequest(toml="", by=by, command=command), json, db)
        return
    for key, game in every_game().items():
        about = game.about
        if json:
            put_json(
                {
                    "key": key,
                    "title": about.title,
                    "edition": about.edition,
                    "seats": about.seats,
                    "variants": about.variants,
                    "options": [option.text() for option in about.options],
                }
            )
            continue
        for text in _game_texts(key, about):
            for line in wrap(text):
                put(line)
    for fault in load_faults():
        say(f"cartulary: {fault}")
    for entry in _described_games(db):
        if json:
            put_json(_fields(entry))
        else:
            put(f"{entry.title}: {write_description(entry.description) or 'any play'}; not judged")


def _described_games(db: str | None) -> Iterator["api.DescribedGame"]:
    """Yield the games without rules that the database has a description of; none if there is no database yet."""
    place = db_place(db)
    if not isinstance(place, Path) or place.exists():
        with open_log(db) as store:
            yield from api.described_games(store).values()


def _fields(game: "api.DescribedGame") -> dict[str, object]:
    """Return a described game as JSON fields: title, description in one line, by whom and when."""
    return {"title": game.title, "description": write_description(game.description), "by": game.by, "at": game.at}


def _add(action: str, file: str, request: "api.DescribeRequest", json: bool, db: str | None) -> None:
    """Store the description of a game that a TOML file holds, and print it.

    The program ends for another word than ``add``, and for a file that is not named or cannot be read.

    Args:
        action: The first word that was typed.
        file: The second one, empty for none.
        request: Who describes it; its ``toml`` is replaced by the text of the file.
        json: Whether to print JSON.
        db: The database, None for the default one; it is made if it is not there.
    """
    if action != "add":
        fail(f"Did you mean `rules {action}`, or `list --game {action}`? Expected `games`, or `games add FILE`.")
    if not file:
        fail("No file is named; expected `games add FILE`, such as catan.toml.")
    try:
        toml = Path(file).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        fail(f"{file} cannot be read: {getattr(fault, 'strerror', None) or 'it is not UTF-8'}.")
    with open_log(db, create=True) as store:
        game = api.describe_game(store, replace(request, toml=toml))
    if json:
        put_json(_fields(game))
    else:
        put(f"{game.title} is described: {write_description(game.description) or 'nothing but its name'}.")


def _game_texts(key: str, about: About) -> Iterator[str]:
    """Yield the lines about an installed game: key, title, edition and seats, then its variants and its options."""
    seats = f"{seat_words(about.seats)} {'seat' if about.seats == (1,) else 'seats'}"
    yield f"{key}: {about.title}, edition {about.edition}, {seats}"
    yield f"  variants: {', '.join(about.variants)}"
    for option in about.options:
        yield f"  option {option.text()}: {option.says}"
