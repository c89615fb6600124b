"""The club's house rules: added from a file, stated by the games that begin after, carried by archives."""

from pathlib import Path

import msgspec
import pytest

from cartulary.records import api
from cartulary.records.dates import today
from cartulary.records.exchange.archive import read_archive
from cartulary.records.exchange.asides import export_asides, take_in_aside
from cartulary.records.exchange.redaction import export_redacted
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.store import Store
from cartulary.records.state.house_rules import house_rules
from tests.records.archives import Run

JUMP = """
[[rule]]
key = "jump"
game = "chess"
rule = "chess.reach"
decision = "waived"
words = "Kings may jump"
by = "the board"
date = 2026-11-01
"""
ECART = """
[[rule]]
key = "ecart"
game = "tarot"
option = "ecart=fft"
words = "We discard as the federation does"
by = "Ann"
date = 2026-10-02
"""
TABLE = ("Ann", "Bea", "Cem", "Dee")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.db", create=True)


def add(store: Store, toml: str, command: str = "") -> None:
    api.add_house_rules(store, api.HouseRequest(toml, command=command))


def tags_of(store: Store, id: str) -> dict[str, str]:
    return dict(api.load(store, id).record.tags)


def test_games_that_begin_later_state_the_house_rules_and_earlier_ones_do_not(store: Store) -> None:
    api.open_game(store, api.NewRequest("chess", id="before"))
    add(store, JUMP + ECART)
    api.open_game(store, api.NewRequest("chess", id="after"))
    [refused] = api.play(store, "before", api.WordsRequest(("Ke3",)))
    [waived] = api.play(store, "after", api.WordsRequest(("Ke3",)))
    assert (refused.verdict, waived.verdict) == ("refused", "legal")
    assert any("house rule jump: Kings may jump (the board, 2026-11-01)" in each.because for each in waived.findings)
    assert "HouseRules" not in tags_of(store, "before")


def test_an_option_of_the_club_is_the_default_and_gives_way_to_what_is_asked_for(store: Store) -> None:
    add(store, ECART.replace("ecart=fft", "ecart=fft"))
    api.open_game(store, api.NewRequest("tarot", id="club", players=TABLE))
    api.open_game(store, api.NewRequest("tarot", id="own", players=TABLE, tags={"Options": "ecart=fft"}))
    assert tags_of(store, "club")["Options"] == "ecart=fft"
    assert tags_of(store, "club")["HouseRules"].startswith("ecart | - | option ecart=fft | 2026-10-02 | Ann |")
    assert "HouseRules" not in tags_of(store, "own")


def test_a_house_rule_that_is_withdrawn_holds_in_no_later_game(store: Store) -> None:
    add(store, JUMP)
    api.open_game(store, api.NewRequest("chess", id="held"))
    request = api.WithdrawHouseRuleRequest("Chess", "jump", command="w")
    assert api.withdraw_house_rule(store, request) == {}
    assert api.withdraw_house_rule(store, request) == {}
    api.open_game(store, api.NewRequest("chess", id="free"))
    assert "HouseRules" in tags_of(store, "held")
    assert "HouseRules" not in tags_of(store, "free")
    with pytest.raises(Declined, match="no house rule 'jump' of chess"):
        api.withdraw_house_rule(store, api.WithdrawHouseRuleRequest("chess", "jump"))


@pytest.mark.parametrize("date", ['"2026-11-01"', "2026-11-01T20:15:00", "2026-11-01 20:15:00Z"])
def test_a_date_may_be_a_text_or_have_a_time(store: Store, date: str) -> None:
    add(store, JUMP.replace("2026-11-01", date))
    assert [rule.date for rule in house_rules(store).values()] == ["2026-11-01"]


def test_the_same_file_twice_adds_nothing_and_a_new_decision_takes_the_place_of_the_old(store: Store) -> None:
    add(store, JUMP, command="x")
    head = store.head("@house")
    add(store, JUMP, command="x")
    add(store, JUMP)
    assert store.head("@house") == head
    with pytest.raises(Declined, match="command"):
        add(store, ECART, command="x")
    add(store, JUMP.replace("waived", "remark"))
    assert [rule.decision for rule in house_rules(store).values()] == ["remark"]


def test_a_command_of_which_one_rule_was_there_already_may_be_sent_again(store: Store) -> None:
    add(store, JUMP)
    for _ in range(2):
        add(store, JUMP + ECART, command="both")
    assert len(house_rules(store)) == 2
    with pytest.raises(Declined, match="both"):
        add(store, JUMP, command="both")


@pytest.mark.parametrize(
    ("toml", "because"),
    [
        ("", "states no house rules"),
        ("rule = []", r"expected one or more entries under \[\[rule\]\]"),
        (JUMP.replace('game = "chess"', ""), "names no game"),
        (JUMP.replace('"chess"', '"ches"'), "[Dd]id you mean"),
        (JUMP.replace("chess.reach", "chess.raech"), "did you mean chess.reach"),
        (JUMP.replace("waived", "allowed"), "expected waived or remark"),
        (JUMP.replace("2026-11-01", '"tomorrow"'), "date"),
        (JUMP.replace("2026-11-01", "2026"), "date"),
        (JUMP.replace('by = "the board"', ""), "by"),
        (JUMP.replace("Kings may", "Kings | may"), r"without \|"),
        (JUMP + JUMP, "written twice"),
        (JUMP + JUMP.replace('"jump"', '"hop"'), "both about chess.reach"),
        (ECART.replace("ecart=fft", "ecart=zz"), "cannot hold"),
        (ECART + 'rule = "tarot.follow"', "either option, or rule"),
        (JUMP + "colour = 1", "colour"),
    ],
)
def test_a_file_that_states_no_house_rules_is_refused_and_nothing_is_stored(
    store: Store, toml: str, because: str
) -> None:
    with pytest.raises(Unfit, match=because):
        add(store, toml)
    assert store.head("@house") is None


def test_an_archive_of_all_games_carries_them(store: Store, tmp_path: Path) -> None:
    add(store, JUMP)
    with Store(tmp_path / "elsewhere.db", create=True) as elsewhere:
        [carried] = list(export_asides(store))
        assert take_in_aside(elsewhere, carried) == ("new", 1)
        assert take_in_aside(elsewhere, carried) == ("known", 1)
        assert house_rules(elsewhere) == house_rules(store)


def test_a_house_rule_that_was_added_again_elsewhere_holds_here_too(store: Store, tmp_path: Path) -> None:
    add(store, JUMP)
    with Store(tmp_path / "elsewhere.db", create=True) as elsewhere:
        take_in_aside(elsewhere, next(export_asides(store)))
        api.withdraw_house_rule(store, api.WithdrawHouseRuleRequest("chess", "jump"))
        add(store, JUMP)
        assert take_in_aside(elsewhere, next(export_asides(store))) == ("extended", 3)
        assert house_rules(elsewhere) == house_rules(store) != {}
        assert take_in_aside(elsewhere, next(export_asides(store))) == ("known", 3)


def test_the_terminal_lists_adds_and_withdraws(run: Run, tmp_path: Path) -> None:
    assert run("house").stdout == "There are no house rules; `house add FILE` adds some.\n"
    (tmp_path / "club.toml").write_text(JUMP, "utf-8")
    line = "chess jump: waives chess.reach: Kings may jump (the board, 2026-11-01)\n"
    assert run("house", "add", str(tmp_path / "club.toml")).stdout == line
    assert run("house").stdout == line
    assert '"decision":"waived"' in run("house", "--json").stdout
    assert "expected one of jump" in run("house", "withdraw", "chess", "zz", code=1).stderr
    assert "Expected `house`" in run("house", "add", code=2).stderr
    assert "cannot be read" in run("house", "add", "nowhere.toml", code=2).stderr
    assert run("house", "withdraw", "chess", "jump").stdout == "There are no house rules; `house add FILE` adds some.\n"


@pytest.mark.parametrize(
    ("day", "stated"), [("2026.10.31", False), ("2026.11.01", True), ("2026.11.??", False), ("2026.12.??", True)]
)
def test_a_house_rule_holds_from_the_day_of_its_decision(store: Store, day: str, stated: bool) -> None:
    add(store, JUMP)
    api.open_game(store, api.NewRequest("chess", id="g", tags={"Date": day}))
    assert ("HouseRules" in tags_of(store, "g")) == stated


def test_a_house_rule_of_a_later_day_does_not_hold_yet(store: Store) -> None:
    add(store, JUMP.replace("2026-11-01", "2999-01-01"))
    api.open_game(store, api.NewRequest("chess", id="g"))
    assert "HouseRules" not in tags_of(store, "g")


def test_opening_a_game_again_is_harmless_after_the_house_rules_changed(store: Store) -> None:
    for game, rules in (("chess", JUMP), ("tarot", ECART)):
        request = api.NewRequest(game, id=game, command=f"open-{game}")
        first = api.open_game(store, request)
        add(store, rules)
        assert api.open_game(store, request) == first
        with pytest.raises(Declined, match="command"):
            api.open_game(store, api.NewRequest(game, id=game, command=f"open-{game}", tags={"Event": "Cup"}))


def test_the_last_of_two_house_rules_counts_where_archives_contradict(store: Store, tmp_path: Path) -> None:
    add(store, JUMP)
    [carried] = list(export_asides(store))
    with Store(tmp_path / "elsewhere.db", create=True) as elsewhere:
        add(elsewhere, JUMP.replace('"jump"', '"hop"').replace("waived", "remark"))
        assert take_in_aside(elsewhere, carried) == ("extended", 2)
        api.open_game(elsewhere, api.NewRequest("chess", id="g"))
        assert tags_of(elsewhere, "g")["HouseRules"].startswith("jump | chess.reach | waived |")


def test_the_terminal_shows_a_house_rule_with_the_rule_it_is_about(run: Run, tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(JUMP, "utf-8")
    line = run("house", "add", str(tmp_path / "club.toml")).stdout
    shown = run("house", "show", "jump").stdout
    assert shown.startswith(f"{line}chess.reach: ")
    assert run("house", "show", "Chess", "jump").stdout == shown
    assert "Did you mean jump?" in run("house", "show", "jmup", code=2).stderr
    assert "no house rule 'jump' of tarot" in run("house", "show", "tarot", "jump", code=2).stderr


def test_check_cites_the_house_rule_and_counts_no_breach(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text(JUMP)
    run("house", "add", str(file))
    run("new", "chess", "--id", "g", "-p", "Ann", "-p", "Bea")
    run("move", "g", "a3", "d5", "Ke3")
    printed = run("check", "g").stdout
    assert "remark chess.reach" in printed
    assert "house rule jump: Kings may jump (the board, 2026-11-01)" in printed
    assert printed.endswith("g#1: 0 open questions, 0 breaches, 1 ply under a house rule\n")
    assert "house rule jump" in run("check", "g", "--json").stdout
    run("move", "g", "d4", "h3", "--stands", code=1)
    assert run("check", "g", code=1).stdout.endswith("1 breach, 1 ply under a house rule\n")


GAZA = """
[[rule]]
key = "usa"
game = "arcanoid"
option = "gaza"
words = "The USA sits with us"
by = "Ann"
date = 2026-10-02
"""
CUT = """
[[rule]]
key = "cut"
game = "tarot"
words = "Who deals first is cut for"
by = "the board"
date = 2026-10-03
"""


def test_an_option_that_a_game_cannot_have_is_left_out_with_a_remark(run: Run, store: Store) -> None:
    add(store, GAZA + GAZA.replace("usa", "short").replace("gaza", "rounds=3"))
    refused = run("new", "arcanoid", "--id", "two", "-p", "Ann", "-p", "Bea", "--db", str(store.place))
    assert refused.stderr.startswith("cartulary: The house rule usa is left out: ")
    assert tags_of(store, "two")["Options"] == "rounds=3"
    assert tags_of(store, "two")["HouseRules"].startswith("short | - | option rounds=3 |")
    answer = api.open_game(store, api.NewRequest("arcanoid", id="four", seats=4))
    assert (answer.remarks, tags_of(store, "four")["Options"]) == ((), "gaza rounds=3")


def test_a_house_rule_in_words_alone_is_shown_and_cited_nowhere(run: Run, tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(CUT + CUT.replace('"cut"', '"round"'), "utf-8")
    lines = run("house", "add", str(tmp_path / "club.toml")).stdout
    line = "tarot cut: in words: Who deals first is cut for (the board, 2026-10-03)\n"
    assert lines == line + line.replace("cut:", "round:")
    assert run("house", "show", "cut").stdout == line
    run("new", "tarot", "--id", "g", "-p", "A", "-p", "B", "-p", "C", "-p", "D")
    assert "HouseRules" not in run("export", "g").stdout
    assert run("house", "add", str(tmp_path / "club.toml")).stdout == lines
    run("house", "withdraw", "tarot", "round")
    assert run("house").stdout == line


def test_an_archive_without_names_keeps_what_was_decided(store: Store, tmp_path: Path) -> None:
    add(store, JUMP + ECART)
    api.open_game(store, api.NewRequest("chess", id="g", players=("Ann", "Bea"), command="open"))
    api.play(store, "g", api.WordsRequest(("e4", "e5", "Ke3")))
    assert tags_of(store, "g")["HouseRules"].endswith("| the board | Kings may jump")
    api.withdraw_house_rule(store, api.WithdrawHouseRuleRequest("chess", "jump"))
    assert api.open_game(store, api.NewRequest("chess", id="g", players=("Ann", "Bea"), command="open")).version == 2
    for persons in ((), ("Ann",)):
        redacted = export_redacted(store, "g", "person" if persons else "names", persons)
        assert (redacted.leftovers, redacted.dropped_tags[:1]) == ((), (("Date", today()),) if persons else ())
        with Store(tmp_path / f"{len(persons)}.db", create=True) as elsewhere:
            api.take_in(elsewhere, read_archive(msgspec.json.encode(redacted.archive)))
            assert tags_of(elsewhere, "g")["HouseRules"] == "jump | chess.reach | waived | 2026-11-01 | ? | ?"
            report = api.load(elsewhere, "g").examined.report
            assert report.verdict == "legal"
            assert any("; house rule jump (2026-11-01)" in found.because for found in report.findings)
            assert str(api.load(elsewhere, "g").head) == str(api.load(store, "g").head)
