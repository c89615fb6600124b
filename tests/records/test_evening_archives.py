"""An archive of all games carries the evenings: another log has them too, with the ids that their games got there."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from cartulary.records import api
from cartulary.records.exchange.asides import export_asides, take_in_aside
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.store import Store
from tests.records.archives import Run

Open, Table = api.OpenEveningRequest, api.SetTableRequest


def fill(path: Path, *players: str) -> None:
    with Store(path, create=True) as store:
        api.open_evening(store, Open(title="Spring", date="2026.11.27", place="Town hall"))
        api.set_table(store, Table(evening="Spring", game="chess", players=players))


def test_an_evening_is_carried_once_and_continued(tmp_path: Path) -> None:
    fill(tmp_path / "here.db", "Ann", "Bea")
    with Store(tmp_path / "here.db") as here, Store(tmp_path / "there.db", create=True) as there:
        [carried] = export_asides(here)
        assert take_in_aside(there, carried)[0] == "new"
        assert take_in_aside(there, carried)[0] == "known"
        assert api.evening_of(there, "Spring") == api.evening_of(here, "Spring")
        api.set_table(here, Table(evening="Spring", game="chess", players=("Cy", "Dora"), round=1))
        assert take_in_aside(there, next(export_asides(here)))[0] == "extended"
        assert take_in_aside(here, next(export_asides(there)))[0] == "known"
        assert api.evening_of(there, "Spring").tables == api.evening_of(here, "Spring").tables


def test_another_evening_of_the_same_name_stays_as_it_is(tmp_path: Path) -> None:
    fill(tmp_path / "here.db", "Ann", "Bea")
    fill(tmp_path / "there.db", "Cy", "Dora")
    with Store(tmp_path / "here.db") as here, Store(tmp_path / "there.db") as there:
        before = there.stream("@evening-spring")
        with pytest.raises(Declined, match="Another evening is called spring here"):
            take_in_aside(there, next(export_asides(here)))
        assert there.stream("@evening-spring") == before


def test_a_table_has_the_id_that_its_game_got(tmp_path: Path, run: Run) -> None:
    for name, players in (("here", ("Ann", "Bea")), ("there", ("Cy", "Dora"))):
        fill(tmp_path / f"{name}.db", *players)
    with Store(tmp_path / "there.db") as there:
        api.open_evening(there, Open(title="Autumn", date="2026.10.01"))
    archive = str(tmp_path / "all.jsonl")
    run("export", "--all", "--log", "-o", archive, "--db", str(tmp_path / "here.db"))
    with Store(tmp_path / "other.db", create=True) as other:
        api.open_game(other, api.NewRequest("chess", id="spring-1-1", players=("Eve", "Fay")))
    printed = run("import", archive, "--rename", "--db", str(tmp_path / "other.db"))
    assert "@evening-spring, new" in printed.stdout
    with Store(tmp_path / "other.db") as other:
        [table] = api.evening_of(other, "Spring").tables
        assert table.players == ("Ann", "Bea")
        assert table.game != "spring-1-1"
        assert '[White "Ann"]' in str(run("export", table.game, "--db", str(tmp_path / "other.db")).stdout)
    declined = run("import", archive, "--rename", "--db", str(tmp_path / "there.db"), code=1)
    assert "all.jsonl:1: Another evening is called spring here." in declined.stderr


def test_what_is_no_evening_is_refused(tmp_path: Path) -> None:
    fill(tmp_path / "here.db", "Ann", "Bea")
    with Store(tmp_path / "here.db") as here:
        [carried] = export_asides(here)
        for id in ("@evening-", "@evening-Spring", "@links"):
            with pytest.raises(Unfit, match="expected an archive of a game"):
                take_in_aside(here, replace(carried, id=id))
