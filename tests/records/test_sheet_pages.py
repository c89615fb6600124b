"""Score sheets on paper: what a ruling decided is on them whole, and whoever signs signs the head."""

import re
from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest

from cartulary.notation import GAMES, load, loads
from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.records.sheets.html import html
from cartulary.records.sheets.score_sheet import ScoreSheet, score_sheet
from cartulary.records.sheets.wording import signatures
from tests.hunts import looks
from tests.places import SAMPLES
from tests.records.archives import samples_in
from tests.records.papers import golden, pages_of, printed
from tests.records.test_sheets import said_by_html, said_by_pdf

Kind = Callable[[list[ScoreSheet]], str]
BOTH = pytest.mark.parametrize("kind", [said_by_html, said_by_pdf])


def in_a_line(pages: Iterable[str]) -> list[str]:
    return [" ".join(page.split()) for page in pages]


@pytest.fixture
def ruled(store: Store) -> str:
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    api.play(store, "evening", api.WordsRequest(("4Ci3", "4Db6", "8Dj2")))
    api.play(store, "evening", api.WordsRequest(("9Hj9",), stands=True))
    return "evening"


# --- rulings and times ---


@BOTH
def test_a_penalty_beside_another_decision_is_on_the_sheet(store: Store, ruled: str, kind: Kind) -> None:
    api.rule(
        store,
        ruled,
        api.RulingRequest(
            (4,), arbiter="A. Person", decision="stands", penalties={"p2": "two points", "p1": "a warning"}
        ),
    )
    answer = kind([score_sheet(store, ruled)])
    assert "ply 4, 9H:j9" in answer
    assert "A. Person: stands, Ada a warning, Bela two points." in answer


@BOTH
@pytest.mark.parametrize("decision", ["void", "amended"])
def test_the_word_a_ruling_took_out_is_on_the_sheet(store: Store, ruled: str, kind: Kind, decision: str) -> None:
    words = ("8Ca7",) if decision == "amended" else ()
    api.rule(
        store,
        ruled,
        api.RulingRequest((4,), arbiter="A. Person", decision=decision, words=words, penalties={"p2": "two points"}),
    )
    answer = kind([score_sheet(store, ruled)])
    assert "ply 4, 9H:j9" + (" (gone)" if decision == "void" else "") in answer
    assert ("void, Bela two points" if decision == "void" else "amended to 8Ca7, Bela two points") in answer


@BOTH
def test_a_ruling_on_several_plies_names_them_as_several(store: Store, ruled: str, kind: Kind) -> None:
    api.rule(store, ruled, api.RulingRequest((3, 4), arbiter="A. Person", decision="void"))
    assert "plies 3, 4, 8Dj2 9H:j9 (gone)" in kind([score_sheet(store, ruled)])


@BOTH
def test_times_are_those_people_read(store: Store, ruled: str, kind: Kind) -> None:
    api.dispute(store, ruled, api.DisputeRequest(4, by="p1", claim="no such move"))
    api.rule(store, ruled, api.RulingRequest((4,), arbiter="A. Person", decision="stands"))
    answer = kind([score_sheet(store, ruled, log=True)])
    assert not re.search(r"\d\dT\d\d:|\.\d{3}Z", answer)
    assert len(re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", answer)) == 5  # dispute, ruling, two in the log, the last


# --- pages ---


def signed_on(pages: list[str], sheet: ScoreSheet) -> int:
    """Return the page where all sign, from 1."""
    [at] = [at for at, answer in enumerate(pages, 1) if "Signatures" in answer]
    assert all(name in pages[at - 1].partition("Signatures")[2] for name in signatures(sheet))
    return at


def test_whoever_signs_signs_the_head_wherever_the_page_ends(store: Store, ruled: str) -> None:
    sheets = [score_sheet(store, ruled)]
    for number in range(6):
        api.dispute(store, ruled, api.DisputeRequest(1, by="p1", claim=f"claim {number}"))
        sheets.append(score_sheet(store, ruled))
    on = set()
    for sheet, answer in printed(sheets):
        pages = in_a_line(answer)
        at = signed_on(pages, sheet)
        body, _, _ = pages[at - 1].partition("Signatures")
        assert f"Last written {sheet.last_written[:10]}" in body
        assert sheet.head in body
        on.add((at, len(pages)))
    assert on == {(1, 1), (2, 2)}


def numbered(pages: list[str], sheet: ScoreSheet) -> None:
    """Hold every page of a sheet to say which game it is of, the head, and which page of how many it is."""
    for number, page in enumerate(pages, 1):
        assert sheet.title in page
        assert f"{sheet.id} {sheet.head} page {number} of {len(pages)}" in page


@pytest.mark.hunt
@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_signatures_of_golden_games_stand_under_its_head_and_each_page_is_numbered(key: str) -> None:
    paths = sorted((SAMPLES / key / "games").glob("*.cgn"), key=lambda path: path.stat().st_size)[: looks(2)]
    sheets = golden(*paths)
    assert len(sheets) == len(paths) > 0
    for sheet, answer in printed(sheets):
        pages = in_a_line(answer)
        assert sheet.head in pages[signed_on(pages, sheet) - 1].partition("Signatures")[0]
        numbered(pages, sheet)


def test_the_pages_of_several_games_are_those_each_has_alone() -> None:
    [one, other] = golden(*(SAMPLES / game for game in ("zarcana/games/three.cgn", "cardmate/games/page-1.cgn")))
    alone = {sheet.id: pages_of([sheet]) for sheet in (one, other)}
    assert len(alone[one.id]) > 2
    for sheet, pages in printed([other, one, other]):
        numbered(in_a_line(pages), sheet)
        assert pages == alone[sheet.id]


def test_every_page_of_a_browser_carries_the_game_and_its_head(store: Store, ruled: str) -> None:
    sheet = score_sheet(store, ruled)
    page = html([sheet, sheet]).decode()
    for number in (1, 2):
        assert f"article:nth-of-type({number}) {{ page: sheet{number}; }}" in page
        assert f'@page sheet{number} {{ @bottom-left {{ content: "evening  {sheet.head}"' in page
    assert 'content: "page " counter(page) " of " counter(pages)' in page


def test_the_sheet_of_a_seat_has_no_head_on_any_page(store: Store, ruled: str) -> None:
    head = str(store.head(ruled))
    sheet = score_sheet(store, ruled, Seat(1))
    assert head.partition(":")[2] not in " ".join(in_a_line(pages_of([sheet]))) + html([sheet]).decode()
    assert in_a_line(pages_of([sheet]))[0].endswith("evening page 1 of 1")


# --- plies and what came of them ---


@BOTH
def test_the_number_of_a_ply_does_not_look_like_a_move(store: Store, ruled: str, kind: Kind) -> None:
    answer = kind([score_sheet(store, ruled)])
    assert "1. 4Ci3 (1) 4Db6 (2) 2. 8Dj2 (3)" in answer
    assert "9H:j9 [1] (4)" in answer
    assert "each with its ply in parentheses" in answer


@BOTH
def test_a_sheet_of_tarot_says_who_took_each_trick_and_how_the_score_runs(store: Store, kind: Kind) -> None:
    with (SAMPLES / "tarot/games/table-revoke.cgn").open("rb") as file:
        [answer] = api.import_records(store, load(file))
    sheet = score_sheet(store, answer.id)
    answers = [row.outcome for row in sheet.rows if row.outcome]
    assert len(answers) == 18
    assert answers[:3] == [
        "East, Dora takes the trick: 6",
        "North, Ada takes the trick: 7",
        "South, Carl takes the trick: 10",
    ]
    assert answers[-1] == (
        "West, Bela takes the trick; West, Bela has 32 points with 1 bout and needs 51: contract"
        " missed by 19; -(25 + 19) × 2 = -88;"
        " each of 3 defenders +88, West, Bela -264; score 88:-264:88:88"
    )
    reply = kind([sheet])
    assert "East, Dora (p4) Then" in reply
    for text in answers[:-1]:
        assert text in reply


def test_who_took_a_trick_is_who_leads_the_next(store: Store) -> None:
    for id in samples_in(store, ("tarot",)):
        sheet = score_sheet(store, id)
        cells = sorted((cell for row in sheet.rows for cell in row.cells if cell), key=lambda cell: cell.ply)
        tricks = 0
        for cell, after in pairwise(cells):
            if "takes the trick:" in cell.outcome:
                tricks += 1
                assert cell.outcome.startswith(f"{after.player} takes")
        assert tricks


def test_a_seat_is_told_of_its_tricks_what_the_table_saw(store: Store) -> None:
    with (SAMPLES / "tarot/games/fft-garde.cgn").open("rb") as file:
        [answer] = api.import_records(store, load(file))
    whole = [row.outcome.partition(";")[0] for row in score_sheet(store, answer.id).rows if row.outcome]
    seen = [row.outcome.partition(";")[0] for row in score_sheet(store, answer.id, Seat(1)).rows if row.outcome]
    assert seen == whole


def test_games_that_tell_nothing_have_no_column_for_it(store: Store, ruled: str) -> None:
    assert not score_sheet(store, ruled).has_outcomes
    assert "Then" not in said_by_html([score_sheet(store, ruled)])


MANY_TAGS = """[Event "Club championship"]
[Site "Hall"]
[Date "2026.01.02"]
[Round "3"]
[White "A"]
[Black "B"]
[Result "0-1"]
[WhiteElo "1900"]
[BlackElo "1901"]
[ECO "C88"]
[Opening "Ruy Lopez"]
[TimeControl "40/7200"]
[Annotator "X"]
[Termination "time forfeit"]
[Board "1"]
[WhiteTitle "FM"]
[EventDate "2026.01.01"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 0-1
"""


def test_a_short_game_with_many_tags_stands_on_one_page(store: Store) -> None:
    [answer] = api.import_records(store, loads(MANY_TAGS))
    assert len(pages_of([score_sheet(store, answer.id)])) == 1


def test_how_a_deal_is_settled_stands_across_the_page(store: Store) -> None:
    with (SAMPLES / "tarot/games/table-revoke.cgn").open("rb") as file:
        [answer] = api.import_records(store, load(file))
    sheet = score_sheet(store, answer.id)
    lines = "\n".join(pages_of([sheet])).splitlines()
    [begins] = [
        at for at, line in enumerate(lines) if line.startswith("West, Bela takes the trick; West, Bela has 32 points")
    ]
    settled = " ".join(" ".join(lines[begins : begins + 3]).split())
    assert settled.endswith("score 88:-264:88:88")


BOTH = pytest.mark.parametrize("kind", [said_by_html, said_by_pdf])


@BOTH
def test_rounds_entered_as_their_score_have_the_points_of_each_seat_and_their_sum(store: Store, kind: Kind) -> None:
    api.open_game(store, api.NewRequest("tarot", id="deals", variant="fft", players=("Ann", "Bea", "Cy", "Di")))
    deals = (
        {"Taker": "Bea", "Bid": "Garde", "Bouts": "3", "Points": "54"},
        {"Taker": "-"},
        {"Taker": "Di", "Bid": "Prise", "Bouts": "1", "Points": "40"},
    )
    for answers in deals:
        api.play_round(store, "deals", api.RoundRequest(answers=answers))
    sheet = score_sheet(store, "deals")
    assert [row.gains for row in sheet.rows] == [
        ("-86", "258", "-86", "-86"),
        ("0", "0", "0", "0"),
        ("36", "36", "36", "-108"),
    ]
    assert (sheet.sums, sheet.unit) == (("-50", "294", "-50", "-194"), "deal")
    answer = kind([sheet])
    for text in ("Taker Bea, Bid Garde, Bouts 3, Points 54", "contract made by 18", "+294", "−194", "Deals"):
        assert text in answer, text
    assert "p0/" not in answer
