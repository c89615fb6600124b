"""Draughts' engine against the slow referee, written from the federation's rules alone; words and drawings."""

from collections.abc import Iterator
from random import Random

import pytest

from cartulary.engine import Refused, judge, legal_moves, play
from cartulary.engine.draughts import Move, State, position
from cartulary.notation import GAMES, examine, load, loads
from cartulary.notation.arbiter.replay import read_word, write_word
from cartulary.notation.drawing import Item
from cartulary.testing import tables
from cartulary.testing.tables import EndingRow, GoldenRow, MoveRow
from tests.hunts import looks
from tests.places import SAMPLES
from tests.referees.draughts.play import Table, read, words_of

GAME = GAMES["draughts"]
DRAUGHTS = SAMPLES / "draughts"
STARTS = ("", "B:W21,K30,K31:B12,K1,K7", "B:W6,7,14,15,22,23,K32:BK2,K4", "W:W31,K32,30:B9,10,17,18,25,26")
"""The game's own, one in which men are soon crowned, and two in which captures go two ways to one square."""


def state_of(table: Table) -> State:
    """Return the engine's state of a referee's table."""
    sheet = GAME.sheet.read({"FEN": table.drawn}, "standard", {}, 2)
    state = GAME.rules.setup(sheet)
    assert isinstance(state, State)
    return state


def played(state: State, move: Move) -> State:
    """Return the state after a legal move."""
    after = play(GAME, state, move).after
    assert isinstance(after, State)
    return after


def games(name: str, count: int, plies: int) -> Iterator[tuple[State, Table, Random]]:
    """Yield the engine's state and the referee's table at every ply of seeded random games."""
    for seed in range(count):
        rng = Random(f"{name} {seed}")
        table = Table.laid(STARTS[seed % len(STARTS)])
        state = state_of(table)
        for _ in range(plies):
            yield state, table, rng
            legal = table.legal()
            if not legal:
                break
            path = rng.choice(legal)
            state, table = played(state, Move(table.mover, path)), table.played(table.mover, path)


def stray(rng: Random, table: Table) -> tuple[int, tuple[int, ...]]:
    """Return a move that is most likely against the rules, often one that nearly is not."""
    seat = table.mover if rng.random() < 0.8 else 3 - table.mover
    captures = [path for path in table.all_captures(seat) if len(path) > 2]
    if captures and rng.random() < 0.5:
        path = rng.choice(captures)
        return seat, rng.choice([path[:-1], (*path, rng.randrange(1, 33))])
    own = [square for square in range(1, 33) if table.sign(square) != "."]
    start = rng.choice(own)
    near = [to for to in range(1, 33) if abs(to - start) in (3, 4, 5, 7, 9)]
    return seat, (start, *(rng.choice(near) for _ in range(rng.choice((1, 1, 1, 2)))))


@pytest.mark.hunt
def test_engine_and_referee_find_the_same_moves_and_judge_every_other_alike() -> None:
    met: set[str] = set()
    for state, table, rng in games("regular", looks(8), 100):
        assert position(state) == table.drawn
        paths = [move.path for move in legal_moves(GAME, state)]
        assert sorted(paths) == sorted(table.legal()), table.drawn
        assert (GAME.rules.outcome(state) is None) == bool(paths)
        for seat, path in (stray(rng, table) for _ in range(8)):
            verdict = judge(GAME, state, Move(seat, path))
            key = verdict.clause.key if isinstance(verdict, Refused) else ""
            assert key == table.broken(seat, path), f"{path} in {table.drawn}"
            met.add(key)
            after = play(GAME, state, Move(seat, path)).after
            if len(path) > 2 and after is not None:
                assert position(after) == table.played(seat, path).drawn, f"{path} in {table.drawn}"
    assert met == {clause.key for clause in GAME.rules.clauses} - {"draughts.no-move"} | {""}


@pytest.mark.hunt
def test_a_word_names_first_and_last_square_and_more_only_where_the_referee_needs_more() -> None:
    long = 0
    for state, table, _ in games("words", looks(8), 100):
        for move in legal_moves(GAME, state):
            seat, squares = read(write_word(GAME, move, state), table.mover)
            assert (seat, table.meant(seat, squares)) == (table.mover, [move.path])
            ends = (move.path[0], move.path[-1])
            assert squares == (ends if table.meant(seat, ends) == [move.path] else move.path)
            long += len(squares) > 2
    assert long


def test_the_referee_finds_the_published_counts() -> None:
    def counted(table: Table, depth: int) -> int:
        legal = table.legal()
        if depth == 1:
            return len(legal)
        return sum(counted(table.played(table.mover, path), depth - 1) for path in legal)

    counts = tables.counts(DRAUGHTS).start[0].counts
    assert [counted(Table.laid(), depth) for depth in (1, 2, 3, 4)] == list(counts[:4])


def followed(tags: dict[str, str], movetext: str) -> Table:
    """Return the referee's table after a movetext, let stand; calls change nothing."""
    table = Table.laid(tags.get("FEN", ""))
    for word in words_of(movetext):
        if not word[-1].isalpha():
            seat, squares = read(word, table.mover)
            (path,) = table.meant(seat, squares)
            table = table.played(seat, path)
    return table


def test_the_referee_agrees_with_every_row() -> None:
    tables.check_each(tables.rules(DRAUGHTS).move, check_row)


def check_row(row: MoveRow) -> None:
    table = followed(row.tags, row.after)
    seat, squares = read(row.move, table.mover)
    (path,) = table.meant(seat, squares)
    assert table.broken(seat, path) == row.broken_rule


def test_the_referee_agrees_with_every_ending() -> None:
    tables.check_each(tables.rules(DRAUGHTS).ending, check_ending)


def check_ending(row: EndingRow) -> None:
    table = followed(row.tags, row.after)
    assert (not table.legal()) == (row.key == "draughts.no-move")
    if not table.legal():
        assert row.outcome == ("0-1" if table.mover == 1 else "1-0")


@pytest.mark.parametrize("row", [pytest.param(row, id=row.file) for row in tables.goldens(DRAUGHTS).game])
def test_the_referee_sees_a_golden_game_as_its_table_says(row: GoldenRow) -> None:
    record = next(load(DRAUGHTS / "games" / row.file))
    table = Table.laid()
    for word in record.line.words:
        seat, squares = read(word, table.mover)
        (path,) = table.meant(seat, squares)
        assert (word, table.broken(seat, path)) == (word, "")
        table = table.played(seat, path)
    assert table.diagram == row.end


@pytest.mark.parametrize(
    ("board", "ways"),
    [
        ("B:W6,7,14,15,32:B2", "2x9x18 or 2x11x18"),
        ("B:W6,14,15,16,23,24:BK2", "2x9x18x11x20x27x18 or 2x9x18x27x20x11x18"),
    ],
    ids=["two ways", "both ways round, and not the one that breaks off where the round begins"],
)
def test_a_word_that_fits_two_legal_ways_is_unclear_and_names_both(board: str, ways: str) -> None:
    [record] = loads(f'[Game "Draughts"]\n[FEN "{board}"]\n\n1. 2x18 *\n')
    [found] = [found for found in examine(record).report.findings if found.severity == "error"]
    assert (found.ply, found.key) == (1, "cgn.ambiguous")
    assert found.because == f"found 2x18, which may be {ways}"


@pytest.mark.parametrize("word", ["11-", "-11", "11-33", "0-4", "11-15x", "11+15", "a-b", "11--15"])
def test_a_word_that_names_no_two_squares_is_told_what_was_expected(word: str) -> None:
    [record] = loads(f'[Game "Draughts"]\n\n1. 9-13 {word} *\n')
    [found] = [found for found in examine(record).report.findings if found.severity == "error"]
    assert "squares from 1 to 32" in found.because


def items(state: State, seat: int | None = None) -> dict[str, Item]:
    """Return the things of a drawing by their ids."""
    assert GAME.words.drawing is not None
    drawn = GAME.words.drawing(state, seat).items
    assert len({item.id for item in drawn}) == len(drawn)
    return {item.id: item for item in drawn}


def test_the_id_of_a_piece_stays_with_it_and_only_what_moved_or_was_taken_changes() -> None:
    for state, _, _ in games("drawn", 4, 100):
        for move in legal_moves(GAME, state):
            before, after = items(state), items(played(state, move))
            changed = {at for at in before if before[at] != after.get(at)}
            moved = {at for at in changed if at in after}
            assert set(after) <= set(before)
            assert len(moved) == (move.path[0] != move.path[-1])
            assert len(changed) - len(moved) == jumped(move)
            for at in moved:
                assert after[at].label.endswith(f" on {move.path[-1]}")


def jumped(move: Move) -> int:
    """Return how many pieces a legal move takes: each jump goes two rows on."""
    return sum(abs((start - 1) // 4 - (to - 1) // 4) == 2 for start, to in zip(move.path, move.path[1:], strict=False))


def test_black_sees_the_board_from_his_side() -> None:
    state = state_of(Table.laid())
    white, black = items(state), items(state, 1)
    places = [at for at in white if at != "field"]
    assert [white[at].place for at in places] == [(7 - x, 7 - y) for x, y in (black[at].place for at in places)]
    assert white["square 1"].place == (1, 0)
    assert white["square 29"].place == (0, 7)


def test_two_kings_that_have_changed_places_make_the_same_position() -> None:
    first = state_of(Table.laid("B:W32:BK1,K3"))
    state = first
    for word in ("1-6", "32-28", "3-7", "28-24", "6-10", "24-20", "7-3", "20-16", "10-7", "16-12"):
        state = played(state, read_word(GAME, state, word, 2))
    other = state_of(Table.laid("B:W12:BK3,K7"))
    assert (state == other, GAME.place.key(state) == GAME.place.key(other)) == (False, True)
    assert GAME.place.key(first) != GAME.place.key(other)
