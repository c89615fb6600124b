"""Substitutes: who sat where, from which ply on, through take-backs, corrections, sheets and redacted exports."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notation import dumps, loads
from cartulary.notation.seatings import Tenure, sitters_text, sitting, tenures
from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.faults import Declined, Fault, Unfit
from cartulary.records.log.store import Store
from tests.cli.test_live import Run
from tests.cli.test_live import run as run
from tests.hunts import budget

SEATS = ("Seat1", "Seat2")
NEW = api.NewRequest("Ludo", id="g", players=("Ann", "Bea"), unjudged=True)


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        yield opened


@pytest.fixture
def evening(store: Store) -> Store:
    """Return a store with a game of four plies."""
    api.open_game(store, NEW)
    api.play(store, "g", api.WordsRequest(("a", "b", "c", "d")))
    return store


def seat(store: Store, place: str, player: str, ply: int = 0, **more: Any) -> api.SeatAnswer:
    return api.seat_player(store, "g", api.SeatRequest(place=place, player=player, ply=ply, **more))


def sat(store: Store, id: str = "g") -> list[list[tuple[int, str]]]:
    """Return who sat at each seat of a game, read from its events alone."""
    return [[(each.since, each.name) for each in one] for one in tenures(api.load(store, id).record, SEATS)]


def test_the_record_knows_who_sat_where_when(evening: Store) -> None:
    answer = seat(evening, "p2", " Fay\u00a0Lee ", 3)
    assert answer.sat == (Tenure(0, "Bea"), Tenure(3, "Fay Lee"))
    seat(evening, "P2", "Gus")
    record = api.load(evening, "g").record
    assert sat(evening) == [[(0, "Ann")], [(0, "Bea"), (3, "Fay Lee"), (5, "Gus")]]
    assert [sitting(record, SEATS, ply) for ply in (0, 1, 2, 3, 4)] == [
        ("Ann", "Bea"),
        ("Ann", "Bea"),
        ("Ann", "Fay Lee"),
        ("Ann", "Fay Lee"),
        ("Ann", "Gus"),
    ]
    api.change_tags(evening, "g", api.TagRequest(tags={"p2": "Bea Berg"}))
    assert sat(evening)[1] == [(0, "Bea Berg"), (3, "Fay Lee"), (5, "Gus")]


def test_naming_who_sat_there_before_takes_a_substitution_back(evening: Store) -> None:
    seat(evening, "p2", "Fay", 3)
    seat(evening, "p2", "Bea", 3)
    assert sat(evening)[1] == [(0, "Bea")]
    seat(evening, "p2", "Fay", 3)
    seat(evening, "p2", "Bea", 4)
    assert sat(evening)[1] == [(0, "Bea"), (3, "Fay"), (4, "Bea")]
    seat(evening, "p2", "Fia", 3)
    assert sat(evening)[1] == [(0, "Bea"), (3, "Fia"), (4, "Bea")]


@pytest.mark.parametrize(
    ("place", "player", "ply", "because"),
    [
        ("p3", "Fay", 3, "'p3' is not a seat of g; expected p1 or p2"),
        ("table", "Fay", 3, "'table' is not a seat of g"),
        ("p2", " ", 3, "Nobody is named"),
        ("p2", "Fay", 6, "There is no ply 6 in g; it has 4 plies"),
        ("p2", "Fay", -1, "There is no ply -1 in g"),
        ("p2", "Fay", 1, "is named by its tag: `tag g Seat2=…`"),
        ("p2", "Bea", 3, "Bea sits at p2 of g already"),
        ("p2", "a\nb", 3, "line break"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_stored(
    evening: Store, place: str, player: str, ply: int, because: str
) -> None:
    before = evening.head("g")
    with pytest.raises((Unfit, Declined), match=because.replace("(", r"\(")):
        seat(evening, place, player, ply)
    assert evening.head("g") == before


def test_a_command_that_is_repeated_seats_nobody_twice(evening: Store) -> None:
    first = seat(evening, "p2", "Fay", 3, command="k")
    version = api.load(evening, "g").head.version
    assert seat(evening, "p2", "Fay", 3, command="k") == first
    assert api.load(evening, "g").head.version == version
    with pytest.raises(Declined, match="already used"):
        seat(evening, "p2", "Gus", 3, command="k")


def test_corrections_and_take_backs_move_a_substitution_with_its_ply(evening: Store) -> None:
    seat(evening, "p1", "Fay", 4)
    api.amend(evening, "g", api.AmendRequest(2, ("x",), plies=0))
    assert sat(evening)[0] == [(0, "Ann"), (5, "Fay")]
    api.amend(evening, "g", api.AmendRequest(4, (), plies=1))
    assert sat(evening)[0] == [(0, "Ann"), (4, "Fay")]
    api.amend(evening, "g", api.AmendRequest(3, ("y",)))
    assert sat(evening)[0] == [(0, "Ann"), (4, "Fay")]
    api.take_back(evening, "g", api.UndoRequest(3))
    assert sat(evening)[0] == [(0, "Ann"), (2, "Fay")]
    api.take_back(evening, "g", api.UndoRequest(1))
    assert sat(evening)[0] == [(0, "Fay")]


def test_redo_seats_everybody_again_where_they_sat_down(evening: Store) -> None:
    seat(evening, "p2", "Fay", 3)
    seat(evening, "p2", "Gus", 4)
    before = sat(evening)
    api.take_back(evening, "g", api.UndoRequest(3))
    assert sat(evening)[1] == [(0, "Bea"), (2, "Gus")]
    api.redo(evening, "g", api.RedoRequest())
    assert sat(evening) == before
    api.take_back(evening, "g", api.UndoRequest(3))
    seat(evening, "p2", "Hal")
    api.redo(evening, "g", api.RedoRequest())
    assert sat(evening)[1] == [(0, "Bea"), (2, "Hal"), (3, "Fay"), (4, "Gus")]


def test_the_log_says_it_and_a_seat_reads_it(run: Run) -> None:
    new = ("new", "tarot", "--variant", "fft", "--seats", "4", "--id", "g")
    run(*new, "-p", "Ada", "-p", "Bela", "-p", "Carl", "-p", "Dora")
    run("move", "g", "Pass", "Pass")
    assert run("seat", "g", "p4", "-p", "Fay").stdout == "g: p4: Dora, from ply 3 on Fay\n"
    assert "p4: Fay sat down after event 4" in run("log", "g").stdout
    assert "p4: Fay sat down after event 4" in run("log", "g", "--seat", "p1").stdout
    assert "p4 Fay" in run("show", "g", "--seat", "p1").stdout
    assert "p4 Dora" in run("show", "g", "--at", "1").stdout
    assert "{[%seat p4 Fay]}" in run("export", "g", "--seat", "p1").stdout
    assert "Dora, from ply 3 on Fay" in run("export", "g", "--format", "html").stdout
    assert "only the program writes" in run("note", "g", "1", "[%seat p4 Gus]", code=2).stderr


def test_a_sheet_carries_it_and_is_known_again(evening: Store, tmp_path: Path) -> None:
    seat(evening, "p2", 'Fay "F." ]L}'.replace("}", ""), 3)
    seat(evening, "p1", "Gus")
    api.annotate(evening, "g", api.NoteRequest(2, "a word"))
    sheet = dumps(api.export_cgn(evening, "g", headed=False))
    with Store(tmp_path / "other.db", create=True) as other:
        [taken] = api.import_records(other, loads(sheet))
        [again] = api.import_records(other, loads(sheet))
        assert (taken.status, again.status, again.id) == ("new", "known", taken.id)
        assert sat(other, taken.id) == sat(evening)
        assert dumps(api.export_cgn(other, taken.id, headed=False)) == sheet
        assert [each for each in api.load(other, taken.id).book.plies if "[%seat" in " ".join(each.note.comments)] == []


def test_an_unreadable_command_stays_a_comment(store: Store) -> None:
    sheet = '[Game "Ludo"]\n[Rules "none"]\n[Seat1 "Ann"]\n[Seat2 "Bea"]\n\na {[%seat p9 Fay] [%seat Gus]} b *\n'
    [taken] = api.import_records(store, loads(sheet))
    assert sat(store, taken.id) == [[(0, "Ann")], [(0, "Bea")]]
    assert "[%seat p9 Fay] [%seat Gus]" in dumps(api.export_cgn(store, taken.id))


@pytest.mark.parametrize("level", ["names", "texts", "Fay"])
def test_a_redacted_export_leaves_the_name_out_and_proves_the_same_head(run: Run, level: str, tmp_path: Path) -> None:
    run("new", "cardmate", "--id", "g", "-p", "Ada", "-p", "Bela")
    run("move", "g", "4Ci3", "4Db6")
    run("seat", "g", "p2", "-p", "Fay Lee")
    run("move", "g", "8Dj2")
    head = run("verify", "g").stdout.partition("head ")[2].split()[0]
    path = str(tmp_path / "r.json")
    run("export", "g", "--log", "--redact", level, "-o", path)
    assert "Fay" not in (tmp_path / "r.json").read_text()
    assert f"head {head}" in run("verify", path).stdout
    assert "Fay" not in run("export", "g", "--redact", level, "--log").stdout


STEPS = st.one_of(
    st.tuples(st.just("play"), st.integers(1, 3)),
    st.tuples(st.just("undo"), st.integers(1, 3)),
    st.tuples(st.just("remove"), st.integers(0, 5)),
    st.tuples(st.just("insert"), st.integers(0, 5)),
    st.tuples(st.just("change"), st.integers(0, 5)),
    st.tuples(st.just("seat"), st.integers(1, 2), st.integers(0, 6), st.sampled_from("ABFG")),
)


class Model:
    """Who sat down after each ply, the simplest way: a dict for each place between plies."""

    def __init__(self) -> None:
        self.after: list[dict[int, str]] = [{}]

    def merge(self, first: int, last: int) -> None:
        """Take plies away; whoever sat down after them sat down before them."""
        for _ in range(first, last + 1):
            self.after[first - 1] = {**self.after[first - 1], **self.after.pop(first)}

    def sat(self, seat: int, name: str) -> list[tuple[int, str]]:
        found = [(0, name)]
        for ply, down in enumerate(self.after):
            if seat in down and not ply:
                found = [(0, down[seat])]
            elif seat in down and down[seat] != found[-1][1]:
                found.append((ply + 1, down[seat]))
        return found


@budget(40)
@given(st.lists(STEPS, max_size=14))
def test_who_sat_where_is_what_a_plain_list_says_after_any_corrections(steps: list[Any]) -> None:
    model = Model()
    with TemporaryDirectory() as folder, Store(Path(folder) / "games.db", create=True) as store:
        api.open_game(store, NEW)
        for kind, *values in steps:
            plies = len(model.after) - 1
            at = values[-1] % plies + 1 if plies and isinstance(values[-1], int) else 0
            if kind == "play":
                api.play(store, "g", api.WordsRequest(("w",) * values[0]))
                model.after += [{} for _ in range(values[0])]
            elif kind == "undo" and plies:
                many = min(values[0], plies)
                api.take_back(store, "g", api.UndoRequest(many))
                model.merge(plies - many + 1, plies)
            elif kind == "remove" and at:
                api.amend(store, "g", api.AmendRequest(at, (), plies=1))
                model.merge(at, at)
            elif kind == "insert" and at:
                api.amend(store, "g", api.AmendRequest(at, ("i",), plies=0))
                model.after.insert(at, {})
            elif kind == "change" and at:
                api.amend(store, "g", api.AmendRequest(at, ("c",)))
            elif kind == "seat":
                number, ply, name = values
                try:
                    seat(store, f"p{number}", name, ply)
                except Fault:
                    continue
                where = (ply or plies + 1) - 1
                before = model.sat(number, ("Ann", "Bea")[number - 1])
                shown = [who for since, who in before if since <= where]
                model.after[where].pop(number, None)
                if name != shown[-1]:
                    model.after[where][number] = name
        assert sat(store) == [model.sat(1, "Ann"), model.sat(2, "Bea")]
        sheet = dumps(api.export_cgn(store, "g", headed=False))
        if len(model.after) > 1:
            [taken] = api.import_records(store, loads(sheet))
            assert sat(store, taken.id) == sat(store)


def test_who_sat_at_a_seat_is_said_in_words() -> None:
    assert sitters_text((Tenure(0, "Dan"), Tenure(12, "Fay"))) == "Dan, from ply 12 on Fay"


def test_a_seat_that_looks_sees_who_sits_there(evening: Store) -> None:
    seat(evening, "p2", "Fay", 3)
    seen = api.see_game(api.load(evening, "g"), Seat(1))
    assert sitting(seen.record, SEATS) == ("Ann", "Fay")


def test_a_seat_is_named_by_who_sits_there(evening: Store) -> None:
    assert seat(evening, "bea", "Fay", 3, command="c").seat == 2
    assert seat(evening, "bea", "Fay", 3, command="c").seat == 2
    assert seat(evening, "Fay", "Gil", 4).seat == 2
    assert sat(evening)[1] == [(0, "Bea"), (3, "Fay"), (4, "Gil")]
    assert seat(evening, "Bea", "Fia", 3).seat == 2
    api.rename_person(evening, api.RenameRequest(name="Ann", to="Anna"))
    assert seat(evening, "Anna", "Hal", 3).seat == 1


def test_who_sits_nowhere_or_at_two_seats_names_no_seat(evening: Store) -> None:
    because = "'Zoe' is not a seat of g; expected p1 or p2, or the name of who sits there, such as `seat g p1 -p Fay`"
    with pytest.raises(Unfit, match=because):
        seat(evening, "Zoe", "Fay", 3)
    seat(evening, "p1", "Bea", 3)
    with pytest.raises(Unfit, match="'Bea' is not a seat of g"):
        seat(evening, "Bea", "Fay", 4)
    seat(evening, "p1", "?", 4)
    with pytest.raises(Unfit, match=r"'\?' is not a seat of g"):
        seat(evening, "?", "Fay", 4)
