"""The server killed at any moment under load: what it acknowledged is in the log, once, and every chain is proved."""

import http.client
import json
import os
import random
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from cartulary.notation import loads
from cartulary.notation.viewer import EVERYTHING
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.web.serving import listening, serve
from cartulary.web.stores import Stores
from tests.hunts import looks
from tests.places import SAMPLES

WORDS = loads((SAMPLES / "chess" / "games" / "opera.cgn").read_bytes())[0].line.words
TABLES = 4


@contextmanager
def serving_child(db: Path, listener: socket.socket) -> Iterator[tuple[int, str]]:
    """Fork a server that listens there, and yield its process and its key; it is killed at the end at the latest."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            serve(Stores(db), listener, (), EVERYTHING, {}, True, lambda url: _tell(writing, url))
        finally:
            os._exit(0)
    os.close(writing)
    try:
        with os.fdopen(reading, encoding="utf-8") as pipe:
            key = pipe.readline().rpartition("key=")[2].strip()
        yield child, key
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _tell(pipe: int, url: str) -> None:
    os.write(pipe, f"{url}\n".encode())
    os.close(pipe)


class Table:
    """Who writes one game after the other, each word with a command of its own, sent again until it is acknowledged."""

    def __init__(self, number: int, port: int) -> None:
        self.number, self.port, self.key = number, port, ""
        self.games, self.at = 0, -1
        self.acknowledged: dict[tuple[str, str], str] = {}
        self.again = 0
        self.wrong: list[str] = []

    @property
    def id(self) -> str:
        return f"t{self.number}-{self.games}"

    def write(self, until: threading.Event) -> None:
        """Write until told to stop, or until nobody answers."""
        while not until.is_set():
            try:
                self._one()
            except (OSError, http.client.HTTPException):
                self.again += 1
                return

    def _one(self) -> None:
        word = WORDS[self.at] if self.at >= 0 else ""
        path = f"/games/{self.id}/words" if word else "/games"
        command = f"{self.id}-{self.at}"
        body = {"command": command, "words": word} if word else {"command": command, "game": "chess", "id": self.id}
        to = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            headers = {"Content-Type": "application/json", "X-Cartulary-Key": self.key}
            to.request("POST", path, json.dumps(body), headers)
            answer = to.getresponse()
            text = answer.read().decode()
        finally:
            to.close()
        if answer.status != 200:
            self.wrong.append(f"{path} {body}: {answer.status} {text}")
            return
        self.acknowledged[self.id, command] = word
        self.at += 1
        if self.at == len(WORDS):
            self.games, self.at = self.games + 1, -1


@pytest.mark.hunt
def test_what_a_killed_server_acknowledged_is_in_the_log_once(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    Store(db).close()
    listener = listening("127.0.0.1", 0)
    tables = [Table(number, listener.getsockname()[1]) for number in range(TABLES)]
    chance = random.Random(20)
    kills = looks(6)
    for _ in range(kills):
        _write_until_killed(db, listener, tables, chance.uniform(0.02, 0.4))
    with serving_child(db, listener) as (_, key):
        for table in tables:
            table.key = key
            table._one()
    listener.close()
    assert [table.wrong for table in tables] == [[]] * TABLES
    assert sum(table.again for table in tables) >= kills
    held_against_the_log(db, tables)


def _write_until_killed(db: Path, listener: socket.socket, tables: list[Table], after: float) -> None:
    until = threading.Event()
    with serving_child(db, listener) as (child, key):
        writing = []
        for table in tables:
            table.key = key
            writing.append(threading.Thread(target=table.write, args=(until,)))
            writing[-1].start()
        begun = monotonic()
        sleep(after)
        os.kill(child, signal.SIGKILL)
        until.set()
        for thread in writing:
            thread.join(10)
        assert monotonic() - begun < 20


def held_against_the_log(db: Path, tables: list[Table]) -> None:
    """Hold what was acknowledged against what is stored."""
    with Store(db) as store:
        assert [proof.fault for proof in api.verify_all(store) if proof.fault] == []
        stored = {id: [each.event for each in store.stream(id)] for id in store.ids()}
        for table in tables:
            assert table.acknowledged
            for (id, command), word in table.acknowledged.items():
                of = [event for event in stored[id] if event.command == command]
                assert len(of) == (1 if word else 2), (id, command)
        for id in stored:
            words = api.load(store, id).words
            assert words == WORDS[: len(words)], id
