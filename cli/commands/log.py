"""``log``: shows everything that was ever written of a game."""

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Db, Id, Json, Quiet, SeatOf, viewer_of
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api


def command(id: Id, seat: SeatOf = "", quiet: Quiet = False, json: Json = False, db: Db = None) -> None:
    """Show everything ever written to a game, with who wrote it and when, and then the head of its log.

    \b
    Example:
      cartulary log evening
    """
    with open_log(db) as store:
        lines = api.log(store, id, viewer_of(seat, quiet))
    for line in lines:
        if json:
            put_json(line)
        else:
            for piece in wrap(f"{line.version:>4}  {line.at}  {isolate(line.by or '-'):<8}  {line.says}", " " * 6):
                put(piece)
    if not json and lines[-1].digest:
        put(f"head  {len(lines)}:{lines[-1].digest}")
