"""A game that is twice as long takes little more than twice the memory, whatever an option lets its states remember."""

import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from cartulary.engine import LEGAL, judge, play
from cartulary.notation import AnyGame, examine, loads
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.arbiter.replay import write_word
from cartulary.notation.roster import GAMES
from cartulary.testing import tables
from cartulary.testing.game import Sheet
from tests.referees.arcanoid import table as arcanoid
from tests.referees.tarot import deals as tarot
from tests.referees.tricks import play as tricks
from tests.referees.zarcana import table as zarcana

PLIES = 8_000


def quiet(key: str, options: str, moves: Callable[[Any, Any], bool], many: int = PLIES) -> Sheet:
    """Return a game of moves that end nothing and, where there are any, take nothing and move nothing for good.

    moves: whether a move is one of these
    """
    tags = {"Options": options}
    [record] = loads(tables.sheet(GAMES[key].about.title, tags, ""))
    heading = read_heading(record)
    assert heading.game is not None
    assert heading.sheet is not None
    return tags, tuple(wandering(heading.game, heading.game.rules.setup(heading.sheet), moves, many))


def wandering(game: AnyGame, state: Any, moves: Callable[[Any, Any], bool], many: int) -> Iterator[str]:
    random, outcome = Random("quiet"), game.rules.outcome
    for _ in range(many):
        may = list(game.rules.candidates(state))
        random.shuffle(may)
        may.sort(key=lambda move: not moves(state, move))
        tried = (move for move in may if judge(game, state, move) is LEGAL)
        after = ((move, play(game, state, move).after) for move in tried)
        move, later = next((move, later) for move, later in after if later is not None and outcome(later) is None)
        yield write_word(game, move, state, later)
        state = later


def knights(state: Any, move: Any) -> bool:
    return state.board[move.start] in b"NnRr" and state.board[move.to] == ord(".")


def steps_aside(state: Any, move: Any) -> bool:
    return not state.board[move.to] and not move.promotes


def arcanoid_sheet(options: str) -> Sheet:
    game = arcanoid.record(Random(options), 2, options=options)
    return game.tags, game.words


def zarcana_sheet(**options: Any) -> Sheet:
    games = (zarcana.record(Random(f"long {number}"), 2, **options) for number in range(20))
    game = max(games, key=lambda one: len(one.words))
    return game.tags, game.words


def tarot_sheet() -> Sheet:
    record = tarot.record(Random("long"), "dementlieu", 4, 12, extras=False)
    return {"Variant": "dementlieu", "Options": "ecart=fft"} | dict.fromkeys(map("Seat{}".format, range(1, 5)), "?"), (
        record.words
    )


def trick_sheet(game: str, target: int) -> Sheet:
    table = tricks.played(game, Random("long"), deals=12, target=target)
    return {"Options": f"to={target}"}, tuple(table.words)


LONG: dict[tuple[str, str], Callable[[], Sheet]] = {
    ("chess", "claims-only"): lambda: quiet("chess", "claims-only", knights),
    ("cardmate", "repetition"): lambda: quiet("cardmate", "repetition=loss", steps_aside),
    ("arcanoid", "rounds"): lambda: arcanoid_sheet("rounds=40"),
    ("arcanoid", "tie"): lambda: arcanoid_sheet("rounds=12 tie=earlier"),
    ("arcanoid", "gaza"): lambda: arcanoid_sheet("gaza rounds=12"),
    ("zarcana", "extra"): lambda: zarcana_sheet(extra=("holy-grail",)),
    ("zarcana", "tie"): lambda: zarcana_sheet(highest=True),
    ("tarot", "ecart"): tarot_sheet,
    ("belote", "to"): lambda: trick_sheet("belote", 2000),
    ("hearts", "to"): lambda: trick_sheet("hearts", 150),
    ("spades", "to"): lambda: trick_sheet("spades", 1000),
    ("whist", "to"): lambda: trick_sheet("whist", 10),
}
"""By game and option a long game that is played with it."""


@cache
def long_game(game: str, option: str) -> Sheet:
    return LONG[game, option]()


def memory(title: str, sheet: Sheet, plies: int) -> int:
    """Return the most memory that judging so many plies of a game takes."""
    tags, words = sheet
    [record] = loads(tables.sheet(title, tags, " ".join(words[:plies])))
    examine(record)
    [record] = loads(tables.sheet(title, tags, " ".join(words[:plies])))
    tracemalloc.start()
    examined = examine(record)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert examined.plies_reached == plies
    return most


def test_every_option_there_is_has_a_long_game() -> None:
    assert {(key, option.key) for key, game in GAMES.items() for option in game.about.options} == {*LONG}


@pytest.mark.parametrize(("game", "option"), LONG)
def test_twice_the_plies_take_little_more_than_twice_the_memory(game: str, option: str) -> None:
    sheet, title = long_game(game, option), GAMES[game].about.title
    plies = len(sheet[1]) // 2
    assert memory(title, sheet, 2 * plies) <= 2.3 * memory(title, sheet, plies)
