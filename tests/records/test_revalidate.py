"""Judging stored games again: by another edition that is installed, and by rules that have changed since."""

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.engine import by_clauses, cardmate
from cartulary.notation import GAMES, AnyGame, load, loads, roster
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.library.search import Query
from cartulary.records.log.store import Store
from tests.records.archives import OPENING, Run, samples_in, sheet, taken_in

FREE = "cardmate-2030"
"""An edition in which nobody has to capture."""
BREACH = "3Cd3 4Db6 3Cd4 8Ca7 4Ci3 8Cc6 7Cb1 7Di8"
"""In the edition of 2000, p2 has to take on d4 at ply 8."""


def other_rules(edition: str) -> AnyGame:
    """Return Cardmate without the duty to capture."""
    game = GAMES["cardmate"]

    def clauses_for(state: cardmate.State, move: cardmate.Move) -> tuple[Any, ...]:
        return tuple(clause for clause in cardmate.clauses_for(state, move) if clause.key != "cardmate.follow-suit")

    play, judge = by_clauses(cardmate.CLAUSES, cardmate.apply, clauses_for=clauses_for)
    return replace(game, about=replace(game.about, edition=edition), rules=replace(game.rules, play=play, judge=judge))


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the other edition beside the first, as another package would."""
    monkeypatch.setitem(roster.GAMES, FREE, other_rules(FREE))


@pytest.mark.usefixtures("free")
def test_another_edition_is_held_against_the_one_of_the_record(store: Store) -> None:
    legal, breach = taken_in(store, sheet(), sheet(BREACH))
    others = samples_in(store, ("tarot",))
    judged = api.revalidate(store, FREE)
    assert (judged.games, judged.faults) == (2, ())
    [changed] = judged.changes
    assert (changed.id, changed.before, changed.after) == (breach, "irregular", "legal")
    assert (changed.edition_before, changed.edition) == ("cardmate-2000", FREE)
    assert (changed.old, changed.new) == (((8, "error", "cardmate.follow-suit"),), ())
    assert legal
    assert others


def test_an_edition_another_package_installs_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    [id] = taken_in(store, sheet(BREACH))
    monkeypatch.setattr(EntryPoint, "load", lambda point: other_rules(FREE))
    point = EntryPoint(FREE, "elsewhere:game", roster.ENTRY_POINTS)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: (point,))
    roster._installed.cache_clear()
    try:
        assert [changed.id for changed in api.revalidate(store, FREE).changes] == [id]
    finally:
        roster._installed.cache_clear()
        roster.GAMES.pop(FREE, None)


@pytest.mark.usefixtures("free")
def test_the_edition_of_the_record_changes_nothing(store: Store) -> None:
    ids = samples_in(store, ("cardmate",))
    assert api.revalidate(store, "cardmate-2000") == api.revalidate(store, "cardmate-2000")
    assert (api.revalidate(store, "cardmate-2000").games, api.revalidate(store, "cardmate-2000").changes) == (
        len(ids),
        (),
    )


def test_samples_of_every_game_are_judged_as_they_were_written(store: Store) -> None:
    ids = samples_in(store)
    judged = api.revalidate(store)
    assert (judged.games, judged.changes, judged.faults) == (len(ids), (), ())


def test_rules_that_changed_since_a_sheet_was_taken_in_are_seen_after_a_reindex_too(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    legal, breach = taken_in(store, sheet(), sheet(BREACH))
    monkeypatch.setitem(roster.GAMES, "cardmate", other_rules("cardmate-2000"))
    [changed] = api.revalidate(store).changes
    assert (changed.id, changed.before, changed.after) == (breach, "irregular", "legal")
    assert changed.old == ((8, "error", "cardmate.follow-suit"),)
    api.reindex(store)
    [changed] = api.revalidate(store).changes
    assert (changed.id, changed.before, changed.after) == (breach, "irregular", "legal")
    assert legal


def test_rules_that_changed_since_a_move_was_played_are_seen_after_a_reindex_too(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    for word in BREACH.split():
        api.play(store, "evening", api.WordsRequest((word,), stands=True))
    api.open_game(store, api.NewRequest("cardmate", id="quiet", players=("Ada", "Bela")))
    api.play(store, "quiet", api.WordsRequest(tuple(OPENING.split())))
    assert api.revalidate(store).changes == ()
    with monkeypatch.context() as patch:
        patch.setitem(roster.GAMES, "cardmate", other_rules("cardmate-2000"))
        api.reindex(store)
        [changed] = api.revalidate(store).changes
        assert (changed.id, changed.old) == ("evening", ((8, "error", "cardmate.follow-suit"),))
    api.reindex(store)
    assert api.revalidate(store).changes == ()


def test_corrections_and_rulings_are_no_change_of_the_rules(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    api.play(store, "evening", api.WordsRequest(tuple(BREACH.split()), stands=True))
    api.rule(
        store,
        "evening",
        api.RulingRequest((8,), arbiter="Dora", decision="stands", keys=("cardmate.follow-suit",), reason="late"),
    )
    assert api.revalidate(store).changes == ()
    api.take_back(store, "evening", api.UndoRequest(3))
    api.play(store, "evening", api.WordsRequest(tuple(BREACH.split()[5:]), stands=True))
    assert api.revalidate(store).changes == ()


def test_a_game_whose_edition_is_gone_is_told_by_what_it_was(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    [id] = taken_in(store, sheet(Edition="cardmate-2000"))
    monkeypatch.setitem(roster.GAMES, "cardmate", other_rules(FREE))
    [changed] = api.revalidate(store).changes
    assert (changed.id, changed.before, changed.after) == (id, "legal", "unreadable")
    assert (changed.edition_before, changed.edition) == ("cardmate-2000", "no edition installed here")


def test_a_query_narrows_what_is_judged(store: Store) -> None:
    samples_in(store, ("cardmate", "tarot"))
    assert api.revalidate(store, query=Query(game="tarot")).games == 7


def test_an_edition_nobody_installed_is_said(store: Store) -> None:
    with pytest.raises(
        Unfit, match=r"'cardmate-2031' is not installed here; expected one of: .*arcanoid-2026, .*cardmate-2000"
    ):
        api.revalidate(store, "cardmate-2031")


# --- the command ---


@pytest.mark.usefixtures("free")
def test_the_command_lists_what_changes_and_ends_with_one(run: Run, store: Store) -> None:
    _, breach = taken_in(store, sheet(), sheet(BREACH))
    clean = run("revalidate")
    assert clean.stdout == ""
    assert "2 games judged again; the verdict differs for none" in clean.stderr
    result = run("revalidate", "--edition", FREE, code=1)
    assert result.stdout.splitlines() == [
        f"{breach}: irregular by cardmate-2000, legal by {FREE}",
        "    no more ply 8: error cardmate.follow-suit",
    ]
    assert json.loads(run("revalidate", "--edition", FREE, "--json", code=1).stdout)["after"] == "legal"
    assert "is not installed here" in run("revalidate", "--edition", "none", code=2).stderr


def test_a_damaged_log_is_named_and_the_others_are_judged(run: Run, store: Store, db: Path) -> None:
    import sqlite3

    damaged, _ = taken_in(store, sheet(), sheet(Round="2"))
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("DROP TRIGGER events_are_not_edited")
    other.execute("UPDATE stored_events SET state = '{}' WHERE originator_id = ?", (damaged,))
    other.close()
    result = run("revalidate", code=3)
    assert f"Event 1 of {damaged}" in result.stderr
    assert "1 game judged again" in result.stderr


def test_a_sheet_that_was_cut_off_is_no_change_of_the_rules(store: Store) -> None:
    [cut] = api.import_records(store, loads(sheet().rstrip("*\n ") + " {and then"))
    assert cut.report.verdict == "unreadable"
    assert api.revalidate(store).changes == ()


def test_draughts_imported_when_results_were_read_the_other_way_round_are_named_until_mended(
    run: Run, store: Store, tmp_path: Path
) -> None:
    text = '[White "w"]\n[Black "b"]\n[Result "1-0"]\n[GameType "21"]\n\n1. 11-15 23-19 1-0\n'
    path = tmp_path / "old.pdn"
    path.write_text(text, "utf-8")
    [new] = api.import_records(store, load(path))
    [record] = load(path, results="white")
    [old] = api.import_records(store, [replace(record, source=replace(record.source, results=""))])
    assert (new.report.result, old.report.result) == ("1-0", "0-1")
    assert [(each.id, each.result, each.source) for each in api.revalidate(store).results] == [(old.id, "0-1", "1-0")]
    store.close()
    result = run("revalidate", code=1)
    assert f"{old.id}: the result is 0-1, but its PDN file means 1-0" in " ".join(result.stdout.split())
    run("reopen", old.id)
    run("close", old.id, "1-0")
    run("revalidate")
