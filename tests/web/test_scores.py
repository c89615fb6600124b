"""The page of a game of which only rounds or a result are kept."""

from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.records.log.store import Store
from tests.web.served import serving

PLAYERS = ("Ann", "Bea", "Cy", "Di")
GARDE = {"Taker": "p2", "Bid": "Garde", "Bouts": "3", "Points": "54"}


def above_the_fold(client: TestClient, id: str) -> str:
    page = client.get(f"/games/{id}").text
    assert '<details class="whole-record">' in page
    return page.partition('<details class="whole-record">')[0]


def test_rounds_are_shown_in_words_with_points_and_who_won(store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="g", players=PLAYERS, variant="fft"))
    api.play_round(store, "g", api.RoundRequest(answers=GARDE))
    with serving(store.path, writes=True) as client:
        page = above_the_fold(client, "g")
        assert "Open, 1 deal." in page
        assert 'href="/games/g/pad"' in page
        api.close(store, "g", api.CloseRequest())
        page = above_the_fold(client, "g")
    assert "Bea won." in page
    assert "Bea has 54 points with 3 bouts" in page
    assert '<th scope="row">Bea</th><td class="number">258</td><td>won</td>' in page
    for word in ("Taker=", "Every card on record", "Verdict"):
        assert word not in page


def test_a_result_is_shown_without_words_and_description(store: Store) -> None:
    players = ("Ann=10", "Bea=7")
    id = api.record_result(store, api.ResultRequest("Catan", players=players)).id
    with serving(store.path, writes=True) as client:
        page = above_the_fold(client, id)
    assert "Ann won." in page
    assert '<td class="number">10</td><td>won</td>' in page
    assert "Correct this record" in page
    for word in ("0 words", "winner=", "Verdict"):
        assert word not in page


def test_a_game_of_moves_keeps_its_page(store: Store) -> None:
    api.open_game(store, api.NewRequest("chess", id="c", players=("Ann", "Bea")))
    api.play(store, "c", api.WordsRequest(("e4",)))
    api.open_game(store, api.NewRequest("tarot", id="t", players=PLAYERS, variant="fft"))
    api.play_round(store, "t", api.RoundRequest(answers=GARDE))
    api.play(store, "t", api.WordsRequest(("Pass",)))
    with serving(store.path, writes=True) as client:
        for id in ("c", "t"):
            page = client.get(f"/games/{id}").text
            assert "whole-record" not in page
            assert page.count("Correct this record") == 1


def test_the_list_has_points_and_who_won_and_every_game_in_its_menu(store: Store) -> None:
    api.record_result(store, api.ResultRequest("Catan", players=("Ann=10", "Bea=7")))
    api.open_game(store, api.NewRequest("chess", id="c", players=("Ann", "Bea")))
    with serving(store.path, writes=True) as client:
        page = client.get("/games").text
        assert '<option value="Catan">Catan</option>' in page
        assert "<b>★&nbsp;Ann&nbsp;10</b> · <span>Bea&nbsp;7</span></a>" in page
        assert "Ann won</td>" not in page
        assert "unjudged</td>" not in page
        assert '<span class="hidden">open </span>' in page
        only = client.get("/games?game=Catan").text
    assert '<option value="Catan" selected>' in only
    assert "/games/c" not in only


def test_points_of_a_shared_seat_are_not_one_persons(store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="g", players=PLAYERS, variant="fft"))
    for _ in range(2):
        api.play_round(store, "g", api.RoundRequest(answers=GARDE))
    api.seat_player(store, "g", api.SeatRequest("p4", player="Fay", ply=2))
    api.close(store, "g", api.CloseRequest())
    assert api.final_scores(store, ["g"]) == {}
