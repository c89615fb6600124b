"""Figures of whole commands: two processes against one, memory, import against validate, and start-up."""

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from commands import Spent, cartulary, peak, spend
from corpora import Corpora
from figures import Figure, Pairs, Reach, by_turns, figure

WALL = "whole commands, their output thrown away; wall time, by turns"


def timed(rounds: int, ours: Callable[[], Spent], rival: Callable[[], Spent]) -> tuple[Pairs, Pairs]:
    """Run both sides by turns, and return the pairs in wall seconds and in processor seconds."""
    spent: list[Spent] = []

    def kept(run: Callable[[], Spent]) -> float:
        spent.append(run())
        return spent[-1].wall

    wall = by_turns(rounds, lambda: kept(ours), lambda: kept(rival))
    cpu = [spent_.cpu for spent_ in spent[2:] or spent]
    return wall, list(zip(cpu[::2], cpu[1::2], strict=True))


def jobs(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure ``validate --jobs 2`` on a file against two commands at once, each on one half of it."""
    whole, (first, second) = corpora.cardmate(games), corpora.halves(games)
    wall, cpu = timed(
        rounds,
        lambda: spend(cartulary("validate", "--jobs", "2", str(whole))),
        lambda: spend(cartulary("validate", str(first)), cartulary("validate", str(second))),
    )
    return [
        figure(
            "jobs",
            "`validate --jobs 2` on a file, against two runs of `validate` at once, each on half of it",
            "games/s",
            _rates(games, wall),
            Reach("≥", 0.95),
            {"games": games},
            f"{WALL}; games a second, processor time likewise",
            _rates(games, cpu),
        )
    ]


def _rates(games: int, pairs: Pairs) -> Pairs:
    """Return pairs of seconds as games a second."""
    return [(games / ours, games / rival) for ours, rival in pairs]


def memory(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure the peak memory of ``validate`` on a file, beside that on a tenth of it."""
    fewer = max(1, games // 10)
    few, many = corpora.cardmate(fewer), corpora.cardmate(games)
    peaks = [(peak(cartulary("validate", str(many))), peak(cartulary("validate", str(few)))) for _ in range(rounds)]
    return [
        figure(
            "memory",
            "peak memory of `validate` on a file, against that on a tenth of it",
            "MB",
            peaks,
            Reach("<", 100, "MB"),
            {"games": games, "games beside": fewer},
            "the operating system's count of the greatest resident memory; the reach is for the longer file",
        )
    ]


def importing(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure ``import`` into a new database against ``validate`` of the same file, and what it costs beyond that."""
    path = corpora.cardmate(games)
    wall, cpu = timed(rounds, lambda: _imported(path), lambda: spend(cartulary("validate", str(path))))
    return [
        figure(
            "import",
            "`import` of a file into a new database, against `validate` of it",
            "s",
            wall,
            Reach("≤", 1.5),
            {"games": games},
            WALL,
            cpu,
        ),
        figure(
            "import_beyond",
            "the time per game that `import` takes beyond `validate`, against `validate`",
            "µs",
            [((whole - judging) * 1e6 / games, judging * 1e6 / games) for whole, judging in cpu],
            Reach("≤", 0.5),
            {"games": games},
            "the same commands; processor time, that of `validate` taken from that of the `import` before it",
        ),
    ]


def results(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure ``import`` of results without moves against ``import`` of as many judged games of 40 plies."""
    without_moves, judged = corpora.results(games), corpora.short_cardmate(games)
    _, cpu = timed(rounds, lambda: _imported(without_moves), lambda: _imported(judged))
    return [
        figure(
            "results",
            "`import` of results without moves, against `import` of as many games of Cardmate of 40 plies",
            "s",
            cpu,
            Reach("≤", 0.33),
            {"games": games},
            "whole commands into new databases, their output thrown away; processor time, by turns",
        )
    ]


def _imported(path: Path) -> Spent:
    """Return what ``import`` of a file into a new database beside it takes."""
    with TemporaryDirectory(dir=path.parent) as folder:
        return spend(cartulary("import", str(path), "--db", str(Path(folder) / "records.db")))


BARE = """import typer

app = typer.Typer()


@app.command()
def main(name: str = "nobody") -> None:
    print(f"hello {name}")


app()
"""


def starting(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure how long commands that do next to nothing take, against a bare typer program."""
    path = str(corpora.cardmate(games))
    with TemporaryDirectory(dir=corpora.folder) as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE, "utf-8")

        def measured(name: str, what: str, reach: Reach, *words: str) -> Figure:
            command, rival = cartulary(*words), [sys.executable, str(bare)]
            wall, cpu = timed(rounds, lambda: spend(command), lambda: spend(rival))
            return figure(name, what, "s", wall, reach, {"games": games}, WALL, cpu)

        return [
            measured("version", "`--version`, against a bare typer program", Reach("≤", 1.3), "--version"),
            measured(
                "small", "`validate` of a small file, against the same typer program", Reach("≤", 2), "validate", path
            ),
        ]
