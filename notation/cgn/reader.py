"""Reading CGN: bytes to records, one game at a time, whatever the length of the file.

The file is cut where a blank line is followed by a tag section, so a broken game never hides the next one and
memory holds one game. Laxer than the standard: numbers may stick to words or be missing, one full stop after a
word or result is dropped with a remark, text that is not UTF-8 is read as Latin-1 with a remark. What is odd in a game,
such as ``11-15`` as a word, says who calls.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO, TypeAlias

from msgspec import Struct

from cartulary.notation.cgn import lenient
from cartulary.notation.cgn.movetext import HEADER, Movetext
from cartulary.notation.cgn.record import (
    Line,
    Problem,
    Record,
)
from cartulary.notation.cgn.scanner import (
    NOTHING_ODD,
    PLAIN_TAG,
    PLAIN_TAGS,
    RESULT_TOKEN,
    SIGNS,
    TAG,
    TAG_LINE,
    TOKEN,
    Odd,
    Source,
    kind_in,
    read_token,
    token_offsets,
)

BLOCK = 1 << 18
MARGIN = 1 << 16
"""How far before a byte a boundary is looked for, and how much of a block's end is searched again."""
LONG = 1 << 16
"""How much text of one piece is looked at as a whole."""
BOUNDARY = re.compile(rb'\n[ \t\r]*\n(?=(?:%[^\n]*\n)*\[[ \t]*[A-Za-z0-9_]+[ \t]+")')
_NAMES_GAME = re.compile(
    rb'(?m)^(?:\xef\xbb\xbf)?[ \t]*(?:\[[^"\n]+"(?:[^"\\\n]|\\.)*"[ \t]*\][ \t]*)*\[[ \t]*Game[ \t]'
)
"""A line with the tag Game, which no game of CGN has twice."""
_TAGS_ONLY = re.compile(rb'(?:\xef\xbb\xbf)?(?:[ \t\r]*(?:\[[ \t]*[A-Za-z0-9_]+[ \t]+"[^\n]*|%[^\n]*)?\n)*+')
BOM = b"\xef\xbb\xbf"
_WINDOWS = re.compile("[\x80\x82-\x8c\x8e\x91-\x9c\x9e\x9f]")
"""What Latin-1 has as control characters and Windows-1252 as letters and signs; nobody writes the first."""

Tags: TypeAlias = tuple[tuple[str, str], ...]
OddIn: TypeAlias = Callable[[Tags], Odd]
"""Says of a record's tags what is odd in their game; asked where there is a token that may be."""


def _never(word: str) -> bool:
    """Return False: no word is known to be a move; the default of ``ReadOptions.is_move``."""
    return False


class ReadOptions(Struct, frozen=True):
    """How strictly a file is read.

    Attributes:
        lenient: Whether to read text of other programs as it is meant, each oddity with a remark: odd tag lines, words
            before the first tag, games that run on, results and glyphs in words.
        is_move: ``is_move(word)`` says whether a word may be a move; asked where words stand before the first tag.
    """

    lenient: bool = False
    is_move: Callable[[str], bool] = _never


CGN_ONLY = ReadOptions()
"""The options for CGN itself."""


# --- files ---


def records_of(file: BinaryIO, odd: OddIn, options: ReadOptions = CGN_ONLY, head: bytes = b"") -> Iterator[Record]:
    """Yield the records of an open file in order, reading as it goes.

    Args:
        file: The file, open for reading bytes.
        odd: Returns which tokens a game reads in its own way, given its tags.
        options: How strictly to read.
        head: What has been read from the file already.
    """
    yield from _records(_pieces(file, 0, None, head, options), odd, options)


def records_between(
    file: BinaryIO, start: int, stop: int, odd: OddIn, options: ReadOptions = CGN_ONLY
) -> Iterator[Record]:
    """Yield the records that begin at byte ``start`` or later and before ``stop``.

    Lines are counted from the first of these records.

    Args:
        file: The file, open for reading bytes, which is set to another place.
        start: The first byte of the range.
        stop: The byte after its last.
        odd: Returns which tokens a game reads in its own way, given its tags.
        options: How strictly to read.
    """
    file.seek(max(0, start - MARGIN))
    yield from _records(_pieces(file, start, stop, b"", options), odd, options)


def _pieces(file: BinaryIO, start: int, stop: int | None, head: bytes, options: ReadOptions) -> Iterator[bytes]:
    """Yield the bytes of one game after the other; each piece ends where the next game begins.

    Args:
        file: The file, which stands at ``start``, or MARGIN before it so that the boundary in front of it is seen.
        start: The byte from which on games are yielded that begin there or later.
        stop: The byte at which no further game may begin; None for the end of the file.
        head: What has been read from the file already.
        options: How strictly to read, which decides what a boundary is.
    """
    held = bytearray()
    boundary = lenient.BOUNDARY if options.lenient else BOUNDARY
    base, searched, begun = max(0, start - MARGIN), 0, start <= 0
    for block in chain((head,), iter(partial(file.read, BLOCK), b"")):
        held += block
        done = 0
        for match in boundary.finditer(held, searched):
            if begun:
                yield bytes(held[done : match.end()])
            done = match.end()
            begun = begun or base + done >= start
            if stop is not None and begun and base + done >= stop:
                return
        base += done
        del held[:done]
        searched = max(0, len(held) - MARGIN)
    if begun and held.strip():
        yield bytes(held)


def _records(pieces: Iterator[bytes], odd: OddIn, options: ReadOptions) -> Iterator[Record]:
    """Yield the records in some pieces of a file; a piece may hold several games that follow one another.

    Each record is numbered from 1. Pieces that hold nothing at all give no record.
    """
    line, index = 1, 1
    remarks: tuple[str, ...]
    for whole in lenient.join_tags(pieces, options.is_move) if options.lenient else _joined(pieces):
        text, encoding = _decode(whole)
        remarks = ()
        if encoding:
            remarks = (
                f"read as {encoding}: the text is not UTF-8{', which CGN is written in' * (not options.lenient)}",
            )
        if options.lenient:
            text, more = lenient.clear_bytes(text)
            remarks += more
        used = 0
        while used < len(text):
            record, length = _next_game(text, used, line, index, remarks, odd, options)
            line += text.count("\n", used, used + length)
            used += length
            if record.tags or record.escapes or record.problems or not _is_bare(record):
                yield record
                index += 1


def _joined(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the pieces of a file, pieces of tags only joined to the next one; a second tag Game begins a new game."""
    held: list[bytes] = []
    named = False
    for piece in pieces:
        names = _NAMES_GAME.search(piece) is not None
        if held and named and names:
            yield b"".join(held)
            held, named = [], False
        held.append(piece)
        named = named or names
        if not _may_be_tags(piece) or not _TAGS_ONLY.fullmatch(piece):
            yield b"".join(held)
            held, named = [], False
    if held:
        yield b"".join(held)


def _may_be_tags(piece: bytes) -> bool:
    """Say whether the last line of a piece that is not blank begins as a tag or an escape line does."""
    written = piece.rstrip()
    return written[written.rfind(b"\n") + 1 :].removeprefix(BOM).lstrip()[:1] in (b"[", b"%", b"")


def _is_bare(record: Record) -> bool:
    """Say whether a record has no movetext: no words, notes, result or text after it."""
    return not (record.line.words or record.line.notes or record.result or record.tail)


def _decode(piece: bytes) -> tuple[str, str]:
    """Return the text of some bytes with plain line ends, and the name of its encoding; empty for UTF-8.

    Bytes that are not UTF-8 are read as Latin-1, or as Windows-1252 if they have its letters, so that nothing raises. A
    byte order mark is dropped.
    """
    if piece.startswith(BOM):
        piece = piece[3:]
    if b"\r" in piece:
        piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return piece.decode("utf-8"), ""
    except UnicodeDecodeError:
        text = piece.decode("latin-1")
    if not _WINDOWS.search(text):
        return text, "Latin-1"
    return _WINDOWS.sub(lambda sign: sign[0].encode("latin-1").decode("cp1252"), text), "Windows-1252"


# --- one game ---


def _next_game(
    text: str, used: int, line: int, index: int, remarks: tuple[str, ...], odd: OddIn, options: ReadOptions
) -> tuple[Record, int]:
    """Return the record at an offset into a text, and how many characters it took.

    Only as much of a long text is looked at as one game needs, so that many games in one piece take linear time.

    Args:
        text: The text.
        used: The offset at which the game begins.
        line: The line of the file at that offset.
        index: The number of the game in the file, from 1.
        remarks: Remarks on the bytes of the piece.
        odd: Returns which tokens a game reads in its own way, given its tags.
        options: How strictly to read.
    """
    size = len(text) - used
    if used or size > LONG:
        size = LONG >> 6
    while True:
        part = text[used : used + size]
        record, length = _read_game(Source(part, line), index, remarks, odd, options)
        if used + size >= len(text) or length < size - (size >> 2):
            return record, length
        size *= 4


def _read_game(
    whole: Source, index: int, remarks: tuple[str, ...], odd: OddIn, options: ReadOptions
) -> tuple[Record, int]:
    """Return the record at the start of a text, and how many characters it took.

    Args:
        whole: The text, which may hold further games.
        index: The number of the game in the file, from 1.
        remarks: Remarks on the bytes of the piece.
        odd: Returns which tokens a game reads in its own way, given its tags.
        options: How strictly to read.
    """
    text = whole.text
    section = _read_tags(text, options)
    tags, body = tuple(section.tags), section.body
    text = text[: lenient.end_of_game(text, body) if options.lenient else _split(text, body)]
    source = Source(text, whole.line, body)
    if "\0" in text:
        place = source.place(text.index("\0"))
        problem = Problem(*place, "found a NUL byte, expected text: this is a binary file, or text in UTF-16")
        return Record((), Line(), tail=text, problems=(problem,), index=index, source=source), len(text)
    at, written, result = lenient.spelled_ending(text, body) if options.lenient else (0, "", "")
    moves = text[body:at] if result else text[body:]
    tokens = TOKEN.findall(moves) if SIGNS.search(moves) else moves.split()
    if len(tokens) == 1 and not (options.lenient or section.faults or remarks):
        [token] = tokens
        known = read_token(token)
        if known[0] == RESULT_TOKEN and known[1] == token and kind_in(token, known, own := odd(tags)) == RESULT_TOKEN:
            source = source if own == NOTHING_ODD else Source(text, whole.line, body, own)
            line = Line(result=token)
            return Record(tags, line, tuple(section.escapes), index=index, source=source), len(text)
    movetext = Movetext(source, partial(odd, tags), options.lenient)
    if options.lenient and lenient.PARTED_MOVE.search(moves):
        movetext.join(tokens)
    movetext.read(tokens)
    faults = section.faults
    if result and movetext.end_with(result):
        because = f", read as {result}" if result != written else " without a blank before it"
        faults.append((at, f"found the result {written}{because}", "remark"))
    if movetext.stack[0].words[-1:] == ["0-0"]:
        movetext.end_without_castling(next((value for name, value in tags if name == "Result"), ""))
    movetext.begin_with(section.preface)
    problems = [Problem(*source.place(at), because, severity=severity) for at, because, severity in faults]
    offsets = token_offsets(source) if movetext.faults else []
    problems += [
        Problem(*source.place(offsets[token]), because, key, severity, ply)
        for token, because, key, severity, ply in movetext.faults
    ]
    problems += [Problem(*source.place(0), because, severity="remark") for because in remarks]
    record = Record(
        tags,
        movetext.line(),
        (*section.escapes, *movetext.escapes),
        movetext.tail,
        tuple(problems),
        index,
        source if movetext.odd in (None, NOTHING_ODD) else Source(text, whole.line, body, movetext.odd),
    )
    return record, len(text)


class _TagSection:
    """What was read before the movetext.

    Attributes:
        tags: Pairs of name and value, as written.
        escapes: The lines that began with ``%``, without that sign.
        faults: What is wrong, each as (offset into the text, reason, severity).
        preface: Texts that are no tags, to be kept as comments.
        body: The offset at which the movetext begins.
    """

    def __init__(self) -> None:
        self.tags: list[tuple[str, str]] = []
        self.escapes: list[str] = []
        self.faults: list[tuple[int, str, str]] = []
        self.preface: list[str] = []
        self.body = 0


def _read_tags(text: str, options: ReadOptions) -> _TagSection:
    """Return the tags and escape lines at the start of a text, with what was odd about them.

    Nothing raises; a line that cannot be read is a fault of the section.
    """
    section = _TagSection()
    begin = PLAIN_TAGS.match(text)
    at = begin.end() if begin is not None else 0
    section.tags = PLAIN_TAG.findall(text, 0, at)
    while at < len(text):
        match = TAG.match(text, at)
        if match:
            value = match[2]
            if "\\" in value:
                value = _unescape(value, match.start(2), section.faults)
            section.tags.append((match[1], value))
            at = match.end()
            continue
        end = text.find("\n", at)
        end = len(text) if end < 0 else end + 1
        line = text[at:end]
        if line.startswith("%"):
            if not HEADER.fullmatch(line[1:]):
                section.escapes.append(line[1:].rstrip())
        elif line.lstrip().startswith("["):
            _read_tag_line(line, at, section, options)
        elif line.strip():
            end = lenient.preface_end(text, at, bool(section.tags), options.is_move) if options.lenient else at
            if end == at:
                break
            _keep_preface(text[at:end], at, section)
        at = end
    section.body = at
    return section


def _read_tag_line(line: str, at: int, section: _TagSection, options: ReadOptions) -> None:
    """Read a badly written tag line by its first and last quote; its tags and its fault are added to ``section``.

    A line that is no tag is kept as it stands: as a comment in lenient reading, else as an escape line. The fault is a
    remark in lenient reading, else an error. ``at`` is the offset of the line.
    """
    (pairs, rest), stands = lenient.lax_tags(line), line.strip()
    section.tags += pairs
    section.preface += rest
    severity = "remark" if options.lenient else "error"
    because = f'found {stands[:40]}, expected a tag such as [Event "Club evening"]'
    if pairs:
        because += "; read as " + " ".join(f'{name} "{value}"' for name, value in pairs)[:80]
        because += "".join(f"; {behind[:40]!r} is kept as a comment" for behind in rest)
    elif options.lenient:
        section.preface.append(stands)
        because += "; kept as a comment"
    else:
        section.escapes.append(stands)
        because += "; kept as a line that begins with %"
    section.faults.append((at + line.index("["), because, severity))


def _keep_preface(text: str, at: int, section: _TagSection) -> None:
    """Keep words that stand before or among the tags as comments in ``section``, each with a remark.

    ``text`` has the words and begins at the offset ``at`` of the game's text. Comments in braces are kept one by one.
    """
    for match in re.finditer(r"\{([^}]*)\}?|([^{]+)", text):
        words = " ".join((match[1] or match[2] or "").split())
        if words:
            section.preface.append(words)
            because = f"found {words[:40]!r} before the tags, expected a tag; kept as a comment"
            section.faults.append((at + match.start() + len(match[0]) - len(match[0].lstrip()), because, "remark"))


def _unescape(value: str, offset: int, faults: list[tuple[int, str, str]]) -> str:
    """Return a tag value with its escapes resolved; a remark on any other backslash is added to ``faults``.

    ``offset`` is where the value stands in the text.
    """
    for match in re.finditer(r"\\(.)", value):
        if match[1] not in '"\\':
            because = f'found \\{match[1]} in a tag, expected \\" or \\\\, the only escapes; the backslash is kept'
            faults.append((offset + match.start(), because, "remark"))
    return re.sub(r'\\(["\\])', r"\1", value)


def _split(text: str, body: int) -> int:
    """Return the offset at which the movetext ends: at tags outside a comment, or at the end of the text.

    ``body`` is the offset at which it begins.
    """
    if text.find("[", body) < 0 or not TAG_LINE.search(text, body):
        return len(text)
    for match in TOKEN.finditer(text, body):
        if match[0][0] == "[" and TAG_LINE.match(text, match.start()):
            return match.start()
    return len(text)
