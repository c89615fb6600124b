"""Names of people who were merged: pages, pads and the terminal show the chosen one, CGN and seats do not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.notation.viewer import Seat, Spectator
from cartulary.records import api
from tests.web.served import HEADER, by_link, serving

WRITTEN, SHOWN = "Bela", "Béla Kiss"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    with api.Store(path) as store:
        api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada", WRITTEN)))
        skull = {"Description": "winner=most; rounds"}
        api.open_game(store, api.NewRequest("Skull", id="s", players=("Ada", WRITTEN), tags=skull, unjudged=True))
        api.rename_person(store, api.RenameRequest(WRITTEN, SHOWN))
    return path


@pytest.fixture
def server(archive: Path) -> Iterator[TestClient]:
    with serving(archive, writes=True) as client:
        yield client


@pytest.mark.parametrize(
    "page", ["games/g", "games/g/plies/0", "games/g/replay", "games/g/table", "games/g/watch", "games/s/pad", "tables"]
)
def test_a_page_shows_the_name_that_was_chosen(server: TestClient, page: str) -> None:
    text = server.get(f"/{page}").text.partition("Correct this record")[0]
    assert (SHOWN in text, f"{WRITTEN}<" in text, f"{WRITTEN} " in text) == (True, False, False)


def test_a_round_takes_the_name_that_is_shown_and_says_it(server: TestClient, archive: Path) -> None:
    body = {"command": "a", "answers": {"Points": "10:20"}}
    assert server.post("/games/s/rounds", json=body, headers=HEADER).status_code == 200
    assert SHOWN in server.get("/games/s/pad").text
    with api.Store(archive) as store:
        api.open_game(store, api.NewRequest("tarot", "t", "fft", ("Ada", WRITTEN, "Cy", "Di")))
        for taker in (SHOWN, WRITTEN):
            asked = {"Taker": taker, "Bid": "Garde", "Bouts": "3", "Points": "54"}
            assert "p0/Taker=p2" in api.play_round(store, "t", api.RoundRequest(asked)).word


def test_the_form_that_corrects_names_has_the_one_that_was_written(server: TestClient) -> None:
    assert f'name="tags.p2" value="{WRITTEN}"' in server.get("/games/g").text


def test_a_seat_sees_its_record_as_it_was_written(server: TestClient, archive: Path) -> None:
    made = server.post("/games/g/links", json={"base": "https://d.example", "roles": ["p1", "rail"]}, headers=HEADER)
    for link, shown in zip(made.json(), (WRITTEN, SHOWN), strict=True):
        browser = by_link(server, link["url"])
        for page in ("", "/watch"):
            text = browser.get(f"/games/g{page}?as={link['role']}").text
            assert (shown in text, SHOWN in text) == (True, shown == SHOWN), (link["role"], page)
    with api.Store(archive) as store:
        people, game = api.people_of(store), api.load(store, "g")
        assert api.view_of(game, Seat(1), people).players == ("Ada", WRITTEN)
        assert api.view_of(game, Spectator(), people).players == ("Ada", SHOWN)


def test_a_follower_learns_a_new_name_with_the_next_ply(server: TestClient, archive: Path) -> None:
    with api.Store(archive) as store:
        api.close(store, "g", api.CloseRequest(result="0-1"))
    assert f"{SHOWN} won" in server.get("/games/g/watch").text


@pytest.mark.parametrize(
    ("words", "typed"), [(("show", "g"), ""), (("record", "g"), "show\n"), (("pad", "s", "Points=1:2"), "")]
)
def test_the_terminal_shows_the_name_that_was_chosen(archive: Path, words: tuple[str, ...], typed: str) -> None:
    printed = CliRunner().invoke(build(), (*words, "--db", str(archive)), input=typed).stdout
    assert (SHOWN in printed, f"{WRITTEN}\n" in printed, f"{WRITTEN};" in printed) == (True, False, False), printed


def test_exported_text_keeps_the_name_that_was_written(archive: Path) -> None:
    exported = CliRunner().invoke(build(), ("export", "g", "--db", str(archive))).stdout
    assert (f'"{WRITTEN}"' in exported, SHOWN in exported) == (True, False)
