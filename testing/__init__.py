"""The laws every game obeys, for any package to hold its own game to; pytest runs them.

from cartulary.testing import Laws

class TestMyGame(Laws):
    key, samples = "my-game", "../samples"
"""

import pytest

for _part in ("game", "rows", "goldens", "play", "hidden", "positions", "seen", "tags", "taps", "drawings"):
    pytest.register_assert_rewrite(f"cartulary.testing.{_part}")

from cartulary.testing.laws import Laws  # noqa: E402

__all__ = ["Laws"]
