"""Dates as the tag Date has them: ``2026.11.22``, with question marks for what is not known."""

import re
from contextlib import suppress
from datetime import date

_DATE = re.compile(r"([0-9]{4}|[0-9?]{2,3}\?\?|\?{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)", re.ASCII)
_KNOWN = (2000, 1, 1)
"""What stands for an unknown year, month and day: those that allow every day there is."""


def is_date(text: str) -> bool:
    """Say whether a text is a date there is, as far as it is known; a century or decade alone may be."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    parts = zip(match.groups(), _KNOWN, strict=True)
    year, month, day = (int(part) if part.isdigit() else known for part, known in parts)
    with suppress(ValueError):
        date(year, month, day)
        return True
    return False
