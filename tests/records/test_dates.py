"""Dates: one reading is stored as CGN has it, several are asked about, and what is stored is found."""

import sqlite3
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.records import api
from cartulary.records.dates import date_or_text, is_day, iso_date, read_date, readings
from cartulary.records.faults import Unfit
from cartulary.records.log.store import Store
from tests.records.archives import Run, sheet

ONE = [
    ("2026.11.22", "2026.11.22"),
    ("22.11.2026", "2026.11.22"),
    ("22. 11. 2026", "2026.11.22"),
    ("11/22/2026", "2026.11.22"),
    ("22/11/26", "2026.11.22"),
    ("2026-11-22", "2026.11.22"),
    ("2026/11/22", "2026.11.22"),
    ("2026-1-5", "2026.01.05"),
    ("20261122", "2026.11.22"),
    ("11.11.2026", "2026.11.11"),
    ("22 Nov 2026", "2026.11.22"),
    ("November 22nd, 2026", "2026.11.22"),
    ("22. november 2026", "2026.11.22"),
    ("Nov 2026", "2026.11.??"),
    ("2026", "2026.??.??"),
    ("2026.11", "2026.11.??"),
    ("2026-11", "2026.11.??"),
    ("2026.11.??", "2026.11.??"),
    ("2026.??.??", "2026.??.??"),
    ("????.??.??", "????.??.??"),
    ("????.11.22", "????.11.22"),
    ("29.2.2024", "2024.02.29"),
    (" 2026.11.22 ", "2026.11.22"),
    ("?", "?"),
    ("-", "-"),
]
SEVERAL = [
    ("11/12/26", ("2026.12.11", "2026.11.12")),
    ("11.12.2026", ("2026.12.11", "2026.11.12")),
    ("1-2-2026", ("2026.02.01", "2026.01.02")),
    ("26-11-22", ("2026.11.22", "2022.11.26")),
]
NONE = [
    "soon",
    "22.13.2026",
    "30.02.2026",
    "2026.13",
    "2026.11.31",
    "29.2.2023",
    "22.11.126",
    "2026-11/22",
    "0000.01.01",
]
NONE += ["22 Mon 2026", "11.2026.22", "２２.１１.２０２６", "22 Nov 3 2026", "1/2/3", "Ma 2026", "2026.1.?"]


@pytest.mark.parametrize(("typed", "stored"), ONE)
def test_a_date_with_one_reading_is_stored_as_cgn_has_it(typed: str, stored: str) -> None:
    assert read_date(typed) == stored
    assert read_date(stored) == stored


@pytest.mark.parametrize(("typed", "may_be"), SEVERAL)
def test_a_date_with_several_readings_is_refused_and_all_are_named(typed: str, may_be: tuple[str, ...]) -> None:
    with pytest.raises(Unfit, match=" or ".join(may_be)):
        read_date(typed)
    assert date_or_text(typed) == typed


@pytest.mark.parametrize("typed", NONE)
def test_what_is_no_date_is_refused(typed: str) -> None:
    with pytest.raises(Unfit, match="is not a date; expected one such as 2026"):
        read_date(typed)


def test_a_year_of_two_digits_has_begun() -> None:
    this = time.localtime().tm_year
    assert read_date(f"22/11/{this % 100:02}") == f"{this}.11.22"
    assert read_date(f"22/11/{(this + 1) % 100:02}") == f"{this - 99}.11.22"


@given(st.dates(), st.sampled_from(["%Y.%m.%d", "%Y-%m-%d", "%d %B %Y", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y"]))
def test_every_day_is_read_in_every_form_people_write_it_in(day: datetime, form: str) -> None:
    written = day.strftime(form.replace("%Y", f"{day.year:04}"))
    assert f"{day.year:04}.{day:%m.%d}" in readings(written)


@pytest.mark.parametrize(
    ("date", "iso"),
    [
        ("2026.11.22", "2026-11-22"),
        ("2026.11.??", "2026-11"),
        ("2026.??.??", "2026"),
        ("????.??.??", ""),
        ("????.11.22", ""),
        ("2026.??.22", "2026"),
        ("soon", ""),
        ("?", ""),
    ],
)
def test_a_date_is_told_in_iso_as_far_as_it_is_known(date: str, iso: str) -> None:
    assert iso_date(date) == iso


# --- where they are typed, found and published ---


def test_a_date_that_is_typed_is_found_again(run: Run) -> None:
    run("new", "cardmate", "--id", "a", "--tag", "Date=22.11.2026")
    run("new", "cardmate", "--id", "b")
    run("tag", "b", "Date=22 Nov 2026")
    for id in ("a", "b"):
        assert '[Date "2026.11.22"]' in run("export", id).stdout
    assert run("list", "--date", "2026.11.22").stdout.count("2026.11.22") == 2


@pytest.mark.parametrize("words", [("new", "cardmate", "--tag"), ("tag", "a")])
def test_a_date_with_two_readings_ends_with_two_and_is_not_stored(run: Run, words: tuple[str, ...]) -> None:
    run("new", "cardmate", "--id", "a")
    before = run("verify", "--all").stdout
    errors = run(*words, "Date=11/12/26", code=2).stderr
    assert errors == "cartulary: '11/12/26' may be 2026.12.11 or 2026.11.12; write the one you mean.\n"
    assert "'soon' is not a date" in run(*words, "Date=soon", code=2).stderr
    assert run("verify", "--all").stdout == before


def test_an_imported_sheet_keeps_its_date_and_is_found_by_it(run: Run, tmp_path: Path) -> None:
    for number, date in enumerate(("22.11.2026", "11/12/26")):
        (tmp_path / f"{number}.cgn").write_text(sheet(Date=date), "utf-8")
    run("import", str(tmp_path))
    output = run("list", "--date", "2026.11").stdout
    assert "  2026.11.22  " in output
    assert output.count("\n") == 1
    assert "11/12/26" in run("list").stdout
    assert '[Date "22.11.2026"]' in run("export", output.split()[0]).stdout


def test_a_published_database_has_iso_dates(run: Run, tmp_path: Path) -> None:
    for date in ("22.11.2026", "2026.11.??", "2026", "?"):
        run("new", "cardmate", "--tag", f"Date={date}")
    (tmp_path / "sheet.cgn").write_text(sheet(Date="11/12/26"), "utf-8")
    run("import", str(tmp_path / "sheet.cgn"))
    out = tmp_path / "club.db"
    run("export", "--all", "--format", "sqlite", "-o", str(out))
    with sqlite3.connect(out) as database:
        assert sorted(date for (date,) in database.execute("SELECT date FROM games")) == [
            "",
            "",
            "2026",
            "2026-11",
            "2026-11-22",
        ]
        tags = {value for (value,) in database.execute("SELECT value FROM tags WHERE name = 'Date'")}
    assert {"11/12/26", "2026.11.22"} <= tags


ZONES = ("EAST-14", "WEST+12")
"""The first and the last zone to reach a day: wherever UTC is in its own, one of them has another."""


@pytest.mark.parametrize("zone", ZONES)
def test_a_game_bears_the_day_of_where_it_is_played(
    run: Run, store: Store, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        before = time.strftime("%Y.%m.%d")
        run("new", "cardmate", "--id", "a")
        api.open_game(store, api.NewRequest("tarot", id="b"))
        after = time.strftime("%Y.%m.%d")
    finally:
        monkeypatch.undo()
        time.tzset()
    for id in ("a", "b"):
        assert before <= api.load(store, id).record.tag("Date") <= after
    opened = store.stream("a")[0].event.at
    assert datetime.now(UTC) - datetime.fromisoformat(opened) < timedelta(minutes=5)
    assert opened.endswith("Z")


def test_the_date_of_a_new_game_is_given_once(run: Run) -> None:
    run("new", "cardmate", "--id", "a", "--date", "26 Nov 2026")
    assert '[Date "2026.11.26"]' in run("export", "a").stdout
    twice = run("new", "cardmate", "--id", "b", "--date", "2026.11.26", "-t", "Date=2026.11.27", code=2).stderr
    assert "Give the date once" in twice
    assert "'soon' is not a date" in run("new", "cardmate", "--id", "b", "--date", "soon", code=2).stderr


@pytest.mark.parametrize("text", ["2026.11.22", "22.11.2026", "20261122", "29 Feb 2024"])
def test_a_day_of_the_calendar_is_a_day(text: str) -> None:
    assert is_day(text)


@pytest.mark.parametrize("text", ["", "?", "-", "garbage", "2026", "2026.11.??", "2026.02.30", "03/04/2026"])
def test_what_names_no_day_or_several_is_none(text: str) -> None:
    assert not is_day(text)
