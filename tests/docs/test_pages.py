"""The pages of the games say what their rules say."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.notation import GAMES
from tests.places import DOCS, SAMPLES


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_page_of_a_game_is_what_its_clauses_print(key: str) -> None:
    printed = CliRunner().invoke(build(), ["rules", key, "--markdown"])
    assert printed.exit_code == 0, printed.output
    written = (DOCS / "games" / f"{key}.md").read_text("utf-8")
    assert written == printed.stdout, f"cartulary rules {key} --markdown > docs/games/{key}.md"
    keys = re.findall(r"^\| `([\w.-]+)` \|", written, re.MULTILINE)
    assert {clause.key for clause in GAMES[key].rules.clauses} <= set(keys)


TAUGHT = sorted(key for key, game in GAMES.items() if game.about.guide.primer.first_game)


@pytest.mark.parametrize("key", TAUGHT)
def test_the_drawing_of_a_page_is_what_its_first_game_comes_to(key: str) -> None:
    drawn = CliRunner().invoke(build(), ["rules", key, "--svg"])
    assert drawn.exit_code == 0, drawn.output
    written = (DOCS / "games" / f"{key}.svg").read_text("utf-8")
    assert written == drawn.stdout, f"cartulary rules {key} --svg > docs/games/{key}.svg"
    assert f"]({key}.svg)" in (DOCS / "games" / f"{key}.md").read_text("utf-8")


@pytest.mark.parametrize("key", TAUGHT)
def test_who_types_what_a_page_says_plays_its_first_game(key: str, tmp_path: Path) -> None:
    text = (DOCS / "games" / f"{key}.md").read_text("utf-8")
    (commands,) = re.findall(r"## A first game\n.+?```sh\n(.+?)\n```", text, re.DOTALL)
    table = text.partition("## A first game")[2].partition("![")[0]
    words = re.findall(r"^\| `(.+?)` \|", table, re.MULTILINE)
    assert len(words) >= 5
    environment = {"CARTULARY_DB": str(tmp_path / "records.db")}
    opened, recorded = ([*shlex.split(command)[1:]] for command in commands.split("\n"))
    assert CliRunner().invoke(build(), opened, env=environment).exit_code == 0
    played = CliRunner().invoke(build(), recorded, input="\n".join(words), env=environment)
    assert played.exit_code == 0, played.output
    verdicts = re.findall(r"^ply \d+, .+: (?:legal|cannot be known yet)$", played.stdout, re.MULTILINE)
    assert len(verdicts) == len(words), played.output
    (broken_off,) = re.findall(r"`(close \* \w+)`", text)
    closed = CliRunner().invoke(build(), recorded, input=broken_off, env=environment)
    assert closed.stdout == "closed, *, abandoned\n", closed.output


def test_every_page_opens_its_first_game_under_a_name_of_its_own(tmp_path: Path) -> None:
    environment = {"CARTULARY_DB": str(tmp_path / "records.db")}
    for key in TAUGHT:
        (opening,) = re.findall(
            r"^cartulary (new .+)$", (DOCS / "games" / f"{key}.md").read_text("utf-8"), re.MULTILINE
        )
        opened = CliRunner().invoke(build(), shlex.split(opening), env=environment)
        assert (opened.exit_code, opened.stdout) == (0, f"first-{key}\n"), opened.output


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("tarot", "Beside the score runs a second total, the *pot*."),
        ("tarot", "The result goes by the score alone"),
        ("tarot", "players with equally many share them"),
        ("tarot", "each of the others pays him the stake of his bid as many times as the bid counts"),
        ("tarot", "if it is led, the next card says which suit to follow"),
        ("tarot", "if it is led, the next card sets the suit."),
        ("tarot", "After a GardeSans or a GardeContre nobody sees it"),
        ("tarot", "`record` lists those who *may speak*"),
        ("tarot", "each trump and the fool 1: 90 in all"),
        ("tarot", "type `close` after your last deal"),
        ("cardmate", "Two players, Forehand (`p1`) and Rearhand (`p2`)"),
        ("cardmate", "A Four goes one square diagonally forward or one square sideways"),
        ("cardmate", "A *word* is one move as it is\nwritten, with no blank inside it."),
        ("cardmate", "If a sample breaks a rule or leaves a question open, it does so on purpose"),
    ],
)
def test_a_page_answers_what_a_beginner_asked(key: str, said: str) -> None:
    assert said in (DOCS / "games" / f"{key}.md").read_text("utf-8")


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_sample_a_page_begins_with_is_there(key: str) -> None:
    sample = GAMES[key].about.guide.primer.sample
    assert not sample or (SAMPLES / key / "games" / f"{sample}.cgn").is_file()


def test_there_is_a_page_for_each_game_and_no_other() -> None:
    assert {path.stem for path in (DOCS / "games").glob("*.md")} == set(GAMES)
    assert {path.stem for path in (DOCS / "games").glob("*.svg")} == set(TAUGHT)
