"""The commands that read or rewrite score sheets, and those of reference."""

import json
import os
import random
import stat
from pathlib import Path

import pytest
from hypothesis import given
from msgspec.structs import replace
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.cli.commands.convert import unwritable
from cartulary.engine import Hidden, Sheet, cardmate
from cartulary.notation import GAMES, AnyGame, Record, loads
from cartulary.notation.arbiter.replay import read_word
from tests.hunts import budget, looks
from tests.notation.strategies import records
from tests.places import SAMPLES

SHEETS = SAMPLES / "cardmate" / "games"
PAGE = str(SHEETS / "page-1.cgn")
SLOPPY = '[Result "*"]\n[Game "cardmate"]\n1.4Ci3 {a  b} 4Db6 2. 8Dj2! (2. 9Cb1 QS~) 8Ca7'
TWO = '[Game "Cardmate"]\n\n1. 4Ci3 *\n\n[Game "Cardmate"]\n\n1. 4Ci3 4Db6 *\n'
NEST = '{"words":["4Ci3"],"notes":{"1":{"then":['
STOPPED = '[Game "Cardmate"]\n\n1. 4Ci3 ACb6 2. 8Dj2 *\n'


def run(*words: str, stdin: str | bytes = "", code: int = 0) -> str:
    """Return what a command prints; its exit code must be the one expected."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    result = CliRunner().invoke(build(), list(words), input=data)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.output


# --- positions ---


def test_a_position_is_drawn_with_who_is_to_move_and_what_he_must() -> None:
    shown = run("show", PAGE, "--at", "36")
    assert " 7 |  .   v2C   .   v1S   .    .   v6H   .   v2H  ^8D | 7" in shown
    assert "after ply 36 of 40: 18... 7Dh8\nZillions of Games (p1) to move: 8D:h8 is the only legal move\n" in shown


def test_the_end_is_drawn_with_its_reason() -> None:
    shown = run("show", PAGE)
    assert (
        "after ply 40 of 40: 20... QS:e0×\n0-1: Zillions of Games (p1) has lost both Kings (cardmate.both-kings)\n"
        in shown
    )
    assert "\x1b[" not in shown


def test_colour_tells_owners_apart_and_can_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from cartulary.cli.commands import show
    from cartulary.cli.shell import console

    plain = run("show", PAGE, "--at", "0")
    monkeypatch.setattr(show, "coloured", lambda refused: not refused)
    monkeypatch.setattr(console, "coloured", lambda: True)
    coloured = run("show", PAGE, "--at", "0")
    assert "\x1b[1;36m^XS\x1b[0m" in coloured
    assert "\x1b[1;33mvXD\x1b[0m" in coloured
    assert run("show", PAGE, "--at", "0", "--no-color") == plain


def test_the_start_is_ply_0() -> None:
    assert "after ply 0 of 40\nZillions of Games (p1) to move, 38 legal moves\n" in run("show", PAGE, "--at", "0")


def test_a_ply_past_the_end_is_no_position() -> None:
    result = run("show", PAGE, "--at", "41", code=2)
    assert "there is no ply 41: the game can be followed for 40 plies" in result


def test_the_position_before_a_move_that_cannot_be_applied_is_shown() -> None:
    shown = run("show", "-", stdin=STOPPED)
    assert "after ply 1 of 3: 1. 4Ci3" in shown
    result = run("show", "-", "--at", "2", stdin=STOPPED, code=2)
    assert "followed for 1 ply; 3 plies are written, but the rest is unread" in result


def test_of_several_games_the_first_is_shown_unless_another_is_named(tmp_path: Path) -> None:
    path = tmp_path / "two.cgn"
    path.write_text(TWO)
    assert "after ply 1 of 1" in run("show", str(path))
    assert "after ply 2 of 2" in run("show", f"{path}#2")


@pytest.mark.parametrize("seat", ["p3", "p0", "1", "Forehand"])
def test_a_seat_the_game_has_not_is_said(seat: str) -> None:
    assert "expected a seat of this game, p1 or p2" in run("show", PAGE, "--seat", seat, code=2)


def test_a_seat_sees_an_open_game_whole() -> None:
    assert run("show", PAGE, "--seat", "p2") == run("show", PAGE)


@pytest.mark.parametrize("command", ["show", "replay"])
@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize("text", [SLOPPY, STOPPED, TWO, '[Game "Cardmate"]\n\n1. 4Ci3 4Db6 2. 8Dh9 Zebra *\n'])
def test_a_seat_learns_of_an_open_game_all_there_is(command: str, options: tuple[str, ...], text: str) -> None:
    whole = run(command, *options, stdin=text)
    assert run(command, "--seat", "p1", *options, stdin=text) == whole != ""
    assert run(command, "--seat", "p2", *options, stdin=text) == whole


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_moves_are_listed_for_the_seat_that_is_to_move(options: tuple[str, ...]) -> None:
    whole = run("moves", *options, stdin=SLOPPY)
    assert run("moves", "--seat", "p1", *options, stdin=SLOPPY) == whole
    assert "4C" not in run("moves", "--seat", "p2", *options, stdin=SLOPPY)


def test_a_seat_for_which_no_move_is_listed_is_told_why() -> None:
    whist = str(SAMPLES / "whist" / "games" / "revoke.cgn")
    assert run("moves", "--seat", "p2", stdin=SLOPPY) == "; no move is listed: it is for p1 to move, not for p2\n"
    assert (
        run("moves", whist, "--at", "46", "--seat", "p2") == "; no move is listed: it is for p4 to move, not for p2\n"
    )
    unseen = "; no move is listed: the cards of p4 are not seen from the rail\n"
    assert run("moves", whist, "--at", "46", "--seat", "rail") == unseen


def test_moves_that_hidden_cards_leave_undecided_are_told_apart() -> None:
    whist = str(SAMPLES / "whist" / "games" / "revoke.cgn")
    assert run("moves", whist, "--at", "46") == "6S\n8S\n; cannot be known yet: XC JC 8D 7H 8H\n"
    assert "Dora to move: 6S, 8S are legal; XC, JC, 8D, 7H, 8H are undecided\n" in run("show", whist, "--at", "46")
    assert "Carl to move, 8 legal moves, 15 undecided\n" in run("show", whist, "--at", "30")
    assert run("show", whist, "--at", "0").splitlines()[-1] == "the table to move"


def blind() -> AnyGame:
    """Return Cardmate for people who see nothing but the first position and take every move for the first one."""
    game = GAMES["cardmate"]

    def view(state: cardmate.State, seat: int) -> cardmate.State:
        start = cardmate.setup(Sheet("predefined", {}, 2))
        assert isinstance(start, cardmate.State)
        return start

    def view_move(state: cardmate.State, move: cardmate.Move, seat: int) -> cardmate.Move:
        first: cardmate.Move = read_word(game, view(state, seat), "4Ci3", 2)
        return first

    return replace(game, hidden=Hidden(view=view, view_move=view_move))


@pytest.mark.parametrize("command", ["show", "replay", "moves", "replay --json", "show --json"])
def test_what_a_seat_does_not_see_is_told_it_by_no_word_and_no_finding(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "cardmate", blind())
    first = '[Game "Cardmate"]\n\n1. 4Ci3 4Db6 2. 8Dh9 {sly} 8Ca7 3. Zebra 9Cb1 *\n'
    other = '[Game "Cardmate"]\n\n1. 1Da3 4Db6 2. 8Dj2 8Ca7 3. Okapi 9Cb1 *\n'
    answers = [run(*command.split(), "--seat", "p1", stdin=text) for text in (first, other)]
    assert answers[0] == answers[1]
    assert run(*command.split(), stdin=first) != run(*command.split(), stdin=other)


def test_one_position_is_one_object_like_those_of_replay() -> None:
    plies = [json.loads(line) for line in run("replay", PAGE, "--json").splitlines()]
    assert json.loads(run("show", PAGE, "--at", "36", "--json")) == plies[35]
    assert json.loads(run("show", PAGE, "--json")) == plies[-1]
    start = json.loads(run("show", PAGE, "--at", "0", "--json"))
    assert (start["ply"], start["seat"], start["move"], start["verdict"], start["keys"]) == (0, "", "", "legal", [])
    assert list(start) == list(plies[0])


@pytest.mark.parametrize("command", ["show", "replay", "moves"])
def test_no_file_means_standard_input(command: str) -> None:
    assert run(command, stdin=TWO) == run(command, "-", stdin=TWO) != ""


def test_legal_moves_are_listed_one_a_line_and_as_json() -> None:
    assert run("moves", PAGE, "--at", "36") == "8D:h8\n"
    assert json.loads(run("moves", PAGE, "--at", "36", "--json")) == {
        "ply": 37,
        "seats": ["p1"],
        "moves": ["8D:h8"],
        "open": [],
        "complete": True,
    }
    assert json.loads(run("moves", PAGE, "--json"))["seats"] == []
    assert run("moves", PAGE) == "; no move is listed: the game has ended\n"
    assert len(run("moves", PAGE, "--at", "0").splitlines()) == 38


def test_replay_prints_one_position_a_ply() -> None:
    shown = run("replay", PAGE)
    assert shown.count(" 9 |") == 40
    assert f"{PAGE}#1 ply 36: 18... 7Dh8! {{A chain of forced captures begins" in shown
    plies = [json.loads(line) for line in run("replay", PAGE, "--json").splitlines()]
    assert [ply["ply"] for ply in plies] == list(range(1, 41))
    assert {ply["verdict"] for ply in plies} == {"legal"}
    assert plies[0]["position"][0].split() == list("abcdefghij")


def test_replay_shows_the_refusal_and_stops_where_nothing_can_be_applied() -> None:
    shown = run("replay", "-", stdin=STOPPED)
    assert shown.count(" 9 |") == 1
    assert "-:3:9: error cardmate.own-card AC is not on the board" in shown
    last = json.loads(run("replay", "-", "--json", stdin=STOPPED).splitlines()[-1])
    assert (last["verdict"], last["keys"], last["position"]) == ("refused", ["cardmate.own-card"], [])


def test_a_record_of_no_known_game_is_said() -> None:
    result = run("show", "-", stdin='[Game "Nonesuch"]\n\n1. a *\n', code=1)
    assert "found the game 'Nonesuch', expected one of: Arcanoid, Belote, Cardmate" in result


def test_an_id_without_any_live_records_is_said(tmp_path: Path) -> None:
    result = run("show", "evening", "--db", str(tmp_path / "none.db"), code=2)
    assert "evening is not a file here, and " in result


def test_live_records_are_read_by_their_id(tmp_path: Path) -> None:
    db = ("--db", str(tmp_path / "records.db"))
    run("new", "cardmate", "--id", "evening", *db)
    run("move", "evening", "4Ci3", "4Db6", *db)
    assert "after ply 2 of 2: 1... 4Db6" in run("show", "evening", *db)
    assert len(run("moves", "evening", *db).splitlines()) == 43
    assert "1. 4Ci3 4Db6 *" in run("fmt", "evening", *db)
    assert run("validate", "evening", *db) == "evening#1: legal, 2 plies, *\n"
    result = run("show", "morning", *db, code=2)
    assert "There is no game morning in this database. `list` shows which there are." in " ".join(result.split())


# --- canonical text ---


def test_fmt_gives_every_word_its_one_spelling_and_loses_nothing() -> None:
    assert run("fmt", stdin=SLOPPY) == (
        '% CGN 1.0\n[Game "Cardmate"]\n[Result "*"]\n\n1. 4Ci3 {a b} 1... 4Db6 2. 8Dj2! (2. 9Cb1 QS~) 2... 8Ca7 *\n'
    )


def test_fmt_is_a_fixed_point_on_every_sample(tmp_path: Path) -> None:
    assert run("fmt", "--check", str(SHEETS)) == ""
    for path in SHEETS.glob("*.cgn"):
        assert run("fmt", str(path)).encode() == path.read_bytes()


BROKEN = (
    "", "", '[Game "Cardmate"]', '[Game "Halma"]', '[Event "x"]', "% mine", "% CGN 1.0", "[odd", "1. 4Ci3 4Db6 *", "}",
    "2. 8Dj2 {open", "shut}", "; aside", "(", ")", ' [Site "?"]', "$300", "4Ci3. 1-0 more",
)  # fmt: skip


@pytest.mark.hunt
@pytest.mark.parametrize("seed", range(looks(60)))
def test_fmt_is_a_fixed_point_on_broken_games_too(seed: int) -> None:
    rng = random.Random(seed)
    once = canonical_text("% CGN 1.0\n" + "\n".join(rng.choice(BROKEN) for _ in range(30)))
    assert canonical_text(once) == once


def canonical_text(text: str) -> str:
    """Return what fmt prints, whether or not all of it can be read."""
    return CliRunner().invoke(build(), ["fmt"], input=text.encode()).stdout


def test_the_header_line_of_a_game_that_is_kept_as_it_is_stands_once() -> None:
    once = run("fmt", stdin='% CGN 1.0\n% mine\n[Game "Cardmate"]\n\n1. 4Ci3 {open\n', code=1)
    assert once.startswith('% CGN 1.0\n% mine\n[Game "Cardmate"]\n\n1. 4Ci3 {open\n')


def test_fmt_in_place_rewrites_whole_files_and_keeps_their_rights(tmp_path: Path) -> None:
    path = tmp_path / "a.cgn"
    path.write_text(SLOPPY)
    path.chmod(0o640)
    assert "is not in canonical form" in run("fmt", "--check", str(path), code=1)
    assert path.read_text() == SLOPPY
    assert run("fmt", "-i", str(path)) == f"{path} rewritten\n"
    assert path.read_text() == run("fmt", stdin=SLOPPY)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["a.cgn"]
    assert run("fmt", "-i", str(path)) == ""


def test_fmt_in_place_leaves_alone_what_it_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "a.cgn"
    path.write_text(TWO + '\n[Game "Cardmate"]\n\n1. 4Ci3 {open\n')
    before = path.read_bytes()
    result = run("fmt", "-i", str(path), code=1)
    assert "found the start of a comment" in result
    assert "the file was left as it is" in result
    assert path.read_bytes() == before
    assert "{open\n" in run("fmt", str(path), code=1)


def test_a_file_that_cannot_be_rewritten_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.cgn"
    path.write_text(SLOPPY)
    monkeypatch.setattr(os, "replace", full)
    result = run("fmt", "-i", str(path), code=2)
    assert f"{path} cannot be rewritten: no space left on device. The file is as it was" in result
    assert path.read_text() == SLOPPY
    assert os.listdir(tmp_path) == ["a.cgn"]


def test_fmt_in_place_needs_whole_files() -> None:
    assert "take whole files" in run("fmt", "-i", "-", code=2)
    assert "take whole files" in run("fmt", "--check", PAGE + "#1", code=2)


# --- JSON lines ---


def test_json_lines_turn_back_into_the_very_text(tmp_path: Path) -> None:
    for path in sorted(SHEETS.glob("*.cgn")):
        lines = run("convert", str(path))
        assert run("convert", "--to", "cgn", "-", stdin=lines).encode() == path.read_bytes()
        kept = tmp_path / "games.jsonl"
        kept.write_text(lines)
        assert run("convert", "--to", "cgn", str(kept)).encode() == path.read_bytes()


def test_json_has_tags_words_notes_and_result() -> None:
    flat = json.loads(run("convert", stdin=SLOPPY))
    assert flat["tags"] == [["Result", "*"], ["Game", "cardmate"]]
    assert flat["moves"]["words"] == ["4Ci3", "4Db6", "8Dj2", "8Ca7"]
    assert flat["moves"]["notes"]["1"] == {"glyphs": [], "then": ["a b"]}
    assert flat["moves"]["notes"]["3"]["then"][0]["words"] == ["9Cb1", "QS~"]


def test_a_line_that_is_no_game_is_said_with_its_number() -> None:
    result = run("convert", "--to", "cgn", "-", stdin='{"tags":[],"moves":{}}\n{"tags":7}\n', code=2)
    assert "-:2: expected a game as `convert --to json` writes it" in result


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ('{"words":["4Ci3","a b"]}', "found the word 'a b', expected no blanks"),
        ('{"words":[""]}', "found the word ''"),
        ('{"words":["{"]}', "found the word '{'"),
        ('{"words":["4Ci3","("]}', "found the word '('"),
        ('{"words":["1."]}', "found the word '1.', which would be read back differently, expected a word of CGN"),
        (
            '{"words":["4Ci3!","4Db6"]}',
            "found the word '4Ci3!', which would be read back differently, expected a word of CGN",
        ),
        ('{"words":["1-0"]}', "found a game that CGN would read back differently"),
        ('{"words":["4Ci3"],"notes":{"1":{"glyphs":[256]}}}', "found the glyph 256, expected 0 to 255"),
        ('{"words":["4Ci3"],"notes":{"1":{"glyphs":[-1]}}}', "found the glyph -1"),
        ('{"words":["4Ci3"],"notes":{"2":{"glyphs":[1]}}}', "found a note after word 2 of 1"),
        ('{"words":["4Ci3"],"notes":{"1":{"then":["a }\\n b"]}}}', "cannot have a second line"),
        ('{"words":["4Ci3"],"notes":{"1":{"then":[{"words":["b c"]}]}}}', "found the word 'b c'"),
        ('{"words":["4Ci3"],"numbers":{"0":[-1,1]}}', "found the number -1 with 1 dot before word 1 of 1"),
        ('{"words":["4Ci3"],"result":"won"}', "found the result 'won'"),
        (NEST * 101 + '{"words":["4Ci3"]}' + "]}}}" * 101, "nested too deeply, expected at most 100 levels"),
    ],
)
def test_a_line_that_no_cgn_can_say_is_refused_with_its_number(moves: str, sentence: str) -> None:
    good = '{"tags":[["Game","Cardmate"]],"moves":{"words":["4Ci3"]}}'
    result = run("convert", "--to", "cgn", "-", stdin=f'{good}\n{{"tags":[],"moves":{moves}}}\n', code=2)
    assert "cartulary: -:2: " in result
    assert sentence in result


@pytest.mark.parametrize(
    ("rest", "sentence"),
    [
        ('"tags":[["A b","x"]]', "found the tag name 'A b', expected letters, digits and _"),
        ('"tags":[["","x"]]', "found the tag name ''"),
        ('"tags":[["A","x\\ny"]]', "a tag value cannot hold a line break"),
        ('"tags":[],"escapes":["a\\nb"]', "found an escape line with a line break"),
        ('"tags":[],"tail":"[Game \\"x\\"]"', "found a game that CGN would read back differently"),
    ],
)
def test_tags_and_escape_lines_that_no_cgn_can_say_are_refused(rest: str, sentence: str) -> None:
    result = run("convert", "--to", "cgn", "-", stdin=f'{{{rest},"moves":{{"words":["4Ci3"]}}}}\n', code=2)
    assert "cartulary: -:1: " in result
    assert sentence in result


@budget(75)
@given(record=records())
def test_whatever_cgn_says_is_written_from_json_again(record: Record) -> None:
    assert unwritable(record) == ""


def test_cgn_converts_to_cgn_with_its_words_as_written() -> None:
    (record,) = loads(run("convert", "--to", "cgn", "-", stdin=SLOPPY))
    assert record.line.words == ("4Ci3", "4Db6", "8Dj2", "8Ca7")


# --- reference ---


def test_counts_of_positions_are_those_of_the_rulebook() -> None:
    assert run("perft", "cardmate", "2") == "1 38\n2 1444\n"
    assert run("perft", "Cardmate", "1", "--from", PAGE, "--at", "36") == "1 1\n"
    assert run("perft", "cardmate", "1", "--json") == '{"depth":1,"count":38}\n'
    assert "expected one of: Arcanoid, Belote, Cardmate" in run("perft", "nonesuch", "1", code=2)
    assert run("perft", "cardmate", "0", code=2)


def test_the_rules_are_printed_with_their_sources() -> None:
    shown = run("rules", "cardmate")
    assert shown.index("cardmate.turn\n") < shown.index("cardmate.follow-suit\n") < shown.index("call.over\n")
    assert shown.count("    source: ") == shown.count("\n") // 3
    assert run("rules", "cardmate", "cardmate.path").startswith("cardmate.path\n    ")
    (one,) = run("rules", "cardmate", "cardmate.no-move", "--json").splitlines()
    assert json.loads(one)["source"] == "house ruling"
    assert "has no rule cardmate.castling; `rules cardmate` lists those it has" in run(
        "rules", "cardmate", "cardmate.castling", code=2
    )


def test_the_games_are_listed_with_variants_and_options() -> None:
    assert "\ncardmate: Cardmate, edition cardmate-2000, 2 seats\n  variants: predefined, " in run("games")
    listed = {game["key"]: game["options"] for game in map(json.loads, run("games", "--json").splitlines())}
    assert listed["cardmate"] == ["repetition=loss"]
    assert listed["tarot"] == ["ecart=fft"]


def test_the_samples_are_where_the_program_says() -> None:
    assert Path(run("samples").strip()) == SHEETS.parent.parent
    assert Path(run("samples", "Tarot duel").strip()).joinpath("points.cgn").is_file()
    assert "expected one of: Arcanoid, Belote, Cardmate" in run("samples", "nonesuch", code=2)
