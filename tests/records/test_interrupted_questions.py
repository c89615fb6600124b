"""A question of a database ends where whoever waits has had enough, and what comes after it is answered."""

from pathlib import Path
from time import monotonic

import pytest

from cartulary.engine.deadline import DeadlineExceeded, add_deadline, check_deadline, set_deadline
from cartulary.records import api
from cartulary.records.faults import LockedDatabase
from cartulary.records.log.chain import origin
from cartulary.records.log.server import Server
from tests.programs import package
from tests.records.logs import LOGS, played

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c"


@pytest.mark.parametrize("log", LOGS)
def test_a_question_of_the_read_model_ends_with_the_wait_for_it(
    request: pytest.FixtureRequest, db: Path, log: str
) -> None:
    place = db if log == "sqlite" else Server(request.getfixturevalue("address"))
    with api.open_store(place) as store:
        head = store.append("g", origin("g"), [played()])
        for ask in (lambda: store.index.rows(ENDLESS), lambda: once(store)):
            until = monotonic() + 0.2
            with set_deadline(lambda until=until: monotonic() > until), pytest.raises(DeadlineExceeded):  # type: ignore[misc]
                ask()
            assert monotonic() < until + 10
            assert store.index.rows("SELECT 1") == [(1,)]
        assert store.append("g", head, [played()]).version == 2


def once(store: api.Log) -> None:
    with store.index.snapshot() as query_rows:
        query_rows(ENDLESS, ())


def test_a_server_is_not_asked_one_thing_for_longer_than_was_said(address: str) -> None:
    package("psycopg", "postgres")
    with api.open_store(Server(address), longest=1) as store:
        start = monotonic()
        with pytest.raises(LockedDatabase, match="did not answer in time"):
            store.log._link.rows("SELECT pg_sleep(60)")  # type: ignore[attr-defined]
        assert monotonic() - start < 20
        assert store.append("g", origin("g"), [played()]).version == 1


def test_who_waits_inside_may_have_had_enough_as_soon_as_who_waits_outside() -> None:
    answers: list[bool] = [False, False]
    with set_deadline(lambda: answers[0]), add_deadline(lambda: answers[1]):
        for one in range(2):
            answers[one] = True
            with pytest.raises(DeadlineExceeded):
                check_deadline()
            answers[one] = False
        check_deadline()
