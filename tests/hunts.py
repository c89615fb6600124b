"""How much a search by chance looks at: half of its worth in the suite, HUNT times that with ``HUNT=N``."""

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from cartulary.testing.game import HUNT as HUNT

Test = TypeVar("Test", bound=Callable[..., Any])

settings.register_profile(
    "hunt", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


def looks(worth: int) -> int:
    """Return how many looks a search takes that is worth so many, at least one."""
    return max(1, worth * HUNT // 2)


def budget(examples: int) -> Callable[[Test], Test]:
    """Mark a test of drawn examples as a hunt that is worth so many."""
    chosen = settings(settings.get_profile("hunt"), max_examples=looks(examples))

    def hunt(test: Test) -> Test:
        marked: Test = pytest.mark.hunt(chosen(test))
        return marked

    return hunt
