"""Figures of annotated PGN: taken in and written out by whole commands, against python-chess reading and writing it."""

import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from commands import Spent, cartulary, spend
from corpora import Corpora
from figures import Figure, Reach, figure
from programs import timed

RIVAL = Path(__file__).with_name("rival_annotated.py")
HOW = (
    "whole commands on one file of random games with a clock time on every ply, comments, glyphs and variations; the "
    "rival is a program that calls chess.pgn.read_game, and prints each game where it writes; processor time, by turns"
)


def annotated(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure ``import`` of annotated PGN and ``export`` as PGN; nothing where python-chess is not installed."""
    if find_spec("chess") is None:
        print("annotated: python-chess, which makes the games, is not installed", file=sys.stderr)
        return []
    path = corpora.annotated(games)
    with TemporaryDirectory(dir=corpora.folder) as folder:
        stored, out = str(Path(folder) / "stored.db"), str(Path(folder) / "out.pgn")
        spend(cartulary("import", "-q", str(path), "--db", stored))

        def imported() -> Spent:
            with TemporaryDirectory(dir=corpora.folder) as beside:
                return spend(cartulary("import", "-q", str(path), "--db", str(Path(beside) / "records.db")))

        def rival(*words: str) -> Spent:
            return spend([sys.executable, str(RIVAL), str(path), *words])

        export = cartulary("export", "--all", "--format", "pgn", "-o", out, "--force", "--db", stored)
        into, cpu_into = timed(rounds, imported, rival)
        from_, cpu_from = timed(rounds, lambda: spend(export), lambda: rival(out))
    del into, from_
    sizes = {"games": games}
    return [
        figure(
            "annotated_import",
            "`import` of annotated PGN into a new database, against python-chess reading it",
            "s",
            cpu_into,
            Reach("≤", 2),
            sizes,
            HOW,
        ),
        figure(
            "annotated_export",
            "`export` of these games as PGN, against python-chess reading and writing them",
            "s",
            cpu_from,
            Reach("≤", 1.5),
            sizes,
            HOW,
        ),
    ]
