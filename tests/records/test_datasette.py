"""Datasette on an exported database, looked at with a real browser: its pages show games, moves and findings."""

import html
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from cartulary.records.log.store import Store
from tests.records.archives import runner, samples_in

TIMEOUT = 60
"""Seconds to wait for a server or a browser that should long be there."""

Show = Callable[[str], str]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start Datasette on an exported database and yield its address."""
    folder = tmp_path_factory.mktemp("club")
    with Store(folder / "games.db") as store:
        samples_in(store, ("cardmate", "tarot"))
    metadata = folder / "metadata.json"
    runner(folder / "games.db")(
        "export", "--all", "--format", "sqlite", "-o", str(folder / "club.db"), "--metadata", str(metadata)
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "datasette", "serve", "club.db", "--metadata", str(metadata), "--port", str(port)]
    with (
        (folder / "said").open("wb") as opened,
        subprocess.Popen(command, cwd=folder, stdout=opened, stderr=opened) as server,
    ):
        try:
            _answers(f"http://127.0.0.1:{port}/", server, folder / "said")
            yield f"http://127.0.0.1:{port}/club"
        finally:
            server.terminate()


def _answers(address: str, server: "subprocess.Popen[bytes]", said: Path) -> None:
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urlopen(address).close()
            return
        except URLError:
            time.sleep(0.1)
    raise AssertionError(f"Datasette does not answer: {said.read_text('utf-8')}")


@pytest.fixture
def show(browser: Any, served: str) -> Show:
    """Return a function that gives the text of a page as the browser has it."""
    page = browser.new_page()

    def shown(path: str) -> str:
        page.goto(f"{served}{path}")
        answer = re.sub(r"<(script|style)\b.*?</\1>", " ", page.content(), flags=re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer)).split())

    return shown


def test_the_pages_show_games_a_game_its_moves_and_findings(show: Show) -> None:
    games = show("/games")
    assert "One row for each game, as it is now." in games
    assert "12 rows" in games
    assert "Zillions of Games; Zillions of Games" in games
    [id] = re.findall(
        r"cardmate-\w+(?= Cardmate 100-Square Contest 2000.06.18 - \? [^;]+; Zillions of Games 0-1)", games
    )
    game = show(f"/games/{id}")
    assert "Links from other tables" in game
    assert "40 rows from game in moves" in game
    moves = show(f"/moves?game={id}")
    assert "40 rows where game = " in moves
    assert f"{id} 1 1 1 4Ci3 legal" in moves.replace(f"{id},1 ", "")
    assert "Until now each of Rearhand's moves has been the image of Forehand's." in moves
    findings = show("/findings?severity=error")
    assert "p3 held 9S, but did not follow suit" in findings
    assert "tarot.follow-suit" in findings


def test_the_pages_show_rules_by_name_and_search_comments(show: Show) -> None:
    assert "A player who has a card of the suit led must play one" in show("/rules_broken")
    assert "A chain of forced captures begins" in show("/comments?_search=captures")
