"""The screen in the room: the tables that are asked for, as the rail sees them, quietly, and kept as they stand."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from starlette.testclient import TestClient

from cartulary.notation.viewer import EVERYTHING, SPECTATOR
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.web.assets import SCRIPT_FOLDER
from cartulary.web.following import MOST_FOLLOWED
from cartulary.web.guard import NOT_ADMITTED
from cartulary.web.inquiry import RequestFault
from cartulary.web.screen import follower
from cartulary.web.visitors import Visitor, bystander
from tests.cli.test_replay_in_browser import DESK, HOSTILE, PHONE, WRONG, hold_to_axe
from tests.laws.test_quiet import FORKS
from tests.laws.test_secrets import TIME, Run
from tests.laws.test_secrets import run as run
from tests.laws.worlds import GAMES
from tests.web.served import by_link, serving
from tests.web.test_in_browser import Seen
from tests.web.test_secrets import pairs_of
from tests.web.test_streams import Stream, shown, streamed
from tests.web.test_streams import by_link as cookie_by_link
from tests.web.test_streams import served as served

PROJECTOR = {"width": 1920, "height": 1080}
VERDICT = re.compile(r"irregular|undecided|refused|\d+ legal moves| only\b")


def tables(store: Store, *ids: str, **tags: str) -> None:
    """Open tables of Cardmate. tags: of each"""
    for id in ids:
        api.open_game(store, api.NewRequest("cardmate", id=id, players=("Ada", "Bela"), tags=tags))


def ids(client: TestClient, asked: str = "") -> list[str]:
    answer = client.get(f"/tables.json?{asked}")
    assert answer.status_code == 200, answer.text
    return [table["id"] for table in answer.json()["tables"]]


def aged(store: Store, id: str) -> None:
    """Let the list say that a game was last written to long ago."""
    store.index.rows("UPDATE games SET updated = '2020-01-01T00:00:00.000Z' WHERE id = ?", (id,))


# --- which tables ---


def test_open_tables_and_those_closed_lately_stand_in_the_order_they_were_begun(
    store: Store, client: TestClient
) -> None:
    assert ids(client) == []
    assert "No table is in play" in client.get("/tables").text
    tables(store, "t3", "t1", "t2", "old", "idle")
    for id in ("t1", "old"):
        api.close(store, id, api.CloseRequest("1-0", termination="resignation"))
    aged(store, "old")
    aged(store, "idle")
    api.play(store, "t3", api.WordsRequest(("4Ci3",)))
    assert ids(client) == ["t3", "t1", "t2", "idle"]
    assert ids(client, "hours=0") == ["t3", "t2", "idle"]
    assert ids(client, "hours=9999") == ["t3", "t1", "t2", "idle"]
    assert ids(client, "id=old&id=t2&id=old") == ["old", "t2"]


def test_tables_are_chosen_as_games_are_listed(store: Store, client: TestClient) -> None:
    tables(store, "a", Event="Club evening", Date="2024.05.20")
    tables(store, "b", Event="Other")
    api.open_game(store, api.NewRequest("chess", id="c", players=("Zoe", "Bela")))
    assert ids(client, "event=club") == ["a"]
    assert ids(client, "game=chess") == ids(client, "player=zoe&player=bela") == ["c"]
    assert ids(client, "date=2024.05&hours=&delay=") == ["a"]
    page = client.get("/tables?event=club").text
    assert "<h1>Club evening</h1>" in page
    assert 'data-tables="/tables.json?event=club"' in page
    assert "No such table is in play" in client.get("/tables?event=nowhere").text


def test_the_list_of_games_leads_to_the_screen_with_what_it_was_asked(store: Store, client: TestClient) -> None:
    assert 'href="/tables"' in client.get("/games").text
    assert (
        'href="/tables?event=Club&amp;player=Ada"'
        in client.get("/games?event=Club&verdict=legal&player=Ada&limit=5").text
    )
    with serving(store.path) as reading:
        assert "/tables" not in reading.get("/games").text
        assert reading.get("/tables").status_code == 404


@pytest.mark.parametrize(
    ("words", "status", "because"),
    [
        ("id=nope", 404, "nope"),
        ("id=a&event=x", 400, "`id` names the tables one by one"),
        ("id=a&hours=3", 400, "`id` names the tables one by one"),
        ("hours=soon", 400, "hours is 'soon'; expected a number from 0 to 10000"),
        ("hours=10001", 400, "hours is '10001'"),
        ("hours=1&hours=2", 400, "hours is given 2 times"),
        ("delay=-1", 400, "delay is '-1'; expected a number from 0 to 86400"),
        ("delay=86401", 400, "delay is '86401'"),
        ("delay=1&delay=2", 400, "delay is given 2 times"),
        ("verdict=legal", 400, "'verdict' is not a parameter of /tables"),
        ("seat=p1", 400, "'seat' is not a parameter of /tables"),
        ("as=desk", 400, "'as' is not a parameter of /tables"),
        ("game=whist-of-mars", 400, "whist-of-mars"),
        ("date=soon", 400, "'soon' is not a date"),
    ],
)
def test_what_cannot_be_shown_is_said(store: Store, client: TestClient, words: str, status: int, because: str) -> None:
    tables(store, "a")
    twin, page = client.get(f"/tables.json?{words}"), client.get(f"/tables?{words}")
    assert (twin.status_code, page.status_code) == (status, status)
    assert because in twin.json()["error"]


def test_more_tables_than_a_stream_follows_are_counted(
    store: Store, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables(store, *"abcde")
    monkeypatch.setattr("cartulary.web.screen.MOST_FOLLOWED", 3)
    assert ids(client) == ["c", "d", "e"]
    assert client.get("/tables.json").json()["more"] == 2
    assert "2 more tables are not shown" in client.get("/tables").text
    named = client.get("/tables.json?" + "&".join(f"id={id}" for id in "abcd"))
    assert (named.status_code, named.json()["error"]) == (400, "4 tables are named; expected at most 3 on one screen.")
    assert MOST_FOLLOWED == 100


# --- what is shown ---


def test_a_card_says_who_plays_how_it_stands_and_the_result(store: Store, client: TestClient) -> None:
    tables(store, "a", Round="3", Event="Club")
    api.play(store, "a", api.WordsRequest(("4Ci3", "4Db6")))
    [table] = client.get("/tables.json").json()["tables"]
    assert table == {
        "id": "a",
        "game": "Cardmate",
        "event": "Club",
        "round": "3",
        "title": "Cardmate",
        "players": ["Ada", "Bela"],
        "version": 4,
        "ply": 2,
        "turn": "Ada to move",
        "last": "ply 2: 1. 4Ci3 4Db6",
        "result": "",
    }
    page = client.get("/tables").text
    for part in (
        "<span>Ada</span>",
        "<span>Bela</span>",
        "round 3",
        "Ada to move",
        "1. 4Ci3 4Db6",
        "<svg",
        "of 1 over",
    ):
        assert part in page, part
    api.close(store, "a", api.CloseRequest("1-0", termination="resignation"))
    assert client.get("/tables.json").json()["tables"][0]["result"] == "1-0"
    assert "closed, 1-0" in client.get("/tables").text


def test_a_screen_with_a_delay_is_behind_until_the_close(store: Store, client: TestClient) -> None:
    tables(store, "a")
    api.play(store, "a", api.WordsRequest(("4Ci3",)))
    assert client.get("/tables.json?delay=300").json()["delay"] == 300
    assert [client.get(f"/tables.json?delay={delay}").json()["tables"][0]["ply"] for delay in (0, 300)] == [1, 0]
    assert "4Ci3" not in client.get("/tables?delay=300").text
    assert "300 seconds behind" in client.get("/tables?delay=300").text
    api.close(store, "a", api.CloseRequest("1-0", termination="resignation"))
    assert client.get("/tables.json?delay=300").json()["tables"][0]["ply"] == 1


def test_markup_in_names_stands_as_text(store: Store, client: TestClient) -> None:
    api.open_game(
        store, api.NewRequest("cardmate", id="a", players=(HOSTILE, "B"), tags={"Event": HOSTILE, "Round": HOSTILE})
    )
    page = client.get("/tables").text
    assert "<img" not in page
    assert "run'</script>" not in page
    assert "&lt;img src=x" in page


def test_a_table_that_cannot_be_read_hides_no_other(store: Store, client: TestClient, tmp_path: Path) -> None:
    tables(store, "a", "b")
    store.index.rows("DROP TRIGGER events_are_not_edited")
    store.index.rows("UPDATE stored_events SET state = replace(state, 'Ada', 'Eve') WHERE originator_id = 'a'")
    page = client.get("/tables").text
    assert page.count("This game cannot be shown here") == 1
    assert "Bela" in page
    assert "Eve" not in page
    assert ids(client) == ["a", "b"]


# --- who gets what ---


@pytest.mark.parametrize("role", ["scribe", "p1", "rail", "arbiter"])
def test_a_link_opens_no_screen(store: Store, client: TestClient, role: str) -> None:
    tables(store, "a")
    browser = by_link(client, api.make_links(store, "a", api.LinksRequest((role,)))[0].secret)
    for address in ("/tables", "/tables.json", "/tables?id=a", "/tables?delay=soon"):
        answer = browser.get(address)
        assert (answer.status_code, answer.text) == (404, NOT_ADMITTED)


def test_the_screen_follows_as_the_rail_does_and_never_as_the_desk(
    served: tuple[Path, int, dict[str, str]],
) -> None:
    path, port, key = served
    with Store(path) as at_table:
        rail = cookie_by_link(port, at_table, "rail")
        streams = [Stream(port, "game=g&since=3&as=rail", **who) for who in (key, rail)]
        streams.append(Stream(port, "game=g&since=3", **key))
        api.play(at_table, "g", api.WordsRequest(("4Ci3",), by="somebody"))
        by_screen, by_rail, by_desk = (stream.events(1) for stream in streams)
        assert by_screen == by_rail
        assert (by_screen[0]["by"], by_desk[0]["by"]) == ("~", "somebody")
        for stream in streams:
            stream.close()
        late = Stream(port, "game=g&since=3&as=rail&delay=1", **key)
        api.play(at_table, "g", api.WordsRequest(("4Db6",)))
        assert [event["version"] for event in late.events(1)] == [4]
        late.close()


def test_a_screen_is_told_less_than_a_rail_that_is_told_verdicts(served: tuple[Path, int, dict[str, str]]) -> None:
    path, port, key = served
    with Store(path) as at_table:
        rail = cookie_by_link(port, at_table, "rail", verdicts=True)
        streams = [Stream(port, "game=g&since=2&as=rail", **who) for who in (rail, key)]
        api.play(at_table, "g", api.WordsRequest(("4Ci9",), stands=True))
        answers = [str(stream.events(1)) for stream in streams]
        assert [bool(re.search("cardmate[.]|legal moves", text)) for text in answers] == [True, False]
        for stream in streams:
            stream.close()


@pytest.mark.parametrize(
    ("words", "because"),
    [
        ("as=p1", "`as` is 'p1'; expected rail; leave it out to see everything on record."),
        ("as=desk", "`as` is 'desk'"),
        ("as=rail&as=rail", "as is given 2 times"),
        ("delay=5", "`delay` needs as=rail"),
        ("as=rail&delay=soon", "delay is 'soon'"),
        ("as=rail&delay=86401", "delay is '86401'"),
        ("view=rail", "'view' is not a parameter of /events"),
    ],
)
def test_a_stream_that_is_asked_wrongly_is_told_so(words: str, because: str) -> None:
    with pytest.raises(RequestFault, match=because):
        follower(Visitor("desk", EVERYTHING, "desk"), parse_qsl(words))


def test_a_link_keeps_its_own_delay(store: Store, client: TestClient) -> None:
    tables(store, "g", "h")
    browser = by_link(client, api.make_links(store, "g", api.LinksRequest(("rail",), delay=60))[0].secret)
    for asked in (browser.get("/events?game=g&view=rail"), client.get("/events?game=g&view=rail")):
        assert (asked.status_code, "'view' is not a parameter" in asked.json()["error"]) == (400, True)
    with pytest.raises(RequestFault, match="A link has a delay of its own"):
        follower(Visitor("rail", SPECTATOR, "rail", "g", 1, 60), [("game", "g"), ("delay", "0")])
    for words in ("game=h&delay=0", "game=g&game=h&delay=0", "game=h&view=x"):
        answer = browser.get(f"/events?{words}")
        assert (answer.status_code, answer.text) == (404, NOT_ADMITTED)


@pytest.mark.hunt
@pytest.mark.parametrize("key", GAMES)
def test_two_worlds_equal_to_the_rail_are_shown_alike(run: Run, tmp_path: Path, key: str) -> None:
    _, names = next(pairs_of(run, tmp_path, key, 0))
    replies = []
    for name in names[:2]:
        db = tmp_path / name / "games.db"
        with serving(db, writes=True) as client:
            answers = [client.get(f"/tables{way}") for way in ("", ".json", "?id=g", "?player=ada", "?delay=3")]
        replies.append([TIME.sub("TIME", answer.text) for answer in answers] + streamed(db, bystander(0)))
    assert replies[0] == replies[1]
    assert "g" in replies[0][0]
    assert not re.search("secret", "".join(replies[0]))


@pytest.mark.parametrize("key", FORKS)
def test_a_screen_tells_nothing_of_what_the_rules_say_though_the_record_is_not_quiet(
    run: Run, tmp_path: Path, key: str
) -> None:
    fork = FORKS[key]
    run("a", "new", key, "--id", "g", *fork.new)
    assert run("a", "move", "g", "--stands", *fork.words, fork.broken)[0] == "1"
    db = tmp_path / "a" / "games.db"
    with serving(db, writes=True) as client:
        answer = [client.get(f"/tables{way}").text for way in ("", ".json")] + streamed(db, bystander(0))
        assert f"{key}." in client.get("/games/g").text
    for text in answer:
        assert not VERDICT.search(text)
        assert not re.search(rf"\b{key}\.[a-z]", text)


# --- in a browser ---


@pytest.fixture(scope="module")
def room(whole_address: tuple[str, Path]) -> tuple[str, Path]:
    """Open three tables, fifty and two, and return the whole address and the database."""
    with Store(whole_address[1]) as store:
        for event, many in (("few", 3), ("many", 50), ("live", 2)):
            for number in range(many):
                players = (HOSTILE if (event, number) == ("few", 1) else "Ada Lovelace", "Bela Bartók")
                api.open_game(
                    store, api.NewRequest("chess", id=f"{event}-{number}", players=players, tags={"Event": event})
                )
                api.play(store, f"{event}-{number}", api.WordsRequest(("e4", "e5")))
    return whole_address


def test_axe_finds_nothing_and_few_tables_need_no_scrolling(browser: Any, room: tuple[str, Path]) -> None:
    seen = Seen(browser, room[0], viewport=PHONE)
    looked = ((PHONE, "dark"), (DESK, "light"), (PROJECTOR, "dark"))
    for event, many in (("few", 3), ("many", 50)):
        seen.go(f"/tables?event={event}")
        assert seen.page.locator("[data-table]").count() == many
        shown(seen.page, "[data-connection]", "connected")
        wrong = WRONG.replace("run()", "run({exclude: '.many > :nth-child(n+9)'})")
        hold_to_axe(seen.page, *looked[(many == 50) * 2 :], wrong=wrong)
        for size, _ in looked:
            seen.page.set_viewport_size(size)
            assert seen.page.evaluate("document.documentElement.scrollWidth") <= size["width"], (event, size)
        for size in (DESK, PROJECTOR)[many == 50 :]:
            seen.page.set_viewport_size(size)
            assert seen.page.evaluate("document.documentElement.scrollHeight") <= size["height"], (event, size)
        assert seen.page.title() != "run"
        assert seen.page.locator("img").count() == 0
    seen.close()


def test_every_card_stands_as_its_table_does_and_results_come(browser: Any, room: tuple[str, Path]) -> None:
    seen, db = Seen(browser, room[0], viewport=PROJECTOR), room[1]
    seen.go("/tables?event=live")
    shown(seen.page, "[data-connection]", "connected")
    with Store(db) as store:
        api.play(store, "live-1", api.WordsRequest(("Nf3",), by="p1"))
        shown(seen.page, "[data-table=live-1] .last", "2. Nf3")
        api.take_back(store, "live-1", api.UndoRequest())
        shown(seen.page, "[data-change]", "Plies were taken back")
        api.play(store, "live-1", api.WordsRequest(("Nc3",)))
        shown(seen.page, "[data-table=live-1] .last", "2. Nc3")
        assert not seen.page.locator("[data-change]:visible").count()
        api.close(store, "live-1", api.CloseRequest("0-1", termination="resignation"))
        shown(seen.page, "[data-table=live-1] .turn", "closed, 0-1")
        assert seen.page.text_content("[data-table=live-0] .last") == "ply 2: 1. e4 e5"
        assert seen.page.text_content("[data-closed]") == "1"
        tables = "document.querySelector('[data-tables]')"
        again = f"async () => (await import('{SCRIPT_FOLDER}/watch.js')).lookAgain({tables})"
        seen.page.evaluate(again)
        api.open_game(store, api.NewRequest("draughts", id="live-2", tags={"Event": "live"}))
        seen.by(lambda: seen.page.evaluate(again.replace("(await", "void (await")))
        assert seen.page.locator("[data-table]").count() == 3
    seen.close()
