"""What a game leaves out takes its default, and that is as good as what it might have said."""

from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.engine import Refused, Rules, judge, legal_moves, perft
from cartulary.notation import GAMES, loads
from cartulary.records import api
from cartulary.records.log.store import Store
from tests.games.heaps import HEAPS, Heaps, Take


def test_a_game_without_a_judge_is_asked_by_its_play() -> None:
    plain = replace(HEAPS, rules=replace(HEAPS.rules, judge=None))
    state = Heaps((1, 2), 1)
    for move in (Take(1, 2, 1), Take(1, 2, 2), Take(2, 3, 1)):
        assert judge(plain, state, move) == judge(HEAPS, state, move)
    assert isinstance(judge(plain, state, Take(1, 2, 2)), Refused)
    sure = replace(plain, rules=replace(plain.rules, candidates=lambda state: (Take(1, 2, n) for n in (1, 2))))
    assert list(legal_moves(sure, state)) == [Take(1, 2, 1)]
    assert perft(plain, state, 3) == perft(HEAPS, state, 3)


def test_a_game_without_candidates_lists_no_move_and_is_not_counted() -> None:
    bare: Rules[Heaps, Take, Take, Any] = Rules(setup=HEAPS.rules.setup, play=HEAPS.rules.play)
    game = replace(HEAPS, rules=bare)
    assert list(legal_moves(game, Heaps())) == []
    with pytest.raises(ValueError, match="cannot all be listed"):
        perft(game, Heaps(), 1)


def test_positions_are_the_same_whatever_the_plies_that_led_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "heaps", HEAPS)
    texts = ('[Game "Heaps"]\n\n3-2 4-2 *\n', '[Game "Heaps"]\n\n3-1 4-1 3-1 4-1 *\n', '[Game "Heaps"]\n\n3-2 4-1 *\n')
    for text in texts:
        assert [each.status for each in api.import_records(store, loads(text))] == ["new"]
    hits, _ = api.find_position(store, loads(texts[0])[0], 2)
    assert sorted(hit.ply for hit in hits) == [2, 4]
