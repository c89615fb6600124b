"""Long whist is a package of its own, built and installed as anybody's is: what is played with it, it brings itself."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.places import ROOT, SAMPLES
from tests.programs import Installed

PACKAGE = SAMPLES / "packages" / "long-whist"
REVOKE = ("p0/^KS", "AH", "5H", "2H", "6H", "KD", "2D", "AD", "5D", "AC", "2C", "QS", "5C")
"""A table's words up to a trick in which p1 plays a trump to a club; whether it has a club nobody has seen."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    with closing(Installed(PACKAGE, tmp_path_factory.mktemp("table"))) as installed:
        yield installed


def opened(table: Installed, id: str, *words: str) -> str:
    names = ("--player", "Ada Lovelace", "--player", "Bela", "--player", "Carl", "--player", "Dora")
    table.run("new", "long-whist", "--id", id, *names)
    table.run("move", id, *words)
    return id


def test_it_is_listed_beside_the_bundled_games_with_its_rules(table: Installed) -> None:
    listed = table.start("games")
    assert "long-whist: Long whist, edition long-whist-1742, 4 seats" in listed
    assert "cardmate: Cardmate" in listed
    assert "long-whist.follow-suit" in table.run("rules", "long-whist")


def test_it_is_held_to_the_laws_of_all_games(table: Installed) -> None:
    assert " passed" in table.test(str(PACKAGE))


def test_a_view_that_hides_nothing_is_found_by_its_laws(table: Installed, tmp_path: Path) -> None:
    rules = Path(table.environment["PYTHONPATH"]) / "cartulary_long_whist" / "__init__.py"
    text = rules.read_text("utf-8")
    shown = "GAME = replace(GAME, hidden=replace(GAME.hidden, view=lambda state, seat: state))\n"
    rules.write_text(f"{text}\nfrom msgspec.structs import replace\n\n{shown}", "utf-8")
    try:
        answer = table.test(str(PACKAGE), "-k", "look_alike", code=1)
    finally:
        rules.write_text(text, "utf-8")
    assert "FAILED" in answer
    assert "test_games_that_look_alike_to_the_bystander_are_shown_alike_to_it" in answer


def test_a_fault_of_its_code_names_package_file_line_and_ply(table: Installed) -> None:
    id, module = opened(table, "fault", *REVOKE[:4]), Path(table.environment["PYTHONPATH"]) / "cartulary_long_whist"
    rules = module / "__init__.py"
    text = rules.read_text("utf-8")
    broken = """
from msgspec.structs import replace

def read(signs: str, seat: int, state: object) -> object:
    return {}[signs] if signs == "5H" else plain(signs, seat, state)

plain = GAME.words.read
GAME = replace(GAME, words=replace(GAME.words, read=read))
"""
    rules.write_text(f"{text}{broken}", "utf-8")
    line = len(text.splitlines()) + 5
    try:
        answer = table.start("check", id, code=70)
    finally:
        rules.write_text(text, "utf-8")
    package = "The game long-whist of the package cartulary-long-whist"
    assert f"{package} has a fault in __init__.py, line {line}, at ply 3, 5H: KeyError: '5H'.\n" in answer


def test_a_revoke_is_open_until_a_card_proves_it(table: Installed) -> None:
    id = opened(table, "revoke", *REVOKE)
    assert "long-whist.follow-suit" in table.run("check", id)
    table.run("move", id, "JD", "3D", "6D", "QD", "KS", "2S", "AS", "4S", "KC", "3C", "4C")
    table.run("move", id, "6C")
    answer = table.run("check", id, code=1)
    assert "p1 held 6C, but did not follow suit" in answer
    data = json.loads(table.run("check", id, "--json", code=1).partition("\n")[0])
    assert (data["ply"], data["key"], data["decided_by"]) == (12, "long-whist.follow-suit", 25)


def test_a_seat_is_shown_its_own_hand_and_the_bystander_none(table: Installed) -> None:
    golden = str(PACKAGE / "samples" / "long-whist" / "games" / "open.cgn")
    whole = table.run("show", golden, "--at", "5")
    seat = table.run("show", golden, "--at", "5", "--seat", "p2")
    assert "  Carl (p3)  9C JC AC" in whole
    assert "  Bela (p2)  3C 4C 7C  6D 7D XD KD  7H 9H  6S 7S XS JS" in seat
    assert "  Dora (p4)  4D  12 unknown" in seat
    assert "9C JC AC" not in seat
    rail = table.run("show", golden, "--at", "5", "--seat", "rail")
    assert "> Ada (p1)   13 unknown" in rail
    assert "  Dora (p4)  4D  12 unknown" in rail
    assert "p0/p2*3C" in table.run("replay", golden, "--seat", "p2")
    assert "p0/p1*~,~" in table.run("replay", golden, "--seat", "p2")


def test_what_nobody_knows_is_told_with_who_may_hold_it(table: Installed) -> None:
    id = opened(table, "where", "p0/^QH", "AS")
    lines = table.run("deal", id)
    assert "QH" in lines
    assert "with p4" in lines


def test_a_position_is_found_by_what_lies_and_not_by_how_it_came_about(table: Installed) -> None:
    spades, clubs = ("AS", "2S", "3S", "4S"), ("AC", "2C", "3C", "4C")
    one = opened(table, "one", "p0/^QH", *spades, *clubs, "KD")
    two = opened(table, "two", "p0/^QH", *clubs, *spades, "KD", "2D")
    three = opened(table, "three", "p0/^QH", *clubs, "AS", "2S", "3S", "5S", "KD")
    found = table.run("search", "--position", one)
    assert one in found
    assert two in found
    assert three not in found
    assert three in table.run("search", "--position", two, "--at", "2", "--seat", "p2")


def test_names_are_left_out_of_what_is_given_away(table: Installed) -> None:
    id = opened(table, "names", "p0/^QH", "AS")
    text = table.run("export", id, "--format", "json", "--log", "--redact", "names")
    assert "Lovelace" not in text
    table.run("note", id, "2", "Ada Lovelace leads the ace; Dora looks on.")
    answer = table.run("export", id, "--format", "json", "--log", "--redact", "names", code=1)
    assert "Ada Lovelace" in answer
    texts = table.run("export", id, "--format", "json", "--log", "--redact", "texts")
    assert not any(name in texts for name in ("Lovelace", "Bela", "Carl", "Dora"))


def test_a_card_nobody_wrote_down_leaves_the_trick_to_who_leads_next(table: Installed) -> None:
    id = opened(table, "blot", "p0/^QH", "AS", "~", "3S", "4S", "p2/KC", "2C", "3C", "4C")
    assert "won    Ada Lovelace 0  Bela 1  Carl 0  Dora 0" in table.run("show", id, "--at", "6")
    assert "long-whist.turn" in table.run("move", id, "p3/AC", code=1)


def test_a_hand_typed_with_blanks_is_told_what_joins_its_cards(table: Installed) -> None:
    answer = table.run("move", opened(table, "blanks", "p0/p1*" + ",".join("~" * 13)), "p0/p2*AC KC QD XS JS", code=1)
    assert "p2 is dealt 1 card, expected 13; join the cards of one hand with commas\n" in answer


def test_a_score_that_the_tricks_contradict_is_told(table: Installed, tmp_path: Path) -> None:
    text = (PACKAGE / "samples" / "long-whist" / "games" / "open.cgn").read_text("utf-8")
    sheet = tmp_path / "open.cgn"
    sheet.write_text(text.replace('[Score "1:0:1:0"]', '[Score "2:0:2:0"]'), "utf-8")
    answer = table.run("validate", str(sheet), code=1)
    assert "long-whist.score" in answer
    assert "1:0:1:0" in answer


def test_it_costs_no_more_lines_than_it_may() -> None:
    files = sorted((PACKAGE / "cartulary_long_whist").glob("*.py"))
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= 60


def test_the_suite_bears_a_game_that_is_installed_beside_its_own(table: Installed) -> None:
    """Held by what asks for a game that is not there, and by what goes through all there are."""
    asking = (
        "notation/test_roster.py",
        "notation/test_bad_input.py",
        "docs/test_pages.py",
        "records/test_positions.py",
    )
    files = [str(ROOT / "tests" / name) for name in asking]
    at = ("-p", "xdist.plugin", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT))
    assert " passed" in table.test(*files, *at, "-k", "unknown or none_is_said or roster or pages")
