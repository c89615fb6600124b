"""What everybody at a table is told in words: which position is shown, who did what, and what came of it."""

import re

from starlette.testclient import TestClient

from cartulary.notation import examine, loads
from cartulary.records import api
from tests.places import SAMPLES
from tests.web.served import by_link, serving
from tests.web.test_table import OWN, seat, sent, state
from tests.web.test_table import scribe as scribe
from tests.web.test_table import store as store


def said(page: str) -> str:
    """Return a page as somebody reads it, without its marks."""
    return " ".join(re.sub("<[^>]*>", " ", page).split())


def test_a_position_that_is_one_of_many_says_so_wherever_it_is_drawn(
    store: api.Store, server: TestClient, scribe: TestClient
) -> None:
    rail, one = (seat(store, server, role) for role in ("rail", "p1"))
    sent(scribe, "words", words="4Ci3 ~")
    with serving(store.path, writes=True) as at_desk:
        for page in (
            *(each.get("/games/g/table").text for each in (scribe, one)),
            rail.get("/games/g/watch").text,
            *(at_desk.get(path).text for path in ("/games/g", "/tables", "/games/g/sheet", "/games/g/replay")),
        ):
            drawing = page.partition("<svg")[2].partition("</svg>")[0]
            assert re.search("One of [0-9]+ positions that fit: ply 2 was not written down", said(drawing)), said(page)
    sent(scribe, "undo")
    assert "positions that fit" not in scribe.get("/games/g/table").text


def news(browser: TestClient) -> list[str]:
    return [says for _, says, _ in state(browser)["news"]]


def test_a_scribe_who_does_not_play_is_told_of_a_seats_breach_and_of_what_stands(
    store: api.Store, server: TestClient, scribe: TestClient
) -> None:
    one, two = (seat(store, server, role) for role in ("p1", "p2"))
    sent(scribe, "words", words="4Ci9", stands=True)
    [_, says, kind] = state(scribe)["news"][-1]
    assert says.startswith("Ada played 4C:i9, ply 1: let stand although it breaks cardmate.")
    assert kind == "error"
    sent(two, "words", words="4Db1")
    [_, says, kind] = state(scribe)["news"][-1]
    assert says.startswith("Bela played 4Db1, ply 2: irregular under cardmate.")
    assert kind == "error"
    assert "4Db1 ✗" in state(scribe)["last"]
    for quiet in (one, two):
        assert state(quiet)["news"][-1][1:] == ["Bela played 4Db1, ply 2: written", ""]
        assert "✗" not in quiet.get("/games/g/table").text
    sent(scribe, "undo", plies=2)
    sent(scribe, "words", words="4ci3")
    assert state(scribe)["news"][-1][1:] == ["Ada played 4Ci3, ply 1: legal", "legal"]
    sent(scribe, "words", words="~")
    assert news(scribe)[-1] == "Ply 2 was played but not written down"


def test_a_take_back_is_told_to_everybody_by_names_plies_and_words(
    store: api.Store, server: TestClient, scribe: TestClient
) -> None:
    one, two, rail = (seat(store, server, role) for role in ("p1", "p2", "rail"))
    sent(scribe, "words", words="4Ci3 4Db6")
    sent(two, "undo", agreed="p1", reason="slipped")
    text = "Bela took back ply 2, 4Db6; Ada agreed"
    assert [news(each)[-1] for each in (one, two, scribe)] == [text, text, f"{text}: slipped"]
    sent(scribe, "words", words="4Db6")
    sent(scribe, "undo", plies=2)
    assert news(one)[-1] == "The scribe took back plies 1–2, 4Ci3 4Db6; nobody was asked"
    assert state(one)["turn"] == "Ada to move"
    sent(scribe, "close", result="1-0", termination="resignation")
    assert news(one)[-1] == "Closed, 1-0: Ada won (resignation)"
    assert state(one)["turn"].startswith("closed, 1-0: Ada won")
    assert "closed, 1-0: Ada won" in said(rail.get("/games/g/watch").text)


def test_a_dispute_and_a_ruling_are_told_with_the_ply_and_what_was_decided(
    store: api.Store, server: TestClient, scribe: TestClient
) -> None:
    one, two, arbiter = (seat(store, server, role) for role in ("p1", "p2", "arbiter"))
    sent(scribe, "words", words="4Ci3")
    sent(two, "words", words="4Db6")
    sent(one, "disputes", ply=2, claim="I said stop")
    assert news(scribe)[-1] == "Ada disputes ply 2, 4Db6: I said stop"
    assert news(one)[-1] == "Ada disputes ply 2, 4Db6"
    sent(arbiter, "rulings", decision="stands", arbiter="C. Umpire", plies=[2], reason="too late")
    assert news(one)[-1] == "C. Umpire ruled on ply 2, 4Db6: stands"
    assert news(scribe)[-1] == "C. Umpire ruled on ply 2, 4Db6: stands: too late"


def test_what_a_ply_proves_is_told_once_it_is_written(store: api.Store, server: TestClient) -> None:
    words = loads((SAMPLES / "tarot" / "games" / "table-revoke.cgn").read_bytes())[0]
    tags = {name: value for name, value in words.tags if name in ("Variant", "Options")}
    api.open_game(store, api.NewRequest("tarot", id="t", tags=tags, seats=4))
    scribe = by_link(server, api.make_links(store, "t", api.LinksRequest(("scribe",)))[0].secret)
    proof = next(one for one in examine(words).report.findings if one.decided_by)
    assert proof.decided_by is not None
    api.play(store, "t", api.WordsRequest(words.line.words[: proof.decided_by], stands=True))
    answer = scribe.get("/games/t/table.json").json()["news"][-1][1]
    assert answer.endswith(f"proves that ply {proof.ply}, {proof.move}, broke {proof.key}")


def test_a_card_is_called_as_players_call_it_with_the_word_beside_it(store: api.Store, server: TestClient) -> None:
    api.open_game(store, api.NewRequest("tarot", id="t", variant="fft", players=("Ada", "Bela", "Cy", "Di")))
    api.play(store, "t", api.WordsRequest("pass garde pass pass ~,~,~,~,~,~-"))
    scribe = by_link(server, api.make_links(store, "t", api.LinksRequest(("scribe",)))[0].secret)
    for typed, says in (
        ("10s", "Ada played ♠10 (XS), ply 6: legal"),
        ("t9", "Bela played trump 9 (T09), ply 7: cannot be known yet: cards are hidden; Bela may have held 1S–9S"),
        ("excuse", "Cy played the fool (T00), ply 8: legal"),
    ):
        assert scribe.post("/games/t/words", json={"words": typed, "command": typed}, headers=OWN).status_code == 200
        assert scribe.get("/games/t/table.json").json()["news"][-1][1].startswith(says)
    assert ">Undo Fool</button>" in scribe.get("/games/t/table").text
    scribe.post("/games/t/undo", json={"plies": 1, "command": "undo"}, headers=OWN)
    says = scribe.get("/games/t/table.json").json()["news"][-1][1]
    assert says.startswith("The scribe took back ply 8, the fool (T00)")
