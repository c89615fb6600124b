"""A person at a terminal: a real program on a real pseudo-terminal, its screen read as a person reads it.

Nothing here waits for time to pass: whatever is typed, the next step comes when the screen shows what it must.
"""

import re
import signal
import sys
import time
from pathlib import Path
from types import TracebackType

import pexpect
import pyte

TIMEOUT = 30
"""Seconds after which a screen that does not show what it must is a failure."""
ENTER, TAB, CTRL_C, CTRL_D, CTRL_U = "\r", "\t", "\x03", "\x04", "\x15"


class Terminal:
    """One run of a command, ``record`` by default, with the screen it draws. raw: every byte that came out of it."""

    def __init__(
        self, db: Path, *words: str, command: str = "record", rows: int = 24, columns: int = 80, **environment: str
    ) -> None:
        """Start it. environment: beside HOME and PATH the only variables it has"""
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        variables = {"CARTULARY_DB": str(db), "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(db.parent)}
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "cartulary.cli", command, *words],
            dimensions=(rows, columns),
            env=variables | environment,
            timeout=TIMEOUT,
        )
        self.child.delaybeforesend = None

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.child.close(force=True)

    @property
    def display(self) -> str:
        """What a person sees."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def line(self) -> str:
        """The line being typed, its prompt included."""
        return [line.rstrip() for line in self.screen.display if line.strip()][-1]

    def type(self, keys: str) -> None:
        """Press keys."""
        self.child.send(keys)

    def until(self, *wanted: str) -> str:
        """Wait until the screen matches every pattern, and return it; fail with the screen where it does not."""
        deadline = time.monotonic() + TIMEOUT
        while not all(re.search(pattern, self.display, re.MULTILINE) for pattern in wanted):
            try:
                self._read()
            except (pexpect.EOF, pexpect.TIMEOUT):
                raise AssertionError(f"the screen never showed {wanted}, but:\n{self.display}") from None
            assert time.monotonic() < deadline, f"the screen never showed {wanted}, but:\n{self.display}"
        return self.display

    def _read(self) -> None:
        data = self.child.read_nonblocking(65536, timeout=TIMEOUT)
        self.raw += data
        self.stream.feed(data)

    def ended(self) -> int:
        """Wait until the program has ended, and return its exit code, 128 and more for a signal that killed it."""
        try:
            while True:
                self._read()
        except pexpect.EOF:
            pass
        self.child.wait()
        code, number = self.child.exitstatus, self.child.signalstatus
        return int(128 + number if code is None else code)

    def kill(self) -> None:
        """Kill it at once, as ``kill -9`` does."""
        self.child.kill(signal.SIGKILL)
        assert self.ended() == 128 + signal.SIGKILL
