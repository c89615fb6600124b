"""Public names are nouns and verbs: no value, parameter, field, function or class is a bare participle.

``told`` or ``given`` say what was done to a thing, not what it is. A truth value may be one (``closed: bool``), and so
may a word that the glossary of docs/design.md explains. ``open_names.txt`` lists the names that are still open. It may
only shrink: ``python -m tests.laws.test_names`` takes out what is there no longer.
"""

import ast
import re
from collections.abc import Iterator, Set
from pathlib import Path

from tests.laws.test_rooms import LAYERS, parsed
from tests.places import ROOT

OPEN = Path(__file__).with_name("open_names.txt")
IRREGULAR = (
    "begun bound broken brought built chosen dealt done drawn fallen foretold found given gone grown held hidden "
    "kept known laid led left lent lost made meant met paid said seen sent shown sold sought spoken stolen struck "
    "taken told torn understood unsaid unwritten won worn written each one then whole whose"
)
"""Participles that do not end in ed, and the pronouns and adjectives that have stood for nouns."""
REGULAR = re.compile(r"[a-z]+ed$")
OTHER_WORDS = "bed embed exceed feed indeed need proceed red seed speed succeed cached expected"
"""Words that only end as participles do, what programmers call a copy kept at hand, and a field of requests."""
GLOSSARY = re.compile(r"^\| \*\*(\w+)\*\* \|", re.MULTILINE)
TRUTH = re.compile(r"(bool|bool \| None)$|Annotated\[bool,")
"""The type of a truth value; what else is said of a field of a request stands behind it."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_bare(name: str, terms: Set[str] = frozenset()) -> bool:
    """Say whether a name is a participle and nothing else. Terms are words that name a thing all the same."""
    word = name.rstrip("_0123456789")
    word = word.lower() if re.fullmatch("[A-Z]?[a-z]+|[A-Z]+", word) else ""
    if word in terms or word in OTHER_WORDS.split():
        return False
    return word in IRREGULAR.split() or REGULAR.fullmatch(word) is not None


def public_names(tree: ast.Module) -> Iterator[tuple[str, str, ast.expr | None]]:
    """Yield where each public name of a file stands, the name, and its annotation."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            if not node.name.startswith("_"):
                yield "", node.name, None
                yield from _members(node)
        elif isinstance(node, Function):
            yield from _function("", node)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield "", node.target.id, node.annotation
        elif isinstance(node, ast.Assign):
            yield from (("", each.id, None) for each in node.targets if isinstance(each, ast.Name))


def _members(node: ast.ClassDef) -> Iterator[tuple[str, str, ast.expr | None]]:
    within = f"{node.name}."
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield within, each.target.id, each.annotation
        elif isinstance(each, ast.Assign):
            yield from ((within, to.id, None) for to in each.targets if isinstance(to, ast.Name))
        elif isinstance(each, Function):
            yield from _function(within, each)
            if each.name == "__init__":
                yield from _set_on_self(within, each)


def _set_on_self(within: str, node: Function) -> Iterator[tuple[str, str, ast.expr | None]]:
    annotations = {each.arg: each.annotation for each in _parameters(node)}
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and ast.unparse(each.value) == "self":
            yield within, each.attr, annotations.get(each.attr)


def _function(within: str, node: Function) -> Iterator[tuple[str, str, ast.expr | None]]:
    if node.name.startswith("_") and node.name not in ("__init__", "__call__"):
        return
    yield within, node.name, node.returns
    for each in _parameters(node):
        yield f"{within}{node.name} ", each.arg, each.annotation


def _parameters(node: Function) -> list[ast.arg]:
    arguments = node.args
    starred = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *starred]


def bare_names(path: Path, terms: Set[str] = frozenset()) -> Iterator[str]:
    """Yield the public names of a file that are bare participles, each with where it stands."""
    for within, name, annotation in public_names(parsed(path)):
        truth = annotation is not None and TRUTH.match(ast.unparse(annotation))
        if not name.startswith("_") and not truth and is_bare(name, terms):
            yield f"{within}{name}"


def found(root: Path) -> set[str]:
    """Return all bare names of the layers, each after its file; in which function or class it stands may change."""
    terms = {*GLOSSARY.findall((root / "docs" / "design.md").read_text("utf-8"))}
    paths = [path for layer in LAYERS for path in sorted((root / layer).rglob("*.py"))]
    return {
        f"{path.relative_to(root).as_posix()}: {re.split('[ .]', name)[-1]}"
        for path in paths
        for name in bare_names(path, terms)
    }


def open_names() -> list[str]:
    return OPEN.read_text("utf-8").splitlines()


def test_no_public_name_is_a_bare_participle_but_those_still_open() -> None:
    assert sorted(found(ROOT) - {*open_names()}) == [], "name it after what it is"


def test_a_planted_participle_is_found_and_a_truth_value_or_a_verb_is_none(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(
        "def told(given: int, closed: bool, speed: int, lost_cards: int) -> str: ...\n"
        "def _told(given: int) -> None: ...\n"
        "class Placed:\n"
        "    seen: int\n"
        "    typed: str\n"
        "    signed: bool\n"
        "    def __init__(self, quoted: str, ended: bool) -> None:\n"
        "        self.whole = self.ended = quoted\n"
        "    def is_known(self) -> bool: ...\n",
        "utf-8",
    )
    names = {"told", "told given", "Placed", "Placed.seen", "Placed.__init__ quoted", "Placed.whole"}
    assert {*bare_names(path, {"typed"})} == names


if __name__ == "__main__":
    OPEN.write_text("".join(f"{name}\n" for name in sorted(found(ROOT) & {*open_names()})), "utf-8")
