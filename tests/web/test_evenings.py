"""Whole games recorded on phones: every word tapped or typed, a slip taken back, a move missed, a dead spot."""

import re
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from cartulary.notation import loads
from cartulary.records import desk
from tests.cli.test_replay_in_browser import browser as browser
from tests.hunts import looks
from tests.places import SAMPLES
from tests.web.phones import Phone, opened
from tests.web.phones import address as address

Address = tuple[str, Path]
TAPS, SECONDS = 2, 2.0
"""At most so many taps a card or a quiet move, and so many seconds a word."""
EVENINGS = (
    ("tarot", "table-revoke", 4),
    ("zarcana", "stands", 2),
    ("zarcana", "table", 2),
    ("tarot", "fft-five", 5),
    ("zarcana", "four", 4),
    ("tarot", "dementlieu-three", 3),
    ("zarcana", "extra", 2),
)
SETTING = ("Variant", "Options")
SINGLE = re.compile(r"[1-9XNJQK][A-Z]|T\d\d|Pass")
"""A card played, or no move: what two taps always write."""


class Evening:
    """A table of a game that was played, with a scribe who does not play. tapped: taps by word; took: seconds a word"""

    def __init__(self, browser: Any, address: Address, game: str, sample: str, seats: int) -> None:
        sheet = loads((SAMPLES / game / "games" / f"{sample}.cgn").read_bytes())[0]
        self.words, tags = sheet.line.words, dict(sheet.tags)
        self.result = tags["Result"] if "Termination" in tags else ""
        self.termination = tags.get("Termination", "")
        tags = {name: value for name, value in tags.items() if name in SETTING}
        self.id = opened(address, game, f"{game}-{sample}", tags=tags, seats=seats)
        self.phone = Phone(browser, address, self.id, "scribe")
        self.tapped: list[tuple[int, str]] = []
        self.typed: list[str] = []
        self.took: list[float] = []

    def record(self, word: str) -> None:
        """Write a word: tapped where it can be in two taps, else typed; let stand where it is refused."""
        begun = monotonic()
        taps = self.phone.tap_at_most(TAPS, word)
        if taps:
            self.tapped.append((taps, word))
        else:
            self.typed.append(word)
            self.type(word)
        self.took.append(monotonic() - begun)

    def type(self, word: str) -> None:
        before = self.phone.version
        self.phone.type(word)
        self.phone.page.keyboard.press("Enter")
        self.phone.page.wait_for_function(
            "before => document.querySelector('[data-live]').dataset.version !== before"
            " || !document.querySelector('[data-stands]').hidden",
            arg=before,
        )
        if self.phone.version == before:
            self.phone.page.click("[data-stands]")
            self.phone.written(before)

    def take_back(self, plies: int) -> None:
        page, before = self.phone.page, self.phone.version
        page.click("summary:text('Take back')")
        page.fill("input[name=plies]", str(plies))
        page.select_option("select[name=agreed]", "p1")
        page.click("button:text('Take back')")
        self.phone.written(before)

    def miss(self) -> None:
        before = self.phone.version
        self.phone.page.click("[data-missed]")
        self.phone.written(before)

    def dead_spot(self, words: tuple[str, ...]) -> None:
        """Write words without net, which is back then."""
        self.phone.context.set_offline(True)
        for word in words:
            self.phone.type(word)
            self.phone.page.keyboard.press("Enter")
        self.phone.page.wait_for_function("many => queue().length === many", arg=len(words))
        self.phone.context.set_offline(False)
        self.phone.page.wait_for_function("() => !queue().length && !working")

    def close(self) -> None:
        self.phone.page.click("summary:text('Close')")
        self.phone.page.fill("input[name=result]", self.result)
        self.phone.page.select_option("select[name=termination]", self.termination)
        self.phone.page.click("text=Close the game")
        self.phone.page.wait_for_selector("text=This game is closed")
        self.phone.close()


@pytest.mark.hunt
@pytest.mark.parametrize(("game", "sample", "seats"), EVENINGS[: 1 + looks(2)])
def test_a_whole_game_is_recorded_on_a_phone(
    browser: Any, address: Address, game: str, sample: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = Evening(browser, address, game, sample, seats)
    words = evening.words
    half = len(words) // 2 - 3
    for word in words[:half]:
        evening.record(word)
    evening.miss()
    evening.type(words[half + 1])
    evening.take_back(2)
    evening.dead_spot(words[half : half + 3])
    for word in words[half + 3 :]:
        evening.record(word)
    evening.close()
    assert evening.phone.words() == words
    with desk.Store(address[1]) as store:
        assert desk.load(store, evening.id).book.closed
        assert [proof.fault for proof in desk.verify_all(store) if proof.fault] == []
    took, taps = sorted(evening.took), [taps for taps, _ in evening.tapped]
    with capsys.disabled():
        print(
            f"\n{game} {sample}: {len(words)} words, {len(taps)} tapped with {sum(taps) / max(1, len(taps)):.2f} taps,"
            f" {len(evening.typed)} typed; {took[len(took) // 2]:.2f} s a word in the middle, {took[-1]:.2f} s at most"
        )
    cards = [word for word in words if SINGLE.fullmatch(word)]
    tapped = {word for _, word in evening.tapped} | set(words[half : half + 3])
    assert [word for word in cards if word not in tapped] == []
    assert took[-1] < SECONDS
