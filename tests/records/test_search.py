"""Finding games: what each filter finds, all of them together, page by page, and what cannot be looked for."""

import json
import random
import sqlite3
from pathlib import Path

import msgspec
import pytest

from cartulary.records import api
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library import search as searching
from cartulary.records.library.reindex import reindex
from cartulary.records.library.search import Query
from cartulary.records.log.schema import COLUMNS
from cartulary.records.log.store import Store
from tests.records.archives import OPENING, PAGE, Run, samples_in, sheet, taken_in


def found(store: Store, **asked: object) -> set[str]:
    return {hit.game.id for hit in api.search(store, msgspec.convert(asked, Query))[0]}


def test_a_player_is_found_by_part_of_the_name_whatever_capitals_and_accents(store: Store) -> None:
    ada, anna, none = taken_in(
        store,
        sheet(Forehand="Ádám Nagy"),
        sheet(Forehand="Anna", Rearhand="Straße, Ada"),
        sheet(Forehand="100% Bot", Rearhand="?"),
    )
    assert found(store, player=("adam",)) == {ada}
    assert found(store, player=("ADA",)) == {ada, anna}
    assert found(store, player=("STRASSE",)) == {anna}
    assert found(store, player=("%",)) == {none}
    assert found(store, player=("ada", "anna")) == {anna}
    assert found(store, player=("nobody",)) == set()


def test_dates_are_found_by_year_month_day_and_range_and_unknown_ones_in_none(store: Store) -> None:
    old, june, july, year, never = taken_in(
        store,
        sheet(Date="1999.12.31"),
        sheet(Date="2026.06.30"),
        sheet(Date="2026.07.01"),
        sheet(Date="2026.??.??"),
        sheet(Date="????.??.??"),
    )
    assert found(store, date="2026") == {june, july, year}
    assert found(store, date="2026.06") == {june}
    assert found(store, date="2026-06-30") == {june}
    assert found(store, date="30.6.2026") == found(store, date="June 30, 2026") == found(store, date="2026.6") == {june}
    assert found(store, date="..2026.06") == {old, june}
    assert found(store, date="2026.07..") == {july, year}
    assert found(store, date="1999..2026.06.30") == {old, june}
    assert never not in found(store, date="0000..9999")


def test_game_event_result_and_verdict_are_found_and_all_must_hold(store: Store) -> None:
    samples_in(store, ("cardmate", "tarot"))
    every = list(api.games(store))
    assert found(store, game="Tarot") == {game.id for game in every if game.game == "tarot"}
    assert found(store, event="contest") == {game.id for game in every if "Contest" in game.event}
    assert found(store, result="1-0") == {game.id for game in every if game.result == "1-0"}
    assert found(store, verdict="irregular") == {game.id for game in every if game.verdict == "irregular"}
    both = found(store, game="tarot", verdict="irregular", date="2026.02")
    assert both == {g.id for g in every if (g.game, g.verdict, g.date[:7]) == ("tarot", "irregular", "2026.02")}
    assert len(both) == 1


def test_findings_and_rulings_are_found_by_their_keys(store: Store) -> None:
    samples_in(store, ("cardmate", "tarot"))
    revokes = [hit.game.verdict for hit in api.search(store, Query(finding="tarot.follow-suit"))[0]]
    assert sorted(revokes) == ["irregular", "undecided"]
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    api.play(store, "evening", api.WordsRequest(tuple(OPENING.split())))
    assert "evening" not in found(store, ruling="cardmate.reach")
    api.rule(
        store,
        "evening",
        api.RulingRequest((3,), arbiter="Dora", decision="stands", keys=("cardmate.reach",), reason="seen late"),
    )
    assert found(store, ruling="cardmate.reach") == {"evening"}
    assert "evening" in found(store, ruling="stands")
    assert "evening" not in found(store, ruling="void")


def test_rulings_told_on_an_imported_sheet_are_found(store: Store) -> None:
    words = OPENING.replace("8Dj2", '8Dj2 {[%ruling 3 stands arbiter=Dora keys=cardmate.reach "seen late"]}')
    [id] = taken_in(store, sheet(words))
    assert found(store, ruling="cardmate.reach") == {id}


def test_comments_are_found_by_their_words_with_the_ply_they_stand_at(store: Store) -> None:
    answer = OPENING.replace("4Db6", "4Db6 {A Créole opening, played slowly [%clk 0:10:00]}").replace(
        "8Ca7", "8Ca7 (8Cc6 {never seen}) {the opening ends}"
    )
    [one, other] = taken_in(store, sheet("{A game for the book} " + answer), sheet(Forehand="Zoe"))
    hits, more = api.search(store, Query(text="opening"))
    assert [(hit.game.id, hit.ply) for hit in hits] == [(one, 2), (one, 4)]
    assert "opening" in hits[0].passage
    assert not more
    assert found(store, text="creole SLOWLY") == {one}
    assert found(store, text='"opening played"') == {one}
    assert found(store, text='"played opening"') == set()
    assert found(store, text="open*") == {one}
    assert found(store, text="never") == {one}
    assert found(store, text="clk") == set()
    assert [hit.ply for hit in api.search(store, Query(text="book"))[0]] == [0]
    assert found(store, text="opening", player=("zoe",)) == set()
    api.annotate(store, one, api.NoteRequest(2, "nothing to be said", replace=True))
    assert [hit.ply for hit in api.search(store, Query(text="opening"))[0]] == [4]
    assert other not in found(store, text="said")


def test_words_that_stand_everywhere_are_found_as_rare_ones_are(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = random.Random(21)
    for number in range(40):
        first, *rest = OPENING.split()[: drawn.randint(1, 8)]
        words_text = [f"{{{' '.join(drawn.choices(('open', 'opening', 'slow', 'quiet'), k=3))}}}" for _ in range(2)]
        words = " ".join((first, words_text[0], *rest, words_text[1] if rest else ""))
        taken_in(store, sheet(words, Round=str(number), Forehand=drawn.choice(("Ada", "Zoe"))))
    texts = ("open", "open slow", '"slow quiet"', "open*", "nothing")
    asked = [Query(text=text, player=player) for text in texts for player in ((), ("zoe",))]
    pages = [(limit, offset) for limit in (1, 5, 50, None) for offset in (0, 3, 40)]
    rare = [api.search(store, query, limit=limit, offset=offset) for query in asked for limit, offset in pages]
    assert {len(hits) for hits, _ in rare} >= {0, 1, 5, 50}
    monkeypatch.setattr(searching, "OFTEN", 0)
    assert [api.search(store, query, limit=limit, offset=offset) for query in asked for limit, offset in pages] == rare


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"date": "2026.13"}, "'2026.13' is not a date"),
        ({"date": "2026.60"}, "is not a date"),
        ({"date": "2026.02.30"}, "is not a date"),
        ({"date": "11/12/26"}, "'11/12/26' may be 2026.12.11 or 2026.11.12; write the one you mean"),
        ({"date": ".."}, "is not a date"),
        ({"date": "2027..2026"}, "ends before it begins"),
        ({"date": "2026.1.1..x"}, "is not a date"),
        ({"game": "nonesuch"}, "There is no game 'nonesuch'"),
        ({"result": "won"}, "'won' is not a result"),
        ({"verdict": "good"}, "expected one of: legal, undecided, irregular, unjudged, unreadable"),
        ({"finding": "follow suit"}, "is not the key of a rule"),
        ({"finding": "cardmate.folow-suit"}, "Cardmate has no rule 'cardmate.folow-suit'; `rules cardmate` lists them"),
        ({"finding": "nonesuch.hop"}, "`games` lists the games"),
        ({"ruling": "cardmate.nothing"}, "nor a decision"),
        ({"text": 'a "quotation'}, "a quotation mark without a partner"),
        ({"text": "!? -"}, "holds no word"),
        ({"player": (" ",)}, "An empty player"),
        ({"player": ("\udcff",)}, "not valid Unicode"),
    ],
)
def test_what_can_be_found_in_no_game_is_said(store: Store, asked: dict[str, object], says: str) -> None:
    with pytest.raises(Unfit, match=says.replace("?", r"\?").replace(".", r"\.")):
        found(store, **asked)


@pytest.mark.parametrize(
    "text", ['"x" OR 1', "a AND", "NEAR(a b)", "text:a", "a^b", "(a", "a*b*", "-a", "'; DROP TABLE games"]
)
def test_words_that_mean_something_to_the_index_are_only_words(store: Store, text: str) -> None:
    taken_in(store, sheet(OPENING + " {plain words}"))
    assert found(store, text=text) == set()


def test_pages_follow_one_another_and_say_whether_there_is_more(store: Store) -> None:
    taken_in(store, *(sheet(Round=str(number), Forehand=f"Player {number}") for number in range(7)))
    whole = [hit.game.id for hit in api.search(store)[0]]
    assert whole == [game.id for game in api.games(store)]
    pages = [api.search(store, limit=3, offset=at) for at in (0, 3, 6)]
    assert [hit.game.id for hits, _ in pages for hit in hits] == whole
    assert [more for _, more in pages] == [True, True, False]
    for limit, offset in ((0, 0), (1, -1)):
        with pytest.raises(Unfit, match="expected"):
            api.search(store, limit=limit, offset=offset)


def test_every_request_keeps_what_a_search_finds_and_reindex_finds_the_same(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    api.play(store, "evening", api.WordsRequest(tuple(OPENING.split())))
    api.change_tags(store, "evening", api.TagRequest({"Forehand": "Cleo", "Event": "Cup"}))
    api.annotate(store, "evening", api.NoteRequest(1, "a quiet start"))
    [refused] = api.play(store, "evening", api.WordsRequest(("XDa2",), stands=True))
    asked: tuple[dict[str, object], ...] = (
        {"player": ("cleo",)},
        {"event": "cup"},
        {"text": "quiet"},
        {"verdict": "irregular"},
        {"finding": refused.findings[0].key},
    )
    assert [found(store, **each) for each in asked] == [{"evening"}] * len(asked)
    assert found(store, player=("ada",)) == set()
    tables = ("games", "seats JOIN people USING (person)", "findings", "rulings", "disputes", "comments")
    before = {name: store.index.rows(f"SELECT * FROM {name} ORDER BY 1") for name in tables}
    reindex(store)
    for name in ("games", *tables[2:]):
        assert store.index.rows(f"SELECT * FROM {name} ORDER BY 1") == before[name], name
    seated = "SELECT number, seat, name FROM seats JOIN people USING (person) ORDER BY 1, 2"
    assert [row[2] for row in store.index.rows(seated)] == ["Cleo", "Bela"]
    api.take_back(store, "evening", api.UndoRequest(9))
    assert not any(found(store, **each) for each in asked[2:])


# --- a file of before ---

OLD = (
    "DROP TABLE comments",
    *(f"DROP TABLE {name}" for name in ("people", "seats", "findings", "rulings", "disputes")),
    *(f"DROP TABLE {name}" for name in ("positions", "placed", "waiting", "behind")),
    "ALTER TABLE games RENAME TO new",
    f"CREATE TABLE games ({', '.join(COLUMNS)})",
    f"INSERT INTO games SELECT {', '.join(COLUMNS)} FROM new",
    "DROP TABLE new",
    "PRAGMA user_version = 1",
)


def test_a_file_of_the_first_version_is_brought_up_to_date_and_keeps_its_log(db: Path, run: Run) -> None:
    with Store(db) as store:
        ids = taken_in(store, sheet(), sheet(Forehand="Zoe"))
        before, listed = [store.stream(id) for id in ids], run("list", "--json").stdout
    with sqlite3.connect(db, isolation_level=None) as old:
        for statement in OLD:
            old.execute(statement)
    old.close()
    assert run("list", "--json").stdout == listed
    assert "Use `reindex` to update it" in run("list", "--player", "zoe", code=1).stderr
    with Store(db) as store:
        assert [store.stream(id) for id in ids] == before
        with pytest.raises(Declined, match="older version"):
            list(api.duplicates(store))
    assert run("reindex").stdout == "2 games listed\n"
    assert json.loads(run("list", "--player", "zoe", "--json").stdout)["id"] == ids[1]
    assert run("verify", "--all").stdout.count(": proved") == 2


def test_a_file_of_the_first_version_that_may_only_be_read_is_listed_and_not_searched(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(db) as store:
        taken_in(store, sheet())
    with sqlite3.connect(db, isolation_level=None) as old:
        for statement in (*OLD, "PRAGMA journal_mode = DELETE"):
            old.execute(statement)
    old.close()
    monkeypatch.setattr("cartulary.records.log.database.writable", lambda path: False)
    with Store(db, create=False) as store:
        assert store.index.rows("PRAGMA user_version") == [(1,)]
        assert len(list(api.games(store))) == 1
        assert len(api.search(store)[0]) == 1
        with pytest.raises(Declined, match="is out of date"):
            found(store, player=("ada",))


# --- the commands ---


def test_list_and_search_print_rows_and_json(run: Run, db: Path) -> None:
    with Store(db) as store:
        samples_in(store, ("cardmate",))
    assert len(run("list").stdout.splitlines()) == 5
    result = run("list", "--player", "zillions", "--date", "2000", "--limit", "1")
    assert len(result.stdout.splitlines()) == 1
    assert "--offset 1 shows the next ones" in result.stderr
    assert {
        json.loads(line)["event"] for line in run("search", "--event", "contest", "--json").stdout.splitlines()
    } == {"100-Square Contest"}
    hit = json.loads(run("search", "--text", "captures", "--json").stdout)
    assert (hit["ply"], "captures" in hit["passage"]) == (36, True)
    assert "ply 36: " in run("search", "--text", "captures").stdout
    assert "No game was found" in run("search", "--player", "nobody").stderr


KNOWN_ONLY = (
    "A search limited to what a seat knew cannot use results, verdicts, findings, rulings or comments: "
    "they may reveal more"
)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("search",), "Say what to look for"),
        (("search", "--at", "3"), "name the record with --position"),
        (
            ("search", "--seat", "p1", "--player", "a", "--text", "b"),
            KNOWN_ONLY,
        ),
        (
            ("search", "--position", str(PAGE), "--seat", "p1", "--verdict", "legal"),
            KNOWN_ONLY,
        ),
        (("search", "--position", "nowhere.cgn"), "cannot be read"),
        (("list", "--date", "soon"), "is not a date"),
        (("list", "--limit", "0"), "A page cannot hold 0 games"),
        (("list", "--offset", "-1"), "expected 0 or more"),
    ],
)
def test_what_cannot_be_searched_for_is_a_sentence(run: Run, db: Path, words: tuple[str, ...], says: str) -> None:
    Store(db).close()
    assert says in run(*words, code=2).stderr


def test_a_reindex_that_was_broken_off_is_told_by_every_search(run: Run, store: Store) -> None:
    taken_in(store, sheet())

    class Killed(BaseException):
        """As if the process had ended."""

    def kill(done: int, games: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        reindex(store, kill)
    for words in (("list",), ("search", "--player", "zoe"), ("stats",), ("duplicates",), ("export", "--date", "2026")):
        assert "a reindex is under way, or was broken off" in run(*words, code=1).stderr
    assert run("reindex").stdout == "1 game listed\n"
    assert len(run("list").stdout.splitlines()) == 1


def test_digits_of_other_scripts_are_no_date(store: Store) -> None:
    with pytest.raises(Unfit, match="is not a date"):
        found(store, date="２０２６")
