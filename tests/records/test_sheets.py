"""Score sheets on paper: everything about a game is on them, in both kinds, and nothing a seat has not seen."""

import io
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from pypdf import PdfReader
from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from cartulary.notation import as_seen, load, loads
from cartulary.notation.viewer import EVERYTHING, Seat, viewer_of_seat
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.log.store import Store
from cartulary.records.sheets.html import html
from cartulary.records.sheets.pdf import pdf
from cartulary.records.sheets.score_sheet import Row, ScoreSheet, score_sheet
from cartulary.records.sheets.wording import columns, heading
from cartulary.testing import tables
from tests.laws.worlds import GAMES, otherwise
from tests.places import SAMPLES
from tests.records.papers import golden, pages_of

GOLDENS = sorted(SAMPLES.glob("*/games/*.cgn"))
ODD = '<script>alert("1")</script> & <b>'


@pytest.fixture
def disputed(store: Store) -> str:
    """Return a game with everything that can be written of one."""
    api.open_game(
        store,
        api.NewRequest("cardmate", id="evening", players=(ODD, "Bela"), tags={"Event": "Club & Co", "Annotator": "Z"}),
    )
    api.play(store, "evening", api.WordsRequest(("4Ci3", "4Db6", "8Dj2"), clock="0:12:30"))
    api.play(store, "evening", api.WordsRequest(("9Hj9",), stands=True))
    api.take_back(store, "evening", api.UndoRequest(by="p2", agreed="p1", reason="slip of the pen"))
    api.play(store, "evening", api.WordsRequest(("8Ha9",), stands=True))
    api.annotate(store, "evening", api.NoteRequest(3, "a <i>fine</i> move", glyphs=(1,)))
    claim = api.dispute(store, "evening", api.DisputeRequest(4, by="p1", claim="no such move"))
    api.rule(
        store,
        "evening",
        api.RulingRequest(
            (4,),
            arbiter="Ann Judge",
            decision="stands",
            keys=("cardmate.own-card",),
            reason="seen too late",
            dispute=claim.dispute.number,
        ),
    )
    return "evening"


def taken_in(store: Store, path: Path) -> list[str]:
    with path.open("rb") as file:
        answers = list(api.import_records(store, load(file), path=path.name))
    return [answer.id for answer in answers if answer.id]


class Page(HTMLParser):
    """A page as a browser reads it: its tags, and what is said in them."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.said = ""
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in ("src", "href", "style"), value

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] != ["style"]:
            self.said += data + " "


def said_by_html(sheets: list[ScoreSheet]) -> str:
    return " ".join(Page(html(sheets)).said.split())


def said_by_pdf(sheets: list[ScoreSheet]) -> str:
    return " ".join(" ".join(pages_of(sheets)).split())


# --- what is on it ---


@pytest.mark.parametrize("kind", [said_by_html, said_by_pdf])
def test_everything_about_a_game_is_on_its_sheet(
    store: Store, disputed: str, kind: Callable[[list[ScoreSheet]], str]
) -> None:
    answer = kind([score_sheet(store, disputed, log=True)])
    for text in (
        *(ODD, "Bela", "Club & Co", "Annotator", "cardmate-2000", "predefined", "evening"),
        *("4Ci3", "4Db6", "8Dj2!", "0:12:30", "8H:a9 [1]"),
        "irregular, let stand by a ruling, cardmate.own-card",
        "A side moves one of its own cards that is on the board",
        "I. Derzhanski, Cardmate (2000), Moves",
        f"{ODD}: no such move. Ruled.",
        "Ann Judge: stands. Cited: cardmate.own-card. Reason: seen too late.",
        "a <i>fine</i> move",
        "took back the ply of event 6, p1 agreed: slip of the pen",
        "Signatures",
        "p2 Rearhand, Bela",
        "Arbiter",
    ):
        assert " ".join(text.split()) in answer, text
    head = store.head(disputed)
    assert f"cartulary verify evening --head {head}" in answer


def test_the_head_on_a_sheet_proves_the_log_it_was_made_from(store: Store, disputed: str) -> None:
    version, _, digest = score_sheet(store, disputed).head.partition(":")
    head = store.head(disputed)
    assert head is not None
    assert (int(version), digest) == (head.version, head.digest)
    api.play(store, disputed, api.WordsRequest(("4Ch4",), stands=True))
    assert api.verify(store, disputed, head).fault == ""


def test_without_the_log_corrections_are_left_out(store: Store, disputed: str) -> None:
    answer = said_by_html([score_sheet(store, disputed)])
    assert "took back" not in answer
    assert "Ann Judge: stands" in answer


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_every_ply_of_every_golden_game_is_on_its_sheet_once_and_in_order(store: Store, path: Path) -> None:
    for id in taken_in(store, path):
        sheet = score_sheet(store, id)
        plies = [cell for row in sheet.rows for cell in row.cells if cell is not None]
        assert sorted(cell.ply for cell in plies) == list(range(1, sheet.plies + 1))
        first = [min(cell.ply for cell in row.cells if cell is not None) for row in sheet.rows]
        assert first == sorted(first)
        for row in sheet.rows:
            for column, cell in enumerate(row.cells, 1):
                assert cell is None or row.across or not sheet.by_seat or cell.seat == column
        numbers = [int(row.number.rstrip(".")) for row in sheet.rows if row.number]
        assert numbers
        refs = {number for cell in plies for number in cell.refs}
        assert refs == {each.number for each in sheet.findings if each.finding.ply or each.finding.plies}
        Page(html([sheet]))


def test_tricks_stand_in_rows_with_a_column_a_seat(store: Store) -> None:
    [id] = taken_in(store, SAMPLES / "tarot/games/table-revoke.cgn")
    sheet = score_sheet(store, id)
    tricks = [row for row in sheet.rows if row.number]
    assert [row.number for row in tricks] == [f"{number}." for number in range(1, 19)]
    assert all(all(row.cells) for row in tricks)
    cell = tricks[2].cells[2]
    assert cell is not None
    assert (cell.ply, cell.word, cell.severity, cell.refs) == (17, "T03", "error", (1,))
    assert sheet.findings[0].finding.decided_by == 40


def test_what_could_not_be_read_is_on_the_sheet_too(store: Store, tmp_path: Path) -> None:
    text = '[Game "Cardmate"]\n[Forehand "A"]\n[Rearhand "B"]\n\n1. 4Ci3 zz 2. 8Dj2 *\n'
    [answer] = api.import_records(store, loads(text))
    sheet = score_sheet(store, answer.id)
    reply = said_by_html([sheet])
    assert "zz" in reply
    assert "8Dj2 (unread)" in reply


def test_a_sheet_without_names_can_be_made_of_a_redacted_record(store: Store, disputed: str, tmp_path: Path) -> None:
    redacted = api.export_redacted(store, disputed)
    with Store(tmp_path / "other.db") as other:
        api.take_in(other, redacted.archive)
        sheet = score_sheet(other, disputed)
    answer = said_by_html([sheet])
    assert "Bela" not in answer
    assert "1 event was left out of the record" in answer
    assert sheet.head == score_sheet(store, disputed).head


# --- safe and the same everywhere ---


def test_no_text_of_a_game_becomes_markup(store: Store, disputed: str) -> None:
    page = html([score_sheet(store, disputed, log=True)])
    assert b"<script" not in page
    assert b"<b>" not in page
    assert b"<i>" not in page
    tags = Page(page).tags
    assert tags.count("style") == 1
    assert not {"script", "link", "img", "iframe", "object", "b", "i"} & set(tags)
    assert b"http" not in page
    assert b"@import" not in page


def test_signs_no_page_may_hold_are_replaced(store: Store) -> None:
    sheet = replace(rich(store), about=(("Event", "a\x00b\x1fc\x85d"),))
    assert "a\ufffdb\ufffdc\ufffdd" in said_by_html([sheet])


def rich(store: Store) -> ScoreSheet:
    api.open_game(store, api.NewRequest("cardmate", id="rich", players=("张伟 Иванов", "עברית")))
    api.play(store, "rich", api.WordsRequest(("4Ci3",)))
    return score_sheet(store, "rich")


def test_both_papers_are_the_same_bytes_each_time(store: Store, disputed: str) -> None:
    sheet = score_sheet(store, disputed, log=True)
    assert html([sheet]) == html([sheet])
    assert pdf([sheet]) == pdf([sheet])


@pytest.mark.smoke
def test_a_page_draws_the_last_position_as_the_seat_has_seen_it(store: Store) -> None:
    deal = (SAMPLES / "tarot" / "games" / "dementlieu-open.cgn").read_text("utf-8")
    cut_short = deal[: deal.index(" 5. 9H")] + " *\n"
    [done] = api.import_records(store, loads(cut_short))
    whole, seen = (html([score_sheet(store, done.id, viewer)]).decode() for viewer in (EVERYTHING, Seat(1)))
    assert whole.count('class="card p2') > 5
    assert seen.count('class="card p2') == 1, "of p2's cards only that of the last trick"
    assert 'class="back p2"' in seen
    assert "xmlns" not in whole
    finished = html([score_sheet(store, next(api.import_records(store, loads(deal))).id)]).decode()
    assert "<svg" not in finished


def test_a_name_in_any_script_is_on_the_pdf_and_missing_signs_are_told(store: Store) -> None:
    document, unseen = pdf([rich(store)])
    assert unseen == ("张", "伟")
    text = " ".join(PdfReader(io.BytesIO(document)).pages[0].extract_text().split())
    assert "U+5F20 U+4F1F Иванов" in text
    about = PdfReader(io.BytesIO(document)).metadata
    assert about is not None
    assert about.title == "张伟 Иванов – עברית"


def test_many_games_make_one_document_each_from_a_page_of_its_own(store: Store, disputed: str) -> None:
    sheets = [score_sheet(store, disputed), rich(store)]
    assert Page(html(sheets)).tags.count("article") == 2
    tops = [page.split("\n")[0] for page in pages_of(sheets)]
    assert [top.startswith(heading(sheets[0])) for top in tops] == [*[True] * (len(tops) - 1), False]
    assert tops[-1].startswith("U+5F20")


def test_a_pdf_draws_the_last_position_where_something_lies() -> None:
    [played] = golden(SAMPLES / "cardmate/games/page-1.cgn")
    [page, *_] = PdfReader(io.BytesIO(pdf([played])[0])).pages
    [picture] = page.images
    assert picture.image is not None
    assert picture.image.width > 400
    [unplayed] = golden(SAMPLES / "unjudged/games/opera.cgn")
    assert not any(page.images for page in PdfReader(io.BytesIO(pdf([unplayed])[0])).pages)


@pytest.mark.parametrize("sample", ["zarcana/games/three.cgn", "arcanoid/games/five-rounds.cgn"])
def test_a_long_game_repeats_its_heading_on_every_page(sample: str) -> None:
    [sheet] = golden(SAMPLES / sample)
    pages = pages_of([sheet])
    assert len(pages) > 2
    for page in pages[1:-1]:
        assert sheet.id in page.split("\n")[0]
        assert " ".join(columns(sheet)).strip() in page


def test_a_game_of_long_words_has_a_row_a_ply_with_its_clock(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="long", players=("A", "B")))
    api.play(store, "long", api.WordsRequest(("4Ci3", "4Db6"), clock="0:09:00"))
    sheet = score_sheet(store, "long")
    cells = [replace(cell, word=cell.word + "~" * 60) for row in sheet.rows for cell in row.cells if cell]
    alone = replace(sheet, by_seat=False, rows=tuple(Row("1.", (cell,)) for cell in cells))
    for answer in (said_by_html([alone]), said_by_pdf([alone])):
        assert "Ply Seat Move Clock" in answer
        assert "0:09:00" in answer


def test_a_text_is_as_wide_remembered_as_asked_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = " ".join(["office AVAWA (12:30) עברית السلام Иванов 张"] * 9)
    api.open_game(store, api.NewRequest("cardmate", id="wide", players=(mixed, mixed[::-1]), tags={"Event": mixed}))
    sheet = score_sheet(store, "wide")
    remembered, _ = pdf([sheet])
    monkeypatch.setattr("cartulary.records.sheets.paper._measure_once", lambda paper: None)
    assert pdf([sheet])[0] == remembered


# --- one seat's ---


@pytest.mark.parametrize("looks", ["a seat", "the rail"])
@pytest.mark.parametrize("key", GAMES)
def test_worlds_that_look_the_same_have_the_same_sheet_and_it_holds_nothing_unseen(
    store: Store, key: str, looks: str
) -> None:
    title, play = GAMES[key]
    rng = Random(f"sheets of {key}")
    differing = 0
    for _ in range(3):
        opened = play(rng)
        seat, one = rng.randint(1, opened.seats) if looks == "a seat" else 0, opened.words
        two = otherwise(title, opened, one, seat, rng)
        differing += one != two
        sheets = []
        for words, secret in ((one, "KH in the margin"), (two, "QS in the margin")):
            text = tables.sheet(title, opened.tags | {"Annotator": secret}, " ".join(words))
            [answer] = api.import_records(store, loads(text))
            api.annotate(store, answer.id, api.NoteRequest(1, secret))
            api.dispute(store, answer.id, api.DisputeRequest(1, by="p1", claim=secret))
            sheet = score_sheet(store, answer.id, viewer_of_seat(seat))
            disputes = tuple(replace(one, at="") for one in sheet.disputes)
            sheets.append(replace(sheet, id="", last_written="", disputes=disputes))
            seen = as_seen(loads(text)[0], seat)
            assert sorted(cell.word for row in sheet.rows for cell in row.cells if cell) == sorted(seen.line.words)
        assert sheets[0] == sheets[1]
        assert html(sheets[:1]) == html(sheets[1:])
        assert b"in the margin" not in html(sheets)
    assert differing


def test_the_sheet_of_a_seat_has_no_head_and_nothing_written_freely(store: Store, disputed: str) -> None:
    answer = said_by_html([score_sheet(store, disputed, Seat(1))])
    head = store.head(disputed)
    assert head is not None
    assert head.digest not in answer
    for text in ("slip of the pen", "<i>fine</i>", "no such move", "seen too late"):
        assert text not in answer
    assert "evening, as p1 has seen it" in answer
    assert f"{ODD}: ~. Ruled." in answer
    assert "Ann Judge: stands. Cited: cardmate.own-card. Reason: ~." in answer


def test_a_seat_the_game_has_not_is_refused(store: Store, disputed: str) -> None:
    with pytest.raises(Unfit, match="p3 is not a seat of evening"):
        score_sheet(store, disputed, Seat(3))


# --- the command line ---


def typed(db: Path, *words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(build(), [*words, "--db", str(db)])
    assert result.exit_code == code, f"{result.output}\n{result.stderr}\n{result.exception!r}"
    return result


def test_export_writes_sheets_of_every_game_as_html_and_pdf(store: Store, disputed: str, tmp_path: Path) -> None:
    rich(store)
    words = ("export", "--all", "--log", "--format")
    typed(store.path, *words, "html", "-o", str(tmp_path / "all.html"))
    assert (tmp_path / "all.html").read_bytes().count(b"<article>") == 2
    errors = typed(store.path, *words, "pdf", "-o", str(tmp_path / "all.pdf")).stderr
    assert "font lacks 张 伟" in errors
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF-")
    assert typed(store.path, "export", disputed, "--format", "html").stdout.startswith("<!DOCTYPE html>")
    seat = typed(store.path, "export", disputed, "--format", "html", "--seat", "p2").stdout
    assert "as p2 has seen it" in seat
    assert (
        "p3 is not a seat" in typed(store.path, "export", disputed, "--format", "html", "--seat", "p3", code=2).stderr
    )


def test_a_font_that_is_none_is_told(store: Store, disputed: str, tmp_path: Path) -> None:
    (tmp_path / "no.ttf").write_bytes(b"no font")
    words = ("export", disputed, "--format", "pdf", "-o", str(tmp_path / "x.pdf"), "--font")
    assert "no.ttf cannot be used as a font" in typed(store.path, *words, str(tmp_path / "no.ttf"), code=2).stderr
    assert not (tmp_path / "x.pdf").exists()


@pytest.mark.parametrize(
    ("words", "missing", "says"),
    [
        (("--format", "pdf"), "fpdf", "pip install 'cartulary[pictures]'"),
        (("--format", "json", "--log", "--sign", "KEY"), "cryptography", "pip install 'cartulary[signing]'"),
    ],
)
def test_a_missing_library_is_told_with_the_command_that_installs_it(
    store: Store,
    disputed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    missing: str,
    says: str,
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    key = tmp_path / "key"
    key.write_text("-----BEGIN OPENSSH PRIVATE KEY-----\n", "ascii")
    key.chmod(0o600)
    given = [str(key) if word == "KEY" else word for word in words]
    assert says in typed(store.path, "export", disputed, *given, "-o", str(tmp_path / "x"), code=2).stderr


def test_a_note_of_many_lines_is_one_passage_of_the_log(store: Store, disputed: str) -> None:
    api.annotate(store, disputed, api.NoteRequest(1, "a word and " * 20))
    _, unseen = pdf([score_sheet(store, disputed, log=True)])
    assert unseen == ()
