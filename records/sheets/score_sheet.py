"""The score sheet: everything about one game that goes on paper, as values; what draws it decides nothing.

A *row* is a round of the table, or part of one, with a cell for each seat in its column; what the table itself did
(``p0``) stands across. Where most words are long or seats many, a row is a ply.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import AnyGame, Finding, Note, Record, Report, examine
from cartulary.notation.arbiter.examine import Examination
from cartulary.notation.arbiter.files import sorted_tags
from cartulary.notation.arbiter.positions import drawn_state
from cartulary.notation.arbiter.replay import Step, own_move
from cartulary.notation.arbiter.ruling_commands import scoring
from cartulary.notation.arbiter.score_in_force import ScoreLine, Scoring, scoring_of
from cartulary.notation.cgn.commands import clocks_in, remark_in
from cartulary.notation.cgn.scanner import SUFFIXES
from cartulary.notation.cgn.writer import format_note
from cartulary.notation.drawing import Drawing, draw
from cartulary.notation.unjudged import nobody_judges
from cartulary.notation.viewer import EVERYTHING, Everything, Viewer
from cartulary.records.answers import LogLine
from cartulary.records.log.contract import Log
from cartulary.records.log.events import (
    GameImported,
    GameOpened,
    MovePlayed,
    SourceKept,
    TagsChanged,
)
from cartulary.records.state.book import Agreement
from cartulary.records.state.docket import PlacedDispute, PlacedRuling, TimeCorrection
from cartulary.records.state.games import load
from cartulary.records.state.log_lines import lines_of
from cartulary.records.state.seat_view import players
from cartulary.records.state.seen_game import SeenGame
from cartulary.records.state.showing import see_game, seen_dispute, seen_ruling
from cartulary.records.state.times import seen_time

MOST_COLUMNS = 5
"""Up to how many seats get a column each."""
ACROSS = 80
"""How many signs of a word all columns together can show in one line."""
_TOLD = frozenset(("Game", "Event", "Site", "Date", "Round", "Result", "Termination", "Edition", "Variant", "Options"))
_QUIET = (GameOpened, GameImported, SourceKept, MovePlayed)

# --- types ---


class Seated(Struct, frozen=True):
    """A seat: ``p1`` …, what the game calls it, and who sat there, ``?`` where nobody knows."""

    seat: str
    title: str
    name: str


class Cell(Struct, frozen=True):
    """A ply: its word with its glyphs. clock: time left

    severity: error, undecided, or ruled for an error that a ruling lets stand; empty where nothing was found
    refs: the numbers of the findings on it; unread: it stands behind a word nobody could apply
    then: what came of it, as its game tells it
    """

    ply: int
    seat: int
    word: str
    clock: str = ""
    severity: str = ""
    refs: tuple[int, ...] = ()
    unread: bool = False
    then: str = ""


class Row(Struct, frozen=True):
    """A line of the sheet. number: of the round, where it begins; cells: one a column, None for an empty one

    across: the one cell goes over all columns
    """

    number: str
    cells: tuple[Cell | None, ...]
    across: bool = False

    @property
    def then(self) -> str:
        """What came of its plies."""
        return "; ".join(cell.then for cell in self.cells if cell is not None and cell.then)


class Numbered(Struct, frozen=True):
    """A finding with its number on this sheet. ruled: a ruling lets the ply stand."""

    number: int
    finding: Finding
    ruled: bool = False


class Remark(Struct, frozen=True):
    """What was noted on a ply, 0 for the game: comments, and variations as CGN has them."""

    ply: int
    word: str
    text: str


class Logged(Struct, frozen=True):
    """An event of the log that is no move: corrections, take-backs, notes, closing."""

    version: int
    at: str
    by: str
    says: str


class ScoreSheet(Struct, frozen=True):
    """One game on paper.

    Attributes:
        viewer: Whose sheet it is. Unless it shows everything, it has no head and no notes, and ``~`` for a claim or a
            reason.
        rules: Edition, variant, options and the game's own tags.
        about: Event, site, date and the like.
        by_seat: Whether rows have a column a seat; otherwise a row is a ply.
        told: Whether the game says what came of a row.
        points: The tags with points.
        score: How the score came about where rulings have changed it.
        because: How the game ended by its moves.
        head: VERSION:DIGEST.
        updated: When the last event was written.
        withheld: How many events were left out of the record.
        drawing: The position after the last ply that can be followed; None where nobody judges the game or nothing lies
            on the table.
    """

    id: str
    title: str
    viewer: Viewer
    seats: tuple[Seated, ...]
    about: tuple[tuple[str, str], ...]
    rules: tuple[tuple[str, str], ...]
    by_seat: bool
    rows: tuple[Row, ...]
    clocks: bool
    told: bool
    plies: int
    verdict: str
    findings: tuple[Numbered, ...]
    remarks: tuple[Remark, ...]
    disputes: tuple[PlacedDispute, ...]
    rulings: tuple[PlacedRuling, ...]
    times: tuple[TimeCorrection, ...]
    agreements: tuple[Agreement, ...]
    history: tuple[Logged, ...]
    result: str
    termination: str
    points: tuple[tuple[str, str], ...]
    score: tuple[ScoreLine, ...]
    because: str
    head: str
    updated: str
    withheld: int = 0
    drawing: Drawing | None = None


# --- making ---


def score_sheet(store: Log, id: str, viewer: Viewer = EVERYTHING, *, log: bool = False) -> ScoreSheet:
    """Return the score sheet of a game as a viewer has it.

    Args:
        store: Where the game is kept.
        id: The game.
        viewer: Who is to have the sheet.
        log: Whether it lists everything that was corrected.

    Raises:
        UnknownGame: There is no such game.
        Damaged: The log is not what was written.
        Unfit: The game has no such seat, or the rules installed here cannot set it up.
    """
    game = load(store, id)
    return _sheet(see_game(game, viewer), lines_of(game, viewer) if log else ())


def _sheet(seen: SeenGame, log: Sequence[LogLine]) -> ScoreSheet:
    record, viewer, docket = seen.record, seen.viewer, seen.docket
    whole = isinstance(viewer, Everything)
    examined = docket.examine(record, seen.walk) if whole else examine(record, cached=seen.walk)
    report = replace(examined.report, findings=()) if viewer.quiet else examined.report
    heading = examined.heading
    assert heading.game is not None
    assert heading.sheet is not None
    names = heading.game.about.seat_tags(heading.sheet.seats)
    own = frozenset(heading.game.sheet.names)
    findings = tuple(_numbered(report, seen.let))
    scores = scoring_of(scoring(record.line), examined.walk) if examined.walk is not None else None
    cells = tuple(_cells(heading.game, record, findings, examined.steps, scores))
    long = sum(len(cell.word) > ACROSS // len(names) for cell in cells if cell.seat)
    by_seat = len(names) <= MOST_COLUMNS and long <= len(cells) // 20
    tags = sorted_tags(record.tags, heading.game)
    counted = {"Score", *heading.game.points.tags}
    points = tuple((name, value) for name, value in tags if name in counted)
    return ScoreSheet(
        id=seen.id,
        title=heading.game.about.title,
        viewer=viewer,
        seats=tuple(Seated(f"p{i}", name, record.tag(name, "?") or "?") for i, name in enumerate(names, 1)),
        about=tuple(_about(tags, {*names, *own, *_TOLD, *counted})),
        rules=tuple(_rules(report, tags, own)),
        by_seat=by_seat,
        rows=tuple(_rows(cells, record, len(names) if by_seat else 0)),
        clocks=any(cell.clock for cell in cells),
        told=any(cell.then for cell in cells),
        plies=len(cells),
        verdict=report.verdict,
        findings=findings,
        remarks=tuple(_remarks(record)) if whole else (),
        disputes=docket.disputes if whole else tuple(seen_dispute(one, players(record)) for one in docket.disputes),
        times=docket.times if whole else tuple(seen_time(one, players(record)) for one in docket.times),
        agreements=seen.agreements,
        rulings=docket.rulings if whole else tuple(map(seen_ruling, docket.rulings)),
        history=tuple(_history(log)),
        result=record.result or "*",
        termination=record.tag("Termination"),
        points=points,
        score=examined.score,
        because=examined.outcome.because if examined.outcome else "",
        head=seen.head,
        updated=seen.last_written,
        withheld=seen.withheld,
        drawing=_drawn(heading.game, _shown(heading.game, record, examined, scores), viewer),
    )


def _shown(game: AnyGame, record: Record, examined: Examination, scores: Scoring | None) -> Any:
    """Return the state that is drawn: the last, with what tags alone tell of points."""
    state = game.turns.idle(examined.settled_state) if examined.only_scored else examined.state
    return drawn_state(game, record, examined.plies_reached, state, scores)


def _drawn(game: AnyGame, state: Any, viewer: Viewer) -> Drawing | None:
    if nobody_judges(game):
        return None
    drawing = draw(game.words, state, viewer.seat)
    return drawing if any(item.look != "text" for item in drawing.items) else None


def _numbered(report: Report, let: Iterable[Finding]) -> Iterator[Numbered]:
    """Yield what was found, in ply order, remarks left out. let: errors that a ruling lets stand."""
    found = [(one, False) for one in report.findings if one.severity != "remark"] + [(one, True) for one in let]
    for number, (one, ruled) in enumerate(sorted(found, key=lambda each: each[0].ply), 1):
        yield Numbered(number, one, ruled)


def _about(tags: Sequence[tuple[str, str]], others: set[str]) -> Iterator[tuple[str, str]]:
    """Yield event, site, date and round where they are known, then every other tag."""
    by_name = dict(reversed(tags))
    for name in ("Event", "Site", "Date", "Round"):
        if by_name.get(name, "?") not in ("?", "-", ""):
            yield name, by_name[name]
    yield from ((name, value) for name, value in tags if name not in others and value)


def _rules(report: Report, tags: Iterable[tuple[str, str]], own: frozenset[str]) -> Iterator[tuple[str, str]]:
    yield "Edition", report.edition
    yield "Variant", report.variant
    yield from ((name, value) for name, value in tags if (name == "Options" or name in own) and value)


# --- plies ---


def _cells(
    game: AnyGame, record: Record, findings: Sequence[Numbered], played: Sequence[Step], scores: Scoring | None
) -> Iterator[Cell]:
    refs: dict[int, list[Numbered]] = {}
    for each in findings:
        for ply in each.finding.plies or (each.finding.ply,):
            refs.setdefault(ply, []).append(each)
    read = {step.ply: step for step in played}
    for ply, word in enumerate(record.line.words, 1):
        note, step = record.line.notes.get(ply, Note()), read.get(ply)
        seat = step.move.seat if step is not None and step.move is not None else 0
        clock = next((part for text in note.comments for part in clocks_in(text)), "")
        on = refs.get(ply, [])
        found = {"ruled" if each.ruled else each.finding.severity for each in on}
        severity = next((kind for kind in ("error", "undecided", "ruled") if kind in found), "")
        numbers = tuple(each.number for each in on)
        applied = step is not None and step.applied
        then = _then(game, step, scores) if step is not None and applied else ""
        yield Cell(ply, seat, word + glyphs_of(note), clock, severity, numbers, not applied, then)


def _then(game: AnyGame, step: Step, scores: Scoring | None) -> str:
    move = own_move(step.move)
    if move is None:
        return ""
    return game.words.came_of(step.state, move, scores.drawn_state(step.after, step.ply) if scores else step.after)


_SIGNS = {
    7: "□",
    10: "=",
    13: "∞",
    14: "+=",
    15: "=+",
    16: "+/-",
    17: "-/+",
    18: "+-",
    19: "-+",
}
"""How annotators write the codes of PGN that have no short form there: the only move, and who stands better."""


def glyphs_of(note: Note) -> str:
    """Return the glyphs of a ply as they stand behind its word."""
    return "".join(
        SUFFIXES[code] if code < len(SUFFIXES) else f" {_SIGNS.get(code, f'${code}')}" for code in note.glyphs
    )


def _rows(cells: Sequence[Cell], record: Record, columns: int) -> Iterator[Row]:
    """Yield the rows; a round goes on in a new one where a seat speaks twice. columns: 0 for a row a ply."""
    shown, row, number = 0, _Row(columns), ""
    for cell in cells:
        counted = record.line.numbers.get(cell.ply - 1)
        begins = counted is not None and counted[0] != shown
        across = not columns or not cell.seat
        if begins or across or not row.takes(cell):
            yield from row.done(number)
            row, number = _Row(columns), ""
        if begins and counted is not None:
            shown, number = counted[0], f"{counted[0]}."
        if across:
            yield Row(number, (cell,), bool(columns))
            number = ""
        else:
            row.put(cell)
    yield from row.done(number)


class _Row:
    """A row while it fills."""

    def __init__(self, columns: int) -> None:
        self.cells: list[Cell | None] = [None] * columns

    def takes(self, cell: Cell) -> bool:
        """Say whether the column of the cell's seat is free."""
        return cell.seat <= len(self.cells) and self.cells[cell.seat - 1] is None

    def put(self, cell: Cell) -> None:
        """Set the cell in its column."""
        self.cells[cell.seat - 1] = cell

    def done(self, number: str) -> Iterator[Row]:
        """Yield the row unless it is empty."""
        if any(self.cells):
            yield Row(number, tuple(self.cells))


# --- beside the plies ---


def _remarks(record: Record) -> Iterator[Remark]:
    """Yield one remark for each ply with comments or variations; the rest of its note stands elsewhere on the sheet."""
    for ply, note in sorted(record.line.notes.items()):
        remarks = (remark_in(item) if isinstance(item, str) else format_note(Note((), (item,))) for item in note.items)
        text = " ".join(part for part in remarks if part)
        if text:
            yield Remark(ply, record.line.words[ply - 1] if ply else "", text)


def _history(log: Sequence[LogLine]) -> Iterator[Logged]:
    first = 2
    for line in log:
        opening = isinstance(line.event, TagsChanged) and line.version <= first
        if not isinstance(line.event, _QUIET) and not opening:
            yield Logged(line.version, line.at, line.by, " ".join(line.says.split()))
