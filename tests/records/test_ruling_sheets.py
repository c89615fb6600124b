"""Disputes and rulings on score sheets: whatever was said comes back from an import, and no text breaks a command."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notation import Line, Note, Record, dumps, examine, loads
from cartulary.notation.arbiter.ruling_commands import (
    DisputeCommand,
    RulingCommand,
    cited_in,
    format_dispute,
    format_ruling,
    format_short,
)
from cartulary.notation.cgn.commands import bare, commands_in, format_command, quote_text
from cartulary.records import api
from cartulary.records.faults import Fault
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.hunts import budget
from tests.records.page_game import IRREGULAR, PAGE, dispute_on_sheet, imported, ruling_on_sheet


@pytest.fixture
def id(irregular: str) -> str:
    return irregular


# --- on the sheet ---


def test_the_sheet_with_the_log_says_dispute_and_ruling_where_play_went_on(store: Store, id: str) -> None:
    number = api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="p2", claim='"no" [way]}')).dispute.number
    keys = ["cardmate.path", "cardmate.reach"]
    api.rule(
        store,
        id,
        api.RulingRequest(dispute=number, arbiter="A. Person", decision="stands", keys=tuple(keys), reason="too late"),
    )
    assert api.export_cgn(store, id, log=True).line.notes[21].comments == (
        '[%dispute 21 by=p2 "\\"no\\" \\x5bway\\x5d\\x7d"] [%ruling 21 stands arbiter="A. Person" '
        'keys=cardmate.path,cardmate.reach "too late"] [%irregular cardmate.path]',
    )
    assert api.export_cgn(store, id).line.notes[21].comments == (
        "[%irregular cardmate.path] [%ruling stands, arbiter: A. Person]",
    )


def test_validating_the_export_says_what_rests_on_a_ruling(store: Store, id: str) -> None:
    api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="A. Person", decision="stands"))
    for log in (False, True):
        [record] = loads(dumps(api.export_cgn(store, id, log=log)))
        for accept, verdict, severity in ((False, "irregular", "error"), (True, "legal", "remark")):
            report = examine(record, accept_rulings=accept).report
            [found] = report.findings
            assert (report.verdict, found.severity) == (verdict, severity)
            assert found.because.endswith("; let stand by a ruling of A. Person")


def test_an_import_lets_stand_what_its_sheet_says_was_ruled_to_stand(store: Store, id: str) -> None:
    api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="A. Person", decision="stands"))
    [answer] = api.import_records(store, loads(dumps(api.export_cgn(store, id))))
    game = load(store, answer.id)
    assert game.report.verdict == "legal"
    assert [ruling_on_sheet(one)[:3] for one in api.rulings_of(game)] == [((21,), "A. Person", "stands")]


def test_a_sheet_that_was_corrected_after_its_import_names_its_plies_as_they_are_now(store: Store) -> None:
    text = '[%dispute 3 by=p2 "no"] [%ruling 3 penalty arbiter=A p1="a warning"]'
    [answer] = api.import_records(store, loads(f'[Game "Cardmate"]\n\n1. 4Ci3 4Db6 2. 8Dj2 {{{text}}} *'))
    api.amend(store, answer.id, api.AmendRequest(1, (), plies=2))
    [dispute] = api.disputes_of(load(store, answer.id))
    assert (dispute.ply, dispute.ply_then, dispute.status) == (1, 3, "ruled")
    sheet = api.export_cgn(store, answer.id)
    assert text.replace(" 3 ", " 1 ") in sheet.line.notes[1].comments[-1]


def test_a_dispute_of_an_imported_sheet_is_withdrawn_and_ruled_on_like_any_other(store: Store) -> None:
    text = '[Game "Cardmate"]\n\n1. 4Ci3 {[%dispute 1 by=p2 "a"] [%dispute 1 by=Cleo "b"]} *'
    [answer] = api.import_records(store, loads(text))
    assert [one.number for one in api.disputes_of(load(store, answer.id))] == [-1, -2]
    api.withdraw(store, answer.id, api.WithdrawRequest(-2, by="Cleo"))
    api.rule(store, answer.id, api.RulingRequest(dispute=-1, arbiter="A", decision="stands"))
    assert [one.status for one in api.disputes_of(load(store, answer.id))] == ["ruled", "withdrawn"]


def test_what_became_of_a_dispute_of_an_imported_sheet_is_on_the_sheet_that_goes_out(store: Store) -> None:
    text = '[Game "Cardmate"]\n\n{[%dispute 0 by=p1 "c"]} 1. 4Ci3 {[%dispute 1 by=p2 "a"] [%dispute 1 by=p1 "b"]} *'
    [answer] = api.import_records(store, loads(text))
    api.withdraw(store, answer.id, api.WithdrawRequest(-1, by="p1", reason="it was [I]"))
    api.rule(
        store, answer.id, api.RulingRequest(dispute=-2, arbiter="A", decision="penalty", penalties={"p2": "a point"})
    )
    answers = [dispute_on_sheet(one) for one in api.disputes_of(load(store, answer.id))]
    assert [one[3] for one in answers] == ["withdrawn", "ruled", "open"]
    assert [dispute_on_sheet(one) for one in api.disputes_of(imported(store, answer.id))] == answers


def test_a_ply_let_stand_on_an_imported_sheet_and_corrected_since_does_not_stand_by_that_ruling(store: Store) -> None:
    text = '[Game "Cardmate"]\n\n1. 4Ci3 4Db6 2. 9Hc5 {[%ruling 3 stands arbiter=A]} *'
    [answer] = api.import_records(store, loads(text))
    api.amend(store, answer.id, api.AmendRequest(3, ("9Hc6",), stands=True))
    for game in (load(store, answer.id), imported(store, answer.id)):
        assert game.report.verdict == "irregular"
        assert [one.holds for one in api.rulings_of(game)] == [False]


def test_a_ruling_on_several_plies_answers_a_dispute_of_the_last_on_its_sheet_too(store: Store, id: str) -> None:
    api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="p2", claim="no"))
    api.rule(store, id, api.RulingRequest((20, IRREGULAR), arbiter="A", decision="stands"))
    api.dispute(store, id, api.DisputeRequest(IRREGULAR, by="p2", claim="and yet no"))
    assert [one.status for one in api.disputes_of(load(store, id))] == ["ruled", "open"]
    assert [one.status for one in api.disputes_of(imported(store, id))] == ["ruled", "open"]


def test_what_was_said_of_plies_that_are_gone_comes_back_with_the_numbers_they_had(store: Store, id: str) -> None:
    api.rule(store, id, api.RulingRequest((IRREGULAR,), arbiter="A", decision="void"))
    api.dispute(store, id, api.DisputeRequest(20, by="p2", claim="taken back"))
    api.rule(store, id, api.RulingRequest((20,), arbiter="A", decision="stands"))
    api.take_back(store, id, api.UndoRequest(3))
    api.dispute(store, id, api.DisputeRequest(17, by="p1", claim="taken out"))
    api.amend(store, id, api.AmendRequest(17, (), plies=1))
    game, again = load(store, id), imported(store, id)
    for now in (game, again):
        assert {(one.ply, one.ply_then, one.status) for one in api.disputes_of(now)} == {
            (0, 20, "ruled"),
            (0, 17, "open"),
        }
        assert {(one.plies, one.plies_then) for one in api.rulings_of(now)} == {((), (21,)), ((), (20,))}


def test_a_game_that_is_void_from_its_first_ply_has_a_ruling_on_those_plies_when_it_comes_back(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    api.play(store, "g", api.WordsRequest(PAGE[:4]))
    api.dispute(store, "g", api.DisputeRequest(2, by="p1", claim="no"))
    api.rule(store, "g", api.RulingRequest((1,), arbiter="A", decision="void", rest=True))
    again = imported(store, "g")
    assert [(one.plies_then, one.old) for one in api.rulings_of(again)] == [((1, 2, 3, 4), tuple(PAGE[:4]))]
    assert [(one.ply_then, one.status) for one in api.disputes_of(again)] == [(2, "ruled")]


def test_a_ruling_that_lost_one_of_its_plies_lets_the_others_stand_on_its_sheet_too(store: Store, id: str) -> None:
    api.rule(store, id, api.RulingRequest((20, IRREGULAR), arbiter="A", decision="stands"))
    api.rule(store, id, api.RulingRequest((20,), arbiter="B", decision="void"))
    assert load(store, id).report.verdict == imported(store, id).report.verdict


def test_a_dispute_of_a_ply_that_an_imported_sheet_had_ruled_on_is_open_on_the_next_sheet_too(store: Store) -> None:
    text = '[Game "Cardmate"]\n\n1. 4Ci3 {[%takeback 1] [%dispute 1 by=p2 "a"] [%ruling 1 stands arbiter=A]} *'
    [answer] = api.import_records(store, loads(text))
    api.dispute(store, answer.id, api.DisputeRequest(1, by="p2", claim="an appeal"))
    answers = list(map(dispute_on_sheet, api.disputes_of(load(store, answer.id))))
    assert [one[3] for one in answers] == ["ruled", "open"]
    assert list(map(dispute_on_sheet, api.disputes_of(imported(store, answer.id)))) == answers


def test_what_an_imported_sheet_told_of_a_ply_is_on_the_next_one_when_the_ply_is_gone(store: Store) -> None:
    text = '[Game "Cardmate"]\n\n1. 4Ci3 4Db6 {[%dispute 2 by=p1 "a"] [%ruling 2 stands arbiter=A]} *'
    [answer] = api.import_records(store, loads(text))
    api.take_back(store, answer.id, api.UndoRequest())
    game, again = load(store, answer.id), imported(store, answer.id)
    assert list(map(dispute_on_sheet, api.disputes_of(again))) == list(map(dispute_on_sheet, api.disputes_of(game)))
    assert list(map(ruling_on_sheet, api.rulings_of(again))) == list(map(ruling_on_sheet, api.rulings_of(game)))


def test_what_only_looks_like_a_dispute_or_ruling_is_left_alone(store: Store) -> None:
    text = "[%dispute] [%dispute x] [%ruling] [%ruling soon] [%ruling 1 maybe] [%ruling 1] [%disputed 1]"
    [answer] = api.import_records(store, loads(f'[Game "Cardmate"]\n\n1. 4Ci3 {{{text}}} *'))
    game = load(store, answer.id)
    assert (api.disputes_of(game), api.rulings_of(game)) == ((), ())
    assert api.export_cgn(store, answer.id, log=True).line.notes[1].comments == (text,)


# --- words in commands ---

phrases = st.text(st.characters(codec="utf-8"), max_size=40).map(lambda text: " ".join(text.split()))
named = phrases.filter(bool)
keys = st.lists(st.sampled_from(("cardmate.path", "cardmate.reach", "call.over")), unique=True, max_size=3).map(tuple)


def reread(command: str) -> Line:
    """Return the main line of a sheet with a command in the comment of its first ply, as a reader sees it."""
    [record] = loads(dumps(Record((), Line(("4Ci3",), {1: Note((), (command,))}, {}, "*"))))
    assert record.problems == ()
    return record.line


@budget(60)
@given(named, phrases, st.lists(named, max_size=2))
def test_any_words_come_back_from_a_command(name: str, text: str, texts: list[str]) -> None:
    written = format_command("x", "17", f"by={bare(name)}", *(quote_text(each) for each in (text, *texts)))
    [comment] = reread(written).notes[1].comments
    [command] = commands_in(comment)
    assert (command.name, command.words) == ("x", ("17",))
    assert (command.value("by"), command.texts) == (name, (text, *texts))
    assert "]" not in command.source[:-1]


@budget(60)
@given(
    st.builds(
        DisputeCommand,
        ply=st.sampled_from((0, 1)),
        by=named,
        claim=named,
        withdrawn=st.none() | phrases,
        label=st.integers(0, 99),
    ),
    st.builds(
        RulingCommand,
        plies=st.just((1,)),
        decision=st.sampled_from(("stands", "void", "amended", "penalty", "result")),
        arbiter=named,
        keys=keys,
        reason=phrases,
        penalties=st.dictionaries(st.integers(1, 6), named, max_size=2).map(lambda costs: tuple(costs.items())),
        result=st.sampled_from(("", "1-0", "1/2-1/2")),
        dispute=st.integers(0, 99),
    ),
)
def test_any_dispute_and_ruling_come_back_from_their_commands(dispute: DisputeCommand, ruling: RulingCommand) -> None:
    line = reread(f"{format_dispute(dispute)} {format_ruling(ruling)}")
    assert [cited.what for cited in cited_in(line)] == [dispute, ruling]
    [short] = cited_in(reread(format_short(ruling)))
    assert isinstance(short.what, RulingCommand)
    assert (short.what.decision, short.what.arbiter, short.what.plies) == (ruling.decision, ruling.arbiter, (1,))


PARTS = re.findall(
    r"\S+",
    """
    0 1 2 3 1,2 0,1 99999999999 stands stands, void void, result amended amended, penalty arbiter arbiter: arbiter=A
    "x" "a]b" " \\ \\x5d = p1= p1=x p99=x dispute=1 n=1 n=x was=x was= words=4Ci3 keys=a,b keys=, result=1-0 by=p2
    withdrawn=x [
    """,
)
commandish = st.lists(
    st.builds(
        "[%{} {}]".format,
        st.sampled_from(("ruling", "dispute", "takeback", " ruling", "rulings")),
        st.lists(st.sampled_from(PARTS), max_size=5).map(" ".join),
    ),
    max_size=3,
).map(" ".join)


@budget(60)
@given(commandish, commandish)
def test_whatever_stands_in_a_comment_is_taken_in_and_given_out_again(
    tmp_path_factory: pytest.TempPathFactory, first: str, second: str
) -> None:
    text = f'[Game "Cardmate"]\n\n{{{first}}} 1. 4Ci3 {{{second}}} 4Db6 *\n'
    with Store(tmp_path_factory.mktemp("fuzz") / "games.db") as store:
        [answer] = api.import_records(store, loads(text))
        game, again = load(store, answer.id), imported(store, answer.id)
        assert list(map(dispute_on_sheet, api.disputes_of(again))) == list(map(dispute_on_sheet, api.disputes_of(game)))
        assert list(map(ruling_on_sheet, api.rulings_of(again))) == list(map(ruling_on_sheet, api.rulings_of(game)))
        assert again.record.line == game.record.line


# --- whole stories ---

ASKED = st.lists(
    st.tuples(
        st.sampled_from(
            (
                "play",
                "back",
                "insert",
                "dispute",
                "withdraw",
                "answer",
                "stands",
                "void",
                "amended",
                "fine",
                "result",
                "reopen",
            )
        ),
        st.integers(0, 10_000),
        named,
    ),
    max_size=10,
)


def ask(store: Store, id: str, what: str, choice: int, said: str) -> None:
    """Ask one thing of the desk, whatever comes of it."""
    game = load(store, id)
    ply = choice % (game.plies + 1)
    disputes = api.disputes_of(game)
    number = disputes[choice % len(disputes)].number if disputes else 1
    match what:
        case "play":
            api.play(store, id, api.WordsRequest((PAGE[game.plies],), stands=True))
        case "back":
            api.take_back(store, id, api.UndoRequest(1 + choice % 2, by="p1", agreed="p2", reason=said))
        case "insert":
            api.amend(store, id, api.AmendRequest(ply, (PAGE[choice % 10],), plies=choice % 2, reason="x", stands=True))
        case "dispute":
            api.dispute(store, id, api.DisputeRequest(ply, by="p2", claim=said))
        case "withdraw":
            api.withdraw(store, id, api.WithdrawRequest(number, by="p2", reason=said))
        case "answer":
            api.rule(
                store, id, api.RulingRequest(dispute=number, arbiter=said, decision="penalty", penalties={"p1": said})
            )
        case "amended":
            api.rule(store, id, api.RulingRequest((ply,), arbiter=said, decision=what, words=(PAGE[choice % 10],)))
        case "fine":
            api.rule(
                store,
                id,
                api.RulingRequest(
                    tuple([ply] if ply else []), arbiter=said, decision="penalty", penalties={"p2": said}
                ),
            )
        case "result":
            api.rule(store, id, api.RulingRequest(arbiter=said, decision=what, result=("1-0", "0-1")[choice % 2]))
        case "reopen":
            api.reopen(store, id, api.ReopenRequest())
        case _:
            api.rule(store, id, api.RulingRequest((ply,), arbiter=said, decision=what, reason=said))


@budget(25)
@given(ASKED)
def test_whatever_was_disputed_and_ruled_comes_back_from_the_sheet(
    tmp_path_factory: pytest.TempPathFactory, asked: list[tuple[str, int, str]]
) -> None:
    with Store(tmp_path_factory.mktemp("story") / "games.db") as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
        api.play(store, "g", api.WordsRequest(PAGE[:6]))
        for what, choice, answer in asked:
            try:
                ask(store, "g", what, choice, answer)
            except Fault:
                continue
        game, again = load(store, "g"), imported(store, "g")
        assert again.words == game.words
        assert sorted(map(str, map(dispute_on_sheet, api.disputes_of(again)))) == sorted(
            map(str, map(dispute_on_sheet, api.disputes_of(game)))
        )
        assert sorted(map(str, map(ruling_on_sheet, api.rulings_of(again)))) == sorted(
            map(str, map(ruling_on_sheet, api.rulings_of(game)))
        )
        first = dumps(api.export_cgn(store, "g", log=True)).split("\n", 2)[2]
        second = dumps(api.export_cgn(store, again.id, log=True)).split("\n", 2)[2]
        assert second.replace('\n[Event "Again"]', "") == first
        assert again.report.verdict == game.report.verdict
