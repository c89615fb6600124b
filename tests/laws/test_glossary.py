"""One word for one thing: no public name uses a word that the glossary of docs/design.md bans for another.

Read are files, classes, functions and methods of the general rooms; a game's own rooms speak as its players do.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Set
from pathlib import Path

from tests.laws.test_rooms import parsed
from tests.places import ROOT

LAYERS = ("engine", "notation", "records", "web", "cli", "testing")
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
ROW = re.compile(r"\| \*\*(.+?)\*\* \| .+ \| (.*) \|")


def glossary(text: str) -> dict[str, str]:
    """Return the banned words, each with the one to be used."""
    section = text.partition("## One word for one thing")[2].partition("\n## ")[0]
    return {banned: word for word, column in ROW.findall(section) for banned in re.findall(r"`(\w+)`", column)}


def general(root: Path) -> Iterator[Path]:
    games = {path.name for path in (root / "engine").iterdir() if (root / "notation" / path.name).is_dir()}
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*.py")):
            if games.isdisjoint(path.relative_to(root).parts):
                yield path


def names(path: Path) -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef | None]]:
    """Yield the public names a file gives, its own first."""
    yield path.parent.name if path.stem == "__init__" else path.stem, None
    for node in parsed(path).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                yield from (
                    (each.name, each) for each in node.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"
                )


def words(name: str) -> set[str]:
    """Return the words of a name, of those in the plural the singular too."""
    found = {word.lower() for word in WORD.findall(name)}
    return found | {word.removesuffix("s") for word in found}


def banned_in(root: Path, banned: Set[str]) -> list[str]:
    return [
        f"{path.relative_to(root).as_posix()}: {name}"
        for path in general(root)
        for name, _ in names(path)
        if not banned.isdisjoint(words(name))
    ]


def shared(root: Path) -> dict[str, list[str]]:
    """Return the classes that share a name, with their files."""
    found = defaultdict(list)
    for path in general(root):
        for name, node in names(path):
            if isinstance(node, ast.ClassDef):
                found[name].append(path.relative_to(root).as_posix())
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_no_public_name_uses_a_banned_word() -> None:
    banned = glossary((ROOT / "docs" / "design.md").read_text("utf-8"))
    assert len(banned) > 20
    assert banned_in(ROOT, banned.keys()) == [], "the glossary of docs/design.md has the word to be used"


def test_no_word_of_the_glossary_is_banned_by_it() -> None:
    banned = glossary((ROOT / "docs" / "design.md").read_text("utf-8"))
    assert not [word for word in banned.values() if word in banned]


def test_no_two_classes_share_a_name() -> None:
    assert shared(ROOT) == {}


def test_a_planted_second_word_is_found_and_a_game_may_use_it(tmp_path: Path) -> None:
    texts = {
        "engine/whist/claims.py": "class Claim: ...\n",
        "notation/whist/words.py": "",
        "records/rulings.py": "class Ruling:\n    def decision_text(self): ...\n",
        "records/judgements.py": "class Judgement: ...\nclass Ruling: ...\n",
        "cli/claim.py": "def _claim(): ...\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    row = "## One word for one thing\n\n| **ruling** | what an arbiter decides | `decision`, `judgement` |\n"
    assert glossary(row + "| **dispute** | – | `claim` |\n\n## Speed\n| **a** | – | `b` |\n") == {
        "decision": "ruling",
        "judgement": "ruling",
        "claim": "dispute",
    }
    assert banned_in(tmp_path, {"decision", "judgement", "claim"}) == [
        "records/judgements.py: judgements",
        "records/judgements.py: Judgement",
        "records/rulings.py: decision_text",
        "cli/claim.py: claim",
    ]
    assert shared(tmp_path) == {"Ruling": ["records/judgements.py", "records/rulings.py"]}


def test_the_documents_name_files_that_are_there() -> None:
    named = re.compile(
        r"(?<![\w/.-])(?:engine|notation|records|web|cli|tests|docs|benchmarks)/[\w/-]*(?:(?<!/)\.\w+)*(?![\w<])"
    )
    gone = [
        f"{document}: {name}"
        for document in (*ROOT.glob("docs/**/*.md"), ROOT / "CONTRIBUTING.md", ROOT / "README.md")
        for name in named.findall(document.read_text("utf-8"))
        if "mygame" not in name and not (ROOT / name).exists()
    ]
    assert gone == []
