"""A log as it is read for a sheet without names: seats stand where players were, and a question mark for the rest.

Nothing is stored, and the head stays that of the whole record, so that whoever keeps the log can prove the sheet.
"""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from msgspec.structs import replace

from cartulary.notation import AnyGame
from cartulary.records.exchange.redaction import (
    FreeText,
    check_level,
    impersonal_tags,
    name_in,
    signatures,
    signed,
    still_named,
    whole_names_of,
)
from cartulary.records.log.events import Annotated, Event, GameImported, Pairs, SheetKept, SourceKept, TagsChanged
from cartulary.records.log.fields import declarations
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame, load, played_game, recorded_of
from cartulary.records.state.masks import empty
from cartulary.records.texts import one_spelling

UNKNOWN = "?"
"""What stands where a name was left out, as where nobody knew it."""


class Nameless:
    """A log that is read without names, or without those of some persons; whatever reads a game may be given it."""

    def __init__(self, store: Store, level: str = "names", persons: Sequence[str] = ()) -> None:
        """level, persons: as for ``export_redacted``; at ``texts`` the notes go too. Raises Unfit as it does."""
        check_level(level, persons)
        self.store, self.level, self.persons = store, level, persons
        self.cached: Any = None
        self._last: tuple[tuple[RecordedEvent, ...], tuple[RecordedEvent, ...]] = ((), ())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    @property
    def as_store(self) -> Store:
        """What functions take that read games of a store."""
        return cast(Store, self)

    def stream(self, id: str, cached: tuple[RecordedEvent, ...] = ()) -> tuple[RecordedEvent, ...]:
        """Return the events of a game without the names."""
        whole, masked = self._last
        recorded = recorded_of(self.store, id, whole if whole and whole[0].originator_id == id else ())
        if recorded is not whole:
            masked = tuple(self._masked(load(self.store, id)))
            self._last = load(self.store, id).recorded, masked
        return masked

    def named(self, id: str) -> tuple[FreeText, ...]:
        """Return what was written freely and still stands on a sheet, with the names in it."""
        game = load(self.store, id)
        return still_named(game, self.stream(id), self.persons, self._signed(game))

    def _signed(self, game: LiveGame) -> Iterator[str]:
        for each in game.recorded if not self.persons else ():
            yield from signed(each.event)

    def _masked(self, game: LiveGame) -> Iterator[RecordedEvent]:
        mask = _Mask(game, whole_names_of(game, self.persons) if self.persons else None, self.level == "texts")
        return (replace(each, event=mask.event(each.event)) for each in game.recorded)


class _Mask:
    """Takes the names out of the events of one game. names: those to be taken out, None for all"""

    def __init__(self, game: LiveGame, names: frozenset[str] | None, texts: bool) -> None:
        found: AnyGame = played_game(game)
        self.names, self.texts = names, texts
        self.impersonal = impersonal_tags(found)
        self.seats = found.about.seat_tags(game.book.seats)
        self.players: dict[str, str] = {}
        for each in game.recorded:
            for tag, value in each.event.put if isinstance(each.event, TagsChanged) else ():
                if tag in self.seats:
                    self.players[one_spelling(value).casefold()] = f"p{self.seats.index(tag) + 1}"

    def event(self, event: Event) -> Event:
        """Return an event without the names."""
        fields = declarations(type(event))
        changes: dict[str, Any] = {name: empty(getattr(event, name)) for name, one in fields.items() if one is None}
        changes["command"] = ""
        for field, declared, name in signatures(event):
            changes[field] = self._who(name, declared.role or UNKNOWN)
        if isinstance(event, TagsChanged):
            changes["put"] = self._tags(event.put)
        if isinstance(event, (GameImported, SheetKept)) and (self.names is None or name_in(event.source, self.names)):
            changes["source"] = ""
        if isinstance(event, SourceKept):
            changes["text"] = ""  # no sheet shows it
        if isinstance(event, Annotated) and self.texts:
            changes["text"] = ""
        return replace(event, **changes)

    def _who(self, name: str, nobody: str = UNKNOWN) -> str:
        if self.names is not None and not name_in(name, self.names):
            return name
        return self.players.get(one_spelling(name).casefold(), nobody)

    def _tags(self, put: Pairs) -> Pairs:
        return tuple((tag, UNKNOWN if self._names(tag, value) else value) for tag, value in put)

    def _names(self, tag: str, value: str) -> bool:
        if self.names is not None:
            return name_in(value, self.names)
        return tag not in self.impersonal and value not in ("", "-")
