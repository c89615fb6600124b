"""A format: what tells it from CGN, what of a record it says otherwise, and how it lays a game out."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import how_many
from cartulary.notation.cgn.record import Line, Note, Problem, Record
from cartulary.notation.cgn.result import format_result, read_result, result_fault
from cartulary.notation.cgn.scanner import GLYPHS
from cartulary.notation.cgn.signs import cut
from cartulary.notation.cgn.writer import CODES, format_game

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags both formats begin with, in the order of PGN's export format."""
_UNKNOWN = {"Date": "????.??.??", "Result": "*"}
_OURS = ("Game", "Edition", "Options", "Rules")
_ENDS = ("1/2", "½", "½-½", "2-0", "0-2", "1-1")
"""Results that CGN's reader takes for words."""


class OtherFormat(Struct, frozen=True, eq=False):
    """Another format of score sheets.

    Attributes:
        name: The name typed after ``--format``.
        title: The name people use.
        games: The values of the tag Game that the format is for; a record without that tag is of the first. Empty for
            any game.
        endings: The endings of its file names. They count only where nothing in a game shows its format.
        is_move: ``is_move(word)`` returns whether the first word of a game is a move of this format.
        shows: ``shows(tags, word)`` returns whether the tags and the first word of a game show this format.
        read: ``read(record)`` returns the record that CGN's reader made, changed to say the same as CGN says it. What
            CGN cannot say is kept, with a remark. It is called once a game.
        write: ``write(record)`` returns the text of one game, with calls as comments. It raises NotationError.
        swap_result: ``swap_result(record)`` returns what ``read`` gave with its result turned round. None for a format
            whose files agree on whose result comes first.
        opens: ``opens(head)`` returns whether a file in this format begins so. It is called first, for formats whose
            text CGN's reader cannot read.
        records: ``records(data)`` yields the games of such a file.
    """

    name: str
    title: str
    games: tuple[str, ...]
    endings: tuple[str, ...]
    is_move: Callable[[str], bool]
    shows: Callable[[Mapping[str, str], str], bool]
    read: Callable[[Record], Record]
    write: Callable[[Record], str]
    swap_result: Callable[[Record], Record] | None = None
    opens: Callable[[bytes], bool] = lambda head: False
    records: Callable[[bytes], Iterator[Record]] = lambda data: iter(())


FIRST_PLAYER, WHITE = "first-player", "white"
RESULTS = (FIRST_PLAYER, WHITE)
"""Whose result stands first in files of a format that differ in that: the first player's, or that of the white side."""

# --- reading ---


def of_game(record: Record, game: str) -> Record:
    """Return a record with a tag Game in front, which files of the format do not have; ``game`` is its value."""
    return replace(record, tags=(("Game", game), *record.tags))


def as_unjudged(record: Record, game: str) -> Record:
    """Return a record that is not judged: with ``[Rules "none"]`` and a tag Game of a game without rules here."""
    return replace(record, tags=(("Game", game), ("Rules", "none"), *record.tags))


def remark(record: Record, because: str, tag: str = "", ply: int = 0) -> Record:
    """Return the record with one more remark: at a tag if one is named, else at a ply, from 1.

    Ply 0 is the start of the record. The key is ``record.tag`` or ``cgn.mark``.
    """
    line, column = record.place_of_tag(tag) if tag else record.place(ply)
    problem = Problem(line, column, because, "record.tag" if tag else "cgn.mark", "remark", ply)
    return replace(record, problems=(*record.problems, problem))


def without_repeated_tags(record: Record) -> Record:
    """Return the record with each tag once, with its first value, and a remark for every tag that stood there again."""
    if len(record.tags) == len(record.by_name):
        return record
    values: dict[str, list[str]] = {}
    for name, value in record.tags:
        values.setdefault(name, []).append(value)
    for name, (_, *others) in values.items():
        if others:
            often = "twice" if len(others) == 1 else f"{len(others) + 1} times"
            left_out = ", ".join(repr(cut(value)) for value in others[:3]) + " …" * (len(others) > 3)
            are = "is" if len(others) == 1 else "are"
            because = f"found the tag {name} {often}, expected it once; the first counts, {left_out} {are} left out"
            record = remark(record, because, name)
    return replace(record, tags=tuple((name, first) for name, (first, *_) in values.items()))


def points(text: str) -> str:
    """Return the result that points of two seats make: ``4-6`` -> ``2/5-3/5``, ``2-0`` -> ``1-0``.

    It is empty if the text is no points, or if they are fewer than two in all, as in ``1-0`` and ``0-0``.
    """
    match = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", text)
    shares = (int(match[1]), int(match[2])) if match else (0, 0)
    return format_result(shares) if sum(shares) > 1 else ""


def with_results(record: Record, spellings: Mapping[str, str] = {}) -> Record:
    """Return a record with the result of its tag and of its moves in CGN's spelling, with a remark on each change.

    Args:
        record: A record of two seats, whose result may be its last word, because CGN's reader took it for one.
        spellings: Results that only this format writes so, in small letters, and what they are in CGN.
    """
    written = record.tag("Result")
    result = spellings.get(written.lower()) or read_result(written, in_points=True) or points(written)
    if result and written and result != written:
        record = remark(record, f"found the result {written}, read as {result}", "Result")
        tags = ((name, result if name == "Result" else value) for name, value in record.tags)
        record = replace(record, tags=tuple(tags))
    line = record.line
    last = line.words[-1] if line.words and not line.result else ""
    result = (spellings.get(last) or (read_result(last, in_points=True) if last in _ENDS else "")) if last else ""
    if not result and last and last == written:
        result = points(last)
    if not result:
        return record
    ply = len(line.words)
    record = remark(record, f"found the result {last}, read as {result}", ply=ply)
    return replace(record, line=replace(line, words=line.words[:-1], result=result))


def with_result_of_tag(record: Record) -> Record:
    """Return a record whose moves end with the result of its tag if they end with none, with a remark that says so.

    It is returned as it is if its moves have a result, or if its tag is missing, is ``*``, or is no result of two
    seats.
    """
    result = record.tag("Result")
    if record.result or result in ("", "*") or result_fault(result, 2):
        return record
    because = "found no result at the end of the movetext, which may have been cut off"
    problem = Problem(
        *record.place(len(record.line.words) + 1),
        f"{because}; the Result tag's {result} counts",
        "record.result",
        "remark",
        len(record.line.words),
    )
    return replace(record, line=replace(record.line, result=result), problems=(*record.problems, problem))


def with_words(record: Record, line: Line) -> Record:
    """Return a record with a line whose words are read otherwise than written, with a remark on each such word.

    After twenty such remarks, one tells how many more words are read otherwise.

    Args:
        record: The record as written.
        line: Its main line as it is read, with as many words.
    """
    pairs = enumerate(zip(record.line.words, line.words, strict=True), 1)
    odd = [(ply, word, spelling) for ply, (word, spelling) in pairs if word != spelling]
    for ply, word, spelling in odd[:_SHOWN]:
        before = record.line.notes.get(ply, Note())
        glyphs = [f" ${code}" for code in line.notes.get(ply, Note()).glyphs if code not in before.glyphs]
        stands = word + _mark_behind(before) if word[-1] in "!?" else word
        record = remark(record, f"found {cut(stands)}, read as {spelling}{''.join(glyphs)}", ply=ply)
    if len(odd) > _SHOWN:
        ply = odd[_SHOWN][0]
        record = remark(record, f"from here on, {how_many(len(odd) - _SHOWN, 'word')} more are read so", ply=ply)
    return replace(record, line=line)


def without_marks(word: str, note: Note) -> tuple[str, Note]:
    """Return a word without the marks after it, and its note with the glyph that the run of marks begins with.

    CGN's reader takes the last marks off a word and leaves what stands before them: of ``e4!?!!!`` it makes the word
    ``e4!?!`` with ``!!``, and this makes e4 with ``!?`` of that.
    """
    bare = word.rstrip("!?")
    if bare in ("", word):
        return word, note
    last = _mark_behind(note)
    glyphs = note.glyphs[1:] if last else note.glyphs
    return bare, Note((GLYPHS[(word[len(bare) :] + last)[:2]], *glyphs), note.items)


def _mark_behind(note: Note) -> str:
    """Return the mark, such as ``!?``, for the first glyph of a note; empty if it has none or no mark stands for it."""
    return next((mark for mark, code in GLYPHS.items() if note.glyphs[:1] == (code,)), "")


_SHOWN = 20
"""How many words that are read otherwise than they stand have a remark of their own."""
_LETTERS = re.compile(r"[^\W\d_]{3,}[.,]?")


def without_last_words(record: Record, is_move: Callable[[str], bool]) -> Record:
    """Return a record in which words after the last move, such as ``White resigns``, are a comment.

    Only words of three letters or more at the end count, and not if nothing else is there. ``is_move`` says whether a
    word may be a move. A remark says what was found; without such words the record is returned as it is.
    """
    words, line = record.line.words, record.line
    end = whole = len(words)
    while end and (end == whole or end not in line.notes) and _LETTERS.fullmatch(words[end - 1]):
        if is_move(words[end - 1]):
            break
        end -= 1
    if end in (0, whole):
        return record
    text, note, last = " ".join(words[end:]), line.notes.get(end, Note()), line.notes.get(whole, Note())
    record = remark(record, f"found {cut(text)} after the moves; it is kept as a comment", ply=end + 1)
    notes = {at: own_note for at, own_note in line.notes.items() if at < end}
    notes[end] = Note(note.glyphs + last.glyphs, (*note.items, text, *last.items))
    numbers = {at: number for at, number in line.numbers.items() if at < end}
    return replace(record, line=replace(line, words=words[:end], notes=notes, numbers=numbers))


def turn_result(result: str) -> str:
    """Return a result of two seats with its sides exchanged: ``1-0`` -> ``0-1``; any other result as it is."""
    first, dash, second = result.partition("-")
    return f"{second}-{first}" if dash and "-" not in second else result


def each_line(line: Line, change: Callable[[Line], Line]) -> Line:
    """Return a line after ``change``, which is applied to every variation in it first, from the inside out."""
    notes = {}
    for at, note in line.notes.items():
        items = tuple(item if isinstance(item, str) else each_line(item, change) for item in note.items)
        notes[at] = Note(note.glyphs, items)
    return change(replace(line, notes=notes))


# --- writing ---


def export_text(record: Record, more: Iterable[tuple[str, str]] = (), first: tuple[str, ...] = ()) -> str:
    """Return a game in export format: the roster, ``first``, the other tags by name, and the moves.

    A tag of the roster that the game does not have is written as unknown. The tags Game, Edition, Options and Rules are
    left out, unless ``more`` has them. A line of moves is shorter than 80 characters unless a single word or comment is
    longer.

    Args:
        record: The game.
        more: Tags that the format needs and CGN does not have; they replace tags of the same name.
        first: The names of tags that follow the roster, in order.

    Raises:
        NotationError: A tag value has a line break, or no form of comment can hold a comment.
    """
    own = dict(more)
    tags = {name: value for name, value in record.by_name.items() if name not in _OURS and name not in own}
    if tags.get("Result"):
        tags["Result"] = read_result(tags["Result"]) or tags["Result"]
    result = {"Result": record.result} if record.result else {}
    roster = {name: _UNKNOWN.get(name, "?") for name in ROSTER} | result
    order = {name: at for at, name in enumerate((*ROSTER, *first))}
    return format_game(
        replace(record, tags=tuple((roster | tags | own).items())),
        lambda tag: (0, order[tag[0]], "") if tag[0] in order else (1, 0, tag[0]),
        CODES,
    )
