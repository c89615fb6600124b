"""Standings as a page, a table in CSV and a picture."""

from html import escape
from http import HTTPStatus
from typing import Any

from cartulary.notation.cgn.controls import display, isolate
from cartulary.records import api
from cartulary.records.faults import NoFinishedGame, Unfit
from cartulary.records.library.standings import CRITERIA, SUBSTITUTES, Criterion, Substitutes, without_names
from cartulary.records.library.standings import standings_fields as fields_of
from cartulary.records.library.standings_table import cells_of, csv_of, sums_of
from cartulary.web.games import MOST_EVENTS, menu, title_of
from cartulary.web.inquiry import Inquiry, RequestFault, check_sees_everything
from cartulary.web.pages import count, link, minus

PARAMETERS = ("game", "variant", "event", "season", "player", "by", "rating", "substitutes", "redact")
"""The parameters of standings, named as the options of the command."""
MOST_EVENINGS = 40
"""Evenings in the cross-table of the page; CSV and JSON have all."""
MOST_DUELLISTS = 24
"""People in the table of everybody against everybody."""
MOST_TIES = 20
"""Sentences about ties."""
MOST_LINES = 200
"""People in the standings of the page."""
MOST_CROSSED = 60
"""People in the cross-table of the page."""
MOST_PICTURED = 40
"""People in the picture."""
_ORDERS = {"points": "points", "wins": "games won", "place": "average place"}
_LABELS = {
    "game": "Game",
    "variant": "Variant",
    "event": "Event",
    "season": "Season",
    "by": "Ordered by",
    "player": "Games with",
    "substitutes": "Substitutes",
}
_SUBSTITUTES = {"split": "to each", "first": "to the first", "last": "to the last"}


def _answer(inquiry: Inquiry, duels: bool = True, most_duellists: int | None = None) -> "api.Standings":
    """Return the standings that the parameters of the address ask for.

    Args:
        inquiry: The request.
        duels: Whether to count how everybody did against everybody else.
        most_duellists: For how many of the first to count that; None for all.

    Raises:
        RequestFault: A parameter has an impossible value.
        Unfit: The games cannot be ranked so.
        NoFinishedGame: There is no finished game among them.
    """
    by = inquiry.value("by")
    if by and by not in CRITERIA:
        raise RequestFault(f"{by[:24]!r} orders nothing; expected one of: {', '.join(CRITERIA)}.")
    chosen: Criterion | None = next((each for each in CRITERIA if each == by), None)
    substitutes = inquiry.value("substitutes") or "split"
    if substitutes not in SUBSTITUTES:
        raise RequestFault(
            f"{substitutes[:24]!r} says nothing of substitutes; expected one of: {', '.join(SUBSTITUTES)}."
        )
    way: Substitutes = next(each for each in SUBSTITUTES if each == substitutes)
    query = api.Query(
        game=inquiry.value("game"),
        variant=inquiry.value("variant"),
        event=inquiry.value("event"),
        date=inquiry.value("season"),
        player=inquiry.values("player"),
    )
    rating = bool(inquiry.value("rating"))
    answer = api.standings(
        inquiry.store,
        query,
        chosen,
        evenings=True,
        duels=duels,
        most_duellists=most_duellists,
        rating=rating,
        substitutes=way,
    )
    return without_names(answer) if inquiry.value("redact") else answer


def _for_file(inquiry: Inquiry, duels: bool = False) -> "api.Standings":
    """Return standings for a file; ``duels`` is that of ``_answer``.

    Raises RequestFault, with status 404 if there are none, and 403 on a server that shows the view of a seat.
    """
    check_sees_everything(inquiry, "Standings")
    try:
        return _answer(inquiry, duels)
    except NoFinishedGame as fault:
        raise RequestFault(str(fault), HTTPStatus.NOT_FOUND) from None


def standings_fields(inquiry: Inquiry) -> object:
    """Return standings as `standings --evenings --duels --json` gives them.

    Raises RequestFault, with status 404 if no game is finished, and 403 on a server that shows the view of a seat.
    """
    return fields_of(_for_file(inquiry, duels=True))


def standings_csv(inquiry: Inquiry) -> bytes:
    """Return standings as `standings --evenings --csv` gives them, in UTF-8.

    Raises RequestFault, with status 404 if no game is finished, and 403 on a server that shows the view of a seat.
    """
    return csv_of(_for_file(inquiry), evenings=True).encode()


# --- the page ---


def standings(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of standings; what cannot be shown is explained on it, below the form."""
    check_sees_everything(inquiry, "Standings")
    status, says = HTTPStatus.OK, ""
    answer = None
    try:
        answer = _answer(inquiry, most_duellists=MOST_DUELLISTS)
    except NoFinishedGame as fault:
        says = str(fault)
    except (Unfit, RequestFault) as fault:
        says, status = str(fault), HTTPStatus.BAD_REQUEST
    variants = answer.variants if answer is not None else ()
    values = {"status": status, "says": says, "fields": _form(inquiry, variants), "answer": answer is not None}
    return values | _shown(inquiry, answer) if answer is not None else values


def _form(inquiry: Inquiry, variants: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the menus of the form, each with what was chosen, even if that is not among the usual choices.

    A menu that would offer nothing is left out.

    Args:
        inquiry: The request.
        variants: The variants to choose from; without any there is no menu of them.
    """
    there = api.standings_choices(inquiry.store)
    games = [(game, title_of(game)) for game in there.games]
    choices = {
        "game": [("", "every game"), *games],
        "variant": [("", "every variant"), *((variant, variant) for variant in variants)],
        "season": [("", "all years"), *there.seasons],
        "event": [("", "every event"), *((event, event) for event in there.events[:MOST_EVENTS])],
        "by": [("", "as usual"), *((by, _ORDERS[by]) for by in CRITERIA)],
        "player": [("", "anybody")],
        "substitutes": [("" if way == "split" else way, says) for way, says in _SUBSTITUTES.items()],
    }
    fields = [menu(inquiry, name, _LABELS[name], known) for name, known in choices.items()]
    shown = {"player": False, "variant": bool(variants), "substitutes": there.substitutes}
    return [field for field in fields if field["value"] or shown.get(field["name"], True)]


def _shown(inquiry: Inquiry, answer: "api.Standings") -> dict[str, Any]:
    """Return the values with which the page shows standings that could be made."""
    redacts = bool(inquiry.value("redact"))
    cells = [cells_of(row) for row in answer.rows[:MOST_LINES]]
    has = {name: any(row[at] for row in cells) for at, name in ((5, "points"), (6, "place"), (7, "best"))}
    order = "fewest points" if answer.fewest else _ORDERS[answer.by]
    names = ("rank", "name", "games", "evenings", "won", "points", "place", "best", "worst")
    rows = [dict(zip(names, map(minus, each), strict=True)) for each in cells]
    for row, line in zip(rows, answer.rows, strict=False):
        row["name"] = line.name
        row["average"] = "" if line.points is None else minus(f"{float(line.points / line.games):.1f}")
        row["link"] = "" if redacts else link("/person", [("name", line.name)])
    title = title_of(answer.game) if answer.game else "All games"
    dates = sorted(each.date for each in answer.evenings)
    return {
        "title": title,
        "about": [
            f"by {order}",
            count(answer.games, "game"),
            count(len(answer.rows), "player"),
            count(len(answer.evenings), "evening"),
            *((dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}",) if dates else ()),
        ],
        "many_kinds": not answer.game,
        "variants": answer.variants,
        "by": answer.by,
        "has": has,
        "rows": rows,
        "more_lines": max(0, len(answer.rows) - MOST_LINES),
        "more_crossed": max(0, len(answer.rows) - MOST_CROSSED),
        "ties": answer.ties[:MOST_TIES],
        "left_out": answer.left_out,
        "evenings": _evenings(answer),
        "cross": _cross_table(answer),
        "earlier": max(0, len(answer.evenings) - MOST_EVENINGS),
        "duels": _duels(answer),
        "duellists": [row.name for row in answer.rows[:MOST_DUELLISTS]],
        "more_people": max(0, len(answer.rows) - MOST_DUELLISTS),
        "downloads": [
            ("CSV", link("/standings.csv", inquiry.parameters)),
            ("JSON", link("/standings.json", inquiry.parameters)),
            ("Picture", link("/standings.svg", inquiry.parameters)),
        ],
        "ways": [
            _way(inquiry, "redact", "With names" if redacts else "Without names"),
            *([_way(inquiry, "rating", "Without ratings" if answer.ratings else "Ratings")] if answer.game else []),
        ],
        "ratings": [
            (at, each.name, f"{each.rating:.0f}", f"{each.deviation:.0f}", each.games)
            for at, each in enumerate(answer.ratings[:MOST_LINES], 1)
        ],
    }


def _way(inquiry: Inquiry, name: str, says: str) -> tuple[str, str]:
    """Return the address of the same page with a parameter turned on, or off if it is on, and the text of the link.

    Args:
        inquiry: The request.
        name: The parameter.
        says: The text of the link.
    """
    others = [(each, value) for each, value in inquiry.parameters if each != name]
    return link("/standings", others if inquiry.value(name) else [*others, (name, "1")]), says


def _evenings(answer: "api.Standings") -> list[dict[str, str]]:
    """Return the heads of the columns of the cross-table, the last evening first, at most ``MOST_EVENINGS``."""
    heads = []
    for each in answer.evenings[-MOST_EVENINGS:]:
        year, _, day = each.date.partition(".")
        games = link("/games", [("date", each.date if "?" not in each.date else ""), ("event", each.event)])
        heads.append({"year": year, "day": day, "event": each.event, "date": each.date, "games": games})
    return heads[::-1]


def _cross_table(answer: "api.Standings") -> list[tuple[str, str, list[tuple[str, bool]]]]:
    """Return for each person the name, the total, and a pair for each evening.

    A pair is what was won there, empty for somebody who was not there, and whether that was the most. There are at most
    ``MOST_CROSSED`` persons and ``MOST_EVENINGS`` evenings, the last one first.
    """
    better = min if answer.fewest else max
    tops = [better(each.sums.values()) for each in answer.evenings]
    lines = []
    for row in answer.rows[:MOST_CROSSED]:
        sums = [minus(text) if text != "-" else "" for text in sums_of(answer, row.name)]
        first = [each.sums.get(row.name) == top for each, top in zip(answer.evenings, tops, strict=True)]
        total = cells_of(row)[5 if answer.by == "points" else 4]
        lines.append((row.name, minus(total), list(zip(sums, first, strict=True))[-MOST_EVENINGS:][::-1]))
    return lines


def _duels(answer: "api.Standings") -> list[tuple[str, list[dict[str, Any] | None]]]:
    """Return a square table of the first ``MOST_DUELLISTS`` persons: each with the results against every one of them.

    A cell is None where the two have never met.
    """
    names = [row.name for row in answer.rows[:MOST_DUELLISTS]]
    met = {(each.first, each.second): (each.wins, each.ties, each.losses) for each in answer.duels}
    met |= {(second, first): (lost, tied, won) for (first, second), (won, tied, lost) in met.items()}

    def cell(first: str, second: str) -> dict[str, Any] | None:
        if (first, second) not in met:
            return None
        won, tied, lost = met[first, second]
        says = f"{isolate(first)} against {isolate(second)}: {won} won, {tied} tied, {lost} lost"
        return {"won": won, "tied": tied, "lost": lost, "says": says, "kind": (won > lost) - (won < lost)}

    return [(first, [cell(first, second) for second in names]) for first in names]


# --- the picture ---

_WIDE, _LINE, _NAMES, _TOP = 800, 30, 210, 84


def standings_picture(inquiry: Inquiry) -> bytes:
    """Return standings as a picture in SVG, with a bar for each of the first ``MOST_PICTURED`` persons."""
    answer = _for_file(inquiry)
    column = {"points": 5, "wins": 4, "place": 6}[answer.by]
    rows = [(row.rank, row.name, cells_of(row)[column]) for row in answer.rows[:MOST_PICTURED]]
    numbers = [float(text or 0) for _, _, text in rows]
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    left_of_bars = _NAMES + (60 if low < 0 else 10)
    scale = (_WIDE - left_of_bars - 80) / ((high - low) or 1)
    zero = left_of_bars - low * scale
    order = "fewest points" if answer.fewest else _ORDERS[answer.by]
    title = title_of(answer.game) if answer.game else "All games"
    where = [inquiry.value("event"), inquiry.value("season")]
    about = " · ".join([f"by {order}", count(answer.games, "game"), *filter(None, where)])
    tall = _TOP + _LINE * len(rows) + 20
    shapes = [_text(24, 38, title, "title"), _text(24, 62, about, "soft")]
    for at, ((rank, name, text), number) in enumerate(zip(rows, numbers, strict=True)):
        y = _TOP + _LINE * at
        long = abs(number) * scale
        left = zero if number >= 0 else zero - long
        shapes += [
            _text(46, y + 19, str(rank), "soft end"),
            _text(58, y + 19, name if len(name) <= 20 else f"{name[:19]}…"),
            f'<rect x="{left:.1f}" y="{y + 4}" width="{max(long, 1):.1f}" height="{_LINE - 10}" rx="2"/>',
            _text(zero + long + 6 if number >= 0 else left - 6, y + 19, minus(text), "" if number >= 0 else "end"),
        ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {tall}" width="{_WIDE}" height="{tall}">'
        "<style>text{font:15px system-ui,'DejaVu Sans','Noto Sans',sans-serif;fill:#1d232b}.title{font-size:22px;"
        "font-weight:700}.soft{fill:#565c65}.end{text-anchor:end}rect{fill:#0b5c8a}.ground{fill:#fff}</style>"
        f'<rect class="ground" width="{_WIDE}" height="{tall}"/>{"".join(shapes)}</svg>\n'
    ).encode()


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    """Return a text of an SVG picture.

    Args:
        x: The place from the left.
        y: The place of the base line from the top.
        text: The text, which is escaped.
        kind: The class of its style, such as ``soft end``.
    """
    return f'<text x="{x:.1f}" y="{y}" class="{kind}">{escape(display(isolate(text)))}</text>'
