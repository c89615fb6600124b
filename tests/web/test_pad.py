"""The pad in a real browser: an evening is entered by taps, which are counted, and the sums are worked out here."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.web.round_list import short_names
from tests.cli.test_replay_in_browser import DESK, PHONE, SMALL, hold_to_axe
from tests.web.phones import Phone, opened
from tests.web.served import serving

PLAYERS = ("Ann", "Bea", "Cyrille", "Delphine")
FIVE = (*PLAYERS, "Eve")
NEEDED = (56, 51, 41, 36)
TIMES = {"Prise": 1, "Garde": 2, "GardeSans": 4, "GardeContre": 6}


class Deal(NamedTuple):
    """A deal of which only the score is known. petit: the side that won the last trick with it; shown: who, how many"""

    taker: int
    bid: str
    bouts: int
    points: int
    petit: str = ""
    shown: tuple[int, int] | None = None
    chelem: str = ""

    def won(self) -> list[int]:
        """Return what each of four seats wins, as the official rules say."""
        margin = self.points - NEEDED[self.bouts]
        sign = 1 if margin >= 0 else -1
        total = sign * (25 + abs(margin)) * TIMES[self.bid]
        total += {"": 0, "taker": 10, "defence": -10}[self.petit] * TIMES[self.bid]
        total += sign * {10: 20, 13: 30, 15: 40}[self.shown[1]] if self.shown else 0
        total += {"": 0, "announced": -200, "made": 200, "announced-made": 400}[self.chelem]
        return [3 * total if seat == self.taker else -total for seat in range(1, 5)]


ODD = {"Taker": "Zoe", "Bid": "Garde", "Bouts": "3", "Points": "54"}
EVENING = (
    Deal(2, "Garde", 3, 54),
    Deal(1, "Prise", 1, 40, petit="defence"),
    Deal(4, "GardeSans", 2, 41, shown=(4, 10)),
    Deal(3, "Garde", 2, 36, petit="taker"),
    Deal(2, "GardeContre", 1, 60),
)


class Pad:
    """A pad on a phone. taps: how many there were"""

    def __init__(self, browser: Any, address: tuple[str, Path], id: str, role: str = "scribe") -> None:
        self.phone = Phone(browser, address, id, role, has_touch=True)
        self.page, self.taps = self.phone.page, 0
        self.page.goto(f"{address[0]}/games/{id}/pad?as={role}")

    def tap(self, what: str) -> None:
        """Tap what must be on the screen without scrolling."""
        found = self.page.locator(what)
        box = found.bounding_box()
        assert box is not None, what
        assert box["y"] >= 0, (what, box)
        assert box["y"] + box["height"] <= PHONE["height"], (what, box)
        found.tap()
        self.taps += 1

    def pick(self, field: str, value: str) -> None:
        self.tap(f'[data-field="{field}"] [data-value="{value}"]')

    def number(self, text: str) -> None:
        for key in text:
            self.tap(f'[data-key="{key}"]')

    def enter(self) -> None:
        before = self.page.get_attribute("[data-version]", "data-version")
        self.tap("[data-enter]")
        self.page.wait_for_function(
            "before => document.querySelector('[data-version]').dataset.version !== before", arg=before
        )

    def deal(self, deal: Deal) -> int:
        """Enter a deal, and return how many taps it took."""
        before = self.taps
        self.pick("Taker", f"p{deal.taker}")
        self.pick("Bid", deal.bid)
        self.pick("Bouts", str(deal.bouts))
        self.number(str(deal.points))
        for field, value in (("Petit", deal.petit), ("Chelem", deal.chelem)):
            if value:
                self.tap(f'[data-opens="{field}"]')
                self.pick(field, value)
        if deal.shown:
            self.tap('[data-opens="Poignee"]')
            self.pick("Poignee", "p{}:{}".format(*deal.shown))
        self.enter()
        return self.taps - before

    def totals(self) -> list[int]:
        texts = self.page.locator(".totals td").all_text_contents()
        return [int(text.replace("−", "-")) for text in texts]

    def says(self, part: str) -> None:
        self.page.wait_for_function(
            "part => document.querySelector('[data-says]').textContent.includes(part)", arg=part
        )


def table(address: tuple[str, Path], id: str, players: tuple[str, ...] = PLAYERS) -> str:
    return opened(address, "tarot", id, players, variant="fft")


def test_an_evening_of_five_deals_takes_at_most_sixty_taps(browser: Any, address: tuple[str, Path]) -> None:
    pad = Pad(browser, address, table(address, "pad-evening"))
    sums = [0, 0, 0, 0]
    for deal in EVENING:
        taps = pad.deal(deal)
        bonuses = bool(deal.petit) + bool(deal.shown) + bool(deal.chelem)
        assert taps <= 9 + 2 * bonuses, deal
        sums = [total + won for total, won in zip(sums, deal.won(), strict=True)]
        assert pad.totals() == sums
    assert pad.taps <= 60
    with pad.phone.store() as store:
        game = api.load(store, "pad-evening")
        assert api.round_form(game).score == ":".join(map(str, sums))
        assert game.plies == len(EVENING)
    pad.phone.close()


def test_names_are_shortened_where_there_is_little_room() -> None:
    names = ("Anna Kowalska", "Kowalska, Ann", "Anna Lindgren", "Bela", "Friedrich von Hohenstaufen", "p6")
    assert list(short_names(names).values()) == ["Anna K.", "Ann", "Anna L.", "Bela", "Friedrich", "p6"]
    assert set(short_names(("Bernadette Lind", "Bernadette Ling")).values()) == {"Bernadette Lind", "Bernadette Ling"}


def test_chelem_and_the_partner_of_five_take_two_taps_each(browser: Any, address: tuple[str, Path]) -> None:
    pad = Pad(browser, address, table(address, "pad-five", FIVE))
    pad.pick("Taker", "p1")
    pad.pick("Partner", "p5")
    pad.pick("Bid", "Garde")
    pad.pick("Bouts", "3")
    pad.number("87")
    before = pad.taps
    pad.tap('[data-opens="Chelem"]')
    pad.pick("Chelem", "announced")
    assert pad.taps - before == 2
    pad.enter()
    amount = (25 + 87 - 36) * 2 - 200
    assert pad.totals() == [2 * amount, -amount, -amount, -amount, amount]
    pad.phone.close()


def test_the_sum_is_shown_before_it_is_entered_and_the_other_side_beside_the_points(
    browser: Any, address: tuple[str, Path]
) -> None:
    pad = Pad(browser, address, table(address, "pad-sum", FIVE))
    pad.pick("Taker", "p2")
    pad.pick("Bid", "Garde")
    pad.pick("Bouts", "2")
    pad.number("54")
    assert pad.page.inner_text("[data-other]") == "the other side 37"
    pad.says("Bea has 54 points with 2 bouts and needs 41: contract made by 13")
    assert pad.totals() == [0] * 5
    pad.tap('[data-key="back"]')
    pad.tap('[data-key="half"]')
    assert pad.page.inner_text("[data-other]") == "the other side 85½"
    pad.phone.close()


def test_what_was_undone_stands_in_the_form_and_may_be_redone(browser: Any, address: tuple[str, Path]) -> None:
    pad = Pad(browser, address, table(address, "pad-redo"))
    assert pad.page.locator('[data-key="half"]').count() == 0, "four players have whole points"
    pad.deal(EVENING[0])
    totals = pad.totals()
    pad.tap("[data-take-back]")
    pad.page.wait_for_function("() => !document.querySelector('.rounds tbody')")
    assert pad.page.inner_text("[data-shown] >> nth=0") == str(EVENING[0].points)
    assert pad.page.locator(f"[data-field=Taker] [data-value=p{EVENING[0].taker}][aria-pressed=true]").count() == 1
    pad.tap("[data-stand-again]")
    pad.says("The deal stands again.")
    assert pad.totals() == totals
    assert not pad.page.locator("[data-stand-again]").is_visible()
    pad.phone.close()


def test_undo_takes_the_last_round_back_and_all_passed_needs_nothing_else(
    browser: Any, address: tuple[str, Path]
) -> None:
    pad = Pad(browser, address, table(address, "pad-undo"))
    pad.deal(EVENING[0])
    pad.pick("Taker", "-")
    pad.enter()
    assert pad.page.locator(".rounds tbody").count() == 2
    for left in (1, 0):
        pad.tap("[data-take-back]")
        pad.page.wait_for_function("left => document.querySelectorAll('.rounds tbody').length === left", arg=left)
    assert pad.totals() == [0, 0, 0, 0]
    assert not pad.page.locator("[data-take-back]").is_visible()
    pad.phone.close()


def test_tapping_a_row_corrects_that_round_and_leaves_the_others(browser: Any, address: tuple[str, Path]) -> None:
    pad = Pad(browser, address, table(address, "pad-correct"))
    for deal in EVENING[:3]:
        pad.deal(deal)
    pad.page.locator('[data-ply="2"]').tap()
    assert pad.page.inner_text("[data-correcting] b") == "Correcting deal 2"
    chosen = pad.page.locator('[aria-pressed="true"]').all_text_contents()
    assert chosen == ["Ann", "Prise", "1", "Defence"]
    assert pad.page.inner_text("[data-shown]") == "40"
    pad.says("Ann has 40 points with 1 bout")
    assert not pad.page.locator("[data-take-back]").is_visible()
    pad.tap('[data-key="back"]')
    pad.tap('[data-key="back"]')
    pad.number("55")
    pad.enter()
    right = (EVENING[0], EVENING[1]._replace(points=55), EVENING[2])
    assert pad.totals() == [sum(column) for column in zip(*(deal.won() for deal in right), strict=True)]
    assert pad.page.inner_text("[data-enter]") == "Enter"
    with pad.phone.store() as store:
        assert api.load(store, "pad-correct").words[1] == "p0/Taker=p1&Bid=Prise&Bouts=1&Points=55&Petit=defence"
    pad.phone.close()


def test_a_correction_is_left_and_the_form_is_empty_again(browser: Any, address: tuple[str, Path]) -> None:
    pad = Pad(browser, address, table(address, "pad-leave"))
    pad.deal(EVENING[0])
    pad.page.locator('[aria-label="Correct deal 1"]').focus()
    pad.page.keyboard.press("Enter")
    assert pad.page.locator('[aria-pressed="true"]').count() == 3
    pad.tap("[data-leave]")
    assert pad.page.locator('[aria-pressed="true"]').count() == 0
    assert not pad.page.locator("[data-correcting]").is_visible()
    assert pad.totals() == EVENING[0].won()
    pad.phone.close()


def test_a_round_is_corrected_after_the_last_one_too(browser: Any, address: tuple[str, Path]) -> None:
    with Store(address[1]) as store:
        toml = 'title = "Two Rounds"\nwinner = "most"\nrounds = 1\n'
        api.describe_game(store, api.DescribeRequest(toml=toml))
        id = api.open_game(store, api.NewRequest("two rounds", id="pad-last", players=("Ann", "Bea", "Cy"))).id
        api.play_round(store, id, api.RoundRequest(answers={"Points": "10:-:30"}))
    pad = Pad(browser, address, id)
    assert not pad.page.locator("[data-round]").is_visible()
    pad.page.locator('[data-ply="1"]').tap()
    assert pad.page.locator("[data-cell]").all_text_contents() == ["Ann10", "Bea–", "Cy30"]
    pad.tap('[data-key="5"]')
    pad.enter()
    assert pad.totals() == [105, 0, 30]
    assert not pad.page.locator("[data-round]").is_visible()
    pad.phone.close()


def test_what_is_missing_is_said_in_the_words_of_the_form(browser: Any, address: tuple[str, Path]) -> None:
    pad = Pad(browser, address, table(address, "pad-missing"))
    pad.pick("Taker", "p2")
    pad.tap("[data-enter]")
    pad.says("Still missing: Bid, Bouts, Taker's points.")
    pad.phone.close()


def test_a_refused_round_names_its_rule_and_may_be_let_stand(browser: Any, address: tuple[str, Path]) -> None:
    pad = Pad(browser, address, table(address, "pad-refused"))
    pad.pick("Taker", "p2")
    pad.pick("Bid", "Garde")
    pad.pick("Bouts", "0")
    pad.number("90")
    pad.tap("[data-enter]")
    pad.page.wait_for_selector("[data-stands]")
    pad.says("a side with no bouts has")
    pad.says("tarot.settlement")
    assert pad.totals() == [0, 0, 0, 0]
    pad.tap("[data-stands]")
    pad.page.wait_for_selector(".rounds tbody")
    assert pad.totals() != [0, 0, 0, 0]
    pad.phone.close()


def test_what_another_phone_enters_is_shown(browser: Any, address: tuple[str, Path]) -> None:
    pad = Pad(browser, address, table(address, "pad-two"))
    other = Pad(browser, address, "pad-two")
    other.deal(EVENING[0])
    pad.page.wait_for_selector(".rounds tbody")
    assert pad.totals() == EVENING[0].won()
    for each in (pad, other):
        each.phone.close()


def test_a_described_game_takes_a_number_for_each_player(browser: Any, address: tuple[str, Path]) -> None:
    with Store(address[1]) as store:
        api.describe_game(store, api.DescribeRequest(toml='title = "Skull King"\nwinner = "most"\nrounds = 2\n'))
        id = api.open_game(store, api.NewRequest("skull king", id="pad-skull", players=("Ann", "Bea", "Cy"))).id
    pad = Pad(browser, address, id)
    for number in ("30", "20"):
        pad.number(number)
        pad.tap('[data-key="next"]')
    pad.tap('[data-cell="1"]')
    pad.tap('[data-key="sign"]')
    pad.enter()
    assert pad.totals() == [30, -20, 0]
    pad.number("5")
    pad.tap("[data-enter]")
    pad.page.wait_for_function("() => document.body.textContent.includes('No further round')")
    assert pad.totals() == [35, -20, 0]
    pad.phone.close()


@pytest.mark.parametrize("players", [PLAYERS, FIVE], ids=["four", "five"])
def test_axe_finds_nothing_on_the_pad(browser: Any, address: tuple[str, Path], players: tuple[str, ...]) -> None:
    pad = Pad(browser, address, table(address, f"pad-axe-{len(players)}", players))
    pad.pick("Taker", "p1")
    for opens in ("Petit", ""):
        if opens:
            pad.tap(f'[data-opens="{opens}"]')
        hold_to_axe(pad.page, (DESK, "light"), (PHONE, "dark"))
        assert pad.page.evaluate(SMALL) == []
    pad.phone.close()


# --- the JSON ---


def test_the_pad_as_json_has_the_fields_and_the_rounds(store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="g", players=PLAYERS, variant="fft"))
    with serving(store.path, writes=True) as client:
        page = client.get("/games/g/pad.json").json()
        assert [field["name"] for field in page["fields"]][:2] == ["Taker", "Bid"]
        sent: dict[str, object] = {
            "command": "a",
            "answers": {"Taker": "Bea", "Bid": "Garde", "Bouts": "3", "Points": "54"},
        }
        dry = _post(client, sent | {"dry": True})
        assert (dry["score"], client.get("/games/g/pad.json").json()["rounds"]) == ("-86:258:-86:-86", [])
        assert _post(client, sent)["says"].endswith("each of 3 defenders −86, Bea +258")
        assert client.get("/games/g/pad.json").json()["gains"] == [["-86", "258", "-86", "-86"]]
        assert client.get("/games/g/pad").text.count("<tbody") == 2


def test_a_game_without_rounds_has_no_pad_and_a_wrong_answer_is_a_sentence(store: Store) -> None:
    api.open_game(store, api.NewRequest("chess", id="c"))
    api.open_game(store, api.NewRequest("tarot", id="g", players=PLAYERS, variant="fft"))
    with serving(store.path, writes=True) as client:
        assert "Rounds of Chess are not entered as their score here" in client.get("/games/c/pad").text
        other = client.get("/games/c/pad.json").json()
        assert (other["fields"], other["because"][:15]) == ([], "Rounds of Chess")
        wrong = client.post("/games/g/rounds", json={"command": "a", "answers": ODD})
        assert wrong.status_code == 400
        assert "expected a seat p1 to p4 or the name of a player" in wrong.json()["error"]
        assert "command" in client.post("/games/g/rounds", json={"answers": {}}).json()["error"]


def _post(client: TestClient, sent: dict[str, object]) -> dict[str, Any]:
    answer = client.post("/games/g/rounds", json=sent)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body
