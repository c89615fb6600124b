"""A word that fits several moves, in a game another package offers: they are named, and nothing is applied or lost."""

import json
from pathlib import Path

import pytest

from cartulary.cli.scribe.scribe import Scribe
from cartulary.notation import dumps, examine, loads, replay
from cartulary.records import api
from cartulary.records.faults import Unread
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.cli.scribe_tables import told
from tests.games import heaps
from tests.records.archives import Run

MAY_BE = "found x5, which may be 4-5 or 9-5"
SHEET = '[Game "Heaps"]\n\n1. 3-2 x5 2. 4-1 {kept} 2-1 *\n'


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    heaps.offer(monkeypatch)


def test_it_is_ambiguous_not_applied_and_the_rest_is_kept_unread() -> None:
    [record] = loads(SHEET.replace("x5", "x4"))
    found = examine(record)
    [finding] = found.report.findings
    assert (finding.severity, finding.key, finding.ply, finding.column) == ("error", "cgn.ambiguous", 2, 8)
    assert finding.because.startswith("found x4, which may be 4-4, 5-4 or 9-4")
    assert (finding.legal, finding.more) == (("4-4", "5-4", "9-4"), False)
    assert found.report.verdict == "unreadable"
    assert found.state.heaps[:3] == (3, 2, 5)
    assert found.words == ("3-2", "x4", "4-1", "2-1")
    assert dumps(record).endswith("1. 3-2 x4 2. 4-1 {kept} 2-1 *\n")
    assert len(list(replay(record))) == 1


def test_of_many_moves_eight_are_named() -> None:
    [finding] = examine(loads(SHEET.replace("x5", "x1"))[0]).report.findings
    assert finding.legal == ("2-1", "3-1", "4-1", "5-1", "6-1", "7-1", "8-1", "9-1")
    assert finding.more
    assert "which may be 2-1, 3-1, 4-1, 5-1, 6-1, 7-1, 8-1, 9-1 or one of 2 more moves" in finding.because


def test_what_fits_one_move_is_that_move() -> None:
    [record] = loads('[Game "Heaps"]\n\n1. 4-5 x5 *\n')
    assert examine(record).words == ("4-5", "9-5")


def test_it_is_told_where_it_is_typed_and_nothing_is_written(db: Path, run: Run) -> None:
    run("new", "heaps", "--id", "g", "--player", "Ada", "--player", "Bela")
    run("move", "g", "3-2", "4-1", "5-1")
    may_be = "found x4, which may be 4-4 or 9-4"
    with Store(db) as store:
        before = store.stream("g")
        assert may_be in " ".join(run("move", "g", "2-1", "x4", code=2).stderr.split())
        for words in ("x4", ("x4",)):
            with pytest.raises(Unread, match=may_be):
                api.play(store, "g", api.WordsRequest(words))
        with pytest.raises(Unread, match=may_be):
            api.judge_words(load(store, "g"), ("x4",))
        assert may_be in told(Scribe(store, "g").enter("x4"))
        with pytest.raises(Unread, match="found x4, which may be 4-4, 5-4 or 9-4"):
            api.amend(store, "g", api.AmendRequest(3, "x4", stands=True))
        assert "4-4, 5-4 or 9-4" in run("amend", "g", "3", "x4", code=2).stderr
        assert store.stream("g") == before


def test_files_tell_it_in_check_why_and_validate(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(SHEET)
    assert MAY_BE in run("check", str(file), code=1).stdout
    assert MAY_BE in " ".join(run("why", str(file), "2").stdout.split())
    [line] = run("validate", "--json", str(file), code=1).stdout.splitlines()
    [finding] = json.loads(line)["findings"]
    assert (finding["key"], finding["legal"]) == ("cgn.ambiguous", ["4-5", "9-5"])
