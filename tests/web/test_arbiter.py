"""The arbiter's desk: what is open, broken and disputed, why, what a ruling would change, and who may say what."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.web.guard import NOT_ADMITTED, OWN_HEADER
from tests.cli.test_replay_in_browser import DESK, HOSTILE, PHONE, hold_to_axe
from tests.web.phones import Phone, opened
from tests.web.served import HEADER, by_link, serving

OWN = {OWN_HEADER: "1"}
BROKEN = ("4Ci3", "4Db6", "9Ci9")
"""Words of Cardmate, the last of which breaks a rule and is let stand."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[api.Store]:
    with api.Store(tmp_path / "games.db") as opened:
        for id in ("g", "other"):
            api.open_game(opened, api.NewRequest("cardmate", id=id, players=("Ada", "Bela")))
        api.play(opened, "g", api.WordsRequest(BROKEN, stands=True))
        yield opened


@pytest.fixture
def arbiter(store: api.Store, server: TestClient) -> TestClient:
    return comer(store, server, "arbiter")


def comer(store: api.Store, server: TestClient, role: str, id: str = "g") -> TestClient:
    return by_link(server, api.make_links(store, id, api.LinksRequest((role,)))[0].secret)


def sent(browser: TestClient, what: str, **body: object) -> Any:
    return browser.post(f"/games/g/{what}", json={"command": f"{what}{body}"} | body, headers=OWN)


def told(browser: TestClient) -> Any:
    answer = browser.get("/games/g/arbiter.json")
    assert answer.status_code == 200, answer.text
    return answer.json()


# --- what is seen ---


def test_a_breach_is_told_with_its_rule_and_its_story(arbiter: TestClient) -> None:
    fields = told(arbiter)
    assert [(one["ply"], one["key"], one["severity"]) for one in fields["findings"]] == [(3, "cardmate.reach", "error")]
    [story] = fields["stories"]
    assert (story["ply"], story["word"], story["seat"], story["verdict"]) == (3, "9C:i9", "p1", "refused")
    page = arbiter.get("/games/g/arbiter").text
    for part in ("cardmate.reach", "A card goes only where its rank lets it go.", "does not reach i9", "Ply 3"):
        assert part in page, part


def test_a_dispute_and_its_ruling_are_on_the_page_until_it_is_answered(
    store: api.Store, server: TestClient, arbiter: TestClient
) -> None:
    player = comer(store, server, "p2")
    raised = sent(player, "disputes", ply=3, claim="the nine cannot go there")
    assert (raised.status_code, raised.json()["dispute"]["by"]) == (200, "p2")
    [claim] = told(arbiter)["disputes"]
    assert (claim["claim"], claim["status"]) == ("the nine cannot go there", "open")
    page = arbiter.get(f"/games/g/arbiter?dispute={claim['number']}").text
    assert f"<option selected>{claim['number']}</option>" in page
    ruled = sent(arbiter, "rulings", dispute=claim["number"], decision="void", arbiter="C. Arbiter")
    assert ruled.status_code == 200, ruled.text
    fields = told(arbiter)
    assert fields["disputes"][0]["status"] == "ruled"
    assert (fields["findings"], [one["decision"] for one in fields["rulings"]]) == ([], ["void"])
    assert api.load(store, "g").words == ("4Ci3", "4Db6")
    assert [(line.by, line.kind) for line in api.log(store, "g")[-2:]] == [
        ("p2", "dispute-raised"),
        ("arbiter", "ruling-given"),
    ]
    assert 'value="C. Arbiter"' in arbiter.get("/games/g/arbiter").text


def test_the_form_is_filled_with_what_the_address_names(arbiter: TestClient) -> None:
    page = arbiter.get("/games/g/arbiter?ply=3").text
    assert 'name="plies"' in page
    assert 'value="3"' in page
    assert 'value="cardmate.reach"' in page
    for wrong in ("ply=x", "ply=9", "dispute=-1", "seat=p2"):
        assert arbiter.get(f"/games/g/arbiter?{wrong}").status_code == 400, wrong


def test_the_form_cites_what_a_dispute_is_about_and_no_rule_that_a_ruling_cannot_cite(
    store: api.Store, server: TestClient, arbiter: TestClient
) -> None:
    number = sent(comer(store, server, "p2"), "disputes", ply=3, claim="x").json()["dispute"]["number"]
    assert 'value="cardmate.reach"' in arbiter.get(f"/games/g/arbiter?dispute={number}").text
    api.play(store, "other", api.WordsRequest(("4Ci3", "~")))
    missed = api.dispute(store, "other", api.DisputeRequest(2, by="p2", claim="x")).dispute.number
    page = comer(store, server, "arbiter", "other").get(f"/games/other/arbiter?dispute={missed}").text
    assert "record.gap" in page
    assert 'value="record.gap"' not in page


def test_all_tables_are_counted_and_those_with_something_stand_first(store: api.Store) -> None:
    api.dispute(store, "g", api.DisputeRequest(1, by="p1", claim="not so"))
    with serving(store.path, writes=True) as server:
        rows = {row["id"]: row for row in server.get("/arbiter.json").json()["games"]}
        assert {id: (row["breaches"], row["disputes"]) for id, row in rows.items()} == {"g": (1, 1), "other": (0, 0)}
        page = server.get("/arbiter").text
        assert page.index("/games/g/arbiter") < page.index("/games/other/arbiter")
        api.rule(store, "g", api.RulingRequest((3,), arbiter="C", decision="stands"))
        api.rule(store, "g", api.RulingRequest((1,), arbiter="C", decision="stands"))
        settled = {row["id"]: row for row in server.get("/arbiter.json").json()["games"]}["g"]
        assert (settled["breaches"], settled["disputes"]) == (0, 0)


def test_an_arbiters_links_show_their_own_tables_and_no_others(
    store: api.Store, server: TestClient, arbiter: TestClient
) -> None:
    def ids() -> list[str]:
        return [row["id"] for row in arbiter.get("/arbiter.json").json()["games"]]

    assert ids() == ["g"]
    [link] = api.make_links(store, "other", api.LinksRequest(("arbiter",)))
    arbiter.post("/join", json={"secret": link.secret}, headers=OWN)
    assert sorted(ids()) == ["g", "other"]
    api.revoke_link(store, api.RevokeRequest(link.link.number))
    assert ids() == ["g"]
    api.revoke_link(store, api.RevokeRequest(1))
    assert (arbiter.get("/arbiter").status_code, arbiter.get("/arbiter").text) == (404, NOT_ADMITTED)


def test_a_game_closed_long_ago_is_at_no_table(
    store: api.Store, server: TestClient, arbiter: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.close(store, "g", api.CloseRequest("1-0", termination="resignation"))

    def shown(browser: TestClient) -> list[str]:
        return [row["id"] for row in browser.get("/arbiter.json", headers=HEADER).json()["games"]]

    assert sorted(shown(server)) == ["g", "other"]
    assert arbiter.get("/arbiter").status_code == 200
    monkeypatch.setattr("cartulary.records.state.links.AFTERWARDS", timedelta(0))
    assert shown(server) == ["other"]
    assert (arbiter.get("/arbiter").status_code, arbiter.get("/arbiter").text) == (404, NOT_ADMITTED)


def test_an_arbiters_link_leads_to_the_arbiters_page(store: api.Store, server: TestClient) -> None:
    [link] = api.make_links(store, "g", api.LinksRequest(("arbiter",)))
    joined = server.post("/join", json={"secret": link.secret}, headers=OWN)
    assert joined.json() == {"to": "/games/g/arbiter?as=arbiter"}


def test_of_a_quiet_record_the_arbiter_is_told_and_a_quiet_server_tells_nobody(store: api.Store) -> None:
    api.make_links(store, "g", api.LinksRequest(("p1",)))
    assert api.load(store, "g").book.quiet
    for quiet, found in ((False, 1), (True, 0)):
        with serving(store.path, writes=True, quiet=quiet) as server:
            fields = told(server)
            assert (len(fields["findings"]), fields.get("quiet", False)) == (found, quiet)
            assert ("cardmate.reach" in server.get("/games/g/arbiter").text) is not quiet
            assert server.get("/arbiter.json").json()["games"][0]["breaches"] == found


# --- what is written ---


def test_what_a_ruling_would_change_is_said_and_nothing_is_stored(store: api.Store, arbiter: TestClient) -> None:
    before = len(api.log(store, "g"))
    asked = {"plies": [2], "decision": "void", "arbiter": "C"}
    would = sent(arbiter, "rulings", **asked, dry=True).json()
    assert would["says"][:3] == [
        "ruling 6 by C on ply 2, 4Db6, which is gone: void",
        "ply 3 would be 2",
        "ply 2, 9C:i9, is now p2's instead of p1's",
    ]
    assert (would["stored"], would["tail"]["conflict"], len(api.log(store, "g"))) == (False, 2, before)
    is_ = sent(arbiter, "rulings", **asked).json()
    assert (is_["stored"], is_["says"][1]) == (True, "ply 3 is now 2")
    assert sent(arbiter, "rulings", **asked).json() == is_
    assert len(api.log(store, "g")) == before + 1


@pytest.mark.parametrize(
    ("what", "body", "status", "because"),
    [
        ("rulings", {"decision": "stands", "arbiter": "C"}, 400, "Say which plies"),
        ("rulings", {"plies": [9], "decision": "void", "arbiter": "C"}, 409, "no ply 9"),
        ("rulings", {"plies": [0, 1], "decision": "void", "arbiter": "C"}, 400, "give it alone"),
        ("rulings", {"plies": [3], "decision": "shame", "arbiter": "C"}, 400, "'shame' is not a decision"),
        ("rulings", {"plies": [3], "decision": "stands", "arbiter": " "}, 400, "who rules"),
        ("rulings", {"plies": [3], "decision": "stands"}, 400, "`arbiter` is missing"),
        ("rulings", {"plies": [3], "decision": "stands", "arbiter": "C", "by": "p1"}, 400, "unknown field `by`"),
        (
            "rulings",
            {"plies": [3], "decision": "penalty", "arbiter": "C", "penalties": {"x": "1"}},
            400,
            "is not a seat",
        ),
        ("rulings", {"plies": [3], "decision": "stands", "arbiter": "C", "keys": ["x.y"]}, 400, "no rule 'x.y'"),
        ("rulings", {"dispute": 4, "decision": "stands", "arbiter": "C"}, 409, "no dispute 4"),
        ("rulings", {"plies": [3], "decision": "amended", "words": "zz", "arbiter": "C"}, 422, "zz"),
        ("rulings", {"plies": [3], "decision": "amended", "words": [""], "arbiter": "C"}, 422, "one word a ply"),
        ("rulings", {"plies": [3], "decision": "amended", "words": ["a b"], "arbiter": "C"}, 422, "one word a ply"),
        ("rulings", {"plies": [3], "decision": "amended", "words": ["1-0"], "arbiter": "C"}, 400, "1-0 is a result"),
        ("disputes", {"ply": 9, "claim": "x"}, 409, "no ply 9"),
        ("disputes", {"ply": 3, "claim": " "}, 400, "what is claimed"),
        ("disputes", {"ply": 3, "claim": "x", "who": "p9"}, 400, "p9"),
        ("disputes/withdraw", {"dispute": 3}, 409, "no dispute 3"),
    ],
)
def test_what_is_no_ruling_and_no_dispute_is_said_and_stores_nothing(
    store: api.Store, arbiter: TestClient, what: str, body: dict[str, object], status: int, because: str
) -> None:
    before = len(api.log(store, "g"))
    answer = sent(arbiter, what, **body)
    assert (answer.status_code, because in answer.json()["error"]) == (status, True), answer.text
    assert len(api.log(store, "g")) == before


def test_who_disputes_comes_from_a_seats_link_and_from_a_scribes_word(store: api.Store, server: TestClient) -> None:
    player, scribe = comer(store, server, "p2"), comer(store, server, "scribe")
    assert sent(player, "disputes", ply=1, claim="x", who="p1").status_code == 400
    mine = sent(player, "disputes", ply=1, claim="x").json()["dispute"]["number"]
    assert sent(scribe, "disputes", ply=2, claim="y", who="p1").json()["dispute"]["by"] == "p1"
    other = [one.number for one in api.disputes_of(api.load(store, "g")) if one.by == "p1"]
    assert sent(player, "disputes/withdraw", dispute=other[0]).status_code == 409
    assert sent(player, "disputes/withdraw", dispute=mine, reason="a mistake").status_code == 200
    assert [one.status for one in api.disputes_of(api.load(store, "g"))] == ["withdrawn", "open"]


@pytest.mark.parametrize("role", ["rail", "scribe", "p1"])
def test_nobody_but_the_arbiter_rules(store: api.Store, server: TestClient, role: str) -> None:
    browser = comer(store, server, role)
    asked = {"plies": [3], "decision": "void", "arbiter": "C"}
    for answer in (sent(browser, "rulings", **asked), sent(browser, "rulings", **asked, dry=True)):
        assert (answer.status_code, answer.text) == (404, NOT_ADMITTED)
    assert browser.get("/games/g/arbiter").status_code == browser.get("/arbiter").status_code == 404
    assert api.load(store, "g").plies == 3


def test_a_closed_game_is_disputed_and_ruled_on(store: api.Store, server: TestClient, arbiter: TestClient) -> None:
    player = comer(store, server, "p1")
    api.close(store, "g", api.CloseRequest("0-1", termination="resignation"))
    assert 'data-deed="/games/g/disputes?as=p1"' in player.get("/games/g/table").text
    assert sent(player, "disputes", ply=0, claim="it was a draw").status_code == 200
    answer = sent(arbiter, "rulings", plies=[0], decision="result", result="1/2-1/2", arbiter="C")
    assert answer.json()["says"][-1] == "closed, 1/2-1/2, adjudication"
    with serving(store.path, writes=True) as server:
        assert server.get("/arbiter.json", headers=HEADER).json()["games"][0]["result"] == "1/2-1/2"


# --- in a browser ---


def test_a_dispute_is_ruled_on_with_a_look_at_what_it_changes(browser: Any, address: tuple[str, Path]) -> None:
    id = opened(address, "cardmate", "ruled", (HOSTILE, "Bela"))
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest(BROKEN, stands=True))
    player = Phone(browser, address, id, "p2")
    arbiter = Phone(browser, address, id, "arbiter")
    player.page.click("summary:text('Dispute')")
    player.page.fill("input[name=claim]", f"not there {HOSTILE}")
    player.page.click("button:text('Dispute')")
    arbiter.page.click("a:has-text('A dispute was raised')")
    arbiter.page.click("text=/Rule on dispute/")
    arbiter.page.select_option("select[name=decision]", "amended")
    arbiter.page.fill("input[name=words]", "9Cb1")
    arbiter.page.select_option("select[name=decision]", "void")
    assert not arbiter.page.is_visible("input[name=words]")
    arbiter.page.fill("input[name=arbiter]", "C. Arbiter")
    arbiter.page.click("text=What the ruling would change")
    arbiter.page.wait_for_selector("[data-would] li")
    assert "on ply 3, 9C:i9" in arbiter.page.inner_text("[data-would]")
    assert len(arbiter.words()) == 3
    hold_to_axe(arbiter.page, (DESK, "light"), (PHONE, "dark"))
    with arbiter.page.expect_navigation():
        arbiter.page.click("button:text-is('Rule')")
    assert "Nothing is left to be ruled on" in arbiter.page.inner_text("main")
    assert arbiter.words() == BROKEN[:2]
    player.page.wait_for_function("() => document.querySelector('[data-plies]').dataset.plies === '2'")
    arbiter.page.goto(f"{address[0]}/arbiter")
    hold_to_axe(arbiter.page, (PHONE, "dark"), (DESK, "light"))
    arbiter.close()
    player.close()


def test_a_ply_that_is_disputed_is_the_one_that_was_last_when_the_form_was_opened(
    browser: Any, address: tuple[str, Path]
) -> None:
    id = opened(address, "cardmate", "moving")
    player = Phone(browser, address, id, "p2")
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest(BROKEN[:2]))
    player.page.wait_for_function("() => document.querySelector('[data-plies]').dataset.plies === '2'")
    player.page.click("summary:text('Dispute')")
    before = player.version
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest(BROKEN[2:], stands=True))
    player.written(before)
    assert player.page.input_value("input[name=ply]") == "2"
    player.page.click("summary:text('Dispute')")
    player.page.click("summary:text('Dispute')")
    player.page.wait_for_function("() => document.querySelector('input[name=ply]').value === '3'")
    player.close()


def test_players_are_shown_as_people_are_called_now(store: api.Store, arbiter: TestClient) -> None:
    assert "Ada Byron" not in arbiter.get("/games/g/arbiter").text
    api.rename_person(store, api.RenameRequest(name="Ada", to="Ada Byron"))
    assert "Ada Byron" in arbiter.get("/games/g/arbiter").text
    with serving(store.path, writes=True) as server:
        assert {row["players"].count("Ada Byron") for row in server.get("/arbiter.json").json()["games"]} == {1}


def test_each_ply_is_one_line_the_newest_first_and_its_story_opens(server: TestClient, store: api.Store) -> None:
    api.open_game(store, api.NewRequest("chess", id="lines"))
    for word in ("e5", "e6", "Ng1h4", "Ng8h5"):
        api.play(store, "lines", api.WordsRequest((word,), stands=True))
    arbiter = comer(store, server, "arbiter", "lines")
    page = arbiter.get("/games/lines/arbiter").text
    assert re.findall(r'<details class="case irregular"( open)?><summary>Ply (\d+):', page) == [
        ("", "4"),
        ("", "3"),
        ("", "1"),
    ]
    page = arbiter.get("/games/lines/arbiter?ply=3").text
    assert re.findall(r'<details class="case irregular" open><summary>Ply (\d+):', page) == ["3"]
    stories = arbiter.get("/games/lines/arbiter.json").json()["stories"]
    assert [story["ply"] for story in stories] == [1, 3, 4]
