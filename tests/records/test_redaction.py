"""Redaction: names leave an export and the proof stays; nobody passes off what was left out as something else."""

import json
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cartulary.notation import GAMES, dumps, load, loads
from cartulary.records import api
from cartulary.records.exchange.archive import Archive, StoredBody, read_archive
from cartulary.records.exchange.redaction import LEVELS, export_redacted
from cartulary.records.faults import Damaged, Declined, Unfit
from cartulary.records.log import chain
from cartulary.records.log.chain import origin
from cartulary.records.log.events import WITHHOLDABLE, NoteReplaced, TagsChanged, Withheld
from cartulary.records.log.store import Store
from cartulary.records.log.topics import TOPICS
from tests.games.heaps import HEAPS
from tests.hunts import budget
from tests.places import SAMPLES
from tests.records.keyring import typed


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "elsewhere.db") as opened:
        yield opened


def evening(store: Store, *players: str, event: str = "Club Night") -> str:
    api.open_game(
        store,
        api.NewRequest("cardmate", id="evening", players=players or ("Ada Lovelace", "Bela"), tags={"Event": event}),
    )
    api.play(store, "evening", api.WordsRequest(("4Ci3", "4Db6")))
    return "evening"


def lines(archive: Archive) -> str:
    return msgspec.json.encode(archive).decode()


# --- the proof stays ---


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_leaves_out_kinds_that_there_are_and_that_may_be_left_out(level: str) -> None:
    assert set(LEVELS[level]) <= set(WITHHOLDABLE) <= {topic.partition("/")[0] for topic in TOPICS.values()}


@pytest.mark.parametrize("level", LEVELS)
def test_a_redacted_copy_verifies_to_the_head_of_the_whole_record(store: Store, level: str) -> None:
    id = evening(store)
    api.annotate(store, id, api.NoteRequest(1, "quiet"))
    api.take_back(store, id, api.UndoRequest(by="p2"))
    whole = api.export_json(store, id, log=True)
    redacted = export_redacted(store, id, level).archive
    proof = api.verify_archive(read_archive(lines(redacted).encode()))
    assert (proof.fault, proof.version, proof.digest) == ("", whole.version, whole.digest)
    assert proof.withheld == {"names": 1, "texts": 2}[level]


@budget(80)
@given(
    st.tuples(*(st.text(st.characters(exclude_categories=("C", "Z")), min_size=5, max_size=12),) * 3).filter(
        lambda names: all(any(sign.isalpha() for sign in name) for name in names)
    )
)
def test_no_name_stands_in_a_redacted_copy_whatever_its_letters(tmp_path: Path, names: tuple[str, str, str]) -> None:
    with Store(tmp_path / f"{sha256(repr(names).encode()).hexdigest()[:12]}.db") as store:
        store_names = ("".join(("\u00bf", names[0])), names[1] + "\u0416\u0416", names[2] + "\u5f20\u5f20")
        id = evening(store, *store_names[:2], event=store_names[2]) if not store.ids() else "evening"
        text = lines(export_redacted(store, id).archive)
        assert api.verify_archive(read_archive(text.encode())).fault == ""
        answer = json.dumps(json.loads(text), ensure_ascii=False)
        for name in store_names:
            assert name not in answer
            assert json.dumps(name)[1:-1] not in text


def test_every_game_can_be_redacted_and_taken_in_again(store: Store, elsewhere: Store) -> None:
    for sample in ("tarot/games/table-revoke.cgn", "zarcana/games/four.cgn", "cardmate/games/page-1.cgn"):
        with (SAMPLES / sample).open("rb") as file:
            list(api.import_records(store, load(file), path=sample))
    for id in store.ids():
        redacted = export_redacted(store, id)
        assert redacted.guessable
        answer = api.take_in(elsewhere, redacted.archive)
        assert (answer.status, answer.withheld) == ("new", 1)
        assert elsewhere.head(id) == store.head(id)
        assert api.verify(elsewhere, id).withheld == 1
        here, there = api.export_json(store, id).standing, api.export_json(elsewhere, id).standing
        assert here is not None
        assert there is not None
        assert (here.plies, here.result, here.verdict) == (there.plies, there.result, there.verdict)
        assert not {"Forehand", "Event", "Site"} & {name for name, _ in there.tags}


def test_a_redacted_game_is_known_where_the_whole_one_is_and_the_other_way_round(
    store: Store, elsewhere: Store
) -> None:
    id = evening(store)
    whole, redacted = api.export_json(store, id, log=True), export_redacted(store, id).archive
    assert api.take_in(store, redacted).status == "known"
    api.take_in(elsewhere, redacted)
    assert api.take_in(elsewhere, whole) == api.ImportedArchive(id, "known", 4, withheld=1)


def test_a_redacted_archive_that_goes_on_leaves_the_names_that_are_here(store: Store, elsewhere: Store) -> None:
    id = evening(store)
    api.take_in(elsewhere, api.export_json(store, id, log=True))
    api.play(store, id, api.WordsRequest(("8Dj2",)))
    api.take_in(elsewhere, export_redacted(store, id).archive, extend=True)
    [listed] = api.games(elsewhere)
    assert (listed.players, listed.plies) == ("Ada Lovelace; Bela", 3)


def test_a_redacted_game_is_played_on_and_given_names_anew(store: Store, elsewhere: Store) -> None:
    api.take_in(elsewhere, export_redacted(store, evening(store)).archive)
    api.play(elsewhere, "evening", api.WordsRequest(("8Dj2",)))
    api.change_tags(elsewhere, "evening", api.TagRequest({"Forehand": "Zoe"}))
    again = export_redacted(elsewhere, "evening")
    assert again.withheld == (2, 6)
    assert api.verify_archive(again.archive).withheld == 2
    answers = [line.says for line in api.log(elsewhere, "evening")]
    assert answers[1] == "left out of the export: tags-changed"


# --- nobody passes it off as something else ---


def withheld_at(archive: Archive, version: int, topic: str = "") -> Archive:
    """Return the archive with one more body left out, whatever its kind."""
    events = list(archive.events)
    event = events[version - 1]
    previous = json.loads(events[version - 2].body)["digest"] if version > 1 else origin(archive.id).digest
    body = chain.withhold(bytes.fromhex(previous), event.topic.encode(), event.body.encode())
    assert body is not None
    events[version - 1] = StoredBody(topic or event.topic, body.decode())
    return replace(archive, standing=None, events=tuple(events))


def test_a_move_cannot_be_left_out(store: Store) -> None:
    archive = api.export_json(store, evening(store), log=True)
    assert "none of the kind move-played may be left out" in api.verify_archive(withheld_at(archive, 3)).fault


def test_a_move_left_out_cannot_be_called_a_name(store: Store) -> None:
    archive = api.export_json(store, evening(store), log=True)
    assert api.verify_archive(withheld_at(archive, 3, "tags-changed/2")).fault
    assert not api.verify_archive(withheld_at(archive, 2)).fault


def test_a_hash_put_in_place_of_another_body_is_found(store: Store) -> None:
    archive = export_redacted(store, evening(store)).archive
    body = archive.events[1].body
    other = body.replace(json.loads(body)["withheld"], sha256(b"{}").hexdigest())
    events = (archive.events[0], StoredBody(archive.events[1].topic, other), *archive.events[2:])
    assert "Event 2" in api.verify_archive(replace(archive, events=events)).fault


def test_names_put_back_beside_a_redacted_log_are_found(store: Store) -> None:
    archive = export_redacted(store, evening(store)).archive
    assert archive.standing is not None
    standing = replace(archive.standing, tags=(*archive.standing.tags, ("Forehand", "Somebody Else")))
    proof = api.verify_archive(replace(archive, standing=standing))
    assert proof.fault.endswith("is not the one its events make: tags.")


# --- what a hash gives away ---


def test_the_hash_of_names_confirms_no_guess(store: Store) -> None:
    """Two games of the same people at the same moment have nothing in common that a guess could be held against."""
    evening(store)
    [event] = [each.event for each in store.stream("evening") if isinstance(each.event, TagsChanged)]
    assert len(bytes.fromhex(event.salt)) == 16
    api.change_tags(store, "evening", api.TagRequest({"Forehand": "Ada Lovelace"}))
    api.change_tags(store, "evening", api.TagRequest({"Forehand": "Ada Lovelace"}))
    api.annotate(store, "evening", api.NoteRequest(1, "!"))
    salts = [each.event.salt for each in store.stream("evening") if isinstance(each.event, (TagsChanged, NoteReplaced))]
    assert len(set(salts)) == 4


def early(store: Store, id: str) -> None:
    """Store a game as the first version did: no salt, and links whose topic the chain hashes with the body."""
    previous, rows = bytes.fromhex(origin(id).digest), []
    for each in store.stream("evening")[:3]:
        values = {name: value for name, value in json.loads(each.body).items() if name not in ("digest", "salt")}
        topic = each.topic.replace("tags-changed/2", "tags-changed/1")
        body = msgspec.json.encode(values)
        previous = sha256(previous + sha256(topic.encode() + b"\n" + body).digest()).digest()
        whole = b'{"digest":"%b",%b' % (previous.hex().encode(), body[1:])
        rows.append((id, each.originator_version, topic, whole.decode()))
    with sqlite3.connect(store.path) as other:
        other.executemany(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)", rows
        )
        other.execute("INSERT INTO heads VALUES (?, ?, ?)", (id, len(rows), previous.hex()))
    other.close()


def test_a_record_of_the_first_version_is_proved_and_goes_on_and_cannot_be_redacted(store: Store) -> None:
    evening(store)
    early(store, "early")
    assert api.verify(store, "early").fault == ""
    api.play(store, "early", api.WordsRequest(("4Db6",)))
    assert api.verify(store, "early").version == 4
    with pytest.raises(Declined, match="Event 2 of early cannot be left out"):
        export_redacted(store, "early")
    words = ("--format", "json", "--log", "--redact", "names", "--db", str(store.path))
    assert "Event 2 of early cannot be left out" in typed("export", "early", *words, code=1).stderr
    result = typed("export", "--all", *words, code=1)
    assert "Event 2 of early" in result.stderr
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["evening"]


# --- what stays in ---


def test_a_name_that_still_stands_in_a_text_is_told_with_its_place(store: Store) -> None:
    id = evening(store)
    api.annotate(store, id, api.NoteRequest(1, "LOVELACE is early"))
    api.take_back(store, id, api.UndoRequest(by="Bela", reason="asked by ada_lovelace's second"))
    named = {(one.event, one.field, one.names) for one in export_redacted(store, id).leftovers}
    assert named == {(5, "text", ("Lovelace",)), (6, "by", ("Bela",)), (6, "reason", ("Ada", "Lovelace"))}
    assert {one.event for one in export_redacted(store, id, "texts").leftovers} == {6}


def test_a_name_inside_another_word_is_no_name(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="e", players=("Ada", "张伟")))
    api.annotate(store, "e", api.NoteRequest(0, "in Canada, and 张伟说"))
    assert [one.names for one in export_redacted(store, "e").leftovers] == [("张伟",)]


def test_what_a_tag_of_points_says_is_no_name(store: Store) -> None:
    [taken] = api.import_records(store, loads('[Game "Tarot"]\n[Event "Cup"]\n[Pot "empty"]\n\n*\n'))
    api.annotate(store, taken.id, api.NoteRequest(0, "the pot was empty at the Cup"))
    assert [one.names for one in export_redacted(store, taken.id).leftovers] == [("Cup",)]


def test_a_name_in_the_id_is_told(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="ada-bela", players=("Ada", "Bela")))
    assert [(one.event, one.names) for one in export_redacted(store, "ada-bela").leftovers] == [(0, ("Ada", "Bela"))]


def test_comments_of_an_imported_sheet_are_told_as_free_text(store: Store) -> None:
    with (SAMPLES / "tarot/games/table-revoke.cgn").open("rb") as file:
        [answer] = api.import_records(store, load(file), path="table-revoke.cgn")
    fields = {one.field for one in export_redacted(store, answer.id).free}
    assert {"comments", "source"} <= fields


def test_what_stays_is_told_with_its_place_in_plain_words(store: Store) -> None:
    id = evening(store)
    api.amend(store, id, api.AmendRequest(1, ("4Ci3",), by="Dora", reason="misread"))
    api.annotate(store, id, api.NoteRequest(2, "a quiet word"))
    api.annotate(store, id, api.NoteRequest(0, "a warm evening"))
    api.dispute(store, id, api.DisputeRequest(2, by="p2", claim="no such square"))
    api.rule(store, id, api.RulingRequest((1,), arbiter="Cy", decision="stands", reason="nobody objected"))
    words = ("export", id, "--format", "json", "--log", "--redact", "names", "--db", str(store.path))
    assert " ".join(typed(*words).stderr.split()) == (
        "cartulary: evening: the copy still holds these texts: event 5 (who wrote it), event 5 (the reason), "
        "event 6 (the note on ply 2), event 7 (the note), event 8 (the claim on ply 2), event 9 (who wrote it), "
        "event 9 (the arbiter), event 9 (the reason)."
    )


def ruled(store: Store, arbiter: str, reason: str) -> str:
    """Return a game with a dispute and a ruling on it, event 5 and event 6."""
    id = evening(store)
    api.dispute(store, id, api.DisputeRequest(1, by="p2", claim="no such square"))
    api.rule(
        store,
        id,
        api.RulingRequest((1,), arbiter=arbiter, decision="stands", reason=reason, penalties={"p1": "a round of tea"}),
    )
    return id


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_ruling_says_freely_stays_and_is_listed(store: Store, level: str) -> None:
    redacted = export_redacted(store, ruled(store, "Cy Judge", "nobody objected"), level)
    listed = {(one.event, one.kind, one.field): one.text for one in redacted.free}
    assert listed[5, "dispute-raised", "claim"] == "no such square"
    assert {field: text for (event, _, field), text in listed.items() if event == 6} == {
        "by": "Cy Judge",
        "arbiter": "Cy Judge",
        "penalties": "a round of tea",
        "reason": "nobody objected",
    }
    assert redacted.leftovers == ()
    assert 6 not in redacted.withheld


@pytest.mark.parametrize("level", LEVELS)
def test_a_name_that_a_ruling_still_says_is_told_with_its_place(store: Store, level: str) -> None:
    redacted = export_redacted(store, ruled(store, "Bela", "Ada objected in time"), level)
    answers = [(one.event, one.field, one.names) for one in redacted.leftovers]
    assert sorted(answers) == [(6, "arbiter", ("Bela",)), (6, "by", ("Bela",)), (6, "reason", ("Ada",))]


def test_a_ruling_cannot_be_left_out(store: Store) -> None:
    id = ruled(store, "Cy Judge", "nobody objected")
    archive = api.export_json(store, id, log=True)
    with pytest.raises(Damaged, match="Event 6 of evening was left out; none of the kind ruling-given may be"):
        api.take_in(store, withheld_at(archive, 6))


def test_an_unknown_level_is_refused(store: Store) -> None:
    with pytest.raises(Unfit, match="names or texts"):
        export_redacted(store, evening(store), "moves")


def test_what_was_left_out_is_read_as_left_out(store: Store, elsewhere: Store) -> None:
    api.take_in(elsewhere, export_redacted(store, evening(store)).archive)
    event = elsewhere.stream("evening")[1].event
    assert isinstance(event, Withheld)
    assert (event.kind, event.at, event.by) == ("tags-changed", "", "")


def test_a_body_cut_out_of_the_database_is_damage_unless_its_kind_allows_it(store: Store) -> None:
    id = evening(store)
    archive = api.export_json(store, id, log=True)
    with sqlite3.connect(store.path) as other:
        other.execute("DROP TRIGGER events_are_not_edited")
        for version in (2, 3):
            body = withheld_at(archive, version).events[version - 1].body
            other.execute("UPDATE stored_events SET state = ? WHERE originator_version = ?", (body, version))
    other.close()
    with pytest.raises(Damaged, match="Event 3 of evening was left out; none of the kind move-played may be"):
        store.stream(id)


@pytest.mark.parametrize(
    ("player", "note"),
    [
        ("ada lovelace", "Ada thought"),
        ("José García", "jose garcia thought"),
        ("Zoë", "Zoe\u0308 thought"),
        ("Li Wu", "Li thought"),
        ("สมชาย", "คุณสมชายคิดนาน"),
        ("सीता शर्मा", "सीता ने सोचा"),
    ],
)
def test_a_name_is_found_in_a_text_however_its_script_writes_it(store: Store, player: str, note: str) -> None:
    id = evening(store, player, "Bela")
    api.annotate(store, id, api.NoteRequest(1, note))
    assert [one.field for one in export_redacted(store, id).leftovers] == ["text"]


@pytest.mark.parametrize("moves", ["1. 4Ci3 4Db6 Ada thinks *", "1. 4Ci3 4Db6 (1... Ada thinks) *"])
def test_a_name_among_words_that_are_no_moves_is_found(store: Store, moves: str) -> None:
    [taken] = api.import_records(store, loads(f'[Game "Cardmate"]\n[Forehand "Ada"]\n[Rearhand "Bela"]\n\n{moves}\n'))
    assert [one.field for one in export_redacted(store, taken.id).leftovers] == ["words"]


@pytest.mark.parametrize("level", ["names", "texts"])
def test_names_are_found_in_a_game_that_calls_its_seats_otherwise(
    store: Store, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    game = GAMES["cardmate"]
    about = replace(game.about, key="lightmate", title="Lightmate", seat_tags=lambda seats: ("White", "Black"))
    monkeypatch.setitem(GAMES, "lightmate", replace(game, about=about))
    api.open_game(store, api.NewRequest("lightmate", id="g", players=("Ada Lovelace", "Bela Bartok")))
    api.play(store, "g", api.WordsRequest(("4Ci3",)))
    api.annotate(store, "g", api.NoteRequest(1, "Lovelace thought long, Bartok did not"))
    redacted = export_redacted(store, "g", level)
    left = {name for one in redacted.leftovers for name in one.names}
    assert left == ({"Lovelace", "Bartok"} if level == "names" else set())
    assert level == "names" or "Lovelace" not in lines(redacted.archive)


TWO_WORDS = {"cardmate": ("4Ci3", "4Db6"), "draughts": ("11-15", "23-19"), "heaps": ("3-2", "4-1")}
"""Two first words of games whose seats are called Forehand and Rearhand, Black and White, White and Black."""


def told_of_all(store: Store, key: str) -> str:
    """Return a record of Ada Lovelace's and Bela Bartok's in which everything that can be said names them."""
    api.open_game(
        store,
        api.NewRequest(
            key,
            id=f"{key}-of-bartok",
            players=("Ada Lovelace", "Bela Bartok"),
            tags={"Annotator": "A. Lovelace", "Event": "Bartok Cup", "Date": "2026.11.22"},
        ),
    )
    id = f"{key}-of-bartok"
    api.play(store, id, api.WordsRequest(TWO_WORDS[key]))
    api.annotate(store, id, api.NoteRequest(2, "Lovelace thought long", variations=f"({TWO_WORDS[key][1]})"))
    api.dispute(store, id, api.DisputeRequest(1, by="p2", claim="Lovelace was not in turn"))
    api.rule(
        store,
        id,
        api.RulingRequest(
            (1,), arbiter="B. Bartok", decision="stands", reason="Ada was", penalties={"p1": "Bela gives tea"}
        ),
    )
    api.change_tags(store, id, api.TagRequest({"Site": "at Lovelace's"}))
    api.close(store, id, api.CloseRequest("1/2-1/2", termination="agreement", by="Bela"))
    return id


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("key", [key for key in TWO_WORDS if key != "cardmate"])
def test_all_that_names_players_is_told_whatever_the_seats_are_called(
    store: Store, monkeypatch: pytest.MonkeyPatch, key: str, level: str
) -> None:
    monkeypatch.setitem(GAMES, "heaps", HEAPS)
    ways = [export_redacted(store, told_of_all(store, each), level) for each in ("cardmate", key)]
    [as_cardmate, other] = [{(one.event, one.kind, one.field, one.names) for one in way.leftovers} for way in ways]
    assert other == as_cardmate
    fields = {field for _, _, field, _ in other}
    assert fields == {"id", "claim", "arbiter", "by", "reason", "penalties"} | ({"text"} if level == "names" else set())
    words = ("export", f"{key}-of-bartok", "--format", "json", "--log", "--redact", level, "--db", str(store.path))
    result = typed(*words, code=1)
    assert "Lovelace" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("key", TWO_WORDS)
def test_where_only_tags_and_notes_name_players_nothing_is_left_of_them(
    store: Store, elsewhere: Store, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setitem(GAMES, "heaps", HEAPS)
    api.open_game(
        store, api.NewRequest(key, id="g", players=("Ada Lovelace", "Bela Bartok"), tags={"Annotator": "A. Lovelace"})
    )
    api.play(store, "g", api.WordsRequest(TWO_WORDS[key]))
    api.annotate(store, "g", api.NoteRequest(1, "Lovelace thought long, Bartok did not"))
    redacted = export_redacted(store, "g", "texts")
    assert redacted.leftovers == ()
    api.take_in(elsewhere, redacted.archive)
    sheet = msgspec.json.encode(api.score_sheet(elsewhere, "g", log=True)).decode()
    for text in (lines(redacted.archive), sheet, dumps(api.export_cgn(elsewhere, "g", log=True))):
        for name in ("Ada", "Lovelace", "Bela", "Bartok"):
            assert name not in text


@pytest.mark.parametrize("key", TWO_WORDS)
def test_the_players_of_an_imported_sheet_are_names(store: Store, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setitem(GAMES, "heaps", HEAPS)
    first, second = GAMES[key].about.seat_tags(2)
    tags = f'[Game "{key}"]\n[{first} "Ada Lovelace"]\n[{second} "Bela Bartok"]\n\n'
    one, two = TWO_WORDS[key]
    texts = (
        f"{one} {{Bartok waits}} {two} 1/2-1/2",
        f"{one} (1. {one} {{so Ada}}) {two} *",
        f"{one} {two} * Lovelace *",
    )
    named = [
        export_redacted(store, taken.id).leftovers
        for text in texts
        for taken in api.import_records(store, loads(tags + text))
    ]
    assert [[(one.field, one.names) for one in each] for each in named] == [
        [("comments", ("Bartok",))],
        [("comments", ("Ada",))],
        [("comments", ("Lovelace",))],
    ]
