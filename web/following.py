"""What followers of a game are sent: an entry for each new event of its log, and with the last one the new board."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from cartulary.engine.numbers import ANY_SEAT
from cartulary.notation.cgn.controls import visible
from cartulary.notation.picture import plain
from cartulary.notation.seat_names import seat_name
from cartulary.records import api
from cartulary.records.state.log_lines import ReadLog, read_log
from cartulary.records.state.people import NOBODY_MERGED, People
from cartulary.records.table.news import News, news_of
from cartulary.records.table.sayings import last_line
from cartulary.web.pages import Pages, deal_values, drawn_position, minus
from cartulary.web.visitors import Visitor

COLUMNS = 60
_SCORE_LINE = re.compile(r"^(?:score|points) +(p1 .*)$", re.MULTILINE)
MOST_FOLLOWED = 100
"""How many games one stream follows."""
CHANGES = {
    "moves-amended": "Plies were corrected",
    "move-taken-back": "Plies were taken back",
    "moves-redone": "Plies were played again",
    "ruling-given": "The arbiter ruled",
    "dispute-raised": "A dispute was raised",
    "dispute-withdrawn": "A dispute was withdrawn",
    "game-closed": "The game was closed",
    "game-reopened": "The game was reopened",
}
"""The heading of each kind of event that changes more than the end of the game; pages show it beside the sentence."""


class StreamEvent(Struct, frozen=True):
    """One event as it is sent in a stream.

    Attributes:
        version: The version of the record after the event, counted as the viewer counts it.
        data: The event as one line of JSON, in UTF-8.
        brief: The same without the board; empty if there is none in it.
    """

    version: int
    data: bytes
    brief: bytes = b""


def events_since(
    pages: Pages,
    game: "api.LiveGame",
    visitor: Visitor,
    version: int,
    *,
    people: People = NOBODY_MERGED,
    log: "ReadLog | None" = None,
    before: "api.LiveGame | None" = None,
) -> Iterator[StreamEvent]:
    """Yield the events after a version, as a visitor may see them, in order; nothing if there are none.

    The last event also has the field ``live``: the HTML of the board, the last plies and the result.

    Args:
        pages: The templates, for the HTML.
        game: The game now.
        visitor: Who follows.
        version: The version that the visitor has seen: the number of its last event, 0 for none.
        people: The people of the archive, under whose names players are shown.
        log: The whole log of the game now, as this visitor reads it, if the caller has it; it saves reading it again.
        before: The game as it was at the version, if the caller has it; it saves judging it again.
    """
    view = api.view_of(game, visitor.viewer, people)
    news_items = news_since(game, view, version, log, before)
    for line, news in news_items:
        fields = _event_fields(game.id, line, news)
        if line is news_items[-1][0]:
            live = {"live": pages.part("live", live_values(view), visitor)}
            yield StreamEvent(line.version, _line(fields | live), _line(fields))
        else:
            yield StreamEvent(line.version, _line(fields))


def _line(fields: dict[str, object]) -> bytes:
    """Return fields as one line of JSON, without a line break, with control characters made visible."""
    return visible(msgspec.json.encode(fields).decode()).encode()


def news_since(
    game: "api.LiveGame",
    view: "api.View",
    version: int,
    log: "ReadLog | None" = None,
    before: "api.LiveGame | None" = None,
) -> "list[tuple[api.LogLine, News]]":
    """Return the events after a version that a viewer may see, each with a sentence about what it changed.

    Args:
        game: The game now.
        view: What the viewer has of it.
        version: The version to start after; -8 returns the last 8 events.
        log: The whole log of the game now, as this viewer reads it, if the caller has it. It saves reading it again; a
            log of an earlier state or of another viewer is not used.
        before: The game as it was at the version, if the caller has it; it saves judging it again.
    """
    if log is None or not log.is_of(game, view.viewer):
        log = read_log(game, view.viewer)
    lines = log.lines
    since = version if version >= 0 else max(0, len(lines) + version)
    news = [*news_of(game, view, lines, since, before)]
    return [*zip(lines[len(lines) - len(news) :], news, strict=True)]


def live_values(view: "api.View") -> dict[str, Any]:
    """Return the values of the template ``live``: whose turn it is, the last plies, the board and the result.

    The result is empty while the game is open.
    """
    position = view.position
    return (
        {
            "id": view.id,
            "version": view.version,
            "ply": position.ply,
            "turn": view.turn_by(view.players),
            "last": last_line(position, view.steps, COLUMNS, view.signs),
            "drawing": drawn_position(view),
            "seats": seats_now(view),
        }
        | deal_values(view)
        | {
            "result": view.result if view.closed else "",
        }
    )


def seats_now(view: "api.View") -> tuple[tuple[str, str, bool], ...]:
    """Return what stands on a screen of each seat: its name, its score so far, and whether it is its turn.

    The score is empty if the game counts no points or they are not known.
    """
    position = view.position
    hidden, seat, state = position.game.hidden, view.picture_seat, position.scored_state
    state = state if hidden.face_up or seat is None else hidden.view(state, seat)
    settled = position.game.turns.settle(state)
    score = position.game.points.write(settled).get("Score", "")
    if not score:  # in the middle of a game the picture may have it
        lines = plain(position.game.words.picture(state, seat))
        found = _SCORE_LINE.search(lines)
        score = ":".join(re.findall(rf"{ANY_SEAT} (\S+)", found[1])) if found else ""
    each = score.split(":")
    scores = each if len(each) == len(view.players) else [""] * len(view.players)
    to_move = () if view.closed else view.actors
    # Where everybody may speak it is nobody's turn.
    turn = to_move if len(to_move) < len(view.players) or len(view.players) == 1 else ()
    return tuple(
        (seat_name(seat, view.players), minus(points), seat in turn[:1]) for seat, points in enumerate(scores, 1)
    )


def _event_fields(id: str, line: "api.LogLine", news: "News") -> dict[str, object]:
    """Return an event as JSON fields, without the board.

    ``head`` is the number and digest of the event, as `verify --head` takes them, such as ``4:bd70…``; a view that may
    not have the digest lacks it. ``change`` is there only for kinds of events in ``CHANGES``.
    """
    head = {"head": f"{line.version}:{line.digest}"} if line.digest else {}
    change = {"change": CHANGES[line.kind]} if line.kind in CHANGES else {}
    fields = {"game": id, "version": line.version, "kind": line.kind, "by": line.by, "at": line.at}
    return fields | {"says": news.says} | change | head
