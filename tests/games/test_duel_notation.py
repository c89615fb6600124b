"""The duel's words and tags as they are read and written: one spelling each, and the sign at which reading stops."""

from random import Random

import pytest

from cartulary.notation import NotationError
from cartulary.notation.arbiter.replay import read_word, write_word
from cartulary.notation.tarot_duel import read_sheet, write_sheet
from tests.games.test_duel_engine import DECK1, GAME, started

PARTS = (
    *("T01", "T04", "T05", "T07", "T10", "T12=", "T15", "T16", "T19", "T21", "=2", "=0", "=2D", "=7C,8C", "=~", "=T05"),
    *("=T13", "=T15", "=T21", ">p1", ">p2", ">p3", ">a=2D", ">a1", ">p2a=2C", ">p2a1", ">p2h", ">h=2D", ">x=2D"),
    *(">d=2D", ">d", ">a", "2D", "~", ",", "@a", "-", "*", "^", ":p2a=2C", ":p2h", ":p2a1", "p2/", "p0/", "p0/p2"),
)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("7C", 2),
        ("7Q@a", 1),
        ("*", 1),
        ("7C,@a", 4),
        (":p9a=7C^~^~", 2),
        (":p2a^~^~", 5),
        ("p3/End", 1),
        ("T13>p3", 5),
        ("T06=~", 5),
        ("~@a", 1),
        ("p0/=7", 5),
        ("T12=7C", 5),
        ("T01>p2>p2", 7),
        ("T13=7C=8C", 7),
        ("T16=1=2", 6),
        ("T16>p2=7C", 7),
        ("T16=2>p2a=7C", 6),
        ("T10>a=9D=8C", 9),
        ("T10>h=7C>x=8C", 4),
        ("T10=7C>x=8C>x=9C", 12),
        ("T07>p2a=KS>a=7C", 11),
        ("T04>p2", 4),
        ("T04=T05=7C", 8),
        ("T21:p2a=7C>p2", 11),
    ],
)
def test_a_word_that_cannot_be_read_names_the_sign_at_which_it_stops(text: str, column: int) -> None:
    with pytest.raises(NotationError) as fault:
        read_word(GAME, started({}), text, 2)
    assert fault.value.column == column


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("8C7C@a", "7C,8C@a"),
        ("p1/*7C", "*7C"),
        ("T13>p2", "T13"),
        ("T12=T13", "p1/T12=T13"),
        ("T15", "p1/T15"),
        ("T178C7C@a", "7C,8C,T17@a"),
        ("p0/p1*8C7C", "p0/p1*8C,7C"),
        ("p2/T04=T15", "p2/T04=T15"),
        ("p2/T12=T04=T21=T16=2", "p2/T12=T04=T21=T16=2"),
        ("T10>a1>d=KS", "T10>a1>d=KS"),
        ("T07>a=7C>p2a1", "T07>a=7C>p2a1"),
        ("T21:p2a1", "T21:p2a1"),
        ("T16=2>p2", "T16=2"),
        ("T16>p2=2", "T16=2"),
        ("T07=7C>a=8C", "T07=7C>a=8C"),
        ("T10=~>d=KS", "T10=~>d=KS"),
        ("p2/:p1a=T04^^9S", "p2/:p1a=T04^^9S"),
    ],
)
def test_a_word_has_one_spelling(text: str, spelled: str) -> None:
    state = started({})
    assert write_word(GAME, read_word(GAME, state, text, 2), state) == spelled


@pytest.mark.parametrize("seats", [2, 3])
def test_whatever_can_be_read_is_written_as_the_same_move(seats: int) -> None:
    state, rng, read = started({}, seats), Random("words"), 0
    for _ in range(20_000):
        text = "".join(rng.choices(PARTS, k=rng.randint(1, 4)))
        try:
            move = read_word(GAME, state, text, seats)
        except NotationError:
            continue
        spelled = write_word(GAME, move, state)
        read += 1
        assert read_word(GAME, state, spelled, seats) == move, text
        assert write_word(GAME, move, state) == spelled
    assert read > 1_000


def test_a_deck_tag_is_written_in_order_with_counts() -> None:
    sheet = read_sheet({"Deck1": "T04 5D 5Dx2 ~x4 1S ~"}, "standard", {}, 2)
    assert write_sheet(sheet) == {"Deck1": "5Dx3 1S T04 ~x5", "Deck2": "~x40"}


@pytest.mark.parametrize(
    "tags", [{"Deck1": "5Dx0"}, {"Deck1": "T00"}, {"Deck3": DECK1}, {"PointTotal": "0"}, {"Deck2": "~x99999"}]
)
def test_a_tag_that_cannot_be_read_is_named(tags: dict[str, str]) -> None:
    with pytest.raises(NotationError) as fault:
        read_sheet(tags, "standard", {}, 2)
    assert (fault.value.key, fault.value.tag) == ("record.tag", next(iter(tags)))
