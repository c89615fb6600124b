"""Disputes and rulings at the desk: the log only grows, the game stands as ruled, and a sheet carries all of it."""

from typing import Any

import pytest

from cartulary.notation import dumps, examine, loads
from cartulary.records import api
from cartulary.records.faults import Conflict, Declined, Fault, Unfit, Unread
from cartulary.records.log.events import RulingGiven
from cartulary.records.log.store import Store
from cartulary.records.log.topics import decode, encode
from cartulary.records.state.games import load
from tests.records.page_game import GAMES, IRREGULAR, PAGE, dispute_on_sheet, imported


@pytest.fixture
def id(irregular: str) -> str:
    return irregular


# --- disputing ---


def test_a_dispute_changes_nothing_but_the_log(store: Store, id: str) -> None:
    before = load(store, id)
    answer = api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="p2", claim="  the ten \n cannot jump "))
    after = load(store, id)
    assert (answer.version, answer.dispute.number, answer.dispute.status) == (24, 24, "open")
    assert (answer.dispute.ply, answer.dispute.word, answer.dispute.claim) == (21, "XSa5", "the ten cannot jump")
    assert (after.words, after.report) == (before.words, before.report)
    assert api.log(store, id)[-1].says == "disputed event 23: the ten cannot jump"
    assert api.disputes_of(after) == (answer.dispute,)


def test_a_dispute_follows_its_ply_through_insertions_and_corrections(store: Store, id: str) -> None:
    number = api.dispute(store, id, api.DisputeRequest(19, by="p1", claim="it was the other three")).dispute.number
    api.amend(store, id, api.AmendRequest(3, (), plies=2))
    assert api.disputes_of(load(store, id))[0].ply == 17
    api.amend(store, id, api.AmendRequest(3, PAGE[2:4], plies=0))
    api.amend(store, id, api.AmendRequest(19, ("1Da4",), stands=True))
    [dispute] = api.disputes_of(load(store, id))
    assert (dispute.number, dispute.ply, dispute.word, dispute.ply_then) == (number, 19, PAGE[18], 19)


def test_a_dispute_about_a_ply_that_is_taken_back_is_kept(store: Store, id: str) -> None:
    api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="p2", claim="no"))
    api.take_back(store, id, api.UndoRequest())
    [dispute] = api.disputes_of(load(store, id))
    assert (dispute.ply, dispute.ply_then, dispute.word, dispute.status) == (0, 21, "XSa5", "open")
    api.play(store, id, api.WordsRequest((PAGE[20],)))
    [again] = api.disputes_of(imported(store, id))
    assert dispute_on_sheet(again) == dispute_on_sheet(dispute)


def test_a_dispute_is_withdrawn_once(store: Store, id: str) -> None:
    number = api.dispute(store, id, api.DisputeRequest(0, by="Ada", claim="a telephone rang")).dispute.number
    with pytest.raises(Declined, match="was raised by p1, and Bela cannot withdraw it"):
        api.withdraw(store, id, api.WithdrawRequest(number, by="Bela"))
    answer = api.withdraw(store, id, api.WithdrawRequest(number, by="p1", reason="it was mine"))
    assert (answer.dispute.status, answer.dispute.reason) == ("withdrawn", "it was mine")
    with pytest.raises(Declined, match=f"Dispute {number} of g has already been withdrawn"):
        api.withdraw(store, id, api.WithdrawRequest(number, by="Ada"))
    with pytest.raises(Declined, match="has already been withdrawn"):
        api.rule(
            store,
            id,
            api.RulingRequest(dispute=number, arbiter="A", decision="penalty", penalties={"p1": "a warning"}),
        )
    with pytest.raises(Declined, match="has no dispute 99; none is open"):
        api.withdraw(store, id, api.WithdrawRequest(99, by="Ada"))


@pytest.mark.parametrize(
    ("ply", "by", "claim", "fault", "says"),
    [
        (22, "p2", "x", Declined, "no ply 22"),
        (-1, "p2", "x", Declined, "no ply -1"),
        (21, "", "x", Unfit, "who disputes it"),
        (21, "p2", " ", Unfit, "what is claimed"),
        (21, "p3", "x", Unfit, "p3 is not a seat of g"),
        (21, "p2", "\udcff", Unfit, "not valid Unicode"),
    ],
)
def test_a_dispute_that_cannot_be_kept_is_declined(
    store: Store, id: str, ply: int, by: str, claim: str, fault: type[Fault], says: str
) -> None:
    before = store.head(id)
    with pytest.raises(fault, match=says):
        api.dispute(store, id, api.DisputeRequest(ply, by=by, claim=claim))
    assert store.head(id) == before


# --- what was ruled ---


def test_a_ply_ruled_to_stand_is_no_breach_any_more_and_says_whose_ruling_that_is(store: Store, id: str) -> None:
    assert load(store, id).report.verdict == "irregular"
    number = api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="p2", claim="no")).dispute.number
    given = api.rule(
        store,
        id,
        api.RulingRequest(
            dispute=number, arbiter="A. Person", decision="stands", keys=("cardmate.path",), reason="too late"
        ),
    )
    game = load(store, id)
    [found] = game.report.findings
    assert (game.report.verdict, found.severity, found.key) == ("legal", "remark", "cardmate.path")
    assert found.because.endswith("; let stand by a ruling of A. Person")
    assert (given.ruling.plies, given.ruling.dispute, given.tail) == ((21,), number, None)
    assert api.disputes_of(game)[0].status == "ruled"
    [listed] = api.games(store)
    assert listed.verdict == "legal"


def test_a_ruling_on_a_ply_answers_every_open_dispute_about_it_and_no_other(store: Store, id: str) -> None:
    for ply, by in ((IRREGULAR, "p2"), (IRREGULAR, "Cleo"), (20, "p1")):
        api.dispute(store, id, api.DisputeRequest(ply, by=by, claim="no"))
    api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="A", decision="stands"))
    assert [one.status for one in api.disputes_of(load(store, id))] == ["ruled", "ruled", "open"]


def test_a_ruling_on_one_dispute_leaves_the_other_about_that_ply_open(store: Store, id: str) -> None:
    first = api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="p2", claim="no")).dispute.number
    api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="Cleo", claim="never"))
    api.rule(
        store, id, api.RulingRequest(dispute=first, arbiter="A", decision="penalty", penalties={"p1": "a warning"})
    )
    assert [one.status for one in api.disputes_of(load(store, id))] == ["ruled", "open"]
    again = imported(store, id)
    assert [one.status for one in api.disputes_of(again)] == ["ruled", "open"]
    assert [one.dispute for one in api.rulings_of(again)] == [-1]


def test_a_void_ply_leaves_the_game_and_the_tail_is_judged_again(store: Store, id: str) -> None:
    given = api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="A", decision="void", reason="taken out"))
    game = load(store, id)
    assert (game.words, game.report.verdict) == (PAGE[:20], "legal")
    assert (given.ruling.plies, given.ruling.plies_then, given.ruling.old) == ((), (21,), ("XSa5",))
    broken = api.rule(store, id, api.RulingRequest((7,), arbiter="A", decision="void"))
    assert broken.tail is not None
    assert (broken.tail.ply, broken.tail.old, broken.tail.conflict) == (7, (PAGE[6],), 7)
    assert load(store, id).plies == 19


def test_a_void_ply_takes_the_rest_with_it_where_the_ruling_says_so(store: Store, id: str) -> None:
    given = api.rule(store, id, api.RulingRequest((7,), arbiter="A", decision="void", rest=True))
    assert given.ruling.plies_then == tuple(range(7, 22))
    assert load(store, id).words == PAGE[:6]
    assert api.play(store, id, api.WordsRequest((PAGE[6],)))[0].ply == 7


def test_an_amended_ply_reads_as_the_arbiter_ruled(store: Store, id: str) -> None:
    api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="p2", claim="it went to a1"))
    given = api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="A", decision="amended", words=("p1/XSa1",)))
    game = load(store, id)
    assert (game.words[20], game.report.verdict) == ("XSa1", "legal")
    assert (given.ruling.plies, given.ruling.words, given.ruling.old) == ((21,), ("XSa1",), ("XSa5",))
    assert api.disputes_of(game)[0].status == "ruled"


def test_a_ruling_that_lets_a_word_stand_does_not_cover_the_word_that_replaces_it(store: Store, id: str) -> None:
    api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="A", decision="stands"))
    api.amend(store, id, api.AmendRequest(IRREGULAR, ("XSa6",), stands=True))
    game = load(store, id)
    assert game.report.verdict == "irregular"
    assert [(one.holds, one.old) for one in api.rulings_of(game)] == [(False, ("XSa5",))]


def test_a_penalty_is_noted_and_moves_nothing(store: Store, id: str) -> None:
    before = load(store, id)
    given = api.rule(
        store,
        id,
        api.RulingRequest(arbiter="A", decision="penalty", penalties={"p2": "two points", "p1": "a warning"}),
    )
    assert given.ruling.penalties == ((1, "a warning"), (2, "two points"))
    assert given.ruling.plies == ()
    assert load(store, id).report == before.report


def test_a_result_closes_the_game_as_adjudicated_whatever_the_moves_say(store: Store) -> None:
    whole = loads((GAMES / "page-1.cgn").read_bytes())[0]
    api.open_game(store, api.NewRequest("cardmate", id="won"))
    api.play(store, "won", api.WordsRequest(whole.line.words))
    given = api.rule(
        store, "won", api.RulingRequest(arbiter="A", decision="result", result="1/2-1/2", keys=("record.result",))
    )
    game = load(store, "won")
    assert (given.result, given.termination) == ("1/2-1/2", "adjudication")
    assert (game.book.closed, game.report.verdict, game.report.findings) == (True, "legal", ())
    sheet = api.export_cgn(store, "won")
    assert (sheet.tag("Result"), sheet.tag("Termination")) == ("1/2-1/2", "adjudication")
    [found] = examine(sheet, accept_rulings=True).report.findings[:1]
    assert (found.severity, found.key) == ("remark", "record.result")
    assert found.because.endswith("let stand by a ruling of A")
    with pytest.raises(Declined, match="is closed"):
        api.play(store, "won", api.WordsRequest(("Resign",)))


def test_a_game_opened_again_keeps_the_ruling_and_not_its_result(store: Store, id: str) -> None:
    api.rule(store, id, api.RulingRequest(arbiter="A", decision="result", result="1-0"))
    api.reopen(store, id, api.ReopenRequest())
    game = load(store, id)
    assert (game.book.result, game.book.closed) == ("", False)
    assert [one.holds for one in api.rulings_of(game)] == [False]
    assert "[%ruling" not in dumps(api.export_cgn(store, id))


def test_a_closed_game_can_be_disputed_and_ruled_on(store: Store, id: str) -> None:
    api.close(store, id, api.CloseRequest("1-0"))
    number = api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="p2", claim="no")).dispute.number
    api.rule(store, id, api.RulingRequest(dispute=number, arbiter="A", decision="void"))
    api.rule(store, id, api.RulingRequest(arbiter="A", decision="result", result="0-1"))
    game = load(store, id)
    assert (game.book.result, game.book.closed, game.words) == ("0-1", True, PAGE[:20])


def test_the_log_keeps_every_word_that_a_ruling_took_out(store: Store, id: str) -> None:
    before = [(each.topic, each.body) for each in store.stream(id)]
    api.rule(store, id, api.RulingRequest((1,), arbiter="A", decision="void", rest=True))
    assert [(each.topic, each.body) for each in store.stream(id)][:-1] == before
    assert api.verify(store, id).fault == ""
    event = store.stream(id)[-1].event
    assert decode(*encode(event)) == event


# --- what is no ruling ---


@pytest.mark.parametrize(
    ("asked", "fault", "says"),
    [
        ({"plies": [22]}, Declined, "no ply 22"),
        ({"plies": [0]}, Unfit, "must be on a ply"),
        ({"plies": [0, 5]}, Unfit, "give it alone"),
        ({}, Unfit, "must be on a ply; name it"),
        ({"plies": [1, 3]}, Unfit, "several in a row"),
        ({"plies": [1], "decision": "draws"}, Unfit, "'draws' is not a decision"),
        ({"plies": [1], "arbiter": " "}, Unfit, "Say who rules"),
        ({"plies": [1], "words": ["4Ci3"]}, Unfit, "'stands' does not take words"),
        ({"plies": [1], "result": "1-0"}, Unfit, "'stands' does not take a result"),
        ({"plies": [1], "rest": True}, Unfit, "leave out `rest`"),
        ({"plies": [1], "decision": "amended"}, Unfit, "'amended' needs words"),
        ({"decision": "result"}, Unfit, "'result' needs a result"),
        ({"decision": "result", "result": "3-0"}, Unfit, "cannot be given"),
        ({"decision": "result", "result": "*"}, Unfit, "cannot be given"),
        ({"decision": "penalty"}, Unfit, "'penalty' needs a seat"),
        ({"decision": "penalty", "penalties": {"p3": "x"}}, Unfit, "p3 is not a seat"),
        ({"decision": "penalty", "penalties": {"p1": " "}}, Unfit, "what p1 is to pay"),
        ({"plies": [1], "keys": ["cardmate.folow-suit"]}, Unfit, "similar keys: cardmate.follow-suit"),
        ({"plies": [1], "keys": ["tarot.revoke"]}, Unfit, "no rule 'tarot.revoke' in Cardmate"),
        ({"plies": [1], "dispute": 7}, Declined, "has no dispute 7; none is open"),
        ({"plies": [1], "decision": "amended", "words": ["XSz9"]}, Unread, "expected a square"),
        ({"plies": [1], "decision": "amended", "words": ["XSa5"]}, Declined, "XSa5 is refused"),
    ],
)
def test_what_is_no_ruling_is_declined_in_a_sentence(
    store: Store, id: str, asked: dict[str, object], fault: type[Fault], says: str
) -> None:
    before = store.head(id)
    given: dict[str, Any] = {"arbiter": "A", "decision": "stands", **asked}
    with pytest.raises(fault, match=says):
        api.rule(store, id, api.RulingRequest(**given))
    assert store.head(id) == before


def test_a_ply_that_cannot_be_applied_cannot_stand(store: Store, id: str) -> None:
    api.amend(store, id, api.AmendRequest(2, ("2Ca6",)))
    with pytest.raises(Declined, match="Ply 12 of g, 4Dc5, cannot be carried out, so it cannot stand"):
        api.rule(store, id, api.RulingRequest((12,), arbiter="A", decision="stands"))


def test_a_dispute_is_ruled_on_once_and_the_second_arbiter_is_told_by_whom(store: Store, id: str) -> None:
    number = api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="p2", claim="no")).dispute.number
    api.rule(store, id, api.RulingRequest(dispute=number, arbiter="Ann", decision="stands"))
    with pytest.raises(Declined, match=r"been ruled on, by Ann in ruling 25\. To rule again, name the ply itself"):
        api.rule(store, id, api.RulingRequest(dispute=number, arbiter="Ben", decision="void"))
    api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="Ben", decision="void", reason="on appeal"))
    assert load(store, id).words == PAGE[:20]


def test_of_two_arbiters_who_saw_the_same_version_one_gets_a_conflict(store: Store, id: str) -> None:
    seen = load(store, id).head.version
    api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="Ann", decision="stands", expected=seen))
    with pytest.raises(Conflict, match="Someone else wrote to g first"):
        api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="Ben", decision="void", expected=seen))
    assert [one.arbiter for one in api.rulings_of(load(store, id))] == ["Ann"]


def test_a_command_given_twice_is_one_dispute_and_one_ruling(store: Store, id: str) -> None:
    first = api.dispute(store, id, api.DisputeRequest(21, by="p2", claim="no", command="d"))
    assert api.dispute(store, id, api.DisputeRequest(21, by="p2", claim="no", command="d")) == first
    ruled = api.rule(
        store, id, api.RulingRequest((21,), arbiter="A", decision="amended", words=("p1/XSa1",), command="r")
    )
    assert (
        api.rule(store, id, api.RulingRequest((21,), arbiter="A", decision="amended", words=("p1/XSa1",), command="r"))
        == ruled
    )
    assert load(store, id).head.version == 25
    for again in (
        lambda: api.dispute(store, id, api.DisputeRequest(20, by="p2", claim="no", command="d")),
        lambda: api.rule(store, id, api.RulingRequest((21,), arbiter="A", decision="void", command="r")),
        lambda: api.withdraw(store, id, api.WithdrawRequest(24, by="p2", command="r")),
    ):
        with pytest.raises(Declined, match="was already used for another request"):
            again()


def test_who_takes_back_cannot_agree_to_it_alone(store: Store, id: str) -> None:
    for by, agreed in (("p1", "p1"), ("Ada", "p1"), ("p1", "ada")):
        with pytest.raises(Declined, match=f"{agreed} is taking the ply back, so another seat must agree"):
            api.take_back(store, id, api.UndoRequest(by=by, agreed=agreed))
    with pytest.raises(Unfit, match="p3 is not a seat"):
        api.take_back(store, id, api.UndoRequest(by="p1", agreed="p3"))
    api.take_back(store, id, api.UndoRequest(by="p1", agreed="Bela", reason="a slip"))
    api.play(store, id, api.WordsRequest((PAGE[20],)))
    sheet = api.export_cgn(store, id, log=True)
    assert sheet.line.notes[21].comments == ('[%takeback 1 by=p1 agreed=Bela "a slip"]',)
    assert imported(store, id).book.plies[20].note.comments == sheet.line.notes[21].comments


def test_an_event_of_a_ruling_names_no_class_and_reads_as_json(store: Store, id: str) -> None:
    api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="A", decision="stands", keys=("cardmate.path",)))
    last = store.stream(id)[-1]
    assert last.topic == "ruling-given/3"
    assert isinstance(last.event, RulingGiven)
    assert b'"plies":[[23,0]],"arbiter":"A","decision":"stands"' in last.body
