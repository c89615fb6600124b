"""Following: every event is told of once, in the order it was stored, whoever writes meanwhile."""

import threading
from collections import Counter
from collections.abc import Callable

import pytest

from cartulary.records import api
from cartulary.records.faults import Damaged
from cartulary.records.log import store as keeping
from cartulary.records.log.chain import Head, origin
from cartulary.records.log.contract import Log
from cartulary.records.log.recorded import Notification
from cartulary.records.log.store import Store
from tests.hunts import looks
from tests.records.logs import Place, carry_out, edit, filled, played

WRITERS, READERS = 8, 2
APPENDS = looks(120)
"""How often each writer writes: 100,000 times in all with HUNT=209."""
LONG, EVERY = 40, 16
"""Every so many appends one has so many events, so that its transaction is longer than others."""


def told_after(log: Log, position: int) -> list[Notification]:
    return list(log.after(position))


@pytest.mark.parametrize("page", [1, 2, 3, 1000])
def test_who_follows_the_log_sees_every_event_once_in_the_order_they_were_stored(
    log: Store, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(keeping, "PAGE", page)
    assert (told_after(log, 0), log.last()) == ([], 0)
    head = filled(log, "g", 1)
    filled(log, "@x", 1)
    head = log.append("g", head, [played("three"), played("four")])
    there = told_after(log, 0)
    assert [each[1:] for each in there] == [("g", 1), ("@x", 1), ("g", 2), ("g", 3)]
    positions = [at for at, _, _ in there]
    assert positions == sorted(set(positions))
    assert (positions[0] > 0, log.last()) == (True, positions[-1])
    for passed, position in enumerate(positions, 1):
        assert told_after(log, position) == there[passed:]
    log.append("g", head, [played("five")])
    assert [each[1:] for each in told_after(log, positions[-1])] == [("g", 4)]


def test_who_follows_is_told_of_what_another_desk_stores(log: Store, other: Store) -> None:
    head = filled(other, "g", 1)
    [(come, *_)] = told_after(log, 0)
    other.append("g", head, [played()])
    assert [each[1:] for each in told_after(log, come)] == [("g", 2)]
    assert log.last() == other.last() > come


def test_a_position_that_was_passed_is_never_given_again(log: Store, place: Place) -> None:
    filled(log, "g", 2)
    passed, first = log.last(), log.stream("g")[0].digest
    carry_out(place, "DELETE FROM stored_events WHERE originator_version = 2")
    carry_out(place, f"UPDATE heads SET version = 1, digest = '{first}'")
    log.append("g", Head(1, first), [played("another")])
    assert [each[1:] for each in told_after(log, passed)] == [("g", 2)]


def test_an_event_nobody_can_read_stops_nobody_who_follows_the_log(log: Store, place: Place) -> None:
    filled(log, "g", 3)
    edit(place, 2, lambda _: "")
    assert [each[1:] for each in told_after(log, 0)] == [("g", 1), ("g", 2), ("g", 3)]
    with pytest.raises(Damaged, match="Event 2 of g"):
        log.stream("g")


# --- while many write ---


@pytest.mark.hunt
def test_eight_write_while_others_follow_and_each_event_is_told_once_and_in_order(place: Place) -> None:
    api.open_store(place).close()
    ended = threading.Event()
    wrong: list[object] = []
    heard: tuple[list[Notification], ...] = tuple([] for _ in range(READERS))

    def writing(id: str) -> None:
        with api.open_store(place, timeout=60) as own:
            head = origin(id)
            for number in range(APPENDS):
                head = own.append(id, head, [played()] * (1 if number % EVERY else LONG))

    def following(into: list[Notification]) -> None:
        with api.open_store(place, timeout=60) as own:
            versions: Counter[str] = Counter()
            come, last = 0, False
            while not last:
                last = ended.is_set()
                for answer in own.after(come):
                    position, id, version = answer
                    if position <= come or version != versions[id] + 1:
                        wrong.append((f"told of after {come} and version {versions[id]}", answer))
                    come, versions[id] = position, version
                    into.append(answer)

    followers = [started(following, into, wrong) for into in heard]
    writers = [started(writing, f"g{number}", wrong) for number in range(WRITERS)]
    for thread in writers:
        thread.join()
    ended.set()
    for thread in followers:
        thread.join()
    assert wrong[:3] == []
    stored = sum(1 if number % EVERY else LONG for number in range(APPENDS))
    with api.open_store(place) as own:
        there = told_after(own, 0)
    assert Counter(id for _, id, _ in there) == {f"g{number}": stored for number in range(WRITERS)}
    for into in heard:
        assert into == there


def started(work: Callable[..., None], about: object, wrong: list[object]) -> threading.Thread:
    """Begin a thread; what it raises is noted as wrong."""

    def run() -> None:
        try:
            work(about)
        except BaseException as fault:
            wrong.append(fault)

    thread = threading.Thread(target=run)
    thread.start()
    return thread
