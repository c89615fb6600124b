"""What happened at a table, in sentences for those who follow it, by names, plies and words."""

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import loads
from cartulary.notation.cgn.record import MISSING_WORD
from cartulary.notation.unjudged import nobody_judges
from cartulary.notation.viewer import Viewer
from cartulary.records.answers import LogLine
from cartulary.records.log.events import Event, GameImported, MovePlayed, MovesAmended, RulingGiven, WordDeclined
from cartulary.records.log.fields import PLY, declarations
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.binding import build_book
from cartulary.records.state.book import Book
from cartulary.records.state.docket import Ref
from cartulary.records.state.event_words import Sentence, readable, say, worst
from cartulary.records.state.fold import LiveGame, begins_with
from cartulary.records.state.masks import number_for_seats
from cartulary.records.state.seat_view import reader
from cartulary.records.table.at_table import View


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
    """Yield a sentence for each event after a version, in order, as a viewer may know it.

    A version is the number of an event in the log. The sentence begins with a capital and has no full stop.

    Args:
        game: The game.
        view: The table as the viewer has it.
        lines: All lines of the log that the viewer may read.
        since: The version, as the viewer counts it; 0 or less yields all events.
        before: The game as it was then or earlier; its book is used, so that the older events need not be applied
            again. None applies them.
    """
    new, by = lines[max(since, 0) :], reader(game, view.viewer)
    writer = _NewsWriter(game, view, lines, by)
    book, built = None, 0
    if before is not None and begins_with(game.recorded, before.head):
        book, built = before.book, before.head.version
    for entry, line in zip(_shown_events(game.recorded, len(new), by.seat), new, strict=True):
        number = entry.originator_version
        if built >= number:  # the game was further than this event
            book, built = None, 0
        between = (between_event.event for between_event in game.recorded[built : number - 1])
        earlier = build_book(between, book, built) if number > 1 else None
        book, built = build_book((entry.event,), earlier, number - 1), number
        event = _with_true_places(line.event, entry.event)
        says = say(event, writer.sentence(earlier or book, len(book.plies)))
        yield News(line.version, f"{says[0].upper()}{says[1:]}", writer.kind(event))


def _shown_events(recorded: Sequence[RecordedEvent], number: int, seat: int | None) -> Sequence[RecordedEvent]:
    """Return the last events that a view is shown, ``number`` of them in the order of the log, or all if there are
    fewer.

    Args:
        recorded: All events of the log.
        number: How many.
        seat: Who looks: a seat, or 0 for the rail, is not shown declined words; None is shown everything.
    """
    shown = (entry for entry in reversed(recorded) if seat is None or not isinstance(entry.event, WordDeclined))
    return [*islice(shown, number)][::-1]


class _NewsWriter:
    """Writes the sentences about events for one viewer, from the log as that viewer may read it."""

    def __init__(self, game: LiveGame, view: View, lines: Sequence[LogLine], by: Viewer) -> None:
        """Take the game, the table and the lines of the log as the viewer has them, and who reads them."""
        self.recorded, self.lines, self.seat = game.recorded, lines, by.seat
        self.quiet = by.quiet or (by.muted and not view.closed)
        self.findings = () if self.quiet else view.findings
        self.names = view.players
        self.unjudged = nobody_judges(view.position.game)
        self.common_name = view.position.game.words.common_name

    def sentence(self, before: Book, ply: int) -> Sentence:
        """Return the form in which the next event is said: a sentence with the names, words and findings that the
        viewer may know.

        Args:
            before: The record before the event.
            ply: How many plies there are after it.
        """
        return Sentence(
            names=self.names,
            before=before,
            ply=ply,
            word_at=self._word_at,
            quiet=self.quiet,
            unjudged=self.unjudged,
            findings=self.findings,
            common_name=self.common_name,
        )

    def kind(self, event: Event) -> str:
        """Return the verdict on a ply in one word, ``legal``, ``undecided`` or ``error``; a remark does not change it.

        A ply that was not written down is ``undecided``. Empty for any event but a move, where verdicts are not shown,
        and in a game that nobody judges.
        """
        if not isinstance(event, MovePlayed):
            return ""
        if event.text == MISSING_WORD:
            return "undecided"
        if self.quiet or self.unjudged:
            return ""
        found = worst(event.findings)
        return found.severity if found is not None else "legal"

    def _word_at(self, ref: Ref) -> str:
        """Return the word that an event wrote, as the viewer may read it; empty if it is withheld or the event writes
        no words.

        Args:
            ref: The true number of the event, from 1, and the place of the word in it, from 0.
        """
        number = ref[0] if self.seat is None else number_for_seats(self.recorded, ref[0])
        event, at = self.lines[number - 1].event, ref[1]
        if isinstance(event, MovePlayed):
            return readable(event.text)
        if isinstance(event, GameImported):
            return readable(loads(event.cgn)[0].line.words[at])
        return readable(event.words[at]) if isinstance(event, (MovesAmended, RulingGiven)) else ""


def _with_true_places(shown: Event, stored: Event) -> Event:
    """Return an event as the viewer may read it, but referring to plies by the true numbers of their events.

    A seat counts events otherwise, but the true numbers find the plies in the book; they are not printed.

    Args:
        shown: The event as the viewer may read it.
        stored: The same event as it was written.
    """
    fields = declarations(type(stored)).items()
    places = (name for name, declared in fields if declared is not None and declared.refers == PLY)
    return replace(shown, **{name: getattr(stored, name) for name in places})
