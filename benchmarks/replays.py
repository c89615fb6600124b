"""Figures ``replay_…``: the page that replays a game, against the same game replayed as text."""

import contextlib
import io
import time
from collections.abc import Callable
from pathlib import Path

from commands import cartulary, spend
from corpora import Corpora
from figures import Figure, Reach, by_turns, figure

from cartulary.cli.commands.replay import command as replay
from cartulary.cli.shell.outgoing import replay_of
from cartulary.cli.shell.views import view_games
from cartulary.records import api

SAMPLES = Path(__file__).parent.parent / "samples"
GAMES = {"cardmate": "page-1", "tarot": "fft-five", "zarcana": "tie"}
"""The samples with the longest pages, and the one of a board."""


def replays(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure the command that makes a replay page against the one that prints the replay, and the same in one process,
    for some sample games.
    """
    return [
        each
        for key, name in GAMES.items()
        for each in _measured(key, SAMPLES / key / "games" / f"{name}.cgn", games, rounds)
    ]


def _measured(key: str, path: Path, times: int, rounds: int) -> list[Figure]:
    """Return the two figures of the replay page of one game: by whole commands, and in one process."""
    page, text = cartulary("export", str(path), "--format", "replay"), cartulary("replay", str(path))
    what, note = (
        f"the replay page of the sample `{path.stem}`, against `replay` of the same game",
        "the game read from its file",
    )
    return [
        figure(
            f"replay_{key}",
            what,
            "ms",
            by_turns(rounds, lambda: 1e3 * spend(page).cpu, lambda: 1e3 * spend(text).cpu),
            Reach("≤", 2),
            {"bytes": len(_page(path))},
            f"{note}, whole commands",
        ),
        figure(
            f"replay_{key}_warm",
            "the same page made again and again in one process",
            "ms",
            by_turns(rounds, _cost(_page, path, times), _cost(_text, path, times)),
            None,
            {"times": times},
            f"{note}, in one process",
        ),
    ]


def _cost(make: Callable[[Path], object], path: Path, times: int) -> Callable[[], float]:
    """Return a function that calls ``make`` so many times, and returns the milliseconds of processor time
    of one call.
    """

    def measured() -> float:
        start = time.process_time()
        for _ in range(times):
            make(path)
        return 1e3 * (time.process_time() - start) / times

    return measured


def _page(path: Path) -> bytes:
    """Return the replay page of a file."""
    return api.replay_page([replay_of(label, shown) for label, shown in view_games(str(path), None, "")])


def _text(path: Path) -> None:
    """Print the replay of a file as text; what is printed is thrown away."""
    with contextlib.redirect_stdout(io.StringIO()):
        replay(str(path))
