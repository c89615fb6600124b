"""What the four calls do is a game's to say: ``Turns.call`` and ``Turns.calls``."""

from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.engine import LEGAL, CallResult, Outcome, Refused
from cartulary.engine.calls import RESIGN, Call, Calls, judge_call
from cartulary.notation import GAMES, NotationError, examine, load_all, loads
from cartulary.notation.arbiter.replay import read_word
from tests.games.heaps import HEAPS, Heaps, Take
from tests.places import SAMPLES


def resigned_late(state: Heaps, call: Call, calls: Calls, seats: int) -> CallResult:
    """Refuse a resignation before both have taken; then it is a draw."""
    if call.word != "Resign":
        return judge_call(state, call, calls, seats)
    if state.ply < 2:
        return CallResult(Refused("Both take before one resigns", clause=RESIGN), calls)
    return CallResult(LEGAL, Calls(outcome=Outcome((1, 1), RESIGN.key, "who resigns draws")))


def report(movetext: str, monkeypatch: pytest.MonkeyPatch, **turns: Any) -> tuple[str, list[str], str]:
    """Return the result, the keys found and the verdict of a game of heaps with other turns."""
    monkeypatch.setitem(GAMES, "heaps", replace(HEAPS, turns=replace(HEAPS.turns, **turns)))
    found = examine(loads(f'[Game "Heaps"]\n\n{movetext} *\n')[0]).report
    return found.result, [one.key for one in found.findings if one.severity == "error"], found.verdict


def test_a_game_says_what_its_calls_do(monkeypatch: pytest.MonkeyPatch) -> None:
    assert report("3-2 4-1 Resign", monkeypatch) == ("0-1", [], "legal")
    assert report("3-2 4-1 Resign", monkeypatch, call=resigned_late) == ("1/2-1/2", [], "legal")
    assert report("3-2 p1/Resign", monkeypatch, call=resigned_late) == ("*", ["call.resign"], "irregular")
    assert report("3-2 4-1 Draw p2/Agree", monkeypatch, call=resigned_late) == ("1/2-1/2", [], "legal")


@pytest.mark.parametrize("word", ["Resign", "p1/Resign"])
def test_what_is_no_call_of_a_game_is_its_own_to_read(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    assert report(f"3-2 4-1 {word}", monkeypatch, calls=("Timeout",)) == ("*", ["cgn.syntax"], "unreadable")
    assert report("3-2 4-1 Timeout", monkeypatch, calls=("Timeout",)) == ("0-1", [], "legal")
    pile = replace(HEAPS.words, read=lambda signs, seat, state: Take(seat, 2, len(signs)))
    assert read_word(replace(HEAPS, words=pile), Heaps(), word, 2) == Take(1, 2, 6)
    with pytest.raises(NotationError):
        read_word(HEAPS, Heaps(), word, 2)


def test_a_call_counts_as_a_ply_of_what_is_told_later() -> None:
    [record] = load_all(SAMPLES / "tarot" / "games" / "table-revoke.cgn")
    words = record.line.words
    later = replace(record, line=replace(record.line, words=(*words[:9], "Draw", *words[9:]), notes={}, numbers={}))
    [found, then] = [
        next(one for one in examine(each).report.findings if one.key == "tarot.follow-suit") for each in (record, later)
    ]
    assert (found.ply, found.decided_by) == (17, 40)
    assert (then.ply, then.decided_by) == (18, 41)


@pytest.mark.parametrize(
    ("tags", "words"),
    [
        ('[Game "Spades"]', "Bid=4 Bid=3 p3/Resign"),
        ('[Game "Spades"]', "Bid=4 ~ ~ ~ ~ p3/Resign"),
        ('[Game "Whist"]', "p3/Timeout"),
        ('[Game "Boule"]\n[Rules "none"]\n[Description "winner=most; seats=4; teams=1,2,1,2"]', "p3/Resign"),
    ],
)
def test_a_partner_loses_with_whoever_resigns(tags: str, words: str) -> None:
    [record] = loads(f"{tags}\n\n{words} *\n")
    outcome = examine(record).outcome
    assert outcome is not None
    assert outcome.shares == (0, 1, 0, 1)
