"""A club's archive of many games: taking them in, rebuilding what they are found by, and finding them.

Nine games in ten are Cardmate; the tenth is one of four other games in turn, an open record or one taken at a table.
There are ``BOARDS`` different games of Cardmate at most, and ``KINDS`` of each of the other four; the rest are copies
with other names, dates and events, which cost as much to judge, store and index as if they were not.
"""

import random
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from commands import cartulary, peak, spend, weighed
from corpora import SEED, Corpora
from figures import Figure, Reach, figure

from cartulary.engine.play import actors
from cartulary.notation import Record, format_record, read_heading, steps
from cartulary.notation import load as load_sheets
from cartulary.notation.viewer import viewer_of_seat
from cartulary.records import api
from cartulary.records.library.search import Query
from cartulary.records.log.store import Store
from cartulary.records.state.games import load

BOARDS, KINDS = 20_000, 500
"""How many different games of Cardmate there are at most, and of each of the others."""
PEOPLE = 1000
SEARCHES = 200
"""Searches of each kind, fewer in an archive of fewer games."""
Found = tuple[tuple[float, float], int]
_TAG = re.compile(r'^\[(Event|Date|Round|Forehand|Rearhand|Seat\d+) "[^"]*"\]$', re.MULTILINE)


def archive(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure an archive of ``games`` games once, because that takes long; each figure is compared with one of its own
    kind.
    """
    path, few = mixed(corpora, games), mixed(corpora, max(5, games // 10))
    sizes = {"games": games}
    with TemporaryDirectory(dir=corpora.folder) as folder:
        whole, tenth = str(Path(folder) / "whole.db"), str(Path(folder) / "tenth.db")
        validating = spend(cartulary("validate", str(path))).cpu
        works = (("import", "-q", str(path)), ("reindex",), ("reindex", "--positions", "--jobs", "2"))
        measured = [weighed(cartulary(*words, "--db", whole)) for words in works]
        took = [(seconds, validating) for _, seconds in measured]
        peaks = (measured[1][0], peak(cartulary("import", "-q", str(few), "--db", tenth)))
        with Store(whole) as store:
            store.index.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            asked = min(SEARCHES, 2 * games)
            player = _searching(store, islice(_by_player(store), asked))
            position = _searching(store, islice(_by_position(store), asked))
        size = (Path(whole).stat().st_size / 1e6, path.stat().st_size / 1e6)
    return [*_works(took, sizes), *_finds(player, position, asked, sizes), *_sizes(peaks, size, sizes)]


def _works(took: list[tuple[float, float]], sizes: dict[str, int]) -> list[Figure]:
    """Return the figures of importing and indexing an archive.

    ``took`` are the seconds of each command, beside those of ``validate``.
    """
    what = (
        ("archive_import", "`import` of a mixed archive, against `validate` of its sheets", None),
        ("archive_reindex", "`reindex` of that archive, against the same `validate`", None),
        (
            "archive_positions",
            "`reindex --positions --jobs 2` of it, the list included, against the same `validate`",
            Reach("≤", 2.5),
        ),
    )
    how = "whole commands, once; processor time of all their processes"
    importing, validating = (1e6 * seconds / sizes["games"] for seconds in took[0])
    says = "the time per game that `import` of that archive takes beyond `validate`, against `validate`"
    beyond = [(max(1, importing - validating), validating)]
    return [
        *(
            figure(name, said, "s", [pair], reach, sizes, how)
            for (name, said, reach), pair in zip(what, took, strict=True)
        ),
        figure("archive_import_beyond", says, "µs", beyond, Reach("≤", 200, "µs"), sizes, how),
    ]


def _finds(player: Found, position: Found, asked: int, sizes: dict[str, int]) -> list[Figure]:
    """Return the figures of searches by player and by position, which ``_searching`` measured; ``asked`` is how many
    searches there were.
    """
    how = "desk.search and desk.find_position in an open store, at most 50 games each; the 95th percentile of "
    how += f"{asked} different searches; the rival opens one of the games, and judges it unless it was opened just "
    how += "before; wall time"
    what = (
        (
            "archive_player",
            "a slow search by player in it (19 of 20 are faster), against opening a game",
            player,
        ),
        ("archive_position", "a slow search by position in it, likewise", position),
    )
    return [
        figure(name, says, "ms", [pair], Reach("<", 50, "ms"), sizes | {"µs in the middle": middle}, how)
        for name, says, (pair, middle) in what
    ]


def _sizes(peaks: tuple[float, float], size: tuple[float, float], sizes: dict[str, int]) -> list[Figure]:
    """Return the figures of memory and of the size of the file, from pairs in MB: ours, and that it is
    compared with.
    """
    return [
        figure(
            "archive_memory",
            "peak memory of its `reindex`, against that of importing a tenth of it",
            "MB",
            [peaks],
            Reach("<", 200, "MB"),
            sizes,
            "the operating system's count of the greatest resident memory",
        ),
        figure(
            "archive_size",
            "the file with log, lists and positions, against the sheets as CGN",
            "MB",
            [size],
            Reach("≤", 2.7),
            sizes,
            "size of the database file, its journal written back",
        ),
    ]


# --- the games ---


def mixed(corpora: Corpora, games: int) -> Path:
    """Return a CGN file of ``games`` games: nine of ten of Cardmate, the others open and table records of four games by
    turns. It is made if it is not there.
    """
    path = corpora.folder / f"mixed-{SEED}-{games}.cgn"
    if path.exists():
        return path
    tables = max(1, min(KINDS, -(-games // 40)) // 2)
    boards = cycle(_texts(corpora.cardmate(min(BOARDS, games))))
    kinds = (
        [corpora.tarot(tables, "hands"), corpora.tarot(tables, "table")],
        [corpora.duel(tables, "open"), corpora.duel(tables, "table")],
        [corpora.zarcana(tables, "open"), corpora.zarcana(tables, "table")],
        [corpora.arcanoid(tables, "open"), corpora.arcanoid(tables, "table")],
    )
    turns = [cycle([text for texts in zip(*map(_texts, files), strict=True) for text in texts]) for files in kinds]
    others = cycle(turns)
    beside = path.with_name(path.name + ".part")
    with beside.open("w", encoding="utf-8", newline="\n") as file:
        for number in range(games):
            text = next(boards) if number % 10 else next(next(others))
            file.write(_renamed(text, number) + "\n")
    beside.replace(path)
    return path


def _texts(path: Path) -> list[str]:
    """Return the games of a file as CGN texts."""
    return [format_record(record) for record in load_sheets(str(path))]


def _renamed(text: str, number: int) -> str:
    """Return a score sheet with an event, a date, a round and players of its own."""
    drawn = random.Random(f"mixed {SEED} {number}")
    people = iter(drawn.sample(range(PEOPLE), 10))
    told = {
        "Event": f"Evening {number // 50 + 1}",
        "Date": f"{1990 + number % 37}.{drawn.randrange(12) + 1:02}.{drawn.randrange(28) + 1:02}",
        "Round": str(number + 1),
    }
    return _TAG.sub(lambda tag: f'[{tag[1]} "{told.get(tag[1]) or f"Player {next(people):03}"}"]', text)


# --- searches ---


def _by_player(store: Store) -> Iterator[tuple[Callable[[], object], str]]:
    """Yield searches for random players without end, each with the id of a game that the rival opens."""
    drawn = random.Random(SEED)
    people = [name for (name,) in store.index.rows("SELECT name FROM people WHERE name LIKE 'Player %' ORDER BY name")]
    ids = [id for (id,) in store.index.rows("SELECT id FROM games ORDER BY number LIMIT 1000")]
    while True:
        query = Query(player=(drawn.choice(people),))
        yield partial(api.search, store, query, limit=50), drawn.choice(ids)


def _by_position(store: Store) -> Iterator[tuple[Callable[[], object], str]]:
    """Yield searches for positions from everywhere in games, without end, each with the id of the game.

    Every fourth is for what a seat knew.

    They do not end; nor do those by player.
    """
    drawn = random.Random(SEED)
    ids = [id for (id,) in store.index.rows("SELECT id FROM games WHERE plies > 0 ORDER BY number LIMIT 1000")]
    for number in count():
        id = drawn.choice(ids)
        record = api.record_of(store, id)
        at = drawn.randrange(len(record.line.words))
        seat = (_speaker(record, at) or None) if number % 4 == 0 else None
        yield partial(api.find_position, store, record, at, viewer=viewer_of_seat(seat), limit=50), id


def _speaker(record: Record, at: int) -> int:
    """Return a seat that may speak after so many plies, 0 where only the table does."""
    heading = read_heading(record)
    assert heading.game is not None
    assert heading.sheet is not None
    state = heading.game.rules.setup(heading.sheet)
    for step in steps(heading.game, state, record.line.words[:at], heading.sheet.seats):
        state = step.after
    return max(actors(heading.game, state), default=0)


def _searching(store: Store, searches: Iterator[tuple[Callable[[], object], str]]) -> Found:
    """Return in ms the 95th percentile of these searches beside the median of opening a game, and in µs the median of
    the searches.
    """
    ours, rival = [], []
    for search, id in searches:
        start = time.perf_counter()
        found = search()
        ours.append(1000 * (time.perf_counter() - start))
        assert found
        start = time.perf_counter()
        load(store, id)
        rival.append(1000 * (time.perf_counter() - start))
    return (quantiles(ours, n=20)[-1], median(rival)), round(1000 * median(ours))
