"""What who is told nothing taps: every card or man it sees as its own, and every place, whatever the rules say."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.engine.play import actors
from cartulary.notation import GAMES, NotationError, Step, legal_words, load, loads, read_heading, steps
from cartulary.notation.viewer import Everything
from cartulary.records import api
from tests.hunts import looks
from tests.laws.test_quiet import FORKS
from tests.places import SAMPLES
from tests.web.phones import Phone, opened
from tests.web.served import by_link
from tests.web.test_streams import shown

TOUCHED = ("cardmate", "chess", "draughts")
Address = tuple[str, Path]


def played(key: str, most: int, plies: int) -> Iterator[Step]:
    """Yield so many plies of each of the first records of a game's sample files, drawn by chance."""
    chance = Random(key)
    for path in sorted((SAMPLES / key / "games").glob("*.cgn")):
        for record in islice(load(path), most):
            heading = read_heading(record)
            if heading.game is not None and heading.sheet is not None and "~" not in record.line.words:
                state = heading.game.rules.setup(heading.sheet)
                walked = list(steps(heading.game, state, record.line.words, heading.sheet.seats))
                yield from chance.sample(walked, min(len(walked), plies))


def taps(step: Step, key: str, seat: int) -> list[str]:
    """Return every word that can be tapped before a ply, from what the seat sees."""
    game = GAMES[key]
    state = game.hidden.view(step.state, seat) if not game.hidden.face_up else step.state
    found = game.words.touch.targets(state, seat)
    places = [place.word for place in found.places] or [""]
    return [thing.word + place + key for thing in found.things for place in places for key in thing.keys or ("",)]


@pytest.mark.parametrize("key", TOUCHED)
def test_everything_that_can_be_tapped_is_a_word(key: str) -> None:
    tried = 0
    for step in played(key, 4, 12):
        for seat in actors(GAMES[key], step.state)[:1]:
            for word in taps(step, key, seat):
                GAMES[key].words.read(word, seat, step.state)
                tried += 1
    assert tried > 300


@pytest.mark.parametrize(
    ("moves", "aims"),
    [("e4 e5", ("square c1", "square g1")), ("Nf3 e5", ("square c1",)), ("f3 e5 Kf2 e4", ())],
)
def test_a_king_may_be_put_where_he_would_castle_on_a_man_of_his_own(moves: str, aims: tuple[str, ...]) -> None:
    [record] = loads(f'[Game "Chess"]\n\n{moves} *\n')
    heading = read_heading(record)
    assert heading.game is not None
    assert heading.sheet is not None
    *_, last = steps(heading.game, heading.game.rules.setup(heading.sheet), record.line.words, 2)
    things = heading.game.words.touch.targets(last.after, 1).things
    assert [thing.aims for thing in things if thing.word.startswith("K")] == [aims]
    assert not any(thing.aims for thing in things if not thing.word.startswith("K"))


@pytest.mark.hunt
@pytest.mark.parametrize("key", ["cardmate", "chess", "draughts"])
def test_every_quiet_move_that_is_legal_can_be_tapped_and_most_that_can_be_are_not_legal(key: str) -> None:
    legal = tapped = 0
    game = GAMES[key]
    for step in played(key, 2, looks(6)):
        for seat in actors(game, step.state)[:1]:
            words = taps(step, key, seat)
            statements = {_spelled(key, word, seat, step.state) for word in words}
            moves = {
                word for word in legal_words(game, step.state, step.calls) if word.count("x") < 2 and "=" not in word
            }
            moves -= {word for word in moves if key == "draughts" and len(word.replace("-", "x").split("x")) > 2}
            assert moves <= statements, (moves - statements, step.text)
            legal, tapped = legal + len(moves), tapped + len(words)
    assert 0 < legal < tapped / 10


def _spelled(key: str, word: str, seat: int, state: Any) -> str:
    """Return a word as the arbiter spells what it says."""
    try:
        [step] = steps(GAMES[key], state, (word,), 2)
    except NotationError:
        return ""
    return step.text


@pytest.mark.parametrize("key", ["cardmate", "chess", "draughts"])
def test_what_is_tapped_turns_on_the_own_men_alone(key: str) -> None:
    """Whatever the other seat has on the board, and whatever it attacks."""
    sheets = {
        "cardmate": ("4Ci3 4Db6", "4Ci3 2Cb6"),
        "chess": ("e4 e5", "e4 f6"),
        "draughts": ("11-15 23-19", "11-15 22-17"),
    }
    names = {"cardmate": "Cardmate", "chess": "Chess", "draughts": "Draughts"}
    found = []
    for words in sheets[key]:
        [record] = loads(f'[Game "{names[key]}"]\n\n{words} *\n')
        heading = read_heading(record)
        assert heading.game is not None
        assert heading.sheet is not None
        *_, last = steps(heading.game, heading.game.rules.setup(heading.sheet), record.line.words, 2)
        found.append((last.after, heading.game.words.touch.targets(last.after, 1)))
    assert found[0][0] != found[1][0]
    assert found[0][1] == found[1][1]
    assert found[0][1].things


def seen(store: api.Store, server: TestClient, role: str, **more: Any) -> TestClient:
    return by_link(server, api.make_links(store, "g", api.LinksRequest((role,), **more))[0].secret)


def told(browser: TestClient) -> Any:
    return browser.get("/games/g/table.json").json()["surface"]["targets"]


def cards_of(browser: TestClient) -> set[str]:
    """Return the cards of a form that are played by one tap."""
    form = browser.get("/games/g/table.json").json()["surface"]["form"]
    groups = [branch["group"] for branch in form["nodes"]["start"] if "group" in branch and "then" not in branch]
    return {thing["word"] for group in groups for thing in form["groups"][group]}


def test_a_seat_taps_at_its_own_turn_whatever_it_has_whether_or_not_the_record_is_quiet(
    store: api.Store, server: TestClient
) -> None:
    api.open_game(store, api.NewRequest("chess", id="g"))
    one, two, scribe = (seen(store, server, role) for role in ("p1", "p2", "scribe"))
    playing = seen(store, server, "scribe", plays=2)
    first = told(one)
    assert (len(first["things"]), len(first["places"])) == (16, 64)
    assert told(two) == {"things": [], "places": []}
    assert told(playing) == told(scribe) == first
    api.reveal(store, "g", api.RevealRequest())
    assert told(one) == told(playing) == first


def test_a_hand_on_record_is_tapped_whole_by_its_own_seat_and_any_card_by_who_has_not_seen_it(
    store: api.Store, server: TestClient
) -> None:
    """A king of clubs was led, and p2 holds clubs: it may touch every card it holds all the same."""
    fork = FORKS["tarot"]
    api.open_game(store, api.NewRequest("tarot", id="g", tags={"Variant": "fft"}, seats=4))
    api.play(store, "g", api.WordsRequest(fork.words[:2]))
    form = seen(store, server, "p2").get("/games/g/table.json").json()["surface"]["form"]
    bids = [branch["text"] for branch in form["nodes"]["start"] if "text" in branch]
    assert bids == ["Pass", "Prise", "Garde", "GardeSans", "GardeContre"]
    api.play(store, "g", api.WordsRequest(fork.words[2:]))
    held = fork.words[0].partition("*")[2].split(",")
    assert cards_of(seen(store, server, "p2")) == set(held)
    any_card = cards_of(seen(store, server, "scribe", plays=3))
    assert len(any_card) == 78 - 1
    assert set(held) < any_card
    api.play(store, "g", api.WordsRequest((fork.legal,)), viewer=Everything(quiet=True))
    assert len(cards_of(seen(store, server, "p3"))) == 78 - 2


def test_the_taker_puts_away_by_one_tap_and_is_told_what_comes_first(browser: Any, address: Address) -> None:
    id = opened(address, "tarot", "put-away")
    taker = Phone(browser, address, id, "p3")
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest("Pass Pass Garde Pass"), viewer=Everything(quiet=True))
    taker.catch_up()
    shown(taker.page, ".turn", "Your turn to put 6 cards away")
    assert taker.tap("~,~,~,~,~,~-") == 1
    assert taker.words()[-1] == "~,~,~,~,~,~-"
    taker.close()


def test_a_ply_is_disputed_by_tapping_it(browser: Any, address: Address) -> None:
    id = opened(address, "cardmate", "tapped")
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest("4Ci3 4Db6 8Dj2"))
    phone = Phone(browser, address, id, "p1")
    phone.page.click("summary:text('Dispute')")
    assert phone.page.locator("[data-last-plies] button").all_text_contents() == ["3 8Dj2", "2 4Db6", "1 4Ci3"]
    phone.page.click("[data-last-plies] button:text('2 4Db6')")
    assert phone.page.input_value("details[open] [data-ply]") == "2"
    shown(phone.page, "details[open] [data-which]", "ply 2: 4Db6")
    phone.page.fill("input[name=claim]", "it was taken back")
    before = phone.version
    phone.page.click("text=Raise the dispute")
    phone.written(before)
    with api.Store(address[1]) as store:
        [dispute] = api.disputes_of(api.load(store, id))
    assert (dispute.ply, dispute.by) == (2, "p1")
    phone.close()


@pytest.mark.parametrize(
    ("game", "words", "written"),
    [
        ("cardmate", ("j2 i3", "a7 b6", "i0 j2"), ("4Ci3", "4Db6", "8Dj2")),
        ("chess", ("e2 e4", "e7 e5", "g1 f3"), ("e4", "e5", "Nf3")),
        ("draughts", ("11 15", "23 19", "8 11"), ("11-15", "23-19", "8-11")),
    ],
)
def test_quiet_seats_write_by_two_taps(
    browser: Any, address: Address, game: str, words: tuple[str, ...], written: tuple[str, ...]
) -> None:
    id = opened(address, game, f"touched-{game}")
    phones = [Phone(browser, address, id, role) for role in ("p1", "p2")]
    for at, word in enumerate(words):
        phone = phones[at % 2]
        phone.catch_up()
        before = phone.version
        for square in word.split():
            phone.page.click(f'[data-item="square {square}"]')
        phone.written(before)
    assert phones[0].words() == written
    for phone in phones:
        phone.close()
