"""Finished games taken in by the thousand: rows of tables, and plays that other programs have logged.

Each is recorded as ``result`` records one game, but many in one transaction. A game that is here already is not
recorded again, and one that looks like an older game is named.
"""

from collections.abc import Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from cartulary.records.commands.new import Opening, draft_opening
from cartulary.records.commands.result import TableGame, opening_of_result
from cartulary.records.faults import Fault
from cartulary.records.library.same_results import Content, content_of_rows, contents_by_id, games_by_content
from cartulary.records.log.contract import Log
from cartulary.records.state.people import People, people_of
from cartulary.records.texts import is_id

BATCH = 500
"""Games stored in one transaction: few enough that another writer never waits long."""

MOST_NAMED = 3
"""How many older games with the same result are named."""


class TableAnswer(Struct, frozen=True):
    """What became of one game of a table.

    Attributes:
        line: The line of its first row.
        status: ``new``, ``known`` (it is here already, or stands twice in the table) or ``declined``.
        id: The id of the game; empty if it was declined.
        because: Why it was declined; else empty.
        alike: The ids of older games of the same day with the same players and points, the oldest first. Such a game is
            recorded all the same.
    """

    line: int
    status: str
    id: str = ""
    because: str = ""
    alike: tuple[str, ...] = ()


class _Draft(Struct, frozen=True):
    """A game that can be recorded: its events, and what is known of its result. They take less memory than what is
    stored of them, and a table may have a hundred thousand games.
    """

    opening: Opening
    content: Content


def take_results(
    store: Log, games: Sequence[TableGame], *, skip_bad: bool = False, dry: bool = False, rename: bool = False
) -> tuple[TableAnswer, ...]:
    """Record finished games and return what became of each. What is here already is not recorded again.

    Args:
        store: The log.
        games: The games.
        skip_bad: Whether the others are recorded if one cannot be; otherwise nothing is.
        dry: Whether nothing is stored; the answers then say what would become of the games.
        rename: Whether a game whose given id is that of another game here is recorded under a new id.

    Returns:
        The answers, in the order of the games. Without ``skip_bad``, if one is declined, they say what would become of
        the others.

    Raises:
        Declined: The index is not up to date.
        Unfit: The file is of an older version and can only be read.
    """
    people = people_of(store)
    drafts = [_draft(store, game, people) for game in games]
    answers = _answers(store, games, drafts, rename)
    if dry or (not skip_bad and any(answer.status == "declined" for answer in answers)):
        return tuple(answers)
    new = iter(_new(answers, drafts))
    while some := list(islice(new, BATCH)):
        existing = store.write_new([draft_opening(draft.opening)[1] for _, draft in some])
        for at, draft in some:
            if draft.opening.id in existing:  # somebody else has just recorded it
                answers[at] = replace(answers[at], status="known", alike=())
    return tuple(answers)


def _draft(store: Log, game: TableGame, people: People) -> _Draft | str:
    """Return a game as it would be recorded, or a sentence that says why it cannot be; nothing is stored."""
    if game.because:
        return f"It is not recorded: {game.because}."
    try:
        opening = opening_of_result(store, game.request)
        rows = draft_opening(opening)[1].row
    except Fault as fault:
        return str(fault)
    assert rows is not None
    return _Draft(opening, content_of_rows(rows, people))


def _new(answers: Sequence[TableAnswer], drafts: Sequence[_Draft | str]) -> list[tuple[int, _Draft]]:
    """Return the index and the draft of each game whose answer is ``new``; both lists have an entry for each game."""
    both = enumerate(zip(answers, drafts, strict=True))
    return [(at, draft) for at, (answer, draft) in both if answer.status == "new" and isinstance(draft, _Draft)]


def _answers(store: Log, games: Sequence[TableGame], drafts: Sequence[_Draft | str], rename: bool) -> list[TableAnswer]:
    """Return what would become of each game, in their order; nothing is stored.

    Args:
        store: The log.
        games: The games.
        drafts: The draft of each game; a text says why it cannot be recorded.
        rename: Whether a game whose given id is that of another game here gets a new one. Otherwise it is declined.
    """
    given = contents_by_id(store, (game.given_id for game in games if game.given_id))
    answers: list[TableAnswer] = []
    taken: set[str] = set()
    for game, draft in zip(games, drafts, strict=True):
        here = game.given_id if is_id(game.given_id) and store.head(game.given_id) is not None else ""
        same = isinstance(draft, str) or given.get(here, draft.content) == draft.content
        if here and same:
            answers.append(TableAnswer(game.line, "known", here))
        elif isinstance(draft, str):
            answers.append(TableAnswer(game.line, "declined", because=draft))
        elif draft.opening.id in taken or store.head(draft.opening.id) is not None:
            answers.append(TableAnswer(game.line, "known", draft.opening.id))
        elif here and not rename:
            answers.append(TableAnswer(game.line, "declined", because=_of_another(here)))
        else:
            taken.add(draft.opening.id)
            answers.append(TableAnswer(game.line, "new", draft.opening.id))
    new = _new(answers, drafts)
    alike = games_by_content(store, (draft.content for _, draft in new))
    for at, draft in new:
        if draft.content in alike:
            answers[at] = replace(answers[at], alike=tuple(alike[draft.content]))
    return answers


def _of_another(id: str) -> str:
    """Return the sentence about a game whose given id is that of a game here with another day, players or points."""
    return (
        f"{id} is here with another game, day, players or points. Correct that one with `tag {id}`, or import with "
        "--rename to record this one under a new id."
    )


def alike_line(answer: TableAnswer) -> str:
    """Return a sentence, without its full stop, that names the older games with the same day, players and points.

    Of many only the first ``MOST_NAMED`` are named, and the others counted.
    """
    named, more = ", ".join(answer.alike[:MOST_NAMED]), len(answer.alike) - MOST_NAMED
    older = f"{named} and {more} more" if more > 0 else named
    return f"{answer.id} has the day, the players and the points of {older}; `duplicates` says more"
