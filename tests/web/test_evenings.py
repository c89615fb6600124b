"""Whole evenings on phones, by everybody at once: the scribe taps and types, the seats write their own words, a slip is
taken back, a dead spot passed, a missed move disputed and ruled on, the record closed and signed off."""

import re
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from cartulary.notation import examine, loads
from cartulary.records import api
from cartulary.records.state.agreements import agreements_of
from tests.hunts import looks
from tests.places import SAMPLES
from tests.web.phones import Phone, opened

Address = tuple[str, Path]
TAPS = 2
"""At most so many a card or a quiet move."""
EVENINGS = (
    ("zarcana", "stands", 2),
    ("tarot", "table-revoke", 4),
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
    """A table of a game that was played, with a scribe who does not play, its seats, a rail and an arbiter.

    tapped: taps by word; took: seconds a word of the scribe
    """

    def __init__(self, browser: Any, address: Address, game: str, sample: str, seats: int) -> None:
        sheet = loads((SAMPLES / game / "games" / f"{sample}.cgn").read_bytes())[0]
        self.words, tags = sheet.line.words, dict(sheet.tags)
        self.found = {finding.ply for finding in examine(sheet).report.findings}
        self.result = tags["Result"] if "Termination" in tags else ""
        self.termination = tags.get("Termination", "")
        tags = {name: value for name, value in tags.items() if name in SETTING}
        self.id = opened(address, game, f"{game}-{sample}", tags=tags, seats=seats)
        self.phone, self.rail, self.arbiter = (
            Phone(browser, address, self.id, role) for role in ("scribe", "rail", "arbiter")
        )
        self.seats = [Phone(browser, address, self.id, f"p{seat}") for seat in range(1, seats + 1)]
        self.tapped: list[tuple[int, str]] = []
        self.typed: list[str] = []
        self.took: list[float] = []

    def record(self, word: str) -> None:
        """Write a word: tapped where it can be in two taps, else typed; let stand where it is refused."""
        self.phone.catch_up()
        begun = monotonic()
        taps = self.phone.tap_at_most(TAPS, word, offered=True)
        if taps:
            self.tapped.append((taps, word))
        else:
            self.typed.append(word)
            self.phone.write(word)
        self.took.append(monotonic() - begun)

    def take_back(self, plies: int) -> None:
        self.phone.catch_up()
        page, before = self.phone.page, self.phone.version
        self.phone.more()
        page.click("summary:text('Take back')")
        page.fill("input[name=plies]", str(plies))
        page.select_option("select[name=agreed]", "p1")
        page.click("button:text('Take back')")
        self.phone.written(before)
        self.rail.page.wait_for_selector("[data-news] >> text=Plies were taken back")

    def miss(self) -> None:
        self.phone.catch_up()
        before = self.phone.version
        self.phone.miss()
        self.phone.written(before)

    def dead_spot(self, words: tuple[str, ...]) -> None:
        """Write words without net, which is back then."""
        self.phone.net(False)
        for word in words:
            self.phone.type(word)
            self.phone.page.keyboard.press("Enter")
        self.phone.wait_for("queued.queue().length === arg", arg=len(words))
        self.phone.net(True)
        self.phone.wait_for("!queued.queue().length && !queued.progress.working")

    def by_its_seats(self, word: str) -> None:
        """Write a word on the phone of the seat whose turn it is; the scribe's where it is nobody's own."""
        with self.phone.store() as store:
            actors = api.read_view(store, self.id).actors
        writer = self.seats[actors[0] - 1] if len(actors) == 1 and "/" not in word else self.phone
        writer.catch_up()
        writer.write(word)

    def settle(self, ply: int, word: str) -> None:
        """Let a seat dispute a ply, and the arbiter rule that this was played, having looked at what that changes."""
        seat, arbiter = self.seats[-1].page, self.arbiter.page
        self.seats[-1].catch_up()
        before = self.seats[-1].version
        seat.click("summary:text('Dispute')")
        seat.fill("input[name=ply]", str(ply))
        seat.fill("input[name=claim]", f"I played {word}")
        seat.click("button:text('Dispute')")
        self.seats[-1].written(before)
        with arbiter.expect_navigation():
            arbiter.click("a[data-new]")
        arbiter.click("text=/Rule on dispute/")
        arbiter.select_option("select[name=decision]", "amended")
        arbiter.fill("input[name=words]", word)
        arbiter.fill("input[name=arbiter]", "C. Umpire")
        arbiter.click("text=What the ruling would change")
        arbiter.wait_for_selector("[data-would] li")
        assert "~" in self.phone.words()
        self.phone.catch_up()
        before = self.phone.version
        with arbiter.expect_navigation():
            arbiter.click("button:text-is('Rule')")
        self.phone.written(before)
        assert "~" not in self.phone.words()

    def close(self) -> None:
        """Close the game, and let every seat agree with it."""
        self.phone.catch_up()
        self.phone.page.click("summary:text('Close')")
        self.phone.page.fill("input[name=result]", self.result)
        self.phone.page.select_option("select[name=termination]", self.termination)
        self.phone.page.click("button:text('Close the game') >> nth=-1")
        self.phone.page.wait_for_selector("text=This link shows the game until")
        for seat in self.seats:
            seat.catch_up()
            seat.page.click("text=I agree with this record")
            seat.page.wait_for_selector("text=I agree with this record", state="detached")
        for change in ("A dispute was raised", "The arbiter ruled", "The game was closed"):
            self.rail.page.wait_for_selector(f"[data-news] >> text={change}")
        for phone in (self.phone, *self.seats, self.rail, self.arbiter):
            phone.close()


@pytest.mark.hunt
@pytest.mark.parametrize(("game", "sample", "seats"), EVENINGS[: looks(2)])
def test_a_whole_game_is_recorded_on_a_phone(
    browser: Any, address: Address, game: str, sample: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = Evening(browser, address, game, sample, seats)
    words, many = evening.words, len(evening.words)
    own = many // 4
    dead = own + min(2 * seats, own)
    missed = next(at for at in range(max(dead + 3, 3 * many // 4), many) if at + 1 not in evening.found)
    for word in words[:own]:
        evening.record(word)
    for word in words[own:dead]:
        evening.by_its_seats(word)
    evening.miss()
    evening.phone.write(words[dead + 1])
    evening.take_back(2)
    evening.dead_spot(words[dead : dead + 3])
    for word in words[dead + 3 : missed]:
        evening.record(word)
    evening.miss()
    evening.settle(missed + 1, words[missed])
    for word in words[missed + 1 :]:
        evening.record(word)
    evening.close()
    assert evening.phone.words() == words
    with api.Store(address[1]) as store:
        played = api.load(store, evening.id)
        assert (played.book.closed, len(agreements_of(played))) == (True, seats)
        assert [proof.fault for proof in api.verify_all(store) if proof.fault] == []
        log = api.html([api.score_sheet(store, evening.id, log=True)]).decode()
    reader = Phone(browser, address, evening.id, "reader")
    reader.page.goto(reader.page.url.replace("?", "/sheet?"))
    paper = reader.page.inner_text("body")
    for answer in (f"I played {words[missed]}. Ruled.", "C. Umpire: amended", "agreed with this record"):
        assert answer in paper, paper
    assert paper.count("agreed with this record") == seats
    assert "took back" in log
    reader.close()
    took, taps = sorted(evening.took), [taps for taps, _ in evening.tapped]
    with capsys.disabled():
        print(
            f"\n{game} {sample}: {len(words)} words, {len(taps)} tapped with {sum(taps) / max(1, len(taps)):.2f} taps,"
            f" {len(evening.typed)} typed; {took[len(took) // 2]:.2f} s a word in the middle, {took[-1]:.2f} s at most"
        )
    assert [word for word in evening.typed if SINGLE.fullmatch(word)] == []
