"""A guide is read from TOML, or the fault is named with its file and its place in it."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from cartulary.notation import GAMES, Entry, Example, FirstGame, GuideFault, guide_beside, read_guide
from cartulary.testing import Laws
from tests.programs import typed

ENTRY = """
[[entries]]
name = "Man"
says = "A man steps."
clauses = ["reach"]

[entries.example]
word = "11-15"
shows = "A step."
"""
DRAUGHTS = Path(__file__).parents[2] / "notation" / "draughts" / "guide.toml"


def written(folder: Path, text: str) -> str:
    file = folder / "guide.toml"
    file.write_text(text, "utf-8")
    return str(file)


SHEETS = """
tags = { Seat2 = "B" }

[tags]
Seat1 = "?"
Seat2 = "?"

[primer.first_game]
words = [["11-15", "It steps."]]
shows = "A board."
"""


def test_a_text_is_one_line_and_every_sheet_has_the_tags_of_all(tmp_path: Path) -> None:
    text = ENTRY.replace('"A man steps."', '"""\nA man\nsteps."""')
    guide = read_guide(written(tmp_path, text + SHEETS), ("K",))
    tags = {"Seat1": "?", "Seat2": "B"}
    assert guide.entries == (Entry("Man", "A man steps.", ("reach",), Example("11-15", "A step.", tags=tags)),)
    assert guide.cards == ("K",)
    first = FirstGame((("11-15", "It steps."),), "A board.", {"Seat1": "?", "Seat2": "?"})
    assert guide.primer.first_game == first


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ENTRY + ENTRY.replace("says =", "sais ="), "entry 2: Object contains unknown field `sais`"),
        (ENTRY.replace('"A man steps."', "3"), "entry 1, says: Expected `str`, got `int`"),
        (ENTRY.replace('shows = "A step."', ""), "entry 1, example: Object missing required field `shows`"),
        (ENTRY + 'afters = "11-15"\n', "entry 1, example: Object contains unknown field `afters`"),
        ("[primer]\ncourse = 'One.'\n", "primer.course: Expected `array`, got `str`"),
        ("[primer]\nwords = [['e4']]\n", "primer.words[0]: Expected `array` of length 2, got 1"),
        ("[entry]\n", "Object contains unknown field `entry`"),
        ("[[entries]\n", "is no TOML: Expected ']]' at the end of an array declaration (at line 1"),
    ],
)
def test_a_guide_that_cannot_be_read_is_named_with_the_place(tmp_path: Path, text: str, says: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(GuideFault) as fault:
        read_guide(path)
    assert str(fault.value).startswith(f"{path} ")
    assert says in str(fault.value)


def with_guide_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let draughts read its guide from another folder."""
    game = GAMES["draughts"]
    load = guide_beside(str(folder / "game.py"), game.about.guide.cards)
    monkeypatch.setitem(GAMES, "draughts", replace(game, about=replace(game.about, load_guide=load)))


def test_a_guide_that_is_not_there_is_named_when_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_guide_in(tmp_path, monkeypatch)
    result = typed(["rules", "draughts", "king"], tmp_path, {})
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"cartulary: {tmp_path / 'guide.toml'} cannot be read: No such file or directory.\n"


FAULTS = {
    '"must-capture"': ('"must-catch"', "test_the_rules_an_entry_names_are_the_games"),
    'word = "11x2"': ('word = "11x3"', "test_the_example_of_an_entry_is_legal_where_it_stands"),
    '["11-15", "A black': ('["11-14", "A black', "test_the_first_game_of_its_page_is_legal_and_says_what_happens"),
}
"""By what stands in the guide of draughts: what is put in its place, and the law that finds it."""


@pytest.mark.parametrize("good", FAULTS)
def test_what_the_rules_refuse_in_a_guide_is_found_by_a_law(
    good: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, (bad, law) = DRAUGHTS.read_text("utf-8"), FAULTS[good]
    assert text.count(good) == 1
    written(tmp_path, text.replace(good, bad))
    with_guide_in(tmp_path, monkeypatch)
    held = type("TestDraughts", (Laws,), {"key": "draughts", "samples": DRAUGHTS.parent})
    with pytest.raises(AssertionError):
        getattr(held(), law)()
