"""The events of a record: facts, past tense, never edited; their topics, and how old bodies are read today.

A body is a JSON object a person can read. Its *topic* is a stable name and a schema number, never a class path.
A ply is referred to by the event that wrote it and the word inside that event (``GameImported`` and ``MovesAmended``
hold several), so that an insertion moves plies and no reference. This module knows no storage and no rules.
"""

import secrets
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

Pairs: TypeAlias = tuple[tuple[str, str], ...]

# --- types ---


class Found(Struct, frozen=True):
    """What the arbiter said of a word when it was written. severity: error, undecided or remark."""

    severity: str
    key: str
    because: str


class Event(Struct, frozen=True, kw_only=True):
    """The envelope. at: UTC, ISO 8601; by: who wrote it, ``p1`` … or a name; command: the id that makes a
    repeated command harmless, empty for none.

    salt: 128 random bits, put in when the event is sealed, so that no digest confirms a guess at what it says; empty
    in events of older schemas
    """

    at: str
    by: str = ""
    command: str = ""
    salt: str = ""


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
    """A word was played. text: canonical; stands: refused and let stand; clock: as in ``[%clk]``, empty unknown.

    quiet: who wrote it was not told what the rules say of it; from then on the record is quiet
    """

    seat: int
    text: str
    findings: tuple[Found, ...]
    stands: bool
    clock: str
    quiet: bool = False


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


class ClockCorrected(Event, frozen=True, kw_only=True):
    """The time left after the ply referred to was written, or corrected. clock: as in ``[%clk]``."""

    event: int
    word: int
    clock: str
    reason: str


class BoardStated(Event, frozen=True, kw_only=True):
    """What lay on the table after the ply referred to (event 0: before the first) was stated.

    text: as the game's set-up tag spells it; findings: what it showed then
    """

    event: int
    word: int
    text: str
    findings: tuple[Found, ...]


class MadeQuiet(Event, frozen=True, kw_only=True):
    """A record was made quiet: no seat is told what the rules say of it until it is revealed or closed."""


class Revealed(Event, frozen=True, kw_only=True):
    """A quiet record was revealed: what the rules say of it is told again."""


class GameClosed(Event, frozen=True, kw_only=True):
    """The game was closed. result: as in the Result tag; termination: as in the Termination tag."""

    result: str
    termination: str
    score: str


class GameReopened(Event, frozen=True, kw_only=True):
    """A closed game was opened again."""

    reason: str


class RecordAgreed(Event, frozen=True, kw_only=True):
    """A seat agreed with the closed record as it stood. head: of the log it agreed with, VERSION:DIGEST"""

    seat: int
    head: str


class SheetKept(Event, frozen=True, kw_only=True):
    """Another sheet of the same game was kept with it, as evidence. cgn: the whole of it,
    its words as they were written

    source: the file's name without its folders; digest: SHA-256 of that text, in hex
    """

    cgn: str
    source: str
    digest: str


class SourceKept(Event, frozen=True, kw_only=True):
    """An imported game was written in another format. text: what was read, its line ends as newlines

    format: its name, such as ``pgn``
    results: whose result it names first, where files of its format differ; empty in events made before
    """

    format: str
    text: str
    results: str = ""


class DisputeRaised(Event, frozen=True, kw_only=True):
    """A ply (event 0: the game as a whole) was disputed. by: who disputes it; claim: what is wrong, in their words.

    cites: the sheets that are to show it, by the events that kept them
    """

    event: int
    word: int
    claim: str
    cites: tuple[int, ...] = ()


class DisputeWithdrawn(Event, frozen=True, kw_only=True):
    """A dispute was given up. event: the one that raised it; below 0 one that the imported sheet tells of."""

    event: int
    reason: str


class RulingGiven(Event, frozen=True, kw_only=True):
    """An arbiter decided. It adds to the log and alters no event; how the game stands follows from it.

    plies: event and word of each ply it is on, one behind the other; empty for the game as a whole
    decision: stands, void (the plies are taken out), amended (they give way to ``words``), penalty, score, result or
    revoked
    penalties: seat and what it costs, in words; result: as in the Result tag; keys: the clauses cited
    dispute: the event that raised the dispute it answers, 0 for none named
    points: seat and what its score changes by, ``-88``; score: what the score is by this ruling, as in the Score tag
    revokes: the ruling that counts no more, by its event, below 0 one that the imported sheet tells of
    cites: the sheets it rests on, by the events that kept them
    """

    plies: tuple[tuple[int, int], ...]
    arbiter: str
    decision: str
    words: tuple[str, ...]
    penalties: tuple[tuple[int, str], ...]
    result: str
    keys: tuple[str, ...]
    dispute: int
    reason: str
    points: tuple[tuple[int, str], ...] = ()
    score: str = ""
    revokes: int = 0
    cites: tuple[int, ...] = ()


class WordDeclined(Event, frozen=True, kw_only=True):
    """A seat's words were not written: what it has seen allows them, and the record forbids the last of them.

    No seat is told of it. words: as the seat typed them; findings: why the record forbids the last one
    """

    seat: int
    words: tuple[str, ...]
    findings: tuple[Found, ...]


class Withheld(Event, frozen=True, kw_only=True):
    """Stands where an export left a body out; never written by the desk. Who and when were in the body: here empty.

    kind: what the event was, its topic without the schema number; hashed: SHA-256 of the body, in hex
    """

    kind: str
    hashed: str


WITHHOLDABLE = ("tags-changed", "annotated", "sheet-kept", "source-kept")
"""The kinds whose bodies may be left out: no move, and nothing the reading of a move rests on, stands in them."""


def salted(event: Event) -> Event:
    """Return the event with salt of its own."""
    return replace(event, salt=secrets.token_hex(16))
