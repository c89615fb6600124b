"""Laws that hold for every game in the roster. A new game's author writes rows and games, no test code."""

import os
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from cartulary.engine import LEGAL, Call, Refused, Undecided, Verdict, legal_moves, perft, play
from cartulary.engine.calls import CALL_CLAUSES, NO_CALLS
from cartulary.engine.contract import IMPOSSIBLE
from cartulary.notation import (
    GAMES,
    AnyGame,
    Finding,
    Record,
    Step,
    dumps,
    examine,
    loads,
    read_heading,
    replay,
    steps,
)
from cartulary.notation.arbiter.replay import read_word, step_of, write_word
from cartulary.notation.picture import plain
from tests.places import SAMPLES
from tests.rows import tables
from tests.rows.tables import CountRow, EndingRow, FindingRow, MoveRow, SetupRow

HUNT = int(os.environ.get("HUNT", "1"))
KEYS = sorted(GAMES)
PATTERN = "cardmate"
WIDTH = 80

Rows = list[Any]


def _table(key: str) -> tables.RuleTable:
    """Return a game's rule table, an empty one where it is missing: completeness is judged by its own test."""
    try:
        return tables.rules(key)
    except OSError:
        return tables.RuleTable()


def _counts(key: str) -> tuple[CountRow, ...]:
    try:
        return tables.counts(key).start
    except OSError:
        return ()


MOVES: Rows = [pytest.param(key, row, id=f"{key}: {row.why}") for key in KEYS for row in _table(key).move]
SETUPS: Rows = [pytest.param(key, row, id=f"{key}: {row.why}") for key in KEYS for row in _table(key).setup]
ENDINGS: Rows = [pytest.param(key, row, id=f"{key}: {row.why}") for key in KEYS for row in _table(key).ending]
COUNTS: Rows = [pytest.param(key, row, id=f"{key}: {row.source}") for key in KEYS for row in _counts(key)]


def read(key: str, tags: dict[str, str], movetext: str) -> Record:
    """Return the one record of a row's score sheet."""
    records = loads(tables.sheet(GAMES[key].about.title, tags, movetext))
    assert len(records) == 1
    assert not records[0].problems, records[0].problems
    return records[0]


def started(key: str, tags: dict[str, str]) -> tuple[Any, int]:
    """Return the first state of the game these tags set up, and its number of seats."""
    heading = read_heading(read(key, tags, ""))
    assert heading.sheet is not None, heading.because
    state = GAMES[key].rules.setup(heading.sheet)
    assert not isinstance(state, Refused), state
    return state, heading.sheet.seats


def walked(key: str, tags: dict[str, str], movetext: str, irregular: bool, move: str = "") -> list[Step]:
    """Return the steps of a movetext; every move applies, and no rule refuses it unless ``irregular``.

    move: one word more, of whose step nothing is asked here
    """
    state, seats = started(key, tags)
    words = read(key, tags, movetext).line.words
    done = list(steps(GAMES[key], state, (*words, move) if move else words, seats))
    for step in done[: len(words)]:
        assert step.error is None, f"{step.word}: {step.error}"
        assert step.applied, f"{step.word}: {step.verdict}"
        assert irregular or not isinstance(step.verdict, Refused), f"{step.word}: {step.verdict}"
    assert len(done) == len(words) + bool(move)
    return done


# --- completeness ---


@pytest.mark.parametrize("key", KEYS)
def test_every_game_of_the_roster_brings_its_samples(key: str) -> None:
    state, _ = started(key, {})
    counted = ("perft.toml",) if GAMES[key].rules.complete(state) else ()
    for name in ("rules.toml", *counted, "games/expected.toml"):
        wanted = SAMPLES / key / name
        assert wanted.is_file(), f"write samples/{key}/{name}; samples/{PATTERN}/{name} is the pattern"
    listed = {row.file for row in tables.goldens(key).game}
    found = {path.name for path in (SAMPLES / key / "games").glob("*.cgn")}
    assert found, f"write a golden game in samples/{key}/games; samples/{PATTERN}/games is the pattern"
    assert found - listed == set(), f"name these games in samples/{key}/games/expected.toml"
    assert listed - found == set(), f"write these games in samples/{key}/games"


@pytest.mark.parametrize("key", KEYS)
def test_every_clause_is_refused_by_three_rows(key: str) -> None:
    table = _table(key)
    refused: Counter[str] = Counter(row.refused for row in table.move)
    refused.update(row.refused for row in table.setup)
    refused.update(row.key for row in table.ending)
    few = {clause.key: refused[clause.key] for clause in GAMES[key].rules.clauses if refused[clause.key] < 3}
    assert few == {}, f"write rows for these in samples/{key}/rules.toml, three each"


def test_every_rule_of_the_calls_is_refused_or_ends_a_game_in_some_row() -> None:
    refused: Counter[str] = Counter()
    for key in KEYS:
        refused.update(row.refused for row in _table(key).move)
        refused.update(row.key for row in _table(key).ending)
    assert [clause.key for clause in CALL_CLAUSES if not refused[clause.key]] == []


@pytest.mark.parametrize("key", KEYS)
def test_every_clause_says_its_rule_in_one_sentence_with_a_source(key: str) -> None:
    clauses = GAMES[key].rules.clauses
    assert len({clause.key for clause in clauses}) == len(clauses)
    assert GAMES[key].rules.over in (None, *clauses)
    for clause in clauses:
        assert clause.key.startswith(f"{key}.") or clause.key == IMPOSSIBLE.key, clause.key
        assert clause.says.endswith("."), clause.says
        assert clause.source


@pytest.mark.parametrize("key", KEYS)
def test_no_two_rows_argue_the_same(key: str) -> None:
    table = _table(key)
    said = Counter([row.why for row in table.move])
    said.update([row.why for row in table.setup])
    said.update([row.why for row in table.ending])
    assert [why for why, times in said.items() if times > 1] == []


# --- rows ---


def asked(verdict: Verdict) -> tuple[str, ...]:
    """Return the keys a verdict leaves open, those that are shown only once they are answered left out."""
    opens = verdict.opens if isinstance(verdict, Undecided) else ()
    return tuple(question.clause.key for question in opens if question.asks)


def said(found: Finding, row: FindingRow) -> FindingRow:
    """Return as much of a finding as the row says."""
    severity = found.severity if row.severity else ""
    decided_by = found.decided_by if row.decided_by is not None else None
    return FindingRow(found.ply, found.key, severity, decided_by, found.seat if row.seat else "")


@pytest.mark.parametrize(("key", "row"), MOVES)
def test_a_move_is_judged_as_its_row_says(key: str, row: MoveRow) -> None:
    step = walked(key, row.tags, row.after, row.irregular, row.move)[-1]
    assert (step.word, step.error) == (row.move, None)
    assert not (row.refused and row.undecided), "a row says one verdict"
    if not row.refused:
        assert not isinstance(step.verdict, Refused), f"{row.move} is refused: {step.verdict}"
        assert row.undecided in (asked(step.verdict) or ("",)), f"asked is {asked(step.verdict)}"
    else:
        assert isinstance(step.verdict, Refused), f"{row.move} is judged legal"
        assert step.verdict.clause.key == row.refused, step.verdict
        assert [said for said in row.because if said not in step.verdict.because] == [], step.verdict.because
    if row.blocks is not None:
        assert step.applied is not row.blocks
    if row.canonical:
        assert step.text == row.canonical


@pytest.mark.parametrize(("key", "row"), MOVES)
def test_the_report_on_a_row_says_what_the_row_says(key: str, row: MoveRow) -> None:
    report = examine(read(key, row.tags, f"{row.after} {row.move}")).report
    assert [found for found in report.findings if found.ply and not found.seat] == []
    if row.findings is not None:
        found = [one for one in report.findings if (one.key, one.severity) != ("record.result", "remark")]
        assert len(found) == len(row.findings), found
        assert tuple(said(one, told) for one, told in zip(found, row.findings, strict=True)) == row.findings
    if row.outcome:
        assert report.result == row.outcome


@pytest.mark.parametrize(("key", "row"), MOVES)
def test_a_clause_that_is_not_asked_of_a_move_would_not_refuse_it(key: str, row: MoveRow) -> None:
    step = walked(key, row.tags, row.after, row.irregular, row.move)[-1]
    if isinstance(step.move, Call) or step.calls.ended:
        return
    answers = (clause.check(step.state, step.move) for clause in GAMES[key].rules.clauses)
    refused = next((answer for answer in answers if isinstance(answer, Refused)), None)
    assert (refused is None) == (not isinstance(step.verdict, Refused))


@pytest.mark.parametrize(("key", "row"), SETUPS)
def test_tags_are_accepted_or_refused_as_their_row_says(key: str, row: SetupRow) -> None:
    findings = examine(read(key, row.tags, "")).report.findings
    errors = [found for found in findings if found.severity == "error"]
    assert [found.key for found in errors] == ([row.refused] if row.refused else [])
    assert [said for said in row.because for found in errors if said not in found.because] == [], errors


OPTIONS: Rows = [
    pytest.param(key, option.key, next(iter(option.values), ""), id=f"{key}: {option.key}")
    for key in KEYS
    for option in GAMES[key].about.options
]


@pytest.mark.parametrize(("key", "option", "value"), OPTIONS)
def test_no_option_is_given_twice(key: str, option: str, value: str) -> None:
    word = f"{option}={value}" if value else option
    tags = {f"Seat{seat}": "?" for seat in range(1, 4)} if len(GAMES[key].about.seats) > 1 else {}
    assert read_heading(read(key, tags | {"Options": word}, "")).fault == ""
    heading = read_heading(read(key, tags | {"Options": f"{word} {word}"}, ""))
    assert (heading.fault, heading.because) == ("Options", f"found the option {option} twice, expected it once")


@pytest.mark.parametrize("key", [key for key in KEYS if len(GAMES[key].about.seats) > 1])
@pytest.mark.parametrize("word", ["Resign", "Timeout"])
def test_who_gives_up_among_three_ends_the_game_for_all_and_the_rule_says_so(key: str, word: str) -> None:
    outcome = examine(read(key, {f"Seat{seat}": "?" for seat in range(1, 4)}, f"p2/{word}")).outcome
    assert outcome is not None
    assert outcome.shares == (1, 0, 1)
    [rule] = [clause for clause in CALL_CLAUSES if clause.key == outcome.key]
    assert "ends the game for all" in rule.says
    assert rule.source == "house ruling"


@pytest.mark.parametrize(("key", "row"), ENDINGS)
def test_a_game_ends_as_its_row_says(key: str, row: EndingRow) -> None:
    walked(key, row.tags, row.after, row.irregular)
    examined = examine(read(key, row.tags, row.after))
    assert examined.report.result == row.outcome
    assert (examined.outcome is None) is (row.outcome == "*")
    if row.key:
        assert examined.outcome is not None
        assert examined.outcome.key == row.key
    if examined.outcome is not None:
        assert list(legal_moves(GAMES[key], examined.state, examined.calls)) == []
        late = next(iter(GAMES[key].rules.candidates(started(key, row.tags)[0])))
        verdict = play(GAMES[key], examined.state, late, examined.calls).verdict
        assert isinstance(verdict, Refused)
        over = GAMES[key].rules.over
        assert verdict.clause.key == (over.key if over else examined.outcome.key)


@pytest.mark.parametrize(("key", "row"), COUNTS)
def test_the_counts_are_those_somebody_else_found(key: str, row: CountRow) -> None:
    done = walked(key, row.tags, row.after, irregular=False)
    state = done[-1].after if done else started(key, row.tags)[0]
    found = tuple(perft(GAMES[key], state, depth) for depth in range(1, len(row.counts) + 1))
    assert found == row.counts


# --- laws on random games ---


class Ply(Struct, frozen=True):
    """A ply of a random game: the state before, the move, what the rules say of it, the state after."""

    before: Any
    move: Any
    verdict: Verdict
    after: Any


def wander(game: AnyGame, state: Any, choices: Iterator[int]) -> Iterator[Ply]:
    """Yield a game of moves no rule refuses, each picked by the next choice, until the choices or the game end."""
    for choice in choices:
        legal = list(legal_moves(game, state))
        if not legal:
            return
        move = legal[choice % len(legal)]
        played = play(game, state, move)
        yield Ply(state, move, played.verdict, played.after)
        state = played.after


def check_words(game: AnyGame, state: Any, seats: int) -> None:
    """Check that every candidate, legal or not, is what its word says, and that lists judge it as play does."""
    for move in game.rules.candidates(state):
        text = write_word(game, move, state)
        played = play(game, state, read_word(game, state, text, seats))
        assert played.move == move, text
        assert write_word(game, played.move, state, played.after) == text
        assert game.rules.judge is None or game.rules.judge(state, move) == game.rules.play(state, move).verdict, text


def check_views(game: AnyGame, ply: Ply, seats: int) -> None:
    """Check that a view holds no more than itself, and that the picture is drawn from it within the width."""
    view, state = game.hidden.view, ply.before
    for seat in range(seats + 1):
        seen = view(state, seat)
        assert view(seen, seat) == seen
        assert hash(seen) == hash(view(state, seat))
        assert game.hidden.view_move(state, ply.move, seat).seat == ply.move.seat
        drawn = plain(game.words.picture(state, seat))
        assert drawn == plain(game.words.picture(seen, seat))
        assert max(map(len, drawn.split("\n"))) <= WIDTH


def check_fold(game: AnyGame, game_plies: list[Ply]) -> None:
    """Check that the text of a game, written and read again, rebuilds every state."""
    words = " ".join(write_word(game, ply.move, ply.before, ply.after) for ply in game_plies)
    record = loads(tables.sheet(game.about.title, {}, words))[0]
    again = list(replay(loads(dumps(record))[0]))
    assert [(state, move, verdict) for state, move, verdict, _ in again] == [
        (ply.before, ply.move, ply.verdict) for ply in game_plies
    ]
    assert [hash(state) for state, *_ in again] == [hash(ply.before) for ply in game_plies]
    report = examine(record).report
    assert report.plies == len(game_plies)
    if all(ply.verdict is LEGAL for ply in game_plies):
        open_end = [found for found in report.findings if (found.key, found.severity) != ("record.result", "remark")]
        assert (report.verdict, open_end) == ("legal", [])


def random_games(key: str, games: int, plies: int) -> Iterator[list[Ply]]:
    """Yield seeded random games from the first set-up, the same ones at every run."""
    state, _ = started(key, {})
    for seed in range(games):
        rng = Random(f"{key} {seed}")
        yield list(wander(GAMES[key], state, (rng.randrange(1 << 30) for _ in range(plies))))


@pytest.mark.hunt
@pytest.mark.parametrize("key", KEYS)
def test_random_games_keep_the_laws_of_words_views_and_states(key: str) -> None:
    game = GAMES[key]
    seats = started(key, {})[1]
    for plies in random_games(key, 4 * HUNT, 120):
        for ply in plies:
            check_words(game, ply.before, seats)
            again = play(game, ply.before, ply.move)
            assert (again.verdict, again.after, hash(again.after)) == (ply.verdict, ply.after, hash(ply.after))
        for ply in plies[::10]:
            check_views(game, ply, seats)


@pytest.mark.hunt
@pytest.mark.parametrize("key", KEYS)
def test_random_games_are_rebuilt_from_their_text(key: str) -> None:
    for plies in random_games(key, 6 * HUNT, 150):
        check_fold(GAMES[key], plies)


@pytest.mark.hunt
@pytest.mark.parametrize("key", KEYS)
def test_a_seat_may_speak_exactly_while_the_game_goes_on(key: str) -> None:
    game = GAMES[key]
    ended, goes_on = 0, False
    for plies in random_games(key, 4 * HUNT, 400):
        for ply in plies:
            assert game.rules.outcome(ply.before) is None
            assert game.turns.actors(ply.before)
        last = plies[-1].after
        goes_on = goes_on or game.points.shares(last) is not None
        if game.rules.outcome(game.turns.settle(last)) is not None:
            ended += 1
            assert game.turns.actors(last) == ()
            assert list(legal_moves(game, last)) == []
    assert ended or goes_on, "no random game ended; play longer ones"


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=25 * HUNT, deadline=None)
@given(choices=st.lists(st.integers(0, 1 << 16), min_size=1, max_size=40))
def test_any_choice_of_legal_moves_is_rebuilt_from_its_text(key: str, choices: list[int]) -> None:
    state, seats = started(key, {})
    plies = list(wander(GAMES[key], state, iter(choices)))
    check_fold(GAMES[key], plies)
    check_words(GAMES[key], plies[-1].after, seats)


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=200 * HUNT, deadline=None)
@given(text=st.text("0123456789XJNQKACDHSTEMSpabcdefghij:=@-*>^&'+×x#~,/é ", min_size=1, max_size=12))
def test_any_word_is_a_move_or_an_error_with_a_column_inside_it(key: str, text: str) -> None:
    state, seats = started(key, {})
    game = GAMES[key]
    step = step_of(game, state, text, seats, NO_CALLS, 1)
    if step.error is None:
        assert step_of(game, state, step.text, seats, NO_CALLS, 1).text == step.text
    else:
        assert 1 <= step.error.column <= len(text)
        assert step.error.because
