"""A property that is worked out once for each object."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class once_each(Generic[T]):
    """A property that is worked out when it is first asked for, and kept in the object's ``__dict__``.

    ``functools.cached_property`` of Python 3.11 holds one lock for all objects of a class while it works one out, so
    that a slow one keeps every other thread waiting. Two threads may here work out the same value; it is the same.
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
