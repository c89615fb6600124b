"""Annotating plies and the game: words, glyphs, and the commands a comment carries."""

import re

from cartulary.notation import Note
from cartulary.records.answers import Noted
from cartulary.records.book import note_text
from cartulary.records.events import Annotated
from cartulary.records.faults import Declined, Unfit
from cartulary.records.fold import Game
from cartulary.records.request import begin, now, plain, repeated, write
from cartulary.records.store import Store

COMMAND = re.compile(r'\[%\s*([\w-]+)(?:(?:"(?:\\.|[^"\\])*"|[^\]"])*|[^\]]*)\]')
"""A command inside a comment, with its name; a ``]`` in quotes does not end it."""
_OURS = re.compile(r"\[%\s*(takeback|amend|irregular|dispute|ruling)")


def annotate(
    store: Store,
    id: str,
    ply: int,
    comment: str | None = None,
    *,
    glyphs: tuple[int, ...] | None = None,
    remove: bool = False,
    by: str = "",
    command: str = "",
    expected: int | None = None,
) -> Noted:
    """Write a ply's comment, its glyphs, or both; what is not given stays as it is, variations and commands too.

    ply: 0 for the game as a whole; comment: its words; a command in it replaces the one of the same name
    remove: take the whole annotation away first, commands too
    Raises Declined for a ply that is not there and for a comment that contains ``}``, Unfit for a command in it that
    only the desk writes.
    """

    def draft(game: Game) -> tuple[Annotated]:
        note = _annotated(game, ply, comment, glyphs, remove)
        event, word = game.book.ref(ply)
        who = plain(by, "The name")
        text = note_text(note)
        noted = Annotated(at=now(), by=who, command=command, event=event, word=word, text=text)
        return (noted,)

    game, done = begin(store, id, expected, command, Annotated)
    if done is not None:
        repeated(done, command, draft)
    else:
        done = write(store, game, draft(game))
    noted = done.recorded[-1].event
    assert isinstance(noted, Annotated)
    return Noted(id, done.head.version, _ply(done, noted), noted.text)


def _annotated(game: Game, ply: int, comment: str | None, glyphs: tuple[int, ...] | None, remove: bool) -> Note:
    if not 0 <= ply <= game.plies:
        raise Declined(f"There is no ply {ply} in {game.id}: its plies are 0, the game itself, to {game.plies}.")
    if glyphs and ply == 0:
        raise Unfit("A glyph belongs to a ply, and ply 0 is the game itself.")
    if any(not 0 <= code <= 255 for code in glyphs or ()):
        raise Unfit("A glyph is one of ! ? !! ?? !? ?! or a code from $0 to $255.")
    old = Note() if remove else _note(game, ply)
    then = old.then
    if comment is not None:
        text = _commented(old, plain(comment, "The comment"))
        then = (*((text,) if text else ()), *old.variations)
    return Note(old.glyphs if glyphs is None else glyphs, then)


def _commented(old: Note, words: str) -> str:
    """Return the new words behind the commands of the old comments."""
    ours = _OURS.search(words)
    if ours:
        raise Unfit(f"A note cannot hold [%{ours[1]} ...]: the desk writes that command itself.")
    typed = {found[1] for found in COMMAND.finditer(words)}
    kept = [found[0] for text in old.comments for found in COMMAND.finditer(text) if found[1] not in typed]
    return " ".join((*kept, words)).strip()


def _note(game: Game, ply: int) -> Note:
    return game.book.plies[ply - 1].note if ply else game.book.preface


def _ply(game: Game, noted: Annotated) -> int:
    """Return the ply an annotation is on, 0 for the game."""
    at = (noted.event, noted.word)
    return next((ply for ply, entry in enumerate(game.book.plies, 1) if entry.ref == at), 0)
