"""Hypothesis strategies for CGN: values first, then texts that say a value in a neat or in an untidy way.

A value is a ``Record`` without a source. ``shape`` turns records into plain tuples, so that what two readers found
can be compared without the places they found it at.

A strategy is checked before it is drawn from the first time, which takes longer than most draws: each is made once.
"""

import re
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from cartulary.notation.cgn.record import Line, Note, Record

Shape: TypeAlias = tuple[object, ...]

Step: TypeAlias = Callable[[], None]

SUFFIXES = ("", "!", "?", "!!", "??", "!?", "?!")


# --- shapes ---


def shape_of_line(line: Line) -> Shape:
    """Return words, notes, numbers and result of a line as nested tuples; numbers before no word count for nothing."""
    notes = [
        (at, note.glyphs, tuple(item if isinstance(item, str) else shape_of_line(item) for item in note.items))
        for at, note in sorted(line.notes.items())
        if note.glyphs or note.items
    ]
    numbers = [(at, number) for at, number in sorted(line.numbers.items()) if at < len(line.words)]
    return (line.words, tuple(notes), tuple(numbers), line.result)


def shape(record: Record) -> Shape:
    """Return tags, escape lines and movetext of a record as nested tuples."""
    return (record.tags, record.escapes, shape_of_line(record.line))


# --- move words ---

_french = st.tuples(st.sampled_from("123456789XJNQKA"), st.sampled_from("CDHS")).map("".join)
_tarot = st.tuples(st.sampled_from("123456789XJNQK"), st.sampled_from("SWCD")).map("".join)
_trump = st.integers(0, 22).map("T{:02}".format)
_cards = st.lists(_french | _tarot | _trump | st.sampled_from(("~", "E1", "E8")), min_size=1, max_size=4)
_hand = _cards.map(",".join)
_square = st.tuples(st.sampled_from("abcdefghij"), st.sampled_from("0123456789")).map("".join)
_seat = st.integers(0, 10).map("p{}".format)
_field = st.sampled_from(("s", "w", "c", "d", "p2s", "p10dd", "n1e1", "s12w3", "o", "~s", "a1", "h", "x"))
_piece = st.tuples(
    st.sampled_from("SML"), st.sampled_from(("o", "n1", "e1", "s2w1")), st.sampled_from(("", "'n", "'u"))
)
_minion = _piece.map("".join)
_call = st.sampled_from(("Resign", "Draw", "Agree", "Timeout", "Pass", "Yes", "None", "PetitSec", "Garde"))
_verb = st.sampled_from(":=@-*>^&'")
_operand = st.one_of(_hand, _square, _seat, _field, _minion, _call, st.integers(0, 99).map(str))
_mark = st.sampled_from(("", "", "", "+", "×", "x", "#"))


@cache
def move_words() -> st.SearchStrategy[str]:
    """Return words of every shape the notation knows: all verbs, cards, seats, places, pieces and calls."""
    board = st.builds(
        "{}{}{}{}{}".format, _french, st.sampled_from(("", ":")), _square, st.sampled_from(("", "=A")), _mark
    )
    prefix = st.just("") | _seat.map("{}/".format)
    head = st.one_of(_hand, _call, _minion, st.just(""))
    deeds = st.lists(st.builds("{}{}".format, _verb, _operand), min_size=1, max_size=4).map("".join)
    longer = st.builds("{}{}{}{}".format, prefix, head, deeds, st.sampled_from(("", "-", "+", "×", "#")))
    spoken = st.builds("{}{}".format, prefix, _call)
    return st.one_of(board, longer, spoken, st.just("QS~"), st.just("*7C"), st.just("@s"), st.just("p0/=4"))


# --- values ---


def _on_one_line(*, braces: bool) -> st.SearchStrategy[str]:
    banned = "\0" if braces else "\0}"
    anything = st.text(st.characters(codec="utf-8", exclude_characters=banned), min_size=1, max_size=30)
    phrases = ("forced captures follow", "[%clk 0:12:30]", '[Event "x"] said he', "% no escape", "(an aside) $1 1-0")
    return (anything | st.sampled_from(phrases)).map(lambda text: " ".join(text.split())).filter(bool)


@cache
def comments() -> st.SearchStrategy[str]:
    """Return comments as they are read: not empty, single blanks, some with the brace only ``;`` can hold."""
    return _on_one_line(braces=False) | _on_one_line(braces=True)


@cache
def results() -> st.SearchStrategy[str]:
    """Return results for two and more seats, ``*`` among them."""
    share = st.sampled_from(("0", "1", "1/2", "1/3"))
    return (
        st.just("*")
        | st.sampled_from(("1-0", "0-1", "1/2-1/2"))
        | st.lists(share, min_size=2, max_size=6).map("-".join)
    )


_codes = st.lists(st.integers(1, 6) | st.integers(0, 255), max_size=3)
_comments_or_lines = st.lists(st.booleans(), max_size=2)
_words = st.lists(move_words(), max_size=7)
_inner_result = st.just("") | results()


@cache
def _places(last: int) -> st.SearchStrategy[set[int]]:
    return st.sets(st.integers(0, last), max_size=3)


@cache
@st.composite
def notes(draw: st.DrawFn, depth: int, glyphs: bool = True, variations: bool = True) -> Note:
    """Return what stands behind a word; ``depth`` is how deep variations may still nest."""
    codes = draw(_codes) if glyphs else []
    then: list[str | Line] = []
    for is_comment in draw(_comments_or_lines):
        if is_comment:
            then.append(draw(comments()))
        elif depth and variations:
            then.append(draw(lines(depth - 1, result=_inner_result)))
    return Note(tuple(codes), tuple(then))


@cache
@st.composite
def lines(draw: st.DrawFn, depth: int, result: st.SearchStrategy[str]) -> Line:
    """Return a line whose numbers stand exactly where canonical text has them."""
    words = draw(_words)
    found: dict[int, Note] = {}
    for at in draw(_places(len(words))):
        note = draw(notes(depth, variations=at > 0))
        if note.glyphs or note.items:
            found[at] = note
    first, second = draw(st.integers(1, 300)), draw(st.booleans())
    numbers: dict[int, tuple[int, int]] = {}
    for index in range(len(words)):
        half = index + second
        if half % 2 == 0:
            numbers[index] = (first + half // 2, 1)
        elif index == 0 or (index in found and found[index].items):
            numbers[index] = (first + half // 2, 3)
    return Line(tuple(words), found, numbers, draw(result))


_value = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), max_size=20)
_name = st.sampled_from(("Event", "Site", "Seat1", "Seat2", "Forehand", "Result", "Zebra", "a_1")) | st.from_regex(
    r"\A[A-Za-z0-9_]{1,12}\Z"
)
_escape = _value.map(str.rstrip).filter(lambda text: not re.fullmatch(r"\s*CGN\s+1\.\d+\s*", text))
_tags = st.lists(st.tuples(_name, _value), max_size=5)
_escapes = st.lists(_escape, max_size=2)


@cache
@st.composite
def records(draw: st.DrawFn, index: int = 1, result: st.SearchStrategy[str] | None = None) -> Record:
    """Return a game; the first of a file may have no tags, every other has a ``Game`` tag somewhere."""
    pairs = draw(_tags)
    line = draw(lines(2, results() if result is None else result))
    if index > 1 or not line.words or draw(st.booleans()):
        pairs.insert(draw(st.integers(0, len(pairs))), ("Game", draw(st.sampled_from(("Cardmate", "Tarot duel")))))
    escapes = draw(_escapes)
    return Record(tuple(pairs) if index > 1 or any(name == "Game" for name, _ in pairs) else (), line, tuple(escapes))


@cache
@st.composite
def files(draw: st.DrawFn, result: st.SearchStrategy[str] | None = None, most: int = 3) -> list[Record]:
    """Return the games of one file, in order."""
    count = draw(st.integers(1, most))
    return [draw(records(index, result)) for index in range(1, count + 1)]


# --- untidy text ---


class Scribe:
    """Write values as an untidy but valid text; every choice comes from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.out: list[str] = []
        self.later: list[str] = []

    def maybe(self, chance: float = 0.3) -> bool:
        """Say yes now and then."""
        return self.random.random() < chance

    def file(self, games: list[Record]) -> bytes:
        """Return a file: LF or CRLF throughout, perhaps with a byte order mark."""
        self._blank_lines(0.2)
        for index, game in enumerate(games):
            held_back = self.random.randint(0, len(game.escapes)) if index or game.tags else len(game.escapes)
            if index:
                self._part_games(bare=self._is_bare(games[index - 1]), tight=held_back == 0)
            if self.maybe() and game.tags:
                self._line("% CGN 1.0")
            self._game(game, held_back)
        text = "".join(self.out)
        if self.maybe():
            text = text.replace("\n", "\r\n")
        return (b"\xef\xbb\xbf" if self.maybe() else b"") + text.encode()

    def _is_bare(self, game: Record) -> bool:
        return not (game.line.words or shape_of_line(game.line)[1] or game.result)

    def _part_games(self, *, bare: bool, tight: bool) -> None:
        self._column_one()
        if bare or not tight or self.maybe(0.7):
            self.out.append(self.random.choice(("\n", " \n", "\n\n", "\t\n\n")))

    def _game(self, game: Record, before_tags: int) -> None:
        for text in game.escapes[:before_tags]:
            self._line("%" + text)
        self._tags(game)
        self.later = list(game.escapes[before_tags:])
        if game.tags:
            self._blank_lines(0.8)
        self._movetext(game.line, main=True)
        if self.later:  # a blank line before them could make them the next game's
            self.out = ["".join(self.out).rstrip()]
        for text in self.later:
            self._line("%" + text)

    def _tags(self, game: Record) -> None:
        for number, (name, value) in enumerate(game.tags):
            gap = self.random.choice(("", "", " ", "\t"))
            quoted = value.replace("\\", "\\\\").replace('"', '\\"')
            if number and self.maybe(0.15):
                self.out[-1] = self.out[-1].rstrip("\n") + " "
            elif number and self.maybe(0.1):
                self.out.append(" ")
            self.out.append(f'[{gap}{name} {gap}"{quoted}"{gap}]{gap}\n')

    def _line(self, text: str) -> None:
        self._column_one()
        self.out.append(text + "\n")

    def _column_one(self) -> None:
        if self.out and not self.out[-1].endswith("\n"):
            self.out.append("\n")

    def _blank_lines(self, chance: float) -> None:
        if self.maybe(chance):
            self.out.append(self.random.choice(("\n", "\n\n", "  \n")))

    # movetext: tokens that need white space behind them, and tokens that end by themselves

    def _movetext(self, line: Line, *, main: bool = False) -> None:
        tail = self._between(line, 0)
        for index, word in enumerate(line.words):
            for step in tail:
                step()
            note = line.notes.get(index + 1, Note())
            suffix = note.glyphs and 0 < note.glyphs[0] <= 6 and self.maybe(0.8)
            stop = "." if self.maybe(0.05) else ""
            self._token(word + (SUFFIXES[note.glyphs[0]] if suffix else "") + stop)
            tail = self._between(line, index + 1, 1 if suffix else 0)
        last = self.random.randint(0, len(tail)) if line.result and main else len(tail)
        for step in tail[:last]:
            step()
        if line.result:
            self._token(line.result + ("." if self.maybe(0.1) else ""))
        for step in tail[last:]:
            step()

    def _between(self, line: Line, at: int, skip: int = 0) -> list[Step]:
        """Return the steps that write what stands before the word ``at``: glyphs, notes, its number, noise."""
        note = line.notes.get(at, Note())
        steps: list[Step] = [partial(self.write, "note", item) for item in note.items]
        place = 0
        for code in note.glyphs[skip:]:
            place = self.random.randint(place, len(steps))
            steps.insert(place, partial(self.write, "glyph", code))
            place += 1
        if at in line.numbers and at < len(line.words):
            where = len(steps) if self.maybe(0.7) else self.random.randint(0, len(steps))
            steps.insert(where, partial(self.write, "number", line.numbers[at]))
        elif self.maybe(0.05):
            steps.append(partial(self.write, "dots", 0))
        if self.maybe(0.05):
            steps.insert(self.random.randint(0, len(steps)), partial(self.write, "nothing", 0))
        return steps

    def write(self, kind: str, what: object) -> None:
        """Write one thing that stands between words."""
        if self.later and self.maybe(0.2):
            self._line("%" + self.later.pop(0))
        if isinstance(what, Line):
            self._open(what)
        elif isinstance(what, str):
            self._comment(what)
        elif isinstance(what, tuple):
            number, dots = what
            self._number(number, dots)
        elif kind == "dots":
            self._token("...")
        elif kind == "nothing":
            self.out.append(self.random.choice(("{}", "{ \n}", ";\n", " ; \n")))
        elif isinstance(what, int):
            self._glyph(what)

    def _snug(self) -> None:
        """Now and then take the blank away in front of a sign that needs none."""
        if self.out and self.maybe():
            self.out[-1] = self.out[-1].rstrip(" ")

    def _open(self, line: Line) -> None:
        self._snug()
        self.out.append("(" + self._space(0.3))
        self._movetext(line)
        self._snug()
        self.out.append(")" + self._space(0.6))

    def _comment(self, text: str) -> None:
        self._snug()
        if "}" in text or self.maybe(0.2):
            self.out.append(f";{self._space(0.5, lines=False)}{text}\n")
            return
        parts = [self._space(0.3, lines=False)]
        for word in text.split(" "):
            parts += [word, self._space(1)]
        parts[-1] = self._space(0.3, lines=False)
        self.out.append("{" + "".join(parts) + "}" + self._space(0.6))

    def _number(self, number: int, dots: int) -> None:
        if dots == 1:
            self._token(str(number) + self.random.choice((".", ".", "")), sticks=True)
        else:
            form = self.random.choice(("{}...", "{}..", "{}. ...", "{} ..."))
            self._token(form.format(number), sticks=form == "{}...")

    def _glyph(self, code: int) -> None:
        if 0 < code <= 6 and self.maybe(0.15):
            self.out.append(" ")
            self._token(SUFFIXES[code])
        else:
            self._snug()
            self._token(f"${code}")

    def _token(self, text: str, *, sticks: bool = False) -> None:
        stuck = sticks and text.endswith(".") and self.maybe(0.3)
        self.out.append(text if stuck else text + self._space(1))

    def _space(self, chance: float, *, lines: bool = True) -> str:
        if not self.maybe(chance):
            return ""
        return self.random.choice((" ", " ", " ", "  ", "\t", "\n", " \n ") if lines else (" ", "  ", "\t"))
