"""Games that were entered twice: found by their moves, or by who played when and moves that hardly differ.

Nothing is taken away: two tables may well have played the same moves. A person looks at the pairs, and decides.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from cartulary.notation import NotationError
from cartulary.notation.roster import find_game
from cartulary.records.faults import Fault
from cartulary.records.library.listing import ListedGame, listed_of
from cartulary.records.library.search import NAMES, folded, whole
from cartulary.records.log.schema import COLUMNS
from cartulary.records.log.store import Store
from cartulary.records.state.fold import book_of

TELLING = 10
"""From how many plies on the same moves are no chance, whoever played."""
SLIPS = 3
"""In how many plies two sheets of one game may differ."""
CROWD = 60
"""How many games of the same players on one day are held against one another all; of more, those that begin alike."""
_OPENING = 4


class Pair(Struct, frozen=True):
    """Two games that may be one, the one begun first first.

    kind: ``same`` (moves and players), ``moves`` (the same, of other players or with other names), ``longer`` (one goes
    on where the other ends), ``differs`` (a few plies do)
    differs: in how many plies; 0 for the same moves
    """

    kind: str
    first: ListedGame
    second: ListedGame
    differs: int


def duplicates(store: Store) -> Iterator[Pair]:
    """Yield every pair of games that may be the same one: those with the same moves, then those nearly so.

    Of more than two games with the same moves each is held against the first. Nearly the same are games of one kind,
    of the same players in whatever seats, on the same day.
    Raises Declined where the read model is not up to date.
    """
    whole(store)
    yield from _with_the_same_moves(store)
    yield from _nearly_the_same(store)


def twins(store: Store, ids: Iterable[str]) -> list[tuple[str, ...]]:
    """Return of each of these games the ids of those with the same moves that came before it, the first one first."""
    with store.index.snapshot() as query_rows:
        answers = (query_rows(_TWINS, (id,)) for id in ids)
        return [tuple(_alike_before(rows)) if rows else () for rows in answers]


_TWINS = (
    f"SELECT {NAMES}, {NAMES.replace('g.', 'h.')} FROM games h JOIN games g ON g.moves = h.moves "
    "AND g.number < h.number WHERE h.id = ? ORDER BY g.number"
)


def _alike_before(rows: Sequence[Sequence[object]]) -> Iterator[str]:
    own = listed_of(rows[0][len(COLUMNS) :])
    for row in rows:
        other = listed_of(row[: len(COLUMNS)])
        if _kind(own, other):
            yield other.id


def _kind(first: ListedGame, second: ListedGame) -> str:
    """Return what two games with the same moves are; empty where chance can have made so few moves alike."""
    if people(first) == people(second) and people(first):
        return "same"
    return "moves" if first.plies >= TELLING else ""


def people(game: ListedGame) -> tuple[str, ...]:
    """Return who played, without capitals, accents and seats; nobody where a name is not known."""
    names = sorted(folded(name) for name in game.players.split("; "))
    return () if "?" in names or "" in names else tuple(names)


def _with_the_same_moves(store: Store) -> Iterator[Pair]:
    rows = store.index.rows(
        f"SELECT g.moves, {NAMES} FROM games g WHERE g.moves IN "
        "(SELECT moves FROM games WHERE moves IS NOT NULL GROUP BY moves HAVING COUNT(*) > 1) "
        "ORDER BY (SELECT MIN(number) FROM games h WHERE h.moves = g.moves), g.number"
    )
    first: ListedGame | None = None
    moves = None
    for row in rows:
        game = listed_of(row[1:])
        if first is None or row[0] != moves:
            first, moves = game, row[0]
        elif kind := _kind(first, game):
            yield Pair(kind, first, game, 0)


# --- nearly ---


def _nearly_the_same(store: Store) -> Iterator[Pair]:
    evenings: dict[tuple[str, ...], list[tuple[int, ListedGame]]] = defaultdict(list)
    rows = store.index.rows(
        f"SELECT g.number, {NAMES}, g.moves FROM games g WHERE g.plies > 0 AND g.date NOT LIKE '%?%' AND g.date <> '' "
        "ORDER BY g.number"
    )
    for row in rows:
        game = listed_of(row[1 : len(COLUMNS) + 1])
        if who := people(game):
            evenings[game.game, game.date, *who].append((row[-1], game))
    for evening in evenings.values():
        if len(evening) > 1:
            yield from _alike(store, evening)


def _alike(store: Store, evening: list[tuple[int, ListedGame]]) -> Iterator[Pair]:
    """Yield the pairs of one day and the same players whose moves hardly differ; not those with the same moves."""
    words = [(moves, game, *_played(store, game.id)) for moves, game in evening]
    for (moves, first, start, one), (others, second, another, two) in combinations(words, 2):
        if moves == others or start != another or (len(words) > CROWD and one[:_OPENING] != two[:_OPENING]):
            continue
        short, long = sorted((one, two), key=len)
        if long[: len(short)] == short:
            # A few moves alike only say that the same players began alike.
            if short and len(short) >= min(TELLING, len(long) / 2):
                yield Pair("longer", first, second, len(long) - len(short))
        elif len(short) > SLIPS * 2 and (far := distance(one, two, SLIPS)) is not None:
            yield Pair("differs", first, second, far)


def _played(store: Store, id: str) -> tuple[str, tuple[str, ...]]:
    """Return the set-up of a game, empty for the usual one, and its words; no words of one that cannot be read."""
    try:
        book = book_of(id, store.stream(id))
        tags = dict(book.sheet)
        start = tags.get(find_game(tags.get("Game", "")).setup_tag, "")
        return start, tuple(ply.text for ply in book.plies)
    except (Fault, NotationError):
        return "", ()


def distance(one: tuple[str, ...], two: tuple[str, ...], most: int) -> int | None:
    """Return how many words have to be changed, put in or left out to make one of the other; None for more than most.

    Only what lies within ``most`` of the same place is held against one another, so long games cost little.
    """
    if abs(len(one) - len(two)) > most:
        return None
    before = {at: at for at in range(most + 1)}
    for i, word in enumerate(one, 1):
        now: dict[int, int] = {}
        for j in range(max(0, i - most), min(len(two), i + most) + 1):
            ways = [before[j] + 1] if j in before else []
            if j:
                if j - 1 in now:
                    ways.append(now[j - 1] + 1)
                if j - 1 in before:
                    ways.append(before[j - 1] + (word != two[j - 1]))
            now[j] = min(ways)
        before = now
        if min(before.values()) > most:
            return None
    far = before.get(len(two), most + 1)
    return far if far <= most else None
