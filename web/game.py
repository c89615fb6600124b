"""One game: a position with what the rules say of it, the moves, the log, the sheet, the replay."""

from collections.abc import Iterator
from typing import Any

from cartulary.notation.arbiter.finding import report_fields
from cartulary.notation.arbiter.positions import NoPly, ply_fields, position_at, positions
from cartulary.notation.arbiter.replay import draw_after
from cartulary.notation.cgn.record import Note
from cartulary.notation.cgn.writer import format_note
from cartulary.notation.drawing import with_marks
from cartulary.notation.picture import plain
from cartulary.notation.seat_names import name_rows, name_seats, seat_name
from cartulary.notation.seatings import sitting
from cartulary.notation.unjudged import nobody_judges, scored_by_rounds
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
    replay_source,
)
from cartulary.records.sheets.replay_verdicts import verdicts
from cartulary.records.sheets.score_sheet import glyphs_of
from cartulary.records.state.event_words import display_name
from cartulary.web.correcting import corrections
from cartulary.web.inquiry import Inquiry, check_viewer, number, seen_game
from cartulary.web.pages import count, game_link, lines_markup, svg_markup, title_of
from cartulary.web.scores import scores
from cartulary.web.visitors import OPERATOR


def _ply(inquiry: Inquiry) -> int | None:
    """Return the ply that the path names, as in ``/games/g/plies/17``; None if it names none.

    Raises RequestFault if it is no whole number.
    """
    return number(inquiry.path_parts["ply"], "The ply") if "ply" in inquiry.path_parts else None


# --- JSON views ---


def game_fields(inquiry: Inquiry) -> object:
    """Return a game as JSON: the report of `validate --json`, the plies of `replay --json`, disputes and rulings.

    A quiet game has ``{"quiet": true}`` in place of the report.
    """
    seen = seen_game(inquiry)
    examined = seen.docket.examine(seen.record, seen.walk)
    passed = positions(seen.record, examined.walk, seen.viewer)
    plies = [ply_fields(place) | seen.docket.on(place.ply).fields() for place in passed if place.last is not None]
    report = {"quiet": True} if seen.quiet else {"report": report_fields(examined.report)}
    return {"id": seen.id, "version": seen.version, **report, "plies": plies, **seen.docket.on(0).fields()}


def position_fields(inquiry: Inquiry) -> object:
    """Return a position as `show --json` gives it, after the ply that the path names, or the last without one."""
    seen = seen_game(inquiry)
    walk = seen.docket.examine(seen.record, seen.walk).walk
    position = position_at(seen.record, _ply(inquiry), walk, seen.viewer)
    return ply_fields(position) | seen.docket.up_to(position.ply, position.score_lines).fields()


def log_fields(inquiry: Inquiry) -> object:
    """Return the log of a game, its lines as `log --json` gives them; a seat gets only those that it may read."""
    return api.log(inquiry.store, check_viewer(inquiry, inquiry.id), inquiry.viewer)


# --- pages ---


def game(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of a position: after the ply that the path names, or the last.

    Points, corrections and the like are among them only on the page of the whole game, for a visitor who may see all.

    Raises:
        NoPly: The game cannot be followed to that ply.
    """
    id, live = inquiry.id, inquiry.game(inquiry.id)
    seen = api.see_game(live, inquiry.viewer, inquiry.people)
    page = _GamePage(id, replay_source(id, seen), seen.docket)
    shows_all = _ply(inquiry) is None and not seen.quiet and seen.record.line.words == live.record.line.words
    return page.values(_ply(inquiry)) | {
        "scores": scores(live, inquiry.people.seen_by(inquiry.viewer)) if shows_all else None,
        "file": inquiry.files.get(id, ""),
        "version": seen.version,
        "open": not seen.closed,
        "only_scored": live.examined.only_scored,
        "corrections": corrections(live) if _may_correct(inquiry) else None,
    }


def _may_correct(inquiry: Inquiry) -> bool:
    """Say whether the page offers to correct the record: to the operator of a server that shows everything."""
    return inquiry.visitor.role == OPERATOR and inquiry.viewer.seat is None


class _GamePage:
    """What the page of a position is made from.

    Attributes:
        frames: Every position of the game and of its variations.
        main: The indexes in ``frames`` of the positions of the game itself.
        places: The index in ``frames`` of the position after each ply that could be carried out.
    """

    def __init__(self, id: str, replay: "api.ReplaySource", docket: "api.DocketText") -> None:
        heading = replay.examination.heading
        assert heading.sheet is not None
        self.id, self.replay, self.docket, self.frames = id, replay, docket, frames(replay)
        self.game = game_of(replay, self.frames)
        self.verdicts = verdicts(replay, self.game, self.frames)
        self.tags = self.game.about.seat_tags(heading.sheet.seats)
        self.main = [at for at, frame in enumerate(self.frames) if frame.line == 0]
        applied = (at for at in self.main if (step := self.frames[at].step) is None or step.applied)
        self.places = {self.frames[at].ply: at for at in applied}

    def values(self, ply: int | None) -> dict[str, Any]:
        """Return the values of the page of the position after so many plies.

        Args:
            ply: How many plies, 0 for the start, None for the last.

        Raises:
            NoPly: The game cannot be followed to this ply.
        """
        last, record = max(self.places), self.replay.record
        here = last if ply is None else ply
        if here not in self.places:
            raise NoPly(f"there is no ply {here}: the game can be followed for {count(last, 'ply', 'plies')}")
        frame = self.frames[self.places[here]]
        result = record.result or "*"
        names = self._names(here)
        place = f"after ply {here}" if here else "before the first ply"
        drawing = draw_after(self.game, frame.step, frame.state, self.replay.viewer.seat)
        return {
            "id": self.id,
            "title": title_of(names, self.id),
            "told": ", ".join((self.game.about.title, *self._variant(), "open" if result == "*" else result)),
            "warns": isinstance(self.replay.viewer, Everything) and hides(self.replay),
            "here": here,
            "last": last,
            "quiet": self.replay.quiet,
            "now": f"Ply {here}: {self._sheet_word(frame)} ({here} of {len(record.line.words)})" if here else "Start",
            "verdict": self.verdicts.by_frame[self.places[here]],
            "rules": [self.verdicts.rules[at] for at in self.verdicts.by_frame[self.places[here]].rules],
            "docket": self.docket.on(here).texts(names) if here else (),
            "drawing": svg_markup(with_marks(drawing, frame.note.comments), f"{self.game.about.title} {place}", names),
            "picture": lines_markup(
                plain(name_rows(self.game.words.picture(frame.state, self.replay.viewer.seat), names))
            ),
            "clocks": [f"{seat_name(seat, names)} {time}" for seat, time in frame.clocks],
            "opening": remarks_of(self.frames[0].note),
            "moves": [self._move(at) for at in self.main if self.frames[at].step is not None],
            "unread": list(self._unread()),
            "people": [
                (_seat(tag, seat), name) for seat, (tag, name) in enumerate(zip(self.tags, names, strict=True), 1)
            ],
            "facts": [pair for pair in record.tags if pair[0] not in self.tags],
            "ends": list(self._ends()),
            "about": self.docket.on(0).texts(names),
            "key": self.game.about.key,
            "judged": not nobody_judges(self.game),
            "has_pad": scored_by_rounds(self.game, frame.state),
        }

    def _variant(self) -> tuple[str, ...]:
        """Return a tuple with the name of the variant if the game has several variants; else an empty one."""
        heading = self.replay.examination.heading
        return (heading.variant,) if heading.variant and len(self.game.about.variants) > 1 else ()

    def _sheet_word(self, frame: "Frame") -> str:
        """Return the ply that led to a frame as a score sheet has it, with number and glyphs: ``12. Nf3!``.

        A frame is a position of the replay; that of the start, which no ply led to, must not be given.
        """
        assert frame.step is not None
        word = f"{frame.step.text}{glyphs_of(frame.note)}"
        return f"{number_of(self.game, frame.step)} {word}".strip()

    def _names(self, ply: int) -> tuple[str, ...]:
        """Return who sits at each seat after so many plies, in seat order, under the names that are shown."""
        return self.replay.people.display_names(sitting(self.replay.record, self.tags, ply))

    def _seat_of(self, frame: "Frame") -> str:
        """Return who played the ply that led to a frame, by name and seat; ``?`` if nobody knows."""
        if frame.step is None or frame.step.move is None:
            return "?"
        return display_name(f"p{frame.step.move.seat}", self._names(frame.ply - 1))

    def _move(self, at: int) -> dict[str, Any]:
        """Return the values of a line in the list of moves: ply, seat, word, verdict, clock, remarks and variations.

        Args:
            at: The index of the frame that the ply led to, among the frames of the replay; not that of the start.
        """
        frame, verdict = self.frames[at], self.verdicts.by_frame[at]
        assert frame.step is not None
        return {
            "ply": frame.ply,
            "seat": self._seat_of(frame),
            "word": self._sheet_word(frame) + verdict.sign.replace(" ", "\u00a0"),
            "placed": frame.ply in self.places,
            "verdict": verdict.word if verdict.sign or verdict.word == "unread" else "",
            "clock": clock_of(frame.note),
            "remarks": remarks_of(frame.note),
            "variations": [format_note(Note((), (line,))) for line in frame.note.variations],
        }

    def _unread(self) -> Iterator[tuple[int, str]]:
        """Yield number and word of each ply after the last that could be read; nothing if all could be."""
        words = self.replay.record.line.words
        yield from enumerate(words[self.verdicts.last_ply :], self.verdicts.last_ply + 1)

    def _ends(self) -> Iterator[tuple[str, str]]:
        """Yield label and text of the outcome by the moves, if there is one, and of the verdict on the whole record.

        Nothing is yielded while verdicts are kept back.
        """
        examined = self.replay.examination
        if self.replay.quiet:
            return
        if examined.outcome is not None:
            yield "By its moves", name_seats(examined.outcome.because, self._names(max(self.places)))
        yield "Verdict", examined.report.verdict


def _seat(tag: str, seat: int) -> str:
    """Return how a page names a seat by its tag and number: ``p2 Black``, or ``p2`` if the tag is only ``Seat2``."""
    return f"p{seat}" if tag == f"Seat{seat}" else f"p{seat} {tag}"


def log(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of a log: its lines, and its head as `verify --head` takes it.

    The head is ``12:9f3a…``, the number and digest of the last event; empty for a seat, whose lines have no digests.
    """
    id = check_viewer(inquiry, inquiry.id)
    lines = api.log(inquiry.store, id, inquiry.viewer)
    head = f"{len(lines)}:{lines[-1].digest}" if lines[-1].digest else ""
    return {"id": id, "lines": lines, "head": head}


# --- whole documents ---


def sheet(inquiry: Inquiry) -> bytes:
    """Return the score sheet of a game, as the visitor may see it, as an HTML document to be printed."""
    id = check_viewer(inquiry, inquiry.id)
    return api.html([api.score_sheet(inquiry.store, id, inquiry.viewer)], game_link(id))


def replay(inquiry: Inquiry) -> bytes:
    """Return the HTML document that replays a game, as the visitor may see it."""
    id = inquiry.id
    return api.replay_page([replay_source(id, seen_game(inquiry))], game_link(id))
