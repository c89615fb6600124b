"""What is judged once is handed on: a typed word is judged for the record, for the seat that speaks, and no more."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.cli.scribe.scribe import Scribe
from cartulary.engine.contract import PlayResult
from cartulary.notation import examine, loads
from cartulary.notation.arbiter.replay import leaves_open, step_of
from cartulary.notation.roster import GAMES
from cartulary.notation.viewer import Seat, viewer_of_seat
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.records.state.games import Games
from cartulary.web.guard import OWN_HEADER
from tests.places import SAMPLES
from tests.web.served import Ear, by_link, serving

OPEN, HIDDEN = "cardmate", "tarot"
SHEET = SAMPLES / "tarot" / "games" / "fft-three.cgn"
BEFORE = 27
"""Plies of that sheet before its first card is led: the deal and the bids."""


class Judgements:
    """How often each word was judged by the rules of a game, since it was last asked to forget."""

    def __init__(self, patch: pytest.MonkeyPatch, key: str) -> None:
        game = GAMES[key]
        self.by_word: Counter[str] = Counter()

        def play(state: Any, said: Any, exactly: bool = False, /) -> PlayResult[Any, Any]:
            self.by_word[game.words.write(said, state, None)] += 1
            return game.rules.play(state, said, exactly)

        patch.setitem(GAMES, key, replace(game, rules=replace(game.rules, play=play)))

    def forget(self) -> None:
        self.by_word.clear()


@pytest.fixture(params=(OPEN, HIDDEN))
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def judgements(monkeypatch: pytest.MonkeyPatch, key: str) -> Judgements:
    return Judgements(monkeypatch, key)


@pytest.fixture
def words(key: str) -> tuple[str, ...]:
    """Return the words of a game: some that are there, one that is to be typed, and more."""
    if key == OPEN:
        return ("4Ci3", "4Db6", "8Dj2", "8Ca7")
    [record] = loads(SHEET.read_text())
    return record.line.words[: BEFORE + 2]


@pytest.fixture
def db(tmp_path: Path, key: str, words: tuple[str, ...], judgements: Judgements) -> Path:
    """Return a database with one game in which its last two words are still to be played."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        if key == OPEN:
            api.open_game(store, api.NewRequest(key, id="g", players=("Ada", "Bela")))
        else:
            api.open_game(store, api.NewRequest(key, id="g", tags={"Variant": "fft"}, players=("Ada", "Bela", "Carl")))
        api.play(store, "g", api.WordsRequest(words[:-2]))
    return path


@pytest.fixture
def store(db: Path, judgements: Judgements) -> Iterator[Games]:
    with Games(Store(db)) as opened:
        judgements.forget()
        yield opened


def test_a_word_typed_at_a_terminal_is_judged_once(
    store: Games, judgements: Judgements, words: tuple[str, ...]
) -> None:
    api.play(store, "g", api.WordsRequest(words[-2]))
    assert judgements.by_word[words[-2]] == 1


def test_words_of_a_file_are_judged_once(store: Store, judgements: Judgements, words: tuple[str, ...]) -> None:
    api.play(store, "g", api.WordsRequest(words[-2:]))
    assert [judgements.by_word[word] for word in words[-2:]] == [1, 1]


def test_a_word_typed_to_the_scribe_is_judged_once(
    store: Games, judgements: Judgements, words: tuple[str, ...]
) -> None:
    scribe = Scribe(store, "g")
    judgements.forget()
    assert scribe.enter(words[-2]).done
    assert judgements.by_word[words[-2]] == 1


def test_a_word_of_a_seat_is_judged_for_the_record_and_for_what_the_seat_knows(
    store: Games, judgements: Judgements, words: tuple[str, ...], key: str
) -> None:
    seat = 1
    api.read_view(store, "g", Seat(seat))
    judgements.forget()
    api.play(store, "g", api.WordsRequest(words[-2]), viewer=viewer_of_seat(seat), own=True)
    assert judgements.by_word[words[-2]] == (1 if key == OPEN else 2)


def test_a_word_in_another_spelling_is_judged_once_in_its_own(
    store: Games, judgements: Judgements, words: tuple[str, ...]
) -> None:
    api.play(store, "g", api.WordsRequest(words[-2].lower()))
    assert judgements.by_word[words[-2]] == 1


def test_a_word_sent_from_a_phone_is_judged_once_before_it_is_answered_and_once_for_a_follower(
    db: Path, judgements: Judgements, words: tuple[str, ...], key: str
) -> None:
    with Store(db) as store:
        links = [link.secret for link in api.make_links(store, "g", api.LinksRequest(("p1", "p2"), verdicts=True))]
        version = api.load(store, "g").head.version
    with serving(db, writes=True) as server:
        phone, other = (by_link(server, link) for link in links)
        assert phone.get("/games/g/table.json").status_code == 200
        with Ear(other, f"game=g&since={version}") as ear:
            ear.until(lambda: bool(ear.text))
            assert other.get("/games/g/table.json").status_code == 200
            judgements.forget()
            body = {"command": "one", "words": words[-2]}
            assert phone.post("/games/g/words", json=body, headers={OWN_HEADER: "1"}).status_code == 200
            ear.until(lambda: ear.heard(version + 1))
            assert judgements.by_word[words[-2]] == (1 if key == OPEN else 3), judgements.by_word


@pytest.mark.parametrize(
    "path", sorted(SAMPLES.glob("*/games/*.cgn")), ids=lambda path: f"{path.parts[-3]}/{path.stem}"
)
def test_of_a_ply_that_leaves_nothing_open_the_rules_say_the_same_when_every_deal_is_asked(path: Path) -> None:
    for record in loads(path.read_bytes()):
        walked = examine(record).walk
        assert walked is not None
        assert walked.heading.game is not None
        assert walked.heading.sheet is not None
        seats = walked.heading.sheet.seats
        for step in walked.steps:
            if step.board is None and not leaves_open(step.verdict):
                again = step_of(walked.heading.game, step.state, step.word, seats, step.calls, step.ply, exactly=True)
                assert again == step
