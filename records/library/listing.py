"""The rows of a game in the index, worked out from its events: its line of the games list and what searches look up.

Each append writes the rows of its game in the same transaction, and ``reindex`` writes those of all games.
"""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from itertools import islice, repeat

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Examination, Line, Record
from cartulary.notation.arbiter.files import every_seat_tag, known_game, sorted_tags
from cartulary.notation.cgn.commands import without
from cartulary.notation.cgn.result import points_in
from cartulary.records.dates import date_or_text
from cartulary.records.faults import Damaged, Fault, Unfit, UninstalledGame, UnknownGame, decode_fault
from cartulary.records.library.substitutes import tenure_scores
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.log.schema import COLUMNS, Lines
from cartulary.records.state.book import SEAT
from cartulary.records.state.disputes_and_rulings import disputes_of, rulings_of
from cartulary.records.state.fold import LiveGame, book_of, fold, result_of
from cartulary.records.texts import one_spelling

_VERSION, _DIGEST = list(COLUMNS).index("version"), list(COLUMNS).index("digest")
DEPTH = 24
"""The number of words of a finished game by which the tree of openings knows it."""
CHUNK = 500
"""Games worked out between two short writes."""


class ListedGame(Struct, frozen=True, rename={"last_written": "updated"}):
    """One line of the games list.

    The names of the players are in seat order, separated by ``; ``; ``last_written`` is a time in UTC.
    """

    id: str
    game: str
    edition: str
    variant: str
    event: str
    site: str
    date: str
    round: str
    players: str
    result: str
    plies: int
    verdict: str
    findings: int
    closed: bool
    version: int
    digest: str
    last_written: str


def index_rows(game: LiveGame) -> Lines:
    """Return all rows that the index keeps of a game, with those of its disputes, its rulings and of who took over a
    seat.
    """
    lines = index_rows_of_sheet(
        game.id,
        game.record,
        game.examined,
        result_of(game),
        game.book.seats,
        game.book.closed,
        game.head,
        game.book.last_written,
        game.book.score,
    )
    if game.book.set_aside:
        lines = replace(lines, aside=True)
    if game.record.seatings:
        lines = replace(lines, scores=tenure_scores(game, lines.scores))
    if not (game.book.disputes or game.book.rulings):
        return lines
    rulings = tuple(
        (ply, ruling.decision, key, ruling.arbiter)
        for ruling in rulings_of(game)
        for ply in ruling.plies or (0,)
        for key in ruling.keys or ("",)
    )
    return replace(lines, rulings=rulings, disputes=tuple((each.ply, each.status) for each in disputes_of(game)))


def score_in_force(game: LiveGame) -> str:
    """Return the score of a game, open or closed, as in the tag Score: ``3:1``.

    It is the one that rulings set, else that of the close, else that of the moves, else that of the tag Score; empty if
    it has none or cannot be set up.
    """
    return _score_in_force(game.examined, game.record, game.book.score)


def _score_in_force(examination: Examination, record: Record, closing_score: str) -> str:
    """Return the score of an examined sheet in the form of the tag Score, as ``score_in_force`` does; empty for none.

    ``closing_score`` is that of its close, empty for none.
    """
    played = examination.heading.game
    if played is None or examination.settled_state is None:
        return ""
    stated = examination.ruled_score or closing_score or played.points.write(examination.settled_state).get("Score", "")
    return stated or record.tag("Score")


def seat_scores(
    names: Sequence[str],
    result: str,
    score: str,
    places: str = "",
    teams: Sequence[int] = (),
    absent: Collection[int] = (),
) -> Iterator[tuple[int, int, str, str, str, int]]:
    """Yield what each seat has won, in seat order: the rows of ``Lines.scores``.

    A row is seat, 0, name, share of the result, points and place; an empty text or 0 stands for what is not known. None
    is yielded if shares or points do not fit the number of players. Who was absent and was given no share has not
    played, if anybody else has: share and points are empty, and the place is 0.

    Args:
        names: The players, in seat order.
        result: The result such as ``1/2-1/2``, ``*`` if the game is not decided.
        score: The points of each seat as in the tag Score, ``3:1``, empty if none are counted.
        places: The places of the seats as in the tag Places, ``1:2``, empty if only result and score give them.
        teams: The number of each seat's team; empty if everybody plays alone. Partners share the place of their team.
        absent: The seats that sat out all rounds.
    """
    shares = result.split("-") if result != "*" else [""] * len(names)
    points = list(map(_point_text, score.split(":"))) if points_in(score) else [""] * len(names)
    if len(shares) != len(names) or len(points) != len(names):
        return
    stated = [int(place) if place.isdecimal() else 0 for place in places.split(":")] if places else []
    sides = teams if teams and len(teams) == len(names) else range(len(names))
    here = [at for at in range(len(names)) if at + 1 not in absent or shares[at] not in ("", "0")] if absent else ()
    if here and len(here) < len(names):
        won = [(shares[at], points[at], sides[at]) for at in here]
        place_of = dict(zip(here, _places(*zip(*won, strict=True)), strict=True))
        for at, name in enumerate(names):
            yield at + 1, 0, name, *((shares[at], points[at], place_of[at]) if at in place_of else ("", "", 0))
        return
    ranks = _best_places(stated, sides) if len(stated) == len(names) else _places(shares, points, sides)
    yield from zip(range(1, len(names) + 1), repeat(0), names, shares, points, ranks, strict=False)


def _best_places(places: Sequence[int], sides: Sequence[int]) -> list[int]:
    """Return the place of each seat's side, which is the best place of its seats.

    Sides are ranked, not seats, so that the side after a team of two has place 2.

    Args:
        places: The place of each seat.
        sides: The side of each seat, which is its team or a number of its own. If all differ, the places stay as they
            are.
    """
    if len(set(sides)) == len(sides):
        return list(places)
    best: dict[int, int] = {}
    for side, place in zip(sides, places, strict=True):
        best[side] = min(place, best.get(side, place))
    return [1 + sum(other < best[side] for other in best.values()) for side in sides]


def _places(shares: Sequence[str], points: Sequence[str], sides: Sequence[int]) -> list[int]:
    """Return the place of each seat's side, from the shares of the result and the points of its seats added up: 1 for
    the winners; 0 for every seat if the game is not decided or the table lost.

    The other sides are ordered by their points, whichever way the points run: if the winners have the
    fewest, fewer is better. Without points all of them share the place after the winners.

    Args:
        shares: The share of each seat.
        points: The points of each seat, empty texts if none are counted.
        sides: The side of each seat: its team, or a number of its own.
    """
    won = list(map(_number, shares))
    if not any(won):
        return [0] * len(shares)
    numbers = list(map(_number, points))
    if not isinstance(sides, range) and len(set(sides)) < len(sides):
        won, numbers = (_sums(each, sides) for each in (won, numbers))
        place_of = dict(zip(dict.fromkeys(sides), _ranks(won, numbers), strict=True))
        return [place_of[side] for side in sides]
    return _ranks(won, numbers)


def _sums(numbers: Sequence[int | Fraction], sides: Sequence[int]) -> list[int | Fraction]:
    """Return the sum of each side's numbers, the sides in the order in which they come first.

    ``numbers`` and ``sides`` have a value for each seat.
    """
    sums: dict[int, int | Fraction] = {}
    for side, number in zip(sides, numbers, strict=True):
        sums[side] = sums.get(side, 0) + number
    return list(sums.values())


def _ranks(won: Sequence[int | Fraction], numbers: Sequence[int | Fraction]) -> list[int]:
    """Return the place of each side from its share of the result and its points, 1 for the best; equal sides share a
    place.

    Fewer points are better if each winner has the fewest and somebody has more. At least one share must not be 0.
    """
    best = [number for number, share in zip(numbers, won, strict=True) if share]
    if best == [max(numbers)] and numbers.count(best[0]) == 1:  # mostly one has won who has the most
        down = sorted(numbers, reverse=True)
        return [1 + down.index(number) for number in numbers]
    upwards = min(best) < max(numbers) and max(best) == min(numbers)
    keys = [(share, -number if upwards else number) for share, number in zip(won, numbers, strict=True)]
    ordered = sorted(keys, reverse=True)
    return [1 + ordered.index(key) for key in keys]


@lru_cache(1024)
def _point_text(text: str) -> str:
    """Return a number of points as the index has it, ``-3`` or ``1/2``, from a part of a score."""
    return str(Fraction(text))


@lru_cache(1024)
def _number(text: str) -> int | Fraction:
    """Return a share or a number of points, ``1/2`` or ``-3``; 0 for an empty text.

    A whole number is an int, because those compare faster.
    """
    return Fraction(text) if "/" in text else int(text or 0)


def index_rows_of_sheet(
    id: str,
    record: Record,
    examination: Examination,
    result: str,
    seats: int,
    closed: bool,
    head: Head,
    last_written: str,
    closing_score: str = "",
) -> Lines:
    """Return the rows of a game in the index, as if it had no disputes or rulings.

    Args:
        id: The id of the game.
        record: The game as a score sheet.
        examination: What the rules say of it; its heading must set up a game.
        result: Its result, as in the Result tag.
        seats: The number of its seats.
        closed: Whether it is closed. An open game without a result has no scores and no beginning.
        head: The head of its log, which is the number and the digest of its last event.
        last_written: When its last event was written.
        closing_score: The score that it was closed with, as in the Score tag; empty for none.
    """
    tag, report, words = record.by_name.get, examination.report, record.line.words
    played = examination.heading.game
    assert played is not None  # else there would be no walk, and no rows
    names = tuple([one_spelling(tag(name, "?")) for name in played.about.seat_tags(seats)])
    values = (
        id,
        report.game,
        report.edition,
        report.variant,
        one_spelling(tag("Event", "")),
        one_spelling(tag("Site", "")),
        date_or_text(tag("Date", "")),
        tag("Round", ""),
        "; ".join(names),
        result,
        report.plies,
        report.verdict,
        len(report.findings),
        int(closed),
        head.version,
        head.digest,
        last_written,
    )
    findings = tuple([(finding.ply, finding.severity, finding.key) for finding in report.findings])
    comments = comments_in(record.line) if record.line.notes else ()
    moves = fingerprint(report.game, words, tag(played.setup_tag, ""))
    begun = tuple(islice((word for word in words if not word.startswith("p0/")), DEPTH)) if words else ()
    opening = begun[0] if begun else ""
    scores: tuple[tuple[int, int, str, str, str, int], ...] = ()
    teams: tuple[int, ...] = ()
    beginning = ""
    if closed or result != "*":
        beginning = " ".join(begun)
        teams = played.about.teams(seats)
        score = _score_in_force(examination, record, closing_score) if closed else tag("Score", "")
        state = examination.settled_state
        absent = played.points.absent(state) if state is not None else ()
        scores = tuple(seat_scores(names, result, score, tag("Places", ""), teams, absent))
    return Lines(
        values, names, opening, moves, findings, comments=comments, scores=scores, beginning=beginning, teams=teams
    )


def fingerprint(game: str, words: tuple[str, ...], start: str = "") -> int | None:
    """Return a digest of the moves of a game, a number of 48 bits, by which games with the same moves are found.

    None means that there are no moves.

    Args:
        game: The key of the game.
        words: The moves.
        start: The set-up as in its tag, empty for the usual one.
    """
    if not words:
        return None
    set_up = f" from {start}:" if start else ""
    return int.from_bytes(sha256(f"{game}{set_up} {' '.join(words)}".encode()).digest()[:6])


def has_docket_comments(line: Line) -> bool:
    """Say whether the comments of a sheet, those of variations aside, hold a dispute or a ruling: ``[%dispute`` or
    ``[%ruling``.
    """
    texts = (text for note in line.notes.values() for text in note.comments)
    return any("[%dispute" in text or "[%ruling" in text for text in texts)


def comments_in(line: Line) -> tuple[tuple[int, str], ...]:
    """Return pairs of a ply and the text of its comments in one line, in ply order; plies without comments are left
    out.

    The comments of its variations are part of the text, commands such as ``[%clk 0:05]`` are not. Ply 0 is the game as
    a whole.
    """
    words_by_ply = ((ply, " ".join(_texts(line, ply)).split()) for ply in sorted(line.notes))
    return tuple((ply, " ".join(words)) for ply, words in words_by_ply if words)


def _texts(line: Line, ply: int) -> Iterator[str]:
    """Yield the comments beside a ply without their commands, and those of its variations, as they come; some may be
    empty.
    """
    for item in line.notes[ply].items:
        if isinstance(item, str):
            yield without(item)
        else:
            for at in sorted(item.notes):
                yield from _texts(item, at)


def rows_of_events(id: str, events: Sequence[RecordedEvent]) -> tuple[Lines, UninstalledGame | None]:
    """Return the rows of a game in the index, and None.

    If its rules are not installed, the rows are those of ``unjudged_rows``, and the fault comes in place of None; it is
    not raised.

    Args:
        id: The id of the game.
        events: All its events.

    Raises:
        Damaged: The events make no game.
        Unfit: The game cannot be set up.
    """
    try:
        return index_rows(fold(id, events)), None
    except UninstalledGame as fault:
        return unjudged_rows(id, events), fault


def unjudged_rows(id: str, events: Sequence[RecordedEvent]) -> Lines:
    """Return the rows of a game whose rules are not installed, from what is written alone.

    Its verdict is ``unreadable`` and its number of findings 0. ``events`` are all its events, at least one.
    """
    book, last = book_of(id, events), events[-1]
    game = known_game((("Game", book.game), *book.sheet))
    sheet_tags = sorted_tags((*book.sheet, *book.tags), game)
    tags = dict(sheet_tags)
    tags["Date"] = date_or_text(tags.get("Date", ""))
    tag_values = (tags.get(name, "") for name in ("Edition", "Variant", "Event", "Site", "Date", "Round"))
    players = tuple(
        one_spelling(value) for name, value in sheet_tags if SEAT.fullmatch(name) or name in every_seat_tag(game)
    )
    result = book.result or "*"
    counts = (
        len(book.plies),
        "unreadable",
        0,
        int(book.closed),
        last.originator_version,
        last.digest,
        book.last_written,
    )
    row = (id, book.game, *tag_values, "; ".join(players), result, *counts)
    return Lines(row, players, aside=bool(book.set_aside))


def games(store: Log) -> Iterator[ListedGame]:
    """Yield the games list, the game that was written to last first, also those that are set aside.

    The names of players are those of the records.

    Raises:
        Damaged: The index holds what this program never wrote.
    """
    names = ", ".join(COLUMNS)
    for values in store.index.rows(f"SELECT {names} FROM games ORDER BY updated DESC, id"):
        yield listed_game(values)


def listed_game(values: Sequence[object]) -> ListedGame:
    """Return a row of the index, with a value for each of COLUMNS, as a line of the games list.

    Raises:
        Damaged: The row was not written by this program.
    """
    try:
        return msgspec.convert(dict(zip(COLUMNS, values, strict=True)), ListedGame, strict=False)
    except msgspec.ValidationError as fault:
        raise damaged_index(fault) from None


def damaged_index(fault: Exception) -> Damaged:
    """Return, for the caller to raise, the fault of an index that holds what this program never wrote; it advises
    ``reindex``.

    ``fault`` is what the decoder raised.
    """
    return Damaged(f"The games list is damaged: {decode_fault(fault)}. Use `reindex` to rebuild it from the log.")


def head_of_rows(lines: Lines) -> Head:
    """Return the head that a game had when its rows were worked out: the version and the digest of its last event."""
    return Head(int(str(lines.row[_VERSION])), str(lines.row[_DIGEST]))


def rows_of_stored(store: Log, id: str, faults: list[Fault]) -> Lines | None:
    """Return the rows of a stored game; None if it cannot be read.

    Args:
        store: The store.
        id: The id of the game.
        faults: Gets what is wrong with the game. A game whose rules are not installed gets rows all the same.
    """
    try:
        lines, uninstalled = rows_of_events(id, store.stream(id))
    except (Damaged, UnknownGame, Unfit) as fault:
        faults.append(fault)
        return None
    if uninstalled is not None:
        faults.append(uninstalled)
    return lines
