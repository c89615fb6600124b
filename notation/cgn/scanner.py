"""The text a record is read from, and CGN's tokens in it: one regular expression, and what each token means.

Places are not carried along: a token is found again by its index when an error needs its line and column.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping

from msgspec import Struct

from cartulary.engine.once import once_each
from cartulary.notation.cgn.result import result_fault

MAX_DEPTH = 100
"""How deep variations may nest."""


class Odd(Struct, frozen=True):
    """Tokens that a game reads in its own way.

    Attributes:
        numeric: Whether a token that looks like a result but can be none, such as ``11-15``, is a word.
        words: Tokens that are words although they look like results or numbers.
        idle: Tokens that say nothing and are left out.
        signs: Tokens written as words that mean a glyph, with the token to read instead; an empty comment for nothing.
    """

    numeric: bool = False
    words: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()
    signs: Mapping[str, str] = {}


NOTHING_ODD = Odd()


class Source(Struct, frozen=True, dict=True):
    """The text a record was read from, so that findings can name their place in it.

    Attributes:
        text: The text.
        line: The line of its first character in the file, from 1.
        body: The offset at which its moves begin.
        odd: The tokens that its game reads in its own way.
        format: The name of another format, empty for CGN.
        results: Whose result is named first, for formats whose files differ in that.
    """

    text: str
    line: int = 1
    body: int = 0
    odd: Odd = NOTHING_ODD
    format: str = ""
    results: str = ""

    @once_each
    def _starts(self) -> list[int]:
        """The offsets at which the lines of the text begin, the first 0."""
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset into the text, both from 1; the line is that of the file."""
        row = bisect_right(self._starts, offset)
        return self.line + row - 1, offset - self._starts[row - 1] + 1


TAG = re.compile(r'[ \t]*\[[ \t]*([A-Za-z0-9_]+)[ \t]+"([^"\\\n]*(?:\\.[^"\\\n]*)*)"[ \t]*\][ \t]*\n?')
"""One tag pair; several may stand on a line."""

PLAIN_TAG = re.compile(r'\[([A-Za-z0-9_]+) "([^"\\\n]*)"\]\n')
"""A tag as it is mostly written: on a line of its own, without escapes."""

PLAIN_TAGS = re.compile(r'(?:\[[A-Za-z0-9_]+ "[^"\\\n]*"\]\n)*+')
"""Any number of such tags, one after the other."""

_TAG_NAME = re.compile(r"\[[ \t]*([A-Za-z0-9_]+)[ \t]")

TAG_LINE = re.compile(r'^\[[ \t]*[A-Za-z0-9_]+[ \t]+"', re.MULTILINE)
"""The start of a tag section inside movetext."""

TOKEN = re.compile(r"[^\s{}();$%][^\s{}();$]*|\{[^}]*\}?|[()]|;[^\n]*|\$[0-9]*|(?m:^)%[^\n]*|%[^\s{}();$]*|\}")

SIGNS = re.compile(r"[{}();$%]")
"""Where none of these stands, blanks alone part the tokens."""

RESULT = re.compile(r"\*|[0-9]+(?:/[0-9]+)?(?:-[0-9]+(?:/[0-9]+)?)+")
_NUMBER = re.compile(r"([0-9]+)(\.*)|(\.+)")
_STUCK = re.compile(r"([0-9]+)(\.+)([^.].*)")

GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
SUFFIXES = ("", "!", "?", "!!", "??", "!?", "?!")

PLAIN, WORD, NUMBER, RESULT_TOKEN, GLYPH, COMMENT, OPENING, CLOSING, ESCAPE, IDLE, DOTTED = range(11)
"""PLAIN is a word with nothing stuck to it, IDLE one that says nothing, DOTTED a number that can be nothing else."""

Token = tuple[int, str, int, tuple[int, int] | None, bool]
"""Kind, text, glyph code, move number with its dots, and whether a full stop was dropped."""

_known: dict[str, Token] = {}
_KINDS = {"{": COMMENT, ";": COMMENT, "(": OPENING, ")": CLOSING, "%": ESCAPE}


def known_tokens() -> dict[str, Token]:
    """Return the tokens met so far, by their text; the dictionary may be cleared but is never replaced."""
    return _known


def read_token(text: str) -> Token:
    """Return what a token means in a game without words of its own: kind, text, glyph code, move number, full stop.

    The move number is (number, dots), None for none; the last says whether a full stop was dropped. Tokens of less than
    40 characters are remembered.
    """
    token = _known.get(text)
    if token is None:
        token = _classify(text)
        if len(text) < 40 and text[0] not in "{;%":
            if len(_known) > 100_000:
                _known.clear()
            _known[text] = token
    return token


def _classify(text: str) -> Token:
    """Return what a token means in a game without words of its own, worked out from its characters.

    ``12...Nf6!`` is the word ``Nf6`` with glyph 1 and the move number (12, 3).
    """
    kind = _KINDS.get(text[0])
    if kind is not None:
        return kind, text, 0, None, False
    if text[0] == "$":
        code = int(text[1:]) if 1 < len(text) <= 4 else -1
        return GLYPH, text, code if code <= 255 else -1, None, False
    number, stopped, word = None, False, text
    if "." in text or text.isdecimal():
        numbered = _NUMBER.fullmatch(text)
        if numbered:
            if numbered[3]:
                return NUMBER, text, 0, (-1, 3), False
            counted = (_whole(numbered[1]), 3 if len(numbered[2]) > 1 else 1)
            return DOTTED if numbered[2] else NUMBER, text, 0, counted, False
        stuck = _STUCK.fullmatch(text)
        if stuck:
            number = (_whole(stuck[1]), 3 if len(stuck[2]) > 1 else 1)
            text = stuck[3]
        stopped = text.endswith(".")
        word = text.rstrip(".")
    if (word == "*" or "-" in word) and RESULT.fullmatch(word):
        return RESULT_TOKEN, word, 0, number, stopped
    if word[-1] in "!?":
        end = max(len(word.rstrip("!?")), len(word) - 2)
        return WORD if end else GLYPH, word[:end] or word, GLYPHS[word[end:]], number, stopped
    return (WORD if number or stopped else PLAIN), word, 0, number, stopped


def kind_in(text: str, token: Token, odd: Odd) -> int:
    """Return the kind of a token in a game whose own tokens are ``odd``.

    ``text`` is the token as written, and ``token`` what ``read_token`` says of it.
    """
    kind, word, _, _, stopped = token
    if kind == RESULT_TOKEN:
        return WORD if word in odd.words or (odd.numeric and only_a_word(word)) else kind
    if kind == NUMBER:
        return WORD if text in odd.words else kind
    return IDLE if stopped and text in odd.idle else kind


def stands_alone(text: str) -> bool:
    """Say whether a word with its glyph, between blanks, is read as that word: ``Nf3!`` is, ``1.6`` is not.

    A word that looks like a result is taken for one that its game reads as a word.
    """
    kind, _, _, number, stopped = read_token(text)
    if kind == ESCAPE:
        return not SIGNS.search(text, 1)
    return (kind <= WORD or (kind == RESULT_TOKEN and text != "*")) and number is None and not stopped


def only_a_word(text: str) -> bool:
    """Say whether a token that looks like a result cannot be one for any number of seats, as ``11-15``."""
    return bool(result_fault(text, text.count("-") + 1))


def _whole(digits: str) -> int:
    """Return the number that digits write; only the first nine digits count."""
    return int(digits[:9])


def token_offsets(source: Source) -> list[int]:
    """Return the offset of every token of the movetext, in order, and last that of the end of the text.

    Blanks at the end of the text do not count.
    """
    return [*(match.start() for match in TOKEN.finditer(source.text, source.body)), len(source.text.rstrip())]


def word_offsets(source: Source) -> dict[int, list[int]]:
    """Return the offsets in the text of the words of every line, by ``Line.at``: 0 for the main line.

    A variation is known by the number of its opening parenthesis among the tokens. Variations that are nested too
    deeply are left out, as the reader leaves them out.
    """
    offsets: dict[int, list[int]] = {0: []}
    stack, left_out, add, known, plain = [0], 0, offsets[0].append, _known.get, PLAIN
    signs = source.odd.signs
    for index, match in enumerate(TOKEN.finditer(source.text, source.body)):
        text = match[0]
        if text in signs:
            continue
        token = known(text) or read_token(text)
        kind = token[0]
        if kind != plain:
            kind = kind_in(text, token, source.odd)
        if kind == OPENING:
            if left_out or len(stack) > MAX_DEPTH:
                left_out += 1
            else:
                stack.append(index + 1)
                add = offsets.setdefault(index + 1, []).append
        elif kind == CLOSING:
            if left_out:
                left_out -= 1
            elif len(stack) > 1:
                stack.pop()
                add = offsets[stack[-1]].append
        elif kind <= WORD and not left_out:
            add(match.start() + (text.index(token[1]) if token[3] else 0))
    return offsets


def tag_offsets(source: Source) -> dict[str, int]:
    """Return the offset of each tag by name, of a repeated tag the first; under ``""`` that of the first character."""
    offsets = {"": len(source.text) - len(source.text.lstrip())}
    for match in _TAG_NAME.finditer(source.text, 0, source.body):
        offsets.setdefault(match[1], match.start())
    return offsets
