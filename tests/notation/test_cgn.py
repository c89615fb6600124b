"""Two readers of CGN agree: the hand-written one, and one made from the grammar in cgn.lark."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token, Tree

from cartulary.notation import Line, Note, Record, loads
from cartulary.notation.cgn.commands import commands_in, rewritten, without
from tests.hunts import budget
from tests.notation.strategies import SUFFIXES, Scribe, files, results, shape

GRAMMAR = Path(__file__).with_name("cgn.lark").read_text(encoding="utf-8")
PARSER = Lark(GRAMMAR, parser="lalr", lexer="basic")
HEADER = re.compile(r"\s*CGN\s+1\.[0-9]+\s*")
PAIR = re.compile(r'\[[ \t]*(\w+)[ \t]+"(.*)"[ \t]*\]', re.DOTALL)

Branch = Tree[Token]


class Grown:
    """A line as the tree gives it: what is met is added to the end."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.notes: dict[int, Note] = {}
        self.numbers: dict[int, tuple[int, int]] = {}
        self.result = ""

    def add(self, item: Branch | Token) -> None:
        """Take in one child of the start rule or of a variation."""
        if isinstance(item, Token):
            self._number(item)
        elif item.data == "word":
            self.words.append(str(item.children[0]))
            self._glyphs(item.children[1:])
        elif item.data == "glyph":
            self._glyphs(item.children)
        elif item.data == "comment":
            self._comment(str(item.children[0]))
        elif item.data == "result":
            self.result = str(item.children[0])
        elif item.data == "variation":
            inner = Grown()
            for child in item.children:
                if not (isinstance(child, Token) and child.type in ("ESCAPE", "LPAR", "RPAR")):
                    inner.add(child)
            self._note((), (inner.line(),))

    def line(self) -> Line:
        """Return the line as a value."""
        return Line(tuple(self.words), self.notes, self.numbers, self.result)

    def _note(self, glyphs: tuple[int, ...], then: tuple[str | Line, ...]) -> None:
        known = self.notes.get(len(self.words), Note())
        self.notes[len(self.words)] = Note(known.glyphs + glyphs, known.items + then)

    def _glyphs(self, tokens: list[Branch | Token]) -> None:
        for token in tokens:
            if isinstance(token, Token) and token.type == "SUFFIX":
                self._note((SUFFIXES.index(token),), ())
            elif isinstance(token, Token) and token.type == "GLYPH":
                self._note((int(token[1:]),), ())

    def _comment(self, text: str) -> None:
        words = (text[1:-1] if text.startswith("{") else text[1:]).split()
        if words:
            self._note((), (" ".join(words),))

    def _number(self, token: Token) -> None:
        at = len(self.words)
        if token.type == "NUMBER":
            self.numbers[at] = (int(token.rstrip(".")), 3 if token.endswith("..") else 1)
        elif at in self.numbers:
            self.numbers[at] = (self.numbers[at][0], 3)


class Sheet:
    """One game of a file while its parts are met."""

    def __init__(self) -> None:
        self.tags: list[tuple[str, str]] = []
        self.escapes: list[str] = []
        self.line = Grown()
        self.begun = False

    def empty(self) -> bool:
        """Say whether nothing of a game has been met."""
        return not (self.tags or self.escapes or self.begun)

    def record(self) -> Record:
        """Return the game as a value."""
        return Record(tuple(self.tags), self.line.line(), tuple(self.escapes))


def read_by_grammar(text: str) -> list[Record]:
    """Return the games of a valid text, as the grammar sees them."""
    sheets = [Sheet()]
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    for item in PARSER.parse(text).children:
        answer = str(item) if isinstance(item, Token) else ""
        kind = item.type if isinstance(item, Token) else ""
        if (kind == "GAP" and sheets[-1].tags) or (kind in ("GAP", "TAG") and sheets[-1].begun):
            sheets.append(Sheet())
        if kind == "TAG":
            pair = PAIR.fullmatch(answer)
            assert pair
            sheets[-1].tags.append((pair[1], re.sub(r'\\(["\\])', r"\1", pair[2])))
        elif kind == "ESCAPE":
            if not HEADER.fullmatch(answer[1:]):
                sheets[-1].escapes.append(answer[1:].rstrip())
        elif kind != "GAP":
            sheets[-1].begun = True
            sheets[-1].line.add(item)
            if isinstance(item, Tree):
                inner = item.scan_values(lambda token: isinstance(token, Token) and token.type == "ESCAPE")
                sheets[-1].escapes += [escape[1:].rstrip() for escape in inner]
    return [sheet.record() for sheet in sheets if not sheet.empty()]


@budget(50)
@given(files(result=st.just("") | results()), st.integers(0, 2**32))
def test_both_readers_find_in_an_untidy_text_what_was_meant(games: list[Record], seed: int) -> None:
    data = Scribe(seed).file(games)
    meant = [shape(game) for game in games]
    assert [shape(record) for record in loads(data)] == meant
    assert [shape(record) for record in read_by_grammar(data.decode())] == meant


@budget(50)
@given(files(), st.integers(0, 2**32))
def test_valid_text_raises_no_problem_but_remarks(games: list[Record], seed: int) -> None:
    for record in loads(Scribe(seed).file(games)):
        assert [p for p in record.problems if p.severity == "error"] == []
        assert {p.key for p in record.problems} <= {"cgn.mark"}


ROWS = [
    ("numbers stick to the word", "18.8D:j7 7Dh8 19...8D:h8"),
    ("dots stand alone behind their number", "7. ... 9Sa7 8 ... 8Df3"),
    ("a number has two dots, or none", "7.. 9Sa7 8 8Df3"),
    ("dots without a number are nothing", "... 9Sa7"),
    ("the last number before a word counts", "7. 8. 9Sa7"),
    ("the page writes a full stop behind a word", "27. 5D:g2. 27. ... 9S:e3"),
    ("a full stop behind glyphs and results", "4Ci3!. 4Db6?? 1-0."),
    ("quotes, brackets and percent signs are parts of words", '4Ci3 a[b] "c" d%e% [f%] *'),
    ("full stops by themselves are nothing", "4Ci3 . 4Db6 .. 8Dj2 *"),
    ("digits are ASCII digits", "\u0663 4Ci3 \u0663. 4Db6 \u0661-\u0660 *"),
    ("a bare star is the result, a star with cards a word", "p0/*~,~ *7C *"),
    ("signs touch words", "4Ci3{a}4Db6(4Dc6)8Dj2;b\n8Ca7$3$14(8Cc6$1){c}1-0"),
    ("glyphs are suffixes and codes in any order", "4Ci3 $14 ! $0 {a} $255 4Db6!?$2"),
    ("an escape needs column one", "4Ci3\n%kept\n{\n% not one\n} 4Db6 ; % nor this\n*"),
    ("comments behind the result belong to the last word", "4Ci3 1-0 {why} ; so\n"),
    ("results of many seats", "Pass 0-1-0-1/3-1/3"),
    ("an empty variation, and one of comments alone", "4Ci3 () ({a} ;b\n) 4Db6"),
    ("braces do not nest, a semicolon inside is text", "4Ci3 {a { b ; c} ; } { d\n4Db6"),
    ("parentheses in comments are text", "4Ci3 {:-)} (4Ca1 {(} 4Cb2) 4Db6"),
    ("white space of every kind", "4Ci3\x0b4Db6\u20038Dj2\x85{a\u2028b\xa0c}"),
]


@pytest.mark.parametrize(("why", "movetext"), ROWS, ids=[row[0] for row in ROWS])
@pytest.mark.smoke
def test_both_readers_agree_on(why: str, movetext: str) -> None:
    text = f'[Game "Cardmate"]\n\n{movetext}\n\n[Game "Tarot"]\n\n*\n'
    ours, theirs = loads(text), read_by_grammar(text)
    assert [shape(record) for record in ours] == [shape(record) for record in theirs]
    assert len(ours) == 2


def test_a_game_tag_is_seen_behind_a_byte_order_mark_and_behind_other_tags() -> None:
    assert len(loads('\ufeff[Game "Cardmate"]\n\n[Game "Tarot"]\n\n1. 4Ci3 *\n')) == 2
    assert len(loads('[Game "Cardmate"]\n\n[Event "a \\" ["] [Game "Tarot"]\n\n1. 4Ci3 *\n')) == 2
    assert len(loads('[Game "Cardmate"]\n\n[Event "[Game "]\n\n1. 4Ci3 *\n')) == 1


# --- commands in comments ---

AS_WRITTEN = re.compile(r'\[%\s*([\w-]+)((?:"(?:\\.|[^"\\])*"|[^\]"])*|[^\]]*)\]')
"""A command said once more, by one expression that looks at the rest of the comment for each bracket."""


@given(st.lists(st.sampled_from(['"', "\\", "]", "[%", "[%a ", "[%b", " ", "x", "k=", '"y"', "[", "%"]), max_size=40))
def test_a_command_ends_where_its_quotes_say_or_else_at_the_next_bracket(parts: list[str]) -> None:
    comment = "".join(parts)
    written = [(found[1], found[0]) for found in AS_WRITTEN.finditer(comment)]
    assert [(each.name, each.source) for each in commands_in(comment)] == written
    assert rewritten(comment, lambda each: f"<{each.name}>") == AS_WRITTEN.sub(r"<\1>", comment)
    assert without(comment) == " ".join(AS_WRITTEN.sub(" ", comment).split())


def test_a_quote_that_nothing_closes_hides_no_word() -> None:
    [command] = commands_in('[%ruling stands arbiter="Eva" "late, said Dora]')
    assert (command.words, command.value("arbiter")) == (("stands", "late,", "said", "Dora"), "Eva")
