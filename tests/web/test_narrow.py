"""Every page on the narrowest phone: nothing scrolls sideways, and axe finds nothing, in light and in dark."""

from pathlib import Path
from typing import Any

import pytest

from cartulary.records import api
from tests.cli.test_replay_in_browser import hold_to_axe
from tests.web.phones import opened

NARROW = {"width": 320, "height": 700}
OF_ALL = ("games", "search", "evenings", "standings", "people", "explore", "stats", "result", "new", "arbiter", "rules")
OF_A_GAME = ("", "/table", "/watch", "/arbiter", "/links", "/log", "/sheet")


@pytest.mark.hunt
def test_no_page_is_too_wide_or_breaks_a_rule_of_axe(browser: Any, whole_address: tuple[str, Path]) -> None:
    url, db = whole_address
    base = url.partition("/?")[0]
    id = opened((base, db), "tarot", "narrow", ("Ada", "Bela", "Cy", "Dora"), variant="fft")
    with api.Store(db) as store:
        api.play(store, id, api.WordsRequest(("Pass", "Garde", "Pass", "Pass", "~,~,~,~,~,~-", "5H", "7H")))
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(url)
    paths = [*OF_ALL, "new?game=tarot", "rules/tarot", "help", *(f"games/{id}{below}" for below in OF_A_GAME)]
    for path in paths:
        assert page.goto(f"{base}/{path}").status == 200, path
        hold_to_axe(page, (NARROW, "light"), (NARROW, "dark"))
    context.close()
