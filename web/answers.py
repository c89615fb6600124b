"""Answers that were worked out once, for all who look: the same page of a game, as it stands, in the same view."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from time import monotonic, thread_time

from starlette.responses import Response

from cartulary.engine.deadline import DeadlineExceeded

MOST_BYTES = 16_000_000
"""How much is remembered, as it is sent."""
SLOW = 5.0
"""Seconds of a processor after which an answer that is not there yet is not worked out for the next who asks."""
AGAIN = 60.0
"""Seconds after which it is tried once more."""
MOST_SLOW = 1000
"""Of how many questions it is remembered that they take too long."""


class Answers:
    """Answers by what they depend on, those forgotten first that nobody asked for. Used by any thread.

    What took too long to work out is remembered too, so that the next who asks does not wait for it again.
    """

    def __init__(self, most: int = MOST_BYTES, clock: Callable[[], float] = monotonic) -> None:
        """most: bytes of all answers together"""
        self.most, self.clock = most, clock
        self._made: OrderedDict[Hashable, Response] = OrderedDict()
        self._slow: OrderedDict[Hashable, float] = OrderedDict()
        self._bytes, self._turn = 0, Lock()

    def once(self, about: Hashable, make: Callable[[], Response]) -> Response:
        """Return the answer to a question, worked out by ``make`` unless that was done before.

        about: everything the answer depends on
        Raises DeadlineExceeded where it takes too long, and where it did a short time ago.
        """
        with self._turn:
            found = self._made.get(about)
            if found is not None:
                self._made.move_to_end(about)
                return found
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
            self._keep(about, answer)
        return answer

    def _note_slow(self, about: Hashable) -> None:
        with self._turn:
            self._slow[about] = self.clock() + AGAIN
            self._slow.move_to_end(about)
            if len(self._slow) > MOST_SLOW:
                self._slow.popitem(last=False)

    def _keep(self, about: Hashable, answer: Response) -> None:
        size = len(answer.body)
        if about in self._made or size > self.most // 4:
            return
        self._made[about] = answer
        self._bytes += size
        while self._bytes > self.most:
            _, oldest = self._made.popitem(last=False)
            self._bytes -= len(oldest.body)
