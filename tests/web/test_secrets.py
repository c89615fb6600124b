"""Who must not get what, over HTTP: two worlds equal to a seat, or to the rail, give equal bytes on every route."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from cartulary.records import desk
from cartulary.web.guard import OWN_HEADER
from tests.hunts import HUNT
from tests.laws.test_quiet import FORKS
from tests.laws.test_secrets import TIME, Run, worlds_of
from tests.laws.test_secrets import run as run
from tests.laws.worlds import GAMES
from tests.web.served import addresses, by_link, serving, unlimited

SEATS = (0, 1)
"""Whose view is served: the bystander's, and a seat's that holds cards of its own."""
CARD = re.compile(r"[1-9XJNQK][CDHS]|T[0-9][0-9]")
Answer = tuple[int, str, dict[str, str]]


def asked_of(key: str, plies: int) -> list[str]:
    """Return every address there is, each position and each way to ask, of a game that is called g."""
    found = [
        each
        for ply in (0, 1, plies // 2, plies, plies + 1)
        for each in addresses(id="g", ply=str(ply), game=key, key="x")
    ]
    for path in ("/games", "/search", "/stats"):
        for words in ("player=ada", "player=secret", "verdict=legal", "result=*", "finding=call.seat", "event=Club"):
            found += [f"{path}?{words}", f"{path}.json?{words}"]
    for words in ("text=secret", "position=g", f"position=g&at={plies}", "position=g&at=1&player=ada", "position=nope"):
        found += [f"/search?{words}", f"/search.json?{words}"]
    widening = ("seat=p2", "seat=", "quiet=", "whose=2", "as=arbiter")
    found += [f"/games/g{below}?{words}" for below in ("", ".json", "/log", "/plies/1") for words in widening]
    return [*dict.fromkeys(found), "/games/nope", "/games/g/nope"]


def answers(client: TestClient, address: str) -> Answer:
    """Return all that an answer tells, times masked."""
    asked = client.get(address, headers={"x-seat": "p2", "cookie": "seat=p2"})
    return asked.status_code, TIME.sub("TIME", asked.text), dict(asked.headers)


def told_apart(folder: Path, names: list[str], key: str, plies: int, seat: int | None) -> Iterator[str]:
    """Yield the addresses whose answers tell two worlds apart. names: their folders"""
    with serving(folder / names[0] / "games.db", seat) as one, serving(folder / names[1] / "games.db", seat) as two:
        for address in asked_of(key, plies):
            here, there = answers(one, address), answers(two, address)
            assert here[0] != 500, (address, here)
            assert seat is None or " secret" not in here[1].replace('value="secret"', ""), address
            if here != there:
                yield address


def pairs_of(run: Run, folder: Path, key: str, seat: int) -> Iterator[tuple[int, list[str]]]:
    """Write worlds as ``worlds_of`` does, the first's game once more in both, and yield their plies and their folders.

    So the position of the game stood in another one too, or did not, which nobody may be told who has not seen it.
    """
    for plies, worlds in worlds_of(run, folder, key, seat):
        names = list(worlds)
        with desk.Store(folder / names[0] / "games.db") as store:
            again = replace(desk.export_cgn(store, "g"), escapes=())
        for name in names:
            with desk.Store(folder / name / "games.db") as store:
                assert [answer.status for answer in desk.import_records(store, [again])] == ["new"]
        yield plies, names


@pytest.mark.hunt
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("key", GAMES)
def test_two_worlds_equal_to_a_seat_give_equal_bytes_on_every_route(
    run: Run, tmp_path: Path, key: str, seat: int
) -> None:
    compared = 0
    for plies, names in pairs_of(run, tmp_path, key, seat):
        assert [*told_apart(tmp_path, names, key, plies, seat)] == []
        compared += len([*islice(told_apart(tmp_path, names, key, plies, None), 6)]) > 5
        if compared == HUNT:
            return
    pytest.fail("too few worlds could be written to prove a thing")


def told_apart_by_link(folder: Path, names: list[str], key: str, plies: int, role: str) -> Iterator[str]:
    """Yield the addresses and the words whose answers by a link tell two worlds apart. names: their folders"""
    browsers, words = [], set()
    with ExitStack() as stack:
        for name in names[:2]:
            with desk.Store(folder / name / "games.db") as store:
                words |= set(desk.load(store, "g").words)
                [link] = desk.make_links(store, "g", (role.split()[0],), verdicts=" " in role)
            server = stack.enter_context(serving(folder / name / "games.db", key=None, writes=True))
            unlimited(server)
            browsers.append(by_link(server, link.secret))
        claims = [f"dispute {ply}" for ply in (0, 1, plies, plies + 1)] + [f"undo {ply}" for ply in (1, 2, 3, 99)]
        lines = [*sorted(words), "T21", "nonsense", "?"]
        cards = sorted(set(CARD.findall(" ".join(words)))) if " " in role else []
        few = Random(f"{key} {role}").sample(lines, min(len(lines), 15))
        tried = [f"try {line}" for line in (*few, *cards, " ".join(lines))]
        tables = ["/games/g/table", "/games/g/table.json", "/games/g/watch", "/games/g/links", "/games/g/arbiter"]
        for number, asked in enumerate([*asked_of(key, plies), *tables, *tried, *lines, *claims, *tables]):
            here, there = (_answer(browser, asked, number) for browser in browsers)
            assert here[0] != 500, (asked, here)
            if here != there:
                yield asked


def _answer(browser: TestClient, asked: str, number: int) -> Answer:
    if asked.startswith("/"):
        answer = browser.get(asked)
    elif asked.startswith("try "):
        answer = browser.post("/games/g/trial", json={"words": asked.removeprefix("try ")}, headers={OWN_HEADER: "1"})
    elif asked.startswith("dispute "):
        body = {"command": f"c{number}", "ply": int(asked.split()[1]), "claim": "no"}
        answer = browser.post("/games/g/disputes", json=body, headers={OWN_HEADER: "1"})
    elif asked.startswith("undo "):
        body = {"command": f"c{number}", "plies": int(asked.split()[1]), "agreed": "p2"}
        answer = browser.post("/games/g/undo", json=body, headers={OWN_HEADER: "1"})
    else:
        body = {"command": f"c{number}", "words": asked}
        answer = browser.post("/games/g/words", json=body, headers={OWN_HEADER: "1"})
    return answer.status_code, TIME.sub("TIME", answer.text), dict(answer.headers)


@pytest.mark.hunt
@pytest.mark.parametrize(
    ("key", "role"),
    [
        *((key, role) for key in GAMES for role in ("rail", "p1")),
        ("tarot", "p1 with verdicts"),
        ("tarot", "rail with verdicts"),
    ],
)
def test_two_worlds_equal_to_a_link_give_equal_bytes_whatever_is_asked_or_written(
    run: Run, tmp_path: Path, key: str, role: str
) -> None:
    seat = SEATS[role.startswith("p1")]
    for done, (plies, names) in enumerate(pairs_of(run, tmp_path, key, seat)):
        assert [*told_apart_by_link(tmp_path, names, key, plies, role)] == []
        if done + 1 == HUNT:
            return
    pytest.fail("too few worlds could be written to prove a thing")


def test_the_law_catches_a_link_that_shows_more_than_its_role(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plies, names = next(pairs_of(run, tmp_path, "tarot", 1))
    monkeypatch.setattr("cartulary.records.state.links.Link.seat", None)
    assert any(told_apart_by_link(tmp_path, names, "tarot", plies, "p1"))


def test_the_law_catches_every_route_that_forgets_the_seat(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plies, names = next(pairs_of(run, tmp_path, "tarot", 0))
    for forgets in ("shown_live", "log", "search", "score_sheet", "find_position"):
        with monkeypatch.context() as patch:
            patch.setattr(desk, forgets, forgetful(forgets))
            with pytest.raises(AssertionError):
                assert not any(told_apart(tmp_path, names, "tarot", plies, 0)), forgets


def forgetful(name: str) -> Any:
    """Return a function of the desk that takes no heed of whose view is asked for."""
    told, at = getattr(desk, name), {"shown_live": 2, "log": 2}.get(name)

    def forgets(*words: Any, **more: Any) -> Any:
        more.pop("seat", None)
        return told(*(words if at is None else words[:at]), *(() if at is None else (None,)), **more)

    return forgets


@pytest.mark.parametrize("key", FORKS)
def test_a_quiet_record_tells_no_seat_what_the_rules_say(run: Run, tmp_path: Path, key: str) -> None:
    fork = FORKS[key]
    for name, word in (("a", fork.legal), ("b", fork.broken)):
        run(name, "new", key, "--id", "g", *fork.new)
        assert run(name, "move", "g", *fork.words, word, "--quiet")[0] == "0"
    ply = str(len(fork.words) + 1)
    for seat in SEATS:
        for name in "ab":
            with serving(tmp_path / name / "games.db", seat) as client:
                for address in (
                    f"/games/g/plies/{ply}",
                    "/games/g",
                    "/games/g/log",
                    "/games/g/sheet",
                    "/games/g/replay",
                ):
                    text = client.get(address).text
                    assert not re.search(rf">(irregular|undecided|refused)<|{key}\.[a-z]", text), address
                told = client.get("/games/g.json").json()
                assert told["quiet"] is True
                assert "report" not in told
                assert {(each["verdict"], tuple(each["keys"])) for each in told["plies"]} == {("quiet", ())}
                assert client.get("/games.json").json()["games"][0].get("verdict", "quiet") == "quiet"
    with serving(tmp_path / "b" / "games.db") as client:
        assert f"{key}." in client.get(f"/games/g/plies/{ply}").text
    with serving(tmp_path / "b" / "games.db", quiet=True) as client:
        assert client.get("/games/g.json").json()["quiet"] is True


def test_a_seat_the_game_has_not_is_shown_nothing_of_it(run: Run, tmp_path: Path) -> None:
    run("a", "new", "cardmate", "--id", "g")
    with serving(tmp_path / "a" / "games.db", 7) as client:
        for below in ("", ".json", "/plies/0", "/plies/0.json", "/log", "/log.json", "/sheet", "/replay"):
            asked = client.get(f"/games/g{below}")
            assert asked.status_code == 404, below
            assert "p7 is not a seat of g" in asked.text


def test_statistics_are_for_who_may_see_everything(run: Run, tmp_path: Path) -> None:
    run("a", "new", "cardmate", "--id", "g")
    with serving(tmp_path / "a" / "games.db", 0) as client:
        assert client.get("/stats").status_code == client.get("/stats.json").status_code == 403
        assert 'href="/stats"' not in client.get("/games").text
        assert "as the rail sees it" in client.get("/games").text
        assert 'name="verdict"' not in client.get("/games").text
