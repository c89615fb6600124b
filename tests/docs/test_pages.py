"""The pages of the games say what their rules say."""

import re

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.notation import GAMES
from tests.places import DOCS


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_page_of_a_game_is_what_its_clauses_print(key: str) -> None:
    printed = CliRunner().invoke(build(), ["rules", key, "--markdown"])
    assert printed.exit_code == 0, printed.output
    written = (DOCS / "games" / f"{key}.md").read_text("utf-8")
    assert written == printed.stdout, f"cartulary rules {key} --markdown > docs/games/{key}.md"
    keys = re.findall(r"^\| `([\w.-]+)` \|", written, re.MULTILINE)
    assert {clause.key for clause in GAMES[key].rules.clauses} <= set(keys)


def test_there_is_a_page_for_each_game_and_no_other() -> None:
    assert {path.stem for path in (DOCS / "games").glob("*.md")} == set(GAMES)
