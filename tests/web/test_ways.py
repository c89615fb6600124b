"""Finding one's way in a browser: forms that keep what was typed, ways back, and pages that leave nothing out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from tests.records.archives import samples_in, sheet, taken_in
from tests.web.served import serving


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    path = tmp_path_factory.mktemp("ways") / "games.db"
    with api.Store(path) as store:
        samples_in(store, ("unjudged", "tarot"))
        taken_in(store, sheet("4Ci3 4Db6 (4Db5! {the other way} 8Dj2 (9Cb1)) 8Dj2", Event="Ways"))
    with serving(path, files={desk_id(path): "ways.cgn"}) as opened:
        yield opened


def desk_id(path: Path) -> str:
    with api.Store(path) as store:
        return next(id for id in store.ids() if id.startswith("cardmate"))


def game(client: TestClient, **asked: str) -> str:
    games = client.get("/games.json", params=asked).json()["games"]
    return str(games[0]["id"])


@pytest.mark.parametrize("path", ["/games", "/search"])
def test_a_filter_that_cannot_be_is_said_above_the_form_that_keeps_it(client: TestClient, path: str) -> None:
    answer = client.get(path, params={"verdict": "iregular", "player": "Ada"})
    assert answer.status_code == 400
    assert "is not a verdict; expected one of: legal" in answer.text
    assert 'name="player" value="Ada"' in answer.text
    assert '<option value="irregular"' in answer.text
    assert client.get(f"{path}.json", params={"verdict": "iregular"}).status_code == 400


def test_a_search_that_cannot_be_read_keeps_its_form(client: TestClient) -> None:
    answer = client.get("/search", params={"text": '"no end'})
    assert answer.status_code == 400
    assert 'name="text" value="&#34;no end"' in answer.text


@pytest.mark.parametrize("named", ["tarot", "Tarot", "TAROT"])
def test_the_game_asked_for_is_the_one_that_is_chosen(client: TestClient, named: str) -> None:
    assert '<option value="tarot" selected>' in client.get("/games", params={"game": named}).text


def test_a_position_is_looked_for_by_the_file_of_its_game_too(client: TestClient) -> None:
    found = client.get("/search.json", params={"position": "ways.cgn", "at": "1"}).json()["games"]
    assert [one["id"] for one in found] == [game(client, game="cardmate")]


@pytest.mark.parametrize("page", ["replay", "sheet"])
def test_a_whole_document_leads_back_to_its_game(client: TestClient, page: str) -> None:
    id = game(client, game="cardmate")
    text = client.get(f"/games/{id}/{page}").text
    assert f'href="/games/{id}"' in text
    assert "Back to the game" in text


def test_a_document_for_everybody_leads_nowhere(client: TestClient) -> None:
    assert b"Back to the game" not in api.replay_page([])


def test_a_variation_stands_there_whole(client: TestClient) -> None:
    id = game(client, game="cardmate")
    assert "(1... 4Db5! {the other way} 2. 8Dj2 (2. 9Cb1))" in " ".join(client.get(f"/games/{id}").text.split())


def test_a_game_that_nobody_judges_leads_to_no_rules_and_no_positions(client: TestClient) -> None:
    [id] = [one["id"] for one in client.get("/games.json").json()["games"] if one["verdict"] == "unjudged"][:1]
    text = client.get(f"/games/{id}").text
    assert '<a href="/rules/' not in text
    assert "Games with this position" not in text
    assert "Games with this position" in client.get(f"/games/{game(client, game='tarot')}").text


def test_the_numbers_are_asked_by_a_form_and_those_drawn_are_named(client: TestClient) -> None:
    some = client.get("/stats", params={"game": "tarot"}).text
    assert '<option value="tarot" selected>' in some
    assert 'href="/stats.json?game=tarot"' in some
    text = client.get("/stats").text
    assert '<span class="hidden">' not in text
    assert '<th scope="col">drawn' not in text
