"""The formats there are besides CGN. Another is a file of this room and a word in ``FORMATS``."""

import io
import re

from cartulary.notation.cgn.lenient import SIGNS
from cartulary.notation.cgn.reader import ReadOptions, records_of
from cartulary.notation.cgn.record import NotationError, Record
from cartulary.notation.cgn.scanner import Odd
from cartulary.notation.foreign.contract import ROSTER, OtherFormat
from cartulary.notation.foreign.pdn import PDN
from cartulary.notation.foreign.pgn import PGN
from cartulary.notation.foreign.sgf import SGF

FORMATS = (PGN, PDN, SGF)
ENDINGS = (".cgn", *(ending for format in FORMATS for ending in format.endings))
"""The endings of score sheets, which folders are searched for."""
HEAD = 1 << 14
"""How many bytes of a file say which format it is."""
_TAGS = r'[ \t]*(?:\[[^"\n]+"(?:[^"\\\n]|\\.)*"[ \t]*\][ \t]*)*'
_HEADER = r"%[ \t]*CGN[ \t]"
_GAME = rf"{_TAGS}\[[ \t]*Game[ \t]"
_CGN = re.compile(rf"(?:\xef\xbb\xbf)?(?:{_TAGS}(?:%[^\r\n]*)?[\r\n])*(?:{_HEADER}|{_GAME})".encode())


def find_format(name: str) -> OtherFormat:
    """Return the format with this name, such as ``pgn``.

    Raises:
        NotationError: If there is none; its text names those there are.
    """
    for format in FORMATS:
        if format.name == name:
            return format
    raise NotationError(f"found the format {name!r}, expected one of: {', '.join(format.name for format in FORMATS)}")


def is_move(word: str) -> bool:
    """Say whether a word looks like a move in any of the formats besides CGN."""
    return any(format.is_move(word) for format in FORMATS)


OPEN = ReadOptions(lenient=True, is_move=is_move)
"""How text that is no CGN is read."""
ODD = Odd(numeric=True, words=frozenset(("0-0", "0-0-0", "0000")), idle=frozenset(("e.p.",)), signs=SIGNS)
"""What some tokens are in a game of which it is not known yet which format it is in."""


def detect(record: Record, usual: OtherFormat) -> OtherFormat:
    """Return the format that a game shows by its tags, its position or its first word; else ``usual``.

    Of several formats the first of FORMATS counts.
    """
    word = record.line.words[0] if record.line.words else ""
    return next((format for format in FORMATS if format.shows(record.by_name, word)), usual)


def sniff(head: bytes, ending: str = "") -> OtherFormat | None:
    """Return the format of a file, judged by its beginning; None for CGN and if nothing shows a format.

    Args:
        head: The first bytes of the text; the first game in them that shows its format decides.
        ending: The ending of the file's name, such as ``.pgn``, which counts where no game does.
    """
    if not head or _CGN.match(head):
        return None
    if own := next((format for format in FORMATS if format.opens(head)), None):
        return own
    has_roster = False
    for record in records_of(io.BytesIO(head), lambda tags: ODD, OPEN):
        if "Game" in record.by_name:
            return None
        word = record.line.words[0] if record.line.words else ""
        for format in FORMATS:
            if format.shows(record.by_name, word):
                return format
        tags = record.by_name.keys()
        has_roster = has_roster or tags >= set(ROSTER) or (not word and tags >= {"White", "Black"})
    by_ending = next((format for format in FORMATS if ending.lower() in format.endings), None)
    return by_ending or (PGN if has_roster else None)
