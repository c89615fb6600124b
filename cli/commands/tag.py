"""``tag``: changes the tags of a live record."""

from msgspec.structs import replace

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.invocation import Invocation, argument, from_request
from cartulary.cli.shell.live import open_log, say_alike, say_future
from cartulary.cli.shell.options import pairs_of
from cartulary.cli.shell.spellings import ask_spellings
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api
from cartulary.records.texts import one_spelling


@from_request(
    api.TagRequest, tags=argument(typed=tuple[str, ...], read=pairs_of), drop=None, order=("id", "tags", "seat", "by")
)
def command(typed: "Invocation[api.TagRequest]") -> None:
    """Change the names, event, date and other tags, even in a closed game.

    The players' names can change, p1=Ada too. Variant, Options and tags such as Dealer can if no ply contradicts; all
    plies are judged again. Game=Catan corrects the name of a game that nobody judges. A closed game of which only the
    points were kept is corrected with --reason, and closed again with the result its points then give.

    \b
    Example:
      cartulary tag evening "Event=Club evening" Rearhand=Bela Round=
    """
    id, pairs = typed.id, typed.request.tags
    with open_log(typed.db) as store:
        seats = _seats(store, id)
        by_tag = {seats.get(name.lower(), name): value for name, value in pairs.items()}
        if len(by_tag) == len(pairs):  # otherwise a seat is named twice, which the records refuse
            pairs = by_tag
        put_ = {name: value for name, value in pairs.items() if value}
        drop = tuple(name for name in pairs if not pairs[name])
        names = {tag: name for tag, name in put_.items() if tag in seats.values()}
        record = api.load(store, id).record if names else None
        old_names = api.people_of(store).display_names(map(record.tag, names)) if record is not None else ()
        settled, similar = ask_spellings(store, names.values(), old_names=old_names)
        differ = {tag: (one_spelling(name), similar[name]) for tag, name in names.items() if name in similar}
        put_ |= {tag: settled.get(name, name) for tag, name in names.items()}
        answer = api.change_tags(store, id, replace(typed.request, tags=put_, drop=drop), typed.viewer)
    if typed.json:
        put_json(answer)
        return
    before = {name: was for name, was, _ in answer.changes}
    for name, value in answer.tags:
        was = f', was "{before[name]}"' if before.get(name) else ""
        put(f'{id}: {name} "{isolate(value)}"{was}')
    tag_names = {name for name, _ in answer.tags}
    for name, was, now in answer.changes:
        if name in tag_names:
            continue
        if name in ("Score", "Result"):
            put(f"{id}: the {name.lower()} is {now or 'not known'}, was {was or 'not known'}")
        elif now:
            put(f'{id}: {name} "{isolate(now)}"' + (f', was "{isolate(was)}"' if was else ""))
    say_future((put_.get("Date", ""),))
    say_alike(id, differ)


def _seats(store: "api.Log", id: str) -> dict[str, str]:
    """Return the tags that name the players of a game, by seat: ``{"p1": "Seat1", "p2": "Seat2"}``.

    It is empty for a game whose rules are not installed.
    """
    game = api.load(store, id)
    rules_game = game.examined.heading.game
    seats = rules_game.about.seat_tags(game.book.seats) if rules_game else ()
    return {f"p{number}": tag for number, tag in enumerate(seats, 1)}
