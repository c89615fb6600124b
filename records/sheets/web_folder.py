"""Score sheets as a folder for a web server: one page a game, and an index of them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from cartulary.records.exchange.outfile import check_free, replace_files
from cartulary.records.sheets.html import INDEX, html, index, index_line, page_name
from cartulary.records.sheets.score_sheet import ScoreSheet


def write_pages(sheets: Iterable[ScoreSheet], ids: Sequence[str], folder: Path, *, over: bool = False) -> None:
    """Write a page for each score sheet into a folder, and ``index.html`` with links to them. The folder is made if
    need be.

    Args:
        sheets: The score sheets.
        ids: The ids of all games that there may be, whose files are checked before anything is written.
        folder: The folder.
        over: Whether files that are there may be replaced.

    Raises:
        OSError: A file that may not be replaced is there; nothing is written then. Or a file cannot be written; pages
            that were finished before remain.
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
