"""Two sheets of one game side by side: what differs is found, and what does not is not."""

import json
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from cartulary.notation import Record, dumps, examine, loads
from cartulary.notation.arbiter.compare import compare
from cartulary.testing import tables
from tests.laws.worlds import GAMES, otherwise
from tests.places import SAMPLES
from tests.records.archives import Run

CARDMATE = SAMPLES / "cardmate" / "games" / "page-1.cgn"
TAROT = SAMPLES / "tarot" / "games" / "table-revoke.cgn"
FIVE = (SAMPLES / "tarot" / "games" / "fft-five.cgn").read_text("utf-8")
[PAGE] = loads(CARDMATE.read_bytes())


def with_words(words: tuple[str, ...]) -> Record:
    """Return the page's game with these words, and nothing said of them."""
    return replace(PAGE, line=replace(PAGE.line, words=words, notes={}, numbers={}))


def kept(path: Path, words: tuple[str, ...]) -> str:
    path.write_text(dumps(with_words(words)), "utf-8")
    return str(path)


def changed(words: list[str], rng: Random) -> list[str]:
    """Return the words with one left out, twice, misread or swapped with the next."""
    at = rng.randrange(len(words) - 1)
    put = {
        "left-out": [],
        "twice": [words[at], words[at]],
        "misread": [words[at][:-1] + rng.choice("0123456789")],
    }
    kind = rng.choice((*put, "swapped"))
    if kind == "swapped":
        return [*words[:at], words[at + 1], words[at], *words[at + 2 :]]
    return [*words[:at], *put[kind], *words[at + 1 :]]


def test_every_word_of_both_sheets_stands_once_and_in_order_and_what_is_alike_is_so() -> None:
    for seed in range(60):
        rng = Random(f"compare {seed}")
        a, b = list(PAGE.line.words), list(PAGE.line.words)
        for _ in range(rng.randint(0, 3)):
            b = changed(b, rng)
        for _ in range(rng.randint(0, 2)):
            a = changed(a, rng)
        one, other = examine(with_words(tuple(a))), examine(with_words(tuple(b)))
        compared = compare(one, other)
        assert tuple(pair.a for pair in compared.words if pair.a is not None) == one.words
        assert tuple(pair.b for pair in compared.words if pair.b is not None) == other.words
        assert [pair.ply_a for pair in compared.words if pair.ply_a] == list(range(1, len(a) + 1))
        assert [pair.ply_b for pair in compared.words if pair.ply_b] == list(range(1, len(b) + 1))
        assert compared.same == (a == b)
        alike = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        assert compared.same or compared.first <= alike + 1
        for pair in compared.words:
            if pair.alike:
                assert pair.ply_a
                assert pair.ply_b
                spelled = (one.words[pair.ply_a - 1], a[pair.ply_a - 1])
                assert {other.words[pair.ply_b - 1], b[pair.ply_b - 1]} & {*spelled}


def test_a_word_that_one_sheet_lacks_shifts_nothing(run: Run, tmp_path: Path) -> None:
    words = PAGE.line.words
    other = kept(tmp_path / "b.cgn", (*words[:10], *words[11:20], "9S:a0", *words[21:]))
    found = json.loads(run("compare", str(CARDMATE), other, "--json", code=1).stdout)
    assert (found["same"], found["first"], found["verdicts"]) == (False, 11, ["legal", "irregular"])
    differ = [one for one in found["words"] if one["a"] is None or one["b"] is None or one["a"] != one["b"]]
    assert differ[0] == {"a": words[10], "b": None, "ply_a": 11, "ply_b": None}
    shown = run("compare", str(CARDMATE), other, code=1).stdout
    assert "First difference: ply 11. 1 word differs, 1 only in A." in shown
    assert max(map(len, shown.split("\nB:")[0].splitlines()[2:])) <= 80


def test_glyphs_comments_clocks_numbers_and_marks_say_nothing(run: Run, tmp_path: Path) -> None:
    bare = kept(tmp_path / "bare.cgn", tuple(word.rstrip("+×") for word in PAGE.line.words))
    found = json.loads(run("compare", str(CARDMATE), bare, "--json").stdout)
    assert (found["same"], found["first"], found["tags"]) == (True, None, [])
    assert "No word differs." in run("compare", bare, str(CARDMATE)).stdout
    text = Path(bare).read_text("utf-8").replace('[Forehand "', '[Forehand "Other ')
    Path(bare).write_text(text.replace("20. 8D:i6", "20. 8D:i6 {[%clk 0:01:00] a note} $5"), "utf-8")
    assert "Forehand: A has Zillions of Games, B has Other Zillions" in run("compare", str(CARDMATE), bare).stdout


def test_a_stored_game_is_compared_by_its_id(run: Run, tmp_path: Path) -> None:
    run("new", "cardmate", "--id", "club", "--player", "A", "--player", "B")
    run("move", "club", *PAGE.line.words[:6])
    sheet = kept(tmp_path / "b.cgn", PAGE.line.words[:8])
    assert "2 only in B" in run("compare", "club", sheet, code=1).stdout


@pytest.mark.parametrize(
    ("one", "other", "says"),
    [
        (CARDMATE, TAROT.read_text("utf-8"), "the game of one is cardmate, that of the other tarot"),
        (
            TAROT,
            '[Game "Tarot"]\n[Variant "dementlieu"]\n\n*\n',
            "the variant of one is fft, that of the other dementlieu",
        ),
        (
            TAROT,
            FIVE,
            "the number of seats of one is 4, that of the other 5",
        ),
        (CARDMATE, '[Game "Cardmate"]\n[Variant "rank-setup"]\n\n*\n', "needs a Setup tag"),
        (CARDMATE, '[Game "Chess of the moon"]\n\n1. e4 *\n', "cannot be compared"),
        (CARDMATE, "", "holds no game"),
    ],
)
def test_what_is_no_sheet_of_the_same_game_is_refused(
    run: Run, tmp_path: Path, one: Path, other: str, says: str
) -> None:
    path = tmp_path / "b.cgn"
    path.write_text(other, "utf-8")
    assert says in " ".join(run("compare", str(one), str(path), code=2).stderr.split())


def test_a_sheet_that_breaks_off_is_no_slip_where_the_other_goes_on(run: Run, tmp_path: Path) -> None:
    words = PAGE.line.words
    whole = kept(tmp_path / "a.cgn", tuple("8Dh9" if word == "8Dh3" else word for word in words))
    broken = kept(tmp_path / "b.cgn", words[:28])
    for pair in ((whole, broken), (broken, whole)):
        near = json.loads(run("compare", *pair, "--restore", "--json", code=1).stdout)["nearest"]
        assert (near["answer"], near["slips"]) == ("one", 1)
        assert tuple(near["games"][0]["words"]) == words
    same = json.loads(run("compare", whole, whole, "--restore", "--json").stdout)["nearest"]
    assert (same["slips"], tuple(same["games"][0]["words"])) == (2, words)


def test_a_seat_finds_no_difference_in_what_it_has_not_seen(run: Run, tmp_path: Path) -> None:
    rng = Random(5)
    title, play = GAMES["tarot"]
    opened = play(rng)
    words = opened.words[:30]
    sheets = [tmp_path / "a.cgn", tmp_path / "b.cgn"]
    for path, answer in zip(sheets, (words, otherwise(title, opened, words, 1, rng)), strict=True):
        path.write_text(tables.sheet(title, opened.tags, " ".join(answer)), "utf-8")
    names = [str(path) for path in sheets]
    assert "only in" in run("compare", *names, code=1).stdout or "differ" in run("compare", *names, code=1).stdout
    assert "No word differs." in run("compare", *names, "--seat", "p1").stdout
    assert "expected a seat of this game" in run("compare", *names, "--seat", "p9", code=2).stderr


# --- restored ---


def test_the_legal_game_nearest_to_both_sheets_is_found(run: Run, tmp_path: Path) -> None:
    words = " ".join(PAGE.line.words)
    one = kept(tmp_path / "a.cgn", tuple(words.replace("8Dh3", "8Dh9", 1).replace(" 9Sa7 ", " ", 1).split()))
    other = kept(tmp_path / "b.cgn", tuple(words.replace("8Dh3 8Cc6", "8Cc6 8Dh3", 1).split()))
    found = json.loads(run("compare", one, other, "--restore", "--json", code=1).stdout)
    assert set(found) == {"same", "first", "words", "tags", "verdicts", "nearest"}
    nearest = found["nearest"]
    assert (nearest["answer"], nearest["slips"], nearest["count"]) == ("one", 3, 1)
    [game] = nearest["games"]
    assert tuple(game["words"]) == PAGE.line.words
    assert [(each["kind"], each["ply"]) for each in game["a"]] == [("misread", 5), ("left-out", 14)]
    assert [(each["kind"], each["ply"]) for each in game["b"]] == [("swapped", 5)]
    shown = run("compare", one, other, "--restore", code=1).stdout
    assert shown.endswith(
        "Nearest to both: one game, 3 slips away: a proposal, not a proof\n"
        "    A, ply 5: 8Dh9, now 8Dh3, a character misread\n"
        "    A, before ply 14: 9Sa7, left out\n"
        "    B, plies 5 and 6: 8Cc6 8Dh3, now 8Dh3 8Cc6, written in each other's place\n"
    )
    assert "nearest" not in json.loads(run("compare", one, other, "--json", code=1).stdout)


def test_the_game_that_is_found_is_written_where_it_is_one(run: Run, tmp_path: Path) -> None:
    words = " ".join(PAGE.line.words)
    one = kept(tmp_path / "a.cgn", tuple(words.replace(" 9Sa7 ", " ", 1).split()))
    other = kept(tmp_path / "b.cgn", tuple(words.replace("8Dh3", "8Dh9", 1).split()))
    out = tmp_path / "out.cgn"
    assert "--restore" in run("compare", one, other, "--write", str(out), code=2).stderr
    run("compare", one, other, "--restore", "--write", str(out), code=1)
    [found] = loads(out.read_text("utf-8"))
    assert found.line.words == PAGE.line.words
    assert "[%restored" in out.read_text("utf-8")
    assert "it already exists" in run("compare", one, other, "--restore", "--write", str(out), code=2).stderr
    noise = kept(tmp_path / "noise.cgn", ("zebra",) * 40)
    before = out.read_bytes()
    errors = run("compare", one, noise, "--restore", "--write", str(out), "--force", code=1).stderr
    assert f"Nothing was written to {out}: expected a single game nearest to both sheets" in errors
    assert out.read_bytes() == before


def test_what_makes_a_sheet_unreadable_is_told_before_its_open_questions(run: Run, tmp_path: Path) -> None:
    words = " ".join(PAGE.line.words)
    torn = kept(tmp_path / "torn.cgn", tuple(words.replace("8Dh3", "~", 1).replace("9Sa7", "9S7a", 1).split()))
    shown = run("compare", str(CARDMATE), torn, code=1).stdout
    assert "error cgn.syntax" in shown.partition("First difference")[2].split("\n")[1]
    assert shown.endswith("B: and 1 more; `validate` lists them all for a file\n")


def test_two_sheets_without_a_difference_have_nothing_to_restore(run: Run) -> None:
    shown = run("compare", str(CARDMATE), str(CARDMATE), "--restore").stdout
    assert shown.endswith("Nearest to both: legal, nothing to restore\n")


def test_what_no_legal_game_explains_is_said(run: Run, tmp_path: Path) -> None:
    noise = kept(tmp_path / "noise.cgn", ("zebra",) * 40)
    shown = run("compare", str(CARDMATE), noise, "--restore", code=1).stdout
    assert shown.endswith("Nearest to both: none, no legal game was found within 6 slips\n")
