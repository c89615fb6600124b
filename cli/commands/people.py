"""``people``: lists the people of an archive, and says which names are one person's."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import By, Command, Db, Json
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api


def command(
    action: Annotated[
        str, typer.Argument(metavar="[merge|rename|split]", help="What is to be done; nothing lists everybody.")
    ] = "",
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME…]", help="The names, as records have them.")
    ] = None,
    by: By = "",
    command: Command = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """List the people of the archive, or say which names are one person's.

    `people merge A B` shows A as B everywhere, `people rename A B` gives A a new name, `people split A` undoes either.
    Records are not changed; lists, standings, searches and sheets follow.

    \b
    Example:
      cartulary people merge "ann lee" "Ann Lee"
    """
    typed = names or []
    with open_log(db) as store:
        if not action:
            listed = api.list_people(store)
        elif action == "merge":
            name, into = _two(typed)
            listed = (api.merge_people(store, api.MergeRequest(name=name, into=into, by=by, command=command)),)
        elif action == "rename":
            name, to = _two(typed)
            listed = (api.rename_person(store, api.RenameRequest(name=name, to=to, by=by, command=command)),)
        elif action == "split":
            if len(typed) != 1:
                fail(f"`people split` needs one name, not {len(typed)}.")
            listed = (api.split_person(store, api.SplitRequest(name=typed[0], by=by, command=command)),)
        else:
            fail(f"`people {action}` is nothing; expected `people`, or merge, rename or split with names.")
    for person in listed:
        if json:
            put_json(person)
        else:
            also = f", also {', '.join(map(isolate, person.also))}" if person.also else ""
            put(f"{isolate(person.name)}: {count(person.games, 'game')}{also}")


def _two(names: list[str]) -> list[str]:
    """Return the two names that were typed; end the program if there are not exactly two."""
    if len(names) != 2:
        typed = count(len(names), "name was", "names were")
        fail(f"{typed} typed; expected two, such as `people merge ann Ann`.")
    return names
