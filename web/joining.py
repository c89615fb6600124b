"""The page that a link opens first. Its script sends what follows the # in the address, which browsers send nowhere."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

PAGE = (Path(__file__).parent / "templates" / "join.html").read_bytes()


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The request that exchanges a link's secret for a cookie."""

    secret: Annotated[str, Meta(description="What follows the # in the address of the link.")]


def _digest(tag: bytes) -> str:
    """Return the SHA-256 digest, in base64, of what stands in the page's only element of this name.

    The name is given as bytes, such as ``b"style"``.
    """
    inside = PAGE.partition(b"<%b>" % tag)[2].partition(b"</%b>" % tag)[0]
    return b64encode(sha256(inside).digest()).decode()


POLICY = (
    f"default-src 'none'; script-src 'sha256-{_digest(b'script')}'; style-src 'sha256-{_digest(b'style')}'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may load and run: its own script and style, and a request to this server."""
