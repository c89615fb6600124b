"""Games of files taken into a database that goes when they are written out."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from cartulary.cli.shell.console import FINDINGS, fail
from cartulary.cli.shell.sources import STDIN, gameless, parse_source, read, shown
from cartulary.records import desk


@contextmanager
def taken_in(names: Sequence[str]) -> "Iterator[tuple[desk.Store, dict[str, str]]]":
    """Yield a database of the games of files, ``FILE#3`` or ``-``, and by each id the file and number it is from.

    Ends the program with a sentence where there is no such file or game, or one that cannot be set up.
    """
    with TemporaryDirectory(prefix="cartulary-") as folder, desk.Store(Path(folder) / "games.db") as store:
        labels: dict[str, str] = {}
        for name in names:
            path, before = parse_source(name).name, len(labels)
            for answer in desk.import_records(store, read(name), path=path, keep_source=False):
                label = f"{path if path == STDIN else shown(Path(path).name)}#{answer.report.index}"
                if answer.status == "declined":
                    fail(f"{label}: {answer.because}", FINDINGS)
                labels.setdefault(answer.id, label)
            if len(labels) == before:
                fail(gameless(path))
        yield store, labels
