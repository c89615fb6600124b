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
from cartulary.web.asked import Inquiry, Wrong
from cartulary.web.who import WRITES

_PLAIN = r"[^\u0000-\u001F\u007F-\u009F]"
CommandId: TypeAlias = Annotated[
    str,
    Meta(
        description="An id made by the sender, of its own for each request: sent again, it stores nothing twice.",
        extra_json_schema={"minLength": 1, "pattern": rf"^{_PLAIN}*[^\s\u0000-\u001F\u007F-\u009F]{_PLAIN}*$"},
    ),
]
"""What ``command`` is; ``_check_command`` says what is wrong with one, in a sentence."""


class Done(Struct, frozen=True):
    """What is answered. body: as the command line's JSON has it; stored: whether anything was"""

    body: object
    stored: bool = True


class Deed(Struct, frozen=True):
    """A route that writes. path: with the game's id in braces; says: what it does, a line; roles: who may

    asks: what its request says; do: does it; stores: whether it may store anything
    """

    path: str
    says: str
    roles: tuple[str, ...]
    asks: type[Struct]
    do: Callable[[Inquiry, Any], Done]
    stores: bool = True


R = TypeVar("R", bound="api.Request")


def deed_of(
    path: str,
    says: str,
    roles: tuple[str, ...],
    kind: type[R],
    do: Callable[[Inquiry, R], Done],
    *,
    without: Collection[str] = ("dry",),
    needs: Collection[str] = ("command",),
    stores: bool = True,
) -> Deed:
    """Return the deed that a request of the records does over HTTP.

    Args:
        path: Where it is sent, with the game's id in braces.
        says: What it does, in a line.
        roles: Who may.
        kind: The request, whose fields are those of the body.
        do: Do it, and return what is answered.
        without: Fields that nobody sends over HTTP; who writes is never sent.
        needs: Fields that have to be sent, though the request may leave them out.
        stores: Whether it may store anything.
    """

    def act(asked: Inquiry, body: Any) -> Done:
        sent = {name: value for name, value in asdict(body).items() if value is not UNSET}
        if "command" in sent:
            _check_command(sent["command"])
        return do(asked, kind(**sent, by=asked.visitor.by))

    return Deed(path, says, roles, _body(kind, {"by", *without}, needs), act, stores)


def _body(kind: type[R], without: Collection[str], needs: Collection[str]) -> type[Struct]:
    """Return what JSON has of a request, in which nothing unknown may stand. without, needs: as of ``deed_of``"""
    body: list[Any] = []
    # The key of a request comes first, so that it is what a body without anything is said to lack.
    for each in sorted(fields(kind), key=lambda field: field.name not in ("command", "expected")):
        if each.name == "command":
            body.append((each.name, CommandId) if each.name in needs else (each.name, CommandId | UnsetType, UNSET))
        elif each.name not in without:
            default = NODEFAULT if each.name in needs else _default(each)
            body.append((each.name, each.type) if default is NODEFAULT else (each.name, each.type, default))
    return msgspec.defstruct(
        kind.__name__,
        body,
        namespace={"__doc__": (kind.__doc__ or "").partition("\n\n")[0]},
        frozen=True,
        forbid_unknown_fields=True,
        kw_only=True,
    )


def _default(field: msgspec.structs.FieldInfo) -> object:
    return msgspec.field(default_factory=field.default_factory) if field.default is NODEFAULT else field.default


def write(function: "Callable[[api.Log, str, R, Viewer], object]") -> Callable[[Inquiry, R], Done]:
    """Return what carries a request out with a function of the records and answers what that answers."""
    return lambda asked, request: Done(function(asked.store, asked.names["id"], request, asked.writer))


def play(asked: Inquiry, request: "api.WordsRequest") -> Done:
    """Play words for who asks: a seat only its own, a scribe those of the whole table."""
    answers = api.play(asked.store, asked.names["id"], request, asked.writer, own=asked.visitor.own)
    return Done([word_fields(one) for one in answers], answers[-1].stored)


def _check_command(text: str) -> None:
    """Raise Wrong for the id of a request that is none."""
    if not text.strip():
        raise Wrong(
            "The request has no `command`; give it one, a key of its own, so that it can be sent again without harm."
        )


WORDS = deed_of("/games/{id}/words", "Play words.", WRITES, api.WordsRequest, play)
