"""``export --format replay``: one page that replays games, with what the rules say, and nothing a seat has not seen."""

import hashlib
import html
import re
from base64 import b64encode
from pathlib import Path
from random import Random

import msgspec
import pytest

from cartulary.testing import tables
from tests.laws.worlds import GAMES, otherwise
from tests.places import SAMPLES
from tests.records.archives import Run, sheet

REVOKE = SAMPLES / "tarot" / "games" / "table-revoke.cgn"
NESTED = SAMPLES / "cardmate" / "games" / "nested.cgn"
OWN = 15_000
MOST = 150_000
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def page(run: Run, *words: str, code: int = 0) -> str:
    return run("export", *words, "--format", "replay", code=code).stdout


def data(text: str) -> dict[str, list[list[object]]]:
    [inside] = re.findall(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    read: dict[str, list[list[object]]] = msgspec.json.decode(inside)
    return read


def test_the_verdict_stands_below_the_board_with_rule_source_and_proof(run: Run) -> None:
    text = page(run, str(REVOKE))
    assert text.index("<svg") < text.index('class="verdict"') < text.index('class="moves"')
    [matches] = re.findall(r'<div class="said" data-frame="17" hidden>(.*?)</div>', text)
    assert "tarot.follow-suit" in matches
    assert "South, Carl held 9S, but did not follow suit" in matches
    assert "A player who has a card of the suit led must play one, or the fool." in matches
    assert "FFT" in matches
    assert '<b>Proved by</b> <a href="#40">ply 40</a>' in matches


def test_each_thing_is_drawn_once_and_positions_are_what_changes(run: Run) -> None:
    text = page(run, str(NESTED))
    [board] = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    groups = re.findall(r"<g [^>]*>.*?</g>", board)
    assert len(groups) == len(set(groups))
    frames = data(text)["frames"]
    named = [frame[0] for frame in frames]
    assert named[:4] == ["0", "1", "2", "3"]
    assert any(str(name).count("-") == 4 for name in named)
    assert len(named) == len(set(named))
    moved = [len(frame[6]) // 3 for frame in frames if isinstance(frame[6], list)]
    assert moved[0] > 100
    assert max(moved[1:]) < 8


def test_comments_glyphs_numbers_and_times_stand_beside_the_moves(run: Run) -> None:
    text = html.unescape(page(run, str(NESTED)))
    assert "4.\u00a08Hb4!?" in text
    assert '<td class="clock">0:14:52</td>' in text
    assert "Through the gap the Trey has left." in text
    assert 'href="#8-1-1"' in text


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/games/*.cgn")), ids=lambda path: path.stem)
def test_every_sample_makes_a_page_that_is_not_too_long(run: Run, path: Path) -> None:
    text = page(run, str(path))
    [script] = re.findall(r"</main><script>(.*?)</script>", text, re.DOTALL)
    assert len(script.encode()) <= OWN
    assert len(text.encode()) - len(script.encode()) <= MOST
    for name in ("script", "style"):
        inside = script if name == "script" else re.findall(r"<style>(.*?)</style>", text, re.DOTALL)[0]
        digest = b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in text
    assert "default-src 'none'" in text
    assert not re.search(
        r"\b(?:src|srcset|style|on\w+)=", re.sub(r"<(script|style)>.*?</\1>", "", text, flags=re.DOTALL)
    )
    assert not re.search(r'href="(?!#)', text)


def test_markup_in_names_comments_and_ids_stays_text(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "<b>x.cgn"
    file.write_text(sheet(f"4Ci3 {{{HOSTILE}}} 4Db6 <b>x</b>", Event=HOSTILE, Forehand=HOSTILE), "utf-8")
    text = page(run, str(file))
    assert text.count("<script") == 2
    assert "<img" not in text
    assert "<b>x" not in text
    assert html.escape(HOSTILE) in text
    assert data(text)["frames"][-1][3] != ""


def test_several_games_make_one_page_with_a_list(run: Run, tmp_path: Path) -> None:
    text = page(run, str(REVOKE), f"{NESTED}#1")
    assert len(re.findall("<article ", text)) == 2
    assert 'href="#2.0"' in text
    assert 'href="#2.8-1-1"' in text
    out = tmp_path / "evening.html"
    run("export", str(REVOKE), str(NESTED), "--format", "replay", "-o", str(out))
    assert out.read_text("utf-8").count("<article ") == 2
    assert "--force" in run("export", str(NESTED), "--format", "replay", "-o", str(out), code=2).stderr


def test_stored_games_are_told_with_disputes_and_rulings(run: Run) -> None:
    run("new", "cardmate", "--id", "g")
    run("move", "g", "4Ci3", "4Db6")
    run("dispute", "g", "2", "--claim", "touched another card", "--by", "p1")
    run("ruling", "g", "2", "--stands", "--arbiter", "Zoe", "--reason", "it was let go")
    for text in (page(run, "g"), page(run, "--all")):
        [matches] = re.findall(r'<div class="said" data-frame="2" hidden>(.*?)</div>', text)
        assert "touched another card" in matches
        assert "Zoe" in matches
        assert "it was let go" in matches


def test_a_warning_stands_where_cards_are_hidden_and_everything_is_shown(run: Run) -> None:
    shown = run("export", str(REVOKE), "--format", "replay")
    assert 'class="warning"' in shown.stdout
    assert "even hidden ones" in shown.stderr
    for words in ((str(REVOKE), "--seat", "p2"), (str(NESTED),)):
        shown = run("export", *words, "--format", "replay")
        assert 'class="warning"' not in shown.stdout
        assert shown.stderr == ""


@pytest.mark.parametrize("key", GAMES)
def test_two_worlds_equal_to_a_seat_or_to_the_rail_give_equal_pages(run: Run, tmp_path: Path, key: str) -> None:
    title, play = GAMES[key]
    random, differed = Random(f"replays of {key}"), 0
    for look in range(6):
        seat = look % 2
        game = play(random)
        one = game.words[: random.randint(2, min(len(game.words), 60))]
        two = otherwise(title, game, one, seat, random)
        pages, whole = [], []
        for words in (one, two):
            file = tmp_path / "sheet.cgn"
            noted = words[-1] + f" {{{words[0]} was seen}}"
            file.write_text(tables.sheet(title, game.tags, " ".join((*words[:-1], noted))), "utf-8")
            pages.append(page(run, str(file), "--seat", f"p{seat}" if seat else "rail"))
            whole.append(page(run, str(file)))
        assert pages[0] == pages[1]
        differed += whole[0] != whole[1]
    assert differed


def test_a_quiet_record_tells_nothing_of_the_rules(run: Run) -> None:
    run("new", "cardmate", "--id", "g")
    run("move", "g", "4Ci3", "4Db6", "--quiet")
    for words in (("g", "--seat", "p1"), ("g", "--seat", "rail"), ("g", "--quiet"), ("--all", "--quiet")):
        text = page(run, *words)
        assert "g is quiet" in text
        assert "<dt>Verdict</dt>" not in text
        assert 'class="rules"' not in text
        assert {frame[4] for frame in data(text)["frames"]} == {""}
    assert "<dt>Verdict</dt>" in page(run, "g")


def test_what_cannot_be_is_said(run: Run, tmp_path: Path) -> None:
    assert "cannot be read" in run("export", "no.cgn", "--format", "replay", code=2).stderr
    assert "there is no game 7" in run("export", f"{NESTED}#7", "--format", "replay", code=2).stderr
    assert "p1 or p2" in run("export", str(NESTED), "--format", "replay", "--seat", "p7", code=2).stderr
    assert "--log" in run("export", str(NESTED), "--format", "replay", "--log", code=2).stderr
    empty = tmp_path / "empty.cgn"
    empty.write_text("\n", "utf-8")
    assert "holds no game" in run("export", str(empty), "--format", "replay", code=2).stderr
    unknown = tmp_path / "unknown.cgn"
    unknown.write_text('[Game "Halma"]\n\n1. a *\n', "utf-8")
    assert "Halma" in run("export", str(unknown), "--format", "replay", code=1).stderr


def test_a_record_that_cannot_be_followed_shows_what_it_can(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "odd.cgn"
    file.write_text(sheet("4Ci3 4Db6 zzz 8Ca7"), "utf-8")
    text = page(run, str(file))
    assert "unread" in text
    assert "8Ca7" in text


@pytest.mark.parametrize("name", ["tarot/games/fft-five", "oh-hell/games/open", "zarcana/games/three"])
def test_a_thing_that_lies_on_another_is_drawn_after_it(run: Run, name: str) -> None:
    text = page(run, str(SAMPLES / f"{name}.cgn"), "--seat", "p1")
    [board] = re.findall(r'<svg class="drawing".*?</svg>', text, re.DOTALL)
    groups = re.findall(r'<g (?:data-id="[^"]*" )?class="(\w+)[^"]*"[^>]*>.*?(?: width="(\d+)"|</g>)', board)
    looks, widths = [look for look, _ in groups], [int(wide or 0) + 3 for _, wide in groups]
    places: dict[int, tuple[float, float]] = {}
    fans = 0
    for _, before, line, *_, moved, gone, _, _, _ in data(text)["frames"]:
        assert (before, line) == (before, 0)
        assert isinstance(moved, list)
        assert isinstance(gone, list)
        places = {number: where for number, where in places.items() if number not in gone}
        places |= {moved[at]: (moved[at + 1], moved[at + 2]) for at in range(0, len(moved), 3)}
        grounds = [number for number in places if looks[number] in ("felt", "square")]
        assert max(grounds, default=-1) < min(
            (number for number in places if looks[number] in ("card", "pyramid", "chip", "plate")), default=10**9
        )
        cards = [(number, *where) for number, where in places.items() if looks[number] == "card"]
        over = [(a, b) for a, x, y in cards for b, right, down in cards if y == down and 0 < right - x < widths[a]]
        assert all(under < upper for under, upper in over)
        fans += len(over)
    assert fans or "zarcana" in name
