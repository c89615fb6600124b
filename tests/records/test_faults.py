"""What is said of JSON that cannot be read: in the words of a person, wherever it comes from."""

import re
from typing import Annotated, Literal

import msgspec
import pytest

from cartulary.records.faults import decode_fault
from tests.places import ROOT


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    ply: int | None = None
    plies: tuple[int, ...] = ()
    days: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    kind: Literal["a", "b"] = "a"
    pair: tuple[int, str] = (1, "")
    counts: dict[str, float] | None = None
    stands: bool = False


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ("{}", "`text` is missing"),
        ('{"text": 1}', "`text` must be text, and is a whole number"),
        ('{"text": "x", "by": 1}', "there is an unknown field `by`"),
        ('{"text": "x", "ply": "1"}', "`ply` must be a whole number or null, and is text"),
        ('{"text": "x", "plies": ["q"]}', "`plies[0]` must be a whole number, and is text"),
        ('{"text": "x", "days": 9}', "`days` must be a whole number, at most 5"),
        ('{"text": "x", "days": -1}', "`days` must be a whole number, at least 0"),
        ('{"text": "x", "kind": "q"}', "`kind` cannot be 'q'"),
        ('{"text": "x", "pair": [1]}', "`pair` must be a list of length 2"),
        ('{"text": "x", "counts": {"k": "v"}}', "`counts[...]` must be a number, and is text"),
        ('{"text": "x", "stands": 1}', "`stands` must be true or false, and is a whole number"),
        ("[]", "it must be an object, and is a list"),
        ("", "it ends in the middle"),
        ('{"text"', "it ends in the middle"),
        ("{a}", "it is not JSON: object keys must be strings (byte 1)"),
    ],
)
def test_what_is_wrong_with_json_is_said_to_a_person(sent: str, says: str) -> None:
    with pytest.raises(msgspec.DecodeError) as raised:
        msgspec.json.decode(sent, type=Asked)
    assert decode_fault(raised.value) == says


CAUGHT = re.compile(r"except [^\n]*msgspec\.\w+Error[^\n]* as fault:\n((?: {8,}[^\n]*\n)+)")


def test_no_fault_of_the_decoder_reaches_a_person_as_it_is() -> None:
    """Whoever catches one and says what it was asks ``decode_fault`` for the sentence."""
    files = [file for folder in ("records", "cli", "web", "notation") for file in (ROOT / folder).rglob("*.py")]
    answers = [(file.name, body) for file in files for body in CAUGHT.findall(file.read_text("utf-8"))]
    assert answers
    assert [name for name, body in answers if re.search(r"\{fault\}|str\(fault\)", body)] == []
