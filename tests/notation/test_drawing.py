"""Every game can be drawn, by itself or as the rows of its picture, for all who look."""

from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.notation import GAMES, AnyGame, draw, load, read_heading, steps
from cartulary.notation.drawing import Drawing, Item, drawn_as_text, with_names
from tests.places import SAMPLES

LOOKING = (None, 0, 1, 2)


def states(key: str) -> tuple[AnyGame, list[Any]]:
    """Return the game, and the positions a record of it passes through."""
    record = next(iter(load(min((SAMPLES / key / "games").glob("*.cgn")))))
    heading = read_heading(record)
    assert heading.game is not None
    assert heading.sheet is not None
    start = heading.game.rules.setup(heading.sheet)
    return heading.game, [step.after for step in steps(heading.game, start, record.line.words, heading.sheet.seats)]


@pytest.mark.parametrize("key", GAMES)
def test_every_game_is_drawn_within_its_size_each_thing_once(key: str) -> None:
    game, passed = states(key)
    for state in passed[:: max(1, len(passed) // 6)]:
        for seat in LOOKING:
            shown = state if seat is None else game.hidden.view(state, seat)
            drawing = draw(game.words, shown, seat)
            wide, high = drawing.size
            assert drawing.items
            assert len({item.id for item in drawing.items}) == len(drawing.items)
            assert all(0 <= item.place[0] < wide and 0 <= item.place[1] < high for item in drawing.items)


@pytest.mark.parametrize("key", GAMES)
def test_a_game_that_draws_nothing_is_drawn_as_its_picture(key: str) -> None:
    game, passed = states(key)
    for seat in LOOKING:
        shown = passed[-1] if seat is None else game.hidden.view(passed[-1], seat)
        rows = ["".join(span.text for span in row).rstrip() for row in game.words.picture(shown, seat)]
        drawing = draw(replace(game.words, drawing=None), shown, seat)
        assert drawing.size == (
            max(len("".join(span.text for span in row)) for row in game.words.picture(shown, seat)),
            len(rows),
        )
        drawn = [""] * len(rows)
        for item in drawing.items:
            column, row = item.place
            drawn[row] = drawn[row].ljust(column) + item.symbol
        assert [row.rstrip() for row in drawn] == rows


def test_a_game_that_draws_is_asked() -> None:
    game, passed = states("draughts")
    assert game.words.drawing is not None
    assert draw(game.words, passed[-1], 1) == game.words.drawing(passed[-1], 1)
    assert draw(game.words, passed[-1], 1) != drawn_as_text(game.words.picture(passed[-1], 1))


def test_a_line_about_a_seat_calls_it_by_its_name_and_its_number_and_no_card_does() -> None:
    items = (
        Item("line 0", "p1", (0, 0), "frame"),
        Item("line 1", "> p3 is to play", (0, 1), "frame"),
        Item("line 2", "p2", (0, 2), "frame"),
        Item("line 3", "score  p1 0  p2 0", (0, 3), "frame"),
        Item("7C p1", "p1", (0, 4), "p1", "7C", "card"),
        Item("line 4", "p4", (0, 5), "frame"),
    )
    named = with_names(Drawing((60, 6), items), ("Ada", "?", "Carl", "A name of more letters than fit"))
    answers = [item.symbol for item in named.items]
    assert answers == [
        "Ada (p1)",
        "> Carl (p3) is to play",
        "p2",
        "score  Ada 0  p2 0",
        "p1",
        "A name of more lett… (p4)",
    ]
    assert [item.id for item in named.items] == [item.id for item in items]
