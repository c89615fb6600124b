"""PGN, Portable Game Notation: chess, as the standard of 1994 has it, and as it is met with."""

import re
from collections.abc import Mapping

from msgspec.structs import replace

from cartulary.notation.cgn.record import Line, Note, Record
from cartulary.notation.cgn.scanner import RESULT
from cartulary.notation.foreign.contract import (
    OtherFormat,
    as_unjudged,
    each_line,
    export_text,
    of_game,
    points,
    remark,
    with_results,
    with_words,
    without_last_words,
    without_marks,
)
from cartulary.notation.foreign.pdn import is_diagonal, is_position

GAME = "Chess"
OTHERS = (
    *("Antichess", "Atomic", "Bughouse", "Crazyhouse", "Horde", "King of the Hill", "Racing Kings", "Three-check"),
    *("Giveaway", "Losers", "Suicide"),
)
"""Variants whose rules nobody here knows: each is named as a game of its own, and not judged."""
OTHER = "Chess variant"
"""The game of a variant that is not among these; its tag Variant stays as it is written."""
_OTHERS = {re.sub("[^a-z]", "", name.lower()): name for name in OTHERS}
_OTHERS |= {"koth": "King of the Hill", "check": "Three-check", "threechecks": "Three-check", "racing": "Racing Kings"}
_USUAL = frozenset(
    ("", "?", "standard", "chess", "normal", "fromposition", "regular", "classic", "classical", "orthodox")
)
_USUAL |= {"standardchess", "normalchess", "regularchess", "classicalchess"}
_CHESS960 = frozenset(
    ("chess960", "960", "frc", "fischerandom", "fischerrandom", "fischerrandomchess", "fischerandomchess")
)
_CHESS960 |= {"wild/fr", "wildfr", "freestyle", "freestylechess"}
_CHESS960_WORDS = re.compile(r"(?:960|fischer|frc|freestyle|random|chess|standard|variant|rules|[^a-z0-9])+")
"""A variant's name of these words alone is chess960, if it has one of the first four."""
_USUAL_START = frozenset(("", "?", "-", "*", "none", "startpos", "start", "position startpos", "initial", "default"))
"""What a tag FEN says that means the usual start."""
_SAN = re.compile(
    r"(?:[KQRBN][a-h]?[1-8]?[x:-]?[a-h][1-8]|P?(?:[a-h][1-8]?[x:-]?)?[a-h][1-8](?:(?<=[18])[=/]?\(?[QRBNKqrbnk]\)?)?"
    r"|[Oo0]-[Oo0](?:-[Oo0])?|--|Z0)[+#]*"
)
_SIGNS = {"+-": 18, "-+": 19, "+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+/=": 14, "+=": 14, "⩲": 14, "=/+": 15, "=+": 15}
_SIGNS |= {"⩱": 15, "=": 10, "∞": 13, "N": 146, "□": 7, "ch": 0, "mate": 0, "ch.": 0, "†": 0, "e.p.": 0, "ep": 0}
_CASTLING = {"OO": "O-O", "OOO": "O-O-O", "00": "O-O", "000": "O-O-O", "o-o": "O-O", "o-o-o": "O-O-O"}
_MOVE_AND_SIGN = re.compile(
    rf"(?P<move>{_SAN.pattern})(?P<sign>{'|'.join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))})"
)


def is_move(word: str) -> bool:
    """Say whether a word looks like a move of chess, in any spelling that is read; marks such as ``!?`` may follow."""
    return _SAN.fullmatch(word.rstrip("!?")) is not None


def shows(tags: Mapping[str, str], word: str) -> bool:
    """Say whether a game is in PGN and not in another format.

    A tag GameType decides: it must be 0. Without it, the FEN must have ranks; or else the first word ``word`` must be a
    move of chess and not one of draughts, and there must be no FEN that names squares as draughts does.
    """
    if "GameType" in tags:
        return tags["GameType"].partition(",")[0].strip() == "0"
    return "/" in tags.get("FEN", "") or (
        is_move(word) and not is_diagonal(word) and not is_position(tags.get("FEN", ""))
    )


def _bare(variant: str) -> str:
    """Return a variant's name in small letters, without blanks, hyphens and underscores: ``Chess 960 -> chess960``."""
    return re.sub(r"[\s_-]", "", variant.lower())


def read(record: Record) -> Record:
    """Return a record of PGN as one of chess, or of the variant it names, which is then not judged.

    Results, FEN, variant and words are spelled as CGN has them, with a remark on each change; nothing raises. A record
    with a tag Game is returned as it is.
    """
    if record.tag("Game"):
        return record
    record = _with_start(with_results(record))
    line = record.line
    last = line.words[-1] if line.words and not line.result else ""
    if result := points(last) if RESULT.fullmatch(last) and not is_move(last) else "":
        record = remark(record, f"found the result {last}, read as {result}", ply=len(line.words))
        record = replace(record, line=replace(line, words=line.words[:-1], result=result))
    written = record.tag("Variant")
    variant = _bare(written)
    other = _OTHERS.get(re.sub("[^a-z]", "", variant))
    if other is not None:
        if written != other:
            record = remark(record, f"found the variant {written!r}, read as {other!r}", "Variant")
        return as_unjudged(replace(record, tags=tuple(tag for tag in record.tags if tag[0] != "Variant")), other)
    if variant not in _USUAL | _CHESS960 and _names_chess960(written):
        record = remark(record, f"found the variant {written!r}, read as chess960", "Variant")
        named = tuple((name, "Chess960" if name == "Variant" else value) for name, value in record.tags)
        record, variant = replace(record, tags=named), "chess960"
    if variant not in _USUAL | _CHESS960:
        record = remark(
            record, f"found the variant {written!r}, whose rules are not known here; it is kept, not judged", "Variant"
        )
        return as_unjudged(record, OTHER)
    if variant in _USUAL and _only_chess960(record.tag("FEN")):
        record = remark(record, "found castling rights that only chess960 has; read as a game of chess960", "FEN")
        tags = tuple(tag for tag in record.tags if tag[0] != "Variant")
        record = replace(record, tags=(*tags, ("Variant", "Chess960")))
    elif "Variant" in record.by_name and variant in ("", "?"):
        record = remark(record, f"found the variant {written!r}, read as chess", "Variant")
        record = replace(record, tags=tuple(tag for tag in record.tags if tag[0] != "Variant"))
    known = of_game(record, GAME)
    if not _odd_words(known.line):
        return known
    known = without_last_words(known, is_move)
    return with_words(known, each_line(known.line, _with_signs))


def _names_chess960(variant: str) -> bool:
    """Say whether a longer name of a variant, such as ``Chess 960 (FRC)``, means chess960."""
    words = variant.lower()
    return _CHESS960_WORDS.fullmatch(words) is not None and any(
        name in words for name in ("960", "fischer", "frc", "freestyle")
    )


def _with_start(record: Record) -> Record:
    """Return a record without a FEN that means the usual start, and with any other FEN spelled by the standard.

    A tag SetUp that then says nothing is dropped too. Each change is a remark of the record.
    """
    fen = record.by_name.get("FEN")
    if fen is None and record.tag("SetUp") == "1":
        record = remark(record, 'found SetUp "1" and no FEN, read as the usual start', "SetUp")
        return replace(record, tags=tuple(tag for tag in record.tags if tag[0] != "SetUp"))
    if fen is None:
        return record
    if fen.strip().lower() not in _USUAL_START:
        spelled = _spelled_fen(fen)
        if spelled == fen:
            return record
        record = remark(record, f"found the FEN {fen!r}, read as {spelled!r}", "FEN")
        return replace(record, tags=tuple((name, spelled if name == "FEN" else value) for name, value in record.tags))
    if fen or record.tag("SetUp") == "1":
        record = remark(record, f"found the FEN {fen!r}, read as the usual start", "FEN")
    return replace(record, tags=tuple(tag for tag in record.tags if tag[0] not in ("FEN", "SetUp")))


def _spelled_fen(fen: str) -> str:
    """Return a FEN with its turn as a small letter, ``w`` if it names none, and without an empty pocket of men.

    A text that has no eight or nine ranks is returned as it is.
    """
    board, *others = fen.split()
    if board.count("/") not in (7, 8):
        return fen
    bare = re.sub(r"(?:\[-?\]|/)$", "", board)
    turn = others[0].lower() if others and others[0] in ("W", "B") else others[0] if others else "w"
    return fen if (bare, [turn]) == (board, others[:1]) else " ".join((bare, turn, *others[1:]))


# --- rights that only chess960 has ---


def _only_chess960(fen: str) -> bool:
    """Say whether a FEN gives a right to castle that the usual start cannot have, and chess960 can.

    False if it cannot be read.
    """
    fields = fen.split()
    ranks = fields[0].split("/") if len(fields) > 2 else []
    if len(ranks) != 8:
        return False
    first = {True: _squares(ranks[7]), False: _squares(ranks[0]).swapcase()}
    return any(_is_960_right(first[letter.isupper()], letter.upper()) for letter in fields[2] if letter != "-")


def _squares(rank: str) -> str:
    """Return a rank of a FEN with a dot for each empty square: ``R3K2R -> R...K..R``."""
    return re.sub("[1-8]", lambda digit: "." * int(digit[0]), rank)


def _is_960_right(rank: str, letter: str) -> bool:
    """Say whether a castling right is one of chess960 only: king or rook stand where chess does not have them.

    ``rank`` has the men of one seat's first rank, that seat's in capitals.
    """
    king = rank.find("K")
    if king < 0 or len(rank) != 8:
        return False
    if letter in "KQ":
        rook = rank.rfind("R", king) if letter == "K" else rank.find("R", 0, king)
    else:
        rook = "ABCDEFGH".find(letter)
    if rook < 0 or rank[rook] != "R":
        return False
    return king != 4 or rook not in (0, 7)


# --- words ---


def _odd_words(line: Line) -> bool:
    """Say whether a line, or a variation in it, has a word that is no move as written.

    A variation of one word counts too: it may be a promotion in parentheses, as in ``e8(Q)``.
    """
    return not all(map(_known, line.words)) or any(
        _odd_words(item) or item.words[1:] == () for note in line.notes.values() for item in note.variations
    )


_moves: set[str] = set()


def _known(word: str) -> bool:
    """Say whether a word is a move as it stands; up to 20,000 moves are remembered, so that this is quick."""
    if word in _moves:
        return True
    matches = _SAN.fullmatch(word) is not None
    if matches and len(_moves) < 20_000 and len(word) < 12:
        _moves.add(word)
    return matches


def _with_signs(line: Line) -> Line:
    """Return a line with glyphs taken off its words into the notes after them, and with ``e8 (Q)`` as ``e8=Q``."""
    words, notes = list(line.words), dict(line.notes)
    for at, word in enumerate(words):
        note = notes.get(at + 1, Note())
        if not _known(word):
            bare = words[at] = _bare_move(word)
            if word[-1] in "!?" and bare[-1] not in "!?":
                note = notes[at + 1] = without_marks(word, note)[1]
            word = bare
        if (match := _MOVE_AND_SIGN.fullmatch(word)) and not _known(word):
            words[at] = match["move"]
            if code := _SIGNS[match["sign"]]:
                notes[at + 1] = note = Note((*note.glyphs, code), note.items)
        man = note.items[0] if note.items else ""
        if re.fullmatch(r"(?:[a-h]x)?[a-h][18]", words[at]) and isinstance(man, Line) and _names_man(man):
            words[at] += f"={man.words[0].upper()}"
            notes[at + 1] = Note(note.glyphs, note.items[1:])
    return replace(line, words=tuple(words), notes=notes)


def _bare_move(word: str) -> str:
    """Return a word without what is no part of a move: ``...e5!!! -> e5``, ``00 -> O-O``.

    A word that is then no move is returned without the dots before it only.
    """
    bare = word.lstrip(".…").rstrip("!?")
    bare = _CASTLING.get(bare, bare)
    return bare[:-1] if bare[-1:] in (":", "x") and is_move(bare[:-1]) else bare if is_move(bare) else word.lstrip(".…")


def _names_man(line: Line) -> bool:
    """Say whether a variation is only the letter of a piece, such as ``(Q)``, without notes and numbers."""
    return len(line.words) == 1 and line.words[0] in (*"QRBNqrbn",) and not line.notes and not line.numbers


# --- writing ---


def write(record: Record) -> str:
    """Return the text of a game in PGN's export format; a variant with rules of its own is named in the tag Variant."""
    game = record.tag("Game")
    return export_text(record, (("Variant", game),) if game in OTHERS else ())


PGN = OtherFormat("pgn", "PGN", (GAME, *OTHERS, OTHER), (".pgn",), is_move, shows, read, write)
