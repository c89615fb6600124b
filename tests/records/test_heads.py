"""A head tells no card: who holds two of them, and all a seat may see, confirms no guess at the event between them."""

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import msgspec
import pytest
from msgspec.structs import fields, replace

from cartulary.notation import loads
from cartulary.notation.viewer import Everything, Seat
from cartulary.records import api
from cartulary.records.exchange.archive import read_archive
from cartulary.records.log import aside_events, chain
from cartulary.records.log.chain import origin
from cartulary.records.log.events import Event, WordDeclined
from cartulary.records.log.store import Store
from cartulary.records.log.topics import TOPICS, UPCASTS, decode
from tests.records.archives import Run

DECK = tuple(f"{rank}{suit}" for suit in "WCDS" for rank in "123456789XJNQK") + tuple(f"T{n:02d}" for n in range(22))
DECKS = {"Deck1": "2W 3W 4W 5W 6W 7W 8W 9W XW JW NW QW KW KD T12 T22", "Deck2": "~x16"}


def heads(run: Run, *ids: str) -> list[bytes]:
    """Return the digests `verify` prints to anybody."""
    return [
        bytes.fromhex(digest) for digest in re.findall(r"head \d+:(\w+)$", run("verify", *ids).stdout, re.MULTILINE)
    ]


def confirmed(before: bytes, after: bytes, told: dict[str, object], guesses: Sequence[str]) -> list[str]:
    """Return the cards that, put into the event as the seat was told of it, lead from the one head to the other."""
    found = []
    bodies = [dict(told)]
    bodies.append({name: value for name, value in told.items() if name != "salt"})
    for topic in ("move-played/3", "move-played/4"):
        for body in bodies:
            for card in guesses:
                text = msgspec.json.encode(body | {"text": f"*{card}"})
                if chain.link(before, topic.encode(), sha256(text).digest()) == after:
                    found.append(card)
    return found


def test_two_heads_and_the_view_of_a_seat_confirm_no_guess_at_a_card(run: Run, store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot-duel", id="g", tags=DECKS, players=("Ada", "Bela")))
    [before] = heads(run, "g")
    api.play(store, "g", api.WordsRequest(("*KD",)))
    [after] = heads(run, "g")
    [*_, line] = run("log", "g", "--seat", "p2", "--json").stdout.splitlines()
    data = json.loads(line)["event"]
    assert data["text"] == "*~"
    assert len(DECK) == 78
    assert confirmed(before, after, data, DECK) == []


def made_up(kind: type[Event]) -> Event:
    """Return an event of a kind with some text, number or empty list in each field."""
    values: dict[Any, Any] = {str: "x", int: 1, bool: True}
    needed = [field for field in fields(kind) if field.required]
    make: Any = kind
    event: Event = make(**{field.name: values.get(_plain(field.type), ()) for field in needed})
    return event


def _plain(kind: Any) -> Any:
    """Return the type of a field without what it declares."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def every_kind(store: Store) -> Iterator[Event]:
    """Write an event of every kind there is, some twice with the same words, and yield what was stored."""
    api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
    api.play(store, "g", api.WordsRequest(("4Ci3", "4Db6")))
    api.take_back(store, "g", api.UndoRequest())
    api.redo(store, "g", api.RedoRequest())
    api.take_back(store, "g", api.UndoRequest())
    api.play(store, "g", api.WordsRequest(("4Db6",)), viewer=Everything(quiet=True))
    api.reveal(store, "g", api.RevealRequest())
    api.set_aside(store, "g", api.AsideRequest(reason="a slip"))
    api.set_aside(store, "g", api.AsideRequest(back=True))
    api.seat_player(store, "g", api.SeatRequest(place="p2", player="Fay"))
    link, _ = api.make_links(store, "g", api.LinksRequest(("scribe", "p1")))
    api.take_up(store, link.secret)
    api.revoke_link(store, api.RevokeRequest(link.link.number))
    api.amend(store, "g", api.AmendRequest(2, ("4Db6",)))
    api.amend(store, "g", api.AmendRequest(2, ("4Db6",)))
    api.take_back(store, "g", api.UndoRequest())
    api.annotate(store, "g", api.NoteRequest(1, "!"))
    api.set_clock(store, "g", api.ClockRequest(1, "0:12:30"))
    api.state_board(store, "g", api.BoardRequest(api.present_board(store, "g").text))
    api.keep_sheet(store, "g", loads('[Game "Cardmate"]\n\n1. 4Ci3 *\n')[0])
    for _ in range(2):
        raised = api.dispute(store, "g", api.DisputeRequest(1, by="p2", claim="no"))
        api.withdraw(store, "g", api.WithdrawRequest(raised.dispute.number, by="p2"))
        api.rule(store, "g", api.RulingRequest((1,), arbiter="A", decision="stands"))
        api.close(store, "g", api.CloseRequest("1-0", termination="adjudication"))
        api.agree(store, "g", api.AgreeRequest(), Seat(1))
        api.reopen(store, "g", api.ReopenRequest())
    store.append(
        "@aside", origin("@aside"), [made_up(kind) for kind in TOPICS if kind.__module__ == aside_events.__name__]
    )
    head = store.head("g")
    assert head is not None
    store.append("g", head, [WordDeclined(at="2026-11-22T00:00:00.000Z", seat=1, words=("4Db6",), findings=())])
    [taken] = api.import_records(store, loads('[Game "Cardmate"]\n\n1. 4Ci3 *\n'))
    [other] = api.import_records(store, loads('[White "a"]\n[Black "b"]\n\n1. e4 *\n'))
    api.open_game(store, api.NewRequest("tarot", id="t"))
    for seat in ("p2", "p3"):
        api.change_tags(store, "t", api.TagRequest({"Dealer": seat}))
    for id in ("g", "t", taken.id, other.id, "@links", "@aside"):
        yield from (each.event for each in store.stream(id))


def test_every_event_of_every_kind_is_stored_with_sixteen_random_bytes_of_its_own(store: Store) -> None:
    events = list(every_kind(store))
    assert {type(event) for event in events} == set(TOPICS)
    assert {len(bytes.fromhex(event.salt)) for event in events} == {16}
    assert len({event.salt for event in events}) == len(events)


def test_no_seat_is_told_the_salt(run: Run, store: Store) -> None:
    list(every_kind(store))
    answers = [json.loads(line)["event"] for line in run("log", "g", "--seat", "p1", "--json").stdout.splitlines()]
    assert {each["salt"] for each in answers} == {""}


# --- logs written before ---


def unsalted(store: Store, id: str) -> None:
    """Store the events of the game ``g`` again as they were written before they had salt."""
    previous, rows = bytes.fromhex(chain.origin(id).digest), []
    for each in store.stream("g"):
        kind, _, schema = each.topic.partition("/")
        topic = f"{kind}/{max(int(schema) - 1, 1)}"
        body = {name: value for name, value in json.loads(each.body).items() if name not in ("digest", "salt")}
        if kind == "record-agreed":
            body["head"] = f"{each.originator_version - 1}:{previous.hex()}"
        previous, whole = chain.seal(previous, topic.encode(), msgspec.json.encode(body))
        rows.append((id, each.originator_version, topic, whole.decode()))
    with sqlite3.connect(store.path) as other:
        other.executemany(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)", rows
        )
        other.execute("INSERT INTO heads VALUES (?, ?, ?)", (id, len(rows), previous.hex()))
    other.close()


def test_a_log_without_salt_is_proved_and_read_and_played_on_and_taken_in_as_before(
    store: Store, tmp_path: Path
) -> None:
    list(every_kind(store))
    unsalted(store, "old")
    assert api.verify(store, "old").fault == ""
    answers = [[re.sub("head .*", "head", line.says) for line in api.log(store, id)] for id in ("old", "g")]
    assert answers[0] == answers[1]
    api.play(store, "old", api.WordsRequest(("4Db6",)))
    archive = api.export_json(store, "old", log=True)
    with Store(tmp_path / "elsewhere.db") as elsewhere:
        assert api.take_in(elsewhere, read_archive(msgspec.json.encode(archive))).status == "new"
        assert elsewhere.head("old") == store.head("old")


@pytest.mark.parametrize(("topic", "now"), [(old, new) for old, (new, _) in UPCASTS.items() if old != "move-played/1"])
def test_a_body_without_salt_is_read_with_an_empty_one(store: Store, topic: str, now: str) -> None:
    [event, *_] = [event for event in every_kind(store) if TOPICS[type(event)] == now]
    body = {name: value for name, value in msgspec.to_builtins(event).items() if name != "salt"}
    assert decode(topic, msgspec.json.encode(body)) == replace(event, salt="")
