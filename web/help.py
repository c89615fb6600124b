"""The page that says how a table is used and what its marks mean."""

from typing import Any

from cartulary.web.inquiry import Inquiry


def help_page(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of help, which needs none: an empty dict."""
    return {}
