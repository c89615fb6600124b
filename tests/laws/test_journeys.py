"""Journeys: the files a command passes through, from what is typed to what is printed, so that growth is seen.

``journeys.txt`` names them, with the number of functions called. A journey may get shorter at any time. A longer one
fails here until somebody has looked at it and written the list again, with ``python -m tests.laws.test_journeys``. Each
command is run once before it is counted, on a game of its own, so that imports and compiled patterns are left out.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import TypeAlias

import pytest

from cartulary.web.guard import OWN_HEADER
from tests.places import ROOT, SAMPLES
from tests.records.archives import Run, runner
from tests.web.served import Ear, serving

LIST = Path(__file__).with_name("journeys.txt")
LAYERS = tuple(f"{ROOT / layer}/" for layer in ("cli", "engine", "notation", "records", "web"))
REVOKE = SAMPLES / "tarot" / "games" / "table-revoke.cgn"
Journey: TypeAlias = Callable[[Run, Path, "Trace"], None]
SPARE = 10
"""Functions that a journey may gain unseen: over HTTP, some are called only where threads happen to meet."""
Counts: TypeAlias = dict[str, tuple[int, list[str]]]


class Trace:
    """The functions of the project that were called, in any thread, while it was on."""

    def __init__(self) -> None:
        self.on = False
        self.codes: set[CodeType] = set()

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        if self.on and event == "call":
            self.codes.add(frame.f_code)

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count what is called inside the block."""
        self.on = True
        try:
            yield
        finally:
            self.on = False

    def functions(self) -> set[tuple[str, str]]:
        """Return the file and the name of each function, lambdas and comprehensions left out."""
        return {
            (str(Path(code.co_filename).resolve()).removeprefix(f"{ROOT}/"), code.co_qualname)
            for code in self.codes
            if str(Path(code.co_filename).resolve()).startswith(LAYERS) and not code.co_name.startswith("<")
        }


@contextmanager
def tracing() -> Iterator[Trace]:
    """Trace this thread and every thread that begins inside the block."""
    trace, before = Trace(), sys.getprofile()
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def move(run: Run, db: Path, trace: Trace) -> None:
    """Write one word."""
    with trace.counting():
        run("move", "g", "8Dj2")


def validate(run: Run, db: Path, trace: Trace) -> None:
    """Judge a sheet with a revoke that is proved later."""
    with trace.counting():
        run("validate", str(REVOKE), code=1)


def why(run: Run, db: Path, trace: Trace) -> None:
    """Tell the story of the revoke."""
    with trace.counting():
        run("why", str(REVOKE), "54")


def ruling(run: Run, db: Path, trace: Trace) -> None:
    """Let a ply stand."""
    with trace.counting():
        run("ruling", "g", "1", "--stands", "--arbiter", "A. Umpire", "--reason", "nobody objected")


def post_to_stream(run: Run, db: Path, trace: Trace) -> None:
    """Write one word over HTTP, until a follower has it."""
    with serving(db, writes=True) as server, Ear(server, "game=g&since=4") as ear:
        body = {"command": "one", "words": "8Dj2"}
        with trace.counting():
            assert server.post("/games/g/words", json=body, headers={OWN_HEADER: "1"}).status_code == 200
            ear.until(lambda: ear.heard(5))


JOURNEYS: dict[str, Journey] = {
    "move": move,
    "validate": validate,
    "why": why,
    "ruling": ruling,
    "POST to stream": post_to_stream,
}


def measure(name: str, folder: Path) -> tuple[int, list[str]]:
    """Return how many functions a journey calls, and the files they stand in, in order."""
    for attempt in ("first", "counted"):
        db = folder / f"{attempt}.db"
        run = runner(db)
        run("new", "cardmate", "--id", "g", "-p", "Ada", "-p", "Bela")
        run("move", "g", "4Ci3", "4Db6")
        with tracing() as trace:
            JOURNEYS[name](run, db, trace)
    functions = trace.functions()
    return len(functions), sorted({file for file, _ in functions})


def listed() -> Counts:
    """Return the journeys of the list: a heading with the number of functions, then a file a line."""
    counts: Counts = {}
    for line in LIST.read_text("utf-8").splitlines():
        if line.startswith("# "):
            name, _, functions = line[2:].partition(": ")
            counts[name] = int(functions.split(" ")[0]), []
        elif line:
            counts[name][1].append(line)
    return counts


@pytest.mark.parametrize("name", JOURNEYS)
def test_no_journey_has_grown(name: str, tmp_path: Path) -> None:
    functions, files = measure(name, tmp_path)
    most, known = listed()[name]
    assert [file for file in files if file not in known] == [], "files that the journey did not pass through before"
    assert functions <= most + SPARE


def test_a_file_more_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def validate_and_rule(run: Run, db: Path, trace: Trace) -> None:
        validate(run, db, trace)
        ruling(run, db, trace)

    longer = dict.fromkeys(JOURNEYS, validate_and_rule)
    monkeypatch.setattr("tests.laws.test_journeys.JOURNEYS", longer)
    assert set(measure("validate", tmp_path)[1]) - set(listed()["validate"][1])


if __name__ == "__main__":
    parts = []
    for name in JOURNEYS:
        functions, files = 0, set[str]()
        for _ in range(8):  # over HTTP a journey depends on where threads meet; the list has all that was seen
            with TemporaryDirectory() as folder:
                count, passed = measure(name, Path(folder))
            functions, files = max(functions, count), files.union(passed)
        parts.append("\n".join((f"# {name}: {functions} functions in {len(files)} files", *sorted(files))))
    LIST.write_text("\n\n".join(parts) + "\n", "utf-8")
