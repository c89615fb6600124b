"""Signed archives: every way an archive can be other than signed is told in a sentence of its own."""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.places import DOCS
from tests.records.keyring import PHRASE, by_ssh, keyring, ssh_keygen, typed

Run = Callable[..., Result]


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return keyring(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="session")
def kept(keys: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a database of two games and their signed archive."""
    folder = tmp_path_factory.mktemp("kept")
    db = ("--db", str(folder / "games.db"))
    for id in ("evening", "morning"):
        typed("new", "cardmate", "--id", id, "--player", "Ada", "--player", "Bela", *db)
        typed("move", id, "4Ci3", "4Db6", *db)
    words = ("--format", "json", "--log", "-o", str(folder / "club.jsonl"))
    typed("export", "--all", *words, "--sign", str(keys / "club"), "--signer", "club@example", *db)
    return folder


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("CARTULARY_DB", str(tmp_path / "games.db"))
    monkeypatch.chdir(tmp_path)
    return typed


@pytest.fixture
def club(run: Run, kept: Path, tmp_path: Path) -> Path:
    """Return a signed archive of two games, in a folder of the test's own."""
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    return tmp_path / "club.jsonl"


# --- ssh-keygen ---


@pytest.mark.parametrize("suffix", ["", ".manifest"])
def test_ssh_keygen_accepts_what_we_sign_and_refuses_it_after_one_byte(club: Path, keys: Path, suffix: str) -> None:
    signed, signature = Path(f"{club}{suffix}"), Path(f"{club}{suffix}.sig")
    data = signed.read_bytes()
    assert by_ssh(keys, signature, data)
    for at in (0, len(data) // 2, len(data) - 1):
        assert not by_ssh(keys, signature, data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    assert not by_ssh(keys, signature, data[:-1])
    assert not by_ssh(keys, signature, data, "somebody@example")


@pytest.mark.parametrize("algorithm", ["sha512", "sha256"])
def test_we_accept_what_ssh_keygen_signs(club: Path, keys: Path, run: Run, algorithm: str) -> None:
    for suffix in (".sig", ".manifest", ".manifest.sig"):
        Path(f"{club}{suffix}").unlink()
    words = ("-Y", "sign", "-f", str(keys / "club"), "-n", "cartulary", "-O", f"hashalg={algorithm}", str(club))
    assert ssh_keygen(*words).returncode == 0
    shown = run("verify", str(club), "--signers", str(keys / "allowed")).stdout
    assert "signed by club@example" in shown
    with club.open("ab") as file:
        file.write(b"\n")
    assert "bytes were changed" in run("verify", str(club), "--signers", str(keys / "allowed"), code=3).stdout


def test_a_locked_key_signs_once_it_is_unlocked(
    club: Path, keys: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("export", "evening", "--format", "json", "--log", "-o", "one.jsonl", "--sign", str(keys / "locked"))
    assert "set CARTULARY_PASSPHRASE to it" in run(*words, code=2).stderr
    monkeypatch.setenv("CARTULARY_PASSPHRASE", "over the table")
    assert "the passphrase is wrong" in run(*words, code=2).stderr
    assert not Path("one.jsonl").exists()
    monkeypatch.setenv("CARTULARY_PASSPHRASE", PHRASE)
    run(*words)
    run("verify", "one.jsonl", "--signers", str(keys / "locked.pub"))


# --- every way to be other than signed ---


def test_verify_says_who_signed_what_it_proves_and_what_not(club: Path, keys: Path, run: Run) -> None:
    shown = run("verify", "club.jsonl", "--signers", str(keys / "allowed"), "--signer", "club@example").stdout
    lines = shown.splitlines()
    assert lines[0].startswith("club.jsonl.manifest: signed by club@example (SHA256:")
    assert "2 games, made 2" in lines[0]
    assert lines[1].endswith("all its bytes as signed")
    assert [line.split(":")[0] for line in lines[2:4]] == ["evening", "morning"]
    assert lines[2].endswith(", as signed")
    assert lines[4].startswith("Proved for 2 games: ")
    assert "club@example signed these heads" in lines[4]
    assert lines[5].startswith("Not proved: the time")
    for doubt in ("was played as written", "nothing else was played"):
        assert doubt in lines[5]


def test_without_signers_verify_says_that_nobody_vouches(club: Path, run: Run) -> None:
    shown = run("verify", "club.jsonl").stdout
    assert "Not proved: who wrote it" in shown
    assert "signed" not in shown


def edited(text: str) -> str:
    return text.replace('\\"text\\":\\"4Db6\\"', '\\"text\\":\\"4Db5\\"', 1)


def dropped(text: str) -> str:
    return text.splitlines(keepends=True)[0]


def cut_short(text: str) -> str:
    return text[:-40]


def swapped(text: str) -> str:
    """Put another record, sound in itself, under a signed id."""
    first, second = map(json.loads, text.splitlines())
    return "\n".join(json.dumps(game, separators=(",", ":")) for game in (first, second, second)) + "\n"


def restated(text: str) -> str:
    return text.replace('"Ada"', '"Eve"', 1)


def shortened(text: str) -> str:
    """Cut the last event off the first game and move its head back, so that it is sound in itself."""
    first, *rest = text.splitlines()
    game = json.loads(first)
    game["events"].pop()
    game["version"] -= 1
    game["digest"] = json.loads(game["events"][-1]["body"])["digest"]
    del game["standing"]
    return "\n".join((json.dumps(game, separators=(",", ":")), *rest)) + "\n"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (edited, "evening: NOT PROVED: Event 4 of evening is not the one that was written there."),
        (dropped, "morning: NOT PROVED: morning was signed with 4 events, but the archive lacks it."),
        (cut_short, "morning: NOT PROVED: morning was signed with 4 events"),
        (swapped, "morning: NOT PROVED: club.jsonl holds morning twice."),
        (restated, "evening: NOT PROVED: The archive of evening describes a game that is not the one its events make"),
        (shortened, "evening: NOT PROVED: The log of evening was cut off: 4 events were signed, but it holds only 3."),
    ],
)
def test_an_archive_that_was_changed_is_told_with_what_is_wrong(
    club: Path, keys: Path, run: Run, change: Callable[[str], str], says: str
) -> None:
    club.write_text(change(club.read_text("utf-8")), "utf-8")
    shown = run("verify", "club.jsonl", "--signers", str(keys / "allowed"), code=3).stdout
    assert says in shown
    assert "club.jsonl: NOT PROVED: club.jsonl is not what club@example signed" in shown
    assert "signed these heads" not in shown


def test_another_record_under_a_signed_id_is_told(club: Path, keys: Path, run: Run) -> None:
    db = ("--db", "other.db")
    run("new", "cardmate", "--id", "evening", *db)
    run("move", "evening", "4Ci3", "4Db6", *db)
    run("export", "evening", "--format", "json", "--log", "-o", "other.jsonl", *db)
    words = ("--signers", str(keys / "allowed"), "--manifest", "club.jsonl.manifest")
    shown = run("verify", "other.jsonl", *words, code=3).stdout
    assert "evening is not the record that was signed: its head is 4:" in shown


def test_a_game_that_nobody_signed_and_one_that_went_on_are_told(club: Path, keys: Path, run: Run) -> None:
    run("new", "cardmate", "--id", "night")
    run("move", "evening", "8Dj2")
    run("export", "--all", "--format", "json", "--log", "-o", "later.jsonl")
    words = ("--signers", str(keys / "allowed"), "--manifest", "club.jsonl.manifest")
    shown = run("verify", "later.jsonl", *words, code=3).stdout
    assert "night is not among the 2 games that were signed" in shown
    assert "evening goes on after what was signed" in shown
    assert "morning: proved, 4 events" in shown


def test_a_redacted_copy_holds_against_the_signed_manifest(club: Path, keys: Path, run: Run) -> None:
    run("export", "--all", "--format", "json", "--log", "--redact", "names", "-o", "public.jsonl")
    text = Path("public.jsonl").read_text("utf-8")
    assert "Ada" not in text
    assert "Bela" not in text
    words = ("verify", "public.jsonl", "--signers", str(keys / "allowed"))
    assert "public.jsonl is not signed" in run(*words, code=3).stdout
    shown = run(*words, "--manifest", "club.jsonl.manifest").stdout
    assert "not the bytes that were signed" in shown
    assert shown.count("1 body left out") == 2
    assert "Not proved: what the omitted bodies say" in shown


def test_an_unsigned_archive_and_a_manifest_alone(club: Path, keys: Path, run: Run) -> None:
    words = ("verify", "club.jsonl", "--signers", str(keys / "allowed"))
    Path("club.jsonl.sig").unlink()
    assert "its bytes are those the manifest was made from" in run(*words).stdout
    Path("club.jsonl.manifest.sig").unlink()
    assert "club.jsonl.manifest is not signed: there is no club.jsonl.manifest.sig." in run(*words, code=3).stdout
    Path("club.jsonl.manifest").unlink()
    assert "club.jsonl is not signed" in run(*words, code=3).stdout


def test_a_foreign_signature_does_not_count(club: Path, keys: Path, run: Run) -> None:
    shown = run("verify", "club.jsonl", "--signers", str(keys / "stranger.pub"), code=3).stdout
    assert "belongs to no allowed signer" in shown
    wanted = run("verify", "club.jsonl", "--signers", str(keys / "allowed"), "--signer", "eve@example", code=3).stdout
    assert "belongs to club@example, not to eve@example" in wanted


def test_a_signature_made_for_something_else_does_not_count(club: Path, keys: Path, run: Run) -> None:
    Path("club.jsonl.sig").unlink()
    assert ssh_keygen("-Y", "sign", "-f", str(keys / "club"), "-n", "file", str(club)).returncode == 0
    shown = run("verify", "club.jsonl", "--signers", str(keys / "allowed"), code=3).stdout
    assert "it was signed as 'file', not as 'cartulary'" in shown


@pytest.mark.parametrize("change", [str, edited, cut_short, shortened])
def test_the_chain_is_followed_without_cartulary_as_the_documentation_says(
    club: Path, run: Run, capsys: pytest.CaptureFixture[str], change: Callable[[str], str]
) -> None:
    page = (DOCS / "evidence.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)\n```", page, re.DOTALL)
    run("export", "morning", "--format", "json", "--log", "--redact", "names", "-o", "public.jsonl")
    club.write_text(change(club.read_text("utf-8") + Path("public.jsonl").read_text("utf-8")), "utf-8")
    if change in (edited, cut_short):
        with pytest.raises((AssertionError, ValueError)):
            exec(compile(program, "docs/evidence.md", "exec"), {})
    else:
        exec(compile(program, "docs/evidence.md", "exec"), {})
        assert capsys.readouterr().out.endswith("evening is whole\nmorning is whole\nmorning is whole\n")


def test_a_published_database_is_proved_and_signed_like_an_archive(club: Path, keys: Path, run: Run) -> None:
    run("export", "--all", "--format", "sqlite", "-o", "club.db")
    assert "Not proved: what the tables beside the log hold; " in run("verify", "club.db").stdout
    assert ssh_keygen("-Y", "sign", "-f", str(keys / "club"), "-n", "cartulary", "club.db").returncode == 0
    assert "club.db: signed by" in run("verify", "club.db", "--signers", str(keys / "allowed")).stdout
    with sqlite3.connect("club.db") as other:
        other.execute("UPDATE log SET body = replace(body, '4Db6', '4Db5') WHERE game = 'morning'")
    other.close()
    shown = run("verify", "club.db", "--signers", str(keys / "allowed"), code=3).stdout
    assert "morning: NOT PROVED: Event 4 of morning" in shown
    assert "evening: proved" in shown


# --- the command line ---


def test_a_private_key_others_may_read_is_warned_of(club: Path, keys: Path, run: Run, tmp_path: Path) -> None:
    shutil.copy(keys / "club", tmp_path / "open")
    (tmp_path / "open").chmod(0o644)
    words = ("export", "evening", "--format", "json", "--log", "-o", "one.jsonl", "--force", "--sign", "open")
    assert "others may read this private key" in run(*words).stderr
    (tmp_path / "open").chmod(0o600)
    assert "others may read" not in run(*words).stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("export", "evening", "--sign", "KEY"), "--sign needs --format json --log -o FILE"),
        (("export", "evening", "--format", "json", "--log", "--sign", "KEY"), "--sign needs"),
        (("export", "evening", "--signer", "me"), "--signer needs --sign"),
        (("export", "evening", "--redact", "names", "--format", "sqlite", "-o", "x"), "which holds every name"),
        (("export", "evening", "--keep-named"), "--keep-named needs --redact"),
        (("export", "evening", "--font", "x.ttf"), "--font needs --format pdf"),
        (("export", "evening", "--format", "json", "--log", "-o", "x", "--sign", "nokey"), "nokey: no such file"),
        (("verify", "club.jsonl", "--signer", "me"), "need --signers"),
        (("verify", "evening", "--signers", "KEY"), "live records are not"),
        (("verify", "--all", "--signers", "KEY"), "live records are not"),
        (("verify", "club.jsonl", "--signers", "nofile"), "nofile: no such file"),
        (
            ("export", "evening", "evening", "--format", "json", "--log", "-o", "x", "--sign", "KEY"),
            "evening is named twice",
        ),
    ],
)
def test_options_that_do_not_go_together_are_told(
    club: Path, keys: Path, run: Run, words: tuple[str, ...], says: str
) -> None:
    typed = [str(keys / "club") if word == "KEY" else word for word in words]
    assert says in run(*typed, code=2).stderr
    assert not [path.name for path in club.parent.iterdir() if path.name.startswith("x")]


def test_an_export_that_fails_leaves_the_signed_files_as_they_were(club: Path, keys: Path, run: Run) -> None:
    before = {path.name: path.read_bytes() for path in club.parent.glob("club.jsonl*")}
    words = ("--format", "json", "--log", "-o", "club.jsonl", "--force", "--sign", str(keys / "club"))
    assert "no game nosuch" in run("export", "evening", "nosuch", *words, code=2).stderr
    assert {path.name: path.read_bytes() for path in club.parent.glob("club.jsonl*")} == before


def test_a_copy_that_still_names_somebody_is_left_out_unless_told_otherwise(club: Path, run: Run) -> None:
    run("note", "evening", "1", "Ada thinks")
    words = ("export", "--all", "--format", "json", "--log", "--redact", "names", "-o", "public.jsonl")
    result = run(*words, code=1)
    assert "evening: 'Ada' is still named in event 5 (the note on ply 1)" in result.stderr
    assert "evening was left out" in result.stderr
    assert len(Path("public.jsonl").read_text("utf-8").splitlines()) == 1
    assert len(run(*words[:-2], "--keep-named").stdout.splitlines()) == 2
    texts = ("export", "evening", "--format", "json", "--log", "--redact", "texts")
    assert "Ada" not in run(*texts).stdout


@pytest.mark.parametrize("level", ["names", "texts"])
def test_a_copy_is_left_out_whose_ruling_still_names_somebody(level: str, club: Path, run: Run) -> None:
    run("ruling", "evening", "1", "--stands", "--arbiter", "Cy Judge", "--reason", "Ada objected in time")
    result = run("export", "--all", "--format", "json", "--log", "--redact", level, "-o", "public.jsonl", code=1)
    assert "evening: 'Ada' is still named in event 5 (the reason)" in result.stderr
    assert "evening was left out" in result.stderr
    assert "Ada" not in Path("public.jsonl").read_text("utf-8")


def test_a_redacted_archive_is_taken_in_and_says_what_is_missing(club: Path, run: Run) -> None:
    run("export", "evening", "--format", "json", "--log", "--redact", "names", "-o", "public.jsonl")
    assert "evening, new, 4 events, 1 body left out" in run("import", "public.jsonl", "--db", "other.db").stdout


def test_verify_as_json_gives_an_object_a_signature_and_a_game(club: Path, keys: Path, run: Run) -> None:
    shown = run("verify", "club.jsonl", "--signers", str(keys / "allowed"), "--json").stdout
    manifest, archive, *games = map(json.loads, shown.splitlines())
    assert [manifest["file"], archive["file"]] == ["club.jsonl.manifest", "club.jsonl"]
    assert archive["signer"] == "club@example"
    assert [(game["id"], game["fault"], game["withheld"]) for game in games] == [("evening", "", 0), ("morning", "", 0)]


def test_a_manifest_that_is_none_is_refused_though_it_is_signed(club: Path, keys: Path, run: Run) -> None:
    Path("club.jsonl.manifest").write_text("no manifest\n", "utf-8")
    Path("club.jsonl.manifest.sig").unlink()
    words = ("-Y", "sign", "-f", str(keys / "club"), "-n", "cartulary", "club.jsonl.manifest")
    assert ssh_keygen(*words).returncode == 0
    shown = run("verify", "club.jsonl", "--signers", str(keys / "allowed"), code=2).stderr
    assert "club.jsonl.manifest is not the manifest of an archive" in shown


def test_a_public_key_alone_is_named_once(club: Path, keys: Path, run: Run) -> None:
    [first, *_] = run("verify", club.name, "--signers", str(keys / "club.pub")).stdout.splitlines()
    assert first.count("SHA256:") == 1


def test_a_signed_archive_whose_first_byte_changed_is_not_proved(club: Path, keys: Path, run: Run) -> None:
    club.write_bytes(b"[" + club.read_bytes()[1:])
    done = run("verify", club.name, "--signers", str(keys / "allowed"), code=3)
    assert "bytes were changed, cut off or added" in done.stdout


def test_an_export_never_takes_the_place_of_its_key(club: Path, keys: Path, run: Run) -> None:
    key = keys / "club"
    before = key.read_bytes()
    words = ("--all", "--format", "json", "--log", "-o", str(key), "--sign", str(key))
    assert "is the key to sign with" in run("export", *words, code=2).stderr
    assert key.read_bytes() == before


def test_an_archive_with_a_line_that_is_no_game_is_damaged_and_says_so_at_the_end(club: Path, run: Run) -> None:
    for suffix in (".sig", ".manifest", ".manifest.sig"):
        Path(f"{club}{suffix}").unlink()
    whole, last = club.read_text().splitlines()
    club.write_text(f"{whole}\n{last.replace('topic', 'topik', 1)}\n")
    ended = run("verify", "club.jsonl", code=3)
    assert "club.jsonl:2: This is not an exported game" in ended.stderr
    assert "NOT PROVED: 1 line that cannot be read as a game." in ended.stdout
    club.write_text(last.replace("topic", "topik", 1))
    run("verify", "club.jsonl", code=2)


def test_what_another_should_have_signed_is_not_proved_at_the_end_either(club: Path, run: Run, keys: Path) -> None:
    words = ("--signers", str(keys / "allowed"), "--signer", "other@example")
    shown = run("verify", "club.jsonl", *words, code=3).stdout
    assert "\nNOT PROVED: that this was signed by the person who should have signed it.\nProved for 2 games" in shown
