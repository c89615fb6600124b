"""One game: a position with what the rules say of it, the moves, the log, the sheet, the replay."""

from collections.abc import Iterator
from typing import Any

from cartulary.notation import draw
from cartulary.notation.arbiter.finding import report_fields
from cartulary.notation.arbiter.positions import NoPly, ply_fields, position_at, positions
from cartulary.notation.cgn.record import Note
from cartulary.notation.cgn.writer import format_note
from cartulary.notation.drawing import with_marks
from cartulary.notation.picture import plain
from cartulary.notation.unjudged import nobody_judges
from cartulary.notation.viewer import Everything
from cartulary.records import api
from cartulary.records.sheets.replay_frames import (
    Frame,
    clock_of,
    frames,
    game_of,
    hides,
    number_of,
    remarks_of,
    replayed,
)
from cartulary.records.sheets.replay_verdicts import verdicts
from cartulary.records.sheets.score_sheet import glyphs_of
from cartulary.web.asked import Inquiry, checked, number
from cartulary.web.pages import count, drawn, game_link, in_lines, title_of


def shown(asked: Inquiry, id: str = "") -> "api.SeenGame":
    """Return a game, the one the path names or another, as whoever asks has it. Raises the faults of the records."""
    return api.see_game(asked.game(id or asked.names["id"]), asked.viewer)


def _ply(asked: Inquiry) -> int | None:
    return number(asked.names["ply"], "The ply") if "ply" in asked.names else None


# --- twins ---


def game_fields(asked: Inquiry) -> object:
    """Return the report on a game as `validate --json` gives it, its plies as `replay --json`, and what is disputed.

    Of a quiet game no seat is given a report.
    """
    of = shown(asked)
    examined = of.docket.examine(of.record, of.walk)
    passed = positions(of.record, examined.walk, of.viewer)
    plies = [ply_fields(one) | of.docket.on(one.ply).fields() for one in passed if one.last is not None]
    report = {"quiet": True} if of.quiet else {"report": report_fields(examined.report)}
    return {"id": of.id, "version": of.version, **report, "plies": plies, **of.docket.on(0).fields()}


def position_fields(asked: Inquiry) -> object:
    """Return a position as `show --json` gives it."""
    of = shown(asked)
    walk = of.docket.examine(of.record, of.walk).walk
    found = position_at(of.record, _ply(asked), walk, of.viewer)
    return ply_fields(found) | of.docket.up_to(found.ply, found.score_lines).fields()


def log_fields(asked: Inquiry) -> object:
    """Return the log of a game, its lines as `log --json` gives them."""
    return api.log(asked.store, checked(asked, asked.names["id"]), asked.viewer)


# --- pages ---


def game(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of a position shows, the last one where the path names none. Raises NoPly."""
    id, of = asked.names["id"], shown(asked)
    made = _Game(id, replayed(id, of), of.docket)
    return made.values(_ply(asked)) | {
        "file": asked.files.get(id, ""),
        "version": of.version,
        "open": not of.closed,
    }


class _Game:
    """A game while its page is made."""

    def __init__(self, id: str, of: "api.Replayed", docket: "api.DocketText") -> None:
        heading = of.examined.heading
        assert heading.sheet is not None
        self.id, self.of, self.docket, self.frames = id, of, docket, frames(of)
        self.game = game_of(of, self.frames)
        self.verdicts = verdicts(of, self.game, self.frames)
        self.tags = self.game.about.seat_tags(heading.sheet.seats)
        self.main = [at for at, frame in enumerate(self.frames) if frame.line == 0]
        applied = (at for at in self.main if (step := self.frames[at].step) is None or step.applied)
        self.places = {self.frames[at].ply: at for at in applied}

    def values(self, ply: int | None) -> dict[str, Any]:
        """Return what the page shows of the position after so many plies, None the last."""
        last, record = max(self.places), self.of.record
        here = last if ply is None else ply
        if here not in self.places:
            raise NoPly(f"there is no ply {here}: the game can be followed for {count(last, 'ply', 'plies')}")
        frame = self.frames[self.places[here]]
        result = record.result or "*"
        names = [record.tag(tag, "?") or "?" for tag in self.tags]
        place = f"after ply {here}" if here else "before the first ply"
        drawing = draw(self.game.words, frame.state, self.of.viewer.seat)
        return {
            "id": self.id,
            "title": title_of(names, self.id),
            "told": f"{self.game.about.title}, {'open' if result == '*' else result}",
            "warns": isinstance(self.of.viewer, Everything) and hides(self.of),
            "here": here,
            "last": last,
            "quiet": self.of.quiet,
            "now": f"Ply {here}: {self._called(frame)} ({here} of {len(record.line.words)})" if here else "Start",
            "verdict": self.verdicts.told[self.places[here]],
            "rules": [self.verdicts.rules[one] for one in self.verdicts.told[self.places[here]].rules],
            "docket": self.docket.on(here).texts() if here else (),
            "drawing": drawn(with_marks(drawing, frame.note.comments), f"{self.game.about.title} {place}"),
            "picture": in_lines(plain(self.game.words.picture(frame.state, self.of.viewer.seat))),
            "clocks": [f"p{seat} {time}" for seat, time in frame.left],
            "opening": remarks_of(self.frames[0].note),
            "moves": [self._move(at) for at in self.main if self.frames[at].step is not None],
            "unread": list(self._unread()),
            "people": [(_seat(tag, seat), record.tag(tag, "?")) for seat, tag in enumerate(self.tags, 1)],
            "facts": [pair for pair in record.tags if pair[0] not in self.tags],
            "ends": list(self._ends()),
            "about": self.docket.on(0).texts(),
            "key": self.game.about.key,
            "judged": not nobody_judges(self.game),
        }

    def _called(self, frame: Frame) -> str:
        """Return a ply as a score sheet has it."""
        assert frame.step is not None
        word = f"{frame.step.text}{glyphs_of(frame.note)}"
        return f"{number_of(self.game, frame.step)} {word}".strip()

    def _move(self, at: int) -> dict[str, Any]:
        frame, verdict = self.frames[at], self.verdicts.told[at]
        assert frame.step is not None
        return {
            "ply": frame.ply,
            "seat": f"p{frame.step.move.seat}" if frame.step.move is not None else "?",
            "word": self._called(frame) + verdict.sign.replace(" ", "\u00a0"),
            "placed": frame.ply in self.places,
            "verdict": verdict.word if verdict.sign or verdict.word == "unread" else "",
            "clock": clock_of(frame.note),
            "remarks": remarks_of(frame.note),
            "variations": [format_note(Note((), (line,))) for line in frame.note.variations],
        }

    def _unread(self) -> Iterator[tuple[int, str]]:
        """Yield the plies that are written and cannot be read."""
        words = self.of.record.line.words
        yield from enumerate(words[self.verdicts.reached :], self.verdicts.reached + 1)

    def _ends(self) -> Iterator[tuple[str, str]]:
        examined = self.of.examined
        if self.of.quiet:
            return
        if examined.outcome is not None:
            yield "By its moves", examined.outcome.because
        yield "Verdict", examined.report.verdict


def _seat(tag: str, seat: int) -> str:
    return f"p{seat}" if tag == f"Seat{seat}" else f"p{seat} {tag}"


def log(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of a log shows."""
    id = checked(asked, asked.names["id"])
    lines = api.log(asked.store, id, asked.viewer)
    head = f"{len(lines)}:{lines[-1].digest}" if lines[-1].digest else ""
    return {"id": id, "lines": lines, "head": head}


# --- whole documents ---


def sheet(asked: Inquiry) -> bytes:
    """Return the score sheet of a game, to be printed."""
    id = checked(asked, asked.names["id"])
    return api.html([api.score_sheet(asked.store, id, asked.viewer)], game_link(id))


def replay(asked: Inquiry) -> bytes:
    """Return the page that replays a game."""
    id = asked.names["id"]
    return api.replay_page([replayed(id, shown(asked))], game_link(id))
