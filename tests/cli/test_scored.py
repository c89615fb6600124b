"""``new --scored``: what is asked of a deal of which only the score was kept, and what becomes of it."""

from pathlib import Path

import pytest

from cartulary.cli.commands import new
from cartulary.notation.picture import plain
from cartulary.records import desk
from cartulary.records.log.store import Store
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


def test_a_word_is_refused_and_the_score_stays_whoever_writes_it(run: Run, tmp_path: Path) -> None:
    run(*TABLE, *TAGS)
    words: tuple[tuple[str, ...], ...] = (("move", "e", "Pass"), ("move", "e", "Pass", "--quiet"))
    for command in (*words, ("move", "e", "Pass", "--seat", "p1"), ("amend", "e", "1", "Pass", "--insert")):
        refused = run(*command, code=1).stderr
        assert "Only the score of e was kept, and a word would make it count for nothing" in refused
    run("close", "e")
    assert "Only the score of e" in run("move", "e", "Pass", code=1).stderr
    run("reopen", "e")
    assert "Only the score of e" in run("move", "e", "Pass", code=1).stderr
    assert "score -66:198:-66:-66 (p2 has 49 points" in run("check", "e").stdout


def test_a_sheet_with_words_is_judged_from_them_and_its_tags_tell_nothing(run: Run, tmp_path: Path) -> None:
    run(*TABLE, *TAGS)
    file = tmp_path / "e.cgn"
    file.write_text(run("export", "e").stdout.rstrip().removesuffix("*") + "Pass *\n", "utf-8")
    run("import", str(file))
    id = run("list", "--json").stdout.split('"id":"tarot-')[1].split('"')[0]
    assert "score" not in run("check", f"tarot-{id}").stdout
    assert "Taker" in run("export", f"tarot-{id}").stdout
    assert "Taker" not in run("export", f"tarot-{id}", "--seat", "p1").stdout


def test_nobody_is_to_move_and_the_board_has_the_score_of_the_tags_in_every_view(run: Run, store: Store) -> None:
    run(*TABLE, *TAGS)
    for closed in (False, True):
        if closed:
            run("close", "e")
        for seat, quiet in ((None, False), (None, True), (0, False), (2, True)):
            view = desk.read_view(store, "e", seat, quiet)
            assert "by ruling" not in view.turn
            assert (closed, view.turn.partition(";")[0]) in (
                (False, "only the score of this deal was kept"),
                (True, "closed, 0-1-0-0: p2 won"),
            )
            assert "; score -66:198:-66:-66" in view.turn
            assert (view.actors, view.due, desk.judged(view)) == ((), "", ())
            row = plain(view.found.game.words.picture(view.found.drawn, seat)).split("\n")[-1]
            assert row == "score  p1 -66  p2 198  p3 -66  p4 -66"
            assert ">" not in plain(view.found.game.words.picture(view.found.drawn, seat))
        for more in ((), ("--seat", "rail")):
            shown = run("show", "e", *more).stdout
            assert "to move" not in shown
            assert closed or "only the score of this deal was kept" in shown
            assert "Pass" not in run("moves", "e", *more).stdout
        drawing = desk.score_sheet(store, "e").drawing
        assert drawing is None or "p2 198" in " ".join(item.symbol for item in drawing.items)
    run("ruling", "e", "0", "--penalty", "p2=8", "--arbiter", "A")
    assert "; score by ruling -66:190:-66:-66" in desk.read_view(store, "e", None).turn
