"""A program that forks workers and kills them: each opens one log several times, writes, and says what was stored.

    python -m tests.records.killing DATABASE KILLS SEED [look [trust]]

DATABASE: a path or the address of a server. It imports everything once and never has a store open while it forks.
Beside the workers a visitor opens and closes the log, and is killed now and then too. Prints JSON: how many workers
were killed, how many writes were acknowledged, and each of them that is not there. With ``look`` the file is also
opened beside SQLite at every opening of a store; with ``trust`` no store checks its journal any more, so that the hunt
can be seen to find what that loses.
"""

import gc
import json
import os
import random
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from cartulary.records import api
from cartulary.records.faults import LockedDatabase
from cartulary.records.log import database
from cartulary.records.log.chain import origin
from cartulary.records.log.open_files import OpenFile
from cartulary.records.log.server import Server, place_of
from cartulary.records.log.store import Store
from tests.records.archives import OPENING
from tests.records.logs import Place, played

WORDS = OPENING.split()
PARTS = 3
"""Events of one append, which is there whole or not at all."""
STORES = 4
"""So many times a worker has the log open at most."""


def forked(work: Callable[[], None]) -> int:
    """Return the number of a new process that does the work and ends."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def worker(place: Place, number: int, draw: random.Random, acknowledged: int) -> None:
    """Open and close the log and write to it without end; say the game and its events of every write."""
    stores = [api.open_store(place, timeout=60), api.open_store(place, timeout=60)]
    game, log = f"game{number}", f"log{number % 7}"
    api.open_game(stores[0], api.NewRequest("cardmate", id=game))
    plies = 0
    while True:
        what = draw.random()
        if what < 0.3 and len(stores) < STORES:
            stores.append(api.open_store(place, create=False, timeout=60))
        elif what < 0.5 and len(stores) > 1:
            stores.pop(draw.randrange(len(stores))).close()
        store = draw.choice(stores)
        if what < 0.8 and plies < len(WORDS):
            [answer] = api.play(store, game, api.WordsRequest((WORDS[plies],)))
            plies += 1
            reply = game, answer.version
        else:
            head = store.head(log) or origin(log)
            reply = log, store.append(log, head, [played()] * PARTS).version
        os.write(acknowledged, b"%s %d\n" % (reply[0].encode(), reply[1]))


def visitor(place: Place, draw: random.Random) -> None:
    """Open and close the log without end, as other processes do."""
    while True:
        try:
            with api.open_store(place, timeout=60) as store:
                store.head("log0")
        except LockedDatabase:
            pass
        time.sleep(draw.random() * 0.02)


def killed(child: int) -> None:
    """Kill a process and wait for its end; that it ended by itself is noted, what it met is on standard error."""
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        ended.append(child)


def warm(place: Place) -> None:
    """Do once what a worker does, so that nothing is imported or worked out again by every one of them."""
    if isinstance(place, Server):
        api.open_store(place).close()
    with TemporaryDirectory() as folder, Store(Path(folder) / "warm.db") as store:
        api.open_game(store, api.NewRequest("cardmate", id="game"))
        api.play(store, "game", api.WordsRequest(tuple(WORDS)))
    gc.freeze()


def hunt(place: Place, kills: int, seed: int) -> dict[str, int]:
    """Kill so many workers; return how many events of each game were acknowledged."""
    draw = random.Random(seed)
    acknowledged: dict[str, int] = {}
    guest = forked(partial(visitor, place, random.Random(seed)))
    for number in range(kills):
        read, write = os.pipe()
        child = forked(partial(worker, place, number, random.Random(number), write))
        os.close(write)
        if number % 4:
            select.select([read], [], [], 60)  # most are killed while they write, some while they open the file
        time.sleep(draw.random() * 0.01)
        killed(child)
        with open(read, "rb") as pipe:
            answers = [line.split() for line in pipe.read().decode().splitlines(keepends=True) if line.endswith("\n")]
        acknowledged |= {id: int(version) for id, version in answers}
        counts.append(len(answers))
        if number % 10 == 9:
            killed(guest)
            guest = forked(partial(visitor, place, random.Random(number)))
    killed(guest)
    return acknowledged


counts: list[int] = []
ended: list[int] = []


def lost(place: Place, acknowledged: dict[str, int]) -> Iterator[str]:
    """Yield what was acknowledged and is not there, and what else is wrong with the log."""
    with api.open_store(place) as store:
        yield from (proof.fault for proof in api.verify_all(store) if proof.fault)
        for id, version in acknowledged.items():
            head = store.head(id)
            there = head.version if head else 0
            if there < version:
                yield f"{id}: {version} events were acknowledged, {there} are there"
            if there > version + 1 and id.startswith("game"):
                yield f"{id}: {version} events were acknowledged, {there} are there, of which one may have been"
        for id in store.ids():
            head = store.head(id)
            if id.startswith("log") and head and head.version % PARTS:
                yield f"{id}: an append is there by half"


def looking(path: Path, create: bool) -> None:
    """Look into the file beside SQLite."""
    _LOOK(path, create)
    if path.exists():
        path.read_bytes()


_LOOK = database._check_is_file

if __name__ == "__main__":
    place, kills, seed = place_of(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    if "look" in sys.argv[4:]:
        database._check_is_file = looking
    if "trust" in sys.argv[4:]:
        OpenFile.check_wal = lambda self: None  # type: ignore[method-assign]
    warm(place)
    found = hunt(place, kills, seed)
    wrong = [f"process {child} ended before it was killed" for child in ended]
    try:
        wrong += lost(place, found)
    except Exception as fault:  # what was lost may be the log itself
        wrong.append(f"{sum(found.values())} events were acknowledged, and the log cannot be read: {fault}")
    print(json.dumps({"kills": kills, "acknowledged": sum(counts), "wrong": wrong}))
