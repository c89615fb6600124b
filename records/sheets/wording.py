"""What a score sheet says in words, the same in HTML and PDF."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from cartulary.notation.arbiter.finding import verdict_text
from cartulary.notation.arbiter.score_in_force import ScoreLine
from cartulary.notation.cgn.controls import isolate, isolate_all
from cartulary.notation.cgn.signs import count
from cartulary.notation.seat_names import name_seats
from cartulary.notation.viewer import Everything, Seat
from cartulary.records.sheets.score_sheet import Cell, LogEntry, NumberedFinding, Remark, Row, ScoreSheet, SeatLine
from cartulary.records.state.event_words import ROW, DocketThing, moment, plies_text, say

OUTCOME_TITLE = "Then"
"""What stands above what came of a row."""


class Part(Struct, frozen=True):
    """A part of the sheet below the plies.

    Attributes:
        title: Its title.
        items: Pairs of a heading and a text.
    """

    title: str
    items: tuple[tuple[str, str], ...]


def heading(sheet: ScoreSheet) -> str:
    """Return the names of the players in one line, ``Ann – Ben``, with ``?`` for a name that nobody knows.

    If no name is known, it is the game and the number of seats: ``My Game, 2 seats``.
    """
    names = isolate_all((seat.name for seat in sheet.seats), " – ")
    return (
        names if any(seat.name != "?" for seat in sheet.seats) else f"{sheet.title}, {count(len(sheet.seats), 'seat')}"
    )


def foot(sheet: ScoreSheet) -> str:
    """Return the foot of every page: the game's id and the head of its log, which is the number and the digest of its
    last event.

    A sheet without a head has the id alone.
    """
    return f"{sheet.id}  {sheet.head}".strip()


def seat_title(seat: SeatLine) -> str:
    """Return a seat with what its game calls it: ``p1 Dealer``, or ``p1`` if the game calls it only ``Seat1``."""
    return seat.seat if seat.title == f"Seat{seat.seat[1:]}" else f"{seat.seat} {seat.title}"


def column_title(seat: SeatLine) -> str:
    """Return what stands above the plies of a seat: ``Ann (p1)``, or ``p1 Dealer`` if nobody knows who sits there."""
    return seat_title(seat) if seat.player in ("", "?") else f"{isolate(seat.player)} ({seat.seat})"


def facts(sheet: ScoreSheet) -> Iterator[tuple[str, str]]:
    """Yield what stands above the plies, as pairs of a name and a value.

    First come the seats with who sat there, then the event and other tags, the rules, the result, the points, the id,
    and last the number of plies with the verdict. A result ``*`` is shown as ``open``.
    """
    yield from ((seat_title(seat), isolate(seat.name)) for seat in sheet.seats)
    yield from ((name, isolate(value)) for name, value in sheet.about)
    yield from sheet.rules
    ending = "; ".join(part for part in (sheet.termination, sheet.because) if part)
    yield "Result", ("open" if sheet.result == "*" else sheet.result) + (f" ({ending})" if ending else "")
    yield from sheet.points
    view = "" if isinstance(sheet.viewer, Everything) else f", as {sheet.viewer.name} has seen it"
    yield "Record", sheet.id + view
    yield "Plies", f"{sheet.plies}, {sheet.verdict}"


def moves_title(sheet: ScoreSheet) -> str:
    """Return the title of the table of plies, which explains the numbers in parentheses if each seat has a column."""
    if sheet.unit:
        return f"{sheet.unit[:1].upper()}{sheet.unit[1:]}s"
    return "Moves, each with its ply in parentheses" if sheet.by_seat else "Moves"


def columns(sheet: ScoreSheet) -> tuple[str, ...]:
    """Return the column heads of the table of plies.

    The first is empty, for the number of the round. Then comes one for each seat, or ``Ply``, ``Seat``, ``Move`` and
    ``Clock``, and last that of the outcomes; the last two only if the sheet has any.
    """
    if sheet.by_seat:
        return ("", *(column_title(seat) for seat in sheet.seats), *((OUTCOME_TITLE,) * sheet.has_outcomes))
    return ("", "Ply", "Seat", "Move", *(("Clock",) * sheet.clocks), *((OUTCOME_TITLE,) * sheet.has_outcomes))


def cells(sheet: ScoreSheet, row: Row) -> tuple[str, ...]:
    """Return the texts of a row after its number, one for each of ``columns`` but the first; empty for an empty cell.

    A row that goes across all columns has a single text, but a round that was entered as its score has what each seat
    won.
    """
    outcome = (row.outcome,) * (sheet.has_outcomes and not row.across)
    if row.gains:
        return (*map(gain_text, row.gains), *(("",) * sheet.has_outcomes))
    if sheet.by_seat:
        return (*(cell_text(cell) if cell else "" for cell in row.cells), *outcome)
    [cell] = row.cells
    assert cell is not None
    seat = cell.player if not cell.unread else "?"
    return (str(cell.ply), seat, word_with_marks(cell), *((cell.clock,) * sheet.clocks), *outcome)


def gain_text(points: str) -> str:
    """Return points as a score sheet has them: ``+86``, ``−258``, ``0``."""
    return points if points == "0" else f"−{points[1:]}" if points.startswith("-") else f"+{points}"


def below(row: Row) -> str:
    """Return what stands below a row of gains: how they came about, and marks of findings; empty for other rows."""
    cell = row.cells[0]
    if not row.gains or cell is None:
        return ""
    return " ".join(filter(None, (cell.outcome, "".join(f"[{number}]" for number in cell.refs))))


def word_with_marks(cell: Cell) -> str:
    """Return a ply's word with the numbers of the findings on it, ``8Dj2 [3]``, and ``(unread)`` if it could not be
    applied.
    """
    refs = "".join(f" [{number}]" for number in cell.refs)
    return cell.word + refs + (" (unread)" if cell.unread else "")


def cell_text(cell: Cell) -> str:
    """Return a ply as it stands in a seat's column: word, marks, ply and the time left if it is known, ``8Dj2 [3] (17)
    1:02``.
    """
    return f"{word_with_marks(cell)} ({cell.ply})" + (f" {cell.clock}" if cell.clock else "")


def parts(sheet: ScoreSheet) -> Iterator[Part]:
    """Yield the parts below the plies, without empty ones.

    Their order is findings, disputes, rulings, score, corrected times, notes, agreements, and the log.
    """
    all_parts = (
        ("Points of each player", ((isolate(name), gain_text(points)) for name, points in sheet.persons)),
        ("What the rules say", map(_finding_item, sheet.findings)),
        ("Disputes", _rows(sheet.disputes, sheet.players)),
        ("Rulings", _rows(sheet.rulings, sheet.players)),
        ("Score", (_score_item(line, sheet.players) for line in sheet.score)),
        ("Times corrected", _rows(sheet.times, sheet.players)),
        ("Notes", map(_remark_item, sheet.remarks)),
        (
            "Agreed",
            ((column_title(sheet.seats[agreement.seat - 1]), say(agreement, ROW)[1]) for agreement in sheet.agreements),
        ),
        ("Log", map(_log_item, sheet.history)),
    )
    for title, items in all_parts:
        part_items = tuple(items)
        if part_items:
            yield Part(title, part_items)


def _rows(placed: Iterable[DocketThing], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield disputes, rulings or corrected times as pairs of a heading and a text; ``names`` are the players, seat by
    seat.
    """
    return (say(thing, ROW, names) for thing in placed)


def _finding_item(numbered: NumberedFinding) -> tuple[str, str]:
    """Return a finding as a heading, ``[2] ply 17, KHa5``, and a text: its severity, key, reason, proof and rule.

    The heading of a finding on no ply is ``[1] the sheet``. An error that a ruling lets stand is called so.
    """
    finding = numbered.finding
    where = f"ply {finding.ply}" + (f", {finding.move}" if finding.move else "") if finding.ply else "the sheet"
    if finding.plies:
        where = plies_text(finding.plies)
    kind = (
        "irregular, let stand by a ruling"
        if numbered.ruled
        else {"error": "irregular"}.get(finding.severity, verdict_text(finding.severity))
    )
    proof_text = f" Proved by ply {finding.decided_by}." if finding.decided_by else ""
    rule = f" Rule: {finding.rule} Source: {finding.source}." if finding.rule else ""
    return f"[{numbered.number}] {where}", f"{kind}, {finding.key}: {finding.because}.{proof_text}{rule}"


def _score_item(line: ScoreLine, names: Sequence[str]) -> tuple[str, str]:
    """Return a step of the score as a heading and a text with the score.

    The heading is the name of who wrote it, or else what made it. ``names`` replace the seats in the text.
    """
    if line.by:
        return isolate(line.by), f"{name_seats(line.says, names)}: {line.score}"
    return line.says, f"{line.score}: {name_seats(line.how, names)}" if line.how else line.score


def _remark_item(remark: Remark) -> tuple[str, str]:
    """Return a remark as a heading, ``ply 3, 8Dj2`` or ``the game``, and its text."""
    return (f"ply {remark.ply}, {remark.word}" if remark.ply else "the game"), remark.text


def _log_item(event: LogEntry) -> tuple[str, str]:
    """Return an event of the log as a heading, ``event 5``, and a text: when, by whom if that is known, and what it
    says.
    """
    by = f" by {isolate(event.by)}" if event.by else ""
    return f"event {event.version}", f"{moment(event.at)}{by}: {event.says}"


def proof(sheet: ScoreSheet) -> tuple[str, ...]:
    """Return the lines of plain text that say how the sheet can be checked, or why it cannot; there is at least one.

    The head of the log, ``VERSION:DIGEST`` of its last event, and the command ``verify`` are lines of their own. A
    sheet cannot be checked if it was made from a file, or if it shows only what a seat or everybody has seen.
    """
    if not sheet.head and isinstance(sheet.viewer, Everything):
        return (f"This sheet was made from a file, {sheet.id}. It has no log, so nothing proves it.",)
    if not sheet.head:
        is_seat = isinstance(sheet.viewer, Seat)
        who, hands = ("one seat has", "the other hands") if is_seat else ("everybody has", "the hands")
        return (f"This sheet shows what {who} seen. It names no head, which would prove a guess at {hands}.",)
    number = count(sheet.withheld, "event was", "events were")
    withheld = (f"{number} left out of the record this sheet was made from.",) * (sheet.withheld > 0)
    return (
        f"Last written {moment(sheet.last_written)}. Head of the log:",
        sheet.head,
        "Whoever keeps the log can check this sheet with",
        f"cartulary verify {sheet.id} --head {sheet.head}",
        "If the log is proved, it is the one this sheet was made from, event by event, or has only grown. That does"
        " not prove when the moves were made, or that they were made at all.",
        *withheld,
    )


def signatures(sheet: ScoreSheet) -> tuple[str, ...]:
    """Return the names to print under the lines to sign: ``p1 Dealer, Ann`` for each seat in order, then ``Arbiter``.

    A seat whose player nobody knows has no name.
    """
    return (
        *(seat_title(seat) + (f", {isolate(seat.name)}" if seat.name != "?" else "") for seat in sheet.seats),
        "Arbiter",
    )
