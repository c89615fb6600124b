"""Draw the README's pictures, each by the program itself: ``python -m tests.docs.pictures``."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cartulary import notation
from cartulary.records import api
from tests.places import DOCS, SAMPLES
from tests.programs import chromium, served, typed

REVOKE = SAMPLES / "tarot" / "games" / "table-revoke.cgn"
CHESS = SAMPLES / "chess" / "games" / "illegal-check.cgn"
PAGE = {"width": 1000, "height": 720}
PAPER = {"width": 820, "height": 1180}


def draw(browser: Any, folder: Path) -> None:
    """Write every picture into a folder: one drawing, and a picture a use of what a browser shows."""
    with TemporaryDirectory() as name:
        db = Path(name) / "pictures.db"
        environment = {"CARTULARY_DB": str(db), "NO_COLOR": "1"}
        svg = typed(["show", str(REVOKE), "--at", "17", "--svg"], folder, environment)
        (folder / "revoke.svg").write_text(svg.stdout, "utf-8")
        played(db)
        typed(["export", "table-2", "-o", "sheet.html"], Path(name), environment)
        typed(["export", str(CHESS), "--format", "replay", "-o", "replay.html"], Path(name), environment)
        with served("--db", str(db)) as url:
            address = url.partition("/?")[0]
            recording(browser, db, address, folder / "record.png")
            disputed(browser, db, address, folder / "dispute.png")
            shown(browser, f"{(Path(name) / 'replay.html').as_uri()}#54", PAGE, folder / "replay.png")
            shown(browser, (Path(name) / "sheet.html").as_uri(), PAPER, folder / "sheet.png", media="print")


def played(db: Path) -> None:
    """Play the evening of the pictures: a table in its third trick, and one that is over and disputed."""
    [record] = notation.load_all(REVOKE)
    tags = {name: value for name, value in record.tags if name not in ("Game", "Result", "Score", "Edition")}
    with api.Store(db) as store:
        for id, words in (("table-1", record.line.words[:16]), ("table-2", record.line.words)):
            api.open_game(store, api.NewRequest("tarot", id=id, tags=tags))
            api.play(store, id, api.WordsRequest(words, stands=True))
        api.close(store, "table-2", api.CloseRequest("1/3-0-1/3-1/3"))
        api.dispute(store, "table-2", api.DisputeRequest(17, by="p1", claim="p3 trumped a spade and had one"))


def recording(browser: Any, db: Path, address: str, file: Path) -> None:
    page = joined(browser, db, address, "table-1", "scribe")
    page.fill("#words", "T03")
    page.wait_for_function("() => document.querySelector('[data-says]').textContent.includes('cannot be known yet')")
    page.screenshot(path=file)


def disputed(browser: Any, db: Path, address: str, file: Path) -> None:
    page = joined(browser, db, address, "table-2", "arbiter")
    page.screenshot(path=file)


def joined(browser: Any, db: Path, address: str, game: str, role: str) -> Any:
    """Return the page a link leads to."""
    with api.Store(db) as store:
        [link] = api.make_links(store, game, api.LinksRequest((role,)))
    page = browser.new_page(viewport=PAGE)
    page.goto(f"{address}/join#{link.secret}")
    page.wait_for_url("**?as=*")
    return page


def shown(browser: Any, url: str, size: dict[str, int], file: Path, media: str = "screen") -> None:
    page = browser.new_page(viewport=size)
    page.emulate_media(media=media)
    page.goto(url)
    page.screenshot(path=file)


if __name__ == "__main__":
    with chromium() as opened:
        draw(opened, Path(sys.argv[1]) if sys.argv[1:] else DOCS / "pictures")
