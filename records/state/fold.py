"""A record's events become the game as it stands, judged by the rules.

First the book is built (what was written), then the rules judge it in one walk from the first ply to the last. Every
command, view and export starts here.
"""

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from cartulary.notation import (
    AnyGame,
    Examination,
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
from cartulary.notation.arbiter.house import TAG as HOUSE_RULES
from cartulary.notation.arbiter.replay import CALLS, Step
from cartulary.notation.arbiter.ruling_commands import RulingCommand, about_gone, follows
from cartulary.notation.arbiter.seen import SeenRecord
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.signs import count
from cartulary.notation.roster import NotLoaded
from cartulary.notation.unjudged import NOBODY, nobody_judges
from cartulary.records.faults import Damaged, Fault, Unfit, UninstalledGame
from cartulary.records.log.chain import Head
from cartulary.records.log.events import Pairs
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.binding import build_book
from cartulary.records.state.book import SEAT, Aside, Book, Ply
from cartulary.records.state.cgn_rulings import RulingCommands, arbiter_of_result, arbiters_of_plies, scoring_rulings
from cartulary.records.state.notes import NO_NOTE, with_board, with_seatings


class LiveGame(Struct, frozen=True):
    """A stored game as it stands, with everything that is on record.

    Attributes:
        id: The id of the game.
        head: The head of its log: the number of events and the digest of the last.
        recorded: All its events, each with its place in the log.
        book: What the events say was written.
        record: The book as a score sheet.
        examined: What the rules say of the score sheet.
        let: The errors that count as remarks, because a ruling lets the plies stand.
        seat_records: A cache: the record as each seat has seen it, of those seats that were asked for. It may be
            shared with the game as it was before, and is extended when a seat is asked for.
    """

    id: str
    head: Head
    recorded: tuple[RecordedEvent, ...]
    book: Book
    record: Record
    examined: Examination
    let: tuple[Finding, ...] = ()
    seat_records: dict[int, SeenRecord] = field(default_factory=dict)

    @property
    def report(self) -> Report:
        """What the rules say of the score sheet: the arbiter's report, with its findings."""
        return self.examined.report

    @property
    def plies(self) -> int:
        """The number of plies in the record as it stands, whether they can be applied or not; those taken back do not
        count.
        """
        return len(self.book.plies)

    @property
    def plies_reached(self) -> int:
        """The number of the last ply that could be applied, 0 if none could; nothing after it is judged."""
        return self.examined.plies_reached

    @property
    def words(self) -> tuple[str, ...]:
        """The plies in canonical spelling; those after the last one that could be applied are as they were stored."""
        return self.examined.words

    @property
    def scoring(self) -> tuple[RulingCommand, ...]:
        """The rulings that count in the score, in their order; empty if no ruling touches the score."""
        return scoring_rulings(self.book)

    def findings(self, first: int, last: int | None = None) -> tuple[Finding, ...]:
        """Return the findings on the plies from ``first`` to ``last``, both included, in the order of the report.

        Args:
            first: The first ply, from 1; 0 includes the findings on the game as a whole.
            last: The last ply; None for all that follow.
        """
        return tuple(
            finding
            for finding in self.report.findings
            if finding.ply >= first and (last is None or finding.ply <= last)
        )


def played_game(game: LiveGame) -> AnyGame:
    """Return the game whose rules and words a record uses.

    Raises:
        AssertionError: The record has none; what ``fold`` and ``judge_book`` return always has one.
    """
    assert game.examined.heading.game is not None
    return game.examined.heading.game


def variant_of(game: LiveGame) -> str:
    """Return the name of the variant that a game was set up with; empty if its rules have no more than one variant."""
    return game.examined.heading.variant if len(played_game(game).about.variants) > 1 else ""


def fold(
    id: str, events: Sequence[RecordedEvent], earlier: LiveGame | None = None, trial: LiveGame | None = None
) -> LiveGame:
    """Return the game that events make, judged by the rules.

    Args:
        id: The id of the game.
        events: All its events, in order; at least one.
        earlier: The game as it was with fewer events, or with more; what is the same is not judged again.
        trial: The game as it was judged with these events before they were stored.

    Raises:
        Damaged: The events contradict one another, or the number of seats is not one that the rules set up.
        UninstalledGame: The rules of the game, or its edition or variant, are not installed here.
        Unfit: The rules installed here cannot set the game up for another reason.
    """
    last = events[-1]
    continues = earlier is not None and begins_with(events, earlier.head)
    book, head = book_of(id, events, earlier if continues else None), Head(last.originator_version, last.digest)
    if trial is not None and trial.book == book and not trial.report.findings:
        # A mark of a stored ply is remarked on no more; where nothing was found, the rules say what they said.
        return replace(trial, recorded=tuple(events), head=head)
    return judge_book(id, tuple(events), book, head, trial or earlier)


def begins_with(events: Sequence[RecordedEvent], head: Head) -> bool:
    """Say whether the events of a log begin with those that lead to a head; False if the log is shorter.

    Args:
        events: All events of the log, in order.
        head: A number of events, at least 1, and the digest of the last of them.
    """
    return len(events) >= head.version and events[head.version - 1].digest == head.digest


def book_of(id: str, events: Sequence[RecordedEvent], earlier: LiveGame | None = None) -> Book:
    """Return the book that events make, which is the score sheet as it was written, without asking any rule.

    Args:
        id: The id of the game, for faults.
        events: All its events, in order.
        earlier: The game as it stood after the first of them; only the others are applied. None applies all.

    Raises:
        Damaged: The events contradict one another.
    """
    book, version = (earlier.book, earlier.head.version) if earlier else (None, 0)
    try:
        return build_book((event.event for event in events[version:]), book, version)
    except (ValueError, IndexError, KeyError) as fault:
        raise Damaged(f"The events of {id} do not make a game: {fault}.", id, len(events)) from fault


def judge_book(
    id: str,
    events: tuple[RecordedEvent, ...],
    book: Book,
    head: Head,
    earlier: LiveGame | None = None,
    ahead: Sequence[Step] = (),
) -> LiveGame:
    """Return the game of a book, judged by the rules.

    Args:
        id: The id of the game.
        events: Its stored events. The book may hold more, which are not stored yet.
        book: What was written.
        head: The head of the stored events: their number and the digest of the last.
        earlier: The game as it was before. What is the same is not judged again; nothing is, if the set-up differs.
        ahead: The steps of the words that the book has and ``earlier`` has not, if they have been judged already.

    Raises:
        UninstalledGame: The rules of the game, or its edition or variant, are not installed here.
        Damaged: The game was opened for another number of seats than its rules have.
        Unfit: The rules installed here cannot set the game up for another reason.
    """
    if earlier is not None and (earlier.book.game, earlier.book.sheet) != (book.game, book.sheet):
        earlier = None  # the set-up was corrected: nothing that was judged holds any more
    try:
        record = sheet(book, earlier)
    except NotationError as error:
        raise UninstalledGame(id, book.game, error.because if isinstance(error, NotLoaded) else "") from None
    examination = examine_book(book, record, head.version, earlier.examined.walk if earlier else None, ahead)
    if examination.walk is None:
        raise _setup_fault(id, book, examination)
    heading = examination.heading
    if heading.sheet is not None and heading.game is not None and heading.sheet.seats != book.seats:
        mismatch = (
            f"it was opened for {count(book.seats, 'seat')}, and {heading.game.about.title} has {heading.sheet.seats}"
        )
        raise Damaged(f"The events of {id} do not make a game: {mismatch}.", id, 1)
    arbiters = {ply: arbiter for ply, arbiter in arbiters_of_plies(book).items() if ply <= examination.plies_reached}
    examination, let_stand = with_rulings(examination, arbiters, arbiter_of_result(book))
    return LiveGame(
        id, head, events, book, record, examination, let_stand, dict(earlier.seat_records) if earlier else {}
    )


def _setup_fault(id: str, book: Book, examination: Examination) -> Fault:
    """Return the fault that says why a game cannot be set up; the caller raises it.

    It is UninstalledGame for an edition or variant that is not installed here, and Unfit for tags that do not fit.
    """
    heading = examination.heading
    if heading.fault == "Edition":
        return UninstalledGame(id, f"{book.game} in the edition {heading.edition}")
    if heading.fault == "Variant":
        return UninstalledGame(id, f"{book.game} in the variant {heading.variant}")
    because = next(finding.because for finding in examination.report.findings if finding.severity == "error")
    return Unfit(f"{id} cannot be set up by the rules installed here: {because}.")


def examine_book(
    book: Book, record: Record, version: int, walk: Walk | None = None, ahead: Sequence[Step] = ()
) -> Examination:
    """Return what the rules say of a book's score sheet.

    The findings have no line and column, because there is no text. A wrong result is found fault with only if somebody
    other than an arbiter stated it. The marks of a stored ply, such as ``+``, are not remarked on: a correction before
    the ply may have changed what they should be.

    Args:
        book: The book.
        record: Its score sheet.
        version: The number of stored events; plies that later events wrote are new, and their marks are remarked on.
        walk: A walk through the first words of the sheet, to go on from; None to begin with the first ply.
        ahead: The steps of the words after that walk, if they have been judged already.
    """
    examination = examine(record, cached=walk, rulings=scoring_rulings(book), ahead=ahead)
    report = examination.report
    if not report.findings:
        return examination
    findings = tuple(
        replace(finding, line=0, column=0)
        for finding in report.findings
        if ((book.result and book.ruling <= 0) or finding.key != "record.result")
        and (finding.key != "cgn.mark" or book.ref(finding.ply)[0] > version)
    )
    return replace(examination, report=replace(report, findings=findings))


def verdict_without_findings(game: LiveGame, ply: int) -> str:
    """Return the verdict on a ply with no findings: ``legal``, or ``unjudged`` in a game that has no rules here.

    A call that all games share, such as a resignation, is ``legal`` there too.

    Args:
        game: The game.
        ply: The ply, from 1.
    """
    free = nobody_judges(game.examined.heading.game) and game.words[ply - 1] not in CALLS
    return "unjudged" if free else "legal"


# --- the score sheet ---


def sheet(book: Book, earlier: LiveGame | None = None) -> Record:
    """Return a book as a score sheet, with its words as they were stored.

    A result that an arbiter gave on the log is left out: it is ``*`` here. Seat tags are added or dropped if they do
    not show the number of seats.

    Args:
        book: The book.
        earlier: A game of which the book may be a continuation; then only the new plies are converted.

    Raises:
        NotationError: The game of the book is not installed here, or its rules cannot be loaded.
    """
    words: tuple[str, ...] = ()
    notes: dict[int, Note] = {}
    last = 0
    if earlier is not None and book.plies[: earlier.plies] == earlier.book.plies:
        words, notes, last = earlier.record.line.words, earlier.record.line.notes.copy(), earlier.plies
        notes.pop(0, None)
    words += tuple(entry.text for entry in book.plies[last:])
    notes |= {
        ply: with_board(with_seatings(entry.note, entry.seatings), entry.board)
        for ply, entry in enumerate(book.plies[last:], last + 1)
        if entry.note is not NO_NOTE or entry.board or entry.seatings
    }
    if book.preface is not NO_NOTE or book.board or book.seatings:
        notes[0] = with_board(with_seatings(book.preface, book.seatings), book.board)
    result = "*" if book.ruling > 0 else book.result or "*"
    line = Line(words, notes, {}, result)
    first = (*_game_tag(book), *_sheet_tags(book))
    record = Record((*first, *book.tags), line, book.escapes, book.tail, book.problems)
    tags = _with_seat_tags(game_of(record), book)
    return record if tags is book.tags else replace(record, tags=(*first, *tags))


def _sheet_tags(book: Book) -> Pairs:
    """Return the tags that a game was set up from, as pairs of name and value.

    The tag HouseRules is left out of them if the other tags have one, which also says who decided each rule.
    """
    if any(name == HOUSE_RULES for name, _ in book.tags):
        return tuple(tag for tag in book.sheet if tag[0] != HOUSE_RULES)
    return book.sheet


def _game_tag(book: Book) -> Pairs:
    """Return the tag Game with the title of the game, as the only pair; empty if an imported sheet has it among its
    tags.

    In a game that nobody judges the value is the name that the book has. Raises NotationError if the game is not
    installed.
    """
    if book.imported:
        return ()
    return (("Game", book.game if ("Rules", NOBODY) in book.sheet else find_game(book.game).about.title),)


def _with_seat_tags(game: AnyGame, book: Book) -> Pairs:
    """Return the tags that did not set the game up, with as many Seat tags as the game was opened with seats.

    Missing ones are added with ``?``, and those beyond the seats are dropped. The tags of the book are returned
    unchanged if they need none of this: the game knows one number of seats only, or the tags show it as they are.
    """
    counts = game.about.seats
    seat_tags = {name for name, _ in book.tags if SEAT.fullmatch(name)}
    if len(counts) == 1 or len(seat_tags) == book.seats or (not seat_tags and book.seats == counts[0]):
        return book.tags
    seats = game.about.seat_tags(book.seats)
    others = tuple(tag for tag in book.tags if tag[0] not in seat_tags or tag[0] in seats)
    return (*others, *((name, "?") for name in seats if name not in seat_tags))


def finished(game: LiveGame, log: bool = False, *, quiet: bool = False) -> Record:
    """Return the score sheet as it is exported: canonical, with its result and the commands of irregular plies.

    Args:
        game: The game.
        log: Whether take-backs, corrections, disputes and rulings are written as commands where play went on. Otherwise
            only what depends on a ruling is marked.
        quiet: Whether to leave out what the rules found: the marks of broken rules, and a result that the moves decide.
    """
    book, record = game.book, game.record
    commands = RulingCommands(book, log)
    notes = {ply: commands.renumber_note(note) for ply, note in record.line.notes.items()}
    for ply, entry in enumerate(book.plies, 1):
        _add_commands(notes, ply, _ply_commands(game, ply, entry, commands, quiet))
    _add_commands(notes, 0, _aside_commands(book.game_entries, commands))
    _add_commands(notes, game.plies, _aside_commands(book.asides, commands))
    current = book.result or "*" if quiet else result_of(game)
    result = book.result if book.as_written else current
    tags = record.tags if book.as_written else _closing_tags(game, result)
    closed_record = replace(record, tags=tags, line=replace(record.line, notes=notes, result=result))
    return canonical(closed_record, game.examined.walk)


def result_of(game: LiveGame) -> str:
    """Return the result of a game: ``1-0``, the share of each seat by seat, or ``*`` if it has none yet.

    It is the one that the game was closed or imported with, corrected if rulings have changed the score that decides
    it; otherwise the one that the moves decide.
    """
    if game.book.result not in ("", "*"):
        return _result_by_score(game) or game.book.result
    outcome = game.examined.outcome
    return format_result(outcome.shares) if outcome else "*"


def _result_by_score(game: LiveGame) -> str:
    """Return the result by a score that rulings have changed, if the game was closed by its score; empty otherwise.

    Source: house ruling; who has the highest score has won, whatever changed it
    """
    book, played = game.book, game.examined.heading.game
    if played is None or book.as_written or book.ruling or book.termination not in ("", "normal"):
        return ""
    shares = played.points.shares(game.examined.settled_state, game.examined.ruled_score)
    return format_result(shares) if shares and game.examined.ruled_score else ""


def _closing_tags(game: LiveGame, result: str) -> tuple[tuple[str, str], ...]:
    """Return all tags of the record, with the result, the termination, and for a closed game also points and score at
    the end.

    Each takes the place of one of the same name. One that would be empty is not written, and the record's own stays.

    Args:
        game: The game.
        result: The value of the tag Result.
    """
    book, played = game.book, game.examined.heading.game
    points: dict[str, str] = {}
    if played is not None and book.closed:
        points = played.points.write(game.examined.settled_state)
    tags = points | {"Result": result, "Termination": book.termination}
    if book.closed and (book.score or game.examined.ruled_score):
        tags["Score"] = game.examined.ruled_score or book.score
    closing = {name: value for name, value in tags.items() if value}
    others = tuple(tag for tag in game.record.tags if tag[0] not in closing)
    return (*others, *closing.items())


def _ply_commands(
    game: LiveGame, ply: int, entry: Ply, docket_commands: RulingCommands, quiet: bool
) -> tuple[str, ...]:
    """Return the commands to add to a ply's comment, without those that its note has already.

    They are, in this order: the ply's asides; its time, ``[%clk 0:12:30]``; and if it was let stand although it breaks
    a rule, ``[%irregular KEY]`` for each rule broken (none if ``quiet``) and the mark of the ruling that lets it stand.

    Args:
        game: The game.
        ply: The number of the ply, from 1.
        entry: The ply as the book has it.
        docket_commands: Writes the commands of disputes and rulings.
        quiet: Whether broken rules are left out.
    """
    commands = list(_aside_commands(entry.asides, docket_commands))
    if entry.clock:
        commands.append(f"[%clk {entry.clock}]")
    if entry.stands or entry.ruling:
        errors = (*(finding for finding in game.findings(ply, ply) if finding.severity == "error"), *game.let)
        commands += [f"[%irregular {finding.key}]" for finding in errors if finding.ply == ply and not quiet]
        commands.append(docket_commands.mark(entry.ruling))
    in_note = " ".join(entry.note.comments)
    return tuple(command for command in commands if command and command not in in_note)


def _aside_commands(asides: tuple[Aside, ...], docket_commands: RulingCommands) -> tuple[str, ...]:
    """Return asides as commands, without those that the sheet does not show.

    A number becomes the command of that dispute or ruling. A text, which is a take-back or a correction, is shown only
    on a sheet with the log.
    """
    texts = (
        docket_commands.command(aside)
        if isinstance(aside, int)
        else docket_commands.renumber_text(aside) * docket_commands.full
        for aside in asides
    )
    return tuple(command for command in texts if command)


def _add_commands(notes: dict[int, Note], ply: int, commands: tuple[str, ...]) -> None:
    """Add commands to the note on a ply in ``notes``; 0 is the note before the first ply. No commands change nothing.

    Commands up to the last that removes plies come first. The others follow the last item of the note that is a
    dispute, ruling or take-back. If the note has none, all come first.
    """
    note = notes.get(ply, NO_NOTE)
    places = [i for i, item in enumerate(note.items, 1) if isinstance(item, str) and follows(item)]
    first, split = max(places, default=0), about_gone(commands) if places else len(commands)
    on_gone_plies, later = " ".join(commands[:split]), " ".join(commands[split:])
    items = (on_gone_plies, *note.items[:first], later, *note.items[first:])
    if commands:
        notes[ply] = replace(note, items=tuple(item for item in items if item))
