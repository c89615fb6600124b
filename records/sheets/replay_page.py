"""Replays as one HTML page that needs no server and sends no request: every position, and what the rules say of it.

Everything a page shows is made here; its script moves, shows and hides it, and sets texts as texts.
"""

import hashlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import msgspec

from cartulary.notation import Note
from cartulary.notation.cgn.controls import in_bdi, isolate, isolate_all
from cartulary.notation.svg import STYLE
from cartulary.notation.viewer import Everything
from cartulary.records.sheets.html import printable
from cartulary.records.sheets.replay_board import Board, board_of
from cartulary.records.sheets.replay_frames import (
    Frame,
    Replayed,
    clock_of,
    frames,
    game_of,
    hides,
    number_of,
    remarks_of,
)
from cartulary.records.sheets.replay_verdicts import PlyVerdict, verdicts
from cartulary.records.sheets.score_sheet import glyphs_of

_HERE = Path(__file__)
SCRIPT = _HERE.with_name("replay.js").read_text("utf-8").strip()
"""The page's own script."""
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


def replay_page(games: Sequence[Replayed], back: str = "") -> bytes:
    """Return one page of these games, UTF-8; the same bytes for the same games.

    Every text stands as text, whatever signs it holds; signs that no page may hold are replaced by U+FFFD.
    back: the address of the page that leads here, where a server shows it
    """
    made = [_Article(number, game) for number, game in enumerate(games, 1)]
    title = made[0].title if len(made) == 1 else f"{len(made)} games"
    return in_bdi(printable("".join((*_head(title), *_body(title, made, back), "</html>\n")))).encode()


def policy() -> str:
    """Return what the page may load and run: its own style and script, as the header of an answer says it."""
    own = f"style-src {_hash(LOOK)}; script-src {_hash(SCRIPT)}"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def _head(title: str) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy()}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title><style>{LOOK}</style></head>\n"


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _body(title: str, made: "Sequence[_Article]", back: str) -> Iterator[str]:
    yield "<body><main>"
    if back:
        yield f'<nav class="back"><a href="{escape(back)}">Back to the game</a></nav>'
    if len(made) > 1:
        yield f'<nav class="games" aria-label="Games"><h2>{escape(title)}</h2><ol>'
        yield from (f'<li><a href="#{one.number}.0">{escape(one.title)}, {escape(one.told)}</a></li>' for one in made)
        yield "</ol></nav>"
    for one in made:
        yield from one.html()
    yield f"</main><script>{SCRIPT}</script></body>"


def _text(tag: str, text: str, kind: str = "") -> str:
    return f"<{tag}{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{escape(isolate(text))}</{tag}>"


class _Article:
    """One game of the page, while it is made."""

    def __init__(self, number: int, of: Replayed) -> None:
        heading = of.examined.heading
        assert heading.sheet is not None
        self.number, self.of, self.frames = number, of, frames(of)
        self.game = game_of(of, self.frames)
        self.instead: dict[str, list[tuple[int, Frame]]] = {}
        for at, frame in enumerate(self.frames):
            if frame.line:
                self.instead.setdefault(frame.name.rsplit("-", 2)[0], []).append((at, frame))
        self.tags = self.game.about.seat_tags(heading.sheet.seats)
        names = [of.record.tag(tag, "?") or "?" for tag in self.tags]
        known = any(name != "?" for name in names)
        self.title = isolate_all(names, " – ") if known else f"{self.game.about.title}, {of.name}"
        result = of.record.result or "*"
        self.told = f"{self.game.about.title}, {'open' if result == '*' else result}"
        self.verdicts = verdicts(of, self.game, self.frames)
        self.board: Board = board_of(self.game, self.frames, of.viewer)

    def html(self) -> Iterator[str]:
        """Yield the game."""
        hidden = " hidden" if self.number > 1 else ""
        yield f'\n<article id="g{self.number}" aria-label="{escape(self.title)}"{hidden}>'
        yield f"<header>{_text('h1', self.title)}{_text('p', self.told)}{self._whose()}</header>"
        yield from self._verdicts()
        yield from self._stage()
        yield from self._moves()
        yield from self._sheet()
        data = msgspec.json.encode(self._data()).decode()
        safe = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        yield f'<script type="application/json">{safe}</script></article>'

    def _whose(self) -> str:
        """Return whose view it is, and a warning where it is everybody's."""
        if not hides(self.of):
            return ""
        if isinstance(self.of.viewer, Everything):
            return _text("p", "Every card on record is shown, even those a player had not seen.", "warning")
        return _text("p", f"As {self.of.viewer.name} has seen it.")

    def _verdicts(self) -> Iterator[str]:
        """Yield the panel that stands first: what the rules say of the ply just played."""
        yield '<section class="verdict" tabindex="0" aria-label="Verdict"><h2 aria-live="polite" class="now"></h2>'
        if self.of.quiet:
            yield _text("p", self.of.quiet)
        docket = dict(self.of.docket)
        for at, (frame, verdict) in enumerate(zip(self.frames, self.verdicts.told, strict=True)):
            inside = "".join(self._said(frame, verdict, () if frame.line else docket.get(frame.ply, ())))
            if inside:
                yield f'<div class="said" data-frame="{at}" hidden>{inside}</div>'
        if not self.of.quiet:
            yield '<p class="plain"></p>'
        if self.verdicts.rules:
            yield '<details class="rules"><summary>Rules of the move just played</summary><dl>'
            for rule in self.verdicts.rules:
                source = f"{_text('cite', rule.source)}" if rule.source else ""
                yield f"<div hidden>{_text('dt', rule.key)}<dd>{escape(rule.says)} {source}</dd></div>"
            yield "</dl></details>"
        yield "</section>"

    def _said(self, frame: Frame, verdict: PlyVerdict, docket: Sequence[str]) -> Iterator[str]:
        if verdict.found or docket:
            yield _text("h3", self._called(frame), "paper")
        for one in verdict.found:
            key = f"{_text('code', one.key)} " if one.key else ""
            yield f'<p class="{one.kind}"><b>{escape(one.kind)}</b> {key}{escape(one.because)}</p>'
            if one.rule:
                yield f"<p><b>Rule</b> {escape(one.rule)} {_text('cite', one.source) if one.source else ''}</p>"
            for ply, says in one.then:
                link = f'<a href="{self._link(str(ply))}">ply {ply}</a>'
                yield f"<p><b>{escape(one.later)}</b> {link}{escape(says)}</p>"
            if one.legal:
                yield f"<p><b>Legal</b> {escape(one.legal)}</p>"
        yield from (_text("p", text, "docket") for text in docket)

    def _link(self, name: str) -> str:
        return f"#{name}" if self.number == 1 else f"#{self.number}.{name}"

    def _called(self, frame: Frame) -> str:
        """Return what a position is called: its ply, its number and its word."""
        if frame.step is None:
            return "Start"
        return f"Ply {frame.ply}: {number_of(self.game, frame.step)} {frame.step.text}{glyphs_of(frame.note)}"

    def _stage(self) -> Iterator[str]:
        wide, high = self.board.size
        board = f'viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}"'
        yield f'<section class="stage" aria-label="Board"><svg class="drawing" role="img" aria-label="Board" {board}>'
        yield f'<rect class="ground" width="{wide:g}" height="{high:g}"/>{"".join(self.board.groups)}</svg>'
        yield '<p class="left" aria-label="Time left"></p><div class="steer">'
        for command, sign, name in BUTTONS:
            yield f'<button type="button" data-do="{command}" aria-label="{name}">{sign}</button>'
        yield '</div><button type="button" data-do="leave" hidden>Leave the variation</button>'
        yield f'<input type="range" min="0" value="0" max="{len(self.of.record.line.words)}" aria-label="Ply">'
        yield '<details class="text"><summary>The position as text</summary><pre tabindex="0"></pre></details>'
        yield "</section>"

    # --- moves ---

    def _moves(self) -> Iterator[str]:
        clocks = any(frame.left for frame in self.frames)
        yield '<section class="moves" tabindex="0" aria-label="Moves"><h2>Moves</h2><table><thead><tr>'
        yield '<th scope="col">Ply</th><th scope="col">Seat</th><th scope="col">Move</th>'
        yield f'{_text("th", "Clock") if clocks else ""}<th scope="col">Notes</th></tr></thead><tbody>'
        before = "".join(_text("p", text) for text in remarks_of(self._opening()))
        if before:
            yield f'<tr><td colspan="{4 + clocks}">{before}</td></tr>'
        for at, frame in enumerate(self.frames):
            if frame.line == 0 and frame.step is not None:
                yield from self._row(at, frame, clocks)
        for ply in range(self.verdicts.reached + 1, len(self.of.record.line.words) + 1):
            word = self.of.record.line.words[ply - 1]
            yield f'<tr><td>{ply}</td><td>?</td><td class="word">{escape(word)}</td>'
            yield f"{'<td></td>' * clocks}<td>unread</td></tr>"
        yield "</tbody></table></section>"

    def _opening(self) -> Note:
        return self.of.record.line.notes.get(0, Note())

    def _row(self, at: int, frame: Frame, clocks: bool) -> Iterator[str]:
        seat = f"p{frame.step.move.seat}" if frame.step is not None and frame.step.move is not None else "?"
        verdict = self.verdicts.told[at].word
        yield f'<tr><td>{frame.ply}</td><td>{seat}</td><td class="word">{self._move(at, frame)}</td>'
        yield _text("td", clock_of(frame.note), "clock") if clocks else ""
        notes = _text("p", verdict, verdict) if verdict in ("irregular", "undecided", "let stand") else ""
        yield f"<td>{notes}{''.join(_text('p', text) for text in remarks_of(frame.note))}"
        yield from self._variations(frame)
        yield "</td></tr>"

    def _move(self, at: int, frame: Frame) -> str:
        assert frame.step is not None
        number = number_of(self.game, frame.step)
        marks = self.verdicts.told[at].sign.replace(" ", "\u00a0")
        word = f"{number}\u00a0{frame.step.text}{glyphs_of(frame.note)}{marks}".strip()
        return f'<a href="{self._link(frame.name)}" data-frame="{at}">{escape(word)}</a>'

    def _variations(self, frame: Frame) -> Iterator[str]:
        """Yield the variations that may stand in place of a ply, and those in them."""
        line = -1
        for at, one in self.instead.get(frame.name, ()):
            if one.line != line:
                yield f'{"</p>" if line >= 0 else ""}<p class="variation">'
            line = one.line
            yield f"{self._move(at, one)} {escape(' '.join(remarks_of(one.note)))} "
            yield from self._nested(one)
        yield "</p>" if line >= 0 else ""

    def _nested(self, frame: Frame) -> Iterator[str]:
        for text in self._variations(frame):
            yield text.replace('<p class="variation">', "(").replace("</p>", ") ")

    # --- beside the moves ---

    def _sheet(self) -> Iterator[str]:
        record, outcome = self.of.record, self.of.examined.outcome
        yield '<section class="sheet"><h2>Score sheet</h2><dl>'
        for seat, tag in enumerate(self.tags, 1):
            called = f"p{seat}" if tag == f"Seat{seat}" else f"p{seat} {tag}"
            yield _text("dt", called) + _text("dd", record.tag(tag, "?"))
        yield from (_text("dt", name) + _text("dd", value) for name, value in record.tags if name not in self.tags)
        yield _text("dt", "Record") + _text("dd", self.of.name)
        if outcome is not None and not self.of.quiet:
            yield _text("dt", "By its moves") + _text("dd", outcome.because)
        if not self.of.quiet:
            yield _text("dt", "Verdict") + _text("dd", self.of.examined.report.verdict)
        yield "</dl>"
        yield from (_text("p", text, "docket") for text in dict(self.of.docket).get(0, ()))
        yield "</section>"

    def _data(self) -> object:
        """Return what the script needs: for every frame its name, the one before it, its line, and what changes."""
        many = len(self.of.record.line.words)
        rows = []
        for frame, verdict, shift in zip(self.frames, self.verdicts.told, self.board.shifts, strict=True):
            called = f"{self._called(frame)} ({frame.ply} of {many})" if frame.step is not None else "Start"
            left = "   ".join(f"p{seat} {time}" for seat, time in frame.left)
            word = "" if self.of.quiet or frame.step is None else verdict.word
            rows.append(
                (
                    frame.name,
                    frame.before,
                    frame.line,
                    called,
                    word,
                    verdict.rules,
                    shift.places,
                    shift.gone,
                    shift.rows,
                    left,
                )
            )
        return {"lines": self.board.lines, "frames": rows}
