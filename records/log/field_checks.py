"""What each field of an event must be beyond its type: a time with its zone, a seat of the table, an earlier event.

A chain of digests proves that a log is what was written, not that what was written can be. Whatever takes events in
from elsewhere asks here, ``verify`` asks of every log, and a game that holds an event that cannot be is not read.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from msgspec import Struct

from cartulary.engine.numbers import how_many
from cartulary.notation.cgn.result import points_fault, result_fault
from cartulary.records.log.events import (
    Annotated,
    BoardStated,
    ClockCorrected,
    DisputeRaised,
    DisputeWithdrawn,
    Event,
    Found,
    GameClosed,
    GameImported,
    GameOpened,
    GameReopened,
    MadeQuiet,
    MovePlayed,
    MovesAmended,
    MoveTakenBack,
    RecordAgreed,
    Revealed,
    RulingGiven,
    SheetKept,
    SourceKept,
    TagsChanged,
    Withheld,
    WordDeclined,
)
from cartulary.records.log.link_events import LinkMade, LinkRevoked, LinkTaken
from cartulary.records.log.part_events import PartNoted

MOST = 10**9
"""No number of a record is beyond it: one that is would keep whoever counts to it busy without end."""
MOST_SEATS = 99
LONGEST_DELAY = 24 * 60 * 60
CLOCK = re.compile(r"\d{1,3}(:[0-5]\d){1,2}(\.\d{1,3})?", re.ASCII)
"""A time left, hours, minutes and seconds or only the last two."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_HEAD = re.compile(r"[1-9][0-9]{0,17}:[0-9a-f]{64}")
_ROLE = re.compile(r"scribe|rail|arbiter|reader|p[1-9][0-9]?")
_CHANGE = re.compile(r"[+-]?[0-9]{1,9}(/[1-9][0-9]{0,8})?")
DECISIONS = ("stands", "void", "amended", "penalty", "score", "result", "revoked")
_SEVERITIES = ("error", "undecided", "remark")


class StreamPlace(Struct, frozen=True):
    """Where an event stands. version: its number in its stream; seats: of the table, 0 where the stream is no game's"""

    version: int
    seats: int


Check: TypeAlias = Callable[[Any, StreamPlace], str]
"""Say what was expected of a value at its place; empty where it can be."""

# --- checks ---


def _time(at: str, _: StreamPlace) -> str:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        moment = None
    # Years at either end leave no room for the hours of a zone.
    sound = moment is not None and moment.tzinfo is not None and 1 < moment.year < 9999
    return "" if sound else "a date and a time with its zone, such as 2026-11-22T20:15:00.000Z"


def _between(low: int, high: int) -> Check:
    return lambda number, _: "" if low <= number <= high else f"a number from {low} to {high}"


def _one_of(words: Sequence[str]) -> Check:
    return lambda text, _: "" if text in words else f"one of: {', '.join(words)}"


_count = _between(0, MOST)


def _seat(number: int, at: StreamPlace) -> str:
    seats = at.seats or MOST_SEATS
    return "" if 1 <= number <= seats else f"a seat from 1 to {seats}"


def _seat_or_table(number: int, at: StreamPlace) -> str:
    return "" if number == 0 else _seat(number, at)


def _earlier(number: int, at: StreamPlace) -> str:
    return "" if 1 <= number < at.version else f"an earlier event, from 1 to {at.version - 1}"


def _earlier_or_none(number: int, at: StreamPlace) -> str:
    return "" if number == 0 else _earlier(number, at)


def _entry(number: int, at: StreamPlace) -> str:
    """Check the number of a dispute or ruling: an earlier event, or below 0 one of the imported sheet."""
    return "" if -MOST <= number < 0 else _earlier(number, at)


def _entry_or_none(number: int, at: StreamPlace) -> str:
    return "" if number == 0 else _entry(number, at)


def _written(pattern: re.Pattern[str], expected: str, *, empty: bool = False) -> Check:
    return lambda text, _: "" if (empty and not text) or pattern.fullmatch(text) else expected


_severity = _one_of(_SEVERITIES)
_digest = _written(_DIGEST, "a digest of 64 hexadecimal digits")


def _filled(text: str, _: StreamPlace) -> str:
    return "" if text else "a text"


def _free(_: object, at: StreamPlace) -> str:
    """Accept anything of the type that is declared."""
    return ""


def _each(check: Check) -> Check:
    return lambda values, at: next((fault for value in values if (fault := check(value, at))), "")


def _found(found: Found, at: StreamPlace) -> str:
    fault = _severity(found.severity, at)
    return fault and f"a severity that is {fault}"


def _by_seat(check: Check) -> Check:
    return lambda pair, at: _seat(pair[0], at) or check(pair[1], at)


def _ply(ref: tuple[int, int], at: StreamPlace) -> str:
    return _earlier(ref[0], at) or _count(ref[1], at)


def _result(text: str, at: StreamPlace) -> str:
    return result_fault(text, at.seats).rpartition("expected ")[2] if at.seats else ""


def _result_or_none(text: str, at: StreamPlace) -> str:
    return text and _result(text, at)


def _score_or_none(text: str, at: StreamPlace) -> str:
    return points_fault(text, at.seats).rpartition("expected ")[2] if text and at.seats else ""


_clock = _written(CLOCK, "a time left, such as 0:12:30")
_clock_or_none = _written(CLOCK, "a time left, such as 0:12:30", empty=True)
_points = _written(_CHANGE, "a change such as -88")
_findings = _each(_found)
_REF: dict[str, Check] = {"event": _earlier_or_none, "word": _count}

# --- the fields ---

FIELDS: dict[type[Event], dict[str, Check]] = {
    GameOpened: {
        "game": _filled,
        "edition": _free,
        "variant": _free,
        "options": _free,
        "seats": _between(1, MOST_SEATS),
        "own": _free,
    },
    TagsChanged: {"put": _free, "dropped": _free},
    GameImported: {
        "game": _filled,
        "seats": _between(1, MOST_SEATS),
        "cgn": _filled,
        "plies": _count,
        "result": _free,
        "verdict": _filled,
        "source": _free,
        "digest": _digest,
    },
    MovePlayed: {
        "seat": _seat_or_table,
        "text": _filled,
        "findings": _findings,
        "stands": _free,
        "clock": _clock_or_none,
        "quiet": _free,
    },
    MovesAmended: {
        **_REF,
        "replaced": _count,
        "words": _each(_filled),
        "reason": _free,
        "findings": _each(_findings),
        "stands": _free,
    },
    MoveTakenBack: {"event": _earlier, "word": _count, "plies": _between(1, MOST), "agreed": _free, "reason": _free},
    Annotated: {**_REF, "text": _free},
    ClockCorrected: {"event": _earlier, "word": _count, "clock": _clock, "reason": _free},
    BoardStated: {**_REF, "text": _free, "findings": _findings},
    MadeQuiet: {},
    Revealed: {},
    GameClosed: {"result": _result, "termination": _free, "score": _free},  # early versions took any text for a score
    GameReopened: {"reason": _free},
    RecordAgreed: {"seat": _seat, "head": _written(_HEAD, "a head, VERSION:DIGEST")},
    SheetKept: {"cgn": _filled, "source": _free, "digest": _digest},
    SourceKept: {"format": _filled, "text": _free, "results": _one_of(("", "first-player", "white"))},
    DisputeRaised: {**_REF, "claim": _free, "cites": _each(_earlier)},
    DisputeWithdrawn: {"event": _entry, "reason": _free},
    RulingGiven: {
        "plies": _each(_ply),
        "arbiter": _free,
        "decision": _one_of(DECISIONS),
        "words": _each(_filled),
        "penalties": _each(_by_seat(_free)),
        "result": _result_or_none,
        "keys": _each(_filled),
        "dispute": _entry_or_none,
        "reason": _free,
        "points": _each(_by_seat(_points)),
        "score": _score_or_none,
        "revokes": _entry_or_none,
        "cites": _each(_earlier),
    },
    WordDeclined: {"seat": _seat, "words": _each(_filled), "findings": _findings},
    LinkMade: {
        "game": _filled,
        "role": _written(_ROLE, "a role: scribe, p1 …, rail, arbiter or reader"),
        "plays": _between(0, MOST_SEATS),
        "delay": _between(0, LONGEST_DELAY),
        "hashed": _digest,
    },
    LinkTaken: {"link": _earlier, "hashed": _digest},
    LinkRevoked: {"link": _earlier},
    PartNoted: {"text": _filled},
}
"""Every field of every kind of event but for its envelope, of which ``at`` is checked and the rest is free."""
_CHECKED = {
    kind: (("at", _time), *((name, check) for name, check in checks.items() if check is not _free))
    for kind, checks in FIELDS.items()
}


def fault_of(event: Event, at: StreamPlace) -> str:
    """Return what is wrong with an event, to stand behind where it is, empty where it can be.

    What was left out of an archive is unknown, and not at fault.
    """
    if isinstance(event, Withheld):
        return ""
    for name, check in _CHECKED[type(event)]:
        value = getattr(event, name)
        if expected := check(value, at):
            return f"`{name}` is {_short(value)}, expected {expected}"
    if isinstance(event, MovesAmended) and len(event.findings) != len(event.words):
        return f"`findings` is about {how_many(len(event.findings), 'word')}, expected {len(event.words)}"
    return ""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


class ImpossibleEvent(Struct, frozen=True):
    """The first event of a stream that cannot be. because: a sentence that names it"""

    version: int
    because: str


def first_impossible(id: str, events: Iterable[Event]) -> ImpossibleEvent | None:
    """Return the first event of a stream that cannot be, None where all can."""
    return next(_impossible(id, events), None)


def _impossible(id: str, events: Iterable[Event]) -> Iterator[ImpossibleEvent]:
    seats = 0
    for version, event in enumerate(events, 1):
        fault = fault_of(event, StreamPlace(version, seats))
        if fault:
            yield ImpossibleEvent(version, f"The events of {id} do not make a game: in event {version} {fault}.")
        if version == 1 and isinstance(event, (GameOpened, GameImported)):
            seats = event.seats
