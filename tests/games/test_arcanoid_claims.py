"""False claims planted in records of hidden hands: found when no reading of a seat's draws bears them, no sooner."""

import re
from collections import Counter
from random import Random

import pytest

from cartulary.engine import Breach, Refused
from cartulary.engine.arcanoid import pending, view_move
from cartulary.notation import GAMES, Step, examine, loads, steps
from cartulary.notation.arcanoid import words
from cartulary.testing import tables
from tests.games.test_arcanoid_engine import started
from tests.hunts import looks
from tests.referees.arcanoid import readings as arcanoid_readings
from tests.referees.arcanoid import table as arcanoid_table
from tests.referees.arcanoid.cards import in_order, is_trump
from tests.referees.arcanoid.play import Referee

PLANTED = looks(36)
KEYS = {"T05": "arcanoid.hierophant", "T17": "arcanoid.star", "T18": "arcanoid.moon", "T19": "arcanoid.sun"}


def told(tags: dict[str, str], said: list[str]) -> list[Step]:
    """Return the steps of a record whose words can all be read and applied."""
    state, seats = started(tags)
    done = list(steps(GAMES["arcanoid"], state, tuple(said), seats))
    assert [step.word for step in done if step.error or not step.applied] == []
    assert len(done) == len(said)
    return done


def told_last(tags: dict[str, str], said: list[str]) -> Step:
    """Return the last step of a record, which may be one that cannot be applied."""
    state, seats = started(tags)
    [*_, last] = steps(GAMES["arcanoid"], state, tuple(said), seats)
    assert last.ply == len(said)
    return last


def masked(game: arcanoid_table.Game) -> list[str]:
    """Return the words of an open game as all saw them, as many as there are."""
    open_steps = told(game.tags, list(game.words))
    return [words.write(view_move(step.state, step.move, 0), step.state) for step in open_steps]


def proved(done: list[Step]) -> list[Breach]:
    """Return what the words of a record prove of others."""
    return [breach for step in done for breach in step.breaches]


def false_call(rng: Random, word: str, referee: Referee) -> str:
    """Return a call in vain with one card that another seat holds in its place; empty where there is none."""
    found = arcanoid_readings.CALLS.match(word)
    if not found or found[3]:
        return ""
    calls = found[2].split(">")[1:]
    hands = [one.hand for name, one in referee.players.items() if name != referee.mover and not one.daemon]
    held = [card for hand in hands for card in hand if not is_trump(card) and card not in calls]
    if not held or is_trump(calls[0]):
        return ""
    calls[rng.randrange(len(calls))] = rng.choice(held)
    return word.replace(found[2], "".join(f">{card}" for card in calls))


def false_showing(rng: Random, word: str) -> str:
    """Return a showing that leaves out one card of a seat; empty where nothing is shown."""
    found = re.findall(r"\^(p\d+)=([\w,]+)", word)
    if "T05=" not in word or not found:
        return ""
    at = rng.randrange(len(found))
    seat, cards = found[at][0], found[at][1].split(",")
    cards.remove(rng.choice(cards))
    found[at] = (seat, ",".join(cards))
    head, _, tail = word.partition("^")
    kept = "".join(f"^{name}={those}" for name, those in found if those) or "^None"
    return head + kept + ("*" + tail.partition("*")[2] if "*" in tail else "")


def planted(rng: Random, number: int) -> tuple[arcanoid_table.Game, list[str], int] | None:
    """Return a game, its masked words with one claim made false, and the ply of the claim."""
    variant = rng.choice(("dresden", "worms"))
    game = arcanoid_table.record(rng, rng.choice((2, 2, 3, 4)), options="rounds=1", variant=variant)
    answer = masked(game)
    assert proved(told(game.tags, answer)) == [], (game.tags, game.words)
    referee = arcanoid_table.sit_down(game)
    plies = []
    for ply, word in enumerate(game.words):
        referee.say(word)
        false = false_showing(rng, answer[ply]) if number % 2 else false_call(rng, answer[ply], referee)
        if false:
            plies.append((rng.random(), ply, false))
    if not plies:
        return None
    _, ply, false = min(plies)
    answer[ply] = false
    return game, answer, ply + 1


def proof(game: arcanoid_table.Game, said: list[str], ply: int) -> int:
    """Return the ply of the word that proves the claim of a ply false, from every reading of each hand; 0 for none."""
    hands = arcanoid_readings.words_of(arcanoid_table.sit_down(game), game.words, said)
    return min((found for one in hands.values() if (found := arcanoid_readings.first_proof(one, ply))), default=0)


@pytest.mark.hunt
def test_a_false_claim_is_found_at_the_word_no_reading_of_a_seats_draws_explains() -> None:
    rng, seen = Random("planted claims"), Counter[str]()
    for number in range(PLANTED):
        plant = planted(rng, number)
        if plant is None:
            continue
        game, answer, ply = plant
        done = told(game.tags, answer)
        refused = [step.ply for step in done if isinstance(step.verdict, Refused)]
        if refused:
            assert refused == [ply], (game.tags, answer)
            seen["at once"] += 1
            continue
        found, expected = proved(done), proof(game, answer, ply)
        assert {breach.plies for breach in found} <= {(ply,)}, (game.tags, answer, found)
        decided = found[0].decided_by if found else 0
        if "Yes" in game.words and decided != expected:
            # Of a deck made of the discards the engine knows more than that all its cards may be anything.
            assert 0 < decided < (expected or len(answer) + 1), (game.tags, answer, found)
            seen["sooner"] += 1
            continue
        assert decided == expected, (game.tags, answer, found)
        assert not found or found[0].key == KEYS[re.sub(r"^p\d+/", "", answer[ply - 1])[:3]]
        seen["found" if expected else "open"] += 1
    assert seen["found"], seen
    assert seen["open"], seen


@pytest.mark.hunt
def test_a_claim_no_card_answered_is_open_when_the_game_has_ended_and_no_other_is() -> None:
    rng, seen = Random("claims at the end"), Counter[str]()
    for _ in range(PLANTED // 6):
        game = arcanoid_table.record(rng, rng.choice((2, 3)), options=f"rounds={rng.randint(1, 2)}", variant="dresden")
        answer = masked(game)
        claims = [ply for ply, word in enumerate(answer, 1) if re.search(r"T(05=|1[789]>)", word)]
        hands = arcanoid_readings.words_of(arcanoid_table.sit_down(game), game.words, answer).values()
        expected = {ply for ply in claims if any(arcanoid_readings.stays_open(one, ply) for one in hands)}
        found = {ply for ply, key in pending(told(game.tags, answer)[-1].after).open if key in KEYS.values()}
        # Of a deck made of the discards the engine knows more than that all its cards may be anything.
        assert found < expected if "Yes" in answer and found != expected else found == expected, (game.tags, answer)
        seen.update(open=len(found), answered=len(set(claims) - expected))
    assert seen["open"], seen
    assert seen["answered"], seen


@pytest.mark.hunt
def test_a_hand_nobody_saw_may_be_any_cards_as_many_as_it_has_and_not_one_more() -> None:
    rng, tried = Random("one card more"), 0
    for _ in range(PLANTED):
        game = arcanoid_table.record(rng, rng.choice((2, 3, 4)), options="rounds=1", variant="dresden")
        answer = masked(game)
        length = rng.randint(0, 20)
        if any(re.search(r"T(05|08|11|15|1[789])", word) for word in answer[:length]):
            continue
        referee = arcanoid_table.sit_down(game)
        for word in game.words[:length]:
            referee.say(word)
        referee.settle()
        if referee.votes or referee.excess or referee.round_over or referee.again:
            continue
        named = {name for word in answer[:length] for name in arcanoid_readings.NAME.findall(word)}
        player = referee.players[referee.next_key()]
        for suit in "SWCD":
            free = [rank + suit for rank in "123456789X" if rank + suit not in named]
            count = len(player.hand)
            if len(free) > count:
                for cards, blocks in ((free[:count], False), (free[: count + 1], True)):
                    word = f"{','.join(in_order(cards))}@{suit.lower()}"
                    last = told_last(game.tags, [*answer[:length], word])
                    assert last.applied is not blocks, (answer[:length], word)
                tried += 1
    assert tried


# --- by example ---


def findings(text: str, **tags: str) -> list[tuple[str, int, str, int | None, tuple[int, ...]]]:
    """Return what is found in a record of two seats, or of as many as the tags say."""
    seats = {"Seat1": "?", "Seat2": "?"} | tags
    [record] = loads(tables.sheet("Arcanoid", seats, text))
    found = examine(record).report.findings
    return [(one.severity, one.ply, one.key, one.decided_by, one.plies) for one in found if one.severity != "remark"]


def test_two_claims_that_cannot_both_be_true_are_named_together() -> None:
    text = "T05=C^None T17>8D ~-*~ ~- 7C-*5S ~- 8D-"
    assert ("undecided", 1, "arcanoid.hierophant", 7, (1, 2)) in findings(text)


def test_a_card_drawn_since_explains_one_of_two_cards_called_in_vain() -> None:
    assert findings("T18>7C>8C ~-*~ ~- 7C-*5S") == [("undecided", 1, "arcanoid.moon", None, ())]
    assert findings("T18>7C>8C ~-*~ ~- 7C-*5S ~- 8C-") == [("error", 1, "arcanoid.moon", 6, ())]


def test_a_claim_that_every_card_of_the_hand_has_answered_is_a_question_no_more() -> None:
    text = "T17>7C 1S@s*1W ~- 2S,3S-*2W,3W ~- 4S@c*4W ~-"
    assert [key for _, key in pending(told({"Seat1": "?", "Seat2": "?"}, text.split())[-1].after).open] == [
        "arcanoid.star"
    ]
    hand = "p0/p1*T17,5S,6S,7S,8S,9S"
    answered = f"{hand} T12>p2 T17>7C 1S@s*1W ~-"
    assert findings(answered)[-1][:3] != ("error", 2, "arcanoid.star")


def test_the_card_drawn_longest_ago_is_the_one_the_usa_discards() -> None:
    tags = {"Seat3": "?", "Options": "gaza"}
    assert ("error", 1, "arcanoid.star", 6, ()) in findings("T17>7C ~- ~- ~- ~- 7C-", **tags)
    rounds = " ".join(["T17>7C ~- ~-", *["~- ~- ~-"] * 5, "~- ~- 7C-"])
    assert findings(rounds, **tags) == [("undecided", 1, "arcanoid.star", None, ())]


def test_what_is_turned_up_at_the_end_answers_what_was_said_of_the_hand_it_came_from() -> None:
    text = "T17>7S ~@~s @s @w @w @c @c @d @d p2/^s=7S"
    assert findings(text, Variant="koblenz", Options="rounds=1")[0] == ("error", 1, "arcanoid.star", 10, ())


def test_what_the_tower_undid_face_down_is_never_known() -> None:
    assert findings("~,~@~s T16:p1s", Variant="koblenz") == [("undecided", 1, "arcanoid.face-down", None, ())]
