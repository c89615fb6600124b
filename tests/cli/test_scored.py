"""``new --scored``: what is asked of a deal of which only the score was kept, and what becomes of it."""

from pathlib import Path

import pytest

from cartulary.cli.commands import new
from tests.cli.test_new_table import Prompt
from tests.records.archives import Run

TAGS = ("-t", "Taker=p2", "-t", "Bid=Garde", "-t", "Bouts=2", "-t", "Points=49")
TABLE = ("new", "tarot", "--scored", "--variant", "fft", "--id", "e", "-p", "A", "-p", "B", "-p", "C", "-p", "D")


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new, "terminal", lambda stream=None: True)


def test_each_answer_is_checked_and_a_deal_that_cannot_be_is_asked_for_again(
    run: Run, at_a_terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = ["p7", "p2", "Garde", "2", "95", "45.5", "", "", "", "49"]
    monkeypatch.setattr("typer.prompt", prompt := Prompt(answers))
    said = run(*TABLE)
    assert said.stdout == "e\n"
    assert "The Taker tag says p7, expected a seat p1 to p4" in said.stderr
    assert "The Points tag says 45.5, but with four seats" in said.stderr
    assert "score -66:198:-66:-66 (p2 has 49 points" in said.stderr
    assert list(prompt.answers) == []
    assert '[Points "49"]' in run("export", "e").stdout


def test_where_nobody_can_be_asked_the_tags_must_tell_it(run: Run) -> None:
    missing = run(*TABLE, *TAGS[:-2], code=2).stderr
    assert "Nobody can be asked here; give -t Points=… to answer: How many card points" in missing
    wrong = run(*TABLE, *TAGS[:-1], "Points=92", code=2).stderr
    assert "The Points tag says 92, expected card points from 0 to 91" in wrong
    assert "always comes from its moves" in run("new", "cardmate", "--scored", code=2).stderr
    assert "There is no database" in run("list", code=2).stderr
    run(*TABLE, *TAGS)
    assert "Score -" not in run("check", "e").stdout
    assert "score -66:198:-66:-66 (p2 has 49 points" in run("check", "e").stdout


def test_a_scored_deal_is_closed_exported_and_read_again_and_each_seat_sees_it(run: Run, tmp_path: Path) -> None:
    run(*TABLE, *TAGS)
    assert run("close", "e").stdout == "e: closed, 0-1-0-0\n"
    file = tmp_path / "e.cgn"
    run("export", "e", "-o", str(file))
    assert '[Score "-66:198:-66:-66"]' in file.read_text("utf-8")
    assert "legal" in run("validate", str(file)).stdout
    assert run("export", "e", "--seat", "rail").stdout.count("[Taker") == 1
    assert "p2 198" in run("show", str(file), "--seat", "p3").stdout
    file.write_text(file.read_text("utf-8").replace('Bouts "2"', 'Bouts "1"'), "utf-8")
    assert (
        "but the deals on record come to 54:-162:54:54 (p2 has 49 points" in run("validate", str(file), code=1).stdout
    )
    run("tag", "e", "Points=47")
    assert '[Score "-62:186:-62:-62"]' in run("export", "e").stdout


def test_a_word_makes_the_tags_tell_nothing(run: Run) -> None:
    run(*TABLE, *TAGS)
    run("move", "e", "Pass")
    assert "score" not in run("check", "e").stdout
    assert "Taker" in run("export", "e").stdout
    assert "Taker" not in run("export", "e", "--seat", "p1").stdout
