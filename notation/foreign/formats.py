"""The formats there are besides CGN. Another is a file of this room and a word in ``FORMATS``."""

import re

from cartulary.notation.cgn.record import NotationError
from cartulary.notation.foreign.contract import OtherFormat
from cartulary.notation.foreign.pdn import PDN
from cartulary.notation.foreign.pgn import PGN

FORMATS = (PGN, PDN)
ENDINGS = (".cgn", *(ending for format in FORMATS for ending in format.endings))
"""The endings of score sheets, which folders are searched for."""
HEAD = 1 << 14
"""How many bytes of a file say which format it is."""
_TAGS = r'[ \t]*(?:\[[^"\n]+"(?:[^"\\\n]|\\.)*"[ \t]*\][ \t]*)*'
_HEADER = r"%[ \t]*CGN[ \t]"
_GAME = rf"{_TAGS}\[[ \t]*Game[ \t]"
_CGN = re.compile(rf"(?:\xef\xbb\xbf)?(?:{_TAGS}(?:%[^\r\n]*)?[\r\n])*(?:{_HEADER}|{_GAME})".encode())


def find_format(name: str) -> OtherFormat:
    """Return the format of this name. Raises NotationError that names those there are."""
    for format in FORMATS:
        if format.name == name:
            return format
    raise NotationError(f"found the format {name!r}, expected one of: {', '.join(each.name for each in FORMATS)}")


def sniffed(head: bytes) -> OtherFormat | None:
    """Return the format of a text by its first bytes, None for CGN and for what nobody knows."""
    if not head or _CGN.match(head):
        return None
    text = head.decode("latin-1").removeprefix("\xef\xbb\xbf").replace("\r\n", "\n").replace("\r", "\n")
    return next((format for format in FORMATS if format.sniff(text)), None)
