"""A Dask cluster of our own for tests: a scheduler and workers, each a process on this machine, ended after."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.programs import package

LONG = 120
"""Seconds after which what is waited for has failed."""
_MODULE = "distributed.cli.dask_{}"


class PrivateCluster:
    """A scheduler nobody else knows of, and its workers. Stop it."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        distributed = package("distributed", "cluster")
        self._folder = folder
        self._environment = {**os.environ, "CARTULARY_SHELF": str(folder / "shelves"), **(environment or {})}
        file = folder / "scheduler.json"
        self.scheduler = self._started("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        self._wait(lambda: file.exists() and file.read_text("utf-8").endswith("}"))
        self.address: str = json.loads(file.read_text("utf-8"))["address"]
        self._client = distributed.Client(self.address, set_as_default=False)
        self.workers: list[subprocess.Popen[bytes]] = []
        self._names: dict[int, str] = {}
        self._begun = 0

    def add(self, threads: int = 1, environment: Mapping[str, str] | None = None) -> "subprocess.Popen[bytes]":
        """Start a worker and wait until the scheduler has it."""
        there = self.count()
        words = (self.address, "--nthreads", str(threads), "--no-nanny", "--local-directory", str(self._folder))
        self._begun += 1
        worker = self._started("worker", *words, "--name", f"w{self._begun}", environment=environment)
        self._names[worker.pid] = f"w{self._begun}"
        self.workers.append(worker)
        self._wait(lambda: self.count() == there + 1)
        return worker

    def kill(self, worker: "subprocess.Popen[bytes]") -> None:
        """End a worker as a crash does, and wait until the scheduler has noticed."""
        there = self.count()
        worker.kill()
        worker.wait()
        self.workers.remove(worker)
        self._wait(lambda: self.count() == there - 1)

    def wait_busy(self, worker: "subprocess.Popen[bytes]") -> None:
        """Wait until the scheduler has given a worker something to do."""
        answer = self._client.scheduler_info()["workers"].items()
        [at] = [address for address, each in answer if each["name"] == self._names[worker.pid]]
        self._wait(lambda: bool(self._client.processing()[at]))

    def count(self) -> int:
        """Return how many workers the scheduler has."""
        return len(self._client.nthreads())

    def stop(self) -> None:
        """End every process."""
        self._client.close()
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _started(
        self, what: str, *words: str, environment: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", _MODULE.format(what), *words, "--no-dashboard"]
        with (self._folder / "log").open("ab") as log:
            given = {**self._environment, **(environment or {})}
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder, env=given)

    def _wait(self, come: Callable[[], bool]) -> None:
        until = time.monotonic() + LONG
        while not come():
            if time.monotonic() > until or self.scheduler.poll() is not None:
                raise RuntimeError((self._folder / "log").read_text("utf-8"))
            signal.sigtimedwait([], 0.05)
