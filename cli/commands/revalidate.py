"""``revalidate``: judges stored games again."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, leave, put, put_json, say
from cartulary.cli.shell.filters import OfDate, OfEvent, OfGame, OfPlayer, OfVerdict, progress_bar, query_of
from cartulary.cli.shell.findings import count, wrap
from cartulary.cli.shell.live import open_log, say_faults
from cartulary.cli.shell.options import Db, Json, SeatOf, for_everybody
from cartulary.records import api
from cartulary.records.library.revalidate import ChangedGame, InstalledVerdict


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

    Records that are kept unjudged are listed too if their rules are installed now; they stay unjudged. Nothing is
    stored. Exits with 1 when a verdict changes, 3 when a log is damaged.

    \b
    Example:
      cartulary revalidate --game cardmate
    """
    for_everybody(seat, "revalidate")
    query = query_of(game, player, event, date, verdict=verdict)
    with open_log(db) as store, progress_bar("games") as progress:
        outcome = api.revalidate(store, edition, query, progress)
    for change in outcome.changes:
        if json:
            put_json(change)
        else:
            _put_change(change)
    for other in outcome.results:
        if json:
            put_json(other)
            continue
        for line in wrap(
            f"{other.id}: the result is {other.result}, but its PDN file means {other.source}, "
            f"because the first number is the first player's; `reopen {other.id}` and "
            f"`close {other.id} {other.source}` mend it"
        ):
            put(line)
    for unjudged in outcome.unjudged:
        if json:
            put_json(unjudged)
        else:
            _put_unjudged(unjudged)
    code = say_faults(outcome.faults)
    if not json:
        say(
            f"cartulary: {count(outcome.games, 'game')} judged again; the verdict differs for "
            f"{len(outcome.changes) or 'none'}."
        )
    leave(max(code, FINDINGS if outcome.changes or outcome.results else 0))


def _put_change(change: "ChangedGame") -> None:
    """Print a game whose verdict changes, by which editions of the rules, and the findings that go and come."""
    for line in wrap(f"{change.id}: {change.before} by {change.edition_before}, {change.after} by {change.edition}"):
        put(line)
    for label, keys in (("no more", change.old), ("now", change.new)):
        for ply, severity, key in keys:
            put(f"    {label:<8}{f'ply {ply}' if ply else 'set-up and tags'}: {severity} {key}")


def _put_unjudged(unjudged: "InstalledVerdict") -> None:
    """Print what the rules that are installed now say of a game that is kept unjudged.

    Its stored verdict is not changed.
    """
    verdict = f"cannot be judged: {unjudged.because}" if unjudged.because else f"is {unjudged.verdict}"
    for line in wrap(f"{unjudged.id}: kept unjudged; by {unjudged.edition} it {verdict}"):
        put(line)
    for ply, severity, key in () if unjudged.because else unjudged.findings:
        put(f"    {'now':<8}{f'ply {ply}' if ply else 'set-up and tags'}: {severity} {key}")
