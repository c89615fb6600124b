"""``tag``: writes the tags of a live record anew."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.live import opened, say_alike
from cartulary.cli.shell.options import AsSeat, By, Command, Db, Expected, Id, Json, asker, pairs_of
from cartulary.notation.cgn.isolation import isolated
from cartulary.records import desk


def command(
    id: Id,
    tags: Annotated[
        list[str],
        typer.Argument(metavar="NAME=VALUE…", help="Tags such as Event=Club; an empty value removes the tag."),
    ],
    seat: AsSeat = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Change the names, event, date and other tags, even in a closed game.

    The players' names can change; the tags that set the game up cannot.

    \b
    Example:
      cartulary tag evening "Event=Club evening" Rearhand=Bela Round=
    """
    pairs = pairs_of(tags)
    put_, drop = {name: value for name, value in pairs.items() if value}, [name for name in pairs if not pairs[name]]
    whose, by = asker(seat, by)
    with opened(db) as store:
        differ = _alike(store, id, put_)
        answer = desk.change_tags(store, id, put_, drop=drop, by=by, command=command, expected=expected, seat=whose)
    if json:
        put_json(answer)
        return
    for name, value in answer.tags:
        put(f'{id}: {name} "{isolated(value)}"')
    say_alike(id, differ)


def _alike(store: "desk.Store", id: str, put_: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Return the players' names among the tags that may be somebody the archive knows by another spelling."""
    game = desk.load(store, id)
    played = game.examined.heading.game
    seats = played.about.seat_tags(game.book.seats) if played else ()
    names = {tag: desk.one_spelling(name) for tag, name in put_.items() if tag in seats}
    known = dict(desk.alike(store, names.values()))
    return {tag: (name, known[name]) for tag, name in names.items() if name in known}
