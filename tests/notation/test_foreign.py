"""Other people's formats: known by their content, read as they are met with, and written so that others read them."""

import io
from pathlib import Path
from random import Random

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cartulary.notation import NotationError, Record, canonical, examine, format_in, format_record, load, loads
from cartulary.notation.arbiter.files import load_range
from cartulary.notation.cgn.record import Line
from cartulary.notation.foreign.contract import OtherFormat
from cartulary.notation.foreign.formats import FORMATS, find_format, sniff
from tests.hunts import budget, looks
from tests.notation.strategies import Scribe, files
from tests.places import SAMPLES

ROSTER = '[Event "Cup"]\n[Site "?"]\n[Date "2024.01.02"]\n[Round "1"]\n[White "w"]\n[Black "b"]\n[Result "*"]\n'
PLAYERS = '[White "w"]\n[Black "b"]\n'


def told(text: str | bytes) -> list[tuple[str, str]]:
    """Return severity and key of what is found in a text's first game."""
    return [(one.severity, one.key) for one in examine(loads(text)[0]).report.findings]


# --- which format it is ---


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (ROSTER + "\n1. e4 *\n", "pgn"),
        (ROSTER + "\n*\n", "pgn"),
        (PLAYERS + "\n*\n", "pgn"),
        ("1. e4 e5 *\n", "pgn"),
        ("1.e4 e5 2.Nf3 *\n", "pgn"),
        ("% a line nobody reads\n\n1. O-O *\n", "pgn"),
        ('[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n*\n', "pgn"),
        (ROSTER + "\n{what came before} 1. Nf3 *\n", "pgn"),
        (ROSTER + "\n1. Hello *\n", "pgn"),
        ("\ufeff" + ROSTER + "\n1. e4 *\n", "pgn"),
        ((ROSTER + "\n1. e4 *\n").replace("\n", "\r\n"), "pgn"),
        (PLAYERS + "\n1. 11-15 23-19 *\n", "pdn"),
        ('[GameType "21"]\n\n*\n', "pdn"),
        ('[GameType "20"]\n[White "w"]\n[Black "b"]\n\n1. 32-28 *\n', "pdn"),
        ('[FEN "W:W21,22:B1,2"]\n\n*\n', "pdn"),
        ("1. 11x18 *\n", "pdn"),
        ("% CGN 1.0\n" + ROSTER + "\n1. e4 *\n", ""),
        ('[Game "Chess"]\n' + ROSTER + "\n1. e4 *\n", ""),
        (ROSTER + '[Game "Chess"]\n\n1. e4 *\n', ""),
        ('[Game "Draughts"]\n\n1. 11-15 *\n', ""),
        (PLAYERS + "\n1. 4Ci3 4Db6 *\n", ""),
        ("hello world\n", ""),
        ("", ""),
        ('{"tags": []}\n', ""),
    ],
)
def test_the_content_says_which_format_it_is(text: str, name: str) -> None:
    found = sniff(text.encode())
    assert (found.name if found else "") == name


def test_a_format_nobody_knows_is_named_with_those_there_are() -> None:
    with pytest.raises(NotationError, match=r"found the format 'pbn', expected one of: pgn, pdn"):
        find_format("pbn")


# --- reading PGN ---


def test_a_game_of_pgn_is_one_of_chess_and_says_what_it_was_read_from() -> None:
    [record] = loads(ROSTER + "\n1. e4 e5 2. Nf3 Nc6 *\n")
    report = examine(record).report
    assert (report.game, report.variant, report.verdict, report.format) == ("chess", "standard", "legal", "pgn")
    assert report.findings == ()


def test_what_is_met_with_in_files_of_others_is_read() -> None:
    text = (
        ROSTER.replace('"*"', '"1/2"')
        + '[Termination "Normal"]\n\n'
        + "1.e4 $1 {[%clk 0:03:00] first} e5 (1... c5 $146 (1... e6) 2. Nf3) 2.Ng1f3 ; to the end\n"
        + "% an escape\nb8c6 3. -- Z0 4. Bb5!? 0-0?? 1/2\n"
    )
    [record] = loads(text)
    assert record.line.words == ("e4", "e5", "Ng1f3", "b8c6", "--", "Z0", "Bb5", "0-0")
    assert (record.tag("Result"), record.line.result) == ("1/2-1/2", "1/2-1/2")
    assert record.tag("Termination") == "Normal"
    assert record.line.notes[1].glyphs == (1,)
    assert record.line.notes[1].comments == ("[%clk 0:03:00] first",)
    assert record.line.notes[2].variations[0].notes[1].variations[0].words == ("e6",)
    assert {key for severity, key in told(text) if severity == "error"} == {"chess.null-move", "chess.castling-path"}


def test_latin_1_is_read_with_a_remark() -> None:
    [record] = loads('[White "Müller"]\n[Black "b"]\n\n1. e4 *\n'.encode("latin-1"))
    assert record.tag("White") == "Müller"
    assert told('[White "Müller"]\n[Black "b"]\n\n1. e4 *\n'.encode("latin-1")) == [("remark", "cgn.syntax")]


@pytest.mark.parametrize("variant", ["Standard", "Chess", "From Position", "Normal"])
def test_the_variants_that_are_chess_are_judged_as_chess(variant: str) -> None:
    [record] = loads(f'{PLAYERS}[Variant "{variant}"]\n\n1. e4 e5 *\n')
    assert examine(record).report.variant == "standard"
    assert examine(record).report.verdict == "legal"


def test_a_variant_whose_rules_nobody_knows_is_a_game_of_its_own() -> None:
    [record] = loads(f'{PLAYERS}[Variant "Three Check"]\n\n1. e4 e5 *\n')
    report = examine(record).report
    assert (record.tag("Game"), report.verdict, report.plies) == ("Three-check", "unjudged", 2)
    text = format_in(record, find_format("pgn"))
    assert '[Variant "Three-check"]' in text
    assert "Game" not in text
    again = loads(text)[0]
    assert (again.tag("Game"), again.line.words) == (record.tag("Game"), record.line.words)


def test_a_wrong_check_sign_is_a_remark_and_an_unclear_move_names_what_it_may_be() -> None:
    assert told(PLAYERS + "\n1. e4 e5 2. Qh5# Nc6 *\n") == [("remark", "cgn.mark")]
    [record] = loads(PLAYERS + "\n1. Nf3 Nf6 2. d4 d5 3. Nd2 *\n")
    [found] = [one for one in examine(record).report.findings if one.severity == "error"]
    assert found.key == "cgn.ambiguous"
    assert found.because == "found Nd2, which may be Nbd2 or Nfd2"


@pytest.mark.parametrize(
    ("fen", "because"),
    [
        ("8/8/8/4k3/8/8/4P3/K3K3 w - - 0 1", "White has 2 kings"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "pawn"),
        ("4k3/8/8/8/8/8/8 w - - 0 1", "found 7 ranks"),
    ],
)
def test_a_set_up_that_cannot_be_is_named(fen: str, because: str) -> None:
    [record] = loads(f'{PLAYERS}[SetUp "1"]\n[FEN "{fen}"]\n\n1. Ke2 *\n')
    [found] = [one for one in examine(record).report.findings if one.severity == "error"]
    assert found.key == "chess.setup"
    assert because in found.because


def test_what_was_cut_off_is_said_where_it_ends() -> None:
    assert ("remark", "record.result") in told(PLAYERS + "\n1. e4 e5 2. Nf3")
    assert ("error", "cgn.syntax") in told(PLAYERS + "\n1. e4 e5 {and then he")


def test_variations_ten_thousand_deep_and_long_comments_hide_no_other_game() -> None:
    deep = "1. e4 " + "(1. d4 " * 10_000 + ")" * 10_000 + " e5 *\n"
    long = "1. e4 {" + "lorem ipsum " * 100_000 + "} e5 *\n"
    first, second, third = loads(f"{PLAYERS}\n{deep}\n{PLAYERS}\n{long}\n{PLAYERS}\n1. d4 *\n")
    assert [one.because for one in examine(first).report.findings] == [
        "found a variation nested too deeply, expected at most 100 levels; it is left out"
    ]
    assert first.line.words == second.line.words == ("e4", "e5")
    assert examine(third).report.verdict == "legal"


def test_games_follow_one_another_with_or_without_a_blank_line_and_by_ranges(tmp_path: Path) -> None:
    text = "".join(f'[Event "{at}"]\n{PLAYERS}\n1. e4 e5 *\n' + "\n" * (at % 3 > 0) for at in range(60))
    assert [record.tag("Event") for record in loads(text)] == [str(at) for at in range(60)]
    path = tmp_path / "many.pgn"
    spaced = "".join(f'[Event "{at}"]\n{PLAYERS}\n1. e4 e5 *\n\n' for at in range(300))
    path.write_text(spaced, "utf-8")
    half = len(spaced) // 2 + 7
    ranged = [*load_range(path, 0, half), *load_range(path, half, len(spaced))]
    assert [record.tag("Event") for record in ranged] == [str(at) for at in range(300)]
    assert all(record.source.format == "pgn" and record.tag("Game") == "Chess" for record in ranged)


def test_a_tag_section_without_moves_is_a_game_of_its_own() -> None:
    first, second = loads(f'[Event "1"]\n{PLAYERS}\n[Event "2"]\n{PLAYERS}\n1. e4 *\n')
    assert (first.tag("Event"), first.line.words) == ("1", ())
    assert (second.tag("Event"), second.line.words) == ("2", ("e4",))


# --- reading PDN ---


def test_results_of_draughts_name_the_first_player_first_as_seats_do() -> None:
    [record] = loads(PLAYERS + '[Result "1-0"]\n[GameType "21"]\n\n1. 11-15 23-19 (1... 22-17 1-0) 2. 8-11 1-0\n')
    assert (record.tag("Game"), record.tag("GameType")) == ("Draughts", "")
    assert (record.tag("Result"), record.line.result) == ("1-0", "1-0")
    assert record.line.notes[2].variations[0].result == "1-0"
    assert '[Result "1-0"]' in format_in(record, find_format("pdn"))


@pytest.mark.parametrize(("points", "result"), [("2-0", "1-0"), ("0-2", "0-1"), ("1-1", "1/2-1/2")])
def test_results_in_points_are_read(points: str, result: str) -> None:
    [record] = loads(f'{PLAYERS}[Result "{points}"]\n\n1. 11-15 23-19 {points}\n')
    assert (record.tag("Result"), record.line.result) == (result, result)
    assert {severity for severity, _ in told(f'{PLAYERS}[Result "{points}"]\n\n1. 11-15 23-19 {points}\n')} == {
        "remark"
    }


def test_a_star_is_a_glyph_a_colon_a_capture_and_a_range_of_squares_is_written_out() -> None:
    [record] = loads(PLAYERS + '[FEN "B:W18-20,24:BK1,11"]\n\n1. 11-15* 19:10 *\n')
    assert record.tag("FEN") == "B:W18,19,20,24:BK1,11"
    assert record.line.words == ("11-15", "19:10")
    assert record.line.notes[1].glyphs == (7,)
    assert canonical(record).line.words == ("11-15", "19x10")


def test_draughts_of_another_kind_are_named_and_not_judged() -> None:
    [record] = loads('[GameType "20"]\n' + PLAYERS + '[Result "2-0"]\n\n1. 32-28 19-23 2. 28x19 2-0\n')
    assert record.tag("Game") == "International draughts"
    assert examine(record).report.verdict == "unjudged"
    text = format_in(record, find_format("pdn"))
    assert '[GameType "20"]' in text
    assert loads(text)[0].line.words == record.line.words


# --- writing ---


def said(record: Record) -> tuple[object, ...]:
    """Return what a record says: tags, words, notes and result, but for how tags are ordered and lines numbered."""

    def line(one: Line) -> object:
        notes = {
            at: (note.glyphs, [" ".join(item.split()) if isinstance(item, str) else line(item) for item in note.items])
            for at, note in one.notes.items()
            if note.glyphs or note.items
        }
        return one.words, notes, one.result

    return sorted(record.tags), line(record.line), record.result


SHEETS = {"chess": "pgn", "draughts": "pdn"}
CASES = [(path, name) for game, name in SHEETS.items() for path in sorted((SAMPLES / game / "games").glob("*.cgn"))]


@pytest.mark.parametrize(("path", "name"), CASES, ids=lambda value: getattr(value, "stem", value))
def test_in_and_out_again_is_a_fixed_point_on_every_sample(path: Path, name: str) -> None:
    for record in load(path):
        text = format_in(record, find_format(name))
        assert max(map(len, text.splitlines())) < 80
        [again] = loads(text)
        assert again.source.format == name
        assert format_in(again, find_format(name)) == text
        [as_cgn] = loads(format_record(canonical(again)))
        assert format_in(as_cgn, find_format(name)) == text
        assert dict(again.tags).items() >= {
            tag for tag in record.tags if tag[0] not in ("Edition", "Options", "GameType", "Variant", "SetUp")
        }


def spelled(line: Line, words: tuple[str, ...]) -> Line:
    """Return a line, and those in it, with words that can be played there."""
    notes = {
        at: replace(note, items=tuple(item if isinstance(item, str) else spelled(item, words) for item in note.items))
        for at, note in line.notes.items()
    }
    return replace(line, words=tuple(words[at % len(words)] for at in range(len(line.words))), notes=notes)


TO_AND_FRO = {"pgn": ("Nf3", "Nf6", "Ng1", "Ng8"), "pdn": ("11-15", "23-19", "8-11", "22-17")}


@budget(40)
@given(
    files(result=st.sampled_from(("", "1-0", "1/2-1/2", "*"))),
    st.sampled_from((find_format("pgn"), find_format("pdn"))),
    st.integers(0, 2**32),
)
def test_in_and_out_again_is_a_fixed_point_whatever_is_noted(
    games: list[Record], format: OtherFormat, seed: int
) -> None:
    for game in games:
        tags = tuple(tag for tag in game.tags if tag[0] not in ("Game", "Rules", "Variant", "FEN", "GameType"))
        played = replace(
            game, tags=(("Game", format.games[0]), *tags), line=spelled(game.line, TO_AND_FRO[format.name])
        )
        text = format_in(loads(Scribe(seed).file([played]))[0], format)
        [again] = loads(text)
        assert again.source.format == format.name
        assert format_in(again, format) == text
        assert format_in(loads(format_record(canonical(again)))[0], format) == text


def test_calls_are_comments_and_say_how_the_game_ended() -> None:
    [record] = loads(
        '[Game "Chess"]\n[Result "0-1"]\n\n1. e4 Draw {he said} e5 2. Nf3 (2. d4 Resign) p2/Draw (2... d5) Resign 0-1\n'
    )
    text = format_in(record, find_format("pgn"))
    assert '[Termination "resignation"]' in text
    assert " ".join(text.split("\n\n")[1].split()) == (
        "1. e4 {p2: Draw} {he said} 1... e5 2. Nf3 (2. d4 {Resign}) {p2: Draw} (2. Nf3 d5) {p2: Resign} 0-1"
    )
    [again] = loads(text)
    assert again.line.words == ("e4", "e5", "Nf3")
    claimed = '[Game "Chess"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 Threefold 1/2-1/2\n'
    assert "4. Ng1 Ng8 {p1: Threefold} 1/2-1/2" in format_in(loads(claimed)[0], find_format("pgn"))


@pytest.mark.parametrize("word", ["p2/e5", "~", "~e5"])
def test_what_pgn_has_no_word_for_is_refused_by_name(word: str) -> None:
    [record] = loads(f'[Game "Chess"]\n\n1. {word} *\n')
    with pytest.raises(NotationError, match="no word for"):
        format_in(record, find_format("pgn"))


def test_a_format_takes_its_own_games_only() -> None:
    [record] = loads('[Game "Cardmate"]\n\n*\n')
    for format in (each for each in FORMATS if each.games):
        with pytest.raises(NotationError, match=rf"{format.title} is for .*, but the game is Cardmate"):
            format_in(record, format)


# --- against python-chess ---


def game_by_chance(rng: Random) -> chess.pgn.Game:
    """Return a game with comments, glyphs and variations, made by python-chess alone."""
    game = chess.pgn.Game()
    game.headers.update(White=rng.choice(["Ada", "Müller, J."]), Black="b", Annotator="x]y")
    if rng.random() < 0.3:
        game.setup(chess.Board.from_chess960_pos(rng.randrange(960)))
        game.headers["Variant"] = "Chess960"
    node: chess.pgn.GameNode = game
    for _ in range(rng.randrange(60)):
        moves = list(node.board().legal_moves)
        if not moves:
            break
        for move in rng.sample(moves, min(len(moves), rng.choice((0, 0, 0, 1, 2)))):
            _branch(rng, node, move)
        main = rng.choice(moves)
        node = node.variation(main) if node.has_variation(main) else node.add_variation(main)
        node.parent.promote_to_main(main)
        _annotate(rng, node)
    game.headers["Result"] = node.board().result()
    return game


def _branch(rng: Random, node: chess.pgn.GameNode, move: chess.Move) -> None:
    line = node.add_variation(move)
    _annotate(rng, line)
    for _ in range(rng.randrange(4)):
        moves = list(line.board().legal_moves)
        if moves:
            line = line.add_variation(rng.choice(moves))
            _annotate(rng, line)


def _annotate(rng: Random, node: chess.pgn.ChildNode) -> None:
    if rng.random() < 0.2:
        node.comment = rng.choice(["good", "[%clk 0:01:02]", "two  blanks", "1. e4 (not this)", "50% ; $3"])
    if rng.random() < 0.2:
        node.nags.update(rng.sample(range(1, 150), rng.randrange(1, 3)))


def as_read(game: chess.pgn.Game) -> tuple[object, ...]:
    """Return what python-chess finds in a game."""

    def line(node: chess.pgn.GameNode) -> object:
        return [
            (each.move.uci(), sorted(each.nags), " ".join(each.comment.split()), line(each)) for each in node.variations
        ]

    return sorted(game.headers.items()), line(game)


@pytest.mark.hunt
def test_python_chess_reads_back_what_it_wrote_and_we_read_and_wrote() -> None:
    games = [game_by_chance(Random(f"pgn {seed}")) for seed in range(looks(40))]
    text = "\n\n".join(str(game) for game in games) + "\n"
    records = loads(text)
    assert len(records) == len(games)
    for game, record in zip(games, records, strict=True):
        assert examine(record).report.verdict == "legal"
        written = format_in(record, find_format("pgn"))
        back = chess.pgn.read_game(io.StringIO(written))
        assert back is not None
        assert back.errors == []
        assert as_read(back) == as_read(game)
        assert said(replace(loads(written)[0], source=record.source)) == said(canonical(record))


def test_an_escape_line_keeps_the_character_that_ends_files_of_dos() -> None:
    text = '%a\x1a\n[Event "?"]\n\n1. e4 *\n\x1a'
    [record] = loads(text)
    assert record.escapes == ("a\x1a",)
    assert record.line.words == ("e4",)


def test_the_value_of_a_tag_keeps_the_character_that_ends_files_of_dos() -> None:
    text = '[Event "\x1a["]\n[Site "a\x1a"]\n\n1. e4 *\x1a[Event "b"]\n\n1. d4 *\n\x1a'
    first, second = loads(text)
    assert (first.tag("Event"), first.tag("Site"), second.tag("Event")) == ("\x1a[", "a\x1a", "b")
    assert (first.line.words, second.line.words) == (("e4",), ("d4",))
