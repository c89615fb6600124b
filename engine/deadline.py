"""Deadlines for long computations: the caller decides when to stop. No clock is read here.

A deadline changes no answer, only whether one comes. Without one every computation runs to its end. For example::

    with set_deadline(lambda: thread_time() > until):
        ...                  # the computation calls check_deadline() before each part
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class DeadlineExceeded(Exception):
    """The deadline has passed before there was an answer."""


_in_force: ContextVar[Callable[[], bool] | None] = ContextVar("deadline", default=None)


@contextmanager
def set_deadline(is_over: Callable[[], bool]) -> Iterator[None]:
    """Set a deadline for the computations inside the ``with`` block.

    Args:
        is_over: called before each part of a computation; once it returns True, DeadlineExceeded is raised there.
    """
    before = _in_force.set(is_over)
    try:
        yield
    finally:
        _in_force.reset(before)


@contextmanager
def add_deadline(is_over: Callable[[], bool]) -> Iterator[None]:
    """Set a deadline for the ``with`` block in addition to one that is in force outside it.

    Args:
        is_over: returns True when the deadline has passed.
    """
    outside = _in_force.get()
    with set_deadline(is_over if outside is None else lambda: is_over() or outside()):
        yield


def deadline_passed() -> bool:
    """Say whether the deadline in force has passed, for work that another program does, such as a database; False
    without one.
    """
    is_over = _in_force.get()
    return is_over is not None and is_over()


def check_deadline() -> None:
    """Stop a computation whose deadline has passed; called before each part of one that may take long.

    Raises:
        DeadlineExceeded: the deadline has passed.
    """
    if deadline_passed():
        raise DeadlineExceeded


def remove_deadline() -> None:
    """Remove the deadline that is in force for the rest of this computation; called once something was stored."""
    _in_force.set(None)
