"""What a request is answered that cannot be carried out: for each fault a status and a sentence."""

import os
import sys
from collections.abc import Mapping
from http import HTTPStatus

from msgspec import Struct

from cartulary.engine.deadline import DeadlineExceeded
from cartulary.notation import NotationError
from cartulary.notation.arbiter.positions import NoPly
from cartulary.notation.cgn.controls import visible
from cartulary.notation.roster import fault_of_game
from cartulary.records.faults import (
    Conflict,
    Damaged,
    Declined,
    DiskFull,
    Fault,
    ReadOnly,
    StoreFault,
    Unfit,
    UninstalledGame,
    UnknownGame,
    Unread,
    WrongAnswer,
)
from cartulary.web.inquiry import RequestFault
from cartulary.web.visitors import LogUnreachable, is_unreachable

STATUS: tuple[tuple[type[Exception], HTTPStatus], ...] = (
    (UnknownGame, HTTPStatus.NOT_FOUND),
    (NoPly, HTTPStatus.NOT_FOUND),
    (UninstalledGame, HTTPStatus.NOT_IMPLEMENTED),
    (Unfit, HTTPStatus.BAD_REQUEST),
    (Declined, HTTPStatus.CONFLICT),
    (Conflict, HTTPStatus.CONFLICT),
    (Unread, HTTPStatus.UNPROCESSABLE_ENTITY),
    (Damaged, HTTPStatus.INTERNAL_SERVER_ERROR),
    (ReadOnly, HTTPStatus.FORBIDDEN),
    (StoreFault, HTTPStatus.SERVICE_UNAVAILABLE),
    (Fault, HTTPStatus.BAD_REQUEST),
)
"""The status of each kind of fault; the first kind that a fault belongs to counts."""
NO_ROUTE = {
    404: "There is no such page; start from the games, the search or the rules.",
    405: "This address does not accept such a request; /openapi.json lists those it accepts.",
}
"""The sentence for a path or a method without a route, by status."""
TOO_LONG = "What the rules say about this takes too long to work out here; the command line waits for the answer."
NOT_STORED = " Nothing was stored."
LOST_RACE = "Others kept writing to {id} at the same time. Nothing was stored; send it again."
ONLY_READ = "This desk may only read its log, so nothing was stored. Tell whoever runs the evening."
FULL = "The disk of this desk is full, so nothing was stored. Tell whoever runs the evening."
INTERNAL = "The program itself has a fault; please report it with the address of this page."


class FaultAnswer(Struct, frozen=True):
    """Why a request was not carried out.

    Attributes:
        sentence: The reason.
        status: The HTTP status.
        fields: What a JSON answer has beside the sentence.
    """

    sentence: str
    status: int
    fields: Mapping[str, object] = {}


def answer_to(fault: Exception, *, is_operator: bool, writes: bool) -> FaultAnswer | None:
    """Return how a fault is answered; None if the log cannot be reached, for which everybody gets one answer.

    Only the operator learns where the log is. A fault of the program itself is written to standard error, or raised
    again if ``CARTULARY_DEBUG`` is set.

    Args:
        fault: What was raised.
        is_operator: Whether the request is the operator's.
        writes: Whether the request was to store something.
    """
    if isinstance(fault, DeadlineExceeded):
        status = HTTPStatus.UNPROCESSABLE_ENTITY if writes else HTTPStatus.SERVICE_UNAVAILABLE
        return FaultAnswer(TOO_LONG + NOT_STORED * writes, status)
    if isinstance(fault, RequestFault):
        return FaultAnswer(str(fault), fault.status, fault.fields)
    if isinstance(fault, LogUnreachable):
        return FaultAnswer(FULL, HTTPStatus.INSUFFICIENT_STORAGE) if isinstance(fault.__cause__, DiskFull) else None
    if isinstance(fault, DiskFull):
        return FaultAnswer(str(fault) if is_operator else FULL, HTTPStatus.INSUFFICIENT_STORAGE)
    if isinstance(fault, (Fault, NotationError)):
        if not is_operator and is_unreachable(fault):
            return None
        status = next((status for kind, status in STATUS if isinstance(fault, kind)), HTTPStatus.BAD_REQUEST)
        sentence = ONLY_READ if not is_operator and isinstance(fault, ReadOnly) else _sentence(fault)
        return FaultAnswer(sentence, status, _fields(fault))
    if os.environ.get("CARTULARY_DEBUG"):
        raise fault
    own = f"The program itself has a fault: {visible(repr(fault))}"
    sys.stderr.write(f"cartulary: {visible(fault_of_game(fault)) or own}\n")
    return FaultAnswer(INTERNAL, HTTPStatus.INTERNAL_SERVER_ERROR)


def _fields(fault: Exception) -> dict[str, object]:
    """Return what a script needs to know of a fault, as fields of JSON; for most faults nothing.

    These are the versions of a conflict, the field of a wrong answer, or the word that cannot be read and its column.
    """
    if isinstance(fault, Conflict):
        return {"expected": fault.expected, "actual": fault.actual}
    if isinstance(fault, WrongAnswer):
        return {"field": fault.tag}
    return {"word": fault.text, "column": fault.column} if isinstance(fault, Unread) else {}


def _sentence(fault: Exception) -> str:
    """Return a fault as a sentence; the reason why a text cannot be read gets a capital letter and a full stop."""
    because = fault.because if isinstance(fault, (NotationError, Unread)) else ""
    return f"{because[:1].upper()}{because[1:]}." if because else str(fault)
