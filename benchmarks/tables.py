"""Figures ``tables_…``: many tables written and followed at once, over sockets, against a server that only sends.

Needs Linux, which says how much processor time and memory a running process has used.
"""

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from commands import cartulary
from corpora import Corpora, endless
from figures import Figure, Pairs, Reach, figure
from followers import Run, Server, Tables, played, posted
from serving import HOST, KEY, answered

from cartulary.records import api
from cartulary.web.app import application
from cartulary.web.stores import Stores

RIVAL = [sys.executable, str(Path(__file__).with_name("rival_stream.py"))]
PLIES = 60
"""How long the games are when measuring begins."""
LONG = 200
"""How long the game is on which a word is tried."""
FOLLOWERS = 10
"""Who follows a table where there are many."""
PACE = 3.0
"""Seconds between two words of a table: twenty a minute."""
WORDS = {"delivery": 10, "one": 20, "last": 40}
"""How many words are written at a table, by what is measured."""
TRIAL, TRIALS = "/games/long/trial", 200


class Round:
    """One round of measurements of our server and a rival.

    Attributes:
        runs: The run of our server and that of the rival, by what was measured.
        peaks: The most memory of the two servers, in MB.
        trial: The processor time, in ms, of trying a word without a socket, and that of loading its game anew.
        sent: The processor time, in ms, of trying a word over a socket: that of our server, and the rival's.
    """

    def __init__(self, folder: Path, tables: int, quick: bool) -> None:
        """Measure one round with so many tables; if ``quick``, only enough to show that everything runs."""
        self.tables, self.quick, self.runs = tables, quick, dict[str, tuple[Run, Run]]()
        path = folder / "records.db"
        with api.Store(path) as store:
            for number in range(tables):
                self.first = _opened(store, f"table-{number}", PLIES)
            for id in ("one", "last"):
                _opened(store, id, PLIES)
            _opened(store, "long", LONG)
        with Server(cartulary("serve", "--port", "0", "--no-open", "--db", str(path))) as ours, Server(RIVAL) as rival:
            many = [f"table-{number}" for number in range(tables)]
            self._run("delivery", many, FOLLOWERS, PACE, ours, rival)
            self.peaks = ours.peak, rival.peak
            self._run("one", ["one"], FOLLOWERS * tables, PACE / 3, ours, rival)
            self._run("last", ["last"], tables, PACE / 6, ours, rival)
            times = 2 if quick else TRIALS
            self.sent = _sent(ours, TRIAL, times), _sent(rival, "/games/long/words", times)
        self.trial = _tried(path, times), _anew(path, times)

    def _run(self, name: str, ids: Sequence[str], each: int, pace: float, ours: Server, rival: Server) -> None:
        """Write words at tables with ``each`` followers, first of our server and then of the rival, which is given what
        ours sent.
        """
        count = 2 if self.quick else WORDS[name]
        words = dict.fromkeys(ids, endless(PLIES + count)[PLIES:])
        tables = [Tables(server, self.first, words, each, 0.1 if self.quick else pace) for server in (ours, rival)]
        first = tables[0].run(played(tables[0]))
        self.runs[name] = first, tables[1].run(lambda id, version: first.told[id, version])

    def delivered(self, name: str) -> tuple[float, float]:
        """Return the processor time of one delivery, in µs: that of our server, and the rival's."""
        ours, rival = self.runs[name]
        return 1e6 * ours.cpu / ours.deliveries, 1e6 * rival.cpu / rival.deliveries

    def slowest(self, name: str) -> tuple[float, float]:
        """Return the ms of wall time within which 19 of 20 words had come to the last follower, ours and
        the rival's.
        """
        ours, rival = self.runs[name]
        return _most(ours.last), _most(rival.last)


def tables(corpora: Corpora, many: int, rounds: int) -> list[Figure]:
    """Measure ``many`` tables with ten times as many followers: all at once, all followers at one table, and a word
    that is tried. No figure except on Linux.
    """
    if sys.platform != "linux":
        print("tables: needs Linux", file=sys.stderr)
        return []
    done = []
    for _ in range(max(1, rounds)):
        with TemporaryDirectory(dir=corpora.folder) as folder:
            done.append(Round(Path(folder), many, not rounds))
    return list(_figures(done, many))


def _figures(done: Sequence[Round], many: int) -> Iterator[Figure]:
    """Yield the figures of the rounds that were measured; ``many`` is the number of tables."""
    how = "processes and sockets; every event came once and in order, or there is no figure; "
    processor, followers = f"{how}processor time of the server, writing included", FOLLOWERS * many
    beside = "against a server that only sends the same bytes"

    def told(name: str, what: str, unit: str, pairs: Pairs, reach: Reach | None, **sizes: int) -> Figure:
        where = f"{how}wall time" if name == "last" else processor
        return figure(f"tables_{name}", f"{what}, {beside}", unit, pairs, reach, {"plies": PLIES} | sizes, where)

    at_many = {"tables": many, "followers": followers}
    yield told(
        "delivery",
        "one delivery, with ten followers and twenty words a minute at every table",
        "µs",
        [each.delivered("delivery") for each in done],
        None,
        **at_many,
    )
    peaks = [each.peaks for each in done]
    yield told("memory", "the peak memory of the server meanwhile", "MB", peaks, Reach("≤", 200, "MB"), **at_many)
    alone = [each.delivered("one") for each in done]
    yield told(
        "one", "one delivery, with everybody at one table", "µs", alone, Reach("≤", 200, "µs"), followers=followers
    )
    last = [each.slowest("last") for each in done]
    within = Reach("≤", 100, "ms")
    yield told(
        "last",
        "the time a word takes to reach its last follower (19 of 20 are faster)",
        "ms",
        last,
        within,
        followers=many,
    )
    yield figure(
        "tables_trial",
        "a word judged while it is typed, against loading its game again and judging it",
        "ms",
        [each.trial for each in done],
        Reach("≤", 1, "ms"),
        {"plies": LONG},
        "`POST /games/ID/trial`, asked of the application, guard and threads included; no socket; processor time",
    )
    sent = [each.sent for each in done]
    yield told("request", "the same over a socket", "ms", sent, None, plies=LONG)


def _opened(store: "api.Store", id: str, plies: int) -> int:
    """Open a game, play so many plies, and return the version that its next word will have."""
    api.open_game(store, api.NewRequest("cardmate", id=id, players=("Ada", "Bela")))
    api.play(store, id, api.WordsRequest(endless(plies)))
    return api.load(store, id).head.version + 1


def _most(seconds: Sequence[float]) -> float:
    """Return the time that 19 of 20 do not exceed, in ms."""
    return 1e3 * sorted(seconds)[int(0.95 * (len(seconds) - 1))]


def _typed() -> bytes:
    """Return the body of a request that tries the word after the last."""
    return b'{"words": "%s"}' % endless(LONG + 1)[-1].encode()


def _sent(server: Server, path: str, times: int) -> float:
    """Return the server's processor time, in ms, for one request that tries a word."""
    asyncio.run(posted(server, path, _typed(), 2))
    before = server.spent
    asyncio.run(posted(server, path, _typed(), times))
    return 1e3 * (server.spent - before) / times


def _tried(path: Path, times: int) -> float:
    """Return the processor time of trying a word, in ms: the whole application, guard and threads included."""
    stores = Stores(path)
    app = application(stores, KEY, [HOST], writes=True)

    async def several(count: int) -> float:
        start = time.process_time()
        for _ in range(count):
            await answered(app, TRIAL, _typed())
        return 1e3 * (time.process_time() - start) / count

    async def warm() -> float:
        await several(2)
        return await several(times)

    taken = asyncio.run(warm())
    stores.close()
    return taken


def _anew(path: Path, times: int) -> float:
    """Return the processor time of loading the long game again and judging a word, in ms."""
    word = endless(LONG + 1)[-1:]
    start = time.process_time()
    for _ in range(times):
        with api.Store(path) as store:
            api.judge_words(api.load(store, "long"), word)
    return 1e3 * (time.process_time() - start) / times
