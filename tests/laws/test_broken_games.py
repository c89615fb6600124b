"""Each law of the kit finds the faults it is for in games that are otherwise sound, by name."""

import pytest

from cartulary.notation import GAMES
from tests.laws.broken_games import BROKEN, LITTLE, LittleHearts
from tests.laws.test_the_laws import broken

LAWS = sorted({law for held, _, law in BROKEN.values() if held is LittleHearts})


@pytest.mark.parametrize("law", LAWS)
def test_little_hearts_obeys_the_laws_it_is_broken_for(law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "little-hearts", LITTLE)
    assert broken(LittleHearts, law) == []


@pytest.mark.parametrize("fault", BROKEN)
def test_a_fault_that_rows_do_not_show_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held, game, law = BROKEN[fault]
    monkeypatch.setitem(GAMES, held.key, game)
    assert broken(type("TestBroken", (held,), {}), law), f"{law} finds nothing"
