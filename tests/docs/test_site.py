"""The pages as a site: the build is strict, links hold, no other host is asked, a phone and paper show all of it."""

import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.places import DOCS, ROOT
from tests.programs import package

COMMAND = "zensical build --strict -f docs/zensical.toml"
PHONE = {"width": 390, "height": 844}
NAMED = {"href", "src", "srcset", "data", "action", "poster"}
_Names = list[tuple[str, str, str]]


class Page(HTMLParser):
    """A built page. ids: its anchors; names: (tag, attribute, address) of whatever it names"""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.names: _Names = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids |= {value for name, value in attrs if name == "id" and value}
        self.names += [(tag, name, value) for name, value in attrs if name in NAMED and value]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built pages, from a copy of docs/, as the README builds it."""
    package("zensical", extra="docs")
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns(".site", ".cache"))
    built = subprocess.run(
        [sys.executable, "-m", *COMMAND.split()], cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "docs" / ".site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html") if path.name != "404.html"}


def test_the_readme_and_ci_build_the_site_alike() -> None:
    for file in ("README.md", ".ci/run"):
        assert COMMAND in (ROOT / file).read_text("utf-8"), file


def test_every_page_is_on_the_menu_once(site: Path) -> None:
    nav = tomllib.loads((DOCS / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    listed = [page for part in nav for page in (next(iter(part.values())) if isinstance(part, dict) else [part])]
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    assert not (site / "zensical.toml").exists()


def test_every_link_and_picture_is_there(site: Path, pages: dict[str, Page]) -> None:
    lost = []
    for name, page in pages.items():
        for _, _, address in page.names:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            to = target.resolve().relative_to(site.resolve()).as_posix()
            anchored = not parts.fragment or to not in pages or unquote(parts.fragment) in pages[to].ids
            if not target.is_file() or not anchored:
                lost.append((name, address))
    assert lost == []


def test_no_page_fetches_anything_from_another_host(site: Path, pages: dict[str, Page]) -> None:
    foreign = [
        (name, tag, address)
        for name, page in pages.items()
        for tag, _, address in page.names
        if tag != "a" and (urlsplit(address).netloc or urlsplit(address).scheme not in ("", "data"))
    ]
    assert foreign == []
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", style.read_text("utf-8")), style.name


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Yield where the built pages are served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_on_a_phone_pages_fit_and_search_asks_no_other_host(browser: Any, address: str, pages: dict[str, Page]) -> None:
    asked: list[str] = []
    page = browser.new_page(viewport=PHONE)
    page.on("request", lambda request: asked.append(request.url))
    for name in sorted(pages):
        page.goto(address + name)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
    page.goto(address)
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill("overtrump")
    page.get_by_role("listbox").get_by_text("tarot.overtrump").first.wait_for(timeout=10_000)
    page.close()
    assert any(url.endswith("search.json") for url in asked)
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
