"""Importing one's own export of any format adds nothing; a copy that went on elsewhere is named."""

from pathlib import Path

import pytest

from cartulary.notation import dumps, load, loads
from cartulary.records import api
from cartulary.records.log.store import Store
from tests.cli.test_live import Run
from tests.cli.test_live import run as run
from tests.places import SAMPLES


@pytest.fixture
def season(store: Store) -> Store:
    """Give a log with live records, corrected ones, results, and imported games of several kinds."""
    for game, ending in (("cardmate", "cgn"), ("tarot", "cgn"), ("chess", "cgn"), ("draughts", "cgn")):
        for path in sorted((SAMPLES / game / "games").glob(f"*.{ending}"))[:3]:
            list(api.import_records(store, load(str(path)), path=str(path)))
    players = ("Ada", "Bela")
    api.open_game(store, api.NewRequest("cardmate", id="live", players=players))
    api.play(store, "live", api.WordsRequest(("4Ci3", "4Db6", "8Dj2")))
    api.take_back(store, "live", api.UndoRequest())
    api.change_tags(store, "live", api.TagRequest(tags={"Event": "Cup"}))
    api.open_game(store, api.NewRequest("chess", id="resigned", players=players))
    api.play(store, "resigned", api.WordsRequest(("e4", "e5", "Resign")))
    api.open_game(store, api.NewRequest("draughts", id="short", players=players))
    api.play(store, "short", api.WordsRequest(("11-15",)))
    api.record_result(store, api.ResultRequest("Canasta", ("Ada=5000", "Bela=4300"), id="canasta"))
    api.record_result(store, api.ResultRequest("Hanabi", ("Ada", "Bela", "Cy"), table="won", id="hanabi"))
    return store


@pytest.mark.usefixtures("season")
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("season.cgn", ()),
        ("season.cgn", ("--log",)),
        ("season.cgn", ("--redact", "names", "--keep-named")),
        ("season.cgn", ("--redact", "texts", "--keep-named")),
        ("season.pgn", ()),
        ("season.pdn", ()),
        ("season.sgf", ()),
        ("season.json", ()),
        ("season.json", ("--log",)),
        ("season.db", ()),
    ],
)
def test_an_export_of_this_log_adds_nothing(run: Run, tmp_path: Path, name: str, options: tuple[str, ...]) -> None:
    before = run("list", "--json").stdout
    out = tmp_path / name
    games_left_out = name in ("season.pgn", "season.pdn", "season.sgf")
    run("export", "--all", *options, "-o", str(out), code=1 if games_left_out else 0)
    done = run("import", str(out), code=1 if name == "season.cgn" else 0)
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith(" known"), last
    assert " new" not in last
    assert run("list", "--json").stdout == before


def exported(store: Store, id: str) -> str:
    return dumps(api.export_cgn(store, id))


def imported(store: Store, text: str) -> "api.ImportedGame":
    [answer] = api.import_records(store, loads(text))
    return answer


def test_an_export_of_an_earlier_state_is_known(season: Store) -> None:
    text = exported(season, "live")
    api.play(season, "live", api.WordsRequest(("8Dj2",)))
    api.change_tags(season, "live", api.TagRequest(tags={"Event": "League"}))
    answer = imported(season, text)
    assert (answer.id, answer.status) == ("live", "known")


def test_a_copy_that_was_changed_is_kept_and_names_its_game(season: Store) -> None:
    text = exported(season, "live")
    answer = imported(season, text.replace("Bela", "Beate"))
    assert answer.status == "new"
    assert answer.because == "it was exported from live, and something in it has been changed since"
    assert answer.id in season.ids()
    assert imported(season, text.replace("Bela", "Beate")).status == "known"


def test_a_copy_that_went_on_elsewhere_is_kept_and_named(season: Store, tmp_path: Path) -> None:
    archive = api.export_json(season, "live", log=True)
    with Store(tmp_path / "elsewhere.db", create=True) as elsewhere:
        api.take_in(elsewhere, archive)
        api.play(elsewhere, "live", api.WordsRequest(("8Dj2",)))
        text = exported(elsewhere, "live")
    answer = imported(season, text)
    assert answer.status == "new"
    assert answer.because == "it is a copy of live that went on elsewhere, to event 8; live here ends at event 7"


def test_another_game_of_the_same_players_and_day_is_new(season: Store) -> None:
    text = exported(season, "canasta")
    head, _, rest = text.partition("[Game")
    assert imported(season, "[Game" + rest).status == "known", head
    assert imported(season, "[Game" + rest.replace("4300", "4200")).status == "new"
