"""The style, the scripts and the icon of our pages, and where they are served.

The scripts are ES modules. They lie in a folder named after what they all say, so that a browser that kept an older one
never mixes the two: what a script imports has its folder's name too.
"""

import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from markupsafe import Markup

from cartulary.records.sheets.replay_page import LOOK

_HERE = Path(__file__).parent
_SOURCES = {path.name: path.read_bytes() for path in sorted(_HERE.glob("*.js"))}
_IMPORTED = re.compile(rb'^import .* from "\./([\w-]+\.js)";$', re.MULTILINE)
_WORKER = "away.js"
"""The script that a browser runs beside the pages; it may answer only for what is below the folder it is served in."""
_EVERYWHERE = "desk.js"
"""The script of all our pages."""
STYLE = LOOK.encode() + (_HERE / "desk.css").read_bytes()
"""The one style sheet of our pages, which also styles drawings and replays."""
_MARK = sha256(STYLE + b"".join(_SOURCES.values())).hexdigest()[:8]
STYLE_ADDRESS = f"/desk.css?{_MARK}"
"""Where pages find the style sheet."""
SCRIPT_FOLDER = f"/scripts/{_MARK}"
"""The folder that the modules of our pages are served in."""
ASSETS = {
    "/desk.css": (STYLE, "text/css"),
    **{
        f"{'' if name == _WORKER else SCRIPT_FOLDER}/{name}": (source, "text/javascript")
        for name, source in _SOURCES.items()
    },
    "/icon.svg": ((_HERE / "icon.svg").read_bytes(), "image/svg+xml"),
}
"""The bytes and the media type of every asset, by its path."""


def script_tags(name: str) -> Markup:
    """Return the tags that load a script into a page, and at once with it the modules that it imports.

    Modules that every page loads already are left out.

    Args:
        name: The script without its ending, such as ``table``.
    """
    script = f"{name}.js"
    loaded = set() if script == _EVERYWHERE else _with_imports([_EVERYWHERE])
    links = sorted(_with_imports([script]) - loaded - {script})
    tags = [f'<link rel="modulepreload" href="{SCRIPT_FOLDER}/{imported}">' for imported in links]
    return Markup("\n".join((*tags, f'<script type="module" src="{SCRIPT_FOLDER}/{script}"></script>')))


def _with_imports(scripts: Iterable[str]) -> set[str]:
    """Return the names of these scripts and of all that they import, directly or not."""
    found: set[str] = set()
    left = list(scripts)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += [imported.decode() for imported in _IMPORTED.findall(_SOURCES[name])]
    return found
