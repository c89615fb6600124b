"""Deadlines for long computations: the caller decides when to stop. No clock is read here.

A deadline changes no answer, only whether one comes. Without one every computation runs to its end.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class OutOfPatience(Exception):
    """The deadline has passed before there was an answer."""


_enough: ContextVar[Callable[[], bool] | None] = ContextVar("enough", default=None)


@contextmanager
def waiting(enough: Callable[[], bool]) -> Iterator[None]:
    """Set a deadline for the computations inside the ``with`` block.

    Args:
        enough: called before each part of a computation; once it returns True, OutOfPatience is raised there.
    """
    before = _enough.set(enough)
    try:
        yield
    finally:
        _enough.reset(before)


@contextmanager
def waiting_too(enough: Callable[[], bool]) -> Iterator[None]:
    """Set a deadline for the ``with`` block in addition to one that is in force outside it.

    Args:
        enough: returns True when the deadline has passed.
    """
    outside = _enough.get()
    with waiting(enough if outside is None else lambda: enough() or outside()):
        yield


def had_enough() -> bool:
    """Return whether the deadline has passed, for work that another program does, such as a database."""
    enough = _enough.get()
    return enough is not None and enough()


def go_on() -> None:
    """Stop a computation whose deadline has passed; called before each part of one that may take long.

    Raises:
        OutOfPatience: the deadline has passed.
    """
    if had_enough():
        raise OutOfPatience


def to_the_end() -> None:
    """Remove the deadline for the rest of a computation; called once something was stored."""
    _enough.set(None)
