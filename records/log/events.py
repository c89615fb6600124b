"""The events of a record: facts, past tense, never edited; their topics, and how old bodies are read today.

A body is a JSON object a person can read. Its *topic* is a stable name and a schema number, never a class path.
A ply is referred to by the event that wrote it and the word inside that event (``GameImported`` and ``MovesAmended``
hold several), so that an insertion moves plies and no reference. Each field is declared with who may read it and what
may stand in it (``records.log.fields``). This module knows no storage and no rules.
"""

import re
import secrets
from typing import Annotated as Field
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation.score import points_in
from cartulary.records.log.fields import (
    DECISIONS,
    ENTRY,
    MOST,
    MOST_SEATS,
    PLY,
    Free,
    Name,
    Public,
    Secret,
    anything,
    between,
    by_seat,
    count,
    each,
    earlier,
    earlier_or_none,
    entry,
    entry_or_none,
    head_of_log,
    moment,
    nonempty,
    one_of,
    ply_reference,
    points_change,
    result_of_game,
    result_or_none,
    score_or_none,
    seat_of_table,
    seat_or_table,
    severity,
    sha256_hex,
    time_left,
    time_left_or_none,
)

Pairs: TypeAlias = tuple[tuple[str, str], ...]

_NUMBERS = re.compile(r"[-+0-9/:]+")
"""What a score is at the least; early versions kept any text as one."""

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

    at: Field[str, Public(moment)]
    by: Field[str, Name()] = ""
    command: Field[str, Free(instead="")] = ""
    salt: Field[str, Secret()] = ""


class GameOpened(Event, frozen=True, kw_only=True):
    """A game began. game: its key; options: as in the Options tag; own: the game's own tags. No names."""

    game: Field[str, Public(nonempty, by_rules=True)]
    edition: Field[str, Public(by_rules=True)]
    variant: Field[str, Public(by_rules=True)]
    options: Field[str, Public(by_rules=True)]
    seats: Field[int, Public(between(1, MOST_SEATS))]
    own: Field[Pairs, Secret(by_rules=True)]


class TagsChanged(Event, frozen=True, kw_only=True):
    """Names, event, date and the like were written or corrected. put: every former value of each name is replaced
    by those given here; dropped: names taken away."""

    put: Field[Pairs, Secret()]
    dropped: Field[tuple[str, ...], Secret()]


class GameImported(Event, frozen=True, kw_only=True):
    """A score sheet was taken in whole.

    cgn: the sheet in canonical spelling without the tags that name people and places
    source: the file's name without its folders; digest: SHA-256 of the whole sheet's canonical text, in hex
    """

    game: Field[str, Public(nonempty, by_rules=True)]
    seats: Field[int, Public(between(1, MOST_SEATS))]
    cgn: Field[str, Secret(nonempty)]
    plies: Field[int, Secret(count)]
    result: Field[str, Secret()]
    verdict: Field[str, Secret(nonempty, judged=True)]
    source: Field[str, Free(instead="")]
    digest: Field[str, Secret(sha256_hex)]


class MovePlayed(Event, frozen=True, kw_only=True):
    """A word was played. text: canonical; stands: refused and let stand; clock: as in ``[%clk]``, empty unknown.

    quiet: who wrote it was not told what the rules say of it; from then on the record is quiet
    """

    seat: Field[int, Public(seat_or_table)]
    text: Field[str, Secret(nonempty, by_rules=True)]
    findings: Field[tuple[Found, ...], Secret(each(severity), judged=True)]
    stands: Field[bool, Secret(judged=True)]
    clock: Field[str, Public(time_left_or_none)]
    quiet: Field[bool, Public()] = False


class MovesAmended(Event, frozen=True, kw_only=True):
    """Words were corrected: ``replaced`` plies from the one referred to gave way to ``words``; the tail is kept.

    event, word: the first ply replaced, or the one the words were put before; event 0 means after the last ply
    findings: one tuple for each of the words
    """

    event: Field[int, Public(earlier_or_none, refers=PLY)]
    word: Field[int, Public(count)]
    replaced: Field[int, Public(count)]
    words: Field[tuple[str, ...], Secret(each(nonempty), by_rules=True)]
    reason: Field[str, Free()]
    findings: Field[tuple[tuple[Found, ...], ...], Secret(each(each(severity)), judged=True)]
    stands: Field[bool, Secret(judged=True)]


class MoveTakenBack(Event, frozen=True, kw_only=True):
    """The ply referred to and all after it were taken back. agreed: who agreed, empty if nobody was asked."""

    event: Field[int, Public(earlier, refers=PLY)]
    word: Field[int, Public(count)]
    plies: Field[int, Public(between(1, MOST))]
    agreed: Field[str, Name()]
    reason: Field[str, Free()]


class Annotated(Event, frozen=True, kw_only=True):
    """A ply's whole annotation was written anew (event 0: the game's).

    text: what stands behind the word: glyphs, comments and variations as CGN; empty takes all of it away
    """

    event: Field[int, Public(earlier_or_none, refers=PLY)]
    word: Field[int, Public(count)]
    text: Field[str, Free()]


class ClockCorrected(Event, frozen=True, kw_only=True):
    """The time left after the ply referred to was written, or corrected. clock: as in ``[%clk]``."""

    event: Field[int, Public(earlier, refers=PLY)]
    word: Field[int, Public(count)]
    clock: Field[str, Public(time_left)]
    reason: Field[str, Free()]


class BoardStated(Event, frozen=True, kw_only=True):
    """What lay on the table after the ply referred to (event 0: before the first) was stated.

    text: as the game's set-up tag spells it; findings: what it showed then
    """

    event: Field[int, Public(earlier_or_none, refers=PLY)]
    word: Field[int, Public(count)]
    text: Field[str, Public(by_rules=True)]
    findings: Field[tuple[Found, ...], Public(each(severity), judged=True)]


class MadeQuiet(Event, frozen=True, kw_only=True):
    """A record was made quiet: no seat is told what the rules say of it until it is revealed or closed."""


class Revealed(Event, frozen=True, kw_only=True):
    """A quiet record was revealed: what the rules say of it is told again."""


class GameClosed(Event, frozen=True, kw_only=True):
    """The game was closed. result: as in the Result tag; termination: as in the Termination tag."""

    result: Field[str, Public(result_of_game)]
    termination: Field[str, Public()]
    score: Field[str, Public(numeric=_NUMBERS.fullmatch, loose=True)]


class GameReopened(Event, frozen=True, kw_only=True):
    """A closed game was opened again."""

    reason: Field[str, Free()]


class RecordAgreed(Event, frozen=True, kw_only=True):
    """A seat agreed with the closed record as it stood. head: of the log it agreed with, VERSION:DIGEST"""

    seat: Field[int, Public(seat_of_table)]
    head: Field[str, Secret(head_of_log)]


class SheetKept(Event, frozen=True, kw_only=True):
    """Another sheet of the same game was kept with it, as evidence. cgn: the whole of it,
    its words as they were written

    source: the file's name without its folders; digest: SHA-256 of that text, in hex
    """

    cgn: Field[str, Secret(nonempty)]
    source: Field[str, Free(instead="")]
    digest: Field[str, Secret(sha256_hex)]


class SourceKept(Event, frozen=True, kw_only=True):
    """An imported game was written in another format. text: what was read, its line ends as newlines

    format: its name, such as ``pgn``
    results: whose result it names first, where files of its format differ; empty in events made before
    """

    format: Field[str, Public(nonempty, loose=True)]
    text: Field[str, Free(always=True)]
    results: Field[str, Public(loose=True)] = ""


class DisputeRaised(Event, frozen=True, kw_only=True):
    """A ply (event 0: the game as a whole) was disputed. by: who disputes it; claim: what is wrong, in their words.

    cites: the sheets that are to show it, by the events that kept them
    """

    event: Field[int, Public(earlier_or_none, refers=PLY)]
    word: Field[int, Public(count)]
    claim: Field[str, Free(always=True)]
    cites: Field[tuple[int, ...], Public(each(earlier), refers=ENTRY)] = ()


class DisputeWithdrawn(Event, frozen=True, kw_only=True):
    """A dispute was given up. event: the one that raised it; below 0 one that the imported sheet tells of."""

    event: Field[int, Public(entry, refers=ENTRY)]
    reason: Field[str, Free()]


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

    plies: Field[tuple[tuple[int, int], ...], Public(each(ply_reference), refers=PLY)]
    arbiter: Field[str, Name(role="arbiter")]
    decision: Field[str, Public(one_of(DECISIONS))]
    words: Field[tuple[str, ...], Secret(each(nonempty), by_rules=True)]
    penalties: Field[tuple[tuple[int, str], ...], Free(each(by_seat(anything)))]
    result: Field[str, Public(result_or_none)]
    keys: Field[tuple[str, ...], Public(each(nonempty))]
    dispute: Field[int, Public(entry_or_none, refers=ENTRY)]
    reason: Field[str, Free()]
    points: Field[tuple[tuple[int, str], ...], Public(each(by_seat(points_change)), numeric=points_in)] = ()
    score: Field[str, Public(score_or_none, numeric=points_in, loose=True)] = ""
    revokes: Field[int, Public(entry_or_none, refers=ENTRY)] = 0
    cites: Field[tuple[int, ...], Public(each(earlier), refers=ENTRY)] = ()


class WordDeclined(Event, frozen=True, kw_only=True):
    """A seat's words were not written: what it has seen allows them, and the record forbids the last of them.

    No seat is told of it. words: as the seat typed them; findings: why the record forbids the last one
    """

    seat: Field[int, Secret(seat_of_table)]
    words: Field[tuple[str, ...], Secret(each(nonempty), by_rules=True)]
    findings: Field[tuple[Found, ...], Secret(each(severity))]


class Withheld(Event, frozen=True, kw_only=True):
    """Stands where an export left a body out; never written by the desk. Who and when were in the body: here empty.

    kind: what the event was, its topic without the schema number; hashed: SHA-256 of the body, in hex
    """

    kind: Field[str, Public()]
    hashed: Field[str, Secret()]


WITHHOLDABLE = ("tags-changed", "annotated", "sheet-kept", "source-kept")
"""The kinds whose bodies may be left out: no move, and nothing the reading of a move rests on, stands in them."""


def with_salt(event: Event) -> Event:
    """Return the event with salt of its own."""
    return replace(event, salt=secrets.token_hex(16))
