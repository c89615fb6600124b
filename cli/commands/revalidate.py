"""``revalidate``: judges stored games again."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, leave, put, put_json, say
from cartulary.cli.shell.filters import OfDate, OfEvent, OfGame, OfPlayer, OfVerdict, query_of, told
from cartulary.cli.shell.findings import count, wrapped
from cartulary.cli.shell.live import opened, told_faults
from cartulary.cli.shell.options import Db, Json, SeatOf, for_everybody
from cartulary.records import desk


def command(
    edition: Annotated[
        str,
        typer.Option("--edition", metavar="EDITION", help="Use the rules of this edition; by default those installed."),
    ] = "",
    game: OfGame = "",
    player: OfPlayer = None,
    event: OfEvent = "",
    date: OfDate = "",
    verdict: OfVerdict = "",
    seat: SeatOf = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Judge stored games again, and list those whose verdict differs from the one given when they were written.

    Nothing is stored. Exits with 1 when a verdict changes, 3 when a log is damaged.

    \b
    Example:
      cartulary revalidate --game cardmate
    """
    for_everybody(seat, "revalidate")
    query = query_of(game, player, event, date, verdict=verdict)
    with opened(db) as store, told("games") as progress:
        judged = desk.revalidate(store, edition, query, progress)
    for changed in judged.changed:
        if json:
            put_json(changed)
        else:
            _put_changed(changed)
    for other in judged.results:
        if json:
            put_json(other)
            continue
        for line in wrapped(
            f"{other.id}: the result is {other.result}, but its PDN file means {other.source}, "
            f"because the first number is the first player's; `reopen {other.id}` and "
            f"`close {other.id} {other.source}` mend it"
        ):
            put(line)
    code = told_faults(judged.faults)
    if not json:
        say(
            f"cartulary: {count(judged.games, 'game')} judged again; the verdict differs for "
            f"{len(judged.changed) or 'none'}."
        )
    leave(max(code, FINDINGS if judged.changed or judged.results else 0))


def _put_changed(changed: "desk.Changed") -> None:
    for line in wrapped(
        f"{changed.id}: {changed.before} by {changed.edition_before}, {changed.after} by {changed.edition}"
    ):
        put(line)
    for label, keys in (("no more", changed.gone), ("now", changed.new)):
        for ply, severity, key in keys:
            put(f"    {label:<8}{f'ply {ply}' if ply else 'set-up and tags'}: {severity} {key}")
