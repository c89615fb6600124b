"""What Zarcana's entries say of who uses a power, where, and what its card counts is what the engine asks."""

import pytest

from cartulary.engine.zarcana.cards import CODES, COPIES, FREE, POWER_OF, TITLES, VALUE
from cartulary.engine.zarcana.powers import POWERS
from cartulary.notation import GAMES, Entry

_ENTRIES = {
    entry.name: entry for entry in GAMES["zarcana"].about.guide.entries if not entry.clauses[0].startswith("royalty")
}
_STANCE = {"stands": "a minion that stands", "lies": "a minion that lies", "": "any minion"}


@pytest.mark.parametrize("entry", _ENTRIES.values(), ids=_ENTRIES)
def test_who_uses_a_power_and_where_is_what_the_engine_asks(entry: Entry) -> None:
    code = CODES[entry.cards[0]]
    who, where, counts = entry.table[1]
    title, power = TITLES[POWER_OF[code]], POWERS[POWER_OF[code]]
    assert entry.clauses[0] == title
    if code in COPIES:
        assert who == where
        assert who.startswith("as the ")
        return
    assert who == ("no minion needed" if title in FREE else _STANCE[power.stance])
    assert where == ("on a card" if power.on_card else "the wasteland" if title == "lovers" else "anywhere")
    assert ("orientation" in entry.clauses, "on-card" in entry.clauses) == (bool(power.stance), power.on_card)
    if len(entry.cards) == 1:
        assert counts.split(",")[0] == str(VALUE[code])
