"""Names from right to left turn none of their neighbours round: no page, sheet or list shows one without isolation."""

import io
import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.notation.cgn.controls import FSI, PDI, display, in_bdi, isolate, visible
from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.records.sheets.link_cards import LinkCard, link_cards
from cartulary.records.sheets.replay_frames import replay_source
from cartulary.records.state.seat_view import players
from cartulary.records.table.news import news_of
from tests.records.archives import OPENING, Run
from tests.web.served import addresses, by_link, serving, unlimited

DANA, LEILA, ODED, CLUB = "דנה 3", "ليلى!", "Oded (עודד)", "מועדון 7"
NAMES = frozenset((DANA, LEILA, ODED, CLUB))
RTL = frozenset(letter for name in NAMES for letter in name if ord(letter) > 0x500)
SENT_BACK = frozenset(("value", "href", "data-new"))
EMPTY = frozenset(("meta", "link", "br", "input", "hr", "img", "wbr", "path", "rect", "circle"))


def turning(text: str) -> str:
    """Return what of a text turns its neighbours round: nothing where all its names are isolated, each by itself."""
    left, parts = [], text.split(FSI)
    for at, part in enumerate(parts):
        inside, ended, behind = part.partition(PDI) if at else ("", "", part)
        if at and (not ended or inside not in NAMES):
            left.append(inside)
        left.append(behind)
    return " ".join(one for one in left if RTL.intersection(one))


class Walked(HTMLParser):
    """A page, with the texts and labels of it in which a name is not isolated."""

    def __init__(self) -> None:
        super().__init__()
        self.within: list[str] = []
        self.faults: list[str] = []
        self.names = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in SENT_BACK:
                assert FSI not in (value or ""), (tag, name, value)
            elif turning(value or ""):
                self.faults.append(f"{tag} {name}={value}")
        if tag not in EMPTY:
            self.within.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.within.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in self.within:
            while self.within.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not RTL.intersection(data):
            return
        self.names += 1
        if "script" in self.within:
            return
        if self.within[-1] == "bdi":
            self.faults += [data] if data not in NAMES else []
        elif turning(data):
            self.faults.append(f"{self.within[-1]}: {data}")


def walked(page: str) -> Walked:
    """Return a page when its names have been looked at."""
    found = Walked()
    found.feed(page)
    found.close()
    return found


@pytest.fixture
def evening(store: Store) -> Store:
    """Return a store with games of people whose names run from right to left, and everything said of them."""
    for id, closed in (("g", False), ("h", True)):
        api.open_game(
            store,
            api.NewRequest("cardmate", id=id, players=(DANA, LEILA), tags={"Event": CLUB, "Site": CLUB}, by=ODED),
        )
        api.play(store, id, api.WordsRequest(tuple(OPENING.split()), by=ODED))
        api.dispute(store, id, api.DisputeRequest(2, by=DANA, claim="not so"))
        api.dispute(store, id, api.DisputeRequest(3, by=LEILA, claim="nor so"))
        api.withdraw(store, id, api.WithdrawRequest(api.disputes_of(api.load(store, id))[1].number, by=LEILA))
        api.rule(store, id, api.RulingRequest((2,), arbiter=ODED, by=ODED, decision="stands", reason="seen"))
        api.annotate(store, id, api.NoteRequest(1, "a note", by=ODED))
        api.set_clock(store, id, api.ClockRequest(1, "0:10:00", by=ODED, reason="late"))
        api.take_back(store, id, api.UndoRequest(1, by="p1", agreed="p2", reason="agreed"))
        if closed:
            api.close(store, id, api.CloseRequest("1-0", termination="adjudication", by=ODED))
            api.agree(store, id, api.AgreeRequest(by=DANA), Seat(1))
    return store


def test_every_page_isolates_every_name(evening: Store, tmp_path: Path) -> None:
    assert isinstance(evening.place, Path)
    seen = 0
    with serving(evening.place, writes=True) as client:
        unlimited(client)
        for id in ("g", "h"):
            for address in [*addresses(True, id=id, ply="2", game="cardmate", key="x"), f"/games?player={DANA}"]:
                answer = client.get(address)
                if "text/html" not in answer.headers.get("content-type", ""):
                    continue
                page = walked(answer.text)
                assert page.faults == [], address
                seen += page.names
        follows = api.make_links(evening, "g", api.LinksRequest(("rail", "p1")))
        for link in follows:
            browser = by_link(client, link.secret)
            for below in ("watch", "table", ""):
                answer = browser.get(f"/games/g/{below}".rstrip("/") + f"?as={link.link.role}")
                assert walked(answer.text).faults == []
    assert seen > 60


def test_every_sentence_of_a_table_isolates_every_name(evening: Store) -> None:
    game = api.load(evening, "h")
    names = players(game.record)
    view = api.read_view(evening, "g")
    assert turning(view.turn_by(names)) == ""
    lines = api.log(evening, "h")
    for line in lines:
        assert turning(line.says) == "", line.says
    news = news_of(game, api.view_of(game), lines, 0)
    for one in news:
        assert turning(one.says) == "", one.says
    assert any(FSI in line.says for line in lines)


def sheets(store: Store) -> Iterator[str]:
    """Yield the pages that are made of a game to be opened or printed without a server."""
    yield api.html([api.score_sheet(store, id, log=True) for id in ("g", "h")]).decode()
    shown = api.see_game(api.load(store, "h"))
    one = replay_source("h#1", shown)
    yield api.replay_page([one, replay_source("h#2", shown)]).decode()
    cards = [
        LinkCard(each.link, (DANA, LEILA), "http://x/join#y")
        for each in api.make_links(store, "g", api.LinksRequest(("p1", "p2")))
    ]
    yield link_cards(cards).decode()


def test_every_sheet_isolates_every_name(evening: Store) -> None:
    for text in sheets(evening):
        page = walked(text)
        assert page.faults == []
        assert page.names > 1


def test_the_index_of_a_folder_of_sheets_isolates_every_name(evening: Store, tmp_path: Path) -> None:
    api.write_pages([api.score_sheet(evening, "h")], ["h"], tmp_path / "season")
    page = walked((tmp_path / "season" / "index.html").read_text("utf-8"))
    assert (page.faults, page.names > 1) == ([], True)


def test_a_pdf_keeps_what_stands_beside_a_name_on_its_side(evening: Store) -> None:
    made, _ = api.pdf([api.score_sheet(evening, "h", log=True)])
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(made)).pages)
    assert "U+2068" not in text
    assert "U+2069" not in text
    # In the order in which the signs are drawn: the first player first, though the line begins with Hebrew.
    [heading] = [line for line in text.split("\n") if "–" in line][:1]
    assert heading.index("3") < heading.index("–") < heading.index("!")


LISTS = (
    ("list",), ("search", "--player", DANA), ("log", "h"), ("check", "h"), ("show", "h"), ("why", "h", "2"),
    ("stats",), ("duplicates",), ("replay", "h"), ("dispute", "g", "1", "--by", LEILA, "--claim", "x"),
    ("tag", "g", "Round=2"), ("links", "g", "--list"),
)  # fmt: skip


@pytest.mark.parametrize("words", LISTS)
def test_every_list_isolates_every_name(evening: Store, words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(build(), [*words, "--db", str(evening.place)], env={"NO_COLOR": "1", "COLUMNS": "200"})
    assert result.exit_code in (0, 1), result.output
    for line in result.output.split("\n"):
        assert turning(line) == "", line


def test_columns_stay_under_one_another(evening: Store) -> None:
    api.open_game(
        evening,
        api.NewRequest("cardmate", id="i", players=("Anna with a longer name", "Bela Kiss"), tags={"Date": "2026"}),
    )
    result = CliRunner().invoke(build(), ["list", "--db", str(evening.place)], env={"NO_COLOR": "1", "COLUMNS": "200"})
    lines = [line.replace(FSI, "").replace(PDI, "") for line in result.stdout.splitlines()]
    ends = {line.index("  legal") for line in lines}
    assert (len(lines), len(ends)) == (3, 1), lines


def test_names_in_json_are_as_they_were_written(evening: Store, run: Run) -> None:
    result = CliRunner().invoke(build(), ["list", "--json", "--db", str(evening.place)])
    assert {json.loads(line)["players"] for line in result.stdout.splitlines()} == {f"{DANA}; {LEILA}"}
    assert FSI not in "".join(value for _, value in api.load(evening, "g").record.tags)


# --- the isolates themselves ---


def test_only_what_runs_from_right_to_left_is_isolated_and_only_once() -> None:
    assert [isolate(text) for text in ("Ada", "Zoë", "王", "", isolate(DANA))] == [
        "Ada",
        "Zoë",
        "王",
        "",
        f"{FSI}{DANA}{PDI}",
    ]


def test_isolates_that_somebody_wrote_are_shown_as_control_characters() -> None:
    for text in (f"{FSI}Ada{PDI}", f"{FSI}{DANA}", f"{DANA}{PDI}", f"{FSI}{PDI}"):
        assert display(text) == visible(text)
    assert display(f"{FSI}a\x1b{DANA}{PDI}") == f"{FSI}a\\u001b{DANA}{PDI}"


def test_isolates_become_elements_only_where_elements_may_stand() -> None:
    name = isolate(DANA)
    page = f'<title>{name}</title><p title="{name}" data-x="{name}">{name}</p><option value="{name}">{name}</option>'
    assert in_bdi(page) == (
        f'<title>{name}</title><p title="{name}" data-x="{DANA}"><bdi>{DANA}</bdi></p>'
        f'<option value="{DANA}">{name}</option>'
    )
