"""What other programs and people write in PGN and PDN, read as it is meant: nothing is lost in silence."""

import io
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notation import Record, canonical, examine, format_in, format_record, loads
from cartulary.notation.arbiter.files import load, load_all
from cartulary.notation.foreign.formats import find_format
from tests.hunts import budget

AB = '[White "A"]\n[Black "B"]\n'


def read(text: str | bytes, ending: str = ".pgn", results: str = "") -> list[Record]:
    """Return the games of a text that lies in a file of this ending."""
    data = text.encode() if isinstance(text, str) else text
    return list(load(io.BytesIO(data), ending=ending, results=results))


def judged(record: Record) -> tuple[str, str, int, str]:
    """Return game, verdict, plies and result."""
    report = examine(record).report
    return report.game, report.verdict, report.plies, report.result


def remarks(record: Record) -> list[str]:
    return [found.because for found in examine(record).report.findings if found.severity == "remark"]


def out_and_in(record: Record) -> Record:
    """Return a game as it comes back from its own format, where one more writing changes nothing."""
    format = find_format(record.source.format)
    text = format_in(record, format)
    [again] = read(text, f".{format.name}")
    assert format_in(again, format) == text
    assert format_record(canonical(loads(format_record(canonical(again)))[0])) == format_record(canonical(again))
    return again


# --- results ---


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("0.5-0.5", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("1:0", "1-0"),
        ("1 - 0", "1-0"),
        ("0 : 1", "0-1"),
        ("1–0", "1-0"),
        ("+/-", "1-0"),
        ("-/+", "0-1"),
        ("1-0 ff", "1-0"),
        ("1-0`", "1-0"),
        ("draw", "1/2-1/2"),
        ("0:0", "0-0"),
    ],
)
@pytest.mark.parametrize("tag", [True, False])
def test_a_result_that_people_write_otherwise_is_read_with_a_remark(written: str, result: str, tag: bool) -> None:
    text = f'[Result "{written.removesuffix("`").removesuffix(" ff")}"]\n' if tag else ""
    [record] = read(f"{AB}{text}\n1. d4 d5 {written}\n")
    assert judged(record) == ("chess", "legal", 2, result)
    assert any(f"found the result {written}" in answer for answer in remarks(record))
    assert judged(out_and_in(record)) == ("chess", "legal", 2, result)
    assert [answer for answer in remarks(out_and_in(record)) if "result" in answer] == []


@pytest.mark.parametrize(
    ("tag", "moves", "words", "result"),
    [
        ('[Result "0-0"]\n', "1. d4 d5 0-0", 2, "0-0"),
        ("", "1. d4 d5 0-0", 2, "0-0"),
        ('[Result "0-0"]\n', "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 0-0", 8, "0-0"),
        ('[Result "*"]\n', "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3 0-0", 8, "*"),
        ("", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0", 7, "*"),
        ('[Result "1-0"]\n', "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 1-0", 7, "1-0"),
    ],
)
def test_a_double_forfeit_is_a_result_and_castling_is_a_move(tag: str, moves: str, words: int, result: str) -> None:
    [record] = read(f"{AB}{tag}\n{moves}\n")
    assert judged(record) == ("chess", "legal", words, result)
    assert judged(out_and_in(record))[2:] == (words, result)
    [as_cgn] = loads(f'[Game "Chess"]\n{AB}{tag}\n{moves}\n')
    assert judged(as_cgn) == ("chess", "legal", words, result)


def test_castling_with_zeros_is_a_word_of_a_record_that_is_not_judged() -> None:
    [record] = loads('[Game "Losing chess"]\n[Rules "none"]\n\n1. e4 0-0 2. d4 0-0-0 *\n')
    assert (record.line.words, record.result) == (("e4", "0-0", "d4", "0-0-0"), "*")


ON_BOARD = '[FEN "B:W18:B14"]\n\n1. 14x23 '
"""Black takes the last white man."""


def test_the_first_number_of_a_draughts_result_is_the_first_players() -> None:
    [record] = read(f'{AB}[Result "1-0"]\n[GameType "21"]\n{ON_BOARD}1-0\n', ".pdn")
    assert judged(record) == ("draughts", "legal", 1, "1-0")
    assert judged(out_and_in(record)) == ("draughts", "legal", 1, "1-0")


def test_a_file_whose_games_end_on_the_board_only_the_other_way_is_read_so_with_one_remark(tmp_path: Path) -> None:
    white = f'{AB}[Result "0-1"]\n[GameType "21"]\n{ON_BOARD}0-1\n\n'
    played = f'{AB}[Result "1-0"]\n[GameType "21"]\n\n1. 11-15 23-19 1-0\n\n'
    first, second, third = read(white + played + white, ".pdn")
    assert [judged(each)[3] for each in (first, second, third)] == ["1-0", "0-1", "1-0"]
    assert [answer for answer in remarks(first) if "the other way round" in answer] == [
        "results are read the other way round: 2 games that ended on the board fit only so (--results white)"
    ]
    assert remarks(second) == remarks(third) == []
    path = tmp_path / "club.pdn"
    path.write_text(played + white, "utf-8")
    assert [judged(each)[3] for each in load_all(path)] == ["0-1", "1-0"]
    black = f'{AB}[Result "1-0"]\n[GameType "21"]\n{ON_BOARD}1-0\n\n'
    assert judged(read(played + white + black, ".pdn")[0])[3] == "1-0"


def test_whose_result_stands_first_can_be_said_outright() -> None:
    text = f'{AB}[Result "1-0"]\n[GameType "21"]\n\n1. 11-15 23-19 1-0\n'
    assert judged(read(text, ".pdn")[0])[3] == judged(read(text, ".pdn", "first-player")[0])[3] == "1-0"
    [record] = read(text, ".pdn", "white")
    assert (judged(record)[3], record.tag("Result")) == ("0-1", "0-1")
    assert judged(read(f'{AB}[GameType "20"]\n\n1. 32-28 1-0\n', ".pdn", "white")[0])[3] == "1-0"


# --- which game it is ---

BACK_RANK = "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w {} - 0 1"


@pytest.mark.parametrize("rights", ["KQkq", "GDgd"])
@pytest.mark.parametrize("variant", ["", '[Variant "From Position"]\n', '[Variant "Standard"]\n'])
def test_rights_that_only_chess960_has_make_it_chess960(rights: str, variant: str) -> None:
    [record] = read(f'{AB}{variant}[SetUp "1"]\n[FEN "{BACK_RANK.format(rights)}"]\n\n1. b3 b6 2. Nf3 Nf6 3. O-O *\n')
    report = examine(record).report
    assert (report.game, report.variant, report.plies) == ("chess", "chess960", 5)
    assert "found castling rights that only chess960 has; read as a game of chess960" in remarks(record)
    assert "castling" not in " ".join(found.key for found in report.findings)
    assert out_and_in(record).tag("FEN").split()[2] in ("KQkq", "GDgd")


def test_rights_of_the_usual_start_stay_those_of_chess() -> None:
    [record] = read(f'{AB}[SetUp "1"]\n[FEN "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]\n\n1. O-O *\n')
    assert examine(record).report.variant == "standard"


@pytest.mark.parametrize("variant", ["FRC", "Fischer random", "wild/fr", "Freestyle", "Fischerandom", "chess 960"])
def test_other_names_of_chess960_are_read(variant: str) -> None:
    [record] = read(f'{AB}[Variant "{variant}"]\n[SetUp "1"]\n[FEN "{BACK_RANK.format("KQkq")}"]\n\n1. b3 *\n')
    assert examine(record).report.variant == "chess960"
    assert out_and_in(record).tag("Variant") == variant


@pytest.mark.parametrize("variant", ["Regular", "Classic", "", "?", "Standard", "standard", "Normal"])
def test_other_names_of_chess_are_read_and_come_back_or_are_said_to_be_left_out(variant: str) -> None:
    [record] = read(f'{AB}[Variant "{variant}"]\n\n1. e4 *\n')
    assert judged(record) == ("chess", "legal", 1, "*")
    assert out_and_in(record).tag("Variant") == variant or "read as chess" in " ".join(remarks(record))


@pytest.mark.parametrize("variant", ["Seirawan", "Duck chess", "KOTH", "3check"])
def test_a_variant_without_rules_here_is_kept_and_not_judged(variant: str) -> None:
    [record] = read(f'{AB}[Variant "{variant}"]\n\n1. e3 c5 2. Nf3/E d5 *\n')
    assert examine(record).report.verdict == "unjudged"
    assert record.line.words == ("e3", "c5", "Nf3/E", "d5")
    again = out_and_in(record)
    assert again.tag("Variant") == variant or f"found the variant {variant!r}" in " ".join(remarks(record))
    assert again.line.words == record.line.words


@pytest.mark.parametrize("fen", ['[FEN ""]', '[FEN "?"]', '[FEN "startpos"]\n[SetUp "0"]', '[SetUp "0"]\n[FEN "?"]'])
def test_a_fen_that_says_nothing_is_the_usual_start(fen: str) -> None:
    [record] = read(f"{AB}{fen}\n\n1. e4 *\n")
    assert judged(record) == ("chess", "legal", 1, "*")


def test_a_fen_that_cannot_be_read_stays_as_it_is() -> None:
    [record] = read(f'{AB}[SetUp "1"]\n[FEN "four knights, White to move"]\n\n1. e4 *\n')
    assert out_and_in(record).tag("FEN") == "four knights, White to move"


def test_digits_side_by_side_in_a_fen_are_said() -> None:
    [record] = read(f'{AB}[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/1K15 w - - 0 1"]\n\n*\n')
    assert any("1K15" in answer for answer in remarks(record))


@pytest.mark.parametrize("ending", [".pdn", ".pgn", ""])
def test_draughts_are_known_by_their_words_and_positions(ending: str) -> None:
    seven = '[Event "Cup"]\n[Site "?"]\n[Date "1980.01.02"]\n[Round "1"]\n' + AB
    [record] = read(f'{seven}[Result "1/2-1/2"]\n\n1. 11-15 23-19 2. 8-11 22-17 1/2-1/2\n', ending)
    assert judged(record) == ("draughts", "legal", 4, "1/2-1/2")
    [record] = read(
        '[Event "Problem"]\n[Date ""]\n[Black ""]\n[White ""]\n[Result "0-1"]\n[Setup "1"]\n'
        '[FEN "W:WK27,K23:BK28,12."]\n0-1\n',
        ending,
    )
    assert judged(record) == ("draughts", "legal", 0, "0-1")
    assert sorted(out_and_in(record).tag("FEN").split(":")) == ["B12,K28", "W", "WK23,K27"]
    assert any("WK23,K27:B12,K28" in answer for answer in remarks(record))
    [record] = read(f'{AB}[GameType "21"]\n[FEN "B:W18:B14:H0:F1"]\n\n1. 14x23 *\n', ending)
    assert judged(record)[:3] == ("draughts", "legal", 1)


@pytest.mark.parametrize(
    ("moves", "type_", "game"),
    [
        ("1. 32-28 19-23 2. 28x19 14x23 2-0", "20", "International draughts"),
        ("1. 33-29 19-24 *", "20", "International draughts"),
        ("1. 22-18 12-15 *", "22", "Italian draughts"),
        ("1. c3-d4 b6-a5 2. d4-c5 *", "25", "Russian draughts"),
    ],
)
def test_draughts_of_another_kind_are_not_judged_by_english_rules(moves: str, type_: str, game: str) -> None:
    [record] = read(f"{AB}\n{moves}\n", ".pdn")
    assert (record.tag("Game"), examine(record).report.verdict) == (game, "unjudged")
    assert any("found no GameType" in answer for answer in remarks(record))
    again = out_and_in(record)
    assert (again.tag("GameType"), again.line.words, again.result) == (type_, record.line.words, record.result)


def test_a_game_is_read_as_what_it_is_whatever_stands_before_it() -> None:
    chess, draughts, other = read(f'{AB}\n1. e4 *\n\n{AB}\n1. 11-15 *\n\n[Game "Cardmate"]\n\n1. 4Ci3 *\n')
    assert [each.tag("Game") for each in (chess, draughts, other)] == ["Chess", "Draughts", "Cardmate"]


# --- odd lines ---


@pytest.mark.parametrize(
    "before", ["Games of the evening\n\n", "[pgn]\n", "{ a list }\n\n", "{ a list }\n", "\ufeff\n\n", "one\ntwo\n\n"]
)
def test_what_stands_before_the_first_tag_is_kept_and_refuses_nothing(before: str) -> None:
    first, second = read(f'{before}[Event "x"]\n{AB}\n1. e4 e5 1-0\n\n[Event "y"]\n{AB}\n1. d4 0-1\n')
    assert [judged(each) for each in (first, second)] == [("chess", "legal", 2, "1-0"), ("chess", "legal", 1, "0-1")]
    words = before.strip("\ufeff\n{ }")
    if words:
        assert " ".join(words.split()) in " ".join(first.line.notes[0].comments)
        assert remarks(first)
        assert first.problems[0].line == 1


def test_a_first_game_without_moves_is_a_game() -> None:
    first, second = read(f"{AB}\n draw\n{AB}\n1. c4 1-0\n")
    assert (judged(first)[2:], judged(second)[2:]) == ((0, "1/2-1/2"), (1, "1-0"))
    first, second = read('[ECO "A00"]\n[Opening "One"]\n\n*\n\n[ECO "A01"]\n[Opening "Two"]\n\n1. b3 *\n')
    assert (judged(first), judged(second)) == (("chess", "legal", 0, "*"), ("chess", "legal", 1, "*"))
    first, second = read('[ECO "A00"]\n[White "A"]\n\n[ECO "A01"]\n[White "C"]\n\n1. b3 *\n')
    assert (first.tag("White"), second.tag("White")) == ("A", "C")


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ('[Event "5th "Memorial" open"]', "Event", '5th "Memorial" open'),
        ('[Site "C:\\"]', "Site", "C:\\"),
        ('[Time-Control "40/2h"]', "Time_Control", "40/2h"),
        ('[Black.Elo "1200"]', "Black_Elo", "1200"),
        ("[Event Club evening]", "Event", "Club evening"),
        ('[Event"Club evening"]', "Event", "Club evening"),
        ("[Event “Club evening”]", "Event", "Club evening"),
        ('[Event "Club evening"', "Event", "Club evening"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_badly_written_tag_is_read_by_its_first_and_last_quote(line: str, name: str, value: str, first: bool) -> None:
    before = "" if first else f'[Event "w"]\n{AB}\n1. c4 *\n\n'
    *_, record = read(f"{before}{line}\n{AB}\n1. e4 *\n")
    assert len(read(f"{before}{line}\n{AB}\n1. e4 *\n")) == (1 if first else 2)
    assert (record.tag(name), judged(record)) == (value, ("chess", "legal", 1, "*"))
    assert any(line[:30] in answer for answer in remarks(record))
    assert out_and_in(record).tag(name) == value


def test_of_a_tag_written_twice_the_first_counts_everywhere() -> None:
    [record] = read('[White "Ada"]\n[White "Bela"]\n[Black "Carl"]\n\n1. e4 1-0\n')
    assert judged(record) == ("chess", "legal", 1, "1-0")
    assert out_and_in(record).tag("White") == "Ada"
    assert any("found the tag White twice" in answer and "'Bela'" in answer for answer in remarks(record))


def test_a_glyph_that_is_none_is_kept_as_a_comment() -> None:
    [record] = read(f"{AB}\n1. e4 $300 e5 {{kept}} *\n")
    assert judged(record) == ("chess", "legal", 2, "*")
    assert out_and_in(record).line.notes[1].comments == ("$300",)
    [as_cgn] = loads(f'[Game "Chess"]\n{AB}\n1. e4 $300 e5 *\n')
    assert format_record(as_cgn).count("$300") == 1
    assert examine(as_cgn).report.verdict == "unreadable"


@pytest.mark.parametrize(
    "between", ["1/2-1/2", "1/2-1/2\n", "1/2-1/2`", "1/2-1/2 ", "1/2-1/2\n\n\ufeff", "1/2-1/2\n\ufeff"]
)
def test_games_that_run_on_are_games_of_their_own(between: str) -> None:
    text = f'[Event "One"]\n{AB}\n1. d4 Nf6 {between}[Event "Two"]\n{AB}\n1. e4 e5 1-0\n'
    first, second = read(text * 3)[:2]
    assert len(read(text * 3)) == 6
    assert (first.tag("Event"), judged(first)) == ("One", ("chess", "legal", 2, "1/2-1/2"))
    assert (second.tag("Event"), judged(second)) == ("Two", ("chess", "legal", 2, "1-0"))


def test_games_without_tags_follow_one_another() -> None:
    games = read("1. e4 e5 1-0\n\n1. d4 {1. not a game} (1. c4 e5) d5 0-1\n1. c4 *\n\n1. Nf3 d5\n\n1. b3 e5 *\n")
    assert [(each.line.words, each.result) for each in games] == [
        (("e4", "e5"), "1-0"),
        (("d4", "d5"), "0-1"),
        (("c4",), "*"),
        (("Nf3", "d5"), ""),
        (("b3", "e5"), "*"),
    ]


def test_bytes_of_windows_are_letters_and_quotes() -> None:
    [record] = read('[White "Šime König"]\n[Black "B"]\n\n1. e4 {“quoted” – € 5} *\n'.encode("cp1252"))
    assert (record.tag("White"), record.line.notes[1].comments) == ("Šime König", ("“quoted” – € 5",))
    assert remarks(record)[0] == "read as Windows-1252: the text is not UTF-8"


@pytest.mark.parametrize(
    ("written", "glyphs"),
    [
        ("e4 +-", (18,)),
        ("e4 = ", (10,)),
        ("e4 N", (146,)),
        ("e4 !!!", (3,)),
        ("e4 ???", (4,)),
        ("e4□", (7,)),
        ("e4N", (146,)),
        ("e4!? +-", (5, 18)),
        ("e4+-", (18,)),
    ],
)
def test_glyphs_in_words_are_glyphs(written: str, glyphs: tuple[int, ...]) -> None:
    [record] = read(f"{AB}\n1. {written} e5 2. Nf3 *\n")
    assert judged(record) == ("chess", "legal", 3, "*")
    assert record.line.notes[1].glyphs == glyphs
    assert record.place(3) == (4, len(f"1. {written} e5 2. ") + 1)
    assert out_and_in(record).line.notes[1].glyphs == glyphs


def test_checks_in_words_and_promotions_in_parentheses_are_read() -> None:
    [record] = read(f"{AB}\n1. e4 f6 2. d4 g5 3. Qh5 mate *\n")
    assert judged(record)[1:3] == ("legal", 5)
    [record] = read(f'{AB}[SetUp "1"]\n[FEN "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. axb8(Q) ch Kg7 *\n')
    assert (canonical(record).line.words[0], examine(record).report.plies) == ("axb8=Q+", 2)
    assert examine(record).report.verdict == "legal"


# --- what real files were found to hold ---


@pytest.mark.parametrize(
    "moves", ["1 .e4 e5 2 .Nf3", "1. e4 ...e5 2. Nf3", "1.e4 ..e5 2.Nf3", "1.e4 …e5 2.Nf3", "1) e4 e5 2) Nf3"]
)
def test_dots_and_parentheses_of_numbers_are_no_part_of_a_move(moves: str) -> None:
    [record] = read(f"{AB}\n{moves} *\n")
    assert judged(record) == ("chess", "legal", 3, "*")
    assert remarks(record)
    assert out_and_in(record).line.words == ("e4", "e5", "Nf3")


@pytest.mark.parametrize(
    ("end", "result"),
    [
        ("Nf3#1-0", "1-0"),
        ("Nf31/2-1/2", "1/2-1/2"),
        ("Nf3 ½–½", "1/2-1/2"),
        ("Nf3 1-O", "1-0"),
        ("Nf3 0-1F", "0-1"),
        ("Nf3 1-0 1-0", "1-0"),
        ("Nf3 1-1", "1/2-1/2"),
        ("Nf3 1-0\n\nwords behind it", "1-0"),
        ("Nf3 White resigns 0-1", "0-1"),
        ("Nf3 } 1-0", "1-0"),
        ("Nf3!!! 1-0", "1-0"),
        ("Nf3 !?! 1-0", "1-0"),
        ("Nf3 0-0-0\n", ""),
    ],
)
def test_a_result_is_found_whatever_stands_beside_it(end: str, result: str) -> None:
    [record] = read(f"{AB}\n1. e4 e5 2. {end}\n")
    if not result:
        assert record.line.words[-1] == "0-0-0"
        return
    assert judged(record) == ("chess", "legal", 3, result)
    assert remarks(record)
    assert judged(out_and_in(record)) == ("chess", "legal", 3, result)


def test_words_behind_the_moves_or_the_result_stay_as_a_comment() -> None:
    [record] = read(f"{AB}\n1. e4 e5 White resigns 0-1\n\nA good game\n")
    assert out_and_in(record).line.notes[2].comments == ("White resigns", "A good game")


@pytest.mark.parametrize("end", ["½-½", "0-0", "", "1:0", "1-0 "])
def test_a_tag_in_the_middle_of_a_line_begins_a_game_whatever_the_result(end: str) -> None:
    first, second = read(f'{AB}\n1. e4 {{[%clk 0:01:00] not [Event "x"]}} e5 {end}[Event "Two"]\n{AB}\n1. d4 *\n')
    assert (judged(first)[1:3], second.tag("Event"), judged(second)[2]) == (("legal", 2), "Two", 1)


def test_the_name_of_a_tag_ends_at_its_first_quote_and_what_follows_the_last_is_kept() -> None:
    [record] = read(f'[White Elo "2000"]\n{AB}[Event "x" ; first round\n\n1. e4 *\n')
    assert (record.tag("White_Elo"), record.tag("White"), record.tag("Event")) == ("2000", "A", "x")
    assert record.line.notes[0].comments == ("; first round",)


def test_a_tag_written_many_times_has_one_remark() -> None:
    [record] = read('[White "A"]' + '[White "B"]' * 5000 + "\n\n1. e4 *\n")
    assert [answer for answer in remarks(record) if "5001 times" in answer and answer.count("'B'") == 3]


@pytest.mark.parametrize(
    ("fen", "first"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "e4"),
        ("4k3/8/8/8/8/8/4P3/4K3 W - - 0 1", "e4"),
        ("4k3/8/8/8/8/8/4P3/4K3[] w - - 0 1", "e4"),
        ("4k3/8/8/8/8/8/4P3/4K3/ w - - 0 1", "e4"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 bm e4;", "e4"),
        ("position startpos", "e4"),
        ("none", "e4"),
    ],
)
def test_other_spellings_of_a_fen_are_read_with_a_remark(fen: str, first: str) -> None:
    [record] = read(f'{AB}[SetUp "1"]\n[FEN "{fen}"]\n\n1. {first} *\n')
    assert judged(record)[:3] == ("chess", "legal", 1)
    assert any("FEN" in answer for answer in remarks(record))
    out_and_in(record)


def test_a_set_up_without_a_fen_is_the_usual_start() -> None:
    [record] = read(f'{AB}[SetUp "1"]\n\n1. e4 *\n')
    assert judged(record) == ("chess", "legal", 1, "*")
    assert 'found SetUp "1" and no FEN, read as the usual start' in remarks(record)


def test_a_longer_name_of_chess960_is_read_and_a_mixture_is_not_judged() -> None:
    [record] = read(f'{AB}[Variant "Chess 960 (FRC)"]\n\n1. e4 *\n')
    assert examine(record).report.variant == "chess960"
    assert "found the variant 'Chess 960 (FRC)', read as chess960" in remarks(record)
    [record] = read(f'{AB}[Variant "Crazyhouse 960"]\n\n1. e4 *\n')
    assert examine(record).report.verdict == "unjudged"


@pytest.mark.parametrize("word", ["Qa5+-", "OO", "Qd5:"])
def test_what_is_taken_off_a_word_is_said(word: str) -> None:
    [record] = read(f"{AB}\n1. {word} *\n")
    assert any(answer.startswith(f"found {word}, read as") for answer in remarks(record))


def test_draughts_in_letters_are_known_by_their_diagonals_and_positions() -> None:
    for moves in ("1. h2-g3 b6-a5", "1. a3b4 b6a5", "1. g3-h4 b6-a5"):
        [record] = read(f"{AB}\n{moves} *\n", ".pdn")
        assert (record.tag("Game"), record.source.format) == ("Russian draughts", "pdn")
    [record] = read(f'{AB}[FEN "W:W22,25:B4,8"]\n\n1. b2-c3\n', ".pdn")
    assert record.source.format == "pdn"
    [record] = read(f"{AB}\n1. e2e4 e7e5 2. g1f3 *\n", ".pdn")
    assert judged(record) == ("chess", "legal", 3, "*")


def test_a_score_of_points_that_the_tag_gives_too_is_the_result_of_draughts() -> None:
    [record] = read(f'{AB}[Result "4-6"]\n\n1. 32-28 19-23 4-6\n', ".pdn")
    assert (record.line.words, record.result) == (("32-28", "19-23"), "2/5-3/5")
    assert any("found the result 4-6" in answer for answer in remarks(record))
    assert out_and_in(record).line.words == ("32-28", "19-23")


def test_white_wins_in_words_is_the_second_player_of_english_draughts() -> None:
    [record] = read(f'{AB}[Result "White wins"]\n[GameType "21"]\n\n1. 11-15 22-18\n', ".pdn")
    assert record.tag("Result") == "0-1"


def test_words_stuck_to_a_move_of_draughts_are_a_comment() -> None:
    [record] = read(f'{AB}[GameType "21"]\n\n1. 11-15 23-19White resigned. 1-0\n', ".pdn")
    assert record.line.words[:2] == ("11-15", "23-19")
    assert judged(record)[1:3] == ("legal", 2)


@pytest.mark.parametrize("ending", ["*", "1-0", "2-0"])
def test_a_blank_within_a_move_of_draughts_is_left_out_with_a_remark(ending: str) -> None:
    moves = f"1. 11-15 24-20  2.  8-11 28-24  3.  4- 8! (3.  3- 8 {{not 4- 8}}) 23-19 4. 15-18 22x15 5. 11x18 {ending}"
    [record] = read(f'{AB}[GameType "21"]\n\n{moves}\n', ".pdn")
    words = ("11-15", "24-20", "8-11", "28-24", "4-8", "23-19", "15-18", "22x15", "11x18")
    assert record.line.words == words
    assert judged(record)[3] == ("*" if ending == "*" else "1-0")
    assert {"found a blank within a move, read as 4-8!", "found a blank within a move, read as 3-8"} <= set(
        remarks(record)
    )
    again = out_and_in(record)
    assert (again.line.words, again.line.notes) == (words, record.line.notes)
    assert [answer for answer in remarks(again) if "blank" in answer] == []


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("16 x23", ("16x23",)),
        ("27 x 18 x 11", ("27x18x11",)),
        ("4 - 8 16 -20", ("4-8", "16-20")),
        ("1 -6! 7x16", ("1-6", "7x16")),
        ("13 x22 x31 5-9", ("13x22x31", "5-9")),
    ],
)
def test_no_square_is_lost_where_blanks_stand_about_a_sign(written: str, read_as: tuple[str, ...]) -> None:
    [record] = read(f'{AB}[GameType "20"]\n\n1. 32-28 19-23 2. {written} (2. {written}) *\n', ".pdn")
    assert record.line.words == ("32-28", "19-23", *read_as)
    assert out_and_in(record).line.words == record.line.words
    assert sum("found a blank within a move" in answer for answer in remarks(record)) >= 2


@pytest.mark.parametrize("odd", ["!", " {in time trouble}", "White resigned"])
def test_the_squares_of_a_capture_are_no_words_stuck_to_it(odd: str) -> None:
    [record] = read(f'{AB}[GameType "20"]\n\n1. 33x22x31 9x18x25{odd} *\n', ".pdn")
    assert record.line.words == ("33x22x31", "9x18x25")
    assert not any("33x22" in answer for answer in remarks(record))


@pytest.mark.parametrize(("signs", "glyph"), [("!!!", 3), ("!?!!!", 5), ("!!!!!!", 3), ("????????", 4)])
def test_a_run_of_signs_is_one_glyph_however_long_it_is(signs: str, glyph: int) -> None:
    for spelled in (f"1. e4 {signs} e5 *", f"1. e4 (1. d4 {signs}) e5 *"):
        [record] = read(f"{AB}\n{spelled}\n")
        assert record.line.words == ("e4", "e5")
        assert any(answer.endswith(f"read as ${glyph}") for answer in remarks(record))
        assert out_and_in(record).line.notes == record.line.notes


@pytest.mark.parametrize(("ending", "move"), [(".pgn", "e4"), (".pdn", "11-15")])
@pytest.mark.parametrize(("signs", "glyph"), [("!!!", 3), ("!?!!!", 5), ("!!?", 3), ("?!??", 6), ("!?", 5)])
def test_a_run_of_signs_stuck_to_a_move_means_what_it_begins_with(
    signs: str, glyph: int, ending: str, move: str
) -> None:
    [record] = read(f"{AB}\n1. {move}{signs} *\n", ending)
    assert (record.line.words, record.line.notes[1].glyphs) == ((move,), (glyph,))
    named = [answer for answer in remarks(record) if f"found {move}{signs}, read as {move}" in answer]
    assert len(named) == (len(signs) > 2)


@pytest.mark.parametrize(
    ("written", "result"),
    [("2-0", "1-0"), ("2 - 0", "1-0"), ("0:2", "0-1"), ("2:0", "1-0"), ("1 - 1", "1/2-1/2"), ("Drawn", "1/2-1/2")],
)
@pytest.mark.parametrize("tag", [True, False])
def test_points_of_draughts_are_a_result_however_they_are_spelled(written: str, result: str, tag: bool) -> None:
    stated = f'[Result "{written}"]\n' if tag else ""
    [record] = read(f'{AB}{stated}[GameType "21"]\n\n1. 11-15 22-18 {written}\n', ".pdn")
    assert judged(record) == ("draughts", "legal", 2, result)
    assert any(f"found the result {written}" in answer for answer in remarks(record))


def test_a_few_nul_bytes_are_blanks_and_many_are_no_text() -> None:
    first, second = read(f"{AB}\n1. e4\0 e5 *\n\n{AB}\n1. d4 *\n\x1a")
    assert (judged(first)[1:3], judged(second)[1:3]) == (("legal", 2), ("legal", 1))
    assert "found 1 NUL byte, expected text; read as a blank" in remarks(first)
    [record] = read(f"{AB}\n1. e4 *\n".encode("utf-16"))
    assert "text in UTF-16" in examine(record).report.findings[0].because


@pytest.mark.parametrize(
    "game",
    ['[White "A"] 1. e4 e5 1-0 ', '[White "A"]\n\n1. e4 e5 ½-½', "1. e4 e5 1-0 ", '[White "A"]\r\r1. e4 e5 1-0\r\r'],
)
def test_a_long_line_of_many_games_takes_a_time_in_proportion(game: str) -> None:
    def seconds(count: int) -> float:
        begun = process_time()
        assert len(read(game * count)) == count
        return process_time() - begun

    seconds(1000)
    assert seconds(8000) < 5 * max(seconds(4000), 0.02)


# --- all of it together ---

_GAMES = (("e4", "e5", "Nf3", "Nc6"), ("d4", "d5"), ("c4",), ())
_TAGS = st.sampled_from(
    (
        '[Event "a"]',
        '[Event "5th "b" c"]',
        '[My-Tag "x"]',
        '[White "A"]',
        '[White "A"]\n[White "Z"]',
        "[Site Town]",
        '[Variant "Standard"]',
    )
)
_ENDS = st.sampled_from(("1-0", "1:0", "½-½", "0-0", "*", "1-0`", "1/2-1/2", "1 - 0", "draw"))
_MARKS = st.sampled_from(("", "!", " $300", " +-", " {note}", " = ", " (1. a3)", "N", " {[%clk 0:01:00]}"))


@st.composite
def odd_texts(draw: st.DrawFn) -> tuple[str, list[tuple[str, ...]]]:
    """Return a file of games with oddities mixed in, and the words of each game."""
    text, games = draw(st.sampled_from(("", "words first\n\n", "{ a comment }\n\n", "[pgn]\n", "\ufeff"))), []
    for _ in range(draw(st.integers(1, 4))):
        words = draw(st.sampled_from(_GAMES))
        tags = ['[Black "B"]', *draw(st.lists(_TAGS, max_size=4, unique=True))]
        moves = " ".join(f"{'' if at % 2 else f'{at // 2 + 1}. '}{word}{draw(_MARKS)}" for at, word in enumerate(words))
        text += "\n".join(tags) + f"\n\n{moves} {draw(_ENDS)}"
        text += draw(st.sampled_from(("\n\n", "\n", "\r\n\r\n")))
        games.append(words)
    return text, games


@budget(80)
@given(odd_texts())
def test_every_oddity_at_once_is_read_and_written_without_loss(drawn: tuple[str, list[tuple[str, ...]]]) -> None:
    text, games = drawn
    records = read(text)
    assert [record.line.words for record in records] == games
    for record in records:
        assert examine(record).report.verdict == "legal"
        assert out_and_in(record).line.words == record.line.words


def test_a_number_that_numbers_no_move_is_named() -> None:
    [record] = read('[GameType "21"]\n\n1. 11-15 24 19 2. 15-18 *\n', ".pdn")
    assert [because for because in remarks(record) if "left out" in because] == [
        "found 24 before 19, expected a move; left out",
        "found 19 before 2, expected a move; left out",
    ]
    assert remarks(read('[Event "x"]\n\n1. 1. e4 1... e5 *\n')[0]) == []


@pytest.mark.parametrize("end", ["White wins", "Black resigns.", ""])
def test_moves_without_a_result_end_with_that_of_the_tag(end: str) -> None:
    [record] = read(f'{AB}[Result "1-0"]\n\n1. e4 e5 {end}\n')
    assert (record.line.words, record.result) == (("e4", "e5"), "1-0")
    assert [because for because in remarks(record) if "no result" in because] == [
        "found no result at the end of the movetext, which may have been cut off; the Result tag's 1-0 counts"
    ]
    again = out_and_in(record)
    assert (again.result, remarks(again)) == ("1-0", [])


def test_an_open_tag_or_one_that_is_no_result_ends_no_moves() -> None:
    for tag in ("*", "?", "adjourned", "1-1-1"):
        [record] = read(f'{AB}[Result "{tag}"]\n\n1. e4 e5\n')
        assert record.result == ""
    [record] = loads('[Game "Chess"]\n[Result "1-0"]\n\n1. e4 e5\n')
    assert record.result == "", "CGN is not guessed at"


def test_the_result_of_a_tag_is_turned_round_with_the_others_of_a_file() -> None:
    [record] = read(f'{AB}[Result "1-0"]\n[GameType "21"]\n\n1. 11-15 22-18\n', ".pdn", "white")
    assert (record.tag("Result"), record.result) == ("0-1", "0-1")


@pytest.mark.parametrize(
    ("written", "type_", "result"),
    [("Black won", "", "0-1"), ("white won", "", "1-0"), ("Black won", "21", "1-0"), ("Red won", "21", "1-0")],
)
def test_won_is_read_as_wins_is(written: str, type_: str, result: str) -> None:
    tags, moves = (f'[GameType "{type_}"]\n', "11-15 22-18") if type_ else ("", "e4 e5")
    [record] = read(f'{AB}{tags}[Result "{written}"]\n\n1. {moves} {result}\n')
    assert (record.tag("Result"), examine(record).report.verdict) == (result, "legal")
    assert f"found the result {written}, read as {result}" in remarks(record)


def test_a_semicolon_stuck_to_a_word_is_named_where_it_hides_words() -> None:
    [record] = read(f"{AB}\n1 e4 c5;\n2 Nf3 Nc6; 3 Bb5 g6;\n4 O-O Bg7 0-1\n")
    assert [because for because in remarks(record) if "; " in because] == [
        "found ; directly after a word, expected a blank before it; the rest of the line is a comment: 3 Bb5 g6;"
    ]
    assert remarks(read(f"{AB}\n1. e4 c5 ; the Sicilian\n2. Nf3 {{a; b}} ;2. Nc3\n*\n")[0]) == []


def test_findings_stand_in_the_order_of_their_lines() -> None:
    text = '[Event "E"]\n[Date "2020"]\n[Result "White wins"]\n[Variant "?"]\n\n1. e4!?! e5\n2. Nf3 e.p. N\nNc6. { a\n'
    findings = examine(read(text)[0]).report.findings
    assert len(findings) > 6
    assert [found.line for found in findings] == sorted(found.line for found in findings)
