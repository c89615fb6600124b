"""Laws of positions: a list that is complete has every legal word, and positions are the same exactly if keys are.

The positions are those of the samples and of random games. Others come of them by the same moves in another order, by
two cards in each other's place, and by a character changed in the tag that spells a position.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from cartulary.engine import LEGAL, Call, Refused, judge, play
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.play import actors
from cartulary.notation import AnyGame, NotationError, Step, loads, read_heading, steps
from cartulary.notation.arbiter.gaps import GAPS, MissedPly, WordAfterGap
from cartulary.notation.arbiter.replay import step_of, write_word
from cartulary.notation.cgn.record import MISSING_WORD
from cartulary.notation.picture import plain
from cartulary.testing import tables
from cartulary.testing.game import (
    LENGTH,
    HeldGame,
    cached,
    golden_record,
    golden_rows,
    long_search,
    looks,
    rule_rows,
)
from cartulary.testing.hidden import AppliedGame, apply_words, played_games, swapped_games
from cartulary.testing.play import random_games

COUNTERS = ("round", "turns", "lap", "clock")
"""The fields of a state that count; a picture may show them, and a key leaves them out."""

SHEETS = 600
"""How many records of the samples are played, twice as many as with HUNT=1."""

_encode = msgspec.json.Encoder(order="deterministic", enc_hook=str).encode


Ply = tuple[Any, Any, Any]
"""The state before a move, the move, and the state after it."""


class TwoOrders(Struct, frozen=True):
    """Two positions to which the same legal moves lead in two orders.

    Attributes:
        words: The moves in the first order.
        first: The position after them.
        second: The position after the other order.
    """

    words: tuple[str, ...]
    first: Any
    second: Any


def _sheets(case: type[HeldGame]) -> Iterator[tuple[dict[str, str], str]]:
    """Yield the tags and the movetext of the rows and of the golden games."""
    table = rule_rows(case)
    yield from ((row.tags, f"{row.after} {row.move}") for row in table.move)
    yield from ((ending.tags, ending.after) for ending in table.ending)
    yield from ((setup.tags, "") for setup in table.setup)
    for golden in golden_rows(case):
        record = golden_record(case, golden)
        yield {name: value for name, value in record.tags if name != "Game"}, " ".join(record.line.words)


@cached
def sample_games(case: type[HeldGame]) -> tuple[AppliedGame, ...]:
    """Return the games of the samples and some random games, as far as their words can be read and applied.

    Of the samples there are at most ``looks(SHEETS)``, spread evenly over the rows. A game ends before a word that a
    rule refuses, and before one that nobody wrote, if the game does not read such words itself.
    """
    game, games = case.game(), []
    sheets = list(_sheets(case))
    for tags, movetext in sheets[:: -(-len(sheets) // looks(SHEETS)) or 1]:
        [record] = loads(tables.sheet(game.about.title, tags, movetext))
        heading = read_heading(record)
        state = game.rules.setup(heading.sheet) if heading.sheet is not None else None
        if heading.sheet is None or state is None or isinstance(state, Refused):
            continue
        applied = []
        for step in steps(game, state, record.line.words, heading.sheet.seats):
            if not step.applied or isinstance(step.verdict, Refused):
                break
            if isinstance(step.after, GAPS) or isinstance(step.move, MissedPly | WordAfterGap):
                break
            applied.append(step)
        games.append(AppliedGame(tags, tuple(applied), heading.sheet.seats))
    return (*games, *played_games(case))


def sample_steps(case: type[HeldGame]) -> Iterator[tuple[Step, int]]:
    """Yield the moves of ``sample_games`` as steps, each with the number of seats; calls are left out."""
    for sample in sample_games(case):
        yield from ((step, sample.seats) for step in sample.steps if not isinstance(step.move, Call))


def sample_positions(case: type[HeldGame]) -> dict[Any, int]:
    """Return every position of ``sample_games``, each once, with the number of its seats."""
    positions = {state: seats for step, seats in sample_steps(case) for state in (step.state, step.after)}
    for sample in sample_games(case):
        if not sample.steps:
            positions[case().first_state(sample.tags)[0]] = sample.seats
    return positions


@cached
def sample_lines(case: type[HeldGame]) -> tuple[tuple[Ply, ...], ...]:
    """Return lines of moves, without calls: some of ``sample_games``, and random games with cards known and unknown."""
    random, lines = Random(f"lines of {case.key}"), list[tuple[Ply, ...]]()
    games = some(sample_games(case), random, looks(60))
    games += (apply_words(case(), case().random_game(random)) for _ in range(looks(20)))
    for sample in games:
        moves = (step for step in sample.steps if not isinstance(step.move, Call))
        # A card that nobody saw is not played at another time.
        seen = (step for step in moves if step.text.rpartition("/")[2] != MISSING_WORD)
        lines.append(tuple((step.state, step.move, step.after) for step in seen))
    for plies in random_games(case, looks(8), 60):
        lines.append(tuple((ply.before, ply.move, ply.after) for ply in plies))
    return tuple(lines)


def some(positions: Sequence[Any], random: Random, most: int) -> list[Any]:
    """Return the positions, or if there are more, a random sample of so many."""
    return random.sample(positions, min(most, len(positions)))


def key_of(game: AnyGame, state: Any) -> bytes:
    """Return the key of a position as it is stored."""
    return _encode(game.place.key(state))


def legal_words(game: AnyGame, state: Any) -> tuple[tuple[str, str], ...]:
    """Return the words of the candidates that no rule refuses, each with the name of its verdict, in order."""
    verdicts = ((move, judge(game, state, move)) for move in game.rules.candidates(state))
    allowed = ((move, verdict) for move, verdict in verdicts if not isinstance(verdict, Refused))
    return tuple(sorted((write_word(game, move, state), type(verdict).__name__) for move, verdict in allowed))


def state_after(game: AnyGame, state: Any, moves: Iterable[Any], open_too: bool = False) -> Any:
    """Return the state after some moves, None unless each is legal.

    A move that leaves a question open is legal enough if ``open_too`` is true.
    """
    for move in moves:
        played = play(game, state, move)
        if played.after is None or isinstance(played.verdict, Refused) or not (open_too or played.verdict is LEGAL):
            return None
        state = played.after
    return state


def blocks_swapped(line: Sequence[Ply], at: int, size: int, gap: int) -> tuple[list[Any], list[Any]]:
    """Return some moves of a line, and the same moves with two blocks in each other's place.

    Both are empty if there are not so many moves, or if the line is broken by a call.

    Args:
        line: The line.
        at: The index of the first block.
        size: How many moves a block has.
        gap: How many moves lie between the blocks.
    """
    window = line[at : at + 2 * size + gap]
    if len(window) < 2 * size + gap or any(one[2] != two[0] for one, two in pairwise(window)):
        return [], []
    moves = [move for _, move, _ in window]
    return moves, [*moves[size + gap :], *moves[size : size + gap], *moves[:size]]


def other_order(game: AnyGame, line: Sequence[Ply], at: int, size: int, gap: int) -> TwoOrders | None:
    """Return what comes of two blocks of moves that change places in a line, if both orders are legal.

    None if an order is not, or if the two positions are not drawn alike. The arguments are those of ``blocks_swapped``.
    """
    moves, changed = blocks_swapped(line, at, size, gap)
    if changed == moves or (two := state_after(game, line[at][0], changed)) is None:
        return None
    one = state_after(game, line[at][0], moves)
    if one is None or actors(game, one) != actors(game, two):
        return None
    if plain(game.words.picture(one, None)) != plain(game.words.picture(two, None)):
        return None
    return TwoOrders(tuple(write_word(game, move, line[at][0]) for move in moves), one, two)


def state_pairs(game: AnyGame, state: Any, *orders: list[Any]) -> Iterator[Any]:
    """Yield the states after some moves in several orders; none for an order that a rule refuses."""
    for moves in orders:
        after = state_after(game, state, moves, open_too=True)
        if after is not None:
            yield after


def are_alike(game: AnyGame, pair: TwoOrders, random: Random) -> bool:
    """Say whether two positions stay alike in what is drawn, and in who may play what, if they are played on alike.

    They are played on twice for at most LENGTH plies, with the same random moves.
    """
    for _ in range(2):
        one, two = pair.first, pair.second
        for _ in range(LENGTH):
            pictures = [plain(game.words.picture(state, None)) for state in (one, two)]
            moves = [list(game.rules.candidates(state)) for state in (one, two)]
            if pictures[0] != pictures[1] or moves[0] != moves[1] or actors(game, one) != actors(game, two):
                return False
            order = random.sample(moves[0], len(moves[0]))
            move = next((move for move in order if not isinstance(judge(game, one, move), Refused)), None)
            if move is None:
                break
            played = play(game, one, move), play(game, two, move)
            if type(played[0].verdict) is not type(played[1].verdict):
                return False
            one, two = (each.after for each in played)
            if one is None or two is None:
                break
    return True


def similar_boards(case: type[HeldGame], random: Random, times: int) -> Iterator[Any]:
    """Yield positions whose tag differs in a character from that of a position of the samples, and can be read.

    There are none in games that state no boards.
    """
    game = case.game()
    if not game.boards.tag:
        return
    texts = {game.boards.write(state): state for state in sample_positions(case)}
    # One position for each text that stands after the first blank, such as a right to castle, and others at random.
    fields = {(at, field): text for text in texts for at, field in enumerate(text.split()) if at}
    for text in dict.fromkeys((*fields.values(), *some(list(texts), random, times))):
        state = texts[text]
        tokens = list(re.finditer("[0-9A-Za-z]+,?", text))
        others = [text[: token.start()] + new + text[token.end() :] for token in tokens for new in ("", "-")]
        for _ in range(4):
            at, sign = random.randrange(len(text)), random.choice((*text, *text.swapcase()))
            others.append(text[:at] + sign + text[at + 1 :])
        for other in others:
            with suppress(NotationError):
                tags = game.sheet.read({game.boards.tag: other}, game.about.variants[0], {}, game.about.seats[0])
                taken_up = game.boards.taken_up(tags, state.mover, 1)
                if not isinstance(taken_up, Refused):
                    yield taken_up
        yield state


class PositionLaws(HeldGame):
    """What a list of moves holds, and what makes two positions the same.

    Attributes:
        beside_key: The fields of a state that a key leaves out although they decide what may be played or what is
            drawn, each with the reason: ``{"owed_move": "A claim announces a move, and changes no position."}``.
    """

    beside_key: ClassVar[Mapping[str, str]] = {}

    @long_search
    def test_every_legal_word_is_a_candidate_where_the_list_is_complete(self) -> None:
        """Check that where ``complete`` says yes, no word of the samples is legal that is not among the candidates.

        The words are tried where they stand in the samples, and some of them elsewhere too. A word for what nobody saw,
        with ``~``, may be missing, and so may what announces something.
        """
        game, random = self.game(), Random(f"complete {self.key}")
        listed: dict[Any, frozenset[Any]] = {}
        words, seats = dict[str, None](), dict[Any, int]()

        def check(state: Any, step: Step) -> None:
            """Assert that a step is a candidate of the state before it, unless it is refused or announces something."""
            beside = MISSING_WORD in step.text or self.announces(step.text)
            if step.applied and not isinstance(step.verdict, Refused) and not beside:
                if state not in listed:
                    listed[state] = frozenset(game.rules.candidates(state))
                assert step.move in listed[state], f"{step.text} is legal and no candidate in {state}"

        for step, count in sample_steps(type(self)):
            words[step.text] = None
            if game.rules.complete(step.state):
                seats[step.state] = count
                check(step.state, step)
        for state in some(list(seats), random, looks(80)):
            for word in some(list(words), random, 40):
                check(state, step_of(game, state, word, seats[state], NO_CALLS, 1))

    @long_search
    def test_two_orders_of_the_same_moves_lead_to_one_key(self) -> None:
        """Check that positions that the same legal moves lead to have one key, if they are drawn and played on alike.

        At least one such pair must come of the samples and random games. A call, such as the offer of a draw, must
        leave the key as it is.
        """
        game, random, pairs = self.game(), Random(f"orders of {self.key}"), 0
        for line in sample_lines(type(self)):
            seats = max((1, *(move.seat for _, move, _ in line)))
            for at in range(len(line)):
                for size, gap in ((1, 0), (1, 1), (2, 0)) if seats < 3 else ((1, 0), (seats, 0)):
                    pair = other_order(game, line, at, size, gap)
                    if pair is not None:
                        pairs += 1
                        if key_of(game, pair.first) != key_of(game, pair.second):
                            assert not are_alike(game, pair, random), f"{pair.words} in another order"
                after = game.turns.skip(line[at][0])
                assert key_of(game, after) == key_of(game, line[at][0]), f"a call gives {line[at][0]} another key"
        assert pairs, "no two orders of the same moves lead to one position in the games the law plays"

    @long_search
    def test_positions_with_one_key_are_drawn_and_played_on_alike(self) -> None:
        """Check that positions with one key have the same legal words, and the same picture if no counter differs."""
        game, random = self.game(), Random(f"keys of {self.key}")
        positions = dict.fromkeys(sample_positions(type(self)))
        positions |= dict.fromkeys(similar_boards(type(self), random, looks(240)))
        if not game.hidden.face_up:
            for sample in played_games(type(self)):
                for _, _, other in swapped_games(type(self), sample, random, 2, *range(sample.seats + 1)):
                    positions |= dict.fromkeys(step.after for step in other.steps)
        for line in sample_lines(type(self)):
            seats = max((1, *(move.seat for _, move, _ in line)))
            for at in range(0, len(line), 2):
                moves, changed = blocks_swapped(line, at, 1, seats - 1)
                if changed != moves:
                    positions |= dict.fromkeys(state_pairs(game, line[at][0], moves, changed))
        groups = defaultdict[tuple[bytes, tuple[Any, ...]], list[Any]](list)
        for state in positions:
            groups[key_of(game, state), tuple(getattr(state, name) for name in self.beside_key)].append(state)
        for states in groups.values():
            for one, two in pairwise(states):
                there = legal_words(game, one), legal_words(game, two)
                assert actors(game, one) == actors(game, two), f"one key, but others may speak: {one} and {two}"
                assert there[0] == there[1], f"one key, but {set(there[0]) ^ set(there[1])} differ: {one} and {two}"
                if all(getattr(one, name, None) == getattr(two, name, None) for name in COUNTERS):
                    pictures = [plain(game.words.picture(state, None)) for state in (one, two)]
                    assert pictures[0] == pictures[1], f"one key, but drawn {pictures[0]}\nand {pictures[1]}"
