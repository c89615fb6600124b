"""What can be written over HTTP: each action with its route, who may do it and what its request says."""

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from cartulary.records import desk
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
"""What ``command`` is; ``command_of`` says what is wrong with one, in a sentence."""


class Request(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every request says. command: an id made by the sender, which makes a repeated request harmless

    expected: the version of the game that the sender has seen; None for any version
    """

    command: CommandId
    expected: int | None = None


class WordsRequest(Request, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Words to be played, all or none. words: one a ply; or a line as it is typed, numbers or not

    stands: refused ones are kept, marked; clock: the time left after the last
    """

    words: str | tuple[str, ...]
    stands: bool = False
    clock: str = ""


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


def play(asked: Inquiry, request: WordsRequest) -> Done:
    """Play words for who asks: a seat only its own, a scribe those of the whole table."""
    answers = desk.play(
        asked.store,
        asked.names["id"],
        request.words,
        by=asked.visitor.by,
        command=command_of(request.command),
        expected=request.expected,
        stands=request.stands,
        clock=request.clock,
        seat=asked.seat,
        own=asked.visitor.own,
    )
    return Done([desk.word_fields(one) for one in answers], answers[-1].stored)


def command_of(text: str) -> str:
    """Return the id of a request. Raises Wrong where there is none."""
    if not text.strip():
        raise Wrong(
            "The request has no `command`; give it one, a key of its own, so that it can be sent again without harm."
        )
    return text


def said(asked: Inquiry, request: Request) -> dict[str, Any]:
    """Return what every request says to the desk beside what it is about."""
    return {
        "store": asked.store,
        "id": asked.names["id"],
        "by": asked.visitor.by,
        "command": command_of(request.command),
        "expected": request.expected,
        "seat": asked.seat,
    }


WORDS = Deed("/games/{id}/words", "Play words.", WRITES, WordsRequest, play)
