"""Games whose words are put together step by step: every word of the samples, a game by taps alone, and no secret."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from cartulary.notation import GAMES, Step, legal_words, load, read_heading, steps
from cartulary.records import api
from tests.places import SAMPLES
from tests.web.phones import Phone, opened, steps_to
from tests.web.served import by_link

FORMS = ("zarcana",)
CALLS = ("Resign", "Draw", "Agree", "Timeout")
"""The words of every game, which no form has."""
Address = tuple[str, Path]


def plies(key: str) -> Iterator[Step]:
    """Yield every ply of the records of a game's sample files that the rules know."""
    for path in sorted((SAMPLES / key / "games").glob("*.cgn")):
        for record in load(path):
            heading = read_heading(record)
            if heading.game is not None and heading.sheet is not None:
                yield from steps(
                    heading.game, heading.game.rules.setup(heading.sheet), record.line.words, heading.sheet.seats
                )


def taps(form: Any, word: str) -> int:
    """Return by how many taps a form comes to a word, 0 if it never does."""
    return len(steps_to(msgspec.to_builtins(form), word) or ())


@pytest.mark.parametrize(("key", "most"), [("zarcana", 4.1), ("arcanoid", 5)])
def test_every_legal_word_of_the_samples_is_tapped_by_few_taps(key: str, most: float) -> None:
    touch = GAMES[key].words.touch
    words = [step for step in plies(key) if step.applied and step.text.rpartition("/")[2] not in CALLS]
    counts = [(step.text, taps(touch.form(step.state, 0), step.text)) for step in words]
    assert [word for word, count in counts if not count] == []
    short = [count for word, count in counts if not word.startswith("p0/")]
    assert len(short) > 300
    assert sum(short) / len(short) < most


@pytest.mark.parametrize("key", FORMS)
def test_a_seat_puts_its_own_words_together_from_what_it_sees(key: str) -> None:
    game, tried = GAMES[key], 0
    for at, step in enumerate(plies(key)):
        seat = step.state.turn
        if at % 7 or not step.applied or step.text.startswith("p") or not seat:
            continue
        view = game.hidden.view(step.state, seat)
        for word in legal_words(game, view, step.calls, 40):
            if not word.startswith("p"):
                assert taps(game.words.touch.form(view, seat), word), (word, step.text)
                tried += 1
    assert tried > 1000


def surface_of(server: TestClient, store: api.Store, id: str, role: str, **more: Any) -> Any:
    """Return what somebody may tap who comes by a link. more: as of ``LinksRequest``"""
    browser = by_link(server, api.make_links(store, id, api.LinksRequest((role,), **more))[0].secret)
    return browser.get(f"/games/{id}/table.json").json()["surface"]


HANDS = "p0/b*JS,9C,XS,7W,NC,T08,NW,XW,2D p0/p1*5S,T03,T21"
WORLDS = {
    "another hand": (
        f"{HANDS} p0/p2*9S,6C,T18 S@o'u S@n1'w Pass Pass",
        f"{HANDS} p0/p2*8S,6W,T00 S@o'u S@n1'w Pass Pass",
    ),
    "a hidden territory": (
        f"{HANDS} S@o'n S@s1'w Pass T10>Ss1@s1w1*5C",
        f"{HANDS} S@o'n S@s1'w Pass T10>Ss1@s1w1*6C",
    ),
}


@pytest.mark.parametrize("which", WORLDS)
def test_what_a_seat_may_tap_does_not_turn_on_what_it_cannot_see(
    store: api.Store, server: TestClient, which: str
) -> None:
    seats, pictures = [], []
    for id, words in zip("ab", WORLDS[which], strict=True):
        api.open_game(store, api.NewRequest("zarcana", id=id, seats=2))
        api.play(store, id, api.WordsRequest(tuple(words.split())))
        seats.append(surface_of(server, store, id, "p1"))
        view = api.read_view(store, id)
        pictures.append(view.picture_of(view.position))
    assert seats[0] == seats[1]
    assert seats[0]["form"]["nodes"]["start"]
    assert pictures[0] != pictures[1]


def test_a_quiet_seat_taps_as_much_whatever_is_legal(store: api.Store, server: TestClient) -> None:
    api.open_game(store, api.NewRequest("zarcana", id="q", seats=2))
    api.open_game(store, api.NewRequest("zarcana", id="o", seats=2))
    for id in "qo":
        api.play(store, id, api.WordsRequest(("S@o'u", "S@n1'w")))
    quiet, loud = (surface_of(server, store, id, "p1", verdicts=id == "o") for id in "qo")
    assert quiet["offers"] == []
    assert loud["offers"]
    assert quiet["form"] == loud["form"]


@pytest.mark.parametrize(("key", "first", "most"), [("zarcana", "", 64), ("zarcana", "S@o'u", 64)])
def test_a_game_of_chance_is_recorded_by_taps_alone(
    browser: Any, address: Address, key: str, first: str, most: int
) -> None:
    """The words are those that the page offers, drawn by chance; the last round is declared as soon as it may be."""
    id = opened(address, key, f"by-taps-{key}-{len(first)}")
    phone, chance, count = Phone(browser, address, id, "scribe"), Random(key), []
    for ply in range(most):
        offers = json.loads(str(phone.page.get_attribute("[data-live]", "data-surface")))["offers"]
        words = [offer["word"] for offer in offers if not offer["says"]]
        if not words:
            break
        word = first if first and not ply else "Final" if "Final" in words else chance.choice(words)
        taps = phone.tap(word)
        assert phone.words()[-1] == word
        if not word.startswith("p0/"):
            count.append(taps)
    assert len(count) > 50 or not words
    assert sum(count) / len(count) < 4
    phone.close()
