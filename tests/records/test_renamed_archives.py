"""Archives that use one id for different games are brought together under new ids."""

from pathlib import Path

import msgspec
import pytest

from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.exchange.archive import Archive, RenamedArchive, export_json, read_archive, take_in
from cartulary.records.exchange.redaction import export_redacted
from cartulary.records.faults import Damaged, Declined
from cartulary.records.log.store import Store
from tests.records.archives import Run


def club(path: Path, first: str, words: tuple[str, ...]) -> Archive:
    """Return the archive of a game ``final`` of a club with a database of its own."""
    with Store(path, create=True) as store:
        api.open_game(store, api.NewRequest("chess", id="final", players=(first, "Bea")))
        api.play(store, "final", api.WordsRequest(words))
        return read_archive(msgspec.json.encode(export_json(store, "final", log=True)))


@pytest.fixture
def other(tmp_path: Path) -> Archive:
    return club(tmp_path / "other.db", "Zoe", ("d4", "d5"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    club(tmp_path / "games.db", "Ann", ("e4", "e5"))
    return Store(tmp_path / "games.db")


def test_without_rename_the_refusal_names_the_option_and_nothing_changes(store: Store, other: Archive) -> None:
    head = store.head("final")
    with pytest.raises(Damaged, match="differs from the one in the archive; --rename"):
        take_in(store, other)
    assert (store.head("final"), list(store.ids())) == (head, ["final"])


def test_the_newcomer_gets_a_new_id_and_its_log_verifies(store: Store, other: Archive) -> None:
    answer = take_in(store, other, rename=True)
    assert answer == RenamedArchive("final-2", "new", 4, renamed_from="final")
    assert api.load(store, "final").words == ("e4", "e5")
    assert api.load(store, "final-2").words == ("d4", "d5")
    assert api.verify(store, "final-2").fault == ""
    assert take_in(store, other, rename=True) == RenamedArchive("final-2", "known", 4, renamed_from="final")
    third = club(Path(store.path).with_name("third.db"), "Yan", ("c4",))
    assert take_in(store, third, rename=True).id == "final-3"


def test_a_renamed_game_that_went_on_here_is_known(store: Store, other: Archive) -> None:
    take_in(store, other, rename=True)
    api.play(store, "final-2", api.WordsRequest(("c4",)))
    assert take_in(store, other, rename=True).status == "known"
    assert len(api.load(store, "final-2").words) == 3


def test_a_longer_archive_of_a_renamed_game_extends_it_and_is_no_third_game(store: Store, tmp_path: Path) -> None:
    shorter = club(tmp_path / "other.db", "Zoe", ("d4", "d5"))
    take_in(store, shorter, rename=True)
    with Store(tmp_path / "other.db") as there:
        api.play(there, "final", api.WordsRequest(("c4",)))
        longer = read_archive(msgspec.json.encode(export_json(there, "final", log=True)))
    with pytest.raises(Damaged, match="final-2 here ends at event 4, but the archive goes on; --extend"):
        take_in(store, longer, rename=True)
    assert take_in(store, longer, rename=True, extend=True).status == "extended"
    assert api.load(store, "final-2").words == ("d4", "d5", "c4")
    assert api.verify(store, "final-2").fault == ""
    for archive in (shorter, longer):
        assert take_in(store, archive, rename=True) == RenamedArchive("final-2", "known", 5, renamed_from="final")


def test_a_record_that_a_seat_has_agreed_with_keeps_its_id(store: Store, tmp_path: Path) -> None:
    club(tmp_path / "other.db", "Zoe", ("d4", "d5"))
    with Store(tmp_path / "other.db") as there:
        api.close(there, "final", api.CloseRequest("1-0", termination="resignation"))
        api.agree(there, "final", api.AgreeRequest(), Seat(1))
        archive = read_archive(msgspec.json.encode(export_json(there, "final", log=True)))
    with pytest.raises(Declined, match="A seat has agreed with the record of final"):
        take_in(store, archive, rename=True)
    assert list(store.ids()) == ["final"]


def test_a_ruling_and_what_was_set_aside_follow_the_new_id(store: Store, tmp_path: Path) -> None:
    club(tmp_path / "other.db", "Zoe", ("d4", "d5"))
    with Store(tmp_path / "other.db") as there:
        api.rule(there, "final", api.RulingRequest((1,), arbiter="Dora", decision="stands", penalties={"p1": "warned"}))
        api.set_aside(there, "final", api.AsideRequest(reason="twice"))
        archive = read_archive(msgspec.json.encode(export_json(there, "final", log=True)))
    take_in(store, archive, rename=True)
    game = api.load(store, "final-2")
    assert [entry.command.arbiter for entry in game.book.rulings] == ["Dora"]
    assert game.book.set_aside


def test_a_copy_of_the_same_game_is_not_renamed(store: Store, tmp_path: Path) -> None:
    same = read_archive(msgspec.json.encode(export_json(store, "final", log=True)))
    assert take_in(store, same, rename=True).status == "known"
    api.play(store, "final", api.WordsRequest(("Nf3",)))
    with Store(tmp_path / "copy.db", create=True) as copy:
        take_in(copy, same)
        api.play(copy, "final", api.WordsRequest(("Nc3",)))
        astray = read_archive(msgspec.json.encode(export_json(copy, "final", log=True)))
    with pytest.raises(Damaged, match="From event 5 on"):
        take_in(store, astray, rename=True)


def test_a_log_with_bodies_left_out_keeps_its_id(store: Store, tmp_path: Path) -> None:
    club(tmp_path / "third.db", "Zoe", ("d4",))
    with Store(tmp_path / "third.db") as third:
        redacted = read_archive(msgspec.json.encode(export_redacted(third, "final").archive))
    with pytest.raises(Declined, match="only be imported under its own id"):
        take_in(store, redacted, rename=True)


def test_the_terminal_says_which_id_it_got(run: Run, other: Archive, tmp_path: Path) -> None:
    run("new", "chess", "--id", "final", "-p", "Ann", "-p", "Bea")
    file = tmp_path / "other.json"
    file.write_bytes(msgspec.json.encode(other))
    assert "--rename imports that one under a new id" in run("import", str(file), code=3).stderr
    assert "final is another game here; this one is final-2; heads and" in run("import", str(file), "--rename").stderr
    assert '"renamed_from":"final"' in run("import", str(file), "--rename", "--json").stdout
