"""``links`` as a person types it: what is printed, what is written to be printed, and what is wrong."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import Result

from cartulary.cli.shell import cards
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.records.sheets.qr import qr, qr_lines
from tests.records.archives import runner

Run = Callable[..., Result]


@pytest.fixture
def run(store: Store) -> Run:
    api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada & Co", "?")))
    return runner(store.path)


def test_each_role_is_printed_with_its_address_and_what_it_is_for(run: Run, store: Store) -> None:
    result = run("links", "g", "--base-url", "https://desk.example/")
    lines = result.stdout.splitlines()
    assert len(lines) == 12
    assert lines[2] == "g: p1, link 2. For Ada & Co: sees what p1 sees. For one phone."
    assert lines[4] == "g: p2, link 3. Sees what p2 sees. For one phone."
    for line in lines[1::2]:
        found = re.fullmatch(r"  https://desk\.example/join#([\w-]{22})", line)
        assert found
        assert api.take_up(store, found[1])
    assert result.stderr == "cartulary: These addresses work if `serve` is started with --allow-host desk.example.\n"
    assert max(map(len, lines)) <= 90


@pytest.mark.parametrize(
    ("base", "option"),
    [
        ("http://192.168.1.5:8377", "--bind 192.168.1.5"),
        ("http://[fd00::5]:8377", "--bind fd00::5"),
        ("http://Club.local:8377", "--allow-host club.local"),
        ("http://localhost:8377", ""),
        ("http://127.0.0.1:9000", ""),
    ],
)
def test_what_serve_must_be_started_with_is_said(run: Run, base: str, option: str) -> None:
    errors = run("links", "g", "--role", "rail", "--base-url", base).stderr
    assert errors == (f"cartulary: These addresses work if `serve` is started with {option}.\n" if option else "")


def test_addresses_of_this_machine_are_said_to_be_that(run: Run) -> None:
    result = run("links", "g", "--role", "rail", "--delay", "60", "--json")
    [link] = map(json.loads, result.stdout.splitlines())
    assert link["url"].startswith("http://127.0.0.1:8377/join#")
    assert {name: link[name] for name in ("link", "game", "role", "plays", "delay", "state")} == {
        "link": 1,
        "game": "g",
        "role": "rail",
        "plays": 0,
        "delay": 60,
        "state": "shared",
    }
    assert "work on this machine only" in result.stderr


def test_a_terminal_shows_the_code_of_each(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "terminal", lambda: True)
    lines = run("links", "g", "--role", "p1").stdout.splitlines()
    code = [line for line in lines if set(line) <= set(" ▄▀█")]
    assert len(code) > 15
    assert len({len(line) for line in code}) == 1
    assert len(code[0]) <= 80
    [url] = [line.strip() for line in lines if "#" in line]
    assert code == list(qr_lines(qr(url)))


def test_cards_are_a_page_whole_in_itself_that_runs_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cards.html"
    run("links", "g", "-o", str(file), "--base-url", "https://desk.example")
    page = file.read_text("utf-8")
    assert page.count("<svg") == 6
    assert "For Ada &amp; Co: sees what p1 sees" in page
    assert "<script" not in page
    assert "http" not in page.replace("https://desk.example/join#", "")
    HTMLParser().feed(page)
    again = run("links", "g", "-o", str(file), code=2)
    assert "already exists" in again.stderr
    assert file.read_text("utf-8") == page
    run("links", "g", "-o", str(file), "--force")
    assert "<!DOCTYPE html>" in run("links", "g", "--role", "p1", "-o", "-").stdout


def test_links_are_listed_and_taken_back(run: Run) -> None:
    run("links", "g", "--role", "p1", "--role", "rail")
    assert run("links", "--revoke", "1", "--by", "Cora").stdout == "g: link 1, p1, no longer opens anything\n"
    listed = run("links", "g", "--list").stdout.splitlines()
    [ended, shared] = [line.rpartition(", made ")[0] for line in listed]
    assert re.fullmatch(r"g: link 1, p1, revoked \d{4}-\d\d-\d\dT[\d:.]+Z by Cora", ended)
    assert shared == "g: link 2, rail, shared"
    answers = [json.loads(line) for line in run("links", "--list", "--json").stdout.splitlines()]
    assert [(each["revoked"][:2], each["revoked_by"]) for each in answers] == [("20", "Cora"), ("", "")]
    assert [json.loads(line)["state"] for line in run("links", "--list", "--json").stdout.splitlines()] == [
        "revoked",
        "shared",
    ]


def test_several_links_are_taken_back_at_once_or_none(run: Run) -> None:
    run("links", "g", "--role", "p1", "--role", "rail")
    assert "no link 1;" in run("links", "other", "--revoke", "1", "--revoke", "2", code=1).stderr
    assert "revoked" not in run("links", "g", "--list").stdout
    assert run("links", "g", "--revoke", "1", "--revoke", "2").stdout.count("no longer opens anything") == 2
    assert run("links", "g", "--list").stdout.count("revoked") == 2


@pytest.mark.parametrize(
    ("words", "code", "because"),
    [
        ((), 2, "Say which game"),
        (("g", "--list", "--revoke", "1"), 2, "Use either --list or --revoke N"),
        (("g", "--list", "--role", "p1"), 2, "Use either --list or --revoke N"),
        (("g", "--base-url", "desk.example"), 2, "expected http:// or https:// and a name"),
        (("g", "--base-url", "https://desk.example/#x"), 2, "expected http:// or https:// and a name"),
        (("g", "--plays", "2"), 2, "expected a seat such as p1"),
        (("g", "--plays", "rail"), 2, "expected a seat such as p1"),
        (("g", "--json", "-o", "x.html"), 2, "leave out --json or -o"),
        (("g", "--force"), 2, "--force needs -o"),
        (("g", "--role", "p9"), 2, "p9 is not a role in g"),
        (("nowhere",), 2, "There is no game nowhere"),
        (("nowhere", "--list"), 2, "There is no game nowhere"),
        (("g", "--revoke", "7"), 1, "no link 7"),
        (("other", "--revoke", "1"), 1, "no link 1"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_stored(
    run: Run, store: Store, words: tuple[str, ...], code: int, because: str
) -> None:
    result = run("links", *words, code=code)
    assert because in result.stderr
    assert result.stdout == ""
    assert store.asides() == ()


def test_a_closed_game_has_a_readers_link_and_later_no_other(run: Run, store: Store) -> None:
    run("close", "g", "1-0", "--termination", "resignation")
    assert run("links", "g").stdout.count("/join#") == 1
    run("links", "g", "--role", "p1")


def test_a_repeated_command_makes_no_other_links_and_names_those_it_made(run: Run, store: Store) -> None:
    first = run("links", "g", "--role", "p1", "--role", "rail", "--command", "k")
    assert first.stdout.count("/join#") == 2
    again = run("links", "g", "--role", "p1", "--role", "rail", "--command", "k", code=1)
    assert again.stdout == ""
    assert again.stderr == (
        "cartulary: Links 1 and 2 of g were made by this command before. What opens a link is shown once and stored "
        "nowhere; if it is lost, revoke them with `links --revoke 1 --revoke 2` and make others with another key.\n"
    )
    assert "already used for another request" in run("links", "g", "--role", "p2", "--command", "k", code=1).stderr
    assert len(api.links_of(store).by_number) == 2


@pytest.mark.parametrize("words", [("g", "--list"), ("--revoke", "1")])
def test_a_command_key_is_for_making_links(run: Run, words: tuple[str, ...]) -> None:
    assert "--command" in run("links", *words, "--command", "k", code=2).stderr
