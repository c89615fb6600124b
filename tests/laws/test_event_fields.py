"""Every field of every event is declared: what it must be beyond its type, or that anything of the type will do."""

from msgspec.structs import fields

from cartulary.notation.arbiter import ruling_commands
from cartulary.records.log import field_checks
from cartulary.records.log.events import Event
from cartulary.records.log.topics import TOPICS

ENVELOPE = {field.name for field in fields(Event)}


def test_every_field_of_every_event_is_declared() -> None:
    declared = {kind: set(checks) for kind, checks in field_checks.FIELDS.items()}
    assert declared == {kind: {field.name for field in fields(kind)} - ENVELOPE for kind in TOPICS}


def test_the_decisions_are_those_of_rulings() -> None:
    assert field_checks.DECISIONS == ruling_commands.DECISIONS
