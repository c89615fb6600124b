"""docs/archive.md names what there is: commands, tables of numbers, games with positions of their own."""

import re

from cartulary.cli.app import OVERVIEW
from cartulary.engine import Place
from cartulary.notation import GAMES
from cartulary.records.library.stats import TALLIES
from tests.places import DOCS

TEXT = (DOCS / "archive.md").read_text("utf-8")


def test_every_command_the_page_names_is_there() -> None:
    commands = {name for lines in OVERVIEW.values() for name in lines}
    named = set(re.findall(r"`([a-z]+) --", TEXT)) | set(re.findall(r"\bcartulary ([a-z]+)", TEXT))
    assert named - commands == set()
    assert {"import", "list", "search", "stats", "duplicates", "export", "revalidate", "verify", "reindex"} <= named


def test_the_page_says_what_makes_a_position_in_every_game_that_says_so_itself() -> None:
    rows = re.findall(r"^\| ([A-Z][\w ]+) \|", TEXT, re.MULTILINE)
    own = [game for game in GAMES.values() if game.place.key is not Place().key]
    assert rows == [game.about.title for game in own]


def test_the_page_names_every_table_of_numbers() -> None:
    by_name = {"openings": "first moves", "rules": "rules most"}
    assert [name for name in TALLIES if by_name.get(name, name) not in " ".join(TEXT.split())] == []
