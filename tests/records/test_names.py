"""Names: one spelling for one name, at whatever door it comes in, and however a log of before has it."""

import sqlite3
import unicodedata

import pytest

from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.library.search import Query
from cartulary.records.log.store import Store
from cartulary.records.state import seat_view
from tests.records.archives import OPENING, sheet, taken_in

SPELLINGS = ("Bela", " Bela ", "Bela\u00a0", "\u2007Bela", "B\u200bela", "Bela\ufeff", "Bela\u3000")


@pytest.mark.parametrize("name", SPELLINGS)
def test_blanks_around_a_name_and_signs_nobody_sees_make_no_second_player(store: Store, name: str) -> None:
    one = api.open_game(store, api.NewRequest("cardmate", players=("Ada", name))).id
    two = api.open_game(store, api.NewRequest("cardmate", tags={"Forehand": name, "Rearhand": "Ada"})).id
    three = api.open_game(store, api.NewRequest("cardmate", players=("Dora", "Ada"))).id
    api.change_tags(store, three, api.TagRequest({"Forehand": name}))
    assert [api.load(store, id).record.tag(seat) for id, seat in ((one, "Rearhand"), (two, "Forehand"))] == ["Bela"] * 2
    assert api.load(store, three).record.tag("Forehand") == "Bela"
    [players] = api.tally(store, names=("players",))
    assert [row[:2] for row in players.rows] == [("Ada", 3), ("Bela", 3)]


def test_a_name_in_either_normal_form_is_one_player_and_so_is_one_with_two_blanks(store: Store) -> None:
    for form in ("NFC", "NFD"):
        api.open_game(store, api.NewRequest("cardmate", players=(unicodedata.normalize(form, "Zoë  Ångström"), "Ada")))
    [players] = api.tally(store, names=("players",))
    assert [row[:2] for row in players.rows] == [("Ada", 2), ("Zoë Ångström", 2)]


def test_events_and_sites_are_folded_like_names_and_set_ups_are_left_alone(store: Store) -> None:
    id = api.open_game(
        store, api.NewRequest("cardmate", tags={"Event": " Club\u00a0 night "}, players=("Ada", "Bela"))
    ).id
    api.change_tags(store, id, api.TagRequest({"Site": "Cafe\u0301 "}))
    tags = dict(api.load(store, id).record.tags)
    assert (tags["Event"], tags["Site"]) == ("Club night", "Café")


def test_whoever_writes_rules_or_disputes_is_folded_too(store: Store) -> None:
    id = api.open_game(store, api.NewRequest("cardmate", players=("Ada", "Bela"), by=" Dora\u00a0")).id
    api.play(store, id, api.WordsRequest(tuple(OPENING.split()), by="Dora "))
    api.dispute(store, id, api.DisputeRequest(1, by="\u00a0Bela", claim="seen late"))
    api.set_clock(store, id, api.ClockRequest(1, "0:10:00", by=" Dora\u00a0", reason="late"))
    api.rule(store, id, api.RulingRequest((1,), arbiter="Dora\u00a0", by=" Dora", decision="stands", reason="seen"))
    api.close(store, id, api.CloseRequest("1-0", by="Dora\u3000"))
    api.reopen(store, id, api.ReopenRequest(by="\u2002Dora", reason="too soon"))
    wrote = {each.event.by for each in api.load(store, id).recorded}
    assert wrote == {"Dora", "Bela"}
    assert api.rulings_of(api.load(store, id))[0].arbiter == "Dora"


def test_a_name_of_blanks_alone_is_nobody_and_no_tag(store: Store) -> None:
    id = api.open_game(store, api.NewRequest("cardmate", players=("Ada", "\u00a0 "))).id
    assert api.load(store, id).record.tag("Rearhand") == "?"
    with pytest.raises(Unfit, match=r"Rearhand.*blanks"):
        api.change_tags(store, id, api.TagRequest({"Rearhand": " \u00a0"}))


def test_a_sheet_keeps_its_names_and_is_listed_and_found_by_their_one_spelling(store: Store) -> None:
    [id] = taken_in(store, sheet(Forehand="Bela\u00a0 Kiss ", Rearhand="Ada"))
    assert api.load(store, id).record.tag("Forehand") == "Bela\u00a0 Kiss "
    assert next(iter(api.games(store))).players == "Bela Kiss; Ada"
    assert [hit.game.id for hit in api.search(store, Query(player=("bela kiss",)))[0]] == [id]
    assert seat_view.players(api.load(store, id).record)[0] == "Bela Kiss"


def test_a_list_that_an_earlier_version_wrote_is_counted_and_searched_in_one_spelling(store: Store) -> None:
    ids = [api.open_game(store, api.NewRequest("cardmate", players=(name, "Ada"))).id for name in ("Bela", "Bel", "Be")]
    with sqlite3.connect(str(store.place)) as file:
        file.execute("UPDATE people SET name = 'Bela' || char(160) WHERE name = 'Bel'")
        file.execute("UPDATE people SET name = ' Bela  Kiss' WHERE name = 'Be'")
    [players] = api.tally(store, names=("players",))
    assert [row[:2] for row in players.rows] == [("Ada", 3), ("Bela", 2), ("Bela Kiss", 1)]
    assert {hit.game.id for hit in api.search(store, Query(player=("bela kiss",)))[0]} == {ids[2]}


def test_a_name_that_differs_from_a_known_one_in_capitals_or_accents_is_similar(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", players=("Béla Kiss", "Ada")))
    assert api.similar_names(store, ("béla kiss", "Ada", "?", "Bela  Kiss", "Dora")) == {
        "béla kiss": "Béla Kiss",
        "Bela  Kiss": "Béla Kiss",
    }
    api.open_game(store, api.NewRequest("cardmate", players=("béla kiss", "Ada")))
    assert api.similar_names(store, ("béla kiss",)) == {}
    assert api.similar_names(store, ("dora", "Dora"), others=("Dora",)) == {"dora": "Dora"}


def test_a_similar_name_is_the_one_under_which_the_person_is_shown(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", players=("Bea", "Ada")))
    api.rename_person(store, api.RenameRequest("Bea", "Béatrice"))
    assert api.similar_names(store, ("bea", "beatrice")) == {"bea": "Béatrice", "beatrice": "Béatrice"}
    assert api.similar_names(store, ("Bea", "Béatrice")) == {}


def test_a_name_with_one_slip_of_typing_is_similar(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", players=("David", "Élodie Martin")))
    slips = ("Davd", "Davidd", "Dabid", "Davdi", "davud", "Elodi Martin")
    assert api.similar_names(store, slips) == dict.fromkeys(slips[:5], "David") | {"Elodi Martin": "Élodie Martin"}
    api.open_game(store, api.NewRequest("cardmate", players=("Davd", "Ada")))
    assert api.similar_names(store, ("Davd", "David")) == {}, "both are known"


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Ann", "Anna"),
        ("Jon", "John"),
        ("Guest1", "Guest2"),
        ("Guest12", "Guest21"),
        ("Guest", "Guest1"),
        ("Hanna", "Anna"),
        ("David", "Daivdd"),
        ("David Lee", "Davd Lea"),
        ("Ann Bell", "Ann B"),
        ("Annabel", "Ann abel"),
    ],
)
def test_names_that_may_well_be_two_people_are_not_similar(store: Store, known: str, new: str) -> None:
    api.open_game(store, api.NewRequest("cardmate", players=(known, "Ada")))
    assert api.similar_names(store, (new,)) == {}
