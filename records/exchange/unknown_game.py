"""A score sheet of a game without rules becomes a record that nobody judges, so that it is not lost."""

import re
from collections.abc import Mapping
from typing import TypeAlias

from msgspec.structs import replace

from cartulary.notation import Finding, NotationError, Record, find_game, read_heading
from cartulary.notation.description import RESULT_TAGS, write_description
from cartulary.notation.foreign.contract import ROSTER
from cartulary.notation.roster import NotLoaded
from cartulary.notation.unjudged import NOBODY
from cartulary.records.log.contract import Log
from cartulary.records.state.described_games import described_games

DescribedTitles: TypeAlias = Mapping[str, tuple[str, str]]
"""The title of each described game, and its description as in the tag Description, by the title in small letters."""
_SEAT = re.compile(r"Seat[0-9]+")
_SIDES = dict(zip(ROSTER[4:6], ("Seat1", "Seat2"), strict=True))
"""The players' tags of files in other formats, and the seats they are kept as."""


def described_titles(store: Log) -> DescribedTitles:
    """Return the games that were described in this log: by the key of each, its title and its description as text.

    ``keep_unjudged`` needs them. The answer is empty if none was described.
    """
    return {key: (game.title, write_description(game.description)) for key, game in described_games(store).items()}


def keep_unjudged(record: Record, descriptions: DescribedTitles) -> tuple[Record, Finding | None]:
    """Return the sheet of a game without rules as one that nobody judges, and the remark that says so.

    Args:
        record: A score sheet.
        descriptions: The games that were described in the log. A sheet of one of them gets the title and, if it fits,
            the description; one that does not fit is named in the remark.

    Returns:
        The sheet as it is and None if its tag Game is missing or blank, if it has a tag Rules, whatever that says, if
        the rules of its game are installed, even if they cannot be loaded, or if there is nothing to keep: it names no
        player, or has neither a result nor a word.
    """
    name = record.tag("Game")
    if not name.strip() or record.tag("Rules") or not _worth_keeping(record):
        return record, None
    try:
        find_game(name)
    except NotLoaded:
        return record, None
    except NotationError as fault:
        suggestion = fault.because.partition(", ")[2].partition("expected one of")[0]
    else:
        return record, None
    title, description = descriptions.get(" ".join(name.split()).casefold(), (" ".join(name.split()), ""))
    unjudged = _with_rules_none(record, title, description)
    misfit = read_heading(unjudged).because if description else ""
    if misfit:
        unjudged = _with_rules_none(record, title, "")
    says = f"no rules for {title} are installed; {suggestion}it is kept unjudged"
    says += f", without its description: {misfit}" if misfit else ""
    line, column = record.place_of_tag("Game")
    return unjudged, Finding("remark", "record.tag", 0, says, line=line, column=column)


def _worth_keeping(record: Record) -> bool:
    """Say whether a sheet names a player, and has a word, or a result other than ``*``."""
    tags = record.by_name
    named = any(value.strip() not in ("", "?") for tag, value in tags.items() if _SEAT.fullmatch(tag) or tag in _SIDES)
    results = (record.result, *(tags.get(tag, "") for tag in ("Result", "Score", *RESULT_TAGS)))
    return named and (bool(record.line.words) or any(result.strip() not in ("", "*") for result in results))


def _with_rules_none(record: Record, title: str, description: str) -> Record:
    """Return a sheet as one that nobody judges: with the tag Rules, and players as Seat1, Seat2 …

    ``title`` is put in the tag Game, and ``description`` in Description; if it is empty, the sheet keeps its own.
    """
    numbered = any(_SEAT.fullmatch(tag) for tag, _ in record.tags)
    seats = {} if numbered else _SIDES
    tags = tuple((seats.get(tag, tag), value) for tag, value in record.tags if tag not in ("Game", "Description"))
    described = (("Description", description or record.tag("Description")),)
    rules = (("Game", title), ("Rules", NOBODY), *(described if described[0][1] else ()))
    return replace(record, tags=(*rules, *tags))
