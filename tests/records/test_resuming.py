"""A live game is gone on from: what it was made of is not read, bound or judged again, and it stands the same."""

import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from cartulary.cli.scribe.scribe import Scribe
from cartulary.notation import AnyGame
from cartulary.notation.roster import GAMES
from cartulary.notation.viewer import Everything, Seat, Spectator, Viewer, viewer_of_seat
from cartulary.records import api
from cartulary.records.faults import Damaged
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.log.store import Store
from cartulary.records.state.docket import Docket
from cartulary.records.state.fold import LiveGame, fold
from cartulary.records.state.games import Games, RecentGames, load
from cartulary.records.state.log_lines import read_log
from tests.places import ROOT
from tests.records import archives
from tests.records.archives import Run

OPENING = tuple(archives.OPENING.split())


@pytest.fixture(scope="module")
def streams(tmp_path_factory: pytest.TempPathFactory) -> tuple[tuple[RecordedEvent, ...], ...]:
    """Return the events of games with every kind of event, cards hidden in some."""
    folder = tmp_path_factory.mktemp("resuming")
    before = folder / "before.db"
    before.write_bytes(gzip.decompress((ROOT / "tests" / "records" / "before" / "games.db.gz").read_bytes()))
    with Store(before) as store:
        found = [store.stream(id) for id in store.ids()]
    with Store(folder / "now.db") as store:
        lived(store)
        return (*found, store.stream("evening"))


def lived(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela"), tags={"Event": "Cup"}))
    api.play(store, "evening", api.WordsRequest(OPENING[:3], clock="0:10:00"))
    api.play(store, "evening", api.WordsRequest(OPENING[3:], command="one"))
    api.play(store, "evening", api.WordsRequest(("XDa2",), stands=True))
    for ply in (1, 2, 9):
        api.dispute(store, "evening", api.DisputeRequest(ply, by="p2", claim="it cannot go there"))
    api.annotate(store, "evening", api.NoteRequest(2, "late", variations="(8Ca7 8Dj2)"))
    api.set_clock(store, "evening", api.ClockRequest(3, "0:09:00"))
    api.amend(store, "evening", api.AmendRequest(2, ("8Ca7",), reason="misheard"))
    api.take_back(store, "evening", api.UndoRequest(1, by="p1", agreed="p2"))
    api.rule(
        store, "evening", api.RulingRequest((2,), arbiter="Dora", decision="penalty", penalties={"p1": "5 minutes"})
    )
    api.play(store, "evening", api.WordsRequest(("XDa2",), stands=True))
    api.dispute(store, "evening", api.DisputeRequest(9, by="p1", claim="out of reach"))
    api.rule(store, "evening", api.RulingRequest((9,), arbiter="Dora", decision="stands", keys=("cardmate.reach",)))
    api.change_tags(store, "evening", api.TagRequest({"Round": "2"}, drop=("Event",)))
    api.close(store, "evening", api.CloseRequest("1-0", termination="adjudication"))
    api.reopen(store, "evening", api.ReopenRequest())
    api.rule(store, "evening", api.RulingRequest((9,), arbiter="Dora", decision="void"))


def standing(game: LiveGame) -> Iterator[object]:
    yield from (game.book, game.record, game.words, game.report, game.examined.state, game.plies_reached, game.let)
    yield [(step.text, step.verdict) for step in game.examined.steps]


def gone_on_alike(streams: tuple[tuple[RecordedEvent, ...], ...]) -> None:
    """Hold every game to itself, folded from every event of it on."""
    for recorded in streams:
        id = recorded[0].originator_id
        anew = [fold(id, recorded[:last]) for last in range(1, len(recorded) + 1)]
        for before in anew:
            for then in (*anew[before.head.version :][:2], anew[-1], anew[before.head.version // 2]):
                resumed = fold(id, recorded[: then.head.version], before)
                assert list(standing(resumed)) == list(standing(then)), (id, before.head, then.head)


def test_a_game_folded_on_from_any_of_its_events_is_the_game_folded_from_the_first(
    streams: tuple[tuple[RecordedEvent, ...], ...],
) -> None:
    gone_on_alike(streams)


def test_a_docket_gone_on_from_that_forgets_what_is_open_is_found_out(
    streams: tuple[tuple[RecordedEvent, ...], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(self: Docket, *entered: object) -> None:
        begin(self, *entered)  # type: ignore[arg-type]
        self.open = {}

    begin = Docket.__init__
    monkeypatch.setattr(Docket, "__init__", forgetful)
    with pytest.raises(AssertionError):
        gone_on_alike(streams)


# --- what is kept ---


@pytest.fixture
def games(store: Store) -> Games:
    return Games(store)


def test_a_stream_is_read_on_from_what_was_read_of_it(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    read = store.stream("g")
    assert store.stream("g", read) is read
    api.play(store, "g", api.WordsRequest(OPENING[:1]))
    more = store.stream("g", read)
    assert len(more) == len(read) + 1
    assert all(now is before for now, before in zip(more, read, strict=False))
    assert more == store.stream("g")
    strange = (*read[:-1], replace(read[-1], body=b"another"))
    assert store.stream("g", strange) == store.stream("g", more[:1]) == more


def test_what_others_have_written_is_read_and_what_they_changed_found(
    games: Games, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.open_game(games, api.NewRequest("cardmate", id="g"))
    api.play(games, "g", api.WordsRequest(OPENING[:3]))
    kept = load(games, "g")
    assert load(games, "g") is kept
    with Store(db) as other:
        api.play(other, "g", api.WordsRequest(OPENING[3:4]))
        assert load(games, "g").words == tuple(OPENING[:4])
        with other._recorder.session("BEGIN") as c:
            c.execute("DROP TRIGGER events_are_not_edited")
            c.execute("UPDATE stored_events SET state = replace(state, '4Db6', '4Dc6')")
    for _ in range(2):
        with pytest.raises(Damaged, match="Event 4 of g"):
            load(games, "g")


def test_games_that_were_used_longest_ago_are_forgotten_first(store: Store) -> None:
    for id in "abc":
        api.open_game(store, api.NewRequest("cardmate", id=id))
    recent = RecentGames(2)
    for id in "abac":
        load(Games(store, recent), id)
    assert [recent.get(id) is None for id in "abc"] == [False, True, False]


# --- how much is judged ---


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the words of Cardmate and Tarot that are read to be judged, filled in as they are."""
    words: list[str] = []

    def counting(game: AnyGame) -> AnyGame:
        def read(signs: str, seat: int, state: object) -> object:
            words.append(signs)
            return game.words.read(signs, seat, state)

        return replace(game, words=replace(game.words, read=read))

    for key in ("cardmate", "tarot"):
        monkeypatch.setitem(GAMES, key, counting(GAMES[key]))
    return words


HAND = "3C,4C,5C,6C,2D,3D,4D,5D,2H,3H,4H,5H,2S,3S,4S,T01,T02,T03"
DEAL = (f"p0/p2*{HAND}", "GardeSans", "Pass", "Pass", "Pass", "8C", "3C", "9C", "XC", "QC")
STORED = DEAL[1:]
"""A deal of Tarot of which the record knows the hand of p2; what is counted is what stands without a prefix."""


def tarot(store: api.Log) -> None:
    api.open_game(store, api.NewRequest("tarot", id="t", tags={"Variant": "fft"}, seats=4))
    assert api.play(store, "t", api.WordsRequest(DEAL))[-1].stored


@pytest.mark.parametrize(("seat", "walks"), [([], 1), (["--seat", "p1"], 2)])
def test_a_move_judges_a_stored_deal_once_and_once_as_its_seat_has_seen_it(
    store: Store, run: Run, judged: list[str], seat: list[str], walks: int
) -> None:
    tarot(store)
    del judged[:]
    run("move", "t", "JC", *seat)
    assert {word: judged.count(word) for word in {*STORED} - {"Pass"}} == dict.fromkeys({*STORED} - {"Pass"}, walks)
    assert judged.count("JC") <= 8


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_scribe_that_goes_on_judges_no_word_it_has_seen(games: Games, judged: list[str], seat: int | None) -> None:
    tarot(games)
    scribe = Scribe(games, "t", viewer=viewer_of_seat(seat))
    for line in ("check", "why 7", "show 8", "legal", "JC", "note late", "undo", "KC"):
        del judged[:]
        answer = scribe.enter(line)
        assert answer.done or seat == 0, answer
        assert not {*judged} & {"GardeSans", "8C", "9C", "XC", "QC"}, line


def test_a_move_judges_the_stored_game_once_and_its_word_a_few_times(store: Store, run: Run, judged: list[str]) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    api.play(store, "g", api.WordsRequest(OPENING[:7]))
    for kind in ([], ["--seat", "p2"]):
        with Store(store.path):  # a command opens the file for itself
            del judged[:]
            run("move", "g", OPENING[7], *kind)
        assert [judged.count(word) for word in OPENING[:7]] == [1] * 7
        assert judged.count(OPENING[7]) <= 5
        api.take_back(store, "g", api.UndoRequest())


def test_a_desk_that_goes_on_judges_what_is_new(games: Games, judged: list[str]) -> None:
    api.open_game(games, api.NewRequest("cardmate", id="g"))
    api.play(games, "g", api.WordsRequest(OPENING[:6]))
    for write in (
        lambda: api.play(games, "g", api.WordsRequest(OPENING[6:7])),
        lambda: api.annotate(games, "g", api.NoteRequest(3, "late")),
        lambda: api.set_clock(games, "g", api.ClockRequest(3, "0:10:00")),
        lambda: api.take_back(games, "g", api.UndoRequest()),
        lambda: api.dispute(games, "g", api.DisputeRequest(2, by="p1", claim="late")),
        lambda: api.play(games, "g", api.WordsRequest(" ".join(OPENING[6:]))),
        lambda: api.close(games, "g", api.CloseRequest("1-0")),
    ):
        del judged[:]
        write()
        assert not Counter(judged).keys() & {*OPENING[:6]}


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_log_that_is_read_on_is_the_log_read_from_the_first_event(
    streams: tuple[tuple[RecordedEvent, ...], ...], at_once: int
) -> None:
    for recorded in streams:
        ends = [*range(1, min(len(recorded), 60), at_once), len(recorded)]
        games: list[LiveGame] = []
        for last in ends:
            games.append(fold(recorded[0].originator_id, recorded[:last], games[-1] if games else None))
        seats = map(Seat, range(1, min(games[-1].book.seats, 2) + 1))
        viewers: list[Viewer] = [Everything(), Everything(quiet=True), Spectator(), Spectator(muted=True), *seats]
        for viewer in viewers:
            kept = None
            for game in games:
                kept = read_log(game, viewer, kept)
                assert kept.lines == read_log(game, viewer).lines, (game.id, game.head, viewer)
