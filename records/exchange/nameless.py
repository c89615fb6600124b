"""A log as it is read for a sheet without names: seats in place of players, question marks in place of other names.

Nothing is stored, and the head remains that of the whole record, so that the keeper of the log can prove the sheet.
"""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from msgspec.structs import replace

from cartulary.notation import AnyGame
from cartulary.notation.arbiter.house import TAG as HOUSE_RULES
from cartulary.notation.arbiter.house import read_house_rules, write_house_rules
from cartulary.records.exchange.redaction import (
    FreeText,
    check_level,
    every_name_of,
    impersonal_tags,
    name_in,
    signatures,
    signers,
    still_named,
    whole_names_of,
)
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from cartulary.records.log.events import (
    Event,
    GameImported,
    NoteReplaced,
    Pairs,
    PlayerSeated,
    SheetKept,
    SourceKept,
    TagsChanged,
)
from cartulary.records.log.fields import declarations
from cartulary.records.log.recorded import RecordedEvent, is_game
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.games import Games, events_of, load
from cartulary.records.state.masks import empty
from cartulary.records.texts import one_spelling

UNKNOWN = "?"
"""The text in place of a name that was left out, as in place of one that nobody knew."""


class Nameless:
    """A store whose games are read without names, or without those of some persons."""

    def __init__(self, store: Log, level: str = "names", persons: Sequence[str] = ()) -> None:
        """Wrap a store.

        Args:
            store: The store.
            level: ``names``, ``texts``, which leaves out notes too, or ``PERSON`` if ``persons`` are given.
            persons: The only persons whose names are left out, with every name that ``people`` knows of them; empty
                for everybody's.

        Raises:
            Unfit: There is no such level, or a person has no name.
        """
        check_level(level, persons)
        self.store, self.level, self.persons = store, level, every_name_of(store, persons)
        self._last: tuple[tuple[RecordedEvent, ...], tuple[RecordedEvent, ...]] = ((), ())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    @property
    def as_store(self) -> Games:
        """The same games without names, as a store, for functions that read games of a log. Do not write to it."""
        return Games(cast(Log, self))

    def head(self, id: str) -> Head | None:
        """Return the head of a game, as the store has it, None if there is no such game.

        It is None too for a stream that is not a game, since the names in it are not read.
        """
        return self.store.head(id) if is_game(id) else None

    def stream(self, id: str, cached: tuple[RecordedEvent, ...] = ()) -> tuple[RecordedEvent, ...]:
        """Return the events of a game without the names; ``cached`` is ignored.

        If nothing was written since the last call for this game, it is the same tuple as before.

        Raises:
            UnknownGame: There is no such game.
            Damaged: Its log is damaged.
            UninstalledGame: Its rules are not installed.
        """
        earlier, masked = self._last
        recorded = events_of(self.store, id, earlier if earlier and earlier[0].originator_id == id else ())
        if recorded is not earlier:
            masked = tuple(self._mask_events(load(self.store, id)))
            self._last = load(self.store, id).recorded, masked
        return masked

    def leftovers(self, id: str) -> tuple[FreeText, ...]:
        """Return the free texts that are still on the sheet of a game, such as notes and its id, with the names in
        each.

        A text without such a name is among them, with empty ``names``. It raises what ``stream`` does.
        """
        game = load(self.store, id)
        return still_named(game, self.stream(id), self.persons, self._signers(game))

    def _signers(self, game: LiveGame) -> Iterator[str]:
        """Yield the names of those who wrote, agreed or ruled in a game if everybody's names are left out; otherwise
        nothing.
        """
        for each in game.recorded if not self.persons else ():
            yield from signers(each.event)

    def _mask_events(self, game: LiveGame) -> Iterator[RecordedEvent]:
        """Yield the events of a game without the names, in order. Their digests remain those of the whole events."""
        mask = _Mask(game, whole_names_of(game, self.persons) if self.persons else None, self.level == "texts")
        return (replace(each, event=mask.event(each.event)) for each in game.recorded)


class _Mask:
    """Takes names out of the events of one game: certain ones, or all of them if ``names`` is None."""

    def __init__(self, game: LiveGame, names: frozenset[str] | None, texts: bool) -> None:
        """Prepare to mask the events of a game.

        Args:
            game: The game.
            names: The names to take out, None for all.
            texts: Whether notes are emptied too.
        """
        rules: AnyGame = played_game(game)
        self.names, self.texts = names, texts
        self.impersonal = impersonal_tags(rules)
        self.seats = rules.about.seat_tags(game.book.seats)
        self.players: dict[str, str] = {}
        for each in game.recorded:
            if isinstance(each.event, PlayerSeated) and each.event.name:
                self.players.setdefault(one_spelling(each.event.name).casefold(), f"p{each.event.seat}")
            for tag, value in each.event.put if isinstance(each.event, TagsChanged) else ():
                if tag in self.seats:
                    self.players[one_spelling(value).casefold()] = f"p{self.seats.index(tag) + 1}"

    def event(self, event: Event) -> Event:
        """Return a copy of an event without the names.

        Its command key is emptied too, and so are the name of its file if it may name somebody, the text of a source,
        and fields that are not declared in ``records.log.fields``.
        """
        fields = declarations(type(event))
        changes: dict[str, Any] = {name: empty(getattr(event, name)) for name, one in fields.items() if one is None}
        changes["command"] = ""
        for field, declared, name in signatures(event):
            changes[field] = self._replace_name(name, declared.role or UNKNOWN)
        if isinstance(event, TagsChanged):
            changes["put"] = self._replace_values(event.put)
        if isinstance(event, PlayerSeated) and event.name and (self.names is None or name_in(event.name, self.names)):
            changes["name"] = UNKNOWN
        if isinstance(event, (GameImported, SheetKept)) and (self.names is None or name_in(event.source, self.names)):
            changes["source"] = ""
        if isinstance(event, SourceKept):
            changes["text"] = ""  # it is on no sheet
        if isinstance(event, NoteReplaced) and self.texts:
            changes["text"] = ""
        return replace(event, **changes)

    def _replace_name(self, name: str, nobody: str = UNKNOWN) -> str:
        """Return what takes the place of a name: ``p1`` … for a player, otherwise ``nobody``.

        A name that is not to be left out is returned as it is.
        """
        if self.names is not None and not name_in(name, self.names):
            return name
        return self.players.get(one_spelling(name).casefold(), nobody)

    def _replace_values(self, put: Pairs) -> Pairs:
        """Return the tags that an event writes, in their order, with ``?`` in place of each value that holds a name to
        leave out.
        """
        return tuple(
            (
                tag,
                self._replace_deciders(value)
                if tag == HOUSE_RULES
                else UNKNOWN
                if self._holds_name(tag, value)
                else value,
            )
            for tag, value in put
        )

    def _replace_deciders(self, text: str) -> str:
        """Return the value of the tag HouseRules without who decided the rules; what was decided stays, since verdicts
        depend on it.

        Words that hold a name become ``?``, and so does a text that states no house rules.
        """
        try:
            rules = read_house_rules(text)
        except ValueError:
            return UNKNOWN
        return write_house_rules(
            replace(
                rule,
                by=self._replace_name(rule.by),
                words=UNKNOWN if self._names_somebody(rule.words) else rule.words,
            )
            for rule in rules
        )

    def _names_somebody(self, text: str) -> bool:
        """Say whether a free text holds a name to be left out; if all are, whether it holds that of a player."""
        return name_in(text, self.names if self.names is not None else frozenset(self.players))

    def _holds_name(self, tag: str, value: str) -> bool:
        """Say whether the value of a tag has a name to be left out.

        If all names are to be left out, that is any value, except ``-`` and an empty one, of a tag that may hold names.
        """
        if self.names is not None:
            return name_in(value, self.names)
        return tag not in self.impersonal and value not in ("", "-")
