"""An export as a database for readers: which games it holds, and the file Datasette is told about it with."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cartulary.cli.shell.console import fail, say
from cartulary.cli.shell.filters import told
from cartulary.cli.shell.findings import count

if TYPE_CHECKING:
    from cartulary.records.faults import Fault
    from cartulary.records.library.search import Query
    from cartulary.records.log.store import Store


def chosen(store: "Store", ids: Sequence[str] | None, every: bool, query: "Query") -> tuple[str, ...]:
    """Return the ids to export: those named, those a query holds of, or all. Ends the program where that is not clear.

    ids of damaged games are among all, so that they are told of.
    """
    from cartulary.records.library.search import EVERYTHING
    from cartulary.records.library.search import ids as found

    if (bool(ids), every, query != EVERYTHING).count(True) != 1:
        fail("name the games to export, or --all, or say which by --player, --date and the like")
    if ids:
        return tuple(ids)
    if every:
        return store.ids()
    selected = found(store, query)
    if not selected:
        fail("no game was found, so nothing is exported")
    return selected


def publish_games(
    store: "Store", ids: Sequence[str], out: Path, metadata: Path | None, over: bool
) -> "tuple[Fault, ...]":
    """Write the games as a database to ``out``; return what is at fault with those left out.

    metadata: where to write what Datasette is told, nowhere without; over: what is there may be replaced
    """
    from cartulary.records.exchange.outfile import putting
    from cartulary.records.exchange.published_tables import datasette_metadata
    from cartulary.records.exchange.publishing import publish

    if out.is_file() and over and not _ours(out):
        fail(f"{out} is there already and is no exported database; it was left alone")
    with told("export") as tell:
        held, faults = publish(store, ids, out, (lambda done: tell(done, len(ids))) if tell else None, over)
    if metadata is not None:
        text = json.dumps(datasette_metadata(out.stem), indent=2, ensure_ascii=False) + "\n"
        with putting(metadata, over=over) as (spare,):
            spare.write_text(text, "utf-8")
    say(f"cartulary: {out} holds {count(held, 'game')}, every card on record among them")
    return faults


def _ours(path: Path) -> bool:
    from cartulary.records.exchange.published import is_published

    return path.stat().st_size == 0 or is_published(path)
