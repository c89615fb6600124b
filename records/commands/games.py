"""Describing a game without rules, so that its results and words can be checked."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import msgspec

from cartulary.notation import NotationError, find_game
from cartulary.notation.description import DescriptionFault, DescriptionFile, describe, write_description
from cartulary.records.commands.request import Request, field, reused_key
from cartulary.records.faults import Declined, Unfit, decode_fault
from cartulary.records.log.aside_events import GameDescribed
from cartulary.records.log.aside_streams import append_aside
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.described_games import STREAM, DescribedGame, described_games
from cartulary.records.texts import clean_name, keepable, now


class DescribeRequest(Request, frozen=True):
    """A game to be described. ``toml`` is the text of its file; see ``notation.description.DescriptionFile``."""

    toml: Annotated[str, field("The description, as TOML: title, seats, winner and so on.", "TOML")]


def describe_game(store: Log, request: DescribeRequest) -> DescribedGame:
    """Keep the description of a game without rules; records that are opened from then on are checked against it.

    Records that were opened before keep the description they have. A description that is there already is not written
    again.

    Args:
        store: The log.
        request: The description.

    Returns:
        The game as it is described now.

    Raises:
        Unfit: The text is no description, contradicts itself, or cannot be kept.
        Declined: There are rules for this game, or the command was given before with another description.
    """
    try:
        title, description = describe(
            msgspec.toml.decode(request.toml.encode("utf-8", "replace"), type=DescriptionFile)
        )
    except DescriptionFault as fault:
        raise Unfit(f"The game cannot be described: {fault}.") from None
    except msgspec.MsgspecError as fault:
        raise Unfit(f"The file is no description of a game: {decode_fault(fault)}.") from None
    keepable(title, "The game's name")
    keepable(request.command, "The command id")
    with suppress(NotationError):
        known = find_game(title).about
        raise Declined(
            f"The rules of {known.title} are installed, so it needs no description; `new {known.key}` opens it."
        )
    text, by = write_description(description), clean_name(request.by)

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        for entry in recorded:
            if request.command and entry.event.command == request.command:
                if isinstance(entry.event, GameDescribed) and (entry.event.title, entry.event.description) == (
                    title,
                    text,
                ):
                    return ()
                raise reused_key(request.command, STREAM)
        existing = described_games(store).get(title.casefold())
        if existing is not None and (existing.title, existing.description) == (title, description):
            return ()
        return (GameDescribed(at=now(), by=by, command=request.command, title=title, description=text),)

    append_aside(store, STREAM, draft)
    return described_games(store)[title.casefold()]
