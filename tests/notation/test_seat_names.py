"""What seats are called where a person reads: by name, with the number once, and words of the notation untouched."""

import re
from random import Random

import pytest

from cartulary.notation import draw
from cartulary.notation.drawing import with_names
from cartulary.notation.picture import WIDTH, Span, plain
from cartulary.notation.roster import GAMES
from cartulary.notation.seat_names import name_rows, name_seats, name_with_seat, seat_name
from tests.notation.test_drawing import states

NAMES = ("Ann", "Bela", "?", "", "Maximiliane von Hohenzollern")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("p1 deals; p2 takes: Garde", "Ann deals; Bela takes: Garde"),
        ("p1's penalty, ask p2.", "Ann's penalty, ask Bela."),
        ("p3 held 9S, p4 did not", "p3 held 9S, p4 did not"),
        ("write p2/Pass, p1*7C,8C or p2=7C", "write p2/Pass, p1*7C,8C or p2=7C"),
        ("the challenge :p2a and `--by p1`", "the challenge :p2a and `--by p1`"),
        ("with --seat p2 of p2", "with --seat p2 of Bela"),
        ("p10 and p9", "p10 and p9"),
        ("score  p1 0  p2 -4", "score  Ann 0  Bela -4"),
    ],
)
def test_a_sentence_calls_seats_by_name_and_leaves_words_as_they_are(text: str, named: str) -> None:
    assert name_seats(text, NAMES) == named


def test_a_name_that_two_seats_have_or_that_looks_like_a_seat_keeps_its_number() -> None:
    assert [seat_name(seat, ("Ann", "ann", "p1", "Bo")) for seat in range(1, 6)] == [
        "Ann (p1)",
        "ann (p2)",
        "p1 (p3)",
        "Bo",
        "p5",
    ]
    assert name_with_seat(1, NAMES) == "Ann (p1)"
    assert name_with_seat(3, NAMES) == "p3"


def test_no_name_is_put_in_the_place_of_a_seat_twice() -> None:
    assert name_seats("p1 and p2", ("p2", "Ann")) == "p2 (p1) and Ann"


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_picture_with_long_names_keeps_its_width_and_every_other_word(key: str) -> None:
    game, passed = states(key)
    names = tuple(f"{name}{'x' * Random(seat).randint(0, 30)}" for seat, name in enumerate("ABCDE"))
    for state in passed[:: max(1, len(passed) // 25)]:
        picture = game.words.picture(state, None)
        named = name_rows(picture, names)
        widest = max(sum(len(span.text) for span in row) for row in picture)
        assert all(sum(len(span.text) for span in row) <= max(WIDTH, widest) for row in named)
        assert not re.search(r"(?<![\w(/])p[1-9](?![\w/=*])", plain(named))
        assert plain(named).count("unknown") == plain(picture).count("unknown")
        assert name_rows(picture, ("?",) * 5) == picture


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_drawing_with_long_names_lies_within_its_edge_and_nothing_is_drawn_over_another(key: str) -> None:
    game, passed = states(key)
    names = ("Maximiliane", "Bartholomew", "Christopher", "Wilhelmina", "Alexandrine")
    for state in passed[:: max(1, len(passed) // 25)]:
        drawing = draw(game.words, state, None)
        named = with_names(drawing, names)
        assert len({item.id for item in named.items}) == len(named.items)
        (columns, rows), taken = named.size, set()
        for item in named.items:
            assert item.place[1] + item.size[1] <= rows
            if item.look == "text":
                assert item.place[0] * named.unit[0] + 8 * len(item.symbol) <= max(columns * named.unit[0], 8 * 80)
            if item.look in ("text", "card", "back"):
                taken.add(item.place)
        assert len(taken) == sum(item.look in ("text", "card", "back") for item in named.items)


def test_a_row_that_is_too_wide_is_divided_at_its_blanks() -> None:
    row = (Span("score  p1 -10000  p2 -10000  p3 -10000  p4 10000  p5 20000", "frame"),)
    named = name_rows((row,), ("Maximiliane", "Bartholomew", "Christopher", "Wilhelmina", "Alexandrine"))
    assert (
        plain(named) == "score  Maximil… -10000  Barthol… -10000  Christo… -10000  Wilhelm… 10000\n    Alexand… 20000"
    )
