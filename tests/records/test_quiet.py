"""Quiet records: what is stored, who is told what, and how the quiet ends."""

import pytest

from cartulary.notation.viewer import Everything, Seat, Viewer
from cartulary.records import api
from cartulary.records.faults import Declined, Unfit, Unread
from cartulary.records.log.events import MovePlayed, RecordRevealed
from cartulary.records.log.store import Store
from cartulary.records.log.topics import decode, encode
from cartulary.records.state.games import load

BROKEN = "9Hc5"
"""A word that breaks ``cardmate.path`` behind the four of ``begun``."""


def begun(store: Store, quiet: bool = True) -> str:
    id = api.open_game(store, api.NewRequest("cardmate", tags={"Forehand": "Ada", "Rearhand": "Bela"})).id
    api.play(store, id, api.WordsRequest(("4Ci3", "4Db6", "8Dj2", "8Ca7")), viewer=Everything(quiet=quiet))
    return id


def is_quiet(store: Store, id: str) -> bool:
    return load(store, id).book.quiet


def test_a_possible_word_is_stored_and_let_stand_and_only_the_record_says_that_it_broke_a_rule(store: Store) -> None:
    id = begun(store)
    [answer] = api.play(store, id, api.WordsRequest((BROKEN,)), viewer=Everything(quiet=True))
    assert (answer.verdict, answer.findings, answer.stored, answer.blocks) == ("quiet", (), True, False)
    event = load(store, id).recorded[-1].event
    assert isinstance(event, MovePlayed)
    assert (event.quiet, event.stands, [found.key for found in event.findings]) == (True, True, ["cardmate.path"])
    assert [found.key for found in load(store, id).report.findings] == ["cardmate.path"]


def test_an_impossible_word_is_declined_and_only_spelling_gives_a_reason(store: Store) -> None:
    open_ = api.open_game(store, api.NewRequest("draughts")).id
    with pytest.raises(Declined) as caught:
        api.play(store, open_, api.WordsRequest(("11-15", "18-22")), viewer=Everything(quiet=True))
    assert str(caught.value) == "18-22 cannot be played as written."
    assert load(store, open_).plies == 0
    id = begun(store)
    before = load(store, id).head
    with pytest.raises(Unread, match="expected a card"):
        api.play(store, id, api.WordsRequest("zebra"), viewer=Everything(quiet=True))
    with pytest.raises(Unread) as unread:
        api.play(store, id, api.WordsRequest("9Hc"), viewer=Everything(quiet=True))
    assert "did you mean" not in str(unread.value)
    assert load(store, id).head == before


def test_a_seats_words_are_quiet_in_a_quiet_record_and_the_arbiters_are_not(store: Store) -> None:
    id = begun(store)
    assert api.play(store, id, api.WordsRequest(("8Dh3",)), viewer=Seat(1))[0].verdict == "quiet"
    assert api.play(store, id, api.WordsRequest(("9Cb2",), stands=True))[0].verdict == "refused"
    other = begun(store, quiet=False)
    assert api.play(store, other, api.WordsRequest(("8Dh3",)), viewer=Seat(1))[0].verdict == "legal"


def test_the_same_command_again_is_answered_quietly_after_the_reveal_too(store: Store) -> None:
    id = begun(store)
    first = api.play(store, id, api.WordsRequest((BROKEN,), command="k"), viewer=Seat(1))
    head = load(store, id).head
    assert api.play(store, id, api.WordsRequest((BROKEN,), command="k"), viewer=Seat(1)) == first
    assert load(store, id).head == head
    api.reveal(store, id, api.RevealRequest())
    assert api.play(store, id, api.WordsRequest((BROKEN,), command="k"), viewer=Seat(1)) == first


def test_nothing_is_let_stand_quietly(store: Store) -> None:
    id = begun(store)
    viewers: tuple[Viewer, ...] = (Everything(quiet=True), Seat(1))
    for viewer in viewers:
        with pytest.raises(Unfit, match="kept whatever rule it breaks"):
            api.play(store, id, api.WordsRequest((BROKEN,), stands=True), viewer)


def test_the_quiet_lasts_until_the_reveal_or_the_close_and_begins_with_the_next_quiet_word(store: Store) -> None:
    id = begun(store)
    api.take_back(store, id, api.UndoRequest(4))
    assert is_quiet(store, id)
    api.reveal(store, id, api.RevealRequest(by="arbiter"))
    assert not is_quiet(store, id)
    assert isinstance(load(store, id).recorded[-1].event, RecordRevealed)
    api.play(store, id, api.WordsRequest(("4Ci3",)), viewer=Everything(quiet=True))
    assert is_quiet(store, id)
    api.close(store, id, api.CloseRequest("1-0", termination="adjudication"))
    assert not is_quiet(store, id)
    api.reopen(store, id, api.ReopenRequest())
    assert not is_quiet(store, id)
    api.play(store, id, api.WordsRequest(("4Db6",)), viewer=Everything(quiet=True))
    api.rule(store, id, api.RulingRequest(arbiter="Zoe", decision="result", result="0-1"))
    assert not is_quiet(store, id)


def test_what_is_not_quiet_cannot_be_revealed_nor_what_is_closed(store: Store) -> None:
    id = begun(store, quiet=False)
    with pytest.raises(Declined, match="is not quiet"):
        api.reveal(store, id, api.RevealRequest())
    api.play(store, id, api.WordsRequest(("8Dh3",)), viewer=Everything(quiet=True))
    assert api.reveal(store, id, api.RevealRequest(command="k")) == api.reveal(
        store, id, api.RevealRequest(command="k")
    )
    with pytest.raises(Declined, match="is not quiet"):
        api.reveal(store, id, api.RevealRequest())
    api.close(store, id, api.CloseRequest("1-0", termination="adjudication"))
    with pytest.raises(Declined, match="is closed"):
        api.reveal(store, id, api.RevealRequest())


def test_corrections_and_rulings_are_the_arbiters_while_a_record_is_quiet(store: Store) -> None:
    id = begun(store)
    with pytest.raises(Declined, match="left to the arbiter"):
        api.amend(store, id, api.AmendRequest(4, "8Ca7"), viewer=Seat(1))
    with pytest.raises(Declined, match="left to the arbiter"):
        api.amend(store, id, api.AmendRequest(4, "8Ca7"), viewer=Everything(quiet=True))
    with pytest.raises(Declined, match="left to the arbiter"):
        api.rule(store, id, api.RulingRequest((4,), arbiter="Zoe", decision="void"), viewer=Seat(1))
    assert api.amend(store, id, api.AmendRequest(4, "4Da5")).stored
    assert is_quiet(store, id)


def test_a_board_is_stated_quietly(store: Store) -> None:
    id = begun(store)
    lies = api.present_board(store, id).text
    answer = api.state_board(store, id, api.BoardRequest(lies.replace("4C", "--", 1)), viewer=Seat(1))
    assert (answer.findings, answer.quiet) == ((), True)
    assert any(found.key == "record.board" for found in load(store, id).report.findings)


def test_a_sheet_for_a_seat_holds_no_mark_and_the_arbiters_does(store: Store) -> None:
    id = begun(store)
    api.play(store, id, api.WordsRequest((BROKEN,)), viewer=Everything(quiet=True))
    assert "irregular" in str(api.export_cgn(store, id).line.notes)
    assert "irregular" not in str(api.export_cgn(store, id, Seat(1)).line.notes)
    assert api.score_sheet(store, id, Seat(1)).findings == ()
    assert api.score_sheet(store, id).findings
    api.reveal(store, id, api.RevealRequest())
    assert "irregular" in str(api.export_cgn(store, id, Seat(1)).line.notes)


def test_an_archive_carries_quiet_words_and_their_reveal(
    store: Store, tmp_path_factory: pytest.TempPathFactory
) -> None:
    id = begun(store)
    api.play(store, id, api.WordsRequest((BROKEN,)), viewer=Everything(quiet=True))
    with Store(tmp_path_factory.mktemp("other") / "games.db") as other:
        api.take_in(other, api.export_json(store, id, log=True))
        assert is_quiet(other, id)
        assert load(other, id).head == load(store, id).head


def test_quiet_in_a_record_nobody_judges_is_kept(store: Store) -> None:
    id = api.open_game(store, api.NewRequest("go", unjudged=True)).id
    assert api.play(store, id, api.WordsRequest(("D4",)), viewer=Everything(quiet=True))[0].verdict == "quiet"


def test_a_word_of_before_was_not_quiet() -> None:
    played = MovePlayed(at="", seat=1, text="4Ci3", findings=(), stands=False, clock="")
    topic, body = encode(played)
    assert (topic, b'"quiet":false' in body) == ("move-played/4", True)
    for older in ("move-played/2", "move-played/3"):
        assert decode(older, body.replace(b',"quiet":false', b"")) == played
