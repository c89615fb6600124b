"""``--part K/N`` and ``merge``: parts made apart and joined give what the undivided command gives, or say why not."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Write
from tests.cli.test_validate import LEGAL, LINES, REFUSED, UNREAD, Ended, many
from tests.hunts import looks
from tests.places import SAMPLES
from tests.programs import typed

FORMATS = ("chess/games", "draughts/games")
PGN = '[Event "Club"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n\n'
PDN = '[Event "Club"]\n[GameType "20"]\n[Result "*"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n'


def parts_of(folder: Path, parts: int, *words: str) -> list[str]:
    """Return the files that parts of `validate` were written to."""
    made = []
    for number in range(1, parts + 1):
        ended = typed(("validate", "--part", f"{number}/{parts}", "--json", *words), folder, {})
        path = folder / f"{number}-of-{parts}.jsonl"
        path.write_bytes(ended.stdout_bytes)
        made.append(str(path))
    return made


def merge(folder: Path, *parts: str) -> tuple[str, str, int]:
    """Return what `merge validate` prints, says and ends with."""
    ended = typed(("merge", "validate", *parts), folder, {})
    return ended.stdout, ended.stderr, ended.exit_code


def whole(*words: str) -> tuple[str, str, int]:
    """Return what the undivided command prints, says and ends with."""
    ended = Ended("--json", *words)
    return ended.out, ended.said, ended.code


def strewn(rng: random.Random, folder: Path) -> list[str]:
    """Write files and folders of every kind by chance; return their names as they are typed."""
    texts: tuple[Callable[[], str], ...] = (
        lambda: "",
        lambda: " \n\n",
        lambda: LEGAL,
        lambda: UNREAD,
        lambda: many(rng.randrange(1, 30)),
        lambda: PGN * rng.randrange(1, 9),
        lambda: PDN * rng.randrange(1, 9),
        lambda: REFUSED + "\n" + LEGAL,
        lambda: "".join(rng.choice(LINES) + "\n" for _ in range(60)),
        lambda: "\ufeff" + many(3).replace("\n", "\r\n"),
    )
    names = []
    for number in range(rng.randrange(1, 6)):
        inside = folder / f"season {number}" if rng.random() < 0.3 else folder
        inside.mkdir(exist_ok=True)
        path = inside / f"{number}.{rng.choice(('cgn', 'pgn', 'pdn'))}"
        path.write_text(rng.choice(texts)(), "utf-8", newline="")
        names.append(str(inside if inside != folder else path))
    if rng.random() < 0.2:
        names.append(names[0])
    if rng.random() < 0.2:
        names.append(str(folder / "nowhere.cgn"))
    return names


# --- one whole ---


@pytest.mark.hunt
@pytest.mark.parametrize("seed", range(looks(40)))
def test_parts_joined_in_any_order_are_what_one_run_prints_says_and_ends_with(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    names = strewn(rng, tmp_path)
    words = (*names, *rng.choice(((), ("--fail-on", "remark"), ("--accept-rulings",))))
    made = parts_of(tmp_path, rng.choice((1, 2, 3, 5, 9)), *words)
    rng.shuffle(made)
    assert merge(tmp_path, *made) == whole(*words)


def test_the_samples_in_parts_are_what_one_run_says_of_them(tmp_path: Path) -> None:
    words = [str(SAMPLES / games) for games in ("cardmate/games", *FORMATS)]
    expected = whole(*words)
    for parts in (2, 7):
        assert merge(tmp_path, *parts_of(tmp_path, parts, *words)) == expected


def test_a_part_judged_by_two_processes_is_written_alike(tmp_path: Path, write: Write) -> None:
    path = write("long.cgn", many(2500))
    one, two = (typed(("validate", "--part", "2/3", "--json", *jobs, path), tmp_path, {}) for jobs in ((), ("-j", "2")))
    assert one.stdout == two.stdout
    assert (one.stderr, one.exit_code) == (two.stderr, two.exit_code)


def test_no_part_has_more_than_its_share(tmp_path: Path, write: Write) -> None:
    path = write("long.cgn", many(400))
    sizes = [Path(name).stat().st_size for name in parts_of(tmp_path, 4, path)]
    assert max(sizes) < 1.2 * min(sizes)


# --- what is no whole ---


@pytest.fixture
def made(tmp_path: Path, write: Write) -> list[str]:
    """Return three whole parts."""
    return parts_of(tmp_path, 3, write("a.cgn", many(12)))


def test_a_missing_part_is_named_and_nothing_is_printed(made: list[str], tmp_path: Path) -> None:
    assert merge(tmp_path, made[0], made[2]) == ("", "cartulary: part 2 of 3 is missing\n", 2)
    assert merge(tmp_path, made[1])[1] == "cartulary: parts 1, 3 of 3 are missing\n"


def test_of_many_missing_parts_the_first_are_named(tmp_path: Path, write: Write) -> None:
    path = write("a.cgn", LEGAL)
    part = write("7.jsonl", Ended("--json", "--part", "7/1000", path).out)
    assert merge(tmp_path, part)[1] == "cartulary: parts 1, 2, 3, 4, 5 and 994 more of 1000 are missing\n"


def test_the_reports_of_a_part_are_whole_or_none_is_printed(made: list[str], tmp_path: Path) -> None:
    part = Path(made[2])
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[:3] + lines[4:]))
    assert merge(tmp_path, *made) == (
        "",
        f"cartulary: {part} has been changed since it was written; make part 3 again.\n",
        2,
    )


def test_a_part_that_is_there_twice_is_named(made: list[str], tmp_path: Path) -> None:
    out, said, code = merge(tmp_path, *made, made[1])
    assert (out, said, code) == ("", f"cartulary: {made[1]} and {made[1]} are both part 2\n", 2)


def test_a_part_of_another_number_is_named(made: list[str], tmp_path: Path) -> None:
    [other] = parts_of(tmp_path, 1, str(tmp_path / "a.cgn"))
    said = f"cartulary: {other} is one of 1 part, and {made[0]} one of 3\n"
    assert merge(tmp_path, *made[:2], other) == ("", said, 2)


@pytest.mark.parametrize("change", [b"\n", b""])
def test_a_part_of_other_files_is_named(change: bytes, made: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.cgn"
    text = path.read_bytes()
    path.write_bytes(text + change if change else text.replace(b"4Ci3", b"8Dj2", 1))
    other = Ended("--json", "--part", "2/3", str(path)).out
    Path(made[1]).write_text(other)
    out, said, code = merge(tmp_path, *made)
    assert (out, code) == ("", 2)
    assert said.startswith(f"cartulary: {made[1]} does not belong with {made[0]}")


def test_a_part_made_in_another_way_is_named(made: list[str], tmp_path: Path) -> None:
    other = Ended("--json", "--part", "2/3", "--fail-on", "remark", str(tmp_path / "a.cgn")).out
    Path(made[1]).write_text(other)
    assert merge(tmp_path, *made)[1] == f"cartulary: {made[1]} was made with a different --fail-on from {made[0]}\n"


def test_a_part_cut_short_anywhere_is_named(made: list[str], tmp_path: Path) -> None:
    part = Path(made[1])
    text = part.read_bytes()
    first = text.index(b"\n")
    for at in (first + 1, first + 40, len(text) // 2, text.rindex(b"\n", 0, -1) + 1, len(text) - 3):
        part.write_bytes(text[:at])
        assert merge(tmp_path, *made) == ("", f"cartulary: {part} was cut short; make part 2 again.\n", 2), at


def test_a_part_that_somebody_changed_is_named(made: list[str], tmp_path: Path) -> None:
    part = Path(made[1])
    part.write_bytes(part.read_bytes().replace(b'"legal"', b'"Legal"', 1))
    assert merge(tmp_path, *made) == (
        "",
        f"cartulary: {part} has been changed since it was written; make part 2 again.\n",
        2,
    )


@pytest.mark.parametrize("text", ["", "hello\n", '{"path":"a"}\n', '{"header": 3}\n', '[]\n{"end": 1}\n', "\ufeff\0\n"])
def test_a_file_that_is_no_part_is_named(text: str, made: list[str], tmp_path: Path, write: Write) -> None:
    other = write("other.jsonl", text)
    said = f"cartulary: {other} is not a part of `validate`; `validate --part K/N --json` writes one.\n"
    assert merge(tmp_path, *made, other) == ("", said, 2)


def test_what_is_no_file_is_named(made: list[str], tmp_path: Path) -> None:
    assert merge(tmp_path, *made, "nowhere")[1:] == (
        "cartulary: nowhere cannot be read: no such file or directory.\n",
        2,
    )
    assert (
        merge(tmp_path, *made, str(tmp_path))[1]
        == f"cartulary: {tmp_path} is not a file, and a part is read twice; write it to a file first.\n"
    )


@pytest.mark.parametrize("text", ["0/3", "4/3", "1/x", "1", "-1/3", "1/0", "1/100001", "1/2/3", "1/ 2", "٣/٤", "/"])
def test_what_names_no_part_is_refused(text: str, write: Write) -> None:
    ended = Ended("--json", f"--part={text}", write("a.cgn", LEGAL))
    assert (ended.out, ended.code) == ("", 2)
    assert ended.said.startswith(f"cartulary: --part {text}: ") or "expected K/N such as 3/16" in ended.said


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (("--part", "1/2", "a.cgn"), "--part needs --json"),
        (("--part", "1/2", "--json"), "standard input, which can be read only once"),
        (("--part", "1/2", "--json", "-"), "standard input, which can be read only once"),
        (("--part", "1/2", "--json", "a.cgn#1"), "a.cgn#1: --part divides whole files"),
        (("--part", "1/2", "--json", "evening"), "evening: --part divides whole files"),
        (("--part", "1/2", "--json", "/dev/null"), "/dev/null is neither a file nor a folder"),
        (("--part", "1/2", "--json", "--seat", "p1", "a.cgn"), "leave out --seat"),
    ],
)
def test_what_cannot_be_divided_is_refused(
    words: tuple[str, ...], because: str, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.cgn", LEGAL)
    monkeypatch.chdir(tmp_path)
    ended = Ended(*words)
    assert (ended.out, ended.code) == ("", 2)
    assert because in ended.said


def test_a_file_gone_while_its_part_is_judged_leaves_no_end_mark(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("a.cgn", many(12))

    def gone(_: object) -> str:
        Path(path).unlink()
        return ""

    monkeypatch.setattr("cartulary.cli.shell.part_lines.digest_of", gone)
    ended = Ended("--json", "--part", "1/2", path)
    assert ended.code == 2
    assert "was cut short" in ended.said
    assert [next(iter(json.loads(line))) for line in ended.out.splitlines()] == ["header"]


def test_a_seat_is_given_no_whole_reports(made: list[str], tmp_path: Path) -> None:
    for words, environment in ((("--seat", "p1"), {}), ((), {"CARTULARY_SEAT": "rail"})):
        ended = typed(("merge", "validate", *made, *words), tmp_path, environment)
        assert (ended.stdout, ended.exit_code) == ("", 2)
        assert "`merge` shows whole games" in ended.stderr
