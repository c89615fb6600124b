"""The tree of openings, compared with counting the games one by one."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cartulary.notation import loads
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.library.explorer import explore
from cartulary.records.library.search import Query
from cartulary.records.log.store import Store
from tests.cli.test_live import Run
from tests.cli.test_live import run as run

CHESS = Query(game="chess")


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        yield opened


def sheet(words: str, result: str, date: str = "2026.01.01", game: str = "Chess") -> str:
    return f'[Game "{game}"]\n[Date "{date}"]\n[White "A"]\n[Black "B"]\n[Result "{result}"]\n\n{words} {result}\n'


def take_in(store: Store, *sheets: str) -> None:
    for text in sheets:
        list(api.import_records(store, loads(text)))


def test_the_tree_equals_counting_the_games_one_by_one(store: Store) -> None:
    rng = Random("tree")
    lines = ["e4 e5 Nf3", "e4 e5 f4", "e4 c5 Nf3", "d4 d5 c4", "e4", "e4 e5"]
    games = [
        (rng.choice(lines), rng.choice(["1-0", "0-1", "1/2-1/2"]), f"{2020 + n % 3}.01.{1 + n % 28:02}")
        for n in range(60)
    ]
    take_in(store, *(sheet(*game) for game in games))
    known = {(words, result, date) for words, result, date in games}  # what is the same sheet again is known
    for begin in ("", "e4", "e4 e5", "d4 d5 c4", "a4"):
        first = begin.split()
        tree = explore(store, CHESS, first)
        some = [game for game in known if game[0].split()[: len(first)] == first]
        counts = Counter((game[0].split()[len(first) :] or [""])[0] for game in some)
        assert {each.word: each.games for each in tree.next} == counts
        for each in tree.next:
            own = [game for game in some if (game[0].split()[len(first) :] or [""])[0] == each.word]
            assert each.shares[0] == sum(Fraction(game[1].split("-")[0]) for game in own)
            assert each.seasons == Counter(game[2][:4] for game in own)
        assert [each.games for each in tree.next] == sorted(counts.values(), reverse=True)


def test_open_games_and_other_games_do_not_count(store: Store) -> None:
    take_in(store, sheet("e4", "*"), sheet("e4", "1-0"), sheet("11-15", "1-0", game="Draughts"))
    assert explore(store, CHESS).games == 1


def test_a_word_that_begins_another_is_not_that_word(store: Store) -> None:
    take_in(store, sheet("e4 e5", "1-0"), sheet("e4 e5 Nf3", "1-0"), sheet("e4 e6", "0-1"))
    assert [(each.word, each.games) for each in explore(store, CHESS, ("e4", "e5")).next] == [("", 1), ("Nf3", 1)]
    assert explore(store, CHESS, ("e4", "e")).games == 0


def test_a_game_must_be_named_and_the_words_be_few(store: Store) -> None:
    with pytest.raises(Unfit, match="name the game"):
        explore(store, Query())
    with pytest.raises(Unfit, match="30 words are too many; expected at most 23"):
        explore(store, CHESS, ("e4",) * 30)


def test_the_command_prints_a_table_and_json(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.cgn"
    file.write_text("\n".join((sheet("e4 e5", "1-0"), sheet("e4 c5", "0-1", "2024.05.01"), sheet("e4 c5", "1/2-1/2"))))
    run("import", "-q", str(file))
    lines = run("explore", "chess", "e4").stdout.splitlines()
    assert lines == [
        "e4: 3 games",
        "    games    p1   p2  seasons",
        "c5      2   25%  75%  2024–2026",
        "e5      1  100%   0%  2026",
    ]
    assert json.loads(run("explore", "chess", "e4", "--json").stdout)["next"][0]["shares"] == ["1/2", "3/2"]
    assert "No finished game begins so." in run("explore", "chess", "a4").stderr
