"""What goes over the wire: answers and streams are gzip for whoever takes it, and an event of a table stays small."""

import gzip
import http.client
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.notation import GAMES, loads
from cartulary.records import api
from cartulary.web.serving import listening
from tests.places import SAMPLES
from tests.web.test_kills import serving_child

HERE = "127.0.0.1"
PACKED = {"Accept-Encoding": "gzip, deflate, br"}
LARGEST = 10_000
"""Bytes that an event of a table may cost on the wire."""
GIVEN = ("Game", "Result", "Score", "Pot", "Edition", "Termination")
"""Tags that are not given to a game that begins."""


def words_of(key: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the tags and the words of the longest sample of a game that begins where its rules do."""
    paths = sorted((SAMPLES / key / "games").glob("*.cgn"))
    records = [record for path in paths for record in loads(path.read_text("utf-8"))]
    plain = [one for one in records if not {name for name, _ in one.tags} & {"Board", "FEN", "Deal"}]
    record = max(plain or records, key=lambda one: len(one.line.words))
    return {name: value for name, value in record.tags if name not in GIVEN}, record.line.words


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int, dict[str, str]]]:
    """Serve an archive with a game of each kind from another process; yield its file, the port and the key's header."""
    path = tmp_path_factory.mktemp("wire") / "games.db"
    with api.Store(path) as store:
        for key in GAMES:
            tags, words = words_of(key)
            api.open_game(store, api.NewRequest(key, id=key, tags=tags))
            api.play(store, key, api.WordsRequest(words[: len(words) // 2], stands=True))
    listener = listening(HERE, 0)
    with serving_child(path, listener) as (_, operator):
        yield path, listener.getsockname()[1], {"X-Cartulary-Key": operator}
    listener.close()


def asked(port: int, path: str, headers: dict[str, str]) -> tuple[http.client.HTTPResponse, bytes]:
    """Return an answer with the bytes of its body as they came."""
    to = http.client.HTTPConnection(HERE, port, timeout=10)
    to.request("GET", path, headers=headers)
    answer = to.getresponse()
    body = answer.read()
    to.close()
    return answer, body


@pytest.mark.parametrize("path", ["/games/chess/table", "/games/chess.json", "/desk.css", "/games", "/rules/chess"])
def test_an_answer_is_gzip_for_who_takes_it_and_the_same_for_who_does_not(
    desk: tuple[Path, int, dict[str, str]], path: str
) -> None:
    _, port, key = desk
    plain, body = asked(port, path, key)
    assert plain.getheader("content-encoding") is None
    for takes in ("gzip", "br, GZIP;q=0.5", "*"):
        packed, bytes_sent = asked(port, path, key | {"Accept-Encoding": takes})
        assert packed.getheader("content-encoding") == "gzip"
        assert packed.getheader("content-type") == plain.getheader("content-type")
        assert packed.getheader("vary") == "accept-encoding"
        assert int(str(packed.getheader("content-length"))) == len(bytes_sent) < len(body) / 2
        assert gzip.decompress(bytes_sent) == body
    for takes in ("", "br", "gzip;q=0", "gzip; q=0.0", "identity"):
        packed, bytes_sent = asked(port, path, key | {"Accept-Encoding": takes})
        assert packed.getheader("content-encoding") is None, takes
        assert bytes_sent == body


class Wire:
    """A stream as it comes over the wire."""

    def __init__(self, port: int, query: str, headers: dict[str, str]) -> None:
        self.to = http.client.HTTPConnection(HERE, port, timeout=10)
        self.to.request("GET", f"/events?{query}", headers=headers)
        self.answer = self.to.getresponse()
        self.unpack = zlib.decompressobj(16 + 15)
        self.text, self.size = b"", 0

    def until(self, part: bytes) -> None:
        """Read until a text has come whole."""
        while part not in self.text:
            self.read()

    def read(self) -> None:
        """Read what comes next."""
        piece = self.answer.read1(65536)
        assert piece, "the stream ended"
        self.size += len(piece)
        self.text += self.unpack.decompress(piece)

    def close(self) -> None:
        self.to.close()


def test_a_stream_is_gzip_that_is_read_event_by_event(desk: tuple[Path, int, dict[str, str]]) -> None:
    path, port, key = desk
    wires = [Wire(port, f"game=draughts&since={since}", key | PACKED) for since in (3, 4)]
    for wire in wires:
        assert wire.answer.getheader("content-encoding") == "gzip"
        wire.until(b"}\n\n")
    _, words = words_of("draughts")
    with api.Store(path) as store:
        for word in words[len(words) // 2 :][:3]:
            [move] = api.play(store, "draughts", api.WordsRequest((word,)))
            for wire in wires:
                wire.until(f"id: {move.version}\n".encode())
                wire.until(b"}\n\n")
    for wire in wires:
        said = [json.loads(line[6:]) for line in wire.text.decode().split("\n") if line.startswith("data: {")]
        assert [event["version"] for event in said] == [*range(said[0]["version"], move.version + 1)]
        assert "<svg" in said[-1]["live"]
        wire.close()


def refreshed(port: int, path: str, headers: dict[str, str], known: str) -> tuple[dict[str, tuple[str, str]], int]:
    """Return the parts of a page that have changed, and how many bytes they took on the wire."""
    answer, body = asked(port, path, headers | PACKED | {"X-Cartulary-Parts": known})
    assert answer.getheader("content-type") == "application/json"
    text = gzip.decompress(body) if answer.getheader("content-encoding") == "gzip" else body
    size = len(body) + sum(len(name) + len(value) + 4 for name, value in answer.getheaders())
    return json.loads(text)["parts"], size


def marks(parts: dict[str, tuple[str, str]]) -> str:
    return ",".join(f"{name}={mark}" for name, (mark, _) in parts.items())


def test_a_page_is_asked_for_the_parts_that_have_changed(desk: tuple[Path, int, dict[str, str]]) -> None:
    path, port, key = desk
    _, page = asked(port, "/games/chess/table", key)
    parts, _ = refreshed(port, "/games/chess/table", key, "-")
    assert set(parts) == {"state", "stated"}
    assert all(html in page.decode() and f'data-live="{name}"' in html for name, (_, html) in parts.items())
    assert refreshed(port, "/games/chess/table", key, marks(parts))[0] == {}
    assert set(refreshed(port, "/games/chess/table", key, f"state=old,stated={parts['stated'][0]}")[0]) == {"state"}
    with api.Store(path) as store:
        api.dispute(store, "chess", api.DisputeRequest(ply=1, by="p1", claim="it was not played"))
    after, _ = refreshed(port, "/games/chess/table", key, marks(parts))
    assert set(after) == {"state"}
    assert "it was not played" in after["state"][1]
    assert asked(port, "/games/none/table", key | {"X-Cartulary-Parts": "-"})[0].status == 404
    answer, body = asked(port, "/games/chess", key | {"X-Cartulary-Parts": "-"})  # a page without parts is sent whole
    assert str(answer.getheader("content-type")).startswith("text/html")
    assert b"<html" in body


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("view", ["table", "watch"])
def test_an_event_of_a_game_is_small_on_the_wire(desk: tuple[Path, int, dict[str, str]], key: str, view: str) -> None:
    """What a table's page is told of an event and asks for then; what a page that only follows is told."""
    path, port, operator = desk
    tags, words = words_of(key)
    id = f"{key}-{view}"
    page = f"/games/{id}/table"
    with api.Store(path) as store:
        api.open_game(store, api.NewRequest(key, id=id, tags=tags))
        api.play(store, id, api.WordsRequest(words[: len(words) // 2], stands=True))
        since = api.read_view(store, id).version
        wire = Wire(port, f"game={id}&since={since - 1}{'&boards=no' * (view == 'table')}", operator | PACKED)
        wire.until(b"}\n\n")
        known = marks(refreshed(port, page, operator, "-")[0])
        largest = 0
        for word in words[len(words) // 2 :][:12]:
            before, wire.size = len(wire.text), 0
            [*_, move] = api.play(store, id, api.WordsRequest((word,), stands=True))
            wire.until(f"id: {move.version}\n".encode())
            while not wire.text.endswith(b"}\n\n"):
                wire.read()
            assert (b"<svg" in wire.text[before:]) == (view == "watch")
            cost = wire.size
            if view == "table":
                changed, size = refreshed(port, page, operator, known)
                assert "state" in changed
                known = marks(changed)
                cost += size
            largest = max(largest, cost)
        wire.close()
    assert 0 < largest <= LARGEST, largest
