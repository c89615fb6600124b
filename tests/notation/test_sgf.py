"""SGF: trees, markup and properties of any game are kept, and one writing is a fixed point."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notation import NotationError, Record, canonical, examine, format_in, format_record, load, loads
from cartulary.notation.foreign.formats import find_format
from tests.hunts import budget
from tests.places import SAMPLES

SGF = find_format("sgf")
GAME = """(;GM[1]FF[4]CA[UTF-8]KM[6.5]SZ[19]PB[Béla]PW[Ada]AB[dd][pp]DT[2020-03-14]RE[W+3.5]C[a start
of two lines];W[pd]TR[pd](;B[dp]C[good\\]];W[qf](;B[nc])(;B[md]N[other];W[nc]))
(;B[dq];LB[aa:1][bb:x\\:y]C[none];W[tt]))"""


def read(text: str | bytes) -> list[Record]:
    return list(load(io.BytesIO(text.encode() if isinstance(text, str) else text)))


def test_a_tree_with_markup_is_a_record_with_variations() -> None:
    [record] = read(GAME)
    report = examine(record).report
    assert (report.game, report.verdict, report.plies, report.result, report.format) == (
        "Go",
        "unjudged",
        4,
        "0-1",
        "sgf",
    )
    assert (record.tag("Seat1"), record.tag("Seat2"), record.tag("Date")) == ("Béla", "Ada", "2020.03.14")
    assert (record.tag("AB"), record.tag("KM"), record.tag("RE")) == ("[dd][pp]", "6.5", "W+3.5")
    assert record.line.words == ("p2/pd", "dp", "qf", "nc")
    assert examine(record).spoke == (2, 1, 2, 1)
    assert record.line.notes[0].comments == ("a start of two lines",)
    [variation] = record.line.notes[2].variations
    assert variation.words == ("dq", "pass")
    assert record.line.notes[4].variations[0].words == ("md", "nc")


def test_one_writing_is_a_fixed_point_and_keeps_every_property() -> None:
    [record] = read(GAME)
    text = format_in(record, SGF)
    for kept in (
        "TR[pd]",
        "C[good\\]]",
        "N[other]",
        "LB[aa:1][bb:x\\:y]",
        "AB[dd][pp]",
        "KM[6.5]",
        "RE[W+3.5]",
        "W[])",
    ):
        assert kept in text
    [again] = read(text)
    assert format_in(again, SGF) == text
    [as_cgn] = loads(format_record(canonical(again)))
    assert format_in(as_cgn, SGF) == text


def test_a_collection_gives_its_games_and_a_broken_end_is_said_where_it_breaks() -> None:
    records = read("(;GM[2];B[e6])(;GM[1];B[aa](;W[bb])(;W[cc]))\n(;GM[1];B[aa]\n;W[bb")
    assert [record.tag("Game") for record in records] == ["Othello", "Go", "Go"]
    [problem] = records[2].problems
    assert (problem.line, problem.because) == (3, "found '[bb', expected a property, a node or ) before the end")
    assert records[2].tail == "(;GM[1];B[aa]\n;W[bb"


@pytest.mark.parametrize("game", ["cardmate/games/page-1", "chess/games/opera", "draughts/games/fax-1991"])
def test_a_game_of_two_seats_comes_back_judged(game: str) -> None:
    path = SAMPLES / f"{game}.cgn"
    if not path.exists():
        path = next(Path(SAMPLES / game.partition("/")[0] / "games").glob("*.cgn"))
    [record] = list(load(path))[:1]
    [again] = read(format_in(record, SGF))
    before, after = examine(record).report, examine(again).report
    assert (after.game, after.plies, after.result, after.verdict) == (
        before.game,
        before.plies,
        before.result,
        before.verdict,
    )


def test_a_table_of_four_has_no_sgf() -> None:
    [record, *_] = load(SAMPLES / "tarot" / "games" / "dementlieu-open.cgn")
    with pytest.raises(NotationError, match="for two seats"):
        format_in(record, SGF)


def test_bytes_in_another_encoding_are_read_as_the_file_says() -> None:
    [record] = read("(;GM[1]CA[Shift_JIS]PB[本因坊];B[aa])".encode("shift_jis"))
    assert record.tag("Seat1") == "本因坊"


_VALUE = st.text(st.sampled_from("ab ]\\:;()[é\n~%$}"), max_size=6)
_PROPERTY = st.tuples(st.sampled_from(("C", "TR", "LB", "N", "GB")), st.lists(_VALUE, min_size=1, max_size=2))


@st.composite
def trees(draw: st.DrawFn, depth: int = 0) -> str:
    """Return the text of a tree."""
    nodes = ""
    for _ in range(draw(st.integers(1, 4))):
        move = draw(st.sampled_from(("", "B[aa]", "W[bb]", "B[]", "B[x y]", "W[~(1)]")))
        nodes += ";" + move
        for ident, values in draw(st.lists(_PROPERTY, max_size=2, unique_by=lambda each: each[0])):
            nodes += ident + "".join("[" + value.replace("\\", "\\\\").replace("]", "\\]") + "]" for value in values)
    branches = [draw(trees(depth + 1)) for _ in range(draw(st.sampled_from((0, 0, 2, 3))))] if depth < 3 else []
    return f"({nodes}{''.join(branches)})"


@budget(60)
@given(st.lists(trees(), min_size=1, max_size=3))
def test_any_tree_is_kept_whatever_stands_in_it(games: list[str]) -> None:
    records = read("".join(f"(;GM[1]{game[1:]}" for game in games))
    assert len(records) == len(games)
    for record in records:
        text = format_in(record, SGF)
        [again] = read(text)
        assert format_in(again, SGF) == text
        assert again.line == record.line
        [as_cgn] = loads(format_record(canonical(again)))
        assert format_in(as_cgn, SGF) == text


def test_a_chess_player_keeps_colour_name_and_glyphs() -> None:
    sheet = (
        '[Game "Chess"]\n[White "Ada"]\n[Black "Bela"]\n[Result "1-0"]\n\n1. e4! $14 e5 $6 (1... c5 $1) 2. Nf3 1-0\n'
    )
    [record] = loads(sheet)
    text = format_in(record, SGF)
    for written in ("PW[Ada]", "PB[Bela]", "RE[W+]", ";W[e4]XNAG[1][14]", ";B[e5]XNAG[6]", ";B[c5]XNAG[1]"):
        assert written in text
    [again] = read(text)
    assert (again.tag("White"), again.tag("Black"), again.result) == ("Ada", "Bela", "1-0")
    assert [again.line.notes[at].glyphs for at in (1, 2)] == [(1, 14), (6,)]
    assert examine(again).report.verdict == "legal"


def test_a_node_behind_variations_is_one_more_of_them_with_a_remark() -> None:
    [record] = load(io.BytesIO(b"(;GM[1](;B[aa])(;B[bb]);W[cc])"), ending=".sgf")
    [remark] = [each for each in record.problems if each.severity == "remark"]
    assert (remark.line, remark.column, "one variation more" in remark.because) == (1, 24, True)
    [again] = load(io.BytesIO(format_in(record, find_format("sgf")).encode()), ending=".sgf")
    assert (again.line, again.problems) == (record.line, ())


def test_a_property_without_a_value_says_nothing() -> None:
    [record] = load(io.BytesIO(b"(;GM;B[aa])"), ending=".sgf")
    assert record.tag("Game") == "Go"
    assert record.line.words == ("aa",)
