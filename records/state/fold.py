"""The fold: a record's events become the game as it stands, judged by the rules.

First the book (what was written), then one walk of the rules over it; every command, view and export starts here.
"""

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from cartulary.notation import (
    AnyGame,
    Examined,
    Finding,
    Line,
    NotationError,
    Note,
    Record,
    Report,
    canonical,
    examine,
    find_game,
    format_result,
)
from cartulary.notation.arbiter.examine import with_rulings
from cartulary.notation.arbiter.heading import game_of
from cartulary.notation.arbiter.replay import CALLS, Step
from cartulary.notation.arbiter.ruling_commands import RulingCommand, about_gone, follows
from cartulary.notation.arbiter.seen import SeenRecord
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.signs import count
from cartulary.notation.roster import NotLoaded
from cartulary.notation.unjudged import NOBODY, nobody_judges
from cartulary.records.faults import Damaged, Fault, Unfit, Uninstalled
from cartulary.records.log.chain import Head
from cartulary.records.log.events import Pairs
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.binding import build_book
from cartulary.records.state.book import SEAT, Aside, Book, Ply
from cartulary.records.state.cgn_rulings import RulingCommands, arbiter_of_result, arbiters_of_plies, scoring_rulings
from cartulary.records.state.notes import NO_NOTE, with_board


class LiveGame(Struct, frozen=True):
    """A record as it stands.

    recorded: every event in its place; book: what they say was written; record: the book as a score sheet
    examined: what the rules say of it
    let: the errors that are remarks in it because a ruling lets them stand
    seen: what seats have seen of it, or of the game it was before, as far as somebody has asked; the value is the same
    """

    id: str
    head: Head
    recorded: tuple[RecordedEvent, ...]
    book: Book
    record: Record
    examined: Examined
    let: tuple[Finding, ...] = ()
    seen: dict[int, SeenRecord] = field(default_factory=dict)

    @property
    def report(self) -> Report:
        """The arbiter's report."""
        return self.examined.report

    @property
    def plies(self) -> int:
        """The number of plies as they stand."""
        return len(self.book.plies)

    @property
    def reached(self) -> int:
        """How many plies could be applied; the rest is kept unread."""
        return self.examined.reached

    @property
    def words(self) -> tuple[str, ...]:
        """The plies in canonical spelling, those that were not reached as stored."""
        return self.examined.words

    @property
    def scoring(self) -> tuple[RulingCommand, ...]:
        """The rulings that count in the score, in their order."""
        return scoring_rulings(self.book)

    def findings(self, first: int, last: int | None = None) -> tuple[Finding, ...]:
        """Return the findings on the plies from ``first`` to ``last``, both included; to the end without it."""
        return tuple(
            found for found in self.report.findings if found.ply >= first and (last is None or found.ply <= last)
        )


def played_game(game: LiveGame) -> AnyGame:
    """Return the game whose rules hold for a record."""
    assert game.examined.heading.game is not None
    return game.examined.heading.game


def fold(
    id: str, recorded: Sequence[RecordedEvent], kept: LiveGame | None = None, tried: LiveGame | None = None
) -> LiveGame:
    """Return the game these events make. Raises Damaged where they contradict one another, and Uninstalled.

    kept: the game as it stood before, with fewer events or more; tried: as it was judged with these before they were
    stored
    """
    last = recorded[-1]
    begins = kept is not None and begins_with(recorded, kept.head)
    book, head = book_of(id, recorded, kept if begins else None), Head(last.originator_version, last.digest)
    if tried is not None and tried.book == book and not tried.report.findings:
        # A mark of a stored ply is remarked on no more; where nothing was found, the rules say what they said.
        return replace(tried, recorded=tuple(recorded), head=head)
    return folded(id, tuple(recorded), book, head, tried or kept)


def begins_with(recorded: Sequence[RecordedEvent], head: Head) -> bool:
    """Say whether a log begins with the events that lead to a head."""
    return len(recorded) >= head.version and recorded[head.version - 1].digest == head.digest


def book_of(id: str, recorded: Sequence[RecordedEvent], kept: LiveGame | None = None) -> Book:
    """Return what these events say was written; no rule is asked. Raises Damaged where they contradict one another.

    kept: the game as it stood after some of them
    """
    book, version = (kept.book, kept.head.version) if kept else (None, 0)
    try:
        return build_book((event.event for event in recorded[version:]), book, version)
    except (ValueError, IndexError, KeyError) as fault:
        raise Damaged(f"The events of {id} do not make a game: {fault}.", id, len(recorded)) from fault


def folded(
    id: str,
    recorded: tuple[RecordedEvent, ...],
    book: Book,
    head: Head,
    kept: LiveGame | None = None,
    ahead: Sequence[Step] = (),
) -> LiveGame:
    """Return the game of a book, judged; its last events may be ones that are not stored yet. Raises Uninstalled.

    kept: the game as it was before; ahead: what came of the words that the book has beside those of ``kept``, where
    they have been judged behind it
    """
    try:
        record = sheet(book, kept)
    except NotationError as error:
        raise Uninstalled(id, book.game, error.because if isinstance(error, NotLoaded) else "") from None
    examined = judged(book, record, head.version, kept.examined.walk if kept else None, ahead)
    if examined.walk is None:
        raise _cannot_be_set_up(id, book, examined)
    heading = examined.heading
    if heading.sheet is not None and heading.game is not None and heading.sheet.seats != book.seats:
        there = (
            f"it was opened for {count(book.seats, 'seat')}, and {heading.game.about.title} has {heading.sheet.seats}"
        )
        raise Damaged(f"The events of {id} do not make a game: {there}.", id, 1)
    stand = {ply: arbiter for ply, arbiter in arbiters_of_plies(book).items() if ply <= examined.reached}
    examined, let = with_rulings(examined, stand, arbiter_of_result(book))
    return LiveGame(id, head, recorded, book, record, examined, let, dict(kept.seen) if kept else {})


def _cannot_be_set_up(id: str, book: Book, examined: Examined) -> Fault:
    heading = examined.heading
    if heading.fault == "Edition":
        return Uninstalled(id, f"{book.game} in the edition {heading.edition}")
    if heading.fault == "Variant":
        return Uninstalled(id, f"{book.game} in the variant {heading.variant}")
    because = next(found.because for found in examined.report.findings if found.severity == "error")
    return Unfit(f"{id} cannot be set up by the rules installed here: {because}.")


def judged(
    book: Book, record: Record, version: int, walked: Walk | None = None, ahead: Sequence[Step] = ()
) -> Examined:
    """Return the examination of a book's score sheet, without places: there is no text they would be in.

    A game that goes on, or has its result by ruling, has none to find fault with; and no mark of a ply stored up to
    ``version`` is remarked on: a correction before it may have changed what its marks should be.
    """
    examined = examine(record, cached=walked, rulings=scoring_rulings(book), ahead=ahead)
    report = examined.report
    if not report.findings:
        return examined
    findings = tuple(
        replace(found, line=0, column=0)
        for found in report.findings
        if ((book.result and book.ruling <= 0) or found.key != "record.result")
        and (found.key != "cgn.mark" or book.ref(found.ply)[0] > version)
    )
    return replace(examined, report=replace(report, findings=findings))


def passed(game: LiveGame, ply: int) -> str:
    """Return the verdict on a ply that nothing is found against: legal, but for a word that nobody judges."""
    free = nobody_judges(game.examined.heading.game) and game.words[ply - 1] not in CALLS
    return "unjudged" if free else "legal"


# --- the score sheet ---


def sheet(book: Book, kept: LiveGame | None = None) -> Record:
    """Return the book as a record, words as they were stored: what the rules are asked about.

    kept: a game of which the plies of this one may be a continuation
    """
    words: tuple[str, ...] = ()
    notes: dict[int, Note] = {}
    last = 0
    if kept is not None and book.plies[: kept.plies] == kept.book.plies:
        words, notes, last = kept.record.line.words, kept.record.line.notes.copy(), kept.plies
        notes.pop(0, None)
    words += tuple(entry.text for entry in book.plies[last:])
    notes |= {
        ply: with_board(entry.note, entry.board)
        for ply, entry in enumerate(book.plies[last:], last + 1)
        if entry.note is not NO_NOTE or entry.board
    }
    if book.preface is not NO_NOTE or book.board:
        notes[0] = with_board(book.preface, book.board)
    stated = "*" if book.ruling > 0 else book.result or "*"
    line = Line(words, notes, {}, stated)
    record = Record((*_title(book), *book.sheet, *book.tags), line, book.escapes, book.tail, book.problems)
    tags = _seated(game_of(record), book)
    return record if tags is book.tags else replace(record, tags=(*_title(book), *book.sheet, *tags))


def _title(book: Book) -> Pairs:
    """Return the tag Game, where it is not among those of the sheet."""
    if book.imported:
        return ()
    return (("Game", book.game if ("Rules", NOBODY) in book.sheet else find_game(book.game).about.title),)


def _seated(game: AnyGame, book: Book) -> Pairs:
    """Return the tags that are not the game's own, so that the Seat tags count the seats the game was opened with."""
    counts = game.about.seats
    written = {name for name, _ in book.tags if SEAT.fullmatch(name)}
    if len(counts) == 1 or len(written) == book.seats or (not written and book.seats == counts[0]):
        return book.tags
    seats = game.about.seat_tags(book.seats)
    kept = tuple(tag for tag in book.tags if tag[0] not in written or tag[0] in seats)
    return (*kept, *((name, "?") for name in seats if name not in written))


def finished(game: LiveGame, log: bool = False, *, quiet: bool = False) -> Record:
    """Return the score sheet as it is exported: canonical, with its result and the commands of irregular plies.

    log: with the take-backs, corrections, disputes and rulings too, as commands where play went on; without it, what
    rests on a ruling is marked
    quiet: nothing says what the rules found, neither marks of broken ones nor a result the moves decide
    """
    book, record = game.book, game.record
    citing = RulingCommands(book, log)
    notes = {at: citing.renumber_note(note) for at, note in record.line.notes.items()}
    for at, entry in enumerate(book.plies, 1):
        _comment(notes, at, _commands(game, at, entry, citing, quiet))
    _comment(notes, 0, _cited(book.game_entries, citing))
    _comment(notes, game.plies, _cited(book.asides, citing))
    decided = book.result or "*" if quiet else result_of(game)
    result = book.result if book.as_written else decided
    tags = record.tags if book.as_written else _closing_tags(game, result)
    closed_record = replace(record, tags=tags, line=replace(record.line, notes=notes, result=result))
    return canonical(closed_record, game.examined.walk)


def result_of(game: LiveGame) -> str:
    """Return the result as closed or imported, else the one the moves decide, else ``*``."""
    if game.book.result not in ("", "*"):
        return _by_score(game) or game.book.result
    outcome = game.examined.outcome
    return format_result(outcome.shares) if outcome else "*"


def _by_score(game: LiveGame) -> str:
    """Return the result by the score as rulings have made it, of a game that was closed by its score; empty for others.

    Source: house ruling; who has the highest score has won, whatever changed it
    """
    book, played = game.book, game.examined.heading.game
    if played is None or book.as_written or book.ruling or book.termination not in ("", "normal"):
        return ""
    shares = played.points.shares(game.examined.settled, game.examined.ruled)
    return format_result(shares) if shares and game.examined.ruled else ""


def _closing_tags(game: LiveGame, result: str) -> tuple[tuple[str, str], ...]:
    """Return the tags with what closing adds: the result, how it came about, and the points of a closed game."""
    book, played = game.book, game.examined.heading.game
    points: dict[str, str] = {}
    if played is not None and book.closed:
        points = played.points.write(game.examined.settled)
    ours = points | {"Result": result, "Termination": book.termination}
    if book.closed and (book.score or game.examined.ruled):
        ours["Score"] = game.examined.ruled or book.score
    written = {name: value for name, value in ours.items() if value}
    kept = tuple(tag for tag in game.record.tags if tag[0] not in written)
    return (*kept, *written.items())


def _commands(game: LiveGame, ply: int, entry: Ply, citing: RulingCommands, quiet: bool) -> tuple[str, ...]:
    """Return the commands a ply's comment carries beside what was written there."""
    commands = list(_cited(entry.asides, citing))
    if entry.clock:
        commands.append(f"[%clk {entry.clock}]")
    if entry.stands or entry.ruling:
        broken = (*(found for found in game.findings(ply, ply) if found.severity == "error"), *game.let)
        commands += [f"[%irregular {found.key}]" for found in broken if found.ply == ply and not quiet]
        commands.append(citing.mark(entry.ruling))
    written = " ".join(entry.note.comments)
    return tuple(command for command in commands if command and command not in written)


def _cited(asides: tuple[Aside, ...], citing: RulingCommands) -> tuple[str, ...]:
    """Return asides as commands; what only the log shows is left out where it is not asked for."""
    texts = (
        citing.command(aside) if isinstance(aside, int) else citing.renumber_text(aside) * citing.full
        for aside in asides
    )
    return tuple(command for command in texts if command)


def _comment(notes: dict[int, Note], at: int, commands: tuple[str, ...]) -> None:
    """Write commands into a comment; those about the ply go behind what an imported sheet tells of it, being later."""
    note = notes.get(at, NO_NOTE)
    places = [i for i, item in enumerate(note.then, 1) if isinstance(item, str) and follows(item)]
    first, cut = max(places, default=0), about_gone(commands) if places else len(commands)
    gone, later = " ".join(commands[:cut]), " ".join(commands[cut:])
    then = (gone, *note.then[:first], later, *note.then[first:])
    if commands:
        notes[at] = replace(note, then=tuple(item for item in then if item))
