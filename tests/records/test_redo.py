"""Take-backs of the desk: plies are taken back to a ply, and what an undo took back is played again."""

from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.cli.scribe.scribe import Scribe
from cartulary.notation.viewer import EVERYTHING, viewer_of_seat
from cartulary.records import api
from cartulary.records.faults import Damaged, Declined, Unfit
from cartulary.records.log.chain import Head
from cartulary.records.log.events import MovesRedone
from cartulary.records.log.recorded import seal_events
from cartulary.records.log.store import Store
from cartulary.records.state.fold import fold
from cartulary.records.state.games import load
from tests.records.page_game import PAGE


def undo(store: Store, id: str, **more: Any) -> "api.UndoAnswer":
    return api.take_back(store, id, api.UndoRequest(**more))


def redo(store: Store, id: str, **more: Any) -> "api.RedoAnswer":
    return api.redo(store, id, api.RedoRequest(**more))


def is_as_folded_anew(store: Store, id: str) -> bool:
    """Say whether the stored game is the same if it is folded from its first event on."""
    now, anew = load(store, id), fold(id, store.stream(id))
    return (now.book, now.record, now.report, now.words) == (anew.book, anew.record, anew.report, anew.words)


def test_an_undo_goes_back_to_a_ply(store: Store, id: str) -> None:
    assert undo(store, id, to=18).words == PAGE[18:20]
    answer = undo(store, id, to=0)
    assert (answer.words, answer.plies) == (PAGE[:18], 0)
    with pytest.raises(Declined, match="No ply of g stands after ply 0: it has no plies"):
        undo(store, id, to=0)


@pytest.mark.parametrize(("to", "plies", "because"), [(20, 1, "from 0 to 19"), (-1, 1, "from 0 to 19"), (3, 2, "Give")])
def test_an_undo_goes_to_no_ply_that_is_not_there(store: Store, id: str, to: int, plies: int, because: str) -> None:
    with pytest.raises((Declined, Unfit), match=because):
        undo(store, id, to=to, plies=plies)
    assert load(store, id).plies == 20


def test_a_redo_puts_back_all_that_stood_beside_the_plies(store: Store, irregular: str) -> None:
    id = irregular
    api.dispute(store, id, api.DisputeRequest(21, by="p2", claim="the ten cannot jump"))
    ruled = api.rule(store, id, api.RulingRequest((21,), arbiter="C", decision="stands"))
    api.annotate(store, id, api.NoteRequest(20, "! bold"))
    api.set_clock(store, id, api.ClockRequest(20, "0:12:30"))
    api.dispute(store, id, api.DisputeRequest(20, by="p1", claim="too slow"))
    before = load(store, id)
    undo(store, id, plies=2, reason="wrong game")
    assert [entry.ply for entry in api.disputes_of(load(store, id))] == [0, 0]
    answer = redo(store, id, by="desk", reason="no, the right one")
    after = load(store, id)
    assert (answer.words, answer.plies) == (before.words[19:], 21)
    assert is_as_folded_anew(store, id)
    assert (after.words, after.report, after.book.disputes) == (before.words, before.report, before.book.disputes)
    assert after.book.rulings == before.book.rulings
    assert after.book.plies[20] == before.book.plies[20]
    assert ruled.ruling.number == after.book.plies[20].ruling
    kept = replace(after.book.plies[19], asides=before.book.plies[19].asides)
    assert kept == before.book.plies[19]
    assert after.book.plies[19].asides[-1] == '[%takeback 2 "wrong game"]'
    assert api.log(store, id)[-1].says == f"played 2 plies again that event {after.head.version - 1} took back: " + (
        "no, the right one"
    )


def test_a_ruling_revoked_in_the_meantime_does_not_let_the_ply_stand(store: Store, irregular: str) -> None:
    given = api.rule(store, irregular, api.RulingRequest(plies=(21,), arbiter="C", decision="stands"))
    assert load(store, irregular).report.verdict == "legal"
    undo(store, irregular)
    api.rule(store, irregular, api.RulingRequest(revokes=given.ruling.number, arbiter="C", decision="revoked"))
    redo(store, irregular)
    assert load(store, irregular).book.plies[20].ruling == 0
    assert load(store, irregular).report.verdict == "irregular"


def test_of_several_undos_the_last_is_reversed_first(store: Store, id: str) -> None:
    undo(store, id, plies=3)
    undo(store, id, to=10)
    assert redo(store, id).words == PAGE[10:17]
    assert redo(store, id).words == PAGE[17:20]
    with pytest.raises(Declined, match="no ply was taken back, or plies were written since"):
        redo(store, id)
    assert is_as_folded_anew(store, id)


@pytest.mark.parametrize(
    "write",
    [
        lambda store, id: api.play(store, id, api.WordsRequest((PAGE[18],))),
        lambda store, id: api.amend(store, id, api.AmendRequest(3, (), plies=2)),
    ],
)
def test_a_ply_written_since_ends_the_redo(store: Store, id: str, write: Any) -> None:
    undo(store, id, plies=2)
    write(store, id)
    with pytest.raises(Declined, match="plies were written since"):
        redo(store, id)


def test_what_changes_no_ply_does_not_end_the_redo(store: Store, id: str) -> None:
    undo(store, id, plies=2)
    api.change_tags(store, id, api.TagRequest({"Event": "Club"}))
    api.annotate(store, id, api.NoteRequest(4, "hm"))
    api.close(store, id, api.CloseRequest("1-0", termination="abandoned"))
    with pytest.raises(Declined, match="closed"):
        redo(store, id)
    api.reopen(store, id, api.ReopenRequest())
    assert redo(store, id).plies == 20


def test_a_repeated_redo_is_answered_and_not_written(store: Store, id: str) -> None:
    undo(store, id, plies=2, command="u")
    first = redo(store, id, command="r")
    assert redo(store, id, command="r") == first
    assert undo(store, id, to=18, command="v").plies == 18
    assert redo(store, id, command="r") == first
    assert load(store, id).plies == 18


def test_a_dry_redo_stores_nothing(store: Store, id: str) -> None:
    undo(store, id)
    version = load(store, id).head.version
    assert redo(store, id, dry=True).plies == 20
    assert load(store, id).head.version == version


def test_a_seat_needs_the_consent_of_another(store: Store, id: str) -> None:
    undo(store, id)
    for agreed, fault in (("", Unfit), ("Somebody", Unfit), ("p1", Declined)):
        with pytest.raises(fault):
            api.redo(store, id, api.RedoRequest(agreed=agreed, by="p1"), viewer_of_seat(1), own=True)
    api.redo(store, id, api.RedoRequest(agreed="p2", by="p1"), viewer_of_seat(1), own=True)
    assert api.log(store, id)[-1].says.endswith("took back, p2 agreed")


@pytest.mark.parametrize(("event", "plies"), [(3, 1), (None, 2)])
def test_an_event_that_plays_other_plies_again_is_refused(store: Store, id: str, event: int | None, plies: int) -> None:
    undo(store, id)
    game = load(store, id)
    number = event or game.head.version
    forged = MovesRedone(at="2026-11-27T20:00:00Z", event=number, plies=plies)
    head = Head(game.head.version, game.head.digest)
    with pytest.raises(Damaged, match="did not take back last"):
        fold(id, (*game.recorded, *seal_events(id, head, (forged,))))
    assert api.redo(store, id, api.RedoRequest(), EVERYTHING).plies == 20


def test_a_scribe_types_redo(store: Store, id: str) -> None:
    scribe = Scribe(store, id)
    assert scribe.enter("undo 2").done
    assert scribe.enter("redo agreed").remark == "Expected `redo` or `redo agreed p2`."
    assert scribe.enter("redo agreed p2").lines == (f"played {' '.join(PAGE[18:20])} again",)
    assert scribe.enter("redo").remark.startswith("Nothing can be played again")


def test_at_the_terminal(run: Any) -> None:
    id = run("new", "cardmate", "--variant", "predefined").stdout.strip()
    run("move", id, "4Ci3", "4Db6")
    assert run("undo", id, "--to", "1").stdout == f"{id}: took back 4Db6; 1 ply remains\n"
    assert run("redo", id).stdout == f"{id}: played 4Db6 again; 2 plies stand\n"
    assert "no ply was taken back" in run("redo", id, code=1).stderr
