"""Tables written and followed over sockets: a server in its own process, followers, and writers at a steady pace."""

import asyncio
import json
import subprocess
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct

HERE = "127.0.0.1"
LIMIT = 1 << 20
"""Bytes of the longest line of a stream."""
LAG = 30
"""Seconds after the last word in which everybody must have been told of it."""
Told = dict[tuple[str, int], bytes]
"""The bytes of each event by game and version."""


class Server:
    """A server in a process of its own, whose first line is its whole address; ended at the end of the block."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, encoding="utf-8"
        )
        assert self.process.stdout
        address = urlsplit(self.process.stdout.readline().strip())
        assert address.port
        self.port, self.key = address.port, parse_qs(address.query)["key"][0]

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.process.terminate()
        self.process.wait(20)

    @property
    def spent(self) -> float:
        """The processor seconds that all threads of the server have taken so far, those that have ended too.

        Source: Linux's cpuclock
        """
        return time.clock_gettime((~self.process.pid << 3) | 2)

    @property
    def peak(self) -> float:
        """The most memory it held at once, in MB of 1,000,000 bytes, as the operating system counts it."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as lines:
            [most] = (line.split()[1] for line in lines if line.startswith("VmHWM"))
        return int(most) * 1024 / 1e6

    def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        """Return an HTTP request to this server, with its key, as the bytes to send."""
        head = f"{method} {path} HTTP/1.1\r\nHost: {HERE}\r\nX-Cartulary-Key: {self.key}\r\n"
        if method == "POST":
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return f"{head}\r\n".encode() + body


class Run(Struct):
    """What a run came to.

    Attributes:
        cpu: The seconds of the server's processor time.
        deliveries: How many events came to followers, over all of them.
        last: For each word, the seconds from sending it until it came to its last follower.
        told: The bytes of each event, by game and version, for a rival to send.
    """

    cpu: float
    deliveries: int
    last: list[float]
    told: Told


class Tables:
    """Tables at which words are written at a pace while followers listen."""

    def __init__(self, server: Server, first: int, words: dict[str, tuple[str, ...]], each: int, pace: float) -> None:
        """Prepare tables; nothing is sent yet.

        ``first`` is the version of their first new word, ``words`` those to be written, by game, ``each`` the followers
        of a table, and ``pace`` the seconds between two words of a table.
        """
        self.server, self.first, self.words, self.each, self.pace = server, first, words, each, pace
        self.sent: dict[tuple[str, int], float] = {}
        self.reached: dict[tuple[str, int], float] = {}
        self.told: Told = {}

    def run(self, body: Callable[[str, int], bytes]) -> Run:
        """Write every word and return what that took, once each follower has every event, in order and once.

        ``body`` returns the body of the request that writes a word, by game and version. Raises AssertionError if a
        follower gets anything else.
        """
        return asyncio.run(self._run(body))

    async def _run(self, body: Callable[[str, int], bytes]) -> Run:
        """Write all words while followers listen, and return what that cost."""
        ready = [asyncio.Event() for _ in range(self.each * len(self.words))]
        games = [id for id in self.words for _ in range(self.each)]
        following = [asyncio.create_task(self._follow(*each)) for each in zip(games, ready, strict=True)]
        for event in ready:
            await event.wait()
        await asyncio.sleep(0.5)
        before = self.server.spent
        stagger = self.pace / len(self.words)
        await asyncio.gather(*(self._write(id, at * stagger, body) for at, id in enumerate(self.words)))
        for versions in await asyncio.wait_for(asyncio.gather(*following), LAG):
            assert versions == sorted(set(versions))
        cpu = self.server.spent - before
        last = [self.reached[key] - at for key, at in self.sent.items()]
        return Run(cpu, len(self.sent) * self.each, last, self.told)

    async def _follow(self, id: str, ready: asyncio.Event) -> list[int]:
        """Follow a game as a screen does until its last word, and return the versions that came; ``ready`` is set once
        the stream is open.
        """
        reader, writer = await asyncio.open_connection(HERE, self.server.port, limit=LIMIT)
        writer.write(self.server.request("GET", f"/events?game={id}&since={self.first - 1}&as=rail"))
        wanted = [self.first + at for at in range(len(self.words[id]))]
        versions: list[int] = []
        while len(versions) < len(wanted):
            line = await reader.readline()
            assert line, f"the stream of {id} ended"
            if line.startswith(b"retry: "):
                ready.set()
            elif line.startswith(b"id: "):
                version = int(line[4:])
                versions.append(version)
                self.reached[id, version] = time.perf_counter()
                self.told.setdefault((id, version), line + await reader.readline() + b"\n")
        writer.close()
        assert versions == wanted, (id, versions)
        return versions

    async def _write(self, id: str, wait: float, body: Callable[[str, int], bytes]) -> None:
        """Send the words of a game one by one, at the pace of the tables and after ``wait`` seconds, and note when each
        was sent.
        """
        reader, writer = await asyncio.open_connection(HERE, self.server.port)
        start = time.perf_counter() + wait
        for at in range(len(self.words[id])):
            await asyncio.sleep(max(0.0, start + at * self.pace - time.perf_counter()))
            version = self.first + at
            request = self.server.request("POST", f"/games/{id}/words", body(id, version))
            self.sent[id, version] = time.perf_counter()
            writer.write(request)
            assert await answered(reader) == 200, (id, version)
        writer.close()


async def answered(reader: asyncio.StreamReader) -> int:
    """Read an HTTP answer from a connection, and return its status."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
    await reader.readexactly(int(length))
    return int(head.split()[1])


def played(tables: Tables) -> Callable[[str, int], bytes]:
    """Return a function that makes the body of a request that plays a word, from its game and its version."""

    def body(id: str, version: int) -> bytes:
        word = tables.words[id][version - tables.first]
        return json.dumps({"command": f"{id}-{version}", "words": word}).encode()

    return body


async def posted(server: Server, path: str, body: bytes, times: int) -> None:
    """Send the same request ``times`` times, one after the other. Raises AssertionError if one is refused."""
    reader, writer = await asyncio.open_connection(HERE, server.port)
    for _ in range(times):
        writer.write(server.request("POST", path, body))
        assert await answered(reader) == 200
    writer.close()
