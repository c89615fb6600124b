"""A database and an archive an earlier version made, and what it said of them: they open, prove and go on as before.

``before/`` holds them: score sheets of every game, hidden cards among them, and live games with plies taken back,
amended, refused but let stand, disputed and ruled on. All in it was written by that version, and none of it is written
anew: what it holds must be readable for ever.
"""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from cartulary.notation import seat_names
from cartulary.records import api
from cartulary.records.log.store import Store
from tests.places import ROOT
from tests.records.archives import Run

BEFORE = ROOT / "tests" / "records" / "before"
ARCHIVE = BEFORE / "archive.jsonl"
LISTED = (BEFORE / "list.jsonl").read_text("utf-8")
PROVED = (BEFORE / "verify.txt").read_text("utf-8").splitlines()


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    path.write_bytes(gzip.decompress((BEFORE / "games.db.gz").read_bytes()))
    return path


def archived(text: str) -> list[dict[str, Any]]:
    """Return what stands on each line of an archive; of findings what they are, for their words may be better now.

    What rulings and disputes can do since then, and these did not, is left out.
    """
    games = [json.loads(line) for line in text.splitlines()]
    for game in games:
        answer = game["standing"]["findings"]
        game["standing"]["findings"] = [(each["ply"], each["severity"], each["key"]) for each in answer]
        for ruling in game["standing"]["rulings"]:
            since = (ruling.pop("points", []), ruling.pop("score", ""), ruling.pop("revokes", 0))
            assert (*since, ruling.pop("cites", [])) == ([], "", 0, [])
        for dispute in game["standing"]["disputes"]:
            assert dispute.pop("cites", []) == []
    return games


def proofs(run: Run, *words: str) -> list[str]:
    """Return what is said to be proved, without what is said of proofs in general, as it is said since."""
    return [line for line in run("verify", "--all", *words).stdout.splitlines() if not line.startswith("Not proved: ")]


def ids_in(listed: str) -> list[str]:
    return [json.loads(line)["id"] for line in listed.splitlines()]


def test_every_game_of_the_database_is_proved_to_the_same_head(run: Run) -> None:
    assert proofs(run) == PROVED


def test_the_games_are_listed_as_they_were_and_so_by_a_list_written_anew(run: Run) -> None:
    assert run("list", "--json").stdout == LISTED
    assert run("reindex").stdout == "8 games listed\n"
    assert run("list", "--json").stdout == LISTED


REWORDED = {
    r"(?m)^([A-Z][a-z ]+), [a-z]+: p1": r"\1: p1",
    r"; (p\d) has as many, but fewer (\w+) fields": r", \1 as many, and more of \2",
    r"points, and (\d+) (?:is|are) enough to win \(": r"points of \1 (",
    ", but did not follow suit": " and did not follow suit",
}
"""What is said otherwise since then, and how it was: the variant is named too, and some sentences read better."""

HEADING = "(?m)^(?=[A-Z][a-z ]+: p1)"
"""Where what is shown of a game begins."""


def test_every_position_is_shown_as_it_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats are called by their players since then; here nobody's name is taken for known."""
    monkeypatch.setattr(seat_names, "is_named", lambda seat, names: False)
    shown = "".join(run("show", id).stdout for id in ids_in(LISTED))
    for now, then in REWORDED.items():
        shown = re.sub(now, then, shown)
    assert shown == "".join(map(_nobody_to_move, re.split(HEADING, (BEFORE / "show.txt").read_text("utf-8"))))


def _nobody_to_move(told: str) -> str:
    """Return what was shown of a game without who is to move, if the game was ended: that is not said any more."""
    if " was recorded\n" not in told:
        return told
    return re.sub(r"(?m)^> (?=p\d)", "  ", re.sub(r"(?m)^p\d to move\b.*\n", "", told))


def test_the_score_sheets_are_exported_as_they_were(run: Run) -> None:
    assert run("export", "--all").stdout == (BEFORE / "games.cgn").read_text("utf-8")


def test_an_archive_of_the_database_holds_the_same_events_and_says_the_same_of_them(run: Run) -> None:
    exported = archived(run("export", "--all", "--format", "json", "--log").stdout)
    assert exported == archived(ARCHIVE.read_text("utf-8"))


def test_the_archive_is_taken_in_whole_and_known_the_next_time(run: Run, tmp_path: Path) -> None:
    elsewhere = ("--db", str(tmp_path / "elsewhere.db"))
    output = run("import", str(ARCHIVE), *elsewhere).stdout
    assert output.replace(str(ARCHIVE), ARCHIVE.name) == (BEFORE / "import.txt").read_text("utf-8")
    assert proofs(run, *elsewhere) == PROVED
    assert run("list", "--json", *elsewhere).stdout == LISTED
    for there in (elsewhere, ()):
        assert run("import", str(ARCHIVE), *there).stdout.count(", known, ") == len(PROVED)


def test_the_archive_is_proved_by_itself(run: Run) -> None:
    output = run("verify", str(ARCHIVE)).stdout
    assert [line for line in PROVED if line not in output] == []


def test_a_game_of_before_goes_on_behind_the_events_it_has(run: Run, store: Store) -> None:
    before = store.stream("evening")
    run("reopen", "evening", "--by", "arbiter", "--reason", "one more move")
    run("undo", "evening", "1")
    assert store.stream("evening")[: len(before)] == before
    proof = api.verify(store, "evening")
    assert (proof.fault, proof.version) == ("", len(before) + 2)
