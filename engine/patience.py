"""How long to wait for an answer: whoever waits says when it is enough. No clock is read here.

It changes no answer, only whether one comes; without anybody who says so every question is worked out to its end.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class OutOfPatience(Exception):
    """Whoever waited has had enough; nothing came of the question."""


_enough: ContextVar[Callable[[], bool] | None] = ContextVar("enough", default=None)


@contextmanager
def waiting(enough: Callable[[], bool]) -> Iterator[None]:
    """Let what is asked inside raise OutOfPatience once this says that it is enough."""
    before = _enough.set(enough)
    try:
        yield
    finally:
        _enough.reset(before)


@contextmanager
def waiting_too(enough: Callable[[], bool]) -> Iterator[None]:
    """Let what is asked inside raise OutOfPatience once this says that it is enough, or whoever waits outside does."""
    outside = _enough.get()
    with waiting(enough if outside is None else lambda: enough() or outside()):
        yield


def had_enough() -> bool:
    """Say whether whoever waits has had enough: for work that somebody else does, such as a database."""
    enough = _enough.get()
    return enough is not None and enough()


def go_on() -> None:
    """Raise OutOfPatience where whoever waits has had enough; called before each part of a work that may be long."""
    if had_enough():
        raise OutOfPatience


def to_the_end() -> None:
    """Let what is left of a work take as long as it takes; called once something was stored."""
    _enough.set(None)
