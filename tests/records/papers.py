"""The golden games on paper, each printed once: what a page says is asked by many tests, and printing takes long."""

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pypdf import PdfReader

from cartulary.notation import load
from cartulary.records import desk
from cartulary.records.log.store import Store
from cartulary.records.sheets.pdf import pdf
from cartulary.records.sheets.score_sheet import ScoreSheet, score_sheet


def pages_of(sheets: Sequence[ScoreSheet]) -> tuple[str, ...]:
    """Return what each page of these sheets says, line by line."""
    return tuple(page.extract_text() for page in PdfReader(io.BytesIO(pdf(sheets)[0])).pages)


@cache
def golden(path: Path) -> tuple[tuple[ScoreSheet, tuple[str, ...]], ...]:
    """Return the sheet of each game of a file, with the pages it has when printed alone."""
    with TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store, path.open("rb") as file:
        answers = list(desk.import_records(store, load(file), path=path.name))
        sheets = [score_sheet(store, answer.id) for answer in answers if answer.id]
    return tuple((sheet, pages_of([sheet])) for sheet in sheets)
