"""PGN, Portable Game Notation: chess, as the standard of 1994 has it, and as it is met with."""

import re

from msgspec.structs import replace

from cartulary.notation.cgn.door import Door, tag_line
from cartulary.notation.cgn.record import Record
from cartulary.notation.foreign.contract import (
    HALF,
    ROSTER,
    OtherFormat,
    export_text,
    of_game,
    opening,
    unjudged,
    with_results,
    with_termination,
)

GAME = "Chess"
OTHERS = (
    *("Antichess", "Atomic", "Bughouse", "Crazyhouse", "Horde", "King of the Hill", "Racing Kings", "Three-check"),
    *("Giveaway", "Losers", "Suicide"),
)
"""Variants whose rules nobody here knows: each is named as a game of its own, and not judged."""
_OTHERS = {re.sub("[^a-z]", "", name.lower()): name for name in OTHERS}
_SAN = re.compile(
    r"(?:[KQRBNP]?[a-h]?[1-8]?[x:-]?[a-h][1-8](?:[=/]?\(?[KQRBNkqrbn]\)?)?|[Oo0]-[Oo0](?:-[Oo0])?|--|Z0)[+#]*"
)


def sniff(text: str) -> bool:
    """Say whether the first move is one of chess, or the tags are those of PGN."""
    tags, word = opening(text)
    if _SAN.fullmatch(word) or "/" in tags.get("FEN", "") or tags.keys() >= set(ROSTER):
        return "GameType" not in tags
    return not word and {"White", "Black"} <= tags.keys() and "GameType" not in tags


def read(record: Record) -> Record:
    """Return the record as one of chess, unless its own tag says of what; of an unknown variant it bears the name."""
    if record.tag("Game"):
        return record
    other = _OTHERS.get(re.sub("[^a-z]", "", record.tag("Variant").lower()))
    if other is None:
        return with_termination(with_results(of_game(record, GAME), HALF))
    tags = tuple(tag for tag in record.tags if tag[0] != "Variant")
    return with_termination(with_results(unjudged(replace(record, tags=tags), other), HALF))


def write(record: Record) -> str:
    """Return the text of a game in export format."""
    game = record.tag("Game")
    return export_text(record, (("Variant", game),) if game in OTHERS else ())


PGN = OtherFormat("pgn", "PGN", (GAME, *OTHERS), (".pgn",), Door("pgn", tag_line("Event")), sniff, read, write)
