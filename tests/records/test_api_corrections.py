"""Correcting and annotating at the desk: the tail is kept and judged again, and a note stays with its ply."""

import pytest

from cartulary.notation import Note, dumps, loads
from cartulary.records import api
from cartulary.records.commands.annotation import read_noting
from cartulary.records.faults import Declined, Fault, Unfit, Unread
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.records.page_game import GAMES, PAGE, words

# --- amending ---


def test_a_correction_keeps_a_tail_that_still_holds(store: Store, id: str) -> None:
    answer = api.amend(store, id, api.AmendRequest(5, ("XCi0",), by="arbiter", reason="both say i0"))
    assert (answer.old, answer.words, answer.stored) == (PAGE[4:5], ("XCi0",), True)
    assert (answer.tail, answer.conflict) == ((6, 20), 0)
    assert words(store, id) == (*PAGE[:4], "XCi0", *PAGE[5:20])
    assert api.export_cgn(store, id, log=True).line.notes[5].comments == ('[%amend 5 "8Dh3" by=arbiter "both say i0"]',)


def test_a_correction_that_breaks_the_tail_names_the_first_ply(store: Store, id: str) -> None:
    answer = api.amend(store, id, api.AmendRequest(7, ("9Hi1",)))
    assert (answer.stored, answer.tail, answer.conflict) == (True, (8, 20), 15)
    assert (answer.conflicts[0].ply, answer.conflicts[0].severity) == (15, "error")
    assert words(store, id) == (*PAGE[:6], "9Hi1", *PAGE[7:20])
    assert api.amend(store, id, api.AmendRequest(7, (PAGE[6],))).conflict == 0
    assert words(store, id) == PAGE[:20]


def test_a_tail_that_was_irregular_before_is_no_new_conflict(store: Store, id: str) -> None:
    api.play(store, id, api.WordsRequest(("XSa5",), stands=True))
    assert api.amend(store, id, api.AmendRequest(5, ("XCi0",))).conflict == 0


def test_a_tail_that_was_irregular_before_is_not_called_legal(store: Store, id: str) -> None:
    api.play(store, id, api.WordsRequest(("XSa5",), stands=True))
    answer = api.amend(store, id, api.AmendRequest(5, ("XCi0",)))
    assert (answer.conflict, answer.unread) == (0, 0)
    assert [(found.ply, found.severity) for found in answer.before] == [(21, "error")]


def test_a_tail_that_cannot_be_read_says_from_where_on(store: Store, id: str) -> None:
    broken = api.amend(store, id, api.AmendRequest(2, ("2Ca6",)))
    assert (broken.conflict, broken.unread) == (4, 12)
    again = api.amend(store, id, api.AmendRequest(2, ("2Ca6",)))
    assert (again.conflict, again.unread) == (0, 12)
    assert again.before[-1].ply == 12
    mended = api.amend(store, id, api.AmendRequest(2, PAGE[1:2]))
    assert (mended.unread, mended.before) == (0, ())


def test_the_marks_of_a_tail_follow_the_correction_without_a_remark(store: Store, id: str) -> None:
    answer = api.amend(store, id, api.AmendRequest(17, ("XSa1",)))
    assert (answer.stored, answer.conflict) == (True, 0)
    assert words(store, id)[17] == "9Sa3"
    assert load(store, id).report.findings == ()


def test_plies_are_inserted_and_removed(store: Store, id: str) -> None:
    removed = api.amend(store, id, api.AmendRequest(19, (), plies=2))
    assert (removed.old, removed.words, removed.tail) == (PAGE[18:20], (), (0, 0))
    assert words(store, id) == PAGE[:18]
    inserted = api.amend(store, id, api.AmendRequest(19, PAGE[18:20], plies=0))
    assert (inserted.ply, inserted.old, inserted.stored) == (19, (), True)
    assert words(store, id) == PAGE[:20]


def test_a_refused_correction_is_stored_only_if_it_is_let_stand(store: Store, id: str) -> None:
    before = words(store, id)
    answer = api.amend(store, id, api.AmendRequest(20, ("XDa2",)))
    assert not answer.stored
    assert answer.findings[0].severity == "error"
    assert words(store, id) == before
    assert api.amend(store, id, api.AmendRequest(20, ("XDa2",), stands=True)).stored
    assert words(store, id)[19] == "XDa2"


@pytest.mark.parametrize(
    ("ply", "text", "replaced", "fault", "says"),
    [
        (0, ["8Dj2"], None, Declined, "no ply 0"),
        (21, ["8Dj2"], None, Declined, "no ply 21"),
        (22, ["8Dj2"], 0, Declined, "no ply 22"),
        (20, [], 2, Declined, "too few to remove 2 plies from ply 20 on"),
        (5, [], 0, Declined, "nothing to insert"),
        (5, ["8Dz2"], None, Unread, "expected a square"),
    ],
)
def test_a_correction_of_what_is_not_there_is_declined(
    store: Store, id: str, ply: int, text: list[str], replaced: int | None, fault: type[Fault], says: str
) -> None:
    before = store.head(id)
    with pytest.raises(fault, match=says):
        api.amend(store, id, api.AmendRequest(ply, tuple(text), plies=replaced))
    assert store.head(id) == before


def test_behind_a_ply_that_cannot_be_applied_nothing_is_judged_until_it_is_amended(store: Store, id: str) -> None:
    broken = api.amend(store, id, api.AmendRequest(2, ("2Ca6",)))
    game = load(store, id)
    assert (broken.stored, broken.conflict, game.plies_reached, game.plies) == (True, 4, 11, 20)
    assert game.words[12:] == PAGE[12:20]
    with pytest.raises(Declined, match="Ply 12 of g, 4Dc5, cannot be carried out"):
        api.play(store, id, api.WordsRequest((PAGE[20],)))
    with pytest.raises(Declined, match="amend it first"):
        api.amend(store, id, api.AmendRequest(13, (PAGE[12],)))
    api.amend(store, id, api.AmendRequest(2, PAGE[1:2]))
    assert api.play(store, id, api.WordsRequest((PAGE[20],)))[0].verdict == "legal"


# --- notes ---


def test_a_note_adds_to_what_is_there_and_takes_its_place_only_when_told_to(store: Store, id: str) -> None:
    assert api.annotate(store, id, api.NoteRequest(3, "the  plan\nof it", glyphs=(1,))).text == "! {the plan of it}"
    assert api.annotate(store, id, api.NoteRequest(3, glyphs=(1, 14))).text == "! $14 {the plan of it}"
    assert (
        api.annotate(store, id, api.NoteRequest(3, "of the evening")).text == "! $14 {the plan of it} {of the evening}"
    )
    assert load(store, id).book.plies[2].note == Note((1, 14), ("the plan of it", "of the evening"))
    replaced = api.annotate(store, id, api.NoteRequest(3, "changed", replace=True))
    assert (replaced.text, replaced.before) == ("{changed}", "! $14 {the plan of it} {of the evening}")
    assert api.annotate(store, id, api.NoteRequest(3, replace=True)).text == ""
    assert api.annotate(store, id, api.NoteRequest(0, "a cold evening")).ply == 0
    assert api.export_cgn(store, id).line.notes == {0: Note((), ("a cold evening",))}
    with pytest.raises(Unfit, match="nothing to note"):
        api.annotate(store, id, api.NoteRequest(3, " "))


def test_glyphs_or_words_alone_are_replaced_and_the_rest_of_a_note_stays(store: Store, id: str) -> None:
    api.annotate(store, id, api.NoteRequest(3, "the plan", glyphs=(1,), variations="(8Dj7)"))
    api.annotate(store, id, api.NoteRequest(3, "and more"))
    assert api.annotate(store, id, api.NoteRequest(3, "changed", replace="words")).text == "! {changed} (2. 8D:j7)"
    assert api.annotate(store, id, api.NoteRequest(3, glyphs=(2,), replace="glyphs")).text == "? {changed} (2. 8D:j7)"
    assert api.annotate(store, id, api.NoteRequest(3, replace="glyphs")).text == "{changed} (2. 8D:j7)"
    assert api.annotate(store, id, api.NoteRequest(3, replace="words")).text == "(2. 8D:j7)"


def test_a_ply_of_a_variation_is_annotated_within_the_ply_it_replaces(store: Store, id: str) -> None:
    api.annotate(store, id, api.NoteRequest(3, variations="(8Dj7 8Ca7)"))
    answer = api.annotate(store, id, api.NoteRequest(3, "deep", variations="(7Cb6)", within=((1, 2),)))
    assert answer.text == "(2. 8D:j7 8Ca7 {deep} (2... 7C:b6))"
    assert load(store, id).book.plies[2].note.variations[0].notes[2].comments == ("deep",)
    with pytest.raises(Declined, match="no such variation of ply 3 of g"):
        api.annotate(store, id, api.NoteRequest(3, "x", within=((2, 1),)))


def test_a_note_on_an_imported_game_leaves_its_comment_on_the_sheet(store: Store) -> None:
    [page] = loads((GAMES / "page-1.cgn").read_bytes())
    [answer] = api.import_records(store, [page])
    ply, old = next((ply, note) for ply, note in page.line.notes.items() if note.comments)
    api.annotate(store, answer.id, api.NoteRequest(ply, "as the page says"))
    assert api.export_cgn(store, answer.id).line.notes[ply].comments == (*old.comments, "as the page says")


def test_a_command_in_a_note_takes_the_place_of_the_one_of_its_name(store: Store) -> None:
    old = '[%clk 0:12:30] old words [%ruling stands, arbiter: "A ] Person"]'
    [answer] = api.import_records(store, loads(f'[Game "Cardmate"]\n\n1. 4Ci3 {{{old}}} *'))
    both = api.annotate(store, answer.id, api.NoteRequest(1, "new words")).text
    assert " ".join(both.split()) == f"{{{old}}} {{new words}}"
    other = api.annotate(store, answer.id, api.NoteRequest(1, "[%clk 0:10:00] later"))
    assert (
        " ".join(other.text.split())
        == '{old words [%ruling stands, arbiter: "A ] Person"]} {new words} {[%clk 0:10:00] later}'
    )
    assert api.annotate(store, answer.id, api.NoteRequest(1, "bare", replace=True)).text == "{bare}"


@pytest.mark.parametrize(
    ("typed", "noted"),
    [
        ("!", "!"),
        ("?! $14", "?! $14"),
        ("(8Dj2 8Ca7)", "(2. 8Dj2 8Ca7)"),
        (
            "! (8Dj2 8Ca7 {so far} (2... 7Cb6!)) (9Cb1) the plan (of it)",
            "! {the plan (of it)} (2. 8Dj2 8Ca7 {so far} (2... 7C:b6!)) (2. 9Cb1)",
        ),
        ("!x", "{!x}"),
        ("so (8Dj2)", "{so (8Dj2)}"),
        ("(8Dj7)", "(2. 8D:j7)"),
    ],
)
def test_a_note_takes_glyphs_and_variations(store: Store, id: str, typed: str, noted: str) -> None:
    noting = read_noting(typed)
    answer = api.annotate(
        store, id, api.NoteRequest(3, noting.comment, glyphs=noting.glyphs, variations=noting.variations)
    )
    assert " ".join(answer.text.split()) == noted
    sheet = dumps(api.export_cgn(store, id))
    assert f"8Dj2{'' if noted[0] in '!?' else ' '}{noted} " in " ".join(sheet.split()).replace("2... 8Ca7", "8Ca7", 1)
    assert dumps(*loads(sheet)) == sheet


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("(8Dj2 8Dz9)", "found z9 in 8Dz9"),
        ("(after tea)", "a note that begins with a parenthesis is read as a variation"),
        ("(8Dj2 (8Ca7)", "opening parenthesis"),
        ("()", "without a move"),
        ("(Resign 4Da0)", "cannot be carried out"),
        ("$256 (8Dj2)", "not a glyph"),
    ],
)
def test_a_variation_that_cannot_be_read_is_not_noted(store: Store, id: str, typed: str, says: str) -> None:
    def noted() -> None:
        noting = read_noting(typed)
        api.annotate(store, id, api.NoteRequest(3, noting.comment, glyphs=noting.glyphs, variations=noting.variations))

    with pytest.raises(Fault, match=says):
        noted()
    assert load(store, id).book.plies[2].note == Note()


def test_a_bracket_without_a_name_is_no_command_and_stays(store: Store, id: str) -> None:
    api.annotate(store, id, api.NoteRequest(0, "a sign [%] of it"))
    assert api.annotate(store, id, api.NoteRequest(0, "[%eval 3]")).text == "{a sign [%] of it} {[%eval 3]}"


@pytest.mark.parametrize("name", ["takeback", "amend", "irregular", "dispute", "ruling"])
def test_a_command_that_only_the_desk_writes_is_not_typed_into_a_note(store: Store, id: str, name: str) -> None:
    with pytest.raises(Unfit, match="only the program writes"):
        api.annotate(store, id, api.NoteRequest(1, f"well [%{name} 1]"))
    assert api.annotate(store, id, api.NoteRequest(1, "[%eval 3] well")).text == "{[%eval 3] well}"


def test_a_note_keeps_the_variations_of_an_imported_ply(store: Store) -> None:
    text = '[Game "Cardmate"]\n\n1. 4Ci3 {a} (1. 9Cb1 {b (not c)} 4Db6 (1... 2Ca6)) 4Db6 *'
    [answer] = api.import_records(store, loads(text))
    api.annotate(store, answer.id, api.NoteRequest(1, "more"))
    written = api.export_cgn(store, answer.id).line.notes[1]
    assert written.comments == ("a", "more")
    assert written.variations[0].words == ("9Cb1", "4Db6")
    assert written.variations[0].notes[2].variations[0].words == ("2Ca6",)


@pytest.mark.parametrize(
    ("ply", "comment", "glyphs", "says"),
    [
        (1, "so } it", (), "it holds }, which ends a comment"),
        (21, "x", (), "no ply 21"),
        (0, "", (1,), "ply 0 is the game"),
        (1, "", (256,), "to \\$255"),
    ],
)
def test_a_note_that_cannot_be_kept_is_declined(
    store: Store, id: str, ply: int, comment: str, glyphs: tuple[int, ...], says: str
) -> None:
    with pytest.raises(Declined, match=says):
        api.annotate(store, id, api.NoteRequest(ply, comment, glyphs=glyphs))
