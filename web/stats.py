"""The archive in numbers: tables, each with a chart."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from cartulary.records import api
from cartulary.web.asked import Inquiry, Wrong, query_of
from cartulary.web.games import field
from cartulary.web.pages import link

ROWS = 10
"""Rows a table has if nobody says how many."""
MOST = 200
WIDE = 100
"""How wide the longest bar is, in units of its drawing."""


def _counted(asked: Inquiry) -> "tuple[api.Tally, ...]":
    if asked.viewer.seat is not None:
        because = "Statistics count whole games, with cards that this server does not show."
        raise Wrong(because, HTTPStatus.FORBIDDEN)
    limit = asked.number("limit", ROWS, MOST)
    return api.tally(asked.store, query_of(asked), asked.all("table"), limit=limit)


def stats_fields(asked: Inquiry) -> object:
    """Return the rows of the tables as `stats --json` gives them."""
    return {
        "rows": [
            {"table": table.name, **dict(zip(table.columns, row, strict=True))}
            for table in _counted(asked)
            for row in table.rows
        ]
    }


def stats(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of the numbers shows."""
    tables = [
        {
            "name": one.name,
            "says": one.says,
            "columns": one.columns,
            "drawn": one.columns[one.value],
            "rows": list(_rows(one)),
            "left": one.left,
        }
        for one in _counted(asked)
    ]
    fields = [field(asked, name) for name in ("game", "player", "event", "date")]
    return {"tables": tables, "fields": fields, "twin": link("/stats.json", asked.words)}


def _rows(table: "api.Tally") -> "list[tuple[list[tuple[str, bool]], float]]":
    """Return the rows, each with its cells, whether they are numbers, and how long its bar is."""
    most = max((_number(row, table.value) for row in table.rows), default=0) or 1
    return [
        ([(_cell(cell), isinstance(cell, (int, float))) for cell in row], _short(_number(row, table.value) / most))
        for row in table.rows
    ]


def _number(row: "Sequence[str | int | float]", at: int) -> float:
    value = row[at]
    return float(value) if isinstance(value, (int, float)) else 0.0


def _short(share: float) -> float:
    return round(WIDE * share, 1)


def _cell(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, (int, float)) else str(cell)
