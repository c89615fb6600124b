"""Links of persons at an evening: they open what links to their seats would, and nothing else, round after round."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.records.faults import Declined, Unfit
from cartulary.records.state import links
from cartulary.web.guard import NOT_ADMITTED, OWN_HEADER
from tests.web.served import Ear, addresses, by_link, serving, unlimited

WRITES = {OWN_HEADER: "1"}
TITLE = "Spring"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[api.Store]:
    with api.Store(tmp_path / "games.db") as opened:
        api.open_evening(opened, api.OpenEveningRequest(title=TITLE, date="2026.11.27"))
        api.record_presence(opened, api.PresenceRequest(evening=TITLE, persons=("Ann", "Bea", "Cy", "Di")))
        yield opened


@pytest.fixture
def server(store: api.Store) -> Iterator[TestClient]:
    with serving(store.path, key=None, writes=True) as client:
        unlimited(client)
        yield client


def table(store: api.Store, *players: str, game: str = "cardmate", **more: Any) -> str:
    request = api.SetTableRequest(evening=TITLE, game=game, players=players, **more)
    return api.set_table(store, request).table.game


def secrets(store: api.Store, **more: Any) -> dict[str, str]:
    made = api.make_evening_links(store, api.EveningLinksRequest(evening=TITLE, **more))
    return {each.link.person: each.secret for each in made}


def close(store: api.Store, id: str) -> None:
    api.close(store, id, api.CloseRequest("1-0", termination="resignation"))


def not_admitted(answer: Any) -> bool:
    return bool((answer.status_code, answer.text) == (404, NOT_ADMITTED))


def test_a_link_waits_for_a_seat_and_leads_on_from_round_to_round(store: api.Store, server: TestClient) -> None:
    secret = secrets(store)["Bea"]
    joined = server.post("/join", json={"secret": secret}, headers=WRITES)
    assert joined.json() == {"to": "/seat"}
    bea = by_link(server, secrets(store, persons=("Bea",))["Bea"])
    assert "You have no seat right now" in bea.get("/seat").text
    first = table(store, "Ann", "Bea")
    at = bea.get("/seat.json").json()
    assert at == {
        "evening": "Spring",
        "person": "Bea",
        "round": 1,
        "table": 1,
        "title": "Cardmate",
        "seat": "p2",
        "to": f"/games/{first}/table?as=p2",
        "before": "",
    }
    assert f'content="0;url={at["to"]}"' in bea.get("/seat").text
    page = bea.get(at["to"])
    assert page.status_code == 200
    assert "as p2 sees it" in page.text
    assert '<a href="/seat">My seat</a>' in page.text
    close(store, first)
    waits = bea.get("/seat.json").json()
    assert (waits["to"], waits["before"]) == ("", f"/games/{first}?as=p2")
    assert bea.get(waits["before"]).status_code == 200
    second = table(store, "Bea", "Cy", round=2)
    at = bea.get("/seat.json").json()
    assert (at["round"], at["seat"], at["to"]) == (2, "p1", f"/games/{second}/table?as=p1")
    assert "as p1 sees it" in bea.get(at["to"]).text


def test_a_link_opens_no_game_where_its_person_has_no_seat(store: api.Store, server: TestClient) -> None:
    mine, other = table(store, "Ann", "Bea"), table(store, "Cy", "Di")
    ann = by_link(server, secrets(store)["Ann"])
    for path in addresses(True, id=other, ply="1", game="cardmate", key="cardmate.reach"):
        if other in path:
            assert not_admitted(ann.get(path)), path
    for role in ("p2", "scribe", "rail", "arbiter", "reader", "person"):
        assert not_admitted(ann.get(f"/games/{mine}?as={role}")), role
    for path in ("/games", "/search", "/stats", "/new", "/arbiter", "/tables", f"/games/{mine}/links"):
        assert not_admitted(ann.get(path)), path
    written = ann.post(f"/games/{other}/words", json={"command": "c", "words": "4Ci3"}, headers=WRITES)
    assert not_admitted(written)
    with Ear(ann, f"game={other}&since=0") as ear:
        assert ear.status == 404


def test_a_person_writes_as_the_seat_and_only_its_own_words(store: api.Store, server: TestClient) -> None:
    mine = table(store, "Ann", "Bea")
    made = secrets(store)
    ann, bea = by_link(server, made["Ann"]), by_link(server, made["Bea"])
    body = {"command": "c1", "words": "4Ci3"}
    assert bea.post(f"/games/{mine}/words", json=body, headers=WRITES).status_code != 200
    assert ann.post(f"/games/{mine}/words", json=body, headers=WRITES).status_code == 200
    assert api.load(store, mine).recorded[-1].event.by == "p1"


@pytest.mark.parametrize("person", ["Ann", "Bea"])
def test_a_persons_link_shows_what_a_link_to_the_seat_shows(store: api.Store, server: TestClient, person: str) -> None:
    id = table(store, "Ann", "Bea", "Cy", "Di", game="tarot", seats=4)
    seat = f"p{('Ann', 'Bea').index(person) + 1}"
    whole = by_link(server, secrets(store)[person])
    [made] = api.make_links(store, id, api.LinksRequest((seat,)))
    plain = by_link(server, made.secret)
    nav = '<a href="/seat">My seat</a>\n'
    asked = 0
    for path in addresses(True, id=id, ply="0", game="tarot", key="tarot.follow-suit"):
        if path.startswith("/seat"):
            continue
        one, other = whole.get(path), plain.get(path)
        assert (one.status_code, one.text.replace(nav, "")) == (other.status_code, other.text), path
        asked += one.status_code == 200
    assert asked > 10


def test_games_are_quiet_where_links_ask_for_it(store: api.Store) -> None:
    first = table(store, "Ann", "Bea")
    secrets(store, persons=("Ann",), verdicts=True)
    assert not api.load(store, first).book.quiet
    secrets(store)
    assert api.load(store, first).book.quiet
    assert api.load(store, table(store, "Cy", "Di")).book.quiet
    for number in api.links_of(store).by_number:
        api.revoke_link(store, api.RevokeRequest(number))
    close(store, first)
    assert not api.load(store, table(store, "Ann", "Bea", round=2)).book.quiet


def test_a_revoked_link_opens_nothing(store: api.Store, server: TestClient) -> None:
    id = table(store, "Ann", "Bea")
    ann = by_link(server, secrets(store)["Ann"])
    [number] = [link.number for link in api.links_of(store).by_number.values() if link.person == "Ann"]
    api.revoke_link(store, api.RevokeRequest(number))
    for path in ("/seat", "/rules", f"/games/{id}/table"):
        assert not_admitted(ann.get(path)), path


def test_a_link_is_for_one_phone(store: api.Store, server: TestClient) -> None:
    secret = secrets(store)["Ann"]
    by_link(server, secret)
    assert not_admitted(server.post("/join", json={"secret": secret}, headers=WRITES))


def test_a_day_after_its_close_a_game_is_not_shown_any_more(
    store: api.Store, server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = table(store, "Ann", "Bea")
    ann = by_link(server, secrets(store)["Ann"])
    close(store, id)
    assert ann.get(f"/games/{id}").status_code == 200
    monkeypatch.setattr(links, "AFTERWARDS", links.AFTERWARDS * 0)
    assert not_admitted(ann.get(f"/games/{id}"))
    assert ann.get("/seat.json").json()["before"] == ""


def test_a_seat_that_two_names_of_one_person_have_is_nobodys(store: api.Store, server: TestClient) -> None:
    id = table(store, "ann", "Bea", "Ann", game="tarot")
    ann = by_link(server, secrets(store)["Ann"])
    assert ann.get(f"/games/{id}?as=p3").status_code == 200
    api.merge_people(store, api.MergeRequest(name="ann", into="Ann"))
    assert not_admitted(ann.get(f"/games/{id}"))


def test_who_sits_out_has_no_seat(store: api.Store, server: TestClient) -> None:
    api.record_presence(store, api.PresenceRequest(evening=TITLE, persons=("Eve",)))
    id = table(store, "Ann", "Bea", "Cy", "Di", "Eve", game="tarot", seats=4)
    ann = by_link(server, secrets(store)["Ann"])
    assert "You sit out this deal at table 1" in ann.get("/seat").text
    assert not_admitted(ann.get(f"/games/{id}/table"))


def test_links_are_made_for_whoever_has_none(store: api.Store) -> None:
    assert list(secrets(store)) == ["Ann", "Bea", "Cy", "Di"]
    with pytest.raises(Declined, match="Everybody at Spring has a link"):
        secrets(store)
    api.record_presence(store, api.PresenceRequest(evening=TITLE, persons=("Eve",)))
    assert list(secrets(store)) == ["Eve"]
    with pytest.raises(Unfit, match="Zed is not at Spring"):
        secrets(store, persons=("Zed",))
    assert list(secrets(store, persons=("Ann",), command="c")) == ["Ann"]
    with pytest.raises(Declined, match="made by this command before"):
        secrets(store, persons=("Ann",), command="c")


def test_the_operator_is_told_what_the_page_of_a_persons_link_is_for(store: api.Store) -> None:
    with serving(store.path, writes=True) as operator:
        for path in ("/seat", "/seat.json"):
            answer = operator.get(path)
            assert answer.status_code == 404
            assert "link for an evening" in answer.text


def test_a_page_that_waits_leads_on_to_the_table_once_it_is_set(browser: Any, address: tuple[str, Path]) -> None:
    base, db = address
    with api.Store(db) as store:
        api.open_evening(store, api.OpenEveningRequest(title="Waiting", date="2026.11.27"))
        api.record_presence(store, api.PresenceRequest(evening="Waiting", persons=("Wim", "Xia")))
        [made] = api.make_evening_links(store, api.EveningLinksRequest(evening="Waiting", persons=("Wim",)))
        page = browser.new_context().new_page()
        page.goto(f"{base}/join#{made.secret}")
        page.wait_for_url("**/seat")
        assert "You have no seat right now" in page.inner_text("main")
        api.set_table(store, api.SetTableRequest(evening="Waiting", game="cardmate", players=("Wim", "Xia")))
    page.wait_for_url("**/games/waiting-1-1/table?as=p1")
    page.context.close()
