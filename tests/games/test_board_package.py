"""Nine Men's Morris is a package of its own: built and installed, held to the laws, and to a referee of its own."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cartulary.engine import Legal, Refused, Sheet, legal_moves, play
from cartulary.notation import AnyGame, NotationError
from tests.hunts import looks
from tests.places import SAMPLES
from tests.programs import Installed
from tests.referees.morris.play import POINTS, START, after, count, played, result, stated, words

PACKAGE = SAMPLES / "packages" / "nine-mens-morris"
NAME = "cartulary_nine_mens_morris"
FOUR_EACH = "O1O/X1X/3/6/O1O/3/XX1 p1 0:0"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    with closing(Installed(PACKAGE, tmp_path_factory.mktemp("table"))) as installed:
        yield installed


@pytest.fixture(scope="module")
def game() -> Iterator[AnyGame]:
    """Yield the game from where its files lie, not installed."""
    spec = spec_from_file_location(NAME, PACKAGE / NAME / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[NAME] = module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module.GAME
    for name in (NAME, f"{NAME}.rules"):
        sys.modules.pop(name, None)


def start(game: AnyGame, options: dict[str, str]) -> Any:
    return game.rules.setup(Sheet("standard", options, 2))


def legal(game: AnyGame, state: Any) -> list[str]:
    return sorted(game.words.write(move, state, None) for move in legal_moves(game, state))


@pytest.mark.hunt
@pytest.mark.parametrize("flying", [True, False])
def test_every_word_of_random_games_is_legal_as_the_referee_says(game: AnyGame, flying: bool) -> None:
    ends = Counter[str]()
    for seed in range(looks(12)):
        first = START._replace(flying=flying)
        line, outcome, rule = played(Random(f"morris {seed}"), first)
        state, position = start(game, {} if flying else {"no-flying": ""}), first
        for word in line:
            assert legal(game, state) == sorted(words(position)), (seed, word)
            answer = play(game, state, game.words.read(word, state.mover, state))
            assert isinstance(answer.verdict, Legal)
            state, position = answer.after, after(position, word)
        end = game.rules.outcome(state)
        assert (end.key if end else "") == (f"nine-mens-morris.{rule}" if rule else "")
        if end:
            assert end.shares == {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (1, 1)}[outcome]
        ends[rule] += 1
    assert len(ends) > 1


@pytest.mark.hunt
def test_a_mangled_word_is_refused_unless_the_referee_has_it(game: AnyGame) -> None:
    refused = Counter[str]()
    for seed in range(looks(12)):
        rng = Random(f"mangled {seed}")
        line, _, _ = played(rng)
        cut = rng.randrange(len(line))
        state, position = start(game, {}), START
        for word in line[:cut]:
            state, position = play(game, state, game.words.read(word, state.mover, state)).after, after(position, word)
        due = set(words(position))
        for _ in range(100):
            a, b, c = rng.choices(POINTS, k=3)
            word = rng.choice((f"@{a}", f"{a}-{b}", f"@{a}x{b}", f"{a}-{b}x{c}", rng.choice(line), f"@{a}x{b},{c}"))
            with suppress(NotationError):
                move = game.words.read(word, state.mover, state)
                verdict = play(game, state, move).verdict
                text = game.words.write(move, state, None)
                assert isinstance(verdict, Refused) == (text not in due), (seed, text, verdict)
                refused[verdict.clause.key if isinstance(verdict, Refused) else ""] += 1
    assert len(refused) >= 7


def test_the_counts_of_the_samples_are_the_referees() -> None:
    assert [count(START, depth) for depth in range(1, 4)] == [24, 552, 12144]
    assert [count(stated(FOUR_EACH), depth) for depth in range(1, 4)] == [7, 55, 447]
    assert [count(stated("1XX/1O1/O2/XX2O1/1O1/3/3 p1 1:1"), depth) for depth in range(1, 4)] == [22, 338, 3423]
    assert [count(stated("OOO/3/3/6/3/3/XXX p1 0:0"), depth) for depth in range(1, 3)] == [54, 2916]
    assert result(stated(FOUR_EACH), Counter()) == ("", "")


def test_it_is_held_to_the_laws_of_all_games(table: Installed) -> None:
    assert " passed" in table.test(str(PACKAGE))


@pytest.mark.parametrize(
    ("planted", "law"),
    [
        ("removal=replace(DESCRIPTION.removal, free=lambda state, seat: state.men[seat - 1])", "protected"),
        ("flies_with=4", "step"),
        ("repetition=2", "repetition"),
        ("fewest=2", "bare"),
    ],
)
def test_a_rule_that_is_wrong_is_found_by_its_laws(table: Installed, planted: str, law: str) -> None:
    rules = Path(table.environment["PYTHONPATH"]) / NAME / "__init__.py"
    text = rules.read_text("utf-8")
    wrong = f"DESCRIPTION = MORRIS.game\nMORRIS = BoardGame(replace(DESCRIPTION, {planted}))\n"
    imports = "from cartulary.engine.boards import BoardGame\nfrom msgspec.structs import replace\n"
    rules.write_text(text.replace("__all__", f"{imports}{wrong}__all__"), "utf-8")
    try:
        answer = table.test(str(PACKAGE), "-k", "row_says or every_clause", code=1)
    finally:
        rules.write_text(text, "utf-8")
    assert "FAILED" in answer
    assert law in answer


def test_a_game_is_recorded_shown_and_ruled_on(table: Installed) -> None:
    assert "nine-mens-morris: Nine Men's Morris" in table.start("games")
    table.run("new", "nine-mens-morris", "--id", "evening", "--player", "Ada", "--player", "Bela")
    table.run("move", "evening", "@a1", "@d6", "@d1", "f4", "@g1xd6")
    shown = table.run("show", "evening")
    assert " 1 X-----X-----X" in shown
    assert "in hand  Ada 6  Bela 7" in shown
    answer = table.run("move", "evening", "b4-c4", code=1)
    assert "nine-mens-morris.own-man p2 has no man on b4" in answer
    assert "A player puts all his men" in table.run("rules", "nine-mens-morris", "nine-mens-morris.order")


def test_a_board_stated_in_the_middle_of_a_record_is_compared(table: Installed) -> None:
    table.run("new", "nine-mens-morris", "--id", "stated")
    table.run("move", "stated", "@a1", "@d6")
    answer = table.run("board", "stated", "3/1O1/3/6/3/3/1X1 p1 8:8")
    assert "a1: nothing instead of p1's man; d1: p1's man instead of nothing" in answer
    assert "3/1O1/3/6/3/3/1X1 p1 8:8" in table.run("board", "stated")


def test_it_costs_no_more_lines_than_it_may() -> None:
    files = sorted((PACKAGE / NAME).glob("*.py"))
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= 60
