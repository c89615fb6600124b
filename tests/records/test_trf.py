"""Tournament reports: read and written, in round trips; and what is wrong in one is named with line and column."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cartulary.records.exchange.trf import (
    RoundEntry,
    Tournament,
    TournamentPlayer,
    is_tournament,
    points_of,
    read_tournament,
    write_tournament,
)
from cartulary.records.faults import Unfit
from tests.hunts import budget

#     1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890
OPEN = """\
012 Spring open
022 Dijon
032 FRA
042 2026/11/27
052 2026/11/28
062 5
092 Individual: Swiss-System
102 Umpire, Cleo
122 90 min + 30 s
132                                                                                        26/11/27  26/11/28
XXR 5
001    1 m GM Dupont, Anne                      2512 FRA      600001 1990/02/01  2.0    1     2 w 1     3 b 1
001    2 w    Müller, Bea                       2105 GER                         0.0    5     1 b 0     4 w -
001    3      Cy                                                                 0.5    4  0000 - H     1 w 0
001    4      Di                                                                 2.0    2     5 w +     2 b +
001    5      Éva                                                                1.0    3     4 b -  0000 - U
"""


def problem(text: str | bytes) -> str:
    with pytest.raises(Unfit) as caught:
        read_tournament(text.encode() if isinstance(text, str) else text)
    return str(caught.value)


def changed(old: str, new: str) -> str:
    assert OPEN.count(old) == 1, old
    return OPEN.replace(old, new)


def test_a_report_is_read_as_the_standard_says() -> None:
    tournament = read_tournament(OPEN.encode())
    assert (tournament.title, tournament.place, tournament.rounds) == ("Spring open", "Dijon", 5)
    assert (tournament.first_day, tournament.last_day) == ("2026.11.27", "2026.11.28")
    assert tournament.days == ("2026.11.27", "2026.11.28")
    assert tournament.lines == ("032 FRA", "092 Individual: Swiss-System", "102 Umpire, Cleo", "122 90 min + 30 s")
    assert tournament.remarks == ()
    anne, bea, cy, di, eva = tournament.players
    assert anne == TournamentPlayer(
        1, "Dupont, Anne", (RoundEntry(2, "w", "1"), RoundEntry(3, "b", "1")), "2.0", 1,
        "m", "GM", "2512", "FRA", "600001", "1990/02/01", 12,
    )  # fmt: skip
    assert (bea.name, cy.rounds[0], di.rounds[0]) == ("Müller, Bea", RoundEntry(0, "-", "H"), RoundEntry(5, "w", "+"))
    assert [float(points_of(each.rounds)) for each in tournament.players] == [2, 0, 0.5, 2, 1]
    assert eva.rounds[1] == RoundEntry(0, "-", "U")


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_line_ends_and_byte_order_marks_make_no_difference(ends: str, encoding: str) -> None:
    data = OPEN.replace("\n", ends).encode(encoding)
    assert is_tournament(data)
    assert read_tournament(data) == read_tournament(OPEN.encode())


def test_an_older_encoding_is_read_with_a_remark() -> None:
    tournament = read_tournament(OPEN.encode("latin-1"))
    assert tournament.players == read_tournament(OPEN.encode()).players
    assert tournament.remarks == ("The file is not UTF-8, so it was read as Windows-1252.",)


@pytest.mark.parametrize(
    ("data", "is_one"),
    [
        (OPEN.encode(), True),
        (b"XXR 9\r001    1      Ann" + b" " * 61 + b"0.0    1\r", True),
        (b"DDD SSSS sTTT NNNNN\n001    1      Ann\n", True),
        (b'[Event "001 Spring"]\n\n1. e4 e5 *\n', False),
        (b"1. e4 e5 2. 001 *\n", False),
        (b"game;player;points\n", False),
        (b"", False),
    ],
)
def test_a_report_is_known_by_how_it_begins(data: bytes, is_one: bool) -> None:
    assert is_tournament(data) is is_one


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("2.0    1     2 w 1     3 b 1", "", "Line 12, column 80: found the end of the line, expected the player"),
        (
            "  1     2 w 1     3 b 1",
            "  1     2 w 1     9 b 1",
            "Line 12, column 102: found the opponent 9, expected a st",
        ),
        ("  1     2 w 1     3 b 1", "  1     2 w 1     1 b 1", "Line 12, column 102: found 1, the player's own number"),
        ("  1     2 w 1     3 b 1", "  1     2 w 1     4 b 1", "but line 15 has the opponent 2 in round 2"),
        (
            "  1     2 w 1     3 b 1",
            "  1     2 w 1     3 w 1",
            "Line 12, column 107: found w, and line 14 has it too in",
        ),
        (
            "  1     2 w 1     3 b 1",
            "  1     2 w 1     3 b =",
            "column 109: found the result =, and line 14 has 0, expect",
        ),
        ("  1     2 w 1     3 b 1", "  1     2 w 1     3 b", "column 109: found the result blank, and line 14 has 0"),
        ("  1     2 w 1     3 b 1", "  1     2 w 1     3 - 1", "Line 12, column 107: found no colour, expected w or b"),
        (
            "  1     2 w 1     3 b 1",
            "  1     2 w 1     3 b X",
            "Line 12, column 109: found 'X', expected one of: 1 0 =",
        ),
        ("  1     2 w 1     3 b 1", "  1     2 w 1     3 x 1", "Line 12, column 107: found 'x', expected w, b or -"),
        (
            "  1     2 w 1     3 b 1",
            "  1     2 w 1     3 b H",
            "Line 12, column 109: found H, a bye, against 3, expect",
        ),
        (
            "  1     2 w 1     3 b 1",
            "  1     2 w 1    3 b 1",
            "Line 12, column 106: found 'b', expected a blank betwee",
        ),
        (
            "  1     2 w 1     3 b 1",
            "  1     2 w 1     a b 1",
            "Line 12, column 102: found 'a', expected the number of",
        ),
        ("0000 - U", "0000 w U", "Line 16, column 102: found no opponent, expected the number of one, or a"),
        ("0000 - U", "0000 - 1", "Line 16, column 102: found no opponent"),
        ("001    5 ", "001    3 ", "Line 16, column 5: found 3, which line 14 has too"),
        (
            "001    5 ",
            "001    7 ",
            "Line 16, column 5: found 7, but no line has the start number 5, expected all",
        ),
        ("001    5 ", "001      ", "Line 16, column 5: found nothing, expected a start number from 1"),
        ("001    5 ", "001    x ", "Line 16, column 5: found 'x', expected a start number in columns 5 to 8"),
        ("Éva", "   ", "Line 16, column 15: found nothing, expected a name"),
        ("Éva       ", "Éva" + "x" * 33, "Line 16, column 48: found 'x', expected a blank, because a name has at"),
        ("1.0    3", "1.7    3", "Line 16, column 81: found '1.7', expected points such as 2.5"),
        ("XXR 5", "XXR five", "Line 11, column 5: found 'five', expected the number of rounds"),
        ("012 Spring open", "", "no line 012 with the name of the tournament"),
        ("022 Dijon", "012 Another", "Line 2, column 1: found a second line 012"),
        ("GM Dupont", "GM\tDupont", "Line 12, column 14: found a tab, expected blanks"),
    ],
)
def test_what_is_wrong_in_a_report_is_named_with_its_place(old: str, new: str, because: str) -> None:
    assert because in problem(changed(old, new))


def test_a_report_without_players_is_none() -> None:
    assert "names no player" in problem("012 Spring open\n")


@pytest.mark.parametrize(
    ("old", "new", "remark"),
    [
        ("2.0    1", "2.5    1", "Line 12, column 81: the points of Dupont, Anne are 2.5, but the rounds give 2.0"),
        ("042 2026/11/27", "042 soon", "Line 4: 'soon' is not one day, such as 2026/11/27"),
        ("26/11/28", "26/13/28", "Line 10: '26/13/28' is not one day"),
        ("032 FRA", "BBW 3.0", "Line 3: points are counted 1, 1/2 and 0 here, so the line BBW is left out."),
        ("032 FRA", "013 Team one   1  2", "Line 3: the line 013 is left out"),
    ],
)
def test_what_is_read_otherwise_is_a_remark(old: str, new: str, remark: str) -> None:
    old = old if old != "26/11/28" else "26/11/27  26/11/28"
    new = new if old != "26/11/27  26/11/28" else "26/11/27  26/13/28"
    [found] = read_tournament(changed(old, new).encode()).remarks
    assert found.startswith(remark)


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("26/11/27", "2026.11.27"),
        ("28. 07. 2005", "2005.07.28"),
        ("Jun 26, 2020", "2020.06.26"),
        ("24/09/2010", "2010.09.24"),
        ("02/10/2010", ""),
        ("2010/09", ""),
    ],
)
def test_days_are_read_as_other_programs_write_them(written: str, day: str) -> None:
    tournament = read_tournament(changed("042 2026/11/27", f"042 {written}").encode())
    assert (tournament.first_day, bool(tournament.remarks)) == (day, not day)


def test_columns_that_are_counted_in_bytes_are_read_with_a_remark() -> None:
    names = ("Müller, Bea ", "Éva ")
    text = OPEN
    for name in names:
        text = text.replace(name, name[:-1])
    tournament = read_tournament(text.encode())
    assert tournament.players == read_tournament(OPEN.encode()).players
    assert tournament.remarks == (
        "Line 13: its columns are counted in bytes, and were read so.",
        "Line 16: its columns are counted in bytes, and were read so.",
    )


def test_byes_are_read_in_every_spelling() -> None:
    for spelling, result in (("0000 - =", "H"), ("0000 - +", "U"), ("0000 - -", "Z"), ("        ", ""), ("0000 -", "")):
        text = changed("0000 - H     1 w 0", f"{spelling:8}     1 w 0")
        assert read_tournament(text.encode()).players[2].rounds[0] == RoundEntry(0, "-", result)


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ({"name": "N" * 34}, "33 columns for the name"),
        ({"rating": "12345"}, "4 columns for the rating, but that of Ann is '12345'"),
        ({"points": "100.0"}, "4 columns for the points"),
        ({"fide_id": "1" * 12}, "11 columns for the FIDE number"),
    ],
)
def test_what_is_too_long_for_its_columns_is_not_written(changes: dict[str, Any], because: str) -> None:
    player = replace(TournamentPlayer(1, "Ann"), **changes)
    with pytest.raises(Unfit, match=because):
        write_tournament(Tournament("Spring", (player,)))


# --- round trips ---

LETTERS = "abcdeéÜßœ王ł ,.-'"
NAMES = st.text(LETTERS, min_size=1, max_size=33).map(str.strip).filter(bool)
PAIRS = [("1", "0"), ("0", "1"), ("=", "="), ("+", "-"), ("-", "+"), ("-", "-"), ("W", "L"), ("D", "D"), ("0", "0")]


@st.composite
def tournaments(draw: Any) -> Tournament:
    size, played = draw(st.integers(1, 9)), draw(st.integers(0, 5))
    rounds: list[list[RoundEntry]] = [[] for _ in range(size)]
    for _ in range(played):
        order = draw(st.permutations(range(size)))
        at = dict.fromkeys(range(size), RoundEntry())
        for white, black in zip(order[::2], order[1::2], strict=False):
            if draw(st.booleans()):
                here, there = draw(st.sampled_from(PAIRS))
                at[white], at[black] = RoundEntry(black + 1, "w", here), RoundEntry(white + 1, "b", there)
        for player, entry in at.items():
            bye = entry if entry.opponent else RoundEntry(0, "-", draw(st.sampled_from("HFUZ")))
            rounds[player].append(bye)
    digits = st.text("0123456789", max_size=4)
    players = [
        TournamentPlayer(
            number=number,
            name=draw(NAMES),
            rounds=tuple(entries),
            points=f"{float(points_of(entries)):.1f}",
            rank=draw(st.integers(0, 9999)),
            sex=draw(st.sampled_from(["", "m", "w"])),
            title=draw(st.sampled_from(["", "GM", "WIM", "CM"])),
            rating=draw(digits),
            federation=draw(st.sampled_from(["", "FRA", "GER"])),
            fide_id=draw(digits),
            birth=draw(st.sampled_from(["", "1990/02/01", "1990"])),
        )
        for number, entries in enumerate(rounds, 1)
    ]
    days = tuple(draw(st.sampled_from(["2026.11.27", "2026.02.28", ""])) for _ in range(played))
    return Tournament(
        title=draw(NAMES),
        players=tuple(players),
        place=draw(st.one_of(st.just(""), NAMES)),
        first_day=draw(st.sampled_from(["", "2026.11.27"])),
        last_day=draw(st.sampled_from(["", "2027.01.02"])),
        days=days if any(days) and days[-1] else (),
        rounds=draw(st.integers(0, 99)),
        game=draw(st.sampled_from(["", "Draughts"])),
        lines=draw(st.sampled_from([(), ("032 FRA", "102 Umpire, Cleo", "XXC white1")])),
    )


@budget(100)
@given(tournaments())
def test_what_is_written_is_read_again_as_it_was(tournament: Tournament) -> None:
    text = write_tournament(tournament)
    assert is_tournament(text.encode())
    again = read_tournament(text.encode())
    assert replace(again, players=tuple(replace(each, line=0) for each in again.players)) == tournament
    assert write_tournament(again) == text


@budget(100)
@given(st.text("01 =+-wbHUZ\n\r\t2é.X", max_size=400), st.integers(0, 900))
def test_any_other_text_is_refused_by_a_sentence_or_read(text: str, at: int) -> None:
    faults = []
    try:
        read_tournament((OPEN[:at] + text + OPEN[at:]).encode())
    except Unfit as fault:
        faults.append(str(fault))
    assert all(fault.endswith(".") for fault in faults)
