"""Reading the moves of one game: tokens become words, notes and variations, and what is wrong is said of each.

The main line is the hot path: nearly every token is a plain word or a move number.
"""

import re
from collections.abc import Callable

from cartulary.notation.cgn.lenient import SIGNS as GLYPH_WORDS
from cartulary.notation.cgn.lenient import parted_moves
from cartulary.notation.cgn.record import Line, Note, Numbers
from cartulary.notation.cgn.result import read_result
from cartulary.notation.cgn.scanner import (
    CLOSING,
    COMMENT,
    DOTTED,
    ESCAPE,
    GLYPH,
    IDLE,
    MAX_DEPTH,
    NUMBER,
    OPENING,
    PLAIN,
    RESULT_TOKEN,
    WORD,
    Odd,
    Source,
    kind_in,
    known_tokens,
    read_token,
    token_offsets,
)

HEADER = re.compile(r"\s*CGN\s+1\.\d+\s*")
_SIGN_WORDS = frozenset(GLYPH_WORDS)


class _OpenLine:
    """A line while it is being read."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.words: list[str] = []
        self.numbers: Numbers = {}
        self.notes: dict[int, tuple[list[int], list[str | Line]]] = {}
        self.result = ""

    def note(self) -> tuple[list[int], list[str | Line]]:
        """Return the list of glyphs and the list of items of the note after the last word; both can be added to.

        An empty note is made if there is none.
        """
        return self.notes.setdefault(len(self.words), ([], []))

    def close(self) -> Line:
        """Return the finished line, as an immutable ``Line``."""
        notes = {at: Note(tuple(glyphs), tuple(items)) for at, (glyphs, items) in self.notes.items()}
        return Line(tuple(self.words), notes, self.numbers, self.result, self.at)


class Movetext:
    """The moves of one game while they are read: tokens become a line with its notes.

    Attributes:
        stack: The main line and the variations that are open in it.
        odd: The tokens that its game reads in its own way; None as long as nothing that may be one was met.
        faults: What is wrong, each with the index of its token, its key, its severity and the last ply before it.
        escapes: Lines that begin with ``%``.
        tail: The text after the result, which is not read.
    """

    def __init__(self, source: Source, odd_tokens: Callable[[], Odd], lenient: bool) -> None:
        """Begin with an empty line.

        Args:
            source: The text of the game.
            odd_tokens: Returns the tokens that the game reads in its own way.
            lenient: Whether the text was written by another program.
        """
        self.source = source
        self.lenient = lenient
        self.odd: Odd | None = None
        self._odd_tokens = odd_tokens
        self.stack = [_OpenLine(0)]
        self.escapes: list[str] = []
        self.faults: list[tuple[int, str, str, str, int]] = []
        self.tail = ""
        self.too_deep = 0
        self.offsets: list[int] = []

    def line(self) -> Line:
        """Return the main line, once everything was read; what is still being read would be missing."""
        return self.stack[0].close()

    def end_with(self, result: str) -> bool:
        """Give the main line a result and return True; change nothing and return False if it has one already."""
        if self.stack[0].result:
            return False
        self.stack[0].result = result
        return True

    def end_without_castling(self, result: str) -> None:
        """Take a last word ``0-0``, which may be castling, for the result of the game.

        That is so if it has no move number and the tag Result says the same or nothing.
        """
        line = self.stack[0]
        last = line.words[-1] if line.words and not line.result and self.odd is not None else ""
        if last not in ("0-0",) or len(line.words) - 1 in line.numbers or len(line.words) in line.notes:
            return
        if not result or read_result(result) == last:
            line.words.pop()
            line.result = last

    def begin_with(self, comments: list[str]) -> None:
        """Put comments before the first word of the game, in front of those that are there; none changes nothing."""
        if comments:
            self.stack[0].notes.setdefault(0, ([], []))[1][:0] = comments

    def join(self, tokens: list[str]) -> None:
        """Replace each move that blanks have divided by the whole move, in ``tokens`` itself and with a remark.

        Empty comments fill the places of its other tokens, so that the indices of later tokens stay.
        """
        for index, count, move in list(parted_moves(tokens)):
            tokens[index : index + count] = move, *("{}",) * (count - 1)
            self._fault(index, f"found a blank within a move, read as {move}", severity="remark")

    def read(self, tokens: list[str]) -> None:
        """Read the tokens of the movetext into the lines of ``stack``; what is wrong is added to ``faults``.

        Nothing raises. Variations that are still open at the end are closed. Nearly all tokens are plain words and move
        numbers, which take the first two branches of the loop.
        """
        if self.lenient and not _SIGN_WORDS.isdisjoint(tokens):
            self.odd = self._odd_tokens()
            tokens = [self._sign(index, text) for index, text in enumerate(tokens)]
        current = self.stack[0]
        words, numbers = current.words, current.numbers
        known, add, taking = known_tokens().get, current.words.append, True
        plain, dotted = PLAIN, DOTTED
        for index, text in enumerate(tokens):
            token = known(text) or read_token(text)
            kind = token[0]
            if taking and kind == plain:
                add(text)
                continue
            if kind == dotted and (counted := token[3]):
                if len(words) in numbers:
                    self._name_number(index, numbers[len(words)], counted)
                numbers[len(words)] = counted
                continue
            _, word, glyph, number, stopped = token
            if stopped or kind == RESULT_TOKEN or (kind == NUMBER and text[-1] != "."):
                kind = kind_in(text, token, self._odd())
            if number is not None and not (kind == WORD and text == word):
                at = len(words)
                if number[0] >= 0:
                    if at in numbers:
                        self._name_number(index, numbers[at], number)
                    numbers[at] = number
                elif at in numbers:
                    numbers[at] = (numbers[at][0], 3)
                if kind == NUMBER:
                    continue
            if kind <= WORD:
                if self.too_deep:
                    continue
                if current.result and current.at == 0:
                    self._keep_tail(index)
                    break
                add(word)
                if glyph:
                    current.note()[0].append(glyph)
            else:
                self._other(index, kind, word, glyph)
                current = self.stack[-1]
                words, numbers, add = current.words, current.numbers, current.words.append
                taking = not (current.result or self.too_deep)
            if stopped and kind != IDLE and not text.endswith(tuple(self._odd().idle)):
                self._fault(index, f"found a full stop after {word}; the full stop is left out", "cgn.mark", "remark")
        self._finish()

    def _name_number(self, index: int, before: tuple[int, int], number: tuple[int, int]) -> None:
        """Remark on a move number that another one follows: the first may be part of a move, and would be lost.

        It does so only in lenient reading and if the numbers differ. ``before`` and ``number`` are each (number, dots).
        """
        if self.lenient and before[0] != number[0]:
            self._fault(index, f"found {before[0]} before {number[0]}, expected a move; left out", severity="remark")

    def _sign(self, index: int, text: str) -> str:
        """Return the token to read instead of one that means a glyph or nothing, with a remark; else the token itself.

        A token that means nothing becomes ``{}``, an empty comment.
        """
        sign = self._odd().signs.get(text, text)
        if sign != text:
            because = f"found {text}, read as {sign}" if sign != "{}" else f"found {text}, which is left out"
            self._fault(index, because, "cgn.mark", "remark")
        return sign

    def _odd(self) -> Odd:
        """Return the tokens that the game reads in its own way; the game is looked up at the first call only."""
        if self.odd is None:
            self.odd = self._odd_tokens()
        return self.odd

    def _finish(self) -> None:
        """Close the variations that are still open at the end of the game, with one error for all of them."""
        for opened in self.stack[1:2]:
            several = f" and {len(self.stack) - 2} more inside it" if len(self.stack) > 2 else ""
            because = f"found an opening parenthesis{several}, expected a closing one before the end of the game"
            self._fault(opened.at - 1, because)
        while len(self.stack) > 1:
            self._close()

    def _fault(self, index: int, because: str, key: str = "cgn.syntax", severity: str = "error") -> None:
        """Remember what is wrong with the token at an index, from 0; ``severity`` is ``error`` or ``remark``."""
        self.faults.append((index, because, key, severity, len(self.stack[0].words)))

    def _before(self, index: int) -> str:
        """Return the character before the token at an index; a line break before the first character of the text."""
        if not self.offsets:
            self.offsets = token_offsets(self.source)
        at = self.offsets[index]
        return self.source.text[at - 1] if at else "\n"

    def _keep_tail(self, index: int) -> None:
        """Keep the text after the result, from the token at an index on.

        In lenient reading it becomes a comment, with a remark; else it stands unread in ``tail``, with an error.
        """
        tail = self.source.text[token_offsets(self.source)[index] :].strip()
        if self.lenient:
            self._fault(index, "found text after the result; it is kept as a comment", severity="remark")
            self.stack[0].note()[1].append(" ".join(re.sub("[{}]", " ", tail).split()))
            return
        self.tail = tail
        self._fault(index, "found text after the result, expected the next game's tags; it is kept unread")

    def _other(self, index: int, kind: int, text: str, glyph: int) -> None:
        """Take in a token that is no word: a parenthesis, comment, glyph, result or escape line.

        Args:
            index: The index of the token.
            kind: One of the kinds of ``scanner``.
            text: The token, a result without marks stuck to it.
            glyph: The code of a glyph, -1 for none that exists.
        """
        current = self.stack[-1]
        if kind == OPENING:
            self._open(index)
        elif kind == CLOSING:
            if self.too_deep:
                self.too_deep -= 1
            elif len(self.stack) == 1:
                because = "found a closing parenthesis, expected an opening one before it"
                because, severity = (f"{because}; it is left out", "remark") if self.lenient else (because, "error")
                self._fault(index, because, severity=severity)
            else:
                self._close()
        elif self.too_deep:
            pass
        elif kind == COMMENT:
            if text[0] == "{" and (len(text) == 1 or text[-1] != "}"):
                self._fault(index, "found the start of a comment, expected } before the end of the game")
                text += "}"
            comment = " ".join((text[1:-1] if text[0] == "{" else text[1:]).split())
            if comment:
                current.note()[1].append(comment)
            if comment and text[0] == ";" and not self._before(index).isspace() and self._before(index) not in "{}()":
                because = "found ; directly after a word, expected a blank before it; the rest of the line is a comment"
                self._fault(index, f"{because}: {comment[:40]}", "cgn.mark", "remark")
        elif kind == IDLE:
            self._fault(index, f"found {text}. by itself, which is left out", "cgn.mark", "remark")
        elif kind == GLYPH:
            if glyph < 0:
                because = f"found {text[:20]}, expected a glyph code from $0 to $255; kept as a comment"
                self._fault(index, because, severity="remark" if self.lenient else "error")
                current.note()[1].append(text)
            else:
                current.note()[0].append(glyph)
        elif kind == RESULT_TOKEN:
            if current.result == text and self.lenient:
                self._fault(index, f"found the result {text} twice, expected it once", severity="remark")
            elif current.result:
                self._fault(index, f"found a second result, {text}, after {current.result}, expected one")
            else:
                current.result = text
        elif kind == ESCAPE:
            if self._before(index) == "\n":
                if not HEADER.fullmatch(text[1:]):
                    self.escapes.append(text[1:].rstrip())
            else:
                current.words.append(text)

    def _open(self, index: int) -> None:
        """Begin a variation at the token with this index; one nested too deeply is left out with all inside it.

        That is an error, and so is a variation without a move before it, which is kept.
        """
        if self.too_deep or len(self.stack) > MAX_DEPTH:
            if not self.too_deep:
                because = f"found a variation nested too deeply, expected at most {MAX_DEPTH} levels; it is left out"
                self._fault(index, because)
            self.too_deep += 1
            return
        parent = self.stack[-1]
        if not parent.words and (len(self.stack) == 1 or self.stack[-2].words):
            self._fault(index, "found a variation, expected before it the move that it replaces")
        self.stack.append(_OpenLine(index + 1))

    def _close(self) -> None:
        """End the innermost variation, and add it to the note after the last word of the line around it.

        At least one variation must be open.
        """
        line = self.stack.pop()
        self.stack[-1].note()[1].append(line.close())
