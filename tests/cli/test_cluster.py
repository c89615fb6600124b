"""``--cluster``: what the workers of a Dask scheduler do is what this process would, or is told with its reason."""

import os
import random
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cartulary.cli.shell import cluster
from cartulary.cli.shell.cluster import Cluster, Program, program
from cartulary.cli.shell.console import WorkerStopped
from cartulary.cli.shell.cuts import cuts
from tests.cli.clusters import PrivateCluster
from tests.cli.conftest import Write
from tests.cli.test_validate import LEGAL, LINES, REFUSED, UNREAD, many
from tests.hunts import looks
from tests.places import SAMPLES
from tests.programs import typed

FORMATS = ("chess/games", "draughts/games")
Told = tuple[str, str, int]
GAMES = tuple(str(SAMPLES / games) for games in ("cardmate/games", "tarot/games", *FORMATS))
FEW = 4000
"""Bytes of a range in tests, so that a short file has many."""

PGN = '[Event "Club"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n\n'
PDN = '[Event "Club"]\n[GameType "20"]\n[Result "*"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n'


def strewn(rng: random.Random, folder: Path) -> list[str]:
    """Write files and folders of every kind by chance; return their names as they are typed."""
    texts: tuple[Callable[[], str], ...] = (
        lambda: "",
        lambda: " \n\n",
        lambda: LEGAL,
        lambda: UNREAD,
        lambda: many(rng.randrange(1, 30)),
        lambda: PGN * rng.randrange(1, 9),
        lambda: PDN * rng.randrange(1, 9),
        lambda: REFUSED + "\n" + LEGAL,
        lambda: "".join(rng.choice(LINES) + "\n" for _ in range(60)),
        lambda: "\ufeff" + many(3).replace("\n", "\r\n"),
    )
    names = []
    for number in range(rng.randrange(1, 6)):
        inside = folder / f"season {number}" if rng.random() < 0.3 else folder
        inside.mkdir(exist_ok=True)
        path = inside / f"{number}.{rng.choice(('cgn', 'pgn', 'pdn'))}"
        path.write_text(rng.choice(texts)(), "utf-8", newline="")
        names.append(str(inside if inside != folder else path))
    if rng.random() < 0.2:
        names.append(names[0])
    if rng.random() < 0.2:
        names.append(str(folder / "nowhere.cgn"))
    return names


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateCluster]:
    """Give a scheduler with two workers, one of which does two tasks at once."""
    own = PrivateCluster(tmp_path_factory.mktemp("cluster"))
    try:
        own.add()
        own.add(threads=2)
        yield own
    finally:
        own.stop()


@pytest.fixture(autouse=True)
def short_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("commands.validate", "shell.importing"):
        monkeypatch.setattr(f"cartulary.cli.{module}.cuts", partial(cuts, step=FEW))


def run(folder: Path, *words: str) -> Told:
    """Return what a command prints, says and ends with."""
    ended = typed(words, folder, {})
    return ended.stdout, ended.stderr, ended.exit_code


def after(answers: int, happens: Callable[[], object]) -> Callable[..., Any]:
    """Let something happen when so many tasks have been answered, while others are with the workers."""
    given = 0
    answer = Cluster._answer

    def counting(self: Cluster, future: Any) -> Any:
        nonlocal given
        given += 1
        if given == answers:
            happens()
        return answer(self, future)

    return counting


# --- the same as here ---


@pytest.mark.hunt
@pytest.mark.smoke
def test_validate_prints_says_and_ends_alike(own: PrivateCluster, tmp_path: Path) -> None:
    for seed in range(looks(12)):
        rng = random.Random(f"cluster {seed}")
        folder = tmp_path / str(seed)
        folder.mkdir()
        names = [os.path.relpath(name, folder) for name in strewn(rng, folder)]
        words = rng.choice(((), ("--json",), ("-q",), ("--fail-on", "remark"), ("--json", "--accept-rulings")))
        there = run(folder, "validate", "--cluster", own.address, *words, *names)
        assert there == run(folder, "validate", *words, *names), (seed, words)


def test_a_killed_worker_s_tasks_are_done_again(
    own: PrivateCluster, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("long.cgn", "".join(many(40) + "\n" + REFUSED + "\n" for _ in range(20)))
    assert len(list(cuts(path, FEW))) > 10
    lost = own.add()
    checked = Cluster._check_workers

    def halted(self: Cluster) -> int:
        threads = checked(self)
        lost.send_signal(signal.SIGSTOP)  # what it is given it does not begin
        return threads

    def killed() -> None:
        own.wait_busy(lost)
        own.kill(lost)

    monkeypatch.setattr(Cluster, "_check_workers", halted)
    monkeypatch.setattr(Cluster, "_answer", after(1, killed))
    there = run(tmp_path, "validate", "--json", "--cluster", own.address, path)
    assert lost.returncode == -9
    assert there == run(tmp_path, "validate", "--json", path)


def test_import_prints_says_and_stores_alike(own: PrivateCluster, write: Write, tmp_path: Path) -> None:
    write("many.cgn", many(60) + "\n" + REFUSED + "\n" + LEGAL)
    words = ("import", "--by", "Zoe", *GAMES, "many.cgn", "nowhere.cgn")
    there = run(tmp_path, *words, "--cluster", own.address, "--db", "there.db")
    assert there == run(tmp_path, *words, "--db", "here.db")
    exports = [run(tmp_path, "export", "--all", "--db", db)[0] for db in ("there.db", "here.db")]
    remote, local = ([line for line in text.splitlines() if not line.startswith("% cartulary")] for text in exports)
    assert remote == local
    assert run(tmp_path, "verify", "--all", "--db", "there.db")[2] == 0
    assert "62 known" in run(tmp_path, "import", "-q", "many.cgn", "--cluster", own.address, "--db", "there.db")[1]


def test_reindex_of_a_log_on_a_server_writes_alike(own: PrivateCluster, address: str, tmp_path: Path) -> None:
    run(tmp_path, "import", "-q", "--db", address, *GAMES)
    page = str(SAMPLES / "cardmate" / "games" / "page-1.cgn")
    asked = (("list",), ("search", "--text", "captures"), ("search", "--position", page, "--at", "1"))
    for words in (("reindex",), ("reindex", "--positions")):
        here = run(tmp_path, *words, "--db", address)
        found = [run(tmp_path, *each, "--db", address) for each in asked]
        assert run(tmp_path, *words, "--cluster", own.address, "--db", address) == here
        assert [run(tmp_path, *each, "--db", address) for each in asked] == found


# --- what cannot be used ---


@pytest.mark.parametrize(
    "text",
    ["x", "http://desk:1", "tcp://desk", "tcp://desk:0", "tcp://desk:65536", "tcp://:8786", "tcp://a b:8786"],
)
def test_what_is_no_address_is_refused(text: str, write: Write, tmp_path: Path) -> None:
    out, result, code = run(tmp_path, "validate", f"--cluster={text}", write("a.cgn", LEGAL))
    assert (out, code) == ("", 2)
    assert result.startswith(f"cartulary: --cluster {text!r}: expected the address of a Dask scheduler")


def test_where_no_scheduler_answers_it_is_said(
    own: PrivateCluster, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Cluster(own.address)) as workers:
        [worker, *_] = workers._workers()
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    path = write("a.cgn", LEGAL)
    with socket.create_server(("127.0.0.1", 0)) as dumb:
        port = dumb.getsockname()[1]
        at = f"tcp://127.0.0.1:{port}"
        expected = ("", f"cartulary: No Dask scheduler answers at {at}; `dask scheduler` starts one.\n", 2)
        assert run(tmp_path, "validate", "--cluster", at, path) == expected
    with socket.create_server(("127.0.0.1", port)) as other, ThreadPoolExecutor() as pool:
        talking = pool.submit(lambda: other.accept()[0].sendall(b"SSH-2.0-OpenSSH_9.2p1\r\n"))
        assert run(tmp_path, "validate", "--cluster", at, path) == expected
        talking.result()
    assert run(tmp_path, "import", "--cluster", at, "--db", "a.db", path) == expected
    assert not (tmp_path / "a.db").exists()
    text = f"cartulary: No Dask scheduler answers at {worker}; `dask scheduler` starts one.\n"
    assert run(tmp_path, "validate", "--cluster", worker, path) == ("", text, 2)


ODD = {
    "has Cartulary 9.9 on Python": "import importlib.metadata as m; of = m.version\n"
    "m.version = lambda name: '9.9' if name == 'cartulary' else of(name)\n",
    "cannot run Cartulary": "import sys; sys.modules['cartulary'] = None\n",
}


@pytest.mark.parametrize("because", list(ODD))
def test_a_worker_of_another_program_is_named_and_nothing_is_judged(
    because: str, own: PrivateCluster, write: Write, tmp_path: Path
) -> None:
    write("sitecustomize.py", ODD[because])
    odd = own.add(environment={"PYTHONPATH": str(tmp_path)})
    try:
        out, result, code = run(tmp_path, "validate", "--cluster", own.address, write("a.cgn", LEGAL))
    finally:
        own.kill(odd)
    assert (out, code) == ("", 2)
    assert result.startswith("cartulary: Worker tcp://127.0.0.1:")
    assert because in result
    assert result.endswith(f"; expected {program().title} there, as here.\n")


@pytest.mark.parametrize(
    ("wanted", "because"),
    [
        (Program("3.99", program().cartulary, program().games), f"has {program().title}; expected Cartulary"),
        (Program(program().python, program().cartulary, "whist=7"), "has other games installed"),
    ],
)
def test_a_worker_that_comes_later_with_another_program_is_named(
    wanted: Program, because: str, own: PrivateCluster
) -> None:
    with closing(Cluster(own.address)) as workers:
        workers._program = wanted
        with pytest.raises(WorkerStopped, match=f"^Worker tcp://127.0.0.1:.* {because}"):
            list(workers.map(len, ["abc"]))


@pytest.mark.parametrize("command", ["validate", "import"])
def test_a_file_that_a_worker_has_not_or_has_otherwise_is_named(
    command: str, own: PrivateCluster, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = write("a.cgn", LEGAL), write("other.cgn", REFUSED)
    for place, because in (
        ("/nowhere/a.cgn", "/nowhere/a.cgn cannot be read on worker tcp://"),
        (other, f"{other} is a different file there, or has been changed."),
    ):
        monkeypatch.setattr(cluster, "abspath", lambda _, place=place: place)
        options = ("--db", "a.db") if command == "import" else ()
        out, result, code = run(tmp_path, command, "--cluster", own.address, *options, path)
        assert (out, code) == ("", 2)
        assert because in result
        assert "The games after that were not" in result


def test_a_cluster_that_goes_down_piece_by_piece_is_told(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "LOOK", 0.1)
    monkeypatch.setattr(cluster, "TIMEOUT", 0.3)
    folder = tmp_path / "lone"
    folder.mkdir()
    lone = PrivateCluster(folder, {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"})
    words = ("validate", "--cluster", lone.address, write("a.cgn", many(600)))
    try:
        none = f"cartulary: {lone.address} has no workers; `dask worker {lone.address} --nthreads 1` starts one.\n"
        assert run(tmp_path, *words) == ("", none, 2)
        worker = lone.add()
        with closing(Cluster(lone.address)) as workers:
            with pytest.raises(WorkerStopped, match="1 worker in turn stopped at the same task"):
                list(workers.map(os._exit, [1]))
            assert worker.wait() == 1
            with pytest.raises(WorkerStopped, match=f"{lone.address} has had no worker for 0.3 seconds"):
                list(workers.map(len, ["abc"]))
        lone.workers.clear()
        lone.add()
        monkeypatch.setattr(Cluster, "_answer", after(2, lone.stop))
        _, result, code = run(tmp_path, *words)
        assert f"cartulary: The scheduler {lone.address} was lost. The games after that were not judged;" in result
        assert code == 2
    finally:
        lone.stop()


def test_without_dask_it_is_said_what_brings_it(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask", None)
    out, result, code = run(tmp_path, "validate", "--cluster", "tcp://desk:8786", write("a.cgn", LEGAL))
    assert (out, code) == ("", 2)
    assert result == "cartulary: --cluster needs Dask; install it with: python -m pip install 'cartulary[cluster]'.\n"


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (("validate", "--jobs", "2", "a.cgn"), "--cluster shares the work out itself; leave out --jobs."),
        (("validate",), "--cluster cannot divide standard input"),
        (("validate", "a.cgn#1"), "a.cgn#1: --cluster divides whole files"),
        (("validate", "--seat", "p1", "a.cgn"), "leave out --seat"),
        (("import", "--db", "1.db", "-"), "--cluster cannot divide standard input"),
        (("import", "--db", "1.db", "--second", "evening", "a.cgn"), "leave out --second."),
        (("reindex", "--db", "one.db"), "needs a log on a server"),
        (("reindex", "--jobs", "2", "--db", "one.db"), "leave out --jobs."),
    ],
)
def test_what_a_cluster_cannot_do_is_refused(
    words: tuple[str, ...], because: str, write: Write, tmp_path: Path
) -> None:
    write("a.cgn", LEGAL)
    run(tmp_path, "import", "--db", "one.db", "a.cgn")
    out, result, code = run(tmp_path, *words, "--cluster", "tcp://127.0.0.1:8786")
    assert (out, code) == ("", 2)
    assert because in result
    assert not (tmp_path / "1.db").exists()
