"""Work sent to the workers of a running Dask scheduler; answers come back in the order of the tasks.

The scheduler gives the tasks of a lost worker to another one. Workers read files themselves, under the path they have
here; a worker that finds a different file, or none, says so in its answer.
"""

import asyncio
import logging
import re
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from itertools import repeat
from os.path import abspath
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from cartulary.cli.shell.console import WorkerStopped, fail, os_fault
from cartulary.cli.shell.cuts import Range
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.sources import likeness
from cartulary.records.faults import Fault
from cartulary.records.library.positions import encodings

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT = 10
"""Seconds within which a scheduler must answer."""
LOOK, TIMEOUT = 5, 60
"""Seconds after which is looked whether there are workers still, and for how long there may be none."""
IN_FLIGHT = 8
"""So many tasks a thread of the cluster are asked for at once, so memory does not grow with the files."""
_ADDRESS = re.compile(r"tcp://(?:\[[0-9A-Fa-f:.%]+\]|[^\s/:@\[\]]+):([0-9]{1,5})", re.ASCII)
Answer = TypeVar("Answer")


class Program(Struct, frozen=True):
    """The program that judges; two programs that differ in any of these may judge differently.

    Attributes:
        python: The version of Python.
        cartulary: The version of Cartulary.
        games: The games that are installed, and how each is encoded.
    """

    python: str
    cartulary: str
    games: str

    @property
    def title(self) -> str:
        """The versions of Cartulary and Python, in words: ``Cartulary 4.0 on Python 3.12.1``."""
        return f"Cartulary {self.cartulary} on Python {self.python}"


class Reply(Struct, frozen=True):
    """What a worker answers.

    Attributes:
        worker: The address of the worker.
        answer: What the function returned.
        fault: Why there is no answer, as a sentence.
    """

    worker: str
    answer: Any = None
    fault: str = ""


class Cluster:
    """The workers of a scheduler. Closing it cancels tasks that have not begun.

    Attributes:
        threads: How many tasks the workers carry out at once.
    """

    def __init__(self, address: str) -> None:
        """Connect to a scheduler; end the program if none answers or its workers cannot be used."""
        match = _ADDRESS.fullmatch(address)
        if not match or not 0 < int(match[1]) < 1 << 16:
            fail(
                f"--cluster {address[:60]!r}: expected the address of a Dask scheduler, such as tcp://desk.example:8786."
            )
        self._address, self._program = address, program()
        self._client = _connected(address)
        try:
            self.threads = self._check_workers()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Disconnect from the scheduler, waiting at most ``CONNECT`` seconds for it."""
        self._client.close(timeout=CONNECT)

    def map(self, work: Callable[..., Answer], *arguments: Iterable[Any]) -> Iterator[Answer]:
        """Yield what a function returns on the workers for each of the arguments, in the order of the arguments.

        Raises:
            WorkerStopped: A worker cannot do it, or the scheduler or the workers are lost for good.
        """
        pending: deque[Future] = deque()
        for task in zip(*arguments):  # noqa: B905 - some repeat without an end
            pending.append(self._client.submit(do, self._program, work, *task, pure=False))
            if len(pending) >= IN_FLIGHT * self.threads:
                yield self._answer(pending.popleft())
        while pending:
            yield self._answer(pending.popleft())

    def over(
        self, ranges: Iterable[Range], work: Callable[..., Answer], *more: object
    ) -> Iterator[tuple[Range, Answer]]:
        """Yield each range of a file with what a function returns for it on the workers, in the order of the ranges.

        Args:
            ranges: Path, first byte and end of each range.
            work: Called with path, start, stop, ``more``, and as ``place`` the file's path on the worker.
            more: Further arguments.

        Raises:
            WorkerStopped: A worker cannot do it, or the scheduler or the workers are lost for good.
        """
        pending: deque[Range] = deque()
        likenesses: dict[str, tuple[int, str]] = {}

        def tasks() -> Iterator[tuple[object, ...]]:
            """Yield what ``in_range`` is called with for each range, and note the range as pending."""
            for path, start, stop in ranges:
                if path not in likenesses:
                    likenesses[path] = likeness(path)
                pending.append((path, start, stop))
                yield path, start, stop, abspath(path), likenesses[path]

        for answer in self.map(in_range, repeat(work), repeat(more), tasks()):
            yield pending.popleft(), answer

    def _answer(self, future: "Future") -> Any:
        """Wait for a task, as long as it takes, and return its answer.

        Raises WorkerStopped if the task failed, the scheduler was lost, or there has been no worker for ``TIMEOUT``
        seconds.
        """
        from distributed import KilledWorker

        # A task may take any time, so no deadline is set for it; what is watched is whether there are workers at all.
        last_seen = time.monotonic()
        while True:
            try:
                reply: Reply = future.result(timeout=LOOK)
            except TimeoutError:
                last_seen = time.monotonic() if self._workers() else last_seen
                if time.monotonic() - last_seen > TIMEOUT:
                    raise WorkerStopped(f"{self._address} has had no worker for {TIMEOUT} seconds.") from None
            except KilledWorker as fault:
                tried = count(fault.allowed_failures + 1, "worker")
                raise WorkerStopped(f"{tried} in turn stopped at the same task, perhaps for want of memory.") from None
            except CancelledError:
                raise WorkerStopped(f"The scheduler {self._address} was lost.") from None
            else:
                if reply.fault:
                    raise WorkerStopped(reply.fault)
                return reply.answer

    def _workers(self) -> dict[str, int]:
        """Return the number of threads of each worker, by its address; empty if there are no workers.

        Raises WorkerStopped if the scheduler does not answer.
        """
        try:
            return dict(self._client.nthreads())
        except (OSError, ValueError):
            raise WorkerStopped(f"The scheduler {self._address} was lost.") from None

    def _check_workers(self) -> int:
        """Return the number of threads of all workers.

        The program ends if there are no workers, or if one of them runs another version.
        """
        workers = self._workers()
        if not workers:
            fail(f"{self._address} has no workers; `dask worker {self._address} --nthreads 1` starts one.")
        for worker, theirs in sorted(self._client.run(program, on_error="return").items()):
            if theirs != self._program:
                fail(_unlike(worker, theirs, self._program))
        return sum(workers.values())


def _unlike(worker: str, theirs: object, ours: Program) -> str:
    """Return a sentence on why a worker may not judge for this process: it lacks the program, or has another version.

    Args:
        worker: Its address.
        theirs: Its program, or what it raised when asked for it.
        ours: The program of this process, which is another one.
    """
    expected = f"expected {ours.title} there, as here"
    if not isinstance(theirs, Program):
        return f"Worker {worker} cannot run Cartulary; {expected}."
    if theirs.title != ours.title:
        return f"Worker {worker} has {theirs.title}; {expected}."
    return f"Worker {worker} has other games installed, or other versions of them; expected those that are here."


def _connected(address: str) -> "Client":
    """Connect to a Dask scheduler and return the client.

    The program ends if Dask is not installed or no scheduler answers at the address.
    """
    try:
        import dask

        # Lost workers show in the answers that come back, so the warnings about them are not printed.
        dask.config.set({"logging": dict.fromkeys(("distributed", "distributed.client", "tornado"), "critical")})
        from distributed import Client
        from distributed.versions import VersionMismatchWarning
    except ImportError:
        fail("--cluster needs Dask; install it with: python -m pip install 'cartulary[cluster]'.")
    warnings.simplefilter("ignore", VersionMismatchWarning)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    kind: object = None
    with suppress(OSError, ValueError, KeyError, TypeError, MemoryError):  # which of them depends on what is there
        kind = asyncio.run(_kind(address))
    if kind != "Scheduler":
        fail(f"No Dask scheduler answers at {address}; `dask scheduler` starts one.")
    return Client(address, timeout=CONNECT, set_as_default=False)


async def _kind(address: str) -> object:
    """Return the kind of server that answers at an address, such as ``Scheduler``.

    After ``CONNECT`` seconds TimeoutError is raised. A client that connected at once might wait for ever.
    """
    from distributed.core import rpc

    async def ask() -> object:
        """Return the type that the server at the address gives itself."""
        async with rpc(address, timeout=CONNECT) as remote:
            return (await remote.identity())["type"]

    return await asyncio.wait_for(ask(), CONNECT)


# --- on a worker ---


@cache
def program() -> Program:
    """Return the versions of this process, to be compared with those of the workers."""
    return Program("{}.{}".format(*sys.version_info), version("cartulary"), encodings())


def do(asker: Program, work: Callable[..., object], *arguments: object) -> Reply:
    """Call a function on this worker, and return its answer or why there is none.

    Faults and files that cannot be read become a sentence in the Reply; other exceptions are raised.

    Args:
        asker: The program of the process that asks; another program may judge differently, so it is refused.
        work: The function.
        arguments: Its arguments.
    """
    from distributed import get_worker

    worker, own = get_worker().address, program()
    if own != asker:
        return Reply(worker, fault=_unlike(worker, own, asker))
    try:
        return Reply(worker, work(*arguments))
    except OSError as fault:
        return Reply(worker, fault=f"{fault.filename} cannot be read on worker {worker}: {os_fault(fault)}.")
    except (WorkerStopped, Fault) as fault:
        return Reply(worker, fault=f"Worker {worker}: {fault}")


def in_range(work: Callable[..., Answer], more: tuple[object, ...], task: tuple[str, int, int, str, Any]) -> Answer:
    """Call a function on a range of a file on this worker, and return its answer.

    Args:
        work: Called with path, start, stop, ``more``, and as ``place`` the file's path on this worker.
        more: Further arguments.
        task: Path, start, stop, the path on this worker, and what ``likeness`` must give for the file.

    Raises:
        WorkerStopped: The file is another one here.
        OSError: The file cannot be read here.
    """
    path, start, stop, place, like = task
    if likeness(place) != like:
        raise WorkerStopped(f"{place} is a different file there, or has been changed.")
    return work(path, start, stop, *more, place=place)
