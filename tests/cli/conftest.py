"""What tests of the command line begin with: a file in a folder of the test's own."""

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, str | bytes], str]
"""Writes a file into the test's folder and returns its path."""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, text: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write
