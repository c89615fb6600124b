"""The reference card of a game: every entry and rule is on it, and what each rests on."""

from functools import cache
from io import BytesIO

import pytest
from pypdf import PdfReader

from cartulary.notation import GAMES
from cartulary.notation.arbiter.lookup import clauses_of, reading, source_of
from cartulary.records.faults import Unfit
from cartulary.records.sheets.reference_card import reference_card


@cache
def pages(key: str, variant: str = "") -> tuple[str, ...]:
    """Return what each page of a card says. Several tests read the same cards."""
    read = PdfReader(BytesIO(reference_card(GAMES[key], variant))).pages
    return tuple(" ".join(page.extract_text().split()) for page in read)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_entry_and_every_rule_is_on_the_card_with_what_it_rests_on(key: str) -> None:
    game, text = GAMES[key], " ".join(pages(key))
    first = game.about.variants[0]
    rules = [clause.in_variant(first) for clause in game.rules.clauses if clause.holds_in(first)]
    for clause in rules:
        assert clause.says in text, clause.key
    answers = [clauses_of(game, entry, first) for entry in game.about.guide.entries]
    for entry, clauses in zip(game.about.guide.entries, answers, strict=True):
        assert (entry.says in text) is bool(clauses), entry.name
    shown = [
        source_of(entry, clauses) for entry, clauses in zip(game.about.guide.entries, answers, strict=True) if clauses
    ]
    marks = [reading(source) for source in (*(clause.source for clause in rules), *shown)]
    assert text.count(" our reading") - 1 == sum(mark.endswith("our reading") for mark in marks)


def test_what_a_rule_rests_on_is_told_by_its_source() -> None:
    marks = {clause.key: reading(clause.source) for key in GAMES for clause in GAMES[key].rules.clauses}
    assert marks["zarcana.cups"] == "the page"
    assert marks["zarcana.death"] == "our reading"
    assert marks["tarot-duel.one-play"] == "the page; our reading"
    assert marks["arcanoid.knave"] == "the page; our reading"


def test_a_power_of_which_the_page_says_a_part_is_not_all_our_reading() -> None:
    game = GAMES["zarcana"]
    marks = {entry.name: reading(source_of(entry, clauses_of(game, entry))) for entry in game.about.guide.entries}
    remarked = {"Fool", "High Priestess", "Chariot", "Hermit", "Justice", "Temperance", "Star"}
    assert {name for name, mark in marks.items() if mark == "the page; our reading"} == remarked
    assert {name for name, mark in marks.items() if mark == "the page"} == {
        "Cups",
        "Wands",
        "Swords",
        "Discs",
        "Royalty",
        "Magician",
    }


def test_an_entry_rests_on_its_own_source_where_that_is_not_its_rules() -> None:
    duel = GAMES["tarot-duel"]
    marks = {entry.name: reading(source_of(entry, clauses_of(duel, entry))) for entry in duel.about.guide.entries}
    pure = {"Magician", "High Priestess", "Hierophant", "Hanged Man", "Sun"}
    assert {name for name, mark in marks.items() if mark == "the page"} == pure
    assert {mark for name, mark in marks.items() if name not in pure} == {"the page; our reading"}


def test_cardmate_has_its_chart_of_moves_and_a_board() -> None:
    card = pages("cardmate")
    assert (
        "moves and captures moves only 1 straight forward; Ace on entering the other half one straight back" in card[0]
    )
    assert card[-1].startswith("Cardmate: the board, with every piece where it starts")
    assert "K♣ ▲" in card[-1]
    assert " g h i j X♠ ▲ " in card[-1]
    assert "the board, with" in pages("draughts")[-1]
    assert "the board, with" not in " ".join(pages("zarcana"))


def test_a_card_of_a_variant_has_its_rules_and_no_others() -> None:
    assert "Poignée" in " ".join(pages("tarot", "fft"))
    assert "Poignée" not in " ".join(pages("tarot", "dementlieu"))


def test_a_card_is_the_same_bytes_each_time() -> None:
    assert reference_card(GAMES["draughts"]) == reference_card(GAMES["draughts"])


def test_a_card_without_the_fonts_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cartulary.records.sheets.paper.find_spec", lambda name: None)
    with pytest.raises(Unfit, match=r"A PDF needs the libraries fpdf2.*pip install 'cartulary\[pictures\]'"):
        reference_card(GAMES["draughts"])
