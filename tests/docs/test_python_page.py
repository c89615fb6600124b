"""docs/python.md keeps its word: its blocks are one program, and each prints what stands under it."""

import re
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from tests.places import DOCS, SAMPLES

PAGE = (DOCS / "python.md").read_text("utf-8")
BLOCK = re.compile(r"```python\n(.*?)```\n```text\n(.*?)```", re.DOTALL)


def test_the_program_prints_what_the_page_shows(tmp_path: Path) -> None:
    (tmp_path / "samples").symlink_to(SAMPLES)
    names: dict[str, Any] = {}
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) == PAGE.count("```python\n") >= 6
    with chdir(tmp_path):
        for code, shown in blocks:
            answer = StringIO()
            with redirect_stdout(answer):
                exec(compile(code, "docs/python.md", "exec"), names)
            assert answer.getvalue() == shown


def test_the_program_asks_of_records_through_the_api_alone() -> None:
    taken = set(re.findall(r"from (cartulary\.records\S*) import (.*)", PAGE))
    assert taken == {("cartulary.records", "api"), ("cartulary.records.faults", "Conflict")}
