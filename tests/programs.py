"""Programs beyond Python that some tests need: skipped without them on a player's machine, never where all must run."""

import os
import shutil

import pytest


def program(*names: str, package: str) -> str:
    """Return the path of the first of these programs there is; without one the test is skipped, or fails in CI."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        because = f"this test needs {names[0]}: `apt-get install {package}`, or the like, brings it"
        if os.environ.get("CARTULARY_EVERY_TEST"):
            pytest.fail(because)
        pytest.skip(because)
    return found
