"""A game one ply at a time: where its annotations go, the current place, and what is shown. No terminal is used."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from cartulary.cli.scribe.page import Page, beside, text_rows
from cartulary.cli.shell.console import FINDINGS, fail
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import TIMEOUT
from cartulary.cli.shell.places import db_place, open_place
from cartulary.cli.shell.positions import heading, names_at, rows_of
from cartulary.cli.shell.sources import live_with_people, parse_source
from cartulary.cli.shell.views import view_games, view_sheet, viewer_in
from cartulary.engine import Legal, Refused
from cartulary.notation import Finding, Line, NotationError, Note, steps
from cartulary.notation.arbiter.gapped import after_gaps
from cartulary.notation.arbiter.positions import Position, clocks_text, numbered_word, positions
from cartulary.notation.arbiter.replay import own_move
from cartulary.notation.cgn.commands import remark_in
from cartulary.notation.cgn.writer import format_note
from cartulary.notation.foreign.formats import find_format
from cartulary.notation.seat_names import name_seats
from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.commands.annotation import Noting, Within
from cartulary.records.exchange.sheet_file import SheetFile, annotate_on_paper, sheet_file
from cartulary.records.faults import Conflict
from cartulary.records.texts import quiet_text


class Notebook(Protocol):
    """The games that are stepped through, each with its name, and where notes on them are written."""

    games: "list[tuple[str, api.SeenGame]]"

    def annotate(self, number: int, ply: int, noting: "Noting", within: "Within") -> None:
        """Write a note to a ply, and read the game again, even if somebody else has written first.

        Args:
            number: The game, from 0.
            ply: The ply of the main line, 0 for the game.
            noting: What to note.
            within: The way from the ply into its variations.

        Raises:
            Fault: The note cannot be written.
            OSError: The file cannot be written.
        """

    def obstacle(self, number: int) -> str:
        """Return why no note can be written to a game, as a sentence without capital and full stop; empty if one can.

        Args:
            number: The game, from 0.
        """


class LogNotebook:
    """A stored game; an annotation is written with the version last read, so a second writer gets a ``Conflict``."""

    def __init__(self, id: str, db: str | None, seat: str, quiet: bool) -> None:
        """Read the game; end the program if there is none, or no such seat."""
        self.id, self.db = id, db
        game, people = live_with_people(id, db)
        self.viewer = viewer_in(seat, game.book.seats, quiet)
        self._take(game, people)

    def _take(self, game: "api.LiveGame", people: "api.People") -> None:
        """Make a loaded game the only one of this notebook, labelled ``ID#1``.

        It is reduced to what the viewer may see, and its players have the names that ``people`` shows.
        """
        self.games = [(f"{self.id}#1", api.see_game(game, self.viewer, people))]

    def annotate(self, number: int, ply: int, noting: "Noting", within: "Within") -> None:
        """Append a note to the log as the command `note` does, then read the game again.

        The arguments are those of ``Notebook.annotate``; ``number`` is not used, since there is one game.

        Raises:
            Conflict: Somebody else has written since the game was read. Nothing is written, but the game is read again,
                so that the same note can be tried once more.
            Fault: The note cannot be written for another reason. The game is not read again.
        """
        with open_place(db_place(self.db), create=False, timeout=TIMEOUT) as store:
            try:
                self._write(store, ply, noting, within)
            except Conflict:
                self._reread(store)
                raise
            self._reread(store)

    def _write(self, store: "api.Log", ply: int, noting: "Noting", within: "Within") -> None:
        """Append the note to the log, under the name of the viewer's seat if there is one.

        Raises Conflict if the log has grown since it was read.
        """
        view = self.games[0][1]
        request = api.NoteRequest(
            ply,
            noting.comment,
            noting.glyphs,
            noting.variations,
            noting.replace,
            within,
            by=view.viewer.name if isinstance(view.viewer, Seat) else "",
            expected=view.version,
        )
        api.annotate(store, self.id, request, view.viewer)

    def obstacle(self, number: int) -> str:
        """Return an empty text for every game: whether the log takes a note is known only when it is written."""
        return ""

    def _reread(self, store: "api.Log") -> None:
        """Read the game and the names of its players from the open store, in place of what this notebook holds."""
        self._take(api.load(store, self.id), api.people_of(store))


class SheetNotebook:
    """Games of a file, which must be as it was read where something is written to it."""

    def __init__(self, name: str, seat: str) -> None:
        """Read the games. Ends the program where there is no such file, game or seat."""
        path = Path(parse_source(name).name)
        self.file = sheet_file(path) if path.is_file() else SheetFile(path, b"")
        self.games = list(view_games(name, None, seat))

    def annotate(self, number: int, ply: int, noting: "Noting", within: "Within") -> None:
        """Write a note to a game of the file, and replace the game of this notebook by the annotated one.

        The arguments are those of ``Notebook.annotate``.

        Raises:
            Fault: The note cannot be written, for example because the file has changed since it was read.
            OSError: The file cannot be written.
        """
        label, view = self.games[number]
        index, viewer = view.record.index, view.viewer
        self.file, record = annotate_on_paper(self.file, index, ply, noting, within, viewer)
        self.games[number] = (label, view_sheet(record, viewer))

    def obstacle(self, number: int) -> str:
        """Return why no note can be written to a game that came from another format than CGN, such as PGN.

        For a game in CGN the text is empty.
        """
        format = self.games[number][1].record.source.format
        return (
            f"this is {find_format(format).title}, but notes can be written only in CGN: `convert` turns it into CGN"
            if format
            else ""
        )


def open_notebook(name: str, db: str | None, seat: str, quiet: bool) -> Notebook:
    """Return the games that an argument names, stored or in a file; a file may hold none.

    The program ends with a sentence and an exit code if there is no such file, game or seat.

    Args:
        name: What was typed, either the id of a stored game or the name of a file.
        db: The database of a stored game, None for the default one. It is not used for a file.
        seat: As which seat to look, such as ``p1``; empty for everything.
        quiet: Whether to keep back the verdicts of a stored game. It is not used for a file.
    """
    source = parse_source(name)
    return LogNotebook(source.name, db, seat, quiet) if source.live else SheetNotebook(name, seat)


HINT = "left, right; g 17 Enter; ! glyph, c comment, v variation; ? help; q leaves"
HELP = (
    "right, left       one ply forward, one back",
    "Home, End         the beginning, the end of the line",
    "g 17 Enter        ply 17",
    "Enter, down       into the first variation of this ply; 1 to 9 for another",
    "Backspace, up     out of a variation",
    "!                 the glyphs of this ply: ! ? !! ?? !? ?! or $14",
    "c                 the comment of this ply: write, change or remove it",
    "v                 add a variation: moves instead of this one",
    "n, p              the next game of the file, the previous one",
    "PageUp, PageDown  the rest of a long board",
    "q, Ctrl-C         leave",
)
ROOMY = 10
"""From how many rows on there is room for a hint."""
AROUND = 4
"""How many plies before and after are shown."""


class Track(Struct):
    """A line that is stepped through: the main line, or a variation.

    Attributes:
        name: What the line is called on the screen.
        positions: The positions of the plies that can be followed, the first before any ply.
        notes: The notes by ply of this line, from 1.
        length: How many plies are written, whether they can be followed or not.
        at: The place among the positions.
        number: Which variation of its ply it is; 0 for the main line.
    """

    name: str
    positions: list[Position]
    notes: dict[int, Note]
    length: int
    at: int = 0
    number: int = 0

    @property
    def position(self) -> Position:
        """The position after the ply at which the track stands; at 0 the one before any ply of the line."""
        return self.positions[self.at]

    @property
    def unread_plies(self) -> int:
        """How many plies are written after the last one that can be followed, as seen from that ply.

        It is 0 at every earlier ply, and where the whole line can be followed.
        """
        return self.length - self.at if self.at == len(self.positions) - 1 else 0

    @property
    def note(self) -> Note:
        """The note on the current ply, empty if there is none; at ply 0 only the comments before the first ply."""
        note = self.notes.get(self.at, Note())
        return note if self.at else Note((), note.comments)


class Stepper:
    """The state of stepping through games: the game, the line and the ply. A step past an end stays at the end."""

    def __init__(self, notebook: Notebook) -> None:
        """Begin at the start of the first game.

        Args:
            notebook: The games, at least one, and where notes on them are written.
        """
        self.notebook, self.number = notebook, 0
        self.tracks: list[Track] = []
        self.findings: tuple[Finding, ...] = ()
        self.remark, self.helping = "", False
        self.open(0)

    def open(self, number: int) -> None:
        """Go to the start of a game.

        If the tags of the game set up no position, the program ends with a sentence and the exit code for findings.

        Args:
            number: The game, from 0. A number past either end means the game at that end.
        """
        number = max(0, min(number, len(self.notebook.games) - 1))
        try:
            self._begin(number)
        except NotationError as fault:
            fail(f"{self.notebook.games[number][0]}: {fault.because}.", FINDINGS)

    def turn(self, by: int) -> None:
        """Go to the start of the next game, or of the one before, passing over games whose tags set up no position.

        If there is no such game, the current one stays. ``remark`` names the first game passed over, or says that there
        is no other game; else it is empty.

        Args:
            by: 1 for the next game, -1 for the one before.
        """
        number, passed = self.number + by, ""
        while 0 <= number < len(self.notebook.games):
            try:
                self._begin(number)
            except NotationError as fault:
                passed = passed or f"{self.notebook.games[number][0].rpartition('/')[2]} was skipped: {fault.because}"
                number += by
            else:
                self.remark = passed
                return
        end = (
            f"this is the {'last' if by > 0 else 'first'} game"
            if len(self.notebook.games) > 1
            else "no other game is open"
        )
        self.remark = passed or end

    def _begin(self, number: int) -> None:
        """Judge a game, by its number from 0, and make its start the current place, outside any variation.

        Raises NotationError if its tags set up no position; then the current place stays.
        """
        label, view = self.notebook.games[number]
        examined = view.docket.examine(view.record, view.walk)
        passed = positions(view.record, examined.walk, view.viewer)
        applied = [position for position in passed if position.last is None or position.last.applied]
        self.number, self.examined = number, examined
        self.findings = () if view.quiet else examined.report.findings
        self.tracks = [Track(label, applied, view.record.line.notes, len(view.record.line.words))]

    @property
    def view(self) -> "api.SeenGame":
        """The current game, reduced to what the viewer may see."""
        return self.notebook.games[self.number][1]

    @property
    def track(self) -> Track:
        """The line stepped through: the innermost variation entered, or the main line if none was entered."""
        return self.tracks[-1]

    @property
    def place(self) -> "tuple[int, Within]":
        """Where the stepper stands: the ply of the main line, and the way from there into its variations.

        The way is a pair for each variation entered: which variation of the ply before, from 1, and the ply within it.
        Ply 2 of the first variation of ply 17 is ``(17, ((1, 2),))``; the way is empty in the main line.
        """
        return self.tracks[0].at, tuple((track.number, track.at) for track in self.tracks[1:])

    @property
    def word(self) -> str:
        """The current ply as a score sheet has it, with its number: ``12... Nf6``.

        It must not be asked for at ply 0.
        """
        position = self.track.position
        assert position.last is not None
        return numbered_word(position.game, position.last)

    def annotate(self, noting: "Noting") -> None:
        """Write a note to the current ply, or to the game itself at ply 0 of the main line.

        Raises:
            Fault: The note cannot be written, or somebody else has written first.
            OSError: The file cannot be written.
        """
        self.notebook.annotate(self.number, self.place[0], noting, self.place[1])

    def again(self) -> None:
        """Judge the current game again and return to the same place.

        Stop at the last part of the way that still exists.
        """
        ply, within = self.place
        self.open(self.number)
        self.go(ply)
        for number, at in within:
            if self.track.at != ply or number > len(self.track.note.variations):
                break
            self.enter(number)
            self.go(at)
            ply = at

    def go(self, at: int) -> None:
        """Go to a ply of the current line, 0 for its start.

        If the number is too high, this goes to the last ply that can be followed, and ``remark`` says so; a negative
        one means 0.
        """
        last = len(self.track.positions) - 1
        self.remark = f"there is no ply {at}; the line can be followed to ply {last}" if at > last else ""
        self.track.at = max(0, min(at, last))

    def step(self, by: int) -> None:
        """Go ``by`` plies forward, or backward for a negative number, but not past an end of the line.

        Clears ``remark``.
        """
        self.remark = ""
        self.track.at = max(0, min(self.track.at + by, len(self.track.positions) - 1))

    def enter(self, number: int) -> None:
        """Go to the first ply of a variation of the current ply.

        If there is no such variation, the place stays and ``remark`` says so.

        Args:
            number: Which variation of the ply, from 1.
        """
        variations = self.track.note.variations
        if not 1 <= number <= len(variations):
            self.remark = f"there is no variation {number} here" if variations else "there is no variation here"
            return
        self.remark = ""
        self.tracks.append(self.variation(variations[number - 1], number))

    def variation(self, line: Line, number: int) -> Track:
        """Return a variation of the current ply as a track that stands at its first ply.

        The variation is played from the position before the current ply. Words that cannot be applied are left out of
        the positions but count in ``Track.length``; if none can be applied, the track stands at 0.

        Args:
            line: The words and notes of the variation.
            number: Which variation of the ply it is, from 1.
        """
        track = self.track
        before = track.positions[track.at - 1]
        game = after_gaps(before.game, line.words, before.state)
        judged_steps = steps(game, before.state, line.words, before.seats, before.calls)
        after = [
            Position(before.record, game, before.seats, step.ply, step.after, step.calls_after, step)
            for step in judged_steps
            if step.applied
        ]
        name = f"{track.name}, variation {number} of ply {track.at}"
        return Track(name, [before, *after], line.notes, len(line.words), min(1, len(after)), number)

    def leave(self) -> None:
        """Return from a variation to the ply it belongs to; in the main line only ``remark`` changes, and says so."""
        self.remark = "" if len(self.tracks) > 1 else "this is the main line"
        if len(self.tracks) > 1:
            self.tracks.pop()

    # --- what is seen ---

    def page(self, columns: int, rows: int, scroll: int = 0) -> Page:
        """Return what to show now on a screen of this size.

        It is the help while ``helping`` is true, else the picture of the position. What is to be said of the ply stands
        beside the picture if there is room for both, else below it. A remark replaces the hint on the keys, and there
        is no hint on a screen of fewer than ``ROOMY`` rows.

        Args:
            columns: The width of the screen.
            rows: The height of the screen.
            scroll: How many rows of the picture or help are scrolled out of sight at the top.
        """
        position, view = self.track.position, self.view
        title = f"{self.track.name.rpartition('/')[2]}  {next(iter(heading(position, view.people)))}"
        hint = self.remark or (HINT if rows >= ROOMY else "")
        if self.helping:
            return Page(title, text_rows(HELP, columns), self._plies(), (), hint, "", scroll)
        picture, texts = rows_of(position, view.people), tuple(self._remarks(view))
        if wide := beside(picture, texts, columns):
            return Page(title, wide, self._plies(), (), hint, "", scroll)
        return Page(title, picture, self._plies(), texts, hint, "", scroll)

    def _plies(self) -> str:
        """Return the words around the current ply, that ply in brackets: ``ply 2 of 9: 4Ci3 [4Db6] 8Dj2 …``.

        ``AROUND`` plies before and after it are shown; … stands for more. The second number counts the plies that can
        be followed.
        """
        track = self.track
        last = len(track.positions) - 1
        first, end = max(1, track.at - AROUND), min(last, track.at + AROUND)
        plies = [self._ply(at) for at in range(first, end + 1)]
        return f"ply {track.at} of {last}: {'… ' * (first > 1)}{' '.join(plies)}{' …' * (end < last)}"

    def _ply(self, at: int) -> str:
        """Return the word of a ply of the current line, from 1, with its glyphs, in brackets if it is the current ply.

        Its number stands before it only where a new number begins: ``12. Nf3!``, then ``Nc6``.
        """
        position = self.track.positions[at]
        assert position.last is not None
        number = position.game.turns.number(position.last.state, own_move(position.last.move))
        begins = number is not None and number[1]
        word = (numbered_word(position.game, position.last) if begins else position.last.text) + _glyphs(self.track, at)
        return f"[{word}]" if at == self.track.at else word

    def _remarks(self, view: "api.SeenGame") -> Iterator[str]:
        """Yield what stands beside the board, a line each.

        The order is: comments, clocks, plies that cannot be followed, verdict or findings, disputes and rulings on the
        ply (in the main line only), and the first six words of each variation.
        """
        position, note = self.track.position, self.track.note
        for comment in note.comments:
            if text := remark_in(comment):
                yield f"{{{text}}}"
        if position.clocks:
            yield f"time left: {name_seats(clocks_text(position.clocks), names_at(position, view.people))}"
        if self.track.unread_plies:
            yield f"{count(self.track.unread_plies, 'more ply is', 'more plies are')} written but cannot be followed"
        yield from self._verdict(view)
        if len(self.tracks) == 1 and position.ply:
            yield from view.docket.on(position.ply).texts(names_at(position, view.people))
        for number, line in enumerate(note.variations, 1):
            more = " …" if len(line.words) > 6 else ""
            yield f"variation {number}: {' '.join(line.words[:6])}{more}"

    def _verdict(self, view: "api.SeenGame") -> Iterator[str]:
        """Yield what was judged of the current ply: ``legal``, or its findings with their rules.

        On a quiet record only a line that the verdicts are kept back is yielded. In a variation it is ``legal``, the
        rule that refuses the ply, or nothing. Where the rest of the main line cannot be followed, the findings on that
        rest are yielded at the last ply.
        """
        position = self.track.position
        names = names_at(position, view.people)
        if view.quiet:
            yield quiet_text(self.track.name.partition("#")[0])
            return
        verdict = position.last.verdict if position.last is not None else None
        if isinstance(verdict, Legal):
            yield "legal"
        if len(self.tracks) > 1:
            if isinstance(verdict, Refused):
                yield f"irregular, {verdict.clause.key}: {name_seats(verdict.because, names)}"
            return
        for finding in self.findings:
            is_behind = self.track.unread_plies and finding.ply > position.ply
            if is_behind or finding.ply == position.ply or position.ply in finding.plies:
                proved = f" (proved by ply {finding.decided_by})" if finding.decided_by and not finding.plies else ""
                yield f"{finding.severity} {finding.key}: {name_seats(finding.because, names)}{proved}"
                if finding.rule:
                    yield f"    rule: {finding.rule} ({finding.source})"


def _glyphs(track: Track, at: int) -> str:
    """Return the glyphs of a ply of a track as written after its word, such as ``!`` or ``$14``; empty for none."""
    note = track.notes.get(at)
    return format_note(Note(note.glyphs)) if note is not None and note.glyphs else ""
