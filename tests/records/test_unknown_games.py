"""Score sheets of games without rules are imported unjudged, and judged when their rules are installed."""

from pathlib import Path

import pytest

from cartulary.notation import loads
from cartulary.records import api
from cartulary.records.log.store import Store
from tests.cli.test_live import Run
from tests.cli.test_live import run as run

CANASTA = '[Game "Canasta"]\n[Date "2026.01.02"]\n[Seat1 "Ann"]\n[Seat2 "Bea"]\n\n'
CATAN = 'title = "Catan"\nseats = "3-4"\nwinner = "first"\ngoal = 10\n'
SEATS = '[Seat1 "Ann"]\n[Seat2 "Bea"]\n[Seat3 "Cy"]\n'


def imported(store: Store, text: str) -> "api.ImportedGame":
    [answer] = api.import_records(store, loads(text))
    return answer


@pytest.mark.parametrize(
    ("text", "because", "players"),
    [
        (CANASTA + "1-0\n", "no rules for Canasta are installed; it is kept unjudged", "Ann; Bea"),
        (CANASTA + "1. Draw p2/Meld *\n", "no rules for Canasta are installed; it is kept unjudged", "Ann; Bea"),
        (
            '[Game "Cardmte"]\n[White "Ann"]\n[Black "Bea"]\n\n1. 4Ci3 *\n',
            "no rules for Cardmte are installed; did you mean Cardmate? it is kept unjudged",
            "Ann; Bea",
        ),
    ],
)
def test_a_sheet_of_a_game_without_rules_is_kept_unjudged(store: Store, text: str, because: str, players: str) -> None:
    answer = imported(store, text)
    assert (answer.status, answer.report.verdict) == ("new", "unjudged")
    assert [(each.severity, each.because) for each in answer.report.findings] == [("remark", because)]
    [listed] = api.games(store)
    assert (listed.players, listed.verdict, listed.findings) == (players, "unjudged", 0)
    assert imported(store, text).status == "known"


@pytest.mark.parametrize(
    "text",
    [
        CANASTA + "*\n",
        '[Game "Canasta"]\n\n1. Draw *\n',
        '[Game "Canasta"]\n[Seat1 "?"]\n[Seat2 ""]\n\n1-0\n',
        '[Seat1 "Ann"]\n[Seat2 "Bea"]\n\n1-0\n',
    ],
)
def test_a_sheet_with_nothing_to_keep_is_declined(store: Store, text: str) -> None:
    assert imported(store, text).status == "declined"
    assert store.ids() == ()


def test_a_sheet_of_a_described_game_gets_its_description(store: Store) -> None:
    api.describe_game(store, api.DescribeRequest(toml=CATAN))
    answer = imported(store, f'[Game "CATAN"]\n{SEATS}[Points "10:7:3"]\n\n*\n')
    game = api.load(store, answer.id)
    assert game.record.tag("Description") == "winner=first; goal=10; seats=3-4"
    assert (game.report.game, game.examined.settled_state.points) == ("Catan", (10, 7, 3))


def test_a_description_that_does_not_fit_is_left_out_with_a_reason(store: Store) -> None:
    api.describe_game(store, api.DescribeRequest(toml=CATAN))
    answer = imported(store, CANASTA.replace("Canasta", "Catan") + "1-0\n")
    assert "without its description: found 2 seats, expected 3 to 4" in answer.report.findings[0].because
    assert api.load(store, answer.id).record.tag("Description") == ""


def test_validate_still_says_that_such_a_sheet_cannot_be_read(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "canasta.cgn"
    file.write_text(CANASTA + "1-0\n")
    assert "unreadable" in run("validate", str(file), code=1).stdout
    assert "unjudged" in run("import", str(file)).stdout


def test_what_is_kept_unjudged_is_judged_by_rules_that_are_installed(store: Store, run: Run, tmp_path: Path) -> None:
    head = '[Game "Cardmate"]\n[Seat1 "Ann"]\n[Seat2 "Bea"]\n[Rules "none"]\n\n'
    breach = imported(store, head + "1. 3Cd3 4Db6 2. 3Cd4 8Ca7 4Ci3 8Cc6 7Cb1 7Di8 *\n").id
    other = imported(store, head + "1. Hello *\n").id
    imported(store, CANASTA + "1-0\n")
    chess = imported(store, head.replace("Cardmate", "Chess") + "1-0\n").id
    judged = api.revalidate(store)
    assert (judged.games, judged.changes) == (4, ())
    by_id = {each.id: each for each in judged.unjudged}
    assert by_id.keys() == {breach, other, chess}
    assert by_id[breach].verdict == "irregular"
    assert by_id[breach].findings == ((8, "error", "cardmate.follow-suit"),)
    assert (by_id[chess].verdict, by_id[chess].edition) == ("legal", "fide-2023")
    assert "found Hello, expected a card" in by_id[other].because
    assert api.load(store, breach).report.verdict == "unjudged"
    lines = run("revalidate").stdout
    assert f"{breach}: kept unjudged; by cardmate-2000 it is irregular" in lines
