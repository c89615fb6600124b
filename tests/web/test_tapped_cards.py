"""A deal of tarot recorded by taps alone on a phone, with hands that nobody wrote down; taps are counted."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from cartulary.notation import GAMES, legal_words, loads, read_heading, steps
from cartulary.records import api
from tests.web.phones import Phone, opened

Address = tuple[str, Path]
GAME = GAMES["tarot"]


def played_deal(chance: Random) -> tuple[list[str], list[str], list[str]]:
    """Return a deal played by chance by the FFT rules: the words that deal the hands, the chien, and all cards played.

    The second seat takes with a Garde.
    """
    deck = [word for suit in GAME.words.touch.keypad(_start(), 1).suits for word, _ in suit.keys]
    chance.shuffle(deck)
    hands = [deck[18 * seat : 18 * seat + 18] for seat in range(4)]
    if any(sum(card[0] == "T" for card in hand) < 2 for hand in hands):
        return played_deal(chance)
    chien = deck[72:]
    dealt = [f"p0/p{seat}*{','.join(hand)}" for seat, hand in enumerate(hands, 1)] + [f"p0/c*{','.join(chien)}"]
    words = [*dealt, "Pass", "Garde", "Pass", "Pass", f"p0/^{','.join(chien)}"]
    plain = [card for card in (*hands[1], *chien) if card[0] not in "TK"]
    if len(plain) < 6:
        return played_deal(chance)
    words.append(f"{','.join(sorted(plain)[:6])}-")
    cards: list[str] = []
    state, calls = _followed(words)
    while len(cards) < 72:
        legal = [word for word in legal_words(GAME, state, calls) if word in deck]
        cards.append(chance.choice(legal))
        state, calls = _followed([*words, *cards])
    return words[5:9], chien, cards


def _start() -> Any:
    [record] = loads('[Game "Tarot"]\n[Variant "fft"]\n[Seat1 "?"]\n[Seat2 "?"]\n[Seat3 "?"]\n[Seat4 "?"]\n\n*\n')
    heading = read_heading(record)
    assert heading.sheet is not None
    return GAME.rules.setup(heading.sheet)


def _followed(words: list[str]) -> tuple[Any, Any]:
    *_, last = steps(GAME, _start(), tuple(words), 4)
    return last.after, last.calls_after


def in_view(phone: Phone, selector: str) -> bool:
    """Say whether an element lies wholly inside the window, without scrolling."""
    box = phone.page.locator(selector).bounding_box()
    size = phone.page.viewport_size
    return bool(box) and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


@pytest.mark.hunt
def test_a_deal_is_recorded_by_taps_and_no_key_moves(browser: Any, address: Address) -> None:
    bids, chien, cards = played_deal(Random(27))
    id = opened(address, "tarot", "tapped-deal", variant="fft", seats=4)
    phone = Phone(browser, address, id, "scribe")
    taps = sum(phone.tap(bid) for bid in bids)
    for card in chien:
        taps += phone.tap_key(card)
    before = phone.version
    phone.page.click("[data-line] button[type=submit]")
    phone.written(before)
    taps += 1 + phone.tap(",".join("~" * 6) + "-")
    assert taps <= 18
    places: dict[str, Any] = {}
    for card in cards:
        before, count = phone.version, phone.tap_key(card)
        assert count <= 2
        phone.written(before)
        for key in phone.page.locator(".keypad [data-word]").all():
            word = str(key.get_attribute("data-word"))
            assert places.setdefault(word, key.bounding_box()) == key.bounding_box(), word
    assert phone.words()[-72:] == tuple(cards)
    with api.Store(address[1]) as store:
        assert not [one for one in api.load(store, id).examined.report.findings if one.severity == "error"]
    phone.close()


def test_the_bids_the_chien_and_what_is_put_away_are_six_taps_unseen(browser: Any, address: Address) -> None:
    id = opened(address, "tarot", "unseen", variant="fft", seats=4)
    phone = Phone(browser, address, id, "scribe")
    taps = sum(phone.tap(bid) for bid in ("Pass", "Garde", "Pass", "Pass"))
    assert phone.page.locator("[data-calls] button").all_text_contents()[0] in (
        "6 put away unseen",
        "Chien not written down",
    )
    taps += phone.tap("~,~,~,~,~,~-")
    assert taps <= 6
    assert phone.tap_key("T21") <= 2
    phone.close()


def test_a_key_is_on_the_screen_without_scrolling_and_a_poignee_is_put_together(browser: Any, address: Address) -> None:
    id = opened(address, "tarot", "poignee", variant="fft", seats=4)
    phone = Phone(browser, address, id, "scribe")
    for word in ("Pass", "Garde", "Pass", "Pass", "~,~,~,~,~,~-"):
        phone.tap(word)
    assert all(in_view(phone, f'.keypad [data-word="T{number:02}"]') for number in (1, 8, 21))
    phone.page.click(".suits button:text-is('♣')")
    phone.page.click("[data-lists] >> text=Poignée")
    assert phone.page.locator(".suits [aria-pressed=true]").text_content() == "T"
    assert phone.page.get_attribute("#words", "placeholder") == phone.page.text_content(".turn")
    for number in range(1, 11):
        phone.tap_key(f"T{number:02}")
    assert phone.page.input_value("#words") == "Poignee=" + ",".join(f"T{number:02}" for number in range(1, 11))
    before = phone.version
    phone.page.click("[data-line] button[type=submit]")
    phone.written(before)
    assert phone.words()[-1].startswith("Poignee=")
    phone.close()
