"""My game plays as its samples say."""

from pathlib import Path

import pytest
from cartulary.engine import perft
from cartulary.notation import examine, load

from cartulary_my_game import GAME
from cartulary_my_game.rules import State

GAMES = Path(__file__).parents[1] / "samples" / "my-game" / "games"


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.cgn")), ids=lambda path: path.name)
def test_a_game_of_the_samples_is_legal(path: Path) -> None:
    [record] = load(path)
    report = examine(record).report
    assert (report.verdict, report.result) == ("legal", record.line.result)


def test_as_many_games_are_legal_as_were_counted_on_paper() -> None:
    assert [perft(GAME, State(), depth) for depth in range(1, 5)] == [9, 72, 504, 3024]
