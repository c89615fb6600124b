"""PDN, Portable Draughts Notation: English draughts is its game 21, other draughts are named and not judged.

PDN's results name White first, CGN's go by seats, and in draughts Black is the first: they are turned round on the way
in and out. What PDN need not say is taken for game 21.
"""

import re

from msgspec.structs import replace

from cartulary.notation.cgn.door import Door, tag_line
from cartulary.notation.cgn.record import Line, Note, Record
from cartulary.notation.cgn.result import format_result
from cartulary.notation.foreign.contract import (
    HALF,
    OtherFormat,
    each_line,
    export_text,
    of_game,
    opening,
    remark,
    unjudged,
    with_results,
    with_termination,
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
_MOVE = re.compile(r"[0-9]{1,2}(?:[-x:][0-9]{1,2})+")
_FEN = re.compile(r"[WB]:[WBK0-9,:.-]*")
_RANGE = re.compile(r"(K?)([0-9]{1,2})-([0-9]{1,2})")
_ONLY_MOVE = 7
"""The glyph of what PDN writes as a star behind a move: every other loses."""
RESULTS = HALF | {
    points: format_result(shares) for points, shares in {"2-0": (1, 0), "0-2": (0, 1), "1-1": (1, 1)}.items()
}
"""Results that are written otherwise: in halves, and in points."""


def is_numeric(word: str) -> bool:
    """Say whether a word is a move in the numbers of squares, a star behind it or none."""
    return _MOVE.fullmatch(word.removesuffix("*")) is not None


def sniff(text: str) -> bool:
    """Say whether there is a tag GameType, a position in numbers, or a first move in them."""
    tags, word = opening(text)
    return "GameType" in tags or is_numeric(word) or _FEN.match(tags.get("FEN", "")) is not None


def read(record: Record) -> Record:
    """Return the record of its game, unless its own tag Game says of which; results by seats where it is ours."""
    if record.tag("Game"):
        return record
    written = record.tag("GameType", OWN_TYPE)
    type_ = written.partition(",")[0].strip()
    game = TYPES.get(type_, f"the draughts of GameType {written}")
    if game != GAME:
        return with_termination(with_results(unjudged(record, game), RESULTS))
    said = {"GameType"} if written == OWN_TYPE else set()
    if record.tag("FEN") and record.tag("SetUp") == "1":
        said.add("SetUp")
    tags = tuple(tag for tag in record.tags if tag[0] not in said)
    found = with_termination(with_results(of_game(replace(record, tags=tags), GAME), RESULTS))
    fen = found.tag("FEN")
    spelled = _RANGE.sub(_squares, "".join(fen.split()).rstrip("."))
    if spelled != fen:
        found = remark(found, f"found the FEN {fen!r}, read as {spelled!r}", "FEN")
        found = replace(found, tags=tuple((name, spelled if name == "FEN" else value) for name, value in found.tags))
    return by_seats(replace(found, line=each_line(found.line, _without_stars)))


def turned(result: str) -> str:
    """Return a result with its two sides changed; others stay as they are."""
    first, dash, second = result.partition("-")
    return f"{second}-{first}" if dash and "-" not in second else result


def by_seats(record: Record) -> Record:
    """Return the record with its results turned round, in tag, line and variations."""
    tags = tuple((name, turned(value) if name == "Result" else value) for name, value in record.tags)
    line = each_line(record.line, lambda line: replace(line, result=turned(line.result)))
    return replace(record, tags=tags, line=line)


def _without_stars(line: Line) -> Line:
    """Return the line with the star behind a word as a glyph."""
    starred = [at for at, word in enumerate(line.words) if word.endswith("*") and is_numeric(word)]
    notes = dict(line.notes)
    for at in starred:
        note = notes.get(at + 1, Note())
        notes[at + 1] = Note((_ONLY_MOVE, *note.glyphs), note.then)
    words = tuple(word.removesuffix("*") if at in starred else word for at, word in enumerate(line.words))
    return replace(line, words=words, notes=notes) if starred else line


def _squares(found: re.Match[str]) -> str:
    return ",".join(f"{found[1]}{square}" for square in range(int(found[2]), int(found[3]) + 1))


def write(record: Record) -> str:
    """Return the text of a game of draughts, its results White's first; of others as they stand."""
    if record.tag("Game") != GAME:
        return export_text(record, (), ("GameType",))
    more = {"GameType": OWN_TYPE}
    if record.tag("FEN"):
        more["SetUp"] = "1"
    return export_text(by_seats(record), more.items(), ("GameType",))


PDN = OtherFormat(
    "pdn",
    "PDN",
    (GAME, *(name for type_, name in TYPES.items() if int(type_) >= 20 and name != GAME)),
    (".pdn",),
    Door("pdn", tag_line("Event")),
    sniff,
    read,
    write,
)
