"""Card tables: where seats, tricks and fans lie, what a deal leaves on the table, and the faces of the cards."""

from typing import Any

import pytest

from cartulary.notation import GAMES, Step, load, read_heading, steps
from cartulary.notation.arbiter.replay import deal_over, draw_after
from cartulary.notation.card_faces import FRENCH, face_marks, face_of, suit_class
from cartulary.notation.card_table import CARD, PLATE, CardPlace, CardsAside, CardTable, drawn_table
from cartulary.notation.drawing import Drawing, Item
from cartulary.notation.svg import svg
from tests.places import SAMPLES

NAMES = (
    *(f"{rank}{suit}" for suit in "CDHS" for rank in "123456789XJNQK"),
    *(f"T{number:02}" for number in range(22)),
)
TAROT = GAMES["tarot"]


def item(drawing: Drawing, id: str) -> Item:
    [found] = [one for one in drawing.items if one.id == id]
    return found


def middle(one: Item) -> tuple[float, float]:
    return one.place[0] + one.size[0] / 2, one.place[1] + one.size[1] / 2


def distance(one: Item, other: Item) -> float:
    (x, y), (right, down) = middle(one), middle(other)
    return abs(x - right) + abs(y - down)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_each_card_of_a_trick_lies_nearest_to_the_plate_of_its_seat(seats: int) -> None:
    trick = tuple((seat, f"{seat}H") for seat in range(1, seats + 1))
    table = CardTable((CardPlace(),) * seats, trick=trick, suits=FRENCH)
    for below in range(1, seats + 1):
        drawing = drawn_table(table, below)
        plates = [item(drawing, f"plate p{seat}") for seat in range(1, seats + 1)]
        assert max(plates, key=lambda plate: plate.place[1]).id == f"plate p{below}"
        for seat in range(1, seats + 1):
            card = item(drawing, f"{seat}H")
            assert min(plates, key=lambda plate: distance(plate, card)).id == f"plate p{seat}"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nothing_in_the_middle_of_a_table_covers_a_card_or_a_plate(seats: int) -> None:
    trick = tuple((seat, f"{seat}H") for seat in range(1, seats + 1))
    places = (CardPlace(unknown=15, fact="Garde", deals=True),) * seats
    aside = CardsAside("chien", "in the chien", unknown=6)
    drawing = drawn_table(CardTable(places, trick, "trick 3", "♥", 0, aside, (), FRENCH, trumps="♠"))
    solid = [one for one in drawing.items if one.look in ("card", "plate", "back", "suit")]
    for at, one in enumerate(solid):
        for other in solid[:at]:
            apart = any(
                one.place[axis] + one.size[axis] <= other.place[axis]
                or other.place[axis] + other.size[axis] <= one.place[axis]
                for axis in (0, 1)
            )
            assert apart, (one.id, other.id)


def test_the_next_seat_sits_to_the_left_or_if_so_it_is_played_to_the_right() -> None:
    table = CardTable((CardPlace(),) * 4)
    assert item(drawn_table(table), "plate p2").place[0] == 0
    turned = CardTable((CardPlace(),) * 4, clockwise=False)
    assert item(drawn_table(turned), "plate p2").place[0] == 62 - PLATE[0]


def test_of_each_card_in_a_hand_so_much_can_be_seen_that_a_finger_hits_it() -> None:
    hands = tuple(CardPlace(NAMES[at : at + 18]) for at in (0, 18, 36, 54))
    drawing = drawn_table(CardTable(hands, suits=FRENCH, lines=("score",)))
    cards = [one for one in drawing.items if one.look == "card"]
    assert len(cards) == 72
    for card in cards:
        row = [one for one in cards if one.place[1] == card.place[1] and one.place[0] > card.place[0]]
        below = [one for one in cards if 0 < one.place[1] - card.place[1] < CARD[1]]
        wide = min([one.place[0] - card.place[0] for one in row] or [CARD[0]])
        high = min([one.place[1] - card.place[1] for one in below] or [CARD[1]])
        assert wide * drawing.unit[0] >= 36
        assert high * drawing.unit[1] >= 40


def test_the_faces_of_a_deck_differ_and_are_small() -> None:
    table = CardTable((CardPlace(NAMES),) * 2, suits=FRENCH)
    cards = [one for one in drawn_table(table).items if one.role == "p1" and one.look == "card"]
    drawn = {"".join(face_marks(card.symbol, 46, 66)) + suit_class(card.symbol) for card in cards}
    assert len(drawn) == len(cards) == 78
    assert sum(map(len, drawn)) < 60_000
    assert face_of("T05") is None
    assert face_of("X♥") == ("X", "♥")


# --- the end of a deal ---


def ends(name: str) -> list[Step]:
    """Return the plies of a golden game that ended a deal."""
    record = next(iter(load(SAMPLES / "tarot" / "games" / f"{name}.cgn")))
    heading = read_heading(record)
    assert heading.sheet is not None
    start = TAROT.rules.setup(heading.sheet)
    return [step for step in steps(TAROT, start, record.line.words, heading.sheet.seats) if deal_over(TAROT, step)]


@pytest.mark.parametrize("name", ["dementlieu-open", "fft-five", "fft-three", "table-revoke"])
def test_the_last_trick_lies_there_when_a_deal_has_ended_with_the_new_score(name: str) -> None:
    [step] = ends(name)
    drawing = draw_after(TAROT, step, step.after, None)
    played = [*step.state.trick_seats, step.move.seat]
    assert [
        one.role
        for one in drawing.items
        if one.look == "card" and one.label.startswith(one.id) and " of p" in one.label
    ] == [f"p{seat}" for seat in played]
    assert [one.look for one in drawing.items].count("winner") == 1
    scores = [one.symbol for one in drawing.items if one.symbol.startswith("score")]
    assert scores[0].split()[2] == str(step.after.totals[0])
    assert TAROT.words.drawing is not None
    assert draw_after(TAROT, None, step.after, None) == TAROT.words.drawing(step.after, None)


@pytest.mark.parametrize("name", ["dementlieu-open", "fft-five"])
def test_what_lies_there_then_is_drawn_from_what_a_seat_sees(name: str) -> None:
    [step] = ends(name)
    end_drawing: Any = TAROT.words.end_drawing
    for seat in (0, 1, 2, 3, 4):
        before, after = (TAROT.hidden.view(state, seat) for state in (step.state, step.after))
        assert end_drawing(before, step.move, after, seat) == draw_after(TAROT, step, step.after, seat)


def test_a_table_is_drawn_with_its_marks() -> None:
    places = (CardPlace(("QH",), turn=True), CardPlace(deals=True), CardPlace(attacks=True, fact="Garde"))
    text = svg(drawn_table(CardTable(places, ((2, "5H"),), "trick 1", "♥", suits=FRENCH)), "x")
    for mark in ('class="plate p1 speaks"', 'class="plate p3 attacks"', ">Garde<", "p2 deals", "p2 led", "trick 1"):
        assert mark in text
