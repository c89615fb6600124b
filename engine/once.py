"""A property that is computed once for each object."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class once_each(Generic[T]):
    """A property that is computed at its first use and then stored in the object's ``__dict__``.

    ``functools.cached_property`` of Python 3.11 holds one lock for all objects of a class during the computation, so a
    slow one would block every other thread. Here two threads may compute the same value, which does no harm.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self.work_out, self.__doc__ = work_out, work_out.__doc__
        self.name = work_out.__name__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object, owner: type) -> Self | T:
        if instance is None:
            return self
        value = self.work_out(instance)
        instance.__dict__[self.name] = value
        return value
