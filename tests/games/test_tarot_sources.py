"""What Tarot's rules, findings and sheets cite: in fft the FFT's sections alone, in dementlieu the page first.

The sections are those of the rulebook, written down apart from the package.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.engine import tarot
from cartulary.notation import examine, loads
from cartulary.notation.arbiter.story import story
from cartulary.testing import tables
from tests.places import SAMPLES

PAGE = "Tarot, from the wiki of Dementlieu"
SECTIONS = {
    "Présentation": "seats",
    "La distribution": "draw-for-deal hand-size chien-size packets chien-deal card-twice maldonne",
    "Le jeu à 3": "hand-size chien-size packets",
    "Le jeu à 5": "hand-size chien-size call called-suit",
    "La tenue des cartes": "petit-sec",
    "Les enchères": "phase bid-turn bid-higher",
    "Le Chien et l'Ecart": "phase ecart-size ecart-cards",
    "La Poignée": "phase poignee-size poignee-held",
    "Le chelem": "phase play-turn",
    "Le jeu de la carte": "phase play-turn in-hand follow-suit must-trump trump-led overtrump",
    "Le calcul des scores": "settlement",
    "La marque en donnes libres": "settlement",
}
UNTOLD_BY_THE_PAGE = {"hand-size", "chien-size", "bid-turn", "ecart-cards", "settlement"}
OF_FFT = {"call", "called-suit", "must-trump", "poignee-size", "poignee-held"}
RECORD = '[Game "Tarot"]\n[Variant "{}"]\n[Score "1:0:0:-1"]\n\nPass Pass Pass GardeSans 1. 7C 3D 8C 9C 2. 4C 5C *\n'
Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def typed(*words: str, stdin: str = "", code: int = 0) -> str:
        result = CliRunner().invoke(build(), list(words), input=stdin, env={"CARTULARY_DB": str(tmp_path / "db")})
        assert result.exit_code == code, result.output
        return result.output

    return typed


def rules(run: Run, variant: str) -> dict[str, dict[str, str]]:
    rows = [json.loads(line) for line in run("rules", "tarot", "tarot.", "--variant", variant, "--json").splitlines()]
    return {rule["key"].removeprefix("tarot."): rule for rule in rows}


def test_every_rule_of_fft_cites_its_section_of_the_ffts_text_and_nothing_of_dementlieu(run: Run) -> None:
    answer = rules(run, "fft")
    assert list(answer) == [clause.key.removeprefix("tarot.") for clause in tarot.CLAUSES]
    for key, rule in answer.items():
        edition, _, titles = rule["source"].partition(" (2012), ")
        assert edition == "FFT, Règlement officiel R-RO201206"
        assert set(titles.split("; ")) == {title for title, keys in SECTIONS.items() if key in keys.split()}, key
        assert "dementlieu" not in rule["says"].lower()


def test_every_rule_of_dementlieu_cites_the_page_or_the_fft_for_what_the_page_does_not_say(run: Run) -> None:
    answer = rules(run, "dementlieu")
    assert answer.keys() == {clause.key.removeprefix("tarot.") for clause in tarot.CLAUSES} - OF_FFT
    for key, rule in answer.items():
        assert ("French Tarot, FFT 2012, " in rule["source"]) is (key in UNTOLD_BY_THE_PAGE), key
        assert (PAGE in rule["source"]) is (key not in UNTOLD_BY_THE_PAGE - {"settlement"}), key
        assert "Règlement" not in rule["source"]


def test_a_rule_a_variant_has_not_or_a_variant_the_game_has_not_is_refused(run: Run) -> None:
    assert "tarot has no rule tarot.call in dementlieu" in run(
        "rules", "tarot", "tarot.call", "--variant", "dementlieu", code=2
    )
    assert "expected one of: dementlieu, fft" in run("rules", "tarot", "--variant", "ftt", code=2)
    assert "leave out --json, --variant and WORD" in run("rules", "tarot", "--markdown", "--variant", "fft", code=2)
    assert run("rules", "cardmate", "--variant", "suit-setup") == run("rules", "cardmate")


def test_the_rules_of_no_variant_name_the_variants_where_they_differ(run: Run) -> None:
    text = " ".join(run("rules", "tarot", "tarot.follow-suit").split())
    assert "source: dementlieu: Tarot, from the wiki of Dementlieu; fft: FFT, Règlement officiel" in text
    assert (
        "dementlieu: A player who has a card of the suit led must play one, or any trump, or the fool. fft: A player"
        in text
    )


def test_every_finding_of_every_row_cites_its_own_variant() -> None:
    table, cited = tables.rules(SAMPLES / "tarot"), {"dementlieu": set[str](), "fft": set[str]()}
    answer = [(row.tags, f"{row.after} {row.move}") for row in table.move] + [(row.tags, "") for row in table.setup]
    for tags, words in answer:
        report = examine(loads(tables.sheet("Tarot", tags, words))[0]).report
        for found in report.findings:
            if found.key.startswith("tarot.") and report.variant in cited:
                cited[report.variant].add(found.source)
                assert report.variant == "dementlieu" or "dementlieu" not in (found.rule + found.source).lower()
    assert all(source.startswith("FFT, Règlement officiel R-RO201206 (2012), ") for source in cited["fft"])
    assert not any("Règlement" in source for source in cited["dementlieu"])
    assert all(len(sources) >= 5 for sources in cited.values())


@pytest.mark.parametrize("variant", ["dementlieu", "fft"])
def test_checks_stories_and_sheets_cite_the_variant_that_was_played(run: Run, variant: str) -> None:
    text = RECORD.format(variant)
    result = run("check", "-", stdin=text, code=1) + run("why", "-", "6", stdin=text)
    run("import", "-", stdin=text, code=1)
    id = json.loads(run("list", "--json"))["id"]
    result += run("export", id, "--format", "html")
    assert ("Dementlieu" in result) is (variant == "dementlieu")
    assert ("R-RO201206" in result) is (variant == "fft")
    assert all(rule.key and not rule.variants for rule in story(loads(text)[0], 6).rules)
