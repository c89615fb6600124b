"""Games to measure on: random, legal, all different, and the same in every run; made once and kept in a folder.

Game ``i`` is drawn from a seed of its own, so a shorter corpus is the beginning of a longer one.
"""

import os
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from cartulary.engine import LEGAL, Sheet, cardmate, chess
from cartulary.engine.play import judge
from cartulary.notation import Line, Record, canonical, format_record, format_result, loads
from cartulary.notation.cardmate import GAME, write
from cartulary.notation.contract import AnyGame
from cartulary.notation.roster import GAMES

sys.path.insert(0, str(Path(__file__).parent.parent))

PLIES = 80
SEED = 2026
CHUNK = 250
"""Games one process makes at a time."""

Making = Callable[[range], str]


class Corpora:
    """The folder of corpora; each is made when it is first asked for and found there later."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which is made if there is none."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder

    def cardmate(self, games: int) -> Path:
        """Return a file of so many Cardmate games, ten tags and at most 80 plies each."""
        return self._made(f"cardmate-{SEED}-{games}.cgn", cardmate_games, range(games))

    def short_cardmate(self, games: int) -> Path:
        """Return a file of so many Cardmate games of at most 40 plies: the first half of those of ``cardmate``."""
        making = partial(cardmate_games, plies=PLIES // 2)
        return self._made(f"cardmate-{SEED}-{games}-short.cgn", making, range(games))

    def results(self, games: int) -> Path:
        """Return a file of so many finished games without moves, each with the points of four players."""
        return self._made(f"results-{SEED}-{games}.cgn", result_games, range(games))

    def halves(self, games: int) -> tuple[Path, Path]:
        """Return two files, the first half of the games of ``cardmate(games)`` and the rest."""
        whole = self.cardmate(games)
        halves = (whole.with_suffix(".first.cgn"), whole.with_suffix(".second.cgn"))
        if not all(half.exists() for half in halves):
            with whole.open("rb") as file, halves[0].open("wb") as first, halves[1].open("wb") as second:
                game = 0
                for line in file:
                    game += line.startswith(b"[Game ")
                    (first if game <= games // 2 else second).write(line)
        return halves

    def chess(self, games: int) -> Path:
        """Return a file of so many chess games, ten tags and 80 plies each."""
        from rival_chess import chess_games

        return self._made(f"chess-{SEED}-{games}.pgn", chess_games, range(games))

    def annotated(self, games: int) -> Path:
        """Return a file of so many chess games with a clock time on every ply, comments, glyphs and variations."""
        from rival_chess import annotated_games

        return self._made(f"annotated-{SEED}-{games}.pgn", annotated_games, range(games))

    def tarot(self, games: int, kind: str) -> Path:
        """Return a file of ``games`` Tarot records of one deal each, all variants and numbers of seats by turns.

        The hands are written by ``kind``: ``hands`` each as one word, ``packets`` as they were dealt, ``table`` not at
        all.
        """
        return self._made(f"tarot-{kind}-{SEED}-{games}.cgn", TAROT[kind], range(games))

    def duel(self, games: int, kind: str) -> Path:
        """Return a file of ``games`` games of Tarot duel.

        Of ``kind`` ``open`` every card is on record, of ``table`` what all saw.
        """
        return self._made(f"duel-{kind}-{SEED}-{games}.cgn", DUEL[kind], range(games))

    def zarcana(self, games: int, kind: str) -> Path:
        """Return a file of ``games`` games of Zarcana.

        Of ``kind`` ``open`` every card is on record, of ``table`` what all saw.
        """
        return self._made(f"zarcana-{kind}-{SEED}-{games}.cgn", ZARCANA[kind], range(games))

    def arcanoid(self, games: int, kind: str) -> Path:
        """Return a file of ``games`` games of Arcanoid.

        Of ``kind`` ``open`` every card is on record, of ``table`` what all saw.
        """
        return self._made(f"arcanoid-{kind}-{SEED}-{games}.cgn", ARCANOID[kind], range(games))

    def _made(self, name: str, making: Making, numbers: range) -> Path:
        """Return the file of this name in the folder; if it is not there, the games of these numbers are generated and
        written to it.
        """
        path = self.folder / name
        if not path.exists():
            beside = path.with_name(name + ".part")
            with beside.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(_texts(making, numbers))
            beside.replace(path)
        return path


def _texts(making: Making, numbers: range) -> Iterator[str]:
    """Yield the texts of generated games in their order, made by several processes if there are many."""
    chunks = [numbers[at : at + CHUNK] for at in range(0, len(numbers), CHUNK)]
    if len(chunks) == 1:
        yield making(chunks[0])
        return
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        yield from pool.map(making, chunks)


def distinct(games: Iterable[tuple[str, ...]]) -> int:
    """Return how many games there are. Raises ValueError if two of them have the same words."""
    seen: set[int] = set()
    for number, words in enumerate(games, 1):
        seen.add(hash(words))
        if len(seen) != number:
            raise ValueError(f"game {number} of the corpus stands in it twice")
    return len(seen)


# --- Tarot: dealt and played by the second player of the tests, which shares nothing with the engine ---


def _tarot_games(kind: str, numbers: range) -> str:
    """Return the generated games of Tarot with these numbers as CGN; ``kind`` is as for ``Corpora.tarot``."""
    from cartulary.testing import tables
    from tests.referees.tarot import deals as tarot_deals

    sheets = []
    for number in numbers:
        drawn = random.Random(f"tarot {SEED} {number}")
        variant, seats = tarot_deals.VARIANTS[number % len(tarot_deals.VARIANTS)]
        [deal] = _deals(tarot_deals.record(drawn, variant, seats, 1, extras=False))
        words = deal.table if kind == "table" else deal.words
        if kind == "hands":
            told = [f"p0/p{seat}*{','.join(hand)}" for seat, hand in enumerate(deal.hands, 1)]
            chien = ",".join(tarot_deals.in_order(deal.deal.chien))
            words = (*told, f"p0/c*{chien}", *(word for word in words if "*" not in word))
        tags = {"Event": f"Benchmark {number // 100 + 1}", "Site": f"Table {number % 100 + 1}", "Date": "2026.01.01"}
        tags |= {"Round": str(number + 1), "Dealer": f"p{deal.deal.dealer}"}
        tags |= {f"Seat{seat}": f"Player {drawn.randrange(1000)}" for seat in range(1, seats + 1)}
        [record] = loads(tables.sheet("Tarot", tags | {"Result": "*", "Variant": variant}, " ".join(words)))
        sheets.append(format_record(canonical(record)) + "\n")
    return "".join(sheets)


def _deals(written: Any) -> list[Any]:
    """Return the deals of a record that were played out; deals void by a petit sec are left out."""
    return [deal for deal in written.deals if deal.deal is not None]


TAROT: dict[str, Making] = {kind: partial(_tarot_games, kind) for kind in ("hands", "packets", "table")}


def _duel_games(kind: str, numbers: range) -> str:
    """Return the generated games of Tarot duel with these numbers as CGN; ``kind`` is ``open`` or ``table``."""
    from cartulary.testing import tables
    from tests.referees.tarot_duel import table as duel_table

    sheets = []
    for number in numbers:
        game = duel_table.record(random.Random(f"duel {SEED} {number}"), 2 + number % 3)
        words = game.table if kind == "table" else game.words
        tags = {"Event": f"Benchmark {number // 100 + 1}", "Site": f"Table {number % 100 + 1}", "Date": "2026.01.01"}
        tags |= {"Round": str(number + 1), "Result": game.result} | game.tags
        [record] = loads(tables.sheet("Tarot duel", tags, " ".join(words), game.result))
        sheets.append(format_record(canonical(record)) + "\n")
    return "".join(sheets)


DUEL: dict[str, Making] = {kind: partial(_duel_games, kind) for kind in ("open", "table")}


def _zarcana_games(kind: str, numbers: range) -> str:
    """Return the generated games of Zarcana with these numbers as CGN; ``kind`` is ``open`` or ``table``."""
    from cartulary.testing import tables
    from tests.referees.zarcana import table as zarcana_table

    sheets = []
    for number in numbers:
        game = zarcana_table.random_game(str(number))
        words = game.table if kind == "table" else game.words
        tags = {"Event": f"Benchmark {number // 100 + 1}", "Site": f"Table {number % 100 + 1}", "Date": "2026.01.01"}
        tags |= {"Round": str(number + 1), "Result": game.result} | game.tags
        [record] = loads(tables.sheet("Zarcana", tags, " ".join(words), game.result))
        sheets.append(format_record(canonical(record)) + "\n")
    return "".join(sheets)


ZARCANA: dict[str, Making] = {kind: partial(_zarcana_games, kind) for kind in ("open", "table")}


def _arcanoid_games(kind: str, numbers: range) -> str:
    """Return the generated games of Arcanoid with these numbers as CGN; ``kind`` is ``open`` or ``table``."""
    from cartulary.testing import tables
    from tests.referees.arcanoid import table as arcanoid_table

    sheets = []
    for number in numbers:
        variant = arcanoid_table.VARIANTS[number % len(arcanoid_table.VARIANTS)]
        drawn = random.Random(f"arcanoid {SEED} {number}")
        options = "gaza rounds=1" if number % 4 == 0 else "rounds=1"
        game = arcanoid_table.record(drawn, 2 + number % 5, variant=variant, options=options)
        words = game.table if kind == "table" else game.words
        tags = {"Event": f"Benchmark {number // 100 + 1}", "Site": f"Table {number % 100 + 1}", "Date": "2026.01.01"}
        tags |= {"Round": str(number + 1), "Result": game.result} | game.tags
        [record] = loads(tables.sheet("Arcanoid", tags, " ".join(words), game.result))
        sheets.append(format_record(canonical(record)) + "\n")
    return "".join(sheets)


ARCANOID: dict[str, Making] = {kind: partial(_arcanoid_games, kind) for kind in ("open", "table")}


# --- Cardmate ---


def cardmate_games(numbers: range, plies: int = PLIES) -> str:
    """Return the Cardmate games of these numbers as CGN, each followed by a blank line, with at most so many plies."""
    return "".join(map(partial(_cardmate_game, cardmate.setup(Sheet("predefined", {}, 2)), plies), numbers))


def _cardmate_game(start: object, plies: int, number: int) -> str:
    """Return a generated game of Cardmate as CGN, of at most so many random legal moves."""
    drawn = random.Random(f"cardmate {SEED} {number}")
    state = start
    assert isinstance(state, cardmate.State)
    words: list[str] = []
    while len(words) < plies and (move := _legal_move(state, drawn)) is not None:
        words.append(write(move, state))
        state = cardmate.apply(state, move)
    outcome = cardmate.outcome(state)
    result = format_result(outcome.shares) if outcome else "*"
    tags = (
        ("Game", "Cardmate"),
        ("Event", f"Benchmark {number // 100 + 1}"),
        ("Site", f"Table {number % 100 + 1}"),
        ("Date", f"2026.{number % 12 + 1:02}.{number % 28 + 1:02}"),
        ("Round", str(number + 1)),
        ("Forehand", f"Player {drawn.randrange(1000)}"),
        ("Rearhand", f"Player {drawn.randrange(1000)}"),
        ("Result", result),
        ("Edition", GAME.about.edition),
        ("Variant", "predefined"),
    )
    numbers = {ply: (ply // 2 + 1, 1) for ply in range(0, len(words), 2)}
    return format_record(Record(tags, Line(tuple(words), {}, numbers, result))) + "\n"


def result_games(numbers: range) -> str:
    """Return the finished games of these numbers, which have no moves, as CGN, each followed by a blank line."""
    return "".join(map(_result_game, numbers))


def _result_game(number: int) -> str:
    """Return a generated game as CGN that has no moves: four players out of a thousand, and their points."""
    drawn = random.Random(f"result {SEED} {number}")
    points = [drawn.randint(0, 200) for _ in range(4)]
    result = format_result(tuple(int(each == max(points)) for each in points))
    tags = (
        ("Game", "Canasta"),
        ("Date", f"2026.{number % 12 + 1:02}.{number % 28 + 1:02}"),
        *((f"Seat{seat}", f"Person {person}") for seat, person in enumerate(drawn.sample(range(1000), 4), 1)),
        ("Result", result),
        ("Description", "winner=most"),
        ("Points", ":".join(map(str, points))),
        ("Rules", "none"),
    )
    return format_record(Record(tags, Line((), {}, {}, result))) + "\n"


def _legal_move(state: cardmate.State, drawn: random.Random) -> cardmate.Move | None:
    """Return one of the legal moves at random, all equally likely; None if there is none."""
    return next(_legal_moves(state, drawn), None)


def _legal_moves(state: cardmate.State, drawn: random.Random) -> Iterator[cardmate.Move]:
    """Yield the legal moves of a position in random order."""
    candidates = list(cardmate.candidates(state))
    drawn.shuffle(candidates)
    return (move for move in candidates if judge(GAME, state, move) is LEGAL)


@cache
def endless(plies: int) -> tuple[str, ...]:
    """Return the words of one Cardmate game of so many plies, of random moves that do not end it.

    A shorter one is the beginning of a longer one.
    """
    drawn, state = random.Random(f"endless {SEED}"), cardmate.setup(Sheet("predefined", {}, 2))
    assert isinstance(state, cardmate.State)
    words: list[str] = []
    while len(words) < plies:
        then = ((move, cardmate.apply(state, move)) for move in _legal_moves(state, drawn))
        move, after = next((move, after) for move, after in then if cardmate.outcome(after) is None)
        words.append(write(move, state))
        state = after
    return tuple(words)


# --- long games of games with options ---


def _quiet(game: AnyGame, state: Any, plies: int, aside: Callable[[Any, Any], bool]) -> tuple[str, ...]:
    """Return the words of a game of ``plies`` moves that do not end it.

    ``aside`` says of a state and a move whether it takes nothing and can be taken back; such moves are preferred.
    """
    games = (islice(_wandering(game, state, seed, aside), plies) for seed in count())
    return next(words for words in map(tuple, games) if len(words) == plies)


def _wandering(game: AnyGame, state: Any, seed: int, aside: Callable[[Any, Any], bool]) -> Iterator[str]:
    """Yield the words of a random game that prefers moves as for ``_quiet``, until every legal move would end it."""
    drawn = random.Random(f"quiet {SEED} {seed}")
    while True:
        moves = list(game.rules.candidates(state))
        drawn.shuffle(moves)
        moves.sort(key=lambda move: not aside(state, move))
        then = ((move, game.rules.play(state, move)) for move in moves)
        legal = ((move, played.after) for move, played in then if played.verdict is LEGAL)
        found = next(((move, after) for move, after in legal if game.rules.outcome(after) is None), None)
        if found is None:
            return
        yield game.words.write(found[0], state, found[1])
        state = found[1]


@cache
def quiet_cardmate(plies: int) -> tuple[str, ...]:
    """Return the words of a game of Cardmate with ``repetition=loss`` of so many plies, in which cards move about and
    take nothing.
    """
    state = cardmate.setup(Sheet("predefined", {"repetition": "loss"}, 2))
    return _quiet(GAME, state, plies, lambda state, move: not state.board[move.to] and not move.promotes)


@cache
def quiet_chess(plies: int) -> tuple[str, ...]:
    """Return the words of a game of chess with ``claims-only`` of so many plies, in which knights and rooks move about
    and take nothing.
    """
    state = chess.RULES.setup(Sheet("standard", {"claims-only": ""}, 2))
    return _quiet(
        GAMES["chess"],
        state,
        plies,
        lambda state, move: state.board[move.start] in b"NnRr" and state.board[move.to] == 46,
    )


@cache
def long_arcanoid(options: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return tags and words of a random game of Arcanoid for two seats with these options."""
    from tests.referees.arcanoid import table as arcanoid_table

    game = arcanoid_table.record(random.Random(f"long {SEED}"), 2, options=options)
    return game.tags, game.words


@cache
def long_zarcana() -> tuple[dict[str, str], tuple[str, ...]]:
    """Return tags and words of the longest of 20 random games of Zarcana for two seats with both options."""
    from tests.referees.zarcana import table as zarcana_table

    drawn = random.Random(f"long {SEED}")
    games = [zarcana_table.record(drawn, 2, extra=("holy-grail",), highest=True) for _ in range(20)]
    game = max(games, key=lambda one: len(one.words))
    return game.tags, game.words


@cache
def long_tarot(deals: int) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return tags and words of ``deals`` deals of Tarot for four seats, variant ``dementlieu``, with ``ecart=fft``."""
    from tests.referees.tarot import deals as tarot_deals

    words = tarot_deals.record(random.Random(f"long {SEED}"), "dementlieu", 4, deals, extras=False).words
    return {"Variant": "dementlieu", "Options": "ecart=fft"} | {f"Seat{seat}": "?" for seat in range(1, 5)}, words
