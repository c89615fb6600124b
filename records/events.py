"""The events of a record: facts, past tense, never edited; their topics, and how old bodies are read today.

A body is a JSON object a person can read. Its *topic* is a stable name and a schema number, never a class path.
A ply is referred to by the event that wrote it and the word inside that event (``GameImported`` and ``MovesAmended``
hold several), so that an insertion moves plies and no reference. This module knows no storage and no rules.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

Pairs: TypeAlias = tuple[tuple[str, str], ...]
Body: TypeAlias = dict[str, Any]

# --- types ---


class Found(Struct, frozen=True):
    """What the arbiter said of a word when it was written. severity: error, undecided or remark."""

    severity: str
    key: str
    because: str


class Event(Struct, frozen=True, kw_only=True):
    """The envelope. at: UTC, ISO 8601; by: who wrote it, ``p1`` … or a name; command: the id that makes a
    repeated command harmless, empty for none."""

    at: str
    by: str = ""
    command: str = ""


class GameOpened(Event, frozen=True, kw_only=True):
    """A game began. game: its key; options: as in the Options tag; own: the game's own tags. No names."""

    game: str
    edition: str
    variant: str
    options: str
    seats: int
    own: Pairs


class TagsChanged(Event, frozen=True, kw_only=True):
    """Names, event, date and the like were written or corrected. put: every former value of each name is replaced
    by those given here; dropped: names taken away."""

    put: Pairs
    dropped: tuple[str, ...]


class GameImported(Event, frozen=True, kw_only=True):
    """A score sheet was taken in whole.

    cgn: the sheet in canonical spelling without the tags that name people and places
    source: the file's name without its folders; digest: SHA-256 of the whole sheet's canonical text, in hex
    """

    game: str
    seats: int
    cgn: str
    plies: int
    result: str
    verdict: str
    source: str
    digest: str


class MovePlayed(Event, frozen=True, kw_only=True):
    """A word was played. text: canonical; stands: refused and let stand; clock: as in ``[%clk]``, empty unknown."""

    seat: int
    text: str
    findings: tuple[Found, ...]
    stands: bool
    clock: str


class MovesAmended(Event, frozen=True, kw_only=True):
    """Words were corrected: ``replaced`` plies from the one referred to gave way to ``words``; the tail is kept.

    event, word: the first ply replaced, or the one the words were put before; event 0 means after the last ply
    findings: one tuple for each of the words
    """

    event: int
    word: int
    replaced: int
    words: tuple[str, ...]
    reason: str
    findings: tuple[tuple[Found, ...], ...]
    stands: bool


class MoveTakenBack(Event, frozen=True, kw_only=True):
    """The ply referred to and all after it were taken back. agreed: who agreed, empty if nobody was asked."""

    event: int
    word: int
    plies: int
    agreed: str
    reason: str


class Annotated(Event, frozen=True, kw_only=True):
    """A ply's whole annotation was written anew (event 0: the game's).

    text: what stands behind the word: glyphs, comments and variations as CGN; empty takes all of it away
    """

    event: int
    word: int
    text: str


class GameClosed(Event, frozen=True, kw_only=True):
    """The game was closed. result: as in the Result tag; termination: as in the Termination tag."""

    result: str
    termination: str
    score: str


class GameReopened(Event, frozen=True, kw_only=True):
    """A closed game was opened again."""

    reason: str


# --- upcasting ---


def _played_1_to_2(body: Body) -> Body:
    """Schema 1 knew no clocks and kept the keys of the findings only."""
    found = [{"severity": "error", "key": key, "because": ""} for key in body["findings"]]
    return {**body, "clock": "", "findings": found}


# --- topics ---

TOPICS: dict[type[Event], str] = {
    GameOpened: "game-opened/1",
    TagsChanged: "tags-changed/1",
    GameImported: "game-imported/1",
    MovePlayed: "move-played/2",
    MovesAmended: "moves-amended/1",
    MoveTakenBack: "move-taken-back/1",
    Annotated: "annotated/1",
    GameClosed: "game-closed/1",
    GameReopened: "game-reopened/1",
}

UPCASTS: dict[str, tuple[str, Callable[[Body], Body]]] = {
    "move-played/1": ("move-played/2", _played_1_to_2),
}

_encode = msgspec.json.Encoder().encode
_types = {topic: type_ for type_, topic in TOPICS.items()}
_decoders: dict[str, Callable[[bytes], Any]] = {
    topic: msgspec.json.Decoder(type_).decode for type_, topic in TOPICS.items()
}


def encode(event: Event) -> tuple[str, bytes]:
    """Return the event's topic and the bytes of its body."""
    return TOPICS[type(event)], _encode(event)


def decode(topic: str, body: bytes) -> Event:
    """Return the event a body of this topic says; bodies of older schemas are brought up to date first.

    More lenient than the schema: fields it does not know are ignored.
    Raises ValueError, with a sentence, for a topic nobody knows and for bytes that are no such body.
    """
    decoder = _decoders.get(topic)
    try:
        if decoder is not None:
            event: Event = decoder(body)
            return event
        if topic in UPCASTS:
            return _upcast(topic, body)
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError) as fault:
        raise ValueError(f"The event is not a readable {topic}: {fault}") from None
    raise ValueError(f"The event is a {topic!r}, which this version does not know")


def _upcast(topic: str, body: bytes) -> Event:
    values = msgspec.json.decode(body, type=dict[str, Any])
    while topic in UPCASTS:
        topic, change = UPCASTS[topic]
        values = change(values)
    event: Event = msgspec.convert(values, _types[topic])
    return event
