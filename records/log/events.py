"""The events of a record: facts in the past tense that are never edited.

A body is a JSON object that a person can read; ``topics.py`` has its name in the log. A ply is referred to by the event
that wrote it and the place of the word inside that event, since ``GameImported`` and ``MovesAmended`` hold several
words. So when plies are inserted, their numbers change and no reference does. Each field is declared with who may read
it and which values are possible (``records.log.fields``).
"""

import re
from os import urandom
from typing import Annotated as Field
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation.cgn.result import points_in
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
    tuple_of,
)

Pairs: TypeAlias = tuple[tuple[str, str], ...]

_NUMBERS = re.compile(r"[-+0-9/:]+")
"""The form of a score. Early versions accepted any text."""

# --- types ---


class StoredFinding(Struct, frozen=True):
    """What the rules said of a word when it was written, or of a board when it was stated.

    Attributes:
        severity: ``error``, ``undecided`` or ``remark``.
        key: The key of the rule.
        because: The facts of the position, in one sentence; empty in a move of the first schema, which kept keys alone,
            and where a seat may only know that something is undecided.
    """

    severity: str
    key: str
    because: str


class Event(Struct, frozen=True, kw_only=True):
    """What every event has.

    Attributes:
        at: When it was written: UTC, ISO 8601.
        by: Who wrote it: ``p1`` … or a name.
        command: The key that makes it harmless to repeat the command, empty for none.
        salt: 128 random bits, added when the event is sealed, so that its digest confirms no guess at what it says.
            Empty in events of older schemas.
    """

    at: Field[str, Public(moment)]
    by: Field[str, Name()] = ""
    command: Field[str, Free(instead="")] = ""
    salt: Field[str, Secret()] = ""


class GameOpened(Event, frozen=True, kw_only=True):
    """A game was opened. It holds no names.

    Attributes:
        game: The key of the game that is played.
        edition: The edition of its rules.
        variant: The variant, as in the Variant tag.
        options: The options, as in the Options tag.
        seats: The number of seats.
        own: The game's own tags, and the house rules that it states, without who decided them.
    """

    game: Field[str, Public(nonempty, by_rules=True)]
    edition: Field[str, Public(by_rules=True)]
    variant: Field[str, Public(by_rules=True)]
    options: Field[str, Public(by_rules=True)]
    seats: Field[int, Public(between(1, MOST_SEATS))]
    own: Field[Pairs, Secret(by_rules=True)]


class TagsChanged(Event, frozen=True, kw_only=True, rename={"dropped_tags": "dropped"}):
    """Tags such as names, event and date were written or corrected.

    Attributes:
        put: Tags and values. All former values of each of these tags are replaced.
        dropped_tags: Tags that were removed.
    """

    put: Field[Pairs, Secret()]
    dropped_tags: Field[tuple[str, ...], Secret()]


class SetupCorrected(Event, frozen=True, kw_only=True):
    """What a game was set up from was corrected, such as its variant or its dealer. All plies are judged again.

    Attributes:
        put: Tags of the set-up and their values; an empty value removes the tag. Game renames a record that nobody
            judges.
        reason: Why.
    """

    put: Field[Pairs, Secret(by_rules=True)]
    reason: Field[str, Free()]


class GameImported(Event, frozen=True, kw_only=True):
    """A whole score sheet was imported.

    Attributes:
        game: The key of the game that is played.
        seats: The number of seats.
        cgn: The sheet in canonical spelling. Of its tags it has only those that the rules need: the game, its edition,
            variant and options, the set-up and the game's own tags.
        plies: The number of plies.
        result: The result, as in the Result tag.
        verdict: What the rules said of it: ``legal``, ``undecided``, ``irregular`` and so on.
        source: The name of the file, without its folders.
        digest: The SHA-256 of the canonical text of the sheet with all its tags and substitutes, in hex.
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
    """A word was played.

    Attributes:
        seat: The seat that played it, 0 for the table.
        text: The word in canonical spelling.
        findings: What the rules said of it.
        stands: True if the rules refused it and it was let stand.
        clock: The time left, as in ``[%clk]``; empty if unknown.
        quiet: True if the writer was not shown what the rules say of it. The record is quiet from then on.
    """

    seat: Field[int, Public(seat_or_table)]
    text: Field[str, Secret(nonempty, by_rules=True)]
    findings: Field[tuple[StoredFinding, ...], Secret(tuple_of(severity), judged=True)]
    stands: Field[bool, Secret(judged=True)]
    clock: Field[str, Public(time_left_or_none)]
    quiet: Field[bool, Public()] = False


class MovesAmended(Event, frozen=True, kw_only=True, rename={"plies": "replaced"}):
    """Words were corrected: new words took the place of some plies, and the plies after them remained.

    Attributes:
        event: The event of the first ply that was replaced, or before which the words were inserted; 0 to add them
            after the last ply.
        word: The place of that ply in its event.
        plies: How many plies were replaced.
        words: The new words.
        reason: Why, as somebody typed it.
        findings: What the rules said of each of the words.
        stands: True if the rules refused one of them and it was let stand.
    """

    event: Field[int, Public(earlier_or_none, refers=PLY)]
    word: Field[int, Public(count)]
    plies: Field[int, Public(count)]
    words: Field[tuple[str, ...], Secret(tuple_of(nonempty), by_rules=True)]
    reason: Field[str, Free()]
    findings: Field[tuple[tuple[StoredFinding, ...], ...], Secret(tuple_of(tuple_of(severity)), judged=True)]
    stands: Field[bool, Secret(judged=True)]


class MoveTakenBack(Event, frozen=True, kw_only=True, rename={"agreed_by": "agreed"}):
    """A ply and all plies after it were taken back.

    Attributes:
        event: The event of the ply.
        word: The place of the ply in its event.
        plies: How many plies were taken back.
        agreed_by: Who agreed, empty if nobody was asked.
        reason: Why, as somebody typed it.
    """

    event: Field[int, Public(earlier, refers=PLY)]
    word: Field[int, Public(count)]
    plies: Field[int, Public(between(1, MOST))]
    agreed_by: Field[str, Name()]
    reason: Field[str, Free()]


class MovesRedone(Event, frozen=True, kw_only=True):
    """The plies that the last undo took back were played again.

    Attributes:
        event: The event that took them back.
        plies: How many plies were played again.
        agreed_by: Who agreed, empty if nobody was asked.
        reason: Why, as somebody typed it.
    """

    event: Field[int, Public(earlier, refers=ENTRY)]
    plies: Field[int, Public(between(1, MOST))]
    agreed_by: Field[str, Name()] = ""
    reason: Field[str, Free()] = ""


class NoteReplaced(Event, frozen=True, kw_only=True):
    """The whole annotation of a ply, or of the game, was replaced.

    Attributes:
        event: The event of the ply, 0 for the game as a whole.
        word: The place of the ply in its event.
        text: What follows the word in CGN: glyphs, comments and variations; empty if all of it was removed.
    """

    event: Field[int, Public(earlier_or_none, refers=PLY)]
    word: Field[int, Public(count)]
    text: Field[str, Free()]


class ClockCorrected(Event, frozen=True, kw_only=True):
    """The time left after a ply was written or corrected.

    Attributes:
        event: The event of the ply.
        word: The place of the ply in its event.
        clock: The time left, as in ``[%clk]``.
        reason: Why, as somebody typed it.
    """

    event: Field[int, Public(earlier, refers=PLY)]
    word: Field[int, Public(count)]
    clock: Field[str, Public(time_left)]
    reason: Field[str, Free()]


class BoardStated(Event, frozen=True, kw_only=True):
    """Somebody stated what lay on the table after a ply.

    Attributes:
        event: The event of the ply, 0 for the position before the first one.
        word: The place of the ply in its event.
        text: The position, spelled as in the set-up tag of the game.
        findings: How it differed from the moves on record.
    """

    event: Field[int, Public(earlier_or_none, refers=PLY)]
    word: Field[int, Public(count)]
    text: Field[str, Public(by_rules=True)]
    findings: Field[tuple[StoredFinding, ...], Public(tuple_of(severity), judged=True)]


class PlayerSeated(Event, frozen=True, kw_only=True):
    """Somebody else sat down at a seat and played on from there.

    Attributes:
        seat: The seat.
        event: The event of the ply after which they sat down, 0 for before the first.
        word: The place of the ply in its event.
        name: Who sat down, ``?`` if nobody knows; empty if nobody did after all.
    """

    seat: Field[int, Public(seat_of_table)]
    event: Field[int, Public(earlier_or_none, refers=PLY)]
    word: Field[int, Public(count)]
    name: Field[str, Public(loose=True)]


class MadeQuiet(Event, frozen=True, kw_only=True):
    """A record was made quiet: no seat is shown what the rules say of it until it is revealed or closed."""


class RecordRevealed(Event, frozen=True, kw_only=True):
    """A quiet record was revealed: what the rules say of it is shown again."""


class GameClosed(Event, frozen=True, kw_only=True):
    """The game was closed.

    Attributes:
        result: The result, as in the Result tag.
        termination: How the game ended, as in the Termination tag.
        score: The score, as in the Score tag.
    """

    result: Field[str, Public(result_of_game)]
    termination: Field[str, Public()]
    score: Field[str, Public(numeric=_NUMBERS.fullmatch, loose=True)]


class GameReopened(Event, frozen=True, kw_only=True):
    """A closed game was opened again."""

    reason: Field[str, Free()]


class GameSetAside(Event, frozen=True, kw_only=True):
    """The game was set aside as a duplicate or a mistake, or counted again. The record itself does not change.

    Attributes:
        counts: True if the game counts again, false if lists and standings leave it out from now on.
        reason: Why, as somebody typed it.
    """

    counts: Field[bool, Public()]
    reason: Field[str, Free()]


class RecordAgreed(Event, frozen=True, kw_only=True):
    """A seat signed off the closed record.

    Attributes:
        seat: The seat.
        head: The head of the record it agreed with, ``VERSION:DIGEST``.
    """

    seat: Field[int, Public(seat_of_table)]
    head: Field[str, Secret(head_of_log)]


class SheetKept(Event, frozen=True, kw_only=True):
    """Another sheet of the same game was stored with it, as evidence.

    Attributes:
        cgn: The whole sheet, its words as they were written.
        source: The name of the file, without its folders.
        digest: The SHA-256 of that text, in hex.
    """

    cgn: Field[str, Secret(nonempty)]
    source: Field[str, Free(instead="")]
    digest: Field[str, Secret(sha256_hex)]


class SourceKept(Event, frozen=True, kw_only=True):
    """The text of a game that was imported from another format was stored.

    Attributes:
        format: The name of the format, such as ``pgn``.
        text: The text that was read, with newlines as line ends.
        results: Whose result the text names first, in formats whose files differ in that. Empty in older events.
    """

    format: Field[str, Public(nonempty, loose=True)]
    text: Field[str, Free(always=True)]
    results: Field[str, Public(loose=True)] = ""


class DisputeRaised(Event, frozen=True, kw_only=True):
    """Somebody (``by``) disputed a ply, or the game as a whole.

    Attributes:
        event: The event of the ply, 0 for the game as a whole.
        word: The place of the ply in its event.
        claim: What is wrong, in their own words.
        cites: The sheets that are to prove it, by the events that stored them.
    """

    event: Field[int, Public(earlier_or_none, refers=PLY)]
    word: Field[int, Public(count)]
    claim: Field[str, Free(always=True)]
    cites: Field[tuple[int, ...], Public(tuple_of(earlier), refers=ENTRY)] = ()


class DisputeWithdrawn(Event, frozen=True, kw_only=True):
    """A dispute was withdrawn.

    Attributes:
        event: The event that raised it; below 0, the dispute of that number on the imported sheet.
        reason: Why, as somebody typed it.
    """

    event: Field[int, Public(entry, refers=ENTRY)]
    reason: Field[str, Free()]


class RulingGiven(Event, frozen=True, kw_only=True):
    """An arbiter gave a ruling. It alters no event before it; the game is worked out with it from then on.

    Attributes:
        plies: The event and the place of each ply it is about, in order; empty for the game as a whole.
        arbiter: The name of the arbiter.
        decision: ``stands``, ``void`` (the plies are removed), ``amended`` (``words`` take their place), ``penalty``,
            ``score``, ``result`` or ``revoked``.
        words: The words that take the place of the plies.
        penalties: Seats and their penalties, in the arbiter's words.
        result: The result, as in the Result tag.
        keys: The keys of the rules that are cited.
        dispute: The event that raised the dispute which it answers, 0 for none.
        reason: Why, in the arbiter's words.
        points: Seats and the change of their scores, such as ``-88``.
        score: The score by this ruling, as in the Score tag.
        revokes: The event of the ruling that no longer counts; below 0, the ruling of that number on the imported
            sheet.
        cites: The sheets it rests on, by the events that stored them.
    """

    plies: Field[tuple[tuple[int, int], ...], Public(tuple_of(ply_reference), refers=PLY)]
    arbiter: Field[str, Name(role="arbiter")]
    decision: Field[str, Public(one_of(DECISIONS))]
    words: Field[tuple[str, ...], Secret(tuple_of(nonempty), by_rules=True)]
    penalties: Field[tuple[tuple[int, str], ...], Free(tuple_of(by_seat(anything)))]
    result: Field[str, Public(result_or_none)]
    keys: Field[tuple[str, ...], Public(tuple_of(nonempty))]
    dispute: Field[int, Public(entry_or_none, refers=ENTRY)]
    reason: Field[str, Free()]
    points: Field[tuple[tuple[int, str], ...], Public(tuple_of(by_seat(points_change)), numeric=points_in)] = ()
    score: Field[str, Public(score_or_none, numeric=points_in, loose=True)] = ""
    revokes: Field[int, Public(entry_or_none, refers=ENTRY)] = 0
    cites: Field[tuple[int, ...], Public(tuple_of(earlier), refers=ENTRY)] = ()


class WordDeclined(Event, frozen=True, kw_only=True):
    """Words of a seat were not written: what it has seen allows them, but the whole record forbids the last one.

    Only the arbiter sees this event.

    Attributes:
        seat: The seat.
        words: The words as it typed them.
        findings: Why the record forbids the last one.
    """

    seat: Field[int, Secret(seat_of_table)]
    words: Field[tuple[str, ...], Secret(tuple_of(nonempty), by_rules=True)]
    findings: Field[tuple[StoredFinding, ...], Secret(tuple_of(severity))]


class Withheld(Event, frozen=True, kw_only=True, rename={"body_hash": "hashed"}):
    """An event whose body an export left out; it is never stored. Who wrote it and when were in the body.

    Attributes:
        kind: The kind of the event: its topic without the number of the schema.
        body_hash: The SHA-256 of the body, in hex.
    """

    kind: Field[str, Public()]
    body_hash: Field[str, Secret()]


WITHHOLDABLE = ("tags-changed", "player-seated", "annotated", "sheet-kept", "source-kept")
"""The kinds whose bodies may be left out: those that hold neither a move nor anything needed to read a move."""


def with_salt(event: Event) -> Event:
    """Return a copy of the event with a new random salt: 16 bytes in hex.

    The salt keeps others from guessing a body that was left out from its digest.
    """
    return replace(event, salt=new_salt())


def new_salt() -> str:
    """Return a new random salt: 16 bytes in hex."""
    return urandom(16).hex()
