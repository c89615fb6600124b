"""What a follower is sent about the next ply costs one ply, however long the game is: counted in work, not in time."""

from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.engine.contract import PlayResult
from cartulary.notation.roster import GAMES
from cartulary.notation.viewer import EVERYTHING, SPECTATOR, Seat, Spectator
from cartulary.records import api
from cartulary.records.answers import LogLine
from cartulary.records.state.links import as_of
from cartulary.web.following import StreamEvent, events_since
from cartulary.web.pages import Pages
from cartulary.web.stores import Stores
from cartulary.web.streams import SharedView, Streams
from cartulary.web.visitors import Visitor
from tests.laws.test_long_games import knights, quiet
from tests.referees.tarot import deals as tarot

EARLY, LATE = {"chess": 20, "tarot": 60}, 120
"""Plies that are compared. In Tarot both lie behind the first card that leaves a question open: from there on a seat's
verdict on each ply is asked of every deal too."""
VIEWS = {
    "scribe": Visitor("scribe", EVERYTHING, "scribe", "g"),
    "arbiter": Visitor("arbiter", EVERYTHING, "arbiter", "g"),
    "p1": Visitor("p1", Seat(1), "p1", "g"),
    "p2": Visitor("p2", Seat(2), "p2", "g"),
    "rail": Visitor("rail", SPECTATOR, "rail", "g"),
    "rail behind the table": Visitor("rail", SPECTATOR, "rail", "g", delay=1),
    "screen": Visitor("rail", Spectator(muted=True), "rail", "g"),
}


BEHIND = ("rail", "rail behind the table", "screen")
"""Those who are sent something else than a seat where nothing is hidden."""


@cache
def plies(key: str) -> tuple[dict[str, str], int, tuple[str, ...]]:
    """Return the tags, the seats and the words of a long game, one that lies open and one of hidden hands."""
    if key == "chess":
        tags, words = quiet("chess", "claims-only", knights, LATE + 10)
        return dict(tags), 2, tuple(words)
    record = tarot.record(Random("long"), "dementlieu", 4, 4, extras=False)
    return {"Variant": "dementlieu", "Options": "ecart=fft"}, 4, tuple(record.words)


class Work:
    """How much was done since it was last asked: words judged, events bound and lines of the log made."""

    def __init__(self, patch: pytest.MonkeyPatch, key: str) -> None:
        self.done: Counter[str] = Counter()
        game = GAMES[key]

        def play(state: Any, said: Any, exactly: bool = False, /) -> PlayResult[Any, Any]:
            self.done["judged"] += 1
            return game.rules.play(state, said, exactly)

        def line(*fields: Any) -> LogLine:
            self.done["lines"] += 1
            return LogLine(*fields)

        from cartulary.records.state.binding import BookBuilder

        apply = BookBuilder.apply

        def bound(builder: Any, event: Any) -> None:
            self.done["bound"] += 1
            apply(builder, event)

        patch.setitem(GAMES, key, replace(game, rules=replace(game.rules, play=play)))
        for place in ("log_lines", "seat_view"):
            patch.setattr(f"cartulary.records.state.{place}.LogLine", line)
        patch.setattr(BookBuilder, "apply", bound)

    def take(self) -> dict[str, int]:
        done, self.done = dict(self.done), Counter()
        return done


@pytest.fixture
def db(tmp_path: Path, key: str) -> Path:
    tags, seats, _ = plies(key)
    path = tmp_path / "games.db"
    with api.Store(path) as store:
        api.open_game(store, api.NewRequest(key, id="g", tags=tags, seats=seats))
    return path


@pytest.mark.parametrize(
    ("key", "view"),
    [*(("chess", view) for view in ("p1", *BEHIND)), *(("tarot", view) for view in VIEWS)],
)
def test_the_next_ply_costs_a_follower_as_much_late_in_a_game_as_early(
    db: Path, key: str, view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, visitor = Work(monkeypatch, key), VIEWS[view]
    monkeypatch.setattr(
        "cartulary.records.state.links.count_as_of",
        behind := lambda game, delay, now=None: len(game.recorded) - bool(delay),
    )
    monkeypatch.setattr("cartulary.web.streams.count_as_of", behind)
    words = plies(key)[2]
    stores = Stores(db)
    streams, watched = Streams(stores, Pages(True)), SharedView(visitor)
    costs: dict[int, dict[str, int]] = {}
    sent: list[StreamEvent] = []
    try:
        with api.Store(db) as store:
            for ply, word in enumerate(words[: LATE + 8], 1):
                api.play(store, "g", api.WordsRequest((word,), stands=True))
                with stores.checkout() as other:
                    api.load(other, "g")
                work.take()
                look = streams._look_at_game("g", watched, set())
                costs[ply] = work.take()
                watched.version = look.events[-1].version if look.events else watched.version
                sent += look.events
            early, late = ([costs[at + more] for more in range(8)] for at in (EARLY[key], LATE))
            assert max(map(total, late)) <= max(map(total, early))
            assert max(each.get("lines", 0) for each in (*early, *late)) <= 1
            anew = events_since(Pages(True), as_of(api.load(store, "g"), visitor.delay), visitor, 0)
            assert [bare(each) for each in sent] == [bare(each) for each in anew]
    finally:
        stores.close()
    assert all(before.version < after.version for before, after in pairwise(sent))


def total(work: dict[str, int]) -> int:
    return sum(work.values())


def bare(sent: StreamEvent) -> bytes:
    """Return an event without how the table stands, which is sent with the last one only."""
    return sent.data.partition(b',"live"')[0].rstrip(b"}")
