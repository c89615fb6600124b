"""A snapshot finds wording that has changed, is written only where somebody accepts it, and belongs to a test."""

import re
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.snapshots import FOLDER, Snapshot


def test_wording_that_changed_is_found_until_it_is_accepted(tmp_path: Path) -> None:
    test = tmp_path / "test_words.py"
    held, accepting = (Snapshot(test, "test_greeting", accepts) for accepts in (False, True))
    with pytest.raises(AssertionError, match="accept it with"):
        held.check("Good evening.\n")
    assert not held.path.exists()
    accepting.check("Good evening.\n")
    held.check("Good evening.\n")
    with pytest.raises(AssertionError, match="accept it with"):
        held.check("Good morning.\n")
    assert held.path.read_text("utf-8") == "Good evening.\n"


def test_every_snapshot_is_of_a_test_that_there_is() -> None:
    for path in (ROOT / "tests").glob(f"*/{FOLDER}/*/*.txt"):
        test = path.parents[2] / f"{path.parent.name}.py"
        assert re.search(rf"^def {path.stem.partition('[')[0]}\(", test.read_text("utf-8"), re.MULTILINE), path
