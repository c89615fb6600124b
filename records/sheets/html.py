"""Score sheets as HTML pages that need no other file, for screens, phones and A4 paper; and their index."""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from cartulary.notation.cgn.controls import in_bdi, isolate
from cartulary.notation.cgn.signs import count
from cartulary.notation.drawing import Drawing
from cartulary.notation.svg import NAMESPACE, svg
from cartulary.notation.svg import STYLE as DRAWING_STYLE
from cartulary.records.sheets.score_sheet import MOST_COLUMNS, Cell, Row, ScoreSheet
from cartulary.records.sheets.wording import (
    OUTCOME_TITLE,
    below,
    columns,
    facts,
    foot,
    gain_text,
    heading,
    moves_title,
    parts,
    proof,
    signatures,
    word_with_marks,
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
thead th { overflow-wrap: anywhere; hyphens: auto; }
.points { font-weight: bold; font-variant-numeric: tabular-nums; }
.how td, .how th { border-bottom-color: #111; }
tr:has(+ .how) > * { border-bottom: 0; }
.sums > * { font-size: 1.15em; border-top: 2px solid #111; }
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
  article table tr { display: grid; grid-template-columns: 2.6rem repeat(var(--seats, 4), minmax(0, 1fr)); }
  table:not([class]) tr { display: table-row; }
  .of1 { --seats: 1; } .of2 { --seats: 2; } .of3 { --seats: 3; } .of4 { --seats: 4; } .of5 { --seats: 5; }
  [class^=of] tr > * { border-bottom: 0; }
  [class^=of] tr { border-bottom: 1px solid #ccc; }
  [class^=of] .then, [class^=of] [colspan] { grid-column: 2 / -1; }
  [class^=of] thead .then { display: none; }
}
@media screen and (prefers-color-scheme: dark) {
  body { color: #e8e6e1; background: #0f1216; }
  a { color: #7cc8f2; }
  header p, dt, tbody th, .then, .ply, .clock { color: #a9b0b9; }
  th, td { border-color: #343b45; }
  .proof, .sign p, article + article { border-color: #a9b0b9; }
}
@media print {
  nav { display: none; }
  body { font-size: 10pt; padding: 0; max-width: none; }
  article + article { break-before: page; margin: 0; border: 0; padding: 0; }
}
"""


_IN_LIGHT, _IN_DARK = DRAWING_STYLE.split("@media")[:2]
_LIGHT = (
    f"{_IN_LIGHT}\n@media screen and {_IN_DARK}\n"
    "figure { margin: 1rem 0; }\nfigure svg { max-width: 100%; height: auto; }\n"
)
"""How drawings look on a sheet; on paper they are always light."""


def printable(text: str) -> str:
    """Return a text with U+FFFD in place of each control character or other one that no page may hold."""
    return _UNPRINTABLE.sub("\ufffd", text)


def html(sheets: Sequence[ScoreSheet], back: str = "") -> bytes:
    """Return score sheets as one page, UTF-8; the same bytes for the same sheets. On paper each begins a new page.

    Every text is escaped. Characters that no page may hold are replaced by U+FFFD.

    Args:
        sheets: The sheets, which keep their order.
        back: The address of the page that leads here, if a server shows the sheet; empty for no link. It is not
            printed.
    """
    titles = [f"{heading(sheet)}, {sheet.title}" for sheet in sheets]
    feet = "".join(_foot_rules(number, sheet) for number, sheet in enumerate(sheets, 1))
    root, body = _empty_page(titles[0] if len(titles) == 1 else f"{len(titles)} score sheets", feet)
    if back:
        SubElement(SubElement(body, "nav"), "a", href=back).text = "Back to the game"
    main = SubElement(body, "main")
    for sheet in sheets:
        _fill_article(SubElement(main, "article"), sheet)
    return _page_bytes(root)


def _empty_page(title: str, extra_style: str = "") -> tuple[Element, Element]:
    """Return an empty page as its ``html`` element and its ``body`` element; ``extra_style`` is CSS that follows the
    style.
    """
    root = Element("html", lang="en")
    head = SubElement(root, "head")
    SubElement(head, "meta", charset="utf-8")
    SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    _add_text(head, "title", title)
    _add_text(head, "style", STYLE + _LIGHT + extra_style)
    return root, SubElement(root, "body")


def _page_bytes(root: Element) -> bytes:
    """Return the bytes of a page: a doctype and the element as HTML, in UTF-8.

    Marks keep names in other scripts from changing the order of a line.
    """
    page: str = tostring(root, "unicode", method="html")
    return f"<!DOCTYPE html>\n{in_bdi(page)}\n".encode()


def _foot_rules(number: int, sheet: ScoreSheet) -> str:
    """Return CSS that prints the game's id and head at the foot of each page of its sheet.

    ``number`` is the place of the sheet on the page, from 1.
    """
    return (
        f"article:nth-of-type({number}) {{ page: sheet{number}; }}\n"
        f'@page sheet{number} {{ @bottom-left {{ content: "{foot(sheet)}"; font: 7pt monospace; }} }}\n'
    )


def _add_text(parent: Element, tag: str, text: str, kind: str = "") -> Element:
    """Add an element with a text to ``parent``, and return the new element; an empty ``kind`` means no class.

    Characters that no page may hold are replaced.
    """
    element = SubElement(parent, tag, {"class": kind} if kind else {})
    element.text = isolate(printable(text))
    return element


def _fill_article(article: Element, sheet: ScoreSheet) -> None:
    """Add a whole score sheet to an article: heading, facts, drawing if it has one, plies, parts, proof and
    signatures.
    """
    top = SubElement(article, "header")
    _add_text(top, "h1", heading(sheet))
    _add_text(top, "p", f"{sheet.title}, score sheet")
    _add_list(article, facts(sheet))
    if sheet.drawing is not None:
        article.append(_figure(sheet.drawing, f"{sheet.title}, the last position"))
    _add_text(article, "h2", moves_title(sheet))
    _add_table(article, sheet)
    for part in parts(sheet):
        _add_text(article, "h2", part.title)
        _add_list(article, part.items, "long")
    end = SubElement(article, "div", {"class": "end"})
    _add_proof(end, sheet)
    _add_text(end, "h2", "Signatures")
    room = SubElement(end, "div", {"class": "sign"})
    for name in signatures(sheet):
        _add_text(room, "p", name)


def _figure(drawing: Drawing, title: str) -> Element:
    """Return a drawing as a ``figure`` element with an SVG in it; ``title`` says what the drawing shows.

    The SVG has no namespace, because HTML needs none.
    """
    figure = Element("figure")
    figure.append(fromstring(svg(drawing, title, "").replace(NAMESPACE, "", 1)))
    return figure


def _add_list(parent: Element, items: Iterable[tuple[str, str]], kind: str = "") -> None:
    """Add pairs of a name and a text as a definition list, in their order; an empty ``kind`` means no class."""
    list_element = SubElement(parent, "dl", {"class": kind} if kind else {})
    for name, value in items:
        _add_text(list_element, "dt", name)
        _add_text(list_element, "dd", value)


def _add_proof(article: Element, sheet: ScoreSheet) -> None:
    """Add a box with the sentences on how the sheet can be checked; those with the head of the log are shown as
    code.
    """
    box = SubElement(article, "div", {"class": "proof"})
    for sentence in proof(sheet):
        if sheet.head and sheet.head in sentence:
            _add_text(SubElement(box, "p"), "code", sentence)
        else:
            _add_text(box, "p", sentence)


# --- plies ---


def _add_table(article: Element, sheet: ScoreSheet) -> None:
    """Add the table of plies: a row of column heads, and a row for each row of the sheet.

    Each seat has a column, or each row is a single ply, as the sheet wants it.
    """
    titles = columns(sheet)
    kind = f"of{len(sheet.seats)}" if sheet.by_seat and len(sheet.seats) <= MOST_COLUMNS else ""
    table = SubElement(article, "table", {"class": kind} if kind else {})
    top = SubElement(SubElement(table, "thead"), "tr")
    for title in titles:
        if title:
            named = "narrow" if title in ("Ply", "Seat") else "then" if title == OUTCOME_TITLE else ""
            _add_text(top, "th", title, named).set("scope", "col")
        else:
            SubElement(top, "td")
    body = SubElement(table, "tbody")
    for row in sheet.rows:
        line = SubElement(body, "tr")
        if row.number:
            _add_text(line, "th", row.number).set("scope", "row")
        else:
            SubElement(line, "td")
        if row.gains:
            _add_points(line, row.gains)
            if text := below(row):
                line = SubElement(body, "tr", {"class": "how"})
                SubElement(line, "td")
                _add_text(line, "td", text, "then").set("colspan", str(len(titles) - 1))
        elif sheet.by_seat:
            _add_seat_cells(line, row, len(titles) - 1, sheet.has_outcomes)
        else:
            _add_ply_cells(line, row, sheet)

    if sheet.sums:
        line = SubElement(body, "tr", {"class": "sums"})
        _add_text(line, "th", "Sum").set("scope", "row")
        _add_points(line, sheet.sums)


def _add_points(line: Element, points: Sequence[str]) -> None:
    """Add to a row of the table the points of each seat, with their signs."""
    for number in points:
        _add_text(line, "td", gain_text(number), "points")


def _add_seat_cells(line: Element, row: Row, width: int, has_outcomes: bool) -> None:
    """Add to a row of the table a cell for each seat, or its only cell across all columns, and then the outcome.

    Args:
        line: The ``tr`` element, which has its number already.
        row: The row of the sheet; None among its cells makes an empty one.
        width: How many columns a cell across the table takes.
        has_outcomes: Whether the table has a column for what the plies led to.
    """
    for cell in row.cells:
        data = SubElement(line, "td", {"colspan": str(width)} if row.across else {})
        if cell is not None:
            _add_word(data, cell)
            _add_text(data, "span", f" ({cell.ply})", "ply")
            if cell.clock:
                _add_text(data, "span", f" {cell.clock}", "clock")
    if has_outcomes and not row.across:
        _add_text(line, "td", row.outcome, "then")


def _add_ply_cells(line: Element, row: Row, sheet: ScoreSheet) -> None:
    """Add to a row of the table its single ply: ply, player, word, and clock and outcome if the sheet has such columns.

    The player of a ply that could not be applied is ``?``.
    """
    [cell] = row.cells
    assert cell is not None
    _add_text(line, "td", str(cell.ply), "ply")
    _add_text(line, "td", "?" if cell.unread else cell.player)
    _add_word(SubElement(line, "td"), cell)
    if sheet.clocks:
        _add_text(line, "td", cell.clock, "clock")
    if sheet.has_outcomes:
        _add_text(line, "td", row.outcome, "then")


def _add_word(parent: Element, cell: Cell) -> None:
    """Add the word of a ply with its marks; a long one may be broken after a comma, but not inside a card.

    The class of the element is ``word``, and the severity of its finding if it has one.
    """
    first, *rest = word_with_marks(cell).split(",")
    word = _add_text(parent, "span", first + "," * bool(rest), f"word {cell.severity}".strip())
    for at, part in enumerate(rest, 1):
        _add_text(word, "wbr", "").tail = printable(part + "," * (at < len(rest)))


# --- index ---

INDEX = "index.html"
_COLUMNS = ("Players", "Game", "Event", "Date", "Result", "Verdict")

Line = tuple[str, ...]
"""The file name of a game's page, and what the index says of the game, in the order of its columns."""


def page_name(id: str) -> str:
    """Return the file name of a game's page: its id, percent-encoded, and ``.html``.

    It differs from those of all other games, and from ``index.html``: a game called ``index`` has ``%69ndex.html``.
    """
    name = f"{quote(id, safe='')}.html"
    return f"%{ord(name[0]):02X}{name[1:]}" if name.lower() == INDEX else name


def index_line(sheet: ScoreSheet) -> Line:
    """Return what the index says of a game.

    Returns:
        The file name of its page, players, game, event, date, result and verdict. A tag that is missing is empty; a
        result ``*`` is ``open``.
    """
    about = dict(sheet.about)
    result = "open" if sheet.result == "*" else sheet.result
    row_texts = (heading(sheet), sheet.title, about.get("Event", ""), about.get("Date", ""), result, sheet.verdict)
    return (page_name(sheet.id), *row_texts)


def index(lines: Sequence[Line]) -> bytes:
    """Return the page that lists games with links to their pages, UTF-8; the same bytes for the same lines.

    Args:
        lines: What ``index_line`` returns for each game; they keep their order.
    """
    title = f"{count(len(lines), 'score sheet')}"
    root, body = _empty_page(title)
    _add_text(body, "h1", title)
    table = SubElement(body, "table")
    top = SubElement(SubElement(table, "thead"), "tr")
    for column in _COLUMNS:
        _add_text(top, "th", column).set("scope", "col")
    rows = SubElement(table, "tbody")
    for name, players, *row_texts in lines:
        row = SubElement(rows, "tr")
        _add_text(SubElement(row, "td"), "a", players).set("href", quote(name))
        for text in row_texts:
            _add_text(row, "td", text)
    return _page_bytes(root)
