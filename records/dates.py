"""Dates as people write them, turned into those of CGN: ``2026.11.22``, with ``??`` for what is not known."""

import re
from collections.abc import Iterator
from datetime import date, datetime

from cartulary.records.faults import Unfit

_CGN = re.compile(r"([0-9]{4}|\?{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)")
_PART = re.compile(r"([0-9]{4})(?:[-./]([0-9]{1,2}))?")
_NUMBERS = re.compile(r"([0-9]+)\s*([-./])\s*([0-9]+)\s*\2\s*([0-9]+)")
_NAMED = re.compile(
    r"(?:([0-9]{1,2})(?:st|nd|rd|th|\.)?\s+)?([a-z]+)\.?\s+(?:([0-9]{1,2})(?:st|nd|rd|th)?,?\s+)?([0-9]{4})"
)
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_SHORTEST = 3
"""Letters of a month's name that tell which it is."""
_UNKNOWN = ("?", "-")


def today() -> str:
    """Return the date of today where this machine is, as in CGN: ``2026.11.22``."""
    return datetime.now().astimezone().strftime("%Y.%m.%d")


def read_date(text: str) -> str:
    """Return a typed date as in CGN: ``22.11.2026`` or ``Nov 2026`` -> ``2026.11.22``, ``2026.11.??``.

    Raises:
        Unfit: It is not a date, or can be read as several, which the sentence lists.
    """
    dates = readings(text)
    if not dates:
        raise Unfit(f"{text!r} is not a date; expected one such as 2026.11.22, with ?? for what is not known.")
    first, *others = dates
    if others:
        raise Unfit(f"{text!r} may be {' or '.join(dates)}; write the one you mean.")
    return first


def date_or_text(text: str) -> str:
    """Return a date as CGN has it, ``3 May 2026`` -> ``2026.05.03``, if it can be read in one way; otherwise the text
    as it is.
    """
    dates = (text,) if _CGN.fullmatch(text) else readings(text)
    return dates[0] if len(dates) == 1 else text


def iso_date(text: str) -> str:
    """Return the known part of a CGN date in ISO 8601: ``2026.11.??`` -> ``2026-11``.

    It is empty if the year is not known, or if the text is no CGN date.
    """
    known = text.partition(".??")[0]
    return known.replace(".", "-") if _CGN.fullmatch(text) and "?" not in known else ""


def is_day(text: str) -> bool:
    """Say whether a text is one day of the calendar, in CGN's spelling or in another that can be read in one way only.

    ``2026.11.??`` is no day, and neither is ``03/04/2026``.
    """
    dates = readings(text)
    return len(dates) == 1 and dates[0].replace(".", "").isdecimal()


def future_date(text: str) -> str:
    """Return the known part of a typed date in ISO 8601 if it is after today, such as ``2027-01``.

    It is empty for any other text, and for a date that may be read as one that has come. This month and this year have
    come.
    """
    now = today()
    dates = readings(text)
    if any(known <= now[: len(known)] for known in (each.partition(".??")[0] for each in dates)):
        return ""
    return next(filter(None, map(iso_date, dates)), "")


def readings(text: str) -> tuple[str, ...]:
    """Return every date that a text may mean, as in CGN, each once.

    ``03/04/2026`` is in March or in April, so it gives two. A text that says that the date is not known, such as ``?``,
    is returned as it is. The answer is empty for what is no date, or none that calendars have.
    """
    single = " ".join(text.split())
    if single in _UNKNOWN:
        return (single,)
    return tuple(dict.fromkeys(_readings(single.lower())))


def _readings(text: str) -> Iterator[str]:
    """Yield every date that a text in small letters with single blanks may mean, as in CGN; one may come twice.

    Nothing is yielded for any other text, or for a date that calendars do not have.
    """
    if match := _CGN.fullmatch(text):
        yield from _valid_date(match[1], match[2], match[3])
    elif match := _PART.fullmatch(text):
        yield from _valid_date(match[1], match[2], None)
    elif len(text) == len("20261122") and text.isascii() and text.isdecimal():
        yield from _valid_date(text[:4], text[4:6], text[6:])
    elif match := _NUMBERS.fullmatch(text):
        yield from _in_any_order(match[1], match[3], match[4], match[2])
    elif match := _NAMED.fullmatch(text):
        months = [at for at, name in enumerate(_MONTHS, 1) if len(match[2]) >= _SHORTEST and name.startswith(match[2])]
        if months and not (match[1] and match[3]):
            yield from _valid_date(match[4], str(months[0]), match[1] or match[3])


def _in_any_order(first: str, second: str, third: str, separator: str) -> Iterator[str]:
    """Yield the dates that three numbers may be, as in CGN: year first, day first, month first.

    A year of two digits is the last number; between hyphens it may also be the first. Dates that calendars do not have
    are left out.
    """
    if len(first) == len("2026") or (separator == "-" and len(first) == len(third) == len("26")):
        yield from _valid_date(_year(first), second, third)
    if len(third) in (len("26"), len("2026")):
        yield from _valid_date(_year(third), second, first)
        yield from _valid_date(_year(third), first, second)


def _year(digits: str) -> str:
    """Return a year in four digits; of two digits the last such year that has begun: in 2026 ``26`` -> ``2026``, ``27``
    -> ``1927``.
    """
    if len(digits) != len("26"):
        return digits
    this = int(today()[:4])
    return str(this - (this - int(digits)) % 100)


def _valid_date(year: str, month: str | None, day: str | None) -> Iterator[str]:
    """Yield a date as in CGN if the calendar has it, otherwise nothing.

    Args:
        year: Four digits, or a text of that length that begins with a question mark if it is not known.
        month: One or two digits; None or question marks if it is not known.
        day: One or two digits; None or question marks if it is not known.
    """
    parts = [part if part and part[0] != "?" else None for part in (year, month, day)]
    if len(year) != len("2026") or any(len(part or "") > len("31") for part in parts[1:]):
        return
    numbers = [int(part) if part else stand_in for part, stand_in in zip(parts, (2000, 1, 1), strict=True)]
    try:
        date(*numbers)
    except ValueError:
        return
    digits = [f"{int(part):0{wide}}" if part else "?" * wide for part, wide in zip(parts, (4, 2, 2), strict=True)]
    yield ".".join(digits)
