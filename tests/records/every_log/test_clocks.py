"""Clocks that differ: what was written first stands first, whatever time the desk that wrote it thought it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time_ns

import msgspec
import pytest

from cartulary.records import api, texts
from cartulary.records.exchange.archive import read_archive
from cartulary.records.log.store import Store
from tests.records.archives import OPENING
from tests.records.logs import texts as words_of

WORDS = OPENING.split()


@contextmanager
def wrong_by(days: int) -> Iterator[None]:
    """Let the clock of the desk that writes be wrong until the end of the block."""

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(texts, "time_ns", lambda: time_ns() + days * 86_400_000_000_000)
        yield


def test_desks_whose_clocks_differ_write_one_game_in_the_order_it_was_written(
    log: Store, other: Store, tmp_path: Path
) -> None:
    with wrong_by(400):
        api.open_game(log, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
    for number, word in enumerate(WORDS):
        with wrong_by((-3, 0, 365)[number % 3]):
            for _ in range(2):  # the answer was lost, and the command is said again
                [answer] = api.play(
                    (log, other)[number % 2], "g", api.WordsRequest((word,), command=f"c{number}", expected=number + 2)
                )
                assert (answer.ply, answer.version) == (number + 1, number + 3)
    with wrong_by(-30):
        api.open_game(other, api.NewRequest("cardmate", id="h"))
        api.annotate(other, "g", api.NoteRequest(1, "!"))
        api.close(other, "g", api.CloseRequest("1-0", termination="adjudication"))
    stamps = [each.event.at for each in log.stream("g")]
    assert stamps != sorted(stamps)
    assert words_of(log, "g") == words_of(other, "g") == WORDS
    assert [proof.fault for proof in api.verify_all(log)] == ["", ""]
    assert log.ids() == other.ids() == ("g", "h")
    answers = [version for _, id, version in other.after(0) if id == "g"]
    assert answers == list(range(1, len(stamps) + 1))
    for store in (log, other):
        assert sorted((game.id, game.plies, game.result) for game in api.games(store)) == [
            ("g", len(WORDS), "1-0"),
            ("h", 0, "*"),
        ]
    archive = api.export_json(other, "g", log=True)
    with Store(tmp_path / "elsewhere.db") as elsewhere:
        assert api.take_in(elsewhere, read_archive(msgspec.json.encode(archive))).status == "new"
        assert elsewhere.head("g") == log.head("g")


def test_a_link_made_by_a_desk_whose_clock_is_behind_opens_and_closes_at_the_other(log: Store, other: Store) -> None:
    api.open_game(log, api.NewRequest("cardmate", id="g"))
    with wrong_by(-365):
        [rail] = api.make_links(log, "g", api.LinksRequest(("rail",)))
    taken = api.take_up(other, rail.secret)
    assert taken is not None
    assert taken.link.game == "g"
    with wrong_by(365):
        api.revoke_link(log, api.RevokeRequest(rail.link.number))
    assert api.take_up(other, rail.secret) is None
