"""A date in the future is remarked on, and taken all the same; the event of a new game."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from cartulary.records.dates import future_date
from tests.cli.test_live import Run
from tests.cli.test_live import run as run

TODAY = datetime.now().astimezone()
NEXT = str(TODAY.year + 2)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        (f"{NEXT}-01-31", f"{NEXT}-01-31"),
        (f"31.1.{NEXT}", f"{NEXT}-01-31"),
        (NEXT, NEXT),
        (f"{NEXT}.02.??", f"{NEXT}-02"),
        (TODAY.strftime("%Y.%m.%d"), ""),
        (TODAY.strftime("%Y.%m.??"), ""),
        (TODAY.strftime("%Y"), ""),
        ((TODAY - timedelta(1)).strftime("%Y-%m-%d"), ""),
        ("2019-01-01", ""),
        ("????.??.??", ""),
        ("-", ""),
        ("soon", ""),
        ("", ""),
    ],
)
def test_only_what_is_after_today_is_in_the_future(text: str, day: str) -> None:
    assert future_date(text) == day


def test_every_door_remarks_on_a_date_in_the_future_and_takes_it(run: Run, tmp_path: Path) -> None:
    said = f"cartulary: {NEXT}-01-31 is in the future.\n"
    players = ("-p", "Ann=10", "-p", "Bea=7")
    assert run("result", "Catan", *players, "--date", f"31.1.{NEXT}", "--id", "r").stderr == said
    assert run("result", "Catan", *players, "--date", "2020-01-31").stderr == ""
    assert said in run("new", "chess", "--date", f"{NEXT}-01-31", "--id", "n").stderr
    assert said in run("new", "chess", "-t", f"Date={NEXT}-01-31").stderr
    assert run("tag", "n", f"Date={NEXT}-01-31", "Round=2").stderr == said
    table = tmp_path / "table.csv"
    table.write_text(
        f"game,date,player,points\nLudo,{NEXT}-01-31,Ann,1\nLudo,{NEXT}-01-31,Bea,2\nLudo,2020-01-31,Ann,1\n"
    )
    assert run("csv", "in", str(table)).stderr == said + "cartulary: 2 games: 2 new.\n"
    assert run("list", "--date", NEXT).stdout.count("\n") >= 4


def test_a_new_game_has_its_event(run: Run) -> None:
    run("new", "chess", "--id", "n", "--event", "Evening 1")
    assert '[Event "Evening 1"]' in run("export", "n").stdout
    refused = run("new", "chess", "--event", "a", "-t", "Event=b", code=2)
    assert "Give the event once, with --event or with -t Event=…" in refused.stderr
