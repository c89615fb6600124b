"""What can be written over HTTP: each action with its route, who may do it and what its request says.

The body of a request has the fields that the request declares beside the function of the records that carries it out.
Who writes is never among them: that is known from the link.
"""

from collections.abc import Callable, Collection
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict, fields

from cartulary.notation.viewer import Viewer
from cartulary.records import api
from cartulary.records.answers import word_fields
from cartulary.records.texts import keepable
from cartulary.web.inquiry import Inquiry, RequestFault
from cartulary.web.visitors import WRITES

_PLAIN = r"[^\u0000-\u001F\u007F-\u009F]"
CommandId: TypeAlias = Annotated[
    str,
    Meta(
        description="An id made by the sender, of its own for each request: sent again, it stores nothing twice.",
        extra_json_schema={"minLength": 1, "pattern": rf"^{_PLAIN}*[^\s\u0000-\u001F\u007F-\u009F]{_PLAIN}*$"},
    ),
]
"""The type of the field ``command`` in a body. ``_check_command`` refuses a blank one with a sentence."""


class ActionResult(Struct, frozen=True):
    """The answer to an action.

    Attributes:
        body: What is sent as JSON, with the fields that the command line's JSON has.
        stored: Whether anything was stored.
    """

    body: object
    stored: bool = True


class Action(Struct, frozen=True):
    """Something that can be done by an HTTP ``POST``.

    Attributes:
        path: Where it is sent, such as ``/games/{id}/words``.
        summary: One line that says what it does.
        roles: The roles that may do it.
        body_type: What the JSON body of the request is decoded to.
        carry_out: Called with the inquiry and the decoded body; returns the answer.
        stores: Whether it may store anything.
    """

    path: str
    summary: str
    roles: tuple[str, ...]
    body_type: type[Struct]
    carry_out: Callable[[Inquiry, Any], ActionResult]
    stores: bool = True


R = TypeVar("R", bound="api.Request")


def action_of(
    path: str,
    summary: str,
    roles: tuple[str, ...],
    kind: type[R],
    carry_out: Callable[[Inquiry, R], ActionResult],
    *,
    omit: Collection[str] = ("dry",),
    required_fields: Collection[str] = ("command",),
    stores: bool = True,
) -> Action:
    """Return an action whose JSON body has the fields of a request of the records.

    Args:
        path: Where it is sent, such as ``/games/{id}/words``.
        summary: One line that says what it does.
        roles: The roles that may do it.
        kind: The type of the request, such as ``ClockRequest``.
        carry_out: Called with the inquiry and the request; returns the answer.
        omit: Fields of the request that the body does not have. It never has ``by``, which is known from the link.
        required_fields: Fields that must be sent, even if the request has a default for them.
        stores: Whether it may store anything.
    """

    def decode_and_carry_out(inquiry: Inquiry, body: Any) -> ActionResult:
        """Make the request from a decoded body, with the visitor as its writer, and carry it out.

        Raises RequestFault or Unfit if the command id is blank or has control characters.
        """
        sent = {name: value for name, value in asdict(body).items() if value is not UNSET}
        if "command" in sent:
            _check_command(sent["command"])
        return carry_out(inquiry, kind(**sent, by=inquiry.visitor.by))

    return Action(path, summary, roles, _body(kind, {"by", *omit}, required_fields), decode_and_carry_out, stores)


def _body(kind: type[R], omit: Collection[str], required_fields: Collection[str]) -> type[Struct]:
    """Return a Struct with the fields that a JSON body may have; decoding refuses any other field.

    Args:
        kind: The request of the records that the body becomes; the Struct has its name.
        omit: Fields of it that no body may have.
        required_fields: Fields that every body must have.
    """
    body: list[Any] = []
    # The command id comes first, so that the fault of an empty body names it.
    for field in sorted(fields(kind), key=lambda field: field.name not in ("command", "expected")):
        if field.name == "command":
            body.append(
                (field.name, CommandId) if field.name in required_fields else (field.name, CommandId | UnsetType, UNSET)
            )
        elif field.name not in omit:
            default = NODEFAULT if field.name in required_fields else _default(field)
            body.append((field.name, field.type) if default is NODEFAULT else (field.name, field.type, default))
    return msgspec.defstruct(
        kind.__name__,
        body,
        namespace={"__doc__": (kind.__doc__ or "").partition("\n\n")[0]},
        frozen=True,
        forbid_unknown_fields=True,
        kw_only=True,
    )


def _default(field: msgspec.structs.FieldInfo) -> object:
    """Return the default of a field as ``msgspec.defstruct`` takes it; ``NODEFAULT`` for a required field."""
    return msgspec.field(default_factory=field.default_factory) if field.default is NODEFAULT else field.default


def write(function: "Callable[[api.Log, str, R, Viewer], object]") -> Callable[[Inquiry, R], ActionResult]:
    """Return a handler that calls a function of the records, such as ``api.close``, and answers what it returns."""
    return lambda inquiry, request: ActionResult(function(inquiry.store, inquiry.id, request, inquiry.writer))


def play(inquiry: Inquiry, request: "api.WordsRequest") -> ActionResult:
    """Play words and answer with a list of verdicts: one for each word, up to the first that is refused.

    A seat may play only its own words.
    """
    answers = api.play(inquiry.store, inquiry.id, request, inquiry.writer, own=inquiry.visitor.own)
    return ActionResult([word_fields(answer) for answer in answers], answers[-1].stored)


def _check_command(text: str) -> None:
    """Raise RequestFault if a command id, which makes a request safe to be sent again, is blank.

    Raises Unfit if it has control characters.
    """
    if not text.strip():
        raise RequestFault(
            "The request has no `command`; give it one, a key of its own, so that it can be sent again without harm."
        )
    keepable(text, "The command id")


WORDS = action_of("/games/{id}/words", "Play words.", WRITES, api.WordsRequest, play)
