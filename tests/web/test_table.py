"""A game written on its page: typed and tapped, refused words that stand, what was missed, undo, notes, close."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.notation.roster import every_game
from cartulary.records import api
from cartulary.records.state.agreements import agreements_of
from cartulary.web.guard import NOT_ADMITTED, OWN_HEADER
from tests.cli.test_replay_in_browser import DESK, HOSTILE, PHONE, SMALL, hold_to_axe
from tests.laws.test_quiet import FORKS
from tests.web.phones import Phone, opened
from tests.web.served import by_link, serving
from tests.web.test_streams import shown

OWN = {OWN_HEADER: "1"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[api.Store]:
    with api.Store(tmp_path / "games.db") as opened:
        api.open_game(opened, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
        yield opened


@pytest.fixture
def scribe(store: api.Store, server: TestClient) -> TestClient:
    return by_link(server, api.make_links(store, "g", api.LinksRequest(("scribe",)))[0].secret)


def seat(store: api.Store, server: TestClient, role: str, **more: Any) -> TestClient:
    return by_link(server, api.make_links(store, "g", api.LinksRequest((role,), **more))[0].secret)


def sent(browser: TestClient, what: str, **body: object) -> Any:
    if what != "trial":
        body = {"command": f"{what}{body}"} | body
    return browser.post(f"/games/g/{what}", json=body, headers=OWN)


def state(browser: TestClient) -> Any:
    answer = browser.get("/games/g/table.json")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_table_says_how_it_stands_and_what_may_be_tapped(scribe: TestClient) -> None:
    first = state(scribe)
    assert (first["ply"], first["version"], first["closed"], first["quiet"]) == (0, 2, False, False)
    assert len(first["offers"]) > 20
    assert sent(scribe, "words", words="4Ci3 4Db6", expected=2).status_code == 200
    then = state(scribe)
    assert (then["ply"], then["version"]) == (2, 4)
    assert then["turn"].startswith("Ada to move")
    assert then["last"] == "ply 2: 1. 4Ci3 4Db6"
    page = scribe.get("/games/g/table").text
    assert 'data-version="4"' in page
    assert "Ada – Bela" in page


@pytest.mark.parametrize(
    ("words", "kind", "says", "stands"),
    [
        ("4Ci3", "legal", "legal", False),
        ("4ci3", "legal", "legal, will be written as 4Ci3", False),
        ("4Ci9", "error", "refused, cardmate.", True),
        ("4Ci", "error", "unreadable", False),
        ("", "", "Ada to move", False),
        ("4Ci3 {x}", "error", "Comments, glyphs and variations", False),
    ],
)
def test_what_is_typed_is_judged_and_not_stored(
    store: api.Store, scribe: TestClient, words: str, kind: str, says: str, stands: bool
) -> None:
    answer = sent(scribe, "trial", words=words)
    assert answer.status_code == 200
    assert (answer.json()["kind"], answer.json()["stands"]) == (kind, stands), answer.text
    assert says in answer.json()["says"]
    assert api.load(store, "g").plies == 0


def test_everything_a_scribe_writes_is_one_request_each_and_a_repeated_one_is_harmless(
    store: api.Store, scribe: TestClient
) -> None:
    for what, body in (
        ("words", {"words": "4Ci3 4Db6 ~"}),
        ("undo", {"plies": 1, "agreed": "p2", "reason": "written twice"}),
        ("note", {"ply": 1, "text": "! bold"}),
        ("clock", {"ply": 2, "clock": "0:12:30"}),
        ("close", {"result": "1-0", "termination": "resignation"}),
    ):
        first, again = (sent(scribe, what, **body) for _ in range(2))
        assert (first.status_code, first.text) == (200, again.text), what
    answers = [line.says for line in api.log(store, "g")]
    assert len(answers) == 9
    assert {line.by for line in api.log(store, "g")[2:]} == {"scribe"}
    assert "closed" in scribe.get("/games/g/table").text


def test_an_undo_is_reversed_on_the_page(store: api.Store, server: TestClient, scribe: TestClient) -> None:
    player = seat(store, server, "p1")
    sent(scribe, "words", words="4Ci3 4Db6")
    assert "Restore" not in scribe.get("/games/g/table").text
    assert sent(scribe, "undo", to=0).json()["plies"] == 0
    assert "Taken back last: 4Ci3 4Db6" in scribe.get("/games/g/table").text
    assert "Taken back last: … …" in player.get("/games/g/table").text
    assert "which other seat agreed" in sent(player, "redo").json()["error"]
    assert sent(scribe, "redo").json()["words"] == ["4Ci3", "4Db6"]
    assert state(scribe)["news"][-1][1] == "The scribe played plies 1–2, 4Ci3 4Db6, again"
    answer = sent(scribe, "redo", reason="once more")
    assert (answer.status_code, "Nothing can be played again" in answer.json()["error"]) == (409, True)


def test_a_seat_takes_back_what_it_played_where_another_agrees(store: api.Store, server: TestClient) -> None:
    one, two = (seat(store, server, role) for role in ("p1", "p2"))
    sent(one, "words", words="4Ci3")
    sent(two, "words", words="4Db6")
    for asks, body, status, because in (
        (one, {}, 400, "which other seat agreed"),
        (one, {"agreed": "p1", "plies": 2}, 409, "another seat must agree"),
        (one, {"agreed": "p2"}, 409, "Ply 2 of g is not p1's own"),
        (one, {"agreed": "p2", "plies": 3}, 409, "cannot be taken back"),
        (two, {"agreed": "p3"}, 400, "p3"),
        (two, {"agreed": "p1", "plies": 2}, 409, "Ply 1 of g is not p2's own"),
    ):
        answer = sent(asks, "undo", **body)
        assert (answer.status_code, because in answer.json()["error"]) == (status, True), answer.text
    assert sent(two, "undo", agreed="p1", reason="slipped").json()["words"] == ["4Db6"]
    assert sent(one, "undo", agreed="p2").status_code == 200
    assert [(line.by, line.kind) for line in api.log(store, "g")[-2:]] == [
        ("p2", "move-taken-back"),
        ("p1", "move-taken-back"),
    ]
    page = one.get("/games/g/table").text
    assert "Take back" in page
    assert "nobody was asked" not in page
    assert '<option value="p1">' not in page


def test_a_board_is_stated(store: api.Store, scribe: TestClient) -> None:
    assert sent(scribe, "words", words="4Ci3").status_code == 200
    text = api.present_board(store, "g").text
    assert sent(scribe, "board", text=text).json()["findings"] == []
    wrong = sent(scribe, "board", text="nonsense")
    assert wrong.status_code in (400, 409, 422)
    assert wrong.json()["error"]


@pytest.mark.parametrize(
    ("what", "body", "status", "because"),
    [
        ("undo", {"plies": 3}, 409, "cannot be taken back"),
        ("undo", {"plies": "1"}, 400, "`plies` must be a whole number, and is text"),
        ("undo", {"agreed": "p7"}, 400, "p7 is not a seat"),
        ("note", {"ply": 9, "text": "x"}, 409, "no ply 9"),
        ("note", {"ply": 1, "text": " "}, 400, "There is nothing to note"),
        ("note", {"ply": 1}, 400, "`text` is missing"),
        ("clock", {"ply": 1, "clock": "soon"}, 400, "is not a time"),
        ("clock", {"ply": 1}, 400, "No time is given; expected hours, minutes and seconds"),
        ("close", {"result": "2-2"}, 400, "2-2"),
        ("close", {}, 409, "result"),
        ("words", {"words": "4Db6", "expected": 1}, 409, "expected version 1"),
        ("undo", {"by": "p1"}, 400, "unknown field `by`"),
        ("trial", {"words": "x", "command": "c"}, 400, "unknown field `command`"),
    ],
)
def test_what_cannot_be_written_is_said_and_nothing_is(
    store: api.Store, scribe: TestClient, what: str, body: dict[str, object], status: int, because: str
) -> None:
    sent(scribe, "words", words="4Ci3")
    answer = sent(scribe, what, **body)
    assert (answer.status_code, because in answer.json()["error"]) == (status, True), answer.text
    assert len(api.log(store, "g")) == 3


def test_a_quiet_seat_is_offered_nothing_and_told_nothing(store: api.Store, server: TestClient) -> None:
    one, two = seat(store, server, "p1"), seat(store, server, "p2")
    assert state(one)["offers"] == state(two)["offers"] == []
    assert state(one)["turn"] == "Ada to move"
    assert sent(one, "trial", words="4Ci9").json() == {"says": "will be written as 4C:i9", "kind": "", "stands": False}
    assert sent(one, "words", words="4Ci9").json()[0]["verdict"] == "quiet"
    page = two.get("/games/g/table").text
    assert "irregular" not in page
    assert "Clock" not in page
    for what in ("note", "clock", "board", "close", "reveal"):
        answer = sent(one, what)
        assert (answer.status_code, answer.text) == (404, NOT_ADMITTED), what


def test_what_breaks_a_rule_stands_on_the_page_of_a_neutral_scribe_and_of_nobody_who_plays(
    store: api.Store, server: TestClient, scribe: TestClient
) -> None:
    one, playing = seat(store, server, "p1"), seat(store, server, "scribe", plays=2)
    assert sent(one, "words", words="4Ci9").status_code == 200
    text = "Ply 1, 4C:i9,</a>\nbreaks cardmate."
    answers = [text in browser.get("/games/g/table").text for browser in (scribe, one, playing)]
    assert answers == [True, False, False]
    assert "cardmate." not in one.get("/games/g/table").text
    assert sent(seat(store, server, "arbiter"), "reveal").status_code == 200
    assert text in one.get("/games/g/table").text


def test_who_writes_for_all_takes_back_and_plays_again_by_one_tap(
    store: api.Store, server: TestClient, scribe: TestClient
) -> None:
    one = seat(store, server, "p1")
    assert "data-once" not in scribe.get("/games/g/table").text
    sent(scribe, "words", words="4Ci3 4Db6")
    assert ">Undo 4Db6</button>" in scribe.get("/games/g/table").text
    assert "data-once" not in one.get("/games/g/table").text
    assert sent(scribe, "undo", plies=1).status_code == 200
    text = scribe.get("/games/g/table").text
    assert ">Undo 4Ci3</button>" in text
    assert ">Restore 4Db6</button>" in text
    assert "took back ply 2, 4Db6" in text
    assert sent(scribe, "redo").status_code == 200
    assert ">Undo 4Db6</button>" in scribe.get("/games/g/table").text


def test_a_dispute_stands_on_the_page_and_only_who_raised_it_may_give_it_up_there(
    store: api.Store, server: TestClient, scribe: TestClient
) -> None:
    one, two = (seat(store, server, role) for role in ("p1", "p2"))
    sent(scribe, "words", words="4Ci3 4Db6")
    sent(one, "disputes", ply=2, claim="not so")
    answers = [browser.get("/games/g/table").text for browser in (one, two, scribe)]
    assert [text.count("by Ada on ply 2") for text in answers] == [1, 1, 1]
    assert [text.count("data-withdraw=") for text in answers] == [1, 0, 0]
    api.rule(store, "g", api.RulingRequest((2,), arbiter="C", decision="stands"))
    assert "by C on ply 2, 4Db6: stands" in two.get("/games/g/table").text


def test_the_present_board_stands_there_to_be_mended(store: api.Store, scribe: TestClient) -> None:
    sent(scribe, "words", words="4Ci3 4Db6")
    text = api.present_board(store, "g").text
    assert f"{text}</textarea>" in scribe.get("/games/g/table").text


def test_a_seat_that_is_told_verdicts_is_offered_moves_at_its_own_turn_only(
    store: api.Store, server: TestClient
) -> None:
    one, two = (seat(store, server, role, verdicts=True) for role in ("p1", "p2"))
    assert len(state(one)["offers"]) > 20
    assert state(two)["offers"] == []


def test_the_arbiter_reveals_and_a_scribe_cannot(store: api.Store, server: TestClient, scribe: TestClient) -> None:
    arbiter = seat(store, server, "arbiter")
    seat(store, server, "p1")
    assert sent(scribe, "reveal").status_code == 404
    assert sent(arbiter, "reveal").status_code == 200
    assert not api.load(store, "g").book.quiet


def test_seats_agree_with_the_record_they_have_seen_after_its_close(
    store: api.Store, server: TestClient, scribe: TestClient
) -> None:
    one, two = (seat(store, server, role) for role in ("p1", "p2"))
    sent(scribe, "words", words="4Ci3")
    for early in (sent(one, "agree"), sent(two, "agree", expected=9)):
        assert early.status_code == 409, early.text
    assert "I agree" not in one.get("/games/g/table").text
    assert sent(scribe, "close", result="1-0", termination="resignation").status_code == 200
    assert "I agree" in one.get("/games/g/table").text
    assert "I agree" not in scribe.get("/games/g/table").text
    seen = state(one)["version"]
    assert state(two)["version"] == seen
    for name, page in (("one", one), ("two", two)):
        first, again = (sent(page, "agree", expected=seen, command=name) for _ in range(2))
        assert (first.status_code, first.text) == (200, again.text)
    assert [(each["seat"], each["since"]) for each in state(scribe)["agreed"]] == [(1, 0), (2, 0)]
    assert "I agree" not in one.get("/games/g/table").text
    assert "agreed by Ada, Bela" in one.get("/games/g/table").text
    assert [line.by for line in api.log(store, "g")[-2:]] == ["p1", "p2"]


def test_who_did_not_play_agrees_with_nothing(store: api.Store, server: TestClient, scribe: TestClient) -> None:
    sent(scribe, "close", result="1-0", termination="resignation")
    assert sent(scribe, "agree").status_code == 400
    assert "somebody who played" in sent(scribe, "agree").json()["error"]
    for role in ("rail", "arbiter", "reader"):
        answer = sent(seat(store, server, role), "agree")
        assert (answer.status_code, answer.text) == (404, NOT_ADMITTED), role
    assert agreements_of(api.load(store, "g")) == ()


@pytest.mark.parametrize("key", list(every_game()))
def test_every_game_has_a_table(store: api.Store, server: TestClient, key: str) -> None:
    api.open_game(store, api.NewRequest(key, id=key))
    [link] = api.make_links(store, key, api.LinksRequest(("scribe",)))
    browser = by_link(server, link.secret)
    answer = browser.get(f"/games/{key}/table.json").json()
    page = browser.get(f"/games/{key}/table").text
    assert answer["offers"] or "data-surface" in page
    assert answer["turn"].split()[0].removesuffix(",") in page


# --- in a browser ---


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("cardmate", ("4Ci3", "4Db6", "8Dj2", "8Ca7")),
        ("chess", ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6")),
        ("draughts", ("11-15", "23-19", "8-11", "22-17")),
        ("tarot", ("Garde", "Pass", "Pass", "Pass")),
    ],
)
def test_moves_are_written_by_tapping_twice_at_most(
    browser: Any, address: tuple[str, Path], game: str, words: tuple[str, ...]
) -> None:
    phone = Phone(browser, address, opened(address, game, f"{game}-taps"), "scribe")
    begun = monotonic()
    taps = [phone.tap(word) for word in words]
    assert max(taps) <= 2
    assert (monotonic() - begun) / len(words) < 2
    assert phone.words() == words
    phone.close()


def test_what_is_typed_is_judged_confirmed_let_stand_and_taken_back(browser: Any, address: tuple[str, Path]) -> None:
    phone = Phone(browser, address, opened(address, "cardmate", "typed"), "scribe")
    other = Phone(browser, address, phone.id, "p1")
    phone.type("4ci3")
    phone.says("legal, will be written as 4Ci3")
    before = phone.version
    phone.page.keyboard.press("Enter")
    phone.written(before)
    shown(phone.page, "[data-done]", "p1 played 4Ci3, ply 1: legal")
    phone.type("4Db1")
    phone.says("refused, cardmate.")
    before = phone.version
    phone.page.click("text=Write")
    phone.says("refused, cardmate.")
    assert phone.version == before
    phone.page.click("text=Let it stand, marked")
    phone.written(before)
    shown(phone.page, "[data-done]", "p2 played 4Db1, ply 2: let stand although it breaks cardmate.")
    shown(phone.page, ".matters summary", "1 to look at")
    phone.page.click(".matters summary")
    assert "Ply 2, 4Db1, breaks cardmate." in phone.page.inner_text(".found")
    phone.page.click(".matters summary")
    assert phone.words() == ("4Ci3", "4Db1")
    before = phone.version
    phone.miss()
    phone.written(before)
    before = phone.version
    phone.page.click("summary:text('Take back')")
    phone.page.fill("input[name=plies]", "2")
    phone.page.select_option("select[name=agreed]", "p1")
    phone.page.click("button:text('Take back')")
    phone.written(before)
    assert phone.words() == ("4Ci3",)
    shown(phone.page, "[data-done]", "took back plies 2–3")
    shown(other.page, "[data-done]", "took back plies 2–3, 4Db1; p1 agreed")
    other.close()
    phone.page.click("summary:text('Close')")
    phone.page.fill("input[name=result]", "1-0")
    phone.page.select_option("select[name=termination]", "resignation")
    phone.page.click("text=Close the game")
    phone.page.wait_for_selector("text=This link shows the game until")
    phone.close()
    player = Phone(browser, address, phone.id, "p2")
    player.page.click("text=I agree with this record")
    player.page.wait_for_selector("text=agreed by p2")
    player.page.wait_for_selector("text=I agree", state="detached")
    player.close()


def test_of_two_scribes_the_later_sees_both_lines_and_loses_none(browser: Any, address: tuple[str, Path]) -> None:
    id = opened(address, "cardmate", "two")
    one, two = (Phone(browser, address, id, "scribe") for _ in range(2))
    two.page.route("**/events?*", lambda route: route.abort())
    two.page.reload()
    one.tap("4Ci3")
    two.type("4Ci4")
    two.page.click("text=Write")
    two.says("Someone else wrote first: 4Ci3; yours, 4Ci4, was not written")
    assert two.page.input_value("#words") == "4Ci4"
    assert "4Ci3" in two.page.text_content(".last")
    assert two.version == one.version
    assert one.words() == ("4Ci3",)
    two.tap("4Db6")
    for phone in (one, two):
        phone.close()


@pytest.mark.parametrize("game", list(every_game()))
def test_a_table_fits_its_screen_without_violations(browser: Any, address: tuple[str, Path], game: str) -> None:
    id = opened(address, game, f"{game}-fits", (HOSTILE.replace("\n", " "),))
    phone = Phone(browser, address, id, "scribe")
    assert phone.page.title() != "run"
    assert phone.page.evaluate(SMALL) == []
    hold_to_axe(phone.page, (PHONE, "light"), (DESK, "dark"))
    phone.close()


@pytest.mark.parametrize("verdicts", [False, True])
@pytest.mark.parametrize("key", FORKS)
def test_a_line_out_of_turn_is_told_while_it_is_typed_what_it_is_told_when_it_is_sent(
    tmp_path: Path, key: str, verdicts: bool
) -> None:
    fork = FORKS[key]
    path = tmp_path / "evening.db"
    with api.Store(path) as store, serving(path, key=None, writes=True) as server:
        tags = {"Variant": "fft"} if key == "tarot" else {}
        api.open_game(store, api.NewRequest(key, id="g", tags=tags, seats=4 if key == "tarot" else 2))
        api.play(store, "g", api.WordsRequest(fork.words))
        for role in [f"p{seat}" for seat in range(1, api.load(store, "g").book.seats + 1)]:
            phone = by_link(server, api.make_links(store, "g", api.LinksRequest((role,), verdicts=verdicts))[0].secret)
            for number, line in enumerate((fork.legal, f"p1/{fork.legal}", f"{fork.legal} {fork.broken}", "nonsense")):
                tried = phone.post("/games/g/trial", json={"words": line}, headers=OWN).json()
                assert api.load(store, "g").plies == len(fork.words)
                body = {"command": f"{role}{number}", "words": line}
                answer = phone.post("/games/g/words", json=body, headers=OWN)
                if answer.status_code == 409:
                    assert (tried["says"], tried["kind"]) == (answer.json()["error"], "error"), (role, line)
                else:
                    assert tried["kind"] != "error" or answer.status_code == 422, (role, line)
                if answer.status_code == 200:
                    api.take_back(store, "g", api.UndoRequest(api.load(store, "g").plies - len(fork.words)))
