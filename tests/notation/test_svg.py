"""Drawings as SVG: every game's, what they name, and that nothing written in a record becomes markup."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cartulary.notation import examine, load, loads
from cartulary.notation.drawing import LOOKS, POINTS, Drawing, Item, draw, drawn_as_text, with_marks
from cartulary.notation.picture import plain
from cartulary.notation.roster import GAMES
from cartulary.notation.svg import STYLE, marks, plain_style, svg, view_box
from tests.places import DOCS, SAMPLES

CARD = re.compile(r"\b(?:[1-9XJNQKA][CDHSW]|T[0-2][0-9]|E[0-9])\b")
"""A card by its name, in the games bundled here."""
PHONE = 376
"""How wide a drawing may be that a phone shows whole, its margin aside."""
WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)


def drawings(key: str) -> list[tuple[str, Drawing]]:
    """Return the text picture and the drawing of the last position of every golden game, as nobody and as a seat."""
    found = []
    for path in sorted((SAMPLES / key / "games").glob("*.cgn")):
        for record in load(path):
            examined = examine(record)
            if examined.walk is None or examined.heading.game is None or type(examined.state).__name__ == "Several":
                continue
            words = examined.heading.game.words
            found += [
                (plain(words.picture(examined.state, who)), draw(words, examined.state, who)) for who in (None, 1)
            ]
    return found


@pytest.mark.parametrize("key", [key for key in GAMES if key != "draughts"])
def test_a_drawing_names_every_card_its_picture_names(key: str) -> None:
    for text, drawing in drawings(key):
        named = " ".join(f"{item.symbol} {item.label}" for item in drawing.items)
        assert set(CARD.findall(text)) <= set(CARD.findall(named))
        assert {item.look for item in drawing.items} <= set(LOOKS)


@pytest.mark.parametrize("key", GAMES)
def test_a_drawing_is_one_svg_that_fits_a_phone_unless_its_board_is_wide(key: str) -> None:
    for _, drawing in drawings(key):
        root = ET.fromstring(svg(drawing, "x"))
        groups = [one for one in root if one.tag.endswith("}g")]
        assert [one.get("data-id") for one in groups] == [item.id for item in drawing.items]
        assert view_box(drawing)[0] <= PHONE + 12 or key == "zarcana"


@given(WORDS, WORDS, WORDS, st.sampled_from(LOOKS))
def test_what_is_written_becomes_no_markup(symbol: str, label: str, role: str, look: str) -> None:
    item = Item(f"a{label}", symbol, (0, 0), role, label, look, corner=symbol)
    root = ET.fromstring(svg(Drawing((2, 2), (item,)), label))
    [group] = [one for one in root if one.tag.endswith("}g")]
    assert {one.tag.partition("}")[2] for one in group} <= {"title", "rect", "circle", "path", "text"}
    assert group.get("data-id") == f"a{label}"


def test_a_game_without_a_drawing_of_its_own_is_drawn_as_its_text() -> None:
    [(text, _), *_] = drawings("cardmate")
    game = GAMES["cardmate"]
    record = next(iter(load(SAMPLES / "cardmate" / "games" / "page-1.cgn")))
    drawn = drawn_as_text(game.words.picture(examine(record).state, None))
    assert "QS" in svg(drawn, "x")
    assert text


def test_the_plain_style_knows_no_variable_and_no_media() -> None:
    assert "var(" in STYLE
    assert not {"var(", "@media"} & {word for word in ("var(", "@media") if word in plain_style()}


def test_the_picture_of_the_readme_is_what_show_draws() -> None:
    [page] = load(SAMPLES / "cardmate" / "games" / "page-1.cgn")
    game = GAMES["cardmate"]
    state = examine(replace(page, line=replace(page.line, words=page.line.words[:20], notes={}, numbers={}))).state
    shown = svg(draw(game.words, state, None), "Cardmate after ply 20")
    assert (DOCS / "pictures" / "page-1.svg").read_text("utf-8") == shown


def light_of(colour: str) -> float:
    """Return how light a colour is, as WCAG 2.2 reckons it ("relative luminance")."""
    signs = colour if len(colour) == 6 else "".join(sign * 2 for sign in colour)
    parts = [int(signs[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("media", range(3))
def test_words_and_edges_stand_out_in_light_in_dark_and_on_paper(media: int) -> None:
    parts = [dict(re.findall(r"--(\w+):#(\w+)", part.split(":has(")[0])) for part in STYLE.split("@media")]
    colours = parts[0] | parts[media]
    edges = [(f"p{seat}", ground, 3.0) for seat in range(1, 7) for ground in ("paper", "pale")]
    words = [
        ("dim", "paper", 4.5),
        ("dim", "pale", 4.5),
        ("ink", "face", 4.5),
        ("ink", "deep", 4.5),
        ("red", "face", 4.5),
    ]
    for one, ground, least in words + edges:
        dark, light = sorted((light_of(colours[one]), light_of(colours[ground])))
        assert (light + 0.05) / (dark + 0.05) >= least, (one, ground)


def test_a_black_man_is_darker_than_a_white_one() -> None:
    fills = {colour: light_of(fill) for colour, fill in re.findall(r"\.(black|white) circle{fill:#(\w+)}", STYLE)}
    assert fills["black"] < 0.1 < 0.9 < fills["white"]
    men = [item.role for _, drawing in drawings("draughts") for item in drawing.items if item.look == "piece"]
    assert {*men} == {"p1 black disc", "p2 white disc"}


def test_a_pyramid_is_drawn_by_where_it_points_and_how_large_it_is() -> None:
    drawn = {
        marks(Item("a", "1S", (0, 0), "p1", look="pyramid", size=(1, 2), points=points, large=large), (18, 15))
        for points in POINTS
        for large in (1, 2, 3)
    }
    assert len(drawn) == 15
    assert {one.count("<path") for one in drawn} == {1}


def test_every_minion_of_zarcana_is_a_pyramid_with_a_name_to_be_heard() -> None:
    for text, drawing in drawings("zarcana"):
        minions = [item for item in drawing.items if item.look == "pyramid"]
        assert sorted(item.symbol for item in minions) == sorted(re.findall(r"\b\d+[SML][unesw]\b", text))
        for item in minions:
            match = re.fullmatch(r"p(\d+)'s (small|medium|large) minion, (upright|pointing \w+), on \w+", item.label)
            assert match is not None
            large, points = ("small", "medium", "large").index(match[2]) + 1, match[3].removeprefix("pointing ")[0]
            assert (f"{match[1]}{'SML'[large - 1]}{points}", large, points) == (item.symbol, item.large, item.points)


def test_the_plain_style_has_its_sizes_where_variables_are_unknown() -> None:
    style = plain_style()
    assert "--" not in style
    assert ".drawing{font-family:" in style
    assert "font-size:13px}" in style


def test_rings_and_arrows_of_comments_lie_on_the_squares_they_name() -> None:
    [record] = loads('[Game "Chess"]\n\n1. e4 {[%csl Ge4,Rz9][%cal Rd1h5,Ya1,Bg1f3] Look.} e5 *\n')
    drawing = draw(GAMES["chess"].words, examine(record).steps[0].after, None)
    marked = with_marks(drawing, record.line.notes[1].comments)
    marks = marked.items[len(drawing.items) :]
    assert [(item.look, item.label, item.size) for item in marks] == [
        ("ring", "green ring on e4", (1, 1)),
        ("arrow", "red arrow from d1 to h5", (4, -4)),
        ("arrow", "blue arrow from g1 to f3", (-1, -2)),
    ]
    assert "rotate(-45)" in svg(marked, "x")
    assert with_marks(drawing, ("no marks",)) is drawing
    seen = with_marks(draw(GAMES["chess"].words, examine(record).steps[0].after, 2), record.line.notes[1].comments)
    assert [item.size for item in seen.items[-2:]] == [(-4, 4), (1, 2)]


def test_men_of_chess_have_the_fill_of_their_side_and_stand_out_on_every_square() -> None:
    drawing = drawings("chess")[0][1]
    men = [item for item in drawing.items if item.look == "figure"]
    assert all(marks(item, drawing.unit).startswith('<path class="man"') for item in men)
    assert {item.role for item in men} == {"p1 white", "p2 black"}
    assert light_of(STYLE.split(".white.figure .man{fill:#")[1][:3]) > 0.9
    black = STYLE.split(".black.figure .man{fill:#")[1][:6]
    for ground in re.findall(r"--(?:pale|deep):#(\w+)", STYLE.split("@media")[1].split(":has(.figure)")[1]):
        assert (light_of(ground) + 0.05) / (light_of(black) + 0.05) >= 3, ground
