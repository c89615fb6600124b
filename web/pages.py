"""Pages made from templates: text is escaped, and control characters are shown."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from cartulary.notation import touched_items
from cartulary.notation.arbiter.finding import verdict_text
from cartulary.notation.arbiter.replay import draw_after
from cartulary.notation.cgn.controls import display, in_bdi, isolate, isolate_all
from cartulary.notation.drawing import Drawing, with_last_ply, with_names
from cartulary.notation.figures import disc_svg, figure_svg
from cartulary.notation.seat_names import name_seats
from cartulary.notation.svg import svg
from cartulary.notation.viewer import Everything
from cartulary.records.table.at_table import View
from cartulary.web.assets import STYLE_ADDRESS, script_tags
from cartulary.web.visitors import KEEPS, RULES, SHEET, WRITES, Visitor

_HERE = Path(__file__).parent
CARD_TABLE_SCALE = 1.5
"""How many times its size a card table has on a page that has the room."""


class Pages:
    """The templates of a server's pages; make one for each server."""

    def __init__(self, writes: bool) -> None:
        """Load the templates; ``writes`` says whether the server accepts moves, so that pages link to forms."""
        self._templates = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_displayed,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters["with_sign"] = with_sign
        self._templates.filters["figure"] = figure_markup
        self._templates.globals |= {
            "style": STYLE_ADDRESS,
            "script_tags": script_tags,
            "link": link,
            "writes": writes,
            "count": count,
            "verdict_text": verdict_text,
        }

    def page(self, name: str, values: Mapping[str, Any], visitor: Visitor) -> bytes:
        """Return a page for a visitor, in UTF-8.

        Args:
            name: The template, such as ``games`` for ``games.html``.
            values: The values that the template shows.
            visitor: Who gets the page; the template shows only what that role may do.
        """
        return self.part(name, values, visitor).encode("utf-8", "replace")

    def part(self, name: str, values: Mapping[str, Any], visitor: Visitor) -> str:
        """Return what a template makes, a page or a part of one, as HTML; the arguments are those of ``page``."""
        seat = "" if isinstance(visitor.viewer, Everything) else visitor.viewer.name
        about = {"seat": seat, "role": visitor.role, "home": visitor.game, "may": visitor.may}
        about["evening"] = visitor.evening
        about |= {
            "game_link": partial(game_link_for, visitor),
            "SHEET": SHEET,
            "WRITES": WRITES,
            "RULES": RULES,
            "KEEPS": KEEPS,
        }
        return in_bdi(self._templates.get_template(f"{name}.html").render(about | dict(values)))


def _displayed(value: object) -> object:
    """Return a value as a template shows it.

    In a text control characters are visible, and text that runs from the right cannot change the order of what stands
    around it. Other values are unchanged.
    """
    return display(isolate(value)) if type(value) is str else value


def game_link(id: str, *more: str | int) -> str:
    """Return the address of a game's page, or of one below it: ``("g", "plies", 3)`` gives ``/games/g/plies/3``."""
    return "/games/" + "/".join(quote(str(part), safe="") for part in (id, *more))


def game_link_for(visitor: Visitor, id: str, *more: str | int) -> str:
    """Return the address of a game's page for a visitor; for a visitor by link with its role: ``/games/g?as=p1``."""
    return game_link(id, *more) + (f"?as={visitor.role}" if visitor.link else "")


def link(path: str, parameters: Iterable[tuple[str, object]]) -> str:
    """Return an address with these query parameters added; those that are empty or None are left out."""
    query = urlencode([(name, value) for name, value in parameters if value not in ("", None)])
    return f"{path}{'&' if '?' in path else '?'}{query}" if query else path


def title_of(names: Iterable[str], id: str) -> str:
    """Return the title of a game: its players, as in ``Ada – Bela``, with ? for an unknown one.

    If no player is named it is the id.
    """
    names = tuple(names)
    return isolate_all((name or "?" for name in names), " – ") if any(name not in ("", "?") for name in names) else id


def count(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 ply``, ``2,000 plies``; without ``plural`` an s is added to the singular."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def minus(text: str) -> str:
    """Return a number as a page shows it, with a minus sign in place of a hyphen before it; other texts unchanged."""
    return f"−{text[1:]}" if text.startswith("-") and len(text) > 1 else text


def svg_markup(drawing: Drawing, title: str, names: Sequence[str] = ()) -> Markup:
    """Return a drawing as SVG for a page, whose style sheet gives it colours.

    Args:
        drawing: The drawing.
        title: What screen readers call it.
        names: The players in the order of their seats, written at their places.
    """
    scale = CARD_TABLE_SCALE if any(item.look == "felt" for item in drawing.items) else 1
    return Markup(svg(with_names(drawing, names), title, "", scale))


def figure_markup(symbol: str, role: str) -> Markup | str:
    """Return a figurine such as ``♚`` or a flat man as a small picture, and any other symbol as it is.

    Args:
        symbol: The symbol.
        role: Its CSS classes, with the side: ``p2 black``.
    """
    return Markup(disc_svg(symbol, role) if "disc" in role.split() else figure_svg(symbol, role)) or symbol


def deal_values(view: View) -> dict[str, Any]:
    """Return the values of the template ``deal``: the deals that the last ply ended, and what each player won.

    Each sentence on a deal comes as a pair: its first part, as in ``contract made by 17``, and the rest. The points
    come in pairs of a name and a number, by seat; without such a deal both are empty. A sentence that says no more than
    the points is left out. ``deal_title`` is such as ``Deal 2``, and ``deal_costs`` says whether the fewest points win.
    """
    game = view.position.game
    over = [*view.deals_over(view.position.ply - 1)] if view.position.ply else []
    said = [name_seats(says, view.players).partition("; ") for says in over]
    points = view.points_of_deal()
    repeated = [", ".join(f"{name} {'+' * (gain >= 0)}{gain}" for name, gain in points)] if points else []
    number = len([*view.deals_over(0)]) if over else 0
    return {
        "deal_over": [(first, rest) for first, _, rest in said if not any(map(first.endswith, repeated))],
        "deal_points": points,
        "deal_title": f"{game.rounds.unit.capitalize()} {number}" if over else "",
        "deal_costs": game.points.fewest,
    }


def with_sign(points: Fraction) -> str:
    """Return points with their sign, as a page shows them: ``+84``, ``−42``, ``+1/2``, ``0``."""
    return f"+{points}" if points > 0 else minus(str(points))


def lines_markup(text: str) -> Markup:
    """Return a text as escaped HTML; its line breaks stay, and other control characters are made visible."""
    return Markup(escape("\n".join(map(display, text.split("\n")))))


def seat_drawn(view: View, below: int) -> int | None:
    """Return from whose side a position is drawn, as the seat's number; None for everything.

    Args:
        view: The record as the visitor may see it.
        below: The seat that was asked for, 0 for none. It counts only in a game whose positions everybody sees.
    """
    return below if below and view.position.game.hidden.face_up else view.picture_seat


def drawn_position(view: View, below: int = 0) -> Markup:
    """Return the position as SVG, with the names of the players.

    Args:
        view: The table as the viewer has it.
        below: The seat whose side is drawn below, where everybody sees all of the board; 0 for the viewer's own.
    """
    position, step = view.position, view.position.last
    drawing = draw_after(position.game, step, position.drawn_state, seat_drawn(view, below))
    touched = touched_items(position.game, step) if step is not None else ()
    title = f"{position.game.about.title} after ply {position.ply}"
    return svg_markup(with_last_ply(drawing, touched), title, view.players)
