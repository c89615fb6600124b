"""Binding: the events of a record are made its book, one after the other."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from cartulary.notation import loads
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
from cartulary.notation.cgn.commands import bare, format_command, quoted, without
from cartulary.records.log.events import (
    Annotated,
    BoardStated,
    ClockCorrected,
    DisputeRaised,
    DisputeWithdrawn,
    Event,
    GameClosed,
    GameImported,
    GameOpened,
    GameReopened,
    MadeQuiet,
    MovePlayed,
    MovesAmended,
    MoveTakenBack,
    RecordAgreed,
    Revealed,
    RulingGiven,
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
    changes_record,
    clock_in,
    time_left,
)
from cartulary.records.state.docket import DisputeEntry, Docket, Ref, RulingEntry
from cartulary.records.state.notes import NO_NOTE, note_of, without_board


def bind(events: Iterable[Event], kept: Book | None = None, version: int = 0) -> Book:
    """Return the book that a record's events make, in order from the first.

    kept, version: the book of the events before these, and how many they are
    Raises ValueError for a stream that does not begin with a game, or refers to a ply that is not there.
    """
    binding = _Binding(kept)
    for number, event in enumerate(events, version + 1):
        binding.version = number
        binding.fold(event)
    return binding.done()


class _Binding:
    """A book while it is being made; lists are cheaper here than a new value for each event."""

    def __init__(self, kept: Book | None) -> None:
        self.version = 0
        self.book = kept
        self.plies = list(kept.plies) if kept else []
        self.places: dict[Ref, int] = {}
        self.pending: list[Aside] = list(kept.asides) if kept else []
        self.about: tuple[int, ...] = kept.about if kept else ()
        self.docket = Docket(kept.disputes, kept.rulings) if kept else Docket()
        self.commands: dict[str, tuple[int, int]] = dict(kept.commands) if kept else {}
        self.agreed: dict[int, Agreement] = {each.seat: each for each in kept.agreements} if kept else {}
        self.changes: dict[str, Any] = {"tags": kept.tags} if kept else {}

    def fold(self, event: Event) -> None:
        fault = fault_of(event, StreamPlace(self.version, self.book.seats if self.book else 0))
        if fault:
            raise ValueError(f"in event {self.version} {fault}")
        _STEPS[type(event)](self, event)
        if self.agreed and changes_record(event):
            self._changed()
        if event.command:
            first, _ = self.commands.get(event.command, (self.version, 0))
            self.commands[event.command] = (first, self.version)
        if event.at and not isinstance(event, WordDeclined):
            self.changes["updated"] = event.at

    def done(self) -> Book:
        if self.book is None:
            raise ValueError("The record does not begin with the opening of a game")
        return replace(
            self.book,
            plies=tuple(self.plies),
            asides=tuple(self.pending),
            disputes=tuple(self.docket.disputes.values()),
            rulings=tuple(self.docket.rulings.values()),
            about=self.about,
            agreements=tuple(self.agreed[seat] for seat in sorted(self.agreed)),
            commands=self.commands,
            **self.changes,
        )

    def opened(self, event: GameOpened) -> None:
        sheet = (
            ("Edition", event.edition),
            ("Variant", event.variant),
            ("Options", event.options),
            *event.own,
        )
        self.book = Book(event.game, _seats(event.seats), tuple(tag for tag in sheet if tag[1]), False)

    def imported(self, event: GameImported) -> None:
        [record] = loads(event.cgn)
        self.book = Book(
            event.game,
            _seats(event.seats),
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
            self.docket.read(record.line, self.version)
            there = {ply.ref: at for at, ply in enumerate(self.plies)}
            for entry in self.docket.rulings.values():
                command = entry.command
                if decides(command, record.result) or lets_stand(command):
                    self._takes_effect(entry, there.__getitem__)

    def _takes_effect(self, entry: RulingEntry, index: Callable[[Ref], int]) -> None:
        """Let plies or a result stand by ruling. index: says at which place a ply stands"""
        if entry.command.decision == "stands":
            for at in map(index, entry.refs):
                self.plies[at] = replace(self.plies[at], ruling=entry.number)
        elif entry.command.decision == "result":
            self.changes["ruling"] = entry.number

    def tags(self, event: TagsChanged) -> None:
        gone = {name for name, _ in event.put}.union(event.dropped)
        kept = tuple(tag for tag in self.changes.get("tags", ()) if tag[0] not in gone)
        self.changes["tags"] = kept + event.put

    def played(self, event: MovePlayed) -> None:
        ref = (self.version, 0)
        self.places[ref] = len(self.plies)
        self.plies.append(Ply(ref, event.text, event.stands, event.clock, asides=tuple(self.pending)))
        self.pending.clear()
        self._unfinished()
        if event.quiet:
            self.changes["quiet"] = True

    def taken_back(self, event: MoveTakenBack) -> None:
        at = self._index((event.event, event.word))
        gone = self.plies[at:]
        del self.plies[at:]
        about = _aside("takeback", str(len(gone)), "", event.by, event.reason, event.agreed)
        self.pending += (*(aside for ply in gone for aside in _told_on(ply)), about)
        for ply in gone:
            self.docket.moved(ply.ref, None)
        self._unfinished()

    def amended(self, event: MovesAmended) -> None:
        at = self._index((event.event, event.word)) if event.event else len(self.plies)
        words = " ".join(ply.text for ply in self.plies[at : at + event.replaced])
        about = _aside("amend", str(at + 1), words, event.by, event.reason)
        let = tuple(event.stands and any(f.severity == "error" for f in found) for found in event.findings)
        self._put(at, event.replaced, event.words, let, about)

    def _put(self, at: int, replaced: int, words: tuple[str, ...], let: tuple[bool, ...], about: Aside) -> None:
        """Let words take the place of plies; what was said of the first ``len(words)`` of those stays."""
        gone = self.plies[at : at + replaced]
        asides_gone = (_told_on(ply) if i >= len(words) else ply.asides for i, ply in enumerate(gone))
        asides = (*(aside for each in asides_gone for aside in each), about)
        new = [
            Ply(
                (self.version, i),
                word,
                let[i],
                note=gone[i].note if i < len(gone) else NO_NOTE,
                clock=gone[i].clock if i < len(gone) else "",
                timed=gone[i].timed if i < len(gone) else (),
                board=gone[i].board if i < len(gone) else "",
            )
            for i, word in enumerate(words)
        ]
        for i, ply in enumerate(gone):
            self.docket.moved(ply.ref, new[i].ref if i < len(new) else None)
        self.docket.shifted(at, replaced, len(new))
        self.plies[at : at + replaced] = new
        self.places |= {ply.ref: place for place, ply in enumerate(new, at)}
        if at < len(self.plies):
            self.plies[at] = replace(self.plies[at], asides=(*asides, *self.plies[at].asides))
        else:
            self.pending[:0] = asides

    def annotated(self, event: Annotated) -> None:
        assert self.book is not None
        note = note_of(event.text, (("Game", self.book.game), *self.book.sheet))
        if event.event == 0:
            self.changes["preface"] = note
            return
        at = self._index((event.event, event.word))
        clock = "" if clock_in(note) else self.plies[at].clock
        self.plies[at] = replace(self.plies[at], note=note, clock=clock)

    def clocked(self, event: ClockCorrected) -> None:
        at = self._index((event.event, event.word))
        entry = self.plies[at]
        was = time_left(entry)
        if was:
            timed = Correction(self.version, event.clock, was, event.by, event.reason, event.at)
            about = _aside("clock", str(at + 1), was, event.by, event.reason)
            entry = replace(entry, timed=(*entry.timed, timed), asides=(*entry.asides, about))
        then = (without(item, {"clk"}) if isinstance(item, str) else item for item in entry.note.then)
        note = replace(entry.note, then=tuple(item for item in then if item)) if clock_in(entry.note) else entry.note
        self.plies[at] = replace(entry, note=note, clock=event.clock)

    def boarded(self, event: BoardStated) -> None:
        assert self.book is not None
        if event.event == 0:
            preface = self.changes.get("preface", self.book.preface)
            self.changes |= {"board": event.text, "preface": without_board(preface)}
            return
        at = self._index((event.event, event.word))
        entry = self.plies[at]
        self.plies[at] = replace(entry, board=event.text, note=without_board(entry.note))

    def closed(self, event: GameClosed) -> None:
        self.changes |= {
            "result": event.result,
            "termination": event.termination,
            "score": event.score,
            "scored": self.version,
            "closed": True,
            "quiet": False,
            "as_written": False,
            "ruling": 0,
        }

    def kept_sheet(self, event: SheetKept) -> None:
        assert self.book is not None
        if not loads(event.cgn):
            raise ValueError(f"in event {self.version} `cgn` holds no game")
        before = self.changes.get("sheets", self.book.sheets)
        self.changes["sheets"] = (*before, KeptSheet(self.version, event.cgn, event.source, event.by, event.at))

    def kept_source(self, event: SourceKept) -> None:
        """Nothing of the game rests on it."""

    def disputed(self, event: DisputeRaised) -> None:
        at = self._index((event.event, event.word)) if event.event else -1
        ply = self.plies[at] if at >= 0 else None
        command, ref = DisputeCommand(ply=at + 1, **fields_in(Dispute, event)), ply.ref if ply else None
        self.docket.dispute(DisputeEntry(self.version, ref, command, ply.text if ply else "", event.at))
        self._beside(at, self.version)

    def withdrawn(self, event: DisputeWithdrawn) -> None:
        self.docket.withdraw(event.event, event.reason)

    def ruled(self, event: RulingGiven) -> None:
        for seat, _ in (*event.penalties, *event.points):
            _seats(seat)
        at = tuple(self._index(ref) for ref in event.plies)
        plies, old = tuple(index + 1 for index in at), tuple(self.plies[index].text for index in at)
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
            self._put(at[0], len(at), event.words, (False,) * len(event.words), self.version)
            return
        self._beside(at[0] if at else -1, self.version)
        if event.decision == "result":
            how = {"result": event.result, "termination": "adjudication", "closed": True, "as_written": False}
            self.changes |= how | {"quiet": False}
        self._takes_effect(entry, self._index)

    def _revoke(self, entry: RulingEntry) -> None:
        """Take back what a ruling did to plies and to the result; a result it gave leaves the game open."""
        for at, ply in enumerate(self.plies):
            if ply.ruling == entry.number:
                self.plies[at] = replace(ply, ruling=0)
        if entry.command.decision == "result" and self._result_is_by(entry.number):
            self.changes["closed"] = False
            self._unfinished()

    def _result_is_by(self, ruling: int) -> bool:
        assert self.book is not None
        return bool(self.changes.get("ruling", self.book.ruling) == ruling)

    def _beside(self, at: int, number: int) -> None:
        """Put a dispute or ruling beside the ply with this index, beside the whole game where there is none."""
        if at < 0:
            self.about = (*self.about, number)
        else:
            self.plies[at] = replace(self.plies[at], asides=(*self.plies[at].asides, number))

    def made_quiet(self, event: MadeQuiet) -> None:
        self.changes["quiet"] = True

    def revealed(self, event: Revealed) -> None:
        self.changes["quiet"] = False

    def agreed_by(self, event: RecordAgreed) -> None:
        self.agreed[_seats(event.seat)] = Agreement(event.seat, self.version, event.at, event.head)

    def _changed(self) -> None:
        """Note on every agreement with the record as it stood that it stands so no longer."""
        for each in self.agreed.values():
            if not each.since:
                self.agreed[each.seat] = replace(each, since=self.version)

    def reopened(self, event: GameReopened) -> None:
        self.changes["closed"] = False
        self._unfinished()

    def withheld(self, event: Withheld) -> None:
        """Read nothing: what was left out is unknown, and no move rests on it."""

    def declined(self, event: WordDeclined) -> None:
        """Change nothing: what was declined was not written."""

    def _unfinished(self) -> None:
        """Forget a result: play goes on."""
        self.changes |= {"result": "", "termination": "", "score": "", "scored": 0, "as_written": False, "ruling": 0}

    def _index(self, ref: Ref) -> int:
        """Return at which place a ply stands; the last place known of it is looked at first."""
        at = self.places.get(ref, len(self.plies))
        if at >= len(self.plies) or self.plies[at].ref != ref:
            self.places = {ply.ref: place for place, ply in enumerate(self.plies)}
            at = self.places.get(ref, -1)
        if at < 0:
            raise ValueError(f"Event {self.version} refers to word {ref[1]} of event {ref[0]}, which is not there")
        return at


_STEPS: dict[type[Event], Callable[[_Binding, Any], None]] = {
    GameOpened: _Binding.opened,
    GameImported: _Binding.imported,
    TagsChanged: _Binding.tags,
    MovePlayed: _Binding.played,
    MovesAmended: _Binding.amended,
    MoveTakenBack: _Binding.taken_back,
    Annotated: _Binding.annotated,
    ClockCorrected: _Binding.clocked,
    BoardStated: _Binding.boarded,
    MadeQuiet: _Binding.made_quiet,
    Revealed: _Binding.revealed,
    GameClosed: _Binding.closed,
    GameReopened: _Binding.reopened,
    RecordAgreed: _Binding.agreed_by,
    SheetKept: _Binding.kept_sheet,
    SourceKept: _Binding.kept_source,
    DisputeRaised: _Binding.disputed,
    DisputeWithdrawn: _Binding.withdrawn,
    RulingGiven: _Binding.ruled,
    Withheld: _Binding.withheld,
    WordDeclined: _Binding.declined,
}


_SEATS = range(1, 100)


def _seats(number: int) -> int:
    """Return a number of seats, or that of one. Raises ValueError for one no table has."""
    if number not in _SEATS:
        raise ValueError("No table has as many seats as the record says")
    return number


def _told_on(ply: Ply) -> tuple[Aside, ...]:
    """Return what was disputed, ruled and corrected on a ply, what an imported sheet tells of it first."""
    return (*(entry for comment in ply.note.comments for entry in docketed_in(comment)), *ply.asides)


def _aside(verb: str, about: str, words: str, by: str, reason: str, agreed: str = "") -> str:
    who = f"by={bare(by)}" if by else ""
    consent = f"agreed={bare(agreed)}" if agreed else ""
    return format_command(verb, about, words and quoted(words), who, consent, reason and quoted(reason))
