"""Cards with links, as the pages of a game and of an evening make them."""

from urllib.parse import urlsplit

from cartulary.records.sheets.qr import qr, qr_path
from cartulary.web.inquiry import RequestFault

LONGEST_BASE = 200
"""Characters that the address of a server may have."""


def origin_of(base: str) -> str:
    """Return scheme and name of the address at which phones reach the server: ``https://desk.example``.

    Raises:
        RequestFault: It is no such address.
    """
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.netloc or len(base) > LONGEST_BASE:
        raise RequestFault(f"`base` is {base[:60]!r}; expected http:// or https:// and a name.")
    return f"{parts.scheme}://{parts.netloc}"


def card_fields(number: int, place: str, role: str, says: str, url: str) -> dict[str, object]:
    """Return a card for a link as JSON, with its QR code as a path of SVG in a square of ``size`` units.

    Args:
        number: The number of the link.
        place: The game or evening that it leads to.
        role: The role or person that it is for.
        says: A sentence on what it is for.
        url: Its address, with the secret.
    """
    code = qr(url)
    fields: dict[str, object] = {"link": number, "game": place, "role": role, "title": f"{place}: {role}", "says": says}
    return fields | {"url": url, "path": qr_path(code), "size": len(code)}
