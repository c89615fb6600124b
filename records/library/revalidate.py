"""Judging stored games again: of which games do the rules now say something else?

What they said before is in three places. The event of an imported sheet has its verdict, the event of a move has the
findings when it was played, and the index has the findings when the game was last written to. Nothing is stored here.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import AnyGame, Report, loads
from cartulary.notation.foreign.contract import turn_result
from cartulary.notation.foreign.formats import FORMATS
from cartulary.notation.roster import every_game
from cartulary.records.faults import Fault, Unfit, Uninstalled
from cartulary.records.library.search import (
    EVERY_GAME,
    ID,
    NO_GAMES_OWN,
    Query,
    check_complete,
    conditions_of,
    values_of,
    where,
)
from cartulary.records.log.contract import Log
from cartulary.records.log.events import (
    Annotated,
    ClockCorrected,
    GameImported,
    GameOpened,
    MovePlayed,
    SourceKept,
    TagsChanged,
)
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.fold import LiveGame, book_of, examine_book, fold, sheet

OTHER_WAY = frozenset(format.name for format in FORMATS if format.swap_result is not None)
"""Formats whose files differ in whose result comes first."""
PlyFinding = tuple[int, str, str]
"""A finding: its ply, severity and key."""

_AS_WRITTEN = (GameImported, SourceKept, GameOpened, MovePlayed, TagsChanged, Annotated, ClockCorrected)
"""Events that do not change how the plies before them are judged."""


class ChangedGame(Struct, frozen=True):
    """A game of which the rules now say something else.

    Attributes:
        id: The id of the game.
        edition_before: The edition of the rules that judged it before.
        edition: The edition that judges it now.
        before: The verdict before.
        after: The verdict now.
        gone: Findings that are no longer made, in the order of the plies.
        new: Findings that are new, in the order of the plies.
    """

    id: str
    edition_before: str
    edition: str
    before: str
    after: str
    gone: tuple[PlyFinding, ...]
    new: tuple[PlyFinding, ...]


class OtherResult(Struct, frozen=True):
    """A game that was imported by a version that read results of its format the other way round.

    Attributes:
        id: The id of the game.
        result: The result that is stored.
        source: The result that its file means.
    """

    id: str
    result: str
    source: str


class Revalidation(Struct, frozen=True):
    """The outcome of judging games again.

    Attributes:
        games: The number of games that were judged.
        changes: The games of which the rules say something else.
        faults: The faults of other games.
        results: The games whose result was read the other way round and has not been corrected.
    """

    games: int
    changes: tuple[ChangedGame, ...]
    faults: tuple[Fault, ...]
    results: tuple[OtherResult, ...] = ()


def revalidate(
    store: Log, edition: str = "", query: Query = EVERY_GAME, progress: Callable[[int, int], None] | None = None
) -> Revalidation:
    """Judge games again and return those of which the rules say something else.

    Args:
        store: The store.
        edition: The edition to judge by, compared with what the record's own edition says today. If it is empty, the
            record's own edition judges, compared with what was found when the game was written.
        query: Which games. With an edition, only games that it is for are judged.
        progress: Called with the number of games that are done, and of all.

    Raises:
        Unfit: No game of this edition is installed.
        Declined: The index is not up to date.
    """
    check_complete(store)
    name, other = _of(edition) if edition else ("", None)
    conditions = conditions_of(store, query)
    rows = store.index.rows(
        f"SELECT {ID}, g.verdict, g.number, g.game FROM games g WHERE {where(conditions)} ORDER BY g.number",
        values_of(conditions),
    )
    if other is not None:
        rows = [row for row in rows if row[3] in (other.about.key, edition.rpartition("-")[0])]
    changed: list[ChangedGame] = []
    faults: list[Fault] = []
    results: list[OtherResult] = []
    for done, (id, verdict, number, _) in enumerate(rows, 1):
        try:
            recorded = store.stream(id)
            found = _otherwise(id, recorded, name, edition) if name else _since(store, id, recorded, verdict, number)
            if found is not None:
                changed.append(found)
            if not edition and (other_result := _read_white_first(id, recorded)) is not None:
                results.append(other_result)
        except Fault as fault:
            faults.append(fault)
        if progress:
            progress(done, len(rows))
    return Revalidation(len(rows) - len(faults), tuple(changed), tuple(faults), tuple(results))


def _of(edition: str) -> tuple[str, AnyGame]:
    """Return the name and the game of an installed edition."""
    games = every_game()
    for name, game in games.items():
        if edition == game.about.edition:
            return name, game
    known = ", ".join(sorted(str(game.about.edition) for game in games.values()))
    raise Unfit(f"The edition {edition!r} is not installed here; expected one of: {known}.")


def _read_white_first(id: str, recorded: tuple[RecordedEvent, ...]) -> OtherResult | None:
    """Return a game whose file means the other result; None for any other game.

    Earlier versions read results in PDN with the number of seat 1 first, and did not store how they had read them.
    """
    source = next((one.event for one in recorded if isinstance(one.event, SourceKept)), None)
    if source is None or source.results or not source.text or source.format not in OTHER_WAY:
        return None
    records = loads(source.text)
    meant = records[0].result if records and records[0].source.format == source.format else "*"
    now = fold(id, recorded).report.result
    return OtherResult(id, now, meant) if now == turn_result(meant) != meant else None


# --- by another edition ---


def _otherwise(id: str, recorded: tuple[RecordedEvent, ...], name: str, edition: str) -> ChangedGame | None:
    """Return what the rules of another edition say differently of a game than those of its own."""
    book = book_of(id, recorded)
    record = sheet(book)
    own = examine_book(book, record, len(recorded)).report
    tags = tuple(tag for tag in record.tags if tag[0] not in ("Game", "Edition"))
    moved = replace(record, tags=(("Game", name), ("Edition", edition), *tags))
    return _changed(id, own, examine_book(book, moved, len(recorded)).report)


def _changed(id: str, own: Report, other: Report) -> ChangedGame | None:
    before, after = _found(own), _found(other)
    gone, new = _less(before, after), _less(after, before)
    if own.verdict == other.verdict and not (gone or new):
        return None
    return ChangedGame(id, own.edition, other.edition, own.verdict, other.verdict, gone, new)


def _found(report: Report) -> tuple[PlyFinding, ...]:
    """Return the findings of a report that are made by rules of a game."""
    return tuple((one.ply, one.severity, one.key) for one in report.findings if one.key not in NO_GAMES_OWN)


def _less(some: tuple[PlyFinding, ...], others: tuple[PlyFinding, ...]) -> tuple[PlyFinding, ...]:
    """Return the findings that are not among others, whatever their severity."""
    there = {(ply, key) for ply, _, key in others}
    return tuple(sorted(one for one in some if (one[0], one[2]) not in there))


# --- since it was written ---


def _since(store: Log, id: str, recorded: tuple[RecordedEvent, ...], verdict: str, number: int) -> ChangedGame | None:
    """Return what the rules say differently of a game than when it was written."""
    try:
        game = fold(id, recorded)
    except Uninstalled:
        if verdict == "unreadable":
            raise
        edition = next((value for name, value in book_of(id, recorded).sheet if name == "Edition"), "")
        return ChangedGame(id, edition, "no edition installed here", verdict, "unreadable", (), ())
    now = _found(game.report)
    listed = store.index.rows("SELECT ply, severity, key FROM findings WHERE number=?", (number,))
    before = tuple(one for one in map(tuple, listed) if one[2] not in NO_GAMES_OWN)
    gone, new = set(_less(before, now)), set(_less(now, before))
    after = game.report.verdict
    if all(isinstance(each.event, _AS_WRITTEN) for each in recorded):
        first = recorded[0].event
        if isinstance(first, GameImported):
            # An unreadable sheet is stored in a form that can be read, so a better verdict now is no change of rules.
            if first.verdict != "unreadable":
                verdict = first.verdict
                after = examine_book(game.book, game.record, len(recorded)).report.verdict
        else:
            lost, more = _against_the_log(game)
            gone |= lost
            new |= more
    if verdict == after and not (gone or new):
        return None
    edition = game.report.edition
    return ChangedGame(id, edition, edition, verdict, after, tuple(sorted(gone)), tuple(sorted(new)))


def _against_the_log(game: LiveGame) -> tuple[set[PlyFinding], set[PlyFinding]]:
    """Return the errors found when moves were played that are no longer found, and the other way round."""
    then: set[PlyFinding] = set()
    for ply, entry in enumerate(game.book.plies, 1):
        event = game.recorded[entry.ref[0] - 1].event
        if isinstance(event, MovePlayed):
            then |= {(ply, "error", found.key) for found in event.findings if found.severity == "error"}
    found = {(one.ply, one.severity, one.key) for one in game.report.findings}
    at_once = {
        (one.ply, one.severity, one.key)
        for one in game.report.findings
        if one.ply and one.severity == "error" and one.decided_by is None and one.key not in NO_GAMES_OWN
    }
    keys = {(ply, key) for ply, _, key in found}
    return {one for one in then if (one[0], one[2]) not in keys and one[2] not in NO_GAMES_OWN}, {
        one for one in at_once if (one[0], one[2]) not in {(ply, key) for ply, _, key in then}
    }
