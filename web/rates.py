"""How many requests are allowed, and how long an answer may take, so that nobody can flood the desk."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, thread_time

from cartulary.engine.deadline import add_deadline

LONGEST = 6.0
"""Seconds of a processor that one request may take; a phone asks again after eight."""
WHILE_TYPING = 2.0
"""Seconds for what is only said while a line is typed, or offered to be tapped."""
MOST = 10_000
"""How many who ask are remembered; beyond it those are forgotten whose buckets are full again."""


class Buckets:
    """Buckets by name, each with a token more every so often. Used by one thread."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = monotonic) -> None:
        """rate: tokens a second; burst: how many a bucket holds"""
        self.rate, self.burst, self.clock = rate, burst, clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, name: str) -> bool:
        """Take a token, and say whether there was one."""
        left = self._now(name)
        self._put(name, max(left - 1, 0) if left >= 1 else left)
        return left >= 1

    def has(self, name: str) -> bool:
        """Say whether there is anything left to be spent."""
        return self._now(name) > 0

    def spend(self, name: str, amount: float) -> None:
        """Take as much as something has cost, which is known only afterwards; it may be more than there is."""
        self._put(name, self._now(name) - amount)

    def _now(self, name: str) -> float:
        now = self.clock()
        left, since = self._left.get(name, (float(self.burst), now))
        return min(self.burst, left + (now - since) * self.rate)

    def _put(self, name: str, left: float) -> None:
        now = self.clock()
        if len(self._left) >= MOST and name not in self._left:
            self._forget(now)
        self._left[name] = (left, now)

    def _forget(self, now: float) -> None:
        whole = self.burst / self.rate
        self._left = {name: (left, at) for name, (left, at) in self._left.items() if now - at < whole}
        if len(self._left) >= MOST:
            self._left.clear()


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Let what is asked inside raise DeadlineExceeded once it has taken so many seconds of this thread.

    Whoever waits outside may have had enough before.
    """
    until = thread_time() + seconds
    with add_deadline(lambda: thread_time() > until):
        yield
