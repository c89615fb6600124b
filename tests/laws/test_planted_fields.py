"""A field of an event that nothing declares is withheld from everybody but who reads the whole log.

``planted`` plays an evening in which every event has one, with a text of its own. So whoever adds a field to an event
has to say who may read it before any view, page, stream or redacted export tells of it.
"""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from subprocess import run

import msgspec
import pytest

from cartulary.records.exchange.redaction import LEVELS, PERSON, export_redacted
from cartulary.records.faults import Declined
from cartulary.records.log import aside_events
from cartulary.records.log.aside_events import LinkMade, LinkRevoked, LinkTaken, PartNoted
from cartulary.records.log.chain import body_without_digest, origin, seal
from cartulary.records.log.events import WITHHOLDABLE, Event
from cartulary.records.log.recorded import Batch, RecordedEvent, read_events
from cartulary.records.log.store import Store
from cartulary.records.log.topics import TOPICS
from tests.laws.planted import MARK, evening
from tests.places import ROOT

OF_A_GAME = [kind for kind in TOPICS if kind.__module__ != aside_events.__name__]
"""The events that stand in the log of a game."""


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What is answered of an evening with planted fields, by what was asked."""
    words = [sys.executable, "-m", "tests.laws.planted", str(tmp_path_factory.mktemp("planted"))]
    done = run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    answers: dict[str, str] = json.loads(done.stdout)
    return answers


def leaks(kind: type[Event], answers: Mapping[str, str]) -> list[str]:
    """Return what was asked where the answer has the text that was planted in events of this kind."""
    planted = re.compile(rf"{MARK}{kind.__name__}\b")
    return [asked for asked, answer in answers.items() if planted.search(answer)]


WHOLE = re.compile(r"log \S+ --json")
"""What asks for a log as it is."""


@pytest.mark.parametrize("kind", OF_A_GAME)
def test_a_field_that_nothing_declares_is_told_in_the_whole_log_alone(
    answered: Mapping[str, str], kind: type[Event]
) -> None:
    leaked = leaks(kind, answered)
    assert leaked != [], "the evening has no such event"
    assert [asked for asked in leaked if not WHOLE.fullmatch(asked)] == []


@pytest.mark.parametrize("kind", [LinkMade, LinkTaken, LinkRevoked, PartNoted])
def test_a_field_that_nothing_declares_of_what_is_no_game_is_told_nowhere(
    answered: Mapping[str, str], kind: type[Event]
) -> None:
    assert leaks(kind, answered) == []


# --- redacted archives, one kind of event after the other ---


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[RecordedEvent, ...]]:
    """The logs of the evening, without anything planted, by game."""
    db = tmp_path_factory.mktemp("evening") / "games.db"
    evening(db)
    with Store(db) as store:
        return {id: store.stream(id) for id in store.ids()}


def planted_log(id: str, recorded: tuple[RecordedEvent, ...], topic: str) -> tuple[RecordedEvent, ...]:
    """Return a log whose events of one topic have a field more in their bodies, its chain whole."""
    previous = bytes.fromhex(origin(id).digest)
    stored: list[tuple[str, bytes]] = []
    for each in recorded:
        body = body_without_digest(each.body)
        if each.topic == topic:
            body = body[:-1] + b',"private":"' + MARK.encode() + b'"}'
        previous, whole = seal(previous, each.topic.encode(), body)
        stored.append((each.topic, whole))
    return tuple(read_events(id, origin(id), stored))


@pytest.mark.parametrize("kind", OF_A_GAME)
def test_no_redacted_archive_holds_a_field_that_nothing_declares(
    logs: dict[str, tuple[RecordedEvent, ...]], kind: type[Event], tmp_path: Path
) -> None:
    topic = TOPICS[kind]
    withholdable = topic.partition("/")[0] in WITHHOLDABLE
    with_it = {id: log for id, log in logs.items() if any(each.topic == topic for each in log)}
    with Store(tmp_path / "games.db") as store:
        for id, log in with_it.items():
            store.write(Batch(id, origin(id), planted_log(id, log, topic)))
            for level, persons in (*((level, ()) for level in LEVELS), (PERSON, ("Nobody",))):
                if withholdable:
                    archive = msgspec.json.encode(export_redacted(store, id, level, persons).archive)
                    assert MARK.encode() not in archive
                else:
                    with pytest.raises(Declined, match="`private`"):
                        export_redacted(store, id, level, persons)
    assert with_it != {}
