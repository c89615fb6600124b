"""Commands inside comments: brackets with ``%``, a name, and words, ``key=value`` pairs and quoted texts behind it.

A quoted text can hold any sign: ``\\"`` and ``\\\\`` stand for themselves, and ``\\xNN`` for the sign with that number,
in hex; brackets, ``}`` and control signs are written so, so that no text ends the command or the comment it stands in,
or looks like another command.
"""

import re
from collections.abc import Container, Iterator

from msgspec import Struct

COMMAND = re.compile(r'\[%\s*([\w-]+)((?:"(?:\\.|[^"\\])*"|[^\]"])*|[^\]]*)\]')
"""A command with its name and what stands behind it; a ``]`` in quotes does not end it."""
_TOLD = ("clk", "emt", "irregular", "ruling", "dispute", "clock")
_PART = re.compile(r'(?:([\w-]+)=)?(?:"((?:\\.|[^"\\])*)"|([^\s"]+))')
_SAFE = re.compile(r"[\w.,/:*~-]+")
_SIGNS = re.compile(r"[\\\"\[\]}\x00-\x1f\x7f]")
_ESCAPED = re.compile(r"\\(?:x([0-9a-fA-F]{2})|(.))", re.DOTALL)


class Command(Struct, frozen=True):
    """One command.

    words: what stands bare, in order; named: the ``key=value`` pairs; texts: what stands in quotes by itself
    written: the whole of it, brackets included; rest: what stands behind the name, as written
    """

    name: str
    words: tuple[str, ...]
    named: tuple[tuple[str, str], ...]
    texts: tuple[str, ...]
    written: str
    rest: str

    def value(self, key: str) -> str:
        """Return the value of a key, empty for none."""
        return dict(self.named).get(key, "")


def commands_in(comment: str) -> Iterator[Command]:
    """Yield the commands of a comment in the order written; a bracket without a name is none."""
    for found in COMMAND.finditer(comment) if "[%" in comment else ():
        words: list[str] = []
        named: list[tuple[str, str]] = []
        texts: list[str] = []
        for part in _PART.finditer(found[2]):
            value = part[3] if part[2] is None else _unquoted(part[2])
            if part[1] is not None:
                named.append((part[1], value))
            elif part[2] is None:
                words.append(value)
            else:
                texts.append(value)
        yield Command(found[1], tuple(words), tuple(named), tuple(texts), found[0], found[2].strip())


def clocks_in(comment: str) -> Iterator[str]:
    """Yield the times of a comment's ``[%clk]``."""
    for found in COMMAND.finditer(comment) if "[%" in comment else ():
        if found[1] == "clk":
            yield found[2].strip()


def without(comment: str, names: Container[str]) -> str:
    """Return a comment without the commands of these names."""
    return " ".join(COMMAND.sub(lambda found: "" if found[1] in names else found[0], comment).split())


def remark_in(comment: str) -> str:
    """Return the words of a comment, without the commands whose times, marks and rulings are told on their own."""
    return without(comment, _TOLD)


def quoted(text: str) -> str:
    """Return a text in quotes, so that ``commands_in`` reads the same text; its blanks must be single ones."""
    return f'"{_SIGNS.sub(_escape, text)}"'


def bare(text: str) -> str:
    """Return a text as the value of a key: as it is where nothing in it parts words, else in quotes."""
    return text if _SAFE.fullmatch(text) else quoted(text)


def format_command(name: str, *parts: str) -> str:
    """Return a command of these parts, each already in its spelling; empty ones are left out."""
    return f"[%{' '.join((name, *(part for part in parts if part)))}]"


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    return "\\" + sign if sign in '\\"' else f"\\x{ord(sign):02x}"


def _unquoted(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], text)
