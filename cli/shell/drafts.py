"""Score sheets taken in over a cluster: its workers judge them and draft what is to be stored, this process stores."""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cartulary.cli.shell.cuts import cuts, line_ends, moved
from cartulary.cli.shell.progress import Advancing
from cartulary.cli.shell.taking import Taking
from cartulary.notation import load_range
from cartulary.records import desk

if TYPE_CHECKING:
    from cartulary.cli.shell.cluster import Cluster


def draft_range(
    path: str, start: int, stop: int, by: str, keep_source: bool, results: str, at: str, place: str
) -> "tuple[list[desk.DraftedSheet], int]":
    """Return what is to be stored of the games that begin in a range, and the line ends in it; it stores nothing.

    at: when they are taken in, by the clock of whoever stores them
    place: where the file is that is reported as ``path``
    """
    drafted = list(desk.draft_sheets(load_range(place, start, stop, results), path, by, keep_source, at))
    return drafted, line_ends(place, start, stop)


class Sharing(Taking):
    """Taking in over a cluster; what is no score sheet this process takes in by itself."""

    def __init__(self, workers: "Cluster", bar: Advancing, store: "desk.Store", *told: Any) -> None:
        """As for ``Taking``."""
        super().__init__(store, *told)
        self._workers, self._bar = workers, bar

    def sheets(self, path: str, file: io.BufferedReader) -> None:
        """Take in score sheets. Raises Ended where workers are lost or cannot do it."""
        for answer in desk.take_sheets(self.store, self._drafted(path, len(file.peek()))):
            self.taken(answer)

    def _drafted(self, path: str, ahead: int) -> "Iterator[desk.DraftedSheet]":
        """Yield what is to be stored, with true numbers and lines. ahead: so many bytes the bar has been told of"""
        games = lines = 0
        ranges = ((path, start, stop) for start, stop in cuts(path))
        over = self._workers.over(ranges, draft_range, self.by, self.keep_source, self.results, desk.now())
        for (_, start, stop), (drafted, ends) in over:
            for sheet in drafted:
                yield desk.told_again(sheet, moved(sheet.answer.report, games, lines))
            games, lines = games + len(drafted), lines + ends
            self._bar.advance(stop - start - ahead)
            ahead = 0
