"""Archives whose chain is right and whose numbers nobody can mean: told in a sentence, at once."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cartulary.records import api
from cartulary.records.log import chain
from cartulary.records.log.store import Store
from tests.records.archives import OPENING, Run, sheet, taken_in
from tests.records.test_damaged_files import fault_of

Body = dict[str, Any]
CLAIMED = "4Ci3 {[%dispute 1 by=p2] [%clk 0:10:00]} 4Db6 {[%ruling 1,2 penalty arbiter=Dora p1=20]} 8Dj2"
NUMBERS = (-(10**4000), -(2**63) - 1, -1, 2**31, 2**63, 2**64, 10**4000)
"""What is put in the place of each number."""


def lived(store: Store) -> list[str]:
    """Return the ids of games that hold every kind of event."""
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela"), tags={"Event": "Cup"}))
    api.play(store, "evening", api.WordsRequest(tuple(OPENING.split()), clock="0:10:00"))
    api.amend(store, "evening", api.AmendRequest(2, ("4Db6",), reason="misheard"))
    api.annotate(store, "evening", api.NoteRequest(2, "a quiet answer"))
    api.take_back(store, "evening", api.UndoRequest(1, by="p1", agreed="p2"))
    api.play(store, "evening", api.WordsRequest(("XDa2",), stands=True))
    for ply in (1, 2):
        api.dispute(store, "evening", api.DisputeRequest(ply, by="p2", claim="it cannot go there"))
    raised = [line.version for line in api.log(store, "evening") if line.kind == "dispute-raised"]
    api.withdraw(store, "evening", api.WithdrawRequest(raised[0], by="p2"))
    api.rule(
        store,
        "evening",
        api.RulingRequest((2,), arbiter="Dora", decision="penalty", penalties={"p1": "5 minutes"}, dispute=raised[1]),
    )
    api.close(store, "evening", api.CloseRequest("1-0", termination="adjudication"))
    [taken] = taken_in(store, sheet(CLAIMED))
    return ["evening", taken]


def resealed(archive: Body, at: int, body: Body) -> bytes:
    """Return an archive with another body for one event, and a chain that fits it."""
    digest = bytes.fromhex(chain.origin(archive["id"]).digest)
    events = []
    for number, event in enumerate(archive["events"]):
        data = json.loads(event["body"])
        del data["digest"]
        text = json.dumps(body if number == at else data, separators=(",", ":"), ensure_ascii=False).encode()
        digest, whole = chain.seal(digest, event["topic"].encode(), text)
        events.append({"topic": event["topic"], "body": whole.decode()})
    return json.dumps({**archive, "events": events, "digest": digest.hex()}, ensure_ascii=False).encode() + b"\n"


def each_number(body: Any) -> Iterator[Any]:
    """Yield the body once for each number and each place of one, with another number there."""
    if isinstance(body, dict):
        for name, value in body.items():
            yield from ({**body, name: new} for new in each_number(value))
    elif isinstance(body, list):
        for i, value in enumerate(body):
            yield from ([*body[:i], new, *body[i + 1 :]] for new in each_number(value))
    elif isinstance(body, int) and not isinstance(body, bool):
        yield from NUMBERS


def each_text(body: Body) -> Iterator[Body]:
    """Yield the body once for each number in a command of its sheet, with another number there."""
    text = body.get("cgn", "")
    for command in re.finditer(r"\[%[^\]]*\]|\[[A-Z][^\]]*\]", text):
        for found in re.finditer(r"\d+", command[0]):
            at = command.start() + found.start()
            for number in ("9" * 19, "9" * 5000):
                yield {**body, "cgn": text[:at] + number + text[at + len(found[0]) :]}


def told_by(body: Body) -> Body:
    return {name: value for name, value in body.items() if name != "digest"}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of archives, each with one number changed and an id and a chain of its own."""
    folder = tmp_path_factory.mktemp("odd")
    lines: list[bytes] = []
    with Store(folder / "games.db") as store:
        for id in lived(store):
            archive = json.loads(encoded(store, id))
            for at, event in enumerate(archive["events"]):
                body = told_by(json.loads(event["body"]))
                for changed in (*each_number(body), *each_text(body)):
                    lines.append(resealed({**archive, "id": f"n{len(lines)}", "standing": None}, at, changed))
            if id != "evening":
                continue
            plain = {name: value for name, value in archive.items() if name != "events"}
            lines += [json.dumps({**changed, "events": archive["events"]}).encode() for changed in each_number(plain)]
    path = folder / "odd.jsonl"
    path.write_bytes(b"\n".join(lines))
    return path


def encoded(store: Store, id: str) -> bytes:
    return msgspec.json.encode(api.export_json(store, id, log=True))


def test_no_number_of_an_archive_ends_a_command_in_a_fault_or_never(odd: Path, db: Path) -> None:
    assert odd.read_bytes().count(b"\n") > 300
    for words in (
        "verify ODD",
        "verify ODD --json",
        "import ODD",
        "list",
        "verify --all",
        "export --all --format json",
    ):
        assert fault_of([*words.replace("ODD", str(odd)).split(), "--db", str(db)]) == "", words


@pytest.mark.parametrize("seats", [0, -1, 100, 2**64])
def test_a_number_of_seats_no_table_has_is_damage(db: Path, run: Run, tmp_path: Path, seats: int) -> None:
    with Store(db) as store:
        api.open_game(store, api.NewRequest("cardmate", id="evening"))
        archive = json.loads(encoded(store, "evening"))
    body = told_by(json.loads(archive["events"][0]["body"]))
    path = tmp_path / "odd.jsonl"
    path.write_bytes(resealed({**archive, "id": "odd"}, 0, {**body, "seats": seats}))
    text = "The events of odd do not make a game: "
    assert text in run("verify", str(path), code=3).stdout
    assert text in run("import", str(path), code=3).stderr
    assert "odd" not in run("list").stdout
