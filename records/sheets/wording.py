"""What a score sheet says in words, the same on every kind of paper."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from cartulary.notation.arbiter.ruling_commands import ruling_says
from cartulary.notation.arbiter.score_in_force import ScoreLine
from cartulary.notation.cgn.controls import isolated, isolated_all
from cartulary.notation.cgn.signs import count
from cartulary.notation.viewer import Everything, Seat
from cartulary.records.log.fields import UNTOLD
from cartulary.records.sheets.score_sheet import Cell, Logged, Numbered, Remark, Row, ScoreSheet, Seated
from cartulary.records.state.book import Agreement
from cartulary.records.state.disputes_and_rulings import PlacedDispute, PlacedRuling
from cartulary.records.state.docket import cites_text
from cartulary.records.state.times import Retimed

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


THEN = "Then"
"""What stands above what came of a row."""


class Part(Struct, frozen=True):
    """A part of the sheet below the plies. items: a heading and what it says, each."""

    title: str
    items: tuple[tuple[str, str], ...]


def heading(sheet: ScoreSheet) -> str:
    """Return the players and the result in one line."""
    names = isolated_all((seat.name for seat in sheet.seats), " – ")
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
    yield from ((called(seat), isolated(seat.name)) for seat in sheet.seats)
    yield from ((name, isolated(value)) for name, value in sheet.about)
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
        ("Disputes", map(_dispute, sheet.disputes)),
        ("Rulings", map(_ruling, sheet.rulings)),
        ("Score", map(_step, sheet.score)),
        ("Times corrected", map(_time, sheet.times)),
        ("Notes", map(_remark, sheet.remarks)),
        ("Agreed", (_agreement(sheet, each) for each in sheet.agreements)),
        ("Log", map(_logged, sheet.history)),
    )
    for title, items in found:
        listed = tuple(items)
        if listed:
            yield Part(title, listed)


def _plies(plies: Sequence[int]) -> str:
    return f"{'ply' if len(plies) == 1 else 'plies'} {', '.join(map(str, plies))}"


def moment(at: str) -> str:
    """Return a time of the log as people read it: ``2026-11-22 20:15 UTC``."""
    return f"{at[:10]} {at[11:16]} UTC" if _TIME.fullmatch(at) else at


def _finding(each: Numbered) -> tuple[str, str]:
    found = each.finding
    where = f"ply {found.ply}" + (f", {found.move}" if found.move else "") if found.ply else "the sheet"
    if found.plies:
        where = _plies(found.plies)
    kind = (
        "irregular, let stand by a ruling" if each.ruled else {"error": "irregular"}.get(found.severity, found.severity)
    )
    proved = f" Proved by ply {found.decided_by}." if found.decided_by else ""
    rule = f" Rule: {found.rule} Source: {found.source}." if found.rule else ""
    return f"[{each.number}] {where}", f"{kind}, {found.key}: {found.because}.{proved}{rule}"


def _dispute(dispute: PlacedDispute) -> tuple[str, str]:
    ply = dispute.ply or dispute.then
    gone = " (gone)" if dispute.then and not dispute.ply else ""
    where = f"ply {ply}{f', {dispute.word}' if dispute.word else ''}{gone}" if ply else "the game"
    given = f" ({dispute.reason})" if dispute.reason else ""
    when = f"{moment(dispute.at)}, " if dispute.at else ""
    statement = f"{dispute.claim}{cites_text(dispute.cites)}. {dispute.status.capitalize()}{given}."
    return where, f"{when}{isolated(dispute.by) or 'somebody'}: {statement}"


def _ruling(ruling: PlacedRuling) -> tuple[str, str]:
    plies = ruling.plies or ruling.then
    words = " ".join(word for word in ruling.old if word not in ("", UNTOLD))
    gone = " (gone)" if ruling.then and not ruling.plies else ""
    where = f"{_plies(plies)}{f', {words}' if words else ''}{gone}" if plies else "the game"
    where = f"ruling {ruling.revokes}" if ruling.revokes else where
    decided = ruling_says(ruling)
    cited = f" Cited: {', '.join(ruling.keys)}." if ruling.keys else ""
    reason = f" Reason: {ruling.reason}." if ruling.reason else ""
    past = "" if ruling.holds else " Later events overtook it."
    when = f"{moment(ruling.at)}, " if ruling.at else ""
    who = isolated(ruling.arbiter) or "the arbiter"
    return where, f"{when}{who}: {decided}{cites_text(ruling.cites)}.{cited}{reason}{past}"


def _step(line: ScoreLine) -> tuple[str, str]:
    if line.by:
        return isolated(line.by), f"{line.says}: {line.score}"
    return line.says, f"{line.score}: {line.how}" if line.how else line.score


def _time(time: Retimed) -> tuple[str, str]:
    by = f" by {isolated(time.by)}" if time.by else ""
    return f"ply {time.ply}, {time.word}", f"{time.left}, was {time.was}{by}{f': {time.reason}' if time.reason else ''}"


def _agreement(sheet: ScoreSheet, each: Agreement) -> tuple[str, str]:
    head = f" Head of the log then: {each.head}." if each.head else ""
    past = f" Event {each.since} was written after that." if each.since else ""
    return called(sheet.seats[each.seat - 1]), f"agreed with this record, {moment(each.at)}.{head}{past}"


def _remark(remark: Remark) -> tuple[str, str]:
    return (f"ply {remark.ply}, {remark.word}" if remark.ply else "the game"), remark.text


def _logged(event: Logged) -> tuple[str, str]:
    by = f" by {isolated(event.by)}" if event.by else ""
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
        *(called(seat) + (f", {isolated(seat.name)}" if seat.name != "?" else "") for seat in sheet.seats),
        "Arbiter",
    )
