"""An export as a database for readers, and the file Datasette is told about it with."""

import json
from collections.abc import Sequence
from pathlib import Path

from cartulary.cli.shell.console import fail, say
from cartulary.cli.shell.filters import told
from cartulary.cli.shell.findings import count
from cartulary.records import desk
from cartulary.records.faults import Fault


def publish_games(
    store: "desk.Store", ids: Sequence[str], out: Path, metadata: Path | None, over: bool
) -> "tuple[int, tuple[Fault, ...]]":
    """Write the games as a database to ``out``; return how many it holds, and what is at fault with those left out.

    metadata: where to write what Datasette is told, nowhere without; over: what is there may be replaced
    """
    if out.is_file() and over and not _ours(out):
        fail(f"{out} already exists and is not an exported database; name another file.")
    with told("export") as tell:
        held, faults = desk.publish(store, ids, out, (lambda done: tell(done, len(ids))) if tell else None, over)
    if metadata is not None and held:
        text = json.dumps(desk.datasette_metadata(out.stem), indent=2, ensure_ascii=False) + "\n"
        with desk.putting(metadata, over=over) as (spare,):
            spare.write_text(text, "utf-8")
    if held:
        say(f"cartulary: {out} holds {count(held, 'game')}, with every card on record.")
    return held, faults


def _ours(path: Path) -> bool:

    return path.stat().st_size == 0 or desk.is_published(path)
