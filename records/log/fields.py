"""How a field of an event is declared: who may read it, and which values of its type are possible.

The declaration is written beside the field, as ``typing.Annotated`` (imported as ``Field``). Nothing else says so. What
a seat is shown, what a redacted export leaves out or lists, and what ``verify`` refuses are all derived from it. A
field without a declaration is withheld: only a reader of the whole log is shown it, and no redacted export holds it.

Example:
    reason: Field[str, Free()]                      # somebody typed it: no seat reads it
    event: Field[int, Public(earlier, refers=PLY)]  # an earlier event, under the number by which the reader knows it
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeAlias, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from cartulary.engine.numbers import SEAT
from cartulary.notation.cgn.result import points_fault, result_fault

MOST = 10**9
"""The largest number in a record. A larger one could keep a loop that counts to it busy without end."""
MOST_SEATS = 99
LONGEST_DELAY = 24 * 60 * 60
CLOCK = re.compile(r"\d{1,3}(:[0-5]\d){1,2}(\.\d{1,3})?", re.ASCII)
"""A time left: hours, minutes and seconds, or minutes and seconds."""
DECISIONS = ("stands", "void", "amended", "penalty", "score", "result", "revoked")
UNTOLD = "~"
"""The text that a reader is shown in place of a withheld one."""
PLY, ENTRY = "ply", "entry"
"""What a number of an event refers to: the ply written there, or the entry itself."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_HEAD = re.compile(r"[1-9][0-9]{0,17}:[0-9a-f]{64}")
_ROLE = re.compile(f"scribe|rail|arbiter|reader|{SEAT}")
_CHANGE = re.compile(r"[+-]?[0-9]{1,9}(/[1-9][0-9]{0,8})?")


class StreamPlace(Struct, frozen=True):
    """The place of an event.

    Attributes:
        version: Its number in its stream.
        seats: The number of seats of the game, 0 if the stream is not a game.
    """

    version: int
    seats: int


Check: TypeAlias = Callable[[Any, StreamPlace], str]
"""A function that says what was expected of a value at its place; empty if the value is possible."""

# --- what may stand in a field ---


def anything(_: object, at: StreamPlace) -> str:
    """Accept any value of the declared type: a check that always returns an empty text, so that nothing is wrong."""
    return ""


def nonempty(text: str, _: StreamPlace) -> str:
    """Check that a text is not empty: return an empty text, or ``a text`` as what was expected instead."""
    return "" if text else "a text"


def moment(at: str, _: StreamPlace) -> str:
    """Check a date and time with its zone, such as ``2026-11-22T20:15:00.000Z``.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    try:
        when = datetime.fromisoformat(at)
    except ValueError:
        when = None
    # Years at either end leave no room for the hours of a zone.
    sound = when is not None and when.tzinfo is not None and 1 < when.year < 9999
    return "" if sound else "a date and a time with its zone, such as 2026-11-22T20:15:00.000Z"


def between(low: int, high: int) -> Check:
    """Return the check of a number from ``low`` to ``high``, both of them included."""
    return lambda number, _: "" if low <= number <= high else f"a number from {low} to {high}"


def one_of(words: Sequence[str]) -> Check:
    """Return the check of a text that is one of these words, in exactly this spelling."""
    return lambda text, _: "" if text in words else f"one of: {', '.join(words)}"


def seat_of_table(number: int, at: StreamPlace) -> str:
    """Check the number of a seat: from 1 to the number of seats, or to MOST_SEATS in a stream that is not a game.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    seats = at.seats or MOST_SEATS
    return "" if 1 <= number <= seats else f"a seat from 1 to {seats}"


def seat_or_table(number: int, at: StreamPlace) -> str:
    """Check the number of a seat, as ``seat_of_table`` does, or 0 for the table.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    return "" if number == 0 else seat_of_table(number, at)


def earlier(number: int, at: StreamPlace) -> str:
    """Check the number of an earlier event of the same stream, from 1 to the one before it.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    return "" if 1 <= number < at.version else f"an earlier event, from 1 to {at.version - 1}"


def earlier_or_none(number: int, at: StreamPlace) -> str:
    """Check the number of an earlier event of the same stream, or 0 for none.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    return "" if number == 0 else earlier(number, at)


def entry(number: int, at: StreamPlace) -> str:
    """Check the number of a dispute or ruling.

    It is that of an earlier event, or below 0 that of an entry of the imported sheet.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    return "" if -MOST <= number < 0 else earlier(number, at)


def entry_or_none(number: int, at: StreamPlace) -> str:
    """Check the number of a dispute or ruling, as ``entry`` does, or 0 for none.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    return "" if number == 0 else entry(number, at)


def ply_reference(ref: tuple[int, int], at: StreamPlace) -> str:
    """Check a reference to a ply.

    It is a pair: the number of the earlier event that wrote the ply, and the place of its word in that event, from 0.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    return earlier(ref[0], at) or count(ref[1], at)


def result_of_game(text: str, at: StreamPlace) -> str:
    """Check a result with as many shares as the table has seats, such as ``1-0``.

    A stream without seats may have any text.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    return result_fault(text, at.seats).rpartition("expected ")[2] if at.seats else ""


def result_or_none(text: str, at: StreamPlace) -> str:
    """Check a result, as ``result_of_game`` does, or an empty text for none.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    return text and result_of_game(text, at)


def score_or_none(text: str, at: StreamPlace) -> str:
    """Check a score of as many seats as the table has, such as ``176:-88:-88``, or an empty text for none.

    A stream without seats may have any text.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    return points_fault(text, at.seats).rpartition("expected ")[2] if text and at.seats else ""


def severity(finding: Any, at: StreamPlace) -> str:
    """Check that the severity of a finding is ``error``, ``undecided`` or ``remark``.

    Returns:
        An empty text if nothing is wrong, else what was expected instead.
    """
    fault = _severity(finding.severity, at)
    return fault and f"a severity that is {fault}"


def tuple_of(check: Check) -> Check:
    """Return the check of several values, each by the check of one.

    It answers with what is wrong with the first bad one.
    """
    return lambda values, at: next((fault for value in values if (fault := check(value, at))), "")


def by_seat(check: Check) -> Check:
    """Return the check of a pair of a seat and a value, such as ``(2, "-88")``, from the check of the value.

    The seat is checked first, and must not be 0.
    """
    return lambda pair, at: seat_of_table(pair[0], at) or check(pair[1], at)


def _matching(pattern: re.Pattern[str], expected: str, *, empty: bool = False) -> Check:
    """Return the check of a text that a pattern matches from its beginning to its end.

    Args:
        pattern: The pattern.
        expected: What the check answers for any other text, such as ``a change such as -88``.
        empty: Whether an empty text is possible too.
    """
    return lambda text, _: "" if (empty and not text) or pattern.fullmatch(text) else expected


count = between(0, MOST)
time_left = _matching(CLOCK, "a time left, such as 0:12:30")
time_left_or_none = _matching(CLOCK, "a time left, such as 0:12:30", empty=True)
points_change = _matching(_CHANGE, "a change such as -88")
sha256_hex = _matching(_DIGEST, "a digest of 64 hexadecimal digits")
head_of_log = _matching(_HEAD, "a head, VERSION:DIGEST")
link_role = _matching(_ROLE, "a role: scribe, p1 …, rail, arbiter or reader")
_severity = one_of(("error", "undecided", "remark"))

# --- who may read it ---


class Declaration(Struct, frozen=True):
    """What every declaration says, beside who may read the field.

    Attributes:
        check: Which values are possible.
        refers: ``PLY`` or ``ENTRY`` if it holds numbers of events. A seat is shown other numbers, which leave out the
            events that it does not see.
        judged: True if it is what the rules said, which no seat is shown while the record is quiet.
        by_rules: True if only the rules of the game restrict it. In a record that is not judged it may be any text.
        loose: True if no check restricts it, or none did in some version. A redacted export lists its text.
    """

    check: Check = anything
    refers: str = ""
    judged: bool = False
    by_rules: bool = False
    loose: bool = False


class Public(Declaration, frozen=True, kw_only=True):
    """A field that everybody may read who may read the game.

    Attributes:
        numeric: Recognises the texts that the field is meant for. Any other text is withheld, since somebody typed it.
    """

    numeric: Callable[[str], object] | None = None

    @property
    def as_it_is(self) -> bool:
        """Whether every reader is shown the value as it was written: nothing is renumbered or withheld."""
        return not (self.refers or self.judged or self.numeric)


class Free(Declaration, frozen=True, kw_only=True):
    """A text that somebody typed and that may therefore name any card: no seat reads it, a redacted export lists it.

    Attributes:
        instead: What a seat is shown in its place.
        always: True to show that even in place of an empty text, so that nobody learns that it is empty.
    """

    instead: str = UNTOLD
    always: bool = False


class Name(Declaration, frozen=True, kw_only=True):
    """Who did it: a seat is shown seats, roles, and names of people whom it knows to be at the table.

    Attributes:
        role: The role of an official whose name everybody knows. It takes the place of the name where names are left
            out.
    """

    role: str = ""


class Secret(Declaration, frozen=True, kw_only=True):
    """A field of which a seat is shown what the rules let it know, and otherwise nothing.

    Attributes:
        instead: What a seat is shown in its place.
    """

    instead: str = ""


@cache
def stored_names(kind: type[Struct]) -> Mapping[str, str]:
    """Return by the name of each field in Python how it is called in the stored JSON: ``plies`` -> ``replaced``.

    A field that was never renamed has the same name in both. The stored names never change.
    """
    return {field.name: field.encode_name for field in fields(kind)}


@cache
def declarations(kind: type[Struct]) -> Mapping[str, Declaration | None]:
    """Return by the name of each field of a Struct how it is declared, in the order of the fields.

    Args:
        kind: An event, or what a docket (the list of disputes and rulings) shows of one.

    Returns:
        The declarations; None for a field without one, which is withheld from all but readers of the whole log.
    """
    hints = get_type_hints(kind, include_extras=True)
    metadata_by_name = {name: getattr(hints[name], "__metadata__", ()) for name in kind.__struct_fields__}
    return {
        name: next((one for one in metadata if isinstance(one, Declaration)), None)
        for name, metadata in metadata_by_name.items()
    }
