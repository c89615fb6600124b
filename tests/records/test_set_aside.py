"""Games that are set aside: lists, searches, numbers and standings leave them out, and the log keeps them."""

from pathlib import Path
from typing import Any

import pytest

from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.duplicates import duplicates, older_with_same_moves
from cartulary.records.library.explorer import explore
from cartulary.records.library.reindex import reindex
from cartulary.records.log.store import Store
from cartulary.records.state.games import load

TWICE = "entered twice"


@pytest.fixture
def pair(store: Store) -> Store:
    """Return a log with the same game twice, ``a`` and ``b``, and another one, ``c``."""
    for id in ("a", "b", "c"):
        api.open_game(store, api.NewRequest("chess", id=id, players=("Ada", "Bela"), tags={"Date": "2026.11.20"}))
        first = "d4" if id == "c" else "e4"
        api.play(store, id, api.WordsRequest((first, "e5", "Nf3", "Nc6", "Bb5", "a6")[: 1 if id == "c" else 6]))
        api.close(store, id, api.CloseRequest("1-0", termination="resignation"))
    return store


def put(store: Store, id: str = "b", **more: Any) -> "api.AsideAnswer":
    return api.set_aside(store, id, api.AsideRequest(**more))


def seen(store: Store) -> dict[str, Any]:
    """Return what each question about the archive counts."""
    table = api.standings(store, api.Query(game="chess"))
    games = next(table for table in api.tally(store) if table.name == "games")
    return {
        "list": sorted(hit.game.id for hit in api.search(store)[0]),
        "search": sorted(hit.game.id for hit in api.search(store, api.Query(player=("ada",)))[0]),
        "standings": table.games,
        "stats": games.rows[0][1],
        "explore": explore(store, api.Query(game="chess")).games,
        "pairs": [(each.first.id, each.second.id) for each in duplicates(store)],
    }


ALL = {
    "list": ["a", "b", "c"],
    "search": ["a", "b", "c"],
    "standings": 3,
    "stats": 3,
    "explore": 3,
    "pairs": [("a", "b")],
}
WITHOUT = {"list": ["a", "c"], "search": ["a", "c"], "standings": 2, "stats": 2, "explore": 2, "pairs": []}


def test_everything_leaves_a_game_out_until_it_counts_again(pair: Store) -> None:
    assert seen(pair) == ALL
    assert put(pair, reason=TWICE).counts is False
    assert seen(pair) == WITHOUT
    assert [hit.game.id for hit in api.search(pair, api.Query(aside=True))[0]] == ["b"]
    assert len(api.search(pair, api.Query(aside=None))[0]) == 3
    reindex(pair)
    assert seen(pair) == WITHOUT
    assert put(pair, back=True).counts is True
    assert seen(pair) == ALL
    reindex(pair)
    assert seen(pair) == ALL


def test_a_game_that_is_set_aside_is_no_older_duplicate(pair: Store) -> None:
    assert older_with_same_moves(pair, ("b",)) == {"b": ("a",)}
    put(pair, "a", reason=TWICE)
    assert older_with_same_moves(pair, ("b",)) == {}


def test_saying_the_same_again_writes_nothing(pair: Store) -> None:
    first = put(pair, reason=TWICE, command="k")
    assert put(pair, reason=TWICE, command="k") == first
    assert put(pair, reason="another reason") == first
    assert put(pair, "a", back=True).version == load(pair, "a").head.version
    with pytest.raises(Declined, match="already used for another request"):
        put(pair, back=True, command="k")


def test_a_game_is_set_aside_for_a_reason(pair: Store) -> None:
    with pytest.raises(Unfit, match="Say why b is set aside"):
        put(pair, reason="  ")
    assert seen(pair) == ALL


def test_the_record_and_its_agreements_stay_as_they_are(pair: Store) -> None:
    api.agree(pair, "b", api.AgreeRequest(), Seat(1))
    before = load(pair, "b")
    put(pair, reason=TWICE)
    after = load(pair, "b")
    assert (after.record, after.report, after.book.agreements) == (before.record, before.report, before.book.agreements)
    assert after.book.agreements[0].since == 0


def test_an_archive_keeps_it(pair: Store, tmp_path: Path) -> None:
    put(pair, reason=TWICE)
    with Store(tmp_path / "other.db") as other:
        for id in pair.ids():
            api.take_in(other, api.export_json(pair, id, log=True))
        assert seen(other) == WITHOUT


def test_a_game_whose_rules_are_not_installed_is_left_out_too(pair: Store) -> None:
    from cartulary.records.library.listing import unjudged_rows

    put(pair, reason=TWICE)
    assert unjudged_rows("b", pair.stream("b")).aside
    assert not unjudged_rows("a", pair.stream("a")).aside


def test_a_seat_reads_that_a_game_is_set_aside_but_not_why(pair: Store) -> None:
    put(pair, reason=TWICE, by="Ada Lovelace")
    game = load(pair, "b")
    [everything] = api.see_game(game).docket.texts()
    assert everything.startswith("set aside: entered twice (2026")
    assert ", by Ada Lovelace" in everything
    api.open_game(pair, api.NewRequest("tarot", id="t"))
    put(pair, "t", reason=TWICE, by="Ada Lovelace")
    [text] = api.see_game(load(pair, "t"), Seat(1)).docket.texts()
    assert (TWICE in text, "Ada" in text, "set aside" in text) == (False, False, True)


def test_at_the_terminal(pair: Store, run: Any) -> None:
    pair.close()
    assert run("aside", "b", "--reason", TWICE, "--by", "Cleo").stdout == (
        "b: set aside; lists and standings leave it out\n"
    )
    assert "b " not in run("list").stdout
    assert run("list", "--aside").stdout.startswith("b ")
    assert "set aside: entered twice" in run("show", "b").stdout
    assert "set aside: entered twice" in run("check", "b", code=0).stdout
    assert "set aside: entered twice" in run("log", "b").stdout
    assert run("aside", "b", "--back").stdout == "b: counts\n"
    assert run("list", "--aside").stdout == ""
    assert "set aside" not in run("show", "b").stdout
    assert "Say why" in run("aside", "b", code=2).stderr
    assert "`aside ID --reason TEXT`" in run("duplicates", code=1).stderr
