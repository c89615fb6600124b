"""The desk: a line of text in, an event in the log, a score sheet out; every way of correcting what was written."""

from collections.abc import Callable

import pytest

from cartulary.notation import loads
from cartulary.records import api
from cartulary.records.commands.request import words_of
from cartulary.records.faults import Conflict, Declined, UnknownGame, Unread
from cartulary.records.log.events import GameOpened, MovePlayed
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.records.page_game import GAMES, PAGE, words

# --- opening ---


def test_a_game_is_opened_without_names_and_the_names_stand_beside_it(store: Store) -> None:
    answer = api.open_game(
        store, api.NewRequest("Cardmate", players=("Ada",), tags={"Event": "Club", "Options": "repetition=loss"})
    )
    opened, named = (each.event for each in store.stream(answer.id))
    assert isinstance(opened, GameOpened)
    assert (opened.game, opened.edition, opened.variant) == ("cardmate", "cardmate-2000", "predefined")
    assert opened.options == "repetition=loss"
    assert b"Ada" not in store.stream(answer.id)[0].body
    assert b'["Forehand","Ada"],["Rearhand","?"]' in store.stream(answer.id)[1].body
    assert answer.id.startswith("cardmate-")
    assert len(answer.id) == len("cardmate-7f3k2")
    assert named.command == ""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda store: api.open_game(store, api.NewRequest("nonesuch")), "There is no game.*Cardmate"),
        (lambda store: api.open_game(store, api.NewRequest("cardmate", id="a/b")), "not an id"),
        (
            lambda store: api.open_game(store, api.NewRequest("cardmate", tags={"Variant": "fast"})),
            "'fast', expected one of",
        ),
        (
            lambda store: api.open_game(store, api.NewRequest("cardmate", tags={"Variant": "rank-setup"})),
            "needs a Setup tag",
        ),
        (lambda store: api.open_game(store, api.NewRequest("cardmate", tags={"Options": "speed"})), "option 'speed'"),
        (
            lambda store: api.open_game(store, api.NewRequest("cardmate", tags={"Result": "1-0"})),
            "is not written by hand",
        ),
        (lambda store: api.open_game(store, api.NewRequest("cardmate", tags={"A b": "1"})), "not a tag"),
        (lambda store: api.open_game(store, api.NewRequest("cardmate", tags={"Event": "a\nb"})), "line break"),
        (lambda store: api.open_game(store, api.NewRequest("cardmate", players=("a", "b", "c"))), "has 2 seats"),
    ],
)
def test_what_sets_up_no_game_is_declined(store: Store, change: Callable[[Store], object], says: str) -> None:
    with pytest.raises(Declined, match=says):
        change(store)
    assert store.ids() == ()


def test_who_expects_an_empty_game_is_told_that_somebody_wrote(store: Store, id: str) -> None:
    with pytest.raises(Conflict, match="Someone else wrote to g first: expected version 0, but the game is"):
        api.play(store, "g", api.WordsRequest("4Ci3", expected=0))


def test_an_id_is_given_once(store: Store, id: str) -> None:
    with pytest.raises(Conflict, match="There is already a game g"):
        api.open_game(store, api.NewRequest("cardmate", id="g"))


# --- playing ---


def test_a_legal_move_is_stored_in_its_one_spelling(store: Store, id: str) -> None:
    answer = api.play(store, id, api.WordsRequest(("p1/" + PAGE[20].rstrip("+"),), by="p1", clock="0:12:30"))[0]
    assert (answer.text, answer.verdict, answer.stored, answer.ply) == (PAGE[20], "legal", True, 21)
    event = store.stream(id)[-1].event
    assert isinstance(event, MovePlayed)
    assert (event.text, event.seat, event.by, event.clock) == (PAGE[20], 1, "p1", "0:12:30")


def test_a_refused_move_is_not_stored_and_says_why(store: Store, id: str) -> None:
    before = store.head(id)
    answer = api.play(store, id, api.WordsRequest(("XSa5",)))[0]
    assert (answer.verdict, answer.stored, answer.blocks) == ("refused", False, False)
    assert answer.findings[0].severity == "error"
    assert answer.findings[0].rule
    assert answer.findings[0].legal
    assert store.head(id) == before


def test_a_refused_move_that_is_let_stand_is_stored_with_its_findings(store: Store, id: str) -> None:
    answer = api.play(store, id, api.WordsRequest(("XSa5",), stands=True))[0]
    assert (answer.verdict, answer.stored) == ("refused", True)
    event = store.stream(id)[-1].event
    assert isinstance(event, MovePlayed)
    assert (event.stands, event.findings[0].key) == (True, answer.findings[0].key)
    sheet = api.export_cgn(store, id)
    assert f"[%irregular {answer.findings[0].key}]" in sheet.line.notes[21].comments[0]


def test_what_cannot_be_applied_is_never_stored(store: Store, id: str) -> None:
    before = store.head(id)
    answer = api.play(store, id, api.WordsRequest(("ACa5",), stands=True))[0]
    assert (answer.stored, answer.blocks) == (False, True)
    assert store.head(id) == before


def test_of_several_words_all_are_stored_or_none(store: Store, id: str) -> None:
    before = store.head(id)
    answers = api.play(store, id, api.WordsRequest((PAGE[20], "1Ca9", PAGE[21])))
    assert [(each.verdict, each.stored) for each in answers] == [("legal", False), ("refused", False)]
    assert store.head(id) == before
    answers = api.play(store, id, api.WordsRequest(PAGE[20:]))
    assert [each.ply for each in answers] == list(range(21, 41))
    assert words(store, id) == PAGE


def test_text_that_is_no_move_says_where_and_what_was_expected(store: Store, id: str) -> None:
    with pytest.raises(Unread, match="expected a square") as caught:
        api.play(store, id, api.WordsRequest(("8Dz9",)))
    assert (caught.value.text, caught.value.column) == ("8Dz9", 3)


def test_moves_are_read_from_a_line_of_a_score_sheet() -> None:
    assert words_of("11. 8Dj2 8Ca7 12... 4Ci3") == ("8Dj2", "8Ca7", "4Ci3")
    assert words_of("") == ()
    for text, fault in (("8Dj2 {good}", Declined), ("1-0", Declined), ("8Dj2!", Declined), ("(8Dj2", Unread)):
        with pytest.raises(fault):
            words_of(text)


@pytest.mark.parametrize("clock", ["12", "1:99", "soon"])
def test_a_clock_that_is_no_time_is_declined(store: Store, id: str, clock: str) -> None:
    with pytest.raises(Declined, match="not a time"):
        api.play(store, id, api.WordsRequest((PAGE[20],), clock=clock))


def test_who_expects_another_version_gets_a_conflict(store: Store, id: str) -> None:
    version = load(store, id).head.version
    with pytest.raises(Conflict):
        api.play(store, id, api.WordsRequest((PAGE[20],), expected=version - 1))
    assert api.play(store, id, api.WordsRequest((PAGE[20],), expected=version))[0].version == version + 1


def test_a_game_that_is_not_there_is_unknown(store: Store) -> None:
    with pytest.raises(UnknownGame):
        api.play(store, "nobody", api.WordsRequest(("8Dj2",)))


# --- taking back ---


def test_plies_taken_back_are_gone_from_the_game_and_kept_in_the_log(store: Store, id: str) -> None:
    events = len(store.stream(id))
    answer = api.take_back(store, id, api.UndoRequest(2, by="p1", agreed="p2", reason='he "saw" it'))
    assert (answer.words, answer.plies) == (PAGE[18:20], 18)
    assert words(store, id) == PAGE[:18]
    assert len(store.stream(id)) == events + 1
    api.play(store, id, api.WordsRequest(PAGE[18:20]))
    sheet = api.export_cgn(store, id, log=True)
    assert sheet.line.notes[19].comments == ('[%takeback 2 by=p1 agreed=p2 "he \\"saw\\" it"]',)
    assert 19 not in api.export_cgn(store, id).line.notes


def test_no_more_is_taken_back_than_was_played(store: Store, id: str) -> None:
    with pytest.raises(Declined, match="21 plies cannot be taken back: g has 20 plies"):
        api.take_back(store, id, api.UndoRequest(21))
    with pytest.raises(Declined):
        api.take_back(store, id, api.UndoRequest(0))
    api.take_back(store, id, api.UndoRequest(20))
    with pytest.raises(Declined, match="no plies"):
        api.take_back(store, id, api.UndoRequest())


# --- closing ---


def test_a_closed_game_is_amended_and_annotated_only(store: Store, id: str) -> None:
    api.close(store, id, api.CloseRequest("1-0", termination="abandoned"))
    for ask in (
        lambda: api.play(store, id, api.WordsRequest((PAGE[20],))),
        lambda: api.take_back(store, id, api.UndoRequest()),
        lambda: api.close(store, id, api.CloseRequest("1-0")),
    ):
        with pytest.raises(Declined, match="closed, 1-0"):
            ask()
    assert api.annotate(store, id, api.NoteRequest(1, "later")).text == "{later}"
    assert api.amend(store, id, api.AmendRequest(5, ("XCi0",))).stored
    assert dict(api.export_cgn(store, id).tags)["Termination"] == "abandoned"
    api.reopen(store, id, api.ReopenRequest(reason="too early"))
    assert api.play(store, id, api.WordsRequest((PAGE[20],)))[0].stored
    assert dict(api.export_cgn(store, id).tags)["Result"] == "*"
    with pytest.raises(Declined, match="not closed"):
        api.reopen(store, id, api.ReopenRequest())


def test_a_decided_game_closes_with_what_the_moves_say(store: Store, id: str) -> None:
    api.play(store, id, api.WordsRequest(PAGE[20:]))
    with pytest.raises(Declined, match="is 0-1: p1 has lost both Kings"):
        api.close(store, id, api.CloseRequest("1-0"))
    assert api.close(store, id, api.CloseRequest()).result == "0-1"
    assert dict(api.export_cgn(store, id).tags)["Result"] == "0-1"


def test_a_resignation_is_a_ply_and_closes_as_one(store: Store, id: str) -> None:
    api.play(store, id, api.WordsRequest(("Resign",)))
    answer = api.close(store, id, api.CloseRequest())
    assert (answer.result, answer.termination) == ("0-1", "resignation")


@pytest.mark.parametrize(
    ("result", "termination", "says"),
    [
        ("", "", "not decided"),
        ("2-0", "", "result"),
        ("1-0-0", "", "result"),
        ("1-0", "boredom", "not a termination"),
    ],
)
def test_a_result_that_is_none_is_declined(store: Store, id: str, result: str, termination: str, says: str) -> None:
    with pytest.raises(Declined, match=says):
        api.close(store, id, api.CloseRequest(result, termination=termination))


# --- repeated commands ---


def test_a_repeated_command_is_harmless_and_answers_the_same(store: Store) -> None:
    asks: tuple[Callable[[], object], ...] = (
        lambda: api.open_game(store, api.NewRequest("cardmate", id="g", command="a")),
        lambda: api.play(store, "g", api.WordsRequest(PAGE[:4], command="b")),
        lambda: api.play(store, "g", api.WordsRequest(("XSa5",), stands=True, command="c")),
        lambda: api.take_back(store, "g", api.UndoRequest(1, command="d")),
        lambda: api.amend(store, "g", api.AmendRequest(3, ("9Hj2",), command="e")),
        lambda: api.annotate(store, "g", api.NoteRequest(1, "well", command="f")),
        lambda: api.change_tags(store, "g", api.TagRequest({"Event": "Club"}, command="g")),
        lambda: api.close(store, "g", api.CloseRequest("1-0", command="h")),
        lambda: api.reopen(store, "g", api.ReopenRequest(command="i")),
    )
    for ask in asks:
        first, head = ask(), store.head("g")
        assert ask() == first
        assert store.head("g") == head
    for ask, version in zip(asks[3:], range(8, 14), strict=True):
        assert getattr(ask(), "version") == version  # noqa: B009


def test_an_opening_without_an_id_is_harmless_to_repeat_too(store: Store) -> None:
    first = api.open_game(store, api.NewRequest("cardmate", command="once"))
    assert api.open_game(store, api.NewRequest("cardmate", command="once")) == first
    assert api.open_game(store, api.NewRequest("cardmate", command="twice")) != first
    assert len(store.ids()) == 2


def test_a_command_id_used_for_something_else_is_declined(store: Store, id: str) -> None:
    api.annotate(store, id, api.NoteRequest(1, "well", command="a"))
    with pytest.raises(Declined, match="used for another request"):
        api.play(store, id, api.WordsRequest((PAGE[20],), command="a"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            lambda store: api.play(store, "g", api.WordsRequest((PAGE[20],), command="a")),
            lambda store: api.play(store, "g", api.WordsRequest(("Resign",), command="a")),
        ),
        (
            lambda store: api.play(store, "g", api.WordsRequest((PAGE[20],), command="a")),
            lambda store: api.play(store, "g", api.WordsRequest(PAGE[20:22], command="a")),
        ),
        (
            lambda store: api.play(store, "g", api.WordsRequest((PAGE[20],), command="a")),
            lambda store: api.play(store, "g", api.WordsRequest(("8Dz9",), command="a")),
        ),
        (
            lambda store: api.play(store, "g", api.WordsRequest(("XSa5",), stands=True, command="a")),
            lambda store: api.play(store, "g", api.WordsRequest(("XSa5",), command="a")),
        ),
        (
            lambda store: api.take_back(store, "g", api.UndoRequest(1, command="a")),
            lambda store: api.take_back(store, "g", api.UndoRequest(2, command="a")),
        ),
        (
            lambda store: api.amend(store, "g", api.AmendRequest(5, ("XCi0",), command="a")),
            lambda store: api.amend(store, "g", api.AmendRequest(5, (PAGE[4],), command="a")),
        ),
        (
            lambda store: api.annotate(store, "g", api.NoteRequest(1, "well", command="a")),
            lambda store: api.annotate(store, "g", api.NoteRequest(2, "well", command="a")),
        ),
        (
            lambda store: api.change_tags(store, "g", api.TagRequest({"Event": "Club"}, command="a")),
            lambda store: api.change_tags(store, "g", api.TagRequest({"Event": "Cup"}, command="a")),
        ),
        (
            lambda store: api.close(store, "g", api.CloseRequest("1-0", command="a")),
            lambda store: api.close(store, "g", api.CloseRequest("0-1", command="a")),
        ),
    ],
)
def test_a_command_id_given_again_with_another_request_is_declined(
    store: Store, id: str, first: Callable[[Store], object], second: Callable[[Store], object]
) -> None:
    answer, head = first(store), store.head(id)
    with pytest.raises(Declined, match="The command key a was already used for another request on g"):
        second(store)
    assert first(store) == answer
    assert store.head(id) == head


def test_a_repeated_command_may_spell_its_words_in_another_way(store: Store, id: str) -> None:
    first = api.play(store, id, api.WordsRequest((PAGE[20],), command="a"))
    assert api.play(store, id, api.WordsRequest(("p1/" + PAGE[20].rstrip("+"),), command="a")) == first
    noted = api.annotate(store, id, api.NoteRequest(3, "well", command="b"))
    api.amend(store, id, api.AmendRequest(1, (), plies=1))
    assert api.annotate(store, id, api.NoteRequest(3, "well", command="b")) == noted


def test_an_opening_repeated_with_other_players_is_declined(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada",), command="a"))
    with pytest.raises(Declined, match="used for another request"):
        api.open_game(store, api.NewRequest("cardmate", id="g", players=("Bela",), command="a"))
    with pytest.raises(Conflict, match="already"):
        api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada",), command="b"))


# --- tags and the log ---


def test_a_tag_with_an_empty_value_is_taken_away(store: Store, id: str) -> None:
    api.change_tags(store, id, api.TagRequest({"Event": "Club", "Site": "Town"}))
    request = api.TagRequest({"Event": "", "Round": "3"}, drop=("Site",), command="a")
    answer = api.change_tags(store, id, request)
    assert not {"Event", "Site"}.intersection(dict(answer.tags))
    assert dict(answer.tags)["Round"] == "3"
    assert api.change_tags(store, id, request) == answer


def test_tags_are_corrected_and_taken_away(store: Store, id: str) -> None:
    api.change_tags(store, id, api.TagRequest({"Forehand": "Ida", "Round": "3"}, drop=("Date",)))
    tags = dict(api.export_cgn(store, id).tags)
    assert (tags["Forehand"], tags["Rearhand"], tags["Round"], "Date" in tags) == ("Ida", "Bela", "3", False)
    with pytest.raises(Declined, match="Setup is not written by hand"):
        api.change_tags(store, id, api.TagRequest({"Setup": "x"}))
    for tags, drop, says in (
        ({}, ["Rearhand"], "names a seat"),
        ({"p2": ""}, [], "names a seat"),
        ({"Site": ""}, [], "has no tag Site"),
        ({}, ["Site"], "has no tag Site"),
        ({}, [], "no tag to write"),
    ):
        with pytest.raises(Declined, match=says):
            api.change_tags(store, id, api.TagRequest(tags, drop=tuple(drop)))


def test_the_log_tells_everything_in_order(store: Store, id: str) -> None:
    api.take_back(store, id, api.UndoRequest(1, by="p1", reason="slip"))
    api.amend(store, id, api.AmendRequest(1, (PAGE[0],), by="arbiter"))
    api.annotate(store, id, api.NoteRequest(1, "well"))
    api.close(store, id, api.CloseRequest("1-0"))
    lines = api.log(store, id)
    assert [line.version for line in lines] == list(range(1, len(lines) + 1))
    assert [line.kind for line in lines[-4:]] == ["move-taken-back", "moves-amended", "annotated", "game-closed"]
    assert lines[-4].says == "took back the ply of event 22: slip"
    assert lines[-3].says == f"corrected the ply of event 3, to {PAGE[0]}"
    assert lines[-1].digest == load(store, id).head.digest


def test_the_games_list_follows_every_request(store: Store, id: str) -> None:
    [listed] = api.games(store)
    assert (listed.id, listed.players, listed.plies, listed.verdict) == ("g", "Ada; Bela", 20, "legal")
    api.play(store, id, api.WordsRequest(("XSa5",), stands=True))
    api.close(store, id, api.CloseRequest("0-1"))
    [listed] = api.games(store)
    assert (listed.plies, listed.verdict, listed.closed, listed.result) == (21, "irregular", True, "0-1")
    head = store.head(id)
    assert head is not None
    assert (listed.version, listed.digest) == (head.version, head.digest)


def test_the_rebuilt_list_is_the_one_kept(store: Store, id: str) -> None:
    list(api.import_records(store, loads((GAMES / "page-2.cgn").read_bytes())))
    before = list(api.games(store))
    store.index.rows("DELETE FROM games")
    assert api.reindex(store) == (2, ())
    assert list(api.games(store)) == before
