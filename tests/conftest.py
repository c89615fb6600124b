"""What many suites begin with: a database in a folder of its own, open, and the command line on it."""

import asyncio
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer import testing

from cartulary.records.log.store import Store
from tests.hunts import HUNT
from tests.places import ROOT
from tests.programs import chromium, package
from tests.records.archives import Run, runner
from tests.snapshots import ACCEPT
from tests.snapshots import snapshot as snapshot

if TYPE_CHECKING:
    from tests.records.servers import PrivateServer

LONGEST = {
    "test_a_whole_game_is_recorded_on_a_phone",
    "test_every_figure_of_the_table_is_measured_and_printed_as_json",
    "test_processes_with_the_log_open_several_times_are_killed_and_lose_nothing_acknowledged",
    "test_the_page_builds_the_bundled_game_and_its_commands_print_what_it_shows",
}


TESTS = ROOT / "tests"
MEMORY = Path("/dev/shm")
"""A file system in memory, where the machine has one."""
FREE = 1 << 30
"""What must be free of it, in bytes: several times what all tests write."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(ACCEPT, action="store_true", help="write the wording that tests hold anew; read the difference")


def pytest_configure() -> None:
    """Let tests and the programs that are tested keep what they compile, and Ctrl-C reach them though we ignore it.

    Compiling every test anew takes three times as long as collecting them. A signal that is ignored stays so in every
    program started from here; one that is caught does not.
    """
    gc.disable()  # nothing that is collected is garbage
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)
    _write_to_memory()
    # The runner of command lines makes the group of commands of the same application anew for each.
    setattr(testing, "_get_command", cache(getattr(testing, "_get_command")))  # noqa: B009, B010 - none of ours


def _write_to_memory() -> None:
    """Let tests and their programs make their files in memory, unless somebody has said where.

    Nearly every test makes a database, and a disk is waited for until it holds each. No test cuts off the power.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK | os.X_OK):
        return
    if shutil.disk_usage(MEMORY).free >= FREE and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Let ``-n auto`` begin three workers for two processors: a third of the time a test waits for others."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else max(1, (os.cpu_count() or 1) * 3 // 2)


@cache
def _nothing_is_compiled() -> bool:
    return not any(TESTS.rglob("test_*.pyc"))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell each worker whether this is a clean checkout, before any of them compiles."""
    node.workerinput["nothing_is_compiled"] = _nothing_is_compiled()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let each worker of a clean checkout import its share of the tests before all collect all of them.

    Every worker would compile every test otherwise, all at the same time: 25 s of processor time for three.
    """
    worker = getattr(session.config, "workerinput", {})
    if not worker.get("nothing_is_compiled"):
        return
    number = int(worker["workerid"].removeprefix("gw"))
    for path in sorted(TESTS.rglob("test_*.py"))[number :: worker["workercount"]]:
        # A file that cannot be imported, or is skipped, is reported when it is collected.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the laws of ``cartulary.testing``, which bear no marker of ours, be chosen by ours; begin with the longest.

    A long test at the end would leave the other workers with nothing to do. A hunt that was lengthened goes the other
    way round, so that a test that needs what another has made is found.
    """
    if HUNT > 1:
        items.reverse()
    items.sort(key=lambda item: item.name.partition("[")[0] not in LONGEST)
    for item in items:
        law = getattr(item, "function", None)
        if getattr(law, "searches", False):
            item.add_marker("hunt")
        if getattr(law, "__name__", "") == "test_a_golden_game_is_judged_as_expected":
            item.add_marker("smoke")


def pytest_collection_finish() -> None:
    """Let garbage be looked for seldom, and not among all that is imported by now and stays to the end."""
    gc.enable()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture(scope="session")
def own_server() -> "Iterator[PrivateServer]":
    package("psycopg", "postgres")
    from tests.records.servers import PrivateServer

    server = PrivateServer()
    yield server
    server.stop()


@pytest.fixture
def address(own_server: "PrivateServer", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the address of an empty database on a server, with a folder for the indexes."""
    monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "shelves"))
    return own_server.database()


@pytest.fixture(scope="session")
def own_browser() -> Iterator[tuple[Any, asyncio.AbstractEventLoop]]:
    """Yield a browser, one a session, and the loop of its driver, which between its calls goes on counting as running.

    Nothing else could run a loop then, so it is taken for running only while a test has the browser.
    """
    with chromium() as opened:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield opened, loop
        asyncio._set_running_loop(loop)


@pytest.fixture
def browser(own_browser: tuple[Any, asyncio.AbstractEventLoop]) -> Iterator[Any]:
    """Give the browser, with no page open before or after."""
    opened, loop = own_browser
    asyncio._set_running_loop(loop)
    yield opened
    for context in opened.contexts:
        context.close()
    asyncio._set_running_loop(None)


@pytest.fixture
def store(db: Path) -> Iterator[Store]:
    with Store(db) as opened:
        yield opened


@pytest.fixture
def run(db: Path) -> Run:
    return runner(db)
