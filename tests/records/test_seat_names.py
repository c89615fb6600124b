"""A seat is a seat, however its name is written: nobody agrees with themselves, and nobody who is none agrees."""

import json
import re

import pytest

from cartulary.engine.numbers import seat_number
from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.events import MoveTakenBack
from tests.places import ROOT, SAMPLES
from tests.records.archives import Run

OWN = ("p1", "P1", "p01", "P01", "p001", "Ada", "ADA", " p1 ", "ada")
NOBODY = (
    "somebody",
    "p0",
    "p3",
    "p03",
    "p99",
    "rail",
    "scribe",
    "arbiter",
    "desk",
    "p",
    "1",
    "p-1",
    "p1.0",
    "p¹",
    "p１",
    "?",
)
OTHER = ("p2", "P2", "p02", "Bela", "bela", " p2")


@pytest.fixture
def table(store: api.Store) -> api.Store:
    api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
    api.play(store, "g", api.WordsRequest(("4Ci3", "4Db6")))
    return store


def taken_back(store: api.Store, agreed: str) -> api.UndoAnswer:
    """Take back both plies as p1, from a page of its own."""
    return api.take_back(store, "g", api.UndoRequest(2, by="p1", agreed=agreed), viewer=Seat(1), own=True)


@pytest.mark.parametrize("name", OWN)
def test_a_seat_does_not_agree_with_itself_by_another_name(table: api.Store, name: str) -> None:
    with pytest.raises(Declined, match="is taking the ply back, so another seat must agree"):
        taken_back(table, name)
    with pytest.raises(Declined, match="so another seat must agree"):
        api.take_back(table, "g", api.UndoRequest(1, by=name, agreed="p1"))
    assert api.load(table, "g").plies == 2


@pytest.mark.parametrize("name", NOBODY)
def test_nobody_who_has_no_seat_agrees_to_what_a_seat_takes_back(table: api.Store, name: str) -> None:
    with pytest.raises(Unfit, match="is not a seat of g that could agree; expected another seat, p1 or p2"):
        taken_back(table, name)
    assert api.load(table, "g").plies == 2


@pytest.mark.parametrize("name", OTHER)
def test_another_seat_agrees_by_its_number_or_by_the_name_of_its_player(table: api.Store, name: str) -> None:
    taken_back(table, name)
    assert api.load(table, "g").plies == 0
    event = api.log(table, "g")[-1].event
    assert isinstance(event, MoveTakenBack)
    assert event.agreed_by == ("p2" if name.strip()[0] in "pP" else name)


def test_whoever_writes_for_the_table_names_whom_they_asked(table: api.Store) -> None:
    api.take_back(table, "g", api.UndoRequest(1, by="scribe", agreed="the whole table"))
    assert api.load(table, "g").plies == 1
    with pytest.raises(Unfit, match="p9 is not a seat of g"):
        api.take_back(table, "g", api.UndoRequest(1, by="scribe", agreed="p9"))


def test_a_dispute_is_withdrawn_by_the_seat_that_raised_it_however_it_is_written(table: api.Store) -> None:
    number = api.dispute(table, "g", api.DisputeRequest(1, by="p02", claim="odd")).dispute.number
    assert api.load(table, "g").recorded[-1].event.by == "p2"
    with pytest.raises(Declined, match="was raised by p2, and p1 cannot withdraw it"):
        api.withdraw(table, "g", api.WithdrawRequest(number, by="P01"))
    api.withdraw(table, "g", api.WithdrawRequest(number, by="P2"))


def test_one_reader_reads_the_names_of_seats() -> None:
    read = {"p1": 1, "P1": 1, "p01": 1, "p12": 12, "p99": 99, "p100": 0, "p0": 0, "p": 0, "": 0, "rail": 0, "p1x": 0}
    assert {name: seat_number(name) for name in read} == read
    assert [seat_number(name) for name in ("p１", "p²", " p1", "p1\n", "p+1", "p1_0")] == [0] * 6


def test_who_writes_as_a_seat_by_another_spelling_is_told_what_that_seat_is(table: api.Store, run: Run) -> None:
    assert run("move", "g", "8Dj2", "--by", "p01").exit_code == 0
    assert api.log(table, "g")[-1].by == "p1"


@pytest.mark.parametrize("name", ["p1", "P1", "p01", " p1", "p1 ", "p1\u200b", "\u3000p1"])
def test_who_writes_as_a_seat_by_any_spelling_is_shown_what_that_seat_may_see(run: Run, name: str) -> None:
    assert run("import", str(SAMPLES / "tarot" / "games" / "fft-three.cgn")).exit_code == 0
    game = json.loads(run("list", "--json").stdout)["id"]
    refused = run("amend", game, "26", "Prise", "--dry-run", "--by", name, code=1)
    assert "A correction may rest on cards that p1 has not seen" in " ".join(refused.output.split())


def test_a_seat_nobody_is_named_for_is_not_called_by_what_stands_for_a_name(store: api.Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    api.play(store, "g", api.WordsRequest(("4Ci3", "4Db6")))
    with pytest.raises(Unfit, match=r"\? is not a seat of g"):
        taken_back(store, "?")
    taken_back(store, "p2")


def test_nobody_takes_a_ply_back_as_a_seat_without_a_seat_that_agreed(table: api.Store) -> None:
    for silent in ("", " "):
        with pytest.raises(Unfit, match="Say which other seat agreed"):
            taken_back(table, silent)


def test_the_pattern_of_a_seats_name_stands_in_one_file() -> None:
    layers = (ROOT / layer for layer in ("engine", "notation", "records", "web", "cli", "testing"))
    files = [path for layer in layers for path in layer.rglob("*.py")]
    assert len(files) > 300
    written = re.compile(r"""\bp\(?(\?:)?(\[[01]-9\]|\\d)|\[pP\]""")
    assert [path for path in files if written.search(path.read_text("utf-8"))] == [ROOT / "engine" / "numbers.py"]
