"""What happened at a table, for those who follow it: by names, plies and words, never by the numbers of events."""

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
        event = _with_places(line.event, each.event)
        says = say(event, telling.sentence(earlier or book, len(book.plies)))
        yield News(line.version, f"{says[0].upper()}{says[1:]}", telling.kind(event))


def _last(recorded: Sequence[RecordedEvent], many: int, seat: int | None) -> Sequence[RecordedEvent]:
    """Return the last events that a view is shown."""
    shown = (each for each in reversed(recorded) if seat is None or not isinstance(each.event, WordDeclined))
    return [*islice(shown, many)][::-1]


class _Telling:
    """What the sentences about events depend on beside them, for one viewer."""

    def __init__(self, game: LiveGame, view: View, lines: Sequence[LogLine], by: Viewer) -> None:
        """Take the game, the table and the lines of the log as the viewer has them, and who reads them."""
        self.recorded, self.lines, self.seat = game.recorded, lines, by.seat
        self.quiet = by.quiet or (by.muted and not view.closed)
        self.findings = () if self.quiet else view.findings
        self.names = view.players
        self.unjudged = nobody_judges(view.found.game)

    def sentence(self, before: Book, ply: int) -> Sentence:
        """Return the form of the sentence about the event after a record that makes it one of so many plies."""
        return Sentence(
            names=self.names,
            before=before,
            ply=ply,
            word_at=self._word_at,
            quiet=self.quiet,
            unjudged=self.unjudged,
            findings=self.findings,
        )

    def kind(self, event: Event) -> str:
        """Return what the rules say of a ply in one word, empty for any other event and where it is left out."""
        if not isinstance(event, MovePlayed):
            return ""
        if event.text == MISSING_WORD:
            return "undecided"
        if self.quiet or self.unjudged:
            return ""
        found = worst(event.findings)
        return found.severity if found is not None else "legal"

    def _word_at(self, ref: Ref) -> str:
        """Return the word at a place of the log as the viewer may read it; empty if there is none."""
        number = ref[0] if self.seat is None else number_for_seats(self.recorded, ref[0])
        event, at = self.lines[number - 1].event, ref[1]
        if isinstance(event, MovePlayed):
            return readable(event.text)
        if isinstance(event, GameImported):
            return readable(loads(event.cgn)[0].line.words[at])
        return readable(event.words[at]) if isinstance(event, (MovesAmended, RulingGiven)) else ""


def _with_places(seen: Event, stored: Event) -> Event:
    """Return an event as the viewer may read it, but with the true numbers of its plies, which are not shown."""
    fields = declarations(type(stored)).items()
    places = (name for name, declared in fields if declared is not None and declared.refers == PLY)
    return replace(seen, **{name: getattr(stored, name) for name in places})
