"""Who must not get what, over HTTP: two worlds equal to a seat, or to the rail, give equal bytes on every route.

Pages, JSON, headers, errors, what is answered to whoever writes, and the stream that is followed all the while; only
times and heads are masked. ``HUNT=20 pytest tests/web/test_secrets.py`` looks at twenty pairs of worlds for each.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from cartulary.notation.viewer import EVERYTHING, Seat, Viewer
from cartulary.records import api
from cartulary.records.faults import Declined, Fault
from cartulary.records.state.seat_view import seen_version
from cartulary.web.app import _Endpoints
from cartulary.web.following import events_since
from cartulary.web.guard import OWN_HEADER
from tests.hunts import HUNT, looks
from tests.laws.test_quiet import FORKS
from tests.laws.test_secrets import TIME, Run, worlds_of
from tests.laws.test_secrets import run as run
from tests.laws.worlds import GAMES
from tests.web.served import Ear, addresses, by_link, serving, unlimited

SEATS = (0, 1)
"""Whose view is served: the bystander's, and a seat's that holds cards of its own."""
CARD = re.compile(r"[1-9XJNQK][CDHS]|T[0-9][0-9]")
HEAD = re.compile(r'"head":"[^"]*"')
STREAM = "the stream"
Answer: TypeAlias = tuple[int, str, dict[str, str]]
Asked: TypeAlias = str | tuple[str, dict[str, object]]
"""An address that is read, or what is sent to write: the end of its address, and its request."""


def asked_of(key: str, plies: int) -> list[str]:
    """Return every address there is, each position and each way to ask, of a game that is called g."""
    found = [
        each
        for ply in (0, 1, plies // 2, plies, plies + 1)
        for each in addresses(id="g", ply=str(ply), game=key, key="x")
    ]
    for path in ("/games", "/search", "/stats"):
        for words in ("player=ada", "player=secret", "verdict=legal", "result=*", "finding=call.seat", "event=Club"):
            found += [f"{path}?{words}", f"{path}.json?{words}"]
    for words in ("text=secret", "position=g", f"position=g&at={plies}", "position=g&at=1&player=ada", "position=nope"):
        found += [f"/search?{words}", f"/search.json?{words}"]
    widening = ("seat=p2", "seat=", "quiet=", "whose=2", "as=arbiter")
    found += [f"/games/g{below}?{words}" for below in ("", ".json", "/log", "/plies/1") for words in widening]
    return [*dict.fromkeys(found), "/games/nope", "/games/g/nope"]


def answers(client: TestClient, address: str) -> Answer:
    """Return all that an answer tells, times masked."""
    asked = client.get(address, headers={"x-seat": "p2", "cookie": "seat=p2"})
    return asked.status_code, TIME.sub("TIME", asked.text), dict(asked.headers)


def told_apart(folder: Path, names: list[str], key: str, plies: int, seat: int | None) -> Iterator[str]:
    """Yield the addresses whose answers tell two worlds apart. names: their folders"""
    with serving(folder / names[0] / "games.db", seat) as one, serving(folder / names[1] / "games.db", seat) as two:
        for address in asked_of(key, plies):
            here, there = answers(one, address), answers(two, address)
            assert here[0] != 500, (address, here)
            assert seat is None or " secret" not in here[1].replace('value="secret"', ""), address
            if here != there:
                yield address


def pairs_of(run: Run, folder: Path, key: str, seat: int) -> Iterator[tuple[int, list[str]]]:
    """Write worlds as ``worlds_of`` does, the first's game once more in both, and yield their plies and their folders.

    So the position of the game stood in another one too, or did not, which nobody may be told who has not seen it.
    """
    for plies, worlds in worlds_of(run, folder, key, seat):
        names = list(worlds)
        with api.Store(folder / names[0] / "games.db") as store:
            sheet = api.export_cgn(store, "g")
            # With another event it is another game, which the log does not know.
            tags = (*(tag for tag in sheet.tags if tag[0] != "Event"), ("Event", "Again"))
            again = replace(sheet, escapes=(), tags=tags)
        for name in names:
            with api.Store(folder / name / "games.db") as store:
                assert [answer.status for answer in api.import_records(store, [again])] == ["new"]
        yield plies, names


@pytest.mark.hunt
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("key", GAMES)
def test_two_worlds_equal_to_a_seat_give_equal_bytes_on_every_route(
    run: Run, tmp_path: Path, key: str, seat: int
) -> None:
    compared = 0
    for plies, names in pairs_of(run, tmp_path, key, seat):
        assert [*told_apart(tmp_path, names, key, plies, seat)] == []
        compared += len([*islice(told_apart(tmp_path, names, key, plies, None), 6)]) > 5
        if compared == HUNT:
            return
    pytest.fail("too few worlds could be written to prove a thing")


WORDS_OF_NOBODY = ("T21", "nonsense", "?", "")
"""What is typed beside the words of both worlds."""


class Side:
    """One world as somebody who came by a link has it: a browser, and an ear that follows the game all the time."""

    def __init__(self, db: Path, role: str, stack: ExitStack) -> None:
        """role: of the link, with ``plays`` for a scribe at p1, with ``verdicts`` for one who is told them"""
        self.store = stack.enter_context(api.Store(db))
        self.words = set(api.load(self.store, "g").words)
        plays = int("plays" in role)
        [link] = api.make_links(
            self.store, "g", api.LinksRequest((role.split()[0],), plays=plays, verdicts="verdicts" in role)
        )
        self.seat = link.link.viewer.seat
        server = stack.enter_context(serving(db, key=None, writes=True))
        unlimited(server)
        self.browser = by_link(server, link.secret)
        self.ear = stack.enter_context(Ear(self.browser, "game=g&since=0"))
        self.caught_up()

    def caught_up(self) -> None:
        """Wait until everything that was written is heard: what is sent together depends on when it was written."""
        version = seen_version(api.load(self.store, "g"), self.seat)
        self.ear.until(lambda: self.ear.ended or self.ear.heard(version))

    def answer(self, asked: Asked) -> Answer:
        """Return all that an answer tells, times masked."""
        if isinstance(asked, str):
            reply = self.browser.get(asked, headers={"x-seat": "p2"})
        else:
            path, body = asked
            reply = self.browser.post(f"/games/g/{path}", json=body, headers={OWN_HEADER: "1"})
            self.caught_up()
        return reply.status_code, TIME.sub("TIME", reply.text), dict(reply.headers)

    def stream(self) -> str:
        """Return everything that was heard, times and heads masked."""
        return HEAD.sub('"head":""', TIME.sub("TIME", self.ear.text))


def sent(role: str, words: Iterable[str], plies: int, game: int) -> Iterator[Asked]:
    """Yield what is sent to write, in ways that are taken and in ways that are not.

    Every other word alone is tried and written with each game; all of them with HUNT=2 or more.
    words: of both worlds; game: its number
    """
    start, step = (0, 1) if HUNT > 1 else (game % 2, 2)
    every = sorted(words)
    cards = sorted(set(CARD.findall(" ".join(every)))) if "verdicts" in role else []
    few = Random(f"{every} {role}").sample(every, min(len(every), looks(24)))
    lines = [*few, *WORDS_OF_NOBODY]
    yield from (("trial", {"words": line}) for line in (*few[start::step], *cards, " ".join(lines)))
    actions: list[tuple[str, dict[str, object]]] = [("words", {"words": line}) for line in lines[start::step]]
    actions += [("words", {"words": few, "stands": stands, "clock": "0:10:00"}) for stands in (False, True)]
    actions += [("disputes", {"ply": ply, "claim": "no"}) for ply in (0, 1, plies, plies + 1, 9999)]
    actions += [("disputes/withdraw", {"dispute": number}) for number in (0, 1, 9, 14, 15, 16, 99)]
    actions += [("undo", {"plies": number, "agreed": "p2"}) for number in (1, 2, 3, 99)]
    actions += [("undo", {"plies": 1, "agreed": agreed}) for agreed in ("", "p1", "p9", "somebody", few[0])]
    actions += [("note", {"ply": ply, "text": text}) for ply in (0, 1, plies, 999) for text in ("mine", f"({few[0]})")]
    actions += [("clock", {"ply": ply, "clock": "0:12:30"}) for ply in (0, 1, plies, 999)]
    actions += [("board", {"text": text}) for text in (few[0], "8H", "")]
    actions += [("rulings", {"plies": [1], "decision": "stands", "arbiter": "Zoe"}), ("reveal", {}), ("agree", {})]
    actions += [("close", {"result": result}) for result in ("", "1-0", "nonsense")]
    for number, (path, body) in enumerate(actions):
        yield path, {"command": f"c{number}"} | body
    yield "words", {"command": " ", "words": lines[0]}
    yield "words", {"words": lines[0], "seat": 2}
    yield "links", {"base": "https://desk.example"}


MEANWHILE: tuple[Callable[[api.Store], object], ...] = (
    lambda store: api.dispute(store, "g", api.DisputeRequest(1, by="p2", claim="odd")),
    lambda store: api.annotate(store, "g", api.NoteRequest(1, "secret 9Z")),
    lambda store: api.reveal(store, "g", api.RevealRequest()),
    lambda store: api.make_links(store, "g", api.LinksRequest(("p2",))),
    lambda store: api.rule(store, "g", api.RulingRequest((1,), arbiter="Zoe", decision="stands")),
    lambda store: api.close(store, "g", api.CloseRequest("*", termination="abandoned")),
    lambda store: api.agree(store, "g", api.AgreeRequest(), Seat(2)),
    lambda store: api.reopen(store, "g", api.ReopenRequest()),
    lambda store: api.take_back(store, "g", api.UndoRequest(1, by="p2", agreed="p1")),
)
"""What others do in both worlds while somebody looks on, as far as it can be done."""
AGAIN = ("", ".json", "/watch", "/table", "/table.json", "/plies/1", "/log", "/sheet", "/replay", "/arbiter.json")
"""What is looked at after each of it: a third in turns, all of it with HUNT=2 or more."""


def told_apart_by_link(folder: Path, names: list[str], key: str, plies: int, role: str) -> Iterator[Asked]:
    """Yield what is asked and written whose answers by a link tell two worlds apart, and the stream if it does.

    names: their folders
    """
    with ExitStack() as stack:
        sides = [Side(folder / name / "games.db", role, stack) for name in names[:2]]

        def apart(asked: Iterable[Asked]) -> Iterator[Asked]:
            for each in asked:
                here, there = (side.answer(each) for side in sides)
                assert here[0] != 500, (each, here)
                if here != there:
                    yield each

        tables = ["/games/g/table", "/games/g/table.json", "/games/g/watch", "/games/g/links", "/games/g/arbiter"]
        game = [*GAMES].index(key)
        yield from apart([*fewer(asked_of(key, plies), game), *tables])
        yield from apart(sent(role, sides[0].words | sides[1].words, plies, game))
        for number, happens in enumerate(MEANWHILE):
            for side in sides:
                with suppress(Declined):
                    happens(side.store)
                side.caught_up()
            paths = AGAIN if HUNT > 1 else AGAIN[number % 3 :: 3]
            yield from apart(f"/games/g{below}" for below in paths)
        if sides[0].stream() != sides[1].stream():
            yield STREAM


def fewer(asked: list[str], game: int) -> list[str]:
    """Return a third of what is asked, so that each role asks all of it of the games together; all with HUNT=2 or more.

    game: its number
    """
    return asked if HUNT > 1 else asked[game % 3 :: 3]


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a stream look at the log often."""
    monkeypatch.setattr("cartulary.web.streams.POLL", 0.01)


@pytest.mark.hunt
@pytest.mark.parametrize(
    ("key", "role"),
    [
        *((key, role) for key in GAMES for role in ("rail", "p1", "scribe plays")),
        ("tarot", "p1 with verdicts"),
        ("tarot", "rail with verdicts"),
    ],
)
@pytest.mark.usefixtures("often")
def test_two_worlds_equal_to_a_link_give_equal_bytes_whatever_is_asked_or_written(
    run: Run, tmp_path: Path, key: str, role: str
) -> None:
    seat = SEATS[not role.startswith("rail")]
    for done, (plies, names) in enumerate(pairs_of(run, tmp_path, key, seat)):
        assert [*told_apart_by_link(tmp_path, names, key, plies, role)] == []
        if done + 1 == HUNT:
            return
    pytest.fail("too few worlds could be written to prove a thing")


SCREENS = ("/tables", "/tables?id=g", "/tables.json", "/tables.json?id=g", "/tables?delay=3600", "/tables?id=nope")


@pytest.mark.hunt
@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("key", GAMES)
def test_two_worlds_equal_to_the_rail_give_equal_bytes_on_a_screen_in_the_room(
    run: Run, tmp_path: Path, key: str
) -> None:
    for done, (_, names) in enumerate(pairs_of(run, tmp_path, key, 0)):
        with ExitStack() as stack:
            stores = [stack.enter_context(api.Store(tmp_path / name / "games.db")) for name in names[:2]]
            screens = [stack.enter_context(serving(store.path, writes=True)) for store in stores]
            ears = [stack.enter_context(Ear(screen, "game=g&as=rail&since=0")) for screen in screens]
            for happens in (lambda store: None, *MEANWHILE):
                for store, ear in zip(stores, ears, strict=True):
                    with suppress(Declined):
                        happens(store)
                    version = seen_version(api.load(store, "g"), 0)
                    ear.until(partial(ear.heard, version))
                for address in SCREENS:
                    assert answers(screens[0], address) == answers(screens[1], address), address
            here, there = (HEAD.sub("", TIME.sub("TIME", ear.text)) for ear in ears)
            assert here == there
        if done + 1 == HUNT:
            return
    pytest.fail("too few worlds could be written to prove a thing")


@pytest.mark.hunt
@pytest.mark.usefixtures("often")
def test_the_law_catches_a_link_that_shows_more_than_its_role(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plies, names = next(pairs_of(run, tmp_path, "tarot", 1))
    monkeypatch.setattr("cartulary.records.state.links.Link.viewer", EVERYTHING)
    assert any(told_apart_by_link(tmp_path, names, "tarot", plies, "p1"))


@pytest.mark.hunt
@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("leak", ["stream", "trial", "undo", "header", "error"])
def test_the_law_catches_a_leak_in_one_place_alone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    plies, names = next(pairs_of(run, tmp_path, "tarot", 1))
    LEAKS[leak](monkeypatch)
    apart = told_apart_by_link(tmp_path, names, "tarot", plies, "p1")
    found = {each if isinstance(each, str) else each[0] for each in apart}
    places = {"stream": {STREAM}, "trial": {"trial"}, "undo": {"undo"}, "error": {"disputes"}}
    assert found
    assert found == places.get(leak, found)


def leak_in_stream(patch: pytest.MonkeyPatch) -> None:
    """Let a stream be worked out from everything on record."""

    def everything(pages: Any, game: Any, visitor: Any, version: int, **more: Any) -> Any:
        return events_since(pages, game, replace(visitor, viewer=EVERYTHING), version, **more)

    patch.setattr("cartulary.web.streams.events_since", everything)


def leak_in_undo(patch: pytest.MonkeyPatch) -> None:
    """Let what was taken back be told as it stands on the record."""
    take_back = api.take_back

    def whole(
        store: api.Store, id: str, request: api.UndoRequest, viewer: Viewer = EVERYTHING, **more: Any
    ) -> api.UndoAnswer:
        return replace(take_back(store, id, request, viewer, **more), words=api.load(store, id).words)

    patch.setattr(api, "take_back", whole)


def leak_in_header(patch: pytest.MonkeyPatch) -> None:
    """Let every answer about a game bear a mark of its whole record, as a cache would have it."""
    made = _Endpoints._cached_response

    def marked(self: Any, resource: Any, json: bool, asked: Any) -> Any:
        answer = made(self, resource, json, asked)
        if "id" in asked.path_parts:
            whole = " ".join(api.load(asked.store, asked.id).words)
            answer.headers["etag"] = sha256(whole.encode()).hexdigest()
        return answer

    patch.setattr(_Endpoints, "_cached_response", marked)


def leak_in_refusals(name: str, patch: pytest.MonkeyPatch) -> None:
    """Let what a function of the desk refuses be refused with the words of the record."""
    answer = getattr(api, name)

    def names_them(*words: Any, **more: Any) -> Any:
        try:
            return answer(*words, **more)
        except Fault as fault:
            game = api.load(*words[:2]) if isinstance(words[1], str) else words[0]
            raise Declined(f"{fault} Its words are {game.words}.") from None

    patch.setattr(api, name, names_them)


LEAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "stream": leak_in_stream,
    "trial": partial(leak_in_refusals, "judge_words"),
    "undo": leak_in_undo,
    "header": leak_in_header,
    "error": partial(leak_in_refusals, "dispute"),
}


def test_the_law_catches_every_route_that_forgets_the_seat(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plies, names = next(pairs_of(run, tmp_path, "tarot", 0))
    for forgets in ("see_game", "log", "search", "score_sheet", "find_position"):
        with monkeypatch.context() as patch:
            patch.setattr(api, forgets, forgetful(forgets))
            with pytest.raises(AssertionError):
                assert not any(told_apart(tmp_path, names, "tarot", plies, 0)), forgets


def forgetful(name: str) -> Any:
    """Return a function of the desk that takes no heed of whose view is asked for."""
    answer, at = getattr(api, name), {"see_game": 1, "log": 2, "score_sheet": 2}.get(name)

    def forgets(*words: Any, **more: Any) -> Any:
        more.pop("viewer", None)
        return answer(*words[:at], **more)

    return forgets


@pytest.mark.parametrize("key", FORKS)
def test_a_quiet_record_tells_no_seat_what_the_rules_say(run: Run, tmp_path: Path, key: str) -> None:
    fork = FORKS[key]
    for name, word in (("a", fork.legal), ("b", fork.broken)):
        run(name, "new", key, "--id", "g", *fork.new)
        assert run(name, "move", "g", *fork.words, word, "--quiet")[0] == "0"
    ply = str(len(fork.words) + 1)
    for seat in SEATS:
        for name in "ab":
            with serving(tmp_path / name / "games.db", seat) as client:
                for address in (
                    f"/games/g/plies/{ply}",
                    "/games/g",
                    "/games/g/log",
                    "/games/g/sheet",
                    "/games/g/replay",
                ):
                    text = client.get(address).text
                    assert not re.search(rf">(irregular|undecided|refused)<|{key}\.[a-z]", text), address
                response = client.get("/games/g.json").json()
                assert response["quiet"] is True
                assert "report" not in response
                assert {(each["verdict"], tuple(each["keys"])) for each in response["plies"]} == {("quiet", ())}
                assert client.get("/games.json").json()["games"][0].get("verdict", "quiet") == "quiet"
    with serving(tmp_path / "b" / "games.db") as client:
        assert f"{key}." in client.get(f"/games/g/plies/{ply}").text
    with serving(tmp_path / "b" / "games.db", quiet=True) as client:
        assert client.get("/games/g.json").json()["quiet"] is True


def test_a_seat_the_game_has_not_is_shown_nothing_of_it(run: Run, tmp_path: Path) -> None:
    run("a", "new", "cardmate", "--id", "g")
    with serving(tmp_path / "a" / "games.db", 7) as client:
        for below in ("", ".json", "/plies/0", "/plies/0.json", "/log", "/log.json", "/sheet", "/replay"):
            asked = client.get(f"/games/g{below}")
            assert asked.status_code == 404, below
            assert "p7 is not a seat of g" in asked.text


def test_statistics_are_for_who_may_see_everything(run: Run, tmp_path: Path) -> None:
    run("a", "new", "cardmate", "--id", "g")
    with serving(tmp_path / "a" / "games.db", 0) as client:
        assert client.get("/stats").status_code == client.get("/stats.json").status_code == 403
        assert 'href="/stats"' not in client.get("/games").text
        assert "as the rail sees it" in client.get("/games").text
        assert 'name="verdict"' not in client.get("/games").text
