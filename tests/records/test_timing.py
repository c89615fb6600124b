"""Clock times: written and corrected behind any ply, told everywhere, and kept as they were in the log."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from cartulary.notation import dumps, loads
from cartulary.records import api
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from cartulary.records.state.times import time_corrections
from tests.cli import scribe_tables
from tests.places import SAMPLES

Run = Callable[..., Result]


@pytest.fixture
def id(store: Store) -> str:
    """Give a game whose third ply was written with the wrong time."""
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    for word, left in (("4Ci3", "0:30:00"), ("4Db6", "0:29:00"), ("8Dj2", "0:21:30")):
        api.play(store, "evening", api.WordsRequest((word,), clock=left))
    return "evening"


@pytest.fixture
def run(store: Store, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("CARTULARY_DB", str(store.path))

    def typed(*words: str, code: int = 0) -> Result:
        result = CliRunner().invoke(build(), list(words))
        assert result.exit_code == code, f"{result.stdout}\n{result.stderr}\n{result.exception!r}"
        return result

    return typed


def test_a_time_is_corrected_and_told_everywhere(run: Run, id: str, tmp_path: Path) -> None:
    reason = ("--by", "arbiter", "--reason", "read off the wrong clock")
    assert run("clock", id, "3", "0:12:30", *reason).stdout == "evening: ply 3: 0:12:30 left, was 0:21:30\n"
    text = "time 6 on ply 3, 8Dj2: 0:12:30, was 0:21:30, by arbiter: read off the wrong clock"
    shown = run("show", id).stdout
    assert "time left: Ada 0:12:30, Bela 0:29:00\n" in shown
    assert text in shown
    assert "time left: Ada 0:30:00, Bela 0:29:00\n" in run("show", id, "--at", "2").stdout
    assert text not in run("show", id, "--at", "2").stdout
    fields = json.loads(run("show", id, "--json").stdout)
    assert fields["clocks"] == {"p1": "0:12:30", "p2": "0:29:00"}
    assert fields["times"][0]["was"] == "0:21:30"
    assert f"time    {text[5:]}" in run("why", id, "3").stdout
    assert text in run("replay", id).stdout
    assert "0:12:30 left after event 5: read off the wrong clock" in run("log", id).stdout
    sheet = run("export", id, "--format", "html").stdout
    assert "<dt>ply 3, 8Dj2</dt><dd>0:12:30, was 0:21:30 by arbiter: read off the wrong clock</dd>" in sheet
    assert "[%clk 0:12:30]" in run("export", id).stdout
    assert "0:21:30" not in run("export", id).stdout
    logged = " ".join(run("export", id, "--log").stdout.split())
    assert '[%clock 3 "0:21:30" by=arbiter "read off the wrong clock"]' in logged
    assert dumps(*loads(logged)) == dumps(*loads(dumps(*loads(logged))))
    assert run("check", id).stdout == "evening#1: 0 open questions, 0 breaches\n"


def test_an_archive_and_a_database_with_corrected_times_come_back(run: Run, id: str, tmp_path: Path) -> None:
    run("clock", id, "3", "0:12:30")
    run("clock", id, "1", "0:29:30")
    elsewhere = ("--db", str(tmp_path / "elsewhere.db"))
    archive, published = tmp_path / "evening.json", tmp_path / "evening.sqlite"
    run("export", id, "--format", "json", "--log", "-o", str(archive))
    run("export", "--all", "--format", "sqlite", "-o", str(published))
    run("verify", str(archive))
    for path in (archive, published):
        run("import", str(path), *elsewhere)
        assert run("log", id, *elsewhere).stdout == run("log", id).stdout
    assert run("revalidate").exit_code == 0
    run("verify", "--all")
    assert run("export", id, "--log", *elsewhere).stdout == run("export", id, "--log").stdout


def test_the_time_of_an_imported_sheet_is_corrected_and_its_words_stay(store: Store, run: Run) -> None:
    [taken] = api.import_records(store, loads('[Game "Cardmate"]\n\n1. 4Ci3! {[%clk 0:30:00] quick} (1. 9Cb1) 4Db6 *'))
    answer = api.set_clock(store, taken.id, api.ClockRequest(1, "0:28:00"))
    assert (answer.ply, answer.clock, answer.before) == (1, "0:28:00", "0:30:00")
    text = " ".join(dumps(api.export_cgn(store, taken.id)).split())
    assert "1. 4Ci3! {[%clk 0:28:00]} {quick} (1. 9Cb1)" in text
    assert api.set_clock(store, taken.id, api.ClockRequest(2, "0:29:00")).before == ""
    assert [one.ply for one in time_corrections(load(store, taken.id))] == [1]


def test_a_time_stays_with_its_ply(store: Store, id: str) -> None:
    api.set_clock(store, id, api.ClockRequest(1, "0:29:30", by="p1", command="k"))
    assert api.set_clock(store, id, api.ClockRequest(1, "0:29:30", by="p1", command="k")).before == "0:30:00"
    with pytest.raises(Declined, match="another request"):
        api.set_clock(store, id, api.ClockRequest(1, "0:29:31", by="p1", command="k"))
    api.amend(store, id, api.AmendRequest(1, ("3Cd3",)))
    [time] = time_corrections(load(store, id))
    assert (time.ply, time.word, time.time_left, time.was) == (1, "3Cd3", "0:29:30", "0:30:00")
    api.take_back(store, id, api.UndoRequest(3))
    assert time_corrections(load(store, id)) == ()
    assert "0:29:30" not in dumps(api.export_cgn(store, id))


def test_what_is_no_time_or_no_ply_is_declined(store: Store, id: str) -> None:
    for time in ("soon", "0:99:00", "", "\u0661:00:00"):
        with pytest.raises(Unfit, match="is not a time" if time else "No time is given; expected hours"):
            api.set_clock(store, id, api.ClockRequest(1, time))
    for ply in (0, 4):
        with pytest.raises(Declined, match=f"no ply {ply} in evening"):
            api.set_clock(store, id, api.ClockRequest(ply, "0:10:00"))
    with pytest.raises(Unfit, match="only the program writes"):
        api.annotate(store, id, api.NoteRequest(1, '[%clock 1 "0:30:00"]'))


def test_a_seat_reads_the_times_and_no_reason(store: Store, run: Run) -> None:
    scribe_tables.lay_out(store, SAMPLES / "tarot" / "games" / "table-revoke.cgn", "deal", 14)
    api.set_clock(store, "deal", api.ClockRequest(14, "0:10:00"))
    api.set_clock(store, "deal", api.ClockRequest(14, "0:09:00", reason="Carl blinked"))
    for words in (("show", "deal"), ("log", "deal"), ("why", "deal", "14"), ("export", "deal", "--format", "html")):
        output = run(*words, "--seat", "p1").stdout
        assert "0:09:00" in output
        assert "blinked" not in output
