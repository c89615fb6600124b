"""Rights that change while a stream is open: each event goes to whoever may read it now, not to who might once.

Whether a link may still read is asked of the page it opens, which knows nothing of streams.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.records.log.aside_events import EveningOpened, TableSet
from cartulary.records.log.aside_streams import append_aside
from cartulary.records.state import links
from cartulary.records.state.links import as_of
from cartulary.records.texts import now
from tests.laws.test_quiet import FORKS
from tests.web.served import HEADER, Ear, by_link, serving, unlimited

FORK = FORKS["tarot"]
PLAYED = (*FORK.words, FORK.legal)
ROLES = ("scribe", "scribe who plays", "p1", "p2", "rail", "arbiter", "reader")
LATER = "written later"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[api.Store]:
    monkeypatch.setattr("cartulary.web.streams.POLL", 0.02)
    with api.Store(tmp_path / "games.db") as opened:
        api.open_game(opened, api.NewRequest("tarot", id="g", tags={"Variant": "fft"}, players=tuple("abcd")))
        api.play(opened, "g", api.WordsRequest(PLAYED))
        yield opened


@pytest.fixture
def server(store: api.Store) -> Iterator[TestClient]:
    with serving(store.path, key=None, writes=True) as client:
        unlimited(client)
        yield client


def link_of(store: api.Store, role: str, **more: Any) -> api.MadeLink:
    plays = 1 if role.endswith("plays") else 0
    return api.make_links(store, "g", api.LinksRequest((role.split()[0],), plays=plays, **more))[0]


def close(store: api.Store) -> None:
    api.close(store, "g", api.CloseRequest("*", termination="abandoned"))


def reopen(store: api.Store) -> None:
    api.reopen(store, "g", api.ReopenRequest())


def decide(store: api.Store) -> None:
    api.rule(store, "g", api.RulingRequest((0,), arbiter="Z", decision="result", result="1-0-0-0"))


def undecide(store: api.Store) -> None:
    [ruling] = api.load(store, "g").book.rulings
    api.rule(store, "g", api.RulingRequest(arbiter="Z", decision="revoked", revokes=ruling.number))


def nothing(store: api.Store) -> None:
    """Change nothing."""


def over(store: api.Store) -> None:
    """Let every link be over that ends a day after the close."""
    links.AFTERWARDS = timedelta(0)


def revoke(store: api.Store) -> None:
    for number in api.links_of(store).by_number:
        api.revoke_link(store, api.RevokeRequest(number))


def reveal(store: api.Store) -> None:
    if api.load(store, "g").book.quiet:
        api.reveal(store, "g", api.RevealRequest())


def make_quiet(store: api.Store) -> None:
    api.make_links(store, "g", api.LinksRequest(("rail",)))


Change = Callable[[api.Store], None]
CHANGES: dict[str, tuple[Change, Change]] = {
    "nothing happens": (nothing, nothing),
    "the link is revoked": (nothing, revoke),
    "the link of a closed game is revoked": (close, revoke),
    "the game is closed": (nothing, close),
    "the game is reopened": (close, reopen),
    "a ruling decides the game": (nothing, decide),
    "the ruling that decided it is revoked": (decide, undecide),
    "a day has passed since the close": (close, over),
    "a day has passed since the ruling": (decide, over),
    "the record is revealed": (nothing, reveal),
    "the record becomes quiet": (nothing, make_quiet),
}
"""What happens before a stream is opened, and what while it is."""


def streams_that_go_wrong(store: api.Store, server: TestClient, role: str, change: str, delay: int = 0) -> list[str]:
    """Return what is wrong with a stream of a link while its right changes, compared with the page the link opens."""
    before, meanwhile = CHANGES[change]
    made = link_of(store, role, verdicts=True, delay=delay)
    before(store)
    browser = by_link(server, made.secret) if role != "reader" or api.load(store, "g").book.closed else None
    if browser is None:
        return []
    wrong = []
    version = api.load(store, "g").head.version
    with Ear(browser, f"game=g&since={version}") as ear:
        assert ear.status == 200
        meanwhile(store)
        api.annotate(store, "g", api.NoteRequest(1, LATER, by=LATER))
        if api.load(store, "g").book.closed:
            api.dispute(store, "g", api.DisputeRequest(2, by="p2", claim=LATER))
        last = api.load(store, "g").head.version
        may = browser.get("/games/g/watch").status_code == 200
        try:
            ear.until(lambda: ear.heard(last) or ear.ended, 4)
        except TimeoutError:
            wrong.append("neither goes on nor ends")
        if ear.ended == may:
            wrong.append("goes on" if may is False else "ends")
        if not may and (ear.events() or LATER in ear.text):
            wrong.append("tells what is no longer shown")
    again = browser.get("/games/g/watch").status_code == 200
    with Ear(browser, "game=g&since=0") as ear:
        if (ear.status == 200) != again:
            wrong.append("opens again")
    return wrong


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("role", ROLES)
def test_a_stream_goes_on_exactly_as_long_as_its_link_opens_the_page(
    store: api.Store, server: TestClient, monkeypatch: pytest.MonkeyPatch, role: str, change: str
) -> None:
    monkeypatch.setattr(links, "AFTERWARDS", links.AFTERWARDS)  # and put back afterwards
    assert streams_that_go_wrong(store, server, role, change) == []


@pytest.mark.parametrize("change", CHANGES)
def test_so_does_that_of_a_rail_that_is_behind(
    store: api.Store, server: TestClient, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr(links, "AFTERWARDS", links.AFTERWARDS)
    assert streams_that_go_wrong(store, server, "rail", change, delay=1) == []


@pytest.mark.parametrize("change", CHANGES)
def test_so_does_that_of_a_persons_link(
    store: api.Store, server: TestClient, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr(links, "AFTERWARDS", links.AFTERWARDS)
    opened = EveningOpened(at=now(), title="Club", date="2026.11.27", place="")
    table = TableSet(at=now(), round=1, table=1, game="g", players=tuple("abcd"), waiting=())
    append_aside(store, "@evening-club", lambda _: (opened, table))

    def link_of_person(store: api.Store, role: str, verdicts: bool = False, delay: int = 0) -> api.MadeLink:
        request = api.EveningLinksRequest(evening="Club", persons=("b",), verdicts=verdicts)
        return api.make_evening_links(store, request)[0]

    monkeypatch.setattr("tests.web.test_rights.link_of", link_of_person)
    assert streams_that_go_wrong(store, server, "p2", change) == []


def test_one_link_that_is_over_ends_a_stream_of_several_games(store: api.Store, server: TestClient) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="other"))
    both = [link_of(store, "rail"), api.make_links(store, "other", api.LinksRequest(("rail",)))[0]]
    browser = by_link(server, both[0].secret)
    browser.cookies.update(by_link(server, both[1].secret).cookies)
    with Ear(browser, "game=g&game=other&since=0&since=0") as ear:
        ear.until(lambda: ear.heard(2) and ear.heard(2, "other"))
        api.revoke_link(store, api.RevokeRequest(both[1].link.number))
        api.play(store, "other", api.WordsRequest(("4Ci3",)))
        ear.until(lambda: ear.ended)
        assert "4Ci3" not in ear.text


# --- what waits ---


def test_what_waits_for_a_phone_is_not_sent_once_its_link_is_over(store: api.Store, server: TestClient) -> None:
    close(store)
    browser = by_link(server, link_of(store, "reader").secret)
    with Ear(browser, "game=g") as ear:
        ear.shut(True)
        for number in range(5):
            api.annotate(store, "g", api.NoteRequest(1, f"{LATER} {number}"))
            sleep(0.1)
        reopen(store)
        sleep(0.2)
        ear.shut(False)
        ear.until(lambda: ear.ended)
    answers = [number for number in range(5) if f"{LATER} {number}" in ear.text]
    assert answers in ([], [0])  # one was on its way


SECRET = f"{FORK.legal} {FORK.broken}"


def told_verdicts(text: str) -> bool:
    """Say whether a text tells what the rules say of a word."""
    return any(word in text for word in (": legal", "irregular", "tarot.", "let stand"))


@pytest.fixture
def loud(store: api.Store, server: TestClient) -> TestClient:
    """Return a browser of the rail while everybody is told the verdicts, one of which is that a rule was broken."""
    browser = by_link(server, link_of(store, "rail", verdicts=True).secret)
    api.take_back(store, "g", api.UndoRequest())
    api.play(store, "g", api.WordsRequest((FORK.broken,), stands=True))
    return browser


def test_the_rail_is_told_verdicts_while_everybody_is(store: api.Store, loud: TestClient) -> None:
    with Ear(loud, "game=g&since=0") as ear:
        ear.until(lambda: ear.heard(api.load(store, "g").head.version))
    assert told_verdicts(ear.text)
    assert told_verdicts(loud.get("/games/g/watch").text)


def test_what_was_worked_out_before_a_record_was_quiet_is_told_to_nobody_who_comes_later(
    store: api.Store, loud: TestClient
) -> None:
    with Ear(loud, "game=g&since=0") as first:
        first.until(lambda: first.heard(api.load(store, "g").head.version))
        make_quiet(store)
        last = api.load(store, "g").head.version
        first.until(lambda: first.heard(last))
        with Ear(loud, "game=g&since=0") as second:
            second.until(lambda: second.heard(last))
        assert [answer["version"] for answer in second.events()] == [*range(1, last + 1)]
        assert not told_verdicts(second.text)


def test_what_waits_for_a_phone_while_a_record_becomes_quiet_is_told_quietly(
    store: api.Store, loud: TestClient
) -> None:
    with Ear(loud, "game=g&since=0") as ear:
        ear.until(lambda: ear.heard(api.load(store, "g").head.version))
        heard = len(ear.text)
        ear.shut(True)
        for _ in range(4):
            api.take_back(store, "g", api.UndoRequest())
            api.play(store, "g", api.WordsRequest((FORK.broken,), stands=True))
            sleep(0.1)
        make_quiet(store)
        sleep(0.3)
        ear.shut(False)
        last = api.load(store, "g").head.version
        ear.until(lambda: ear.heard(last))
        later = ear.text[heard:].split("\n\n", 1)[1]  # the first was on its way
        assert not told_verdicts(later)
        assert [answer["version"] for answer in ear.events()][-3:] == [last - 2, last - 1, last]


# --- behind the table ---


SHOWN = ("/games/g", "/games/g.json", "/games/g/plies/7", "/games/g/plies/7.json", "/games/g/watch")


def test_a_rail_that_is_behind_is_told_no_verdict_of_a_record_that_has_become_quiet_since(
    store: api.Store, server: TestClient
) -> None:
    made = link_of(store, "rail", verdicts=True, delay=1)
    late = by_link(server, made.secret)
    api.take_back(store, "g", api.UndoRequest())
    api.play(store, "g", api.WordsRequest((FORK.broken,), stands=True))
    sleep(1.1)
    assert all(told_verdicts(late.get(path).text) for path in SHOWN)
    with Ear(late, "game=g&since=0") as before:
        before.until(lambda: before.heard(api.load(store, "g").head.version))
        assert told_verdicts(before.text)
        make_quiet(store)
        assert as_of(api.load(store, "g"), 1).recorded[-1].event.at < api.load(store, "g").recorded[-1].event.at
        assert [path for path in SHOWN if told_verdicts(late.get(path).text)] == []
        with Ear(late, "game=g&since=0") as ear:
            ear.until(lambda: len(ear.events()) > 3)
        assert not told_verdicts(ear.text)


def test_a_rail_that_is_behind_is_told_what_was_written_loudly_no_louder_than_now(
    store: api.Store, server: TestClient
) -> None:
    late = by_link(server, link_of(store, "rail", verdicts=True, delay=1).secret)
    with Ear(late, "game=g&since=0") as ear:
        api.take_back(store, "g", api.UndoRequest())
        api.play(store, "g", api.WordsRequest((FORK.broken,), stands=True))
        make_quiet(store)
        ear.until(lambda: ear.heard(api.load(store, "g").head.version))
    played = [answer["says"] for answer in ear.events() if FORK.broken in answer["says"] and "played" in answer["says"]]
    assert len(played) == 1
    assert not told_verdicts(played[0])


def test_a_rail_that_is_behind_goes_on_after_a_reopening_where_the_close_had_brought_it(
    store: api.Store, server: TestClient
) -> None:
    """The close brings the rail up to date: it does not fall behind that again, and the game is open for it at once."""
    late = by_link(server, link_of(store, "rail", delay=1000).secret)
    close(store)
    shown = late.get("/games/g.json").json()
    assert "report" in shown
    for undo in (reopen, undecide):
        undo(store)
        shown = late.get("/games/g.json").json()
        assert "report" not in shown or not api.load(store, "g").book.quiet
        assert shown["version"] == api.load(store, "g").head.version
        assert "The game is over" not in late.get("/games/g/watch").text
        api.annotate(store, "g", api.NoteRequest(1, "later"))
        assert late.get("/games/g.json").json()["version"] == shown["version"]
        if undo is reopen:
            decide(store)
    assert server.get("/games/g.json", headers=HEADER).json()["version"] == shown["version"] + 1


# --- the screen in the room ---


def test_a_screen_is_told_no_verdict_of_a_game_that_is_open_again(
    store: api.Store, server: TestClient, loud: TestClient
) -> None:
    with serving(store.path, writes=True) as keyed, Ear(keyed, "game=g&as=rail&since=0") as screen:
        close(store)
        screen.until(lambda: screen.heard(api.load(store, "g").head.version))
        with Ear(keyed, "game=g&as=rail&since=0") as other:
            other.until(lambda: other.heard(api.load(store, "g").head.version))
        assert told_verdicts(other.text)
        reopen(store)
        screen.until(lambda: screen.heard(api.load(store, "g").head.version))
        with Ear(keyed, "game=g&as=rail&since=0") as other:
            other.until(lambda: other.heard(api.load(store, "g").head.version))
        assert not told_verdicts(other.text)


# --- the walk would see it ---


@pytest.mark.parametrize("change", ["the game is reopened", "the ruling that decided it is revoked"])
def test_a_right_that_is_asked_for_only_when_the_stream_opens_would_be_seen(
    store: api.Store, server: TestClient, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr("cartulary.web.streams.still_leads", lambda *_: True)
    assert streams_that_go_wrong(store, server, "reader", change) == ["goes on", "tells what is no longer shown"]
