"""The page that a link opens first, and the one for everybody without access; each has its own script and style.

The script of the first sends what follows the # in the address, which browsers send nowhere.
"""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

_TEMPLATES = Path(__file__).parent / "templates"
PAGE = (_TEMPLATES / "join.html").read_bytes()
REFUSAL = (_TEMPLATES / "not_admitted.html").read_bytes()
"""The page for everybody without access, the same for all; what it remembers of a table is in the browser alone."""


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The request that exchanges a link's secret for a cookie."""

    secret: Annotated[str, Meta(description="What follows the # in the address of the link.")]


def _digest(page: bytes, tag: bytes) -> str:
    """Return the SHA-256 digest, in base64, of what stands in the only element of this name of a page.

    The name is given as bytes, such as ``b"style"``.
    """
    inside = page.partition(b"<%b>" % tag)[2].partition(b"</%b>" % tag)[0]
    return b64encode(sha256(inside).digest()).decode()


def _policy(page: bytes) -> str:
    """Return the Content-Security-Policy of a page: its own script and style, and requests to this server."""
    return (
        f"default-src 'none'; script-src 'sha256-{_digest(page, b'script')}'; "
        f"style-src 'sha256-{_digest(page, b'style')}'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


POLICY = _policy(PAGE)
"""What the page of a link may load and run: its own script and style, and a request to this server."""
REFUSAL_POLICY = _policy(REFUSAL)
"""What the page for everybody without access may load and run: its own script and style."""
