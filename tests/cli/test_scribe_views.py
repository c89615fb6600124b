"""What the scribe is shown: the verdict while a line is typed, completions, long answers, and the page that fits."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from cartulary.cli.scribe.line import VERBS
from cartulary.cli.scribe.page import Page, lay_out, text_rows
from cartulary.cli.scribe.scribe import LineAnswer, Scribe
from cartulary.cli.scribe.view import help_lines, offers
from cartulary.cli.shell.positions import heading
from cartulary.notation.picture import Span
from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.faults import Unfit, UnknownGame
from cartulary.records.log.store import Store
from cartulary.records.table.sayings import last_line
from tests.cli import scribe_tables
from tests.cli.scribe_tables import ONE_OF_EACH, named, stored, told
from tests.places import SAMPLES

PAGE = SAMPLES / "cardmate" / "games" / "page-1.cgn"
OPEN = SAMPLES / "tarot" / "games" / "dementlieu-open.cgn"
REVOKE = SAMPLES / "tarot" / "games" / "table-revoke.cgn"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as opened:
        yield opened


@pytest.fixture
def scribe(store: Store) -> Scribe:
    scribe_tables.lay_out(store, PAGE, "evening")
    return Scribe(store, "evening")


# --- while typing ---


@pytest.mark.parametrize(
    ("text", "says", "kind"),
    [
        ("", "Zillions of Games (p1) to move, 38 legal moves", ""),
        ("1.", "Zillions of Games (p1) to move, 38 legal moves", ""),
        ("4Ci3", "legal", "legal"),
        ("4Ci3 4Db6", "2 words, legal", "legal"),
        ("1. 4C+i3", "unreadable at column 6", "error"),
        ("8D", "unreadable at column 2: found the end of 8D, expected a square", "error"),
        ("8He5", "refused, cardmate.reach: 8H on b0 does not reach e5", "error"),
        ("4Ci3 8He5", "8He5: refused, ", "error"),
        ("quit", "leave; everything you wrote is stored", ""),
        ("stands", "no refused move is waiting", ""),
        ("note x", "comments on the game", ""),
    ],
)
def test_the_verdict_on_a_line_says_what_enter_would_come_to(scribe: Scribe, text: str, says: str, kind: str) -> None:
    verdict = scribe.verdict(text)
    assert verdict[0].startswith(says)
    assert verdict[1] == kind
    assert scribe.store.head("evening") == scribe.game.head


def test_an_undecided_word_names_what_it_depends_on_and_a_proof_names_the_ply(store: Store) -> None:
    words = scribe_tables.lay_out(store, REVOKE, "g", 16)
    scribe = Scribe(store, "g")
    assert scribe.verdict(words[16]) == (
        "cannot be known yet: cards are hidden; South, Carl may have held 1S–6S, 8S, 9S, XS, NS or QS"
        " (tarot.follow-suit)",
        "undecided",
    )
    assert ": cannot be known yet" in told(scribe.enter(words[16]))
    scribe.enter(" ".join(words[17:39]))
    assert "; proves that ply 17, T03, broke tarot.follow-suit" in scribe.verdict(words[39])[0]
    assert "ply 17, T03: error tarot.follow-suit" in told(scribe.enter(words[39]))


def test_a_mark_left_out_is_read_and_the_one_spelling_told(store: Store) -> None:
    words = scribe_tables.lay_out(store, PAGE, "g", 14)
    scribe = Scribe(store, "g")
    assert words[14] == "9H:c5"
    assert scribe.verdict("9Hc5") == ("legal, will be written as 9H:c5", "legal")
    assert told(scribe.enter("9Hc5")) == "ply 15, 9H:c5: legal\n"


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=named)
def test_every_verdict_told_beforehand_is_the_one_that_is_written(store: Store, path: Path) -> None:
    words = scribe_tables.lay_out(store, path, "g")
    scribe = Scribe(store, "g")
    for word in words:
        verdict, kind = scribe.verdict(word)
        answer = scribe.enter(word)
        if not answer.done:
            assert (kind, verdict.split()[0]) == ("error", "refused")
            answer = scribe.enter("stands")
        first = answer.lines[0].rpartition(": ")[2]
        assert first == {"error": "refused but let stand", "undecided": "cannot be known yet"}.get(kind, kind)
    assert stored(store, "g") == words


def test_completion_offers_the_legal_moves_of_the_place_on_the_line(scribe: Scribe) -> None:
    def words(text: str) -> list[str]:
        return [offer.word for offer in offers(scribe.view, text)]

    assert len(words("")) == 38
    assert words("4C") == ["4Ci3"]
    assert words("3C") == [word for word in words("") if word[:2] == "3C"] != []
    assert {word[:2] for word in words("4Ci3 4D")} == {"4D"}
    assert {word[:2] for word in words("4ci3, 4D")} == {"4D"}
    assert words("4Ci3 zz") == []
    assert words("4Cz9 4") == []
    assert words("Re") == ["Resign"]
    assert words("un") == ["undo"]
    assert "stands" not in words("4Ci3 s")
    assert words("stands 4Ci") == words("4Ci")
    assert words("i3") == [word for word in words("") if "i3" in word]
    scribe.enter("Resign")
    assert words("") == []


def test_completion_in_a_hidden_hand_says_what_is_undecided(store: Store) -> None:
    scribe_tables.lay_out(store, REVOKE, "g", 16)
    found = {offer.word: offer.says for offer in offers(Scribe(store, "g").view, "T")}
    assert found["T03"] == "undecided"


# --- questions ---


def test_check_why_and_moves_answer_at_length_and_write_nothing(store: Store) -> None:
    scribe_tables.lay_out(store, REVOKE, "g", 40)
    scribe = Scribe(store, "g")
    version = scribe.view.version
    check = scribe.enter("check")
    assert "ply 17, T03 by South, Carl: error tarot.follow-suit" in told(check)
    assert "T03 by South, Carl: error tarot.follow-suit, proved by ply 40" in told(check)
    assert told(check).strip().endswith("5 open questions, 1 breach")
    assert "proved by ply 40" in told(scribe.enter("why 17"))
    assert told(scribe.enter("why")).startswith("g, ply 40: ")
    assert "no ply 99" in scribe.enter("why 99").remark
    moves = scribe.enter("moves")
    assert "cannot be known yet: " in told(moves)
    assert all(answer.long for answer in (check, moves, scribe.enter("help")))
    assert all(verb in told(scribe.enter("help")) for verb in VERBS)
    assert scribe.enter("show") == LineAnswer(position=scribe.view.position)
    assert scribe.enter("quit").end
    assert scribe.view.version == version


def test_disputes_and_rulings_are_shown_where_they_matter(scribe: Scribe, store: Store) -> None:
    scribe.enter("stands 8He5")
    api.dispute(store, "evening", api.DisputeRequest(1, by="p2", claim="the Eight leapt"))
    assert "0 open questions, 1 breach, 1 open dispute" in told(scribe.enter("check"))
    assert scribe.turn.endswith("; 1 open dispute")
    assert "the Eight leapt" in told(scribe.enter("why 1"))
    api.rule(
        store,
        "evening",
        api.RulingRequest((1,), decision="stands", arbiter="E. Dora", keys=("cardmate.reach",), reason="too late"),
    )
    assert "too late" in told(scribe.enter("why"))
    assert not scribe.view.irregular
    assert "1 ruling in force" in scribe.turn


def test_the_help_can_be_seen_at_once_at_80_by_24() -> None:
    lines = list(help_lines())
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=named)
def test_before_the_first_ply_every_question_has_an_answer(store: Store, path: Path) -> None:
    scribe_tables.lay_out(store, path, "g")
    scribe = Scribe(store, "g")
    assert told(scribe.enter("check")) == "0 open questions, 0 breaches\n"
    assert "There is no ply 0" in scribe.enter("why").remark
    assert scribe.enter("moves").lines
    assert re.fullmatch(r"[\w, ]+ \(p\d\)> ", scribe.prompt)
    assert "to move" in scribe.turn
    assert "no plies" in scribe.enter("undo").remark


# --- seats ---

LINES = (
    "",
    "T",
    "KH",
    "6S",
    "p2/Resign",
    "8He5",
    "undo",
    "why 40",
    "check",
    "moves",
    "close",
    "note x",
    "1S",
    "legal 6S",
    "show 3",
    "T1",
    "k 3",
)


def twin(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the deal with two cards of p2 and p3 exchanged, before either was played."""
    swap = {"9C": "JH", "JH": "9C"}
    return tuple(re.sub("9C|JH", lambda found: swap[found[0]], word) for word in words)


def test_two_deals_a_seat_cannot_tell_apart_look_the_same_from_its_table(store: Store) -> None:
    words = scribe_tables.lay_out(store, OPEN, "a")
    scribe_tables.lay_out(store, OPEN, "b")
    api.play(store, "a", api.WordsRequest(words[:40]))
    api.play(store, "b", api.WordsRequest(twin(words[:40])))
    assert stored(store, "a") != stored(store, "b")
    shown = []
    for id in "ab":
        scribe = Scribe(store, id, viewer=Seat(1))
        shown.append([rows_of(scribe, 24, 80)[1:]])
        for line in LINES:
            shown[-1].append([line, str(scribe.verdict(line)), told(scribe.enter(line)), scribe.prompt])
            shown[-1].append([str(offer) for offer in offers(scribe.view, line)])
            shown[-1].append(rows_of(scribe, 24, 80)[1:])
    plain = [re.sub(r"\b[ab]\b(?=,| holds| is| has|\.)", "ID", repr(one)) for one in shown]
    assert plain[0] == plain[1]


def test_at_a_seats_table_its_own_word_is_written_and_the_result_is_not(store: Store) -> None:
    words = scribe_tables.lay_out(store, OPEN, "g", 41)
    scribe = Scribe(store, "g", viewer=Seat(1))
    while scribe.view.actors[0] != 1:
        api.play(store, "g", api.WordsRequest((words[scribe.view.plies],)))
        scribe.enter("")
    word = words[scribe.view.plies]
    assert scribe.verdict(word) == ("legal", "legal")
    assert word in [offer.word for offer in offers(scribe.view, "")]
    assert scribe.enter(word).done
    assert offers(scribe.view, "") == ()
    assert "no legal move can be listed" in told(scribe.enter("moves"))
    assert "ask the arbiter" in scribe.enter("close").remark
    assert "words of p1 only" in scribe.enter(words[scribe.view.plies]).remark


def test_a_seat_or_a_record_that_is_not_there_is_a_fault(store: Store) -> None:
    scribe_tables.lay_out(store, PAGE, "g")
    with pytest.raises(Unfit, match="p3 is not a seat"):
        Scribe(store, "g", viewer=Seat(3))
    with pytest.raises(UnknownGame):
        Scribe(store, "nobody")


# --- the page ---


def rows_of(scribe: Scribe, rows: int, columns: int, *told: str, scroll: int = 0) -> list[str]:
    """Return what stands above the line on a screen of this size."""
    view = scribe.view
    picture = view.position.game.words.picture(view.position.state, scribe.seat)
    title = f"{scribe.id}  {next(iter(heading(view.position, view.people)))}"
    page = Page(title, picture, last_line(view.position, view.steps, columns), told, *scribe.verdict(""), scroll)
    return lay_out(page, rows, columns, colour=False)


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=named)
def test_a_page_fills_any_screen_and_keeps_the_last_plies_and_the_verdict(store: Store, path: Path) -> None:
    words = scribe_tables.lay_out(store, path, "g")
    scribe_tables.lay_out(store, path, "h", len(words) * 2 // 3)
    scribe = Scribe(store, "h")
    for rows, columns in ((23, 80), (23, 40), (9, 80), (4, 30), (2, 20), (1, 20), (60, 200)):
        for message in ((), ("one line",), tuple(f"line {number}" for number in range(30))):
            shown = rows_of(scribe, rows, columns, *message)
            assert len(shown) == rows
            assert max(map(len, shown)) <= columns
            assert shown[-1].split()
            if rows > 4:
                assert any(line.startswith("ply ") for line in shown)
    assert "PageDown" not in "".join(rows_of(scribe, 60, 80))


def test_at_80_by_24_no_picture_of_a_golden_is_cut_by_more_than_a_few_rows(store: Store) -> None:
    for number, path in enumerate(ONE_OF_EACH):
        words = scribe_tables.lay_out(store, path, f"g{number}")
        scribe_tables.lay_out(store, path, f"h{number}", len(words) - 1)
        shown = rows_of(Scribe(store, f"h{number}"), 23, 80)
        assert not [line for line in shown if "PageDown" in line and int(line.split()[1]) > 4]


def test_a_cut_picture_says_how_much_is_missing_and_can_be_moved(scribe: Scribe) -> None:
    shown = rows_of(scribe, 12, 80)
    assert "… 6 rows below (PageDown)" in shown
    moved = rows_of(scribe, 12, 80, scroll=3)
    assert moved[0] == "… 4 rows above (PageUp)"
    end = rows_of(scribe, 12, 80, scroll=99)
    assert end[-3].split() == list("abcdefghij")


@pytest.mark.parametrize("place", ["title", "body", "last", "messages", "verdict"])
def test_no_text_on_a_page_commands_the_terminal(place: str) -> None:
    raw = "a \x01\x1b]0;owned\x07\x02 b"
    page = Page("title", text_rows(("body",), 80), "last", ("messages",), "verdict")
    texts = {"body": ((Span(raw),),), "messages": (raw,)}
    rows = lay_out(replace(page, **{place: texts.get(place, raw)}), 24, 80, colour=False)
    assert all(row.isprintable() for row in rows)
    assert "a \\u0001\\u001b]0;owned\\u0007\\u0002 b" in "\n".join(rows)


def test_a_long_answer_is_folded_below_its_label() -> None:
    rows = text_rows(("    rule    " + "word " * 30,), 40)
    text = ["".join(span.text for span in row) for row in rows]
    assert len(text) > 3
    assert all(line.startswith(" " * 12) for line in text[1:])
    assert max(map(len, text)) <= 40


def test_the_last_plies_are_numbered_as_on_a_score_sheet(scribe: Scribe) -> None:
    def last() -> str:
        return last_line(scribe.view.position, scribe.view.steps, 40)

    assert last() == "before the first ply"
    scribe.enter("4Ci3 4Db6")
    assert last() == "ply 2: 1. 4Ci3 4Db6"
    scribe.enter("8Dj2 8Ca7 8Dh3 8Cc6 7Cb1")
    assert last() == "ply 7: … 2... 8Ca7 3. 8Dh3 8Cc6 4. 7Cb1"
