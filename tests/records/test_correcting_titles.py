"""A record under a mistyped name of its game: ``tag ID Game=Catan`` corrects it, where nobody judges."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from cartulary.notation import dumps, loads
from cartulary.notation.viewer import viewer_of_seat
from cartulary.records import api
from cartulary.records.exchange.archive import read_archive
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.search import Query
from cartulary.records.library.standings import standings
from cartulary.records.log.store import Store
from tests.cli.test_live import Run
from tests.cli.test_live import run as run

CATAN = """title = "Catan"
seats = "2-4"
winner = "first"
goal = 10
"""
NAMED = """title = "Golf"
seats = 2
names = ["Red", "Blue"]
winner = "fewest"
"""


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        yield opened


def katan(store: Store, *players: str, **more: Any) -> str:
    request = api.ResultRequest(game="Katan", players=players or ("Ann=10", "Bea=7"), id="k", **more)
    return api.record_result(store, request).id


def rename(store: Store, title: str, **more: Any) -> Any:
    return api.change_tags(store, "k", api.TagRequest({"Game": title}, **more))


def test_a_closed_result_gets_the_right_name(store: Store, tmp_path: Path) -> None:
    katan(store)
    api.record_result(store, api.ResultRequest(game="Catan", players=("Ann=3", "Bea=10")))
    assert rename(store, " Catan ").changes == (("Game", "Katan", "Catan"),)
    assert standings(store, Query(game="Catan")).games == 2
    here = api.load(store, "k")
    assert (here.book.closed, here.book.result, here.record.tag("Game")) == (True, "1-0", "Catan")
    assert api.log(store, "k")[-1].says == 'set-up: Game "Catan"'
    [sheet] = loads(dumps(api.export_cgn(store, "k")))
    assert sheet.tag("Game") == "Catan"
    archive = msgspec.json.encode(api.export_json(store, "k", log=True))
    with Store(tmp_path / "elsewhere.db", create=True) as elsewhere:
        api.take_in(elsewhere, read_archive(archive))
        assert api.load(elsewhere, "k").record == here.record
    api.reindex(store)
    assert standings(store, Query(game="Catan")).games == 2


def test_an_imported_record_gets_the_right_name(store: Store, tmp_path: Path) -> None:
    katan(store)
    with Store(tmp_path / "elsewhere.db", create=True) as elsewhere:
        [answer] = api.import_records(elsewhere, loads(dumps(api.export_cgn(store, "k"))))
        api.change_tags(elsewhere, answer.id, api.TagRequest({"Game": "Catan"}))
        assert api.load(elsewhere, answer.id).record.tag("Game") == "Catan"
        assert standings(elsewhere, Query(game="Catan")).games == 1


def test_a_described_game_gives_its_description(store: Store) -> None:
    api.describe_game(store, api.DescribeRequest(toml=CATAN))
    katan(store)
    rename(store, "catan")
    record = api.load(store, "k").record
    assert (record.tag("Game"), record.tag("Description")) == ("Catan", "winner=first; goal=10; seats=2-4")


def test_the_names_of_the_players_move_to_the_seats_of_the_game(store: Store) -> None:
    api.describe_game(store, api.DescribeRequest(toml=NAMED))
    katan(store, "Ann=70", "Bea=72", winner="fewest")
    rename(store, "Golf")
    record = api.load(store, "k").record
    assert (record.tag("Red"), record.tag("Blue"), record.tag("Seat1")) == ("Ann", "Bea", "")
    assert {row.name for row in standings(store, Query(game="Golf")).rows} == {"Ann", "Bea"}


@pytest.mark.parametrize(
    ("toml", "title", "because"),
    [
        (NAMED, "Golf", "k is no record of Golf: its description contradicts: .*the result says 1-0, but .* it is 0-1"),
        (CATAN.replace("2-4", "3-4"), "Catan", "k cannot be set up with Game Catan.*found 2 seats, expected 3 to 4"),
    ],
)
def test_a_description_that_contradicts_is_named_and_nothing_is_stored(
    store: Store, toml: str, title: str, because: str
) -> None:
    api.describe_game(store, api.DescribeRequest(toml=toml))
    katan(store)
    before = api.load(store, "k").head
    with pytest.raises((Declined, Unfit), match=because):
        rename(store, title)
    assert api.load(store, "k").head == before


def test_plies_that_contradict_the_description_are_named(store: Store) -> None:
    api.describe_game(store, api.DescribeRequest(toml='title = "Skull King"\nrounds = true\nwinner = "most"\n'))
    api.open_game(store, api.NewRequest("Skul King", id="k", unjudged=True, players=("Ann", "Bea")))
    api.play(store, "k", api.WordsRequest(words=("p0/10:20", "p0/1:x")))
    with pytest.raises(Declined, match="k is no record of Skull King: ply 2 contradicts its description"):
        rename(store, "Skull King")


def test_games_with_rules_and_other_tags_are_refused(store: Store) -> None:
    katan(store)
    with pytest.raises(Declined, match="There are rules for Tarot, and k is a record that nobody judges; set it aside"):
        rename(store, "tarot")
    with pytest.raises(Declined, match="nothing would change"):
        rename(store, "Katan")
    with pytest.raises(Unfit, match="corrected alone"):
        api.change_tags(store, "k", api.TagRequest({"Game": "Catan", "Event": "Club"}))
    with pytest.raises(Declined, match="not by a seat"):
        api.change_tags(store, "k", api.TagRequest({"Game": "Catan"}), viewer_of_seat(1))
    with pytest.raises(Unfit, match="The game has no name"):
        api.change_tags(store, "k", api.TagRequest({}, drop=("Game",)))
    api.open_game(store, api.NewRequest("chess", id="c"))
    with pytest.raises(Declined, match="c is judged by the rules of Chess; set it aside"):
        api.change_tags(store, "c", api.TagRequest({"Game": "Catan"}))


def test_the_same_command_is_carried_out_once(store: Store) -> None:
    katan(store)
    first = rename(store, "Catan", command="a")
    assert rename(store, "Catan", command="a").version == first.version


def test_the_terminal_shows_both_names(run: Run) -> None:
    run("result", "Katan", "-p", "Ann=10", "-p", "Bea=7", "--id", "k")
    assert run("tag", "k", "Game=Catan").stdout.endswith('k: Game "Catan", was "Katan"\n')
