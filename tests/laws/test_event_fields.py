"""Every field of every event is declared: who may read it, and what it must be beyond its type."""

import pytest
from msgspec import Struct

from cartulary.notation.arbiter import ruling_commands
from cartulary.records.log.events import Withheld
from cartulary.records.log.fields import DECISIONS, declarations
from cartulary.records.log.topics import TOPICS
from cartulary.records.state.book import Agreement
from cartulary.records.state.disputes_and_rulings import Dispute, Ruling
from cartulary.records.state.times import Retimed

SHOWN = (*TOPICS, Withheld, Dispute, Ruling, Retimed, Agreement)
"""The events, and what a docket shows of them."""


@pytest.mark.parametrize("kind", SHOWN)
def test_every_field_of_every_event_is_declared(kind: type[Struct]) -> None:
    assert [name for name, declared in declarations(kind).items() if declared is None] == []


def test_the_decisions_are_those_of_rulings() -> None:
    assert DECISIONS == ruling_commands.DECISIONS
