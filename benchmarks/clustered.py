"""A file judged by the workers of a cluster, against as many processes of ``--jobs``; start-up is left out."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from commands import cartulary, spend
from corpora import Corpora
from figures import Figure, Reach, by_turns, figure

sys.path.insert(0, str(Path(__file__).parent.parent))

WORKERS = 2


def clustered(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure ``validate --cluster`` with two workers that run already against ``validate --jobs 2``."""
    from tests.cli.clusters import PrivateCluster

    whole, few = corpora.cardmate(games), corpora.cardmate(1)

    def rate(*words: str) -> float:
        """Return games a second without what the same command takes for a single game."""
        took = [spend(cartulary("validate", *words, str(path))).wall for path in ((whole, few) if rounds else (whole,))]
        return games / max(took[0] - sum(took[1:]), 1e-9)

    with TemporaryDirectory(dir=corpora.folder) as folder:
        cluster = PrivateCluster(Path(folder))
        try:
            for _ in range(WORKERS if rounds else 1):
                cluster.add()
            there, here = ("--cluster", cluster.address), ("--jobs", str(WORKERS))
            rates = by_turns(rounds, lambda: rate(*there), lambda: rate(*here))
        finally:
            cluster.stop()
    what = "`validate --cluster` with two workers, start-up left out, against `validate --jobs 2`"
    how = "whole commands, their output thrown away; wall time, by turns, less that of the same command on one game"
    return [figure("cluster", what, "games/s", rates, Reach("≥", 0.7), {"games": games}, how)]
