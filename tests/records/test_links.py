"""Links to a game: made, taken up once, revoked, and where they lead as the game goes on and after it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.records import api
from cartulary.records.faults import Declined, Unfit, UnknownGame
from cartulary.records.log.store import Store
from cartulary.records.state.links import STREAM, as_of, closed_at, leads_to
from tests.records.archives import Run


@pytest.fixture
def game(store: Store) -> Store:
    api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
    return store


def made(store: Store, role: str) -> api.MadeLink:
    [link] = api.make_links(store, "g", api.LinksRequest((role,)))
    return link


def test_all_roles_are_made_at_once_and_what_opens_them_is_kept_nowhere(game: Store) -> None:
    links = api.make_links(game, "g", api.LinksRequest(plays=1, delay=60))
    answers = [(each.link.role, each.link.viewer.seat, each.link.by, each.link.delay) for each in links]
    assert answers == [
        ("scribe", 1, "p1", 0),
        ("p1", 1, "p1", 0),
        ("p2", 2, "p2", 0),
        ("rail", 0, "rail", 60),
        ("arbiter", None, "arbiter", 0),
        ("reader", None, "reader", 0),
    ]
    for link in links:
        taken = api.take_up(game, link.secret)
        assert taken is not None
        for secret in (link.secret, taken.secret):
            assert len(secret) == 22
            for file in game.path.parent.iterdir():
                assert secret.encode() not in file.read_bytes()


def test_a_link_is_for_whoever_takes_it_up_first_and_for_that_browser_again(game: Store) -> None:
    link = made(game, "p1")
    first = api.take_up(game, link.secret)
    assert first is not None
    assert first.secret != link.secret
    assert api.take_up(game, link.secret) is None
    assert api.take_up(game, link.secret, ["other", first.secret]) == first
    links = api.links_of(game)
    assert links.opened_by(link.link.number, first.secret) == first.link
    assert links.opened_by(link.link.number, link.secret) is None
    assert links.opened_by(link.link.number + 1, first.secret) is None


@pytest.mark.parametrize("role", ["rail", "reader"])
def test_a_shared_link_is_for_many(game: Store, role: str) -> None:
    link = made(game, role)
    assert [api.take_up(game, link.secret) for _ in range(3)] == [link] * 3
    assert api.links_of(game).opened_by(link.link.number, link.secret) == link.link


def test_a_link_nobody_took_up_is_opened_by_nothing_a_browser_keeps(game: Store) -> None:
    link = made(game, "arbiter")
    links = api.links_of(game)
    assert [links.opened_by(link.link.number, secret) for secret in ("", link.secret, "\udc80", "x" * 9999)] == [
        None
    ] * 4


def test_a_revoked_link_opens_nothing_on_another_desk_too(game: Store) -> None:
    rail, seat = made(game, "rail"), made(game, "p1")
    kept = api.take_up(game, seat.secret)
    assert kept is not None
    with Store(game.path) as other:
        known = api.links_of(other)
        assert known.opened_by(seat.link.number, kept.secret)
        api.revoke_link(game, api.RevokeRequest(rail.link.number))
        api.revoke_link(game, api.RevokeRequest(seat.link.number))
        api.revoke_link(game, api.RevokeRequest(seat.link.number))
        links = api.links_of(other, known)
        assert links.opened_by(rail.link.number, rail.secret) is None
        assert links.opened_by(seat.link.number, kept.secret) is None
        assert api.take_up(other, rail.secret) is api.take_up(other, seat.secret, [kept.secret]) is None
        assert api.links_of(other, links) is links
    assert len(game.stream(STREAM)) == 5


def test_a_link_there_is_not_cannot_be_revoked(game: Store) -> None:
    with pytest.raises(Declined, match="no link 1; none was made"):
        api.revoke_link(game, api.RevokeRequest(1))
    link = made(game, "rail")
    with pytest.raises(Declined, match=f"no link 7; links made: {link.link.number}"):
        api.revoke_link(game, api.RevokeRequest(7))


@pytest.mark.parametrize(
    ("roles", "more", "because"),
    [
        (("p3",), {}, "p3 is not a role in g; expected one of: scribe, p1, p2, rail, arbiter, reader"),
        (("p0",), {}, "p0 is not a role"),
        (("Scribe",), {}, "Scribe is not a role"),
        ((), {"plays": 3}, "p3 is not a seat of g"),
        (("rail",), {"plays": 1}, "Only a scribe's link"),
        (("scribe",), {"delay": 5}, "Only the rail's link can have a delay"),
        (("rail",), {"delay": -1}, "-1 is not a delay"),
        (("rail",), {"delay": 86_401}, "expected seconds from 0 to 86400"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_stored(
    game: Store, roles: tuple[str, ...], more: dict[str, Any], because: str
) -> None:
    with pytest.raises(Unfit, match=because):
        api.make_links(game, "g", api.LinksRequest(roles, **more))
    assert game.head(STREAM) is None
    assert len(game.stream("g")) == 2
    with pytest.raises(UnknownGame):
        api.make_links(game, "nowhere", api.LinksRequest())


def test_with_a_link_for_who_plays_or_watches_an_open_record_becomes_quiet(game: Store) -> None:
    tables: tuple[tuple[bool, tuple[str, ...], dict[str, Any]], ...] = (
        (False, ("scribe", "arbiter", "reader"), {}),
        (False, ("p1", "rail"), {"verdicts": True}),
        (True, ("p1",), {}),
        (True, ("rail",), {}),
        (True, ("scribe",), {"plays": 2}),
    )
    for quiet, roles, more in tables:
        api.make_links(game, "g", api.LinksRequest(roles, **more))
        assert api.load(game, "g").book.quiet is quiet
        if quiet:
            api.reveal(game, "g", api.RevealRequest())
    api.close(game, "g", api.CloseRequest("1-0", termination="resignation"))
    api.make_links(game, "g", api.LinksRequest(("p1",)))
    assert not api.load(game, "g").book.quiet
    assert [line.says for line in api.log(game, "g")].count("made quiet") == 3


def test_links_lead_to_a_game_until_a_day_after_and_a_readers_from_the_close_on(game: Store) -> None:
    seat, reader = made(game, "p2").link, made(game, "reader").link
    game_now = api.load(game, "g")
    assert (leads_to(seat, game_now), leads_to(reader, game_now)) == (True, False)
    api.close(game, "g", api.CloseRequest("1-0", termination="resignation"))
    closed = api.load(game, "g")
    at = closed_at(closed)
    assert at is not None
    day = timedelta(hours=24)
    for later, led in ((day - timedelta(seconds=1), (True, True)), (day, (False, True)), (99 * day, (False, True))):
        assert (leads_to(seat, closed, at + later), leads_to(reader, closed, at + later)) == led
    api.open_game(game, api.NewRequest("cardmate", id="other"))
    assert not leads_to(seat, api.load(game, "other"))
    api.reopen(game, "g", api.ReopenRequest())
    assert leads_to(seat, api.load(game, "g"), at + 99 * day)
    assert not leads_to(replace(seat, revoked_at="2026-11-25T19:00:00.000Z"), api.load(game, "g"))


def test_a_ruling_that_ends_a_game_closes_it(game: Store) -> None:
    api.rule(game, "g", api.RulingRequest((), arbiter="A", decision="result", result="1-0", keys=()))
    assert closed_at(api.load(game, "g")) is not None


def test_a_delayed_view_is_the_game_as_it_stood(game: Store) -> None:
    for word in ("4Ci3", "4Db6"):
        api.play(game, "g", api.WordsRequest((word,)))
    whole = api.load(game, "g")
    at = [datetime.fromisoformat(each.event.at) for each in whole.recorded]
    minute = timedelta(seconds=60)
    assert as_of(whole, 0) is whole
    assert as_of(whole, 60, at[-1] + minute) is whole
    assert as_of(whole, 60, at[-1] + minute - timedelta(milliseconds=1)).plies < 2
    assert as_of(whole, 60, at[0]).plies == 0
    api.close(game, "g", api.CloseRequest("1-0", termination="resignation"))
    assert as_of(api.load(game, "g"), 60, datetime.now(UTC)).plies == 2


def test_links_are_no_game_and_are_exported_nowhere(run: Run, game: Store) -> None:
    made(game, "arbiter")
    assert game.ids() == ("g",)
    assert game.asides() == (STREAM,)
    assert run("list").stdout.count("@") == 0
    for format in ("cgn", "json", "html"):
        assert "links" not in run("export", "g", "--format", format).stdout
    run("verify", "--all")


# --- the same command twice ---


def test_a_command_that_is_repeated_makes_no_other_links_and_names_those_it_made(game: Store) -> None:
    links = api.make_links(game, "g", api.LinksRequest(("p1", "rail"), delay=30, by="Dora", command="one"))
    before = game.head(STREAM)
    version = api.load(game, "g").head.version
    with pytest.raises(Declined, match=r"Links 1 and 2 of g .*shown once.*--revoke 1 --revoke 2"):
        api.make_links(game, "g", api.LinksRequest(("p1", "rail"), delay=30, by="Dora", command="one"))
    assert game.head(STREAM) == before
    assert api.load(game, "g").head.version == version
    taken = api.take_up(game, links[0].secret)
    assert taken is not None
    assert taken.link.number == 1


def test_a_command_for_all_links_is_known_again_when_the_game_is_closed(game: Store) -> None:
    api.make_links(game, "g", api.LinksRequest(command="all"))
    api.close(game, "g", api.CloseRequest("1-0", termination="adjudication"))
    with pytest.raises(Declined, match="Links 1, 2, 3, 4, 5 and 6 of g"):
        api.make_links(game, "g", api.LinksRequest(command="all"))
    assert len(api.links_of(game).by_number) == 6


@pytest.mark.parametrize("more", [{"roles": ("p2",)}, {"delay": 60}, {"by": "Emil"}])
def test_a_command_that_was_given_with_something_else_is_refused(game: Store, more: dict[str, Any]) -> None:
    first: dict[str, Any] = {"roles": ("p1", "rail"), "delay": 30, "by": "Dora", "command": "one"}
    api.make_links(game, "g", api.LinksRequest(**first))
    other = first | more
    if "rail" not in other["roles"]:
        other["delay"] = 0
    with pytest.raises(Declined, match="The command key one was already used for another request on g"):
        api.make_links(game, "g", api.LinksRequest(**other))
    assert len(api.links_of(game).by_number) == 2


def test_a_command_is_one_of_its_game_and_none_makes_links_each_time(game: Store) -> None:
    api.open_game(game, api.NewRequest("cardmate", id="h"))
    for id in ("g", "h"):
        api.make_links(game, id, api.LinksRequest(("p1",), command="one"))
    for _ in range(2):
        api.make_links(game, "g", api.LinksRequest(("p1",)))
    assert [link.game for link in api.links_of(game).by_number.values()] == ["g", "h", "g", "g"]


def test_a_command_that_is_given_twice_at_once_makes_its_links_once(
    game: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, tries = game.append, [0]

    def raced(id: str, *more: Any, **rest: Any) -> Any:
        tries[0] += 1
        if tries[0] == 1:
            with Store(game.path) as other:
                api.make_links(other, "g", api.LinksRequest(("p1",), command="one"))
        return append(id, *more, **rest)

    monkeypatch.setattr(game, "append", raced)
    with pytest.raises(Declined, match="Link 1 of g was made"):
        api.make_links(game, "g", api.LinksRequest(("p1",), command="one", verdicts=True))
    assert len(api.links_of(game).by_number) == 1


def test_a_command_that_stopped_before_its_links_were_stored_makes_them(
    game: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("cartulary.records.commands.links._store_links", interrupted)
        with pytest.raises(KeyboardInterrupt):
            api.make_links(game, "g", api.LinksRequest(("p1",), command="one"))
    assert api.load(game, "g").book.quiet
    assert len(api.make_links(game, "g", api.LinksRequest(("p1",), command="one"))) == 1


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt
