"""Rounds entered as their scores: what is asked, the word that is written, and what it comes to."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.records import api
from cartulary.records.faults import Declined, Fault, Unfit, WrongAnswer
from cartulary.records.log.store import Store
from tests.cli.test_live import Run
from tests.cli.test_live import run as run

GARDE = {"Taker": "p2", "Bid": "Garde", "Bouts": "3", "Points": "54"}


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        yield opened


@pytest.fixture
def tarot(store: Store) -> str:
    players = ("Ann", "Bea", "Cy", "Di")
    return api.open_game(store, api.NewRequest(game="tarot", variant="fft", players=players)).id


def enter(store: Store, id: str, answers: dict[str, str], **more: Any) -> "api.RoundAnswer":
    return api.play_round(store, id, api.RoundRequest(answers=answers, **more))


def test_a_round_is_written_as_one_word_and_explained(store: Store, tarot: str) -> None:
    answer = enter(store, tarot, GARDE)
    assert (answer.word, answer.verdict, answer.score) == (
        "p0/Taker=p2&Bid=Garde&Bouts=3&Points=54",
        "legal",
        "-86:258:-86:-86",
    )
    assert answer.explanation.startswith("p2 has 54 points with 3 bouts and needs 36: contract made by 18")
    form = api.round_form(api.load(store, tarot))
    assert (form.players, form.score, len(form.rounds)) == (("Ann", "Bea", "Cy", "Di"), answer.score, 1)


def test_names_and_common_words_are_read(store: Store, tarot: str) -> None:
    answer = enter(store, tarot, {"Taker": "bea", "Bid": "petite", "Bouts": "1", "Points": "45", "Poignee": "cy:10"})
    assert answer.word == "p0/Taker=p2&Bid=Prise&Bouts=1&Points=45&Poignee=p3:10"


def test_rounds_follow_one_another_and_the_last_is_taken_back(store: Store, tarot: str) -> None:
    enter(store, tarot, GARDE)
    enter(store, tarot, {"Taker": "-"})
    second = enter(store, tarot, {**GARDE, "Taker": "Ann"})
    api.take_back(store, tarot, api.UndoRequest())
    assert api.round_form(api.load(store, tarot)).score == "-86:258:-86:-86"
    assert enter(store, tarot, {**GARDE, "Taker": "Ann"}).score == second.score
    assert api.close(store, tarot, api.CloseRequest()).result == "1/2-1/2-0-0"


@pytest.mark.parametrize(
    ("answers", "because"),
    [
        ({"Taker": "p2", "Bid": "Garde", "Bouts": "3"}, "Found nothing for Points"),
        ({**GARDE, "Points": "95"}, "expected card points from 0 to 91"),
        ({**GARDE, "Taker": "Zoe"}, "expected a seat p1 to p4 or the name of a player"),
        ({**GARDE, "Tricks": "3"}, "There is no field Tricks; expected one of: Taker, Bid"),
        ({}, "Found nothing for Taker"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_nothing_is_stored(
    store: Store, tarot: str, answers: dict[str, str], because: str
) -> None:
    with pytest.raises(Unfit) as fault:
        enter(store, tarot, answers)
    assert because in str(fault.value)
    assert api.load(store, tarot).plies == 0


def test_a_wrong_answer_names_its_field(store: Store, tarot: str) -> None:
    with pytest.raises(WrongAnswer) as fault:
        enter(store, tarot, {**GARDE, "Bid": "Gard"})
    assert fault.value.tag == "Bid"


def test_a_refused_round_is_kept_only_if_it_is_to_stand(store: Store, tarot: str) -> None:
    impossible = {**GARDE, "Bouts": "0", "Points": "80"}
    answer = enter(store, tarot, impossible)
    assert (answer.verdict, answer.findings[0].key, answer.explanation) == ("refused", "tarot.settlement", "")
    assert api.load(store, tarot).plies == 0
    assert enter(store, tarot, impossible, stands=True).explanation
    assert api.load(store, tarot).plies == 1


def test_the_same_command_enters_a_round_once(store: Store, tarot: str) -> None:
    first = enter(store, tarot, GARDE, command="k")
    again = enter(store, tarot, GARDE, command="k")
    assert (again.word, again.ply, api.load(store, tarot).plies) == (first.word, 1, 1)
    with pytest.raises(Declined, match="already used for another request"):
        enter(store, tarot, {**GARDE, "Points": "60"}, command="k")


def test_an_earlier_round_is_corrected_by_all_its_fields(store: Store, tarot: str) -> None:
    enter(store, tarot, {**GARDE, "Petit": "taker"})
    enter(store, tarot, {"Taker": "-"})
    assert api.round_form(api.load(store, tarot)).answers == ({**GARDE, "Petit": "taker"}, {"Taker": "-"})
    dry = enter(store, tarot, {**GARDE, "Points": "36"}, ply=1, dry=True)
    assert (dry.word, dry.score) == ("p0/Taker=p2&Bid=Garde&Bouts=3&Points=36", "-50:150:-50:-50")
    assert api.load(store, tarot).plies == 2
    done = enter(store, tarot, {**GARDE, "Points": "36"}, ply=1, command="c")
    assert (done.verdict, done.score) == ("legal", "-50:150:-50:-50")
    assert done.explanation.startswith("p2 has 36 points")
    assert enter(store, tarot, {**GARDE, "Points": "36"}, ply=1, command="c").version == done.version
    assert api.load(store, tarot).words == (done.word, "p0/Taker=-")


def test_a_refused_correction_is_stored_only_if_it_is_to_stand(store: Store, tarot: str) -> None:
    enter(store, tarot, GARDE)
    wrong = {**GARDE, "Bouts": "0", "Points": "90"}
    refused = enter(store, tarot, wrong, ply=1)
    assert (refused.verdict, refused.explanation, refused.score) == ("refused", "", "-86:258:-86:-86")
    assert enter(store, tarot, wrong, ply=1, stands=True).score != refused.score


def test_only_a_round_that_was_entered_is_corrected(store: Store, tarot: str) -> None:
    for ply in (1, -1):
        with pytest.raises(Declined, match="is no round that was entered as its score"):
            enter(store, tarot, GARDE, ply=ply)
    enter(store, tarot, GARDE)
    with pytest.raises(Unfit, match="There is no field Tricks"):
        enter(store, tarot, {"Tricks": "3"}, ply=1)
    api.close(store, tarot, api.CloseRequest())
    assert api.round_form(api.load(store, tarot)).correcting == ()


def test_a_round_is_not_entered_where_it_cannot_be(store: Store, tarot: str) -> None:
    api.play(store, tarot, api.WordsRequest(words=("Pass",)))
    with pytest.raises(Declined, match="its last round is over, or a deal is being written"):
        enter(store, tarot, GARDE)
    chess = api.open_game(store, api.NewRequest(game="chess")).id
    with pytest.raises(Declined, match="Rounds of Chess are not entered as their score here"):
        enter(store, chess, GARDE)
    with pytest.raises(Declined, match="Rounds of Chess are not entered"):
        api.round_form(api.load(store, chess))


def test_a_described_game_takes_a_number_for_each_seat(store: Store) -> None:
    api.describe_game(store, api.DescribeRequest(toml='title = "Skull King"\nwinner = "most"\nrounds = 2\n'))
    id = api.open_game(store, api.NewRequest(game="skull king", players=("A", "B", "C"))).id
    assert [field.kind for field in api.round_form(api.load(store, id)).fields] == ["numbers"]
    assert enter(store, id, {"Points": "10:20:-"}).score == "10:20:0"
    assert enter(store, id, {"Points": "-5::7"}).score == "5:20:7"
    assert api.round_form(api.load(store, id)).fields == ()
    with pytest.raises(Declined, match="its last round is over"):
        enter(store, id, {"Points": "1:1:1"})


def test_fields_are_named_in_any_capitals_and_a_taker_may_be_said_to_play_alone(store: Store) -> None:
    players = ("Ann", "Bea", "Cy", "Di", "Eve")
    id = api.open_game(store, api.NewRequest(game="tarot", variant="fft", players=players)).id
    alone = {"taker": "Bea", "BID": "guard", "Bouts": "2", "points": "47", "Partner": "-", "Poignée": "Cy:8"}
    assert enter(store, id, alone).word == "p0/Taker=p2&Bid=Garde&Bouts=2&Points=47&Poignee=p3:8"


# --- the terminal ---


def test_a_round_is_typed_in_one_line_and_undone(run: Run) -> None:
    run("new", "tarot", "--variant", "fft", "-p", "Ann", "-p", "Bea", "-p", "Cy", "-p", "Di", "--id", "g")
    lines = run("pad", "g", "Taker=Bea", "Bid=garde", "Bouts=3", "Points=54").stdout.splitlines()
    assert lines[0] == "g: ply 1: legal"
    assert lines[-4:] == ["Ann  -86", "Bea  258", "Cy   -86", "Di   -86"]
    refused = run("pad", "g", "Taker=Bea", "Bid=garde", "Bouts=0", "Points=80", code=1)
    assert "tarot.settlement" in refused.stdout
    assert "With --stands the round is kept" in refused.stderr
    assert run("pad", "g", "--undo").stdout.splitlines()[0].split() == ["Ann", "0"]
    assert "Nobody can be asked here" in run("pad", "g", code=2).stderr


def test_an_evening_is_entered_by_answering_questions(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("new", "tarot", "--variant", "fft", "-p", "Ann", "-p", "Bea", "-p", "Cy", "-p", "Di", "--id", "g")
    monkeypatch.setattr("cartulary.cli.commands.pad.terminal", lambda stream: True)
    answers = ["Bea", "Garde", "3", "54", "", "", "", "-", "Ann", "Garde", "9", "40", "", "", "", "undo", "end"]
    result = CliRunner().invoke(build(), ["pad", "g"], input="\n".join(answers) + "\n")
    assert result.exit_code == 0, result.output
    assert "expected a number of bouts from 0 to 3" in result.stderr
    assert "Taker (Ann, Bea, Cy, Di, -)?" in result.stderr
    assert "Ann  -86\nBea  258\nCy   -86\nDi   -86\n" in result.stdout


def amend(store: Store, id: str, ply: int, words: str | tuple[str, ...], **more: Any) -> "api.AmendAnswer":
    return api.amend(store, id, api.AmendRequest(ply=ply, words=words, reason="misread", **more))


def test_a_round_is_corrected_by_its_fields(store: Store, tarot: str) -> None:
    enter(store, tarot, {**GARDE, "Petit": "taker"})
    enter(store, tarot, {"Taker": "-"})
    assert amend(store, tarot, 1, "points=51").words == ("p0/Taker=p2&Bid=Garde&Bouts=3&Points=51&Petit=taker",)
    assert amend(store, tarot, 1, "Taker=Cy Petit=").words == ("p0/Taker=p3&Bid=Garde&Bouts=3&Points=51",)
    assert amend(store, tarot, 1, ("Bouts=2", "Bid=petite")).words == ("p0/Taker=p3&Bid=Prise&Bouts=2&Points=51",)
    assert amend(store, tarot, 1, "Taker=-").words == ("p0/Taker=-",)
    whole = "p0/Taker=p1&Bid=Garde&Bouts=1&Points=40"
    assert amend(store, tarot, 1, whole).words == (whole,)
    same = [amend(store, tarot, 1, "Points=41", command="c").version for _ in range(2)]
    assert same[0] == same[1]


def test_a_field_that_cannot_be_is_named_and_nothing_is_stored(store: Store, tarot: str) -> None:
    enter(store, tarot, GARDE)
    before = store.head(tarot)
    with pytest.raises(WrongAnswer, match="Points"):
        amend(store, tarot, 1, "Points=951")
    with pytest.raises(WrongAnswer) as fault:
        amend(store, tarot, 1, "Bouts=")
    assert fault.value.tag == "Bouts"
    with pytest.raises(Fault):
        amend(store, tarot, 1, "Colour=red")
    with pytest.raises(Fault):
        amend(store, tarot, 2, "Points=51")
    assert store.head(tarot) == before


def test_a_round_of_a_described_game_is_corrected_by_its_points(store: Store) -> None:
    api.describe_game(store, api.DescribeRequest(toml='title = "Skull King"\nrounds = true\nwinner = "most"\n'))
    id = api.open_game(store, api.NewRequest("Skull King", players=("Ann", "Bea"))).id
    enter(store, id, {"Points": "10:20"})
    assert amend(store, id, 1, "Points=10:-").words == ("p0/10:-",)


def test_the_terminal_corrects_a_round_by_its_fields(run: Run) -> None:
    run("new", "tarot", "--variant", "fft", "-p", "Ann", "-p", "Bea", "-p", "Cy", "-p", "Di", "--id", "t")
    run("pad", "t", "Taker=Bea", "Bid=Garde", "Bouts=3", "Points=54")
    said = run("amend", "t", "1", "Points=51", "Bouts=2", "--reason", "misread").stdout
    assert "is now p0/Taker=p2&Bid=Garde&Bouts=2&Points=51" in said
