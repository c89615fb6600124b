"""Chess' engine against the second referee: python-chess for what is legal, the rulebook's clauses asked anew."""

from random import Random
from typing import Any

import chess
import pytest

from cartulary.engine import Refused, legal_moves, perft, play
from cartulary.engine.calls import NO_CALLS
from cartulary.notation import GAMES, load
from cartulary.notation.arbiter.replay import Step, step_of, write_word
from cartulary.notation.picture import plain
from cartulary.testing import tables
from cartulary.testing.tables import EndingRow, GoldenRow, MoveRow
from tests.hunts import looks
from tests.places import SAMPLES
from tests.referees.chess.chance import games, stray
from tests.referees.chess.play import Table, diagram
from tests.referees.draughts.play import words_of

GAME = GAMES["chess"]
CHESS = SAMPLES / "chess"


def state_of(tags: dict[str, str]) -> Any:
    """Return the engine's state of a set-up."""
    variant = "chess960" if "Variant" in tags else "standard"
    sheet = GAME.sheet.read(tags, variant, {}, 2)
    state = GAME.rules.setup(sheet)
    assert not isinstance(state, Refused), state
    return state


def drawn(state: Any) -> tuple[str, ...]:
    """Return the engine's picture of a state."""
    return tuple(plain(GAME.words.picture(state, None)).split("\n"))


def check_position(state: Any, table: Table) -> dict[str, Any]:
    """Check that both have the same position, legal moves, words and end; return the moves by their words."""
    assert drawn(state) == diagram(table.board)
    outcome = GAME.rules.outcome(state)
    assert (outcome.key if outcome else "") == table.end, table.board.fen()
    moves = {} if outcome else {write_word(GAME, move, state): move for move in legal_moves(GAME, state)}
    assert sorted(moves) == table.words(), table.board.fen()
    return moves


@pytest.mark.hunt
def test_engine_and_referee_find_the_same_moves_words_and_ends() -> None:
    ends: set[str] = set()
    for table, tags, words in games("played", looks(24), 120):
        state = state_of(tags)
        moves = check_position(state, table)
        for word in words:
            state = play(GAME, state, moves[word]).after
            moves = check_position(state, table)
        ends.add(table.end)
    assert {"", "chess.checkmate"} < ends


def judged(step: Step) -> str:
    """Return the key under which a word is refused or not read, "" where it is legal."""
    if step.error is not None:
        return step.error.key
    return step.verdict.clause.key if isinstance(step.verdict, Refused) else ""


def expected(table: Table, word: str) -> tuple[str, list[chess.Move]]:
    """Return what the referee says of a word, and the moves it may mean."""
    try:
        return table.meant(word)
    except ValueError:
        return "cgn.syntax", []


def legal_by_python_chess(board: chess.Board, word: str) -> chess.Move | None:
    """Return the move python-chess's own reader finds, None where it finds none or only a null move."""
    try:
        move = board.parse_san(word)
    except ValueError:
        return None
    return move or None


def check_word(state: Any, table: Table, word: str) -> str:
    """Check that both say the same of a word, and that it comes to the same position; return what they say."""
    step = step_of(GAME, state, word, 2, NO_CALLS, 1)
    key, moves = expected(table, word)
    assert judged(step) == key, f"{word} in {table.board.fen()}"
    theirs = legal_by_python_chess(table.board, word)
    assert theirs is None or not key, f"python-chess reads {word} in {table.board.fen()}"
    if not key and moves:
        assert step.text == table.board.san(moves[0])
        assert theirs in (None, moves[0])
    if len(moves) == 1 and step.applied:
        after = Table({})
        after.board = table.board
        after.let_stand(word)
        assert drawn(step.after) == diagram(after.board), f"after {word} in {table.board.fen()}"
    return key


@pytest.mark.hunt
def test_engine_and_referee_say_the_same_of_every_word() -> None:
    met: set[str] = set()
    for table, tags, words in games("words", looks(20), 60):
        rng, state = Random(str(tags)), state_of(tags)
        for word in words:
            step = step_of(GAME, state, word, 2, NO_CALLS, 1)
            assert judged(step) == "", word
            state = step.after
            if not table.end:
                met.update(check_word(state, table, stray(rng, table.board)) for _ in range(4))
    assert met >= {"", "cgn.syntax", "chess.reach", "chess.path", "chess.own-piece", "chess.king-attacked"}


def followed(tags: dict[str, str], movetext: str) -> Table:
    """Return the referee's table after a movetext, let stand."""
    table = Table(tags)
    for word in words_of(movetext):
        table.let_stand(word)
    return table


def test_the_referee_agrees_with_every_row() -> None:
    tables.check_each(tables.rules(CHESS).move, check_row)


def check_row(row: MoveRow) -> None:
    table = followed(row.tags, row.after)
    key, moves = table.meant(row.move)
    assert key == row.broken_rule
    if row.canonical and moves and not key:
        assert row.canonical == table.board.san(moves[0])


def test_the_referee_agrees_with_every_ending() -> None:
    tables.check_each(tables.rules(CHESS).ending, check_ending)


def check_ending(row: EndingRow) -> None:
    table = followed(row.tags, row.after)
    assert (table.end, table.result) == (row.key, row.outcome)


@pytest.mark.parametrize("row", [pytest.param(row, id=row.file) for row in tables.goldens(CHESS).game])
def test_the_referee_sees_a_golden_game_as_its_table_says(row: GoldenRow) -> None:
    record = next(load(CHESS / "games" / row.file))
    table = Table(dict(record.tags))
    found = []
    for ply, word in enumerate(record.line.words, 1):
        key, _ = table.meant(word)
        found += [(ply, "error", key)] if key else []
        table.let_stand(word)
    assert tuple(found) == row.findings
    assert diagram(table.board) == row.end
    assert table.result in (row.result, "*")


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
DEEP = {
    "start": ("", 5, 4_865_609),
    "position 2": (KIWIPETE, 4, 4_085_603),
    "position 3": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    "position 4": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    "position 5": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    "position 6": ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
    "chess960 1": ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326_672),
}
"""The deepest counts published: tags' FEN, depth, number."""


@pytest.mark.hunt
@pytest.mark.skipif(looks(2) < 20, reason="minutes: HUNT=20")
@pytest.mark.parametrize("name", DEEP)
def test_the_deep_counts_are_those_somebody_else_found(name: str) -> None:
    fen, depth, count = DEEP[name]
    tags = {"SetUp": "1", "FEN": fen} if fen else {}
    state = state_of(tags | ({"Variant": "Chess960"} if name.startswith("chess960") else {}))
    assert perft(GAME, state, depth) == count
