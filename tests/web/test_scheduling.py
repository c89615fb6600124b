"""Whose work goes on next: nobody holds more places than his share, and what nobody waits for ends."""

import asyncio
from collections.abc import Callable
from threading import Event

import pytest
from starlette.responses import Response
from starlette.types import Message

from cartulary.engine.deadline import DeadlineExceeded, check_deadline, deadline_passed
from cartulary.web import scheduling
from cartulary.web.answers import Answers
from cartulary.web.rates import Buckets, time_limit
from cartulary.web.scheduling import Busy, Client, ClientGone, Scheduler, Usage, client_of


def scheduler(places: int) -> tuple[Scheduler, list[str]]:
    """Return a scheduler, and the users whose work has been measured."""
    measured: list[str] = []
    return Scheduler(places, lambda user, seconds: measured.append(user)), measured


def holding(gate: Event, begun: list[str], name: str) -> Callable[[], str]:
    def work() -> str:
        begun.append(name)
        assert gate.wait(20)
        return name

    return work


def test_nobody_holds_more_places_than_his_share_and_the_others_find_one() -> None:
    places, measured = scheduler(3)
    gate, begun = Event(), list[str]()

    async def ask() -> list[str]:
        mine = [asyncio.create_task(places.run(holding(gate, begun, "mine"), {"mine": 1, "table": 2})) for _ in "abcd"]
        while not begun:
            await asyncio.sleep(0.01)
        assert await places.run(lambda: "yours", {"yours": 1, "table": 2}) == "yours"
        assert begun == ["mine"]
        gate.set()
        return await asyncio.gather(*mine)

    assert asyncio.run(ask()) == ["mine"] * 4
    assert sorted(measured) == sorted(["mine"] * 4 + ["yours"] + ["table"] * 5)


def test_of_those_that_wait_whoever_has_used_least_is_next() -> None:
    places, _ = scheduler(1)
    gate, begun = Event(), list[str]()
    for user, seconds in (("much", 5.0), ("some", 1.0)):
        places.usage.add(user, seconds)

    async def ask() -> None:
        first = asyncio.create_task(places.run(holding(gate, begun, "first"), {"first": 1}))
        while not begun:
            await asyncio.sleep(0.01)
        tasks = [
            asyncio.create_task(places.run(holding(gate, begun, user), {user: 1})) for user in ("much", "some", "none")
        ]
        await asyncio.sleep(0.05)
        gate.set()
        await asyncio.gather(first, *tasks)

    asyncio.run(ask())
    assert begun == ["first", "none", "some", "much"]


def test_what_was_used_is_forgotten_by_halves() -> None:
    now = [0.0]
    used = Usage(lambda: now[0])
    used.add("a", 8.0)
    now[0] = 2 * scheduling.HALF_LIFE
    assert used.of("a") == pytest.approx(2.0)
    assert used.of("b") == 0


def test_who_finds_no_place_in_time_is_told_so_and_one_who_has_gone_is_not_worked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduling, "LONGEST_WAIT", 0.1)
    places, _ = scheduler(1)
    gate, begun = Event(), list[str]()

    async def ask() -> None:
        first = asyncio.create_task(places.run(holding(gate, begun, "first"), {"a": 1}))
        while not begun:
            await asyncio.sleep(0.01)
        with pytest.raises(Busy):
            await places.run(lambda: begun.append("late"), {"b": 1})
        client = Client()
        waits = asyncio.create_task(places.run(lambda: begun.append("gone"), {"c": 1}, client))
        await asyncio.sleep(0.01)
        client.is_gone = True
        client.disconnection.set()
        with pytest.raises(ClientGone):
            await waits
        monkeypatch.setattr(scheduling, "MOST_WAITING", 0)
        with pytest.raises(Busy):
            await places.run(lambda: begun.append("full"), {"d": 1})
        monkeypatch.undo()
        gate.set()
        await first
        assert await places.run(lambda: "then", {"b": 1}) == "then"

    asyncio.run(ask())
    assert begun == ["first"]


def test_work_ends_where_its_client_goes_away() -> None:
    places, _ = scheduler(1)
    goes, working = asyncio.Event(), Event()

    async def receive() -> Message:
        if not working.is_set():
            working.set()
            return {"type": "http.request", "body": b"", "more_body": False}
        await goes.wait()
        return {"type": "http.disconnect"}

    def work() -> None:
        with time_limit(60):  # what takes long has a limit of its own inside
            while True:
                check_deadline()

    async def ask() -> None:
        async with client_of(receive) as client:
            asyncio.get_running_loop().call_later(0.05, goes.set)
            with pytest.raises(DeadlineExceeded):
                await places.run(work, {"a": 1}, client)
        assert await places.run(lambda: deadline_passed(), {"a": 1}) is False

    asyncio.run(asyncio.wait_for(ask(), 20))


def test_what_is_spent_may_be_more_than_there_is_and_is_made_good_in_time() -> None:
    now = [0.0]
    bucket = Buckets(0.5, 10, clock=lambda: now[0])
    bucket.spend("a", 12)
    assert (bucket.has("a"), bucket.has("b")) == (False, True)
    now[0] = 5.0
    assert bucket.has("a")


# --- answers ---


def test_an_answer_is_worked_out_once_until_there_is_no_room_for_it() -> None:
    made, answers = list[str](), Answers(most=40)

    def make(name: str) -> Callable[[], Response]:
        def answer() -> Response:
            made.append(name)
            return Response(name * 10)

        return answer

    for name in "aabbaacdeeab":
        assert answers.once(name, make(name)).body == name.encode() * 10
    assert "".join(made) == "abcdeb"
    big = Answers(most=40)
    for _ in range(2):
        big.once("big", lambda: Response("x" * 11))
    assert not big._made


def test_what_took_too_long_is_not_tried_again_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cartulary.web.answers.SLOW", -1.0)
    now, tried = [0.0], list[int]()
    answers = Answers(clock=lambda: now[0])

    def slow() -> Response:
        tried.append(1)
        raise DeadlineExceeded

    for _ in range(3):
        with pytest.raises(DeadlineExceeded):
            answers.once("a", slow)
    assert len(tried) == 1
    now[0] = 100.0
    with pytest.raises(DeadlineExceeded):
        answers.once("a", slow)
    assert len(tried) == 2
