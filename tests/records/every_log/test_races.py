"""Many processes on one log, and writers killed in the middle: nothing acknowledged is lost or there twice."""

import json
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from cartulary.records import api
from cartulary.records.faults import Conflict
from cartulary.records.log.chain import origin
from cartulary.records.log.server import Server
from cartulary.records.log.store import Store
from tests.hunts import HUNT
from tests.places import ROOT
from tests.records.logs import LOGS, Place, address_of, played, texts

WRITERS = 8
KILLS = dict(zip(LOGS, (100, 60), strict=True))
"""A fault that loses what was acknowledged shows within 25 kills of those who write to a file.

Opening a server's log takes several times as long.
"""

WRITER = """
import json, os, sys
from functools import partial
from cartulary.records.api import open_store
from cartulary.records.faults import Conflict
from cartulary.records.log.chain import origin
from cartulary.records.log.server import place_of
from tests.records.killing import forked
from tests.records.logs import played

place, wanted = place_of(sys.argv[1]), int(sys.argv[2])

def write(id, name, acknowledged):
    os.close(held)
    os.read(gate, 1)  # until every one of them is there
    stored = []
    with open_store(place, timeout=60) as store:
        while len(stored) < wanted:
            head = store.head(id) or origin(id)
            try:
                store.append(id, head, [played(f"{name}-{len(stored)}", by=name)])
                stored.append(f"{name}-{len(stored)}")
            except Conflict:
                pass
    os.write(acknowledged, json.dumps(stored).encode())
    os._exit(0)

begun = []
gate, held = os.pipe()
for number, id in enumerate(sys.argv[3:]):
    read, acknowledged = os.pipe()
    begun.append((forked(partial(write, id, f"w{number}", acknowledged)), open(read)))
    os.close(acknowledged)
os.close(held)
answers = [answer.read() for _, answer in begun]
assert [os.waitpid(child, 0)[1] for child, _ in begun] == [0] * len(begun)
print(json.dumps([json.loads(answer) for answer in answers]))
"""
"""A program that forks a writer for each game, once it has imported all they need."""

ENDLESS = """
import sys
from cartulary.records.api import open_store
from cartulary.records.log.chain import origin
from cartulary.records.log.server import place_of
from tests.records.logs import played

place = place_of(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
with open_store(place, timeout=60) as store:
    head = store.head("g") or origin("g")
    while True:
        head = store.append("g", head, [played()] * 3)
        print(head.version, flush=True)
"""


def started(program: str, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        cwd=ROOT,
    )


def let_go(child: "subprocess.Popen[str]") -> None:
    assert child.stdin is not None
    child.stdin.write("go\n")
    child.stdin.flush()


def test_eight_processes_write_to_one_log_and_two_of_them_to_the_same_game(place: Place) -> None:
    wanted = 25
    games = ["shared", "shared", *(f"own-{number}" for number in range(6))]
    answer = started(WRITER, address_of(place), str(wanted), *games).communicate(timeout=120)[0]
    acknowledged: list[list[str]] = json.loads(answer)
    assert [len(each) for each in acknowledged] == [wanted] * WRITERS
    with api.open_store(place) as log:
        for number, id in enumerate(games[2:], 2):
            assert texts(log, id) == acknowledged[number]
        shared = texts(log, "shared")
        assert sorted(shared) == sorted(acknowledged[0] + acknowledged[1])
        for number in (0, 1):
            assert [text for text in shared if text.startswith(f"w{number}-")] == acknowledged[number]
        assert all(proof.fault == "" for proof in api.verify_all(log))


def test_of_many_who_have_seen_the_same_head_one_gets_through(place: Place) -> None:
    api.open_store(place).close()
    outcome: list[str] = []
    gate = threading.Barrier(WRITERS)

    def writing(number: int) -> None:
        with api.open_store(place, timeout=60) as own:
            gate.wait()
            try:
                own.append("g", origin("g"), [played(str(number))])
                outcome.append(str(number))
            except Conflict:
                outcome.append("conflict")

    threads = [threading.Thread(target=writing, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcome) == WRITERS
    [stored] = [each for each in outcome if each != "conflict"]
    with api.open_store(place) as log:
        assert texts(log, "g") == [stored]


def test_of_two_that_have_seen_the_same_version_one_gets_a_conflict(log: Store, other: Store) -> None:
    api.open_game(log, api.NewRequest("cardmate", id="g"))
    api.play(log, "g", api.WordsRequest(("4Ci3",), expected=2))
    with pytest.raises(Conflict) as caught:
        api.play(other, "g", api.WordsRequest(("8Dj2",), expected=2))
    assert (caught.value.expected, caught.value.actual) == (2, 3)
    assert api.play(other, "g", api.WordsRequest(("4Db6",), expected=3))[0].stored


def test_what_another_process_wrote_is_seen_at_the_next_request(log: Store, other: Store) -> None:
    api.open_game(log, api.NewRequest("cardmate", id="g"))
    for number, word in enumerate(("4Ci3", "4Db6", "8Dj2", "8Ca7")):
        assert api.play((log, other)[number % 2], "g", api.WordsRequest((word,)))[0].ply == number + 1


def test_a_command_said_again_at_another_desk_is_stored_once(log: Store, other: Store) -> None:
    api.open_game(log, api.NewRequest("cardmate", id="g"))
    first = api.play(log, "g", api.WordsRequest(("4Ci3",), command="c1", expected=2))
    again = api.play(other, "g", api.WordsRequest(("4Ci3",), command="c1", expected=2))
    assert [(each.version, each.ply) for each in again] == [(each.version, each.ply) for each in first]
    assert len(log.stream("g")) == 3


# --- kills ---


def killing(place: Place, kills: int, *more: str) -> dict[str, Any]:
    """Return what came of a hunt.

    Its processes are forked from one that has imported all they need; this one may have what must not be forked.
    """
    words = [sys.executable, "-m", "tests.records.killing", address_of(place), str(kills), "2", *more]
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True, timeout=600 * HUNT)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.hunt
def test_processes_with_the_log_open_several_times_are_killed_and_lose_nothing_acknowledged(place: Place) -> None:
    kills = KILLS["postgres" if isinstance(place, Server) else "sqlite"] * HUNT
    found = killing(place, kills)
    assert found["wrong"] == []
    assert found["kills"] == kills
    assert found["acknowledged"] >= kills


@pytest.mark.hunt
def test_the_hunt_finds_what_a_look_into_the_file_loses() -> None:
    """A file alone is opened beside its database; a server's data are its own.

    A store that checks its journal mostly notices the look in time; one that trusts it loses what it acknowledged.
    """
    with TemporaryDirectory() as folder:
        wrong = killing(Path(folder) / "games.db", 60, "look", "trust")["wrong"]
    assert any("were acknowledged" in fault for fault in wrong)


@pytest.mark.hunt
def test_a_process_killed_while_it_makes_the_log_leaves_one_that_can_be_used(
    request: pytest.FixtureRequest, place: Place, tmp_path: Path
) -> None:
    draw = random.Random(3)
    for kill in range(8 * HUNT):
        if isinstance(place, Path):
            place = tmp_path / f"{kill}.db"
        else:
            place = Server(request.getfixturevalue("own_server").database())
        child = started(ENDLESS, address_of(place))
        assert child.stdout is not None
        child.stdout.readline()
        let_go(child)
        signal.sigtimedwait([], draw.random() * (0.03 if isinstance(place, Path) else 0.15))  # somewhere while it opens
        child.kill()
        child.communicate()
        with api.open_store(place) as log:
            stored = len(texts(log, "g")) if log.ids() else 0
            head = log.head("g") or origin("g")
            assert (stored % 3, head.version) == (0, stored)
            assert log.append("g", head, [played()])


def test_a_writer_killed_in_mid_append_leaves_whole_appends(place: Place) -> None:
    child = started(ENDLESS, address_of(place))
    assert child.stdout is not None
    let_go(child)
    for _ in range(21):
        child.stdout.readline()
    child.kill()
    acknowledged = [int(line) for line in child.communicate()[0].splitlines(keepends=True) if line.endswith("\n")]
    with api.open_store(place) as log:
        recorded = log.stream("g")
        assert len(recorded) % 3 == 0
        assert len(recorded) >= max(acknowledged, default=60)
        assert [proof.fault for proof in api.verify_all(log)] == [""]
