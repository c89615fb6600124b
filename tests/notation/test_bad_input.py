"""What bad input gets: a message with its place, every other game still read, nothing lost, never a traceback."""

import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cartulary.notation import (
    Finding,
    NotationError,
    Record,
    canonical,
    dumps,
    examine,
    load,
    loads,
    replay,
)
from tests.hunts import HUNT, budget, looks
from tests.notation.strategies import Scribe, files, shape

GAME = '[Game "Cardmate"]\n\n'
SAMPLE = """% CGN 1.0
% taken down by hand
[Game "Cardmate"]
[Site "Orléans \\"à la carte\\""]
[Result "*"]
[Options "repetition=loss"]
[Setup "Xd 8c 9s Qc Ks Kd Qs 9d 8s Xh / 7h -- 6c Jh 5c 5s Jc 6h -- 7d / 4d 2c 3h 1s -- -- 4s 3d 2h 1c /\
 -- -- -- -- -- -- -- -- -- -- / -- -- -- -- -- -- -- -- -- -- / -- -- -- -- -- -- -- -- -- -- /\
 -- -- -- -- -- -- -- -- -- -- / 1D 2S 3C 4H -- -- 1H 3S 2D 4C / 7C -- 6S JD 5H 5D JS 6D -- 7S /\
 XS 8H 9C QH KC KH QD 9H 8D XC"]

1. 4Ci3 4Db6! $14 {× is no letter [%clk 0:12:30]} (1... 8Ca7?? 2. 8Dj2 (2. QS~) *)
2. 8Dj2 ; to the } end
%escaped
2... 8Ca7 3. 8Dh3. 8Cc6 *
"""
INTACT = '\n\n[Game "Cardmate"]\n[Round "intact"]\n\n1. 4Ci3 {still here} *\n'


def findings(text: str | bytes) -> list[Finding]:
    """Return what the arbiter says of the first game of a text."""
    return list(examine(loads(text)[0]).report.findings)


def check_places(data: bytes, records: list[Record]) -> None:
    """Fail where a problem or finding points outside the text."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    places = [(found.line, found.column, found.because) for record in records for found in record.problems]
    places += [(f.line, f.column, f.because) for record in records for f in examine(record).report.findings]
    for line, column, because in places:
        assert because.strip()
        assert 1 <= line <= len(lines)
        assert 1 <= column <= max(len(lines[line - 1]), len(lines[line - 1].encode())) + 1


# --- any bytes at all ---

MOVES = ("4Ci3", "4Db6", "QS~", "Resign", "p1/")
_signs = st.sampled_from(
    [
        *'{}();%$ \n\r\t"\\[]*~:xé\0',
        "\n\n",
        "$1",
        '[Game "Cardmate"]',
        '[A "b"]\n',
        "1-0",
        "1.",
        "...",
        "!",
        "?!",
        *MOVES,
    ]
)
_scraps = st.lists(_signs, max_size=25).map("".join).map(str.encode)
_bytes = st.binary(max_size=200) | _scraps | st.text(max_size=100).map(lambda text: text.encode("utf-16"))


@budget(250)
@given(_bytes)
@example(b"\xef\xbb\xbf")
@example(b"\x00")
@example(b"SQLite format 3\x00")
@example('[Game "Cardmate"]\n\n4Ci3'.encode("utf-16"))
def test_any_bytes_are_read_judged_and_written_without_an_exception(data: bytes) -> None:
    records = loads(data)
    check_places(data, records)
    for record in records:
        dumps(canonical(record))


@budget(150)
@given(_bytes)
def test_strict_reading_gives_records_or_one_error_with_its_place(data: bytes) -> None:
    raised: list[NotationError] = []
    try:
        records = loads(data, strict=True)
    except NotationError as error:
        raised.append(error)
        records = []
    assert all(problem.severity == "remark" for record in records for problem in record.problems)
    first = [problem for record in loads(data) for problem in record.problems if problem.severity == "error"][:1]
    assert [(error.line, error.column, error.because) for error in raised] == [
        (problem.line, problem.column, problem.because) for problem in first
    ]


@budget(75)
@given(files(most=2), st.integers(0, 2**32), st.data())
def test_a_damaged_file_never_hides_the_next_game(games: list[Record], seed: int, data: st.DataObject) -> None:
    text = Scribe(seed).file(games)
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(_scraps) + text[at + data.draw(st.integers(0, 20)) :]
    records = loads(damaged + INTACT.encode())
    assert records[-1].tag("Round") == "intact"
    assert shape(records[-1])[2] == (("4Ci3",), ((1, (), ("still here",)),), ((0, (1, 1)),), "*")
    check_places(damaged + INTACT.encode(), records)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_game_cut_at_any_byte_is_read_as_far_as_it_goes(end: bytes) -> None:
    data = SAMPLE.encode().replace(b"\n", end)
    whole = examine(loads(data)[0])
    assert (whole.report.verdict, whole.report.plies) == ("legal", 6)
    for cut in range(len(data) + 1):
        records = loads(data[:cut])
        assert len(records) <= 1
        for record in records:
            report = examine(record).report
            ended = record.result == "*" and not record.problems
            assert ended or report.findings
            assert dumps(*loads(dumps(record))) == dumps(record)
        *_, last = loads(data[:cut] + INTACT.encode().replace(b"\n", end))
        assert last.tag("Round") == "intact"
        assert last.line.words == ("4Ci3",)


# --- large and hostile ---


def test_a_hundred_thousand_parentheses_are_one_broken_game() -> None:
    for text in ("(" * 100_000, "4Ci3 " + "(4Ci3 " * 100_000, "4Ci3 " + "(" * 100_000 + ")" * 100_000):
        records = loads(GAME + text + INTACT)
        assert len(records) == 2
        assert any("at most 100 levels" in problem.because for problem in records[0].problems)
        assert examine(records[0]).report.verdict == "unreadable"
        assert records[1].problems == ()


def test_a_comment_of_ten_megabytes_is_kept_and_read_back() -> None:
    comment = " ".join(["and so on,"] * 1_000_000)[: 10 << 20].strip()
    (record,) = loads(f"{GAME}4Ci3 {{{comment}}} *\n", strict=True)
    assert record.line.notes[1].items == (comment,)
    assert loads(dumps(record))[0].line.notes[1].items == (comment,)


def test_an_unclosed_comment_of_ten_megabytes_is_one_error_where_it_opens() -> None:
    records = loads(f"{GAME}4Ci3 {{" + "words { and words\n" * 600_000 + INTACT)
    assert [(p.line, p.column) for p in records[0].problems] == [(3, 6)]
    assert records[1].problems == ()


SLOW = 5
"""Findings on moves list what was legal, which takes its time: a fifth of the length will do."""

HOSTILE: list[tuple[str, Callable[[int], str]]] = [
    ("closing parentheses", lambda n: GAME + "4Ci3 " + ")" * n),
    ("full stops", lambda n: GAME + "4Ci3. " * (n // SLOW)),
    ("wrong glyphs", lambda n: GAME + "4Ci3 " + "$999 " * n),
    ("second results", lambda n: GAME + "* " * n),
    ("escape lines", lambda n: GAME + "4Ci3\n" + "%x\n" * n),
    ("percent signs", lambda n: GAME + "4Ci3 " + " %a" * n),
    ("variations", lambda n: GAME + "4Ci3 " + "(4Ci3 4Db6) " * n),
    ("refused moves", lambda n: GAME + "4Ci5 4Db5 4Ci6 4Db4 " * (n // SLOW // 4)),
    ("tag sections without a game", lambda n: '[A "x"]\n\n' * n),
    ("games without a blank line", lambda n: '[Game "Cardmate"]\n4Ci3 *\n' * n),
    ("one tag many times", lambda n: '[Game "Cardmate"]\n' * n + "\n4Ci3 *\n"),
    ("broken tags", lambda n: "[A x\n" * n + "\n4Ci3 *\n"),
    ("backslashes", lambda n: '[Site "' + "\\a" * n + '"]\n\n4Ci3 *\n'),
    ("one long word", lambda n: GAME + "1" * n + "." * n + "!" * n + "4" * n + "x"),
]


@pytest.mark.parametrize(("what", "text"), HOSTILE, ids=[row[0] for row in HOSTILE])
def test_a_long_broken_text_is_read_and_judged_to_its_end(what: str, text: Callable[[int], str]) -> None:
    """Of this length, work that grows with the square of it would not end in minutes."""
    for record in loads(text(looks(20_000))):
        assert examine(record).report.verdict in ("unreadable", "irregular", "legal"), what


class Endless(io.BytesIO):
    """A file of so many games that is nowhere as a whole."""

    def __init__(self, games: int) -> None:
        super().__init__()
        self.games = games

    def read(self, size: int | None = -1, /) -> bytes:
        """Return some hundred games at a time, whatever was asked for."""
        count = min(self.games, 200)
        self.games -= count
        games = (f"1. 4Ci3 4Db6 {{game {self.games + n}}} 2. 8Dj2 8Ca7 *\n\n" for n in range(count))
        return "".join(GAME + game for game in games).encode()


def peak(games: int) -> int:
    """Return the most bytes that reading so many games holds at once."""
    tracemalloc.start()
    try:
        count = sum(1 for _ in load(Endless(games)))
        assert count == games
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_file() -> None:
    """A game more that is kept is some hundred bytes more; what is allowed is eight for each."""
    peak(100)
    assert peak(6_000 * HUNT) < peak(2_000) + (1 << 15)


# --- files ---


def test_an_unreadable_file_raises_the_system_s_own_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        list(load(tmp_path / "nowhere.cgn"))
    with pytest.raises(OSError, match=tmp_path.name):
        list(load(tmp_path))


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\xef\xbb\xbf", b" \r\n\t\r\n", b"% CGN 1.0\n", b"\xef\xbb\xbf% CGN 1.0\r\n\r\n"]
)
def test_a_file_with_nothing_in_it_has_no_games(data: bytes) -> None:
    assert loads(data) == []


def test_utf_16_is_named_for_what_it_is() -> None:
    for problem in (loads(SAMPLE.encode("utf-16"))[0].problems[0], loads(SAMPLE.encode("utf-16-le"))[0].problems[0]):
        assert "UTF-16" in problem.because


# --- tags and results ---

SETUP = SAMPLE.partition('[Setup "')[2].partition('"]')[0]

TAGS = [
    ("no game at all", "", "record.tag", "no Game tag"),
    ("an unknown game", '[Game "Nonesuch"]\n', "record.tag", "Cardmate"),
    ("an unknown variant", '[Game "Cardmate"]\n[Variant "chess"]\n', "record.tag", "rank-content"),
    ("an unknown edition", '[Game "Cardmate"]\n[Edition "cardmate-1999"]\n', "record.tag", "cardmate-2000"),
    ("an unknown option", '[Game "Cardmate"]\n[Options "slow"]\n', "record.tag", "repetition=loss"),
    ("an option's unknown value", '[Game "Cardmate"]\n[Options "repetition=win"]\n', "record.tag", "repetition=loss"),
    ("an option of a game without", '[Game "Draughts"]\n[Options "slow"]\n', "record.tag", "'slow', expected none"),
    ("a Setup of nine ranks", f'[Game "Cardmate"]\n[Setup "{SETUP.partition("/ ")[2]}"]\n', "record.tag", "ten"),
    ("a Setup rank of nine squares", f'[Game "Cardmate"]\n[Setup "{SETUP[3:]}"]\n', "record.tag", "rank 9"),
    ("a Setup of words", '[Game "Cardmate"]\n[Setup "as usual"]\n', "record.tag", "ten"),
    ("an empty Setup", '[Game "Cardmate"]\n[Setup ""]\n', "record.tag", "ten"),
    (
        "a Setup with a card there is not",
        f'[Game "Cardmate"]\n[Setup "{SETUP.replace("1D", "0D")}"]\n',
        "record.tag",
        "0D on a2",
    ),
    (
        "a Setup that breaks its variant",
        f'[Game "Cardmate"]\n[Setup "{SETUP.replace("1D 2S", "2S 1D")}"]\n',
        "cardmate.setup",
        "a2",
    ),
    (
        "a Setup with a card twice",
        f'[Game "Cardmate"]\n[Variant "suit-content"]\n[Setup "{SETUP.replace("1D", "1H")}"]\n',
        "cardmate.setup",
        "1H",
    ),
    ("a variant without its Setup", '[Game "Cardmate"]\n[Variant "rank-setup"]\n', "cardmate.setup", "Setup"),
    ("a tag twice", '[Game "Cardmate"]\n[Site "a"]\n[Site "b"]\n', "record.tag", "Site"),
    ("a result for three", '[Game "Cardmate"]\n[Result "1-0-0"]\n', "record.result", "1-0-0"),
    ("a result that is none", '[Game "Cardmate"]\n[Result "White wins"]\n', "record.result", "White wins"),
    ("a result of more than the game", '[Game "Cardmate"]\n[Result "1-1"]\n', "record.result", "1-1"),
    ("a result divided by nothing", '[Game "Cardmate"]\n[Result "1/0-1"]\n', "record.result", "1/0"),
]


@pytest.mark.parametrize("title", ["Tarot duel", "Zarcana", "Arcanoid", "Tarot"])
def test_a_score_that_is_wrong_cites_a_rule_that_speaks_of_it(title: str) -> None:
    seats = "".join(f'[Seat{seat} "?"]\n' for seat in (1, 2, 3))
    [error] = [one for one in findings(f'[Game "{title}"]\n{seats}[Score "5:0:7"]\n\n*\n') if one.severity == "error"]
    assert error.key == ("tarot.settlement" if title == "Tarot" else "record.tag")
    assert "score" in error.rule.lower() or error.rule.endswith("and agrees with the moves."), error


@pytest.mark.parametrize(("why", "tags", "key", "says"), TAGS, ids=[row[0] for row in TAGS])
def test_a_fault_of_the_tags_is_one_error_at_its_tag(why: str, tags: str, key: str, says: str) -> None:
    text = f'{tags}[Event "Club"]\n\n1. 4Ci3 4Db6 *\n'
    errors = [finding for finding in findings(text) if finding.severity == "error"]
    assert [finding.key for finding in errors] == [key]
    assert says in errors[0].because
    assert errors[0].ply == 0
    name = tags.rstrip("\n").rpartition("\n")[2].partition(" ")[0]
    place = text.split("\n")[errors[0].line - 1]
    assert place.startswith(name if key == "record.tag" else "[")
    (record,) = loads(text)
    assert dumps(record).endswith("1. 4Ci3 4Db6 *\n")
    assert loads(dumps(record))[0].line.words == ("4Ci3", "4Db6")


RESULTS = [
    ("the tag against the calls", "1-0", "4Ci3 4Db6 Resign 0-1", "error"),
    ("the movetext against the calls", "0-1", "4Ci3 4Db6 Resign 1-0", "error"),
    ("the tag against the movetext", "1-0", "4Ci3 4Db6 0-1", "error"),
    ("an unfinished tag on a finished game", "*", "4Ci3 4Db6 Resign 0-1", "remark"),
    ("no result at all", "", "4Ci3 4Db6", "remark"),
]


@pytest.mark.parametrize(("why", "tag", "moves", "severity"), RESULTS, ids=[row[0] for row in RESULTS])
def test_a_result_that_contradicts_the_game_is_found(why: str, tag: str, moves: str, severity: str) -> None:
    tags = f'[Game "Cardmate"]\n[Result "{tag}"]\n' if tag else '[Game "Cardmate"]\n'
    found = findings(f"{tags}\n{moves}\n")
    assert [(finding.key, finding.severity) for finding in found] == [("record.result", severity)]


# --- moves ---

WORDS = [
    ("a word that is none", "4Ci3 Hello", "cgn.syntax", 2, 1),
    ("a card there is not", "4Ci3 0Db6", "cgn.syntax", 2, 1),
    ("a square there is not", "4Ci3 4Dk6", "cgn.syntax", 2, 3),
    ("letters behind the move", "4Ci3 4Db6zz", "cgn.syntax", 2, 5),
    ("a word cut short", "4Ci3 4D", "cgn.syntax", 2, 2),
    ("a stray brace", "4Ci3 } 4Db6", "cgn.syntax", 2, 1),
    ("a stray bracket", "4Ci3 [x 4Db6", "cgn.syntax", 2, 1),
    ("a seat there is not", "4Ci3 p3/4Db6", "cgn.syntax", 2, 1),
]


@pytest.mark.parametrize(("why", "moves", "key", "ply", "column"), WORDS, ids=[row[0] for row in WORDS])
def test_a_word_no_game_has_is_an_error_inside_the_word(why: str, moves: str, key: str, ply: int, column: int) -> None:
    text = f"{GAME}{moves} 8Dj2 {{the tail}} *\n"
    (found,) = findings(text)
    assert (found.key, found.severity, found.ply, found.line) == (key, "error", ply, 3)
    start = len("4Ci3 ") + 1
    word = moves.split()[1]
    assert start <= found.column < start + len(word)
    if key == "cgn.syntax":
        assert found.column == start + column - 1
        assert "expected" in found.because
    (record,) = loads(text)
    assert examine(record).report.verdict == "unreadable"
    assert "8Dj2 {the tail} *" in dumps(canonical(record))
    with pytest.raises(NotationError) as caught:
        list(replay(record, strict=True))
    assert (caught.value.line, caught.value.column) == (3, found.column)


@pytest.mark.parametrize(
    ("title", "word", "column", "says"),
    [
        ("Cardmate", "p2/4Dk6", 6, "found k6 in p2/4Dk6, expected a square from a0 to j9, or : and a square"),
        ("Tarot", "p0/p2*7C,8Z", 10, "found 8Z in p0/p2*7C,8Z, expected the cards dealt, each a card such as"),
        ("Cardmate", "p0/4Ci3", 1, "found p0 in p0/4Ci3, expected a seat of this game: p1 or p2"),
        ("Cardmate", "p3/4Ci3", 1, "found p3 in p3/4Ci3, expected a seat of this game: p1 or p2"),
        ("Tarot", "p5/Pass", 1, "found p5 in p5/Pass, expected p0, the table, or a seat p1 to p4"),
        ("Cardmate", "p2/", 3, "found the end of p2/, expected a word after p2/"),
    ],
)
def test_a_word_that_cannot_be_read_is_quoted_with_its_prefix(title: str, word: str, column: int, says: str) -> None:
    [error] = findings(f'[Game "{title}"]\n\n{word} *\n')
    assert error.because.startswith(says)
    assert (error.line, error.column) == (3, column)


def test_a_refused_move_is_reported_and_the_rest_is_read_on() -> None:
    found = findings(GAME + "4Ci3 4Db6 4Ci5 8Ca7 8Dj2 *")
    assert [(finding.ply, finding.key, finding.column) for finding in found if finding.severity == "error"] == [
        (3, "cardmate.reach", 11)
    ]


def test_other_games_are_judged_whatever_their_neighbours_are() -> None:
    broken = ['[Game "Cardmate\n', GAME + "4Ci3 {", GAME + "(((", '[Game "?"]\n\n4Ci3 *', GAME + "Hello"]
    broken += [GAME + "4Ci3 \0", GAME + "4Ci3 1-0 4Db6 (", GAME + "[", GAME + "}", GAME + "%"]
    text = "".join(game + INTACT + "\n\n" for game in broken)
    verdicts = [examine(record).report.verdict for record in loads(text) if record.tag("Round") == "intact"]
    assert verdicts == ["legal"] * len(broken)


@pytest.mark.parametrize("junk", ["\0", "(", ")", "}", "{", "[", "[[", '"', "%", "% CGN 1.0", "$", ";", "*", "Hello"])
def test_junk_before_the_first_game_leaves_it_whole(junk: str) -> None:
    last = loads(junk + INTACT)[-1]
    assert last.tags == (("Game", "Cardmate"), ("Round", "intact"))
    assert examine(last).report.verdict == "legal"
