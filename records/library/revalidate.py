"""Judging stored games again: of which games do the rules now say something else?

What they said before is in three places. The event of an imported sheet has its verdict, the event of a move has the
findings when it was played, and the index has the findings when the game was last written to. Nothing is stored here.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import AnyGame, NotationError, Report, find_game, loads
from cartulary.notation.contract import numbered_seats
from cartulary.notation.description import RESULT_TAGS
from cartulary.notation.foreign.contract import turn_result
from cartulary.notation.foreign.formats import FORMATS
from cartulary.notation.roster import every_game
from cartulary.records.faults import Fault, Unfit, UninstalledGame
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
    ClockCorrected,
    GameImported,
    GameOpened,
    MovePlayed,
    NoteReplaced,
    PlayerSeated,
    SourceKept,
    TagsChanged,
)
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.fold import LiveGame, book_of, examine_book, fold, sheet

OTHER_WAY = frozenset(format.name for format in FORMATS if format.swap_result is not None)
"""Formats whose files differ in whose result comes first."""
PlyFinding = tuple[int, str, str]
"""A finding: its ply, severity and key."""

_WITHOUT_REJUDGING = (
    GameImported,
    SourceKept,
    GameOpened,
    MovePlayed,
    TagsChanged,
    NoteReplaced,
    ClockCorrected,
    PlayerSeated,
)
"""Events that do not change how the plies before them are judged."""


class ChangedGame(Struct, frozen=True, rename={"old": "gone"}):
    """A game of which the rules now say something else.

    Attributes:
        id: The id of the game.
        edition_before: The edition of the rules that judged it before.
        edition: The edition that judges it now, or that none is installed here.
        before: The verdict before.
        after: The verdict now.
        old: Findings that are no longer made, in the order of the plies.
        new: Findings that are new, in the order of the plies.
    """

    id: str
    edition_before: str
    edition: str
    before: str
    after: str
    old: tuple[PlyFinding, ...]
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


class InstalledVerdict(Struct, frozen=True):
    """What the installed rules say of a record that is kept unjudged. The record itself stays unjudged.

    Attributes:
        id: The id of the game.
        edition: The edition of the rules.
        verdict: Their verdict.
        findings: What they find, in the order of the plies.
        because: Why the rules cannot read the record; empty if they can.
    """

    id: str
    edition: str
    verdict: str
    findings: tuple[PlyFinding, ...] = ()
    because: str = ""


class Revalidation(Struct, frozen=True):
    """The outcome of judging games again.

    Attributes:
        games: The number of games that were judged.
        changes: The games of which the rules say something else.
        faults: The faults of other games.
        results: The games whose result was read the other way round and has not been corrected.
        unjudged: The games that are kept unjudged, although their rules are installed now.
    """

    games: int
    changes: tuple[ChangedGame, ...]
    faults: tuple[Fault, ...]
    results: tuple[OtherResult, ...] = ()
    unjudged: tuple[InstalledVerdict, ...] = ()


def revalidate(
    store: Log, edition: str = "", query: Query = EVERY_GAME, progress: Callable[[int, int], None] | None = None
) -> Revalidation:
    """Judge games again and return those of which the rules say something else. Nothing is stored.

    Games that are set aside are judged too.

    Args:
        store: The store.
        edition: The edition to judge by, compared with what the record's own edition says today. If it is empty, the
            record's own edition judges, compared with what was found when the game was written.
        query: Which games. With an edition, only games that it is for are judged.
        progress: Called after each game with the number of games that are done, and of all.

    Returns:
        The changes in the order in which the games were begun; a game that cannot be read is among the faults.

    Raises:
        Unfit: No game of this edition is installed, or no game can match the query.
        Declined: The index is not up to date.
    """
    check_complete(store)
    name, other = _find_edition(edition) if edition else ("", None)
    conditions = conditions_of(store, replace(query, aside=None) if query.aside is False else query)
    rows = store.index.rows(
        f"SELECT {ID}, g.verdict, g.number, g.game FROM games g WHERE {where(conditions)} ORDER BY g.number",
        values_of(conditions),
    )
    if other is not None:
        rows = [row for row in rows if row[3] in (other.about.key, edition.rpartition("-")[0])]
    changed: list[ChangedGame] = []
    faults: list[Fault] = []
    results: list[OtherResult] = []
    unjudged: list[InstalledVerdict] = []
    for done, (id, verdict, number, _) in enumerate(rows, 1):
        try:
            recorded = store.stream(id)
            change = (
                _by_edition(id, recorded, name, edition)
                if name
                else _since_written(store, id, recorded, verdict, number)
            )
            if change is not None:
                changed.append(change)
            if not edition and (other_result := _misread_result(id, recorded)) is not None:
                results.append(other_result)
            if not edition and verdict == "unjudged" and (judged := _by_installed_rules(id, recorded)) is not None:
                unjudged.append(judged)
        except Fault as fault:
            faults.append(fault)
        if progress:
            progress(done, len(rows))
    return Revalidation(len(rows) - len(faults), tuple(changed), tuple(faults), tuple(results), tuple(unjudged))


def _find_edition(edition: str) -> tuple[str, AnyGame]:
    """Return the key and the rules of the installed game with this edition. Raises Unfit if there is no such
    edition.
    """
    games = every_game()
    for name, game in games.items():
        if edition == game.about.edition:
            return name, game
    known = ", ".join(sorted(str(game.about.edition) for game in games.values()))
    raise Unfit(f"The edition {edition!r} is not installed here; expected one of: {known}.")


def _misread_result(id: str, recorded: tuple[RecordedEvent, ...]) -> OtherResult | None:
    """Return the game's stored result and the one that its file means, if an earlier version read it the other way
    round.

    Those versions read results in PDN with the number of seat 1 first, and did not store how they had read them. None
    means that there is nothing to correct.
    """
    source = next((each.event for each in recorded if isinstance(each.event, SourceKept)), None)
    if source is None or source.results or not source.text or source.format not in OTHER_WAY:
        return None
    records = loads(source.text)
    result_in_file = records[0].result if records and records[0].source.format == source.format else "*"
    now = fold(id, recorded).report.result
    return OtherResult(id, now, result_in_file) if now == turn_result(result_in_file) != result_in_file else None


# --- unjudged records of games that are installed now ---


def _by_installed_rules(id: str, recorded: tuple[RecordedEvent, ...]) -> InstalledVerdict | None:
    """Return what the installed rules say of a record that nobody judges; None if there are none for its game.

    Its tags of numbered seats are read as those of the game, and its own result is ignored.
    """
    book = book_of(id, recorded)
    record = sheet(book)
    try:
        about = find_game(record.tag("Game")).about
    except NotationError:
        return None
    seats = dict(zip(numbered_seats(book.seats), about.seat_tags(book.seats), strict=False))
    unused = ("Rules", "Description", *RESULT_TAGS)
    tags = tuple((seats.get(name, name), value) for name, value in record.tags if name not in unused)
    report = examine_book(book, replace(record, tags=tags), len(recorded)).report
    unreadable = (finding.because for finding in report.findings if finding.severity == "error")
    because = next(unreadable, "") if report.verdict == "unreadable" else ""
    return InstalledVerdict(id, report.edition or about.edition, report.verdict, _rule_findings(report), because)


# --- by another edition ---


def _by_edition(id: str, recorded: tuple[RecordedEvent, ...], name: str, edition: str) -> ChangedGame | None:
    """Return what the rules of another edition say differently of a game than those of its own; None if nothing.

    Args:
        id: The id of the game.
        recorded: Its events.
        name: The key of the game that has the other edition.
        edition: The other edition.
    """
    book = book_of(id, recorded)
    record = sheet(book)
    own = examine_book(book, record, len(recorded)).report
    tags = tuple(tag for tag in record.tags if tag[0] not in ("Game", "Edition"))
    record_in_edition = replace(record, tags=(("Game", name), ("Edition", edition), *tags))
    return _compare_reports(id, own, examine_book(book, record_in_edition, len(recorded)).report)


def _compare_reports(id: str, own: Report, other: Report) -> ChangedGame | None:
    """Return in what two reports on a game differ, ``own`` as before and ``other`` as after; None if they agree.

    They agree if the verdict is the same and each has the findings of the other, whatever their severity.
    """
    before, after = _rule_findings(own), _rule_findings(other)
    old, new = _missing_from(before, after), _missing_from(after, before)
    if own.verdict == other.verdict and not (old or new):
        return None
    return ChangedGame(id, own.edition, other.edition, own.verdict, other.verdict, old, new)


def _rule_findings(report: Report) -> tuple[PlyFinding, ...]:
    """Return the findings of a report that rules of its game make, as tuples of ply, severity and key, in their order.

    Findings on writing and tags, whose keys are no game's own, are left out.
    """
    own = (finding for finding in report.findings if finding.key not in NO_GAMES_OWN)
    return tuple((finding.ply, finding.severity, finding.key) for finding in own)


def _missing_from(findings: tuple[PlyFinding, ...], others: tuple[PlyFinding, ...]) -> tuple[PlyFinding, ...]:
    """Return those of ``findings`` that are not among ``others``, in the order of the plies; only ply and key are
    compared.
    """
    other_keys = {(ply, key) for ply, _, key in others}
    return tuple(sorted(one for one in findings if (one[0], one[2]) not in other_keys))


# --- since it was written ---


def _since_written(
    store: Log, id: str, recorded: tuple[RecordedEvent, ...], verdict: str, number: int
) -> ChangedGame | None:
    """Return what the rules say differently of a game than when it was written; None if nothing.

    If its rules are not installed any more, that is a change too.

    Args:
        store: The store.
        id: The id of the game.
        recorded: Its events.
        verdict: Its verdict in the index.
        number: Its number in the index.

    Raises:
        UninstalledGame: Its rules are not installed, and were not when it was written.
    """
    try:
        game = fold(id, recorded)
    except UninstalledGame:
        if verdict == "unreadable":
            raise
        edition = next((value for name, value in book_of(id, recorded).sheet if name == "Edition"), "")
        return ChangedGame(id, edition, "no edition installed here", verdict, "unreadable", (), ())
    now = _rule_findings(game.report)
    listed = store.index.rows("SELECT ply, severity, key FROM findings WHERE number=?", (number,))
    before = tuple(one for one in map(tuple, listed) if one[2] not in NO_GAMES_OWN)
    old, new = set(_missing_from(before, now)), set(_missing_from(now, before))
    after = game.report.verdict
    if all(isinstance(each.event, _WITHOUT_REJUDGING) for each in recorded):
        first = recorded[0].event
        if isinstance(first, GameImported):
            # An unreadable sheet is stored in a form that can be read, so a better verdict now is no change of rules.
            if first.verdict != "unreadable":
                verdict = first.verdict
                after = examine_book(game.book, game.record, len(recorded)).report.verdict
        else:
            only_then, only_now = _since_played(game)
            old |= only_then
            new |= only_now
    if verdict == after and not (old or new):
        return None
    edition = game.report.edition
    return ChangedGame(id, edition, edition, verdict, after, tuple(sorted(old)), tuple(sorted(new)))


def _since_played(game: LiveGame) -> tuple[set[PlyFinding], set[PlyFinding]]:
    """Return the errors that were found when moves were played and are no longer found, and those that are new.

    Both are sets of ply, severity and key. An error that only a later ply proved cannot have been found at once, so it
    does not count as new.
    """
    when_played: set[PlyFinding] = set()
    for ply, entry in enumerate(game.book.plies, 1):
        event = game.recorded[entry.ref[0] - 1].event
        if isinstance(event, MovePlayed):
            errors = (finding for finding in event.findings if finding.severity == "error")
            when_played |= {(ply, "error", finding.key) for finding in errors}
    at_once = {
        (finding.ply, finding.severity, finding.key)
        for finding in game.report.findings
        if finding.ply
        and finding.severity == "error"
        and finding.decided_by is None
        and finding.key not in NO_GAMES_OWN
    }
    now = {(finding.ply, finding.key) for finding in game.report.findings}
    then = {(ply, key) for ply, _, key in when_played}
    only_then = {one for one in when_played if (one[0], one[2]) not in now and one[2] not in NO_GAMES_OWN}
    return only_then, {one for one in at_once if (one[0], one[2]) not in then}
