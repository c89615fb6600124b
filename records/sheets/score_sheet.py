"""The score sheet: everything about one game that goes on paper, as values. What prints it decides nothing.

A *row* is a round of the table, or part of one, with a cell in the column of each seat; what the table itself did
(``p0``) goes across all columns. If most words are long or seats are many, each row is a single ply.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
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
from cartulary.notation.drawing import Drawing, draw, lies_bare, with_names
from cartulary.notation.seat_names import name_seats
from cartulary.notation.seatings import sitters_text, sitting, tenures
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
from cartulary.records.state.event_words import display_name
from cartulary.records.state.games import load
from cartulary.records.state.log_lines import lines_of
from cartulary.records.state.people import People, people_of
from cartulary.records.state.seat_view import everybody
from cartulary.records.state.seen_game import SeenGame
from cartulary.records.state.showing import see_game, seen_dispute, seen_ruling
from cartulary.records.state.times import seen_time

MOST_COLUMNS = 5
"""Up to how many seats get a column each."""
ACROSS = 80
"""How many signs of a word all columns together can show in one line."""
_TAGS_ELSEWHERE = frozenset(
    ("Game", "Event", "Site", "Date", "Round", "Result", "Termination", "Edition", "Variant", "Options")
)
_NO_HISTORY = (GameOpened, GameImported, SourceKept, MovePlayed)

# --- types ---


class SeatLine(Struct, frozen=True):
    """A seat.

    Attributes:
        seat: ``p1`` and so on.
        title: What the game calls it.
        name: Who sat there, in order, ``?`` if nobody knows.
        player: Who sits there in the end, ``?`` if nobody knows.
    """

    seat: str
    title: str
    name: str
    player: str = "?"


class Cell(Struct, frozen=True):
    """A ply.

    Attributes:
        ply: Its number.
        seat: Its seat, 0 for the table.
        word: Its word with its glyphs.
        clock: The time left, empty if there is none.
        severity: ``error``, ``undecided``, ``ruled`` for an error that a ruling lets stand, or empty.
        refs: The numbers of the findings on it.
        unread: Whether it stands after a word that cannot be applied.
        outcome: What came of it, as its game says it.
        player: Who played it: a name, ``p1`` and so on if nobody knows it, ``the table``.
        gains: What each seat won by it, ``86`` or ``-258``, if it is a round entered as its score; else empty.
    """

    ply: int
    seat: int
    word: str
    clock: str = ""
    severity: str = ""
    refs: tuple[int, ...] = ()
    unread: bool = False
    outcome: str = ""
    player: str = ""
    gains: tuple[str, ...] = ()


class Row(Struct, frozen=True):
    """A row of the table of plies.

    Attributes:
        number: The number of the round, if the row begins one.
        cells: One cell a column, None for an empty one.
        across: Whether its only cell goes across all columns.
    """

    number: str
    cells: tuple[Cell | None, ...]
    across: bool = False

    @property
    def outcome(self) -> str:
        """What its plies led to, in words, joined by ``; ``; empty if their game says nothing of them."""
        return "; ".join(cell.outcome for cell in self.cells if cell is not None and cell.outcome)

    @property
    def gains(self) -> tuple[str, ...]:
        """What each seat won by its only ply, a round entered as its score; empty for any other row."""
        return self.cells[0].gains if self.across and self.cells[0] is not None else ()


class NumberedFinding(Struct, frozen=True):
    """A finding with its number on this sheet.

    Attributes:
        number: The number.
        finding: The finding.
        ruled: Whether a ruling lets the ply stand.
    """

    number: int
    finding: Finding
    ruled: bool = False


class Remark(Struct, frozen=True):
    """What was noted on a ply, 0 for the game: comments, and variations as CGN has them."""

    ply: int
    word: str
    text: str


class LogEntry(Struct, frozen=True):
    """An event of the log that is not a move: a correction, take-back, note or close."""

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
        has_outcomes: Whether the game says what came of a ply, such as who took a trick.
        unit: What players call a round, such as ``deal``, if the game was entered round by round; else empty.
        sums: What each seat has won by all those rounds; empty if there are none.
        persons: What each person has won by them, in pairs of a name and points, where people changed seats.
        points: The tags with points.
        score: How the score came about where rulings have changed it.
        because: How the game ended by its moves.
        head: VERSION:DIGEST.
        last_written: When the last event was written.
        withheld: How many events were left out of the record.
        drawing: The position after the last ply that can be followed; None where nobody judges the game or nothing lies
            on the table.
    """

    id: str
    title: str
    viewer: Viewer
    seats: tuple[SeatLine, ...]
    about: tuple[tuple[str, str], ...]
    rules: tuple[tuple[str, str], ...]
    by_seat: bool
    rows: tuple[Row, ...]
    clocks: bool
    has_outcomes: bool
    plies: int
    verdict: str
    findings: tuple[NumberedFinding, ...]
    remarks: tuple[Remark, ...]
    disputes: tuple[PlacedDispute, ...]
    rulings: tuple[PlacedRuling, ...]
    times: tuple[TimeCorrection, ...]
    agreements: tuple[Agreement, ...]
    history: tuple[LogEntry, ...]
    result: str
    termination: str
    points: tuple[tuple[str, str], ...]
    score: tuple[ScoreLine, ...]
    because: str
    head: str
    last_written: str
    withheld: int = 0
    drawing: Drawing | None = None
    unit: str = ""
    sums: tuple[str, ...] = ()
    persons: tuple[tuple[str, str], ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """The name of who sits at each seat in the end, in seat order, ``?`` for a name that nobody knows."""
        return tuple(seat.player for seat in self.seats)


# --- making ---


def score_sheet(store: Log, id: str, viewer: Viewer = EVERYTHING, *, log: bool = False) -> ScoreSheet:
    """Return the score sheet of a game as a viewer has it, with the players under the names that ``people`` shows.

    Args:
        store: Where the game is kept.
        id: The game.
        viewer: Who is to have the sheet.
        log: Whether it lists the events of the log other than moves, such as corrections and notes.

    Raises:
        UnknownGame: There is no such game.
        Damaged: The log is not what was written.
        Unfit: The game has no such seat, or the rules installed here cannot set it up.
    """
    game = load(store, id)
    return _sheet_of(see_game(game, viewer), lines_of(game, viewer) if log else (), people_of(store))


def _sheet_of(seen: SeenGame, log: Sequence[LogLine], people: People) -> ScoreSheet:
    """Return the score sheet of a game as a viewer has it.

    Args:
        seen: The game as the viewer has it; its tags must set up a game.
        log: The lines of the log of which the sheet lists the corrections; empty for none.
        people: The people under whose names the players are shown.
    """
    record, viewer, docket = seen.record, seen.viewer, seen.docket
    sees_everything = isinstance(viewer, Everything)
    examined = docket.examine(record, seen.walk) if sees_everything else examine(record, cached=seen.walk)
    report = replace(examined.report, findings=()) if viewer.quiet else examined.report
    heading = examined.heading
    assert heading.game is not None
    assert heading.sheet is not None
    names = heading.game.about.seat_tags(heading.sheet.seats)
    own_tags = frozenset(heading.game.sheet.names)

    def names_before(ply: int) -> tuple[str, ...]:
        """Return who sits at each seat when a ply is played, ``?`` for nobody known; for 0 who sits there in the
        end.
        """
        return people.display_names(sitting(record, names, ply - 1 if ply else None))

    findings = tuple(
        replace(
            numbered,
            finding=replace(
                numbered.finding, because=name_seats(numbered.finding.because, names_before(numbered.finding.ply))
            ),
        )
        for numbered in _number_findings(report, seen.let)
    )
    scores = scoring_of(scoring(record.line), examined.walk) if examined.walk is not None else None
    cells = tuple(_cells(heading.game, record, findings, examined.steps, scores, names_before))
    long_words = sum(len(cell.word) > ACROSS // len(names) for cell in cells if cell.seat)
    by_rounds = bool(cells) and all(cell.gains for cell in cells)
    by_seat = by_rounds or (len(names) <= MOST_COLUMNS and long_words <= len(cells) // 20)
    tags = sorted_tags(record.tags, heading.game)
    score_tags = {"Score", *heading.game.points.tags}
    points = tuple((name, value) for name, value in tags if name in score_tags)
    return ScoreSheet(
        id=seen.id,
        title=heading.game.about.title,
        viewer=viewer,
        seats=tuple(
            SeatLine(f"p{i}", name, sitters_text(people.display_tenures(sat), str), names_before(0)[i - 1])
            for i, (name, sat) in enumerate(zip(names, tenures(record, names), strict=True), 1)
        ),
        about=tuple(_event_tags(tags, {*names, *own_tags, *_TAGS_ELSEWHERE, *score_tags})),
        rules=tuple(_rule_tags(report, tags, own_tags)),
        by_seat=by_seat,
        rows=tuple(_rows(cells, record, len(names) if by_seat else 0)),
        clocks=any(cell.clock for cell in cells),
        has_outcomes=any(cell.outcome for cell in cells if not cell.gains),
        unit=heading.game.rounds.unit if by_rounds else "",
        sums=_sums(cells, len(names)) if by_rounds else (),
        persons=_by_person(cells, names_before) if by_rounds and record.seatings else (),
        plies=len(cells),
        verdict=report.verdict,
        findings=findings,
        remarks=tuple(_remarks(record)) if sees_everything else (),
        disputes=docket.disputes
        if sees_everything
        else tuple(seen_dispute(entry, everybody(record)) for entry in docket.disputes),
        times=docket.times if sees_everything else tuple(seen_time(entry, everybody(record)) for entry in docket.times),
        agreements=seen.agreements,
        rulings=docket.rulings if sees_everything else tuple(map(seen_ruling, docket.rulings)),
        history=tuple(_history(log)),
        result=record.result or "*",
        termination=record.tag("Termination"),
        points=points,
        score=examined.score,
        because=name_seats(examined.outcome.because, names_before(0)) if examined.outcome else "",
        head=seen.head,
        last_written=seen.last_written,
        withheld=seen.withheld,
        drawing=_drawing_of(
            heading.game, _final_state(heading.game, record, examined, scores), viewer, names_before(0)
        ),
    )


def _final_state(game: AnyGame, record: Record, examined: Examination, scores: Scoring | None) -> Any:
    """Return the state that the sheet draws: that after the last ply that can be followed, with points that tags alone
    state.

    If nothing was played and the deal was only scored, nobody is to move in it.
    """
    state = game.turns.idle(examined.settled_state) if examined.only_scored else examined.state
    return drawn_state(game, record, examined.plies_reached, state, scores)


def _drawing_of(game: AnyGame, state: Any, viewer: Viewer, names: Sequence[str]) -> Drawing | None:
    """Return the drawing of a state as its viewer sees it, with the names of the players, who are given seat by seat.

    None means that nobody judges the game or that nothing lies on the table.
    """
    if nobody_judges(game):
        return None
    drawing = draw(game.words, state, viewer.seat)
    return None if lies_bare(drawing) else with_names(drawing, names)


def _number_findings(report: Report, let: Iterable[Finding]) -> Iterator[NumberedFinding]:
    """Yield findings with their numbers on the sheet, from 1, in ply order, without remarks.

    ``let`` are the errors that a ruling lets stand; they are numbered among the others and marked.
    """
    findings = [(finding, False) for finding in report.findings if finding.severity != "remark"] + [
        (finding, True) for finding in let
    ]
    for number, (finding, is_ruled) in enumerate(sorted(findings, key=lambda pair: pair[0].ply), 1):
        yield NumberedFinding(number, finding, is_ruled)


def _event_tags(tags: Sequence[tuple[str, str]], others: set[str]) -> Iterator[tuple[str, str]]:
    """Yield event, site, date and round if they are known, then every tag with a value that is not among ``others``.

    All are pairs of a name and a value.
    """
    by_name = dict(reversed(tags))
    for name in ("Event", "Site", "Date", "Round"):
        if by_name.get(name, "?") not in ("?", "-", ""):
            yield name, by_name[name]
    yield from ((name, value) for name, value in tags if name not in others and value)


def _rule_tags(report: Report, tags: Iterable[tuple[str, str]], own: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield edition and variant, then the options and the tags in ``own`` that have a value, as pairs of a name and a
    value.
    """
    yield "Edition", report.edition
    yield "Variant", report.variant
    yield from ((name, value) for name, value in tags if (name == "Options" or name in own) and value)


# --- plies ---


def _cells(
    game: AnyGame,
    record: Record,
    findings: Sequence[NumberedFinding],
    played: Sequence[Step],
    scores: Scoring | None,
    names_before: Callable[[int], tuple[str, ...]],
) -> Iterator[Cell]:
    """Yield a cell for each ply of a record, in order.

    Args:
        game: The rules of the game.
        record: The record.
        findings: The findings with their numbers on the sheet.
        played: The plies that were followed. One that is not among them, or was not applied, is marked as unread.
        scores: What rulings and commands say of points; None for nothing.
        names_before: Returns who sits at each seat when a ply is played.
    """
    always = () if record.seatings else names_before(1)
    refs: dict[int, list[NumberedFinding]] = {}
    for numbered in findings:
        for ply in numbered.finding.plies or (numbered.finding.ply,):
            refs.setdefault(ply, []).append(numbered)
    step_by_ply = {step.ply: step for step in played}
    for ply, word in enumerate(record.line.words, 1):
        note, step = record.line.notes.get(ply, Note()), step_by_ply.get(ply)
        seat = step.move.seat if step is not None and step.move is not None else 0
        clock = next((part for text in note.comments for part in clocks_in(text)), "")
        on_ply = refs.get(ply, [])
        kinds = {"ruled" if numbered.ruled else numbered.finding.severity for numbered in on_ply}
        severity = next((kind for kind in ("error", "undecided", "ruled") if kind in kinds), "")
        numbers = tuple(numbered.number for numbered in on_ply)
        applied = step is not None and step.applied
        names = always or names_before(ply)
        outcome = _outcome_of(game, step, scores) if step is not None and applied else ""
        gains = _gains_of(game, step) if step is not None and applied else ()
        if gains and step is not None:
            outcome = _settlement(game.rounds.answers(step.move), outcome)
        outcome = name_seats(outcome, names)
        player = display_name(f"p{seat}", names)
        yield Cell(ply, seat, word + glyphs_of(note), clock, severity, numbers, not applied, outcome, player, gains)


def _outcome_of(game: AnyGame, step: Step, scores: Scoring | None) -> str:
    """Return in words what a ply led to, as its game says it, such as a capture or the points of a trick.

    It is empty for a call, such as a draw offer, and where the game says nothing.
    """
    move = own_move(step.move)
    if move is None:
        return ""
    return game.words.came_of(step.state, move, scores.drawn_state(step.after, step.ply) if scores else step.after)


def _gains_of(game: AnyGame, step: Step) -> tuple[str, ...]:
    """Return what each seat won by a ply that is a round entered as its score; empty for any other ply."""
    if not game.rounds.answers(step.move):
        return ()
    return tuple(map(str, game.points.gains(step.state, step.after) or ()))


_NUMBERS = re.compile(r"[-0-9/.:]*")


def _settlement(answers: Mapping[str, str], came_of: str) -> str:
    """Return how a round came to its points: what was entered, and what followed, without the running score.

    Points that were entered seat by seat are left out, because they stand in the columns.

    Args:
        answers: What was entered, by the names of the fields.
        came_of: What came of the round, as its game says it.
    """
    entered = (
        f"{name} {value}"
        for name, value in answers.items()
        if value != "-" and (":" not in value or not _NUMBERS.fullmatch(value))
    )
    followed = re.sub(r"; score [^;]*$", "", came_of)
    return "; ".join(filter(None, (", ".join(entered), "" if _NUMBERS.fullmatch(followed) else followed)))


def _sums(cells: Iterable[Cell], seats: int) -> tuple[str, ...]:
    """Return what each of some seats has won by all these plies, which have gains."""
    rows = [tuple(map(Fraction, cell.gains)) for cell in cells]
    return tuple(str(sum((row[seat] for row in rows), Fraction(0))) for seat in range(seats))


def _by_person(cells: Iterable[Cell], names_before: Callable[[int], tuple[str, ...]]) -> tuple[tuple[str, str], ...]:
    """Return what each person has won by these plies, at all seats together, in the order in which they sat down.

    Args:
        cells: The plies, which have gains.
        names_before: Returns who sits at each seat when a ply is played.
    """
    totals: dict[str, Fraction] = {}
    for cell in cells:
        for name, won in zip(names_before(cell.ply), cell.gains, strict=True):
            totals[name] = totals.get(name, Fraction(0)) + Fraction(won)
    return tuple((name, str(total)) for name, total in totals.items())


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
    """Return the glyphs of a ply as they follow its word, such as ``!?`` or `` +/-``; empty if it has none.

    A code without a form of its own is ``$`` and its number, after a blank.
    """
    return "".join(
        SUFFIXES[code] if code < len(SUFFIXES) else f" {_SIGNS.get(code, f'${code}')}" for code in note.glyphs
    )


def _rows(cells: Sequence[Cell], record: Record, columns: int) -> Iterator[Row]:
    """Yield the rows of the table of plies, each with at least one ply.

    With ``columns``, the number of seats, a row is a round. If a seat speaks twice in a round, the round goes on in a
    new row; a ply of no seat has a row across all columns. With 0 columns each ply has a row.
    """
    last_round, row, number, rounds = 0, _Row(columns), "", 0
    for cell in cells:
        round_number = record.line.numbers.get(cell.ply - 1)
        begins = round_number is not None and round_number[0] != last_round
        across = not columns or not cell.seat
        if begins or across or not row.takes(cell):
            yield from row.finish(number)
            row, number = _Row(columns), ""
        if begins and round_number is not None:
            last_round, number = round_number[0], f"{round_number[0]}."
        if across:
            rounds += bool(cell.gains)
            yield Row(number or f"{rounds}." * bool(cell.gains), (cell,), bool(columns))
            number = ""
        else:
            row.add(cell)
    yield from row.finish(number)


class _Row:
    """A row that is being filled."""

    def __init__(self, columns: int) -> None:
        self.cells: list[Cell | None] = [None] * columns

    def takes(self, cell: Cell) -> bool:
        """Say whether there is a column for the cell's seat and nothing is in it yet. The seat must not be 0."""
        return cell.seat <= len(self.cells) and self.cells[cell.seat - 1] is None

    def add(self, cell: Cell) -> None:
        """Put a cell in the column of its seat, which ``takes`` must have found free."""
        self.cells[cell.seat - 1] = cell

    def finish(self, number: str) -> Iterator[Row]:
        """Yield the row, with ``number`` as that of its round, unless it is empty; there is never more than one."""
        if any(self.cells):
            yield Row(number, tuple(self.cells))


# --- beside the plies ---


def _remarks(record: Record) -> Iterator[Remark]:
    """Yield a remark for each ply with comments or variations, in ply order; 0 is the game as a whole.

    Its glyphs and clock stand elsewhere on the sheet.
    """
    for ply, note in sorted(record.line.notes.items()):
        remarks = (remark_in(item) if isinstance(item, str) else format_note(Note((), (item,))) for item in note.items)
        text = " ".join(part for part in remarks if part)
        if text:
            yield Remark(ply, record.line.words[ply - 1] if ply else "", text)


def _history(log: Sequence[LogLine]) -> Iterator[LogEntry]:
    """Yield the events of the log that the sheet lists: all but moves, the opening with its tags, and imports."""
    first = 2
    for line in log:
        opening = isinstance(line.event, TagsChanged) and line.version <= first
        if not isinstance(line.event, _NO_HISTORY) and not opening:
            yield LogEntry(line.version, line.at, line.by, " ".join(line.says.split()))
