"""Suits have two colours, or four where somebody chose them in a browser, which keeps the choice."""

from pathlib import Path
from typing import Any

from tests.web.phones import Phone, opened

Address = tuple[str, Path]
SUITS = ("clubs", "diamonds", "hearts", "spades")


def fills(phone: Phone) -> list[str]:
    """Return the colour of each suit on the page, in the order of SUITS."""
    return [
        str(phone.page.evaluate("suit => getComputedStyle(document.querySelector(`.face.${suit} .rank`)).fill", suit))
        for suit in SUITS
    ]


def test_four_colours_are_chosen_by_a_tap_and_kept(browser: Any, address: Address) -> None:
    phone = Phone(browser, address, opened(address, "cardmate", "coloured"), "scribe")
    assert len(set(fills(phone))) == 2
    phone.page.click(".rarely > summary")
    phone.page.click("[data-colours]")
    assert len(set(fills(phone))) == 4
    phone.page.reload()
    assert len(set(fills(phone))) == 4
    phone.page.click(".rarely > summary")
    phone.page.click("[data-colours]")
    assert len(set(fills(phone))) == 2
    phone.close()
