"""Pages and their twins: what the command line says, said in a browser; and what cannot be shown, in a sentence."""

import json
import re
import sqlite3
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from threading import Thread

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.notation import GAMES
from cartulary.notation.viewer import EVERYTHING
from cartulary.records import api
from cartulary.records.faults import ReadOnly
from cartulary.web.guard import Guard
from cartulary.web.pages import Pages
from cartulary.web.visitors import Visitor
from tests.games.heaps import HEAPS
from tests.records.archives import Run, runner, samples_in, sheet, taken_in
from tests.web.served import any_id, serving

KINDS = ("cardmate", "tarot", "tarot-duel", "zarcana", "arcanoid", "draughts", "unjudged")
HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(2)>'&"
FIRST_PAINT = 60_000


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "games.db"
    with api.Store(path) as store:
        samples_in(store, KINDS)
        with any_id():
            api.open_game(store, api.NewRequest("cardmate", id="evening.json", players=("Ada", "Bela")))
        api.play(store, "evening.json", api.WordsRequest(("4Ci3", "4Db6")))
        api.open_game(store, api.NewRequest("cardmate", id="club", players=("Ada", "Bela")))
        api.play(store, "club", api.WordsRequest(("4Ci3", "4Db6")))
        taken_in(store, sheet(f"4Ci3 {{{HOSTILE}}} 4Db6", Event=HOSTILE, Forehand=HOSTILE))
        taken_in(store, sheet("4Ci3 ~ 8Dj2", Event="Gap"))
    return path


@pytest.fixture(scope="module")
def client(db: Path) -> Iterator[TestClient]:
    with serving(db) as opened:
        yield opened


@pytest.fixture
def run(db: Path) -> Run:
    return runner(db)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_game_of_a_file_is_called_by_it_and_never_to_a_seat(db: Path, seat: int | None) -> None:
    with serving(db, seat, files={"club": "sheets/revoke-by-Bela.cgn#2"}) as client:
        pages = client.get("/games").text, client.get("/games/club").text
    assert [page.count("sheets/revoke-by-Bela.cgn#2") for page in pages] == ([1, 1] if seat is None else [0, 0])


def ids(client: TestClient, asked: str = "") -> list[str]:
    return [each["id"] for each in client.get(f"/games.json?limit=500{asked}").json()["games"]]


def lines(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines()]


class Tags(HTMLParser):
    """What a page is made of. odd: what could run, load or lead anywhere else"""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.odd: list[tuple[str, str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        by_name = dict(attrs)
        if tag in ("img", "iframe", "object", "base", "style") or (tag == "script" and not by_name.get("src")):
            self.odd.append((tag, "", None))
        for name, value in attrs:
            elsewhere = name in ("href", "src", "action") and not re.match(r"/(?!/)|#", value or "")
            if elsewhere or name.startswith("on") or name == "style":
                self.odd.append((tag, name, value))


def printed(*words: str) -> str:
    return CliRunner().invoke(build(), list(words)).stdout


def own(client: TestClient, address: str, status: int = 200) -> str:
    """Return the text of a page: no markup in it but ours."""
    asked = client.get(address)
    assert asked.status_code == status, asked.text
    assert asked.headers["content-type"] == "text/html; charset=utf-8"
    assert asked.text.startswith("<!DOCTYPE html>")
    assert Tags(asked.text).odd == []
    assert "Traceback" not in asked.text
    return asked.text


# --- twins ---


def test_the_list_is_what_the_command_prints(client: TestClient, run: Run) -> None:
    assert client.get("/games.json?limit=500").json() == {"games": lines(run("list", "--json").stdout), "more": False}
    some = client.get("/games.json?game=tarot&player=ada&date=2026&verdict=legal&limit=2&offset=1").json()
    typed = ("--game", "tarot", "--player", "ada", "--date", "2026", "--verdict", "legal")
    printed = run("list", *typed, "--limit", "2", "--offset", "1", "--json")
    assert some == {"games": lines(printed.stdout), "more": "There are more" in printed.stderr}


def test_a_search_is_what_the_command_prints(client: TestClient, run: Run) -> None:
    assert client.get("/search.json?text=trey").json()["games"] == lines(
        run("search", "--text", "trey", "--json").stdout
    )
    [id] = ids(client, "&event=Gap")
    found = client.get(f"/search.json?position={id}&at=1").json()["games"]
    assert found == lines(run("search", "--position", id, "--at", "1", "--json").stdout)
    assert len(found) > 1


@pytest.mark.parametrize("game", KINDS[:-1])
def test_a_game_is_what_the_commands_print(client: TestClient, run: Run, game: str) -> None:
    id = ids(client, f"&game={game}")[-1]
    response = client.get(f"/games/{id}.json").json()
    assert response["plies"] == lines(run("replay", id, "--json").stdout)
    assert (
        response["report"]["verdict"] == client.get(f"/games.json?game={game}&limit=500").json()["games"][-1]["verdict"]
    )
    for ply in (0, 3, len(response["plies"])):
        assert client.get(f"/games/{id}/plies/{ply}.json").json() == json.loads(
            run("show", id, "--at", str(ply), "--json").stdout
        )
    assert client.get(f"/games/{id}/log.json").json() == lines(run("log", id, "--json").stdout)


def test_statistics_and_rules_are_what_the_commands_print(client: TestClient, run: Run) -> None:
    assert client.get("/stats.json").json()["rows"] == lines(run("stats", "--json").stdout)
    asked = client.get("/stats.json?table=rules&game=tarot").json()["rows"]
    assert asked == lines(run("stats", "rules", "--game", "tarot", "--json").stdout)
    [death] = lines(printed("rules", "zarcana", "death", "--json"))
    assert client.get("/rules/zarcana/death.json").json() == death
    assert client.get("/rules/zarcana.json?word=T13").json() == death
    every = lines(printed("rules", "tarot", "--variant", "fft", "--json"))
    assert client.get("/rules/tarot.json?variant=fft").json() == {"rules": every}


def test_every_game_is_named_in_a_sentence_on_the_page_of_all_rules(client: TestClient) -> None:
    matches = re.findall("</h2><p>(.+?)</p>", client.get("/rules").text)
    assert len(matches) > 5
    assert [each for each in matches if not re.match("[A-Z].*[.]$", each)] == []


def test_a_game_whose_id_ends_like_a_twin_has_its_page_and_its_twin(client: TestClient) -> None:
    assert "Ada" in own(client, "/games/evening.json")
    assert client.get("/games/evening.json.json").json()["id"] == "evening.json"


def test_the_description_names_every_address_with_what_it_is_asked_by(client: TestClient) -> None:
    response = client.get("/openapi.json").json()
    assert response["openapi"].startswith("3.")
    listed = response["paths"]["/games.json"]["get"]
    assert [each["name"] for each in listed["parameters"]][:2] == ["game", "player"]
    for path in response["paths"]:
        asked = path.format(id="evening.json", ply="1", game="tarot", key="bout")
        assert client.get(asked).status_code in (200, 400), path


# --- pages ---


def test_every_sample_has_every_page_within_its_length(client: TestClient) -> None:
    for id in ids(client):
        for below in ("", "/plies/0", "/plies/2", "/log"):
            text = own(client, f"/games/{id}{below}")
            assert len(re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL).encode()) <= FIRST_PAINT, id
        for whole in ("/sheet", "/replay"):
            asked = client.get(f"/games/{id}{whole}")
            assert asked.status_code == 200
            assert asked.headers["content-security-policy"].count("sha256-") >= 1
    for page in ("/games", "/search", "/stats", "/rules", "/rules/arcanoid", "/games?limit=50"):
        assert len(own(client, page).encode()) <= FIRST_PAINT, page


def test_the_verdict_stands_first_with_rule_source_and_proof(client: TestClient) -> None:
    [id] = ids(client, "&finding=tarot.follow-suit&verdict=irregular")
    text = own(client, f"/games/{id}/plies/17")
    assert text.index('class="verdict"') < text.index('class="stage"') < text.index('class="moves"')
    panel = unescape(text.partition('class="verdict"')[2].partition("</section>")[0])
    assert "South, Carl held 9S, but did not follow suit" in panel
    assert 'href="/rules/tarot/tarot.follow-suit"' in panel
    assert f'href="/games/{id}/plies/40"' in panel
    assert "A player who has a card of the suit led must play one, or the fool." in panel


def test_a_page_leads_on_and_back_and_marks_where_one_stands(client: TestClient) -> None:
    id = ids(client, "&game=draughts")[0]
    text = own(client, f"/games/{id}/plies/2")
    ways = dict(re.findall(r'href="[^"]*/plies/(\d+)" data-way="(\w+)"', text))
    assert (ways["0"], ways["1"], ways["3"]) == ("first", "back", "on")
    assert text.count("aria-current") == 1
    assert 'data-way="on"' not in own(client, f"/games/{id}")


def test_a_list_goes_on_behind_its_end_with_the_same_words(client: TestClient) -> None:
    text = own(client, "/games?limit=2&player=ada&offset=2")
    assert 'href="/games?player=ada&amp;limit=2&amp;offset=4"' in text
    assert 'href="/games?player=ada&amp;limit=2"' in text
    assert 'value="ada"' in text


def test_markup_stands_as_text_wherever_it_was_written(client: TestClient) -> None:
    [id] = ids(client, "&event=onerror")
    for address in (f"/games/{id}", f"/games/{id}/log", "/games", "/stats", "/search?text=alert"):
        assert "<script>alert(1)" in unescape(own(client, address)), address
    for address in ("/games?event=<b>", "/games/<b>x", "/rules/<b>", "/search?text=<b>x", "/<b>"):
        assert "<b>" not in client.get(address).text.replace("<b>Rule", "")


def test_control_characters_of_a_sheet_are_shown(tmp_path: Path) -> None:
    with api.Store(tmp_path / "games.db") as store:
        [id] = taken_in(store, sheet("4Ci3 {a\x9b2J b} 4Db6", Event="x\u202ey\x85z"))
    with serving(tmp_path / "games.db") as client:
        for address in ("/games", f"/games/{id}", f"/games/{id}/log", f"/games/{id}/sheet"):
            assert not re.search("[\x80-\x9f\u202e]", client.get(address).text), address


def test_control_characters_of_whatever_a_page_says_are_shown() -> None:
    values = {"title": "Odd", "because": "a\x1b[2J\u202eb", "log": ""}
    text = Pages(False).part("fault", values, Visitor("desk", EVERYTHING, "desk"))
    assert "a\\u001b[2J\\u202eb" in text


def test_control_characters_are_shown(client: TestClient) -> None:
    text = client.get("/games/%1b%5b2J%e2%80%ae").text
    assert "\x1b" not in text
    assert "\u202e" not in text


# --- what cannot be shown ---

WRONG: tuple[tuple[str, int, str], ...] = (
    ("/nope", 404, "There is no such page"),
    ("/games/nope", 404, "There is no game nope in this database."),
    ("/games/nope/log", 404, "There is no game nope"),
    ("/games/nope/plies/3", 404, "There is no game nope"),
    ("/games/%2e%2e%2fsecret", 404, "There is no such page"),
    ("/games/%2e%2e/log", 404, "There is no game .."),
    ("/games/ID/plies/9999", 404, "There is no ply 9999: the game can be followed for 2 plies."),
    ("/games/ID/plies/x", 400, "The ply is 'x'; expected a number"),
    ("/games/ID/plies/-1", 400, "expected a number"),
    ("/games/ID/plies/99999999999999999999", 400, "expected a number"),
    ("/games/ID?seat=p1", 400, "'seat' is not a parameter"),
    ("/games?limit=10000", 400, "limit is '10000'; expected a number from 0 to 500."),
    ("/games?limit=0", 400, "A page cannot hold 0 games; expected 1 or more."),
    ("/games?offset=-3", 400, "expected a number"),
    ("/games?limit=2&limit=3", 400, "limit is given 2 times"),
    ("/games?date=soon", 400, "is not a date"),
    ("/games?verdict=fine", 400, "is not a verdict"),
    ("/games?finding=x", 400, "is not the key of a rule"),
    ("/games?game=chequers", 400, "There is no game"),
    ("/games?player=%00", 400, "cannot be kept"),
    ("/games?" + "&".join(f"player={number}" for number in range(60)), 400, "Too much was asked for at once"),
    ("/search?text=%22open", 400, "has a quotation mark without a partner"),
    ("/search?text=%21%21", 400, "holds no word to look for"),
    ("/search?at=3", 400, "name the game with"),
    ("/search?position=nope", 404, "There is no game nope"),
    ("/search?position=ID&at=99", 400, "99"),
    ("/stats?table=x", 400, "is not a table"),
    ("/rules/nope", 404, "expected one of"),
    ("/rules/cardmate/zzzzz", 404, "has no rule, card or piece 'zzzzz'"),
    ("/rules/tarot?variant=x", 400, "Found the variant 'x', expected one of"),
)


@pytest.mark.parametrize(("address", "status", "says"), WRONG, ids=[each[0][:40] for each in WRONG])
def test_what_cannot_be_shown_is_a_page_in_sentences(client: TestClient, address: str, status: int, says: str) -> None:
    path, mark, query = address.replace("ID", "club").partition("?")
    text = unescape(own(client, path + mark + query, status))
    assert says in text
    assert 'href="/games"' in text
    if "/games/" not in path and path != "/nope":
        twin = client.get(f"{path}.json{mark}{query}")
        assert twin.status_code == status
        assert says in twin.json()["error"]


def test_a_game_that_is_not_installed_is_named_and_its_log_is_shown(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch, api.Store(tmp_path / "games.db") as store:
        patch.setitem(GAMES, "heaps", HEAPS)
        api.open_game(store, api.NewRequest("heaps", id="b", players=("Ada", "Bela")))
    with serving(tmp_path / "games.db") as client:
        assert "Ada; Bela" in own(client, "/games")
        for below in ("", "/plies/0", "/sheet", "/replay"):
            text = own(client, f"/games/b{below}", 501)
            assert "b is a game of heaps, which is not installed here." in text
            assert 'href="/games/b/log"' in text
        assert "opened heaps" in own(client, "/games/b/log")


def test_a_damaged_log_says_what_verify_says(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    with api.Store(db) as store:
        for id in ("evening", "other"):
            api.open_game(store, api.NewRequest("cardmate", id=id))
            api.play(store, id, api.WordsRequest(("4Ci3", "4Db6")))
    with sqlite3.connect(db) as other:
        other.execute("DROP TRIGGER events_are_not_edited")
        other.execute("UPDATE stored_events SET state = replace(state, '4Db6', '4Db5') WHERE originator_id = 'evening'")
    with serving(db) as client, api.Store(db) as store:
        says = api.verify(store, "evening").fault
        assert says
        for below in ("", "/plies/1", "/log", "/sheet", "/replay"):
            assert says in unescape(own(client, f"/games/evening{below}", 500))
        assert client.get("/games/evening.json").json() == {"error": says}
        assert "evening" in own(client, "/games")
        own(client, "/games/other")


def test_unjudged_gaps_and_no_moves_are_shown(client: TestClient, tmp_path: Path) -> None:
    [id] = ids(client, "&verdict=unjudged")
    assert "unjudged" in own(client, f"/games/{id}/plies/5")
    [gap] = ids(client, "&event=Gap")
    assert "~" in own(client, f"/games/{gap}")
    with api.Store(tmp_path / "games.db") as store:
        api.open_game(store, api.NewRequest("tarot", id="bare"))
    with serving(tmp_path / "games.db") as other:
        assert "Start" in own(other, "/games/bare")
        assert "No game was found" in own(other, "/games?player=nobody")


def test_a_fault_of_the_program_is_a_page_and_a_line(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def odd(*words: object, **more: object) -> None:
        raise RuntimeError("odd\x1b")

    monkeypatch.setattr(api, "search", odd)
    assert "The program itself has a fault" in own(client, "/games", 500)
    assert "RuntimeError" in capsys.readouterr().err


# --- the file ---


def test_two_read_while_somebody_writes(tmp_path: Path) -> None:
    db, words = tmp_path / "games.db", ["4Ci3", "4Db6", "8Dj2", "8Ca7", "8Dh3", "8Cc6", "7Cb1", "7Di8"]
    with api.Store(db) as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
    seen: list[list[int]] = [[], []]

    def read(client: TestClient, into: list[int]) -> None:
        for _ in range(25):
            asked = client.get("/games/g.json")
            into.append(len(asked.json()["plies"]) if asked.status_code == 200 else -1)

    with serving(db) as client, api.Store(db) as store:
        threads = [Thread(target=read, args=(client, into)) for into in seen]
        for thread in threads:
            thread.start()
        for word in words:
            api.play(store, "g", api.WordsRequest((word,)))
        for thread in threads:
            thread.join()
        assert len(client.get("/games/g.json").json()["plies"]) == len(words)
    for into in seen:
        assert into == sorted(into)
        assert -1 not in into


def test_read_only_writes_nothing_and_still_finds_positions(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    with api.Store(db) as store:
        first, *_ = taken_in(store, sheet(), sheet(Event="Another"))
    before = db.read_bytes()
    with serving(db, read_only=True) as client:
        assert len(client.get(f"/search.json?position={first}&at=2").json()["games"]) == 2
        assert db.read_bytes() == before
        assert isinstance(client.app, Guard)
        with client.app.authenticator.stores.checkout() as held, pytest.raises(ReadOnly):
            held.index.rows("CREATE TABLE written (n)")
        with api.Store(db) as store:
            taken_in(store, sheet(Event="A third"))
        assert len(client.get(f"/search.json?position={first}&at=2").json()["games"]) == 3
