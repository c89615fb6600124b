"""The book: what a record's events say was written, before any rule is asked.

Events in, the score sheet as it stands now out: tags, plies with their notes, take-backs and corrections done. Terms:
a *ply* of the book is a word with the place it came from; an *aside* is a command that tells a reader of the exported
log what stood there before, or the number of a dispute or ruling that stands on the docket.
"""

import re
from collections.abc import Iterable
from typing import Annotated as Field
from typing import Any, TypeAlias

from msgspec import Struct, field

from cartulary.notation import Note, Problem
from cartulary.notation.cgn.commands import clocks_in
from cartulary.records.log.events import Event, Found, Pairs, RecordAgreed, WordDeclined
from cartulary.records.log.fields import ENTRY, Public, Secret
from cartulary.records.state.docket import DisputeEntry, Ref, RulingEntry
from cartulary.records.state.notes import NO_NOTE

Aside: TypeAlias = str | int


class Correction(Struct, frozen=True):
    """A time that was corrected. number: the event that did; clock, was: what stands there since, and stood there."""

    number: int
    clock: str
    was: str
    by: str
    reason: str
    at: str


class KeptSheet(Struct, frozen=True):
    """Another sheet of the game. number: the event that kept it; cgn: its text; source: its file; by: who kept it"""

    number: int
    cgn: str
    source: str
    by: str
    at: str


class Agreement(Struct, frozen=True):
    """A seat's agreement with the record. number: the event that holds it; head: of the log it agreed with

    since: the first event after it that is more than another agreement, 0 where the record stands as it did
    """

    seat: Field[int, Public()]
    number: Field[int, Public(refers=ENTRY)]
    at: Field[str, Public()]
    head: Field[str, Secret()]
    since: Field[int, Public(refers=ENTRY)] = 0


class Ply(Struct, frozen=True):
    """One word of the book. text: as it was stored; ruling: the number of the one that lets it stand, 0 for none.

    clock: as the scribe wrote it; one that only stands in a comment is in the note
    timed: what its time was before, in the order of the corrections
    board: what was stated to lie on the table after it; one that only stands in a comment is in the note
    """

    ref: Ref
    text: str
    stands: bool = False
    clock: str = ""
    note: Note = NO_NOTE
    asides: tuple[Aside, ...] = ()
    ruling: int = 0
    timed: tuple[Correction, ...] = ()
    board: str = ""


def time_left(entry: Ply) -> str:
    """Return the time left after a ply, empty where nobody wrote one."""
    return entry.clock or clock_in(entry.note)


def clock_in(note: Note) -> str:
    """Return the time left that a note tells of, empty where it tells none."""
    return next((time for comment in note.comments for time in clocks_in(comment)), "")


class Book(Struct, frozen=True):
    """A record as it stands.

    sheet: the tags that are the game's own (Game, Edition, Variant, Options, set-up); tags: all others, as written
    preface: the note before the first ply; board: what was stated to lie on the table before it
    result: as closed or imported, empty while nobody wrote one
    score: as it was said at the close, by the event numbered scored
    as_written: the result, and the tags that tell of it, are still the imported sheet's own
    ruling: the number of the one that gave the result, 0 for none
    disputes, rulings: the docket, each in the order of the events, those of an imported sheet first
    sheets: those kept with the game, in the order of the events
    agreements: the last of each seat, in the order of the seats
    quiet: whether it was made quiet or a word was stored quietly, and neither `reveal` nor the close came since
    about: numbers of the disputes and rulings that are about the game as a whole
    commands: command id -> first and last version it wrote
    """

    game: str
    seats: int
    sheet: Pairs
    imported: bool
    tags: Pairs = ()
    plies: tuple[Ply, ...] = ()
    preface: Note = NO_NOTE
    board: str = ""
    escapes: tuple[str, ...] = ()
    tail: str = ""
    problems: tuple[Problem, ...] = ()
    result: str = ""
    termination: str = ""
    score: str = ""
    scored: int = 0
    closed: bool = False
    quiet: bool = False
    as_written: bool = False
    asides: tuple[Aside, ...] = ()
    ruling: int = 0
    disputes: tuple[DisputeEntry, ...] = ()
    rulings: tuple[RulingEntry, ...] = ()
    about: tuple[int, ...] = ()
    sheets: tuple[KeptSheet, ...] = ()
    agreements: tuple[Agreement, ...] = ()
    commands: dict[str, tuple[int, int]] = field(default_factory=dict)
    updated: str = ""

    def ref(self, ply: int) -> Ref:
        """Return where a ply, from 1, was written; (0, 0) for ply 0 and for the one after the last."""
        return self.plies[ply - 1].ref if 0 < ply <= len(self.plies) else (0, 0)


OWN_TAGS = frozenset(("Game", "Edition", "Variant", "Options", "Rules", "Setup"))
SEAT = re.compile(r"Seat[0-9]+")
"""The tags that count the seats of a game for several numbers of players."""


def changes_record(event: Event) -> bool:
    """Say whether an event changes a record in any way that whoever agreed with it has not seen."""
    return not isinstance(event, (RecordAgreed, WordDeclined))


def found_of(findings: Iterable[Any]) -> tuple[Found, ...]:
    """Return findings as events keep them."""
    return tuple(Found(finding.severity, finding.key, finding.because) for finding in findings)
