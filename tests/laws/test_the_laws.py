"""A game without a fault obeys the laws of ``cartulary.testing``, and each law finds the fault it is for, by name."""

import re
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from cartulary.notation import GAMES, AnyGame, roster
from cartulary.testing import Laws
from cartulary.testing.game import rows_of
from tests.laws import aside
from tests.laws.aside import GAME
from tests.laws.aside.faults import ALIKE_TO_A_SEAT, ALIKE_TO_THE_BYSTANDER, FAULTS, shown
from tests.laws.broken_games import BROKEN

PENDING = "test_a_question_that_a_word_leaves_open_is_pending"
pytest_plugins = "pytester"
SAMPLES = Path(aside.__file__).parent


def held(monkeypatch: pytest.MonkeyPatch, game: AnyGame, samples: Path = SAMPLES) -> type[Laws]:
    """Return the class that holds a game to the laws in place of the toy."""
    monkeypatch.setitem(GAMES, "aside", game)
    fields = {"key": "aside", "samples": samples, "has_due_word": lambda toy, state: bool(state.led)}
    return type("TestAside", (Laws,), fields | {PENDING: None, "exempt": {PENDING: "The toy keeps no questions."}})


def broken(held: type[Laws], name: str) -> list[str]:
    """Return what a law finds in a game, nothing where it is obeyed."""
    law, found = getattr(held, name), []
    rows = rows_of(held, law)
    for values in product(*([row for _, row in each] for each in rows.values())):
        try:
            law(held(), *values)
        except (AssertionError, ExceptionGroup, TypeError, ValueError) as fault:
            found.append(str(fault))
    return found


def test_a_game_without_a_fault_obeys_every_law(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = held(monkeypatch, GAME)
    laws = [name for name in dir(Laws) if name.startswith("test_")]
    silent = [name for name in laws if getattr(sound, name) is None]
    assert silent == [
        "test_a_board_of_another_ply_differs_in_places_that_are_named",
        "test_a_position_that_is_written_is_read_and_taken_up_again",
        PENDING,
        "test_a_round_is_read_as_it_was_entered",
        "test_a_tag_with_another_score_is_found",
        "test_a_word_for_a_draw_is_legal",
        "test_an_ended_game_is_closed_with_the_shares_of_its_end",
        "test_legal_words_are_put_together_by_taps_and_can_be_read",
        "test_move_numbers_go_up_one_by_one",
        "test_no_option_is_given_twice",
        "test_tags_are_accepted_or_refused_as_their_row_says",
        "test_the_counts_are_those_somebody_else_found",
        "test_the_tags_of_a_set_up_are_written_as_they_were_read",
        "test_what_is_tapped_for_a_move_is_the_word_of_that_move",
        "test_who_gives_up_among_three_ends_the_game_for_all_and_the_rule_says_so",
    ]
    assert {name: found for name in laws if name not in silent if (found := broken(sound, name))} == {}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_the_law_it_is_for(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    game, law = FAULTS[fault]
    assert broken(held(monkeypatch, game), law)


ODD_SAMPLES: dict[str, tuple[str, str, str, str]] = {
    "a golden game that is not there": (
        "games/expected.toml",
        'file = "open.cgn"',
        'file = "other.cgn"',
        "test_the_game_brings_its_samples",
    ),
    "two rows for one reason": (
        "rules.toml",
        "A card is not played twice.",
        "A hand is dealt once.",
        "test_no_two_rows_argue_the_same",
    ),
    "tags said to be refused that are not": (
        "rules.toml",
        "",
        '[[setup]]\nwhy = "Two play."\ntags = { Seat1 = "A", Seat2 = "B" }\nrefused = "record.tag"\n',
        "test_tags_are_accepted_or_refused_as_their_row_says",
    ),
    "a count that is another": (
        "perft.toml",
        "",
        '[[start]]\nsource = "counted: twelve cards"\ncounts = [13]\n',
        "test_the_counts_are_those_somebody_else_found",
    ),
    "a count that takes too long": (
        "perft.toml",
        "",
        '[[start]]\nsource = "counted: too far"\ncounts = [12, 12000000]\n',
        "test_the_counts_are_those_somebody_else_found",
    ),
    "a count that goes wrong before it takes long": (
        "perft.toml",
        "",
        '[[start]]\nsource = "counted: another game"\ncounts = [13, 1000, 90000, 900000]\n',
        "test_the_counts_are_those_somebody_else_found",
    ),
}
"""By what is wrong: a file, what gives way, what takes its place, at the end where nothing does, and the law."""


GENERAL = {
    "test_no_option_is_given_twice",
    "test_who_gives_up_among_three_ends_the_game_for_all_and_the_rule_says_so",
}
"""What no game can break: general code answers for it."""


def test_every_law_has_a_fault_it_is_for() -> None:
    found = {law for _, law in FAULTS.values()} | {law for *_, law in (*ODD_SAMPLES.values(), *BROKEN.values())}
    assert {name for name in dir(Laws) if name.startswith("test_")} - found == GENERAL


@pytest.mark.parametrize("fault", ODD_SAMPLES)
def test_samples_at_fault_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: str) -> None:
    name, old, new, law = ODD_SAMPLES[fault]
    file = shutil.copytree(SAMPLES, tmp_path / "samples") / name
    text = file.read_text("utf-8") if file.exists() else ""
    file.write_text(text.replace(old, new, 1) if old else f"{text}\n{new}", "utf-8")
    listed = replace(GAME, rules=replace(GAME.rules, complete=lambda state: True))
    assert broken(held(monkeypatch, listed, tmp_path / "samples"), law)


BRINGS = "test_the_game_brings_its_samples"
LACKING: dict[str, tuple[str, str, str]] = {
    "no golden game": ("games/open.cgn", "", "write open.cgn in "),
    "no golden game and no word of one": ("games", "", "games/expected.toml"),
    "no table of golden games": ("games/expected.toml", "", "write "),
    "a table that is no TOML": ("games/expected.toml", "[[game]\n", "expected.toml cannot be read: "),
    "a table of another shape": ("games/expected.toml", '[[game]]\nwhy = "x"\n', "missing required field `file`"),
    "no rules": ("rules.toml", "", "rules.toml"),
    "rules with a word misspelt": ("rules.toml", '[[moves]]\nwhy = "x"\n', "unknown field `moves`"),
    "counts of another shape": ("perft.toml", "start = 3\n", "perft.toml cannot be read: "),
}
"""By what is lacking in the samples: what is taken away, what is written in its place, and what the law says."""


@pytest.mark.parametrize("lack", LACKING)
def test_samples_that_are_not_there_are_told_by_one_law_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lack: str
) -> None:
    name, text, says = LACKING[lack]
    path = shutil.copytree(SAMPLES, tmp_path / "samples") / name
    if path.is_dir():
        shutil.rmtree(path)
    elif text:
        path.write_text(text, "utf-8")
    else:
        path.unlink()
    toy = held(monkeypatch, GAME, tmp_path / "samples")
    laws = [name for name in dir(Laws) if name.startswith("test_") and getattr(toy, name) is not None]
    by_name = {law: found for law in laws if (found := broken(toy, law))}
    assert says in by_name.pop(BRINGS)[0]
    assert by_name.keys() <= {"test_every_clause_is_refused_by_three_rows"} if name == "rules.toml" else by_name == {}


def test_a_golden_game_that_is_none_is_told_with_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (shutil.copytree(SAMPLES, tmp_path / "samples") / "games" / "open.cgn").write_text("", "utf-8")
    toy = held(monkeypatch, GAME, tmp_path / "samples")
    assert "open.cgn holds 0 games, expected one" in broken(toy, "test_a_golden_game_is_judged_as_expected")[0]


def test_a_seat_from_which_nothing_is_hidden_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    game = shown(
        view=lambda state, seat: state if seat == 1 else aside.view(state, seat),
        view_move=lambda state, move, seat: move if seat == 1 else aside.view_move(state, move, seat),
    )
    answer = held(monkeypatch, game)
    [fault] = broken(answer, ALIKE_TO_A_SEAT)
    assert "['p1'] == []" in fault
    answer.sees_all = (1,)
    assert broken(answer, ALIKE_TO_A_SEAT) == []
    answer.sees_all = (2,)
    assert broken(answer, ALIKE_TO_A_SEAT)


# --- exemptions ---

HASHED = "test_a_state_is_a_value_that_can_be_hashed"


def exempt(fields: dict[str, object]) -> type[Laws]:
    """Return the class that holds the toy, or what stands for it, to the laws, with more fields."""
    return type("TestAside", (Laws,), {"key": "aside", "samples": SAMPLES} | fields)


def test_a_law_that_a_game_breaks_is_skipped_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "aside", FAULTS["a state that is not hashable"][0])
    with pytest.raises(pytest.skip.Exception, match=r"Nobody hashes it\."):
        getattr(exempt({"exempt": {HASHED: "Nobody hashes it."}})(), HASHED)()


def test_a_law_that_a_game_obeys_needs_no_exemption(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "aside", GAME)
    with pytest.raises(AssertionError, match="aside obeys this law: take it out of exempt"):
        getattr(exempt({"exempt": {HASHED: "Nobody hashes it."}})(), HASHED)()


ODD_EXEMPTIONS: dict[str, tuple[dict[str, object], str]] = {
    "a law left out without a reason": ({HASHED: None}, f"a test of its own for {HASHED}: say why"),
    "a law of its own without a reason": ({HASHED: lambda toy: None}, f"a test of its own for {HASHED}: say why"),
    "no law": ({"exempt": {"test_x": "Why."}}, "found test_x in exempt of TestAside, expected the name of a law"),
    "no sentence": ({"exempt": {HASHED: "why"}}, "found 'why' for .* expected a sentence"),
}


@pytest.mark.parametrize("fault", ODD_EXEMPTIONS)
def test_an_exemption_without_a_law_or_a_reason_is_refused(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    monkeypatch.setitem(GAMES, "aside", GAME)
    fields, because = ODD_EXEMPTIONS[fault]
    with pytest.raises(TypeError, match=because):
        exempt(fields)


def test_a_law_of_its_own_with_a_reason_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "aside", GAME)
    own = exempt({HASHED: lambda toy: None, "exempt": {HASHED: "It is held by other means."}})
    getattr(own(), HASHED)()


# --- from a package of its own ---


TEST_FILE = """
from cartulary.testing import Laws


class TestAside(Laws):
    key, samples = "{key}", "samples"
"""


class Package:
    """The toy where pip would put it, with entry points for itself and for two that are no games."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self._pytester, folder = pytester, pytester.path
        self.code = folder / "aside_package.py"
        self.code.write_text((SAMPLES / "__init__.py").read_text("utf-8"), "utf-8")
        shutil.copytree(SAMPLES, folder / "samples")
        (folder / "aside_package-0.1.dist-info").mkdir()
        offered = ("aside = aside_package:GAME", "heaps = no_such_module:GAME", "pairs = json:dumps")
        for name, lines in {
            "METADATA": ("Metadata-Version: 2.1", "Name: aside-package", "Version: 0.1"),
            "entry_points.txt": (f"[{roster.ENTRY_POINTS}]", *offered),
        }.items():
            (folder / "aside_package-0.1.dist-info" / name).write_text("\n".join(lines), "utf-8")

    def tested(self, key: str, *words: str) -> str:
        """Return what pytest prints of a test file of two lines."""
        self._pytester.makepyfile(test_aside=TEST_FILE.format(key=key))
        roster._installed.cache_clear()
        answer = self._pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", "--strict-markers", *words)
        return "\n".join(answer.outlines)


@pytest.fixture
def package(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    monkeypatch.syspath_prepend(pytester.path)
    yield Package(pytester)
    roster._installed.cache_clear()


def test_a_package_of_its_own_is_held_by_a_test_file_of_two_lines(package: Package) -> None:
    answer = package.tested("aside", "-k", "alike or row or golden")
    assert re.search(r"\n\d+ passed, \d+ deselected in", answer), answer


def test_a_package_whose_views_hide_nothing_is_told_so_by_name(package: Package) -> None:
    code, views = package.code.read_text("utf-8"), "Hidden(view=view, "
    assert views in code
    package.code.write_text(code.replace(views, "Hidden(view=lambda state, seat: state, "), "utf-8")
    answer = package.tested("aside", "-k", "alike")
    assert f"FAILED test_aside.py::TestAside::{ALIKE_TO_A_SEAT}" in answer, answer
    assert f"FAILED test_aside.py::TestAside::{ALIKE_TO_THE_BYSTANDER}" in answer
    assert "show to 1 behind" in answer


def test_a_game_that_cannot_be_loaded_is_named_where_it_is_held(package: Package) -> None:
    answer = package.tested("heaps")
    assert "The game heaps of the package aside-package cannot be loaded: ModuleNotFoundError" in answer, answer
    assert "json:dumps should be a cartulary.notation.Game, but is function" in package.tested("pairs")
    assert re.search("found no game 'asides', expected one of: .*aside", package.tested("asides"))
