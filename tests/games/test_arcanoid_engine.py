"""Arcanoid judged word by word: random games told openly, as the table saw them, and as each seat saw them."""

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from random import Random

import pytest
from msgspec.structs import replace

from cartulary.engine import Refused, arcanoid
from cartulary.engine.arcanoid import State, view, view_move
from cartulary.engine.arcanoid.cards import kind_of, strength
from cartulary.engine.arcanoid.dues import tally_fields
from cartulary.engine.cards.zones import HIDDEN
from cartulary.engine.slots import NO_SLOTS
from cartulary.notation import NotationError, Step, examine, load, steps
from cartulary.notation.arbiter.heading import read_options
from cartulary.notation.arcanoid import read_sheet, words
from cartulary.notation.arcanoid.picture import picture as table_of
from cartulary.notation.cgn.result import format_result
from cartulary.notation.picture import plain
from cartulary.notation.roster import GAMES
from tests.hunts import looks
from tests.places import SAMPLES
from tests.referees.arcanoid import table as arcanoid_table
from tests.referees.arcanoid.cards import Fault
from tests.referees.arcanoid.play import Referee

GAME = GAMES["arcanoid"]
SEATED = (2, 3, 4, 5, 6)
DEAL = ("p0/p1*4S,5S,6S,T17,QC,T14", "p0/p2*7C,7S,JW,T00,1D,KC")
STRANGE = (
    *(
        "@s",
        "@sw",
        "~-",
        "4S-",
        "4S,5S-",
        "4S@s",
        "QC@c",
        "QC,KC@c",
        "T14@s",
        "T14-",
        "T20@p2s",
        "T20@s",
        "T21@w",
        "Pass",
    ),
    *("p2/T00:s", "p1/T00:s-", "T02>p2", "T02>p1", "T05=S^None", "T05=T^p2=T00", "T07@r", "r-", "r@s", "r4S@s", "4S@r"),
    *(
        "T08",
        "T09",
        "p1/~-",
        "p2/@s",
        "T10*~,~,~,~,~-~,~,~,~",
        "T10",
        "~,~,~,~-",
        "T11=2",
        "T11=3",
        "T12>p2",
        "T12>p2d",
    ),
    *(
        "T13",
        "T15",
        "T16:p2s",
        "T16:p1dd",
        "T17>7C",
        "T17>7C:p2",
        "T18>7C>8C",
        "T19>T12",
        "4S@~s",
        "~,~@~s",
        "Yes",
        "No",
    ),
    *("p0/p2*~", "p0/j*~", "p0/p1d*7C", "p0/*7C,8C", "p2/^s=4S", "T01,~@~s", "T03,T04@sw", "T06,KS@s", "p2d/~-"),
)


def started(tags: dict[str, str]) -> tuple[State, int]:
    """Return the first state and how many seats there are."""
    seats = sum(name.startswith("Seat") for name in tags)
    options = read_options(GAME, tags.get("Options", ""))
    state = arcanoid.setup(read_sheet(tags, tags.get("Variant", "dresden"), options, seats))
    assert not isinstance(state, Refused), state
    return state, seats


def told(tags: dict[str, str], said: tuple[str, ...]) -> list[Step]:
    """Return the steps of a record whose words can all be read."""
    state, seats = started(tags)
    done = list(steps(GAME, state, said, seats))
    for step in done:
        assert step.error is None, f"{step.word}: {step.error}"
    return done


def found(done: list[Step]) -> list[tuple[str, str]]:
    """Return every word that is refused, with the key, or proves something, or is not spelled as it should be."""
    faults = [(step.word, step.verdict.clause.key) for step in done if isinstance(step.verdict, Refused)]
    faults += [(step.word, breach.key) for step in done for breach in step.breaches]
    return faults + [(step.word, "cgn.mark") for step in done if step.text != step.word]


def games(seats: int, count: int) -> Iterator[arcanoid_table.Game]:
    """Yield random games."""
    for number in range(looks(count)):
        yield arcanoid_table.record(Random(f"engine {seats} {number}"), seats)


def two(*said: str, variant: str = "dresden") -> list[Step]:
    """Return the steps of a game of two that is dealt as DEAL has it."""
    return told({"Seat1": "?", "Seat2": "?", "Variant": variant}, (*DEAL, *said))


def won(state: State) -> str:
    """Return the fields won, seat by seat, as the second referee writes them."""
    return ":".join(str(tally[0]) for tally in tally_fields(state.wins, state.options.seats))


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_a_random_game_told_openly_is_legal_word_by_word_and_ends_as_by_hand(seats: int) -> None:
    for game in games(seats, 12):
        done = told(game.tags, game.words)
        assert found(done) == []
        last = arcanoid.settle(done[-1].after)
        assert last.outcome is not None
        assert format_result(last.outcome.shares) == game.result
        assert won(last) == game.score


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_the_same_game_as_the_table_saw_it_has_no_finding_and_the_same_end(seats: int) -> None:
    for game in games(seats, 6):
        done = told(game.tags, game.table)
        assert found(done) == []
        last = arcanoid.settle(done[-1].after)
        assert last.outcome is not None
        assert format_result(last.outcome.shares) == game.result
        never = [game.table[ply - 1] for ply, key in arcanoid.pending(last).open if key == "arcanoid.face-down"]
        assert arcanoid_table.buried(game.table, never), game


def cards_of(state: State) -> Counter[int]:
    """Return every card of an open record, wherever it is."""
    laid = Counter(state.deck + state.pile + state.aside + (state.row or b""))
    for side in state.sides:
        laid.update(side.hand + side.open)
        laid.update(side.reserve + b"\x3f" if side.reserve is not None else b"")
        laid.update(b"\x41" if side.hermit else b"")
    standing = [side.fields for side in state.sides] + [fields for _, fields in state.past_daemons]
    for fields in standing:
        for field, there in enumerate(fields):
            laid.update(there.cards if there is not None and not 0 <= there.both < field else b"")
    laid.update(b"\x46" if state.temper is not None else b"")
    laid.update(b"\x47" if state.devil else b"")
    return laid


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_no_card_is_ever_lost_or_doubled(seats: int) -> None:
    whole = Counter(range(78))
    for game in games(seats, 4):
        for step in told(game.tags, game.words):
            if step.after.deal is None and step.after.outcome is None:
                assert cards_of(step.after) == whole, step.word


# --- views ---


def by_words(state: State, seat: int) -> State:
    """Return a view without what no word tells: what a seat alone looked at, and the USA's hand turned up by a call."""
    seen, usa = view(state, seat), state.options.usa
    sides = []
    for who, side in enumerate(seen.sides, 1):
        shown = 0 if who == usa else side.public_cards
        there = [
            replace(one, kind=-1, cards=b"") if one is not None and one.secret and (one.owner or one.eye) else one
            for one in side.fields
        ]
        bare = replace(side, public_cards=shown, seat_knowledge=(), fields=tuple(there))
        hidden = bytes(HIDDEN if who != seat and who <= state.options.seats else code for code in side.hand)
        sides.append(replace(bare, hand=hidden))
    return replace(seen, sides=tuple(sides), slots=NO_SLOTS)


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_a_record_as_a_seat_saw_it_reads_on_without_a_finding_and_looks_the_same(seats: int) -> None:
    for game in games(seats, 2):
        done = told(game.tags, game.words)
        for seat in range(1, seats + 1):
            seen = tuple(words.write(view_move(step.state, step.move, seat), step.state) for step in done)
            again = told(game.tags, seen)
            assert found(again) == [], f"p{seat}"
            for one, other in zip(done[::5], again[::5], strict=True):
                assert by_words(one.after, seat) == by_words(other.after, seat), (seat, one.word)


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_a_view_holds_no_more_than_itself_and_is_drawn_within_the_width(seats: int) -> None:
    for game in games(seats, 2):
        for step in told(game.tags, game.words)[::4]:
            for seat in range(1, seats + 1):
                seen = view(step.after, seat)
                assert view(seen, seat) == seen
                picture = plain(table_of(step.after, seat))
                assert max(map(len, picture.split("\n"))) <= 80
                assert picture == plain(table_of(seen, seat))


# --- words ---


@pytest.mark.hunt
@pytest.mark.parametrize("variant", arcanoid.VARIANTS)
def test_any_word_at_any_time_is_judged_and_what_can_stand_is_applied(variant: str) -> None:
    rng = Random(variant)
    for _ in range(looks(60)):
        state, seats = started({"Seat1": "?", "Seat2": "?", "Variant": variant})
        answers = [*(DEAL if rng.random() < 0.5 else ()), *rng.choices(STRANGE, k=30)]
        for word in answers:
            for step in steps(GAME, state, (word,), seats):
                assert step.error is None or isinstance(step.error, NotationError)
                if step.error is None:
                    [again] = steps(GAME, state, (step.text,), seats)
                    assert again.text == step.text
                state = step.after


def test_a_star_in_vain_is_disproved_by_a_card_that_cannot_have_been_drawn_since() -> None:
    done = told({"Seat1": "?", "Seat2": "?"}, ("T17>7C", "7C@c"))
    [breach] = done[-1].breaches
    assert (breach.plies, breach.key, breach.decided_by) == ((1,), "arcanoid.star", 2)


def test_a_star_in_vain_is_a_question_until_the_round_ends() -> None:
    done = told({"Seat1": "?", "Seat2": "?"}, ("T17>7C", "~-"))
    assert arcanoid.pending(done[-1].after).open == ((1, "arcanoid.star"),)


def test_a_star_in_vain_for_a_card_that_is_seen_is_refused() -> None:
    assert ("T17>7C", "arcanoid.star") in found(two("T17>7C"))


def test_the_fool_takes_a_commitment_before_a_draw_is_written_and_not_after() -> None:
    assert found(two("4S,5S@s", "p2/T00:s")) == []
    assert ("p2/T00:s", "arcanoid.fool") in found(two("4S,5S@s*~,~", "p2/T00:s"))


def test_a_seat_with_four_commitments_has_left_the_round() -> None:
    done = two("@s", "@s", "@w", "@w", "@c", "@c", "@d")
    last = arcanoid.settle(done[-1].after)
    assert last.sides[0].hand == b""
    assert last.turn == 2


def test_equal_sums_are_told_apart_by_the_highest_card_and_a_natural_one_last() -> None:
    high, low = strength(1, bytes((9, 0)), 0, "", 1), strength(1, bytes((8, 1)), 0, "", 2)
    assert high > low
    assert strength(1, bytes((9,)), 0, "", 2) > strength(1, bytes((57, 23)), 0, "", 1)
    assert strength(1, bytes((9,)), 0, "fewer-cards", 2) > strength(1, bytes((8, 0)), 0, "fewer-cards", 1)


def test_a_wrong_set_names_the_rule_it_breaks() -> None:
    queen, king, lovers, magician = 12, 13, 62, 57
    wrong = {
        bytes((queen, 3)): "needs-partner",
        bytes((queen, king, 3)): "royal-couple",
        bytes((lovers, 3)): "illegitimate-couple",
        bytes((14,)): "numeric",
        bytes((10, 3)): "knave",
        bytes((25,)): "knight",
        bytes((magician,)): "transmute",
        bytes((magician, 14, 15)): "transmute",
        bytes((69,)): "no-commitment",
    }
    for cards, key in wrong.items():
        kind = kind_of(cards, (0,))
        assert not isinstance(kind, int)
        assert kind[0].key == f"arcanoid.{key}"


def test_the_end_says_which_suit_decided_between_as_many_fields() -> None:
    [record] = load(SAMPLES / "arcanoid/games/five-rounds.cgn")
    outcome = examine(record).outcome
    assert outcome is not None
    assert outcome.because == "p1 has won 10 fields in 5 rounds; p2 has as many, but fewer swords fields"


# --- whose word it is ---

SPOKEN = {"arcanoid.turn", "arcanoid.refill-vote", "arcanoid.wheel", "arcanoid.usa"}


def intrusion(rng: Random, referee: Referee) -> str:
    """Return a word of anybody, in turn or not: an abdication, a discard, Justice, a vote, or a call."""
    keys = [name + daemon for name in referee.players if not name.endswith("d") for daemon in ("", "d")]
    cards = [card for one in referee.players.values() for card in one.cards() if card not in ("~", "T14")]
    card = rng.choice(cards or ["7C"])
    head = rng.choice(["", *(f"{key}/" for key in keys)])
    return head + rng.choice(
        [f"@{rng.choice('swcd')}", f"{card}-", "T08", "Yes", "No", f"T17>{card}:{rng.choice(keys)}"]
    )


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_who_may_speak_and_of_what_is_judged_as_the_second_referee_judges_it(seats: int) -> None:
    rng, seen = Random(f"intruders {seats}"), Counter[str]()
    for game in games(seats, 3):
        referee = arcanoid_table.sit_down(game)
        for step in told(game.tags, game.words):
            if referee.started and rng.random() < 0.3:
                word, expected = intrusion(rng, referee), ""
                try:
                    deepcopy(referee).say(word)
                except Fault as fault:
                    expected = f"arcanoid.{fault.key}"
                [judged] = steps(GAME, step.state, (word,), started(game.tags)[1])
                found = judged.verdict.clause.key if isinstance(judged.verdict, Refused) else ""
                if SPOKEN & {found, expected}:
                    assert found == expected, (game.tags, game.words[: step.ply - 1], word)
                    seen[found] += 1
            referee.say(step.word)
    assert seen["arcanoid.turn"], seen


# --- pictures ---

PLAYED_OUT = ("4S,5S@s", "@s", "QC,KC@c", "@w", "9D@d", "@c", "@w", "@d")


def drawn(*said: str, **tags: str) -> list[str]:
    """Return the picture after the words of a game of two, line by line."""
    done = told({"Seat1": "?", "Seat2": "?"} | tags, said)
    return [line.strip() for line in plain(table_of(done[-1].after, None)).split("\n")]


def test_a_finished_game_is_drawn_with_the_last_winners_and_without_hands() -> None:
    picture = drawn(*PLAYED_OUT, Options="rounds=1")
    assert picture[:3] == ["round 1, turn 4: the game is over", "deck 61  discards 12", "won   p1  p1  p1  p1"]
    assert [line for line in picture if line.startswith("hand")] == ["hand  -"] * 2
    assert "fields s 4S,5S  w abdicated  c QC,KC  d 9D" in picture


def test_a_round_that_is_over_is_drawn_counted_before_the_next_is_dealt() -> None:
    picture = drawn(*PLAYED_OUT, Options="rounds=2")
    assert "won   p1  p1  p1  p1" in picture
    assert [line for line in picture if line.startswith(("hand", "fields"))] == ["hand  -"] * 2


def test_a_round_is_not_counted_before_what_lies_face_down_is_turned_up() -> None:
    answer = ("4S,5S@~s", *PLAYED_OUT[1:])
    picture = drawn(*answer, Variant="koblenz", Options="rounds=2")
    assert picture[0] == "round 1: the face-down cards are to be turned up"
    assert "fields s (4S,5S)  w abdicated  c QC,KC  d 9D" in picture
    assert [line for line in picture if line.startswith(("hand", "won"))] == ["hand  -"] * 2
    assert "won   p1  p1  p1  p1" in drawn(*answer, "p1/^s=4S,5S", Variant="koblenz", Options="rounds=2")
