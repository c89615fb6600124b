"""PDN, Portable Draughts Notation: English draughts is its game 21, other draughts are named and not judged.

A result of PDN names first the colour that begins in the usual start of its GameType, as CGN does; in English draughts
that is Black. A file that means White by it is turned round where it is read (``by_white``). Draughts that say no
GameType are English where that is possible.

Source: PDN 3.0 and the draft of 2.0, 6.1.1.1.1.5 (the first player's result stands first).
"""

import re
from collections.abc import Mapping
from itertools import pairwise

from msgspec.structs import replace

from cartulary.notation.cgn.record import Line, Note, Record
from cartulary.notation.foreign.contract import (
    OtherFormat,
    as_unjudged,
    each_line,
    export_text,
    of_game,
    remark,
    turn_result,
    with_results,
    with_words,
    without_last_words,
    without_marks,
)

GAME = "Draughts"
OWN_TYPE = "21"
TYPES = {
    "0": "Chess",
    "1": "Chinese chess",
    "20": "International draughts",
    OWN_TYPE: GAME,
    "22": "Italian draughts",
    "23": "American pool checkers",
    "24": "Spanish draughts",
    "25": "Russian draughts",
    "26": "Brazilian draughts",
    "27": "Canadian draughts",
    "28": "Portuguese draughts",
    "29": "Czech draughts",
    "30": "Turkish draughts",
    "31": "Thai draughts",
    "40": "Frisian draughts",
    "41": "Spantsiretti draughts",
}
UNKNOWN = "Draughts of another kind"
"""The game of draughts that are not English, and of which nothing says what they are."""
_MOVE = re.compile(r"[0-9]{1,2}(?:[-x:][0-9]{1,2})+")
_LETTERED = re.compile(r"[a-h][1-8](?:[-x:]?[a-h][1-8])+")
_MOVE_AND_WORDS = re.compile(r"([0-9]{1,2}(?:[-x:][0-9]{1,2})++)([^\W\d].*)")
"""A move in numbers with words stuck to it, as in ``26-22White resigned``."""
_FEN = re.compile(r"[WB?]:[WB][K0-9a-h,:WB.-]*", re.IGNORECASE)
_RANGE = re.compile(r"(K?)([0-9]{1,2})-([0-9]{1,2})")
_COUNTERS = re.compile(r"\.?:H[0-9]+(?::F[0-9]+)?\.?$", re.IGNORECASE)
_ONLY_MOVE = 7
"""The glyph of what PDN writes as a star after a move: every other move loses."""
_BLACK_FIRST = {f"{winner} {verb}": "1-0" for winner in ("black", "red") for verb in ("wins", "won")}
_BLACK_FIRST |= {"white wins": "0-1", "white won": "0-1"}
"""Results in words, where Black begins."""


def is_numeric(word: str) -> bool:
    """Say whether a word is a move in numbers of squares, such as ``11-15`` or ``22x13*``."""
    return _MOVE.fullmatch(word.removesuffix("*")) is not None


def is_move(word: str) -> bool:
    """Say whether a word looks like a move of draughts: in numbers, ``11-15``, or in letters, ``c3-d4``.

    Letters must go along diagonals.
    """
    return is_numeric(word) or is_diagonal(word)


def is_diagonal(word: str) -> bool:
    """Say whether a word is a move in letters along diagonals, such as ``c3-d4`` or ``c3d4``."""
    squares = re.findall("[a-h][1-8]", word) if _LETTERED.fullmatch(word) else []
    return bool(squares) and all(
        abs(ord(here[0]) - ord(there[0])) == abs(int(here[1]) - int(there[1])) for here, there in pairwise(squares)
    )


def shows(tags: Mapping[str, str], word: str) -> bool:
    """Say whether a game is in PDN: it has a GameType other than chess, a FEN in numbers, or begins as draughts.

    A GameType alone decides if there is one; 0 is chess. ``word`` is the first word of the game.
    """
    if "GameType" in tags:
        return tags["GameType"].partition(",")[0].strip() != "0"
    return is_position(tags.get("FEN", "")) or is_move(word)


def is_position(fen: str) -> bool:
    """Say whether a tag FEN names squares by their numbers or letters, as in ``B:W18:B14``."""
    return _FEN.match("".join(fen.split())) is not None


def read(record: Record) -> Record:
    """Return a record of PDN as one of draughts, or of the draughts its GameType names, which are then not judged.

    Results, FEN and words are spelled as CGN has them, with a remark on each change; nothing raises. A record with a
    tag Game is returned as it is.
    """
    if record.tag("Game"):
        return record
    type_ = record.tag("GameType") or _kind(record)
    record = with_results(record, _BLACK_FIRST if type_.partition(",")[0].strip() == OWN_TYPE else {})
    written = record.tag("GameType") or _kind(record)
    if written != record.tag("GameType"):
        if written != OWN_TYPE:
            named = TYPES.get(written, UNKNOWN)
            because = f"found no GameType and squares that English draughts has not; read as {named}, not judged"
            record = remark(record, because, "FEN" if record.tag("FEN") else "", 0 if record.tag("FEN") else 1)
        if written:
            tags = tuple(tag for tag in record.tags if tag[0] != "GameType")
            record = replace(record, tags=(*tags, ("GameType", written)))
    type_ = written.partition(",")[0].strip()
    game = TYPES.get(type_, f"the draughts of GameType {written}" if written else UNKNOWN)
    record = _with_stars(record)
    if game != GAME:
        return as_unjudged(record, game)
    own = {"GameType"} if written == OWN_TYPE else set()
    if record.tag("FEN"):
        own |= {name for name, value in record.tags if name.lower() == "setup" and value == "1"}
    record = of_game(replace(record, tags=tuple(tag for tag in record.tags if tag[0] not in own)), GAME)
    fen = record.tag("FEN")
    if "FEN" in record.by_name and fen.strip() in ("", "?"):
        return replace(record, tags=tuple(tag for tag in record.tags if tag[0] != "FEN"))
    spelled = _RANGE.sub(_squares, _COUNTERS.sub("", "".join(fen.split())).rstrip("."))
    if spelled != fen:
        record = remark(record, f"found the FEN {fen!r}, read as {spelled!r}", "FEN")
        tags = tuple((name, spelled if name == "FEN" else value) for name, value in record.tags)
        record = replace(record, tags=tags)
    return record


def _kind(record: Record) -> str:
    """Return the GameType of draughts that do not say theirs: English where that is possible.

    Squares past 32 are those of a larger board, letters those of Russian draughts. In English draughts Black begins,
    from 9 to 12; a first move from 21 to 24 is White's in Italian numbering, one from a higher square is of a larger
    board.
    """
    fen, first = record.tag("FEN"), record.line.words[0] if record.line.words else ""
    moves = [word for word in record.line.words if is_numeric(word)]
    squares = [int(square) for text in (*moves, fen) for square in re.findall(r"(?<![0-9])[0-9]{1,2}(?![0-9])", text)]
    highest = max(squares, default=0)
    if highest > 50:
        return "27"
    if highest > 32:
        return "20"
    if (_LETTERED.fullmatch(first) and not moves) or re.search(r"[a-h][1-8]", fen):
        return "25"
    begins = squares[0] if moves and first == moves[0] and not fen else 0
    return "20" if begins > 24 else "22" if begins > 20 else OWN_TYPE


def by_white(record: Record) -> Record:
    """Return a game of English draughts with its result turned round, for a file that names White's result first.

    Other games, and those with a tag Game of their own, are returned as they are.
    """
    if record.tag("Game") != GAME or record.source.format != PDN.name:
        return record
    tags = tuple((name, turn_result(value) if name == "Result" else value) for name, value in record.tags)
    line = each_line(record.line, lambda line: replace(line, result=turn_result(line.result)))
    return replace(record, tags=tags, line=line)


def _with_stars(record: Record) -> Record:
    """Return a record whose moves have no star, dots or words stuck to them; these become glyphs and comments.

    Words after the last move become a comment too. Each change is remarked.
    """
    if not all(map(_MOVE.fullmatch, record.line.words)) or record.line.notes:
        record = without_last_words(record, is_move)
        record = replace(record, line=each_line(record.line, _without_stars))
        record = with_words(record, each_line(record.line, _without_words))
    return record


def _starred(word: str) -> bool:
    """Say whether a word is a move in numbers with a star after it, such as ``22x13*``."""
    return word.endswith("*") and is_numeric(word)


def _without_stars(line: Line) -> Line:
    """Return the line with each star after a word as glyph 7, the first of its note: every other move loses."""
    starred = [at for at, word in enumerate(line.words) if _starred(word)]
    notes = dict(line.notes)
    for at in starred:
        note = notes.get(at + 1, Note())
        notes[at + 1] = Note((_ONLY_MOVE, *note.glyphs), note.items)
    words = tuple(word.removesuffix("*") if at in starred else word for at, word in enumerate(line.words))
    return replace(line, words=words, notes=notes) if starred else line


def _without_words(line: Line) -> Line:
    """Return a line without dots before words; marks become glyphs, and words stuck to a move a comment.

    ``26-22White resigned`` is the move ``26-22`` with the comment ``White resigned`` if it is one word.
    """
    words, notes = list(line.words), dict(line.notes)
    for at, word in enumerate(line.words):
        words[at], note = without_marks(word.lstrip(".…") or word, notes.get(at + 1, Note()))
        if note.glyphs:
            notes[at + 1] = note
        if match := _MOVE_AND_WORDS.fullmatch(words[at]):
            words[at], notes[at + 1] = match[1], Note(note.glyphs, (match[2], *note.items))
    return replace(line, words=tuple(words), notes=notes)


def _squares(match: re.Match[str]) -> str:
    """Return a range of squares in a FEN one by one: ``K1-3`` -> ``K1,K2,K3``."""
    return ",".join(f"{match[1]}{square}" for square in range(int(match[2]), int(match[3]) + 1))


def write(record: Record) -> str:
    """Return the text of a game of draughts, the first player's result first, as CGN has it.

    English draughts gets the GameType 21; the game of any other record is not named beyond its own tags.
    """
    if record.tag("Game") != GAME:
        return export_text(record, (), ("GameType",))
    more = {"GameType": OWN_TYPE}
    if record.tag("FEN"):
        more["SetUp"] = "1"
    return export_text(record, more.items(), ("GameType",))


PDN = OtherFormat(
    "pdn",
    "PDN",
    (GAME, *(name for type_, name in TYPES.items() if int(type_) >= 20 and name != GAME), UNKNOWN),
    (".pdn",),
    is_move,
    shows,
    read,
    write,
    by_white,
)
