"""A set-up that is corrected: variant, dealer and options, where no ply contradicts."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from cartulary.notation import dumps, examine, loads
from cartulary.notation.viewer import viewer_of_seat
from cartulary.records import api
from cartulary.records.exchange.archive import read_archive
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.store import Store
from tests.records.archives import Run


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        api.open_game(opened, api.NewRequest("tarot", id="t", players=("Ann", "Bea", "Cem", "Dee")))
        yield opened


def correct(store: Store, tags: dict[str, str], **more: Any) -> Any:
    return api.change_tags(store, "t", api.TagRequest(tags, **more))


def test_variant_and_dealer_are_corrected_and_every_ply_is_judged_again(store: Store) -> None:
    api.play(store, "t", api.WordsRequest(("Pass", "Pass")))
    answer = correct(store, {"Variant": "fft", "dealer": "p2", "Event": "Club"})
    assert answer.changes == (("Variant", "dementlieu", "fft"), ("Dealer", "", "p2"))
    game = api.load(store, "t")
    assert game.examined.heading.variant == "fft"
    assert [step.move.seat for step in game.examined.steps] == [3, 4]
    assert dict(game.book.tags)["Event"] == "Club"


def test_the_correction_is_on_the_sheet_and_in_the_archive(store: Store, tmp_path: Path) -> None:
    api.play(store, "t", api.WordsRequest(("Pass",)))
    correct(store, {"Dealer": "p3"}, reason="the deck had been passed on")
    here = api.load(store, "t")
    [sheet] = loads(dumps(api.export_cgn(store, "t")))
    assert sheet.tag("Dealer") == "p3"
    assert [step.move.seat for step in examine(sheet).steps] == [4]
    archive = msgspec.json.encode(api.export_json(store, "t", log=True))
    with Store(tmp_path / "elsewhere.db", create=True) as elsewhere:
        api.take_in(elsewhere, read_archive(archive))
        there = api.load(elsewhere, "t")
    assert (there.record, there.head) == (here.record, here.head)
    assert api.log(store, "t")[-1].says == 'set-up: Dealer "p3": the deck had been passed on'


def test_a_ply_that_contradicts_the_new_set_up_is_named_and_nothing_is_stored(store: Store) -> None:
    api.play(store, "t", api.WordsRequest(("Pass", "Garde=5")))
    before = api.load(store, "t").head
    with pytest.raises(Declined, match=r"Ply 2 of t, Garde=5, contradicts this set-up \(.*with `amend`"):
        correct(store, {"Variant": "fft"})
    assert api.load(store, "t").head == before


@pytest.mark.parametrize(
    ("tags", "because"),
    [
        ({"Dealer": "p9"}, "expected a seat p1 to p4"),
        ({"Variant": "zz"}, "expected one of: dementlieu, fft"),
        ({"Options": "foo=1"}, "found the option"),
    ],
)
def test_tags_that_set_up_no_game_are_refused(store: Store, tags: dict[str, str], because: str) -> None:
    with pytest.raises(Unfit, match=because):
        correct(store, tags)


def test_what_changes_nothing_a_closed_game_and_a_seat_are_refused(store: Store) -> None:
    with pytest.raises(Declined, match="nothing would change"):
        correct(store, {"Variant": "Dementlieu"})
    with pytest.raises(Declined, match="not by a seat"):
        api.change_tags(store, "t", api.TagRequest({"Dealer": "p2"}), viewer_of_seat(1))
    api.close(store, "t", api.CloseRequest("1-0-0-0", termination="adjudication"))
    with pytest.raises(Declined, match="closed"):
        correct(store, {"Dealer": "p2"})


def test_a_repeated_correction_is_stored_once(store: Store) -> None:
    first, again = (correct(store, {"Dealer": "p2"}, command="x") for _ in range(2))
    assert first == again
    assert api.load(store, "t").head.version == 3


def test_the_terminal_shows_old_and_new(run: Run) -> None:
    run("new", "tarot", "--id", "t", "-p", "Ann", "-p", "Bea", "-p", "Cem", "-p", "Dee")
    assert 't: Variant "fft", was "dementlieu"' in run("tag", "t", "variant=FFT").stdout
    assert "Dealer p9: found the dealer 'p9'" in run("tag", "t", "Dealer=p9", code=2).stderr
