"""What `new` takes where nobody said: the variant and the seats, told and asked about."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.cli.commands import new
from cartulary.notation.roster import GAMES
from tests.records.archives import Run

TAROT = ("new", "tarot", "--id", "evening")
FOUR = ("-p", "A", "-p", "B", "-p", "C", "-p", "D")


def test_new_says_which_variant_was_taken_and_which_there_are(run: Run) -> None:
    result = run(*TAROT, *FOUR)
    assert result.stdout == "evening\n"
    assert result.stderr == "cartulary: evening is Tarot, dementlieu; --variant also takes fft.\n"


def test_new_says_how_many_seats_were_taken_where_nobody_named_one(run: Run) -> None:
    errors = run(*TAROT).stderr
    assert "Tarot, dementlieu, 4 seats; --variant also takes fft; --seats also takes 3 or 5.\n" in errors
    assert "standard" not in run("new", "zarcana").stderr
    assert "2 seats; --seats also takes" in run("new", "zarcana").stderr


def test_new_is_silent_where_it_was_told(run: Run) -> None:
    assert run(*TAROT, *FOUR, "--variant", "fft").stderr == ""
    assert run("new", "tarot", "--variant", "fft", "--seats", "5").stderr == ""
    assert run("new", "zarcana", "-p", "A", "-p", "B").stderr == ""


@pytest.mark.parametrize("words", [("tarot", "-p", "A", "-p", "B"), ("zarcana", "-p", "A"), ("cardmate", "-p", "A")])
def test_names_fewer_than_seats_end_with_two_where_nobody_can_be_asked(
    run: Run, db: Path, words: tuple[str, ...]
) -> None:
    errors = run("new", *words, code=2).stderr
    seats = {"tarot": 4, "zarcana": 2, "cardmate": 2}[words[0]]
    assert f" {seats} seats, and {len(words) // 2} of them " in errors
    assert '--player "?"' in errors
    assert ("--seats" in errors) == (words[0] != "cardmate")
    assert not db.exists()


def test_a_name_nobody_knows_and_a_number_of_seats_are_said_and_not_asked_about(run: Run) -> None:
    run("new", "tarot", "-p", "A", "-p", "?", "-p", "?", "-p", "?")
    run("new", "tarot", "-p", "A", "--seats", "5", "--variant", "fft")
    run("new", "cardmate", "-p", "A", "--tag", "Rearhand=B")


def test_names_fewer_than_seats_are_asked_for_at_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new, "terminal", lambda _: True)
    monkeypatch.setattr("typer.prompt", prompt := Prompt(["Carl", "?"]))
    run(*TAROT, "-p", "A", "-p", "B")
    assert prompt.questions == ["p3", "p4"]
    tags = run("export", "evening").stdout
    assert [f'[Seat{n} "{name}"]' in tags for n, name in enumerate(("A", "B", "Carl", "?"), 1)] == [True] * 4


class Prompt:
    """A person who answers."""

    def __init__(self, answers: list[str]) -> None:
        self.answers, self.questions = iter(answers), list[str]()

    def __call__(self, question: str, **_: object) -> str:
        self.questions.append(question.split()[0].strip(","))
        return next(self.answers)


@pytest.mark.parametrize("key", GAMES)
def test_show_and_record_name_the_variant_where_variants_differ(run: Run, db: Path, key: str) -> None:
    about = GAMES[key].about
    run("new", key, "--id", "x")
    named = f"{about.title}, {about.variants[0]}: p1" if len(about.variants) > 1 else f"{about.title}: p1"
    assert run("show", "x").stdout.startswith(named)
    words = ("record", "x", "--db", str(db))
    assert named in CliRunner().invoke(build(), words, input="show\n").stdout


def test_another_variant_is_named_too(run: Run) -> None:
    run(*TAROT, *FOUR, "--variant", "fft")
    assert run("show", "evening").stdout.startswith("Tarot, fft: p1 A; p2 B;")


def test_a_name_known_in_other_capitals_is_asked_about_at_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("new", "cardmate", "--id", "one", "-p", "Bela", "-p", "Ada")
    monkeypatch.setattr(new, "terminal", lambda _: True)
    monkeypatch.setattr("cartulary.cli.shell.spellings.terminal", lambda stream=None: True)
    monkeypatch.setattr("typer.confirm", lambda question, **_: "bela is new here; is it the Bela" in question)
    run("new", "cardmate", "--id", "two", "-p", "bela", "-p", "ADA")
    tags = run("export", "two").stdout
    assert '[Forehand "Bela"]' in tags
    assert '[Rearhand "ADA"]' in tags


def test_a_name_known_in_other_capitals_is_said_where_nobody_can_be_asked(run: Run) -> None:
    run("new", "cardmate", "--id", "one", "-p", "Bela Kiss", "-p", "Ada")
    text = "bela kiss is new here; other games have Bela Kiss. If that is one player: `tag two "
    assert f"{text}'Forehand=Bela Kiss'`." in run("new", "cardmate", "--id", "two", "-p", "bela kiss", "-p", "B").stderr
    assert f"{text}'Rearhand=Bela Kiss'`." not in run("tag", "two", "Rearhand=Ada ").stderr
    assert "other games have Ada." in run("tag", "two", "Rearhand=ada").stderr
    assert run("tag", "two", "Event=ada").stderr == ""
