"""A word that was due and comes late: another word in its place is refused for that, and the late one for nothing."""

from random import Random

import pytest

from cartulary.engine import Refused, legal_moves, play
from cartulary.engine.play import actors
from cartulary.notation import examine, loads, read_heading, steps
from cartulary.notation.arbiter.replay import read_word, write_word
from cartulary.notation.roster import GAMES
from cartulary.testing import tables
from tests.games.test_duel_engine import GAME, started
from tests.hunts import looks
from tests.referees.tarot_duel import table as duel_table
from tests.referees.tarot_duel.places import Fault
from tests.referees.tarot_duel.play import Referee

DUEL = {
    "Deck1": "2D 3D 4D 7C QC KC 2W 3W 4W 5W 6W 7W 8W 9W T01 T19",
    "Deck2": "7S 8S 9S XS JS 2W 3W 4W 5W 6W 7W 8W 9W T12 T15 T18",
}
BLIND = "*~ 7C,KC@a End *~ End *~ T19=7C,KC ~,~>a End *~ :p1a1^9S^2W"
LOSES, BACK = "p1/2W,3W,4W,5W-", "7S,8S,9S,~>d"


def errors(title: str, tags: dict[str, str], words: str) -> list[tuple[int, str]]:
    """Return the ply and the key of every error found in a record."""
    [record] = loads(tables.sheet(title, tags, words))
    return [(found.ply, found.key) for found in examine(record).report.findings if found.severity == "error"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param(f"{BLIND} p1/^KC {LOSES} {BACK}", [], id="in-order"),
        pytest.param(f"{BLIND} {LOSES} {BACK} p1/^KC", [(12, "challenge-winner")], id="shown-last"),
        pytest.param(f"{BLIND} {LOSES} p1/^KC {BACK}", [(12, "challenge-winner")], id="shown-second"),
        pytest.param(f"{BLIND} {LOSES} {BACK} XS@a p1/^KC", [(12, "challenge-winner")], id="shown-behind-a-card"),
        pytest.param(f"{BLIND} p1/^KC {BACK} {LOSES}", [(13, "challenge-winner")], id="won-before-lost"),
        pytest.param(
            f"{BLIND} {LOSES} {BACK} p1/^3D", [(12, "challenge-winner"), (14, "challenge-winner")], id="another-card"
        ),
        pytest.param(
            f"{BLIND} {LOSES} {BACK} p1/^KC p1/^KC", [(12, "challenge-winner"), (15, "turn")], id="shown-twice"
        ),
        pytest.param(
            f"{BLIND} {LOSES} {BACK} End *~ End p1/^KC", [(12, "challenge-winner"), (17, "turn")], id="two-turns-later"
        ),
        pytest.param("*~ T01 7C@a p0/=H *2D End", [(3, "effect")], id="coin"),
        pytest.param("*~ T01 7C@a p0/=T p2/*7S End", [(3, "effect")], id="coin-and-choice"),
        pytest.param("*~ T01 p0/=H End p1/*2D *~", [(4, "effect")], id="choice-behind-the-turn"),
        pytest.param("*~ T01 7C@a 2D@a p0/=T p2/*7S End *~", [(3, "effect")], id="coin-two-words-later"),
        pytest.param("*~ T01 7C@a End *~ T18 p0/p1=~ End p0/=H", [(3, "effect"), (9, "effect")], id="much-later"),
    ],
)
def test_a_due_word_of_a_duel_may_come_late(words: str, found: list[tuple[int, str]]) -> None:
    got = errors("Tarot duel", DUEL, words)
    assert [(ply, key.removeprefix("tarot-duel.")) for ply, key in got] == found


def test_a_skipped_word_is_listed_with_the_legal_ones_and_its_seat_may_speak() -> None:
    game = GAMES["tarot-duel"]
    state = started(DUEL)
    for word in f"{BLIND} {LOSES} {BACK}".split():
        after = play(game, state, read_word(game, state, word, 2)).after
        assert after is not None
        state = after
    assert {"p1/^7C", "p1/^KC"} <= {write_word(game, move, state) for move in legal_moves(game, state)}
    assert 1 in actors(game, state)


@pytest.mark.hunt
def test_the_second_referee_of_the_duel_finds_the_same_where_two_words_change_places() -> None:
    """Every due word of random games is said after the word that came next, at the table and as the table saw it."""
    late = 0
    for number in range(looks(16)):
        rng = Random(f"late {number}")
        game = duel_table.record(rng, 2 + number % 3)
        decks = [_deck(game.tags[f"Deck{seat}"]) for seat in range(1, 3 + number % 3)]
        total = int(game.tags.get("PointTotal", "0"))
        for words in (game.words, game.table):
            spoken = _prefixed(decks, total, words)
            for at in rng.sample(range(len(spoken) - 1), min(20, len(spoken) - 1)):
                swapped = (*spoken[:at], spoken[at + 1], spoken[at])
                answer = _by_referee(decks, total, swapped)
                if answer is not None and any(answer):
                    assert _by_engine(game.tags, len(decks), swapped) == answer, " ".join(swapped)
                    late += 1
    assert late


def _deck(text: str) -> list[str]:
    parts = (part.partition("x") for part in text.split())
    return [card for card, _, count in parts for _ in range(int(count or 1))]


def _prefixed(decks: list[list[str]], total: int, words: tuple[str, ...]) -> list[str]:
    """Return the words, each with the seat that says it."""
    game, spoken = Referee(decks, total), []
    for word in words:
        if "/" not in word:
            while game.chain or (game.due and game.due.optional and not game.due.fits(game.turn, word)):
                game.settle() if game.chain else game.leave_out()
        spoken.append(word if word.startswith("p") and "/" in word else f"p{game.turn}/{word}")
        game.say(word)
    return spoken


def _by_referee(decks: list[list[str]], total: int, words: tuple[str, ...]) -> list[str] | None:
    """Return what the last two words break, None where that is another rule than one of words that are due."""
    game = Referee(decks, total)
    for word in words[:-2]:
        game.say(word)
    try:
        return [game.stand(word) for word in words[-2:]]
    except (Fault, ValueError):
        return None


def _by_engine(tags: dict[str, str], seats: int, words: tuple[str, ...]) -> list[str]:
    state, keys = started(tags, seats), []
    for word in words:
        played = play(GAME, state, read_word(GAME, state, word, seats))
        verdict = played.verdict
        keys.append(verdict.clause.key.removeprefix("tarot-duel.") if isinstance(verdict, Refused) else "")
        state = played.after if played.after is not None else state
    return keys[-2:]


# --- other games ---

FOUR = {"Variant": "fft", "Seat1": "A", "Seat2": "B", "Seat3": "C", "Seat4": "D"}
FIVE = FOUR | {"Seat5": "E"}
AWAY = "2C,3C,4C,5C,6C,7C-"


@pytest.mark.parametrize(
    ("tags", "words", "found"),
    [
        pytest.param(FOUR, f"Prise Pass Pass Pass KC p1/{AWAY}", [(5, "phase")], id="discards"),
        pytest.param(FOUR, f"Prise Pass Pass Pass KC 8C p1/{AWAY} 9C", [(5, "phase")], id="discards-two-cards-later"),
        pytest.param(FOUR, f"Prise Pass Pass Pass KC p1/{AWAY} p1/{AWAY}", [(5, "phase"), (7, "phase")], id="twice"),
        pytest.param(FOUR, f"Prise Pass Pass Pass 2C p1/{AWAY}", [(5, "phase"), (6, "in-hand")], id="a-card-played"),
        pytest.param(FOUR, f"Prise Pass Pass Pass {AWAY} KC p1/2D,3D,4D,5D,6D,7D-", [(7, "phase")], id="again"),
        pytest.param(FOUR, f"GardeSans Pass Pass Pass KC p1/{AWAY}", [(6, "phase")], id="no-discards"),
        pytest.param(FIVE, "Prise Pass Pass Pass Pass p0/^2C,3C,4C p1/Call=KH 2C,3C,4C-", [(6, "phase")], id="call"),
        pytest.param(
            FIVE, "Prise Pass Pass Pass Pass Call=KH p0/^2C,3C,4C p1/Call=KD", [(8, "phase")], id="a-second-call"
        ),
    ],
)
def test_a_call_and_discards_of_tarot_may_come_late(
    tags: dict[str, str], words: str, found: list[tuple[int, str]]
) -> None:
    assert [(ply, key.removeprefix("tarot.")) for ply, key in errors("Tarot", tags, words)] == found


def test_discards_of_tarot_that_come_late_are_known_to_lie_aside() -> None:
    start = f"Prise Pass Pass Pass KC p1/{AWAY}"
    assert errors("Tarot", FOUR, f"{start} 8C 9C XC p1/2C") == [(5, "tarot.phase"), (10, "tarot.in-hand")]


GIVEN = (
    "p0/b*NS,7S,T03,QS,XD,9D,1S,6W,T13 p0/p1*9W,T01,T02 p0/p2*JW,8D,T08 p0/p3*6S,XS,JD p0/p4*3S,3W,T00 p0/p5*6C,3D,T17"
    " *KD,T04,E6 S@n1's S@s1e1'e S@n1's S@s1'n S@e1'w Sn1=u *KS,9C,E2 3W>Sn1>o T17*8S,7W,KW,NC T04>Se1:p4So"
)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("p2/Sn1=n p4/3S>p1", [(18, "turn")], id="next"),
        pytest.param("p4/Pass p4/3S>p1", [(18, "emperor")], id="behind-his-own-word"),
        pytest.param("p2/Sn1=n p4/3S>p1 p4/T00>p1", [(18, "turn"), (20, "turn")], id="twice"),
    ],
)
def test_cards_owed_in_zarcana_may_come_late(words: str, found: list[tuple[int, str]]) -> None:
    tags = dict.fromkeys((f"Seat{seat}" for seat in range(1, 6)), "?") | {
        "Options": "extra=doppelganger,gateway,harvest,miser,holy-grail"
    }
    got = errors("Zarcana", tags, f"{GIVEN} {words}")
    assert [(ply, key.removeprefix("zarcana.")) for ply, key in got] == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("6C,8C,JC,3D- @d", [], id="in-order"),
        pytest.param("p2/@d p1/6C,8C,JC,3D-", [(7, "wheel")], id="next"),
        pytest.param("p2/@d p3/6W@~w p1/6C,8C,JC,3D-", [(7, "wheel"), (9, "turn")], id="a-move-too-late"),
    ],
)
def test_the_wheels_discard_of_arcanoid_may_come_late(words: str, found: list[tuple[int, str]]) -> None:
    tags = dict.fromkeys((f"Seat{seat}" for seat in range(1, 5)), "?") | {"Variant": "koblenz"}
    start = (
        "p0/p1*3C,9C,T10,6C,JD,T16 p0/p2*T07,T20,T01,T17,XS,QC p0/p3*T08,6W,T15,5D,7S,JS p0/p4*XW,2W,KD,QW,KW,3W"
        " p0/*9D,8C,3D,JC,T05,5S,NS,5C,8D,9S,4C,T11,3S T10*9D,8C,3D,JC,T05"
    )
    got = errors("Arcanoid", tags, f"{start} {words}")
    assert [(ply, key.removeprefix("arcanoid.")) for ply, key in got] == found


VOTE = (
    "p0/p1*T08,T15,1C,2C,3C,4C p0/p2*T11,5C,6C,7C,8C,9C p0/p3*1D,2D,3D,4D,5D,6D T08 p0/j*1S,2S,3S,4S,5S,6S p0/p1*7S T15"
    " p0/p1d*8S,9S,XS,1W,2W,3W p0/p1*4W T11=2*5W,6W,7W 1D-*8W"
)
"""p3 has drawn the last of ten seats' cards and is asked whether the deck is made anew."""


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("No ~-", [], id="in-order"),
        pytest.param("~- No", [1], id="next"),
        pytest.param("~- p3/No", [1], id="next-with-its-seat"),
        pytest.param("~- No No", [1, 3], id="twice"),
        pytest.param("~- p4/No", [1, 2], id="of-a-seat-that-was-not-asked"),
        pytest.param("Yes ~- No", [2], id="of-the-second-seat"),
        pytest.param("Yes ~- p3/No", [2, 3], id="of-a-seat-that-has-voted"),
        pytest.param("~- ~- No", [1, 3], id="a-move-too-late"),
    ],
)
def test_a_vote_of_arcanoid_may_come_late(words: str, found: list[int]) -> None:
    tags = dict.fromkeys((f"Seat{seat}" for seat in range(1, 11)), "?")
    got = errors("Arcanoid", tags, f"{VOTE} {words}")
    assert got == [(len(VOTE.split()) + ply, "arcanoid.refill-vote") for ply in found]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("No ~,~,~- p2/@s", [], id="in-order"),
        pytest.param("No p2/@s p1/~,~,~-", [(2, "wheel")], id="the-discard-late"),
        pytest.param("~,~,~- No", [(1, "refill-vote")], id="the-vote-late"),
        pytest.param("p2/@s No p1/~,~,~-", [(1, "refill-vote")], id="both-late"),
        pytest.param("p2/@s p1/~,~,~- No", [(1, "refill-vote")], id="both-late-the-discard-first"),
    ],
)
def test_a_vote_and_the_wheels_discard_of_arcanoid_may_both_come_late(words: str, found: list[tuple[int, str]]) -> None:
    start = "~- " * 62 + "T10*~,~,~,~"
    got = errors("Arcanoid", dict.fromkeys(("Seat1", "Seat2"), "?"), f"{start} {words}")
    assert got == [(63 + ply, f"arcanoid.{key}") for ply, key in found]


def test_a_vote_of_arcanoid_does_not_come_in_the_next_round() -> None:
    start = "@s @s @w @w @c @c @d " + "~- " * 66
    tags = dict.fromkeys(("Seat1", "Seat2"), "?")
    before = len(start.split())
    assert errors("Arcanoid", tags, f"{start} @d No") == [(before + 1, "arcanoid.refill-vote")]
    got = errors("Arcanoid", tags, f"{start} @d p0/p1*1S,2S,3S,4S,5S,6S No")
    assert got == [(before + 1, "arcanoid.refill-vote"), (before + 3, "arcanoid.refill-vote")]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("~,~,~,~- p2/~- No p1/@s", [], id="in-order"),
        pytest.param("p2/~- p1/~,~,~,~- No p1/@s", [(1, "wheel")], id="before-the-vote"),
        pytest.param("p2/~- No p1/~,~,~,~- p1/@s", [(1, "wheel")], id="after-the-vote"),
        pytest.param("p2/~- p1/~,~,~- No", [(1, "wheel"), (2, "refill-vote")], id="too-few-cards"),
    ],
)
def test_the_wheels_discard_of_arcanoid_may_come_late_where_a_vote_is_due(
    words: str, found: list[tuple[int, str]]
) -> None:
    start = "~- " * 60 + "T10*~,~,~,~,~"
    got = errors("Arcanoid", dict.fromkeys(("Seat1", "Seat2"), "?"), f"{start} {words}")
    assert [(ply, key) for ply, key in got if key != "arcanoid.discard-one"] == [
        (61 + ply, f"arcanoid.{key}") for ply, key in found
    ]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("p1/~,~,~,~- p2/@s", [], id="in-order"),
        pytest.param("p2/@s p1/~,~,~,~-", [(1, "wheel")], id="late"),
        pytest.param("p2/@s p1d/~,~,~,~-", [(1, "wheel"), (2, "discard-one")], id="of-the-daemon"),
        pytest.param("p2/@s p1/1S-", [(1, "wheel")], id="the-hermits-move"),
    ],
)
def test_the_wheels_discard_of_arcanoid_is_late_where_the_daemon_has_the_hermit(
    words: str, found: list[tuple[int, str]]
) -> None:
    start = "T15 p0/p1d*T09,1S,2S,3S,4S,5S ~- p1d/T09 T10*~,~,~,~,~"
    got = errors("Arcanoid", dict.fromkeys(("Seat1", "Seat2"), "?"), f"{start} {words}")
    assert got == [(5 + ply, f"arcanoid.{key}") for ply, key in found]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("@d No", [(1, "refill-vote")], id="late"),
        pytest.param("@d No No", [(1, "refill-vote"), (3, "finished")], id="twice"),
    ],
)
def test_a_vote_of_arcanoid_may_come_after_the_move_that_ends_the_game(
    words: str, found: list[tuple[int, str]]
) -> None:
    start = "@s @s @w @w @c @c @d " + "~- " * 66
    tags = {"Seat1": "?", "Seat2": "?", "Options": "rounds=1"}
    got = errors("Arcanoid", tags, f"{start} {words}")
    assert got == [(len(start.split()) + ply, f"arcanoid.{key}") for ply, key in found]


@pytest.mark.parametrize(
    ("seats", "start", "words"),
    [
        (2, "~- " * 62 + "T10*~,~,~,~", "No p2/@s p1/~,~,~-"),
        (2, "~- " * 62 + "T10*~,~,~,~", "p2/@s No p1/~,~,~-"),
        (10, VOTE, "~- No"),
    ],
)
def test_who_left_a_word_of_arcanoid_out_may_speak_until_the_next_move(seats: int, start: str, words: str) -> None:
    tags = dict.fromkeys((f"Seat{seat}" for seat in range(1, seats + 1)), "?")
    [record] = loads(tables.sheet("Arcanoid", tags, f"{start} {words}"))
    heading = read_heading(record)
    assert heading.sheet is not None
    walked = list(steps(GAMES["arcanoid"], GAMES["arcanoid"].rules.setup(heading.sheet), record.line.words, seats))
    for step in walked[len(start.split()) :]:
        assert isinstance(step.verdict, Refused) or step.move.seat in actors(GAMES["arcanoid"], step.state), step.word
