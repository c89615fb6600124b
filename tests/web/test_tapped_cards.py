"""Deals of tarot recorded by taps alone on a phone, drawn by chance from another dealer; taps are counted."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cartulary.notation import GAMES, Step, loads, read_heading, steps
from cartulary.notation.viewer import Everything
from cartulary.records import api
from tests.referees.tarot.deals import DECK, VARIANTS, Playing, Written, record
from tests.web.phones import Phone, opened, record_by_taps, steps_to

Address = tuple[str, Path]
GAME = GAMES["tarot"]
UNSEEN = "~,~,~,~,~,~-"


def plies(written: Written, words: tuple[str, ...]) -> Iterator[Step]:
    """Yield the plies of a record."""
    seats = "".join(f'[Seat{seat} "?"]\n' for seat in range(1, written.seats + 1))
    [one] = loads(f'[Game "Tarot"]\n[Variant "{written.variant}"]\n{seats}\n{" ".join(words)} *\n')
    heading = read_heading(one)
    assert heading.sheet is not None
    yield from steps(GAME, GAME.rules.setup(heading.sheet), one.line.words, written.seats)


def taps(state: Any, seat: int, word: str) -> list[tuple[str, str]]:
    """Return what is tapped to write a word, without the keys of suits."""
    return steps_to(msgspec.to_builtins(GAME.words.touch.form(state, seat)), word) or []


@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_every_word_of_deals_drawn_by_chance_is_tapped(variant: str, seats: int) -> None:
    """Also the draw for the deal, packets, hands as dealt, deals called off, and all that is said out of turn."""
    kinds = set[str]()
    for number in range(8):
        written = record(Random(f"{variant} {seats} {number}"), variant, seats, 2)
        for words in (written.words, written.table):
            for step in plies(written, words):
                found = taps(step.state, 0, step.text)
                assert found, (step.text, step.state.phase)
                assert len(found) == 1 or step.text not in DECK, step.text
                kinds.add(type(step.move).__name__)
    assert kinds >= {"Bid", "Deal", "Discard", "Play", "Reveal", "Show" if number else ""}


@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_a_seat_taps_its_own_words_from_what_it_sees(variant: str, seats: int) -> None:
    written = record(Random(f"own {variant} {seats}"), variant, seats, 2)
    for words in (written.words, written.table):
        for step in plies(written, words):
            seat = step.move.seat
            if seat:
                assert taps(GAME.hidden.view(step.state, seat), seat, step.text), (step.text, step.state.phase)


# --- in a browser ---


def finished_deal(key: str, variant: str, seats: int) -> Playing:
    """Return a deal drawn by chance that was played to its end, after the taker had taken up the chien."""
    for number in count():
        deal = Playing(Random(f"{key} {number}"), variant, seats, seats)
        if deal.finished().deal is not None and any(word.startswith("p0/^") for word in deal.table):
            return deal
    raise AssertionError


@pytest.mark.hunt
@pytest.mark.parametrize(
    ("variant", "seats", "quiet"),
    [*((*one, False) for one in VARIANTS), ("fft", 4, True), ("dementlieu", 3, True)],
)
def test_a_deal_with_unknown_hands_is_recorded_by_taps(
    browser: Any, address: Address, variant: str, seats: int, quiet: bool
) -> None:
    deal = finished_deal(f"taps {quiet}", variant, seats)
    id = opened(address, "tarot", f"taps-{variant}-{seats}-{quiet}", variant=variant, seats=seats)
    if quiet:
        with api.Store(address[1]) as store:
            api.play(store, id, api.WordsRequest(tuple(deal.table[:1])), viewer=Everything(quiet=True))
    phone = Phone(browser, address, id, "scribe")
    words = tuple(deal.table)[quiet:]
    found = record_by_taps(phone, words)
    assert phone.words() == tuple(deal.table)
    assert all(taps <= 2 for word, taps in zip(words, found, strict=True) if word in DECK)
    said = [taps for word, taps in zip(words, found, strict=True) if word not in DECK and "Poignee" not in word]
    assert sum(said) <= 18 + 2 * (seats - 4) + sum("=" in word for word in words)
    phone.close()


def test_the_bids_and_what_is_put_away_are_six_taps_unseen(browser: Any, address: Address) -> None:
    id = opened(address, "tarot", "unseen", variant="fft", seats=4)
    phone = Phone(browser, address, id, "scribe")
    assert sum(record_by_taps(phone, ("Pass", "Garde", "Pass", "Pass", UNSEEN))) <= 6
    assert record_by_taps(phone, ("T21", "T05", "~", "T07"))[0] <= 2
    phone.close()


@pytest.mark.parametrize(
    ("variant", "seats", "words"),
    [
        ("fft", 3, "Pass Prise Garde p0/^7C,8H,~,~,~,~ T02,~,~,~,~,~-"),
        ("fft", 5, "Pass Pass Garde Pass Pass Call=QH p0/^7C,8C,~ 7C,9C,~- p3/Chelem"),
        ("fft", 4, "p1/^7C p2/^8C p3/^T00 p4/^KD p3/^9D Pass Pass Pass p1/PetitSec"),
        ("dementlieu", 4, "p4/PetitSec Pass Prise=12 Garde=~ GardeSans=307 5C"),
        ("dementlieu", 3, "Prise=5 Maldonne p0/p3*7C,8C,9C p0/c*T05 p0/p1*1H,2H,3H"),
    ],
)
def test_words_before_the_first_card_are_tapped(
    browser: Any, address: Address, variant: str, seats: int, words: str
) -> None:
    """Stakes of any number, a called card, chiens partly seen, what is said out of turn, a draw, packets."""
    id = opened(address, "tarot", f"before-{variant}-{seats}", variant=variant, seats=seats, players=("Ann", "Bela"))
    phone = Phone(browser, address, id, "scribe")
    record_by_taps(phone, tuple(words.split()))
    assert phone.words() == tuple(words.split())
    phone.close()


def test_hands_on_record_take_one_tap_a_card(browser: Any, address: Address) -> None:
    deal = finished_deal("known", "fft", 4)
    hands = tuple(f"p0/p{seat}*{','.join(hand)}" for seat, hand in enumerate(deal.dealt.hands, 1))
    words = (*hands, *deal.words[len(deal.dealt.words) :])
    id = opened(address, "tarot", "known", variant="fft", seats=4)
    phone = Phone(browser, address, id, "scribe")
    for word in words[:24]:
        taken = phone.tap(word)
        if word in words[:4]:
            assert taken <= 2 + 18 + 5, word
        elif word.endswith("-"):
            assert taken == 6, word
        elif word in DECK:
            assert taken == 1, word
    assert phone.words() == words[:24]
    phone.close()


def test_a_taker_out_of_turn_announces_a_chelem_on_its_own_phone(browser: Any, address: Address) -> None:
    id = opened(address, "tarot", "chelem", variant="fft", seats=4)
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest(("Pass", "Garde", "Pass", "Pass", UNSEEN)))
    phones = [Phone(browser, address, id, role) for role in ("p2", "p3")]
    assert phones[1].page.locator("[data-calls] button:text-is('Chelem')").count() == 0
    assert phones[0].tap("p2/Chelem") == 1
    for phone in phones:
        phone.close()


def test_a_card_tapped_again_is_taken_out_of_the_word(browser: Any, address: Address) -> None:
    id = opened(address, "tarot", "tapped-again", variant="fft", seats=4)
    phone = Phone(browser, address, id, "scribe")
    for word in ("Pass", "Garde", "Pass", "Pass"):
        phone.tap(word)
    for card in ("T05", "T07", "7C", "T09", "T07"):
        phone.tap_key(card)
    assert phone.page.input_value("#words") == "p0/^T05,7C,T09"
    for card in ("7C", "T09", "T05"):
        phone.tap_key(card)
    assert phone.page.input_value("#words") == ""
    assert phone.tap("p0/^1C,2C,3C,4C,5C,6C") <= 7
    phone.close()


def test_every_seat_plays_from_its_own_hand_by_one_tap_on_its_own_phone(browser: Any, address: Address) -> None:
    deal = finished_deal("own hands", "fft", 4)
    hands = tuple(f"p0/p{seat}*{','.join(hand)}" for seat, hand in enumerate(deal.dealt.hands, 1))
    words = (*hands, *deal.words[len(deal.dealt.words) :])
    begins = next(at for at, word in enumerate(words) if word in DECK)
    id = opened(address, "tarot", "own-hands", variant="fft", seats=4)
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest(words[:begins]))
    phones = {f"p{seat}": Phone(browser, address, id, f"p{seat}") for seat in range(1, 5)}
    for word in (word for word in words[begins : begins + 9] if word in DECK):
        with api.Store(address[1]) as store:
            turn = f"p{api.read_view(store, id).actors[0]}"
        phones[turn].catch_up()
        assert phones[turn].tap(word) == 1
    for phone in phones.values():
        phone.close()
