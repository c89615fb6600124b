"""Validating long files by several processes, each of which judges ranges of them.

Each process reads its own range from the disk, judges it and sends reports back; this process reads nothing but
64 kB around each cut, and puts the reports back in the order of the file with their true numbers and lines.
"""

import signal
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import msgspec

from cartulary.cli.shell.console import WorkerStopped
from cartulary.cli.shell.cuts import Range, line_ends, shift_report
from cartulary.cli.shell.sources import printable
from cartulary.notation import Report, examine, load_range

if TYPE_CHECKING:
    from cartulary.cli.shell.cluster import Cluster

_Pipe: TypeAlias = "Connection[Any, Any]"

Batch = tuple[bytes, int]
"""Reports of one range as msgpack, and the line ends in it."""


def examine_range(path: str, start: int, stop: int, accept_rulings: bool, results: str = "", place: str = "") -> Batch:
    """Judge the games that begin in a range of a file.

    Args:
        path: The file, as it is reported.
        start: The first byte of the range.
        stop: The first byte after it.
        accept_rulings: Whether a move that was ruled to stand is a remark only.
        results: Whose result a file of PDN names first, as ``--results`` was typed; empty for the usual way.
        place: Where the file is, if not at ``path``.

    Returns:
        The reports as msgpack, with numbers and lines counted from the start of the range, and the line ends in it.
    """
    records = load_range(place or path, start, stop, results)
    reports = [examine(record, printable(path), accept_rulings=accept_rulings).report for record in records]
    return msgspec.msgpack.encode(reports), line_ends(place or path, start, stop)


class _Worker:
    """A process that judges ranges one after the other; ``pending`` are the numbers of those not yet answered."""

    def __init__(self, accept_rulings: bool, results: str) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, accept_rulings, results), daemon=True)
        with _block_interrupts():
            self.process.start()
        theirs.close()
        self.pending: deque[int] = deque()

    def ask(self, number: int, path: str, start: int, stop: int) -> None:
        """Send a range of a file to the process, to be judged; it does not wait for the answer.

        Args:
            number: The place of the range among all ranges, from 0.
            path: The file.
            start: The first byte of the range.
            stop: The byte after its last.
        """
        self.pending.append(number)
        self.pipe.send((path, start, stop))

    def answer(self) -> tuple[int, Batch]:
        """Wait for an answer, and return the number of its range and the reports on it.

        Answers come in the order in which the ranges were sent to this process.

        Raises:
            OSError: The process could not read the file.
            WorkerStopped: The process has ended.
        """
        try:
            answer = self.pipe.recv()
        except (EOFError, ConnectionError):
            raise WorkerStopped("A process that judged games was stopped from outside.") from None
        if isinstance(answer, OSError):
            raise answer
        return self.pending.popleft(), answer


class Pool:
    """Processes that judge ranges; their reports come back in the order of files and games.

    Two ranges wait at each process, and few answers wait for their turn, so memory does not grow with the files.

    Attributes:
        games: How many games of the current file came before the next range.
        lines: How many of its lines did.
    """

    def __init__(self, jobs: int, accept_rulings: bool, cluster: "Cluster | None" = None, results: str = "") -> None:
        """Start the processes.

        Args:
            jobs: How many.
            accept_rulings: Whether a move that was ruled to stand is a remark only.
            cluster: Whose workers judge instead of processes.
            results: Whose result a file of PDN names first, as ``--results`` was typed; empty for the usual way.
        """
        self._accept_rulings, self._cluster, self._results = accept_rulings, cluster, results
        self._workers = [_Worker(accept_rulings, results) for _ in range(jobs)] if cluster is None else []
        self._decode = msgspec.msgpack.Decoder(list[Report]).decode
        self.games = self.lines = 0

    def close(self) -> None:
        """End the processes at once, even those still at work, and wait for their end."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()

    def reports(self, ranges: Iterator[Range]) -> Iterator[tuple[list[Report], int]]:
        """Yield the reports of each range, and how many bytes the range has, in the order of the ranges.

        Raises:
            OSError: A file cannot be read.
            WorkerStopped: A process has stopped.
        """
        for (_, start, stop), batch in self._batches(ranges):
            yield self.in_place(start, stop, *batch)

    def _batches(self, ranges: Iterator[Range]) -> Iterator[tuple[Range, Batch]]:
        """Yield each range with what ``examine_range`` returns for it, in the order of the ranges.

        The work is done by the cluster if there is one, by processes if there are several, else here.
        """
        if self._cluster is not None:
            yield from self._cluster.over(ranges, examine_range, self._accept_rulings, self._results)
        elif self._workers:
            yield from self._by_processes(ranges)
        else:
            for task in ranges:
                yield task, examine_range(*task, self._accept_rulings, self._results)

    def _by_processes(self, ranges: Iterator[Range]) -> Iterator[tuple[Range, Batch]]:
        """Yield each range with what ``examine_range`` returned for it in a process, in the order of the ranges.

        What a process could not read is raised as OSError.
        """
        tasks: dict[int, Range] = {}
        answers: dict[int, Batch] = {}
        next_task = next_answer = 0
        while True:
            # Answers come back in any order and are yielded in the order of the ranges. One slow range would let the
            # answers after it pile up, so no more than eight for each process are on their way or waiting.
            while next_task - next_answer < 8 * len(self._workers):
                free = min(self._workers, key=lambda worker: len(worker.pending))
                if len(free.pending) == 2 or (task := next(ranges, None)) is None:
                    break
                free.ask(next_task, *task)
                tasks[next_task] = task
                next_task += 1
            busy = {worker.pipe: worker for worker in self._workers if worker.pending}
            if not busy:
                return
            for pipe in wait(list(busy)):
                number, answer = busy[cast(_Pipe, pipe)].answer()
                answers[number] = answer
            while next_answer in answers:
                yield tasks.pop(next_answer), answers.pop(next_answer)
                next_answer += 1

    def in_place(self, start: int, stop: int, data: bytes, ends: int) -> tuple[list[Report], int]:
        """Return the reports of the next range with numbers and lines counted from the start of the file.

        The ranges of a file must be given in order, because each call counts on from the one before.

        Args:
            start: The first byte of the range; 0 begins a new file.
            stop: The end of the range.
            data: The reports as msgpack, counted from the start of the range.
            ends: How many lines end in the range.

        Returns:
            The reports, and the number of bytes of the range.
        """
        reports = self._decode(data)
        if start == 0:
            self.games = self.lines = 0
        placed = [shift_report(report, self.games, self.lines) for report in reports] if start else reports
        self.games += len(reports)
        self.lines += ends
        return placed, stop - start


def _serve(pipe: _Pipe, accept_rulings: bool, results: str) -> None:
    """Judge ranges that come through a pipe until it is closed, and send back each answer, or the OSError in its place.

    Ctrl-C is left to the process that sends the ranges.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            path, start, stop = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(examine_range(path, start, stop, accept_rulings, results))
        except BrokenPipeError:
            return
        except OSError as fault:
            pipe.send(fault)


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block the signal of Ctrl-C inside the block, so that a process started in it never sees Ctrl-C.

    On Windows, which has no such thing, nothing is blocked.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # or its start, a part of ours, would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
