"""What a ``Description`` of a board game can say, each in a few lines; counts that others found hold the rules."""

import re
from typing import Any

import pytest

from cartulary.engine import LEGAL, Legal, Option, Refused, Unclear, judge, legal_moves, perft, play
from cartulary.engine.boards import (
    BoardGame,
    Choice,
    Description,
    Man,
    Move,
    Removal,
    State,
    board_of,
    grid,
    rules_from,
)
from cartulary.notation import AnyGame, NotationError, draw
from cartulary.notation.boards import board_game
from cartulary.notation.contract import TouchEnds
from cartulary.notation.picture import plain
from cartulary.notation.svg import svg
from tests.places import DOCS

RULES = rules_from("a test", {})
SQUARES = grid(8, 8)
DARK = grid(8, 8, ((1, 1), (1, -1)), has=lambda file, rank: (file + rank) % 2 == 0)
AHEAD = ((1, 1), (-1, 1))
CROSSED = board_of("a1 b2 c3", "a3 b2 c1", "a1 a2 a3", "c1 c2 c3", "a1 b1 c1", "a3 b3 c3")


def described(**fields: Any) -> AnyGame:
    """Return a game of these fields of a description."""
    return board_game(BoardGame(Description(key="try", rules=RULES, **fields)), __file__, "Try", "try-1", "Try: it.")


def start(game: AnyGame, setup: str = "", **options: str) -> Any:
    """Return the first position, or that of a tag Setup."""
    sheet = game.sheet.read({"Setup": setup} if setup else {}, "standard", options, 2)
    state = game.rules.setup(sheet)
    assert isinstance(state, State), state
    return state


def walk(game: AnyGame, state: Any, words: str) -> Any:
    """Return the state after some legal words."""
    for word in words.split():
        answer = play(game, state, game.words.read(word, state.mover, state))
        assert isinstance(answer.verdict, Legal), (word, answer.verdict)
        state = answer.after
    return state


def legal(game: AnyGame, state: Any) -> set[str]:
    """Return the legal words of a position."""
    return {game.words.write(move, state, None) for move in legal_moves(game, state)}


def refusal(game: AnyGame, state: Any, word: str) -> str:
    """Return the name of the rule that a word breaks."""
    verdict = play(game, state, game.words.read(word, state.mover, state)).verdict
    assert isinstance(verdict, Refused), word
    return verdict.clause.key.removeprefix("try.")


def end(game: AnyGame, state: Any) -> tuple[tuple[int, ...], str]:
    """Return the result of an ended game, and the name of the rule that has ended it."""
    outcome = game.rules.outcome(state)
    assert outcome is not None
    assert list(legal_moves(game, state)) == []
    return outcome.shares, outcome.key.removeprefix("try.")


DRAUGHTS = {
    "board": DARK,
    "men": (Man(ways=AHEAD, jumps="enemy", becomes=1), Man("king", "KQ", jumps="enemy")),
    "first": {"X": " ".join(DARK.names[:12]), "O": " ".join(DARK.names[20:])},
    "must_take": True,
    "crowning": (DARK.on_ranks(7), DARK.on_ranks(0)),
}


def test_jumps_that_must_be_made_come_to_the_counts_known_of_draughts() -> None:
    """Source: A. Bik, checkers perft."""
    game = described(**DRAUGHTS)
    assert [perft(game, start(game), depth) for depth in range(1, 6)] == [7, 49, 302, 1469, 7361]


def test_a_jump_goes_on_and_ends_where_the_man_is_crowned() -> None:
    game = described(**DRAUGHTS)
    state = start(game, "4/O3/1O2/4/O3/4/4/X3 p1")
    assert refusal(game, state, "a1-c3") == "step"
    state = start(game, "4/1OO1/4/1O2/X3/4/4/4 p1")
    assert legal(game, state) == {"b4xd6xb8", "b4xd6xf8"}
    assert refusal(game, state, "b4xd6") == "finish"
    state = walk(game, state, "b4:d6:f8")
    assert game.boards.write(state) == "2K1/1O2/4/4/4/4/4/4 p2"
    assert refusal(game, start(game, "4/1OO1/1X2/4/4/4/4/4 p1"), "d6-c7") == "vacant"
    assert refusal(game, start(game, "4/1OO1/X3/4/4/4/4/4 p1"), "b6xd8xf6") == "crown"
    assert refusal(game, start(game, "4/4/4/1O2/X2X/4/4/4 p1"), "h4-g5") == "must-take"


def test_a_row_wins_and_a_full_board_is_drawn() -> None:
    """Source: the counts of noughts and crosses, which everybody finds."""
    game = described(board=grid(3, 3), men=(Man(reach=0),), hand=5, row_wins=3, when_blocked="draws")
    counts = [perft(game, start(game), depth) for depth in range(1, 8)]
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176]
    assert end(game, walk(game, start(game), "@a1 @a2 @b1 @b2 @c1")) == ((1, 0), "row")
    assert end(game, walk(game, start(game), "@b2 @a1 @c1 @a3 @a2 @c2 @b3 @b1 @c3")) == ((1, 1), "blocked")
    with pytest.raises(NotationError, match="expected @ and a place"):
        game.words.read("a1-b1", 1, start(game))


def count_rows(rows: tuple[str, ...], seat: int, depth: int) -> int:
    """Count what two rows of pawns can do that step ahead and take slantwise, on rows of signs."""
    own, other, up = ("X", "O", 1) if seat == 1 else ("O", "X", -1)
    if any(sign == other for sign in rows[0 if seat == 1 else 7]) or depth == 0:
        return int(depth == 0)
    found = 0
    for rank, row in enumerate(rows):
        for file, sign in enumerate(row):
            for to in (file - 1, file, file + 1) if sign == own and 0 <= rank + up < 8 else ():
                if 0 <= to < 8 and rows[rank + up][to] != own and (to != file or rows[rank + up][to] == "."):
                    after = [list(each) for each in rows]
                    after[rank][file], after[rank + up][to] = ".", own
                    found += count_rows(tuple(map("".join, after)), 3 - seat, depth - 1)
    return found


def test_men_that_take_by_going_to_a_place_and_win_by_reaching_one() -> None:
    home = (SQUARES.on_ranks(7), SQUARES.on_ranks(0))
    game = described(
        board=SQUARES,
        men=(Man(ways=(*AHEAD, (0, 1)), strikes=AHEAD),),
        first={"X": " ".join(SQUARES.names[:16]), "O": " ".join(SQUARES.names[48:])},
        goal=lambda state, seat: f"p{seat} is home" if state.men[seat - 1] & home[seat - 1] else "",
    )
    rows = ("X" * 8,) * 2 + ("." * 8,) * 4 + ("O" * 8,) * 2
    assert [perft(game, start(game), depth) for depth in (1, 2, 3)] == [count_rows(rows, 1, n) for n in (1, 2, 3)]
    state = start(game, "8/X6O/8/8/3O4/2X5/8/8 p1")
    assert "c3xd4" in legal(game, state)
    assert end(game, walk(game, state, "a7-a8")) == ((1, 0), "goal")


def test_jumps_over_any_man_take_none_and_may_stop_anywhere() -> None:
    game = described(board=grid(5, 5), men=(Man(jumps="any"),), first={"X": "a1 b1", "O": "d1 d5"})
    state = start(game)
    assert {"a1-c1", "a1-c1-e1"} <= legal(game, state)
    assert walk(game, state, "a1-c1-e1").men[1] == state.men[1]
    assert refusal(game, state, "b1-d1") == "vacant"


def test_men_that_go_far_are_stopped_by_what_stands_there() -> None:
    rook = Man(ways=((0, 1), (1, 0), (0, -1), (-1, 0)), reach=9, strikes=((0, 1),))
    game = described(board=grid(4, 4), men=(rook,), first={"X": "a1", "O": "a3 c1"})
    assert legal(game, start(game)) == {"a1-a2", "a1-b1", "a1xa3"}
    state = walk(game, start(game), "a1:a3")
    assert game.boards.write(state) == "4/X3/4/2O1 p2"


def test_what_a_move_takes_by_itself_is_a_function() -> None:
    board = grid(4, 1)
    runs = board.runs(3)

    def between(state: State, move: Move) -> int:
        """Return the men of the other seat that have men of this seat on both sides."""
        own, enemy = state.men[move.seat - 1], state.men[2 - move.seat]
        return sum(run & enemy for run in runs if (run & own).bit_count() == 2 and (run & enemy).bit_count() == 1)

    game = described(board=board, men=(Man(reach=0),), hand=2, captures=between, fewest=1)
    assert walk(game, start(game), "@a1 @b1 @c1").men == (0b101, 0)


def test_three_ways_to_pass() -> None:
    field = {"board": board_of("a1 b1 c1"), "first": {"X": "a1", "O": "b1"}}
    blocked = described(**field, passes="blocked")
    assert legal(blocked, start(blocked)) == {"Pass"}
    assert refusal(blocked, walk(blocked, start(blocked), "Pass"), "Pass") == "pass"
    free = described(**field, passes="always", shares=lambda state: (0, 1))
    assert legal(free, walk(free, start(free), "Pass")) == {"Pass", "b1-c1"}
    assert end(free, walk(free, start(free), "Pass Pass")) == ((0, 1), "passed")
    never = described(**field)
    assert end(never, start(never)) == ((0, 1), "blocked")
    with pytest.raises(NotationError, match="expected a place"):
        never.words.read("Pass", 1, start(never))


def test_too_many_moves_without_a_change_are_a_draw() -> None:
    game = described(board=board_of("a1 b1", "a2 b2"), first={"X": "a1", "O": "a2"}, quiet=3)
    assert end(game, walk(game, start(game), "a1-b1 a2-b2 b1-a1")) == ((1, 1), "quiet")


def test_an_option_changes_fields_and_the_rules_that_they_call_for() -> None:
    short = Choice(Option("moves", "Fewer moves end the game.", ("1", "2")), {"1": {"quiet": 1}, "2": {"quiet": 2}})
    game = described(board=board_of("a1 b1", "a2 b2"), first={"X": "a1", "O": "a2"}, choices=(short,))
    assert "try.quiet" in {clause.key for clause in game.rules.clauses}
    assert game.about.options == (short.option,)
    assert game.rules.outcome(walk(game, start(game), "a1-b1 a2-b2 b1-a1")) is None
    assert end(game, walk(game, start(game, moves="1"), "a1-b1"))[1] == "quiet"
    assert game.rules.outcome(walk(game, start(game, moves="2"), "a1-b1")) is None
    late = walk(game, start(game, moves="1"), "a1-b1")
    asked = [clause.check(late, Move(2, (2, 3))) for clause in game.rules.clauses]
    assert [type(answer) for answer in asked if answer is not None] == [Refused]


def test_several_men_may_be_taken_by_choice() -> None:
    pair = Removal(lambda state, move: 2, lambda state, seat: state.men[seat - 1])
    game = described(board=board_of("a1 b1 c1 d1 e1"), hand=3, removal=pair, drops_first=False)
    state = start(game, "XOO1O p1 1:0")
    assert legal(game, state) == {"@d1xb1,c1", "@d1xb1,e1", "@d1xc1,e1"}
    assert walk(game, state, "@d1xe1,b1").men == (0b1001, 0b100)
    assert refusal(game, state, "@d1xb1") == "removal"
    one = start(game, "XO3 p1 1:0")
    assert "@d1xb1" in legal(game, one)  # no more than there are


def test_a_rule_without_a_sentence_is_named() -> None:
    with pytest.raises(KeyError, match="vacant"):
        BoardGame(Description(key="try", rules={"turn": ("They take turns.", "a test")}, board=CROSSED))


def test_points_are_drawn_with_the_lines_between_them_from_either_side() -> None:
    game = described(board=CROSSED, hand=3, row_wins=3)
    state = walk(game, start(game), "@b2 @a1")
    assert plain(game.words.picture(state, None)).split("\n") == [
        " 3 .-.-.",
        "   |\\ /|",
        " 2 . X .",
        "   |/ \\|",
        " 1 O-.-.",
        "   a b c",
        "in hand  p1 2  p2 2",
    ]
    drawing = draw(game.words, state, None)
    lines = [item for item in drawing.items if item.look == "line"]
    assert len(lines) == len({item.id for item in lines}) == 12
    assert len([item for item in drawing.items if item.look == "point"]) == 9
    [man] = [item for item in drawing.items if item.label == "black man on a1"]
    [below] = [item for item in draw(game.words, state, 2).items if item.label == "black man on a1"]
    assert (man.place, below.place, man.id) == ((1, 2), (3, 0), below.id)
    assert svg(drawing, "x").count("<path") == 12


def test_a_word_is_tapped_by_its_places_and_the_man_it_takes() -> None:
    last = Removal(lambda state, move: int(move.path[-1] == 3), lambda state, seat: state.men[seat - 1])
    game = described(board=CROSSED, hand=4, removal=last)
    state = start(game, "XXO/3/2O p1 0:0")
    move = game.words.read("a3-a2xc1", 1, state)
    assert game.words.touch.path(move, state) == ("square a3", "square a2", "square c1")
    assert game.words.touch.path(Move(1, ()), state) == ()
    assert game.words.touch.path(Move(1, (3,), (2, 8)), state) == ()
    targets = game.words.touch.targets(state, 1)
    assert isinstance(targets.ends, TouchEnds)
    assert [(end.word, end.item) for end in targets.ends.things] == [("xc1", "square c1"), ("xc3", "square c3")]
    assert targets.ends.beginnings == ("a3-a2", "b3-a2")
    targets = game.words.touch.targets(start(game, "2O/3/2O p1 1:0"), 1)
    assert isinstance(targets.ends, TouchEnds)
    assert targets.ends.beginnings == ("@a2",)


def test_in_a_quiet_record_every_man_and_place_is_touched() -> None:
    game = described(board=board_of("a1 b1 c1"), hand=2, passes="always")
    state = walk(game, start(game), "@a1")
    assert [target.word for target in game.words.touch.targets(state, 2).things] == ["@b1", "@c1", "Pass"]
    assert game.words.touch.targets(state, 2).places == ()
    state = start(game, "XO1 p1 0:0")
    targets = game.words.touch.targets(state, 1)
    assert [(target.word, target.item) for target in targets.things] == [("a1", "square a1"), ("Pass", "")]
    assert [target.word for target in targets.places] == ["-a1", "-b1", "-c1"]


def test_the_first_and_the_last_place_of_several_jumps_are_enough_if_one_way_leads_there() -> None:
    game = described(**DRAUGHTS)
    one = start(game, "4/2O1/4/1O2/X3/4/4/4 p1")
    move = game.words.read("b4-b8", 1, start(game, "4/1O2/4/1O2/X3/4/4/4 p1"))
    answer = play(game, start(game, "4/1O2/4/1O2/X3/4/4/4 p1"), move)
    assert (answer.verdict, game.words.write(answer.move, one, None)) == (LEGAL, "b4xd6xb8")
    two = start(game, "4/1OO1/4/1OO1/1X2/4/4/4 p1")
    answer = play(game, two, game.words.read("d4-d8", 1, two))
    assert isinstance(answer.verdict, Unclear)
    assert {game.words.write(move, two, None) for move in answer.verdict.moves} == {"d4xb6xd8", "d4xf6xd8"}


def test_a_set_up_is_written_as_it_is_read_and_compared_with_the_moves() -> None:
    game = described(**DRAUGHTS)
    sheet = game.sheet.read({"Setup": "4/4/X2K/4/2O1/4/4/Q3  p2"}, "standard", {}, 2)
    assert game.sheet.write(sheet) == {"Setup": "4/4/X2K/4/2O1/4/4/Q3 p2"}
    assert [tag for tag, *_ in sheet.remarks] == ["Setup"]
    here = start(game, "4/4/X2K/4/4/4/4/Q3 p1")
    assert game.boards.differ(here, sheet) == (("f4", "p2's man", "nothing"), ("the turn", "p2", "p1"))
    for text in ("4/4", "5/4/4/4/4/4/4/4", "4/4/4/4/4/4/4/Z3 p1", "4/4/4/4/4/4/4/X3 3:3", ""):
        with pytest.raises(NotationError) as caught:
            game.sheet.read({"Setup": text}, "standard", {}, 2)
        assert (caught.value.key, caught.value.tag) == ("record.tag", "Setup")


def test_a_place_or_letter_that_there_is_not_is_named() -> None:
    with pytest.raises(ValueError, match="expected a letter and a number"):
        board_of("a0 b0")
    with pytest.raises(ValueError, match="found the place z9, expected one of a1"):
        start(described(board=SQUARES, first={"X": "a1 z9"}))
    with pytest.raises(ValueError, match="found the letter Z"):
        start(described(board=SQUARES, first={"Z": "a1"}))


def test_words_are_read_as_people_type_them() -> None:
    game = described(board=CROSSED, hand=3)
    assert game.words.spellings("a1") == ("@a1",)
    assert game.words.spellings("a1–a2") == ("a1-a2",)
    assert judge(game, start(game), game.words.read("@a1", 1, start(game))) is LEGAL


JUMPS = {"board": SQUARES, "men": (Man(jumps="enemy"),), "passes": "always", "first": {"X": "c3", "O": "d4 f6"}}
PLACES_AND_MILLS = {"board": SQUARES, "hand": 9, "removal": Removal(lambda state, move: 1, lambda state, seat: -1)}


def test_the_words_that_the_notation_lists_are_read_and_canonical() -> None:
    section = (DOCS / "notation.md").read_text("utf-8").partition("## 22. ")[2]
    words = re.findall(r"^\| `(\S+)` \|", section, re.MULTILINE)
    assert len(words) == 7
    jumps, mills = described(**JUMPS), described(**PLACES_AND_MILLS)
    for word in words:
        game = mills if "@" in word or "-" in word else jumps
        move = game.words.read(word, 1, start(game))
        assert game.words.write(move, start(game), None) == word
    [tag] = re.findall(r'Setup "([^"]+)"', section)
    lines = ("a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4 e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7")
    nine = described(board=board_of(*lines), hand=9)
    assert nine.boards.write(start(nine, tag)) == tag
