"""Cards to be cut out and handed out: each with a link, its QR code, its address and what it is for."""

from collections.abc import Sequence
from html import escape

from msgspec import Struct

from cartulary.notation.cgn.controls import display, in_bdi, isolate, visible
from cartulary.notation.cgn.signs import count
from cartulary.notation.viewer import RAIL
from cartulary.records.sheets.qr import qr, qr_path
from cartulary.records.state.links import ARBITER, PERSON, READER, SCRIBE, Link

_STYLE = (
    ":root{color-scheme:light}body{font:16px/1.35 system-ui,sans-serif;margin:1rem;color:#000;background:#fff}"
    "main{display:flex;flex-wrap:wrap;gap:0}h1{font-size:1.2rem;margin:0 0 1rem}"
    "section{width:18rem;border:1px dashed #777;padding:.8rem;box-sizing:border-box;break-inside:avoid}"
    "h2{font-size:1.1rem;margin:0}p{margin:.3rem 0}svg{width:11rem;height:11rem;display:block}"
    "code{font-size:.7rem;overflow-wrap:anywhere}@media print{h1{display:none}body{margin:0}}"
)
_FOR = {
    SCRIBE: "Writes for the table. For one phone.",
    RAIL: "Watches the open table. For any number of phones.",
    ARBITER: "Sees everything, hears disputes and rules on them. For one phone.",
    READER: "Reads the whole game once it is closed. For any number of phones.",
}


class LinkCard(Struct, frozen=True):
    """A card.

    Attributes:
        link: The link.
        names: The names of the players, in seat order.
        url: The address that the QR code holds.
        title: The title of the evening; empty for a link to a game.
    """

    link: Link
    names: Sequence[str]
    url: str
    title: str = ""

    @property
    def place(self) -> str:
        """What the link is to: the title of the evening, or the id of the game if there is none."""
        return self.title or self.link.game

    @property
    def who(self) -> str:
        """Whom the card is for: the name of a person at an evening, otherwise the role of the link, such as ``p1``."""
        return self.link.person if self.link.role == PERSON else self.link.role


def for_whom(link: Link, names: Sequence[str] = ()) -> str:
    """Return a sentence or two on what a link is for: ``For Ann: sees what p1 sees. For one phone.``

    ``names`` are the players' names in seat order; a seat whose name is missing, empty or ``?`` is not named.
    """
    if link.role in _FOR:
        says = _FOR[link.role]
        return f"{says} Plays as p{link.plays}." if link.plays else says + _later(link)
    if link.role == PERSON:
        return f"For {isolate(link.person)}: leads to the seat that {isolate(link.person)} has. For one phone."
    seat = link.viewer.seat or 0
    name = names[seat - 1] if seat <= len(names) else ""
    sees = f"ees what {link.role} sees. For one phone."
    return f"For {isolate(name)}: s{sees}" if name not in ("", "?") else f"S{sees}"


def _later(link: Link) -> str:
    """Return the sentence that says how many seconds late a link shows the game, `` 60 seconds late.`` with a blank
    before it.

    It is empty if the link is not late.
    """
    return f" {count(link.delay, 'second')} late." if link.delay else ""


def link_cards(cards: Sequence[LinkCard]) -> bytes:
    """Return cards as an HTML page for a printer, in UTF-8, in their order.

    Args:
        cards: At least one card; the place of the first is the title of the page.

    Raises:
        Unfit: The library for QR codes is missing.
    """
    body = "".join(map(_card, cards))
    title = escape(visible(f"Links to {cards[0].place}"))
    text = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body><h1>{title}</h1><main>{body}</main></body></html>\n"
    )
    return in_bdi(text).encode()


def _card(card: LinkCard) -> str:
    """Return one card as an HTML section: whom it is for, the QR code of its address, what it is for, and the address.

    Raises Unfit if the library for QR codes is missing.
    """
    modules = qr(card.url)
    size = len(modules)
    who = escape(display(card.who))
    explanation = escape(display(for_whom(card.link, card.names)))
    return (
        f'<section><h2>{escape(display(card.place))}: {who}</h2><svg viewBox="0 0 {size} {size}" role="img" '
        f'aria-label="Code for the {who} link"><path d="{qr_path(modules)}"/></svg><p>{explanation}</p>'
        f"<p><code>{escape(card.url)}</code></p></section>\n"
    )
