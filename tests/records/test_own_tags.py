"""The tags a game is set up from are its own wherever they are kept: nobody writes them over, and none is a name."""

import pytest

from cartulary.notation import GAMES, loads
from cartulary.notation.arbiter.heading import known_tags
from cartulary.records import api
from cartulary.records.commands.deal_tags import resolve_tags
from cartulary.records.faults import Unfit
from cartulary.records.log.events import GameImported, GameOpened, TagsChanged
from cartulary.records.log.store import Store

FEN = "W:W18,24:B1,K3"


@pytest.fixture(params=["opened", "imported"])
def id(store: Store, request: pytest.FixtureRequest) -> str:
    if request.param == "opened":
        return api.open_game(
            store, api.NewRequest("draughts", id="e", tags={"FEN": FEN, "Hall": "blue", "Date": "?"})
        ).id
    [taken] = api.import_records(store, loads(f'[Game "Draughts"]\n[FEN "{FEN}"]\n[Hall "blue"]\n\n*\n'))
    return taken.id


def test_they_are_kept_with_the_set_up_and_once(store: Store, id: str) -> None:
    game = api.load(store, id)
    first, names = (each.event for each in game.recorded[:2])
    if isinstance(first, GameImported):
        assert f'[FEN "{FEN}"]' in first.cgn
    else:
        assert isinstance(first, GameOpened)
        assert ("FEN", FEN) in first.own
    assert isinstance(names, TagsChanged)
    assert {name for name, _ in names.put}.isdisjoint({"FEN", "Game"})
    assert [value for name, value in game.record.tags if name == "FEN"] == [FEN]


def test_nobody_writes_or_takes_them_away_by_hand(store: Store, id: str) -> None:
    with pytest.raises(Unfit, match="The tag FEN is not written by hand"):
        api.change_tags(store, id, api.TagRequest({"FEN": "B:W1:B2"}))
    with pytest.raises(Unfit, match="The tag FEN is not written by hand"):
        api.change_tags(store, id, api.TagRequest({}, drop=("FEN",)))
    api.change_tags(store, id, api.TagRequest({}, drop=("Hall",)))


def test_they_stand_among_the_rules_on_paper(store: Store, id: str) -> None:
    paper = api.score_sheet(store, id)
    assert ("FEN", FEN) in paper.rules
    assert dict(paper.about) == {"Hall": "blue"}


def test_tags_that_differ_in_capitals_alone_are_each_known() -> None:
    chess = GAMES["chess"]
    assert {"SetUp", "Setup"} <= known_tags(chess, 2)
    for name in ("SetUp", "Setup"):
        assert resolve_tags(chess, 2, [(name, "1")]) == ((name, "1"),)
