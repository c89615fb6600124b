"""A score is numbers: nobody's name, and no card, stands in one."""

import json

import msgspec
import pytest
from msgspec.structs import replace

from cartulary.notation import GAMES, Points, as_seen, dumps, examine, loads
from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.exchange.redaction import export_redacted
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.events import GameClosed
from cartulary.records.log.store import Store
from tests.games.heaps import HEAPS, Heaps
from tests.records.archives import Run
from tests.records.test_declined import opened


@pytest.mark.parametrize("score", ["Zorah Quill:1", "1", "1:2:3", "1:x", "1:", "1:1e9", "1:1/0", ":", "١:1", "nan:1"])
def test_a_score_is_as_many_numbers_as_there_are_seats(run: Run, store: Store, score: str) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="c", players=("Zorah Quill", "Bela")))
    words = ("close", "c", "1-0", "--termination", "adjudication", "--score")
    result = run(*words, score, code=2)
    assert "The score cannot be kept" in result.stderr
    assert "expected 2 numbers such as 1:1" in result.stderr
    run(*words, "-3:1/2")
    assert '[Score "-3:1/2"]' in run("export", "c").stdout


def test_a_name_an_early_version_took_for_a_score_is_found_and_shown_to_no_seat(store: Store) -> None:
    opened(store)
    closed = GameClosed(at="2026-11-22T00:00:00.000Z", result="*", termination="abandoned", score="Ada:1")
    head = store.head("g")
    assert head is not None
    store.append("g", head, [closed])
    assert [(one.field, one.names) for one in export_redacted(store, "g").leftovers] == [("score", ("Ada",))]
    assert "Ada:1" not in dumps(api.export_cgn(store, "g", Seat(1)))
    assert "Ada:1" not in json.dumps([msgspec.to_builtins(line) for line in api.log(store, "g", Seat(1))])


def test_a_record_without_a_whole_deal_is_closed_only_with_a_result(store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="tarot", tags={"Variant": "fft"}, seats=4))
    with pytest.raises(Declined, match="is not decided by its moves; give its result"):
        api.close(store, "tarot", api.CloseRequest())
    api.play(store, "tarot", api.WordsRequest(("Garde", "Pass", "Pass", "Pass", "~,~,~,~,~,~-", "JS")))
    with pytest.raises(Declined, match="is not decided by its moves; give its result"):
        api.close(store, "tarot", api.CloseRequest())
    assert api.close(store, "tarot", api.CloseRequest("*", termination="abandoned")).result == "*"


def test_a_record_of_deals_that_all_passed_is_closed_by_its_score(store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="tarot", tags={"Variant": "fft"}, seats=4))
    api.play(store, "tarot", api.WordsRequest(("Pass",) * 4))
    assert api.close(store, "tarot", api.CloseRequest()).result == "1/4-1/4-1/4-1/4"


THREE = '[Game "Tarot"]\n[Seat1 "Ada"]\n[Seat2 "Bela"]\n[Seat3 "Carl"]\n'


def test_a_tag_of_points_that_is_a_games_own_is_no_more_written_by_hand_than_its_score(store: Store) -> None:
    with pytest.raises(Unfit, match="The tag Pot is not written by hand"):
        api.open_game(store, api.NewRequest("tarot", id="tarot", tags={"Pot": "1:0:-1"}, seats=3))
    api.open_game(store, api.NewRequest("tarot", id="tarot", seats=3))
    with pytest.raises(Unfit, match="The tag Pot is not written by hand"):
        api.change_tags(store, "tarot", api.TagRequest({"Pot": "1:0:-1"}))
    api.open_game(store, api.NewRequest("cardmate", id="cardmate", tags={"Pot": "blue"}))


def test_a_tag_of_points_that_is_a_games_own_is_told_to_a_seat_and_on_paper_as_its_score_is(store: Store) -> None:
    for pot, answer in (("1:0:-1", True), ("Ada holds KH", False)):
        [record] = loads(f'{THREE}[Pot "{pot}"]\n\n*\n')
        assert (as_seen(record, 2).tag("Pot") == pot) is answer
    [taken] = api.import_records(store, loads(f'{THREE}[Pot "1:0:-1"]\n[Hall "blue"]\n\n*\n'))
    paper = api.score_sheet(store, taken.id)
    assert paper.points == (("Pot", "1:0:-1"),)
    assert dict(paper.about) == {"Hall": "blue"}


def test_points_are_asked_of_a_settled_state_only(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    points: Points[Heaps] = Points(
        tags=("Score",),
        write=lambda state: {"Score": f"{state.ply}:0"},
        tag_faults=lambda tags, result, state, ruled: (
            () if state.ply == 99 else (("Score", "heaps.enough", "it is not settled"),)
        ),
        shares=lambda state, ruled: (1, 1) if state.ply == 99 else None,
    )
    turns = replace(HEAPS.turns, settle=lambda state: replace(state, ply=99))
    monkeypatch.setitem(GAMES, "heaps", replace(HEAPS, points=points, turns=turns))
    api.open_game(store, api.NewRequest("heaps", id="e"))
    api.play(store, "e", api.WordsRequest(("3-2",)))
    assert api.close(store, "e", api.CloseRequest()).result == "1/2-1/2"
    sheet = api.export_cgn(store, "e")
    assert sheet.tag("Score") == "99:0"
    assert examine(sheet).report.verdict == "legal"
