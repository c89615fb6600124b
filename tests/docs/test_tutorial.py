"""The tutorials keep their word: blocks become games, and commands print what is shown.

docs/tutorial.md builds the bundled game of draughts, the two others one each that is found nowhere else. The package is
not installed but laid on the path beside what an installer would write of it, its entry point.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.places import DOCS, ROOT, SAMPLES
from tests.programs import begin

BLOCK = re.compile(r"^(?:`([\w./]+)`(, empty first|, for now)?:\n\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^\.+ *\[ *\d+%\]\n|^\d+(?= passed)|\bin \d+\.\d+s\b(?: \([\d:]+\))?", re.MULTILINE)
"""How many laws there are, which others add to, and how long they took."""

ENTRIES = "[[entries]]"
"""What the entries of a guide begin with, behind what its page for beginners says."""

SHELL = ("cp", "rm", "sed")
"""The other programs the page uses, given to the shell as they stand."""

INSTALLED = {
    "METADATA": "Metadata-Version: 2.1\nName: cartulary-{0}\nVersion: 0.1.0\n",
    "entry_points.txt": "[cartulary.games]\n{0} = cartulary_{0}:GAME\n",
}


class Folder:
    """The reader's folder as a page fills it: files made of chunks, and what stands in one for now."""

    def __init__(self, path: Path, key: str) -> None:
        self.path, self.key = path, key
        self.chunks: dict[str, list[str]] = {}
        self.printed = path / "printed"
        self.printed.mkdir()
        (path / "samples").symlink_to(SAMPLES)
        own = {"CARTULARY_DB": str(path / "records.db"), "NO_COLOR": "1", "COLUMNS": "80", "HUNT": "1"}
        self.environment = (
            os.environ
            | own
            | {
                "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
                "PYTHONPATH": os.pathsep.join(map(str, (path / key, path / "site"))),
            }
        )

    def install(self) -> None:
        """Lay beside the package what an installer writes of it."""
        metadata = self.path / "site" / f"cartulary_{self.key}-0.1.0.dist-info"
        metadata.mkdir(parents=True)
        for name, text in INSTALLED.items():
            (metadata / name).write_text(text.format(self.key), "utf-8")

    def write(self, name: str, how: str, text: str) -> None:
        """Put a block of the page into its file."""
        chunks = self.chunks.setdefault(name, [])
        if how == ", empty first":
            chunks.clear()
        file = self.path / name
        shown = [*chunks, text.strip("\n")]
        if how != ", for now":
            chunks.append(text.strip("\n"))
        file.write_text("\n\n\n".join(shown) + "\n", "utf-8")

    def run(self, command: str) -> str:
        """Return what a command prints."""
        named, *words = shlex.split(command)
        assert named in ("cartulary", "python", *SHELL), command
        if named == "cartulary":
            return begin(words, self.path, self.environment, self.printed, together=True).ended().stdout.rstrip("\n")
        ended = subprocess.run(
            [sys.executable, *words] if named == "python" else ["sh", "-c", command],
            cwd=self.path,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return ended.stdout.rstrip("\n")


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a session with what is printed below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown.rstrip("\n")


def bundled(name: str) -> str:
    """Return a file of the bundled game as a package called checkers has it, without the tapping."""
    text = (ROOT / name).read_text("utf-8")
    for ours, theirs in (
        ("from cartulary.engine.draughts import", "from .rules import"),
        ('key="draughts",\n        title="Draughts",\n', 'key="checkers",\n        title="Checkers",\n'),
        ('"draughts-2026"', '"checkers-2026"'),
        ('"draughts.', '"checkers.'),
        ("    Touch,\n    TouchTarget,\n    TouchTargets,\n", ""),
        (
            "import (\n    About,\n    Boards,\n    Difference,\n    Game,\n    Odd,\n    SheetTags,\n    Words,\n)",
            "import About, Boards, Difference, Game, Odd, SheetTags, Words",
        ),
        ('"men", "checker", "piece"', '"men", "piece"'),  # here a checker is the start of every key
    ):
        text = text.replace(ours, theirs)
    text = re.sub(r"\n        also=.*|\n        spellings=.*|, plain_signs\b", "", text)
    text, tapping, _ = text.partition("\n\n\ndef squares_to_touch(")
    return f"{text}\n" if tapping else text


def follow(page: str, folder: Folder) -> int:
    """Do what a page says, hold what is printed against what it shows, and return how many commands there are."""
    asked, blocks = 0, BLOCK.findall(page)
    assert len(blocks) == page.count("\n```") // 2
    for name, how, language, text in blocks:
        if name:
            folder.write(name, how, text)
        elif language == "sh":
            assert text == f"python -m pip install -e '{folder.key}[test]'\n"
            folder.install()
        elif language == "toml":
            rows = (SAMPLES / "draughts" / "rules.toml").read_text("utf-8").replace('"draughts.', '"checkers.')
            assert [row for row in text.split("\n\n") if row.strip() not in rows] == []
        else:
            assert language == "console", text
            for command, shown in commands(text):
                asked += 1
                assert SHOWN.sub("", folder.run(command)) == SHOWN.sub("", shown), command
    assert re.search(r"^\d+ passed in ", page, re.MULTILINE)
    return asked


def test_the_page_of_a_trick_game_builds_one(tmp_path: Path) -> None:
    assert follow((DOCS / "trick-game.md").read_text("utf-8"), Folder(tmp_path, "knaves")) >= 8


def test_the_page_of_a_board_game_builds_one(tmp_path: Path) -> None:
    assert follow((DOCS / "board-game.md").read_text("utf-8"), Folder(tmp_path, "alquerque")) >= 8


def test_the_page_builds_the_bundled_game_and_its_commands_print_what_it_shows(tmp_path: Path) -> None:
    assert follow((DOCS / "tutorial.md").read_text("utf-8"), Folder(tmp_path, "checkers")) >= 20
    written = {
        name: (tmp_path / "checkers" / "cartulary_checkers" / name).read_text("utf-8")
        for name in ("rules.py", "words.py", "guide.toml")
    }
    assert written == {
        "rules.py": bundled("engine/draughts/__init__.py"),
        "words.py": bundled("notation/draughts/__init__.py"),
        "guide.toml": ENTRIES + bundled("notation/draughts/guide.toml").partition(ENTRIES)[2],
    }
