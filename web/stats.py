"""The archive in numbers: tables, each with a chart."""

from collections.abc import Sequence
from typing import Any

from cartulary.records import api
from cartulary.web.games import field
from cartulary.web.inquiry import Inquiry, check_sees_everything, query_of
from cartulary.web.pages import link

ROWS = 10
"""Rows a table has if nobody says how many."""
MOST = 200
WIDE = 100
"""How wide the longest bar is, in units of its drawing."""


def _tallies(inquiry: Inquiry) -> "tuple[api.Tally, ...]":
    """Return the tables of statistics that the address asks for, counted over the games that match its filters.

    Without the parameter ``table`` they are all.

    Raises:
        RequestFault: The server shows the view of a seat, which may not see statistics; the status is 403.
    """
    check_sees_everything(inquiry, "Statistics")
    limit = inquiry.number("limit", ROWS, MOST)
    return api.tally(inquiry.store, query_of(inquiry), inquiry.values("table"), limit=limit)


def stats_fields(inquiry: Inquiry) -> object:
    """Return the rows of all tables of statistics as `stats --json` gives them, each with the name of its table."""
    return {
        "rows": [
            {"table": table.name, **dict(zip(table.columns, row, strict=True))}
            for table in _tallies(inquiry)
            for row in table.rows
        ]
    }


def stats(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of statistics: the tables, and the fields to filter the games by."""
    tables = [
        {
            "name": table.name,
            "says": table.says,
            "columns": table.columns,
            "drawn": table.columns[table.value],
            "rows": list(_rows(table)),
            "left": table.cut_rows,
        }
        for table in _tallies(inquiry)
    ]
    fields = [field(inquiry, name) for name in ("game", "player", "event", "date")]
    return {"tables": tables, "fields": fields, "twin": link("/stats.json", inquiry.parameters)}


def _rows(table: "api.Tally") -> "list[tuple[list[tuple[str, bool]], float]]":
    """Return each row as its cells and the length of its bar, from 0 to ``WIDE``.

    A cell is its text and whether it is a number: ``[("Ada", False), ("12", True)], 100.0``.
    """
    most = max((_number(row, table.value) for row in table.rows), default=0) or 1
    return [
        (
            [(_cell(cell), isinstance(cell, (int, float))) for cell in row],
            round(WIDE * (_number(row, table.value) / most), 1),
        )
        for row in table.rows
    ]


def _number(row: "Sequence[str | int | float]", at: int) -> float:
    """Return the cell of a row in this column as a number, 0 if it holds a text."""
    value = row[at]
    return float(value) if isinstance(value, (int, float)) else 0.0


def _cell(cell: object) -> str:
    """Return a cell as text, a number with its thousands separated: ``12,345``."""
    return f"{cell:,}" if isinstance(cell, (int, float)) else str(cell)
