"""What a phone writes while the desk cannot be reached: kept, sent in order and once, nothing lost."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cartulary.records import api
from tests.cli.test_replay_in_browser import HOSTILE, PHONE, hold_to_axe
from tests.web.phones import Phone, opened

Address = tuple[str, Path]
MOVES = ("4Ci3", "4Db6", "8Dj2", "8Ca7")


@pytest.fixture
def table(browser: Any, address: Address, request: pytest.FixtureRequest) -> Iterator[Callable[..., Phone]]:
    """Make phones at one new table of Cardmate."""
    id = opened(address, "cardmate", f"t-{request.node.name[-40:]}")
    phones: list[Phone] = []

    def make(role: str = "scribe", **looks: Any) -> Phone:
        phones.append(Phone(browser, address, id, role, **looks))
        return phones[-1]

    yield make
    for phone in phones:
        phone.close()


def write(phone: Phone, *words: str) -> None:
    for word in words:
        phone.type(word)
        phone.page.keyboard.press("Enter")


def queued(phone: Phone) -> list[str]:
    """Return what the page says of each line that waits, the first line of it."""
    return list(phone.page.locator("[data-waiting] li").all_inner_texts())


def counts(phone: Phone, part: str) -> None:
    phone.page.wait_for_function(
        "part => document.querySelector('[data-count]').checkVisibility()"
        " && document.querySelector('[data-count]').textContent.includes(part)",
        arg=part,
    )


def drained(phone: Phone) -> None:
    empty = "!queued.queue().length && !queued.progress.working"
    phone.wait_for(f"{empty} && document.querySelector('[data-queue]').hidden")


def kept(phone: Phone) -> None:
    """Wait until the page is kept for a reload."""
    phone.wait_for("queued.progress.safe")


def test_what_is_written_without_net_is_sent_in_order_when_it_is_back(table: Callable[..., Phone]) -> None:
    phone = table()
    phone.tap(MOVES[0])
    phone.net(False)
    write(phone, *MOVES[1:])
    counts(phone, "3 waiting")
    phone.wait_for("(queued.progress.tries = 9)")
    phone.wait_for("queued.progress.tries > 9 && !queued.progress.working")
    assert queued(phone) == [f"{word} waiting" for word in MOVES[1:]]
    assert phone.words() == MOVES[:1]
    phone.net(True)
    drained(phone)
    assert phone.words() == MOVES
    assert "8Ca7, ply 4" in phone.page.text_content("[data-done]")
    assert phone.page.input_value("#words") == ""


def test_a_reload_without_net_shows_the_page_and_keeps_what_waits(table: Callable[..., Phone]) -> None:
    phone = table()
    kept(phone)
    phone.tap(MOVES[0])
    phone.net(False)
    write(phone, *MOVES[1:3])
    counts(phone, "2 waiting")
    assert "may be reloaded" in phone.page.text_content("[data-count]")
    phone.page.reload()
    counts(phone, "2 waiting")
    counts(phone, "may be reloaded")
    assert MOVES[0] in phone.page.text_content(".last")
    write(phone, MOVES[3])
    counts(phone, "3 waiting")
    phone.net(True)
    drained(phone)
    assert phone.words() == MOVES


def test_where_nothing_keeps_the_page_it_says_not_to_reload(table: Callable[..., Phone]) -> None:
    phone = table()
    phone.context.add_init_script("delete Navigator.prototype.serviceWorker")
    phone.page.reload()
    phone.net(False)
    write(phone, MOVES[0])
    counts(phone, "Do not reload this page until then")
    phone.net(True)
    drained(phone)
    phone.page.reload()
    phone.context.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    phone.page.reload()
    phone.net(False)
    write(phone, MOVES[1])
    counts(phone, "what is waiting is lost")
    phone.net(True)
    drained(phone)
    assert phone.words() == MOVES[:2]


def test_an_answer_that_was_lost_on_its_way_writes_nothing_twice(table: Callable[..., Phone]) -> None:
    phone = table()
    lost = []

    def swallow(route: Any) -> None:
        lost.append(route.fetch().status)
        route.abort()

    phone.page.route("**/words*", swallow, times=1)
    write(phone, MOVES[0])
    phone.page.wait_for_function("() => document.querySelector('[data-done]').textContent.includes('ply 1')")
    drained(phone)
    assert lost == [200]
    assert phone.words() == MOVES[:1]


def test_what_waited_and_is_refused_stops_what_stands_after_it(table: Callable[..., Phone]) -> None:
    phone = table()
    phone.net(False)
    write(phone, MOVES[0], "4Ci9", MOVES[1])
    counts(phone, "3 waiting")
    phone.net(True)
    counts(phone, "1 stored, 1 waiting, 1 refused")
    phone.says("refused, cardmate.")
    assert phone.page.input_value("#words") == "4Ci9"
    assert phone.words() == MOVES[:1]
    phone.page.reload()
    phone.says("refused, cardmate.")
    phone.page.click("text=Leave it out")
    drained(phone)
    assert phone.words() == MOVES[:2]
    assert phone.page.input_value("#words") == ""


def test_what_was_refused_is_changed_where_it_stood(table: Callable[..., Phone]) -> None:
    phone = table()
    phone.net(False)
    write(phone, "4Ci9", *MOVES[1:3])
    phone.type("not yet")
    phone.net(True)
    counts(phone, "2 waiting, 1 refused")
    phone.wait_for("!queued.progress.working")
    assert phone.page.input_value("#words") == "not yet"
    phone.page.click("button:text('Change')")
    assert phone.page.input_value("#words") == "4Ci9"
    write(phone, MOVES[0])
    drained(phone)
    assert phone.words() == MOVES[:3]


def test_a_move_that_was_missed_goes_before_what_was_refused(table: Callable[..., Phone]) -> None:
    phone = table()
    write(phone, MOVES[1])
    phone.says("refused")
    phone.miss()
    phone.page.wait_for_function("() => document.querySelector('[data-done]').textContent.includes('not written down')")
    assert phone.page.input_value("#words") == MOVES[1]
    phone.page.click("text=Write")
    phone.page.wait_for_function("() => document.querySelector('[data-done]').textContent.includes('4Db6, ply 2')")
    assert phone.words() == ("~", MOVES[1])


def test_a_race_that_is_lost_without_net_shows_both_lines_and_loses_none(table: Callable[..., Phone]) -> None:
    one, two = table(), table()
    one.tap(MOVES[0])
    two.page.reload()
    two.net(False)
    write(two, "4Db6", "8Dj2")
    counts(two, "2 waiting")
    one.tap("4Sf6")
    two.net(True)
    counts(two, "1 waiting, 1 refused")
    two.says("Someone else wrote first: 4Sf6; yours, 4Db6, was not written")
    assert two.page.input_value("#words") == "4Db6"
    assert one.words() == (MOVES[0], "4Sf6")
    two.page.click("text=Leave it out")
    drained(two)
    assert one.words() == (MOVES[0], "4Sf6", "8Dj2")


def test_a_race_that_is_lost_in_the_midst_of_what_waits_is_seen(table: Callable[..., Phone]) -> None:
    phone = table()
    phone.net(False)
    write(phone, *MOVES[:2])
    counts(phone, "2 waiting")

    def overtake(route: Any) -> None:
        answer = route.fetch()
        with phone.store() as store:
            api.play(store, phone.id, api.WordsRequest(("4Sf6",)))
        route.fulfill(response=answer)

    phone.page.route("**/words*", overtake, times=1)
    phone.net(True)
    phone.says("Someone else wrote first: 4Sf6; yours, 4Db6, was not written")
    assert phone.words() == (MOVES[0], "4Sf6")


def test_a_tap_repeated_in_haste_is_one_move(browser: Any, address: Address) -> None:
    phone = Phone(browser, address, opened(address, "tarot", "haste"), "scribe")
    phone.tap("Garde")
    before = phone.version
    passes = phone.page.locator("[data-tapping] button", has_text="Pass").bounding_box()
    phone.page.mouse.dblclick(passes["x"] + 5, passes["y"] + 5)
    phone.written(before)
    drained(phone)
    assert phone.words() == ("Garde", "Pass")
    phone.close()


def test_a_phone_that_slept_sees_what_was_written_and_writes_on(table: Callable[..., Phone]) -> None:
    one, two = table(), table()
    one.tap(MOVES[0])
    two.page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    two.page.wait_for_function("() => document.querySelector('.last').textContent.includes('4Ci3')")
    two.tap(MOVES[1])
    assert one.words() == MOVES[:2]


def test_seats_write_their_own_words_with_and_without_net(table: Callable[..., Phone]) -> None:
    one, two = table("p1"), table("p2")
    write(one, MOVES[0])
    drained(one)
    two.look()
    two.page.wait_for_function("() => document.querySelector('.last').textContent.includes('4Ci3')")
    write(two, MOVES[1])
    drained(two)
    one.look()
    one.page.wait_for_function("() => document.querySelector('.last').textContent.includes('4Db6')")
    one.net(False)
    write(one, MOVES[2])
    counts(one, "1 waiting")
    one.net(True)
    drained(one)
    assert one.words() == MOVES[:3]
    assert "written" in one.page.text_content("[data-done]")


def test_what_was_left_long_ago_is_shown_and_not_sent(table: Callable[..., Phone]) -> None:
    phone = table()
    kept(phone)
    phone.net(False)
    write(phone, MOVES[0])
    counts(phone, "1 waiting")
    leaves = "!queued.progress.working && (queued.progress.working = true)"  # nothing is tried while the page is left
    phone.wait_for(leaves)
    phone.page.evaluate(
        "() => { for (const name of Object.keys(localStorage)) localStorage.setItem(name,"
        ' localStorage.getItem(name).replace(/"since":\\d+/, \'"since":1\')); }'
    )
    phone.page.reload()
    counts(phone, "1 refused")
    assert "Left here long ago" in queued(phone)[0]
    phone.net(True)
    phone.says("Left here long ago")
    assert phone.words() == ()
    assert phone.page.input_value("#words") == MOVES[0]


def test_what_waits_for_a_game_that_was_closed_is_shown_and_can_be_left_out(table: Callable[..., Phone]) -> None:
    one, two = table(), table()
    two.net(False)
    write(two, HOSTILE.replace("\n", " "), MOVES[0])
    counts(two, "2 waiting")
    with one.store() as store:
        api.close(store, one.id, api.CloseRequest(result="1-0", termination="resignation"))
    two.net(True)
    two.page.wait_for_selector("text=This link shows the game until")
    counts(two, "1 waiting, 1 refused")
    assert two.page.title() != "run"
    hold_to_axe(two.page, (PHONE, "light"))
    two.page.click("text=Leave it out")
    two.page.wait_for_function("() => document.querySelectorAll('[data-waiting] li').length === 1")
    two.page.click("text=Leave it out")
    drained(two)
    assert one.words() == ()


def test_a_revoked_link_keeps_what_it_did_not_write(table: Callable[..., Phone]) -> None:
    phone = table()
    phone.net(False)
    write(phone, *MOVES[:2])
    counts(phone, "2 waiting")
    with phone.store() as store:
        api.revoke_link(store, api.RevokeRequest(phone.link))
    phone.net(True)
    counts(phone, "1 waiting, 1 refused")
    over = "This link no longer opens anything. Ask whoever runs the evening for another card."
    assert phone.page.inner_text("[data-done]") == over
    assert queued(phone)[0].startswith(f"{MOVES[0]} {over}")
    assert not phone.page.is_visible("#words")
    assert phone.words() == ()


def test_a_link_revoked_elsewhere_ends_its_page_before_anything_is_written(table: Callable[..., Phone]) -> None:
    phone = table("p1")
    phone.page.wait_for_selector("[data-line]")
    with phone.store() as store:
        api.revoke_link(store, api.RevokeRequest(phone.link))
        api.play(store, phone.id, api.WordsRequest((MOVES[0],)))
    phone.page.locator("[data-done]", has_text="Ask whoever runs the evening for another card").wait_for()
    assert not any(map(phone.page.is_visible, ("#words", "[data-tapping]", ".acts")))
    assert MOVES[0] not in phone.page.content()
    phone.page.reload()
    shown_there = phone.page.inner_text("body")
    assert "If you followed the link on a card, ask whoever runs the evening for another card." in shown_there


def test_a_server_that_was_restarted_is_written_to_as_before(browser: Any, tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    with api.Store(db) as store:
        id = api.open_game(store, api.NewRequest("cardmate", id="g")).id
    command = [sys.executable, "-m", "cartulary.cli", "serve", "--no-open", "--db", str(db), "--port"]

    def serve(port: str) -> tuple[subprocess.Popen[str], str]:
        program = subprocess.Popen(
            [*command, port], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
        )
        assert program.stdout
        return program, program.stdout.readline().partition("/?")[0]

    program, base = serve("0")
    phone = Phone(browser, (base, db), id, "scribe")
    phone.tap(MOVES[0])
    program.send_signal(signal.SIGKILL)
    program.wait()
    counts(phone, "The desk cannot be reached")  # before anything is written
    write(phone, *MOVES[1:])
    counts(phone, "3 waiting. The desk cannot be reached")
    program, again = serve(base.rpartition(":")[2])
    assert again == base
    drained(phone)
    assert phone.words() == MOVES
    phone.close()
    program.send_signal(signal.SIGINT)
    assert program.wait(20) == 0


def test_a_full_disk_is_called_one_and_what_is_written_waits(table: Callable[..., Phone]) -> None:
    phone = table()
    full = '{"error": "The disk of this desk is full."}'
    phone.page.route("**/words*", lambda route: route.fulfill(status=507, body=full), times=2)
    write(phone, MOVES[0])
    counts(phone, "1 waiting. The disk of the desk is full")
    drained(phone)
    assert phone.words() == MOVES[:1]
