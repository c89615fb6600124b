"""Searching the archive by player, date, game, result, verdict, finding, ruling and comment.

A *query* names what a game must match, all of it at once. A *hit* is the line of a game in the list, with the place
that was found. Everything is looked up in the index; no game is loaded.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from cartulary.engine.calls import CALL_CLAUSES, NO_OFFER
from cartulary.notation import NotationError, find_game
from cartulary.notation.arbiter.ruling_commands import DECISIONS
from cartulary.notation.cgn.scanner import RESULT
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.dates import read_date, readings
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.listing import ListedGame, listed_game
from cartulary.records.log.contract import Log
from cartulary.records.log.index import IndexedGames
from cartulary.records.log.schema import COLUMNS, REINDEXING
from cartulary.records.state.fold import book_of
from cartulary.records.state.games import events_of
from cartulary.records.state.people import NOBODY_MERGED, people_of
from cartulary.records.texts import keepable, no_game, one_spelling

VERDICTS = ("legal", "undecided", "irregular", "unjudged", "unreadable")
NO_GAMES_OWN = frozenset(
    ("cgn.syntax", "cgn.ambiguous", "cgn.mark", "cgn.number", "record.impossible", "record.result", "record.tag")
)
"""The keys of findings that belong to no game."""
FEW = 5000
"""Up to this number, the games that match an indexed condition are sorted; more are read in the order of the list."""

OFTEN = 50_000
"""If words are in more comments than this, games are read in the order of the list."""

MOST_WORDS = 50
"""The largest number of words in one search of comments."""

_YEAR = re.compile(r"[0-9]{4}")
_KEY = re.compile(r"[a-z0-9-]+\.[a-z0-9-]+")
_WORDS = re.compile(r'"([^"]*)"(\*?)|([^\s"]+)')
_HIGHEST = "\U0010ffff"
_MARKS = "\u200e\u200f\u061c"
"""Marks of writing direction, which mean nothing at the ends of a name."""

# --- types ---


class Query(Struct, frozen=True, kw_only=True):
    """What a game must match. An empty field matches any game.

    Attributes:
        game: Its key or title.
        variant: The variant that it was played in, as in the Variant tag.
        player: Parts of names, in any capitals and accents. Each of them must have played.
        event: The event, or a part of it if no event has that whole name, in any capitals and accents.
        date: ``2026``, ``2026.11``, ``2026.11.20``, or a range such as ``2025..2026.06``, which may be open at an end.
        result: The result, as in the Result tag.
        verdict: One of VERDICTS.
        finding: The key of a rule, or one of NO_GAMES_OWN.
        ruling: One of DECISIONS, or the key of a rule that a ruling cites.
        text: Words that are all in one comment. ``"so and so"`` is a phrase, ``word*`` a beginning.
        aside: Whether games that are set aside match: False if they do not, True if no other games do, None if all do.
        live: A time as events have it. It matches open games, and closed ones that were written to since.
    """

    game: str = ""
    variant: str = ""
    player: tuple[str, ...] = ()
    event: str = ""
    date: str = ""
    result: str = ""
    verdict: str = ""
    finding: str = ""
    ruling: str = ""
    text: str = ""
    live: str = ""
    aside: bool | None = False


class Hit(Struct, frozen=True):
    """A game that was found.

    Attributes:
        game: Its line of the games list.
        ply: The ply that was found, 0 for a comment on the game as a whole, -1 if no ply was looked for.
        passage: The text that was found there; empty if no comment was looked for.
    """

    game: ListedGame
    ply: int = -1
    passage: str = ""


class Condition(Struct, frozen=True):
    """One part of a query as SQL on ``games``.

    Attributes:
        sql: The condition.
        values: Its values.
        indexed: True if an index of the database finds the games.
    """

    sql: str
    values: tuple[object, ...]
    indexed: bool = False


EVERY_GAME = Query()

# --- searching ---


def search(
    store: Log,
    query: Query = EVERY_GAME,
    *,
    limit: int | None = None,
    offset: int = 0,
    viewer: Viewer = EVERYTHING,
) -> tuple[tuple[Hit, ...], bool]:
    """Return the games that match a query, the one written to last first.

    If the query looks for words, there is a hit for each comment that has them, so that a game may have several.

    Args:
        store: The store.
        query: What they must match.
        limit: The largest number of hits to return; None for all.
        offset: How many hits to skip.
        viewer: Who asks. A seat may not search for what could tell it more than it knows, and is not shown it.

    Returns:
        The hits, and whether there are more.

    Raises:
        Unfit: No game can match the query, there is no such page, or a seat may not ask it.
        Declined: The index is not up to date.
    """
    check_page(limit, offset)
    if viewer.seat is not None:
        fit_for_a_seat(query)
        hits, more = search(store, query, limit=limit, offset=offset)
        return tuple(seen_hit(store, hit) for hit in hits), more
    if query.text:
        return _search_comments(store, query.text, conditions_of(store, replace(query, text="")), limit, offset)
    conditions = conditions_of(store, query)
    order = _order(store, conditions)
    rows = store.index.rows(
        f"SELECT {NAMES} FROM games g WHERE {where(conditions)} ORDER BY {order} LIMIT ? OFFSET ?",
        (*values_of(conditions), -1 if limit is None else limit + 1, offset),
    )
    return _page(_with_people(store, [Hit(listed_game(row)) for row in rows]), limit)


def _with_people(store: Log, hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the hits in their order, with the players under the names that ``people`` shows for them."""
    people = people_of(store)
    if not people.into:
        return tuple(hits)
    return tuple(replace(hit, game=replace(hit.game, players=people.players(hit.game.players))) for hit in hits)


_SEEN_FIELDS = ("id", "game", "event", "site", "date", "round", "players", "ply")
"""The fields of a hit that a seat is shown."""


def hit_fields(hit: Hit, placed: bool, seen: bool = False) -> dict[str, object]:
    """Return the fields of a hit for JSON: those of its line of the games list, the ply and the passage.

    The ply is left out if none was looked for, and the passage if there is none.

    Args:
        hit: The hit.
        placed: Whether it was found by position, so that it has no passage.
        seen: Whether only the fields are returned that a seat is shown: id, game, event, site, date, round, players and
            ply. So they are, too, if the hit has no verdict, as ``seen_hit`` leaves it of a game with hidden cards.
    """
    fields: dict[str, object] = to_builtins(hit.game)
    if hit.ply >= 0:
        fields["ply"] = hit.ply
    if not placed and hit.passage:
        fields["passage"] = hit.passage
    return {name: fields[name] for name in _SEEN_FIELDS if name in fields} if seen or not hit.game.verdict else fields


def fit_for_a_seat(query: Query) -> None:
    """Do nothing if a seat may ask a query without learning more than it knew from the games that match.

    Raises:
        Unfit: The query looks for a result, a verdict, a finding, a ruling or the words of a comment.
    """
    if query.result or query.verdict or query.finding or query.ruling or query.text:
        raise Unfit(
            "A search limited to what a seat knew cannot use results, verdicts, findings, rulings or comments: they may"
            " reveal more. Leave them out."
        )


def seen_hit(store: Log, hit: Hit) -> Hit:
    """Return what any seat may be shown of a hit: everything if all cards of the game lie open.

    Of a quiet record, one whose verdicts are withheld while it is open, nothing is shown that the rules say: its result
    is ``*``, its verdict ``quiet``. Of a game with hidden cards, only what stands in its heading is shown, and the ply.
    The passage of a comment remains only where everything is shown.
    """
    if face_up(hit.game.game, hit.game.verdict):
        if hit.game.closed or not book_of(hit.game.id, events_of(store, hit.game.id)).quiet:
            return hit
        return Hit(replace(hit.game, result="*", verdict="quiet", findings=0), hit.ply)
    game = replace(
        hit.game, result="", plies=0, verdict="", findings=0, closed=False, version=0, digest="", last_written=""
    )
    return Hit(game, hit.ply)


def face_up(game: str, verdict: str) -> bool:
    """Say whether all cards of a game lie open, so that nothing in its record is hidden from a seat.

    A game that is not installed or not judged may hide some, so the answer is no.

    Args:
        game: The key of the game.
        verdict: The verdict on the record.
    """
    try:
        return verdict != "unjudged" and find_game(game).hidden.face_up
    except NotationError:
        return False


def ids(store: Log, query: Query = EVERY_GAME) -> tuple[str, ...]:
    """Return the ids of the games that match a query, in the order in which they were begun.

    Raises:
        Unfit: No game can match the query.
        Declined: The index is not up to date.
    """
    conditions = conditions_of(store, query)
    rows = store.index.rows(
        f"SELECT {ID} FROM games g WHERE {where(conditions)} ORDER BY g.number", values_of(conditions)
    )
    return tuple(row[0] for row in rows)


ID = "CAST(IFNULL(g.id, '') AS TEXT)"
"""The id of a game, as text even in a damaged file."""
NAMES = ", ".join(f"g.{name}" for name in COLUMNS)
_HAS_COMMENT = "g.number IN (SELECT rowid >> 16 FROM comments WHERE comments MATCH ?)"


def _search_comments(
    store: Log, text: str, conditions: tuple[Condition, ...], limit: int | None, offset: int
) -> tuple[tuple[Hit, ...], bool]:
    """Return a page of the comments that hold the words of a text, those of the game written to last first.

    Args:
        store: The store.
        text: The words to look for, all of which a comment must hold; quoted ones stand as a phrase.
        conditions: What else must be true of the games.
        limit: The largest number of hits to return; None for all.
        offset: How many hits to skip.

    Returns:
        The hits, each with its ply and some words of its comment around those found, and whether there are more.

    Raises:
        Unfit: A quotation mark has no partner, or there is no word or too many.
    """
    words, stop = full_text_query(text), -1 if limit is None else limit + 1
    games: str = _COMMENTS
    numbers: tuple[str, ...] = ()
    with store.index.snapshot() as query_rows:
        if limit is not None and "*" not in words and query_rows(_OFTEN, (words, OFTEN)):
            # Most games match, so reading the list from its beginning soon finds enough of them.
            listed = f"SELECT g.number FROM games g WHERE EXISTS ({_OWN_COMMENT}) AND {where(conditions)}"
            last = query_rows(f"{listed} {_NEWEST_FIRST} LIMIT ?", (words, *values_of(conditions), offset + stop))
            games, numbers = _COMMENTS_OF, (msgspec.json.encode([number for (number,) in last]).decode(),)
        rows = query_rows(
            f"SELECT {NAMES}, c.rowid & 65535, snippet(comments, 0, '', '', '…', 12) {games} "
            f"WHERE comments MATCH ? AND {where(conditions)} {_NEWEST_FIRST}, c.rowid LIMIT ? OFFSET ?",
            (*numbers, words, *values_of(conditions), stop, offset),
        )
    return _page(_with_people(store, [Hit(listed_game(row[:-2]), row[-2], row[-1]) for row in rows]), limit)


_NEWEST_FIRST = "ORDER BY g.updated DESC, g.id"
_OFTEN = "SELECT 1 FROM comments WHERE comments MATCH ? LIMIT 1 OFFSET ?"
_OWN = "BETWEEN g.number << 16 AND g.number << 16 | 65535"
_OWN_COMMENT = f"SELECT 1 FROM comments WHERE comments MATCH ? AND rowid {_OWN}"
_COMMENTS = "FROM comments c CROSS JOIN games g ON g.number = c.rowid >> 16"
_COMMENTS_OF = f"FROM json_each(?) CROSS JOIN games g ON g.number = value CROSS JOIN comments c ON c.rowid {_OWN}"


def check_page(limit: int | None, offset: int) -> None:
    """Do nothing if a page of hits is possible: at most ``limit`` of them, None for all, after ``offset`` are skipped.

    Raises:
        Unfit: The limit is below 1, or the offset below 0.
    """
    if limit is not None and limit < 1:
        raise Unfit(f"A page cannot hold {limit} games; expected 1 or more.")
    if offset < 0:
        raise Unfit(f"{offset} games cannot be skipped; expected 0 or more.")


def _page(hits: tuple[Hit, ...], limit: int | None) -> tuple[tuple[Hit, ...], bool]:
    """Return the first ``limit`` hits, and whether there are more; None returns all of them and False.

    To know whether there are more, ``hits`` must hold at least one beyond the limit if there is one.
    """
    return (hits, False) if limit is None else (hits[:limit], len(hits) > limit)


def where(conditions: tuple[Condition, ...]) -> str:
    """Return conditions joined with AND, as the expression after WHERE; ``1``, which is always true, if there are
    none.
    """
    return " AND ".join(each.sql for each in conditions) or "1"


def values_of(conditions: tuple[Condition, ...]) -> tuple[object, ...]:
    """Return the values of all conditions in one tuple, in the order in which their SQL from ``where`` needs them."""
    return tuple(value for each in conditions for value in each.values)


def _order(store: Log, conditions: tuple[Condition, ...]) -> str:
    """Return what follows ORDER BY in SQL for the list: what was written to last first, then by id.

    A ``+`` before it keeps SQLite from reading the whole list if a condition on an index of the database matches few
    games.
    """
    for each in conditions:
        if each.indexed:
            sql = f"SELECT COUNT(*) FROM (SELECT 1 FROM games g WHERE {each.sql} LIMIT {FEW + 1})"
            if store.index.rows(sql, each.values)[0][0] <= FEW:
                return "+g.updated DESC, g.id"
    return "g.updated DESC, g.id"


# --- queries as conditions ---


def conditions_of(store: IndexedGames, query: Query) -> tuple[Condition, ...]:
    """Return a query as conditions, all of which a game must fulfil; their tables call the games ``g``.

    Raises:
        Unfit: No game can match it, such as for a name or date that cannot be, or a text has control characters.
        Declined: The index is not up to date.
    """
    every_game = replace(query, aside=False) == EVERY_GAME
    if not every_game:
        words = (query.game, query.variant, query.event, query.date, query.finding, query.ruling, query.text)
        for text in (*words, *query.player):
            keepable(text, "What is looked for")
    check_complete(store, listing=every_game)
    return tuple(_conditions(store, query))


def _conditions(store: IndexedGames, query: Query) -> Iterator[Condition]:
    """Yield a condition for each field of a query that is not empty. Raises Unfit if no game can match.

    Games that are set aside are left out by a condition too, unless the query wants them or the index does not list
    them.
    """
    if query.aside is not None and (query.aside or knows_asides(store)):
        yield Condition("g.number IN (SELECT number FROM set_aside)" if query.aside else COUNTS, ())
    if query.game:
        games = _listed_keys(store, query.game)
        yield Condition("g.game = ?" if len(games) == 1 else f"g.game IN ({', '.join('?' * len(games))})", games)
    if query.variant:
        yield Condition("g.variant = ?", (query.variant,))
    for player in query.player:
        people = _people_named(store, player)
        named = "person IN (SELECT person FROM people WHERE name IN (SELECT value FROM json_each(?)))"
        sat, values = f"SELECT number FROM seats WHERE {named}", [people]
        if knows_asides(store):
            # Those who took over a seat have rows in the scores alone.
            sat, values = f"{sat} UNION SELECT number FROM scores WHERE {OF_SUBSTITUTES} AND {named}", [people, people]
        yield Condition(f"g.number IN ({sat})", tuple(values), indexed=True)
    if query.event:
        events = _names_with(store, _EVENTS, query.event, "event", prefers_whole=True)
        yield Condition("g.event IN (SELECT value FROM json_each(?))", (events,), indexed=True)
    if query.date:
        yield Condition("g.date BETWEEN ? AND ?", _date_range(query.date), indexed=True)
    if query.result:
        if not RESULT.fullmatch(query.result):
            raise Unfit(f"{query.result!r} is not a result; expected one such as 1-0, 1/2-1/2 or *.")
        yield Condition("g.result = ?", (query.result,))
    if query.verdict:
        if query.verdict not in VERDICTS:
            raise Unfit(f"{query.verdict!r} is not a verdict; expected one of: {', '.join(VERDICTS)}.")
        yield Condition("g.verdict = ?", (query.verdict,))
    if query.finding:
        _check_key(store, query.finding)
        sql = "g.number IN (SELECT number FROM findings WHERE key = ?)"
        yield Condition(sql, (query.finding,), indexed=True)
    if query.ruling:
        if query.ruling not in DECISIONS:
            _check_key(store, query.ruling, f", nor a decision ({', '.join(DECISIONS)})")
        column = "decision" if query.ruling in DECISIONS else "key"
        sql = f"g.number IN (SELECT number FROM rulings WHERE {column} = ?)"
        yield Condition(sql, (query.ruling,), indexed=True)
    if query.live:
        yield Condition("(g.closed = 0 OR g.updated >= ?)", (query.live,))
    if query.text:
        yield Condition(_HAS_COMMENT, (full_text_query(query.text),), indexed=True)


COUNTS = "g.number NOT IN (SELECT number FROM set_aside)"
"""The condition that a game is not set aside."""
OF_SUBSTITUTES = "number IN (SELECT number FROM scores WHERE since > 0)"
"""The condition that a row of the scores is of a game in which somebody took over a seat."""
_FIRST_WITH_ASIDES = 5


def knows_asides(store: IndexedGames) -> bool:
    """Say whether the index lists which games are set aside, so that they do not count; an older file that is only read
    does not.
    """
    return store.index.version() >= _FIRST_WITH_ASIDES


def check_complete(store: IndexedGames, *, listing: bool = False) -> None:
    """Do nothing if the index is complete.

    Args:
        store: The games.
        listing: True if only the games list is needed, which is complete in an older file.

    Raises:
        Declined: An older version made the file, or a reindex has not ended.
    """
    version = store.index.version()
    reasons = {reason for (reason,) in store.index.rows("SELECT reason FROM behind")} if version >= 2 else {""}
    if REINDEXING in reasons or (reasons and not listing):
        under_way = REINDEXING in reasons
        because = "a reindex is under way, or was broken off" if under_way else "an older version wrote it"
        raise Declined(f"The search index of {store.place} is out of date: {because}. Use `reindex` to update it.")


def fold_text(text: str) -> str:
    """Return a text in small letters and without accents, by which it is found in any spelling: ``Élan`` ->
    ``elan``.
    """
    text = one_spelling(text).strip(_MARKS)
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _names_with(store: IndexedGames, names: str, part: str, what: str, *, prefers_whole: bool = False) -> str:
    """Return the names that contain a part, in any capitals and accents, as a JSON list; ``[]`` if there are none.

    Args:
        store: The games.
        names: The query in SQL that returns every name once.
        part: The part.
        what: What a message calls the name, such as ``player``.
        prefers_whole: Whether only the names that are equal to the part are returned, if there are any.

    Raises:
        Unfit: The part is empty.
    """
    wanted = fold_text(part)
    if not wanted:
        raise Unfit(f"An empty {what} would match every game; expected part of a name.")
    matches = [name for (name,) in store.index.rows(names) if isinstance(name, str) and wanted in fold_text(name)]
    whole_names = [name for name in matches if fold_text(name) == wanted] if prefers_whole else []
    return msgspec.json.encode(whole_names or matches).decode()


def _people_named(store: IndexedGames, part: str) -> str:
    """Return as a JSON list all names of every person one of whose names contains a part, in any capitals and accents.

    The list has the merged names of a person too, and is ``[]`` if nobody is found. Raises Unfit if the part is empty.
    """
    names: list[str] = msgspec.json.decode(_names_with(store, _PEOPLE, part, "player"))
    people = people_of(store) if isinstance(store, Log) else NOBODY_MERGED
    if not people.into:
        return msgspec.json.encode(names).decode()
    wanted = fold_text(part)
    shown = (name for name in people.into.values() if wanted in fold_text(name))
    every = dict.fromkeys(other for name in (*names, *shown) for other in people.names_of(name))
    return msgspec.json.encode(tuple(every)).decode()


_PEOPLE = "SELECT name FROM people"


def seated_names(store: IndexedGames) -> frozenset[str]:
    """Return every name that stands at a seat of a record, also where somebody took it over.

    The names are as records spell them; ``?`` and the like for somebody unknown are among them.
    """
    sat = "EXISTS (SELECT 1 FROM seats s WHERE s.person = people.person)"
    if knows_asides(store):
        sat += f" OR person IN (SELECT person FROM scores WHERE {OF_SUBSTITUTES})"
    return frozenset(name for (name,) in store.index.rows(f"{_PEOPLE} WHERE {sat}") if isinstance(name, str))


_EACH_VALUE = (
    "WITH RECURSIVE one(value) AS (SELECT MIN({0}) FROM games UNION ALL "
    "SELECT (SELECT MIN({0}) FROM games WHERE {0} > one.value) FROM one WHERE one.value IS NOT NULL) "
    "SELECT value FROM one WHERE value IS NOT NULL"
)
_EVENTS, _GAMES = _EACH_VALUE.format("event"), _EACH_VALUE.format("game")
"""Queries that return every event or game once, by a step through the index for each: faster than DISTINCT."""


def _listed_keys(store: IndexedGames, name: str) -> tuple[str, ...]:
    """Return the names under which games of a key or title are listed; there is at least one.

    These are the key, if the game is installed, and what the tag Game says in unjudged records. Raises Unfit if there
    is no such game.
    """
    try:
        about = find_game(name).about
        listed = _titles_like(store, {about.title.lower(), name.lower()})
        return (about.key, *(each for each in listed if each != about.key))
    except NotationError as error:
        if listed := _titles_like(store, {name.lower()}):
            return listed
        raise no_game(name, error) from None


def _titles_like(store: IndexedGames, names: set[str]) -> tuple[str, ...]:
    """Return the names of games in the list that equal one of ``names``, which must be in small letters; it may be
    empty.
    """
    titles = (each for (each,) in store.index.rows(_GAMES) if isinstance(each, str))
    return tuple(each for each in titles if each.lower() in names)


def _date_range(text: str) -> tuple[str, str]:
    """Return the first and the last text between which a date of CGN must be to lie in a range.

    For ``2025..2026.06`` the first is ``2025``, and the last comes after every day of June 2026. An end that is left
    out is open, but a date whose year is not known is in no range.

    Raises:
        Unfit: The text is no date or range, or the range ends before it begins.
    """
    first, dots, last = text.partition("..")
    if text.strip() in ("", ".."):
        raise Unfit(f"{text!r} is not a date; expected one such as 2026, 2026.11, 2026.11.20 or 2025..2026.06.")
    low = _known_part(first) if first or not dots else ""
    high = _known_part(last if dots else first) if last or not dots else ""
    if low and high and low > high + _HIGHEST:
        raise Unfit(f"{text!r} ends before it begins; expected the earlier date first.")
    # A date that is not known is in no range.
    return low or "0", (high or ":") + _HIGHEST


def _known_part(text: str) -> str:
    """Return the part of a typed date that is known, in the form of CGN: ``2026.11.??`` or ``Nov 2026`` -> ``2026.11``.

    Four digits are a year. Raises Unfit for anything that is no date, says nothing, or may be several dates.
    """
    if _YEAR.fullmatch(text.strip()):
        return text.strip()
    if text.strip() in ("?", "-") or not readings(text):
        raise Unfit(f"{text.strip()!r} is not a date; expected one such as 2026, 2026.11 or 2026.11.20.")
    return read_date(text.strip()).partition(".??")[0]


def _check_key(store: IndexedGames, key: str, beside: str = "") -> None:
    """Do nothing if an installed rule has this key, or a finding or ruling here cites it.

    Args:
        store: The games.
        key: The key.
        beside: What else was possible, to be added to the sentence.

    Raises:
        Unfit: There is no such rule, or the text is no key.
    """
    if not _KEY.fullmatch(key):
        raise Unfit(f"{key!r} is not the key of a rule{beside}; expected one such as {NO_OFFER.key}.")
    if key in NO_GAMES_OWN or any(clause.key == key for clause in CALL_CLAUSES):
        return
    if store.index.rows(
        "SELECT 1 FROM findings WHERE key=? UNION ALL SELECT 1 FROM rulings WHERE key=? LIMIT 1", (key, key)
    ):
        return
    try:
        game = find_game(key.partition(".")[0])
    except NotationError:
        raise Unfit(
            f"{key!r} is not the key of a rule{beside}; `games` lists the games, `rules GAME` their rules."
        ) from None
    if all(clause.key != key for clause in game.rules.clauses):
        raise Unfit(f"{game.about.title} has no rule {key!r}{beside}; `rules {game.about.key}` lists them.")


def full_text_query(text: str) -> str:
    """Return typed words as a query of the full-text index: all of them must be there, quoted ones as a phrase.

    ``so "and so" wor*`` becomes ``"so" AND "and so" AND "wor"*``. Parts without a letter or digit are left out.

    Raises:
        Unfit: A quotation mark has no partner, or there is no word, or more than MOST_WORDS.
    """
    if text.count('"') % 2:
        raise Unfit(f'{text!r} has a quotation mark without a partner; expected pairs of ".')
    terms = []
    parts = _WORDS.findall(text)
    if len(parts) > MOST_WORDS:
        raise Unfit(f"{len(parts)} words are looked for at once; expected at most {MOST_WORDS}.")
    for phrase, star, word in parts:
        plain = phrase or word.rstrip("*")
        if any(sign.isalnum() for sign in plain):
            terms.append(f'"{plain}"' + ("*" if star or word.endswith("*") else ""))
    if not terms:
        raise Unfit(f"{text!r} holds no word to look for; expected one or more.")
    return " AND ".join(terms)
