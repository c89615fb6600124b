"""Tags stand in one order, the players' in seat order, whatever the game calls its seats; every writer keeps it."""

from pathlib import Path

import pytest

from cartulary.notation import GAMES, as_seen, canonical, dumps, format_record, loads
from cartulary.records import api
from cartulary.records.exchange.archive import standing_of
from cartulary.records.library.listing import unjudged_rows
from cartulary.records.log.events import TagsChanged
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.games.heaps import HEAPS

WHITE = '[Game "Heaps"]\n[Black "Bela"]\n[Zone "x"]\n[Result "*"]\n[White "Ada"]\n[Annotator "A"]\n[Event "?"]\n\n*\n'
ORDER = ["Game", "Event", "White", "Black", "Result", "Annotator", "Zone"]


@pytest.fixture(autouse=True)
def heaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "heaps", HEAPS)


def names(text: str) -> list[str]:
    return [tag for tag, _ in loads(text)[0].tags]


def test_the_seats_stand_in_the_order_of_their_game() -> None:
    [record] = loads(WHITE)
    for text in (dumps(record), format_record(canonical(record)), dumps(as_seen(record, 0))):
        assert names(text) == ORDER


def test_a_record_nobody_judges_has_the_order_of_its_game() -> None:
    text = dumps(*loads(WHITE.replace("\n[Black", '\n[Rules "none"]\n[Black')))
    assert [name for name in names(text) if name != "Rules"] == ORDER


@pytest.mark.parametrize("game", ["Tarot", "No game", "Heaps"])
def test_numbered_seats_stand_by_their_numbers_in_every_game(game: str) -> None:
    text = dumps(*loads(f'[Game "{game}"]\n[Zone "x"]\n[Seat10 "a"]\n[Seat2 "b"]\n[Seat1 "c"]\n\n*\n'))
    assert names(text) == ["Game", "Seat1", "Seat2", "Seat10", "Zone"]


def test_what_is_stored_is_written_in_that_order_everywhere(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        api.open_game(
            store, api.NewRequest("heaps", id="g", players=("Ada", "Bela"), tags={"Annotator": "A", "Zone": "x"})
        )
        [imported] = api.import_records(store, loads(WHITE))
        for id in ("g", imported.id):
            game = load(store, id)
            standing = standing_of(game)
            for answer in (names(dumps(api.export_cgn(store, id))), [name for name, _ in standing.tags]):
                assert [name for name in answer if name in ORDER] == [name for name in ORDER if name in answer]
            assert [each.name for each in api.score_sheet(store, id).seats] == ["Ada", "Bela"]
            assert unjudged_rows(id, game.recorded).players == ("Ada", "Bela")
        opened = store.stream("g")[1].event
        assert isinstance(opened, TagsChanged)
        assert [tag for tag, _ in opened.put if tag in ORDER] == ["White", "Black", "Annotator", "Zone"]
