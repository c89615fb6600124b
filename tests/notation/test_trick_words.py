"""Words of the trick games that cannot be read, and words as people type them."""

import re

import pytest

from cartulary.engine.calls import NO_CALLS
from cartulary.engine.contract import Sheet
from cartulary.notation import examine, find_game, loads
from cartulary.notation.arbiter.typed import read_typed
from cartulary.testing import tables
from tests.places import DOCS

PASSES = "~,~,~>p2 ~,~,~>p3 ~,~,~>p4 ~,~,~>p1"


@pytest.mark.parametrize(
    ("game", "words", "because"),
    [
        ("Spades", "Bid=", "found the end of Bid=, expected a bid, Nil, BlindNil or 1 to 13"),
        ("Spades", "Bid", "found the end of Bid, expected = and a bid, Nil, BlindNil or 1 to 13"),
        ("Spades", "zq", "found zq, expected a bid, Nil, BlindNil or 1 to 13"),
        ("Spades", "TC", "did you mean XC? Found TC, expected a bid, Nil, BlindNil or 1 to 13"),
        ("Spades", "Bid=4 Bid=3 Bid=2 Bid=1 TC", "did you mean XC? Found TC, expected a card such as XH"),
        (
            "Spades",
            "Bid=4 Bid=3 Bid=2 Bid=1 9C,XC",
            "found ,XC in 9C,XC, expected one card, as each card is a word of its own",
        ),
        ("Hearts", "3C,4C,5C", "found the end of 3C,4C,5C, expected > and the seat they are passed to, such as >p2"),
        ("Hearts", ">p2", "found >p2, expected the cards that are passed before >"),
        (
            "Hearts",
            "Bid=3",
            "found Bid=3, expected 3 cards passed to the left, or ~,~,~ for unseen ones; nothing is bid in this game",
        ),
        ("Hearts", f"{PASSES} p1/TC", "did you mean p1/XC? Found TC in p1/TC, expected a card such as XH"),
        ("Whist", "^10C", "did you mean p0/^XC? Found ^10C, expected p0/ before what the table writes, p0/^10C"),
        ("Whist", "p0/^10C", "did you mean p0/^XC? Found 10C in p0/^10C, expected a card such as XH"),
        ("Whist", "zq", "found zq, expected the card turned up, p0/^ and the card"),
    ],
)
def test_a_word_that_cannot_be_read_is_told_what_was_expected(game: str, words: str, because: str) -> None:
    [record] = loads(tables.sheet(game, {}, words))
    [fault] = [each for each in examine(record).report.findings if each.severity == "error"]
    assert (fault.key, fault.because) == ("cgn.syntax", because)


@pytest.mark.parametrize(
    ("key", "typed", "words"),
    [
        ("spades", "4 3 nil 5 9c K 2 tc", "Bid=4 Bid=3 Bid=Nil Bid=5 9C KC 2C XC"),
        ("spades", "4 p2/3 bid2 bid=13 10c", "Bid=4 Bid=3 Bid=2 Bid=13 XC"),
        ("oh-hell", "^qh 0 10 1 2 tc", "p0/^QH Bid=0 Bid=10 Bid=1 Bid=2 XC"),
        ("whist", "^10h 1 as 2 3 4 2 ks", "p0/^XH AS 2S 3S 4S KS"),
        ("hearts", "1 2c,3c,tc>p2", "2C,3C,XC>p2"),
    ],
)
def test_a_typed_word_may_be_a_bare_number_where_a_bid_is_due(key: str, typed: str, words: str) -> None:
    game = find_game(key)
    state = game.rules.setup(Sheet("standard", {}, 4))
    read = read_typed(game, state, NO_CALLS, 4, typed)
    assert read.fault is None
    assert " ".join(read.words) == words


BEFORE = {
    "`QS`": "p0/^4D",
    "`~`": "p0/^4D",
    "`p1/2C`": PASSES,
    "`p3/~,~,~>p4`": "",
}
"""The words before a word of the table in docs/notation.md, where it is not the first of a record."""


def test_the_words_that_the_notation_lists_are_legal_and_canonical() -> None:
    section = (DOCS / "notation.md").read_text("utf-8").partition("## 21. ")[2]
    rows = re.findall(r"^\| (`\S+`) \| (\w+) \|", section, re.MULTILINE)
    assert len(rows) == 10
    for word, game in rows:
        [record] = loads(tables.sheet(game, {}, f"{BEFORE.get(word, '')} {word.strip('`')}"))
        examined = examine(record)
        assert [each for each in examined.report.findings if each.severity != "undecided" and each.ply] == [], word
        assert examined.words == record.line.words
