"""What happened at a table, for those who follow it: by names, plies and words, never by the numbers of events."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import loads
from cartulary.notation.arbiter.ruling_commands import ruling_says
from cartulary.notation.cgn.record import MISSING_WORD
from cartulary.notation.unjudged import nobody_judges
from cartulary.notation.viewer import Viewer
from cartulary.records.answers import LogLine
from cartulary.records.log.events import (
    Annotated,
    BoardStated,
    ClockCorrected,
    DisputeRaised,
    DisputeWithdrawn,
    Event,
    Found,
    GameClosed,
    GameImported,
    MovePlayed,
    MovesAmended,
    MoveTakenBack,
    RecordAgreed,
    RulingGiven,
    WordDeclined,
)
from cartulary.records.log.fields import PLY, UNTOLD, declarations
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.binding import build_book
from cartulary.records.state.book import Book
from cartulary.records.state.docket import Ref
from cartulary.records.state.fold import LiveGame, begins_with
from cartulary.records.state.masks import number_for_seats
from cartulary.records.state.seat_view import reader
from cartulary.records.table.at_table import View
from cartulary.records.table.sayings import called, closed_line, proofs, short

LETTERS = 160
"""The largest number of letters shown of a text that somebody wrote."""


class News(Struct, frozen=True):
    """A sentence about an event.

    Attributes:
        version: The number of the event, as the view counts it.
        says: The sentence.
        kind: ``legal``, ``undecided``, ``error`` or empty.
    """

    version: int
    says: str
    kind: str = ""


def news_of(
    game: LiveGame, view: View, lines: Sequence[LogLine], since: int, before: LiveGame | None = None
) -> Iterator[News]:
    """Yield what each event after a version was, in order, as a viewer may know it.

    Args:
        game: The game.
        view: The table as the viewer has it.
        lines: All that the viewer may read of the log.
        since: The version, as the viewer counts it.
        before: The game as it was then or earlier, so that what was written up to then is not bound again.
    """
    new, by = lines[max(since, 0) :], reader(game, view.viewer)
    telling = _Telling(game, view, lines, by)
    book, bound = None, 0
    if before is not None and begins_with(game.recorded, before.head):
        book, bound = before.book, before.head.version
    for each, line in zip(_last(game.recorded, len(new), by.seat), new, strict=True):
        number = each.originator_version
        if bound >= number:  # the game was further than this event
            book, bound = None, 0
        between = (one.event for one in game.recorded[bound : number - 1])
        earlier = build_book(between, book, bound) if number > 1 else None
        book, bound = build_book((each.event,), earlier, number - 1), number
        yield telling.told(line, _with_places(line.event, each.event), earlier or book, book)


def _last(recorded: Sequence[RecordedEvent], many: int, seat: int | None) -> Sequence[RecordedEvent]:
    """Return the last events that a view is shown."""
    shown = (each for each in reversed(recorded) if seat is None or not isinstance(each.event, WordDeclined))
    return [*islice(shown, many)][::-1]


class _Telling:
    """Makes the sentences about events for one viewer, from the log as that viewer may read it."""

    def __init__(self, game: LiveGame, view: View, lines: Sequence[LogLine], by: Viewer) -> None:
        self.recorded, self.lines, self.seat = game.recorded, lines, by.seat
        self.untold = by.quiet or (by.muted and not view.closed)
        self.findings = () if self.untold else view.findings
        self.names = view.players
        self.free = nobody_judges(view.found.game)

    def told(self, line: LogLine, event: Event, before: Book, book: Book) -> News:
        """Return the sentence about an event.

        Args:
            line: The line of the log.
            event: The event of the line, with the places it refers to as the whole log has them.
            before: The record before it.
            book: The record after it.
        """
        if isinstance(event, MovePlayed):
            says, kind = self._played(event, len(book.plies))
            return News(line.version, says, kind)
        tell = _TELLERS.get(type(event))
        says = tell(self, event, before) if tell is not None else line.says
        return News(line.version, f"{says[0].upper()}{says[1:]}")

    # --- plies ---

    def _played(self, event: MovePlayed, ply: int) -> tuple[str, str]:
        if event.text == MISSING_WORD:
            return f"Ply {ply} was played but not written down", "undecided"
        who = called(f"p{event.seat}", self.names) if event.seat else "the table"
        sentence = f"{who[0].upper()}{who[1:]} played {short(event.text)}, ply {ply}"
        if self.untold or self.free:
            return f"{sentence}: written", ""
        found = _worst(event.findings)
        proved = proofs(one for one in self.findings if one.decided_by == ply and one.ply < ply)
        if found is None:
            return f"{sentence}: legal{proved}", "legal"
        because = f"{found.key}{f': {found.because}' if found.because else ''}{proved}"
        if found.severity == "undecided":
            return f"{sentence}: undecided, {because}", "undecided"
        how = "irregular under" if event.quiet or not event.stands else "let stand although it breaks"
        return f"{sentence}: {how} {because}", "error"

    def _word(self, ref: Ref) -> str:
        """Return the word at a place of the log as the viewer may read it; empty if there is none."""
        number = ref[0] if self.seat is None else number_for_seats(self.recorded, ref[0])
        event, at = self.lines[number - 1].event, ref[1]
        if isinstance(event, MovePlayed):
            return _shown(event.text)
        if isinstance(event, GameImported):
            return _shown(loads(event.cgn)[0].line.words[at])
        return _shown(event.words[at]) if isinstance(event, (MovesAmended, RulingGiven)) else ""

    def _plies(self, book: Book, refs: Sequence[Ref]) -> str:
        """Return plies with their words: ``ply 6, 9Hb6``; the game where there are none."""
        at = {entry.ref: number for number, entry in enumerate(book.plies, 1)}
        numbers = [at[ref] for ref in refs if ref in at]
        if not numbers:
            return "the game"
        words = " ".join(word for ref in refs if (word := self._word(ref)))
        many = len(numbers) > 1
        place = f"plies {numbers[0]}–{numbers[-1]}" if many else f"ply {numbers[0]}"
        return f"{place}{f', {short(words, 60)}' if words else ''}"

    def _from(self, book: Book, event: Any, many: int) -> str:
        """Return so many plies from the one an event refers to."""
        first = next(at for at, entry in enumerate(book.plies) if entry.ref == (event.event, event.word))
        return self._plies(book, [entry.ref for entry in book.plies[first : first + many]])

    # --- what changes them ---

    def _taken_back(self, event: MoveTakenBack, before: Book) -> str:
        plies = self._plies(before, [entry.ref for entry in before.plies[-event.plies :]])
        agreed = f"{called(event.agreed, self.names)} agreed" if event.agreed else "nobody was asked"
        return f"{called(event.by, self.names)} took back {plies}; {agreed}{_because(event.reason)}"

    def _amended(self, event: MovesAmended, before: Book) -> str:
        words = " ".join(short(_shown(word) or "a ply") for word in event.words)
        who = called(event.by, self.names)
        if not event.replaced:
            place = f"before {self._from(before, event, 1)}" if event.event else "at the end"
            return f"{who} put {words} {place}{_because(event.reason)}"
        plies = self._from(before, event, event.replaced)
        return f"{who} {f'corrected {plies}, to {words}' if words else f'removed {plies}'}{_because(event.reason)}"

    def _boarded(self, event: BoardStated, before: Book) -> str:
        found = "" if self.untold else "; ".join(one.because for one in event.findings)
        place = f"after {self._plies(before, [(event.event, event.word)])}" if event.event else "before the first ply"
        return f"{called(event.by, self.names)} stated the board {place}{f': {found}' if found else ''}"

    # --- what is said of them ---

    def _noted(self, event: Annotated, before: Book) -> str:
        place = self._plies(before, [(event.event, event.word)] if event.event else [])
        text = _shown(" ".join(event.text.split()))
        return f"{'A note on' if event.text else 'The note was removed from'} {place}{_because(text)}"

    def _timed(self, event: ClockCorrected, before: Book) -> str:
        return f"{event.clock} left after {self._plies(before, [(event.event, event.word)])}{_because(event.reason)}"

    def _disputed(self, event: DisputeRaised, before: Book) -> str:
        place = self._plies(before, [(event.event, event.word)] if event.event else [])
        return f"{called(event.by, self.names)} disputes {place}{_because(event.claim)}"

    def _withdrew(self, event: DisputeWithdrawn, before: Book) -> str:
        return f"{called(event.by, self.names)} withdrew dispute {event.event}{_because(event.reason)}"

    def _ruled(self, event: RulingGiven, before: Book) -> str:
        place = f"ruling {event.revokes}" if event.revokes else self._plies(before, event.plies)
        keys = f" ({', '.join(event.keys)})" if event.keys else ""
        return (
            f"{called(event.arbiter, self.names)} ruled on {place}: {ruling_says(event)}{keys}{_because(event.reason)}"
        )

    def _agreed(self, event: RecordAgreed, before: Book) -> str:
        return f"{called(f'p{event.seat}', self.names)} agrees with this record"

    def _closed(self, event: GameClosed, before: Book) -> str:
        how = f" ({event.termination})" if event.termination else ""
        return closed_line(event.result, self.names) + how


def _with_places(seen: Event, stored: Event) -> Event:
    """Return an event as the viewer may read it, but with the true numbers of its plies, which are not shown."""
    fields = declarations(type(stored)).items()
    places = (name for name, declared in fields if declared is not None and declared.refers == PLY)
    return replace(seen, **{name: getattr(stored, name) for name in places})


def _worst(findings: Sequence[Found]) -> Found | None:
    """Return the first thing found that is more than a remark, a breach before a question."""
    serious = [one for one in findings if one.severity in ("error", "undecided")]
    return min(serious, key=lambda one: one.severity != "error", default=None)


def _shown(text: str) -> str:
    """Return a text, empty if it is withheld from the viewer."""
    return "" if text == UNTOLD else text


def _because(text: str) -> str:
    return f": {short(text, LETTERS)}" if _shown(text) else ""


_TELLERS: dict[type[Event], Callable[[Any, Any, Book], str]] = {
    MovesAmended: _Telling._amended,
    MoveTakenBack: _Telling._taken_back,
    Annotated: _Telling._noted,
    ClockCorrected: _Telling._timed,
    BoardStated: _Telling._boarded,
    DisputeRaised: _Telling._disputed,
    DisputeWithdrawn: _Telling._withdrew,
    RulingGiven: _Telling._ruled,
    RecordAgreed: _Telling._agreed,
    GameClosed: _Telling._closed,
}
