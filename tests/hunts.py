"""How much a search by chance looks at: told to a test as it is to a law of the kit."""

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from cartulary.testing.game import HUNT as HUNT
from cartulary.testing.game import looks as looks

Test = TypeVar("Test", bound=Callable[..., Any])

settings.register_profile(
    "hunt", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


def budget(examples: int) -> Callable[[Test], Test]:
    """Mark a test of drawn examples as a hunt that is worth so many."""
    chosen = settings(settings.get_profile("hunt"), max_examples=looks(examples))

    def hunt(test: Test) -> Test:
        marked: Test = pytest.mark.hunt(chosen(test))
        return marked

    return hunt
