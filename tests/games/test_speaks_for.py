"""Who says the words of another seat, as declarer does for dummy, may write them, and is told what they may be."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.engine.play import speakers
from cartulary.notation import GAMES, loads
from cartulary.notation.viewer import Seat, viewer_of_seat
from cartulary.records import api
from cartulary.records.faults import Declined, Unfit, Unread
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from cartulary.records.table.at_table import judged_offers, read_view
from tests.games.dummy import DUMMY, Held
from tests.records.archives import Run

SHEET = '[Game "Dummy"]\n\np0/c1234 c1 c2 *\n'


@pytest.fixture
def store(db: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Give a record in which p3, the dummy, is to play."""
    monkeypatch.setitem(GAMES, "dummy", DUMMY)
    with Store(db) as store:
        api.open_game(store, api.NewRequest("dummy", id="g", players=("Ada", "Bela", "Cem", "Dora")))
        api.play(store, "g", api.WordsRequest(("p0/c1234", "c1", "c2")))
        yield store


def test_the_seats_that_may_say_a_word_are_told_once() -> None:
    assert [speakers(DUMMY, Held(("1", "2", "3", "4"), played)) for played in range(5)] == [(1,), (2,), (1,), (4,), ()]


@pytest.mark.parametrize("seat", [2, 4])
def test_nobody_else_writes_them(store: Store, seat: int) -> None:
    with pytest.raises(Declined, match=f"it accepts words of p{seat} only"):
        api.play(store, "g", api.WordsRequest(("c3",)), viewer=viewer_of_seat(seat))
    assert load(store, "g").plies == 3


@pytest.mark.parametrize("seat", [1, 3])
def test_who_speaks_for_a_seat_writes_its_words(store: Store, run: Run, seat: int) -> None:
    assert "legal" in run("move", "g", "p3/c3", "--by", f"p{seat}").stdout
    assert load(store, "g").words[-1] == "c3"
    with pytest.raises(Declined, match=f"it accepts words of p{seat} only"):
        api.play(store, "g", api.WordsRequest(("c4",)), viewer=viewer_of_seat(seat))


def test_it_is_told_what_may_be_said(store: Store, run: Run) -> None:
    assert run("moves", "g", "--seat", "p1").stdout == "c3\n"
    assert run("moves", "g", "--seat", "p2").stdout == "; no move is listed: it is for p3 to move, not for p2\n"
    assert [offer.word for offer in judged_offers(read_view(store, "g", Seat(1)))] == ["c3"]
    assert judged_offers(read_view(store, "g", Seat(2))) == ()
    with pytest.raises(Unread, match="did you mean c3"):
        api.typed_words(load(store, "g"), "cc3", Seat(1))
    with pytest.raises(Unread, match=r"^(?!.*did you mean)"):
        api.typed_words(load(store, "g"), "cc3", Seat(2))


def test_a_position_is_found_as_it_was_known_to_who_spoke(store: Store) -> None:
    [record] = loads(SHEET)
    [hit] = api.find_position(store, record, viewer=Seat(1))[0]
    assert (hit.game.id, hit.ply) == ("g", 3)
    with pytest.raises(Unfit, match="In this position p1 may move, and p2 may not"):
        api.find_position(store, record, viewer=Seat(2))
