"""The desk: a line of text in, an event in the log, a score sheet out; every way of correcting what was written."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cartulary.notation import loads
from cartulary.records import desk
from cartulary.records.faults import Conflict, Declined, UnknownGame, Unread
from cartulary.records.log.events import GameOpened, MovePlayed
from cartulary.records.log.store import Store
from cartulary.records.state.fold import load
from tests.places import SAMPLES

GAMES = SAMPLES / "cardmate" / "games"
PAGE = loads((GAMES / "page-1.cgn").read_bytes())[0].line.words


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as store:
        yield store


@pytest.fixture
def id(store: Store) -> str:
    """Give a live record with the first twenty plies of the page's first game."""
    opened = desk.open_game(store, desk.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
    desk.play(store, "g", desk.WordsRequest(PAGE[:20]))
    return opened.id


def words(store: Store, id: str) -> tuple[str, ...]:
    return load(store, id).words


# --- opening ---


def test_a_game_is_opened_without_names_and_the_names_stand_beside_it(store: Store) -> None:
    answer = desk.open_game(
        store, desk.NewRequest("Cardmate", players=("Ada",), tags={"Event": "Club", "Options": "repetition=loss"})
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
        (lambda store: desk.open_game(store, desk.NewRequest("nonesuch")), "There is no game.*Cardmate"),
        (lambda store: desk.open_game(store, desk.NewRequest("cardmate", id="a/b")), "not an id"),
        (
            lambda store: desk.open_game(store, desk.NewRequest("cardmate", tags={"Variant": "fast"})),
            "'fast', expected one of",
        ),
        (
            lambda store: desk.open_game(store, desk.NewRequest("cardmate", tags={"Variant": "rank-setup"})),
            "needs a Setup tag",
        ),
        (lambda store: desk.open_game(store, desk.NewRequest("cardmate", tags={"Options": "speed"})), "option 'speed'"),
        (
            lambda store: desk.open_game(store, desk.NewRequest("cardmate", tags={"Result": "1-0"})),
            "is not written by hand",
        ),
        (lambda store: desk.open_game(store, desk.NewRequest("cardmate", tags={"A b": "1"})), "not a tag"),
        (lambda store: desk.open_game(store, desk.NewRequest("cardmate", tags={"Event": "a\nb"})), "line break"),
        (lambda store: desk.open_game(store, desk.NewRequest("cardmate", players=("a", "b", "c"))), "has 2 seats"),
    ],
)
def test_what_sets_up_no_game_is_declined(store: Store, change: Callable[[Store], object], says: str) -> None:
    with pytest.raises(Declined, match=says):
        change(store)
    assert store.ids() == ()


def test_who_expects_an_empty_game_is_told_that_somebody_wrote(store: Store, id: str) -> None:
    with pytest.raises(Conflict, match="Someone else wrote to g first: expected version 0, but the game is"):
        desk.play(store, "g", desk.WordsRequest("4Ci3", expected=0))


def test_an_id_is_given_once(store: Store, id: str) -> None:
    with pytest.raises(Conflict, match="There is already a game g"):
        desk.open_game(store, desk.NewRequest("cardmate", id="g"))


# --- playing ---


def test_a_legal_move_is_stored_in_its_one_spelling(store: Store, id: str) -> None:
    answer = desk.play(store, id, desk.WordsRequest(("p1/" + PAGE[20].rstrip("+"),), by="p1", clock="0:12:30"))[0]
    assert (answer.text, answer.verdict, answer.stored, answer.ply) == (PAGE[20], "legal", True, 21)
    event = store.stream(id)[-1].event
    assert isinstance(event, MovePlayed)
    assert (event.text, event.seat, event.by, event.clock) == (PAGE[20], 1, "p1", "0:12:30")


def test_a_refused_move_is_not_stored_and_says_why(store: Store, id: str) -> None:
    before = store.head(id)
    answer = desk.play(store, id, desk.WordsRequest(("XSa5",)))[0]
    assert (answer.verdict, answer.stored, answer.blocks) == ("refused", False, False)
    assert answer.findings[0].severity == "error"
    assert answer.findings[0].rule
    assert answer.findings[0].legal
    assert store.head(id) == before


def test_a_refused_move_that_is_let_stand_is_stored_with_its_findings(store: Store, id: str) -> None:
    answer = desk.play(store, id, desk.WordsRequest(("XSa5",), stands=True))[0]
    assert (answer.verdict, answer.stored) == ("refused", True)
    event = store.stream(id)[-1].event
    assert isinstance(event, MovePlayed)
    assert (event.stands, event.findings[0].key) == (True, answer.findings[0].key)
    sheet = desk.export_cgn(store, id)
    assert f"[%irregular {answer.findings[0].key}]" in sheet.line.notes[21].comments[0]


def test_what_cannot_be_applied_is_never_stored(store: Store, id: str) -> None:
    before = store.head(id)
    answer = desk.play(store, id, desk.WordsRequest(("ACa5",), stands=True))[0]
    assert (answer.stored, answer.blocks) == (False, True)
    assert store.head(id) == before


def test_of_several_words_all_are_stored_or_none(store: Store, id: str) -> None:
    before = store.head(id)
    answers = desk.play(store, id, desk.WordsRequest((PAGE[20], "1Ca9", PAGE[21])))
    assert [(each.verdict, each.stored) for each in answers] == [("legal", False), ("refused", False)]
    assert store.head(id) == before
    answers = desk.play(store, id, desk.WordsRequest(PAGE[20:]))
    assert [each.ply for each in answers] == list(range(21, 41))
    assert words(store, id) == PAGE


def test_text_that_is_no_move_says_where_and_what_was_expected(store: Store, id: str) -> None:
    with pytest.raises(Unread, match="expected a square") as caught:
        desk.play(store, id, desk.WordsRequest(("8Dz9",)))
    assert (caught.value.text, caught.value.column) == ("8Dz9", 3)


def test_moves_are_read_from_a_line_of_a_score_sheet() -> None:
    assert desk.words_of("11. 8Dj2 8Ca7 12... 4Ci3") == ("8Dj2", "8Ca7", "4Ci3")
    assert desk.words_of("") == ()
    for text, fault in (("8Dj2 {good}", Declined), ("1-0", Declined), ("8Dj2!", Declined), ("(8Dj2", Unread)):
        with pytest.raises(fault):
            desk.words_of(text)


@pytest.mark.parametrize("clock", ["12", "1:99", "soon"])
def test_a_clock_that_is_no_time_is_declined(store: Store, id: str, clock: str) -> None:
    with pytest.raises(Declined, match="not a time"):
        desk.play(store, id, desk.WordsRequest((PAGE[20],), clock=clock))


def test_who_expects_another_version_gets_a_conflict(store: Store, id: str) -> None:
    version = load(store, id).head.version
    with pytest.raises(Conflict):
        desk.play(store, id, desk.WordsRequest((PAGE[20],), expected=version - 1))
    assert desk.play(store, id, desk.WordsRequest((PAGE[20],), expected=version))[0].version == version + 1


def test_a_game_that_is_not_there_is_unknown(store: Store) -> None:
    with pytest.raises(UnknownGame):
        desk.play(store, "nobody", desk.WordsRequest(("8Dj2",)))


# --- taking back ---


def test_plies_taken_back_are_gone_from_the_game_and_kept_in_the_log(store: Store, id: str) -> None:
    events = len(store.stream(id))
    answer = desk.take_back(store, id, desk.UndoRequest(2, by="p1", agreed="p2", reason='he "saw" it'))
    assert (answer.words, answer.plies) == (PAGE[18:20], 18)
    assert words(store, id) == PAGE[:18]
    assert len(store.stream(id)) == events + 1
    desk.play(store, id, desk.WordsRequest(PAGE[18:20]))
    sheet = desk.export_cgn(store, id, log=True)
    assert sheet.line.notes[19].comments == ('[%takeback 2 by=p1 agreed=p2 "he \\"saw\\" it"]',)
    assert 19 not in desk.export_cgn(store, id).line.notes


def test_no_more_is_taken_back_than_was_played(store: Store, id: str) -> None:
    with pytest.raises(Declined, match="21 plies cannot be taken back: g has 20 plies"):
        desk.take_back(store, id, desk.UndoRequest(21))
    with pytest.raises(Declined):
        desk.take_back(store, id, desk.UndoRequest(0))
    desk.take_back(store, id, desk.UndoRequest(20))
    with pytest.raises(Declined, match="no plies"):
        desk.take_back(store, id, desk.UndoRequest())


# --- closing ---


def test_a_closed_game_is_amended_and_annotated_only(store: Store, id: str) -> None:
    desk.close(store, id, desk.CloseRequest("1-0", termination="abandoned"))
    for ask in (
        lambda: desk.play(store, id, desk.WordsRequest((PAGE[20],))),
        lambda: desk.take_back(store, id, desk.UndoRequest()),
        lambda: desk.close(store, id, desk.CloseRequest("1-0")),
    ):
        with pytest.raises(Declined, match="closed, 1-0"):
            ask()
    assert desk.annotate(store, id, desk.NoteRequest(1, "later")).text == "{later}"
    assert desk.amend(store, id, desk.AmendRequest(5, ("XCi0",))).stored
    assert dict(desk.export_cgn(store, id).tags)["Termination"] == "abandoned"
    desk.reopen(store, id, desk.ReopenRequest(reason="too early"))
    assert desk.play(store, id, desk.WordsRequest((PAGE[20],)))[0].stored
    assert dict(desk.export_cgn(store, id).tags)["Result"] == "*"
    with pytest.raises(Declined, match="not closed"):
        desk.reopen(store, id, desk.ReopenRequest())


def test_a_decided_game_closes_with_what_the_moves_say(store: Store, id: str) -> None:
    desk.play(store, id, desk.WordsRequest(PAGE[20:]))
    with pytest.raises(Declined, match="is 0-1: p1 has lost both Kings"):
        desk.close(store, id, desk.CloseRequest("1-0"))
    assert desk.close(store, id, desk.CloseRequest()).result == "0-1"
    assert dict(desk.export_cgn(store, id).tags)["Result"] == "0-1"


def test_a_resignation_is_a_ply_and_closes_as_one(store: Store, id: str) -> None:
    desk.play(store, id, desk.WordsRequest(("Resign",)))
    answer = desk.close(store, id, desk.CloseRequest())
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
        desk.close(store, id, desk.CloseRequest(result, termination=termination))


# --- repeated commands ---


def test_a_repeated_command_is_harmless_and_answers_the_same(store: Store) -> None:
    asks: tuple[Callable[[], object], ...] = (
        lambda: desk.open_game(store, desk.NewRequest("cardmate", id="g", command="a")),
        lambda: desk.play(store, "g", desk.WordsRequest(PAGE[:4], command="b")),
        lambda: desk.play(store, "g", desk.WordsRequest(("XSa5",), stands=True, command="c")),
        lambda: desk.take_back(store, "g", desk.UndoRequest(1, command="d")),
        lambda: desk.amend(store, "g", desk.AmendRequest(3, ("9Hj2",), command="e")),
        lambda: desk.annotate(store, "g", desk.NoteRequest(1, "well", command="f")),
        lambda: desk.change_tags(store, "g", desk.TagRequest({"Event": "Club"}, command="g")),
        lambda: desk.close(store, "g", desk.CloseRequest("1-0", command="h")),
        lambda: desk.reopen(store, "g", desk.ReopenRequest(command="i")),
    )
    for ask in asks:
        first, head = ask(), store.head("g")
        assert ask() == first
        assert store.head("g") == head
    for ask, version in zip(asks[3:], range(8, 14), strict=True):
        assert getattr(ask(), "version") == version  # noqa: B009


def test_an_opening_without_an_id_is_harmless_to_repeat_too(store: Store) -> None:
    first = desk.open_game(store, desk.NewRequest("cardmate", command="once"))
    assert desk.open_game(store, desk.NewRequest("cardmate", command="once")) == first
    assert desk.open_game(store, desk.NewRequest("cardmate", command="twice")) != first
    assert len(store.ids()) == 2


def test_a_command_id_used_for_something_else_is_declined(store: Store, id: str) -> None:
    desk.annotate(store, id, desk.NoteRequest(1, "well", command="a"))
    with pytest.raises(Declined, match="used for another request"):
        desk.play(store, id, desk.WordsRequest((PAGE[20],), command="a"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            lambda store: desk.play(store, "g", desk.WordsRequest((PAGE[20],), command="a")),
            lambda store: desk.play(store, "g", desk.WordsRequest(("Resign",), command="a")),
        ),
        (
            lambda store: desk.play(store, "g", desk.WordsRequest((PAGE[20],), command="a")),
            lambda store: desk.play(store, "g", desk.WordsRequest(PAGE[20:22], command="a")),
        ),
        (
            lambda store: desk.play(store, "g", desk.WordsRequest((PAGE[20],), command="a")),
            lambda store: desk.play(store, "g", desk.WordsRequest(("8Dz9",), command="a")),
        ),
        (
            lambda store: desk.play(store, "g", desk.WordsRequest(("XSa5",), stands=True, command="a")),
            lambda store: desk.play(store, "g", desk.WordsRequest(("XSa5",), command="a")),
        ),
        (
            lambda store: desk.take_back(store, "g", desk.UndoRequest(1, command="a")),
            lambda store: desk.take_back(store, "g", desk.UndoRequest(2, command="a")),
        ),
        (
            lambda store: desk.amend(store, "g", desk.AmendRequest(5, ("XCi0",), command="a")),
            lambda store: desk.amend(store, "g", desk.AmendRequest(5, (PAGE[4],), command="a")),
        ),
        (
            lambda store: desk.annotate(store, "g", desk.NoteRequest(1, "well", command="a")),
            lambda store: desk.annotate(store, "g", desk.NoteRequest(2, "well", command="a")),
        ),
        (
            lambda store: desk.change_tags(store, "g", desk.TagRequest({"Event": "Club"}, command="a")),
            lambda store: desk.change_tags(store, "g", desk.TagRequest({"Event": "Cup"}, command="a")),
        ),
        (
            lambda store: desk.close(store, "g", desk.CloseRequest("1-0", command="a")),
            lambda store: desk.close(store, "g", desk.CloseRequest("0-1", command="a")),
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
    first = desk.play(store, id, desk.WordsRequest((PAGE[20],), command="a"))
    assert desk.play(store, id, desk.WordsRequest(("p1/" + PAGE[20].rstrip("+"),), command="a")) == first
    noted = desk.annotate(store, id, desk.NoteRequest(3, "well", command="b"))
    desk.amend(store, id, desk.AmendRequest(1, (), plies=1))
    assert desk.annotate(store, id, desk.NoteRequest(3, "well", command="b")) == noted


def test_an_opening_repeated_with_other_players_is_declined(store: Store) -> None:
    desk.open_game(store, desk.NewRequest("cardmate", id="g", players=("Ada",), command="a"))
    with pytest.raises(Declined, match="used for another request"):
        desk.open_game(store, desk.NewRequest("cardmate", id="g", players=("Bela",), command="a"))
    with pytest.raises(Conflict, match="already"):
        desk.open_game(store, desk.NewRequest("cardmate", id="g", players=("Ada",), command="b"))


# --- tags and the log ---


def test_tags_are_corrected_and_taken_away(store: Store, id: str) -> None:
    desk.change_tags(store, id, desk.TagRequest({"Forehand": "Ida", "Round": "3"}, drop=("Date",)))
    tags = dict(desk.export_cgn(store, id).tags)
    assert (tags["Forehand"], tags["Rearhand"], tags["Round"], "Date" in tags) == ("Ida", "Bela", "3", False)
    with pytest.raises(Declined, match="Setup is not written by hand"):
        desk.change_tags(store, id, desk.TagRequest({"Setup": "x"}))
    for tags, drop, says in (
        ({}, ["Rearhand"], "names a seat"),
        ({}, ["Site"], "has no tag Site"),
        ({}, [], "no tag to write"),
    ):
        with pytest.raises(Declined, match=says):
            desk.change_tags(store, id, desk.TagRequest(tags, drop=tuple(drop)))


def test_the_log_tells_everything_in_order(store: Store, id: str) -> None:
    desk.take_back(store, id, desk.UndoRequest(1, by="p1", reason="slip"))
    desk.amend(store, id, desk.AmendRequest(1, (PAGE[0],), by="arbiter"))
    desk.annotate(store, id, desk.NoteRequest(1, "well"))
    desk.close(store, id, desk.CloseRequest("1-0"))
    lines = desk.log(store, id)
    assert [line.version for line in lines] == list(range(1, len(lines) + 1))
    assert [line.kind for line in lines[-4:]] == ["move-taken-back", "moves-amended", "annotated", "game-closed"]
    assert lines[-4].says == "took back the ply of event 22: slip"
    assert lines[-3].says == f"corrected the ply of event 3, to {PAGE[0]}"
    assert lines[-1].digest == load(store, id).head.digest


def test_the_games_list_follows_every_request(store: Store, id: str) -> None:
    [listed] = desk.games(store)
    assert (listed.id, listed.players, listed.plies, listed.verdict) == ("g", "Ada; Bela", 20, "legal")
    desk.play(store, id, desk.WordsRequest(("XSa5",), stands=True))
    desk.close(store, id, desk.CloseRequest("0-1"))
    [listed] = desk.games(store)
    assert (listed.plies, listed.verdict, listed.closed, listed.result) == (21, "irregular", True, "0-1")
    head = store.head(id)
    assert head is not None
    assert (listed.version, listed.digest) == (head.version, head.digest)


def test_the_rebuilt_list_is_the_one_kept(store: Store, id: str) -> None:
    list(desk.import_records(store, loads((GAMES / "page-2.cgn").read_bytes())))
    before = list(desk.games(store))
    store.index.rows("DELETE FROM games")
    assert desk.reindex(store) == (2, ())
    assert list(desk.games(store)) == before
