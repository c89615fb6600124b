"""The walls of the house: who may import whom, what starts lazily, and that every folder is packaged."""

import ast
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from cartulary.records.log.contract import Log
from cartulary.records.log.index import IndexedGames
from cartulary.records.log.store import Store
from cartulary.records.state.games import Games
from tests.laws.test_rooms import nodes, parsed
from tests.places import DOCS, ROOT, SAMPLES

MAY_IMPORT = {
    "engine": {"engine"},
    "notation": {"engine", "notation"},
    "records": {"engine", "notation", "records"},
    "web": {"engine", "notation", "records", "web"},
    "cli": {"engine", "notation", "records", "web", "cli"},
    "testing": {"engine", "notation", "testing"},
}
OUTSIDE = {
    "engine": {"msgspec"},
    "notation": {"msgspec"},
    "records": {
        "msgspec",
        "eventsourcing",
        "sqlite_utils",
        "cryptography",
        "fpdf",
        "platformdirs",
        "psycopg",
        "duckdb",
        "openskill",
        "resvg_py",
        "segno",
    },
    "cli": {
        "msgspec",
        "typer",
        "rich",
        "platformdirs",
        "prompt_toolkit",
        "matplotlib",
        "dask",
        "distributed",
        "_typeshed",
    },
    "web": {"msgspec", "starlette", "jinja2", "markupsafe", "uvicorn"},
    "testing": {"msgspec", "pytest", "hypothesis"},
}
HEAVY = {
    "eventsourcing": "a score sheet needs no log",
    "sqlite_utils": "only a published database is made with it",
    "duckdb": "only Parquet is written and read with it, and it may not be installed",
    "openskill": "only ratings need it, and it may not be installed",
    "psycopg": "only a log on a server needs it, and it may not be installed",
    "rich": "only long works draw a bar, where a person sees it",
    "platformdirs": "only who names no database asks for its folder",
    "prompt_toolkit": "only the scribe's screen is drawn with it",
    "cryptography": "only signatures need it, and it may not be installed",
    "fpdf": "only sheets on paper need it, and it may not be installed",
    "matplotlib": "only pictures need it, and it may not be installed",
    "resvg_py": "only pictures need it, and it may not be installed",
    "segno": "only links as codes need it, and it may not be installed",
    "starlette": "only a browser is served with it, and it may not be installed",
    "jinja2": "only pages are made with it, and it may not be installed",
    "uvicorn": "only a browser is served with it, and it may not be installed",
    "webbrowser": "only who serves at a terminal has a page opened",
    "cartulary.web": "brings the libraries of the desk in a browser",
    "dask": "only --cluster needs it, and it may not be installed",
    "distributed": "only --cluster needs it, and it may not be installed",
    "multiprocessing": "only --jobs starts processes",
    "concurrent.futures": "only --jobs starts processes",
    "importlib.metadata": "only versions and games installed beside these are asked of it",
    "tomllib": "only a guide that somebody asks for is read with it",
    "difflib": "only a misspelt name is held against those there are",
    "ctypes": "only a forked child needs it",
    "cartulary.cli.app": "brings typer; --version is told without",
    "cartulary.cli.shell.console": "brings typer; --version is told without",
    "cartulary.notation.roster": "in the entry only a fault needs the games",
    "cartulary.cli.shell.ranges": "brings multiprocessing",
    "cartulary.cli.shell.cluster": "brings concurrent.futures; only --cluster needs it",
    "cartulary.cli.scribe.screen": "brings prompt_toolkit",
    "cartulary.cli.stepping.screen": "brings prompt_toolkit",
    "cartulary.notation.cgn.controls": "brings the notation of all games; --help is told without",
}
"""What a file may import inside a function, and why it is worth it; everything else stands at the top of the file."""
LAZY = [name for name in HEAVY if name.split(".")[0] not in {"cartulary", *sys.stdlib_module_names}]

DOOR = {"cartulary.records.api", "cartulary.records.faults", "cartulary.records.texts"}
"""What of the records even a command may import that needs none: faults, notices, and the API, which imports late."""


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and full dotted name of everything a file imports, inside functions too."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: import by full name, not relative to the file"
            for name in node.names:
                yield node.lineno, f"{node.module}.{name.name}"


def place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def test_every_layer_imports_only_what_stands_below_it() -> None:
    wrong = [
        f"{place(path, line)}: {layer} may not import {name}"
        for layer, allowed in MAY_IMPORT.items()
        for path in sources(layer)
        for line, name in imports(path)
        if name.startswith("cartulary") and name.split(".")[1] not in allowed
    ]
    assert wrong == []


def test_every_layer_uses_only_its_own_libraries() -> None:
    wrong = [
        f"{place(path, line)}: {layer} may not import {name}"
        for layer, allowed in OUTSIDE.items()
        for path in sources(layer)
        for line, name in imports(path)
        if name.split(".")[0] not in allowed | {"cartulary"} | sys.stdlib_module_names
    ]
    assert wrong == []


def test_the_command_line_and_the_pages_ask_a_log_through_the_api_only() -> None:
    beside = {
        (place(path, line), name)
        for path in sources("cli", "web")
        for line, name in imports(path)
        if f"{name}.".startswith("cartulary.records.") and name.rpartition(".")[0] not in DOOR and name not in DOOR
    }
    assert [f"{where}: {name}" for where, name in sorted(beside) if is_module(name) or is_given_a_log(name)] == []


def is_module(name: str) -> bool:
    """Say whether a module is imported by this name, whose functions could then be called unseen."""
    module, _, attribute = name.rpartition(".")
    return inspect.ismodule(getattr(import_module(module), attribute, import_module(module)))


def is_given_a_log(name: str) -> bool:
    """Say whether a function of the records, or what makes a class of theirs, is given a log."""
    module, _, attribute = name.rpartition(".")
    thing = getattr(import_module(module), attribute)
    if not (inspect.isfunction(thing) or inspect.isclass(thing)):
        return False
    return any(
        each.annotation in (Log, Games, IndexedGames, Store) for each in inspect.signature(thing).parameters.values()
    )


def test_a_function_that_is_given_a_log_is_found() -> None:
    assert is_given_a_log("cartulary.records.commands.amend.amend")
    assert is_given_a_log("cartulary.records.library.stats.tally")
    assert not is_given_a_log("cartulary.records.texts.quiet_text")
    assert is_module("cartulary.records.commands")
    assert is_module("cartulary.records.commands.amend")


GIVEN_NO_LOG = {
    "a place, from which a log is opened": {"open_store", "place_of", "write_back"},
    "an archive": {"is_evening", "read_archive", "verify_archive"},
    "a loaded game, about which is asked": {
        *(
            "docket_entries",
            "disputes_of",
            "judge_words",
            "round_form",
            "rulings_of",
            "see_game",
            "typed_words",
            "view_of",
        ),
    },
    "a record that is in no log": {"docket_on_paper", "plan"},
    "what is written to a file, in a format whose library is loaded late": {
        *("html", "pdf", "png", "replay_page", "write_pages"),
    },
}
"""The functions of the API that are given no log, by what they are given instead; no line and no check is one."""


def test_the_api_has_functions_and_the_types_that_they_name() -> None:
    from cartulary.records import api

    things = {name: getattr(api, name) for name in vars(api)["__all__"]}
    functions = [thing for thing in things.values() if inspect.isfunction(thing)]
    types = [name for name, thing in things.items() if inspect.isclass(thing)]
    assert len(functions) + len(types) == len(things)
    without = {
        name for name in things if inspect.isfunction(things[name]) and not is_given_a_log(f"{api.__name__}.{name}")
    }
    assert without == set().union(*GIVEN_NO_LOG.values())
    named = " ".join(repr(getattr(thing, "__annotations__", "")) for thing in things.values())
    callers_make = {"Games", "Nameless", "RecentGames", "Request", "Store"}
    assert [name for name in types if name not in callers_make and not re.search(rf"\b{name}\b", named)] == []


def test_the_api_gives_what_it_tells_type_checkers_of() -> None:
    from cartulary.records import api

    where = vars(api)["_WHERE"]
    statements = {name for _, name in imports(ROOT / "records" / "api.py") if name.startswith("cartulary.")}
    assert {f"cartulary.records.{module}.{name}" for name, module in where.items()} == statements
    assert [name for name in where if not hasattr(api, name)] == []


def test_what_is_done_stands_under_the_name_that_is_typed() -> None:
    typed = {path.stem for path in (ROOT / "cli" / "commands").glob("*.py")}
    done = {path.stem for path in (ROOT / "records" / "commands").glob("*.py")}
    assert done - typed == {
        "annotation",
        "arrival",
        "byes",
        "close_by_numbers",
        "deal_tags",
        "evening_links",
        "next_round",
        "pairs",
        "request",
        "seats",
        "tried_words",
        "typed",
    }, "what several share, or a name nobody types"


def imports_in_functions(path: Path) -> Iterator[tuple[int, str]]:
    """Yield what a file imports only when one of its functions is called."""
    inside = {
        line
        for node in nodes(path)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    yield from ((line, name) for line, name in imports(path) if line in inside)


def test_only_what_is_heavy_is_imported_inside_functions() -> None:
    wrong, used = (
        [],
        {"eventsourcing", "prompt_toolkit", "starlette", "jinja2", "uvicorn"},
    )  # each behind a module that is imported late
    for path in sources(*MAY_IMPORT):
        for line, name in imports_in_functions(path):
            heavy = [each for each in HEAVY if f"{name}.".startswith(f"{each}.")]
            used.update(heavy)
            if not heavy:
                wrong.append(f"{place(path, line)}: {name}")
    assert wrong == []
    assert sorted(HEAVY) == sorted(used)


def test_an_import_inside_a_function_is_found(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    file.write_text("import os\n\n\nclass Late:\n    def now(self) -> None:\n        from shutil import which\n")
    assert list(imports_in_functions(file)) == [(6, "shutil.which")]


def test_the_rules_do_no_input_output_clock_or_dice() -> None:
    banned = {"io", "os", "sys", "time", "datetime", "random", "secrets", "logging", "pathlib", "socket"}
    wrong = [
        f"{place(path, line)}: {name}"
        for path in sources("engine")
        for line, name in imports(path)
        if name.split(".")[0] in banned
    ]
    assert wrong == []


def test_games_never_import_one_another() -> None:
    from cartulary.notation import roster

    modules = {f"cartulary.engine.{point.split('.')[2].partition(':')[0]}" for point in roster.BUNDLED_GAMES.values()}
    wrong = []
    for module in sorted(modules):
        stem = ROOT.joinpath(*module.split(".")[1:])
        for path in sorted(stem.rglob("*.py")) or [stem.with_suffix(".py")]:
            for line, name in imports(path):
                if any(f"{name}.".startswith(f"{other}.") for other in modules - {module}):
                    wrong.append(f"{place(path, line)}: {name}")
    assert wrong == []


def test_the_event_library_is_imported_in_one_module_only() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in sources(*MAY_IMPORT)
        for _, name in imports(path)
        if name.split(".")[0] == "eventsourcing"
    }
    assert users == {"records/log/store.py"}


SQL = re.compile(r"\b(SELECT|INSERT (OR|INTO)|UPDATE \w+ SET|DELETE FROM|PRAGMA|(CREATE|DROP|ALTER) (\w+ )*TABLE)\b")
MAY_SPEAK_SQL = {
    "records/log": "the log and the index beside it are kept in SQLite",
    "records/library": "searches and lists ask the index",
    "records/exchange/from_sqlite.py": "reads the tables of an exported database, which are its own",
    "records/exchange/sqlite_tables.py": "names the tables and views of an exported database",
    "records/exchange/sqlite.py": "writes the tables of an exported database",
    "records/exchange/parquet.py": "writes what the index holds as Parquet files, and queries these",
}
"""Where SQL stands, and why."""
THE_LOGS_OWN = re.compile(r"\b(stored_events|sqlite_sequence|(FROM|INTO|UPDATE|JOIN|TABLE) heads)\b")


def sql(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of every piece of SQL in a file, docstrings and comments left aside, and of what asks it."""
    docstrings = {id(node.value) for node in nodes(path) if isinstance(node, ast.Expr)}
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if SQL.search(node.value) or THE_LOGS_OWN.search(node.value):
                yield node.lineno, node.value
        elif isinstance(node, ast.Attribute) and (
            node.attr in ("query", "execute", "executemany") or _is_read_model(node)
        ):
            yield node.lineno, ast.unparse(node)


def _is_read_model(node: ast.Attribute) -> bool:
    """Say whether this is the index of a store, or a question to one; lists and records have an ``index`` too."""
    owner = ast.unparse(node.value)
    return (node.attr == "index" and owner.endswith("store")) or (
        node.attr in ("rows", "snapshot", "own_connection") and owner.endswith(".index")
    )


def test_sql_stands_in_the_rooms_of_the_log_and_of_its_index_only() -> None:
    wrong, used = [], set()
    for path in sources(*MAY_IMPORT):
        name = path.relative_to(ROOT).as_posix()
        room = next((room for room in MAY_SPEAK_SQL if f"{name}/".startswith(f"{room}/")), "")
        for line, text in sql(path):
            used.add(room)
            if not room:
                wrong.append(f"{place(path, line)}: {text}")
    assert wrong == []
    assert used == set(MAY_SPEAK_SQL)


def test_no_sql_is_written_against_the_log_but_in_its_own_room() -> None:
    wrong = [
        f"{place(path, line)}: {text}"
        for path in sources(*MAY_IMPORT)
        if not path.is_relative_to(ROOT / "records" / "log")
        for line, text in sql(path)
        if THE_LOGS_OWN.search(text)
    ]
    assert wrong == []


def test_every_folder_with_code_is_packaged_and_typed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    folders = {path.parent.relative_to(ROOT).as_posix() for path in sources(*MAY_IMPORT)}
    expected = {"cartulary." + folder.replace("/", ".") for folder in (*folders, "samples")}
    assert set(project["tool"]["setuptools"]["packages"]) == expected
    for layer in MAY_IMPORT:
        assert project["tool"]["setuptools"]["package-dir"][f"cartulary.{layer}"] == layer
        assert (ROOT / layer / "py.typed").exists()
        assert (ROOT / ".src" / "cartulary" / layer).resolve() == ROOT / layer


def test_the_tests_lie_in_the_rooms_the_design_names() -> None:
    table = (DOCS / "design.md").read_text("utf-8").partition("| `tests/` | holds |\n")[2].partition("\n\n")[0]
    named = {name for line in table.splitlines() for name in re.findall(r"`(\w+)(?:/<game>)?`", line.split("|")[1])}
    found = {path.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").rglob("*.py")}
    assert found - {"conftest.py", "hunts.py", "places.py", "programs.py", "snapshots.py"} == named


def test_cartulary_is_a_namespace_without_a_module_of_its_own() -> None:
    assert not (ROOT / "__init__.py").exists()
    assert not list((ROOT / ".src" / "cartulary").glob("*.py"))


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_every_public_thing_says_what_it_guarantees(layer: str) -> None:
    bare = []
    for path in sources(layer):
        tree = parsed(path)
        if not ast.get_docstring(tree) and tree.body:
            bare.append(place(path, 1))
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                rule = any(
                    isinstance(d, ast.Call) and getattr(d.func, "id", "") == "clause" for d in node.decorator_list
                )
                if not rule and not ast.get_docstring(node):
                    bare.append(f"{place(path, node.lineno)}: {node.name}")
    assert bare == []


def modules_after(*words: str) -> set[str]:
    """Return what is imported by the time a command has ended, where there is no database yet."""
    script = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('\\n'.join(sorted(sys.modules)), file=sys.stderr))\n"
        f"sys.argv = ['cartulary', *{words!r}]\n"
        "from cartulary.cli.__main__ import main\n"
        "main()\n"
    )
    env = os.environ | {"CARTULARY_DB": os.path.join(os.devnull, "none.db")}
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False, env=env)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return set(ended.stderr.split())


def test_validate_starts_without_the_libraries_of_live_records() -> None:
    sample = next((SAMPLES / "cardmate" / "games").glob("*.cgn"))
    loaded = modules_after("validate", "--accept-rulings", str(sample))
    assert not [name for name in (*LAZY, "multiprocessing") if name in loaded]
    assert {name for name in loaded if name.startswith("cartulary.records")} <= {"cartulary.records", *DOOR}


def test_the_version_is_told_before_the_command_line_is_loaded() -> None:
    loaded = modules_after("--version")
    assert not [name for name in (*LAZY, "typer", "msgspec", "cartulary.notation") if name in loaded]


def test_help_starts_without_the_libraries_of_live_records() -> None:
    loaded = modules_after("--help")
    assert not [name for name in (*LAZY, "cartulary.notation", "cartulary.records") if name in loaded]


@pytest.mark.parametrize("words", [("games",), ("import", "--help"), ("--help",)])
def test_only_the_command_typed_is_imported(words: tuple[str, ...]) -> None:
    commands = {name for name in modules_after(*words) if name.startswith("cartulary.cli.commands.")}
    assert commands == {f"cartulary.cli.commands.{word}" for word in words if word != "--help"}
