"""Many processes on one file, and writers killed in the middle: nothing acknowledged is lost or there twice."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from cartulary.records import desk
from cartulary.records.faults import Conflict
from cartulary.records.log.chain import origin
from cartulary.records.log.events import MovePlayed
from cartulary.records.log.store import Store
from tests.hunts import HUNT
from tests.places import ROOT

KILLS = 1000 * HUNT

WRITER = """
import sys
from cartulary.records.log.chain import origin
from cartulary.records.log.events import MovePlayed
from cartulary.records.faults import Conflict
from cartulary.records.log.store import Store

path, id, name, wanted = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
sys.stdin.readline()
done = conflicts = 0
with Store(path, patience=60) as store:
    while done < wanted:
        head = store.head(id) or origin(id)
        event = MovePlayed(at="", by=name, seat=1, text=f"{name}-{done}", findings=(), stands=False, clock="")
        try:
            store.append(id, head, [event])
            done += 1
            print("stored", event.text, flush=True)
        except Conflict:
            conflicts += 1
print("conflicts", conflicts)
"""

ENDLESS = """
import itertools
import sys
from cartulary.records.log.chain import origin
from cartulary.records.log.events import MovePlayed
from cartulary.records.log.store import Store

path, id, name = sys.argv[1:4]
with Store(path, patience=60) as store:
    head = store.head(id) or origin(id)
    for number in itertools.count():
        words = [f"{name}.{number}.{part}" for part in range(3)]
        events = [MovePlayed(at="", seat=1, text=w, findings=(), stands=False, clock="") for w in words]
        head = store.append(id, head, events)
        print(head.version, flush=True)
"""


def started(program: str, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def texts(store: Store, id: str) -> list[str]:
    return [each.event.text for each in store.stream(id) if isinstance(each.event, MovePlayed)]


def test_eight_processes_write_to_one_file_and_two_of_them_to_the_same_game(tmp_path: Path) -> None:
    path, wanted = tmp_path / "games.db", 25
    games = ["shared", "shared", *(f"own-{number}" for number in range(6))]
    children = [started(WRITER, str(path), id, f"w{number}", str(wanted)) for number, id in enumerate(games)]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    answers = [child.communicate(timeout=120)[0].splitlines() for child in children]
    assert [child.returncode for child in children] == [0] * 8
    acknowledged = [[line.split()[1] for line in lines if line.startswith("stored")] for lines in answers]
    with Store(path) as store:
        for number, id in enumerate(games[2:], 2):
            assert texts(store, id) == acknowledged[number]
        shared = texts(store, "shared")
        assert sorted(shared) == sorted(acknowledged[0] + acknowledged[1])
        for number in (0, 1):
            assert [text for text in shared if text.startswith(f"w{number}-")] == acknowledged[number]
        assert all(proof.fault == "" for proof in desk.verify_all(store))


def test_of_two_that_have_seen_the_same_version_one_gets_a_conflict(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as first, Store(tmp_path / "games.db") as second:
        desk.open_game(first, "cardmate", id="g")
        desk.play(first, "g", ["4Ci3"], expected=2)
        with pytest.raises(Conflict) as caught:
            desk.play(second, "g", ["8Dj2"], expected=2)
        assert (caught.value.expected, caught.value.actual) == (2, 3)
        assert desk.play(second, "g", ["4Db6"], expected=3)[0].stored


def test_what_another_process_wrote_is_seen_at_the_next_request(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as first, Store(tmp_path / "games.db") as second:
        desk.open_game(first, "cardmate", id="g")
        for number, word in enumerate(("4Ci3", "4Db6", "8Dj2", "8Ca7")):
            assert desk.play((first, second)[number % 2], "g", [word])[0].ply == number + 1


def killing(kills: int, *more: str) -> dict[str, Any]:
    """Return what came of a hunt.

    Its processes are forked from one that has imported all they need; this one may have what must not be forked.
    """
    with TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "tests.records.killing", str(Path(folder) / "games.db"), str(kills), "2", *more]
        done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True, timeout=600 * HUNT)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.hunt
def test_processes_with_the_file_open_several_times_are_killed_and_lose_nothing_acknowledged() -> None:
    found = killing(KILLS)
    assert found["wrong"] == []
    assert found["kills"] == KILLS
    assert found["acknowledged"] >= KILLS


@pytest.mark.hunt
def test_the_hunt_finds_what_a_look_into_the_file_loses() -> None:
    wrong = killing(100, "look")["wrong"]
    assert any("were acknowledged" in fault for fault in wrong)


@pytest.mark.hunt
def test_a_process_killed_while_it_makes_the_file_leaves_one_that_can_be_used(tmp_path: Path) -> None:
    draw = random.Random(3)
    for kill in range(8 * HUNT):
        path = tmp_path / f"{kill}.db"
        child = started(ENDLESS, str(path), "g", "first")
        deadline = time.monotonic() + 30
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.0005)
        time.sleep(draw.random() * 0.006)
        child.kill()
        child.communicate()
        with Store(path) as store:
            stored = len(texts(store, "g")) if store.ids() else 0
            head = store.head("g") or origin("g")
            assert (stored % 3, head.version) == (0, stored)
            assert store.append("g", head, [MovePlayed(at="", seat=1, text="w", findings=(), stands=False, clock="")])
