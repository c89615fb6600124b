"""The builder of the book: it applies a record's events one after the other."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from cartulary.notation.arbiter.files import loads
from cartulary.notation.arbiter.ruling_commands import (
    Dispute,
    DisputeCommand,
    Ruling,
    RulingCommand,
    decides,
    docketed_in,
    fields_in,
    lets_stand,
)
from cartulary.notation.cgn.commands import bare, format_command, quote_text, without
from cartulary.records.log.events import (
    BoardStated,
    ClockCorrected,
    DisputeRaised,
    DisputeWithdrawn,
    Event,
    GameClosed,
    GameImported,
    GameOpened,
    GameReopened,
    GameSetAside,
    MadeQuiet,
    MovePlayed,
    MovesAmended,
    MovesRedone,
    MoveTakenBack,
    NoteReplaced,
    PlayerSeated,
    RecordAgreed,
    RecordRevealed,
    RulingGiven,
    SetupCorrected,
    SheetKept,
    SourceKept,
    TagsChanged,
    Withheld,
    WordDeclined,
)
from cartulary.records.log.field_checks import fault_of
from cartulary.records.log.fields import StreamPlace
from cartulary.records.state.book import (
    Agreement,
    Aside,
    Book,
    Correction,
    KeptSheet,
    Ply,
    Seating,
    Undo,
    changes_record,
    clock_in,
    seat_anew,
    time_left,
)
from cartulary.records.state.docket import DisputeEntry, Docket, Ref, RulingEntry
from cartulary.records.state.notes import NO_NOTE, note_of, without_board


def build_book(events: Iterable[Event], earlier: Book | None = None, version: int = 0) -> Book:
    """Return the book that a record's events make: the score sheet as it stands now, before any rule is asked.

    Args:
        events: The events in their order, from the first that the earlier book does not hold.
        earlier: The book of the events before them; None to begin with the first event of the stream.
        version: How many events the earlier book holds.

    Raises:
        ValueError: The stream does not begin with a game, a field of an event has an impossible value, or an event
            refers to a ply or an undo that is not there.
        KeyError: An event refers to a dispute or ruling that is not there.
    """
    builder = BookBuilder(earlier)
    for number, event in enumerate(events, version + 1):
        builder.version = number
        builder.apply(event)
    return builder.build()


class BookBuilder:
    """A book under construction. ``apply`` takes the next event, and ``build`` returns the book.

    Lists are cheaper here than a new value for each event. What a plain field of the book becomes is collected in
    ``changes`` under the name of the field.
    """

    def __init__(self, earlier: Book | None) -> None:
        self.version = 0
        self.book = earlier
        self.plies = list(earlier.plies) if earlier else []
        self.places: dict[Ref, int] = {}
        self.pending: list[Aside] = list(earlier.asides) if earlier else []
        self.undos: list[Undo] = list(earlier.undos) if earlier else []
        self.game_entries: tuple[int, ...] = earlier.game_entries if earlier else ()
        self.docket = Docket(earlier.disputes, earlier.rulings) if earlier else Docket()
        self.commands: dict[str, tuple[int, int]] = dict(earlier.commands) if earlier else {}
        self.agreements: dict[int, Agreement] = (
            {agreement.seat: agreement for agreement in earlier.agreements} if earlier else {}
        )
        self.changes: dict[str, Any] = {"tags": earlier.tags} if earlier else {}

    def apply(self, event: Event) -> None:
        """Apply the next event, whose number must stand in ``version``: change the book as its kind demands.

        Besides, agreements with the record get this event as the first change since, and the builder notes which events
        a command has written and when the last event was written.

        Raises:
            ValueError: A field has an impossible value, or the event refers to a ply or an undo that is not there.
            KeyError: The event refers to a dispute or ruling that is not there.
        """
        fault = fault_of(event, StreamPlace(self.version, self.book.seats if self.book else 0))
        if fault:
            raise ValueError(f"in event {self.version} {fault}")
        _APPLIERS[type(event)](self, event)
        if self.agreements and changes_record(event):
            self._date_agreements()
        if event.command:
            first, _ = self.commands.get(event.command, (self.version, 0))
            self.commands[event.command] = (first, self.version)
        if event.at and not isinstance(event, WordDeclined):
            self.changes["last_written"] = event.at

    def build(self) -> Book:
        """Return the book after all events applied so far; more may be applied afterwards.

        Raises:
            ValueError: No event has opened or imported a game.
        """
        if self.book is None:
            raise ValueError("The record does not begin with the opening of a game")
        return replace(
            self.book,
            plies=tuple(self.plies),
            asides=tuple(self.pending),
            undos=tuple(self.undos),
            disputes=tuple(self.docket.disputes.values()),
            rulings=tuple(self.docket.rulings.values()),
            game_entries=self.game_entries,
            agreements=tuple(self.agreements[seat] for seat in sorted(self.agreements)),
            commands=self.commands,
            **self.changes,
        )

    def on_opened(self, event: GameOpened) -> None:
        """Begin a book with the tags that set the game up: edition, variant, options, then the game's own.

        Tags with an empty value are left out. Raises ValueError unless the game has 1 to 99 seats.
        """
        sheet = (
            ("Edition", event.edition),
            ("Variant", event.variant),
            ("Options", event.options),
            *event.own,
        )
        self.book = Book(event.game, _check_seats(event.seats), tuple(tag for tag in sheet if tag[1]), False)

    def on_imported(self, event: GameImported) -> None:
        """Begin a book from the text of a sheet: its tags, plies, notes, result, disputes and rulings.

        A result other than ``*`` closes the game. A ruling in force on the sheet marks the plies that it lets stand, or
        the result that it gave. Raises ValueError unless the text holds exactly one game with 1 to 99 seats.
        """
        [record] = loads(event.cgn)
        self.book = Book(
            event.game,
            _check_seats(event.seats),
            record.tags,
            True,
            preface=record.line.notes.get(0, NO_NOTE),
            escapes=record.escapes,
            tail=record.tail,
            problems=record.problems,
            result=record.result,
            closed=record.result not in ("", "*"),
            as_written=True,
        )
        notes = record.line.notes
        self.plies = [
            Ply((self.version, i), word, note=notes.get(i + 1, NO_NOTE)) for i, word in enumerate(record.line.words)
        ]
        if "[%" in event.cgn:
            self.docket.read_sheet(record.line, self.version)
            index_by_ref = {ply.ref: at for at, ply in enumerate(self.plies)}
            for entry in self.docket.rulings.values():
                command = entry.command
                if decides(command, record.result) or lets_stand(command):
                    self._apply_ruling(entry, index_by_ref.__getitem__)

    def _apply_ruling(self, entry: RulingEntry, index_of: Callable[[Ref], int]) -> None:
        """Write the number of a ruling on the plies that it lets stand, or beside the result that it gave.

        Any other decision changes nothing here.

        Args:
            entry: The ruling.
            index_of: A function that returns the index, from 0, of the ply with a reference.
        """
        if entry.command.decision == "stands":
            for index in map(index_of, entry.refs):
                self.plies[index] = replace(self.plies[index], ruling=entry.number)
        elif entry.command.decision == "result":
            self.changes["ruling"] = entry.number

    def on_tags(self, event: TagsChanged) -> None:
        """Put the event's tags after the other tags, in place of all tags of the same names, and remove the dropped
        ones.

        These are tags such as names and date; those that set the game up are changed by ``on_setup``.
        """
        replaced = {name for name, _ in event.put}.union(event.dropped_tags)
        others = tuple(tag for tag in self.changes.get("tags", ()) if tag[0] not in replaced)
        self.changes["tags"] = others + event.put

    def on_setup(self, event: SetupCorrected) -> None:
        """Write tags of the set-up in place of those of the same names, or after them; those left empty are removed.

        The tag Game changes the game of the record. It stays among the tags only in an imported sheet; every other
        record has its game beside its tags.
        """
        assert self.book is not None
        put = dict(event.put)
        if "Game" in put:
            self.changes["game"] = put["Game"] if self.book.imported else put.pop("Game")
        corrected = dict(self.changes.get("sheet", self.book.sheet)) | put
        self.changes["sheet"] = tuple(tag for tag in corrected.items() if tag[1])

    def on_played(self, event: MovePlayed) -> None:
        """Add a ply at the end, with the asides that waited for it; the result is cleared, and no undo can be reversed
        any more.

        Asides are the commands and docket numbers that stand beside a ply. If the word was written without verdicts
        being shown, the record is quiet from now on.
        """
        ref = (self.version, 0)
        self.places[ref] = len(self.plies)
        self.plies.append(Ply(ref, event.text, event.stands, event.clock, asides=tuple(self.pending)))
        self.pending.clear()
        self.undos.clear()
        self._clear_result()
        if event.quiet:
            self.changes["quiet"] = True

    def on_taken_back(self, event: MoveTakenBack) -> None:
        """Remove the ply that the event names and all after it, and keep them as an undo that can be reversed.

        A command ``[%takeback 2 …]`` and whatever stood beside the plies wait for the next ply. Disputes and rulings on
        the plies refer to none any more, whoever sat down after them sits down after the last ply that is left, and the
        result is cleared. Raises ValueError if there is no such ply.
        """
        index = self._index_of((event.event, event.word))
        removed = self.plies[index:]
        del self.plies[index:]
        disputes, rulings = self.docket.about({ply.ref for ply in removed})
        self.undos.append(
            Undo(self.version, tuple(removed), tuple(self.pending), disputes, rulings, self._seatings(index - 1))
        )
        aside = _aside("takeback", str(len(removed)), "", event.by, event.reason, event.agreed_by)
        self.pending += (*(entry for ply in removed for entry in _entries_on(ply)), aside)
        self._reseat(index - 1, removed)
        for ply in removed:
            self.docket.move(ply.ref, None)
        self._clear_result()

    def on_redone(self, event: MovesRedone) -> None:
        """Put the plies of the last undo back as they stood; its command stays, beside the first of them. The result is
        cleared.

        Raises:
            ValueError: The event names another undo than the last, or one that cannot be reversed any more.
        """
        if not self.undos or (self.undos[-1].number, len(self.undos[-1].plies)) != (event.event, event.plies):
            raise ValueError(f"Event {self.version} plays plies again that event {event.event} did not take back last")
        undo = self.undos.pop()
        first = len(undo.asides) + sum(len(_entries_on(ply)) for ply in undo.plies)
        commands = tuple(self.pending[first:])
        revoked = {entry.number for entry in self.docket.rulings.values() if entry.command.revoked}
        plies = [replace(ply, ruling=0) if ply.ruling in revoked else ply for ply in undo.plies]
        plies[0] = replace(plies[0], asides=(*plies[0].asides, *commands))
        last = len(self.plies) - 1
        if self._seatings(last) == _seated_after(undo.seatings, undo.plies):  # else they were corrected since
            self._seat(last, undo.seatings)
        self.plies += plies
        self.pending = list(undo.asides)
        self.docket.put_back(undo.disputes, undo.rulings)
        self._clear_result()

    def on_amended(self, event: MovesAmended) -> None:
        """Replace, insert or remove plies; a command ``[%amend 3 "8Dj2" …]`` keeps their place and old words for the
        log.

        An event number of 0 adds the words after the last ply. Raises ValueError if there is no ply that the event
        names.
        """
        index = self._index_of((event.event, event.word)) if event.event else len(self.plies)
        words = " ".join(ply.text for ply in self.plies[index : index + event.plies])
        aside = _aside("amend", str(index + 1), words, event.by, event.reason)
        stands = tuple(event.stands and any(f.severity == "error" for f in on_word) for on_word in event.findings)
        self._replace_plies(index, event.plies, event.words, stands, aside)

    def _replace_plies(
        self, index: int, count: int, words: tuple[str, ...], stands: tuple[bool, ...], aside_of_change: Aside
    ) -> None:
        """Put words in the place of ``count`` plies, whose asides are moved to the ply that follows.

        The first ``len(words)`` of the old plies pass their notes, times, boards and substitutes on to the new ones,
        and disputes and rulings refer to the new ones; those on the other old plies refer to none. No undo can be
        reversed any more.

        Args:
            index: The index of the first old ply, from 0; the number of plies to add at the end.
            count: How many plies are removed, 0 to insert.
            words: The new words; empty to remove only.
            stands: For each new word whether it was let stand against a rule.
            aside_of_change: The command, or the number of the ruling, that says what was done.
        """
        self.undos.clear()
        removed = self.plies[index : index + count]
        asides_removed = (_entries_on(ply) if i >= len(words) else ply.asides for i, ply in enumerate(removed))
        asides = (*(aside for of_ply in asides_removed for aside in of_ply), aside_of_change)
        new = [
            Ply(
                (self.version, i),
                word,
                stands[i],
                note=removed[i].note if i < len(removed) else NO_NOTE,
                clock=removed[i].clock if i < len(removed) else "",
                corrections=removed[i].corrections if i < len(removed) else (),
                board=removed[i].board if i < len(removed) else "",
                seatings=removed[i].seatings if i < len(removed) else (),
            )
            for i, word in enumerate(words)
        ]
        for i, ply in enumerate(removed):
            self.docket.move(ply.ref, new[i].ref if i < len(new) else None)
        self.docket.shift_counts(index, count, len(new))
        self.plies[index : index + count] = new
        self.places |= {ply.ref: place for place, ply in enumerate(new, index)}
        self._reseat(index + len(new) - 1, removed[len(new) :])
        if index < len(self.plies):
            self.plies[index] = replace(self.plies[index], asides=(*asides, *self.plies[index].asides))
        else:
            self.pending[:0] = asides

    def on_seated(self, event: PlayerSeated) -> None:
        """Write who sat down at a seat after a ply; for an event number of 0, before the first.

        A name takes the place of one that the same seat had there; an empty name removes that. Raises ValueError if
        there is no such ply.
        """
        index = self._index_of((event.event, event.word)) if event.event else -1
        others = tuple(each for each in self._seatings(index) if each[0] != event.seat)
        self._seat(index, seat_anew(others, ((event.seat, event.name),)) if event.name else others)

    def _reseat(self, index: int, removed: list[Ply]) -> None:
        """Let those who sat down after plies that are gone sit down after the ply of this index, below 0 before the
        first.

        Where somebody sat down at the same seat there, the later one takes that place.
        """
        before = self._seatings(index)
        after = _seated_after(before, removed)
        if after != before:
            self._seat(index, after)

    def _seatings(self, index: int) -> tuple[Seating, ...]:
        """Return pairs of a seat and who sat down there after the ply of this index, from 0; below 0, before
        the first.
        """
        assert self.book is not None
        before: tuple[Seating, ...] = self.changes.get("seatings", self.book.seatings)
        return self.plies[index].seatings if index >= 0 else before

    def _seat(self, index: int, seatings: tuple[Seating, ...]) -> None:
        """Replace the pairs of a seat and who sat down there after the ply of this index; below 0, before the first."""
        if index >= 0:
            self.plies[index] = replace(self.plies[index], seatings=seatings)
        else:
            self.changes["seatings"] = seatings

    def on_annotated(self, event: NoteReplaced) -> None:
        """Replace the note on a ply, or the one before the first ply for an event number of 0.

        A time in the new note takes the place of the time that was written with the ply. Raises ValueError if there is
        no such ply.
        """
        assert self.book is not None
        note = note_of(event.text, (("Game", self.book.game), *self.book.sheet))
        if event.event == 0:
            self.changes["preface"] = note
            return
        index = self._index_of((event.event, event.word))
        clock = "" if clock_in(note) else self.plies[index].clock
        self.plies[index] = replace(self.plies[index], note=note, clock=clock)

    def on_clock(self, event: ClockCorrected) -> None:
        """Write the time left after a ply in place of the one in its note, if any.

        If there was a time already, it is kept as a correction and in a command ``[%clock 3 0:21:30 …]`` beside the
        ply. Raises ValueError if there is no such ply.
        """
        index = self._index_of((event.event, event.word))
        entry = self.plies[index]
        before = time_left(entry)
        if before:
            correction = Correction(self.version, event.clock, before, event.by, event.reason, event.at)
            aside = _aside("clock", str(index + 1), before, event.by, event.reason)
            entry = replace(entry, corrections=(*entry.corrections, correction), asides=(*entry.asides, aside))
        items = (without(item, {"clk"}) if isinstance(item, str) else item for item in entry.note.items)
        note = replace(entry.note, items=tuple(item for item in items if item)) if clock_in(entry.note) else entry.note
        self.plies[index] = replace(entry, note=note, clock=event.clock)

    def on_board(self, event: BoardStated) -> None:
        """Write what somebody stated to lie on the table after a ply, or before the first one for an event number of 0.

        A ``[%board]`` command in the note there is removed. Raises ValueError if there is no such ply.
        """
        assert self.book is not None
        if event.event == 0:
            preface = self.changes.get("preface", self.book.preface)
            self.changes |= {"board": event.text, "preface": without_board(preface)}
            return
        index = self._index_of((event.event, event.word))
        entry = self.plies[index]
        self.plies[index] = replace(entry, board=event.text, note=without_board(entry.note))

    def on_closed(self, event: GameClosed) -> None:
        """Close the game with the event's result, termination and score; verdicts are shown to seats from now on."""
        self.changes |= {
            "result": event.result,
            "termination": event.termination,
            "score": event.score,
            "score_event": self.version,
            "closed": True,
            "quiet": False,
            "as_written": False,
            "ruling": 0,
        }

    def on_sheet(self, event: SheetKept) -> None:
        """Add another sheet of the same game to those kept with it. Raises ValueError if its text holds no game."""
        assert self.book is not None
        if not loads(event.cgn):
            raise ValueError(f"in event {self.version} `cgn` holds no game")
        before = self.changes.get("sheets", self.book.sheets)
        self.changes["sheets"] = (*before, KeptSheet(self.version, event.cgn, event.source, event.by, event.at))

    def on_source(self, event: SourceKept) -> None:
        """Change nothing: the text that a game was imported from says no more than the game."""

    def on_dispute(self, event: DisputeRaised) -> None:
        """Enter a dispute in the docket, the list of disputes and rulings, and put its number beside the ply that it is
        about.

        An event number of 0 is about the whole game, and the number stands beside that. Raises ValueError if there is
        no such ply.
        """
        index = self._index_of((event.event, event.word)) if event.event else -1
        ply = self.plies[index] if index >= 0 else None
        command, ref = DisputeCommand(ply=index + 1, **fields_in(Dispute, event)), ply.ref if ply else None
        self.docket.dispute(DisputeEntry(self.version, ref, command, ply.text if ply else "", event.at))
        self._place_entry(index, self.version)

    def on_withdrawal(self, event: DisputeWithdrawn) -> None:
        """Mark a dispute as withdrawn, with the reason. Raises KeyError if there is none of that number."""
        self.docket.withdraw(event.event, event.reason)

    def on_ruling(self, event: RulingGiven) -> None:
        """Enter a ruling in the docket, the list of disputes and rulings, and do what it decides.

        Plies are marked as let stand, replaced (``amended``) or removed (``void``); a result closes the game; an older
        ruling that it takes back is undone. Penalties and points change no ply.

        Raises:
            ValueError: It names a seat outside 1 to 99, or a ply that is not there.
            KeyError: It names a dispute or an older ruling that is not there.
        """
        for seat, _ in (*event.penalties, *event.points):
            _check_seats(seat)
        indices = tuple(self._index_of(ref) for ref in event.plies)
        plies, old = tuple(index + 1 for index in indices), tuple(self.plies[index].text for index in indices)
        command = RulingCommand(plies=plies, old=old, **fields_in(Ruling, event))
        entry = RulingEntry(
            self.version, event.plies, command, event.dispute, event.at, revokes=event.revokes, after=len(self.plies)
        )
        self.docket.rule(entry)
        if command.scores or event.revokes:
            self.changes["as_written"] = False
        if event.revokes:
            self._revoke(self.docket.revoke(event.revokes))
        if event.decision in ("void", "amended"):
            self._replace_plies(indices[0], len(indices), event.words, (False,) * len(event.words), self.version)
            return
        self._place_entry(indices[0] if indices else -1, self.version)
        if event.decision == "result":
            closing = {"result": event.result, "termination": "adjudication", "closed": True, "as_written": False}
            self.changes |= closing | {"quiet": False}
        self._apply_ruling(entry, self._index_of)

    def _revoke(self, entry: RulingEntry) -> None:
        """Undo what a ruling did: the plies it let stand are unmarked, and a result that is still its own is cleared.

        In the second case the game is open again.
        """
        for index, ply in enumerate(self.plies):
            if ply.ruling == entry.number:
                self.plies[index] = replace(ply, ruling=0)
        if entry.command.decision == "result" and self._result_is_by(entry.number):
            self.changes["closed"] = False
            self._clear_result()

    def _result_is_by(self, ruling: int) -> bool:
        """Say whether the result is the one that the ruling of this number gave, and no later event has cleared it."""
        assert self.book is not None
        return bool(self.changes.get("ruling", self.book.ruling) == ruling)

    def _place_entry(self, index: int, number: int) -> None:
        """Add the number of a dispute or ruling to what stands beside a ply, or beside the game.

        Args:
            index: The index of the ply, from 0; below 0 for the game.
            number: The number of the event; below 0 for one of an imported sheet.
        """
        if index < 0:
            self.game_entries = (*self.game_entries, number)
        else:
            self.plies[index] = replace(self.plies[index], asides=(*self.plies[index].asides, number))

    def on_quiet(self, event: MadeQuiet) -> None:
        """Note that the record is quiet: no seat is shown verdicts until it is revealed or closed."""
        self.changes["quiet"] = True

    def on_revealed(self, event: RecordRevealed) -> None:
        """Note that the record is not quiet any more: seats are shown verdicts again."""
        self.changes["quiet"] = False

    def on_set_aside(self, event: GameSetAside) -> None:
        """Note that lists and standings leave the game out since this event, or that they count it again."""
        self.changes["set_aside"] = 0 if event.counts else self.version

    def on_agreement(self, event: RecordAgreed) -> None:
        """Note a seat's agreement with the record, in place of an earlier one of the same seat.

        Raises ValueError if the seat is not from 1 to 99.
        """
        self.agreements[_check_seats(event.seat)] = Agreement(event.seat, self.version, event.at, event.head)

    def _date_agreements(self) -> None:
        """Note this event as the first change since each agreement, except those that have had one already."""
        for agreement in self.agreements.values():
            if not agreement.since:
                self.agreements[agreement.seat] = replace(agreement, since=self.version)

    def on_reopened(self, event: GameReopened) -> None:
        """Open a closed game again; its result, termination and score are cleared. A game that is open stays so."""
        self.changes["closed"] = False
        self._clear_result()

    def on_withheld(self, event: Withheld) -> None:
        """Change nothing: the event was left out of the export, and no move depends on it."""

    def on_declined(self, event: WordDeclined) -> None:
        """Change nothing: the declined words were not played."""

    def _clear_result(self) -> None:
        """Clear the result, termination and score, and forget that a ruling or an imported sheet gave them.

        Whether the game is closed does not change.
        """
        self.changes |= {
            "result": "",
            "termination": "",
            "score": "",
            "score_event": 0,
            "as_written": False,
            "ruling": 0,
        }

    def _index_of(self, ref: Ref) -> int:
        """Return the index, from 0, of the ply that an event wrote. The builder's cache of indices may be rebuilt.

        Args:
            ref: The number of the event and the place of the word in it, from 0.

        Raises:
            ValueError: There is no such ply, or it is gone.
        """
        index = self.places.get(ref, len(self.plies))
        if index >= len(self.plies) or self.plies[index].ref != ref:
            self.places = {ply.ref: place for place, ply in enumerate(self.plies)}
            index = self.places.get(ref, -1)
        if index < 0:
            raise ValueError(f"Event {self.version} refers to word {ref[1]} of event {ref[0]}, which is not there")
        return index


_APPLIERS: dict[type[Event], Callable[[BookBuilder, Any], None]] = {
    GameOpened: BookBuilder.on_opened,
    GameImported: BookBuilder.on_imported,
    TagsChanged: BookBuilder.on_tags,
    SetupCorrected: BookBuilder.on_setup,
    MovePlayed: BookBuilder.on_played,
    MovesAmended: BookBuilder.on_amended,
    MoveTakenBack: BookBuilder.on_taken_back,
    MovesRedone: BookBuilder.on_redone,
    NoteReplaced: BookBuilder.on_annotated,
    ClockCorrected: BookBuilder.on_clock,
    BoardStated: BookBuilder.on_board,
    PlayerSeated: BookBuilder.on_seated,
    MadeQuiet: BookBuilder.on_quiet,
    RecordRevealed: BookBuilder.on_revealed,
    GameClosed: BookBuilder.on_closed,
    GameReopened: BookBuilder.on_reopened,
    GameSetAside: BookBuilder.on_set_aside,
    RecordAgreed: BookBuilder.on_agreement,
    SheetKept: BookBuilder.on_sheet,
    SourceKept: BookBuilder.on_source,
    DisputeRaised: BookBuilder.on_dispute,
    DisputeWithdrawn: BookBuilder.on_withdrawal,
    RulingGiven: BookBuilder.on_ruling,
    Withheld: BookBuilder.on_withheld,
    WordDeclined: BookBuilder.on_declined,
}


_SEATS = range(1, 100)


def _check_seats(number: int) -> int:
    """Return a seat, or a number of seats, if it is from 1 to 99. Raises ValueError otherwise."""
    if number not in _SEATS:
        raise ValueError("No table has as many seats as the record says")
    return number


def _seated_after(seatings: tuple[Seating, ...], plies: Iterable[Ply]) -> tuple[Seating, ...]:
    """Return the substitutes in force after some plies: those before, replaced by whoever sat down later at the same
    seats.

    Args:
        seatings: Pairs of a seat and a name, in force before the plies.
        plies: The plies, in order.
    """
    for ply in plies:
        seatings = seat_anew(seatings, ply.seatings)
    return seatings


def _entries_on(ply: Ply) -> tuple[Aside, ...]:
    """Return the commands and docket numbers that stand beside a ply.

    The dispute and ruling commands in its comments come first, as texts, then its asides: texts and numbers.
    """
    return (*(entry for comment in ply.note.comments for entry in docketed_in(comment)), *ply.asides)


def _aside(verb: str, place: str, words: str, by: str, reason: str, agreed_by: str = "") -> str:
    """Return a command for the exported log: ``[%amend 3 "8Dj2" by=p1 "misheard"]``.

    Args:
        verb: The name of the command.
        place: What follows it: a number of plies or the number of a ply.
        words: The old words, without quotation marks.
        by: Who did it.
        reason: Why, without quotation marks.
        agreed_by: Who agreed; written as ``agreed=p2``.

    Returns:
        The command; an empty part is left out.
    """
    who = f"by={bare(by)}" if by else ""
    consent = f"agreed={bare(agreed_by)}" if agreed_by else ""
    return format_command(verb, place, words and quote_text(words), who, consent, reason and quote_text(reason))
