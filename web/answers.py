"""A cache of answers: a page of a game is made once for everybody who has the same view of the same state."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from time import monotonic, thread_time

from starlette.responses import Response

from cartulary.engine.deadline import DeadlineExceeded

MOST_BYTES = 16_000_000
"""Bytes of all cached answers together."""
SLOW = 5.0
"""Seconds of processor time after which a question counts as slow and is not tried for the next client."""
AGAIN = 60.0
"""Seconds after which a slow question is tried again."""
MOST_SLOW = 1000
"""How many slow questions are remembered."""


class Answers:
    """A least-recently-used cache of answers, keyed by everything they depend on; any thread may use it.

    Questions that took too long are remembered too, so that the next client does not wait for them again.
    """

    def __init__(self, most: int = MOST_BYTES, clock: Callable[[], float] = monotonic) -> None:
        """Make an empty cache of at most so many bytes; ``clock`` returns the time in seconds."""
        self.most, self.clock = most, clock
        self._made: OrderedDict[Hashable, Response] = OrderedDict()
        self._slow: OrderedDict[Hashable, float] = OrderedDict()
        self._bytes, self._turn = 0, Lock()

    def once(self, about: Hashable, make: Callable[[], Response]) -> Response:
        """Return the answer to a question, from the cache or else from ``make``.

        Args:
            about: Everything that the answer depends on.
            make: Makes the answer, which is then kept. What it raises is raised, and nothing is kept.

        Raises:
            DeadlineExceeded: The answer takes too long, or did so at most ``AGAIN`` seconds ago.
        """
        with self._turn:
            cached = self._made.get(about)
            if cached is not None:
                self._made.move_to_end(about)
                return cached
            if self._slow.get(about, 0.0) > self.clock():
                raise DeadlineExceeded
        start = thread_time()
        try:
            answer = make()
        except DeadlineExceeded:
            if thread_time() - start > SLOW:  # else whoever asked has gone away, which says nothing of the question
                self._note_slow(about)
            raise
        with self._turn:
            self._store(about, answer)
        return answer

    def _note_slow(self, about: Hashable) -> None:
        """Remember for ``AGAIN`` seconds that a question takes too long to answer.

        Beyond ``MOST_SLOW`` an older one is forgotten.
        """
        with self._turn:
            self._slow[about] = self.clock() + AGAIN
            self._slow.move_to_end(about)
            if len(self._slow) > MOST_SLOW:
                self._slow.popitem(last=False)

    def _store(self, about: Hashable, answer: Response) -> None:
        """Cache an answer, unless it is cached already or would fill more than a quarter of the cache.

        The oldest answers that no longer fit are dropped.
        """
        size = len(answer.body)
        if about in self._made or size > self.most // 4:
            return
        self._made[about] = answer
        self._bytes += size
        while self._bytes > self.most:
            _, oldest = self._made.popitem(last=False)
            self._bytes -= len(oldest.body)
