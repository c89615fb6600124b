"""Commands inside comments: brackets with ``%``, a name, and words, ``key=value`` pairs and quoted texts after it.

A quoted text can hold any character: ``\\"`` and ``\\\\`` stand for themselves, and ``\\xNN`` for the character with
that number, in hex. Brackets, ``}`` and control characters are escaped, so that no text ends its command or comment,
or looks like another command.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Container, Iterator

from msgspec import Struct

_TOLD = ("clk", "emt", "cal", "csl", "irregular", "ruling", "dispute", "clock", "seat")
_BEGINS = re.compile(r"\[%\s*([\w-]+)")
_PART = re.compile(r'(?:([\w-]+)=)?(?:"((?:\\.|[^"\\])*)"|([^\s"]+))|"(.*)')
"""The last alternative is a quote that nothing closes; the rest of it is bare words."""
_PAIRED = re.compile(r'["\\\]]')
_SAFE = re.compile(r"[\w.,/:*~-]+")
_SIGNS = re.compile(r"[\\\"\[\]}\x00-\x1f\x7f]")
_ESCAPED = re.compile(r"\\(?:x([0-9a-fA-F]{2})|(.))", re.DOTALL)


class Command(Struct, frozen=True):
    """One command of a comment.

    Attributes:
        name: The name after ``%``.
        words: The bare words, in order.
        pairs: The ``key=value`` pairs.
        texts: The quoted texts without a key.
        source: The whole command, with its brackets.
        rest: Everything after the name, as written.
    """

    name: str
    words: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    texts: tuple[str, ...]
    source: str
    rest: str

    def value(self, key: str) -> str:
        """Return the value of a ``key=value`` pair; empty if the command has no such key.

        Of a key that stands twice the last counts.
        """
        return dict(self.pairs).get(key, "")


def commands_in(comment: str) -> Iterator[Command]:
    """Yield the commands of a comment, such as ``[%clk 0:12:30]``, in order.

    A bracket without ``%`` and a name, or one that is never closed, is none. Nothing raises.
    """
    return (command for _, command in _commands_at(comment))


def rewritten(comment: str, change: Callable[[Command], str]) -> str:
    """Return a comment in which each command is replaced by what ``change`` returns for it; all else stays as it is."""
    parts: list[str] = []
    at = 0
    for begin, command in _commands_at(comment):
        parts += comment[at:begin], change(command)
        at = begin + len(command.source)
    return "".join((*parts, comment[at:]))


def without(comment: str, names: Container[str] | None = None) -> str:
    """Return the words of a comment, in single blanks, without its commands.

    With ``names``, only commands of these names are left out.
    """
    return " ".join(
        rewritten(comment, lambda command: " " if names is None or command.name in names else command.source).split()
    )


def _commands_at(comment: str) -> Iterator[tuple[int, Command]]:
    """Yield each command of a comment with its offset.

    The time it takes grows with the length of the comment only, however many brackets are open.
    """
    last = comment.rfind("]")
    closing: _Closing | None = None
    at = 0
    while begins := _BEGINS.search(comment, at, last) if last >= 0 else None:
        end = comment.find("]", begins.end())
        if '"' in comment[begins.end() : end]:
            closing = closing or _Closing(comment)
            end = closing.outside_quotes(begins.end(), end)
        at = end + 1
        yield begins.start(), _command(begins[1], comment[begins.start() : at], comment[begins.end() : end])


def _command(name: str, written: str, rest: str) -> Command:
    """Return the command with these parts.

    Args:
        name: The name after ``%``.
        written: The whole command.
        rest: What stands between the name and the closing bracket.
    """
    words: list[str] = []
    named: list[tuple[str, str]] = []
    texts: list[str] = []
    for part in _PART.finditer(rest):
        value = part[3] if part[2] is None else _unquoted(part[2])
        if part[4] is not None:
            words += part[4].replace('"', " ").split()
        elif part[1] is not None:
            named.append((part[1], value))
        elif part[2] is None:
            words.append(value)
        else:
            texts.append(value)
    return Command(name, tuple(words), tuple(named), tuple(texts), written, rest.strip())


class _Closing:
    """Where the brackets of a comment close, whichever of its quotes count; worked out once, from its end."""

    def __init__(self, comment: str) -> None:
        self.signs = [(match.start(), match[0]) for match in _PAIRED.finditer(comment)]
        count = len(self.signs)
        self.bare, quoted_signs = [-1] * (count + 2), [-1] * (count + 2)
        for index in range(count - 1, -1, -1):
            place, sign = self.signs[index]
            following = index + 1
            self.bare[index] = (
                place if sign == "]" else quoted_signs[following] if sign == '"' else self.bare[following]
            )
            escapes = sign == "\\" and following < count and self.signs[following][0] == place + 1
            quoted_signs[index] = self.bare[following] if sign == '"' else quoted_signs[following + escapes]

    def outside_quotes(self, at: int, first: int) -> int:
        """Return the offset of the bracket that closes a command: the first outside quotes, else ``first``.

        ``at`` is the offset after the name of the command.
        """
        quote = self.bare[bisect_left(self.signs, (at, ""))]
        return first if quote < 0 else quote


def clocks_in(comment: str) -> Iterator[str]:
    """Yield the times of a comment's ``[%clk]``, as written: ``0:12:30``."""
    return (command.rest for command in commands_in(comment) if command.name == "clk")


def remark_in(comment: str) -> str:
    """Return the words of a comment in single blanks, without commands that are shown elsewhere.

    These are clock times, marks on squares and of irregular plies, seats, disputes and rulings; other commands stay.
    """
    return without(comment, _TOLD)


def quote_text(text: str) -> str:
    """Return a text in quotes, with escapes, so that ``commands_in`` reads the same text from it.

    Its blanks must be single ones, as those of comments are.
    """
    return f'"{_SIGNS.sub(_escape, text)}"'


def bare(text: str) -> str:
    """Return a text as the value of a key: as it is, or in quotes as by ``quote_text`` if it needs them.

    It needs them if it is empty, or has blanks or other characters than letters, digits and ``_.,/:*~-``.
    """
    return text if _SAFE.fullmatch(text) else quote_text(text)


def format_command(name: str, *parts: str) -> str:
    """Return a command of these parts, each already in its spelling; empty ones are left out.

    ``("seat", "p4", "Fay")`` gives ``[%seat p4 Fay]``.
    """
    return f"[%{' '.join((name, *(part for part in parts if part)))}]"


def _escape(match: re.Match[str]) -> str:
    r"""Return the escape of one character in a quoted text, such as ``\x5d`` for a bracket."""
    sign = match[0]
    return "\\" + sign if sign in '\\"' else f"\\x{ord(sign):02x}"


def _unquoted(text: str) -> str:
    """Return the text that a quoted text, given without its quotation marks, stands for: without its escapes."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], text)
