"""Score sheets annotated in their files: what is noted, which bytes change, and what is refused."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartulary.notation import Note, Record, canonical, format_record, load_all, loads
from cartulary.notation.arbiter.files import replace_game
from cartulary.notation.viewer import SPECTATOR, Seat, viewer_of_seat
from cartulary.records.commands.annotation import Noting
from cartulary.records.exchange.sheet_file import annotate_on_paper, sheet_file
from cartulary.records.faults import Declined, Fault, Unfit
from tests.places import SAMPLES

SHEETS = sorted(SAMPLES.glob("*/games/*.cgn"))
SMALL = [path.read_bytes().strip() for path in SHEETS if path.stat().st_size < 6000]
TAGS = '[Game "Cardmate"]\n\n'
PLAIN = f"% CGN 1.0\n{TAGS}1. 4Ci3 4Db6 2. 8Dj2 8Ca7 *\n"
BOM = b"\xef\xbb\xbf"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "sheet.cgn"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def noted(path: Path, ply: int, noting: Noting, index: int = 1, within: tuple[tuple[int, int], ...] = ()) -> Record:
    return annotate_on_paper(sheet_file(path), index, ply, noting, within)[1]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_sample_takes_a_glyph_and_a_comment_and_is_itself_again_without(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    copy = written(tmp_path, before)
    notes = load_all(path)[0].line.notes
    ply = next((at for at in range(len(load_all(path)[0].line.words), 0, -1) if at not in notes), None)
    if ply is None:
        pytest.skip("every ply is annotated, or it has none")
    record = noted(copy, ply, Noting("a word", (1,)))
    assert record.line.notes[ply] == Note((1,), ("a word",))
    assert copy.read_bytes() != before
    assert [format_record(canonical(one)) for one in loads(copy.read_bytes())] == [
        format_record(one) for one in loads(copy.read_bytes())
    ]
    noted(copy, ply, Noting(replace="glyphs"))
    noted(copy, ply, Noting(replace="words"))
    assert copy.read_bytes() == before


@settings(max_examples=40, deadline=None)
@given(
    games=st.lists(
        st.tuples(
            st.sampled_from(SMALL),
            st.sampled_from((b"\n", b"\r\n")),
            st.sampled_from((b"\n", b"\n\n", b"\r\n\r\n", b"\n \n")),
        ),
        min_size=2,
        max_size=4,
    ),
    begins=st.sampled_from((b"", BOM, b"\n", b"\n\n")),
    ends=st.sampled_from((b"", b"\n", b"\r\n\n")),
    data=st.data(),
)
def test_only_the_bytes_of_that_game_change(
    games: list[tuple[bytes, bytes, bytes]],
    begins: bytes,
    ends: bytes,
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    laid = [text.replace(b"\n", line_end) for text, line_end, _ in games]
    gaps = [b"\n" + gap for _, _, gap in games[:-1]]
    at = data.draw(st.integers(0, len(laid) - 1))
    before = begins + b"".join(text + gap for text, gap in zip(laid, (*gaps, b""), strict=True)) + ends
    path = written(tmp_path_factory.mktemp("sheets"), before)
    old = loads(before)
    ply = data.draw(st.integers(0, len(old[at].line.words)))
    record = noted(path, ply, Noting("noted here"), at + 1)
    after = path.read_bytes()
    ahead = begins + b"".join(text + gap for text, gap in zip(laid[:at], gaps, strict=False))
    behind = b"".join(gap + text for text, gap in zip(laid[at + 1 :], gaps[at:], strict=False)) + ends
    assert after.startswith(ahead)
    assert after.endswith(behind)
    middle = after[len(ahead) : len(after) - len(behind)]
    assert middle.count(b"\r\n") == (middle.count(b"\n") if games[at][1] == b"\r\n" else 0)
    reread = loads(after)
    assert [one.source.text for one in reread if one.index != at + 1] == [
        one.source.text for one in old if one.index != at + 1
    ]
    assert reread[at].line.notes[ply].comments[-1] == "noted here"
    assert format_record(reread[at]) == format_record(record)


def test_words_take_the_place_of_words_and_commands_stay(tmp_path: Path) -> None:
    path = written(tmp_path, f"{TAGS}1. 4Ci3 {{[%clk 0:10:00] old}} (1. 9Cb1) {{older}} 4Db6 *\n")
    note = noted(path, 1, Noting("new", replace="words")).line.notes[1]
    assert note.comments == ("[%clk 0:10:00] new",)
    assert len(note.variations) == 1
    assert noted(path, 1, Noting(replace="words")).line.notes[1].comments == ("[%clk 0:10:00]",)
    assert noted(path, 2, Noting("[%eval 3] now", replace="words")).line.notes[2].comments == ("[%eval 3] now",)
    assert noted(path, 2, Noting("[%eval 4] then", replace="words")).line.notes[2].comments == ("[%eval 4] then",)


def test_a_ply_of_a_variation_is_annotated_to_its_full_depth(tmp_path: Path) -> None:
    path = written(tmp_path, PLAIN)
    noted(path, 3, Noting(variations="(8Dj7 8Ca7)"))
    noted(path, 3, Noting(variations="(7Cb6)", glyphs=(6,)), within=((1, 2),))
    record = noted(path, 3, Noting("deep", (1,)), within=((1, 2), (1, 1)))
    assert "2. 8Dj2 (2. 8D:j7 8Ca7?! (2... 7C:b6! {deep})) 2... 8Ca7 *" in " ".join(path.read_text().split())
    inner = record.line.notes[3].variations[0].notes[2].variations[0]
    assert inner.notes[1] == Note((1,), ("deep",))
    assert noted(path, 3, Noting(replace=True), within=((1, 2),)).line.notes[3].variations[0].notes == {}
    assert noted(path, 3, Noting(replace=True)).line.notes == {}
    assert "".join(path.read_text()) == PLAIN


def test_a_variation_is_read_where_it_stands(tmp_path: Path) -> None:
    path = written(tmp_path, PLAIN)
    noted(path, 3, Noting(variations="(9Cb1 8Ca7)"))
    before = path.read_bytes()
    for within, typed, says in (
        ((), "(8Dj2 8Dz9)", "found z9 in 8Dz9"),
        (((1, 2),), "(8Dz9)", "found z9 in 8Dz9"),
        (((2, 1),), "(8Ca7)", "no such variation"),
        (((1, 3),), "(8Ca7)", "no such variation"),
        (((1, 0),), "(8Ca7)", "no such variation"),
        ((), "()", "without a move"),
        ((), "(8Dj2", "opening parenthesis"),
        ((), "(Resign 4Da0)", "cannot be carried out"),
    ):
        with pytest.raises(Fault, match=says):
            noted(path, 3, Noting(variations=typed), within=within)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{TAGS}1. 4Ci3 4Db6 * more\n", "found text after the result"),
        (f"{TAGS}1. 4Ci3 (9Cb1 4Db6 *\n", "line 3, column 9: found an opening parenthesis"),
        (f"{TAGS}1. 4Ci3 {{a comment 4Db6 *\n", "found the start of a comment"),
        ('[Game "Cardmate]\n\n1. 4Ci3 *\n', "expected a tag"),
        (f"{TAGS}1. 4Ci3 {{\xe9}} *\n".encode("latin-1"), "not UTF-8"),
    ],
)
def test_a_game_that_cannot_be_written_back_is_left_as_it_is(tmp_path: Path, text: str | bytes, says: str) -> None:
    path = written(tmp_path, text)
    before = path.read_bytes()
    with pytest.raises(Declined, match=says):
        noted(path, 1, Noting("a word"))
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["sheet.cgn"]


def test_what_would_change_how_a_neighbour_is_read_is_not_written(tmp_path: Path) -> None:
    text = f'{TAGS}1. 4Ci3 *\n[Game "Cardmate"]\n% an escape line\n\n1. 4Ci3 *\n'
    path = written(tmp_path, text)
    noted(path, 1, Noting("x"), 1)
    with pytest.raises(Declined, match="it would change how the file is read"):
        noted(path, 1, Noting("x"), 2)
    assert path.read_text() == text.replace("4Ci3", "4Ci3 {x}", 1)


def test_a_faulty_game_keeps_nobody_from_annotating_its_neighbour(tmp_path: Path) -> None:
    faulty = f"{TAGS}1. 4Ci3 (9Cb1 4Db6 *\n"
    path = written(tmp_path, f"{faulty}\n{PLAIN}\n{faulty}")
    noted(path, 1, Noting("x"), 2)
    assert path.read_text() == f"{faulty}\n{PLAIN.replace('4Ci3 ', '4Ci3 {x} 1... ', 1)}\n{faulty}"


def test_a_file_that_has_changed_since_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, PLAIN)
    file = sheet_file(path)
    path.write_text(PLAIN + "\n", "utf-8")
    with pytest.raises(Declined, match="has changed since it was read"):
        annotate_on_paper(file, 1, 1, Noting("a word"))
    assert path.read_text() == PLAIN + "\n"
    file = sheet_file(path)

    def meanwhile(data: bytes, index: int, change: Callable[[Record], Record]) -> tuple[bytes, Record]:
        path.write_text(PLAIN, "utf-8")
        return replace_game(data, index, change)

    monkeypatch.setattr("cartulary.records.exchange.sheet_file.replace_game", meanwhile)
    with pytest.raises(Declined, match="has changed since it was read"):
        annotate_on_paper(file, 1, 1, Noting("a word"))
    assert path.read_text() == PLAIN
    assert os.listdir(tmp_path) == ["sheet.cgn"]


def test_what_may_not_be_written_to_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, PLAIN)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(Declined, match="is read-only"):
        noted(path, 1, Noting("a word"))
    monkeypatch.undo()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Declined, match="cannot be read again"):
        noted(tmp_path / "pipe", 1, Noting("a word"))
    file = sheet_file(path)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        annotate_on_paper(file, 1, 1, Noting("a word"))


def test_a_game_that_a_file_has_not_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(Declined, match="there is no game 9 in it"):
        noted(written(tmp_path, PLAIN), 1, Noting("x"), 9)


def test_a_file_keeps_its_permissions_and_a_link_stays_one(tmp_path: Path) -> None:
    path = written(tmp_path, PLAIN)
    path.chmod(0o640)
    link = tmp_path / "link.cgn"
    link.symlink_to(path)
    noted(link, 1, Noting("a word"))
    assert link.is_symlink()
    assert "{a word}" in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("ply", "noting", "says"),
    [
        (9, Noting("x"), "no ply 9 in sheet.cgn#1"),
        (0, Noting("", (1,)), "ply 0 is the game"),
        (1, Noting("so } it"), "it holds }, which ends a comment"),
        (1, Noting(), "nothing to note"),
        (1, Noting("[%ruling x]"), "only the program writes"),
        (1, Noting("", (256,)), "to \\$255"),
        (1, Noting("a\x1bb"), "control character"),
    ],
)
def test_a_note_that_cannot_be_kept_is_refused_on_paper_as_in_a_log(
    tmp_path: Path, ply: int, noting: Noting, says: str
) -> None:
    path = written(tmp_path, PLAIN)
    with pytest.raises(Declined, match=says):
        noted(path, ply, noting)
    assert path.read_text() == PLAIN


def test_a_seat_writes_what_it_is_not_shown_and_the_rail_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, (SAMPLES / "tarot" / "games" / "dementlieu-open.cgn").read_bytes())
    _, record = annotate_on_paper(sheet_file(path), 1, 20, Noting("from p1"), viewer=Seat(1))
    assert record.line.notes[20].comments[-1] == "from p1"
    with pytest.raises(Declined, match="not shown to seats"):
        annotate_on_paper(sheet_file(path), 1, 20, Noting("x"), ((1, 1),), Seat(1))
    with pytest.raises(Unfit, match="rail only watches"):
        annotate_on_paper(sheet_file(path), 1, 20, Noting("x"), viewer=SPECTATOR)


def test_a_seat_is_not_told_what_could_not_be_read(tmp_path: Path) -> None:
    whole = (SAMPLES / "tarot" / "games" / "dementlieu-open.cgn").read_text("utf-8")
    path = written(tmp_path, whole.rstrip() + " and p2 held [KS]\n")
    for seat, says in ((None, "found text after the result"), (1, "back: not all of it could be read. Nothing was")):
        with pytest.raises(Declined, match=says):
            annotate_on_paper(sheet_file(path), 1, 20, Noting("x"), viewer=viewer_of_seat(seat))
