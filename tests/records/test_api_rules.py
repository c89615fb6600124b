"""Records of games whose rules are another's: with several numbers of seats, or not installed here at all."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from cartulary.notation import AnyGame, dumps, loads, roster
from cartulary.notation.contract import numbered_seats
from cartulary.notation.roster import GAMES
from cartulary.records import api
from cartulary.records.exchange import archive
from cartulary.records.faults import Declined, Unfit, UninstalledGame
from cartulary.records.log.store import Store
from cartulary.records.state.games import load


def seatmate(**changes: Any) -> AnyGame:
    """Give Cardmate as if it could be played by two or four, under another name."""
    called: dict[str, Any] = {"key": "seatmate", "title": "Seatmate", "seats": (2, 4), "seat_tags": numbered_seats}
    game = GAMES["cardmate"]
    return replace(game, about=replace(game.about, **called, **changes))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "seatmate", seatmate())


def seats(store: Store, id: str) -> tuple[int, int]:
    """Give the seats the game was opened with, and those it is judged with."""
    game = load(store, id)
    assert game.examined.heading.sheet is not None
    return game.book.seats, game.examined.heading.sheet.seats


# --- seats ---


@pytest.mark.parametrize(
    ("players", "asked", "count"),
    [((), 0, 2), (("A",), 0, 2), (("A", "B", "C", "D"), 0, 4), ((), 4, 4), (("A", "B"), 4, 4)],
)
def test_a_game_has_as_many_seats_as_were_asked_for(
    installed: None, store: Store, players: tuple[str, ...], asked: int, count: int
) -> None:
    api.open_game(store, api.NewRequest("seatmate", id="g", players=players, seats=asked))
    assert seats(store, "g") == (count, count)
    named = (*players, *("?",) * (count - len(players)))
    [listed] = api.games(store)
    assert listed.players == "; ".join(named)


def test_seats_a_game_has_not_are_declined(installed: None, store: Store) -> None:
    with pytest.raises(Unfit, match="Seatmate needs 2 or 4 seats, not 3"):
        api.open_game(store, api.NewRequest("seatmate", seats=3))
    with pytest.raises(Unfit, match="Cardmate needs 2 seats, not 4"):
        api.open_game(store, api.NewRequest("cardmate", seats=4))
    with pytest.raises(Unfit, match="2 seats were asked for, but the tags name 4"):
        api.open_game(store, api.NewRequest("seatmate", seats=2, tags={"Seat3": "C", "Seat4": "D"}))
    with pytest.raises(Unfit, match="3 players were named, but the game has 2 seats"):
        api.open_game(store, api.NewRequest("seatmate", players=("A", "B", "C")))


def test_tags_do_not_change_how_many_seats_there_are(installed: None, store: Store) -> None:
    api.open_game(store, api.NewRequest("seatmate", id="g", players=("A", "B")))
    with pytest.raises(Unfit, match="g has no Seat3; expected one of its seats: Seat1, Seat2"):
        api.change_tags(store, "g", api.TagRequest({"Seat3": "C"}))
    with pytest.raises(Unfit, match="names a seat"):
        api.change_tags(store, "g", api.TagRequest({}, drop=("Seat2",)))
    api.change_tags(store, "g", api.TagRequest({"Seat2": "Z"}))
    assert seats(store, "g") == (2, 2)


def test_a_sheet_for_four_that_names_nobody_stays_one_for_four(installed: None, store: Store) -> None:
    named = "".join(f'[Seat{number} "?"]\n' for number in range(1, 5))
    [answer] = api.import_records(store, loads(f'[Game "Seatmate"]\n{named}\n1. 4Ci3 *\n'))
    assert seats(store, answer.id) == (4, 4)
    assert api.import_records(store, loads(dumps(api.export_cgn(store, answer.id)))).__next__().status == "known"


# --- rules that are not here ---


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    """Give a database in which one of three games is of rules that are not installed any more."""
    with pytest.MonkeyPatch.context() as patch, Store(tmp_path / "elsewhere.db") as other:
        patch.setitem(GAMES, "seatmate", seatmate())
        api.open_game(other, api.NewRequest("cardmate", id="a", players=("Ada",)))
        api.open_game(other, api.NewRequest("seatmate", id="b", players=("Bela", "Ida"), tags={"Event": "Club"}))
        api.open_game(other, api.NewRequest("cardmate", id="c"))
        api.play(other, "b", api.WordsRequest(("4Ci3",)))
        patch.undo()
        yield other


def test_a_record_of_a_game_that_is_not_installed_is_named(elsewhere: Store) -> None:
    for ask in (
        lambda: load(elsewhere, "b"),
        lambda: api.play(elsewhere, "b", api.WordsRequest(("4Db6",))),
        lambda: api.export_cgn(elsewhere, "b"),
        lambda: api.record_of(elsewhere, "b"),
    ):
        with pytest.raises(UninstalledGame, match="b is a game of seatmate, which is not installed here"):
            ask()
    assert api.verify(elsewhere, "b").fault == ""
    assert len(api.log(elsewhere, "b")) == 3


def test_a_game_whose_package_fails_to_load_is_named_with_the_reason(
    elsewhere: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(point: EntryPoint) -> None:
        raise ImportError("no module named heaps")

    points = [EntryPoint(key, "package:GAME", roster.ENTRY_POINTS) for key in ("seatmate", "sea-war")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    monkeypatch.setattr(EntryPoint, "load", fail)
    reason = r"The game {} of the package .* cannot be loaded: ImportError: no module named heaps\.$"
    roster._installed.cache_clear()
    try:
        with pytest.raises(UninstalledGame, match=f"^b cannot be judged here. {reason.format('seatmate')}"):
            load(elsewhere, "b")
        for name in ("sea-war", "Sea war"):
            with pytest.raises(Unfit, match=f"^{reason.format('sea-war')}"):
                api.open_game(elsewhere, api.NewRequest(name))
            with pytest.raises(Unfit, match=f"^{reason.format('sea-war')}"):
                api.search(elsewhere, api.Query(game=name))
    finally:
        roster._installed.cache_clear()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"edition": "seatmate-2031"}, "seatmate in the edition cardmate-2000, which is not installed"),
        ({"variants": ("fast",)}, "seatmate in the variant predefined, which is not installed"),
    ],
)
def test_an_edition_or_variant_that_is_not_installed_is_named(
    elsewhere: Store, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], says: str
) -> None:
    monkeypatch.setitem(GAMES, "seatmate", seatmate(**changes))
    with pytest.raises(UninstalledGame, match=says):
        api.play(elsewhere, "b", api.WordsRequest(("4Db6",)))


def test_the_list_keeps_a_game_that_is_not_installed_and_names_it(elsewhere: Store) -> None:
    written, faults = api.reindex(elsewhere)
    assert (written, [str(fault) for fault in faults]) == (3, ["b is a game of seatmate, which is not installed here."])
    [listed] = [each for each in api.games(elsewhere) if each.id == "b"]
    assert (listed.game, listed.event, listed.players) == ("seatmate", "Club", "Bela; Ida")
    assert (listed.plies, listed.verdict, listed.version) == (1, "unreadable", 3)


def test_an_archive_of_a_game_that_is_not_installed_is_kept(
    elsewhere: Store, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "seatmate", seatmate())
        text = msgspec.json.encode(api.export_json(elsewhere, "b", log=True))
    answer = api.take_in(store, archive.read_archive(text))
    assert (answer.status, answer.because) == ("new", "b is a game of seatmate, which is not installed here.")
    assert store.stream("b") == elsewhere.stream("b")
    monkeypatch.setitem(GAMES, "seatmate", seatmate())
    assert api.play(store, "b", api.WordsRequest(("4Db6",)))[0].verdict == "legal"
    with pytest.raises(Declined):
        api.take_back(store, "b", api.UndoRequest(9))


def test_the_commands_name_a_game_that_is_not_installed_and_go_on(
    elsewhere: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_DB", str(elsewhere.path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "seatmate", seatmate())
        (tmp_path / "b.json").write_bytes(msgspec.json.encode(api.export_json(elsewhere, "b", log=True)))

    def typed(*words: str) -> Result:
        return CliRunner().invoke(build(), list(words))

    says = "b is a game of seatmate, which is not installed here."
    for words in (("export", "--all"), ("reindex",), ("move", "b", "4Db6"), ("export", "b"), ("show", "b")):
        result = typed(*words)
        assert (result.exit_code, says in result.stderr) == (2, True), words
    assert len(loads(typed("export", "--all").stdout)) == 2
    assert typed("verify", "--all").exit_code == 0
    kept = typed("import", str(tmp_path / "b.json"), "--db", str(tmp_path / "new.db"))
    assert (kept.exit_code, "b, new, 3 events" in kept.stdout) == (1, True)
    assert f"{says} It is kept, and cannot be judged." in kept.stderr
