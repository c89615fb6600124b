"""Finished games by what is known of their results: the game, the day, and what each person came to."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

import msgspec

from cartulary.records.dates import is_day
from cartulary.records.library.search import COUNTS, fold_text
from cartulary.records.library.standings import game_key, work_out_scores
from cartulary.records.log.contract import Log
from cartulary.records.log.schema import COLUMNS, Lines
from cartulary.records.state.people import People, people_of

Content: TypeAlias = tuple[str, str, tuple[tuple[str, str], ...]]
"""The key of the game, the day, and each person with the points or, where none are counted, the place; sorted."""
_GAME, _DATE = list(COLUMNS).index("game"), list(COLUMNS).index("date")
_ROWS = (
    "SELECT g.id, g.game, g.date, s.since, p.name, s.points, s.place FROM scores s "
    "JOIN games g ON g.number = s.number JOIN people p ON p.person = s.person "
    "WHERE g.closed = 1 AND {} ORDER BY g.number, s.seat, s.since"
)


def content_of_rows(rows: Lines, people: People) -> Content:
    """Return the content of a game, which is what is known of its result, from its rows in the index.

    It is a tuple of the game, the date, and pairs of a name and its points or place. Names are those that ``people``
    shows, without capitals and accents; there are none if the game is not finished.
    """
    seats = [(name, points, place) for _, _, name, _, points, place in rows.scores]
    return _content(str(rows.row[_GAME]), str(rows.row[_DATE]), seats, people)


def is_telling(content: Content) -> bool:
    """Say whether two games with this content may be one: the day is known, and so is everybody's name.

    A content is a tuple of the game, the date, and pairs of a name and its points or place.
    """
    _, date, seats = content
    return is_day(date) and bool(seats) and all(name not in ("", "?") for name, _ in seats)


def contents_by_id(store: Log, ids: Iterable[str]) -> dict[str, Content]:
    """Return what is known of the results of these games, by id.

    Games that are unknown, not finished, or in which somebody took over a seat, are left out.

    Raises:
        Declined: The index is not up to date.
        Unfit: The file is of an older version and can only be read.
    """
    work_out_scores(store)
    people = people_of(store)
    return dict(_contents(store, people, "g.id IN (SELECT value FROM json_each(?))", sorted(set(ids))))


def games_by_content(store: Log, contents: Iterable[Content]) -> dict[Content, list[str]]:
    """Return the ids of the games that have one of these contents, by content, the oldest first.

    A content that no game has is not among the keys, and neither is one of which ``is_telling`` is false. Games that
    are set aside are left out.

    Raises:
        Declined: The index is not up to date.
        Unfit: The file is of an older version and can only be read.
    """
    work_out_scores(store)
    people = people_of(store)
    wanted = {content for content in contents if is_telling(content)}
    alike: dict[Content, list[str]] = {}
    for date in sorted({date for _, date, _ in wanted}):
        for id, content in _contents(store, people, f"g.date = ? AND {COUNTS}", date):
            if content in wanted:
                alike.setdefault(content, []).append(id)
    return alike


def _contents(store: Log, people: People, condition: str, value: Any) -> Iterator[tuple[str, Content]]:
    """Yield id and content of the finished games that fulfil a condition in SQL, without those in which a seat was
    taken over.

    ``value`` is what stands for the question mark in the condition; a list stands for its JSON.
    """
    bound = msgspec.json.encode(value).decode() if isinstance(value, list) else value
    for (id, game, date), group in groupby(store.index.rows(_ROWS.format(condition), (bound,)), itemgetter(0, 1, 2)):
        rows = list(group)
        if not any(row[3] for row in rows):
            yield id, _content(game, date, [row[4:] for row in rows], people)


def _content(game: str, date: str, seats: Sequence[Sequence[Any]], people: People) -> Content:
    """Return the content of a game: its key, its date, and sorted pairs of a folded name and the points.

    If not everybody has points, places are in their stead. ``seats`` has the name, points and place of each; who sat
    out the whole game is left out.
    """
    # Whoever sat out the whole game has neither points nor a place.
    seats = [seat for seat in seats if seat[1] or seat[2]] or seats
    counted = all(points for _, points, _ in seats)
    named = ((fold_text(people.display_name(name)), points if counted else str(place)) for name, points, place in seats)
    return game_key(game), date, tuple(sorted(named))
