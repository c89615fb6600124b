"""Another sheet of a game is kept with it: disputes and rulings cite it, and no seat sees it before the close."""

import json
from pathlib import Path
from random import Random

import pytest

from cartulary.notation import Record, dumps, loads
from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.exchange.redaction import export_redacted
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.events import DisputeRaised, SheetKept
from cartulary.records.log.store import Store
from cartulary.records.log.topics import decode, encode
from cartulary.records.state.games import load
from cartulary.records.state.showing import sheets_kept
from cartulary.testing import tables
from tests.laws.worlds import GAMES, otherwise
from tests.places import SAMPLES
from tests.records.archives import Run

CARDMATE = SAMPLES / "cardmate" / "games" / "page-1.cgn"


def other_sheet() -> Record:
    [record] = loads(CARDMATE.read_text("utf-8").replace("8Dh3", "8Dh2").replace('Forehand "Z', 'Forehand "Quill, Z'))
    return record


@pytest.fixture
def id(store: Store) -> str:
    [answer] = api.import_records(store, loads(CARDMATE.read_bytes()))
    return answer.id


def test_a_kept_sheet_changes_nothing_of_the_game_and_is_there_word_for_word(store: Store, id: str) -> None:
    before = load(store, id)
    answer = api.keep_sheet(store, id, other_sheet(), "there/table-b.cgn", by="Bela")
    game = load(store, id)
    assert (answer.number, answer.first) == (3, 5)
    assert (game.record, game.report) == (before.record, before.report)
    kept = api.kept_sheet(store, id, 3)
    assert kept.name == "sheet 3, table-b.cgn"
    assert dumps(kept.record) == dumps(other_sheet())
    assert sheets_kept(game) == ((3, "table-b.cgn", 5),)
    with pytest.raises(Declined, match="already has this sheet, as sheet 3"):
        api.keep_sheet(store, id, other_sheet())


def test_an_archive_carries_it_and_one_without_names_does_not(store: Store, id: str, tmp_path: Path) -> None:
    api.keep_sheet(store, id, other_sheet(), "b.cgn")
    raised = api.dispute(store, id, api.DisputeRequest(5, by="p2", claim="h2", cites=(3,)))
    api.rule(store, id, api.RulingRequest(dispute=raised.dispute.number, decision="stands", arbiter="A", cites=(3,)))
    whole = api.export_json(store, id, log=True)
    redacted = export_redacted(store, id)
    assert "Quill" in json.dumps([each.body.decode() for each in store.stream(id)])
    assert redacted.withheld == (2, 3)
    for archive, sheets in ((whole, 1), (redacted.archive, 0)):
        with Store(tmp_path / f"{sheets}.db") as elsewhere:
            api.take_in(elsewhere, archive)
            game = load(elsewhere, id)
            assert str(game.head) == str(load(store, id).head)
            assert len(game.book.sheets) == sheets
            assert [one.cites for one in api.rulings_of(game)] == [(3,)]


def test_what_is_cited_goes_from_sheet_to_sheet(store: Store, id: str) -> None:
    api.keep_sheet(store, id, other_sheet())
    api.dispute(store, id, api.DisputeRequest(5, by="p2", claim="h2", cites=(3,)))
    api.rule(store, id, api.RulingRequest((5,), decision="stands", arbiter="A", cites=(3,)))
    [answer] = api.import_records(store, loads(dumps(api.export_cgn(store, id, log=True))))
    game = load(store, answer.id)
    assert [one.cites for one in api.disputes_of(game)] == [(3,)]
    assert [one.cites for one in api.rulings_of(game)] == [(3,)]


def test_no_seat_sees_it_before_the_close_and_then_what_the_seat_has_seen(
    run: Run, store: Store, tmp_path: Path
) -> None:
    rng = Random(5)
    title, play = GAMES["tarot"]
    opened = play(rng)
    words = opened.words[:30]
    tags = {"Variant": opened.tags["Variant"]}
    api.open_game(store, api.NewRequest("tarot", id="g", tags=tags, seats=opened.seats))
    api.play(store, "g", api.WordsRequest(words, stands=True))
    answers = [words, otherwise(title, opened, words, 1, rng)]
    sheets = [loads(tables.sheet(title, opened.tags, " ".join(each)))[0] for each in answers]
    api.keep_sheet(store, "g", sheets[1], "b.cgn")
    number = str(sheets_kept(load(store, "g"))[0][0])
    for seat in ("p1", "p2", "rail"):
        assert "shown to seats once the game is closed" in run("compare", "g", "--seat", seat, code=1).stderr
        assert "sheet" not in run("check", "g", "--seat", seat).stdout
        line = run("log", "g", "--seat", seat, "--json").stdout.splitlines()[-1]
        assert json.loads(line)["event"]["cgn"] == "~"
        assert "b.cgn" not in line
    api.close(store, "g", api.CloseRequest(termination="abandoned", result="*"))
    seen = run("compare", "g", "--sheet", number, "--seat", "p1").stdout
    assert "No word differs." in seen
    assert "No word differs." not in run("compare", "g", code=1).stdout
    event = json.loads(run("log", "g", "--seat", "p1", "--json").stdout.splitlines()[-2])["event"]
    assert event["cgn"] != "~"
    assert not set(event["cgn"].split()) & (set(answers[1]) - set(answers[0]) - set(seen.split()))


def test_a_seat_is_shown_a_sheet_after_the_close_even_if_plies_were_taken_back_after_it_was_kept(
    run: Run, store: Store
) -> None:
    _, play = GAMES["tarot"]
    opened = play(Random(5))
    tags = {"Variant": opened.tags["Variant"]}
    api.open_game(store, api.NewRequest("tarot", id="g", tags=tags, seats=opened.seats))
    api.play(store, "g", api.WordsRequest(opened.words[:30], stands=True))
    [sheet] = loads(tables.sheet("tarot", opened.tags, " ".join(opened.words[:30])))
    api.keep_sheet(store, "g", sheet, "b.cgn")
    number = sheets_kept(load(store, "g"))[0][0]
    api.take_back(store, "g", api.UndoRequest(1))

    def shown() -> str:
        line = run("log", "g", "--seat", "p1", "--json").stdout.splitlines()[number - 1]
        return str(json.loads(line)["event"]["cgn"])

    assert shown() == "~"
    api.close(store, "g", api.CloseRequest(termination="abandoned", result="*"))
    assert shown() != "~"


def test_a_seat_keeps_no_sheet_while_cards_are_hidden_from_it(store: Store) -> None:
    title, play = GAMES["tarot"]
    opened = play(Random(5))
    api.open_game(store, api.NewRequest("tarot", id="g", tags={"Variant": opened.tags["Variant"]}, seats=opened.seats))
    api.play(store, "g", api.WordsRequest(opened.words[:30], stands=True))
    [sheet] = loads(tables.sheet(title, opened.tags, " ".join(opened.words[:20])))
    with pytest.raises(Declined, match="Another sheet may rest on cards that p1 has not seen"):
        api.keep_sheet(store, "g", sheet, viewer=Seat(1))


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (
            ("import", str(SAMPLES / "tarot" / "games" / "table-revoke.cgn"), "--second", "ID"),
            2,
            "the game of one is cardmate",
        ),
        (("import", "missing.cgn", "--second", "ID"), 2, "cannot be read"),
        (("import", str(CARDMATE), str(CARDMATE), "--second", "ID"), 2, "keeps one sheet"),
        (("import", str(CARDMATE), "--second", "nobody"), 2, "no game nobody"),
        (("import", "club", "--second", "ID"), 2, "is not a file"),
        (("dispute", "ID", "5", "--by", "p2", "--claim", "x", "--cite", "9"), 1, "has no sheet 9"),
        (
            ("ruling", "ID", "5", "--stands", "--arbiter", "A", "--cite", "9"),
            1,
            "use `import FILE --second` to keep one",
        ),
        (("dispute", "ID", "--withdraw", "3", "--by", "p2", "--cite", "9"), 2, "Give a PLY"),
        (("compare", "ID"), 1, "has no other sheet"),
        (("compare", "ID", "ID", "--sheet", "3"), 2, "Give two sheets"),
        (("compare", str(CARDMATE)), 2, "Give two sheets"),
    ],
)
def test_what_is_no_sheet_of_the_game_is_not_kept_nor_cited(
    run: Run, id: str, words: tuple[str, ...], code: int, says: str
) -> None:
    typed = [id if word == "ID" else word for word in words]
    assert says in " ".join(run(*typed, code=code).stderr.split())


def test_events_of_before_cite_nothing(store: Store, id: str) -> None:
    api.dispute(store, id, api.DisputeRequest(5, by="p2", claim="h2"))
    topic, body = encode(store.stream(id)[-1].event)
    old = {name: value for name, value in json.loads(body).items() if name not in ("cites", "salt")}
    event = decode("dispute-raised/1", json.dumps(old).encode())
    assert isinstance(event, DisputeRaised)
    assert (topic, event.cites) == ("dispute-raised/3", ())
    assert not any(isinstance(each.event, SheetKept) for each in store.stream(id))


def test_a_sheet_that_cannot_be_set_up_is_not_kept(store: Store, id: str) -> None:
    with pytest.raises(Unfit, match="The sheet cannot be kept"):
        api.keep_sheet(store, id, loads('[Game "Cardmate"]\n[Variant "rank-setup"]\n\n*\n')[0])
