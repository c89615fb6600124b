"""docs/club-book.md: every command is run in order, and prints what the page shows."""

import re
import shlex
from pathlib import Path

from tests.places import DOCS
from tests.programs import typed

TEXT = (DOCS / "club-book.md").read_text("utf-8")
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
PAIRS = re.compile(r"```text\n(.*?)```", re.DOTALL)
FILE = re.compile(r"```toml\n(.*?)```", re.DOTALL)


def test_the_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    skull_king, house_rules = FILE.findall(TEXT)
    (tmp_path / "skull-king.toml").write_text(skull_king)
    (tmp_path / "club.toml").write_text(house_rules)
    [pairs] = PAIRS.findall(TEXT)
    (tmp_path / "pairs.txt").write_text(pairs)
    shown, printed = [], []
    for block in BLOCK.findall(TEXT):
        for command, output in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE):
            named, *words = shlex.split(command)
            assert named == "cartulary"
            result = typed(words, tmp_path, {"CARTULARY_DB": str(tmp_path / "games.db"), "NO_COLOR": "1"})
            shown.append((command, output))
            printed.append((command, result.stdout))
    assert len(shown) > 8
    assert printed == shown
