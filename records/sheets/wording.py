"""What a score sheet says in words, the same on every kind of paper."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from cartulary.notation.arbiter.score_in_force import ScoreLine
from cartulary.notation.cgn.controls import isolate, isolate_all
from cartulary.notation.cgn.signs import count
from cartulary.notation.viewer import Everything, Seat
from cartulary.records.sheets.score_sheet import Cell, Logged, Numbered, Remark, Row, ScoreSheet, Seated
from cartulary.records.state.event_words import ROW, DocketThing, moment, plies_text, say

THEN = "Then"
"""What stands above what came of a row."""


class Part(Struct, frozen=True):
    """A part of the sheet below the plies. items: a heading and what it says, each."""

    title: str
    items: tuple[tuple[str, str], ...]


def heading(sheet: ScoreSheet) -> str:
    """Return the players and the result in one line."""
    names = isolate_all((seat.name for seat in sheet.seats), " – ")
    return (
        names if any(seat.name != "?" for seat in sheet.seats) else f"{sheet.title}, {count(len(sheet.seats), 'seat')}"
    )


def foot(sheet: ScoreSheet) -> str:
    """Return what stands at the foot of every page: the game and the head of its log."""
    return f"{sheet.id}  {sheet.head}".strip()


def called(seat: Seated) -> str:
    """Return a seat and what its game calls it, where that says more than its number."""
    return seat.seat if seat.title == f"Seat{seat.seat[1:]}" else f"{seat.seat} {seat.title}"


def facts(sheet: ScoreSheet) -> Iterator[tuple[str, str]]:
    """Yield what stands above the plies, as name and value."""
    yield from ((called(seat), isolate(seat.name)) for seat in sheet.seats)
    yield from ((name, isolate(value)) for name, value in sheet.about)
    yield from sheet.rules
    how = "; ".join(part for part in (sheet.termination, sheet.because) if part)
    yield "Result", ("open" if sheet.result == "*" else sheet.result) + (f" ({how})" if how else "")
    yield from sheet.points
    seen = "" if isinstance(sheet.viewer, Everything) else f", as {sheet.viewer.name} has seen it"
    yield "Record", sheet.id + seen
    yield "Plies", f"{sheet.plies}, {sheet.verdict}"


def moves_title(sheet: ScoreSheet) -> str:
    """Return what stands above the plies."""
    return "Moves, each with its ply in parentheses" if sheet.by_seat else "Moves"


def columns(sheet: ScoreSheet) -> tuple[str, ...]:
    """Return the headings of the table of plies, the number's first."""
    if sheet.by_seat:
        return ("", *(called(seat) for seat in sheet.seats), *((THEN,) * sheet.told))
    return ("", "Ply", "Seat", "Move", *(("Clock",) * sheet.clocks), *((THEN,) * sheet.told))


def cells(sheet: ScoreSheet, row: Row) -> tuple[str, ...]:
    """Return the texts of a row behind its number, one a column."""
    then = (row.then,) * (sheet.told and not row.across)
    if sheet.by_seat:
        return (*(cell_text(cell) if cell else "" for cell in row.cells), *then)
    [cell] = row.cells
    assert cell is not None
    seat = f"p{cell.seat}" if not cell.unread else "?"
    return (str(cell.ply), seat, marked(cell), *((cell.clock,) * sheet.clocks), *then)


def marked(cell: Cell) -> str:
    """Return a ply's word with its marks: the numbers of the findings on it."""
    refs = "".join(f" [{number}]" for number in cell.refs)
    return cell.word + refs + (" (unread)" if cell.unread else "")


def cell_text(cell: Cell) -> str:
    """Return a ply as it stands in a seat's column: word, marks, number and clock."""
    return f"{marked(cell)} ({cell.ply})" + (f" {cell.clock}" if cell.clock else "")


def parts(sheet: ScoreSheet) -> Iterator[Part]:
    """Yield the parts below the plies, those that hold nothing left out."""
    found = (
        ("What the rules say", map(_finding, sheet.findings)),
        ("Disputes", _rows(sheet.disputes)),
        ("Rulings", _rows(sheet.rulings)),
        ("Score", map(_step, sheet.score)),
        ("Times corrected", _rows(sheet.times)),
        ("Notes", map(_remark, sheet.remarks)),
        ("Agreed", ((called(sheet.seats[each.seat - 1]), say(each, ROW)[1]) for each in sheet.agreements)),
        ("Log", map(_logged, sheet.history)),
    )
    for title, items in found:
        listed = tuple(items)
        if listed:
            yield Part(title, listed)


def _rows(placed: Iterable[DocketThing]) -> Iterator[tuple[str, str]]:
    return (say(each, ROW) for each in placed)


def _finding(each: Numbered) -> tuple[str, str]:
    found = each.finding
    where = f"ply {found.ply}" + (f", {found.move}" if found.move else "") if found.ply else "the sheet"
    if found.plies:
        where = plies_text(found.plies)
    kind = (
        "irregular, let stand by a ruling" if each.ruled else {"error": "irregular"}.get(found.severity, found.severity)
    )
    proved = f" Proved by ply {found.decided_by}." if found.decided_by else ""
    rule = f" Rule: {found.rule} Source: {found.source}." if found.rule else ""
    return f"[{each.number}] {where}", f"{kind}, {found.key}: {found.because}.{proved}{rule}"


def _step(line: ScoreLine) -> tuple[str, str]:
    if line.by:
        return isolate(line.by), f"{line.says}: {line.score}"
    return line.says, f"{line.score}: {line.how}" if line.how else line.score


def _remark(remark: Remark) -> tuple[str, str]:
    return (f"ply {remark.ply}, {remark.word}" if remark.ply else "the game"), remark.text


def _logged(event: Logged) -> tuple[str, str]:
    by = f" by {isolate(event.by)}" if event.by else ""
    return f"event {event.version}", f"{moment(event.at)}{by}: {event.says}"


def proof(sheet: ScoreSheet) -> tuple[str, ...]:
    """Return what the sheet says of how it is checked, a sentence or two each."""
    if not sheet.head and isinstance(sheet.viewer, Everything):
        return (f"This sheet was made from a file, {sheet.id}. It has no log, so nothing proves it.",)
    if not sheet.head:
        own = isinstance(sheet.viewer, Seat)
        who, hands = ("one seat has", "the other hands") if own else ("everybody has", "the hands")
        return (f"This sheet shows what {who} seen. It names no head, which would prove a guess at {hands}.",)
    omitted = count(sheet.withheld, "event was", "events were")
    left = (f"{omitted} left out of the record this sheet was made from.",) * (sheet.withheld > 0)
    return (
        f"Last written {moment(sheet.updated)}. Head of the log:",
        sheet.head,
        "Whoever keeps the log can check this sheet with",
        f"cartulary verify {sheet.id} --head {sheet.head}",
        "If the log is proved, it is the one this sheet was made from, event by event, or has only grown. That does"
        " not prove when the moves were made, or that they were made at all.",
        *left,
    )


def signatures(sheet: ScoreSheet) -> tuple[str, ...]:
    """Return under which names there is room to sign: each seat's, and the arbiter's."""
    return (
        *(called(seat) + (f", {isolate(seat.name)}" if seat.name != "?" else "") for seat in sheet.seats),
        "Arbiter",
    )
