"""The parts of a page that change while it is open: a page that is shown asks for those alone that have changed.

A template marks a part by comments around its element: ``<!--part state-->…<!--/part-->``. No text of a game can hold
such a comment, because ``<`` is escaped in it. The page asks for its own address with the header ``PARTS``, which names
the marks of the parts it has; the answer holds the parts whose marks are others now.
"""

import re
from hashlib import sha256

import msgspec
from starlette.requests import Request
from starlette.responses import Response

PARTS = "x-cartulary-parts"
"""The header with the marks of the parts that a page has, as in ``state=1f3a,seats=77b0``; or ``-`` if it has none."""
_PART = re.compile(r"<!--part ([a-z]+)-->\n?(.*?)<!--/part-->", re.DOTALL)


def only_parts(response: Response, request: Request) -> Response:
    """Return the changed parts of a page as JSON if the request asks for parts; else the answer as it is.

    The request asks by a header with the mark of each part that it has. The JSON has for each changed part its mark and
    its HTML: ``{"parts": {"state": ["1f3a", "<div …>"]}}``. What is no page, has no parts or could not be shown is
    answered as it is.
    """
    known = request.headers.get(PARTS)
    if known is None or response.media_type != "text/html" or response.status_code != 200:
        return response
    marks = dict(entry.split("=", 1) for entry in known.split(",") if "=" in entry)
    parts = {name: (_mark(html), html) for name, html in _PART.findall(bytes(response.body).decode())}
    if not parts:
        return response
    changed = {name: part for name, part in parts.items() if marks.get(name) != part[0]}
    return Response(msgspec.json.encode({"parts": changed}), media_type="application/json", headers={"vary": PARTS})


def _mark(html: str) -> str:
    """Return 12 hexadecimal digits that are others as soon as the text of a part of a page is."""
    return sha256(html.encode()).hexdigest()[:12]
