"""Score sheets as HTML pages that need nothing beside them: for a screen, a phone, and A4 paper; and their index."""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from cartulary.notation.cgn.controls import in_bdi, isolate
from cartulary.notation.cgn.signs import count
from cartulary.notation.drawing import Drawing
from cartulary.notation.svg import NAMESPACE, svg
from cartulary.notation.svg import STYLE as DRAWN
from cartulary.records.sheets.score_sheet import Cell, Row, ScoreSheet
from cartulary.records.sheets.wording import (
    columns,
    facts,
    foot,
    heading,
    marked,
    moves_title,
    parts,
    proof,
    signatures,
)

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")

STYLE = """
@page { size: A4; margin: 16mm 14mm 18mm;
  @bottom-right { content: "page " counter(page) " of " counter(pages); font-size: 8pt; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 52rem; color: #111; background: #fff;
  font: 15px/1.45 "DejaVu Sans", "Noto Sans", system-ui, sans-serif; }
article + article { margin-top: 3rem; border-top: 3px double #111; padding-top: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; break-after: avoid; }
header p { margin: 0; color: #444; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; margin: .6rem 0; }
dl.long { grid-template-columns: minmax(6rem, 11rem) 1fr; gap: .35rem .9rem; }
dt { color: #444; overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; break-inside: avoid; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
article thead th:first-child { width: 2.8rem; }
.narrow { width: 3.6rem; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { text-align: left; vertical-align: top; padding: .15rem .45rem; border-bottom: 1px solid #ccc; }
thead th { border-bottom: 2px solid #111; }
tbody th { text-align: right; font-weight: normal; color: #444; }
.word { font-family: "DejaVu Sans Mono", "Noto Sans Mono", ui-monospace, monospace; overflow-wrap: anywhere; }
.ply, .clock { color: #555; font-size: .75em; }
.then { color: #555; font-size: .85em; overflow-wrap: anywhere; }
.error { font-weight: bold; text-decoration: underline; }
.undecided, .ruled { text-decoration: underline dotted; }
.proof { border: 1px solid #111; padding: .5rem .8rem; margin-top: 1.4rem; break-inside: avoid; }
.proof p { margin: .2rem 0; }
.proof code { overflow-wrap: anywhere; font-family: "DejaVu Sans Mono", ui-monospace, monospace; font-size: .85em; }
.end { break-inside: avoid; }
.sign { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0 2rem; break-inside: avoid; }
.sign p { margin: 3.2rem 0 0; border-top: 1px solid #111; padding-top: .15rem; font-size: .85em;
  overflow-wrap: anywhere; break-inside: avoid; }
@media (max-width: 34rem) {
  body { padding: .6rem; font-size: 14px; }
  dl, dl.long { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .35rem; }
  th, td { padding: .15rem .2rem; }
}
@media print {
  nav { display: none; }
  body { font-size: 10pt; padding: 0; max-width: none; }
  article + article { break-before: page; margin: 0; border: 0; padding: 0; }
}
"""


_LIGHT = DRAWN.partition("@media")[0] + "\nfigure { margin: 1rem 0; }\nfigure svg { max-width: 100%; height: auto; }\n"
"""How drawings look on a sheet, which is always light."""


def printable(text: str) -> str:
    """Return a text with U+FFFD in place of signs that no page may hold."""
    return _UNPRINTABLE.sub("\ufffd", text)


def html(sheets: Sequence[ScoreSheet], back: str = "") -> bytes:
    """Return a page of these sheets, UTF-8; the same bytes for the same sheets. On paper each begins a page.

    Every text stands as text, whatever signs it holds; signs that no page may hold are replaced by U+FFFD.
    back: the address of the page that leads here, where a server shows it; it is not printed
    """
    titles = [f"{heading(sheet)}, {sheet.title}" for sheet in sheets]
    feet = "".join(_below(number, sheet) for number, sheet in enumerate(sheets, 1))
    root, body = _blank(titles[0] if len(titles) == 1 else f"{len(titles)} score sheets", feet)
    if back:
        SubElement(SubElement(body, "nav"), "a", href=back).text = "Back to the game"
    for sheet in sheets:
        _article(SubElement(body, "article"), sheet)
    return _bytes(root)


def _blank(title: str, more: str = "") -> tuple[Element, Element]:
    """Return a page and its empty body. more: rules of its own"""
    root = Element("html", lang="en")
    head = SubElement(root, "head")
    SubElement(head, "meta", charset="utf-8")
    SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    _put(head, "title", title)
    _put(head, "style", STYLE + _LIGHT + more)
    return root, SubElement(root, "body")


def _bytes(root: Element) -> bytes:
    page: str = tostring(root, "unicode", method="html")
    return f"<!DOCTYPE html>\n{in_bdi(page)}\n".encode()


def _below(number: int, sheet: ScoreSheet) -> str:
    """Return the rules that put the game and its head at the foot of each page; neither holds a sign CSS minds."""
    return (
        f"article:nth-of-type({number}) {{ page: sheet{number}; }}\n"
        f'@page sheet{number} {{ @bottom-left {{ content: "{foot(sheet)}"; font: 7pt monospace; }} }}\n'
    )


def _put(parent: Element, tag: str, text: str, kind: str = "") -> Element:
    element = SubElement(parent, tag, {"class": kind} if kind else {})
    element.text = isolate(printable(text))
    return element


def _article(article: Element, sheet: ScoreSheet) -> None:
    top = SubElement(article, "header")
    _put(top, "h1", heading(sheet))
    _put(top, "p", f"{sheet.title}, score sheet")
    _listed(article, facts(sheet))
    if sheet.drawing is not None:
        article.append(_drawn(sheet.drawing, f"{sheet.title}, the last position"))
    _put(article, "h2", moves_title(sheet))
    _table(article, sheet)
    for part in parts(sheet):
        _put(article, "h2", part.title)
        _listed(article, part.items, "long")
    end = SubElement(article, "div", {"class": "end"})
    _proof(end, sheet)
    _put(end, "h2", "Signatures")
    room = SubElement(end, "div", {"class": "sign"})
    for name in signatures(sheet):
        _put(room, "p", name)


def _drawn(drawing: Drawing, title: str) -> Element:
    """Return a drawing as a figure. HTML knows SVG by its name, without a namespace."""
    figure = Element("figure")
    figure.append(fromstring(svg(drawing, title, "").replace(NAMESPACE, "", 1)))
    return figure


def _listed(parent: Element, items: Iterable[tuple[str, str]], kind: str = "") -> None:
    listed = SubElement(parent, "dl", {"class": kind} if kind else {})
    for name, value in items:
        _put(listed, "dt", name)
        _put(listed, "dd", value)


def _proof(article: Element, sheet: ScoreSheet) -> None:
    box = SubElement(article, "div", {"class": "proof"})
    for sentence in proof(sheet):
        if sheet.head and sheet.head in sentence:
            _put(SubElement(box, "p"), "code", sentence)
        else:
            _put(box, "p", sentence)


# --- plies ---


def _table(article: Element, sheet: ScoreSheet) -> None:
    table = SubElement(article, "table")
    titles = columns(sheet)
    top = SubElement(SubElement(table, "thead"), "tr")
    for title in titles:
        _put(top, "th", title, "narrow" if title in ("Ply", "Seat") else "").set("scope", "col")
    body = SubElement(table, "tbody")
    for row in sheet.rows:
        line = SubElement(body, "tr")
        _put(line, "th", row.number).set("scope", "row")
        if sheet.by_seat:
            _across(line, row, len(titles) - 1, sheet.told)
        else:
            _alone(line, row, sheet)


def _across(line: Element, row: Row, width: int, told: bool) -> None:
    for cell in row.cells:
        data = SubElement(line, "td", {"colspan": str(width)} if row.across else {})
        if cell is not None:
            _word(data, cell)
            _put(data, "span", f" ({cell.ply})", "ply")
            if cell.clock:
                _put(data, "span", f" {cell.clock}", "clock")
    if told and not row.across:
        _put(line, "td", row.then, "then")


def _alone(line: Element, row: Row, sheet: ScoreSheet) -> None:
    [cell] = row.cells
    assert cell is not None
    _put(line, "td", str(cell.ply), "ply")
    _put(line, "td", "?" if cell.unread else f"p{cell.seat}")
    _word(SubElement(line, "td"), cell)
    if sheet.clocks:
        _put(line, "td", cell.clock, "clock")
    if sheet.told:
        _put(line, "td", row.then, "then")


def _word(parent: Element, cell: Cell) -> None:
    """Write a ply, so that a long one is broken behind a comma and not inside a card."""
    first, *rest = marked(cell).split(",")
    word = _put(parent, "span", first + "," * bool(rest), f"word {cell.severity}".strip())
    for at, part in enumerate(rest, 1):
        _put(word, "wbr", "").tail = printable(part + "," * (at < len(rest)))


# --- index ---

INDEX = "index.html"
_COLUMNS = ("Players", "Game", "Event", "Date", "Result", "Verdict")

Line = tuple[str, ...]
"""The file name of a game's page, and what the index says of the game, in the order of its columns."""


def page_name(id: str) -> str:
    """Return the file name of a game's page, which no other game's has, nor the index."""
    name = f"{quote(id, safe='')}.html"
    return f"%{ord(name[0]):02X}{name[1:]}" if name.lower() == INDEX else name


def index_line(sheet: ScoreSheet) -> Line:
    """Return what the index says of a game."""
    about = dict(sheet.about)
    result = "open" if sheet.result == "*" else sheet.result
    row_texts = (heading(sheet), sheet.title, about.get("Event", ""), about.get("Date", ""), result, sheet.verdict)
    return (page_name(sheet.id), *row_texts)


def index(lines: Sequence[Line]) -> bytes:
    """Return the page that leads to those of the games, UTF-8; the same bytes for the same lines."""
    title = f"{count(len(lines), 'score sheet')}"
    root, body = _blank(title)
    _put(body, "h1", title)
    table = SubElement(body, "table")
    top = SubElement(SubElement(table, "thead"), "tr")
    for column in _COLUMNS:
        _put(top, "th", column).set("scope", "col")
    rows = SubElement(table, "tbody")
    for name, players, *row_texts in lines:
        row = SubElement(rows, "tr")
        _put(SubElement(row, "td"), "a", players).set("href", quote(name))
        for text in row_texts:
            _put(row, "td", text)
    return _bytes(root)
