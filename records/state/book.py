"""The book: what a record's events say was written, before any rule is asked.

It is the score sheet as it stands now: tags, and plies with their notes, take-backs and corrections carried out. A
*ply* of the book is a word with a reference to the event that wrote it. An *aside* is either a command that tells a
reader of the exported log what stood there before, or the number of a dispute or ruling in the docket.
"""

import re
from collections.abc import Iterable
from typing import Annotated as Field
from typing import Any, TypeAlias

from msgspec import Struct, field

from cartulary.notation.cgn.commands import clocks_in
from cartulary.notation.cgn.record import Note, Problem
from cartulary.records.log.events import Event, GameSetAside, Pairs, RecordAgreed, StoredFinding, WordDeclined
from cartulary.records.log.fields import ENTRY, Public, Secret
from cartulary.records.state.docket import DisputeEntry, Ref, RulingEntry
from cartulary.records.state.notes import NO_NOTE

Aside: TypeAlias = str | int
Seating: TypeAlias = tuple[int, str]
"""A seat, and the name of who sat down there."""


class Correction(Struct, frozen=True):
    """A time left on the clock that was corrected.

    Attributes:
        number: The event that corrected it.
        clock: The new time.
        was: The time until then.
        by: Who corrected it.
        reason: Why.
        at: When.
    """

    number: int
    clock: str
    was: str
    by: str
    reason: str
    at: str


class KeptSheet(Struct, frozen=True):
    """Another sheet of the same game, kept with it.

    Attributes:
        number: The event that kept it.
        cgn: Its text.
        source: The name of its file, if any.
        by: Who kept it.
        at: When.
    """

    number: int
    cgn: str
    source: str
    by: str
    at: str


class Agreement(Struct, frozen=True):
    """A seat's agreement with the record.

    Attributes:
        seat: The seat.
        number: The event that holds it.
        at: When.
        head: The head of the log that the seat agreed with, VERSION:DIGEST.
        since: The first later event that changed the record, 0 if none did.
    """

    seat: Field[int, Public()]
    number: Field[int, Public(refers=ENTRY)]
    at: Field[str, Public()]
    head: Field[str, Secret()]
    since: Field[int, Public(refers=ENTRY)] = 0


class Ply(Struct, frozen=True):
    """One word of the book.

    Attributes:
        ref: The event that wrote it, and the word inside that event.
        text: The word as it was stored.
        stands: Whether it was let stand, although the rules refused it, when it was written here. False for the words
            of an imported sheet, and where a house rule waives the rule that was broken.
        clock: The time left, as the scribe wrote it; a time in a comment stays in the note.
        note: What was noted on it.
        asides: Commands and docket numbers that stand beside it.
        ruling: The number of the ruling that lets it stand, 0 for none.
        corrections: The corrections of its time, in their order.
        board: What was stated to lie on the table after it; a board in a comment stays in the note.
        seatings: The seats at which somebody else sat down after it, with their names.
    """

    ref: Ref
    text: str
    stands: bool = False
    clock: str = ""
    note: Note = NO_NOTE
    asides: tuple[Aside, ...] = ()
    ruling: int = 0
    corrections: tuple[Correction, ...] = ()
    board: str = ""
    seatings: tuple[Seating, ...] = ()


class Undo(Struct, frozen=True):
    """Plies that were taken back and can still be played again, with all that stood beside them.

    Attributes:
        number: The event that took them back.
        plies: The plies.
        asides: Those that stood after the last of the plies.
        disputes: The disputes about the plies: the number and the ply of each.
        rulings: The rulings about the plies: the number and the plies of each.
        seatings: Who had sat down before the first of the plies.
    """

    number: int
    plies: tuple[Ply, ...]
    asides: tuple[Aside, ...]
    disputes: tuple[tuple[int, Ref], ...]
    rulings: tuple[tuple[int, tuple[Ref, ...]], ...]
    seatings: tuple[Seating, ...] = ()


def time_left(entry: Ply) -> str:
    """Return the time left after a ply in hours, minutes and seconds, ``0:12:30``; empty if it is not known.

    A time that the scribe wrote with the ply goes before one in a comment on it.
    """
    return entry.clock or clock_in(entry.note)


def clock_in(note: Note) -> str:
    """Return the time in the first ``[%clk 0:12:30]`` command of a note's comments, ``0:12:30``; empty if there is
    none.
    """
    return next((time for comment in note.comments for time in clocks_in(comment)), "")


class Book(Struct, frozen=True):
    """A record as it stands, by its events alone.

    Attributes:
        game: The key of the game.
        seats: The number of seats.
        sheet: The tags that the rules need: Edition, Variant, Options, set-up, and the tag Game in an imported sheet.
        imported: Whether it was read from a sheet.
        tags: All other tags, as written.
        plies: The plies.
        preface: The note before the first ply.
        board: What was stated to lie on the table before the first ply.
        seatings: The seats at which somebody else sat down before the first ply, with their names.
        escapes: The escape lines of an imported sheet.
        tail: The rest of an imported sheet that could not be read.
        problems: What was wrong with the text of an imported sheet.
        result: The result as closed or imported, empty if there is none.
        termination: How it ended, as in the tag of that name.
        score: The score stated when it was closed.
        score_event: The event that closed the game and may have stated a score; 0 for none.
        closed: Whether it is closed.
        set_aside: The event that set the game aside, 0 if it counts.
        quiet: Whether verdicts are withheld from seats, from when it is made quiet
            until it is revealed or closed.
        as_written: Whether the result, and the tags about it, are still the imported sheet's own.
        asides: Those after the last ply.
        undos: The undos that can still be reversed, in the order of the events.
        ruling: The number of the ruling that gave the result, 0 for none.
        disputes: The disputes of the docket in the order of the events, those of an imported sheet first.
        rulings: The rulings of the docket, in the same order.
        game_entries: The numbers of the disputes and rulings about the game as a whole.
        sheets: The sheets kept with the game, in the order of the events.
        agreements: The last agreement of each seat, in the order of the seats.
        commands: By the id of a command the first and the last event that it wrote.
        last_written: When the last event was written.
    """

    game: str
    seats: int
    sheet: Pairs
    imported: bool
    tags: Pairs = ()
    plies: tuple[Ply, ...] = ()
    preface: Note = NO_NOTE
    board: str = ""
    seatings: tuple[Seating, ...] = ()
    escapes: tuple[str, ...] = ()
    tail: str = ""
    problems: tuple[Problem, ...] = ()
    result: str = ""
    termination: str = ""
    score: str = ""
    score_event: int = 0
    closed: bool = False
    set_aside: int = 0
    quiet: bool = False
    as_written: bool = False
    asides: tuple[Aside, ...] = ()
    undos: tuple[Undo, ...] = ()
    ruling: int = 0
    disputes: tuple[DisputeEntry, ...] = ()
    rulings: tuple[RulingEntry, ...] = ()
    game_entries: tuple[int, ...] = ()
    sheets: tuple[KeptSheet, ...] = ()
    agreements: tuple[Agreement, ...] = ()
    commands: dict[str, tuple[int, int]] = field(default_factory=dict)
    last_written: str = ""

    def ref(self, ply: int) -> Ref:
        """Return the reference of a ply: the number of the event that wrote it, from 1, and the place of the word in
        that, from 0.

        Args:
            ply: The number of the ply as it counts now, from 1.

        Returns:
            The reference; (0, 0) for any number that is not one of a ply, such as 0 and the one after the last.
        """
        return self.plies[ply - 1].ref if 0 < ply <= len(self.plies) else (0, 0)


def seat_anew(before: tuple[Seating, ...], now: tuple[Seating, ...]) -> tuple[Seating, ...]:
    """Return seatings at one ply with later ones added, which replace those at the same seats, in the order of the
    seats.

    Args:
        before: Pairs of a seat and who sat down there.
        now: The later pairs. If there are none, ``before`` is returned as it is.
    """
    seats = {seat for seat, _ in now}
    return tuple(sorted((*(each for each in before if each[0] not in seats), *now))) if now else before


OWN_TAGS = frozenset(("Game", "Edition", "Variant", "Options", "Rules", "Setup"))
SEAT = re.compile(r"Seat[0-9]+")
"""The tags that count the seats of a game for several numbers of players."""


def changes_record(event: Event) -> bool:
    """Say whether an event changes a record, so that agreements with it hold no more.

    All do, except that a game is set aside or counted again, that a seat agrees, and that words are declined.
    """
    return not isinstance(event, (GameSetAside, RecordAgreed, WordDeclined))


def found_of(findings: Iterable[Any]) -> tuple[StoredFinding, ...]:
    """Return findings as events store them, in the same order.

    Args:
        findings: Findings of any type with the fields ``severity``, ``key`` (of the rule) and ``because``. What else
            they have, such as line and column, is dropped.
    """
    return tuple(StoredFinding(finding.severity, finding.key, finding.because) for finding in findings)
