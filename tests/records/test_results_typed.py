"""Results as people type them when they close a game."""

import pytest

from cartulary.records import api
from cartulary.records.commands.close import spelled_result
from cartulary.records.log.store import Store


@pytest.mark.parametrize(
    ("typed", "seats", "result"),
    [
        ("draw", 2, "1/2-1/2"),
        ("½-½", 2, "1/2-1/2"),
        ("1:0", 2, "1-0"),
        ("0 - 1", 2, "0-1"),
        ("draw", 4, "1/4-1/4-1/4-1/4"),
        ("1-0-0-0", 4, "1-0-0-0"),
        ("1:0", 4, "1:0"),
        ("won", 2, "won"),
        ("", 2, ""),
    ],
)
def test_a_result_is_read_as_it_is_meant(typed: str, seats: int, result: str) -> None:
    assert spelled_result(typed, seats) == result


def test_a_game_closed_with_a_word_has_its_result(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    assert api.close(store, "g", api.CloseRequest("draw")).result == "1/2-1/2"
