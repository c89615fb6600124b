"""How a field of an event is declared: who may read it, and what may stand in it beyond its type.

A declaration stands beside the field, as ``typing.Annotated`` (imported as ``Field``, for an event is called
``Annotated``). It is the only place that says so: what a seat is shown, what a redacted export leaves out or lists and
what ``verify`` refuses are all read from it. A field without one is withheld: nobody but a reader of the whole log is
shown it, and no redacted export holds it.

    reason: Field[str, Free()]                      # somebody typed it: no seat reads it
    event: Field[int, Public(earlier, refers=PLY)]  # an earlier event, by whatever number the reader knows it
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeAlias, get_type_hints

from msgspec import Struct

from cartulary.engine.numbers import SEAT
from cartulary.notation.cgn.result import points_fault, result_fault

MOST = 10**9
"""No number of a record is beyond it: one that is would keep whoever counts to it busy without end."""
MOST_SEATS = 99
LONGEST_DELAY = 24 * 60 * 60
CLOCK = re.compile(r"\d{1,3}(:[0-5]\d){1,2}(\.\d{1,3})?", re.ASCII)
"""A time left, hours, minutes and seconds or only the last two."""
DECISIONS = ("stands", "void", "amended", "penalty", "score", "result", "revoked")
UNTOLD = "~"
"""What a reader is shown in place of a text that is withheld."""
PLY, ENTRY = "ply", "entry"
"""What a number that refers to an event stands for: the ply written there, or the entry itself."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_HEAD = re.compile(r"[1-9][0-9]{0,17}:[0-9a-f]{64}")
_ROLE = re.compile(f"scribe|rail|arbiter|reader|{SEAT}")
_CHANGE = re.compile(r"[+-]?[0-9]{1,9}(/[1-9][0-9]{0,8})?")


class StreamPlace(Struct, frozen=True):
    """Where an event stands. version: its number in its stream; seats: of the table, 0 where the stream is no game's"""

    version: int
    seats: int


Check: TypeAlias = Callable[[Any, StreamPlace], str]
"""Say what was expected of a value at its place; empty where it can be."""

# --- what may stand in a field ---


def anything(_: object, at: StreamPlace) -> str:
    """Accept anything of the type that is declared."""
    return ""


def nonempty(text: str, _: StreamPlace) -> str:
    """Check that a text is not empty."""
    return "" if text else "a text"


def moment(at: str, _: StreamPlace) -> str:
    """Check when something was: a moment with its zone."""
    try:
        when = datetime.fromisoformat(at)
    except ValueError:
        when = None
    # Years at either end leave no room for the hours of a zone.
    sound = when is not None and when.tzinfo is not None and 1 < when.year < 9999
    return "" if sound else "a date and a time with its zone, such as 2026-11-22T20:15:00.000Z"


def between(low: int, high: int) -> Check:
    """Return the check of a number from ``low`` to ``high``."""
    return lambda number, _: "" if low <= number <= high else f"a number from {low} to {high}"


def one_of(words: Sequence[str]) -> Check:
    """Return the check of a text that is one of these words."""
    return lambda text, _: "" if text in words else f"one of: {', '.join(words)}"


def seat_of_table(number: int, at: StreamPlace) -> str:
    """Check the number of a seat of the table."""
    seats = at.seats or MOST_SEATS
    return "" if 1 <= number <= seats else f"a seat from 1 to {seats}"


def seat_or_table(number: int, at: StreamPlace) -> str:
    """Check the number of a seat, or 0 for the table."""
    return "" if number == 0 else seat_of_table(number, at)


def earlier(number: int, at: StreamPlace) -> str:
    """Check the number of an earlier event."""
    return "" if 1 <= number < at.version else f"an earlier event, from 1 to {at.version - 1}"


def earlier_or_none(number: int, at: StreamPlace) -> str:
    """Check the number of an earlier event, or 0 for none."""
    return "" if number == 0 else earlier(number, at)


def entry(number: int, at: StreamPlace) -> str:
    """Check the number of a dispute or ruling: an earlier event, or below 0 one of the imported sheet."""
    return "" if -MOST <= number < 0 else earlier(number, at)


def entry_or_none(number: int, at: StreamPlace) -> str:
    """Check the number of a dispute or ruling, or 0 for none."""
    return "" if number == 0 else entry(number, at)


def ply_reference(ref: tuple[int, int], at: StreamPlace) -> str:
    """Check a ply by the event that wrote it and the word inside that event."""
    return earlier(ref[0], at) or count(ref[1], at)


def result_of_game(text: str, at: StreamPlace) -> str:
    """Check a result of as many seats as the table has."""
    return result_fault(text, at.seats).rpartition("expected ")[2] if at.seats else ""


def result_or_none(text: str, at: StreamPlace) -> str:
    """Check a result, or an empty text for none."""
    return text and result_of_game(text, at)


def score_or_none(text: str, at: StreamPlace) -> str:
    """Check a score of as many seats as the table has, or an empty text for none."""
    return points_fault(text, at.seats).rpartition("expected ")[2] if text and at.seats else ""


def severity(found: Any, at: StreamPlace) -> str:
    """Check how grave a finding is."""
    fault = _severity(found.severity, at)
    return fault and f"a severity that is {fault}"


def each(check: Check) -> Check:
    """Return the check of several values, by that of one."""
    return lambda values, at: next((fault for value in values if (fault := check(value, at))), "")


def by_seat(check: Check) -> Check:
    """Return the check of a seat and what stands beside it."""
    return lambda pair, at: seat_of_table(pair[0], at) or check(pair[1], at)


def _spelled(pattern: re.Pattern[str], expected: str, *, empty: bool = False) -> Check:
    return lambda text, _: "" if (empty and not text) or pattern.fullmatch(text) else expected


count = between(0, MOST)
time_left = _spelled(CLOCK, "a time left, such as 0:12:30")
time_left_or_none = _spelled(CLOCK, "a time left, such as 0:12:30", empty=True)
points_change = _spelled(_CHANGE, "a change such as -88")
sha256_hex = _spelled(_DIGEST, "a digest of 64 hexadecimal digits")
head_of_log = _spelled(_HEAD, "a head, VERSION:DIGEST")
link_role = _spelled(_ROLE, "a role: scribe, p1 …, rail, arbiter or reader")
_severity = one_of(("error", "undecided", "remark"))

# --- who may read it ---


class Declaration(Struct, frozen=True):
    """What every declaration says beside who may read the field.

    check: what may stand in it
    refers: it holds numbers of events, which a seat counts without those it is not told of: of ``PLY`` or ``ENTRY``
    judged: it is what the rules said, and nobody is told while the record is quiet
    by_rules: only the rules of a game bind it, so that in a record nobody judges somebody may have typed anything
    loose: no check binds it, or did in every version, so that a redacted export lists it
    """

    check: Check = anything
    refers: str = ""
    judged: bool = False
    by_rules: bool = False
    loose: bool = False


class Public(Declaration, frozen=True, kw_only=True):
    """Whoever may read the game may read it.

    numeric: true of the texts that are what the field is for; any other is withheld, as somebody typed it
    """

    numeric: Callable[[str], object] | None = None

    @property
    def as_it_is(self) -> bool:
        """Whether nobody reads it otherwise than it was written."""
        return not (self.refers or self.judged or self.numeric)


class Free(Declaration, frozen=True, kw_only=True):
    """Somebody typed it, so that it may name any card: no seat reads it, and a redacted export lists it.

    instead: what a seat reads in its place; always: where it is empty, too, so that nobody learns that it is
    """

    instead: str = UNTOLD
    always: bool = False


class Name(Declaration, frozen=True, kw_only=True):
    """It says who did it: a seat reads it if it is a seat, a role, or one of those it knows to be at the table.

    role: of an official whose name everybody knows, and who stands under it where names are left out
    """

    role: str = ""


class Secret(Declaration, frozen=True, kw_only=True):
    """A seat reads what the rules let it know of it, and otherwise nothing. instead: what it then reads"""

    instead: str = ""


@cache
def declarations(kind: type[Struct]) -> Mapping[str, Declaration | None]:
    """Return how each field of a Struct is declared, in their order; None for one that is not.

    Args:
        kind: An event, or what a docket shows of one.
    """
    hints = get_type_hints(kind, include_extras=True)
    found = {name: getattr(hints[name], "__metadata__", ()) for name in kind.__struct_fields__}
    return {name: next((one for one in said if isinstance(one, Declaration)), None) for name, said in found.items()}
