"""Canonical text: one spelling, nothing lost, and the examples of docs/notation.md are of it."""

import re
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.engine import Sheet, cardmate, legal_moves
from cartulary.notation import (
    Line,
    NotationError,
    Note,
    Record,
    canonical,
    dumps,
    examine,
    find_game,
    loads,
)
from cartulary.notation.arbiter.replay import write_word
from tests.hunts import budget, looks
from tests.notation.strategies import Scribe, files, results, shape, shape_of_line
from tests.places import DOCS, SAMPLES

SPECIFICATION = (DOCS / "notation.md").read_text(encoding="utf-8")
GAMES = sorted(SAMPLES.rglob("*.cgn"))
FIRST = ("Game", "Event", "Site", "Date", "Round")


def blocks() -> list[str]:
    """Return the specification's indented blocks that are files, without their indentation."""
    runs = re.findall(r"(?:^    .*\n|^\n)+", SPECIFICATION, re.MULTILINE)
    texts = [re.sub(r"^    ", "", run, flags=re.MULTILINE).strip("\n") + "\n" for run in runs]
    return [text for text in texts if text.startswith("% CGN")]


def place_of_tag(name: str, game: str) -> tuple[int, int, str]:
    """Return where the specification puts a tag; said again here, so that the writer does not judge itself."""
    if name in FIRST:
        return 0, FIRST.index(name), ""
    if name in ("Forehand", "Rearhand") and game == "Cardmate":
        return 1, 0, name
    if re.fullmatch(r"Seat[0-9]+", name):
        return 1, int(name[4:]), ""
    return (2, 0, "") if name == "Result" else (3, 0, name)


@budget(60)
@given(files())
def test_what_is_written_reads_back_as_the_same_value(games: list[Record]) -> None:
    read = loads(dumps(*games), strict=True)
    assert [record.line.words for record in read] == [game.line.words for game in games]
    for record, game in zip(read, games, strict=True):
        tags = tuple(sorted(game.tags, key=lambda pair: place_of_tag(pair[0], game.tag("Game"))))
        assert shape(record) == (tags, game.escapes, shape_of_line(game.line))


@budget(60)
@given(files(result=st.just("") | results()), st.integers(0, 2**32))
def test_writing_is_a_fixed_point_byte_for_byte(games: list[Record], seed: int) -> None:
    once = dumps(*loads(Scribe(seed).file(games)))
    assert dumps(*loads(once)) == once


@budget(40)
@given(files())
def test_the_layout_is_the_one_the_specification_gives(games: list[Record]) -> None:
    text = dumps(*games)
    assert text.startswith("% CGN 1.0\n")
    assert text.endswith("\n")
    assert "\r" not in text
    for record in loads(text):
        movetext = record.source.text[record.source.body :].rstrip("\n").split("\n")
        for line, after in pairwise([*movetext, ""]):
            assert len(line) <= 80 or " " not in line or "; " in line
            if after and not line.rpartition(";")[1]:
                assert len(f"{line} {after.split(' ')[0]}") > 80 or after.startswith(";")


def test_the_examples_of_the_specification_are_canonical_and_as_they_say() -> None:
    assert len(blocks()) == 4
    for text in blocks():
        assert dumps(*map(canonical, loads(text, strict=True))) == text
        verdict = "unjudged" if '[Rules "none"]' in text else "legal"
        assert {examine(record).report.verdict for record in loads(text)} == {verdict}


ROWS = [
    ("18.8D:j7?? 7Dh8!", "18. 8D:j7?? 7Dh8! *"),
    ("18. {so} 8D:j7 {why} 7Dh8", "{so} 18. 8D:j7 {why} 7Dh8 *"),
    ("18. 8D:j7 {why} 18... 7Dh8", "18. 8D:j7 {why} 18... 7Dh8 *"),
    ("18. 8D:j7 18... 7Dh8 19... 8Df3", "18. 8D:j7 7Dh8 8Df3 *"),
    ("18... 7Dh8", "18... 7Dh8 *"),
    ("4Ci3 $14 $1", "4Ci3 $14 $1 *"),
    ("4Ci3 $3 $2 $0", "4Ci3!! $2 $0 *"),
    ("4Ci3 {a} ! {b}", "4Ci3! {a} {b} *"),
    ("4Ci3 ; brace } here\n4Db6", "4Ci3 ; brace } here\n4Db6 *"),
    ("4Ci3 ; none here\n4Db6", "4Ci3 {none here} 4Db6 *"),
    ("4Ci3 {} ;\n {\n} 4Db6", "4Ci3 4Db6 *"),
    ("4Ci3 (4Ca2 ; a } b\n) 4Db6", "4Ci3 (4Ca2 ; a } b\n) 4Db6 *"),
    ("4Ci3 (; a } b\n4Ca2) 4Db6", "4Ci3 ( ; a } b\n4Ca2) 4Db6 *"),
    ("4Ci3 1-0 {end} (4Ca2)", "4Ci3 {end} (4Ca2) 1-0"),
    ("4Ci3. 1-0.", "4Ci3 1-0"),
    ("4Ci3 (4Ca2 0-1) *", "4Ci3 (4Ca2 0-1) *"),
    ("4Ci3 1-0 and more (text", "4Ci3 1-0\nand more (text"),
    ("1. 4Ci3 1.6 4Db6", "1. 4Ci3 1.6 4Db6 *"),
    ("1. 4Ci3 1...6! {a} 2.1.6", "1. 4Ci3 6! {a} 2.1.6 *"),
    ("4Ci3 (1.7 4Ca2) 3.%a%b 2. 5! %c", "4Ci3 (1.7 4Ca2) 3.%a%b 2. 5! %c *"),
]


@pytest.mark.parametrize(("written", "wanted"), ROWS)
def test_movetext_has_one_spelling(written: str, wanted: str) -> None:
    assert dumps(*loads(f'[Game "Cardmate"]\n\n{written}\n')) == f'% CGN 1.0\n[Game "Cardmate"]\n\n{wanted}\n'


def test_a_word_that_looks_like_a_number_stays_a_word() -> None:
    [record] = loads('[Game "Cardmate"]\n\n1. 4Ci3 1.6 4Db6 *\n')
    [again] = loads(dumps(canonical(record)))
    assert again.line.words == record.line.words == ("4Ci3", "6", "4Db6")
    assert examine(again).report.verdict == examine(record).report.verdict == "unreadable"


def mangled(random: Random, text: str) -> str:
    """Return a file with signs of its movetext put in, left out and changed, and pieces of it doubled."""
    body, signs = text.index("\n\n"), list(text)
    for _ in range(random.randint(1, 4)):
        at, how = random.randrange(body, len(signs)), random.random()
        sign = random.choice("0123456789.*-!?{}();$% \n[]~1.1.")
        if how < 0.4:
            signs[at:at] = sign
        elif how < 0.8:
            signs[at : at + 1] = sign if how < 0.6 else ""
        else:
            there = random.randrange(body, len(signs))
            signs[there:there] = signs[at : at + random.randint(1, 12)]
    return "".join(signs)


@pytest.mark.hunt
def test_a_mangled_file_keeps_its_words_and_has_one_spelling() -> None:
    random = Random("mangled files")
    texts = [path.read_text("utf-8") for path in GAMES if path.stat().st_size < 4000]
    for _ in range(looks(600)):
        text = mangled(random, random.choice(texts))
        read = loads(text)
        written = dumps(*read)
        assert [one.line.words for one in loads(written)] == [one.line.words for one in read], text
        assert dumps(*loads(written)) == written, text
        spelled = dumps(*map(canonical, read))
        assert dumps(*map(canonical, loads(spelled))) == spelled, text


def test_tags_stand_in_their_order_and_pairs_of_one_name_in_theirs() -> None:
    names = ("Zebra", "Annotator", "Result", "Seat10", "Seat2", "Round", "Date", "Site", "Event", "Game")
    text = "".join(f'[{name} "{name}"]\n' for name in (*names, "Zebra"))
    written = re.findall(r"^\[(\w+)", dumps(*loads(text)), re.MULTILINE)
    assert written == [*reversed(names[3:]), "Result", "Annotator", "Zebra", "Zebra"]


def test_a_command_is_never_the_reason_for_a_line_of_more_than_80_columns() -> None:
    words = " ".join(f"4Ci3 {{left [%clk 0:{number:02}:00]}}" for number in range(60))
    lines = dumps(*loads(f'[Game "Cardmate"]\n\n{words}\n')).split("\n")
    assert max(map(len, lines)) <= 80


def test_two_files_laid_end_to_end_are_one_file() -> None:
    one = dumps(*loads('[Game "Cardmate"]\n\n4Ci3 1-0\n'))
    assert dumps(*loads(one + one)) == dumps(*loads(one), *loads(one))
    assert dumps(*loads(one + one)).count("% CGN 1.0") == 1


def test_a_file_without_games_stays_without_games() -> None:
    assert loads(dumps()) == []
    assert loads("\n \n") == []


def test_a_value_that_no_text_can_hold_is_refused_in_a_sentence() -> None:
    line = Line(("4Ci3",), result="*")
    with pytest.raises(NotationError, match="line break"):
        dumps(Record((("Site", "one\ntwo"),), line))
    with pytest.raises(NotationError, match="second line"):
        dumps(Record((), Line(("4Ci3",), {1: Note((), ("a } b\nc",))})))


@pytest.mark.parametrize("comment", ["", "  ", "a\nb", " a  b "])
def test_an_unread_comment_is_written_as_it_would_be_read(comment: str) -> None:
    text = dumps(Record((), Line(("4Ci3",), {1: Note((), (comment,))}, result="*")))
    wanted = f"{{{' '.join(comment.split())}}} " if comment.strip() else ""
    assert text == f"% CGN 1.0\n\n4Ci3 {wanted}*\n"


# --- words in their one spelling ---


def played(seed: int, plies: int) -> list[str]:
    """Return the canonical words of a random legal game."""
    random, game = Random(seed), find_game("cardmate")
    started = cardmate.setup(Sheet("predefined", {}, 2))
    assert isinstance(started, cardmate.State)
    state, words = started, []
    for _ in range(plies):
        moves = list(legal_moves(game, state))
        if not moves:
            break
        move = random.choice(moves)
        words.append(write_word(game, move, state))
        state = cardmate.apply(state, move)
    return words


def misspelled(word: str, ply: int, random: Random) -> str:
    """Return another spelling a reader accepts for the word of that ply."""
    spellings = [word.replace("×", "x"), word.replace(":", ""), re.sub("[+×#]", "", word), word + ".", word]
    spellings += [f"p{2 - ply % 2}/{word}", word if ":" in word else re.sub(r"(?=[a-j][0-9])", ":", word, count=1)]
    return random.choice(spellings)


@pytest.mark.hunt
@pytest.mark.parametrize("seed", range(looks(6)))
def test_a_game_written_carelessly_becomes_the_game_written_well(seed: int) -> None:
    random, words = Random(seed), played(seed, 120)
    careless = " ".join(misspelled(word, ply, random) for ply, word in enumerate(words, 1))
    record = loads(f'[Game "cardmate"]\n\n{careless}\n', strict=True)[0]
    spelled = canonical(record)
    assert spelled.line.words == tuple(words)
    assert {finding.severity for finding in examine(record).report.findings} <= {"remark"}
    text = dumps(spelled)
    assert dumps(*map(canonical, loads(text, strict=True))) == text
    assert examine(loads(text)[0]).report.findings == ()
