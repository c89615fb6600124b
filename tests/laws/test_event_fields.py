"""Every field of every event is declared: who may read it, and what it must be beyond its type."""

import pytest
from msgspec import Struct, convert, defstruct
from msgspec.structs import fields

from cartulary.notation.arbiter import ruling_commands
from cartulary.records.log.events import Withheld
from cartulary.records.log.fields import DECISIONS, declarations
from cartulary.records.log.topics import TOPICS
from cartulary.records.state.book import Agreement
from cartulary.records.state.docket import PlacedDispute, PlacedRuling, TimeCorrection
from cartulary.records.state.masks import Reader, mask

DOCKET = (PlacedDispute, PlacedRuling, TimeCorrection, Agreement)
"""What is shown of events beside the log."""
SHOWN = (*TOPICS, Withheld, *DOCKET)


@pytest.mark.parametrize("kind", SHOWN)
def test_every_field_of_every_event_is_declared(kind: type[Struct]) -> None:
    assert [name for name, declared in declarations(kind).items() if declared is None] == []


def test_the_decisions_are_those_of_rulings() -> None:
    assert DECISIONS == ruling_commands.DECISIONS


@pytest.mark.parametrize("kind", DOCKET)
def test_a_seat_reads_nothing_of_a_field_of_a_docket_that_nothing_declares(kind: type[Struct]) -> None:
    planted = defstruct("Planted", [("private", str)], bases=(kind,), kw_only=True, frozen=True)
    values = {each.encode_name: () if "tuple" in str(each.type) else "1" for each in fields(planted)}
    there = convert(values | {"private": "secret"}, planted, strict=False)
    seen = mask(there, Reader())
    assert (there.private, seen.private) == ("secret", "")  # type: ignore[attr-defined]
