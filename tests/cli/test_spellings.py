"""Names that differ from known ones in capitals or accents alone, at every door: asked about, never merged silently."""

from pathlib import Path

import pytest

from tests.cli.test_live import Run
from tests.cli.test_live import run as run

NEW = "is new here; other games have"


@pytest.fixture
def known(run: Run) -> Run:
    """Return the command line of an archive that knows Béla and Ann Lee."""
    run("result", "Catan", "-p", "Béla=10", "-p", "Ann Lee=7", "--id", "first")
    return run


def people(run: Run) -> list[str]:
    return sorted(line.partition(":")[0] for line in run("people").stdout.splitlines())


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, answer: bool) -> None:
    monkeypatch.setattr("cartulary.cli.shell.spellings.terminal", lambda stream=None: True)
    monkeypatch.setattr("typer.confirm", lambda question, **_: answer and "is new here; is it the Béla" in question)


def test_a_result_says_it_and_how_to_correct_it(known: Run) -> None:
    said = known("result", "Catan", "-p", "bela=3", "-p", " Ann\u00a0 Lee =4", "--id", "g").stderr
    assert said == f"cartulary: bela {NEW} Béla. If that is one player: `tag g 'p1=Béla'`.\n"
    assert people(known) == ["Ann Lee", "Béla", "bela"]
    assert known("tag", "g", "p1=Béla").stderr == ""
    assert people(known) == ["Ann Lee", "Béla"]


@pytest.mark.parametrize("same", [True, False])
def test_a_terminal_asks_at_every_door(known: Run, monkeypatch: pytest.MonkeyPatch, same: bool) -> None:
    at_a_terminal(monkeypatch, same)
    monkeypatch.setattr("cartulary.cli.commands.new.terminal", lambda stream=None: False)
    known("result", "Catan", "-p", "BÉLA=3", "-p", "Zoe=4")
    known("new", "Ludo", "--unjudged", "-p", "bela", "-p", "Zoe", "--id", "n")
    known("move", "n", "a", "b")
    known("seat", "n", "p2", "-p", "Bela")
    known("tag", "n", "p1=béLA")
    names = {"Ann Lee", "Béla", "Zoe"}
    assert set(people(known)) == (names if same else names | {"BÉLA", "Bela", "béLA"})


@pytest.mark.parametrize("same", [True, False])
def test_an_evening_asks_too(known: Run, monkeypatch: pytest.MonkeyPatch, same: bool) -> None:
    known("evening", "open", "Spring")
    said = known("evening", "came", "Spring", "Zoe", "béla").stderr
    assert said == f'cartulary: béla {NEW} Béla. If that is one player: `people merge "béla" "Béla"`.\n'
    assert known("evening", "came", "Spring", "béla").stderr == ""
    assert f"zoe {NEW} Zoe" in known("evening", "table", "Spring", "chess", "-p", "zoe", "-p", "Cy").stderr
    at_a_terminal(monkeypatch, same)
    known("evening", "came", "Spring", "BÉLA")
    known("evening", "table", "Spring", "chess", "-p", "Bela", "-p", "Di")
    here = known("evening", "Spring").stdout
    assert ("BÉLA" in here, "Bela" in here) == ((False, False) if same else (True, True))


def test_a_tag_by_its_seat_says_it_too(known: Run) -> None:
    known("new", "Ludo", "--unjudged", "-p", "Cy", "-p", "Di", "--id", "n")
    said = known("tag", "n", "p1=bela").stderr
    assert said == f"cartulary: bela {NEW} Béla. If that is one player: `tag n 'Seat1=Béla'`.\n"
    assert "The tag Seat1 is written twice" in known("tag", "n", "p1=Zed", "Seat1=Yak", code=2).stderr
    assert "The tag Seat1 names a seat and cannot be removed" in known("tag", "n", "p1=", code=2).stderr


def test_a_substitute_says_it(known: Run) -> None:
    known("new", "Ludo", "--unjudged", "-p", "Cy", "-p", "Di", "--id", "n")
    known("move", "n", "a")
    assert f"ann lee {NEW} Ann Lee" in known("seat", "n", "p2", "-p", "ann lee").stderr


def test_tables_and_sheets_say_it_once_for_each_new_name(known: Run, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("game,date,player,points\nCatan,2026-01-01,BELA,3\nCatan,2026-01-01,Zoe,4\n")
    advice = 'If that is one player: `people merge "BELA" "Béla"`'
    assert f"BELA {NEW} Béla. {advice}" in known("csv", "in", str(table)).stderr
    assert NEW not in known("csv", "in", str(table)).stderr
    sheet = tmp_path / "s.cgn"
    sheet.write_text('[Game "Ludo"]\n[Rules "none"]\n[Seat1 " ann  lee"]\n[Seat2 "Zoe"]\n\na b *\n')
    assert f"ann lee {NEW} Ann Lee" in known("import", str(sheet)).stderr
    assert NEW not in known("import", str(sheet)).stderr
    known("people", "merge", "ann lee", "Ann Lee")
    assert known("people").stdout.count("nn Lee: 2 games, also ann lee") == 1


def test_a_name_that_was_corrected_away_is_known_no_more(known: Run) -> None:
    known("result", "Catan", "-p", "gus=3", "-p", "Zoe=4", "--id", "g")
    known("tag", "g", "p1=Hal")
    assert NEW not in known("result", "Catan", "-p", "Gus=3", "-p", "Zoe=4").stderr


def test_a_near_name_of_a_game_is_said_with_its_correction(known: Run) -> None:
    said = known("result", "Katan", "-p", "Béla=3", "-p", "Ann Lee=4", "--id", "k").stderr
    assert said == "cartulary: Katan is new here; did you mean Catan? If so: `tag k Game=Catan`.\n"
    assert known("tag", "k", "Game=Catan").stderr == ""
    assert known("result", "catan", "-p", "Béla=3", "-p", "Ann Lee=4").stderr == ""
    said = known("result", "Ches", "-p", "Béla=1", "-p", "Ann Lee=0", "--id", "c").stderr
    assert "did you mean Chess? If so: set it aside with `aside c`, and enter it again." in said
    assert known("result", "Ludo", "-p", "Béla=3", "-p", "Ann Lee=4").stderr == ""


def test_a_game_of_a_near_name_is_asked_about_at_every_door(known: Run, tmp_path: Path) -> None:
    assert "There is no game 'Katan'; did you mean Catan?" in known("new", "Katan", code=2).stderr
    (tmp_path / "game.toml").write_text('title = "Skull King"\n')
    known("games", "add", str(tmp_path / "game.toml"))
    assert "did you mean Skull King?" in known("new", "Skul King", code=2).stderr
    said = known("result", "Skul King", "-p", "Béla=3", "-p", "Ann Lee=4", "--id", "s").stderr
    assert "If so: `tag s 'Game=Skull King'`." in said


@pytest.mark.parametrize("meant", [True, False])
def test_a_terminal_asks_for_the_name_of_the_game(known: Run, monkeypatch: pytest.MonkeyPatch, meant: bool) -> None:
    monkeypatch.setattr("cartulary.cli.shell.spellings.terminal", lambda stream=None: True)
    monkeypatch.setattr("typer.confirm", lambda question, **_: meant and question.endswith("did you mean Catan?"))
    said = known("result", "Katan", "-p", "Béla=3", "-p", "Ann Lee=4").stdout
    assert ("Catan:" if meant else "Katan:") in said
