"""Score sheets on paper, and what their pages say."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pypdf import PdfReader

from cartulary.notation import load
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.records.sheets.pdf import pdf
from cartulary.records.sheets.score_sheet import ScoreSheet, score_sheet


def pages_of(sheets: Sequence[ScoreSheet]) -> tuple[str, ...]:
    """Return what each page of these sheets says, line by line."""
    return tuple(page.extract_text() for page in PdfReader(io.BytesIO(pdf(sheets)[0])).pages)


def printed(sheets: Sequence[ScoreSheet]) -> Iterator[tuple[ScoreSheet, tuple[str, ...]]]:
    """Print these sheets as one document; yield each with its pages, which end with the last of as many."""
    answer = iter(pages_of(sheets))
    for sheet in sheets:
        pages = [next(answer)]
        while not " ".join(pages[-1].split()).endswith(f"page {len(pages)} of {len(pages)}"):
            pages.append(next(answer))
        yield sheet, tuple(pages)
    assert next(answer, None) is None


def golden(*paths: Path) -> list[ScoreSheet]:
    """Return the sheet of each game of these files."""
    with TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
        sheets = []
        for path in paths:
            with path.open("rb") as file:
                answers = list(api.import_records(store, load(file), path=path.name))
            sheets += [score_sheet(store, answer.id) for answer in answers if answer.id]
    return sheets
