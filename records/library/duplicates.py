"""Games that may have been entered twice: with the same moves, or of the same players and day with nearly the same.

Nothing is deleted, because two tables may well have played the same moves. A person looks at the pairs and decides.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import msgspec
from msgspec import Struct

from cartulary.notation import NotationError
from cartulary.notation.roster import find_game
from cartulary.records.faults import Fault
from cartulary.records.library.listing import ListedGame, listed_game
from cartulary.records.library.search import NAMES, check_complete, fold_text
from cartulary.records.log.contract import Log
from cartulary.records.log.schema import COLUMNS
from cartulary.records.state.fold import book_of

NO_COINCIDENCE = 10
"""From this number of plies on, the same moves are no coincidence, whoever played."""
SLIPS = 3
"""The number of plies in which two sheets of one game may differ."""
CROWD = 60
"""Up to this number, all games of the same players and day are compared; of more, only those that begin alike."""
_OPENING = 4


class Pair(Struct, frozen=True):
    """Two games that may be one.

    Attributes:
        kind: ``same`` (moves and players), ``moves`` (the same moves, other names), ``longer`` (one goes on where the
            other ends) or ``differs`` (in a few plies).
        first: The game that was begun first.
        second: The other game.
        differs: The number of plies in which they differ, 0 for the same moves.
    """

    kind: str
    first: ListedGame
    second: ListedGame
    differs: int


def duplicates(store: Log) -> Iterator[Pair]:
    """Yield every pair of games that may be one: first those with the same moves, then those with nearly the same.

    If more than two games have the same moves, each is compared with the first. Nearly the same moves count for games
    of the same kind, of the same players in any seats, on the same day.

    Raises:
        Declined: The index is not up to date.
    """
    check_complete(store)
    yield from _pairs_with_same_moves(store)
    yield from _pairs_nearly_the_same(store)


def older_with_same_moves(store: Log, ids: Iterable[str]) -> list[tuple[str, ...]]:
    """Return for each of these games the ids of older games with the same moves, the oldest first."""
    with store.index.snapshot() as query_rows:
        answers = (query_rows(_WITH_SAME_MOVES, (id,)) for id in ids)
        return [tuple(_same_games(rows)) if rows else () for rows in answers]


_WITH_SAME_MOVES = (
    f"SELECT {NAMES}, {NAMES.replace('g.', 'h.')} FROM games h JOIN games g ON g.moves = h.moves "
    "AND g.number < h.number WHERE h.id = ? ORDER BY g.number"
)


def _same_games(rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Yield the ids of games with the same moves that are no coincidence.

    Args:
        rows: For each pair of games the row of the older one, followed by that of the game asked for.
    """
    own = listed_game(rows[0][len(COLUMNS) :])
    for row in rows:
        other = listed_game(row[: len(COLUMNS)])
        if _kind(own, other):
            yield other.id


def _kind(first: ListedGame, second: ListedGame) -> str:
    """Return the kind of a pair with the same moves; empty if so few moves may be the same by coincidence."""
    if folded_players(first) == folded_players(second) and folded_players(first):
        return "same"
    return "moves" if first.plies >= NO_COINCIDENCE else ""


def folded_players(game: ListedGame) -> tuple[str, ...]:
    """Return the sorted names of the players without capitals and accents; nothing if a name is not known."""
    names = sorted(fold_text(name) for name in game.players.split("; "))
    return () if "?" in names or "" in names else tuple(names)


def _pairs_with_same_moves(store: Log) -> Iterator[Pair]:
    """Yield a pair for each game that has the same moves as an earlier one, with the earliest of those."""
    rows = store.index.rows(
        f"SELECT g.moves, {NAMES} FROM games g WHERE g.moves IN "
        "(SELECT moves FROM games WHERE moves IS NOT NULL GROUP BY moves HAVING COUNT(*) > 1) "
        "ORDER BY (SELECT MIN(number) FROM games h WHERE h.moves = g.moves), g.number"
    )
    first: ListedGame | None = None
    moves = None
    for row in rows:
        game = listed_game(row[1:])
        if first is None or row[0] != moves:
            first, moves = game, row[0]
        elif kind := _kind(first, game):
            yield Pair(kind, first, game, 0)


def games_of_day(
    store: Log, game: str, date: str, players: Sequence[str]
) -> list[tuple[str, str, str, int, int | None, str]]:
    """Return the games of a kind and a day whose players are among those given, the oldest first.

    Args:
        store: The log.
        game: The key of the game, or its title if nobody judges it.
        date: The day as in the tag Date.
        players: The players of one game each, as in the games list: ``Ann; Bea``.

    Returns:
        Id, players, result, plies, the digest of the moves and the first word of each game.
    """
    rows: list[tuple[str, str, str, int, int | None, str]] = store.index.rows(
        "SELECT id, players, result, plies, moves, opening FROM games WHERE game = ? AND date = ? "
        "AND players IN (SELECT value FROM json_each(?)) ORDER BY number",
        (game, date, msgspec.json.encode(players).decode()),
    )
    return rows


# --- nearly ---


def _pairs_nearly_the_same(store: Log) -> Iterator[Pair]:
    """Yield the pairs of games of one day and the same players whose moves nearly agree."""
    evenings: dict[tuple[str, ...], list[tuple[int, ListedGame]]] = defaultdict(list)
    rows = store.index.rows(
        f"SELECT g.number, {NAMES}, g.moves FROM games g WHERE g.plies > 0 AND g.date NOT LIKE '%?%' AND g.date <> '' "
        "ORDER BY g.number"
    )
    for row in rows:
        game = listed_game(row[1 : len(COLUMNS) + 1])
        if who := folded_players(game):
            evenings[game.game, game.date, *who].append((row[-1], game))
    for evening in evenings.values():
        if len(evening) > 1:
            yield from _pairs_of_evening(store, evening)


def _pairs_of_evening(store: Log, evening: list[tuple[int, ListedGame]]) -> Iterator[Pair]:
    """Yield the pairs whose moves nearly agree, but are not the same.

    Args:
        store: The store.
        evening: Games of one kind, day and the same players, each after the digest of its moves. If they are more than
            ``CROWD``, only those that begin alike are compared.
    """
    words = [(moves, game, *_set_up_and_words(store, game.id)) for moves, game in evening]
    for (moves, first, set_up, first_words), (others, second, second_start, second_words) in combinations(words, 2):
        if (
            moves == others
            or set_up != second_start
            or (len(words) > CROWD and first_words[:_OPENING] != second_words[:_OPENING])
        ):
            continue
        short, long = sorted((first_words, second_words), key=len)
        if long[: len(short)] == short:
            # If only a few moves agree, the same players just began in the same way.
            if short and len(short) >= min(NO_COINCIDENCE, len(long) / 2):
                yield Pair("longer", first, second, len(long) - len(short))
        elif len(short) > SLIPS * 2 and (edits := distance(first_words, second_words, SLIPS)) is not None:
            yield Pair("differs", first, second, edits)


def _set_up_and_words(store: Log, id: str) -> tuple[str, tuple[str, ...]]:
    """Return the set-up of a game, empty for the usual one, and its words. Both are empty if it cannot be read."""
    try:
        book = book_of(id, store.stream(id))
        tags = dict(book.sheet)
        set_up = tags.get(find_game(tags.get("Game", "")).setup_tag, "")
        return set_up, tuple(ply.text for ply in book.plies)
    except (Fault, NotationError):
        return "", ()


def distance(first: tuple[str, ...], second: tuple[str, ...], most: int) -> int | None:
    """Return how many words have to be changed, inserted or removed to turn one list into the other.

    This is the edit distance. Only words at most ``most`` places apart are compared, so long games cost little.

    Args:
        first: The words of one game.
        second: The words of the other.
        most: The largest distance of interest.

    Returns:
        The distance, None if it is larger than ``most``.
    """
    if abs(len(first) - len(second)) > most:
        return None
    before = {at: at for at in range(most + 1)}
    for i, word in enumerate(first, 1):
        now: dict[int, int] = {}
        for j in range(max(0, i - most), min(len(second), i + most) + 1):
            distances = [before[j] + 1] if j in before else []
            if j:
                if j - 1 in now:
                    distances.append(now[j - 1] + 1)
                if j - 1 in before:
                    distances.append(before[j - 1] + (word != second[j - 1]))
            now[j] = min(distances)
        before = now
        if min(before.values()) > most:
            return None
    edits = before.get(len(second), most + 1)
    return edits if edits <= most else None
