"""House rules in the tag HouseRules: waived moves are remarks, on every machine and for every viewer."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from cartulary.engine import Refused
from cartulary.engine.cards.draft import Draft, InOrder
from cartulary.engine.contract import Clause
from cartulary.notation import dumps, examine, loads
from cartulary.notation.arbiter.story import story, story_parts
from cartulary.records import api
from cartulary.records.exchange.archive import read_archive
from cartulary.records.faults import Unfit
from cartulary.records.log.store import Store

WAIVED = "jump | chess.reach | waived | 2026-11-01 | the board | Kings may jump"
CITED = "house rule jump: Kings may jump (the board, 2026-11-01)"


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        yield opened


def opened(store: Store, rules: str) -> None:
    api.open_game(store, api.NewRequest("chess", id="g", tags={"HouseRules": rules}))


def test_a_move_under_a_waived_rule_is_stored_as_a_remark_that_cites_the_house_rule(store: Store) -> None:
    opened(store, WAIVED)
    answers = api.play(store, "g", api.WordsRequest(("e4", "e5", "Ke3")))
    assert [answer.verdict for answer in answers] == ["legal"] * 3
    report = api.load(store, "g").examined.report
    assert report.verdict == "legal"
    [found] = [finding for finding in report.findings if finding.key == "chess.reach"]
    assert found.severity == "remark"
    assert CITED in found.because
    assert found.rule


def test_a_rule_that_is_not_waived_is_still_refused(store: Store) -> None:
    opened(store, WAIVED.replace("chess.reach", "chess.checkmate"))
    api.play(store, "g", api.WordsRequest(("Ke3",)))
    assert api.load(store, "g").plies == 0


def test_under_a_remark_the_verdict_stays_and_the_house_rule_is_cited(store: Store) -> None:
    opened(store, WAIVED.replace("waived", "remark"))
    api.play(store, "g", api.WordsRequest(("Ke3",), stands=True))
    report = api.load(store, "g").examined.report
    assert report.verdict == "irregular"
    assert any(found.severity == "error" and CITED in found.because for found in report.findings)


def test_sheet_and_archive_give_the_same_verdict_elsewhere(store: Store, tmp_path: Path) -> None:
    opened(store, WAIVED)
    api.play(store, "g", api.WordsRequest(("Ke3",)))
    here = api.load(store, "g")
    [sheet] = loads(dumps(here.record))
    assert examine(sheet).report.verdict == "legal"
    archive = api.export_json(store, "g", log=True)
    with Store(tmp_path / "elsewhere.db", create=True) as elsewhere:
        api.take_in(elsewhere, read_archive(msgspec.json.encode(archive)))
        assert api.load(elsewhere, "g").examined.report.findings == here.examined.report.findings


@pytest.mark.parametrize(
    "text",
    [
        "zzz",
        WAIVED.replace("waived", "banned"),
        WAIVED + " || ",
        f"{WAIVED} || {WAIVED}",
        WAIVED.replace("reach", "raech"),
    ],
)
def test_a_tag_that_states_no_house_rule_opens_no_game(store: Store, text: str) -> None:
    with pytest.raises(Unfit, match="expected"):
        opened(store, text)
    assert list(store.ids()) == []


def test_no_house_rule_waives_what_cannot_be_applied_or_read() -> None:
    tags = f'[Game "Chess"]\n[HouseRules "{WAIVED}"]\n\n'
    for words in ("1. Ke1e9 *", "1. zzz *"):
        [sheet] = loads(tags + words)
        assert examine(sheet).report.verdict != "legal"


def test_the_story_of_a_waived_ply_is_legal_and_cites_both_rules(store: Store) -> None:
    opened(store, WAIVED)
    api.play(store, "g", api.WordsRequest(("e4", "e5", "Ke3")))
    account = story(api.load(store, "g").record, 3)
    parts = dict(story_parts(account))
    assert account.verdict == "legal"
    assert parts["then"] == f"legal: The king on e1 does not reach e3; {CITED}"
    assert parts["rule"].startswith("chess.reach: ")
    assert parts["now"] == "still legal"
    assert api.log(store, "g")[-1].says.endswith("played Ke1e3 (cgn.mark, chess.reach)")


def test_house_rules_are_not_changed_once_the_game_has_begun(store: Store) -> None:
    api.open_game(store, api.NewRequest("chess", id="g"))
    with pytest.raises(Unfit, match="HouseRules is not written by hand"):
        api.change_tags(store, "g", api.TagRequest({"HouseRules": WAIVED}))
    with pytest.raises(Unfit, match="HouseRules is not written by hand"):
        api.change_tags(store, "g", api.TagRequest({}, drop=("HouseRules",)))


@pytest.mark.parametrize("persons", [(), ("Ann",)])
def test_a_sheet_without_names_keeps_the_decision_but_not_who_decided_it(
    store: Store, persons: tuple[str, ...]
) -> None:
    rules = WAIVED.replace("the board", "Ann").replace("Kings may jump", "Ann says kings may jump")
    tags = {"HouseRules": rules}
    api.open_game(store, api.NewRequest("chess", id="g", tags=tags, players=("Ann", "Bea")))
    api.play(store, "g", api.WordsRequest(("e4", "e5", "Ke3")))
    nameless = api.Nameless(store, "person" if persons else "names", persons)
    record = api.load(nameless.as_store, "g").record
    assert record.tag("HouseRules") == "jump | chess.reach | waived | 2026-11-01 | p1 | ?"
    assert examine(record).report.verdict == "legal"


def test_a_waived_rule_does_not_hide_another_that_the_move_breaks(store: Store) -> None:
    opened(store, WAIVED)
    api.play(store, "g", api.WordsRequest(("a3", "d5", "h3", "d4")))
    [answer] = api.play(store, "g", api.WordsRequest(("Ke3",)))
    assert (answer.verdict, api.load(store, "g").plies) == ("refused", 4)
    assert [(found.severity, found.key) for found in answer.findings if found.key != "cgn.mark"] == [
        ("error", "chess.king-attacked"),
        ("remark", "chess.reach"),
    ]
    [preview] = api.judge_words(api.load(store, "g"), ("Ke3",))
    assert preview.findings == answer.findings
    api.play(store, "g", api.WordsRequest(("Ke3",), stands=True))
    game = api.load(store, "g")
    assert game.examined.report.verdict == "irregular"
    account = story(game.record, 5)
    assert (account.verdict, [rule.key for rule in account.rules]) == ("refused", ["chess.king-attacked"])
    assert any(CITED in text for label, text in story_parts(account) if label == "remark")
    [sheet] = loads(dumps(game.record))
    assert [found.key for found in examine(sheet).report.findings if found.severity == "error"] == [
        "chess.king-attacked"
    ]


def test_two_waived_rules_are_both_cited(store: Store) -> None:
    both = f"{WAIVED} || brave | chess.king-attacked | waived | 2026-11-02 | Ann | Kings are brave"
    opened(store, both)
    api.play(store, "g", api.WordsRequest(("a3", "d5", "h3", "d4")))
    [answer] = api.play(store, "g", api.WordsRequest(("Ke3",)))
    assert answer.verdict == "legal"
    assert [(found.severity, found.key) for found in answer.findings if found.key != "cgn.mark"] == [
        ("remark", "chess.reach"),
        ("remark", "chess.king-attacked"),
    ]
    cited = [found.because.partition("house rule ")[2] for found in answer.findings if "house rule" in found.because]
    assert cited == ["jump: Kings may jump (the board, 2026-11-01)", "brave: Kings are brave (Ann, 2026-11-02)"]


def test_a_word_carried_out_step_by_step_says_what_else_it_breaks() -> None:
    rules: list[Clause[Any, Any]] = [Clause(f"x.{name}", name, "here") for name in ("first", "second", "third")]
    first, second, third = rules
    for kind, verdict, others in ((Draft, first, [second, third]), (InOrder, third, [first, second])):
        draft = kind()
        for clause in (third, first, second, first):
            draft.refuse(clause, clause.says)
        refused = draft.verdict(tuple(rules))
        assert isinstance(refused, Refused)
        assert (refused.clause, [each.clause for each in refused.others]) == (verdict, others)
