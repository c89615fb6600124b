"""Figures ``flood_…``: how long a scribe waits for an answer while somebody floods the server by one link.

The server runs in a process of its own and so does the flood; everything goes over sockets. The scribe writes at one
table, the flood is about another, at which six plies in a row were not written down, so that every answer about it
costs seconds of a processor.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from commands import cartulary
from corpora import Corpora, endless
from figures import Figure, Reach, figure
from followers import HERE, Server

from cartulary.notation import load
from cartulary.records import api
from cartulary.web.guard import OWN_HEADER

FLOODER = [sys.executable, str(Path(__file__).with_name("flooder.py"))]
SHEET = Path(__file__).parents[1] / "samples" / "draughts" / "games" / "tinsley-long.cgn"
MISSED = (80, 86)
"""The plies of that game nobody wrote, from the first to the one before the second."""
MISSED_ONCE = (80, 81)
"""The same where nothing is measured: it is then a table like any other."""
PLIES = 60
WORDS = 40
"""How many words the scribe writes in a round."""
PACE = 0.1
"""Seconds between an answer and the next word."""
CLIENTS = 60
"""How many clients flood at once."""
HOLD = 3.0
"""Seconds after which a client of the flood goes away."""
COMMENTS = 200
"""Words each of the games has in its comments among which a search is made."""


class Desk:
    """A server with a slow table and links to both tables."""

    def __init__(self, folder: Path, games: int, missed: tuple[int, int]) -> None:
        """Make the database, its games and links.

        ``missed`` are the first ply of the slow game that nobody wrote, from 0, and the one after the last.
        """
        self.path = folder / "records.db"
        with api.Store(self.path) as store:
            api.open_game(store, api.NewRequest("cardmate", id="table", players=("Ada", "Bela")))
            api.play(store, "table", api.WordsRequest(endless(PLIES)))
            api.open_game(store, api.NewRequest("draughts", id="slow", players=("Tinsley", "Long")))
            [record] = load(str(SHEET))
            words = list(record.line.words[: missed[1]])
            words[slice(*missed)] = ["~"] * (missed[1] - missed[0])
            api.play(store, "slow", api.WordsRequest(tuple(words), stands=True))
            said = " ".join(f"word{number} a{number}" for number in range(COMMENTS))
            for number in range(games):
                api.open_game(store, api.NewRequest("cardmate", id=f"game-{number}"))
                api.annotate(store, f"game-{number}", api.NoteRequest(ply=0, comment=f"{said} b{number}"))
            made = {
                name: api.make_links(store, id, api.LinksRequest((role,)))[0].secret
                for name, id, role in (
                    ("scribe", "table", "scribe"),
                    ("rail", "slow", "rail"),
                    ("other", "slow", "scribe"),
                )
            }
        self.secrets = made

    def cookies(self, port: int) -> dict[str, str]:
        """Take every link up, and return the cookie of each, ``NAME=SECRET``, by the name of the link."""
        found = {}
        for name, secret in self.secrets.items():
            to = HTTPConnection(HERE, port, timeout=60)
            headers = {"Content-Type": "application/json", OWN_HEADER: "1"}
            to.request("POST", "/join", json.dumps({"secret": secret}), headers)
            answer = to.getresponse()
            assert answer.status == 200, answer.read()
            found[name] = str(answer.getheader("set-cookie")).partition(";")[0]
            to.close()
        return found


def floods(server: Server, cookies: dict[str, str], plies: int) -> dict[str, list[str]]:
    """Return the requests of every flood, each a whole HTTP request as text, by the name of the flood."""

    def got(path: str, head: str) -> str:
        return f"GET {path} HTTP/1.1\r\nHost: {HERE}\r\nConnection: close\r\n{head}\r\n\r\n"

    def posted(path: str, body: object, head: str = "") -> str:
        told = json.dumps(body)
        head += f"Content-Type: application/json\r\n{OWN_HEADER}: 1\r\nContent-Length: {len(told)}"
        return f"POST {path} HTTP/1.1\r\nHost: {HERE}\r\nConnection: close\r\n{head}\r\n\r\n{told}"

    rail, scribe = (f"Cookie: {cookies[name]}" for name in ("rail", "other"))
    pages = ["/games/slow", "/games/slow.json", "/games/slow/watch"]
    pages += [f"/games/slow/plies/{ply}{twin}" for ply in range(plies, 0, -1) for twin in ("", ".json")]
    many = "%20".join(f"a{number}*" for number in range(5000))
    key = f"X-Cartulary-Key: {server.key}"
    return {
        "reads": [got(path, rail) for path in pages],
        "trials": [posted("/games/slow/trial", {"words": f"~ {word}"}, f"{scribe}\r\n") for word in ("~", "~ ~")],
        "streams": [got(f"/events?game=slow&since={since}", rail) for since in range(50)],
        "searches": [got(f"/search?text={many}", key), got("/search?position=slow&at=79", key)],
        "joins": [posted("/join", {"secret": f"wrong-{number}"}) for number in range(50)],
    }


@contextmanager
def flooded(port: int, requests: list[str], clients: int) -> Iterator[None]:
    """Flood a server as long as the block lasts."""
    with subprocess.Popen(FLOODER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as program:
        assert program.stdin
        assert program.stdout
        asked = {"port": port, "many": clients, "requests": requests, "hold": HOLD}
        print(json.dumps(asked), file=program.stdin, flush=True)
        assert program.stdout.readline()
        try:
            yield
        finally:
            program.kill()


def written(port: int, cookie: str, words: Sequence[str], pace: float) -> float:
    """Write words one after the other, with ``pace`` seconds between, and return the 95th percentile of the ms until
    each was answered.
    """
    took = []
    to = HTTPConnection(HERE, port, timeout=300)
    headers = {"Content-Type": "application/json", OWN_HEADER: "1", "Cookie": cookie}
    for number, word in enumerate(words):
        time.sleep(pace)
        body = json.dumps({"command": f"{time.time_ns()}-{number}", "words": word})
        start = time.perf_counter()
        to.request("POST", "/games/table/words", body, headers)
        answer = to.getresponse()
        told = answer.read()
        took.append(time.perf_counter() - start)
        assert answer.status == 200, told
    to.close()
    return 1e3 * sorted(took)[int(0.95 * (len(took) - 1))]


def flooding(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure how long a scribe waits in each flood, against the same scribe on the same server in peace."""
    found: dict[str, list[tuple[float, float]]] = {}
    count, missed = (WORDS, MISSED) if rounds else (2, MISSED_ONCE)
    line = endless(PLIES + 12 * count * max(1, rounds))[PLIES:]
    with TemporaryDirectory(dir=corpora.folder) as folder:
        made = Desk(Path(folder), games, missed)
        with Server(cartulary("serve", "--port", "0", "--no-open", "--db", str(made.path))) as server:
            cookies, at = made.cookies(server.port), 0
            pace = PACE if rounds else 0.0
            for _ in range(max(1, rounds)):
                for name, requests in floods(server, cookies, missed[1]).items():
                    with flooded(server.port, requests, CLIENTS if rounds else 2):
                        ours = written(server.port, cookies["scribe"], line[at : at + count], pace)
                    time.sleep(pace * 20)
                    peace = written(server.port, cookies["scribe"], line[at + count : at + 2 * count], pace)
                    at += 2 * count
                    found.setdefault(name, []).append((ours, peace))
    return [
        figure(
            f"flood_{name}",
            f"a word of a scribe while one link floods the server with {name} about another table (19 of 20 are "
            "faster), against the same in peace",
            "ms",
            pairs,
            Reach("≤", 300, "ms"),
            {"clients": CLIENTS, "words": WORDS, "games": games},
            "processes and sockets; wall time from the request to its answer",
        )
        for name, pairs in found.items()
    ]
