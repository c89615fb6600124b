"""Scores follow rulings: what the rules compute, then what each ruling in force has changed."""

import json
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cartulary.notation import Record, dumps, examine, loads
from cartulary.notation.arbiter.positions import Position, position_at
from cartulary.notation.arbiter.ruling_commands import RulingCommand
from cartulary.notation.arbiter.score_in_force import score_lines
from cartulary.notation.cgn.result import points_in
from cartulary.notation.drawing import draw
from cartulary.notation.picture import plain
from cartulary.notation.viewer import Everything, Seat, viewer_of_seat
from cartulary.records import api
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.events import RulingGiven
from cartulary.records.log.store import Store
from cartulary.records.log.topics import decode, encode
from cartulary.records.sheets import replay_frames
from cartulary.records.sheets.replay_frames import replay_source
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.games import load
from cartulary.records.state.seat_view import seen_game
from tests.places import SAMPLES
from tests.records.archives import Run

SHEET = (SAMPLES / "tarot" / "games" / "table-revoke.cgn").read_bytes()
RULES = (88, -264, 88, 88)
"""What the deal of the sheet comes to."""


@pytest.fixture
def id(store: Store) -> str:
    [answer] = api.import_records(store, loads(SHEET))
    return answer.id


def rule(store: Store, id: str, **given: object) -> api.RulingAnswer:
    decision = "penalty" if "penalties" in given else "revoked" if "revokes" in given else "score"
    return api.rule(store, id, api.RulingRequest(arbiter="R. Umpire", **{"decision": decision} | given))  # type: ignore[arg-type]


def in_force(game: LiveGame) -> str:
    return game.examined.ruled_score


def of(sheet: Record) -> tuple[str, str, list[str]]:
    """Return score and result of a sheet, and what is found wrong with either."""
    found = [each.key for each in examine(sheet).report.findings if each.ply == 0]
    return sheet.tag("Score"), sheet.tag("Result"), found


def test_a_number_is_taken_off_and_given_and_every_sheet_has_the_score_in_force(store: Store, id: str) -> None:
    answer = rule(store, id, penalties={"p3": "88"}, gives={"p1": "88"})
    assert [one.key for one in load(store, id).report.findings if one.ply == 0] == []
    assert [(line.by, line.says, line.score) for line in answer.score] == [
        ("", "the rules", "88:-264:88:88"),
        ("R. Umpire", "p3 -88, p1 +88", "176:-264:0:88"),
    ]
    for log in (False, True):
        sheet = api.export_cgn(store, id, log=log)
        assert of(sheet) == ("176:-264:0:88", "1-0-0-0", [])
        [again] = loads(dumps(sheet))
        assert examine(again).ruled_score == "176:-264:0:88"
        assert of(replace(again, tags=tuple(("Score", "88:-264:88:88") if t[0] == "Score" else t for t in again.tags)))[
            2
        ] == ["tarot.settlement"]
        assert of(replace(again, tags=tuple(("Result", "0-0-1-0") if t[0] == "Result" else t for t in again.tags)))[2]
    [hit] = api.search(store, api.Query())[0]
    assert hit.game.result == "1-0-0-0"
    on_paper = api.score_sheet(store, id)
    assert dict(on_paper.points)["Score"] == "176:-264:0:88"
    assert on_paper.score == answer.score


def test_a_ruling_that_is_revoked_takes_its_part_back(store: Store, id: str) -> None:
    first = rule(store, id, penalties={"p3": "88"}).ruling.number
    second = rule(store, id, gives={"p2": "1/2"}).ruling.number
    assert in_force(load(store, id)) == "88:-527/2:0:88"
    rule(store, id, revokes=first)
    assert in_force(load(store, id)) == "88:-527/2:88:88"
    rule(store, id, revokes=second)
    assert in_force(load(store, id)) == ""
    assert of(api.export_cgn(store, id)) == ("88:-264:88:88", "1/3-0-1/3-1/3", [])
    assert [ruling.holds for ruling in api.rulings_of(load(store, id))] == [False, False, True, True]
    with pytest.raises(Declined, match=f"Ruling {first} of .* has already been revoked"):
        rule(store, id, revokes=first)
    with pytest.raises(Declined, match="has no ruling 99; rulings given: 3, 4, 5, 6"):
        rule(store, id, revokes=99)


def test_what_a_revoked_ruling_let_stand_is_a_breach_again_and_its_dispute_open(store: Store, id: str) -> None:
    raised = api.dispute(store, id, api.DisputeRequest(17, by="p1", claim="he had a spade")).dispute.number
    given = api.rule(store, id, api.RulingRequest(arbiter="A", decision="stands", dispute=raised)).ruling.number
    assert load(store, id).report.verdict != "irregular"
    rule(store, id, revokes=given)
    game = load(store, id)
    assert game.report.verdict == "irregular"
    assert [one.status for one in api.disputes_of(game)] == ["open"]
    [there] = loads(dumps(api.export_cgn(store, id, log=True)))
    [answer] = api.import_records(store, [there])
    again = load(store, answer.id)
    assert again.report.verdict == "irregular"
    assert [one.status for one in api.disputes_of(again)] == ["open"]


def test_a_ply_that_stands_with_a_penalty_is_ruled_on_once(store: Store, id: str) -> None:
    rule(store, id, decision="stands", plies=[16, 17], penalties={"p3": "88"})
    for log in (False, True):
        [answer] = api.import_records(store, loads(dumps(api.export_cgn(store, id, log=log))))
        [ruling] = api.rulings_of(load(store, answer.id))
        assert (ruling.plies, ruling.decision, ruling.points) == ((16, 17), "stands", ((3, "-88"),))


def test_a_sheet_that_says_a_ruling_was_revoked_lets_nothing_stand(store: Store) -> None:
    text = SHEET.decode().replace("3... QS", '{[%ruling 17 stands revoked arbiter="A"]} 3... QS')
    assert text != SHEET.decode()
    [answer] = api.import_records(store, loads(text))
    assert load(store, answer.id).report.verdict == "irregular"


def test_a_score_by_ruling_replaces_what_stood_before_it_until_it_is_revoked(store: Store, id: str) -> None:
    rule(store, id, penalties={"p3": "88"})
    reply = rule(store, id, score="1:2:3:4").ruling.number
    rule(store, id, gives={"p4": "6"})
    assert in_force(load(store, id)) == "1:2:3:10"
    for log in (False, True):
        sheet = api.export_cgn(store, id, log=log)
        assert of(sheet) == ("1:2:3:10", "0-0-0-1", [])
        [answer] = api.import_records(store, loads(dumps(sheet)))
        assert in_force(load(store, answer.id)) == "1:2:3:10"
    rule(store, id, revokes=reply)
    assert in_force(load(store, id)) == "88:-264:0:94"


def test_words_change_nothing_and_a_game_without_a_score_only_keeps_them(store: Store, id: str) -> None:
    rule(store, id, penalties={"p3": "a warning"})
    assert in_force(load(store, id)) == ""
    api.open_game(store, api.NewRequest("cardmate", id="c"))
    assert rule(store, "c", penalties={"p2": "5"}).score == ()
    assert "Score" not in dict(api.export_cgn(store, "c").tags)
    assert "p2=-5" in dumps(api.export_cgn(store, "c", log=True))


def test_a_result_by_ruling_and_one_by_adjudication_stay(store: Store, id: str) -> None:
    rule(store, id, penalties={"p3": "88"}, gives={"p1": "88"})
    api.rule(store, id, api.RulingRequest(arbiter="A", decision="result", result="0-1-0-0"))
    assert of(api.export_cgn(store, id)) == ("176:-264:0:88", "0-1-0-0", [])
    given = api.rulings_of(load(store, id))[-1].number
    rule(store, id, revokes=given)
    assert not load(store, id).book.closed


def test_a_penalty_waits_for_a_score_and_the_close_takes_it(store: Store) -> None:
    [record] = loads(SHEET)
    api.open_game(store, api.NewRequest("tarot", id="t", tags={"Variant": "fft"}, players=("A", "B", "C", "D")))
    rule(store, "t", penalties={"p1": "200"})
    api.play(store, "t", api.WordsRequest(record.line.words, stands=True))
    with pytest.raises(Declined, match=r"tarot\.settlement"):
        api.close(store, "t", api.CloseRequest("1/3-0-1/3-1/3"))
    assert api.close(store, "t", api.CloseRequest()).result == "0-0-1/2-1/2"
    assert of(api.export_cgn(store, "t")) == ("-112:-264:88:88", "0-0-1/2-1/2", [])
    seen = api.export_cgn(store, "t", Seat(2))
    assert of(loads(dumps(seen))[0])[:2] == ("-112:-264:88:88", "0-0-1/2-1/2")
    assert "tarot.settlement" not in of(loads(dumps(seen))[0])[2]
    report = seen_game(load(store, "t"), 2).report
    assert [one.key for one in report.findings if one.ply == 0] == []


def test_what_was_ruled_is_shown_before_it_is_stored(run: Run, store: Store, id: str) -> None:
    words = ("ruling", id, "17", "--stands", "--penalty", "p3=88", "--arbiter", "A")
    head = store.head(id)
    output = run(*words, "--dry-run").stdout
    assert "the score would be 88:-264:0:88 (the rules 88:-264:88:88; A, p3 -88)" in " ".join(output.split())
    assert store.head(id) == head
    assert json.loads(run(*words, "--json").stdout)["score"][-1] == {
        "by": "A",
        "says": "p3 -88",
        "score": "88:-264:0:88",
    }
    for command, player in (("show", "South, Carl"), ("check", "p3")):
        shown = " ".join(run(command, id, code=0).stdout.split())
        assert f"score 88:-264:0:88 (the rules 88:-264:88:88; A, {player} -88)" in shown
    assert "the rules" in run("export", id, "--format", "html").stdout


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--penalty", "p9=88"), 2, "p9 is not a seat"),
        (("--give", "p9=88"), 2, "p9 is not a seat"),
        (("--score", "1:2:3"), 2, "expected 4 numbers such as 1:1:1:1"),
        (("--score", "x"), 2, "The score cannot be kept"),
        (("--give", "p1=much"), 2, "expected a number without + or -"),
        (("--give", "p1=-3"), 2, "expected a number without + or -"),
        (("--penalty", "p1=-3"), 2, "expected a number without + or -"),
        (("--give", "p1=99999999999"), 2, "expected a number without + or -"),
        (("--score", "1:2:3:4", "--penalty", "p1=3"), 2, "give two rulings to do both"),
        (("--revoke", "3"), 2, "--revoke N names the ruling"),
    ],
)
def test_points_that_cannot_be_ruled_are_refused(
    run: Run, id: str, words: tuple[str, ...], code: int, says: str
) -> None:
    assert says in " ".join(run("ruling", id, "0", "--arbiter", "A", *words, code=code).stderr.split())


def test_a_ruling_of_before_moves_no_score(store: Store, id: str) -> None:
    rule(store, id, penalties={"p3": "x"})
    topic, body = encode(store.stream(id)[-1].event)
    old = {name: value for name, value in json.loads(body).items() if name not in ("points", "score", "revokes")}
    event = decode("ruling-given/2", json.dumps(old | {"penalties": [[3, "88"]]}).encode())
    assert isinstance(event, RulingGiven)
    assert (topic, event.penalties, event.points, event.score) == ("ruling-given/3", ((3, "88"),), (), "")


CHANGE = st.builds(lambda sign, number: f"{sign}{number}", st.sampled_from("+-"), st.integers(0, 500))
RULING = st.builds(
    RulingCommand,
    decision=st.just("score"),
    arbiter=st.sampled_from(("A", "B")),
    points=st.lists(st.tuples(st.integers(1, 5), CHANGE), max_size=2).map(tuple),
    score=st.sampled_from(("", "", "", "1:2:3:4", "1:2")),
)


@given(st.lists(RULING, max_size=6))
def test_the_score_in_force_is_what_the_rules_make_and_every_ruling_added(rulings: list[RulingCommand]) -> None:
    right = [Fraction(points) for points in RULES]
    for ruling in rulings:
        if ruling.score == "1:2:3:4":
            right = [Fraction(points) for points in (1, 2, 3, 4)]
        for seat, change in ruling.points:
            if seat <= 4:
                right[seat - 1] += Fraction(change)
    lines = score_lines(":".join(map(str, RULES)), rulings, 4)
    assert points_in(lines[-1].score) == tuple(right) if lines else right == list(map(Fraction, RULES))


PART = st.one_of(
    st.tuples(st.just("penalties"), st.dictionaries(st.integers(1, 4), st.integers(0, 300).map(str), min_size=1)),
    st.tuples(st.just("gives"), st.dictionaries(st.integers(1, 4), st.integers(0, 300).map(str), min_size=1)),
    st.tuples(st.just("score"), st.lists(st.integers(-300, 300), min_size=4, max_size=4)),
    st.tuples(st.just("revokes"), st.integers(0, 5)),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PART, min_size=1, max_size=5))
def test_any_rulings_say_the_same_on_every_sheet(tmp_path: Path, parts: list[tuple[str, object]]) -> None:
    with Store(tmp_path / "games.db") as store:
        id = f"g{len(store.ids())}"
        [record] = loads(SHEET)
        api.open_game(store, api.NewRequest("tarot", id=id, tags={"Variant": "fft"}, players=("A", "B", "C", "D")))
        api.play(store, id, api.WordsRequest(record.line.words, stands=True))
        api.close(store, id, api.CloseRequest())
        for name, value in parts:
            numbers = [one.number for one in api.rulings_of(load(store, id))]
            if isinstance(value, list):
                rule(store, id, score=":".join(map(str, value)))
            elif not isinstance(value, int):
                assert isinstance(value, dict)
                rule(store, id, **{name: {f"p{seat}": text for seat, text in value.items()}})
            elif value < len(numbers):
                with suppress(Declined):
                    rule(store, id, revokes=numbers[value])
        game = load(store, id)
        right = in_force(game) or ":".join(map(str, RULES))
        for log in (False, True):
            sheet = api.export_cgn(store, id, log=log)
            assert (of(sheet)[0], of(sheet)[2]) == (right, [])
            [again] = loads(dumps(sheet))
            assert examine(again).ruled_score == in_force(game)
            [answer] = api.import_records(store, [again])
            assert in_force(load(store, answer.id)) == in_force(game)


def test_a_decision_that_lacks_its_points_is_refused(store: Store, id: str) -> None:
    for decision in ("score", "revoked"):
        with pytest.raises(Unfit, match="needs"):
            api.rule(store, id, api.RulingRequest(arbiter="A", decision=decision))


DEAL = loads(SHEET)[0].line.words
"""A whole deal; played again at the same table each seat gets what its neighbour on the right got before."""
GAINS = ((88, -264, 88, 88), (88, 88, -264, 88), (88, 88, 88, -264))


def at_table(store: Store, id: str, deals: int = 1, quiet: bool = False) -> None:
    api.open_game(store, api.NewRequest("tarot", id=id, tags={"Variant": "fft"}, players=("A", "B", "C", "D")))
    play_deals(store, id, deals, quiet)


def play_deals(store: Store, id: str, deals: int = 1, quiet: bool = False) -> None:
    if deals:
        api.play(store, id, api.WordsRequest(DEAL * deals, stands=not quiet), viewer=Everything(quiet=quiet))


def scores_drawn(found: Position) -> str:
    rows = plain(found.game.words.picture(found.drawn_state, found.viewer.seat)).split("\n")
    row = next(row for row in rows if row.startswith("score"))
    drawn = {item.symbol for item in draw(found.game.words, found.drawn_state, found.viewer.seat).items}
    assert row in drawn
    return ":".join(part for part in row.split()[1:] if not part.startswith("p"))


def everywhere(store: Store, id: str) -> set[str]:
    """Return the score as every view of a record has it that has come to the end of a deal."""
    game = load(store, id)
    reply = {in_force(game), in_force(seen_game(game, 2))}
    for quiet in (False, True):
        for seat in (None, 0, 3):
            viewer = viewer_of_seat(seat, quiet=quiet)
            reply.add(scores_drawn(api.view_of(game, viewer).position))
            shown = api.see_game(game, viewer)
            reply.add(scores_drawn(position_at(shown.record, None, shown.walk, shown.viewer)))
            reply |= {lines[-1].score for lines in (shown.docket.score,) if lines}
    for log in (False, True):
        sheet = api.export_cgn(store, id, log=log)
        [again] = loads(dumps(sheet))
        reply |= {
            examine(again).ruled_score,
            scores_drawn(position_at(again, None)),
            sheet.tag("Score") or in_force(game),
        }
        [answer] = api.import_records(store, [replace(again, tags=(*again.tags, ("Round", f"{log} {game.head}")))])
        reply.add(in_force(load(store, answer.id)))
    of = api.score_sheet(store, id)
    reply |= {of.score[-1].score, dict(of.points).get("Score", in_force(game)), of.rows[-1].outcome.split()[-1]}
    return reply


@pytest.mark.parametrize("quiet", [False, True])
def test_later_deals_add_to_a_score_by_ruling_in_every_view(store: Store, quiet: bool) -> None:
    at_table(store, "two", quiet=quiet)
    rule(store, "two", score="0:0:0:0")
    assert everywhere(store, "two") == {"0:0:0:0"}
    play_deals(store, "two", quiet=quiet)
    assert everywhere(store, "two") == {"88:88:-264:88"}
    rule(store, "two", penalties={"p1": "40"})
    assert everywhere(store, "two") == {"48:88:-264:88"}
    assert api.close(store, "two", api.CloseRequest()).result == "0-1/2-0-1/2"
    assert of(api.export_cgn(store, "two")) == ("48:88:-264:88", "0-1/2-0-1/2", [])
    assert everywhere(store, "two") == {"48:88:-264:88"}


def test_a_drawing_in_the_middle_shows_the_score_up_to_there(store: Store) -> None:
    at_table(store, "two")
    rule(store, "two", score="10:0:0:0")
    play_deals(store, "two")
    [sheet] = loads(dumps(api.export_cgn(store, "two")))
    view = api.view_of(load(store, "two"))
    for ply, right in ((77, "0:0:0:0"), (78, "10:0:0:0"), (100, "10:0:0:0"), (156, "98:88:-264:88")):
        assert scores_drawn(position_at(sheet, ply)) == right
        assert scores_drawn(view.at(ply)) == right
        on_paper = api.SeenGame(sheet, docket=api.docket_on_paper(sheet))
        frames = replay_frames.frames(replay_source("two", on_paper))
        assert scores_drawn(replace(view.at(ply), state=frames[ply].state, scoring=None)) == right


def test_a_ruled_score_follows_its_ply_through_corrections(store: Store) -> None:
    at_table(store, "two")
    rule(store, "two", score="0:0:0:0")
    play_deals(store, "two")
    api.amend(store, "two", api.AmendRequest(3, "Pass", reason="as it was"))
    assert everywhere(store, "two") == {"88:88:-264:88"}
    api.take_back(store, "two", api.UndoRequest(by="scribe"))
    assert in_force(load(store, "two")) == "0:0:0:0"
    api.play(store, "two", api.WordsRequest(DEAL[-1:]))
    assert everywhere(store, "two") == {"88:88:-264:88"}
    api.rule(store, "two", api.RulingRequest((156,), arbiter="A", decision="void"))
    api.play(store, "two", api.WordsRequest(DEAL[-1:]))
    assert everywhere(store, "two") == {"88:88:-264:88"}


def test_the_last_card_typed_again_counts_no_deal_twice(store: Store) -> None:
    at_table(store, "two")
    rule(store, "two", score="0:0:0:0")
    api.take_back(store, "two", api.UndoRequest(by="scribe"))
    api.play(store, "two", api.WordsRequest(DEAL[-1:]))
    assert everywhere(store, "two") == {"0:0:0:0"}


def test_a_score_is_ruled_where_nobody_knows_what_a_deal_came_to(store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="t", tags={"Variant": "fft"}, players=("A", "B", "C", "D")))
    words = (*DEAL[:6], "~", *DEAL[7:])
    api.play(store, "t", api.WordsRequest(words, stands=True))
    game = load(store, "t")
    if dict(game.examined.heading.game.points.write(game.examined.settled_state)).get("Score"):  # type: ignore[union-attr]
        pytest.skip("the deal is known all the same")
    rule(store, "t", score="1:2:3:-6")
    play_deals(store, "t")
    assert in_force(load(store, "t")) == "89:90:-261:82"


def test_a_score_is_ruled_where_the_position_is_not_known(store: Store) -> None:
    api.open_game(store, api.NewRequest("zarcana", id="z", tags={"Seat1": "A", "Seat2": "B"}))
    api.play(store, "z", api.WordsRequest(("~",) * 5))
    assert type(load(store, "z").examined.settled_state).__name__ == "UnknownState"
    rule(store, "z", score="3:4")
    assert in_force(load(store, "z")) == "3:4"
    [again] = loads(dumps(api.export_cgn(store, "z")))
    assert examine(again).ruled_score == "3:4"


def test_a_place_beside_a_ruling_on_no_score_is_left_as_it_was_written(store: Store) -> None:
    text = "[%ruling 0 penalty arbiter=A after=5 p2=-88]"
    [answer] = api.import_records(store, loads(SHEET.decode().replace("Pass Garde", f"{{{text}}} Pass Garde", 1)))
    assert text in dumps(api.export_cgn(store, answer.id, log=True)).replace("\n", " ")


STEP = st.one_of(
    st.just("deal"),
    st.lists(st.integers(-300, 300), min_size=4, max_size=4),
    st.tuples(st.integers(1, 4), st.integers(1, 99)),
)


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEP, min_size=2, max_size=5))
def test_the_score_is_the_last_ruled_and_all_that_came_after(tmp_path: Path, steps: list[object]) -> None:
    with Store(tmp_path / "games.db") as store:
        id, deals = f"g{len(store.ids())}", 0
        right, ruled = [Fraction(0)] * 4, False
        at_table(store, id, 0)
        for step in steps:
            if step == "deal" and deals < len(GAINS):
                play_deals(store, id)
                right = [Fraction(had + won) for had, won in zip(right, GAINS[deals], strict=True)]
                deals += 1
            elif isinstance(step, list):
                rule(store, id, score=":".join(map(str, step)))
                right, ruled = list(map(Fraction, step)), True
            elif isinstance(step, tuple):
                rule(store, id, penalties={f"p{step[0]}": str(step[1])})
                right[step[0] - 1] -= step[1]
                ruled = True
        if ruled and deals:
            assert everywhere(store, id) == {":".join(map(str, right))}


def test_a_ruled_score_of_a_deal_that_was_only_scored_is_its_score(store: Store) -> None:
    deal = {"Variant": "fft", "Taker": "p1", "Bid": "Garde", "Bouts": "2", "Points": "49"}
    id = api.open_game(
        store, api.NewRequest("tarot", id="scored", players=("Ada", "Bela", "Carl", "Dora"), tags=deal)
    ).id
    api.close(store, id, api.CloseRequest())

    def seen() -> tuple[str, tuple[str, str, list[str]]]:
        return in_force(load(store, id)), of(api.export_cgn(store, id))

    assert seen() == ("", ("198:-66:-66:-66", "1-0-0-0", []))
    rule(store, id, plies=(0,), score="100:-50:-25:-25")
    assert seen() == ("100:-50:-25:-25", ("100:-50:-25:-25", "1-0-0-0", []))
    rule(store, id, plies=(0,), penalties={"p2": "10"})
    assert seen() == ("100:-60:-25:-25", ("100:-60:-25:-25", "1-0-0-0", []))
