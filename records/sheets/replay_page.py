"""Replays as one HTML page that needs no server and sends no request: every position, and what the rules say of it.

Everything that the page shows is made here. Its script only moves, shows and hides it.
"""

import hashlib
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import msgspec

from cartulary.notation import Note
from cartulary.notation.arbiter.finding import verdict_text
from cartulary.notation.cgn.controls import in_bdi, isolate, isolate_all
from cartulary.notation.seat_names import name_seats, seat_name
from cartulary.notation.seatings import sitters_text, sitting, tenures
from cartulary.notation.svg import STYLE
from cartulary.notation.viewer import Everything
from cartulary.records.sheets.html import printable
from cartulary.records.sheets.replay_board import Board, board_of
from cartulary.records.sheets.replay_frames import (
    Frame,
    ReplaySource,
    clock_of,
    frames,
    game_of,
    hides,
    number_of,
    remarks_of,
)
from cartulary.records.sheets.replay_verdicts import PlyVerdict, verdicts
from cartulary.records.sheets.score_sheet import glyphs_of
from cartulary.records.state.event_words import display_name

_HERE = Path(__file__)
SCRIPT = _HERE.with_name("replay.js").read_text("utf-8").strip()
"""The page's own script."""
_PATH = re.compile(r'<path d="([^"]+)"/>')
LOOK = STYLE + _HERE.with_name("replay.css").read_text("utf-8").strip()
"""The page's style."""
BUTTONS = (
    ("first", "|◀", "First"),
    ("back", "◀", "Back"),
    ("play", "Play", "Play automatically"),
    ("on", "▶", "On"),
    ("last", "▶|", "Last"),
)
"""What one steps with: the command, its sign and its name."""


def replay_page(games: Sequence[ReplaySource], back: str = "") -> bytes:
    """Return one page with the replays of these games, UTF-8; the same bytes for the same games.

    The page holds its own style and script, loads nothing, and shows one game at a time. Every text is escaped.
    Characters that no page may hold are replaced by U+FFFD.

    Args:
        games: At least one game, each with a record whose tags set up a game; they keep their order.
        back: The address of the page that leads here, if a server shows it; empty for no such link.
    """
    articles = [_Article(number, game) for number, game in enumerate(games, 1)]
    title = articles[0].title if len(articles) == 1 else f"{len(articles)} games"
    return in_bdi(printable("".join((*_head(title), *_body(title, articles, back), "</html>\n")))).encode()


def policy() -> str:
    """Return the content security policy of every replay page, the text for a header or a ``meta`` element.

    It allows the page's own style and script, by their hashes, and nothing else.
    """
    own = f"style-src {_hash(LOOK)}; script-src {_hash(SCRIPT)}"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def _head(title: str) -> Iterator[str]:
    """Yield the start of the page up to ``</head>``: doctype, security policy, the title, which is escaped here, and
    the style.
    """
    yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy()}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title><style>{LOOK}</style></head>\n"


def _hash(text: str) -> str:
    """Return the SHA-256 of a script or style as a content security policy names it: ``'sha256-…'`` in base64, with
    quotes.
    """
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _body(title: str, articles: "Sequence[_Article]", back: str) -> Iterator[str]:
    """Yield the body of the page: a list of the games if there are several, each game, and the script.

    An empty ``back`` gives no link back. The list links to the start of each game, such as ``#2.0``.
    """
    yield "<body><main>"
    if back:
        yield f'<nav class="back"><a href="{escape(back)}">Back to the game</a></nav>'
    if len(articles) > 1:
        yield f'<nav class="games" aria-label="Games"><h2>{escape(title)}</h2><ol>'
        yield from (
            f'<li><a href="#{article.number}.0">{escape(article.title)}, {escape(article.summary)}</a></li>'
            for article in articles
        )
        yield "</ol></nav>"
    for article in articles:
        yield from article.html()
    yield f"</main><script>{SCRIPT}</script></body>"


def _element(tag: str, text: str, kind: str = "") -> str:
    """Return an HTML element such as ``<p class="docket">…</p>``. The text is escaped here; an empty ``kind`` means no
    class.
    """
    return f"<{tag}{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{escape(isolate(text))}</{tag}>"


def shared_paths(things: str, prefix: str) -> str:
    """Return SVG elements with every path that stands there three times or more drawn once, and named elsewhere.

    Args:
        things: The elements. Only paths without a class or another attribute are shared.
        prefix: What the names of the paths begin with.
    """
    names: dict[str, str] = {}
    for outline, times in Counter(_PATH.findall(things)).items():
        if times > 2:
            names[outline] = f"{prefix}{len(names)}"
    drawn = "".join(f'<path id="{name}" d="{outline}"/>' for outline, name in names.items())
    used = _PATH.sub(lambda path: f'<use href="#{names[path[1]]}"/>' if path[1] in names else path[0], things)
    return f"<defs>{drawn}</defs>{used}" if names else things


class _Article:
    """One game of the page."""

    def __init__(self, number: int, source: ReplaySource) -> None:
        heading = source.examination.heading
        assert heading.sheet is not None
        self.number, self.source, self.frames = number, source, frames(source)
        self.game = game_of(source, self.frames)
        self.variations: dict[str, list[tuple[int, Frame]]] = {}
        for index, frame in enumerate(self.frames):
            if frame.line:
                self.variations.setdefault(frame.name.rsplit("-", 2)[0], []).append((index, frame))
        self.tags = self.game.about.seat_tags(heading.sheet.seats)
        names = source.people.display_names(sitting(source.record, self.tags))
        known = any(name != "?" for name in names)
        self.title = isolate_all(names, " – ") if known else f"{self.game.about.title}, {source.name}"
        result = source.record.result or "*"
        self.summary = f"{self.game.about.title}, {'open' if result == '*' else result}"
        self.verdicts = verdicts(source, self.game, self.frames)
        self.board: Board = board_of(self.game, self.frames, source)

    def html(self) -> Iterator[str]:
        """Yield the HTML of the game: heading, verdicts, board, moves, score sheet, and the data for the script as
        JSON.

        Every game but the first is hidden until the script shows it.
        """
        hidden = " hidden" if self.number > 1 else ""
        yield f'\n<article id="g{self.number}" aria-label="{escape(self.title)}"{hidden}>'
        yield f"<header>{_element('h1', self.title)}{_element('p', self.summary)}{self._viewer_line()}</header>"
        yield from self._stage()
        yield from self._verdicts()
        yield from self._moves()
        yield from self._sheet()
        data = msgspec.json.encode(self._script_data()).decode()
        safe = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        yield f'<script type="application/json">{safe}</script></article>'

    def _viewer_line(self) -> str:
        """Return a line that says whose view it is, or warns that every card is shown.

        It is empty if the game has no hidden cards, or if nobody judges it.
        """
        if not hides(self.source):
            return ""
        if isinstance(self.source.viewer, Everything):
            return _element("p", "Every card on record is shown, even those a player had not seen.", "warning")
        return _element("p", f"As {self.source.viewer.name} has seen it.")

    def _verdicts(self) -> Iterator[str]:
        """Yield the panel beside the board: for each frame a hidden block with what the rules and the docket say of its
        ply.

        The docket is the list of disputes and rulings. Below stand the rules that the script may show. If verdicts are
        withheld from the viewer, a sentence that says so stands in their place.
        """
        yield '<section class="verdict" tabindex="0" aria-label="Verdict"><h2 aria-live="polite" class="now"></h2>'
        if self.source.quiet:
            yield _element("p", self.source.quiet)
        docket = dict(self.source.docket)
        for at, (frame, verdict) in enumerate(zip(self.frames, self.verdicts.by_frame, strict=True)):
            inside = "".join(self._statements(frame, verdict, () if frame.line else docket.get(frame.ply, ())))
            if inside:
                yield f'<div class="said" data-frame="{at}" hidden>{inside}</div>'
        if not self.source.quiet:
            yield '<p class="plain"></p>'
        if self.verdicts.rules:
            yield '<details class="rules"><summary>Rules of the move just played</summary><dl>'
            for rule in self.verdicts.rules:
                source = f"{_element('cite', rule.source)}" if rule.source else ""
                yield f"<div hidden>{_element('dt', rule.key)}<dd>{escape(rule.says)} {source}</dd></div>"
            yield "</dl></details>"
        yield "</section>"

    def _statements(self, frame: Frame, verdict: PlyVerdict, docket: Sequence[str]) -> Iterator[str]:
        """Yield the paragraphs on one frame: what the rules say, how the points of a deal came about, and the docket
        sentences.

        They come under the title of the frame. Nothing is yielded if there is nothing to say.
        """
        if verdict.statements or docket or verdict.over:
            yield _element("h3", self._frame_title(frame), "paper")
        for statement in verdict.statements:
            key = f"{_element('code', statement.key)} " if statement.key else ""
            kind = verdict_text(statement.kind, statement.key)
            yield f'<p class="{statement.kind}"><b>{escape(kind)}</b> {key}{escape(statement.because)}</p>'
            if statement.rule:
                source = _element("cite", statement.source) if statement.source else ""
                yield f"<p><b>Rule</b> {escape(statement.rule)} {source}</p>"
            for ply, says in statement.later_plies:
                link = f'<a href="{self._link(str(ply))}">ply {ply}</a>'
                yield f"<p><b>{escape(statement.later_label)}</b> {link}{escape(says)}</p>"
            if statement.legal:
                yield f"<p><b>Legal</b> {escape(statement.legal)}</p>"
        if verdict.over:
            yield f"<p><b>Deal</b> {escape(verdict.over)}</p>"
        yield from (_element("p", text, "docket") for text in docket)

    def _link(self, name: str) -> str:
        """Return the address of a frame on this page: ``#17`` in the first game, ``#2.17`` in the second."""
        return f"#{name}" if self.number == 1 else f"#{self.number}.{name}"

    def _frame_title(self, frame: Frame) -> str:
        """Return the title of a frame: its ply, number, word and glyphs, such as ``Ply 9: 5. Nf3!?``, or ``Start``."""
        if frame.step is None:
            return "Start"
        return f"Ply {frame.ply}: {number_of(self.game, frame.step)} {frame.step.text}{glyphs_of(frame.note)}"

    def _stage(self) -> Iterator[str]:
        """Yield the section with the board: every thing that is ever drawn in one SVG, the buttons, a slider and an
        empty text.

        The script fills in the time left and the position as text, and shows the things of a position.
        """
        wide, high = self.board.size
        board = f'viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}"'
        yield f'<section class="stage" aria-label="Board"><svg class="drawing" role="img" aria-label="Board" {board}>'
        things = shared_paths("".join(self.board.groups), f"s{self.number}-")
        yield f'<rect class="ground" width="{wide:g}" height="{high:g}"/>{things}</svg>'
        yield '<p class="left" aria-label="Time left"></p><div class="steer">'
        for command, sign, name in BUTTONS:
            yield f'<button type="button" data-do="{command}" aria-label="{name}">{sign}</button>'
        yield '</div><button type="button" data-do="leave" hidden>Leave the variation</button>'
        yield f'<input type="range" min="0" value="0" max="{len(self.source.record.line.words)}" aria-label="Ply">'
        yield '<details class="text"><summary>The position as text</summary><pre tabindex="0"></pre></details>'
        yield "</section>"

    # --- moves ---

    def _moves(self) -> Iterator[str]:
        """Yield the table of moves: first the comments on the game, then a row a ply, at the end the words that were
        not read.

        Those stand after a word that cannot be applied. The column of clocks is there only if a clock is noted
        anywhere.
        """
        clocks = any(frame.clocks for frame in self.frames)
        pairs = self._in_pairs()
        yield f'<section class="moves{" pairs" * pairs}" tabindex="0" aria-label="Moves"><h2>Moves</h2>'
        yield "<table><thead><tr>"
        yield '<th scope="col">Ply</th><th scope="col">Seat</th><th scope="col">Move</th>'
        yield f'{_element("th", "Clock") if clocks else ""}<th scope="col">Notes</th></tr></thead><tbody>'
        before = "".join(_element("p", text) for text in remarks_of(self._opening()))
        if before:
            yield f'<tr><td colspan="{4 + clocks}">{before}</td></tr>'
        for at, frame in enumerate(self.frames):
            if frame.line == 0 and frame.step is not None:
                yield from self._row(at, frame, clocks)
        for ply in range(self.verdicts.last_ply + 1, len(self.source.record.line.words) + 1):
            word = self.source.record.line.words[ply - 1]
            yield f'<tr><td>{ply}</td><td>?</td><td class="word">{escape(word)}</td>'
            yield f"{'<td></td>' * clocks}<td>unread</td></tr>"
        yield "</tbody></table></section>"

    def _in_pairs(self) -> bool:
        """Say whether the moves stand in two columns: those of two players without clocks."""
        return len(self.tags) == 2 and not any(frame.clocks for frame in self.frames)

    def _opening(self) -> Note:
        """Return the note before the first ply, an empty one if there is none."""
        return self.source.record.line.notes.get(0, Note())

    def _row(self, at: int, frame: Frame, clocks: bool) -> Iterator[str]:
        """Yield the row of a ply in the table of moves: ply, player, word, clock if ``clocks`` is true, and notes.

        The notes are its verdict if it is not plainly legal, its comments and its variations. ``at`` is the index of
        the frame.
        """
        move = frame.step.move if frame.step is not None else None
        names = self.source.names_before(frame.ply)
        seat = "?" if move is None else escape(display_name(f"p{move.seat}", names))
        verdict = self.verdicts.by_frame[at].word
        of_seat = f' class="of{move.seat}"' if move is not None and self._in_pairs() else ""
        yield f"<tr{of_seat}>"
        yield f'<td>{frame.ply}</td><td>{seat}</td><td class="word">{self._move(at, frame)}</td>'
        yield _element("td", clock_of(frame.note), "clock") if clocks else ""
        notes = (
            _element("p", verdict_text(verdict), verdict) if verdict in ("irregular", "undecided", "let stand") else ""
        )
        yield f"<td>{notes}{''.join(_element('p', text) for text in remarks_of(frame.note))}"
        yield from self._variations(frame)
        yield "</td></tr>"

    def _move(self, at: int, frame: Frame) -> str:
        """Return the link to a frame that stands in the table of moves: number, word, glyphs and the mark of its
        verdict.

        ``at`` is the index of the frame. The frame must not be the start.
        """
        assert frame.step is not None
        number = number_of(self.game, frame.step)
        marks = self.verdicts.by_frame[at].sign.replace(" ", "\u00a0")
        word = f"{number}\u00a0{frame.step.text}{glyphs_of(frame.note)}{marks}".strip()
        return f'<a href="{self._link(frame.name)}" data-frame="{at}">{escape(word)}</a>'

    def _variations(self, frame: Frame) -> Iterator[str]:
        """Yield the variations that stand in place of a ply, a paragraph each, with those inside them in parentheses.

        Nothing is yielded if the ply has none.
        """
        line = -1
        for at, variation_frame in self.variations.get(frame.name, ()):
            if variation_frame.line != line:
                yield f'{"</p>" if line >= 0 else ""}<p class="variation">'
            line = variation_frame.line
            yield f"{self._move(at, variation_frame)} {escape(' '.join(remarks_of(variation_frame.note)))} "
            yield from self._nested_variations(variation_frame)
        yield "</p>" if line >= 0 else ""

    def _nested_variations(self, frame: Frame) -> Iterator[str]:
        """Yield the variations that stand in place of a ply of a variation, in parentheses where others have a
        paragraph.
        """
        for text in self._variations(frame):
            yield text.replace('<p class="variation">', "(").replace("</p>", ") ")

    # --- beside the moves ---

    def _sheet(self) -> Iterator[str]:
        """Yield the section with the score sheet: the players and the other tags, the id, the verdict, and the game's
        docket.

        The verdict and how the game ended by its moves are left out if verdicts are withheld from the viewer.
        """
        record, outcome = self.source.record, self.source.examination.outcome
        yield '<section class="sheet"><h2>Score sheet</h2><dl>'
        for seat, (tag, sat) in enumerate(zip(self.tags, tenures(record, self.tags), strict=True), 1):
            called = f"p{seat}" if tag == f"Seat{seat}" else f"p{seat} {tag}"
            shown = self.source.people.display_tenures(sat)
            yield _element("dt", called) + _element("dd", sitters_text(shown, str))
        yield from (
            _element("dt", name) + _element("dd", value) for name, value in record.tags if name not in self.tags
        )
        yield _element("dt", "Record") + _element("dd", self.source.name)
        if outcome is not None and not self.source.quiet:
            yield _element("dt", "By its moves") + _element(
                "dd", name_seats(outcome.because, self.source.names_before(None))
            )
        if not self.source.quiet:
            yield _element("dt", "Verdict") + _element("dd", self.source.examination.report.verdict)
        yield "</dl>"
        yield from (_element("p", text, "docket") for text in dict(self.source.docket).get(0, ()))
        yield "</section>"

    def _script_data(self) -> object:
        """Return the data for the script, to be written as JSON: ``{"lines": …, "frames": …}``.

        ``lines`` are the lines of the text pictures. Each frame is a tuple: its name, the index of the one before, the
        number of its line, title, word of its verdict, rules, places, things no longer shown, changed rows of the text,
        clocks, and the height of its drawing.
        """
        plies = len(self.source.record.line.words)
        rows = []
        for frame, verdict, shift in zip(self.frames, self.verdicts.by_frame, self.board.shifts, strict=True):
            title = f"{self._frame_title(frame)} ({frame.ply} of {plies})" if frame.step is not None else "Start"
            names = self.source.names_before(frame.ply)
            clocks = "   ".join(f"{seat_name(seat, names)} {time}" for seat, time in frame.clocks)
            word = "" if self.source.quiet or frame.step is None else verdict.word
            rows.append(
                (
                    frame.name,
                    frame.before,
                    frame.line,
                    title,
                    word,
                    verdict.rules,
                    shift.places,
                    shift.gone_groups,
                    shift.rows,
                    clocks,
                    shift.high,
                )
            )
        return {"lines": self.board.lines, "frames": rows}
