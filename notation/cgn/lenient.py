"""Text of other programs, read as it is meant: where its games begin, odd tag lines, results and glyphs in words.

CGN itself is read without any of this. Nothing is changed without a remark; what cannot be a tag is kept as a comment.
"""

import re
from collections.abc import Callable, Iterator
from itertools import product

from cartulary.engine.numbers import how_many
from cartulary.notation.cgn.result import read_result
from cartulary.notation.cgn.scanner import DOTTED, GLYPHS, NUMBER, RESULT, RESULT_TOKEN, TOKEN, read_token

_LINE = rb'\[[ \t]*[A-Za-z](?:[^\n]*\]|\w*[ \t]+"[^\n]*)[ \t\r]*\n'
"""A line that is meant as a tag, well written or not."""
_TAG = rb'\[[ \t]*[A-Za-z]\w*[ \t]*"[^"\n]*"[ \t]*\]'
"""A tag that is well written, wherever it stands."""
_RESULT = rb"(?:1-0|0-1|1/2-1/2|\*)`?[ \t\r]*"
BOUNDARY = re.compile(
    rb"\n[ \t\r]*\n(?=(?:%[^\n]*\n)*(?:\xef\xbb\xbf)?[ \t]*" + _LINE + rb")"
    rb"|" + _RESULT + rb"(?:\n[ \t\r]*)*(?:\xef\xbb\xbf)?(?=" + _TAG + rb")"
    rb"|" + _RESULT + rb"(?:\n[ \t\r]*)+(?:\xef\xbb\xbf)?(?=" + _LINE + rb")"
)
"""Where a game begins: at a tag line after a blank line, or directly after a result."""
_END_OF_FILE = re.compile(r'(^%.*|"(?:[^"\\\n]|\\.)*")|^\x1a|\x1a(?=\s*(?:\[|$))', re.MULTILINE)
"""What old programs end a file with, also where several files were put together. The group matches escape lines and the
values of tags, which may hold it."""
_TAG_NAME = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*\[[ \t]*([A-Za-z][^\s\"\]]*)", re.MULTILINE)
_TAGS_ONLY = re.compile(rb"(?:\xef\xbb\xbf|[ \t\r]*(?:\[[ \t]*[A-Za-z][^\n]*|%[^\n]*)?\n)*+")
_TAG_LINE = re.compile(r'^[ \t]*\[[ \t]*[A-Za-z](?:[^\n]*\][ \t]*|\w*[ \t]+"[^\n]*)$', re.MULTILINE)
_RUN_ON = re.compile(r'(?<=[\s0-9½*`}])\[[ \t]*[A-Za-z]\w*[ \t]*"[^"\n]*"[ \t]*\]')
"""A tag in the middle of a line: after a result, or after moves without one."""
_ONE_AGAIN = re.compile(r"(?:(?<![^\s)}])(?:1-0|0-1|1/2-1/2|\*)`?\s+|\n[ \t]*\n[ \t]*)(?=1[ \t]*\.(?!\.))")
"""Where moves start again from number 1, in a file of games without tags."""
_BETWEEN_TAGS = re.compile(r'(?<="\])[ \t]*(?=\[[ \t]*[A-Za-z])')
_QUOTES = "\"“”„'"
_QUOTED_TAG = re.compile(
    rf"\[[ \t]*([A-Za-z][^{_QUOTES}\[\]]*?)[ \t]*[{_QUOTES}](.*)[{_QUOTES}]([^{_QUOTES}]*?)[ \t]*\]?"
)
_LAX_TAG = re.compile(rf"\[[ \t]*([A-Za-z][^\s{_QUOTES}\[\]]*)[ \t]*(.*?)[ \t]*\]?")
_ENDING = re.compile(
    r"(?:^|(?<=[\s)}#+!?])|(?<=[a-h][1-8]|=[QRBN])(?=1-0|0-1|1/2-1/2))(?P<result>½(?:[ \t]*[-–—:][ \t]*½)?"
    r"|1/2(?:[ \t]*[-:][ \t]*1/2)?|0?[.,]5[ \t]*[-:][ \t]*0?[.,]5|[01][ \t]*[-:–—][ \t]*[01]"
    r"|2[ \t]*[-:–—][ \t]*0|0[ \t]*[-:–—][ \t]*2"
    r"|1[ \t]*[-–—][ \t]*O|O[ \t]*[-–—][ \t]*1|\+[ \t]*[-/:][ \t]*-|-[ \t]*[/:][ \t]*\+|-[ \t]*[/:][ \t]*-"
    r"|drawn?|remis|\*)[ \t]*(?P<more>ff?|forfeit|w/?o|def)?[`´'.]*\s*$",
    re.IGNORECASE,
)
SIGNS = {
    "+-": "$18",
    "-+": "$19",
    "+/-": "$16",
    "±": "$16",
    "-/+": "$17",
    "∓": "$17",
    "+/=": "$14",
    "+=": "$14",
    "⩲": "$14",
    "=/+": "$15",
    "=+": "$15",
    "⩱": "$15",
    "=": "$10",
    "∞": "$13",
    "~=": "$44",
    "N": "$146",
    "□": "$7",
    "D": "$220",
    **{"".join(run): f"${GLYPHS[''.join(run[:2])]}" for long in range(3, 9) for run in product("!?", repeat=long)},
    **dict.fromkeys(("ch", "ch.", "dbl.ch", "mate", "mate.", "+", "++", "#", "†", "‡", "e.p.", "ep", "}"), "{}"),
}
"""Glyphs that are written as words of their own, by their codes; checks and mates by nothing: the move shows them."""
PARTED_MOVE = re.compile(r"[0-9](?:[-x:]\s+|\s+[-x:]\s*)[0-9]")
"""Shows that blanks may separate the two numbers of a move."""
_FROM = re.compile(r"[1-9][0-9]?(?:[-x:]|$)")
_SIGN = re.compile(r"[-x:]")
_PARTED_MOVE = re.compile(r"[1-9][0-9]?(?:[-x:][1-9][0-9]?)+[!?*]*")


# --- where games begin ---


def clear_bytes(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without characters that do not belong into a text, and remarks on them, as sentences.

    A byte order mark is dropped, and the character that ends files of DOS becomes a blank, both without a remark. A few
    NUL characters become blanks; if they are an eighth or more, the file is no text and stays as it is.
    """
    if "\ufeff" in text:
        text = text.replace("\ufeff", "")
    if "\x1a" in text:
        text = _END_OF_FILE.sub(lambda match: match[1] or " ", text)
    if (count := text.count("\0")) and count * 8 < len(text):
        return text.replace("\0", " "), (f"found {how_many(count, 'NUL byte')}, expected text; read as a blank",)
    return text, ()


def join_tags(pieces: Iterator[bytes], is_move: Callable[[str], bool]) -> Iterator[bytes]:
    """Yield the pieces of a file, pieces of tags only joined to the piece with the moves after them.

    A piece that repeats a tag begins another game, even if the game before it has no moves. ``is_move`` says whether a
    word may be a move.
    """
    waiting: list[bytes] = []
    names: set[bytes] = set()
    for piece in pieces:
        own = set(_TAG_NAME.findall(piece))
        if names & own:
            yield b"".join(waiting)
            waiting, names = [], set()
        waiting.append(piece)
        names |= own
        if not _TAGS_ONLY.fullmatch(piece) and not _is_preface(piece, is_move):
            yield b"".join(waiting)
            waiting, names = [], set()
    if waiting:
        yield b"".join(waiting)


def _is_preface(piece: bytes, is_move: Callable[[str], bool]) -> bool:
    """Say whether a piece has neither tags nor moves, as a text before the first game of a file; a long one is none."""
    if _TAG_NAME.search(piece) or len(piece) > 1 << 16:
        return False
    return not begins_moves(piece.decode("utf-8", "replace"), is_move)


def begins_moves(text: str, is_move: Callable[[str], bool]) -> bool:
    """Say whether the first word of a text outside comments may be a move number, a move or a result.

    ``is_move`` says whether a word may be a move. False for a text without words.
    """
    for match in TOKEN.finditer(text.removeprefix("\ufeff")):
        if match[0][0] in "{;%":
            continue
        kind, word, _, number, _ = read_token(match[0])
        result = kind == RESULT_TOKEN or read_result(match[0]) not in ("", "*")
        return result or kind == DOTTED or number is not None or (kind != NUMBER and is_move(word))
    return False


def end_of_game(text: str, body: int) -> int:
    """Return the offset at which the movetext ends: at the tags or the moves of another game, or at the end.

    ``body`` is the offset at which the movetext begins. What stands inside a comment ends nothing.
    """
    cuts = {match.start() for match in _TAG_LINE.finditer(text, body)} if text.find("[", body) >= 0 else set()
    cuts |= {match.start() for match in _RUN_ON.finditer(text, body)} if text.find("[", body) >= 0 else set()
    begins = len(text) - len(text[body:].lstrip())
    cuts |= {match.end() for match in _ONE_AGAIN.finditer(text, body) if match.end() > begins}
    if not cuts:
        return len(text)
    begun, depth = False, 0
    for match in TOKEN.finditer(text, body):
        start, end = match.span()
        sign = text[start]
        if sign not in "{;%":
            if begun and not depth and start in cuts:
                return start
            if cut := next((at for at in range(start + 1, end) if at in cuts), 0):
                return cut
            if sign == "[" and any(
                start - blanks in cuts for blanks in range(8) if text[start - blanks : start].isspace() or not blanks
            ):
                return start
        depth += (sign == "(") - (sign == ")")
        begun = True
    return len(text)


# --- tags ---


def preface_end(text: str, at: int, tags: bool, is_move: Callable[[str], bool]) -> int:
    """Return where words before or among the tags end.

    Args:
        text: The text of the game.
        at: Where the words begin; it is returned if they are the moves.
        tags: Whether tags have been read before.
        is_move: Returns whether a word may be a move.
    """
    following = _TAG_LINE.search(text, at)
    if following is None:
        return at
    words = text[at : following.start()]
    if tags and ("\n\n" in words.replace(" ", "") or read_result(words) or any(map(RESULT.fullmatch, words.split()))):
        return at
    return at if begins_moves(words, is_move) else following.start()


def lax_tags(line: str) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the tags of a line in which a tag is badly written, and the text after their values.

    ``[Event "Club"] x]`` -> ``([("Event", "Club")], ["x"])``. Each value runs from the first quote to the last. Both
    lists are empty if a piece of the line cannot be a tag.
    """
    pairs, rest = [], []
    for piece in _BETWEEN_TAGS.split(line.strip()):
        match = _QUOTED_TAG.fullmatch(piece)
        if match is not None:
            value = match[2]
            rest += [behind] if (behind := match[3].strip(" \t]")) else []
        else:
            match = _LAX_TAG.fullmatch(piece)
            if match is None or not match[2]:
                return [], []
            value = match[2].strip(_QUOTES) if match[2][0] in _QUOTES else match[2]
        pairs.append((re.sub(r"\W", "_", match[1], flags=re.ASCII), re.sub(r'\\(["\\])', r"\1", value)))
    return pairs, rest


# --- moves ---


def parted_moves(tokens: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (index of the first token, number of tokens, whole move) for each move that blanks have divided.

    Programs that print moves in columns write so: ``18. 43-39 1- 6`` has ``(2, 2, "1-6")``.
    """
    at = 0
    while at < len(tokens):
        whole, end = tokens[at], at + 1
        # A number ends where none follows but with a sign: ``16 x23`` is parted, ``1-6 7`` is not.
        while end < len(tokens) and _FROM.match(whole) and bool(_SIGN.match(tokens[end])) != (whole[-1] in "-x:"):
            whole, end = whole + tokens[end], end + 1
        if end - at > 1 and _PARTED_MOVE.fullmatch(whole):
            yield at, end - at, whole
        at = end


# --- the end of the moves ---


def spelled_ending(text: str, body: int) -> tuple[int, str, str]:
    """Find a result at the end of the moves that CGN would write otherwise, such as ``½-½`` or ``1 : 0``.

    One that CGN writes so is found only where no blank parts it from the last move, as in ``Qh7#1-0``.

    Args:
        text: The text of the game.
        body: The offset at which the movetext begins.

    Returns:
        The offset of the result in ``text``, the result as written, and as CGN writes it. If the last is empty, there
            is no such result, and the others mean nothing.
    """
    match = _ENDING.search(text, max(body, len(text.rstrip()) - 40))
    if match is None or ";" in text[text.rfind("\n", 0, match.start()) + 1 : match.start()]:
        return 0, "", ""
    written = match[0].strip()
    at, stuck = match.start(), text[match.start() - 1 : match.start()]
    if RESULT.fullmatch(written) and written != "1/2" and (at <= body or stuck.isspace() or stuck in ")}"):
        return 0, "", ""
    return at, written, read_result(match["result"].upper().replace("O", "0"), in_points=True)
