"""Cardmate's engine against the slow referee, which was written from the rulebook alone."""

from collections.abc import Iterator
from random import Random

import pytest

from cartulary.engine import Refused, Sheet, cardmate, judge, legal_moves
from cartulary.engine.cardmate import State, board_facts
from cartulary.engine.cardmate.position import live_pairs, with_squares
from cartulary.notation import load
from cartulary.notation.arbiter.replay import read_word, write_word
from cartulary.notation.cardmate import GAME, format_layout
from cartulary.testing import tables
from cartulary.testing.tables import EndingRow, GoldenRow, MoveRow
from tests.hunts import looks
from tests.places import SAMPLES
from tests.referees.cardmate.play import ORDER, PALACE, SQUARES, SUITS, Table, words_of

CARDS = tuple(rank + suit for rank in ORDER for suit in SUITS)
SHARES = {0: (1, 1), 1: (1, 0), 2: (0, 1)}

Word = tuple[int, str, str, bool]


class Pair:
    """The engine's state and the referee's table of one game, played on together."""

    def __init__(self, options: dict[str, str] | None = None) -> None:
        state = cardmate.setup(Sheet("predefined", options or {}, 2))
        assert isinstance(state, State)
        self.state = state
        self.table = Table.laid(loses_repeated=bool(options))

    def engine_says(self, word: Word) -> tuple[str, bool]:
        """Return the key the engine refuses the word under, "" for none, and whether it cannot be applied."""
        verdict = judge(GAME, self.state, read_word(GAME, self.state, spelled(word), 2))
        return (verdict.clause.key, verdict.blocks) if isinstance(verdict, Refused) else ("", False)

    def referee_says(self, word: Word) -> tuple[str, bool]:
        """Return the same from the referee."""
        key = self.table.broken(*word)
        return key, key == "cardmate.over" or (bool(key) and word[1] not in self.table.places)

    def play(self, word: Word) -> None:
        """Play the word on both sides."""
        self.state = cardmate.apply(self.state, read_word(GAME, self.state, spelled(word), 2))
        self.table = self.table.played(*word)

    def check(self) -> None:
        """Check that both sides see one position, one ending, and that the carried facts are the true ones."""
        table, state = self.table, self.state
        assert format_layout(state.board, state.mover) == table.drawn
        ended = cardmate.outcome(state)
        assert (ended.key if ended else "") == table.ended
        assert ended is None or ended.shares == SHARES[table.winner]
        occupancy, suits, pairs = board_facts(state.board)
        assert (state.occupancy, state.suits) == (occupancy, suits)
        for seat in (0, 1):
            assert {pair[1:] for pair in live_pairs(state.pairs[seat], state.board)} == {
                pair[1:] for pair in pairs[seat]
            }
        assert state.board == with_squares(state.board[:100])


def spelled(word: Word) -> str:
    """Return a word with its seat's prefix and without marks."""
    seat, card, end, promotes = word
    return f"p{seat}/{card}{end}{'=A' if promotes else ''}"


def legal_words(pair: Pair) -> list[Word]:
    """Return the engine's legal moves in its order, as the referee reads them."""
    return [pair.table.read(write_word(GAME, move, pair.state)) for move in legal_moves(GAME, pair.state)]


def stray(rng: Random, table: Table) -> Word:
    """Return a word that is readable and most likely against the rules."""
    seat = table.mover if rng.random() < 0.9 else 3 - table.mover
    card = rng.choice(CARDS) if rng.random() < 0.2 else rng.choice(sorted(table.places))
    return seat, card, rng.choice(SQUARES), card[0] == "1" and rng.random() < 0.3


def returning(table: Table, played: list[tuple[str, str]], legal: list[Word]) -> Word | None:
    """Return the legal word that takes the mover's last card back where it came from, if there is one."""
    if len(played) < 2:
        return None
    card, start = played[-2]
    return next((word for word in legal if word[1:3] == (card, start)), None)


def aimed(table: Table, word: Word) -> bool:
    """Say whether the word moves a One, takes a King, or walks a King into the palace."""
    _, card, end, _ = word
    return (
        card[0] == "1" or table.cards.get(end, " ")[0][0] == "K" or (card[0] == "K" and end in PALACE[3 - table.mover])
    )


def games(name: str, count: int, plies: int, wild: float, options: dict[str, str]) -> Iterator[tuple[Pair, Random]]:
    """Yield the pair at every ply of seeded random games; ``wild`` is the share of irregular moves."""
    for seed in range(count):
        rng = Random(f"{name} {seed}")
        pair = Pair(options)
        played: list[tuple[str, str]] = []
        for _ in range(plies):
            pair.check()
            yield pair, rng
            if pair.table.ended:
                break
            legal = legal_words(pair)
            word = returning(pair.table, played, legal) if options and rng.random() < 0.4 else None
            aims = [word for word in legal if aimed(pair.table, word)]
            word = word or rng.choice(aims if aims and rng.random() < 0.3 else legal)
            if rng.random() < wild:
                other = stray(rng, pair.table)
                word = other if other[1] in pair.table.places else word
            played.append((word[1], pair.table.places[word[1]]))
            pair.play(word)


# --- engine and referee ---

KINDS = [
    pytest.param("regular", 4, 0.0, {}, id="legal moves only"),
    pytest.param("wild", 4, 0.3, {}, id="irregular moves let stand"),
    pytest.param("repeating", 3, 0.0, {"repetition": "loss"}, id="repetition=loss"),
    pytest.param("unruly", 3, 0.3, {"repetition": "loss"}, id="repetition=loss with irregular moves"),
]


@pytest.mark.hunt
@pytest.mark.parametrize(("name", "count", "wild", "options"), KINDS)
def test_engine_and_referee_judge_every_word_alike(name: str, count: int, wild: float, options: dict[str, str]) -> None:
    for pair, rng in games(name, looks(count), 100, wild, options):
        words = [pair.table.read(write_word(GAME, move, pair.state)) for move in cardmate.candidates(pair.state)]
        words += [stray(rng, pair.table) for _ in range(60)]
        for word in words:
            assert pair.engine_says(word) == pair.referee_says(word), f"{spelled(word)} in {pair.table.drawn}"


@pytest.mark.hunt
@pytest.mark.parametrize(("name", "count", "wild", "options"), KINDS)
def test_no_legal_move_is_missing_from_the_candidates(
    name: str, count: int, wild: float, options: dict[str, str]
) -> None:
    for at, (pair, _) in enumerate(games(name, looks(count), 60, wild, options)):
        if at % 8 == 0 or pair.table.ended:
            found = legal_words(pair)
            assert len(found) == len(set(found))
            everything = {(pair.table.mover, *tried) for tried in pair.table.legal()}
            assert set(found) == everything, pair.table.drawn


def test_random_games_meet_compulsion_promotion_captured_kings_and_repetition() -> None:
    met: set[str] = set()
    kinds: tuple[tuple[str, dict[str, str]], ...] = (("regular", {}), ("repeating", {"repetition": "loss"}))
    for name, options in kinds:
        for pair, _ in games(name, 5, 120, 0.0, options):
            met.add(pair.table.ended)
            met |= {"duty"} if pair.table.compelled else set()
            met |= {"ace"} if any(card[0] == "A" for card in pair.table.places) else set()
    assert met >= {"", "duty", "ace", "cardmate.both-kings", "cardmate.repetition"}


# --- the referee itself: what the rulebook gives to check against ---


def counted(table: Table, depth: int) -> int:
    """Return how many legal sequences of so many plies, one at least, the referee finds."""
    legal = list(table.legal())
    if depth == 1:
        return len(legal)
    return sum(counted(table.played(table.mover, *tried), depth - 1) for tried in legal)


def test_the_referee_finds_the_published_counts() -> None:
    counts = tables.counts(SAMPLES / "cardmate").start[0].counts
    assert [counted(Table.laid(), depth) for depth in (1, 2)] == list(counts[:2])


def judged(tags: dict[str, str], after: str) -> Table:
    """Return the referee's table after a movetext, let stand; calls end the game or change nothing."""
    options = "repetition=loss" in tags.get("Options", "")
    table = Table.laid(tags["Setup"], loses_repeated=options) if "Setup" in tags else Table.laid(loses_repeated=options)
    offered = False
    for word in words_of(after):
        if not is_call(word):
            table = table.played(*table.read(word))
        elif word.endswith("Draw"):
            offered = True
        elif offered or not word.endswith("Agree"):
            table.ended = "call"
    return table


def is_call(word: str) -> bool:
    """Say whether the word is one of the calls every game shares."""
    return word.split("/")[-1] in ("Resign", "Draw", "Agree", "Timeout")


def test_the_referee_agrees_with_every_row() -> None:
    tables.check_each((row for row in tables.rules(SAMPLES / "cardmate").move if not is_call(row.move)), check_row)


def check_row(row: MoveRow) -> None:
    table = judged(row.tags, row.after)
    assert table.broken(*table.read(row.move)) == row.broken_rule


def test_the_referee_agrees_with_every_ending() -> None:
    tables.check_each(tables.rules(SAMPLES / "cardmate").ending, check_ending)


def check_ending(row: EndingRow) -> None:
    table = judged(row.tags, row.after)
    if table.ended != "call":
        assert table.ended == row.key or not row.key
        won = {0: "1/2-1/2", 1: "1-0", 2: "0-1"}[table.winner]
        assert (won if table.ended else "*") == row.outcome


@pytest.mark.parametrize("row", [pytest.param(row, id=row.file) for row in tables.goldens(SAMPLES / "cardmate").game])
def test_the_referee_sees_a_golden_game_as_its_table_says(row: GoldenRow) -> None:
    record = next(load(SAMPLES / "cardmate" / "games" / row.file))
    table, standing, broken = Table.laid(), 0, []
    for ply, word in enumerate(record.line.words, 1):
        standing += bool(table.compelled)
        if not is_call(word):
            answer = table.read(word)
            broken += [(ply, "error", table.broken(*answer))] if table.broken(*answer) else []
            table = table.played(*answer)
    assert (tuple(table.rows), tuple(broken)) == (row.end, row.findings)
    assert {"cardmate.follow-suit": standing} == row.standing
