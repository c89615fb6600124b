"""Where things are: every word, tag and problem is found again at its line and column."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notation import (
    Line,
    NotationError,
    Record,
    dumps,
    examine,
    load,
    load_range,
    loads,
)
from tests.hunts import budget
from tests.notation.strategies import Scribe, files, results, shape

GAME = '[Game "Cardmate"]\n\n'


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a file as an editor numbers them."""
    return data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")


def variations(line: Line) -> Iterator[Line]:
    """Yield every variation under a line."""
    for note in line.notes.values():
        for inner in note.variations:
            yield inner
            yield from variations(inner)


@budget(40)
@given(files(result=st.just("") | results()), st.integers(0, 2**32))
def test_every_word_stands_where_the_record_says(games: list[Record], seed: int) -> None:
    data = Scribe(seed).file(games)
    lines = lines_of(data)
    for record in loads(data):
        for line in (record.line, *variations(record.line)):
            for ply, word in enumerate(line.words, 1):
                row, column = record.place(ply, line)
                assert lines[row - 1][column - 1 :].startswith(word)


@budget(40)
@given(files(), st.integers(0, 2**32))
def test_every_tag_stands_where_the_record_says(games: list[Record], seed: int) -> None:
    data = Scribe(seed).file(games)
    lines = lines_of(data)
    for record in loads(data):
        assert lines[record.at - 1].strip() or not lines[record.at - 1 :]
        for name, _ in record.tags:
            row, column = record.place_of_tag(name)
            assert lines[row - 1][column - 1 :].lstrip("[ \t").startswith(name)


FAULTS = [
    ("an unclosed comment", GAME + "4Ci3 4Db6 {then\nsilence", 3, 11, "}"),
    ("an unclosed variation", GAME + "4Ci3\n4Db6 (4Dc6 (4Da6)", 4, 6, "parenthesis"),
    ("the inner of two unclosed variations", GAME + "4Ci3 (4Ca2)\n(4Cb2 (4Cc2", 4, 1, "parenthesis"),
    ("a parenthesis too many", GAME + "4Ci3 )", 3, 6, "expected an opening one"),
    ("a variation of nothing", GAME + "(4Ci3)", 3, 1, "expected before it the move"),
    ("a glyph past the last", GAME + "4Ci3 $256", 3, 6, "$0 to $255"),
    ("a glyph without a number", GAME + "4Ci3 $", 3, 6, "$0 to $255"),
    ("a broken tag", '[Game "Cardmate"]\n [Event "open\n\n*', 2, 2, "expected a tag"),
    ("a tag without quotes", '[Game "Cardmate"]\n[Event Open]\n\n*', 2, 1, "expected a tag"),
    ("words behind the result", GAME + "4Ci3 1-0\n{note} 4Db6", 4, 8, "after the result"),
    ("a second result", GAME + "4Ci3 1-0 0-1", 3, 10, "second result"),
    ("a NUL byte", GAME + "4Ci3\n4D\0b6", 4, 3, "NUL"),
    ("a variation 101 deep", GAME + "4Ci3 " + "(4Ci3 " * 101 + ")" * 101, 3, 606, "at most 100 levels"),
]


@pytest.mark.parametrize(("why", "text", "line", "column", "says"), FAULTS, ids=[row[0] for row in FAULTS])
@pytest.mark.parametrize("before", ["", '% CGN 1.0\n[Game "Cardmate"]\n\n4Ci3 1-0\n\n'])
def test_a_fault_is_reported_where_it_begins(
    why: str, text: str, line: int, column: int, says: str, before: str
) -> None:
    records = loads(f'{before}{text}\n\n[Game "Cardmate"]\n\n4Ci3 {{intact}} *\n')
    errors = [problem for problem in records[-2].problems if problem.severity == "error"]
    assert (errors[0].line - before.count("\n"), errors[0].column) == (line, column)
    assert says in errors[0].because
    assert records[-1].problems == ()
    assert shape(records[-1])[2] == (("4Ci3",), ((1, (), ("intact",)),), (), "*")


@pytest.mark.parametrize(("why", "text", "line", "column", "says"), FAULTS, ids=[row[0] for row in FAULTS])
def test_strict_reading_stops_where_the_fault_begins(why: str, text: str, line: int, column: int, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        loads(text, strict=True)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert says in caught.value.because


REMARKS = [
    ("a full stop behind a word", GAME + "4Ci3 4Db6.", 3, 6, "cgn.mark"),
    ("a backslash before a letter", '[Game "Cardmate"]\n[Site "a\\b"]\n\n*', 2, 9, "cgn.syntax"),
    ("a game that is Latin-1", '[Game "Cardmate"]\n[Site "Orléans"]\n\n*', 1, 1, "cgn.syntax"),
]


@pytest.mark.parametrize(("why", "text", "line", "column", "key"), REMARKS, ids=[row[0] for row in REMARKS])
def test_what_can_be_put_right_is_a_remark(why: str, text: str, line: int, column: int, key: str) -> None:
    (record,) = loads(text.encode("latin-1"), strict=True)
    (problem,) = record.problems
    assert (problem.severity, problem.line, problem.column, problem.key) == ("remark", line, column, key)


def test_latin_1_in_one_game_leaves_its_neighbours_alone() -> None:
    good = '[Game "Cardmate"]\n[Site "Orléans"]\n\n4Ci3 *\n\n'
    records = loads(good.encode() + good.encode("latin-1") + good.encode())
    assert [record.tag("Site") for record in records] == ["Orléans"] * 3
    assert [len(record.problems) for record in records] == [0, 1, 0]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_are_the_same_whatever_ends_the_lines(end: str) -> None:
    text = (GAME + "4Ci3 {a\nb} 4Db6\n)\n").replace("\n", end)
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode()):
        (record,) = loads(data)
        assert record.place(1) == (3, 1)
        assert record.place(2) == (4, 4)
        assert [(problem.line, problem.column) for problem in record.problems] == [(5, 1)]


def test_places_count_characters_not_bytes() -> None:
    (record,) = loads(GAME + "4Ci3 {Ångström, 象棋, 🂡} 4Db6\n")
    assert record.place(2) == (3, 24)


def test_places_hold_behind_a_stray_parenthesis_and_in_a_variation_of_nothing() -> None:
    (record,) = loads(GAME + "4Ci3 ) 4Db6 (4Dc6 0-1) *\n")
    assert [record.place(ply) for ply in (1, 2)] == [(3, 1), (3, 8)]
    (record,) = loads(GAME + "(4Ci3 0-1) 4Db6 4Ca2 *\n")
    (variation,) = record.line.notes[0].variations
    assert record.place(1, variation) == (3, 2)
    assert record.place(2) == (3, 17)
    assert "(4Ci3 0-1) 4Db6" in dumps(record)


def test_findings_of_later_games_count_lines_from_the_top_of_the_file() -> None:
    text = GAME + "4Ci3 *\n\n" + '% a\n[Game "Cardmate"]\n\n4Ci3 4Db6\n 4Ce5 *\n'
    found = examine(loads(text)[1]).report.findings
    assert [(finding.ply, finding.line, finding.column) for finding in found] == [(3, 9, 2)]


def test_blank_lines_between_tags_part_no_sheet() -> None:
    parted = '[Game "Cardmate"]\n\n[Site "?"]\n \n\n% kept\n[Round "2"]\n\n4Ci3 *\n\n[Game "Tarot"]\n\n*\n'
    records = loads(parted)
    assert [len(record.tags) for record in records] == [3, 1]
    assert records[0].escapes == (" kept",)
    assert records[0].place(1) == (9, 1)


def test_a_blank_line_under_the_header_parts_nothing() -> None:
    records = loads("% CGN 1.0\n% by hand\n\n" + GAME + "4Ci3 *\n")
    assert [shape(record)[:2] for record in records] == [((("Game", "Cardmate"),), (" by hand",))]


def test_a_tag_line_begins_a_game_without_a_blank_line_but_not_in_a_comment() -> None:
    records = loads(GAME + '4Ci3 {he said\n[Game "x"] did he} 4Db6 (4Dc6\n[Game "Tarot"]\n*\n')
    assert [record.line.words for record in records] == [("4Ci3", "4Db6"), ()]
    assert records[1].result == "*"
    assert [problem.column for problem in records[0].problems] == [25]


def test_ranges_cut_anywhere_yield_each_game_once(tmp_path: Path) -> None:
    games = [f'% {n}\n[Game "Cardmate"]\n[Round "{n}"]\n\n4Ci3 {{{n}}} *\n\n' for n in range(6)]
    file = tmp_path / "games.cgn"
    file.write_bytes("".join(games).encode())
    size, whole = file.stat().st_size, [shape(record) for record in load(file)]
    for cut in range(size + 1):
        halves = [*load_range(file, 0, cut), *load_range(file, cut, size)] if cut else [*load_range(file, 0, size)]
        assert [shape(record) for record in halves] == whole
