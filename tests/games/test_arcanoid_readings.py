"""Readings of where a card came from, a hand nobody saw or a row nobody told: none is lost without a word."""

import pytest

from cartulary.engine import Refused, Undecided
from cartulary.engine.arcanoid import pending
from cartulary.engine.readings import GAP, states_of
from cartulary.notation import GAMES, Step, steps
from tests.games.test_arcanoid_engine import started

SAID = "T08 2C- T13 3C- 5S@s 4C- ~- 5C- ~- 6C- ~- @w ~- @c ~- @s ~- @d ~-"
"""Whether Death and the Five came from the hand or the row, the hand has no seventh card left at the end."""
TWO_SEATS = {"Seat1": "?", "Seat2": "?"}


def asks(step: Step) -> bool:
    """Say whether a ply is undecided for a reading that was lost."""
    return isinstance(step.verdict, Undecided) and any(asked.clause is GAP for asked in step.verdict.opens)


def test_where_the_budget_ends_the_record_says_so_and_refuses_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    (state, seats), words = started(TWO_SEATS), tuple(SAID.split())
    whole = list(steps(GAMES["arcanoid"], state, words, seats))
    first = next(at for at, step in enumerate(whole) if len(states_of(step.after)) > 1)
    assert isinstance(whole[-1].verdict, Refused)
    assert not any(map(asks, whole))
    monkeypatch.setattr("cartulary.engine.arcanoid.readings.MOST", 1)
    done = list(steps(GAMES["arcanoid"], state, words, seats))
    assert [asks(step) for step in done] == [False] * first + [True] * (len(words) - first)
    assert all(step.applied for step in done)
    answer = pending(done[-1].after).open
    assert [ply for ply, key in answer if key == GAP.key] == list(range(first + 1, len(words) + 1))
