"""The tree of openings: what was played after some first words, how often, and with which results.

The words are those of the players; what the table says, such as a deal, is left out. Only finished games count.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from cartulary.records.faults import Unfit
from cartulary.records.library.listing import DEPTH, ListedGame, listed_game
from cartulary.records.library.search import NAMES, Query, conditions_of, values_of, where
from cartulary.records.library.standings import work_out_scores
from cartulary.records.log.contract import Log
from cartulary.records.state.people import people_of


class Continuation(Struct, frozen=True):
    """A word that was played next.

    Attributes:
        word: The word; empty for games that ended there.
        games: The number of games.
        shares: By seat, the shares of the results added up.
        seasons: By year, the number of games; games without a year are under an empty text.
        ties: In how many games several seats shared the win.
    """

    word: str
    games: int
    shares: tuple[Fraction, ...]
    seasons: dict[str, int]
    ties: int = 0


class SeasonResults(Struct, frozen=True):
    """How the games of a year ended.

    Attributes:
        year: The year; empty for games without one.
        games: The number of games.
        shares: By seat, the shares of the results added up.
        ties: In how many games several seats shared the win.
    """

    year: str
    games: int
    shares: tuple[Fraction, ...]
    ties: int


class OpeningTree(Struct, frozen=True):
    """What was played after some first words.

    Attributes:
        words: The first words.
        games: The number of games that begin with them.
        next: The words that followed, the most frequent first.
        seasons: How these games ended, year by year.
    """

    words: tuple[str, ...]
    games: int
    next: tuple[Continuation, ...]
    seasons: tuple[SeasonResults, ...] = ()


def explore(store: Log, query: Query, words: Sequence[str] = ()) -> OpeningTree:
    """Return what was played after some first words in the finished games that match a query.

    If no game begins with the words, the answer has no next word and 0 games.

    Args:
        store: The store. Scores that an older version did not work out are written to its index.
        query: Which games; they must be of one kind, so the query names the game.
        words: The first words, as records have them, at most ``DEPTH - 1``; empty for the beginning.

    Raises:
        Unfit: No game is named, too many words are given, or no game can match the query; or the file is of an older
            version and can only be read.
        Declined: The index is not up to date.
    """
    if not query.game:
        raise Unfit("The words of different games are not comparable; name the game.")
    if len(words) >= DEPTH:
        raise Unfit(
            f"{len(words)} words are too many; expected at most {DEPTH - 1}, as the tree of openings is {DEPTH} deep."
        )
    work_out_scores(store)
    found, values, start = _condition(store, query, words)
    rows = store.index.rows(f"SELECT b.words, g.result, g.date {found}", values)
    return OpeningTree(tuple(words), len(rows), tuple(_continuations(rows, start)), tuple(_seasons(rows)))


def games_after(store: Log, query: Query, words: Sequence[str], limit: int) -> tuple[ListedGame, ...]:
    """Return finished games that begin with some words, the latest first, with the players as ``people`` shows them.

    Args:
        store: The store.
        query: Which games; they must be of one kind.
        words: The first words; empty for all games.
        limit: How many games at most.

    Raises:
        Unfit: No game can match the query.
        Declined: The index is not up to date.
    """
    found, values, _ = _condition(store, query, words)
    rows = store.index.rows(f"SELECT {NAMES} {found} ORDER BY g.date DESC, g.number DESC LIMIT ?", (*values, limit))
    people = people_of(store)
    return tuple(replace(game, players=people.players(game.players)) for game in map(listed_game, rows))


def _condition(store: Log, query: Query, words: Sequence[str]) -> tuple[str, tuple[object, ...], int]:
    """Return parts of a query for the games that begin with some words.

    Returns:
        What follows the columns in SQL, the values of its question marks, and the index at which the next word stands
        in their beginnings.
    """
    conditions = conditions_of(store, query)
    begin = " ".join(words)
    after = "" if not words else "AND (b.words = ? OR (b.words > ? AND b.words < ?))"
    bounds = () if not words else (begin, f"{begin} ", f"{begin}!")
    found = f"FROM beginnings b JOIN games g ON g.number = b.number WHERE {where(conditions)} {after}"
    return found, (*values_of(conditions), *bounds), len(begin) + 1 if words else 0


def _continuations(rows: Iterable[Sequence[str]], start: int) -> Iterator[Continuation]:
    """Yield the words that stand at a place of the beginnings, the most frequent first, then in alphabetical order.

    Args:
        rows: For each game the first words, the result and the date.
        start: The index in the text of the first words at which the next word begins; a text that ends before it is
            counted under an empty word.
    """
    games: dict[str, list[Sequence[str]]] = defaultdict(list)
    for row in rows:
        games[row[0][start:].partition(" ")[0]].append(row)
    for word, some in sorted(games.items(), key=lambda item: (-len(item[1]), item[0])):
        seasons: dict[str, int] = defaultdict(int)
        for row in some:
            seasons[_year(row)] += 1
        yield Continuation(word, len(some), _shares(some), dict(sorted(seasons.items())), _ties(some))


def _seasons(rows: Iterable[Sequence[str]]) -> Iterator[SeasonResults]:
    """Yield how the games of each year ended, in the order of the years; games without a year come first.

    ``rows`` have for each game its first words, result and date.
    """
    by_year: dict[str, list[Sequence[str]]] = defaultdict(list)
    for row in rows:
        by_year[_year(row)].append(row)
    for year, some in sorted(by_year.items()):
        yield SeasonResults(year, len(some), _shares(some), _ties(some))


def _year(row: Sequence[str]) -> str:
    """Return the year of a game, which is a row of first words, result and date; empty if it has none."""
    year = row[2][:4]
    return year if year.isdecimal() else ""


def _shares(rows: Iterable[Sequence[str]]) -> tuple[Fraction, ...]:
    """Return by seat the shares of the results, added up; games with the result ``*`` add nothing.

    ``rows`` have for each game its first words, result and date. Without a decided game the answer is empty.
    """
    shares: list[Fraction] = []
    for result, many in Counter(row[1] for row in rows).items():
        won = [Fraction(share) for share in result.split("-")] if result != "*" else []
        shares += [Fraction(0)] * (len(won) - len(shares))
        for seat, share in enumerate(won):
            shares[seat] += share * many
    return tuple(shares)


def _ties(rows: Iterable[Sequence[str]]) -> int:
    """Return in how many games several seats shared the win, which is where the result, the second value of a row, has
    a ``/``.
    """
    return sum("/" in row[1] for row in rows)


def tree_fields(tree: OpeningTree) -> dict[str, object]:
    """Return a tree of openings as fields for JSON, named as its attributes; shares are exact fractions such as
    ``"7/2"``.
    """
    following = [
        {
            "word": each.word,
            "games": each.games,
            "shares": [str(share) for share in each.shares],
            "seasons": each.seasons,
            "ties": each.ties,
        }
        for each in tree.next
    ]
    seasons = [
        {"year": each.year, "games": each.games, "shares": list(map(str, each.shares)), "ties": each.ties}
        for each in tree.seasons
    ]
    return {"words": tree.words, "games": tree.games, "next": following, "seasons": seasons}
