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
    """Return the day it is where this machine is, as CGN has it: a game bears the day of where it is played."""
    return datetime.now().astimezone().strftime("%Y.%m.%d")


def read_date(text: str) -> str:
    """Return a date as CGN has it. Raises Unfit for what is none, and, naming all, where it can be read as several."""
    found = readings(text)
    if not found:
        raise Unfit(f"{text!r} is not a date; expected one such as 2026.11.22, with ?? for what is not known.")
    first, *others = found
    if others:
        raise Unfit(f"{text!r} may be {' or '.join(found)}; write the one you mean.")
    return first


def told_date(text: str) -> str:
    """Return a date as CGN has it where it has one reading, else as it is written."""
    found = (text,) if _CGN.fullmatch(text) else readings(text)
    return found[0] if len(found) == 1 else text


def iso_date(text: str) -> str:
    """Return a date of CGN as ISO 8601 has it, as far as it is known: ``2026-11-22``, ``2026-11``, ``2026``."""
    known = text.partition(".??")[0]
    return known.replace(".", "-") if _CGN.fullmatch(text) and "?" not in known else ""


def readings(text: str) -> tuple[str, ...]:
    """Return every date a text may mean, as CGN has it, each once."""
    single = " ".join(text.split())
    if single in _UNKNOWN:
        return (single,)
    return tuple(dict.fromkeys(_readings(single.lower())))


def _readings(text: str) -> Iterator[str]:
    if found := _CGN.fullmatch(text):
        yield from _written(found[1], found[2], found[3])
    elif found := _PART.fullmatch(text):
        yield from _written(found[1], found[2], None)
    elif len(text) == len("20261122") and text.isascii() and text.isdecimal():
        yield from _written(text[:4], text[4:6], text[6:])
    elif found := _NUMBERS.fullmatch(text):
        yield from _in_turn(found[1], found[3], found[4], found[2])
    elif found := _NAMED.fullmatch(text):
        months = [at for at, name in enumerate(_MONTHS, 1) if len(found[2]) >= _SHORTEST and name.startswith(found[2])]
        if months and not (found[1] and found[3]):
            yield from _written(found[4], str(months[0]), found[1] or found[3])


def _in_turn(first: str, second: str, third: str, between: str) -> Iterator[str]:
    """Yield the dates three numbers may be: year first, day first, month first. Years of two digits stand last, as a
    rule; between hyphens they may stand first too.
    """
    if len(first) == len("2026") or (between == "-" and len(first) == len(third) == len("26")):
        yield from _written(_year(first), second, third)
    if len(third) in (len("26"), len("2026")):
        yield from _written(_year(third), second, first)
        yield from _written(_year(third), first, second)


def _year(digits: str) -> str:
    """Return a year in four digits; of two digits the last such year that has begun."""
    if len(digits) != len("26"):
        return digits
    this = int(today()[:4])
    return str(this - (this - int(digits)) % 100)


def _written(year: str, month: str | None, day: str | None) -> Iterator[str]:
    """Yield the date where the calendar has it."""
    parts = [part if part and part[0] != "?" else None for part in (year, month, day)]
    if len(year) != len("2026") or any(len(part or "") > len("31") for part in parts[1:]):
        return
    numbers = [int(part) if part else stand_in for part, stand_in in zip(parts, (2000, 1, 1), strict=True)]
    try:
        date(*numbers)
    except ValueError:
        return
    shown = [f"{int(part):0{wide}}" if part else "?" * wide for part, wide in zip(parts, (4, 2, 2), strict=True)]
    yield ".".join(shown)
