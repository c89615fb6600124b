"""``3-2`` has the shape of a result and can be none: a word where the game has such words, elsewhere the result."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.notation import GAMES, Line, Record, as_seen, canonical, dumps, examine, loads
from cartulary.records import api
from cartulary.records.faults import Unfit, Unread
from cartulary.records.log.store import Store
from tests.games.heaps import HEAPS

TAGS = '% CGN 1.0\n[Game "Heaps"]\n\n'


@pytest.fixture(autouse=True)
def heaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "heaps", HEAPS)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as store:
        yield store


def of(movetext: str) -> Record:
    [record] = loads(TAGS + movetext)
    return record


@pytest.mark.parametrize(
    ("movetext", "words", "result"),
    [
        ("3-2 4-1 2-3 1-0", ("3-2", "4-1", "2-3"), "1-0"),
        ("3-2 4-1 *", ("3-2", "4-1"), "*"),
        ("1. 3-2 4-1", ("3-2", "4-1"), ""),
        ("1.3-2 4-1. *", ("3-2", "4-1"), "*"),
        ("3-2! 11-1 {so} 4-1?! *", ("3-2", "11-1", "4-1"), "*"),
        ("0-1", (), "0-1"),
        ("p1/3-2 x5 *", ("p1/3-2", "x5"), "*"),
    ],
)
def test_what_the_game_reads_as_a_move_is_a_word_wherever_it_stands(
    movetext: str, words: tuple[str, ...], result: str
) -> None:
    record = of(movetext)
    assert (record.line.words, record.result, record.tail) == (words, result, "")
    assert not [problem for problem in record.problems if problem.severity == "error"]


def test_it_is_judged_numbered_written_and_found_in_its_place() -> None:
    record = of("1. 3-2 4-1 (4-2 2-1 2. 5-1) 2. 4-5 {too many} 2-1 *")
    assert [(found.ply, found.key, found.column) for found in examine(record).report.findings] == [
        (3, "heaps.enough", 32)
    ]
    [variation] = record.line.notes[2].variations
    assert variation.words == ("4-2", "2-1", "5-1")
    assert [record.place(ply, variation)[1] for ply in (1, 2, 3)] == [13, 17, 24]
    text = TAGS + "1. 3-2! 4-1 {so} (1... 4-2 2. 2-1 5-1) 2. 2-1 11-1 *\n"
    assert dumps(*map(canonical, loads(text))) == dumps(*loads(text)) == text
    assert loads(text)[0].line.notes[2].variations[0].words == ("4-2", "2-1", "5-1")
    assert examine(loads(text)[0]).report.verdict == "legal"
    assert as_seen(loads(text)[0], 0).line.words == ("3-2", "4-1", "2-1", "11-1")


def test_behind_the_result_it_is_unread_as_every_word() -> None:
    record = of("3-2 1-0 4-1 *")
    assert (record.line.words, record.result, record.tail) == (("3-2",), "1-0", "4-1 *")
    assert [problem.because[:27] for problem in record.problems] == ["found text after the result"]
    assert of("3-2 1-0 0-1").problems[0].because == "found a second result, 0-1, after 1-0, expected one"


def test_a_program_writes_such_words_as_they_are_read() -> None:
    record = Record((("Game", "Heaps"),), Line(("3-2", "4-1"), numbers={0: (1, 1)}, result="1-0"))
    assert dumps(record).endswith("\n1. 3-2 4-1 1-0\n")
    assert loads(dumps(record))[0].line.words == record.line.words


@pytest.mark.parametrize("tags", ['[Game "Cardmate"]', '[Game "Nym"]', ""])
def test_in_other_games_it_is_the_result_as_before(tags: str) -> None:
    [record] = loads(f"{tags}\n\n4Ci3 3-2 11-15\n")
    assert (record.line.words, record.result) == (("4Ci3",), "3-2")
    assert [problem.because for problem in record.problems] == ["found a second result, 11-15, after 3-2, expected one"]


def test_where_nobody_judges_what_cannot_be_a_result_is_a_word() -> None:
    [record] = loads('[Game "Draughts"]\n[Rules "none"]\n\n1. 11-15 23-19 2. 8-11 1/2-1/2\n')
    assert (record.line.words, record.result) == (("11-15", "23-19", "8-11"), "1/2-1/2")
    assert examine(record).report.verdict == "unjudged"


def test_such_words_are_played_corrected_noted_and_taken_in(store: Store) -> None:
    api.open_game(store, api.NewRequest("heaps", id="g", players=("Ada", "Bela"), tags={"Date": "2026.11.22"}))
    assert [one.text for one in api.play(store, "g", api.WordsRequest("1. 3-2 4-1 2-3"))] == ["3-2", "4-1", "2-3"]
    with pytest.raises(Unfit, match="1-0 is a result; write it with `close`"):
        api.play(store, "g", api.WordsRequest("1-0"))
    with pytest.raises(Unfit, match="1-0 is a result; write it with `close`"):
        api.amend(store, "g", api.AmendRequest(2, "1-0"))
    with pytest.raises(Unread, match="found 4-15"):
        api.play(store, "g", api.WordsRequest("p2/4-15"))
    assert api.amend(store, "g", api.AmendRequest(2, "4-2", reason="both remember")).stored
    api.annotate(store, "g", api.NoteRequest(2, variations="(4-3 2-2)"))
    api.rule(
        store, "g", api.RulingRequest((3,), arbiter="A. Person", decision="amended", words="2-2", reason="so it was")
    )
    api.close(store, "g", api.CloseRequest("1-0", termination="adjudication"))
    text = dumps(api.export_cgn(store, "g"))
    assert "\n1. 3-2 4-2 (1... 4-3 2. 2-2) 2. 2-2 {[%ruling amended, arbiter: A. Person]} 1-0\n" in text
    again = text.replace('[Date "2026.11.22"]', '[Date "2026.11.23"]')
    [answer] = api.import_records(store, loads(again), path="x.cgn", by="")
    assert answer.status == "new"
    assert dumps(api.export_cgn(store, answer.id)).split("\n")[2:] == again.split("\n")[2:]
