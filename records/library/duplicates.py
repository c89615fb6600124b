"""Games that may have been entered twice: with the same moves, with nearly the same, or without moves and scored alike.

Nothing is deleted, because two tables may well have played the same moves. A person looks at the pairs and decides.
Games that are set aside are left out, and games from different set-ups are never a pair. Players are compared under the
names that ``people`` shows.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations, groupby
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.contract import Sheet
from cartulary.notation import NotationError, read_heading
from cartulary.records.dates import is_day
from cartulary.records.faults import Fault
from cartulary.records.library.listing import ListedGame, listed_game
from cartulary.records.library.search import COUNTS, NAMES, check_complete, fold_text, knows_asides
from cartulary.records.library.standings import work_out_scores
from cartulary.records.log.contract import Log
from cartulary.records.log.schema import COLUMNS
from cartulary.records.state.fold import book_of, sheet
from cartulary.records.state.people import People, people_of

SetUp: TypeAlias = Callable[[str], Sheet[Any] | None]
"""Returns what the game of an id was set up from; None if the game cannot be read."""
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
            other ends), ``differs`` (in a few plies) or ``score`` (no moves; the same day, players and points).
        first: The game that was begun first.
        second: The other game.
        differs: The number of plies in which they differ, 0 for the same moves and for games without moves.
    """

    kind: str
    first: ListedGame
    second: ListedGame
    differs: int


def duplicates(store: Log) -> Iterator[Pair]:
    """Yield every pair of games that may be one: with the same moves, with nearly the same, and without moves.

    If more than two games are the same, each is compared with the first. Nearly the same moves count for games of the
    same kind, of the same players in any seats, on the same day. Finished games without moves are a pair if they are of
    the same day and players, and everybody has the same points and the same share of the result in both; rounds with
    different numbers are different games.

    Raises:
        Declined: The index is not up to date.
        Unfit: The file is of an older version and can only be read.
    """
    check_complete(store)
    yield from _pairs_with_same_moves(store)
    yield from _pairs_nearly_the_same(store)
    if knows_asides(store):
        work_out_scores(store)
        yield from _pairs_with_same_score(store)


def older_with_same_moves(store: Log, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return for games the ids of older ones with the same moves and set-up, the oldest first.

    Games of other players are left out if they have so few moves that these may be the same by coincidence. Games that
    are set aside do not count.

    Args:
        store: The store.
        ids: The ids of the games that are asked about.

    Returns:
        By the id of a game its older ones. A game that has none is not among the keys.
    """
    counts = _counts(store)
    asked = msgspec.json.encode(ids).decode()
    found = [id for (id,) in store.index.rows(_HAS_SAME_MOVES.format(counts), (asked,))]
    if not found:
        return {}
    people, set_up, answers = people_of(store), cache(partial(_set_up, store)), {}
    for id in found:  # one by one, because there may be very many pairs
        rows = store.index.rows(_WITH_SAME_MOVES.format(counts), (id,))
        if rows and (same := tuple(_same_games(people, set_up, rows))):
            answers[id] = same
    return answers


def _counts(store: Log) -> str:
    """Return as SQL on ``g`` the condition that a game is not set aside; ``1``, always true, if the index does not list
    those.
    """
    return COUNTS if knows_asides(store) else "1"


_HAS_SAME_MOVES = (
    "SELECT h.id FROM json_each(?) t CROSS JOIN games h ON h.id = t.value WHERE h.moves IS NOT NULL "
    "AND EXISTS (SELECT 1 FROM games g WHERE g.moves = h.moves AND g.number < h.number AND {})"
)
_WITH_SAME_MOVES = (
    f"SELECT {NAMES}, {NAMES.replace('g.', 'h.')} FROM games h JOIN games g ON g.moves = h.moves "
    "AND g.number < h.number WHERE h.id = ? AND {} ORDER BY g.number"
)


def _same_games(people: People, set_up: SetUp, rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Yield the ids of games with the same moves that are no coincidence, in the order of the rows.

    They have the same set-up, and the same players or many moves.

    Args:
        people: The names that are shown.
        set_up: Returns what the game of an id was set up from.
        rows: For each pair of games the row of the older one, followed by that of the game asked for; at least one.
    """
    own = _game(people, rows[0][len(COLUMNS) :])
    for row in rows:
        other = _game(people, row[: len(COLUMNS)])
        if _kind(own, other) and _from_same_set_up(set_up, own, other):
            yield other.id


def _game(people: People, row: Sequence[object]) -> ListedGame:
    """Return a row with the columns of COLUMNS as a line of the games list, with the players as ``people`` shows them.

    Raises Damaged if this program never wrote such a row.
    """
    game = listed_game(row)
    return replace(game, players=people.players(game.players))


def _kind(first: ListedGame, second: ListedGame) -> str:
    """Return the kind of a pair with the same moves: ``same`` for the same players, ``moves`` for others.

    It is empty if the players differ and the moves, fewer than ``NO_COINCIDENCE``, may be the same by coincidence.
    """
    if folded_players(first) == folded_players(second) and folded_players(first):
        return "same"
    return "moves" if first.plies >= NO_COINCIDENCE else ""


def folded_players(game: ListedGame) -> tuple[str, ...]:
    """Return the sorted names of the players without capitals and accents; empty if any name is not known."""
    names = sorted(fold_text(name) for name in game.players.split("; "))
    return () if "?" in names or "" in names else tuple(names)


def _from_same_set_up(set_up: SetUp, first: ListedGame, second: ListedGame) -> bool:
    """Say whether two games have the same variant and were set up alike.

    ``set_up`` returns what the game of an id was set up from, None if it cannot be read. A game that cannot be read is
    taken to be like any other of its variant.
    """
    if first.variant != second.variant:
        return False
    one, other = set_up(first.id), set_up(second.id)
    return one is None or other is None or one == other


def _pairs_with_same_moves(store: Log) -> Iterator[Pair]:
    """Yield a pair for each game with the moves and the set-up of an earlier one, with the earliest of those.

    Of other players, only games that are long enough count. Games that are set aside do not.
    """
    rows = store.index.rows(
        f"SELECT g.moves, {NAMES} FROM games g WHERE {_counts(store)} AND g.moves IN "
        "(SELECT moves FROM games WHERE moves IS NOT NULL GROUP BY moves HAVING COUNT(*) > 1) "
        "ORDER BY (SELECT MIN(number) FROM games h WHERE h.moves = g.moves), g.number"
    )
    people = people_of(store)
    for _, same in groupby(rows, lambda row: row[0]):
        firsts: list[ListedGame] = []
        set_up = cache(partial(_set_up, store))
        for game in (_game(people, row[1:]) for row in same):
            first = next((each for each in firsts if _from_same_set_up(set_up, each, game)), None)
            if first is None:
                firsts.append(game)
            elif kind := _kind(first, game):
                yield Pair(kind, first, game, 0)


# --- without moves ---


def _pairs_with_same_score(store: Log) -> Iterator[Pair]:
    """Yield a pair for each finished game without moves that is scored like an earlier one of its day and players.

    Such games have the same kind, variant, players, shares and points, and rounds that may be one. A game whose day or
    a player is not known has no pair.
    """
    people = people_of(store)
    seats: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    condition = f"g.plies = 0 AND g.closed = 1 AND g.date <> '' AND {_counts(store)}"
    for number, name, *won in store.index.rows(
        "SELECT s.number, p.name, s.share, s.points FROM scores s JOIN people p ON p.person = s.person "
        f"JOIN games g ON g.number = s.number WHERE {condition} ORDER BY s.number, s.seat"
    ):
        seats[number].append((fold_text(people.display_name(name)), *won))
    firsts: dict[Any, list[ListedGame]] = defaultdict(list)
    for row in store.index.rows(f"SELECT g.number, {NAMES} FROM games g WHERE {condition} ORDER BY g.number"):
        game = _game(people, row[1:])
        if row[0] not in seats or not folded_players(game) or not is_day(game.date):
            continue
        alike = firsts[game.game, game.variant, game.date, tuple(sorted(seats[row[0]]))]
        first = next((each for each in alike if _may_be_one_round(each.round, game.round)), None)
        if first is None:
            alike.append(game)
        else:
            yield Pair("score", first, game, 0)


def _may_be_one_round(first: str, second: str) -> bool:
    """Say whether two tags Round may mean the same; ``?``, ``-`` and an empty text may mean any round."""
    return first == second or not {first, second}.isdisjoint(("", "?", "-"))


def games_of_players(
    store: Log, tables: Iterable[tuple[str, str, str]]
) -> list[tuple[str, str, str, str, str, int, int | None, str]]:
    """Return the games of some players on a day, in the order in which they were begun.

    Args:
        store: The log.
        tables: The key of a game, or its title if nobody judges it; the day as in the tag Date; and the players as in
            the games list: ``Ann; Bea``. All must be spelled as in the list.

    Returns:
        For each game found the three of them, then id, result, plies, the digest of the moves, which is None without
        moves, and the first word, which may be empty.
    """
    rows: list[tuple[str, str, str, str, str, int, int | None, str]] = store.index.rows(
        "SELECT g.game, g.date, g.players, g.id, g.result, g.plies, g.moves, g.opening "
        "FROM json_each(?) t CROSS JOIN games g ON g.game = json_extract(t.value, '$[0]') "
        "AND g.date = json_extract(t.value, '$[1]') AND g.players = json_extract(t.value, '$[2]') ORDER BY g.number",
        (msgspec.json.encode(list(dict.fromkeys(tables))).decode(),),
    )
    return rows


# --- nearly ---


def _pairs_nearly_the_same(store: Log) -> Iterator[Pair]:
    """Yield the pairs of games of one day and the same players whose moves nearly agree.

    They must be of one kind and variant. A game whose day or a player is not known has no pair.
    """
    people = people_of(store)
    evenings: dict[tuple[str, ...], list[tuple[int, ListedGame]]] = defaultdict(list)
    rows = store.index.rows(
        f"SELECT g.number, {NAMES}, g.moves FROM games g WHERE {_counts(store)} AND g.plies > 0 AND g.date <> '' "
        "ORDER BY g.number"
    )
    for row in rows:
        game = _game(people, row[1 : len(COLUMNS) + 1])
        if (who := folded_players(game)) and is_day(game.date):
            evenings[game.game, game.variant, game.date, *who].append((row[-1], game))
    for evening in evenings.values():
        if len(evening) > 1:
            yield from _pairs_of_evening(store, evening)


def _pairs_of_evening(store: Log, evening: list[tuple[int, ListedGame]]) -> Iterator[Pair]:
    """Yield the pairs of games whose moves nearly agree, but are not the same: one goes on, or a few plies differ.

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


def _set_up(store: Log, id: str) -> Sheet[Any] | None:
    """Return what a game was set up from, which is its tags as its rules read them; None if it cannot be read."""
    return _set_up_and_words(store, id)[0]


def _set_up_and_words(store: Log, id: str) -> tuple[Sheet[Any] | None, tuple[str, ...]]:
    """Return what a game was set up from, which is its tags as its rules read them, and its words.

    If it cannot be read, they are None and empty; nothing is raised.
    """
    try:
        book = book_of(id, store.stream(id))
        return read_heading(sheet(book)).sheet, tuple(ply.text for ply in book.plies)
    except (Fault, NotationError):
        return None, ()


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
