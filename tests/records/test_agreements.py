"""Signing off: which seat agreed with which record, and what becomes of that when more is written."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.notation.viewer import Seat, viewer_of_seat
from cartulary.records import api
from cartulary.records.faults import Conflict, Declined, Unfit
from cartulary.records.log.chain import Head
from cartulary.records.log.events import RecordAgreed
from cartulary.records.log.proof import prove
from cartulary.records.log.recorded import seal_events
from cartulary.records.state.agreements import agreements_of
from tests.records.archives import Run

DECKS = {"Deck1": "2W 3W 4W 5W 6W 7W 8W 9W XW JW NW QW KW KD T12 T22", "Deck2": "~x16"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[api.Store]:
    with api.Store(tmp_path / "games.db") as opened:
        api.open_game(opened, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
        api.play(opened, "g", api.WordsRequest(("4Ci3", "4Db6")))
        api.close(opened, "g", api.CloseRequest("1-0", termination="resignation"))
        yield opened


def agreed(store: api.Store, seat: int | None = None) -> list[tuple[int, int, str, int]]:
    found = agreements_of(api.load(store, "g"), viewer_of_seat(seat))
    return [(each.seat, each.number, each.head, each.since) for each in found]


def test_a_seat_agrees_with_the_head_it_has_seen(store: api.Store) -> None:
    before = api.load(store, "g").head
    answer = api.agree(store, "g", api.AgreeRequest(expected=before.version), Seat(2))
    assert [(each.seat, each.number, each.head) for each in answer.agreements] == [(2, 6, str(before))]
    then = api.load(store, "g").head
    api.agree(store, "g", api.AgreeRequest(expected=before.version), Seat(1))
    assert agreed(store) == [(1, 7, str(then), 0), (2, 6, str(before), 0)]
    assert [line.says for line in api.log(store, "g")[-2:]] == [
        f"p2 agreed with this record, head {before}",
        f"p1 agreed with this record, head {then}",
    ]
    assert {line.by for line in api.log(store, "g")[-2:]} == {"p1", "p2"}


def test_whatever_else_is_written_is_after_every_agreement(store: api.Store) -> None:
    api.agree(store, "g", api.AgreeRequest(), Seat(1))
    api.annotate(store, "g", api.NoteRequest(1, comment="bold"))
    api.agree(store, "g", api.AgreeRequest(), Seat(2))
    assert [(each[0], each[3]) for each in agreed(store)] == [(1, 7), (2, 0)]
    api.reopen(store, "g", api.ReopenRequest())
    assert [(each[0], each[3]) for each in agreed(store)] == [(1, 7), (2, 9)]
    api.close(store, "g", api.CloseRequest("0-1", termination="resignation"))
    api.agree(store, "g", api.AgreeRequest(), Seat(1))
    assert [(each[0], each[3]) for each in agreed(store)] == [(1, 0), (2, 9)]
    assert "agreed by p1" in api.read_view(store, "g").turn


def test_a_seat_that_has_not_seen_a_change_does_not_agree_with_it(store: api.Store) -> None:
    seen = api.load(store, "g").head.version
    api.dispute(store, "g", api.DisputeRequest(1, by="p2", claim="not what I played"))
    for wrong in (seen, seen + 5):
        with pytest.raises(Conflict):
            api.agree(store, "g", api.AgreeRequest(expected=wrong), Seat(1))
    assert agreed(store) == []


@pytest.mark.parametrize(
    ("seat", "fault", "says"),
    [(3, Unfit, "p3 is not a seat of g"), (0, Unfit, "Only a seat"), (-1, Unfit, "Only a seat")],
)
def test_who_does_not_play_agrees_with_nothing(store: api.Store, seat: int, fault: type[Exception], says: str) -> None:
    with pytest.raises(fault, match=says):
        api.agree(store, "g", api.AgreeRequest(), viewer_of_seat(seat))


def test_a_record_is_agreed_with_when_it_is_closed_and_once(store: api.Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="open"))
    with pytest.raises(Declined, match="open is not closed"):
        api.agree(store, "open", api.AgreeRequest(), Seat(1))
    first = api.agree(store, "g", api.AgreeRequest(command="c"), Seat(1))
    assert api.agree(store, "g", api.AgreeRequest(command="c"), Seat(1)) == first
    with pytest.raises(Declined, match="p1 has already agreed with g as it is now"):
        api.agree(store, "g", api.AgreeRequest(), Seat(1))
    with pytest.raises(Declined, match="was already used for another request"):
        api.agree(store, "g", api.AgreeRequest(command="c"), Seat(2))
    assert len(agreed(store)) == 1


def test_a_head_that_is_not_the_one_before_is_found(store: api.Store) -> None:
    game = api.load(store, "g")
    for head, fault in ((str(game.head), ""), (str(Head(5, "0" * 64)), "agrees with a record other")):
        forged = seal_events("g", game.head, (RecordAgreed(at="2026-03-14T10:00:00Z", by="p1", seat=1, head=head),))
        proof = prove("g", (*game.recorded, *forged), None)
        assert (fault in proof.fault, bool(proof.fault)) == (True, bool(fault))


def test_a_seat_with_hidden_cards_is_told_of_agreements_and_of_no_head(store: api.Store, run: Run) -> None:
    api.open_game(store, api.NewRequest("tarot-duel", id="h", tags=DECKS, players=("Ada", "Bela")))
    api.close(store, "h", api.CloseRequest("1-0", termination="resignation"))
    api.agree(store, "h", api.AgreeRequest(), Seat(1))
    game = api.load(store, "h")
    assert agreements_of(game)[0].head
    assert [each.head for each in agreements_of(game, Seat(2))] == [""]
    [*_, line] = run("log", "h", "--seat", "p2", "--json").stdout.splitlines()
    assert '"head":""' in line
    assert game.recorded[-2].digest not in line


def test_the_sheet_prints_who_agreed(store: api.Store, run: Run) -> None:
    assert run("agree", "g", "--seat", "p1").stdout == "g: agreed by p1\n"
    assert "Say which seat agrees" in run("agree", "g", code=2).stderr
    head = agreements_of(api.load(store, "g"))[0].head
    page = api.html((api.score_sheet(store, "g"),)).decode()
    assert f"Head of the log then: {head}." in page
    api.annotate(store, "g", api.NoteRequest(1, comment="bold"))
    assert "Event 7 was written after that." in api.html((api.score_sheet(store, "g"),)).decode()
    assert run("verify", "g").stdout.startswith("g: ")


def test_an_archive_keeps_agreements(store: api.Store, run: Run, tmp_path: Path) -> None:
    api.agree(store, "g", api.AgreeRequest(), Seat(2))
    run("export", "g", "--format", "json", "--log", "-o", str(tmp_path / "g.json"))
    with api.Store(tmp_path / "other.db") as other:
        api.take_in(other, api.read_archive((tmp_path / "g.json").read_bytes()))
        assert agreements_of(api.load(other, "g")) == agreements_of(api.load(store, "g"))
