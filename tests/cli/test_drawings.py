"""``show --svg`` and ``--png``: a position as a picture."""

import subprocess
import sys
from pathlib import Path

import pytest

from cartulary.cli.commands import show
from tests.places import SAMPLES
from tests.records.archives import Run

PAGE = str(SAMPLES / "cardmate" / "games" / "page-1.cgn")
TABLE = str(SAMPLES / "tarot" / "games" / "dementlieu-open.cgn")


def test_a_position_is_drawn_to_standard_output_or_into_a_file(run: Run, tmp_path: Path) -> None:
    shown = run("show", PAGE, "--at", "20", "--svg").stdout
    assert shown.startswith("<svg ")
    assert "<title>Cardmate after ply 20</title>" in shown
    out = tmp_path / "page.svg"
    assert run("show", PAGE, "--at", "20", "--svg", "-o", str(out)).stdout == ""
    assert out.read_text("utf-8") == shown
    assert "--force" in run("show", PAGE, "--svg", "-o", str(out), code=2).stderr
    run("show", PAGE, "--svg", "-o", str(out), "--force")
    assert out.read_text("utf-8") != shown


def test_a_drawing_shows_a_seat_what_it_has_seen(run: Run) -> None:
    whole = run("show", TABLE, "--at", "34", "--svg").stdout
    seen = run("show", TABLE, "--at", "34", "--svg", "--seat", "p1").stdout
    assert whole.count('class="card p2') > 5
    assert seen.count('class="card p2') == 0
    assert 'class="back p2"' in seen


def test_a_png_is_made_of_it(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "page.png"
    run("show", PAGE, "--png", "-o", str(out))
    assert out.read_bytes().startswith(b"\x89PNG")
    assert len(out.read_bytes()) > 20_000


def test_what_cannot_be_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Use only one of --svg, --png and --json" in run("show", PAGE, "--svg", "--png", code=2).stderr
    assert "Use only one of --svg, --png and --json" in run("show", PAGE, "--svg", "--json", code=2).stderr
    assert "give a name such as board.svg or board.png" in run("show", PAGE, "-o", "x.txt", code=2).stderr
    assert "give a name such as board.svg or board.png" in run("show", PAGE, "--force", code=2).stderr
    monkeypatch.setattr(show, "terminal", lambda: True)
    assert "cannot be shown on a terminal" in run("show", PAGE, "--png", code=2).stderr
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    missing = run("show", PAGE, "--png", "-o", "x.png", code=2).stderr
    assert "cartulary[pictures]" in missing


def test_pixels_go_to_a_pipe_whole() -> None:
    words = [sys.executable, "-m", "cartulary.cli", "show", PAGE, "--png"]
    made = subprocess.run(words, capture_output=True, check=True).stdout
    assert made.startswith(b"\x89PNG")
    assert made.rstrip().endswith(b"IEND\xaeB`\x82")
