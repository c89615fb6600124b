"""Phones at tables: a server with an archive of its own, and browsers that came by a link."""

import json
import re
from pathlib import Path
from typing import Any

from cartulary.notation.viewer import viewer_of_seat
from cartulary.records import api
from cartulary.web.assets import SCRIPT_FOLDER
from tests.cli.test_replay_in_browser import PHONE

QUEUED = f"""addEventListener("DOMContentLoaded", async () => {{
  if (document.querySelector('script[src$="/table.js"]')) window.queued = await import("{SCRIPT_FOLDER}/queue.js");
}})"""
"""Shows a test what the queue of a table's page exports."""
LANDS = {"arbiter": "arbiter", "rail": "watch", "reader": "games/*"}
"""Where a link leads that leads to no table."""


def steps_to(form: Any, word: str, node: str = "start", text: str = "", seen: Any = frozenset()) -> Any:
    """Return the fewest taps that put a word together in a form, each as what is tapped and the text then; None if
    there are none.

    Args:
        form: The form as JSON.
        word: The word.
        node: Where in the form to begin.
        text: What there is of the word already.
        seen: The nodes that have been passed since there last was more of it.
    """
    if not node:
        return [] if text == word else None
    branches = form["nodes"][node]
    done = text == word and node in form.get("ends", ())
    found: Any = ([(f"✓ {text}", text)] if branches else []) if done else None
    tried = set()
    for branch in branches:
        things = form["groups"][branch["group"]] if "group" in branch else [{"word": ""}]
        for thing in things:
            longer = text + branch.get("text", "") + thing["word"] + branch.get("after", "")
            then = thing.get("then") or branch.get("then", "")
            if not word.startswith(longer) or (longer == text and then in seen) or (longer, then) in tried:
                continue
            tried.add((longer, then))
            rest = steps_to(form, word, then, longer, seen | {then} if longer == text else frozenset())
            what = thing.get("item") or thing.get("label") or thing["word"] or branch.get("label", "")
            whole = ([(what, longer)] if what else []) + rest if rest is not None else None
            if whole is not None and (found is None or len(whole) < len(found)):
                found = whole
    return found


class Phone:
    """A browser that came by a link. link: its number; told: faults of its pages"""

    def __init__(
        self, browser: Any, address: tuple[str, "Path | api.Server"], game: str, role: str, **looks: Any
    ) -> None:
        base, db = address
        self.id, self.db = game, db
        self.seat = int(role[1:]) if role[1:].isdigit() else None
        with self.store() as store:
            [link] = api.make_links(store, game, api.LinksRequest((role,)))
        self.link = link.link.number
        self.context = browser.new_context(**({"viewport": PHONE} | looks))
        self.context.set_default_timeout(30_000)
        self.context.add_init_script(QUEUED)
        self.page = self.context.new_page()
        self.told: list[str] = []
        self.page.on("pageerror", lambda fault: self.told.append(str(fault)))
        self.page.goto(f"{base}/join#{link.secret}")
        self.page.wait_for_url(f"**/{LANDS.get(role, 'table')}?as=*")

    def store(self) -> api.Log:
        """Open the log of its desk."""
        return api.open_store(self.db)

    @property
    def version(self) -> str:
        return str(self.page.get_attribute("[data-live]", "data-version"))

    def written(self, before: str) -> None:
        self.page.wait_for_function(
            "before => ![before, undefined].includes(document.querySelector('[data-live]')?.dataset.version)",
            arg=before,
        )

    def look(self) -> None:
        """Let the table's page ask the desk anew."""
        self.page.evaluate("() => queued.look()")

    def wait_for(self, fact: str, arg: object = None) -> None:
        """Wait until an expression holds on the table's page; ``queued`` is what its queue exports."""
        self.page.wait_for_function(f"arg => window.queued && {fact}", arg=arg)

    def net(self, there: bool) -> None:
        """Cut the phone off from its desk, or let it back.

        The browser tells a page that it is offline before the net is gone: a phone cut off has tried and failed.
        """
        self.context.set_offline(not there)
        if there:
            return
        self.page.wait_for_function("() => fetch('/', { cache: 'no-store' }).then(() => false, () => true)")
        self.look()
        self.wait_for("!queued.progress.reached && !queued.progress.working")

    def catch_up(self) -> None:
        """Wait until the page has all that was written: what is sent from one that has not is refused, and rightly.

        A browser answers no question about a page that is just being loaded.
        """
        with self.store() as store:
            version = api.read_view(store, self.id, viewer_of_seat(self.seat)).version
        from playwright.sync_api import TimeoutError as TooLate

        there = "document.querySelector('[data-live]')?.dataset.version"
        try:
            self.page.wait_for_function(f"version => Number({there}) >= version", arg=version, polling=50)
        except TooLate:
            facts = self.page.evaluate("() => window.queued?.progress")
            place, text = self.page.url, self.page.inner_text("body")[:400]
            raise AssertionError(f"{place} of {self.seat} does not reach {version}: {facts} {text}") from None

    def tap(self, word: str) -> int:
        """Write a word by tapping, and return how many taps that took."""
        taps = self.tap_at_most(8, word)
        assert taps, (word, self.page.locator("[data-tapping] button").all_text_contents())
        return taps

    def tap_at_most(self, most: int, word: str, *, offered: bool = False) -> int:
        """Write a word by so many taps at most, and return how many it took, 0 where it cannot be.

        offered: whether only words are tapped that the page offers; of others it first says what the rules say
        """
        before = self.version
        surface = json.loads(str(self.page.get_attribute("[data-live]", "data-surface")))
        offers = [offer["word"] for offer in surface["offers"]]
        calls = {key["word"]: key.get("open", False) for key in surface["calls"]}
        if word in calls:
            taps = self._tap_seat_call(word, calls[word])
        elif surface["form"]:
            taps = self._tap_steps(surface["form"], word) if word in offers or not offered else 0
        else:
            taps = self._tap_drawing(word) or self.tap_key(word) or self._tap_call(word, most)
        if taps:
            self.written(before)
        return taps

    def _tap_drawing(self, word: str) -> int:
        """Tap the places of a word on the drawing, and return how many; 0 if it has none there."""
        offers = json.loads(str(self.page.get_attribute("[data-live]", "data-surface")))["offers"]
        path: list[str] = next((offer["path"] for offer in offers if offer["word"] == word), [])
        if not path or not self.page.locator(f'.touch [data-item="{path[0]}"]').count():
            return 0
        for item in path:
            self.page.click(f'.choice [aria-label="{word}"]' if item.startswith("=") else f'[data-item="{item}"]')
        return len(path)

    def tap_key(self, card: str) -> int:
        """Tap a card among the keys, and its suit first if another is open; return how many taps, 0 if it has none."""
        suits = json.loads(str(self.page.get_attribute("[data-live]", "data-surface")))["keypad"]["suits"]
        sign = next((suit["sign"] for suit in suits if card in [word for word, _ in suit["keys"]]), "")
        if not sign:
            return 0
        key = self.page.locator(f'.keypad [data-word="{card}"]')
        if key.count():
            key.click()
            return 1
        self.page.click(f'.suits button:text-is("{sign}")')
        key.click()
        return 2

    def _tap_call(self, word: str, most: int) -> int:
        """Tap the key of a whole word, or first what it begins with; return how many taps, 0 if there is none."""
        for taps in range(1, most + 1):
            buttons = self.page.locator("[data-calls] button")
            texts = buttons.all_text_contents()
            key = self.page.locator(f'[data-calls] [data-word="{word}"]')
            if key.count():
                key.click()
                return taps
            begun = [at for at, text in enumerate(texts) if text.endswith("…") and word.startswith(text[:-1])]
            if not begun:
                return 0
            buttons.nth(begun[0]).click()
        return 0

    def _tap_seat_call(self, word: str, lies_open: bool) -> int:
        """Tap a call of a seat, such as to resign, behind its fold if it does not lie open; return how many taps."""
        if not lies_open:
            if self.page.locator(".rarely [data-ends]").count():
                self.more()
            self.page.click("[data-ends] summary")
        self.page.click(f'[data-{"claims" if lies_open else "seat-calls"}] [data-word="{word}"]')
        return 1 if lies_open else 2

    def more(self) -> None:
        """Open the fold of what is rarely done at a table, if it is not open."""
        if not self.page.locator(".rarely[open]").count():
            self.page.click(".rarely > summary")

    def miss(self) -> None:
        """Write a move that nobody saw."""
        self.more()
        self.page.click("summary:text('A move was missed')")
        self.page.click("[data-missed]")

    def _tap_steps(self, form: dict[str, Any], word: str) -> int:
        """Put a word together step by step; return how many taps it took, 0 if the form has no way to it."""
        taps = 0
        hidden = self._out_of_sight()
        groups = {
            name: [thing for thing in things if thing.get("item") not in hidden or self._has_key(thing["item"])]
            for name, things in form.get("groups", {}).items()
        }
        for what, text in steps_to(form | {"groups": groups}, word) or steps_to(form, word) or ():
            key = self.page.locator(f'[data-calls] button:text-is("{what}")')
            item = self.page.locator(f'.touch [data-item="{what}"]')
            card = self.page.locator(f'.keypad [data-word="{what}"]')
            if key.count():
                key.first.click()
            elif card.count():
                card.click()
            elif item.count() and (self.in_sight(item.first) or not self._has_key(what)):
                item.first.click()
            else:
                if not card.count():
                    suits = json.loads(str(self.page.get_attribute("[data-live]", "data-surface")))["keypad"]["suits"]
                    sign = next(suit["sign"] for suit in suits if what in [key for key, _ in suit["keys"]])
                    self.page.click(f'.suits button:text-is("{sign}")')
                    taps += 1
                card.click()
            taps += 1
            if not word.startswith(text):
                raise AssertionError((word, text))
        return taps

    def _out_of_sight(self) -> set[str]:
        """Return the ids of all that is drawn but lies where a finger does not find it without scrolling."""
        return set(
            self.page.evaluate(
                "() => [...document.querySelectorAll('.stage svg g[data-id]')].filter(one => {"
                " const box = one.getBoundingClientRect();"
                " const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
                " return !found?.closest('.stage'); }).map(one => one.dataset.id)"
            )
        )

    def in_sight(self, thing: Any) -> bool:
        """Say whether a finger finds the middle of something without scrolling, with nothing over it."""
        return bool(
            thing.evaluate(
                "one => { const box = one.getBoundingClientRect();"
                " const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
                " return found === one || one.contains(found); }"
            )
        )

    def _has_key(self, card: str) -> bool:
        """Say whether a card is among the keys of the keypad, of whichever suit."""
        suits = json.loads(str(self.page.get_attribute("[data-live]", "data-surface")))["keypad"]["suits"]
        known = any(card == word for suit in suits for word, _ in suit["keys"])
        return known and bool(self.page.locator(".suits").count())

    def type(self, text: str) -> None:
        self.page.fill("#words", text)

    def write(self, word: str) -> None:
        """Write a word by typing it; let it stand where it is refused."""
        before = self.version
        self.type(word)
        self.page.keyboard.press("Enter")
        self.page.wait_for_function(
            "before => ![before, undefined].includes(document.querySelector('[data-live]')?.dataset.version)"
            " || !document.querySelector('[data-stands]').hidden",
            arg=before,
        )
        if self.version == before:
            self.page.click("[data-stands]")
            self.written(before)

    def says(self, part: str) -> None:
        self.page.wait_for_function(
            "part => document.querySelector('[data-says]').textContent.includes(part)", arg=part
        )

    def words(self) -> tuple[str, ...]:
        with self.store() as store:
            return api.load(store, self.id).words

    def close(self) -> None:
        assert self.told == []
        self.context.close()


class Keys:
    """The keys of cards: where each was seen, which must not change."""

    def __init__(self, phone: Phone) -> None:
        self.phone, self.places = phone, dict[str, Any]()

    def hold_still(self) -> None:
        """Check that all keys shown are where they were, large enough, on the screen, and that nothing was scrolled.

        Keys of a hand go with their cards.
        """
        page = self.phone.page
        assert page.evaluate("() => scrollY") == 0, self.phone.words()[-1:]
        if page.locator(".suits [aria-pressed=true]:text-is('Hand')").count():
            return
        boxes = page.evaluate(
            "() => [...document.querySelectorAll('.keypad [data-word]')].map(key => {"
            " const box = key.getBoundingClientRect();"
            " return [key.dataset.word, box.x, box.y, box.right, box.bottom]})"
        )
        for word, *box in boxes:
            assert self.places.setdefault(word, box) == box, (word, self.places[word], box)
            left, top, right, bottom = box
            assert 0 <= left <= right - 40 <= 350, (word, box)
            assert 0 <= top <= bottom - 40 <= 804, (word, box, page.inner_text(".dock"))


def record_by_taps(phone: Phone, words: tuple[str, ...], far: str = "(?!)") -> list[int]:
    """Write words by taps with nothing scrolled and no key moved, and return how many taps each took.

    Args:
        phone: The phone.
        words: The words.
        far: A pattern that begins the words for which the drawing may be scrolled, as they name what lies on it.
    """
    keys, found = Keys(phone), []
    for word in words:
        found.append(phone.tap(word))
        if re.match(far, word):
            phone.page.evaluate("() => scrollTo(0, 0)")
        keys.hold_still()
    return found


def opened(address: tuple[str, Path], game: str, id: str, players: tuple[str, ...] = (), **more: Any) -> str:
    """Open a game in the server's archive and return its id. more: as of ``open_game``"""
    with api.Store(address[1]) as store:
        return api.open_game(store, api.NewRequest(game, id=id, players=players, **more)).id
