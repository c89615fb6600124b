"""The tree of openings: what was played after some first words, how often, and with which results.

The words are those of the players; what the table says, such as a deal, is left out. Only finished games count.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from cartulary.records.faults import Unfit
from cartulary.records.library.listing import DEPTH
from cartulary.records.library.search import Query, conditions_of, values_of, where
from cartulary.records.library.standings import work_out_scores
from cartulary.records.log.contract import Log


class Continuation(Struct, frozen=True):
    """A word that was played next.

    Attributes:
        word: The word; empty for games that ended there.
        games: The number of games.
        shares: By seat, the shares of the results added up.
        seasons: By year, the number of games; games without a year are under an empty text.
    """

    word: str
    games: int
    shares: tuple[Fraction, ...]
    seasons: dict[str, int]


class OpeningTree(Struct, frozen=True):
    """What was played after some first words.

    Attributes:
        words: The first words.
        games: The number of games that begin with them.
        next: The words that followed, the most frequent first.
    """

    words: tuple[str, ...]
    games: int
    next: tuple[Continuation, ...]


def explore(store: Log, query: Query, words: Sequence[str] = ()) -> OpeningTree:
    """Return what was played after some first words in the finished games that match a query.

    Args:
        store: The store.
        query: Which games; they must be of one kind, so the query names the game.
        words: The first words, as records have them.

    Raises:
        Unfit: No game is named, or too many words are given.
        Declined: The index is not up to date.
    """
    if not query.game:
        raise Unfit("The words of different games are not comparable; name the game.")
    if len(words) >= DEPTH:
        raise Unfit(
            f"{len(words)} words are too many; expected at most {DEPTH - 1}, as the tree of openings is {DEPTH} deep."
        )
    work_out_scores(store)
    conditions = conditions_of(store, query)
    begin = " ".join(words)
    after = "" if not words else "AND (b.words = ? OR (b.words > ? AND b.words < ?))"
    bounds = () if not words else (begin, f"{begin} ", f"{begin}!")
    rows = store.index.rows(
        "SELECT b.words, g.result, g.date FROM beginnings b JOIN games g ON g.number = b.number "
        f"WHERE {where(conditions)} {after}",
        (*values_of(conditions), *bounds),
    )
    return OpeningTree(tuple(words), len(rows), tuple(_continuations(rows, len(begin) + 1 if words else 0)))


def _continuations(rows: Iterable[Sequence[str]], start: int) -> Iterator[Continuation]:
    """Yield the words that stand at a place of the beginnings, the most frequent first.

    Args:
        rows: For each game the first words, the result and the date.
        start: The index in the text of the first words at which the next word begins.
    """
    games: dict[str, list[Sequence[str]]] = defaultdict(list)
    for row in rows:
        games[row[0][start:].partition(" ")[0]].append(row)
    for word, some in sorted(games.items(), key=lambda item: (-len(item[1]), item[0])):
        seasons: dict[str, int] = defaultdict(int)
        shares: list[Fraction] = []
        for _, result, date in some:
            seasons[date[:4] if date[:4].isdecimal() else ""] += 1
            won = [Fraction(share) for share in result.split("-")] if result != "*" else []
            shares += [Fraction(0)] * (len(won) - len(shares))
            for seat, share in enumerate(won):
                shares[seat] += share
        yield Continuation(word, len(some), tuple(shares), dict(sorted(seasons.items())))


def tree_fields(tree: OpeningTree) -> dict[str, object]:
    """Return a tree of openings as fields for JSON; shares are exact fractions such as ``7/2``."""
    following = [
        {
            "word": each.word,
            "games": each.games,
            "shares": [str(share) for share in each.shares],
            "seasons": each.seasons,
        }
        for each in tree.next
    ]
    return {"words": tree.words, "games": tree.games, "next": following}
