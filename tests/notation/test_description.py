"""Descriptions of games without rules: read, written, checked, and what follows from them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notation import NotationError, canonical, dumps, examine, loads
from cartulary.notation.arbiter.examine import Examination
from cartulary.notation.description import (
    Description,
    DescriptionFault,
    DescriptionFile,
    Winner,
    describe,
    description_fault,
    read_description,
    read_round,
    winners_by_points,
    write_description,
    write_round,
)

TEXTS = st.text(st.sampled_from("abcXYZ é'-"), min_size=1, max_size=8).map(str.strip).filter(bool)
WINNERS: tuple[Winner, ...] = ("", "most", "fewest", "first", "table", "place")


@st.composite
def descriptions(draw: st.DrawFn) -> Description:
    least = draw(st.integers(1, 9))
    most = draw(st.integers(least, 9))
    winner = draw(st.sampled_from(WINNERS))
    counted = winner not in ("table", "place")
    return Description(
        least,
        most,
        tuple(draw(st.lists(TEXTS, min_size=most, max_size=most, unique=True))) if draw(st.booleans()) else (),
        winner,
        draw(st.integers(0, 999)) if winner == "first" else None,
        tuple(draw(st.lists(st.integers(1, 3), min_size=most, max_size=most)))
        if least == most and winner != "table" and draw(st.booleans())
        else (),
        tuple(draw(st.lists(TEXTS, max_size=3, unique=True))) if counted else (),
        draw(st.none() | st.integers(0, 99)) if counted else None,
        tuple((f"W{n}", says) for n, says in enumerate(draw(st.lists(st.just("") | TEXTS, max_size=3)))),
    )


@given(descriptions())
def test_what_is_written_is_read_back(description: Description) -> None:
    assert description_fault(description) == ""
    assert read_description(write_description(description)) == description


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("winner=first", "found no goal, expected the goal that ends the game"),
        ("winner=most; goal=10", "found the goal 10, expected no goal"),
        ("seats=4-3", "found 4-3 seats"),
        ("seats=0", "found 0-0 seats"),
        ("winner=best", "found the winner best, expected one of: most"),
        ("winner=table; rounds", "found points that are counted and the winner 'table'"),
        ("winner=most; winner=most", "found winner twice"),
        ("seats=3; names=Red,Blue", "found 2 names of seats, expected one for each of 3 seats"),
        ("seats=2; teams=1,2,1", "found teams, expected a team for each seat"),
        ("categories=A,A", "found the same category twice"),
        ("words=build", "found the word 'build', expected a capitalised word"),
        ("colour=red", "found colour, expected one of: winner"),
        ("goal=ten", "found goal=ten, expected a whole number"),
    ],
)
def test_a_description_that_contradicts_itself_is_refused(text: str, because: str) -> None:
    with pytest.raises(DescriptionFault, match=f"^{because.replace('=', '.')}"):
        read_description(text)


def test_a_file_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(DescriptionFault, match="found no goal"):
        describe(DescriptionFile("Catan", winner="first"))
    with pytest.raises(DescriptionFault, match="found an empty title"):
        describe(DescriptionFile(" "))


def test_a_file_holds_what_the_tag_holds() -> None:
    file = DescriptionFile("Skull King", "2-8", winner="most", rounds=10, words={"Bid": "tricks"})
    title, description = describe(file)
    assert (title, write_description(description)) == (
        "Skull King",
        "winner=most; seats=2-8; rounds=10; words=Bid:tricks",
    )


@given(st.lists(st.none() | st.fractions(-999, 999, max_denominator=9), min_size=1, max_size=9))
def test_a_round_is_read_as_it_is_written(points: list[Fraction | None]) -> None:
    assert read_round(write_round(points), len(points)) == tuple(points)
    assert read_round(write_round(points), len(points) + 1) is None


@pytest.mark.parametrize(
    ("text", "points", "shares"),
    [
        ("winner=most", "10 7 10", (1, 0, 1)),
        ("winner=fewest", "10 7 10", (0, 1, 0)),
        ("winner=first; goal=9", "10 7 1", (1, 0, 0)),
        ("winner=most; seats=4; teams=1,2,1,2", "5 7 5 2", (1, 0, 1, 0)),
        ("winner=place", "10 7 10", None),
        ("", "10 7 10", None),
    ],
)
def test_the_winner_follows_from_the_points(text: str, points: str, shares: tuple[int, ...] | None) -> None:
    assert winners_by_points(read_description(text), [Fraction(each) for each in points.split()]) == shares


# --- in a record ---


def examined(tags: str, movetext: str, seats: int = 3) -> Examination:
    players = "".join(f'[Seat{seat} "N{seat}"]\n' for seat in range(1, seats + 1))
    [record] = loads(f'[Game "Nonesuch"]\n{players}[Rules "none"]\n{tags}\n{movetext}\n')
    return examine(record)


ROUNDS = '[Description "winner=most; seats=3-4; rounds=2"]\n'


def test_rounds_add_up_to_the_score() -> None:
    whole = examined(ROUNDS + '[Score "3:10:6"]\n', "p0/3:4:5 p0/-:6:1 0-1-0")
    assert (whole.report.verdict, whole.report.findings) == ("unjudged", ())
    assert whole.settled_state.points == (3, 10, 6)


@pytest.mark.parametrize(
    ("tags", "movetext", "because"),
    [
        (ROUNDS, "p0/3:4 *", "found 3:4, expected a number for each of 3 seats, such as p0/3:2:1"),
        (ROUNDS, "3:4:5 *", "found 3:4:5, expected the prefix of p0 to p3; a round has that of the table, p0/"),
        (ROUNDS, "P0/3:4:5 *", "found P0/3:4:5, expected the prefix"),
        (ROUNDS, "p0/1:1:1 p0/1:1:1 p0/1:1:1 *", "found a round after the last, expected 2 rounds"),
        (ROUNDS + '[Score "9:9:9"]\n', "p0/3:4:5 *", "the Score tag says 9:9:9, but the points come to 3:4:5"),
        (ROUNDS, "p0/3:4:5 1-0-0", "the result says 1-0-0, but by the points 3:4:5 it is 0-0-1"),
        ('[Description "seats=4-5"]\n', "*", "found 3 seats, expected 4 to 5 as the description says"),
        ('[Description "goal=x"]\n', "*", "found goal=x, expected a whole number"),
        ('[Description "words=Roll,Build"]\n', "Roll=6 Rob *", "found Rob, expected one of: Roll, Build"),
        ('[Description "winner=most"]\n[Points "1:2"]\n', "*", "the Points tag says 1:2, expected 3 numbers"),
        ('[Description "winner=place"]\n[Places "2:3:4"]\n', "*", "the Places tag says 2:3:4, expected 3 places"),
        ('[Description "winner=table"]\n[Table "drawn"]\n', "*", "the Table tag says drawn, expected won or lost"),
        (
            '[Description "winner=most; categories=A,B"]\n[Categories "A=1:1:1; C=1:1:1"]\n',
            "*",
            "found the category C, expected one of: A, B",
        ),
        (
            '[Description "winner=most"]\n[Categories "A=1:1:1; B=2:0:0"]\n[Points "3:1:2"]\n',
            "*",
            "the Points tag says 3:1:2, but the categories come to 3:1:1",
        ),
    ],
)
def test_words_points_and_rounds_are_checked_against_the_description(tags: str, movetext: str, because: str) -> None:
    found = [finding.because for finding in examined(tags, movetext).report.findings if finding.severity == "error"]
    assert len(found) == 1
    assert because in found[0]


@pytest.mark.parametrize(
    ("tags", "result"),
    [
        ('[Description "winner=most"]\n[Points "10:7:10"]\n', "1/2-0-1/2"),
        ('[Description "winner=place"]\n[Places "2:1:3"]\n', "0-1-0"),
        ('[Description "winner=table"]\n[Table "won"]\n', "1/3-1/3-1/3"),
        ('[Description "winner=table"]\n[Table "lost"]\n', "0-0-0"),
        ('[Description "winner=most"]\n[Categories "A=1:1:1; B=2:0:0"]\n', "1-0-0"),
    ],
)
def test_a_result_without_moves_is_kept_and_checked(tags: str, result: str) -> None:
    whole = examined(tags + f'[Result "{result}"]\n', result)
    assert (whole.report.verdict, whole.report.findings, whole.only_scored) == ("unjudged", (), True)
    other = "0-0-1"
    assert [each.key for each in examined(tags, other).report.findings] == ["record.tag"]


def test_a_described_record_is_canonical_text() -> None:
    text = (
        '% CGN 1.0\n[Game "Catan"]\n[Seat1 "Ann"]\n[Seat2 "Bea"]\n[Seat3 "Cy"]\n[Result "0-1-0"]\n'
        '[Description "winner=first; goal=10; seats=3-4; rounds"]\n[Rules "none"]\n[Score "3:10:6"]\n\n'
        "p0/3:4:5 p0/-:6:1 0-1-0\n"
    )
    [record] = loads(text)
    assert dumps(canonical(record)) == text


def test_the_words_of_a_record_without_a_description_stay_what_they_were() -> None:
    whole = examined('[Points "45"]\n', "p0/3:4:5 p1/x P0/1 *")
    assert (whole.report.verdict, whole.report.findings, whole.settled_state.points) == ("unjudged", (), ())


def test_a_round_is_entered_with_a_number_for_each_seat() -> None:
    whole = examined(ROUNDS, "p0/3:4:5 *")
    game = whole.heading.game
    assert game is not None
    assert [field.kind for field in game.rounds.fields(whole.settled_state)] == ["numbers"]
    assert game.rounds.word({"Points": "10: :-7"}, whole.settled_state) == "p0/10:-:-7"
    with pytest.raises(NotationError, match="found '1:2', expected a number for each seat, such as 3:2:1"):
        game.rounds.word({"Points": "1:2"}, whole.settled_state)
    assert game.rounds.fields(examined(ROUNDS, "p0/3:4:5 p0/3:4:5 *").settled_state) == ()
