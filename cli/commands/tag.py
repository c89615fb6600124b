"""``tag``: changes the tags of a live record."""

from msgspec.structs import replace

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.invocation import Invocation, argument, from_request
from cartulary.cli.shell.live import open_log, say_alike
from cartulary.cli.shell.options import pairs_of
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api
from cartulary.records.texts import one_spelling


@from_request(
    api.TagRequest, tags=argument(typed=tuple[str, ...], read=pairs_of), drop=None, order=("id", "tags", "seat", "by")
)
def command(typed: "Invocation[api.TagRequest]") -> None:
    """Change the names, event, date and other tags, even in a closed game.

    The players' names can change, p1=Ada too; the tags that set the game up cannot. A closed deal of which only the
    score was kept is corrected with --reason, and closed again with the result its points then give.

    \b
    Example:
      cartulary tag evening "Event=Club evening" Rearhand=Bela Round=
    """
    id, pairs = typed.id, typed.request.tags
    put_, drop = {name: value for name, value in pairs.items() if value}, [name for name in pairs if not pairs[name]]
    request = replace(typed.request, tags=put_, drop=tuple(drop))
    with open_log(typed.db) as store:
        differ = _alike(store, id, put_)
    answer = typed.ask(api.change_tags, request)
    if typed.json:
        put_json(answer)
        return
    before = {name: was for name, was, _ in answer.changes}
    for name, value in answer.tags:
        was = f', was "{before[name]}"' if before.get(name) else ""
        put(f'{id}: {name} "{isolate(value)}"{was}')
    tag_names = {name for name, _ in answer.tags}
    for name, was, now in answer.changes:
        if name in tag_names or name not in ("Score", "Result"):
            continue
        put(f"{id}: the {name.lower()} is {now or 'not known'}, was {was or 'not known'}")
    say_alike(id, differ)


def _alike(store: "api.Log", id: str, put_: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Return the players' names among the new tags that resemble one in the archive.

    Each stands under its tag, with the archive's spelling: ``{"Seat1": ("Bela", "Béla")}``.
    """
    game = api.load(store, id)
    rules_game = game.examined.heading.game
    seats = rules_game.about.seat_tags(game.book.seats) if rules_game else ()
    names = {tag: one_spelling(name) for tag, name in put_.items() if tag in seats}
    archive_names = dict(api.alike(store, names.values()))
    return {tag: (name, archive_names[name]) for tag, name in names.items() if name in archive_names}
