"""Programs that tests run: those beyond Python some need, and ours in this process, where the process is not the point.

Without one beyond Python a test is skipped on a player's machine, never where all must run.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cartulary.cli.app import build


def program(*names: str, package: str) -> str:
    """Return the path of the first of these programs there is; without one the test is skipped, or fails in CI."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        because = f"this test needs {names[0]}: `apt-get install {package}`, or the like, brings it"
        if os.environ.get("CARTULARY_EVERY_TEST"):
            pytest.fail(because)
        pytest.skip(because)
    return found


def typed(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Result:
    """Return what came of a command line typed in a folder, run in this process: starting one takes longer than most.

    What ended in a fault of the program itself fails the test.
    """
    with chdir(folder):
        result = CliRunner().invoke(build(), list(words), env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    return result
