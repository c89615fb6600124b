"""CONTRIBUTING begins with what a stranger needs first, and a forge runs the one command that decides."""

import os
import re

from tests.places import ROOT

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_contributing_begins_with_clone_run_and_test_in_three_lines() -> None:
    first = re.split(r"\n\n+", CONTRIBUTING)[1]
    clone, run, test = first.split("\n")
    assert clone.strip().startswith("git clone ")
    assert "-m venv .venv" in run
    assert run.strip().endswith(".venv/bin/cartulary --help")
    assert ".venv/bin/python -m pytest" in test


def test_contributing_says_how_long_the_tests_take_how_a_bug_is_reported_and_what_a_first_change_is() -> None:
    beginning = CONTRIBUTING.partition("\n## A new game")[0]
    assert re.search(r"takes about \w+ (minutes|seconds)", beginning)
    assert "## Reporting a bug" in beginning
    assert "## A first small change" in beginning


def test_a_forge_runs_the_command_that_decides() -> None:
    [workflow] = (ROOT / ".github" / "workflows").glob("*.yml")
    text = workflow.read_text("utf-8")
    assert re.findall(r"^ +(?:- )?run: (.+)$", text, re.MULTILINE)[-1] == ".ci/run"
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
