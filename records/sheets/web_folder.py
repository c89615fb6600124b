"""Score sheets as a folder to be put on the web: a page a game, and one that leads to them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from cartulary.records.exchange.outfile import check_free, replace_files
from cartulary.records.sheets.html import INDEX, html, index, index_line, page_name
from cartulary.records.sheets.score_sheet import ScoreSheet


def write_pages(sheets: Iterable[ScoreSheet], ids: Sequence[str], folder: Path, *, over: bool = False) -> None:
    """Write a page a score sheet into a folder, made if need be, and one that leads to them.

    ids: the games there may be; over: what is there may be replaced
    Raises OSError where something may not be written, before anything is.
    """
    check_free([folder / name for name in (*map(page_name, ids), INDEX)], over)
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for sheet in sheets:
        with replace_files(folder / page_name(sheet.id), over=over) as (spare,):
            spare.write_bytes(html([sheet]))
        lines.append(index_line(sheet))
    with replace_files(folder / INDEX, over=over) as (spare,):
        spare.write_bytes(index(lines))
