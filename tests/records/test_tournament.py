"""Evenings as tournaments: what is exported is what engines accept, and a report is taken in once."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from msgspec.structs import replace

from cartulary.records import api
from cartulary.records.exchange.trf import Tournament, read_tournament, write_tournament
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.store import Store
from tests.hunts import budget
from tests.records.archives import Run, runner
from tests.records.test_trf import OPEN, tournaments

Table = api.SetTableRequest


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db", create=True) as opened:
        yield opened


def engine_reads(text: str) -> dict[int, list[str]]:
    """Read a report as strictly as a pairing engine does, and return the cells of each player.

    Written from what bbpPairings refuses: short lines, columns that are no numbers, results that do not go with the
    opponent, pairs that contradict one another, points that are not the sum, numbers that are missing, and too few
    rounds.
    """
    points = {"1": 10, "+": 10, "U": 10, "F": 10, "=": 5, "H": 5, "0": 0, "-": 0, "Z": 0}
    players: dict[int, list[tuple[int, str, str]]] = {}
    sums: dict[int, int] = {}
    [rounds] = [int(line[4:]) for line in text.splitlines() if line.startswith("XXR ")]
    for line in text.splitlines():
        if not line.startswith("001"):
            assert re.match(r"(012|022|032|042|052|062|092|102|112|122|132|XXR|XXC|###) ", line), line
            continue
        assert len(line) >= 84
        number = int(line[4:8])
        assert number not in players
        assert number > 0
        int(line[48:52].strip() or 0)
        sums[number] = round(float(line[80:84]) * 10)
        cells = players[number] = []
        assert (len(line) - 89) % 10 == 0, line
        for at in range(91, len(line), 10):
            cell = line[at - 2 : at + 8]
            assert re.fullmatch(r"  (0000 - [HFUZ]|[ \d]{3}\d [wb] [10=+-])", cell), cell
            cells.append((int(cell[2:6]), cell[7], cell[9]))
    assert sorted(players) == list(range(1, len(players) + 1))
    last = max((at for cells in players.values() for at, (other, _, _) in enumerate(cells, 1) if other), default=0)
    assert last < rounds
    for number, cells in players.items():
        assert sum(points[result] for _, _, result in cells[:last]) == sums[number]
        assert last <= len(cells) <= last + 1
        for at, (other, colour, result) in enumerate(cells):
            if other:
                back, colour_back, result_back = players[other][at]
                assert (back, colour_back) == (number, {"w": "b", "b": "w"}[colour])
                assert points[result] + points[result_back] in (0, 10)
    return {
        number: [f"{other} {colour} {result}" for other, colour, result in cells] for number, cells in players.items()
    }


def played(store: Store, round: int, *games: tuple[str, str, str], title: str = "Spring") -> None:
    for white, black, result in games:
        table = api.set_table(store, Table(evening=title, game="chess", players=(white, black), round=round)).table
        if result:
            words, _, how = result.partition(" ")
            api.close(store, table.game, api.CloseRequest(words, termination=how))


@pytest.fixture
def spring(store: Store) -> Store:
    api.open_evening(store, api.OpenEveningRequest(title="Spring", date="2026.11.27", place="Dijon", rounds=5))
    names = ("Ann", "Bea", "Cy", "Di", "Éva")
    api.record_presence(store, api.PresenceRequest(evening="Spring", persons=names))
    api.set_bye(store, api.ByeRequest(evening="Spring", persons=("Éva",), round=1, kind="half"))
    played(store, 1, ("Ann", "Cy", "1-0"), ("Di", "Bea", "1/2-1/2"))
    api.set_bye(store, api.ByeRequest(evening="Spring", persons=("Cy",), round=2, kind="pairing"))
    played(store, 2, ("Ann", "Di", "0-1"), ("Bea", "Éva", "1-0 forfeit"))
    return store


def report(store: Store, title: str = "Spring") -> str:
    return write_tournament(api.tournament_report(store, title))


def test_an_evening_is_written_as_engines_read_it(spring: Store) -> None:
    text = report(spring)
    assert engine_reads(text) == {
        1: ["3 w 1", "4 w 0"],
        2: ["4 b =", "5 w +"],
        3: ["1 b 0", "0 - U"],
        4: ["2 w =", "1 b 1"],
        5: ["0 - H", "2 b -"],
    }
    assert text.splitlines()[:7] == [
        "012 Spring",
        "022 Dijon",
        "042 2026/11/27",
        "052 2026/11/27",
        "062 5",
        f"{'132':91}26/11/27  26/11/27",
        "XXR 5",
    ]
    assert api.tournament_report(spring, "Spring").remarks == ()
    ranks = {player.name: (player.points, player.rank) for player in api.tournament_report(spring, "Spring").players}
    assert ranks == {"Ann": ("1.0", 3), "Bea": ("1.5", 1), "Cy": ("1.0", 4), "Di": ("1.5", 2), "Éva": ("0.5", 5)}


def test_who_left_or_has_a_bye_is_not_paired_in_the_next_round(spring: Store) -> None:
    api.record_presence(spring, api.PresenceRequest(evening="Spring", persons=("Ann",), left=True))
    api.set_bye(spring, api.ByeRequest(evening="Spring", persons=("Di",), kind="half"))
    api.record_presence(spring, api.PresenceRequest(evening="Spring", persons=("Fay",)))
    cells = engine_reads(report(spring))
    assert (cells[1][2], cells[4][2]) == ("0 - Z", "0 - H")
    assert cells[6] == ["0 - Z", "0 - Z"]
    assert [len(cells[number]) for number in (2, 3, 5)] == [2, 2, 2]


def test_before_the_first_round_the_report_names_the_players(store: Store) -> None:
    api.open_evening(store, api.OpenEveningRequest(title="Spring", rounds=3))
    api.record_presence(store, api.PresenceRequest(evening="Spring", persons=("Ann", "Bea")))
    assert engine_reads(report(store)) == {1: [], 2: []}
    assert "XXC white1\n" in report(store)
    assert "if the lot says so" in api.tournament_report(store, "Spring").remarks[0]
    last = store.last()
    assert api.take_tournament(store, read_tournament(report(store).encode())).stored
    assert store.last() == last
    black = report(store).replace("XXC white1", "XXC black1")
    assert api.take_tournament(store, read_tournament(black.encode())).stored
    assert "XXC black1\n" in report(store)
    assert "white1" not in report(store)


def test_an_own_report_taken_in_again_adds_nothing(spring: Store) -> None:
    last, text = spring.last(), report(spring)
    answer = api.take_tournament(spring, read_tournament(text.encode()))
    assert [(each.status, each.id) for each in answer.answers] == [
        *(("known", "spring-1-1"), ("known", "spring-1-2"), ("known", "spring-2-1"), ("known", "spring-2-2"))
    ]
    assert (answer.stored, spring.last(), report(spring)) == (True, last, text)


def test_a_report_taken_in_elsewhere_is_the_same_report(spring: Store, tmp_path: Path) -> None:
    api.record_presence(spring, api.PresenceRequest(evening="Spring", persons=("Ann",), left=True))
    text = report(spring)
    with Store(tmp_path / "elsewhere.db", create=True) as elsewhere:
        answer = api.take_tournament(elsewhere, read_tournament(text.encode()))
        assert [each.status for each in answer.answers] == ["new"] * 4
        assert report(elsewhere) == text
        last = elsewhere.last()
        again = api.take_tournament(elsewhere, read_tournament(text.encode()))
        assert [each.status for each in again.answers] == ["known"] * 4
        assert (elsewhere.last(), report(elsewhere)) == (last, text)
        game = api.load(elsewhere, answer.answers[0].id)
        tags = {name: game.record.tag(name) for name in ("Game", "Event", "Site", "Date", "Round", "Board", "White")}
        assert tags == {
            "Game": "Chess",
            "Event": "Spring",
            "Site": "Dijon",
            "Date": "2026.11.27",
            "Round": "1",
            "Board": "1",
            "White": "Ann",
        }


def test_a_report_of_another_program_keeps_what_it_says(store: Store) -> None:
    answer = api.take_tournament(store, read_tournament(OPEN.encode()))
    assert (answer.evening, answer.persons, answer.remarks) == ("Spring open", 5, ())
    evening = api.evening_of(store, "Spring open")
    assert [entrant.name for entrant in evening.entrants] == ["Dupont, Anne", "Müller, Bea", "Cy", "Di", "Éva"]
    assert (evening.date, evening.place, evening.rounds, evening.last_round) == ("2026.11.27", "Dijon", 5, 2)
    assert [(bye.round, bye.person, bye.kind) for bye in evening.byes] == [(1, "Cy", "half"), (2, "Éva", "pairing")]
    assert api.load(store, evening.tables[1].game).book.termination == "forfeit"
    assert sorted(report(store, "Spring open").splitlines()) == sorted(OPEN.splitlines())


def test_start_numbers_are_those_of_the_file_even_if_others_came_first(store: Store) -> None:
    api.open_evening(store, api.OpenEveningRequest(title="Spring open"))
    api.record_presence(store, api.PresenceRequest(evening="Spring open", persons=("Zoe", "Éva", "Di")))
    api.take_tournament(store, read_tournament(OPEN.encode()))
    names = [entrant.name for entrant in api.evening_of(store, "Spring open").entrants]
    assert names == ["Dupont, Anne", "Müller, Bea", "Cy", "Di", "Éva", "Zoe"]


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("3 w 1", "3 w 0", "Ann and Cy have 0-1, but at table 1 of round 1, spring-1-1, Ann and Cy have 1-0."),
        ("3 w 1", "3 b 1", "Cy and Ann have 0-1, but at table 1 of round 1, spring-1-1, Ann and Cy have 1-0."),
        ("3 w 1", "2 w 1", "Round 1 has Ann and Bea, but here Ann and Cy are at table 1 of round 1, spring-1-1."),
    ],
)
def test_a_report_that_contradicts_the_evening_stores_nothing(spring: Store, old: str, new: str, because: str) -> None:
    text = report(spring)
    swapped = {"3 w 1": {"3 w 0": ("1 b 0", "1 b 1"), "3 b 1": ("1 b 0", "1 w 0")}}.get(old, {}).get(new)
    text = text.replace(old, new)
    if swapped:
        text = text.replace(*swapped)
    else:  # Ann meets Bea instead, and Cy meets Di
        text = text.replace("   1 b 0  0000", "   4 b =  0000").replace("   4 b =     5", "   1 b 0     5")
        text = text.replace("   2 w =", "   3 w =")
    last = spring.last()
    answer = api.take_tournament(spring, read_tournament(text.encode()))
    assert any(because in each.because for each in answer.answers), [each.because for each in answer.answers]
    assert (answer.stored, spring.last()) == (False, last)


def test_a_game_that_is_open_here_is_named_with_the_command_that_closes_it(spring: Store) -> None:
    played(spring, 3, ("Ann", "Bea", ""))
    remarks = api.tournament_report(spring, "Spring").remarks
    assert remarks == (
        "At table 1 of round 3, spring-3-1, the game is not decided, so its result is blank; pairing engines refuse "
        "that.",
    )
    text = report(spring)
    answer = api.take_tournament(spring, read_tournament(text.encode()))
    assert answer.remarks[-1].endswith("the game of Ann and Bea in round 3 has no result, and is left out.")
    ann, bea = (line for line in text.splitlines() if re.match(r"001    [12]", line))
    text = text.replace(ann, f"{ann} 1".replace("w  1", "w 1")).replace(bea, f"{bea} 0")
    answer = api.take_tournament(spring, read_tournament(text.encode()))
    assert "is still open; close it with `close spring-3-1 1-0`" in answer.answers[-1].because
    assert not answer.stored


def test_a_game_that_came_with_its_moves_is_the_game_of_the_report(store: Store) -> None:
    moves = (
        '[Event "Spring open"]\n[Date "2026.11.27"]\n[Round "1"]\n[White "Dupont, Anne"]\n[Black "Müller, Bea"]\n'
        '[Result "1-0"]\n\n1. e4 e5 1-0\n'
    )
    from cartulary.notation import loads

    [taken] = api.import_records(store, loads(moves))
    answer = api.take_tournament(store, read_tournament(OPEN.encode()))
    assert [each.status for each in answer.answers] == ["known", "new", "new", "new"]
    assert api.evening_of(store, "Spring open").table_at(1, 1).game == taken.id  # type: ignore[union-attr]


def test_a_long_name_is_cut_and_known_again(store: Store) -> None:
    long = "Wolfeschlegelsteinhausenbergerdorff the Elder"
    api.open_evening(store, api.OpenEveningRequest(title="Spring", rounds=3))
    played(store, 1, (long, "Bea", "1-0"))
    tournament = api.tournament_report(store, "Spring")
    assert "is written as Wolfeschlegelsteinhausenbergerdor," in tournament.remarks[0]
    last = store.last()
    answer = api.take_tournament(store, read_tournament(write_tournament(tournament).encode()))
    assert ([each.status for each in answer.answers], store.last()) == (["known"], last)
    played(store, 2, (long.replace("Elder", "Younger"), "Bea", "1-0"))
    with pytest.raises(Declined, match="Two names are both Wolfe"):
        api.tournament_report(store, "Spring")


def test_two_players_of_one_name_are_refused_with_their_lines(store: Store) -> None:
    text = OPEN.replace("Di ", "Cy ")
    with pytest.raises(Declined, match="Lines 14 and 15 both name Cy"):
        api.take_tournament(store, read_tournament(text.encode()))
    assert store.last() == 0


def test_other_games_of_two_are_written_and_read(store: Store, tmp_path: Path) -> None:
    api.open_evening(store, api.OpenEveningRequest(title="Spring", rounds=3))
    for players in (("Ann", "Bea"), ("Cy", "Di")):
        table = api.set_table(store, Table(evening="Spring", game="draughts", players=players)).table
        api.close(store, table.game, api.CloseRequest("1/2-1/2"))
    text = report(store)
    engine_reads(text)
    assert "### Game: Draughts\n" in text
    with Store(tmp_path / "elsewhere.db", create=True) as elsewhere:
        answer = api.take_tournament(elsewhere, read_tournament(text.encode()))
        assert api.load(elsewhere, answer.answers[0].id).record.tag("Game") == "Draughts"
        assert report(elsewhere) == text


def test_what_is_no_game_of_two_is_refused(store: Store) -> None:
    api.open_evening(store, api.OpenEveningRequest(title="Spring"))
    api.set_table(store, Table(evening="Spring", game="tarot", players=tuple("ABCD"), variant="fft"))
    with pytest.raises(Unfit, match="is Tarot with 4 persons; a tournament report needs games of two"):
        report(store)


def test_who_has_two_tables_in_a_round_is_refused(spring: Store) -> None:
    played(spring, 2, ("Cy", "Di", "1-0"))
    with pytest.raises(Declined, match="Di has two tables in round 2 of Spring"):
        report(spring)


def test_unrated_games_stay_unrated(store: Store) -> None:
    text = OPEN.replace("2 w 1", "2 w W").replace("1 b 0  ", "1 b L  ")
    api.take_tournament(store, read_tournament(text.encode()))
    assert "   2 w W" in report(store, "Spring open")


def test_a_report_without_days_invents_none(store: Store) -> None:
    lines = [line for line in OPEN.splitlines(True) if line[:3] not in ("042", "052", "132")]
    answer = api.take_tournament(store, read_tournament("".join(lines).encode()))
    assert api.load(store, answer.answers[0].id).record.tag("Date") == "????.??.??"
    assert not [line for line in report(store, "Spring open").splitlines() if line[:3] in ("042", "052", "132")]


@pytest.mark.parametrize(
    ("first", "last", "day"),
    [
        ("2026/11/27", "2026/11/27", "2026.11.27"),
        ("2026/11/27", "2026/11/29", "2026.11.??"),
        ("2026/11/27", "2026/12/02", "2026.??.??"),
        ("2026/12/27", "2027/01/02", "????.??.??"),
    ],
)
def test_a_round_without_a_day_has_what_is_known_of_it(store: Store, first: str, last: str, day: str) -> None:
    text = OPEN.replace("042 2026/11/27", f"042 {first}").replace("052 2026/11/28", f"052 {last}")
    text = "".join(line for line in text.splitlines(True) if line[:3] != "132")
    answer = api.take_tournament(store, read_tournament(text.encode()))
    assert api.load(store, answer.answers[0].id).record.tag("Date") == day


@budget(40)
@given(tournaments())
def test_any_report_is_the_same_after_it_was_taken_in(drawn: Tournament) -> None:
    names = (" ".join(f"{each.number} {each.name}"[:33].split()) for each in drawn.players)
    numbered = (replace(each, name=name) for each, name in zip(drawn.players, names, strict=True))
    text = write_tournament(replace(drawn, title="Open", game="", players=tuple(numbered)))
    with TemporaryDirectory() as folder, Store(Path(folder) / "games.db", create=True) as store:
        answer = api.take_tournament(store, read_tournament(text.encode()))
        assert answer.stored
        first = api.tournament_report(store, "Open")
        written = read_tournament(text.encode()).players
        rounds = [at for each in written for at, entry in enumerate(each.rounds, 1) if entry.opponent]
        last = max(rounds, default=0)
        assert [(each.name, each.rounds[:last]) for each in first.players] == [
            (each.name, each.rounds[:last]) for each in written
        ]
        position = store.last()
        again = api.take_tournament(store, read_tournament(write_tournament(first).encode()))
        assert {each.status for each in again.answers} <= {"known"}
        assert store.last() == position
        assert api.tournament_report(store, "Open") == first


# --- typed ---


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return runner(tmp_path / "typed.db")


def test_a_report_as_it_is_typed(run: Run, tmp_path: Path) -> None:
    file, out = tmp_path / "open.trf", tmp_path / "out.trf"
    file.write_bytes(OPEN.replace("\n", "\r\n").encode("latin-1"))
    tried = run("import", "--dry-run", str(file))
    assert "4 games: 4 new; nothing was stored" in tried.stderr
    assert "There is no evening" in run("evening", "Spring open", code=2).stderr
    taken = run("import", str(file))
    assert "was read as Windows-1252" in taken.stderr
    assert taken.stdout.splitlines()[-1] == "Spring open: 5 persons"
    assert "4 games: 4 new" in taken.stderr
    assert "4 games: 4 known" in run("import", str(file)).stderr
    run("export", "--event", "Spring open", "--format", "trf", "-o", str(out))
    assert "already exists" in run("export", "--event", "Spring open", "-o", str(out), code=2).stderr
    assert read_tournament(out.read_bytes()).players == read_tournament(OPEN.encode()).players


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (("--format", "trf"), "A tournament report is of one evening; give --event NAME"),
        (("--format", "trf", "--event", "Spring", "--date", "2026"), "neither games nor other filters"),
        (("--format", "trf", "--event", "Spring"), "There is no evening 'Spring'"),
        (("--format", "trf", "--event", "Spring", "--redact", "names"), "--redact cannot go with trf"),
    ],
)
def test_what_is_typed_wrongly_is_a_sentence(run: Run, words: tuple[str, ...], because: str) -> None:
    run("evening", "open", "Autumn")
    assert because in " ".join(run("export", *words, code=2).stderr.split())


def test_of_a_report_that_contradicts_no_game_is_counted_as_new(run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "first.trf", tmp_path / "second.trf"
    lines = OPEN.splitlines(True)
    first.write_text("".join(line[:99].rstrip() + "\n" if line[:3] == "001" else line for line in lines))
    second.write_text(OPEN.replace("   2 w 1  ", "   2 w 0  ").replace("   1 b 0  ", "   1 b 1  "))
    run("import", str(first))
    answer = run("import", str(second), code=1)
    assert "have 0-1, but at table 1 of round 1" in " ".join(answer.stderr.split())
    assert "2 games: 1 known, 1 declined" in answer.stderr
    assert "Spring open: 5 persons; nothing was stored" in answer.stdout
    assert "1 round, 2 tables" in run("evenings").stdout


def test_a_file_at_fault_is_named_and_stores_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "open.trf"
    file.write_text(OPEN.replace("3 b 1", "3 b X"))
    answer: Any = run("import", str(file), code=2)
    assert "line 12, column 109" in " ".join(answer.stderr.split()).lower()
    assert "There is no evening" in run("evening", "Spring open", code=2).stderr
