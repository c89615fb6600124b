"""Annotating plies and the game: words, glyphs, variations, and the commands a comment carries."""

import re
from collections.abc import Iterator

from msgspec import Struct

from cartulary.notation import Line, Note, loads, steps
from cartulary.notation.arbiter.canonical import canonical_note
from cartulary.notation.arbiter.replay import Step
from cartulary.notation.cgn.commands import commands_in, without
from cartulary.notation.cgn.scanner import GLYPHS
from cartulary.records.answers import Noted
from cartulary.records.commands.request import carry_out, check_there, readable
from cartulary.records.faults import Declined, Unfit, Unread
from cartulary.records.log.events import Annotated
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.notes import note_text
from cartulary.records.state.seat_view import UNTOLD, seen_game, seen_version, viewer
from cartulary.records.texts import keepable, named, now, plain

_OURS = re.compile(r"\[%\s*(takeback|amend|clock|irregular|dispute|ruling|board)")
_GLYPH = re.compile(r"\s*([!?]{1,2}|\$[0-9]+)(?=[\s(]|$)")


class Noting(Struct, frozen=True):
    """What is to be noted. variations: as CGN, each in its parentheses."""

    comment: str = ""
    glyphs: tuple[int, ...] = ()
    variations: str = ""


def read_noting(text: str) -> Noting:
    """Return what a person typed as a note: glyphs, then variations in parentheses, then words.

    A parenthesis behind the first word belongs to the comment. Raises Unfit for a glyph there is none of.
    """
    glyphs: list[int] = []
    while match := _GLYPH.match(text):
        glyphs.append(glyph_code(match[1]))
        text = text[match.end() :]
    end = _variations_end(text.strip())
    return Noting(text.strip()[end:].strip(), tuple(glyphs), text.strip()[:end])


def _variations_end(text: str) -> int:
    """Return where the parentheses a text begins with end, the comments inside them skipped."""
    depth, end = 0, 0
    for match in re.finditer(r"\{[^}]*\}?|[()]|\S", text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if not depth and match[0] != ")":
            return end
        end = match.end()
    return end


def glyph_code(sign: str) -> int:
    """Return the code of ``!``, ``?!`` or ``$14``. Raises Unfit for what is no glyph."""
    digits = sign.removeprefix("$")
    if sign in GLYPHS:
        return GLYPHS[sign]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 3 and int(digits) <= 255):
        raise Unfit(f"{sign!r} is no glyph; expected one of ! ? !! ?? !? ?! or a code from $0 to $255.")
    return int(digits)


def annotate(
    store: Store,
    id: str,
    ply: int,
    comment: str = "",
    *,
    glyphs: tuple[int, ...] = (),
    variations: str = "",
    replace: bool = False,
    by: str = "",
    command: str = "",
    expected: int | None = None,
    seat: int | None = None,
) -> Noted:
    """Add a comment, glyphs or variations to what stands behind a ply.

    ply: 0 for the game as a whole; comment: its words; a command in it takes the place of one of the same name
    variations: other plies than this one, each in parentheses as CGN has them; stored in their one spelling
    replace: take the whole annotation away first, commands and variations too
    seat: from whose view variations are read and it is answered; no seat is told what is noted
    Raises Declined for a ply that is not there and for a comment that contains ``}``, Unfit for a command in it that
    only the desk writes and where nothing is to be noted, Unread for a variation with a word that is no move there.
    """
    noting = Noting(comment, glyphs, variations)

    def draft(game: LiveGame) -> tuple[Annotated]:
        note = _annotated(seen_game(game, viewer(game, seat)), ply, noting, replace)
        event, word = game.book.ref(ply)
        who = named(by)
        text = note_text(note)
        noted = Annotated(at=now(), by=who, command=command, event=event, word=word, text=text)
        return (noted,)

    game, done = carry_out(store, id, expected, command, Annotated, draft, seat)
    seat = viewer(done, seat)
    noted = done.recorded[-1].event
    assert isinstance(noted, Annotated)
    at = _ply(done, noted)
    now_there, before = noted.text, note_text(_note(game, ply))
    if seat is not None:
        now_there, before = now_there and UNTOLD, before and UNTOLD
    return Noted(id, seen_version(done, seat), at, now_there, before)


def _annotated(game: LiveGame, ply: int, noting: Noting, replace: bool) -> Note:
    check_there(game, (ply,) if ply else ())
    if (noting.glyphs or noting.variations) and ply == 0:
        raise Unfit("A glyph or a variation belongs to a ply, and ply 0 is the game itself.")
    if any(not 0 <= code <= 255 for code in noting.glyphs):
        raise Unfit("A glyph is one of ! ? !! ?? !? ?! or a code from $0 to $255.")
    words = plain(noting.comment, "The comment")
    if not (words or noting.glyphs or noting.variations or replace):
        raise Unfit("There is nothing to note.")
    there = _note(game, ply)
    old = Note((), tuple(_boards(there))) if replace else there
    glyphs = dict.fromkeys((*old.glyphs, *noting.glyphs))
    then = (*_kept(old, words), *(words,) * bool(words), *_variations(game, ply, noting.variations))
    return Note(tuple(glyphs), then)


def _kept(old: Note, words: str) -> tuple[str | Line, ...]:
    """Return the old comments and variations, without the commands that the new words give anew."""
    ours = _OURS.search(words)
    if ours:
        raise Unfit(f"A note cannot hold [%{ours[1]} ...]: the desk writes that command itself.")
    typed = {each.name for each in commands_in(words)}
    if not typed:
        return old.then
    then = (without(item, typed) if isinstance(item, str) else item for item in old.then)
    return tuple(item for item in then if item)


def _boards(note: Note) -> Iterator[str]:
    """Yield the boards an imported sheet states in a note: they say what was played, and are no annotation."""
    for comment in note.comments:
        yield from (each.written for each in commands_in(comment) if each.name == "board")


def _note(game: LiveGame, ply: int) -> Note:
    return game.book.plies[ply - 1].note if ply else game.book.preface


def _ply(game: LiveGame, noted: Annotated) -> int:
    """Return the ply an annotation is on, 0 for the game."""
    at = (noted.event, noted.word)
    return next((ply for ply, entry in enumerate(game.book.plies, 1) if entry.ref == at), 0)


# --- variations ---


def _variations(game: LiveGame, ply: int, text: str) -> tuple[Line, ...]:
    """Return variations of a ply in their one spelling."""
    if not text:
        return ()
    text = keepable(" ".join(text.split()), "The variation")
    [record] = loads(f"~\n{text}\n*", tags=game.record.tags)
    for problem in record.problems:
        if problem.severity == "error":
            raise Unread(problem.because, text, problem.column)
    read = record.line.notes.get(1, Note())
    if len(record.line.words) > 1 or read.glyphs or read.comments:
        raise Unread("expected variations, each in parentheses, and nothing else", text, 1)
    step = _step(game, ply)
    seats = game.book.seats
    for line in read.variations:
        _readable(game, step, line)
    return canonical_note(played_game(game), step, read, seats).variations


def _step(game: LiveGame, ply: int) -> Step:
    """Return the ply as it was played. Raises Declined where it cannot be reached."""
    readable(game, ply)
    assert game.examined.walk is not None
    return next(game.examined.walk.steps(ply))


def _readable(game: LiveGame, step: Step, line: Line) -> None:
    """Raise Unread for a word of a variation that is no move, Declined for one that cannot be played on from.

    step: the ply it stands in place of
    """
    if not line.words:
        raise Unread("found a variation without a move", "()", 1)
    for each in steps(played_game(game), step.state, line.words, game.book.seats, step.calls):
        if each.error is not None:
            because = f"{each.error.because}; what begins with a parenthesis is a variation"
            raise Unread(because, each.word, each.error.column)
        if each.error is None and not each.applied:
            raise Declined(f"{each.word} in the variation of ply {step.ply} cannot be applied there.")
        for inner in line.notes.get(each.ply, Note()).variations:
            _readable(game, each, inner)
