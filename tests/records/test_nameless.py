"""One person left out, and sheets without names: what goes, what stays, and what proves it."""

import io
import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from pypdf import PdfReader

from cartulary.records import api
from cartulary.records.exchange.archive import read_archive
from cartulary.records.exchange.cgn import heads_in
from cartulary.records.exchange.redaction import PERSON, export_redacted
from cartulary.records.faults import Unfit
from cartulary.records.log.store import Store
from tests.places import SAMPLES
from tests.records.archives import Run

BEA, ADA, CLUB, DORA = "Bea Ortega", "Ada Kiss", "Harbour Club", "Dora Arbiter"
SHEETS = ("cgn", "pgn", "html", "pdf", "replay", "json")


def evening(store: Store, *, by: str = "", note: str = "a quiet word", game: str = "chess") -> str:
    """Return a game with two players, corrected, disputed, ruled on and closed."""
    api.open_game(
        store, api.NewRequest(game, id="evening", players=(BEA, ADA), tags={"Event": CLUB, "Round": "3"}, by=by)
    )
    api.play(store, "evening", api.WordsRequest(("e4", "e5"), by=by))
    api.annotate(store, "evening", api.NoteRequest(1, note))
    api.dispute(store, "evening", api.DisputeRequest(2, by=by or "p1", claim="not so"))
    api.rule(store, "evening", api.RulingRequest((2,), arbiter=DORA, decision="stands", reason="seen"))
    api.close(store, "evening", api.CloseRequest("1-0", termination="adjudication", by=by))
    return "evening"


def text_of(path: Path) -> str:
    if path.suffix == ".pdf":
        return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(path.read_bytes())).pages)
    return path.read_text("utf-8")


def exported(run: Run, path: Path, kind: str, redact: Sequence[str], *more: str, code: int = 0) -> str:
    """Return what an export wrote, and what it said."""
    asked = [word for one in redact for word in ("--redact", one)]
    name = str(path / f"out.{'html' if kind == 'replay' else kind}")
    result = run("export", "evening", "--format", kind, *asked, "-o", name, "--force", *more, code=code)
    return text_of(Path(name)) if code == 0 else result.stderr


# --- one person ---


def test_one_person_is_left_out_of_a_copy_that_verifies_to_the_same_head(store: Store) -> None:
    id = evening(store)
    whole, redacted = api.export_json(store, id, log=True), export_redacted(store, id, PERSON, ("Bea",))
    text = json.dumps(json.loads(desk_json(redacted.archive)), ensure_ascii=False)
    assert "Bea" not in text
    assert "Ortega" not in text
    assert DORA in text
    proof = api.verify_archive(read_archive(desk_json(redacted.archive)))
    assert (proof.fault, proof.version, proof.digest, proof.withheld) == ("", whole.version, whole.digest, 1)
    assert redacted.leftovers == ()
    assert {("Black", ADA), ("Event", CLUB)} <= set(redacted.dropped_tags)


def desk_json(archive: "api.Archive") -> bytes:
    return msgspec.json.encode(archive)


def test_what_stood_beside_one_person_stays_if_it_is_written_anew_before(store: Store, tmp_path: Path) -> None:
    id = evening(store)
    tags = dict(api.load(store, id).book.tags)
    api.change_tags(store, id, api.TagRequest(tags | {"White": "?"}))
    redacted = export_redacted(store, id, PERSON, (BEA,))
    assert (redacted.dropped_tags, redacted.leftovers) == ((), ())
    with Store(tmp_path / "new.db") as new:
        assert api.take_in(new, redacted.archive).status == "new"
        assert next(iter(api.games(new))).players == f"?; {ADA}"
        assert new.head(id) == store.head(id)
        assert api.verify(new, id).fault == ""
    assert BEA.encode() not in (tmp_path / "new.db").read_bytes()


def test_a_note_that_names_one_person_goes_and_others_stay(store: Store) -> None:
    id = evening(store, note="ORTEGA thought long")
    api.annotate(store, id, api.NoteRequest(2, "Ada did not"))
    redacted = export_redacted(store, id, PERSON, ("bea ortega",))
    assert redacted.withheld == (2, 5)
    assert redacted.leftovers == ()


def test_a_name_under_by_cannot_leave_a_log_and_is_told_with_its_place(store: Store, run: Run) -> None:
    id = evening(store, by=BEA)
    named = {one.field for one in export_redacted(store, id, PERSON, ("Bea",)).leftovers}
    assert named == {"by"}
    errors = run("export", id, "--format", "json", "--log", "--redact", "Bea", code=1).stderr
    assert "'Bea', 'Bea Ortega', 'Ortega' are still named in event 1 (who wrote it)." in " ".join(errors.split())
    assert "evening was left out" in errors


def test_a_game_without_the_person_is_exported_as_it_is(store: Store) -> None:
    id = evening(store)
    assert export_redacted(store, id, PERSON, ("Zed",)).archive == api.export_json(store, id, log=True)


def test_another_player_of_the_same_family_name_stays(store: Store, run: Run, tmp_path: Path) -> None:
    evening(store)
    api.change_tags(store, "evening", api.TagRequest({"Black": "Tom Ortega"}))
    text = exported(run, tmp_path, "cgn", [BEA])
    assert '[White "?"]' in text
    assert '[Black "Tom Ortega"]' in text


def test_nobody_and_a_level_beside_a_person_are_refused(store: Store, run: Run) -> None:
    evening(store)
    with pytest.raises(Unfit, match="is no name"):
        export_redacted(store, "evening", PERSON, ("  ",))
    errors = run("export", "evening", "--redact", "names", "--redact", "Bea", code=2).stderr
    assert "--redact names leaves out everybody" in errors


# --- sheets ---


@pytest.mark.parametrize("kind", SHEETS)
def test_a_sheet_without_names_names_nobody_and_says_what_was_played(
    store: Store, run: Run, tmp_path: Path, kind: str
) -> None:
    evening(store, by=BEA)
    assert CLUB in exported(run, tmp_path, kind, [])
    text = exported(run, tmp_path, kind, ["names"])
    for name in (*BEA.split(), *ADA.split(), *CLUB.split(), "Dora"):
        assert name not in text, name
    assert "e4" in text


@pytest.mark.parametrize("kind", SHEETS)
def test_a_sheet_without_one_person_names_the_others(store: Store, run: Run, tmp_path: Path, kind: str) -> None:
    evening(store, by=BEA)
    text = exported(run, tmp_path, kind, ["Bea"])
    assert "Bea" not in text
    assert "Ortega" not in text
    assert ADA in text
    assert CLUB in text


@pytest.mark.parametrize("kind", ["cgn", "html", "pdf"])
def test_with_its_log_a_sheet_calls_who_wrote_by_the_seat(store: Store, run: Run, tmp_path: Path, kind: str) -> None:
    evening(store, by=BEA)
    text = exported(run, tmp_path, kind, ["names"], "--log")
    for name in (*BEA.split(), *ADA.split(), *CLUB.split(), "Dora"):
        assert name not in text, name
    assert "p1" in text


def test_the_head_on_a_sheet_without_names_is_that_of_the_log(store: Store, run: Run, tmp_path: Path) -> None:
    evening(store)
    text = exported(run, tmp_path, "cgn", ["names"])
    [(id, head)] = heads_in(text.splitlines())
    assert (id, head) == ("evening", store.head("evening"))
    run("verify", "evening", "--head", str(head))
    assert api.load(store, "evening").record.tag("White") == BEA


@pytest.mark.parametrize("kind", SHEETS)
def test_a_text_that_names_somebody_keeps_a_sheet_back(store: Store, run: Run, tmp_path: Path, kind: str) -> None:
    evening(store, note="Bea thought long")
    for redact in (["names"], ["Ortega"]):
        text = " ".join(exported(run, tmp_path, kind, redact, code=1).split())
        assert "still named in event 5 (the note on ply 1)." in text
    assert "Bea" not in exported(run, tmp_path, kind, ["texts"])
    assert "Bea thought" in exported(run, tmp_path, kind, ["names"], "--keep-named")


def test_files_lose_their_names_too(run: Run, tmp_path: Path) -> None:
    pgn = '[White "Bea Ortega"]\n[Black "Ada Kiss"]\n[Annotator "Dora"]\n[Site "Harbour"]\n[Result "*"]\n\n1. e4 e5 *\n'
    (tmp_path / "bea.pgn").write_text(pgn, "utf-8")
    out = run("export", str(tmp_path / "bea.pgn"), "--format", "pgn", "--redact", "names").stdout
    assert '[White "?"]' in out
    assert not {"Bea", "Ada", "Dora", "Harbour"}.intersection(out.replace('"', " ").split())


def test_a_game_that_was_imported_loses_its_names_and_keeps_its_source_to_itself(run: Run, tmp_path: Path) -> None:
    pgn = '[White "Bea Ortega"]\n[Black "Ada Kiss"]\n[Result "*"]\n\n1. e4 e5 *\n'
    (tmp_path / "bea.pgn").write_text(pgn, "utf-8")
    run("import", str(tmp_path / "bea.pgn"))
    for log in ((), ("--log",)):
        out = run("export", "--all", "--format", "cgn", "--redact", "Bea", *log).stdout
        assert '[Black "Ada Kiss"]' in out
        assert "Bea" not in out
        page = run("export", "--all", "--format", "html", "--redact", "names", *log).stdout
        assert not {"bea", "bea.pgn", "Bea"}.intersection(re.findall(r"[\w.]+", page))


@pytest.mark.parametrize("kind", ["sqlite", "parquet"])
def test_what_holds_every_name_is_not_redacted(store: Store, run: Run, tmp_path: Path, kind: str) -> None:
    evening(store)
    errors = run("export", "evening", "--format", kind, "--redact", "Bea", "-o", str(tmp_path / "x"), code=2).stderr
    assert "which holds every name" in errors


def test_the_export_says_how_what_stood_beside_one_person_is_kept(run: Run, tmp_path: Path) -> None:
    run("import", str(SAMPLES / "tarot" / "games" / "table-revoke.cgn"), code=1)
    copy = str(tmp_path / "copy.jsonl")
    words = ("export", "--all", "--format", "json", "--log", "--redact", "Bela", "-o", copy, "--force")
    [command] = re.findall(r"`(tag .+?)`", run(*words).stderr)
    run(*shlex.split(command))
    assert "went too" not in run(*words).stderr
    [standing] = [json.loads(line)["standing"] for line in Path(copy).read_text("utf-8").splitlines()]
    tags = dict(standing["tags"])
    assert (tags["Seat1"], tags["Seat2"], tags["Event"]) == ("North, Ada", "?", "Club evening")
