"""A word that a seat's own view allows and the record forbids: kept as an attempt, told to nobody but the arbiter."""

import re
import sqlite3
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from cartulary.notation import dumps
from cartulary.notation.viewer import Seat, viewer_of_seat
from cartulary.records import api
from cartulary.records.commands.request import words_of
from cartulary.records.exchange.archive import read_archive
from cartulary.records.exchange.redaction import export_redacted
from cartulary.records.faults import Conflict, Declined, Fault
from cartulary.records.log.events import WordDeclined
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.records.archives import Run
from tests.referees.tarot.deals import DECK

THEIRS = "3C,4C,5C,6C,2D,3D,4D,5D,2H,3H,4H,5H,2S,3S,4S,T01,T02,T03"
"""The hand of p2, on record; nobody else's is."""


def opened(store: Store, id: str = "g", theirs: str = THEIRS) -> str:
    """Open a deal of Tarot in which p1 leads, and the record knows the hand of p2."""
    api.open_game(
        store,
        api.NewRequest("tarot", id=id, tags={"Variant": "fft"}, seats=4, players=("Ada", "Bela", "Carl", "Dora")),
    )
    api.play(store, id, api.WordsRequest((f"p0/p2*{theirs}", "GardeSans", "Pass", "Pass", "Pass")))
    return id


def attempt(store: Store, id: str, word: str, *, by: str = "", command: str = "") -> str:
    with pytest.raises(Declined, match="ask the arbiter") as caught:
        api.play(store, id, api.WordsRequest((word,), by=by, command=command), viewer=Seat(1))
    return str(caught.value)


# --- the oracle ---


@pytest.mark.parametrize("way", [("--seat", "p1"), ("--by", "p1")])
def test_a_card_in_a_hand_p1_has_not_seen_is_declined_and_leaves_a_trace(
    run: Run, store: Store, way: tuple[str, str]
) -> None:
    opened(store)
    result = run("move", "g", "3C", *way, code=1)
    assert result.stdout == ""
    assert "p2" not in result.stderr
    assert "ask the arbiter" in result.stderr
    event = store.stream("g")[-1].event
    assert isinstance(event, WordDeclined)
    assert (event.seat, event.words, event.findings[0].key) == (1, ("3C",), "tarot.in-hand")
    assert "declined p1's 3C (tarot.in-hand" in run("log", "g").stdout


def test_every_guess_at_a_hand_is_on_record(store: Store) -> None:
    """Whoever asks the record for p2's hand card by card is told by the log how he did it."""
    opened(store)
    theirs = THEIRS.split(",")
    for card in theirs:
        attempt(store, "g", card)
    tried = [each.event.words for each in store.stream("g") if isinstance(each.event, WordDeclined)]
    assert tried == [(card,) for card in theirs]


def test_while_a_word_is_typed_a_seat_is_told_what_its_own_view_says_and_no_more(store: Store) -> None:
    game = load(store, opened(store))
    by_name = {card: api.judge_words(game, (card,), Seat(1)) for card in DECK}
    assert {(one.verdict, one.findings, one.blocks) for (one,) in by_name.values()} == {("legal", (), False)}


def test_what_the_views_refuse_is_refused_alike_whatever_the_record_knows(store: Store) -> None:
    """A word that p1's own view refuses is told by that view alone, and leaves no trace."""
    opened(store)
    opened(store, "h", THEIRS.replace("C", "S").replace("2S,3S,4S", "1C,2C,7C"))
    for word in ("T01=3C", "Pass", "p1/Pass", "4C 5C"):
        words = words_of(word)
        answers: list[list[object]] = []
        for id in ("g", "h"):
            try:
                answer = api.play(store, id, api.WordsRequest(words), viewer=Seat(1))
                answers.append([(one.ply, one.text, one.verdict, one.findings, one.blocks) for one in answer])
            except Fault as fault:
                answers.append([re.sub(rf"\b{id} holds", "it holds", str(fault))])
        assert answers[0] == answers[1], word
    assert not [each for each in store.stream("g") if isinstance(each.event, WordDeclined)]


# --- what it changes ---


def seen(store: Store, seat: int) -> tuple[object, ...]:
    log = [(line.version, line.says) for line in api.log(store, "g", Seat(seat))]
    return (
        log,
        dumps(api.export_cgn(store, "g", Seat(seat))),
        api.annotate(store, "g", api.NoteRequest(1, "x"), viewer=viewer_of_seat(seat)),
    )


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_no_seat_hears_of_an_attempt_not_even_by_a_number(store: Store, tmp_path: Path, seat: int) -> None:
    with Store(tmp_path / "other.db") as other:
        for each in (store, other):
            opened(each)
        attempt(store, "g", "3C")
        for each in (store, other):
            api.dispute(each, "g", api.DisputeRequest(2, by="p3", claim="no"))
        assert seen(store, seat) == seen(other, seat)
        numbers = [
            api.withdraw(each, "g", api.WithdrawRequest(8, by="p3", expected=9), viewer=Seat(3)).dispute.number
            for each in (store, other)
        ]
        assert numbers == [8, 8]
        with pytest.raises(Conflict, match="version 8, but the game is at version 10"):
            api.take_back(store, "g", api.UndoRequest(expected=8), viewer=viewer_of_seat(seat))


def test_an_attempt_alters_nothing_of_the_game(store: Store) -> None:
    before = record(store, opened(store))
    listed = list(api.games(store))
    attempt(store, "g", "3C")
    after = record(store, "g")
    assert before == after
    [one], [other] = listed, api.games(store)
    assert (one.plies, one.verdict, one.last_written, one.version + 1) == (
        other.plies,
        other.verdict,
        other.last_written,
        other.version,
    )


def record(store: Store, id: str) -> str:
    return dumps(replace(api.export_cgn(store, id, log=True), escapes=()))


def test_the_same_command_is_declined_again_and_kept_once(store: Store) -> None:
    opened(store)
    answers = [attempt(store, "g", "3C", command="c1") for _ in range(2)]
    assert answers[0] == answers[1]
    assert sum(isinstance(each.event, WordDeclined) for each in store.stream("g")) == 1
    with pytest.raises(Declined, match="another request"):
        api.play(store, "g", api.WordsRequest(("4C",), command="c1"), viewer=Seat(1))


def test_of_several_words_none_is_written_and_those_up_to_the_declined_one_are_kept(store: Store) -> None:
    opened(store)
    with pytest.raises(Declined, match=r"^3C was not written"):
        api.play(store, "g", api.WordsRequest(("3C", "p1/Resign")), viewer=Seat(1))
    event = store.stream("g")[-1].event
    assert isinstance(event, WordDeclined)
    assert event.words == ("3C",)
    assert load(store, "g").plies == 5


# --- where it goes ---


def test_an_archive_keeps_attempts_and_a_score_sheet_does_not(run: Run, store: Store, tmp_path: Path) -> None:
    opened(store)
    attempt(store, "g", "3C", by="Ada")
    archive = api.export_json(store, "g", log=True)
    with Store(tmp_path / "elsewhere.db") as elsewhere:
        restored = api.take_in(elsewhere, read_archive(msgspec.json.encode(archive)))
        assert (restored.status, restored.version) == ("new", 8)
        assert elsewhere.head("g") == store.head("g")
        assert isinstance(elsewhere.stream("g")[-1].event, WordDeclined)
    assert "3C" not in dumps(api.export_cgn(store, "g", log=True)).split("GardeSans")[1]
    run("export", "--all", "--format", "sqlite", "-o", str(tmp_path / "tables.db"))
    with sqlite3.connect(tmp_path / "tables.db") as tables:
        [kinds] = tables.execute("SELECT says FROM log WHERE kind = 'word-declined'").fetchall()
    tables.close()
    assert kinds[0].startswith("declined p1's 3C")
    named = {(one.kind, one.field) for one in export_redacted(store, "g").leftovers}
    assert ("word-declined", "by") in named
