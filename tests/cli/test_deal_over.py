"""A deal is over: what it came to is said as soon as it is, and wherever somebody looks for it.

The expected sums are those that the comments of the samples count by hand.
"""

import json
import re
from pathlib import Path

import pytest

from cartulary.notation.arbiter.files import loads
from cartulary.notation.seat_names import name_seats
from tests.places import SAMPLES
from tests.records.archives import Run

GAMES = SAMPLES / "tarot" / "games"
OPEN = (
    "p3 has 42½ points with 1 bout and needs 51: contract missed by 8½; stake -5 × 2 = -10; each of 3 defenders +10, "
    "p3 -30; the pot of 7 to p3"
)
FIVE = (
    "p4 and p1 have 65½ points with 2 bouts and need 41: contract made by 24½; (25 + 25) × 2 = +100; "
    "petit au bout 10 × 2 = +20; poignée +20; each of 3 defenders -140, p4 +280 and p1 +140"
)
REVOKE = (
    "p2 has 32 points with 1 bout and needs 51: contract missed by 19; -(25 + 19) × 2 = -88; each of 3 defenders +88, "
    "p2 -264"
)
THREE = (
    "p1 has 36½ points with 2 bouts and needs 41: contract missed by 4½; -(25 + 5) × 4 = -120; "
    "each of 2 defenders +120, p1 -240"
)
"""A defender wins the last trick."""


def words_of(path: Path) -> str:
    return " ".join(loads(path.read_text("utf-8"))[0].line.words)


def test_the_last_card_is_answered_with_what_the_deal_came_to(run: Run) -> None:
    run("new", "tarot", "--id", "e")
    words, _, last = words_of(GAMES / "dementlieu-open.cgn").rpartition(" ")
    assert "deal over" not in run("record", "e", lines=words).stdout
    assert run("record", "e", lines=last).stdout == f"ply 108, T18: legal\n  deal over: {OPEN}\n"
    assert run("record", "e", lines="Pass Pass Pass Pass").stdout == (
        "plies 109–112, Pass Pass Pass Pass: legal\n  deal over: all passed, so nobody wins or loses\n"
    )
    assert "  deal over: the deal is void\n" in run("record", "e", lines="Maldonne").stdout


def test_a_quiet_record_says_nothing_of_a_deal_that_is_over(run: Run) -> None:
    run("new", "tarot", "--id", "e")
    output = run("record", "e", "--quiet", lines=words_of(GAMES / "dementlieu-open.cgn")).stdout
    assert "written" in output
    assert "deal over" not in output


@pytest.mark.parametrize(
    ("name", "ply", "came"),
    [("dementlieu-open", 108, OPEN), ("fft-five", 90, FIVE), ("table-revoke", 78, REVOKE), ("fft-three", 99, THREE)],
)
def test_why_and_the_score_sheet_say_the_same(run: Run, tmp_path: Path, name: str, ply: int, came: str) -> None:
    file, sheet = GAMES / f"{name}.cgn", tmp_path / "sheet.html"
    assert f"    deal    {came}\n" in run("why", str(file), str(ply)).stdout
    assert "    deal " not in run("why", str(file), str(ply - 1)).stdout
    assert "over" not in json.loads(run("why", str(file), str(ply), "--json").stdout)
    run("export", str(file), "-o", str(sheet))
    [record] = loads(file.read_text("utf-8"))
    names = [record.tag(f"Seat{seat}") or "?" for seat in range(1, 6)]
    assert sheet.read_text("utf-8").count(name_seats(came, names)) == 1


@pytest.mark.parametrize(("name", "ply"), [("dementlieu-open", 108), ("fft-five", 90)])
def test_a_replay_says_what_a_deal_came_to_at_its_last_ply(run: Run, name: str, ply: int) -> None:
    text = run("export", str(GAMES / f"{name}.cgn"), "--format", "replay").stdout
    assert text.count("<p><b>Deal</b> ") == 1
    [frame, inside] = re.findall(
        r'<div class="said" data-frame="(\d+)" hidden>((?:(?!</div>).)*<b>Deal</b>.*?)</div>', text
    )[0]
    assert int(frame) == ply
    assert "points with" in inside
    shown = run("show", str(GAMES / f"{name}.cgn"), "--svg").stdout
    assert ">last trick<" in shown
    assert ">last trick<" not in run("show", str(GAMES / f"{name}.cgn"), "--at", str(ply - 1), "--svg").stdout


def test_deal_shows_the_deal_just_played_and_not_the_next_one(run: Run) -> None:
    file = str(GAMES / "dementlieu-open.cgn")
    over, where, *cards = run("deal", file).stdout.splitlines()
    assert over == f"; deal over: {OPEN}"
    assert where == "; these are the cards before ply 108, with which the deal ended; --at takes any other ply"
    assert "\n".join(cards) + "\n" == run("deal", file, "--at", "107").stdout
    assert len(run("deal", file, "--at", "108").stdout) > 300
    assert run("deal", file, "--json").stdout == run("deal", file, "--at", "108", "--json").stdout


def test_the_pot_stands_beside_the_score_once_there_is_one(run: Run) -> None:
    file = str(GAMES / "dementlieu-open.cgn")
    score = "score  North, Ada 10  West, Bela 10  South, Carl -30  East, Dora 10"
    pot = "pot    North, Ada -2  West, Bela 0  South, Carl 2  East, Dora 0"
    assert f"\n{score}\n{pot}\n" in run("show", file).stdout
    assert "\npot " not in run("show", file, "--at", "107").stdout
    assert "\npot " not in run("show", str(GAMES / "fft-five.cgn")).stdout
    assert ">pot    p1 -2  p2 0  p3 2  p4 0<" in run("show", file, "--svg").stdout
