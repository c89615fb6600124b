"""How many requests are allowed, and how long an answer may take, so that nobody can flood the server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, thread_time

from cartulary.engine.deadline import add_deadline

LONGEST = 6.0
"""Seconds of processor time that one request may take; a phone asks again after eight."""
WHILE_TYPING = 2.0
"""Seconds of processor time for the verdict on a line while it is typed, and for the moves that can be tapped."""
MOST = 10_000
"""How many buckets are remembered; beyond that, full ones are forgotten."""


class Buckets:
    """Token buckets, one for each name: a request takes a token, and tokens come back at a steady rate.

    Not safe for several threads.
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = monotonic) -> None:
        """Make buckets that are full.

        Args:
            rate: Tokens that a bucket gains each second.
            burst: Tokens that a bucket holds at most.
            clock: Returns the time in seconds.
        """
        self.rate, self.burst, self.clock = rate, burst, clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, name: str) -> bool:
        """Take one token out of the bucket of this name, and say whether there was a whole one.

        If not, nothing is taken.
        """
        left = self._tokens(name)
        self._put(name, max(left - 1, 0) if left >= 1 else left)
        return left >= 1

    def has(self, name: str) -> bool:
        """Say whether the bucket of this name has more than nothing left. Nothing is taken."""
        return self._tokens(name) > 0

    def spend(self, name: str, amount: float) -> None:
        """Take an amount out of the bucket of this name after the work is done; the bucket may fall below zero."""
        self._put(name, self._tokens(name) - amount)

    def _tokens(self, name: str) -> float:
        """Return how many tokens a bucket has now, from what it had and the time since; a new bucket is full."""
        now = self.clock()
        left, since = self._left.get(name, (float(self.burst), now))
        return min(self.burst, left + (now - since) * self.rate)

    def _put(self, name: str, left: float) -> None:
        """Note how many tokens the bucket of this name has now.

        If it is new and there are ``MOST`` already, old buckets are forgotten first.
        """
        now = self.clock()
        if len(self._left) >= MOST and name not in self._left:
            self._forget(now)
        self._left[name] = (left, now)

    def _forget(self, now: float) -> None:
        """Forget the buckets that must be full again by now, and all of them if there are still ``MOST``."""
        filling = self.burst / self.rate
        self._left = {name: (left, at) for name, (left, at) in self._left.items() if now - at < filling}
        if len(self._left) >= MOST:
            self._left.clear()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Set a deadline inside the block, after so many seconds of this thread's processor time.

    Work that looks for a deadline then raises DeadlineExceeded. A deadline that was set outside the block stays;
    whichever passes first counts.
    """
    until = thread_time() + seconds
    with add_deadline(lambda: thread_time() > until):
        yield
