"""What does this card do: rules GAME WORD finds it by key, by card, by the name players use."""

import json
from importlib import import_module
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.cli.commands.rules import entry_lines
from cartulary.notation import GAMES, Guide


def run(*words: str, code: int = 0) -> str:
    """Return what ``rules`` prints; its exit code must be the one expected."""
    result = CliRunner().invoke(build(), ["rules", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.output


@pytest.mark.parametrize(
    ("game", "word", "name"),
    [
        ("cardmate", "8", "Eight"),
        ("cardmate", "8h", "Eight"),
        ("cardmate", "JACK", "Jack"),
        ("cardmate", "10", "Ten"),
        ("draughts", "the king", "King"),
        ("tarot", "bout", "Bouts"),
        ("arcanoid", "the sun", "Sun"),
        ("arcanoid", "KC", "King"),
        ("tarot-duel", "T04", "Empress"),
        ("tarot-duel", "xs", "Suit cards"),
        ("zarcana", "T13", "Death"),
        ("zarcana", "hanged man", "Hanged Man"),
        ("zarcana", "the wheel of fortune", "Wheel of Fortune"),
        ("zarcana", "e7", "Plague"),
        ("zarcana", "JW", "Royalty"),
        ("tarot", "t00", "Fool"),
        ("tarot", "pot", "Pot"),
        ("tarot", "poignee", "Poignée"),
        ("tarot", "ECART", "Écart"),
        ("tarot", "petit-sec", "Petit sec"),
        ("tarot", "poignées", "Poignée"),
        ("zarcana", "T4", "Emperor"),
        ("zarcana", "10c", "Cups"),
        ("arcanoid", "10 of cups", "Numeric cards"),
        ("tarot-duel", "10D", "Suit cards"),
        ("tarot-duel", "major", "Majors"),
        ("zarcana", "Doppelgänger", "Doppelganger"),
        ("zarcana", "judgment", "Judgement"),
        ("arcanoid", "judgement", "Judgment"),
        ("zarcana", "WHEEL", "Wheel of Fortune"),
        ("arcanoid", "wheel", "Wheel of Fortune"),
        ("tarot-duel", "the wheel", "Wheel of Fortune"),
        ("tarot-duel", "challenges", "Challenge"),
        ("tarot-duel", "suit card", "Suit cards"),
        ("zarcana", "lover", "Lovers"),
        ("zarcana", "grail", "Holy Grail"),
        ("zarcana", "Queen of Cups", "Royalty"),
        ("zarcana", "ten of  cups", "Cups"),
        ("arcanoid", "queen of cups", "Queen"),
        ("arcanoid", "seven of staves", "Numeric cards"),
        ("arcanoid", "demon", "Devil"),
        ("tarot-duel", "page of wands", "Suit cards"),
    ],
)
def test_a_card_is_found_by_its_word_and_by_its_names(game: str, word: str, name: str) -> None:
    assert json.loads(run(game, word, "--json"))["entry"] == name


@pytest.mark.parametrize(
    ("game", "word"),
    [
        ("tarot", "card"),
        ("zarcana", "of"),
        ("zarcana", "man of"),
        ("zarcana", "an"),
        ("zarcana", "hang"),
        ("zarcana", "7"),
    ],
)
def test_a_part_of_several_names_or_of_a_word_names_no_entry(game: str, word: str) -> None:
    assert f"{game} has no rule {word}" in run(game, word, code=2)


def test_an_example_of_the_duel_plays_its_effect_out() -> None:
    game = GAMES["tarot-duel"]
    for entry in game.about.guide.entries:
        text = "\n".join(entry_lines(game, entry, (), colour=False)).partition("\nafter:\n")[2]
        assert text
        assert "may be answered" not in text, f"the effect of {entry.name} is not seen yet"
    assert "example: T19=7D End\n" in run("tarot-duel", "moon")
    moon = json.loads(run("tarot-duel", "moon", "--json"))["example"]
    assert (moon["word"], moon["then"]) == ("T19=7D", ["End"])
    assert "a1 7D" not in moon["before"]
    assert "a1 7D" in moon["picture"]


def test_every_bundled_game_says_what_its_cards_do() -> None:
    silent = [key for key, game in GAMES.items() if not game.about.guide.cards]
    assert silent == []


def test_an_entry_is_printed_with_its_table_its_rules_and_an_example() -> None:
    result = run("cardmate", "8")
    assert result.startswith("Eight · 8C 8D 8H 8S\n    An Eight goes like a chess knight")
    assert "       moves and captures   moves only\n    8  like a chess knight  one straight back\n" in result
    assert result.count("    source: I. Derzhanski, Cardmate (2000)") == 5
    assert "\nexample: 8Hc2\n" in result


def test_an_example_is_drawn_before_and_after() -> None:
    before, after = run("cardmate", "8").partition("\nbefore:\n")[2].split("\nafter:\n")
    assert " 2 | ^1D  ^2S   .   ^4H " in before
    assert " 2 | ^1D  ^2S  ^8H  ^4H " in after


def test_an_entry_in_json_says_which_rules_are_rulings_and_draws_both_positions() -> None:
    data = json.loads(run("tarot", "bout", "--json"))
    assert [rule["key"] for rule in data["rules"]] == ["tarot.settlement", "tarot.ecart-cards"]
    assert [rule["ruling"] for rule in data["rules"]] == [True, False]
    assert data["table"][1] == ["0", "56"]
    assert data["example"]["before"] != data["example"]["picture"]


def test_a_variant_has_its_own_rules_and_no_others() -> None:
    result = run("tarot", "trump", "--variant", "dementlieu")
    assert "tarot.trump-led" in result
    assert "tarot.must-trump" not in result
    result = run("tarot", "poignee", "--variant", "dementlieu", code=2)
    assert "tarot has no rule poignee in dementlieu: Poignée belongs to another variant" in result
    assert ", Poignée," not in run("tarot", "zzz", "--variant", "dementlieu", code=2)
    assert ", Poignée," in run("tarot", "zzz", "--variant", "fft", code=2)


def test_a_key_is_found_before_a_name_and_without_its_game() -> None:
    assert run("cardmate", "cardmate.palace").startswith("cardmate.palace\n    ")
    assert run("cardmate", "quiet-retreat") == run("cardmate", "cardmate.quiet-retreat")
    assert run("cardmate", "Cardmate.Quiet-Retreat") == run("cardmate", "cardmate.quiet-retreat")


@pytest.mark.parametrize(
    ("word", "meant"),
    [("jck", "Jack"), ("folow-suit", "follow-suit"), ("cardmate.folow-suit", "follow-suit"), ("quen", "Queen")],
)
def test_a_word_misspelt_is_told_what_it_may_have_been(word: str, meant: str) -> None:
    assert f"cardmate has no rule {word}; did you mean {meant}" in run("cardmate", word, code=2)


@pytest.mark.parametrize("word", ["zzz", " ", "--", "§", "8" * 99])
def test_a_word_like_no_other_is_told_what_there_is(word: str) -> None:
    result = run("cardmate", "--", word, code=2)
    assert "`rules cardmate` lists those it has. " in result
    assert "It has entries for One, Deuce, " in result


# --- the reference card ---


def test_a_reference_card_is_written_to_a_file_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "card.pdf"
    assert run("draughts", "--card", "-o", str(file)) == ""
    assert file.read_bytes().startswith(b"%PDF-")
    file.write_text("mine")
    assert "--force replaces it" in run("draughts", "--card", "-o", str(file), code=2)
    assert file.read_text() == "mine"
    run("draughts", "--card", "--force", "-o", str(file))
    assert file.read_bytes().startswith(b"%PDF-")


def test_a_card_is_never_written_over_a_database(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    assert CliRunner().invoke(build(), ["new", "draughts", "--id", "evening", "--db", str(file)]).exit_code == 0
    assert "is a database with games in it" in run("draughts", "--card", "--force", "-o", str(file), code=2)
    assert file.read_bytes().startswith(b"SQLite")


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (("8", "--card"), "--card prints all the rules of the game; leave out --markdown, --svg, --json and WORD"),
        (("--json", "--card"), "--card prints all the rules of the game"),
        (("--markdown", "--card"), "--card prints all the rules of the game"),
        (("-o", "card.pdf"), "-o and --force need --card"),
        (("8", "--force"), "-o and --force need --card"),
        (("--card", "-o", ""), "-o '' does not name a file"),
        (("--card", "--variant", "nonesuch"), "Found the variant 'nonesuch', expected one of: predefined"),
    ],
)
def test_a_card_that_cannot_be_is_refused_before_anything_is_written(words: tuple[str, ...], because: str) -> None:
    assert because in run("cardmate", *words, code=2)


def test_a_card_is_no_text_for_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    command = import_module("cartulary.cli.commands.rules")
    monkeypatch.setattr(command, "terminal", lambda: True)
    assert "A PDF cannot be shown on a terminal; write it with -o FILE" in run("cardmate", "--card", code=2)


def test_a_page_has_a_drawing_where_it_teaches_a_first_game(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("cardmate", "--svg").startswith("<svg")
    for more in (["--markdown"], ["--json"], ["--variant", "composed"], ["8"]):
        assert "leave out --json, --variant and WORD" in run("cardmate", "--svg", *more, code=2)
    assert "leave out --markdown, --svg, --json and WORD" in run("cardmate", "--svg", "--card", code=2)
    untaught = replace(GAMES["cardmate"], about=replace(GAMES["cardmate"].about, load_guide=Guide))
    monkeypatch.setattr("cartulary.cli.commands.rules.named_game", lambda name: untaught)
    assert "The page of cardmate has no drawing" in run("cardmate", "--svg", code=2)
