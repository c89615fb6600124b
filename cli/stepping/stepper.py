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
from cartulary.cli.shell.positions import heading
from cartulary.cli.shell.sources import live, parse_source
from cartulary.cli.shell.views import view_games, view_sheet, viewer_in
from cartulary.engine import Legal, Refused
from cartulary.notation import Finding, Line, NotationError, Note, steps
from cartulary.notation.arbiter.gapped import after_gaps
from cartulary.notation.arbiter.positions import Position, clocks_text, numbered_word, positions
from cartulary.notation.arbiter.replay import own_move
from cartulary.notation.cgn.commands import remark_in
from cartulary.notation.cgn.writer import format_note
from cartulary.notation.foreign.formats import find_format
from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.commands.annotation import Noting, Within
from cartulary.records.exchange.sheet_file import SheetFile, annotate_on_paper, sheet_file
from cartulary.records.faults import Conflict
from cartulary.records.texts import quiet_text


class Keeping(Protocol):
    """The games that are stepped through, each with its name and number, and what writes to them."""

    games: "list[tuple[str, api.SeenGame]]"

    def annotate(self, number: int, ply: int, noting: Noting, within: Within) -> None:
        """Write to a game, from 0, as ``api.annotate`` does, and read it again, also where somebody wrote first.

        Raises Fault, OSError.
        """

    def obstacle(self, number: int) -> str:
        """Return why nothing can be noted in a game, from 0; empty where something can."""


class InLog:
    """A stored game; an annotation is written with the version last read, so a second writer gets a ``Conflict``."""

    def __init__(self, id: str, db: str | None, seat: str, quiet: bool) -> None:
        """Read the game; end the program if there is none, or no such seat."""
        self.id, self.db = id, db
        game = live(id, db)
        self.viewer = viewer_in(seat, game.book.seats, quiet)
        self._take(game)

    def _take(self, game: "api.LiveGame") -> None:
        self.games = [(f"{self.id}#1", api.see_game(game, self.viewer))]

    def annotate(self, number: int, ply: int, noting: Noting, within: Within) -> None:
        """Write to the log as `note` does, and read the game again."""
        with open_place(db_place(self.db), create=False, timeout=TIMEOUT) as store:
            try:
                self._write(store, ply, noting, within)
            except Conflict:
                self._reread(store)
                raise
            self._reread(store)

    def _write(self, store: "api.Log", ply: int, noting: Noting, within: Within) -> None:
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
        """Return nothing: whether the log takes a note shows when it is written."""
        return ""

    def _reread(self, store: "api.Log") -> None:
        self._take(api.load(store, self.id))


class OnPaper:
    """Games of a file, which must be as it was read where something is written to it."""

    def __init__(self, name: str, seat: str) -> None:
        """Read the games. Ends the program where there is no such file, game or seat."""
        path = Path(parse_source(name).name)
        self.file = sheet_file(path) if path.is_file() else SheetFile(path, b"")
        self.games = list(view_games(name, None, seat))

    def annotate(self, number: int, ply: int, noting: Noting, within: Within) -> None:
        """Write to the file, and take the game as it stands there then."""
        label, view = self.games[number]
        index, viewer = view.record.index, view.viewer
        self.file, record = annotate_on_paper(self.file, index, ply, noting, within, viewer)
        self.games[number] = (label, view_sheet(record, viewer))

    def obstacle(self, number: int) -> str:
        """Return that the file is of another format."""
        format = self.games[number][1].record.source.format
        return (
            f"this is {find_format(format).title}, but notes can be written only in CGN: `convert` turns it into CGN"
            if format
            else ""
        )


def keeping(name: str, db: str | None, seat: str, quiet: bool) -> Keeping:
    """Return the games that an argument names; end the program with a sentence if there are none."""
    source = parse_source(name)
    return InLog(source.name, db, seat, quiet) if source.live else OnPaper(name, seat)


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
        """The position one stands at."""
        return self.positions[self.at]

    @property
    def unread_plies(self) -> int:
        """How many plies are written after the last that can be followed; 0 before that ply is reached."""
        return self.length - self.at if self.at == len(self.positions) - 1 else 0

    @property
    def note(self) -> Note:
        """What is noted on the ply that led here; at the start what is said of the line."""
        note = self.notes.get(self.at, Note())
        return note if self.at else Note((), note.comments)


class Stepper:
    """Somebody who steps through games. Every step ends somewhere: past an end is that end."""

    def __init__(self, keeping: Keeping) -> None:
        """Begin at the start of the first game.

        Args:
            keeping: The games, at least one, and what writes to them.
        """
        self.keeping, self.number = keeping, 0
        self.tracks: list[Track] = []
        self.findings: tuple[Finding, ...] = ()
        self.remark, self.helping = "", False
        self.open(0)

    def open(self, number: int) -> None:
        """Go to a game, from 0, at its start. Ends the program with a sentence where its tags set up no game."""
        number = max(0, min(number, len(self.keeping.games) - 1))
        try:
            self._begin(number)
        except NotationError as fault:
            fail(f"{self.keeping.games[number][0]}: {fault.because}.", FINDINGS)

    def turn(self, by: int) -> None:
        """Go to the next game, or the one before, that can be set up; name the first that is passed over, and why."""
        number, passed = self.number + by, ""
        while 0 <= number < len(self.keeping.games):
            try:
                self._begin(number)
            except NotationError as fault:
                passed = passed or f"{self.keeping.games[number][0].rpartition('/')[2]} was skipped: {fault.because}"
                number += by
            else:
                self.remark = passed
                return
        end = (
            f"this is the {'last' if by > 0 else 'first'} game"
            if len(self.keeping.games) > 1
            else "no other game is open"
        )
        self.remark = passed or end

    def _begin(self, number: int) -> None:
        label, view = self.keeping.games[number]
        examined = view.docket.examine(view.record, view.walk)
        passed = positions(view.record, examined.walk, view.viewer)
        applied = [position for position in passed if position.last is None or position.last.applied]
        self.number, self.examined = number, examined
        self.findings = () if view.quiet else examined.report.findings
        self.tracks = [Track(label, applied, view.record.line.notes, len(view.record.line.words))]

    @property
    def view(self) -> "api.SeenGame":
        """The game as it is shown."""
        return self.keeping.games[self.number][1]

    @property
    def track(self) -> Track:
        """The line one is in."""
        return self.tracks[-1]

    @property
    def place(self) -> "tuple[int, Within]":
        """The ply of the main line, and the way from there into its variations."""
        return self.tracks[0].at, tuple((track.number, track.at) for track in self.tracks[1:])

    @property
    def word(self) -> str:
        """The ply one stands at, as a score sheet has it; there must be one."""
        position = self.track.position
        assert position.last is not None
        return numbered_word(position.game, position.last)

    def annotate(self, noting: Noting) -> None:
        """Write to the ply one stands at. Raises Fault, OSError."""
        self.keeping.annotate(self.number, self.place[0], noting, self.place[1])

    def again(self) -> None:
        """Show the game as it is now, at the same place as far as it is still there."""
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
        """Go to a place of the line, the nearest there is."""
        last = len(self.track.positions) - 1
        self.remark = f"there is no ply {at}; the line can be followed to ply {last}" if at > last else ""
        self.track.at = max(0, min(at, last))

    def step(self, by: int) -> None:
        """Go `by` plies on, or back."""
        self.remark = ""
        self.track.at = max(0, min(self.track.at + by, len(self.track.positions) - 1))

    def enter(self, number: int) -> None:
        """Go to the first ply of a variation of this ply, counted from 1; the remark says if there is none."""
        variations = self.track.note.variations
        if not 1 <= number <= len(variations):
            self.remark = f"there is no variation {number} here" if variations else "there is no variation here"
            return
        self.remark = ""
        self.tracks.append(self.variation(variations[number - 1], number))

    def variation(self, line: Line, number: int) -> Track:
        """Return a variation of the ply one stands at, at its first ply."""
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
        """Go out of a variation, to the ply it belongs to."""
        self.remark = "" if len(self.tracks) > 1 else "this is the main line"
        if len(self.tracks) > 1:
            self.tracks.pop()

    # --- what is seen ---

    def page(self, columns: int, rows: int, scroll: int = 0) -> Page:
        """Return what is shown here on a screen of this size; a small screen goes without the hint."""
        position, view = self.track.position, self.view
        title = f"{self.track.name.rpartition('/')[2]}  {next(iter(heading(position)))}"
        hint = self.remark or (HINT if rows >= ROOMY else "")
        if self.helping:
            return Page(title, text_rows(HELP, columns), self._plies(), (), hint, "", scroll)
        picture, texts = position.game.words.picture(position.drawn_state, view.viewer.seat), tuple(self._remarks(view))
        if wide := beside(picture, texts, columns):
            return Page(title, wide, self._plies(), (), hint, "", scroll)
        return Page(title, picture, self._plies(), texts, hint, "", scroll)

    def _plies(self) -> str:
        """Return the current ply and those around it."""
        track = self.track
        last = len(track.positions) - 1
        first, end = max(1, track.at - AROUND), min(last, track.at + AROUND)
        plies = [self._ply(at) for at in range(first, end + 1)]
        return f"ply {track.at} of {last}: {'… ' * (first > 1)}{' '.join(plies)}{' …' * (end < last)}"

    def _ply(self, at: int) -> str:
        """Return a ply as a score sheet has it, in brackets if it is the current one."""
        position = self.track.positions[at]
        assert position.last is not None
        number = position.game.turns.number(position.last.state, own_move(position.last.move))
        begins = number is not None and number[1]
        word = (numbered_word(position.game, position.last) if begins else position.last.text) + _glyphs(self.track, at)
        return f"[{word}]" if at == self.track.at else word

    def _remarks(self, view: "api.SeenGame") -> Iterator[str]:
        """Yield what is said of the ply: comments, the verdict with its rule, disputes and rulings, variations."""
        position, note = self.track.position, self.track.note
        for comment in note.comments:
            if text := remark_in(comment):
                yield f"{{{text}}}"
        if position.clocks:
            yield f"time left: {clocks_text(position.clocks)}"
        if self.track.unread_plies:
            yield f"{count(self.track.unread_plies, 'more ply is', 'more plies are')} written but cannot be followed"
        yield from self._verdict(view)
        if len(self.tracks) == 1 and position.ply:
            yield from view.docket.on(position.ply).texts()
        for number, line in enumerate(note.variations, 1):
            more = " …" if len(line.words) > 6 else ""
            yield f"variation {number}: {' '.join(line.words[:6])}{more}"

    def _verdict(self, view: "api.SeenGame") -> Iterator[str]:
        position = self.track.position
        if view.quiet:
            yield quiet_text(self.track.name.partition("#")[0])
            return
        verdict = position.last.verdict if position.last is not None else None
        if isinstance(verdict, Legal):
            yield "legal"
        if len(self.tracks) > 1:
            if isinstance(verdict, Refused):
                yield f"irregular, {verdict.clause.key}: {verdict.because}"
            return
        for finding in self.findings:
            is_behind = self.track.unread_plies and finding.ply > position.ply
            if is_behind or finding.ply == position.ply or position.ply in finding.plies:
                proved = f" (proved by ply {finding.decided_by})" if finding.decided_by and not finding.plies else ""
                yield f"{finding.severity} {finding.key}: {finding.because}{proved}"
                if finding.rule:
                    yield f"    rule: {finding.rule} ({finding.source})"


def _glyphs(track: Track, at: int) -> str:
    note = track.notes.get(at)
    return format_note(Note(note.glyphs)) if note is not None and note.glyphs else ""
